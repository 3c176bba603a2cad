//===- IndexedTensors.cpp - Indexed expressions of tensors ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexedTensors.h"
#include "Mirage/Operators/ElementAlgebra.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

static_assert(RoleSet().size() <= ExprIndex::kParts);

/// The index of each dimension; nothing for those without a role.
static SmallVector<std::optional<ExprIndex>>
getIndices(const Roles &roles, ArrayRef<int64_t> label) {
  SmallVector<std::optional<ExprIndex>> indices;
  for (int64_t size : label) {
    const int role = roles.getRole(size);
    auto &index = indices.emplace_back();
    if (role == kNoRole)
      continue;
    index = ExprIndex{static_cast<uint16_t>(role), 0};
    index->instance = llvm::count_if(ArrayRef(indices).drop_back(),
                                     [&](const std::optional<ExprIndex> &i) {
                                       return i && i->role == index->role;
                                     });
  }
  return indices;
}

namespace {

/// Formulas of elements as indexed expressions.
class IndexedAlgebra final : public ElementAlgebra {
public:
  IndexedAlgebra(IndexedExprContext &context, const Roles &roles,
                 ArrayRef<Shape> labels, ArrayRef<IndexedExpr> operands,
                 llvm::function_ref<bool(int64_t)> isPart)
      : context(context), roles(roles), labels(labels), operands(operands),
        isPart(isPart) {}

  Index getIndex(std::optional<ExprIndex> index) {
    return index ? make({index, 0}) : indexConstant(0);
  }

  Index indexConstant(int64_t value) override { return make({{}, value}); }
  Index indexAdd(Index a, Index b) override {
    if (isZero(a))
      return b;
    return isZero(b) ? a : make({{}, {}});
  }
  Index indexMul(Index a, int64_t factor) override {
    return factor == 1 || isZero(a) ? a : make({{}, {}});
  }
  Index indexDiv(Index a, int64_t divisor) override {
    return divisor == 1 || isZero(a) ? a : make({{}, {}});
  }
  Index indexMod(Index a, int64_t) override {
    return isZero(a) ? a : make({{}, {}});
  }

  Term read(unsigned operand, ArrayRef<Index> position) override {
    IndexMap map;
    for (auto [index, at] :
         llvm::zip_equal(getIndices(roles, labels[operand]), position)) {
      if (index && !indices[at].index)
        return 0;
      if (index)
        map.push_back({*index, *indices[at].index});
    }
    return context.rename(operands[operand], map);
  }

  Term constant(double value) override { return context.constant(value); }
  Term add(Term a, Term b) override { return context.add(a, b); }
  Term sub(Term a, Term b) override {
    // As abstract expressions have it.
    const Term negated = context.mul(context.constant(-1), b);
    return a == context.constant(0) ? negated : context.add(a, negated);
  }
  Term mul(Term a, Term b) override { return context.mul(a, b); }
  Term div(Term a, Term b) override { return context.div(a, b); }
  Term max(Term a, Term b) override {
    if (context.getHash(b) < context.getHash(a))
      std::swap(a, b);
    return context.apply("max", {a, b});
  }
  Term exp(Term a) override { return context.exp(a); }
  Term sqrt(Term a) override { return context.sqrt(a); }
  Term log(Term a) override { return context.apply("log", {a}); }
  Term erf(Term a) override { return context.apply("erf", {a}); }
  Term where(Term condition, Term value) override {
    return context.apply("where", {condition, value});
  }
  Term function(llvm::StringRef name, ArrayRef<Term> arguments,
                llvm::function_ref<Term()>) override {
    return context.apply(name, arguments);
  }

  Term sum(int64_t count, llvm::function_ref<Term(Index)> term) override {
    std::optional<ExprIndex> over = getReduced(count);
    Term body = term(getIndex(over));
    if (!over)
      return body;
    if (!isPart(count))
      return context.sum(body, *over);
    ExprIndex part = *over;
    part.role += ExprIndex::kParts;
    return context.sum(context.rename(body, {{*over, part}}), part);
  }
  Term max(int64_t count, llvm::function_ref<Term(Index)> term) override {
    std::optional<ExprIndex> over = getReduced(count);
    Term body = term(getIndex(over));
    return over ? context.max(body, *over) : body;
  }
  Term select(Index, int64_t, llvm::function_ref<Term()>,
              llvm::function_ref<Term()>) override {
    return 0;
  }

private:
  /// One of a dimension, or a constant, or something else.
  struct IndexValue {
    std::optional<ExprIndex> index;
    std::optional<int64_t> constant;
  };
  Index make(IndexValue value) {
    indices.push_back(value);
    return indices.size() - 1;
  }
  bool isZero(Index i) const {
    return !indices[i].index && indices[i].constant == 0;
  }
  /// A new index over a dimension with this label.
  std::optional<ExprIndex> getReduced(int64_t label) {
    const int role = roles.getRole(label);
    if (role == kNoRole)
      return std::nullopt;
    // No tensor has so many dimensions.
    constexpr uint16_t kFirst = 1 << 9;
    return ExprIndex{static_cast<uint16_t>(role),
                     static_cast<uint16_t>(kFirst + numReduced++)};
  }

  IndexedExprContext &context;
  const Roles &roles;
  ArrayRef<Shape> labels;
  ArrayRef<IndexedExpr> operands;
  llvm::function_ref<bool(int64_t)> isPart;
  SmallVector<IndexValue> indices;
  unsigned numReduced = 0;
};

} // namespace

IndexedTensors::IndexedTensors(IndexedExprContext &context,
                               const SearchProgram &program)
    : context(context), roles(program.roles), field(*program.field) {
  constexpr int64_t kMostElements = 1 << 13;
  auto isSmall = [&](const SearchTensor &tensor) {
    int64_t elements = 1;
    for (int64_t size : tensor.label)
      if (const int role = roles.getRole(size); role != kNoRole)
        elements *= roles.probe[role];
    return elements <= kMostElements;
  };
  for (const auto &input : program.inputs)
    keepsWholes &= isSmall(*input);
  for (const auto &[op, result] : program.results)
    keepsWholes &= isSmall(*result);
}

/// The dimensions that are larger than 1.
static Shape getWide(ArrayRef<int64_t> label) {
  Shape wide(label);
  llvm::erase(wide, 1);
  return wide;
}

IndexedExpr IndexedTensors::get(const Operator &op, const Params &params,
                                ArrayRef<Shape> labels,
                                ArrayRef<IndexedExpr> operands,
                                llvm::function_ref<bool(int64_t)> isPart) {
  Shape result;
  if (llvm::is_contained(operands, 0u) ||
      !op.inferShape(labels, params, result))
    return 0;
  // Dimensions of size 1 have no index.
  if (op.hasShapeParams() && getWide(labels[0]) == getWide(result))
    return operands[0];
  IndexedAlgebra algebra(context, roles, labels, operands, isPart);
  SmallVector<ElementAlgebra::Index> position;
  for (std::optional<ExprIndex> index : getIndices(roles, result))
    position.push_back(algebra.getIndex(index));
  return op.getElement(algebra, labels, position, params);
}

void IndexedTensors::noteWhole(IndexedExpr x, const Operator &op,
                               const Params &params, ArrayRef<Shape> labels,
                               ArrayRef<IndexedExpr> operands) {
  Shape result;
  if (x == 0 || !keepsWholes || !op.inferShape(labels, params, result))
    return;
  // Whatever it is computed from, this is what it is.
  const Key key = getKey(x, result);
  if (wholes.contains(key))
    return;
  Params probe = params;
  if (op.hasShapeParams())
    for (int64_t &size : probe)
      if (const int role = roles.getRole(size); role != kNoRole)
        size = roles.probe[role];
  SmallVector<const Tensor *, 2> tensors;
  for (auto [operand, label] : llvm::zip_equal(operands, labels))
    tensors.push_back(getWhole(operand, label));
  if (!llvm::is_contained(tensors, nullptr))
    noteWhole(key, op.evaluate(field, tensors, probe));
}

std::optional<IndexedExpr>
IndexedTensors::getAccumulated(IndexedExpr x, ArrayRef<int64_t> label,
                               int role) {
  std::optional<IndexedExpr> sum = context.complete(x, role, /*all=*/true);
  // All of it is one part of itself. Known here, so that it doesn't depend on
  // whether it came up without a loop before.
  if (const Tensor *whole = getWhole(x, label); whole && sum && *sum)
    noteWhole(getKey(*sum, label), Tensor(*whole));
  return sum;
}

IndexedTensors::Key IndexedTensors::getKey(IndexedExpr x,
                                           ArrayRef<int64_t> label) const {
  SmallVector<int64_t> dims;
  for (int64_t size : label)
    dims.push_back(roles.getRole(size));
  return {x, hashNumbers(dims)};
}

void IndexedTensors::noteWhole(Key key, const Tensor &value) {
  if (keepsWholes)
    wholes.try_emplace(key, value);
}

const Tensor *IndexedTensors::getWhole(IndexedExpr x,
                                       ArrayRef<int64_t> label) const {
  auto whole = wholes.find(getKey(x, label));
  return whole == wholes.end() ? nullptr : &whole->second;
}

IndexedExpr IndexedTensors::getConstant(double value) {
  const IndexedExpr x = context.constant(value);
  const Tensor tensor = field.constant(value);
  noteWhole(getKey(x, tensor.shape), tensor);
  return x;
}

IndexedExpr IndexedTensors::getInput(const SearchTensor &tensor) {
  SmallVector<ExprIndex> dims;
  for (std::optional<ExprIndex> index : getIndices(roles, tensor.label))
    if (index)
      dims.push_back(*index);
  const IndexedExpr x =
      context.variable("in" + std::to_string(tensor.input), dims);
  noteWhole(getKey(x, tensor.label), tensor.value);
  return x;
}

IndexedExpr IndexedTensors::evaluate(const RecipeStep &step,
                                     ArrayRef<IndexedExpr> operands) {
  switch (step.kind) {
  case RecipeStep::Kind::Leaf:
    return get(*step.leaf);
  case RecipeStep::Kind::Constant:
    return getConstant(step.constant);
  case RecipeStep::Kind::Operator: {
    const IndexedExpr x = get(*step.op, step.params, step.labels, operands,
                              /*isPart=*/[](int64_t) { return false; });
    noteWhole(x, *step.op, step.params, step.labels, operands);
    return x;
  }
  case RecipeStep::Kind::Accumulate:
    return operands[0];
  }
  llvm_unreachable("unknown kind of step");
}

IndexedExpr IndexedTensors::get(const SearchTensor &tensor) {
  if (auto found = known.find(tensor.id); found != known.end())
    return found->second;
  const IndexedExpr result =
      tensor.isInput()
          ? getInput(tensor)
          : evaluateRecipe<IndexedExpr>(
                tensor.recipe,
                [&](const RecipeStep &step, ArrayRef<IndexedExpr> operands) {
                  return evaluate(step, operands);
                });
  return known[tensor.id] = result;
}
