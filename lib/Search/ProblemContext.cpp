//===- ProblemContext.cpp - What one thread knows of one problem ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProblemContext.h"
#include "Mirage/Operators/DataMovement.h"
#include "ValueGraph.h"
#include "llvm/Support/xxhash.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Stands for the maximum of one element; any number that programs don't have.
static constexpr double kMaximumFactor = 7919.0 / 104729.0;

/// The shapes of operands of one element.
static ArrayRef<Shape> getOnes(size_t arity) {
  static const std::array<Shape, 2> ones = {Shape{1, 1}, Shape{1, 1}};
  return ArrayRef(ones).take_front(arity);
}

SearchWorker::SearchWorker(const SearchProgram &program,
                           const SearchOptions &options)
    : program(program), options(options), exprs(context),
      indexedTensors(indexedContext, program),
      tensorTiles(program, options.target) {
  // What kernels hand to each other is a part of the outputs, too.
  SmallVector<Expr> targets;
  for (const auto &output : program.outputs)
    targets.push_back(exprs.get(*output));
  ExprContext plain;
  listOperators(targets, plain);
  // Others than the normal form are to judge every expression as it is.
  if (options.oracle == OracleKind::NormalForm) {
    context.setFocus(targets);
    oracle = std::make_unique<NormalFormOracle>(context, targets);
  }
  for (const auto &output : program.outputs)
    readRecipe(*output, plain);
}

namespace {
enum class Addition { None, Adds, Subtracts };
} // namespace

/// Whether an operator adds two operands, or subtracts the second one. In the
/// context of a program nobody could tell: there, what is no part of the
/// program is all the same.
static Addition getAddition(const Operator &op, ArrayRef<Shape> labels,
                            const Params &params, ExprContext &plain) {
  if (labels.size() != 2)
    return Addition::None;
  Expr u = plain.variable("u"), v = plain.variable("v");
  Expr result = op.getExpr(plain, labels, {u, v}, params);
  if (result == plain.add(u, v))
    return Addition::Adds;
  return result == plain.add(u, plain.mul(plain.constant(-1), v))
             ? Addition::Subtracts
             : Addition::None;
}

/// Whether no target has all functions and constants of an expression, so that
/// it is of no use.
static bool isForeign(ExprContext &context, Expr x, ArrayRef<Expr> targets,
                      const SearchOptions &options) {
  return options.trustsLaws() && llvm::none_of(targets, [&](Expr target) {
           return context.hasOnlyFunctionsOf(x, target);
         });
}

/// To be called before the context has a focus.
void SearchWorker::listOperators(ArrayRef<Expr> targets, ExprContext &plain) {
  const std::array<Expr, 2> unknowns = {context.variable("u"),
                                        context.variable("v")};
  auto add = [&](const Operator &op, const Params &params, unsigned arity) {
    if (arity != 1 && arity != 2)
      return;
    OperatorWithParams one{&op, params, {}};
    one.ofUnknowns = apply(one, ArrayRef(unknowns).take_front(arity));
    if (op.isElementwise() &&
        getAddition(op, getOnes(arity), params, plain) == Addition::Subtracts)
      subtractions.push_back(&op);
    if (!isForeign(context, one.ofUnknowns, targets, options))
      operators[arity - 1].push_back(std::move(one));
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
void SearchWorker::readRecipe(const SearchTensor &output, ExprContext &plain) {
  // All there are of eight addends.
  constexpr size_t kMost = 256;
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
    const Addition addition =
        getAddition(*step.op, step.labels, step.params, plain);
    if (addition != Addition::None) {
      const auto &left = partial[step.operands[0]];
      const auto &right = partial[step.operands[1]];
      for (Expr x : left)
        take(x);
      // What is subtracted is not negated first.
      for (Expr y : right)
        take(y);
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
  return op.op->getExpr(context, getOnes(operands.size()), operands, op.params);
}

ArrayRef<SearchWorker::Result> SearchWorker::applyAll(unsigned arity, Expr x,
                                                      Expr y) {
  // Some 8 MB of each.
  constexpr size_t kMostOperands = 300'000, kMostResults = 500'000;
  auto &known = ranges[arity - 1];
  const std::pair key(x, y);
  if (auto range = known.find(key); range != known.end())
    return ArrayRef(results).slice(range->second.first, range->second.second);
  if (ranges[0].size() + ranges[1].size() >= kMostOperands ||
      results.size() >= kMostResults) {
    results.clear();
    for (auto &ofArity : ranges)
      ofArity.clear();
  }
  const size_t begin = results.size();
  auto add = [&](unsigned op, bool swapped, ArrayRef<Expr> operands) {
    Expr expr = apply(operators[arity - 1][op], operands);
    if (!oracle || oracle->mayContribute(expr))
      results.push_back({op, swapped, expr});
  };
  for (auto [i, one] : llvm::enumerate(operators[arity - 1])) {
    add(i, false, ArrayRef({x, y}).take_front(arity));
    if (arity == 2 &&
        !(one.op->isCommutative() && options.uses(SearchRule::OperandOrder)))
      add(i, true, {y, x});
  }
  known[key] = Range(begin, results.size() - begin);
  return ArrayRef(results).drop_front(begin);
}

/// Whether an operator of one operand that looks at its shape does something to
/// tiles of a label that may be of use, whatever their values are.
bool SearchWorker::mayBeOfUse(const Operator &op, const Params &params,
                              ArrayRef<int64_t> label,
                              ArrayRef<int64_t> result) const {
  const bool transposes = &op == &getOperator("transpose");
  // What keeps the shape does nothing, unless it transposes a square.
  if (result == label &&
      !(transposes && program.transposesSquares && !isInOrder(params, label)))
    return false;
  if (transposes && options.uses(SearchRule::Orders) &&
      !program.roles.isKnownOrder(result))
    return false;
  // The expression of a maximum doesn't say over what it is taken: over what
  // the program takes it.
  if (!options.uses(SearchRule::Maxima))
    return true;
  auto space = op.getIterationSpace({Shape(label)}, params);
  if (!space || space->reductionsAreSums)
    return true;
  return llvm::all_of(llvm::zip(space->operandLoops[0], label), [&](auto pair) {
    auto [loop, size] = pair;
    int role = program.roles.getRole(size);
    return loop < static_cast<int>(result.size()) || role == kNoRole ||
           program.roles.folded.test(role);
  });
}

SearchWorker::ShapedResults SearchWorker::applyShaped(ArrayRef<int64_t> label) {
  constexpr size_t kMost = 20'000;
  if (shapedResults.size() >= kMost)
    shapedResults.clear();
  ShapedResults &entry = shapedResults[Shape(label)];
  if (entry)
    return entry;
  auto found = std::make_shared<std::vector<ShapedResult>>();
  for (const Operator *op : shaped)
    program.enumerateParams(*op, {Shape(label)}, [&](const Params &params) {
      Shape result;
      if (op->inferShape({Shape(label)}, params, result) &&
          mayBeOfUse(*op, params, label, result))
        found->push_back({op, params, result});
    });
  return entry = std::move(found);
}

/// What an oracle was asked since the last call.
static OracleStatistics takeFrom(const SubexpressionOracle &oracle,
                                 OracleStatistics &taken) {
  OracleStatistics now = oracle.getStatistics(), difference = now;
  difference -= taken;
  taken = now;
  return difference;
}

OracleStatistics SearchWorker::takeStatistics() {
  return oracle ? takeFrom(*oracle, taken) : OracleStatistics();
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
  for (auto [ofArity, operators] : llvm::zip(foreign, worker.operators))
    for (const SearchWorker::OperatorWithParams &op : operators)
      ofArity.push_back(
          isForeign(worker.context, op.ofUnknowns, targets, options));
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
  OracleStatistics all = takeFrom(*oracle, taken);
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

bool ProblemContext::subtracts(const Operator &op) const {
  return llvm::is_contained(worker.subtractions, &op);
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
