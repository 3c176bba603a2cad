//===- ProgressLine.cpp - How far a search is -----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/ProgressLine.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;

void ProgressLine::show(const SearchStatistics &s) {
  if (!os.is_displayed() ||
      (isShown && s.seconds - last < 0.1 && s.isVerifying == lastIsVerifying))
    return;
  last = s.seconds;
  lastIsVerifying = s.isVerifying;
  isShown = true;
  // In one piece: a process that is killed must not leave the terminal as it is
  // in the middle of it.
  llvm::SmallString<160> text;
  llvm::raw_svector_ostream line(text);
  // What doesn't fit is cut off: a second line would stay.
  line << "\r\033[K\033[?7l" << (s.isVerifying ? "verifying" : "searching")
       << llvm::formatv(" {0} kernel{1}: {2} of {3} placements", s.kernels,
                        s.kernels == 1 ? "" : "s", s.placementsDone,
                        s.placements);
  if (s.seconds > 0)
    line << llvm::formatv(", {0:f0} k states/s", s.states / s.seconds / 1e3);
  if (s.bestNanoseconds > 0)
    line << llvm::formatv(", best {0:f1} us", s.bestNanoseconds / 1e3);
  if (timeLimit > 0)
    line << llvm::formatv(", {0:f0} s left",
                          std::max(0., timeLimit - s.seconds));
  line << "\033[?7h";
  os << text;
  os.flush();
}

void ProgressLine::clear() {
  if (!isShown)
    return;
  os << "\r\033[K";
  os.flush();
  isShown = false;
}
