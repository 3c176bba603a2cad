//===- Sizes.h - Real sizes for structures ----------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_SIZES_H
#define MIRAGE_LIB_SEARCH_SIZES_H

#include "KernelSearch.h"

namespace mirage {

/// A μGraph found at proxy size, whose grid and loop have no sizes yet.
struct Structure {
  KernelGraph graph;
  /// Of the graph-defined operator, the last node; none if there isn't one.
  llvm::SmallVector<int, 3> gridRoles;
  int loopRole = kNoRole;
  std::vector<DimRoles> roles;
};

/// The cheapest choice of sizes for a structure that fits the target: every
/// divisor of the dimensions that the grid and the loop partition is tried.
/// Nothing if none fits. Ends early, with the best so far, when `stop` is set.
std::optional<SearchCandidate> chooseSizes(const SearchProgram &program,
                                           const Structure &structure,
                                           TargetAttr target,
                                           SearchStatistics &statistics,
                                           const std::atomic<bool> &stop);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_SIZES_H
