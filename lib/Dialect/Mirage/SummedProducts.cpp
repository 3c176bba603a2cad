//===- SummedProducts.cpp - Products in registers of a loop ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Mirage/SummedProducts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mirage;

/// The tiles of 16 x 8 that a product of matrices has, or transposed, if these
/// are fewer.
static int64_t countTiles(llvm::ArrayRef<int64_t> shape) {
  constexpr int64_t kRows = 16, kCols = 8;
  auto count = [](int64_t rows, int64_t cols) {
    return llvm::divideCeil(rows, kRows) * llvm::divideCeil(cols, kCols);
  };
  const int64_t rows = shape[shape.size() - 2], cols = shape.back();
  return llvm::product_of(shape.drop_back(2)) *
         std::min(count(rows, cols), count(cols, rows));
}

bool mirage::haveRoomInRegisters(llvm::ArrayRef<SummedProduct> products) {
  // What is rescaled takes as much again, and all have an equal part, as the
  // lowering gives them (TensorCoreUse.cpp). Powers of two that divide the
  // number of tiles divide batches, rows and columns.
  constexpr int64_t kWarps = 8;
  int64_t parts = 0;
  for (const SummedProduct &product : products)
    parts += product.isRescaled ? 2 : 1;
  return llvm::all_of(products, [&](const SummedProduct &product) {
    if (product.shape.size() < 2)
      return false;
    const int64_t tiles = countTiles(product.shape);
    return tiles / std::gcd(tiles, kWarps) <= kMostTilesOfWarp / parts;
  });
}
