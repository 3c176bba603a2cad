//===- Search.cpp - The superoptimizer ------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Search.h"
#include "KernelSearch.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Sizes.h"
#include "llvm/Support/ThreadPool.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <numeric>

using namespace mirage;

SearchStatistics &
SearchStatistics::operator+=(const SearchStatistics &other) {
  states += other.states;
  prunedByShape += other.prunedByShape;
  prunedByLoop += other.prunedByLoop;
  prunedByOracle += other.prunedByOracle;
  prunedByUnused += other.prunedByUnused;
  prunedByTogether += other.prunedByTogether;
  prunedByDuplicate += other.prunedByDuplicate;
  structures += other.structures;
  accepted += other.accepted;
  refuted += other.refuted;
  unknown += other.unknown;
  unstable += other.unstable;
  sizes += other.sizes;
  sizesTooLarge += other.sizesTooLarge;
  placementsDone += other.placementsDone;
  return *this;
}

namespace {

using Clock = std::chrono::steady_clock;

RandomTestOptions getTestOptions(const SearchOptions &options,
                                 unsigned trials) {
  RandomTestOptions result;
  result.trials = trials;
  result.seed = options.seed;
  return result;
}

/// For the many small programs of the search: what it keeps is tested again.
RandomTestOptions getProxyTestOptions(const SearchOptions &options) {
  RandomTestOptions result = getTestOptions(options, /*trials=*/2);
  result.checkReals = false;
  result.computeBound = false;
  return result;
}

/// What one thread keeps from one task to the next.
struct Worker {
  Worker(const SearchProgram &program, const SearchOptions &options)
      : tester(program.proxy, getProxyTestOptions(options)) {
    // Atoms are made in one order, whatever task comes first.
    program.getExprs(context);
  }

  ExprContext context;
  RandomTester tester;
};

/// One placement of one prefix, or a complete prefix.
struct Task {
  const KernelPrefix *prefix;
  std::optional<Placement> placement;
};

/// Cheapest first; equals stay in their order.
void sortByCost(std::vector<SearchCandidate> &candidates) {
  llvm::SmallVector<size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    double costA = candidates[a].cost.nanoseconds,
           costB = candidates[b].cost.nanoseconds;
    return std::tie(costA, a) < std::tie(costB, b);
  });
  std::vector<SearchCandidate> sorted;
  for (size_t i : order)
    sorted.push_back(std::move(candidates[i]));
  candidates = std::move(sorted);
}

/// Sets a flag when the time is up.
class Watch {
public:
  Watch(double seconds, std::atomic<bool> &flag) {
    if (seconds <= 0)
      return;
    thread = std::thread([this, seconds, &flag] {
      std::unique_lock<std::mutex> lock(mutex);
      if (!done.wait_for(lock, std::chrono::duration<double>(seconds),
                         [this] { return isDone; }))
        flag = true;
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

class Search {
public:
  Search(const SearchProgram &program, const SearchOptions &options)
      : program(program), options(options), begin(Clock::now()) {}

  SearchResult run() {
    Watch watch(options.timeLimit, stop);
    result.referenceCost = estimateCost(program.reference, options.target);
    double toBeat = result.referenceCost.nanoseconds;
    statistics.exhausted = true;
    for (unsigned kernels = 1; kernels <= options.maxKernelOps; ++kernels) {
      // Graphs of this many kernels and more can't be cheaper than this.
      if (getLowerBound(program.reference, kernels, options.target) >= toBeat)
        break;
      statistics.kernels = kernels;
      searchKernels(kernels);
      statistics.exhausted &= !stop;
      verifyAtFullSize();
      if (result.candidates.size() == options.keep)
        toBeat =
            std::min(toBeat, result.candidates.back().cost.nanoseconds);
      if (stop)
        break;
    }
    statistics.seconds = getSeconds();
    result.statistics = statistics;
    return std::move(result);
  }

private:
  double getSeconds() const {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  /// Searches all kernel graphs of exactly `kernels` kernels.
  void searchKernels(unsigned kernels) {
    std::vector<KernelPrefix> prefixes =
        enumerateKernelPrefixes(program, kernels, statistics, stop);
    std::vector<Task> tasks;
    ExprContext context;
    for (const KernelPrefix &prefix : prefixes) {
      if (prefix.graphInputs.empty()) {
        tasks.push_back({&prefix, std::nullopt});
        continue;
      }
      BlockProblem problem =
          makeBlockProblem(program, prefix, options.maxBlockOps, context);
      for (Placement &placement : enumeratePlacements(
               problem, program.roles.reduced, options.maxGridDims, stop))
        tasks.push_back({&prefix, std::move(placement)});
    }
    statistics.placements += tasks.size();
    // Results are kept by task, so that their order is not that of the threads.
    std::vector<std::vector<SearchCandidate>> found(tasks.size());
    llvm::StdThreadPool pool(
        llvm::heavyweight_hardware_concurrency(options.threads));
    for (size_t t = 0; t < tasks.size(); ++t)
      pool.async([&, t] { found[t] = runTask(tasks[t]); });
    pool.wait();
    for (std::vector<SearchCandidate> &list : found)
      for (SearchCandidate &candidate : list)
        candidates.push_back(std::move(candidate));
    sortByCost(candidates);
  }

  std::vector<SearchCandidate> runTask(const Task &task) {
    std::vector<SearchCandidate> found;
    SearchStatistics local;
    if (!stop) {
      std::unique_ptr<Worker> worker = takeWorker();
      searchTask(task, *worker, local, found);
      putWorker(std::move(worker));
    }
    local.placementsDone = 1;

    std::lock_guard<std::mutex> lock(mutex);
    statistics += local;
    statistics.seconds = getSeconds();
    for (const SearchCandidate &candidate : found) {
      if (statistics.bestNanoseconds == 0)
        statistics.secondsToFirst = statistics.seconds;
      if (statistics.bestNanoseconds == 0 ||
          candidate.cost.nanoseconds < statistics.bestNanoseconds)
        statistics.bestNanoseconds = candidate.cost.nanoseconds;
    }
    if (options.progress)
      options.progress(statistics);
    return found;
  }

  void searchTask(const Task &task, Worker &worker, SearchStatistics &local,
                  std::vector<SearchCandidate> &found) {
    auto consider = [&](Structure structure) {
      ++local.structures;
      RandomTestResult verdict = worker.tester.test(structure.graph);
      switch (verdict.verdict) {
      case Verdict::Proved:
      case Verdict::Accepted:
        ++local.accepted;
        if (auto candidate =
                chooseSizes(program, structure, options.target, local, stop))
          found.push_back(std::move(*candidate));
        return;
      case Verdict::Refuted:
        ++local.refuted;
        return;
      case Verdict::Unknown:
        ++local.unknown;
        return;
      }
    };
    const KernelPrefix &prefix = *task.prefix;
    if (!task.placement)
      return consider({prefix.graph, {}, kNoRole, prefix.roles});

    BlockProblem problem = makeBlockProblem(
        program, prefix, options.maxBlockOps, worker.context);
    llvm::SmallVector<Expr> targets;
    for (const SearchTensor &output : problem.outputs)
      targets.push_back(output.expr);
    NormalFormOracle oracle(worker.context, targets);
    std::vector<DimRoles> roles = prefix.roles;
    for (const SearchTensor &output : problem.outputs)
      roles.push_back(output.roles);
    BlockSearch blockSearch(problem, worker.context, oracle, local, stop);
    blockSearch.run(*task.placement, [&](BlockGraph block) {
      consider({complete(program, prefix, std::move(block)),
                task.placement->gridRoles, task.placement->loopRole, roles});
    });
  }

  /// Puts the cheapest candidates that also pass at the program's own sizes into
  /// the result. Has a time limit of its own, as long as the search's.
  void verifyAtFullSize() {
    std::atomic<bool> stopVerifying{false};
    Watch watch(options.timeLimit, stopVerifying);
    EquivalenceOptions checkOptions;
    checkOptions.random = getTestOptions(options, /*trials=*/2);
    checkOptions.random.stop = &stopVerifying;
    EquivalenceChecker checker(program.reference, checkOptions);
    result.candidates.clear();
    std::vector<SearchCandidate> kept;
    for (SearchCandidate &candidate : candidates) {
      bool wanted =
          result.candidates.size() < options.keep &&
          candidate.cost.nanoseconds < result.referenceCost.nanoseconds;
      if (wanted && candidate.verdict.verdict == Verdict::Unknown)
        candidate.verdict = checker.check(candidate.graph);
      if (wanted && candidate.verdict.verdict == Verdict::Refuted) {
        ++statistics.refuted;
        continue;
      }
      if (wanted && candidate.verdict.verdict == Verdict::Unknown) {
        ++statistics.unknown;
        if (result.unknownReason.empty())
          result.unknownReason = candidate.verdict.reason;
        continue;
      }
      if (wanted && !isStable(candidate)) {
        ++statistics.unstable;
        result.unstable.push_back(
            {candidate.cost, candidate.stability->getWorst()});
        continue;
      }
      if (wanted)
        result.candidates.push_back(candidate);
      kept.push_back(std::move(candidate));
    }
    candidates = std::move(kept);
  }

  /// Whether the rounding errors of a candidate are as the program's.
  bool isStable(SearchCandidate &candidate) {
    if (options.stabilityFactor == 0)
      return true;
    if (!stability) {
      StabilityOptions checkOptions;
      checkOptions.factor = options.stabilityFactor;
      checkOptions.seed = options.seed;
      stability.emplace(program.proxy, checkOptions);
    }
    if (!candidate.stability)
      candidate.stability = stability->check(candidate.proxy);
    return candidate.stability->stable;
  }

  std::unique_ptr<Worker> takeWorker() {
    std::lock_guard<std::mutex> lock(mutex);
    if (idle.empty())
      return std::make_unique<Worker>(program, options);
    std::unique_ptr<Worker> worker = std::move(idle.back());
    idle.pop_back();
    return worker;
  }
  void putWorker(std::unique_ptr<Worker> worker) {
    std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(std::move(worker));
  }

  const SearchProgram &program;
  const SearchOptions &options;
  Clock::time_point begin;
  std::atomic<bool> stop{false};
  std::mutex mutex; // guards statistics and idle
  SearchStatistics statistics;
  std::vector<std::unique_ptr<Worker>> idle;
  std::vector<SearchCandidate> candidates;
  /// Made when the first candidate is checked.
  std::optional<StabilityChecker> stability;
  SearchResult result;
};

} // namespace

llvm::Expected<SearchResult> mirage::search(const KernelGraph &reference,
                                            const SearchOptions &options) {
  SearchProgram program;
  program.reference = reference;
  std::string error;
  for (auto [i, output] : llvm::enumerate(reference.outputs)) {
    if (output < reference.numInputs)
      return llvm::createStringError("an output is an input");
    if (llvm::is_contained(
            llvm::ArrayRef<unsigned>(reference.outputs).take_front(i), output))
      return llvm::createStringError("a value is returned twice");
  }
  std::optional<Roles> roles = findRoles(reference, error);
  if (!roles)
    return llvm::createStringError(error);
  program.roles = std::move(*roles);
  program.proxy = makeProxy(reference, program.roles);
  for (const KernelNode &node : reference.nodes)
    if (node.kind == KernelNode::Kind::Constant &&
        !llvm::is_contained(program.constants, node.constant))
      program.constants.push_back(node.constant);
  mlir::MLIRContext *context = options.target.getContext();
  program.kernelOperators = getOperatorsOfLevel(context, Level::Kernel);
  program.blockOperators = getOperatorsOfLevel(context, Level::Block);
  return Search(program, options).run();
}
