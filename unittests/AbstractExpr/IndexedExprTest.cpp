//===- IndexedExprTest.cpp - Which sums run over which factors ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/AbstractExpr/IndexedExpr.h"
#include "gtest/gtest.h"
#include <random>

using namespace mirage;

namespace {

constexpr ExprIndex i{0, 0}, j{1, 0}, k{2, 0}, jPart{1 + ExprIndex::kParts, 0};

class IndexedExprTest : public ::testing::Test {
protected:
  bool mayContribute(IndexedExpr x, IndexedExpr target) {
    return IndexedOracle(context, target).mayContribute(x);
  }

  IndexedExprContext context;
  IndexedExpr x = context.variable("x", {j}), y = context.variable("y", {j}),
              a = context.variable("a", {i, j}),
              b = context.variable("b", {j, k});
  IndexedExpr dot = context.sum(context.mul(x, y), j);
};

TEST_F(IndexedExprTest, NamesOfBoundIndicesDontMatter) {
  const ExprIndex other{1, 7};
  EXPECT_EQ(context.sum(context.variable("x", {other}), other),
            context.sum(x, j));
  EXPECT_EQ(context.mul(dot, context.sum(x, j)),
            context.mul(context.sum(x, j), dot));
  // (sum x) (sum x) has two of them.
  EXPECT_NE(context.mul(context.sum(x, j), context.sum(x, j)),
            context.sum(context.mul(x, x), j));
  EXPECT_EQ(context.sum(context.add(x, y), j),
            context.add(context.sum(x, j), context.sum(y, j)));
}

TEST_F(IndexedExprTest, WhatCameBeforeDoesntMatter) {
  // Two products with two bound indices of one role each, and a maximum.
  auto make = [](IndexedExprContext &in) {
    const ExprIndex first{1, 3}, second{1, 4}, third{2, 5};
    IndexedExpr u = in.variable("u", {first, second}),
                v = in.variable("v", {second, third});
    IndexedExpr sum = in.sum(
        in.add(in.mul(u, in.mul(u, v)), in.exp(in.mul(v, v))), {first, second});
    return in.add(in.max(in.mul(sum, u), {first, second}), sum);
  };
  IndexedExpr before = make(context);
  // The other way round.
  IndexedExprContext other;
  IndexedExpr v = other.variable("v", {{1, 0}, {1, 1}}),
              u = other.variable("u", {{1, 1}, {1, 0}});
  other.exp(other.mul(v, other.add(u, v)));
  other.sum(other.mul(u, u), {{1, 0}, {1, 1}});
  IndexedExpr after = make(other);
  EXPECT_NE(before, after);
  EXPECT_EQ(context.getHash(before), other.getHash(after));
  EXPECT_EQ(context.print(before), other.print(after));
}

/// What is renamed may have the name that something bound is given meanwhile.
TEST_F(IndexedExprTest, RenamingLeavesSumsAlone) {
  const IndexedExpr z = context.variable("z", {i});
  const IndexedExpr total = context.sum(z, i);
  for (uint16_t instance = 0; instance < 2048; ++instance) {
    const ExprIndex other{0, instance};
    const IndexedExpr mixed =
        context.add(context.variable("z", {other}), total);
    EXPECT_EQ(context.rename(mixed, {{other, i}}), context.add(z, total))
        << instance;
  }
  // sum_ij max(a_ij, z_i - sum_i z_i) has the sum in each of its terms.
  const IndexedExpr target = context.sum(
      context.apply(
          "max", {a, context.add(z, context.mul(context.constant(-1), total))}),
      {i, j});
  EXPECT_TRUE(mayContribute(total, target)) << context.print(target);
}

TEST_F(IndexedExprTest, LawsOfFunctions) {
  EXPECT_EQ(context.exp(context.add(x, y)),
            context.mul(context.exp(x), context.exp(y)));
  EXPECT_EQ(context.sqrt(context.mul(x, y)),
            context.mul(context.sqrt(x), context.sqrt(y)));
  EXPECT_EQ(context.div(context.div(a, x), y),
            context.div(a, context.mul(x, y)));
  EXPECT_EQ(context.max(context.max(a, i), j), context.max(a, {i, j}));
}

TEST_F(IndexedExprTest, SumsRunOverTheirFactors) {
  EXPECT_TRUE(mayContribute(context.mul(x, y), dot));
  EXPECT_TRUE(mayContribute(dot, dot));
  // y is left, and has what is summed over.
  EXPECT_FALSE(mayContribute(context.sum(x, j), dot));
  EXPECT_FALSE(mayContribute(context.mul(y, context.sum(x, j)), dot));
  const IndexedExpr apart = context.mul(context.sum(x, j), context.sum(y, j));
  EXPECT_TRUE(mayContribute(context.mul(y, context.sum(x, j)), apart));
  EXPECT_FALSE(mayContribute(dot, apart));
}

TEST_F(IndexedExprTest, BelowFunctions) {
  const IndexedExpr scores = context.sum(context.mul(a, b), j);
  const IndexedExpr weights = context.exp(scores);
  const IndexedExpr target = context.div(
      context.sum(context.mul(weights, context.variable("v", {k})), k),
      context.sum(weights, k));
  for (IndexedExpr part : {scores, weights, context.sum(weights, k), target})
    EXPECT_TRUE(mayContribute(part, target)) << context.print(part);
  EXPECT_FALSE(mayContribute(context.exp(context.mul(a, b)), target));
  EXPECT_FALSE(mayContribute(context.sum(scores, k), target));
}

TEST_F(IndexedExprTest, PartsOfSumsAreOnlyMultiplied) {
  const IndexedExpr part = context.sum(
      context.mul(context.variable("x", jPart), context.variable("y", jPart)),
      jPart);
  EXPECT_EQ(context.complete(part, 1, /*all=*/true), dot);
  EXPECT_TRUE(mayContribute(part, dot));
  const IndexedExpr root = context.sqrt(dot);
  EXPECT_TRUE(mayContribute(part, root));
  EXPECT_FALSE(mayContribute(context.sqrt(part), root));
  EXPECT_EQ(context.complete(context.mul(part, part), 1, /*all=*/true),
            std::nullopt);
  // What every iteration adds anew.
  EXPECT_EQ(context.complete(context.add(part, context.variable("c", {})), 1,
                             /*all=*/true),
            std::nullopt);
}

TEST_F(IndexedExprTest, WhatIsNotKnownMayContribute) {
  EXPECT_TRUE(mayContribute(0, dot));
  EXPECT_TRUE(mayContribute(context.sum(x, j), 0));
  EXPECT_EQ(context.add(x, 0), 0u);
  IndexedExpr deep = x;
  for (int n = 0; n < 200; ++n)
    deep = context.exp(deep);
  EXPECT_EQ(deep, 0u);
  IndexedExpr twice = context.add(x, x), power = x;
  for (int n = 0; n < 40; ++n) {
    twice = context.add(twice, twice);
    power = context.mul(power, power);
  }
  EXPECT_EQ(twice, 0u);
  EXPECT_EQ(power, 0u);
}

/// Subterms of random terms are parts of them.
TEST_F(IndexedExprTest, SubtermsAreNeverRefuted) {
  std::mt19937 random(7);
  unsigned asked = 0, refuted = 0;
  for (int n = 0; n < 1500; ++n) {
    std::vector<IndexedExpr> terms = {
        x, y, a, b, context.variable("c", {k}), context.constant(0.5)};
    // Each uses one of the last terms, so that most are subterms of the last.
    std::vector<std::vector<size_t>> uses(terms.size());
    auto pick = [&] { return random() % terms.size(); };
    for (int step = 0; step < 7; ++step) {
      const size_t p = terms.size() - 1 - random() % 2, q = pick();
      const ExprIndex over = (ExprIndex[]){i, j, k}[random() % 3];
      IndexedExpr next = 0;
      bool isBinary = true;
      switch (random() % 8) {
      case 0:
        next = context.add(terms[p], terms[q]);
        break;
      case 1:
      case 2:
        next = context.mul(terms[p], terms[q]);
        break;
      case 3:
        next = context.div(terms[p], terms[q]);
        break;
      case 4:
      case 5:
        next = context.sum(terms[p], over);
        isBinary = false;
        break;
      case 6:
        next = context.max(terms[p], over);
        isBinary = false;
        break;
      default:
        next = random() % 2 ? context.exp(terms[p]) : context.sqrt(terms[p]);
        isBinary = false;
      }
      terms.push_back(next);
      uses.push_back(isBinary ? std::vector<size_t>{p, q}
                              : std::vector<size_t>{p});
    }
    std::vector<bool> isPart(terms.size());
    isPart.back() = true;
    for (size_t t = terms.size(); t-- > 0;)
      if (isPart[t])
        for (size_t operand : uses[t])
          isPart[operand] = true;
    IndexedOracle oracle(context, terms.back());
    for (size_t t = 0; t < terms.size(); ++t)
      if (isPart[t]) {
        ++asked;
        ASSERT_TRUE(oracle.mayContribute(terms[t]))
            << context.print(terms[t]) << "\n  in "
            << context.print(terms.back());
      } else {
        refuted += !oracle.mayContribute(terms[t]);
      }
  }
  EXPECT_GT(asked, 5000u);
  EXPECT_GT(refuted, 500u);
}

} // namespace
