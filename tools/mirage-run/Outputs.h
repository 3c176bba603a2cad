//===- Outputs.h - The files that mirage-run writes -------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MIRAGERUN_OUTPUTS_H
#define MIRAGE_TOOLS_MIRAGERUN_OUTPUTS_H

#include "Mirage/Runtime/Array.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ToolOutputFile.h"
#include <memory>

namespace mirage {

/// A file that is written at the end, opened before the work that would be lost
/// if it couldn't be. It goes again if nothing is written.
class OutputFile {
public:
  /// Does nothing for an empty path: no such file is wanted.
  llvm::Error open(llvm::StringRef path);
  bool isWanted() const { return file != nullptr; }
  llvm::Error write(llvm::StringRef contents);

private:
  std::unique_ptr<llvm::ToolOutputFile> file;
};

/// Makes a directory and those above it, unless the name is empty.
llvm::Error createOutputDirectory(llvm::StringRef directory);
/// Writes the results into a directory that is there: out0.npy and so on. None
/// if its name is empty.
llvm::Error writeResults(llvm::ArrayRef<Array> results,
                         llvm::StringRef directory);

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGERUN_OUTPUTS_H
