//===- SquareSumShape.h - Sizes of sums of squares --------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which sums of squares tensor cores compute, as far as sizes say it: the
// lowering and the cost model ask here (docs/Lowering.md, "Sums of squares").
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_SQUARESUMSHAPE_H
#define MIRAGE_DIALECT_MIRAGE_SQUARESUMSHAPE_H

#include "llvm/Support/MathExtras.h"

namespace mirage {

/// Lines of so many elements, whose squares are summed up, in batches.
struct SquareSumShape {
  int64_t batches, lines, depth;

  static constexpr int64_t kTileLines = 16;
  int64_t getLineTiles() const { return llvm::divideCeil(lines, kTileLines); }

  /// Whether it is a matrix of whole pieces of 16 bytes.
  bool isPossible() const { return lines >= 2 && depth % 8 == 0; }

  /// Whether four warps can each have whole sums, of lines so short that
  /// sharing them gains nothing: for sums that an iteration reads.
  bool suitsWarps() const {
    constexpr int64_t kMostDepth = 256, kWarps = 4;
    auto divides = [&](int64_t batchWarps) {
      return batches % batchWarps == 0 &&
             getLineTiles() % (kWarps / batchWarps) == 0;
    };
    return depth <= kMostDepth && (divides(1) || divides(2) || divides(4));
  }
};

} // namespace mirage

#endif // MIRAGE_DIALECT_MIRAGE_SQUARESUMSHAPE_H
