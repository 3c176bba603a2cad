//===- SharedAccesses.h - What kernels do to tiles --------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_SHAREDACCESSES_H
#define MIRAGE_BLOCKPLAN_SHAREDACCESSES_H

#include "Mirage/Layout/AccessCost.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"

namespace mirage {

/// That the threads of a block store all of a tile in shared memory, or a part,
/// or load it: as the lowering will have them do it.
struct SharedAccess {
  mlir::Value tile;
  TileView view;
  AccessPattern pattern;
  /// How often in a run of the kernel.
  int64_t times;
};

/// All accesses of a block graph to tiles in shared memory, whatever their
/// layouts. Of operators on elements that are neither elementwise nor folds,
/// each operand counts as if it were read once, in its own order.
llvm::SmallVector<SharedAccess> getSharedAccesses(mlir::Block &blockGraph);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_SHAREDACCESSES_H
