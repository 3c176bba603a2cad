//===- Watch.h - When a search has to end -----------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_WATCH_H
#define MIRAGE_LIB_SEARCH_WATCH_H

#include "Mirage/Search/Search.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace mirage {

/// The memory of the process, in bytes; 0 where nobody tells.
int64_t getResidentBytes();

/// Who interrupts a search wants what it has found so far: that may still be
/// verified for so many seconds.
inline constexpr double kSecondsToVerifyAfterInterrupt = 10;

/// Sets a flag when the time is up, the memory is used up, or someone
/// interrupts.
class Watch {
public:
  /// An interrupt sets the flag after so many more seconds.
  Watch(const SearchOptions &options, std::atomic<bool> &flag,
        double secondsAfterInterrupt = 0);
  ~Watch();

  /// Another time limit than that of the options, as long as none has passed.
  void setTimeLimit(double seconds) { timeLimit = seconds; }
  /// Looks at once: on a busy machine the thread that does may come late.
  void check();
  /// Why the flag was set.
  StopReason getReason() const { return reason; }
  /// Since the watch began.
  double getSeconds() const;

private:
  bool isInterrupted();
  bool usesTooMuchMemory();

  const SearchOptions &options;
  std::atomic<bool> &flag;
  std::atomic<double> timeLimit;
  const double secondsAfterInterrupt;
  std::chrono::steady_clock::time_point begin;
  /// The memory of the process when the watch began.
  int64_t bytesBefore;
  /// When the interrupt was seen; negative: not yet.
  std::atomic<double> interrupted{-1};
  /// When it is worth while to look at the memory again.
  std::atomic<double> nextLook{0};
  std::atomic<StopReason> reason{StopReason::None};
  std::thread thread;
  std::mutex mutex;
  std::condition_variable done;
  bool isDone = false;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_WATCH_H
