//===- AccumulatorsTest.cpp - Loops' accumulators on the host -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphTest.h"

using namespace mirage;
using namespace mlir;

namespace {

class AccumulatorsTest : public GraphTest {
protected:
  /// With fewer threads than elements of a tile, as many, and more.
  void expectAllCorrect(StringRef text, double low = -2, double high = 2,
                        function_ref<void(std::vector<Array> &)> change = {}) {
    auto module = parse(text);
    ASSERT_TRUE(module);
    std::vector<Array> inputs = makeInputs(*module, low, high);
    if (change)
      change(inputs);
    for (int64_t threads : {32, 64, 256})
      for (bool threadGraphs : {false, true}) {
        SCOPED_TRACE(threads);
        GraphOptions options;
        options.threads = threads;
        options.threadGraphs = threadGraphs;
        expectCorrect(*module, inputs, options);
      }
  }
};

TEST_F(AccumulatorsTest, SumMaxAndConcat) {
  expectAllCorrect(R"(
func.func @f(%x: tensor<16x32xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x32xf32>, tensor<32x8xf32>, tensor<16x32xf32>) {
  %0:5 = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<16x32xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x32xf32>, tensor<32x8xf32>, tensor<16x32xf32>) {
  ^bb0(%X: tensor<16x32xf32>):
    %a:4 = mirage_block.loop iterations 4 -> !mirage.tile<8x8xf32>, !mirage.tile<8x8xf32>, !mirage.tile<8x32xf32>, !mirage.tile<16x4xf32> {
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<16x32xf32> -> !mirage.tile<8x8xf32>
      %e = mirage_block.exp %t : (!mirage.tile<8x8xf32>) -> !mirage.tile<8x8xf32>
      %half = mirage_block.reshape %e : (!mirage.tile<8x8xf32>) -> !mirage.tile<4x4x4xf32>
      %s = mirage_block.sum %half dim 1 : (!mirage.tile<4x4x4xf32>) -> !mirage.tile<4x1x4xf32>
      %q = mirage_block.reshape %s : (!mirage.tile<4x1x4xf32>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %e, max %t, concat %e dim 1, concat %q dim 0 : !mirage.tile<8x8xf32>, !mirage.tile<8x8xf32>, !mirage.tile<8x8xf32>, !mirage.tile<4x4xf32>
    }
    mirage_block.output_saver %a#0 omap <x -> 0> : !mirage.tile<8x8xf32> -> tensor<16x8xf32>
    mirage_block.output_saver %a#1 omap <x -> 0> : !mirage.tile<8x8xf32> -> tensor<16x8xf32>
    mirage_block.output_saver %a#2 omap <x -> 0> : !mirage.tile<8x32xf32> -> tensor<16x32xf32>
    %r = mirage_block.repeat %a#3 dim 1 times 2 : (!mirage.tile<16x4xf32>) -> !mirage.tile<16x8xf32>
    mirage_block.output_saver %r omap <x -> 0> : !mirage.tile<16x8xf32> -> tensor<32x8xf32>
    %n = mirage_block.neg %a#2 : (!mirage.tile<8x32xf32>) -> !mirage.tile<8x32xf32>
    mirage_block.output_saver %n omap <x -> 0> : !mirage.tile<8x32xf32> -> tensor<16x32xf32>
  }
  return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x32xf32>, tensor<32x8xf32>, tensor<16x32xf32>
})");
}

// All maxima are negative: an accumulator doesn't begin at 0.
TEST_F(AccumulatorsTest, MaximumOfNegativeNumbersInF16) {
  expectAllCorrect(R"(
func.func @f(%x: tensor<24x32xf16>) -> tensor<24x1xf16> {
  %0 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<24x32xf16>) -> tensor<24x1xf16> {
  ^bb0(%X: tensor<24x32xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<24x1xf16> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<24x32xf16> -> !mirage.tile<24x8xf16>
      %m = mirage_block.reduce_max %t dim 1 : (!mirage.tile<24x8xf16>) -> !mirage.tile<24x1xf16>
      mirage_block.accumulate max %m : !mirage.tile<24x1xf16>
    }
    mirage_block.output_saver %a omap <x -> replica> : !mirage.tile<24x1xf16> -> tensor<24x1xf16>
  }
  return %0 : tensor<24x1xf16>
})",
                   -3, -1);
}

/// Attention: softmax(q k) v, with the maximum of the logits so far.
const char *const kAttention = R"(
func.func @f(%q: tensor<2x8x16xf32>, %k: tensor<2x16x64xf32>, %v: tensor<2x64x8xf32>) -> tensor<2x8x8xf32> {
  %0 = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 2> : (tensor<2x8x16xf32>, tensor<2x16x64xf32>, tensor<2x64x8xf32>) -> tensor<2x8x8xf32> {
  ^bb0(%Q: tensor<2x8x16xf32>, %K: tensor<2x16x64xf32>, %V: tensor<2x64x8xf32>):
    %a:2 = mirage_block.loop iterations ITERATIONS -> !mirage.tile<1x8x8xf32>, !mirage.tile<1x8x1xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> 0> fmap <i -> replica> : tensor<2x8x16xf32> -> !mirage.tile<1x8x16xf32>
      %kt = mirage_block.input_iterator %K imap <x -> 0> fmap <i -> 2> : tensor<2x16x64xf32> -> !mirage.tile<1x16xTILExf32>
      %vt = mirage_block.input_iterator %V imap <x -> 0> fmap <i -> 1> : tensor<2x64x8xf32> -> !mirage.tile<1xTILEx8xf32>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<1x8x16xf32>, !mirage.tile<1x16xTILExf32>) -> !mirage.tile<1x8xTILExf32>
      %m = mirage_block.reduce_max %s dim 2 : (!mirage.tile<1x8xTILExf32>) -> !mirage.tile<1x8x1xf32>
      %d = mirage_block.sub %s, %m : (!mirage.tile<1x8xTILExf32>, !mirage.tile<1x8x1xf32>) -> !mirage.tile<1x8xTILExf32>
      %p = mirage_block.exp %d : (!mirage.tile<1x8xTILExf32>) -> !mirage.tile<1x8xTILExf32>
      %o = mirage_block.matmul %p, %vt : (!mirage.tile<1x8xTILExf32>, !mirage.tile<1xTILEx8xf32>) -> !mirage.tile<1x8x8xf32>
      %l = mirage_block.sum %p dim 2 : (!mirage.tile<1x8xTILExf32>) -> !mirage.tile<1x8x1xf32>
      mirage_block.accumulate rescaled_sum %o by %m, rescaled_sum %l by %m : !mirage.tile<1x8x8xf32> by !mirage.tile<1x8x1xf32>, !mirage.tile<1x8x1xf32> by !mirage.tile<1x8x1xf32>
    }
    %r = mirage_block.div %a#0, %a#1 : (!mirage.tile<1x8x8xf32>, !mirage.tile<1x8x1xf32>) -> !mirage.tile<1x8x8xf32>
    mirage_block.output_saver %r omap <x -> 0> : !mirage.tile<1x8x8xf32> -> tensor<2x8x8xf32>
  }
  return %0 : tensor<2x8x8xf32>
})";

std::string getAttention(int iterations) {
  std::string text = kAttention;
  auto replace = [&](const std::string &what, int with) {
    for (size_t at; (at = text.find(what)) != std::string::npos;)
      text.replace(at, what.size(), std::to_string(with));
  };
  replace("ITERATIONS", iterations);
  replace("TILE", 64 / iterations);
  return text;
}

TEST_F(AccumulatorsTest, RescaledSumIsSafeSoftmax) {
  for (int iterations : {1, 4, 64}) {
    SCOPED_TRACE(iterations);
    expectAllCorrect(getAttention(iterations));
  }
}

// exp of these logits overflows without the maximum; integers, so that f32 has
// no error in them.
TEST_F(AccumulatorsTest, RescaledSumOfLargeLogits) {
  expectAllCorrect(getAttention(8), -20, 20, [](std::vector<Array> &inputs) {
    for (int input : {0, 1})
      for (int64_t i = 0; i < inputs[input].getNumElements(); ++i)
        inputs[input].set(i, std::round(inputs[input].get(i)));
  });
}

/// Parts of a sum, which threads load for several iterations at a time: fewer
/// iterations than that, as many, several times as many, and some that are left
/// over. In f16 the vectors are narrower than in f32.
TEST_F(AccumulatorsTest, PartsOfASum) {
  for (const char *type : {"f16", "f32"})
    for (int parts : {1, 17, 48}) {
      SCOPED_TRACE(parts);
      std::string text = R"(
func.func @f(%x: tensor<ROWSx8xTYPE>, %m: tensor<ROWSx1xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %0:3 = mirage_kernel.graph_defined (%x, %m) grid <x = 2> : (tensor<ROWSx8xTYPE>, tensor<ROWSx1xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  ^bb0(%X: tensor<ROWSx8xTYPE>, %M: tensor<ROWSx1xf32>):
    %a:3 = mirage_block.loop iterations PARTS -> !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32> {
      %t = mirage_block.input_iterator %X imap <x -> 1> fmap <i -> 0> : tensor<ROWSx8xTYPE> -> !mirage.tile<4x4xTYPE>
      %u = mirage_block.input_iterator %M imap <x -> replica> fmap <i -> 0> : tensor<ROWSx1xf32> -> !mirage.tile<4x1xf32>
      mirage_block.accumulate sum %t, max %t, rescaled_sum %t by %u : !mirage.tile<4x4xTYPE>, !mirage.tile<4x4xTYPE>, !mirage.tile<4x4xTYPE> by !mirage.tile<4x1xf32>
    }
    mirage_block.output_saver %a#0 omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf32>
    mirage_block.output_saver %a#1 omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf32>
    mirage_block.output_saver %a#2 omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf32>
  }
  return %0#0, %0#1, %0#2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
})";
      auto replace = [&](llvm::StringRef what, const std::string &with) {
        for (size_t at; (at = text.find(what)) != std::string::npos;)
          text.replace(at, what.size(), with);
      };
      replace("ROWS", std::to_string(4 * parts));
      replace("PARTS", std::to_string(parts));
      replace("TYPE", type);
      expectAllCorrect(text, -40, 40);
    }
}

// What is summed and the maximum come straight from device memory, in rows of
// 16 bytes; a tile is also summed as it is; there are two maxima, one of fewer
// dimensions. Nothing but infinities has been seen after one iteration.
TEST_F(AccumulatorsTest, RescaledSumsOfInputs) {
  expectAllCorrect(
      R"(
func.func @f(%x: tensor<32x8xf32>, %m: tensor<32x8xf32>, %n: tensor<32xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0:4 = mirage_kernel.graph_defined (%x, %m, %n) grid <x = 1> : (tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  ^bb0(%X: tensor<32x8xf32>, %M: tensor<32x8xf32>, %N: tensor<32xf32>):
    %a:4 = mirage_block.loop iterations 4 -> !mirage.tile<8x8xf32>, !mirage.tile<8x8xf32>, !mirage.tile<8x8xf32>, !mirage.tile<8x8xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<32x8xf32> -> !mirage.tile<8x8xf32>
      %mt = mirage_block.input_iterator %M imap <x -> replica> fmap <i -> 0> : tensor<32x8xf32> -> !mirage.tile<8x8xf32>
      %nt = mirage_block.input_iterator %N imap <x -> replica> fmap <i -> 0> : tensor<32xf32> -> !mirage.tile<8xf32>
      mirage_block.accumulate rescaled_sum %xt by %mt, sum %xt, rescaled_sum %xt by %nt, max %mt
          : !mirage.tile<8x8xf32> by !mirage.tile<8x8xf32>, !mirage.tile<8x8xf32>, !mirage.tile<8x8xf32> by !mirage.tile<8xf32>, !mirage.tile<8x8xf32>
    }
    mirage_block.output_saver %a#0 omap <x -> replica> : !mirage.tile<8x8xf32> -> tensor<8x8xf32>
    mirage_block.output_saver %a#1 omap <x -> replica> : !mirage.tile<8x8xf32> -> tensor<8x8xf32>
    mirage_block.output_saver %a#2 omap <x -> replica> : !mirage.tile<8x8xf32> -> tensor<8x8xf32>
    mirage_block.output_saver %a#3 omap <x -> replica> : !mirage.tile<8x8xf32> -> tensor<8x8xf32>
  }
  return %0#0, %0#1, %0#2, %0#3 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
})",
      -2, 2, [](std::vector<Array> &inputs) {
        for (int64_t i = 0; i < 64; ++i)
          inputs[1].set(i, -std::numeric_limits<double>::infinity());
        for (int64_t i = 0; i < 8; ++i)
          inputs[2].set(i, -std::numeric_limits<double>::infinity());
      });
}

} // namespace
