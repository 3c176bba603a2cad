//===- RaceDetector.cpp - Races and uninitialized reads -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaceDetector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mirage;

static constexpr unsigned kWarpSize = 32;

RaceDetector::RaceDetector(unsigned numThreads, size_t sharedBytes,
                           size_t granularity, unsigned numEngines)
    : numThreads(numThreads), numEngines(numEngines),
      numWarps(llvm::divideCeil(numThreads, kWarpSize)),
      shift(llvm::Log2_64(granularity)),
      cells(llvm::divideCeil(sharedBytes, granularity)), readSets(cells.size()),
      clocks(numThreads), fencedForAll(numThreads - numEngines),
      fenced(numThreads), mbarriers(numThreads) {
  // Place 0 says that there is none.
  reads.resize(numWarps);
  synchronizeAll();
}

void RaceDetector::startBlock() {
  // Far from the end, since a block may need many clocks.
  if (latest > UINT32_MAX / 2) {
    std::fill(cells.begin(), cells.end(), Cell());
    std::fill(acquired.begin(), acquired.end(), 0);
    std::fill(seen.begin(), seen.end(), 0);
    std::fill(fencedForAll.begin(), fencedForAll.end(), 0);
    std::fill(fenced.begin(), fenced.end(), std::vector<uint32_t>());
    std::fill(mbarriers.begin(), mbarriers.end(), std::vector<uint32_t>());
    initializers.clear();
    std::fill(reads.begin(), reads.end(), WarpReads());
    others.clear();
    latest = 1;
  }
  synchronizeAll();
  blockStart = ordered;
}

/// Takes the later one of each two clocks. More of them may be known.
static void joinClocks(std::vector<uint32_t> &into,
                       llvm::ArrayRef<uint32_t> from) {
  into.resize(std::max(into.size(), from.size()));
  for (size_t i = 0; i < from.size(); ++i)
    into[i] = std::max(into[i], from[i]);
}

void RaceDetector::synchronizeAll() {
  for (std::vector<uint32_t> &known : fenced) {
    joinClocks(fencedForAll, known);
    known.clear();
  }
  mbarriersForAll.resize(initializers.size());
  for (auto [place, thread] : llvm::enumerate(initializers))
    mbarriersForAll[place] = mbarriers[thread][place];
  ordered = latest++;
  std::fill(clocks.begin(), clocks.end(), latest);
}

void RaceDetector::release(unsigned thread, Clocks &barrier) {
  if (acquired.empty())
    acquired.resize(size_t{numThreads} * numThreads);
  joinClocks(barrier.mbarriers, mbarriers[thread]);
  joinClocks(barrier.fenced, fenced[thread]);
  barrier.threads.resize(numThreads);
  const uint32_t *known = &acquired[size_t{thread} * numThreads];
  for (unsigned i = 0; i < numThreads; ++i)
    barrier.threads[i] = std::max(barrier.threads[i], known[i]);
  barrier.threads[thread] = clocks[thread];
  if (!seen.empty())
    joinClocks(barrier.seen, getRow(seen, thread));
  latest = std::max(latest, ++clocks[thread]);
}

void RaceDetector::releaseSeen(unsigned thread, Clocks &barrier) {
  if (seen.empty())
    seen.resize(size_t{numThreads} * numThreads);
  joinClocks(barrier.fenced, fenced[thread]);
  joinClocks(barrier.seen, getRow(seen, thread));
  if (!acquired.empty())
    joinClocks(barrier.seen, getRow(acquired, thread));
  barrier.seen[thread] = clocks[thread];
  latest = std::max(latest, ++clocks[thread]);
}

void RaceDetector::fenceMbarriers(unsigned thread) {
  size_t place = llvm::find(initializers, thread) - initializers.begin();
  if (place == initializers.size())
    initializers.push_back(thread);
  std::vector<uint32_t> &known = mbarriers[thread];
  known.resize(std::max(known.size(), place + 1));
  known[place] = clocks[thread];
  // Later initializations have a later clock.
  latest = std::max(latest, ++clocks[thread]);
}

void RaceDetector::releaseMbarriers(unsigned thread, Clocks &barrier) const {
  size_t place = llvm::find(initializers, thread) - initializers.begin();
  // Of others' the fence says nothing.
  if (place >= mbarriers[thread].size())
    return;
  barrier.mbarriers.resize(std::max(barrier.mbarriers.size(), place + 1));
  uint32_t &clock = barrier.mbarriers[place];
  clock = std::max(clock, mbarriers[thread][place]);
}

void RaceDetector::acquire(unsigned thread, const Clocks &barrier) {
  auto learn = [&](std::vector<uint32_t> &ofThreads,
                   const std::vector<uint32_t> &handedOn) {
    if (handedOn.empty())
      return;
    if (ofThreads.empty())
      ofThreads.resize(size_t{numThreads} * numThreads);
    uint32_t *known = &ofThreads[size_t{thread} * numThreads];
    for (size_t i = 0; i < handedOn.size(); ++i)
      known[i] = std::max(known[i], handedOn[i]);
  };
  learn(acquired, barrier.threads);
  learn(seen, barrier.seen);
  joinClocks(mbarriers[thread], barrier.mbarriers);
  joinClocks(fenced[thread], barrier.fenced);
}

bool RaceDetector::isMbarrierFenced(unsigned thread, const Cell &cell) const {
  size_t place = llvm::find(initializers, cell.writer) - initializers.begin();
  auto isKnown = [&](const std::vector<uint32_t> &known) {
    return place < known.size() && known[place] >= cell.written;
  };
  return isKnown(mbarriersForAll) || isKnown(mbarriers[thread]);
}

bool RaceDetector::isWriteOrdered(unsigned thread, const Cell &cell,
                                  bool ofMbarrier) const {
  return isOrdered(thread, cell.writer, cell.written) ||
         (isEngine(cell.writer) && isSeen(thread, cell.writer, cell.written)) ||
         (ofMbarrier && isMbarrierFenced(thread, cell));
}

void RaceDetector::addToSet(size_t index, WarpReads *sets, const Read &read) {
  WarpReads &warp = sets[read.thread / kWarpSize];
  uint32_t lane = 1u << read.thread % kWarpSize;
  // A thread's later read is after its earlier one.
  for (uint32_t &lanes : warp.lanes)
    lanes &= ~lane;
  for (int i = 0; i < 2; ++i)
    if (warp.lanes[i] == 0 || warp.clocks[i] == read.clock) {
      warp.lanes[i] |= lane;
      warp.clocks[i] = read.clock;
      return;
    }
  others[index].push_back(read);
}

void RaceDetector::addReader(unsigned thread, size_t index, Cell &cell,
                             int32_t op) {
  uint32_t now = clocks[thread];
  // An engine's read wants no fence behind it, but those of threads do.
  bool isKept = isEngine(thread) && cell.read > blockStart;
  bool many = cell.reader == kMany && (cell.read > ordered || isKept);
  if (!many && isOrdered(thread, cell.reader, cell.read) &&
      !(isKept && !isEngine(cell.reader))) {
    // Whatever comes after this read comes after that one.
    cell.reader = thread;
    cell.read = now;
    cell.readOp = op;
    return;
  }
  uint32_t &set = readSets[index];
  if (!set) {
    set = reads.size() / numWarps;
    reads.resize(reads.size() + numWarps);
  }
  WarpReads *sets = &reads[size_t{set} * numWarps];
  if (!many) {
    std::fill(sets, sets + numWarps, WarpReads());
    if (!others.empty())
      others.erase(index);
    addToSet(index, sets, {cell.reader, cell.read});
    cell.reader = kMany;
    cell.readOp = op;
  }
  addToSet(index, sets, {thread, now});
  cell.read = std::max(cell.read, now);
}

RaceDetector::Result RaceDetector::read(unsigned thread, size_t offset,
                                        size_t bytes, int32_t op,
                                        bool ofMbarrier) {
  size_t end = llvm::divideCeil(offset + bytes, size_t{1} << shift);
  for (size_t i = offset >> shift; i < end; ++i) {
    Cell &cell = cells[i];
    if (cell.written > ordered) {
      if (cell.written == kPending)
        return Report{Problem::Pending, i << shift, cell.writer, cell.writeOp};
      if (!isWriteOrdered(thread, cell, ofMbarrier))
        return Report{Problem::WriteBefore, i << shift, cell.writer,
                      cell.writeOp};
    } else if (cell.written <= blockStart) {
      return Report{Problem::Uninitialized, i << shift, 0, 0};
    }
    addReader(thread, i, cell, op);
  }
  return std::nullopt;
}

template <typename Property>
std::optional<unsigned> RaceDetector::findReader(size_t index, const Cell &cell,
                                                 Property hasProperty) const {
  if (cell.reader != kMany) {
    if (hasProperty(cell.reader, cell.read))
      return cell.reader;
    return std::nullopt;
  }
  const WarpReads *sets = &reads[size_t{readSets[index]} * numWarps];
  for (unsigned warp = 0; warp < numWarps; ++warp)
    for (int i = 0; i < 2; ++i)
      for (uint32_t left = sets[warp].lanes[i]; left; left &= left - 1) {
        unsigned reader = warp * kWarpSize + llvm::countr_zero(left);
        if (hasProperty(reader, sets[warp].clocks[i]))
          return reader;
      }
  if (!others.empty())
    if (auto it = others.find(index); it != others.end())
      for (const Read &read : it->second)
        if (hasProperty(read.thread, read.clock))
          return read.thread;
  return std::nullopt;
}

RaceDetector::Result RaceDetector::checkWrite(unsigned thread, size_t index,
                                              const Cell &cell,
                                              bool ofMbarrier) const {
  if (cell.written > ordered) {
    if (cell.written == kPending)
      return Report{Problem::Pending, index << shift, cell.writer,
                    cell.writeOp};
    if (!isWriteOrdered(thread, cell, ofMbarrier))
      return Report{Problem::WriteBefore, index << shift, cell.writer,
                    cell.writeOp};
  }
  if (cell.read <= ordered)
    return std::nullopt;
  auto isRacing = [&](unsigned reader, uint32_t clock) {
    return !isOrdered(thread, reader, clock) && !isSeen(thread, reader, clock);
  };
  if (std::optional<unsigned> reader = findReader(index, cell, isRacing))
    return Report{Problem::ReadBefore, index << shift, *reader, cell.readOp};
  return std::nullopt;
}

bool RaceDetector::isWriteUnfenced(unsigned thread, const Cell &cell) const {
  return cell.written > blockStart && !isEngine(cell.writer) &&
         !isFenced(thread, cell.writer, cell.written);
}

RaceDetector::Result RaceDetector::checkFences(unsigned thread, size_t index,
                                               const Cell &cell) const {
  if (isWriteUnfenced(thread, cell))
    return Report{Problem::WriteNotFenced, index << shift, cell.writer,
                  cell.writeOp};
  if (cell.read <= blockStart)
    return std::nullopt;
  auto isUnfenced = [&](unsigned reader, uint32_t clock) {
    return !isEngine(reader) && !isFenced(thread, reader, clock);
  };
  if (std::optional<unsigned> reader = findReader(index, cell, isUnfenced))
    return Report{Problem::ReadNotFenced, index << shift, *reader, cell.readOp};
  return std::nullopt;
}

RaceDetector::Result RaceDetector::write(unsigned thread, size_t offset,
                                         size_t bytes, int32_t op,
                                         bool ofMbarrier, bool isBulk) {
  size_t end = llvm::divideCeil(offset + bytes, size_t{1} << shift);
  for (size_t i = offset >> shift; i < end; ++i) {
    Cell &cell = cells[i];
    if (Result report = checkWrite(thread, i, cell, ofMbarrier))
      return report;
    if (isBulk)
      if (Result report = checkFences(thread, i, cell))
        return report;
    cell.written = clocks[thread];
    cell.writer = thread;
    cell.writeOp = op;
    // Reads before a write that is ordered after them don't matter any more.
    cell.read = 0;
  }
  return std::nullopt;
}

RaceDetector::Result RaceDetector::beginCopy(unsigned thread, size_t offset,
                                             size_t bytes, int32_t op,
                                             bool isBulk) {
  if (Result report =
          write(thread, offset, bytes, op, /*ofMbarrier=*/false, isBulk))
    return report;
  size_t end = llvm::divideCeil(offset + bytes, size_t{1} << shift);
  for (size_t i = offset >> shift; i < end; ++i)
    cells[i].written = kPending;
  return std::nullopt;
}

void RaceDetector::endCopy(unsigned thread, size_t offset, size_t bytes) {
  size_t end = llvm::divideCeil(offset + bytes, size_t{1} << shift);
  for (size_t i = offset >> shift; i < end; ++i) {
    cells[i].written = clocks[thread];
    cells[i].writer = thread;
  }
}

void RaceDetector::fenceProxies(unsigned thread) {
  std::vector<uint32_t> &known = fenced[thread];
  known.resize(fencedForAll.size());
  for (unsigned i = 0; i < known.size(); ++i) {
    uint32_t before = ordered;
    if (!acquired.empty())
      before = std::max(before, acquired[size_t{thread} * numThreads + i]);
    // What has been read, that is: a write that is only seen is a race anyway.
    if (!seen.empty())
      before = std::max(before, seen[size_t{thread} * numThreads + i]);
    known[i] = std::max(known[i], i == thread ? clocks[i] : before);
  }
  // Later writes have a later clock.
  latest = std::max(latest, ++clocks[thread]);
}

RaceDetector::Result RaceDetector::readAsync(unsigned engine, size_t offset,
                                             size_t bytes, int32_t op) {
  if (Result report = read(engine, offset, bytes, op))
    return report;
  return findUnfenced(engine, offset, bytes);
}

RaceDetector::Result RaceDetector::findUnfenced(unsigned thread, size_t offset,
                                                size_t bytes,
                                                bool ofMbarrier) const {
  size_t end = llvm::divideCeil(offset + bytes, size_t{1} << shift);
  for (size_t i = offset >> shift; i < end; ++i) {
    const Cell &cell = cells[i];
    if (isWriteUnfenced(thread, cell) &&
        !(ofMbarrier && isMbarrierFenced(thread, cell)))
      return Report{Problem::WriteNotFenced, i << shift, cell.writer,
                    cell.writeOp};
  }
  return std::nullopt;
}
