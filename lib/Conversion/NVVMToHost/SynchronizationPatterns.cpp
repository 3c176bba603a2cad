//===- SynchronizationPatterns.cpp - Barriers, asynchronous copies --------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCalls.h"
#include "Mirage/Conversion/NVVMToHost/HostABI.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mirage;

namespace {

/// Barrier 0 of the whole block.
struct ConvertBarrier0 : HostCallPattern<NVVM::Barrier0Op> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::Barrier0Op op,
                                PatternRewriter &rewriter) const override {
    Value zero = constantI32(rewriter, op.getLoc(), 0);
    callVoid(rewriter, op, host_abi::kBarrier, {zero, zero});
    rewriter.eraseOp(op);
    return success();
  }
};

/// A barrier with a number, of some of the threads. Those with a reduction are
/// not emulated.
struct ConvertBarrier : HostCallPattern<NVVM::BarrierOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::BarrierOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getReductionOp() || op.getNumResults())
      return failure();
    Value zero = constantI32(rewriter, op.getLoc(), 0);
    Value id = op.getBarrierId(), threads = op.getNumberOfThreads();
    callVoid(rewriter, op, host_abi::kBarrier,
             {id ? id : zero, threads ? threads : zero});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertBarrierArrive : HostCallPattern<NVVM::BarrierArriveOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::BarrierArriveOp op,
                                PatternRewriter &rewriter) const override {
    Value id = op.getBarrierId();
    if (!id)
      id = constantI32(rewriter, op.getLoc(), 0);
    callVoid(rewriter, op, host_abi::kBarrierArrive,
             {id, op.getNumberOfThreads()});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertSyncWarp : HostCallPattern<NVVM::SyncWarpOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::SyncWarpOp op,
                                PatternRewriter &rewriter) const override {
    callVoid(rewriter, op, host_abi::kSyncWarp, op.getMask());
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertAsyncCopy : HostCallPattern<NVVM::CpAsyncOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::CpAsyncOp op,
                                PatternRewriter &rewriter) const override {
    Value bytes = constantI32(rewriter, op.getLoc(), op.getSize());
    Value sourceBytes = op.getCpSize() ? op.getCpSize() : bytes;
    Value argument =
        constantI32(rewriter, op.getLoc(), getArgumentNumber(op.getSrc()));
    callVoid(rewriter, op, host_abi::kAsyncCopy,
             {argument, op.getDst(), op.getSrc(), bytes, sourceBytes});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertAsyncCommit : HostCallPattern<NVVM::CpAsyncCommitGroupOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::CpAsyncCommitGroupOp op,
                                PatternRewriter &rewriter) const override {
    callHost(module, rewriter, op.getLoc(), host_abi::kAsyncCommit,
             LLVM::LLVMVoidType::get(rewriter.getContext()), {});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertAsyncWait : HostCallPattern<NVVM::CpAsyncWaitGroupOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::CpAsyncWaitGroupOp op,
                                PatternRewriter &rewriter) const override {
    callHost(module, rewriter, op.getLoc(), host_abi::kAsyncWait,
             LLVM::LLVMVoidType::get(rewriter.getContext()),
             constantI32(rewriter, op.getLoc(), op.getN()));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mirage::populateSynchronizationPatterns(ModuleOp module, OpTable &ops,
                                             RewritePatternSet &patterns) {
  patterns.add<ConvertBarrier0, ConvertBarrier, ConvertBarrierArrive,
               ConvertSyncWarp, ConvertAsyncCopy, ConvertAsyncCommit,
               ConvertAsyncWait>(module, ops);
}
