//===- Terms.cpp - Arithmetic on normal forms -----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Keys.h"
#include "Mirage/Numbers/Random.h"
#include "Rationals.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace mirage::prove;
using llvm::ArrayRef;
using llvm::DynamicAPInt;
using mirage::mix;

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

std::optional<Rational> Poly::getConstant() const {
  if (isZero())
    return Rational(0, 1);
  const Monomial &first = monomials[0];
  if (monomials.size() > 1 || !first.bound.empty() || !first.factors.empty())
    return std::nullopt;
  return first.coefficient;
}

bool Poly::isCompound() const {
  return monomials.size() > 1 ||
         (monomials.size() == 1 && !monomials[0].bound.empty());
}

PolyRef TermContext::makePoly(std::vector<Monomial> monomials) {
  llvm::sort(monomials,
             [](const Monomial &a, const Monomial &b) { return a.id < b.id; });
  if (llvm::any_of(monomials, [](const Monomial &monomial) {
        return isTooLarge(monomial.coefficient);
      })) {
    fail("a number has more than 4096 bits");
    monomials.clear();
  }
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
  if (++work > mostWork)
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
  // Of an exponential it is a coefficient.
  for (const Factor &factor : combined) {
    const bool isCounted = factor.base->kind == Base::Kind::Constant ||
                           factor.base->kind == Base::Kind::Poly;
    if (isCounted ? isTooLargeExponent(factor.exponent)
                  : isTooLarge(factor.exponent)) {
      fail(isCounted ? "an exponent is larger than 2^20"
                     : "a number has more than 4096 bits");
      return makePoly({});
    }
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
  const std::optional<int64_t> min = index.getMin(), max = index.getMax();
  if (max && *max < bound)
    return constant(kOne);
  if (min && *min >= bound)
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

/// A multiple: what the sums run over stays as it is.
PolyRef TermContext::scale(const PolyRef &term, const Rational &by) {
  if (by == kOne)
    return term;
  std::vector<Monomial> monomials = term->monomials;
  for (Monomial &monomial : monomials)
    monomial.coefficient = monomial.coefficient * by;
  return makePoly(std::move(monomials));
}

/// Whether a variable is free in a monomial, or in its opened scope.
static auto isFreeIn(const Monomial &monomial) {
  return [&monomial](Var var) {
    return llvm::any_of(monomial.factors, [&](const Factor &factor) {
      return llvm::is_contained(factor.base->free, var);
    });
  };
}

PolyRef TermContext::mul(const PolyRef &lhs, const PolyRef &rhs) {
  if (std::optional<Rational> factor = lhs->getConstant())
    return scale(rhs, *factor);
  if (std::optional<Rational> factor = rhs->getConstant())
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
    if (!whole->isCompound() || llvm::none_of(other->monomials, [](auto &m) {
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
      Monomial a = reopenScope(left, 0, isFreeIn(right)),
               b = reopenScope(right, left.id == right.id, isFreeIn(left));
      llvm::append_range(a.bound, b.bound);
      llvm::append_range(a.factors, b.factors);
      PolyRef product =
          makeMonomial(a.coefficient * b.coefficient, a.bound, a.factors);
      llvm::append_range(sum, product->monomials);
    }
  }
  PolyRef product = makePoly(std::move(sum));
  if (lhs->monomials.size() > 1 && rhs->monomials.size() > 1 && !hasFailed() &&
      isNonNegative(*lhs) && isNonNegative(*rhs))
    factorsOf.try_emplace(product->id, lhs, rhs);
  return product;
}

PolyRef TermContext::sumOver(Var var, const PolyRef &term) {
  std::vector<Monomial> sum;
  for (const Monomial &monomial : term->monomials) {
    Monomial open =
        reopenScope(monomial, 0, [&](Var other) { return other == var; });
    open.bound.push_back({var, getExtent(var)});
    PolyRef part = makeMonomial(open.coefficient, open.bound, open.factors);
    llvm::append_range(sum, part->monomials);
  }
  return makePoly(std::move(sum));
}
