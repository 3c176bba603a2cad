//===- KernelSolver.cpp - The cheapest kernels for problems ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelSolver.h"
#include "ProblemSolver.h"
#include "SizeLimits.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

double KernelSolutions::getBound(PartsKey parts, double bound,
                                 size_t keep) const {
  auto known = best.find(parts);
  if (known == best.end() || known->second.size() < keep)
    return bound;
  return std::min(bound, known->second.back().nanoseconds);
}

void KernelSolutions::insert(PartsKey parts, SizedKernel kernel, size_t keep) {
  std::vector<SizedKernel> &list = best[parts];
  auto position = llvm::upper_bound(
      list, kernel, [](const SizedKernel &a, const SizedKernel &b) {
        return a.nanoseconds < b.nanoseconds;
      });
  list.insert(position, std::move(kernel));
  if (list.size() > keep)
    list.pop_back();
}

KernelSolver::KernelSolver(const SearchProgram &program,
                           const SearchOptions &options, SearchPool &pool,
                           SearchStatistics &statistics,
                           const std::atomic<bool> &stop, SolveLog &log,
                           size_t &numSolved, std::function<void()> roundDone)
    : program(program), options(options), target(options.target), stop(stop),
      mostStates(options.partOfSizeLimits * SizeLimits::kStates),
      mostStatesOfOne(options.partOfSizeLimits * SizeLimits::kStatesOfOne),
      mostSizesBounded(options.partOfSizeLimits * SizeLimits::kSizesBounded),
      mostCutSteps(options.partOfSizeLimits * SizeLimits::kCutStatesOfAll),
      mostAttempts(options.partOfSizeLimits * SizeLimits::kAttemptsOfAll),
      mostProblems(options.partOfSizeLimits * SizeLimits::kProblems),
      pool(pool), statistics(statistics), log(log),
      roundDone(std::move(roundDone)), numSolved(numSolved) {}

double mirage::getLeastNanoseconds(const SearchProgram &program,
                                   const KernelProblem &problem,
                                   const TargetNumbers &target,
                                   double moreBytes) {
  double bytes = moreBytes;
  for (const auto *list : {&problem.inputs, &problem.outputs})
    for (const SearchTensor *tensor : *list)
      bytes += program.getBytes(*tensor, tensor->isSplit() ? 2 : 1);
  // At best all SMs are busy, and what they load is never waited for.
  KernelLoad load;
  load.blocks = target.smCount;
  load.deviceBytes = load.requestedBytes = bytes;
  load.bytesPerIteration = std::numeric_limits<double>::infinity();
  load.work = problem.leastWork;
  return estimateNanoseconds(load, target);
}

double KernelSolver::getLowerBound(const KernelProblem &problem,
                                   double moreBytes) const {
  return getLeastNanoseconds(program, problem, target, moreBytes);
}

std::optional<double>
KernelSolver::getMostBytesHandedOn(const KernelProblem &problem,
                                   double nanoseconds) const {
  auto fits = [&](int64_t bytes) {
    return getLowerBound(problem, 2.0 * bytes) < nanoseconds;
  };
  if (!fits(0))
    return std::nullopt;
  constexpr int64_t kEnough = int64_t(1) << 52; // more than any memory has
  int64_t most = 0;
  for (int64_t step = kEnough; step > 0; step /= 2)
    if (fits(most + step))
      most += step;
  return most;
}

/// It is asked between rounds, so that threads make no difference.
bool KernelSolver::isTooLong() {
  bool isTooLong = statistics.states > mostStates ||
                   statistics.sizesBounded > mostSizesBounded ||
                   statistics.cutSteps > mostCutSteps ||
                   statistics.attempts > mostAttempts ||
                   numSolved > mostProblems;
  if (!isTooLong || !SizeLimits::apply(options))
    return false;
  if (!std::exchange(wasTooLong, true))
    ++statistics.graphsTooLarge;
  return true;
}

size_t KernelSolver::getMostAtOnce() const {
  if (!SizeLimits::apply(options))
    return std::numeric_limits<size_t>::max();
  // How large problems are shows when some are solved.
  constexpr size_t kFirst = 4;
  if (!mostOfOne)
    return kFirst;
  // They may take a quarter of the limits, if each is like the largest so far.
  constexpr double kShare = 0.25, kSmallest = 1e-9;
  return std::max<size_t>(kShare / std::max(*mostOfOne, kSmallest), 1);
}

std::vector<KernelSolutions>
KernelSolver::search(ArrayRef<Question> questions) {
  std::vector<KernelSolutions> solutions(questions.size());
  if (!error.empty() || logIsCorrupt || isTooLong())
    return solutions;
  std::vector<std::unique_ptr<ProblemSolver>> solvers;
  // Those first to which the bound leaves most room: they take longest, and one
  // that is left over in the end can't keep all threads busy.
  SmallVector<std::pair<double, size_t>> order;
  for (auto [i, question] : llvm::enumerate(questions)) {
    solvers.push_back(std::make_unique<ProblemSolver>(
        *this, *question.problem, question.bound, numSolved++));
    order.emplace_back(getLowerBound(*question.problem) / question.bound, i);
  }
  if (log.entries.size() < numSolved)
    log.entries.resize(numSolved);
  llvm::sort(order);
  for (ArrayRef<std::pair<double, size_t>> rest = order;
       !rest.empty() && !isTooLong();) {
    auto batch = rest.take_front(getMostAtOnce());
    rest = rest.drop_front(batch.size());
    // What is left is shared out, with something for each of them.
    const int64_t number = batch.size();
    const int64_t states =
        std::max((mostStates - statistics.states) / number, mostStatesOfOne);
    const int64_t sizes =
        std::max((mostSizesBounded - statistics.sizesBounded) / number,
                 SizeLimits::kSizesBoundedOfOne);
    std::vector<PhasedWork *> works;
    for (auto [room, i] : batch) {
      solvers[i]->setMost(states, sizes);
      works.push_back(solvers[i].get());
    }
    pool.run(works);
    for (auto [room, i] : batch)
      mostOfOne =
          std::max(mostOfOne.value_or(0), solvers[i]->getPartOfLimits());
  }
  for (auto [solver, solution] : llvm::zip(solvers, solutions)) {
    solution = std::move(solver->solutions);
    // The first in the order of the problems, whatever the threads.
    if (error.empty())
      error = solver->error;
  }
  return solutions;
}

SolveLog::Entry KernelSolver::getLogEntry(size_t number) {
  std::lock_guard<std::mutex> lock(mutex);
  return log.entries[number];
}

void KernelSolver::note(size_t number, SolveLog::Entry entry,
                        const SearchStatistics &counted) {
  std::lock_guard<std::mutex> lock(mutex);
  // What was there is destroyed when nobody waits for it.
  std::swap(log.entries[number], entry);
  statistics += counted;
  roundDone();
}

std::vector<KernelSolutions>
KernelSolver::findPredefined(ArrayRef<Question> questions) {
  std::vector<KernelSolutions> solutions(questions.size());
  std::vector<size_t> numStructures(questions.size());
  pool.forEach(questions.size(), [&](size_t q, SearchWorker &) {
    if (!stop)
      addPredefined(questions[q], numStructures[q], solutions[q]);
  });
  for (size_t number : numStructures)
    statistics.structures += number;
  return solutions;
}

void KernelSolver::addPredefined(const Question &question,
                                 size_t &numStructures,
                                 KernelSolutions &solutions) const {
  const KernelProblem &problem = *question.problem;
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
          ++numStructures;
          auto structure = std::make_shared<KernelStructure>();
          structure->problem = problem;
          structure->op = op;
          structure->params = params;
          structure->operands = operands;
          SizedKernel kernel;
          kernel.structure = structure;
          std::optional<double> cost =
              estimateKernel(program, kernel, options.target);
          if (!cost)
            return;
          kernel.nanoseconds = *cost;
          if (kernel.nanoseconds <
              solutions.getBound({1, 1}, question.bound, options.keep))
            solutions.insert({1, 1}, std::move(kernel), options.keep);
        });
      // The next tuple.
      size_t d = 0;
      while (d < operands.size() && ++operands[d] == count)
        operands[d++] = 0;
      more = d < operands.size();
    }
  }
}
