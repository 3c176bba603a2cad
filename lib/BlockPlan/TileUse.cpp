//===- TileUse.cpp - Which tiles exist, and in which form -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/BlockPlan/BlockPlan.h"
#include "Mirage/BlockPlan/BoxCopies.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

using namespace mirage;
using namespace mlir;

int64_t mirage::getNumThreads(Operation *op) {
  for (; op; op = op->getParentOp())
    if (isa<BlockGraphOpInterface>(op))
      break;
  auto threads = op ? op->getAttrOfType<IntegerAttr>(kThreadsAttr) : nullptr;
  return threads ? threads.getInt() : kDefaultThreads;
}

bool mirage::isValidThreadCount(int64_t threads) {
  return threads >= 32 && threads <= 1024 && threads % 32 == 0;
}

int64_t mirage::getElementWidth(ArrayRef<int64_t> shape, int64_t threads) {
  if (shape.empty())
    return 1;
  // Four f32 are what a load takes at most, without lanes in each other's way.
  for (int64_t width : {4, 2})
    if (shape.back() % width == 0 &&
        mirage::getNumElements(shape) / width >= threads)
      return width;
  return 1;
}

int64_t mirage::getFoldLanes(bool alongMemory, int64_t size, int64_t count,
                             int64_t threads) {
  int64_t most = std::min(size, kWarpSize);
  return llvm::bit_floor<uint64_t>(
      alongMemory ? most : std::clamp<int64_t>(threads / count, 1, most));
}

static OperatorCost getCost(OperatorOpInterface op) {
  SmallVector<Shape> shapes;
  for (Value operand : op->getOperands())
    shapes.emplace_back(cast<ShapedType>(operand.getType()).getShape());
  return op.getSemantics().getCost(
      shapes, cast<ShapedType>(op->getResult(0).getType()).getShape(),
      op.getParams());
}

static bool isMovement(Operation *op) {
  auto semantics = dyn_cast_or_null<OperatorOpInterface>(op);
  if (!semantics || semantics.getSemantics().isElementwise())
    return false;
  OperatorCost cost = getCost(semantics);
  return cost.tensorFlops == 0 && cost.scalarFlops == 0 &&
         cost.specialFunctions == 0;
}

/// Whether an operator folds a dimension, so that it reads each element of its
/// operand about once.
static bool isReduction(Operation *op) {
  auto semantics = dyn_cast<OperatorOpInterface>(op);
  if (!semantics || semantics->getNumOperands() != 1)
    return false;
  Value operand = op->getOperand(0);
  return !isMovement(op) && !semantics.getSemantics().isElementwise() &&
         isa<TileType>(operand.getType());
}

/// Whether a thread graph computes no exponentials and the like, so that some
/// warps may compute it anew.
static bool isLight(block::GraphDefinedOp graph) {
  WalkResult result = graph.walk([](OperatorOpInterface op) {
    return getCost(op).specialFunctions ? WalkResult::interrupt()
                                        : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

bool mirage::isInlined(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (!op || !isa<TileType>(tile.getType()) ||
      llvm::any_of(op->getUsers(), isSink))
    return false;
  if (isMovement(op))
    return true;
  auto graph = dyn_cast<block::GraphDefinedOp>(op);
  if (!graph || graph.getOutputs().size() != 1 || !tile.hasOneUse())
    return false;
  Operation *user = *tile.user_begin();
  if (user->getBlock() != op->getBlock())
    return false;
  if (isReduction(user))
    return true;
  // Tensor cores read an element once or twice; other products more often.
  return isLight(graph) && getTensorCoreUse(user).has_value();
}

SmallVector<Operation *> mirage::getReaders(Value tile) {
  SmallVector<Operation *> readers;
  for (Operation *user : tile.getUsers()) {
    if (user->getNumResults() == 1 && isInlined(user->getResult(0)))
      llvm::append_range(readers, getReaders(user->getResult(0)));
    else
      readers.push_back(user);
  }
  return readers;
}

SmallVector<Value> mirage::getTilesRead(Operation *op) {
  llvm::SetVector<Value> tiles;
  for (Value operand : op->getOperands()) {
    if (isInlined(operand))
      tiles.insert_range(getTilesRead(operand.getDefiningOp()));
    else if (isa<TileType>(operand.getType()) &&
             !isa_and_nonnull<ConstantOp>(operand.getDefiningOp()))
      tiles.insert(operand);
  }
  return tiles.takeVector();
}

Type mirage::getReadType(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (isMovement(op) && isInlined(tile)) {
    Type type = getReadType(op->getOperand(0));
    for (Value operand : op->getOperands().drop_front())
      if (getReadType(operand) != type)
        return getElementTypeOrSelf(tile.getType());
    return type;
  }
  return getElementTypeOrSelf(tile.getType());
}

/// Whether a loop sums the tile of a product up, so that nobody else needs it.
static bool isOnlySummed(Value tile) {
  if (!tile.hasOneUse())
    return false;
  OpOperand &use = *tile.use_begin();
  auto accumulate = dyn_cast<block::AccumulateOp>(use.getOwner());
  unsigned i = use.getOperandNumber();
  if (!accumulate || i >= accumulate.getTiles().size())
    return false;
  block::AccumulatorKind kind = accumulate.getKind(i);
  return kind == block::AccumulatorKind::Sum ||
         kind == block::AccumulatorKind::RescaledSum;
}

/// Whether an exponential is taken of a tile, or of what elementwise operators
/// make of it: then absolute errors become relative ones.
static bool isExponentiated(Value tile) {
  return llvm::any_of(tile.getUsers(), [](Operation *user) {
    if (auto graph = dyn_cast<block::GraphDefinedOp>(user)) {
      WalkResult found = graph.walk([](OperatorOpInterface op) {
        return op.getSemantics().usesExponentiation(op.getParams())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      });
      return found.wasInterrupted() ||
             llvm::any_of(graph->getResults(), isExponentiated);
    }
    auto op = dyn_cast<OperatorOpInterface>(user);
    if (!op || !op.getSemantics().getMatrixProducts().empty())
      return false;
    return op.getSemantics().usesExponentiation(op.getParams()) ||
           (op.getSemantics().isElementwise() &&
            isExponentiated(op->getResult(0)));
  });
}

/// How many tiles of 16 x 8 a warp can keep in registers over a loop: at most
/// 32, or what a thread has, without what is needed for all else.
static int64_t getMostTiles(int64_t threads) {
  constexpr int64_t kRegisters = 65536, kMostOfThread = 255, kOther = 56,
                    kOfTile = 4, kMost = 32;
  // A warp that loads has as many.
  int64_t ofThread =
      std::min(kRegisters / (threads + kWarpSize), kMostOfThread);
  return std::clamp<int64_t>((ofThread - kOther) / kOfTile, 1, kMost);
}

/// How a product runs, if the four warps of a group compute it together, or
/// not.
static std::optional<TensorCoreUse> planTensorCores(OperatorOpInterface op,
                                                    bool inWarpgroups) {
  MatmulUse use{getNumThreads(op) / kWarpSize};
  use.inWarpgroups = inWarpgroups;
  Value result = op->getResult(0);
  if (isOnlySummed(result)) {
    // The accumulators of a loop share the registers; a rescaled sum takes
    // those of what is added, too.
    constexpr int64_t kOfRescaled = 2;
    auto loop = cast<block::LoopOp>(op->getParentOp());
    int64_t sums = 0;
    for (Operation &other : loop.getBody().front()) {
      auto product = dyn_cast<OperatorOpInterface>(other);
      if (!product || product.getSemantics().getMatrixProducts().empty() ||
          !isOnlySummed(other.getResult(0)))
        continue;
      sums += isRescaled(*other.getResult(0).use_begin()) ? kOfRescaled : 1;
    }
    use.iterations = loop.getIterations();
    use.maxTilesPerWarp =
        std::max<int64_t>(getMostTiles(getNumThreads(op)) / sums, 1);
    if (std::optional<MatmulPlan> plan = planMatmul(op, getReadType, use))
      return TensorCoreUse{*plan, /*inRegisters=*/true};
    use.iterations = 1;
  }
  // The fragments of warpgroups are computed all at once.
  use.maxTilesPerWarp = inWarpgroups ? 32 : std::numeric_limits<int64_t>::max();
  if (std::optional<MatmulPlan> plan = planMatmul(op, getReadType, use)) {
    plan->keepsRemainders = isExponentiated(result);
    return TensorCoreUse{*plan, /*inRegisters=*/false};
  }
  return std::nullopt;
}

static bool isTileProduct(Operation *op) {
  auto semantics = dyn_cast<OperatorOpInterface>(op);
  return semantics && !semantics.getSemantics().getMatrixProducts().empty() &&
         isa<TileType>(op->getResult(0).getType());
}

/// The tile of an operand that is read as it is, or in another order.
static Value getMovedTile(Value operand) {
  while (isMovement(operand.getDefiningOp()) && isInlined(operand) &&
         operand.getDefiningOp()->getNumOperands() == 1)
    operand = operand.getDefiningOp()->getOperand(0);
  return operand;
}

bool mirage::canUseWarpgroups(Operation *op) {
  if (!isTileProduct(op) ||
      !planTensorCores(cast<OperatorOpInterface>(op), /*inWarpgroups=*/true))
    return false;
  // Of what a descriptor can say: rows of pieces of 16 bytes that are swizzled
  // within 32 bytes at least, and eight of them at a time.
  constexpr int64_t kLeastSwizzle = 32, kRows = 8;
  return llvm::all_of(op->getOperands(), [](Value operand) {
    Value source = getMovedTile(operand);
    auto tile = dyn_cast<TileType>(source.getType());
    if (!tile || tile.getRank() < 2 || !isInSharedMemory(source))
      return false;
    int64_t bytes = tile.getShape().back() * tile.getElementTypeBitWidth() / 8;
    return bytes % kLeastSwizzle == 0 &&
           tile.getShape()[tile.getRank() - 2] % kRows == 0;
  });
}

bool mirage::isForWarpgroups(Operation *op) {
  return op->hasAttr(kWarpgroupsAttr) && canUseWarpgroups(op);
}

/// Whether the operands of a product are laid out as warpgroups read them.
static bool isLaidOutForWarpgroups(Operation *op) {
  return llvm::all_of(op->getOperands(), [](Value operand) {
    TileLayout layout = getLayout(getMovedTile(operand));
    return layout.hasPanels() && layout.allowsBulkCopies();
  });
}

std::optional<unsigned> mirage::getMatrixDim(int64_t elementBytes,
                                             ArrayRef<int64_t> strides,
                                             int64_t offset, unsigned lineDim,
                                             unsigned depthDim,
                                             int64_t numLines) {
  if (elementBytes != 2 || offset % 8 != 0)
    return std::nullopt;
  bool alongDepth = strides[depthDim] == 1;
  if (!alongDepth && (strides[lineDim] != 1 || numLines % 8 != 0))
    return std::nullopt;
  unsigned contiguous = alongDepth ? depthDim : lineDim;
  for (auto [d, stride] : llvm::enumerate(strides))
    if (d != contiguous && stride % 8 != 0)
      return std::nullopt;
  return contiguous;
}

std::optional<TensorCoreUse> mirage::getTensorCoreUse(Operation *op) {
  if (!isTileProduct(op))
    return std::nullopt;
  auto product = cast<OperatorOpInterface>(op);
  if (op->hasAttr(kWarpgroupsAttr) && isLaidOutForWarpgroups(op))
    if (std::optional<TensorCoreUse> use =
            planTensorCores(product, /*inWarpgroups=*/true))
      return use;
  return planTensorCores(product, /*inWarpgroups=*/false);
}

/// The tile whose iterations an accumulator of a loop collects.
static Value getAccumulatedTile(OpResult accumulated) {
  auto loop = cast<block::LoopOp>(accumulated.getOwner());
  return cast<block::AccumulateOp>(loop.getBody().front().getTerminator())
      .getTiles()[accumulated.getResultNumber()];
}

bool mirage::isSummedInRegisters(OpResult accumulated) {
  std::optional<TensorCoreUse> use =
      getTensorCoreUse(getAccumulatedTile(accumulated).getDefiningOp());
  return use && use->inRegisters;
}

/// The plan of a product that a loop sums up in registers, not transposed, for
/// one op behind it.
static std::optional<MatmulPlan> getPlanOfSums(Value tile) {
  auto result = dyn_cast<OpResult>(tile);
  if (!result || !isa<block::LoopOp>(result.getOwner()) || !tile.hasOneUse())
    return std::nullopt;
  std::optional<TensorCoreUse> use =
      getTensorCoreUse(getAccumulatedTile(result).getDefiningOp());
  if (!use || !use->inRegisters || use->plan.swapped)
    return std::nullopt;
  return use->plan;
}

bool mirage::isReadFromRegisters(Value tile) {
  std::optional<MatmulPlan> plan = getPlanOfSums(tile);
  if (!plan)
    return false;
  Operation *user = *tile.user_begin();
  // Another loop in between wants the registers, too.
  for (Operation *op = tile.getDefiningOp()->getNextNode(); op && op != user;
       op = op->getNextNode())
    if (isa<block::LoopOp>(op))
      return false;
  if (isa<block::OutputSaver>(user))
    return true;
  auto shape = [](Value of) {
    return cast<ShapedType>(of.getType()).getShape();
  };
  auto graph = dyn_cast<block::GraphDefinedOp>(user);
  if (!graph || llvm::any_of(graph.getOutputs(), [&](Value output) {
        return isInlined(output) || shape(output) != shape(tile);
      }))
    return false;
  // Sums that are read together must be the same threads'.
  for (Value other : graph.getInputs())
    if (std::optional<MatmulPlan> first = getPlanOfSums(other);
        first && shape(other) == shape(tile))
      return plan->hasSameFragments(*first);
  return false;
}

TileLayout mirage::getLayout(Value tile) {
  auto type = cast<TileType>(tile.getType());
  int64_t size = type.getElementTypeBitWidth() / 8;
  auto result = cast<OpResult>(tile);
  if (auto layouts = result.getOwner()->getAttrOfType<ArrayAttr>(kLayoutsAttr))
    return *getNamedLayout(
        cast<StringAttr>(layouts[result.getResultNumber()]).getValue(),
        type.getShape(), size);
  // What the TMA loads, it must be able to.
  if (isLoadedByProducer(result.getOwner()))
    if (SmallVector<TileLayout> layouts =
            getBoxLayouts(cast<block::InputIterator>(result.getOwner()));
        !layouts.empty())
      return layouts.front();
  return {SmallVector<int64_t, 4>(type.getShape()), size};
}

bool mirage::variesInLoop(Operation *op) {
  auto input = dyn_cast<block::InputIterator>(op);
  return input && input.getFmap() && input.getFmap()->getDim() != kReplica;
}

/// Whether somebody takes the elements of an op's results from registers.
static bool goesToSinks(Operation *op) {
  return llvm::any_of(op->getUses(), [](OpOperand &use) {
    return isSink(use.getOwner()) && !isRescaled(use);
  });
}

bool mirage::isHoisted(Operation *op) {
  return isa<block::InputIterator>(op) &&
         isa<block::LoopOp>(op->getParentOp()) && !variesInLoop(op) &&
         !goesToSinks(op);
}

bool mirage::canLoadAhead(Operation *op) {
  return variesInLoop(op) && !op->use_empty() && getAsyncPiece(op) > 0;
}

int64_t mirage::getAsyncPiece(Operation *op) {
  auto input = dyn_cast<block::InputIterator>(op);
  if (!input || goesToSinks(input))
    return 0;
  auto tensor = cast<ShapedType>(input.getTensor().getType()).getShape();
  auto tile = cast<TileType>(input.getTile().getType());
  if (tile.getShape().empty())
    return 0;
  int64_t size = tile.getElementTypeBitWidth() / 8;
  for (int64_t bytes : {16, 8, 4})
    if (tile.getShape().back() * size % bytes == 0 &&
        tensor.back() * size % bytes == 0)
      return bytes;
  return 0;
}
