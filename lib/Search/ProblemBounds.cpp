//===- ProblemBounds.cpp - What the kernels of a problem must do ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProblemBounds.h"
#include "ReadSets.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

ValueSet mirage::getIterators(const ValueGraph &graph) {
  ValueSet iterators;
  for (unsigned v = 0; v < graph.values.size(); ++v)
    if (graph.values[v].iterator >= 0)
      iterators.insert(v);
  return iterators;
}

Leaves mirage::getLeaves(const KernelProblem &problem,
                         const Placement &placement, const ValueGraph &graph) {
  Leaves leaves;
  for (unsigned v : getIterators(graph))
    leaves.emplace_back(
        problem.inputs[placement.iterators[graph.values[v].iterator].input], v);
  return leaves;
}

void mirage::setBounds(std::shared_ptr<const Ways> ways,
                       const SearchOptions &options, int splitRole,
                       KernelProblem &problem) {
  SmallVector<unsigned> all;
  for (const LeastWork::Alternatives &values : ways->outputs)
    llvm::append_range(all, values);
  if (options.uses(SearchRule::WholeTensors)) {
    problem.getUsefulTensors = [ways, all] {
      return ways->leastWork->getScalars(all, ways->leaves);
    };
    for (uint64_t tensor : problem.getUsefulTensors())
      problem.usefulTensorsHash += tensor; // in any order
  }
  if (options.uses(SearchRule::Needed))
    problem.leastOperators =
        ways->leastWork->getOperators(ways->outputs, ways->leaves);
  if (!options.uses(SearchRule::Work))
    return;
  problem.leastWork = ways->leastWork->get(ways->outputs, ways->leaves);
  problem.getRepeatedWork = [ways, splitRole](const RoleSet &roles) {
    return ways->leastWork->getRepeated(ways->outputs, ways->leaves, roles,
                                        splitRole);
  };
}

void mirage::setFates(std::shared_ptr<const Ways> ways,
                      std::shared_ptr<const Leaves> leaves,
                      KernelProblem &problem) {
  problem.getFates = [ways, leaves, inputs = problem.inputs] {
    std::vector<DimFates> byValue =
        ways->leastWork->getFates(ways->outputs, ways->leaves);
    std::vector<DimFates> result;
    for (const SearchTensor *input : inputs) {
      DimFates &fates = result.emplace_back();
      fates.survive.resize(input->label.size());
      fates.vanish.resize(input->label.size());
      for (auto [tensor, value] : *leaves)
        if (tensor == input) {
          fates.survive |= byValue[value].survive;
          fates.vanish |= byValue[value].vanish;
        }
    }
    return result;
  };
}

void mirage::setReadSets(const SearchProgram &program,
                         std::shared_ptr<const Ways> ways,
                         std::vector<LeastWork::Alternatives> outputs,
                         std::shared_ptr<const Leaves> leaves,
                         const Placement &placement,
                         const SearchOptions &options, KernelProblem &problem) {
  // Without the other rule there are tiles of what is no whole tensor.
  if (!options.uses(SearchRule::Reads) ||
      !options.uses(SearchRule::WholeTensors))
    return;
  problem.getReadSets = [&program, ways, outputs = std::move(outputs), leaves,
                         &placement, inputs = problem.inputs](
                            const Placement &frame,
                            ArrayRef<std::vector<IteratorPlacement>> choices) {
    llvm::DenseMap<unsigned, ReadLeaf> read;
    for (auto [tensor, value] : *leaves)
      if (auto input = llvm::find(inputs, tensor); input != inputs.end()) {
        ReadLeaf &leaf = read[value];
        leaf.input = input - inputs.begin();
        const int iterator = ways->leastWork->getGraph().values[value].iterator;
        if (iterator >= 0)
          leaf.splitDim = placement.iterators[iterator].fmap;
      }
    return findReadSets(program, *ways->leastWork, outputs, read, frame,
                        choices);
  };
}
