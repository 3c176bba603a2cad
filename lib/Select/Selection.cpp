//===- Selection.cpp - The best of several μGraphs ------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Select/Selection.h"
#include "Mirage/Cost/CostModel.h"
#include "Mirage/Mugraph/CanonicalProgram.h"
#include "Mirage/Support/ParseJSON.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mirage;
namespace json = llvm::json;

Profiler::~Profiler() = default;

/// Of one candidate's time.
static ResultsKey makeKey(const SelectCandidate &candidate, TargetAttr target,
                          const Profiler &profiler,
                          llvm::StringRef fingerprint) {
  ResultsKey key;
  key.program = getCanonicalText(candidate.graph);
  llvm::raw_string_ostream(key.target) << target;
  key.options =
      ("time device=" + profiler.getDevice() + "\n" + fingerprint).str();
  key.version = "time 2, " + profiler.getMethod();
  return key;
}

static bool isTime(double nanoseconds) {
  return std::isfinite(nanoseconds) && nanoseconds > 0;
}

static std::optional<double> readTime(llvm::StringRef blob) {
  llvm::Expected<json::Value> value = parseJSON(blob);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  const json::Object *object = value->getAsObject();
  std::optional<double> time =
      object ? object->getNumber("nanoseconds") : std::nullopt;
  return time && isTime(*time) ? time : std::nullopt;
}

namespace {

class Selector {
public:
  Selector(llvm::ArrayRef<SelectCandidate> candidates,
           const SelectionOptions &options, Profiler &profiler,
           Selection &selection)
      : candidates(candidates), options(options), profiler(profiler),
        selection(selection) {}

  llvm::Error run() {
    size_t count = selection.ranked.size();
    if (options.topK > 0)
      count = std::min<size_t>(count, options.topK);
    bool hasTime = false;
    for (size_t i = 0; i < count; ++i) {
      if (llvm::Error error = measure(selection.ranked[i]))
        return error;
      hasTime |= selection.ranked[i].measured.has_value();
    }
    if (hasTime)
      return llvm::Error::success();
    return llvm::createStringError("no candidate could be measured; of '" +
                                   candidates[selection.ranked[0].index].name +
                                   "': " + selection.ranked[0].error);
  }

private:
  llvm::Error measure(RankedCandidate &ranked) {
    const SelectCandidate &candidate = candidates[ranked.index];
    ResultsKey key;
    if (options.database) {
      llvm::Expected<std::string> fingerprint =
          profiler.getFingerprint(candidate);
      if (!fingerprint) {
        ranked.error = llvm::toString(fingerprint.takeError());
        return llvm::Error::success();
      }
      key = makeKey(candidate, options.target, profiler, *fingerprint);
      llvm::Expected<std::optional<std::string>> blob =
          options.database->lookup(key);
      if (!blob)
        return blob.takeError();
      if (*blob) {
        ranked.measured = readTime(**blob);
        ranked.isFromDatabase = true;
        if (!ranked.measured)
          return llvm::createStringError(
              options.database->getPath() + ": the time of '" + candidate.name +
              "' is none; remove it with mirage-db clear");
        return llvm::Error::success();
      }
    }
    llvm::Expected<double> time = profiler.measure(candidate);
    if (!time) {
      ranked.error = llvm::toString(time.takeError());
      return llvm::Error::success();
    }
    if (!isTime(*time)) {
      ranked.error = "its time is no positive number";
      return llvm::Error::success();
    }
    ranked.measured = *time;
    if (options.database && selection.databaseError.empty())
      if (llvm::Error error = options.database->storeResult(
              key,
              llvm::formatv("{0}",
                            json::Value(json::Object{{"nanoseconds", *time}}))
                  .str(),
              candidate.name))
        // What can't be stored is not lost.
        selection.databaseError = llvm::toString(std::move(error));
    return llvm::Error::success();
  }

  llvm::ArrayRef<SelectCandidate> candidates;
  const SelectionOptions &options;
  Profiler &profiler;
  Selection &selection;
};

} // namespace

/// Those without a time are in the model's order, the failed ones last.
static void sortByRank(std::vector<RankedCandidate> &list) {
  auto getRank = [](const RankedCandidate &ranked) {
    int group = ranked.measured ? 0 : ranked.error.empty() ? 1 : 2;
    return std::tuple(group, ranked.measured.value_or(ranked.estimate),
                      ranked.estimate, ranked.index);
  };
  llvm::sort(list, [&](const RankedCandidate &a, const RankedCandidate &b) {
    return getRank(a) < getRank(b);
  });
}

llvm::Expected<Selection>
mirage::select(llvm::ArrayRef<SelectCandidate> candidates,
               const SelectionOptions &options, Profiler *profiler) {
  if (candidates.empty())
    return llvm::createStringError("there are no candidates");
  Selection selection;
  for (auto [i, candidate] : llvm::enumerate(candidates)) {
    RankedCandidate &ranked = selection.ranked.emplace_back();
    ranked.index = i;
    ranked.estimate = estimateCost(candidate.graph, options.target).nanoseconds;
  }
  sortByRank(selection.ranked);
  if (!profiler)
    return selection;
  if (llvm::Error error =
          Selector(candidates, options, *profiler, selection).run())
    return std::move(error);
  sortByRank(selection.ranked);
  return selection;
}
