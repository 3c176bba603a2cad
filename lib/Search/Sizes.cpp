//===- Sizes.cpp - Real sizes for structures ------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sizes.h"
#include "Mirage/Mugraph/Conversion.h"
#include <functional>

using namespace mirage;
using llvm::SmallVector;

/// The divisors of n greater than 1, in increasing order.
static SmallVector<int64_t> getDivisors(int64_t n) {
  SmallVector<int64_t> divisors;
  for (int64_t d = 1; d * d <= n; ++d) {
    if (n % d != 0)
      continue;
    divisors.push_back(d);
    if (d != n / d)
      divisors.push_back(n / d);
  }
  llvm::sort(divisors);
  divisors.erase(divisors.begin());
  return divisors;
}

/// Gives the tensors of a structure the program's sizes.
static KernelGraph resize(const SearchProgram &program,
                          const Structure &structure) {
  KernelGraph graph = structure.graph;
  for (auto [tensor, roles] : llvm::zip(graph.tensors, structure.roles))
    for (auto [size, role] : llvm::zip(tensor.shape, roles))
      if (role != kNoRole)
        size = program.roles.size[role];
  return graph;
}

std::optional<SearchCandidate>
mirage::chooseSizes(const SearchProgram &program, const Structure &structure,
                    TargetAttr target, SearchStatistics &statistics,
                    const std::atomic<bool> &stop) {
  std::optional<SearchCandidate> best;
  KernelGraph graph = resize(program, structure);
  auto consider = [&] {
    ++statistics.sizes;
    CostEstimate cost = estimateCost(graph, target);
    if (!best || cost.nanoseconds < best->cost.nanoseconds)
      best = SearchCandidate{graph, cost, {}, structure.graph, std::nullopt};
  };
  KernelNode &last = graph.nodes.back();
  if (last.kind != KernelNode::Kind::GraphDefined) {
    consider();
    return best;
  }

  std::vector<Shape> inputs, outputs;
  std::vector<KernelTensor> inputTensors;
  for (unsigned t : last.operands) {
    inputs.push_back(graph.tensors[t].shape);
    inputTensors.push_back(graph.tensors[t]);
  }
  for (unsigned t : last.results)
    outputs.push_back(graph.tensors[t].shape);

  // x may have 2^31 - 1 blocks, y and z 65535.
  auto block = std::make_shared<BlockGraph>(*last.graph);
  last.graph = block;
  auto tryLoop = [&](int64_t iterations) {
    if (stop.load(std::memory_order_relaxed))
      return;
    block->iterations = iterations;
    std::string error;
    if (!inferShapes(*block, inputs, outputs, error))
      return;
    if (getSharedBytes(*block, inputTensors) > target.getSharedBytes()) {
      ++statistics.sizesTooLarge;
      return;
    }
    consider();
    if (best && best->graph.nodes.back().graph == block)
      best->graph.nodes.back().graph = std::make_shared<BlockGraph>(*block);
  };
  std::function<void(size_t)> chooseGrid = [&](size_t g) {
    if (g == structure.gridRoles.size()) {
      if (structure.loopRole == kNoRole)
        return tryLoop(0);
      for (int64_t n : getDivisors(program.roles.size[structure.loopRole]))
        tryLoop(n);
      return;
    }
    for (int64_t n : getDivisors(program.roles.size[structure.gridRoles[g]])) {
      if (g > 0 && n > 65535)
        break;
      block->grid[g] = n;
      chooseGrid(g + 1);
    }
  };
  chooseGrid(0);
  return best;
}
