//===- CopyEmitter.cpp - Loads of tiles -----------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitterImpl.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <numeric>

using namespace mirage;
using namespace mlir;

SmallVector<Value> KernelEmitterImpl::getTileOffsets(block::InputIterator input,
                                                     Value iteration) {
  auto tile = cast<ShapedType>(input.getTile().getType());
  // First the grid cuts, then the loop.
  SmallVector<int64_t> parts(tile.getShape());
  int64_t loopDim = input.getFmap() ? input.getFmap()->getDim() : kReplica;
  int64_t loopPart = 0, extent = 0;
  if (loopDim != kReplica) {
    loopPart = parts[loopDim];
    extent = parts[loopDim] = input.getExtentOfBlock(loopDim);
  }
  SmallVector<Value> offsets = getBlockOffsets(
      input.getImap().getDims(),
      cast<ShapedType>(input.getTensor().getType()).getShape(), parts);
  if (loopDim != kReplica) {
    Value step = mul(iteration, loopPart);
    // The last tile ends where they all do.
    if (extent % loopPart != 0)
      step = min(step, extent - loopPart);
    Value &offset = offsets[loopDim];
    offset = offset ? add(offset, step) : step;
  }
  return offsets;
}

void KernelEmitterImpl::copyAsync(block::InputIterator input,
                                  const TileMemory &tile, Value iteration) {
  loc = input.getLoc();
  const TileMemory source = getInputMemory(input);
  auto type = cast<TileType>(input.getTile().getType());
  SmallVector<Value> offsets = getTileOffsets(input, iteration);
  int64_t piece = getAsyncPiece(input) / tile.getElementSize();
  forEachElement(
      type.getShape(),
      [&](ValueRange index) {
        // Pieces of 16 bytes pass by the L1 cache, which others don't fit.
        bool bypass = piece * tile.getElementSize() == 16;
        nvgpu::DeviceAsyncCopyOp::create(
            builder, loc,
            nvgpu::DeviceAsyncTokenType::get(builder.getContext()), tile.flat,
            ValueRange{tile.getPlace(builder, loc, index)}, source.flat,
            ValueRange{
                source.getPlace(builder, loc, addOffsets(offsets, index))},
            builder.getIndexAttr(piece), Value(),
            bypass ? builder.getUnitAttr() : UnitAttr());
      },
      piece, kMostAtOnce);
  isCopying = true;
  isCopyingForProxy |= readThroughProxy.contains(input.getTile());
}

void KernelEmitterImpl::commitCopies() {
  NVVM::CpAsyncCommitGroupOp::create(builder, loc);
}

void KernelEmitterImpl::waitForCopies(int64_t pending) {
  NVVM::CpAsyncWaitGroupOp::create(builder, loc, static_cast<int32_t>(pending));
  isCopying = pending > 0;
  needsProxyFence |= isCopyingForProxy;
  isCopyingForProxy &= isCopying;
}

void KernelEmitterImpl::emitInput(block::InputIterator input) {
  loc = input.getLoc();
  auto known = memory.find(input.getTile());
  if (getAsyncPiece(input) && known != memory.end())
    return copyAsync(input, TileMemory(known->second), iteration);

  // Through registers: somebody wants the elements, or rows are too short.
  const TileMemory source = getInputMemory(input);
  auto shape = cast<TileType>(input.getTile().getType()).getShape();
  SmallVector<Value> offsets = getTileOffsets(input, iteration);
  int64_t width = std::gcd(getWidth(shape), getStartMultiple(input));
  // The narrower they are, the more are on their way.
  const bool isNarrow = width * source.getElementSize() < 4;
  computeElements(
      shape, width, isNarrow ? kNarrowLoadsAtOnce : kMostAtOnce,
      [&](ValueRange index) {
        return SmallVector<Value>{source.load(builder, loc,
                                              addOffsets(offsets, index), width,
                                              /*raw=*/true)};
      },
      [&](ValueRange index, ArrayRef<Value> elements) {
        deliver(input.getTile(), elements[0], index);
      });
  noteStores(input.getTile());
}
