//===- Superoptimize.h - The search as a pass, watched ----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_SUPEROPTIMIZE_H
#define MIRAGE_TRANSFORMS_SUPEROPTIMIZE_H

#include "Mirage/Search/Search.h"
#include "Mirage/Transforms/Passes.h"

namespace mirage {

/// What a tool that embeds the pass wants to be told.
struct SuperoptimizeObserver {
  /// See SearchOptions::progress.
  std::function<void(const SearchStatistics &)> progress;
  /// Called for each function that was searched, before it is replaced.
  std::function<void(mlir::func::FuncOp, const KernelGraph &,
                     const SearchResult &)>
      finished;
};

std::unique_ptr<mlir::Pass>
createSuperoptimize(const SuperoptimizeOptions &options,
                    SuperoptimizeObserver observer);

} // namespace mirage

#endif // MIRAGE_TRANSFORMS_SUPEROPTIMIZE_H
