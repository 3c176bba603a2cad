//===- TensorAlgebra.h - Formulas over tensors ------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_OPERATORS_TENSORALGEBRA_H
#define MIRAGE_OPERATORS_TENSORALGEBRA_H

#include "Mirage/Numbers/NumberSystem.h"
#include "Mirage/Operators/ScalarAlgebra.h"

namespace mirage {

/// Evaluates a formula on whole tensors of numbers, element by element: all of
/// one shape, that of the result. What was passed in must outlive it.
class TensorAlgebra final : public ScalarAlgebra {
public:
  TensorAlgebra(const NumberSystem &numbers, llvm::ArrayRef<int64_t> shape)
      : numbers(numbers), shape(shape) {}

  /// A term for a tensor that is not copied.
  Term refer(const Tensor &tensor) {
    values.push_back({&tensor, {}});
    return values.size() - 1;
  }
  Term make(Tensor tensor) {
    values.push_back({nullptr, std::move(tensor)});
    return values.size() - 1;
  }
  /// Valid until the next term is made.
  const Tensor &get(Term term) const {
    const Value &value = values[term];
    return value.outside ? *value.outside : value.own;
  }
  /// The same, for the last time.
  Tensor take(Term term) {
    Value &value = values[term];
    if (value.outside)
      return *value.outside;
    return std::move(value.own);
  }

  Term constant(double value) override;
  Term add(Term a, Term b) override {
    return make(numbers.add(get(a), get(b)));
  }
  Term sub(Term a, Term b) override {
    return make(numbers.sub(get(a), get(b)));
  }
  Term mul(Term a, Term b) override {
    return make(numbers.mul(get(a), get(b)));
  }
  Term div(Term a, Term b) override {
    return make(numbers.div(get(a), get(b)));
  }
  Term max(Term a, Term b) override {
    return make(numbers.max(get(a), get(b)));
  }
  Term exp(Term a) override { return make(numbers.exp(get(a))); }
  Term sqrt(Term a) override { return make(numbers.sqrt(get(a))); }
  Term log(Term a) override { return make(numbers.log(get(a))); }
  Term erf(Term a) override { return make(numbers.erf(get(a))); }
  Term where(Term condition, Term value) override {
    return make(numbers.where(get(condition), get(value)));
  }
  Term function(llvm::StringRef name, llvm::ArrayRef<Term> operands,
                llvm::function_ref<Term()> definition) override;

private:
  struct Value {
    const Tensor *outside;
    Tensor own;
  };

  const NumberSystem &numbers;
  llvm::ArrayRef<int64_t> shape;
  llvm::SmallVector<Value, 4> values;
};

} // namespace mirage

#endif // MIRAGE_OPERATORS_TENSORALGEBRA_H
