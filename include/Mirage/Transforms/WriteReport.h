//===- WriteReport.h - JSON files that passes write -------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_WRITEREPORT_H
#define MIRAGE_TRANSFORMS_WRITEREPORT_H

#include "mlir/IR/Operation.h"
#include "llvm/Support/JSON.h"

namespace mirage {

/// Writes a pass's report to a file ("-": standard output), or emits an error
/// at `op`.
mlir::LogicalResult writeReport(mlir::Operation *op, llvm::StringRef path,
                                llvm::json::Value report);

} // namespace mirage

#endif // MIRAGE_TRANSFORMS_WRITEREPORT_H
