//===- Connection.h - SQLite with llvm::Error -------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_DATABASE_CONNECTION_H
#define MIRAGE_LIB_DATABASE_CONNECTION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <memory>
#include <sqlite3.h>

namespace mirage::sqlite {

class Statement;

/// An open file. Every error starts with its path.
class Connection {
public:
  /// Opens a file with SQLite's flags. A locked file is waited for, up to
  /// `timeout`.
  static llvm::Expected<std::unique_ptr<Connection>>
  open(std::string path, int flags, std::chrono::milliseconds timeout);
  ~Connection();
  Connection(const Connection &) = delete;

  bool isReadOnly() const { return sqlite3_db_readonly(handle, "main"); }
  llvm::Expected<Statement> prepare(llvm::StringRef sql);
  /// Runs a statement that has no parameters and no rows of interest.
  llvm::Error execute(llvm::StringRef sql);
  /// The only number of the only row.
  llvm::Expected<int64_t> getNumber(llvm::StringRef sql);
  /// How many rows the last statement has changed.
  int64_t getNumChanges() const { return sqlite3_changes64(handle); }
  bool isInTransaction() const { return !sqlite3_get_autocommit(handle); }

  llvm::Error makeError(const llvm::Twine &message) const;
  /// Says what went wrong in the last call.
  llvm::Error makeLastError() const;

private:
  explicit Connection(std::string path, std::chrono::milliseconds timeout)
      : path(std::move(path)), timeout(timeout) {}

  std::string path;
  std::chrono::milliseconds timeout;
  sqlite3 *handle = nullptr;
};

/// A compiled statement. Texts that are bound must outlive it.
class Statement {
public:
  Statement(Connection &connection, sqlite3_stmt *handle)
      : connection(&connection), handle(handle, sqlite3_finalize) {}

  /// Parameters are bound from the first on. Their errors are those of `step`.
  Statement &bind(llvm::StringRef text);
  Statement &bind(int64_t number);
  Statement &bind(double number);
  /// Goes to the next row; false when there is none.
  llvm::Expected<bool> step();
  /// For statements without rows.
  llvm::Error run();

  /// Of the current row.
  std::string getText(int column) const;
  int64_t getInteger(int column) const;
  double getReal(int column) const;

private:
  Connection *connection;
  std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt *)> handle;
  int numBound = 0;
  int bindError = SQLITE_OK;
};

/// A transaction. Rolled back unless it is committed.
class Transaction {
public:
  explicit Transaction(Connection &connection) : connection(connection) {}
  ~Transaction();
  /// No other process writes until its end.
  llvm::Error begin() { return connection.execute("BEGIN IMMEDIATE"); }
  /// What is read doesn't change until its end.
  llvm::Error beginReading() { return connection.execute("BEGIN"); }
  llvm::Error commit() { return connection.execute("COMMIT"); }

private:
  Connection &connection;
};

} // namespace mirage::sqlite

#endif // MIRAGE_LIB_DATABASE_CONNECTION_H
