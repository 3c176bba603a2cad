//===- ElementMap.cpp - Where moved elements come from --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/ElementMap.h"
#include "Mirage/Operators/ElementAlgebra.h"

using namespace mirage;
using namespace mlir;

namespace {

/// Index notation over linear functions of the index. Of terms only the reading
/// of an operand means something.
class ViewAlgebra final : public ElementAlgebra {
public:
  struct Linear {
    int64_t constant = 0;
    SmallVector<int64_t> factors;
  };
  struct Read {
    unsigned operand;
    SmallVector<Linear> index;
  };

  explicit ViewAlgebra(size_t rank) : rank(rank) {}

  Index makeDim(size_t d) {
    Linear linear{0, SmallVector<int64_t>(rank)};
    linear.factors[d] = 1;
    return make(std::move(linear));
  }
  const Read *getRead(Term term) const {
    return term < reads.size() ? &reads[term] : nullptr;
  }

  Index indexConstant(int64_t value) override {
    return make({value, SmallVector<int64_t>(rank)});
  }
  Index indexAdd(Index a, Index b) override {
    Linear sum = indices[a];
    sum.constant += indices[b].constant;
    for (auto [factor, other] : llvm::zip(sum.factors, indices[b].factors))
      factor += other;
    return make(std::move(sum));
  }
  Index indexMul(Index a, int64_t factor) override {
    Linear product = indices[a];
    product.constant *= factor;
    for (int64_t &f : product.factors)
      f *= factor;
    return make(std::move(product));
  }
  Index indexDiv(Index a, int64_t divisor) override {
    return divisor == 1 ? a : fail();
  }
  Index indexMod(Index a, int64_t divisor) override {
    return divisor == 1 ? indexConstant(0) : fail();
  }
  Term read(unsigned operand, ArrayRef<Index> index) override {
    Read read{operand, {}};
    for (Index i : index)
      read.index.push_back(indices[i]);
    reads.push_back(std::move(read));
    return reads.size() - 1;
  }

  Term sum(int64_t, function_ref<Term(Index)>) override { return kNone; }
  Term max(int64_t, function_ref<Term(Index)>) override { return kNone; }
  Term select(Index, int64_t, function_ref<Term()>,
              function_ref<Term()>) override {
    return kNone;
  }
  Term constant(double) override { return kNone; }
  Term add(Term, Term) override { return kNone; }
  Term sub(Term, Term) override { return kNone; }
  Term mul(Term, Term) override { return kNone; }
  Term div(Term, Term) override { return kNone; }
  Term max(Term, Term) override { return kNone; }
  Term exp(Term) override { return kNone; }
  Term sqrt(Term) override { return kNone; }
  Term log(Term) override { return kNone; }
  Term erf(Term) override { return kNone; }
  Term where(Term, Term) override { return kNone; }
  Term function(StringRef, ArrayRef<Term>, function_ref<Term()>) override {
    return kNone;
  }

  bool failed = false;

private:
  static constexpr Term kNone = ~0u;
  Index make(Linear linear) {
    indices.push_back(std::move(linear));
    return indices.size() - 1;
  }
  Index fail() {
    failed = true;
    return indexConstant(0);
  }

  size_t rank;
  SmallVector<Linear> indices;
  SmallVector<Read> reads;
};

} // namespace

std::optional<ElementMap> mirage::getElementMap(OperatorOpInterface op) {
  SmallVector<Shape> shapes;
  for (Value operand : op->getOperands())
    shapes.emplace_back(cast<ShapedType>(operand.getType()).getShape());
  size_t rank = cast<ShapedType>(op->getResult(0).getType()).getRank();
  ViewAlgebra algebra(rank);
  SmallVector<ElementAlgebra::Index> index;
  for (size_t d = 0; d < rank; ++d)
    index.push_back(algebra.makeDim(d));
  const ViewAlgebra::Read *read = algebra.getRead(
      op.getSemantics().getElement(algebra, shapes, index, op.getParams()));
  if (algebra.failed || !read)
    return std::nullopt;
  ElementMap map;
  map.operand = op->getOperand(read->operand);
  map.rank = rank;
  for (const ViewAlgebra::Linear &linear : read->index) {
    if (linear.constant < 0 ||
        llvm::any_of(linear.factors, [](int64_t f) { return f < 0; }))
      return std::nullopt;
    map.starts.push_back(linear.constant);
    map.steps.push_back(SmallVector<int64_t, 4>(ArrayRef(linear.factors)));
  }
  return map;
}

std::pair<SmallVector<int64_t, 4>, int64_t>
ElementMap::apply(ArrayRef<int64_t> strides, int64_t offset) const {
  SmallVector<int64_t, 4> ofResult(rank);
  for (auto [d, stride] : llvm::enumerate(strides)) {
    offset += starts[d] * stride;
    for (size_t e = 0; e < rank; ++e)
      ofResult[e] += steps[d][e] * stride;
  }
  return {ofResult, offset};
}
