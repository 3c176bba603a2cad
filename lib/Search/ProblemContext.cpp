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
  for (auto [ofArity, operators] : llvm::zip(foreign, worker.operators))
    for (const SearchWorker::OperatorWithParams &op : operators)
      ofArity.push_back(worker.isForeign(op.ofUnknowns, targets));
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
  OracleStatistics all = oracle->takeStatistics();
  all += worker.takeStatistics();
  return all;
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

/// What the expression on operands of one element is a part of, that on any
/// others is.
std::vector<ProblemContext::Choice>
ProblemContext::choose(ArrayRef<SearchWorker::Result> results,
                       ArrayRef<unsigned> operands) {
  const unsigned arity = operands.size();
  std::vector<Choice> choices;
  for (const auto &[number, swapped, expr] : results) {
    if (foreign[arity - 1].test(number) || !mayContribute(expr))
      continue;
    const SearchWorker::OperatorWithParams &one =
        worker.operators[arity - 1][number];
    SmallVector<const Tensor *, 2> scalars;
    for (unsigned kind : operands)
      scalars.push_back(&kinds[kind].scalar);
    if (swapped)
      std::reverse(scalars.begin(), scalars.end());
    if (mayBeUseful(getScalar(*one.op, scalars, one.params)))
      choices.push_back({one.op, one.params, swapped});
  }
  return choices;
}

ArrayRef<ProblemContext::Choice> ProblemContext::getUnary(unsigned x) {
  auto [entry, isNew] = unaryChoices.try_emplace(x);
  if (isNew)
    entry->second = choose(worker.applyAll(kinds[x].expr), {x});
  return entry->second;
}

ArrayRef<ProblemContext::Choice> ProblemContext::getBinary(unsigned x,
                                                           unsigned y) {
  auto [entry, isNew] = binaryChoices.try_emplace({x, y});
  std::unique_ptr<std::vector<Choice>> &choices = entry->second;
  if (isNew) {
    std::vector<Choice> found =
        choose(worker.applyAll(kinds[x].expr, kinds[y].expr), {x, y});
    if (!found.empty())
      choices = std::make_unique<std::vector<Choice>>(std::move(found));
  }
  return choices ? ArrayRef<Choice>(*choices) : ArrayRef<Choice>();
}
