//===- MatrixDescriptor.h - Where wgmma finds its operands ------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Asynchronous warpgroup level matrix shared memory layout": an
// operand consists of core matrices of 8 pieces of 16 bytes. In an operand that
// is K-major a piece holds neighbours along k, and a core matrix has 8 rows of
// A (columns of B); otherwise ("transposed") a piece holds neighbours along the
// rows, and a core matrix has 8 steps of k.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_RUNTIME_MATRIXDESCRIPTOR_H
#define MIRAGE_LIB_RUNTIME_MATRIXDESCRIPTOR_H

#include "TensorMaps.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>

namespace mirage {

struct MatrixDescriptor {
  /// Of an operand with `size` rows of A, or columns of B. It spans 32 bytes of
  /// k, or, transposed, 16 elements of 16 bits.
  MatrixDescriptor(uint64_t bits, unsigned size, bool transposed)
      : size(size), transposed(transposed), start((bits & 0x3fff) << 4),
        leading((bits >> 16 & 0x3fff) << 4), stride((bits >> 32 & 0x3fff) << 4),
        baseOffset(bits >> 49 & 7) {
    constexpr int64_t swizzles[] = {0, 128, 64, 32};
    swizzleBytes = swizzles[bits >> 62];
    constexpr uint64_t known = 0x3fff | uint64_t{0x3fff} << 16 |
                               uint64_t{0x3fff} << 32 | uint64_t{7} << 49 |
                               uint64_t{3} << 62;
    reserved = bits & ~known;
  }

  /// The offset in shared memory of an element of `bytes` bytes, by its row of
  /// A (column of B) and k.
  uint32_t getOffset(unsigned row, unsigned k, unsigned bytes) const {
    unsigned perPiece = kPieceBytes / bytes;
    return transposed ? getPiece(row / perPiece, k) + row % perPiece * bytes
                      : getPiece(row, k / perPiece) + k % perPiece * bytes;
  }

  /// Calls `piece` with the offset of each piece of the rows from `begin` to
  /// `end`, multiples of 8.
  template <typename Function>
  void forEachPiece(unsigned begin, unsigned end, Function piece) const {
    forEachCoreMatrix(begin, end, [&](const std::array<int64_t, 8> &rows) {
      for (int64_t offset : rows)
        piece(static_cast<uint32_t>(offset));
    });
  }
  /// Calls `matrix` with the offsets of the pieces of each core matrix.
  template <typename Function> void forEachCoreMatrix(Function matrix) const {
    forEachCoreMatrix(0, size, matrix);
  }

  unsigned size;
  bool transposed;
  /// In bytes.
  uint32_t start, leading, stride;
  unsigned baseOffset;
  int64_t swizzleBytes;
  /// Bits that have no meaning.
  uint64_t reserved;

private:
  template <typename Function>
  void forEachCoreMatrix(unsigned begin, unsigned end, Function matrix) const {
    for (unsigned i = begin / 8; i < end / 8; ++i)
      for (unsigned j = 0; j < 2; ++j) {
        std::array<int64_t, 8> rows;
        for (unsigned r = 0; r < 8; ++r)
          rows[r] =
              transposed ? getPiece(i, j * 8 + r) : getPiece(i * 8 + r, j);
        matrix(rows);
      }
  }

  /// K-major: the piece of a row, and of 16 bytes of k. Transposed: of 8 rows,
  /// and of one k.
  uint32_t getPiece(unsigned row, unsigned k) const {
    uint32_t offset = start, width = swizzleBytes ? swizzleBytes : kPieceBytes;
    if (!transposed) {
      offset += row % 8 * width + row / 8 * stride;
      offset += k * (swizzleBytes ? kPieceBytes : leading);
    } else if (swizzleBytes) {
      unsigned pieces = width / kPieceBytes;
      offset += row % pieces * kPieceBytes + row / pieces * leading;
      offset += k % 8 * width + k / 8 * stride;
    } else {
      offset += row * stride + k % 8 * kPieceBytes + k / 8 * leading;
    }
    return swizzle(offset, swizzleBytes);
  }
};

} // namespace mirage

#endif // MIRAGE_LIB_RUNTIME_MATRIXDESCRIPTOR_H
