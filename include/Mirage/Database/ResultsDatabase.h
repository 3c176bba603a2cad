//===- ResultsDatabase.h - What searches have found -------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DATABASE_RESULTSDATABASE_H
#define MIRAGE_DATABASE_RESULTSDATABASE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace mirage {

namespace sqlite {
class Connection;
class Statement;
} // namespace sqlite

/// What a search's result depends on. Two keys are equal if all texts are.
struct ResultsKey {
  /// The canonical text of the program (CanonicalProgram.h).
  std::string program;
  std::string target;
  /// All options that results depend on.
  std::string options;
  /// Of the search: results of another version are not looked up.
  std::string version;

  bool operator==(const ResultsKey &other) const;
};

/// What is kept for a key: the state of a search that goes on, or, once it has
/// ended, what it found. Never both.
enum class EntryKind { Checkpoint, Result };

/// "checkpoint" or "result".
llvm::StringRef getEntryKindName(EntryKind kind);

/// An entry of the database.
struct ResultsEntry {
  /// Its number in this file. Never used again when the entry is gone.
  int64_t id = 0;
  EntryKind kind = EntryKind::Result;
  ResultsKey key;
  /// The function that was searched, for people.
  std::string function;
  /// When it was stored, in seconds since 1970 (UTC), before the year 10000.
  int64_t created = 0;
  /// How long the search took until then.
  double seconds = 0;
  /// What was stored: UTF-8.
  std::string blob;
  /// Whether the checksum holds. Only `list` returns entries of which it
  /// doesn't.
  bool isIntact = true;

  bool hasValidTime() const {
    constexpr int64_t kYear10000 = 253'402'300'800;
    return created >= 0 && created < kYear10000;
  }
};

/// How the file is opened.
enum class OpenMode {
  Read,  ///< it must exist, and need not be writable
  Write, ///< it must exist
  Create ///< it is created if it doesn't exist, and so are its parent folders
};

/// A file with what searches have found, and the states of those that were
/// interrupted. docs/Database.md has the details.
///
/// Any number of processes, and of threads of each, may use one file. What a
/// call has stored when it returns is there after any crash; what it was
/// storing is there whole or not at all. A connection must not be used by a
/// child of fork().
///
/// Every error names the file. None leaves it other than it was: not an SQLite
/// file, another program's, of a newer version, corrupt, not readable or
/// writable, the disk full, in use for longer than `timeout`.
class ResultsDatabase {
public:
  static llvm::Expected<std::unique_ptr<ResultsDatabase>>
  open(llvm::StringRef path, OpenMode mode = OpenMode::Create,
       std::chrono::milliseconds timeout = std::chrono::seconds(30));
  /// As options of passes and tools name it: "default" is the file of
  /// getDefaultDatabasePath(), all else a path.
  static llvm::Expected<std::unique_ptr<ResultsDatabase>>
  openNamed(llvm::StringRef name);
  ~ResultsDatabase();

  /// The absolute path of the file.
  llvm::StringRef getPath() const { return path; }

  /// What a finished search has stored, if there is one.
  llvm::Expected<std::optional<std::string>> lookup(const ResultsKey &key);
  /// Stores what a finished search has found, in place of all that is there for
  /// the key: an earlier result, a checkpoint. `seconds` is finite, texts are
  /// UTF-8, or it is an error.
  llvm::Error storeResult(const ResultsKey &key, llvm::StringRef blob,
                          llvm::StringRef function = "", double seconds = 0);

  /// The last state that a search has stored, unless one has ended since.
  llvm::Expected<std::optional<std::string>>
  loadCheckpoint(const ResultsKey &key);
  /// Stores the state of a search in place of an earlier one. Does nothing when
  /// there is a result: another process was faster.
  llvm::Error storeCheckpoint(const ResultsKey &key, llvm::StringRef blob,
                              llvm::StringRef function = "",
                              double seconds = 0);

  /// All entries, by number, those included whose checksum doesn't hold.
  llvm::Expected<std::vector<ResultsEntry>> list();
  llvm::Expected<std::optional<ResultsEntry>> get(int64_t id);

  /// Removes entries and makes the file smaller. Returns how many they were.
  llvm::Expected<int64_t> clearAll();
  llvm::Expected<int64_t> clearEntry(int64_t id);
  llvm::Expected<int64_t> clearFunction(llvm::StringRef function);

  /// Writes all entries as JSON lines (docs/Database.md), by number. Nothing
  /// is written if there is an error.
  llvm::Error exportTo(llvm::raw_ostream &os);
  /// Adds the entries of an export: all, or none if there is an error, which
  /// names buffer and line. What is there for a key stays, unless it is a
  /// checkpoint and the new entry a result. Returns how many were added.
  llvm::Expected<int64_t> importFrom(llvm::MemoryBufferRef buffer);

private:
  ResultsDatabase(std::string path,
                  std::unique_ptr<sqlite::Connection> connection);

  llvm::Error initialize(OpenMode mode);
  llvm::Error checkFormat();
  /// When an entry takes the place of one that is there.
  enum class Replace { Always, Checkpoints, CheckpointsByResults };
  llvm::Expected<int64_t> store(const ResultsEntry &entry, Replace replace);
  llvm::Error storeNew(EntryKind kind, const ResultsKey &key,
                       llvm::StringRef blob, llvm::StringRef function,
                       double seconds);
  llvm::Expected<std::optional<std::string>> find(const ResultsKey &key,
                                                  EntryKind kind);
  llvm::Expected<int64_t> clear(sqlite::Statement &statement);
  llvm::Error makeCorruptEntryError(int64_t id) const;

  std::string path;
  /// Guards the connection.
  std::mutex mutex;
  std::unique_ptr<sqlite::Connection> connection;
};

/// $MIRAGE_DATABASE, or else mirage/results.db in $XDG_CACHE_HOME, or else in
/// ~/.cache. Variables that are empty don't count. An error if there is no
/// home.
llvm::Expected<std::string> getDefaultDatabasePath();

} // namespace mirage

#endif // MIRAGE_DATABASE_RESULTSDATABASE_H
