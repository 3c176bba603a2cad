//===- Search.cpp - The superoptimizer ------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Search.h"
#include "Frontiers.h"
#include "KernelSolver.h"
#include "Mirage/Database/CanonicalProgram.h"
#include "Mirage/Database/ResultsDatabase.h"
#include "SizeSpaceImpl.h"
#include "StoredKernels.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>

using namespace mirage;

SearchStatistics &SearchStatistics::operator+=(const SearchStatistics &other) {
  states += other.states;
  prunedByShape += other.prunedByShape;
  prunedByLoop += other.prunedByLoop;
  prunedByOracle += other.prunedByOracle;
  prunedByWhole += other.prunedByWhole;
  prunedByUnused += other.prunedByUnused;
  prunedByDuplicate += other.prunedByDuplicate;
  prunedByBound += other.prunedByBound;
  oracle += other.oracle;
  structures += other.structures;
  accepted += other.accepted;
  refuted += other.refuted;
  unknown += other.unknown;
  unstable += other.unstable;
  sizes += other.sizes;
  sizesTooLarge += other.sizesTooLarge;
  placements += other.placements;
  placementsDone += other.placementsDone;
  return *this;
}

namespace {

using Clock = std::chrono::steady_clock;

/// Sets a flag when the time is up, or someone interrupts.
class Watch {
public:
  Watch(const SearchOptions &options, std::atomic<bool> &flag) {
    if (options.timeLimit <= 0 && !options.interrupt)
      return;
    thread = std::thread([this, &options, &flag] {
      constexpr std::chrono::milliseconds kPoll(20);
      Clock::time_point begin = Clock::now();
      std::unique_lock<std::mutex> lock(mutex);
      std::chrono::duration<double> wait = kPoll;
      if (options.timeLimit > 0)
        wait = std::min<std::chrono::duration<double>>(
            wait, std::chrono::duration<double>(options.timeLimit));
      while (!done.wait_for(lock, wait, [this] { return isDone; })) {
        std::chrono::duration<double> spent = Clock::now() - begin;
        if ((options.timeLimit > 0 && spent.count() >= options.timeLimit) ||
            (options.interrupt && *options.interrupt))
          flag = true;
      }
    });
  }
  ~Watch() {
    if (!thread.joinable())
      return;
    {
      std::lock_guard<std::mutex> lock(mutex);
      isDone = true;
    }
    done.notify_all();
    thread.join();
  }

private:
  std::thread thread;
  std::mutex mutex;
  std::condition_variable done;
  bool isDone = false;
};

/// The plans for a problem: for each number of parts in which its outputs are
/// written (1 unless they are a split's), cheapest first.
using Plans = std::map<int64_t, std::vector<Plan>>;

/// Cheapest first; equals stay in their order.
void sortByCost(std::vector<Plan> &plans) {
  std::vector<std::pair<double, size_t>> order;
  for (auto [i, plan] : llvm::enumerate(plans))
    order.emplace_back(plan.nanoseconds, i);
  llvm::sort(order);
  std::vector<Plan> sorted;
  for (auto &[cost, i] : order)
    sorted.push_back(std::move(plans[i]));
  plans = std::move(sorted);
}

class Search {
public:
  Search(std::shared_ptr<SearchProgram> shared, const SearchOptions &options)
      : shared(std::move(shared)), program(*this->shared), options(options),
        begin(Clock::now()), pool(program, options),
        frontiers(program, pool, options, statistics, stop) {
    (void)!!failure; // none so far
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
    Watch watch(options, stop);
    result.referenceCost = estimateCost(program.reference, options.target);
    if (options.database)
      if (llvm::Error error = load())
        return std::move(error);
    if (!statistics.fromDatabase)
      if (llvm::Error error = searchAll())
        return std::move(error);
    statistics.seconds = getSeconds();
    result.statistics = statistics;
    return std::move(result);
  }

private:
  /// More than what is asked for is kept, as some may turn out unstable.
  static constexpr unsigned kReserve = 3;
  /// What random tests may take when there is no proof.
  static constexpr int64_t kMostVerifierBytes = int64_t(512) << 20;
  /// Last kernels that are looked for at a time.
  static constexpr size_t kRound = 16;
  /// Checkpoints are this far apart, in seconds.
  static constexpr double kCheckpointSeconds = 0.5;

  /// All that the result depends on, and not on how it is searched for.
  ResultsKey getKey() const {
    ResultsKey key;
    key.program = getCanonicalText(program.reference);
    llvm::raw_string_ostream(key.target) << options.target;
    key.options = llvm::formatv(
        "max-kernel-ops={0} max-block-ops={1} max-grid-dims={2} "
        "max-free-ops={3} candidates={4} seed={5} stability-factor={6} "
        "safe-exponentials={7} oracle={8} without={9} operators={10}",
        options.maxKernelOps, options.maxBlockOps, options.maxGridDims,
        options.maxFreeOps, options.keep, options.seed, options.stabilityFactor,
        options.safeExponentials, getOracleName(options.oracle),
        llvm::join(options.without.getNames(), ","),
        llvm::join(options.operators, ","));
    if (options.axioms)
      for (const solve::Axiom &axiom : options.axioms->axioms)
        key.options += "\naxiom " + axiom.text;
    key.version = "search 4";
    return key;
  }

  llvm::Error makeEntryError() const {
    return llvm::createStringError(
        options.database->getPath() +
        ": the entry of this program holds what no search has stored; remove "
        "it with mirage-db clear");
  }

  /// What the database has: the result, or the state of a search.
  llvm::Error load() {
    ResultsKey key = getKey();
    llvm::Expected<std::optional<std::string>> blob =
        options.database->lookup(key);
    if (!blob)
      return blob.takeError();
    statistics.fromDatabase = blob->has_value();
    if (!*blob) {
      blob = options.database->loadCheckpoint(key);
      if (!blob)
        return blob.takeError();
    }
    if (!*blob)
      return llvm::Error::success();
    // The parser recurses; nothing that is stored is nested so deeply.
    int depth = 0, deepest = 0;
    for (char c : **blob) {
      depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
      deepest = std::max(deepest, depth);
    }
    constexpr int kDeepest = 32;
    if (deepest > kDeepest)
      return makeEntryError();
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(**blob);
    if (!value) {
      llvm::consumeError(value.takeError());
      return makeEntryError();
    }
    bool isValid =
        statistics.fromDatabase ? loadResult(*value) : log.fromJSON(*value);
    return isValid ? llvm::Error::success() : makeEntryError();
  }

  bool loadResult(const llvm::json::Value &value) {
    const llvm::json::Object *object = value.getAsObject();
    const llvm::json::Object *counters =
        object ? object->getObject("statistics") : nullptr;
    const llvm::json::Value *stored = object ? object->get("plans") : nullptr;
    std::optional<int64_t> kernels;
    if (object)
      kernels = object->getInteger("kernels");
    if (!counters || !stored || !kernels || *kernels < 0 ||
        *kernels > options.maxKernelOps || !readCounters(*counters, statistics))
      return false;
    std::optional<std::vector<Plan>> plans = readPlans(*stored, program);
    if (!plans)
      return false;
    statistics.kernels = *kernels;
    statistics.exhausted = true;
    verifyAtFullSize(*plans);
    statistics.secondsToFirst = getSeconds();
    if (!plans->empty())
      statistics.bestNanoseconds = plans->front().nanoseconds;
    return true;
  }

  llvm::Error storeResult(llvm::ArrayRef<Plan> plans) const {
    llvm::json::Object object{
        {"statistics", writeCounters(statistics)},
        {"kernels", statistics.kernels},
        {"plans", writePlans(plans, program)},
    };
    std::string blob =
        llvm::formatv("{0}", llvm::json::Value(std::move(object)));
    return options.database->storeResult(getKey(), blob, options.function,
                                         getSeconds());
  }

  llvm::Error storeCheckpoint() const {
    std::string blob = llvm::formatv("{0}", log.toJSON());
    return options.database->storeCheckpoint(getKey(), blob, options.function,
                                             getSeconds());
  }

  /// The watch may come late on a busy machine.
  void checkTime() {
    if (options.timeLimit > 0 && getSeconds() >= options.timeLimit)
      stop = true;
  }

  void roundDone() {
    checkTime();
    noteProgress();
    if (!options.database || failure ||
        getSeconds() - lastCheckpoint < kCheckpointSeconds)
      return;
    failure = storeCheckpoint();
    if (failure)
      stop = true;
    lastCheckpoint = getSeconds();
  }

  double getSeconds() const {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  /// Searches, verifies and stores what is found.
  llvm::Error searchAll() {
    frontiers.analyze(whole);
    if (!frontiers.getError().empty())
      return llvm::createStringError(frontiers.getError());
    std::vector<Plan> plans;
    // More than what is asked for, as some may turn out unstable.
    for (keep = options.keep + kReserve;; keep *= 4) {
      plans = searchPlans();
      if (failure)
        return std::move(failure);
      verifyAtFullSize(plans);
      if (stop || result.candidates.size() >= options.keep ||
          plans.size() < keep)
        break;
    }
    if (!options.database)
      return llvm::Error::success();
    return statistics.exhausted ? storeResult(plans) : storeCheckpoint();
  }

  /// The `keep` cheapest plans that are cheaper than the program itself.
  std::vector<Plan> searchPlans() {
    SearchOptions solverOptions = options;
    solverOptions.keep = keep;
    KernelSolver kernelSolver(program, solverOptions, pool, statistics, stop,
                              log, numSolvedBefore, [this] { roundDone(); });
    solver = &kernelSolver;
    memo.clear();
    std::vector<Plan> plans;
    double toBeat = result.referenceCost.nanoseconds;
    statistics.exhausted = true;
    for (unsigned kernels = 1; kernels <= options.maxKernelOps; ++kernels) {
      if (kernels * launch() + solver->getLowerBound(whole) - launch() >=
          getPruningBound(toBeat))
        break;
      checkTime();
      statistics.kernels = std::max(statistics.kernels, kernels);
      Plans found = solve(whole, kernels, getPruningBound(toBeat));
      if (!failure)
        failure = getSolverError();
      if (failure)
        break;
      for (Plan &plan : found[1])
        if (plan.nanoseconds < toBeat)
          plans.push_back(std::move(plan));
      sortByCost(plans);
      if (plans.size() > keep)
        plans.resize(keep);
      if (plans.size() >= keep)
        toBeat = std::min(toBeat, plans.back().nanoseconds);
      if (stop) {
        statistics.exhausted = false;
        break;
      }
      if (!plans.empty()) {
        if (statistics.bestNanoseconds == 0)
          statistics.secondsToFirst = getSeconds();
        statistics.bestNanoseconds = plans.front().nanoseconds;
      }
      noteProgress();
    }
    numSolvedBefore = kernelSolver.getNumSolved();
    return plans;
  }

  llvm::Error getSolverError() const {
    for (const std::string *error :
         {&solver->getError(), &frontiers.getError()})
      if (!error->empty())
        return llvm::createStringError(*error);
    return solver->isLogCorrupt() ? makeEntryError() : llvm::Error::success();
  }

  /// What can be left out for a cost: nothing, when that rule is off.
  double getPruningBound(double nanoseconds) const {
    return options.uses(SearchRule::Bound)
               ? nanoseconds
               : std::numeric_limits<double>::infinity();
  }

  double launch() const { return options.target.getLaunchNs(); }

  void noteProgress() {
    statistics.seconds = getSeconds();
    if (options.progress)
      options.progress(statistics);
  }

  /// The plans of exactly `kernels` kernels that are cheaper than `bound`; of
  /// equal parts the `keep` cheapest.
  Plans solve(const KernelProblem &problem, unsigned kernels, double bound) {
    std::vector<unsigned> key = getKey(problem, kernels);
    auto known = memo.find(key);
    if (known != memo.end() && known->second.first >= bound)
      return known->second.second;
    Plans plans = kernels == 1 ? getPlans(solver->solve({{&problem, bound}})[0])
                               : solveMany(problem, kernels, bound);
    memo[key] = {bound, plans};
    return plans;
  }

  static std::vector<unsigned> getKey(const KernelProblem &problem,
                                      unsigned kernels) {
    std::vector<unsigned> key{kernels};
    for (const SearchTensor *output : problem.outputs)
      key.push_back(output->id);
    return key;
  }

  static Plans getPlans(const KernelSolutions &solutions) {
    Plans plans;
    for (auto &[parts, kernels] : solutions.best)
      for (const SizedKernel &kernel : kernels)
        plans[parts.second].push_back({{kernel}, kernel.nanoseconds});
    return plans;
  }

  /// A last kernel behind the plans for what it needs.
  Plans solveMany(const KernelProblem &problem, unsigned kernels,
                  double bound) {
    Plans plans;
    if (problem.getSplitOutput())
      return plans;
    double floor = (kernels - 1) * launch() + solver->getLowerBound(problem);
    if (floor >= bound)
      return plans;
    double maxBytes = (bound - floor) * options.target.getBandwidth();
    std::vector<std::pair<double, const Frontier *>> order;
    const std::vector<Frontier> &found =
        known_.emplace_back(frontiers.find(problem, maxBytes, kernels));
    for (const Frontier &frontier : found) {
      double least = solver->getLowerBound(frontier.last) +
                     solver->getLowerBound(frontier.rest) +
                     (kernels - 2) * launch();
      if (least < bound)
        order.emplace_back(least, &frontier);
    }
    llvm::sort(order, [](auto &a, auto &b) { return a < b; });
    std::vector<Plan> best;
    double current = bound;
    for (size_t next = 0; next < order.size() && !stop;) {
      // Several last kernels are looked for at a time, so that threads have
      // something to do, and the costs to beat don't depend on them.
      double hopeless = getPruningBound(current);
      std::vector<const Frontier *> round;
      std::vector<KernelSolver::Question> questions;
      for (; next < order.size() && round.size() < kRound; ++next) {
        auto [least, frontier] = order[next];
        if (least >= hopeless) {
          next = order.size();
          break;
        }
        round.push_back(frontier);
        questions.push_back(
            {&frontier->last, hopeless - getRestBound(*frontier, kernels)});
      }
      std::vector<KernelSolutions> last = solver->solve(questions);
      if (kernels == 2)
        solveRest(round, last, hopeless);
      for (auto [frontier, solutions] : llvm::zip(round, last)) {
        if (stop)
          break;
        joinPlans(*frontier, kernels, solutions, best, current);
      }
    }
    plans[1] = std::move(best);
    return plans;
  }

  /// What the kernels before the last cost at least.
  double getRestBound(const Frontier &frontier, unsigned kernels) const {
    return solver->getLowerBound(frontier.rest) + (kernels - 2) * launch();
  }

  static double getLeast(const KernelSolutions &solutions) {
    double least = std::numeric_limits<double>::infinity();
    for (auto &[parts, list] : solutions.best)
      if (!list.empty())
        least = std::min(least, list.front().nanoseconds);
    return least;
  }

  /// Solves what `joinPlans` will ask for, one kernel each, at a time.
  void solveRest(llvm::ArrayRef<const Frontier *> frontiers,
                 llvm::ArrayRef<KernelSolutions> last, double hopeless) {
    std::map<std::vector<unsigned>, KernelSolver::Question> questions;
    for (auto [frontier, solutions] : llvm::zip(frontiers, last)) {
      double bound = hopeless - getLeast(solutions);
      if (getRestBound(*frontier, 2) >= bound)
        continue;
      std::vector<unsigned> key = getKey(frontier->rest, 1);
      auto known = memo.find(key);
      if (known != memo.end() && known->second.first >= bound)
        continue;
      auto [question, isNew] = questions.try_emplace(
          key, KernelSolver::Question{&frontier->rest, bound});
      if (!isNew)
        question->second.bound = std::max(question->second.bound, bound);
    }
    std::vector<KernelSolver::Question> list;
    for (auto &[key, question] : questions)
      list.push_back(question);
    for (auto [entry, solutions] : llvm::zip(questions, solver->solve(list)))
      memo[entry.first] = {entry.second.bound, getPlans(solutions)};
  }

  /// Puts the plans of a last kernel behind those for what it needs among the
  /// best, as far as they are cheaper than `current`.
  void joinPlans(const Frontier &frontier, unsigned kernels,
                 const KernelSolutions &last, std::vector<Plan> &best,
                 double &current) {
    double hopeless = getPruningBound(current);
    double lastLeast = getLeast(last);
    if (getRestBound(frontier, kernels) + lastLeast >= hopeless)
      return;
    Plans rest = solve(frontier.rest, kernels - 1, hopeless - lastLeast);
    for (auto &[parts, list] : last.best)
      for (const SizedKernel &kernel : list)
        for (const Plan &before : rest[parts.first]) {
          double total = before.nanoseconds + kernel.nanoseconds;
          if (total >= current)
            break;
          Plan plan = before;
          plan.kernels.push_back(kernel);
          plan.nanoseconds = total;
          auto position =
              llvm::upper_bound(best, plan, [](const Plan &a, const Plan &b) {
                return a.nanoseconds < b.nanoseconds;
              });
          best.insert(position, std::move(plan));
          if (best.size() > keep)
            best.pop_back();
          if (best.size() == keep)
            current = std::min(current, best.back().nanoseconds);
        }
  }

  /// Puts the cheapest plans that are equal to the program at its own sizes,
  /// and lose no more to rounding, into the result. Has a time limit of its
  /// own, as long as the search's.
  void verifyAtFullSize(llvm::ArrayRef<Plan> plans) {
    std::atomic<bool> stopVerifying{false};
    Watch watch(options, stopVerifying);
    EquivalenceOptions checkOptions;
    checkOptions.axioms = options.axioms;
    checkOptions.random.seed = options.seed;
    checkOptions.random.stop = &stopVerifying;
    checkOptions.random.maxBytes = kMostVerifierBytes;
    EquivalenceChecker checker(program.reference, checkOptions);
    result.candidates.clear();
    result.unstable.clear();
    statistics.accepted = statistics.refuted = statistics.unknown =
        statistics.unstable = 0;
    for (const Plan &plan : plans) {
      if (result.candidates.size() == options.keep)
        break;
      std::optional<KernelGraph> graph =
          instantiate(program, plan, program.roles.size);
      if (!graph)
        continue;
      SearchCandidate candidate;
      candidate.graph = std::move(*graph);
      candidate.cost = estimateCost(candidate.graph, options.target);
      candidate.verdict = checker.check(candidate.graph);
      switch (candidate.verdict.verdict) {
      case Verdict::Refuted:
        ++statistics.refuted;
        continue;
      case Verdict::Unknown:
        ++statistics.unknown;
        if (result.unknownReason.empty())
          result.unknownReason = candidate.verdict.reason;
        continue;
      case Verdict::Proved:
      case Verdict::Accepted:
        ++statistics.accepted;
      }
      if (!isStable(plan, candidate)) {
        ++statistics.unstable;
        result.unstable.push_back(
            {candidate.cost, candidate.stability->getWorst()});
        continue;
      }
      candidate.sizes =
          makeSizeSpace(shared, plan, TargetNumbers(options.target));
      result.candidates.push_back(std::move(candidate));
    }
  }

  /// Whether the rounding errors of a candidate are as the program's.
  bool isStable(const Plan &plan, SearchCandidate &candidate) {
    auto [small, sizes] = getSmallSizes(program, plan);
    std::optional<KernelGraph> proxy = instantiate(program, small, sizes);
    // At its own sizes it is the same μGraph, only larger.
    candidate.proxy = proxy ? std::move(*proxy) : candidate.graph;
    // Nobody knows how an opaque operator rounds.
    if (options.stabilityFactor == 0 || !program.functions.empty())
      return true;
    auto makeChecker = [&](const KernelGraph &reference) {
      StabilityOptions checkOptions;
      checkOptions.factor = options.stabilityFactor;
      checkOptions.seed = options.seed;
      return StabilityChecker(reference, checkOptions);
    };
    if (!proxy) {
      candidate.stability =
          makeChecker(program.reference).check(candidate.proxy);
      return candidate.stability->stable;
    }
    if (!stability)
      stability.emplace(
          makeChecker(resize(program.reference, program.roles, sizes)));
    candidate.stability = stability->check(candidate.proxy);
    return candidate.stability->stable;
  }

  std::shared_ptr<SearchProgram> shared;
  SearchProgram &program;
  const SearchOptions &options;
  Clock::time_point begin;
  std::atomic<bool> stop{false};
  SearchStatistics statistics;
  SearchPool pool;
  FrontierFinder frontiers;
  KernelSolver *solver = nullptr;
  KernelProblem whole;
  size_t keep = 1;
  std::map<std::vector<unsigned>, std::pair<double, Plans>> memo;
  std::list<std::vector<Frontier>> known_;
  std::optional<StabilityChecker> stability;
  SolveLog log;
  /// Problems solved before more was to be kept.
  size_t numSolvedBefore = 0;
  double lastCheckpoint = 0;
  llvm::Error failure = llvm::Error::success();
  SearchResult result;
};

} // namespace

char NotSearchable::ID = 0;

llvm::Expected<SearchResult> mirage::search(const KernelGraph &reference,
                                            const SearchOptions &options) {
  llvm::Expected<std::unique_ptr<SearchProgram>> program =
      makeSearchProgram(reference, options);
  if (!program)
    return llvm::make_error<NotSearchable>(llvm::toString(program.takeError()));
  return Search(std::move(*program), options).run();
}
