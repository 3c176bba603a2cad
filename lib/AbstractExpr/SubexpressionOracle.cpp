//===- SubexpressionOracle.cpp - What the search asks before it goes on ---===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/AbstractExpr/SubexpressionOracle.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;

SubexpressionOracle::~SubexpressionOracle() = default;

NormalFormOracle::NormalFormOracle(ExprContext &context,
                                   llvm::ArrayRef<Expr> targets)
    : context(context), targets(targets) {}

bool NormalFormOracle::mayContribute(Expr x) {
  return x.isNull() || llvm::any_of(targets, [&](Expr target) {
           return context.isSubexpression(x, target);
         });
}
