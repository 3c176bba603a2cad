//===- StackPool.h - Stacks of fibers ---------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_RUNTIME_STACKPOOL_H
#define MIRAGE_LIB_RUNTIME_STACKPOOL_H

#include "Mirage/Conversion/NVVMToHost/HostABI.h"
#include <cstddef>
#include <sys/mman.h>

namespace mirage {

/// One mapping for the stacks of all fibers, each with an inaccessible page
/// below it.
class StackPool {
public:
  /// Usable bytes of a stack. Emulated threads call only leaf functions; what a
  /// kernel keeps in arrays of its own has to fit, too.
  static constexpr size_t kBytes = 60 << 10;
  static_assert(2 * host_abi::kMostStackBytes <= kBytes,
                "the library takes some, too");

  StackPool() = default;
  StackPool(const StackPool &) = delete;
  StackPool &operator=(const StackPool &) = delete;
  ~StackPool() {
    if (base)
      munmap(base, bytes);
  }

  bool allocate(size_t count) {
    bytes = count * kStride;
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return false;
    base = static_cast<char *>(memory);
    for (size_t i = 0; i < count; ++i)
      if (mprotect(base + i * kStride, kGuardBytes, PROT_NONE))
        return false;
    return true;
  }

  bool contains(const void *address) const {
    auto *at = static_cast<const char *>(address);
    return at >= base && at < base + bytes;
  }

  /// The top of stack `i`. The tops are staggered within their page: were they
  /// all at the same offset, the fibers would compete for the same few cache
  /// sets.
  char *getTop(size_t i) const {
    return base + (i + 1) * kStride - i % 16 * 256;
  }

private:
  static constexpr size_t kGuardBytes = 4 << 10;
  static constexpr size_t kStride = kGuardBytes + kBytes + 4096;
  char *base = nullptr;
  size_t bytes = 0;
};

} // namespace mirage

#endif // MIRAGE_LIB_RUNTIME_STACKPOOL_H
