//===- RealTest.cpp - Two programs over the reals -------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RealTest.h"
#include "EvaluationCost.h"
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

/// Of a number and of its flag, in f64 and, for small programs, `long double`.
constexpr int64_t kBytes = 2 * sizeof(double) + 1,
                  kPreciseBytes = 2 * sizeof(long double) + 1;

bool isSmall(const KernelGraph &graph) {
  return mirage::getWork(graph) <= kSmallWork;
}

/// Of the reference, what is kept for further candidates.
double countKept(const KernelGraph &reference) {
  return countInputElements(reference) + countOutputElements(reference);
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

bool RealTest::canEvaluate(const KernelGraph &reference,
                           const KernelGraph &candidate, int64_t maxBytes) {
  if (std::max(mirage::getWork(reference), mirage::getWork(candidate)) >
      kMostWork)
    return false;
  // The reference's outputs are there while the candidate is evaluated.
  double elements =
      std::max(getPeakElements(reference), getPeakElements(candidate)) +
      countOutputElements(reference);
  bool small = isSmall(reference) && isSmall(candidate);
  return elements * (small ? kPreciseBytes : kBytes) <=
         getEvaluationBytes(maxBytes);
}

double RealTest::getWork(const KernelGraph &reference,
                         const KernelGraph &candidate) {
  // Small programs are tried on more inputs, and cost next to nothing.
  return kKindsWhenLarge *
         (mirage::getWork(reference) + mirage::getWork(candidate));
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
  bool small = isSmall(reference) && isSmall(candidate);
  bool keep = small && countKept(reference) * (kBytes + kPreciseBytes) *
                               std::size(kKinds) <=
                           getCacheBytes(maxBytes);
  domainDoubtful = false;
  unsigned kinds = small ? std::size(kKinds) : kKindsWhenLarge;
  auto find = [&](unsigned number, auto zero) {
    auto difference = findDifference<decltype(zero)>(candidate, number);
    // Otherwise one evaluation fits in memory.
    if (!keep)
      evaluations.clear();
    return difference;
  };
  for (unsigned number = 0; number < kinds; ++number)
    if (auto difference = find(number, 0.0))
      return difference;
  for (unsigned number = 0; number < kinds && small && precise; ++number)
    if (auto difference = find(number, 0.0L))
      return difference;
  return std::nullopt;
}
