//===- RealTest.cpp - Two programs over the reals -------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RealTest.h"
#include "Mirage/Numbers/BallNumbers.h"
#include "Mirage/Numbers/Random.h"
#include <cmath>

using namespace mirage;

namespace {

struct InputKind {
  double magnitude;
  bool positive;
};
/// The most telling ones first: large programs are tried on these only.
constexpr InputKind kKinds[] = {
    {1, false},       {1, true},      {0x1p4, false},  {0x1p4, true},
    {0x1p-4, false},  {0x1p-4, true}, {0x1p10, false}, {0x1p10, true},
    {0x1p-10, false}, {0x1p-10, true}};
constexpr unsigned kKindsWhenLarge = 2;

/// In operations, for one evaluation.
constexpr double kSmallWork = 0x1p24, kMostWork = 0x1p34;
/// 32 bytes are needed for each element of a tensor.
constexpr int64_t kMostElements = int64_t(1) << 28;

double getWork(const Operator &op, llvm::ArrayRef<Shape> operands,
               const Params &params) {
  Shape shape;
  op.inferShape(operands, params, shape);
  OperatorCost cost = op.getCost(operands, shape, params);
  return static_cast<double>(getNumElements(shape)) + cost.tensorFlops +
         cost.scalarFlops + 16.0 * cost.specialFunctions;
}

double getWork(const KernelGraph &graph) {
  double work = 0;
  for (const KernelNode &node : graph.nodes) {
    llvm::SmallVector<Shape> operands;
    if (node.op) {
      for (unsigned operand : node.operands)
        operands.push_back(graph.tensors[operand].shape);
      work += getWork(*node.op, operands, node.params);
    }
    if (!node.graph)
      continue;
    for (const BlockNode &blockNode : node.graph->nodes) {
      double times = static_cast<double>(node.graph->getNumBlocks()) *
                     (blockNode.inLoop ? node.graph->iterations : 1);
      double once = getNumElements(blockNode.shape);
      if (blockNode.op) {
        operands.clear();
        for (unsigned operand : blockNode.operands)
          operands.push_back(node.graph->nodes[operand].shape);
        once = getWork(*blockNode.op, operands, blockNode.params);
      }
      work += times * once;
    }
  }
  return work;
}

} // namespace

/// Whether nothing is known about an element of `rhs` that `lhs` has a value
/// for.
template <typename T>
static bool hasDoubtfulElement(const Tensor &lhs, const Tensor &rhs) {
  const T *x = lhs.planes[1].as<T>(), *y = rhs.planes[1].as<T>();
  for (int64_t i = 0, e = lhs.getNumElements(); i < e; ++i)
    if (!std::isinf(x[i]) && std::isinf(y[i]) &&
        (lhs.undefined.empty() || !lhs.undefined[i]))
      return true;
  return false;
}

bool RealTest::canEvaluate(const KernelGraph &graph) {
  int64_t elements = 0;
  for (const KernelTensor &tensor : graph.tensors)
    elements += getNumElements(tensor.shape);
  return elements <= kMostElements && getWork(graph) <= kMostWork;
}

template <typename T>
std::optional<RealTest::Difference>
RealTest::findDifference(const KernelGraph &candidate, unsigned number) {
  BallNumbers<T> numbers(kKinds[number].magnitude, kKinds[number].positive,
                         functions);
  Evaluation &evaluation = evaluations[{sizeof(T), number}];
  if (evaluation.inputs.empty() && evaluation.outputs.empty()) {
    for (unsigned i = 0; i < reference.numInputs; ++i)
      evaluation.inputs.push_back(numbers.random(reference.tensors[i].shape,
                                                 mix(seed ^ mix(number)), i));
    evaluation.outputs = evaluate(reference, numbers, evaluation.inputs);
  }
  std::vector<Tensor> outputs = evaluate(candidate, numbers, evaluation.inputs);
  // At larger magnitudes it may be an overflow.
  if (kKinds[number].magnitude <= 1)
    for (auto [ours, theirs] : llvm::zip_equal(evaluation.outputs, outputs))
      domainDoubtful |= hasDoubtfulElement<T>(ours, theirs);
  for (auto [i, output] : llvm::enumerate(outputs))
    if (auto element = numbers.findDifference(evaluation.outputs[i], output))
      return Difference{static_cast<unsigned>(i), *element};
  return std::nullopt;
}

std::optional<RealTest::Difference>
RealTest::findDifference(const KernelGraph &candidate, bool precise) {
  bool small = std::max(getWork(reference), getWork(candidate)) <= kSmallWork;
  domainDoubtful = false;
  unsigned kinds = small ? std::size(kKinds) : kKindsWhenLarge;
  for (unsigned number = 0; number < kinds; ++number) {
    // One evaluation of a large program fits in memory.
    if (!small)
      evaluations.clear();
    if (auto difference = findDifference<double>(candidate, number))
      return difference;
  }
  for (unsigned number = 0; number < kinds && small && precise; ++number)
    if (auto difference = findDifference<long double>(candidate, number))
      return difference;
  return std::nullopt;
}
