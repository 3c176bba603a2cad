//===- ExprParserTest.cpp - Abstract expressions from text ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprTest.h"

using namespace mirage;

namespace {

class ExprParserTest : public ExprTest {
protected:
  /// The message that parsing `text` fails with.
  std::string getError(llvm::StringRef text) {
    llvm::Expected<Expr> expr = parseExpr(context, text);
    return expr ? "none" : llvm::toString(expr.takeError());
  }
};

TEST_F(ExprParserTest, BuildsWhatItReads) {
  Expr x = context.variable("X"), y = context.variable("Y");
  EXPECT_EQ(parse("X"), x);
  EXPECT_EQ(parse(" \t( add\nX Y)\r\n"), context.add(x, y));
  EXPECT_EQ(parse("(mul X(exp Y))"), context.mul(x, context.exp(y)));
  EXPECT_EQ(parse("(div X Y)"), context.div(x, y));
  EXPECT_EQ(parse("(sum 16 X)"), context.sum(16, x));
  EXPECT_EQ(parse("(sqrt X)"), context.sqrt(x));
  EXPECT_EQ(parse("(max X Y X)"), context.apply("max", {x, y, x}));
}

TEST_F(ExprParserTest, Constants) {
  EXPECT_EQ(parse("1e-5"), context.constant(1e-5));
  EXPECT_EQ(parse("-1"), context.constant(-1));
  EXPECT_EQ(parse("+.5"), context.constant(0.5));
  EXPECT_EQ(parse("inf"), context.variable("inf"));
  EXPECT_EQ(parse("-"), context.variable("-"));
  EXPECT_EQ(parse("-x"), context.variable("-x"));
}

TEST_F(ExprParserTest, Errors) {
  EXPECT_EQ(getError(""),
            "column 1: expected an expression, found the end of the text");
  EXPECT_EQ(getError(")"), "column 1: expected an expression, found ')'");
  EXPECT_EQ(getError("()"),
            "column 2: expected an operator after '(', found ')'");
  EXPECT_EQ(getError("((add X Y) Z)"),
            "column 2: expected an operator after '(', found '('");
  EXPECT_EQ(getError("(add X"),
            "column 7: expected an operand or ')', found the end of the text");
  EXPECT_EQ(
      getError("X Y"),
      "column 3: expected the end of the text after the expression, found 'Y'");
  EXPECT_EQ(
      getError("(exp X))"),
      "column 8: expected the end of the text after the expression, found ')'");
  EXPECT_EQ(getError("(exp (add X))"),
            "column 7: 'add' needs 2 operands, found 1");
  EXPECT_EQ(getError("(mul X Y Z)"),
            "column 2: 'mul' needs 2 operands, found 3");
  EXPECT_EQ(getError("(exp X Y)"), "column 2: 'exp' needs 1 operand, found 2");
  EXPECT_EQ(getError("(silu)"),
            "column 2: 'silu' needs at least 1 operand, found 0");
  EXPECT_EQ(getError("(sum 2)"),
            "column 2: 'sum' needs 1 operand after its integer, found 0");
  const std::string integer = "expected a positive 64-bit integer as the first "
                              "operand of 'sum', found ";
  EXPECT_EQ(getError("(sum X X)"), "column 6: " + integer + "'X'");
  EXPECT_EQ(getError("(sum 0 X)"), "column 6: " + integer + "'0'");
  EXPECT_EQ(getError("(sum -2 X)"), "column 6: " + integer + "'-2'");
  EXPECT_EQ(getError("(sum 9223372036854775808 X)"),
            "column 6: " + integer + "'9223372036854775808'");
  EXPECT_EQ(getError("(sum (exp X) X)"), "column 6: " + integer + "'('");
  EXPECT_EQ(getError("(sum"), "column 5: " + integer + "the end of the text");
  EXPECT_EQ(getError("(add X 1x)"), "column 8: expected a number, found '1x'");
}

TEST_F(ExprParserTest, Depth) {
  auto nest = [](size_t depth, std::string open) {
    std::string text;
    for (size_t i = 0; i < depth; ++i)
      text += open;
    return text + "X" + std::string(depth, ')');
  };
  EXPECT_TRUE(parse(nest(1000, "(add X ")));
  EXPECT_EQ(getError(nest(1001, "(exp ")),
            "column 5001: parentheses nest more than 1000 deep");
  EXPECT_EQ(getError(std::string(1000000, '(')),
            "column 2: expected an operator after '(', found '('");
  EXPECT_EQ(getError(nest(1000000, "(exp ")),
            "column 5001: parentheses nest more than 1000 deep");
  // Well-formed, but beyond the context's own limit.
  EXPECT_TRUE(parse(nest(1000, "(exp ")).isNull());
}

} // namespace
