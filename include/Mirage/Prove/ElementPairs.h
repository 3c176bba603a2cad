//===- ElementPairs.h - The elements of two programs ------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_PROVE_ELEMENTPAIRS_H
#define MIRAGE_PROVE_ELEMENTPAIRS_H

#include "Mirage/Prove/GraphTerms.h"
#include "llvm/ADT/DenseSet.h"

namespace mirage::prove {

/// The elements of a box of an output, as both programs compute them, and where
/// they are defined in each.
struct ElementPair {
  size_t output;
  /// The index within the box, by dimension.
  llvm::SmallVector<Var> vars;
  PolyRef expected, found;
  std::vector<Obligation> given, needed;
};

/// Visits all elements of all outputs: one box for each output, or several
/// where conditions cut it. Stops when the context has failed, also because
/// there are too many cuts, and then returns false.
bool forEachElementPair(TermContext &context, GraphTerms &reference,
                        GraphTerms &candidate,
                        llvm::function_ref<void(ElementPair)> visit);

/// Whether an obligation is one of those with the given keys, maybe guarded by
/// fewer conditions there.
bool isGiven(TermContext &context, Obligation obligation,
             const llvm::DenseSet<int64_t> &keys, llvm::ArrayRef<Var> vars);

/// The term, multiplied by what occurs in it as a denominator, as far as that
/// may be: is it zero, then the term is where these denominators aren't. As an
/// identity of what terms are made of, and not of numbers, that is everywhere.
/// Means nothing when the context has failed.
PolyRef clearDenominators(
    TermContext &context, PolyRef term,
    llvm::function_ref<bool(const PolyRef &denominator)> mayClear =
        [](const PolyRef &) { return true; });

} // namespace mirage::prove

#endif // MIRAGE_PROVE_ELEMENTPAIRS_H
