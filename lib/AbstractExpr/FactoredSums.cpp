//===- FactoredSums.cpp - Which sums a program needs ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/AbstractExpr/FactoredSums.h"
#include "ExprTables.h"

using namespace mirage;

FactoredSums::FactoredSums(ExprContext &context, llvm::ArrayRef<Expr> targets,
                           llvm::ArrayRef<Expr> additive)
    : context(context) {
  llvm::SmallVector<uint32_t> roots;
  for (Expr target : targets)
    if (target)
      roots.push_back(target.getId());
  parts = context.getTables().forms.getParts(roots);
  for (Expr sum : additive)
    if (sum)
      sums.push_back(sum.getId());
}

bool FactoredSums::isFactored(Expr x) {
  uint32_t id = x.getId();
  if (id == 0)
    return true;
  if (id >= answers.size())
    answers.resize(id + 64, 0);
  if (answers[id] == 0)
    answers[id] = decide(x) ? 2 : 1;
  return answers[id] == 2;
}

bool FactoredSums::decide(Expr x) {
  detail::NormalForms &forms = context.getTables().forms;
  for (uint32_t part : parts)
    if (forms.divide(part, x.getId()))
      return true;
  for (uint32_t sum : sums)
    if (forms.divide(sum, x.getId()))
      return true;
  return false;
}
