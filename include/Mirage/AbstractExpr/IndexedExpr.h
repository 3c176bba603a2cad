//===- IndexedExpr.h - Abstract expressions with indices --------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ABSTRACTEXPR_INDEXEDEXPR_H
#define MIRAGE_ABSTRACTEXPR_INDEXEDEXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <deque>
#include <map>
#include <optional>

namespace mirage {

/// An index that a tensor's elements have: of the loops of a program one (its
/// role), and which of the indices that run over that one.
struct ExprIndex {
  /// The number of roles; a role and this is that of sums over parts of its
  /// loop.
  static constexpr uint16_t kParts = 32;
  uint16_t role = 0, instance = 0;

  uint32_t getWord() const { return uint32_t(role) << 16 | instance; }
  friend bool operator==(ExprIndex a, ExprIndex b) {
    return a.getWord() == b.getWord();
  }
  friend bool operator!=(ExprIndex a, ExprIndex b) { return !(a == b); }
  friend bool operator<(ExprIndex a, ExprIndex b) {
    return a.getWord() < b.getWord();
  }
};

/// Which index becomes which.
using IndexMap = llvm::SmallVector<std::pair<ExprIndex, ExprIndex>, 4>;

/// A handle to a polynomial over indexed tensors; 0: unknown.
using IndexedExpr = uint32_t;

/// Normal forms of what the elements of tensors are. Where an abstract
/// expression (Expr.h) says sum(n, x y), these say which of the factors a sum
/// runs over: sum_j x_j y_j is not y_i sum_j x_j. The laws are those of A_eq,
/// read with indices: handles are equal exactly if the expressions are, up to
/// the names of bound indices. Limits make an expression unknown, and so all
/// that is made of it. Not thread safe. docs/AbstractExpressions.md.
class IndexedExprContext {
public:
  IndexedExpr variable(llvm::StringRef name, llvm::ArrayRef<ExprIndex> indices);
  IndexedExpr constant(double value);
  IndexedExpr add(IndexedExpr x, IndexedExpr y);
  IndexedExpr mul(IndexedExpr x, IndexedExpr y);
  IndexedExpr div(IndexedExpr x, IndexedExpr y);
  IndexedExpr exp(IndexedExpr x);
  IndexedExpr sqrt(IndexedExpr x);
  IndexedExpr apply(llvm::StringRef function,
                    llvm::ArrayRef<IndexedExpr> operands);
  /// Over all of some indices, which `x` need not have.
  IndexedExpr sum(IndexedExpr x, llvm::ArrayRef<ExprIndex> over);
  IndexedExpr max(IndexedExpr x, llvm::ArrayRef<ExprIndex> over);
  /// All at once.
  IndexedExpr rename(IndexedExpr x, const IndexMap &map);

  /// The sums over parts of `role` (ExprIndex::kParts) as sums over all of it,
  /// as where a loop adds them up. Nothing, if more has been made of a part
  /// than a product with what has none; and, if `all` is true, if some product
  /// has none.
  std::optional<IndexedExpr> complete(IndexedExpr x, uint16_t role, bool all);

  /// Of what it is, whatever came up before: the same in every context.
  uint64_t getHash(IndexedExpr x) const { return get(x).hash; }

  /// The indices of its elements, in increasing order.
  llvm::ArrayRef<ExprIndex> getFree(IndexedExpr x) const;

  void print(llvm::raw_ostream &os, IndexedExpr x) const;
  std::string print(IndexedExpr x) const;

private:
  friend class IndexedOracle;

  /// Lists of words, numbered from 1 on.
  class WordLists {
  public:
    /// The number of a list, and whether it is new.
    std::pair<uint32_t, bool> add(llvm::ArrayRef<uint32_t> words);

  private:
    llvm::BumpPtrAllocator allocator;
    llvm::DenseMap<llvm::ArrayRef<uint32_t>, uint32_t> numbers;
  };

  struct Atom {
    enum class Kind : uint8_t { Variable, Constant, Function, Maximum };
    Kind kind = Kind::Variable;
    /// Of a variable or a function; the bits of a constant.
    uint64_t symbol = 0;
    /// Of a variable, in the order of its dimensions; that a maximum binds.
    llvm::SmallVector<ExprIndex, 4> indices;
    llvm::SmallVector<IndexedExpr, 1> operands;
    llvm::SmallVector<ExprIndex, 4> free;
    uint64_t hash = 0;
  };
  struct Factor {
    uint32_t atom = 0, power = 0;
  };
  /// The sum over `bound` of a product. Parts that are 0 are absent.
  struct Monomial {
    llvm::SmallVector<ExprIndex, 4> bound;
    llvm::SmallVector<Factor, 4> factors;
    IndexedExpr exponent = 0, radicand = 0, divisor = 0;
    llvm::SmallVector<ExprIndex, 4> free;
    uint64_t hash = 0;
  };
  struct Term {
    uint32_t monomial = 0, count = 0;
  };
  struct Polynomial {
    llvm::SmallVector<Term, 2> terms;
    llvm::SmallVector<ExprIndex, 4> free;
    /// How deep it nests.
    unsigned depth = 0;
    /// The roles of the indices that are bound in it, however deep.
    uint64_t boundRoles = 0;
    uint64_t hash = 0;
  };
  using Indices = llvm::SmallVector<ExprIndex, 8>;

  uint32_t addAtom(Atom atom);
  /// Gives bound indices their names; 0: too many ways to do so.
  uint32_t addMonomial(Monomial monomial);
  /// 0, if too long.
  IndexedExpr addPolynomial(llvm::ArrayRef<Term> terms);
  IndexedExpr getPolynomial(Monomial monomial);
  IndexedExpr getAtom(Atom atom);
  IndexedExpr nest(IndexedExpr Monomial::*part, IndexedExpr x);

  Indices getBodyIndices(const Monomial &monomial) const;
  static ExprIndex getUnused(uint16_t role, uint16_t from,
                             llvm::ArrayRef<ExprIndex> used);
  uint32_t renameAtom(uint32_t atom, const IndexMap &map);
  bool renameBody(Monomial &monomial, const IndexMap &map);
  /// With its bound indices renamed to others than `avoid`.
  bool setApart(Monomial &monomial, llvm::ArrayRef<ExprIndex> avoid);
  uint32_t multiply(uint32_t a, uint32_t b);
  llvm::SmallVector<uint32_t> getSignature(const Monomial &monomial,
                                           ExprIndex index) const;

  const Polynomial &get(IndexedExpr x) const { return polynomials[x]; }
  const Monomial &getMonomial(uint32_t m) const { return monomials[m]; }

  /// A hash of the name. Whatever is put in some order is ordered by hashes,
  /// not by numbers, which say what came up first: how far the oracle gets
  /// within its limits must depend neither on the threads nor on earlier
  /// questions.
  uint64_t getSymbol(llvm::StringRef name);
  /// All that makes a monomial, by numbers or by hashes.
  llvm::SmallVector<uint64_t> getWords(const Monomial &monomial,
                                       bool byHash) const;
  void sortFactors(Monomial &monomial) const;

  std::map<uint64_t, std::string> names;
  WordLists atomNumbers, monomialNumbers, polynomialNumbers, callNumbers;
  /// By their numbers; the first of each is none.
  std::deque<Atom> atoms{1};
  std::deque<Monomial> monomials{1};
  std::deque<Polynomial> polynomials{1};
  /// What calls gave.
  std::vector<IndexedExpr> results{0};
};

/// Tells which tensors can't be parts of what computes the targets, because
/// sums in them run over other factors than those of the targets do.
class IndexedOracle {
public:
  IndexedOracle(IndexedExprContext &context,
                llvm::ArrayRef<IndexedExpr> targets);

  /// Whether each product that `x` is a sum of is a part of one in a target, as
  /// is necessary for `x` to be a part of a term that is equal to one. Never
  /// false when there is such a term; memoized.
  bool mayContribute(IndexedExpr x);

private:
  using Monomial = IndexedExprContext::Monomial;
  using Then = llvm::function_ref<bool(const IndexMap &)>;

  void addParts(IndexedExpr x);
  bool decide(IndexedExpr x);
  bool placeTerms(IndexedExpr x, size_t term, IndexedExpr part,
                  const IndexMap &map);
  bool place(const Monomial &x, const Monomial &whole, bool mayBind,
             const IndexMap &map, Then then);
  bool placeFactors(const Monomial &x, const Monomial &whole, bool mayBind,
                    size_t factor, IndexMap &map, Then then);
  bool placeIndices(const Monomial &x, const Monomial &whole, bool mayBind,
                    llvm::ArrayRef<ExprIndex> left, IndexMap &map, Then then);
  bool fits(const Monomial &x, const Monomial &whole, const IndexMap &map);
  bool mayDivide(IndexedExpr x, IndexedExpr whole, const IndexMap &map);
  bool bind(const Monomial &x, const Monomial &whole, bool mayBind,
            ExprIndex from, ExprIndex to, IndexMap &map) const;

  IndexedExprContext &context;
  std::vector<IndexedExpr> parts;
  llvm::DenseMap<IndexedExpr, bool> known, answers;
  bool areTargetsKnown = true;
  /// Free indices of what is being placed that are bound where the products
  /// placed before are.
  llvm::SmallVector<ExprIndex, 4> boundLater;
  size_t steps = 0;
};

} // namespace mirage

#endif // MIRAGE_ABSTRACTEXPR_INDEXEDEXPR_H
