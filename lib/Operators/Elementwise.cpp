//===- Elementwise.cpp - What follows from a formula ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Operators/Elementwise.h"
#include "Mirage/Operators/Division.h"
#include "Mirage/Operators/ShapeText.h"
#include "Mirage/Operators/TensorAlgebra.h"

using namespace mirage;
using namespace mlir;

TensorAlgebra::Term TensorAlgebra::constant(double value) {
  return make(broadcast(numbers.constant(value), shape));
}

TensorAlgebra::Term TensorAlgebra::function(StringRef name,
                                            ArrayRef<Term> operands,
                                            function_ref<Term()> definition) {
  SmallVector<Tensor> tensors;
  for (Term term : operands)
    tensors.push_back(get(term));
  if (std::optional<Tensor> result = numbers.function(name, tensors))
    return make(std::move(*result));
  return definition();
}

namespace {

/// Builds the abstract expression of a formula. There is no subtraction among
/// abstract expressions: x - y is x + (-1) y, and -1 is an atom. What is
/// negated, 0 - x, is (-1) x: with the 0, which nothing drops, no sum would
/// distribute over it.
class ExprAlgebra final : public ListAlgebra<Expr> {
public:
  explicit ExprAlgebra(ExprContext &context) : context(context) {}

  Term constant(double value) override { return make(context.constant(value)); }
  Term add(Term a, Term b) override {
    return make(context.add(get(a), get(b)));
  }
  Term sub(Term a, Term b) override {
    Expr negated = context.mul(context.constant(-1), get(b));
    if (get(a) == context.constant(0))
      return make(negated);
    return make(context.add(get(a), negated));
  }
  Term mul(Term a, Term b) override {
    return make(context.mul(get(a), get(b)));
  }
  Term div(Term a, Term b) override {
    return make(context.div(get(a), get(b)));
  }
  Term max(Term a, Term b) override {
    // A function has its operands in their order; this one has none.
    Expr x = get(a), y = get(b);
    if (y.getId() < x.getId())
      std::swap(x, y);
    return make(context.apply("max", {x, y}));
  }
  Term exp(Term a) override { return make(context.exp(get(a))); }
  Term sqrt(Term a) override { return make(context.sqrt(get(a))); }
  Term log(Term a) override { return make(context.apply("log", {get(a)})); }
  Term erf(Term a) override { return make(context.apply("erf", {get(a)})); }
  Term where(Term condition, Term value) override {
    return make(context.apply("where", {get(condition), get(value)}));
  }
  Term function(StringRef name, ArrayRef<Term> operands,
                function_ref<Term()>) override {
    SmallVector<Expr> arguments;
    for (Term term : operands)
      arguments.push_back(get(term));
    return make(context.apply(name, arguments));
  }

private:
  ExprContext &context;
};

/// Counts the operations of a formula. A function outside of LAX is counted by
/// its definition, but its exponentials have no laws.
class CostAlgebra final : public ScalarAlgebra {
public:
  OperatorCost cost;
  bool exponentiates = false;

  Term constant(double) override { return 0; }
  Term add(Term, Term) override { return flop(); }
  Term sub(Term, Term) override { return flop(); }
  Term mul(Term, Term) override { return flop(); }
  Term div(Term, Term) override { return special(); }
  Term max(Term, Term) override { return flop(); }
  Term exp(Term) override {
    exponentiates = true;
    return special();
  }
  Term sqrt(Term) override { return special(); }
  Term log(Term) override { return special(); }
  Term erf(Term) override { return special(); }
  Term where(Term, Term) override { return flop(); }
  Term function(StringRef, ArrayRef<Term>,
                function_ref<Term()> definition) override {
    bool before = exponentiates;
    Term result = definition();
    exponentiates = before;
    return result;
  }

private:
  Term flop() {
    ++cost.scalarFlops;
    return 0;
  }
  Term special() {
    ++cost.specialFunctions;
    return 0;
  }
};

} // namespace

bool ElementwiseOperator::inferShape(ArrayRef<Shape> operands, const Params &,
                                     Shape &result, std::string *error) const {
  result = operands.front();
  for (const Shape &shape : operands.drop_front()) {
    Shape broadcasted;
    if (!broadcastShapes(result, shape, broadcasted)) {
      if (error)
        *error = "operands of shapes " + getShapeText(result) + " and " +
                 getShapeText(shape) +
                 " don't broadcast: dimensions, aligned at "
                 "the last, must be equal or 1";
      return false;
    }
    result = broadcasted;
  }
  return true;
}

std::optional<IterationSpace>
ElementwiseOperator::getIterationSpace(ArrayRef<Shape> operands,
                                       const Params &params) const {
  Shape result;
  if (!inferShape(operands, params, result))
    return std::nullopt;
  IterationSpace space;
  space.sizes.assign(result.begin(), result.end());
  for (const Shape &shape : operands) {
    auto &loops = space.operandLoops.emplace_back();
    for (auto [d, size] : llvm::enumerate(shape)) {
      int loop = result.size() - shape.size() + d;
      loops.push_back(size == result[loop] ? loop : IterationSpace::kNoLoop);
    }
  }
  return space;
}

bool ElementwiseOperator::usesExponentiation(const Params &params) const {
  // Laws know of none in an opaque operator, whatever its definition is.
  if (isOpaque())
    return false;
  CostAlgebra algebra;
  SmallVector<Term> terms(getNumOperands(), 0);
  getFormula(algebra, terms, params);
  return algebra.exponentiates;
}

/// The part of an operand that a part of the result is computed from.
static Tensor extractOperand(const Tensor &operand, ArrayRef<int64_t> offsets,
                             ArrayRef<int64_t> shape) {
  size_t missing = shape.size() - operand.shape.size();
  Shape begin(offsets.drop_front(missing)), size(shape.drop_front(missing));
  for (size_t d = 0; d < size.size(); ++d)
    if (operand.shape[d] == 1) {
      begin[d] = 0;
      size[d] = 1;
    }
  return extractSlice(operand, begin, size);
}

Tensor ElementwiseOperator::evaluate(const NumberSystem &numbers,
                                     ArrayRef<const Tensor *> operands,
                                     const Params &params) const {
  Shape shape = operands.front()->shape;
  for (const Tensor *operand : operands.drop_front()) {
    Shape broadcasted;
    broadcastShapes(shape, operand->shape, broadcasted);
    shape = broadcasted;
  }
  // A part has one index of each dimension before `cut`, and all of those
  // behind it.
  size_t cut = shape.size();
  int64_t inner = 1;
  while (cut > 0 && inner * shape[cut - 1] <= kMostAtOnce)
    inner *= shape[--cut];
  if (cut-- > 0) {
    Shape offsets(shape.size(), 0), part = shape;
    std::fill_n(part.begin(), cut, 1);
    Tensor result;
    for (bool done = false; !done;) {
      part[cut] = std::min(kMostAtOnce / inner, shape[cut] - offsets[cut]);
      SmallVector<Tensor> slices;
      for (const Tensor *operand : operands)
        slices.push_back(extractOperand(*operand, offsets, part));
      SmallVector<const Tensor *> pointers;
      for (const Tensor &slice : slices)
        pointers.push_back(&slice);
      Tensor value = evaluate(numbers, pointers, params);
      if (result.planes.empty())
        result = makeLike(value, shape);
      insertSlice(value, result, offsets);
      done = true;
      for (size_t d = cut + 1; d-- > 0 && done;) {
        offsets[d] += part[d];
        done = offsets[d] == shape[d];
        if (done)
          offsets[d] = 0;
      }
    }
    return result;
  }
  TensorAlgebra algebra(numbers, shape);
  SmallVector<Term> terms;
  for (const Tensor *operand : operands)
    terms.push_back(operand->shape == shape
                        ? algebra.refer(*operand)
                        : algebra.make(broadcast(*operand, shape)));
  return algebra.take(getFormula(algebra, terms, params));
}

Expr ElementwiseOperator::getExpr(ExprContext &context, ArrayRef<Shape>,
                                  ArrayRef<Expr> operands,
                                  const Params &params) const {
  ExprAlgebra algebra(context);
  SmallVector<Term> terms;
  for (Expr operand : operands)
    terms.push_back(algebra.make(operand));
  return algebra.get(getFormula(algebra, terms, params));
}

bool mirage::dividesByReciprocals(ArrayRef<int64_t> result,
                                  ArrayRef<int64_t> divisor) {
  int64_t elements = mirage::getNumElements(result);
  return elements >= kLeastQuotients &&
         elements / kLeastPerDivisor >= mirage::getNumElements(divisor);
}

OperatorCost ElementwiseOperator::getCost(ArrayRef<Shape> operands,
                                          ArrayRef<int64_t> result,
                                          const Params &params) const {
  CostAlgebra algebra;
  SmallVector<Term> terms(operands.size(), 0);
  getFormula(algebra, terms, params);
  OperatorCost cost = algebra.cost;
  int64_t elements = mirage::getNumElements(result);
  // Scalars count as constants, whose reciprocals are known, as those that the
  // search makes are.
  if (isQuotient() &&
      (operands[1].empty() || dividesByReciprocals(result, operands[1]))) {
    // Others may divide by the same, so that the reciprocals are not this
    // one's.
    cost.scalarFlops = elements;
    cost.specialFunctions = 0;
    return cost;
  }
  cost.scalarFlops *= elements;
  cost.specialFunctions *= elements;
  return cost;
}

bool ElementwiseOperator::commutesWithTranspose(ArrayRef<int64_t> permutation,
                                                ArrayRef<Shape> operands,
                                                const Params &) const {
  // Dimensions that broadcasting adds in front can't be transposed.
  return llvm::all_of(operands, [&](const Shape &shape) {
    return shape.empty() || shape.size() == permutation.size();
  });
}

void ElementwiseOperator::enumerateParams(
    ArrayRef<Shape>, function_ref<void(const Params &)> visit) const {
  // Numbers, and an opaque operator's name, are taken from the program.
  if (getNumNumbers() == 0 && !isOpaque())
    visit({});
}

ElementwiseOperator::Term ElementwiseOperator::getElement(
    ElementAlgebra &algebra, ArrayRef<Shape> operands,
    ArrayRef<ElementAlgebra::Index> index, const Params &params) const {
  SmallVector<Term> terms;
  for (auto [i, shape] : llvm::enumerate(operands)) {
    SmallVector<ElementAlgebra::Index> position;
    for (auto [d, size] : llvm::enumerate(shape))
      position.push_back(size == 1 ? algebra.indexConstant(0)
                                   : index[index.size() - shape.size() + d]);
    terms.push_back(algebra.read(i, position));
  }
  return getFormula(algebra, terms, params);
}
