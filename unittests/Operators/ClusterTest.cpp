//===- ClusterTest.cpp - Kernels whose blocks share what they load --------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphTest.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mlir;

namespace {

class ClusterTest : public GraphTest {
protected:
  /// A product of rows of x, which blocks along y share, and columns of w,
  /// which those along x share, added to what is computed in front of the loop.
  std::string write() {
    int64_t gridX = pick({1, 2, 3, 4}), gridY = pick({2, 4, 6}),
            rows = pick({8, 16, 24, 64}), cols = pick({8, 16, 64}),
            depth = pick({16, 32, 64, 128}), iterations = pick({2, 3, 5});
    auto shape = [](int64_t a, int64_t b, StringRef type) {
      return llvm::formatv("{0}x{1}x{2}", a, b, type).str();
    };
    std::string x = shape(gridX * rows, depth * iterations, "f16"),
                w = shape(depth * iterations, gridY * cols, "f16"),
                z = shape(gridX * rows, gridY * cols, "f32"),
                xt = shape(rows, depth, "f16"), wt = shape(depth, cols, "f16"),
                pt = shape(rows, cols, "f32");
    return llvm::formatv(R"(
func.func @f(%X: tensor<{0}>, %W: tensor<{1}>, %V: tensor<{2}>) -> tensor<{2}> {{
  %z = mirage_kernel.graph_defined (%X, %W, %V) grid <x = {3}, y = {4}> : (tensor<{0}>, tensor<{1}>, tensor<{2}>) -> tensor<{2}> {{
  ^bb0(%X0: tensor<{0}>, %W0: tensor<{1}>, %V0: tensor<{2}>):
    %v = mirage_block.input_iterator %V0 imap <x -> 0, y -> 1> : tensor<{2}> -> !mirage.tile<{8}>
    %e = mirage_block.exp %v : (!mirage.tile<{8}>) -> !mirage.tile<{8}>
    %p = mirage_block.loop iterations {5} -> !mirage.tile<{8}> {{
      %x = mirage_block.input_iterator %X0 imap <x -> 0, y -> replica> fmap <i -> 1> : tensor<{0}> -> !mirage.tile<{6}>
      %w = mirage_block.input_iterator %W0 imap <x -> replica, y -> 1> fmap <i -> 0> : tensor<{1}> -> !mirage.tile<{7}>
      %t = mirage_block.matmul %x, %w : (!mirage.tile<{6}>, !mirage.tile<{7}>) -> !mirage.tile<{8}>
      mirage_block.accumulate sum %t : !mirage.tile<{8}>
    }
    %r = mirage_block.add %p, %e : (!mirage.tile<{8}>, !mirage.tile<{8}>) -> !mirage.tile<{8}>
    mirage_block.output_saver %r omap <x -> 0, y -> 1> : !mirage.tile<{8}> -> tensor<{2}>
  }
  return %z : tensor<{2}>
})",
                         x, w, z, gridX, gridY, iterations, xt, wt, pt)
        .str();
  }
};

TEST_F(ClusterTest, SharedTiles) {
  int64_t numMulticast = 0;
  for (int trial = 0; trial < 24; ++trial) {
    std::string text = write();
    SCOPED_TRACE(text);
    auto module = parse(text);
    ASSERT_TRUE(module);
    GraphOptions options;
    options.threads = pick({64, 128});
    // Without depths the loop comes second, and its tiles may take places that
    // were in use; with them it comes first.
    options.scheduleOperators = trial % 2;
    options.planMemory = trial % 3;
    expectCorrect(*module, makeInputs(*module, -1, 1), options, 1e-4);
    if (HasFatalFailure())
      return;
    numMulticast += usedMulticast;
  }
  // Most blocks share something.
  EXPECT_GE(numMulticast, 16);
}

/// A shared vector, and tiles that only one block wants.
TEST_F(ClusterTest, SharedVector) {
  auto module = parse(R"(
func.func @f(%X: tensor<32x512xf16>, %G: tensor<512xf16>) -> tensor<32x1xf32> {
  %z = mirage_kernel.graph_defined (%X, %G) grid <x = 4> : (tensor<32x512xf16>, tensor<512xf16>) -> tensor<32x1xf32> {
  ^bb0(%X0: tensor<32x512xf16>, %G0: tensor<512xf16>):
    %a = mirage_block.loop iterations 2 -> !mirage.tile<8x1xf32> {
      %x = mirage_block.input_iterator %X0 imap <x -> 0> fmap <i -> 1> : tensor<32x512xf16> -> !mirage.tile<8x256xf16>
      %g = mirage_block.input_iterator %G0 imap <x -> replica> fmap <i -> 0> : tensor<512xf16> -> !mirage.tile<256xf16>
      %t = mirage_block.mul %x, %g : (!mirage.tile<8x256xf16>, !mirage.tile<256xf16>) -> !mirage.tile<8x256xf32>
      %s = mirage_block.sum %t dim 1 : (!mirage.tile<8x256xf32>) -> !mirage.tile<8x1xf32>
      mirage_block.accumulate sum %s : !mirage.tile<8x1xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<8x1xf32> -> tensor<32x1xf32>
  }
  return %z : tensor<32x1xf32>
})");
  ASSERT_TRUE(module);
  std::vector<Array> inputs = makeInputs(*module, -1, 1);
  // Far too little to be worth it, so that it has to be asked for.
  expectCorrect(*module, inputs, {}, 1e-4);
  EXPECT_FALSE(usedMulticast);
  for (int64_t size : {2, 4}) {
    GraphOptions options;
    options.afterRoles = [&](ModuleOp lowered) {
      lowered.walk([&](BlockGraphOpInterface kernel) {
        kernel->setAttr(kClusterAttr, DenseI64ArrayAttr::get(&context, {size}));
      });
    };
    expectCorrect(*module, inputs, options, 1e-4);
    EXPECT_TRUE(usedMulticast);
  }
}

} // namespace
