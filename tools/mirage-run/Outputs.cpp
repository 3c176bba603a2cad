//===- Outputs.cpp - Results of functions, as files -----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Outputs.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mirage;

llvm::Error mirage::createOutputDirectory(llvm::StringRef directory) {
  if (directory.empty())
    return llvm::Error::success();
  std::error_code error = llvm::sys::fs::create_directories(directory);
  if (!error && !llvm::sys::fs::is_directory(directory))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    return llvm::createStringError("can't create '" + directory +
                                   "': " + error.message());
  return llvm::Error::success();
}

llvm::Error mirage::writeResults(llvm::ArrayRef<Array> results,
                                 llvm::StringRef directory) {
  if (directory.empty())
    return llvm::Error::success();
  for (auto [i, result] : llvm::enumerate(results)) {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, "out" + llvm::Twine(i) + ".npy");
    if (llvm::Error error = writeNpy(path, result))
      return error;
  }
  return llvm::Error::success();
}
