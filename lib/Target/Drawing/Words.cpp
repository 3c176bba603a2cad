//===- Words.cpp - Drawings in words --------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Words.h"
#include "Labels.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mirage;

static std::string getBlocksText(int64_t blocks) {
  return blocks == 1 ? "1 thread block"
                     : getGroupedText(blocks) + " thread blocks";
}

static std::string getIterationsText(int64_t iterations) {
  return iterations == 1 ? "1 iteration"
                         : getGroupedText(iterations) + " iterations";
}

/// What is to be said of elements that blocks or iterations don't divide.
static StringRef getOverlapText(int64_t elements, int64_t parts) {
  return elements % parts == 0
             ? ""
             : ", the last of which overlaps the one in front of it";
}
static StringRef getOverlapText(Value tensor, int64_t dim, int64_t blocks) {
  return getOverlapText(cast<ShapedType>(tensor.getType()).getDimSize(dim),
                        blocks);
}

static std::string describe(block::InputIterator op) {
  auto kernel = op->getParentOfType<kernel::GraphDefinedOp>();
  std::string text = "Loads this block's tile of the tensor from device memory "
                     "into shared memory.";
  for (auto [i, dim, size] :
       llvm::enumerate(op.getImap().getDims(), kernel.getGrid().getSizes())) {
    if (dim == kReplica)
      text += llvm::formatv("\nimap {0} → replica: all blocks along {0} load "
                            "the same.",
                            getGridDimName(i));
    else
      text += llvm::formatv("\nimap {0} → {1}: dimension {1} is cut into {2} "
                            "parts, one for each block along {0}{3}.",
                            getGridDimName(i), dim, getGroupedText(size),
                            getOverlapText(op.getTensor(), dim, size));
  }
  auto loop = dyn_cast<block::LoopOp>(op->getParentOp());
  auto fmap = op.getFmap();
  if (!loop || !fmap)
    return text;
  if (fmap->getDim() == kReplica)
    text +=
        "\nfmap i → replica: every iteration of the loop uses the same tile.";
  else
    text += llvm::formatv("\nfmap i → {0}: of that, dimension {0} is cut into "
                          "{1} parts, one for each iteration of the loop{2}.",
                          fmap->getDim(), getGroupedText(loop.getIterations()),
                          getOverlapText(op.getExtentOfBlock(fmap->getDim()),
                                         loop.getIterations()));
  return text;
}

static std::string describe(block::OutputSaver op) {
  auto kernel = op->getParentOfType<kernel::GraphDefinedOp>();
  std::string text = "Writes this block's tile from shared memory to its place "
                     "in the tensor in device memory.";
  for (auto [i, dim, size] :
       llvm::enumerate(op.getOmap().getDims(), kernel.getGrid().getSizes()))
    if (dim != kReplica)
      text +=
          llvm::formatv("\nomap {0} → {1}: the tiles of the {2} blocks along "
                        "{0} stand one after the other along dimension {1}{3}.",
                        getGridDimName(i), dim, getGroupedText(size),
                        getOverlapText(op.getTensor(), dim, size));
  return text;
}

static StringRef describe(block::AccumulatorKind kind) {
  switch (kind) {
  case block::AccumulatorKind::Sum:
    return "Adds up the tiles of all iterations; the sum is there when the "
           "loop "
           "has ended.";
  case block::AccumulatorKind::Max:
    return "Keeps the elementwise maximum of the tiles of all iterations.";
  case block::AccumulatorKind::Concat:
    return "Puts the tiles of all iterations one after the other.";
  case block::AccumulatorKind::RescaledSum:
    return "Adds up t · exp(m − M) over all iterations, where M is the maximum "
           "of m over all of them. A running maximum keeps exp from "
           "overflowing (online softmax).";
  }
  llvm_unreachable("all accumulators are handled");
}

static StringRef describeOperatorAt(const DiagramNode &node) {
  switch (node.level) {
  case Level::Kernel:
    return "One kernel on the whole GPU: reads its operands from device memory "
           "and writes its result there.";
  case Level::Block:
    return node.op->getParentOfType<block::LoopOp>()
               ? "Each thread block computes it in every iteration, on tiles "
                 "in "
                 "shared memory."
               : "Each thread block computes it once, on tiles in shared "
                 "memory.";
  case Level::Thread:
    return "Computed element by element in the registers of the threads.";
  }
  llvm_unreachable("all levels are handled");
}

std::string mirage::describe(const DiagramNode &node) {
  using Kind = DiagramNode::Kind;
  switch (node.kind) {
  case Kind::Input:
    return "An input of the program, in device memory.";
  case Kind::Output:
    return "A result of the program.";
  case Kind::Constant:
    return "A constant of the program. It takes no memory.";
  case Kind::Operator:
    if (!isa<OperatorOpInterface>(node.op))
      return "";
    return describeOperatorAt(node).str();
  case Kind::GraphDefined:
    return "An operator that is defined by a graph, which is not drawn.";
  case Kind::InputIterator:
    return ::describe(cast<block::InputIterator>(node.op));
  case Kind::OutputSaver:
    return ::describe(cast<block::OutputSaver>(node.op));
  case Kind::Accumulator:
    return ::describe(cast<block::AccumulateOp>(node.op).getKind(node.index))
        .str();
  case Kind::Yield:
    return "A result of the thread graph: goes from registers to shared "
           "memory.";
  case Kind::Note:
    return "";
  }
  llvm_unreachable("all kinds of nodes are handled");
}

std::string mirage::describe(const DiagramFrame &frame) {
  switch (frame.kind) {
  case DiagramFrame::Kind::KernelGraph:
    return "A kernel graph: every operator is a kernel on the whole GPU, and "
           "what passes between them lies in device memory.";
  case DiagramFrame::Kind::BlockGraph: {
    auto op = cast<kernel::GraphDefinedOp>(frame.op);
    return "One kernel, defined by a block graph: what each of " +
           getBlocksText(op.getGrid().getNumBlocks()) +
           " does. Its tiles lie in shared memory.";
  }
  case DiagramFrame::Kind::Loop:
    return "The for-loop of the block graph: " +
           getIterationsText(cast<block::LoopOp>(frame.op).getIterations()) +
           ", each on other tiles. Only accumulators carry something out of "
           "it.";
  case DiagramFrame::Kind::ThreadGraph:
    return "A block operator that is defined by a thread graph: computed in "
           "registers, without shared memory in between.";
  }
  llvm_unreachable("all kinds of frames are handled");
}

ArrayRef<std::pair<StringRef, StringRef>> mirage::getReportFields() {
  static constexpr std::pair<StringRef, StringRef> fields[] = {
      {"function", ""},
      {"target", ""},
      {"seconds", "in all, wall time"},
      {"seconds_to_first", "until the first verified structure"},
      {"exhausted", "whether everything within the limits was searched"},
      {"stopped_by", "what ended it before, if not"},
      {"states", "values that operators were applied to, and partial graphs"},
      {"placements", "ways to spread the inputs over the grid and the loop"},
      {"structures", "complete graphs, before sizes are chosen"},
      {"verified", "structures that a verifier accepted"},
      {"refuted", "structures that compute something else"},
      {"unknown", "structures that could not be decided"},
      {"unstable", "verified, but dropped for their rounding errors"},
      {"sizes", "choices of grid and loop sizes that were tried"},
      {"kernels_searched", "most kernels that had to be tried"},
      {"oracle", "how abstract expressions are compared"},
      {"threads", ""},
      {"max_kernel_ops", "most kernels of a graph"},
      {"max_block_ops", "most operators of a block graph"},
      {"max_grid_dims", "most dimensions of a grid"},
      {"stability_factor",
       "how much larger than the program's rounding errors may be"},
  };
  return fields;
}

StringRef mirage::describePruningRule(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("oracle", "can't be a part of anything equal to the program")
      .Case("indices", "sums run over other factors than the program's")
      .Case("shape", "the operator doesn't take such shapes")
      .Case("loop", "mixes what is inside and outside of the loop")
      .Case("whole", "no part of a whole tensor that is of use")
      .Case("needed", "needs more operators than there may be")
      .Case("duplicate", "computes what another operator has computed")
      .Case("arrangement", "begun as cheaply in another way")
      .Case("cut", "kernels may as well be cut elsewhere")
      .Case("memory", "doesn't fit into shared memory")
      .Case("bound", "can't become better than the best so far")
      .Default("");
}
