//===- WriteReport.cpp - JSON files that passes write ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Transforms/WriteReport.h"
#include "Mirage/Support/OutputFile.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

FailureOr<std::unique_ptr<llvm::ToolOutputFile>>
mirage::openReport(Operation *op, StringRef path,
                   const ResultsDatabase *database) {
  std::unique_ptr<llvm::ToolOutputFile> file;
  if (path.empty())
    return file;
  if (database && llvm::sys::fs::equivalent(path, database->getPath()))
    return emitError(op->getLoc(), "can't write the report: ")
           << path << ": is the database of results";
  std::string error;
  file = openOutputFile(path, &error);
  if (!file)
    return emitError(op->getLoc(), "can't write the report: ") << error;
  if (llvm::Error failure = tryOutput(*file, path))
    return emitError(op->getLoc(), "can't write the report: ")
           << llvm::toString(std::move(failure));
  return file;
}

LogicalResult mirage::writeReport(Operation *op, llvm::ToolOutputFile *file,
                                  llvm::json::Value report) {
  if (!file)
    return success();
  file->os() << llvm::formatv("{0:2}\n", report);
  if (llvm::Error failure = keepOutput(*file, file->getFilename()))
    return emitError(op->getLoc(), "can't write the report: ")
           << llvm::toString(std::move(failure));
  return success();
}
