//===- GraphTerms.h - Elements as normal forms ------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_PROVE_GRAPHTERMS_H
#define MIRAGE_PROVE_GRAPHTERMS_H

#include "Mirage/Mugraph/Mugraph.h"
#include "Mirage/Prove/NormalForm.h"
#include <functional>

namespace mirage::prove {

/// An index that a condition cuts into the values below `at` and the others.
struct Cut {
  Var var;
  int64_t at;
};

/// Makes the term of a function that has no definition.
using FunctionMaker =
    std::function<PolyRef(llvm::StringRef name, llvm::ArrayRef<PolyRef> args)>;

/// Reads the elements of a program's tensors as terms over the elements of its
/// inputs. Kernels, blocks and loops leave no trace but index ranges.
class GraphTerms {
public:
  /// Opaque operators become functions of which nothing is known, unless
  /// `opaque` makes their terms.
  GraphTerms(TermContext &context, const KernelGraph &graph,
             FunctionMaker opaque = {});

  const KernelGraph &getGraph() const { return graph; }
  /// The element of a tensor at an index of its rank. When the element is given
  /// by different formulas below and above some value of a free index, the
  /// result means nothing and `takeCut` says where.
  PolyRef getElement(unsigned tensor, llvm::ArrayRef<Index> index);
  /// Forgets the elements that were read before: each element is to record the
  /// obligations of all that it is computed from.
  void forget() { known.clear(); }
  std::optional<Cut> takeCut() { return std::exchange(cut, std::nullopt); }

private:
  friend class TermAlgebra;
  friend class BlockTerms;

  PolyRef computeElement(unsigned tensor, llvm::ArrayRef<Index> index);

  TermContext &context;
  const KernelGraph &graph;
  FunctionMaker opaque;
  /// The node that computes each tensor, and which of its results it is.
  llvm::DenseMap<unsigned, std::pair<const KernelNode *, unsigned>> producers;
  std::map<llvm::FoldingSetNodeID, PolyRef> known;
  std::optional<Cut> cut;
};

} // namespace mirage::prove

#endif // MIRAGE_PROVE_GRAPHTERMS_H
