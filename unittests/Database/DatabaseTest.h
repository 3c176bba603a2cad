//===- DatabaseTest.h - What tests of the database share --------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_DATABASE_DATABASETEST_H
#define MIRAGE_UNITTESTS_DATABASE_DATABASETEST_H

#include "Mirage/Database/ResultsDatabase.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <sys/wait.h>
#include <unistd.h>

namespace mirage {

/// Fails the test where there is an error. (`cantFail` checks nothing in a
/// build without assertions.)
inline void must(llvm::Error error) {
  if (error)
    ADD_FAILURE() << llvm::toString(std::move(error));
}
template <typename T> T must(llvm::Expected<T> value) {
  if (value)
    return std::move(*value);
  must(value.takeError());
  return T();
}

/// A folder of its own for each test, and a database in it.
class DatabaseTest : public testing::Test {
protected:
  DatabaseTest() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("mirage-db", folder));
    path = getFile("results.db");
  }
  ~DatabaseTest() override { llvm::sys::fs::remove_directories(folder); }

  std::string getFile(llvm::StringRef name) const {
    llvm::SmallString<128> file = folder;
    llvm::sys::path::append(file, name);
    return file.str().str();
  }
  static std::string read(llvm::StringRef file) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    return buffer ? (*buffer)->getBuffer().str() : "unreadable";
  }
  static void write(llvm::StringRef file, llvm::StringRef bytes) {
    std::error_code error;
    llvm::raw_fd_ostream os(file, error);
    os << bytes;
  }

  std::unique_ptr<ResultsDatabase>
  open(OpenMode mode = OpenMode::Create) const {
    return must(ResultsDatabase::open(path, mode));
  }
  /// The error of opening the file, or nothing.
  std::string getOpenError(OpenMode mode = OpenMode::Create) const {
    auto database =
        ResultsDatabase::open(path, mode, std::chrono::milliseconds(20));
    return database ? "" : llvm::toString(database.takeError());
  }

  static ResultsKey makeKey(const llvm::Twine &program) {
    return {program.str(), "sm_90a", "max-block-ops=11", "1"};
  }
  /// What is found, or the error.
  static std::string lookup(ResultsDatabase &database, const ResultsKey &key) {
    return getText(database.lookup(key));
  }
  static std::string getText(llvm::Expected<std::optional<std::string>> found) {
    if (!found)
      return llvm::toString(found.takeError());
    return found->value_or("nothing");
  }

  /// Starts a process that ends with status 0 if the function returns true.
  static pid_t start(llvm::function_ref<bool()> function) {
    pid_t child = fork();
    if (child == 0)
      _exit(function() ? 0 : 1);
    return child;
  }
  static bool wait(pid_t child) {
    int status = -1;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
  }

  llvm::SmallString<128> folder;
  std::string path;
};

} // namespace mirage

#endif // MIRAGE_UNITTESTS_DATABASE_DATABASETEST_H
