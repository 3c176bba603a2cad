//===- AxiomsTest.cpp - Axioms that are true, false, contradictory --------===//
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
  llvm::Expected<Axioms> axioms = readAxioms(text, "f");
  return axioms ? "" : llvm::toString(axioms.takeError());
}

static Axioms read(llvm::StringRef text) {
  llvm::Expected<Axioms> axioms = readAxioms(text, "f");
  if (axioms)
    return std::move(*axioms);
  ADD_FAILURE() << llvm::toString(axioms.takeError());
  return {};
}

// What operators declare holds, for many numbers of all magnitudes.
TEST(AxiomsTest, BuiltinAxiomsHold) {
  EXPECT_GT(getBuiltinAxioms().size(), 30u);
  for (const Axiom &axiom : getBuiltinAxioms())
    EXPECT_EQ(findCounterexample(axiom, nullptr, 20000), std::nullopt)
        << axiom.text;
}

TEST(AxiomsTest, FalseOnesAboutBuiltinFunctionsAreErrors) {
  EXPECT_THAT(getError("axiom forall c, x. relu(c * x) = c * relu(x)"),
              HasSubstr("f:1:1: error: axiom is false: at c = -"));
  EXPECT_THAT(getError("\n axiom forall x. exp(x + x) = exp(x)"),
              HasSubstr("f:2:2: error: axiom is false: at x = "));
  EXPECT_THAT(getError("axiom 1 = 2"), HasSubstr("error: axiom is false"));
  EXPECT_THAT(getError("axiom forall x, y. x = y"),
              HasSubstr("axiom is false: at x = "));
  EXPECT_THAT(getError("axiom forall x. relu(x) = x"),
              HasSubstr("axiom is false"));
  EXPECT_THAT(getError("axiom forall x. gelu(x) = x * sigmoid(1.702 * x)"),
              HasSubstr("axiom is false"));
  EXPECT_THAT(getError("axiom forall x. sqrt(x * x) = x"),
              HasSubstr("axiom is false"));
  EXPECT_THAT(getError("axiom forall x. x + 1e-13 = x"),
              HasSubstr("axiom is false"));
  EXPECT_THAT(getError("axiom forall x. x < 1e15"),
              HasSubstr("axiom is false"));
  EXPECT_THAT(getError("axiom forall x. x != 12345"),
              HasSubstr("axiom is false: at x = 12345"));
  EXPECT_THAT(getError("axiom forall x. sum(x) = x"),
              HasSubstr("axiom is false"));
  EXPECT_THAT(getError("axiom forall x. sum(exp(x)) = exp(sum(x))"),
              HasSubstr("axiom is false"));
}

TEST(AxiomsTest, TrueOnesAboutBuiltinFunctionsAreConfirmed) {
  Axioms axioms = read(R"(
    axiom forall c, x. c > 0 => relu(c * x) = c * relu(x)
    axiom forall x. tanh(-x) = -tanh(x)
    axiom forall c, x. sum(c * x) = c * sum(x))");
  EXPECT_TRUE(axioms.unconfirmed.empty());
  EXPECT_TRUE(axioms.areConsistent());
}

// True wherever one looks, and false: no proof may use it.
TEST(AxiomsTest, WhatDoesNotFollowIsNotUsed) {
  Axioms axioms = read("axiom forall x. x * x * x != 7.3 * x + 1.1\n"
                       "axiom forall x. x != 12345.678");
  EXPECT_EQ(axioms.unconfirmed.size(), 2u);
}

TEST(AxiomsTest, ContradictionsAreErrors) {
  EXPECT_THAT(getError("axiom forall x, y. F(x) = y"),
              HasSubstr("f:1:1: error: axiom contradicts itself"));
  EXPECT_THAT(getError("axiom forall x. F(x) = F(x) + 1"),
              HasSubstr("axiom contradicts itself"));
  EXPECT_THAT(getError("axiom forall x, y. F(x) = F(y) and x = y"),
              HasSubstr("axiom contradicts itself"));
  EXPECT_THAT(getError("axiom forall x. F(x) > 0\n"
                       "axiom forall x. F(-x) = -F(x)"),
              HasSubstr("f:2:1: error: axiom contradicts that in line 1"));
  EXPECT_THAT(getError("axiom forall x. F(x) = 2 * x\n"
                       "axiom forall x. G(x) = x\n"
                       "axiom F(3) = 5"),
              HasSubstr("f:3:1: error: axiom contradicts that in line 1"));
  EXPECT_THAT(getError("axiom forall x, y. F(x + y) = F(x) + F(y)\n"
                       "axiom forall x. F(x) >= 1"),
              HasSubstr("f:2:1: error: axiom contradicts that in line 1"));
  EXPECT_THAT(getError("axiom forall x, y. max(x, y) = F(x) + F(y)"),
              HasSubstr("contradicts itself"));
  // Functions of functions.
  EXPECT_THAT(getError("axiom forall x. F(F(x)) = F(x) + 1\n"
                       "axiom forall x, y. F(x) = F(y)"),
              HasSubstr("f:2:1: error: axiom contradicts that in line 1"));
  EXPECT_THAT(getError("axiom forall x. F(G(x)) = x\n"
                       "axiom forall x. G(x) = 0"),
              HasSubstr("f:2:1: error: axiom contradicts that in line 1"));
  EXPECT_THAT(getError("axiom forall x. F(sum(x)) = sum(F(x)) + 1"),
              HasSubstr("contradicts itself"));
}

TEST(AxiomsTest, AModelShowsConsistency) {
  for (llvm::StringRef text :
       {"axiom forall x, y. F(x + y) = F(x) + F(y)",
        "axiom forall x. F(sum(x)) = sum(F(x))",
        "axiom forall x. F(F(x)) = F(x)",
        "axiom forall c, x. c > 0 => F(c * x) = c * F(x)",
        "axiom forall x. F(-x) = -F(x)", "axiom forall x, y. F(x, y) = F(y, x)",
        "axiom forall x, y, z. F(F(x, y), z) = F(x, F(y, z))",
        "axiom forall x. F(x) = x * G(x)",
        "axiom forall x. F(x) >= 0 axiom F(1) = 3",
        "axiom forall x, y. x <= y => F(x) <= F(y)",
        "axiom forall x. mish(x) = x * tanh(log(1 + exp(x)))",
        "axiom forall y, x. F(x, y) = x * x * x - y axiom F(2, 1) = 7"}) {
    Axioms axioms = read(text);
    EXPECT_TRUE(axioms.areConsistent()) << text.str();
    ASSERT_FALSE(axioms.models.empty()) << text.str();
    for (const Axiom &axiom : axioms.axioms)
      EXPECT_EQ(findCounterexample(axiom, &axioms.models[0], 1000),
                std::nullopt)
          << axioms.models[0].getText();
  }
}

// Neither a model nor a contradiction is found.
TEST(AxiomsTest, ConsistencyMayStayOpen) {
  Axioms axioms = read("axiom forall x. F(x) * F(x) * F(x) + F(x) = x");
  EXPECT_FALSE(axioms.areConsistent());
  // This is no function that has a value everywhere.
  axioms = read("axiom forall x. F(x) = 1 / x");
  EXPECT_FALSE(axioms.areConsistent());
}
