//===- Report.h - Search reports as HTML ------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TARGET_DRAWING_REPORT_H
#define MIRAGE_LIB_TARGET_DRAWING_REPORT_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mirage {

/// Writes all that is in an entry of a report: numbers and texts as a list,
/// `pruned` and other objects as tables of their own, lists of objects as
/// tables with a row for each.
void writeReport(const llvm::json::Object &entry, llvm::raw_ostream &out);

} // namespace mirage

#endif // MIRAGE_LIB_TARGET_DRAWING_REPORT_H
