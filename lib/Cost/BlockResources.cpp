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
#include "ProductLoad.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

static bool isF32(const BlockNode &node) {
  return !node.elementType || node.elementType.isF32();
}

static bool isSum(Accumulation accumulation) {
  return accumulation == Accumulation::Sum ||
         accumulation == Accumulation::RescaledSum;
}

namespace {

/// The readers of each node's tile: an operand of a node each.
struct Reader {
  unsigned node, operand;
};
using Readers = std::vector<SmallVector<Reader, 2>>;

/// Finds in a graph what BlockPlan/RowChain.cpp finds in IR.
class ChainFinder {
public:
  ChainFinder(const BlockGraph &block, const ProductLoads &products,
              const Readers &readers)
      : nodes(block.nodes), iterations(block.iterations), products(products),
        readers(readers) {}

  /// Sets what BlockResources has of the first chain.
  void findInto(BlockResources &resources);

private:
  /// Whether it is an operator that runs where the last product does.
  bool isBeside(unsigned i) const {
    return nodes[i].kind == BlockNode::Kind::Operator &&
           nodes[i].inLoop == nodes[last].inLoop;
  }
  size_t countProducts(unsigned i) const {
    return isBeside(i) ? nodes[i].op->getMatrixProducts().size() : 0;
  }
  unsigned getNumberOfLeft(unsigned product) const {
    return nodes[product].op->getMatrixProducts().front().first;
  }
  unsigned getLeft(unsigned product) const {
    return nodes[product].operands[getNumberOfLeft(product)];
  }
  unsigned getLeft() const { return getLeft(last); }
  unsigned getRight(unsigned product) const {
    const BlockNode &node = nodes[product];
    return node.operands[node.op->getMatrixProducts().front().second];
  }
  /// What is read behind a chain is to be accumulated as it has to be.
  bool isReadBehind(Reader reader) const {
    return !nodes[last].inLoop && reader.node != last &&
           !chain.test(reader.node);
  }
  bool isRescaledSum(Reader reader) const {
    if (isReadBehind(reader))
      return true;
    const BlockNode &node = nodes[reader.node];
    return node.kind == BlockNode::Kind::Accumulator && reader.operand == 0 &&
           node.accumulation == Accumulation::RescaledSum;
  }

  bool endsChain(unsigned product);
  bool mayEnd(unsigned product) const;
  bool hasPossibleShape();
  /// The products that elementwise operators turn into left operands.
  llvm::BitVector findFirsts() const;
  bool grow();
  bool takeUpReaders(unsigned tile);
  bool canTakeUp(unsigned reader, unsigned tile) const;
  /// Whether the chain can end in another product, too, that reads a tile of it
  /// there.
  bool canEndIn(Reader reader, unsigned tile) const;
  /// Sets `inFront` and `behind`.
  void findSides();
  /// Of a chain outside of loops: finds what makes it; false if something of
  /// that is read elsewhere, or reads the chain's tiles.
  bool findMakers();
  /// Whether all rescaled sums are of the chain, and by one maximum of it.
  bool findMaximum();
  /// `RowChain::mayShiftMaximum`.
  bool canShiftMaximum() const;
  /// Whether there may be parts of its columns without that.
  bool canAddParts() const;
  std::optional<unsigned> getSubtractedMaximum(unsigned tile) const;
  bool isInTF32(unsigned product) const;
  bool isOnlySubtracted(Reader reader) const;

  RowChainShape getSizes(int64_t numFirsts) const {
    RowChainShape sizes{full[full.size() - 2], full.back(), /*outCols=*/0,
                        nodes[last].inLoop ? iterations : 1};
    for (unsigned product : lasts.set_bits())
      sizes.outCols += nodes[product].shape.back();
    sizes.firsts = numFirsts;
    sizes.lasts = lasts.count();
    const bool isIn16Bits = llvm::none_of(
        lasts.set_bits(), [&](unsigned product) { return isInTF32(product); });
    sizes.addsAtOnce = isIn16Bits && !maximum;
    sizes.addsToShifted = isIn16Bits && canShiftMaximum();
    return sizes;
  }

  const std::vector<BlockNode> &nodes;
  int64_t iterations;
  const ProductLoads &products;
  const Readers &readers;
  unsigned last = 0;
  Shape full, row;
  /// The chain but its last products.
  llvm::BitVector chain, lasts;
  /// Outside of loops: what depends on the last product, what its left operand
  /// depends on, and all that makes the chain.
  llvm::BitVector behind, inFront, makers;
  std::optional<unsigned> maximum;
};

} // namespace

bool ChainFinder::mayEnd(unsigned product) const {
  if (!nodes[product].inLoop)
    return !readers[product].empty() && iterations == 0;
  if (readers[product].size() != 1)
    return false;
  auto [node, operand] = readers[product].front();
  return nodes[node].kind == BlockNode::Kind::Accumulator && operand == 0 &&
         isSum(nodes[node].accumulation);
}

bool ChainFinder::hasPossibleShape() {
  full = nodes[getLeft()].shape;
  const Shape &result = nodes[last].shape;
  size_t rank = full.size();
  if (rank < 2 || result.size() != rank)
    return false;
  row = full;
  row.back() = 1;
  auto isOne = [](int64_t size) { return size == 1; };
  return llvm::all_of(ArrayRef(full).drop_back(2), isOne) &&
         llvm::all_of(ArrayRef(result).drop_back(2), isOne) &&
         getSizes(/*numFirsts=*/1).isPossible();
}

llvm::BitVector ChainFinder::findFirsts() const {
  // Each once: there may be many ways to one.
  llvm::SmallSetVector<unsigned, 8> tiles;
  for (unsigned product : lasts.set_bits())
    tiles.insert(getLeft(product));
  llvm::BitVector firsts(nodes.size());
  for (size_t i = 0; i < tiles.size(); ++i) {
    const BlockNode &node = nodes[tiles[i]];
    if (!isBeside(tiles[i]) || node.shape != full)
      continue;
    if (countProducts(tiles[i]) > 0)
      firsts.set(tiles[i]);
    else if (node.op->isElementwise())
      tiles.insert_range(node.operands);
  }
  return firsts;
}

bool ChainFinder::canEndIn(Reader reader, unsigned tile) const {
  const unsigned product = reader.node;
  if (!nodes[last].inLoop || countProducts(product) != 1 ||
      reader.operand != getNumberOfLeft(product) || nodes[tile].shape != full)
    return false;
  const Shape &result = nodes[product].shape;
  auto isOne = [](int64_t size) { return size == 1; };
  return mayEnd(product) && result.size() == full.size() &&
         llvm::all_of(ArrayRef(result).drop_back(2), isOne) &&
         result.back() % RowChainShape::kColsOfTile == 0;
}

bool ChainFinder::canTakeUp(unsigned reader, unsigned tile) const {
  if (!isBeside(reader) || (!nodes[last].inLoop && behind.test(reader)))
    return false;
  const BlockNode &node = nodes[reader];
  // What is computed of rows for others can as well be behind a loop.
  if (!node.inLoop && node.op->isElementwise() && node.shape == row &&
      !inFront.test(reader))
    return false;
  if (node.op->isElementwise())
    return node.shape == full || node.shape == row;
  return node.op->isReduction() && nodes[tile].shape == full &&
         node.shape == row;
}

void ChainFinder::findSides() {
  // Nodes come behind their operands.
  inFront.clear();
  inFront.resize(nodes.size());
  inFront.set(getLeft());
  behind.clear();
  behind.resize(nodes.size());
  behind.set(last);
  for (unsigned i = getLeft() + 1; i-- > 0;)
    if (inFront.test(i) && nodes[i].kind != BlockNode::Kind::InputIterator)
      for (unsigned operand : nodes[i].operands)
        inFront.set(operand);
  for (unsigned i = last + 1; i < nodes.size(); ++i)
    if (nodes[i].kind != BlockNode::Kind::InputIterator)
      behind[i] = llvm::any_of(nodes[i].operands, [&](unsigned operand) {
        return behind.test(operand);
      });
}

bool ChainFinder::takeUpReaders(unsigned tile) {
  for (Reader reader : readers[tile]) {
    const BlockNode &node = nodes[reader.node];
    if (lasts.test(reader.node)) {
      if (reader.operand != getNumberOfLeft(reader.node))
        return false;
    } else if (node.kind == BlockNode::Kind::Accumulator) {
      if (nodes[tile].shape != row || node.accumulation == Accumulation::Concat)
        return false;
    } else if (canTakeUp(reader.node, tile)) {
      chain.set(reader.node);
    } else if (canEndIn(reader, tile)) {
      lasts.set(reader.node);
    } else if (nodes[last].inLoop || nodes[tile].shape != row) {
      return false;
    }
  }
  return true;
}

bool ChainFinder::grow() {
  chain.clear();
  chain.resize(nodes.size());
  if (!nodes[last].inLoop)
    findSides();
  // Another last product may have first products of its own.
  for (size_t numLasts = 0; numLasts < lasts.count();) {
    numLasts = lasts.count();
    chain |= findFirsts();
    for (unsigned i = 0; i < nodes.size(); ++i)
      if (chain.test(i) && !takeUpReaders(i))
        return false;
  }
  // What is read from shared memory is there when the last product runs.
  const unsigned runner = lasts.find_last();
  auto readsWhatIsThere = [&](unsigned i) {
    return llvm::all_of(nodes[i].operands, [&](unsigned operand) {
      return chain.test(operand) || operand < runner ||
             nodes[operand].inLoop != nodes[last].inLoop;
    });
  };
  // First products are multiplied before anything is computed of them.
  return llvm::none_of(findFirsts().set_bits(),
                       [&](unsigned first) {
                         return llvm::any_of(nodes[first].operands,
                                             [&](unsigned operand) {
                                               return chain.test(operand);
                                             });
                       }) &&
         llvm::all_of(chain.set_bits(), readsWhatIsThere) &&
         llvm::all_of(lasts.set_bits(), [&](unsigned product) {
           return chain.test(getLeft(product));
         });
}

bool ChainFinder::findMakers() {
  makers = chain;
  makers.set(last);
  // Nodes come behind their operands.
  for (unsigned i = nodes.size(); i-- > 0;) {
    if (!makers.test(i) || nodes[i].kind == BlockNode::Kind::InputIterator)
      continue;
    for (unsigned operand : nodes[i].operands) {
      // The last product's other operand may be made of a chain's rows.
      if (chain.test(operand) && !chain.test(i) && i != last)
        return false;
      if (nodes[operand].kind != BlockNode::Kind::Constant)
        makers.set(operand);
    }
  }
  for (unsigned i : makers.set_bits())
    if (i != last && !chain.test(i) &&
        !llvm::all_of(readers[i],
                      [&](Reader reader) { return makers.test(reader.node); }))
      return false;
  return true;
}

bool ChainFinder::findMaximum() {
  maximum = std::nullopt;
  for (const BlockNode &node : nodes) {
    if (node.kind != BlockNode::Kind::Accumulator ||
        node.accumulation != Accumulation::RescaledSum)
      continue;
    unsigned tile = node.operands[0], by = node.operands[1];
    if ((!lasts.test(tile) && !chain.test(tile)) || !chain.test(by) ||
        (maximum && *maximum != by))
      return false;
    maximum = by;
  }
  return true;
}

/// Whether the exponentials of the differences to the maximum are all that a
/// reader makes of it.
bool ChainFinder::isOnlySubtracted(Reader reader) const {
  if (isReadBehind(reader))
    return true;
  const BlockNode &node = nodes[reader.node];
  if (node.kind == BlockNode::Kind::Accumulator)
    return node.accumulation == Accumulation::Max || reader.operand == 1;
  return node.op && node.op->isDifference() && reader.operand == 1 &&
         readers[reader.node].size() == 1 &&
         readers[reader.node].front().node == getLeft();
}

/// The maximum, if a tile has the exponentials of the differences to it.
std::optional<unsigned> ChainFinder::getSubtractedMaximum(unsigned tile) const {
  const BlockNode &power = nodes[tile];
  if (!power.op || !power.op->isExponential())
    return std::nullopt;
  const BlockNode &difference = nodes[power.operands[0]];
  if (!difference.op || !difference.op->isDifference())
    return std::nullopt;
  const unsigned subtracted = difference.operands[1];
  const BlockNode &most = nodes[subtracted];
  if (!most.op || !most.op->isMaximum() || !isF32(most) ||
      most.operands[0] != difference.operands[0] ||
      !isF32(nodes[most.operands[0]]))
    return std::nullopt;
  return subtracted;
}

bool ChainFinder::canShiftMaximum() const {
  if (lasts.count() > 1 || !maximum ||
      getSubtractedMaximum(getLeft()) != maximum || !chain.test(*maximum) ||
      !isF32(nodes[nodes[getLeft()].operands[0]]))
    return false;
  for (unsigned i : chain.set_bits()) {
    if (nodes[i].shape != row)
      continue;
    auto isGood = [&](Reader reader) {
      return i == *maximum ? isOnlySubtracted(reader) : isRescaledSum(reader);
    };
    if (!llvm::all_of(readers[i], isGood) ||
        (i != *maximum &&
         (nodes[i].operands.size() != 1 || nodes[i].operands[0] != getLeft() ||
          !nodes[i].op->isLinearIn(0))))
      return false;
  }
  return llvm::all_of(readers[last],
                      [&](Reader reader) { return isRescaledSum(reader); });
}

bool ChainFinder::canAddParts() const {
  auto isFine = [&](unsigned i) {
    const Operator &op = *nodes[i].op;
    if (nodes[i].shape != row)
      return true;
    return llvm::all_of(readers[i], [&](Reader reader) {
      const BlockNode &node = nodes[reader.node];
      bool isAccumulated = node.kind == BlockNode::Kind::Accumulator;
      if (op.isElementwise())
        return !isAccumulated && !isReadBehind(reader);
      auto isKind = [&](Accumulation accumulation) {
        return isAccumulated && node.accumulation == accumulation;
      };
      return op.isMaximum() ? isKind(Accumulation::Max)
                            : op.isLinearIn(0) && (isReadBehind(reader) ||
                                                   isKind(Accumulation::Sum));
    });
  };
  return !maximum && llvm::all_of(chain.set_bits(), isFine);
}

/// As `getChainedType` has it (BlockPlan/RowChain.h).
bool ChainFinder::isInTF32(unsigned product) const {
  const unsigned right = getRight(product);
  const mlir::Type type = products.getTypeAsRead(right);
  if (!type || type.isF32())
    return true;
  return !type.isBF16() && nodes[getLeft(product)].elementType != type &&
         !getSubtractedMaximum(getLeft(product));
}

bool ChainFinder::endsChain(unsigned product) {
  last = product;
  if (countProducts(last) != 1 || !mayEnd(last))
    return false;
  lasts.clear();
  lasts.resize(nodes.size());
  lasts.set(last);
  if (!hasPossibleShape() || !grow())
    return false;
  auto isOnTensorCores = [&](unsigned i) {
    return products.get(i).has_value();
  };
  // The left operand alone doesn't make a last product one of tensor cores.
  auto hasNarrowRight = [&](unsigned i) {
    mlir::Type type = products.getTypeAsRead(getRight(i));
    return type && !type.isF32();
  };
  if (!llvm::all_of(findFirsts().set_bits(), isOnTensorCores) ||
      !llvm::all_of(lasts.set_bits(), isOnTensorCores) ||
      !llvm::all_of(lasts.set_bits(), hasNarrowRight))
    return false;
  if (nodes[last].inLoop)
    return findMaximum();
  maximum = getSubtractedMaximum(getLeft());
  if (!canShiftMaximum())
    maximum = std::nullopt;
  return findMakers();
}

void ChainFinder::findInto(BlockResources &resources) {
  resources.chain.resize(nodes.size());
  resources.lastsOfChain.resize(nodes.size());
  resources.lastsInTF32.resize(nodes.size());
  resources.moved.resize(nodes.size());
  for (unsigned i = 0; i < nodes.size(); ++i) {
    if (!endsChain(i))
      continue;
    RowChainShape shape = getSizes(findFirsts().count());
    int64_t parts = shape.chooseParts(canShiftMaximum());
    if (parts == 0 && canAddParts())
      parts = shape.chooseParts(/*mayHaveParts=*/true);
    if (parts == 0)
      continue;
    resources.chain = chain;
    resources.chainParts = parts;
    resources.lastsOfChain = lasts;
    if (!nodes[last].inLoop) {
      resources.moved = makers;
      resources.movedMaximum = maximum;
    }
    for (unsigned product : lasts.set_bits())
      resources.lastsInTF32[product] = isInTF32(product);
    resources.registers = shape.getNumThreadRegisters(parts) * kWarpSize *
                          shape.getNumWarps(parts);
    int64_t rowTiles = maximum ? 1 : 0;
    for (const BlockNode &node : nodes)
      rowTiles += node.kind == BlockNode::Kind::Accumulator &&
                  chain.test(node.operands[0]);
    for (unsigned c : chain.set_bits())
      rowTiles += llvm::any_of(
          readers[c], [&](Reader reader) { return isReadBehind(reader); });
    resources.behindBytes = shape.getScratchBytes(parts, rowTiles);
    return;
  }
}

/// The accumulators of products whose sums stay in registers, if all of them
/// have room there.
static llvm::BitVector findSums(const BlockGraph &block,
                                const ProductLoads &products,
                                const Readers &readers) {
  // Tiles of 16 x 8, of warps of the most that blocks have of themselves. A
  // rescaled sum has as many again, of the iteration.
  constexpr int64_t kTileElements = 16 * 8, kMostTiles = 8 * 32;
  llvm::BitVector sums(block.nodes.size());
  int64_t tiles = 0;
  for (auto [i, node] : llvm::enumerate(block.nodes)) {
    if (node.kind != BlockNode::Kind::Accumulator ||
        !isSum(node.accumulation) || node.shape.size() < 2)
      continue;
    unsigned product = node.operands[0];
    if (readers[product].size() != 1 || !products.get(product))
      continue;
    sums.set(i);
    int64_t elements =
        getNumElements(ArrayRef(node.shape).drop_back(2)) *
        getPaddedElements(node.shape[node.shape.size() - 2], node.shape.back());
    tiles += llvm::divideCeil(elements, kTileElements) *
             (node.accumulation == Accumulation::RescaledSum ? 2 : 1);
  }
  if (tiles > kMostTiles)
    sums.reset();
  return sums;
}

BlockResources mirage::getBlockResources(const BlockGraph &block,
                                         ArrayRef<int64_t> tileBytes,
                                         const ProductLoads &products) {
  Readers readers(block.nodes.size());
  for (auto [i, node] : llvm::enumerate(block.nodes))
    if (node.kind != BlockNode::Kind::InputIterator)
      for (auto [o, operand] : llvm::enumerate(node.operands))
        readers[operand].push_back(
            {static_cast<unsigned>(i), static_cast<unsigned>(o)});

  BlockResources resources;
  ChainFinder(block, products, readers).findInto(resources);
  llvm::BitVector sums = findSums(block, products, readers);
  resources.held.resize(block.nodes.size());
  for (auto [i, node] : llvm::enumerate(block.nodes)) {
    bool isInput = node.kind == BlockNode::Kind::InputIterator,
         isAccumulator = node.kind == BlockNode::Kind::Accumulator;
    // What is in registers while the loop runs: a chain, and sums, with what
    // is added to them.
    bool isHeld = resources.chain.test(i) || sums.test(i) ||
                  (isAccumulator && resources.chain.test(node.operands[0])) ||
                  (!readers[i].empty() && sums.test(readers[i].front().node) &&
                   readers[i].front().operand == 0);
    resources.held[i] = isHeld;
    bool isMoved = resources.moved.test(i),
         isMovedSum = isMoved && resources.lastsOfChain.test(i);
    if (isInput ||
        ((node.inLoop || isAccumulator || isMoved) && !isHeld && !isMovedSum))
      resources.sharedBytes += tileBytes[i];
    // An epilogue takes sums from registers.
    bool isSaved = (sums.test(i) || isMovedSum) && readers[i].size() == 1 &&
                   block.nodes[readers[i].front().node].kind ==
                       BlockNode::Kind::OutputSaver;
    bool isRead = !isMoved || llvm::any_of(readers[i], [&](Reader reader) {
      return !resources.moved.test(reader.node);
    });
    if (!node.inLoop && !isSaved && isRead)
      resources.behindBytes += tileBytes[i];
  }
  return resources;
}
