//===- OpTable.h - Which ops emulated kernels stand for ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_CONVERSION_NVVMTOHOST_OPTABLE_H
#define MIRAGE_CONVERSION_NVVMTOHOST_OPTABLE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include <string>
#include <vector>

namespace mirage {

/// Numbers the ops that become calls of the emulation library, so that the
/// library can say where in the program something went wrong. Each op has a
/// number of its own, also where locations are the same.
class OpTable {
public:
  /// The number of `op`, which is still in its place.
  int32_t add(mlir::Operation *op);

  /// Keeps the descriptions with the module, as host_abi::kOps.
  void record(mlir::ModuleOp module) const;

private:
  std::vector<std::string> descriptions;
};

} // namespace mirage

#endif // MIRAGE_CONVERSION_NVVMTOHOST_OPTABLE_H
