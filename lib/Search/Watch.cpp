//===- Watch.cpp - When a search has to end -------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Watch.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"

using namespace mirage;
using Clock = std::chrono::steady_clock;

int64_t mirage::getResidentBytes() {
  auto statm = llvm::MemoryBuffer::getFileAsStream("/proc/self/statm");
  if (!statm)
    return 0;
  llvm::StringRef resident = (*statm)->getBuffer().split(' ').second;
  int64_t pages;
  if (resident.consumeInteger(10, pages))
    return 0;
  return pages * llvm::sys::Process::getPageSizeEstimate();
}

Watch::Watch(const SearchOptions &options, std::atomic<bool> &flag,
             double secondsAfterInterrupt)
    : options(options), flag(flag), timeLimit(options.timeLimit),
      secondsAfterInterrupt(secondsAfterInterrupt), begin(Clock::now()),
      bytesBefore(getResidentBytes()) {
  if (options.timeLimit <= 0 && options.memoryLimit <= 0 && !options.interrupt)
    return;
  thread = std::thread([this] {
    std::chrono::duration<double> wait(0.02);
    if (this->options.timeLimit > 0)
      wait = std::min(wait,
                      std::chrono::duration<double>(this->options.timeLimit));
    std::unique_lock<std::mutex> lock(mutex);
    while (!done.wait_for(lock, wait, [this] { return isDone; }))
      check();
  });
}

Watch::~Watch() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    isDone = true;
  }
  done.notify_all();
  thread.join();
}

/// To ask for the memory takes as long as to search a small kernel.
static constexpr double kSecondsBetweenLooks = 0.005;

bool Watch::usesTooMuchMemory() {
  double now = getSeconds();
  if (options.memoryLimit <= 0 || now < nextLook)
    return false;
  nextLook = now + kSecondsBetweenLooks;
  return getResidentBytes() - bytesBefore > options.memoryLimit;
}

bool Watch::isInterrupted() {
  if (!options.interrupt || !*options.interrupt)
    return false;
  const double now = getSeconds();
  double notYet = -1;
  interrupted.compare_exchange_strong(notYet, now);
  return now - interrupted >= secondsAfterInterrupt;
}

void Watch::check() {
  StopReason now = StopReason::None;
  if (isInterrupted())
    now = StopReason::Interrupt;
  else if (timeLimit > 0 && getSeconds() >= timeLimit)
    now = StopReason::TimeLimit;
  else if (usesTooMuchMemory())
    now = StopReason::MemoryLimit;
  if (now == StopReason::None)
    return;
  // The first reason is the one that is told.
  StopReason none = StopReason::None;
  reason.compare_exchange_strong(none, now);
  flag = true;
}

double Watch::getSeconds() const {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}
