//===- ResultsDatabase.cpp - What searches have found ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Database/ResultsDatabase.h"
#include "Connection.h"
#include "Entries.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <tuple>

using namespace mirage;
using sqlite::Connection;
using sqlite::Statement;
using sqlite::Transaction;

/// "Mira": what `file` and others tell the file from other SQLite files by.
static constexpr int64_t kApplicationId = 0x4d697261;
/// The version of the format.
static constexpr int64_t kFormat = 1;
static constexpr llvm::StringLiteral kSchema =
    R"(CREATE TABLE entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  program TEXT NOT NULL,
  target TEXT NOT NULL,
  options TEXT NOT NULL,
  version TEXT NOT NULL,
  function TEXT NOT NULL,
  created INTEGER NOT NULL,
  seconds REAL NOT NULL,
  checksum TEXT NOT NULL,
  blob TEXT NOT NULL,
  UNIQUE (program, target, options, version)
) STRICT)";
/// Selects entries, as `readEntry` reads them.
static std::string getSelect(llvm::StringRef which) {
  return ("SELECT id, kind, program, target, options, version, function, "
          "created, seconds, checksum, blob FROM entries " +
          which)
      .str();
}

bool ResultsKey::operator==(const ResultsKey &other) const {
  return std::tie(program, target, options, version) ==
         std::tie(other.program, other.target, other.options, other.version);
}

ResultsDatabase::ResultsDatabase(std::string path,
                                 std::unique_ptr<Connection> connection)
    : path(std::move(path)), connection(std::move(connection)) {}

ResultsDatabase::~ResultsDatabase() = default;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// Says what the system said of a file or folder.
static llvm::Error makeFileError(const llvm::Twine &path,
                                 const llvm::Twine &message) {
  return llvm::createStringError(path + ": " + message);
}

/// Creates or looks at what is in the file system, as far as SQLite doesn't say
/// well what is wrong with it.
static llvm::Error checkFile(llvm::StringRef path, OpenMode mode) {
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  if (mode == OpenMode::Create)
    if (std::error_code error = llvm::sys::fs::create_directories(folder))
      return makeFileError(folder, "can't be created: " + error.message());
  llvm::sys::fs::file_status status;
  std::error_code error = llvm::sys::fs::status(path, status);
  bool exists = error != std::errc::no_such_file_or_directory;
  if (exists && error)
    return makeFileError(path, error.message());
  if (!exists && mode != OpenMode::Create)
    return makeFileError(path, "there is no such file");
  if (exists && !llvm::sys::fs::is_regular_file(status))
    return makeFileError(path, "is not a regular file");
  if (exists && mode == OpenMode::Read && status.getSize() == 0)
    return makeFileError(path, "is empty");
  // SQLite overwrites a file of one byte. What has a journal is as it was left
  // by a crash, and will be restored.
  constexpr uint64_t kHeaderSize = 100;
  if (exists && status.getSize() > 0 && status.getSize() < kHeaderSize &&
      !llvm::sys::fs::exists(path + "-journal"))
    return makeFileError(path, "is not an SQLite database");
  // Journals are written beside the file.
  if (mode != OpenMode::Read &&
      llvm::sys::fs::access(folder, llvm::sys::fs::AccessMode::Write))
    return makeFileError(path, "can't be written: its folder is not writable");
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<ResultsDatabase>>
ResultsDatabase::open(llvm::StringRef path, OpenMode mode,
                      std::chrono::milliseconds timeout) {
  if (path.empty())
    return llvm::createStringError("the path of the results database is empty");
  // SQLite gives a meaning of its own to some relative paths (":memory:").
  llvm::SmallString<128> absolute = path;
  if (std::error_code error = llvm::sys::fs::make_absolute(absolute))
    return makeFileError(path, error.message());
  if (llvm::Error error = checkFile(absolute, mode))
    return std::move(error);
  // Without the right to write, SQLite opens the file for reading.
  int flags = SQLITE_OPEN_READWRITE |
              (mode == OpenMode::Create ? SQLITE_OPEN_CREATE : 0);
  llvm::Expected<std::unique_ptr<Connection>> connection =
      Connection::open(absolute.str().str(), flags, timeout);
  if (!connection)
    return connection.takeError();
  std::unique_ptr<ResultsDatabase> database(
      new ResultsDatabase(absolute.str().str(), std::move(*connection)));
  if (llvm::Error error = database->initialize(mode))
    return std::move(error);
  return std::move(database);
}

/// Makes sure that the file is a results database that can be used. Nothing is
/// written to a file unless it is empty.
llvm::Error ResultsDatabase::initialize(OpenMode mode) {
  if (mode != OpenMode::Read && connection->isReadOnly())
    return connection->makeError("can't be written: it is read-only");
  // Not to lose what was stored even if the machine crashes; to look at pages
  // with care; to run nothing that is in the file.
  for (llvm::StringRef pragma :
       {"PRAGMA synchronous = EXTRA", "PRAGMA cell_size_check = ON",
        "PRAGMA trusted_schema = OFF"})
    if (llvm::Error error = connection->execute(pragma))
      return error;
  llvm::Expected<int64_t> pages = connection->getNumber("PRAGMA page_count");
  if (!pages)
    return pages.takeError();
  if (*pages != 0)
    return checkFormat();

  Transaction transaction(*connection);
  if (llvm::Error error = transaction.begin())
    return error;
  llvm::Expected<int64_t> tables =
      connection->getNumber("SELECT count(*) FROM sqlite_master");
  if (!tables)
    return tables.takeError();
  // Another process may have been faster.
  if (*tables != 0)
    return checkFormat();
  for (const std::string &sql :
       {kSchema.str(),
        "PRAGMA application_id = " + std::to_string(kApplicationId),
        "PRAGMA user_version = " + std::to_string(kFormat)})
    if (llvm::Error error = connection->execute(sql))
      return error;
  return transaction.commit();
}

llvm::Error ResultsDatabase::checkFormat() {
  llvm::Expected<int64_t> id = connection->getNumber("PRAGMA application_id");
  if (!id)
    return id.takeError();
  if (*id != kApplicationId)
    return connection->makeError(
        "is an SQLite database of another program, not one of results");
  llvm::Expected<int64_t> format = connection->getNumber("PRAGMA user_version");
  if (!format)
    return format.takeError();
  if (*format > kFormat)
    return connection->makeError(
        "has format " + llvm::Twine(*format) +
        ", of a newer version of Mirage; this one reads format " +
        llvm::Twine(kFormat));
  llvm::Expected<Statement> schema = connection->prepare(
      "SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'");
  if (!schema)
    return schema.takeError();
  std::string tables;
  while (true) {
    llvm::Expected<bool> hasRow = schema->step();
    if (!hasRow)
      return hasRow.takeError();
    if (!*hasRow)
      break;
    tables += schema->getText(0);
  }
  if (*format != kFormat || tables != kSchema)
    return connection->makeError("is corrupt: its tables are not those of "
                                 "format " +
                                 llvm::Twine(kFormat));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

static void bindKey(Statement &statement, const ResultsKey &key) {
  statement.bind(key.program)
      .bind(key.target)
      .bind(key.options)
      .bind(key.version);
}

static ResultsEntry readEntry(const Statement &row) {
  ResultsEntry entry;
  entry.id = row.getInteger(0);
  std::optional<EntryKind> kind = parseEntryKind(row.getText(1));
  entry.kind = kind.value_or(EntryKind::Result);
  entry.key.program = row.getText(2);
  entry.key.target = row.getText(3);
  entry.key.options = row.getText(4);
  entry.key.version = row.getText(5);
  entry.function = row.getText(6);
  entry.created = row.getInteger(7);
  entry.seconds = row.getReal(8);
  entry.blob = row.getText(10);
  entry.isIntact = kind && row.getText(9) == getChecksum(entry);
  return entry;
}

llvm::Error ResultsDatabase::makeCorruptEntryError(int64_t id) const {
  return connection->makeError("entry " + llvm::Twine(id) +
                               " is corrupt: its checksum doesn't hold");
}

/// Selects the entry of a key, through the index or without it.
static llvm::Expected<Statement>
selectEntry(Connection &connection, const ResultsKey &key, bool useIndex) {
  llvm::Expected<Statement> statement = connection.prepare(
      getSelect(useIndex ? "" : "NOT INDEXED ") +
      "WHERE program = ? AND target = ? AND options = ? AND version = ?");
  if (statement)
    bindKey(*statement, key);
  return statement;
}

llvm::Expected<std::optional<std::string>>
ResultsDatabase::find(const ResultsKey &key, EntryKind kind) {
  std::lock_guard<std::mutex> lock(mutex);
  // What the index doesn't find is looked for without it: a search takes longer
  // than that, and nothing else tells when the index is corrupt. In between no
  // other process must add it.
  Transaction transaction(*connection);
  if (llvm::Error error = transaction.beginReading())
    return std::move(error);
  for (bool useIndex : {true, false}) {
    llvm::Expected<Statement> statement =
        selectEntry(*connection, key, useIndex);
    if (!statement)
      return statement.takeError();
    llvm::Expected<bool> hasRow = statement->step();
    if (!hasRow)
      return hasRow.takeError();
    if (!*hasRow)
      continue;
    ResultsEntry entry = readEntry(*statement);
    // In a corrupt file the index may lead to another entry.
    if (!entry.isIntact || !(entry.key == key))
      return makeCorruptEntryError(entry.id);
    if (!useIndex)
      return connection->makeError("is corrupt: the index lacks entry " +
                                   llvm::Twine(entry.id));
    if (entry.kind != kind)
      return std::nullopt;
    return std::move(entry.blob);
  }
  return std::nullopt;
}

llvm::Expected<std::optional<std::string>>
ResultsDatabase::lookup(const ResultsKey &key) {
  return find(key, EntryKind::Result);
}

llvm::Expected<std::optional<std::string>>
ResultsDatabase::loadCheckpoint(const ResultsKey &key) {
  return find(key, EntryKind::Checkpoint);
}

llvm::Expected<int64_t> ResultsDatabase::store(const ResultsEntry &entry,
                                               Replace replace) {
  std::string sql =
      "INSERT INTO entries (kind, program, target, options, version, function, "
      "created, seconds, checksum, blob) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (program, target, options, version) DO UPDATE SET "
      "kind = excluded.kind, function = excluded.function, "
      "created = excluded.created, seconds = excluded.seconds, "
      "checksum = excluded.checksum, blob = excluded.blob";
  if (replace != Replace::Always)
    sql += " WHERE entries.kind = 'checkpoint'";
  if (replace == Replace::CheckpointsByResults)
    sql += " AND excluded.kind = 'result'";
  llvm::Expected<Statement> statement = connection->prepare(sql);
  if (!statement)
    return statement.takeError();
  std::string checksum = getChecksum(entry);
  statement->bind(getEntryKindName(entry.kind));
  bindKey(*statement, entry.key);
  statement->bind(entry.function)
      .bind(entry.created)
      .bind(entry.seconds)
      .bind(checksum)
      .bind(entry.blob);
  if (llvm::Error error = statement->run())
    return std::move(error);
  return connection->getNumChanges();
}

llvm::Error ResultsDatabase::storeNew(EntryKind kind, const ResultsKey &key,
                                      llvm::StringRef blob,
                                      llvm::StringRef function,
                                      double seconds) {
  ResultsEntry entry;
  entry.kind = kind;
  entry.key = key;
  entry.function = function;
  entry.created = std::chrono::duration_cast<std::chrono::seconds>(
                      std::chrono::system_clock::now().time_since_epoch())
                      .count();
  entry.seconds = seconds;
  entry.blob = blob;
  if (llvm::Error error = checkEntry(entry))
    return connection->makeError("not stored: " +
                                 llvm::toString(std::move(error)));
  std::lock_guard<std::mutex> lock(mutex);
  // One transaction begins before anything is read, so that it can't deadlock
  // with another.
  Transaction transaction(*connection);
  if (llvm::Error error = transaction.begin())
    return error;
  llvm::Expected<int64_t> count =
      store(entry,
            kind == EntryKind::Result ? Replace::Always : Replace::Checkpoints);
  if (!count)
    return count.takeError();
  return transaction.commit();
}

llvm::Error ResultsDatabase::storeResult(const ResultsKey &key,
                                         llvm::StringRef blob,
                                         llvm::StringRef function,
                                         double seconds) {
  return storeNew(EntryKind::Result, key, blob, function, seconds);
}

llvm::Error ResultsDatabase::storeCheckpoint(const ResultsKey &key,
                                             llvm::StringRef blob,
                                             llvm::StringRef function,
                                             double seconds) {
  return storeNew(EntryKind::Checkpoint, key, blob, function, seconds);
}

llvm::Expected<std::vector<ResultsEntry>> ResultsDatabase::list() {
  std::lock_guard<std::mutex> lock(mutex);
  llvm::Expected<Statement> statement =
      connection->prepare(getSelect("ORDER BY id"));
  if (!statement)
    return statement.takeError();
  std::vector<ResultsEntry> entries;
  while (true) {
    llvm::Expected<bool> hasRow = statement->step();
    if (!hasRow)
      return hasRow.takeError();
    if (!*hasRow)
      return std::move(entries);
    entries.push_back(readEntry(*statement));
  }
}

llvm::Expected<std::optional<ResultsEntry>> ResultsDatabase::get(int64_t id) {
  std::lock_guard<std::mutex> lock(mutex);
  llvm::Expected<Statement> statement =
      connection->prepare(getSelect("WHERE id = ?"));
  if (!statement)
    return statement.takeError();
  statement->bind(id);
  llvm::Expected<bool> hasRow = statement->step();
  if (!hasRow)
    return hasRow.takeError();
  if (!*hasRow)
    return std::nullopt;
  ResultsEntry entry = readEntry(*statement);
  if (!entry.isIntact)
    return makeCorruptEntryError(id);
  return std::move(entry);
}

//===----------------------------------------------------------------------===//
// Clearing
//===----------------------------------------------------------------------===//

llvm::Expected<int64_t> ResultsDatabase::clear(Statement &statement) {
  if (llvm::Error error = statement.run())
    return std::move(error);
  int64_t count = connection->getNumChanges();
  // Gives the room back to the file system, unless that fails, on a full disk,
  // say: what is cleared is cleared, and later entries use the room.
  if (count != 0)
    llvm::consumeError(connection->execute("VACUUM"));
  return count;
}

llvm::Expected<int64_t> ResultsDatabase::clearAll() {
  std::lock_guard<std::mutex> lock(mutex);
  llvm::Expected<Statement> statement =
      connection->prepare("DELETE FROM entries");
  return statement ? clear(*statement) : statement.takeError();
}

llvm::Expected<int64_t> ResultsDatabase::clearEntry(int64_t id) {
  std::lock_guard<std::mutex> lock(mutex);
  llvm::Expected<Statement> statement =
      connection->prepare("DELETE FROM entries WHERE id = ?");
  return statement ? clear(statement->bind(id)) : statement.takeError();
}

llvm::Expected<int64_t>
ResultsDatabase::clearFunction(llvm::StringRef function) {
  std::lock_guard<std::mutex> lock(mutex);
  llvm::Expected<Statement> statement =
      connection->prepare("DELETE FROM entries WHERE function = ?");
  return statement ? clear(statement->bind(function)) : statement.takeError();
}

//===----------------------------------------------------------------------===//
// Export and import
//===----------------------------------------------------------------------===//

llvm::Error ResultsDatabase::exportTo(llvm::raw_ostream &os) {
  // All is read before anything is written: nobody waits for the stream.
  llvm::Expected<std::vector<ResultsEntry>> entries = list();
  if (!entries)
    return entries.takeError();
  for (const ResultsEntry &entry : *entries)
    if (!entry.isIntact)
      return makeCorruptEntryError(entry.id);
  writeEntries(*entries, os);
  return llvm::Error::success();
}

llvm::Expected<int64_t>
ResultsDatabase::importFrom(llvm::MemoryBufferRef buffer) {
  llvm::Expected<std::vector<ResultsEntry>> entries = readEntries(buffer);
  if (!entries)
    return entries.takeError();
  std::lock_guard<std::mutex> lock(mutex);
  Transaction transaction(*connection);
  if (llvm::Error error = transaction.begin())
    return std::move(error);
  int64_t added = 0;
  for (const ResultsEntry &entry : *entries) {
    llvm::Expected<int64_t> count = store(entry, Replace::CheckpointsByResults);
    if (!count)
      return count.takeError();
    added += *count;
  }
  if (llvm::Error error = transaction.commit())
    return std::move(error);
  return added;
}

//===----------------------------------------------------------------------===//
// The default
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<ResultsDatabase>>
ResultsDatabase::openNamed(llvm::StringRef name) {
  if (name != "default")
    return open(name);
  llvm::Expected<std::string> path = getDefaultDatabasePath();
  if (!path)
    return path.takeError();
  return open(*path);
}

llvm::Expected<std::string> mirage::getDefaultDatabasePath() {
  auto getVariable = [](const char *name) -> llvm::StringRef {
    const char *value = std::getenv(name);
    return value ? value : "";
  };
  if (llvm::StringRef file = getVariable("MIRAGE_DATABASE"); !file.empty())
    return file.str();
  llvm::SmallString<128> path(getVariable("XDG_CACHE_HOME"));
  if (path.empty()) {
    if (!llvm::sys::path::home_directory(path) || path.empty())
      return llvm::createStringError(
          "there is no home directory for the results database; name a file "
          "in the environment variable MIRAGE_DATABASE");
    llvm::sys::path::append(path, ".cache");
  }
  llvm::sys::path::append(path, "mirage", "results.db");
  return path.str().str();
}
