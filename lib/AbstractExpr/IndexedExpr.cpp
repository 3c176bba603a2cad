//===- IndexedExpr.cpp - Abstract expressions with indices ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/AbstractExpr/IndexedExpr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <optional>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Fewer than in abstract expressions (ExprLimits): a question is whether each
/// of so many has a place, and the functions of sums nest. More take memory and
/// time; those that the rule gains most for have fewer.
static constexpr size_t kMostTerms = 32;
static constexpr unsigned kMostDepth = 128;
/// How often something is added, or multiplied.
static constexpr uint64_t kMostCount = 1 << 30;
/// Ways to name bound indices that are tried.
static constexpr size_t kMostOrders = 720;
/// Names for what is about to be renamed.
static constexpr uint16_t kTemporary = 1 << 10;

static ExprIndex getImage(const IndexMap &map, ExprIndex index) {
  for (auto &[from, to] : map)
    if (from == index)
      return to;
  return index;
}

template <typename List> static void sortUnique(List &list) {
  llvm::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

std::pair<uint32_t, bool>
IndexedExprContext::WordLists::add(ArrayRef<uint32_t> words) {
  if (auto known = numbers.find(words); known != numbers.end())
    return {known->second, false};
  const uint32_t number = numbers.size() + 1;
  numbers[words.copy(allocator)] = number;
  return {number, true};
}

uint64_t IndexedExprContext::getSymbol(llvm::StringRef name) {
  const uint64_t symbol = llvm::xxh3_64bits(name);
  names.try_emplace(symbol, name.str());
  return symbol;
}

static uint64_t hashWords(ArrayRef<uint64_t> words) {
  return llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(words.data()),
               words.size() * sizeof(uint64_t)));
}

uint32_t IndexedExprContext::addAtom(Atom atom) {
  SmallVector<uint32_t> words = {static_cast<uint32_t>(atom.kind),
                                 static_cast<uint32_t>(atom.symbol),
                                 static_cast<uint32_t>(atom.symbol >> 32),
                                 static_cast<uint32_t>(atom.operands.size())};
  llvm::append_range(words, atom.operands);
  for (ExprIndex index : atom.indices)
    words.push_back(index.getWord());
  auto [number, isNew] = atomNumbers.add(words);
  if (!isNew)
    return number;
  const bool binds = atom.kind == Atom::Kind::Maximum;
  for (IndexedExpr operand : atom.operands)
    for (ExprIndex index : get(operand).free)
      if (!binds || !llvm::is_contained(atom.indices, index))
        atom.free.push_back(index);
  if (!binds)
    atom.free.append(atom.indices.begin(), atom.indices.end());
  sortUnique(atom.free);
  SmallVector<uint64_t> hashed = {static_cast<uint64_t>(atom.kind), atom.symbol,
                                  atom.operands.size()};
  for (IndexedExpr operand : atom.operands)
    hashed.push_back(get(operand).hash);
  for (ExprIndex index : atom.indices)
    hashed.push_back(index.getWord());
  atom.hash = hashWords(hashed);
  atoms.push_back(std::move(atom));
  return number;
}

/// Of all that a monomial multiplies, bound ones as well.
IndexedExprContext::Indices
IndexedExprContext::getBodyIndices(const Monomial &monomial) const {
  Indices indices;
  for (const Factor &factor : monomial.factors)
    llvm::append_range(indices, atoms[factor.atom].free);
  for (IndexedExpr nested :
       {monomial.exponent, monomial.radicand, monomial.divisor})
    llvm::append_range(indices, get(nested).free);
  sortUnique(indices);
  return indices;
}

ExprIndex IndexedExprContext::getUnused(uint16_t role, uint16_t from,
                                        ArrayRef<ExprIndex> used) {
  ExprIndex index{role, from};
  while (llvm::is_contained(used, index))
    ++index.instance;
  return index;
}

/// What tells bound indices apart whatever their names are, for the most part.
SmallVector<uint32_t> IndexedExprContext::getSignature(const Monomial &monomial,
                                                       ExprIndex index) const {
  SmallVector<SmallVector<uint32_t>> uses;
  for (const Factor &factor : monomial.factors) {
    const Atom &atom = atoms[factor.atom];
    if (!llvm::is_contained(atom.free, index))
      continue;
    auto &use = uses.emplace_back();
    use = {static_cast<uint32_t>(atom.kind), static_cast<uint32_t>(atom.symbol),
           factor.power};
    if (atom.kind == Atom::Kind::Variable)
      for (ExprIndex other : atom.indices) {
        // Indices that are not bound have one name in all.
        const bool isBound = llvm::is_contained(monomial.bound, other);
        use.push_back(other == index ? 0 : isBound ? 1 : other.getWord() + 2);
      }
  }
  llvm::sort(uses);
  SmallVector<uint32_t> signature;
  for (auto &use : uses) {
    signature.push_back(use.size());
    llvm::append_range(signature, use);
  }
  for (IndexedExpr nested :
       {monomial.exponent, monomial.radicand, monomial.divisor})
    signature.push_back(llvm::is_contained(get(nested).free, index));
  return signature;
}

/// Calls `visit` with all orders of some things in which those of a run stay in
/// its places, until it is false. `isOneRun`: whether one is in the run of that
/// before it. Returns whether all were visited: not if there are too many.
static bool
permuteWithinRuns(size_t count, llvm::function_ref<bool(size_t)> isOneRun,
                  llvm::function_ref<bool(ArrayRef<unsigned>)> visit) {
  SmallVector<unsigned> order;
  size_t orders = 1, run = 1;
  for (size_t i = 0; i < count; ++i) {
    order.push_back(i);
    run = i > 0 && isOneRun(i) ? run + 1 : 1;
    orders *= run;
    if (orders > kMostOrders)
      return false;
  }
  auto permute = [&](auto &self, size_t begin) -> bool {
    if (begin == count)
      return visit(order);
    size_t end = begin + 1;
    while (end < count && isOneRun(end))
      ++end;
    // Each begins, and ends, in increasing order.
    do {
      if (!self(self, end))
        return false;
    } while (std::next_permutation(order.begin() + begin, order.begin() + end));
    return true;
  };
  return permute(permute, 0);
}

SmallVector<uint64_t> IndexedExprContext::getWords(const Monomial &monomial,
                                                   bool byHash) const {
  SmallVector<uint64_t> words;
  for (IndexedExpr nested :
       {monomial.exponent, monomial.radicand, monomial.divisor})
    words.push_back(byHash ? get(nested).hash : nested);
  words.push_back(monomial.bound.size());
  for (ExprIndex index : monomial.bound)
    words.push_back(index.getWord());
  for (const Factor &factor : monomial.factors) {
    words.push_back(byHash ? atoms[factor.atom].hash : factor.atom);
    words.push_back(factor.power);
  }
  return words;
}

void IndexedExprContext::sortFactors(Monomial &monomial) const {
  llvm::sort(monomial.factors, [&](const Factor &a, const Factor &b) {
    return std::tie(atoms[a.atom].hash, a.atom) <
           std::tie(atoms[b.atom].hash, b.atom);
  });
}

uint32_t IndexedExprContext::addMonomial(Monomial monomial) {
  const Indices body = getBodyIndices(monomial);
  monomial.free.clear();
  for (ExprIndex index : body)
    if (!llvm::is_contained(monomial.bound, index))
      monomial.free.push_back(index);

  auto take = [&](Monomial &&named) {
    SmallVector<uint32_t> words;
    for (uint64_t word : getWords(named, /*byHash=*/false))
      words.push_back(word);
    auto [number, isNew] = monomialNumbers.add(words);
    if (isNew) {
      named.hash = hashWords(getWords(named, /*byHash=*/true));
      monomials.push_back(std::move(named));
    }
    return number;
  };
  if (monomial.bound.empty()) {
    sortFactors(monomial);
    return take(std::move(monomial));
  }

  // By role, then by what they are indices of: only what is alike there is
  // tried in every order.
  struct Bound {
    ExprIndex index;
    SmallVector<uint32_t> signature;
  };
  std::vector<Bound> bound;
  for (ExprIndex index : monomial.bound)
    bound.push_back({index, getSignature(monomial, index)});
  auto isAlike = [](const Bound &a, const Bound &b) {
    return a.index.role == b.index.role && a.signature == b.signature;
  };
  llvm::sort(bound, [](const Bound &a, const Bound &b) {
    return std::tie(a.index.role, a.signature, a.index) <
           std::tie(b.index.role, b.signature, b.index);
  });
  SmallVector<ExprIndex, 4> names;
  Indices used(monomial.free.begin(), monomial.free.end());
  for (const Bound &b : bound) {
    names.push_back(getUnused(b.index.role, 0, used));
    used.push_back(names.back());
  }
  std::optional<Monomial> least;
  SmallVector<uint64_t> leastWords;
  auto tryOrder = [&](ArrayRef<unsigned> order) {
    IndexMap map;
    for (auto [i, b] : llvm::enumerate(order))
      map.push_back({bound[b].index, names[i]});
    Monomial named = monomial;
    named.bound = names;
    if (!renameBody(named, map))
      return false;
    sortFactors(named);
    SmallVector<uint64_t> words = getWords(named, /*byHash=*/true);
    if (!least || words < leastWords) {
      least = std::move(named);
      leastWords = std::move(words);
    }
    return true;
  };
  // Those that nothing has are all the same.
  auto isOneRun = [&](size_t i) {
    return isAlike(bound[i - 1], bound[i]) &&
           llvm::is_contained(body, bound[i].index);
  };
  if (!permuteWithinRuns(bound.size(), isOneRun, tryOrder))
    return 0;
  return take(std::move(*least));
}

IndexedExpr IndexedExprContext::addPolynomial(ArrayRef<Term> given) {
  std::map<uint32_t, uint64_t> counts;
  for (const Term &term : given) {
    if (term.monomial == 0)
      return 0;
    if ((counts[term.monomial] += term.count) > kMostCount)
      return 0;
  }
  if (counts.size() > kMostTerms)
    return 0;
  unsigned depth = 0;
  uint64_t boundRoles = 0;
  auto nest = [&](IndexedExpr nested) {
    if (!nested)
      return;
    depth = std::max(depth, get(nested).depth + 1);
    boundRoles |= get(nested).boundRoles;
  };
  SmallVector<uint32_t> words;
  for (auto &[number, count] : counts) {
    const Monomial &monomial = getMonomial(number);
    for (ExprIndex index : monomial.bound)
      boundRoles |= uint64_t(1) << index.role;
    for (const Factor &factor : monomial.factors)
      llvm::for_each(atoms[factor.atom].operands, nest);
    nest(monomial.exponent);
    nest(monomial.radicand);
    nest(monomial.divisor);
    words.push_back(number);
    words.push_back(count);
  }
  if (depth > kMostDepth)
    return 0;
  auto [number, isNew] = polynomialNumbers.add(words);
  if (isNew) {
    Polynomial &polynomial = polynomials.emplace_back();
    polynomial.depth = depth;
    polynomial.boundRoles = boundRoles;
    for (auto &[monomial, count] : counts) {
      polynomial.terms.push_back({monomial, static_cast<uint32_t>(count)});
      llvm::append_range(polynomial.free, getMonomial(monomial).free);
    }
    sortUnique(polynomial.free);
    llvm::sort(polynomial.terms, [&](const Term &a, const Term &b) {
      return std::tie(getMonomial(a.monomial).hash, a.monomial) <
             std::tie(getMonomial(b.monomial).hash, b.monomial);
    });
    SmallVector<uint64_t> hashed;
    for (const Term &term : polynomial.terms) {
      hashed.push_back(getMonomial(term.monomial).hash);
      hashed.push_back(term.count);
    }
    polynomial.hash = hashWords(hashed);
  }
  return number;
}

IndexedExpr IndexedExprContext::getPolynomial(Monomial monomial) {
  return addPolynomial(Term{addMonomial(std::move(monomial)), 1});
}

IndexedExpr IndexedExprContext::getAtom(Atom atom) {
  Monomial monomial;
  monomial.factors.push_back({addAtom(std::move(atom)), 1});
  return getPolynomial(std::move(monomial));
}

uint32_t IndexedExprContext::renameAtom(uint32_t number, const IndexMap &map) {
  const Atom &atom = atoms[number];
  if (llvm::none_of(atom.free, [&](ExprIndex index) {
        return getImage(map, index) != index;
      }))
    return number;
  Atom renamed = atom;
  renamed.free.clear();
  if (atom.kind == Atom::Kind::Variable) {
    for (ExprIndex &index : renamed.indices)
      index = getImage(map, index);
    return addAtom(std::move(renamed));
  }
  if (atom.kind == Atom::Kind::Maximum) {
    // What it binds is named anew.
    IndexMap all;
    Indices used;
    for (ExprIndex index : atom.free) {
      all.push_back({index, getImage(map, index)});
      used.push_back(all.back().second);
      used.push_back(index);
    }
    for (ExprIndex index : atom.indices) {
      all.push_back({index, getUnused(index.role, kTemporary, used)});
      used.push_back(all.back().second);
    }
    SmallVector<ExprIndex, 4> bound;
    for (ExprIndex index : atom.indices)
      bound.push_back(getImage(all, index));
    IndexedExpr result = max(rename(atom.operands[0], all), bound);
    return result ? getMonomial(get(result).terms[0].monomial).factors[0].atom
                  : 0;
  }
  for (IndexedExpr &operand : renamed.operands)
    if (!(operand = rename(operand, map)))
      return 0;
  return addAtom(std::move(renamed));
}

/// False: unknown.
bool IndexedExprContext::renameBody(Monomial &monomial, const IndexMap &map) {
  for (Factor &factor : monomial.factors)
    if (!(factor.atom = renameAtom(factor.atom, map)))
      return false;
  for (IndexedExpr *nested :
       {&monomial.exponent, &monomial.radicand, &monomial.divisor})
    if (*nested && !(*nested = rename(*nested, map)))
      return false;
  return true;
}

bool IndexedExprContext::setApart(Monomial &monomial,
                                  ArrayRef<ExprIndex> avoid) {
  if (monomial.bound.empty())
    return true;
  Indices used = getBodyIndices(monomial);
  llvm::append_range(used, avoid);
  llvm::append_range(used, monomial.bound);
  IndexMap map;
  for (ExprIndex &index : monomial.bound) {
    ExprIndex apart = getUnused(index.role, kTemporary, used);
    used.push_back(apart);
    map.push_back({index, apart});
    index = apart;
  }
  return renameBody(monomial, map);
}

IndexedExpr IndexedExprContext::rename(IndexedExpr x, const IndexMap &map) {
  IndexMap changes;
  for (ExprIndex index : getFree(x))
    if (ExprIndex to = getImage(map, index); to != index)
      changes.push_back({index, to});
  if (x == 0 || changes.empty())
    return x;
  SmallVector<uint32_t> call = {x};
  for (auto &[from, to] : changes) {
    call.push_back(from.getWord());
    call.push_back(to.getWord());
  }
  const auto [number, isNew] = callNumbers.add(call);
  if (!isNew)
    return results[number];
  results.push_back(0);
  // What is bound meanwhile has the name of none.
  Indices renamed;
  for (auto &[from, to] : changes)
    renamed.append({from, to});
  SmallVector<Term> terms;
  for (Term term : get(x).terms) {
    Monomial monomial = getMonomial(term.monomial);
    if (!setApart(monomial, renamed) || !renameBody(monomial, changes))
      return 0;
    terms.push_back({addMonomial(std::move(monomial)), term.count});
  }
  return results[number] = addPolynomial(terms);
}

IndexedExpr IndexedExprContext::variable(llvm::StringRef name,
                                         ArrayRef<ExprIndex> indices) {
  Atom atom;
  atom.kind = Atom::Kind::Variable;
  atom.symbol = getSymbol(name);
  atom.indices.assign(indices.begin(), indices.end());
  return getAtom(std::move(atom));
}

IndexedExpr IndexedExprContext::constant(double value) {
  Atom atom;
  atom.kind = Atom::Kind::Constant;
  atom.symbol = llvm::bit_cast<uint64_t>(value);
  return getAtom(std::move(atom));
}

IndexedExpr IndexedExprContext::add(IndexedExpr x, IndexedExpr y) {
  if (!x || !y)
    return 0;
  SmallVector<Term> terms(get(x).terms.begin(), get(x).terms.end());
  llvm::append_range(terms, get(y).terms);
  return addPolynomial(terms);
}

/// The product of two monomials; 0: unknown.
uint32_t IndexedExprContext::multiply(uint32_t a, uint32_t b) {
  Monomial x = getMonomial(a), y = getMonomial(b);
  if (!setApart(x, getBodyIndices(y)))
    return 0;
  Indices used = getBodyIndices(x);
  llvm::append_range(used, x.bound);
  if (!setApart(y, used))
    return 0;
  x.bound.append(y.bound.begin(), y.bound.end());
  for (const Factor &factor : y.factors) {
    auto same = llvm::find_if(
        x.factors, [&](const Factor &f) { return f.atom == factor.atom; });
    if (same == x.factors.end())
      x.factors.push_back(factor);
    else if ((same->power += factor.power) > kMostCount)
      return 0;
  }
  auto join = [&](IndexedExpr &p, IndexedExpr q, bool adds) {
    if (p && q)
      p = adds ? add(p, q) : mul(p, q);
    else
      return (p |= q, true);
    return p != 0;
  };
  if (!join(x.exponent, y.exponent, true) ||
      !join(x.radicand, y.radicand, false) ||
      !join(x.divisor, y.divisor, false))
    return 0;
  return addMonomial(std::move(x));
}

IndexedExpr IndexedExprContext::mul(IndexedExpr x, IndexedExpr y) {
  if (!x || !y)
    return 0;
  const auto [number, isNew] =
      callNumbers.add({std::min(x, y), std::max(x, y), 0, 0});
  if (!isNew)
    return results[number];
  results.push_back(0);
  SmallVector<Term> terms;
  if (get(x).terms.size() * get(y).terms.size() > 4 * kMostTerms)
    return 0;
  for (size_t i = 0; i < get(x).terms.size(); ++i)
    for (size_t j = 0; j < get(y).terms.size(); ++j) {
      const Term a = get(x).terms[i], b = get(y).terms[j];
      const uint64_t count = uint64_t(a.count) * b.count;
      if (count > kMostCount)
        return 0;
      terms.push_back(
          {multiply(a.monomial, b.monomial), static_cast<uint32_t>(count)});
      if (terms.back().monomial == 0)
        return 0;
    }
  return results[number] = addPolynomial(terms);
}

IndexedExpr IndexedExprContext::div(IndexedExpr x, IndexedExpr y) {
  return mul(x, nest(&Monomial::divisor, y));
}

/// Of nothing but a part.
IndexedExpr IndexedExprContext::nest(IndexedExpr Monomial::*part,
                                     IndexedExpr x) {
  if (!x)
    return 0;
  Monomial monomial;
  monomial.*part = x;
  return getPolynomial(std::move(monomial));
}

IndexedExpr IndexedExprContext::exp(IndexedExpr x) {
  return nest(&Monomial::exponent, x);
}

IndexedExpr IndexedExprContext::sqrt(IndexedExpr x) {
  return nest(&Monomial::radicand, x);
}

IndexedExpr IndexedExprContext::apply(llvm::StringRef function,
                                      ArrayRef<IndexedExpr> operands) {
  if (llvm::is_contained(operands, 0u))
    return 0;
  Atom atom;
  atom.kind = Atom::Kind::Function;
  atom.symbol = getSymbol(function);
  atom.operands.assign(operands.begin(), operands.end());
  return getAtom(std::move(atom));
}

IndexedExpr IndexedExprContext::sum(IndexedExpr x, ArrayRef<ExprIndex> over) {
  if (!x)
    return 0;
  SmallVector<Term> terms;
  for (size_t i = 0; i < get(x).terms.size(); ++i) {
    const Term term = get(x).terms[i];
    Monomial monomial = getMonomial(term.monomial);
    if (!setApart(monomial, over))
      return 0;
    monomial.bound.append(over.begin(), over.end());
    terms.push_back({addMonomial(std::move(monomial)), term.count});
  }
  return addPolynomial(terms);
}

/// The maximum of maxima is one over the indices of both.
IndexedExpr IndexedExprContext::max(IndexedExpr x, ArrayRef<ExprIndex> over) {
  if (!x)
    return 0;
  SmallVector<ExprIndex, 4> bound;
  for (ExprIndex index : over)
    if (llvm::is_contained(get(x).free, index))
      bound.push_back(index);
  if (get(x).terms.size() == 1 && get(x).terms[0].count == 1) {
    const Monomial &only = getMonomial(get(x).terms[0].monomial);
    if (only.bound.empty() && only.factors.size() == 1 &&
        only.factors[0].power == 1 && !only.exponent && !only.radicand &&
        !only.divisor &&
        atoms[only.factors[0].atom].kind == Atom::Kind::Maximum) {
      const Atom &inner = atoms[only.factors[0].atom];
      // No name that it binds is one of what it has.
      IndexMap map;
      Indices used(bound.begin(), bound.end());
      llvm::append_range(used, inner.free);
      for (ExprIndex index : inner.indices) {
        map.push_back({index, getUnused(index.role, 2 * kTemporary, used)});
        used.push_back(map.back().second);
        bound.push_back(map.back().second);
      }
      x = rename(inner.operands[0], map);
      if (!x)
        return 0;
    }
  }
  // As many names as there are free ones before.
  llvm::sort(bound);
  Indices used;
  for (ExprIndex index : get(x).free)
    if (!llvm::is_contained(bound, index))
      used.push_back(index);
  SmallVector<ExprIndex, 4> names;
  for (ExprIndex index : bound) {
    names.push_back(getUnused(index.role, 0, used));
    used.push_back(names.back());
  }
  IndexedExpr least = 0;
  auto isOneRole = [&](size_t i) { return bound[i - 1].role == bound[i].role; };
  auto tryOrder = [&](ArrayRef<unsigned> order) {
    IndexMap map;
    for (auto [b, name] : llvm::zip_equal(order, names))
      map.push_back({bound[b], name});
    IndexedExpr named = rename(x, map);
    if (least == 0 || getHash(named) < getHash(least))
      least = named;
    return named != 0;
  };
  if (!permuteWithinRuns(bound.size(), isOneRole, tryOrder))
    return 0;
  Atom atom;
  atom.kind = Atom::Kind::Maximum;
  atom.indices = names;
  atom.operands = {least};
  return getAtom(std::move(atom));
}

std::optional<IndexedExpr>
IndexedExprContext::complete(IndexedExpr x, uint16_t role, bool all) {
  const uint16_t part = role + ExprIndex::kParts;
  if (!x)
    return 0;
  if (!all && !(get(x).boundRoles >> part & 1))
    return x;
  SmallVector<Term> terms;
  for (size_t i = 0; i < get(x).terms.size(); ++i) {
    const Term term = get(x).terms[i];
    Monomial monomial = getMonomial(term.monomial);
    auto hasParts = [&](IndexedExpr nested) {
      return get(nested).boundRoles >> part & 1;
    };
    if (hasParts(monomial.exponent) || hasParts(monomial.radicand) ||
        hasParts(monomial.divisor) ||
        llvm::any_of(monomial.factors, [&](const Factor &factor) {
          return llvm::any_of(atoms[factor.atom].operands, hasParts);
        }))
      return std::nullopt;
    if (!setApart(monomial, {}))
      return 0;
    unsigned count = 0;
    for (ExprIndex index : monomial.bound)
      count += index.role == part;
    if (count > 1 || (all && count == 0))
      return std::nullopt;
    for (ExprIndex &index : monomial.bound)
      if (index.role == part) {
        Indices used = getBodyIndices(monomial);
        llvm::append_range(used, monomial.bound);
        const ExprIndex from = index;
        index = getUnused(role, kTemporary, used);
        if (!renameBody(monomial, IndexMap{{from, index}}))
          return 0;
        break;
      }
    terms.push_back({addMonomial(std::move(monomial)), term.count});
  }
  return addPolynomial(terms);
}

ArrayRef<ExprIndex> IndexedExprContext::getFree(IndexedExpr x) const {
  return get(x).free;
}

void IndexedExprContext::print(llvm::raw_ostream &os, IndexedExpr x) const {
  if (!x) {
    os << "<unknown>";
    return;
  }
  auto printIndices = [&](ArrayRef<ExprIndex> indices) {
    for (auto [i, index] : llvm::enumerate(indices))
      os << (i ? "," : "") << index.role << '.' << index.instance;
  };
  llvm::interleave(
      get(x).terms, os,
      [&](const Term &term) {
        const Monomial &monomial = getMonomial(term.monomial);
        if (term.count > 1)
          os << term.count << ' ';
        if (!monomial.bound.empty()) {
          os << "sum[";
          printIndices(monomial.bound);
          os << "] ";
        }
        const char *sep = "";
        for (const Factor &factor : monomial.factors) {
          const Atom &atom = atoms[factor.atom];
          os << sep;
          sep = "*";
          if (atom.kind == Atom::Kind::Constant)
            os << llvm::bit_cast<double>(atom.symbol);
          else
            os << (atom.kind == Atom::Kind::Maximum ? "max"
                                                    : names.at(atom.symbol));
          if (!atom.indices.empty()) {
            os << '[';
            printIndices(atom.indices);
            os << ']';
          }
          if (!atom.operands.empty()) {
            os << '(';
            llvm::interleave(
                atom.operands, os, [&](IndexedExpr y) { print(os, y); }, ", ");
            os << ')';
          }
          if (factor.power > 1)
            os << '^' << factor.power;
        }
        for (auto [name, nested] : {std::pair("exp", monomial.exponent),
                                    std::pair("sqrt", monomial.radicand),
                                    std::pair("inv", monomial.divisor)})
          if (nested) {
            os << sep << name << '(';
            sep = "*";
            print(os, nested);
            os << ')';
          }
      },
      " + ");
}

std::string IndexedExprContext::print(IndexedExpr x) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, x);
  return text;
}
