//===- ProblemSolver.cpp - The kernels for one problem --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProblemSolver.h"
#include "Derivations.h"
#include "Sizings.h"
#include "StoredKernels.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// One placement.
struct ProblemSolver::Task {
  std::shared_ptr<const Placement> placement;
  /// The least bound of its sizes.
  double bound = std::numeric_limits<double>::infinity();
  SearchStatistics statistics;
  KernelSolutions found;
  std::string error;
};

/// Placements of a round, and of a task that bounds them.
static constexpr size_t kRound = 16, kChunk = 64;

ProblemSolver::ProblemSolver(KernelSolver &solver, const KernelProblem &problem,
                             double bound, size_t number)
    : solver(solver), program(solver.program), options(solver.options),
      target(solver.target), stop(solver.stop), problem(problem), bound(bound),
      number(number) {}

ProblemSolver::~ProblemSolver() = default;

size_t ProblemSolver::startPhase() {
  size_t count = 0;
  switch (phase) {
  case Phase::New:
    count = startPlacements();
    break;
  case Phase::Placements:
    count = startBounds();
    break;
  case Phase::Bounds:
    startRounds();
    count = startRound();
    break;
  case Phase::Rounds:
    endRound();
    count = startRound();
    break;
  }
  if (count == 0) {
    contexts.clear();
    tasks.clear();
    placements.clear();
  }
  return count;
}

void ProblemSolver::run(size_t task, SearchWorker &worker) {
  switch (phase) {
  case Phase::Placements:
    placements = enumeratePlacements(program, problem, options, stop);
    return;
  case Phase::Bounds:
    return boundPlacements(task);
  case Phase::Rounds: {
    ProblemContext *context;
    {
      std::lock_guard<std::mutex> lock(mutex);
      auto &known = contexts[&worker];
      if (!known)
        known = std::make_unique<ProblemContext>(worker, problem);
      context = known.get();
    }
    Task &placement = *order[first + task];
    runTask(placement, *context);
    placement.statistics.oracle = context->takeStatistics();
    placement.error = context->takeError();
    return;
  }
  case Phase::New:
    llvm_unreachable("there are no tasks yet");
  }
}

size_t ProblemSolver::startPlacements() {
  if (stop)
    return 0;
  solver.addPredefined(problem, bound, counted, solutions);
  SolveLog::Entry entry = solver.getLogEntry(number);
  for (const llvm::json::Value &kernel : entry.best)
    if (!restore(kernel)) {
      solver.setLogCorrupt();
      return 0;
    }
  next = entry.rounds * kRound;
  if (entry.rounds > 0 || entry.done)
    counted = entry.statistics;
  if (entry.done) {
    note(/*done=*/true);
    return 0;
  }
  phase = Phase::Placements;
  return 1;
}

size_t ProblemSolver::startBounds() {
  if (stop)
    return 0;
  if (next == 0)
    counted.placements += placements.size();
  if (placements.empty()) {
    note(/*done=*/true);
    return 0;
  }
  tasks.resize(placements.size());
  phase = Phase::Bounds;
  return (tasks.size() + kChunk - 1) / kChunk;
}

void ProblemSolver::boundPlacements(size_t chunk) {
  for (size_t t = chunk * kChunk, end = std::min(t + kChunk, tasks.size());
       t < end && !stop; ++t) {
    Task &task = tasks[t];
    task.placement =
        std::make_shared<const Placement>(std::move(placements[t]));
    enumerateSizings(program, problem, *task.placement, target,
                     [&](const Sizing &sizing) {
                       task.bound = std::min(task.bound, sizing.bound);
                     });
  }
}

void ProblemSolver::startRounds() {
  for (Task &task : tasks)
    order.push_back(&task);
  llvm::sort(order, [](const Task *a, const Task *b) {
    return std::tie(a->bound, a) < std::tie(b->bound, b);
  });
  phase = Phase::Rounds;
}

size_t ProblemSolver::startRound() {
  if (stop || !error.empty())
    return 0;
  first = std::min(next, order.size());
  count = std::min(kRound, order.size() - first);
  next = first + kRound;
  bool splits = problem.getSplitInput() || problem.getSplitOutput();
  double current =
      splits ? bound : solutions.getBound({1, 1}, bound, options.keep);
  while (options.uses(SearchRule::Bound) && count > 0 &&
         order[first + count - 1]->bound >= current)
    --count;
  if (count == 0) {
    counted.prunedByBound += order.size() - first;
    note(/*done=*/true);
  }
  return count;
}

void ProblemSolver::endRound() {
  for (size_t t = 0; t < count; ++t) {
    Task &task = *order[first + t];
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
  if (!stop && error.empty())
    note(/*done=*/false);
}

/// Writes to the log how far this is.
void ProblemSolver::note(bool done) {
  statistics += counted;
  SolveLog::Entry entry;
  entry.rounds = next / kRound;
  entry.done = done;
  entry.statistics = statistics;
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
  std::optional<double> cost = solver.price(problem, *kernel);
  if (!cost || *cost != kernel->nanoseconds)
    return false;
  solutions.insert({kernel->getPartsRead(), kernel->getPartsWritten()},
                   std::move(*kernel), options.keep);
  return true;
}

void ProblemSolver::runTask(Task &task, ProblemContext &context) {
  if (stop)
    return;
  const Placement &placement = *task.placement;
  ValueGraph graph(context, placement, task.statistics, stop);
  graph.close(options.maxBlockOps, options.maxFreeOps);

  Derivations derivations(graph, problem, placement, options.maxBlockOps);
  if (!derivations.mayExist())
    return;

  // Sizes from the most promising on; but for those where every derivation
  // keeps too large a tile in shared memory.
  std::vector<Sizing> sizings;
  enumerateSizings(
      program, problem, placement, target, [&](const Sizing &sizing) {
        if (options.uses(SearchRule::Bound) &&
            sizing.bound >=
                solutions.getBound({sizing.partsRead, sizing.partsWritten},
                                   bound, options.keep))
          return;
        double tile = derivations.getLargestTile([&](unsigned v) {
          double bytes = sizeof(float);
          for (int64_t label : graph.values[v].label)
            bytes *=
                getTileSize(program, problem, placement, program.roles.size,
                            sizing.grid, sizing.iterations, label);
          return bytes;
        });
        if (options.uses(SearchRule::Memory) &&
            sizing.sharedBytes + tile > target.sharedBytes)
          ++task.statistics.sizesTooLarge;
        else
          sizings.push_back(sizing);
      });
  if (sizings.empty())
    return;
  llvm::sort(sizings, [](const Sizing &a, const Sizing &b) {
    return std::tie(a.bound, a.grid, a.iterations) <
           std::tie(b.bound, b.grid, b.iterations);
  });

  auto getToBeat = [&](PartsKey parts) {
    return std::min(solutions.getBound(parts, bound, options.keep),
                    task.found.getBound(parts, bound, options.keep));
  };
  auto getShape = [&](const Sizing &sizing, ArrayRef<int64_t> label) {
    Shape shape;
    for (int64_t size : label)
      shape.push_back(getTileSize(program, problem, placement,
                                  program.roles.size, sizing.grid,
                                  sizing.iterations, size));
    return shape;
  };
  // Tiles that are computed are kept in f32.
  auto getTileBytes = [&](unsigned v) {
    std::vector<double> bytes;
    for (const Sizing &sizing : sizings)
      bytes.push_back(sizeof(float) *
                      getNumElements(getShape(sizing, graph.values[v].label)));
    return bytes;
  };
  // The work of an edge, for the whole kernel.
  auto getWork = [&](unsigned v, const ValueEdge &edge) {
    WorkBySize result;
    const Value &value = graph.values[v];
    for (const Sizing &sizing : sizings) {
      SizedWork work;
      if (edge.op) {
        SmallVector<Shape> shapes;
        for (unsigned operand : edge.operands)
          shapes.push_back(getShape(sizing, graph.values[operand].label));
        work.cost = edge.op->getCost(shapes, getShape(sizing, value.label),
                                     edge.params);
      }
      int64_t times = sizing.load.blocks;
      if (edge.op && value.varies)
        times *= sizing.iterations;
      work.cost.tensorFlops *= times;
      work.cost.scalarFlops *= times;
      work.cost.specialFunctions *= times;
      result.push_back(work);
    }
    return result;
  };
  auto isHopeless = [&](const WorkBySize &work) {
    for (auto [sizing, of] : llvm::zip(sizings, work)) {
      KernelLoad load = sizing.load;
      load.work = of.cost;
      bool fits = !options.uses(SearchRule::Memory) ||
                  sizing.sharedBytes + of.sharedBytes <= target.sharedBytes;
      bool isCheap = !options.uses(SearchRule::Bound) ||
                     estimateNanoseconds(load, target) <
                         getToBeat({sizing.partsRead, sizing.partsWritten});
      if (fits && isCheap)
        return false;
    }
    return true;
  };
  Pricing pricing{getWork, getTileBytes, isHopeless};
  derivations.enumerate(task.statistics, &pricing, [&](BlockGraph block) {
    auto structure = std::make_shared<KernelStructure>();
    structure->problem = problem;
    structure->placement = task.placement;
    structure->graph = std::make_shared<const BlockGraph>(std::move(block));
    SizedKernel kernel;
    kernel.structure = structure;
    std::map<PartsKey, SizedKernel> best;
    for (const Sizing &sizing : sizings) {
      PartsKey parts{sizing.partsRead, sizing.partsWritten};
      double toBeat = getToBeat(parts);
      if (auto found = best.find(parts); found != best.end())
        toBeat = std::min(toBeat, found->second.nanoseconds);
      if (sizing.bound >= toBeat)
        continue;
      ++task.statistics.sizes;
      kernel.grid = sizing.grid;
      kernel.iterations = sizing.iterations;
      std::optional<double> cost = solver.price(problem, kernel);
      if (!cost)
        ++task.statistics.sizesTooLarge;
      else if ((kernel.nanoseconds = *cost) < toBeat)
        best[parts] = kernel;
    }
    for (auto &[parts, sized] : best)
      task.found.insert(parts, std::move(sized), options.keep);
    return !stop;
  });
}
