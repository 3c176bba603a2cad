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
  Collector(FrameSizings &sizings,
            std::shared_ptr<const FrameSizings::RepeatedWork> work,
            const SearchOptions &options, const Placement &frame, double from,
            double to, const std::atomic<bool> &stop,
            std::vector<BoundedPlacement> &result)
      : sizings(sizings), work(std::move(work)), options(options),
        placement(frame), from(from), to(to), stop(stop), result(result) {}

  bool run(std::vector<FrameSizings::Partial> partials) {
    sizings.setRepeatedWork(*work, partials, to, more);
    placeInput(0, partials);
    return more;
  }

private:
  using Partials = std::vector<FrameSizings::Partial>;

  void placeInput(unsigned input, const Partials &partials) {
    if (partials.empty() || stop.load(std::memory_order_relaxed))
      return;
    const auto &choices = sizings.getChoices();
    if (input == choices.size())
      return add(partials);
    // One way to read it, or two.
    ArrayRef<IteratorPlacement> ways = choices[input];
    for (size_t i = 0; i < ways.size(); ++i) {
      placement.iterators.push_back(ways[i]);
      Partials one = sizings.place(partials, input, {&ways[i]}, to, more);
      placeInput(input + 1, one);
      for (size_t j = i + 1; j < ways.size(); ++j) {
        placement.iterators.push_back(ways[j]);
        placeInput(input + 1, sizings.place(partials, input,
                                            {&ways[i], &ways[j]}, to, more));
        placement.iterators.pop_back();
      }
      placement.iterators.pop_back();
    }
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
  std::shared_ptr<const FrameSizings::RepeatedWork> work;
  const SearchOptions &options;
  Placement placement;
  double from, to;
  const std::atomic<bool> &stop;
  std::vector<BoundedPlacement> &result;
  bool more = false;
};

} // namespace

bool mirage::collectPlacements(
    const SearchProgram &program, const KernelProblem &problem,
    const SearchOptions &options, const TargetNumbers &target,
    const Placement &frame, ArrayRef<DimFates> fates, double from, double to,
    const std::atomic<bool> &stop, std::vector<BoundedPlacement> &result) {
  std::vector<std::vector<IteratorPlacement>> choices;
  for (unsigned input = 0; input < problem.inputs.size(); ++input)
    choices.push_back(
        getWaysToRead(program, problem, options, frame, input, fates[input]));
  FrameSizings sizings(program, problem, frame, target, std::move(choices));
  // What is repeated takes some time to find out.
  bool more = false;
  std::vector<FrameSizings::Partial> partials = sizings.start(to, more);
  if (partials.empty())
    return more;
  auto work = std::make_shared<const FrameSizings::RepeatedWork>(
      getRepeatedWork(problem, frame));
  return Collector(sizings, work, options, frame, from, to, stop, result)
             .run(std::move(partials)) ||
         more;
}
