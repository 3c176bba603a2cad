//===- StorageAllocation.cpp - Dynamic storage allocation -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In some smallest plan every buffer lies at 0 or directly, up to alignment,
// behind one that it conflicts with: others can be moved down. So the plans to
// look at are the orders in which buffers are stacked, each as low as those
// before it allow, with offsets that never decrease.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/StorageAllocation.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>
#include <tuple>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

static bool livesWith(const StorageBuffer &a, const StorageBuffer &b) {
  return a.firstStep <= b.lastStep && b.firstStep <= a.lastStep;
}

bool mirage::conflict(const StorageProblem &problem, unsigned a, unsigned b) {
  if (a == b)
    return false;
  return livesWith(problem.buffers[a], problem.buffers[b]) ||
         llvm::is_contained(problem.conflicts, std::pair(a, b)) ||
         llvm::is_contained(problem.conflicts, std::pair(b, a));
}

int64_t mirage::getLiveBytes(const StorageProblem &problem) {
  // The most live where some buffer begins.
  int64_t most = 0;
  for (const StorageBuffer &start : problem.buffers) {
    int64_t live = 0;
    for (const StorageBuffer &buffer : problem.buffers)
      if (buffer.firstStep <= start.firstStep &&
          start.firstStep <= buffer.lastStep)
        live += buffer.bytes;
    most = std::max(most, live);
  }
  return most;
}

namespace {

class Allocator {
public:
  Allocator(const StorageProblem &problem, int64_t workLimit);

  StoragePlan run();

private:
  const StorageBuffer &get(unsigned buffer) const {
    return problem.buffers[buffer];
  }
  int64_t align(int64_t offset, unsigned buffer) const {
    return llvm::divideCeil(offset, get(buffer).alignment) *
           get(buffer).alignment;
  }
  /// Puts buffers, in an order, each into the lowest gap that holds it.
  void offerFirstFit(ArrayRef<unsigned> order);
  /// No plan that goes on from here is smaller. `floor` is the offset of the
  /// last buffer that was placed.
  int64_t getBound(int64_t floor) const;
  /// Places the buffers that are left at `floor` or above. `last` is the one
  /// that was placed last.
  void search(int64_t floor, unsigned last, int64_t size);

  const StorageProblem &problem;
  int64_t work;
  int64_t lowerBound;
  /// The buffers to place: those that have bytes.
  SmallVector<unsigned> buffers;
  /// For each buffer those it conflicts with.
  std::vector<llvm::BitVector> conflicts;
  /// Steps at which a buffer begins; at others nothing more lives.
  SmallVector<unsigned> steps;

  llvm::BitVector isPlaced;
  SmallVector<int64_t> offsets;
  /// For each buffer the end of the highest that it conflicts with.
  SmallVector<int64_t> lowest;
  StoragePlan best;
};

} // namespace

Allocator::Allocator(const StorageProblem &problem, int64_t workLimit)
    : problem(problem), work(workLimit), lowerBound(getLiveBytes(problem)),
      conflicts(problem.buffers.size(),
                llvm::BitVector(problem.buffers.size())),
      isPlaced(problem.buffers.size()), offsets(problem.buffers.size(), 0),
      lowest(problem.buffers.size(), 0) {
  for (unsigned a = 0, e = problem.buffers.size(); a < e; ++a) {
    if (get(a).bytes == 0)
      continue;
    buffers.push_back(a);
    steps.push_back(get(a).firstStep);
    for (unsigned b = 0; b < e; ++b)
      if (a != b && get(b).bytes > 0 && livesWith(get(a), get(b)))
        conflicts[a].set(b);
  }
  for (auto [a, b] : problem.conflicts)
    if (a != b && get(a).bytes > 0 && get(b).bytes > 0) {
      conflicts[a].set(b);
      conflicts[b].set(a);
    }
  llvm::sort(steps);
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
}

void Allocator::offerFirstFit(ArrayRef<unsigned> order) {
  StoragePlan plan;
  plan.offsets.assign(problem.buffers.size(), 0);
  llvm::BitVector placed(problem.buffers.size());
  for (unsigned buffer : order) {
    SmallVector<std::pair<int64_t, int64_t>> taken;
    for (unsigned other : conflicts[buffer].set_bits())
      if (placed[other])
        taken.emplace_back(plan.offsets[other],
                           plan.offsets[other] + get(other).bytes);
    llvm::sort(taken);
    int64_t offset = 0;
    for (auto [begin, end] : taken) {
      if (offset + get(buffer).bytes <= begin)
        break;
      offset = std::max(offset, align(end, buffer));
    }
    plan.offsets[buffer] = offset;
    plan.size = std::max(plan.size, offset + get(buffer).bytes);
    placed.set(buffer);
  }
  if (best.offsets.empty() || plan.size < best.size)
    best = std::move(plan);
}

int64_t Allocator::getBound(int64_t floor) const {
  int64_t bound = 0;
  for (unsigned buffer : buffers)
    if (!isPlaced[buffer])
      bound = std::max(bound, align(std::max(floor, lowest[buffer]), buffer) +
                                  get(buffer).bytes);
  // What lives at a step and is not placed goes on top of what is.
  for (unsigned step : steps) {
    int64_t top = floor, left = 0;
    for (unsigned buffer : buffers) {
      if (step < get(buffer).firstStep || get(buffer).lastStep < step)
        continue;
      if (isPlaced[buffer])
        top = std::max(top, offsets[buffer] + get(buffer).bytes);
      else
        left += get(buffer).bytes;
    }
    if (left > 0)
      bound = std::max(bound, top + left);
  }
  return bound;
}

void Allocator::search(int64_t floor, unsigned last, int64_t size) {
  work -= buffers.size() * (1 + steps.size());
  if (work <= 0 || best.size == lowerBound)
    return;
  SmallVector<std::pair<int64_t, unsigned>> choices;
  int64_t lowestEnd = std::numeric_limits<int64_t>::max();
  for (unsigned buffer : buffers) {
    if (isPlaced[buffer])
      continue;
    choices.emplace_back(align(std::max(floor, lowest[buffer]), buffer),
                         buffer);
    lowestEnd = std::min(lowestEnd, choices.back().first + get(buffer).bytes);
  }
  if (choices.empty()) {
    if (size < best.size) {
      best.size = size;
      best.offsets = offsets;
    }
    return;
  }
  // The largest of the lowest first.
  llvm::sort(choices, [&](auto a, auto b) {
    return std::tuple(a.first, -get(a.second).bytes, a.second) <
           std::tuple(b.first, -get(b.second).bytes, b.second);
  });
  for (auto [offset, buffer] : choices) {
    // One that fits below this offset would be put there before.
    if (offset >= lowestEnd)
      break;
    // Two at one offset don't conflict, so their order says nothing.
    if (last != ~0u && offset == floor && offsets[last] == offset &&
        buffer < last && !conflicts[buffer][last])
      continue;
    int64_t newSize = std::max(size, offset + get(buffer).bytes);
    if (newSize >= best.size)
      continue;
    isPlaced.set(buffer);
    offsets[buffer] = offset;
    SmallVector<int64_t> saved(lowest);
    for (unsigned other : conflicts[buffer].set_bits())
      lowest[other] = std::max(lowest[other], offset + get(buffer).bytes);
    if (std::max(newSize, getBound(offset)) < best.size)
      search(offset, buffer, newSize);
    else
      work -= buffers.size() * (1 + steps.size());
    lowest = std::move(saved);
    isPlaced.reset(buffer);
    if (work <= 0 || best.size == lowerBound)
      return;
  }
}

StoragePlan Allocator::run() {
  auto sortBy = [&](auto getKey) {
    SmallVector<unsigned> order(buffers);
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return std::pair(getKey(get(a)), a) < std::pair(getKey(get(b)), b);
    });
    offerFirstFit(order);
  };
  auto getLength = [](const StorageBuffer &b) -> int64_t {
    return int64_t(b.lastStep) - b.firstStep + 1;
  };
  sortBy([](const StorageBuffer &b) { return -b.bytes; });
  sortBy([&](const StorageBuffer &b) {
    return std::tuple(-getLength(b), -b.bytes);
  });
  sortBy([](const StorageBuffer &b) {
    return std::tuple(int64_t(b.firstStep), -b.bytes);
  });
  sortBy([](const StorageBuffer &b) {
    return std::tuple(-b.alignment, -b.bytes);
  });
  // As many as this would not end anyway, but the stack might.
  constexpr size_t kMaxBuffers = 1000;
  if (buffers.size() > kMaxBuffers)
    work = 0;
  else
    search(0, ~0u, 0);
  best.isOptimal = best.size == lowerBound || work > 0;
  return best;
}

StoragePlan mirage::allocateStorage(const StorageProblem &problem,
                                    int64_t workLimit) {
  return Allocator(problem, workLimit).run();
}
