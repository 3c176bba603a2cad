//===- WholeSearch.cpp - Searching a program in one piece -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WholeSearch.h"
#include "PlanSolver.h"
#include "PlanVerifier.h"
#include "SearchStore.h"
#include "SizeLimits.h"
#include "Watch.h"

using namespace mirage;

namespace {

class WholeSearch {
public:
  /// `watch` sets `stop` when the search has to end.
  WholeSearch(std::shared_ptr<SearchProgram> shared,
              const SearchOptions &options, Watch &watch,
              const std::atomic<bool> &stop)
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
    whole.mostOperators = options.maxBlockOps;
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
      statistics.refuted += (*stored)->statistics.refuted;
      statistics.unknown += (*stored)->statistics.unknown;
      if (result.unknownReason.empty())
        result.unknownReason = (*stored)->unknownReason;
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
    // What can't be verified takes long: all is tried for a proof.
    constexpr int64_t kMostDropped = 256, kMostUnknown = 16;
    // Many take long: one before them, lest nothing is known when the time is
    // up.
    constexpr size_t kMany = 16;
    size_t numFound = 0;
    for (size_t keep = options.keep > kMany ? 1 : options.keep;;
         keep = std::max<size_t>(options.keep, 4 * keep)) {
      llvm::Expected<std::vector<Plan>> plans = searchPlans(keep);
      if (!plans)
        return plans.takeError();
      // A later search that was ended, or met what is too large, may know less
      // than the one before.
      if (numFound > 0 && (stop || plans->size() <= numFound)) {
        if (stop)
          noteStop(watch.getReason());
        break;
      }
      numFound = plans->size();
      found.plans = std::move(*plans);
      verify(found.plans);
      if (result.candidates.size() >= options.keep || numFound < keep ||
          verifier.isHopeless())
        break;
      if (stop)
        noteStop(watch.getReason());
      if (statistics.stopped != StopReason::None &&
          statistics.stopped != StopReason::SizeLimit)
        break;
      if (statistics.refuted + statistics.unknown + statistics.unstable >=
              kMostDropped ||
          statistics.unknown >= kMostUnknown) {
        statistics.exhausted = false;
        statistics.stopped = StopReason::UnstableLimit;
        break;
      }
    }
    storeWhatIsFound(std::move(found));
    return llvm::Error::success();
  }

  void verify(std::vector<Plan> &plans) {
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

  /// Another search would be told no more by what is too large; but where the
  /// solver ran out of time, the next one verifies again what this one found.
  void storeWhatIsFound(StoredResult found) {
    if (!options.database)
      return;
    found.statistics = statistics;
    found.unknownReason = result.unknownReason;
    const bool isDone =
        (statistics.exhausted || statistics.stopped == StopReason::SizeLimit) &&
        !verifier.didSolverRunOut();
    note(isDone ? store.storeResult(found, watch.getSeconds())
                : store.storeCheckpoint(log, watch.getSeconds()));
  }

  /// What went wrong in a solver, or with the cuts of graphs.
  llvm::Error takeError(const KernelSolver &solver) {
    for (const std::string *error : {&solver.getError(), &frontiers.getError()})
      if (!error->empty())
        return llvm::createStringError(*error);
    if (solver.isLogCorrupt())
      return store.makeEntryError();
    return llvm::Error::success();
  }

  /// The `keep` cheapest kernels of more than `max-block-ops` operators that
  /// compute the whole program, as far as they are cheaper than `bound`
  /// (docs/Search.md).
  llvm::Expected<std::vector<Plan>>
  searchLongKernels(size_t keep, double bound, bool isTooLarge,
                    SearchStatistics &counted) {
    const unsigned most = options.getMostWholeOps();
    SearchOptions solverOptions = options;
    solverOptions.keep = keep;
    solverOptions.partOfSizeLimits *= SizeLimits::kPartOfLongKernels;
    std::vector<Plan> best;
    KernelProblem problem = whole;
    bool isLimited = true;
    while (problem.mostOperators < most && isLimited && !stop) {
      // Little by little: what takes long is to allow far more than it takes.
      // But where there is too much to be tried a limit that leaves out what is
      // on the way to a kernel keeps it from being found.
      problem.mostOperators =
          isTooLarge || counted.graphsTooLarge > 0
              ? most
              : std::min(most, problem.mostOperators * 4 / 3);
      const int64_t limitedBefore = counted.atOperatorLimit;
      KernelSolver kernelSolver(program, solverOptions, pool, counted, stop,
                                log, numSolved, [this] { roundDone(); });
      PlanSolver::Plans found =
          PlanSolver(solverOptions, frontiers, kernelSolver)
              .solve(problem, 1, bound);
      if (llvm::Error error = takeError(kernelSolver))
        return std::move(error);
      isLimited = counted.atOperatorLimit > limitedBefore;
      // A larger limit finds all that a smaller one does, unless it is given
      // up, or its bound is what that has found.
      if (found[1].empty() || found[1].size() < best.size())
        continue;
      best = std::move(found[1]);
      if (keep == 1 && options.uses(SearchRule::Bound))
        bound = best.front().nanoseconds;
    }
    return best;
  }

  /// The `keep` cheapest plans that are worth more than the program itself.
  llvm::Expected<std::vector<Plan>> searchPlans(size_t keep) {
    SearchOptions solverOptions = options;
    solverOptions.keep = keep;
    KernelSolver kernelSolver(program, solverOptions, pool, statistics, stop,
                              log, numSolved, [this] { roundDone(); });
    PlanSolver solver(solverOptions, frontiers, kernelSolver);
    std::vector<Plan> plans;
    double toBeat = getMostNanoseconds();
    // They have limits of their own, and what is too large is none of ours.
    SearchStatistics ofLongKernels;
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
      const int64_t leftBefore =
          statistics.atOperatorLimit + statistics.graphsTooLarge;
      PlanSolver::Plans found = solver.solve(whole, kernels, bound);
      if (llvm::Error error = takeError(kernelSolver))
        return std::move(error);
      const bool maySomeBeLonger =
          statistics.atOperatorLimit + statistics.graphsTooLarge > leftBefore;
      // Several would be found once more among longer ones.
      if (kernels == 1 && !stop && maySomeBeLonger &&
          (keep == 1 || found[1].empty())) {
        if (!found[1].empty() && options.uses(SearchRule::Bound))
          bound = found[1].front().nanoseconds;
        llvm::Expected<std::vector<Plan>> longer = searchLongKernels(
            keep, bound, statistics.graphsTooLarge > tooLargeBefore,
            ofLongKernels);
        if (!longer)
          return longer.takeError();
        if (!longer->empty())
          found[1] = std::move(*longer);
      }
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
    ofLongKernels.graphsTooLarge = 0;
    statistics += ofLongKernels;
    if (statistics.exhausted && statistics.graphsTooLarge > 0) {
      statistics.exhausted = false;
      statistics.stopped = StopReason::SizeLimit;
    }
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
  /// Problems solved so far: their numbers in the log.
  size_t numSolved = 0;
  double nextCheckpoint = options.checkpointSeconds;
  SearchResult result;
};

} // namespace

char NotSearchable::ID = 0;

llvm::Expected<SearchResult> mirage::searchWhole(const KernelGraph &reference,
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
    return WholeSearch(std::move(*program), options, watch, stop).run();
  SearchResult result;
  result.referenceCost = estimateReference(reference, options);
  result.statistics.stopped = watch.getReason();
  result.statistics.seconds = watch.getSeconds();
  return result;
}
