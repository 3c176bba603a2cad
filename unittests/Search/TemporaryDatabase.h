//===- TemporaryDatabase.h - A database for a test --------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_SEARCH_TEMPORARYDATABASE_H
#define MIRAGE_UNITTESTS_SEARCH_TEMPORARYDATABASE_H

#include "Mirage/Database/ResultsDatabase.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

namespace mirage {

/// An empty results database, whose file goes with it.
class TemporaryDatabase {
public:
  TemporaryDatabase() {
    llvm::SmallString<128> path;
    llvm::cantFail(llvm::errorCodeToError(
        llvm::sys::fs::createTemporaryFile("mirage", "db", path)));
    file = path.str().str();
    llvm::sys::fs::remove(file);
    database = llvm::cantFail(ResultsDatabase::open(file));
  }
  ~TemporaryDatabase() { llvm::sys::fs::remove(file); }

  llvm::StringRef getFile() const { return file; }
  ResultsDatabase *get() const { return database.get(); }
  ResultsDatabase *operator->() const { return get(); }

private:
  std::string file;
  std::unique_ptr<ResultsDatabase> database;
};

} // namespace mirage

#endif // MIRAGE_UNITTESTS_SEARCH_TEMPORARYDATABASE_H
