//===- SharedMemory.h - The shared memory of block graphs -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_SHAREDMEMORY_H
#define MIRAGE_MUGRAPH_SHAREDMEMORY_H

#include "Mirage/Mugraph/Mugraph.h"

namespace mirage {

/// What the tile of each node of a block graph takes of shared memory when the
/// graph is exported, in bytes; 0 if it is in none. A maximum that sums are
/// rescaled by has what they need of it, too.
llvm::SmallVector<int64_t>
getSharedTileBytes(const BlockGraph &graph,
                   llvm::ArrayRef<KernelTensor> inputs);

/// The bytes of shared memory that the tiles of a block graph take when it is
/// exported, as the function of this name counts them in IR
/// (Dialect/Mirage/Mirage.h).
int64_t getSharedBytes(const BlockGraph &graph,
                       llvm::ArrayRef<KernelTensor> inputs);
/// The most of a kernel graph's block graphs; 0 without one.
int64_t getMostSharedBytes(const KernelGraph &graph);

} // namespace mirage

#endif // MIRAGE_MUGRAPH_SHAREDMEMORY_H
