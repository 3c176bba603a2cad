//===- PlanOptions.h - What passes on block graphs share --------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_PLANOPTIONS_H
#define MIRAGE_BLOCKPLAN_PLANOPTIONS_H

#include "Mirage/Dialect/Mirage/Mirage.h"

namespace mirage {

/// The target of a pass: what the module says (`mirage.target`), which the
/// pass's option must not contradict, or the one that the option names, or
/// sm_90a. Emits an error at `op` if there is none.
TargetAttr lookUpTarget(mlir::Operation *op, llvm::StringRef chip);

/// Whether a block can have so many threads (`isValidThreadCount`); emits an
/// error at `op` if it can't.
mlir::LogicalResult verifyThreadCount(mlir::Operation *op, int64_t threads);

/// Gives each loop of a graph-defined kernel, or of all in a function, its own
/// copies of the constants that it uses from outside, where CSE leaves them.
/// Passes may then take every tile in a loop to be made there.
void copyConstantsIntoLoops(mlir::Operation *kernelOrFunction);

/// What passes that choose layouts, places and roles of threads begin with:
/// verifies their options, copies constants into loops, and returns the target.
/// Null after an error, emitted at `op`.
TargetAttr beginPlanning(mlir::Operation *op, int64_t threads,
                         llvm::StringRef chip);

/// Gives a graph-defined kernel its number of threads, unless it has one
/// (`kThreadsAttr`).
void setDefaultThreads(mlir::Operation *kernel, int64_t threads);

/// Removes the places of tiles from a graph-defined kernel (`kOffsetsAttr`,
/// `kSharedBytesAttr`): what they depend on is about to change.
void dropPlaces(mlir::Operation *kernel);
/// The layouts, too (`kLayoutsAttr`).
void dropLayouts(mlir::Operation *kernel);
/// Removes all that passes have decided of a kernel's block graph, which has
/// tiles now that they didn't know.
void dropPlan(mlir::Operation *kernel);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_PLANOPTIONS_H
