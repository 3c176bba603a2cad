//===- SearchPool.h - Threads of the search ---------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_SEARCHPOOL_H
#define MIRAGE_LIB_SEARCH_SEARCHPOOL_H

#include "ProblemContext.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>
#include <condition_variable>
#include <mutex>

namespace mirage {

/// Work in phases, one after the other, of numbered tasks that don't depend on
/// each other.
class PhasedWork {
public:
  virtual ~PhasedWork() = default;
  /// Ends the phase before, if there was one, and says how many tasks the next
  /// one has; 0 if there is none. No task runs meanwhile.
  virtual size_t startPhase() = 0;
  virtual void run(size_t task, SearchWorker &worker) = 0;
};

/// Does works on several threads, each of which keeps its state from one task
/// to the next. A thread stays with one work while that has tasks for it, then
/// starts another, and helps with what others have started only when there are
/// no more.
class SearchPool {
public:
  SearchPool(const SearchProgram &program, const SearchOptions &options);
  ~SearchPool();

  /// What threads do that would wait otherwise, if anything: some of what is
  /// needed later. It returns false when there is no more. Waits for that which
  /// was begun of what was set before: `run` doesn't.
  void setSpareWork(std::function<bool()> spare);

  /// With the one that calls.
  unsigned getNumThreads() const { return threads.compute_thread_count(); }

  /// Returns when all works are done. To be called by one thread, and by no
  /// task.
  void run(llvm::ArrayRef<PhasedWork *> works);
  /// Does `count` tasks in any order.
  void
  forEach(size_t count,
          llvm::function_ref<void(size_t task, SearchWorker &worker)> body);

private:
  class Schedule;
  void help();

  const SearchProgram &program;
  const SearchOptions &options;
  llvm::ThreadPoolStrategy threads;
  std::function<bool()> spareWork;
  /// Of the thread that calls; each helper has one of its own.
  std::unique_ptr<SearchWorker> own;
  std::mutex mutex;
  std::condition_variable changed;
  /// Guarded by the mutex, but those that wait may look at the number of runs.
  std::shared_ptr<Schedule> current;
  std::atomic<unsigned> numRuns{0};
  unsigned numHelping = 0;
  bool isOver = false;
  /// Destroyed first: its threads may still be at what is spare.
  llvm::StdThreadPool helpers;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_SEARCHPOOL_H
