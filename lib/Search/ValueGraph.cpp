//===- ValueGraph.cpp - All values that a block graph can compute ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueGraph.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "llvm/Support/xxhash.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Stands for the maximum of one element; any number that programs don't have.
static constexpr double kMaximumFactor = 7919.0 / 104729.0;

SearchWorker::SearchWorker(const SearchProgram &program,
                           const SearchOptions &options)
    : program(program), options(options), exprs(context) {
  // What kernels hand to each other is a part of the outputs, too.
  SmallVector<Expr> targets;
  for (const auto &output : program.outputs)
    targets.push_back(exprs.get(*output));
  // Others than the normal form are to judge every expression as it is.
  if (options.oracle == OracleKind::NormalForm)
    context.setFocus(targets);
  for (const auto &output : program.outputs)
    findSums(*output);
}

/// Adds, for each step of a recipe, what some of its addends add up to: those
/// of the operands of an operator that adds, and those that a linear operator
/// distributes over.
void SearchWorker::findSums(const SearchTensor &output) {
  constexpr size_t kMost = 64;
  Expr u = context.variable("u"), v = context.variable("v");
  std::vector<std::vector<Expr>> partial;
  for (const RecipeStep &step : output.recipe) {
    std::vector<Expr> &here = partial.emplace_back();
    if (step.kind == RecipeStep::Kind::Leaf)
      here.push_back(exprs.get(*step.leaf));
    if (step.kind == RecipeStep::Kind::Constant)
      here.push_back(context.constant(step.constant));
    if (step.kind != RecipeStep::Kind::Operator)
      continue;
    SmallVector<Expr> operands;
    for (unsigned operand : step.operands)
      operands.push_back(partial[operand].back());
    auto apply = [&](ArrayRef<Expr> to) {
      return step.op->getExpr(context, step.labels, to, step.params);
    };
    auto take = [&](Expr x) {
      if (here.size() < kMost && !llvm::is_contained(here, x))
        here.push_back(x);
    };
    Expr minus = context.mul(context.constant(-1), v);
    bool adds = operands.size() == 2 && apply({u, v}) == context.add(u, v);
    bool subtracts =
        operands.size() == 2 && !adds && apply({u, v}) == context.add(u, minus);
    if (adds || subtracts) {
      const auto &left = partial[step.operands[0]];
      const auto &right = partial[step.operands[1]];
      for (Expr x : left)
        take(x);
      for (Expr y : right)
        take(adds ? y : context.mul(context.constant(-1), y));
      for (Expr x : left)
        for (Expr y : right)
          take(apply({x, y}));
    } else {
      int several = -1;
      for (auto [i, operand] : llvm::enumerate(step.operands))
        if (partial[operand].size() > 1)
          several = several < 0 && step.op->isLinearIn(i) ? i : -2;
      if (several >= 0)
        for (Expr x : partial[step.operands[several]]) {
          operands[several] = x;
          take(apply(operands));
        }
    }
    if (step.op->usesExponentiation(step.params)) {
      const RecipeStep &from = output.recipe[step.operands[0]];
      exponents[operands[0]] =
          from.operands.size() == 2 &&
          llvm::any_of(from.operands, [&](unsigned operand) {
            Expr x = partial[operand].back();
            return x && context.max(x) == x;
          });
    }
    // The whole comes last.
    for (auto [i, operand] : llvm::enumerate(step.operands))
      operands[i] = partial[operand].back();
    Expr whole = apply(operands);
    llvm::erase(here, whole);
    here.push_back(whole);
  }
  for (const auto &list : partial)
    for (Expr x : list)
      if (x && !llvm::is_contained(sums, x))
        sums.push_back(x);
}

//===----------------------------------------------------------------------===//
// ProblemContext
//===----------------------------------------------------------------------===//

ProblemContext::ProblemContext(SearchWorker &worker,
                               const KernelProblem &problem)
    : worker(worker), problem(problem) {
  SmallVector<Expr> targets;
  for (const SearchTensor *output : problem.outputs)
    targets.push_back(worker.exprs.get(*output));
  const SearchOptions &options = worker.options;
  auto made =
      makeOracle(options.oracle, worker.context, targets, options.axioms.get());
  if (made) {
    oracle = std::move(*made);
  } else {
    failure = llvm::toString(made.takeError());
    oracle = std::make_unique<NoOracle>(worker.context, targets);
  }
  if (options.trustsLaws() && options.uses(SearchRule::FactoredSums))
    sums = std::make_unique<FactoredSums>(worker.context, targets, worker.sums);
  // What no target has a function or constant of is of no use.
  auto isForeign = [&](const Operator &op, const Params &params,
                       unsigned arity) {
    SmallVector<Expr> unknowns = {worker.context.variable("u"),
                                  worker.context.variable("v")};
    unknowns.resize(arity);
    SmallVector<Shape> ones(arity, Shape{1, 1});
    Expr expr = op.getExpr(worker.context, ones, unknowns, params);
    return options.trustsLaws() && llvm::none_of(targets, [&](Expr target) {
             return worker.context.hasOnlyFunctionsOf(expr, target);
           });
  };
  auto take = [&](const Operator &op, const Params &params, unsigned arity) {
    if ((arity == 1 || arity == 2) && !isForeign(op, params, arity))
      (arity == 1 ? unary : binary).emplace_back(&op, params);
  };
  for (const Operator *op : worker.program.blockOperators) {
    if (op->getNumOperands() == 2 && op->isElementwise()) {
      ExprContext &exprs = worker.context;
      Expr u = exprs.variable("u"), v = exprs.variable("v");
      Expr difference = exprs.add(u, exprs.mul(exprs.constant(-1), v));
      if (op->getExpr(exprs, {Shape{1, 1}, Shape{1, 1}}, {u, v}, {}) ==
          difference)
        subtractions.push_back(op);
    }
    if (op->isOpaque()) {
      for (auto &[params, arity] : worker.program.functions)
        take(*op, params, arity);
    } else if (op->getNumOperands() == 1 && !op->isElementwise()) {
      shaped.push_back(op);
    } else if (op->getNumOperands() == 1) {
      worker.program.enumerateParams(
          *op, {Shape()}, [&](const Params &params) { take(*op, params, 1); });
    } else {
      take(*op, {}, op->getNumOperands());
    }
  }
}

bool ProblemContext::isOutput(Expr x, const SearchTensor &output) {
  auto position = llvm::find(problem.outputs, &output);
  return oracle->isTarget(x, position - problem.outputs.begin());
}

OracleStatistics ProblemContext::takeStatistics() {
  OracleStatistics now = oracle->getStatistics(), difference = now;
  difference -= taken;
  taken = now;
  return difference;
}

std::string ProblemContext::takeError() {
  if (isBroken())
    return failure;
  if (llvm::Error error = oracle->takeError())
    return llvm::toString(std::move(error));
  return "";
}

void ProblemContext::setScalar(Expr x, const Tensor &scalar) {
  if (x.isNull())
    return;
  auto [known, isNew] = scalars.try_emplace(x, scalar);
  if (!isNew && !known->second.planes.empty() &&
      (scalar.planes.empty() ||
       hashContent(known->second) != hashContent(scalar)))
    known->second = {};
}

bool ProblemContext::subtracts(const Operator &op) const {
  return llvm::is_contained(subtractions, &op);
}

/// Whether an operator on such operands can be of use: its expression on
/// operands of one element is a part of that on any others.
bool ProblemContext::isViable(const Operator &op, ArrayRef<Expr> operands,
                              const Params &params) {
  SmallVector<Shape> ones(operands.size(), Shape{1, 1});
  if (!mayContribute(op.getExpr(worker.context, ones, operands, params)))
    return false;
  SmallVector<const Tensor *, 2> tensors;
  for (Expr x : operands) {
    auto known = scalars.find(x);
    if (known == scalars.end() || known->second.planes.empty())
      return true;
    tensors.push_back(&known->second);
  }
  return mayBeUseful(getScalar(op, tensors, params));
}

bool ProblemContext::mayBeUseful(const Tensor &scalar) const {
  return !problem.usefulTensors || scalar.planes.empty() ||
         problem.usefulTensors->contains(hashContent(scalar));
}

bool ProblemContext::mayBeUseful(const Value &value) const {
  return !problem.usefulTensors || value.scalar.planes.empty() ||
         problem.usefulTensors->contains(
             hashWhole(value, worker.program.roles));
}

uint64_t mirage::hashWhole(const Value &value, const Roles &roles) {
  uint64_t hash = hashContent(value.scalar);
  for (int64_t label : value.label)
    hash = llvm::hash_combine(hash, roles.getRole(label));
  return hash;
}

Tensor ProblemContext::getScalar(const Operator &op,
                                 ArrayRef<const Tensor *> operands,
                                 const Params &params) const {
  SmallVector<Shape> shapes;
  for (const Tensor *operand : operands) {
    if (operand->planes.empty())
      return {};
    shapes.push_back(operand->shape);
  }
  // Sums and movements of data leave one element as it is.
  if (operands.size() == 1 && !op.isElementwise())
    return *operands[0];
  Shape shape;
  if (op.hasShapeParams() || !op.inferShape(shapes, params, shape) ||
      shape != Shape{1, 1})
    return {};
  return op.evaluate(*worker.program.field, operands, params);
}

/// Maxima must not vanish: x - max(x) is not 0.
Tensor ProblemContext::getMaximum(const Tensor &scalar) const {
  const FiniteField &field = *worker.program.field;
  if (scalar.planes.empty())
    return {};
  return field.mul(scalar, field.constant(kMaximumFactor));
}

ArrayRef<ProblemContext::Choice> ProblemContext::getUnary(Expr x) {
  auto [entry, isNew] = unaryChoices.try_emplace(x);
  if (isNew)
    for (auto &[op, params] : unary)
      if (isViable(*op, {x}, params))
        entry->second.push_back({op, params, false});
  return entry->second;
}

ArrayRef<ProblemContext::Choice> ProblemContext::getBinary(Expr x, Expr y) {
  auto [entry, isNew] = binaryChoices.try_emplace({x, y});
  if (isNew)
    for (auto &[op, params] : binary) {
      if (isViable(*op, {x, y}, params))
        entry->second.push_back({op, params, false});
      bool isOrdered =
          op->isCommutative() && worker.options.uses(SearchRule::OperandOrder);
      if (!isOrdered && isViable(*op, {y, x}, params))
        entry->second.push_back({op, params, true});
    }
  return entry->second;
}

//===----------------------------------------------------------------------===//
// ValueGraph
//===----------------------------------------------------------------------===//

ValueGraph::ValueGraph(ProblemContext &context, const Placement &placement,
                       SearchStatistics &statistics,
                       const std::atomic<bool> &stop)
    : context(context), exprs(context.worker.context),
      program(context.worker.program), placement(placement),
      statistics(statistics), stop(stop) {}

/// The part of a tensor that the probed block (the last of each grid dimension)
/// reads in an iteration; the tile has the given probe shape.
static Tensor getTile(const Tensor &tensor, ArrayRef<int64_t> tile,
                      ArrayRef<int64_t> map, int64_t fmap, int64_t iterations,
                      int64_t iteration) {
  SmallVector<int64_t> offsets(tile.size(), 0);
  for (int64_t dim : map)
    if (dim != kReplica)
      offsets[dim] =
          tensor.shape[dim] - tile[dim] * (fmap == dim ? iterations : 1);
  if (fmap != kReplica)
    offsets[fmap] += iteration * tile[fmap];
  return extractSlice(tensor, offsets, tile);
}

void ValueGraph::addInputs() {
  constexpr int64_t kIterations = 2;
  for (double number : program.constants) {
    Value value;
    value.constant = number;
    value.expr = exprs.constant(number);
    value.parts.push_back(program.field->constant(number));
    value.scalar = broadcast(value.parts[0], {1, 1});
    context.setScalar(value.expr, value.scalar);
    constants.push_back(values.size());
    values.push_back(std::move(value));
  }
  for (auto [i, place] : llvm::enumerate(placement.iterators)) {
    const SearchTensor &tensor = *context.problem.inputs[place.input];
    Value value;
    value.iterator = i;
    value.expr = context.worker.exprs.get(tensor);
    value.scalar = tensor.scalar;
    value.isMaximum = value.expr && exprs.max(value.expr) == value.expr;
    if (llvm::any_of(tensor.recipe, [](const RecipeStep &step) {
          return step.op && step.op->usesExponentiation(step.params);
        }))
      value.relativeTo = Value::kAnyMaximum;
    value.label = placement.getTileLabel(place, tensor);
    value.inLoop = value.varies = place.fmap != kReplica;
    Shape tile = program.roles.getProbeShape(value.label);
    for (int64_t k = 0; k < (value.varies ? kIterations : 1); ++k)
      value.parts.push_back(getTile(tensor.value, tile, place.imap,
                                    value.varies ? place.fmap : kReplica,
                                    kIterations, k));
    known.try_emplace(getKey(value), values.size());
    append(value);
    if (value.varies || !placement.hasLoop)
      continue;
    value.inLoop = true;
    known.try_emplace(getKey(value), values.size());
    append(std::move(value));
  }
}

void ValueGraph::append(Value value) {
  context.setScalar(value.expr, value.scalar);
  byDepth[value.depth].push_back(values.size());
  byLevel[value.depth][value.inLoop].push_back(values.size());
  if (value.isMaximum && value.inLoop)
    maxima.push_back(values.size());
  values.push_back(std::move(value));
}

void ValueGraph::close(unsigned maxOps, unsigned maxFree) {
  maxFreeOps = maxFree;
  if (context.isBroken())
    return;
  byDepth.resize(maxOps + 1);
  byLevel.resize(maxOps + 1);
  addInputs();
  // Whatever is one deeper needs an operand at this depth.
  for (unsigned depth = 0; depth <= maxOps && !byDepth[depth].empty();
       ++depth) {
    for (size_t i = 0; i < byDepth[depth].size(); ++i) {
      if (stop.load(std::memory_order_relaxed))
        return;
      applyFree(byDepth[depth][i]);
    }
    if (depth < maxOps)
      applyCounting(depth);
  }
  addFusedEdges();
}

/// Operators of many operands, where there are the operators that compute the
/// same together.
void ValueGraph::addFusedEdges() {
  for (const Operator *op : program.blockOperators) {
    ArrayRef<Operator::Step> steps = op->getSteps();
    if (steps.empty())
      continue;
    SmallVector<int> bound(op->getNumOperands(), -1);
    // Binds the operands of a step to those of an edge that computes `value`,
    // one after the other, and goes on with `then`.
    using Then = llvm::function_ref<void()>;
    auto matchStep = [&](auto &self, int step, unsigned value,
                         Then then) -> void {
      for (size_t e = 0; e < values[value].edges.size(); ++e) {
        const ValueEdge edge = values[value].edges[e];
        if (!edge.op || edge.op->getName() != steps[step].op)
          continue;
        auto bind = [&](auto &next, size_t i, bool swapped) -> void {
          if (i == edge.operands.size())
            return then();
          unsigned operand =
              edge.operands[swapped ? edge.operands.size() - 1 - i : i];
          int which = steps[step].operands[i];
          auto further = [&] { next(next, i + 1, swapped); };
          if (which < 0)
            return self(self, -1 - which, operand, further);
          if (bound[which] >= 0) {
            if (bound[which] == static_cast<int>(operand))
              further();
            return;
          }
          bound[which] = operand;
          further();
          bound[which] = -1;
        };
        bind(bind, 0, false);
        if (edge.op->isCommutative() && edge.operands.size() == 2)
          bind(bind, 0, true);
      }
    };
    for (unsigned v = 0; v < values.size(); ++v)
      matchStep(matchStep, steps.size() - 1, v, [&] {
        SmallVector<Shape> labels;
        for (int operand : bound)
          labels.push_back(values[operand].label);
        Shape label;
        if (!op->inferShape(labels, {}, label) || label != values[v].label)
          return;
        ValueEdge edge;
        edge.op = op;
        edge.counts = true;
        edge.operands.assign(bound.begin(), bound.end());
        if (!llvm::is_contained(values[v].edges, edge))
          values[v].edges.push_back(std::move(edge));
      });
  }
}

/// Operators and accumulators that don't count.
void ValueGraph::applyFree(unsigned value) {
  ++statistics.states;
  for (const ProblemContext::Choice &choice :
       context.getUnary(values[value].expr))
    tryOperator(*choice.op, choice.params, {value}, false);
  for (unsigned constant : constants)
    for (const ProblemContext::Choice &choice :
         context.getBinary(values[value].expr, values[constant].expr))
      if (choice.op->isElementwise()) {
        if (choice.swapped)
          tryOperator(*choice.op, choice.params, {constant, value}, false);
        else
          tryOperator(*choice.op, choice.params, {value, constant}, false);
      }
  // Of a tile and itself: a square.
  for (const ProblemContext::Choice &choice :
       context.getBinary(values[value].expr, values[value].expr))
    if (choice.op->isElementwise() && !choice.swapped)
      tryOperator(*choice.op, choice.params, {value, value}, false);
  applyShaped(value, false);
  if (values[value].inLoop)
    applyAccumulators(value);
}

/// Whether the transposed value is none that the same operators compute from
/// transposed operands, in the end from transposed iterators, nor one that was
/// transposed to this one.
bool ValueGraph::mayTranspose(unsigned value, const Params &permutation) const {
  const Operator &transpose = getOperator("transpose");
  if (values[value].edges.empty() || !uses(SearchRule::Transposes))
    return true;
  return llvm::any_of(values[value].edges, [&](const ValueEdge &edge) {
    if (!edge.op)
      return false;
    if (edge.op == &transpose) {
      bool isIdentity = true;
      for (auto [d, dim] : llvm::enumerate(permutation))
        isIdentity &= edge.params[dim] == static_cast<int64_t>(d);
      return !isIdentity;
    }
    SmallVector<Shape> labels;
    for (unsigned operand : edge.operands)
      labels.push_back(values[operand].label);
    return !edge.op->commutesWithTranspose(permutation, labels, edge.params);
  });
}

/// Operators of one operand that depend on its shape: those that only move data
/// don't count.
void ValueGraph::applyShaped(unsigned value, bool counting) {
  const Operator &transpose = getOperator("transpose");
  for (const Operator *op : context.getShaped()) {
    Shape label = values[value].label;
    program.enumerateParams(*op, {label}, [&](const Params &params) {
      if (op == &transpose && !mayTranspose(value, params))
        return;
      Shape result;
      if (!op->inferShape({label}, params, result) || result == label)
        return;
      // The expression of a maximum doesn't say over what it is taken: over
      // what the program takes it.
      auto space = op->getIterationSpace({label}, params);
      if (space && !space->reductionsAreSums && uses(SearchRule::Maxima))
        for (auto [loop, size] : llvm::zip(space->operandLoops[0], label))
          if (loop >= static_cast<int>(result.size()) &&
              !program.roles.folded.test(program.roles.getRole(size)))
            return;
      Expr expr = op->getExpr(exprs, {label}, {values[value].expr}, params);
      if ((expr != values[value].expr || exprs.max(expr) == expr) != counting)
        return;
      tryOperator(*op, params, {value}, counting);
    });
  }
}

void ValueGraph::applyCounting(unsigned depth) {
  for (unsigned value : byDepth[depth])
    applyShaped(value, true);
  for (bool inLoop : {false, true}) {
    // Whether there is anything to try depends on the expressions alone, of
    // which there are far fewer than values.
    using Group = std::pair<Expr, std::vector<unsigned>>;
    auto addTo = [&](std::vector<Group> &groups,
                     llvm::DenseMap<Expr, unsigned> &numbers, unsigned value) {
      auto [entry, isNew] =
          numbers.try_emplace(values[value].expr, groups.size());
      if (isNew)
        groups.push_back({values[value].expr, {}});
      groups[entry->second].second.push_back(value);
    };
    std::vector<Group> before, latest;
    llvm::DenseMap<Expr, unsigned> beforeNumbers, latestNumbers;
    // A value of the loop and one from outside can't meet.
    for (unsigned d = 0; d < depth; ++d) {
      statistics.prunedByLoop +=
          byLevel[d][!inLoop].size() * byLevel[depth][inLoop].size();
      for (unsigned value : byLevel[d][inLoop])
        addTo(before, beforeNumbers, value);
    }
    for (unsigned value : byLevel[depth][inLoop])
      addTo(latest, latestNumbers, value);

    auto meet = [&](const Group &x, const Group &y) {
      llvm::ArrayRef<ProblemContext::Choice> choices =
          context.getBinary(x.first, y.first);
      if (choices.empty())
        return;
      for (size_t i = 0; i < x.second.size() && !isStopped(); ++i)
        for (size_t j = &x == &y ? i : 0; j < y.second.size(); ++j) {
          unsigned a = x.second[i], b = y.second[j];
          for (const ProblemContext::Choice &choice : choices) {
            if (a == b && (choice.swapped || choice.op->isElementwise()))
              continue;
            if (choice.swapped)
              tryOperator(*choice.op, choice.params, {b, a}, true);
            else
              tryOperator(*choice.op, choice.params, {a, b}, true);
          }
        }
    };
    for (size_t g = 0; g < latest.size(); ++g) {
      if (stop.load(std::memory_order_relaxed))
        return;
      for (const Group &group : before)
        meet(group, latest[g]);
      for (size_t h = 0; h <= g; ++h)
        meet(latest[h], latest[g]);
    }
  }
}

void ValueGraph::applyAccumulators(unsigned value) {
  if (!uses(SearchRule::Maxima))
    return applyAllAccumulators(value);
  // What is relative to a maximum that iterations differ in, exp(x - m), can
  // only be summed when it is rescaled by it.
  auto isRelative = [&](unsigned to, unsigned maximum) {
    int known = values[to].relativeTo;
    if (known >= 0 && known != static_cast<int>(maximum))
      return false;
    // One that each element that the loop goes over has for itself, as it is
    // taken over another dimension, does not change on the way.
    bool isOwn = llvm::any_of(values[maximum].label, [&](int64_t label) {
      int role = program.roles.getRole(label);
      return role != kNoRole && role == placement.loopRole;
    });
    Expr minus = exprs.mul(exprs.constant(-1), values[maximum].expr);
    return known != Value::kNoMaximum && !isOwn &&
           exprs.isSubexpression(exprs.exp(minus), values[to].expr);
  };
  bool mustRescale = false;
  for (size_t m = 0; m < maxima.size(); ++m) {
    if (maxima[m] == value || !isRelative(value, maxima[m]))
      continue;
    if (values[value].relativeTo != Value::kMixedMaxima)
      tryAccumulator(Accumulation::RescaledSum, {value, maxima[m]});
    mustRescale |= values[maxima[m]].varies;
  }
  if (values[value].varies && !mustRescale)
    tryAccumulator(Accumulation::Sum, {value});
  if (values[value].varies)
    tryAccumulator(Accumulation::Max, {value});
  // What was there before the maximum was.
  if (values[value].isMaximum)
    for (unsigned other = 0; other < value; ++other)
      if (values[other].inLoop && !values[other].isMaximum &&
          values[other].relativeTo != Value::kMixedMaxima &&
          isRelative(other, value))
        tryAccumulator(Accumulation::RescaledSum, {other, value});
}

/// Whatever a maximum has to do with it.
void ValueGraph::applyAllAccumulators(unsigned value) {
  if (values[value].varies) {
    tryAccumulator(Accumulation::Sum, {value});
    tryAccumulator(Accumulation::Max, {value});
  }
  for (size_t m = 0; m < maxima.size(); ++m)
    if (maxima[m] != value)
      tryAccumulator(Accumulation::RescaledSum, {value, maxima[m]});
  if (values[value].isMaximum)
    for (unsigned other = 0; other < value; ++other)
      if (values[other].inLoop)
        tryAccumulator(Accumulation::RescaledSum, {other, value});
}

void ValueGraph::tryOperator(const Operator &op, const Params &params,
                             ArrayRef<unsigned> operands, bool counts) {
  SmallVector<Shape, 2> labels;
  SmallVector<Expr, 2> operandExprs;
  Value result;
  bool inLoop = false;
  for (unsigned operand : operands) {
    const Value &value = values[operand];
    int maximum = value.relativeTo;
    if (value.isMaximum && context.subtracts(op))
      maximum = operand;
    if (maximum != Value::kNoMaximum)
      result.relativeTo =
          result.relativeTo == Value::kNoMaximum || result.relativeTo == maximum
              ? maximum
              : Value::kMixedMaxima;
    labels.push_back(value.label);
    operandExprs.push_back(value.expr);
    inLoop |= value.inLoop;
    result.varies |= value.varies;
    result.depth = std::max(result.depth, value.depth);
  }
  result.inLoop = inLoop;
  result.depth += counts;
  if (!counts)
    for (unsigned operand : operands)
      result.freeOps = std::max(result.freeOps, values[operand].freeOps + 1);
  if (result.freeOps > maxFreeOps)
    return;
  if (!op.inferShape(labels, params, result.label)) {
    ++statistics.prunedByShape;
    return;
  }
  if (program.keepsExponentialsSafe && uses(SearchRule::Exponentials) &&
      op.usesExponentiation(params) && !isSafeExponent(operands[0])) {
    ++statistics.prunedByOracle;
    return;
  }
  result.expr = op.getExpr(exprs, labels, operandExprs, params);
  if (!context.mayContribute(result.expr)) {
    ++statistics.prunedByOracle;
    return;
  }
  result.isMaximum =
      !result.expr.isNull() && exprs.max(result.expr) == result.expr;
  SmallVector<const Tensor *, 2> scalars;
  for (unsigned operand : operands)
    scalars.push_back(&values[operand].scalar);
  result.scalar = context.getScalar(op, scalars, params);
  if (counts && operands.size() == 1 && result.isMaximum &&
      !values[operands[0]].isMaximum)
    result.scalar = context.getMaximum(result.scalar);
  if (!context.mayBeUseful(result)) {
    ++statistics.prunedByWhole;
    return;
  }
  Params probe = params;
  if (op.hasShapeParams())
    for (int64_t &size : probe)
      size = program.roles.getProbeSize(size);
  size_t parts = 1;
  for (unsigned operand : operands)
    parts = std::max(parts, values[operand].parts.size());
  for (size_t k = 0; k < parts; ++k) {
    SmallVector<const Tensor *, 2> tensors;
    for (unsigned operand : operands)
      tensors.push_back(&values[operand].getPart(k));
    result.parts.push_back(op.evaluate(*program.field, tensors, probe));
  }
  ValueEdge edge;
  edge.op = &op;
  edge.params = params;
  edge.operands.assign(operands.begin(), operands.end());
  edge.counts = counts;
  add(std::move(result), std::move(edge));
}

/// Whether an exponential of a value is as safe as the program's: it takes one
/// of this, and if it subtracts the maximum first, so does the value.
bool ValueGraph::isSafeExponent(unsigned value) const {
  const auto &exponents = context.worker.exponents;
  if (llvm::none_of(exponents, [](auto &entry) { return entry.second; }))
    return true;
  auto known = exponents.find(values[value].expr);
  return known != exponents.end() &&
         (!known->second || isRelativeToOwnMaximum(value, maxFreeOps + 1));
}

/// Whether a value is a difference x - m where m is a maximum of x, behind
/// `most` operators of one operand at most.
bool ValueGraph::isRelativeToOwnMaximum(unsigned value, unsigned most) const {
  if (values[value].iterator >= 0)
    return true;
  return most > 0 &&
         llvm::any_of(values[value].edges, [&](const ValueEdge &edge) {
           if (edge.operands.size() == 1)
             return isRelativeToOwnMaximum(edge.operands[0], most - 1);
           return edge.operands.size() == 2 &&
                  isMaximumOf(edge.operands[1], edge.operands[0], most, false);
         });
}

/// Whether one value is a maximum over elements among which are all of
/// another's, or may be, as a kernel before has computed it. `overLoop`: the
/// maximum is taken over all iterations.
bool ValueGraph::isMaximumOf(unsigned maximum, unsigned value, unsigned most,
                             bool overLoop) const {
  if (covers(maximum, value, most, overLoop) ||
      (values[maximum].isMaximum && values[maximum].iterator >= 0))
    return true;
  return most > 0 && values[maximum].isMaximum &&
         llvm::any_of(values[maximum].edges, [&](const ValueEdge &edge) {
           return edge.operands.size() == 1 &&
                  isMaximumOf(edge.operands[0], value, most - 1,
                              overLoop || !edge.op);
         });
}

/// Whether the elements of one value, of all iterations if `overLoop`, are the
/// same as another's and more: it comes of the same operators on larger tiles.
bool ValueGraph::covers(unsigned whole, unsigned part, unsigned most,
                        bool overLoop) const {
  const Value &a = values[whole], &b = values[part];
  if (whole == part)
    return true;
  if (a.expr != b.expr || a.expr.isNull())
    return false;
  if (a.iterator >= 0 && b.iterator >= 0) {
    const IteratorPlacement &large = placement.iterators[a.iterator];
    const IteratorPlacement &small = placement.iterators[b.iterator];
    return large.input == small.input &&
           llvm::all_of(llvm::zip(large.imap, small.imap),
                        [](auto dims) {
                          auto [of, in] = dims;
                          return of == kReplica || of == in;
                        }) &&
           (!a.varies || overLoop || (b.varies && large.fmap == small.fmap));
  }
  return most > 0 && llvm::any_of(a.edges, [&](const ValueEdge &edge) {
           return llvm::any_of(b.edges, [&](const ValueEdge &other) {
             return edge.op == other.op && edge.params == other.params &&
                    edge.accumulation == other.accumulation &&
                    edge.operands.size() == other.operands.size() &&
                    llvm::all_of(llvm::zip(edge.operands, other.operands),
                                 [&](auto pair) {
                                   auto [x, y] = pair;
                                   return covers(x, y, most - 1, overLoop);
                                 });
           });
         });
}

void ValueGraph::tryAccumulator(Accumulation accumulation,
                                ArrayRef<unsigned> operands) {
  const SearchOptions &options = context.worker.options;
  if (accumulation != Accumulation::Sum &&
      !(options.mayHave("reduce_max") &&
        (accumulation == Accumulation::Max || options.mayHave("exp"))))
    return;
  const Value &tile = values[operands[0]];
  Value result;
  result.label = tile.label;
  result.depth = tile.depth;
  const NumberSystem &field = *program.field;
  size_t parts = tile.parts.size();
  switch (accumulation) {
  case Accumulation::Max:
    result.expr = exprs.max(tile.expr);
    break;
  case Accumulation::RescaledSum: {
    const Value &maximum = values[operands[1]];
    Shape shape;
    if (!broadcastShapes(tile.label, maximum.label, shape) ||
        shape != tile.label)
      return;
    parts = std::max(parts, maximum.parts.size());
    if (parts == 1)
      return;
    result.depth = std::max(result.depth, maximum.depth);
    [[fallthrough]];
  }
  default:
    result.expr = exprs.sum(placement.getLoopLabel(), tile.expr);
  }
  if (!context.mayContribute(result.expr)) {
    ++statistics.prunedByOracle;
    return;
  }
  result.isMaximum = accumulation == Accumulation::Max;
  result.scalar = tile.scalar;
  if (result.isMaximum && !tile.isMaximum)
    result.scalar = context.getMaximum(result.scalar);
  if (!context.mayBeUseful(result)) {
    ++statistics.prunedByWhole;
    return;
  }
  Tensor total, running;
  for (size_t k = 0; k < parts; ++k) {
    const Tensor &part = tile.getPart(k);
    if (accumulation == Accumulation::RescaledSum) {
      const Tensor &maximum = values[operands[1]].getPart(k);
      if (k == 0) {
        total = part;
        running = maximum;
        continue;
      }
      Tensor larger = field.max(running, maximum);
      auto rescale = [&](const Tensor &tensor, const Tensor &from) {
        return field.mul(tensor, broadcast(field.exp(field.sub(from, larger)),
                                           tensor.shape));
      };
      total = field.add(rescale(total, running), rescale(part, maximum));
      running = std::move(larger);
      continue;
    }
    total = k == 0                              ? part
            : accumulation == Accumulation::Max ? field.max(total, part)
                                                : field.add(total, part);
  }
  result.parts.push_back(std::move(total));
  ValueEdge edge;
  edge.accumulation = accumulation;
  edge.operands.assign(operands.begin(), operands.end());
  add(std::move(result), std::move(edge));
}

/// Values of equal keys are the same: of one expression and label, at one level
/// of the graph, and with equal elements at probe size.
uint64_t ValueGraph::getKey(const Value &value) const {
  uint64_t hash = llvm::hash_combine(
      value.inLoop, value.expr.getId(),
      llvm::hash_combine_range(value.label.begin(), value.label.end()));
  for (const Tensor &part : value.parts)
    hash = hash * 0x9e3779b97f4a7c15 + hashContent(part);
  return hash;
}

void ValueGraph::add(Value value, ValueEdge edge) {
  auto [entry, isNew] = known.try_emplace(getKey(value), values.size());
  if (isNew) {
    value.edges.push_back(std::move(edge));
    append(std::move(value));
    return;
  }
  Value &same = values[entry->second];
  if (same.relativeTo != value.relativeTo)
    same.relativeTo = Value::kAnyMaximum;
  if (same.depth == value.depth)
    same.freeOps = std::min(same.freeOps, value.freeOps);
  // Elementwise operators on the same operands that give equal values are one.
  auto sorted = [](ArrayRef<unsigned> operands) {
    SmallVector<unsigned, 2> copy(operands);
    llvm::sort(copy);
    copy.erase(llvm::unique(copy), copy.end());
    return copy;
  };
  bool isDuplicate =
      same.edges.empty() || llvm::is_contained(edge.operands, entry->second) ||
      llvm::any_of(same.edges, [&](const ValueEdge &other) {
        return other == edge ||
               (uses(SearchRule::Duplicates) && edge.op && other.op &&
                edge.op->isElementwise() && other.op->isElementwise() &&
                sorted(edge.operands) == sorted(other.operands));
      });
  if (isDuplicate)
    ++statistics.prunedByDuplicate;
  else
    same.edges.push_back(std::move(edge));
}

SmallVector<unsigned> ValueGraph::findOutput(const SearchTensor &output,
                                             ArrayRef<int64_t> omap) const {
  SmallVector<unsigned> found;
  Shape label = placement.getTileLabel(output, omap);
  Tensor tile = getTile(output.value, program.roles.getProbeShape(label), omap,
                        kReplica, 1, 0);
  uint64_t hash = hashContent(tile);
  for (auto [v, value] : llvm::enumerate(values))
    if (!value.inLoop && !value.isConstant() && value.label == label &&
        hashContent(value.parts[0]) == hash &&
        context.isOutput(value.expr, output))
      found.push_back(v);
  return found;
}
