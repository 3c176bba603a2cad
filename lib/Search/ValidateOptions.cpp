//===- ValidateOptions.cpp - Options that a search can have ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Mirage/Search/Search.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mirage;

llvm::Error mirage::validate(const SearchOptions &options) {
  auto fail = [](const char *format, auto... values) {
    return llvm::createStringError(llvm::formatv(format, values...).str());
  };
  struct Number {
    const char *name;
    unsigned value, least, most;
  };
  for (auto [name, value, least, most] :
       {Number{"max-kernel-ops", options.maxKernelOps, 1, 100},
        Number{"max-block-ops", options.maxBlockOps, 1, 1000},
        Number{"max-whole-ops", options.maxWholeOps, 1, 1000},
        Number{"max-grid-dims", options.maxGridDims, 1, kMaxGridDims},
        Number{"max-free-ops", options.maxFreeOps, 0, 1000},
        Number{"candidates", options.keep, 1, 10000},
        Number{"threads", options.threads, 1, 1024}}) {
    if (value < least)
      return fail("option '{0}' must be at least {1}", name, least);
    if (value > most)
      return fail("option '{0}' must be at most {1}, found {2}", name, most,
                  value);
  }
  // All of these are false for NaN.
  auto isTime = [](double seconds) {
    return seconds >= 0 && !std::isinf(seconds);
  };
  if (!isTime(options.timeLimit))
    return fail("option 'time-limit' must be a number of seconds, or 0 for "
                "none, found {0}",
                llvm::format("%g", options.timeLimit));
  if (!isTime(options.checkpointSeconds))
    return fail("option 'checkpoint-seconds' must be a number of seconds, "
                "found {0}",
                llvm::format("%g", options.checkpointSeconds));
  if (options.stabilityFactor != 0 &&
      (!(options.stabilityFactor >= 1) || std::isinf(options.stabilityFactor)))
    return fail("option 'stability-factor' must be 0 or at least 1, found {0}",
                llvm::format("%g", options.stabilityFactor));
  return llvm::Error::success();
}
