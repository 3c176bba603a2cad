//===- Stability.cpp - Rounding errors of a candidate ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Verify/Stability.h"
#include "EvaluationCost.h"
#include "Mirage/Numbers/Random.h"
#include "Mirage/Numbers/RealNumbers.h"
#include "Mirage/Numbers/RoundedNumbers.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <limits>

using namespace mirage;
using llvm::ArrayRef;

namespace {

enum class Pattern {
  Plain,
  /// The right operands of matrix products are scaled so that products have the
  /// magnitude of the left operand.
  Weights,
  /// One element of each row is kPeak times larger.
  Dominated,
  EqualRows,
  Negative,
};

struct InputClass {
  llvm::StringLiteral name;
  Pattern pattern;
  double scale;
};
constexpr InputClass kClasses[] = {
    {"realistic", Pattern::Weights, 1},    {"times-4", Pattern::Plain, 4},
    {"times-16", Pattern::Plain, 16},      {"times-64", Pattern::Plain, 64},
    {"small", Pattern::Plain, 0x1p-8},     {"dominated", Pattern::Dominated, 1},
    {"equal-rows", Pattern::EqualRows, 1}, {"negative", Pattern::Negative, 1},
};
constexpr unsigned kSeeds = 3;
constexpr double kPeak = 64;
/// A candidate's error may be that many ulps whatever the reference's is: the
/// last rounding alone is half of one.
constexpr double kAllowedUlps = 4;
/// How many times as much a candidate may lose for one seed alone: where terms
/// cancel, the smallest of some thousand results is so by luck, and with it the
/// largest error.
constexpr double kLuck = 8;

const llvm::fltSemantics &getFormat(const KernelTensor &tensor) {
  auto type = llvm::dyn_cast_if_present<mlir::FloatType>(tensor.elementType);
  // Kernels compute in f32: nothing they store is more precise.
  if (!type || type.getWidth() > 32)
    return llvm::APFloat::IEEEsingle();
  return type.getFloatSemantics();
}

/// A number drawn from the normal distribution (Box and Muller, 1958).
double drawNormal(uint64_t seed, uint64_t stream, uint64_t index) {
  auto uniform = [&](uint64_t i) {
    return (static_cast<double>(randomWord(seed, stream, i) >> 11) + 0.5) *
           0x1p-53;
  };
  return std::sqrt(-2 * std::log(uniform(2 * index))) *
         std::cos(2 * M_PI * uniform(2 * index + 1));
}

/// For each input 1 / sqrt(n) if it is the right operand of a sum of n
/// products, otherwise 1.
std::vector<double> getWeightScales(const KernelGraph &graph) {
  std::vector<double> scales(graph.numInputs, 1);
  for (const KernelNode &node : graph.nodes) {
    if (!node.op)
      continue;
    llvm::SmallVector<Shape> shapes;
    for (unsigned operand : node.operands)
      shapes.push_back(graph.tensors[operand].shape);
    std::optional<IterationSpace> space =
        node.op->getIterationSpace(shapes, node.params);
    if (!space || !space->reductionsAreSums)
      continue;
    Shape result;
    node.op->inferShape(shapes, node.params, result);
    for (size_t i = 1; i < node.operands.size(); ++i) {
      if (node.operands[i] >= graph.numInputs)
        continue;
      int64_t terms = 1;
      for (int loop : space->operandLoops[i])
        if (loop >= static_cast<int>(result.size()))
          terms *= space->sizes[loop];
      scales[node.operands[i]] = 1 / std::sqrt(static_cast<double>(terms));
    }
  }
  return scales;
}

/// One input, over RoundedNumbers.
Tensor makeInput(const KernelTensor &tensor, const InputClass &inputs,
                 double weightScale, uint64_t seed, uint64_t stream) {
  Tensor result = RoundedNumbers().zeros(tensor.shape);
  int64_t row = tensor.shape.empty() ? 1 : tensor.shape.back();
  float *values = result.planes[0].as<float>();
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i) {
    double value = drawNormal(
        seed, stream, inputs.pattern == Pattern::EqualRows ? i / row : i);
    switch (inputs.pattern) {
    case Pattern::Plain:
    case Pattern::EqualRows:
      break;
    case Pattern::Weights:
      value *= weightScale;
      break;
    case Pattern::Dominated:
      if (i % row ==
          static_cast<int64_t>(randomWord(~seed, stream, i / row) % row))
        value *= kPeak;
      break;
    case Pattern::Negative:
      value = -std::abs(value);
      break;
    }
    values[i] = static_cast<float>(inputs.scale * value);
  }
  RoundedNumbers().store(result, getFormat(tensor));
  return result;
}

/// The same numbers over RealNumbers.
Tensor toReals(const Tensor &rounded) {
  Tensor result = RealNumbers().zeros(rounded.shape);
  std::copy_n(rounded.planes[0].as<float>(), rounded.getNumElements(),
              result.planes[0].as<double>());
  return result;
}

/// The number of elements in a row: the last dimension that has several.
int64_t getRowSize(ArrayRef<int64_t> shape) {
  for (int64_t size : llvm::reverse(shape))
    if (size > 1)
      return size;
  return 1;
}

/// What one output of a candidate has lost.
StabilityError measure(const Tensor &truth, const Tensor &reference,
                       const Tensor &actual, const llvm::fltSemantics &format) {
  StabilityError error;
  double epsilon = std::ldexp(
      1.0, 1 - static_cast<int>(llvm::APFloat::semanticsPrecision(format)));
  double smallest =
      llvm::APFloat::getSmallestNormalized(format).convertToDouble();
  // Near the end of the range rounding alone may overflow.
  double largest = llvm::APFloat::getLargest(format).convertToDouble() / 2;
  const double *expected = truth.planes[0].as<double>();
  const float *values = actual.planes[0].as<float>();
  const float *yardstick = reference.planes[0].as<float>();
  int64_t row = getRowSize(truth.shape);
  for (int64_t begin = 0, e = truth.getNumElements(); begin < e; begin += row) {
    auto isComparable = [&](int64_t i) {
      return std::abs(expected[i]) <= largest;
    };
    // What overflows is as large as can be: next to it a small element is lost
    // in the rounding errors of its row, whoever computes it.
    double scale = smallest;
    for (int64_t i = begin; i < begin + row; ++i)
      if (std::isfinite(expected[i]))
        scale = std::max(scale, std::min(std::abs(expected[i]), largest));
    for (int64_t i = begin; i < begin + row; ++i) {
      if (!isComparable(i))
        continue;
      if (!std::isfinite(values[i])) {
        ++error.overflows;
        continue;
      }
      // There is no error to compare with.
      if (!std::isfinite(yardstick[i]))
        continue;
      double distance = std::abs(static_cast<double>(values[i]) - expected[i]);
      error.ulps = std::max(error.ulps, distance / (epsilon * scale));
    }
  }
  return error;
}

bool hasLess(const StabilityClass &a, const StabilityClass &b) {
  return a.candidate.getTotal() < b.candidate.getTotal();
}

} // namespace

double StabilityError::getTotal() const {
  return overflows ? std::numeric_limits<double>::infinity() : ulps;
}

const StabilityClass &StabilityResult::getWorst() const {
  if (!stable)
    return classes.back();
  return *llvm::max_element(classes, hasLess);
}

static std::string getErrorText(const StabilityError &error) {
  if (!error.overflows)
    return llvm::formatv("{0:f1} ulps", error.ulps);
  return llvm::formatv("infinite ({0} elements overflow)", error.overflows);
}

bool mirage::isUnstable(const StabilityClass &error, ArrayRef<double> ulps,
                        double factor) {
  const StabilityError &candidate = error.candidate,
                       &reference = error.reference;
  auto isMore = [&](double seen, double times) {
    return seen > times * reference.ulps + kAllowedUlps;
  };
  return static_cast<double>(candidate.overflows) >
             factor * static_cast<double>(reference.overflows) ||
         isMore(candidate.ulps, kLuck * factor) ||
         llvm::count_if(ulps,
                        [&](double seen) { return isMore(seen, factor); }) > 1;
}

std::string mirage::getStabilityText(const StabilityClass &worst) {
  std::string output =
      worst.output ? " in output " + std::to_string(*worst.output) : "";
  return llvm::formatv("on inputs '{0}' its error{1} is {2}, the program's is "
                       "{3}",
                       worst.inputs, output, getErrorText(worst.candidate),
                       getErrorText(worst.reference));
}

StabilityChecker::StabilityChecker(KernelGraph graph,
                                   const StabilityOptions &options)
    : options(options), reference(std::move(graph)),
      referenceWork(getWork(reference)) {
  if (referenceWork > options.maxWork)
    return;
  for (unsigned output : reference.outputs)
    outputs.push_back(reference.tensors[output]);
  weightScales = getWeightScales(reference);
  samples.resize(std::size(kClasses) * kSeeds);
}

void StabilityChecker::prepare(size_t number) {
  Sample &sample = samples[number];
  if (sample.isPrepared)
    return;
  sample.inputs.clear();
  uint64_t seed = mix(options.seed ^ mix(number));
  std::vector<Tensor> exact;
  for (unsigned i = 0; i < reference.numInputs; ++i) {
    if (isStopped())
      return;
    sample.inputs.push_back(makeInput(reference.tensors[i],
                                      kClasses[number / kSeeds],
                                      weightScales[i], seed, i));
    exact.push_back(toReals(sample.inputs.back()));
  }
  sample.truth = evaluate(reference, RealNumbers(), exact, options.stop);
  if (isStopped())
    return;
  sample.reference =
      evaluate(reference, RoundedNumbers(), sample.inputs, options.stop);
  sample.isPrepared = !isStopped();
}

bool StabilityChecker::isStopped() const {
  return options.stop && options.stop->load(std::memory_order_relaxed);
}

StabilityChecker::Comparison::Comparison(StabilityChecker &checker,
                                         const KernelGraph &candidate)
    : checker(checker), candidate(candidate),
      isPossible(checker.isPossible() &&
                 getWork(candidate) <= checker.options.maxWork),
      classes(std::size(kClasses)), firstUnstable(classes.size()) {
  for (auto [c, errors] : llvm::enumerate(classes)) {
    errors.outputs.resize(checker.outputs.size());
    errors.ulpsBySeed.resize(checker.outputs.size());
    for (auto [o, error] : llvm::enumerate(errors.outputs)) {
      error.inputs = kClasses[c].name;
      if (errors.outputs.size() > 1)
        error.output = o;
    }
  }
}

void StabilityChecker::Comparison::measure(size_t number) {
  size_t c = number / kSeeds;
  if (!isPossible || c > firstUnstable)
    return;
  checker.prepare(number);
  const Sample &sample = checker.samples[number];
  if (!sample.isPrepared)
    return;
  std::vector<Tensor> actual = evaluate(candidate, RoundedNumbers(),
                                        sample.inputs, checker.options.stop);
  if (checker.isStopped())
    return;
  Class &errors = classes[c];
  std::lock_guard<std::mutex> lock(errors.mutex);
  for (auto [o, error] : llvm::enumerate(errors.outputs)) {
    auto add = [&, o = o](const Tensor &values, StabilityError &sum) {
      StabilityError seen = ::measure(sample.truth[o], sample.reference[o],
                                      values, getFormat(checker.outputs[o]));
      sum.ulps = std::max(sum.ulps, seen.ulps);
      sum.overflows += seen.overflows;
      return seen.ulps;
    };
    errors.ulpsBySeed[o].push_back(add(actual[o], error.candidate));
    add(sample.reference[o], error.reference);
  }
  if (++errors.numMeasured == kSeeds && findUnstable(errors)) {
    size_t seen = firstUnstable;
    while (c < seen && !firstUnstable.compare_exchange_weak(seen, c))
      ;
  }
}

std::optional<unsigned>
StabilityChecker::Comparison::findUnstable(const Class &errors) const {
  for (auto [o, error] : llvm::enumerate(errors.outputs))
    if (isUnstable(error, errors.ulpsBySeed[o], checker.options.factor))
      return o;
  return std::nullopt;
}

std::optional<StabilityResult> StabilityChecker::Comparison::getResult() const {
  if (!isPossible)
    return std::nullopt;
  StabilityResult result;
  result.stable = firstUnstable == classes.size();
  for (auto [c, errors] : llvm::enumerate(classes)) {
    if (c > firstUnstable)
      break;
    if (errors.numMeasured < kSeeds)
      return std::nullopt;
    std::optional<unsigned> unstable;
    if (c == firstUnstable)
      unstable = findUnstable(errors);
    result.classes.push_back(unstable
                                 ? errors.outputs[*unstable]
                                 : *llvm::max_element(errors.outputs, hasLess));
  }
  return result;
}

std::optional<StabilityResult>
StabilityChecker::check(const KernelGraph &candidate) {
  Comparison comparison(*this, candidate);
  for (size_t s = 0; s < samples.size(); ++s)
    comparison.measure(s);
  return comparison.getResult();
}
