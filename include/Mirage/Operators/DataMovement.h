//===- DataMovement.h - Operators that only move elements -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_OPERATORS_DATAMOVEMENT_H
#define MIRAGE_OPERATORS_DATAMOVEMENT_H

#include "Mirage/Operators/Operator.h"

namespace mirage {

/// Whether dimensions in that order, of a tensor of that shape, are in order
/// but for those of size 1: a transpose that moves nothing.
bool isInOrder(llvm::ArrayRef<int64_t> permutation,
               llvm::ArrayRef<int64_t> shape);

/// Of a tensor of `rank`, at least 2: transposes the matrices that its last two
/// dimensions are.
Params getMatrixTranspose(size_t rank);

/// An operator whose result elements are elements of its operands, or 0. A
/// derived class says in `getElement` which; its value follows.
class DataMovement : public Operator {
public:
  using Operator::Operator;

  bool isLinearIn(unsigned) const override { return true; }
  std::optional<IterationSpace>
  getIterationSpace(llvm::ArrayRef<Shape>, const Params &) const override {
    return std::nullopt;
  }
  Tensor evaluate(const NumberSystem &numbers,
                  llvm::ArrayRef<const Tensor *> operands,
                  const Params &params) const override;
  Expr getExpr(ExprContext &context, llvm::ArrayRef<Shape> shapes,
               llvm::ArrayRef<Expr> operands,
               const Params &params) const override;
  bool isMovement() const override { return true; }
  OperatorCost getCost(llvm::ArrayRef<Shape>, llvm::ArrayRef<int64_t>,
                       const Params &) const override {
    return {};
  }
};

} // namespace mirage

#endif // MIRAGE_OPERATORS_DATAMOVEMENT_H
