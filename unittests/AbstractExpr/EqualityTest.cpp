//===- EqualityTest.cpp - Equality of abstract expressions ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprTest.h"
#include "llvm/ADT/DenseSet.h"

#include <limits>
#include <ostream>

using namespace mirage;

namespace {

//===----------------------------------------------------------------------===//
// The axioms
//===----------------------------------------------------------------------===//

/// Two expressions, which name the test as well.
struct Pair {
  const char *x, *y;
};

void PrintTo(const Pair &pair, std::ostream *os) {
  *os << pair.x << " and " << pair.y;
}

class Axiom : public ExprTest, public testing::WithParamInterface<Pair> {};

TEST_P(Axiom, Holds) { EXPECT_TRUE(areEqual(GetParam().x, GetParam().y)); }

// The axioms of Table 1, then what follows from several.
INSTANTIATE_TEST_SUITE_P(
    Equality, Axiom,
    testing::Values(Pair{"(add (exp X) Y)", "(add Y (exp X))"},
                    Pair{"(mul (exp X) Y)", "(mul Y (exp X))"},
                    Pair{"(add (add X Y) Z)", "(add X (add Y Z))"},
                    Pair{"(mul (mul X Y) Z)", "(mul X (mul Y Z))"},
                    Pair{"(add (mul X Z) (mul Y Z))", "(mul (add X Y) Z)"},
                    Pair{"(add (div X Z) (div Y Z))", "(div (add X Y) Z)"},
                    Pair{"(mul X (div Y Z))", "(div (mul X Y) Z)"},
                    Pair{"(div (div X Y) Z)", "(div X (mul Y Z))"},
                    Pair{"(sum 4 (sum 16 X))", "(sum 64 X)"},
                    Pair{"(sum 1 X)", "X"},
                    Pair{"(sum 8 (add X Y))", "(add (sum 8 X) (sum 8 Y))"},
                    Pair{"(sum 8 (mul X Y))", "(mul (sum 8 X) Y)"},
                    Pair{"(sum 8 (div X Y))", "(div (sum 8 X) Y)"},
                    Pair{"(mul (exp X) (exp Y))", "(exp (add X Y))"},
                    Pair{"(mul (sqrt X) (sqrt Y))", "(sqrt (mul X Y))"},
                    Pair{"(silu (sum 4 (sum 2 X)))", "(silu (sum 8 X))"},
                    Pair{"(sqrt (mul (add X Y) Z))",
                         "(mul (sqrt Z) (sqrt (add Y X)))"},
                    Pair{"(div W (mul (add X Y) (sqrt Z)))",
                         "(div (div W (sqrt Z)) (add Y X))"}));

class NotAnAxiom : public ExprTest, public testing::WithParamInterface<Pair> {};

TEST_P(NotAnAxiom, IsNotUsed) {
  EXPECT_FALSE(areEqual(GetParam().x, GetParam().y));
}

INSTANTIATE_TEST_SUITE_P(
    Equality, NotAnAxiom,
    testing::Values(
        // No cancellation.
        Pair{"(div (mul X Y) Y)", "X"}, Pair{"(div X X)", "(div Y Y)"},
        Pair{"(mul (sqrt X) (sqrt X))", "X"},
        Pair{"(add Y (add X (mul -1 X)))", "Y"},
        // No arithmetic with constants.
        Pair{"(mul 1 X)", "X"}, Pair{"(add 0 X)", "X"},
        Pair{"(mul 2 X)", "(add X X)"}, Pair{"(mul 2 3)", "6"},
        // A reduction is no multiple, and what is nonlinear doesn't commute
        // with it.
        Pair{"(sum 2 X)", "(add X X)"},
        Pair{"(sum 4 (exp X))", "(exp (sum 4 X))"},
        Pair{"(sum 4 (sqrt X))", "(sqrt (sum 4 X))"},
        Pair{"(sum 4 (silu X))", "(silu (sum 4 X))"},
        Pair{"(div X (sum 4 Y))", "(sum 4 (div X Y))"},
        Pair{"(sum 4 (div X (sum 4 Y)))", "(div X Y)"},
        // Division and subtraction have an order; functions do too.
        Pair{"(div X Y)", "(div Y X)"}, Pair{"(max X Y)", "(max Y X)"},
        Pair{"(silu X)", "(relu X)"}, Pair{"(max X Y)", "(max X Y Y)"},
        Pair{"(exp (mul X Y))", "(mul (exp X) (exp Y))"},
        Pair{"(sqrt (add X Y))", "(add (sqrt X) (sqrt Y))"},
        Pair{"(add (div X Y) (div X Z))", "(div X (add Y Z))"}));

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

using ExprHandleTest = ExprTest;

TEST_F(ExprHandleTest, AtomsAreToldApart) {
  EXPECT_EQ(context.variable("X"), context.variable("X"));
  EXPECT_NE(context.variable("X"), context.variable("Y"));
  EXPECT_EQ(context.constant(0.5), context.constant(0.5));
  EXPECT_NE(context.constant(0.0), context.constant(-0.0));
  EXPECT_NE(context.constant(1), context.variable("1"));
  EXPECT_NE(context.apply("X", {}), context.variable("X"));
}

TEST_F(ExprHandleTest, NamesAreCopied) {
  std::string name = "a tensor name longer than a short string holds";
  Expr x = context.variable(name);
  std::string copy = name;
  name.assign(name.size(), '?');
  EXPECT_EQ(context.variable(copy), x);
  EXPECT_EQ(context.print(x), copy);
}

TEST_F(ExprHandleTest, IdsRepeat) {
  auto build = [](ExprContext &context) {
    Expr x = context.variable("X"), g = context.variable("G");
    Expr norm = context.sqrt(context.sum(64, context.mul(x, x)));
    Expr y =
        context.div(context.mul(context.add(x, g), context.add(g, x)), norm);
    context.isSubexpression(g, y);
    return context.exp(y).getId();
  };
  ExprContext other;
  EXPECT_EQ(build(context), build(other));
}

TEST_F(ExprHandleTest, HashSet) {
  llvm::DenseSet<Expr> set = {context.variable("X"), Expr(), parse("(add X Y)"),
                              parse("(add Y X)")};
  EXPECT_EQ(set.size(), 3u);
  EXPECT_TRUE(set.contains(context.variable("X")));
  EXPECT_FALSE(set.contains(context.variable("Y")));
}

TEST_F(ExprHandleTest, ContextMoves) {
  Expr x = parse("(add X Y)");
  ExprContext moved = std::move(context);
  EXPECT_EQ(moved.add(moved.variable("Y"), moved.variable("X")), x);
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

using ExprLimitsTest = ExprTest;

TEST_F(ExprLimitsTest, NullPoisons) {
  Expr x = context.variable("X"), null;
  EXPECT_TRUE(null.isNull());
  EXPECT_FALSE(null);
  EXPECT_TRUE(context.add(x, null).isNull());
  EXPECT_TRUE(context.add(null, x).isNull());
  EXPECT_TRUE(context.mul(x, null).isNull());
  EXPECT_TRUE(context.mul(null, x).isNull());
  EXPECT_TRUE(context.div(x, null).isNull());
  EXPECT_TRUE(context.div(null, x).isNull());
  EXPECT_TRUE(context.sum(2, null).isNull());
  EXPECT_TRUE(context.exp(null).isNull());
  EXPECT_TRUE(context.sqrt(null).isNull());
  EXPECT_TRUE(context.apply("max", {x, null}).isNull());
}

TEST_F(ExprLimitsTest, SumNeedsAPositiveCount) {
  EXPECT_TRUE(context.sum(0, context.variable("X")).isNull());
  EXPECT_TRUE(context.sum(-2, context.variable("X")).isNull());
}

TEST_F(ExprLimitsTest, ScaleOverflows) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  Expr x = context.sum(most, context.variable("X"));
  EXPECT_TRUE(x);
  EXPECT_TRUE(context.sum(1, x));
  EXPECT_TRUE(context.sum(2, x).isNull());
  EXPECT_TRUE(context.mul(x, context.sum(2, x)).isNull());
  EXPECT_TRUE(context.mul(x, x).isNull());
  // What is found too large on the way to an answer doesn't spoil it.
  EXPECT_FALSE(
      context.isSubexpression(context.mul(x, context.variable("Y")), x));
}

TEST_F(ExprLimitsTest, MultiplicityOverflows) {
  Expr x = context.variable("X");
  for (int i = 0; i < 62; ++i)
    x = context.add(x, x);
  EXPECT_EQ(context.print(x), "4611686018427387904 X");
  EXPECT_TRUE(context.add(x, x).isNull());
  EXPECT_TRUE(context.mul(x, x).isNull());
}

TEST_F(ExprLimitsTest, PowerOverflows) {
  Expr x = context.variable("X");
  for (int i = 0; i < 62; ++i)
    x = context.mul(x, x);
  EXPECT_EQ(context.print(x), "X^4611686018427387904");
  EXPECT_TRUE(context.mul(x, x).isNull());
}

TEST_F(ExprLimitsTest, Monomials) {
  ExprContext context(ExprLimits{/*maxMonomials=*/10, /*maxDepth=*/8});
  Expr sum = context.variable("V0");
  for (int i = 1; i < 4; ++i)
    sum = context.add(sum, context.variable("V" + std::to_string(i)));
  Expr square = context.mul(sum, sum); // 10 monomials
  EXPECT_TRUE(square);
  EXPECT_TRUE(context.mul(square, sum).isNull()); // 20 monomials
  EXPECT_TRUE(context.add(square, sum).isNull()); // 14 monomials
  EXPECT_TRUE(context.add(square, square));
  // Products under a sqrt and an inv expand as well.
  Expr root = context.sqrt(sum),
       quotient = context.div(context.variable("V0"), sum);
  Expr roots = context.mul(root, root),
       quotients = context.mul(quotient, quotient);
  EXPECT_TRUE(roots && quotients);
  EXPECT_TRUE(context.mul(roots, root).isNull());
  EXPECT_TRUE(context.mul(quotients, quotient).isNull());
}

TEST_F(ExprLimitsTest, Depth) {
  ExprContext context(ExprLimits{/*maxMonomials=*/256, /*maxDepth=*/3});
  Expr x = context.variable("X");
  EXPECT_TRUE(context.sqrt(context.sqrt(context.sqrt(x))));
  EXPECT_TRUE(
      context.sqrt(context.sqrt(context.sqrt(context.sqrt(x)))).isNull());
  EXPECT_TRUE(context.exp(context.exp(context.apply("silu", {context.exp(x)})))
                  .isNull());
  EXPECT_TRUE(context.apply("silu", {context.exp(context.exp(context.exp(x)))})
                  .isNull());
  EXPECT_TRUE(context.div(x, context.exp(context.exp(x))));
  EXPECT_TRUE(
      context.div(x, context.exp(context.exp(context.exp(x)))).isNull());
  // Products and sums don't nest.
  for (int i = 0; i < 5; ++i)
    x = context.mul(context.add(x, x), x);
  EXPECT_TRUE(x);
}

/// The deepest expressions that the default limits allow are handled on an
/// ordinary stack.
TEST_F(ExprLimitsTest, DeepestExpressions) {
  Expr x = context.variable("X"), y = context.variable("Y"), deepX = x,
       deepY = y;
  for (unsigned i = 0; i < ExprLimits().maxDepth; ++i) {
    deepX = context.sqrt(context.add(deepX, y));
    deepY = context.sqrt(context.add(deepY, x));
  }
  Expr product = context.mul(deepX, deepY);
  ASSERT_TRUE(product);
  EXPECT_TRUE(context.isSubexpression(deepX, product));
  EXPECT_TRUE(context.isSubexpression(x, product));
  EXPECT_FALSE(context.isSubexpression(context.exp(x), product));
  EXPECT_TRUE(context.sqrt(product).isNull());
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

using ExprPrinterTest = ExprTest;

TEST_F(ExprPrinterTest, Print) {
  EXPECT_EQ(context.print(Expr()), "<unknown>");
  EXPECT_EQ(context.print(parse("(add (mul X X) (add X X))")), "X^2 + 2 X");
  EXPECT_EQ(context.print(parse("(sum 64 (mul G X))")), "sum(64, X*G)");
  EXPECT_EQ(context.print(parse("(div (mul X 0.1) (sqrt (add X 1e-05)))")),
            "X*0.1/(sqrt(X + 1e-05))");
  EXPECT_EQ(context.print(parse("(mul (exp X) (silu (add X G)))")),
            "silu(X + G)*exp(X)");
  EXPECT_EQ(context.print(parse("(max X G)")), "max(X, G)");
  EXPECT_EQ(context.print(context.constant(1.0 / 3)), "0.3333333333333333");
  EXPECT_EQ(context.print(context.constant(-1)), "-1");
}

} // namespace
