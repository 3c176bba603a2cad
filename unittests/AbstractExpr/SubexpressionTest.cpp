//===- SubexpressionTest.cpp - The subexpression relation and its oracle --===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprTest.h"
#include "Mirage/AbstractExpr/SubexpressionOracle.h"

using namespace mirage;

namespace {

using SubexpressionTest = ExprTest;

TEST_F(SubexpressionTest, OperandsOfEveryOperator) {
  for (const char *y : {"(add P Q)", "(mul P Q)", "(div P Q)", "(max P Q)"}) {
    EXPECT_TRUE(isSubexpression("P", y)) << y;
    EXPECT_TRUE(isSubexpression("Q", y)) << y;
    EXPECT_FALSE(isSubexpression("R", y)) << y;
  }
  for (const char *y : {"(sum 4 P)", "(exp P)", "(sqrt P)", "(silu P)"}) {
    EXPECT_TRUE(isSubexpression("P", y)) << y;
    EXPECT_FALSE(isSubexpression("R", y)) << y;
  }
}

TEST_F(SubexpressionTest, Reflexive) {
  EXPECT_TRUE(isSubexpression("(div X (add Y Z))", "(div X (add Z Y))"));
}

TEST_F(SubexpressionTest, NotSymmetric) {
  EXPECT_FALSE(isSubexpression("(mul X Y)", "X"));
}

TEST_F(SubexpressionTest, Transitive) {
  EXPECT_TRUE(
      isSubexpression("X", "(exp (sqrt (div Y (silu (max Z (add X W))))))"));
}

TEST_F(SubexpressionTest, UpToEquality) {
  // The product that the search forms need not be one that the program writes.
  EXPECT_TRUE(isSubexpression("(mul X W)", "(div (mul (mul X G) W) (sqrt Y))"));
  EXPECT_TRUE(isSubexpression("(sum 16 X)", "(sum 64 X)"));
  EXPECT_FALSE(isSubexpression("(sum 24 X)", "(sum 64 X)"));
  EXPECT_FALSE(isSubexpression("(sum 128 X)", "(sum 64 X)"));
  EXPECT_TRUE(isSubexpression("(sqrt X)", "(sqrt (mul X Y))"));
  EXPECT_TRUE(isSubexpression("(exp X)", "(exp (add X Y))"));
  EXPECT_FALSE(isSubexpression("(exp X)", "(exp (mul X Y))"));
  EXPECT_TRUE(isSubexpression("(div X Y)", "(div X (mul Y Z))"));
}

TEST_F(SubexpressionTest, PartOfASum) {
  EXPECT_TRUE(isSubexpression("(add X Z)", "(add X (add Y Z))"));
  EXPECT_TRUE(
      isSubexpression("(add X Y)", "(add (mul X Z) (add (mul Y Z) W))"));
  EXPECT_FALSE(isSubexpression("(add X Y)", "(add (mul X Z) (mul Y W))"));
  // The second candidate for X's multiple is the right one.
  EXPECT_TRUE(isSubexpression(
      "(add X Y)", "(add (mul X (mul Z Z)) (add (mul X Z) (mul Y Z)))"));
  EXPECT_TRUE(isSubexpression(
      "(add X Y)",
      "(add (mul X (mul Z Z)) (add (mul X Z) (mul Y (mul Z Z))))"));
}

TEST_F(SubexpressionTest, Multiplicities) {
  EXPECT_TRUE(isSubexpression("(add X X)", "(add X (add X X))"));
  EXPECT_FALSE(isSubexpression("(add X (add X X))", "(add X X)"));
  EXPECT_TRUE(
      isSubexpression("(add X (add Y Y))", "(add (add X Y) (add X Y))"));
  EXPECT_FALSE(isSubexpression("(add X (add Y (add Y Y)))",
                               "(add (add X Y) (add X Y))"));
  // 6 (X + Y) Z under a sqrt is 2 (X + Y) times 3 Z, and 4 (X + Y) times
  // nothing.
  const char *six = "(sqrt (mul (add (add X Y) (add X Y)) (add Z (add Z Z))))";
  EXPECT_TRUE(isSubexpression("(sqrt (add (add X Y) (add X Y)))", six));
  EXPECT_FALSE(isSubexpression(
      "(sqrt (add (add (add X Y) (add X Y)) (add (add X Y) (add X Y))))", six));
}

TEST_F(SubexpressionTest, FactorsOfPolynomials) {
  // (X + Y) (X + Z), expanded, under a sqrt and under an inv.
  const char *expanded =
      "(add (mul X X) (add (mul X Z) (add (mul Y X) (mul Y Z))))";
  for (std::string y : {"(sqrt " + std::string(expanded) + ")",
                        "(div W " + std::string(expanded) + ")"}) {
    bool isRoot = y[1] == 's';
    EXPECT_TRUE(
        isSubexpression(isRoot ? "(sqrt (add X Y))" : "(div W (add X Y))", y));
    EXPECT_TRUE(
        isSubexpression(isRoot ? "(sqrt (add Z X))" : "(div W (add Z X))", y));
    EXPECT_FALSE(
        isSubexpression(isRoot ? "(sqrt (add Y Z))" : "(div W (add Y Z))", y));
    EXPECT_FALSE(isSubexpression(isRoot ? "(sqrt X)" : "(div W X)", y));
  }
  // A quotient of several monomials: (X + Y)^3 holds (X + Y)^2.
  EXPECT_TRUE(
      isSubexpression("(sqrt (mul (add X Y) (add X Y)))",
                      "(sqrt (mul (mul (add X Y) (add X Y)) (add X Y)))"));
}

TEST_F(SubexpressionTest, NoCancellation) {
  EXPECT_FALSE(isSubexpression("(div X Y)", "X"));
  EXPECT_FALSE(isSubexpression("(mul X Y)", "(div (mul X Z) Z)"));
  EXPECT_FALSE(isSubexpression("(add X (mul -1 X))", "X"));
  EXPECT_TRUE(isSubexpression("(mul -1 X)", "(add Y (mul -1 X))"));
  EXPECT_FALSE(isSubexpression("(mul -1 X)", "(add Y X)"));
}

TEST_F(SubexpressionTest, NoConstantOne) {
  // sqrt(sum(4, X)) would be sqrt(X) times sqrt of a bare scale, and x/sum(4,
  // y) would be x/y over one.
  EXPECT_FALSE(isSubexpression("(sqrt X)", "(sqrt (sum 4 X))"));
  EXPECT_TRUE(isSubexpression("(sqrt X)", "(sqrt (sum 4 (mul X Y)))"));
  EXPECT_FALSE(isSubexpression("(div X Y)", "(div X (sum 4 Y))"));
  EXPECT_TRUE(isSubexpression("(div X Y)", "(div X (sum 4 (mul Y Z)))"));
  // sqrt(X/Y) would be sqrt(X) times sqrt of a bare inv.
  EXPECT_FALSE(isSubexpression("(sqrt X)", "(sqrt (div X Y))"));
  EXPECT_TRUE(isSubexpression("(sqrt X)", "(sqrt (div (mul X Z) Y))"));
  // One monomial of the quotient without a factor is enough.
  EXPECT_FALSE(isSubexpression("(sqrt X)", "(sqrt (add (mul X Y) (sum 4 X)))"));
  // Their arguments are subexpressions all the same.
  EXPECT_TRUE(isSubexpression("X", "(sqrt (sum 4 X))"));
  EXPECT_TRUE(isSubexpression("(div X Y)", "(sqrt (div X Y))"));
}

TEST_F(SubexpressionTest, DescendsIntoEveryPart) {
  EXPECT_TRUE(isSubexpression("(add P Q)", "(mul R (exp (add P (add Q S))))"));
  EXPECT_TRUE(isSubexpression("(add P Q)", "(mul R (sqrt (add P (add Q S))))"));
  EXPECT_TRUE(isSubexpression("(add P Q)", "(div R (add P (add Q S)))"));
  EXPECT_TRUE(
      isSubexpression("(add P Q)", "(mul R (max S (add P (add Q S))))"));
  EXPECT_FALSE(
      isSubexpression("(mul P Q)", "(mul (exp P) (mul (sqrt P) (div Q P)))"));
}

TEST_F(SubexpressionTest, NullIsASubexpressionOfAllAndContainsAll) {
  Expr x = parse("X");
  EXPECT_TRUE(context.isSubexpression(Expr(), x));
  EXPECT_TRUE(context.isSubexpression(x, Expr()));
  EXPECT_TRUE(context.isSubexpression(Expr(), Expr()));
}

TEST_F(SubexpressionTest, Statistics) {
  Expr x = parse("(exp X)"), y = parse("(exp (sqrt (add X Y)))");
  EXPECT_EQ(context.getStatistics().numQueries, 0u);
  EXPECT_GE(context.getStatistics().numForms, 6u);
  EXPECT_FALSE(context.isSubexpression(x, y));
  EXPECT_EQ(context.getStatistics().numQueries, 1u);
  EXPECT_EQ(context.getStatistics().numMemoHits, 0u);
  EXPECT_FALSE(context.isSubexpression(x, y));
  EXPECT_TRUE(context.isSubexpression(x, x));
  EXPECT_TRUE(context.isSubexpression(x, Expr()));
  EXPECT_EQ(context.getStatistics().numQueries, 4u);
  EXPECT_EQ(context.getStatistics().numMemoHits, 3u);
}

//===----------------------------------------------------------------------===//
// The oracle
//===----------------------------------------------------------------------===//

using NormalFormOracleTest = ExprTest;

TEST_F(NormalFormOracleTest, RMSNormAndLinear) {
  // Y = W matmul (X * G / rms(X)); the division may move past the matmul.
  NormalFormOracle oracle(context,
                          parse("(sum 4096 (mul (div (mul X G) (sqrt (add (div "
                                "(sum 4096 (mul X X)) 4096.0) 1e-5))) W))"));
  for (const char *x :
       {"X", "(mul X X)", "(sum 64 (mul X X))", "(mul X G)", "(mul G W)",
        "(sum 64 (mul (mul X G) W))", "(sum 4096 (mul (mul X G) W))",
        "(add (div (sum 4096 (mul X X)) 4096.0) 1e-5)",
        "(div X (sqrt (add (div (sum 4096 (mul X X)) 4096.0) 1e-5)))"})
    EXPECT_TRUE(oracle.mayContribute(parse(x))) << x;
  for (const char *x :
       {"(mul G G)", "(add X G)", "(exp X)", "(sum 8192 (mul X X))",
        "(mul (mul X X) W)", "(div X (sum 4096 (mul X X)))",
        "(sqrt (sum 4096 (mul X X)))"})
    EXPECT_FALSE(oracle.mayContribute(parse(x))) << x;
}

TEST_F(NormalFormOracleTest, SeveralTargets) {
  NormalFormOracle oracle(context, {parse("(mul X Y)"), parse("(exp Z)")});
  EXPECT_TRUE(oracle.mayContribute(parse("(mul Y X)")));
  EXPECT_TRUE(oracle.mayContribute(parse("Z")));
  EXPECT_FALSE(oracle.mayContribute(parse("(mul X Z)")));
}

TEST_F(NormalFormOracleTest, UnknownIsNeverPruned) {
  NormalFormOracle oracle(context, parse("X"));
  EXPECT_TRUE(oracle.mayContribute(Expr()));
  EXPECT_FALSE(oracle.mayContribute(parse("Y")));
  NormalFormOracle unknown(context, {parse("X"), Expr()});
  EXPECT_TRUE(unknown.mayContribute(parse("Y")));
  NormalFormOracle nothing(context, {});
  EXPECT_FALSE(nothing.mayContribute(parse("X")));
  EXPECT_TRUE(nothing.mayContribute(Expr()));
}

} // namespace
