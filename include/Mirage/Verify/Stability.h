//===- Stability.h - Rounding errors of a candidate -------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_VERIFY_STABILITY_H
#define MIRAGE_VERIFY_STABILITY_H

#include "Mirage/Interpreter/Interpreter.h"
#include <optional>
#include <string>

namespace mirage {

struct StabilityOptions {
  /// By how much a candidate's error may exceed the reference's; at least 1.
  double factor = 4;
  uint64_t seed = 1;
  /// Programs that take more operations to be evaluated are not compared.
  double maxWork = 1 << 26;
  /// Set by anyone to end an evaluation; may be null.
  const std::atomic<bool> *stop = nullptr;
};

/// What a program that rounds as its kernels do has lost against f64, on the
/// inputs of one class.
struct StabilityError {
  /// The largest distance of an element from f64's value, in ulps: units of the
  /// epsilon of the output's element type times the largest magnitude in the
  /// element's row.
  double ulps = 0;
  /// Elements that are infinite or NaN where f64's value is in the range of the
  /// output's element type. They don't count in `ulps`.
  int64_t overflows = 0;

  /// `ulps`, or infinite if there are overflows.
  double getTotal() const;
};

/// A candidate on the inputs of one class.
struct StabilityClass {
  /// The name of the class: docs/Stability.md lists them.
  llvm::StringRef inputs;
  StabilityError candidate, reference;
};

struct StabilityResult {
  /// The classes that were evaluated, in their order: all, or up to the first
  /// in which the candidate is unstable.
  llvm::SmallVector<StabilityClass, 8> classes;
  /// Whether the last of them is one in which it is unstable.
  bool stable = true;

  /// Where it is unstable, otherwise where its error is largest.
  const StabilityClass &getWorst() const;
};

/// "on inputs 'times-16' its error is infinite (42 elements overflow), the
/// program's is 1.5 ulps".
std::string getStabilityText(const StabilityClass &worst);

/// Compares the rounding errors of candidates with those of one reference, on
/// inputs of realistic magnitude and on hostile ones (docs/Stability.md). Every
/// program is evaluated about 25 times: meant for small sizes.
class StabilityChecker {
public:
  /// Evaluates the reference; it is not needed afterwards.
  StabilityChecker(const KernelGraph &reference,
                   const StabilityOptions &options);

  /// Whether the reference was evaluated: neither was it too large, nor was it
  /// stopped.
  bool isComplete() const { return complete; }

  /// The candidate must have inputs and outputs of the reference's shapes.
  /// Nothing if it is too large or was stopped, or the reference was.
  std::optional<StabilityResult> check(const KernelGraph &candidate) const;

private:
  /// The inputs of a class that one seed gives.
  struct Sample {
    /// Of RoundedNumbers.
    std::vector<Tensor> inputs;
    /// The reference's outputs over RealNumbers.
    std::vector<Tensor> truth;
  };
  struct Class {
    llvm::StringRef name;
    std::vector<Sample> samples;
    StabilityError reference;
  };

  bool isStopped() const;
  /// Nothing if it was stopped.
  std::optional<StabilityError>
  measure(const KernelGraph &graph, const std::vector<Sample> &samples) const;

  StabilityOptions options;
  std::vector<KernelTensor> outputs;
  std::vector<Class> classes;
  bool complete = false;
};

} // namespace mirage

#endif // MIRAGE_VERIFY_STABILITY_H
