//===- OracleTest.cpp - The choice of an oracle, and two side by side -----===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Oracle/Oracle.h"
#include "../AbstractExpr/ExprTest.h"
#include "Mirage/Oracle/CrossCheckOracle.h"
#include "gmock/gmock.h"

using namespace mirage;
using testing::HasSubstr;

namespace {

using OracleTest = ExprTest;

TEST_F(OracleTest, Names) {
  for (auto kind : {OracleKind::NormalForm, OracleKind::Z3,
                    OracleKind::CrossCheck, OracleKind::None})
    EXPECT_EQ(llvm::cantFail(parseOracleKind(getOracleName(kind))), kind);
  auto kind = parseOracleKind("Z3");
  ASSERT_FALSE(kind);
  EXPECT_EQ(
      llvm::toString(kind.takeError()),
      "expected 'normal-form', 'z3', 'cross-check' or 'none', found 'Z3'");
}

TEST_F(OracleTest, EachKind) {
  Expr target = parse("(mul X (exp Y))");
  for (auto kind :
       {OracleKind::NormalForm, OracleKind::Z3, OracleKind::CrossCheck}) {
    auto oracle = llvm::cantFail(makeOracle(kind, context, target));
    EXPECT_TRUE(oracle->mayContribute(parse("Y")));
    EXPECT_FALSE(oracle->mayContribute(parse("(exp X)")));
    EXPECT_TRUE(oracle->isTarget(parse("(mul (exp Y) X)"), 0));
    EXPECT_FALSE(oracle->isTarget(parse("X"), 0));
    EXPECT_TRUE(oracle->isTarget(Expr(), 0));
    EXPECT_FALSE(oracle->takeError());
  }
  auto none = llvm::cantFail(makeOracle(OracleKind::None, context, target));
  EXPECT_TRUE(none->mayContribute(parse("(exp X)")));
  EXPECT_TRUE(none->isTarget(parse("X"), 0));
  EXPECT_FALSE(none->explain(parse("X")));
}

TEST_F(OracleTest, OnlyZ3HonoursAxioms) {
  solve::Axioms axioms = llvm::cantFail(
      solve::parseAxioms("axiom forall x. F(F(x)) = x", "user.axioms"));
  Expr target = parse("(F X)");
  auto make = [&](OracleKind kind) {
    return makeOracle(kind, context, target, &axioms);
  };
  EXPECT_EQ(llvm::toString(make(OracleKind::NormalForm).takeError()),
            "user.axioms: error: the oracle 'normal-form' knows the paper's "
            "axioms only; 'z3' honours others");
  EXPECT_EQ(llvm::toString(make(OracleKind::CrossCheck).takeError()),
            "user.axioms: error: cross-checking compares proofs from the "
            "paper's axioms alone");
  auto z3 = llvm::cantFail(make(OracleKind::Z3));
  EXPECT_TRUE(z3->isTarget(parse("(F (F (F X)))"), 0));
  EXPECT_TRUE(llvm::cantFail(make(OracleKind::None))
                  ->mayContribute(parse("(F (F X))")));
}

//===----------------------------------------------------------------------===//
// Cross-checking
//===----------------------------------------------------------------------===//

/// Says what it is told to.
class LyingOracle final : public SubexpressionOracle {
public:
  LyingOracle(ExprContext &context, llvm::ArrayRef<Expr> targets, bool answer,
              std::optional<ExprWitness> witness = std::nullopt)
      : SubexpressionOracle(context, targets), answer(answer),
        witness(std::move(witness)) {}

  std::optional<std::pair<ExprWitness, size_t>> explain(Expr) override {
    if (!witness)
      return std::nullopt;
    return std::pair(*witness, 0);
  }

private:
  bool decide(Expr) override { return answer; }

  bool answer;
  std::optional<ExprWitness> witness;
};

class CrossCheckTest : public ExprTest {
protected:
  std::unique_ptr<CrossCheckOracle>
  make(bool answer, std::optional<ExprWitness> witness = std::nullopt) {
    auto oracle = std::make_unique<CrossCheckOracle>(
        std::make_unique<LyingOracle>(context, target, answer,
                                      std::move(witness)),
        llvm::cantFail(Z3Oracle::create(context, target)), context, target, 1);
    oracle->setCallback([&](const OracleDisagreement &disagreement) {
      found.push_back(disagreement);
    });
    return oracle;
  }

  Expr target = parse("(add (mul X Y) Z)");
  std::vector<OracleDisagreement> found;
};

TEST_F(CrossCheckTest, Agreement) {
  Expr target = parse("(sum 42 (mul (div (mul X G) (sqrt (add (div (sum 42 "
                      "(mul X X)) 4096) 1e-5))) W))");
  auto oracle = llvm::cantFail(CrossCheckOracle::create(context, target));
  std::vector<Expr> exprs{parse("X"), parse("G"), parse("W"), parse("4096"),
                          parse("1e-5")};
  size_t affirmed = 0;
  for (size_t i = 0; i < 12; ++i) {
    Expr x = exprs[i];
    std::vector<Expr> made{context.sqrt(x), context.sum(3, x),
                           context.sum(14, x), context.exp(x)};
    for (size_t j = 0; j <= i; ++j)
      llvm::append_range(made, std::vector<Expr>{context.add(x, exprs[j]),
                                                 context.mul(x, exprs[j]),
                                                 context.div(x, exprs[j])});
    for (Expr y : made)
      if (oracle->mayContribute(y) && !llvm::is_contained(exprs, y)) {
        exprs.push_back(y);
        ++affirmed;
      }
  }
  EXPECT_GT(affirmed, 20u);
  OracleStatistics statistics = oracle->getStatistics();
  EXPECT_EQ(statistics.disagreements, 0);
  EXPECT_LT(statistics.unknowns, static_cast<int64_t>(affirmed) / 4);
  EXPECT_FALSE(oracle->takeError());
}

TEST_F(CrossCheckTest, WronglyDenied) {
  auto oracle = make(false);
  EXPECT_TRUE(oracle->mayContribute(parse("(mul Y X)")));
  EXPECT_FALSE(oracle->mayContribute(parse("(exp X)")));
  EXPECT_EQ(oracle->getStatistics().disagreements, 1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, OracleDisagreement::Kind::WronglyDenied);
  EXPECT_EQ(found[0].expr, parse("(mul X Y)"));
  EXPECT_EQ(llvm::toString(oracle->takeError()),
            "oracles disagree whether (mul X Y) is part of (add (mul X Y) Z): "
            "Z3 proves what the normal form denies");
  EXPECT_FALSE(oracle->takeError());
}

TEST_F(CrossCheckTest, WronglyAffirmed) {
  auto oracle = make(true);
  EXPECT_TRUE(oracle->mayContribute(parse("(exp X)")));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, OracleDisagreement::Kind::WronglyAffirmed);
  EXPECT_EQ(oracle->getStatistics().unknowns, 1);
  EXPECT_EQ(
      llvm::toString(oracle->takeError()),
      "oracles disagree whether (exp X) is part of (add (mul X Y) Z): the "
      "normal form affirms it without a witness");
}

TEST_F(CrossCheckTest, WrongWitness) {
  auto oracle = make(true, context.explain(parse("X"), target));
  EXPECT_TRUE(oracle->mayContribute(parse("X")));
  EXPECT_TRUE(found.empty());
  EXPECT_TRUE(oracle->mayContribute(parse("Z")));
  EXPECT_EQ(llvm::toString(oracle->takeError()),
            "oracles disagree whether Z is part of (add (mul X Y) Z): the "
            "normal form's witness is wrong: (add (mul _ Y) Z)");
}

TEST_F(CrossCheckTest, AllErrorsAreKept) {
  auto oracle = make(false);
  oracle->mayContribute(parse("X"));
  oracle->mayContribute(parse("Y"));
  std::string errors = llvm::toString(oracle->takeError());
  EXPECT_THAT(errors, HasSubstr("whether X is"));
  EXPECT_THAT(errors, HasSubstr("whether Y is"));
}

} // namespace
