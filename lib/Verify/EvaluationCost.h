//===- EvaluationCost.h - What evaluating a graph takes ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_VERIFY_EVALUATIONCOST_H
#define MIRAGE_LIB_VERIFY_EVALUATIONCOST_H

#include "Mirage/Mugraph/Mugraph.h"

namespace mirage {

/// Of the inputs, and of the outputs.
double countInputElements(const KernelGraph &graph);
double countOutputElements(const KernelGraph &graph);

/// Operations of one evaluation by the interpreter.
double getWork(const KernelGraph &graph);

/// An upper bound of the elements that are in memory at any time of one
/// evaluation by the interpreter, the inputs among them.
double getPeakElements(const KernelGraph &graph);

/// How the memory that a verifier may use is divided: what the evaluation of
/// one program takes, with what it is compared to; and what the test over a
/// field, and the one over the reals, keep for the next candidate.
constexpr int64_t getCacheBytes(int64_t maxBytes) { return maxBytes / 8; }
constexpr int64_t getEvaluationBytes(int64_t maxBytes) {
  return maxBytes - 2 * getCacheBytes(maxBytes);
}

} // namespace mirage

#endif // MIRAGE_LIB_VERIFY_EVALUATIONCOST_H
