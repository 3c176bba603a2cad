//===- OutputFile.cpp - Files that tools write ----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"

using namespace mirage;
namespace fs = llvm::sys::fs;

static llvm::Error cannotOpen(llvm::StringRef path, std::error_code error) {
  return llvm::createStringError("cannot open output file '" + path +
                                 "': " + error.message());
}

llvm::Error mirage::finishOutput(llvm::raw_fd_ostream &os,
                                 llvm::StringRef path) {
  os.flush();
  std::error_code error = os.error();
  os.clear_error();
  if (error)
    return llvm::createStringError(path + ": " + error.message());
  return llvm::Error::success();
}

/// An error where nothing can be written though the file opened: on a full
/// disk, say.
static llvm::Error tryOutput(llvm::raw_fd_ostream &os, llvm::StringRef path) {
  if (!os.supportsSeeking())
    return llvm::Error::success();
  os << ' ';
  os.seek(0);
  return finishOutput(os, path);
}

llvm::Error OutputFile::open(llvm::StringRef path) {
  if (path.empty())
    return llvm::Error::success();
  this->path = path.str();
  fs::file_status status;
  // There need not be one.
  (void)fs::status(path, status);
  const bool exists = fs::exists(status);
  std::error_code error;
  if (path == "-" || (exists && !fs::is_regular_file(status))) {
    file = std::make_unique<llvm::ToolOutputFile>(path, error, fs::OF_None);
    if (error)
      return cannotOpen(path, error);
    return path == "-" ? llvm::Error::success() : tryOutput(file->os(), path);
  }
  llvm::SmallString<128> target(path), name;
  if (exists) {
    // The directory may be ours where the file isn't.
    error = fs::access(path, fs::AccessMode::Write);
    if (!error)
      error = fs::real_path(path, target);
  }
  int descriptor = -1;
  if (!error)
    error = fs::createUniqueFile(target + ".%%%%%%.tmp", descriptor, name);
  if (error)
    return cannotOpen(path, error);
  this->path = target.str();
  file = std::make_unique<llvm::ToolOutputFile>(name, descriptor);
  if (exists)
    error = fs::setPermissions(descriptor, status.permissions());
  if (error)
    return cannotOpen(path, error);
  if (llvm::Error error = tryOutput(file->os(), path))
    return error;
  if ((error = fs::resize_file(descriptor, 0)))
    return cannotOpen(path, error);
  return llvm::Error::success();
}

llvm::Error OutputFile::write(llvm::StringRef contents) {
  file->os() << contents;
  if (llvm::Error error = finishOutput(file->os(), path))
    return error;
  llvm::StringRef name = file->getFilename();
  if (name != path && fs::rename(name, path)) {
    // It may be mounted by itself.
    if (std::error_code error = fs::copy_file(name, path))
      return llvm::createStringError(path + ": " + error.message());
    return llvm::Error::success();
  }
  file->keep();
  return llvm::Error::success();
}
