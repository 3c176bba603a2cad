//===- Interrupt.cpp - Ending a search by a signal ------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Interrupt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Signals.h"
#include <cerrno>
#include <csignal>
#include <iterator>
#include <mutex>

using namespace mirage;

static std::atomic<bool> interrupted{false};
static std::atomic<int> numSearches{0};

const std::atomic<bool> &mirage::getInterrupted() { return interrupted; }

static constexpr int kSignals[] = {SIGINT, SIGTERM};
static struct sigaction before[std::size(kSignals)];

InterruptibleSearch::InterruptibleSearch() { ++numSearches; }
InterruptibleSearch::~InterruptibleSearch() { --numSearches; }

static void handle(int signal) {
  const int error = errno;
  interrupted = true;
  for (size_t i = 0; i < std::size(kSignals); ++i)
    sigaction(kSignals[i], &before[i], nullptr);
  // Nothing would end, and nothing else may ask again.
  if (numSearches == 0)
    raise(signal);
  errno = error;
}

static void install() {
  bool isIgnored[std::size(kSignals)];
  for (auto [signal, ignored] : llvm::zip_equal(kSignals, isIgnored)) {
    struct sigaction now;
    sigaction(signal, nullptr, &now);
    ignored = now.sa_handler == SIG_IGN;
  }
  // LLVM's handlers remove the files that are being written, and only then call
  // what SetInterruptFunction was given: right for the second signal, but the
  // first is to lose nothing.
  llvm::sys::SetInterruptFunction(nullptr);
  struct sigaction action = {};
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  action.sa_handler = handle;
  // What the handler restores has to be known before it is there.
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    sigaction(kSignals[i], nullptr, &before[i]);
    if (isIgnored[i])
      before[i].sa_handler = SIG_IGN;
  }
  for (size_t i = 0; i < std::size(kSignals); ++i)
    sigaction(kSignals[i], isIgnored[i] ? &before[i] : &action, nullptr);
}

void mirage::endSearchesOnInterrupt() {
  static std::once_flag once;
  std::call_once(once, install);
}
