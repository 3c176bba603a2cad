//===- Z3OracleTest.cpp - The axioms as they stand, for a solver ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Oracle/Z3Oracle.h"
#include "../AbstractExpr/ExprTest.h"
#include "gmock/gmock.h"

using namespace mirage;
using testing::HasSubstr;

namespace {

class Z3OracleTest : public ExprTest {
protected:
  std::unique_ptr<Z3Oracle>
  make(std::initializer_list<llvm::StringRef> texts,
       const Z3OracleOptions &options = Z3OracleOptions()) {
    llvm::SmallVector<Expr> targets;
    for (llvm::StringRef text : texts)
      targets.push_back(parse(text));
    return llvm::cantFail(Z3Oracle::create(context, targets, options));
  }

  /// With the axioms of a user.
  std::unique_ptr<Z3Oracle> make(llvm::StringRef target,
                                 llvm::StringRef axiomText) {
    axioms = llvm::cantFail(solve::parseAxioms(axiomText, "user.axioms"));
    Z3OracleOptions options;
    options.axioms = &axioms;
    return make({target}, options);
  }

  std::string getError(llvm::StringRef axiomText) {
    axioms = llvm::cantFail(solve::parseAxioms(axiomText, "user.axioms"));
    Z3OracleOptions options;
    options.axioms = &axioms;
    auto oracle = Z3Oracle::create(context, parse("X"), options);
    return oracle ? "none" : llvm::toString(oracle.takeError());
  }

  solve::Axioms axioms;
};

TEST_F(Z3OracleTest, OperandsOfEveryOperator) {
  for (const char *y : {"(add P Q)", "(mul P Q)", "(div P Q)", "(max P Q)"}) {
    auto oracle = make({y});
    EXPECT_TRUE(oracle->mayContribute(parse(y))) << y;
    EXPECT_TRUE(oracle->mayContribute(parse("P"))) << y;
    EXPECT_TRUE(oracle->mayContribute(parse("Q"))) << y;
    EXPECT_FALSE(oracle->mayContribute(parse("R"))) << y;
  }
  for (const char *y : {"(sum 4 P)", "(exp P)", "(sqrt P)", "(silu P)"}) {
    auto oracle = make({y});
    EXPECT_TRUE(oracle->mayContribute(parse("P"))) << y;
    EXPECT_FALSE(oracle->mayContribute(parse("(exp (exp P))"))) << y;
  }
}

// One question for each axiom of Table 1, and the law of maxima.
TEST_F(Z3OracleTest, UsesEveryAxiom) {
  for (auto [x, y] : {std::pair("(add Y X)", "(exp (add X Y))"),
                      {"(mul Y X)", "(exp (mul X Y))"},
                      {"(add X Y)", "(exp (add X (add Y Z)))"},
                      {"(mul X Y)", "(exp (mul X (mul Y Z)))"},
                      {"(add X Y)", "(add (mul X Z) (mul Y Z))"},
                      {"(add X Y)", "(add (div X Z) (div Y Z))"},
                      {"(div Y Z)", "(div (mul X Y) Z)"},
                      {"(mul Y Z)", "(div (div X Y) Z)"},
                      {"(sum 64 X)", "(exp (sum 4 (sum 16 X)))"},
                      {"(sum 8 Y)", "(sum 8 (add X Y))"},
                      {"(sum 8 Y)", "(sum 8 (mul X Y))"},
                      {"(div X Y)", "(div (sum 8 X) Y)"},
                      {"(exp X)", "(exp (add X Y))"},
                      {"(sqrt X)", "(sqrt (mul X Y))"},
                      {"(max (max X))", "(exp (max X))"}})
    EXPECT_TRUE(make({y})->mayContribute(parse(x))) << x;
}

TEST_F(Z3OracleTest, KnowsNoOtherLaw) {
  for (auto [x, y] : {std::pair("X", "(div Y Y)"),
                      {"(sum 2 X)", "(add X X)"},
                      {"(exp X)", "(exp (mul X Y))"},
                      {"(max Y X)", "(max X Y)"},
                      {"(sum 3 X)", "(sum 64 X)"},
                      {"(sqrt X)", "(sqrt (sum 4 X))"}})
    EXPECT_FALSE(make({y})->mayContribute(parse(x))) << x;
}

TEST_F(Z3OracleTest, SplitsSums) {
  auto oracle = make({"(sum 42 (mul X W))"});
  for (const char *x : {"(sum 3 X)", "(sum 14 (mul W X))", "(sum 21 (sum 2 X))",
                        "(mul (sum 7 X) (sum 6 W))"})
    EXPECT_TRUE(oracle->mayContribute(parse(x))) << x;
  EXPECT_FALSE(oracle->mayContribute(parse("(sum 4 X)")));
  Z3OracleOptions options;
  options.splitSums = false;
  EXPECT_FALSE(make({"(sum 42 (mul X W))"}, options)
                   ->mayContribute(parse("(sum 14 (mul W X))")));
}

TEST_F(Z3OracleTest, RMSNormAndLinear) {
  auto oracle =
      make({"(sum 42 (mul (div (mul X G) (sqrt (add (div (sum 42 (mul X X)) "
            "4096) 1e-5))) W))"});
  for (const char *x :
       {"(mul X X)", "(sum 14 (mul X X))", "(mul G W)",
        "(sum 14 (mul (mul X G) W))", "(sum 42 (mul (mul X G) W))",
        "(div X (sqrt (add (div (sum 42 (mul X X)) 4096) 1e-5)))"})
    EXPECT_TRUE(oracle->mayContribute(parse(x))) << x;
  for (const char *x : {"(mul G G)", "(exp X)", "(sqrt (sum 42 (mul X X)))"})
    EXPECT_FALSE(oracle->mayContribute(parse(x))) << x;
}

TEST_F(Z3OracleTest, SeveralTargets) {
  auto oracle = make({"(mul X Y)", "(exp Z)"});
  EXPECT_TRUE(oracle->mayContribute(parse("(mul Y X)")));
  EXPECT_TRUE(oracle->mayContribute(parse("Z")));
  EXPECT_FALSE(oracle->mayContribute(parse("(mul X Z)")));
}

TEST_F(Z3OracleTest, UnknownIsNeverPruned) {
  EXPECT_TRUE(make({"X"})->mayContribute(Expr()));
  auto oracle = llvm::cantFail(Z3Oracle::create(context, {parse("X"), Expr()}));
  EXPECT_TRUE(oracle->mayContribute(parse("Y")));
}

TEST_F(Z3OracleTest, Statistics) {
  auto oracle = make({"(mul X Y)"});
  oracle->mayContribute(parse("X"));
  oracle->mayContribute(parse("Z"));
  oracle->mayContribute(parse("Z"));
  OracleStatistics statistics = oracle->getStatistics();
  EXPECT_EQ(statistics.queries, 3);
  EXPECT_EQ(statistics.memoHits, 1);
  EXPECT_EQ(statistics.unknowns, 1);
  EXPECT_EQ(statistics.disagreements, 0);
  EXPECT_GT(statistics.microseconds, 0);
}

/// What a question leaves behind must not answer another one.
TEST_F(Z3OracleTest, OrderOfQuestions) {
  const char *target = "(sum 42 (mul (div X (sqrt (sum 42 (mul X X)))) W))";
  const char *texts[] = {"X",         "(sum 3 X)", "(mul X X)",  "(mul W W)",
                         "(div W X)", "(exp W)",   "(sum 14 W)", "(mul X W)",
                         "(sum 4 W)", "(sqrt X)"};
  auto forwards = make({target}), backwards = make({target});
  std::map<std::string, bool> answers;
  for (const char *text : texts)
    answers[text] = forwards->mayContribute(parse(text));
  for (const char *text : llvm::reverse(texts))
    EXPECT_EQ(backwards->mayContribute(parse(text)), answers[text]) << text;
}

TEST_F(Z3OracleTest, NothingIsProvedWithoutResources) {
  Z3OracleOptions options;
  options.resources = options.targetResources = 1;
  EXPECT_FALSE(
      make({"(mul X (mul Y Z))"}, options)->mayContribute(parse("(mul Z X)")));
}

TEST_F(Z3OracleTest, TermsThatAreTooLarge) {
  Expr y = parse("Y"), x = parse("X");
  for (int i = 0; i < 3000; ++i)
    x = context.add(x, y);
  auto oracle = llvm::cantFail(Z3Oracle::create(context, y));
  EXPECT_FALSE(oracle->mayContribute(x));
  EXPECT_TRUE(oracle->mayContribute(y));
  auto large = llvm::cantFail(Z3Oracle::create(context, x));
  EXPECT_FALSE(large->mayContribute(y));
}

//===----------------------------------------------------------------------===//
// Axioms of users
//===----------------------------------------------------------------------===//

TEST_F(Z3OracleTest, AdditiveFunction) {
  const char *target = "(scale (sum 8 (mul X Y)))";
  Expr parts[] = {parse("(scale (mul X Y))"), parse("(scale X)")};
  EXPECT_FALSE(make({target})->mayContribute(parts[0]));
  auto oracle = make(target, "axiom forall x. scale(sum(x)) = sum(scale(x))");
  EXPECT_TRUE(oracle->mayContribute(parts[0]));
  EXPECT_FALSE(oracle->mayContribute(parts[1]));
  // A loop may apply it in each iteration.
  EXPECT_TRUE(oracle->mayContribute(parse("(sum 2 (scale (mul X Y)))")));
}

TEST_F(Z3OracleTest, AxiomsMakeTargets) {
  Expr x = parse("(sum 8 (scale X))");
  EXPECT_FALSE(make({"(scale (sum 8 X))"})->isTarget(x, 0));
  auto oracle = make("(scale (sum 8 X))",
                     "axiom forall x. scale(sum(x)) = sum(scale(x))");
  EXPECT_TRUE(oracle->isTarget(x, 0));
  EXPECT_TRUE(oracle->isTarget(x, 0));
  EXPECT_TRUE(oracle->isTarget(parse("(scale (sum 8 X))"), 0));
  EXPECT_FALSE(oracle->isTarget(parse("(sum 8 X)"), 0));
}

TEST_F(Z3OracleTest, EveryKindOfTerm) {
  // Built-in operators are what they are in programs: relu(x) is max(x, 0).
  EXPECT_TRUE(make("(max X 0)", "axiom forall x. relu(relu(x)) = relu(x)")
                  ->isTarget(parse("(max (max X 0) 0)"), 0));
  EXPECT_TRUE(make("(gelu X)", "axiom forall x. gelu(x) = silu(x)")
                  ->isTarget(parse("(silu X)"), 0));
  EXPECT_TRUE(make("(F (mul -1 X))", "axiom forall x. F(neg(x)) = -F(x)")
                  ->isTarget(parse("(mul -1 (F X))"), 0));
  EXPECT_TRUE(make("(F (add X (mul -1 Y)))",
                   "axiom forall x, y. F(x - y) = F(x) / G(y, 0.25)")
                  ->isTarget(parse("(div (F X) (G Y 0.25))"), 0));
  EXPECT_TRUE(make("(F (mul X X))", "axiom forall x. F(pow(x, 2)) = exp(x) * 3")
                  ->isTarget(parse("(mul 3 (exp X))"), 0));
  EXPECT_TRUE(make("(F 1)", "axiom F(1) = F(2) + 1e-5")
                  ->isTarget(parse("(add (F 2) 1e-5)"), 0));
}

TEST_F(Z3OracleTest, UnconfirmedAxiomsAreNotUsed) {
  auto oracle = make("(gelu X)", "axiom forall x. gelu(x) = silu(x)");
  EXPECT_TRUE(oracle->mayContribute(parse("(silu X)")));
  axioms.unconfirmed = {0};
  Z3OracleOptions options;
  options.axioms = &axioms;
  EXPECT_FALSE(make({"(gelu X)"}, options)->mayContribute(parse("(silu X)")));
}

TEST_F(Z3OracleTest, OtherFormulasAreRefused) {
  EXPECT_EQ(getError("axiom forall x. F(x) = x"), "none");
  for (const char *text :
       {"axiom forall x. F(x) >= 0", "axiom forall x. F(x) < F(x + 1)",
        "axiom forall x. F(x) != x", "axiom forall x. x >= 0 => F(x) = x",
        "axiom forall x. F(x) = x and G(x) = x",
        "axiom forall x. F(x) = x or G(x) = x"})
    EXPECT_EQ(getError("axiom forall x. F(x) = x\n  " + std::string(text)),
              "user.axioms:2:3: error: abstract expressions have no order and "
              "no truth values: the oracle takes axioms of the form 'forall x, "
              ".. . term = term' only")
        << text;
}

} // namespace
