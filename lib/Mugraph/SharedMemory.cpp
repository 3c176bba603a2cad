//===- SharedMemory.cpp - The shared memory of block graphs ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Mugraph/SharedMemory.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Mirage/FoldScratch.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Dialect/Mirage/SummedProducts.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;

/// Whether tensor cores compute a tile: a product of matrices, one of which has
/// 16 bits where it is.
static bool isOnTensorCores(const BlockGraph &graph, const BlockNode &node,
                            ArrayRef<KernelTensor> inputs,
                            ArrayRef<bool> isSunk) {
  return llvm::any_of(node.operands, [&](unsigned operand) {
    while (graph.nodes[operand].isMovement() && !isSunk[operand] &&
           graph.nodes[operand].operands.size() == 1)
      operand = graph.nodes[operand].operands[0];
    Type type = graph.nodes[operand].getElementType(inputs);
    return type && type.getIntOrFloatBitWidth() == 16;
  });
}

/// The products that stay in registers on their way to the sums that a loop
/// rescales. `numReaders`: of each tile.
static SmallVector<unsigned>
findProductsInRegisters(const BlockGraph &graph, ArrayRef<KernelTensor> inputs,
                        ArrayRef<bool> isSunk, ArrayRef<unsigned> numReaders) {
  SmallVector<SummedProduct> products;
  SmallVector<unsigned> rescaled;
  for (const BlockNode &sum : graph.nodes) {
    const bool isRescaled = sum.accumulation == Accumulation::RescaledSum;
    if (sum.kind != BlockNode::Kind::Accumulator ||
        (!isRescaled && sum.accumulation != Accumulation::Sum))
      continue;
    const BlockNode &tile = graph.nodes[sum.operands[0]];
    if (!tile.op || tile.op->getMatrixProducts().empty() ||
        numReaders[sum.operands[0]] != 1)
      continue;
    products.push_back({tile.shape, isRescaled});
    if (isRescaled && isOnTensorCores(graph, tile, inputs, isSunk))
      rescaled.push_back(sum.operands[0]);
  }
  if (!haveRoomInRegisters(products))
    return {};
  return rescaled;
}

SmallVector<int64_t> mirage::getSharedTileBytes(const BlockGraph &graph,
                                                ArrayRef<KernelTensor> inputs) {
  // Elementwise operators run in registers, right behind the last of their
  // operands: at the stage of that one, where every other operator opens a new
  // stage.
  size_t count = graph.nodes.size();
  // What is rescaled is read when the tiles of an iteration are complete.
  bool rescales = llvm::any_of(graph.nodes, [](const BlockNode &node) {
    return node.kind == BlockNode::Kind::Accumulator &&
           node.accumulation == Accumulation::RescaledSum;
  });
  SmallVector<unsigned> stages(count, 0);
  SmallVector<bool> isStored(count, false), isSunk(count, false);
  // Whether an elementwise operator would be fused with one that it reads, and
  // whether a sum or maximum alone reads it, and computes it where it reads.
  SmallVector<bool> readsFused(count, false), isFolded(count, false);
  SmallVector<unsigned> numReaders(count, 0);
  for (auto [i, node] : llvm::enumerate(graph.nodes)) {
    bool isElementwise = node.op && node.op->isElementwise();
    bool isSink = node.kind == BlockNode::Kind::OutputSaver ||
                  (node.kind == BlockNode::Kind::Accumulator && !rescales);
    // What is loaded goes to shared memory, whoever reads it.
    if (node.kind == BlockNode::Kind::InputIterator) {
      isStored[i] = true;
      continue;
    }
    // What a loop accumulates is there when those begin that read it.
    if (node.kind != BlockNode::Kind::Accumulator)
      for (unsigned operand : node.operands)
        stages[i] = std::max(stages[i], stages[operand] + !isElementwise);
    for (unsigned operand : node.operands) {
      isSunk[operand] |= node.kind == BlockNode::Kind::OutputSaver ||
                         node.kind == BlockNode::Kind::Accumulator;
      const BlockNode &tile = graph.nodes[operand];
      bool isFused = isElementwise && tile.op && tile.op->isElementwise() &&
                     stages[operand] == stages[i] && tile.shape == node.shape;
      isStored[operand] |= !isFused && !isSink;
      readsFused[i] |= isFused;
      isFolded[operand] = numReaders[operand]++ == 0 && tile.op &&
                          tile.op->isElementwise() && !readsFused[operand] &&
                          node.op && node.op->isReduction() &&
                          node.inLoop == tile.inLoop;
    }
  }
  auto getTileBytes = [&](const BlockNode &node) {
    Type type = node.getElementType(inputs);
    return llvm::alignTo(mirage::getNumElements(node.shape) *
                             (type ? type.getIntOrFloatBitWidth() : 32) / 8,
                         kTileAlignment);
  };
  SmallVector<int64_t> bytes(count, 0);
  for (auto [i, node] : llvm::enumerate(graph.nodes)) {
    bool isAccumulator = node.kind == BlockNode::Kind::Accumulator;
    // What is moved is read where it was.
    bool isView = node.isMovement() && !isSunk[i];
    if (node.kind == BlockNode::Kind::Constant ||
        node.kind == BlockNode::Kind::OutputSaver || isView ||
        (!isAccumulator && !isStored[i]))
      continue;
    int64_t own = getTileBytes(node);
    bytes[i] = isFolded[i] ? std::min(own, kFoldScratchBytes) : own;
  }
  for (unsigned product :
       findProductsInRegisters(graph, inputs, isSunk, numReaders))
    bytes[product] = 0;
  // What AccumulateOp::getScratchTypes names: that of maxima of rescaled sums.
  llvm::SmallSetVector<unsigned, 2> maxima;
  for (const BlockNode &node : graph.nodes)
    if (node.kind == BlockNode::Kind::Accumulator &&
        node.accumulation == Accumulation::RescaledSum)
      maxima.insert(node.operands[1]);
  for (unsigned i : maxima)
    bytes[i] += block::kTilesOfRunningMaximum * getTileBytes(graph.nodes[i]);
  return bytes;
}

int64_t mirage::getSharedBytes(const BlockGraph &graph,
                               ArrayRef<KernelTensor> inputs) {
  return llvm::sum_of(getSharedTileBytes(graph, inputs));
}

int64_t mirage::getMostSharedBytes(const KernelGraph &graph) {
  int64_t most = 0;
  for (const KernelNode &node : graph.nodes) {
    if (!node.graph)
      continue;
    std::vector<KernelTensor> inputs;
    for (unsigned operand : node.operands)
      inputs.push_back(graph.tensors[operand]);
    most = std::max(most, getSharedBytes(*node.graph, inputs));
  }
  return most;
}
