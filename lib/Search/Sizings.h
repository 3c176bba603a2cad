//===- Sizings.h - Real sizes for grids and loops ---------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_SIZINGS_H
#define MIRAGE_LIB_SEARCH_SIZINGS_H

#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Structures.h"
#include "TensorTiles.h"

namespace mirage {

/// One choice of sizes for a placement.
struct Sizing {
  llvm::SmallVector<int64_t, 3> grid;
  int64_t iterations = 0;
  int64_t partsRead = 1, partsWritten = 1;
  /// What no kernel with this placement and these sizes can undercut: it moves
  /// the tiles, and holds them in shared memory, even if it computes nothing.
  double bound = 0;
  /// What the iterators' tiles take of it.
  double sharedBytes = 0;
  /// What `bound` is the time of.
  KernelLoad load;
};

/// The choices of sizes for a grid and a loop, and what they cost as its
/// iterators become known. Each size is a divisor greater than 1 of a role's
/// size, or one that doesn't divide it (CutChoices.h).
///
/// Iterators are placed input by input. As long as some are not, their part of
/// the bounds is that of the cheapest of `choices`.
class FrameSizings {
public:
  FrameSizings(const SearchProgram &program, const KernelProblem &problem,
               const Placement &frame, const TargetNumbers &target,
               std::vector<std::vector<IteratorPlacement>> choices,
               TensorTilesCache &cache);

  /// A choice of sizes, and the tiles of the inputs placed so far.
  struct Partial {
    unsigned size = 0;
    Tiles tiles;
    double bound = 0;
  };

  /// All that fit in shared memory and have bounds below `limit`. To be called
  /// once.
  std::vector<Partial> start(double limit);
  /// By the set of grid dimensions, the work that each block does if blocks
  /// can't share it out in any of these.
  using RepeatedWork = llvm::SmallVector<OperatorCost, 8>;
  /// Removes from what `start` returned those whose bounds are not below
  /// `limit` with this work, of which bounds know from now on.
  void setRepeatedWork(const RepeatedWork &work, std::vector<Partial> &partials,
                       double limit);
  /// Those that are left when the next input is read in these of its ways.
  std::vector<Partial> place(llvm::ArrayRef<Partial> partials, unsigned input,
                             llvm::ArrayRef<size_t> ways, double limit);
  /// No bound of what was above the limits so far is less; infinite: nothing
  /// was.
  double getLeastLeftOut() const { return leastLeftOut; }
  /// How many sizes `start` has looked at, grids with any loop and such with
  /// one.
  int64_t getNumSizes() const { return numSizes; }
  /// Once all inputs are placed, each in the ways that are left of
  /// its choices.
  Sizing getSizing(const Partial &partial) const;

private:
  /// The sizes of the grid and the loop, and what follows from them alone.
  struct Size : ChosenSizes {
    int64_t partsRead = 1, partsWritten = 1, blocks = 1;
    /// Of tensors, and of the tiles that all blocks write.
    double deviceBytes = 0, writtenBytes = 0, writtenCycles = 0;
    OperatorCost work;
  };

  /// Calls `foundGrid` for each grid, with the smallest of several loops, and
  /// where it returns true `found` for this grid with each loop.
  void enumerateSizes(llvm::function_ref<bool(const Size &)> foundGrid,
                      llvm::function_ref<void(const Size &)> found) const;
  /// What all blocks write.
  void findWritten(Size &size) const;
  bool divides(const Size &size, const IteratorPlacement &way) const;
  /// What blocks of a cluster of some size can share.
  using GetBulkLoads = llvm::function_ref<BulkLoads(int64_t)>;
  KernelLoad getLoad(const Size &size, const Tiles &tiles,
                     GetBulkLoads getBulkLoads) const;
  BulkLoads getBulkLoads(const Size &size, int64_t numSharers) const;
  std::optional<double> getBound(const Size &size, const Tiles &tiles,
                                 double limit);
  bool isBelow(Partial &partial, unsigned placed, double limit);

  const SearchProgram &program;
  const KernelProblem &problem;
  const Placement &frame;
  const TargetNumbers &target;
  std::vector<std::vector<IteratorPlacement>> choices;
  SizeChoices sizeChoices;
  llvm::SmallVector<std::shared_ptr<TensorTiles>, 6> inputs, outputs;
  /// Those that may be cheap enough, whatever their tiles.
  std::vector<Size> sizes;
  /// By size, and number of inputs placed: what the others add at least to
  /// shared memory and requests, and at most to what an iteration loads.
  std::vector<Tiles> rests;
  double leastLeftOut = std::numeric_limits<double>::infinity();
  int64_t numSizes = 0;
};

/// The work that is repeated in a frame for this problem; empty: not known.
FrameSizings::RepeatedWork getRepeatedWork(const KernelProblem &problem,
                                           const Placement &frame);

/// The choices of sizes for a placement that it may have, fit in shared
/// memory and have bounds below `limit`.
std::vector<Sizing>
getSizings(const SearchProgram &program, const KernelProblem &problem,
           const Placement &placement, const FrameSizings::RepeatedWork &work,
           const TargetNumbers &target, TensorTilesCache &cache, double limit);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_SIZINGS_H
