//===- TermsTest.cpp - Terms, witnesses, maxima and random models ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprTest.h"
#include "Mirage/AbstractExpr/RandomModel.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <random>

using namespace mirage;
using Kind = ExprNode::Kind;
using Value = RandomModel::Value;

namespace {

class TermsTest : public ExprTest {
protected:
  template <typename T> std::string print(const T &term) {
    std::string text;
    llvm::raw_string_ostream os(text);
    context.printTerm(os, term);
    return text;
  }

  std::string explain(llvm::StringRef x, llvm::StringRef y) {
    std::optional<ExprWitness> witness = context.explain(parse(x), parse(y));
    return witness ? print(*witness) : "nothing";
  }
};

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

TEST_F(TermsTest, AsMadeFirst) {
  for (const char *text :
       {"X", "0.5", "(add X Y)", "(mul (add X Y) Z)", "(div X (mul Y Z))",
        "(sum 64 (mul X X))", "(exp (add Z Y))", "(sqrt (mul X (sqrt Y)))",
        "(silu X)", "(max X (max Y))", "(f X Y Z)",
        "(sum 9223372036854775807 X)"})
    EXPECT_EQ(print(parse(text)), text);
  // Equal, but made later.
  EXPECT_EQ(print(parse("(add (mul Z Y) (mul Z X))")), "(mul (add X Y) Z)");
  EXPECT_EQ(print(parse("(mul (sqrt X) (sqrt (sqrt Y)))")),
            "(sqrt (mul X (sqrt Y)))");
  EXPECT_EQ(print(Expr()), "<unknown>");
}

TEST_F(TermsTest, LongOnesAreCutShort) {
  Expr x = parse("X");
  for (int i = 0; i < 100; ++i)
    x = context.add(x, x);
  EXPECT_TRUE(x.isNull());
  x = parse("X");
  for (int i = 0; i < 60; ++i)
    x = context.add(x, x);
  std::string text = print(x);
  EXPECT_LT(text.size(), 10000u);
  EXPECT_NE(text.find("..."), std::string::npos);
}

TEST_F(TermsTest, OperandsFirstAndOnce) {
  Expr x = parse("(mul (exp (add X Y)) (add X Y))");
  std::vector<std::string> texts;
  auto term = context.getTerm(x, 5);
  ASSERT_TRUE(term);
  for (Expr part : *term)
    texts.push_back(print(part));
  ASSERT_EQ(texts.size(), 5u);
  EXPECT_EQ(texts.back(), print(x));
  auto find = [&](llvm::StringRef text) {
    return llvm::find(texts, text) - texts.begin();
  };
  EXPECT_LT(find("X"), find("(add X Y)"));
  EXPECT_LT(find("(add X Y)"), find("(exp (add X Y))"));
  EXPECT_FALSE(context.getTerm(x, 4));
}

/// Deep terms are no deep recursion.
TEST_F(TermsTest, DeepTerm) {
  Expr x = parse("X");
  for (int i = 0; i < 100000; ++i)
    x = context.add(x, parse("Y"));
  EXPECT_EQ(context.getTerm(x, 1000000)->size(), 100002u);
  RandomModel model(context, 1);
  EXPECT_EQ(model.evaluate(x),
            model.evaluate(context.add(
                parse("Y"), *(context.getTerm(x, 1000000)->end() - 2))));
}

//===----------------------------------------------------------------------===//
// Maxima
//===----------------------------------------------------------------------===//

TEST_F(TermsTest, MaximumOfAMaximum) {
  Expr x = parse("(mul X Y)"), max = context.max(x);
  EXPECT_NE(max, x);
  EXPECT_EQ(context.max(max), max);
  EXPECT_EQ(context.apply("max", {x}), max);
  EXPECT_EQ(parse("(max (max (mul X Y)))"), max);
  EXPECT_EQ(context.print(max), "max(X*Y)");
  EXPECT_TRUE(context.max(Expr()).isNull());
  EXPECT_TRUE(isSubexpression("(max X)", "(exp (max (max X)))"));
  EXPECT_TRUE(isSubexpression("X", "(max (max X))"));
}

TEST_F(TermsTest, MaximaHaveNoOtherLaw) {
  for (auto [x, y] : {std::pair("(max (add X Y))", "(add (max X) (max Y))"),
                      {"(max (sum 2 (max X)))", "(sum 2 (max X))"},
                      {"(max (mul (max X) (max X)))", "(mul (max X) (max X))"},
                      {"(max (add (max X) (max X)))", "(add (max X) (max X))"},
                      {"(max (exp (max X)))", "(exp (max X))"},
                      {"(max (sqrt (max X)))", "(sqrt (max X))"},
                      {"(max (div (max X) Y))", "(div (max X) Y)"},
                      {"(max (silu X))", "(silu X)"},
                      {"(max (max X Y))", "(max X Y)"},
                      {"(silu (silu X))", "(silu X)"},
                      {"(max X)", "(max X X)"},
                      {"(max Y)", "Y"}})
    EXPECT_FALSE(areEqual(x, y)) << x;
}

//===----------------------------------------------------------------------===//
// Witnesses
//===----------------------------------------------------------------------===//

TEST_F(TermsTest, Witnesses) {
  EXPECT_EQ(explain("X", "X"), "_");
  EXPECT_EQ(explain("X", "(add (mul X Y) Z)"), "(add (mul _ Y) Z)");
  EXPECT_EQ(explain("(mul X Z)", "(div (mul X (mul Y Z)) W)"),
            "(div (mul _ Y) W)");
  EXPECT_EQ(explain("(sum 16 X)", "(sum 64 X)"), "(sum 4 _)");
  EXPECT_EQ(explain("(add P Q)", "(mul R (exp (add P (add Q S))))"),
            "(mul (exp (add _ S)) R)");
  EXPECT_EQ(explain("X", "(sum 2 (div Y (sqrt X)))"),
            "(sum 2 (div Y (sqrt _)))");
  EXPECT_EQ(explain("Q", "(f P (sum 2 Q) P)"), "(f P (sum 2 _) P)");
  EXPECT_EQ(explain("Q", "(mul (f Q) (f Q))"), "(mul (f _) (f Q))");
  EXPECT_EQ(explain("X", "(add (exp X) (exp X))"), "(add (exp _) (exp X))");
  EXPECT_EQ(explain("(sqrt X)", "(sqrt (sum 4 X))"), "nothing");
  EXPECT_FALSE(context.explain(Expr(), parse("X")));
  EXPECT_FALSE(context.explain(parse("X"), Expr()));
}

//===----------------------------------------------------------------------===//
// Random terms
//===----------------------------------------------------------------------===//

/// Terms whose values are computed as they are written.
class RandomTermsTest : public TermsTest {
protected:
  struct Term {
    Expr expr;
    Value value;
  };

  Term make(ExprNode node, llvm::ArrayRef<Term> operands) {
    std::vector<Value> values;
    for (const Term &operand : operands) {
      node.operands.push_back(operand.expr);
      values.push_back(operand.value);
    }
    return {build(context, node), model.evaluate(node, values)};
  }

  static Expr build(ExprContext &context, const ExprNode &node) {
    llvm::ArrayRef<Expr> x = node.operands;
    switch (node.kind) {
    case Kind::Variable:
      return context.variable(node.name);
    case Kind::Constant:
      return context.constant(node.value);
    case Kind::Add:
      return context.add(x[0], x[1]);
    case Kind::Mul:
      return context.mul(x[0], x[1]);
    case Kind::Div:
      return context.div(x[0], x[1]);
    case Kind::Sum:
      return context.sum(node.factor, x[0]);
    case Kind::Exp:
      return context.exp(x[0]);
    case Kind::Sqrt:
      return context.sqrt(x[0]);
    case Kind::Function:
      return context.apply(node.name, x);
    }
    return Expr();
  }

  unsigned random(unsigned count) { return generator() % count; }

  Term makeRandom(unsigned depth) {
    static constexpr const char *names[] = {"X", "Y", "Z"};
    static constexpr const char *functions[] = {"silu", "max"};
    ExprNode node;
    if (depth == 0 || random(8) == 0) {
      bool isConstant = random(6) == 0;
      node.kind = isConstant ? Kind::Constant : Kind::Variable;
      node.name = names[random(3)];
      node.value = 1;
      return make(node, {});
    }
    static constexpr Kind kinds[] = {
        Kind::Add, Kind::Add, Kind::Mul, Kind::Mul,  Kind::Div,
        Kind::Sum, Kind::Sum, Kind::Exp, Kind::Sqrt, Kind::Function};
    node.kind = kinds[random(std::size(kinds))];
    node.factor = 2 << random(3);
    node.name = functions[random(2)];
    std::vector<Term> operands{makeRandom(depth - 1)};
    if (node.kind == Kind::Add || node.kind == Kind::Mul ||
        node.kind == Kind::Div)
      operands.push_back(makeRandom(depth - 1));
    return make(node, operands);
  }

  RandomModel model{context, 7};
  std::mt19937 generator{1};
};

/// Normal forms and the model know the same equations. Neither knows of the
/// other.
TEST_F(RandomTermsTest, EqualNormalFormsHaveEqualValues) {
  std::map<Expr, Value> values;
  std::map<Value, Expr> exprs;
  int repeated = 0;
  for (int i = 0; i < 20000; ++i) {
    Term term = makeRandom(1 + random(3));
    ASSERT_TRUE(term.expr);
    auto [value, isNewExpr] = values.try_emplace(term.expr, term.value);
    EXPECT_EQ(value->second, term.value) << print(term.expr);
    auto [expr, isNewValue] = exprs.try_emplace(term.value, term.expr);
    EXPECT_EQ(expr->second, term.expr)
        << print(term.expr) << " and " << print(expr->second);
    EXPECT_EQ(model.evaluate(term.expr), term.value) << print(term.expr);
    repeated += !isNewExpr;
  }
  EXPECT_GT(repeated, 1000);
}

TEST_F(RandomTermsTest, WitnessesAreRight) {
  std::vector<Term> small;
  for (int i = 0; i < 60; ++i)
    small.push_back(makeRandom(2));
  int affirmed = 0;
  for (int i = 0; i < 1000; ++i) {
    Term y = makeRandom(4);
    if (!y.expr)
      continue;
    for (const Term &x : small) {
      std::optional<ExprWitness> witness = context.explain(x.expr, y.expr);
      ASSERT_EQ(witness.has_value(), context.isSubexpression(x.expr, y.expr));
      if (!witness)
        continue;
      ++affirmed;
      EXPECT_EQ(model.evaluate(*witness, x.value), y.value)
          << print(x.expr) << " in " << print(*witness) << " is not "
          << print(y.expr);
    }
  }
  EXPECT_GT(affirmed, 5000);
}

/// What a context leaves out for the sake of its targets is part of none.
TEST_F(RandomTermsTest, FocusChangesNoAnswer) {
  int affirmed = 0, denied = 0;
  for (int i = 0; i < 200; ++i) {
    Term target = makeRandom(4);
    ExprContext focused;
    llvm::DenseMap<Expr, Expr> copies;
    auto copy = [&](Expr x) {
      auto term = context.getTerm(x, 10000);
      for (Expr part : *term) {
        ExprNode node = context.getNode(part);
        for (Expr &operand : node.operands)
          operand = copies.lookup(operand);
        copies[part] = build(focused, node);
      }
      return copies.lookup(x);
    };
    Expr focus = copy(target.expr);
    focused.setFocus(focus);
    for (int j = 0; j < 100; ++j) {
      // Close to parts of the target.
      auto parts = context.getTerm(target.expr, 10000);
      Expr x = (*parts)[random(parts->size())],
           y = (*parts)[random(parts->size())];
      Expr near = random(2) ? context.add(x, y) : context.mul(x, y);
      bool expected = context.isSubexpression(near, target.expr);
      EXPECT_EQ(focused.isSubexpression(copy(near), focus), expected)
          << print(near) << " in " << print(target.expr);
      (expected ? affirmed : denied) += 1;
    }
  }
  EXPECT_GT(affirmed, 1000);
  EXPECT_GT(denied, 1000);
}

TEST_F(TermsTest, FocusKeepsNothingOfTheHopeless) {
  Expr target = parse("(mul X (add Y Z))");
  context.setFocus(target);
  Expr x = parse("(mul X X)"), y = parse("(add X Y)");
  EXPECT_EQ(x, y);
  EXPECT_FALSE(context.isSubexpression(x, target));
  EXPECT_FALSE(context.isSubexpression(context.exp(x), target));
  EXPECT_EQ(print(x), "<hopeless>");
  EXPECT_NE(parse("(mul Z X)"), x);
}

/// What exceeds a limit is a part of nothing that doesn't.
TEST_F(TermsTest, BeyondTheLimitsOfTheFocus) {
  Expr huge = parse("(sum 4294967296 X)");
  EXPECT_TRUE(context.mul(huge, huge).isNull());
  Expr target = parse("(mul X (sum 4294967296 Y))");
  context.setFocus(target);
  Expr product = context.mul(huge, huge);
  EXPECT_EQ(print(product), "<hopeless>");
  EXPECT_FALSE(context.isSubexpression(product, target));
  EXPECT_EQ(context.sum(int64_t(1) << 40, huge), product);
  // Nothing is known of what null is made of.
  EXPECT_TRUE(context.mul(Expr(), huge).isNull());
}

/// A model that any witness satisfies would check nothing.
TEST_F(RandomTermsTest, WrongWitnessesAreNoticed) {
  Expr y = parse("(add (mul X Y) Z)");
  ExprWitness witness = *context.explain(parse("X"), y);
  ASSERT_EQ(model.evaluate(witness, model.evaluate(parse("X"))),
            model.evaluate(y));
  EXPECT_NE(model.evaluate(witness, model.evaluate(parse("Y"))),
            model.evaluate(y));
  witness[0].operands[1] = parse("Z");
  EXPECT_NE(model.evaluate(witness, model.evaluate(parse("X"))),
            model.evaluate(y));
}

} // namespace
