//===- DegreeBound.cpp - How likely a random test is wrong ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DegreeBound.h"
#include "Mirage/Numbers/FiniteField.h"
#include "RootRepair.h"
#include <cmath>

using namespace mirage;

namespace {

/// p is at least 2^30 and q at least 2^29.
constexpr double kLogP = 30, kLogQ = 29;

/// log2(2^a + 2^b)
double addLogs(double a, double b) {
  return std::max(a, b) + std::log2(1 + std::exp2(-std::abs(a - b)));
}

/// log2 of the number of ways to choose k of n.
double logChoose(unsigned n, unsigned k) {
  return (std::lgamma(n + 1.0) - std::lgamma(k + 1.0) -
          std::lgamma(n - k + 1.0)) /
         std::log(2.0);
}

/// What a single trial says of one element: log2 of a bound of the probability
/// that it is defined in both programs and equal though they differ in it.
struct TrialBound {
  double log2;
  const char *note;
};

constexpr const char *kSchwartzZippel = "Schwartz-Zippel";
constexpr const char *kRoots = "Schwartz-Zippel for the norm over the roots";
constexpr const char *kFunctions =
    "Schwartz-Zippel, functions outside of LAX as variables";
constexpr const char *kTheorem2 = "Theorem 2 of the paper";

TrialBound boundTrial(const ElementForm &a, const ElementForm &b,
                      const TrialFacts &facts, unsigned redrawn) {
  // The polynomial N D' - N' D.
  double degree = std::max(a.numeratorDegree + b.denominatorDegree,
                           b.numeratorDegree + a.denominatorDegree);
  double height = 1 + std::max(a.numeratorHeight + b.denominatorHeight,
                               b.numeratorHeight + a.denominatorHeight);
  double roots = a.roots + b.roots;
  double arguments = a.arguments + b.arguments;
  bool exponentials = a.exponentials || b.exponentials;
  double logPool =
      facts.exponents ? FiniteField::kLogPrimePairs : FiniteField::kLogPrimes;
  if (exponentials) {
    if (roots > 0 || arguments > 0)
      return {0,
              "Theorem 2 of the paper is about exponentials without roots and "
              "functions outside of LAX"};
    double logTerms = addLogs(a.logNumeratorTerms + b.logDenominatorTerms,
                              b.logNumeratorTerms + a.logDenominatorTerms);
    double exponentDegree = 2 * std::max(a.exponentDegree, b.exponentDegree);
    // Of the difference of two exponents.
    double exponentHeight =
        1 + 2 * std::max(a.exponentHeight, b.exponentHeight);
    double d = std::max({degree, exponentDegree, 1.0});
    double k = std::exp2(logTerms);
    double theorem =
        addLogs(3 + std::log2(d) + 4 * logTerms - kLogQ, -kLogQ / (k * k));
    // It supposes that no coefficient, and no difference of two exponents,
    // becomes 0 modulo q or p.
    double primes = std::log2(k * std::floor(height / kLogP) +
                              k * k * std::floor(exponentHeight / kLogQ)) -
                    logPool;
    return {addLogs(theorem, primes), kTheorem2};
  }
  // The norm is a product of this many conjugates.
  double conjugates = std::exp2(roots);
  double zero = conjugates * std::max(degree, 1.0);
  // So many primes may divide a coefficient, and be drawn to do so.
  double divisors = std::floor(conjugates * height / kLogP);
  // Two different arguments of functions may have the same value.
  double pairs = arguments * arguments / 2;
  zero += pairs * conjugates *
          std::max(2 * std::max(a.argumentDegree, b.argumentDegree), 1.0);
  divisors +=
      pairs *
      std::floor(conjugates / kLogP *
                 (1 + 2 * std::max(a.argumentHeight, b.argumentHeight)));
  double repaired = std::log2(RootRepair::kMaxSweeps + 1.0) * redrawn;
  double primes = std::log2(divisors * facts.primeDraws) - logPool;
  return {addLogs(std::log2(zero) + repaired - kLogP, primes),
          arguments > 0 ? kFunctions
          : roots > 0   ? kRoots
                        : kSchwartzZippel};
}

} // namespace

ErrorBound mirage::computeErrorBound(const KernelGraph &reference,
                                     const KernelGraph &candidate,
                                     const TrialFacts &facts) {
  if (!facts.redrawn)
    return {std::nullopt, "vacuous: an element depends on too many inputs that "
                          "were redrawn for the sake of roots"};
  auto ours = getOutputForms(reference), theirs = getOutputForms(candidate);
  if (!ours || !theirs)
    return {std::nullopt, "none: the programs are too large for the analysis"};
  ErrorBound result{-INFINITY, kSchwartzZippel};
  for (auto [a, b] : llvm::zip_equal(*ours, *theirs)) {
    TrialBound trial = boundTrial(a, b, facts, *facts.redrawn);
    double bound = logChoose(facts.trials, facts.comparisons) +
                   facts.comparisons * std::min(trial.log2, 0.0);
    // Also where it is not a number.
    if (!(bound < 0))
      return {std::nullopt, std::string("vacuous: ") + trial.note};
    if (bound > *result.log2Bound)
      result = {bound, trial.note};
  }
  // Without outputs there is nothing to be wrong about.
  if (std::isinf(*result.log2Bound))
    result.log2Bound = std::nullopt;
  return result;
}
