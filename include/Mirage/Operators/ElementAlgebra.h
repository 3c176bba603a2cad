//===- ElementAlgebra.h - Index notation ------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_OPERATORS_ELEMENTALGEBRA_H
#define MIRAGE_OPERATORS_ELEMENTALGEBRA_H

#include "Mirage/Operators/ScalarAlgebra.h"

namespace mirage {

/// What an operator is written in, once: one element of its result, at a
/// symbolic index, as a formula over elements of its operands. The lowering
/// reads it as code, the prover as a term, and data movements as a table of
/// positions. Indices, like terms, are handles that mean something to their
/// algebra only.
class ElementAlgebra : public ScalarAlgebra {
public:
  using Index = uint32_t;

  virtual Index indexConstant(int64_t value) = 0;
  virtual Index indexAdd(Index lhs, Index rhs) = 0;
  virtual Index indexMul(Index index, int64_t factor) = 0;
  /// The quotient, rounded down, and the remainder, of an index that isn't
  /// negative.
  virtual Index indexDiv(Index index, int64_t divisor) = 0;
  virtual Index indexMod(Index index, int64_t divisor) = 0;

  /// The element of an operand at an index of the operand's rank and inside of
  /// its shape.
  virtual Term read(unsigned operand, llvm::ArrayRef<Index> index) = 0;

  /// The sum, and the maximum, of `term(k)` for k = 0 .. count - 1.
  virtual Term sum(int64_t count, llvm::function_ref<Term(Index)> term) = 0;
  virtual Term max(int64_t count, llvm::function_ref<Term(Index)> term) = 0;
  using ScalarAlgebra::max;

  /// `then()` where `index < bound`, `otherwise()` elsewhere. Each is read only
  /// where it is chosen, so that it may read outside of a shape elsewhere.
  virtual Term select(Index index, int64_t bound,
                      llvm::function_ref<Term()> then,
                      llvm::function_ref<Term()> otherwise) = 0;
};

} // namespace mirage

#endif // MIRAGE_OPERATORS_ELEMENTALGEBRA_H
