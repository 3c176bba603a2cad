//===- ProductLoad.cpp - What products of tiles take ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductLoad.h"
#include "FoldLoad.h"
#include "Mirage/Cost/CostModel.h"
#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Dialect/Mirage/SquareSumShape.h"
#include "Mirage/Operators/DataMovement.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

int64_t mirage::getPaddedElements(int64_t rows, int64_t columns) {
  constexpr int64_t kRows = 16, kColumns = 8;
  return std::min(llvm::alignTo(rows, kRows) * llvm::alignTo(columns, kColumns),
                  llvm::alignTo(rows, kColumns) *
                      llvm::alignTo(columns, kRows));
}

bool mirage::isDepthOfLongSteps(int64_t depth) {
  constexpr int64_t kShortStep = 8;
  return llvm::divideCeil(depth, kShortStep) % 2 == 0;
}

int64_t mirage::getTileProductFlops(ArrayRef<int64_t> result, int64_t depth) {
  // Steps are filled up.
  constexpr int64_t kStep = 8;
  return 2 * getNumElements(result.drop_back(2)) *
         getPaddedElements(result[result.size() - 2], result.back()) *
         llvm::alignTo(depth, kStep);
}

/// As canBeNarrowed has it (BlockPlan/TensorCoreUse.h).
static bool doBlocksOverlap(const BlockGraph &block) {
  return llvm::any_of(block.nodes, [&](const BlockNode &node) {
    return node.kind == BlockNode::Kind::OutputSaver &&
           llvm::any_of(llvm::zip_equal(block.grid, node.map), [&](auto cut) {
             auto [blocks, dim] = cut;
             return dim >= 0 && node.shape[dim] % blocks != 0;
           });
  });
}

ProductLoads::ProductLoads(const BlockGraph &block,
                           ArrayRef<KernelTensor> inputs)
    : block(block), blocksOverlap(doBlocksOverlap(block)),
      tiles(block.nodes.size()) {
  // Nodes come behind their operands.
  for (size_t i = tiles.size(); i-- > 0;) {
    const BlockNode &node = block.nodes[i];
    if (node.kind == BlockNode::Kind::InputIterator)
      continue;
    bool isOperator = node.kind == BlockNode::Kind::Operator;
    const bool isOnElements =
        isOperator && node.op->getMatrixProducts().empty();
    const bool isElementwise = isOperator && node.op->isElementwise();
    const bool exponentiates =
        isOnElements && (node.op->usesExponentiation(node.params) ||
                         (isElementwise && tiles[i].isExponentiated));
    const bool isAdded = node.kind == BlockNode::Kind::Accumulator &&
                         node.accumulation != Accumulation::RescaledSum;
    const bool handsOn =
        (isAdded || (isOnElements && isElementwise)) && tiles[i].isCompared;
    for (auto [number, operand] : llvm::enumerate(node.operands)) {
      tiles[operand].reader = i;
      ++tiles[operand].numReaders;
      tiles[operand].isSunk |= !isOperator;
      tiles[operand].isExponentiated |= exponentiates;
      tiles[operand].isCompared |=
          handsOn || (isOnElements && node.op->isDiscontinuousIn(number));
    }
  }
  for (auto [node, tile] : llvm::zip_equal(block.nodes, tiles))
    tile.readType = getReadType(node, tile.isSunk, inputs);
}

mlir::Type ProductLoads::getReadType(const BlockNode &node, bool isSunk,
                                     ArrayRef<KernelTensor> inputs) const {
  // A movement is made where it is read, unless somebody takes its elements
  // from registers.
  if (node.isMovement() && !isSunk && !node.operands.empty()) {
    mlir::Type type = tiles[node.operands[0]].readType;
    if (llvm::all_of(node.operands, [&](unsigned operand) {
          return tiles[operand].readType == type;
        }))
      return type;
  }
  return node.getElementType(inputs);
}

bool ProductLoads::isNarrow(unsigned tile) const {
  mlir::Type type = tiles[tile].readType;
  return type && mlir::isa<mlir::Float16Type, mlir::BFloat16Type>(type);
}

bool ProductLoads::isF16(unsigned tile) const {
  mlir::Type type = tiles[tile].readType;
  return type && type.isF16();
}

bool ProductLoads::isF32(unsigned tile) const {
  mlir::Type type = tiles[tile].readType;
  return !type || type.isF32();
}

std::optional<ProductLoad> ProductLoads::get(unsigned i) const {
  const BlockNode &node = block.nodes[i];
  if (node.kind != BlockNode::Kind::Operator)
    return std::nullopt;
  ArrayRef<Operator::OperandPair> products = node.op->getMatrixProducts();
  if (products.empty())
    return std::nullopt;

  if (llvm::none_of(node.operands,
                    [&](unsigned operand) { return isNarrow(operand); }))
    return std::nullopt;
  ProductLoad load;
  // What rounding f32 to tf32 cuts off is multiplied, too, by the other operand
  // as it is rounded.
  bool keepsRemainders = tiles[i].isExponentiated || tiles[i].isCompared;
  const bool hasLongSteps =
      llvm::all_of(products, [&](Operator::OperandPair pair) {
        return isDepthOfLongSteps(
            block.nodes[node.operands[pair.first]].shape.back());
      });
  for (auto [lhs, rhs] : products) {
    unsigned left = node.operands[lhs], right = node.operands[rhs];
    int64_t flops =
        getTileProductFlops(node.shape, block.nodes[left].shape.back());
    const bool isNarrowed =
        hasLongSteps && !keepsRemainders && !blocksOverlap &&
        ((isF16(left) && isF32(right)) || (isF32(left) && isF16(right)));
    if (isNarrowed ||
        (isNarrow(left) && tiles[left].readType == tiles[right].readType)) {
      load.flops += flops;
      continue;
    }
    if (keepsRemainders)
      flops *= 1 + !isNarrow(left) + !isNarrow(right);
    load.flops += flops;
    load.tf32Flops += flops;
  }
  return load;
}

/// Whether warps, of which a block mostly has so many, can keep the fragments
/// of sums of squares over a loop, each of them those of as many tiles.
static bool areKept(int64_t tiles, int64_t fragmentsOfTile) {
  constexpr int64_t kWarps = kDefaultThreads / kWarpSize, kMostOfWarp = 4;
  return llvm::any_of(llvm::seq<int64_t>(1, kWarps + 1), [&](int64_t warps) {
    return tiles % warps == 0 && tiles / warps * fragmentsOfTile <= kMostOfWarp;
  });
}

/// Whether a node exchanges the last two dimensions of its operand.
static bool isMatrixTranspose(const BlockGraph &block, const BlockNode &node) {
  size_t rank = node.shape.size();
  if (!node.isMovement() || node.params != getMatrixTranspose(rank))
    return false;
  Shape exchanged = block.nodes[node.operands[0]].shape;
  if (exchanged.size() != rank)
    return false;
  std::swap(exchanged[rank - 2], exchanged[rank - 1]);
  return exchanged == node.shape;
}

int64_t ProductLoads::getSquareFlops(unsigned i) const {
  const BlockNode &node = block.nodes[i];
  std::optional<IterationSpace> space = getFoldSpace(block, node);
  if (!space || !space->reductionsAreSums || !node.inLoop ||
      tiles[i].numReaders != 1)
    return 0;
  const BlockNode &reader = block.nodes[tiles[i].reader];
  bool isSummed = reader.kind == BlockNode::Kind::Accumulator &&
                  reader.accumulation == Accumulation::Sum;
  if (!isSummed && !(reader.kind == BlockNode::Kind::Operator && reader.inLoop))
    return 0;
  unsigned squares = node.operands[0];
  const BlockNode &square = block.nodes[squares];
  if (square.kind != BlockNode::Kind::Operator || !square.op->isSquare() ||
      tiles[squares].numReaders != 1)
    return 0;
  if (mlir::Type type = tiles[squares].readType; type && !type.isF32())
    return 0;
  const BlockNode &tile = block.nodes[square.operands[0]];
  size_t rank = tile.shape.size();
  if (!isNarrow(square.operands[0]) || rank < 2)
    return 0;
  // A matrix that is transposed is read where it is. (So are other views, which
  // are left out here.)
  const BlockNode *source = &tile;
  if (isMatrixTranspose(block, tile))
    source = &block.nodes[tile.operands[0]];
  if (source->kind != BlockNode::Kind::InputIterator)
    return 0;
  size_t dim =
      llvm::find(space->operandLoops[0], static_cast<int>(node.shape.size())) -
      space->operandLoops[0].begin();
  if (dim + 2 < rank)
    return 0;
  // Rows of memory are loaded by 16 bytes.
  constexpr int64_t kPiece = 8;
  SquareSumShape sizes{getNumElements(ArrayRef(tile.shape).drop_back(2)),
                       tile.shape[2 * rank - 3 - dim], tile.shape[dim]};
  // All lines of a tile with each half of them.
  int64_t columns = sizes.lines > kPiece ? 2 * kPiece : kPiece;
  bool areShared =
      isSummed ? areKept(sizes.batches * sizes.getLineTiles(), columns / kPiece)
               : sizes.suitsWarps();
  if (!sizes.isPossible() || source->shape.back() % kPiece != 0 || !areShared)
    return 0;
  return 2 * sizes.batches * sizes.getLineTiles() * SquareSumShape::kTileLines *
         columns * sizes.depth;
}
