//===- BoundedPlacements.h - The cheapest placements first ------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_BOUNDEDPLACEMENTS_H
#define MIRAGE_LIB_SEARCH_BOUNDEDPLACEMENTS_H

#include "Sizings.h"
#include <atomic>

namespace mirage {

struct BoundedPlacement {
  /// The least bound of its sizes.
  double bound = 0;
  std::shared_ptr<const Placement> placement;
  std::shared_ptr<const FrameSizings::RepeatedWork> work;
};

/// The ways to read the inputs of a problem in a frame.
struct FrameReads {
  std::vector<std::vector<IteratorPlacement>> choices;
  /// Which ways go together: for each input the numbers of some. In increasing
  /// order; none: not known.
  using Combination = std::vector<llvm::SmallVector<size_t, kMostWaysToRead>>;
  std::optional<std::vector<Combination>> together;
};

/// Adds the placements in a frame whose bounds are at least `from` and below
/// `to`, in an order that depends on nothing else. Returns what no bound of the
/// others is below; infinite: there are none. Ends early when `stop` is set.
///
/// Inputs are placed one after the other. With each of them sizes drop out,
/// those whose bound has come to exceed `to`; when none is left, neither is
/// there a placement. So what takes time is the number of pairs of placements
/// and sizes that are cheap enough, not that of all of them. What it finds out
/// about the frame is kept in `reads` for the next time. The sizes that it
/// looks at are added to `numSizes`.
double
collectPlacements(const SearchProgram &program, const KernelProblem &problem,
                  const SearchOptions &options, const TargetNumbers &target,
                  const Placement &frame, llvm::ArrayRef<DimFates> fates,
                  std::optional<FrameReads> &reads, TensorTilesCache &cache,
                  double from, double to, const std::atomic<bool> &stop,
                  std::vector<BoundedPlacement> &result, int64_t &numSizes);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_BOUNDEDPLACEMENTS_H
