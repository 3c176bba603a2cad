//===- IndexedOracle.cpp - Which sums run over which factors --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/AbstractExpr/IndexedExpr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Of one question; what takes more is let pass.
static constexpr size_t kMostSteps = 20000;

static const ExprIndex *findImage(const IndexMap &map, ExprIndex index) {
  for (auto &[from, to] : map)
    if (from == index)
      return &to;
  return nullptr;
}

IndexedOracle::IndexedOracle(IndexedExprContext &context,
                             ArrayRef<IndexedExpr> targets)
    : context(context) {
  for (IndexedExpr target : targets) {
    areTargetsKnown &= target != 0;
    addParts(target);
  }
}

/// The polynomial, and all that is nested in it.
void IndexedOracle::addParts(IndexedExpr x) {
  if (x == 0 || !known.try_emplace(x, true).second)
    return;
  parts.push_back(x);
  using Atom = IndexedExprContext::Atom;
  for (size_t t = 0; t < context.get(x).terms.size(); ++t) {
    const Monomial &monomial =
        context.getMonomial(context.get(x).terms[t].monomial);
    for (size_t f = 0; f < monomial.factors.size(); ++f) {
      const Atom &atom = context.atoms[monomial.factors[f].atom];
      for (IndexedExpr operand : atom.operands)
        addParts(operand);
      // A maximum can be taken over one index after the other.
      const size_t count = atom.indices.size();
      if (atom.kind != Atom::Kind::Maximum)
        continue;
      if (count > 4)
        areTargetsKnown = false;
      else
        for (unsigned set = 0; set + 1 < 1u << count; ++set) {
          SmallVector<ExprIndex> over;
          for (size_t i = 0; i < count; ++i)
            if (set >> i & 1)
              over.push_back(atom.indices[i]);
          IndexedExpr inner = context.max(atom.operands[0], over);
          areTargetsKnown &= inner != 0;
          addParts(inner);
        }
    }
    addParts(monomial.exponent);
    addParts(monomial.radicand);
    addParts(monomial.divisor);
  }
}

bool IndexedOracle::mayContribute(IndexedExpr x) {
  if (!areTargetsKnown || x == 0)
    return true;
  auto [entry, isNew] = answers.try_emplace(x);
  if (isNew)
    entry->second = decide(x);
  return entry->second;
}

bool IndexedOracle::decide(IndexedExpr x) {
  for (uint16_t role = 0; role < ExprIndex::kParts; ++role) {
    std::optional<IndexedExpr> completed =
        context.complete(x, role, /*all=*/false);
    if (!completed)
      return false;
    x = *completed;
  }
  if (!x)
    return true;
  steps = 0;
  boundLater.clear();
  return llvm::any_of(parts, [&](IndexedExpr part) {
    return placeTerms(x, 0, part, IndexMap());
  });
}

/// Whether all products that `x` is a sum of, from a number on, have places in
/// `part` where their free indices are the same.
bool IndexedOracle::placeTerms(IndexedExpr x, size_t term, IndexedExpr part,
                               const IndexMap &map) {
  const auto &terms = context.get(x).terms;
  if (term == terms.size())
    return true;
  const Monomial &monomial = context.getMonomial(terms[term].monomial);
  // What it binds may have the name of an index that others have.
  IndexMap own, others;
  for (auto &[from, to] : map)
    (llvm::is_contained(monomial.free, from) ? own : others)
        .push_back({from, to});
  return llvm::any_of(context.get(part).terms, [&](const auto &whole) {
    ArrayRef<ExprIndex> bound = context.getMonomial(whole.monomial).bound;
    return place(monomial, context.getMonomial(whole.monomial), true, own,
                 [&](const IndexMap &placed) {
                   // What is bound has a name of its own in each product.
                   IndexMap free = others;
                   llvm::SaveAndRestore before(boundLater);
                   for (auto &[from, to] : placed) {
                     if (llvm::is_contained(monomial.bound, from))
                       continue;
                     if (!llvm::is_contained(bound, to))
                       free.push_back({from, to});
                     else if (!llvm::is_contained(boundLater, from))
                       boundLater.push_back(from);
                   }
                   return placeTerms(x, term + 1, part, free);
                 });
  });
}

/// Calls `then` with the ways to place a product in another one until it is
/// true. `mayBind`: free indices may be bound there.
bool IndexedOracle::place(const Monomial &x, const Monomial &whole,
                          bool mayBind, const IndexMap &map, Then then) {
  if (x.bound.size() > whole.bound.size() ||
      x.factors.size() > whole.factors.size() ||
      (x.exponent && !whole.exponent) || (x.radicand && !whole.radicand) ||
      (x.divisor && !whole.divisor))
    return false;
  IndexMap placed = map;
  return placeFactors(x, whole, mayBind, 0, placed, then);
}

/// Notes that an index becomes another one; false: it can't.
bool IndexedOracle::bind(const Monomial &x, const Monomial &whole, bool mayBind,
                         ExprIndex from, ExprIndex to, IndexMap &map) const {
  if (const ExprIndex *image = findImage(map, from))
    return *image == to;
  if (from.role != to.role ||
      llvm::any_of(map, [&](auto &entry) { return entry.second == to; }))
    return false;
  const bool isBound = llvm::is_contained(whole.bound, to);
  if (llvm::is_contained(x.bound, from) ? !isBound : isBound && !mayBind)
    return false;
  if (mayBind && !isBound && !llvm::is_contained(x.bound, from) &&
      llvm::is_contained(boundLater, from))
    return false;
  map.push_back({from, to});
  return true;
}

bool IndexedOracle::placeFactors(const Monomial &x, const Monomial &whole,
                                 bool mayBind, size_t factor, IndexMap &map,
                                 Then then) {
  using Atom = IndexedExprContext::Atom;
  if (++steps > kMostSteps)
    return true;
  while (factor < x.factors.size() &&
         context.atoms[x.factors[factor].atom].kind != Atom::Kind::Variable)
    ++factor;
  if (factor == x.factors.size()) {
    SmallVector<ExprIndex> left;
    for (ExprIndex index : x.bound)
      if (!findImage(map, index))
        left.push_back(index);
    for (ExprIndex index : x.free)
      if (!findImage(map, index))
        left.push_back(index);
    return placeIndices(x, whole, mayBind, left, map, then);
  }
  const Atom &atom = context.atoms[x.factors[factor].atom];
  for (const auto &other : whole.factors) {
    const Atom &to = context.atoms[other.atom];
    if (to.kind != Atom::Kind::Variable || to.symbol != atom.symbol ||
        other.power < x.factors[factor].power)
      continue;
    const size_t before = map.size();
    bool isSame = true;
    for (auto [a, b] : llvm::zip_equal(atom.indices, to.indices))
      isSame = isSame && bind(x, whole, mayBind, a, b, map);
    if (isSame && placeFactors(x, whole, mayBind, factor + 1, map, then))
      return true;
    map.truncate(before);
  }
  return false;
}

/// Those that no variable of the product itself has.
bool IndexedOracle::placeIndices(const Monomial &x, const Monomial &whole,
                                 bool mayBind, ArrayRef<ExprIndex> left,
                                 IndexMap &map, Then then) {
  if (++steps > kMostSteps)
    return true;
  if (left.empty())
    return fits(x, whole, map) && then(map);
  auto tryAll = [&](ArrayRef<ExprIndex> to) {
    for (ExprIndex index : to) {
      const size_t before = map.size();
      if (bind(x, whole, mayBind, left[0], index, map) && map.size() > before &&
          placeIndices(x, whole, mayBind, left.drop_front(), map, then))
        return true;
      map.truncate(before);
    }
    return false;
  };
  return tryAll(whole.bound) || tryAll(whole.free);
}

/// Whether a product of which all indices have places divides another one, as
/// far as one can tell, and what it sums over is in nothing that is left.
bool IndexedOracle::fits(const Monomial &x, const Monomial &whole,
                         const IndexMap &map) {
  SmallVector<uint32_t> left;
  for (const auto &factor : whole.factors)
    left.push_back(factor.power);
  for (const auto &factor : x.factors) {
    const uint32_t atom = context.renameAtom(factor.atom, map);
    if (atom == 0)
      return true;
    auto to = llvm::find_if(whole.factors,
                            [&](const auto &f) { return f.atom == atom; });
    if (to == whole.factors.end() || to->power < factor.power)
      return false;
    left[to - whole.factors.begin()] -= factor.power;
  }
  SmallVector<ExprIndex> closed;
  for (ExprIndex index : x.bound)
    closed.push_back(*findImage(map, index));
  auto isClosed = [&](ArrayRef<ExprIndex> rest) {
    return llvm::none_of(
        rest, [&](ExprIndex i) { return llvm::is_contained(closed, i); });
  };
  for (auto [factor, power] : llvm::zip_equal(whole.factors, left))
    if (power > 0 && !isClosed(context.atoms[factor.atom].free))
      return false;
  if (x.exponent) {
    const IndexedExpr exponent = context.rename(x.exponent, map);
    if (!exponent)
      return true;
    const auto &terms = context.get(exponent).terms;
    for (const auto &term : context.get(whole.exponent).terms) {
      auto same = llvm::find_if(
          terms, [&](const auto &t) { return t.monomial == term.monomial; });
      const uint32_t taken = same == terms.end() ? 0 : same->count;
      if (taken > term.count ||
          (taken < term.count &&
           !isClosed(context.getMonomial(term.monomial).free)))
        return false;
    }
    for (const auto &term : terms)
      if (llvm::none_of(context.get(whole.exponent).terms, [&](const auto &t) {
            return t.monomial == term.monomial;
          }))
        return false;
  } else if (whole.exponent && !isClosed(context.getFree(whole.exponent))) {
    return false;
  }
  auto leaves = [&](IndexedExpr part, IndexedExpr all) {
    if (!part)
      return !all || isClosed(context.getFree(all));
    return mayDivide(part, all, map);
  };
  return leaves(x.radicand, whole.radicand) && leaves(x.divisor, whole.divisor);
}

/// Whether each product in one polynomial divides one in another, as it does
/// where the whole polynomial divides it.
bool IndexedOracle::mayDivide(IndexedExpr x, IndexedExpr whole,
                              const IndexMap &map) {
  if (context.rename(x, map) == whole)
    return true;
  return llvm::all_of(context.get(x).terms, [&](const auto &term) {
    const Monomial &monomial = context.getMonomial(term.monomial);
    // What it binds has names of its own.
    IndexMap free;
    for (auto &[from, to] : map)
      if (llvm::is_contained(monomial.free, from))
        free.push_back({from, to});
    return llvm::any_of(context.get(whole).terms, [&](const auto &other) {
      return place(monomial, context.getMonomial(other.monomial), false, free,
                   [](const IndexMap &) { return true; });
    });
  });
}
