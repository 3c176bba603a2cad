//===- TensorTiles.h - Tiles that blocks read and write ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_TENSORTILES_H
#define MIRAGE_LIB_SEARCH_TENSORTILES_H

#include "Mirage/Cost/Clusters.h"
#include "Mirage/Cost/CostModel.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Placements.h"

namespace mirage {

/// What iterators add to a block: to its shared memory, to what it requests in
/// all its iterations, and to what an iteration loads, where the largest one
/// counts if an input has several.
struct Tiles {
  double sharedBytes = 0, requestedBytes = 0;
  /// What the threads of warps would request more than the tensor memory
  /// accelerator, of what that may load.
  double cutBytes = 0, bytesPerIteration = 0;
  /// What a further stage takes, and what all iterations take of the SM's
  /// memory (KernelLoad).
  double stageBytes = 0, accessCycles = 0, sharedTraffic = 0;
  /// What varies in the loop, and how many of its tiles the tensor memory
  /// accelerator can't load.
  BulkLoads bulkLoads;
  unsigned notBulk = 0;
  /// How many of its tiles can't be partial results that are only summed up.
  unsigned notStreamed = 0;
  Tiles &operator+=(const Tiles &other);
};

/// The sizes that a grid and a loop may have, each in increasing order.
struct SizeChoices {
  SizeChoices(const SearchProgram &program, const KernelProblem &problem,
              const Placement &frame);

  llvm::SmallVector<llvm::SmallVector<int64_t>, 3> grid;
  llvm::SmallVector<int64_t> loop;
};

/// One of them.
struct ChosenSizes {
  llvm::SmallVector<int64_t, 3> grid;
  int64_t iterations = 0;
  /// Which of the choices for the grid and, last, the loop these are.
  std::array<uint32_t, kMaxGridDims + 1> numbers = {};
};

/// What is left of a dimension; where it can't be divided there is no kernel,
/// and any size will do.
inline void cut(int64_t &extent, int64_t parts) {
  extent = std::max<int64_t>(extent / parts, 1);
}
/// The same of what contains the factor `size`, a dimension that a grid or loop
/// cuts, perhaps unevenly.
inline void cutUneven(int64_t &extent, const int64_t size, int64_t parts) {
  if (auto part = getUnevenPart(size, parts))
    extent = extent / size * *part;
  else
    cut(extent, parts);
}

/// The tiles of a tensor that is read in some ways in a frame, or written as it
/// would be read, each computed when it is first asked for: many sizes have
/// them in common. For one thread.
class TensorTiles {
public:
  TensorTiles(const SearchProgram &program, const SearchTensor &tensor,
              const Placement &frame, const SizeChoices &choices,
              const TargetNumbers &target,
              llvm::ArrayRef<IteratorPlacement> ways);

  /// What reading it in one of the ways adds. Valid until the next call. Of the
  /// partial results of a split: what reading one part of them does.
  const Tiles &get(const ChosenSizes &sizes, size_t way);
  /// What it adds at least, however it is read. Valid until the next call.
  const Tiles &getLeast(const ChosenSizes &sizes);
  /// What it adds at least with these sizes of the grid, whatever the loop's.
  /// Valid until the next call.
  const Tiles &getLeastOfLoop(const ChosenSizes &sizes);
  /// It never takes the memory of more tiles.
  size_t getMostKept() const;

  /// The whole tensor's, of one part if it is a split.
  const Shape shape;
  const int64_t bits;

private:
  Tiles find(const ChosenSizes &sizes, const IteratorPlacement &way) const;
  Tiles findLeast(const ChosenSizes &sizes);
  Tiles findLeastOfLoop(ChosenSizes sizes);

  const bool combinesSplit;
  const TargetNumbers target;
  const std::vector<IteratorPlacement> ways;
  const llvm::SmallVector<int64_t> loop;
  /// What depends on the sizes of what cuts the tensor alone.
  struct Known {
    Known(const SizeChoices &choices, llvm::ArrayRef<IteratorPlacement> ways);
    const Tiles &get(const ChosenSizes &sizes,
                     llvm::function_ref<Tiles()> find);

    /// By what the numbers of choices are multiplied to give the position in
    /// `positions`, which is that in `tiles`, or kNotYet.
    std::array<uint32_t, kMaxGridDims + 1> strides = {};
    static constexpr uint32_t kNotYet = ~0u;
    std::vector<uint32_t> positions;
    std::vector<Tiles> tiles;
  };
  /// Of each way, what all have in common, and what all loops have.
  std::vector<Known> known;
  Known least, leastOfLoop;
};

/// Keeps the tiles of tensors from one problem to the next, most of which read
/// some of the same ones in the same ways. For one thread.
class TensorTilesCache {
public:
  TensorTilesCache(const SearchProgram &program, TargetAttr target)
      : program(program), target(target) {}

  std::shared_ptr<TensorTiles> get(const SearchTensor &tensor,
                                   const Placement &frame,
                                   const SizeChoices &choices,
                                   llvm::ArrayRef<IteratorPlacement> ways);

private:
  const SearchProgram &program;
  const TargetNumbers target;
  /// By all that they depend on, and its hash.
  using Key = llvm::SmallVector<int64_t, 64>;
  llvm::DenseMap<uint64_t, std::pair<Key, std::shared_ptr<TensorTiles>>> known;
  size_t mostKept = 0;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_TENSORTILES_H
