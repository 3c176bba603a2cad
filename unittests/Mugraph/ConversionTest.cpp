//===- ConversionTest.cpp - From IR and back ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Mugraph/SharedMemory.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mlir;

namespace mirage {
static bool operator==(const BlockNode &a, const BlockNode &b) {
  return a.kind == b.kind && a.inLoop == b.inLoop && a.op == b.op &&
         a.accumulation == b.accumulation && a.params == b.params &&
         a.operands == b.operands && a.map == b.map && a.fmap == b.fmap &&
         a.constant == b.constant && a.shape == b.shape;
}
static bool operator==(const KernelTensor &a, const KernelTensor &b) {
  return a.shape == b.shape && a.elementType == b.elementType;
}
static bool operator==(const KernelNode &a, const KernelNode &b) {
  if (!a.graph != !b.graph)
    return false;
  if (a.graph && (a.graph->grid != b.graph->grid ||
                  a.graph->iterations != b.graph->iterations ||
                  !(a.graph->nodes == b.graph->nodes)))
    return false;
  return a.kind == b.kind && a.op == b.op && a.params == b.params &&
         a.constant == b.constant && a.operands == b.operands &&
         a.results == b.results;
}
} // namespace mirage

namespace {

/// Every kind of node: constants at both levels, a reshape, iterators in the
/// loop and after it, a transposed tile that is read and one that is stored,
/// one of the loop's, tiles side by side, accumulators of every kind, two
/// savers.
constexpr const char *kProgram = R"(
func.func @f(%x: tensor<4x8xf16>, %g: tensor<8xbf16>, %w: tensor<8x8xf32>) -> (tensor<4x8xf16>, tensor<32xf16>, tensor<8xbf16>) {
  %c = mirage.constant 2.5 : tensor<f32>
  %h = mirage_kernel.mul %g, %c : (tensor<8xbf16>, tensor<f32>) -> tensor<8xbf16>
  %z:2 = mirage_kernel.graph_defined (%x, %h, %w) grid <x = 2, y = 1> : (tensor<4x8xf16>, tensor<8xbf16>, tensor<8x8xf32>) -> (tensor<4x8xf16>, tensor<4x2xf32>) {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xbf16>, %W: tensor<8x8xf32>):
    %ss, %mm, %a:4 = mirage_block.loop iterations 2 -> !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>, !mirage.tile<4x8xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica, y -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica, y -> 0> fmap <i -> 0> : tensor<8xbf16> -> !mirage.tile<4xbf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1, y -> replica> fmap <i -> 0> : tensor<8x8xf32> -> !mirage.tile<4x4xf32>
      %rs = mirage_block.sum %xt dim 1 : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x1xf32>
      %xg = mirage_block.mul %xt, %gt : (!mirage.tile<4x4xf16>, !mirage.tile<4xbf16>) -> !mirage.tile<4x4xf32>
      %xgt = mirage_block.transpose %xg permutation [1, 0] : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
      %p = mirage_block.matmul %xgt, %wt : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
      %xx = mirage_block.concat %xt, %xt dim 1 : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x8xf32>
      %cs = mirage_block.sum %xx dim 1 : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x1xf32>
      %pt = mirage_block.transpose %p permutation [1, 0] : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %rs, sum %pt, rescaled_sum %xg by %rs, max %cs, concat %xg dim 1, rescaled_sum %p by %rs
          : !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32> by !mirage.tile<4x1xf32>, !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32> by !mirage.tile<4x1xf32>
    }
    %n = mirage.constant 8.0 : !mirage.tile<f32>
    %m = mirage_block.div %ss, %n : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %late = mirage_block.input_iterator %X imap <x -> 1, y -> replica> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
    %mt = mirage_block.transpose %mm permutation [1, 0] : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    %q = mirage_block.add %late, %mt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %q omap <x -> 1, y -> 0> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
    mirage_block.output_saver %m omap <x -> 1, y -> replica> : !mirage.tile<4x1xf32> -> tensor<4x2xf32>
  }
  %r = mirage_kernel.reshape %z#0 : (tensor<4x8xf16>) -> tensor<32xf16>
  return %z#0, %r, %g : tensor<4x8xf16>, tensor<32xf16>, tensor<8xbf16>
}
)";

class ConversionTest : public testing::Test {
protected:
  ConversionTest() {
    DialectRegistry registry;
    registry.insert<MirageDialect, kernel::KernelDialect, block::BlockDialect,
                    func::FuncDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = parseSourceString<ModuleOp>(kProgram, &context);
    function = *module->getOps<func::FuncOp>().begin();
  }

  /// Puts a graph in place of the function's body.
  void setBody(const KernelGraph &graph) {
    Block &body = function.getBody().front();
    while (!body.empty())
      body.back().erase();
    OpBuilder builder = OpBuilder::atBlockEnd(&body);
    SmallVector<Value> outputs = exportKernelGraph(
        graph, builder, function.getLoc(), body.getArguments());
    func::ReturnOp::create(builder, function.getLoc(), outputs);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
};

TEST_F(ConversionTest, ImportExportImport) {
  ASSERT_TRUE(module);
  KernelGraph first = *importKernelGraph(function);
  setBody(first);
  ASSERT_TRUE(succeeded(verify(*module)));
  KernelGraph second = *importKernelGraph(function);
  EXPECT_EQ(first.numInputs, second.numInputs);
  EXPECT_TRUE(first.tensors == second.tensors);
  EXPECT_TRUE(first.nodes == second.nodes);
  EXPECT_EQ(first.outputs, second.outputs);
}

TEST_F(ConversionTest, Import) {
  KernelGraph graph = *importKernelGraph(function);
  EXPECT_EQ(graph.numInputs, 3u);
  EXPECT_EQ(graph.nodes.size(), 4u);
  // A reshape is no kernel.
  EXPECT_EQ(graph.getNumKernels(), 2u);
  // By its rescaled sums.
  EXPECT_TRUE(graph.usesExponentiation());
  const BlockGraph &block = *graph.nodes[2].graph;
  EXPECT_EQ(block.grid, (SmallVector<int64_t, 3>{2, 1}));
  EXPECT_EQ(block.iterations, 2);
  EXPECT_EQ(block.getNumBlocks(), 2);
  // Savers come last, in order, with the shape of the whole.
  EXPECT_EQ(block.nodes.back().shape, Shape({4, 2}));
  EXPECT_EQ(block.nodes[block.nodes.size() - 2].shape, Shape({4, 8}));
  // The third output is the second input.
  EXPECT_EQ(graph.outputs.back(), 1u);
}

/// A constant of the block graph that a loop uses, too, as CSE leaves it: the
/// loop gets one of its own.
TEST_F(ConversionTest, ConstantsOutsideOfALoop) {
  module = parseSourceString<ModuleOp>(R"(
func.func @f(%x: tensor<4x8xf32>) -> tensor<4x4xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf32>) -> tensor<4x4xf32> {
  ^bb0(%X: tensor<4x8xf32>):
    %c = mirage.constant 2.0 : !mirage.tile<f32>
    %s = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf32> -> !mirage.tile<4x4xf32>
      %m = mirage_block.mul %t, %c : (!mirage.tile<4x4xf32>, !mirage.tile<f32>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %m : !mirage.tile<4x4xf32>
    }
    %d = mirage_block.div %s, %c : (!mirage.tile<4x4xf32>, !mirage.tile<f32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %d omap <x -> 0> : !mirage.tile<4x4xf32> -> tensor<4x4xf32>
  }
  return %z : tensor<4x4xf32>
}
)",
                                       &context);
  ASSERT_TRUE(module);
  function = *module->getOps<func::FuncOp>().begin();
  KernelGraph graph = *importKernelGraph(function);
  const BlockGraph &block = *graph.nodes[0].graph;
  int found = 0;
  for (const BlockNode &node : block.nodes) {
    if (node.kind != BlockNode::Kind::Operator)
      continue;
    const BlockNode &constant = block.nodes[node.operands[1]];
    EXPECT_EQ(constant.kind, BlockNode::Kind::Constant);
    EXPECT_EQ(constant.constant, 2);
    EXPECT_EQ(constant.inLoop, node.inLoop);
    ++found;
  }
  EXPECT_EQ(found, 2);
  setBody(graph);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(ConversionTest, InferShapesReproducesThem) {
  KernelGraph graph = *importKernelGraph(function);
  BlockGraph block = *graph.nodes[2].graph;
  std::vector<BlockNode> nodes = block.nodes;
  for (BlockNode &node : block.nodes)
    node.shape.clear();
  SmallVector<Shape> inputs, outputs;
  for (unsigned operand : graph.nodes[2].operands)
    inputs.push_back(graph.tensors[operand].shape);
  for (unsigned result : graph.nodes[2].results)
    outputs.push_back(graph.tensors[result].shape);
  std::string error;
  EXPECT_TRUE(inferShapes(block, inputs, outputs, error)) << error;
  EXPECT_TRUE(block.nodes == nodes);

  // What doesn't divide is said.
  block.iterations = 7;
  EXPECT_FALSE(inferShapes(block, inputs, outputs, error));
  EXPECT_EQ(error, "the loop does not divide a dimension");
  block.iterations = 2;
  block.grid[0] = 3;
  EXPECT_FALSE(inferShapes(block, inputs, outputs, error));
  EXPECT_EQ(error, "the grid does not divide a dimension");
}

TEST_F(ConversionTest, SharedBytesAgreeWithTheIR) {
  KernelGraph graph = *importKernelGraph(function);
  setBody(graph);
  SmallVector<KernelTensor> inputs;
  for (unsigned operand : graph.nodes[2].operands)
    inputs.push_back(graph.tensors[operand]);
  auto op = *function.getOps<kernel::GraphDefinedOp>().begin();
  EXPECT_EQ(getSharedBytes(*graph.nodes[2].graph, inputs),
            getSharedBytes(op.getBlockGraph()));
}

/// What an iteration adds to a rescaled sum takes no tile if tensor cores
/// multiply and all that a loop sums up has room in registers.
TEST_F(ConversionTest, RescaledProductsInRegisters) {
  auto getBytes = [&](int64_t rows, int64_t cols, StringRef type) {
    std::string text = R"(
func.func @f(%p: tensor<ROWSx64xTYPE>, %v: tensor<64xCOLSxTYPE>) -> tensor<ROWSxCOLSxf32> {
  %0 = mirage_kernel.graph_defined (%p, %v) grid <x = 1> : (tensor<ROWSx64xTYPE>, tensor<64xCOLSxTYPE>) -> tensor<ROWSxCOLSxf32> {
  ^bb0(%P: tensor<ROWSx64xTYPE>, %V: tensor<64xCOLSxTYPE>):
    %s = mirage_block.loop iterations 2 -> !mirage.tile<ROWSxCOLSxf32> {
      %p_ = mirage_block.input_iterator %P imap <x -> replica> fmap <i -> 1> : tensor<ROWSx64xTYPE> -> !mirage.tile<ROWSx32xTYPE>
      %v_ = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<64xCOLSxTYPE> -> !mirage.tile<32xCOLSxTYPE>
      %m = mirage_block.reduce_max %p_ dim 1 : (!mirage.tile<ROWSx32xTYPE>) -> !mirage.tile<ROWSx1xf32>
      %y = mirage_block.matmul %p_, %v_ : (!mirage.tile<ROWSx32xTYPE>, !mirage.tile<32xCOLSxTYPE>) -> !mirage.tile<ROWSxCOLSxf32>
      mirage_block.accumulate rescaled_sum %y by %m : !mirage.tile<ROWSxCOLSxf32> by !mirage.tile<ROWSx1xf32>
    }
    mirage_block.output_saver %s omap <x -> replica> : !mirage.tile<ROWSxCOLSxf32> -> tensor<ROWSxCOLSxf32>
  }
  return %0 : tensor<ROWSxCOLSxf32>
})";
    for (auto [from, to] :
         {std::pair<StringRef, std::string>{"ROWS", std::to_string(rows)},
          {"COLS", std::to_string(cols)},
          {"TYPE", type.str()}})
      for (size_t at = 0; (at = text.find(from.str(), at)) != text.npos;)
        text.replace(at, from.size(), to);
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    auto op = *module->getOps<func::FuncOp>().begin();
    KernelGraph graph = *importKernelGraph(op);
    SmallVector<KernelTensor> inputs(graph.tensors.begin(),
                                     graph.tensors.begin() + 2);
    const int64_t bytes = getSharedBytes(*graph.nodes[0].graph, inputs);
    auto kernel = *op.getOps<kernel::GraphDefinedOp>().begin();
    EXPECT_EQ(bytes, getSharedBytes(kernel.getBlockGraph()));
    return bytes;
  };
  // Two tiles that are loaded, the sum, and the maximum with what rescaling
  // takes beside it.
  auto getOthers = [](int64_t rows, int64_t cols, int64_t width) {
    return 32 * (rows + cols) * width + 4 * rows * cols +
           (1 + block::kTilesOfRunningMaximum) * 4 * rows;
  };
  EXPECT_EQ(getBytes(64, 256, "f16"), getOthers(64, 256, 2));
  EXPECT_EQ(getBytes(128, 128, "bf16"), getOthers(128, 128, 2));
  // More than 16 tiles for a warp; not alike for all warps; f32.
  EXPECT_EQ(getBytes(64, 264, "f16"), getOthers(64, 264, 2) + 4 * 64 * 264);
  EXPECT_EQ(getBytes(80, 200, "f16"), getOthers(80, 200, 2) + 4 * 80 * 200);
  EXPECT_EQ(getBytes(64, 64, "f32"), getOthers(64, 64, 4) + 4 * 64 * 64);
}

TEST_F(ConversionTest, EvenGridsComputeTheSame) {
  // A reshape has the tile's rows as a parameter.
  auto module = parseSourceString<ModuleOp>(R"(
func.func @f(%x: tensor<11x8xf32>) -> tensor<11x8xf32> {
  %0 = mirage_kernel.graph_defined (%x) grid <x = 3, y = 2> : (tensor<11x8xf32>) -> tensor<11x8xf32> {
  ^bb0(%X: tensor<11x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0, y -> 1> : tensor<11x8xf32> -> !mirage.tile<4x4xf32>
    %s = mirage_block.reshape %t : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1x4xf32>
    %e = mirage_block.exp %s : (!mirage.tile<4x1x4xf32>) -> !mirage.tile<4x1x4xf32>
    %r = mirage_block.reshape %e : (!mirage.tile<4x1x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 0, y -> 1> : !mirage.tile<4x4xf32> -> tensor<11x8xf32>
  }
  return %0 : tensor<11x8xf32>
})",
                                            &context);
  ASSERT_TRUE(module);
  function = *module->getOps<func::FuncOp>().begin();
  KernelGraph graph = *importKernelGraph(function);
  const KernelGraph even = *withEvenCuts(graph);
  EXPECT_EQ(ArrayRef<int64_t>(even.nodes[0].graph->grid),
            ArrayRef<int64_t>({1, 2}));
  setBody(even);
  EXPECT_TRUE(succeeded(verify(*module)));
  // What is even stays what it is.
  EXPECT_EQ(withEvenCuts(even)->nodes[0].graph, even.nodes[0].graph);

  // Rows and columns, one after the other.
  auto both = parseSourceString<ModuleOp>(R"(
func.func @f(%x: tensor<11x7xf32>) -> tensor<11x7xf32> {
  %0 = mirage_kernel.graph_defined (%x) grid <x = 3, y = 2> : (tensor<11x7xf32>) -> tensor<11x7xf32> {
  ^bb0(%X: tensor<11x7xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0, y -> 1> : tensor<11x7xf32> -> !mirage.tile<4x4xf32>
    %s = mirage_block.reshape %t : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1x4xf32>
    %e = mirage_block.exp %s : (!mirage.tile<4x1x4xf32>) -> !mirage.tile<4x1x4xf32>
    %r = mirage_block.reshape %e : (!mirage.tile<4x1x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 0, y -> 1> : !mirage.tile<4x4xf32> -> tensor<11x7xf32>
  }
  return %0 : tensor<11x7xf32>
})",
                                          &context);
  ASSERT_TRUE(both);
  std::optional<KernelGraph> evenBoth =
      withEvenCuts(*importKernelGraph(*both->getOps<func::FuncOp>().begin()));
  ASSERT_TRUE(evenBoth);
  EXPECT_EQ(ArrayRef<int64_t>(evenBoth->nodes[0].graph->grid),
            ArrayRef<int64_t>({1, 1}));

  // Rows that don't stay rows can't overlap.
  BlockGraph block = *graph.nodes[0].graph;
  block.nodes[1].params = {1, 4, 4};
  block.nodes[3].params = {4, 4};
  std::string error;
  const Shape shape{11, 8};
  EXPECT_TRUE(inferShapes(block, shape, shape, error)) << error;
  block.nodes[1].params = {2, 2, 4};
  EXPECT_FALSE(inferShapes(block, shape, shape, error));
  EXPECT_EQ(error, "the grid does not divide a dimension whose elements are "
                   "not treated one by one");
}

TEST_F(ConversionTest, EvenLoopsComputeTheSame) {
  // A reshape has the tile's columns as a parameter; a grid is uneven, too.
  auto module = parseSourceString<ModuleOp>(R"(
func.func @f(%x: tensor<7x11xf32>) -> tensor<7x1xf32> {
  %0 = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<7x11xf32>) -> tensor<7x1xf32> {
  ^bb0(%X: tensor<7x11xf32>):
    %l = mirage_block.loop iterations 3 -> !mirage.tile<4x1x1xf32> {
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<7x11xf32> -> !mirage.tile<4x4xf32>
      %s = mirage_block.reshape %t : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1x4xf32>
      %e = mirage_block.sqr %s : (!mirage.tile<4x1x4xf32>) -> !mirage.tile<4x1x4xf32>
      %r = mirage_block.sum %e dim 2 : (!mirage.tile<4x1x4xf32>) -> !mirage.tile<4x1x1xf32>
      mirage_block.accumulate sum %r : !mirage.tile<4x1x1xf32>
    }
    %y = mirage_block.reshape %l : (!mirage.tile<4x1x1xf32>) -> !mirage.tile<4x1xf32>
    mirage_block.output_saver %y omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<7x1xf32>
  }
  return %0 : tensor<7x1xf32>
})",
                                            &context);
  ASSERT_TRUE(module);
  function = *module->getOps<func::FuncOp>().begin();
  KernelGraph graph = *importKernelGraph(function);
  const KernelGraph even = *withEvenCuts(graph);
  EXPECT_EQ(even.nodes[0].graph->iterations, 1);
  EXPECT_EQ(even.nodes[0].graph->grid[0], 1);
  EXPECT_EQ(even.nodes[0].graph->nodes[1].shape, (Shape{7, 1, 11}));
  setBody(even);
  EXPECT_TRUE(succeeded(verify(*module)));

  BlockGraph block = *graph.nodes[0].graph;
  for (BlockNode &node : block.nodes)
    if (node.kind == BlockNode::Kind::Accumulator)
      node.accumulation = Accumulation::Max;
  std::string error;
  EXPECT_FALSE(inferShapes(block, Shape{7, 11}, Shape{7, 1}, error));
  EXPECT_EQ(error, "the loop does not divide a dimension, and what it "
                   "computes depends on how it is cut");
}

// Every element is of some tile, all tiles are within what is cut, and each has
// an element that no other has.
TEST(UnevenGrid, TilesCoverAll) {
  int numUneven = 0;
  for (int64_t size = 1; size <= 130; ++size)
    for (int64_t blocks = 1; blocks <= size + 2; ++blocks) {
      std::optional<int64_t> part = getUnevenPart(size, blocks);
      if (!part)
        continue;
      ++numUneven;
      EXPECT_NE(size % blocks, 0);
      std::vector<int> covered(size, 0);
      for (int64_t b = 0; b < blocks; ++b) {
        int64_t start = getTileStart(size, *part, b);
        ASSERT_GE(start, 0);
        ASSERT_LE(start + *part, size);
        for (int64_t i = 0; i < *part; ++i)
          ++covered[start + i];
      }
      EXPECT_EQ(llvm::count(covered, 0), 0) << size << " " << blocks;
      for (int64_t b = 0; b < blocks; ++b) {
        int64_t start = getTileStart(size, *part, b);
        EXPECT_EQ(llvm::count(ArrayRef(covered).slice(start, *part), 1) > 0,
                  true)
            << size << " " << blocks << " " << b;
      }
    }
  EXPECT_GT(numUneven, 1000);
}

} // namespace
