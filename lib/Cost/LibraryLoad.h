//===- LibraryLoad.h - What a library's kernel has to do --------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_COST_LIBRARYLOAD_H
#define MIRAGE_LIB_COST_LIBRARYLOAD_H

#include "Mirage/Cost/CostModel.h"

namespace mirage {

/// Of a pre-defined operator. A library kernel is taken to be a good one: each
/// SM has a block that streams its share in tiles that keep the memory busy. A
/// product with fewer parts than that is computed by as many blocks as it has
/// parts, or cut along its depth, and another kernel adds up the sums.
KernelLoad getLibraryLoad(const KernelGraph &graph, const KernelNode &node,
                          const TargetNumbers &target);

} // namespace mirage

#endif // MIRAGE_LIB_COST_LIBRARYLOAD_H
