//===- SizeLimits.h - What is too large -------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_SIZELIMITS_H
#define MIRAGE_LIB_SEARCH_SIZELIMITS_H

#include "Mirage/Search/Search.h"

namespace mirage {

/// From where on a program is too large to be searched in one piece
/// (docs/Search.md). Counts, not times: a result depends neither on the machine
/// nor on the threads.
struct SizeLimits {
  /// Of one graph of values.
  static constexpr size_t kAttempts = 400000;
  /// Of what the values of one graph are at small sizes.
  static constexpr size_t kValueBytes = size_t(128) << 20;
  /// Begun at one placement, with every oracle: some ten times what most of
  /// docs/results/search.md take (a GeGLU with biases has as many, unfolded).
  static constexpr size_t kDerivations = 250000;
  /// Prices of the kernels of one placement, each derivation with some sizes;
  /// some 20 µs each. The largest programs that are searched to the end take
  /// 160,000 at all placements (a chunk of Mamba-2).
  static constexpr int64_t kPrices = 100000;
  /// Of one graph, and states on the way to them, each of which is expanded
  /// max-block-ops + 1 times at most.
  static constexpr size_t kCuts = 25000, kCutStates = 4000000;
  /// States in all graphs: more than twice what the largest program takes that
  /// is searched to the end (layer_norm_swiglu). And how many a graph counts
  /// for that has too many cuts or states: where it was given up is chance.
  static constexpr int64_t kCutStatesOfAll = 4000000,
                           kCutStatesOfGivenUp = kCutStatesOfAll / 4;
  /// Of all problems, and so of one that is searched alone; three times what
  /// the largest program takes that is searched to the end. Of several that are
  /// searched side by side, each has its share, but so many at least (attention
  /// with elu(x) + 1 for exponentials takes more than 45,000 for one of them).
  static constexpr int64_t kStates = 500000, kStatesOfOne = kStates / 10;
  /// Sizes of grids, with any loop and with one, that are bounded before inputs
  /// are placed (sizes_bounded of the report): of all problems, and of one as
  /// above. The largest program that is searched to the end takes 6.5 million
  /// (an LSTM of eight sequences).
  static constexpr int64_t kSizesBounded = 10000000,
                           kSizesBoundedOfOne = kSizesBounded / 16;
  /// In all graphs. The largest program that is searched to the end takes 3.2
  /// million (an LSTM of eight sequences).
  static constexpr int64_t kAttemptsOfAll = 4000000;
  /// Kernels looked for.
  static constexpr size_t kProblems = 100000;

  /// How much of these limits a piece may take of a program that is too large
  /// itself: what is found in pieces is mostly found soon.
  static constexpr double kPartOfPieces = 0.5;
  /// How much of them a program may take with sums as operators, before it is
  /// searched as it is, and what is left for that: two norms of one tensor take
  /// more than a quarter (docs/results/search.md); or where it was too much to
  /// be searched to the end even with sums as operators.
  static constexpr double kPartOfSums = 0.5, kPartBesideSums = 0.5,
                          kPartBesideTooManySums = 0.25;
  /// How much of them the whole program may take of which parts were searched
  /// by themselves before, with success: what is better is found soon, if at
  /// all.
  static constexpr double kPartBesideApart = 0.5;
  /// How much may be spent on kernels of more operators than others.
  static constexpr double kPartOfLongKernels = 0.25;

  /// Whoever asks another oracle, or none, wants to see the whole space,
  /// however long it takes.
  static bool apply(const SearchOptions &options) {
    return options.oracle == OracleKind::NormalForm;
  }
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_SIZELIMITS_H
