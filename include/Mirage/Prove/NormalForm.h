//===- NormalForm.h - Normal forms of elements ------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_PROVE_NORMALFORM_H
#define MIRAGE_PROVE_NORMALFORM_H

#include "Mirage/Prove/Index.h"
#include "mlir/Analysis/Presburger/Fraction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/Support/Allocator.h"
#include <map>
#include <memory>
#include <vector>

/// Terms of the symbolic proof (docs/Proof.md). One element of a tensor is a
/// polynomial: a sum of monomials, each a sum over bound indices of a product
/// of powers of bases. Everything is immutable and in normal form from the
/// start; two terms of one context are equal if their ids are.
namespace mirage::prove {

using Rational = mlir::presburger::Fraction;

struct Base;
struct Poly;
using BaseRef = std::shared_ptr<const Base>;
using PolyRef = std::shared_ptr<const Poly>;

/// A base to a power: of an exponential any number, or else a multiple of 1/2,
/// or of 1/4 and so on for roots of roots.
struct Factor {
  BaseRef base;
  Rational exponent;
};

/// An index that is summed over.
struct Bound {
  Var var;
  int64_t extent;
};

/// coefficient * (sum over `bound` of the product of `factors`).
struct Monomial {
  Rational coefficient = Rational(1, 1);
  llvm::SmallVector<Bound, 2> bound;
  std::vector<Factor> factors;
  /// Of everything but the coefficient.
  int64_t id = 0;
  /// One more than the height of what is inside, if there are bound indices.
  unsigned height = 0;
  /// A hash of what it looks like when no index has a name.
  uint64_t shape = 0;
};

/// A sum of monomials with different ids, sorted by these; 0 has none.
struct Poly {
  std::vector<Monomial> monomials;
  int64_t id = 0;
  unsigned height = 0;
  uint64_t shape = 0;
  llvm::SmallVector<Var, 4> free;

  bool isZero() const { return monomials.empty(); }
  /// The number that it is, if it is one.
  std::optional<Rational> getConstant() const;
  /// Whether it has to be multiplied out term by term.
  bool isCompound() const;
};

/// What a monomial is a product of powers of.
struct Base {
  enum class Kind {
    Read,      ///< element `indices` of input `number`
    Exp,       ///< exp(args[0]), a monomial with coefficient 1
    Poly,      ///< args[0], to a power that isn't a positive integer
    Function,  ///< `name`(args..), of which nothing else is known
    Max,       ///< the largest of `entries`, each over its own bound indices
    Indicator, ///< 1 where indices[0] < number, else 0
    Constant,  ///< the integer `number`, not a square, under a root
    Size,      ///< an arbitrary positive integer: the symbol `number`
  };
  explicit Base(Kind kind) : kind(kind) {}

  Kind kind;
  int64_t number = 0;
  std::string name;
  llvm::SmallVector<Index, 4> indices;
  llvm::SmallVector<PolyRef, 2> args;
  /// Of the form that a monomial with one factor has, the value.
  std::vector<Monomial> entries;
  int64_t id = 0;
  unsigned height = 0;
  uint64_t shape = 0;
  llvm::SmallVector<Var, 4> free;
};

/// Where a term is defined: for all values of its free indices,
struct Obligation {
  enum class Kind { NonZero, NonNegative };
  Kind kind;
  PolyRef term;
};

/// A key, and its id.
struct InternedKey : llvm::FoldingSetNode {
  InternedKey(llvm::FoldingSetNodeIDRef key, int64_t id) : key(key), id(id) {}

  llvm::FoldingSetNodeIDRef key;
  int64_t id;
};

} // namespace mirage::prove

template <>
struct llvm::FoldingSetTrait<mirage::prove::InternedKey>
    : llvm::DefaultFoldingSetTrait<mirage::prove::InternedKey> {
  using Node = mirage::prove::InternedKey;
  static void Profile(const Node &node, llvm::FoldingSetNodeID &key) {
    key = llvm::FoldingSetNodeID(node.key);
  }
  static bool Equals(const Node &node, const llvm::FoldingSetNodeID &key,
                     unsigned /*hash*/, llvm::FoldingSetNodeID & /*buffer*/) {
    return key == node.key;
  }
  static unsigned ComputeHash(const Node &node,
                              llvm::FoldingSetNodeID & /*buffer*/) {
    return node.key.ComputeHash();
  }
};

namespace mirage::prove {

/// Makes terms and knows which are equal. After `fail` all results are 0 and
/// mean nothing; the caller looks at `getFailure` in the end.
class TermContext {
public:
  /// With `symbols`, extents are products of integers and of these primes,
  /// which stand for arbitrary positive integers: then nothing is concluded
  /// from how large they are.
  explicit TermContext(llvm::ArrayRef<int64_t> symbols = {},
                       int64_t mostWork = kMostWork)
      : symbols(symbols), mostWork(mostWork) {}

  /// Monomials that may be made before a proof is given up: about a second.
  static constexpr int64_t kMostWork = 100000;
  /// How many were made, one more than allowed if it was given up for that.
  int64_t getWork() const { return std::min(work, mostWork + 1); }

  Var makeVar(int64_t extent);
  int64_t getExtent(Var var) const { return extents.at(var); }
  bool hasSymbolicSizes() const { return !symbols.empty(); }
  /// Whether a size is the same whatever the symbols stand for, and whether it
  /// is a multiple of one.
  bool isConcrete(int64_t size) const;
  bool isSymbolic(int64_t size) const;

  PolyRef zero();
  PolyRef constant(const Rational &value);
  /// Exactly the number that the double stands for, which must be finite.
  PolyRef constant(double value);
  PolyRef read(unsigned input, llvm::ArrayRef<Index> indices);
  PolyRef indicator(const Index &index, int64_t bound);
  PolyRef function(llvm::StringRef name, llvm::ArrayRef<PolyRef> args);
  PolyRef add(const PolyRef &lhs, const PolyRef &rhs);
  PolyRef sub(const PolyRef &lhs, const PolyRef &rhs);
  PolyRef mul(const PolyRef &lhs, const PolyRef &rhs);
  PolyRef inverse(const PolyRef &operand);
  PolyRef exp(const PolyRef &operand);
  PolyRef sqrt(const PolyRef &operand);
  PolyRef log(const PolyRef &operand);
  PolyRef max(const PolyRef &lhs, const PolyRef &rhs);
  /// Over all values of a variable, which is free in `term` and no longer in
  /// the result.
  PolyRef sumOver(Var var, const PolyRef &term);
  PolyRef maxOver(Var var, const PolyRef &term);

  PolyRef substitute(const PolyRef &term, Var var, const Index &value);

  /// A base of a negative power in some monomial, without bound indices; null
  /// when there is none.
  PolyRef findDenominator(const PolyRef &term);

  /// What must hold where the terms made since the last call are defined,
  /// provable ones left out.
  std::vector<Obligation> takeObligations();
  /// Equal for obligations that say the same, whatever their indices are
  /// called, those in `fixed` apart.
  int64_t getKey(const Obligation &obligation, llvm::ArrayRef<Var> fixed = {});

  /// The obligation where a condition is greater than 0, and nothing elsewhere.
  Obligation guard(const Obligation &obligation, const PolyRef &condition);
  /// The condition and what it guards; nothing if the obligation isn't guarded.
  std::optional<std::pair<PolyRef, Obligation>>
  splitGuard(const Obligation &obligation);

  bool isNonNegative(const Poly &term) const;
  bool isPositive(const Poly &term) const;

  /// The product of powers, summed over nothing.
  PolyRef product(const Rational &coefficient, llvm::ArrayRef<Factor> factors) {
    return makeMonomial(coefficient, {}, factors.vec());
  }
  /// The monomial, or entry of a maximum, with bound indices that occur nowhere
  /// else.
  Monomial openScope(const Monomial &monomial);

  void fail(llvm::StringRef reason);
  /// After that, terms that were made before the failure can be used again.
  void forgetFailure() {
    failure.clear();
    work = 0;
  }
  bool hasFailed() const { return !failure.empty(); }
  llvm::StringRef getFailure() const { return failure; }

  /// In so many characters at most, and "..." where there are more.
  std::string print(const PolyRef &term, size_t maxLength = SIZE_MAX) const;

private:
  int64_t intern(const llvm::FoldingSetNodeID &key);
  Var getCanonicalVar(unsigned height, unsigned position, int64_t extent);

  BaseRef finishBase(Base base);
  BaseRef makePolyBase(const PolyRef &term);
  PolyRef makePoly(std::vector<Monomial> monomials);
  PolyRef makeMonomial(Rational coefficient, llvm::SmallVector<Bound, 2> bound,
                       std::vector<Factor> factors);
  PolyRef makeFactor(const BaseRef &base, const Rational &exponent);
  PolyRef makeMax(std::vector<Monomial> entries);
  /// The order of a maximum's entries, each of them once.
  static void sortEntries(std::vector<Monomial> &entries);
  /// Gives the bound indices their canonical names and the monomial its id.
  Monomial finishScope(Rational coefficient, llvm::SmallVector<Bound, 2> bound,
                       std::vector<Factor> factors);
  /// One step towards canonical bound indices: what to put in the place of
  /// which variables, `bound` already changed. Nothing when none is needed.
  std::optional<llvm::SmallVector<std::pair<Var, Index>, 2>>
  findReindexing(llvm::SmallVectorImpl<Bound> &bound,
                 llvm::ArrayRef<Factor> factors);

  /// A substitution: the id of the term, the variable, and an id of the value.
  using Substitution = std::tuple<int64_t, Var, int64_t>;
  Substitution getSubstitution(int64_t id, Var var, const Index &value);
  /// Like `openScope`, but the bound indices are the same for the same monomial
  /// and copy, so that what is done to it again is known: none for which
  /// `isTaken` holds, which has to hold for all that are free, or bound, in
  /// what it is put together with.
  Monomial reopenScope(const Monomial &monomial, unsigned copy,
                       llvm::function_ref<bool(Var)> isTaken);
  /// To put a value in the place of a variable.
  Monomial reopenScope(const Monomial &monomial, const Index &value);
  BaseRef substituteOpaque(const BaseRef &base, Var var, const Index &value);
  BaseRef computeSubstituted(const BaseRef &base, Var var, const Index &value);
  PolyRef substitute(const Factor &factor, Var var, const Index &value);
  PolyRef substitute(const Monomial &monomial, Var var, const Index &value);
  PolyRef scale(const PolyRef &term, const Rational &by);
  PolyRef pow(const PolyRef &operand, const Rational &exponent);
  PolyRef multiply(const PolyRef &term, llvm::ArrayRef<Factor> factors);
  /// What one of a sum's terms has as a denominator: its lowest power in any.
  std::optional<Factor> findCommonDenominator(const PolyRef &term,
                                              bool onlyNonNegative);
  /// content * rest, where the content is a product of powers that holds no
  /// bound index; with `onlyNonNegative`, of bases that are never negative.
  /// The rest of a sum has no denominators, but those that may be negative
  /// then.
  std::pair<Monomial, PolyRef> extractContent(const PolyRef &term,
                                              bool onlyNonNegative);
  bool isNonNegative(const Base &base) const;
  bool isAbsolute(const Base &base) const;
  bool isNonNegative(const Factor &factor) const;
  bool isPositive(const Factor &factor) const;
  void require(Obligation::Kind kind, const PolyRef &term);

  llvm::SmallVector<int64_t> symbols;
  /// The ids of keys. There are many of them, some words each.
  llvm::BumpPtrAllocator keys;
  llvm::FoldingSet<InternedKey> ids;
  llvm::DenseMap<Var, int64_t> extents;
  std::map<std::tuple<unsigned, unsigned, int64_t>, Var> canonicalVars;
  Var nextVar = 1, nextCanonicalVar = -3;
  std::vector<Obligation> obligations;
  /// Of terms by their ids, as others share them.
  mutable llvm::DenseMap<int64_t, bool> nonNegative, positive;
  /// Of products of sums that are never negative, by their ids, the factors:
  /// multiplied out, they don't show what they are the root of.
  llvm::DenseMap<int64_t, std::pair<PolyRef, PolyRef>> factorsOf;
  /// What was substituted and opened before.
  llvm::DenseMap<Substitution, BaseRef> substitutedBases;
  llvm::DenseMap<Substitution, PolyRef> substitutedTerms;
  llvm::DenseMap<std::pair<int64_t, unsigned>, Monomial> opened;
  std::string failure;
  const int64_t mostWork;
  int64_t work = 0;
};

} // namespace mirage::prove

#endif // MIRAGE_PROVE_NORMALFORM_H
