//===- SearchStore.h - A search in the results database ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_SEARCHSTORE_H
#define MIRAGE_LIB_SEARCH_SEARCHSTORE_H

#include "Mirage/Database/ResultsDatabase.h"
#include "SolveLog.h"
#include "StoredKernels.h"

namespace mirage {

/// What a finished search stores.
struct StoredResult {
  /// Among them how many plans were refuted or could not be verified.
  SearchStatistics statistics;
  /// The others, cheapest first: to find that out again may take seconds.
  std::vector<Plan> plans;
  /// Why one could not be verified.
  std::string unknownReason;
};

/// A search's entry in the results database.
class SearchStore {
public:
  SearchStore(SearchProgram &program, const SearchOptions &options);

  /// Reads the result of an earlier search of the same, or how far one has come
  /// into `log`. An error if the database or the entry is none that a search
  /// has written.
  llvm::Expected<std::optional<StoredResult>> load(SolveLog &log) const;

  llvm::Error storeResult(const StoredResult &result, double seconds) const;
  llvm::Error storeCheckpoint(const SolveLog &log, double seconds) const;

  /// That the entry holds what no search has written.
  llvm::Error makeEntryError() const;

private:
  std::optional<StoredResult> readResult(const llvm::json::Value &value) const;

  SearchProgram &program;
  const SearchOptions &options;
  ResultsKey key;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_SEARCHSTORE_H
