//===- Expr.h - Abstract expressions and the subexpression relation -------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An abstract expression says what a tensor holds up to tiling, layout and the
// order of reductions. The search prunes a prefix of a μGraph unless its
// abstract expression is a subexpression of an expression equal to the input
// program's (Mirage, OSDI 2025, section 4.3). docs/AbstractExpressions.md
// explains why both relations are decided exactly.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ABSTRACTEXPR_EXPR_H
#define MIRAGE_ABSTRACTEXPR_EXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mirage {
namespace detail {
class ExprTables;
} // namespace detail

/// A handle to a normal form that an ExprContext owns. Within one context, two
/// handles are equal iff the axioms A_eq (Table 1 of the paper) prove their
/// expressions equal. The null handle stands for "unknown": see ExprLimits.
class Expr {
public:
  Expr() = default;

  bool isNull() const { return id == 0; }
  explicit operator bool() const { return id != 0; }

  /// A small number, the same in every run that makes the same sequence of
  /// calls; 0 for the null handle.
  uint32_t getId() const { return id; }

  bool operator==(Expr other) const { return id == other.id; }
  bool operator!=(Expr other) const { return id != other.id; }
  /// An arbitrary total order (that of creation).
  bool operator<(Expr other) const { return id < other.id; }

private:
  friend class ExprContext;
  friend struct llvm::DenseMapInfo<Expr>;
  explicit Expr(uint32_t id) : id(id) {}

  uint32_t id = 0;
};

/// One operator of a term, and its operands. Names live as long as the context.
struct ExprNode {
  enum class Kind : uint8_t {
    Variable, ///< name
    Constant, ///< value
    Add,
    Mul,
    Div,
    Sum, ///< factor
    Exp,
    Sqrt,
    Function, ///< name
  };
  Kind kind = Kind::Variable;
  llvm::StringRef name;
  double value = 0;
  int64_t factor = 0;
  llvm::SmallVector<Expr, 2> operands;
};

/// A term with one hole, from the inside out: the only null operand of a node
/// is what the nodes before it make, and that of the first one is the hole.
/// Without nodes it is the hole itself.
using ExprWitness = std::vector<ExprNode>;

/// Bounds on a normal form. A call whose result would exceed one, or overflow a
/// 64-bit count, returns the null Expr; so does every call that gets the null
/// Expr. Null is never pruned, so a limit costs time, not solutions.
struct ExprLimits {
  /// Distinct monomials of one polynomial: multiplying sums expands them.
  size_t maxMonomials = 256;
  /// Nesting of exp, sqrt, division and functions, which bounds the recursion
  /// of every algorithm here.
  unsigned maxDepth = 128;
};

/// Counters of one context, for reports.
struct ExprStatistics {
  /// Calls of isSubexpression.
  size_t numQueries = 0;
  /// Those answered from the memo table or at once (equal or null operands).
  size_t numMemoHits = 0;
  /// Normal forms made, those of intermediate results included.
  size_t numForms = 0;
};

/// Builds abstract expressions and answers questions about them. Not thread
/// safe: use one context for each thread. Handles of different contexts must
/// not be mixed.
class ExprContext {
public:
  explicit ExprContext(ExprLimits limits = ExprLimits());
  ~ExprContext();
  ExprContext(ExprContext &&);
  ExprContext &operator=(ExprContext &&);

  /// The tensor called `name`. Equal names give equal handles.
  Expr variable(llvm::StringRef name);
  /// A scalar such as eps or 1/n: an atom like a variable, told apart by its
  /// bits (0.0 and -0.0 differ). No axiom knows its value: constant(1) times x
  /// is not x.
  Expr constant(double value);

  /// Whether every function and constant in `x`, however deep, is one in `y` as
  /// well: necessary for `x` to be a subexpression of `y`.
  bool hasOnlyFunctionsOf(Expr x, Expr y);

  /// From now on products and sums that are a subexpression of none of the
  /// targets may come out as one and the same expression, which is no
  /// subexpression of theirs either: it is quicker than to expand them. What
  /// exceeds a limit comes out so, too, and not as null. How such an expression
  /// was made is not kept. Null targets: nothing changes. To be called at most
  /// once.
  void setFocus(llvm::ArrayRef<Expr> targets);

  Expr add(Expr x, Expr y);
  Expr mul(Expr x, Expr y);
  Expr div(Expr x, Expr y);
  /// The sum of `k` elements, each described by `x`. sum(1, x) is x; a `k`
  /// below 1 gives null.
  Expr sum(int64_t k, Expr x);
  Expr exp(Expr x);
  Expr sqrt(Expr x);
  /// A function without axioms (silu, max, ...) of its operands, in order.
  /// Equal names and operands give equal handles. `max` of one operand is the
  /// one exception, see max.
  Expr apply(llvm::StringRef function, llvm::ArrayRef<Expr> operands);
  /// The maximum of any number of elements, each described by `x`: of a maximum
  /// it is the same maximum, and there is no other law. It is printed and
  /// parsed as the function `max` of one operand.
  Expr max(Expr x);

  /// Whether A_eq and A_sub (Tables 1 and 2 of the paper) prove that `x` is a
  /// subexpression of `y`: whether some expression equal to `y` has a part
  /// equal to `x`. Exact, and memoized. True when either is null.
  bool isSubexpression(Expr x, Expr y);

  /// Whether all `parts` can be subterms, at places that don't overlap, of one
  /// term equal to `y`. Never false when there is such a term, but true for
  /// some parts for which there is none: a sum is placed by its greatest
  /// monomial alone. Memoized. docs/AbstractExpressions.md has the argument.
  bool canOccurTogether(llvm::ArrayRef<Expr> parts, Expr y);

  /// How `x`, which must not be null, was made first: terms that are equal to
  /// it, and have nothing to do with normal forms, come of taking operands
  /// apart. An expression that no call has made is written by its normal form.
  ExprNode getNode(Expr x);
  /// `x`, which must not be null, and all that getNode finds below it, each
  /// once, operands first. Nothing when that is more than `maxNodes`.
  std::optional<std::vector<Expr>> getTerm(Expr x, size_t maxNodes);

  /// Why `x` is a subexpression of `y`: a term that is equal to `y` when `x` is
  /// put into its hole. Nothing if it isn't one, or if either is null.
  std::optional<ExprWitness> explain(Expr x, Expr y);

  /// Prints the normal form in infix notation, for example
  /// `X*G/(sqrt(sum(64, X^2))) + 2 Y`; `<unknown>` for null. A leading integer
  /// is a multiplicity. Factors and terms come in the context's own order.
  void print(llvm::raw_ostream &os, Expr x) const;
  std::string print(Expr x) const;

  /// Prints how it was made, as an s-expression that parseExpr reads (unless a
  /// name contains what it can't read), cut short with `...` when it is long;
  /// `<unknown>` for null, and `_` for the hole of a witness.
  void printTerm(llvm::raw_ostream &os, Expr x);
  void printTerm(llvm::raw_ostream &os, const ExprWitness &witness);

  ExprStatistics getStatistics() const;

  /// For the rest of this library.
  detail::ExprTables &getTables() { return *tables; }

private:
  Expr inFocus(uint32_t result) const;

  std::unique_ptr<detail::ExprTables> tables;
};

} // namespace mirage

template <> struct llvm::DenseMapInfo<mirage::Expr> {
  static mirage::Expr getEmptyKey() { return mirage::Expr(~0u); }
  static mirage::Expr getTombstoneKey() { return mirage::Expr(~0u - 1); }
  static unsigned getHashValue(mirage::Expr x) {
    return DenseMapInfo<uint32_t>::getHashValue(x.getId());
  }
  static bool isEqual(mirage::Expr x, mirage::Expr y) { return x == y; }
};

#endif // MIRAGE_ABSTRACTEXPR_EXPR_H
