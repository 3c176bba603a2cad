//===- RoundingTest.cpp - Kernels round as RoundedNumbers does ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphTest.h"
#include "Mirage/Numbers/RoundedNumbers.h"

using namespace mirage;
using namespace mlir;

namespace {

class RoundingTest : public GraphTest {
protected:
  /// Runs the first function of a module on the host, and expects each element
  /// that RoundedNumbers computes.
  void expectSameNumbers(StringRef text) {
    OwningOpRef<ModuleOp> module = parse(text);
    func::FuncOp function = getFunction(*module);
    std::vector<Array> arguments = makeInputs(*module, -100, 100);
    std::vector<Tensor> inputs;
    for (const Array &array : arguments) {
      Tensor &input = inputs.emplace_back(RoundedNumbers().zeros(
          Shape(array.shape.begin(), array.shape.end())));
      for (int64_t i = 0; i < array.getNumElements(); ++i)
        input.planes[0].as<float>()[i] = static_cast<float>(array.get(i));
    }
    FailureOr<KernelGraph> graph = importKernelGraph(function);
    ASSERT_TRUE(succeeded(graph)) << diagnostics;
    Tensor expected = evaluate(*graph, RoundedNumbers(), inputs)[0];

    OwningOpRef<ModuleOp> lowered = module->clone();
    PassManager pm(&context);
    ConvertMirageToGPUOptions conversion;
    conversion.allowUnverified = true;
    pm.addPass(createConvertMirageToGPU(conversion));
    ASSERT_TRUE(succeeded(pm.run(*lowered))) << diagnostics;
    arguments.push_back(makeArray(function.getResultTypes()[0]));
    ASSERT_EQ(
        llvm::toString(runOnHost(*lowered, function.getName(), arguments)), "")
        << diagnostics;
    const Array &actual = arguments.back();
    for (int64_t i = 0; i < actual.getNumElements(); ++i)
      ASSERT_EQ(actual.get(i), expected.planes[0].as<float>()[i]) << i;
  }
};

TEST_F(RoundingTest, LoopsAddTilesUpInF32) {
  expectSameNumbers(R"(
    func.func @f(%x: tensor<4x96xf16>, %w: tensor<96x8xbf16>) -> tensor<4x8xf16> {
      %o = mirage_kernel.graph_defined (%x, %w) grid <x = 2> : (tensor<4x96xf16>, tensor<96x8xbf16>) -> tensor<4x8xf16> {
      ^bb0(%X: tensor<4x96xf16>, %W: tensor<96x8xbf16>):
        %a:2 = mirage_block.loop iterations 6 -> !mirage.tile<4x4xf32>, !mirage.tile<4x1xf32> {
          %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x96xf16> -> !mirage.tile<4x16xf16>
          %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<96x8xbf16> -> !mirage.tile<16x4xbf16>
          %p = mirage_block.matmul %xt, %wt : (!mirage.tile<4x16xf16>, !mirage.tile<16x4xbf16>) -> !mirage.tile<4x4xf32>
          %q = mirage_block.sqr %xt : (!mirage.tile<4x16xf16>) -> !mirage.tile<4x16xf32>
          %s = mirage_block.sum %q dim 1 : (!mirage.tile<4x16xf32>) -> !mirage.tile<4x1xf32>
          mirage_block.accumulate sum %p, sum %s : !mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>
        }
        %r = mirage_block.sqrt %a#1 : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
        %d = mirage_block.div %a#0, %r : (!mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x4xf32>
        mirage_block.output_saver %d omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
      }
      return %o : tensor<4x8xf16>
    })");
}

TEST_F(RoundingTest, TilesRoundToTheirType) {
  expectSameNumbers(R"(
    func.func @f(%x: tensor<4x64xf32>) -> tensor<4x1xf32> {
      %o = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<4x64xf32>) -> tensor<4x1xf32> {
      ^bb0(%X: tensor<4x64xf32>):
        %a = mirage_block.loop iterations 4 -> !mirage.tile<2x16xbf16> {
          %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<4x64xf32> -> !mirage.tile<2x16xf32>
          %h = mirage_block.sqr %t : (!mirage.tile<2x16xf32>) -> !mirage.tile<2x16xbf16>
          mirage_block.accumulate sum %h : !mirage.tile<2x16xbf16>
        }
        %s = mirage_block.sum %a dim 1 : (!mirage.tile<2x16xbf16>) -> !mirage.tile<2x1xf32>
        mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<2x1xf32> -> tensor<4x1xf32>
      }
      return %o : tensor<4x1xf32>
    })");
}

// What a reduction computes where it reads it is not kept, but rounded all the
// same.
TEST_F(RoundingTest, InlinedTilesRoundToTheirType) {
  expectSameNumbers(R"(
    func.func @f(%x: tensor<4x64xf32>) -> tensor<4x1xf32> {
      %o = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<4x64xf32>) -> tensor<4x1xf32> {
      ^bb0(%X: tensor<4x64xf32>):
        %a = mirage_block.loop iterations 4 -> !mirage.tile<2x1xf32> {
          %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<4x64xf32> -> !mirage.tile<2x16xf32>
          %h = mirage_block.graph_defined (%t) : (!mirage.tile<2x16xf32>) -> (!mirage.tile<2x16xf16>) {
          ^bb0(%v: !mirage.fragment<2x16xf32>):
            %e = mirage_thread.sqr %v : (!mirage.fragment<2x16xf32>) -> !mirage.fragment<2x16xf32>
            mirage_thread.yield %e : !mirage.fragment<2x16xf32>
          }
          %s = mirage_block.reduce_max %h dim 1 : (!mirage.tile<2x16xf16>) -> !mirage.tile<2x1xf32>
          mirage_block.accumulate sum %s : !mirage.tile<2x1xf32>
        }
        mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<2x1xf32> -> tensor<4x1xf32>
      }
      return %o : tensor<4x1xf32>
    })");
}

// What a thread graph hands on as it is becomes another tile, and the one that
// it was read from stays.
TEST_F(RoundingTest, YieldedArgumentsRoundToTheirTilesType) {
  expectSameNumbers(R"(
    func.func @f(%x: tensor<4x64xf32>) -> tensor<4x1xf32> {
      %o = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<4x64xf32>) -> tensor<4x1xf32> {
      ^bb0(%X: tensor<4x64xf32>):
        %a = mirage_block.loop iterations 4 -> !mirage.tile<2x16xf32> {
          %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<4x64xf32> -> !mirage.tile<2x16xf32>
          %e = mirage_block.sqr %t : (!mirage.tile<2x16xf32>) -> !mirage.tile<2x16xf32>
          %r:2 = mirage_block.graph_defined (%t, %e) : (!mirage.tile<2x16xf32>, !mirage.tile<2x16xf32>) -> (!mirage.tile<2x16xf16>, !mirage.tile<2x16xbf16>) {
          ^bb0(%v: !mirage.fragment<2x16xf32>, %w: !mirage.fragment<2x16xf32>):
            mirage_thread.yield %v, %w : !mirage.fragment<2x16xf32>, !mirage.fragment<2x16xf32>
          }
          %d = mirage_block.sub %t, %r#0 : (!mirage.tile<2x16xf32>, !mirage.tile<2x16xf16>) -> !mirage.tile<2x16xf32>
          %g = mirage_block.sub %e, %r#1 : (!mirage.tile<2x16xf32>, !mirage.tile<2x16xbf16>) -> !mirage.tile<2x16xf32>
          %s = mirage_block.max %d, %g : (!mirage.tile<2x16xf32>, !mirage.tile<2x16xf32>) -> !mirage.tile<2x16xf32>
          mirage_block.accumulate max %s : !mirage.tile<2x16xf32>
        }
        %m = mirage_block.reduce_max %a dim 1 : (!mirage.tile<2x16xf32>) -> !mirage.tile<2x1xf32>
        mirage_block.output_saver %m omap <x -> 0> : !mirage.tile<2x1xf32> -> tensor<4x1xf32>
      }
      return %o : tensor<4x1xf32>
    })");
}

// Before it is rounded to the tile's type.
TEST_F(RoundingTest, FragmentsRoundToTheirType) {
  for (const char *type : {"f32", "f16"}) {
    std::string text = R"(
    func.func @f(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
      %o = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<4x16xf32>) -> tensor<4x16xf32> {
      ^bb0(%X: tensor<4x16xf32>):
        %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<4x16xf32> -> !mirage.tile<2x16xf32>
        %h = mirage_block.graph_defined (%t) : (!mirage.tile<2x16xf32>) -> !mirage.tile<2x16xTYPE> {
        ^bb0(%v: !mirage.fragment<2x16xf32>):
          %e = mirage_thread.sqr %v : (!mirage.fragment<2x16xf32>) -> !mirage.fragment<2x16xbf16>
          mirage_thread.yield %e : !mirage.fragment<2x16xbf16>
        }
        mirage_block.output_saver %h omap <x -> 0> : !mirage.tile<2x16xTYPE> -> tensor<4x16xf32>
      }
      return %o : tensor<4x16xf32>
    })";
    for (size_t at; (at = text.find("TYPE")) != std::string::npos;)
      text.replace(at, 4, type);
    expectSameNumbers(text);
  }
}

} // namespace
