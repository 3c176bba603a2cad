//===- arc4random.c - Lets static builds run with glibc 2.35 ----*- C -*---===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's archives and libstdc++ call arc4random, which glibc has from 2.36 on.
// It is all that they take from a glibc that recent: with a definition of our
// own, the bundle runs on systems that are one release older (Ubuntu 22.04).
//
//===----------------------------------------------------------------------===//

#include <stdint.h>
#include <sys/random.h>

__attribute__((visibility("hidden"))) uint32_t arc4random(void) {
  uint32_t value;
  // Fails only when a signal comes before the system has any randomness.
  while (getrandom(&value, sizeof(value), 0) != sizeof(value)) {
  }
  return value;
}
