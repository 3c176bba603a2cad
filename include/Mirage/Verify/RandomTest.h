//===- RandomTest.h - Equivalence by random testing over finite fields ----*- C++ -*-===//
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
#include <atomic>

namespace mirage {

/// What a verifier says of two programs.
enum class Verdict {
  Accepted, ///< equal on every trial: wrong with small probability
  Refuted,  ///< different on some input
  Unknown,  ///< neither could be shown
};
llvm::StringRef getVerdictName(Verdict verdict);

struct RandomTestOptions {
  /// Trials that must pass.
  unsigned trials = 2;
  /// More trials than that are made until every element of every output has
  /// been compared; at most this many.
  unsigned maxTrials = 64;
  /// The two programs' tensors may have this many elements together; larger ones
  /// don't fit in memory and are Unknown.
  int64_t maxElements = int64_t(1) << 31;
  /// Trial t draws its inputs from seed + t.
  uint64_t seed = 1;
  /// Set to end the test after the trial that is running, as Unknown.
  const std::atomic<bool> *stop = nullptr;
};

struct RandomTestResult {
  Verdict verdict = Verdict::Unknown;
  unsigned trials = 0;
  uint64_t seed = 1;
  /// Refuted: the seed of the trial, the output and the element that differ.
  uint64_t failingSeed = 0;
  unsigned output = 0;
  Shape index;
  /// Unknown: why.
  std::string reason;
};

/// Compares candidates with one reference; keeps the reference's inputs and
/// outputs, unless they are large, from one candidate to the next. Programs that
/// are equal by the laws that docs/Verification.md states are never refuted; they
/// are Unknown when too many of their elements are undefined in the field. Not
/// thread safe.
class RandomTester {
public:
  RandomTester(const KernelGraph &reference, RandomTestOptions options);

  /// The candidate must have inputs and outputs of the reference's shapes.
  RandomTestResult test(const KernelGraph &candidate);

private:
  struct Trial {
    std::vector<Tensor> inputs, outputs;
  };
  bool constantsCollide(const KernelGraph &a, const KernelGraph &b) const;
  Trial makeTrial(unsigned number) const;
  const Trial &getTrial(unsigned number);

  const KernelGraph &reference;
  RandomTestOptions options;
  FiniteField field;
  std::vector<Trial> trialCache;
  /// The last trial, where trials are too large to be kept.
  Trial lastTrial;
  unsigned lastTrialNumber = ~0u;
};

} // namespace mirage

#endif // MIRAGE_VERIFY_RANDOMTEST_H
