//===- RemainingSumsTest.cpp - What can still be reduced ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/AbstractExpr/RemainingSums.h"
#include "ExprTest.h"
#include <map>
#include <numeric>
#include <random>

using namespace mirage;

namespace {

class RemainingSumsTest : public ExprTest {
protected:
  using Dims = RemainingSums::Dims;
  bool mayFollow(llvm::StringRef x, llvm::StringRef target, Dims dims,
                 std::vector<std::pair<llvm::StringRef, Dims>> variables = {}) {
    std::vector<std::pair<Expr, Dims>> dimsOf;
    for (auto &[name, of] : variables)
      dimsOf.emplace_back(context.variable(name), of);
    return RemainingSums(context, parse(target), dimsOf)
        .mayFollow(parse(x), dims);
  }
};

/// Scores of 11 products, of which 13 are summed up.
constexpr const char *kExponentials =
    "(sum 13 (mul V (exp (sum 11 (mul Q K)))))";

TEST_F(RemainingSumsTest, SumsAreTakenOnce) {
  EXPECT_TRUE(mayFollow("(mul Q K)", kExponentials, {11 * 13}));
  EXPECT_TRUE(mayFollow("(sum 11 (mul Q K))", kExponentials, {13}));
  EXPECT_FALSE(mayFollow("(sum 11 (mul Q K))", kExponentials, {11}));
  EXPECT_FALSE(mayFollow("(exp (sum 11 (mul Q K)))", kExponentials, {11}));
  EXPECT_TRUE(
      mayFollow("(mul V (exp (sum 11 (mul Q K))))", kExponentials, {13}));
  EXPECT_FALSE(mayFollow(kExponentials, kExponentials, {13}));
  EXPECT_TRUE(mayFollow(kExponentials, kExponentials, {}));
}

TEST_F(RemainingSumsTest, AsOftenAsThereAreDimensions) {
  EXPECT_TRUE(mayFollow("X", "(sum 121 (mul X X))", {121}));
  EXPECT_TRUE(mayFollow("(sum 11 X)", "(sum 121 (mul X X))", {11}));
  EXPECT_FALSE(mayFollow("(sum 11 X)", "(sum 121 (mul X X))", {121}));
}

TEST_F(RemainingSumsTest, WhatItIsMultipliedByHasDimensionsToo) {
  EXPECT_TRUE(mayFollow("(sum 11 Q)", kExponentials, {13}));
  EXPECT_FALSE(mayFollow("(sum 11 Q)", kExponentials, {},
                         {{"K", {11 * 13}}, {"Q", {11}}}));
  EXPECT_TRUE(
      mayFollow("Q", kExponentials, {11}, {{"K", {11 * 13}}, {"Q", {11}}}));
}

TEST_F(RemainingSumsTest, MaximaReduce) {
  constexpr const char *target = "(add (max (sum 11 X)) Y)";
  EXPECT_TRUE(mayFollow("(sum 11 X)", target, {1, 13}));
  EXPECT_TRUE(mayFollow("X", target, {11, 13}));
  EXPECT_FALSE(mayFollow("(sum 11 X)", target, {13, 1}));
  EXPECT_FALSE(mayFollow("Y", target, {1, 13}));
  // A maximum of maxima leaves no trace.
  EXPECT_TRUE(mayFollow("(max X)", "(sum 11 (mul Y (max X)))", {1, 13}));
  EXPECT_FALSE(mayFollow("(max X)", "(sum 11 (mul Y (max X)))", {13, 1}));
}

TEST_F(RemainingSumsTest, AnyOccurrenceCounts) {
  constexpr const char *target =
      "(add (sum 11 (exp X)) (add (sum 13 (silu (exp X))) (sqrt (exp X))))";
  EXPECT_TRUE(mayFollow("(exp X)", target, {11}));
  EXPECT_TRUE(mayFollow("X", target, {13}));
  EXPECT_FALSE(mayFollow("(exp X)", target, {17}));
}

TEST_F(RemainingSumsTest, WhatIsNotKnownMayFollow) {
  Expr x = parse("X");
  EXPECT_TRUE(RemainingSums(context, {Expr()}, {}).mayFollow(x, {11}));
  EXPECT_TRUE(RemainingSums(context, {x}, {}).mayFollow(Expr(), {11}));
  // More than 64 bits hold.
  EXPECT_TRUE(
      mayFollow("X", "(sum 4611686018427387904 (exp (sum 4 X)))", {11}));
}

/// A random term, and subterms of it with what encloses them.
class RandomTerms {
public:
  struct Part {
    Expr expr;
    int64_t sums;
    bool inMaximum;
  };
  RandomTerms(ExprContext &context, unsigned seed)
      : context(context), random(seed) {}

  Expr make(unsigned depth, int64_t sums = 1, bool inMaximum = false) {
    Expr expr = makeTerm(depth, sums, inMaximum);
    parts.push_back({expr, sums, inMaximum});
    return expr;
  }

  std::vector<Part> parts;
  /// The sums that all occurrences of a variable are in, and whether they are
  /// in maxima.
  struct Common {
    int64_t sums = 0;
    bool inMaximum = true;
  };
  std::map<const char *, Common> common;

private:
  Expr makeTerm(unsigned depth, int64_t sums, bool inMaximum) {
    static constexpr const char *names[] = {"X", "Y", "Z"};
    if (depth == 0) {
      const char *name = names[random() % 3];
      common[name].sums = std::gcd(common[name].sums, sums);
      common[name].inMaximum &= inMaximum;
      return context.variable(name);
    }
    auto next = [&] { return make(depth - 1, sums, inMaximum); };
    switch (random() % 9) {
    case 0: {
      Expr a = next();
      return context.add(a, next());
    }
    case 1:
    case 2: {
      Expr a = next();
      return context.mul(a, next());
    }
    case 3: {
      Expr a = next();
      return context.div(a, next());
    }
    case 4:
    case 5: {
      static constexpr int64_t sizes[] = {7, 11, 13};
      const int64_t size = sizes[random() % 3];
      return context.sum(size, make(depth - 1, sums * size, inMaximum));
    }
    case 6:
      return random() % 2 ? context.exp(next()) : context.sqrt(next());
    case 7:
      return context.max(make(depth - 1, sums, true));
    default:
      return context.apply("silu", {next()});
    }
  }

  ExprContext &context;
  std::mt19937 random;
};

TEST_F(RemainingSumsTest, SubtermsAreNeverRefuted) {
  unsigned enclosed = 0, refuted = 0;
  for (int i = 0; i < 5000; ++i) {
    RandomTerms terms(context, i);
    Expr term = terms.make(2 + i % 4);
    std::vector<std::pair<Expr, Dims>> variables;
    for (auto &[name, common] : terms.common)
      variables.push_back(
          {context.variable(name), {common.sums, common.inMaximum ? 23 : 1}});
    RemainingSums remaining(context, term, variables);
    for (const RandomTerms::Part &part : terms.parts) {
      const int64_t others = part.inMaximum ? 17 : 1;
      enclosed += part.sums > 1;
      ASSERT_TRUE(remaining.mayFollow(part.expr, {part.sums, others}))
          << context.print(part.expr) << " in " << context.print(term);
      refuted += !remaining.mayFollow(part.expr, {part.sums * 19, others});
    }
  }
  EXPECT_GT(enclosed, 5000u);
  EXPECT_GT(refuted, 5000u);
}

} // namespace
