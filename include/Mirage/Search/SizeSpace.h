//===- SizeSpace.h - The sizes that a structure leaves open -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SIZESPACE_H
#define MIRAGE_SEARCH_SIZESPACE_H

#include "Mirage/Mugraph/Mugraph.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <optional>

namespace mirage {

struct SizeSpaceImpl;

/// The decisions that are left when the structure of a μGraph is known: the
/// sizes of grids, loops and splits, from which those of all tiles follow. Each
/// is a number that divides dimensions of the program, or cuts them unevenly.
/// Every valid point of the space is a μGraph that computes what the program
/// does; the search returns the one that its cost model likes best, and whoever
/// has a better model (a learned one, or a stopwatch) can ask for the others
/// here.
///
/// A space is immutable and can be used by several threads at once.
class SizeSpace {
public:
  /// One number to choose.
  struct Decision {
    enum class Kind {
      /// The blocks along a dimension of a kernel's grid.
      Grid,
      /// The iterations of a kernel's loop.
      Loop,
      /// The parts of a split: a grid dimension of the kernel that writes
      /// partial results, and the iterations of the one that combines them.
      Split,
    };
    Kind kind = Kind::Grid;
    /// The node of the kernel graph; for a split the writing one.
    unsigned kernel = 0;
    /// The dimension of its grid; 0 for a loop.
    unsigned gridDim = 0;
    /// The size, in elements, of the program's dimension that is divided; of
    /// several (a grid dimension can cut one in each output) what they have in
    /// common: their greatest common divisor.
    int64_t extent = 0;
    /// The numbers to choose from, in increasing order: divisors of the extent,
    /// of which 1 is not among them, as it would be another structure; and of a
    /// grid, where none of these leaves tiles of 16 to 64 elements, or a loop,
    /// where none leaves tiles of whole eights from 16 to 128, numbers that
    /// don't divide it (C5 of mirage_block.input_iterator and loop).
    llvm::SmallVector<int64_t> choices;

    /// "kernel 0: grid y", for people.
    std::string getName() const;
  };
  /// A number for each decision, in their order.
  using Point = llvm::SmallVector<int64_t, 8>;
  struct Ranked {
    Point point;
    double cost = 0;
  };

  explicit SizeSpace(std::unique_ptr<const SizeSpaceImpl> impl);
  ~SizeSpace();

  llvm::ArrayRef<Decision> getDecisions() const;
  /// The point that the search has chosen.
  const Point &getChosen() const;

  /// The μGraph at a point, at the program's sizes. Nothing unless there is one
  /// choice for each decision, the tiles have sizes that they may have, and
  /// those of each block fit in the target's shared memory.
  std::optional<KernelGraph> instantiate(llvm::ArrayRef<int64_t> point) const;

  /// Calls `visit` with every valid point and its μGraph, in lexicographic
  /// order, as long as it returns true.
  void enumerate(
      llvm::function_ref<bool(const Point &, const KernelGraph &)> visit) const;

  /// The `keep` valid points of least cost, cheapest first; equals in
  /// lexicographic order.
  std::vector<Ranked>
  rank(llvm::function_ref<double(const KernelGraph &)> getCost,
       size_t keep) const;

private:
  std::unique_ptr<const SizeSpaceImpl> impl;
};

} // namespace mirage

#endif // MIRAGE_SEARCH_SIZESPACE_H
