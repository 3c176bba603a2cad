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

/// Trials of programs with more elements than that are not kept.
static constexpr int64_t kCachedElements = 1 << 20;

RandomTester::Trial RandomTester::makeTrial(unsigned number) const {
  Trial trial;
  for (unsigned i = 0; i < reference.numInputs; ++i)
    trial.inputs.push_back(
        field.random(reference.tensors[i].shape, options.seed + number, i));
  trial.outputs = evaluate(reference, field, trial.inputs);
  return trial;
}

const RandomTester::Trial &RandomTester::getTrial(unsigned number) {
  int64_t elements = 0;
  for (const KernelTensor &tensor : reference.tensors)
    elements += getNumElements(tensor.shape);
  if (elements > kCachedElements) {
    if (lastTrialNumber != number)
      lastTrial = makeTrial(number);
    lastTrialNumber = number;
    return lastTrial;
  }
  while (trialCache.size() <= number)
    trialCache.push_back(makeTrial(trialCache.size()));
  return trialCache[number];
}

/// After this many trials without an element to compare the test gives up.
static constexpr unsigned kHopelessTrials = 8;

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

/// The elements of all tensors in device memory, those of inputs left out.
static int64_t countComputed(const KernelGraph &graph) {
  int64_t count = 0;
  for (const KernelTensor &tensor :
       llvm::ArrayRef<KernelTensor>(graph.tensors).drop_front(graph.numInputs))
    count += getNumElements(tensor.shape);
  return count;
}

/// Adds the constants of a graph, at any level.
static void collectConstants(const KernelGraph &graph,
                             llvm::SmallVectorImpl<double> &constants) {
  for (const KernelNode &node : graph.nodes) {
    if (node.kind == KernelNode::Kind::Constant)
      constants.push_back(node.constant);
    if (!node.graph)
      continue;
    for (const BlockNode &blockNode : node.graph->nodes)
      if (blockNode.kind == BlockNode::Kind::Constant)
        constants.push_back(blockNode.constant);
  }
}

/// Whether two different constants of the programs, or one and 0, have the same
/// residues, so that the field can't tell them apart.
bool RandomTester::constantsCollide(const KernelGraph &a,
                                    const KernelGraph &b) const {
  llvm::SmallVector<double> constants{0.0};
  collectConstants(a, constants);
  collectConstants(b, constants);
  llvm::SmallVector<Tensor> residues;
  for (double constant : constants)
    residues.push_back(field.constant(constant));
  for (size_t i = 0; i < constants.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (constants[i] != constants[j] &&
          !field.findDifference(residues[i], residues[j]))
        return true;
  return false;
}

RandomTestResult RandomTester::test(const KernelGraph &candidate) {
  RandomTestResult result;
  result.seed = options.seed;
  if (candidate.usesExponentiation() && !reference.usesExponentiation()) {
    result.reason = "the candidate exponentiates and the reference does not";
    return result;
  }
  int64_t elements = countComputed(reference) + countComputed(candidate);
  for (unsigned i = 0; i < reference.numInputs; ++i)
    elements += getNumElements(reference.tensors[i].shape);
  if (elements > options.maxElements) {
    result.reason = "the tensors have " + std::to_string(elements) +
                    " elements, and only " +
                    std::to_string(options.maxElements) + " are tried";
    return result;
  }
  if (constantsCollide(reference, candidate)) {
    result.reason = "two different constants are equal in the field";
    return result;
  }
  std::vector<std::vector<bool>> compared;
  for (unsigned output : reference.outputs)
    compared.emplace_back(getNumElements(reference.tensors[output].shape));
  int64_t left = 0;
  while (result.trials < options.maxTrials) {
    if (options.stop && options.stop->load(std::memory_order_relaxed)) {
      result.reason = "the time limit came first";
      return result;
    }
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
    // Where not one element has a value time after time, more trials won't help.
    if (result.trials == kHopelessTrials &&
        llvm::none_of(compared, [](const std::vector<bool> &elements) {
          return llvm::is_contained(elements, true);
        }))
      break;
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
