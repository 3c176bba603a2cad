//===- ScheduleKernels.cpp - Default schedules of kernel operators --------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/PlanOptions.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Kernel/LibraryCall.h"
#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Mirage/Mugraph/VerdictState.h"
#include "Mirage/Operators/DataMovement.h"
#include "Mirage/Transforms/Passes.h"

namespace mirage {
#define GEN_PASS_DEF_SCHEDULEKERNELS
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mirage;
using namespace mlir;

namespace {

/// How a kernel operator is computed: into how many parts each loop of its
/// iteration space is cut. The result's loops are cut by the grid, a
/// reduction's by the for-loop.
class Schedule {
public:
  /// `op` has the iteration space `space`.
  Schedule(OperatorOpInterface op, IterationSpace space)
      : op(op), space(std::move(space)), parts(this->space.sizes.size(), 1) {}

  /// Cuts until the tiles take at most `maxBytes` and, as long as blocks have
  /// enough to do, there are `numBlocks` of them. Fails when nothing is left to
  /// be cut.
  LogicalResult choose(int64_t maxBytes, int64_t numBlocks);

  /// Replaces the op by a graph-defined kernel.
  void apply();

private:
  size_t getRank() const {
    return cast<ShapedType>(op->getResult(0).getType()).getRank();
  }
  /// The loop of the reduction that the for-loop cuts, if there is one.
  std::optional<size_t> getReduction() const {
    return space.reductionsAreSums && space.sizes.size() == getRank() + 1
               ? std::optional(getRank())
               : std::nullopt;
  }
  int64_t getIterations() const {
    return getReduction() ? parts[*getReduction()] : 1;
  }
  int64_t getTileSize(size_t loop) const {
    return getUnevenPart(space.sizes[loop], parts[loop])
        .value_or(space.sizes[loop] / parts[loop]);
  }
  /// Whether a loop may be cut into parts that overlap: by the grid one of the
  /// result's, or by the for-loop a sum that can be masked.
  bool mayBeUneven(size_t loop) const;
  /// Into how many parts a loop is cut next; none: it can't be cut any more.
  std::optional<int64_t> getNextParts(size_t loop) const;
  int64_t getNumBlocks() const;
  /// What the tiles take, in bytes.
  int64_t getBytes() const;
  Shape getOperandTile(unsigned operand) const;
  Type getResultElementType() const;
  /// Whether a loop can be cut once more.
  bool canCut(size_t loop) const;
  /// Cuts the longest of the loops that can be; false if none can.
  bool cutLongest(bool resultLoopsOnly);
  /// The loops that the grid cuts, x first; the largest part count is x's,
  /// whose limit is the highest.
  SmallVector<size_t, 3> getGridLoops() const;

  OperatorOpInterface op;
  IterationSpace space;
  SmallVector<int64_t> parts;
};

} // namespace

/// By which a loop is cut without need.
static constexpr int64_t kLargestFactor = 8;

static int64_t getSmallestPrimeFactor(int64_t n) {
  for (int64_t p = 2; p * p <= n; ++p)
    if (n % p == 0)
      return p;
  return n;
}

Shape Schedule::getOperandTile(unsigned operand) const {
  Shape tile(cast<ShapedType>(op->getOperand(operand).getType()).getShape());
  for (auto [size, loop] : llvm::zip_equal(tile, space.operandLoops[operand]))
    if (loop != IterationSpace::kNoLoop)
      size = getTileSize(loop);
  return tile;
}

/// Partial sums stay f32; the saver rounds once.
Type Schedule::getResultElementType() const {
  if (getIterations() > 1)
    return Float32Type::get(op->getContext());
  return getElementTypeOrSelf(op->getResult(0).getType());
}

int64_t Schedule::getNumBlocks() const {
  int64_t blocks = 1;
  for (size_t loop = 0; loop < getRank(); ++loop)
    blocks *= parts[loop];
  return blocks;
}

int64_t Schedule::getBytes() const {
  auto getTileBytes = [](int64_t elements, Type elementType) {
    return llvm::alignTo(elements * elementType.getIntOrFloatBitWidth() / 8,
                         kTileAlignment);
  };
  int64_t bytes = 0;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    if (!op->getOperand(i).getDefiningOp<ConstantOp>())
      bytes += getTileBytes(mirage::getNumElements(getOperandTile(i)),
                            getElementTypeOrSelf(op->getOperand(i).getType()));
  int64_t resultElements = 1;
  for (size_t loop = 0; loop < getRank(); ++loop)
    resultElements *= getTileSize(loop);
  // What an iteration makes, and what is accumulated.
  int64_t resultBytes = getTileBytes(resultElements, getResultElementType());
  return bytes + (getIterations() > 1 ? 2 : 1) * resultBytes;
}

SmallVector<size_t, 3> Schedule::getGridLoops() const {
  SmallVector<size_t, 3> loops;
  for (size_t loop = 0; loop < getRank(); ++loop)
    if (parts[loop] > 1)
      loops.push_back(loop);
  llvm::sort(loops, [&](size_t a, size_t b) {
    return std::pair(parts[a], b) > std::pair(parts[b], a);
  });
  return loops;
}

bool Schedule::mayBeUneven(size_t loop) const {
  if (loop == getReduction()) {
    auto canMask = [&](unsigned operand) {
      return OperatorOpInterface(op).getSemantics().isHomogeneousIn(operand) &&
             llvm::is_contained(space.operandLoops[operand],
                                static_cast<int>(loop));
    };
    return llvm::any_of(llvm::seq(op->getNumOperands()), canMask);
  }
  return loop < getRank();
}

std::optional<int64_t> Schedule::getNextParts(size_t loop) const {
  const int64_t size = space.sizes[loop], tile = getTileSize(loop);
  if (tile == 1)
    return std::nullopt;
  const bool isEven = size % parts[loop] == 0;
  const int64_t factor = getSmallestPrimeFactor(tile);
  if (isEven && (factor <= kLargestFactor || !mayBeUneven(loop)))
    return parts[loop] * factor;
  // Of 197 rows half at a time, rather than all of them to one, in tiles that
  // tensor cores take whole.
  auto getWhole = [&](int64_t next, int64_t part) -> int64_t {
    constexpr int64_t kWhole = 16;
    if (part < kWhole)
      return next;
    const int64_t whole = part / kWhole * kWhole;
    const int64_t inWhole = llvm::divideCeil(size, whole);
    return getUnevenPart(size, inWhole) == whole ? inWhole : next;
  };
  const int64_t least = 2 * parts[loop];
  for (int64_t next = least; next < size; next *= 2)
    if (std::optional<int64_t> part = getUnevenPart(size, next))
      return getWhole(next, *part);
  // Of 130 in tiles of 13 no such number leaves each part elements of its own,
  // but one of the next does.
  constexpr int64_t kAttempts = 256;
  for (int64_t next = least; isEven && next < std::min(size, least + kAttempts);
       ++next)
    if (std::optional<int64_t> part = getUnevenPart(size, next))
      return getWhole(next, *part);
  return isEven ? parts[loop] * factor : size;
}

bool Schedule::canCut(size_t loop) const {
  const std::optional<int64_t> next = getNextParts(loop);
  if (!next)
    return false;
  if (loop >= getRank())
    return loop == getReduction();
  Schedule cut = *this;
  cut.parts[loop] = *next;
  SmallVector<int64_t> sizes;
  for (size_t gridLoop : cut.getGridLoops())
    sizes.push_back(cut.parts[gridLoop]);
  return sizes.size() <= kMaxGridDims && canLaunch(sizes);
}

bool Schedule::cutLongest(bool resultLoopsOnly) {
  // Those that fall to single elements, say, come last, and only make tiles
  // fit.
  auto isGentle = [&](size_t loop) {
    return *getNextParts(loop) <= kLargestFactor * parts[loop];
  };
  auto isBefore = [&](size_t a, size_t b) {
    return std::pair(isGentle(a), getTileSize(a)) >
           std::pair(isGentle(b), getTileSize(b));
  };
  std::optional<size_t> longest;
  size_t numLoops = resultLoopsOnly ? getRank() : space.sizes.size();
  for (size_t loop = 0; loop < numLoops; ++loop)
    if (canCut(loop) && (isGentle(loop) || !resultLoopsOnly) &&
        (!longest || isBefore(loop, *longest)))
      longest = loop;
  if (longest)
    parts[*longest] = *getNextParts(*longest);
  return longest.has_value();
}

LogicalResult Schedule::choose(int64_t maxBytes, int64_t numBlocks) {
  while (getBytes() > maxBytes)
    if (!cutLongest(/*resultLoopsOnly=*/false))
      return failure();
  // A block with less to do than this, in iterations of all loops, is no gain.
  constexpr int64_t kSmallBlock = 1024;
  int64_t total = 1;
  for (int64_t size : space.sizes)
    total *= size;
  while (getNumBlocks() < numBlocks && total / getNumBlocks() > kSmallBlock)
    if (!cutLongest(/*resultLoopsOnly=*/true))
      break;
  return success();
}

void Schedule::apply() {
  MLIRContext *context = op->getContext();
  Location loc = op->getLoc();
  OpBuilder builder(op);
  SmallVector<size_t, 3> gridLoops = getGridLoops();
  SmallVector<int64_t, 3> sizes;
  for (size_t loop : gridLoops)
    sizes.push_back(parts[loop]);
  if (sizes.empty())
    sizes.push_back(1);

  SmallVector<Value> inputs;
  for (Value operand : op->getOperands())
    if (!operand.getDefiningOp<ConstantOp>())
      inputs.push_back(operand);
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  auto graph = kernel::GraphDefinedOp::create(builder, loc, resultType, inputs,
                                              GridAttr::get(context, sizes));
  graph->setAttr(MirageDialect::kScheduledAttr, builder.getUnitAttr());
  StringRef name = op.getSemantics().getName();
  if (kernel::isLibraryCall(name, ValueRange(inputs).getTypes(), resultType))
    graph->setAttr(kernel::kLibraryAttr, builder.getStringAttr(name));
  Block &body = graph.getBody().emplaceBlock();
  for (Value input : inputs)
    body.addArgument(input.getType(), input.getLoc());
  builder.setInsertionPointToStart(&body);

  block::LoopOp loop;
  int64_t iterations = getIterations();
  if (iterations > 1) {
    Shape tile;
    for (size_t i = 0; i < getRank(); ++i)
      tile.push_back(getTileSize(i));
    loop = block::LoopOp::create(
        builder, loc, getTensorType(Level::Block, tile, getResultElementType()),
        iterations);
    builder.setInsertionPointToStart(&loop.getBody().emplaceBlock());
  }

  // For each grid dimension the operand's dimension that the grid's loop runs
  // over, and for the for-loop that of the reduction.
  auto findDim = [&](unsigned operand, std::optional<size_t> wanted) {
    for (auto [dim, runs] : llvm::enumerate(space.operandLoops[operand]))
      if (wanted && runs == static_cast<int>(*wanted))
        return static_cast<int64_t>(dim);
    return kReplica;
  };
  SmallVector<Value> tiles;
  unsigned numInputs = 0;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    Type elementType = getElementTypeOrSelf(op->getOperand(i).getType());
    Type tile = getTensorType(Level::Block, getOperandTile(i), elementType);
    if (auto constant = op->getOperand(i).getDefiningOp<ConstantOp>()) {
      tiles.push_back(ConstantOp::create(builder, constant.getLoc(), tile,
                                         constant.getValueAttr()));
      continue;
    }
    SmallVector<int64_t, 3> imap(sizes.size(), kReplica);
    for (auto [dim, gridLoop] : llvm::enumerate(gridLoops))
      imap[dim] = findDim(i, gridLoop);
    auto fmap =
        loop ? FMapAttr::get(context, findDim(i, getReduction())) : FMapAttr();
    tiles.push_back(block::InputIterator::create(
        builder, loc, tile, body.getArgument(numInputs++),
        IMapAttr::get(context, imap), fmap));
  }
  const Operator *inBlock = &op.getSemantics();
  if (const Operator *ofTransposed = inBlock->getOfTransposed()) {
    Value &operand = tiles[inBlock->getTransposedOperand()];
    auto tile = cast<ShapedType>(operand.getType());
    operand =
        buildOperator(builder, loc, Level::Block, getOperator("transpose"),
                      getMatrixTranspose(tile.getRank()), operand,
                      tile.getElementType())
            ->getResult(0);
    inBlock = ofTransposed;
  }
  Value result = buildOperator(builder, loc, Level::Block, *inBlock,
                               op.getParams(), tiles, getResultElementType())
                     ->getResult(0);
  if (loop) {
    auto kind =
        block::AccumulatorKindAttr::get(context, block::AccumulatorKind::Sum);
    block::AccumulateOp::create(builder, loc, result, /*maxima=*/ValueRange(),
                                builder.getArrayAttr({kind}),
                                ArrayRef<int64_t>{kReplica});
    builder.setInsertionPointAfter(loop);
    result = loop.getResult(0);
  }

  SmallVector<int64_t, 3> omap(sizes.size(), kReplica);
  for (auto [dim, gridLoop] : llvm::enumerate(gridLoops))
    omap[dim] = gridLoop;
  block::OutputSaver::create(builder, loc, result, OMapAttr::get(context, omap),
                             resultType);
  op->getResult(0).replaceAllUsesWith(graph.getResult(0));
  op->erase();
}

/// A constant that is read as a tensor in memory is written there by a kernel.
static void scheduleConstant(ConstantOp constant) {
  MLIRContext *context = constant.getContext();
  auto type = cast<RankedTensorType>(constant.getType());
  OpBuilder builder(constant);
  auto graph =
      kernel::GraphDefinedOp::create(builder, constant.getLoc(), type,
                                     ValueRange(), GridAttr::get(context, {1}));
  graph->setAttr(MirageDialect::kScheduledAttr, builder.getUnitAttr());
  builder.setInsertionPointToStart(&graph.getBody().emplaceBlock());
  Value tile =
      ConstantOp::create(builder, constant.getLoc(),
                         getTensorType(Level::Block, {}, type.getElementType()),
                         constant.getValueAttr());
  block::OutputSaver::create(builder, constant.getLoc(), tile,
                             OMapAttr::get(context, {kReplica}), type);
  constant.getResult().replaceAllUsesWith(graph.getResult(0));
  constant.erase();
}

namespace {
class ScheduleKernels
    : public mirage::impl::ScheduleKernelsBase<ScheduleKernels> {
public:
  using ScheduleKernelsBase::ScheduleKernelsBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    TargetAttr chip = lookUpTarget(getOperation(), target);
    if (!chip)
      return signalPassFailure();
    int64_t maxBytes = std::min<int64_t>(maxSharedBytes, chip.getSharedBytes());

    SmallVector<OperatorOpInterface> operators;
    SmallVector<ConstantOp> constants;
    function.walk([&](Operation *op) {
      if (auto constant = dyn_cast<ConstantOp>(op);
          constant && isa<RankedTensorType>(constant.getType()))
        constants.push_back(constant);
      auto semantics = dyn_cast<OperatorOpInterface>(op);
      if (semantics && isa<kernel::KernelDialect>(op->getDialect()) &&
          !semantics.getSemantics().isReinterpretation())
        operators.push_back(semantics);
    });
    keepVerdict(function, [&] {
      for (OperatorOpInterface op : operators)
        schedule(op, maxBytes, chip.getSmCount());
      for (ConstantOp constant : constants) {
        if (constant->use_empty())
          constant.erase();
        else
          scheduleConstant(constant);
      }
    });
  }

private:
  /// Leaves an operator alone that loops can't describe, or whose smallest
  /// tiles don't fit.
  static void schedule(OperatorOpInterface op, int64_t maxBytes,
                       int64_t numBlocks) {
    SmallVector<Shape> shapes;
    for (Value operand : op->getOperands())
      shapes.emplace_back(cast<ShapedType>(operand.getType()).getShape());
    std::optional<IterationSpace> space =
        op.getSemantics().getIterationSpace(shapes, op.getParams());
    if (!space)
      return;
    Schedule schedule(op, *std::move(space));
    if (succeeded(schedule.choose(maxBytes, numBlocks)))
      schedule.apply();
  }
};
} // namespace
