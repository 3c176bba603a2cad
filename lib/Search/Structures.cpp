//===- Structures.cpp - μGraphs whose sizes are still open ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Structures.h"
#include "Mirage/Cost/CostModel.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Mugraph/SharedMemory.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

int64_t SizedKernel::getPartsRead() const {
  return structure->placement && structure->placement->combinesSplit()
             ? iterations
             : 1;
}

int64_t SizedKernel::getPartsWritten() const {
  return structure->placement && structure->placement->splits ? grid.back() : 1;
}

int64_t mirage::getTileSize(const SearchProgram &program,
                            const Placement &placement,
                            ArrayRef<int64_t> roleSizes, ArrayRef<int64_t> grid,
                            int64_t iterations, int64_t label) {
  int role = program.roles.getRole(label);
  if (role == kNoRole)
    return label == 1 ? 1 : iterations;
  int64_t size = roleSizes[role];
  // What of the whole label is missing has been cut off.
  for (auto [g, gridRoles] : llvm::enumerate(placement.gridRoles))
    if (gridRoles.test(role) && label % placement.getGridLabel(g) != 0)
      size = getUnevenPart(size, grid[g]).value_or(size / grid[g]);
  if (placement.hasLoop && placement.loopRole == role &&
      label % kLabelParts.loop != 0)
    size = getUnevenPart(size, iterations).value_or(size / iterations);
  return size;
}

std::shared_ptr<const BlockGraph>
mirage::instantiate(const SearchProgram &program, const SizedKernel &kernel,
                    ArrayRef<int64_t> roleSizes, int64_t partsRead,
                    int64_t partsWritten) {
  const KernelStructure &structure = *kernel.structure;
  auto graph = std::make_shared<BlockGraph>(*structure.graph);
  if (!structure.placement->gridRoles.empty())
    graph->grid.assign(kernel.grid.begin(), kernel.grid.end());
  graph->iterations = kernel.iterations;
  for (BlockNode &node : graph->nodes)
    if (node.op && node.op->hasShapeParams())
      for (int64_t &size : node.params) {
        size = getTileSize(program, *structure.placement, roleSizes,
                           kernel.grid, kernel.iterations, size);
        if (size == 0)
          return nullptr;
      }
  std::vector<Shape> inputs, outputs;
  for (const SearchTensor *tensor : structure.problem.inputs)
    inputs.push_back(program.getShape(*tensor, roleSizes, partsRead));
  for (const SearchTensor *tensor : structure.problem.outputs)
    outputs.push_back(program.getShape(*tensor, roleSizes, partsWritten));
  std::string error;
  if (!inferShapes(*graph, inputs, outputs, error))
    return nullptr;
  return graph;
}

std::optional<KernelGraph> mirage::instantiate(const SearchProgram &program,
                                               const Plan &plan,
                                               ArrayRef<int64_t> roleSizes) {
  KernelGraph graph;
  graph.numInputs = program.inputs.size();
  llvm::DenseMap<unsigned, unsigned> number; // by the tensors' ids
  auto add = [&](const SearchTensor &tensor, int64_t parts) {
    number[tensor.id] = graph.tensors.size();
    graph.tensors.push_back(
        {program.getShape(tensor, roleSizes, parts), tensor.elementType});
  };
  for (const auto &input : program.inputs)
    add(*input, 1);
  for (const SizedKernel &kernel : plan.kernels) {
    const KernelStructure &structure = *kernel.structure;
    KernelNode node;
    for (const SearchTensor *tensor : structure.problem.inputs)
      node.operands.push_back(number.lookup(tensor->id));
    if (structure.op) {
      node.op = structure.op;
      node.params = structure.params;
      SmallVector<unsigned, 4> operands;
      for (unsigned operand : structure.operands)
        operands.push_back(node.operands[operand]);
      node.operands = std::move(operands);
      if (node.op->hasShapeParams()) {
        Shape shape =
            program.getShape(*structure.problem.outputs[0], roleSizes, 1);
        node.params.assign(shape.begin(), shape.end());
      }
    } else {
      node.kind = KernelNode::Kind::GraphDefined;
      node.graph = instantiate(program, kernel, roleSizes,
                               kernel.getPartsRead(), kernel.getPartsWritten());
      if (!node.graph)
        return std::nullopt;
    }
    for (const SearchTensor *tensor : structure.problem.outputs) {
      node.results.push_back(graph.tensors.size());
      add(*tensor, kernel.getPartsWritten());
    }
    graph.nodes.push_back(std::move(node));
  }
  for (const auto &output : program.outputs)
    graph.outputs.push_back(number.lookup(output->id));
  return graph;
}

std::optional<double> mirage::estimateKernel(const SearchProgram &program,
                                             const SizedKernel &kernel,
                                             TargetAttr target) {
  const KernelStructure &structure = *kernel.structure;
  const KernelProblem &problem = structure.problem;
  int64_t partsRead = kernel.getPartsRead(),
          partsWritten = kernel.getPartsWritten();
  KernelGraph graph;
  graph.numInputs = problem.inputs.size();
  graph.tensors.reserve(problem.inputs.size() + problem.outputs.size());
  KernelNode node;
  for (auto [i, tensor] : llvm::enumerate(problem.inputs)) {
    graph.tensors.push_back(
        {program.getShape(*tensor, program.roles.size, partsRead),
         tensor->elementType});
    node.operands.push_back(i);
  }
  if (structure.op) {
    node.op = structure.op;
    node.params = structure.params;
    node.operands.assign(structure.operands.begin(), structure.operands.end());
    if (node.op->hasShapeParams()) {
      Shape shape =
          program.getShape(*problem.outputs[0], program.roles.size, 1);
      node.params.assign(shape.begin(), shape.end());
    }
  } else {
    node.kind = KernelNode::Kind::GraphDefined;
    node.graph = instantiate(program, kernel, program.roles.size, partsRead,
                             partsWritten);
    if (!node.graph || getSharedBytes(*node.graph, graph.tensors) >
                           TargetNumbers(target).tileBytes)
      return std::nullopt;
  }
  for (const SearchTensor *tensor : problem.outputs) {
    node.results.push_back(graph.tensors.size());
    graph.tensors.push_back(
        {program.getShape(*tensor, program.roles.size, partsWritten),
         tensor->elementType});
  }
  return mirage::estimateKernel(graph, node, target).nanoseconds;
}

/// The parts of grids, loops and splits at small sizes.
static constexpr int64_t kGrid = 2, kLoop = 3, kSplit = 2;

/// Dimensions that are of one role in the program as it was given have one
/// size, though what makes them so may be gone from what is searched for:
/// operators that lead to no output, and what exponentials were relative to.
/// All of these sizes divide the largest.
static void tieSizes(const SearchProgram &program,
                     std::vector<int64_t> &sizes) {
  std::string error;
  const std::optional<Roles> given = findRoles(program.reference, error);
  assert(given && "the program was searched");
  std::vector<int64_t> largest(given->size.size(), 0);
  auto forEach = [&](auto visit) {
    for (unsigned i = 0; i < program.reference.numInputs; ++i)
      for (auto [role, own] :
           llvm::zip(given->ofTensor[i], program.roles.ofTensor[i]))
        if (role != kNoRole)
          visit(largest[role], sizes[own]);
  };
  forEach([](int64_t &most, int64_t size) { most = std::max(most, size); });
  forEach([](int64_t most, int64_t &size) { size = std::max(size, most); });
}

std::vector<int64_t> mirage::getSmallSizes(const SearchProgram &program,
                                           bool smallest) {
  constexpr int64_t kTile = 2;
  std::vector<int64_t> sizes;
  for (size_t r = 0; r < program.roles.size.size(); ++r) {
    bool isReduced = program.roles.reduced.test(r);
    if (smallest)
      // What is not reduced isn't looped over.
      sizes.push_back(isReduced ? kLoop * kSplit * kTile : kGrid * kTile);
    else
      sizes.push_back(kGrid * kLoop * (isReduced ? kSplit : 1) * (r % 2 + 1));
  }
  tieSizes(program, sizes);
  return sizes;
}

Plan mirage::withSmallSizes(Plan plan) {
  for (SizedKernel &kernel : plan.kernels) {
    if (!kernel.structure->placement)
      continue;
    bool splits = kernel.getPartsWritten() > 1;
    for (int64_t &size : kernel.grid)
      size = kGrid;
    if (splits)
      kernel.grid.back() = kSplit;
    if (kernel.iterations)
      kernel.iterations =
          kernel.structure->placement->combinesSplit() ? kSplit : kLoop;
  }
  return plan;
}
