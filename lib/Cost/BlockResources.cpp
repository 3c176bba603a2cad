//===- BlockResources.cpp - What a block takes of an SM -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockResources.h"
#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Mirage/Dialect/Mirage/RowChainShape.h"
#include "Mirage/Mugraph/SharedMemory.h"
#include "ProductLoad.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// Finds what BlockPlan's row chains have of a graph.
class ChainFinder {
public:
  ChainFinder(const BlockGraph &block, const ProductLoads &products)
      : block(block), products(products) {}

  /// Sets what BlockResources has of the first one.
  void findInto(BlockResources &resources) const {
    resources.chain.resize(block.nodes.size());
    for (unsigned i = 0; i < block.nodes.size(); ++i)
      if (findUpTo(i, resources))
        return;
  }

private:
  /// Whether tensor cores compute a node of the loop, as one product.
  bool isProduct(unsigned i) const {
    const BlockNode &node = block.nodes[i];
    return node.inLoop && products.get(i) &&
           node.op->getMatrixProducts().size() == 1;
  }

  /// One with this last product, if it ends one.
  bool findUpTo(unsigned last, BlockResources &resources) const;
  /// The product that elementwise operators turn into a tile.
  std::optional<unsigned> findFirst(unsigned tile, const Shape &full) const;
  /// How sums of it are accumulated, if nothing else reads it.
  std::optional<Accumulation> getAccumulation(unsigned product) const;

  const BlockGraph &block;
  const ProductLoads &products;
};

} // namespace

std::optional<Accumulation>
ChainFinder::getAccumulation(unsigned product) const {
  std::optional<Accumulation> accumulation;
  for (const BlockNode &node : block.nodes) {
    // An iterator's operand is no tile.
    if (node.kind == BlockNode::Kind::InputIterator ||
        !llvm::is_contained(node.operands, product))
      continue;
    if (node.kind != BlockNode::Kind::Accumulator || accumulation)
      return std::nullopt;
    accumulation = node.accumulation;
  }
  return accumulation;
}

std::optional<unsigned> ChainFinder::findFirst(unsigned tile,
                                               const Shape &full) const {
  // Each once: there may be many ways to one.
  llvm::SmallSetVector<unsigned, 8> tiles;
  tiles.insert(tile);
  std::optional<unsigned> first;
  for (size_t i = 0; i < tiles.size(); ++i) {
    const BlockNode &node = block.nodes[tiles[i]];
    if (node.kind != BlockNode::Kind::Operator || !node.inLoop ||
        node.shape != full)
      continue;
    if (isProduct(tiles[i])) {
      if (first)
        return std::nullopt;
      first = tiles[i];
    } else if (node.op->isElementwise()) {
      tiles.insert_range(node.operands);
    }
  }
  return first;
}

bool ChainFinder::findUpTo(unsigned last, BlockResources &resources) const {
  if (!isProduct(last))
    return false;
  const BlockNode &product = block.nodes[last];
  unsigned left =
      product.operands[product.op->getMatrixProducts().front().first];
  const Shape &full = block.nodes[left].shape;
  size_t rank = full.size();
  std::optional<Accumulation> accumulation = getAccumulation(last);
  auto isOne = [](int64_t size) { return size == 1; };
  if (!accumulation || *accumulation == Accumulation::Max ||
      *accumulation == Accumulation::Concat || rank < 2 ||
      product.shape.size() != rank ||
      !llvm::all_of(ArrayRef(full).drop_back(2), isOne) ||
      !llvm::all_of(ArrayRef(product.shape).drop_back(2), isOne))
    return false;
  RowChainShape shape{full[rank - 2], full.back(), product.shape.back()};
  // Which part of the columns a maximum is of matters to nothing, if sums are
  // rescaled by it.
  if (!shape.isPossible())
    return false;
  int64_t parts = shape.chooseParts(*accumulation == Accumulation::RescaledSum);
  if (parts == 0)
    return false;
  std::optional<unsigned> first = findFirst(left, full);
  if (!first)
    return false;

  Shape row = full;
  row.back() = 1;
  llvm::BitVector chain(block.nodes.size());
  chain.set(*first);
  for (unsigned i = *first + 1; i < block.nodes.size(); ++i) {
    const BlockNode &node = block.nodes[i];
    auto isOfChain = [&](unsigned operand) { return chain.test(operand); };
    if (node.kind == BlockNode::Kind::InputIterator ||
        llvm::none_of(node.operands, isOfChain))
      continue;
    if (i == last) {
      if (llvm::count_if(node.operands, isOfChain) > 1)
        return false;
    } else if (node.kind == BlockNode::Kind::Accumulator) {
      if (node.accumulation == Accumulation::Concat)
        return false;
    } else if (node.kind == BlockNode::Kind::Operator && node.inLoop &&
               (node.op->isElementwise() || node.op->isReduction()) &&
               (node.shape == full || node.shape == row)) {
      chain.set(i);
    } else {
      return false;
    }
  }
  if (!chain.test(left))
    return false;
  resources.chain = chain;
  resources.chainParts = parts;
  resources.registers =
      shape.getNumThreadRegisters(parts) * kWarpSize * shape.getNumWarps(parts);
  return true;
}

BlockResources mirage::getBlockResources(const BlockGraph &block,
                                         ArrayRef<KernelTensor> inputs,
                                         const ProductLoads &products) {
  BlockResources resources;
  SmallVector<int64_t> bytes = getSharedTileBytes(block, inputs);
  ChainFinder(block, products).findInto(resources);
  int64_t inLoop = 0, behind = 0;
  for (auto [i, node] : llvm::enumerate(block.nodes)) {
    bool isInput = node.kind == BlockNode::Kind::InputIterator;
    if (isInput || (node.inLoop && !resources.chain.test(i)))
      inLoop += bytes[i];
    if (!node.inLoop)
      behind += bytes[i];
  }
  resources.sharedBytes = std::max(inLoop, behind);
  return resources;
}
