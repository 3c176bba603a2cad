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
#include "Mirage/BlockPlan/ElementMap.h"
#include "Mirage/BlockPlan/FoldPlan.h"
#include "Mirage/BlockPlan/KeptRows.h"
#include "Mirage/BlockPlan/RowChain.h"
#include "Mirage/BlockPlan/TensorCoreUse.h"
#include "Mirage/BlockPlan/WarpRoles.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Dialect/Mirage/TensorView.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>

using namespace mirage;
using namespace mlir;

int64_t mirage::getNumThreads(Operation *op) {
  auto threads = getKernelAttr<IntegerAttr>(op, kThreadsAttr);
  return threads ? threads.getInt() : kDefaultThreads;
}

bool mirage::isValidThreadCount(int64_t threads) {
  return threads >= kWarpSize && threads <= kMaxBlockThreads &&
         threads % kWarpSize == 0;
}

static SmallVector<Shape> getOperandShapes(Operation *op) {
  SmallVector<Shape> shapes;
  for (Value operand : op->getOperands())
    shapes.emplace_back(getShape(operand));
  return shapes;
}

static OperatorCost getCost(OperatorOpInterface op) {
  return op.getSemantics().getCost(getOperandShapes(op),
                                   getShape(op->getResult(0)), op.getParams());
}

std::optional<TileSource> mirage::getSource(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (!op || !isa<TileType>(tile.getType()))
    return std::nullopt;
  if (isChained(op))
    return std::nullopt;
  if (!isInlined(tile)) {
    if (tile.use_empty() || !isInSharedMemory(tile))
      return std::nullopt;
    return TileSource{tile, TileView::getWhole(getShape(tile))};
  }
  auto movement = dyn_cast<OperatorOpInterface>(op);
  std::optional<ElementMap> map =
      movement ? getElementMap(movement) : std::nullopt;
  std::optional<TileSource> source =
      map ? getSource(map->operand) : std::nullopt;
  if (!source)
    return std::nullopt;
  TileView &view = source->view;
  std::tie(view.strides, view.offset) = map->apply(view.strides, view.offset);
  view.shape.assign(getShape(tile).begin(), getShape(tile).end());
  return source;
}

unsigned mirage::getFastDim(Value tile) {
  ArrayRef<int64_t> shape = getShape(tile);
  if (std::optional<TileSource> source = getSource(tile)) {
    for (size_t d = shape.size(); d-- > 0;)
      if (source->view.strides[d] == 1 && shape[d] > 1)
        return d;
  } else if (auto graph = tile.getDefiningOp<block::GraphDefinedOp>()) {
    for (Value input : graph.getInputs())
      if (getShape(input) == shape)
        return getFastDim(input);
  }
  return shape.empty() ? 0 : shape.size() - 1;
}

bool mirage::isMovement(Operation *op) {
  auto semantics = dyn_cast_or_null<OperatorOpInterface>(op);
  return semantics && semantics.getSemantics().isMovement();
}

/// Whether an operator folds a tile.
static bool isReduction(Operation *op) {
  auto semantics = dyn_cast<OperatorOpInterface>(op);
  return semantics && semantics.getSemantics().isReduction() &&
         isa<TileType>(op->getOperand(0).getType());
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

/// Whether an op of a loop computes the same in each iteration.
static bool isInvariant(Operation *op) {
  llvm::SetVector<Operation *> makers;
  makers.insert(op);
  for (size_t i = 0; i < makers.size(); ++i) {
    Operation *maker = makers[i];
    if (variesInLoop(maker) || !isa<block::LoopOp>(maker->getParentOp()))
      return false;
    if (!isa<block::InputIterator>(maker))
      for (Value operand : maker->getOperands())
        makers.insert(operand.getDefiningOp());
  }
  return true;
}

/// Whether an elementwise operator or thread graph reads nothing but a fold's
/// result, and makes tiles of that shape of it.
static bool finishesFold(Operation *op, Value fold) {
  auto semantics = dyn_cast<OperatorOpInterface>(op);
  if (!isa<block::GraphDefinedOp>(op) &&
      !(semantics && semantics.getSemantics().isElementwise()))
    return false;
  return op->getBlock() == fold.getDefiningOp()->getBlock() && !isChained(op) &&
         op->getNumResults() > 0 &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) {
                        return operand == fold ||
                               operand.getDefiningOp<ConstantOp>();
                      }) &&
         llvm::all_of(op->getResults(), [&](Value result) {
           return getShape(result) == getShape(fold) &&
                  (op->getNumResults() > 1 || !isInlined(result));
         });
}

static bool isInlinedFold(Value tile) {
  auto op = tile.getDefiningOp<OperatorOpInterface>();
  return op && !isChained(op) && !keepsRows(op) && getFold(op) &&
         tile.hasOneUse() && finishesFold(*tile.user_begin(), tile);
}

Operation *mirage::getInlinedFold(Operation *op) {
  for (Value operand : op->getOperands())
    if (isInlinedFold(operand))
      return operand.getDefiningOp();
  return nullptr;
}

bool mirage::isInlined(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (!op || !isa<TileType>(tile.getType()))
    return false;
  if (isChained(op))
    return true;
  if (keepsRows(op))
    return false;
  if (isInlinedFold(tile))
    return true;
  if (llvm::any_of(op->getUsers(), isSink))
    return false;
  if (isMovement(op))
    return true;
  auto graph = dyn_cast<block::GraphDefinedOp>(op);
  if (!graph || graph.getOutputs().size() != 1 || !tile.hasOneUse())
    return false;
  Operation *user = *tile.user_begin();
  // What is the same in each iteration is computed once.
  if (user->getBlock() != op->getBlock() ||
      (isInvariant(op) && !isInvariant(user)))
    return false;
  if (isReduction(user))
    return true;
  // Tensor cores read an element once or twice; other products more often.
  return isLight(graph) && getTensorCoreUse(user).has_value();
}

int64_t mirage::getElementWork(Operation *op) {
  constexpr int64_t kSpecialFunction = 4;
  llvm::SetVector<Operation *> makers;
  makers.insert(op);
  int64_t work = 0;
  for (size_t i = 0; i < makers.size(); ++i) {
    makers[i]->walk([&](OperatorOpInterface inner) {
      work += getCost(inner).specialFunctions ? kSpecialFunction : 1;
    });
    for (Value operand : makers[i]->getOperands())
      if (isInlined(operand))
        makers.insert(operand.getDefiningOp());
  }
  return std::max<int64_t>(work, 1);
}

int64_t mirage::getElementSplit(Operation *op) {
  if (op->getNumResults() == 0 ||
      llvm::any_of(op->getUsers(), llvm::IsaPred<block::OutputSaver>))
    return 0;
  auto tile = dyn_cast<TileType>(op->getResult(0).getType());
  return tile ? getElementSplit(tile.getShape()) : 0;
}

SmallVector<Operation *> mirage::getReaders(Value tile) {
  llvm::SetVector<Operation *> users(tile.user_begin(), tile.user_end()),
      readers;
  for (size_t i = 0; i < users.size(); ++i) {
    Operation *user = users[i];
    if (isChained(user)) {
      // All of a chain runs as a part of one product. The others read their
      // operands in their own way.
      if (std::optional<RowChain> chain = getRowChain(user))
        readers.insert(chain->getRunner());
      if (beginsChain(user) || endsChain(user))
        readers.insert(user);
    } else if (user->getNumResults() == 1 && isInlined(user->getResult(0))) {
      users.insert_range(user->getUsers());
    } else {
      readers.insert(user);
    }
  }
  return readers.takeVector();
}

SmallVector<Value> mirage::getTilesRead(Operation *op) {
  llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
  if (runsChain(op)) {
    RowChain chain = *getRowChain(op);
    for (Operation *other : chain.ops)
      operands.insert_range(other->getOperands());
    for (OperatorOpInterface product :
         llvm::concat<OperatorOpInterface>(chain.firsts, chain.lasts))
      operands.insert_range(product->getOperands());
  }
  SmallVector<Value> tiles;
  for (size_t i = 0; i < operands.size(); ++i) {
    Value operand = operands[i];
    if (isInlined(operand))
      operands.insert_range(operand.getDefiningOp()->getOperands());
    else if (isa<TileType>(operand.getType()) &&
             !(operand.getDefiningOp() &&
               isMadeWhereRead(operand.getDefiningOp())))
      tiles.push_back(operand);
  }
  return tiles;
}

Type mirage::getReadType(Value tile) {
  // Of movements of several tiles, to which many paths may lead.
  llvm::DenseMap<Value, Type> known;
  auto get = [&](auto &self, Value of) -> Type {
    Operation *op = of.getDefiningOp();
    Type own = getElementTypeOrSelf(of.getType());
    if (!isMovement(op) || !isInlined(of))
      return own;
    if (Type type = known.lookup(of))
      return type;
    Type type = self(self, op->getOperand(0));
    for (Value operand : op->getOperands().drop_front())
      if (self(self, operand) != type)
        type = own;
    return known[of] = type;
  };
  return get(get, tile);
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

bool mirage::isStreamed(block::LoopOp loop) {
  Block &body = loop.getBody().front();
  auto accumulators = cast<block::AccumulateOp>(body.getTerminator());
  for (unsigned i = 0, e = accumulators.getTiles().size(); i < e; ++i)
    if (accumulators.getKind(i) == block::AccumulatorKind::Concat)
      return false;
  return llvm::all_of(body.without_terminator(),
                      [](Operation &op) { return variesInLoop(&op); });
}

bool mirage::isStreamed(Operation *op) {
  auto loop = dyn_cast<block::LoopOp>(op->getParentOp());
  return isa<block::InputIterator>(op) && loop && isStreamed(loop);
}

/// Whether somebody takes the elements of an op's results from registers.
static bool goesToSinks(Operation *op) {
  return llvm::any_of(op->getUses(), [](OpOperand &use) {
    return isSink(use.getOwner()) && !isRescaled(use);
  });
}

bool mirage::isHoisted(Operation *op) {
  llvm::SetVector<Operation *> makers;
  makers.insert(op);
  for (size_t i = 0; i < makers.size(); ++i) {
    Operation *maker = makers[i];
    if (!isa<block::LoopOp>(maker->getParentOp()) || !isStaged(maker) ||
        isMadeWhereRead(maker) || goesToSinks(maker) || variesInLoop(maker))
      return false;
    if (isa<block::InputIterator>(maker))
      continue;
    SmallVector<Value> tiles = getTilesRead(maker);
    if (tiles.empty())
      return false;
    for (Value tile : tiles)
      makers.insert(tile.getDefiningOp());
  }
  return true;
}

bool mirage::canLoadAhead(Operation *op) {
  return variesInLoop(op) && !op->use_empty() && getAsyncPiece(op) > 0;
}

static ArrayRef<int64_t> getGridOf(Operation *op) {
  return op->getParentOfType<BlockGraphOpInterface>().getGrid().getSizes();
}

int64_t mirage::getStartMultiple(block::InputIterator input) {
  return getRowStart(getShape(input.getTensor()), getShape(input.getTile()),
                     input.getImap().getDims(), getGridOf(input),
                     input.getFmap() ? input.getFmap()->getDim() : kReplica);
}

int64_t mirage::getStartMultiple(block::OutputSaver saver) {
  return getRowStart(cast<ShapedType>(saver.getType()).getShape(),
                     getShape(saver.getTile()), saver.getOmap().getDims(),
                     getGridOf(saver));
}

int64_t mirage::getAsyncPiece(Operation *op) {
  auto input = dyn_cast<block::InputIterator>(op);
  if (!input || goesToSinks(input) || isStreamed(op))
    return 0;
  TensorView tensor = getTensorView(input.getTensor());
  auto tile = cast<TileType>(input.getTile().getType());
  if (tile.getShape().empty())
    return 0;
  int64_t size = tile.getElementTypeBitWidth() / 8;
  for (int64_t bytes : {16, 8, 4})
    if (getStartMultiple(input) * size % bytes == 0 &&
        tensor.getShape().back() * size % bytes == 0 &&
        tensor.offsets.back() * size % bytes == 0)
      return bytes;
  return 0;
}
