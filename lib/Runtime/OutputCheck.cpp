//===- OutputCheck.cpp - Outputs beside what they should be ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/OutputCheck.h"
#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Numbers/RealNumbers.h"
#include "Mirage/Numbers/RoundedNumbers.h"
#include "Mirage/Numbers/UnboundedNumbers.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mirage;
using llvm::ArrayRef;

OutputError mirage::getOutputError(const Array &output, const Array &expected) {
  OutputError error;
  double largest = 0;
  for (int64_t e = 0, n = output.getNumElements(); e < n; ++e) {
    double have = output.get(e), want = expected.get(e);
    if (std::isfinite(have) && std::isfinite(want)) {
      ++error.compared;
      largest = std::max(largest, std::abs(want));
      error.absolute = std::max(error.absolute, std::abs(have - want));
      continue;
    }
    // An infinity or a NaN must be one on both sides.
    ++error.notFinite;
    bool same = have == want || (std::isnan(have) && std::isnan(want));
    if (!same)
      error.absolute = INFINITY;
  }
  error.relative = largest > 0 ? error.absolute / largest : error.absolute;
  return error;
}

template <typename T>
static std::vector<Array> evaluateIn(const NumberSystem &numbers,
                                     const KernelGraph &program,
                                     ArrayRef<Array> inputs) {
  std::vector<Tensor> values;
  for (const Array &input : inputs) {
    Tensor &value = values.emplace_back(numbers.zeros(input.shape));
    for (int64_t i = 0, e = input.getNumElements(); i < e; ++i)
      value.planes[0].as<T>()[i] = static_cast<T>(input.get(i));
  }
  std::vector<Array> results;
  for (const Tensor &value : evaluate(program, numbers, values)) {
    Array &result = results.emplace_back(value.shape, ElementType::F64);
    for (int64_t i = 0, e = result.getNumElements(); i < e; ++i)
      result.set(i, value.planes[0].as<T>()[i]);
  }
  return results;
}

llvm::Expected<const std::vector<Array> *>
OutputCheck::evaluateAs(Evaluation evaluation) {
  std::vector<Array> &known = results[static_cast<size_t>(evaluation)];
  if (!known.empty())
    return &known;
  if (!obstacle.empty())
    return llvm::createStringError(obstacle);
  llvm::Expected<KernelGraph> program = getProgram();
  if (!program) {
    obstacle = llvm::toString(program.takeError());
    return llvm::createStringError(obstacle);
  }
  switch (evaluation) {
  case Evaluation::Exact:
    known = evaluateIn<double>(RealNumbers(), *program, inputs);
    break;
  case Evaluation::Rounded:
    known = evaluateIn<float>(RoundedNumbers(), *program, inputs);
    break;
  case Evaluation::Unbounded:
    known = evaluateIn<double>(UnboundedNumbers(), *program, inputs);
    break;
  }
  return &known;
}

llvm::Expected<double>
OutputCheck::getOwnError(size_t index, const Array &expected, bool &overflows) {
  auto getError = [&](Evaluation evaluation) -> llvm::Expected<double> {
    auto outputs = evaluateAs(evaluation);
    if (!outputs)
      return outputs.takeError();
    return getOutputError((**outputs)[index], expected).relative;
  };
  // What two evaluations in f64 differ by.
  constexpr double kExact = 1e-6;
  llvm::Expected<double> exact = getError(Evaluation::Exact);
  if (!exact)
    return exact;
  if (std::isfinite(*exact) && *exact > kExact)
    return llvm::createStringError(llvm::formatv(
        "it was imported as another one, which has {0:e3} in f64", *exact));
  llvm::Expected<double> own = getError(Evaluation::Rounded);
  if (!own)
    return own;
  overflows = !std::isfinite(*own);
  return overflows ? getError(Evaluation::Unbounded) : std::move(own);
}

OutputCheck::Result OutputCheck::check(size_t index, const Array &output,
                                       const Array &expected) {
  // Sums in another order are rounded elsewhere.
  constexpr double kSlack = 1.5;
  Result result;
  result.error = getOutputError(output, expected);
  // What rounding of the output alone may cost is a half of that.
  result.limit =
      tolerance.value_or(output.type == ElementType::BF16 ? 8e-3 : 2e-3);
  result.passes = result.error.relative <= result.limit;
  if (result.passes || tolerance)
    return result;
  // What is lost so is lost for other inputs, too: a program that overflows is
  // no excuse, but the place to begin with.
  const bool isFinite = std::isfinite(result.error.relative);
  bool overflows = false;
  llvm::Expected<double> own = getOwnError(index, expected, overflows);
  if (!own) {
    result.asWritten = "what the program has as it is written is not known: " +
                       llvm::toString(own.takeError());
    return result;
  }
  result.passes =
      isFinite && std::isfinite(*own) && result.error.relative <= kSlack * *own;
  result.asWritten =
      llvm::formatv(!overflows ? "the program as it is written has {0:e3}"
                    : isFinite ? "the program as it is written overflows, and "
                                 "has {0:e3} without bounds of exponents"
                               : "the program as it is written overflows, too",
                    *own)
          .str();
  return result;
}
