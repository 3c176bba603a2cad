//===- DegreeBound.h - How likely a random test is wrong --------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_VERIFY_DEGREEBOUND_H
#define MIRAGE_LIB_VERIFY_DEGREEBOUND_H

#include "Mirage/Mugraph/Mugraph.h"
#include <optional>

namespace mirage {

/// Upper bounds for one element of an output as a quotient of polynomials N / D
/// in the elements of the inputs, with integer coefficients, in roots (as
/// algebraic numbers over the polynomials), in the values of functions outside
/// of LAX (as variables), and in exponentials. Sizes are doubles, which are
/// infinite rather than wrap around.
struct ElementForm {
  double numeratorDegree = 0, denominatorDegree = 0;
  /// log2 of the sum of the coefficients' magnitudes.
  double numeratorHeight = 0, denominatorHeight = 0;
  /// log2 of the numbers of different exponentials that N and D are sums over.
  double logNumeratorTerms = 0, logDenominatorTerms = 0;
  bool exponentials = false;
  /// The largest degree and height of an exponent's numerator or denominator.
  double exponentDegree = 0, exponentHeight = 0;
  /// How many roots occur.
  double roots = 0;
  /// How many arguments functions have altogether, and the largest degree and
  /// height of such an argument's numerator and denominator together.
  double arguments = 0, argumentDegree = 0, argumentHeight = 0;
};

/// One form for all elements of each output; nothing when the program is too
/// large for the analysis.
std::optional<std::vector<ElementForm>>
getOutputForms(const KernelGraph &graph);

/// What a bound depends on besides the programs.
struct TrialFacts {
  unsigned trials = 0;
  /// In how many trials every element was compared.
  unsigned comparisons = 0;
  /// Whether the field had a component mod q.
  bool exponents = false;
  /// How many input elements that may have been redrawn for the sake of roots
  /// an output element depends on, at most; nothing when unknown.
  std::optional<unsigned> redrawn = 0;
  /// How many primes may have been drawn for a trial, to find one that will do.
  unsigned primeDraws = 1;
};

struct ErrorBound {
  /// Nothing where it would not be below 0.
  std::optional<double> log2Bound;
  std::string note;
};

/// Bounds the probability that a candidate which differs from its reference, as
/// a formula, passed such trials (docs/Verification.md).
ErrorBound computeErrorBound(const KernelGraph &reference,
                             const KernelGraph &candidate,
                             const TrialFacts &facts);

} // namespace mirage

#endif // MIRAGE_LIB_VERIFY_DEGREEBOUND_H
