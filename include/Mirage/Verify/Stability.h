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
#include <atomic>
#include <mutex>
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

/// What an output of a program that rounds as its kernels do has lost against
/// f64, on the inputs of one class.
struct StabilityError {
  /// The largest distance of an element from f64's value, in ulps: units of the
  /// epsilon of the output's element type times the largest magnitude in the
  /// element's row, or half of the type's largest number where that is less.
  /// Elements that the reference overflows in don't count.
  double ulps = 0;
  /// Elements that are infinite or NaN where f64's value is in the range of the
  /// output's element type. They don't count in `ulps`.
  int64_t overflows = 0;
  /// `ulps`, or infinite if there are overflows.
  double getTotal() const;
};

/// A candidate on the inputs of one class, in the output that it does worst in.
struct StabilityClass {
  /// The name of the class: docs/Stability.md lists them.
  llvm::StringRef inputs;
  /// The output's number, if there are several.
  std::optional<unsigned> output;
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

/// Whether a candidate is unstable on the inputs of a class
/// (docs/Stability.md): of one output, the errors of all seeds together, and
/// the candidate's for each of them, in ulps. `factor`: that of the options.
bool isUnstable(const StabilityClass &error, llvm::ArrayRef<double> ulps,
                double factor);

/// "on inputs 'times-16' its error is infinite (42 elements overflow), the
/// program's is 1.5 ulps"; "its error in output 1", counted from 0, if there
/// are several outputs.
std::string getStabilityText(const StabilityClass &worst);

/// Compares the rounding errors of candidates with those of one reference, on
/// inputs of realistic magnitude and on hostile ones (docs/Stability.md). A
/// candidate is evaluated 24 times, the reference twice as often: meant for
/// small sizes.
class StabilityChecker {
public:
  StabilityChecker(KernelGraph reference, const StabilityOptions &options);

  /// Whether the reference isn't too large.
  bool isPossible() const { return !samples.empty(); }
  /// How many operations it takes to evaluate the reference once.
  double getReferenceWork() const { return referenceWork; }

  /// Evaluates the reference on the inputs of one sample, if it wasn't before:
  /// comparisons do that, too, but different samples can be prepared on several
  /// threads.
  void prepare(size_t sample);
  size_t getNumSamples() const { return samples.size(); }

  /// A candidate that is compared sample by sample, different ones on several
  /// threads.
  class Comparison;

  /// The candidate must have inputs and outputs of the reference's shapes.
  /// Nothing if it or the reference is too large, or if it was stopped.
  std::optional<StabilityResult> check(const KernelGraph &candidate);

private:
  /// The inputs of a class that one seed gives.
  struct Sample {
    bool isPrepared = false;
    /// Of RoundedNumbers.
    std::vector<Tensor> inputs;
    /// The reference's outputs over RealNumbers, and over RoundedNumbers.
    std::vector<Tensor> truth, reference;
  };

  bool isStopped() const;

  StabilityOptions options;
  KernelGraph reference;
  double referenceWork;
  std::vector<KernelTensor> outputs;
  std::vector<double> weightScales;
  /// As many for each class of inputs, one class after the other.
  std::vector<Sample> samples;
};

class StabilityChecker::Comparison {
public:
  /// Both are kept by reference.
  Comparison(StabilityChecker &checker, const KernelGraph &candidate);

  /// Prepares the sample and evaluates the candidate on it, unless a class
  /// before its own is known to be one in which the candidate is unstable.
  void measure(size_t sample);
  /// When all samples have been measured: as StabilityChecker::check.
  std::optional<StabilityResult> getResult() const;

private:
  /// What was measured on one class of inputs, by output.
  struct Class {
    std::mutex mutex;
    unsigned numMeasured = 0;
    std::vector<StabilityClass> outputs;
    /// The candidate's, of the seeds that were measured.
    std::vector<llvm::SmallVector<double, 3>> ulpsBySeed;
  };

  /// The first output in which the candidate is unstable.
  std::optional<unsigned> findUnstable(const Class &errors) const;

  StabilityChecker &checker;
  const KernelGraph &candidate;
  bool isPossible;
  std::vector<Class> classes;
  std::atomic<size_t> firstUnstable;
};

} // namespace mirage

#endif // MIRAGE_VERIFY_STABILITY_H
