//===- Equivalence.h - Whether two programs compute the same ----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_VERIFY_EQUIVALENCE_H
#define MIRAGE_VERIFY_EQUIVALENCE_H

#include "Mirage/Prove/Prover.h"
#include "Mirage/Solve/Solve.h"
#include "Mirage/Verify/RandomTest.h"

#include <limits>

namespace mirage {

/// Which verifiers are asked.
enum class VerifyMethod {
  Random, ///< random testing only
  Prove,  ///< a proof; random tests only look for a counterexample
  Both,   ///< a proof, and random testing of what can't be proved
};

struct EquivalenceOptions {
  VerifyMethod method = VerifyMethod::Both;
  RandomTestOptions random;
  /// What the user says of opaque operators.
  std::shared_ptr<const solve::Axioms> axioms;
  /// How long the solver may try to prove what has no equal normal forms; 0
  /// leaves it out.
  double solverSeconds = 5;
  /// Whether to test what can't be accepted, since it may not be defined
  /// wherever the reference is, if only to refute it.
  bool testsUndefined = true;
};

/// A verdict, and what it rests on.
struct EquivalenceResult {
  Verdict verdict = Verdict::Unknown;
  /// Proved: for which sizes.
  ProvedSizes sizes = ProvedSizes::These;
  /// Proved: whether with the solver; the user's axioms that it assumes, each
  /// with its file and line; and whether these are known not to contradict each
  /// other.
  bool bySolver = false;
  std::vector<std::string> usedAxioms;
  std::string axiomsFile;
  bool areAxiomsConsistent = true;
  /// Proved: whether part by part. What was put together of graphs that are
  /// proved to be equal to parts of the program has no proof as a whole.
  bool inParts = false;
  /// Refuted: the functions that satisfy the axioms and for which they differ.
  std::string model;
  /// Unknown: why; a proof that failed says why, too, when random testing
  /// accepted.
  std::string reason;
  /// Unknown: whether the solver ran out of time, so that a faster machine may
  /// come to another verdict.
  bool solverRanOut = false;
  /// What random testing found; not asked for what is proved.
  std::optional<RandomTestResult> random;
};

/// Compares candidates with one reference: the one way to a verdict for tools
/// and passes. Equality is over the reals: casts are the identity, constants
/// the numbers as written, and the candidate must be defined wherever the
/// reference is. Not thread safe.
class EquivalenceChecker {
public:
  /// The reference must outlive it.
  EquivalenceChecker(const KernelGraph &reference,
                     const EquivalenceOptions &options);

  /// How long to try.
  struct Effort {
    ProofEffort proof = ProofEffort::Full;
    /// What has no proof, and would take longer than so many seconds to test
    /// (by operations, the same on every machine), is Unknown.
    double testSeconds = std::numeric_limits<double>::infinity();
  };

  /// Inputs and outputs must have the reference's shapes (`haveSameSignature`).
  EquivalenceResult check(const KernelGraph &candidate) {
    return check(candidate, Effort());
  }
  EquivalenceResult check(const KernelGraph &candidate, const Effort &effort);

private:
  EquivalenceResult check(const KernelGraph &candidate,
                          const ProofResult &proof, double mostTestSeconds);
  /// Whether the axioms speak of an operator of the programs.
  bool usesAxioms(const KernelGraph &candidate) const;
  /// A model of the axioms in which the candidate differs, and where.
  const solve::Model *findModel(const KernelGraph &candidate,
                                RandomTestResult &difference) const;
  bool trySolver(const KernelGraph &candidate, EquivalenceResult &result) const;
  EquivalenceResult checkWithAxioms(const KernelGraph &candidate,
                                    const ProofResult &proof,
                                    EquivalenceResult result);

  const KernelGraph &reference;
  EquivalenceOptions options;
  RandomTester tester;
};

/// Whether inputs and outputs of two programs have the same shapes; their
/// element types don't matter. If not, `error` says which differs.
bool haveSameSignature(const KernelGraph &reference,
                       const KernelGraph &candidate, std::string &error);

} // namespace mirage

#endif // MIRAGE_VERIFY_EQUIVALENCE_H
