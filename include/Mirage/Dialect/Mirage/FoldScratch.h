//===- FoldScratch.h - Shared memory of sums and maxima ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_FOLDSCRATCH_H
#define MIRAGE_DIALECT_MIRAGE_FOLDSCRATCH_H

#include <cstdint>

namespace mirage {

/// What a tile takes in shared memory at most, in bytes, that a sum or maximum
/// alone reads, and computes where it reads it: through it the warps of a block
/// of up to 256 threads exchange their parts, an f32 each.
constexpr int64_t kFoldScratchBytes = 256 / 32 * 4;

} // namespace mirage

#endif // MIRAGE_DIALECT_MIRAGE_FOLDSCRATCH_H
