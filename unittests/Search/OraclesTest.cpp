//===- OraclesTest.cpp - The search with each oracle ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphText.h"
#include "SearchFixture.h"
#include "TemporaryDatabase.h"
#include "gmock/gmock.h"

using namespace mirage;
using testing::HasSubstr;

namespace {

constexpr const char *kGatedSum = R"(
func.func @f(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x1xf32> {
  %a = mirage_kernel.mul %x, %y : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = mirage_kernel.sum %a dim 1 : (tensor<64x64xf32>) -> tensor<64x1xf32>
  %c = mirage_kernel.exp %b : (tensor<64x1xf32>) -> tensor<64x1xf32>
  return %c : tensor<64x1xf32>
})";

constexpr const char *kScaledSum = R"(
func.func @f(%x: tensor<64x64xf16>, %y: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %a = mirage_kernel.custom "scale"(%x) : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %b = mirage_kernel.custom "scale"(%y) : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %c = mirage_kernel.add %a, %b : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  return %c : tensor<64x64xf16>
})";

class OraclesTest : public SearchFixture {
protected:
  OraclesTest() {
    options.maxGridDims = 1;
    options.maxBlockOps = 2;
    options.maxFreeOps = 1;
  }

  void setAxioms(llvm::StringRef text) {
    llvm::Expected<solve::Axioms> axioms = solve::readAxioms(text, "my.axioms");
    ASSERT_TRUE(static_cast<bool>(axioms));
    options.axioms = std::make_shared<const solve::Axioms>(std::move(*axioms));
  }

  std::string getError(const KernelGraph &reference) {
    llvm::Expected<SearchResult> result = search(reference, options);
    return result ? "" : llvm::toString(result.takeError());
  }
};

TEST_F(OraclesTest, AllFindTheSame) {
  KernelGraph reference = parse(kGatedSum);
  options.operators = {"mul", "sum", "exp"};
  options.safeExponentials = false;
  std::string expected = getText(run(reference).candidates.at(0).graph);
  for (OracleKind kind :
       {OracleKind::Z3, OracleKind::CrossCheck, OracleKind::None}) {
    SCOPED_TRACE(getOracleName(kind).str());
    options.oracle = kind;
    SearchResult result = run(reference);
    EXPECT_TRUE(result.statistics.exhausted);
    EXPECT_GT(result.statistics.oracle.queries, 0);
    ASSERT_FALSE(result.candidates.empty());
    EXPECT_EQ(getText(result.candidates[0].graph), expected);
    if (kind == OracleKind::None)
      EXPECT_EQ(result.statistics.prunedByOracle, 0);
  }
}

TEST_F(OraclesTest, OnlyTheGivenOperatorsAreUsed) {
  KernelGraph reference = parse(kGatedSum);
  options.operators = {"mul", "exp"};
  EXPECT_TRUE(run(reference).candidates.empty());
  options.operators.push_back("sum");
  EXPECT_FALSE(run(reference).candidates.empty());
}

TEST_F(OraclesTest, OpaqueOperatorsAreSearched) {
  SearchResult result = run(parse(kScaledSum));
  ASSERT_FALSE(result.candidates.empty());
  EXPECT_THAT(getText(result.candidates[0].graph), HasSubstr("add"));
  EXPECT_TRUE(result.candidates[0].verdict.axiomsFile.empty());
}

TEST_F(OraclesTest, AxiomsAreHonoured) {
  KernelGraph reference = parse(kScaledSum);
  options.operators = {"add", "custom"};
  options.keep = 8;
  double without = run(reference).candidates.at(0).cost.nanoseconds;
  setAxioms("axiom forall x, y. scale(x + y) = scale(x) + scale(y)");
  options.oracle = OracleKind::Z3;
  SearchResult result = run(reference);
  ASSERT_FALSE(result.candidates.empty());
  const SearchCandidate &best = result.candidates[0];
  EXPECT_LT(best.cost.nanoseconds, without);
  EXPECT_EQ(best.verdict.axiomsFile, "my.axioms");
}

/// What has no verdict since the solver had no time is not known once and for
/// all: on another day there is.
TEST_F(OraclesTest, WhatTheSolverHadNoTimeForIsVerifiedAgain) {
  KernelGraph reference = parse(kScaledSum);
  TemporaryDatabase database;
  options.database = database.get();
  options.operators = {"add", "custom"};
  setAxioms("axiom forall x, y. scale(x + y) = scale(x) + scale(y)");
  options.oracle = OracleKind::Z3;
  // It has no time to look at anything.
  options.solverSeconds = 1e-9;
  SearchResult before = run(reference);
  EXPECT_TRUE(before.statistics.exhausted);
  EXPECT_GT(before.statistics.unknown, 0);
  options.solverSeconds = 5;
  SearchResult after = run(reference);
  EXPECT_FALSE(after.statistics.fromDatabase);
  ASSERT_FALSE(after.candidates.empty());
  EXPECT_EQ(after.candidates[0].verdict.axiomsFile, "my.axioms");
  EXPECT_TRUE(run(reference).statistics.fromDatabase);
}

TEST_F(OraclesTest, AxiomsThatDontHoldForItFindNothing) {
  KernelGraph reference = parse(kScaledSum);
  options.operators = {"add", "custom"};
  options.oracle = OracleKind::Z3;
  // Homogeneous is not additive.
  setAxioms("axiom forall c, x. scale(2 * x) = 2 * scale(x)");
  SearchResult result = run(reference);
  ASSERT_FALSE(result.candidates.empty());
  for (const SearchCandidate &candidate : result.candidates)
    EXPECT_TRUE(candidate.verdict.axiomsFile.empty());
}

TEST_F(OraclesTest, AxiomsThatTheOracleCantHonour) {
  KernelGraph reference = parse(kScaledSum);
  setAxioms("axiom forall x, y. scale(x + y) = scale(x) + scale(y)");
  EXPECT_THAT(getError(reference), HasSubstr("'z3' honours others"));
  options.oracle = OracleKind::CrossCheck;
  EXPECT_THAT(getError(reference), HasSubstr("paper's axioms alone"));
  options.oracle = OracleKind::Z3;
  setAxioms("axiom forall x. x > 0 => scale(x) = x");
  std::string error = getError(reference);
  EXPECT_THAT(error, HasSubstr("my.axioms:1:1: error: "));
  options.threads = 4;
  EXPECT_EQ(getError(reference), error);
}

TEST_F(OraclesTest, ParametersComeFromTheProgram) {
  SearchResult result = run(parse(R"(
func.func @f(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %a = mirage_kernel.add %x, %y : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = mirage_kernel.clamp %a from 0.0 to 6.0 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %b : tensor<64x64xf32>
})"));
  ASSERT_FALSE(result.candidates.empty());
  EXPECT_EQ(result.candidates[0].graph.getNumKernels(), 1u);
  EXPECT_THAT(getText(result.candidates[0].graph), HasSubstr("clamp["));
}

} // namespace
