//===- CostModel.h - What a μGraph is expected to cost ----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_COST_COSTMODEL_H
#define MIRAGE_COST_COSTMODEL_H

#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Mugraph/Mugraph.h"

namespace mirage {

/// An estimate for one kernel or a whole kernel graph. docs/CostModel.md has
/// the formulae.
struct CostEstimate {
  double nanoseconds = 0;
  /// Bytes that must cross between device memory and the chip: every input once
  /// for each kernel that reads it, every output once; in whole sectors.
  int64_t deviceBytes = 0;
  /// Bytes of the sectors that the blocks load and store in all; what exceeds
  /// `deviceBytes` is served by the L2 cache.
  int64_t requestedBytes = 0;
  int64_t tensorFlops = 0;
  unsigned kernels = 0;

  CostEstimate &operator+=(const CostEstimate &other);
};

/// What a target can do, in the units of the formulae: bytes and operations in
/// a nanosecond.
struct TargetNumbers {
  explicit TargetNumbers(TargetAttr target);
  int64_t smCount, sharedBytes;
  double bandwidth, tensorFlops, launch;
};

/// What decides how long a graph-defined kernel takes.
struct KernelLoad {
  int64_t blocks = 1;
  /// 0: no loop.
  int64_t iterations = 0;
  /// As in CostEstimate.
  double deviceBytes = 0, requestedBytes = 0;
  /// What a block loads in an iteration, or in all if it has no loop.
  double bytesPerIteration = 0;
  /// The shared memory of a block.
  int64_t sharedBytes = 0;
  /// Of all blocks.
  OperatorCost work;
};

/// The time of a kernel, the launch included, in nanoseconds. It grows with
/// every field but `blocks`, `iterations` and `bytesPerIteration`.
double estimateNanoseconds(const KernelLoad &load, const TargetNumbers &target);

/// The cost of node `index` of a kernel graph.
CostEstimate estimateKernel(const KernelGraph &graph, const KernelNode &node,
                            TargetAttr target);

/// The cost of all kernels of a graph, one after the other.
CostEstimate estimateCost(const KernelGraph &graph, TargetAttr target);

} // namespace mirage

#endif // MIRAGE_COST_COSTMODEL_H
