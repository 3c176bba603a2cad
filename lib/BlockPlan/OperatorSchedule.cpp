//===- OperatorSchedule.cpp - The depths of operators ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branch and bound over the operators that have slack.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/OperatorSchedule.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <tuple>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

class Scheduler {
public:
  Scheduler(const OperatorScheduleProblem &problem, int64_t workLimit);

  OperatorSchedule run();

private:
  using Cost = std::tuple<bool, int64_t, int64_t, int64_t>;
  static Cost getCost(const OperatorSchedule &schedule) {
    return {schedule.barrierAtBackEdge, schedule.peakBytes, schedule.totalBytes,
            std::accumulate(schedule.depths.begin(), schedule.depths.end(),
                            int64_t(0))};
  }

  /// Raises the earliest depths of operators, from `first` on, to what those in
  /// front of them imply.
  void propagate(unsigned first);
  /// A cost that no completion of the operators up to `numDecided` undercuts.
  Cost getBound();
  /// Takes what `earliest` says if it is better than the best.
  void offer();
  void search(size_t position);

  const OperatorScheduleProblem &problem;
  int64_t work;
  unsigned numDepths = 0;
  /// For each operator the tiles that it reads.
  SmallVector<SmallVector<unsigned>> reads;
  /// The range of depths that is left to an operator; one depth when it is
  /// decided.
  SmallVector<unsigned> earliest, latest;
  /// The operators with a choice, in order.
  SmallVector<unsigned> free;
  OperatorSchedule best;
  /// Scratch of `getBound`.
  SmallVector<int64_t> live;
};

} // namespace

Scheduler::Scheduler(const OperatorScheduleProblem &problem, int64_t workLimit)
    : problem(problem), work(workLimit), reads(problem.getNumOps()),
      earliest(problem.getNumOps(), 0) {
  for (auto [i, tile] : llvm::enumerate(problem.tiles))
    for (unsigned reader : tile.readers)
      reads[reader].push_back(i);
}

void Scheduler::propagate(unsigned first) {
  for (unsigned op = first, e = problem.getNumOps(); op < e; ++op)
    for (unsigned tile : reads[op])
      earliest[op] =
          std::max(earliest[op], earliest[problem.tiles[tile].maker] + 1);
}

Scheduler::Cost Scheduler::getBound() {
  work -= problem.getNumOps() + problem.tiles.size();
  live.assign(numDepths + 1, 0);
  int64_t total = 0;
  bool backEdge = false;
  for (const ScheduledTile &tile : problem.tiles) {
    if (tile.readers.empty() && !tile.livesToEnd)
      continue;
    // From when to when it lives in any case.
    unsigned from = latest[tile.maker], to = earliest[tile.maker];
    for (unsigned reader : tile.readers) {
      to = std::max(to, earliest[reader]);
      backEdge |= problem.repeats && !tile.isPipelined && numDepths > 1 &&
                  from == 0 && earliest[reader] == numDepths - 1;
    }
    if (tile.livesToEnd)
      to = numDepths - 1;
    if (tile.isPipelined) {
      from = 0;
      to = numDepths - 1;
    }
    // Wherever it is made, a reader is deeper.
    unsigned least = !tile.isPipelined && !tile.readers.empty() ? 2 : 1;
    total += tile.bytes * std::max<int64_t>(least, int64_t(to) - from + 1);
    if (from <= to) {
      live[from] += tile.bytes;
      live[to + 1] -= tile.bytes;
    }
  }
  for (unsigned op = 0, e = problem.getNumOps(); op < e; ++op) {
    total += problem.scratchBytes[op];
    if (earliest[op] == latest[op]) {
      live[earliest[op]] += problem.scratchBytes[op];
      live[earliest[op] + 1] -= problem.scratchBytes[op];
    }
  }
  int64_t peak = 0, sum = 0;
  for (unsigned depth = 0; depth < numDepths; ++depth) {
    sum += live[depth];
    peak = std::max(peak, sum);
  }
  return {backEdge, peak, total,
          std::accumulate(earliest.begin(), earliest.end(), int64_t(0))};
}

OperatorSchedule
mirage::evaluateSchedule(const OperatorScheduleProblem &problem,
                         ArrayRef<unsigned> depths) {
  OperatorSchedule schedule;
  schedule.depths.assign(depths.begin(), depths.end());
  for (unsigned depth : depths)
    schedule.numDepths = std::max(schedule.numDepths, depth + 1);
  SmallVector<int64_t> live(schedule.numDepths, 0);
  for (const ScheduledTile &tile : problem.tiles) {
    if (tile.readers.empty() && !tile.livesToEnd)
      continue;
    unsigned from = depths[tile.maker], to = from;
    for (unsigned reader : tile.readers)
      to = std::max(to, depths[reader]);
    if (problem.repeats && !tile.isPipelined && from == 0 && to > 0 &&
        to + 1 == schedule.numDepths)
      schedule.barrierAtBackEdge = true;
    if (tile.livesToEnd || tile.isPipelined)
      to = schedule.numDepths - 1;
    for (unsigned depth = tile.isPipelined ? 0 : from; depth <= to; ++depth)
      live[depth] += tile.bytes;
  }
  for (auto [op, depth] : llvm::enumerate(depths))
    live[depth] += problem.scratchBytes[op];
  for (int64_t bytes : live) {
    schedule.peakBytes = std::max(schedule.peakBytes, bytes);
    schedule.totalBytes += bytes;
  }
  return schedule;
}

void Scheduler::offer() {
  OperatorSchedule schedule = evaluateSchedule(problem, earliest);
  if (best.depths.empty() || getCost(schedule) < getCost(best))
    best = std::move(schedule);
}

void Scheduler::search(size_t position) {
  if (position == free.size())
    return offer();
  unsigned op = free[position];
  SmallVector<unsigned> saved(earliest);
  unsigned savedLatest = latest[op];
  for (unsigned depth = saved[op]; depth <= savedLatest && work > 0; ++depth) {
    earliest = saved;
    earliest[op] = latest[op] = depth;
    propagate(op + 1);
    if (getBound() < getCost(best))
      search(position + 1);
  }
  earliest = saved;
  latest[op] = savedLatest;
}

OperatorSchedule Scheduler::run() {
  if (problem.getNumOps() == 0)
    return best;
  propagate(0);
  numDepths = *std::max_element(earliest.begin(), earliest.end()) + 1;
  latest.assign(problem.getNumOps(), numDepths - 1);
  for (unsigned op = problem.getNumOps(); op-- > 0;) {
    if (problem.isHoisted[op])
      latest[op] = earliest[op];
    for (unsigned tile : reads[op]) {
      unsigned maker = problem.tiles[tile].maker;
      latest[maker] = std::min(latest[maker], latest[op] - 1);
    }
  }
  for (unsigned op = 0, e = problem.getNumOps(); op < e; ++op)
    if (earliest[op] < latest[op])
      free.push_back(op);
  offer();
  // As deep as this a search would not end anyway, but the stack might.
  constexpr size_t kMaxFree = 1000;
  if (free.size() > kMaxFree)
    work = 0;
  if (getBound() < getCost(best))
    search(0);
  best.isOptimal = work > 0;
  return best;
}

OperatorSchedule
mirage::scheduleOperators(const OperatorScheduleProblem &problem,
                          int64_t workLimit) {
  return Scheduler(problem, workLimit).run();
}
