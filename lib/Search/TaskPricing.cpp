//===- TaskPricing.cpp - What derivations cost, by size -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskPricing.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

TaskPricing::TaskPricing(const SearchProgram &program,
                         const KernelProblem &problem,
                         const Placement &placement, const ValueGraph &graph,
                         const TargetNumbers &target, bool checksMemory)
    : program(program), problem(problem), placement(placement), graph(graph),
      target(target), checksMemory(checksMemory) {
  for (const SearchTensor *input : problem.inputs)
    leastBits = std::min(leastBits, input->elementType.getIntOrFloatBitWidth());
  narrow = findNarrow(/*inAll=*/true);
  maybeNarrow = findNarrow(/*inAll=*/false);
}

/// An element's as it is read: what is loaded has its tensor's type, what is
/// computed the least of all.
unsigned TaskPricing::getReadBits(unsigned value) const {
  int iterator = graph.values[value].iterator;
  return iterator < 0 ? leastBits
                      : problem.inputs[placement.iterators[iterator].input]
                            ->elementType.getIntOrFloatBitWidth();
}

double TaskPricing::getReadBytes(ArrayRef<int64_t> shape,
                                 unsigned value) const {
  return getNumElements(shape) * getReadBits(value) / 8.;
}

/// Whether a value is not another one, moved.
bool TaskPricing::isComputed(unsigned v) const {
  const Value &value = graph.values[v];
  return value.iterator < 0 && !value.mayBeView();
}

/// The least that an element takes of a tile that is computed, and not moved.
unsigned TaskPricing::getComputedBits(unsigned value) const {
  const mlir::Type type = graph.values[value].roundedType;
  return type ? type.getIntOrFloatBitWidth() : 32;
}

/// How much longer a product takes at least to read a tile.
double TaskPricing::getProductReadFactor(ArrayRef<int64_t> shape,
                                         unsigned v) const {
  if (graph.values[v].iterator >= 0)
    return mirage::getProductReadFactor(shape, getReadBits(v));
  bool isOperator = llvm::all_of(graph.values[v].edges,
                                 [](const ValueEdge &edge) { return edge.op; });
  return isOperator && isComputed(v)
             ? std::min(mirage::getProductReadFactor(shape, 32),
                        mirage::getProductReadFactor(shape, getComputedBits(v)))
             : 1;
}

/// Those that are loaded so, rounded, or moved; where there are several ways to
/// compute a value, in one of them, or in all.
llvm::BitVector TaskPricing::findNarrow(bool inAll) const {
  llvm::BitVector found(graph.values.size());
  for (auto [v, value] : llvm::enumerate(graph.values))
    if (value.iterator >= 0 && getReadBits(v) < 32)
      found.set(v);
  auto isNarrowBy = [&](const Value &value, const ValueEdge &edge) {
    return value.isRoundedBy(edge) ||
           (edge.isMovement() &&
            llvm::all_of(edge.operands, [&](unsigned operand) {
              return found.test(operand);
            }));
  };
  auto isNarrow = [&](const Value &value) {
    auto isIt = [&](const ValueEdge &edge) { return isNarrowBy(value, edge); };
    return inAll ? llvm::all_of(value.edges, isIt)
                 : llvm::any_of(value.edges, isIt);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [v, value] : llvm::enumerate(graph.values))
      if (!found.test(v) && !value.edges.empty() && isNarrow(value)) {
        found.set(v);
        changed = true;
      }
  }
  return found;
}

Shape TaskPricing::getShape(const Sizing &sizing,
                            ArrayRef<int64_t> label) const {
  Shape shape;
  for (int64_t size : label)
    shape.push_back(getTileSize(program, placement, program.roles.size,
                                sizing.grid, sizing.iterations, size));
  return shape;
}

double TaskPricing::getTileBytes(const Sizing &sizing, unsigned value) const {
  return getComputedBits(value) / 8. *
         getNumElements(getShape(sizing, graph.values[value].label));
}

std::vector<double> TaskPricing::getTileBytes(unsigned value) const {
  std::vector<double> bytes;
  for (const Sizing &sizing : sizings)
    bytes.push_back(getTileBytes(sizing, value));
  return bytes;
}

/// As the cost model has them: f16 on tensor cores, f16 with others in tf32 at
/// half the rate, and all others not on tensor cores at all.
void TaskPricing::addProducts(const ValueEdge &edge, ArrayRef<Shape> operands,
                              ArrayRef<int64_t> result, SizedWork &work) const {
  ArrayRef<Operator::OperandPair> products = edge.op->getMatrixProducts();
  auto mayBeNarrow = [&](unsigned operand) {
    return maybeNarrow.test(operand);
  };
  const int64_t flops = std::exchange(work.cost.tensorFlops, 0);
  if (products.empty() || llvm::none_of(edge.operands, mayBeNarrow)) {
    work.cost.scalarFlops += flops;
  } else if (llvm::any_of(edge.operands, [&](unsigned operand) {
               return narrow.test(operand);
             })) {
    // Of f16 and f32 it may be narrowed, in long steps, or in any at the end of
    // a row chain.
    const bool mayEndChain =
        products.size() == 1 && isComputed(edge.operands[products[0].first]);
    const bool mayBeNarrowed =
        mayEndChain || llvm::all_of(products, [&](Operator::OperandPair pair) {
          return isDepthOfLongSteps(operands[pair.first].back());
        });
    for (auto [lhs, rhs] : products) {
      const int64_t padded = getTileProductFlops(result, operands[lhs].back());
      work.cost.tensorFlops +=
          mayBeNarrowed || (mayBeNarrow(edge.operands[lhs]) &&
                            mayBeNarrow(edge.operands[rhs]))
              ? padded
              : 2 * padded;
    }
  }
  // Otherwise it depends on how the operands are computed: on tensor cores or
  // not, of which either may take less time.
  for (auto [i, operand] : llvm::enumerate(edge.operands))
    work.sharedTraffic +=
        countTileReads(*edge.op, operands, result, edge.params, i) *
        getReadBytes(operands[i], operand) *
        getProductReadFactor(operands[i], operand);
}

SizedWork TaskPricing::getWork(const Sizing &sizing, const Value &value,
                               const ValueEdge &edge) const {
  SizedWork work;
  Shape result = getShape(sizing, value.label);
  int64_t times = sizing.load.blocks;
  if (edge.op) {
    SmallVector<Shape> operands;
    for (unsigned operand : edge.operands)
      operands.push_back(getShape(sizing, graph.values[operand].label));
    work.cost = edge.op->getCost(operands, result, edge.params);
    if (work.cost.tensorFlops > 0)
      addProducts(edge, operands, result, work);
    if (value.varies)
      times *= sizing.iterations;
  } else {
    // A rescaled sum multiplies, too.
    bool rescales = edge.accumulation == Accumulation::RescaledSum;
    work.cost.scalarFlops = (rescales ? 3 : 1) * getNumElements(result);
    times *= sizing.iterations;
  }
  work.cost = work.cost.times(times);
  work.sharedTraffic *= times;
  // The sizing has one read of each iterator, which may have been moved.
  if (work.sharedTraffic > 0)
    for (unsigned operand : edge.operands)
      if (!isComputed(operand))
        work.sharedTraffic -= getStoreTraffic(sizing, operand);
  return work;
}

double TaskPricing::getStoreTraffic(const Sizing &sizing, unsigned v) const {
  const Value &value = graph.values[v];
  bool varies = value.iterator < 0
                    ? value.varies
                    : placement.iterators[value.iterator].fmap != kReplica;
  return getReadBytes(getShape(sizing, value.label), v) * sizing.load.blocks *
         (varies ? sizing.iterations : 1);
}

std::vector<double> TaskPricing::getStoreTraffic(unsigned v) const {
  std::vector<double> traffic(sizings.size());
  // What is moved is stored as what it was.
  if (graph.values[v].iterator >= 0 || isComputed(v))
    for (auto [sizing, bytes] : llvm::zip(sizings, traffic))
      bytes = getStoreTraffic(sizing, v);
  return traffic;
}

WorkBySize TaskPricing::getWork(unsigned value, const ValueEdge &edge) const {
  WorkBySize result;
  for (const Sizing &sizing : sizings)
    result.push_back(getWork(sizing, graph.values[value], edge));
  return result;
}

void TaskPricing::setSizes(std::vector<Sizing> sizes) {
  sizings = std::move(sizes);
  timers.clear();
  timers.reserve(sizings.size());
  for (const Sizing &sizing : sizings)
    timers.emplace_back(sizing.load, target);
}

std::optional<double> TaskPricing::getBound(size_t size,
                                            const SizedWork &work) const {
  const Sizing &sizing = sizings[size];
  if (checksMemory && sizing.sharedBytes + work.sharedBytes > target.tileBytes)
    return std::nullopt;
  // What is computed may be in registers.
  return timers[size].getNanoseconds(work.cost, sizing.load.sharedTraffic +
                                                    work.sharedTraffic);
}
