//===- SearchWorker.cpp - What a thread knows of a program ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchWorker.h"
#include "Mirage/Operators/DataMovement.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

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
  listOperators(targets);
  // Others than the normal form are to judge every expression as it is.
  if (options.oracle == OracleKind::NormalForm) {
    context.setFocus(targets);
    oracle = std::make_unique<NormalFormOracle>(context, targets);
  }
  for (const auto &output : program.outputs)
    readRecipe(*output);
}

bool SearchWorker::isForeign(Expr x, ArrayRef<Expr> targets) {
  return options.trustsLaws() && llvm::none_of(targets, [&](Expr target) {
           return context.hasOnlyFunctionsOf(x, target);
         });
}

/// To be called before the context has a focus.
void SearchWorker::listOperators(ArrayRef<Expr> targets) {
  const std::array<Expr, 2> unknowns = {context.variable("u"),
                                        context.variable("v")};
  auto add = [&](const Operator &op, const Params &params, unsigned arity) {
    if (arity != 1 && arity != 2)
      return;
    OperatorWithParams one{&op, params, {}};
    one.ofUnknowns = apply(one, ArrayRef(unknowns).take_front(arity));
    if (!isForeign(one.ofUnknowns, targets))
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

/// Whether a step adds its operands, or subtracts the second one.
static bool addsUp(const RecipeStep &step) {
  if (step.operands.size() != 2)
    return false;
  if (step.op->isDifference())
    return true;
  // In the context of a program what is no part of it is all the same.
  ExprContext plain;
  Expr u = plain.variable("u"), v = plain.variable("v");
  return step.op->getExpr(plain, step.labels, {u, v}, step.params) ==
         plain.add(u, v);
}

/// Adds, for each step of a recipe, what some of its addends add up to: those
/// of the operands of an operator that adds, and those that a linear operator
/// distributes over. Notes the applications of opaque operators to several
/// values, and the exponents.
void SearchWorker::readRecipe(const SearchTensor &output) {
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
    if (addsUp(step)) {
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
      // Of one operand at a time, in which the operator is linear. Of two that
      // have several, only elements: a product of rotated rows takes ten times
      // as long otherwise.
      SmallVector<unsigned> several;
      size_t numSums = 0;
      for (auto [i, operand] : llvm::enumerate(step.operands))
        if (partial[operand].size() > 1) {
          several.push_back(i);
          numSums += partial[operand].size();
        }
      if (several.size() > 1 && (!step.op->isElementwise() || numSums > kMost))
        several.clear();
      for (unsigned i : several) {
        if (!step.op->isLinearIn(i))
          continue;
        const Expr all = operands[i];
        for (Expr x : partial[step.operands[i]]) {
          operands[i] = x;
          take(apply(operands));
        }
        operands[i] = all;
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

/// Whether several dimensions are not of size 1.
static bool isMatrix(ArrayRef<int64_t> label) {
  return llvm::count_if(label, [](int64_t size) { return size != 1; }) > 1;
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
  if (options.uses(SearchRule::Orders)) {
    // Products are taken apart to sums of what has a last dimension of size 1.
    const bool reshapes = op.hasShapeParams() && result.size() > 2 &&
                          isMatrix(result) &&
                          !(result.back() == 1 && result.drop_back() == label);
    if ((transposes || reshapes) && !program.roles.isKnownOrder(result))
      return false;
  }
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
