//===- ProblemContext.cpp - What one thread knows of one problem ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProblemContext.h"
#include "ValueGraph.h"
#include "llvm/Support/xxhash.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Stands for the maximum of one element; any number that programs don't have.
static constexpr double kMaximumFactor = 7919.0 / 104729.0;

SearchWorker::SearchWorker(const SearchProgram &program,
                           const SearchOptions &options)
    : program(program), options(options), exprs(context),
      indexedTensors(indexedContext, program),
      tensorTiles(program, options.target) {
  // What kernels hand to each other is a part of the outputs, too.
  SmallVector<Expr> targets;
  for (const auto &output : program.outputs)
    targets.push_back(exprs.get(*output));
  // Others than the normal form are to judge every expression as it is.
  if (options.oracle == OracleKind::NormalForm)
    context.setFocus(targets);
  for (const auto &output : program.outputs)
    readRecipe(*output);
  listOperators();
}

void SearchWorker::listOperators() {
  const std::array<Expr, 2> unknowns = {context.variable("u"),
                                        context.variable("v")};
  const Expr difference =
      context.add(unknowns[0], context.mul(context.constant(-1), unknowns[1]));
  auto add = [&](const Operator &op, const Params &params, unsigned arity) {
    if (arity != 1 && arity != 2)
      return;
    OperatorWithParams &one = operators.emplace_back();
    one = {&op, params, arity, Expr()};
    one.ofUnknowns = apply(one, ArrayRef(unknowns).take_front(arity));
    if (one.ofUnknowns == difference && op.isElementwise())
      subtractions.push_back(&op);
  };
  for (const Operator *op : program.blockOperators) {
    const unsigned arity = op->getNumOperands();
    if (op->isOpaque())
      for (auto &[params, arityOfFunction] : program.functions)
        add(*op, params, arityOfFunction);
    else if (arity == 1 && !op->isElementwise())
      shaped.push_back(op);
    else
      program.enumerateParams(
          *op, SmallVector<Shape>(arity),
          [&](const Params &params) { add(*op, params, arity); });
  }
}

/// A recipe with the steps of operators in the place of those that have some.
static std::vector<RecipeStep> getSmallSteps(ArrayRef<RecipeStep> recipe) {
  std::vector<RecipeStep> small;
  SmallVector<unsigned> last;
  for (const RecipeStep &step : recipe) {
    RecipeStep whole = step;
    for (unsigned &operand : whole.operands)
      operand = last[operand];
    if (step.kind != RecipeStep::Kind::Operator || step.op->getSteps().empty())
      small.push_back(std::move(whole));
    else {
      SmallVector<Shape> labels;
      const unsigned first = small.size();
      for (const Operator::Step &part : step.op->getSteps()) {
        RecipeStep next;
        next.kind = RecipeStep::Kind::Operator;
        next.op = &getOperator(part.op);
        for (int i : part.operands) {
          next.operands.push_back(i < 0 ? first + (-1 - i) : whole.operands[i]);
          next.labels.push_back(i < 0 ? labels[-1 - i] : whole.labels[i]);
        }
        next.op->inferShape(next.labels, {}, labels.emplace_back());
        small.push_back(std::move(next));
      }
    }
    last.push_back(small.size() - 1);
  }
  return small;
}

/// Adds, for each step of a recipe, what some of its addends add up to: those
/// of the operands of an operator that adds, and those that a linear operator
/// distributes over. Notes the applications of opaque operators to several
/// values, and the exponents.
void SearchWorker::readRecipe(const SearchTensor &output) {
  // All there are of eight addends.
  constexpr size_t kMost = 256;
  Expr u = context.variable("u"), v = context.variable("v");
  std::vector<std::vector<Expr>> partial;
  const std::vector<RecipeStep> recipe = getSmallSteps(output.recipe);
  for (const RecipeStep &step : recipe) {
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
      if (llvm::is_contained(here, x))
        return;
      hasAllSums &= here.size() < kMost;
      if (hasAllSums)
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
      // Of the one operand that has several, if the operator is linear in it.
      SmallVector<unsigned> several;
      for (auto [i, operand] : llvm::enumerate(step.operands))
        if (partial[operand].size() > 1)
          several.push_back(i);
      if (several.size() == 1 && step.op->isLinearIn(several[0]))
        for (Expr x : partial[step.operands[several[0]]]) {
          operands[several[0]] = x;
          take(apply(operands));
        }
    }
    if (step.op->isOpaque() && operands.size() > 2 &&
        llvm::none_of(applications, [&](const Application &known) {
          return known.params == step.params && known.operands == operands;
        }))
      applications.push_back({step.op, step.params, operands, apply(operands)});
    if (step.op->usesExponentiation(step.params)) {
      const RecipeStep &from = recipe[step.operands[0]];
      Expr subtracted =
          from.operands.size() == 2 ? partial[from.operands[1]].back() : Expr();
      exponents[operands[0]] =
          subtracted && context.max(subtracted) == subtracted;
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

Expr SearchWorker::apply(const OperatorWithParams &op,
                         ArrayRef<Expr> operands) {
  static const std::array<Shape, 2> kOnes = {Shape{1, 1}, Shape{1, 1}};
  // Some 8 MB.
  constexpr size_t kMost = 150'000;
  const std::tuple key(&op, operands.front(), operands.back());
  if (auto known = applied.find(key); known != applied.end())
    return known->second;
  if (applied.size() >= kMost)
    applied.clear();
  return applied[key] =
             op.op->getExpr(context, ArrayRef(kOnes).take_front(op.arity),
                            operands, op.params);
}

ProblemContext::ProblemContext(SearchWorker &worker,
                               const KernelProblem &problem)
    : worker(worker), problem(problem) {
  if (problem.getUsefulTensors)
    usefulTensors = problem.getUsefulTensors();
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
  if (options.trustsLaws() && options.uses(SearchRule::FactoredSums) &&
      worker.hasAllSums)
    sums = std::make_unique<FactoredSums>(worker.context, targets, worker.sums);
  // Whoever asks Z3 alone wants normal forms to decide nothing.
  if (options.trustsLaws() && options.oracle != OracleKind::Z3 &&
      options.uses(SearchRule::Indices)) {
    SmallVector<IndexedExpr> indexed;
    for (const SearchTensor *output : problem.outputs)
      indexed.push_back(worker.indexedTensors.get(*output));
    indices = std::make_unique<IndexedOracle>(worker.indexedContext, indexed);
  }
  // What no target has a function or constant of is of no use.
  auto isForeign = [&](Expr expr) {
    return options.trustsLaws() && llvm::none_of(targets, [&](Expr target) {
             return worker.context.hasOnlyFunctionsOf(expr, target);
           });
  };
  for (const SearchWorker::OperatorWithParams &op : worker.operators)
    if (!isForeign(op.ofUnknowns))
      (op.arity == 1 ? unary : binary).push_back(&op);
  for (const SearchWorker::Application &application : worker.applications)
    if (options.mayHave(application.op->getName()) &&
        mayContribute(application.result))
      applications.push_back(&application);
}

std::optional<IndexedExpr> ProblemContext::getIndexed(
    const Operator &op, const Params &params, ArrayRef<Shape> labels,
    ArrayRef<IndexedExpr> operands, llvm::function_ref<bool(int64_t)> isPart) {
  if (!indices)
    return 0;
  const IndexedExpr x =
      worker.indexedTensors.get(op, params, labels, operands, isPart);
  if (!indices->mayContribute(x))
    return std::nullopt;
  worker.indexedTensors.noteWhole(x, op, params, labels, operands);
  return x;
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

unsigned ProblemContext::getKind(Expr x, const Tensor &scalar) {
  // Scalars are of use only where useful ones are known.
  bool counts = usefulTensors && !scalar.planes.empty();
  auto [entry, isNew] = kindNumbers.try_emplace(
      {x, counts ? hashContent(scalar) : 0}, kinds.size());
  if (isNew)
    kinds.push_back({x, counts ? scalar : Tensor()});
  return entry->second;
}

bool ProblemContext::subtracts(const Operator &op) const {
  return llvm::is_contained(worker.subtractions, &op);
}

/// Whether an operator on such operands can be of use: its expression on
/// operands of one element is a part of that on any others.
bool ProblemContext::isViable(const SearchWorker::OperatorWithParams &op,
                              ArrayRef<unsigned> operands) {
  SmallVector<Expr, 2> exprs;
  SmallVector<const Tensor *, 2> scalars;
  for (unsigned kind : operands) {
    exprs.push_back(kinds[kind].expr);
    scalars.push_back(&kinds[kind].scalar);
  }
  return mayContribute(worker.apply(op, exprs)) &&
         mayBeUseful(getScalar(*op.op, scalars, op.params));
}

bool ProblemContext::mayBeUseful(const Tensor &scalar) const {
  return !usefulTensors || scalar.planes.empty() ||
         usefulTensors->contains(hashContent(scalar));
}

bool ProblemContext::mayBeUseful(const Value &value) const {
  return !usefulTensors || value.scalar.planes.empty() ||
         usefulTensors->contains(hashWhole(value, worker.program.roles));
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

ArrayRef<ProblemContext::Choice> ProblemContext::getUnary(unsigned x) {
  auto [entry, isNew] = unaryChoices.try_emplace(x);
  if (isNew)
    for (const SearchWorker::OperatorWithParams *one : unary)
      if (isViable(*one, {x}))
        entry->second.push_back({one->op, one->params, false});
  return entry->second;
}

ArrayRef<ProblemContext::Choice> ProblemContext::getBinary(unsigned x,
                                                           unsigned y) {
  auto [entry, isNew] = binaryChoices.try_emplace({x, y});
  std::unique_ptr<std::vector<Choice>> &choices = entry->second;
  auto add = [&](Choice choice) {
    if (!choices)
      choices = std::make_unique<std::vector<Choice>>();
    choices->push_back(std::move(choice));
  };
  if (isNew)
    for (const SearchWorker::OperatorWithParams *one : binary) {
      if (isViable(*one, {x, y}))
        add({one->op, one->params, false});
      bool isOrdered = one->op->isCommutative() &&
                       worker.options.uses(SearchRule::OperandOrder);
      if (!isOrdered && isViable(*one, {y, x}))
        add({one->op, one->params, true});
    }
  return choices ? ArrayRef<Choice>(*choices) : ArrayRef<Choice>();
}
