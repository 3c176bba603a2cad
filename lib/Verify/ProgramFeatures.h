//===- ProgramFeatures.h - What occurs in a program -------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_VERIFY_PROGRAMFEATURES_H
#define MIRAGE_LIB_VERIFY_PROGRAMFEATURES_H

#include "Mirage/Mugraph/Mugraph.h"

namespace mirage {

/// Which kinds of functions a program is made of, besides +, -, * and /.
struct ProgramFeatures {
  bool exponentials = false;
  bool roots = false;
  /// max, log, erf and functions outside of LAX.
  bool functions = false;

  /// Whether programs that are equal over the reals are equal over the field,
  /// wherever both are defined there: no law of a root that needs a sign, and
  /// none of an opaque function, is involved.
  bool isAlgebraic() const { return !roots && !functions; }
};

ProgramFeatures operator|(ProgramFeatures a, ProgramFeatures b);

/// Of one node, or of a whole program, at all levels. What defines a function
/// outside of LAX doesn't count.
ProgramFeatures getFeatures(const KernelGraph &graph, const KernelNode &node);
ProgramFeatures getFeatures(const KernelGraph &graph);

} // namespace mirage

#endif // MIRAGE_LIB_VERIFY_PROGRAMFEATURES_H
