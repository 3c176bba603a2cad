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

void mirage::setCounters(SearchStatistics &statistics,
                         const SearchStatistics &to) {
  for (auto [name, counter] : getCounters())
    statistics.*counter = to.*counter;
}

json::Value SolveLog::toJSON() const {
  json::Array list;
  for (const Entry &entry : entries) {
    json::Array best;
    for (const Kernel &kernel : entry.best)
      best.push_back(
          json::Object{{"placement", kernel.placement},
                       {"derivation", json::Array(kernel.derivation)},
                       {"grid", json::Array(kernel.grid)},
                       {"iterations", kernel.iterations},
                       {"read", kernel.partsRead},
                       {"written", kernel.partsWritten},
                       {"nanoseconds", kernel.nanoseconds}});
    json::Object statistics;
    for (auto [name, counter] : getCounters())
      statistics[name] = entry.statistics.*counter;
    list.push_back(json::Object{{"rounds", entry.rounds},
                                {"done", entry.done},
                                {"best", std::move(best)},
                                {"statistics", std::move(statistics)}});
  }
  return list;
}

static bool read(const json::Object &object, llvm::StringRef name,
                 int64_t &number) {
  std::optional<int64_t> value = object.getInteger(name);
  if (!value || *value < 0)
    return false;
  number = *value;
  return true;
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
    std::optional<bool> done = object->getBoolean("done");
    const json::Array *best = object->getArray("best");
    const json::Object *statistics = object->getObject("statistics");
    if (!read(*object, "rounds", entry.rounds) || !done || !best || !statistics)
      return false;
    entry.done = *done;
    for (auto [name, counter] : getCounters())
      if (!read(*statistics, name, entry.statistics.*counter))
        return false;
    for (const json::Value &element : *best) {
      const json::Object *numbers = element.getAsObject();
      Kernel &kernel = entry.best.emplace_back();
      const json::Array *grid = numbers ? numbers->getArray("grid") : nullptr;
      const json::Array *derivation =
          numbers ? numbers->getArray("derivation") : nullptr;
      if (!grid || !derivation ||
          !read(*numbers, "placement", kernel.placement) ||
          !read(*numbers, "iterations", kernel.iterations) ||
          !read(*numbers, "read", kernel.partsRead) ||
          !read(*numbers, "written", kernel.partsWritten) ||
          !numbers->getNumber("nanoseconds"))
        return false;
      kernel.nanoseconds = *numbers->getNumber("nanoseconds");
      for (const json::Value &part : *derivation) {
        std::optional<int64_t> number = part.getAsInteger();
        if (!number || *number < 0)
          return false;
        kernel.derivation.push_back(*number);
      }
      for (const json::Value &size : *grid) {
        std::optional<int64_t> number = size.getAsInteger();
        if (!number || *number < 1)
          return false;
        kernel.grid.push_back(*number);
      }
    }
  }
  return true;
}
