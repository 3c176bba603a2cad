//===- MbarrierPatterns.cpp - mbarriers, bulk copies, fences --------------===//
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

/// The ops with a predicate are for inline PTX only, and a result is a token
/// for waits that are not emulated.
template <typename Op> bool isPlain(Op op) {
  return op->getNumResults() == 0 && !op.getPredicate();
}

struct ConvertInit : HostCallPattern<NVVM::MBarrierInitOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::MBarrierInitOp op,
                                PatternRewriter &rewriter) const override {
    if (!isPlain(op))
      return failure();
    callVoid(rewriter, op, host_abi::kMbarrierInit,
             {op.getAddr(), op.getCount()});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertInvalidate : HostCallPattern<NVVM::MBarrierInvalOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::MBarrierInvalOp op,
                                PatternRewriter &rewriter) const override {
    callVoid(rewriter, op, host_abi::kMbarrierInvalidate, op.getAddr());
    rewriter.eraseOp(op);
    return success();
  }
};

/// Of an arrival, whether what it releases is for the whole cluster.
template <typename Op> Value isOfCluster(OpBuilder &b, Op op) {
  return constantI32(b, op.getLoc(),
                     op.getScope() == NVVM::MemScopeKind::CLUSTER);
}

struct ConvertArrive : HostCallPattern<NVVM::MBarrierArriveOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::MBarrierArriveOp op,
                                PatternRewriter &rewriter) const override {
    if ((op.getRes() && !op.getRes().use_empty()) || op.getRelaxed())
      return failure();
    Value count = op.getCount();
    if (!count)
      count = constantI32(rewriter, op.getLoc(), 1);
    callVoid(rewriter, op, host_abi::kMbarrierArrive,
             {op.getAddr(), count, isOfCluster(rewriter, op)});
    rewriter.eraseOp(op);
    return success();
  }
};

/// Announces bytes, and arrives.
struct ConvertArriveExpect : HostCallPattern<NVVM::MBarrierArriveExpectTxOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::MBarrierArriveExpectTxOp op,
                                PatternRewriter &rewriter) const override {
    if ((op.getRes() && !op.getRes().use_empty()) || op.getPredicate() ||
        op.getRelaxed())
      return failure();
    callVoid(rewriter, op, host_abi::kMbarrierExpect,
             {op.getAddr(), op.getTxcount()});
    callVoid(rewriter, op, host_abi::kMbarrierArrive,
             {op.getAddr(), constantI32(rewriter, op.getLoc(), 1),
              isOfCluster(rewriter, op)});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertExpect : HostCallPattern<NVVM::MBarrierExpectTxOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::MBarrierExpectTxOp op,
                                PatternRewriter &rewriter) const override {
    callVoid(rewriter, op, host_abi::kMbarrierExpect,
             {op.getAddr(), op.getTxcount()});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertWait : HostCallPattern<NVVM::MBarrierTryWaitParityOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::MBarrierTryWaitParityOp op,
                                PatternRewriter &rewriter) const override {
    callVoid(rewriter, op, host_abi::kMbarrierWait,
             {op.getAddr(), op.getPhase()});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertBulkCopy
    : HostCallPattern<NVVM::CpAsyncBulkGlobalToSharedClusterOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::CpAsyncBulkGlobalToSharedClusterOp op,
                                PatternRewriter &rewriter) const override {
    Value argument =
        constantI32(rewriter, op.getLoc(), getArgumentNumber(op.getSrcMem()));
    Value mask = widenMask(rewriter, op.getLoc(), op.getMulticastMask());
    callVoid(rewriter, op, host_abi::kBulkCopy,
             {argument, op.getDstMem(), op.getSrcMem(), op.getMbar(),
              op.getSize(), mask});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertElect : HostCallPattern<NVVM::ElectSyncOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::ElectSyncOp op,
                                PatternRewriter &rewriter) const override {
    Value mask = op.getMembermask();
    if (!mask)
      mask = constantI32(rewriter, op.getLoc(), -1);
    Value elected =
        call(rewriter, op, host_abi::kElect, rewriter.getI32Type(), mask)
            .getResult();
    rewriter.replaceOpWithNewOp<LLVM::TruncOp>(op, rewriter.getI1Type(),
                                               elected);
    return success();
  }
};

struct ConvertProxyFence : HostCallPattern<NVVM::FenceProxyOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::FenceProxyOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getKind() == NVVM::ProxyKind::async ||
        op.getKind() == NVVM::ProxyKind::async_shared)
      callHost(module, rewriter, op.getLoc(), host_abi::kProxyFence,
               LLVM::LLVMVoidType::get(rewriter.getContext()), {});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertMbarrierFence : HostCallPattern<NVVM::FenceMbarrierInitOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::FenceMbarrierInitOp op,
                                PatternRewriter &rewriter) const override {
    callHost(module, rewriter, op.getLoc(), host_abi::kMbarrierFence,
             LLVM::LLVMVoidType::get(rewriter.getContext()), {});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertGridControl : HostCallPattern<NVVM::GriddepcontrolOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::GriddepcontrolOp op,
                                PatternRewriter &rewriter) const override {
    // Launches follow each other here: whoever begins early only has to wait.
    if (op.getKind() == NVVM::GridDepActionKind::wait)
      callHost(module, rewriter, op.getLoc(), host_abi::kGridWait,
               LLVM::LLVMVoidType::get(rewriter.getContext()), {});
    rewriter.eraseOp(op);
    return success();
  }
};

/// What only orders what is in order here anyway (a block's threads share one
/// OS thread), and hints.
template <typename Op> struct Erase : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mirage::populateMbarrierPatterns(ModuleOp module, OpTable &ops,
                                      RewritePatternSet &patterns) {
  patterns
      .add<ConvertInit, ConvertInvalidate, ConvertArrive, ConvertArriveExpect,
           ConvertExpect, ConvertWait, ConvertBulkCopy, ConvertElect,
           ConvertProxyFence, ConvertMbarrierFence, ConvertGridControl>(module,
                                                                        ops);
  patterns.add<Erase<NVVM::MembarOp>, Erase<NVVM::FenceScClusterOp>,
               Erase<NVVM::SetMaxRegisterOp>, Erase<NVVM::PrefetchOp>,
               Erase<NVVM::CpAsyncBulkTensorPrefetchOp>>(module.getContext());
}
