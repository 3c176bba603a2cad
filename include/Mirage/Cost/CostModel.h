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

/// An estimate for one kernel or a whole kernel graph. docs/CostModel.md has the
/// formulae.
struct CostEstimate {
  double nanoseconds = 0;
  /// Bytes that must cross between device memory and the chip: every input once
  /// for each kernel that reads it, every output once.
  int64_t deviceBytes = 0;
  /// Bytes that the blocks load and store in all; what exceeds `deviceBytes` is
  /// served by the L2 cache.
  int64_t requestedBytes = 0;
  int64_t tensorFlops = 0;
  unsigned kernels = 0;

  CostEstimate &operator+=(const CostEstimate &other);
};

/// The cost of node `index` of a kernel graph.
CostEstimate estimateKernel(const KernelGraph &graph, const KernelNode &node,
                            TargetAttr target);

/// The cost of all kernels of a graph, one after the other.
CostEstimate estimateCost(const KernelGraph &graph, TargetAttr target);

/// What no graph of `kernels` kernels for this program can undercut: the
/// launches, and each input that the outputs depend on and each output moved once
/// at full bandwidth.
double getLowerBound(const KernelGraph &reference, unsigned kernels,
                     TargetAttr target);

} // namespace mirage

#endif // MIRAGE_COST_COSTMODEL_H
