//===- MemoryAccess.cpp - Checks of a kernel's loads and stores -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that are compiled with traced accesses call `access` in front of each
// load and store. Ops of the library that access memory for a lane call the
// same functions.
//
//===----------------------------------------------------------------------===//

#include "BlockState.h"
#include "Emulation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include <algorithm>

using namespace mirage;
using host_abi::AccessKind;
using host_abi::MemorySpace;
using Implementation = BlockRunner::Implementation;

static const char *getVerb(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read:
    return " reads ";
  case AccessKind::Write:
  case AccessKind::AsyncWrite:
    return " writes ";
  case AccessKind::Atomic:
    return " updates ";
  }
  return " accesses ";
}

Implementation::Text Implementation::describeShared(const char *address) const {
  SharedPlace place = getPlace(address);
  Text text;
  ("offset " + llvm::Twine(place.offset) + " of shared memory" +
   describeOtherBlock(place.block))
      .toVector(text);
  return text;
}

void Implementation::failAccess(const MemoryAccess &access,
                                const llvm::Twine &where,
                                const llvm::Twine &problem) {
  fail(describeThread(access.thread) + getVerb(access.kind) +
       llvm::Twine(access.bytes) + " bytes at " + where + " in " +
       describeOp(access.op) + ", " + problem);
}

Implementation::Text Implementation::describeParty(unsigned thread) const {
  if (thread < numClusterThreads)
    return describeThread(thread);
  return Text(thread < getFirstStoreEngine() ? "a bulk copy"
              : thread < getWgmmaEngine(0)   ? "a bulk store"
                                             : "a wgmma");
}

void Implementation::reportRace(const MemoryAccess &access,
                                const RaceDetector::Report &report) {
  using Problem = RaceDetector::Problem;
  Text place = describeShared(access.address);
  Text other = describeParty(report.thread);
  switch (report.problem) {
  case Problem::Uninitialized:
    return failAccess(access, place,
                      "and nothing has been written at offset " +
                          llvm::Twine(report.offset % cellStride));
  case Problem::Pending:
    // Whoever waits for a bulk copy, its own thread need not.
    if (describeOp(report.op).starts_with("nvvm.cp.async.bulk"))
      return failAccess(access, place,
                        "and the copy to there that " + other +
                            " has begun in " + describeOp(report.op) +
                            " may be under way");
    return failAccess(access, place,
                      "and " + other +
                          " has not waited for its copy to there in " +
                          describeOp(report.op));
  case Problem::WriteNotFenced:
  case Problem::ReadNotFenced:
    return failAccess(
        access, place,
        "and " + other +
            (report.problem == Problem::ReadNotFenced ? " reads" : " writes") +
            " there in " + describeOp(report.op) +
            " with no fence.proxy.async between");
  case Problem::WriteBefore:
  case Problem::ReadBefore:
    return failAccess(
        access, place,
        "and " + other +
            (report.problem == Problem::ReadBefore ? " reads" : " writes") +
            " there in " + describeOp(report.op) +
            " with no barrier between: a race");
  }
}

void Implementation::checkPlace(const MemoryAccess &access) {
  size_t size = getSharedBytes();
  int64_t offset = getPlace(access.address).offset;
  if (offset < 0 || static_cast<size_t>(offset) + access.bytes > size)
    failAccess(access, describeShared(access.address),
               "which has " + llvm::Twine(size) + " bytes");
  if (offset & (access.alignment - 1))
    failAccess(access, describeShared(access.address),
               "where the offset has to be a multiple of " +
                   llvm::Twine(access.alignment));
}

void Implementation::checkAsyncRead(const MemoryAccess &access,
                                    unsigned engine) {
  if (RaceDetector::Result report = races->readAsync(
          engine, getCellOffset(access.address), access.bytes, access.op))
    reportRace(access, *report);
}

void Implementation::acquireForEngine(unsigned engine, unsigned thread) {
  engineClocks.clear();
  races->release(thread, engineClocks);
  races->acquire(engine, engineClocks);
}

void Implementation::checkShared(const MemoryAccess &access) {
  checkPlace(access);
  // The mbarrier behind which the access ends is the only one it may meet.
  if (!access.ofMbarrier && !mbarriers.empty()) {
    auto next = mbarriers.lower_bound(access.address + access.bytes);
    if (next != mbarriers.begin() &&
        std::prev(next)->first + kMbarrierBytes > access.address)
      failAccess(access, describeShared(access.address),
                 "where there is an mbarrier");
  }
  size_t offset = getCellOffset(access.address);
  RaceDetector::Result report;
  switch (access.kind) {
  case AccessKind::Read:
    report = races->read(access.thread, offset, access.bytes, access.op,
                         access.ofMbarrier);
    break;
  case AccessKind::Write:
    report = races->write(access.thread, offset, access.bytes, access.op,
                          access.ofMbarrier);
    break;
  case AccessKind::AsyncWrite:
    report = races->beginCopy(access.thread, offset, access.bytes, access.op,
                              access.isBulk);
    break;
  case AccessKind::Atomic:
    // They don't race with each other. Others may not write what they read;
    // that they write, too, and how they order other accesses, is not modelled.
    report = races->read(access.thread, offset, access.bytes, access.op);
    break;
  }
  if (report)
    reportRace(access, *report);
}

static bool contains(const DeviceBuffer &buffer, const MemoryAccess &access) {
  return access.address >= buffer.begin &&
         access.address + access.bytes <= buffer.begin + buffer.bytes;
}

unsigned Implementation::findArgument(const MemoryAccess &access) const {
  for (auto [index, buffer] : llvm::enumerate(launch.buffers))
    if (contains(buffer, access))
      return index + 1;
  return 0;
}

void Implementation::checkDevice(const MemoryAccess &access,
                                 unsigned argument) {
  // Where it isn't known through which argument, it has to be in one of them.
  if (argument == 0)
    argument = findArgument(access);
  if (argument == 0)
    failAccess(access, "an address",
               "which is in no buffer that the kernel was given");
  const DeviceBuffer &buffer = launch.buffers[argument - 1];
  int64_t offset = access.address - buffer.begin;
  Text place = describeDevice(access, argument);
  if (!contains(buffer, access))
    failAccess(access, place,
               "which has " + llvm::Twine(buffer.bytes) + " bytes");
  // Buffers are aligned on a GPU, so that the offset decides.
  if (offset & (access.alignment - 1))
    failAccess(access, place,
               "where the offset has to be a multiple of " +
                   llvm::Twine(access.alignment));
  if (access.kind != AccessKind::Read &&
      !launch.writes->contains(access.address))
    failAccess(access, place, "which is an input of the program");
  checkOrder(access);
  if (access.kind != AccessKind::Read)
    noteWrite(access);
}

Implementation::Text Implementation::describeDevice(const MemoryAccess &access,
                                                    unsigned argument) const {
  Text place;
  ("byte " + llvm::Twine(access.address - launch.buffers[argument - 1].begin) +
   " of argument " + llvm::Twine(argument - 1))
      .toVector(place);
  return place;
}

void Implementation::checkOverlap(const MemoryAccess &access) {
  // Inputs were there before all launches.
  if (launch.mayOverlap && !getBlock().hasWaitedForGrids &&
      (access.kind != AccessKind::Read ||
       launch.writes->contains(access.address)))
    failAccess(access, describeDevice(access, findArgument(access)),
               "with no griddepcontrol.wait before, and earlier kernels may "
               "still be running");
}

void Implementation::checkOrder(const MemoryAccess &access) {
  checkOverlap(access);
  if (access.kind == AccessKind::Write)
    return;
  auto hasWritten = [&](const char *address) {
    return llvm::any_of(written, [&](const DeviceRange &range) {
      return address >= range.address && address < range.address + range.bytes;
    });
  };
  std::optional<DeviceWrites::Found> found;
  const char *begin = access.address, *end = begin + access.bytes;
  while ((found = launch.writes->read(begin, end - begin, cluster)) &&
         found->writer && hasWritten(found->address))
    begin = found->address + launch.writes->getGranularity();
  if (!found)
    return;
  const Text place = describeDevice(access, findArgument(access));
  if (!found->writer)
    failAccess(access, place, "where nothing has been written");
  // Those of several blocks don't exclude each other.
  if (access.kind == AccessKind::Atomic)
    return;
  failAccess(access, place,
             "which " + describeBlock(getFirstBlock(*found->writer)) +
                 " writes: nothing orders the blocks of a launch");
}

void Implementation::noteWrite(const MemoryAccess &access) {
  launch.writes->beginWrite(access.address, access.bytes);
  if (access.kind != AccessKind::Atomic)
    written.push_back({access.address, access.bytes, access.thread, access.op});
}

std::string Implementation::findOtherWrite() {
  for (const DeviceRange &range : written)
    if (std::optional<DeviceWrites::Found> found =
            launch.writes->endWrite(range.address, range.bytes, cluster)) {
      MemoryAccess access{AccessKind::Write, range.thread,
                          range.op,          const_cast<char *>(range.address),
                          range.bytes,       1};
      return (describeThread(range.thread) + " writes " +
              llvm::Twine(range.bytes) + " bytes at " +
              describeDevice(access, findArgument(access)) + " in " +
              describeOp(range.op) + ", and " +
              describeBlock(getFirstBlock(*found->writer)) +
              " writes something else there: nothing orders the blocks of a "
              "launch")
          .str();
    }
  return "";
}

void Implementation::checkAccess(const MemoryAccess &access, MemorySpace space,
                                 unsigned argument) {
  if (space == MemorySpace::Device && isShared(access.address))
    failAccess(access, describeShared(access.address),
               "through a pointer to device memory");
  if (space == MemorySpace::Shared || isShared(access.address))
    return checkShared(access);
  // A generic pointer may point to the thread's own variables.
  if (space == MemorySpace::Unknown && stacks.contains(access.address))
    return;
  checkDevice(access, argument);
}

void Implementation::countAccess(const MemoryAccess &access, unsigned argument,
                                 unsigned part) {
  // The widest instruction has 16 bytes; others are powers of two.
  size_t width = std::min<size_t>(
      {16, access.alignment, access.bytes & ~(access.bytes - 1)});
  AccessCounter::Access counted{access.op * 2 + static_cast<int32_t>(part),
                                0,
                                static_cast<uint8_t>(width),
                                access.kind != AccessKind::Read,
                                static_cast<uint32_t>(access.bytes),
                                getPlace(access.address).offset};
  if (!isShared(access.address)) {
    if (argument == 0)
      argument = findArgument(access);
    if (argument == 0 || argument > launch.buffers.size())
      return;
    counted.buffer = argument;
    counted.offset = access.address - launch.buffers[argument - 1].begin;
  }
  getCounter().add(getThreadInBlock(access.thread), counted);
}

void emulation::access(int32_t op, char *address, int64_t bytes, int32_t info) {
  Implementation &self = getActiveBlock();
  if ((!self.races && !self.counting) || bytes <= 0)
    return;
  host_abi::AccessInfo decoded = host_abi::AccessInfo::decode(info);
  MemoryAccess access{decoded.kind,
                      self.getThread(),
                      op,
                      address,
                      static_cast<size_t>(bytes),
                      size_t{1} << decoded.logAlignment};
  if (self.blocks.size() > 1 && self.isShared(address))
    self.reach(op, address);
  if (self.races)
    self.checkAccess(access, decoded.space, decoded.argument);
  if (self.counting)
    self.countAccess(access, decoded.argument);
}

void emulation::specialFunction(int32_t function, int32_t count) {
  Implementation &self = getActiveBlock();
  if (self.counting)
    self.getCounter().addSpecialFunction(
        static_cast<host_abi::SpecialFunction>(function), count);
}
