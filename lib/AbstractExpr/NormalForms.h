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
#include "llvm/ADT/STLFunctionalExtras.h"
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
  /// A bit for each kind of part that it has, and one of 60 for each atom: a
  /// monomial divides only those that have all of its bits.
  uint64_t bits = 0;

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

/// What rules out most divisions of polynomials at a glance: a product has at
/// least as many monomials as each factor, and its greatest and smallest ones
/// are products of theirs.
struct FactorOutline {
  PolynomialId id = 0;
  uint32_t numTerms = 0;
  uint64_t greatest = 0, smallest = 0;

  bool mayHaveFactor(const FactorOutline &part) const {
    return part.numTerms > 0 && part.numTerms <= numTerms &&
           (greatest & part.greatest) == part.greatest &&
           (smallest & part.smallest) == part.smallest;
  }
};

uint64_t getHash(const Atom &atom);
uint64_t getHash(const Monomial &monomial);
uint64_t getHash(const Polynomial &polynomial);

/// Prints the shortest decimal number that reads back as `value`.
void printConstant(llvm::raw_ostream &os, double value);

/// Keeps one copy of each node and numbers them from 1.
template <typename Node> class InternTable {
public:
  InternTable() : nodes(1, nullptr), slots(1 << 8) {}

  const Node &operator[](uint32_t id) const { return *nodes[id]; }
  size_t size() const { return nodes.size() - 1; }

  /// The number of a node. For one that isn't there yet `complete` is called:
  /// it fills in what follows from the rest, or says that the node is not to
  /// be, and then the number is 0.
  template <typename F>
  uint32_t intern(Node node, llvm::BumpPtrAllocator &arena, F complete) {
    auto hash = static_cast<uint32_t>(getHash(node));
    size_t i = hash & (slots.size() - 1);
    for (; slots[i].id; i = (i + 1) & (slots.size() - 1))
      if (slots[i].hash == hash && *nodes[slots[i].id] == node)
        return slots[i].id;
    if (!complete(node))
      return 0;
    nodes.push_back(new (arena.Allocate<Node>()) Node(node.copyInto(arena)));
    uint32_t id = nodes.size() - 1;
    slots[i] = {hash, id};
    if (2 * nodes.size() > slots.size())
      grow();
    return id;
  }

private:
  struct Slot {
    uint32_t hash = 0, id = 0;
  };

  void grow() {
    std::vector<Slot> old(slots.size() * 2);
    std::swap(old, slots);
    for (const Slot &slot : old) {
      if (!slot.id)
        continue;
      size_t i = slot.hash & (slots.size() - 1);
      while (slots[i].id)
        i = (i + 1) & (slots.size() - 1);
      slots[i] = slot;
    }
  }

  std::vector<const Node *> nodes;
  /// Open addressing; a power of two, at most half of them used.
  std::vector<Slot> slots;
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
  FactorOutline getFactorOutline(PolynomialId p) const;
  /// Whether there is one. Not remembered: for questions that come once.
  bool hasFactor(const FactorOutline &p, const FactorOutline &q);

  /// Whether x is a subexpression of y; counts the query.
  bool isSubexpression(PolynomialId x, PolynomialId y);

  /// A necessary condition for all `parts` to be subterms, at disjoint places,
  /// of one term equal to y: see ExprContext::canOccurTogether.
  bool canOccurTogether(llvm::ArrayRef<PolynomialId> parts, PolynomialId y);

  /// Whether p is `max` of one operand.
  bool isMaximum(PolynomialId p) const;
  static bool isMaximum(const Atom &atom);

  /// An operator on polynomials. A function is an atom, with its operands;
  /// `hole` says which of these is one. Elsewhere a hole is 0.
  struct Operation {
    ExprNode::Kind kind = ExprNode::Kind::Variable;
    PolynomialId a = 0, b = 0;
    int64_t factor = 0;
    AtomId atom = 0;
    unsigned hole = 0;
  };
  /// One operator that makes an expression of others, whose normal forms are
  /// smaller.
  Operation takeApart(PolynomialId p);
  /// Appends the operations that make y of x, which must be a subexpression,
  /// from the inside out.
  void explain(PolynomialId x, PolynomialId y,
               llvm::SmallVectorImpl<Operation> &steps);
  const Atom &getAtom(AtomId atom) const { return atoms[atom]; }

  /// The names of functions and the bits of constants in p, however deep.
  std::vector<std::pair<llvm::StringRef, uint64_t>>
  getFunctions(PolynomialId p) const;
  /// The polynomials and all that are nested in them.
  std::vector<PolynomialId>
  getParts(llvm::ArrayRef<PolynomialId> polynomials) const;
  /// All monomials of polynomials, of what is nested in them, too; calls
  /// `visit` for each.
  void visitMonomials(llvm::ArrayRef<PolynomialId> polynomials,
                      llvm::function_ref<void(MonomialId)> visit) const;

  /// How deep a polynomial nests.
  unsigned getDepth(PolynomialId p) const { return polynomials[p].depth; }
  /// Calls `visit` for each polynomial that is nested in a monomial of p, with
  /// this one's scale, and whether it is what a maximum is taken of.
  void visitNested(
      PolynomialId p,
      llvm::function_ref<void(PolynomialId, int64_t, bool)> visit) const;
  /// Whether there is a monomial m that makes x * m a sub-multiset of y, and
  /// that `accepts` does, which is asked first.
  bool hasMultiple(PolynomialId x, PolynomialId y,
                   llvm::function_ref<bool(const Monomial &)> accepts);
  /// The atom that is all of p, which must be one.
  AtomId getAtomOf(PolynomialId p) const {
    return monomials[polynomials[p].terms.front().monomial]
        .factors.front()
        .atom;
  }

  /// See ExprContext::setFocus.
  void setFocus(llvm::ArrayRef<PolynomialId> targets);
  /// What stands for all that is part of no target; 0: there are none.
  PolynomialId getHopeless() const { return hopeless; }
  /// p * q and p + q, or what stands for all that is part of no target.
  PolynomialId multiplyInFocus(PolynomialId p, PolynomialId q);
  PolynomialId addInFocus(PolynomialId p, PolynomialId q);
  /// Whether a glance says that p + q, p * q, or p * inv(q) is part of no
  /// target: without making anything.
  bool isSumOutOfFocus(PolynomialId p, PolynomialId q) const;
  bool isProductOutOfFocus(PolynomialId p, PolynomialId q) const;
  bool isQuotientOutOfFocus(PolynomialId p, PolynomialId q) const;

  void print(llvm::raw_ostream &os, PolynomialId p) const;

  ExprStatistics getStatistics() const;
  /// Counts a query that was answered without a look at the tables.
  void countTrivialQuery() { ++numQueries, ++numMemoHits; }

private:
  static constexpr uint64_t kDivisorBit = 4;
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
  bool computeQuotient(PolynomialId p, PolynomialId q, Terms &quotient);
  /// Subtracts times * p * m from `from`; false, with `from` in an unspecified
  /// state, when it isn't contained in it.
  bool subtractMultiple(Terms &from, PolynomialId p, MonomialId m,
                        int64_t times);

  bool isSubexpressionMemoized(PolynomialId x, PolynomialId y);
  /// A term of a polynomial, and how many there are from it to the end of this
  /// polynomial.
  struct Candidate {
    uint64_t bits;
    Term term;
    unsigned numLeft;
    PolynomialId part;
    /// Whether a multiple of a monomial of these bits may be this one, followed
    /// by so many less one.
    bool mayHold(uint64_t ofMonomial, size_t count) const {
      return (bits & ofMonomial) == ofMonomial && numLeft >= count;
    }
  };
  /// The terms of polynomials and of all their parts.
  std::vector<Candidate>
  getCandidates(llvm::ArrayRef<PolynomialId> polynomials) const;
  bool computeSubexpression(PolynomialId x, PolynomialId y);
  /// Whether b divides a.
  bool isDivisible(MonomialId a, MonomialId b);
  /// The quotient if it may stand under a sqrt or an inv: one or an expression.
  PolynomialId divideParts(PolynomialId whole, PolynomialId part);
  /// A monomial m that makes x * m a part of y, and that `accepts` does if it
  /// is given; or 0.
  MonomialId findMultiple(PolynomialId x, PolynomialId y,
                          llvm::function_ref<bool(MonomialId)> accepts = {});
  /// Whether m * x is a sub-multiset of y.
  bool isMultipleContained(PolynomialId x, MonomialId m, PolynomialId y);

  /// The polynomial of a monomial without its scale and divisor, maybe `one`.
  PolynomialId getNumerator(const Monomial &monomial);
  /// The operations that multiply by a monomial, and that add what y has more
  /// than `part`.
  void explainProduct(const Monomial &monomial,
                      llvm::SmallVectorImpl<Operation> &steps);
  void explainSum(PolynomialId part, PolynomialId y,
                  llvm::SmallVectorImpl<Operation> &steps);

  /// One occurrence of a monomial of y, what is left of it when the parts
  /// placed in it are divided out, and the parts placed under its functions.
  struct Occurrence {
    MonomialId rest;
    llvm::SmallVector<PolynomialId, 4> nested;
  };
  bool placeParts(llvm::ArrayRef<PolynomialId> parts,
                  llvm::MutableArrayRef<Occurrence> occurrences);
  bool placeNested(llvm::ArrayRef<PolynomialId> parts, MonomialId monomial);

  void printFactors(llvm::raw_ostream &os, const Monomial &monomial) const;
  void printMonomial(llvm::raw_ostream &os, const Monomial &monomial) const;

  /// Whether p * q, or p + q, is known to be part of no target.
  bool isHopelessProduct(PolynomialId p, PolynomialId q);
  bool isHopelessSum(PolynomialId p, PolynomialId q);
  /// Whether some multiple of a polynomial might be part of a target, if that
  /// has these monomials, the first one its greatest, and at least so many.
  bool mayHaveMultiple(MonomialId greatest, MonomialId other, size_t least);

  /// What stands for all that is part of no target, or 0; and the terms
  /// of the targets and of all their parts.
  PolynomialId hopeless = 0;
  std::vector<Candidate> focus;

  /// What is seen at a glance of a polynomial: the bits of its greatest
  /// monomial, those of the greatest one of that one's divisor, and how many
  /// monomials there are at least. A multiple of a polynomial has all that it
  /// has.
  struct Outline {
    uint64_t bits, divisorBits;
    size_t numTerms;
    bool holds(const Outline &other) const {
      return (bits & other.bits) == other.bits &&
             (divisorBits & other.divisorBits) == other.divisorBits &&
             numTerms >= other.numTerms;
    }
  };
  const Monomial &getGreatest(PolynomialId p) const;
  bool isOutOfFocus(const Outline &outline) const;
  /// Of the polynomials in focus, from each of their terms on; none holds
  /// another.
  std::vector<Outline> outlines;

  ExprLimits limits;
  llvm::BumpPtrAllocator arena;
  InternTable<Atom> atoms;
  InternTable<Monomial> monomials;
  InternTable<Polynomial> polynomials;

  llvm::DenseMap<IdPair, PolynomialId> sums, products, quotients;
  llvm::DenseMap<IdPair, bool> subexpressions;
  /// For each polynomial that was asked about, the terms of all its parts.
  llvm::DenseMap<PolynomialId, std::vector<Candidate>> candidates;
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
