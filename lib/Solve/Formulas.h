//===- Formulas.h - Formulas over any algebra -------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SOLVE_FORMULAS_H
#define MIRAGE_LIB_SOLVE_FORMULAS_H

#include "Mirage/Solve/Axioms.h"

namespace mirage::solve {

/// What the variables of an axiom stand for: one value each, or `count` values
/// for a family.
struct Assignment {
  std::vector<llvm::SmallVector<ScalarAlgebra::Term, 3>> values;
  unsigned count = 1;
};

/// The value of a term over an algebra; opaque operators are asked for as
/// functions without a definition.
ScalarAlgebra::Term evaluate(const Term &term, ScalarAlgebra &algebra,
                             const Assignment &assignment, unsigned index = 0);

/// All numbers that are written in an axiom.
void collectNumbers(const Formula &formula, std::vector<const Term *> &numbers);

/// For how many indices a sum is tried.
inline llvm::ArrayRef<unsigned> getCounts(const Axiom &axiom) {
  static constexpr unsigned one[] = {1}, several[] = {1, 2, 3};
  return axiom.hasSums ? llvm::ArrayRef<unsigned>(several)
                       : llvm::ArrayRef<unsigned>(one);
}

/// Looks for functions that satisfy all axioms on many points.
std::vector<Model> findModels(const Axioms &axioms);

} // namespace mirage::solve

#endif // MIRAGE_LIB_SOLVE_FORMULAS_H
