//===- DatabaseErrorsTest.cpp - Files that are no results database --------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DatabaseTest.h"
#include <csignal>
#include <map>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace mirage;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class DatabaseErrorsTest : public DatabaseTest {
protected:
  /// Does to the file what another program could.
  void runSQL(const std::string &sql) {
    sqlite3 *handle = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
    char *message = nullptr;
    EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &message),
              SQLITE_OK)
        << message;
    sqlite3_free(message);
    sqlite3_close(handle);
  }
  /// Expects that opening fails, and leaves the file as it is.
  void expectRefused(llvm::StringRef why) {
    std::string before = read(path);
    for (OpenMode mode : {OpenMode::Read, OpenMode::Write, OpenMode::Create}) {
      std::string error = getOpenError(mode);
      EXPECT_THAT(error, StartsWith(path + ": "));
      EXPECT_THAT(error, HasSubstr(why.str()));
    }
    EXPECT_TRUE(read(path) == before);
  }
  /// Expects that a function returns true as a user who isn't root.
  static void expectUnprivileged(llvm::function_ref<bool()> function) {
    EXPECT_TRUE(wait(start([&] {
      constexpr unsigned kNobody = 65534;
      if (geteuid() == 0 && (setresgid(kNobody, kNobody, kNobody) != 0 ||
                             setresuid(kNobody, kNobody, kNobody) != 0))
        return false;
      return function();
    })));
  }
  bool isOpenError(OpenMode mode, llvm::StringRef why) {
    std::string error = getOpenError(mode);
    bool isExpected = llvm::StringRef(error).starts_with(path + ": ") &&
                      llvm::StringRef(error).contains(why);
    if (!isExpected)
      llvm::errs() << "expected '" << why << "', found '" << error << "'\n";
    return isExpected;
  }
};

//===----------------------------------------------------------------------===//
// Foreign files
//===----------------------------------------------------------------------===//

TEST_F(DatabaseErrorsTest, NoSQLite) {
  for (std::string bytes :
       {std::string("x"), std::string("my notes\n"), std::string(99, '\0'),
        std::string(10'000, 'x'), std::string("SQLite format 3"),
        "SQLite format 3" + std::string(1, '\0'),
        "SQLite format 3" + std::string(10'000, '\0')}) {
    write(path, bytes);
    std::string before = read(path);
    for (OpenMode mode : {OpenMode::Read, OpenMode::Write, OpenMode::Create})
      EXPECT_THAT(getOpenError(mode),
                  AnyOf(path + ": is not an SQLite database",
                        StartsWith(path + ": is corrupt"),
                        path + ": is an SQLite database of another program, "
                               "not one of results"))
          << bytes.size();
    EXPECT_TRUE(read(path) == before) << bytes.size();
  }
}

TEST_F(DatabaseErrorsTest, AnotherProgramsSQLite) {
  runSQL("CREATE TABLE entries (id INTEGER PRIMARY KEY)");
  expectRefused("is an SQLite database of another program");
  runSQL("PRAGMA application_id = 17");
  expectRefused("is an SQLite database of another program");
  // Without a table, but not empty.
  write(path, "");
  runSQL("PRAGMA user_version = 1");
  expectRefused("is an SQLite database of another program");
}

TEST_F(DatabaseErrorsTest, NewerFormat) {
  open();
  runSQL("PRAGMA user_version = 2");
  expectRefused("has format 2, of a newer version of Mirage; this one reads "
                "format 1");
}

TEST_F(DatabaseErrorsTest, OtherTables) {
  for (const char *sql :
       {"PRAGMA user_version = 0", "DROP TABLE entries",
        "ALTER TABLE entries RENAME TO others", "CREATE TABLE other (x)",
        "ALTER TABLE entries ADD COLUMN other TEXT",
        "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; "
        "END"}) {
    write(path, "");
    open();
    runSQL(sql);
    expectRefused("is corrupt: its tables are not those of format 1");
  }
}

TEST_F(DatabaseErrorsTest, EmptyFile) {
  write(path, "");
  EXPECT_EQ(getOpenError(OpenMode::Read), path + ": is empty");
  EXPECT_EQ(getOpenError(OpenMode::Write), "");
  EXPECT_EQ(getOpenError(OpenMode::Read), "");
}

TEST_F(DatabaseErrorsTest, NoFile) {
  for (OpenMode mode : {OpenMode::Read, OpenMode::Write})
    EXPECT_EQ(getOpenError(mode), path + ": there is no such file");
  EXPECT_FALSE(llvm::sys::fs::exists(path));
  path = getFile("missing/results.db");
  EXPECT_EQ(getOpenError(OpenMode::Write), path + ": there is no such file");
  path = "";
  EXPECT_EQ(getOpenError(), "the path of the results database is empty");
}

TEST_F(DatabaseErrorsTest, NoRegularFile) {
  path = folder.str().str();
  EXPECT_EQ(getOpenError(), path + ": is not a regular file");
  path = getFile("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(getOpenError(), path + ": is not a regular file");
  path = "/dev/null";
  EXPECT_EQ(getOpenError(), path + ": is not a regular file");
}

TEST_F(DatabaseErrorsTest, AFileForAFolder) {
  write(getFile("file"), "text");
  path = getFile("file/results.db");
  for (OpenMode mode : {OpenMode::Read, OpenMode::Write, OpenMode::Create})
    EXPECT_EQ(getOpenError(mode), path + ": Not a directory");
}

//===----------------------------------------------------------------------===//
// What can't be done
//===----------------------------------------------------------------------===//

TEST_F(DatabaseErrorsTest, ReadOnlyFile) {
  must(open()->storeResult(makeKey("p"), "found"));
  ASSERT_EQ(chmod(folder.c_str(), 0777), 0);
  ASSERT_EQ(chmod(path.c_str(), 0444), 0);
  expectUnprivileged([&] {
    auto database = ResultsDatabase::open(path, OpenMode::Read);
    return isOpenError(OpenMode::Create, "can't be written: it is read-only") &&
           isOpenError(OpenMode::Write, "can't be written: it is read-only") &&
           database && lookup(**database, makeKey("p")) == "found" &&
           lookup(**database, makeKey("q")) == "nothing";
  });
}

TEST_F(DatabaseErrorsTest, WritingToWhatIsOpenForReading) {
  must(open()->storeResult(makeKey("p"), "found"));
  ASSERT_EQ(chmod(folder.c_str(), 0777), 0);
  ASSERT_EQ(chmod(path.c_str(), 0444), 0);
  expectUnprivileged([&] {
    auto database = ResultsDatabase::open(path, OpenMode::Read);
    return database &&
           llvm::StringRef(
               llvm::toString((*database)->storeResult(makeKey("q"), "x")))
               .starts_with(path + ": can't be written: ") &&
           lookup(**database, makeKey("p")) == "found";
  });
}

TEST_F(DatabaseErrorsTest, ReadOnlyFolder) {
  must(open()->storeResult(makeKey("p"), "found"));
  ASSERT_EQ(chmod(path.c_str(), 0666), 0);
  ASSERT_EQ(chmod(folder.c_str(), 0555), 0);
  expectUnprivileged([&] {
    auto database = ResultsDatabase::open(path, OpenMode::Read);
    bool isRight =
        isOpenError(OpenMode::Write,
                    "can't be written: its folder is not writable") &&
        database && lookup(**database, makeKey("p")) == "found";
    std::string existing = path;
    path = getFile("new.db");
    isRight &= isOpenError(OpenMode::Create,
                           "can't be written: its folder is not writable");
    path = getFile("new/results.db");
    std::string error = getOpenError();
    return isRight && llvm::StringRef(error).starts_with(
                          getFile("new") + ": can't be created: ");
  });
  ASSERT_EQ(chmod(folder.c_str(), 0700), 0);
}

TEST_F(DatabaseErrorsTest, UnreadableFile) {
  open();
  ASSERT_EQ(chmod(folder.c_str(), 0777), 0);
  ASSERT_EQ(chmod(path.c_str(), 0), 0);
  expectUnprivileged([&] {
    return isOpenError(OpenMode::Read, "can't be opened") &&
           isOpenError(OpenMode::Read, "Permission denied");
  });
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
}

TEST_F(DatabaseErrorsTest, LockedForTooLong) {
  must(open()->storeResult(makeKey("p"), "found"));
  auto database = must(ResultsDatabase::open(path, OpenMode::Create,
                                             std::chrono::milliseconds(20)));
  sqlite3 *other = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &other), SQLITE_OK);
  std::string expected =
      path + ": is locked by another process, for more than 0.02 s";
  // Someone writes: nobody else can.
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr),
            SQLITE_OK);
  EXPECT_EQ(llvm::toString(database->storeResult(makeKey("q"), "x")), expected);
  EXPECT_EQ(lookup(*database, makeKey("p")), "found");
  ASSERT_EQ(sqlite3_exec(other, "ROLLBACK; BEGIN EXCLUSIVE", nullptr, nullptr,
                         nullptr),
            SQLITE_OK);
  EXPECT_EQ(lookup(*database, makeKey("p")), expected);
  EXPECT_EQ(getOpenError(), expected);
  EXPECT_EQ(llvm::toString(database->clearAll().takeError()), expected);
  // Someone reads for too long: a change can't be made, and isn't half made.
  ASSERT_EQ(sqlite3_exec(other, "ROLLBACK; BEGIN; SELECT * FROM entries",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  EXPECT_EQ(llvm::toString(database->storeResult(makeKey("q"), "x")), expected);
  sqlite3_close(other);
  EXPECT_EQ(lookup(*database, makeKey("q")), "nothing");
  must(database->storeResult(makeKey("q"), "x"));
  EXPECT_EQ(lookup(*database, makeKey("q")), "x");
}

/// A file that can't grow stands for a full disk.
TEST_F(DatabaseErrorsTest, FullDisk) {
  must(open()->storeResult(makeKey("p"), "found"));
  EXPECT_TRUE(wait(start([&] {
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit{64 * 1024, 64 * 1024};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
      return false;
    auto database = ResultsDatabase::open(path);
    if (!database)
      return false;
    std::string error = llvm::toString(
        (*database)->storeResult(makeKey("big"), std::string(200'000, 'x')));
    // What is small still fits, and nothing is lost.
    return llvm::StringRef(error).starts_with(path + ": can't be ") &&
           lookup(**database, makeKey("p")) == "found" &&
           lookup(**database, makeKey("big")) == "nothing" &&
           !llvm::errorToBool((*database)->storeResult(makeKey("q"), "small"));
  })));
  auto database = open();
  EXPECT_EQ(lookup(*database, makeKey("p")), "found");
  EXPECT_EQ(lookup(*database, makeKey("q")), "small");
  EXPECT_EQ(lookup(*database, makeKey("big")), "nothing");
}

/// What is cleared is cleared, though there is no room to make the file
/// smaller: that takes as much again as is left.
TEST_F(DatabaseErrorsTest, ClearedOnAFullDisk) {
  must(open()->storeResult(makeKey("p"), std::string(400'000, 'x')));
  must(open()->storeResult(makeKey("q"), "small", "f"));
  EXPECT_TRUE(wait(start([&] {
    signal(SIGXFSZ, SIG_IGN);
    uint64_t size;
    if (llvm::sys::fs::file_size(path, size))
      return false;
    rlimit limit{size, size};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
      return false;
    sqlite3 *other;
    if (sqlite3_open(path.c_str(), &other) != SQLITE_OK ||
        sqlite3_exec(other, "VACUUM", nullptr, nullptr, nullptr) == SQLITE_OK)
      return false;
    sqlite3_close(other);
    auto database = ResultsDatabase::open(path);
    if (!database)
      return false;
    llvm::Expected<int64_t> count = (*database)->clearFunction("f");
    return count && *count == 1;
  })));
  auto database = open();
  EXPECT_EQ(lookup(*database, makeKey("q")), "nothing");
  EXPECT_EQ(must(database->list()).size(), 1u);
}

/// Neither can a new file be created.
TEST_F(DatabaseErrorsTest, FullDiskFromTheStart) {
  EXPECT_TRUE(wait(start([&] {
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit{512, 512};
    return setrlimit(RLIMIT_FSIZE, &limit) == 0 &&
           isOpenError(OpenMode::Create, "can't be ");
  })));
  must(open()->storeResult(makeKey("p"), "found"));
}

//===----------------------------------------------------------------------===//
// Corruption
//===----------------------------------------------------------------------===//

TEST_F(DatabaseErrorsTest, AnyFieldChanged) {
  for (const char *change :
       {"blob = 'other'", "kind = 'checkpoint'", "kind = 'other'",
        "program = 'q'", "target = 'other'", "function = 'other'",
        "created = 0", "seconds = 3", "checksum = ''"}) {
    write(path, "");
    must(open()->storeResult(makeKey("p"), "found", "f", 1));
    runSQL(std::string("UPDATE entries SET ") + change);
    auto database = open();
    ResultsKey key = makeKey("p");
    if (llvm::StringRef(change).starts_with("program"))
      key = makeKey("q");
    if (llvm::StringRef(change).starts_with("target"))
      key.target = "other";
    std::string expected =
        path + ": entry 1 is corrupt: its checksum doesn't hold";
    EXPECT_EQ(lookup(*database, key), expected) << change;
    EXPECT_EQ(getText(database->loadCheckpoint(key)), expected) << change;
    EXPECT_EQ(llvm::toString(database->get(1).takeError()), expected);
    std::string exported;
    llvm::raw_string_ostream os(exported);
    EXPECT_EQ(llvm::toString(database->exportTo(os)), expected);
    EXPECT_EQ(exported, "");
    // It is listed, so that it can be removed; a new result replaces it.
    std::vector<ResultsEntry> entries = must(database->list());
    ASSERT_EQ(entries.size(), 1u);
    EXPECT_FALSE(entries[0].isIntact);
    must(database->storeResult(key, "new"));
    EXPECT_EQ(lookup(*database, key), "new");
  }
}

/// Whatever byte of the file is another one, what is found is right.
TEST_F(DatabaseErrorsTest, AnyByteChanged) {
  {
    auto database = open();
    for (int i = 0; i < 20; ++i)
      must(database->storeResult(makeKey(llvm::Twine(i)),
                                 "found " + std::to_string(i), "f"));
  }
  std::string bytes = read(path);
  std::map<std::string, unsigned> errors;
  for (size_t i = 0; i < bytes.size(); i += i < 128 ? 1 : 7) {
    std::string changed = bytes;
    changed[i] ^= i % 2 ? 0xff : 0x01;
    write(path, changed);
    auto database = ResultsDatabase::open(path);
    if (!database) {
      ++errors[llvm::toString(database.takeError())];
      continue;
    }
    for (int key : {0, 7, 19}) {
      std::string found = lookup(**database, makeKey(llvm::Twine(key)));
      if (found != "found " + std::to_string(key))
        ++errors[found];
    }
  }
  unsigned checksums = 0, index = 0;
  for (auto &[error, count] : errors) {
    EXPECT_THAT(error, StartsWith(path + ": "));
    llvm::StringRef text = error;
    checksums += text.contains("its checksum doesn't hold") ? count : 0;
    index += text.contains("is corrupt: the index lacks entry") ? count : 0;
  }
  EXPECT_GT(errors[path + ": is not an SQLite database"], 0u);
  EXPECT_GT(checksums, 0u);
  EXPECT_GT(index, 0u);
}

TEST_F(DatabaseErrorsTest, Truncated) {
  {
    auto database = open();
    for (int i = 0; i < 20; ++i)
      must(database->storeResult(makeKey(llvm::Twine(i)),
                                 std::string(1000, 'x')));
  }
  std::string bytes = read(path);
  unsigned refused = 0;
  for (size_t size = 1; size < bytes.size(); size += 1021) {
    write(path, bytes.substr(0, size));
    auto database = ResultsDatabase::open(path);
    std::string found = database ? lookup(**database, makeKey("19"))
                                 : llvm::toString(database.takeError());
    // The end of the last page may be free.
    EXPECT_TRUE(found == std::string(1000, 'x') ||
                llvm::StringRef(found).starts_with(path + ": "))
        << size;
    refused += found != std::string(1000, 'x');
  }
  EXPECT_GT(refused, bytes.size() / 1021 - 4);
}

} // namespace
