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

/// What a search has done: since it does the same in every run, this is enough
/// to go on where it was interrupted.
struct SolveLog {
  /// One problem, in the order in which they come up.
  struct Entry {
    /// A hash of the problem and of the cost that its kernels have to undercut.
    uint64_t problem = 0;
    /// How many times placements were collected, how many of them are searched,
    /// and whether all are.
    int64_t collected = 0, searched = 0;
    bool done = false;
    /// What no kernel that is missing costs less than, when it is done.
    double nanosecondsLeft = 0;
    /// The kernels that are kept (StoredKernels.h), pre-defined ones apart.
    llvm::json::Array best;
    /// What this problem has added to the search's.
    SearchStatistics statistics;
  };
  std::vector<Entry> entries;

  llvm::json::Value toJSON() const;
  /// False if the value isn't what `toJSON` makes.
  bool fromJSON(const llvm::json::Value &value);
};

/// The counters of a search that are kept, by name.
llvm::json::Object writeCounters(const SearchStatistics &statistics);
/// Sets these counters; false if `value` isn't what `writeCounters` makes.
bool readCounters(const llvm::json::Object &value,
                  SearchStatistics &statistics);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_SOLVELOG_H
