//===- ProblemSolver.cpp - The kernels for one problem --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProblemSolver.h"
#include "Derivations.h"
#include "RoundedTiles.h"
#include "SizeLimits.h"
#include "StoredKernels.h"
#include "TaskPricing.h"
#include "llvm/ADT/bit.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// One placement.
struct ProblemSolver::Task {
  BoundedPlacement bounded;
  SearchStatistics statistics;
  KernelSolutions found;
  std::string error;
};

/// Placements of a round, and those that are collected for one at least: what
/// is searched alone leaves other threads idle. The first round has no more
/// than those: they show whether the graphs are too large, and give the others
/// a cost to beat.
static constexpr size_t kRound = 16, kFewest = 4;
/// By how much the bounds of placements that are collected grow.
static constexpr double kFirstStep = 1.1, kStep = 1.25;

/// More than any kernel takes; finite, so that a log can hold it.
static constexpr double kNothingLeft = std::numeric_limits<double>::max();

/// The same in every run.
static uint64_t getHash(const KernelProblem &problem, double bound) {
  SmallVector<int64_t> numbers{llvm::bit_cast<int64_t>(bound)};
  for (const auto *tensors : {&problem.inputs, &problem.outputs}) {
    numbers.push_back(tensors->size());
    for (const SearchTensor *tensor : *tensors)
      numbers.push_back(tensor->hash);
    std::sort(numbers.end() - tensors->size(), numbers.end());
  }
  return hashNumbers(numbers);
}

ProblemSolver::ProblemSolver(KernelSolver &solver, const KernelProblem &problem,
                             double bound, size_t number)
    : solver(solver), program(solver.program), options(solver.options),
      target(solver.target), stop(solver.stop), problem(problem), bound(bound),
      number(number), hash(getHash(problem, bound)) {}

ProblemSolver::~ProblemSolver() = default;

size_t ProblemSolver::startPhase() {
  size_t numTasks = 0;
  switch (phase) {
  case Phase::New:
    numTasks = start();
    break;
  case Phase::Collecting:
    finishCollecting();
    numTasks = tasks.size() < kFewest && !hasTooManySizes() &&
                       getLeastLeft() < getToBeat()
                   ? startCollecting()
                   : startRound();
    break;
  case Phase::Checking:
    isChecked = true;
    numTasks = startRound();
    break;
  case Phase::Round:
    endRound();
    numTasks = startRound();
    break;
  }
  if (numTasks == 0) {
    contexts.clear();
    tasks.clear();
    frames.clear();
  }
  return numTasks;
}

void ProblemSolver::run(size_t task, SearchWorker &worker) {
  if (phase == Phase::Collecting) {
    Frame &frame = frames[task];
    if (frame.leastLeft < to)
      frame.leastLeft =
          collectPlacements(program, problem, options, target, frame.placement,
                            fates, frame.reads, worker.tensorTiles, from, to,
                            stop, frame.placements, frame.numSizes);
    return;
  }
  ProblemContext &context = getContext(worker);
  if (phase == Phase::Checking) {
    mayExist = hasDerivation(context);
    error = context.takeError();
    return;
  }
  Task &placement = tasks[first + task];
  runTask(placement, context);
  placement.statistics.oracle = context.takeStatistics();
  placement.error = context.takeError();
}

ProblemContext &ProblemSolver::getContext(SearchWorker &worker) {
  std::lock_guard<std::mutex> lock(mutex);
  auto &known = contexts[&worker];
  if (!known)
    known = std::make_unique<ProblemContext>(worker, problem);
  return *known;
}

size_t ProblemSolver::start() {
  if (stop)
    return 0;
  SolveLog::Entry entry = solver.getLogEntry(number);
  const bool isKnown = entry.searched > 0 || entry.done || !entry.best.empty();
  if (isKnown && entry.problem != hash) {
    solver.setLogCorrupt();
    return 0;
  }
  for (const llvm::json::Value &kernel : entry.best)
    if (!restore(kernel)) {
      solver.setLogCorrupt();
      return 0;
    }
  numSearched = skip = entry.searched;
  collectedBefore = entry.collected;
  if (numSearched > 0 || entry.done)
    counted = entry.statistics;
  if (entry.done)
    return finish(entry.nanosecondsLeft);
  if (problem.leastOperators > problem.mostOperators) {
    ++counted.prunedByNeeded;
    ++counted.atOperatorLimit;
    return finish(kNothingLeft);
  }
  for (Placement &placement : enumerateFrames(program, problem, options))
    frames.emplace_back().placement = std::move(placement);
  if (problem.getFates) {
    fates = problem.getFates();
  } else {
    // What has a role that is never reduced can't vanish.
    for (const SearchTensor *input : problem.inputs) {
      DimFates &any = fates.emplace_back();
      any.survive.resize(input->label.size(), true);
      any.vanish.resize(input->label.size());
      for (auto [d, label] : llvm::enumerate(input->label)) {
        int role = program.roles.getRole(label);
        if (role != kNoRole && program.roles.reduced.test(role))
          any.vanish.set(d);
      }
    }
  }
  return startCollecting();
}

/// The cost that a kernel has to undercut now, whatever its parts.
double ProblemSolver::getToBeat() const {
  if (!options.uses(SearchRule::Bound))
    return std::numeric_limits<double>::infinity();
  bool splits = problem.getSplitInput() || problem.getSplitOutput();
  return splits ? bound : solutions.getBound({1, 1}, bound, options.keep);
}

/// No bound of what was not collected yet is below.
double ProblemSolver::getLeastLeft() const {
  double least = std::numeric_limits<double>::infinity();
  for (const Frame &frame : frames)
    least = std::min(least, frame.leastLeft);
  return std::max(to, least);
}

double ProblemSolver::getPartOfLimits() const {
  return std::max(double(statistics.states) / solver.mostStates,
                  double(statistics.sizesBounded) / solver.mostSizesBounded);
}

/// How many partial derivations may be begun at one placement.
int64_t ProblemSolver::getMostOfPlacement() const {
  if (!SizeLimits::apply(options))
    return SizeLimits::kDerivations;
  const int64_t most = options.partOfSizeLimits * SizeLimits::kDerivations;
  return std::min(most, mostStates);
}

bool ProblemSolver::hasTooManySizes() const {
  return SizeLimits::apply(options) &&
         statistics.sizesBounded + counted.sizesBounded > mostSizesBounded;
}

size_t ProblemSolver::startCollecting() {
  const double least = getLeastLeft();
  // What was searched before an interruption was worth it then.
  if (least >= (skip > 0 ? bound : getToBeat())) {
    // Not if the log says that more was searched than there is.
    if (skip == 0)
      return finish(numSearched == 0 ? least : bound);
    solver.setLogCorrupt();
    return 0;
  }
  if (hasTooManySizes()) {
    ++counted.graphsTooLarge;
    return finish(bound);
  }
  from = to;
  to = from == 0 ? kFirstStep * solver.getLowerBound(problem)
                 : std::max(kStep * from, kFirstStep * least);
  if (!options.uses(SearchRule::Bound))
    to = std::numeric_limits<double>::infinity();
  else
    to = std::min(to, bound);
  phase = Phase::Collecting;
  return frames.size();
}

void ProblemSolver::finishCollecting() {
  std::vector<BoundedPlacement> placements;
  // What was done before the log was written is counted there.
  const bool isNew = ++numCollected > collectedBefore;
  for (Frame &frame : frames) {
    llvm::append_range(placements, frame.placements);
    frame.placements.clear();
    if (isNew)
      counted.sizesBounded += frame.numSizes;
    frame.numSizes = 0;
  }
  sortByCost(placements, [](const BoundedPlacement &p) { return p.bound; });
  for (BoundedPlacement &placement : placements)
    tasks.emplace_back().bounded = std::move(placement);
  // What was searched before the log was written is counted there.
  size_t before = std::min(skip, placements.size());
  if (skip == 0)
    counted.placements += placements.size();
  skip -= before;
  next += before;
}

size_t ProblemSolver::startRound() {
  if (stop || !error.empty())
    return 0;
  if (statistics.states + counted.states > mostStates &&
      SizeLimits::apply(options))
    ++counted.graphsTooLarge;
  // The graphs of a problem's placements are alike: the next would be too
  // large, too. The log has to say so, or else a search that goes on would try
  // them.
  if (statistics.graphsTooLarge + counted.graphsTooLarge > 0)
    return finish(bound);
  if (!mayExist) {
    counted.prunedByNeeded += tasks.size() - next;
    return finish(kNothingLeft);
  }
  if (mustCheck()) {
    phase = Phase::Checking;
    return 1;
  }
  first = next;
  count = std::min(numSearched == 0 ? kFewest : kRound, tasks.size() - first);
  next = first + count;
  if (count == 0) {
    tasks.clear();
    next = 0;
    return startCollecting();
  }
  double toBeat = getToBeat();
  while (count > 0 && tasks[first + count - 1].bounded.bound >= toBeat)
    --count;
  if (count == 0) {
    counted.prunedByBound += tasks.size() - first;
    // What was searched may have kernels above the bound.
    return finish(numSearched == 0
                      ? std::min(tasks[first].bounded.bound, getLeastLeft())
                      : bound);
  }
  // Those at the end of the round are done with.
  counted.prunedByBound += next - first - count;
  phase = Phase::Round;
  return count;
}

/// It takes about as long as one placement does. The partial results of a split
/// are no whole tensors.
bool ProblemSolver::mustCheck() const {
  return !isChecked && options.uses(SearchRule::Needed) && numSearched > 0 &&
         solutions.best.empty() && !problem.getSplitInput() &&
         !problem.getSplitOutput();
}

/// Finds the values of a graph, those that lead to outputs. False: it is too
/// large, or it is over.
bool ProblemSolver::closeGraph(ValueGraph &graph,
                               const Placement &placement) const {
  if (!graph.close(problem.mostOperators, program.maxFreeOps) || stop)
    return false;
  SmallVector<unsigned> roots;
  for (auto [output, omap] : llvm::zip(problem.outputs, placement.omaps))
    llvm::append_range(roots, graph.findOutput(*output, omap));
  graph.dropDead(roots);
  return true;
}

/// Whether some block graph computes the outputs from all inputs, if only of
/// whole tensors; true may be wrong. A block graph with its grid and its loop
/// taken away is one (LeastWork.h).
bool ProblemSolver::hasDerivation(ProblemContext &context) {
  const Placement whole = getWholePlacement(problem);
  SearchStatistics uncounted;
  ValueGraph graph(context, whole, uncounted, stop);
  if (!closeGraph(graph, whole))
    return true;
  Derivations derivations(graph, problem, whole, problem.mostOperators);
  bool found = false;
  if (derivations.mayExist())
    derivations.enumerate(uncounted, /*pricing=*/nullptr, getMostOfPlacement(),
                          [&](const BlockGraph &, const WorkBySize &) {
                            found = true;
                            return false;
                          });
  counted.atOperatorLimit += uncounted.atOperatorLimit;
  return found || stop || uncounted.graphsTooLarge > 0;
}

void ProblemSolver::endRound() {
  for (size_t t = 0; t < count; ++t) {
    Task &task = tasks[first + t];
    counted += task.statistics;
    ++counted.placementsDone;
    for (auto &[parts, kernels] : task.found.best)
      for (SizedKernel &kernel : kernels)
        if (kernel.nanoseconds < solutions.getBound(parts, bound, options.keep))
          solutions.insert(parts, std::move(kernel), options.keep);
    task.found.best.clear();
    // The first in the order of the tasks, whatever the threads.
    if (error.empty())
      error = std::move(task.error);
  }
  numSearched += next - first;
  if (!stop && error.empty())
    note(/*done=*/false);
}

/// There is nothing more to do.
size_t ProblemSolver::finish(double nanosecondsLeft) {
  solutions.nanosecondsLeft = std::min(nanosecondsLeft, kNothingLeft);
  note(/*done=*/true);
  return 0;
}

/// Writes to the log how far this is.
void ProblemSolver::note(bool done) {
  statistics += counted;
  SolveLog::Entry entry;
  entry.problem = hash;
  entry.collected = std::max(numCollected, collectedBefore);
  entry.searched = numSearched;
  entry.done = done;
  entry.nanosecondsLeft = solutions.nanosecondsLeft;
  entry.statistics = statistics;
  // Of thousands of kernels that would take most of the time.
  if (options.database)
    for (auto &[parts, kernels] : solutions.best)
      for (const SizedKernel &kernel : kernels)
        if (!kernel.structure->op)
          entry.best.push_back(writeKernel(kernel));
  solver.note(number, std::move(entry), counted);
  counted = SearchStatistics();
}

/// Takes a kernel of the log over.
bool ProblemSolver::restore(const llvm::json::Value &logged) {
  std::optional<SizedKernel> kernel = readKernel(logged, program, problem);
  if (!kernel || !kernel->structure->graph)
    return false;
  std::optional<double> cost = estimateKernel(program, *kernel, options.target);
  if (!cost || *cost != kernel->nanoseconds)
    return false;
  PartsKey parts{kernel->getPartsRead(), kernel->getPartsWritten()};
  solutions.insert(parts, std::move(*kernel), options.keep);
  return true;
}

void ProblemSolver::runTask(Task &task, ProblemContext &context) {
  if (stop)
    return;
  const Placement &placement = *task.bounded.placement;
  ValueGraph graph(context, placement, task.statistics, stop);
  if (!closeGraph(graph, placement))
    return;
  Derivations derivations(graph, problem, placement, problem.mostOperators);
  if (!derivations.mayExist())
    return;
  setRoundedTypes(graph, program, problem, placement);

  // Sizes from the most promising on; but for those where every derivation
  // keeps too large a tile in shared memory.
  bool checksMemory = options.uses(SearchRule::Memory);
  TaskPricing pricing(program, problem, placement, graph, target, checksMemory);
  std::vector<Sizing> sizings;
  for (Sizing &sizing :
       getSizings(program, problem, placement, *task.bounded.work, target,
                  context.worker.tensorTiles, getToBeat())) {
    if (options.uses(SearchRule::Bound) &&
        sizing.bound >=
            solutions.getBound({sizing.partsRead, sizing.partsWritten}, bound,
                               options.keep))
      continue;
    double tile = derivations.getLargestTile(
        [&](unsigned v) { return pricing.getTileBytes(sizing, v); });
    if (checksMemory && sizing.sharedBytes + tile > target.tileBytes)
      ++task.statistics.sizesTooLarge;
    else
      sizings.push_back(std::move(sizing));
  }
  if (sizings.empty())
    return;
  llvm::sort(sizings, [](const Sizing &a, const Sizing &b) {
    return std::tie(a.bound, a.grid, a.iterations) <
           std::tie(b.bound, b.grid, b.iterations);
  });
  pricing.setSizes(std::move(sizings));

  // What a kernel of these parts has to undercut now.
  auto getToBeatOf = [&](PartsKey parts) {
    return std::min(solutions.getBound(parts, bound, options.keep),
                    task.found.getBound(parts, bound, options.keep));
  };
  auto isHopeless = [&](size_t size, const SizedWork &work) {
    std::optional<double> least = pricing.getBound(size, work);
    if (!least || !options.uses(SearchRule::Bound))
      return !least;
    const Sizing &sizing = pricing.getSizes()[size];
    return *least >= getToBeatOf({sizing.partsRead, sizing.partsWritten});
  };
  auto findSizes = [&](BlockGraph block, const WorkBySize &work) {
    auto structure = std::make_shared<KernelStructure>();
    structure->problem = problem;
    structure->placement = task.bounded.placement;
    structure->graph = std::make_shared<const BlockGraph>(std::move(block));
    SizedKernel kernel;
    kernel.structure = structure;
    std::map<PartsKey, SizedKernel> best;
    // The most promising sizes first.
    SmallVector<std::pair<double, unsigned>> order;
    for (unsigned i = 0; i < work.size(); ++i)
      if (std::optional<double> least = pricing.getBound(i, work[i]))
        order.emplace_back(*least, i);
    llvm::sort(order);
    for (auto [least, i] : order) {
      const Sizing &sizing = pricing.getSizes()[i];
      PartsKey parts{sizing.partsRead, sizing.partsWritten};
      double toBeat = getToBeatOf(parts);
      if (auto found = best.find(parts); found != best.end())
        toBeat = std::min(toBeat, found->second.nanoseconds);
      if (least >= toBeat)
        continue;
      ++task.statistics.sizes;
      kernel.grid = sizing.grid;
      kernel.iterations = sizing.iterations;
      std::optional<double> cost =
          estimateKernel(program, kernel, options.target);
      // Costs are added up in another order.
      constexpr double kRounding = 1e-9;
      if (cost && *cost < least * (1 - kRounding))
        ++task.statistics.boundsExceeded;
      if (!cost)
        ++task.statistics.sizesTooLarge;
      else if ((kernel.nanoseconds = *cost) < toBeat)
        best[parts] = kernel;
    }
    for (auto &[parts, sized] : best)
      task.found.insert(parts, std::move(sized), options.keep);
    if (SizeLimits::apply(options) &&
        task.statistics.sizes >
            options.partOfSizeLimits * SizeLimits::kPrices) {
      ++task.statistics.graphsTooLarge;
      return false;
    }
    return !stop;
  };
  auto getWork = [&](unsigned value, const ValueEdge &edge) {
    return pricing.getWork(value, edge);
  };
  auto getTileBytes = [&](unsigned value) {
    return pricing.getTileBytes(value);
  };
  auto getStoreTraffic = [&](unsigned value) {
    return pricing.getStoreTraffic(value);
  };
  Pricing callbacks{pricing.getSizes().size(), getWork,    getTileBytes,
                    getStoreTraffic,           isHopeless, options.keep};
  derivations.enumerate(task.statistics, &callbacks, getMostOfPlacement(),
                        findSizes);
}
