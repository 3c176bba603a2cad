//===- KeptRowsShape.h - Room for rows in registers -------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic of kept rows (docs/Lowering.md), apart from the ops that they
// are of: the lowering finds them in IR (BlockPlan/KeptRows.h), and the cost
// model in graphs of the search, by the same numbers.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_KEPTROWSSHAPE_H
#define MIRAGE_DIALECT_MIRAGE_KEPTROWSSHAPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace mirage {

/// How the threads of a block share the rows of a kernel's tiles: each row's
/// lanes take vectors of it in turn, and keep them in registers.
class KeptRowsShape {
public:
  /// A tile of a kernel's input or of its output: its shape, and the bits of an
  /// element in device memory.
  struct Access {
    llvm::ArrayRef<int64_t> shape;
    int64_t bits;
    bool isInput;
  };
  /// What an operator computes of others, which stand in front of it, and of
  /// inputs: the shape of its result, the numbers of those others, whether it
  /// is a sum or maximum along rows, and whether an output is written with it.
  struct Step {
    llvm::ArrayRef<int64_t> shape;
    llvm::SmallVector<unsigned> operands;
    bool folds = false;
    bool isSaved = false;
  };
  /// None if there is no room, if tiles are of rows that don't go together, or
  /// sectors would be requested in parts.
  static std::optional<KeptRowsShape> get(llvm::ArrayRef<Access> accesses,
                                          llvm::ArrayRef<Step> steps);

  /// Whether a sum or maximum over a dimension of a tile is one along its rows:
  /// the last dimension, of several elements, which the result has as 1.
  static bool foldsRows(llvm::ArrayRef<int64_t> operand,
                        llvm::ArrayRef<int64_t> result, int64_t dim);

  /// Whether so many elements are whole sectors.
  static bool areSectors(int64_t elements, int64_t bits);

  /// The dimensions in front of the last one that tiles have, or have as 1.
  llvm::ArrayRef<int64_t> getRowShape() const { return rowShape; }
  int64_t getNumRows() const { return rows; }
  /// The threads that share a row, a power of two.
  int64_t getNumLanes() const { return lanes; }
  int64_t getNumThreads() const;
  /// The neighbours in a row of so many elements that a thread takes at a time.
  int64_t getWidth(int64_t length) const;
  /// How often it does, at most.
  int64_t getNumVectors(int64_t length) const;
  /// Whether all threads of a row have the vector with that number.
  bool isFull(int64_t length, int64_t vector) const;
  /// How often warps request an input's tile: what all rows have in common each
  /// of them loads, but for those of one warp, which do it together.
  int64_t countLoads(llvm::ArrayRef<int64_t> tile) const;
  /// How many elements all threads compute of a tile with rows of a length: if
  /// that is 1, each thread computes what its row has.
  int64_t countComputed(int64_t length) const;

private:
  /// The elements of a row of a length that a thread has at most.
  int64_t getNumElements(int64_t length) const {
    return getNumVectors(length) * getWidth(length);
  }
  /// Of what is computed in front of a sum or maximum, the elements that a
  /// thread keeps for what comes behind it, at most.
  int64_t countLive(llvm::ArrayRef<Step> steps) const;

  llvm::SmallVector<int64_t, 4> rowShape;
  int64_t rows = 1, lanes = 1;
  /// Of the lengths of rows that are accessed.
  llvm::SmallVector<std::pair<int64_t, int64_t>, 2> widths;
};

} // namespace mirage

#endif // MIRAGE_DIALECT_MIRAGE_KEPTROWSSHAPE_H
