//===- WriteReport.h - JSON files that passes write -------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_WRITEREPORT_H
#define MIRAGE_TRANSFORMS_WRITEREPORT_H

#include "Mirage/Database/ResultsDatabase.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/ToolOutputFile.h"

namespace mirage {

/// Opens the file of a pass's report ("-": standard output) before the work
/// that it is about, which would be lost if it couldn't be written. Errors are
/// told at `op`; null for an empty path. The file goes again unless
/// `writeReport` follows. It must not be that of the pass's database, which may
/// be null.
mlir::FailureOr<std::unique_ptr<llvm::ToolOutputFile>>
openReport(mlir::Operation *op, llvm::StringRef path,
           const ResultsDatabase *database);
/// Writes the report, or emits an error at `op`. `file` may be null: no report
/// is wanted.
mlir::LogicalResult writeReport(mlir::Operation *op, llvm::ToolOutputFile *file,
                                llvm::json::Value report);

} // namespace mirage

#endif // MIRAGE_TRANSFORMS_WRITEREPORT_H
