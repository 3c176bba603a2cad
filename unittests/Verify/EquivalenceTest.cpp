//===- EquivalenceTest.cpp - Proofs, tests, and what has neither ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Verify/Equivalence.h"
#include "VerifyTest.h"

using namespace mirage;

namespace {

TEST(EquivalenceTest, WhatTakesTooLongToTestIsUnknown) {
  const Shape shape = {64, 64};
  auto makeProduct = [&](unsigned a, unsigned b) {
    return makeProgram({shape, shape},
                       [&](Program &p) { return p.apply("mul", {a, b}); });
  };
  KernelGraph reference = makeProduct(0, 1), swapped = makeProduct(1, 0),
              other = makeProduct(1, 1);
  EquivalenceOptions options;
  EXPECT_EQ(EquivalenceChecker(reference, options).check(swapped, 0).verdict,
            Verdict::Proved);
  options.method = VerifyMethod::Random;
  EquivalenceChecker tests(reference, options);
  EXPECT_EQ(tests.check(swapped).verdict, Verdict::Accepted);
  EXPECT_EQ(tests.check(swapped, 0).verdict, Verdict::Unknown);
  EXPECT_EQ(tests.check(other, 1).verdict, Verdict::Refuted);
  EXPECT_EQ(tests.check(other, 0).verdict, Verdict::Unknown);
}

} // namespace
