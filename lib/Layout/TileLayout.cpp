//===- TileLayout.cpp - The elements of a tile in shared memory -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Layout/TileLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/MathExtras.h"
#include <array>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// What the hardware moves at once, and swizzles permute.
constexpr int64_t kPieceBytes = 16;
/// The banks' words together; also where the bits begin that swizzles read.
constexpr int64_t kRowOfBanks = 128;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

int64_t TileLayout::getNumRows() const {
  return shape.size() < 2 ? 1 : shape[shape.size() - 2];
}

int64_t TileLayout::getNumColumns() const {
  return shape.empty() ? 1 : shape.back();
}

int64_t TileLayout::getRunBytes() const {
  return (isColumnMajor ? getNumRows() : getNumColumns()) * elementBytes;
}

bool TileLayout::isValid() const {
  if (elementBytes < 1 || elementBytes > kPieceBytes ||
      !llvm::isPowerOf2_64(elementBytes) || paddingBytes < 0 ||
      paddingBytes % elementBytes != 0 ||
      llvm::any_of(shape, [](int64_t size) { return size < 1; }))
    return false;
  if (swizzleBytes == 0)
    return true;
  return (swizzleBytes == 32 || swizzleBytes == 64 || swizzleBytes == 128) &&
         paddingBytes == 0 && getRunBytes() % swizzleBytes == 0;
}

int64_t TileLayout::getAlignment() const {
  // 2, 4 or 8 rows of banks.
  return swizzleBytes == 0 ? kPieceBytes
                           : kRowOfBanks * (swizzleBytes / kPieceBytes);
}

/// The bytes from one matrix of a tile to the next.
static int64_t getMatrixBytes(const TileLayout &layout) {
  int64_t runs =
      layout.isColumnMajor ? layout.getNumColumns() : layout.getNumRows();
  return llvm::alignTo(runs * (layout.getRunBytes() + layout.paddingBytes),
                       layout.getAlignment());
}

int64_t TileLayout::getOffset(ArrayRef<int64_t> index) const {
  int64_t row = index.size() < 2 ? 0 : index[index.size() - 2];
  int64_t column = index.empty() ? 0 : index.back();
  int64_t matrix = 0;
  for (size_t d = 0; d + 2 < index.size(); ++d)
    matrix = matrix * shape[d] + index[d];
  int64_t offset = matrix * getMatrixBytes(*this);
  int64_t run = isColumnMajor ? column : row;
  int64_t inRun = (isColumnMajor ? row : column) * elementBytes;
  if (swizzleBytes == 0)
    return offset + run * (getRunBytes() + paddingBytes) + inRun;

  int64_t runs = isColumnMajor ? getNumColumns() : getNumRows();
  offset += inRun / swizzleBytes * runs * swizzleBytes + run * swizzleBytes +
            inRun % swizzleBytes;
  int64_t mask = swizzleBytes / kPieceBytes - 1;
  return offset ^ (((offset / kRowOfBanks) & mask) * kPieceBytes);
}

int64_t TileLayout::getBytes() const {
  int64_t matrices = 1;
  for (size_t d = 0; d + 2 < shape.size(); ++d)
    matrices *= shape[d];
  int64_t runs = isColumnMajor ? getNumColumns() : getNumRows();
  // Nothing has to be kept free behind the last run.
  int64_t last = runs * (getRunBytes() + paddingBytes) - paddingBytes;
  if (swizzleBytes != 0)
    last = llvm::alignTo(last, getAlignment());
  return (matrices - 1) * getMatrixBytes(*this) + last;
}

std::string TileLayout::str() const {
  std::string text = isColumnMajor ? "column-major" : "row-major";
  if (paddingBytes != 0)
    text += ", padding " + std::to_string(paddingBytes);
  if (swizzleBytes != 0)
    text += ", swizzle " + std::to_string(swizzleBytes);
  return text;
}

bool TileLayout::operator==(const TileLayout &other) const {
  return shape == other.shape && elementBytes == other.elementBytes &&
         isColumnMajor == other.isColumnMajor &&
         paddingBytes == other.paddingBytes &&
         swizzleBytes == other.swizzleBytes;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

int64_t mirage::countTransactions(ArrayRef<ThreadAccess> accesses) {
  constexpr int64_t kBankBytes = 4, kNumBanks = kRowOfBanks / kBankBytes;
  constexpr size_t kWarp = 32;
  int64_t transactions = 0;
  while (!accesses.empty()) {
    size_t together =
        std::min<size_t>(kWarp, kRowOfBanks / accesses.front().bytes);
    ArrayRef<ThreadAccess> phase = accesses.take_front(together);
    accesses = accesses.drop_front(phase.size());
    // For each bank the words that are wanted of it.
    std::array<llvm::SmallSet<int64_t, 4>, kNumBanks> words;
    for (const ThreadAccess &access : phase)
      for (int64_t
               word = access.offset / kBankBytes,
               end = llvm::divideCeil(access.offset + access.bytes, kBankBytes);
           word < end; ++word)
        words[word % kNumBanks].insert(word);
    size_t most = 0;
    for (const auto &ofBank : words)
      most = std::max<size_t>(most, ofBank.size());
    transactions += most;
  }
  return transactions;
}

namespace {

/// Visits the elements that a pattern accesses, in the order of its threads,
/// and counts.
class PatternCounter {
public:
  explicit PatternCounter(const TileLayout &layout) : layout(layout) {}

  std::optional<AccessCost> count(AccessPattern pattern);

private:
  /// Whether `count` elements from `index` on along a dimension are neighbours,
  /// aligned to all of their bytes.
  bool isPiece(SmallVector<int64_t> index, size_t dim, int64_t count) const;
  /// The next thread's access; `warp` accesses make an instruction.
  void access(ArrayRef<int64_t> index, int64_t bytes, size_t warp);
  void finish();
  /// Calls `visit` for each matrix of the tile, with an index into it.
  template <typename Visitor> bool forEachMatrix(Visitor visit);

  const TileLayout &layout;
  SmallVector<ThreadAccess> pending;
  AccessCost cost;
};

} // namespace

bool PatternCounter::isPiece(SmallVector<int64_t> index, size_t dim,
                             int64_t count) const {
  int64_t first = layout.getOffset(index);
  if (first % (count * layout.elementBytes) != 0)
    return false;
  for (int64_t i = 1; i < count; ++i) {
    ++index[dim];
    if (layout.getOffset(index) != first + i * layout.elementBytes)
      return false;
  }
  return true;
}

void PatternCounter::access(ArrayRef<int64_t> index, int64_t bytes,
                            size_t warp) {
  pending.push_back({layout.getOffset(index), bytes});
  if (pending.size() == warp)
    finish();
}

void PatternCounter::finish() {
  if (pending.empty())
    return;
  cost.transactions += countTransactions(pending);
  int64_t bytes = pending.size() * pending.front().bytes;
  cost.ideal += llvm::divideCeil(bytes, kRowOfBanks);
  pending.clear();
}

template <typename Visitor> bool PatternCounter::forEachMatrix(Visitor visit) {
  SmallVector<int64_t> index(std::max<size_t>(layout.shape.size(), 2), 0);
  SmallVector<int64_t> sizes(layout.shape);
  while (sizes.size() < 2)
    sizes.insert(sizes.begin(), 1);
  while (true) {
    if (!visit(index))
      return false;
    size_t d = sizes.size() - 2;
    while (d > 0 && ++index[d - 1] == sizes[d - 1])
      index[--d] = 0;
    if (d == 0)
      return true;
  }
}

std::optional<AccessCost> PatternCounter::count(AccessPattern pattern) {
  constexpr size_t kWarp = 32, kMatrix = 8;
  int64_t rows = layout.getNumRows(), columns = layout.getNumColumns();
  bool byColumns = pattern == AccessPattern::ReadColumns ||
                   pattern == AccessPattern::LoadMatrixTransposed;
  bool isMatrix = pattern == AccessPattern::LoadMatrix ||
                  pattern == AccessPattern::LoadMatrixTransposed;
  bool isScalar = pattern == AccessPattern::ReadRows ||
                  pattern == AccessPattern::ReadColumns;
  // Elements of a thread's piece, along the runs of the pattern.
  int64_t piece = isScalar ? 1 : kPieceBytes / layout.elementBytes;
  int64_t alongRun = byColumns ? rows : columns;
  int64_t runs = byColumns ? columns : rows;
  if (alongRun % piece != 0 || (isMatrix && layout.elementBytes != 2) ||
      (isMatrix && runs % kMatrix != 0))
    return std::nullopt;

  bool possible = forEachMatrix([&](SmallVector<int64_t> index) {
    size_t last = index.size() - 1;
    size_t dim = byColumns ? last - 1 : last;
    auto visit = [&](int64_t run, int64_t at) {
      index[byColumns ? last : last - 1] = run;
      index[dim] = at;
      if (!isPiece(index, dim, piece))
        return false;
      access(index, piece * layout.elementBytes, isMatrix ? kMatrix : kWarp);
      return true;
    };
    if (isMatrix) {
      for (int64_t at = 0; at < alongRun; at += piece)
        for (int64_t run = 0; run < runs; ++run)
          if (!visit(run, at))
            return false;
      return true;
    }
    for (int64_t run = 0; run < runs; ++run) {
      for (int64_t at = 0; at < alongRun; at += piece)
        if (!visit(run, at))
          return false;
      // Threads of one instruction may go on in the next run, but when
      // elements are read along a run they all have the same.
      if (isScalar)
        finish();
    }
    return true;
  });
  if (!possible)
    return std::nullopt;
  finish();
  return cost;
}

std::optional<AccessCost> mirage::getAccessCost(const TileLayout &layout,
                                                AccessPattern pattern) {
  return PatternCounter(layout).count(pattern);
}
