//===- AsyncCopies.h - Copies that are under way ----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_RUNTIME_ASYNCCOPIES_H
#define MIRAGE_LIB_RUNTIME_ASYNCCOPIES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mirage {

/// A copy of `sourceBytes` bytes; zeros fill the rest of `bytes`.
struct AsyncCopy {
  char *to;
  const char *from;
  uint32_t bytes, sourceBytes;
  /// The number of the op.
  int32_t op;
};

/// A thread's copies by cp.async. Data arrives at the wait for its group and
/// not earlier; on a GPU it may arrive any time between.
class AsyncCopies {
public:
  /// Forgets all copies, after calling `finish` on each.
  template <typename Finish> void clear(Finish finish) {
    for (const AsyncCopy &copy : copies)
      finish(copy);
    copies.clear();
    groupEnds.clear();
  }

  void add(const AsyncCopy &copy) { copies.push_back(copy); }

  /// Makes a group of the copies since the last one.
  void commit() { groupEnds.push_back(copies.size()); }

  /// Calls `finish` on each copy, in order, of all groups but the last `left`.
  /// Copies outside of a group stay.
  template <typename Finish> void wait(size_t left, Finish finish) {
    if (groupEnds.size() <= left)
      return;
    size_t groups = groupEnds.size() - left, count = groupEnds[groups - 1];
    for (size_t i = 0; i < count; ++i)
      finish(copies[i]);
    copies.erase(copies.begin(), copies.begin() + count);
    groupEnds.erase(groupEnds.begin(), groupEnds.begin() + groups);
    for (size_t &end : groupEnds)
      end -= count;
  }

private:
  std::vector<AsyncCopy> copies;
  /// For each group, how many copies there are to its end.
  std::vector<size_t> groupEnds;
};

} // namespace mirage

#endif // MIRAGE_LIB_RUNTIME_ASYNCCOPIES_H
