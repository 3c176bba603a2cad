//===- WriteReport.cpp - JSON files that passes write ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Transforms/WriteReport.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

FailureOr<mirage::OutputFile>
mirage::openReport(Operation *op, StringRef path,
                   const ResultsDatabase *database) {
  OutputFile file;
  if (database && !path.empty() &&
      llvm::sys::fs::equivalent(path, database->getPath()))
    return emitError(op->getLoc(), "can't write the report: ")
           << path << ": is the database of results";
  if (llvm::Error error = file.open(path))
    return emitError(op->getLoc(), "can't write the report: ")
           << llvm::toString(std::move(error));
  return file;
}

LogicalResult mirage::writeReport(Operation *op, OutputFile &file,
                                  llvm::json::Value report) {
  if (!file.isWanted())
    return success();
  if (llvm::Error error = file.write(llvm::formatv("{0:2}\n", report).str()))
    return emitError(op->getLoc(), "can't write the report: ")
           << llvm::toString(std::move(error));
  return success();
}
