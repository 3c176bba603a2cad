//===- PlanSolver.cpp - Kernel graphs of several kernels ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSolver.h"
#include "StoredKernels.h"

using namespace mirage;
using llvm::ArrayRef;
using Plans = PlanSolver::Plans;

/// Last kernels that are looked for at a time: enough for threads not to wait
/// long at the end, but each with the costs to beat of the round's beginning.
static constexpr size_t kRound = 64;
/// Frontiers are searched for plans below a limit that grows until there are
/// enough: by how much it is above the least that a plan takes, and grows.
static constexpr double kFirstStep = 1.1, kStep = 1.25;
/// Limits that are not so far below the bound would not spare enough.
static constexpr double kWorthwhile = 1.5;

PlanSolver::Key PlanSolver::getKey(const KernelProblem &problem,
                                   unsigned kernels) {
  return {kernels, getIds(problem.outputs)};
}

/// What can be left out for a cost: nothing, when that rule is off.
double PlanSolver::getPruningBound(double nanoseconds) const {
  return options.uses(SearchRule::Bound)
             ? nanoseconds
             : std::numeric_limits<double>::infinity();
}

double PlanSolver::getLowerBound(const KernelProblem &problem,
                                 unsigned kernels) const {
  return getLowerBound(solver.getLowerBound(problem), kernels);
}

double PlanSolver::getLowerBound(double leastOfOne, unsigned kernels) const {
  // What is done takes as long in one kernel as in several, at best.
  return (kernels - 1) * leastOfKernel + leastOfOne;
}

static Plans getPlans(const KernelSolutions &solutions) {
  Plans plans;
  for (auto &[parts, kernels] : solutions.best)
    for (const SizedKernel &kernel : kernels)
      plans[parts.second].push_back({{kernel}, kernel.nanoseconds});
  return plans;
}

static double getLeast(const KernelSolutions &solutions) {
  double least = std::numeric_limits<double>::infinity();
  for (auto &[parts, list] : solutions.best)
    if (!list.empty())
      least = std::min(least, list.front().nanoseconds);
  return least;
}

Plans PlanSolver::solve(const KernelProblem &problem, unsigned kernels,
                        double bound) {
  Key key = getKey(problem, kernels);
  auto known = memo.find(key);
  if (known != memo.end() && known->second.first >= bound)
    return known->second.second;
  Plans plans = kernels == 1 ? getPlans(solveKernels({{&problem, bound}})[0])
                             : solveMany(problem, kernels, bound);
  return remember(key, bound, std::move(plans));
}

/// What is found after the search was given up is not all: what was known below
/// a smaller bound stays, with what has come above it.
template <typename Kept, typename Parts>
static void keepAndAdd(std::map<Parts, std::vector<Kept>> &known, double bound,
                       std::map<Parts, std::vector<Kept>> found, size_t keep) {
  for (auto &[parts, list] : found) {
    std::vector<Kept> &kept = known[parts];
    for (Kept &next : list)
      if (next.nanoseconds >= bound && kept.size() < keep)
        kept.push_back(std::move(next));
  }
}

const Plans &PlanSolver::remember(const Key &key, double bound, Plans plans) {
  auto [entry, isNew] = memo.try_emplace(key, bound, Plans());
  auto &[before, known] = entry->second;
  if (!isNew && solver.isGivenUp()) {
    keepAndAdd(known, before, std::move(plans), options.keep);
  } else {
    before = bound;
    known = std::move(plans);
  }
  return known;
}

/// A last kernel behind the plans for what it needs.
Plans PlanSolver::solveMany(const KernelProblem &problem, unsigned kernels,
                            double bound) {
  Plans plans;
  if (problem.getSplitOutput())
    return plans;
  std::vector<Plan> best;
  double limit = kFirstStep * getLowerBound(problem, kernels);
  // Where nothing is found for long the steps grow.
  double step = kStep;
  for (;; limit *= step, step *= kStep) {
    if (!options.uses(SearchRule::Bound) || limit * kWorthwhile > bound)
      limit = bound;
    std::vector<Plan> below = solveManyBelow(problem, kernels, limit);
    // All plans up to a smaller limit are better than some up to this one, or
    // than those that are left where there are too many cuts.
    if (!best.empty() && (solver.stop || below.size() < best.size()))
      break;
    best = std::move(below);
    if (best.size() >= options.keep || limit >= bound || solver.stop ||
        solver.isTooLong())
      break;
  }
  plans[1] = std::move(best);
  return plans;
}

/// The best plans below a bound.
std::vector<Plan> PlanSolver::solveManyBelow(const KernelProblem &problem,
                                             unsigned kernels, double bound) {
  std::optional<double> mostBytes = solver.getMostBytesHandedOn(
      problem, bound - (kernels - 1) * leastOfKernel);
  if (!mostBytes)
    return {};
  // To look for cuts takes long, and nothing would be searched behind them.
  if (solver.wasFoundTooLong())
    return {};
  FrontierFinder::Frontiers found =
      frontiers.find(problem, *mostBytes, kernels);
  // Equal ones in the order in which they were found, wherever they are stored.
  std::vector<std::pair<double, size_t>> numbers;
  for (auto [i, frontier] : llvm::enumerate(*found)) {
    if (frontier.rest.leastOperators > (kernels - 1) * options.maxBlockOps)
      continue;
    double least =
        frontier.leastOfLast + getLowerBound(frontier.leastOfRest, kernels - 1);
    if (least < bound)
      numbers.emplace_back(least, i);
  }
  llvm::sort(numbers);
  std::vector<std::pair<double, const Frontier *>> order;
  for (auto [least, i] : numbers)
    order.emplace_back(least, &(*found)[i]);
  return joinAll(order, kernels, bound);
}

std::vector<Plan> PlanSolver::joinAll(FrontierOrder order, unsigned kernels,
                                      double bound) {
  std::vector<Plan> best;
  double toBeat = bound;
  auto getHopeless = [&] { return getPruningBound(toBeat); };
  auto join = [&](ArrayRef<const Frontier *> frontiers,
                  ArrayRef<SharedSolutions> last) {
    if (kernels == 2)
      solveRest(frontiers, last, getHopeless());
    for (auto [frontier, solutions] : llvm::zip(frontiers, last))
      joinPlans(*frontier, kernels, *solutions, best, toBeat);
  };

  // What takes no search gives a bound to what does.
  std::vector<const Frontier *> all;
  std::vector<KernelSolver::Question> questions;
  auto ask = [&](const Frontier *frontier) {
    all.push_back(frontier);
    questions.push_back(
        {&frontier->last,
         getHopeless() - getLowerBound(frontier->leastOfRest, kernels - 1)});
  };
  for (auto [least, frontier] : order)
    if (least < getHopeless())
      ask(frontier);
  std::vector<KernelSolutions> predefined = solver.findPredefined(questions);
  std::vector<SharedSolutions> last;
  for (const KernelSolutions &solutions : predefined)
    last.push_back(std::make_shared<const KernelSolutions>(solutions));
  join(all, last);

  for (size_t next = 0; next < order.size() && !solver.stop;) {
    // Several last kernels are looked for at a time, so that threads have
    // something to do, and the costs to beat don't depend on them.
    all.clear();
    questions.clear();
    std::vector<KernelSolutions> others;
    double hopeless = getHopeless();
    for (; next < order.size() && all.size() < kRound; ++next) {
      auto [least, frontier] = order[next];
      if (least >= hopeless) {
        next = order.size();
        break;
      }
      if (frontier->isDominated)
        continue;
      ask(frontier);
      others.push_back(std::move(predefined[next]));
    }
    join(all, searchKernels(questions, others));
  }
  return best;
}

std::vector<KernelSolutions>
PlanSolver::solveKernels(ArrayRef<KernelSolver::Question> questions) {
  std::vector<KernelSolutions> solutions = solver.findPredefined(questions);
  for (auto [all, more] :
       llvm::zip(solutions, searchKernels(questions, solutions)))
    for (const auto &[parts, kernels] : more->best)
      for (const SizedKernel &kernel : kernels)
        all.insert(parts, kernel, options.keep);
  return solutions;
}

PlanSolver::KernelKey PlanSolver::getKernelKey(const KernelProblem &problem) {
  KernelKey key;
  auto &[inputs, outputs, work, useful] = key;
  inputs = getIds(problem.inputs);
  outputs = getIds(problem.outputs);
  const OperatorCost &least = problem.leastWork;
  work = {least.tensorFlops, least.scalarFlops, least.specialFunctions};
  useful = problem.usefulTensorsHash;
  return key;
}

size_t PlanSolver::HashOfKey::operator()(const KernelKey &key) const {
  const auto &[inputs, outputs, work, useful] = key;
  return llvm::hash_combine(
      llvm::hash_combine_range(inputs.begin(), inputs.end()),
      llvm::hash_combine_range(outputs.begin(), outputs.end()),
      llvm::hash_combine_range(work.begin(), work.end()), useful);
}

std::vector<PlanSolver::SharedSolutions>
PlanSolver::searchKernels(ArrayRef<KernelSolver::Question> questions,
                          ArrayRef<KernelSolutions> predefined) {
  std::vector<KnownKernels *> kernels, open;
  std::vector<KernelSolver::Question> list;
  for (auto [question, others] : llvm::zip(questions, predefined)) {
    KnownKernels &entry = known[getKernelKey(*question.problem)];
    kernels.push_back(&entry);
    // A split has no pre-defined kernels, all others have parts of one kind.
    double bound = others.getBound({1, 1}, question.bound, options.keep);
    if (entry.solutions) {
      // With enough of them there are none that a larger bound would add.
      bool isSplit = question.problem->getSplitInput() ||
                     question.problem->getSplitOutput();
      if (bound <= entry.bound ||
          (!isSplit && entry.solutions->getBound({1, 1}, entry.bound,
                                                 options.keep) < entry.bound))
        continue;
    }
    if (entry.question) {
      double &most = list[*entry.question].bound;
      most = std::max(most, bound);
      continue;
    }
    entry.question = list.size();
    list.push_back({question.problem, bound});
    open.push_back(&entry);
  }
  for (auto [question, entry, found] :
       llvm::zip_equal(list, open, solver.search(list))) {
    entry->question.reset();
    if (entry->solutions && solver.isGivenUp()) {
      KernelSolutions more = *entry->solutions;
      keepAndAdd(more.best, entry->bound, std::move(found.best), options.keep);
      entry->solutions =
          std::make_shared<const KernelSolutions>(std::move(more));
    } else {
      entry->bound = std::max(question.bound, found.nanosecondsLeft);
      entry->solutions =
          std::make_shared<const KernelSolutions>(std::move(found));
    }
  }
  std::vector<SharedSolutions> result;
  for (const KnownKernels *entry : kernels)
    result.push_back(entry->solutions);
  return result;
}

/// Solves what `joinPlans` will ask for, one kernel each, at a time.
void PlanSolver::solveRest(ArrayRef<const Frontier *> frontiers,
                           ArrayRef<SharedSolutions> last, double hopeless) {
  std::map<Key, KernelSolver::Question> questions;
  for (auto [frontier, solutions] : llvm::zip(frontiers, last)) {
    double least = getLeast(*solutions);
    if (least >= hopeless || frontier->leastOfRest + least >= hopeless)
      continue;
    double bound = hopeless - least;
    Key key = getKey(frontier->rest, 1);
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
  for (auto [entry, solutions] : llvm::zip(questions, solveKernels(list)))
    remember(entry.first, entry.second.bound, getPlans(solutions));
}

static bool areSame(const SizedKernel &a, const SizedKernel &b) {
  const KernelProblem &problem = a.structure->problem,
                      &other = b.structure->problem;
  return getIds(problem.inputs) == getIds(other.inputs) &&
         getIds(problem.outputs) == getIds(other.outputs) &&
         writeKernel(a) == writeKernel(b);
}

/// Whether plans differ in the order of their kernels at most.
static bool haveSameKernels(const Plan &a, const Plan &b) {
  // Costs are added up in another order.
  constexpr double kRounding = 1e-12;
  return a.kernels.size() == b.kernels.size() &&
         std::abs(a.nanoseconds - b.nanoseconds) <= kRounding * a.nanoseconds &&
         std::is_permutation(a.kernels.begin(), a.kernels.end(),
                             b.kernels.begin(), areSame);
}

/// Puts the plans of a last kernel behind those for what it needs among the
/// best, as far as they are cheaper than `toBeat`.
void PlanSolver::joinPlans(const Frontier &frontier, unsigned kernels,
                           const KernelSolutions &last, std::vector<Plan> &best,
                           double &toBeat) {
  // When the search is over one of the plans that are known is enough.
  auto isOver = [&] { return solver.stop && !best.empty(); };
  if (isOver() ||
      (solver.stop && !memo.count(getKey(frontier.rest, kernels - 1))))
    return;
  double hopeless = getPruningBound(toBeat);
  double least = getLeast(last);
  if (getLowerBound(frontier.leastOfRest, kernels - 1) + least >= hopeless)
    return;
  Plans rest = solve(frontier.rest, kernels - 1, hopeless - least);
  for (auto &[parts, list] : last.best)
    for (const SizedKernel &kernel : list)
      for (const Plan &before : rest[parts.first]) {
        if (isOver())
          return;
        double total = before.nanoseconds + kernel.nanoseconds;
        if (total >= toBeat)
          break;
        Plan plan = before;
        plan.kernels.push_back(kernel);
        plan.nanoseconds = total;
        if (llvm::any_of(best, [&](const Plan &other) {
              return haveSameKernels(plan, other);
            }))
          continue;
        auto position =
            llvm::upper_bound(best, plan, [](const Plan &a, const Plan &b) {
              return a.nanoseconds < b.nanoseconds;
            });
        best.insert(position, std::move(plan));
        if (best.size() > options.keep)
          best.pop_back();
        if (best.size() == options.keep)
          toBeat = std::min(toBeat, best.back().nanoseconds);
      }
}
