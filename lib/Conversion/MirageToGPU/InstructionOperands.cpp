//===- InstructionOperands.cpp - What instructions of PTX are told --------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of 32 bits, addresses and coordinates of boxes, in the types that ops
// of the NVVM dialect take; and what those of several emitters have in common.
//
//===----------------------------------------------------------------------===//

#include "IndexCode.h"
#include "KernelEmitterImpl.h"
#include "Mirage/BlockPlan/BoxCopies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mirage;
using namespace mlir;

Value KernelEmitterImpl::makeInt(Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), index);
}
Value KernelEmitterImpl::makeInt(int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

LLVM::LLVMPointerType KernelEmitterImpl::getClusterPointerType() const {
  constexpr auto kSpace =
      static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster);
  return LLVM::LLVMPointerType::get(builder.getContext(), kSpace);
}

static Value getAddress(OpBuilder &builder, Location loc, Value memref,
                        Value offset, unsigned space) {
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
  if (offset)
    address = addIndices(builder, loc, address, offset);
  Value bits =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  auto type = LLVM::LLVMPointerType::get(builder.getContext(), space);
  return LLVM::IntToPtrOp::create(builder, loc, type, bits);
}

Value KernelEmitterImpl::getSharedAddress(Value offset) {
  constexpr auto kShared = static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
  return getAddress(builder, loc, shared, offset, kShared);
}

Value KernelEmitterImpl::getMapAddress(Value map) {
  return getAddress(builder, loc, map, Value(), /*space=*/0);
}

SmallVector<Value>
KernelEmitterImpl::getBoxCoordinates(const BoxCopies &copies,
                                     const BoxCopies::Box &box,
                                     ArrayRef<Value> offsets) {
  // The innermost dimension first.
  SmallVector<Value> coordinates;
  for (size_t d = copies.dims.size(); d-- > 0;) {
    const int64_t begin = copies.origin[d] + box.first[d];
    Value start = offsets[copies.dims[d]];
    Value first = start ? add(start, begin) : makeIndex(begin);
    coordinates.push_back(makeInt(first));
  }
  return coordinates;
}

void KernelEmitterImpl::emitBarrier(int32_t id, int64_t numThreads) {
  NVVM::BarrierOp::create(builder, loc, Type(), makeInt(id),
                          makeInt(numThreads), NVVM::BarrierReductionAttr(),
                          Value());
}

void KernelEmitterImpl::emitProxyFence() {
  NVVM::FenceProxyOp::create(
      builder, loc, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(builder.getContext(),
                                 NVVM::SharedSpace::shared_cta));
  needsProxyFence = false;
}
