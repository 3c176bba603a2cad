//===- DataMovement.cpp - What follows from positions ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Operators/DataMovement.h"
#include "llvm/ADT/StringExtras.h"

using namespace mirage;
using llvm::ArrayRef;

namespace {

/// Indices are numbers. A term is an operand and a row-major position in it; 0
/// stands for the number 0.
class PositionAlgebra final : public ElementAlgebra {
public:
  explicit PositionAlgebra(ArrayRef<const Tensor *> operands)
      : operands(operands) {}

  /// Where the element at `position` comes from: an operand and a position in
  /// it, or nothing for 0.
  std::optional<std::pair<unsigned, int64_t>> get(Term term) const {
    return sources[term];
  }
  void reset() {
    indices.clear();
    sources.assign(1, std::nullopt);
  }

  Index indexConstant(int64_t value) override {
    indices.push_back(value);
    return indices.size() - 1;
  }
  Index indexAdd(Index a, Index b) override {
    return indexConstant(indices[a] + indices[b]);
  }
  Index indexMul(Index a, int64_t factor) override {
    return indexConstant(indices[a] * factor);
  }
  Index indexDiv(Index a, int64_t divisor) override {
    return indexConstant(indices[a] / divisor);
  }
  Index indexMod(Index a, int64_t divisor) override {
    return indexConstant(indices[a] % divisor);
  }

  Term read(unsigned operand, ArrayRef<Index> index) override {
    int64_t linear = 0;
    for (auto [i, size] : llvm::zip_equal(index, operands[operand]->shape))
      linear = linear * size + indices[i];
    sources.push_back({{operand, linear}});
    return sources.size() - 1;
  }
  Term select(Index index, int64_t bound, llvm::function_ref<Term()> then,
              llvm::function_ref<Term()> otherwise) override {
    return indices[index] < bound ? then() : otherwise();
  }
  /// The only constant of a data movement is 0.
  Term constant(double) override { return 0; }

  Term sum(int64_t, llvm::function_ref<Term(Index)>) override { return none(); }
  Term max(int64_t, llvm::function_ref<Term(Index)>) override { return none(); }
  Term add(Term, Term) override { return none(); }
  Term sub(Term, Term) override { return none(); }
  Term mul(Term, Term) override { return none(); }
  Term div(Term, Term) override { return none(); }
  Term max(Term, Term) override { return none(); }
  Term exp(Term) override { return none(); }
  Term sqrt(Term) override { return none(); }
  Term log(Term) override { return none(); }
  Term erf(Term) override { return none(); }
  Term where(Term, Term) override { return none(); }
  Term function(llvm::StringRef, ArrayRef<Term>,
                llvm::function_ref<Term()>) override {
    return none();
  }

private:
  Term none() { llvm_unreachable("a data movement computes nothing"); }

  ArrayRef<const Tensor *> operands;
  llvm::SmallVector<int64_t> indices;
  llvm::SmallVector<std::optional<std::pair<unsigned, int64_t>>> sources;
};

} // namespace

Params mirage::getMatrixTranspose(size_t rank) {
  auto order = llvm::to_vector<2>(llvm::seq<int64_t>(0, rank));
  std::swap(order[rank - 2], order[rank - 1]);
  return order;
}

bool mirage::isInOrder(ArrayRef<int64_t> permutation, ArrayRef<int64_t> shape) {
  int64_t previous = -1;
  for (int64_t dim : permutation) {
    if (shape[dim] == 1)
      continue;
    if (dim < previous)
      return false;
    previous = dim;
  }
  return true;
}

Tensor DataMovement::evaluate(const NumberSystem &numbers,
                              ArrayRef<const Tensor *> operands,
                              const Params &params) const {
  llvm::SmallVector<Shape> shapes;
  for (const Tensor *operand : operands)
    shapes.push_back(operand->shape);
  Shape shape;
  inferShape(shapes, params, shape);
  // A component that one operand lacks is lost.
  const Tensor *fewest = operands[0];
  for (const Tensor *operand : operands)
    if (operand->planes.size() < fewest->planes.size())
      fewest = operand;
  Tensor result = makeLike(*fewest, shape);
  if (llvm::any_of(operands,
                   [](const Tensor *t) { return !t->undefined.empty(); }))
    result.undefined.assign(result.getNumElements(), 0);

  PositionAlgebra algebra(operands);
  Shape position(shape.size(), 0);
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i) {
    algebra.reset();
    llvm::SmallVector<ElementAlgebra::Index> index;
    for (int64_t p : position)
      index.push_back(algebra.indexConstant(p));
    if (auto source = algebra.get(getElement(algebra, shapes, index, params))) {
      const Tensor &operand = *operands[source->first];
      for (auto [to, from] : llvm::zip(result.planes, operand.planes))
        std::copy_n(from.bytes.data() + source->second * from.elementBytes,
                    from.elementBytes, to.bytes.data() + i * to.elementBytes);
      if (!operand.undefined.empty())
        result.undefined[i] = operand.undefined[source->second];
    }
    for (size_t d = shape.size(); d-- > 0;) {
      if (++position[d] < shape[d])
        break;
      position[d] = 0;
    }
  }
  return result;
}

Expr DataMovement::getExpr(ExprContext &context, ArrayRef<Shape>,
                           ArrayRef<Expr> operands, const Params &) const {
  // Abstract expressions know no positions.
  return operands.size() == 1 ? operands[0]
                              : context.apply(getName(), operands);
}
