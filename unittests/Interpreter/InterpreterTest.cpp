//===- InterpreterTest.cpp - Block graphs against kernel operators --------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Numbers/FiniteField.h"
#include "Mirage/Numbers/RealNumbers.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mlir;

namespace {

class InterpreterTest : public testing::Test {
protected:
  InterpreterTest() {
    DialectRegistry registry;
    registry.insert<MirageDialect, kernel::KernelDialect, block::BlockDialect,
                    func::FuncDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The outputs of @f and @g on the same random inputs.
  void evaluateBoth(StringRef text, const NumberSystem &numbers,
                    std::vector<Tensor> &f, std::vector<Tensor> &g) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    KernelGraph first =
        *importKernelGraph(module->lookupSymbol<func::FuncOp>("f"));
    KernelGraph second =
        *importKernelGraph(module->lookupSymbol<func::FuncOp>("g"));
    std::vector<Tensor> inputs;
    for (unsigned i = 0; i < first.numInputs; ++i)
      inputs.push_back(numbers.random(first.tensors[i].shape, 5, i));
    f = evaluate(first, numbers, inputs);
    g = evaluate(second, numbers, inputs);
  }

  /// Whether @f and @g are equal in f64 and in the field.
  void expectEqual(StringRef text) {
    RealNumbers reals;
    FiniteField field(/*withExponents=*/true);
    for (const NumberSystem *numbers :
         {static_cast<const NumberSystem *>(&reals),
          static_cast<const NumberSystem *>(&field)}) {
      std::vector<Tensor> f, g;
      evaluateBoth(text, *numbers, f, g);
      ASSERT_EQ(f.size(), g.size());
      for (size_t i = 0; i < f.size(); ++i) {
        EXPECT_EQ(f[i].shape, g[i].shape);
        EXPECT_EQ(numbers->findDifference(f[i], g[i]), std::nullopt);
      }
    }
  }

  MLIRContext context;
};

// Three blocks of four rows, of which the last has one that the second has,
// too.
TEST_F(InterpreterTest, OverlappingTiles) {
  expectEqual(R"(
func.func @f(%x: tensor<11x8xf32>, %w: tensor<8x6xf32>) -> tensor<11x6xf32> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<11x8xf32>, tensor<8x6xf32>) -> tensor<11x6xf32>
  return %0 : tensor<11x6xf32>
}
func.func @g(%x: tensor<11x8xf32>, %w: tensor<8x6xf32>) -> tensor<11x6xf32> {
  %0 = mirage_kernel.graph_defined (%x, %w) grid <x = 3, y = 2> : (tensor<11x8xf32>, tensor<8x6xf32>) -> tensor<11x6xf32> {
  ^bb0(%X: tensor<11x8xf32>, %W: tensor<8x6xf32>):
    %sum = mirage_block.loop iterations 2 -> !mirage.tile<4x3xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> 0, y -> replica> fmap <i -> 1> : tensor<11x8xf32> -> !mirage.tile<4x4xf32>
      %wt = mirage_block.input_iterator %W imap <x -> replica, y -> 1> fmap <i -> 0> : tensor<8x6xf32> -> !mirage.tile<4x3xf32>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<4x4xf32>, !mirage.tile<4x3xf32>) -> !mirage.tile<4x3xf32>
      mirage_block.accumulate sum %p : !mirage.tile<4x3xf32>
    }
    mirage_block.output_saver %sum omap <x -> 0, y -> 1> : !mirage.tile<4x3xf32> -> tensor<11x6xf32>
  }
  return %0 : tensor<11x6xf32>
})");
}

// Three grid dimensions, and a loop over the depth.
TEST_F(InterpreterTest, BatchedMatmulOverThreeGridDimensions) {
  expectEqual(R"(
func.func @f(%x: tensor<2x4x8xf32>, %w: tensor<2x8x6xf32>) -> tensor<2x4x6xf32> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<2x4x8xf32>, tensor<2x8x6xf32>) -> tensor<2x4x6xf32>
  return %0 : tensor<2x4x6xf32>
}
func.func @g(%x: tensor<2x4x8xf32>, %w: tensor<2x8x6xf32>) -> tensor<2x4x6xf32> {
  %0 = mirage_kernel.graph_defined (%x, %w) grid <x = 3, y = 2, z = 2> : (tensor<2x4x8xf32>, tensor<2x8x6xf32>) -> tensor<2x4x6xf32> {
  ^bb0(%X: tensor<2x4x8xf32>, %W: tensor<2x8x6xf32>):
    %s = mirage_block.loop iterations 4 -> !mirage.tile<1x2x2xf32> {
      %a = mirage_block.input_iterator %X imap <x -> replica, y -> 0, z -> 1> fmap <i -> 2> : tensor<2x4x8xf32> -> !mirage.tile<1x2x2xf32>
      %b = mirage_block.input_iterator %W imap <x -> 2, y -> 0, z -> replica> fmap <i -> 1> : tensor<2x8x6xf32> -> !mirage.tile<1x2x2xf32>
      %p = mirage_block.matmul %a, %b : (!mirage.tile<1x2x2xf32>, !mirage.tile<1x2x2xf32>) -> !mirage.tile<1x2x2xf32>
      mirage_block.accumulate sum %p : !mirage.tile<1x2x2xf32>
    }
    mirage_block.output_saver %s omap <x -> 2, y -> 0, z -> 1> : !mirage.tile<1x2x2xf32> -> tensor<2x4x6xf32>
  }
  return %0 : tensor<2x4x6xf32>
}
)");
}

// Each of four grid dimensions cuts another dimension of what is transposed.
TEST_F(InterpreterTest, TransposeOverFourGridDimensions) {
  expectEqual(R"(
func.func @f(%x: tensor<2x3x4x5x2xf32>) -> tensor<3x5x4x2x2xf32> {
  %0 = mirage_kernel.transpose %x permutation [1, 3, 2, 0, 4] : (tensor<2x3x4x5x2xf32>) -> tensor<3x5x4x2x2xf32>
  return %0 : tensor<3x5x4x2x2xf32>
}
func.func @g(%x: tensor<2x3x4x5x2xf32>) -> tensor<3x5x4x2x2xf32> {
  %0 = mirage_kernel.graph_defined (%x) grid <x = 2, y = 3, z = 4, w = 5> : (tensor<2x3x4x5x2xf32>) -> tensor<3x5x4x2x2xf32> {
  ^bb0(%X: tensor<2x3x4x5x2xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0, y -> 1, z -> 2, w -> 3> : tensor<2x3x4x5x2xf32> -> !mirage.tile<1x1x1x1x2xf32>
    %s = mirage_block.transpose %t permutation [1, 3, 2, 0, 4] : (!mirage.tile<1x1x1x1x2xf32>) -> !mirage.tile<1x1x1x1x2xf32>
    mirage_block.output_saver %s omap <x -> 3, y -> 0, z -> 2, w -> 1> : !mirage.tile<1x1x1x1x2xf32> -> tensor<3x5x4x2x2xf32>
  }
  return %0 : tensor<3x5x4x2x2xf32>
}
)");
}

// A dimension that both cut is first cut by the grid.
TEST_F(InterpreterTest, DimensionCutByGridAndLoop) {
  expectEqual(R"(
func.func @f(%x: tensor<24xf32>) -> tensor<6xf32> {
  %0 = mirage_kernel.reshape %x : (tensor<24xf32>) -> tensor<2x4x3xf32>
  %1 = mirage_kernel.sum %0 dim 1 : (tensor<2x4x3xf32>) -> tensor<2x1x3xf32>
  %2 = mirage_kernel.reshape %1 : (tensor<2x1x3xf32>) -> tensor<6xf32>
  return %2 : tensor<6xf32>
}
func.func @g(%x: tensor<24xf32>) -> tensor<6xf32> {
  %0 = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<24xf32>) -> tensor<6xf32> {
  ^bb0(%X: tensor<24xf32>):
    %s = mirage_block.loop iterations 4 -> !mirage.tile<3xf32> {
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 0> : tensor<24xf32> -> !mirage.tile<3xf32>
      mirage_block.accumulate sum %t : !mirage.tile<3xf32>
    }
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<3xf32> -> tensor<6xf32>
  }
  return %0 : tensor<6xf32>
}
)");
}

// Maxima and concatenations of parts are those of the whole.
TEST_F(InterpreterTest, MaximumAndConcatenation) {
  expectEqual(R"(
func.func @f(%x: tensor<4x24xf32>) -> (tensor<4x1xf32>, tensor<4x24xf32>, tensor<16x6xf32>) {
  %0 = mirage_kernel.reduce_max %x dim 1 : (tensor<4x24xf32>) -> tensor<4x1xf32>
  %1 = mirage_kernel.sqr %x : (tensor<4x24xf32>) -> tensor<4x24xf32>
  %2 = mirage_kernel.reshape %1 : (tensor<4x24xf32>) -> tensor<4x4x6xf32>
  %3 = mirage_kernel.reshape %2 : (tensor<4x4x6xf32>) -> tensor<16x6xf32>
  return %0, %1, %3 : tensor<4x1xf32>, tensor<4x24xf32>, tensor<16x6xf32>
}
func.func @g(%x: tensor<4x24xf32>) -> (tensor<4x1xf32>, tensor<4x24xf32>, tensor<16x6xf32>) {
  %0:3 = mirage_kernel.graph_defined (%x) grid <x = 4> : (tensor<4x24xf32>) -> (tensor<4x1xf32>, tensor<4x24xf32>, tensor<16x6xf32>) {
  ^bb0(%X: tensor<4x24xf32>):
    %a:3 = mirage_block.loop iterations 4 -> !mirage.tile<1x1xf32>, !mirage.tile<1x24xf32>, !mirage.tile<4x6xf32> {
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<4x24xf32> -> !mirage.tile<1x6xf32>
      %m = mirage_block.reduce_max %t dim 1 : (!mirage.tile<1x6xf32>) -> !mirage.tile<1x1xf32>
      %s = mirage_block.sqr %t : (!mirage.tile<1x6xf32>) -> !mirage.tile<1x6xf32>
      mirage_block.accumulate max %m, concat %s dim 1, concat %s dim 0 : !mirage.tile<1x1xf32>, !mirage.tile<1x6xf32>, !mirage.tile<1x6xf32>
    }
    mirage_block.output_saver %a#0 omap <x -> 0> : !mirage.tile<1x1xf32> -> tensor<4x1xf32>
    mirage_block.output_saver %a#1 omap <x -> 0> : !mirage.tile<1x24xf32> -> tensor<4x24xf32>
    mirage_block.output_saver %a#2 omap <x -> 0> : !mirage.tile<4x6xf32> -> tensor<16x6xf32>
  }
  return %0#0, %0#1, %0#2 : tensor<4x1xf32>, tensor<4x24xf32>, tensor<16x6xf32>
}
)");
}

// The numerator of a softmax, whose maximum is known at the end only.
TEST_F(InterpreterTest, RescaledSum) {
  expectEqual(R"(
func.func @f(%x: tensor<4x24xf32>) -> tensor<4x1xf32> {
  %m = mirage_kernel.reduce_max %x dim 1 : (tensor<4x24xf32>) -> tensor<4x1xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<4x24xf32>, tensor<4x1xf32>) -> tensor<4x24xf32>
  %e = mirage_kernel.exp %d : (tensor<4x24xf32>) -> tensor<4x24xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<4x24xf32>) -> tensor<4x1xf32>
  return %s : tensor<4x1xf32>
}
func.func @g(%x: tensor<4x24xf32>) -> tensor<4x1xf32> {
  %0 = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<4x24xf32>) -> tensor<4x1xf32> {
  ^bb0(%X: tensor<4x24xf32>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<2x1xf32> {
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<4x24xf32> -> !mirage.tile<2x6xf32>
      %m = mirage_block.reduce_max %t dim 1 : (!mirage.tile<2x6xf32>) -> !mirage.tile<2x1xf32>
      %d = mirage_block.sub %t, %m : (!mirage.tile<2x6xf32>, !mirage.tile<2x1xf32>) -> !mirage.tile<2x6xf32>
      %e = mirage_block.exp %d : (!mirage.tile<2x6xf32>) -> !mirage.tile<2x6xf32>
      %s = mirage_block.sum %e dim 1 : (!mirage.tile<2x6xf32>) -> !mirage.tile<2x1xf32>
      mirage_block.accumulate rescaled_sum %s by %m : !mirage.tile<2x1xf32> by !mirage.tile<2x1xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<2x1xf32> -> tensor<4x1xf32>
  }
  return %0 : tensor<4x1xf32>
}
)");
}

// Exponentials, division, two outputs, and an iterator after the loop.
TEST_F(InterpreterTest, Softmax) {
  expectEqual(R"(
func.func @f(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>) {
  %e = mirage_kernel.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %z = mirage_kernel.div %e, %s : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  return %z, %s : tensor<4x8xf32>, tensor<4x1xf32>
}
func.func @g(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>) {
  %0:2 = mirage_kernel.graph_defined (%x) grid <x = 4> : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>) {
  ^bb0(%X: tensor<4x8xf32>):
    %s = mirage_block.loop iterations 8 -> !mirage.tile<1x1xf32> {
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<4x8xf32> -> !mirage.tile<1x1xf32>
      %e = mirage_block.exp %t : (!mirage.tile<1x1xf32>) -> !mirage.tile<1x1xf32>
      mirage_block.accumulate sum %e : !mirage.tile<1x1xf32>
    }
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<4x8xf32> -> !mirage.tile<1x8xf32>
    %e = mirage_block.exp %t : (!mirage.tile<1x8xf32>) -> !mirage.tile<1x8xf32>
    %z = mirage_block.div %e, %s : (!mirage.tile<1x8xf32>, !mirage.tile<1x1xf32>) -> !mirage.tile<1x8xf32>
    mirage_block.output_saver %z omap <x -> 0> : !mirage.tile<1x8xf32> -> tensor<4x8xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<1x1xf32> -> tensor<4x1xf32>
  }
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4x1xf32>
}
)");
}

// The other order of cuts gives something else, which both systems see.
TEST_F(InterpreterTest, DifferencesAreSeen) {
  const char *text = R"(
func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  return %x : tensor<4x4xf32>
}
func.func @g(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = mirage_kernel.graph_defined (%x) grid <x = 2, y = 2> : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%X: tensor<4x4xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0, y -> 1> : tensor<4x4xf32> -> !mirage.tile<2x2xf32>
    mirage_block.output_saver %t omap <x -> 1, y -> 0> : !mirage.tile<2x2xf32> -> tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
)";
  std::vector<Tensor> f, g;
  evaluateBoth(text, RealNumbers(), f, g);
  EXPECT_EQ(RealNumbers().findDifference(f[0], g[0]), 2);
  FiniteField field(/*withExponents=*/false);
  evaluateBoth(text, field, f, g);
  EXPECT_EQ(field.findDifference(f[0], g[0]), 2);
}

// Undefined elements stay where they belong: a row without a root.
TEST_F(InterpreterTest, UndefinedElementsOfABlock) {
  const char *text = R"(
func.func @f(%x: tensor<64x1xf32>) -> tensor<64x1xf32> {
  %0 = mirage_kernel.sqrt %x : (tensor<64x1xf32>) -> tensor<64x1xf32>
  return %0 : tensor<64x1xf32>
}
func.func @g(%x: tensor<64x1xf32>) -> tensor<64x1xf32> {
  %0 = mirage_kernel.graph_defined (%x) grid <x = 32> : (tensor<64x1xf32>) -> tensor<64x1xf32> {
  ^bb0(%X: tensor<64x1xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<64x1xf32> -> !mirage.tile<2x1xf32>
    %r = mirage_block.sqrt %t : (!mirage.tile<2x1xf32>) -> !mirage.tile<2x1xf32>
    mirage_block.output_saver %r omap <x -> 0> : !mirage.tile<2x1xf32> -> tensor<64x1xf32>
  }
  return %0 : tensor<64x1xf32>
}
)";
  FiniteField field(/*withExponents=*/false);
  std::vector<Tensor> f, g;
  evaluateBoth(text, field, f, g);
  EXPECT_EQ(f[0].undefined, g[0].undefined);
  EXPECT_EQ(f[0].undefined.size(), 64u);
}

// Large tensors are computed in parts, which the tiles of @g are too small for.
TEST_F(InterpreterTest, ElementwiseOperatorsInParts) {
  expectEqual(R"(
func.func @f(%x: tensor<2x3x70000xf32>, %row: tensor<70000xf32>, %column: tensor<3x1xf32>) -> tensor<2x3x70000xf32> {
  %0 = mirage_kernel.mul %x, %row : (tensor<2x3x70000xf32>, tensor<70000xf32>) -> tensor<2x3x70000xf32>
  %1 = mirage_kernel.exp %column : (tensor<3x1xf32>) -> tensor<3x1xf32>
  %2 = mirage_kernel.div %0, %1 : (tensor<2x3x70000xf32>, tensor<3x1xf32>) -> tensor<2x3x70000xf32>
  return %2 : tensor<2x3x70000xf32>
}
func.func @g(%x: tensor<2x3x70000xf32>, %row: tensor<70000xf32>, %column: tensor<3x1xf32>) -> tensor<2x3x70000xf32> {
  %0 = mirage_kernel.graph_defined (%x, %row, %column) grid <x = 7> : (tensor<2x3x70000xf32>, tensor<70000xf32>, tensor<3x1xf32>) -> tensor<2x3x70000xf32> {
  ^bb0(%X: tensor<2x3x70000xf32>, %ROW: tensor<70000xf32>, %COLUMN: tensor<3x1xf32>):
    %a = mirage_block.input_iterator %X imap <x -> 2> : tensor<2x3x70000xf32> -> !mirage.tile<2x3x10000xf32>
    %b = mirage_block.input_iterator %ROW imap <x -> 0> : tensor<70000xf32> -> !mirage.tile<10000xf32>
    %c = mirage_block.input_iterator %COLUMN imap <x -> replica> : tensor<3x1xf32> -> !mirage.tile<3x1xf32>
    %d = mirage_block.mul %a, %b : (!mirage.tile<2x3x10000xf32>, !mirage.tile<10000xf32>) -> !mirage.tile<2x3x10000xf32>
    %e = mirage_block.exp %c : (!mirage.tile<3x1xf32>) -> !mirage.tile<3x1xf32>
    %f = mirage_block.div %d, %e : (!mirage.tile<2x3x10000xf32>, !mirage.tile<3x1xf32>) -> !mirage.tile<2x3x10000xf32>
    mirage_block.output_saver %f omap <x -> 2> : !mirage.tile<2x3x10000xf32> -> tensor<2x3x70000xf32>
  }
  return %0 : tensor<2x3x70000xf32>
}
)");
}

// An output that a node reads, and one that is an input.
TEST_F(InterpreterTest, KeepsOutputsOnly) {
  auto module = parseSourceString<ModuleOp>(R"(
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.sqr %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = mirage_kernel.add %1, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %2, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
)",
                                            &context);
  ASSERT_TRUE(module);
  KernelGraph graph =
      *importKernelGraph(module->lookupSymbol<func::FuncOp>("f"));
  // Inputs and outputs stay; the square is read by the sum.
  EXPECT_EQ(getLastUses(graph), (SmallVector<size_t>{3, 3, 2, 3}));
  RealNumbers reals;
  Tensor x = reals.random({4}, 1, 0);
  std::vector<Tensor> outputs = evaluate(graph, reals, {x});
  ASSERT_EQ(outputs.size(), 3u);
  Tensor exp = reals.exp(x);
  EXPECT_EQ(reals.findDifference(outputs[0], exp), std::nullopt);
  EXPECT_EQ(
      reals.findDifference(outputs[1], reals.add(reals.mul(exp, exp), exp)),
      std::nullopt);
  EXPECT_EQ(reals.findDifference(outputs[2], x), std::nullopt);
}

} // namespace
