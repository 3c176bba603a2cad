//===- FakeCuda.h - What the fake CUDA libraries share ----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_RUNTIME_FAKECUDA_H
#define MIRAGE_UNITTESTS_RUNTIME_FAKECUDA_H

#include <cstddef>
#include <functional>
#include <string>

namespace fake {

/// An environment variable, or "".
std::string getVariable(const char *name);

/// What the call of `function` is to return: 0, or the code of an injected
/// fault. FAKE_CUDA_FAIL=cuMemAlloc_v2:3 makes the third call of that function
/// since the last reset fail, with FAKE_CUDA_FAIL_CODE (999 unless set).
int enter(const char *function);

/// Handles and device memory that exist. `destroy` is false, and counts a
/// misuse, if there is no such handle.
void *create(const char *kind);
bool destroy(const char *kind, void *handle);
bool exists(const char *kind, const void *handle);
int count(const char *kind);
void countMisuse(const std::string &what);

/// Whether `size` bytes at `address` lie in one allocation; counts a misuse
/// otherwise.
bool isMemory(const void *address, size_t size);

/// Does something that takes `microseconds` now, or when the graph is launched
/// that `stream` captures.
int enqueue(void *stream, double microseconds, std::function<void()> work);

} // namespace fake

// For tests, which look these up in the library.
extern "C" {
/// Handles and memory that exist, and calls that made no sense.
int fakeCudaCountLive();
int fakeCudaCountMisuses();
/// How often a function was called since the last reset.
int fakeCudaCountCalls(const char *function);
/// Forgets calls and misuses.
void fakeCudaReset();
}

#endif // MIRAGE_UNITTESTS_RUNTIME_FAKECUDA_H
