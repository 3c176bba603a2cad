//===- UnevenLoop.h - Loops that don't divide what they cut -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_UNEVENLOOP_H
#define MIRAGE_MUGRAPH_UNEVENLOOP_H

#include "Mirage/Mugraph/Mugraph.h"
#include "Mirage/Operators/FollowCut.h"

namespace mirage {

/// The elements that a graph's loop cuts and doesn't divide, of inputs with
/// these shapes; 0: it divides all.
int64_t getUnevenExtent(const BlockGraph &graph, llvm::ArrayRef<Shape> inputs);

/// What each node of a graph's loop is, of elements that it cuts and doesn't
/// divide; none if C5 of mirage_block.loop doesn't hold. The nodes have shapes.
std::optional<std::vector<CutValue>> followLoop(const BlockGraph &graph,
                                                llvm::ArrayRef<Shape> inputs);

} // namespace mirage

#endif // MIRAGE_MUGRAPH_UNEVENLOOP_H
