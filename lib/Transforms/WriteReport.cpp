//===- WriteReport.cpp - JSON files that passes write ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Transforms/WriteReport.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

LogicalResult mirage::writeReport(Operation *op, StringRef path,
                                  llvm::json::Value report) {
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &error);
  if (!file)
    return op->emitError("can't write the report: ") << error;
  file->os() << llvm::formatv("{0:2}\n", report);
  file->keep();
  return success();
}
