//===- OutputFile.h - Files that tools write --------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SUPPORT_OUTPUTFILE_H
#define MIRAGE_SUPPORT_OUTPUTFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/ToolOutputFile.h"

namespace mirage {

/// Writes out what a stream still has; an error with the name of its file if
/// not all could be written, on a full disk, say. (A stream that ends with an
/// error nobody has asked for ends the process.)
inline llvm::Error finishOutput(llvm::raw_fd_ostream &os,
                                llvm::StringRef path) {
  os.flush();
  std::error_code error = os.error();
  os.clear_error();
  if (error)
    return llvm::createStringError(path + ": " + error.message());
  return llvm::Error::success();
}

/// An error where nothing can be written though the file opened, on a full
/// disk, say: before the work that would be lost.
inline llvm::Error tryOutput(llvm::ToolOutputFile &file, llvm::StringRef path) {
  llvm::raw_fd_ostream &os = file.os();
  if (path == "-" || !os.supportsSeeking())
    return llvm::Error::success();
  os << ' ';
  os.seek(0);
  return finishOutput(os, path);
}

/// The same as finishing it, and keeps the file if all is written.
inline llvm::Error keepOutput(llvm::ToolOutputFile &file,
                              llvm::StringRef path) {
  if (llvm::Error error = finishOutput(file.os(), path))
    return error;
  file.keep();
  return llvm::Error::success();
}

} // namespace mirage

#endif // MIRAGE_SUPPORT_OUTPUTFILE_H
