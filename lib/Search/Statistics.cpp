//===- Statistics.cpp - What a search counts ------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Search.h"
#include "SolveLog.h"

using namespace mirage;
namespace json = llvm::json;

/// The counters that are added up, and kept in a database, by name.
static constexpr std::pair<llvm::StringLiteral, int64_t SearchStatistics::*>
    kCounters[] = {
        {"states", &SearchStatistics::states},
        {"attempts", &SearchStatistics::attempts},
        {"shape", &SearchStatistics::prunedByShape},
        {"loop", &SearchStatistics::prunedByLoop},
        {"oracle", &SearchStatistics::prunedByOracle},
        {"indices", &SearchStatistics::prunedByIndices},
        {"whole", &SearchStatistics::prunedByWhole},
        {"needed", &SearchStatistics::prunedByNeeded},
        {"equal", &SearchStatistics::prunedByEqual},
        {"duplicate", &SearchStatistics::prunedByDuplicate},
        {"dead", &SearchStatistics::prunedAsDead},
        {"arrangement", &SearchStatistics::prunedByArrangement},
        {"cut", &SearchStatistics::prunedByCut},
        {"bound", &SearchStatistics::prunedByBound},
        {"structures", &SearchStatistics::structures},
        {"sizes", &SearchStatistics::sizes},
        {"memory", &SearchStatistics::sizesTooLarge},
        {"sizes_bounded", &SearchStatistics::sizesBounded},
        {"cut_steps", &SearchStatistics::cutSteps},
        {"bounds_exceeded", &SearchStatistics::boundsExceeded},
        {"too_large", &SearchStatistics::graphsTooLarge},
        {"at_operator_limit", &SearchStatistics::atOperatorLimit},
        {"placements", &SearchStatistics::placements},
        {"placements_done", &SearchStatistics::placementsDone},
};

SearchStatistics &SearchStatistics::operator+=(const SearchStatistics &other) {
  for (auto [name, counter] : kCounters)
    this->*counter += other.*counter;
  for (int64_t SearchStatistics::*verified :
       {&SearchStatistics::accepted, &SearchStatistics::refuted,
        &SearchStatistics::unknown, &SearchStatistics::unstable})
    this->*verified += other.*verified;
  kernels = std::max(kernels, other.kernels);
  oracle += other.oracle;
  return *this;
}

llvm::StringRef mirage::getStopReasonName(StopReason reason) {
  switch (reason) {
  case StopReason::None:
    return "";
  case StopReason::TimeLimit:
    return "time-limit";
  case StopReason::MemoryLimit:
    return "memory-limit";
  case StopReason::Interrupt:
    return "interrupt";
  case StopReason::UnstableLimit:
    return "unstable-limit";
  case StopReason::SizeLimit:
    return "size-limit";
  }
  llvm_unreachable("covered switch");
}

json::Object mirage::writeCounters(const SearchStatistics &statistics) {
  json::Object object;
  for (auto [name, counter] : kCounters)
    object[name] = statistics.*counter;
  return object;
}

bool mirage::readCounters(const json::Object &value,
                          SearchStatistics &statistics) {
  for (auto [name, counter] : kCounters) {
    std::optional<int64_t> number = value.getInteger(name);
    if (!number || *number < 0)
      return false;
    statistics.*counter = *number;
  }
  return true;
}
