//===- Mirage.cpp - The base dialect and its op ---------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Mirage/Dialect/Mirage/FoldScratch.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Dialect/Mirage/SummedProducts.h"
#include "Mirage/Dialect/Mirage/TensorView.h"
#include "Mirage/Operators/ShapeText.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mirage;

#include "Mirage/Dialect/Mirage/Dialect.cpp.inc"
#include "Mirage/Dialect/Mirage/Interfaces.cpp.inc"

#define GET_OP_CLASSES
#include "Mirage/Dialect/Mirage/Ops.cpp.inc"

void MirageDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "Mirage/Dialect/Mirage/Ops.cpp.inc"
      >();
}

/// Where the last of the tiles ends that have places in a plan; 0 if none has.
static int64_t getEndOfPlaces(Block &blockGraph) {
  int64_t end = 0;
  blockGraph.walk([&](Operation *op) {
    auto offsets = op->getAttrOfType<DenseI64ArrayAttr>(kOffsetsAttr);
    if (!offsets)
      return;
    for (auto [offset, result] :
         llvm::zip(offsets.asArrayRef(), op->getResults()))
      if (auto tile = dyn_cast<TileType>(result.getType()); tile && offset >= 0)
        end = std::max(end, offset + getTileBytes(tile));
  });
  return end;
}

/// `mirage.target` on a module is a promise that its graphs fit the target
/// (validity, rule 2): checked whenever the module is verified.
LogicalResult
MirageDialect::verifyOperationAttribute(Operation *op,
                                        NamedAttribute attribute) {
  if (attribute.getName() != kTargetAttr)
    return verifyPlanAttribute(op, attribute);
  auto target = dyn_cast<TargetAttr>(attribute.getValue());
  if (!target || !isa<ModuleOp>(op))
    return op->emitOpError()
           << "'" << kTargetAttr << "' must be a #mirage.target on a module";
  WalkResult result = op->walk([&](BlockGraphOpInterface graph) {
    // Attributes are verified before what is inside of the op.
    if (graph->getNumRegions() != 1 || graph->getRegion(0).empty())
      return WalkResult::advance();
    Block &blockGraph = graph->getRegion(0).front();
    // A plan has them in each other's places, and says how many it takes.
    auto planned = graph->getAttrOfType<IntegerAttr>(kSharedBytesAttr);
    const int64_t end = getEndOfPlaces(blockGraph);
    const int64_t bytes = planned && end > 0 ? std::max(planned.getInt(), end)
                                             : getSharedBytes(blockGraph);
    if (bytes <= target.getSharedBytes())
      return WalkResult::advance();
    graph->emitOpError() << "has tiles of " << bytes
                         << " bytes, but a block of " << target.getChip()
                         << " has " << target.getSharedBytes()
                         << " bytes of shared memory";
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  result = op->walk<WalkOrder::PreOrder>([&](Block *block) {
    int64_t bytes = getDeviceBytes(*block);
    if (bytes <= target.getDeviceBytes())
      return WalkResult::advance();
    block->getParentOp()->emitOpError()
        << "has tensors of " << bytes << " bytes, but " << target.getChip()
        << " has " << target.getDeviceBytes() << " bytes of device memory";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult ConstantOp::verify() {
  // C1
  if (cast<ShapedType>(getType()).getRank() != 0)
    return emitOpError("must have a result of rank 0, found ") << getType();
  // C2
  if (!getValue().isFinite())
    return emitOpError("must have a finite value");
  return success();
}

llvm::APFloat ConstantOp::getRoundedValue() {
  auto type = cast<FloatType>(getElementTypeOrSelf(getType()));
  llvm::APFloat value = getValue();
  bool losesInfo;
  for (const llvm::fltSemantics *semantics :
       {&type.getFloatSemantics(), &llvm::APFloat::IEEEsingle()})
    value.convert(*semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value;
}

//===----------------------------------------------------------------------===//
// Operators at a level
//===----------------------------------------------------------------------===//

std::optional<int64_t> mirage::getUnevenPart(int64_t size, int64_t parts) {
  if (size % parts == 0)
    return std::nullopt;
  // Rows of a product on tensor cores.
  constexpr int64_t kMultiple = 16;
  const int64_t least = llvm::divideCeil(size, parts);
  for (int64_t part : {llvm::alignTo(least, kMultiple), uint64_t(least)})
    if (static_cast<int64_t>(part) < size &&
        (parts - 1) * static_cast<int64_t>(part) < size)
      return part;
  return std::nullopt;
}

int64_t mirage::getRowStart(ArrayRef<int64_t> tensor, ArrayRef<int64_t> tile,
                            ArrayRef<int64_t> map, ArrayRef<int64_t> grid,
                            int64_t fmap) {
  if (tile.empty())
    return 1;
  const int64_t last = tile.size() - 1;
  int64_t extent = tensor.back();
  // The grid divides what the loop cuts.
  if (fmap == last)
    for (auto [dim, count] : llvm::zip_equal(map, grid))
      if (dim == last)
        extent /= count;
  return std::gcd(tile.back(), extent);
}

StringRef mirage::getGridDimName(unsigned dim) {
  static constexpr StringLiteral names[] = {"x", "y", "z", "w"};
  static_assert(std::size(names) == kMaxGridDims);
  return names[dim];
}

std::array<int64_t, 3> mirage::getLaunchSizes(llvm::ArrayRef<int64_t> grid) {
  std::array<int64_t, 3> sizes = {1, 1, 1};
  for (auto [dim, size] : llvm::enumerate(grid))
    sizes[std::min(dim, sizes.size() - 1)] *= size;
  return sizes;
}

bool mirage::canLaunch(llvm::ArrayRef<int64_t> grid) {
  return llvm::all_of(llvm::zip_equal(getLaunchSizes(grid), kMaxGridSizes),
                      [](auto pair) {
                        auto [size, most] = pair;
                        return size <= most;
                      });
}

StringRef mirage::getDialectName(Level level) {
  switch (level) {
  case Level::Kernel:
    return "mirage_kernel";
  case Level::Block:
    return "mirage_block";
  case Level::Thread:
    return "mirage_thread";
  }
  llvm_unreachable("covered switch");
}

ShapedType mirage::getTensorType(Level level, ArrayRef<int64_t> shape,
                                 Type elementType) {
  switch (level) {
  case Level::Kernel:
    return RankedTensorType::get(shape, elementType);
  case Level::Block:
    return TileType::get(elementType.getContext(), shape, elementType);
  case Level::Thread:
    return FragmentType::get(elementType.getContext(), shape, elementType);
  }
  llvm_unreachable("covered switch");
}

Operation *mirage::buildOperator(OpBuilder &builder, Location loc, Level level,
                                 const Operator &semantics,
                                 const Params &params, ValueRange operands,
                                 Type elementType) {
  SmallVector<Shape> shapes;
  for (Value operand : operands)
    shapes.emplace_back(cast<ShapedType>(operand.getType()).getShape());
  Shape shape;
  bool valid = semantics.inferShape(shapes, params, shape);
  assert(valid && "operands must be checked before");
  (void)valid;

  OperationState state(
      loc, (getDialectName(level) + "." + semantics.getName()).str());
  state.addOperands(operands);
  state.addTypes(getTensorType(level, shape, elementType));
  semantics.writeParams(state, params);
  return builder.create(state);
}

SmallVector<const Operator *> mirage::getOperatorsOfLevel(MLIRContext *context,
                                                          Level level) {
  SmallVector<const Operator *> operators;
  // getRegisteredOperationsByDialect searches a list that MLIR 22 sorts the
  // other way round, and finds nothing once several dialects are loaded.
  for (RegisteredOperationName name : context->getRegisteredOperations()) {
    if (name.getDialectNamespace() != getDialectName(level))
      continue;
    if (auto *interface = name.getInterface<OperatorOpInterface>())
      operators.push_back(&interface->getSemantics());
  }
  llvm::sort(operators, [](const Operator *a, const Operator *b) {
    return a->getName() < b->getName();
  });
  return operators;
}

LogicalResult mirage::detail::verifyOperator(Operation *op,
                                             const Operator &semantics) {
  SmallVector<Shape> shapes;
  for (Value operand : op->getOperands())
    shapes.emplace_back(cast<ShapedType>(operand.getType()).getShape());
  Shape shape;
  std::string error;
  // C1
  if (!semantics.inferShape(shapes, semantics.readParams(op), shape, &error))
    return op->emitOpError() << error;
  // C2
  auto type = cast<ShapedType>(op->getResult(0).getType());
  if (type.getShape() != ArrayRef<int64_t>(shape))
    return op->emitOpError()
           << "has a result of shape " << getShapeText(type.getShape())
           << ", but its operands give " << getShapeText(shape);
  return success();
}

int64_t mirage::getTileBytes(TileType tile) {
  return llvm::alignTo(tile.getNumElements() * tile.getElementTypeBitWidth() /
                           8,
                       kTileAlignment);
}

/// Whether an op of a block graph that may not have been verified is a loop,
/// whose region ends with its accumulators, or a thread graph.
static bool hasBody(Operation *op, bool endsWithAccumulators) {
  return op->getNumRegions() == 1 && !op->getRegion(0).empty() &&
         !op->getRegion(0).front().empty() &&
         isa<ScratchOpInterface>(op->getRegion(0).front().back()) ==
             endsWithAccumulators;
}
static bool isLoop(Operation *op) { return hasBody(op, true); }
static bool isThreadGraph(Operation *op) { return hasBody(op, false); }

/// Whether a loop accumulates result i in registers: what is of a row chain, or
/// the product as a part of which it runs, which has no mark, but multiplies
/// what has.
static bool isSumOfChain(Operation *loop, unsigned i) {
  Operation &accumulators = loop->getRegion(0).front().back();
  if (i >= accumulators.getNumOperands())
    return false;
  auto isChained = [](Value tile) {
    return tile.getDefiningOp() && tile.getDefiningOp()->hasAttr(kChainedAttr);
  };
  Value tile = accumulators.getOperand(i);
  return isChained(tile) ||
         (tile.getDefiningOp() &&
          llvm::any_of(tile.getDefiningOp()->getOperands(), isChained));
}

/// Whether a tile is moved alone, for readers that make tiles, and so is read
/// where it was.
static bool isView(Operation *op) {
  auto semantics = dyn_cast_or_null<OperatorOpInterface>(op);
  return semantics && semantics.getSemantics().isMovement() &&
         llvm::none_of(op->getUsers(), [](Operation *user) {
           return llvm::none_of(user->getResultTypes(),
                                [](Type type) { return isa<TileType>(type); });
         });
}

/// Whether tensor cores compute an op: a product of matrices, one of which has
/// 16 bits where it is.
static bool isOnTensorCores(Operation *op) {
  auto semantics = dyn_cast_or_null<OperatorOpInterface>(op);
  if (!semantics || semantics.getSemantics().getMatrixProducts().empty())
    return false;
  return llvm::any_of(op->getOperands(), [](Value operand) {
    while (isView(operand.getDefiningOp()) &&
           operand.getDefiningOp()->getNumOperands() == 1)
      operand = operand.getDefiningOp()->getOperand(0);
    auto type = dyn_cast<TileType>(operand.getType());
    return type && type.getElementTypeBitWidth() == 16;
  });
}

/// The products that stay in registers on their way to the sums that a loop
/// rescales.
static llvm::DenseSet<Value> findProductsInRegisters(Block &blockGraph) {
  llvm::DenseSet<Value> result;
  blockGraph.walk([&](ScratchOpInterface loopEnd) {
    SmallVector<SummedProduct> products;
    SmallVector<Value> rescaled;
    for (auto [tile, isRescaled] : loopEnd.getSums()) {
      auto op = dyn_cast_or_null<OperatorOpInterface>(tile.getDefiningOp());
      auto type = dyn_cast<TileType>(tile.getType());
      if (!op || !type || !tile.hasOneUse() ||
          op.getSemantics().getMatrixProducts().empty())
        continue;
      products.push_back({type.getShape(), isRescaled});
      if (isRescaled && isOnTensorCores(op))
        rescaled.push_back(tile);
    }
    if (haveRoomInRegisters(products))
      result.insert_range(rescaled);
  });
  return result;
}

int64_t mirage::getSharedBytes(Block &blockGraph) {
  // Elementwise operators run in registers, right behind the last of their
  // operands: at the stage of that one, where every other operator opens a new
  // stage. What they hand to each other within a stage is in no memory.
  auto isElementwise = [](Operation *op) {
    auto semantics = dyn_cast_or_null<OperatorOpInterface>(op);
    return semantics && semantics.getSemantics().isElementwise();
  };
  llvm::DenseMap<Operation *, unsigned> stages;
  // Of ops that may not have been verified.
  auto haveOneShape = [](Operation *a, Operation *b) {
    auto getType = [](Operation *op) {
      return op->getNumResults() == 1
                 ? dyn_cast<ShapedType>(op->getResult(0).getType())
                 : ShapedType();
    };
    ShapedType first = getType(a), second = getType(b);
    return first && second && first.getShape() == second.getShape();
  };
  // A sum or maximum computes what it alone reads, if that is no part of what
  // others read.
  auto isFolded = [&](Value value, Operation *reader) {
    auto semantics = dyn_cast<OperatorOpInterface>(reader);
    Operation *op = value.getDefiningOp();
    if (!semantics || !semantics.getSemantics().isReduction() ||
        !value.hasOneUse() || op->getBlock() != reader->getBlock())
      return false;
    if (!isElementwise(op))
      return isThreadGraph(op) && op->getNumResults() == 1;
    return llvm::none_of(op->getOperands(), [&](Value operand) {
      return isElementwise(operand.getDefiningOp()) &&
             stages.lookup(operand.getDefiningOp()) == stages.lookup(op) &&
             haveOneShape(operand.getDefiningOp(), op);
    });
  };
  llvm::DenseSet<Value> stored, folded,
      added = findProductsInRegisters(blockGraph);
  blockGraph.walk<WalkOrder::PreOrder>([&](Operation *op) {
    unsigned stage = 0;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        stage = std::max(stage, stages.lookup(producer) + !isElementwise(op));
    stages[op] = stage;
    bool hasTiles = llvm::any_of(op->getResultTypes(),
                                 [](Type type) { return isa<TileType>(type); });
    auto scratch = dyn_cast<ScratchOpInterface>(op);
    // What is loaded goes to shared memory, whoever reads it.
    if (hasTiles && llvm::any_of(op->getOperandTypes(), [](Type type) {
          return isa<RankedTensorType>(type);
        }))
      stored.insert(op->result_begin(), op->result_end());
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer)
        continue;
      bool isFused = isElementwise(op) && isElementwise(producer) &&
                     stages.lookup(producer) == stage &&
                     haveOneShape(producer, op);
      // What is rescaled is read when the tiles of an iteration are complete.
      bool isSink =
          !hasTiles && !(scratch && !scratch.getScratchTypes().empty());
      if (!isFused && !isSink)
        (isFolded(operand, op) ? folded : stored).insert(operand);
    }
  });
  int64_t bytes = 0;
  blockGraph.walk([&](Operation *op) {
    // What is of a row chain is in registers.
    if (isMadeWhereRead(op) || isView(op) || op->hasAttr(kChainedAttr))
      return;
    // The results of a loop are kept from iteration to iteration.
    for (Value result : op->getResults())
      if (auto tile = dyn_cast<TileType>(result.getType())) {
        if (added.contains(result))
          continue;
        if (stored.contains(result) ||
            (isLoop(op) &&
             !isSumOfChain(op, cast<OpResult>(result).getResultNumber())))
          bytes += getTileBytes(tile);
        else if (folded.contains(result))
          bytes += std::min(getTileBytes(tile), kFoldScratchBytes);
      }
    if (auto scratch = dyn_cast<ScratchOpInterface>(op))
      for (TileType tile : scratch.getScratchTypes())
        bytes += getTileBytes(tile);
  });
  return bytes;
}

int64_t mirage::getDeviceBytes(Block &kernelGraph) {
  // Many tensors of the largest size could overflow.
  uint64_t bytes = 0;
  auto add = [&](Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        tensor && isSupportedTensor(tensor))
      bytes = llvm::SaturatingAdd<uint64_t>(
          bytes, tensor.getNumElements() * tensor.getElementTypeBitWidth() / 8);
  };
  bool isKernelGraph = false;
  for (Operation &op : kernelGraph) {
    if (op.getName().getDialectNamespace() != getDialectName(Level::Kernel))
      continue;
    isKernelGraph = true;
    if (isReinterpretation(&op) || isInPlace(&op))
      continue;
    for (Type type : op.getResultTypes())
      add(type);
  }
  for (Type type : kernelGraph.getArgumentTypes())
    add(type);
  return isKernelGraph
             ? std::min<uint64_t>(bytes, std::numeric_limits<int64_t>::max())
             : 0;
}
