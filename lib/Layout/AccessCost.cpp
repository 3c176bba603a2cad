//===- AccessCost.cpp - Transactions of accesses to a tile ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Layout/AccessCost.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

constexpr size_t kWarp = 32;
/// The banks' words together.
constexpr int64_t kRowOfBanks = 128;
constexpr int64_t kBankBytes = 4, kNumBanks = kRowOfBanks / kBankBytes;

namespace {

/// The words that threads which go at once want.
class Phase {
public:
  void add(const ThreadAccess &access) {
    for (int64_t
             word = access.offset / kBankBytes,
             end = llvm::divideCeil(access.offset + access.bytes, kBankBytes);
         word < end; ++word)
      add(word);
  }
  int64_t getTransactions() const { return most; }
  int64_t getNumWords() const { return numWords; }

private:
  void add(int64_t word) {
    auto &ofBank = words[word % kNumBanks];
    unsigned &count = counts[word % kNumBanks];
    if (llvm::is_contained(ArrayRef(ofBank.data(), count), word))
      return;
    ofBank[count++] = word;
    ++numWords;
    most = std::max<int64_t>(most, count);
  }

  std::array<unsigned, kNumBanks> counts{};
  std::array<std::array<int64_t, kWarp>, kNumBanks> words;
  int64_t most = 0, numWords = 0;
};

} // namespace

/// Adds an instruction of a warp.
static void addInstruction(ArrayRef<ThreadAccess> accesses, AccessCost &cost) {
  while (!accesses.empty()) {
    size_t together =
        std::min<size_t>(kWarp, kRowOfBanks / accesses.front().bytes);
    ArrayRef<ThreadAccess> atOnce = accesses.take_front(together);
    accesses = accesses.drop_front(atOnce.size());
    Phase phase;
    for (const ThreadAccess &access : atOnce)
      phase.add(access);
    cost.transactions += phase.getTransactions();
    cost.ideal += llvm::divideCeil(phase.getNumWords(), kNumBanks);
  }
}

int64_t mirage::countTransactions(ArrayRef<ThreadAccess> accesses) {
  AccessCost cost;
  addInstruction(accesses, cost);
  return cost.transactions;
}

//===----------------------------------------------------------------------===//
// Views and patterns
//===----------------------------------------------------------------------===//

TileView TileView::getWhole(ArrayRef<int64_t> shape) {
  TileView view;
  view.shape.assign(shape.begin(), shape.end());
  view.strides.resize(shape.size());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0; stride *= shape[d])
    view.strides[d] = stride;
  return view;
}

TileView TileView::broadcastTo(ArrayRef<int64_t> wanted) const {
  TileView result;
  result.offset = offset;
  result.shape.assign(wanted.begin(), wanted.end());
  result.strides.resize(wanted.size());
  size_t missing = wanted.size() - std::min(wanted.size(), shape.size());
  for (size_t d = 0; d < shape.size() && missing + d < wanted.size(); ++d)
    if (shape[d] != 1)
      result.strides[missing + d] = strides[d];
  return result;
}

bool mirage::isVector(ArrayRef<int64_t> strides, int64_t offset, int64_t width,
                      size_t dim) {
  if (width == 1)
    return true;
  if (strides.empty() || strides[dim] != 1 || offset % width != 0)
    return false;
  for (size_t d = 0; d < strides.size(); ++d)
    if (d != dim && strides[d] % width != 0)
      return false;
  return true;
}

AccessPattern AccessPattern::getElements(int64_t width, int64_t split) {
  AccessPattern pattern;
  pattern.width = width;
  pattern.split = split;
  return pattern;
}

AccessPattern AccessPattern::getFold(unsigned dim, int64_t lanes,
                                     bool alongLanes, int64_t width) {
  AccessPattern pattern;
  pattern.kind = Kind::Fold;
  pattern.dim = dim;
  pattern.lanes = lanes;
  pattern.width = width;
  pattern.alongLanes = alongLanes;
  return pattern;
}

AccessPattern AccessPattern::getMatrices(unsigned dim, unsigned lineDim) {
  AccessPattern pattern;
  pattern.kind = Kind::Matrices;
  pattern.dim = dim;
  pattern.lineDim = lineDim;
  return pattern;
}

int64_t mirage::getElementWidth(ArrayRef<int64_t> shape, int64_t threads) {
  if (shape.empty())
    return 1;
  // Four f32 are what a load takes at most, without lanes in each other's way.
  for (int64_t width : {4, 2})
    if (shape.back() % width == 0 && llvm::product_of(shape) / width >= threads)
      return width;
  return 1;
}

int64_t mirage::getElementSplit(ArrayRef<int64_t> shape) {
  if (shape.empty() || llvm::product_of(shape) == shape.back())
    return 0;
  // Of long rows the ends are few.
  constexpr int64_t kAtOnce = kRowOfBanks / sizeof(float),
                    kLongest = 8 * kAtOnce;
  int64_t row = shape.back();
  return row % kAtOnce == 0 || row > kLongest ? 0 : row / kAtOnce * kAtOnce;
}

int64_t mirage::getFoldParts(int64_t count, int64_t size, int64_t width,
                             int64_t bytes, int64_t threads) {
  // Lanes that go at once read 128 bytes, so that rows are in nobody's way.
  constexpr int64_t kBytesAtOnce = 128;
  // A shuffle takes as long as reading and folding some vectors, and a barrier
  // as long as some more. Where there is one, more warps cost less.
  constexpr int64_t kLeastVectors = 4, kLeastOfWarps = 2, kWorthABarrier = 16;
  int64_t vectors = llvm::divideCeil(size, width);
  int64_t parts =
      std::min({kBytesAtOnce / (width * bytes), static_cast<int64_t>(kWarp),
                static_cast<int64_t>(llvm::PowerOf2Ceil(vectors))});
  // Of 10 vectors 8 lanes would have one or two each, and be in each other's
  // way in panels of two: two lanes have five each, if there are rows for all
  // threads.
  auto countSteps = [&](int64_t lanes) {
    return llvm::divideCeil(lanes * count, threads) *
           llvm::divideCeil(vectors, lanes);
  };
  constexpr int64_t kWord = 4;
  if (width * bytes >= kWord)
    for (int64_t fewer = parts / 2; fewer >= 1; fewer /= 2)
      if (vectors % fewer == 0 && countSteps(fewer) < countSteps(parts))
        parts = fewer;
  int64_t most = vectors < static_cast<int64_t>(kWarp) * kWorthABarrier
                     ? static_cast<int64_t>(kWarp)
                     : threads;
  while (2 * parts <= most && 2 * parts * count <= threads &&
         vectors >= 2 * parts * (parts < kWarp ? kLeastVectors : kLeastOfWarps))
    parts *= 2;
  return parts;
}

int64_t mirage::getFoldPartsAcross(int64_t count, int64_t size,
                                   int64_t threads) {
  // As many share an element as there are threads to spare.
  return llvm::bit_floor<uint64_t>(
      std::clamp<int64_t>(threads / count, 1, std::min<int64_t>(size, kWarp)));
}

AccessPattern AccessPattern::getFragments(unsigned dim, unsigned lineDim,
                                          int64_t width) {
  AccessPattern pattern = getMatrices(dim, lineDim);
  pattern.kind = Kind::Fragments;
  pattern.width = width;
  return pattern;
}

namespace {

/// Visits what the threads of a pattern access, instruction by instruction.
class PatternCounter {
public:
  PatternCounter(const TileLayout &layout, const TileView &view)
      : layout(layout), view(view) {}

  void countElements(int64_t width);
  void countFold(unsigned dim, int64_t lanes, bool alongLanes, int64_t width);
  bool countMatrices(unsigned dim, unsigned lineDim);
  void countFragments(unsigned dim, unsigned lineDim, int64_t width);

  AccessCost cost;

private:
  int64_t getOffset(int64_t place) const {
    return layout.getOffsetOfPlace(view.offset + place);
  }
  /// Where the element is in the tile that is `linear`-th in row-major order of
  /// some of the view's dimensions.
  int64_t getPlace(int64_t linear, ArrayRef<unsigned> dims) const;
  /// All of the view's dimensions but one or two.
  SmallVector<unsigned> getDimsWithout(ArrayRef<unsigned> dims) const;
  int64_t getNumElements(ArrayRef<unsigned> dims) const;
  void access(int64_t place, int64_t count) {
    pending.push_back({getOffset(place), count * layout.elementBytes});
  }
  void finish() {
    addInstruction(pending, cost);
    pending.clear();
  }

  const TileLayout &layout;
  const TileView &view;
  SmallVector<ThreadAccess> pending;
};

} // namespace

int64_t PatternCounter::getPlace(int64_t linear,
                                 ArrayRef<unsigned> dims) const {
  int64_t place = 0;
  for (unsigned d : llvm::reverse(dims)) {
    place += linear % view.shape[d] * view.strides[d];
    linear /= view.shape[d];
  }
  return place;
}

SmallVector<unsigned>
PatternCounter::getDimsWithout(ArrayRef<unsigned> dims) const {
  SmallVector<unsigned> others;
  for (unsigned d = 0; d < view.shape.size(); ++d)
    if (!llvm::is_contained(dims, d))
      others.push_back(d);
  return others;
}

int64_t PatternCounter::getNumElements(ArrayRef<unsigned> dims) const {
  int64_t count = 1;
  for (unsigned d : dims)
    count *= view.shape[d];
  return count;
}

void PatternCounter::countElements(int64_t width) {
  SmallVector<unsigned> all = getDimsWithout({});
  // One is for all of them, where the last dimension is a broadcast one.
  bool isVector = view.isVector(width);
  bool isOne = !isVector && view.strides.back() == 0;
  int64_t instructions = isVector || isOne ? 1 : width;
  for (int64_t first = 0, count = getNumElements(all); first < count;
       first += kWarp * width)
    for (int64_t i = 0; i < instructions; ++i) {
      for (int64_t linear = first + i,
                   end = std::min<int64_t>(count, first + kWarp * width);
           linear < end; linear += width)
        access(getPlace(linear, all), isVector ? width : 1);
      finish();
    }
}

void PatternCounter::countFold(unsigned dim, int64_t lanes, bool alongLanes,
                               int64_t width) {
  SmallVector<unsigned> others = getDimsWithout({dim});
  int64_t perWarp = kWarp / lanes, count = getNumElements(others);
  int64_t size = view.shape[dim], stride = view.strides[dim];
  bool isVector = view.isVector(width, dim);
  int64_t instructions = isVector || stride == 0 ? 1 : width;
  for (int64_t first = 0; first < count; first += perWarp)
    for (int64_t k = 0; k < size; k += lanes * width)
      for (int64_t i = 0; i < instructions; ++i) {
        for (int64_t lane = 0; lane < static_cast<int64_t>(kWarp); ++lane) {
          int64_t part = alongLanes ? lane % lanes : lane / perWarp;
          int64_t element = alongLanes ? lane / lanes : lane % perWarp;
          // Who has nothing to fold reads what the last one does.
          access(getPlace(std::min(first + element, count - 1), others) +
                     (std::min(k + part * width, size - width) + i) * stride,
                 isVector ? width : 1);
        }
        finish();
      }
}

bool PatternCounter::countMatrices(unsigned dim, unsigned lineDim) {
  constexpr int64_t kLines = 8, kBytes = 16;
  int64_t piece = kBytes / layout.elementBytes;
  if (layout.elementBytes != 2 || view.strides[dim] != 1 ||
      view.shape[dim] % piece != 0 || view.offset % piece != 0)
    return false;
  for (unsigned d : getDimsWithout({dim}))
    if (view.strides[d] % piece != 0)
      return false;
  SmallVector<unsigned> batches = getDimsWithout({dim, lineDim});
  for (int64_t b = 0; b < getNumElements(batches); ++b)
    for (int64_t at = 0; at < view.shape[dim]; at += piece)
      for (int64_t line = 0; line < view.shape[lineDim]; line += kLines) {
        for (int64_t i = 0; i < kLines; ++i)
          access(getPlace(b, batches) + at +
                     std::min(line + i, view.shape[lineDim] - 1) *
                         view.strides[lineDim],
                 piece);
        finish();
      }
  return true;
}

void PatternCounter::countFragments(unsigned dim, unsigned lineDim,
                                    int64_t width) {
  constexpr int64_t kLines = 8, kLanes = 4;
  bool isVector = dim + 1 == view.shape.size() && view.isVector(width) &&
                  view.shape[dim] % width == 0;
  // One is for all of them, where the dimension is a broadcast one.
  int64_t instructions = isVector || view.strides[dim] == 0 ? 1 : width;
  SmallVector<unsigned> batches = getDimsWithout({dim, lineDim});
  for (int64_t b = 0; b < getNumElements(batches); ++b)
    for (int64_t line = 0; line < view.shape[lineDim]; line += kLines)
      for (int64_t at = 0; at < view.shape[dim]; at += kLanes * width)
        for (int64_t i = 0; i < instructions; ++i) {
          for (int64_t lane = 0; lane < static_cast<int64_t>(kWarp); ++lane) {
            int64_t g = line + lane / kLanes, t = lane % kLanes;
            int64_t first = width == 4 ? t / 2 * 4 + t % 2 * 8 : t * width;
            int64_t element = at + first + i;
            // Padding repeats the last line, and is not stored.
            g = std::min(g, view.shape[lineDim] - 1);
            if (element < view.shape[dim])
              access(getPlace(b, batches) + g * view.strides[lineDim] +
                         element * view.strides[dim],
                     isVector ? width : 1);
          }
          finish();
        }
}

std::optional<AccessCost> mirage::getAccessCost(const TileLayout &layout,
                                                const TileView &view,
                                                const AccessPattern &pattern) {
  PatternCounter counter(layout, view);
  // A vector is in one piece.
  auto isInPiece = [&](size_t dim) {
    return !layout.isPermuted() || !view.isVector(pattern.width, dim) ||
           pattern.width * layout.elementBytes <= layout.pieceBytes;
  };
  if (pattern.split != 0) {
    TileView first = view, others = view;
    first.shape.back() = pattern.split;
    others.shape.back() -= pattern.split;
    others.offset += pattern.split * view.strides.back();
    AccessPattern whole = AccessPattern::getElements(pattern.width);
    std::optional<AccessCost> cost = getAccessCost(layout, first, whole),
                              rest = getAccessCost(layout, others, whole);
    if (!cost || !rest)
      return std::nullopt;
    return AccessCost{cost->transactions + rest->transactions,
                      cost->ideal + rest->ideal};
  }
  switch (pattern.kind) {
  case AccessPattern::Kind::Elements:
    if (!isInPiece(view.shape.size() - 1))
      return std::nullopt;
    counter.countElements(pattern.width);
    break;
  case AccessPattern::Kind::Fold:
    if (!isInPiece(pattern.dim))
      return std::nullopt;
    counter.countFold(pattern.dim, pattern.lanes, pattern.alongLanes,
                      pattern.width);
    break;
  case AccessPattern::Kind::Matrices:
    if (!counter.countMatrices(pattern.dim, pattern.lineDim))
      return std::nullopt;
    break;
  case AccessPattern::Kind::Fragments:
    counter.countFragments(pattern.dim, pattern.lineDim, pattern.width);
    break;
  }
  return counter.cost;
}
