//===- Connection.cpp - SQLite with llvm::Error ---------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Connection.h"
#include "llvm/Support/FormatVariadic.h"
#include <system_error>

using namespace mirage::sqlite;

llvm::Expected<std::unique_ptr<Connection>>
Connection::open(std::string path, int flags,
                 std::chrono::milliseconds timeout) {
  std::unique_ptr<Connection> connection(
      new Connection(std::move(path), timeout));
  if (sqlite3_open_v2(connection->path.c_str(), &connection->handle,
                      flags | SQLITE_OPEN_NOMUTEX, nullptr) != SQLITE_OK)
    return connection->makeLastError();
  sqlite3_extended_result_codes(connection->handle, 1);
  sqlite3_busy_timeout(connection->handle, static_cast<int>(timeout.count()));
  return std::move(connection);
}

Connection::~Connection() { sqlite3_close(handle); }

llvm::Expected<Statement> Connection::prepare(llvm::StringRef sql) {
  sqlite3_stmt *statement = nullptr;
  if (sqlite3_prepare_v2(handle, sql.data(), static_cast<int>(sql.size()),
                         &statement, nullptr) != SQLITE_OK)
    return makeLastError();
  return Statement(*this, statement);
}

llvm::Error Connection::execute(llvm::StringRef sql) {
  llvm::Expected<Statement> statement = prepare(sql);
  return statement ? statement->run() : statement.takeError();
}

llvm::Expected<int64_t> Connection::getNumber(llvm::StringRef sql) {
  llvm::Expected<Statement> statement = prepare(sql);
  if (!statement)
    return statement.takeError();
  llvm::Expected<bool> hasRow = statement->step();
  if (!hasRow)
    return hasRow.takeError();
  return statement->getInteger(0);
}

llvm::Error Connection::makeError(const llvm::Twine &message) const {
  return llvm::createStringError(path + ": " + message);
}

llvm::Error Connection::makeLastError() const {
  if (!handle)
    return makeError("out of memory");
  // What the system said of a file, where it was asked.
  auto getReason = [&]() -> std::string {
    int number = sqlite3_system_errno(handle);
    return number ? ": " + std::generic_category().message(number) : "";
  };
  llvm::StringRef text = sqlite3_errmsg(handle);
  switch (sqlite3_errcode(handle) & 0xff) {
  case SQLITE_NOTADB:
    return makeError("is not an SQLite database");
  case SQLITE_CORRUPT:
    return makeError("is corrupt: " + text);
  case SQLITE_BUSY:
    return makeError(
        llvm::formatv("is locked by another process, for more than {0} s",
                      std::chrono::duration<double>(timeout).count()));
  case SQLITE_FULL:
    return makeError("can't be written: the disk is full");
  case SQLITE_READONLY:
    return makeError("can't be written: " + text);
  case SQLITE_CANTOPEN:
    return makeError("can't be opened, or its journal beside it" + getReason());
  case SQLITE_IOERR:
    return makeError("can't be read or written" + getReason());
  default:
    return makeError(text);
  }
}

Statement &Statement::bind(llvm::StringRef text) {
  // A null pointer would be NULL, not the empty text.
  const char *data = text.data() ? text.data() : "";
  int code = sqlite3_bind_text64(handle.get(), ++numBound, data, text.size(),
                                 SQLITE_STATIC, SQLITE_UTF8);
  bindError = bindError ? bindError : code;
  return *this;
}

Statement &Statement::bind(int64_t number) {
  int code = sqlite3_bind_int64(handle.get(), ++numBound, number);
  bindError = bindError ? bindError : code;
  return *this;
}

Statement &Statement::bind(double number) {
  int code = sqlite3_bind_double(handle.get(), ++numBound, number);
  bindError = bindError ? bindError : code;
  return *this;
}

llvm::Expected<bool> Statement::step() {
  if (bindError)
    return connection->makeError(sqlite3_errstr(bindError));
  switch (sqlite3_step(handle.get())) {
  case SQLITE_ROW:
    return true;
  case SQLITE_DONE:
    return false;
  default:
    return connection->makeLastError();
  }
}

llvm::Error Statement::run() {
  while (true) {
    llvm::Expected<bool> hasRow = step();
    if (!hasRow)
      return hasRow.takeError();
    if (!*hasRow)
      return llvm::Error::success();
  }
}

std::string Statement::getText(int column) const {
  auto *text =
      reinterpret_cast<const char *>(sqlite3_column_text(handle.get(), column));
  if (!text)
    return "";
  return std::string(text, sqlite3_column_bytes(handle.get(), column));
}

int64_t Statement::getInteger(int column) const {
  return sqlite3_column_int64(handle.get(), column);
}

double Statement::getReal(int column) const {
  return sqlite3_column_double(handle.get(), column);
}

Transaction::~Transaction() {
  // An error has rolled back already, or will be when the file is closed.
  if (connection.isInTransaction())
    llvm::consumeError(connection.execute("ROLLBACK"));
}
