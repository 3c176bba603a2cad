//===- GraphText.h - μGraphs as terms ---------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_SEARCH_GRAPHTEXT_H
#define MIRAGE_UNITTESTS_SEARCH_GRAPHTEXT_H

#include "Mirage/AbstractExpr/Expr.h"
#include "Mirage/Mugraph/Mugraph.h"

namespace mirage {

/// The outputs of a μGraph as terms over its inputs, with all grids, loops and
/// maps: the same text for graphs that differ only in the order of their nodes
/// or of the operands of commutative operators.
std::string getText(const KernelGraph &graph);

/// The abstract expressions of its outputs. Input i is the variable "in<i>".
std::vector<Expr> getExprs(ExprContext &context, const KernelGraph &graph);

} // namespace mirage

#endif // MIRAGE_UNITTESTS_SEARCH_GRAPHTEXT_H
