//===- LibraryLoad.cpp - What a library's kernel has to do ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibraryLoad.h"
#include "Mirage/Cost/TileAccess.h"
#include "ProductReads.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// The bytes that a library kernel loads at a time, and the sides of the parts
/// of a product for which it reads its operands from the L2 cache (the tiles of
/// two blocks that share what they load), and from shared memory.
constexpr double kLibraryTile = 32768;
constexpr int64_t kLibrarySide = 256, kLibraryWarpSide = 128;
/// The sides of the smallest part of a product that a block of a library
/// computes, on tensor cores and of f32.
constexpr int64_t kLibraryBlockSide = 64, kLibraryBlockSideF32 = 32;
} // namespace

static unsigned getBits(const KernelTensor &tensor) {
  return tensor.elementType.getIntOrFloatBitWidth();
}

/// The blocks of a library that a product of matrices has, none if it isn't
/// one.
static std::optional<int64_t>
countLibraryBlocks(const OperatorCost &cost,
                   const std::optional<IterationSpace> &space,
                   ArrayRef<int64_t> result, int64_t side) {
  if (!isMatrixProduct(cost, space, result))
    return std::nullopt;
  int64_t blocks = 1;
  for (auto [d, size] : llvm::enumerate(result))
    blocks *= d + 2 < result.size() ? size : llvm::divideCeil(size, side);
  return std::max<int64_t>(blocks, 1);
}

/// Makes rows of the batches of a product whose right operand they share, as
/// the library is called (getLibraryCall).
static void mergeBatches(const Operator &op, const Params &params,
                         llvm::MutableArrayRef<Shape> shapes, Shape &result) {
  std::optional<IterationSpace> space = op.getIterationSpace(shapes, params);
  const size_t rank = result.size();
  if (op.getMatrixProducts().empty() || shapes.size() != 2 || !space ||
      rank < 3 || shapes[0].size() != rank)
    return;
  // The left operand has the result's rows where it has them, and the right one
  // no batches.
  ArrayRef<int> left = space->operandLoops[0], right = space->operandLoops[1];
  for (size_t d = 0; d + 1 < rank; ++d)
    if (left[d] != static_cast<int>(d) && result[d] != 1)
      return;
  if (left.back() < static_cast<int>(rank) && space->sizes.back() != 1)
    return;
  if (llvm::any_of(right, [&](int loop) {
        return loop >= 0 && loop + 1 < static_cast<int>(rank);
      }))
    return;
  constexpr int64_t kMostRows = std::numeric_limits<int32_t>::max();
  if (llvm::product_of(ArrayRef(result).drop_back()) > kMostRows)
    return;
  for (Shape *shape : {&shapes[0], &result}) {
    const int64_t rows = llvm::product_of(ArrayRef(*shape).drop_back());
    std::fill(shape->begin(), shape->end() - 2, 1);
    (*shape)[rank - 2] = rows;
  }
}

KernelLoad mirage::getLibraryLoad(const KernelGraph &graph,
                                  const KernelNode &node,
                                  const TargetNumbers &target) {
  KernelTensor result = graph.tensors[node.results[0]];
  SmallVector<Shape> shapes;
  for (unsigned operand : node.operands)
    shapes.push_back(graph.tensors[operand].shape);
  mergeBatches(*node.op, node.params, shapes, result.shape);
  OperatorCost once = node.op->getCost(shapes, result.shape, node.params);
  std::optional<IterationSpace> space;
  if (once.tensorFlops > 0)
    space = node.op->getIterationSpace(shapes, node.params);

  KernelLoad load;
  auto add = [&](const KernelTensor &tensor, int64_t loads, int64_t reads) {
    TileAccess access =
        getTileAccess(tensor.shape, tensor.shape, getBits(tensor));
    load.deviceBytes += access.sectorBytes;
    load.requestedBytes += loads * access.sectorBytes;
    load.accessCycles += loads * access.cycles;
    load.sharedTraffic += reads * access.bytes;
  };
  for (auto [i, operand] : llvm::enumerate(node.operands))
    add({shapes[i], graph.tensors[operand].elementType},
        countReads(once, space, result.shape, i, kLibrarySide),
        countReads(once, space, result.shape, i, kLibraryWarpSide));
  add(result, 1, 0);
  load.blocks = target.smCount;
  // No library cuts reductions: they have a default schedule
  // (Transforms/ScheduleKernels.cpp), which has a block for each of what they
  // result in at most.
  if (node.op->isReduction())
    load.blocks = std::min(load.blocks, getNumElements(result.shape));
  load.bytesPerIteration = load.sharedBytes = load.stageBytes = kLibraryTile;
  // What fits in one tile needs no loop.
  int64_t tiles = load.requestedBytes / (kLibraryTile * load.blocks);
  load.iterations = tiles > 1 ? tiles : 0;
  load.work = once;
  load.work.tensorFlops = getPaddedTensorFlops(once, space, result.shape);
  int64_t side = getBits(graph.tensors[node.operands[0]]) == 32
                     ? kLibraryBlockSideF32
                     : kLibraryBlockSide;
  std::optional<int64_t> blocks =
      countLibraryBlocks(once, space, result.shape, side);
  if (!blocks || *blocks >= target.smCount)
    return load;

  KernelLoad whole = load, split = load;
  whole.blocks = *blocks;
  int64_t tilesOfBlock = load.requestedBytes / (kLibraryTile * *blocks);
  whole.iterations = tilesOfBlock > 1 ? tilesOfBlock : 0;
  int64_t depth = 0;
  for (int64_t size : ArrayRef(space->sizes).drop_front(result.shape.size()))
    depth += size;
  int64_t cuts =
      std::min(target.smCount / *blocks,
               static_cast<int64_t>(llvm::divideCeil(depth, kMmaDepth)));
  if (cuts <= 1)
    return whole;
  // The sums are f32, written and read.
  double sums = 2.0 * cuts * getNumElements(result.shape) * sizeof(float);
  split.launches = 2;
  split.blocks = cuts * *blocks;
  split.deviceBytes += sums;
  split.requestedBytes += sums;
  return estimateNanoseconds(whole, target) <=
                 estimateNanoseconds(split, target)
             ? whole
             : split;
}
