//===- KernelLoad.cpp - What a kernel has to do ---------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockResources.h"
#include "FoldLoad.h"
#include "KeptRows.h"
#include "Mirage/Cost/Clusters.h"
#include "Mirage/Cost/CostModel.h"
#include "Mirage/Cost/TileAccess.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Dialect/Mirage/RowChainShape.h"
#include "Mirage/Layout/AccessCost.h"
#include "Mirage/Mugraph/SharedMemory.h"
#include "Mirage/Operators/Division.h"
#include "PassedTiles.h"
#include "ProductLoad.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <numeric>

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
/// The depth of an mma instruction of a library, and the sides of the part of a
/// result that a warp has in registers.
constexpr int64_t kMmaDepth = 16, kWarpSide = 64;
/// How much longer tensor cores' operands take to be read where `ldmatrix`
/// can't load 16 bytes of a row: elements go one by one, in each other's way.
constexpr double kLoneReads = 3;
/// How much longer than bytes of shared memory are read and written those take
/// that one step passes on to another (PassedTiles.h): the threads that compute
/// do nothing else meanwhile (fitted to measurements).
constexpr double kPassingFactor = 2;
/// The L2 cache's latency, of device memory's.
constexpr double kLatencyOfL2 = 0.4;
/// Of an element of a computed operand of tensor cores, and as it is computed.
constexpr unsigned kProductBits = 16, kF32Bits = 32;
} // namespace

static unsigned getBits(const KernelTensor &tensor) {
  return tensor.elementType.getIntOrFloatBitWidth();
}

/// Whether it is a product of matrices, of which there may be batches.
static bool isMatrixProduct(const OperatorCost &cost,
                            const std::optional<IterationSpace> &space,
                            ArrayRef<int64_t> result) {
  return cost.tensorFlops > 0 && space && result.size() >= 2 &&
         space->sizes.size() > result.size();
}

static int64_t getPadded(OperatorCost cost,
                         const std::optional<IterationSpace> &space,
                         ArrayRef<int64_t> result) {
  if (!isMatrixProduct(cost, space, result))
    return cost.tensorFlops;
  int64_t rows = result[result.size() - 2], columns = result.back();
  int64_t padded = getPaddedElements(rows, columns);
  int64_t depth = 0, paddedDepth = 0;
  for (int64_t size : ArrayRef(space->sizes).drop_front(result.size())) {
    depth += size;
    paddedDepth += llvm::alignTo(size, kMmaDepth);
  }
  if (rows * columns * depth == 0)
    return cost.tensorFlops;
  return static_cast<double>(cost.tensorFlops) * padded / (rows * columns) *
         paddedDepth / depth;
}

int64_t mirage::getPaddedTensorFlops(const Operator &op,
                                     ArrayRef<Shape> operands,
                                     ArrayRef<int64_t> result,
                                     const Params &params) {
  return getPadded(op.getCost(operands, result, params),
                   op.getIterationSpace(operands, params), result);
}

/// How often an operator reads an operand: where a product of matrices has more
/// rows (columns) than are computed together, the right (left) operand is read
/// several times, and one that batches share for each of them.
static int64_t countReads(const OperatorCost &cost,
                          const std::optional<IterationSpace> &space,
                          ArrayRef<int64_t> result, unsigned operand,
                          int64_t side) {
  if (!isMatrixProduct(cost, space, result))
    return 1;
  int64_t reads = 1;
  for (size_t loop = 0; loop < result.size(); ++loop)
    if (!llvm::is_contained(space->operandLoops[operand], loop))
      reads *= loop + 2 < result.size()
                   ? space->sizes[loop]
                   : llvm::divideCeil(space->sizes[loop], side);
  return reads;
}

int64_t mirage::countTileReads(const Operator &op, ArrayRef<Shape> operands,
                               ArrayRef<int64_t> result, const Params &params,
                               unsigned operand) {
  return countReads(op.getCost(operands, result, params),
                    op.getIterationSpace(operands, params), result, operand,
                    kWarpSide);
}

double mirage::getProductReadFactor(ArrayRef<int64_t> tile, unsigned bits) {
  bool isAligned = !tile.empty() && tile.back() * bits % kBulkRowBits == 0;
  return isAligned ? 1 : kLoneReads;
}

namespace {

/// Adds up what the blocks of a graph-defined kernel do.
class BlockLoad {
public:
  BlockLoad(const KernelGraph &graph, const KernelNode &node,
            const TargetNumbers &target)
      : graph(graph), node(node), target(target), block(*node.graph),
        inputs(getTensors(graph, node.operands)), products(block, inputs),
        folds(block, inputs, products),
        rows(findKeptRows(block, inputs, getTensors(graph, node.results))),
        tileBytes(getSharedTileBytes(block, inputs)),
        resources(getBlockResources(block, tileBytes, products)),
        passed(findPassedTiles(block, tileBytes, products, resources)) {}

  KernelLoad get() {
    largestTiles.assign(inputs.size(), 0);
    load.blocks = block.getNumBlocks();
    load.iterations = block.iterations;
    load.streams = streams();
    for (const BlockNode &n : block.nodes)
      addNode(n);
    if (target.hasTMA && allBulk)
      // Boxes are requested whole.
      load.requestedBytes -=
          cutInLoop +
          load.blocks * getSavedByCluster(
                            block.grid,
                            [&](int64_t size) {
                              return bulkLoads[llvm::find(kClusterSizes, size) -
                                               kClusterSizes.begin()];
                            },
                            target.smCount);
    addSharedTraffic();
    for (auto [input, tile] : llvm::zip(inputs, largestTiles)) {
      load.deviceBytes += getSectorBytes(input.shape, getBits(input));
      load.bytesPerIteration += tile;
    }
    for (unsigned result : node.results)
      load.deviceBytes += getSectorBytes(graph.tensors[result].shape,
                                         getBits(graph.tensors[result]));
    load.sharedBytes = resources.sharedBytes;
    load.behindBytes = resources.behindBytes;
    load.registers = resources.registers;
    load.steps = passed.steps;
    return load;
  }

private:
  static std::vector<KernelTensor> getTensors(const KernelGraph &graph,
                                              ArrayRef<unsigned> numbers) {
    std::vector<KernelTensor> tensors;
    tensors.reserve(numbers.size());
    for (unsigned number : numbers)
      tensors.push_back(graph.tensors[number]);
    return tensors;
  }

  struct Tile {
    /// The tile that this one is another view of, or itself.
    unsigned stored = 0;
    bool varies = false;
    /// How much longer products take to read it than others.
    double productReadFactor = 1;
    /// How often it is loaded or computed, and read: by products of matrices,
    /// and by all others, which read it together.
    int64_t times = 0, productReads = 0, reads = 0;
  };

  /// Of a tile in shared memory: as it was loaded, or, if it was computed, as
  /// tensor cores take it.
  double getBytes(const BlockNode &n) const {
    unsigned bits = n.kind == BlockNode::Kind::InputIterator
                        ? getBits(inputs[n.operands[0]])
                        : kProductBits;
    return static_cast<double>(getNumElements(n.shape)) * bits / 8;
  }

  void addNode(const BlockNode &n) {
    // What is the same in each iteration is loaded and computed once.
    bool isInput = n.kind == BlockNode::Kind::InputIterator;
    bool varies =
        n.inLoop && (isInput ? n.fmap != kReplica
                             : llvm::any_of(n.operands, [&](unsigned i) {
                                 return tiles[i].varies;
                               }));
    Tile &tile = tiles.emplace_back();
    tile.stored = tiles.size() - 1;
    tile.varies = varies;
    tile.times = load.blocks * (varies ? block.iterations : 1);
    switch (n.kind) {
    case BlockNode::Kind::Constant:
      return;
    case BlockNode::Kind::InputIterator:
      return addInput(n, tile);
    case BlockNode::Kind::Operator:
      return addOperator(n, tile);
    case BlockNode::Kind::Accumulator:
      return addAccumulator(n);
    case BlockNode::Kind::OutputSaver: {
      const KernelTensor &tensor = graph.tensors[node.results[numSavers++]];
      addAccess(getTileAccess(tensor.shape, block.nodes[n.operands[0]].shape,
                              getBits(tensor)),
                load.blocks);
      read(n.operands[0], load.blocks);
      return;
    }
    }
  }

  void addAccess(const TileAccess &access, int64_t times) {
    load.requestedBytes += times * access.requestedBytes;
    load.accessCycles += times * access.cycles;
  }

  void addInput(const BlockNode &n, Tile &tile) {
    const KernelTensor &input = inputs[n.operands[0]];
    tile.productReadFactor = getProductReadFactor(n.shape, getBits(input));
    TileAccess access = getTileAccess(input.shape, n.shape, getBits(input));
    access.cycles = getLoadCycles(access, tile.varies, target);
    addAccess(access, tile.times);
    if (const double waits = rows || load.streams ? 0 : countWaits(n, input);
        waits > 0) {
      // What several blocks read is in the L2 cache, but for the first.
      const bool isShared =
          llvm::any_of(llvm::zip_equal(block.grid, n.map), [](const auto &cut) {
            auto [blocks, dim] = cut;
            return blocks > 1 && dim == kReplica;
          });
      load.waits += (isShared ? kLatencyOfL2 : 1) *
                    (tile.varies ? block.iterations * std::max(waits, 1.)
                                 : std::max(waits - 1, 0.));
    }
    if (rows)
      load.repeatedBytes +=
          tile.times * (rows->countLoads(n.shape) - 1) * access.requestedBytes;
    if (tile.varies) {
      cutInLoop += tile.times * (access.requestedBytes - access.sectorBytes);
      load.stageBytes += access.bytes;
      allBulk &= mayLoadInBulk(
          n.shape, getBits(input),
          getRowStart(input.shape, n.shape, n.map, block.grid, n.fmap));
      for (auto [loads, size] : llvm::zip_equal(bulkLoads, kClusterSizes))
        loads.add(block.iterations * access.sectorBytes, n.map,
                  mayShare(n.shape, getBits(input), size));
    }
    // Of an input that is read several times only the largest tile draws
    // bandwidth: the others are in the cache.
    double &largest = largestTiles[n.operands[0]];
    if (tile.varies || !block.iterations)
      largest = std::max(largest, access.bytes);
  }

  /// For how many loads, one behind the other, threads wait that bring a tile;
  /// 0 if it is copied in the background (BlockPlan/TileUse.h, getAsyncPiece).
  double countWaits(const BlockNode &n, const KernelTensor &input) const {
    constexpr int64_t kLeastPieceBits = 32, kThreads = 256;
    ArrayRef<int64_t> tensor = input.shape, tile = n.shape;
    // Columns of one element are read as vectors.
    while (!tensor.empty() && tensor.back() == 1) {
      tensor = tensor.drop_back();
      tile = tile.drop_back();
    }
    if (tile.empty())
      return 0;
    const int64_t start = std::gcd(
        getRowStart(tensor, tile, n.map, block.grid, n.fmap), tensor.back());
    const int64_t bits = start * getBits(input), width = bits & -bits;
    if (width >= kLeastPieceBits)
      return 0;
    return static_cast<double>(getNumElements(tile)) * getBits(input) /
           (kThreads * kNarrowLoadsAtOnce * width);
  }

  /// By something else than a product of matrices.
  void read(unsigned operand, int64_t times) {
    Tile &tile = tiles[tiles[operand].stored];
    tile.reads = std::max(tile.reads, times);
  }

  void addOperator(const BlockNode &n, Tile &tile) {
    tile.productReadFactor = getProductReadFactor(
        n.shape,
        n.elementType ? n.elementType.getIntOrFloatBitWidth() : kF32Bits);
    SmallVector<Shape> shapes;
    for (unsigned operand : n.operands)
      shapes.push_back(block.nodes[operand].shape);
    OperatorCost once = n.op->getCost(shapes, n.shape, n.params);
    if (once.tensorFlops > 0) {
      std::optional<IterationSpace> space =
          n.op->getIterationSpace(shapes, n.params);
      const unsigned i = tiles.size() - 1;
      if (std::optional<ProductLoad> product = products.get(i)) {
        if (isOfChain(i))
          padProduct(*product, n.shape);
        if (resources.lastsOfChain.test(i))
          product->tf32Flops =
              resources.lastsInTF32.test(i) ? product->flops : 0;
        load.work.tensorFlops += tile.times * product->flops;
        load.tf32Flops += tile.times * product->tf32Flops;
        if (resources.lastsOfChain.test(i) && resources.movedMaximum)
          load.work.specialFunctions +=
              load.blocks * countRescaling(*resources.movedMaximum);
      } else {
        load.work.scalarFlops += tile.times * once.tensorFlops;
      }
      for (auto [i, operand] : llvm::enumerate(n.operands))
        tiles[tiles[operand].stored].productReads +=
            tile.times * countReads(once, space, n.shape, i, kWarpSide);
    } else if (n.isMovement() && n.operands.size() == 1) {
      // A transpose is a matter of how the tile is read.
      tile.stored = tiles[n.operands[0]].stored;
      return;
    } else {
      load.squareFlops +=
          tile.times * products.getSquareFlops(tiles.size() - 1);
      for (unsigned operand : n.operands)
        read(operand, tile.times);
    }
    // By reciprocals, which those who divide by one tile share. A scalar is a
    // constant, and so is its reciprocal.
    if (n.op->isQuotient() && !shapes[1].empty() &&
        dividesByReciprocals(n.shape, shapes[1]) &&
        reciprocals.insert(n.operands[1]).second) {
      once.specialFunctions = getNumElements(shapes[1]);
      addRepeated(shapes[1], tile.times);
    } else if (once.specialFunctions > 0 && n.op->isElementwise()) {
      int64_t ofElement = once.specialFunctions / getNumElements(n.shape);
      once.specialFunctions =
          ofElement *
          (rows ? getNumElements(n.shape) : countComputed(tiles.size() - 1));
      addRepeated(n.shape, ofElement * tile.times);
    }
    if (resources.chain.test(tiles.size() - 1))
      once.scalarFlops = padTile(once.scalarFlops,
                                 n.op->isElementwise() ? n.shape : shapes[0]);
    load.work.scalarFlops += tile.times * once.scalarFlops;
    load.work.specialFunctions += tile.times * once.specialFunctions;
  }

  bool isOfChain(unsigned i) const {
    return resources.chain.test(i) || resources.lastsOfChain.test(i);
  }

  /// A tile's elements, of so many rows, with those that a row chain computes
  /// in vain.
  static int64_t getChainElements(const Shape &shape, int64_t rows) {
    const int64_t cols = shape.back();
    return rows *
           (cols == 1 ? 1 : llvm::alignTo(cols, RowChainShape::kColsOfTile));
  }

  /// Of a count that grows with a tile's rows and columns, in a row chain.
  static int64_t padTile(int64_t count, const Shape &shape) {
    const int64_t rows = shape[shape.size() - 2];
    return static_cast<double>(count) *
           getChainElements(shape, RowChainShape::getComputedRows(rows)) /
           (rows * shape.back());
  }

  /// A row chain doesn't exchange rows and columns.
  static void padProduct(ProductLoad &product, const Shape &shape) {
    const int64_t padded =
        getPaddedElements(shape[shape.size() - 2], shape.back());
    const int64_t elements =
        getChainElements(shape, llvm::alignTo(shape[shape.size() - 2],
                                              RowChainShape::kRowsOfWarp));
    product.flops = product.flops / padded * elements;
    product.tf32Flops = product.tf32Flops / padded * elements;
  }

  /// Of an elementwise operator.
  int64_t countComputed(unsigned i) const {
    const Shape &shape = block.nodes[i].shape;
    return resources.chain.test(i) ? padTile(getNumElements(shape), shape)
                                   : folds.countComputed(i);
  }

  /// Of functions of each element of a tile, those that are computed again
  /// where threads keep rows.
  void addRepeated(const Shape &shape, int64_t times) {
    if (rows)
      load.repeatedFunctions +=
          times * (rows->countComputed(shape.empty() ? 1 : shape.back()) -
                   getNumElements(shape));
  }

  void addAccumulator(const BlockNode &n) {
    // A rescaled sum multiplies, too, by one exponential for each element of
    // its maximum, which others may share.
    int64_t times = load.blocks * block.iterations;
    int64_t elements = times * getNumElements(n.shape);
    bool rescales = n.accumulation == Accumulation::RescaledSum;
    load.work.scalarFlops += rescales ? 3 * elements : elements;
    if (rescales && load.streams)
      load.work.specialFunctions += load.blocks * countStreamed(n);
    else if (rescales && maxima.insert(n.operands[1]).second)
      load.work.specialFunctions += load.blocks * countRescaling(n.operands[1]);
    for (unsigned operand : n.operands)
      read(operand, tiles[operand].times);
  }

  /// The exponentials by which sums are rescaled, of a maximum's elements.
  int64_t countRescaling(unsigned maximum) const {
    int64_t elements = getNumElements(block.nodes[maximum].shape);
    if (!resources.chain.test(maximum))
      return elements * block.iterations;
    elements = padTile(elements, block.nodes[maximum].shape);
    // Each lane of a row takes its own, in each part of the columns: one in
    // each iteration, one behind the loop, and one for each part if there are
    // several (Conversion/MirageToGPU/RowChainEmitter.cpp).
    int64_t parts = resources.chainParts,
            iterations = resources.moved.test(maximum) ? 1 : block.iterations;
    return elements * RowChainShape::kLanesOfRow * parts *
           (iterations + 1 + (parts > 1 ? parts : 0));
  }

  /// The exponentials of a sum whose loop streams: each thread takes them for
  /// the neighbours that it adds up, and again for what it has where it has
  /// loaded for some iterations.
  int64_t countStreamed(const BlockNode &n) const {
    int64_t groups = getNumElements(n.shape);
    // Neighbours share the maximum of a row.
    ArrayRef<int64_t> maximum = block.nodes[n.operands[1]].shape;
    // Of as many threads as the lowering takes.
    int64_t threads =
        groups >= 2 * kDefaultThreads ? 2 * kDefaultThreads : kDefaultThreads;
    if (maximum.empty() || maximum.back() == 1)
      groups /= getElementWidth(n.shape, threads);
    return groups *
           (block.iterations +
            llvm::divideCeil(block.iterations, block::kStreamedIterations) - 1);
  }

  /// Partial results are f32.
  bool streams() const {
    for (const BlockNode &n : block.nodes) {
      bool isPart = n.kind == BlockNode::Kind::InputIterator &&
                    n.fmap != kReplica && getBits(inputs[n.operands[0]]) == 32;
      bool isConcat = n.kind == BlockNode::Kind::Accumulator &&
                      n.accumulation == Accumulation::Concat;
      if ((n.inLoop && !isPart) || isConcat)
        return false;
    }
    return block.iterations > 0;
  }

  /// Writing what is loaded is a part of the access.
  void addSharedTraffic() {
    for (auto [tile, n, pass] :
         llvm::zip_equal(tiles, block.nodes, passed.tiles)) {
      if (pass.bytes > 0) {
        double accesses = (1 + pass.readers) * tile.times +
                          tile.productReads * tile.productReadFactor;
        load.sharedTraffic += kPassingFactor * accesses * pass.bytes;
        continue;
      }
      bool isInput = n.kind == BlockNode::Kind::InputIterator;
      double times = tile.productReads * tile.productReadFactor;
      if (isInput)
        times += std::max(tile.reads, tile.productReads > 0 ? 0 : tile.times);
      else if (tile.productReads > 0)
        times += tile.times;
      load.sharedTraffic += times * getBytes(n);
    }
  }

  const KernelGraph &graph;
  const KernelNode &node;
  const TargetNumbers &target;
  const BlockGraph &block;
  std::vector<KernelTensor> inputs;
  ProductLoads products;
  FoldLoads folds;
  std::optional<KeptRowsShape> rows;
  SmallVector<int64_t> tileBytes;
  BlockResources resources;
  PassedTiles passed;
  /// What varies in the loop, by the size of a cluster, and whether the tensor
  /// memory accelerator can load all of it.
  std::array<BulkLoads, kClusterSizes.size()> bulkLoads;
  bool allBulk = true;
  /// What warps would request more of it than boxes do.
  double cutInLoop = 0;
  std::vector<Tile> tiles;
  /// Those by which sums are rescaled, and the tiles that others are divided by
  /// through reciprocals.
  llvm::DenseSet<unsigned> maxima, reciprocals;
  /// By input.
  SmallVector<double> largestTiles;
  unsigned numSavers = 0;
  KernelLoad load;
};

} // namespace

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

/// A library kernel is taken to be a good one: each SM has a block that streams
/// its share in tiles that keep the memory busy. A product with fewer parts
/// than that is computed by as many blocks as it has parts, or cut along its
/// depth, and another kernel adds up the sums.
static KernelLoad getLibraryLoad(const KernelGraph &graph,
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
  load.bytesPerIteration = load.sharedBytes = load.stageBytes = kLibraryTile;
  // What fits in one tile needs no loop.
  int64_t tiles = load.requestedBytes / (kLibraryTile * target.smCount);
  load.iterations = tiles > 1 ? tiles : 0;
  load.work = once;
  load.work.tensorFlops = getPadded(once, space, result.shape);
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

KernelLoad mirage::getKernelLoad(const KernelGraph &graph,
                                 const KernelNode &node,
                                 const TargetNumbers &target) {
  return node.kind == KernelNode::Kind::GraphDefined
             ? BlockLoad(graph, node, target).get()
             : getLibraryLoad(graph, node, target);
}
