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
#include "Mirage/Support/OutputFile.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/JSON.h"

namespace mirage {

/// Opens the file of a pass's report (see `OutputFile`) before the work that it
/// is about. Errors are told at `op`. It must not be that of the pass's
/// database, which may be null.
mlir::FailureOr<OutputFile> openReport(mlir::Operation *op,
                                       llvm::StringRef path,
                                       const ResultsDatabase *database);
/// Writes the report if it is wanted, or emits an error at `op`.
mlir::LogicalResult writeReport(mlir::Operation *op, OutputFile &file,
                                llvm::json::Value report);

} // namespace mirage

#endif // MIRAGE_TRANSFORMS_WRITEREPORT_H
