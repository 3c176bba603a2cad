//===- TosaToMirage.h - From TOSA to kernel graphs --------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_PIPELINES_TOSATOMIRAGE_H
#define MIRAGE_PIPELINES_TOSATOMIRAGE_H

#include "mlir/Pass/PassManager.h"

namespace mirage {

/// Lowers TOSA to linalg, tensor and arith with MLIR's own passes. They fold
/// operators of constants, in the types of the program.
void buildTosaToLinalgPipeline(mlir::OpPassManager &pm);

/// The pipeline above, and then the import.
void buildTosaToMiragePipeline(mlir::OpPassManager &pm);

/// Registers the second pipeline as `tosa-to-mirage`, and the passes of the
/// first by the names that MLIR gives them.
void registerTosaToMiragePipeline();

} // namespace mirage

#endif // MIRAGE_PIPELINES_TOSATOMIRAGE_H
