//===- SolveLog.cpp - How far a search has come ---------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SolveLog.h"

using namespace mirage;
namespace json = llvm::json;

/// The counters that a log keeps, by name.
static std::vector<std::pair<llvm::StringRef, int64_t SearchStatistics::*>>
getCounters() {
  using S = SearchStatistics;
  return {
      {"states", &S::states},         {"shape", &S::prunedByShape},
      {"loop", &S::prunedByLoop},     {"oracle", &S::prunedByOracle},
      {"needed", &S::prunedByUnused}, {"duplicate", &S::prunedByDuplicate},
      {"bound", &S::prunedByBound},   {"structures", &S::structures},
      {"sizes", &S::sizes},           {"memory", &S::sizesTooLarge},
      {"placements", &S::placements}, {"placements_done", &S::placementsDone},
      {"whole", &S::prunedByWhole}};
}

json::Object mirage::writeCounters(const SearchStatistics &statistics) {
  json::Object object;
  for (auto [name, counter] : getCounters())
    object[name] = statistics.*counter;
  return object;
}

bool mirage::readCounters(const json::Object &value,
                          SearchStatistics &statistics) {
  for (auto [name, counter] : getCounters()) {
    std::optional<int64_t> number = value.getInteger(name);
    if (!number || *number < 0)
      return false;
    statistics.*counter = *number;
  }
  return true;
}

json::Value SolveLog::toJSON() const {
  json::Array list;
  for (const Entry &entry : entries)
    list.push_back(
        json::Object{{"searched", entry.searched},
                     {"done", entry.done},
                     {"best", json::Array(entry.best)},
                     {"statistics", writeCounters(entry.statistics)}});
  return list;
}

bool SolveLog::fromJSON(const json::Value &value) {
  entries.clear();
  const json::Array *list = value.getAsArray();
  if (!list)
    return false;
  for (const json::Value &item : *list) {
    const json::Object *object = item.getAsObject();
    if (!object)
      return false;
    Entry &entry = entries.emplace_back();
    std::optional<int64_t> searched = object->getInteger("searched");
    std::optional<bool> done = object->getBoolean("done");
    const json::Array *best = object->getArray("best");
    const json::Object *statistics = object->getObject("statistics");
    if (!searched || *searched < 0 || !done || !best || !statistics ||
        !readCounters(*statistics, entry.statistics))
      return false;
    entry.searched = *searched;
    entry.done = *done;
    entry.best = *best;
  }
  return true;
}
