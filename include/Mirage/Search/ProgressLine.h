//===- ProgressLine.h - How far a search is ---------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_PROGRESSLINE_H
#define MIRAGE_SEARCH_PROGRESSLINE_H

#include "Mirage/Search/Search.h"
#include "llvm/Support/raw_ostream.h"

namespace mirage {

/// A line on a terminal that says how far a search is; nothing where the stream
/// isn't one.
class ProgressLine {
public:
  /// `timeLimit` in seconds, 0 for none.
  ProgressLine(llvm::raw_ostream &os, double timeLimit)
      : os(os), timeLimit(timeLimit) {}
  ~ProgressLine() { clear(); }

  void show(const SearchStatistics &statistics);
  void clear();

private:
  llvm::raw_ostream &os;
  double timeLimit;
  double last = 0;
  bool isShown = false, lastIsVerifying = false;
};

} // namespace mirage

#endif // MIRAGE_SEARCH_PROGRESSLINE_H
