//===- Contractions.cpp - Matrix products and reductions ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Operators/DataMovement.h"
#include "Mirage/Operators/ShapeText.h"
#include "OperatorDefinitions.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mirage;
using namespace mlir;

namespace {

using Term = ElementAlgebra::Term;
using Index = ElementAlgebra::Index;

/// The loop of dimension d of an operand of a product, one in front of the last
/// two: that of the result's, or none where the operand is repeated.
int getBatchLoop(const Shape &operand, ArrayRef<int64_t> loops, int d) {
  return operand[d] == loops[d] ? d : IterationSpace::kNoLoop;
}

/// The position in an operand of a product for an element of the result.
SmallVector<Index> getBatchIndex(ElementAlgebra &algebra, const Shape &operand,
                                 ArrayRef<Index> index) {
  SmallVector<Index> position(index);
  for (size_t d = 0; d + 2 < operand.size(); ++d)
    if (operand[d] == 1)
      position[d] = algebra.indexConstant(0);
  return position;
}

/// The product of operands whose dimensions in front of the last two broadcast.
Tensor multiply(const NumberSystem &numbers, const Tensor &lhs,
                const Tensor &rhs) {
  Shape left = lhs.shape, right = rhs.shape;
  for (size_t d = 0; d + 2 < left.size(); ++d)
    left[d] = right[d] = std::max(left[d], right[d]);
  auto repeat = [](const Tensor &tensor, const Shape &shape) {
    return tensor.shape == shape ? tensor : broadcast(tensor, shape);
  };
  if (left == lhs.shape && right == rhs.shape)
    return numbers.matmul(lhs, rhs);
  return numbers.matmul(repeat(lhs, left), repeat(rhs, right));
}

class Matmul : public Operator {
public:
  explicit Matmul(llvm::StringRef name = "matmul") : Operator(name, 2) {}

  bool isLinearIn(unsigned) const override { return true; }
  bool isHomogeneousIn(unsigned) const override { return true; }

  ArrayRef<OperandPair> getMatrixProducts() const override {
    static const OperandPair products[] = {{0, 1}};
    return products;
  }

  bool inferShape(ArrayRef<Shape> operands, const Params &, Shape &result,
                  std::string *error) const override {
    const Shape &lhs = operands[0], &rhs = operands[1];
    size_t rank = lhs.size();
    if (rank < 2 || rhs.size() != rank) {
      if (error)
        *error = "expected operands of one rank, at least 2, found " +
                 getShapeText(lhs) + " and " + getShapeText(rhs);
      return false;
    }
    if (lhs[rank - 1] != rhs[rank - 2]) {
      if (error)
        *error = "the last dimension of " + getShapeText(lhs) +
                 " is not the one before the last of " + getShapeText(rhs);
      return false;
    }
    result = lhs;
    result[rank - 1] = rhs[rank - 1];
    for (size_t d = 0; d + 2 < rank; ++d) {
      if (lhs[d] != rhs[d] && lhs[d] != 1 && rhs[d] != 1) {
        if (error)
          *error = "batch dimension " + std::to_string(d) +
                   " differs between " + getShapeText(lhs) + " and " +
                   getShapeText(rhs);
        return false;
      }
      if (lhs[d] == 1)
        result[d] = rhs[d];
    }
    return true;
  }

  std::optional<IterationSpace>
  getIterationSpace(ArrayRef<Shape> operands, const Params &) const override {
    int rank = operands[0].size();
    IterationSpace space;
    space.reductionsAreSums = true;
    Shape result;
    Matmul::inferShape(operands, {}, result, nullptr);
    space.sizes.assign(result.begin(), result.end());
    space.sizes.push_back(operands[0].back());
    space.operandLoops.resize(2);
    for (int d = 0; d + 2 < rank; ++d)
      for (int side : {0, 1})
        space.operandLoops[side].push_back(
            getBatchLoop(operands[side], result, d));
    space.operandLoops[0].append({rank - 2, rank});
    space.operandLoops[1].append({rank, rank - 1});
    return space;
  }

  Tensor evaluate(const NumberSystem &numbers,
                  ArrayRef<const Tensor *> operands,
                  const Params &) const override {
    return multiply(numbers, *operands[0], *operands[1]);
  }

  Expr getExpr(ExprContext &context, ArrayRef<Shape> shapes,
               ArrayRef<Expr> operands, const Params &) const override {
    return context.sum(shapes[0].back(), context.mul(operands[0], operands[1]));
  }

  OperatorCost getCost(ArrayRef<Shape> operands, ArrayRef<int64_t> result,
                       const Params &) const override {
    OperatorCost cost;
    cost.tensorFlops = 2 * mirage::getNumElements(result) * operands[0].back();
    return cost;
  }

  void
  enumerateParams(ArrayRef<Shape>,
                  function_ref<void(const Params &)> visit) const override {
    visit({});
  }

  /// (A B)^T = B^T A^T.
  bool commutesWithTranspose(ArrayRef<int64_t> permutation,
                             ArrayRef<Shape> operands,
                             const Params &) const override {
    int64_t rank = permutation.size();
    for (auto [d, dim] : llvm::enumerate(permutation))
      if (dim != (static_cast<int64_t>(d) < rank - 2
                      ? static_cast<int64_t>(d)
                      : 2 * rank - 3 - static_cast<int64_t>(d)))
        return false;
    return operands[0].size() == operands[1].size();
  }

  Term getElement(ElementAlgebra &algebra, ArrayRef<Shape> operands,
                  ArrayRef<Index> index, const Params &) const override {
    return addProducts(algebra, operands, index, /*transposed=*/std::nullopt);
  }

protected:
  /// `transposed`: the operand whose last two dimensions are read as swapped;
  /// `operands` are the shapes before that.
  static Term addProducts(ElementAlgebra &algebra, ArrayRef<Shape> operands,
                          ArrayRef<Index> index,
                          std::optional<unsigned> transposed) {
    const size_t rank = index.size();
    const int64_t depth =
        transposed == 0u ? operands[0][rank - 2] : operands[0][rank - 1];
    return algebra.sum(depth, [&](Index k) {
      SmallVector<Index> sides[] = {getBatchIndex(algebra, operands[0], index),
                                    getBatchIndex(algebra, operands[1], index)};
      sides[0][rank - 1] = k;
      sides[1][rank - 2] = k;
      if (transposed)
        std::swap(sides[*transposed][rank - 2], sides[*transposed][rank - 1]);
      return algebra.mul(algebra.read(0, sides[0]), algebra.read(1, sides[1]));
    });
  }
};

/// The product with one of its operands transposed: the second one, so that
/// sums run over the last dimensions of both, or the first one.
class MatmulTransposed final : public Matmul {
public:
  MatmulTransposed(StringRef name, unsigned operand)
      : Matmul(name), operand(operand) {}

  bool inferShape(ArrayRef<Shape> operands, const Params &params, Shape &result,
                  std::string *error) const override {
    const Shape &lhs = operands[0], &rhs = operands[1];
    const size_t rank = lhs.size(), dim = rank - (operand == 0 ? 2 : 1);
    if (rank >= 2 && rhs.size() == rank && lhs[dim] != rhs[dim]) {
      if (error)
        *error = (operand == 0 ? "the dimensions before the last of "
                               : "the last dimensions of ") +
                 getShapeText(lhs) + " and " + getShapeText(rhs) + " differ";
      return false;
    }
    return Matmul::inferShape(swapped(operands), params, result, error);
  }

  std::optional<IterationSpace>
  getIterationSpace(ArrayRef<Shape> operands,
                    const Params &params) const override {
    std::optional<IterationSpace> space =
        Matmul::getIterationSpace(swapped(operands), params);
    swapLast(space->operandLoops[operand]);
    return space;
  }

  const Operator *getOfTransposed() const override {
    return &getOperator("matmul");
  }
  unsigned getTransposedOperand() const override { return operand; }

  Tensor evaluate(const NumberSystem &numbers,
                  ArrayRef<const Tensor *> operands,
                  const Params &params) const override {
    const Tensor &stored = *operands[operand];
    const Tensor swapped =
        transpose(stored, getMatrixTranspose(stored.shape.size()));
    SmallVector<const Tensor *> all(operands);
    all[operand] = &swapped;
    return Matmul::evaluate(numbers, all, params);
  }

  Expr getExpr(ExprContext &context, ArrayRef<Shape> shapes,
               ArrayRef<Expr> operands, const Params &params) const override {
    return Matmul::getExpr(context, swapped(shapes), operands, params);
  }

  OperatorCost getCost(ArrayRef<Shape> operands, ArrayRef<int64_t> result,
                       const Params &params) const override {
    return Matmul::getCost(swapped(operands), result, params);
  }

  bool commutesWithTranspose(ArrayRef<int64_t>, ArrayRef<Shape>,
                             const Params &) const override {
    return false;
  }

  Term getElement(ElementAlgebra &algebra, ArrayRef<Shape> operands,
                  ArrayRef<Index> index, const Params &) const override {
    return addProducts(algebra, operands, index, operand);
  }

private:
  /// Of less than two dimensions as it is.
  template <typename List> static void swapLast(List &list) {
    if (list.size() >= 2)
      std::swap(list[list.size() - 2], list.back());
  }

  SmallVector<Shape> swapped(ArrayRef<Shape> operands) const {
    SmallVector<Shape> shapes(operands);
    swapLast(shapes[operand]);
    return shapes;
  }

  unsigned operand;
};

/// A fold of one dimension, kept with size 1.
class Reduction : public Operator {
public:
  using Operator::Operator;

  bool commutesWithTranspose(ArrayRef<int64_t>, ArrayRef<Shape>,
                             const Params &params) const override {
    return params.size() == 1;
  }

  Params readParams(Operation *op) const override {
    return {op->getAttrOfType<IntegerAttr>("dim").getInt()};
  }

  void writeParams(OperationState &state, const Params &params) const override {
    Builder builder(state.getContext());
    state.addAttribute("dim", builder.getI64IntegerAttr(params[0]));
  }

  bool inferShape(ArrayRef<Shape> operands, const Params &params, Shape &result,
                  std::string *error) const override {
    result = operands[0];
    int64_t dim = params[0];
    if (dim < 0 || dim >= static_cast<int64_t>(result.size())) {
      if (error)
        *error = "dimension " + std::to_string(dim) + " of " +
                 getShapeText(result) + " doesn't exist";
      return false;
    }
    result[dim] = 1;
    return true;
  }

  std::optional<IterationSpace>
  getIterationSpace(ArrayRef<Shape> operands,
                    const Params &params) const override {
    int rank = operands[0].size();
    IterationSpace space;
    space.sizes.assign(operands[0].begin(), operands[0].end());
    space.sizes[params[0]] = 1;
    space.sizes.push_back(operands[0][params[0]]);
    space.operandLoops.resize(1);
    for (int d = 0; d < rank; ++d)
      space.operandLoops[0].push_back(d == params[0] ? rank : d);
    return space;
  }

  OperatorCost getCost(ArrayRef<Shape> operands, ArrayRef<int64_t>,
                       const Params &) const override {
    OperatorCost cost;
    cost.scalarFlops = mirage::getNumElements(operands[0]);
    return cost;
  }
};

/// Over a whole dimension (one parameter: `dim`), or over each `size` elements
/// of it that follow one another (two).
class Sum final : public Reduction {
public:
  Sum() : Reduction("sum", 1) {}

  bool isLinearIn(unsigned) const override { return true; }

  Params readParams(Operation *op) const override {
    Params params = Reduction::readParams(op);
    if (auto size = op->getAttrOfType<IntegerAttr>("size"))
      params.push_back(size.getInt());
    return params;
  }

  void writeParams(OperationState &state, const Params &params) const override {
    Reduction::writeParams(state, params);
    if (params.size() > 1)
      state.addAttribute(
          "size", Builder(state.getContext()).getI64IntegerAttr(params[1]));
  }

  bool inferShape(ArrayRef<Shape> operands, const Params &params, Shape &result,
                  std::string *error) const override {
    if (!Reduction::inferShape(operands, params, result, error))
      return false;
    if (params.size() == 1)
      return true;
    int64_t elements = operands[0][params[0]];
    if (params[1] < 1 || elements % params[1] != 0) {
      if (error)
        *error = "sums of " + std::to_string(params[1]) +
                 " elements don't divide the " + std::to_string(elements) +
                 " of dimension " + std::to_string(params[0]);
      return false;
    }
    result[params[0]] = elements / params[1];
    return true;
  }

  std::optional<IterationSpace>
  getIterationSpace(ArrayRef<Shape> operands,
                    const Params &params) const override {
    if (params.size() > 1)
      return std::nullopt;
    auto space = Reduction::getIterationSpace(operands, params);
    space->reductionsAreSums = true;
    return space;
  }

  Tensor evaluate(const NumberSystem &numbers,
                  ArrayRef<const Tensor *> operands,
                  const Params &params) const override {
    if (params.size() == 1)
      return numbers.sum(*operands[0], params[0]);
    Tensor grouped = *operands[0];
    Shape result = grouped.shape;
    result[params[0]] /= params[1];
    grouped.shape = result;
    grouped.shape.insert(grouped.shape.begin() + params[0] + 1, params[1]);
    Tensor sums = numbers.sum(grouped, params[0] + 1);
    sums.shape = result;
    return sums;
  }

  Expr getExpr(ExprContext &context, ArrayRef<Shape> shapes,
               ArrayRef<Expr> operands, const Params &params) const override {
    return context.sum(params.size() > 1 ? params[1] : shapes[0][params[0]],
                       operands[0]);
  }

  void
  enumerateParams(ArrayRef<Shape> operands,
                  function_ref<void(const Params &)> visit) const override {
    // The sum over a dimension of size 1 is the operand.
    for (auto [d, size] : llvm::enumerate(operands[0]))
      if (size > 1)
        visit({static_cast<int64_t>(d)});
  }

  Term getElement(ElementAlgebra &algebra, ArrayRef<Shape> operands,
                  ArrayRef<Index> index, const Params &params) const override {
    int64_t dim = params[0];
    int64_t size = params.size() > 1 ? params[1] : operands[0][dim];
    return algebra.sum(size, [&](Index k) {
      SmallVector<Index> position(index);
      position[dim] = algebra.indexAdd(algebra.indexMul(index[dim], size), k);
      return algebra.read(0, position);
    });
  }
};

class ReduceMax final : public Reduction {
public:
  ReduceMax() : Reduction("reduce_max", 1) {}
  bool isMaximum() const override { return true; }

  Tensor evaluate(const NumberSystem &numbers,
                  ArrayRef<const Tensor *> operands,
                  const Params &params) const override {
    return numbers.maximum(*operands[0], params[0]);
  }

  Expr getExpr(ExprContext &context, ArrayRef<Shape>, ArrayRef<Expr> operands,
               const Params &) const override {
    // The maximum of maxima is one: its expression records no size.
    return context.max(operands[0]);
  }

  Term getElement(ElementAlgebra &algebra, ArrayRef<Shape> operands,
                  ArrayRef<Index> index, const Params &params) const override {
    return algebra.max(operands[0][params[0]], [&](Index k) {
      SmallVector<Index> position(index);
      position[params[0]] = k;
      return algebra.read(0, position);
    });
  }
};

/// The paper's LoRA operator: two products added up, as one product of
/// concatenated matrices.
class ConcatMatmul final : public Operator {
public:
  ConcatMatmul() : Operator("concat_matmul", 4) {}

  bool isLinearIn(unsigned) const override { return false; }

  ArrayRef<OperandPair> getMatrixProducts() const override {
    static const OperandPair products[] = {{0, 2}, {1, 3}};
    return products;
  }

  ArrayRef<Step> getSteps() const override {
    static const Step steps[] = {
        {"matmul", {0, 2}}, {"matmul", {1, 3}}, {"add", {-1, -2}}};
    return steps;
  }

  bool inferShape(ArrayRef<Shape> operands, const Params &, Shape &result,
                  std::string *error) const override {
    Shape other;
    const Operator &matmul = getOperator("matmul");
    if (!matmul.inferShape({operands[0], operands[2]}, {}, result, error) ||
        !matmul.inferShape({operands[1], operands[3]}, {}, other, error))
      return false;
    if (result != other) {
      if (error)
        *error = "the two products have shapes " + getShapeText(result) +
                 " and " + getShapeText(other);
      return false;
    }
    return true;
  }

  std::optional<IterationSpace>
  getIterationSpace(ArrayRef<Shape> operands, const Params &) const override {
    int rank = operands[0].size();
    IterationSpace space;
    space.reductionsAreSums = true;
    Shape result;
    inferShape(operands, {}, result, nullptr);
    space.sizes.assign(result.begin(), result.end());
    space.sizes.push_back(operands[0].back());
    space.sizes.push_back(operands[1].back());
    space.operandLoops.resize(4);
    for (int d = 0; d + 2 < rank; ++d)
      for (int i = 0; i < 4; ++i)
        space.operandLoops[i].push_back(getBatchLoop(operands[i], result, d));
    for (int side : {0, 1}) {
      space.operandLoops[side].append({rank - 2, rank + side});
      space.operandLoops[2 + side].append({rank + side, rank - 1});
    }
    return space;
  }

  Tensor evaluate(const NumberSystem &numbers,
                  ArrayRef<const Tensor *> operands,
                  const Params &) const override {
    return numbers.add(multiply(numbers, *operands[0], *operands[2]),
                       multiply(numbers, *operands[1], *operands[3]));
  }

  Expr getExpr(ExprContext &context, ArrayRef<Shape> shapes,
               ArrayRef<Expr> operands, const Params &) const override {
    return context.add(
        context.sum(shapes[0].back(), context.mul(operands[0], operands[2])),
        context.sum(shapes[1].back(), context.mul(operands[1], operands[3])));
  }

  OperatorCost getCost(ArrayRef<Shape> operands, ArrayRef<int64_t> result,
                       const Params &) const override {
    OperatorCost cost;
    cost.tensorFlops = 2 * mirage::getNumElements(result) *
                       (operands[0].back() + operands[1].back());
    return cost;
  }

  Term getElement(ElementAlgebra &algebra, ArrayRef<Shape> operands,
                  ArrayRef<Index> index, const Params &) const override {
    size_t rank = index.size();
    auto product = [&](unsigned lhs, unsigned rhs) {
      return algebra.sum(operands[lhs].back(), [&](Index k) {
        SmallVector<Index> left = getBatchIndex(algebra, operands[lhs], index),
                           right = getBatchIndex(algebra, operands[rhs], index);
        left[rank - 1] = k;
        right[rank - 2] = k;
        return algebra.mul(algebra.read(lhs, left), algebra.read(rhs, right));
      });
    };
    return algebra.add(product(0, 2), product(1, 3));
  }
};

} // namespace

void mirage::addContractions(OperatorList &list) {
  list.push_back(std::make_unique<Matmul>());
  list.push_back(std::make_unique<MatmulTransposed>("matmul_transposed", 1));
  list.push_back(
      std::make_unique<MatmulTransposed>("matmul_transposed_lhs", 0));
  list.push_back(std::make_unique<ConcatMatmul>());
  list.push_back(std::make_unique<Sum>());
  list.push_back(std::make_unique<ReduceMax>());
}
