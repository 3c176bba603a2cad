//===- RowChain.cpp - Products whose rows stay in registers ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/RowChain.h"
#include "Mirage/BlockPlan/ElementMap.h"
#include "Mirage/BlockPlan/FoldPlan.h"
#include "Mirage/BlockPlan/MatmulPlan.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

using namespace mirage;
using namespace mlir;

static size_t countProducts(Operation *op) {
  auto semantics = dyn_cast_or_null<OperatorOpInterface>(op);
  return semantics ? semantics.getSemantics().getMatrixProducts().size() : 0;
}

/// A first product may be a sum of several, which go to the same fragments.
static bool mayBeFirst(Operation *op) { return countProducts(op) > 0; }
static bool mayBeLast(Operation *op) { return countProducts(op) == 1; }

static unsigned getLeft(Operation *product) {
  return cast<OperatorOpInterface>(product)
      .getSemantics()
      .getMatrixProducts()
      .front()
      .first;
}

static bool isElementwise(Operation *op) {
  if (auto graph = dyn_cast<block::GraphDefinedOp>(op))
    return !graph.getOutputs().empty();
  auto semantics = dyn_cast<OperatorOpInterface>(op);
  return semantics && semantics.getSemantics().isElementwise();
}

/// How often an op of a block graph runs.
static int64_t getNumIterations(Operation *op) {
  auto loop = dyn_cast<block::LoopOp>(op->getParentOp());
  return loop ? static_cast<int64_t>(loop.getIterations()) : 1;
}

/// Of the loop that an op stands in, if it does.
static block::AccumulateOp getAccumulators(Operation *op) {
  return dyn_cast<block::AccumulateOp>(op->getBlock()->getTerminator());
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// What makes a value: of a thread graph, what it yields; of its arguments,
/// what they stand for. `isF32` becomes whether nothing is rounded on the way.
static Value resolve(Value value, bool &isF32) {
  isF32 = true;
  while (true) {
    isF32 &= getElementTypeOrSelf(value.getType()).isF32();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto graph =
          dyn_cast<block::GraphDefinedOp>(argument.getOwner()->getParentOp());
      if (!graph)
        return value;
      value = graph.getInputs()[argument.getArgNumber()];
    } else if (auto graph = value.getDefiningOp<block::GraphDefinedOp>()) {
      value = graph.getBody().front().getTerminator()->getOperand(
          cast<OpResult>(value).getResultNumber());
    } else if (Operation *maker = value.getDefiningOp();
               maker && block::getFreshMask(maker)) {
      // What it masks away is 0, and counts for nothing.
      value = maker->getOperand(1);
    } else {
      return value;
    }
  }
}

static Value resolve(Value value) {
  bool isF32;
  return resolve(value, isF32);
}

/// The maximum, if a tile has the exponentials of the differences to it, which
/// are from 0 to 1; null otherwise.
static Value getSubtractedMaximum(Value tile) {
  auto get = [](Value value) {
    return resolve(value).getDefiningOp<OperatorOpInterface>();
  };
  OperatorOpInterface power = get(tile);
  if (!power || !power.getSemantics().isExponential())
    return {};
  OperatorOpInterface difference = get(power->getOperand(0));
  if (!difference || !difference.getSemantics().isDifference())
    return {};
  OperatorOpInterface maximum = get(difference->getOperand(1));
  // What is rounded on its way to the maximum alone may be above it, and the
  // maximum be rounded down.
  if (!maximum || !maximum.getSemantics().isMaximum() ||
      !getElementTypeOrSelf(maximum->getOperand(0).getType()).isF32() ||
      !getElementTypeOrSelf(maximum->getResult(0).getType()).isF32() ||
      resolve(maximum->getOperand(0)) != resolve(difference->getOperand(0)))
    return {};
  return maximum->getResult(0);
}

Type mirage::getChainedType(OperatorOpInterface last) {
  auto [left, right] = last.getSemantics().getMatrixProducts().front();
  Type other = getReadType(last->getOperand(right));
  bool hasRange =
      isa<BFloat16Type>(other) ||
      (isa<Float16Type>(other) &&
       (getElementTypeOrSelf(last->getOperand(left).getType()) == other ||
        getSubtractedMaximum(last->getOperand(left))));
  return hasRange ? other : Float32Type::get(last->getContext());
}

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

namespace {

/// Grows the chain that ends in a product.
class ChainFinder {
public:
  explicit ChainFinder(OperatorOpInterface last)
      : accumulators(getAccumulators(last)), last(last) {}

  std::optional<RowChain> find();

private:
  bool mayEnd(Operation *product);
  bool hasPossibleShape();
  /// The products that elementwise operators turn into left operands.
  SmallVector<OperatorOpInterface> findFirsts() const;
  /// Takes up whatever reads the chain's tiles; false if something can't be of
  /// the chain.
  bool grow();
  bool takeUpUsers(Operation *op);
  /// `RowChain::getRunner`.
  Operation *getRunner() const;
  bool canTakeUp(Operation *op) const;
  /// Whether the chain can end in another product, too, that takes a tile of it
  /// there.
  bool canEndIn(OpOperand &use);
  bool isAccumulated(OpOperand &use);
  /// What is read behind a chain is to be accumulated as it has to be.
  bool isReadBehind(OpOperand &use) const {
    return !accumulators && !lasts.contains(use.getOwner()) &&
           !ops.contains(use.getOwner());
  }
  /// The one maximum of all rescaled sums; none if there is another.
  std::optional<Value> getMaximum();
  /// `RowChain::mayShiftMaximum`.
  bool canShiftMaximum(const RowChain &chain);
  /// Whether the sums of a chain that rescales none are those of parts of its
  /// columns, added up.
  bool canAddParts(const RowChain &chain);

  /// None: outside of loops. The chain is to be moved into one.
  block::AccumulateOp accumulators;
  OperatorOpInterface last;
  SmallVector<int64_t> full, row;
  /// With the first products, and the last ones.
  llvm::SetVector<Operation *> ops, lasts;
  /// Outside of loops: what depends on the last product, and what its left
  /// operand depends on.
  llvm::SetVector<Operation *> behind, inFront;
};

} // namespace

bool ChainFinder::mayEnd(Operation *product) {
  // Outside of loops it has to be read. A graph has one loop at most, so that
  // there may be none yet.
  if (!accumulators)
    return !product->use_empty() &&
           product->getBlock()->getOps<block::LoopOp>().empty();
  Value result = product->getResult(0);
  if (!result.hasOneUse())
    return false;
  OpOperand &use = *result.use_begin();
  if (use.getOwner() != accumulators ||
      use.getOperandNumber() >= accumulators.getTiles().size())
    return false;
  block::AccumulatorKind kind = accumulators.getKind(use.getOperandNumber());
  return kind == block::AccumulatorKind::Sum ||
         kind == block::AccumulatorKind::RescaledSum;
}

bool ChainFinder::hasPossibleShape() {
  full.assign(getShape(last->getOperand(getLeft(last))));
  ArrayRef<int64_t> result = getShape(last->getResult(0));
  size_t rank = full.size();
  if (rank < 2 || result.size() != rank)
    return false;
  row = full;
  row.back() = 1;
  auto isOne = [](int64_t size) { return size == 1; };
  const RowChainShape sizes{full[rank - 2], full.back(), result.back(),
                            getNumIterations(last)};
  return llvm::all_of(ArrayRef(full).drop_back(2), isOne) &&
         llvm::all_of(result.drop_back(2), isOne) && sizes.isPossible();
}

SmallVector<OperatorOpInterface> ChainFinder::findFirsts() const {
  llvm::SetVector<Value> tiles;
  for (Operation *product : lasts)
    tiles.insert(product->getOperand(getLeft(product)));
  SmallVector<OperatorOpInterface> firsts;
  for (size_t i = 0; i < tiles.size(); ++i) {
    Operation *maker = tiles[i].getDefiningOp();
    if (!maker || maker->getBlock() != last->getBlock() ||
        !isa<TileType>(tiles[i].getType()) ||
        getShape(tiles[i]) != ArrayRef(full))
      continue;
    if (mayBeFirst(maker))
      firsts.push_back(cast<OperatorOpInterface>(maker));
    else if (isElementwise(maker))
      tiles.insert_range(maker->getOperands());
  }
  llvm::sort(firsts,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return firsts;
}

bool ChainFinder::canTakeUp(Operation *op) const {
  if (op->getBlock() != last->getBlock() || op->getNumResults() == 0 ||
      behind.contains(op))
    return false;
  // Outside of a loop what is computed of rows for others can as well be behind
  // it.
  if (!accumulators && isElementwise(op) && !inFront.contains(op) &&
      getShape(op->getResult(0)) == ArrayRef(row))
    return false;
  auto hasShape = [&](Value value, ArrayRef<int64_t> shape) {
    return isa<TileType>(value.getType()) && getShape(value) == shape;
  };
  if (isElementwise(op))
    return llvm::all_of(op->getResults(), [&](Value result) {
      return hasShape(result, full) || hasShape(result, row);
    });
  auto semantics = dyn_cast<OperatorOpInterface>(op);
  std::optional<Fold> fold = semantics ? getFold(semantics) : std::nullopt;
  return fold && fold->dim == full.size() - 1 &&
         hasShape(op->getOperand(0), full) && hasShape(op->getResult(0), row);
}

bool ChainFinder::isAccumulated(OpOperand &use) {
  if (getShape(use.get()) != ArrayRef(row))
    return false;
  unsigned i = use.getOperandNumber();
  return i >= accumulators.getTiles().size() ||
         accumulators.getKind(i) != block::AccumulatorKind::Concat;
}

bool ChainFinder::canEndIn(OpOperand &use) {
  Operation *user = use.getOwner();
  if (!accumulators || user->getBlock() != last->getBlock() ||
      !mayBeLast(user) || use.getOperandNumber() != getLeft(user) ||
      getShape(use.get()) != ArrayRef(full))
    return false;
  auto isOne = [](int64_t size) { return size == 1; };
  ArrayRef<int64_t> result = getShape(user->getResult(0));
  return mayEnd(user) && result.size() == full.size() &&
         llvm::all_of(result.drop_back(2), isOne) &&
         result.back() % RowChainShape::kColsOfTile == 0;
}

bool ChainFinder::takeUpUsers(Operation *op) {
  for (OpOperand &use : op->getUses()) {
    Operation *user = use.getOwner();
    if (lasts.contains(user)) {
      if (use.getOperandNumber() != getLeft(user))
        return false;
    } else if (accumulators && user == accumulators) {
      if (!isAccumulated(use))
        return false;
    } else if (canTakeUp(user)) {
      ops.insert(user);
    } else if (canEndIn(use)) {
      lasts.insert(user);
    } else if (accumulators || getShape(use.get()) != ArrayRef(row)) {
      return false;
    }
  }
  return true;
}

bool ChainFinder::grow() {
  // What is behind the last product of a loop are its accumulators.
  if (!accumulators) {
    getForwardSlice(last.getOperation(), &behind);
    BackwardSliceOptions ofBlock;
    ofBlock.omitBlockArguments = true;
    ofBlock.inclusive = true;
    (void)getBackwardSlice(last->getOperand(getLeft(last)), &inFront, ofBlock);
  }
  lasts.insert(last);
  // Another last product may have first products of its own.
  for (size_t numLasts = 0, i = 0; numLasts < lasts.size();) {
    numLasts = lasts.size();
    for (OperatorOpInterface first : findFirsts())
      ops.insert(first);
    for (; i < ops.size(); ++i)
      if (!takeUpUsers(ops[i]))
        return false;
  }
  auto isMadeByChain = [&](Value operand) {
    Operation *maker = operand.getDefiningOp();
    return maker && ops.contains(maker);
  };
  // What the chain reads from shared memory is there when it runs.
  Operation *runner = getRunner();
  auto isThere = [&](Value operand) {
    Operation *maker = operand.getDefiningOp();
    return !maker || isMadeByChain(operand) ||
           maker->getBlock() != runner->getBlock() ||
           maker->isBeforeInBlock(runner);
  };
  auto readsWhatIsThere = [&](Operation *op) {
    return llvm::all_of(op->getOperands(), isThere);
  };
  // First products are multiplied before anything is computed of them.
  return llvm::none_of(findFirsts(),
                       [&](Operation *first) {
                         return llvm::any_of(first->getOperands(),
                                             isMadeByChain);
                       }) &&
         llvm::all_of(ops, readsWhatIsThere) &&
         llvm::all_of(lasts, readsWhatIsThere) &&
         llvm::all_of(lasts, [&](Operation *product) {
           return isMadeByChain(product->getOperand(getLeft(product)));
         });
}

Operation *ChainFinder::getRunner() const {
  // Of a marked chain the one without a mark, wherever others have moved.
  SmallVector<Operation *> candidates = llvm::to_vector(llvm::make_filter_range(
      lasts, [](Operation *op) { return !isChained(op); }));
  if (candidates.empty())
    candidates = llvm::to_vector(lasts);
  return *llvm::max_element(candidates, [](Operation *a, Operation *b) {
    return a->isBeforeInBlock(b);
  });
}

std::optional<Value> ChainFinder::getMaximum() {
  Value maximum;
  for (unsigned i = 0, e = accumulators.getTiles().size(); i < e; ++i) {
    Operation *maker = accumulators.getTiles()[i].getDefiningOp();
    if (accumulators.getKind(i) != block::AccumulatorKind::RescaledSum)
      continue;
    Value by = accumulators.getMaximum(i);
    if ((!lasts.contains(maker) && !ops.contains(maker)) ||
        !ops.contains(by.getDefiningOp()) || (maximum && maximum != by))
      return std::nullopt;
    maximum = by;
  }
  return maximum;
}

bool ChainFinder::canShiftMaximum(const RowChain &chain) {
  if (lasts.size() > 1)
    return false;
  Value left = last->getOperand(getLeft(last));
  if (!chain.maximum || getSubtractedMaximum(left) != chain.maximum ||
      !ops.contains(chain.maximum.getDefiningOp()))
    return false;
  // Exponentials are of differences as they are, not rounded.
  bool isF32;
  resolve(resolve(left).getDefiningOp()->getOperand(0), isF32);
  if (!isF32)
    return false;
  auto isRescaledSum = [&](OpOperand &use) {
    if (isReadBehind(use))
      return true;
    return use.getOwner() == accumulators &&
           use.getOperandNumber() < accumulators.getTiles().size() &&
           accumulators.getKind(use.getOperandNumber()) ==
               block::AccumulatorKind::RescaledSum;
  };
  auto isMaximum = [&](OpOperand &use) {
    if (isReadBehind(use))
      return true;
    unsigned i = use.getOperandNumber();
    return use.getOwner() == accumulators &&
           (i >= accumulators.getTiles().size() ||
            accumulators.getKind(i) == block::AccumulatorKind::Max);
  };
  // The thread graph of the exponentials, or the difference in front of them.
  Operation *power = left.getDefiningOp();
  if (block::getFreshMask(power))
    power = power->getOperand(1).getDefiningOp();
  auto isOnlySubtracted = [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (user->getNumResults() != 1)
      return false;
    if (auto graph = dyn_cast<block::GraphDefinedOp>(user))
      return user == power &&
             graph.getBody().getArgument(use.getOperandNumber()).hasOneUse();
    auto difference = dyn_cast<OperatorOpInterface>(user);
    return difference && difference.getSemantics().isDifference() &&
           use.getOperandNumber() == 1 && user->hasOneUse() &&
           *user->user_begin() == power;
  };
  for (Operation *op : chain.ops) {
    Value result = op->getResult(0);
    if (getShape(result) != ArrayRef(row))
      continue;
    if (result == chain.maximum) {
      // Nothing but the exponentials depends on which part it is of.
      if (!llvm::all_of(result.getUses(), [&](OpOperand &use) {
            return isMaximum(use) || isOnlySubtracted(use);
          }))
        return false;
      continue;
    }
    auto fold = dyn_cast<OperatorOpInterface>(op);
    if (!fold || fold->getNumOperands() != 1 || fold->getOperand(0) != left ||
        !fold.getSemantics().isLinearIn(0) ||
        !llvm::all_of(result.getUses(), isRescaledSum))
      return false;
  }
  return llvm::all_of(last->getResult(0).getUses(), isRescaledSum);
}

bool ChainFinder::canAddParts(const RowChain &chain) {
  auto isKind = [&](OpOperand &use, block::AccumulatorKind kind) {
    return use.getOwner() == accumulators &&
           accumulators.getKind(use.getOperandNumber()) == kind;
  };
  auto isFine = [&](Operation *op) {
    auto fold = isElementwise(op) ? OperatorOpInterface()
                                  : cast<OperatorOpInterface>(op);
    bool isSum =
             fold && getFold(fold)->isSum && fold.getSemantics().isLinearIn(0),
         isMaximum = fold && fold.getSemantics().isMaximum();
    return llvm::all_of(op->getUses(), [&](OpOperand &use) {
      if (getShape(use.get()) != ArrayRef(row))
        return true;
      // All parts have the same of rows that aren't folded.
      if (!fold)
        return use.getOwner() != accumulators && !isReadBehind(use);
      return (isSum && (isReadBehind(use) ||
                        isKind(use, block::AccumulatorKind::Sum))) ||
             (isMaximum && isKind(use, block::AccumulatorKind::Max));
    });
  };
  return !chain.maximum && llvm::all_of(chain.ops, isFine);
}

std::optional<RowChain> ChainFinder::find() {
  if (!mayEnd(last) || !hasPossibleShape() || !grow())
    return std::nullopt;
  std::optional<Value> maximum =
      accumulators ? getMaximum()
                   : getSubtractedMaximum(last->getOperand(getLeft(last)));
  if (!maximum)
    return std::nullopt;
  RowChain chain;
  chain.firsts = findFirsts();
  chain.maximum = *maximum;
  Operation *runner = getRunner();
  for (Operation &op : *last->getBlock())
    if (lasts.contains(&op) && &op != runner)
      chain.lasts.push_back(cast<OperatorOpInterface>(op));
    else if (ops.contains(&op) && !llvm::is_contained(chain.firsts, &op))
      chain.ops.push_back(&op);
  chain.lasts.push_back(cast<OperatorOpInterface>(runner));
  chain.mayShiftMaximum = canShiftMaximum(chain);
  if (!accumulators && !chain.mayShiftMaximum)
    chain.maximum = {};
  if (!accumulators && getMakers(chain).empty())
    return std::nullopt;
  const RowChainShape sizes = chain.getSizes();
  chain.parts = sizes.chooseParts(chain.mayShiftMaximum);
  // Where warps of rows are enough warpgroups have whole tiles.
  if (chain.parts == 0 && canAddParts(chain))
    chain.parts = sizes.chooseParts(/*mayHaveParts=*/true);
  if (chain.parts == 0)
    return std::nullopt;
  MatmulUse use{chain.getNumThreads() / kWarpSize,
                std::numeric_limits<int64_t>::max()};
  use.chainParts = chain.parts;
  for (OperatorOpInterface first : chain.firsts)
    if (!planMatmul(first, getReadType, use))
      return std::nullopt;
  use.endsChain = true;
  for (OperatorOpInterface product : chain.lasts) {
    auto getType = [&](Value operand) {
      return operand == product->getOperand(getLeft(product))
                 ? getChainedType(product)
                 : getReadType(operand);
    };
    if (!planMatmul(product, getType, use))
      return std::nullopt;
  }
  return chain;
}

RowChainShape RowChain::getSizes() const {
  ArrayRef<int64_t> full = getShape();
  RowChainShape sizes{full.drop_back().back(), full.back(), /*outCols=*/0,
                      getNumIterations(getRunner())};
  for (OperatorOpInterface last : lasts)
    sizes.outCols += mirage::getShape(last->getResult(0)).back();
  sizes.firsts = firsts.size();
  sizes.lasts = lasts.size();
  const bool isIn16Bits = llvm::none_of(lasts, [](OperatorOpInterface last) {
    return getChainedType(last).isF32();
  });
  sizes.addsAtOnce = isIn16Bits && !maximum;
  sizes.addsToShifted = isIn16Bits && mayShiftMaximum;
  return sizes;
}

int64_t RowChain::getScratchBytes() const {
  block::AccumulateOp accumulators = getAccumulators(getRunner());
  assert(accumulators && "of what a loop accumulates");
  int64_t rows = maximum ? 1 : 0;
  for (Value tile : accumulators.getTiles())
    rows += llvm::is_contained(ops, tile.getDefiningOp());
  return getSizes().getScratchBytes(parts, rows);
}

llvm::SetVector<Operation *> mirage::getMakers(const RowChain &chain) {
  llvm::SetVector<Operation *> chained, makers;
  for (OperatorOpInterface first : chain.firsts)
    chained.insert(first);
  chained.insert_range(chain.ops);
  assert(chain.lasts.size() == 1 && "outside of loops");
  chained.insert(chain.getRunner());
  makers.insert_range(chained);
  for (size_t i = 0; i < makers.size(); ++i)
    for (Value operand : makers[i]->getOperands()) {
      Operation *maker = operand.getDefiningOp();
      // The last product's other operand may be made of a chain's rows.
      if (chained.contains(maker) && !chained.contains(makers[i]))
        return {};
      if (maker && !isMadeWhereRead(maker))
        makers.insert(maker);
    }
  for (Operation *op : makers)
    if (!chained.contains(op) &&
        !llvm::all_of(op->getUsers(),
                      [&](Operation *user) { return makers.contains(user); }))
      return {};
  return makers;
}

std::optional<RowChain> mirage::findRowChain(Block &block) {
  for (Operation &op : block)
    if (mayBeLast(&op))
      if (std::optional<RowChain> chain =
              ChainFinder(cast<OperatorOpInterface>(op)).find())
        return chain;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

bool mirage::isChained(Operation *op) { return op->hasAttr(kChainedAttr); }

/// Whether what makes a product's left operand is of a chain.
static bool takesChained(Operation *product) {
  Operation *maker = product->getOperand(getLeft(product)).getDefiningOp();
  return maker && isChained(maker);
}

bool mirage::beginsChain(Operation *op) {
  return isChained(op) && mayBeFirst(op) && !takesChained(op);
}

/// All of a chain but that as a part of which they run.
static SmallVector<Operation *> getChained(const RowChain &chain) {
  SmallVector<Operation *> all(chain.firsts.begin(), chain.firsts.end());
  all.append(chain.ops);
  all.append(chain.lasts.begin(), std::prev(chain.lasts.end()));
  return all;
}

std::optional<RowChain> mirage::getRowChain(Operation *op) {
  auto loop = dyn_cast<block::LoopOp>(op->getParentOp());
  return loop ? getRowChain(loop) : std::nullopt;
}

std::optional<RowChain> mirage::getRowChain(block::LoopOp loop) {
  if (!hasRowChain(loop))
    return std::nullopt;
  // There may be several, of which one is marked; or a part of one.
  Block &body = loop.getBody().front();
  const size_t numMarked =
      llvm::count_if(body, [](Operation &op) { return isChained(&op); });
  std::optional<RowChain> other;
  for (Operation &last : body) {
    if (!mayBeLast(&last))
      continue;
    std::optional<RowChain> chain =
        ChainFinder(cast<OperatorOpInterface>(last)).find();
    if (!chain || !isChained(chain->firsts.front()))
      continue;
    const SmallVector<Operation *> chained = getChained(*chain);
    if (chained.size() == numMarked && llvm::all_of(chained, isChained))
      return chain;
    if (!other)
      other = std::move(chain);
  }
  return other;
}

bool mirage::endsChain(Operation *op) {
  if (!mayBeLast(op) || !takesChained(op))
    return false;
  std::optional<RowChain> chain = getRowChain(op);
  return chain && llvm::is_contained(chain->lasts, op);
}

bool mirage::runsChain(Operation *op) {
  return !isChained(op) && endsChain(op);
}

void mirage::markRowChain(const RowChain &chain) {
  Builder builder(chain.getRunner()->getContext());
  for (Operation *op : getChained(chain))
    op->setAttr(kChainedAttr, builder.getUnitAttr());
}

bool mirage::hasRowChain(block::LoopOp loop) {
  return llvm::any_of(loop.getBody().front(),
                      [](Operation &op) { return isChained(&op); });
}

LogicalResult mirage::verifyRowChains(Block &blockGraph) {
  WalkResult result = blockGraph.walk([&](Operation *op) -> WalkResult {
    if (!isChained(op))
      return WalkResult::advance();
    std::optional<RowChain> chain = getRowChain(op);
    SmallVector<Operation *> all;
    if (chain)
      all = getChained(*chain);
    if (!llvm::is_contained(all, op))
      return op->emitOpError() << "has '" << kChainedAttr
                               << "', but is not of a chain of a loop that can "
                                  "stay in registers";
    if (getNumThreads(op) != chain->getNumThreads())
      return op->emitOpError()
             << "has '" << kChainedAttr << "', but its kernel has "
             << getNumThreads(op) << " threads, expected "
             << chain->getNumThreads() << ": a warp for each 16 rows of a part";
    for (Operation *other : all)
      if (!isChained(other)) {
        InFlightDiagnostic diagnostic = op->emitOpError();
        diagnostic << "has '" << kChainedAttr
                   << "', but not all ops of its chain have it";
        diagnostic.attachNote(other->getLoc()) << "this one has not";
        return diagnostic;
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
