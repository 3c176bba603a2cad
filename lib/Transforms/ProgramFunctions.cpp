//===- ProgramFunctions.cpp - Functions that programs are in --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFunctions.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

SmallVector<func::FuncOp> mirage::findProgramFunctions(ModuleOp module) {
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  llvm::StringSet<> references;
  for (func::FuncOp function : functions)
    if (auto reference = function->getAttrOfType<FlatSymbolRefAttr>(
            MirageDialect::kReferenceAttr))
      references.insert(reference.getValue());
  llvm::erase_if(functions, [&](func::FuncOp function) {
    return function.isExternal() ||
           function->hasAttr(MirageDialect::kReferenceAttr) ||
           references.contains(function.getSymName());
  });
  return functions;
}

bool mirage::isKernelOperator(Operation &op) {
  return op.isRegistered() && isa<kernel::KernelDialect>(op.getDialect());
}
