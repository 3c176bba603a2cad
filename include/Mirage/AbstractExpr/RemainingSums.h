//===- RemainingSums.h - Which sums are still to be taken -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ABSTRACTEXPR_REMAININGSUMS_H
#define MIRAGE_ABSTRACTEXPR_REMAININGSUMS_H

#include "Mirage/AbstractExpr/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace mirage {

/// Tells which reductions can follow on an expression before it becomes a part
/// of a target. In sum(k, exp(sum(n, x y))), nothing sums over n what holds
/// sum(n, x), nor sum(n, x y); so if that still has the dimension n, as a
/// product of y and the sum of x has, it is of no use.
/// docs/AbstractExpressions.md says why this is exact enough to lose nothing.
class RemainingSums {
public:
  /// What must be reduced: products of numbers that divide the sizes of sums.
  /// `sums` by sums alone, `sumsOrMaxima` by these, or within a maximum.
  struct Dims {
    int64_t sums = 1, sumsOrMaxima = 1;
  };

  /// `variables`, each known and made by ExprContext::variable: what must be
  /// reduced of each in the targets.
  RemainingSums(ExprContext &context, llvm::ArrayRef<Expr> targets,
                llvm::ArrayRef<std::pair<Expr, Dims>> variables);

  /// Whether some term that is equal to a target has a part equal to `x` in
  /// sums of all these sizes, and what `x` is multiplied by, too. Never false
  /// when there is such a term. Memoized.
  bool mayFollow(Expr x, Dims dims);

private:
  bool decide(Expr x, Dims dims);

  /// What encloses a part of a target, wherever it occurs: the product of the
  /// sums' sizes (of several occurrences the least common multiple; 0, which
  /// all numbers divide, where it overflows), and whether a maximum does.
  struct Part {
    uint32_t polynomial = 0;
    int64_t sums = 1;
    bool inMaximum = false;
  };

  ExprContext &context;
  std::vector<Part> parts;
  /// By the numbers of their atoms.
  llvm::DenseMap<uint32_t, Dims> dimsOf;
  bool isKnown = true;
  llvm::DenseMap<std::pair<uint32_t, std::pair<int64_t, int64_t>>, bool>
      answers;
};

} // namespace mirage

#endif // MIRAGE_ABSTRACTEXPR_REMAININGSUMS_H
