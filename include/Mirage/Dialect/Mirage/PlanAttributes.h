//===- PlanAttributes.h - What the μGraph optimizer writes ------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The discardable attributes in which passes on block graphs tell the lowering
// how to run them (docs/Optimizer.md). A graph without them means the same and
// is lowered in the plainest way.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_PLANATTRIBUTES_H
#define MIRAGE_DIALECT_MIRAGE_PLANATTRIBUTES_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"

namespace mirage {

/// On an operator of a block graph: its depth, an i64 from 0 to 2^31 - 1.
/// Operators of one depth of a block run between the same two barriers.
constexpr llvm::StringLiteral kDepthAttr = "mirage.depth";

/// On an input iterator of a loop: how many places its tile has, an i64 from 1
/// to `kMaxStages`. Iterations take them in turn, so that a tile can be on its
/// way while others are in use.
constexpr llvm::StringLiteral kStagesAttr = "mirage.stages";
constexpr int64_t kMaxStages = 64;
/// How many plans take at most, unless they are told otherwise.
constexpr int64_t kDefaultStages = 4;

/// On a graph-defined kernel: the threads of its blocks, an i64, a multiple of
/// 32 from 32 to 1024. Plans depend on it, and say which they are for.
constexpr llvm::StringLiteral kThreadsAttr = "mirage.threads";
constexpr int64_t kDefaultThreads = 128;

/// On a loop: a warp of its own loads the tiles that iterations bring, by the
/// tensor memory accelerator; a unit attribute. The kernel has this warp beyond
/// its `mirage.threads`.
constexpr llvm::StringLiteral kProducerWarpAttr = "mirage.producer_warp";

/// On a loop with a producer warp and a row chain whose products warpgroups
/// compute: what the chain multiplies last in an iteration is multiplied while
/// the next one computes with its rows, if stages are enough; a unit attribute.
constexpr llvm::StringLiteral kOverlappedAttr = "mirage.overlapped";

/// On a graph-defined kernel: how many blocks of each dimension of its grid
/// form a cluster, an array of as many i64 as dimensions, each at least 1, in
/// all at most `kMaxClusterBlocks`. Producer warps of a cluster's blocks share
/// the loads of tiles that all of them want.
constexpr llvm::StringLiteral kClusterAttr = "mirage.cluster";
/// What every GPU with clusters can run.
constexpr int64_t kMaxClusterBlocks = 8;

/// On an output saver: the tensor memory accelerator stores its tile, if that
/// is in shared memory; a unit attribute.
constexpr llvm::StringLiteral kBulkStoreAttr = "mirage.bulk_store";

/// On a product of tiles: warpgroups compute it (`wgmma`), where its shape and
/// the layouts of its tiles allow it; a unit attribute.
constexpr llvm::StringLiteral kWarpgroupsAttr = "mirage.warpgroups";

/// On a product of tiles: where its tensor cores would take one operand as f16
/// and the other as f32, warps multiply in f16 what fits it; a unit attribute.
constexpr llvm::StringLiteral kNarrowedAttr = "mirage.narrowed";

/// On a product of tiles: warps don't share its depth, since shared memory has
/// no room in which their parts could come together; a unit attribute.
constexpr llvm::StringLiteral kWholeDepthAttr = "mirage.whole_depth";

/// On an op of a loop: it computes on the fragments of a product, which it may
/// be itself, for the product that ends the chain (`RowChain`); a unit
/// attribute.
constexpr llvm::StringLiteral kChainedAttr = "mirage.chained";

/// On a graph-defined kernel: its tiles are in registers, of threads that share
/// their rows (`KeptRowsShape`); a unit attribute.
constexpr llvm::StringLiteral kKeptRowsAttr = "mirage.kept_rows";

/// On an op of a block graph: the bytes of shared memory that it takes while it
/// runs, beyond its tiles; an i64 from 0 to `kMaxPlanBytes`.
constexpr llvm::StringLiteral kScratchBytesAttr = "mirage.scratch_bytes";

/// On an op of a block graph: the bytes that each of its results takes, padding
/// included, where that is more than the elements do; an array of as many i64
/// as results, each at most `kMaxPlanBytes`.
constexpr llvm::StringLiteral kTileBytesAttr = "mirage.tile_bytes";

/// On an op of a block graph: what the offset of each of its results is a
/// multiple of, in bytes, where a layout needs more than `kTileAlignment`; an
/// array of as many i64 as results, powers of two from 16 to
/// `kMaxTileAlignment`.
constexpr llvm::StringLiteral kTileAlignmentsAttr = "mirage.tile_alignments";
constexpr int64_t kMaxTileAlignment = 1024;

/// On an op of a block graph: the layout of each of its results in shared
/// memory, an array of as many strings as results: the names of `TileLayout`.
/// Results of ops without it are row-major.
constexpr llvm::StringLiteral kLayoutsAttr = "mirage.layouts";

/// On an op of a block graph: where its tiles begin in shared memory, in bytes,
/// an array of i64. One for each result, -1 where it is not in shared memory;
/// then one for each running maximum that it keeps (accumulators); then one for
/// its scratch, if it has some.
constexpr llvm::StringLiteral kOffsetsAttr = "mirage.offsets";

/// On a graph-defined kernel: the shared memory that it takes, in bytes, an i64
/// from 0 to `kMaxPlanBytes`. Where it stands, its ops have `mirage.offsets`.
constexpr llvm::StringLiteral kSharedBytesAttr = "mirage.shared_bytes";

/// Far more than any GPU has, and sums of many stay within 64 bits.
constexpr int64_t kMaxPlanBytes = int64_t(1) << 40;

/// Verifies one of these attributes by itself; emits the error. What it says
/// about other ops is checked where it is used. True for any other attribute.
mlir::LogicalResult verifyPlanAttribute(mlir::Operation *op,
                                        mlir::NamedAttribute attribute);

} // namespace mirage

#endif // MIRAGE_DIALECT_MIRAGE_PLANATTRIBUTES_H
