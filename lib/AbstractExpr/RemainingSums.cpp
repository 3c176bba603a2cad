//===- RemainingSums.cpp - Which sums are still to be taken ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/AbstractExpr/RemainingSums.h"
#include "ExprTables.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mirage;
using namespace mirage::detail;

/// 0, which all numbers divide, where it overflows.
static int64_t multiply(int64_t a, int64_t b) {
  int64_t product = 0;
  return llvm::MulOverflow(a, b, product) ? 0 : product;
}

static int64_t getCommonMultiple(int64_t a, int64_t b) {
  return a == 0 || b == 0 ? 0 : multiply(a / std::gcd(a, b), b);
}

RemainingSums::RemainingSums(ExprContext &context, llvm::ArrayRef<Expr> targets,
                             llvm::ArrayRef<std::pair<Expr, Dims>> variables)
    : context(context) {
  const NormalForms &forms = context.getTables().forms;
  for (auto &[variable, dims] : variables)
    dimsOf[forms.getAtomOf(variable.getId())] = dims;
  llvm::SmallVector<PolynomialId> roots;
  for (Expr target : targets) {
    isKnown &= !target.isNull();
    if (target)
      roots.push_back(target.getId());
  }
  // What is nested nests less deep than what it is nested in.
  std::vector<PolynomialId> order = forms.getParts(roots);
  llvm::sort(order, [&](PolynomialId a, PolynomialId b) {
    return std::pair(forms.getDepth(a), a) > std::pair(forms.getDepth(b), b);
  });
  llvm::MapVector<PolynomialId, Part> known;
  auto enclose = [&](PolynomialId polynomial, int64_t sums, bool inMaximum) {
    auto [entry, isNew] =
        known.try_emplace(polynomial, Part{polynomial, sums, inMaximum});
    if (isNew)
      return;
    entry->second.sums = getCommonMultiple(entry->second.sums, sums);
    entry->second.inMaximum |= inMaximum;
  };
  for (PolynomialId root : roots)
    enclose(root, 1, false);
  for (PolynomialId polynomial : order) {
    const Part outer = known.lookup(polynomial);
    forms.visitNested(polynomial,
                      [&](PolynomialId nested, int64_t scale, bool isMaximum) {
                        enclose(nested, multiply(outer.sums, scale),
                                outer.inMaximum || isMaximum);
                      });
  }
  for (auto &[polynomial, part] : known)
    parts.push_back(part);
}

bool RemainingSums::mayFollow(Expr x, Dims dims) {
  if (!isKnown || x.isNull())
    return true;
  auto [entry, isNew] =
      answers.try_emplace({x.getId(), {dims.sums, dims.sumsOrMaxima}});
  if (isNew)
    entry->second = decide(x, dims);
  return entry->second;
}

bool RemainingSums::decide(Expr x, Dims dims) {
  NormalForms &forms = context.getTables().forms;
  // The maximum of maxima is one maximum.
  if (forms.isMaximum(x.getId()))
    dims.sumsOrMaxima = 1;
  return llvm::any_of(parts, [&](const Part &part) {
    return forms.hasMultiple(
        x.getId(), part.polynomial, [&](const Monomial &by) {
          Dims all = dims;
          // They may have the dimensions in common.
          for (const Factor &factor : by.factors)
            if (auto of = dimsOf.find(factor.atom); of != dimsOf.end()) {
              all.sums = getCommonMultiple(all.sums, of->second.sums);
              all.sumsOrMaxima =
                  getCommonMultiple(all.sumsOrMaxima, of->second.sumsOrMaxima);
            }
          const int64_t needed =
              part.inMaximum ? all.sums : multiply(all.sums, all.sumsOrMaxima);
          // Where it overflows nobody knows.
          return needed == 0 || multiply(part.sums, by.scale) % needed == 0;
        });
  });
}
