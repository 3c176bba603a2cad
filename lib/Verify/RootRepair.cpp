//===- RootRepair.cpp - Inputs for which roots exist ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RootRepair.h"
#include "EvaluationCost.h"
#include "Mirage/Numbers/Random.h"
#include "ProgramFeatures.h"
#include "llvm/ADT/DenseSet.h"

using namespace mirage;

namespace {

/// Notes which elements of roots had no root, in the order of evaluation.
class RootRecorder final : public FiniteField {
public:
  using FiniteField::FiniteField;

  Tensor sqrt(const Tensor &operand) const override {
    Tensor result = FiniteField::sqrt(operand);
    std::vector<int64_t> &list = missing.emplace_back();
    for (size_t i = 0; i < result.undefined.size(); ++i)
      if (result.undefined[i] &&
          (operand.undefined.empty() || !operand.undefined[i]))
        list.push_back(i);
    return result;
  }

  /// By evaluation of a root.
  mutable std::vector<std::vector<int64_t>> missing;
};

/// Notes the representatives of radicands, in the same order.
class RadicandRecorder final : public Representatives {
public:
  using Representatives::Representatives;

  Tensor sqrt(const Tensor &operand) const override {
    radicands.push_back(operand);
    return operand;
  }

  mutable std::vector<Tensor> radicands;
};

} // namespace

RootRepair::RootRepair(const KernelGraph &graph) : graph(graph) {
  needed.resize(graph.tensors.size());
  slice.numInputs = graph.numInputs;
  slice.tensors = graph.tensors;
  for (const KernelNode &node : llvm::reverse(graph.nodes)) {
    bool root = getFeatures(graph, node).roots;
    if (root)
      slice.outputs.append(node.results.begin(), node.results.end());
    if (!root && llvm::none_of(node.results,
                               [&](unsigned result) { return needed[result]; }))
      continue;
    for (unsigned operand : node.operands)
      needed[operand] = true;
    slice.nodes.push_back(node);
  }
  std::reverse(slice.nodes.begin(), slice.nodes.end());
}

double RootRepair::getPeakBytes() const {
  if (!hasRoots())
    return 0;
  double elements = getPeakElements(slice);
  for (unsigned i = 0; i < graph.numInputs; ++i)
    if (!needed[i])
      elements -= getNumElements(graph.tensors[i].shape);
  // A representative for each input and a flag; for each root a choice, and
  // the set of those that are there.
  constexpr int64_t kBytesOfRoot = 2 * sizeof(Choice) + 4 * sizeof(uint64_t);
  return elements * (sizeof(uint32_t) * graph.numInputs + 1) +
         countOutputElements(slice) * kBytesOfRoot;
}

void RootRepair::choose() {
  chosen = true;
  RadicandRecorder recorder(graph.numInputs, mix(graph.numInputs));
  std::vector<Tensor> inputs;
  for (unsigned i = 0; i < graph.numInputs; ++i)
    inputs.push_back(needed[i] ? recorder.makeInput(graph.tensors[i].shape, i)
                               : Tensor());
  evaluate(slice, recorder, inputs);
  for (const Tensor &radicand : recorder.radicands) {
    int64_t count = radicand.getNumElements();
    // The input whose elements the fewest roots share.
    unsigned best = 0;
    size_t mostDistinct = 0;
    for (unsigned c = 0; c < graph.numInputs; ++c) {
      const uint32_t *numbers = radicand.planes[c].as<uint32_t>();
      llvm::DenseSet<uint64_t> distinct;
      for (int64_t i = 0; i < count; ++i)
        if (numbers[i] != 0)
          distinct.insert(numbers[i]);
      if (distinct.size() > mostDistinct) {
        mostDistinct = distinct.size();
        best = c;
      }
    }
    std::vector<Choice> &list = choices.emplace_back(count);
    for (int64_t i = 0; i < count; ++i)
      for (unsigned k = 0; k < graph.numInputs; ++k) {
        unsigned c = (best + k) % graph.numInputs;
        uint32_t number = radicand.planes[c].as<uint32_t>()[i];
        if (number == 0)
          continue;
        list[i] = {c, recorder.getElement(number)};
        break;
      }
  }
}

bool RootRepair::hasConstantRoots() {
  if (hasRoots() && !chosen)
    choose();
  return llvm::any_of(choices, [](const std::vector<Choice> &list) {
    return llvm::any_of(
        list, [](const Choice &choice) { return choice.element < 0; });
  });
}

RootRepair::Outcome RootRepair::repair(bool withExponents, uint64_t fieldSeed,
                                       uint64_t seed,
                                       std::vector<Tensor> &inputs) {
  if (!chosen)
    choose();
  for (unsigned sweep = 0;; ++sweep) {
    RootRecorder field(withExponents, fieldSeed);
    evaluate(slice, field, inputs);
    bool missing = false;
    for (auto [list, choice] : llvm::zip_equal(field.missing, choices))
      for (int64_t i : list) {
        missing = true;
        auto [input, element] = choice[i];
        if (element < 0)
          return Outcome::OtherPrime;
        if (sweep == kMaxSweeps)
          continue;
        Tensor redrawn =
            field.random({}, mix(seed ^ mix(sweep)), mix(input) ^ element);
        for (auto [to, from] : llvm::zip(inputs[input].planes, redrawn.planes))
          to.as<uint32_t>()[element] = *from.as<uint32_t>();
      }
    if (!missing)
      return Outcome::Done;
    if (sweep == kMaxSweeps)
      return Outcome::Failed;
  }
}

std::optional<unsigned> RootRepair::countRedrawn(const KernelGraph &candidate) {
  if (!hasRoots())
    return 0;
  if (!chosen)
    choose();
  constexpr size_t kMostMarks = 1 << 18;
  MarkedSets sets;
  std::vector<Tensor> inputs;
  for (unsigned i = 0; i < graph.numInputs; ++i)
    inputs.push_back(sets.zeros(graph.tensors[i].shape));
  uint32_t marks = 0;
  for (const std::vector<Choice> &list : choices)
    for (auto [input, element] : list) {
      if (element < 0)
        continue;
      uint32_t &set = inputs[input].planes[0].as<uint32_t>()[element];
      if (set == 0)
        set = sets.makeMark(++marks);
      if (marks > kMostMarks)
        return std::nullopt;
    }
  std::vector<Tensor> ours = evaluate(graph, sets, inputs);
  std::vector<Tensor> theirs = evaluate(candidate, sets, inputs);
  unsigned most = 0;
  for (auto [lhs, rhs] : llvm::zip_equal(ours, theirs)) {
    const uint32_t *x = lhs.planes[0].as<uint32_t>();
    const uint32_t *y = rhs.planes[0].as<uint32_t>();
    for (int64_t i = 0, e = lhs.getNumElements(); i < e; ++i)
      most = std::max(most, sets.getSize(sets.join(x[i], y[i])));
  }
  if (most > MarkedSets::kMost)
    return std::nullopt;
  return most;
}
