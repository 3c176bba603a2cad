//===- ResultsDatabaseTest.cpp - What is stored is found ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DatabaseTest.h"
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

using namespace mirage;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class ResultsDatabaseTest : public DatabaseTest {};

TEST_F(ResultsDatabaseTest, WhatIsStoredIsFound) {
  auto database = open();
  EXPECT_EQ(lookup(*database, makeKey("p")), "nothing");
  must(database->storeResult(makeKey("p"), "found"));
  EXPECT_EQ(lookup(*database, makeKey("p")), "found");
  // Another connection, and one after the first is closed.
  EXPECT_EQ(lookup(*open(), makeKey("p")), "found");
  database.reset();
  EXPECT_EQ(lookup(*open(OpenMode::Write), makeKey("p")), "found");
  EXPECT_EQ(lookup(*open(OpenMode::Read), makeKey("p")), "found");
}

TEST_F(ResultsDatabaseTest, ALaterResultReplacesAnEarlierOne) {
  auto database = open();
  must(database->storeResult(makeKey("p"), "first"));
  must(database->storeResult(makeKey("p"), "second"));
  EXPECT_EQ(lookup(*database, makeKey("p")), "second");
  EXPECT_EQ(must(database->list()).size(), 1u);
}

TEST_F(ResultsDatabaseTest, AllOfTheKeyMatters) {
  auto database = open();
  ResultsKey key{"program", "target", "options", "version"};
  must(database->storeResult(key, "found"));
  for (std::string ResultsKey::*part :
       {&ResultsKey::program, &ResultsKey::target, &ResultsKey::options,
        &ResultsKey::version}) {
    ResultsKey other = key;
    other.*part += " ";
    EXPECT_EQ(lookup(*database, other), "nothing");
  }
  // The same letters, divided otherwise.
  EXPECT_EQ(lookup(*database, {"programtarget", "", "options", "version"}),
            "nothing");
  EXPECT_EQ(lookup(*database, key), "found");
}

TEST_F(ResultsDatabaseTest, Checkpoints) {
  auto database = open();
  ResultsKey key = makeKey("p");
  auto load = [&] { return getText(database->loadCheckpoint(key)); };
  EXPECT_EQ(load(), "nothing");
  must(database->storeCheckpoint(key, "round 1"));
  must(database->storeCheckpoint(key, "round 2"));
  EXPECT_EQ(load(), "round 2");
  // It is no result, and a result ends it.
  EXPECT_EQ(lookup(*database, key), "nothing");
  must(database->storeResult(key, "found"));
  EXPECT_EQ(load(), "nothing");
  EXPECT_EQ(lookup(*database, key), "found");
  // A slower process doesn't undo it.
  must(database->storeCheckpoint(key, "round 2"));
  EXPECT_EQ(load(), "nothing");
  EXPECT_EQ(lookup(*database, key), "found");
}

TEST_F(ResultsDatabaseTest, AnyText) {
  auto database = open();
  std::vector<std::string> texts = {"", std::string("a\0b\0", 4),
                                    "μGraph \"quoted\"\n\t\x7f",
                                    std::string(5'000'000, 'x')};
  for (const std::string &text : texts) {
    ResultsKey key{"program" + text, text, text, text};
    must(database->storeResult(key, text, text));
    EXPECT_TRUE(lookup(*database, key) == text);
  }
}

TEST_F(ResultsDatabaseTest, WhatCantBeExportedIsNotStored) {
  auto database = open();
  auto getError = [&](ResultsKey key, llvm::StringRef blob,
                      llvm::StringRef function, double seconds) {
    std::string error =
        llvm::toString(database->storeResult(key, blob, function, seconds));
    EXPECT_EQ(error, llvm::toString(database->storeCheckpoint(
                         key, blob, function, seconds)));
    EXPECT_THAT(error, HasSubstr(path + ": not stored: "));
    return error;
  };
  EXPECT_THAT(getError(makeKey("\xff"), "", "", 0),
              HasSubstr("the text 'program' is not UTF-8"));
  EXPECT_THAT(getError(makeKey("p"), "\xc3", "", 0), HasSubstr("'blob'"));
  EXPECT_THAT(getError(makeKey("p"), "", "\xc3", 0), HasSubstr("'function'"));
  EXPECT_THAT(getError({"p", "\xff", "", ""}, "", "", 0),
              HasSubstr("'target'"));
  EXPECT_THAT(getError({"p", "", "\xff", ""}, "", "", 0),
              HasSubstr("'options'"));
  EXPECT_THAT(getError({"p", "", "", "\xff"}, "", "", 0),
              HasSubstr("'version'"));
  EXPECT_THAT(getError(makeKey("p"), "", "", std::nan("")),
              HasSubstr("the number of seconds is not finite"));
  EXPECT_THAT(
      getError(makeKey("p"), "", "", std::numeric_limits<double>::infinity()),
      HasSubstr("the number of seconds is not finite"));
  EXPECT_TRUE(must(database->list()).empty());
}

TEST_F(ResultsDatabaseTest, FoldersAreCreated) {
  path = getFile("not/there/results.db");
  must(open()->storeResult(makeKey("p"), "found"));
  EXPECT_EQ(lookup(*open(), makeKey("p")), "found");
}

/// SQLite would keep it in memory.
TEST_F(ResultsDatabaseTest, NamesHaveNoMeaning) {
  llvm::SmallString<128> before;
  ASSERT_FALSE(llvm::sys::fs::current_path(before));
  ASSERT_FALSE(llvm::sys::fs::set_current_path(folder));
  for (const char *name : {":memory:", "file:x?mode=memory", " a 'b'.db"}) {
    path = name;
    must(open()->storeResult(makeKey("p"), "found"));
    EXPECT_EQ(lookup(*open(), makeKey("p")), "found");
    EXPECT_TRUE(llvm::sys::fs::exists(getFile(name))) << name;
  }
  ASSERT_FALSE(llvm::sys::fs::set_current_path(before));
}

TEST_F(ResultsDatabaseTest, Entries) {
  auto database = open();
  auto now = [] {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  };
  int64_t before = now();
  must(database->storeResult(makeKey("p"), "found", "f", 1.5));
  must(database->storeCheckpoint(makeKey("q"), "round 1", "g"));
  std::vector<ResultsEntry> entries = must(database->list());
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].kind, EntryKind::Result);
  EXPECT_TRUE(entries[0].key == makeKey("p"));
  EXPECT_EQ(entries[0].function, "f");
  EXPECT_EQ(entries[0].seconds, 1.5);
  EXPECT_EQ(entries[0].blob, "found");
  EXPECT_TRUE(entries[0].isIntact);
  EXPECT_GE(entries[0].created, before);
  EXPECT_LE(entries[0].created, now());
  EXPECT_EQ(entries[1].kind, EntryKind::Checkpoint);
  EXPECT_EQ(entries[1].blob, "round 1");
  EXPECT_GT(entries[1].id, entries[0].id);

  auto entry = must(database->get(entries[1].id));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->function, "g");
  EXPECT_FALSE(must(database->get(entries[1].id + 1)));

  // A checkpoint's result has its number.
  must(database->storeResult(makeKey("q"), "found", "h", 2));
  entry = must(database->get(entries[1].id));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->kind, EntryKind::Result);
  EXPECT_EQ(entry->function, "h");
  EXPECT_EQ(entry->seconds, 2);
}

TEST_F(ResultsDatabaseTest, Clear) {
  auto database = open();
  std::string blob(100'000, 'x');
  for (int i = 0; i < 6; ++i)
    must(database->storeResult(makeKey(llvm::Twine(i)), blob,
                               i % 2 ? "odd" : "even"));
  auto getPrograms = [&] {
    std::vector<std::string> programs;
    for (const ResultsEntry &entry : must(database->list()))
      programs.push_back(entry.key.program);
    return programs;
  };
  auto getSize = [&] {
    uint64_t size = 0;
    EXPECT_FALSE(llvm::sys::fs::file_size(path, size));
    return size;
  };
  std::vector<ResultsEntry> entries = must(database->list());
  EXPECT_EQ(must(database->clearEntry(entries[1].id)), 1);
  EXPECT_EQ(must(database->clearEntry(entries[1].id)), 0);
  EXPECT_THAT(getPrograms(), ElementsAre("0", "2", "3", "4", "5"));
  uint64_t size = getSize();
  EXPECT_EQ(must(database->clearFunction("even")), 3);
  EXPECT_EQ(must(database->clearFunction("neither")), 0);
  EXPECT_THAT(getPrograms(), ElementsAre("3", "5"));
  EXPECT_LT(getSize(), size);
  EXPECT_EQ(must(database->clearAll()), 2);
  EXPECT_EQ(must(database->clearAll()), 0);
  EXPECT_TRUE(getPrograms().empty());
  EXPECT_LT(getSize(), 100'000u);
  // Numbers are not used again.
  must(database->storeResult(makeKey("new"), "found"));
  EXPECT_GT(must(database->list())[0].id, entries.back().id);
}

TEST_F(ResultsDatabaseTest, Threads) {
  auto database = open();
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        ResultsKey key = makeKey(llvm::Twine(t) + "." + llvm::Twine(i));
        std::string blob = key.program + " found";
        bool stored = !llvm::errorToBool(database->storeCheckpoint(key, "c")) &&
                      !llvm::errorToBool(database->storeResult(key, blob));
        failures += !stored || lookup(*database, key) != blob;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(must(database->list()).size(), 40u);
}

/// Sets variables of the environment while it lives.
class Environment {
public:
  Environment(
      std::initializer_list<std::pair<const char *, const char *>> set) {
    for (auto [name, value] : set) {
      const char *old = std::getenv(name);
      saved.push_back(
          {name, old ? std::optional<std::string>(old) : std::nullopt});
      apply(name, value);
    }
  }
  ~Environment() {
    for (auto &[name, value] : saved)
      apply(name, value ? value->c_str() : nullptr);
  }

private:
  static void apply(const char *name, const char *value) {
    if (value)
      setenv(name, value, 1);
    else
      unsetenv(name);
  }
  std::vector<std::pair<const char *, std::optional<std::string>>> saved;
};

TEST(DefaultDatabasePath, FirstVariableThatIsSet) {
  auto getPath = [](const char *file, const char *cache) {
    Environment environment(
        {{"MIRAGE_DATABASE", file}, {"XDG_CACHE_HOME", cache}, {"HOME", "/h"}});
    return must(getDefaultDatabasePath());
  };
  EXPECT_EQ(getPath("/a/b.db", "/c"), "/a/b.db");
  EXPECT_EQ(getPath(nullptr, "/c"), "/c/mirage/results.db");
  EXPECT_EQ(getPath("", "/c"), "/c/mirage/results.db");
  EXPECT_EQ(getPath(nullptr, nullptr), "/h/.cache/mirage/results.db");
  EXPECT_EQ(getPath("", ""), "/h/.cache/mirage/results.db");
}

} // namespace
