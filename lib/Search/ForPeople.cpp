//===- ForPeople.cpp - What a person at a terminal sees of a search -------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/ForPeople.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Signals.h"
#include <csignal>

using namespace mirage;

void ProgressLine::show(const SearchStatistics &s) {
  if (!os.is_displayed() ||
      (isShown && s.seconds - last < 0.1 && s.isVerifying == lastIsVerifying))
    return;
  last = s.seconds;
  lastIsVerifying = s.isVerifying;
  isShown = true;
  // What doesn't fit is cut off: a second line would stay.
  os << "\r\033[K\033[?7l" << (s.isVerifying ? "verifying" : "searching")
     << llvm::formatv(" {0} kernel{1}: {2} of {3} placements, {4:f0} k "
                      "states/s",
                      s.kernels, s.kernels == 1 ? "" : "s", s.placementsDone,
                      s.placements, s.states / s.seconds / 1e3);
  if (s.bestNanoseconds > 0)
    os << llvm::formatv(", best {0:f1} us", s.bestNanoseconds / 1e3);
  if (timeLimit > 0)
    os << llvm::formatv(", {0:f0} s left", std::max(0., timeLimit - s.seconds));
  os << "\033[?7h";
  os.flush();
}

void ProgressLine::clear() {
  if (!isShown)
    return;
  os << "\r\033[K";
  os.flush();
  isShown = false;
}

static std::atomic<bool> interrupted{false};

const std::atomic<bool> &mirage::getInterrupted() { return interrupted; }

static constexpr int kSignals[] = {SIGINT, SIGTERM};
static struct sigaction before[std::size(kSignals)];

void mirage::endSearchesOnInterrupt() {
  // LLVM's handlers remove the files that are being written, and only then call
  // what SetInterruptFunction was given: right for the second signal, but the
  // first is to lose nothing.
  llvm::sys::SetInterruptFunction(nullptr);
  struct sigaction action = {};
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  action.sa_handler = [](int) {
    interrupted = true;
    for (size_t i = 0; i < std::size(kSignals); ++i)
      sigaction(kSignals[i], &before[i], nullptr);
  };
  for (size_t i = 0; i < std::size(kSignals); ++i)
    sigaction(kSignals[i], &action, &before[i]);
}
