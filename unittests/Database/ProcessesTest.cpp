//===- ProcessesTest.cpp - Two processes, and kill -9 ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DatabaseTest.h"
#include <csignal>
#include <random>

using namespace mirage;

namespace {

/// A pipe that processes share.
class Pipe {
public:
  Pipe() { EXPECT_EQ(pipe(ends), 0); }
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  void closeEnd(int end) {
    if (ends[end] >= 0)
      close(ends[end]);
    ends[end] = -1;
  }
  /// Waits until there is a byte; false if nobody is left who could write.
  bool receive() {
    char byte;
    return ::read(ends[0], &byte, 1) == 1;
  }
  void send() { (void)!::write(ends[1], "x", 1); }

private:
  int ends[2] = {-1, -1};
};

class ProcessesTest : public DatabaseTest {
protected:
  /// Says what went wrong in a child.
  static bool succeeds(llvm::Error error) {
    if (!error)
      return true;
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return false;
  }
};

/// All start at once, on a file that isn't there yet.
TEST_F(ProcessesTest, WritingAtOnce) {
  constexpr int kProcesses = 3, kEntries = 20;
  Pipe go;
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process)
    children.push_back(start([&] {
      go.closeEnd(1);
      // The end of the pipe is the signal for all.
      go.receive();
      auto database = ResultsDatabase::open(path);
      if (!succeeds(database.takeError()))
        return false;
      bool isRight = true;
      for (int i = 0; i < kEntries; ++i) {
        std::string number = std::to_string(i);
        // One key of its own, and one that all store.
        ResultsKey own = makeKey(std::to_string(process) + "." + number);
        std::string before = lookup(**database, makeKey(number));
        isRight &= before == "nothing" || before == "shared " + number;
        isRight &= succeeds((*database)->storeCheckpoint(own, "checkpoint"));
        isRight &= succeeds((*database)->storeResult(own, "own " + number));
        isRight &= succeeds(
            (*database)->storeCheckpoint(makeKey(number), "checkpoint"));
        isRight &= succeeds(
            (*database)->storeResult(makeKey(number), "shared " + number));
        isRight &= lookup(**database, own) == "own " + number &&
                   lookup(**database, makeKey(number)) == "shared " + number;
      }
      return isRight;
    }));
  go.closeEnd(1);
  for (pid_t child : children)
    EXPECT_TRUE(wait(child));
  auto database = open();
  EXPECT_EQ(must(database->list()).size(), size_t(kEntries * (kProcesses + 1)));
  for (int i = 0; i < kEntries; ++i) {
    std::string number = std::to_string(i);
    EXPECT_EQ(lookup(*database, makeKey(number)), "shared " + number);
    for (int process = 0; process < kProcesses; ++process)
      EXPECT_EQ(
          lookup(*database, makeKey(std::to_string(process) + "." + number)),
          "own " + number);
  }
}

/// A process is killed while it stores one entry after the other. What it had
/// reported is there, at most one more is, and the next process goes on.
TEST_F(ProcessesTest, Killed) {
  std::mt19937 random(1);
  // Large enough to take several pages.
  std::string padding(20'000, 'x');
  int stored = 0;
  for (int round = 0; round < 10; ++round) {
    Pipe reports;
    pid_t child = start([&] {
      reports.closeEnd(0);
      auto database = open();
      for (int i = stored;; ++i) {
        ResultsKey key = makeKey(llvm::Twine(i));
        std::string blob = std::to_string(i) + padding;
        if (!succeeds(database->storeCheckpoint(key, blob)) ||
            !succeeds(database->storeResult(key, blob)))
          return false;
        reports.send();
      }
    });
    reports.closeEnd(1);
    unsigned wanted = random() % 8;
    int reported = 0;
    for (unsigned i = 0; i < wanted; ++i)
      reported += reports.receive();
    EXPECT_EQ(reported, int(wanted));
    usleep(random() % 3000);
    kill(child, SIGKILL);
    EXPECT_FALSE(wait(child));
    while (reports.receive())
      ++reported;

    if (!llvm::sys::fs::exists(path) || read(path).empty()) {
      EXPECT_EQ(stored + reported, 0);
      continue;
    }
    auto database = open();
    std::vector<ResultsEntry> entries = must(database->list());
    int count = 0, checkpoints = 0;
    for (const ResultsEntry &entry : entries) {
      std::string number = std::to_string(count + checkpoints);
      EXPECT_TRUE(entry.isIntact);
      EXPECT_EQ(entry.key.program, number);
      EXPECT_TRUE(entry.blob == number + padding);
      (entry.kind == EntryKind::Result ? count : checkpoints) += 1;
    }
    EXPECT_GE(count, stored + reported);
    EXPECT_LE(count, stored + reported + 1);
    EXPECT_LE(checkpoints, 1);
    stored = count;
  }
  EXPECT_GT(stored, 0);
}

} // namespace
