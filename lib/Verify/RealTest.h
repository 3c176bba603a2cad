//===- RealTest.h - Two programs over the reals -----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_VERIFY_REALTEST_H
#define MIRAGE_LIB_VERIFY_REALTEST_H

#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Numbers/BallNumbers.h"
#include <map>

namespace mirage {

/// Compares programs over the reals, on random inputs of several magnitudes, of
/// mixed signs and positive. Every number carries a bound of its error, so that
/// a difference that is found is one of the real functions, not of rounding.
class RealTest {
public:
  /// Uses `maxBytes` of memory at most for programs that `canEvaluate` says
  /// fit. With a table, opaque operators are the functions that it says.
  RealTest(const KernelGraph &reference, uint64_t seed, int64_t maxBytes,
           FunctionTable functions = {})
      : reference(reference), seed(seed), maxBytes(maxBytes),
        functions(std::move(functions)) {}

  struct Difference {
    unsigned output;
    int64_t element;
  };

  /// An element of the outputs for which it is certain that, on some input, the
  /// candidate has another value than the reference or, where the reference has
  /// a value, none. Tried in f64, and where programs are small and `precise`,
  /// on the same inputs in `long double`.
  std::optional<Difference> findDifference(const KernelGraph &candidate,
                                           bool precise);

  /// Whether an element of the candidate may have had no value where the
  /// reference had one, in the last call: an argument at the edge of a domain,
  /// within its error.
  bool isDomainDoubtful() const { return domainDoubtful; }

  /// Whether programs are small enough for it: they would take minutes or
  /// more memory than `maxBytes` otherwise.
  static bool canEvaluate(const KernelGraph &reference,
                          const KernelGraph &candidate, int64_t maxBytes);

  /// Operations of `findDifference`, about.
  static double getWork(const KernelGraph &reference,
                        const KernelGraph &candidate);

private:
  template <typename T>
  std::optional<Difference> findDifference(const KernelGraph &candidate,
                                           unsigned number);

  struct Evaluation {
    std::vector<Tensor> inputs, outputs;
  };

  const KernelGraph &reference;
  uint64_t seed;
  int64_t maxBytes;
  FunctionTable functions;
  bool domainDoubtful = false;
  /// Of the reference, by the size of T and the number of the inputs.
  std::map<std::pair<size_t, unsigned>, Evaluation> evaluations;
};

} // namespace mirage

#endif // MIRAGE_LIB_VERIFY_REALTEST_H
