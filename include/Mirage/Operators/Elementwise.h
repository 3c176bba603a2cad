//===- Elementwise.h - Operators given by a formula -------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_OPERATORS_ELEMENTWISE_H
#define MIRAGE_OPERATORS_ELEMENTWISE_H

#include "Mirage/Operators/Operator.h"

namespace mirage {

/// An operator whose result element is a formula over the operands' elements at
/// the same index, broadcast. A derived class writes the formula; everything
/// that an operator is asked follows from it.
class ElementwiseOperator : public Operator {
public:
  using Operator::Operator;
  using Term = ScalarAlgebra::Term;

  /// The meaning, over any algebra.
  virtual Term getFormula(ScalarAlgebra &algebra, llvm::ArrayRef<Term> operands,
                          const Params &params) const = 0;

  /// How many numbers it is parameterized by: its parameters are their bits.
  virtual unsigned getNumNumbers() const { return 0; }

  /// Tensors with more elements are evaluated in parts of so many, as every
  /// step of a formula makes another one.
  static constexpr int64_t kMostAtOnce = 1 << 16;

  bool isElementwise() const final { return true; }
  bool commutesWithTranspose(llvm::ArrayRef<int64_t> permutation,
                             llvm::ArrayRef<Shape> operands,
                             const Params &params) const final;
  bool inferShape(llvm::ArrayRef<Shape> operands, const Params &params,
                  Shape &result, std::string *error = nullptr) const final;
  std::optional<IterationSpace>
  getIterationSpace(llvm::ArrayRef<Shape> operands,
                    const Params &params) const final;
  bool usesExponentiation(const Params &params) const final;
  Tensor evaluate(const NumberSystem &numbers,
                  llvm::ArrayRef<const Tensor *> operands,
                  const Params &params) const final;
  Expr getExpr(ExprContext &context, llvm::ArrayRef<Shape> shapes,
               llvm::ArrayRef<Expr> operands, const Params &params) const final;
  OperatorCost getCost(llvm::ArrayRef<Shape> operands,
                       llvm::ArrayRef<int64_t> result,
                       const Params &params) const final;
  void
  enumerateParams(llvm::ArrayRef<Shape> operands,
                  llvm::function_ref<void(const Params &)> visit) const final;
  Term getElement(ElementAlgebra &algebra, llvm::ArrayRef<Shape> operands,
                  llvm::ArrayRef<ElementAlgebra::Index> index,
                  const Params &params) const final;
};

} // namespace mirage

#endif // MIRAGE_OPERATORS_ELEMENTWISE_H
