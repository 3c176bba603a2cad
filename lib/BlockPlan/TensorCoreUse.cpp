//===- TensorCoreUse.cpp - Which products tensor cores compute ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/TensorCoreUse.h"
#include "Mirage/BlockPlan/BlockPlan.h"
#include "Mirage/BlockPlan/RowChain.h"
#include "Mirage/BlockPlan/SquareSum.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Dialect/Mirage/SummedProducts.h"
#include "llvm/ADT/SetVector.h"

using namespace mirage;
using namespace mlir;

/// Whether a loop sums the tile of a product up, so that nobody else needs it.
static bool isOnlySummed(Value tile) {
  std::optional<block::AccumulatorKind> kind = getOnlyAccumulation(tile);
  return kind == block::AccumulatorKind::Sum ||
         kind == block::AccumulatorKind::RescaledSum;
}

/// Whether some operator takes a tile, or what elementwise operators make of
/// it, in thread graphs as well, and (`throughSums`) what a loop makes of that.
static bool
reaches(Value tile, bool throughSums,
        llvm::function_ref<bool(OperatorOpInterface, unsigned)> isWanted) {
  llvm::SetVector<Value> values;
  values.insert(tile);
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      Operation *user = use.getOwner();
      const unsigned operand = use.getOperandNumber();
      auto parent = dyn_cast<block::GraphDefinedOp>(user->getParentOp());
      if (auto graph = dyn_cast<block::GraphDefinedOp>(user)) {
        values.insert(graph.getBody().front().getArgument(operand));
      } else if (isa<block::AccumulateOp>(user)) {
        if (throughSums && !isRescaled(use))
          values.insert(user->getParentOp()->getResult(operand));
      } else if (parent && user->hasTrait<OpTrait::IsTerminator>()) {
        values.insert(parent->getResult(operand));
      } else if (auto op = dyn_cast<OperatorOpInterface>(user);
                 op && op.getSemantics().getMatrixProducts().empty()) {
        if (isWanted(op, operand))
          return true;
        if (op.getSemantics().isElementwise())
          values.insert_range(op->getResults());
      }
    }
  return false;
}

/// Whether an exponential is taken of a tile: then absolute errors become
/// relative ones. (Not behind a loop: there it is mostly that of a sigmoid,
/// whose errors stay small.)
static bool isExponentiated(Value tile) {
  return reaches(tile, /*throughSums=*/false,
                 [](OperatorOpInterface op, unsigned) {
                   return op.getSemantics().usesExponentiation(op.getParams());
                 });
}

/// Whether a tile, or what it is summed up to, is compared: then the least
/// error may become a jump.
static bool isCompared(Value tile) {
  return reaches(tile, /*throughSums=*/true,
                 [](OperatorOpInterface op, unsigned operand) {
                   return op.getSemantics().isDiscontinuousIn(operand);
                 });
}

/// How many it can keep over a loop: these, or what a thread has, without what
/// is needed for all else.
static int64_t getMostTiles(int64_t threads) {
  constexpr int64_t kOther = 56, kOfTile = 4;
  // A warp that loads has as many.
  int64_t ofThread =
      std::min(kRegistersPerSm / (threads + kWarpSize), kMaxThreadRegisters);
  return std::clamp<int64_t>((ofThread - kOther) / kOfTile, 1,
                             kMostTilesOfWarp);
}

/// Whether the columns of a product's right operand are rows of memory.
static bool runsAcross(OperatorOpInterface op) {
  unsigned right = op.getSemantics().getMatrixProducts().front().second;
  std::optional<TileSource> source = getSource(op->getOperand(right));
  return source && source->view.strides.size() >= 2 &&
         ArrayRef(source->view.strides).drop_back().back() == 1 &&
         source->view.strides.back() > 1;
}

/// How a product runs, if the four warps of a group compute it together, or
/// not.
static std::optional<TensorCoreUse> planTensorCores(OperatorOpInterface op,
                                                    bool inWarpgroups) {
  // The fragments of warpgroups are computed all at once.
  MatmulUse use{getNumThreads(op) / kWarpSize,
                inWarpgroups ? kMostTilesOfWarp
                             : std::numeric_limits<int64_t>::max()};
  use.inWarpgroups = inWarpgroups;
  use.endsChain = endsChain(op);
  if (use.endsChain || beginsChain(op)) {
    use.maxTilesPerWarp = std::numeric_limits<int64_t>::max();
    if (std::optional<RowChain> chain = getRowChain(op))
      use.chainParts = chain->parts;
    constexpr int64_t kRowsSwizzled = 8;
    // What parts share is the columns of the first, and the depth of the last.
    // (Only warpgroups read from sources, which don't depend on who
    // multiplies.)
    if (inWarpgroups && runsAcross(op) != use.endsChain)
      use.groupUnit = kRowsSwizzled;
  } else
    use.mayShareDepth = !op->hasAttr(kWholeDepthAttr);
  Value result = op->getResult(0);
  if (use.endsChain) {
    unsigned left = op.getSemantics().getMatrixProducts().front().first;
    auto getType = [&](Value operand) {
      return operand == op->getOperand(left) ? getChainedType(op)
                                             : getReadType(operand);
    };
    if (std::optional<MatmulPlan> plan = planMatmul(op, getType, use))
      return TensorCoreUse{*plan, /*inRegisters=*/true};
    return std::nullopt;
  }
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
    MatmulUse summed = use;
    summed.iterations = loop.getIterations();
    summed.maxTilesPerWarp =
        std::max<int64_t>(getMostTiles(getNumThreads(op)) / sums, 1);
    if (std::optional<MatmulPlan> plan = planMatmul(op, getReadType, summed)) {
      plan->keepsRemainders = isCompared(result);
      return TensorCoreUse{*plan, /*inRegisters=*/true};
    }
  }
  if (std::optional<MatmulPlan> plan = planMatmul(op, getReadType, use)) {
    plan->keepsRemainders = isExponentiated(result) || isCompared(result);
    return TensorCoreUse{*plan, /*inRegisters=*/false};
  }
  return std::nullopt;
}

static bool isTileProduct(Operation *op) {
  auto semantics = dyn_cast<OperatorOpInterface>(op);
  return semantics && !semantics.getSemantics().getMatrixProducts().empty() &&
         isa<TileType>(op->getResult(0).getType());
}

std::optional<TileSource> mirage::getGroupSource(Value operand) {
  // Of what a descriptor can say: rows of pieces of 16 bytes that are swizzled
  // within 32 bytes at least, and eight of them at a time.
  constexpr int64_t kLeastSwizzle = 32, kRows = 8;
  std::optional<TileSource> source = getSource(operand);
  if (!source || source->view.shape.size() < 2)
    return std::nullopt;
  auto tile = cast<TileType>(source->tile.getType());
  const auto &[shape, strides, offset] = source->view;
  size_t rank = shape.size(), run = strides.back() == 1 ? rank - 1 : rank - 2,
         across = 2 * rank - 3 - run;
  if (tile.getRank() == 0 || offset != 0)
    return std::nullopt;
  int64_t row = tile.getShape().back();
  auto areRows = [&](int64_t stride) { return stride % (kRows * row) == 0; };
  // Nothing is added for the index of a dimension of size 1.
  auto batches = llvm::zip_equal(ArrayRef(shape).drop_back(2),
                                 ArrayRef(strides).drop_back(2));
  if (tile.getElementTypeBitWidth() != 16 || 2 * row % kLeastSwizzle != 0 ||
      strides[run] != 1 || shape[run] != row || strides[across] != row ||
      shape[across] % kRows != 0 ||
      !llvm::all_of(batches, [&](const auto &batch) {
        auto [size, stride] = batch;
        return size == 1 || areRows(stride);
      }))
    return std::nullopt;
  return source;
}

SmallVector<Value> mirage::getGroupOperands(OperatorOpInterface product) {
  SmallVector<Value> operands(product->getOperands());
  if (endsChain(product))
    operands.erase(operands.begin() +
                   product.getSemantics().getMatrixProducts().front().first);
  return operands;
}

SmallVector<Value> mirage::getGroupTiles(OperatorOpInterface product) {
  SmallVector<Value> tiles;
  for (Value operand : getGroupOperands(product))
    if (std::optional<TileSource> source = getGroupSource(operand))
      tiles.push_back(source->tile);
  return tiles;
}

bool mirage::isReadByThreads(Value tile) {
  llvm::SetVector<Value> values;
  values.insert(tile);
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      Operation *user = use.getOwner();
      if (isMovement(user) && isInlined(user->getResult(0))) {
        values.insert(user->getResult(0));
        continue;
      }
      std::optional<TensorCoreUse> product;
      if (isTileProduct(user))
        product = getTensorCoreUse(user);
      if (!product || !product->plan.inWarpgroups ||
          !llvm::is_contained(getGroupOperands(cast<OperatorOpInterface>(user)),
                              use.get()))
        return true;
    }
  return false;
}

bool mirage::canUseWarpgroups(Operation *op) {
  if (!isTileProduct(op))
    return false;
  auto product = cast<OperatorOpInterface>(op);
  return planTensorCores(product, /*inWarpgroups=*/true) &&
         llvm::all_of(getGroupOperands(product), getGroupSource);
}

bool mirage::isForWarpgroups(Operation *op) {
  return op->hasAttr(kWarpgroupsAttr) && canUseWarpgroups(op);
}

std::optional<bool> mirage::hasWideRows(OperatorOpInterface op,
                                        const MatmulPlan &plan,
                                        const MatmulPlan::Product &product) {
  // A product of f16 takes as many instructions for steps of 8.
  if (product.kind != MatmulPlan::Kind::TF32 || plan.keepsRemainders ||
      plan.depthHalves != 2)
    return std::nullopt;
  Type rows = getReadType(op->getOperand(product.rowOperand)),
       cols = getReadType(op->getOperand(product.colOperand));
  if (rows.isF32() && cols.isF16())
    return true;
  if (rows.isF16() && cols.isF32())
    return false;
  return std::nullopt;
}

/// Whether blocks write some of the same elements, as the grid doesn't divide
/// what it cuts.
static bool doBlocksOverlap(Operation *op) {
  auto graph = op->getParentOfType<BlockGraphOpInterface>();
  ArrayRef<int64_t> grid = graph.getGrid().getSizes();
  return llvm::any_of(
      graph->getRegion(0).getOps<block::OutputSaver>(),
      [&](block::OutputSaver saver) {
        auto tensor = cast<ShapedType>(saver.getType());
        return llvm::any_of(
            llvm::zip_equal(grid, saver.getOmap().getDims()), [&](auto cut) {
              auto [blocks, dim] = cut;
              return dim != kReplica && tensor.getDimSize(dim) % blocks != 0;
            });
      });
}

bool mirage::canBeNarrowed(Operation *op) {
  // A chain's last product has types of its own. Blocks that overlap would
  // narrow elements that they have in common or not, as others of their own
  // fit.
  if (!isTileProduct(op) || endsChain(op) || doBlocksOverlap(op))
    return false;
  std::optional<TensorCoreUse> use = getTensorCoreUse(op);
  return use && llvm::any_of(use->plan.products,
                             [&](const MatmulPlan::Product &product) {
                               return hasWideRows(cast<OperatorOpInterface>(op),
                                                  use->plan, product);
                             });
}

/// Whether the operands of a product that warpgroups can compute are laid out
/// as they read them.
static bool isLaidOutForWarpgroups(OperatorOpInterface product) {
  return llvm::all_of(getGroupOperands(product), [](Value operand) {
    // Their source: nobody has asked yet whether it is in shared memory, which
    // may depend on who computes it.
    while (isMovement(operand.getDefiningOp()) && isInlined(operand))
      operand = operand.getDefiningOp()->getOperand(0);
    TileLayout layout = getLayout(operand);
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
  if (std::optional<SquareSum> sum = getSquareSum(op)) {
    if (std::optional<MatmulPlan> plan = planSquareSum(op, *sum))
      return TensorCoreUse{*plan, /*inRegisters=*/sum->isSummed};
    return std::nullopt;
  }
  if (!isTileProduct(op))
    return std::nullopt;
  auto product = cast<OperatorOpInterface>(op);
  if (op->hasAttr(kWarpgroupsAttr) && isLaidOutForWarpgroups(product))
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
  Operation *maker = getAccumulatedTile(accumulated).getDefiningOp();
  if (isChained(maker))
    return true;
  std::optional<TensorCoreUse> use = getTensorCoreUse(maker);
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

std::optional<MatmulPlan> mirage::getPlanInRegisters(Value tile) {
  std::optional<MatmulPlan> plan = getPlanOfSums(tile);
  if (!plan)
    return std::nullopt;
  Operation *user = *tile.user_begin();
  // Another loop in between wants the registers, too.
  for (Operation *op = tile.getDefiningOp()->getNextNode(); op && op != user;
       op = op->getNextNode())
    if (isa<block::LoopOp>(op))
      return std::nullopt;
  if (isa<block::OutputSaver>(user))
    return plan;
  auto shape = [](Value of) {
    return cast<ShapedType>(of.getType()).getShape();
  };
  auto graph = dyn_cast<block::GraphDefinedOp>(user);
  if (!graph || llvm::any_of(graph.getOutputs(), [&](Value output) {
        return isInlined(output) || shape(output) != shape(tile);
      }))
    return std::nullopt;
  // Sums that are read together must be the same threads'.
  for (Value other : graph.getInputs())
    if (std::optional<MatmulPlan> first = getPlanOfSums(other);
        first && shape(other) == shape(tile))
      return plan->hasSameFragments(*first) ? plan : std::nullopt;
  return std::nullopt;
}

bool mirage::isReadFromRegisters(Value tile) {
  return getPlanInRegisters(tile).has_value();
}
