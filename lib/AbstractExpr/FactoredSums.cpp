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
  const detail::NormalForms &forms = context.getTables().forms;
  llvm::SmallVector<uint32_t> roots;
  for (Expr target : targets)
    if (target)
      roots.push_back(target.getId());
  for (uint32_t part : forms.getParts(roots))
    wholes.push_back(forms.getFactorOutline(part));
  for (Expr sum : additive)
    if (sum)
      wholes.push_back(forms.getFactorOutline(sum.getId()));
}

FactoredSums::~FactoredSums() = default;

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
  const detail::FactorOutline factor = forms.getFactorOutline(x.getId());
  return llvm::any_of(wholes, [&](const detail::FactorOutline &whole) {
    return forms.hasFactor(whole, factor);
  });
}
