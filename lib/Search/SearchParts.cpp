//===- SearchParts.cpp - Searching a program part by part -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchParts.h"
#include "LimitsLeft.h"
#include "Mirage/Mugraph/CanonicalProgram.h"
#include "Structures.h"
#include "llvm/ADT/StringMap.h"

using namespace mirage;
using llvm::SmallVector;

namespace {

/// A choice of a graph for each part so far: a candidate's number, or -1 for
/// the part as the program has it.
struct Join {
  double nanoseconds = 0;
  SmallVector<int> chosen;
};

/// The `keep` cheapest joins, without the one that is the program itself.
std::vector<Join> getCheapestJoins(llvm::ArrayRef<SearchResult> results,
                                   size_t keep) {
  std::vector<Join> joins(1);
  for (const SearchResult &result : results) {
    std::vector<Join> longer;
    for (const Join &join : joins) {
      auto add = [&](int choice, double nanoseconds) {
        Join &next = longer.emplace_back(join);
        next.nanoseconds += nanoseconds;
        next.chosen.push_back(choice);
      };
      add(-1, result.referenceCost.nanoseconds);
      for (auto [c, candidate] : llvm::enumerate(result.candidates))
        add(c, candidate.cost.nanoseconds);
    }
    sortByCost(longer, [](const Join &join) { return join.nanoseconds; });
    // One more, for the program itself.
    if (longer.size() > keep + 1)
      longer.resize(keep + 1);
    joins = std::move(longer);
  }
  llvm::erase_if(joins, [](const Join &join) {
    return llvm::all_of(join.chosen, [](int c) { return c < 0; });
  });
  if (joins.size() > keep)
    joins.resize(keep);
  return joins;
}

/// What is known of the whole program while its parts are searched one after
/// the other.
class PartsSearch {
public:
  PartsSearch(const KernelGraph &program, const ProgramParts &parts,
              const SearchOptions &options, ProofOfParts proof)
      : program(program), parts(parts), options(options), proof(proof),
        limits(options) {
    whole.parts = parts.getParts().size();
    whole.referenceCost = estimateReference(program, options);
    statistics.exhausted = statistics.fromDatabase = true;
  }

  /// The options of the next part's search, which has what the parts so far
  /// have left of the limits. They must not outlive this.
  SearchOptions makeOptions(const CostEstimate &partCost) const {
    SearchOptions partOptions = limits.getOptions();
    // Of the whole program it counts what all parts spare.
    partOptions.leastGain = 1;
    if (options.progress)
      partOptions.progress = [this, partNanoseconds = partCost.nanoseconds](
                                 const SearchStatistics &now) {
        SearchStatistics sum = statistics;
        sum += now;
        sum.isVerifying = now.isVerifying;
        bool isFound = now.bestNanoseconds > 0;
        report(sum, isFound ? spared + partNanoseconds - now.bestNanoseconds
                            : spared);
      };
    return partOptions;
  }

  /// A part that can't be searched stays as it is; other errors are returned.
  llvm::Error addUnsearched(unsigned part, const CostEstimate &partCost,
                            llvm::Error why) {
    llvm::Error error =
        llvm::handleErrors(std::move(why), [&](const NotSearchable &reason) {
          whole.unsearched.push_back(
              {part, parts.getFirstNode(part), reason.message()});
        });
    if (error)
      return error;
    statistics.exhausted = false;
    results.emplace_back().referenceCost = partCost;
    return llvm::Error::success();
  }

  /// `before`: the seconds until the part's search began.
  void addResult(unsigned part, double before, SearchResult result) {
    isAnySearched = true;
    const SearchStatistics &found = result.statistics;
    statistics += found;
    if (!result.candidates.empty()) {
      if (!isFirstFound)
        statistics.secondsToFirst = before + found.secondsToFirst;
      isFirstFound = true;
      spared += result.referenceCost.nanoseconds -
                result.candidates.front().cost.nanoseconds;
    }
    statistics.exhausted &= found.exhausted;
    statistics.fromDatabase &= found.fromDatabase;
    if (statistics.stopped == StopReason::None)
      statistics.stopped = found.stopped;
    whole.addErrors(result);
    llvm::append_range(whole.unstable, result.unstable);
    // Parts of a part are told at its first operator.
    for (const UnsearchedPart &unsearched : result.unsearched)
      whole.unsearched.push_back(
          {part, parts.getFirstNode(part), unsearched.reason});
    if (isDecided(result))
      resultOf.try_emplace(getCanonicalText(parts.getParts()[part]),
                           results.size());
    results.push_back(std::move(result));
  }

  /// What was found for a part before that is the same program, if any was:
  /// most parts of a model have one in each of its layers. What it took is
  /// counted once.
  std::optional<SearchResult> findSame(const KernelGraph &part) const {
    auto found = resultOf.find(getCanonicalText(part));
    if (found == resultOf.end())
      return std::nullopt;
    SearchResult same = results[found->second];
    SearchStatistics counted;
    counted.exhausted = same.statistics.exhausted;
    counted.stopped = same.statistics.stopped;
    counted.fromDatabase = same.statistics.fromDatabase;
    same.statistics = counted;
    same.unstable.clear();
    return same;
  }

  /// The cheapest joins of what was found, verified.
  llvm::Expected<SearchResult> finish() {
    if (!isAnySearched)
      return llvm::make_error<NotSearchable>(whole.unsearched.front().reason);
    if (options.progress) {
      SearchStatistics now = statistics;
      now.isVerifying = true;
      report(now, spared);
    }
    CandidateVerifier verifier(program, options);
    // A join may have no proof, though the parts of another one have.
    constexpr size_t kMoreJoins = 7;
    for (const Join &join :
         getCheapestJoins(results, options.keep + kMoreJoins)) {
      if (whole.candidates.size() == options.keep)
        break;
      verify(join, verifier);
    }
    // Estimated as a whole their costs differ from the sums.
    sortByCost(whole.candidates);
    if (!whole.candidates.empty())
      statistics.bestNanoseconds = whole.candidates.front().cost.nanoseconds;
    statistics.seconds = getSecondsSoFar();
    return std::move(whole);
  }

  double getSecondsSoFar() const { return limits.getSeconds(); }

private:
  /// Whether it would be the same another time, with less time left.
  static bool isDecided(const SearchResult &result) {
    const StopReason stopped = result.statistics.stopped;
    return stopped == StopReason::None || stopped == StopReason::SizeLimit ||
           stopped == StopReason::UnstableLimit;
  }

  /// `sparedNow`: what the whole program spares by what is known now.
  void report(SearchStatistics sum, double sparedNow) const {
    if (sparedNow > 0)
      sum.bestNanoseconds = whole.referenceCost.nanoseconds - sparedNow;
    sum.seconds = getSecondsSoFar();
    options.progress(sum);
  }

  void verify(const Join &join, CandidateVerifier &verifier) {
    SmallVector<const KernelGraph *> graphs;
    bool areProved = parts.joinToProgram();
    for (size_t p = 0; p < results.size(); ++p) {
      if (join.chosen[p] < 0) {
        graphs.push_back(&parts.getParts()[p]);
        continue;
      }
      const SearchCandidate &chosen = results[p].candidates[join.chosen[p]];
      graphs.push_back(&chosen.graph);
      areProved &= isProvedByNormalForm(chosen.verdict);
    }
    SearchCandidate candidate;
    candidate.graph = candidate.proxy = parts.join(graphs);
    verifier.add(std::move(candidate), areProved ? proof : ProofOfParts::None,
                 whole);
  }

  const KernelGraph &program;
  const ProgramParts &parts;
  const SearchOptions &options;
  const ProofOfParts proof;
  const LimitsLeft limits;
  SearchResult whole;
  SearchStatistics &statistics = whole.statistics;
  /// Of each part so far.
  std::vector<SearchResult> results;
  /// By a part's canonical text, its place in there.
  llvm::StringMap<size_t> resultOf;
  bool isFirstFound = false, isAnySearched = false;
  /// What the best graphs of the parts so far spare, in nanoseconds.
  double spared = 0;
};

} // namespace

llvm::Expected<SearchResult> mirage::searchParts(
    const KernelGraph &program, const ProgramParts &parts,
    const SearchOptions &options, ProofOfParts proof,
    llvm::function_ref<llvm::Expected<SearchResult>(const KernelGraph &,
                                                    const SearchOptions &)>
        searchPart) {
  PartsSearch search(program, parts, options, proof);
  for (auto [p, part] : llvm::enumerate(parts.getParts())) {
    if (std::optional<SearchResult> same = search.findSame(part)) {
      search.addResult(p, search.getSecondsSoFar(), std::move(*same));
      continue;
    }
    CostEstimate partCost = estimateReference(part, options);
    SearchOptions partOptions = search.makeOptions(partCost);
    double before = search.getSecondsSoFar();
    llvm::Expected<SearchResult> result = searchPart(part, partOptions);
    if (result)
      search.addResult(p, before, std::move(*result));
    else if (llvm::Error error =
                 search.addUnsearched(p, partCost, result.takeError()))
      return std::move(error);
  }
  return search.finish();
}
