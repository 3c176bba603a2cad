//===- KeptRows.cpp - Kernels that keep their rows in registers -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptRows.h"
#include "FoldLoad.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using llvm::ArrayRef;

static bool foldsRows(const BlockGraph &block, const BlockNode &node) {
  std::optional<IterationSpace> space = getFoldSpace(block, node);
  if (!space)
    return false;
  ArrayRef<int> loops = space->operandLoops[0];
  int64_t dim =
      llvm::find(loops, static_cast<int>(node.shape.size())) - loops.begin();
  return KeptRowsShape::foldsRows(block.nodes[node.operands[0]].shape,
                                  node.shape, dim);
}

std::optional<KeptRowsShape>
mirage::findKeptRows(const BlockGraph &block, ArrayRef<KernelTensor> inputs,
                     ArrayRef<KernelTensor> outputs) {
  if (block.iterations > 0)
    return std::nullopt;
  llvm::SmallVector<KeptRowsShape::Access> accesses;
  llvm::SmallVector<KeptRowsShape::Step> steps;
  // Of the nodes that compute something.
  llvm::DenseMap<unsigned, unsigned> numbers;
  auto addAccess = [&](const KernelTensor &tensor, ArrayRef<int64_t> tile,
                       bool isInput) {
    int64_t bits = tensor.elementType.getIntOrFloatBitWidth();
    accesses.push_back({tile, bits, isInput});
  };
  for (auto [i, node] : llvm::enumerate(block.nodes))
    switch (node.kind) {
    case BlockNode::Kind::InputIterator:
      addAccess(inputs[node.operands[0]], node.shape, /*isInput=*/true);
      break;
    case BlockNode::Kind::OutputSaver:
      addAccess(outputs.consume_front(), block.nodes[node.operands[0]].shape,
                /*isInput=*/false);
      if (auto step = numbers.find(node.operands[0]); step != numbers.end())
        steps[step->second].isSaved = true;
      break;
    case BlockNode::Kind::Constant:
      break;
    case BlockNode::Kind::Operator: {
      bool folds = foldsRows(block, node);
      if (!node.op->isElementwise() && !folds)
        return std::nullopt;
      KeptRowsShape::Step step{node.shape, {}, folds};
      for (unsigned operand : node.operands)
        if (auto other = numbers.find(operand); other != numbers.end())
          step.operands.push_back(other->second);
      numbers[i] = steps.size();
      steps.push_back(std::move(step));
      break;
    }
    case BlockNode::Kind::Accumulator:
      return std::nullopt;
    }
  return KeptRowsShape::get(accesses, steps);
}
