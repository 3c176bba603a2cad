//===- PlanAttributes.cpp - What the μGraph optimizer writes --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Layout/TileLayout.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mirage;
using namespace mlir;

static bool isInBlockGraph(Operation *op) {
  return op->getParentOfType<BlockGraphOpInterface>() != nullptr;
}

/// Whether an op brings a tile of a kernel tensor, another in each iteration.
static bool isLoopedLoad(Operation *op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  return isInBlockGraph(op) && !isa<BlockGraphOpInterface>(op->getParentOp()) &&
         op->getNumResults() == 1 &&
         llvm::any_of(op->getOperandTypes(), isTensor);
}

static LogicalResult verifyInteger(Operation *op, NamedAttribute attribute,
                                   int64_t least, int64_t most) {
  auto integer = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!integer || !integer.getType().isInteger(64))
    return op->emitOpError()
           << "'" << attribute.getName().getValue()
           << "' must be an i64, found " << attribute.getValue();
  if (integer.getInt() < least || integer.getInt() > most)
    return op->emitOpError()
           << "'" << attribute.getName().getValue() << "' must be from "
           << least << " to " << most << ", found " << integer.getInt();
  return success();
}

static LogicalResult verifyArray(Operation *op, NamedAttribute attribute,
                                 int64_t least, int64_t most) {
  auto array = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
  if (!array)
    return op->emitOpError()
           << "'" << attribute.getName().getValue()
           << "' must be an array<i64>, found " << attribute.getValue();
  for (int64_t value : array.asArrayRef())
    if (value < least || value > most)
      return op->emitOpError() << "'" << attribute.getName().getValue()
                               << "' must hold values from " << least << " to "
                               << most << ", found " << value;
  return success();
}

static LogicalResult verifyLayouts(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  auto array = dyn_cast<ArrayAttr>(attribute.getValue());
  if (!array || !llvm::all_of(array, llvm::IsaPred<StringAttr>))
    return op->emitOpError() << "'" << name << "' must be an array of strings, "
                             << "found " << attribute.getValue();
  if (array.size() != op->getNumResults())
    return op->emitOpError()
           << "'" << name << "' has " << array.size() << " values, but the op "
           << op->getNumResults() << " results";
  for (auto [layoutName, type] :
       llvm::zip_equal(array.getAsRange<StringAttr>(), op->getResultTypes())) {
    auto tile = dyn_cast<TileType>(type);
    if (!tile)
      return op->emitOpError()
             << "'" << name << "' is of tiles, found a result "
             << "of type " << type;
    std::optional<TileLayout> layout =
        getNamedLayout(layoutName.getValue(), tile.getShape(),
                       tile.getElementTypeBitWidth() / 8);
    if (!layout)
      return op->emitOpError() << "'" << name << "' has no layout '"
                               << layoutName.getValue() << "'";
    if (layout->isPermuted() && layout->linesBytes == 0 &&
        layout->getRowBytes() % layout->swizzleBytes != 0)
      return op->emitOpError()
             << "'" << name << "' has '" << layoutName.getValue()
             << "' for a tile with rows of " << layout->getRowBytes()
             << " bytes, no multiple of " << layout->swizzleBytes;
    if (!layout->isValid())
      return op->emitOpError()
             << "'" << name << "' has '" << layoutName.getValue()
             << "' for a tile of " << layout->getBytes()
             << " bytes, no multiple of 128";
  }
  return success();
}

LogicalResult mirage::verifyPlanAttribute(Operation *op,
                                          NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kSharedBytesAttr) {
    if (!isa<BlockGraphOpInterface>(op))
      return op->emitOpError()
             << "'" << name << "' must stand on a graph-defined kernel";
    return verifyInteger(op, attribute, 0, kMaxPlanBytes);
  }
  if (name == kThreadsAttr) {
    if (!isa<BlockGraphOpInterface>(op))
      return op->emitOpError()
             << "'" << name << "' must stand on a graph-defined kernel";
    if (failed(verifyInteger(op, attribute, kWarpSize, kMaxBlockThreads)))
      return failure();
    if (cast<IntegerAttr>(attribute.getValue()).getInt() % kWarpSize != 0)
      return op->emitOpError()
             << "'" << name << "' must be a multiple of " << kWarpSize;
    return success();
  }
  if (name == kClusterAttr) {
    if (!isa<BlockGraphOpInterface>(op))
      return op->emitOpError()
             << "'" << name << "' must stand on a graph-defined kernel";
    if (failed(verifyArray(op, attribute, 1, kMaxClusterBlocks)))
      return failure();
    int64_t blocks = 1;
    for (int64_t size :
         cast<DenseI64ArrayAttr>(attribute.getValue()).asArrayRef())
      if ((blocks *= size) > kMaxClusterBlocks)
        return op->emitOpError() << "'" << name << "' must be clusters of at "
                                 << "most " << kMaxClusterBlocks << " blocks";
    return success();
  }
  if (name == kStagesAttr) {
    if (!isLoopedLoad(op))
      return op->emitOpError()
             << "'" << name << "' must stand on an input iterator of a loop";
    return verifyInteger(op, attribute, 1, kMaxStages);
  }
  if (name == kChainedAttr || name == kKeptRowsAttr) {
    bool isOnKernel = name == kKeptRowsAttr;
    if (isOnKernel ? !isa<BlockGraphOpInterface>(op) : !isInBlockGraph(op))
      return op->emitOpError() << "'" << name << "' must stand on "
                               << (isOnKernel ? "a graph-defined kernel"
                                              : "an op of a block graph");
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitOpError() << "'" << name << "' must be a unit, found "
                               << attribute.getValue();
    return success();
  }
  if (name == kProducerWarpAttr || name == kOverlappedAttr ||
      name == kWarpgroupsAttr || name == kNarrowedAttr ||
      name == kBulkStoreAttr || name == kWholeDepthAttr) {
    bool isOnLoop = name == kProducerWarpAttr || name == kOverlappedAttr;
    if (!isInBlockGraph(op) || op->getNumRegions() != (isOnLoop ? 1 : 0))
      return op->emitOpError()
             << "'" << name << "' must stand on "
             << (isOnLoop ? "a loop" : "an operator") << " of a block graph";
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitOpError() << "'" << name << "' must be a unit, found "
                               << attribute.getValue();
    return success();
  }
  if (name != kDepthAttr && name != kScratchBytesAttr &&
      name != kTileBytesAttr && name != kTileAlignmentsAttr &&
      name != kOffsetsAttr && name != kLayoutsAttr)
    return success();
  if (!isInBlockGraph(op))
    return op->emitOpError()
           << "'" << name << "' must stand on an op of a block graph";
  if (name == kDepthAttr)
    return verifyInteger(op, attribute, 0, std::numeric_limits<int32_t>::max());
  if (name == kScratchBytesAttr)
    return verifyInteger(op, attribute, 0, kMaxPlanBytes);
  if (name == kLayoutsAttr)
    return verifyLayouts(op, attribute);
  if (name == kOffsetsAttr)
    return verifyArray(op, attribute, -1, kMaxPlanBytes);
  bool isAlignment = name == kTileAlignmentsAttr;
  if (failed(verifyArray(op, attribute, isAlignment ? kTileAlignment : 0,
                         isAlignment ? kMaxTileAlignment : kMaxPlanBytes)))
    return failure();
  auto values = cast<DenseI64ArrayAttr>(attribute.getValue());
  if (values.size() != op->getNumResults())
    return op->emitOpError()
           << "'" << name << "' has " << values.size() << " values, but the op "
           << op->getNumResults() << " results";
  for (int64_t value : values.asArrayRef())
    if (isAlignment && !llvm::isPowerOf2_64(value))
      return op->emitOpError()
             << "'" << name << "' must hold powers of two, found " << value;
  return success();
}
