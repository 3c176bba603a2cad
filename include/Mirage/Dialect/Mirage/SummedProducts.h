//===- SummedProducts.h - Products in registers of a loop -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_SUMMEDPRODUCTS_H
#define MIRAGE_DIALECT_MIRAGE_SUMMEDPRODUCTS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace mirage {

/// How many tiles of 16 x 8 a warp has in registers at a time, at most.
constexpr int64_t kMostTilesOfWarp = 32;

/// A product of matrices that a loop sums up, and nothing else reads.
struct SummedProduct {
  llvm::ArrayRef<int64_t> shape;
  bool isRescaled = false;
};

/// Whether eight warps, which a block has where its sums are many, can keep all
/// that a loop sums up in registers, and what an iteration adds to sums that
/// are rescaled: evenly shared, each in tiles of 16 x 8. Then products on
/// tensor cores take no tile in shared memory.
bool haveRoomInRegisters(llvm::ArrayRef<SummedProduct> products);

} // namespace mirage

#endif // MIRAGE_DIALECT_MIRAGE_SUMMEDPRODUCTS_H
