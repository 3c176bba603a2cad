//===- SearchPool.cpp - Threads of the search -----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchPool.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <chrono>
#include <thread>

using namespace mirage;
using llvm::ArrayRef;

/// Waits a little for what another thread makes true: to wake a thread up takes
/// longer than most phases last.
static void stayAwake(llvm::function_ref<bool()> condition) {
  constexpr std::chrono::microseconds kLittle(200);
  const auto end = std::chrono::steady_clock::now() + kLittle;
  while (!condition() && std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
}

/// Hands the tasks of some works out to threads. Most take microseconds: a lock
/// for each would make threads wait for each other.
class SearchPool::Schedule {
public:
  Schedule(ArrayRef<PhasedWork *> works, const std::function<bool()> &spareWork)
      : states(works.size()), spareWork(spareWork), hasSpareWork(spareWork) {
    for (auto [state, work] : llvm::zip(states, works))
      state.work = work;
    states[0].isNew = false;
  }

  /// What the thread that has made the schedule does: it begins the first work,
  /// which others may help with.
  void runFirst(SearchWorker &worker) {
    run(states[0], begin(states[0], worker), worker);
    run(worker);
  }
  /// What the others do.
  void run(SearchWorker &worker) {
    std::optional<size_t> task;
    while (State *state = choose(worker, task))
      run(*state, task, worker);
  }

private:
  struct State {
    PhasedWork *work = nullptr;
    /// Guarded by the mutex.
    bool isNew = true, isDone = false;
    /// Who has begun the work. Guarded, too: whether the task that is left is
    /// for nobody else.
    const SearchWorker *owner = nullptr;
    bool isOwners = false;
    /// Of the phase, which lasts as long as there are unfinished ones.
    size_t count = 0;
    std::atomic<size_t> unfinished{0};
    /// The phase's number, and in the lower half how many tasks are left.
    std::atomic<uint64_t> tasks{0};

    static uint64_t getLeft(uint64_t tasks) { return tasks & UINT32_MAX; }

    /// The next task, if there is one.
    std::optional<size_t> take() {
      uint64_t seen = tasks;
      while (getLeft(seen) > 0)
        if (tasks.compare_exchange_weak(seen, seen - 1))
          return count - getLeft(seen);
      return std::nullopt;
    }
  };

  /// Does a task, and others of the same work while that has some.
  void run(State &state, std::optional<size_t> task, SearchWorker &worker) {
    while (task) {
      state.work->run(*task, worker);
      task = --state.unfinished == 0 ? startPhase(state, worker) : state.take();
    }
  }

  /// A work to begin or to help with, and a task of it, if nobody else has
  /// taken that. Does spare work, or waits, until there is one, or (null) all
  /// are done.
  State *choose(const SearchWorker &worker, std::optional<size_t> &task) {
    std::unique_lock<std::mutex> lock(mutex);
    while (true) {
      State *found = nullptr;
      bool done = true;
      for (State &state : states) {
        if (state.isNew) {
          state.isNew = false;
          lock.unlock();
          task = begin(state, worker);
          return &state;
        }
        // What is for this thread alone comes before all else.
        const bool isOurs = state.isOwners && state.owner == &worker;
        if (State::getLeft(state.tasks) > 0 &&
            (isOurs || (!found && !state.isOwners)))
          found = &state;
        done &= state.isDone;
      }
      if (found)
        task = found->take();
      if (found || done)
        return found;
      const unsigned seen = numPhases;
      auto hasChanged = [&] { return numPhases != seen; };
      if (!hasSpareWork) {
        waiting.insert(&worker);
        lock.unlock();
        stayAwake(hasChanged);
        lock.lock();
        changed.wait(lock, hasChanged);
        waiting.erase(&worker);
        continue;
      }
      lock.unlock();
      bool wasSome = spareWork();
      lock.lock();
      hasSpareWork = wasSome;
    }
  }

  std::optional<size_t> begin(State &state, const SearchWorker &worker) {
    state.owner = &worker;
    return startPhase(state, worker);
  }

  /// Begins the next phase, if there is one. Its first task is the caller's;
  /// but that of a phase with one is for who has begun the work, if that one
  /// waits: it knows most of what the task needs.
  std::optional<size_t> startPhase(State &state, const SearchWorker &worker) {
    size_t count = state.work->startPhase();
    bool isCallers = false;
    {
      std::lock_guard<std::mutex> lock(mutex);
      state.isDone = count == 0;
      state.isOwners =
          count == 1 && state.owner != &worker && waiting.contains(state.owner);
      isCallers = count > 0 && !state.isOwners;
      state.count = state.unfinished = count;
      uint64_t phase = (state.tasks >> 32) + 1;
      state.tasks = phase << 32 | (count - isCallers);
      ++numPhases;
    }
    changed.notify_all();
    return isCallers ? std::optional<size_t>(0) : std::nullopt;
  }

  std::vector<State> states;
  const std::function<bool()> &spareWork;
  /// Guarded by the mutex.
  bool hasSpareWork;
  llvm::SmallPtrSet<const SearchWorker *, 8> waiting;
  std::mutex mutex;
  /// How many phases were begun.
  std::atomic<unsigned> numPhases{0};
  std::condition_variable changed;
};

/// All threads but the one that asks.
static llvm::ThreadPoolStrategy getHelpers(llvm::ThreadPoolStrategy all) {
  all.ThreadsRequested = std::max(all.compute_thread_count(), 2u) - 1;
  return all;
}

SearchPool::SearchPool(const SearchProgram &program,
                       const SearchOptions &options)
    : program(program), options(options),
      threads(llvm::heavyweight_hardware_concurrency(options.threads)),
      helpers(getHelpers(threads)) {
  for (unsigned i = 1; i < threads.compute_thread_count(); ++i)
    helpers.async([this] { help(); });
}

SearchPool::~SearchPool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isOver = true;
    ++numRuns;
  }
  changed.notify_all();
  own.reset();
}

/// What a helper does: its part of one run after the other. What it has kept
/// takes long to destroy, which all do side by side.
void SearchPool::help() {
  std::unique_ptr<SearchWorker> worker;
  unsigned seen = 0;
  auto isBegun = [&] { return numRuns != seen; };
  while (true) {
    stayAwake(isBegun);
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, isBegun);
    seen = numRuns;
    if (isOver)
      return;
    std::shared_ptr<Schedule> schedule = current;
    ++numHelping;
    lock.unlock();
    if (!worker)
      worker = std::make_unique<SearchWorker>(program, options);
    schedule->run(*worker);
    schedule.reset();
    lock.lock();
    if (--numHelping == 0)
      changed.notify_all();
  }
}

void SearchPool::setSpareWork(std::function<bool()> spare) {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [this] { return numHelping == 0; });
  spareWork = std::move(spare);
}

void SearchPool::run(ArrayRef<PhasedWork *> works) {
  if (works.empty())
    return;
  // Who is doing spare work when all is done comes back to it.
  auto schedule = std::make_shared<Schedule>(works, spareWork);
  {
    std::lock_guard<std::mutex> lock(mutex);
    current = schedule;
    ++numRuns;
  }
  changed.notify_all();
  if (!own)
    own = std::make_unique<SearchWorker>(program, options);
  schedule->runFirst(*own);
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
  if (count == 0)
    return;
  Tasks tasks(count, body);
  run({&tasks});
}
