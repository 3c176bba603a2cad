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
#include "llvm/ADT/SparseBitVector.h"
#include <functional>

namespace mirage::prove {

/// An index that a condition cuts into the values below `at` and the others.
struct Cut {
  Var var;
  int64_t at;
};

/// An element as a term, and where it is defined: the numbers of obligations
/// (`GraphTerms::getObligations`).
struct Element {
  PolyRef term;
  llvm::SparseBitVector<> needs;
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
  Element getElement(unsigned tensor, llvm::ArrayRef<Index> index);
  /// The obligations of all that an element is computed from; those of what
  /// counts only under a condition are guarded by it.
  std::vector<Obligation> getObligations(const Element &element) const;
  /// Forgets all elements that were read before.
  void forget() {
    known.clear();
    obligations.clear();
  }
  std::optional<Cut> takeCut() { return std::exchange(cut, std::nullopt); }

private:
  friend class TermAlgebra;
  friend class BlockTerms;

  Element computeElement(unsigned tensor, llvm::ArrayRef<Index> index);
  bool isStopped() const { return cut || context.hasFailed(); }
  /// Adds the obligations of the terms that were made since the last call.
  void addObligations(llvm::SparseBitVector<> &needs);
  /// What a value needs that counts only where a condition is greater than 0.
  llvm::SparseBitVector<> guard(const llvm::SparseBitVector<> &needs,
                                const PolyRef &condition);

  TermContext &context;
  const KernelGraph &graph;
  FunctionMaker opaque;
  /// The node that computes each tensor, and which of its results it is.
  llvm::DenseMap<unsigned, std::pair<const KernelNode *, unsigned>> producers;
  std::map<llvm::FoldingSetNodeID, Element> known;
  /// By number.
  std::vector<Obligation> obligations;
  std::optional<Cut> cut;
};

} // namespace mirage::prove

#endif // MIRAGE_PROVE_GRAPHTERMS_H
