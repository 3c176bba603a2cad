//===- KernelEmitter.h - A kernel's body from its block graph ---*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_MIRAGETOGPU_KERNELEMITTER_H
#define MIRAGE_LIB_CONVERSION_MIRAGETOGPU_KERNELEMITTER_H

#include "Mirage/BlockPlan/SharedPlan.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "mlir/IR/Builders.h"

namespace mirage {

/// Emits at the insertion point what one thread does in the kernel of `graph`.
/// `buffers` are memrefs with the elements of its inputs and then its outputs,
/// in any shape, and then the arguments that are tensor maps
/// (`getMappedOps`). A block has `getNumThreads(graph)` threads, one warp
/// more if that loads tiles, and `plan.size` bytes of dynamic shared memory.
void emitKernelBody(mlir::OpBuilder &builder, kernel::GraphDefinedOp graph,
                    mlir::ValueRange buffers, const SharedPlan &plan);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_MIRAGETOGPU_KERNELEMITTER_H
