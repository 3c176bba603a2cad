//===- Sizings.h - Real sizes for grids and loops ---------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_SIZINGS_H
#define MIRAGE_LIB_SEARCH_SIZINGS_H

#include "Mirage/Cost/CostModel.h"
#include "Structures.h"

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

/// Of the dimensions of a grid x may have 2^31 - 1 blocks.
inline constexpr int64_t kMostBlocksInYZ = 65535;

/// Calls `visit` with every choice of sizes for a placement that divides evenly
/// and whose tiles fit in shared memory. Each is a divisor greater than 1 of a
/// role's size.
void enumerateSizings(const SearchProgram &program,
                      const KernelProblem &problem, const Placement &placement,
                      const TargetNumbers &target,
                      llvm::function_ref<void(const Sizing &)> visit);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_SIZINGS_H
