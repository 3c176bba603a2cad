//===- SubexpressionOracle.h - What the search asks before it goes on -----===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ABSTRACTEXPR_SUBEXPRESSIONORACLE_H
#define MIRAGE_ABSTRACTEXPR_SUBEXPRESSIONORACLE_H

#include "Mirage/AbstractExpr/Expr.h"
#include "llvm/ADT/SmallVector.h"

namespace mirage {

/// Decides whether a prefix of a μGraph can still become the program that is
/// searched for (line 18 of Algorithm 1). The oracle knows the target
/// expressions; the search asks about one tensor at a time.
class SubexpressionOracle {
public:
  virtual ~SubexpressionOracle();

  /// False only if `x` is a subexpression of no target. An implementation that
  /// can't tell says true.
  virtual bool mayContribute(Expr x) = 0;
};

/// The exact oracle: normal forms decide. Null expressions, and every
/// expression when a target is null, may contribute.
class NormalFormOracle : public SubexpressionOracle {
public:
  /// `targets` are the abstract expressions of the program's outputs, made by
  /// `context`, which must outlive the oracle.
  NormalFormOracle(ExprContext &context, llvm::ArrayRef<Expr> targets);

  bool mayContribute(Expr x) override;

private:
  ExprContext &context;
  llvm::SmallVector<Expr, 2> targets;
};

} // namespace mirage

#endif // MIRAGE_ABSTRACTEXPR_SUBEXPRESSIONORACLE_H
