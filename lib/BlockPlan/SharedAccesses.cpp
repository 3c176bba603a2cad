//===- SharedAccesses.cpp - What kernels do to tiles ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows the emitter of kernels (lib/Conversion/MirageToGPU): what it emits
// for an op, this says of the tiles that the op reads and makes.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/SharedAccesses.h"
#include "Mirage/BlockPlan/BlockPlan.h"
#include "Mirage/BlockPlan/ElementMap.h"
#include "Mirage/BlockPlan/FoldPlan.h"
#include "Mirage/BlockPlan/RowChain.h"
#include "Mirage/BlockPlan/SquareSum.h"
#include "Mirage/BlockPlan/TensorCoreUse.h"
#include "Mirage/BlockPlan/TileSources.h"
#include "Mirage/BlockPlan/WarpRoles.h"
#include "Mirage/Dialect/Block/Block.h"
#include <numeric>

using namespace mirage;
using namespace mlir;

namespace {

class Collector {
public:
  explicit Collector(Block &blockGraph)
      : threads(getNumThreads(blockGraph.getParentOp())) {}

  void addBlock(Block &block);

  SmallVector<SharedAccess> accesses;

private:
  /// One that is hoisted runs once.
  void addOp(Operation *op);
  void addStagedOp(Operation *op);
  void addLoop(block::LoopOp loop);
  void addRescaledSums(block::AccumulateOp accumulate);
  void addProduct(OperatorOpInterface op, const TensorCoreUse &use);
  void addSquareSum(const SquareSum &sum, Operation *runs);
  /// What is read where a chain runs, but for what its runner multiplies.
  void addRowChain(const RowChain &chain);
  /// A product whose elements threads compute one by one.
  void addElementProduct(OperatorOpInterface op);
  /// It runs as a part of `runs`, which may be itself.
  void addFold(OperatorOpInterface op, const Fold &fold, Operation *runs);
  /// A thread graph, elementwise operator or saver.
  void addElementwise(Operation *op);

  void add(Value tile, TileView view, const AccessPattern &pattern,
           int64_t factor = 1) {
    accesses.push_back({tile, std::move(view), pattern, times * factor});
  }
  void read(Value tile, const AccessPattern &pattern, int64_t factor = 1);
  /// An operator on elements reads a tile for a result of a shape.
  void readFor(Value tile, ArrayRef<int64_t> shape,
               const AccessPattern &pattern);
  /// A tile's elements go to all who want them.
  void deliver(Value tile, const AccessPattern &pattern);
  void accumulate(block::AccumulateOp accumulate, unsigned accumulator,
                  const AccessPattern &pattern);

  int64_t threads;
  /// How often what is being looked at runs.
  int64_t times = 1;
  TileSources sources;
};

} // namespace

static bool isKept(Value tile) {
  return isa<TileType>(tile.getType()) && tile.getDefiningOp() &&
         !tile.use_empty() && isInSharedMemory(tile);
}

//===----------------------------------------------------------------------===//
// Reads and stores
//===----------------------------------------------------------------------===//

void Collector::read(Value tile, const AccessPattern &pattern, int64_t factor) {
  for (TileSource &source : sources.get(tile)) {
    bool hasShape = ArrayRef(source.view.shape) == getShape(tile);
    add(source.tile, source.view,
        hasShape ? pattern : AccessPattern::getElements(1), factor);
  }
}

void Collector::readFor(Value tile, ArrayRef<int64_t> shape,
                        const AccessPattern &pattern) {
  for (TileSource &source : sources.get(tile)) {
    bool hasShape = ArrayRef(source.view.shape) == getShape(tile);
    if (hasShape)
      source.view = source.view.broadcastTo(shape);
    add(source.tile, source.view,
        hasShape ? pattern : AccessPattern::getElements(1));
  }
}

void Collector::accumulate(block::AccumulateOp accumulate, unsigned accumulator,
                           const AccessPattern &pattern) {
  auto loop = cast<block::LoopOp>(accumulate->getParentOp());
  Value total = loop->getResult(accumulator);
  if (!isKept(total))
    return;
  TileView view = TileView::getWhole(getShape(total));
  if (accumulate.getKind(accumulator) != block::AccumulatorKind::Concat) {
    // Loaded and stored.
    add(total, std::move(view), pattern, 2);
    return;
  }
  // Iterations, as an outermost dimension, store next to each other.
  ArrayRef<int64_t> part = getShape(accumulate.getTiles()[accumulator]);
  unsigned dim = accumulate.getDims()[accumulator];
  view.shape.assign(part.begin(), part.end());
  view.shape.insert(view.shape.begin(),
                    static_cast<int64_t>(loop.getIterations()));
  view.strides.insert(view.strides.begin(), part[dim] * view.strides[dim]);
  AccessPattern shifted = pattern;
  ++shifted.dim;
  ++shifted.lineDim;
  int64_t iterations = loop.getIterations();
  accesses.push_back({total, std::move(view), shifted, times / iterations});
}

void Collector::deliver(Value tile, const AccessPattern &pattern) {
  if (isKept(tile))
    add(tile, TileView::getWhole(getShape(tile)), pattern);
  if (!absorbsSinks(tile))
    return;
  for (OpOperand &use : tile.getUses())
    if (auto sink = dyn_cast<block::AccumulateOp>(use.getOwner());
        sink && !isRescaled(use))
      accumulate(sink, use.getOperandNumber(), pattern);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// How fragments of a product, of so many tiles of columns at a time, are
/// stored, or what is computed with them.
static AccessPattern getResultPattern(const MatmulPlan &plan, unsigned rank,
                                      int64_t numCols, bool prefersWide) {
  if (plan.isDiagonal)
    return AccessPattern::getElements(1);
  if (plan.swapped)
    return AccessPattern::getFragments(rank - 2, rank - 1);
  int64_t together = plan.getNeighboursTogether(numCols, prefersWide);
  return AccessPattern::getFragments(rank - 1, rank - 2,
                                     std::max<int64_t>(together, 2));
}

void Collector::addProduct(OperatorOpInterface op, const TensorCoreUse &use) {
  const MatmulPlan &plan = use.plan;
  unsigned rank = getShape(op->getResult(0)).size();
  std::array<int64_t, 3> perWarp = plan.getTilesPerWarp();
  auto [rowsAtOnce, colsAtOnce] = plan.getTilesAtOnce();
  int64_t rowParts = 1, colParts = 1;
  if (!use.inRegisters) {
    rowParts = llvm::divideCeil(perWarp[1], rowsAtOnce);
    colParts = llvm::divideCeil(perWarp[2], colsAtOnce);
  }
  // Warpgroups read what is swizzled without conflicts.
  ArrayRef<MatmulPlan::Product> products = plan.products;
  if (isForWarpgroups(op))
    products = {};
  for (const MatmulPlan::Product &product : products)
    for (bool isRow : {true, false}) {
      if (isRow && endsChain(op))
        continue;
      Value operand =
          op->getOperand(isRow ? product.rowOperand : product.colOperand);
      bool isLeft = isRow != plan.swapped;
      unsigned lineDim = isLeft ? rank - 2 : rank - 1;
      unsigned depthDim = isLeft ? rank - 1 : rank - 2;
      // Every warp loads what its tiles need, for each part of them anew, and
      // for each of the batches that share an operand.
      auto getBatches = [](Value tile) {
        return ShapedType::getNumElements(getShape(tile).drop_back(2));
      };
      int64_t factor =
          (isRow ? plan.colWarps * colParts : plan.rowWarps * rowParts) *
          (getBatches(op->getResult(0)) / getBatches(operand));
      AccessPattern pattern = AccessPattern::getFragments(depthDim, lineDim);
      std::optional<TileSource> memory = getSource(operand);
      if (std::optional<unsigned> contiguous =
              memory
                  ? getMatrixDim(getLayout(memory->tile).elementBytes,
                                 memory->view.strides, memory->view.offset,
                                 lineDim, depthDim, getShape(operand)[lineDim])
                  : std::nullopt)
        pattern = AccessPattern::getMatrices(
            *contiguous, *contiguous == depthDim ? lineDim : depthDim);
      read(operand, pattern, factor);
    }
  Value result = op->getResult(0);
  if (!use.inRegisters && !isChained(op))
    deliver(result,
            getResultPattern(plan, rank, std::min(colsAtOnce, perWarp[2]),
                             /*prefersWide=*/!isKept(result)));
}

void Collector::addSquareSum(const SquareSum &sum, Operation *runs) {
  TileSource source = *getSource(sum.tile);
  unsigned other = sum.contiguous == sum.depthDim ? sum.lineDim : sum.depthDim;
  add(source.tile, source.view,
      AccessPattern::getMatrices(sum.contiguous, other));
  if (!sum.isSummed)
    for (Value result : runs->getResults())
      deliver(result, AccessPattern::getElements(1));
}

void Collector::addRowChain(const RowChain &chain) {
  for (OperatorOpInterface product :
       llvm::concat<const OperatorOpInterface>(chain.firsts, chain.lasts))
    if (product != chain.getRunner())
      addProduct(product, *getTensorCoreUse(product));
  size_t rank = chain.getShape().size();
  for (Operation *op : chain.ops)
    for (Value operand : op->getOperands())
      if (Operation *maker = operand.getDefiningOp();
          !maker || !isChained(maker))
        readFor(operand, chain.getShape(),
                AccessPattern::getFragments(rank - 1, rank - 2, 2));
}

void Collector::addElementProduct(OperatorOpInterface op) {
  Value result = op->getResult(0);
  ArrayRef<int64_t> shape = getShape(result);
  SmallVector<Shape> operands;
  for (Value operand : op->getOperands())
    operands.emplace_back(getShape(operand));
  std::optional<IterationSpace> space =
      op.getSemantics().getIterationSpace(operands, op.getParams());
  for (auto [operand, loops] :
       llvm::zip_equal(op->getOperands(), space->operandLoops)) {
    // Each step of the depth reads as the first one does.
    int64_t steps = 1;
    for (int loop : loops)
      if (loop >= static_cast<int>(shape.size()))
        steps *= space->sizes[loop];
    for (TileSource &source : sources.get(operand)) {
      TileView view;
      view.shape.assign(shape.begin(), shape.end());
      view.strides.assign(shape.size(), 0);
      view.offset = source.view.offset;
      if (ArrayRef(source.view.shape) == getShape(operand))
        for (auto [loop, stride] : llvm::zip_equal(loops, source.view.strides))
          if (loop >= 0 && loop < static_cast<int>(shape.size()))
            view.strides[loop] = stride;
      add(source.tile, std::move(view), AccessPattern::getElements(1), steps);
    }
  }
  deliver(result, AccessPattern::getElements(1));
}

void Collector::addFold(OperatorOpInterface op, const Fold &fold,
                        Operation *runs) {
  Value operand = op->getOperand(0);
  FoldPlan plan = getFoldPlan(op, fold);
  // Lanes of several warps read as those of one do, one after the other.
  read(operand, AccessPattern::getFold(fold.dim, plan.getLanes(),
                                       plan.alongMemory, plan.width));
  for (Value made : runs->getResults())
    deliver(made, AccessPattern::getElements(1));
}

void Collector::addElementwise(Operation *op) {
  ArrayRef<int64_t> shape =
      getShape(isSink(op) ? op->getOperand(0) : op->getResult(0));
  AccessPattern pattern = AccessPattern::getElements(
      getElementWidth(shape, threads), getElementSplit(op));
  // An epilogue has the elements that the threads have of a loop's sums.
  for (Value operand : op->getOperands())
    if (std::optional<MatmulPlan> plan = getPlanInRegisters(operand))
      pattern =
          getResultPattern(*plan, shape.size(), plan->getTilesPerWarp()[2],
                           /*prefersWide=*/true);
  for (Value operand : op->getOperands())
    readFor(operand, shape, pattern);
  for (Value result : op->getResults())
    if (isa<TileType>(result.getType()))
      deliver(result, pattern);
}

void Collector::addRescaledSums(block::AccumulateOp accumulate) {
  auto loop = cast<block::LoopOp>(accumulate->getParentOp());
  llvm::SmallSetVector<Value, 2> maxima(llvm::from_range,
                                        accumulate.getMaxima());
  for (Value maximum : maxima)
    if (!isChained(maximum.getDefiningOp()))
      readFor(maximum, getShape(maximum), AccessPattern::getElements(1));
  for (unsigned i = 0, e = accumulate.getTiles().size(); i < e; ++i) {
    Value tile = accumulate.getTiles()[i], total = loop->getResult(i);
    if (accumulate.getKind(i) != block::AccumulatorKind::RescaledSum ||
        isSummedInRegisters(cast<OpResult>(total)) || !isKept(total))
      continue;
    readFor(tile, getShape(tile), AccessPattern::getElements(1));
    add(total, TileView::getWhole(getShape(total)),
        AccessPattern::getElements(1), 2);
  }
}

void Collector::addLoop(block::LoopOp loop) {
  Block &body = loop.getBody().front();
  auto accumulators = cast<block::AccumulateOp>(body.getTerminator());
  for (auto [i, result] : llvm::enumerate(loop.getResults())) {
    if (!isKept(result))
      continue;
    ArrayRef<int64_t> shape = getShape(result);
    Operation *maker = accumulators.getTiles()[i].getDefiningOp();
    if (std::optional<TensorCoreUse> use = getTensorCoreUse(maker);
        use && use->inRegisters)
      add(result, TileView::getWhole(shape),
          getResultPattern(use->plan, shape.size(),
                           use->plan.getTilesPerWarp()[2],
                           /*prefersWide=*/false));
    else if (accumulators.getKind(i) != block::AccumulatorKind::Concat)
      // What fills it, or, if threads keep their sums, all that is stored.
      add(result, TileView::getWhole(shape),
          AccessPattern::getElements(getElementWidth(shape, threads)));
  }
  if (isStreamed(loop))
    return;
  times *= loop.getIterations();
  addBlock(body);
  addRescaledSums(accumulators);
  times /= loop.getIterations();
}

void Collector::addOp(Operation *op) {
  // A thread graph without results does nothing.
  if (isa<block::GraphDefinedOp>(op) && op->getNumResults() == 0)
    return;
  int64_t before = times;
  if (isHoisted(op))
    times = 1;
  addStagedOp(op);
  times = before;
}

void Collector::addStagedOp(Operation *op) {
  if (auto loop = dyn_cast<block::LoopOp>(op))
    return addLoop(loop);
  if (op->getNumResults() > 0 && op->use_empty())
    return;
  if (auto input = dyn_cast<block::InputIterator>(op)) {
    Value tile = input.getTile();
    // The TMA writes what it swizzles without conflicts.
    if (isLoadedByProducer(op))
      return;
    if (int64_t bytes = getAsyncPiece(op); bytes && isKept(tile))
      add(tile, TileView::getWhole(getShape(tile)),
          AccessPattern::getElements(bytes / getLayout(tile).elementBytes));
    else
      deliver(tile, AccessPattern::getElements(
                        std::gcd(getElementWidth(getShape(tile), threads),
                                 getStartMultiple(input))));
    return;
  }
  if (isMadeWhereRead(op))
    return;
  auto semantics = dyn_cast<OperatorOpInterface>(op);
  if (std::optional<TensorCoreUse> use = getTensorCoreUse(op)) {
    if (use->plan.isDiagonal)
      return addSquareSum(*getSquareSum(op), op);
    if (runsChain(op))
      addRowChain(*getRowChain(op));
    return addProduct(semantics, *use);
  }
  // The TMA reads what it swizzles without conflicts.
  if (isStoredInBulk(op))
    return;
  if (auto inlined = cast_or_null<OperatorOpInterface>(getInlinedFold(op))) {
    if (getTensorCoreUse(inlined))
      return addSquareSum(*getSquareSum(inlined), op);
    return addFold(inlined, *getFold(inlined), op);
  }
  if (!semantics || semantics.getSemantics().isElementwise())
    return addElementwise(op);
  if (std::optional<Fold> fold = getFold(semantics))
    return addFold(semantics, *fold, op);
  if (!semantics.getSemantics().getMatrixProducts().empty())
    return addElementProduct(semantics);
  Value result = op->getResult(0);
  std::optional<ElementMap> map = getElementMap(semantics);
  for (Value operand : op->getOperands())
    for (TileSource &source : sources.get(operand)) {
      if (map && ArrayRef(source.view.shape) == getShape(operand)) {
        std::tie(source.view.strides, source.view.offset) =
            map->apply(source.view.strides, source.view.offset);
        source.view.shape.assign(getShape(result).begin(),
                                 getShape(result).end());
      }
      add(source.tile, source.view, AccessPattern::getElements(1));
    }
  deliver(result, AccessPattern::getElements(1));
}

void Collector::addBlock(Block &block) {
  for (Operation &op : block)
    if (isStaged(&op))
      addOp(&op);
}

SmallVector<SharedAccess> mirage::getSharedAccesses(Block &blockGraph) {
  Collector collector(blockGraph);
  collector.addBlock(blockGraph);
  return std::move(collector.accesses);
}
