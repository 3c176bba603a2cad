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

/// All threads but the one that asks.
static llvm::ThreadPoolStrategy getHelpers(llvm::ThreadPoolStrategy all) {
  all.ThreadsRequested = std::max(all.compute_thread_count(), 2u) - 1;
  return all;
}

SearchPool::SearchPool(const SearchProgram &program,
                       const SearchOptions &options)
    : program(program), options(options),
      threads(llvm::heavyweight_hardware_concurrency(options.threads)),
      helpers(getHelpers(threads)) {}

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
  for (unsigned i = 1; i < threads.compute_thread_count(); ++i)
    helpers.async(work);
  work();
  helpers.wait();
}

namespace {

/// One phase.
class Tasks : public PhasedWork {
public:
  using Body = llvm::function_ref<void(size_t task, SearchWorker &worker)>;
  Tasks(size_t count, Body body) : count(count), body(body) {}
  size_t startPhase() override { return std::exchange(count, 0); }
  void run(size_t task, SearchWorker &worker) override { body(task, worker); }

private:
  size_t count;
  Body body;
};

} // namespace

void SearchPool::forEach(size_t count, Tasks::Body body) {
  Tasks tasks(count, body);
  run({&tasks});
}
