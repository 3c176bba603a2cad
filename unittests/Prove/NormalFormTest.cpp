//===- NormalFormTest.cpp - Laws of the normal form -----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Prove/NormalForm.h"
#include "gtest/gtest.h"

using namespace mirage::prove;

namespace {

class NormalForm : public testing::Test {
protected:
  PolyRef x(unsigned input, Var var, int64_t extent) {
    return c.read(input, {Index::fromVar(var, extent)});
  }
  PolyRef number(double value) { return c.constant(value); }
  /// Sum over a new index of what `term` makes of it.
  template <typename F> PolyRef sum(int64_t extent, F term) {
    Var var = c.makeVar(extent);
    return c.sumOver(var, term(Index::fromVar(var, extent)));
  }
  template <typename F> PolyRef largest(int64_t extent, F term) {
    Var var = c.makeVar(extent);
    return c.maxOver(var, term(Index::fromVar(var, extent)));
  }
  void expectEqual(const PolyRef &a, const PolyRef &b) {
    EXPECT_EQ(c.getFailure(), "");
    EXPECT_EQ(a->id, b->id) << c.print(a) << "\n" << c.print(b);
  }
  void expectDifferent(const PolyRef &a, const PolyRef &b) {
    EXPECT_EQ(c.getFailure(), "");
    EXPECT_NE(a->id, b->id) << c.print(a);
  }

  TermContext c;
};

TEST_F(NormalForm, OrderOfSummationAndSplitsDontMatter) {
  auto element = [&](const Index &i, const Index &j) {
    return c.read(0, {i, j});
  };
  PolyRef rows = sum(4, [&](Index i) {
    return sum(6, [&](Index j) { return element(i, j); });
  });
  PolyRef columns = sum(6, [&](Index j) {
    return sum(4, [&](Index i) { return element(i, j); });
  });
  expectEqual(rows, columns);
  PolyRef split = sum(4, [&](Index i) {
    return sum(2, [&](Index b) {
      return sum(3, [&](Index t) {
        return element(i, *Index::add(*Index::mul(b, 3), t));
      });
    });
  });
  expectEqual(rows, split);
  PolyRef half = sum(4, [&](Index i) {
    return sum(3, [&](Index j) { return element(i, j); });
  });
  expectDifferent(rows, half);
  PolyRef transposed = sum(4, [&](Index i) {
    return sum(6, [&](Index j) { return element(j, i); });
  });
  expectDifferent(rows, transposed);
}

TEST_F(NormalForm, IndependentFactorsLeaveSums) {
  Var row = c.makeVar(8);
  PolyRef scale = x(1, row, 8);
  PolyRef inside =
      sum(16, [&](Index k) { return c.mul(scale, c.read(0, {k})); });
  PolyRef outside =
      c.mul(scale, sum(16, [&](Index k) { return c.read(0, {k}); }));
  expectEqual(inside, outside);
  expectEqual(sum(16, [&](Index) { return scale; }), c.mul(number(16), scale));
}

TEST_F(NormalForm, SquaresOfSumsAreDoubleSums) {
  auto total = [&] { return sum(5, [&](Index k) { return c.read(0, {k}); }); };
  PolyRef doubled = sum(5, [&](Index i) {
    return sum(5,
               [&](Index j) { return c.mul(c.read(0, {i}), c.read(0, {j})); });
  });
  expectEqual(c.mul(total(), total()), doubled);
  PolyRef squares =
      sum(5, [&](Index i) { return c.mul(c.read(0, {i}), c.read(0, {i})); });
  expectDifferent(doubled, squares);
}

TEST_F(NormalForm, Exponentials) {
  Var i = c.makeVar(3);
  PolyRef a = x(0, i, 3), b = x(1, i, 3);
  expectEqual(c.mul(c.exp(a), c.exp(b)), c.exp(c.add(a, b)));
  expectEqual(c.inverse(c.exp(a)), c.exp(c.sub(c.zero(), a)));
  expectEqual(c.exp(c.zero()), number(1));
  expectEqual(c.mul(c.exp(a), c.exp(a)), c.exp(c.mul(number(2), a)));
  expectDifferent(c.exp(c.mul(a, b)), c.mul(c.exp(a), c.exp(b)));
  expectDifferent(c.exp(c.mul(number(1 + 0x1p-52), a)), c.exp(a));
  expectEqual(c.exp(c.log(a)), a);
}

TEST_F(NormalForm, Roots) {
  Var i = c.makeVar(3);
  PolyRef a = x(0, i, 3), b = x(1, i, 3);
  PolyRef norm =
      sum(4, [&](Index k) { return c.mul(c.read(3, {k}), c.read(3, {k})); });
  expectEqual(c.mul(c.sqrt(a), c.sqrt(a)), a);
  expectEqual(c.sqrt(c.mul(number(4), a)), c.mul(number(2), c.sqrt(a)));
  expectEqual(c.sqrt(number(0.5)), c.inverse(c.sqrt(number(2))));
  PolyRef exp = c.exp(b);
  expectEqual(c.sqrt(c.mul(exp, a)), c.mul(c.sqrt(exp), c.sqrt(a)));
  expectEqual(c.mul(norm, c.inverse(c.sqrt(norm))), c.sqrt(norm));
  // |a|, not a
  PolyRef absolute = c.max(a, c.sub(c.zero(), a));
  expectEqual(c.sqrt(c.mul(a, a)), absolute);
  expectDifferent(c.sqrt(c.mul(a, a)), a);
  // Two negative numbers have no roots, and their product has.
  expectDifferent(c.sqrt(c.mul(a, b)), c.mul(c.sqrt(a), c.sqrt(b)));
}

// As cosine similarity has them, of sums with an epsilon each.
TEST_F(NormalForm, RootsOfProducts) {
  Var i = c.makeVar(3);
  PolyRef a = x(0, i, 3), b = x(1, i, 3);
  PolyRef m = c.add(c.mul(a, a), number(0.5)), n = c.add(c.exp(b), number(2));
  expectEqual(c.sqrt(c.mul(m, n)), c.mul(c.sqrt(m), c.sqrt(n)));
  expectEqual(c.sqrt(c.mul(m, m)), m);
  expectEqual(c.sqrt(c.mul(n, c.mul(m, n))), c.mul(n, c.sqrt(m)));
  // The product first, another index for it, and then the root.
  Var k = c.makeVar(3);
  auto rename = [&](const PolyRef &term) {
    return c.substitute(term, i, Index::fromVar(k, 3));
  };
  expectEqual(c.sqrt(rename(c.mul(m, n))),
              c.mul(c.sqrt(rename(n)), c.sqrt(rename(m))));
  // Both factors may be negative.
  PolyRef p = c.add(a, number(1)), q = c.add(b, number(1));
  expectDifferent(c.sqrt(c.mul(p, q)), c.mul(c.sqrt(p), c.sqrt(q)));
}

TEST_F(NormalForm, Quotients) {
  Var i = c.makeVar(3);
  PolyRef a = x(0, i, 3), b = x(1, i, 3), sum = c.add(a, b);
  expectEqual(c.mul(sum, c.inverse(sum)), number(1));
  expectEqual(c.inverse(c.mul(a, sum)), c.mul(c.inverse(a), c.inverse(sum)));
  expectEqual(c.inverse(c.sub(a, b)), c.sub(c.zero(), c.inverse(c.sub(b, a))));
  expectEqual(c.mul(c.add(c.mul(a, a), c.mul(a, b)), c.inverse(sum)), a);
  expectDifferent(c.inverse(sum), c.add(c.inverse(a), c.inverse(b)));
}

// As norms of what is normalized have them.
TEST_F(NormalForm, DenominatorsInSums) {
  Var i = c.makeVar(3);
  PolyRef a = x(0, i, 3), b = x(1, i, 3), d = x(2, i, 3);
  PolyRef positive = c.add(c.mul(a, a), number(0.5));
  auto quotient = [&](const PolyRef &p, const PolyRef &q) {
    return c.mul(p, c.inverse(q));
  };
  // 1 / (b / q + d) = q / (b + d q), whatever the signs.
  for (const PolyRef &q : {a, positive, c.add(a, b), c.max(a, b)})
    expectEqual(c.inverse(c.add(quotient(b, q), d)),
                quotient(q, c.add(b, c.mul(d, q))));
  // sqrt(b^2 / q + 2) sqrt(q) = sqrt(b^2 + 2 q), if q isn't negative.
  auto root = [&](const PolyRef &q) {
    return c.sqrt(c.add(quotient(c.mul(b, b), q), number(2)));
  };
  PolyRef whole = c.sqrt(c.add(c.mul(b, b), c.mul(number(2), positive)));
  c.takeObligations();
  expectEqual(c.mul(root(positive), c.sqrt(positive)), whole);
  expectDifferent(c.mul(root(a), c.sqrt(a)),
                  c.sqrt(c.add(c.mul(b, b), c.mul(number(2), a))));
  // An even power of any sign: |a|, not a.
  PolyRef square = c.mul(a, a), absolute = c.max(a, c.sub(c.zero(), a));
  PolyRef inside = c.sqrt(c.add(quotient(b, square), d));
  PolyRef outside = c.sqrt(c.add(b, c.mul(d, square)));
  expectEqual(c.mul(inside, absolute), outside);
  expectDifferent(c.mul(inside, a), outside);
  // High powers of a sum would be multiplied out: they stay where they are.
  PolyRef high = c.inverse(sum(4, [&](Index k) { return c.read(3, {k}); }));
  for (unsigned i = 0; i < 16; ++i)
    high = c.mul(high, high);
  c.inverse(c.add(high, d));
  EXPECT_FALSE(c.hasFailed()) << c.getFailure().str();
  c.takeObligations();
  // What a root needs not to be negative is the same with and without.
  c.takeObligations();
  c.sqrt(c.add(quotient(b, positive), d));
  c.sqrt(c.add(b, c.mul(d, positive)));
  std::vector<Obligation> obligations = c.takeObligations();
  ASSERT_EQ(obligations.size(), 2u);
  EXPECT_EQ(c.getKey(obligations[0]), c.getKey(obligations[1]));
}

TEST_F(NormalForm, Maxima) {
  Var i = c.makeVar(3);
  PolyRef a = x(0, i, 3), b = x(1, i, 3), d = x(2, i, 3);
  expectEqual(c.max(a, c.max(b, d)), c.max(c.max(d, a), b));
  expectEqual(c.max(a, a), a);
  expectEqual(c.max(c.max(a, number(0)), number(0)), c.max(a, number(0)));
  expectEqual(c.max(number(2), number(3)), number(3));
  PolyRef whole = largest(12, [&](Index k) { return c.read(0, {k}); });
  PolyRef parts = largest(4, [&](Index block) {
    return largest(3, [&](Index k) {
      return c.read(0, {*Index::add(*Index::mul(block, 3), k)});
    });
  });
  expectEqual(whole, parts);
  expectDifferent(whole, largest(6, [&](Index k) { return c.read(0, {k}); }));
}

TEST_F(NormalForm, MaximaUnderSums) {
  // max(x y, 0) z, summed over two indices, with operands in both orders.
  auto layer = [&](bool swap) {
    return sum(6, [&](Index k) {
      PolyRef hidden = sum(
          4, [&](Index j) { return c.mul(c.read(0, {j}), c.read(1, {j, k})); });
      PolyRef weight = c.read(2, {k}), zero = c.zero();
      return swap ? c.mul(weight, c.max(zero, hidden))
                  : c.mul(c.max(hidden, zero), weight);
    });
  };
  expectEqual(layer(false), layer(true));
  expectEqual(c.mul(layer(true), layer(false)),
              c.mul(layer(false), layer(false)));
  // The maximum of two elements at the same index is that at any index.
  Var i = c.makeVar(3), j = c.makeVar(3);
  PolyRef larger = c.max(x(0, i, 3), x(1, i, 3));
  expectEqual(c.substitute(larger, i, Index::fromVar(j, 3)),
              c.max(x(1, j, 3), x(0, j, 3)));
}

TEST_F(NormalForm, RecordsWhereTermsAreDefined) {
  Var i = c.makeVar(3);
  PolyRef a = x(0, i, 3), b = x(1, i, 3);
  PolyRef positive = c.add(c.mul(a, a), number(0.5));
  c.inverse(positive);
  c.sqrt(positive);
  c.inverse(c.exp(a));
  c.sqrt(c.mul(number(3), c.mul(b, b)));
  EXPECT_TRUE(c.takeObligations().empty());
  c.sqrt(a);
  c.inverse(c.mul(a, b));
  std::vector<Obligation> obligations = c.takeObligations();
  ASSERT_EQ(obligations.size(), 3u);
  EXPECT_EQ(obligations[0].kind, Obligation::Kind::NonNegative);
  EXPECT_EQ(obligations[1].kind, Obligation::Kind::NonZero);
  // The same, said of another index.
  c.sqrt(x(0, c.makeVar(3), 3));
  EXPECT_EQ(c.getKey(c.takeObligations()[0]), c.getKey(obligations[0]));
  c.sqrt(x(0, c.makeVar(2), 2));
  EXPECT_NE(c.getKey(c.takeObligations()[0]), c.getKey(obligations[0]));
}

TEST_F(NormalForm, ObligationsUnderConditions) {
  Var i = c.makeVar(3), j = c.makeVar(3);
  PolyRef condition = x(1, i, 3);
  for (auto kind : {Obligation::Kind::NonZero, Obligation::Kind::NonNegative}) {
    Obligation plain{kind, x(0, i, 3)};
    Obligation guarded = c.guard(plain, condition);
    EXPECT_NE(c.getKey(guarded), c.getKey(plain));
    EXPECT_FALSE(c.splitGuard(plain));
    auto split = c.splitGuard(guarded);
    ASSERT_TRUE(split);
    EXPECT_EQ(split->second.kind, kind);
    expectEqual(split->first, condition);
    expectEqual(split->second.term, plain.term);
    // The condition is at the index of the term, or at another.
    Obligation other{kind, x(0, j, 3)};
    EXPECT_EQ(c.getKey(guarded), c.getKey(c.guard(other, x(1, j, 3))));
    EXPECT_NE(c.getKey(guarded), c.getKey(c.guard(other, condition)));
    // Which is which matters.
    EXPECT_NE(c.getKey(guarded),
              c.getKey(c.guard({kind, condition}, plain.term)));
  }
}

TEST_F(NormalForm, DividingByZeroFails) {
  PolyRef a = x(0, c.makeVar(3), 3);
  c.inverse(c.sub(a, a));
  EXPECT_EQ(c.getFailure(), "a division by zero");
}

TEST_F(NormalForm, GivesUpWhatIsTooLarge) {
  PolyRef sum = c.zero();
  for (unsigned input = 0; input < 12; ++input)
    sum = c.add(sum, c.read(input, {}));
  PolyRef power = sum;
  for (int i = 0; i < 12 && !c.hasFailed(); ++i)
    power = c.mul(power, sum);
  EXPECT_EQ(c.getFailure(), "the normal form is too large");
}

TEST_F(NormalForm, GivesUpNumbersThatAreTooLarge) {
  PolyRef number = c.constant(Rational(3, 1));
  for (int i = 0; i < 64 && !c.hasFailed(); ++i)
    number = c.mul(number, number);
  EXPECT_EQ(c.getFailure(), "a number has more than 4096 bits");
}

TEST_F(NormalForm, GivesUpExponentsThatAreTooLarge) {
  PolyRef power = c.inverse(c.add(c.read(0, {}), c.read(1, {})));
  for (int i = 0; i < 64 && !c.hasFailed(); ++i)
    power = c.mul(power, power);
  EXPECT_EQ(c.getFailure(), "an exponent is larger than 2^20");
}

} // namespace
