//===- RandomTermsTest.cpp - Values of normal forms -----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Numbers/Random.h"
#include "Mirage/Prove/NormalForm.h"
#include "gtest/gtest.h"
#include <cmath>
#include <functional>

using namespace mirage;
using namespace mirage::prove;

namespace {

using Values = std::map<Var, int64_t>;

int64_t evaluate(const Index &index, const Values &values) {
  int64_t sum = index.getConstant();
  for (const Digit &digit : index.getDigits())
    sum +=
        digit.coefficient * ((values.at(digit.var) / digit.div) % digit.extent);
  return sum;
}

/// Element i of an input: some number from -2 to 2.
double readInput(unsigned input, int64_t i) {
  return static_cast<double>(randomWord(7, input, i) >> 11) * 0x1p-51 - 2;
}

double evaluate(const Poly &term, Values &values);

/// Visits all values of bound indices.
void forEachValue(llvm::ArrayRef<Bound> bound, Values &values,
                  llvm::function_ref<void()> visit) {
  if (bound.empty())
    return visit();
  for (int64_t i = 0; i < bound.front().extent; ++i) {
    values[bound.front().var] = i;
    forEachValue(bound.drop_front(), values, visit);
  }
  values.erase(bound.front().var);
}

double evaluate(const Base &base, Values &values) {
  switch (base.kind) {
  case Base::Kind::Read:
    return readInput(base.number, evaluate(base.indices[0], values));
  case Base::Kind::Exp:
    return std::exp(evaluate(*base.args[0], values));
  case Base::Kind::Poly:
    return evaluate(*base.args[0], values);
  case Base::Kind::Max: {
    double largest = -INFINITY;
    for (const Monomial &entry : base.entries)
      forEachValue(entry.bound, values, [&] {
        largest = std::max(largest, evaluate(*entry.factors[0].base, values));
      });
    return largest;
  }
  case Base::Kind::Indicator:
    return evaluate(base.indices[0], values) < base.number;
  case Base::Kind::Constant:
    return base.number;
  case Base::Kind::Function:
  case Base::Kind::Size:
    break;
  }
  ADD_FAILURE() << "not made by this test";
  return 0;
}

double toDouble(const Rational &value) {
  return static_cast<double>(int64_t(value.num)) / int64_t(value.den);
}

double evaluate(const Poly &term, Values &values) {
  double sum = 0;
  for (const Monomial &monomial : term.monomials)
    forEachValue(monomial.bound, values, [&] {
      double product = toDouble(monomial.coefficient);
      for (const Factor &factor : monomial.factors)
        product *=
            std::pow(evaluate(*factor.base, values), toDouble(factor.exponent));
      sum += product;
    });
  return sum;
}

/// A random expression: its normal form, that of the same with other indices
/// and operands the other way round, and a function that computes it.
struct Expression {
  PolyRef term, twin;
  std::function<double(Values &)> value;
};

class Generator {
public:
  Generator(TermContext &c, uint64_t seed) : c(c), seed(seed) {}

  Expression make(unsigned depth) {
    if (depth == 0)
      return makeLeaf();
    switch (pick(10)) {
    case 0:
    case 1: {
      Expression a = make(depth - 1), b = make(depth - 1);
      return {c.add(a.term, b.term), c.add(b.twin, a.twin),
              [=](Values &v) { return a.value(v) + b.value(v); }};
    }
    case 2:
    case 3: {
      Expression a = make(depth - 1), b = make(depth - 1);
      return {c.mul(a.term, b.term), c.mul(b.twin, a.twin),
              [=](Values &v) { return a.value(v) * b.value(v); }};
    }
    case 4: {
      Expression a = makePositive(depth - 1);
      return {c.inverse(a.term), c.inverse(a.twin),
              [=](Values &v) { return 1 / a.value(v); }};
    }
    case 5: {
      Expression a = makePositive(depth - 1);
      return {c.sqrt(a.term), c.sqrt(a.twin),
              [=](Values &v) { return std::sqrt(a.value(v)); }};
    }
    case 6: {
      // Of something small.
      Expression a = makeLeaf();
      return {c.exp(a.term), c.exp(a.twin),
              [=](Values &v) { return std::exp(a.value(v)); }};
    }
    case 7: {
      Expression a = make(depth - 1), b = make(depth - 1);
      return {c.max(a.term, b.term), c.max(b.twin, a.twin),
              [=](Values &v) { return std::max(a.value(v), b.value(v)); }};
    }
    default: {
      bool isSum = pick(2);
      int64_t extent = std::array<int64_t, 3>{2, 3, 4}[pick(3)];
      Var var = c.makeVar(extent), twin = c.makeVar(extent);
      vars.emplace_back(var, twin);
      Expression a = make(depth - 1);
      vars.pop_back();
      auto value = [=](Values &v) {
        double result = isSum ? 0 : -INFINITY;
        for (int64_t i = 0; i < extent; ++i) {
          v[var] = i;
          double next = a.value(v);
          result = isSum ? result + next : std::max(result, next);
        }
        v.erase(var);
        return result;
      };
      return {isSum ? c.sumOver(var, a.term) : c.maxOver(var, a.term),
              isSum ? c.sumOver(twin, a.twin) : c.maxOver(twin, a.twin), value};
    }
    }
  }

private:
  uint64_t pick(uint64_t count) { return mix(seed * 1000 + next++) % count; }

  Expression makePositive(unsigned depth) {
    Expression a = make(depth);
    auto makeSquare = [&](const PolyRef &term) {
      return c.add(c.mul(term, term), c.constant(0.25));
    };
    return {makeSquare(a.term), makeSquare(a.twin), [=](Values &v) {
              double x = a.value(v);
              return x * x + 0.25;
            }};
  }

  Expression makeLeaf() {
    if (pick(5) == 0) {
      double value = static_cast<double>(pick(9)) / 4 - 1;
      PolyRef term = c.constant(value);
      return {term, term, [=](Values &) { return value; }};
    }
    unsigned input = pick(3);
    Index index(pick(2)), twin = index;
    int64_t stride = 1;
    // Mixed-radix digits, and sometimes an index twice.
    for (auto [var, twinVar] : vars) {
      if (pick(3) == 0)
        continue;
      int64_t factor = pick(4) ? stride : 1;
      int64_t extent = c.getExtent(var);
      auto addDigit = [&](Index &sum, Var digit) {
        sum = *Index::add(sum,
                          *Index::mul(Index::fromVar(digit, extent), factor));
      };
      addDigit(index, var);
      addDigit(twin, twinVar);
      stride *= extent;
    }
    return {c.read(input, {index}), c.read(input, {twin}),
            [=](Values &v) { return readInput(input, evaluate(index, v)); }};
  }

  TermContext &c;
  uint64_t seed, next = 0;
  /// Those of the term and of its twin.
  std::vector<std::pair<Var, Var>> vars;
};

TEST(RandomTerms, KeepTheirValues) {
  unsigned checked = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    TermContext context;
    Expression expression = Generator(context, seed).make(2 + seed % 3);
    if (context.hasFailed())
      continue;
    Values values;
    double expected = expression.value(values);
    double found = evaluate(*expression.term, values);
    if (!std::isfinite(expected) || std::abs(expected) > 1e9)
      continue;
    ++checked;
    EXPECT_NEAR(found, expected, 1e-7 * std::max(1.0, std::abs(expected)))
        << "seed " << seed << ": " << context.print(expression.term);
  }
  EXPECT_GT(checked, 1500u);
}

/// Terms with different values must have different ids: many terms in one
/// context.
TEST(RandomTerms, EqualIdsMeanEqualValues) {
  TermContext context;
  std::map<int64_t, double> known;
  unsigned repeated = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    Expression expression = Generator(context, seed).make(1 + seed % 2);
    ASSERT_FALSE(context.hasFailed()) << context.getFailure().str();
    Values values;
    double value = expression.value(values);
    if (!std::isfinite(value))
      continue;
    auto [it, isNew] = known.try_emplace(expression.term->id, value);
    repeated += !isNew;
    EXPECT_NEAR(it->second, value, 1e-9 * std::max(1.0, std::abs(value)))
        << context.print(expression.term);
  }
  EXPECT_GT(repeated, 10u);
}

/// Neither the order of operands nor the names of indices matter.
TEST(RandomTerms, TwinsHaveEqualIds) {
  unsigned checked = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    TermContext context;
    Expression expression = Generator(context, seed).make(2 + seed % 3);
    if (context.hasFailed())
      continue;
    ++checked;
    EXPECT_EQ(expression.term->id, expression.twin->id)
        << "seed " << seed << ": " << context.print(expression.term) << "\n"
        << context.print(expression.twin);
  }
  EXPECT_GT(checked, 1500u);
}

} // namespace
