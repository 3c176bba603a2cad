//===- HostCalls.h - Calls of the emulation library -------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_NVVMTOHOST_HOSTCALLS_H
#define MIRAGE_LIB_CONVERSION_NVVMTOHOST_HOSTCALLS_H

#include "Mirage/Conversion/NVVMToHost/OpTable.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mirage {

/// Calls the emulation library's function NAME, declared in `module` on first
/// use. A pure function's result stays the same for a thread in its block, so
/// that LLVM may move and merge the calls.
mlir::LLVM::CallOp callHost(mlir::ModuleOp module, mlir::OpBuilder &b,
                            mlir::Location loc, llvm::StringRef name,
                            mlir::Type result, mlir::ValueRange operands,
                            bool pure = false);

mlir::Value constantI32(mlir::OpBuilder &b, mlir::Location loc, int32_t value);

/// A multicast mask, or none, as the library takes it.
mlir::Value widenMask(mlir::OpBuilder &b, mlir::Location loc, mlir::Value mask);

/// host_abi::kMmaRegisters registers of 32 bits on the stack of the thread that
/// runs `op`, for operands and results that go through memory. All ops of a
/// function use the same: a kernel may have a thousand of them, and a fiber's
/// stack is small.
mlir::Value getRegisters(mlir::OpBuilder &b, mlir::Operation *op);

/// The same for the accumulators of a wgmma, host_abi::kWgmmaRegisters.
mlir::Value getAccumulators(mlir::OpBuilder &b, mlir::Operation *op);

/// A unit attribute of the functions that are launched, as long as the pass
/// runs.
inline constexpr const char *kKernelAttr = "mirage.host_kernel";

/// The number, from 1 on, of the kernel's argument that an address is computed
/// from; 0 when it can't be told.
unsigned getArgumentNumber(mlir::Value address);

/// Calls the library in front of each load and store that may be of shared or
/// device memory, while pointers still have their memory spaces, and records
/// the granularity with the module.
void traceAccesses(mlir::ModuleOp module, OpTable &ops);

/// Calls the library in front of each op that uses what comes from a wgmma.
void trackAccumulators(mlir::ModuleOp module, OpTable &ops);

/// Base of patterns that replace an op by a call.
template <typename Op> struct HostCallPattern : mlir::OpRewritePattern<Op> {
  HostCallPattern(mlir::ModuleOp module, OpTable &ops)
      : mlir::OpRewritePattern<Op>(module.getContext()), module(module),
        ops(ops) {}

  /// Calls NAME with the number of `op` and `operands`.
  mlir::LLVM::CallOp call(mlir::OpBuilder &b, Op op, llvm::StringRef name,
                          mlir::Type result, mlir::ValueRange operands) const {
    llvm::SmallVector<mlir::Value> all{
        constantI32(b, op.getLoc(), ops.add(op))};
    all.append(operands.begin(), operands.end());
    return callHost(module, b, op.getLoc(), name, result, all);
  }

  /// The same without a result.
  void callVoid(mlir::OpBuilder &b, Op op, llvm::StringRef name,
                mlir::ValueRange operands) const {
    call(b, op, name, mlir::LLVM::LLVMVoidType::get(b.getContext()), operands);
  }

  mlir::ModuleOp module;
  OpTable &ops;
};

/// Calls the library in front of each integer division that may have no result.
void guardDivisions(mlir::ModuleOp module, OpTable &ops);
/// Patterns for what ends a kernel with an error.
void populateStopPatterns(mlir::ModuleOp module, OpTable &ops,
                          mlir::RewritePatternSet &patterns);

/// Patterns for what the lanes of a warp do together: shuffles, reductions,
/// ldmatrix, mma.
void populateWarpPatterns(mlir::ModuleOp module, OpTable &ops,
                          mlir::RewritePatternSet &patterns);

/// Patterns for barriers and asynchronous copies.
void populateSynchronizationPatterns(mlir::ModuleOp module, OpTable &ops,
                                     mlir::RewritePatternSet &patterns);

/// Patterns for mbarriers and the bulk copies that report to them, and for
/// fences.
void populateMbarrierPatterns(mlir::ModuleOp module, OpTable &ops,
                              mlir::RewritePatternSet &patterns);

/// Patterns for what the blocks of a cluster do together.
void populateClusterPatterns(mlir::ModuleOp module, OpTable &ops,
                             mlir::RewritePatternSet &patterns);

/// Whether an op is a wgmma that adds to accumulators of which some are plainly
/// unwritten: undefined, or poison.
bool addsToUnwritten(mlir::Operation *op);
/// Patterns for wgmma, but for such.
void populateWgmmaPatterns(mlir::ModuleOp module, OpTable &ops,
                           mlir::RewritePatternSet &patterns);

/// Patterns for copies of boxes by tensor maps, and bulk groups.
void populateTensorCopyPatterns(mlir::ModuleOp module, OpTable &ops,
                                mlir::RewritePatternSet &patterns);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_NVVMTOHOST_HOSTCALLS_H
