//===- Z3Problem.h - Ground formulas for Z3 ---------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SOLVE_Z3PROBLEM_H
#define MIRAGE_LIB_SOLVE_Z3PROBLEM_H

#include "Ground.h"
#include <z3++.h>

namespace mirage::solve {

enum class Satisfiability { Satisfiable, Unsatisfiable, Unknown };

/// A conjunction of ground formulas in real arithmetic. A base of the normal
/// form, and a sum, is a constant, with what is known of it: a root is the
/// number that isn't negative and has that square, a maximum is attained, and
/// so on.
class Z3Problem {
public:
  explicit Z3Problem(prove::TermContext &context) : context(context) {}

  void require(const Ground &formula);
  /// Gives up after so many seconds.
  Satisfiability check(double seconds);

private:
  z3::expr translate(const Ground &formula);
  z3::expr translate(const prove::PolyRef &term);
  z3::expr translate(const prove::Monomial &monomial);
  z3::expr translate(const prove::Factor &factor);
  z3::expr getValue(const prove::BaseRef &base);
  z3::expr getRoot(const prove::BaseRef &base);
  z3::expr getInverse(const prove::BaseRef &base, bool ofRoot);
  z3::expr getMaximum(const prove::Base &base);
  z3::expr makeNumber(const prove::Rational &number);
  z3::expr makeConstant(char kind, int64_t id);
  void addMaximumFacts();

  prove::TermContext &context;
  z3::context z3;
  std::vector<z3::expr> facts;
  std::map<std::string, z3::expr> known;
  /// An entry of a maximum over bound indices: its value where it is largest,
  /// and the indices there.
  struct BoundEntry {
    z3::expr maximum;
    prove::Monomial opened;
  };
  std::vector<BoundEntry> boundEntries;
  size_t numRelated = 0;
};

} // namespace mirage::solve

#endif // MIRAGE_LIB_SOLVE_Z3PROBLEM_H
