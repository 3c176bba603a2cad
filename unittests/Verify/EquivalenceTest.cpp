//===- EquivalenceTest.cpp - Proofs, tests, and what has neither ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Verify/Equivalence.h"
#include "Mirage/Operators/Custom.h"
#include "VerifyTest.h"
#include <cmath>

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
  auto within = [](double testSeconds) {
    return EquivalenceChecker::Effort{ProofEffort::Full, testSeconds};
  };
  EquivalenceOptions options;
  EXPECT_EQ(
      EquivalenceChecker(reference, options).check(swapped, within(0)).verdict,
      Verdict::Proved);
  options.method = VerifyMethod::Random;
  EquivalenceChecker tests(reference, options);
  EXPECT_EQ(tests.check(swapped).verdict, Verdict::Accepted);
  EXPECT_EQ(tests.check(swapped, within(0)).verdict, Verdict::Unknown);
  EXPECT_EQ(tests.check(other, within(1)).verdict, Verdict::Refuted);
  EXPECT_EQ(tests.check(other, within(0)).verdict, Verdict::Unknown);
}

/// The eighth power of the sum of six tensors, each times a factor, through no
/// tensor that it has in common with other factors.
KernelGraph makePower(double factor) {
  const Shape shape = {4, 4};
  return makeProgram(std::vector<Shape>(6, shape), [&](Program &p) {
    unsigned sum = p.apply("mul", {0, p.constant(factor)});
    for (unsigned input = 1; input < 6; ++input)
      sum = p.apply("add", {sum, p.apply("mul", {input, p.constant(factor)})});
    for (int power = 2; power <= 8; power *= 2)
      sum = p.apply("sqr", {sum});
    return p.apply("mul", {sum, p.constant(std::pow(factor, -8))});
  });
}

TEST(EquivalenceTest, LittleEffortProvesLess) {
  const KernelGraph reference = makePower(2), candidate = makePower(4);
  EXPECT_TRUE(proveEquivalence(reference, candidate).proved);
  EXPECT_FALSE(
      proveEquivalence(reference, candidate, ProofEffort::Little).proved);
  EXPECT_TRUE(
      proveEquivalence(reference, reference, ProofEffort::Little).proved);
  // What is wrong is refuted all the same.
  const KernelGraph other =
      makeProgram(std::vector<Shape>(6, Shape{4, 4}),
                  [](Program &p) { return p.apply("sqr", {0}); });
  EquivalenceChecker checker(reference, EquivalenceOptions());
  EXPECT_EQ(checker.check(candidate, {ProofEffort::Little, 1}).verdict,
            Verdict::Unknown);
  EXPECT_EQ(checker.check(other, {ProofEffort::Little, 1}).verdict,
            Verdict::Refuted);
}

/// x + y, and as a quotient that has no value where y is 0.
TEST(EquivalenceTest, WhatMayBeUndefinedIsTestedOnlyToRefuteIt) {
  const Shape shape = {4, 4};
  auto make = [&](auto body) { return makeProgram({shape, shape}, body); };
  KernelGraph reference =
      make([](Program &p) { return p.apply("add", {0, 1}); });
  KernelGraph equal = make([](Program &p) {
    unsigned products =
        p.apply("add", {p.apply("mul", {0, 1}), p.apply("mul", {1, 1})});
    return p.apply("div", {products, 1});
  });
  KernelGraph other = make(
      [](Program &p) { return p.apply("div", {p.apply("mul", {0, 0}), 1}); });
  EquivalenceOptions options;
  EquivalenceChecker tests(reference, options);
  EXPECT_EQ(tests.check(equal).verdict, Verdict::Unknown);
  EXPECT_EQ(tests.check(other).verdict, Verdict::Refuted);
  options.testsUndefined = false;
  EquivalenceChecker only(reference, options);
  for (const KernelGraph *candidate : {&equal, &other}) {
    EquivalenceResult result = only.check(*candidate);
    EXPECT_EQ(result.verdict, Verdict::Unknown);
    EXPECT_FALSE(result.random.has_value());
    EXPECT_FALSE(result.reason.empty());
  }
}

TEST(EquivalenceTest, LimitsOfTestsHoldWithAxioms) {
  llvm::Expected<solve::Axioms> axioms =
      solve::parseAxioms("axiom forall x. F(-x) = -F(x)", "f");
  ASSERT_TRUE(static_cast<bool>(axioms));
  // Programs that use F(x).
  auto make = [&](auto body) {
    return makeProgram({{4, 4}, {4, 4}}, [&](Program &p) {
      return body(p, p.apply("custom", {0}, {internFunctionName("F")}));
    });
  };
  KernelGraph reference =
      make([](Program &p, unsigned f) { return p.apply("add", {f, 1}); });
  KernelGraph swapped =
      make([](Program &p, unsigned f) { return p.apply("add", {1, f}); });
  KernelGraph quotient = make([](Program &p, unsigned f) {
    unsigned products =
        p.apply("add", {p.apply("mul", {f, 1}), p.apply("mul", {1, 1})});
    return p.apply("div", {products, 1});
  });
  EquivalenceOptions options;
  options.axioms = std::make_shared<const solve::Axioms>(std::move(*axioms));
  options.solverSeconds = 0;
  options.method = VerifyMethod::Random;
  EquivalenceChecker tests(reference, options);
  EXPECT_EQ(tests.check(swapped).verdict, Verdict::Accepted);
  EXPECT_EQ(tests.check(swapped, {ProofEffort::Full, 0}).verdict,
            Verdict::Unknown);
  // A test has found them to be equal, or there was none.
  options.method = VerifyMethod::Both;
  for (bool testsUndefined : {true, false}) {
    options.testsUndefined = testsUndefined;
    EquivalenceResult result =
        EquivalenceChecker(reference, options).check(quotient);
    EXPECT_EQ(result.verdict, Verdict::Unknown);
    EXPECT_EQ(llvm::StringRef(result.reason).starts_with("equal"),
              testsUndefined)
        << result.reason;
  }
}

} // namespace
