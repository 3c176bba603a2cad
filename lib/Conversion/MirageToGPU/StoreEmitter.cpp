//===- StoreEmitter.cpp - Tiles that the TMA stores -----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitterImpl.h"
#include "Mirage/BlockPlan/BoxCopies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mirage;
using namespace mlir;

void KernelEmitterImpl::storeBoxes(block::OutputSaver saver) {
  std::optional<BoxCopies> copies = getBoxCopies(saver);
  ArrayRef<Value> offsets = outputOffsets[saver];
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        threadId, makeIndex(0));
  emitIf(isFirst, [&] {
    for (const BoxCopies::Box &box : copies->boxes) {
      Value from = getSharedAddress(
          makeIndex(plan.offsets.lookup(saver.getTile()) + box.offset));
      NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
          builder, loc, tensorMaps[saver], from,
          getBoxCoordinates(*copies, box, offsets),
          /*l2CacheHint=*/Value(), NVVM::TMAStoreMode::TILE,
          /*predicate=*/Value());
    }
    // Others may store to the tile's place behind the next barrier, and the
    // block's memory must not go before it is read.
    NVVM::CpAsyncBulkCommitGroupOp::create(builder, loc);
    NVVM::CpAsyncBulkWaitGroupOp::create(builder, loc,
                                         builder.getI32IntegerAttr(0),
                                         /*read=*/builder.getUnitAttr());
  });
}
