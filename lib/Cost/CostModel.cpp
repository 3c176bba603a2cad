//===- CostModel.cpp - What a μGraph is expected to cost ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Cost/CostModel.h"
#include "Mirage/Cost/TileAccess.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Mugraph/Conversion.h"
#include "llvm/ADT/DenseSet.h"
#include <algorithm>

using namespace mirage;

namespace {
/// What one iteration of a loop (or a block without one) waits for at least, in
/// nanoseconds: a load from device memory and the barriers around it.
constexpr double kIterationLatency = 700;
/// One block alone does not draw the whole bandwidth of its SM's share; this
/// many bytes in flight on an SM do (Little's law: 4.8 TB/s x 700 ns / 132
/// SMs).
constexpr double kBytesInFlight = 25e3;
/// The bandwidth of the L2 cache, as a multiple of that of device memory.
constexpr double kL2Factor = 2.5;
/// Scalar f32 operations and special functions that an SM starts in a
/// nanosecond: 128 and 16 lanes at about 1.7 GHz.
constexpr double kScalarPerNs = 218, kSpecialPerNs = 27;
/// The bytes of a library kernel's tiles.
constexpr double kLibraryTile = 32768;
/// The part of the shorter times that the longest does not hide.
constexpr double kOverlapLoss = 0.1;
} // namespace

CostEstimate &CostEstimate::operator+=(const CostEstimate &other) {
  nanoseconds += other.nanoseconds;
  deviceBytes += other.deviceBytes;
  requestedBytes += other.requestedBytes;
  tensorFlops += other.tensorFlops;
  kernels += other.kernels;
  return *this;
}

static double getSectorBytes(const KernelTensor &tensor) {
  return getSectorBytes(tensor.shape,
                        tensor.elementType.getIntOrFloatBitWidth());
}

static TileAccess getTileAccess(const KernelTensor &tensor, const Shape &tile) {
  return getTileAccess(tensor.shape, tile,
                       tensor.elementType.getIntOrFloatBitWidth());
}

TargetNumbers::TargetNumbers(TargetAttr target)
    : smCount(target.getSmCount()), sharedBytes(target.getSharedBytes()),
      bandwidth(target.getBandwidth()), tensorFlops(target.getTflops() * 1e3),
      launch(target.getLaunchNs()) {}

/// The time of a kernel that keeps `sms` multiprocessors busy.
static double getTime(const KernelLoad &load, double sms,
                      const TargetNumbers &target) {
  double share = sms / target.smCount;
  double device = load.deviceBytes / (target.bandwidth * share);
  double l2 = load.requestedBytes / (kL2Factor * target.bandwidth * share);
  double tensor = load.work.tensorFlops / (target.tensorFlops * share);
  double scalar = load.work.scalarFlops / (kScalarPerNs * sms);
  double special = load.work.specialFunctions / (kSpecialPerNs * sms);
  // What is not the bottleneck overlaps with it, but not wholly.
  double longest = std::max({device, l2, tensor, scalar + special});
  return longest +
         kOverlapLoss * (device + l2 + tensor + scalar + special - longest);
}

double mirage::estimateNanoseconds(const KernelLoad &load,
                                   const TargetNumbers &target) {
  // Waves: blocks that don't fill the last one leave SMs idle in it.
  int64_t shared = std::max<int64_t>(load.sharedBytes, 1024);
  int64_t blocksPerSm = std::clamp<int64_t>(target.sharedBytes / shared, 1, 8);
  int64_t slots = target.smCount * blocksPerSm;
  int64_t waves = llvm::divideCeil(load.blocks, slots);
  int64_t rounds = llvm::divideCeil(load.blocks, target.smCount);
  double busySms = static_cast<double>(load.blocks) / rounds;
  double inFlight =
      load.bytesPerIteration *
      std::min<double>(blocksPerSm,
                       static_cast<double>(load.blocks) / target.smCount);
  double throughput = std::min(1.0, inFlight / kBytesInFlight);
  double time = getTime(load, busySms, target);
  // What can't be overlapped: latency, once per iteration of each wave, as far
  // as the bytes in flight don't cover it.
  double iterations = std::max<int64_t>(load.iterations, 1);
  double exposed = waves * iterations * kIterationLatency;
  time = std::max(time / std::max(throughput, 0.05), time + 0.1 * exposed);
  return target.launch + time;
}

static CostEstimate estimateGraph(const KernelGraph &graph,
                                  const KernelNode &node, TargetAttr target) {
  const BlockGraph &block = *node.graph;
  std::vector<KernelTensor> inputs;
  for (unsigned operand : node.operands)
    inputs.push_back(graph.tensors[operand]);

  KernelLoad load;
  load.blocks = block.getNumBlocks();
  load.iterations = block.iterations;
  // What is the same in each iteration is loaded and computed once. Of an input
  // that is read twice only the larger tile draws bandwidth: the other one is
  // in the cache.
  llvm::SmallVector<bool> varies;
  llvm::SmallVector<double> largestTiles(inputs.size(), 0);
  unsigned numSavers = 0;
  for (const BlockNode &n : block.nodes) {
    bool isInput = n.kind == BlockNode::Kind::InputIterator;
    varies.push_back(
        isInput ? n.inLoop && n.fmap != kReplica
                : n.inLoop && llvm::any_of(n.operands, [&](unsigned operand) {
                    return varies[operand];
                  }));
    int64_t times = load.blocks * (varies.back() ? block.iterations : 1);
    if (isInput) {
      TileAccess access = getTileAccess(inputs[n.operands[0]], n.shape);
      load.requestedBytes += times * access.sectorBytes;
      if (varies.back() || !block.iterations)
        largestTiles[n.operands[0]] =
            std::max(largestTiles[n.operands[0]], access.bytes);
    } else if (n.kind == BlockNode::Kind::OutputSaver) {
      load.requestedBytes +=
          load.blocks * getTileAccess(graph.tensors[node.results[numSavers++]],
                                      block.nodes[n.operands[0]].shape)
                            .sectorBytes;
    } else if (n.kind == BlockNode::Kind::Operator) {
      llvm::SmallVector<Shape> shapes;
      for (unsigned operand : n.operands)
        shapes.push_back(block.nodes[operand].shape);
      OperatorCost once = n.op->getCost(shapes, n.shape, n.params);
      load.work.tensorFlops += times * once.tensorFlops;
      load.work.scalarFlops += times * once.scalarFlops;
      load.work.specialFunctions += times * once.specialFunctions;
    } else if (n.kind == BlockNode::Kind::Accumulator) {
      // A rescaled sum multiplies, too, by one exponential for each maximum.
      int64_t elements =
          load.blocks * block.iterations * getNumElements(n.shape);
      bool rescales = n.accumulation == Accumulation::RescaledSum;
      load.work.scalarFlops += rescales ? 3 * elements : elements;
      if (rescales)
        load.work.specialFunctions +=
            load.blocks * block.iterations *
            getNumElements(block.nodes[n.operands[1]].shape);
    }
  }
  for (auto [input, tile] : llvm::zip(inputs, largestTiles)) {
    load.deviceBytes += getSectorBytes(input);
    load.bytesPerIteration += tile;
  }
  for (unsigned result : node.results)
    load.deviceBytes += getSectorBytes(graph.tensors[result]);
  load.sharedBytes = getSharedBytes(block, inputs);

  CostEstimate cost;
  cost.kernels = 1;
  cost.deviceBytes = load.deviceBytes;
  cost.requestedBytes = load.requestedBytes;
  cost.tensorFlops = load.work.tensorFlops;
  cost.nanoseconds = estimateNanoseconds(load, TargetNumbers(target));
  return cost;
}

static CostEstimate estimateOperator(const KernelGraph &graph,
                                     const KernelNode &node,
                                     TargetAttr target) {
  CostEstimate cost;
  cost.kernels = 1;
  llvm::SmallVector<Shape> shapes;
  for (unsigned operand : node.operands) {
    shapes.push_back(graph.tensors[operand].shape);
    cost.deviceBytes += getSectorBytes(graph.tensors[operand]);
  }
  const KernelTensor &result = graph.tensors[node.results[0]];
  cost.deviceBytes += getSectorBytes(result);
  cost.requestedBytes = cost.deviceBytes;
  // A library kernel is taken to be a good one: each SM has a block that
  // streams its share in tiles that keep the memory busy.
  TargetNumbers numbers(target);
  KernelLoad load;
  load.blocks = numbers.smCount;
  load.bytesPerIteration = kLibraryTile;
  load.iterations = std::max<int64_t>(
      1, static_cast<int64_t>(cost.requestedBytes /
                              (kLibraryTile * numbers.smCount)));
  load.deviceBytes = cost.deviceBytes;
  load.requestedBytes = cost.requestedBytes;
  load.work = node.op->getCost(shapes, result.shape, node.params);
  cost.tensorFlops = load.work.tensorFlops;
  cost.nanoseconds = estimateNanoseconds(load, numbers);
  return cost;
}

CostEstimate mirage::estimateKernel(const KernelGraph &graph,
                                    const KernelNode &node, TargetAttr target) {
  switch (node.kind) {
  case KernelNode::Kind::Constant:
    return {};
  case KernelNode::Kind::Operator:
    // Another view of the same buffer takes no kernel.
    if (node.op->isReinterpretation())
      return {};
    return estimateOperator(graph, node, target);
  case KernelNode::Kind::GraphDefined:
    return estimateGraph(graph, node, target);
  }
  llvm_unreachable("covered switch");
}

CostEstimate mirage::estimateCost(const KernelGraph &graph, TargetAttr target) {
  CostEstimate cost;
  for (const KernelNode &node : graph.nodes)
    cost += estimateKernel(graph, node, target);
  return cost;
}
