//===- SolveLog.cpp - How far a search has come ---------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SolveLog.h"
#include "llvm/ADT/StringExtras.h"

using namespace mirage;
namespace json = llvm::json;

json::Value SolveLog::toJSON() const {
  json::Array list;
  for (const Entry &entry : entries)
    list.push_back(
        json::Object{{"problem", llvm::utohexstr(entry.problem)},
                     {"collected", entry.collected},
                     {"searched", entry.searched},
                     {"done", entry.done},
                     {"nanoseconds_left", entry.nanosecondsLeft},
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
    std::optional<llvm::StringRef> problem = object->getString("problem");
    std::optional<int64_t> collected = object->getInteger("collected");
    std::optional<int64_t> searched = object->getInteger("searched");
    std::optional<bool> done = object->getBoolean("done");
    std::optional<double> left = object->getNumber("nanoseconds_left");
    const json::Array *best = object->getArray("best");
    const json::Object *statistics = object->getObject("statistics");
    if (!problem || problem->getAsInteger(16, entry.problem) || !collected ||
        *collected < 0 || !searched || *searched < 0 || !done || !left ||
        !best || !statistics || !readCounters(*statistics, entry.statistics))
      return false;
    entry.collected = *collected;
    entry.searched = *searched;
    entry.done = *done;
    entry.nanosecondsLeft = *left;
    entry.best = *best;
  }
  return true;
}
