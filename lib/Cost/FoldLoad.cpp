//===- FoldLoad.cpp - What is computed where it is folded -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldLoad.h"
#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Layout/AccessCost.h"
#include "ProductLoad.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mirage;
using llvm::ArrayRef;

/// The loops of a fold of one dimension: those of its result, and one more.
std::optional<IterationSpace> mirage::getFoldSpace(const BlockGraph &block,
                                                   const BlockNode &node) {
  if (node.kind != BlockNode::Kind::Operator || node.op->isElementwise() ||
      node.operands.size() != 1)
    return std::nullopt;
  std::optional<IterationSpace> space = node.op->getIterationSpace(
      {block.nodes[node.operands[0]].shape}, node.params);
  if (!space || space->sizes.size() != node.shape.size() + 1)
    return std::nullopt;
  return space;
}

/// As many as the lowering takes (Transforms/SpecializeWarps.cpp).
static int64_t countThreads(const BlockGraph &block,
                            const ProductLoads &products) {
  bool computesRows =
      block.iterations == 0 &&
      llvm::none_of(llvm::seq<unsigned>(block.nodes.size()),
                    [&](unsigned i) { return products.get(i); }) &&
      llvm::any_of(block.nodes, [](const BlockNode &node) {
        return node.kind == BlockNode::Kind::InputIterator &&
               getNumElements(node.shape) >=
                   kManyElementsPerThread * kDefaultThreads;
      });
  return computesRows ? 2 * kDefaultThreads : kDefaultThreads;
}

FoldLoads::FoldLoads(const BlockGraph &block, ArrayRef<KernelTensor> inputs,
                     const ProductLoads &products)
    : block(block), inputs(inputs), threads(countThreads(block, products)),
      readers(block.nodes.size()) {
  // Nodes come behind their operands.
  for (unsigned i = readers.size(); i-- > 0;) {
    const BlockNode &node = block.nodes[i];
    std::optional<unsigned> fold;
    if (readers[i].fold && isComputedFor(i, *readers[i].fold))
      fold = readers[i].fold;
    else if (getFoldSpace(block, node))
      fold = i;
    // An input iterator's is the number of an input.
    if (node.kind == BlockNode::Kind::InputIterator)
      continue;
    for (unsigned operand : node.operands) {
      Reader &reader = readers[operand];
      if (reader.isKnown && reader.fold != fold)
        reader.fold = std::nullopt;
      else
        reader.fold = fold;
      reader.isKnown = true;
    }
  }
}

/// Of what a fold alone reads: whether it is computed there, not stored.
bool FoldLoads::isComputedFor(unsigned i, unsigned fold) const {
  const BlockNode &node = block.nodes[i], &reader = block.nodes[fold];
  return node.kind == BlockNode::Kind::Operator && node.op->isElementwise() &&
         node.inLoop == reader.inLoop &&
         node.shape == block.nodes[reader.operands[0]].shape;
}

std::pair<int64_t, int64_t> FoldLoads::getElementBytes(unsigned fold,
                                                       size_t fromLast) const {
  int64_t least = kWidestFoldBytes, most = 0;
  auto isComputed = [&](unsigned i) {
    return readers[i].fold == fold && isComputedFor(i, fold);
  };
  for (unsigned i = 0; i < fold; ++i) {
    if (!isComputed(i))
      continue;
    for (unsigned operand : block.nodes[i].operands) {
      const BlockNode &tile = block.nodes[operand];
      size_t rank = tile.shape.size();
      // One for all that is folded is read once.
      if (isComputed(operand) || rank <= fromLast ||
          tile.shape[rank - 1 - fromLast] == 1)
        continue;
      mlir::Type type = tile.getElementType(inputs);
      int64_t bytes = type ? type.getIntOrFloatBitWidth() / 8 : sizeof(float);
      least = std::min(least, bytes);
      most = std::max(most, bytes);
    }
  }
  if (most == 0)
    most = kWidestFoldBytes;
  return {least, most};
}

int64_t FoldLoads::countComputed(unsigned i) const {
  if (!readers[i].fold || !isComputedFor(i, *readers[i].fold))
    return getNumElements(block.nodes[i].shape);
  const BlockNode &node = block.nodes[*readers[i].fold];
  ArrayRef<int64_t> shape = block.nodes[node.operands[0]].shape;
  std::optional<IterationSpace> space = getFoldSpace(block, node);
  ArrayRef<int> loops = space->operandLoops[0];
  size_t dim =
      llvm::find(loops, static_cast<int>(node.shape.size())) - loops.begin();
  int64_t size = space->sizes.back(), count = getNumElements(node.shape);
  int64_t width = 1, parts;
  if (llvm::all_of(shape.drop_front(dim + 1),
                   [](int64_t inner) { return inner == 1; })) {
    auto [least, most] =
        getElementBytes(*readers[i].fold, shape.size() - 1 - dim);
    width = std::gcd(kWidestFoldBytes / most, size);
    parts = getFoldParts(count, size, width, least, threads);
  } else {
    parts = getFoldPartsAcross(count, size, threads);
  }
  // Rows are filled up to what lanes read at a time, and a warp has as many
  // rows as it has room for.
  int64_t rows = parts > kWarpSize ? threads / parts
                                   : llvm::alignTo(count, kWarpSize / parts);
  return rows * llvm::alignTo(size, parts * width);
}
