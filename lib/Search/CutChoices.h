//===- CutChoices.h - Into how many parts grids and loops cut ---*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_CUTCHOICES_H
#define MIRAGE_LIB_SEARCH_CUTCHOICES_H

#include "Placements.h"
#include "Program.h"

namespace mirage {

/// The numbers of blocks to choose from for a grid dimension of a frame, in
/// increasing order: divisors of what it cuts, but for 1, and, where that is
/// one role without a divisor that leaves tiles of whole sixteens from 32
/// elements up to the largest of these, numbers that don't divide it and leave
/// tiles of 16 to 64 rows, or 128 columns (docs/Search.md, "Uneven grids").
llvm::SmallVector<int64_t> getGridChoices(const SearchProgram &program,
                                          const KernelProblem &problem,
                                          const Placement &frame,
                                          unsigned gridDim);

/// The numbers of iterations to choose from for a frame's loop over its own
/// role, in increasing order: divisors of it, and, where none leaves tiles of
/// whole sixteens from 32 to 128 elements of it, or of a part of it if it is
/// split, numbers that don't divide that and leave tiles of 16 to 128
/// (docs/Search.md, "Uneven loops").
llvm::SmallVector<int64_t> getLoopChoices(const SearchProgram &program,
                                          const Placement &frame);

/// Whether an input can be read in this way with a grid of these sizes: what
/// the grid cuts and doesn't divide is not cut by the loop, too. What becomes
/// of it is looked at when the kernel is there (inferShapes).
bool allowsUneven(const SearchProgram &program, const IteratorPlacement &way,
                  const Placement &frame, llvm::ArrayRef<int64_t> grid);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_CUTCHOICES_H
