//===- Report.h - What mirage-verify prints ---------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MIRAGE_VERIFY_REPORT_H
#define MIRAGE_TOOLS_MIRAGE_VERIFY_REPORT_H

#include "Mirage/Verify/Equivalence.h"
#include "llvm/Support/JSON.h"

namespace mirage {

/// What is said of one candidate.
struct Report {
  unsigned index = 0;
  std::string name;
  EquivalenceResult result;
  double seconds = 0;

  /// `candidate 3: refuted at output 0 [5, 17]`.
  void print(llvm::raw_ostream &os) const;
  llvm::json::Value toJSON() const;
};

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGE_VERIFY_REPORT_H
