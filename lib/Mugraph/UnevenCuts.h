//===- UnevenCuts.h - Grids and loops that don't divide ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_MUGRAPH_UNEVENCUTS_H
#define MIRAGE_LIB_MUGRAPH_UNEVENCUTS_H

#include "Mirage/Mugraph/Mugraph.h"

namespace mirage {

/// Whether a grid dimension divides all that it cuts, of inputs with these
/// shapes and of what savers write.
bool cutsEvenly(const BlockGraph &graph, unsigned gridDim,
                llvm::ArrayRef<Shape> inputs);

/// What a grid dimension doesn't divide: its elements, and along which
/// dimension each tile has a part of them.
struct FollowedCut {
  int64_t extent = 0;
  std::vector<int64_t> dims;
};

/// What a grid dimension cuts that it doesn't divide; none if C4 of
/// mirage_kernel.graph_defined doesn't hold.
std::optional<FollowedCut> followUneven(const BlockGraph &graph,
                                        unsigned gridDim,
                                        llvm::ArrayRef<Shape> inputs);

} // namespace mirage

#endif // MIRAGE_LIB_MUGRAPH_UNEVENCUTS_H
