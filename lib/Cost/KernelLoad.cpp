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
#include "LibraryLoad.h"
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
#include "ProductReads.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
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

KernelLoad mirage::getKernelLoad(const KernelGraph &graph,
                                 const KernelNode &node,
                                 const TargetNumbers &target) {
  return node.kind == KernelNode::Kind::GraphDefined
             ? BlockLoad(graph, node, target).get()
             : getLibraryLoad(graph, node, target);
}
