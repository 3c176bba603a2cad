//===- FactoredSums.h - Which sums a program needs --------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ABSTRACTEXPR_FACTOREDSUMS_H
#define MIRAGE_ABSTRACTEXPR_FACTOREDSUMS_H

#include "Mirage/AbstractExpr/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace mirage {
namespace detail {
struct FactorOutline;
} // namespace detail

/// Tells what stands for itself from what only occurs when a product of sums is
/// expanded to three products or more: for (a + b) (c + d), a c + b c is the
/// product of c and a + b, while a c, or a c + b d, is needed by nobody who
/// doesn't add up the other products one by one. docs/Search.md says why
/// nothing is lost.
class FactoredSums {
public:
  /// `targets`: what is to be computed. `sums`: what some of the addends of the
  /// program's own sums add up to.
  FactoredSums(ExprContext &context, llvm::ArrayRef<Expr> targets,
               llvm::ArrayRef<Expr> sums);
  ~FactoredSums();

  /// Whether `x` is a factor of a part of a target or of one of the sums.
  /// Memoized.
  bool isFactored(Expr x);

private:
  bool decide(Expr x);

  ExprContext &context;
  /// Of the parts of targets, and of the sums.
  std::vector<detail::FactorOutline> wholes;
  /// 0: not asked before, 1: no, 2: yes.
  std::vector<uint8_t> answers;
};

} // namespace mirage

#endif // MIRAGE_ABSTRACTEXPR_FACTOREDSUMS_H
