//===- KernelEmitterImpl.h - What the emitter's parts share -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_MIRAGETOGPU_KERNELEMITTERIMPL_H
#define MIRAGE_LIB_CONVERSION_MIRAGETOGPU_KERNELEMITTERIMPL_H

#include "ElementCode.h"
#include "KernelEmitter.h"
#include "Mirage/BlockPlan/BoxCopies.h"
#include "Mirage/BlockPlan/Clusters.h"
#include "Mirage/BlockPlan/FoldPlan.h"
#include "Mirage/BlockPlan/KeptRows.h"
#include "Mirage/BlockPlan/RowChain.h"
#include "Mirage/BlockPlan/TensorCoreUse.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Mirage/TensorView.h"
#include "TileMemory.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

namespace mirage {

/// Emits a kernel's body. KernelEmitter.cpp has ops on elements,
/// ReductionEmitter.cpp sums and maxima of them, LoopEmitter.cpp the for-loop
/// and its accumulators, StreamEmitter.cpp loops that only accumulate what they
/// load, CopyEmitter.cpp the loads, ProducerEmitter.cpp the warp that only
/// loads, MatmulEmitter.cpp, SquareSumEmitter.cpp and
/// WarpgroupEmitter.cpp what runs on tensor cores,
/// RowChainEmitter.cpp products whose rows stay in registers,
/// KeptRowsEmitter.cpp kernels all of whose rows do,
/// EpilogueEmitter.cpp what becomes of the results, and StoreEmitter.cpp stores
/// by the TMA.
class KernelEmitterImpl {
public:
  KernelEmitterImpl(mlir::OpBuilder &builder, kernel::GraphDefinedOp graph,
                    const SharedPlan &plan)
      : builder(builder), graph(graph), loc(graph.getLoc()),
        threads(getNumThreads(graph)), plan(plan) {}

  void emit(mlir::ValueRange buffers);

private:
  using Type = mlir::Type;
  using Value = mlir::Value;
  using ValueRange = mlir::ValueRange;
  using Visit = llvm::function_ref<void(ValueRange)>;
  using VisitBatch =
      llvm::function_ref<void(llvm::ArrayRef<llvm::SmallVector<Value>>)>;
  using Compute = llvm::function_ref<llvm::SmallVector<Value>(ValueRange)>;
  using Deliver = llvm::function_ref<void(ValueRange, llvm::ArrayRef<Value>)>;

  Value makeIndex(int64_t value);
  Value add(Value a, Value b);
  Value add(Value a, int64_t b);
  Value mul(Value a, int64_t b);
  Value div(Value a, int64_t b);
  Value rem(Value a, int64_t b);
  /// The lesser of two indices.
  Value min(Value a, int64_t b);
  Value isBelow(Value a, int64_t bound);
  /// The index of the element that is `linear`-th in row-major order.
  llvm::SmallVector<Value> delinearize(Value linear,
                                       llvm::ArrayRef<int64_t> shape);
  /// Emits `body` where `condition` holds; everywhere if there is none.
  void emitIf(Value condition, llvm::function_ref<void()> body);
  void emitFor(Value from, Value to, Value step,
               llvm::function_ref<void(Value)> body);
  /// The same in steps of 1, for a body that replaces values: each iteration
  /// begins with what the one before has left, and the last one's stay. Which
  /// they are is asked each time, as what holds them may move.
  mlir::scf::ForOp
  emitCarryingFor(Value from, Value to,
                  llvm::function_ref<llvm::SmallVector<Value *>()> getCarried,
                  llvm::function_ref<void(Value)> body);
  /// Emits `body` for the numbers from 0 to `count`, at most `atOnce` together.
  void forRounds(int64_t count, int64_t atOnce,
                 llvm::function_ref<void(llvm::ArrayRef<Value>)> body);
  /// Of all threads but the producer warp's, behind which the TMA and
  /// warpgroups may read what was stored before.
  void emitBarrier();
  /// Lets the TMA and warpgroups see what this thread has stored.
  void emitProxyFence();
  /// Threads have stored these tiles.
  void noteStores(ValueRange tiles);
  /// A barrier with a number, of so many threads.
  void emitBarrier(int32_t id, int64_t numThreads);

  //===--- Ops on elements ------------------------------------------------===//

  /// Emits the ops of a block, with barriers between depths.
  void emitStages(const Stages &stages);
  void emitOp(mlir::Operation *op);
  void emitThreadGraph(block::GraphDefinedOp threadGraph);
  /// An operator whose elements fold many others: threads share one. It runs as
  /// a part of `runs`, if that is another op (`getInlinedFold`).
  void emitReduction(OperatorOpInterface op, const Fold &fold,
                     mlir::Operation *runs);
  /// What `runs` makes of an element that an op folds.
  llvm::SmallVector<Value> finishElement(mlir::Operation *op, Value element,
                                         mlir::Operation *runs,
                                         ValueRange index);
  class FoldSteps;
  /// What the threads that share one of `count` elements of a fold have
  /// together.
  Value foldParts(const FoldPlan &plan, Value own, int64_t count,
                  int64_t scratch, CooperativeFold::Fold fold,
                  FoldSteps &steps);
  /// The same where all ops run on rows that threads keep.
  Value foldLanes(OperatorOpInterface op, Value own, int64_t numRows,
                  CooperativeFold::Fold fold);
  /// `width` neighbours, from an index on, of an op's one result, in f32. They
  /// are so in the last dimension or that so many in front of it.
  Value emitElement(mlir::Operation *op, ValueRange index, int64_t width,
                    size_t fromLast = 0);
  /// The same of each result of a thread graph.
  llvm::SmallVector<Value>
  emitThreadGraphElements(block::GraphDefinedOp threadGraph, ValueRange index,
                          int64_t width, size_t fromLast = 0);
  /// The same of each result of an operator or thread graph.
  llvm::SmallVector<Value> emitResults(mlir::Operation *op, ValueRange index,
                                       int64_t width);
  /// Elements in f32, rounded as if they had been stored in a tile.
  Value roundToTile(Value tile, Value elements);
  /// What an op reads of an operand for `width` neighbours of its result.
  Value readOperand(mlir::Operation *op, Value operand, ValueRange position,
                    int64_t width, size_t fromLast);
  /// A vector of a scalar, if the width is more than 1.
  Value widen(Value elements, int64_t width);

  /// Straight-line code is for at most so many elements, or groups of them.
  static constexpr int64_t kMostAtOnce = 8;
  /// For how many groups of `width` elements of an op it should be.
  int64_t getNumAtOnce(mlir::Operation *op, int64_t width,
                       int64_t most = kMostAtOnce) const;
  /// Where the `number`-th group of `width` elements of a tile begins.
  llvm::SmallVector<Value>
  getElementIndex(Value number, llvm::ArrayRef<int64_t> shape, int64_t width);
  /// Emits code in which this thread visits its elements of a tile, or its
  /// groups of `width` neighbours in the last dimension, at most `atOnce`
  /// together; if `split` is not 0, those of the first so many columns before
  /// the others.
  void forEachBatch(llvm::ArrayRef<int64_t> shape, int64_t width,
                    int64_t atOnce, VisitBatch visit, int64_t split = 0);
  /// One after the other.
  void forEachElement(llvm::ArrayRef<int64_t> shape, Visit visit,
                      int64_t width = 1, int64_t atOnce = 1);
  /// Computes those of a batch, then delivers them.
  void computeElements(llvm::ArrayRef<int64_t> shape, int64_t width,
                       int64_t atOnce, Compute compute, Deliver deliver,
                       int64_t split = 0);
  /// How many neighbours a thread should compute together.
  int64_t getWidth(llvm::ArrayRef<int64_t> shape) const;
  /// The elements of a mask from an index on along its dimension.
  Value emitFreshMask(block::FreshMaskOp mask, ValueRange index, int64_t width);
  /// Elements of a tile in f32: a scalar, or a vector of `width` in the last
  /// dimension. Computes them if the tile is inlined.
  Value read(Value tile, ValueRange index, int64_t width = 1,
             size_t fromLast = 0);
  /// Hands elements of a tile to all who want them, rounded to the tile's type.
  void deliver(Value tile, Value elements, ValueRange index);
  /// Hands elements to a loop's accumulator, unless that is a rescaled sum.
  void accumulate(block::AccumulateOp accumulate, unsigned accumulator,
                  Value elements, ValueRange index);
  /// Stores `update` of elements, both in f32, in their place.
  void updateElements(const TileMemory &memory, ValueRange index, int64_t width,
                      llvm::function_ref<Value(Value)> update);
  /// This thread's part of filling a tile in shared memory.
  void fill(llvm::ArrayRef<int64_t> shape, const TileMemory &memory,
            double value);

  //===--- Loops ----------------------------------------------------------===//

  void emitLoop(block::LoopOp loop);
  /// Lets a loop's accumulators begin: sums with zeros in registers or memory,
  /// maxima with the lowest number.
  void beginSums(block::LoopOp loop);
  /// The same for the maxima of rescaled sums.
  void beginRunningMaxima(block::LoopOp loop);
  /// Loads and computes what is the same in all iterations, once, while the
  /// tiles of the first iterations begin to be loaded.
  void emitHoistedStages(block::LoopOp loop);
  /// Hands the sums in registers from one iteration to the next, and keeps the
  /// last ones.
  void emitIterations(block::LoopOp loop);
  /// Tiles of `numStages` iterations are in shared memory at a time; 0: no
  /// input is loaded without registers.
  void emitIteration(block::LoopOp loop, int64_t numStages);
  /// Makes the tiles that are loaded ahead those of an iteration.
  void placeStages(block::LoopOp loop, Value of);
  Value getIterationBefore();
  /// Pointers to what goes from one iteration to the next in registers.
  llvm::SmallVector<Value *> getCarriedValues();
  /// Begins to load the tiles of an iteration.
  void copyStage(mlir::Block &body, Value of, int64_t numStages);
  TileMemory makeStage(Value tile, Value stage);
  /// Adds the tiles of an iteration to the rescaled sums.
  void emitRescaledSums(block::AccumulateOp accumulate);
  /// Adds the fragments of an iteration to a rescaled sum in registers.
  void rescaleFragments(mlir::Operation *product, Value maximum);
  /// What a sum with the maximum `before` and a term with the maximum `now` are
  /// multiplied by, to have the greater of the two.
  struct RescaleFactors {
    Value ofSum, ofTerm;
  };
  RescaleFactors getRescaleFactors(Value before, Value now);
  /// What a sum that is relative to the maximum `of` is multiplied by to be
  /// relative to the greater one `to`: exp(of - to).
  Value getRescaleFactor(Value of, Value to);
  /// The index in a tile of the shape `shape` that broadcasts to others: it may
  /// have fewer dimensions, and one element where they have more.
  llvm::SmallVector<Value> alignTo(llvm::ArrayRef<int64_t> shape,
                                   ValueRange index);
  /// Those of a tile's element, once they are there.
  RescaleFactors readFactors(Value maximum, ValueRange index);
  /// A loop that only accumulates what it loads (`isStreamed`).
  void emitStreamedLoop(block::LoopOp loop);
  /// What such a loop accumulates: the tiles, and those by which they are
  /// rescaled, if they are; where the result goes, `width` elements at a time.
  struct StreamedSum {
    Value tile, maximum;
    block::AccumulatorKind kind;
    TileMemory place;
    llvm::ArrayRef<int64_t> shape;
    int64_t width;
  };
  /// None if nobody reads the result.
  std::optional<StreamedSum> getStreamedSum(mlir::OpResult result);
  /// Elements of a result, and the maximum by which a rescaled sum has been
  /// divided; null before the first iteration.
  struct StreamedTotal {
    Value value, maximum;
  };
  /// The same elements of some iterations' tiles.
  struct StreamedTerms {
    llvm::SmallVector<Value> values, maxima;
  };
  /// Loads the elements from `index` on of `count` iterations.
  StreamedTerms loadStreamedTerms(const StreamedSum &sum, Value from,
                                  int64_t count, ValueRange index);
  void addStreamed(StreamedTotal &total, const StreamedSum &sum,
                   StreamedTerms terms);
  /// Adds those of all iterations but the first ones, and stores the result.
  void finishStreamed(block::LoopOp loop, const StreamedSum &sum,
                      StreamedTotal total, ValueRange index);
  /// Elements of a tile of an iteration, broadcast where the tile is.
  Value loadStreamed(Value tile, Value iteration, ValueRange index,
                     int64_t width);

  //===--- Loads ----------------------------------------------------------===//

  void emitInput(block::InputIterator input);
  /// Begins to load a tile without registers.
  void copyAsync(block::InputIterator input, const TileMemory &tile,
                 Value iteration);
  void commitCopies();
  /// Waits until at most `pending` of the groups of copies are under way.
  void waitForCopies(int64_t pending);
  /// Where a tile begins in its tensor, without value for 0.
  llvm::SmallVector<Value> getTileOffsets(block::InputIterator input,
                                          Value iteration);

  //===--- A warp that loads ----------------------------------------------===//

  /// Barrier 0 is the whole block's.
  static constexpr int32_t kConsumerBarrier = 1, kMeetingBarrier = 2;
  enum class Mbarrier { Full, Empty };

  /// Emits what the warps do that compute, and what the one does that loads.
  void emitWarpRoles();
  void emitMbarrierInits();
  void emitProducer();
  /// Waits until all warps of the cluster are done with a loop's tiles.
  void waitForReleases(block::LoopOp loop);
  /// Loads the tiles of an iteration when there is room.
  void emitProducerIteration(block::LoopOp loop, Value of);
  /// Where a box of a tile with these offsets is, as the TMA wants to know.
  llvm::SmallVector<Value> getBoxCoordinates(const BoxCopies &copies,
                                             const BoxCopies::Box &box,
                                             llvm::ArrayRef<Value> offsets);
  /// Begins to load a tile to a byte of shared memory.
  void copyBoxes(block::InputIterator input, Value iteration, Value offset,
                 Value mbarrier);
  /// Whether a loop's tiles may take the place of what was there before it.
  bool mustMeetProducer(block::LoopOp loop);
  void meetProducer(block::LoopOp loop);
  /// Of all threads, of the cluster if its blocks write to each other.
  void emitMeeting(block::LoopOp loop);
  /// Of all threads of the cluster, whose memory it orders.
  void emitClusterBarrier();
  bool hasCluster() const { return getCluster(graph).size > 1; }
  mlir::LLVM::LLVMPointerType getClusterPointerType() const;
  /// Waits for the tiles of the iteration.
  void waitForProducer(block::LoopOp loop);
  /// Says that this warp is done with the tiles of an iteration.
  void releaseToProducer(block::LoopOp loop, Value of);
  void waitForMbarrier(Value mbarrier, Value phase);
  /// The address of a loop's mbarrier in shared memory.
  Value getMbarrier(block::LoopOp loop, Mbarrier which, Value stage);
  /// The address of a byte in shared memory.
  Value getSharedAddress(Value offset);
  Value makeInt(Value index);
  Value makeInt(int64_t value);

  //===--- Stores ---------------------------------------------------------===//

  /// Lets the TMA store the tile of a saver, and waits until it is read.
  void storeBoxes(block::OutputSaver saver);
  /// The address of a tensor map, an argument of the kernel.
  Value getMapAddress(Value map);

  //===--- Tensor cores ---------------------------------------------------===//

  /// The part of a warp in a product: its first tiles, and its part of the
  /// depth.
  struct WarpPlace {
    Value batch, rowTile, colTile, depth;
    /// None: all warps have a part.
    Value isActive;
  };
  WarpPlace getWarpPlace(const MatmulPlan &plan);
  /// Tiles of a warp, as numbers from its first on.
  struct TileRange {
    int64_t batch, row, col, numRows, numCols;
  };
  /// Four f32 of a tile of 16 x 8.
  Value makeZeroFragment();
  Value makeZeros(mlir::VectorType type);
  /// A product, or a sum of squares, which runs as a part of `runs`, if that is
  /// another op.
  void emitMatmul(OperatorOpInterface op, const TensorCoreUse &use,
                  mlir::Operation *runs);
  /// Adds the products to the fragments of some tiles.
  void multiply(OperatorOpInterface op, const MatmulPlan &plan,
                const WarpPlace &place, const TileRange &range,
                llvm::MutableArrayRef<Value> fragments);
  void multiplyStep(OperatorOpInterface op, const MatmulPlan &plan,
                    const MatmulPlan::Product &product, const WarpPlace &place,
                    const TileRange &range, Value step, bool isLast,
                    llvm::SmallVectorImpl<Value> &sums);
  /// Whole steps at once.
  void multiplySteps(OperatorOpInterface op, const MatmulPlan &plan,
                     const MatmulPlan::Product &product, const WarpPlace &place,
                     const TileRange &range, llvm::ArrayRef<Value> steps,
                     llvm::SmallVectorImpl<Value> &sums);
  /// Those of a sum of squares.
  void addSquares(mlir::Operation *op, const MatmulPlan &plan,
                  const WarpPlace &place, const TileRange &range,
                  llvm::ArrayRef<Value> steps,
                  llvm::SmallVectorImpl<Value> &sums);
  /// Those of a product that is narrowed, in f16 if a warp's f32 can be rounded
  /// to that. Returns false if it isn't, or has too many.
  bool multiplyNarrowed(OperatorOpInterface op, const MatmulPlan &plan,
                        const MatmulPlan::Product &product,
                        const WarpPlace &place, const TileRange &range,
                        llvm::ArrayRef<Value> steps,
                        llvm::SmallVectorImpl<Value> &sums);
  /// Whether of the warp's pairs of f16 none was too large for it, and each
  /// lane's part of each line (a row or column) has one so large that nothing
  /// is lost of those that are too small.
  Value emitFitsF16(llvm::ArrayRef<llvm::SmallVector<Value>> lines);
  /// The product, or its part, by warpgroups.
  void multiplyInGroups(OperatorOpInterface op, const MatmulPlan &plan,
                        const WarpPlace &place, const TileRange &range,
                        llvm::SmallVectorImpl<Value> &fragments);
  /// First products of a row chain, all at once, each into fragments of its
  /// own; false if they can't be issued so.
  bool
  multiplyInOneGroup(llvm::ArrayRef<OperatorOpInterface> firsts,
                     llvm::MutableArrayRef<llvm::SmallVector<Value>> fragments);
  struct GroupProduct;
  /// A last product of a row chain, by warpgroups, of rows that a lane has in
  /// registers, for each step.
  GroupProduct getProductOfRows(OperatorOpInterface last,
                                const MatmulPlan &plan,
                                llvm::ArrayRef<Value> rows,
                                llvm::MutableArrayRef<Value> fragments);
  /// Adds some, of such rows each, to their fragments.
  void
  multiplyRowsInGroups(llvm::ArrayRef<OperatorOpInterface> lasts,
                       llvm::ArrayRef<llvm::SmallVector<Value>> rows,
                       llvm::ArrayRef<llvm::MutableArrayRef<Value>> fragments);
  /// Starts a chain's first product, which goes to `scores`, and its last one
  /// of the iteration before (`waitingRows`); waits for the former, lets
  /// `compute` have it, and waits for the latter.
  void overlapProducts(const RowChain &chain,
                       llvm::MutableArrayRef<Value> scores,
                       llvm::function_ref<void()> compute);
  struct GroupOperand;
  GroupOperand getGroupOperand(OperatorOpInterface op, const MatmulPlan &plan,
                               unsigned operand, bool isRow);
  /// What tells the hardware where the matrix is that begins at a line and a
  /// depth, when the operand's matrix begins at row `batch` of its tile.
  Value makeDescriptor(const GroupOperand &operand, Value batch, Value line,
                       Value depth);
  /// All of the depth that a warp has a part in.
  GroupProduct getGroupProduct(OperatorOpInterface op, const MatmulPlan &plan,
                               const MatmulPlan::Product &product,
                               const WarpPlace &place, const TileRange &range,
                               llvm::MutableArrayRef<Value> fragments);
  /// Adds some products to their fragments, and waits for all of them together.
  void emitGroupProducts(llvm::MutableArrayRef<GroupProduct> products);
  /// Issues them, in one group or in groups of their own. Returns what each
  /// adds to, a struct for each tile of rows, which are there when its group
  /// has been waited for.
  std::vector<llvm::SmallVector<Value>>
  startGroupProducts(llvm::MutableArrayRef<GroupProduct> products,
                     bool commitsEach);
  llvm::SmallVector<Value> issueGroupProduct(const GroupProduct &product,
                                             llvm::ArrayRef<Value> before);
  /// Makes them the product's fragments.
  void finishGroupProduct(const GroupProduct &product,
                          llvm::ArrayRef<Value> sums);
  /// Those of some ops that are products of warpgroups and can be waited for
  /// together, if there are several; emitted.
  llvm::SmallVector<mlir::Operation *>
  emitGroupSums(llvm::ArrayRef<mlir::Operation *> ops);
  /// What `compute` makes of some values where a condition holds (none: it
  /// does), and elsewhere the values.
  llvm::SmallVector<Value>
  emitWhere(Value condition, llvm::ArrayRef<Value> values,
            llvm::function_ref<llvm::SmallVector<Value>()> compute);
  /// A warp's tile of rows.
  Value getRowTile(const MatmulPlan &plan, const WarpPlace &place,
                   int64_t tile);
  /// The place of a batch of a product's result in front of the last two
  /// dimensions of an operand, which may be repeated over some of them.
  llvm::SmallVector<Value> getBatchIndex(mlir::Operation *product, Value batch,
                                         llvm::ArrayRef<int64_t> operand);
  /// The 16 x 16 (or 8) elements of an operand's rows that a step of the depth
  /// multiplies, or the 8 columns, as pairs of elements next to each other
  /// along the depth. Of pair [d * parts + r], with `parts` 2 for rows and 1
  /// for columns: half d of the depth, half r of the rows.
  llvm::SmallVector<Value> loadFragment(OperatorOpInterface op,
                                        const MatmulPlan &plan,
                                        const MatmulPlan::Product &product,
                                        bool isRow, Value batch, Value first,
                                        Value depth, bool isLast);
  /// The same before they are what tensor cores take: of f32, or as they are.
  llvm::SmallVector<Value> loadPairs(OperatorOpInterface op,
                                     const MatmulPlan &plan,
                                     const MatmulPlan::Product &product,
                                     bool isRow, Value batch, Value first,
                                     Value depth, bool isLast);
  llvm::SmallVector<llvm::SmallVector<Value>>
  loadColPairs(OperatorOpInterface op, const MatmulPlan &plan,
               const MatmulPlan::Product &product, Value batch, Value first,
               int64_t numLeft, Value depth, bool isLast);
  /// The fragments of the next one or two tiles of columns, of `numLeft`: two
  /// at a time where one instruction loads both.
  llvm::SmallVector<llvm::SmallVector<Value>>
  loadCols(OperatorOpInterface op, const MatmulPlan &plan,
           const MatmulPlan::Product &product, Value batch, Value first,
           int64_t numLeft, Value depth, bool isLast);
  /// Pairs of f32, or of the type that tensor cores take, as they take them.
  /// Behind the numbers what tf32 has cut off, where that is kept.
  llvm::SmallVector<Value> toMultiplicands(llvm::SmallVector<Value> pairs,
                                           const MatmulPlan &plan,
                                           MatmulPlan::Kind kind, bool isExact);
  /// Of the two neighbours that this lane has of eight, the place of the first.
  Value getFirstOfPair();
  /// Whether a place is one of so many; of a pair there, whether both are, or,
  /// as a vector, each.
  Value isInside(int64_t size, Value at, mlir::Type type);
  /// A value or pair that is read at a place of the depth, or zero behind its
  /// end.
  Value zeroFrom(int64_t depth, Value at, Value value);
  /// Two f32 as tf32, in i32. Tensor cores ignore the other bits, which are
  /// zero if the rounded numbers are wanted exactly.
  Value roundToTF32(Value pair, bool isExact);
  /// What `ldmatrix` loads: of a tile of 16 rows the halves of its rows next to
  /// each other, of two tiles of 8 columns one behind the other, as registers
  /// that follow each other are what an instruction takes.
  enum class MatricesOf { Rows, Cols, TwoCols };
  /// The same by `ldmatrix`, if the memory allows it. `depthEnd`: behind which
  /// the depth is filled up with zeros, if this step may reach beyond it.
  llvm::SmallVector<Value>
  loadMatrices(const TileMemory &memory, const MatmulPlan &plan, MatricesOf of,
               unsigned lineDim, unsigned depthDim, llvm::ArrayRef<Value> batch,
               Value first, Value depth, int64_t numLines,
               std::optional<int64_t> depthEnd = std::nullopt);
  /// Two elements of 16 bits as one i32.
  Value packPair(Value pair);
  void emitMma(const MatmulPlan &plan, MatmulPlan::Kind kind,
               llvm::ArrayRef<Value> rows, llvm::ArrayRef<Value> cols,
               Value &fragment);
  /// Adds up over the warps that share the depth; only those of part 0 have the
  /// sums.
  void reduceOverWarps(const MatmulPlan &plan, const WarpPlace &place,
                       int64_t scratch, llvm::MutableArrayRef<Value> fragments);
  /// Where only some warps have a product's result: their part 0 of the depth.
  /// None: all have.
  Value getOwners(const MatmulPlan &plan, const WarpPlace &place);
  using VisitFragments =
      llvm::function_ref<void(llvm::ArrayRef<Value>, ValueRange)>;
  /// Calls `visit` with the elements of sums of squares that this thread has.
  void forEachDiagonal(mlir::Operation *op, const MatmulPlan &plan,
                       const WarpPlace &place, const TileRange &range,
                       llvm::ArrayRef<llvm::ArrayRef<Value>> fragments,
                       VisitFragments visit);
  /// Calls `visit` with what this thread has of each fragment: one or two
  /// neighbours in the last dimension at an index; of several results together
  /// if their fragments are laid out alike. Lanes can trade places of two
  /// tiles, so that each has four: then a warp writes whole sectors of 32
  /// bytes.
  void forEachFragment(OperatorOpInterface op, const MatmulPlan &plan,
                       const WarpPlace &place, const TileRange &range,
                       llvm::ArrayRef<llvm::ArrayRef<Value>> fragments,
                       VisitFragments visit, bool prefersWide);
  /// Of two lanes, which have each a pair of two tiles, the even one gets both
  /// of the left tile, and the odd one both of the right tile.
  Value joinNeighbours(Value left, Value right, Value isOdd);
  /// What a loop has summed up, added up over warps; those that hold the result
  /// are known from the product's plan.
  struct KeptSums {
    OperatorOpInterface product;
    llvm::SmallVector<Value> fragments;
  };
  /// Stores what a loop has summed up in registers, or keeps it there for the
  /// op that reads it.
  void keepSums(OperatorOpInterface product, llvm::ArrayRef<Value> fragments,
                Value total);
  void forEachKept(llvm::ArrayRef<const KeptSums *> kept, VisitFragments visit,
                   bool prefersWide);
  /// A thread graph or saver of what loops have left in registers.
  void emitEpilogue(mlir::Operation *op, ValueRange totals);
  llvm::SmallVector<TileRange> getRanges(const MatmulPlan &plan) const;

  //===--- Rows that stay in registers ------------------------------------===//

  /// Of this thread's rows in a chain; the second is nothing where it has one.
  using RowElements = std::array<Value, RowChainShape::kMostRowsOfLane>;

  /// All that a chain does, as a part of one of its products.
  void emitRowChain(OperatorOpInterface runner);
  /// The first products, each into fragments of its own, and the last ones,
  /// into the loop's sums.
  void
  multiplyFirsts(const RowChain &chain,
                 llvm::MutableArrayRef<llvm::SmallVector<Value>> fragments);
  void multiplyLasts(const RowChain &chain);
  /// Whether it runs while the next iteration computes (`overlapsProducts`).
  bool runsBehind(OperatorOpInterface last);
  /// Takes the greatest maximum so far in place of an iteration's, and rescales
  /// the rows' sums to it, so that what comes next is added to them as it is.
  /// Returns by what, for the sums of products.
  RowElements shiftMaximum(const RowChain &chain);
  /// Behind the loop: makes the sums relative to the maximum itself.
  void finishShifts(block::LoopOp loop);
  /// Multiplies what a chain sums up, relative to its maximum: of its rows, and
  /// its last products.
  void scaleRowSums(const RowChain &chain, const RowElements &factors);
  void scaleProductSums(const RowChain &chain, const RowElements &factors);
  /// One of this thread's rows of a chain's tiles.
  Value getChainedRow(const WarpPlace &place, int64_t half);
  /// Keeps the fragments of a tile, of those rows that lanes have.
  void keepFragments(Value tile, llvm::ArrayRef<Value> fragments);
  /// Keeps what this thread has of a tile: of half of its rows the pair of the
  /// next tile of columns, or one element.
  void keepChained(Value tile, int64_t half, Value elements);
  /// What an op of a chain makes in a row.
  void emitChainedRow(const RowChain &chain, mlir::Operation *op, int64_t half,
                      Value row, Value firstColTile);
  /// Pairs of neighbours in a row, from the one at an index on, of which its
  /// operands of the chain are in hand.
  llvm::SmallVector<Value> emitChainedPairs(const RowChainShape &sizes,
                                            mlir::Operation *op,
                                            llvm::SmallVector<Value> index);
  Value foldChained(const RowChain &chain, OperatorOpInterface op, int64_t half,
                    ValueRange index);
  /// Of the pair that this lane has of a chain's tile of columns: with a number
  /// in place of what lies behind the last column.
  Value replacePadding(const RowChain &chain, int64_t colTile, Value pair,
                       double number);
  /// What one of a chain's last products multiplies in a step, of this lane's
  /// rows.
  llvm::SmallVector<Value> getRowsOfStep(const RowChain &chain,
                                         OperatorOpInterface last,
                                         const MatmulPlan &plan, int64_t step);
  /// The same in all steps, for warpgroups.
  llvm::SmallVector<Value> getRowRegisters(const RowChain &chain,
                                           OperatorOpInterface last);
  /// Adds what it makes by `mma`.
  void multiplyChained(const RowChain &chain, OperatorOpInterface last,
                       llvm::MutableArrayRef<Value> into);
  /// Behind the loop: multiplies what its last iteration has left.
  void finishWaitingRows(block::LoopOp loop);
  /// Tiles of a chain that a loop accumulates, and the maximum of its rescaled
  /// sums, begin with 0 or the lowest number. Sets `rowsOfLane`.
  void beginRowSums(block::AccumulateOp accumulators);
  /// What of them goes from one iteration to the next.
  llvm::SmallVector<Value *> getRowValues();
  /// Adds what an iteration's chain has made to the sums.
  void addChainedSums(block::AccumulateOp accumulators);
  /// A sum and a term with their factors; the same of fragments, with those of
  /// their rows.
  Value rescale(Value sum, Value term, const RescaleFactors &factors);
  Value rescaleFragment(Value sum, Value term,
                        llvm::ArrayRef<RescaleFactors> ofHalves);
  /// The same by any function of two elements and their number; `term` has the
  /// elements of those rows alone that lanes have.
  Value
  combineFragments(Value sum, Value term,
                   llvm::function_ref<Value(Value, Value, int64_t)> combine);
  /// Adds up what the parts of a loop's chain have summed up; the warps of the
  /// first have the result.
  void joinChainParts(block::LoopOp loop);
  /// Memory for that: of each warp its fragments of sums, each lane's elements
  /// together, then what it has of rows.
  struct PartsMemory {
    TileMemory memory;
    int64_t numFragments, numRows;
    /// A lane's of a fragment.
    int64_t numElements;

    int64_t getSizeOfFragments() const {
      return numFragments * kWarpSize * numElements;
    }
    int64_t getSizeOfWarp() const {
      return getSizeOfFragments() + numRows * kWarpSize;
    }
  };
  /// Where this lane's elements of a warp's fragment are, and of its rows.
  llvm::SmallVector<Value> getFragmentPlace(const PartsMemory &parts,
                                            Value ofWarp, Value fragment);
  llvm::SmallVector<Value> getRowPlace(const PartsMemory &parts, Value ofWarp,
                                       int64_t i);
  /// Adds up what the parts' warps of the same rows have of these. Returns what
  /// the sums of each are multiplied by; null: nothing.
  llvm::SmallVector<RowElements> joinRows(const PartsMemory &parts,
                                          block::AccumulateOp accumulators,
                                          llvm::ArrayRef<Value> warps);
  /// The same of a fragment, in memory.
  void joinFragment(const PartsMemory &parts, llvm::ArrayRef<Value> warps,
                    llvm::ArrayRef<RowElements> factors, Value fragment);
  /// total + term * factor; without a total or a factor if these are null.
  Value addScaled(Value total, Value term, Value factor);
  void storeRowSums(block::LoopOp loop);

  //===--- Kernels that keep their rows -----------------------------------===//

  /// A thread's place in the row that it has a part of.
  struct RowPlace {
    KeptRowsShape rows;
    /// Its number among those that share the row.
    Value lane;
    /// Of the row; of the last one where there is none for the thread.
    llvm::SmallVector<Value> index;
    /// None: all threads have a row.
    Value isRow;
  };
  /// A kernel that keeps its rows (`keepsRows`).
  void emitKeptRows();
  RowPlace getRowPlace(const KeptRowsShape &rows);
  /// The column from which this thread has its vectors of rows of a length.
  Value getColumn(const RowPlace &place, int64_t length, int64_t vector);
  /// Whether it has one there; null if all have.
  Value hasVector(const RowPlace &place, int64_t length, int64_t vector);
  /// Whether some thread of the warp has one; null if that is so everywhere.
  Value warpHasVector(const RowPlace &place, int64_t length, int64_t vector);
  /// Where in a tile it begins.
  llvm::SmallVector<Value> getVectorIndex(const RowPlace &place, Value tile,
                                          int64_t vector);
  void loadRows(const RowPlace &place);
  /// The next vector of tiles with rows of one length, as they are; something
  /// where the condition doesn't hold.
  llvm::SmallVector<Value>
  loadVectors(const RowPlace &place,
              llvm::ArrayRef<block::InputIterator> inputs, int64_t vector);
  llvm::SmallVector<Value>
  loadVectorsIf(const RowPlace &place, Value condition,
                llvm::ArrayRef<block::InputIterator> inputs, int64_t vector);
  /// An elementwise operator or thread graph.
  void computeRow(const RowPlace &place, mlir::Operation *op);
  void foldRow(const RowPlace &place, OperatorOpInterface op);
  void storeRow(const RowPlace &place, block::OutputSaver saver);

  //===--- Places ---------------------------------------------------------===//

  /// For each data dimension of a tensor the place of this block's part, when
  /// grid dimension g cuts dimension dims[g] into parts of `parts` elements.
  llvm::SmallVector<Value> getBlockOffsets(llvm::ArrayRef<int64_t> dims,
                                           llvm::ArrayRef<int64_t> tensor,
                                           llvm::ArrayRef<int64_t> parts);
  llvm::SmallVector<Value> addOffsets(llvm::ArrayRef<Value> offsets,
                                      ValueRange index);
  /// Shared memory from a byte on as a tile.
  TileMemory makeTile(Value tile, Value offset);
  TileMemory makeTile(TileType type, Value offset,
                      TileLayout layout = TileLayout());
  TileMemory makeBuffer(Value memref, mlir::ShapedType type);
  /// The part that a tensor is of the one whose buffer this is.
  TileMemory makeView(const TensorView &view, Value memref);
  /// The tensor that an iterator reads, as it does.
  TileMemory getInputMemory(block::InputIterator input);
  /// Where the elements of a tile are; no memory if it has to be computed.
  TileMemory getMemory(Value tile);

  mlir::OpBuilder &builder;
  kernel::GraphDefinedOp graph;
  mlir::Location loc;
  int64_t threads;
  const SharedPlan &plan;

  /// The dynamic shared memory, if there is any.
  Value shared;
  Value threadId, lane, warp;
  /// The block's number in its cluster, if there is one.
  Value blockRank;
  llvm::SmallVector<Value, 3> blockIds;
  /// The loop's iteration, in a loop.
  Value iteration;
  /// The tiles that threads store and that warpgroups or the TMA read, which
  /// the hardware does through another proxy.
  llvm::DenseSet<Value> readThroughProxy;
  /// Whether threads have stored such a tile since the last fence, and whether
  /// copies of such a tile are under way.
  bool needsProxyFence = false, isCopyingForProxy = false;
  /// Whether copies are under way that nobody has waited for.
  bool isCopying = false;
  /// The buffers of the graph's arguments, and the tiles in shared memory.
  llvm::DenseMap<Value, TileMemory> memory;
  /// For each maximum of a rescaled sum, its maximum over iterations, and the
  /// factors of this iteration.
  struct RunningMaximum {
    TileMemory maximum, ofSum, ofTerm;
  };
  llvm::MapVector<Value, RunningMaximum> runningMaxima;
  /// For each product that a loop adds up in registers, the sums so far, and
  /// what the iteration adds if that has to be rescaled.
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<Value>> sums, terms;
  /// Of the tiles of a chain what this thread has, for each of its rows: a
  /// pair for each tile of columns, or one element.
  using ChainedTile = std::array<llvm::SmallVector<Value>, 2>;
  llvm::DenseMap<Value, ChainedTile> chained;
  /// Of a chain whose last product runs one iteration behind: the rows that it
  /// has still to multiply.
  llvm::SmallVector<Value> waitingRows;
  /// Of the tiles of a kernel that keeps its rows, what this thread has: f32,
  /// by vector.
  llvm::MapVector<Value, llvm::SmallVector<Value>> keptRows;
  /// The rows that lanes have in the loop's chain (RowChainShape).
  int64_t rowsOfLane = RowChainShape::kMostRowsOfLane;
  /// Of accumulators that a chain adds to, by their number, the elements of
  /// this thread, and those of the maximum that sums are rescaled by.
  llvm::MapVector<unsigned, RowElements> rowSums;
  std::optional<RowElements> rowMaximum;
  /// Where that is the greatest so far: what the sums are relative to, and by
  /// how much it is less than the maximum times log2(e).
  ScaledReferences scaledMaxima;
  std::optional<RowElements> rowExcess;
  /// What loops have left in registers, by their results.
  llvm::DenseMap<Value, KeptSums> keptSums;
  /// Of such results the elements that an op is being emitted for.
  llvm::SmallDenseMap<Value, Value, 2> inHand;
  /// The tensor maps of what the producer warp loads and of what the TMA
  /// stores.
  llvm::DenseMap<mlir::Operation *, Value> tensorMaps;
  /// The buffers that savers write.
  llvm::DenseMap<mlir::Operation *, TileMemory> outputs;
  /// Where a saver's tile begins in its buffer; no value for 0.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Value>> outputOffsets;
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_MIRAGETOGPU_KERNELEMITTERIMPL_H
