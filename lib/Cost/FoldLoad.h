//===- FoldLoad.h - What is computed where it is folded ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_COST_FOLDLOAD_H
#define MIRAGE_LIB_COST_FOLDLOAD_H

#include "Mirage/Mugraph/Mugraph.h"
#include <optional>

namespace mirage {

/// The iteration space of a sum or maximum of one dimension, which comes last;
/// none if the node is something else.
std::optional<IterationSpace> getFoldSpace(const BlockGraph &block,
                                           const BlockNode &node);

class ProductLoads;

/// Follows the lowering (BlockPlan/FoldPlan.h): what nobody reads but a sum or
/// maximum over a dimension is computed by the lanes that fold it, also by
/// those for which nothing is left.
class FoldLoads {
public:
  FoldLoads(const BlockGraph &block, llvm::ArrayRef<KernelTensor> inputs,
            const ProductLoads &products);

  /// How many elements of the elementwise operator that is node `i` are
  /// computed each time that it runs.
  int64_t countComputed(unsigned i) const;

private:
  struct Reader {
    bool isKnown = false;
    /// The fold that all of it goes to; none if something else reads it.
    std::optional<unsigned> fold;
  };

  bool isComputedFor(unsigned i, unsigned fold) const;
  /// The fewest and the most bytes of an element of what lanes read.
  std::pair<int64_t, int64_t> getElementBytes(unsigned fold,
                                              size_t fromLast) const;

  const BlockGraph &block;
  llvm::ArrayRef<KernelTensor> inputs;
  int64_t threads;
  std::vector<Reader> readers;
};

} // namespace mirage

#endif // MIRAGE_LIB_COST_FOLDLOAD_H
