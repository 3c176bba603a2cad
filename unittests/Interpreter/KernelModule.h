//===- KernelModule.h - Kernel graphs as modules ----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_INTERPRETER_KERNELMODULE_H
#define MIRAGE_UNITTESTS_INTERPRETER_KERNELMODULE_H

#include "Mirage/Mugraph/Conversion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace mirage {

/// A module with a function that computes a graph whose first tensors are its
/// inputs, and all others its outputs; it is not verified.
inline mlir::OwningOpRef<mlir::ModuleOp>
makeKernelModule(mlir::MLIRContext &context, const KernelGraph &graph) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(module->getBody());
  llvm::SmallVector<mlir::Type> arguments, results;
  for (auto [i, tensor] : llvm::enumerate(graph.tensors))
    (i < graph.numInputs ? arguments : results)
        .push_back(
            mlir::RankedTensorType::get(tensor.shape, tensor.elementType));
  auto function =
      mlir::func::FuncOp::create(builder, module->getLoc(), "f",
                                 builder.getFunctionType(arguments, results));
  mlir::Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  mlir::func::ReturnOp::create(builder, module->getLoc(),
                               exportKernelGraph(graph, builder,
                                                 module->getLoc(),
                                                 body->getArguments()));
  return module;
}

} // namespace mirage

#endif // MIRAGE_UNITTESTS_INTERPRETER_KERNELMODULE_H
