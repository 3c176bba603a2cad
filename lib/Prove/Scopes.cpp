//===- Scopes.cpp - Bound indices and their canonical names ---------------===//
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

using namespace mirage::prove;
using llvm::ArrayRef;
using llvm::FoldingSetNodeID;
using llvm::SmallVector;

int64_t TermContext::intern(const FoldingSetNodeID &key) {
  void *place;
  if (const InternedKey *known = ids.FindNodeOrInsertPos(key, place))
    return known->id;
  auto *added = new (keys) InternedKey(key.Intern(keys), ids.size() + 1);
  ids.InsertNode(added, place);
  return added->id;
}

Var TermContext::getCanonicalVar(unsigned height, unsigned position,
                                 int64_t extent) {
  auto [it, inserted] =
      canonicalVars.try_emplace({height, position, extent}, nextCanonicalVar);
  if (inserted) {
    extents[nextCanonicalVar] = extent;
    --nextCanonicalVar;
  }
  return it->second;
}

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

TermContext::Substitution TermContext::getSubstitution(int64_t id, Var var,
                                                       const Index &value) {
  FoldingSetNodeID key = makeKey(KeyKind::Index);
  value.profile(key);
  return {id, var, intern(key)};
}

BaseRef TermContext::substituteOpaque(const BaseRef &base, Var var,
                                      const Index &value) {
  if (!llvm::is_contained(base->free, var))
    return base;
  const Substitution substitution = getSubstitution(base->id, var, value);
  if (BaseRef known = substitutedBases.lookup(substitution))
    return known;
  BaseRef result = computeSubstituted(base, var, value);
  if (!hasFailed())
    substitutedBases.try_emplace(substitution, result);
  return result;
}

BaseRef TermContext::computeSubstituted(const BaseRef &base, Var var,
                                        const Index &value) {
  Base result = *base;
  result.free.clear();
  result.height = 0;
  for (Index &index : result.indices) {
    std::optional<Index> substituted = index.substitute(var, value);
    if (!substituted) {
      fail("an index range is split unevenly");
      return base;
    }
    index = *substituted;
  }
  for (PolyRef &arg : result.args)
    arg = substitute(arg, var, value);
  for (Monomial &entry : result.entries) {
    Monomial open = reopenScope(entry, value);
    for (Factor &factor : open.factors)
      factor.base = substituteOpaque(factor.base, var, value);
    entry = finishScope(kOne, open.bound, open.factors);
  }
  // Entries are sorted by their ids, and these depend on what indices are
  // called.
  sortEntries(result.entries);
  return finishBase(std::move(result));
}

PolyRef TermContext::substitute(const Factor &factor, Var var,
                                const Index &value) {
  const Base &base = *factor.base;
  if (!llvm::is_contained(base.free, var))
    return makeFactor(factor.base, factor.exponent);
  switch (base.kind) {
  case Base::Kind::Poly:
    return pow(substitute(base.args[0], var, value), factor.exponent);
  case Base::Kind::Exp: {
    PolyRef argument = substitute(base.args[0], var, value);
    return exp(mul(constant(factor.exponent), argument));
  }
  case Base::Kind::Indicator: {
    std::optional<Index> index = base.indices[0].substitute(var, value);
    if (index)
      return indicator(*index, base.number);
    fail("an index range is split unevenly");
    return zero();
  }
  case Base::Kind::Max: {
    std::vector<Monomial> entries;
    for (const Monomial &entry : base.entries) {
      Monomial open = reopenScope(entry, value);
      PolyRef substituted =
          substitute(open.factors[0].base->args[0], var, value);
      open.factors = {{makePolyBase(substituted), kOne}};
      entries.push_back(std::move(open));
    }
    return pow(makeMax(std::move(entries)), factor.exponent);
  }
  case Base::Kind::Read:
  case Base::Kind::Function:
  case Base::Kind::Constant:
  case Base::Kind::Size:
    return makeFactor(substituteOpaque(factor.base, var, value),
                      factor.exponent);
  }
  llvm_unreachable("covered switch");
}

PolyRef TermContext::substitute(const Monomial &monomial, Var var,
                                const Index &value) {
  Monomial open = reopenScope(monomial, value);
  PolyRef product = constant(open.coefficient);
  for (const Factor &factor : open.factors)
    product = mul(product, substitute(factor, var, value));
  for (const Bound &bound : open.bound)
    product = sumOver(bound.var, product);
  return product;
}

PolyRef TermContext::substitute(const PolyRef &term, Var var,
                                const Index &value) {
  if (hasFailed() || !llvm::is_contained(term->free, var))
    return term;
  const Substitution substitution = getSubstitution(term->id, var, value);
  if (PolyRef known = substitutedTerms.lookup(substitution))
    return known;
  PolyRef sum = zero();
  for (const Monomial &monomial : term->monomials)
    sum = add(sum, substitute(monomial, var, value));
  if (auto found = factorsOf.find(term->id); found != factorsOf.end()) {
    auto [lhs, rhs] = found->second;
    PolyRef left = substitute(lhs, var, value),
            right = substitute(rhs, var, value);
    if (!hasFailed())
      factorsOf.try_emplace(sum->id, left, right);
  }
  if (!hasFailed())
    substitutedTerms.try_emplace(substitution, sum);
  return sum;
}

Monomial TermContext::openScope(const Monomial &monomial) {
  Monomial open = monomial;
  for (Bound &bound : open.bound) {
    Var fresh = makeVar(bound.extent);
    for (Factor &factor : open.factors)
      factor.base = substituteOpaque(factor.base, bound.var,
                                     Index::fromVar(fresh, bound.extent));
    bound.var = fresh;
  }
  return open;
}

Monomial TermContext::reopenScope(const Monomial &monomial, unsigned copy,
                                  llvm::function_ref<bool(Var)> isTaken) {
  if (monomial.bound.empty())
    return monomial;
  auto known = opened.find({monomial.id, copy});
  if (known == opened.end()) {
    Monomial open = openScope(monomial);
    if (!hasFailed())
      opened.try_emplace({monomial.id, copy}, open);
    return open;
  }
  if (llvm::any_of(known->second.bound,
                   [&](const Bound &bound) { return isTaken(bound.var); }))
    return openScope(monomial);
  Monomial open = known->second;
  open.coefficient = monomial.coefficient;
  return open;
}

Monomial TermContext::reopenScope(const Monomial &monomial,
                                  const Index &value) {
  return reopenScope(monomial, 0,
                     [&](Var var) { return value.dependsOn(var); });
}

//===----------------------------------------------------------------------===//
// Canonical form
//===----------------------------------------------------------------------===//

/// Visits every index of a base, at any depth.
static void forEachIndex(const Base &base,
                         llvm::function_ref<void(const Index &)> visit) {
  for (const Index &index : base.indices)
    visit(index);
  for (const PolyRef &arg : base.args)
    for (const Monomial &monomial : arg->monomials)
      for (const Factor &factor : monomial.factors)
        forEachIndex(*factor.base, visit);
  for (const Monomial &entry : base.entries)
    for (const Factor &factor : entry.factors)
      forEachIndex(*factor.base, visit);
}

std::optional<SmallVector<std::pair<Var, Index>, 2>>
TermContext::findReindexing(llvm::SmallVectorImpl<Bound> &bound,
                            ArrayRef<Factor> factors) {
  if (bound.empty() || hasFailed())
    return std::nullopt;
  // All different indices in which a bound one occurs.
  std::map<FoldingSetNodeID, Index> indices;
  for (const Factor &factor : factors)
    forEachIndex(*factor.base, [&](const Index &index) {
      if (llvm::any_of(
              bound, [&](const Bound &b) { return index.dependsOn(b.var); })) {
        FoldingSetNodeID key;
        index.profile(key);
        indices.try_emplace(std::move(key), index);
      }
    });

  // Splits an index of which parts occur.
  for (Bound &b : bound) {
    SmallVector<int64_t> cuts{1, b.extent};
    for (auto &[key, index] : indices)
      for (const Digit &digit : index.getDigits())
        if (digit.var == b.var)
          cuts.append({digit.div, digit.div * digit.extent});
    llvm::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    bool isChain = true;
    for (size_t i = 0; i + 1 < cuts.size(); ++i)
      isChain &= cuts[i + 1] % cuts[i] == 0;
    if (cuts.size() == 2 || !isChain || cuts.back() != b.extent)
      continue;
    Index value;
    SmallVector<Bound, 2> parts;
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      int64_t extent = cuts[i + 1] / cuts[i];
      parts.push_back({makeVar(extent), extent});
      value = *Index::add(
          value,
          *Index::mul(Index::fromVar(parts.back().var, extent), cuts[i]));
    }
    Var var = b.var;
    bound.erase(&b);
    bound.append(parts);
    return SmallVector<std::pair<Var, Index>, 2>{{var, value}};
  }

  // Joins two indices that only occur as the digits of one.
  for (const Bound &high : bound) {
    for (const Bound &low : bound) {
      if (high.var == low.var)
        continue;
      bool found = false, joined = true;
      for (auto &[key, index] : indices) {
        int64_t highCoefficient = 0, lowCoefficient = 0;
        for (const Digit &digit : index.getDigits()) {
          if (digit.var == high.var)
            highCoefficient = digit.coefficient;
          if (digit.var == low.var)
            lowCoefficient = digit.coefficient;
        }
        joined &= highCoefficient == lowCoefficient * low.extent;
        found |= highCoefficient != 0;
      }
      if (!found || !joined)
        continue;
      int64_t extent = high.extent * low.extent;
      Index whole = Index::fromVar(makeVar(extent), extent);
      Index::Division parts = *Index::divide(whole, low.extent);
      SmallVector<std::pair<Var, Index>, 2> result{{high.var, parts.quotient},
                                                   {low.var, parts.remainder}};
      Bound sum{whole.getDigits()[0].var, extent};
      llvm::erase_if(bound, [&](const Bound &b) {
        return b.var == result[0].first || b.var == result[1].first;
      });
      bound.push_back(sum);
      return result;
    }
  }
  return std::nullopt;
}

Monomial TermContext::finishScope(Rational coefficient,
                                  SmallVector<Bound, 2> bound,
                                  std::vector<Factor> factors) {
  unsigned height = 0;
  for (const Factor &factor : factors)
    height = std::max(height, factor.base->height);
  if (!bound.empty())
    ++height;

  auto rename = [&](const Factor &factor, Var from, Var to,
                    int64_t extent) -> Factor {
    return {substituteOpaque(factor.base, from, Index::fromVar(to, extent)),
            factor.exponent};
  };
  auto sortFactors = [](std::vector<Factor> &list) {
    llvm::sort(list, [](const Factor &a, const Factor &b) {
      return a.base->id < b.base->id;
    });
  };
  // A product with its indices named in a given order, and what it looks like.
  auto finish = [&](ArrayRef<Bound> order) {
    Monomial named;
    named.coefficient = coefficient;
    named.factors = factors;
    named.height = height;
    for (auto [position, b] : llvm::enumerate(order)) {
      Var name = getCanonicalVar(height, position, b.extent);
      named.bound.push_back({name, b.extent});
      for (Factor &factor : named.factors)
        factor = rename(factor, b.var, name, b.extent);
    }
    sortFactors(named.factors);
    for (const Factor &factor : named.factors)
      named.shape += mirage::mix(factor.base->shape ^
                                 mirage::mix(int64_t(factor.exponent.num) * 64 +
                                             int64_t(factor.exponent.den)));
    for (const Bound &b : named.bound)
      named.shape += mirage::mix(b.extent + 1);
    FoldingSetNodeID key = makeKey(KeyKind::Monomial);
    key.AddInteger(named.bound.size());
    for (const Bound &b : named.bound)
      key.AddInteger(b.extent);
    for (const Factor &factor : named.factors)
      addFactor(key, factor);
    return std::pair(named, key);
  };
  // Each index is marked in each factor.
  constexpr size_t kFactorsOfWork = 16;
  work += bound.size() * factors.size() / kFactorsOfWork;
  if (bound.size() < 2) {
    auto [named, key] = finish(bound);
    named.id = intern(key);
    return named;
  }

  // Indices are told apart by what a product looks like when one of them is
  // marked and the others are not distinguished.
  constexpr Var kMarked = -1, kOther = -2;
  std::vector<std::pair<FoldingSetNodeID, Bound>> signatures;
  for (const Bound &marked : bound) {
    std::vector<FoldingSetNodeID> looks;
    for (const Factor &factor : factors) {
      Factor look = rename(factor, marked.var, kMarked, marked.extent);
      for (const Bound &other : bound)
        if (other.var != marked.var)
          look = rename(look, other.var, kOther, other.extent);
      addFactor(looks.emplace_back(), look);
    }
    llvm::sort(looks);
    FoldingSetNodeID signature;
    signature.AddInteger(marked.extent);
    for (const FoldingSetNodeID &look : looks)
      signature.AddNodeID(look);
    signatures.emplace_back(signature, marked);
  }
  llvm::sort(signatures, [](auto &a, auto &b) { return a.first < b.first; });

  // Among indices that look alike the order with the least key is taken; where
  // there are too many orders, the first one: equal terms may then go
  // unnoticed.
  constexpr unsigned kMaxOrders = 120;
  SmallVector<unsigned> order(bound.size());
  for (auto [i, place] : llvm::enumerate(order))
    place = i;
  std::optional<std::pair<Monomial, FoldingSetNodeID>> best;
  for (unsigned tried = 0; tried < kMaxOrders && !hasFailed(); ++tried) {
    SmallVector<Bound, 2> named;
    for (unsigned place : order)
      named.push_back(signatures[place].second);
    auto attempt = finish(named);
    if (!best || attempt.second < best->second)
      best = std::move(attempt);
    // The next order that permutes equal signatures only.
    bool more = false;
    for (size_t begin = 0; begin < order.size() && !more;) {
      size_t end = begin + 1;
      while (end < order.size() &&
             signatures[end].first == signatures[begin].first)
        ++end;
      more = std::next_permutation(order.begin() + begin, order.begin() + end);
      begin = end;
    }
    if (!more)
      break;
  }
  if (!best)
    best = finish(bound);
  best->first.id = intern(best->second);
  return best->first;
}

int64_t TermContext::getKey(const Obligation &obligation, ArrayRef<Var> fixed) {
  SmallVector<Bound, 2> bound;
  PolyRef term = obligation.term;
  for (Var var : term->free)
    if (!llvm::is_contained(fixed, var))
      bound.push_back({var, getExtent(var)});
  while (auto reindexing =
             findReindexing(bound, Factor{makePolyBase(term), kOne}))
    for (auto &[var, value] : *reindexing)
      term = substitute(term, var, value);
  // It holds for all parts of an index that has been split: of those that don't
  // occur that says nothing.
  llvm::erase_if(bound, [&](const Bound &b) {
    return !llvm::is_contained(term->free, b.var);
  });
  Monomial closed = finishScope(kOne, bound, {{makePolyBase(term), kOne}});
  FoldingSetNodeID key = makeKey(KeyKind::Obligation);
  key.AddInteger(static_cast<int>(obligation.kind));
  key.AddInteger(closed.id);
  return intern(key);
}
