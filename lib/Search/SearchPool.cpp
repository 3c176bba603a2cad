//===- SearchPool.cpp - Threads of the search -----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchPool.h"
#include <condition_variable>

using namespace mirage;
using llvm::ArrayRef;

namespace {

/// Hands the tasks of some works out to threads.
class Schedule {
public:
  explicit Schedule(ArrayRef<PhasedWork *> works) {
    for (PhasedWork *work : works)
      states.push_back({work});
  }

  /// What each thread does.
  void run(SearchWorker &worker) {
    State *own = nullptr;
    std::unique_lock<std::mutex> lock(mutex);
    while (State *state = choose(own, lock)) {
      own = state;
      if (state->status == Status::New) {
        startPhase(*state, lock);
        continue;
      }
      size_t task = state->next++;
      ++state->running;
      lock.unlock();
      state->work->run(task, worker);
      lock.lock();
      if (--state->running == 0 && state->next == state->count)
        startPhase(*state, lock);
    }
  }

private:
  enum class Status { New, Starting, Running, Done };
  struct State {
    PhasedWork *work;
    Status status = Status::New;
    size_t next = 0, count = 0, running = 0;

    bool hasTask() const { return status == Status::Running && next < count; }
  };

  /// Waits until there is something to do, or (null) all is done.
  State *choose(State *own, std::unique_lock<std::mutex> &lock) {
    while (true) {
      if (own && own->hasTask())
        return own;
      bool done = true;
      State *found = nullptr;
      for (State &state : states) {
        if (state.status == Status::New)
          return &state;
        if (!found && state.hasTask())
          found = &state;
        done &= state.status == Status::Done;
      }
      if (found || done)
        return found;
      changed.wait(lock);
    }
  }

  void startPhase(State &state, std::unique_lock<std::mutex> &lock) {
    state.status = Status::Starting;
    lock.unlock();
    size_t count = state.work->startPhase();
    lock.lock();
    state.next = 0;
    state.count = count;
    state.status = count ? Status::Running : Status::Done;
    changed.notify_all();
  }

  std::vector<State> states;
  std::mutex mutex;
  std::condition_variable changed;
};

} // namespace

SearchPool::SearchPool(const SearchProgram &program,
                       const SearchOptions &options)
    : program(program), options(options),
      pool(llvm::heavyweight_hardware_concurrency(options.threads)) {}

void SearchPool::run(ArrayRef<PhasedWork *> works) {
  Schedule schedule(works);
  auto work = [&] {
    std::unique_ptr<SearchWorker> worker;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!idle.empty()) {
        worker = std::move(idle.back());
        idle.pop_back();
      }
    }
    if (!worker)
      worker = std::make_unique<SearchWorker>(program, options);
    schedule.run(*worker);
    std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(std::move(worker));
  };
  size_t threads = pool.getMaxConcurrency();
  if (threads <= 1)
    return work();
  for (size_t i = 0; i < threads; ++i)
    pool.async(work);
  pool.wait();
}
