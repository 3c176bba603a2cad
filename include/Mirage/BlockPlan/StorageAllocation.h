//===- StorageAllocation.h - Dynamic storage allocation ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where buffers that live from one step to another go in one piece of memory,
// so that it is as small as can be (paper, section 6, "memory planning";
// docs/Optimizer.md). An engine on plain numbers.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_STORAGEALLOCATION_H
#define MIRAGE_BLOCKPLAN_STORAGEALLOCATION_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <utility>

namespace mirage {

/// A buffer that keeps its place from its first to its last step, both
/// included.
struct StorageBuffer {
  /// At least 0, at most 2^48.
  int64_t bytes;
  /// What its offset is a multiple of: 1 to 2^48.
  int64_t alignment;
  unsigned firstStep;
  unsigned lastStep;
};

struct StorageProblem {
  llvm::SmallVector<StorageBuffer> buffers;
  /// Buffers that can't share bytes although they have no step in common.
  llvm::SmallVector<std::pair<unsigned, unsigned>> conflicts;
};

struct StoragePlan {
  /// For each buffer its first byte.
  llvm::SmallVector<int64_t> offsets;
  /// The end of the last buffer, in bytes.
  int64_t size = 0;
  /// Whether none is smaller.
  bool isOptimal = true;
};

/// The most bytes that live at one step: no plan is smaller.
int64_t getLiveBytes(const StorageProblem &problem);

/// Whether two buffers are kept apart: they have a step in common, or conflict.
bool conflict(const StorageProblem &problem, unsigned a, unsigned b);

/// The smallest plan, by branch and bound; after `workLimit` visits of a buffer
/// the smallest that was found, which is never larger than first-fit's.
StoragePlan allocateStorage(const StorageProblem &problem,
                            int64_t workLimit = 50'000'000);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_STORAGEALLOCATION_H
