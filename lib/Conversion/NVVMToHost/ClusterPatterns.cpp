//===- ClusterPatterns.cpp - What the blocks of a cluster do together -----===//
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

/// The address of another block's shared memory.
struct ConvertMapa : HostCallPattern<NVVM::MapaOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::MapaOp op,
                                PatternRewriter &rewriter) const override {
    Type pointer = LLVM::LLVMPointerType::get(rewriter.getContext());
    rewriter.replaceOp(op, call(rewriter, op, host_abi::kMapShared, pointer,
                                {op.getA(), op.getB()}));
    return success();
  }
};

/// A half of the cluster's barrier.
template <typename Op> struct ConvertHalf : HostCallPattern<Op> {
  ConvertHalf(ModuleOp module, OpTable &ops, StringRef name)
      : HostCallPattern<Op>(module, ops), name(name) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    this->callVoid(
        rewriter, op, name,
        constantI32(rewriter, op.getLoc(), op.getAligned().has_value()));
    rewriter.eraseOp(op);
    return success();
  }

  StringRef name;
};

} // namespace

void mirage::populateClusterPatterns(ModuleOp module, OpTable &ops,
                                     RewritePatternSet &patterns) {
  patterns.add<ConvertMapa>(module, ops);
  patterns.add<ConvertHalf<NVVM::ClusterArriveOp>>(module, ops,
                                                   host_abi::kClusterArrive);
  patterns.add<ConvertHalf<NVVM::ClusterArriveRelaxedOp>>(
      module, ops, host_abi::kClusterArriveRelaxed);
  patterns.add<ConvertHalf<NVVM::ClusterWaitOp>>(module, ops,
                                                 host_abi::kClusterWait);
}
