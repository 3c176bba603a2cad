//===- TensorCopyPatterns.cpp - Copies of boxes of tensors ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCalls.h"
#include "Mirage/Conversion/NVVMToHost/HostABI.h"
#include "Mirage/Dialect/Mirage/TensorMap.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mirage;

namespace {

/// Adds the number of coordinates, and as many as a tensor map has at most.
void addCoordinates(OpBuilder &b, Location loc, ValueRange coordinates,
                    SmallVectorImpl<Value> &operands) {
  operands.push_back(
      constantI32(b, loc, static_cast<int32_t>(coordinates.size())));
  llvm::append_range(operands, coordinates);
  for (size_t i = coordinates.size(); i < tensor_map::kMaxRank; ++i)
    operands.push_back(constantI32(b, loc, 0));
}

struct ConvertTensorLoad
    : HostCallPattern<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult
  matchAndRewrite(NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp op,
                  PatternRewriter &rewriter) const override {
    if (op.getMode() != NVVM::TMALoadMode::TILE || op.getPredicate() ||
        op.getGroup() || op.getCoordinates().size() > tensor_map::kMaxRank)
      return failure();
    SmallVector<Value> operands{op.getDstMem(), op.getTmaDescriptor(),
                                op.getMbar()};
    operands.push_back(widenMask(rewriter, op.getLoc(), op.getMulticastMask()));
    addCoordinates(rewriter, op.getLoc(), op.getCoordinates(), operands);
    callVoid(rewriter, op, host_abi::kTensorLoad, operands);
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertTensorStore
    : HostCallPattern<NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getMode() != NVVM::TMAStoreMode::TILE || op.getPredicate() ||
        op.getCoordinates().size() > tensor_map::kMaxRank)
      return failure();
    SmallVector<Value> operands{op.getTmaDescriptor(), op.getSrcMem()};
    addCoordinates(rewriter, op.getLoc(), op.getCoordinates(), operands);
    callVoid(rewriter, op, host_abi::kTensorStore, operands);
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertBulkCommit : HostCallPattern<NVVM::CpAsyncBulkCommitGroupOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::CpAsyncBulkCommitGroupOp op,
                                PatternRewriter &rewriter) const override {
    callHost(module, rewriter, op.getLoc(), host_abi::kBulkCommit,
             LLVM::LLVMVoidType::get(rewriter.getContext()), {});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertBulkWait : HostCallPattern<NVVM::CpAsyncBulkWaitGroupOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::CpAsyncBulkWaitGroupOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    callHost(module, rewriter, loc, host_abi::kBulkWait,
             LLVM::LLVMVoidType::get(rewriter.getContext()),
             {constantI32(rewriter, loc, op.getGroup()),
              constantI32(rewriter, loc, op.getRead().value_or(false))});
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mirage::populateTensorCopyPatterns(ModuleOp module, OpTable &ops,
                                        RewritePatternSet &patterns) {
  patterns.add<ConvertTensorLoad, ConvertTensorStore, ConvertBulkCommit,
               ConvertBulkWait>(module, ops);
}
