//===- RandomTest.h - Random testing over fields ----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_VERIFY_RANDOMTEST_H
#define MIRAGE_VERIFY_RANDOMTEST_H

#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Numbers/FiniteField.h"
#include <array>
#include <atomic>
#include <memory>

namespace mirage {

class RealTest;
class RootRepair;

/// What a verifier says of two programs.
enum class Verdict {
  Proved,   ///< equal, for every input
  Accepted, ///< equal on every trial: wrong with small probability
  Refuted,  ///< different on some input
  Unknown,  ///< neither could be shown
};
llvm::StringRef getVerdictName(Verdict verdict);

struct RandomTestOptions {
  /// Trials in which each element of each output must be compared.
  unsigned trials = 2;
  /// Elements are undefined in some trials: at most this many are made, and
  /// then one comparison of each element will do.
  unsigned maxTrials = 64;
  /// The memory that tensors may take, three quarters of it for one evaluation
  /// and the rest for what is kept for the next candidate. Programs that need
  /// more are Unknown, as every element of every tensor is computed.
  int64_t maxBytes = int64_t(1) << 32;
  /// Trial t draws its field and its inputs from seed + t.
  uint64_t seed = 1;
  /// Whether programs with roots, maxima or functions outside of LAX are
  /// compared over the reals, too, before they are accepted or refuted. Without
  /// it, Refuted says that they differ over the field, which knows no law of
  /// max or of such a function and none of a root that needs a sign; and
  /// programs that are defined for different inputs are accepted.
  bool checkReals = true;
  /// Whether to compute a bound for what is accepted.
  bool computeBound = true;
  /// Set to end the test after the trial that is running, as Unknown.
  const std::atomic<bool> *stop = nullptr;
};

struct RandomTestResult {
  Verdict verdict = Verdict::Unknown;
  unsigned trials = 0;
  uint64_t seed = 1;
  /// The primes p of the trials; where `exponents`, the primes q are (p - 1)
  /// / 2.
  std::vector<uint32_t> primes;
  bool exponents = false;
  /// Accepted: log2 of a bound of the probability that programs which differ
  /// (as formulas, docs/Verification.md) pass this test. Nothing where the
  /// bound is vacuous, that is 1 or more, or there is none.
  std::optional<double> log2Bound;
  /// Which theorem the bound is by (Schwartz and Zippel; the paper's Theorem
  /// 2), or why there is none.
  std::string boundNote;
  /// Refuted: the seed of the trial (of the test, if it is over the reals), the
  /// output and the element that differ.
  uint64_t failingSeed = 0;
  unsigned output = 0;
  Shape index;
  /// Refuted: whether it was over the reals that they differ, or that the
  /// candidate has no value and the reference has.
  bool overReals = false;
  /// Unknown: why.
  std::string reason;
};

/// Compares candidates with one reference; keeps the reference's inputs and
/// outputs, unless they are large, from one candidate to the next. Programs
/// that are equal by the laws that docs/Verification.md states are never
/// refuted; they are Unknown when too many of their elements are undefined in
/// the field. Not thread safe.
class RandomTester {
public:
  /// The reference must outlive it.
  RandomTester(const KernelGraph &reference, RandomTestOptions options);
  ~RandomTester();
  RandomTester(RandomTester &&);

  /// The candidate must have inputs and outputs of the reference's shapes.
  RandomTestResult test(const KernelGraph &candidate);

  /// About how long `test` would take on one core, from the operations that it
  /// would do: for equal programs the same on every machine.
  double estimateSeconds(const KernelGraph &candidate) const;

private:
  struct Trial {
    /// In an optional, as there is no default field.
    std::optional<FiniteField> field;
    std::vector<Tensor> inputs, outputs;
  };
  /// Why a test can't say anything, if it is clear beforehand.
  std::optional<std::string> findObstacle(const KernelGraph &candidate) const;
  bool usesExponents(const KernelGraph &candidate) const;
  /// Whether the reals have to be asked, too.
  bool needsReals(const KernelGraph &candidate) const;
  Trial makeTrial(unsigned number, bool exponents);
  const Trial &getTrial(unsigned number, bool exponents);
  void testOverField(const KernelGraph &candidate, bool isAlgebraic,
                     RandomTestResult &result);
  void computeBound(const KernelGraph &candidate, unsigned comparisons,
                    RandomTestResult &result);
  void testOverReals(const KernelGraph &candidate, RandomTestResult &result);

  const KernelGraph &reference;
  RandomTestOptions options;
  std::unique_ptr<RootRepair> repair;
  std::unique_ptr<RealTest> reals;
  /// Without exponents and with them.
  std::array<std::vector<Trial>, 2> trialCache;
  /// The last trial, where not all can be kept.
  Trial lastTrial;
  std::pair<unsigned, bool> lastTrialNumber{~0u, false};
};

} // namespace mirage

#endif // MIRAGE_VERIFY_RANDOMTEST_H
