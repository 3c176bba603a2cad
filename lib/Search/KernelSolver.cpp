//===- KernelSolver.cpp - The cheapest kernels from some tensors to others
//---===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelSolver.h"
#include "Derivations.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Sizings.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// SearchPool
//===----------------------------------------------------------------------===//

SearchPool::SearchPool(const SearchProgram &program,
                       const SearchOptions &options)
    : program(program), options(options),
      pool(llvm::heavyweight_hardware_concurrency(options.threads)) {}

void SearchPool::forEach(size_t count,
                         llvm::function_ref<void(size_t, SearchWorker &)> run) {
  std::atomic<size_t> next{0};
  auto work = [&] {
    std::unique_ptr<SearchWorker> worker;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!idle.empty()) {
        worker = std::move(idle.back());
        idle.pop_back();
      }
    }
    if (!worker)
      worker = std::make_unique<SearchWorker>(program, options);
    for (size_t task; (task = next++) < count;)
      run(task, *worker);
    std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(std::move(worker));
  };
  size_t threads = std::min<size_t>(pool.getMaxConcurrency(), count);
  if (threads <= 1)
    return work();
  for (size_t i = 0; i < threads; ++i)
    pool.async(work);
  pool.wait();
}

//===----------------------------------------------------------------------===//
// KernelSolver
//===----------------------------------------------------------------------===//

/// The parts read and written: what kernels that share a split agree on.
using PartsKey = std::pair<int64_t, int64_t>;

/// The cost that a kernel of these parts must undercut.
static double getBound(const KernelSolutions &solutions, PartsKey parts,
                       double bound, size_t keep) {
  auto known = solutions.best.find(parts);
  if (known == solutions.best.end() || known->second.size() < keep)
    return bound;
  return std::min(bound, known->second.back().nanoseconds);
}

/// Adds a kernel behind all that are as cheap.
static void insert(KernelSolutions &solutions, PartsKey parts,
                   SizedKernel kernel, size_t keep) {
  std::vector<SizedKernel> &list = solutions.best[parts];
  auto position = llvm::upper_bound(
      list, kernel, [](const SizedKernel &a, const SizedKernel &b) {
        return a.nanoseconds < b.nanoseconds;
      });
  list.insert(position, std::move(kernel));
  if (list.size() > keep)
    list.pop_back();
}

struct KernelSolver::Task {
  std::shared_ptr<const Placement> placement;
  size_t number = 0;
  /// The least bound of its sizes.
  double bound = 0;
  SearchStatistics statistics;
  KernelSolutions found;
  std::string error;
};

/// Rounds of as many placements for any number of threads, so that bounds, and
/// with them the numbers in the report, don't depend on it.
static constexpr size_t kRound = 16;

KernelSolver::KernelSolver(const SearchProgram &program,
                           const SearchOptions &options, SearchPool &pool,
                           SearchStatistics &statistics,
                           const std::atomic<bool> &stop, SolveLog &log,
                           size_t numSolvedBefore,
                           std::function<void()> roundDone)
    : program(program), options(options), target(options.target), pool(pool),
      statistics(statistics), stop(stop), log(log),
      roundDone(std::move(roundDone)), numSolved(numSolvedBefore) {}

double KernelSolver::getLowerBound(const KernelProblem &problem) const {
  double bytes = 0;
  for (const auto *list : {&problem.inputs, &problem.outputs})
    for (const SearchTensor *tensor : *list)
      bytes += program.getBytes(*tensor, tensor->isSplit() ? 2 : 1);
  // At best all SMs are busy, and what they load is never waited for.
  KernelLoad load;
  load.blocks = target.smCount;
  load.deviceBytes = load.requestedBytes = bytes;
  load.bytesPerIteration = bytes;
  load.work = problem.leastWork;
  return estimateNanoseconds(load, target);
}

KernelSolutions KernelSolver::solve(const KernelProblem &problem,
                                    double bound) {
  KernelSolutions solutions;
  if (!error.empty())
    return solutions;
  addPredefined(problem, bound, solutions);

  // A problem that is known to have no kernels needs no placements.
  if (numSolved < log.entries.size() && log.entries[numSolved].done &&
      log.entries[numSolved].best.empty()) {
    setCounters(statistics, log.entries[numSolved++].statistics);
    return solutions;
  }

  std::vector<Placement> placements =
      enumeratePlacements(program, problem, options, stop);
  // What the log has of this problem.
  size_t first = 0;
  if (numSolved < log.entries.size()) {
    const SolveLog::Entry &entry = log.entries[numSolved];
    for (const SolveLog::Kernel &kernel : entry.best)
      if (!restore(problem, placements, kernel, solutions)) {
        logIsCorrupt = true;
        return solutions;
      }
    setCounters(statistics, entry.statistics);
    if (entry.done) {
      ++numSolved;
      return solutions;
    }
    first = entry.rounds * kRound;
  } else {
    log.entries.emplace_back();
  }
  size_t self = numSolved++;
  std::vector<Task> tasks(placements.size());
  constexpr size_t kChunk = 64;
  pool.forEach((tasks.size() + kChunk - 1) / kChunk, [&](size_t chunk,
                                                         SearchWorker &) {
    for (size_t t = chunk * kChunk, end = std::min(t + kChunk, tasks.size());
         t < end && !stop; ++t) {
      Task &task = tasks[t];
      task.number = t;
      task.placement =
          std::make_shared<const Placement>(std::move(placements[t]));
      task.bound = std::numeric_limits<double>::infinity();
      enumerateSizings(program, problem, *task.placement, target,
                       [&](const Sizing &sizing) {
                         task.bound = std::min(task.bound, sizing.bound);
                       });
    }
  });
  if (stop)
    return solutions;
  if (first == 0)
    statistics.placements += tasks.size();
  std::vector<Task *> order;
  for (Task &task : tasks)
    order.push_back(&task);
  llvm::sort(order, [](const Task *a, const Task *b) {
    return std::tie(a->bound, a) < std::tie(b->bound, b);
  });

  std::mutex mutex;
  llvm::DenseMap<SearchWorker *, std::unique_ptr<ProblemContext>> contexts;
  bool splits = problem.getSplitInput() || problem.getSplitOutput();
  auto note = [&](bool done) {
    SolveLog::Entry &entry = log.entries[self];
    entry.rounds = first / kRound;
    entry.done = done;
    entry.statistics = statistics;
    entry.best.clear();
    for (auto &[parts, kernels] : solutions.best)
      for (const SizedKernel &kernel : kernels)
        if (!kernel.structure->op)
          entry.best.push_back(
              {static_cast<int64_t>(kernel.structure->placementNumber),
               kernel.structure->derivation, kernel.grid, kernel.iterations,
               parts.first, parts.second, kernel.nanoseconds});
    roundDone();
  };
  for (; first < order.size() && !stop; first += kRound) {
    size_t count = std::min(kRound, order.size() - first);
    double current =
        splits ? bound : getBound(solutions, {1, 1}, bound, options.keep);
    while (options.uses(SearchRule::Bound) && count > 0 &&
           order[first + count - 1]->bound >= current)
      --count;
    if (count == 0) {
      statistics.prunedByBound += order.size() - first;
      break;
    }
    pool.forEach(count, [&](size_t t, SearchWorker &worker) {
      ProblemContext *context;
      {
        std::lock_guard<std::mutex> lock(mutex);
        auto &known = contexts[&worker];
        if (!known)
          known = std::make_unique<ProblemContext>(worker, problem);
        context = known.get();
      }
      Task &task = *order[first + t];
      runTask(task, problem, *context, bound, solutions);
      task.statistics.oracle = context->takeStatistics();
      task.error = context->takeError();
    });
    for (size_t t = 0; t < count; ++t) {
      Task &task = *order[first + t];
      statistics += task.statistics;
      ++statistics.placementsDone;
      for (auto &[parts, kernels] : task.found.best)
        for (SizedKernel &kernel : kernels)
          if (kernel.nanoseconds <
              getBound(solutions, parts, bound, options.keep))
            insert(solutions, parts, std::move(kernel), options.keep);
      task.found.best.clear();
      // The first in the order of the tasks, whatever the threads.
      if (error.empty())
        error = std::move(task.error);
    }
    if (!error.empty())
      return solutions;
    if (!stop) {
      first += kRound;
      note(false);
      first -= kRound;
    }
  }
  if (!stop)
    note(true);
  return solutions;
}

/// The time of a sized graph-defined kernel, or nothing if its sizes don't fit
/// or its tiles exceed the shared memory.
std::optional<double> KernelSolver::price(const KernelProblem &problem,
                                          const SizedKernel &kernel) const {
  int64_t partsRead = kernel.getPartsRead(),
          partsWritten = kernel.getPartsWritten();
  KernelGraph graph;
  graph.numInputs = problem.inputs.size();
  KernelNode node;
  node.kind = KernelNode::Kind::GraphDefined;
  node.graph =
      instantiate(program, kernel, program.roles.size, partsRead, partsWritten);
  if (!node.graph)
    return std::nullopt;
  for (const SearchTensor *tensor : problem.inputs) {
    node.operands.push_back(graph.tensors.size());
    graph.tensors.push_back(
        {program.getShape(*tensor, partsRead), tensor->elementType});
  }
  if (getSharedBytes(*node.graph, graph.tensors) > target.sharedBytes)
    return std::nullopt;
  for (const SearchTensor *tensor : problem.outputs) {
    node.results.push_back(graph.tensors.size());
    graph.tensors.push_back(
        {program.getShape(*tensor, partsWritten), tensor->elementType});
  }
  return estimateKernel(graph, node, options.target).nanoseconds;
}

/// Makes a kernel of the log again.
bool KernelSolver::restore(const KernelProblem &problem,
                           ArrayRef<Placement> placements,
                           const SolveLog::Kernel &logged,
                           KernelSolutions &solutions) {
  if (static_cast<size_t>(logged.placement) >= placements.size())
    return false;
  auto placement =
      std::make_shared<const Placement>(placements[logged.placement]);
  if (logged.grid.size() != placement->gridRoles.size() ||
      placement->hasLoop != (logged.iterations > 0))
    return false;
  bool found = false;
  pool.forEach(1, [&](size_t, SearchWorker &worker) {
    ProblemContext context(worker, problem);
    SearchStatistics ignored;
    ValueGraph graph(context, *placement, ignored, stop);
    graph.close(options.maxBlockOps, options.maxFreeOps);
    std::optional<BlockGraph> block =
        Derivations(graph, problem, *placement, options.maxBlockOps)
            .build(logged.derivation);
    if (!block)
      return;
    auto structure = std::make_shared<KernelStructure>();
    structure->problem = problem;
    structure->placement = placement;
    structure->graph = std::make_shared<const BlockGraph>(std::move(*block));
    structure->placementNumber = logged.placement;
    structure->derivation = logged.derivation;
    SizedKernel kernel{structure, logged.grid, logged.iterations, 0};
    std::optional<double> cost = price(problem, kernel);
    if (!cost || *cost != logged.nanoseconds ||
        kernel.getPartsRead() != logged.partsRead ||
        kernel.getPartsWritten() != logged.partsWritten)
      return;
    kernel.nanoseconds = *cost;
    insert(solutions, {logged.partsRead, logged.partsWritten},
           std::move(kernel), options.keep);
    found = true;
  });
  return found || stop;
}

void KernelSolver::runTask(Task &task, const KernelProblem &problem,
                           ProblemContext &context, double bound,
                           const KernelSolutions &known) {
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
            sizing.bound >= getBound(known,
                                     {sizing.partsRead, sizing.partsWritten},
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
    return std::min(getBound(known, parts, bound, options.keep),
                    getBound(task.found, parts, bound, options.keep));
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
  derivations.enumerate(
      task.statistics, &pricing,
      [&](BlockGraph block, const Derivations::Name &name) {
        auto structure = std::make_shared<KernelStructure>();
        structure->problem = problem;
        structure->placement = task.placement;
        structure->placementNumber = task.number;
        structure->derivation = name;
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
          std::optional<double> cost = price(problem, kernel);
          if (!cost)
            ++task.statistics.sizesTooLarge;
          else if ((kernel.nanoseconds = *cost) < toBeat)
            best[parts] = kernel;
        }
        for (auto &[parts, sized] : best)
          insert(task.found, parts, std::move(sized), options.keep);
        return !stop;
      });
}

/// Pre-defined operators on the inputs, in every order.
void KernelSolver::addPredefined(const KernelProblem &problem, double bound,
                                 KernelSolutions &solutions) {
  if (problem.outputs.size() != 1 || problem.getSplitInput() ||
      problem.getSplitOutput())
    return;
  const SearchTensor &output = *problem.outputs[0];
  size_t count = problem.inputs.size();
  if (count == 0)
    return;
  for (const Operator *op : program.kernelOperators) {
    // Each input at least once.
    if (op->getNumOperands() < count || op->getNumOperands() > 4)
      continue;
    SmallVector<unsigned, 2> operands(op->getNumOperands(), 0);
    for (bool more = true; more;) {
      SmallVector<Shape> labels;
      SmallVector<const Tensor *> values;
      llvm::SmallBitVector used(count);
      for (unsigned operand : operands) {
        labels.push_back(problem.inputs[operand]->label);
        values.push_back(&problem.inputs[operand]->value);
        used.set(operand);
      }
      if (used.all())
        program.enumerateParams(*op, labels, [&](const Params &params) {
          Shape label;
          if (!op->inferShape(labels, params, label) || label != output.label)
            return;
          Params probe = params;
          if (op->hasShapeParams())
            for (int64_t &size : probe)
              size = program.roles.getProbeSize(size);
          Tensor value = op->evaluate(*program.field, values, probe);
          if (program.field->findDifference(value, output.value))
            return;
          ++statistics.structures;
          auto structure = std::make_shared<KernelStructure>();
          structure->problem = problem;
          structure->op = op;
          structure->params = params;
          structure->operands = operands;
          SizedKernel kernel;
          kernel.structure = structure;
          Plan plan;
          KernelGraph graph;
          KernelNode node;
          node.op = op;
          node.params = params;
          for (unsigned operand : operands) {
            node.operands.push_back(graph.tensors.size());
            const SearchTensor &tensor = *problem.inputs[operand];
            graph.tensors.push_back(
                {program.getShape(tensor, 1), tensor.elementType});
          }
          node.results.push_back(graph.tensors.size());
          graph.tensors.push_back(
              {program.getShape(output, 1), output.elementType});
          if (op->hasShapeParams())
            node.params.assign(graph.tensors.back().shape.begin(),
                               graph.tensors.back().shape.end());
          kernel.nanoseconds =
              estimateKernel(graph, node, options.target).nanoseconds;
          if (kernel.nanoseconds <
              getBound(solutions, {1, 1}, bound, options.keep))
            insert(solutions, {1, 1}, std::move(kernel), options.keep);
        });
      // The next tuple.
      size_t d = 0;
      while (d < operands.size() && ++operands[d] == count)
        operands[d++] = 0;
      more = d < operands.size();
    }
  }
}
