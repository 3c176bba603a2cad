//===- SanitizerOptions.cpp - How executables of the asan preset run ------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/// What AddressSanitizer's runtime asks each executable for; the environment's
/// ASAN_OPTIONS come on top.
///
/// - allow_user_poisoning=0: LLVM's allocators, which are in headers, poison
///   what they have not handed out yet, in our code, which is instrumented; the
///   same allocator in libLLVM and libMLIR, which are not, hands it out without
///   lifting the poison.
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0";
}
