//===- Search.cpp - The superoptimizer ------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Search.h"
#include "CandidateVerifier.h"
#include "FoldedFunctions.h"
#include "LimitsLeft.h"
#include "Mirage/Mugraph/CanonicalProgram.h"
#include "Mirage/Mugraph/SharedMemory.h"
#include "Mirage/Operators/Custom.h"
#include "SearchParts.h"
#include "SizeLimits.h"
#include "Structures.h"
#include "WholeSearch.h"

using namespace mirage;
using Products = ProgramParts::Products;

/// Whether a program is still to be searched with sums as operators, or that
/// was done with less in one piece.
enum class SumsSearch { Tried, Open };

static llvm::Expected<SearchResult>
searchPieces(const KernelGraph &reference, const SearchOptions &options,
             Products products, ProofOfParts proof,
             SumsSearch sums = SumsSearch::Open);

/// What a program is cut into smaller parts by next.
static std::optional<Products> getFiner(const KernelGraph &reference,
                                        Products products, Products finest) {
  constexpr Products kFromCoarse[] = {Products::Connected, Products::Dependent,
                                      Products::ThreeDeep, Products::TwoDeep,
                                      Products::Leading,   Products::OneDeep,
                                      Products::Apart,     Products::Halves};
  for (Products finer : kFromCoarse)
    if (finer > products && finer <= finest &&
        !ProgramParts(reference, finer).isWhole())
      return finer;
  return std::nullopt;
}

/// Whether a program has functions in one piece.
static bool isFolded(const KernelGraph &program) {
  return llvm::any_of(program.nodes, [](const KernelNode &node) {
    return node.op && node.op->isOpaque() && isFunctionDefined(node.params[0]);
  });
}

static std::optional<FoldedFunctions> fold(const KernelGraph &reference,
                                           FoldedFunctions::Kind kind,
                                           const SearchOptions &options) {
  // What is folded is not folded again, but for its sums.
  if (hasGraphs(reference) ||
      (isFolded(reference) && kind != FoldedFunctions::Kind::Sums))
    return std::nullopt;
  // Who lowers the limit wants no larger functions, either.
  const unsigned most = options.wantsSmallKernels()
                            ? options.maxBlockOps
                            : std::numeric_limits<unsigned>::max();
  FoldedFunctions folded(reference, kind, most,
                         [&](const KernelGraph &program) {
                           return findUnsafeExponentials(program, options);
                         });
  if (!folded.hasKind())
    return std::nullopt;
  return folded;
}

/// The program with functions in one piece, in the order in which that is
/// searched: fewer and longer ones first.
static std::vector<FoldedFunctions> getFoldings(const KernelGraph &reference,
                                                const SearchOptions &options) {
  std::vector<FoldedFunctions> foldings;
  for (auto kind :
       {FoldedFunctions::Kind::OfSeveral, FoldedFunctions::Kind::OfOne})
    if (std::optional<FoldedFunctions> folded = fold(reference, kind, options))
      foldings.push_back(std::move(*folded));
  return foldings;
}

static double getCost(const KernelGraph &program,
                      const SearchOptions &options) {
  return estimateReference(program, options).nanoseconds;
}

/// What `search` finds for the folded program, as graphs of the program's
/// operators.
static llvm::Expected<SearchResult> searchFolded(
    const KernelGraph &reference, const FoldedFunctions &folded,
    const SearchOptions &options, ProofOfParts proof,
    llvm::function_ref<llvm::Expected<SearchResult>(const KernelGraph &,
                                                    const SearchOptions &)>
        search) {
  // The folded program has fewer kernels, but is no find.
  SearchOptions foldedOptions = options;
  foldedOptions.leastGain *=
      getCost(reference, options) / getCost(folded.getProgram(), options);
  llvm::Expected<SearchResult> result =
      search(folded.getProgram(), foldedOptions);
  if (!result)
    return result;
  std::vector<SearchCandidate> found = std::move(result->candidates);
  result->candidates.clear();
  // Its operators are not the program's.
  result->unsearched.clear();
  result->referenceCost = estimateReference(reference, options);
  CandidateVerifier verifier(reference, options);
  // Or else what is proved of it proves nothing of the program.
  const bool isSound = getCanonicalText(folded.unfold(folded.getProgram())) ==
                       getCanonicalText(reference);
  for (SearchCandidate &candidate : found) {
    candidate.graph = folded.unfold(candidate.graph);
    // A function's operators may have shapes that broadcast to its own, and
    // then tiles that it has in registers.
    if (getMostSharedBytes(candidate.graph) >
        TargetNumbers(options.target).tileBytes) {
      ++result->statistics.sizesTooLarge;
      continue;
    }
    candidate.proxy = folded.unfold(candidate.proxy);
    candidate.sizes.reset();
    const bool isProved = isSound && isProvedByNormalForm(candidate.verdict);
    verifier.add(std::move(candidate), isProved ? proof : ProofOfParts::None,
                 *result);
  }
  sortByCost(result->candidates);
  return result;
}

static double getLeast(const SearchResult &result) {
  return result.candidates.empty() ? std::numeric_limits<double>::infinity()
                                   : result.candidates[0].cost.nanoseconds;
}

/// Whether a limit, or someone, has ended a search, so that no other follows.
static bool isOver(const SearchResult &result) {
  switch (result.statistics.stopped) {
  case StopReason::None:
  case StopReason::SizeLimit:
  case StopReason::UnstableLimit:
    return false;
  case StopReason::TimeLimit:
  case StopReason::MemoryLimit:
  case StopReason::Interrupt:
    return true;
  }
  llvm_unreachable("all reasons are handled");
}

/// Adds the candidates that differ from those that are there.
static void addCandidates(std::vector<SearchCandidate> &candidates,
                          std::vector<SearchCandidate> others, size_t keep) {
  std::vector<std::string> texts;
  for (const SearchCandidate &candidate : candidates)
    texts.push_back(getCanonicalText(candidate.graph));
  for (SearchCandidate &other : others)
    if (!llvm::is_contained(texts, getCanonicalText(other.graph)))
      candidates.push_back(std::move(other));
  sortByCost(candidates);
  if (candidates.size() > keep)
    candidates.resize(keep);
}

/// What two searches for the same program, one after the other, have come to.
/// Whether that is all there is the second says, or else the first, unless the
/// other one had to end.
static SearchResult merge(SearchResult first, SearchResult second,
                          bool secondDecides, size_t keep) {
  const SearchStatistics before = first.statistics, after = second.statistics;
  const bool wasAny = !first.candidates.empty();
  SearchStatistics sum = before;
  sum += after;
  const SearchResult &deciding = secondDecides ? second : first,
                     &other = secondDecides ? first : second;
  sum.exhausted = deciding.statistics.exhausted && !isOver(other);
  sum.stopped = (isOver(second)  ? second
                 : isOver(first) ? first
                                 : deciding)
                    .statistics.stopped;
  sum.seconds = before.seconds + after.seconds;
  sum.fromDatabase = before.fromDatabase && after.fromDatabase;
  sum.secondsToFirst = wasAny ? before.secondsToFirst
                       : second.candidates.empty()
                           ? 0
                           : before.seconds + after.secondsToFirst;

  if (getLeast(second) < getLeast(first))
    std::swap(first, second);
  addCandidates(first.candidates, std::move(second.candidates), keep);
  for (UnstableCandidate &unstable : second.unstable)
    if (llvm::none_of(first.unstable, [&](const UnstableCandidate &other) {
          return unstable.cost.nanoseconds == other.cost.nanoseconds &&
                 getStabilityText(unstable.worst) ==
                     getStabilityText(other.worst);
        }))
      first.unstable.push_back(std::move(unstable));
  sortByCost(first.unstable, [](const UnstableCandidate &candidate) {
    return candidate.cost.nanoseconds;
  });
  if (first.candidates.empty() && first.unsearched.empty()) {
    first.unsearched = std::move(second.unsearched);
    first.parts = second.parts;
  }
  first.addErrors(second);
  first.statistics = std::move(sum);
  return first;
}

namespace {

/// Searches a program in one way after the other: what is easily searched
/// apart, with sums as operators, with functions in one piece, as it is, and in
/// smaller pieces.
class Search {
public:
  Search(const KernelGraph &reference, const SearchOptions &options,
         Products products, ProofOfParts proof, SumsSearch sums)
      : reference(reference), options(options), products(products),
        proof(proof), mayFoldSums(sums == SumsSearch::Open), limits(options),
        foldings(getFoldings(reference, options)),
        wasInterrupted(isInterrupted()) {}

  llvm::Expected<SearchResult> run();

private:
  SearchOptions getOptionsLeft() const;
  SearchOptions getOptions() const;
  void report(const SearchStatistics &now) const;
  llvm::Error searchApart();
  llvm::Expected<SearchResult> searchTogether();
  llvm::Error searchFoldings();
  llvm::Error searchSums();
  double getSecondsToFirst(const SearchOptions &rest) const;
  llvm::Expected<SearchResult> searchAsItIs() const;
  llvm::Error add(llvm::Expected<SearchResult> found, bool decides);
  llvm::Expected<SearchResult> finish();
  bool isInterrupted() const { return options.interrupt && *options.interrupt; }
  std::optional<Products> getFiner(Products finest) const {
    return ::getFiner(reference, products, finest);
  }
  bool isEnough(const std::optional<SearchResult> &found) const {
    return found && found->candidates.size() >= options.keep;
  }
  bool isAnyKnown() const { return known && !known->candidates.empty(); }
  /// Whether a search ended at a limit that leaves time for others: also where
  /// all that it found is unstable or without a verdict, as smaller pieces
  /// mostly are not.
  bool isGivenUp(const SearchResult &result) const {
    const StopReason stopped = result.statistics.stopped;
    return stopped == StopReason::SizeLimit ||
           (stopped == StopReason::UnstableLimit &&
            result.candidates.empty()) ||
           (stopped == StopReason::TimeLimit && !limits.isTimeUp());
  }

  /// Whether one of the searches so far was ended, and leaves none.
  bool mustEnd() const { return known && isOver(*known) && !isGivenUp(*known); }

  const KernelGraph &reference;
  const SearchOptions &options;
  const Products products;
  const ProofOfParts proof;
  const bool mayFoldSums;
  const LimitsLeft limits;
  const std::vector<FoldedFunctions> foldings;
  const bool wasInterrupted;
  /// Whether the search of the last of the foldings was given up.
  bool wasFoldedGivenUp = false;
  /// What was found of the program's parts before the whole was searched.
  std::optional<SearchResult> apart;
  /// What the searches so far have come to, but for that.
  std::optional<SearchResult> known;
  /// How much the next searches may take of the limits of all problems.
  double partOfLimits = 1;
  /// Whether smaller pieces are to be searched: not where something was found
  /// by a search that came to its end, or in pieces.
  bool mayBeCut = true;
};

} // namespace

/// The options with what the searches so far have left of the limits.
SearchOptions Search::getOptionsLeft() const {
  SearchOptions rest = limits.getOptions();
  if (options.progress && (apart || known))
    rest.progress = [this](const SearchStatistics &now) { report(now); };
  return rest;
}

/// The options of the next search: for what is cheaper than all that is kept.
SearchOptions Search::getOptions() const {
  SearchOptions rest = getOptionsLeft();
  rest.partOfSizeLimits *= partOfLimits;
  if (isEnough(apart))
    rest.partOfSizeLimits *= SizeLimits::kPartBesideApart;
  for (const auto *found : {&apart, &known})
    if (isEnough(*found))
      rest.leastGain = std::min(rest.leastGain,
                                (*found)->candidates.back().cost.nanoseconds /
                                    getCost(reference, options));
  return rest;
}

/// Reports what a search has come to so far, with those before it.
void Search::report(const SearchStatistics &now) const {
  SearchStatistics sum = now;
  for (const auto *found : {&apart, &known})
    if (*found) {
      sum += (*found)->statistics;
      if (!(*found)->candidates.empty() &&
          (sum.bestNanoseconds == 0 || getLeast(**found) < sum.bestNanoseconds))
        sum.bestNanoseconds = getLeast(**found);
    }
  sum.isVerifying = now.isVerifying;
  sum.seconds = limits.getSeconds();
  options.progress(sum);
}

/// Adds what a search has come to: nothing, if the program can't be searched in
/// that way.
llvm::Error Search::add(llvm::Expected<SearchResult> found, bool decides) {
  if (!found)
    return llvm::handleErrors(found.takeError(), [](const NotSearchable &) {});
  if (known)
    known = merge(std::move(*known), std::move(*found), decides, options.keep);
  else
    known = std::move(*found);
  return llvm::Error::success();
}

/// One after the other, until a limit ends one.
llvm::Error Search::searchFoldings() {
  for (const FoldedFunctions &folded : foldings) {
    // What is found for the whole is mostly better than what is in pieces, and
    // takes less time.
    llvm::Expected<SearchResult> found = searchFolded(
        reference, folded, getOptions(), proof,
        [&](const KernelGraph &program, const SearchOptions &foldedOptions) {
          return mayBeCut
                     ? searchPieces(program, foldedOptions, products,
                                    ProofOfParts::Sufficient, SumsSearch::Tried)
                     : searchWhole(program, foldedOptions, 0);
        });
    const bool isLast = found && isOver(*found);
    const bool wasSearched = static_cast<bool>(found);
    wasFoldedGivenUp = found && isGivenUp(*found);
    if (llvm::Error error = add(std::move(found), /*decides=*/true))
      return error;
    mayBeCut &= !(wasSearched && isAnyKnown());
    // What is folded less has more values.
    if (isLast || (isAnyKnown() && wasFoldedGivenUp))
      break;
  }
  return llvm::Error::success();
}

/// Mostly it is the ways to distribute products over sums that are too many.
/// Without them a search takes a fraction of the time, and finds what is almost
/// always the best, so that the others have less to do.
llvm::Error Search::searchSums() {
  if (!mayFoldSums)
    return llvm::Error::success();
  std::optional<FoldedFunctions> sums =
      fold(reference, FoldedFunctions::Kind::Sums, options);
  if (!sums)
    return llvm::Error::success();
  SearchOptions rest = getOptions();
  rest.partOfSizeLimits =
      std::min(rest.partOfSizeLimits, SizeLimits::kPartOfSums);
  llvm::Expected<SearchResult> found = searchFolded(
      reference, *sums, rest, proof,
      [&](const KernelGraph &program, const SearchOptions &foldedOptions) {
        return searchWhole(program, foldedOptions, getSecondsToFirst(rest) / 2);
      });
  const bool isAll = found && found->statistics.exhausted;
  if (found) {
    // A part of the time was its own limit.
    if (isGivenUp(*found) && found->statistics.stopped == StopReason::TimeLimit)
      found->statistics.stopped = StopReason::SizeLimit;
    partOfLimits = isAll ? SizeLimits::kPartBesideSums
                         : SizeLimits::kPartBesideTooManySums;
    // It is not all there is of the program.
    found->statistics.exhausted = false;
  }
  if (llvm::Error error = add(std::move(found), /*decides=*/false))
    return error;
  mayBeCut &= !(isAll && isAnyKnown());
  return llvm::Error::success();
}

/// Where nothing is known what is found in smaller pieces is better than
/// nothing: they have half of the time that is left.
double Search::getSecondsToFirst(const SearchOptions &rest) const {
  return !isAnyKnown() && mayBeCut && getFiner(Products::Halves)
             ? rest.timeLimit / 2
             : 0;
}

llvm::Expected<SearchResult> Search::searchAsItIs() const {
  const SearchOptions rest = getOptions();
  return searchWhole(reference, rest, getSecondsToFirst(rest));
}

/// Who interrupts a search that has found nothing yet wants something: what is
/// found in pieces in little time, once, of the program itself.
llvm::Expected<SearchResult> Search::finish() {
  constexpr double kSeconds = 2;
  std::optional<Products> finer = getFiner(Products::Halves);
  if (known->statistics.stopped != StopReason::Interrupt || wasInterrupted ||
      isAnyKnown() || isEnough(apart) || isFolded(reference) || !finer)
    return std::move(*known);
  SearchOptions rest = getOptionsLeft();
  rest.interrupt = nullptr;
  if (rest.timeLimit == 0 || rest.timeLimit > kSeconds)
    rest.timeLimit = kSeconds;
  if (llvm::Error error =
          add(searchPieces(reference, rest, *finer, proof), /*decides=*/false))
    return std::move(error);
  known->statistics.stopped = StopReason::Interrupt;
  return std::move(*known);
}

/// Several attentions that have no more than inputs in common multiply what
/// there is to be tried, and so do queries and keys that are both computed.
/// What is found of each by itself, or without these, takes little time, and
/// bounds what follows.
llvm::Error Search::searchApart() {
  if (!mayFoldSums || isFolded(reference) || options.maxKernelOps == 1 ||
      getProductDepth(reference) < 2)
    return llvm::Error::success();
  std::optional<ProgramParts> parts;
  for (Products cut : {Products::Dependent, Products::InFrontOfBoth})
    if (!parts || parts->getParts().size() < 2)
      parts.emplace(reference, cut);
  if (parts->getParts().size() < 2)
    return llvm::Error::success();
  SearchOptions rest = getOptions();
  rest.timeLimit /= 2;
  llvm::Expected<SearchResult> found = searchParts(
      reference, *parts, rest, proof,
      [&](const KernelGraph &part, const SearchOptions &partOptions) {
        return searchPieces(part, partOptions, products,
                            ProofOfParts::Sufficient);
      });
  if (!found)
    return llvm::handleErrors(found.takeError(), [](const NotSearchable &) {});
  if (found->statistics.stopped == StopReason::TimeLimit && !limits.isTimeUp())
    found->statistics.stopped = StopReason::SizeLimit;
  apart = std::move(*found);
  mayBeCut = !isEnough(apart);
  return llvm::Error::success();
}

llvm::Expected<SearchResult> Search::run() {
  if (llvm::Error error = searchApart())
    return std::move(error);
  if (!apart)
    return searchTogether();
  if (isOver(*apart) && !apart->candidates.empty())
    return std::move(*apart);
  llvm::Expected<SearchResult> together = searchTogether();
  if (!together) {
    if (apart->candidates.empty() || !together.errorIsA<NotSearchable>())
      return together;
    llvm::consumeError(together.takeError());
    apart->statistics.exhausted = false;
    return std::move(*apart);
  }
  return merge(std::move(*apart), std::move(*together), /*secondDecides=*/true,
               options.keep);
}

llvm::Expected<SearchResult> Search::searchTogether() {
  // What is connected by nothing only loses that kernels have it in common.
  if (getFiner(Products::Halves) != Products::Connected) {
    // With other oracles all is searched, however long it takes.
    if (SizeLimits::apply(options)) {
      if (llvm::Error error = searchSums())
        return std::move(error);
      if (mustEnd())
        return finish();
    }
    if (llvm::Error error = searchFoldings())
      return std::move(error);
    if (mustEnd())
      return finish();
  }
  // As it is it has more values than with functions in one piece.
  const bool wasAnyKnown = isAnyKnown();
  if (wasFoldedGivenUp && isEnough(known))
    return finish();
  llvm::Expected<SearchResult> whole = searchAsItIs();
  if (!whole && whole.errorIsA<NotSearchable>()) {
    auto finer = getFiner(Products::Apart);
    if (!wasAnyKnown && !finer)
      return whole;
    llvm::consumeError(whole.takeError());
    if (!known)
      return searchPieces(reference, getOptionsLeft(), *finer, proof);
    known->statistics.exhausted = false;
    if (finer && mayBeCut)
      if (llvm::Error error =
              add(searchPieces(reference, getOptionsLeft(), *finer, proof),
                  /*decides=*/false))
        return std::move(error);
    return std::move(*known);
  }
  if (!whole)
    return whole;
  const bool wasGivenUp = isGivenUp(*whole);
  // The dimensions of several outputs may be tied to each other where those of
  // one are not. Or so many products depend on each other that the program
  // takes more kernels than one graph may have, unless one kernel is what was
  // asked for.
  const bool isDeep = options.maxKernelOps > 1 &&
                      getProductDepth(reference) > options.maxKernelOps;
  const bool isNothing = whole->statistics.exhausted && !wasAnyKnown &&
                         whole->candidates.empty() &&
                         (reference.outputs.size() > 1 || isDeep);
  llvm::cantFail(add(std::move(*whole), /*decides=*/true));
  // What comes to an end, and finds something, is not cut, nor what was.
  if (!mayBeCut || (!wasGivenUp && !isNothing))
    return finish();
  std::optional<Products> finer =
      getFiner(wasGivenUp ? Products::Halves : Products::Apart);
  if (!finer)
    return std::move(*known);
  auto addPieces = [&](Products pieces) -> llvm::Error {
    SearchOptions rest = getOptionsLeft();
    if (wasGivenUp)
      rest.partOfSizeLimits = SizeLimits::kPartOfPieces;
    llvm::Expected<SearchResult> smaller =
        searchPieces(reference, rest, pieces, proof);
    if (smaller && isNothing && !isDeep)
      llvm::erase_if(smaller->candidates,
                     [&](const SearchCandidate &candidate) {
                       return candidate.cost.kernels > options.maxKernelOps;
                     });
    return add(std::move(smaller), /*decides=*/false);
  };
  // What leads to the first products may be better off by itself, or with them.
  if (wasGivenUp && products < Products::InFront &&
      *finer > Products::InFront &&
      !ProgramParts(reference, Products::InFront).isWhole()) {
    if (llvm::Error error = addPieces(Products::InFront))
      return std::move(error);
    if (mustEnd())
      return std::move(*known);
  }
  if (llvm::Error error = addPieces(*finer))
    return std::move(error);
  return std::move(*known);
}

/// Searches part by part what is cut into parts by such products, and other
/// programs as they are. `proof`: what is known of graphs whose parts are
/// proved.
static llvm::Expected<SearchResult>
searchPieces(const KernelGraph &reference, const SearchOptions &options,
             Products products, ProofOfParts proof, SumsSearch sums) {
  ProgramParts parts(reference, products);
  if (parts.isWhole() || parts.getParts().empty())
    return Search(reference, options, products, proof, sums).run();
  return searchParts(
      reference, parts, options, proof,
      [&](const KernelGraph &part, const SearchOptions &partOptions) {
        // A half is a program as others are.
        return searchPieces(part, partOptions,
                            products == Products::Halves ? Products::Any
                                                         : products,
                            ProofOfParts::Sufficient);
      });
}

llvm::Expected<SearchResult> mirage::search(const KernelGraph &reference,
                                            const SearchOptions &options) {
  if (llvm::Error error = validate(options))
    return std::move(error);
  const LimitsLeft limits(options);
  llvm::Expected<SearchResult> result =
      searchPieces(reference, options, Products::Any, ProofOfParts::Complete);
  // With all that was verified on the way.
  if (result)
    result->statistics.seconds = limits.getSeconds();
  return result;
}
