//===- KeptRows.h - Kernels that keep their rows in registers ---*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_COST_KEPTROWS_H
#define MIRAGE_LIB_COST_KEPTROWS_H

#include "Mirage/Dialect/Mirage/KeptRowsShape.h"
#include "Mirage/Mugraph/Mugraph.h"

namespace mirage {

/// How the lowering lets threads keep the rows of a block graph
/// (BlockPlan/KeptRows.h); none if it doesn't.
std::optional<KeptRowsShape> findKeptRows(const BlockGraph &block,
                                          llvm::ArrayRef<KernelTensor> inputs,
                                          llvm::ArrayRef<KernelTensor> outputs);

} // namespace mirage

#endif // MIRAGE_LIB_COST_KEPTROWS_H
