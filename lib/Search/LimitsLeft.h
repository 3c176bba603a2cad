//===- LimitsLeft.h - Limits that searches share ----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_LIMITSLEFT_H
#define MIRAGE_LIB_SEARCH_LIMITSLEFT_H

#include "Watch.h"

namespace mirage {

/// What searches that come one after the other leave to each other of the
/// limits that all of them have together. They count from here on.
class LimitsLeft {
public:
  /// The options must outlive this.
  explicit LimitsLeft(const SearchOptions &options)
      : options(options), begin(Clock::now()), bytesBefore(getResidentBytes()) {
  }

  double getSeconds() const {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }
  bool isTimeUp() const {
    return options.timeLimit > 0 && getSeconds() >= options.timeLimit;
  }

  /// The options, with what is left now for limits.
  SearchOptions getOptions() const {
    // What is used up must not turn into "no limit".
    constexpr double kLeastSeconds = 1e-3;
    constexpr int64_t kLeastBytes = 1;
    SearchOptions rest = options;
    if (options.timeLimit > 0)
      rest.timeLimit = std::max(options.timeLimit - getSeconds(),
                                std::min(options.timeLimit, kLeastSeconds));
    if (options.memoryLimit > 0)
      rest.memoryLimit =
          std::max(options.memoryLimit - (getResidentBytes() - bytesBefore),
                   kLeastBytes);
    return rest;
  }

private:
  using Clock = std::chrono::steady_clock;
  const SearchOptions &options;
  Clock::time_point begin;
  int64_t bytesBefore;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_LIMITSLEFT_H
