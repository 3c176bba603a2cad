//===- BoundedPlacements.cpp - The cheapest placements first --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BoundedPlacements.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

class Collector {
public:
  Collector(FrameSizings &sizings, const FrameReads &reads,
            std::shared_ptr<const FrameSizings::RepeatedWork> work,
            const SearchOptions &options, const Placement &frame, double from,
            double to, const std::atomic<bool> &stop,
            std::vector<BoundedPlacement> &result)
      : sizings(sizings), reads(reads), work(std::move(work)), options(options),
        placement(frame), from(from), to(to), stop(stop), result(result) {}

  void run(std::vector<FrameSizings::Partial> partials) {
    sizings.setRepeatedWork(*work, partials, to);
    ArrayRef<FrameReads::Combination> together;
    if (reads.together)
      together = *reads.together;
    placeInput(0, partials, together);
  }

private:
  using Partials = std::vector<FrameSizings::Partial>;

  /// `together`, where it is known what goes together: what does with the ways
  /// in which the inputs so far are read.
  void placeInput(unsigned input, const Partials &partials,
                  ArrayRef<FrameReads::Combination> together) {
    if (partials.empty() || stop.load(std::memory_order_relaxed))
      return;
    if (input == reads.choices.size())
      return add(partials);
    if (reads.together) {
      while (!together.empty()) {
        const SmallVector<size_t, kMostWaysToRead> chosen =
            together.front()[input];
        ArrayRef<FrameReads::Combination> with =
            together.take_while([&](const FrameReads::Combination &some) {
              return some[input] == chosen;
            });
        together = together.drop_front(with.size());
        read(input, chosen, partials, with);
      }
      return;
    }
    // With the rule off as many as with it, so that they can be compared. Where
    // only nobody knows what goes together there are too many.
    const size_t most =
        options.uses(SearchRule::Reads) ? 2 : placement.getMostWaysToRead();
    SmallVector<size_t, kMostWaysToRead> chosen;
    auto choose = [&](auto &self, size_t first) -> void {
      for (size_t way = first; way < reads.choices[input].size(); ++way) {
        chosen.push_back(way);
        read(input, chosen, partials, {});
        if (chosen.size() < most)
          self(self, way + 1);
        chosen.pop_back();
      }
    };
    choose(choose, 0);
  }

  /// Reads an input in some of its ways, and goes on with the next one.
  void read(unsigned input, ArrayRef<size_t> chosen, const Partials &partials,
            ArrayRef<FrameReads::Combination> together) {
    for (size_t way : chosen)
      placement.iterators.push_back(reads.choices[input][way]);
    placeInput(input + 1, sizings.place(partials, input, chosen, to), together);
    placement.iterators.resize(placement.iterators.size() - chosen.size());
  }

  void add(const Partials &partials) {
    double bound = std::numeric_limits<double>::infinity();
    for (const FrameSizings::Partial &partial : partials)
      bound = std::min(bound, partial.bound);
    if (bound < from)
      return;
    if (options.uses(SearchRule::Partitions) && !cutsInputs(placement))
      return;
    result.push_back(
        {bound, std::make_shared<const Placement>(placement), work});
  }

  FrameSizings &sizings;
  const FrameReads &reads;
  std::shared_ptr<const FrameSizings::RepeatedWork> work;
  const SearchOptions &options;
  Placement placement;
  double from, to;
  const std::atomic<bool> &stop;
  std::vector<BoundedPlacement> &result;
};

} // namespace

/// Which of the ways to read the inputs go together; those that go with no
/// others are dropped. Returns whether any were.
static bool findTogether(const KernelProblem &problem, const Placement &frame,
                         FrameReads &reads) {
  std::optional<std::vector<ReadSet>> sets;
  if (problem.getReadSets)
    sets = problem.getReadSets(frame, reads.choices);
  if (!sets)
    return false;
  ReadSet any;
  for (const ReadSet &set : *sets)
    any |= set;
  reads.together.emplace(sets->size());
  size_t next = 0;
  for (auto &ways : reads.choices) {
    std::vector<IteratorPlacement> used;
    FrameReads::Combination numbers(sets->size());
    for (const IteratorPlacement &way : ways) {
      for (auto [set, chosen] : llvm::zip_equal(*sets, numbers))
        if (set[next])
          chosen.push_back(used.size());
      if (any[next++])
        used.push_back(way);
    }
    ways = std::move(used);
    for (auto [chosen, combination] : llvm::zip_equal(numbers, *reads.together))
      combination.push_back(chosen);
  }
  llvm::sort(*reads.together);
  return any.count() < next;
}

double mirage::collectPlacements(
    const SearchProgram &program, const KernelProblem &problem,
    const SearchOptions &options, const TargetNumbers &target,
    const Placement &frame, ArrayRef<DimFates> fates,
    std::optional<FrameReads> &reads, TensorTilesCache &cache, double from,
    double to, const std::atomic<bool> &stop,
    std::vector<BoundedPlacement> &result, int64_t &numSizes) {
  // What goes together, and what is repeated, takes some time to find out: not
  // where no sizes are cheap enough anyway.
  std::optional<FrameSizings> sizings;
  std::vector<FrameSizings::Partial> partials;
  auto start = [&](const FrameReads &with) {
    sizings.emplace(program, problem, frame, target, with.choices, cache);
    partials = sizings->start(to);
    numSizes += sizings->getNumSizes();
    return !partials.empty();
  };
  if (!reads) {
    FrameReads all;
    for (unsigned input = 0; input < problem.inputs.size(); ++input)
      all.choices.push_back(
          getWaysToRead(program, problem, options, frame, input, fates[input]));
    if (!start(all))
      return sizings->getLeastLeftOut();
    if (findTogether(problem, frame, all))
      sizings.reset();
    reads = std::move(all);
  }
  if (reads->together && reads->together->empty())
    return std::numeric_limits<double>::infinity();
  if (!sizings && !start(*reads))
    return sizings->getLeastLeftOut();
  auto work = std::make_shared<const FrameSizings::RepeatedWork>(
      getRepeatedWork(problem, frame));
  Collector(*sizings, *reads, work, options, frame, from, to, stop, result)
      .run(std::move(partials));
  return sizings->getLeastLeftOut();
}
