//===- Outputs.h - Results of functions, as files ---------------*- C++ -*-===//
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

namespace mirage {

/// Makes a directory and those above it, unless the name is empty.
llvm::Error createOutputDirectory(llvm::StringRef directory);
/// Writes the results into a directory that is there: out0.npy and so on. None
/// if its name is empty.
llvm::Error writeResults(llvm::ArrayRef<Array> results,
                         llvm::StringRef directory);

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGERUN_OUTPUTS_H
