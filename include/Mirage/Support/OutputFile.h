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
#include <memory>
#include <string>

namespace mirage {

/// A file that is written at the end of work, opened before it: what can't be
/// written costs no work. Until then it is a file of another name beside it
/// (`FILE.XXXXXX.tmp`), so that an earlier file stays as it is, whole, whatever
/// becomes of this process; the other goes again if nothing is written, unless
/// the process is killed. What isn't an ordinary file (a device, a pipe, "-"
/// for standard output) is written in place.
class OutputFile {
public:
  /// Does nothing for an empty path: no such file is wanted. An error, with the
  /// path, if it can't be written: there is no such directory, the disk is
  /// full.
  llvm::Error open(llvm::StringRef path);
  bool isWanted() const { return file != nullptr; }
  /// Writes all that is in the file, once. It must be wanted.
  llvm::Error write(llvm::StringRef contents);

private:
  /// With links followed.
  std::string path;
  /// Of the other name, unless it is written in place.
  std::unique_ptr<llvm::ToolOutputFile> file;
};

/// Writes out what a stream still has; an error with the name of its file if
/// not all could be written, on a full disk, say. (A stream that ends with an
/// error nobody has asked for ends the process.)
llvm::Error finishOutput(llvm::raw_fd_ostream &os, llvm::StringRef path);

} // namespace mirage

#endif // MIRAGE_SUPPORT_OUTPUTFILE_H
