//===- NormalForms.h - The semiring of abstract expressions ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hash-consed polynomials with positive integer coefficients. Everything is
// named by an index into a table; index 0 means that there is none: a limit was
// exceeded, or a division has no result.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ABSTRACTEXPR_NORMALFORMS_H
#define MIRAGE_LIB_ABSTRACTEXPR_NORMALFORMS_H

#include "Mirage/AbstractExpr/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"

#include <unordered_map>
#include <vector>

namespace mirage::detail {

using AtomId = uint32_t;
using MonomialId = uint32_t;
using PolynomialId = uint32_t;

/// What no axiom looks into: a variable, a constant, or a function of
/// polynomials.
struct Atom {
  enum class Kind { Variable, Constant, Function };

  Kind kind = Kind::Variable;
  llvm::StringRef name;
  /// A constant's bits.
  uint64_t bits = 0;
  llvm::ArrayRef<PolynomialId> operands;
  unsigned depth = 0;

  bool operator==(const Atom &other) const {
    return kind == other.kind && name == other.name && bits == other.bits &&
           operands == other.operands;
  }
  Atom copyInto(llvm::BumpPtrAllocator &arena) const;
};

/// An atom to a power of at least 1.
struct Factor {
  AtomId atom;
  int64_t power;

  bool operator==(const Factor &other) const {
    return atom == other.atom && power == other.power;
  }
};

/// S_scale * factors * exp(exponent) * sqrt(radicand) * inv(divisor). An absent
/// part is the one that changes nothing: the polynomial zero as exponent, one
/// as radicand or divisor.
struct Monomial {
  int64_t scale;
  /// Sorted by atom.
  llvm::ArrayRef<Factor> factors;
  PolynomialId exponent, radicand, divisor;
  unsigned depth = 0;

  bool operator==(const Monomial &other) const {
    return scale == other.scale && exponent == other.exponent &&
           radicand == other.radicand && divisor == other.divisor &&
           factors == other.factors;
  }
  Monomial copyInto(llvm::BumpPtrAllocator &arena) const;
};

/// A monomial that occurs `count` >= 1 times.
struct Term {
  MonomialId monomial;
  int64_t count;

  bool operator==(const Term &other) const {
    return monomial == other.monomial && count == other.count;
  }
};

/// A multiset of monomials, the greatest first (see
/// NormalForms::compareMonomials).
struct Polynomial {
  llvm::ArrayRef<Term> terms;
  /// Whether some term writes it: each monomial has a factor other than a scale
  /// or an inv, since there is no constant 1.
  bool isExpression = false;
  unsigned depth = 0;

  bool operator==(const Polynomial &other) const {
    return terms == other.terms;
  }
  Polynomial copyInto(llvm::BumpPtrAllocator &arena) const;
};

llvm::hash_code hash_value(const Atom &atom);
llvm::hash_code hash_value(const Factor &factor);
llvm::hash_code hash_value(const Monomial &monomial);
llvm::hash_code hash_value(const Term &term);
llvm::hash_code hash_value(const Polynomial &polynomial);

/// Keeps one copy of each node and numbers them from 1.
template <typename Node> class InternTable {
public:
  InternTable() : nodes(1, nullptr) {}

  const Node &operator[](uint32_t id) const { return *nodes[id]; }
  size_t size() const { return nodes.size() - 1; }

  uint32_t intern(const Node &node, llvm::BumpPtrAllocator &arena) {
    auto found = ids.find(&node);
    if (found != ids.end())
      return found->second;
    const Node *stored =
        new (arena.Allocate<Node>()) Node(node.copyInto(arena));
    nodes.push_back(stored);
    uint32_t id = nodes.size() - 1;
    ids.try_emplace(stored, id);
    return id;
  }

private:
  /// Hashes and compares what a key points to.
  struct ContentInfo {
    using Base = llvm::DenseMapInfo<const Node *>;
    static const Node *getEmptyKey() { return Base::getEmptyKey(); }
    static const Node *getTombstoneKey() { return Base::getTombstoneKey(); }
    static unsigned getHashValue(const Node *node) { return hash_value(*node); }
    static bool isEqual(const Node *a, const Node *b) {
      if (a == b)
        return true;
      auto isSpecial = [](const Node *node) {
        return node == getEmptyKey() || node == getTombstoneKey();
      };
      return !isSpecial(a) && !isSpecial(b) && *a == *b;
    }
  };

  std::vector<const Node *> nodes;
  llvm::DenseMap<const Node *, uint32_t, ContentInfo> ids;
};

/// The tables and the algebra. Operands must not be 0 unless a comment says so;
/// results are 0 beyond the limits.
class NormalForms {
public:
  /// The empty polynomial, and the one whose only monomial has no part. Neither
  /// is an expression.
  static constexpr PolynomialId zero = 1, one = 2;

  explicit NormalForms(ExprLimits limits);

  PolynomialId makeAtom(Atom atom);
  PolynomialId add(PolynomialId p, PolynomialId q);
  PolynomialId multiply(PolynomialId p, PolynomialId q);
  PolynomialId scale(int64_t k, PolynomialId p);
  PolynomialId makeExp(PolynomialId p) {
    return makePolynomial(makeMonomial(1, {}, p, one, one));
  }
  PolynomialId makeSqrt(PolynomialId p) {
    return makePolynomial(makeMonomial(1, {}, zero, p, one));
  }
  PolynomialId makeInv(PolynomialId p) {
    return makePolynomial(makeMonomial(1, {}, zero, one, p));
  }

  /// The polynomial r with q * r = p, or 0.
  PolynomialId divide(PolynomialId p, PolynomialId q);

  /// Whether x is a subexpression of y; counts the query.
  bool isSubexpression(PolynomialId x, PolynomialId y);

  /// A necessary condition for all `parts` to be subterms, at disjoint places, of
  /// one term equal to y: see ExprContext::canOccurTogether.
  bool canOccurTogether(llvm::ArrayRef<PolynomialId> parts, PolynomialId y);

  void print(llvm::raw_ostream &os, PolynomialId p) const;

  ExprStatistics getStatistics() const;
  /// Counts a query that was answered without a look at the tables.
  void countTrivialQuery() { ++numQueries, ++numMemoHits; }

private:
  using IdPair = std::pair<uint32_t, uint32_t>;
  using Terms = llvm::SmallVector<Term, 8>;

  /// The monomial, or 0 when an operand is 0 or it nests too deep.
  MonomialId makeMonomial(int64_t scale, llvm::ArrayRef<Factor> factors,
                          PolynomialId exponent, PolynomialId radicand,
                          PolynomialId divisor);
  /// The polynomial of one monomial, which may be 0.
  PolynomialId makePolynomial(MonomialId monomial);
  /// `terms` must be sorted, the greatest first.
  PolynomialId makePolynomial(llvm::ArrayRef<Term> terms);

  /// Three-way comparison in a total order that multiplication keeps: a < b
  /// implies a * c < b * c. For polynomials addition keeps it as well. The
  /// greatest monomial of a product is therefore the product of the greatest
  /// ones.
  int compareMonomials(MonomialId a, MonomialId b) const;
  int comparePolynomials(PolynomialId p, PolynomialId q) const;

  MonomialId multiplyMonomials(MonomialId a, MonomialId b);
  /// The monomial m with b * m = a, or 0.
  MonomialId divideMonomials(MonomialId a, MonomialId b);
  PolynomialId computeProduct(PolynomialId p, PolynomialId q);
  PolynomialId computeQuotient(PolynomialId p, PolynomialId q);
  /// Subtracts times * p * m from `from`; false, with `from` in an unspecified
  /// state, when it isn't contained in it.
  bool subtractMultiple(Terms &from, PolynomialId p, MonomialId m,
                        int64_t times);

  bool isSubexpressionMemoized(PolynomialId x, PolynomialId y);
  bool computeSubexpression(PolynomialId x, PolynomialId y);
  /// Whether some monomial m makes x * m a part of y.
  bool hasMultipleIn(PolynomialId x, PolynomialId y);
  /// Whether m * x is a sub-multiset of y.
  bool isMultipleContained(PolynomialId x, MonomialId m, PolynomialId y);

  /// One occurrence of a monomial of y, what is left of it when the parts placed
  /// in it are divided out, and the parts placed under its functions.
  struct Occurrence {
    MonomialId rest;
    llvm::SmallVector<PolynomialId, 4> nested;
  };
  bool placeParts(llvm::ArrayRef<PolynomialId> parts,
                  llvm::MutableArrayRef<Occurrence> occurrences);
  bool placeNested(llvm::ArrayRef<PolynomialId> parts, MonomialId monomial);

  void printFactors(llvm::raw_ostream &os, const Monomial &monomial) const;
  void printMonomial(llvm::raw_ostream &os, const Monomial &monomial) const;

  ExprLimits limits;
  llvm::BumpPtrAllocator arena;
  InternTable<Atom> atoms;
  InternTable<Monomial> monomials;
  InternTable<Polynomial> polynomials;

  llvm::DenseMap<IdPair, PolynomialId> sums, products, quotients;
  llvm::DenseMap<IdPair, bool> subexpressions;
  struct HashIds {
    size_t operator()(const std::vector<uint32_t> &ids) const {
      return llvm::hash_combine_range(ids.begin(), ids.end());
    }
  };
  /// The parts, sorted, and y last.
  std::unordered_map<std::vector<uint32_t>, bool, HashIds> togethers;
  size_t numQueries = 0, numMemoHits = 0;
};

} // namespace mirage::detail

#endif // MIRAGE_LIB_ABSTRACTEXPR_NORMALFORMS_H
