//===- Copies.h - Values that are others, moved or scaled -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_COPIES_H
#define MIRAGE_LIB_SEARCH_COPIES_H

#include "ValueGraph.h"

namespace mirage {

/// The values of a graph that are another one, moved, or multiplied by or added
/// to a constant.
class Copies {
public:
  Copies(const SearchProgram &program, const ValueGraph &graph,
         const KernelProblem &problem, const Placement &placement);

  /// Whether it is an input, or one of no more bits that is moved and scaled:
  /// reading the input itself takes no more. It does of an input whose last
  /// dimension moves if blocks are to have a part of it, but of all outputs
  /// whole rows (a bias of queries x keys x heads): a few elements of each row.
  bool isOfInput(unsigned value) const;
  /// A value, multiplied by or added to constants, of no more bits; of products
  /// none, which a pre-defined operator hands on as they are.
  llvm::ArrayRef<unsigned> getScaled(unsigned value) const;
  /// The values that some product of matrices is: a pre-defined operator, which
  /// does nothing with its result, may be faster than a graph-defined kernel.
  const llvm::BitVector &getProducts() const { return products; }

private:
  std::optional<unsigned> getOriginal(unsigned value,
                                      const ValueEdge &edge) const;
  unsigned getWidth(unsigned value) const;
  bool isProduct(const Value &value) const;

  const SearchProgram &program;
  const ValueGraph &graph;
  /// The bits of an element of the narrowest input that a value is a copy of.
  std::vector<unsigned> inputWidth;
  /// Those of which reading the input takes more.
  llvm::BitVector gathered;
  llvm::BitVector products;
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 1>> scaled;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_COPIES_H
