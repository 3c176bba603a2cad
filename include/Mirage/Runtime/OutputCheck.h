//===- OutputCheck.h - Outputs beside what they should be -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_RUNTIME_OUTPUTCHECK_H
#define MIRAGE_RUNTIME_OUTPUTCHECK_H

#include "Mirage/Mugraph/Mugraph.h"
#include "Mirage/Runtime/Array.h"
#include <array>
#include <functional>

namespace mirage {

/// How far an output is from what is expected.
struct OutputError {
  double absolute = 0;
  /// Over the largest magnitude that is expected.
  double relative = 0;
  /// Elements that are finite on both sides: those that the error is of.
  int64_t compared = 0;
  /// Elements that are infinite or NaN on one side or both; if not on both
  /// alike, the error is infinite.
  int64_t notFinite = 0;
};

/// Arrays of one shape.
OutputError getOutputError(const Array &output, const Array &expected);

/// Says whether outputs are right: an error is too large if it is larger than
/// the tolerance or, where none is given, than 2e-3 (8e-3 in bf16) and than one
/// and a half times what the program loses as it is written, in f32, rounded
/// wherever it stores another type. Where that overflows, exponents without
/// bounds take its place: what is infinite excuses nothing. Nor does a program
/// that isn't what is expected without any rounding: then it is another one.
class OutputCheck {
public:
  /// What the program is as it is written, asked for when it is needed first.
  using GetProgram = std::function<llvm::Expected<KernelGraph>()>;
  /// `inputs` must outlive it.
  OutputCheck(GetProgram getProgram, llvm::ArrayRef<Array> inputs,
              std::optional<double> tolerance)
      : getProgram(std::move(getProgram)), inputs(inputs),
        tolerance(tolerance) {}

  struct Result {
    OutputError error;
    double limit = 0;
    bool passes = false;
    /// What is known of the program as it is written, for people; empty if that
    /// was not asked for.
    std::string asWritten;
  };
  /// Compares output `index` of the program.
  Result check(size_t index, const Array &output, const Array &expected);

private:
  /// What the program loses as it is written; an error if that isn't known.
  llvm::Expected<double> getOwnError(size_t index, const Array &expected,
                                     bool &overflows);
  enum class Evaluation { Exact, Rounded, Unbounded };
  /// The program's outputs in f64, rounded, or without bounds of exponents.
  llvm::Expected<const std::vector<Array> *> evaluateAs(Evaluation evaluation);

  GetProgram getProgram;
  llvm::ArrayRef<Array> inputs;
  std::optional<double> tolerance;
  /// By evaluation.
  std::array<std::vector<Array>, 3> results;
  /// Why the program isn't known.
  std::string obstacle;
};

} // namespace mirage

#endif // MIRAGE_RUNTIME_OUTPUTCHECK_H
