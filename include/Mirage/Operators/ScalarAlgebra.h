//===- ScalarAlgebra.h - The language of elementwise formulas ---*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_OPERATORS_SCALARALGEBRA_H
#define MIRAGE_OPERATORS_SCALARALGEBRA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace mirage {

/// What an elementwise operator is written in, once: its formula is evaluated
/// over a number system by the interpreter, over abstract expressions by the
/// search, and over SSA values by the lowering. A term is a handle that means
/// something to the algebra that made it only.
class ScalarAlgebra {
public:
  using Term = uint32_t;

  virtual ~ScalarAlgebra();
  virtual Term constant(double value) = 0;
  virtual Term add(Term lhs, Term rhs) = 0;
  virtual Term sub(Term lhs, Term rhs) = 0;
  virtual Term mul(Term lhs, Term rhs) = 0;
  virtual Term div(Term lhs, Term rhs) = 0;
  virtual Term max(Term lhs, Term rhs) = 0;
  virtual Term exp(Term operand) = 0;
  virtual Term sqrt(Term operand) = 0;
  /// The natural logarithm.
  virtual Term log(Term operand) = 0;
  /// The error function, 2/sqrt(pi) times the integral of exp(-t^2) from 0.
  virtual Term erf(Term operand) = 0;
  /// The value where the condition is greater than 0, and 0 elsewhere, whatever
  /// the value is there.
  virtual Term where(Term condition, Term value) = 0;

  /// A function outside of LAX. Where it can't be computed (in a finite field)
  /// or has no laws (as an abstract expression) the name stands for it, and
  /// elsewhere its definition.
  virtual Term function(llvm::StringRef name, llvm::ArrayRef<Term> operands,
                        llvm::function_ref<Term()> definition) = 0;
};

/// An algebra whose terms are indices into a list of values of type T.
template <typename T> class ListAlgebra : public ScalarAlgebra {
public:
  Term make(T value) {
    values.push_back(std::move(value));
    return values.size() - 1;
  }
  const T &get(Term term) const { return values[term]; }

private:
  llvm::SmallVector<T> values;
};

} // namespace mirage

#endif // MIRAGE_OPERATORS_SCALARALGEBRA_H
