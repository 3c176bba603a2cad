//===- Interrupt.h - Ending a search by a signal ----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_INTERRUPT_H
#define MIRAGE_SEARCH_INTERRUPT_H

#include <atomic>

namespace mirage {

/// From now on the first interrupt (Ctrl-C) of the process, or SIGTERM, ends
/// searches that look at `getInterrupted()` with the best so far, if there are
/// some; the second does what it did before, as does the first without a
/// search. A signal that is ignored stays so. For tools, as the first that they
/// do (LLVM's own handlers ignore nothing): a library should not handle the
/// signals of others. Further calls do nothing.
void endSearchesOnInterrupt();
const std::atomic<bool> &getInterrupted();

/// Lives while a search runs that looks at `getInterrupted()`.
class InterruptibleSearch {
public:
  InterruptibleSearch();
  ~InterruptibleSearch();
  InterruptibleSearch(const InterruptibleSearch &) = delete;
  InterruptibleSearch &operator=(const InterruptibleSearch &) = delete;
};

} // namespace mirage

#endif // MIRAGE_SEARCH_INTERRUPT_H
