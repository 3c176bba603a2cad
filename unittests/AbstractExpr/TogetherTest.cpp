//===- TogetherTest.cpp - Whether several parts fit in one term -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprTest.h"
#include <random>

using namespace mirage;

namespace {

class TogetherTest : public ExprTest {
protected:
  bool together(std::initializer_list<const char *> parts, const char *y) {
    std::vector<Expr> exprs;
    for (const char *part : parts)
      exprs.push_back(parse(part));
    return context.canOccurTogether(exprs, parse(y));
  }
};

constexpr const char *kNorm =
    "(sum 8 (mul (div (mul X G) (sqrt (add (div (sum 8 (mul X X)) N) E))) W))";

TEST_F(TogetherTest, FactorsOfOneProduct) {
  EXPECT_TRUE(together({"X", "W"}, "(mul X W)"));
  EXPECT_TRUE(together({"X", "X"}, "(mul X X)"));
  EXPECT_FALSE(together({"X", "X"}, "(mul X W)"));
  EXPECT_FALSE(together({"(mul X W)", "X"}, "(mul X W)"));
}

TEST_F(TogetherTest, SummandsAndMultiplicities) {
  EXPECT_TRUE(together({"X", "X"}, "(add (mul X Y) (mul X Z))"));
  EXPECT_TRUE(together({"X", "X"}, "(add X X)"));
  EXPECT_FALSE(together({"X", "X", "X"}, "(add X X)"));
}

TEST_F(TogetherTest, ScalesMultiply) {
  EXPECT_TRUE(together({"(sum 4 X)", "(sum 2 Y)"}, "(sum 8 (mul X Y))"));
  EXPECT_FALSE(together({"(sum 4 X)", "(sum 4 Y)"}, "(sum 8 (mul X Y))"));
}

TEST_F(TogetherTest, UnderFunctions) {
  EXPECT_TRUE(together({"X", "Y"}, "(exp (add X Y))"));
  EXPECT_TRUE(together({"(exp X)", "Y"}, "(exp (add X Y))"));
  EXPECT_FALSE(together({"(exp X)", "X"}, "(exp (add X Y))"));
  EXPECT_TRUE(together({"X", "Y"}, "(div X (sqrt Y))"));
  EXPECT_FALSE(together({"(silu X)", "X"}, "(silu X)"));
  EXPECT_TRUE(together({"X", "X"}, "(mul (silu X) (silu X))"));
}

TEST_F(TogetherTest, Normalization) {
  EXPECT_TRUE(together({"(mul X G)", "(mul X X)", "W"}, kNorm));
  EXPECT_TRUE(together(
      {"(sum 8 (mul (mul X G) W))", "(sqrt (add (div (sum 8 (mul X X)) N) E))"},
      kNorm));
  // The numerator has one X only.
  EXPECT_FALSE(together({"(mul X G)", "(mul X W)"}, kNorm));
  // The sum of squares occurs once.
  EXPECT_FALSE(
      together({"(mul X X)", "(sum 2 (mul X X))", "(mul X G)"}, kNorm));
  EXPECT_FALSE(together({"(mul X X)", "(div X N)"}, kNorm));
}

TEST_F(TogetherTest, NullIsNeverPruned) {
  EXPECT_TRUE(context.canOccurTogether({Expr(), parse("X")}, parse("Y")));
  EXPECT_TRUE(context.canOccurTogether({parse("X"), parse("X")}, Expr()));
  EXPECT_TRUE(context.canOccurTogether({}, parse("Y")));
}

/// A random term, with the expressions of subterms at places that don't
/// overlap: each node on the way down either becomes a part or passes the wish
/// on.
class RandomTerms {
public:
  RandomTerms(ExprContext &context, unsigned seed)
      : context(context), random(seed) {}

  Expr make(unsigned depth, bool choose, std::vector<Expr> &parts) {
    bool isPart = choose && random() % 4 == 0;
    Expr expr = makeTerm(depth, choose && !isPart, parts);
    if (isPart)
      parts.push_back(expr);
    return expr;
  }

private:
  Expr makeTerm(unsigned depth, bool choose, std::vector<Expr> &parts) {
    static constexpr const char *names[] = {"X", "Y", "Z"};
    if (depth == 0)
      return context.variable(names[random() % 3]);
    switch (random() % 9) {
    case 0:
    case 1: {
      Expr a = make(depth - 1, choose, parts);
      return context.add(a, make(depth - 1, choose, parts));
    }
    case 2:
    case 3:
    case 4: {
      Expr a = make(depth - 1, choose, parts);
      return context.mul(a, make(depth - 1, choose, parts));
    }
    case 5: {
      Expr a = make(depth - 1, choose, parts);
      return context.div(a, make(depth - 1, choose, parts));
    }
    case 6:
      return context.sum(2 << random() % 3, make(depth - 1, choose, parts));
    case 7:
      return random() % 2 ? context.exp(make(depth - 1, choose, parts))
                          : context.sqrt(make(depth - 1, choose, parts));
    default:
      return context.apply("silu", {make(depth - 1, choose, parts)});
    }
  }

  ExprContext &context;
  std::mt19937 random;
};

TEST_F(TogetherTest, DisjointSubtermsAreNeverRefuted) {
  RandomTerms terms(context, 20261121);
  unsigned several = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<Expr> parts;
    Expr term = terms.make(2 + i % 3, true, parts);
    several += parts.size() > 1;
    ASSERT_TRUE(context.canOccurTogether(parts, term))
        << context.print(term) << " with " << parts.size() << " parts";
  }
  EXPECT_GT(several, 5000u);
}

} // namespace
