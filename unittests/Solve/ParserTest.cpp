//===- ParserTest.cpp - The language of axioms ----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Solve/Axioms.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::solve;
using testing::HasSubstr;

static std::string getError(llvm::StringRef text) {
  llvm::Expected<Axioms> axioms = parseAxioms(text, "f");
  return axioms ? "" : llvm::toString(axioms.takeError());
}

TEST(ParserTest, AFileIsReadInFull) {
  auto axioms = parseAxioms(R"(
    function scale(1)  // a comment
    function mix(2)
    axiom forall x, y. scale(x + y) = scale(x) + scale(y)
    axiom forall c, x. not (c <= 0) and 1e-3 < 2.5 => relu(c * x) = c * relu(x)
    axiom forall x. mix(sum(x), -1/3) != sum(mix(x, 1)) or x = x
    axiom scale(0) = 0)",
                            "f");
  ASSERT_TRUE(static_cast<bool>(axioms)) << llvm::toString(axioms.takeError());
  EXPECT_EQ(axioms->functions.at("scale"), 1u);
  EXPECT_EQ(axioms->functions.at("mix"), 2u);
  ASSERT_EQ(axioms->axioms.size(), 4u);
  EXPECT_EQ(axioms->axioms[0].text,
            "axiom forall x, y. scale(x + y) = scale(x) + scale(y)");
  EXPECT_EQ(axioms->axioms[0].line, 4u);
  EXPECT_EQ(axioms->axioms[0].column, 5u);
  EXPECT_FALSE(axioms->axioms[1].hasFunctions);
  EXPECT_TRUE(axioms->axioms[2].hasSums);
  // x occurs outside of sums, too.
  EXPECT_FALSE(axioms->axioms[2].isFamily[0]);
}

TEST(ParserTest, VariablesOfSumsOnlyAreFamilies) {
  auto axioms =
      parseAxioms("axiom forall c, x. sum(c * F(x)) = c * sum(F(x))", "f");
  ASSERT_TRUE(static_cast<bool>(axioms));
  EXPECT_FALSE(axioms->axioms[0].isFamily[0]);
  EXPECT_TRUE(axioms->axioms[0].isFamily[1]);
}

TEST(ParserTest, AnEmptyFileHasNoAxioms) {
  EXPECT_EQ(getError(""), "");
  EXPECT_EQ(getError("  // nothing\n"), "");
}

TEST(ParserTest, ErrorsAreAtTheirPlace) {
  EXPECT_EQ(getError("lemma"), "f:1:1: error: expected 'axiom' or 'function', "
                               "found 'lemma'");
  EXPECT_EQ(getError("function F(1)\naxiom forall x. G(x) = x"),
            "f:2:17: error: unknown function 'G'");
  EXPECT_EQ(getError("axiom forall x. relu(x, x) = x"),
            "f:1:17: error: 'relu' has 1 operand, found 2");
  EXPECT_EQ(getError("axiom forall x. F(x) = F(x, x)"),
            "f:1:24: error: 'F' has 1 operand, found 2");
  EXPECT_EQ(getError("axiom forall x.\n  F(y) = x"),
            "f:2:5: error: variable 'y' is not bound by a forall");
  EXPECT_EQ(getError("axiom forall x. F(x) = x )"),
            "f:1:26: error: expected 'axiom' or 'function', found ')'");
  EXPECT_EQ(getError("axiom forall x. (F(x) = x"),
            "f:1:26: error: expected ')' for the '(' at 1:17, found the end of "
            "the file");
  EXPECT_EQ(getError("axiom forall x. F(x = x"),
            "f:1:19: error: expected a number, found a formula");
  EXPECT_EQ(getError("axiom forall x. F(x"),
            "f:1:20: error: expected ')' or ',' in the call of 'F' at 1:17, "
            "found the end of the file");
  EXPECT_EQ(getError("axiom forall x F(x) = x"),
            "f:1:16: error: expected '.', found 'F'");
  EXPECT_EQ(getError("axiom forall x. F(x)"),
            "f:1:17: error: expected a formula, found a number");
  EXPECT_EQ(getError("axiom forall x. F(x) = x + (x < 1)"),
            "f:1:28: error: expected a number, found a formula");
  EXPECT_EQ(getError("axiom forall x. F(x) = 1 and x"),
            "f:1:30: error: expected a formula, found a number");
  EXPECT_EQ(getError("axiom forall x. 0 < F(x) < 1"),
            "f:1:26: error: a comparison of three numbers");
  EXPECT_EQ(getError("axiom forall x. F(x) ="),
            "f:1:23: error: expected a number, a variable or a function, found "
            "the end of the file");
  EXPECT_EQ(getError("axiom forall x. F(x) = 2x"),
            "f:1:24: error: a number ends in a letter");
  EXPECT_EQ(getError("axiom forall x. F(x) ? x"),
            "f:1:22: error: unexpected character '?'");
  // The last one is the least of 64 bits, whose magnitude has 65.
  for (std::string number :
       {"1e200", "1e-101", "1e99999999999999999999", "1e-9223372036854775808"})
    EXPECT_EQ(getError("axiom forall x. F(x) = " + number),
              "f:1:24: error: the exponent of a number is larger than 100");
  EXPECT_EQ(getError("axiom forall x. F(x) = 1234567890123456"),
            "f:1:24: error: a number with more than 15 digits");
  EXPECT_EQ(getError("axiom forall x, x. F(x) = 0"),
            "f:1:17: error: 'x' is bound twice");
  EXPECT_EQ(getError("axiom forall exp. F(exp) = 0"),
            "f:1:14: error: 'exp' is a function, not a variable");
  EXPECT_EQ(getError("axiom forall and. F(1) = 0"),
            "f:1:14: error: expected the name of a variable, found 'and'");
  EXPECT_EQ(getError("function relu(1)"),
            "f:1:10: error: 'relu' is a built-in operator");
  EXPECT_EQ(getError("function F(1) function F(1)"),
            "f:1:24: error: 'F' is declared twice");
  EXPECT_EQ(getError("function F(0)"),
            "f:1:12: error: expected a number of operands from 1 to 16, found "
            "'0'");
  EXPECT_EQ(getError("axiom forall x. sum(sum(x)) = 1"),
            "f:1:21: error: a sum within a sum");
  EXPECT_EQ(getError("axiom forall x, y. matmul(x, y) = 1"),
            "f:1:20: error: 'matmul' is not an elementwise operator");
  EXPECT_EQ(getError("axiom forall x. custom(x) = 1"),
            "f:1:17: error: 'custom' is not an elementwise operator");
  EXPECT_EQ(getError("axiom forall x, c. pow(x, c) = x"),
            "f:1:27: error: 'pow' needs a number written out here");
}

// Whatever it is given, the parser returns.
TEST(ParserTest, DeepNestingIsAnError) {
  EXPECT_THAT(getError("axiom " + std::string(100000, '(')),
              HasSubstr("nested too deeply"));
  std::string nots = "axiom ";
  for (int i = 0; i < 100000; ++i)
    nots += "not ";
  EXPECT_THAT(getError(nots + "1 = 1"), HasSubstr("nested too deeply"));
  std::string sum = "axiom 0";
  for (int i = 0; i < 100000; ++i)
    sum += " + 0";
  EXPECT_THAT(getError(sum + " = 0"), HasSubstr("more than 2000 words"));
  // Of one axiom: declarations may be many.
  std::string functions;
  for (int i = 0; i < 1000; ++i)
    functions += "function f" + std::to_string(i) + "(1)\n";
  EXPECT_EQ(getError(functions + "axiom forall x. f0(x) = f999(x)"), "");
}
