//===- RandomTest.cpp - Random testing over fields ------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Verify/RandomTest.h"
#include "DegreeBound.h"
#include "EvaluationCost.h"
#include "Mirage/Numbers/Random.h"
#include "ProgramFeatures.h"
#include "RealTest.h"
#include "RootRepair.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;

llvm::StringRef mirage::getVerdictName(Verdict verdict) {
  switch (verdict) {
  case Verdict::Proved:
    return "proved";
  case Verdict::Accepted:
    return "accepted";
  case Verdict::Refuted:
    return "refuted";
  case Verdict::Unknown:
    return "unknown";
  }
  llvm_unreachable("covered switch");
}

RandomTester::RandomTester(const KernelGraph &reference,
                           RandomTestOptions options)
    : reference(reference), options(options),
      repair(std::make_unique<RootRepair>(reference)),
      reals(std::make_unique<RealTest>(reference, options.seed,
                                       options.maxBytes)) {}

RandomTester::~RandomTester() = default;
RandomTester::RandomTester(RandomTester &&) = default;

/// Of an element: its components, and whether it is undefined.
static int64_t getElementBytes(bool exponents) {
  return sizeof(uint32_t) * (exponents ? 2 : 1) + 1;
}

RandomTester::Trial RandomTester::makeTrial(unsigned number, bool exponents) {
  Trial trial;
  uint64_t seed = options.seed + number;
  for (unsigned attempt = 0; attempt < RootRepair::kMaxPrimes; ++attempt) {
    // The field of the first attempt is that of the trial's seed.
    uint64_t fieldSeed = attempt == 0 ? seed : mix(mix(seed) ^ attempt);
    trial.field.emplace(exponents, fieldSeed);
    trial.inputs.clear();
    for (unsigned i = 0; i < reference.numInputs; ++i)
      trial.inputs.push_back(
          trial.field->random(reference.tensors[i].shape, seed, i));
    if (!repair->hasRoots() ||
        repair->repair(exponents, fieldSeed, seed, trial.inputs) !=
            RootRepair::Outcome::OtherPrime)
      break;
  }
  trial.outputs = evaluate(reference, *trial.field, trial.inputs);
  return trial;
}

const RandomTester::Trial &RandomTester::getTrial(unsigned number,
                                                  bool exponents) {
  // There are trials with exponents and without.
  double bytes =
      (countInputElements(reference) + countOutputElements(reference)) *
      getElementBytes(exponents);
  if (bytes * (number + 1) > getCacheBytes(options.maxBytes) / 2) {
    if (lastTrialNumber != std::pair(number, exponents)) {
      lastTrial = Trial();
      lastTrial = makeTrial(number, exponents);
    }
    lastTrialNumber = {number, exponents};
    return lastTrial;
  }
  std::vector<Trial> &cache = trialCache[exponents];
  while (cache.size() <= number)
    cache.push_back(makeTrial(cache.size(), exponents));
  return cache[number];
}

/// After this many trials without an element to compare the test gives up. A
/// candidate's root of a constant exists in a quarter of the fields.
static constexpr unsigned kHopelessTrials = 8, kHopelessTrialsWithRoots = 32;

/// Splits a row-major index.
static Shape delinearize(int64_t linear, llvm::ArrayRef<int64_t> shape) {
  Shape index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = linear % shape[d];
    linear /= shape[d];
  }
  return index;
}

/// Counts, for each element that is defined in both tensors, one comparison
/// more.
static void countCompared(const Tensor &lhs, const Tensor &rhs,
                          std::vector<unsigned> &compared) {
  for (size_t i = 0; i < compared.size(); ++i) {
    bool undefined = (!lhs.undefined.empty() && lhs.undefined[i]) ||
                     (!rhs.undefined.empty() && rhs.undefined[i]);
    compared[i] += !undefined;
  }
}

/// How the field's verdict on programs with roots or functions is to be read.
static const char *const kMayBeEqual =
    "differs in the field, agrees in f64: a law of a root, of max or of an "
    "opaque function may make them equal";

void RandomTester::testOverField(const KernelGraph &candidate, bool isAlgebraic,
                                 RandomTestResult &result) {
  bool roots = repair->hasRoots() || getFeatures(candidate).roots;
  unsigned hopeless = roots ? kHopelessTrialsWithRoots : kHopelessTrials;
  std::vector<std::vector<unsigned>> compared;
  for (unsigned output : reference.outputs)
    compared.emplace_back(getNumElements(reference.tensors[output].shape));
  // How many comparisons every element, and any, has had.
  unsigned least = 0, most = 0;
  while (result.trials < options.maxTrials) {
    if (options.stop && options.stop->load(std::memory_order_relaxed)) {
      result.reason = "the time limit came first";
      return;
    }
    const Trial &trial = getTrial(result.trials, result.exponents);
    result.primes.push_back(trial.field->getP());
    std::vector<Tensor> outputs =
        evaluate(candidate, *trial.field, trial.inputs);
    least = result.trials + 1;
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (auto difference =
              trial.field->findDifference(trial.outputs[i], outputs[i])) {
        result.failingSeed = options.seed + result.trials;
        result.output = i;
        result.index = delinearize(*difference, outputs[i].shape);
        ++result.trials;
        bool decisive = isAlgebraic || !options.checkReals;
        result.verdict = decisive ? Verdict::Refuted : Verdict::Unknown;
        if (!decisive)
          result.reason = kMayBeEqual;
        return;
      }
      countCompared(trial.outputs[i], outputs[i], compared[i]);
      for (unsigned count : compared[i]) {
        least = std::min(least, count);
        most = std::max(most, count);
      }
    }
    ++result.trials;
    if (least >= options.trials && result.trials >= options.trials)
      break;
    // Where not one element has a value time after time, more trials won't
    // help.
    if (result.trials >= hopeless && most == 0 && !outputs.empty())
      break;
  }
  if (least > 0) {
    result.verdict = Verdict::Accepted;
    if (options.computeBound)
      computeBound(candidate, least, result);
    return;
  }
  int64_t left = 0;
  for (const std::vector<unsigned> &counts : compared)
    left += llvm::count(counts, 0);
  result.reason = std::to_string(left) +
                  " elements had no value in the field in any of " +
                  std::to_string(result.trials) + " trials";
}

void RandomTester::testOverReals(const KernelGraph &candidate,
                                 RandomTestResult &result) {
  // Where a verdict needs the reals, that was seen before the test.
  if (!RealTest::canEvaluate(reference, candidate, options.maxBytes))
    return;
  // Only what is kept of the field stays in memory.
  lastTrial = Trial();
  lastTrialNumber = {~0u, false};
  bool precise = result.verdict == Verdict::Unknown;
  auto difference = reals->findDifference(candidate, precise);
  if (!difference) {
    if (result.verdict == Verdict::Accepted && reals->isDomainDoubtful()) {
      result.verdict = Verdict::Unknown;
      result.log2Bound.reset();
      result.boundNote.clear();
      result.reason = "equal in the field, but the candidate may be undefined "
                      "where the reference is defined";
    }
    return;
  }
  result.verdict = Verdict::Refuted;
  result.overReals = true;
  result.failingSeed = options.seed;
  result.output = difference->output;
  result.index = delinearize(
      difference->element,
      reference.tensors[reference.outputs[difference->output]].shape);
  result.log2Bound.reset();
  result.boundNote.clear();
  result.reason.clear();
}

void RandomTester::computeBound(const KernelGraph &candidate,
                                unsigned comparisons,
                                RandomTestResult &result) {
  TrialFacts facts;
  facts.trials = result.trials;
  facts.comparisons = comparisons;
  facts.exponents = result.exponents;
  facts.redrawn = repair->countRedrawn(candidate);
  if (repair->hasConstantRoots())
    facts.primeDraws = RootRepair::kMaxPrimes;
  ErrorBound bound = computeErrorBound(reference, candidate, facts);
  result.log2Bound = bound.log2Bound;
  result.boundNote = std::move(bound.note);
}

bool RandomTester::usesExponents(const KernelGraph &candidate) const {
  return reference.usesExponentiation() || candidate.usesExponentiation();
}

bool RandomTester::needsReals(const KernelGraph &candidate) const {
  return options.checkReals && !(getFeatures(reference).isAlgebraic() &&
                                 getFeatures(candidate).isAlgebraic());
}

std::optional<std::string>
RandomTester::findObstacle(const KernelGraph &candidate) const {
  int64_t elementBytes = getElementBytes(usesExponents(candidate));
  // Roots are counted with another number for each element.
  if (repair->hasRoots())
    elementBytes += sizeof(uint32_t);
  // The reference's outputs are there while the candidate is evaluated.
  double elements =
      std::max(getPeakElements(reference), getPeakElements(candidate)) +
      countOutputElements(reference);
  double bytes = std::max(elements * elementBytes, repair->getPeakBytes());
  auto toMiB = [](double bytes) {
    return llvm::formatv("{0:f0} MiB", bytes / 0x1p20).str();
  };
  if (bytes > getEvaluationBytes(options.maxBytes))
    return "a random test would take " + toMiB(bytes) + " of memory, and " +
           toMiB(getEvaluationBytes(options.maxBytes)) + " are allowed";
  // Whatever the field says, without the reals it is no verdict.
  if (needsReals(candidate) &&
      !RealTest::canEvaluate(reference, candidate, options.maxBytes))
    return "too large for f64 to tell whether a law of a root, of max or of an "
           "opaque function makes them equal, and whether they are defined for "
           "the same inputs";
  return std::nullopt;
}

double RandomTester::estimateSeconds(const KernelGraph &candidate) const {
  if (findObstacle(candidate))
    return 0;
  double work = options.trials * (getWork(reference) + getWork(candidate));
  if (needsReals(candidate))
    work += RealTest::getWork(reference, candidate);
  // On one core, within a factor of a few.
  constexpr double kOperationsPerSecond = 0x1p30;
  return work / kOperationsPerSecond;
}

RandomTestResult RandomTester::test(const KernelGraph &candidate) {
  RandomTestResult result;
  result.seed = options.seed;
  if (std::optional<std::string> obstacle = findObstacle(candidate)) {
    result.reason = std::move(*obstacle);
    return result;
  }
  result.exponents = usesExponents(candidate);
  bool isAlgebraic = getFeatures(reference).isAlgebraic() &&
                     getFeatures(candidate).isAlgebraic();
  testOverField(candidate, isAlgebraic, result);
  bool stopped = options.stop && options.stop->load(std::memory_order_relaxed);
  // Rational functions of inputs and exponentials are defined almost
  // everywhere, and where the field has compared them it has decided.
  bool decided = isAlgebraic && result.verdict != Verdict::Unknown;
  if (!options.checkReals || decided)
    return result;
  if (!stopped) {
    testOverReals(candidate, result);
  } else if (result.verdict == Verdict::Accepted) {
    result.verdict = Verdict::Unknown;
    result.log2Bound.reset();
    result.boundNote.clear();
    result.reason = "the time limit came first";
  }
  return result;
}
