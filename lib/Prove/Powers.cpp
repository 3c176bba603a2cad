//===- Powers.cpp - Powers, quotients and roots ---------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rationals.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mirage::prove;
using llvm::ArrayRef;
using llvm::DynamicAPInt;

static bool isBeyond(const Rational &value, const DynamicAPInt &limit) {
  return abs(value.num) > limit || value.den > limit;
}

bool mirage::prove::isTooLarge(const Rational &value) {
  // Nearly all of them are small, and quick to compare with what is.
  constexpr int64_t kSmall = int64_t(1) << 32;
  if (value.num < kSmall && value.num > -kSmall && value.den < kSmall)
    return false;
  constexpr unsigned kMostBits = 4096;
  static const DynamicAPInt limit(
      llvm::APInt::getOneBitSet(kMostBits + 2, kMostBits));
  return isBeyond(value, limit);
}

bool mirage::prove::isTooLargeExponent(const Rational &value) {
  static const DynamicAPInt limit(1 << 20);
  return isBeyond(value, limit);
}

Rational mirage::prove::raise(const Rational &base, int64_t exponent) {
  DynamicAPInt num(1), den(1);
  for (int64_t i = 0; i < std::abs(exponent); ++i) {
    num *= base.num;
    den *= base.den;
  }
  return exponent < 0 ? Rational(den, num) : Rational(num, den);
}

static bool dependsOn(const Factor &factor, ArrayRef<Bound> bound) {
  return llvm::any_of(bound, [&](const Bound &b) {
    return llvm::is_contained(factor.base->free, b.var);
  });
}

static Factor invert(const Factor &factor) {
  return {factor.base, -factor.exponent};
}

/// Term by term, by what holds no index that is summed over.
PolyRef TermContext::multiply(const PolyRef &term, ArrayRef<Factor> factors) {
  std::vector<Monomial> sum;
  for (const Monomial &monomial : term->monomials) {
    Monomial open = openScope(monomial);
    llvm::append_range(open.factors, factors);
    PolyRef part = makeMonomial(open.coefficient, open.bound, open.factors);
    llvm::append_range(sum, part->monomials);
  }
  return makePoly(std::move(sum));
}

/// Whether a negative power of it in one term of a sum is made a factor of all
/// of the sum.
static bool isCommonDenominator(const Base &base) {
  return base.kind == Base::Kind::Poly || base.kind == Base::Kind::Read ||
         base.kind == Base::Kind::Function || base.kind == Base::Kind::Max ||
         base.kind == Base::Kind::Size;
}

std::optional<Factor> TermContext::findCommonDenominator(const PolyRef &term,
                                                         bool onlyNonNegative) {
  // Each one may multiply how many terms there are: of x + 1 / x, and that in
  // the place of x, again and again, there would soon be too many.
  constexpr size_t kMostTerms = 64;
  const size_t numTerms = term->monomials.size();
  if (numTerms < 2)
    return std::nullopt;
  auto isSmall = [&](const Factor &factor) {
    if (factor.base->kind != Base::Kind::Poly)
      return true;
    // A sum of one term is multiplied out, too.
    const size_t size =
        std::max<size_t>(factor.base->args[0]->monomials.size(), 2);
    size_t product = numTerms;
    for (Rational left = -factor.exponent; left.num > 0; left = left - kOne)
      if ((product *= size) > kMostTerms)
        return false;
    return true;
  };
  for (const Monomial &monomial : term->monomials)
    for (const Factor &factor : monomial.factors) {
      if (factor.exponent.num >= 0 || !isCommonDenominator(*factor.base) ||
          dependsOn(factor, monomial.bound))
        continue;
      Factor lowest = factor;
      for (const Monomial &other : term->monomials)
        for (const Factor &f : other.factors)
          if (f.base->id == factor.base->id)
            lowest.exponent = std::min(lowest.exponent, f.exponent);
      if ((!onlyNonNegative || isNonNegative(lowest)) && isSmall(lowest))
        return lowest;
    }
  return std::nullopt;
}

std::pair<Monomial, PolyRef> TermContext::extractContent(const PolyRef &term,
                                                         bool onlyNonNegative) {
  Monomial content;
  if (term->isZero() || hasFailed())
    return {content, term};
  if (auto denominator = findCommonDenominator(term, onlyNonNegative)) {
    auto [content, rest] =
        extractContent(multiply(term, {invert(*denominator)}), onlyNonNegative);
    content.factors.push_back(*denominator);
    return {content, rest};
  }
  // What is left has integer coefficients without a common divisor, and the
  // sign is chosen by a monomial that doesn't depend on how indices are called.
  const Monomial &first = *std::min_element(
      term->monomials.begin(), term->monomials.end(),
      [](const Monomial &a, const Monomial &b) { return a.shape < b.shape; });
  DynamicAPInt divisor(0), multiple(1);
  for (const Monomial &monomial : term->monomials) {
    divisor = gcd(divisor, abs(monomial.coefficient.num));
    multiple = lcm(multiple, monomial.coefficient.den);
  }
  content.coefficient = Rational(divisor, multiple);
  if (!onlyNonNegative && first.coefficient.num < 0)
    content.coefficient = -content.coefficient;
  for (const Factor &factor : first.factors) {
    if (dependsOn(factor, first.bound) ||
        factor.base->kind == Base::Kind::Indicator ||
        (onlyNonNegative && !isNonNegative(factor)))
      continue;
    // The lowest power that occurs in all monomials.
    Rational least = factor.exponent;
    bool common = llvm::all_of(term->monomials, [&](const Monomial &other) {
      for (const Factor &f : other.factors) {
        if (f.base->id != factor.base->id)
          continue;
        least = std::min(least, f.exponent);
        return true;
      }
      return false;
    });
    // What is left after an odd power has been taken out may be negative.
    if (common && onlyNonNegative && !isNonNegative(Factor{factor.base, least}))
      continue;
    if (common)
      content.factors.push_back({factor.base, least});
  }
  if (content.factors.empty())
    return {content, scale(term, kOne / content.coefficient)};
  std::vector<Factor> inverse;
  llvm::transform(content.factors, std::back_inserter(inverse), invert);
  return {content, multiply(scale(term, kOne / content.coefficient), inverse)};
}

/// number = square^2 * rest. Factors above 2^20 are found only when what is
/// left is a square as a whole.
static std::pair<int64_t, int64_t> splitSquare(int64_t number) {
  int64_t square = 1, rest = 1;
  for (int64_t d = 2; d * d <= number && d < (1 << 20); ++d) {
    while (number % (d * d) == 0) {
      number /= d * d;
      square *= d;
    }
    if (number % d == 0) {
      number /= d;
      rest *= d;
    }
  }
  auto root = static_cast<int64_t>(std::llround(std::sqrt(number)));
  if (root * root == number)
    return {square * root, rest};
  return {square, rest * number};
}

PolyRef TermContext::pow(const PolyRef &operand, const Rational &exponent) {
  if (hasFailed())
    return zero();
  if (operand->isZero()) {
    if (exponent.num < 0)
      fail("a division by zero");
    return zero();
  }
  bool whole = isInteger(exponent);
  if (auto found = factorsOf.find(operand->id);
      !whole && found != factorsOf.end()) {
    auto [lhs, rhs] = found->second;
    return mul(pow(lhs, exponent), pow(rhs, exponent));
  }
  auto [content, rest] = extractContent(operand, /*onlyNonNegative=*/!whole);
  std::vector<Factor> factors;
  for (const Factor &factor : content.factors) {
    Rational power = factor.exponent * exponent;
    bool even = isInteger(factor.exponent) && factor.exponent.num % 2 == 0;
    if (!whole && even && !isNonNegative(*factor.base) &&
        !(isInteger(power) && power.num % 2 == 0)) {
      // sqrt(x^2) = |x|
      PolyRef base = makeFactor(factor.base, kOne);
      PolyRef absolute = max(base, sub(zero(), base));
      if (hasFailed())
        return zero();
      // The maximum itself, so that it cancels with its powers elsewhere.
      factors.push_back(
          {absolute->monomials.front().factors.front().base, power});
      continue;
    }
    factors.push_back({factor.base, power});
  }

  Rational coefficient = content.coefficient;
  const Rational twice = exponent * Rational(2, 1);
  if (!isInteger(twice) || twice > Rational(64, 1) ||
      twice < Rational(-64, 1)) {
    fail("a power of a power");
    return zero();
  }
  int64_t halves(twice.num / twice.den);
  coefficient = raise(coefficient, whole ? halves / 2 : halves);
  if (!whole) {
    // sqrt(n / d) = sqrt(n d) / d, powers of 4 taken out first since binary
    // fractions have many of them.
    DynamicAPInt product = coefficient.num * coefficient.den;
    DynamicAPInt root(1);
    while (product % DynamicAPInt(4) == 0) {
      product /= DynamicAPInt(4);
      root *= DynamicAPInt(2);
    }
    if (product > DynamicAPInt(std::numeric_limits<int64_t>::max())) {
      fail("the root of a number with more than 63 significant bits");
      return zero();
    }
    auto [square, free] = splitSquare(int64_t(product));
    coefficient = Rational(square, 1) * Rational(root, coefficient.den);
    if (free != 1) {
      Base base(Base::Kind::Constant);
      base.number = free;
      factors.push_back({finishBase(std::move(base)), kHalf});
    }
  }

  PolyRef result = makeMonomial(coefficient, {}, factors);
  if (rest->isCompound() && rest->monomials.size() == 1) {
    // The product of sums that have no index in common is that of their powers.
    Monomial open = openScope(rest->monomials[0]);
    if (!whole && open.coefficient.num < 0)
      return mul(result, makeFactor(makePolyBase(rest), exponent));
    std::vector<bool> taken(open.factors.size());
    result = mul(result, pow(constant(open.coefficient), exponent));
    for (size_t i = 0; i < open.factors.size(); ++i) {
      if (taken[i])
        continue;
      llvm::SmallVector<Bound, 2> bound;
      std::vector<Factor> part;
      // Grow the part until no factor outside shares an index.
      auto take = [&](size_t k) {
        taken[k] = true;
        part.push_back(open.factors[k]);
        for (const Bound &b : open.bound)
          if (llvm::is_contained(open.factors[k].base->free, b.var) &&
              llvm::none_of(bound, [&](auto &o) { return o.var == b.var; }))
            bound.push_back(b);
      };
      take(i);
      for (size_t k = 0; k < open.factors.size(); ++k)
        if (!taken[k] && dependsOn(open.factors[k], bound)) {
          take(k);
          k = 0;
        }
      // Only parts that are never negative have roots of their own.
      PolyRef component = makeMonomial(kOne, bound, part);
      if (!whole && !isNonNegative(*component))
        return mul(makeMonomial(coefficient, {}, factors),
                   makeFactor(makePolyBase(rest), exponent));
      result = mul(result, makeFactor(makePolyBase(component), exponent));
    }
    return result;
  }
  const Monomial &only = rest->monomials.front();
  if (rest->monomials.size() == 1 && only.factors.empty() &&
      only.coefficient == kOne)
    return result;
  bool isBase = rest->monomials.size() == 1 && only.factors.size() == 1 &&
                only.coefficient == kOne && only.factors[0].exponent == kOne;
  return mul(
      result,
      makeFactor(isBase ? only.factors[0].base : makePolyBase(rest), exponent));
}

PolyRef TermContext::findDenominator(const PolyRef &term) {
  for (const Monomial &monomial : term->monomials)
    for (const Factor &factor : monomial.factors)
      if (factor.exponent.num < 0 && factor.base->kind != Base::Kind::Exp &&
          !dependsOn(factor, monomial.bound))
        return factor.exponent < kMinusOne || factor.exponent == kMinusOne
                   ? makeFactor(factor.base, kOne)
                   : makeFactor(factor.base, -factor.exponent);
  return nullptr;
}

PolyRef TermContext::inverse(const PolyRef &operand) {
  require(Obligation::Kind::NonZero, operand);
  return pow(operand, kMinusOne);
}

PolyRef TermContext::sqrt(const PolyRef &operand) {
  require(Obligation::Kind::NonNegative, operand);
  return pow(operand, kHalf);
}
