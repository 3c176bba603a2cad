//===- Report.h - The result of a search as JSON ----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_REPORT_H
#define MIRAGE_SEARCH_REPORT_H

#include "Mirage/Search/Search.h"
#include "llvm/Support/JSON.h"

namespace mirage {

/// The fields are documented in docs/Search.md.
llvm::json::Object getReport(llvm::StringRef function,
                             const KernelGraph &reference,
                             const SearchResult &result,
                             const SearchOptions &options);

/// The report of a function that is not searched.
llvm::json::Object getSkippedReport(llvm::StringRef function,
                                    llvm::StringRef reason);

} // namespace mirage

#endif // MIRAGE_SEARCH_REPORT_H
