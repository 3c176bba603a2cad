//===- Terms.cpp - Arithmetic on normal forms -----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Keys.h"
#include "Mirage/Numbers/Random.h"
#include "Mirage/Prove/NormalForm.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace mirage::prove;
using llvm::ArrayRef;
using llvm::DynamicAPInt;
using mirage::mix;

/// Monomials that may be made before a proof is given up: about a second.
static constexpr int64_t kMaxWork = 100000;

static const Rational kOne(1, 1), kHalf(1, 2), kMinusOne(-1, 1);

static bool isInteger(const Rational &value) {
  return value.num % value.den == 0;
}

static Rational raise(const Rational &base, int64_t exponent) {
  DynamicAPInt num(1), den(1);
  for (int64_t i = 0; i < std::abs(exponent); ++i) {
    num *= base.num;
    den *= base.den;
  }
  return exponent < 0 ? Rational(den, num) : Rational(num, den);
}

void TermContext::fail(llvm::StringRef reason) {
  if (failure.empty())
    failure = reason.str();
}

bool TermContext::isConcrete(int64_t size) const {
  return symbols.empty() || size < *llvm::min_element(symbols);
}

bool TermContext::isSymbolic(int64_t size) const {
  return llvm::any_of(symbols,
                      [&](int64_t symbol) { return size % symbol == 0; });
}

Var TermContext::makeVar(int64_t extent) {
  extents[nextVar] = extent;
  return nextVar++;
}

static uint64_t getShape(const Rational &value) {
  // Large numbers look alike.
  bool isSmall = value.num < DynamicAPInt(1 << 30) &&
                 DynamicAPInt(-(1 << 30)) < value.num &&
                 value.den < DynamicAPInt(1 << 30);
  return isSmall ? mix(int64_t(value.num)) ^ int64_t(value.den) : 0;
}

//===----------------------------------------------------------------------===//
// Bases
//===----------------------------------------------------------------------===//

template <typename Range>
static void addFree(llvm::SmallVectorImpl<Var> &free, const Range &more) {
  for (Var var : more)
    if (!llvm::is_contained(free, var))
      free.push_back(var);
}

static llvm::SmallVector<Var, 4> getFree(const Monomial &monomial) {
  llvm::SmallVector<Var, 4> free;
  for (const Factor &factor : monomial.factors)
    addFree(free, factor.base->free);
  llvm::erase_if(free, [&](Var var) {
    return llvm::any_of(monomial.bound,
                        [&](const Bound &b) { return b.var == var; });
  });
  return free;
}

BaseRef TermContext::finishBase(Base base) {
  llvm::FoldingSetNodeID key = makeKey(KeyKind::Base);
  key.AddInteger(static_cast<int>(base.kind));
  key.AddInteger(base.number);
  key.AddString(base.name);
  key.AddInteger(base.indices.size());
  key.AddInteger(base.args.size());
  for (const Index &index : base.indices) {
    index.profile(key);
    for (const Digit &digit : index.getDigits())
      addFree(base.free, ArrayRef<Var>(digit.var));
  }
  for (const PolyRef &arg : base.args) {
    key.AddInteger(arg->id);
    addFree(base.free, arg->free);
    base.height = std::max(base.height, arg->height);
  }
  for (const Monomial &entry : base.entries) {
    key.AddInteger(entry.id);
    addFree(base.free, getFree(entry));
    base.height = std::max(base.height, entry.height);
  }
  base.id = intern(key);
  base.shape = mix(static_cast<uint64_t>(base.kind) ^ mix(base.number) ^
                   llvm::xxh3_64bits(base.name));
  for (const Index &index : base.indices) {
    uint64_t shape = index.getConstant();
    for (const Digit &digit : index.getDigits())
      shape += mix(mix(digit.coefficient) ^ mix(digit.extent + digit.div));
    base.shape = mix(base.shape + shape);
  }
  for (const PolyRef &arg : base.args)
    base.shape = mix(base.shape + arg->shape);
  uint64_t entries = 0;
  for (const Monomial &entry : base.entries)
    entries += mix(entry.shape);
  base.shape = mix(base.shape + entries);
  return std::make_shared<const Base>(std::move(base));
}

BaseRef TermContext::makePolyBase(const PolyRef &term) {
  Base base(Base::Kind::Poly);
  base.args = {term};
  return finishBase(std::move(base));
}

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

PolyRef TermContext::makePoly(std::vector<Monomial> monomials) {
  llvm::sort(monomials,
             [](const Monomial &a, const Monomial &b) { return a.id < b.id; });
  Poly poly;
  for (Monomial &monomial : monomials) {
    if (!poly.monomials.empty() && poly.monomials.back().id == monomial.id) {
      Rational &sum = poly.monomials.back().coefficient;
      sum = sum + monomial.coefficient;
      continue;
    }
    poly.monomials.push_back(std::move(monomial));
  }
  llvm::erase_if(poly.monomials,
                 [](const Monomial &m) { return m.coefficient.num == 0; });
  llvm::FoldingSetNodeID key = makeKey(KeyKind::Poly);
  for (const Monomial &monomial : poly.monomials) {
    key.AddInteger(monomial.id);
    addNumber(key, monomial.coefficient);
    addFree(poly.free, getFree(monomial));
    poly.height = std::max(poly.height, monomial.height);
    poly.shape += mix(monomial.shape ^ getShape(monomial.coefficient));
  }
  poly.id = intern(key);
  return std::make_shared<const Poly>(std::move(poly));
}

PolyRef TermContext::makeMonomial(Rational coefficient,
                                  llvm::SmallVector<Bound, 2> bound,
                                  std::vector<Factor> factors) {
  if (++work > kMaxWork)
    fail("the normal form is too large");
  if (hasFailed() || coefficient.num == 0)
    return makePoly({});
  llvm::sort(factors, [](const Factor &a, const Factor &b) {
    return a.base->id < b.base->id;
  });
  std::vector<Factor> combined;
  for (Factor &factor : factors) {
    if (!combined.empty() && combined.back().base->id == factor.base->id)
      combined.back().exponent = combined.back().exponent + factor.exponent;
    else
      combined.push_back(std::move(factor));
  }
  for (Factor &factor : combined) {
    if (factor.base->kind == Base::Kind::Indicator && factor.exponent > kOne)
      factor.exponent = kOne;
    // Integer powers of roots of constants are numbers.
    if (factor.base->kind == Base::Kind::Constant) {
      int64_t whole(floor(factor.exponent));
      coefficient =
          coefficient * raise(Rational(factor.base->number, 1), whole);
      factor.exponent = factor.exponent - Rational(whole, 1);
    }
  }
  llvm::erase_if(combined, [](const Factor &f) { return f.exponent.num == 0; });

  auto sumOverAll = [&](PolyRef term) {
    for (const Bound &b : bound)
      term = sumOver(b.var, term);
    return term;
  };
  // A positive power of a polynomial is multiplied out.
  for (Factor &factor : combined) {
    if (factor.base->kind != Base::Kind::Poly || factor.exponent < kOne)
      continue;
    int64_t whole(floor(factor.exponent));
    PolyRef base = factor.base->args[0];
    factor.exponent = factor.exponent - Rational(whole, 1);
    PolyRef product = makeMonomial(coefficient, {}, combined);
    for (int64_t i = 0; i < whole && !hasFailed(); ++i)
      product = mul(product, base);
    return sumOverAll(product);
  }

  // The sum of n equal terms is n times one.
  llvm::erase_if(bound, [&](const Bound &b) {
    if (llvm::any_of(combined, [&](const Factor &f) {
          return llvm::is_contained(f.base->free, b.var);
        }))
      return false;
    int64_t count = b.extent;
    for (int64_t symbol : symbols)
      for (; count % symbol == 0; count /= symbol) {
        Base size(Base::Kind::Size);
        size.number = symbol;
        combined.push_back({finishBase(std::move(size)), kOne});
      }
    if (!isConcrete(count))
      fail("a size is a sum of symbolic ones");
    coefficient = coefficient * Rational(count, 1);
    return true;
  });
  if (llvm::any_of(combined, [](const Factor &f) {
        return f.base->kind == Base::Kind::Size;
      })) {
    // Those added last may have to be combined.
    std::map<int64_t, Factor> byId;
    for (Factor &factor : combined) {
      auto [it, inserted] = byId.try_emplace(factor.base->id, factor);
      if (!inserted)
        it->second.exponent = it->second.exponent + factor.exponent;
    }
    combined.clear();
    for (auto &[id, factor] : byId)
      if (factor.exponent.num != 0)
        combined.push_back(factor);
  }

  if (auto reindexing = findReindexing(bound, combined)) {
    PolyRef product = constant(coefficient);
    for (const Factor &factor : combined)
      product = mul(product, makeFactor(factor.base, factor.exponent));
    for (auto &[var, value] : *reindexing)
      product = substitute(product, var, value);
    return sumOverAll(product);
  }
  return makePoly(
      {finishScope(coefficient, std::move(bound), std::move(combined))});
}

PolyRef TermContext::makeFactor(const BaseRef &base, const Rational &exponent) {
  return makeMonomial(kOne, {}, {{base, exponent}});
}

PolyRef TermContext::zero() { return makePoly({}); }

PolyRef TermContext::constant(const Rational &value) {
  return makeMonomial(value, {}, {});
}

PolyRef TermContext::constant(double value) {
  int exponent = 0;
  double fraction = std::frexp(value, &exponent);
  auto significand = static_cast<int64_t>(std::ldexp(fraction, 53));
  return constant(Rational(significand, 1) *
                  raise(Rational(2, 1), exponent - 53));
}

PolyRef TermContext::read(unsigned input, ArrayRef<Index> indices) {
  Base base(Base::Kind::Read);
  base.number = input;
  base.indices.assign(indices.begin(), indices.end());
  return makeFactor(finishBase(std::move(base)), kOne);
}

PolyRef TermContext::indicator(const Index &index, int64_t bound) {
  if (hasSymbolicSizes())
    fail("a condition on an index, with symbolic sizes");
  if (index.getMax() < bound)
    return constant(kOne);
  if (index.getMin() >= bound)
    return zero();
  Base base(Base::Kind::Indicator);
  base.number = bound;
  base.indices = {index};
  return makeFactor(finishBase(std::move(base)), kOne);
}

PolyRef TermContext::function(llvm::StringRef name, ArrayRef<PolyRef> args) {
  Base base(Base::Kind::Function);
  base.name = name.str();
  base.args.assign(args.begin(), args.end());
  return makeFactor(finishBase(std::move(base)), kOne);
}

PolyRef TermContext::add(const PolyRef &lhs, const PolyRef &rhs) {
  std::vector<Monomial> monomials = lhs->monomials;
  llvm::append_range(monomials, rhs->monomials);
  return makePoly(std::move(monomials));
}

PolyRef TermContext::sub(const PolyRef &lhs, const PolyRef &rhs) {
  std::vector<Monomial> monomials = lhs->monomials;
  for (Monomial monomial : rhs->monomials) {
    monomial.coefficient = -monomial.coefficient;
    monomials.push_back(std::move(monomial));
  }
  return makePoly(std::move(monomials));
}

/// The number that a polynomial is, if it is one.
static std::optional<Rational> getConstant(const Poly &term) {
  if (term.isZero())
    return Rational(0, 1);
  const Monomial &first = term.monomials[0];
  if (term.monomials.size() > 1 || !first.bound.empty() ||
      !first.factors.empty())
    return std::nullopt;
  return first.coefficient;
}

/// A multiple: what the sums run over stays as it is.
PolyRef TermContext::scale(const PolyRef &term, const Rational &by) {
  if (by == kOne)
    return term;
  std::vector<Monomial> monomials = term->monomials;
  for (Monomial &monomial : monomials)
    monomial.coefficient = monomial.coefficient * by;
  return makePoly(std::move(monomials));
}

/// Whether a polynomial has to be multiplied out term by term.
static bool isCompound(const Poly &term) {
  return term.monomials.size() > 1 ||
         (term.monomials.size() == 1 && !term.monomials[0].bound.empty());
}

PolyRef TermContext::mul(const PolyRef &lhs, const PolyRef &rhs) {
  if (std::optional<Rational> factor = getConstant(*lhs))
    return scale(rhs, *factor);
  if (std::optional<Rational> factor = getConstant(*rhs))
    return scale(lhs, *factor);
  // A polynomial times a negative power of itself cancels before it is
  // multiplied out.
  auto findInverse = [&](const Monomial &monomial, const BaseRef &base) {
    return llvm::any_of(monomial.factors, [&](const Factor &factor) {
      return factor.base->id == base->id && factor.exponent.num < 0;
    });
  };
  auto cancel = [&](const PolyRef &whole,
                    const PolyRef &other) -> std::optional<PolyRef> {
    if (!isCompound(*whole) || llvm::none_of(other->monomials, [](auto &m) {
          return llvm::any_of(m.factors, [](const Factor &f) {
            return f.base->kind == Base::Kind::Poly && f.exponent.num < 0;
          });
        }))
      return std::nullopt;
    auto [content, rest] = extractContent(whole, /*onlyNonNegative=*/false);
    BaseRef base = makePolyBase(rest);
    if (llvm::none_of(other->monomials, [&](const Monomial &monomial) {
          return findInverse(monomial, base);
        }))
      return std::nullopt;
    std::vector<Monomial> sum;
    for (const Monomial &monomial : other->monomials) {
      PolyRef product;
      if (findInverse(monomial, base)) {
        Monomial open = openScope(monomial);
        llvm::append_range(open.factors, content.factors);
        open.factors.push_back({base, kOne});
        product = makeMonomial(open.coefficient * content.coefficient,
                               open.bound, open.factors);
      } else {
        product = mul(makePoly({monomial}), whole);
      }
      llvm::append_range(sum, product->monomials);
    }
    return makePoly(std::move(sum));
  };
  if (auto result = cancel(lhs, rhs))
    return *result;
  if (auto result = cancel(rhs, lhs))
    return *result;

  std::vector<Monomial> sum;
  for (const Monomial &left : lhs->monomials) {
    for (const Monomial &right : rhs->monomials) {
      if (hasFailed())
        return zero();
      Monomial a = openScope(left), b = openScope(right);
      llvm::append_range(a.bound, b.bound);
      llvm::append_range(a.factors, b.factors);
      PolyRef product =
          makeMonomial(a.coefficient * b.coefficient, a.bound, a.factors);
      llvm::append_range(sum, product->monomials);
    }
  }
  return makePoly(std::move(sum));
}

PolyRef TermContext::sumOver(Var var, const PolyRef &term) {
  std::vector<Monomial> sum;
  for (const Monomial &monomial : term->monomials) {
    Monomial open = openScope(monomial);
    open.bound.push_back({var, getExtent(var)});
    PolyRef part = makeMonomial(open.coefficient, open.bound, open.factors);
    llvm::append_range(sum, part->monomials);
  }
  return makePoly(std::move(sum));
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

static bool dependsOn(const Factor &factor, ArrayRef<Bound> bound) {
  return llvm::any_of(bound, [&](const Bound &b) {
    return llvm::is_contained(factor.base->free, b.var);
  });
}

std::pair<Monomial, PolyRef> TermContext::extractContent(const PolyRef &term,
                                                         bool onlyNonNegative) {
  Monomial content;
  if (term->isZero() || hasFailed())
    return {content, term};
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
  std::vector<Monomial> rest;
  for (const Monomial &monomial : term->monomials) {
    Monomial open = openScope(monomial);
    for (const Factor &factor : content.factors)
      open.factors.push_back({factor.base, -factor.exponent});
    PolyRef part = makeMonomial(open.coefficient / content.coefficient,
                                open.bound, open.factors);
    llvm::append_range(rest, part->monomials);
  }
  return {content, makePoly(std::move(rest))};
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
      factors.push_back({makePolyBase(absolute), power});
      continue;
    }
    factors.push_back({factor.base, power});
  }

  Rational coefficient = content.coefficient;
  int64_t halves(DynamicAPInt(2) * exponent.num / exponent.den);
  if (!isInteger(exponent * Rational(2, 1)) || std::abs(halves) > 64) {
    fail("a power of a power");
    return zero();
  }
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
  if (isCompound(*rest) && rest->monomials.size() == 1) {
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

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

PolyRef TermContext::exp(const PolyRef &operand) {
  PolyRef result = constant(kOne);
  for (Monomial monomial : operand->monomials) {
    Rational power = monomial.coefficient;
    monomial.coefficient = kOne;
    bool isLog = monomial.bound.empty() && monomial.factors.size() == 1 &&
                 monomial.factors[0].exponent == kOne &&
                 monomial.factors[0].base->kind == Base::Kind::Function &&
                 monomial.factors[0].base->name == "log";
    if (isLog && isInteger(power * Rational(2, 1)) && power < Rational(32, 1) &&
        Rational(-32, 1) < power) {
      result = mul(result, pow(monomial.factors[0].base->args[0], power));
      continue;
    }
    Base base(Base::Kind::Exp);
    base.args = {makePoly({monomial})};
    result = mul(result, makeFactor(finishBase(std::move(base)), power));
  }
  return result;
}

PolyRef TermContext::log(const PolyRef &operand) {
  require(Obligation::Kind::NonZero, operand);
  require(Obligation::Kind::NonNegative, operand);
  return function("log", operand);
}

/// The base that a polynomial is, if it is one.
static BaseRef getOnlyBase(const Poly &term, Base::Kind kind) {
  if (term.monomials.size() != 1)
    return nullptr;
  const Monomial &only = term.monomials[0];
  if (only.coefficient != kOne || !only.bound.empty() ||
      only.factors.size() != 1 || only.factors[0].exponent != kOne ||
      only.factors[0].base->kind != kind)
    return nullptr;
  return only.factors[0].base;
}

void TermContext::sortEntries(std::vector<Monomial> &entries) {
  llvm::sort(entries, [](auto &a, auto &b) { return a.id < b.id; });
  entries.erase(std::unique(entries.begin(), entries.end(),
                            [](auto &a, auto &b) { return a.id == b.id; }),
                entries.end());
}

PolyRef TermContext::makeMax(std::vector<Monomial> entries) {
  if (hasFailed())
    return zero();
  std::vector<Monomial> finished;
  for (Monomial &entry : entries) {
    // The bound indices of an entry are brought into normal form like those of
    // a sum, except that the maximum of equal terms is the term.
    PolyRef value = entry.factors[0].base->args[0];
    llvm::SmallVector<Bound, 2> bound = entry.bound;
    while (true) {
      llvm::erase_if(bound, [&](const Bound &b) {
        return !llvm::is_contained(value->free, b.var);
      });
      auto reindexing =
          findReindexing(bound, Factor{makePolyBase(value), kOne});
      if (!reindexing)
        break;
      for (auto &[var, replacement] : *reindexing)
        value = substitute(value, var, replacement);
    }
    finished.push_back(finishScope(kOne, bound, {{makePolyBase(value), kOne}}));
  }
  auto getValue = [](const Monomial &entry) {
    return getConstant(*entry.factors[0].base->args[0]);
  };
  sortEntries(finished);
  std::optional<Rational> largest;
  for (const Monomial &entry : finished)
    if (auto value = getValue(entry))
      largest = largest ? std::max(*largest, *value) : *value;
  llvm::erase_if(finished, [&](const Monomial &entry) {
    auto value = getValue(entry);
    return value && *value < *largest;
  });
  if (finished.size() == 1 && finished[0].bound.empty())
    return finished[0].factors[0].base->args[0];
  Base base(Base::Kind::Max);
  base.entries = std::move(finished);
  return makeFactor(finishBase(std::move(base)), kOne);
}

PolyRef TermContext::max(const PolyRef &lhs, const PolyRef &rhs) {
  std::vector<Monomial> entries;
  for (const PolyRef &side : {lhs, rhs}) {
    if (BaseRef base = getOnlyBase(*side, Base::Kind::Max)) {
      for (const Monomial &entry : base->entries)
        entries.push_back(openScope(entry));
      continue;
    }
    Monomial entry;
    entry.factors = {{makePolyBase(side), kOne}};
    entries.push_back(std::move(entry));
  }
  return makeMax(std::move(entries));
}

PolyRef TermContext::maxOver(Var var, const PolyRef &term) {
  std::vector<Monomial> entries;
  if (BaseRef base = getOnlyBase(*term, Base::Kind::Max)) {
    for (const Monomial &entry : base->entries)
      entries.push_back(openScope(entry));
  } else {
    entries.emplace_back();
    entries.back().factors = {{makePolyBase(term), kOne}};
  }
  for (Monomial &entry : entries)
    entry.bound.push_back({var, getExtent(var)});
  return makeMax(std::move(entries));
}
