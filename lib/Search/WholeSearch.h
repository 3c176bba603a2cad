//===- WholeSearch.h - Searching a program in one piece ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_WHOLESEARCH_H
#define MIRAGE_LIB_SEARCH_WHOLESEARCH_H

#include "Mirage/Search/Search.h"

namespace mirage {

/// Searches for a program as it is. `secondsToFirst`, if not 0: what has found
/// nothing by then is given up.
llvm::Expected<SearchResult> searchWhole(const KernelGraph &reference,
                                         const SearchOptions &options,
                                         double secondsToFirst);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_WHOLESEARCH_H
