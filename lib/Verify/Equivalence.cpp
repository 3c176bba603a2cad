//===- Equivalence.cpp - Whether two programs compute the same ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Verify/Equivalence.h"
#include "Mirage/Operators/ShapeText.h"
#include "ProgramFeatures.h"
#include "RealTest.h"
#include <chrono>

using namespace mirage;

EquivalenceChecker::EquivalenceChecker(const KernelGraph &reference,
                                       const EquivalenceOptions &options)
    : reference(reference), options(options),
      tester(reference, options.random) {}

bool EquivalenceChecker::usesAxioms(const KernelGraph &candidate) const {
  if (!options.axioms)
    return false;
  for (const KernelGraph *graph : {&reference, &candidate})
    for (const auto &[name, arity] : getOpaqueFunctions(*graph)) {
      auto it = options.axioms->functions.find(name);
      if (it != options.axioms->functions.end() && it->second == arity)
        return true;
    }
  return false;
}

const solve::Model *
EquivalenceChecker::findModel(const KernelGraph &candidate,
                              RandomTestResult &difference) const {
  if (!RealTest::canEvaluate(reference, candidate, options.random.maxBytes))
    return nullptr;
  for (const solve::Model &model : options.axioms->models) {
    RealTest test(reference, options.random.seed, options.random.maxBytes,
                  model.getTable());
    auto found = test.findDifference(candidate, /*precise=*/false);
    if (!found)
      continue;
    difference.verdict = Verdict::Refuted;
    difference.overReals = true;
    difference.seed = difference.failingSeed = options.random.seed;
    difference.output = found->output;
    Shape shape = reference.tensors[reference.outputs[found->output]].shape;
    for (size_t d = shape.size(); d-- > 0;) {
      int64_t size = shape[d];
      shape[d] = found->element % size;
      found->element /= size;
    }
    difference.index = shape;
    return &model;
  }
  return nullptr;
}

/// Whether the solver proves it; else the reason says why not.
bool EquivalenceChecker::trySolver(const KernelGraph &candidate,
                                   EquivalenceResult &result) const {
  const solve::Axioms *axioms =
      usesAxioms(candidate) ? options.axioms.get() : nullptr;
  if (!(options.solverSeconds > 0) ||
      !(axioms || getFeatures(reference).functions ||
        getFeatures(reference).roots || getFeatures(candidate).functions))
    return false;
  SolveOptions solveOptions;
  solveOptions.seconds = options.solverSeconds;
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  SolveResult solved =
      solveEquivalence(reference, candidate, axioms, solveOptions);
  if (!solved.proved) {
    // Solvers look at the clock a little early.
    constexpr double kNearly = 0.9;
    const std::chrono::duration<double> taken = Clock::now() - begin;
    result.solverRanOut = taken.count() >= kNearly * options.solverSeconds;
    result.reason += "; " + solved.reason;
    return false;
  }
  result.verdict = Verdict::Proved;
  result.sizes = ProvedSizes::These;
  result.bySolver = true;
  result.reason.clear();
  for (unsigned number : solved.usedAxioms) {
    const solve::Axiom &axiom = axioms->axioms[number];
    result.usedAxioms.push_back(axioms->file + ":" +
                                std::to_string(axiom.line) + ": " + axiom.text);
    result.axiomsFile = axioms->file;
    result.areAxiomsConsistent = axioms->areConsistent();
  }
  return true;
}

/// The field knows nothing of what the axioms say, so that a difference there
/// means nothing; one in a model of the axioms does.
EquivalenceResult
EquivalenceChecker::checkWithAxioms(const KernelGraph &candidate,
                                    const ProofResult &proof,
                                    EquivalenceResult result) {
  RandomTestResult difference;
  const solve::Model *model = findModel(candidate, difference);
  if (model && model->confirmed) {
    result.verdict = Verdict::Refuted;
    result.reason.clear();
    result.model = model->getText();
    result.random = difference;
    return result;
  }
  if (options.method != VerifyMethod::Random && trySolver(candidate, result)) {
    if (!model)
      return result;
    result = EquivalenceResult();
    result.reason = "proved, but not so for " + model->getText() +
                    ", which seems to satisfy the axioms";
    return result;
  }
  // They may be equal whatever the functions are. A test says nothing else
  // here, and isn't run where that isn't accepted.
  const bool isUndefined = !options.testsUndefined && !proof.defined &&
                           options.method == VerifyMethod::Both;
  if (!model && !isUndefined && options.method != VerifyMethod::Prove) {
    RandomTestResult random = tester.test(candidate);
    if (random.verdict == Verdict::Accepted) {
      result.verdict = Verdict::Accepted;
      result.random = std::move(random);
      return result;
    }
  }
  if (result.reason.empty())
    result.reason = "the axioms are used by proofs only";
  return result;
}

EquivalenceResult EquivalenceChecker::check(const KernelGraph &candidate,
                                            const Effort &effort) {
  ProofResult proof = proveEquivalence(reference, candidate, effort.proof);
  EquivalenceResult result = check(candidate, proof, effort.testSeconds);
  // Random inputs never meet the pole of a quotient, and may never meet those
  // for which a root has no value.
  if (result.verdict == Verdict::Accepted && !proof.defined) {
    result.verdict = Verdict::Unknown;
    result.reason =
        "equal where both are defined, but " + proof.undefinedReason;
  }
  return result;
}

EquivalenceResult EquivalenceChecker::check(const KernelGraph &candidate,
                                            const ProofResult &proof,
                                            double mostTestSeconds) {
  EquivalenceResult result;
  bool proofs = options.method != VerifyMethod::Random;
  if (proofs && proof.proved) {
    result.verdict = Verdict::Proved;
    result.sizes = proof.sizes;
    return result;
  }
  if (proofs)
    result.reason = "no proof: " + proof.reason;
  const double testSeconds = tester.estimateSeconds(candidate);
  if (usesAxioms(candidate)) {
    // To try a model of the axioms is a test, too.
    if (testSeconds > mostTestSeconds)
      return result;
    return checkWithAxioms(candidate, proof, std::move(result));
  }
  if (!options.testsUndefined && proofs && !proof.defined) {
    trySolver(candidate, result);
    return result;
  }
  // Whichever may take longer comes last.
  if (testSeconds > mostTestSeconds)
    return result;
  bool solverFirst = proofs && testSeconds > options.solverSeconds;
  if (solverFirst && trySolver(candidate, result))
    return result;
  result.random = tester.test(candidate);
  result.verdict = result.random->verdict;
  // What is certainly wrong needs no solver.
  if (proofs && !solverFirst && result.verdict != Verdict::Refuted &&
      trySolver(candidate, result))
    return result;
  // Who asks for a proof doesn't want a probability.
  if (options.method == VerifyMethod::Prove &&
      result.verdict == Verdict::Accepted)
    result.verdict = Verdict::Unknown;
  else if (result.verdict == Verdict::Unknown)
    result.reason = result.reason.empty()
                        ? result.random->reason
                        : result.random->reason + "; " + result.reason;
  return result;
}

bool mirage::haveSameSignature(const KernelGraph &reference,
                               const KernelGraph &candidate,
                               std::string &error) {
  auto differ = [&](llvm::StringRef what, const auto &expected,
                    const auto &found) {
    error = ("has " + llvm::Twine(found) + " " + what + ", the reference has " +
             llvm::Twine(expected))
                .str();
    return false;
  };
  if (reference.numInputs != candidate.numInputs)
    return differ("inputs", reference.numInputs, candidate.numInputs);
  if (reference.outputs.size() != candidate.outputs.size())
    return differ("outputs", reference.outputs.size(),
                  candidate.outputs.size());
  auto haveSameShape = [&](llvm::Twine what, unsigned a, unsigned b) {
    const Shape &expected = reference.tensors[a].shape;
    const Shape &found = candidate.tensors[b].shape;
    if (expected == found)
      return true;
    error = (what + " has shape " + getShapeText(found) +
             ", that of the reference " + getShapeText(expected))
                .str();
    return false;
  };
  for (unsigned i = 0; i < reference.numInputs; ++i)
    if (!haveSameShape("input " + llvm::Twine(i), i, i))
      return false;
  for (size_t i = 0; i < reference.outputs.size(); ++i)
    if (!haveSameShape("output " + llvm::Twine(i), reference.outputs[i],
                       candidate.outputs[i]))
      return false;
  return true;
}
