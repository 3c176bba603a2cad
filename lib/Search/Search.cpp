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
#include "Mirage/Mugraph/CanonicalProgram.h"
#include "Mirage/Operators/Custom.h"
#include "PlanSolver.h"
#include "PlanVerifier.h"
#include "SearchParts.h"
#include "SearchStore.h"
#include "Watch.h"

using namespace mirage;

namespace {

class Search {
public:
  /// The watch sets the flag.
  Search(std::shared_ptr<SearchProgram> shared, const SearchOptions &options,
         Watch &watch, const std::atomic<bool> &stop)
      : shared(std::move(shared)), program(*this->shared), options(options),
        stop(stop), watch(watch), store(program, options),
        pool(program, options),
        frontiers(program, pool, options, statistics, stop),
        verifier(this->shared, options, pool, stop) {
    for (const auto &output : program.outputs)
      whole.outputs.push_back(output.get());
    // Arguments that nothing uses are none of the problem's.
    for (const auto &input : program.inputs)
      if (llvm::any_of(whole.outputs, [&](const SearchTensor *output) {
            return llvm::any_of(output->recipe, [&](const RecipeStep &step) {
              return step.leaf == input.get();
            });
          }))
        whole.inputs.push_back(input.get());
  }

  llvm::Expected<SearchResult> run() {
    result.referenceCost = estimateCost(program.canonical, options.target);
    llvm::Expected<std::optional<StoredResult>> stored = store.load(log);
    if (!stored)
      return stored.takeError();
    if (*stored) {
      statistics = (*stored)->statistics;
      // A damaged entry may hold others.
      llvm::erase_if((*stored)->plans, [&](const Plan &plan) {
        return plan.nanoseconds >= getMostNanoseconds();
      });
      if (!(*stored)->plans.empty())
        statistics.bestNanoseconds = (*stored)->plans.front().nanoseconds;
      verify((*stored)->plans);
      statistics.secondsToFirst = watch.getSeconds();
    } else if (llvm::Error error = searchAll()) {
      return std::move(error);
    }
    statistics.seconds = watch.getSeconds();
    result.statistics = statistics;
    return std::move(result);
  }

private:
  /// What a find has to undercut.
  double getMostNanoseconds() const {
    return options.leastGain * result.referenceCost.nanoseconds;
  }

  /// Searches, verifies and stores what is found.
  llvm::Error searchAll() {
    frontiers.analyze(whole);
    if (!frontiers.getError().empty())
      return llvm::createStringError(frontiers.getError());
    StoredResult found;
    // Without what it says nothing could be ruled out.
    if (statistics.graphsTooLarge > 0) {
      statistics.stopped = StopReason::SizeLimit;
      storeWhatIsFound(std::move(found));
      return llvm::Error::success();
    }
    // What is kept bounds the search: more only if some are dropped, and not
    // without end where all are.
    constexpr int64_t kMostDropped = 256;
    // Many take long: one before them, lest nothing is known when the time is
    // up.
    constexpr size_t kMany = 16;
    for (size_t keep = options.keep > kMany ? 1 : options.keep;;
         keep = std::max<size_t>(options.keep, 4 * keep)) {
      llvm::Expected<std::vector<Plan>> plans = searchPlans(keep);
      if (!plans)
        return plans.takeError();
      // A later search that was ended, or met what is too large, may know less
      // than the one before.
      if (!found.plans.empty() &&
          (stop || plans->size() <= found.plans.size())) {
        if (stop)
          noteStop(watch.getReason());
        break;
      }
      found.plans = std::move(*plans);
      verify(found.plans);
      if (result.candidates.size() >= options.keep ||
          found.plans.size() < keep || verifier.isHopeless())
        break;
      if (stop)
        noteStop(watch.getReason());
      if (statistics.stopped != StopReason::None &&
          statistics.stopped != StopReason::SizeLimit)
        break;
      if (statistics.refuted + statistics.unknown + statistics.unstable >=
          kMostDropped) {
        statistics.exhausted = false;
        statistics.stopped = StopReason::UnstableLimit;
        break;
      }
    }
    storeWhatIsFound(std::move(found));
    return llvm::Error::success();
  }

  void verify(llvm::ArrayRef<Plan> plans) {
    statistics.isVerifying = true;
    noteProgress();
    noteStop(verifier.run(plans, statistics, result));
    statistics.isVerifying = false;
  }

  /// What is known is not all, if there is a reason.
  void noteStop(StopReason reason) {
    if (reason == StopReason::None)
      return;
    statistics.exhausted = false;
    statistics.stopped = reason;
  }

  /// Another search would be told no more by what is too large.
  void storeWhatIsFound(StoredResult found) {
    if (!options.database)
      return;
    found.statistics = statistics;
    bool isDone =
        statistics.exhausted || statistics.stopped == StopReason::SizeLimit;
    note(isDone ? store.storeResult(found, watch.getSeconds())
                : store.storeCheckpoint(log, watch.getSeconds()));
  }

  /// The `keep` cheapest plans that are worth more than the program itself.
  llvm::Expected<std::vector<Plan>> searchPlans(size_t keep) {
    SearchOptions solverOptions = options;
    solverOptions.keep = keep;
    KernelSolver kernelSolver(program, solverOptions, pool, statistics, stop,
                              log, numSolvedBefore, [this] { roundDone(); });
    PlanSolver solver(solverOptions, frontiers, kernelSolver);
    std::vector<Plan> plans;
    double toBeat = getMostNanoseconds();
    const int64_t tooLargeBefore = statistics.graphsTooLarge;
    statistics.exhausted = true;
    for (unsigned kernels = 1; kernels <= options.maxKernelOps; ++kernels) {
      double bound = options.uses(SearchRule::Bound)
                         ? toBeat
                         : std::numeric_limits<double>::infinity();
      if (solver.getLowerBound(whole, kernels) >= bound)
        break;
      watch.check();
      statistics.kernels = std::max(statistics.kernels, kernels);
      PlanSolver::Plans found = solver.solve(whole, kernels, bound);
      for (const std::string *error :
           {&kernelSolver.getError(), &frontiers.getError()})
        if (!error->empty())
          return llvm::createStringError(*error);
      if (kernelSolver.isLogCorrupt())
        return store.makeEntryError();
      for (Plan &plan : found[1])
        if (plan.nanoseconds < toBeat)
          plans.push_back(std::move(plan));
      sortByCost(plans);
      if (plans.size() > keep)
        plans.resize(keep);
      if (plans.size() >= keep)
        toBeat = std::min(toBeat, plans.back().nanoseconds);
      if (!plans.empty()) {
        if (statistics.bestNanoseconds == 0)
          statistics.secondsToFirst = watch.getSeconds();
        statistics.bestNanoseconds = plans.front().nanoseconds;
        watch.setTimeLimit(options.timeLimit);
      }
      if (stop) {
        statistics.exhausted = false;
        statistics.stopped = watch.getReason();
        break;
      }
      noteProgress();
      // Smaller parts of the program promise more.
      if (plans.empty() && statistics.graphsTooLarge > tooLargeBefore)
        break;
    }
    if (statistics.exhausted && statistics.graphsTooLarge > 0) {
      statistics.exhausted = false;
      statistics.stopped = StopReason::SizeLimit;
    }
    numSolvedBefore = kernelSolver.getNumSolved();
    return plans;
  }

  void roundDone() {
    watch.check();
    noteProgress();
    double now = watch.getSeconds();
    if (!options.database || now < nextCheckpoint)
      return;
    note(store.storeCheckpoint(log, now));
    // Where it takes long to write all that is known it is written less often.
    constexpr double kMostOfTime = 0.05;
    double after = watch.getSeconds();
    double pause = options.checkpointSeconds;
    if (pause > 0)
      pause = std::max(pause, (after - now) / kMostOfTime);
    nextCheckpoint = after + pause;
  }

  /// What can't be stored is not lost: the search goes on without, and the next
  /// time all is stored.
  void note(llvm::Error error) {
    result.databaseError = error ? llvm::toString(std::move(error)) : "";
  }

  void noteProgress() {
    statistics.seconds = watch.getSeconds();
    if (options.progress)
      options.progress(statistics);
  }

  std::shared_ptr<SearchProgram> shared;
  SearchProgram &program;
  const SearchOptions &options;
  const std::atomic<bool> &stop;
  Watch &watch;
  SearchStore store;
  SearchStatistics statistics;
  SearchPool pool;
  FrontierFinder frontiers;
  PlanVerifier verifier;
  KernelProblem whole;
  SolveLog log;
  /// Problems solved before more was to be kept.
  size_t numSolvedBefore = 0;
  double nextCheckpoint = options.checkpointSeconds;
  SearchResult result;
};

} // namespace

char NotSearchable::ID = 0;

/// `secondsToFirst`, if not 0: what has found nothing by then is given up.
static llvm::Expected<SearchResult> searchWhole(const KernelGraph &reference,
                                                const SearchOptions &options,
                                                double secondsToFirst) {
  std::atomic<bool> stop{false};
  Watch watch(options, stop);
  if (secondsToFirst > 0)
    watch.setTimeLimit(secondsToFirst);
  llvm::Expected<std::unique_ptr<SearchProgram>> program =
      makeSearchProgram(reference, options, stop);
  if (!program)
    return llvm::make_error<NotSearchable>(llvm::toString(program.takeError()));
  if (*program)
    return Search(std::move(*program), options, watch, stop).run();
  SearchResult result;
  result.referenceCost = estimateCost(reference, options.target);
  result.statistics.stopped = watch.getReason();
  result.statistics.seconds = watch.getSeconds();
  return result;
}

using Products = ProgramParts::Products;

/// What a program is cut into smaller parts by next.
static std::optional<Products> getFiner(const KernelGraph &reference,
                                        Products products, Products finest) {
  constexpr Products kFromCoarse[] = {Products::Connected, Products::Dependent,
                                      Products::TwoDeep,   Products::Leading,
                                      Products::OneDeep,   Products::Apart,
                                      Products::Halves};
  for (Products finer : kFromCoarse)
    if (finer > products && finer <= finest &&
        !ProgramParts(reference, finer).isWhole())
      return finer;
  return std::nullopt;
}

static llvm::Expected<SearchResult> search(const KernelGraph &reference,
                                           const SearchOptions &options,
                                           Products products);

/// The program with functions in one piece, in the order in which that is
/// searched: fewer and longer ones first.
static std::vector<FoldedFunctions> getFoldings(const KernelGraph &reference,
                                                const SearchOptions &options) {
  std::vector<FoldedFunctions> foldings;
  // What is folded is not folded again.
  if (llvm::any_of(reference.nodes, [](const KernelNode &node) {
        return node.op && node.op->isOpaque() &&
               isFunctionDefined(node.params[0]);
      }))
    return foldings;
  for (auto kind :
       {FoldedFunctions::Kind::OfSeveral, FoldedFunctions::Kind::OfOne}) {
    FoldedFunctions folded(reference, kind, options.maxBlockOps);
    const bool isNew = kind == FoldedFunctions::Kind::OfSeveral
                           ? folded.hasOfSeveral()
                           : !folded.isEmpty();
    if (isNew)
      foldings.push_back(std::move(folded));
  }
  return foldings;
}

static double getCost(const KernelGraph &program,
                      const SearchOptions &options) {
  return estimateCost(getCanonicalProgram(program), options.target).nanoseconds;
}

/// What is found for the folded program, as graphs of the program's operators.
static llvm::Expected<SearchResult> searchFolded(const KernelGraph &reference,
                                                 const FoldedFunctions &folded,
                                                 const SearchOptions &options,
                                                 Products products) {
  // The folded program has fewer kernels, but is no find.
  SearchOptions foldedOptions = options;
  foldedOptions.leastGain *=
      getCost(reference, options) / getCost(folded.getProgram(), options);
  llvm::Expected<SearchResult> result =
      ::search(folded.getProgram(), foldedOptions, products);
  if (!result)
    return result;
  std::vector<SearchCandidate> found = std::move(result->candidates);
  result->candidates.clear();
  // Its operators are not the program's.
  result->unsearched.clear();
  result->referenceCost = estimateCost(reference, options.target);
  CandidateVerifier verifier(reference, options);
  for (SearchCandidate &candidate : found) {
    candidate.graph = folded.unfold(candidate.graph);
    candidate.proxy = folded.unfold(candidate.proxy);
    candidate.sizes.reset();
    const bool isProved = isProvedByNormalForm(candidate.verdict);
    verifier.add(std::move(candidate), isProved, *result);
  }
  return result;
}

/// Whether no other search for the same program is to follow.
static bool isOver(const SearchResult &result) {
  const StopReason stopped = result.statistics.stopped;
  return stopped != StopReason::None && stopped != StopReason::SizeLimit;
}

/// Adds what another search for the same program has come to. Returns whether
/// one more may follow.
static bool addResult(SearchResult &result, SearchResult other) {
  const bool isLast = isOver(other);
  const SearchStatistics before = result.statistics, more = other.statistics;
  auto getBest = [](const SearchResult &found) {
    return found.candidates.empty() ? std::numeric_limits<double>::infinity()
                                    : found.candidates.front().cost.nanoseconds;
  };
  const bool wasNothing = result.candidates.empty();
  if (getBest(other) < getBest(result))
    std::swap(result, other);
  result.statistics += other.statistics;
  llvm::append_range(result.unstable, other.unstable);
  sortByCost(result.unstable, [](const UnstableCandidate &candidate) {
    return candidate.cost.nanoseconds;
  });
  for (std::string SearchResult::*text :
       {&SearchResult::unknownReason, &SearchResult::databaseError})
    if ((result.*text).empty())
      result.*text = other.*text;
  SearchStatistics &statistics = result.statistics;
  statistics.seconds = before.seconds + more.seconds;
  if (wasNothing)
    statistics.secondsToFirst =
        result.candidates.empty() ? 0 : before.seconds + more.secondsToFirst;
  else
    statistics.secondsToFirst = before.secondsToFirst;
  statistics.fromDatabase = before.fromDatabase && more.fromDatabase;
  // What was left out before may still be missing; where nothing was, that was
  // all there is.
  statistics.exhausted = before.exhausted && !isLast;
  statistics.stopped = isLast ? more.stopped : before.stopped;
  return !isLast;
}

/// The options of a search that follows one of so many seconds.
static SearchOptions limitToRest(const SearchOptions &options, double seconds) {
  constexpr double kLeastSeconds = 1e-3;
  SearchOptions rest = options;
  if (options.timeLimit > 0)
    rest.timeLimit = std::max(options.timeLimit - seconds,
                              std::min(options.timeLimit, kLeastSeconds));
  return rest;
}

/// The options of a search for what is cheaper than what is known so far.
static SearchOptions getOptionsAfter(const std::optional<SearchResult> &before,
                                     const KernelGraph &reference,
                                     const SearchOptions &options) {
  if (!before)
    return options;
  SearchOptions rest = limitToRest(options, before->statistics.seconds);
  if (!before->candidates.empty())
    rest.leastGain = std::min(options.leastGain,
                              before->candidates.front().cost.nanoseconds /
                                  getCost(reference, options));
  return rest;
}

/// Adds what was known before a search. Returns whether one more may follow.
static bool addBefore(SearchResult &result,
                      std::optional<SearchResult> before) {
  if (!before)
    return !isOver(result);
  const bool wasAny = !before->candidates.empty();
  const double toFirst = before->statistics.secondsToFirst;
  const bool mayGoOn = addResult(result, std::move(*before));
  if (wasAny)
    result.statistics.secondsToFirst = toFirst;
  return mayGoOn;
}

/// What is found for the program with functions in one piece; none, if it has
/// no such functions, or can't be searched.
static llvm::Expected<std::optional<SearchResult>>
searchFoldings(const KernelGraph &reference,
               llvm::ArrayRef<FoldedFunctions> foldings,
               const SearchOptions &options, Products products) {
  std::optional<SearchResult> before;
  for (const FoldedFunctions &folded : foldings) {
    llvm::Expected<SearchResult> result =
        searchFolded(reference, folded,
                     getOptionsAfter(before, reference, options), products);
    if (!result) {
      if (!result.errorIsA<NotSearchable>())
        return result.takeError();
      llvm::consumeError(result.takeError());
      continue;
    }
    // What has no proof in one piece may have one as the program is.
    if (result->statistics.stopped == StopReason::UnstableLimit)
      result->statistics.stopped = StopReason::SizeLimit;
    const bool wasOver = isOver(*result);
    addBefore(*result, std::move(before));
    before = std::move(*result);
    SearchStatistics &statistics = before->statistics;
    if (!wasOver && options.timeLimit > 0 &&
        statistics.seconds >= options.timeLimit) {
      statistics.exhausted = false;
      statistics.stopped = StopReason::TimeLimit;
    }
    if (isOver(*before))
      break;
  }
  return before;
}

static llvm::Expected<SearchResult> search(const KernelGraph &reference,
                                           const SearchOptions &options,
                                           Products products) {
  ProgramParts parts(reference, products);
  if (!parts.isWhole() && !parts.getParts().empty())
    return searchParts(
        reference, parts, options,
        [&](const KernelGraph &part, const SearchOptions &partOptions) {
          // A half is a program as others are.
          return ::search(part, partOptions,
                          products == Products::Halves ? Products::Any
                                                       : products);
        });
  // What is found in parts is better than nothing: they have half the time.
  const bool mayBeCut =
      options.timeLimit > 0 && getFiner(reference, products, Products::Halves);
  const double secondsToFirst = mayBeCut ? options.timeLimit / 2 : 0;
  const std::vector<FoldedFunctions> foldings = getFoldings(reference, options);
  const bool isFoldedFirst =
      options.keep == 1 &&
      // What is connected by nothing only loses that kernels have it in common.
      getFiner(reference, products, Products::Halves) != Products::Connected;
  std::optional<SearchResult> before;
  if (isFoldedFirst) {
    llvm::Expected<std::optional<SearchResult>> first =
        searchFoldings(reference, foldings, options, products);
    if (!first)
      return first.takeError();
    before = std::move(*first);
    if (before && isOver(*before))
      return std::move(*before);
  }
  const bool isAnyKnown = before && !before->candidates.empty();
  llvm::Expected<SearchResult> result = searchWhole(
      reference, getOptionsAfter(before, reference, options), secondsToFirst);
  if (!result && result.errorIsA<NotSearchable>()) {
    auto finer = getFiner(reference, products, Products::Apart);
    if (!isAnyKnown && !finer)
      return result;
    llvm::consumeError(result.takeError());
    if (isAnyKnown)
      return std::move(*before);
    return ::search(reference, options, *finer);
  }
  if (!result)
    return result;
  addBefore(*result, std::move(before));
  // No smaller pieces are searched.
  if (isAnyKnown)
    return result;
  const StopReason stopped = result->statistics.stopped;
  const bool isGivenUp = stopped == StopReason::SizeLimit ||
                         (stopped == StopReason::TimeLimit &&
                          result->statistics.seconds < options.timeLimit);
  // The dimensions of several outputs may be tied to each other where those of
  // one are not.
  const bool isNothing = result->statistics.exhausted &&
                         result->candidates.empty() &&
                         reference.outputs.size() > 1;
  if (!isGivenUp && !isNothing)
    return result;
  // Searches for the same program in another way, in what is left of the time.
  // Returns whether there is any left.
  auto searchRest = [&](auto searchOther) {
    llvm::Expected<SearchResult> other =
        searchOther(limitToRest(options, result->statistics.seconds));
    if (!other && other.errorIsA<NotSearchable>()) {
      llvm::consumeError(other.takeError());
      return true;
    }
    if (!other) {
      result = std::move(other);
      return false;
    }
    if (isNothing)
      llvm::erase_if(other->candidates, [&](const SearchCandidate &candidate) {
        return candidate.cost.kernels > options.maxKernelOps;
      });
    return addResult(*result, std::move(*other));
  };
  std::optional<Products> finer = getFiner(
      reference, products, isGivenUp ? Products::Halves : Products::Apart);
  if (isGivenUp && !isFoldedFirst && finer != Products::Connected)
    for (const FoldedFunctions &folded : foldings) {
      if (!result->candidates.empty())
        break;
      bool mayGoOn = searchRest([&](const SearchOptions &rest) {
        return searchFolded(reference, folded, rest, products);
      });
      if (!mayGoOn || !result->candidates.empty())
        return result;
    }
  if (finer)
    searchRest([&](const SearchOptions &rest) {
      return ::search(reference, rest, *finer);
    });
  return result;
}

llvm::Expected<SearchResult> mirage::search(const KernelGraph &reference,
                                            const SearchOptions &options) {
  if (llvm::Error error = validate(options))
    return std::move(error);
  return ::search(reference, options, Products::Any);
}
