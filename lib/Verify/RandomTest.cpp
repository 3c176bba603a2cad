//===- RandomTest.cpp - Equivalence by random testing over finite fields ---===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Verify/RandomTest.h"

using namespace mirage;

llvm::StringRef mirage::getVerdictName(Verdict verdict) {
  switch (verdict) {
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
      field(/*withExponents=*/reference.usesExponentiation()) {}

const RandomTester::Trial &RandomTester::getTrial(unsigned number) {
  while (trialCache.size() <= number) {
    Trial trial;
    for (unsigned i = 0; i < reference.numInputs; ++i)
      trial.inputs.push_back(field.random(reference.tensors[i].shape,
                                          options.seed + trialCache.size(), i));
    trial.outputs = evaluate(reference, field, trial.inputs);
    trialCache.push_back(std::move(trial));
  }
  return trialCache[number];
}

/// Splits a row-major index.
static Shape delinearize(int64_t linear, llvm::ArrayRef<int64_t> shape) {
  Shape index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = linear % shape[d];
    linear /= shape[d];
  }
  return index;
}

/// Marks the elements that are defined in both tensors; returns how many of all
/// are not marked yet.
static int64_t markCompared(const Tensor &lhs, const Tensor &rhs,
                            std::vector<bool> &compared) {
  int64_t left = 0;
  for (size_t i = 0; i < compared.size(); ++i) {
    bool undefined = (!lhs.undefined.empty() && lhs.undefined[i]) ||
                     (!rhs.undefined.empty() && rhs.undefined[i]);
    if (!undefined)
      compared[i] = true;
    left += !compared[i];
  }
  return left;
}

RandomTestResult RandomTester::test(const KernelGraph &candidate) {
  RandomTestResult result;
  result.seed = options.seed;
  if (candidate.usesExponentiation() && !reference.usesExponentiation()) {
    result.reason = "the candidate exponentiates and the reference does not";
    return result;
  }
  std::vector<std::vector<bool>> compared;
  for (unsigned output : reference.outputs)
    compared.emplace_back(getNumElements(reference.tensors[output].shape));
  int64_t left = 0;
  while (result.trials < options.maxTrials) {
    const Trial &trial = getTrial(result.trials);
    std::vector<Tensor> outputs = evaluate(candidate, field, trial.inputs);
    left = 0;
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (auto difference =
              field.findDifference(trial.outputs[i], outputs[i])) {
        result.verdict = Verdict::Refuted;
        result.failingSeed = options.seed + result.trials;
        result.output = i;
        result.index = delinearize(*difference, outputs[i].shape);
        ++result.trials;
        return result;
      }
      left += markCompared(trial.outputs[i], outputs[i], compared[i]);
    }
    ++result.trials;
    if (left == 0 && result.trials >= options.trials) {
      result.verdict = Verdict::Accepted;
      return result;
    }
  }
  result.reason = std::to_string(left) +
                  " elements had no value in the field in any of " +
                  std::to_string(result.trials) + " trials";
  return result;
}
