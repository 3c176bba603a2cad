//===- SearchStore.cpp - A search in the results database -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchStore.h"
#include "Mirage/Mugraph/CanonicalProgram.h"
#include "Mirage/Support/ParseJSON.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
namespace json = llvm::json;

/// Changes with what a search finds, and with the order in which it does
/// things: logs are replayed by position.
static constexpr llvm::StringLiteral kVersion = "search 75";

/// All that the result depends on, and not on how it is searched for.
static ResultsKey makeKey(const SearchProgram &program,
                          const SearchOptions &options) {
  std::vector<std::string> operators = options.operators;
  llvm::sort(operators);
  ResultsKey key;
  key.program = getCanonicalText(program.reference);
  llvm::raw_string_ostream(key.target) << options.target;
  key.options = llvm::formatv(
      "max-kernel-ops={0} max-block-ops={1} max-whole-ops={14} "
      "max-grid-dims={2} "
      "max-free-ops={3} candidates={4} seed={5} stability-factor={6} "
      "safe-exponentials={7} oracle={8} least-gain={9} without={10} "
      "operators={11} stability-work={12} size-limits={13}",
      options.maxKernelOps, options.maxBlockOps, options.maxGridDims,
      options.maxFreeOps, options.keep, options.seed,
      // JSON has all digits.
      json::Value(options.stabilityFactor), options.safeExponentials,
      getOracleName(options.oracle), json::Value(options.leastGain),
      llvm::join(options.without.getNames(), ","), llvm::join(operators, ","),
      json::Value(options.stabilityWork), json::Value(options.partOfSizeLimits),
      options.maxWholeOps);
  if (options.axioms) {
    for (const auto &[name, arity] : options.axioms->functions)
      key.options += llvm::formatv("\nfunction {0} {1}", name, arity).str();
    for (const solve::Axiom &axiom : options.axioms->axioms)
      key.options += "\naxiom " + axiom.text;
  }
  key.version = kVersion.str();
  return key;
}

SearchStore::SearchStore(SearchProgram &program, const SearchOptions &options)
    : program(program), options(options) {
  if (options.database)
    key = makeKey(program, options);
}

llvm::Error SearchStore::makeEntryError() const {
  return llvm::createStringError(
      options.database->getPath() +
      ": the entry of this program holds what no search has stored; remove it "
      "with mirage-db clear");
}

llvm::Expected<std::optional<StoredResult>>
SearchStore::load(SolveLog &log) const {
  if (!options.database)
    return std::nullopt;
  llvm::Expected<std::optional<std::string>> blob =
      options.database->lookup(key);
  if (!blob)
    return blob.takeError();
  bool isResult = blob->has_value();
  if (!isResult) {
    blob = options.database->loadCheckpoint(key);
    if (!blob)
      return blob.takeError();
    if (!*blob)
      return std::nullopt;
  }
  llvm::Expected<json::Value> value = parseJSON(**blob);
  if (!value) {
    llvm::consumeError(value.takeError());
    return makeEntryError();
  }
  if (!isResult) {
    if (!log.fromJSON(*value))
      return makeEntryError();
    return std::nullopt;
  }
  std::optional<StoredResult> result = readResult(*value);
  if (!result)
    return makeEntryError();
  return result;
}

std::optional<StoredResult>
SearchStore::readResult(const json::Value &value) const {
  const json::Object *object = value.getAsObject();
  if (!object)
    return std::nullopt;
  const json::Object *counters = object->getObject("statistics");
  const json::Value *stored = object->get("plans");
  std::optional<int64_t> kernels = object->getInteger("kernels");
  StoredResult result;
  std::optional<int64_t> refuted = object->getInteger("refuted"),
                         unknown = object->getInteger("unknown");
  std::optional<llvm::StringRef> why = object->getString("unknown_reason");
  if (!counters || !stored || !kernels || *kernels < 0 ||
      *kernels > options.maxKernelOps || !refuted || *refuted < 0 || !unknown ||
      *unknown < 0 || !why || !readCounters(*counters, result.statistics))
    return std::nullopt;
  std::optional<std::vector<Plan>> plans =
      readPlans(*stored, program, options.target);
  if (!plans)
    return std::nullopt;
  result.plans = std::move(*plans);
  result.statistics.refuted = *refuted;
  result.statistics.unknown = *unknown;
  result.unknownReason = why->str();
  result.statistics.kernels = *kernels;
  result.statistics.exhausted = result.statistics.graphsTooLarge == 0;
  if (!result.statistics.exhausted)
    result.statistics.stopped = StopReason::SizeLimit;
  result.statistics.fromDatabase = true;
  return result;
}

llvm::Error SearchStore::storeResult(const StoredResult &result,
                                     double seconds) const {
  json::Object object{
      {"statistics", writeCounters(result.statistics)},
      {"kernels", result.statistics.kernels},
      {"plans", writePlans(result.plans, program)},
      {"refuted", result.statistics.refuted},
      {"unknown", result.statistics.unknown},
      {"unknown_reason", result.unknownReason},
  };
  std::string blob = llvm::formatv("{0}", json::Value(std::move(object)));
  return options.database->storeResult(key, blob, options.function, seconds);
}

llvm::Error SearchStore::storeCheckpoint(const SolveLog &log,
                                         double seconds) const {
  std::string blob = llvm::formatv("{0}", log.toJSON());
  return options.database->storeCheckpoint(key, blob, options.function,
                                           seconds);
}
