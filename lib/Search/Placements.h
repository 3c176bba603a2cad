//===- Placements.h - Grids, loops and maps to search -----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_PLACEMENTS_H
#define MIRAGE_LIB_SEARCH_PLACEMENTS_H

#include "Program.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallBitVector.h"
#include <functional>

namespace mirage {

/// What can become of the dimensions of a tensor on its ways to the outputs, as
/// sets.
struct DimFates {
  /// They are dimensions of an output in the end: blocks can have parts of
  /// them.
  llvm::SmallBitVector survive;
  /// They are reduced: blocks can have all of them, and iterations parts.
  llvm::SmallBitVector vanish;
};

struct IteratorPlacement;
struct Placement;

/// Which ways to read its inputs a kernel uses: of those that there are, in the
/// order of the inputs, a bit for each.
using ReadSet = std::bitset<128>;
/// A kernel reads each input in at most so many ways, if two grid dimensions
/// cut one role; else in one less (Placement::getMostWaysToRead).
constexpr size_t kMostWaysToRead = 4;

/// One kernel to find: which tensors it reads and which it writes.
struct KernelProblem {
  llvm::SmallVector<const SearchTensor *, 4> inputs, outputs;
  /// Every kernel has to do this much work, and, if it has a grid over some
  /// roles, each of its blocks this much (LeastWork::getRepeated). Null: not
  /// known.
  OperatorCost leastWork;
  std::function<OperatorCost(const RoleSet &roles)> getRepeatedWork;
  /// Every kernel takes at least so many operators that count.
  unsigned leastOperators = 0;
  /// It may take so many.
  unsigned mostOperators = 0;
  /// For each input, what can become of it. Null: not known.
  std::function<std::vector<DimFates>()> getFates;
  /// The ways to read its inputs that go together in a frame, of those that
  /// there are (ReadSets.h); none, or null: not known.
  std::function<std::optional<std::vector<ReadSet>>(
      const Placement &frame,
      llvm::ArrayRef<std::vector<IteratorPlacement>> choices)>
      getReadSets;
  /// Hashes (LeastWork.h) of the whole tensors on the ways from the inputs to
  /// the outputs, and one of them all. They are not kept, since most problems
  /// are never searched. Null: not known.
  std::function<llvm::DenseSet<uint64_t>()> getUsefulTensors;
  uint64_t usefulTensorsHash = 0;

  /// The input or output that holds partial results, or null.
  const SearchTensor *getSplitInput() const;
  const SearchTensor *getSplitOutput() const;
};

/// What tensors are known by.
std::vector<unsigned> getIds(llvm::ArrayRef<const SearchTensor *> tensors);

/// How a tensor is brought into a block graph.
struct IteratorPlacement {
  unsigned input = 0;
  llvm::SmallVector<int64_t, 3> imap;
  /// The dimension that the loop cuts, or kReplica: then the tile can be read
  /// in the loop, outside of it, or at both places.
  int64_t fmap = -1;
};

/// A grid, a loop or none, and where the inputs are: what is fixed while
/// operators are added.
struct Placement {
  /// For each grid dimension the role that it partitions, or several: one in
  /// each output, of which none has two. Two may partition one role, in two
  /// dimensions of each output (x x^T).
  llvm::SmallVector<RoleSet, 3> gridRoles;
  /// The grid dimension that splits a reduction, the last; the others are of
  /// roles of the outputs.
  bool splits = false;
  /// What the loop partitions: a role, or (with kNoRole) the partial results
  /// of a split.
  bool hasLoop = false;
  int loopRole = kNoRole;
  /// The loop's parts are those of a split: always when it combines one, and
  /// when it stands for one that is still to be made.
  bool loopIsSplit = false;
  std::vector<IteratorPlacement> iterators;
  /// For each output, its omap.
  std::vector<llvm::SmallVector<int64_t, 3>> omaps;

  bool combinesSplit() const { return hasLoop && loopRole == kNoRole; }
  /// Whether two grid dimensions cut one role.
  bool cutsTwice() const;
  /// In how many ways an input may be read.
  size_t getMostWaysToRead() const {
    return cutsTwice() ? kMostWaysToRead : kMostWaysToRead - 1;
  }
  /// Into how many parts the loop and a grid dimension cut labels.
  int64_t getLoopLabel() const {
    return loopIsSplit ? kLabelParts.split : kLabelParts.loop;
  }
  int64_t getGridLabel(size_t dim) const;
  /// The label of an iterator's tile and of an output's.
  Shape getTileLabel(const IteratorPlacement &iterator,
                     const SearchTensor &input) const;
  Shape getTileLabel(const SearchTensor &output,
                     llvm::ArrayRef<int64_t> omap) const;
  /// Where a tile is in a tensor, as if an iterator read it there; none: it is
  /// no tile of that.
  std::optional<IteratorPlacement>
  findTile(const Roles &roles, llvm::ArrayRef<int64_t> tensorLabel,
           llvm::ArrayRef<int64_t> tileLabel) const;
};

/// No grid and no loop: tiles are whole tensors.
Placement getWholePlacement(const KernelProblem &problem);

/// The grids and loops to search, with omaps, but without iterators: every
/// choice of roles, but for those that can't lead to the outputs, unless the
/// rule `partitions` is off.
std::vector<Placement> enumerateFrames(const SearchProgram &program,
                                       const KernelProblem &problem,
                                       const SearchOptions &options);

/// Every way to read an input in such a frame: its dimensions cut by the grid,
/// and by the loop. A placement has one or some of them for each input.
std::vector<IteratorPlacement>
getWaysToRead(const SearchProgram &program, const KernelProblem &problem,
              const SearchOptions &options, const Placement &frame,
              unsigned input, const DimFates &fates);

/// Whether every grid dimension, and the loop, cuts some input: otherwise its
/// blocks or iterations all do the same.
bool cutsInputs(const Placement &placement);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_PLACEMENTS_H
