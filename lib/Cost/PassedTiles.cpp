//===- PassedTiles.cpp - What steps of a block pass on --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassedTiles.h"
#include "BlockResources.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "ProductLoad.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The nodes that read each node's tile, each once.
static std::vector<SmallVector<unsigned>> getReaders(const BlockGraph &block) {
  std::vector<SmallVector<unsigned>> readers(block.nodes.size());
  for (auto [i, node] : llvm::enumerate(block.nodes))
    if (node.kind != BlockNode::Kind::InputIterator)
      for (unsigned operand : node.operands)
        if (readers[operand].empty() || readers[operand].back() != i)
          readers[operand].push_back(i);
  return readers;
}

namespace {

class PassedTilesFinder {
public:
  /// `inLoop`: what is passed on in the loop, rather than behind it.
  PassedTilesFinder(const BlockGraph &block, ArrayRef<int64_t> tileBytes,
                    const ProductLoads &products,
                    const BlockResources &resources, bool inLoop)
      : block(block), nodes(block.nodes), products(products),
        resources(resources), inLoop(inLoop), readers(getReaders(block)),
        tileBytes(tileBytes), varies(nodes.size()), isLight(nodes.size()),
        steps(nodes.size(), 0) {}

  PassedTiles find() {
    PassedTiles passed;
    passed.tiles.resize(nodes.size());
    int64_t ofIteration = 0;
    for (unsigned i = 0; i < nodes.size(); ++i) {
      addNode(i);
      if (isCounted(i) && varies.test(i))
        ofIteration = std::max(ofIteration, steps[i] + 1);
    }
    for (unsigned i : varies.set_bits())
      if (isPassed(i))
        passed.tiles[i] = {getBytes(nodes[i]), countReaders(i)};
    // Where sums are rescaled, all threads meet when the tiles of an iteration
    // are there, and when the factors are.
    if (inLoop && llvm::any_of(nodes, [](const BlockNode &node) {
          return node.kind == BlockNode::Kind::Accumulator &&
                 node.accumulation == Accumulation::RescaledSum;
        }))
      ofIteration += 2;
    passed.steps =
        (inLoop ? block.iterations : 1) * std::max<int64_t>(ofIteration - 1, 0);
    return passed;
  }

private:
  bool isCounted(unsigned i) const {
    return nodes[i].kind == BlockNode::Kind::Operator &&
           nodes[i].inLoop == inLoop;
  }
  bool isElementwise(unsigned i) const {
    return isCounted(i) && nodes[i].op->isElementwise();
  }
  bool isProduct(unsigned i) const {
    return isCounted(i) && !nodes[i].op->getMatrixProducts().empty();
  }

  bool areFused(unsigned i, unsigned operand) const {
    return isElementwise(i) && isElementwise(operand) &&
           nodes[i].shape == nodes[operand].shape;
  }

  void addNode(unsigned i) {
    const BlockNode &node = nodes[i];
    // What is the same in each iteration is computed once.
    if (node.kind == BlockNode::Kind::InputIterator)
      varies[i] = node.inLoop == inLoop && (!inLoop || node.fmap != kReplica);
    if (node.kind == BlockNode::Kind::Accumulator)
      varies[i] = !inLoop;
    if (!isCounted(i))
      return;
    isLight[i] = isElementwise(i) && isLightWithOperands(i);
    for (unsigned operand : node.operands) {
      if (!varies.test(operand))
        continue;
      varies.set(i);
      bool waits = isPassed(operand) && !areFused(i, operand);
      steps[i] = std::max(steps[i], steps[operand] + waits);
    }
  }

  /// Whether an elementwise operator, and what runs with it, needs no special
  /// functions.
  bool isLightWithOperands(unsigned i) const {
    SmallVector<Shape> shapes;
    for (unsigned operand : nodes[i].operands) {
      shapes.push_back(nodes[operand].shape);
      if (areFused(i, operand) && readers[operand].size() == 1 &&
          !isLight.test(operand))
        return false;
    }
    return nodes[i]
               .op->getCost(shapes, nodes[i].shape, nodes[i].params)
               .specialFunctions == 0;
  }

  /// As `isInlined` has it (BlockPlan/TileUse.h), but for folds that run with
  /// what alone reads them.
  bool isInlined(unsigned i) const {
    if (!isElementwise(i) || readers[i].size() != 1)
      return false;
    const unsigned reader = readers[i].front();
    return isCounted(reader) && (nodes[reader].op->isReduction() ||
                                 (products.get(reader) && isLight.test(i)));
  }

  bool isPassed(unsigned i) const {
    return isCounted(i) && tileBytes[i] > 0 && !resources.held.test(i) &&
           !isInlined(i);
  }

  /// What is fused with it takes it from registers; what is only moved is read
  /// where it is.
  int64_t countReaders(unsigned i) const {
    llvm::SmallDenseSet<int64_t> reading;
    llvm::SmallSetVector<unsigned, 4> views;
    views.insert(i);
    for (size_t v = 0; v < views.size(); ++v)
      for (unsigned reader : readers[views[v]]) {
        if (!isCounted(reader))
          continue;
        if (nodes[reader].isMovement() && tileBytes[reader] == 0)
          views.insert(reader);
        else if (!isProduct(reader) && steps[reader] > steps[i])
          reading.insert(steps[reader]);
      }
    return reading.size();
  }

  static int64_t getBytes(const BlockNode &node) {
    unsigned bits =
        node.elementType ? node.elementType.getIntOrFloatBitWidth() : 32;
    return getNumElements(node.shape) * bits / 8;
  }

  const BlockGraph &block;
  const std::vector<BlockNode> &nodes;
  const ProductLoads &products;
  const BlockResources &resources;
  const bool inLoop;
  const std::vector<SmallVector<unsigned>> readers;
  const ArrayRef<int64_t> tileBytes;
  llvm::BitVector varies;
  /// Elementwise operators that tensor cores can compute where they read.
  llvm::BitVector isLight;
  /// In which an operator computes, of an iteration or outside of the loop.
  SmallVector<int64_t> steps;
};

} // namespace

/// Whether a product in the loop has as its left operand what elementwise
/// operators make of another one, on tensor cores both: the program could be
/// cut so that there is a chain, whose columns are rows of the right operand.
static bool couldHaveChainInLoop(const BlockGraph &block,
                                 const ProductLoads &products) {
  llvm::BitVector ofProduct(block.nodes.size());
  for (auto [i, node] : llvm::enumerate(block.nodes)) {
    if (node.kind != BlockNode::Kind::Operator || !node.inLoop)
      continue;
    ArrayRef<Operator::OperandPair> pairs = node.op->getMatrixProducts();
    if (node.op->isElementwise())
      ofProduct[i] = llvm::any_of(node.operands, [&](unsigned operand) {
        return ofProduct.test(operand);
      });
    if (!products.get(i))
      continue;
    if (pairs.size() == 1 && ofProduct.test(node.operands[pairs[0].first]))
      return true;
    ofProduct.set(i);
  }
  return false;
}

/// The same of a product outside of the loop, if there is one, where rows or
/// columns of what it multiplies are folded, as in attention. The chain
/// would have what the first product multiplies as a whole, which may be in a
/// loop now. Either operand may be the computed one: the program could exchange
/// rows and columns.
static bool couldHaveChainOutside(const BlockGraph &block,
                                  const ProductLoads &products) {
  // As deep as heads of attention are.
  constexpr int64_t kMostDepth = 256;
  // How deep the products are that a tile is made of; 0 if it is of none, or of
  // the second.
  SmallVector<int64_t> depths(block.nodes.size(), 0);
  bool isFolded = false, isMultiplied = false;
  for (auto [i, node] : llvm::enumerate(block.nodes)) {
    if (node.kind == BlockNode::Kind::Accumulator) {
      if (node.accumulation == Accumulation::Sum)
        depths[i] = depths[node.operands[0]] * block.iterations;
      continue;
    }
    if (node.kind != BlockNode::Kind::Operator)
      continue;
    if (node.op->isElementwise())
      for (unsigned operand : node.operands)
        depths[i] = std::max(depths[i], depths[operand]);
    isFolded |=
        !node.inLoop && node.op->isReduction() && depths[node.operands[0]] > 0;
    if (!products.get(i))
      continue;
    ArrayRef<Operator::OperandPair> pairs = node.op->getMatrixProducts();
    const unsigned left = node.operands[pairs[0].first],
                   right = node.operands[pairs[0].second];
    const int64_t ofFirst = std::max(depths[left], depths[right]);
    const int64_t depth = block.nodes[left].shape.back();
    const bool isSecond = !node.inLoop && pairs.size() == 1 && ofFirst > 0 &&
                          ofFirst <= kMostDepth;
    isMultiplied |= isSecond;
    depths[i] = isSecond ? 0 : depth;
  }
  return isFolded && isMultiplied;
}

PassedTiles mirage::findPassedTiles(const BlockGraph &block,
                                    ArrayRef<int64_t> tileBytes,
                                    const ProductLoads &products,
                                    const BlockResources &resources) {
  auto find = [&](bool inLoop) {
    return PassedTilesFinder(block, tileBytes, products, resources, inLoop)
        .find();
  };
  const PassedTiles none{SmallVector<PassedTiles::Tile>(block.nodes.size()), 0};
  if (resources.chain.any())
    return none;
  if (couldHaveChainInLoop(block, products))
    return find(/*inLoop=*/true);
  if (couldHaveChainOutside(block, products))
    return find(/*inLoop=*/false);
  return none;
}
