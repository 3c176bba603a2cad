//===- Conversion.h - μGraphs from and to IR --------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_CONVERSION_H
#define MIRAGE_MUGRAPH_CONVERSION_H

#include "Mirage/Mugraph/Mugraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage {

/// The kernel graph of a function whose body consists of ops of the kernel
/// dialect and constants, over statically shaped tensors. Emits an error at
/// what is not such.
mlir::FailureOr<KernelGraph> importKernelGraph(mlir::func::FuncOp function);

/// The first op of a body that isn't of a kernel graph and reads what is, or
/// else the last of them all: not a constant that it needs. Null: there is
/// none.
mlir::Operation *findForeignOp(mlir::Block &block);

/// Why `importKernelGraph` would fail, if it would, and where; emits nothing.
std::optional<std::pair<mlir::Operation *, std::string>>
findObstacle(mlir::func::FuncOp function);

/// Builds the ops of a kernel graph on the given inputs; returns the outputs.
/// Computed tiles are f32 unless their nodes name another type, and what the
/// iterators load has its tensor's type.
llvm::SmallVector<mlir::Value> exportKernelGraph(const KernelGraph &graph,
                                                 mlir::OpBuilder &builder,
                                                 mlir::Location loc,
                                                 mlir::ValueRange inputs);

} // namespace mirage

#endif // MIRAGE_MUGRAPH_CONVERSION_H
