//===- SolveLog.h - How far a search has come -------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_SOLVELOG_H
#define MIRAGE_LIB_SEARCH_SOLVELOG_H

#include "Mirage/Search/Search.h"
#include "llvm/Support/JSON.h"

namespace mirage {

/// What a search has done, in numbers: since it does the same in every run,
/// these are enough to go on where it was interrupted, or to find its results
/// again.
struct SolveLog {
  /// A kernel that is kept: which placement of its problem, which derivation of
  /// that, and its sizes.
  struct Kernel {
    int64_t placement = 0;
    llvm::SmallVector<int64_t, 32> derivation;
    llvm::SmallVector<int64_t, 3> grid;
    int64_t iterations = 0;
    int64_t partsRead = 1, partsWritten = 1;
    double nanoseconds = 0;
  };
  /// One problem, in the order in which they come up.
  struct Entry {
    /// Rounds of placements that are done, and whether all are.
    int64_t rounds = 0;
    bool done = false;
    std::vector<Kernel> best;
    /// Of the search when it had come so far.
    SearchStatistics statistics;
  };
  std::vector<Entry> entries;

  llvm::json::Value toJSON() const;
  /// False if the value isn't what `toJSON` makes.
  bool fromJSON(const llvm::json::Value &value);
};

/// Sets the counters that a log keeps.
void setCounters(SearchStatistics &statistics, const SearchStatistics &to);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_SOLVELOG_H
