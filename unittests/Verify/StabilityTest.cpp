//===- StabilityTest.cpp - What rounding costs is noticed -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Verify/Stability.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Verify/Equivalence.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;
using namespace mlir;

namespace {

/// Attention, with the keys transposed: the program, and two μGraphs of one
/// kernel that run over the keys in four parts.
constexpr llvm::StringLiteral kAttention = R"(
func.func @with_maximum(%q: tensor<16x32xf16>, %k: tensor<32x64xf16>, %v: tensor<64x16xf16>) -> tensor<16x16xf16> {
  %s = mirage_kernel.matmul %q, %k : (tensor<16x32xf16>, tensor<32x64xf16>) -> tensor<16x64xf32>
  %m = mirage_kernel.reduce_max %s dim 1 : (tensor<16x64xf32>) -> tensor<16x1xf32>
  %d = mirage_kernel.sub %s, %m : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
  %e = mirage_kernel.exp %d : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %l = mirage_kernel.sum %e dim 1 : (tensor<16x64xf32>) -> tensor<16x1xf32>
  %p = mirage_kernel.div %e, %l : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
  %o = mirage_kernel.matmul %p, %v : (tensor<16x64xf32>, tensor<64x16xf16>) -> tensor<16x16xf16>
  return %o : tensor<16x16xf16>
}

func.func @without_maximum(%q: tensor<16x32xf16>, %k: tensor<32x64xf16>, %v: tensor<64x16xf16>) -> tensor<16x16xf16> {
  %s = mirage_kernel.matmul %q, %k : (tensor<16x32xf16>, tensor<32x64xf16>) -> tensor<16x64xf32>
  %e = mirage_kernel.exp %s : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %l = mirage_kernel.sum %e dim 1 : (tensor<16x64xf32>) -> tensor<16x1xf32>
  %p = mirage_kernel.div %e, %l : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
  %o = mirage_kernel.matmul %p, %v : (tensor<16x64xf32>, tensor<64x16xf16>) -> tensor<16x16xf16>
  return %o : tensor<16x16xf16>
}

func.func @fused_without_maximum(%q: tensor<16x32xf16>, %k: tensor<32x64xf16>, %v: tensor<64x16xf16>) -> tensor<16x16xf16> {
  %o = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 2> : (tensor<16x32xf16>, tensor<32x64xf16>, tensor<64x16xf16>) -> tensor<16x16xf16> {
  ^bb0(%Q: tensor<16x32xf16>, %K: tensor<32x64xf16>, %V: tensor<64x16xf16>):
    %a:2 = mirage_block.loop iterations 4 -> !mirage.tile<8x1xf32>, !mirage.tile<8x16xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> 0> fmap <i -> replica> : tensor<16x32xf16> -> !mirage.tile<8x32xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<32x64xf16> -> !mirage.tile<32x16xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<64x16xf16> -> !mirage.tile<16x16xf16>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<8x32xf16>, !mirage.tile<32x16xf16>) -> !mirage.tile<8x16xf32>
      %e = mirage_block.exp %s : (!mirage.tile<8x16xf32>) -> !mirage.tile<8x16xf32>
      %l = mirage_block.sum %e dim 1 : (!mirage.tile<8x16xf32>) -> !mirage.tile<8x1xf32>
      %p = mirage_block.matmul %e, %vt : (!mirage.tile<8x16xf32>, !mirage.tile<16x16xf16>) -> !mirage.tile<8x16xf32>
      mirage_block.accumulate sum %l, sum %p : !mirage.tile<8x1xf32>, !mirage.tile<8x16xf32>
    }
    %r = mirage_block.div %a#1, %a#0 : (!mirage.tile<8x16xf32>, !mirage.tile<8x1xf32>) -> !mirage.tile<8x16xf32>
    mirage_block.output_saver %r omap <x -> 0> : !mirage.tile<8x16xf32> -> tensor<16x16xf16>
  }
  return %o : tensor<16x16xf16>
}

func.func @running_maximum(%q: tensor<16x32xf16>, %k: tensor<32x64xf16>, %v: tensor<64x16xf16>) -> tensor<16x16xf16> {
  %o = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 2> : (tensor<16x32xf16>, tensor<32x64xf16>, tensor<64x16xf16>) -> tensor<16x16xf16> {
  ^bb0(%Q: tensor<16x32xf16>, %K: tensor<32x64xf16>, %V: tensor<64x16xf16>):
    %a:2 = mirage_block.loop iterations 4 -> !mirage.tile<8x1xf32>, !mirage.tile<8x16xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> 0> fmap <i -> replica> : tensor<16x32xf16> -> !mirage.tile<8x32xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<32x64xf16> -> !mirage.tile<32x16xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<64x16xf16> -> !mirage.tile<16x16xf16>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<8x32xf16>, !mirage.tile<32x16xf16>) -> !mirage.tile<8x16xf32>
      %m = mirage_block.reduce_max %s dim 1 : (!mirage.tile<8x16xf32>) -> !mirage.tile<8x1xf32>
      %d = mirage_block.sub %s, %m : (!mirage.tile<8x16xf32>, !mirage.tile<8x1xf32>) -> !mirage.tile<8x16xf32>
      %e = mirage_block.exp %d : (!mirage.tile<8x16xf32>) -> !mirage.tile<8x16xf32>
      %l = mirage_block.sum %e dim 1 : (!mirage.tile<8x16xf32>) -> !mirage.tile<8x1xf32>
      %p = mirage_block.matmul %e, %vt : (!mirage.tile<8x16xf32>, !mirage.tile<16x16xf16>) -> !mirage.tile<8x16xf32>
      mirage_block.accumulate rescaled_sum %l by %m, rescaled_sum %p by %m : !mirage.tile<8x1xf32> by !mirage.tile<8x1xf32>, !mirage.tile<8x16xf32> by !mirage.tile<8x1xf32>
    }
    %r = mirage_block.div %a#1, %a#0 : (!mirage.tile<8x16xf32>, !mirage.tile<8x1xf32>) -> !mirage.tile<8x16xf32>
    mirage_block.output_saver %r omap <x -> 0> : !mirage.tile<8x16xf32> -> tensor<16x16xf16>
  }
  return %o : tensor<16x16xf16>
}
)";

/// RMSNorm and a projection, with what is between kernels in f16.
constexpr llvm::StringLiteral kNorm = R"(
func.func @divided_first(%x: tensor<8x64xf16>, %w: tensor<64x16xf16>) -> tensor<8x16xf16> {
  %n = mirage.constant 64.0 : tensor<f32>
  %q = mirage_kernel.sqr %x : (tensor<8x64xf16>) -> tensor<8x64xf32>
  %s = mirage_kernel.sum %q dim 1 : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %m = mirage_kernel.div %s, %n : (tensor<8x1xf32>, tensor<f32>) -> tensor<8x1xf32>
  %r = mirage_kernel.sqrt %m : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %y = mirage_kernel.div %x, %r : (tensor<8x64xf16>, tensor<8x1xf32>) -> tensor<8x64xf16>
  %o = mirage_kernel.matmul %y, %w : (tensor<8x64xf16>, tensor<64x16xf16>) -> tensor<8x16xf16>
  return %o : tensor<8x16xf16>
}

func.func @divided_last_in_f16(%x: tensor<8x64xf16>, %w: tensor<64x16xf16>) -> tensor<8x16xf16> {
  %n = mirage.constant 64.0 : tensor<f32>
  %q = mirage_kernel.sqr %x : (tensor<8x64xf16>) -> tensor<8x64xf32>
  %s = mirage_kernel.sum %q dim 1 : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %m = mirage_kernel.div %s, %n : (tensor<8x1xf32>, tensor<f32>) -> tensor<8x1xf32>
  %r = mirage_kernel.sqrt %m : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %y = mirage_kernel.matmul %x, %w : (tensor<8x64xf16>, tensor<64x16xf16>) -> tensor<8x16xf16>
  %o = mirage_kernel.div %y, %r : (tensor<8x16xf16>, tensor<8x1xf32>) -> tensor<8x16xf16>
  return %o : tensor<8x16xf16>
}

func.func @divided_last_in_f32(%x: tensor<8x64xf16>, %w: tensor<64x16xf16>) -> tensor<8x16xf16> {
  %n = mirage.constant 64.0 : tensor<f32>
  %q = mirage_kernel.sqr %x : (tensor<8x64xf16>) -> tensor<8x64xf32>
  %s = mirage_kernel.sum %q dim 1 : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %m = mirage_kernel.div %s, %n : (tensor<8x1xf32>, tensor<f32>) -> tensor<8x1xf32>
  %r = mirage_kernel.sqrt %m : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %y = mirage_kernel.matmul %x, %w : (tensor<8x64xf16>, tensor<64x16xf16>) -> tensor<8x16xf32>
  %o = mirage_kernel.div %y, %r : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf16>
  return %o : tensor<8x16xf16>
}

func.func @squares_in_f16(%x: tensor<8x64xf16>, %w: tensor<64x16xf16>) -> tensor<8x16xf16> {
  %n = mirage.constant 64.0 : tensor<f32>
  %q = mirage_kernel.sqr %x : (tensor<8x64xf16>) -> tensor<8x64xf32>
  %s = mirage_kernel.sum %q dim 1 : (tensor<8x64xf32>) -> tensor<8x1xf16>
  %m = mirage_kernel.div %s, %n : (tensor<8x1xf16>, tensor<f32>) -> tensor<8x1xf32>
  %r = mirage_kernel.sqrt %m : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %y = mirage_kernel.div %x, %r : (tensor<8x64xf16>, tensor<8x1xf32>) -> tensor<8x64xf16>
  %o = mirage_kernel.matmul %y, %w : (tensor<8x64xf16>, tensor<64x16xf16>) -> tensor<8x16xf16>
  return %o : tensor<8x16xf16>
}
)";

class StabilityTest : public testing::Test {
protected:
  StabilityTest() {
    DialectRegistry registry;
    registry.insert<MirageDialect, kernel::KernelDialect, block::BlockDialect,
                    func::FuncDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  KernelGraph getProgram(StringRef text, StringRef name) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    FailureOr<KernelGraph> graph =
        importKernelGraph(module->lookupSymbol<func::FuncOp>(name));
    EXPECT_TRUE(succeeded(graph));
    return *graph;
  }

  StabilityResult check(StringRef text, StringRef reference,
                        StringRef candidate, double factor = 4) {
    StabilityOptions options;
    options.factor = factor;
    KernelGraph graph = getProgram(text, reference),
                other = getProgram(text, candidate);
    // Only equal programs are ever compared.
    EXPECT_NE(EquivalenceChecker(graph, {}).check(other).verdict,
              Verdict::Refuted);
    return StabilityChecker(graph, options).check(other).value();
  }

  MLIRContext context;
};

TEST_F(StabilityTest, AProgramIsAsStableAsItself) {
  StabilityResult result =
      check(kAttention, "with_maximum", "with_maximum", /*factor=*/1);
  EXPECT_TRUE(result.stable);
  EXPECT_EQ(result.classes.size(), 8u);
  for (const StabilityClass &inputs : result.classes) {
    EXPECT_EQ(inputs.candidate.ulps, inputs.reference.ulps);
    EXPECT_EQ(inputs.candidate.overflows, 0) << inputs.inputs.str();
  }
}

TEST_F(StabilityTest, AttentionWithoutMaximumOverflows) {
  for (StringRef name : {"without_maximum", "fused_without_maximum"}) {
    StabilityResult result = check(kAttention, "with_maximum", name);
    EXPECT_FALSE(result.stable);
    const StabilityClass &worst = result.getWorst();
    EXPECT_TRUE(worst.inputs.starts_with("times-")) << worst.inputs.str();
    EXPECT_GT(worst.candidate.overflows, 0);
    EXPECT_TRUE(std::isinf(worst.candidate.getTotal()));
    EXPECT_EQ(worst.reference.overflows, 0);
    EXPECT_LT(worst.reference.ulps, 10);
  }
}

TEST_F(StabilityTest, RunningMaximumIsKept) {
  StabilityResult result = check(kAttention, "with_maximum", "running_maximum");
  EXPECT_TRUE(result.stable) << getStabilityText(result.getWorst());
  for (const StabilityClass &inputs : result.classes)
    EXPECT_EQ(inputs.candidate.overflows, 0);
}

TEST_F(StabilityTest, OverflowsOfTheProgramItselfAreNotBlamed) {
  for (StringRef name :
       {"fused_without_maximum", "with_maximum", "running_maximum"}) {
    StabilityResult result = check(kAttention, "without_maximum", name);
    EXPECT_TRUE(result.stable)
        << name.str() << ": " << getStabilityText(result.getWorst());
    EXPECT_TRUE(llvm::any_of(result.classes, [](const StabilityClass &c) {
      return c.reference.overflows > 0;
    }));
  }
}

TEST_F(StabilityTest, UnnormalizedIntermediatesOverflowF16) {
  StabilityResult result = check(kNorm, "divided_first", "divided_last_in_f16");
  EXPECT_FALSE(result.stable);
  EXPECT_EQ(result.getWorst().inputs, "times-64");
  EXPECT_GT(result.getWorst().candidate.overflows, 0);

  result = check(kNorm, "divided_first", "divided_last_in_f32");
  EXPECT_TRUE(result.stable) << getStabilityText(result.getWorst());
  // The other way round nothing is lost.
  result = check(kNorm, "divided_last_in_f16", "divided_first");
  EXPECT_TRUE(result.stable) << getStabilityText(result.getWorst());
}

TEST_F(StabilityTest, SumsOfSquaresOverflowF16) {
  // Infinite squares give zeros, not infinities.
  StabilityResult result = check(kNorm, "divided_first", "squares_in_f16");
  EXPECT_FALSE(result.stable);
  EXPECT_EQ(result.getWorst().inputs, "times-64");
  EXPECT_GT(result.getWorst().candidate.ulps, 100);
}

TEST_F(StabilityTest, TheFactorDecides) {
  // One rounding to bf16 between operators that keep f32.
  constexpr llvm::StringLiteral text = R"(
    func.func @f(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
      %a = mirage_kernel.mul %x, %y : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      %b = mirage_kernel.sqr %a : (tensor<8x8xf32>) -> tensor<8x8xf32>
      return %b : tensor<8x8xf32>
    }
    func.func @g(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
      %a = mirage_kernel.mul %x, %y : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xbf16>
      %b = mirage_kernel.sqr %a : (tensor<8x8xbf16>) -> tensor<8x8xf32>
      return %b : tensor<8x8xf32>
    })";
  StabilityResult result = check(text, "f", "g");
  EXPECT_FALSE(result.stable);
  EXPECT_EQ(result.getWorst().inputs, "realistic");
  EXPECT_GT(result.getWorst().candidate.ulps, 1000);
  EXPECT_LT(result.getWorst().reference.ulps, 4);
  EXPECT_TRUE(check(text, "f", "g", 1e6).stable);
}

TEST_F(StabilityTest, BlockTilesRoundToTheirType) {
  auto getText = [](StringRef type) {
    return (R"(
    func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
      %o = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf32>) -> tensor<8x8xf32> {
      ^bb0(%X: tensor<8x8xf32>):
        %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf32> -> !mirage.tile<4x8xf32>
        %a = mirage_block.sqr %t : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x8x)" +
            type + R"(>
        %b = mirage_block.sqrt %a : (!mirage.tile<4x8x)" +
            type + R"(>) -> !mirage.tile<4x8xf32>
        mirage_block.output_saver %b omap <x -> 0> : !mirage.tile<4x8xf32> -> tensor<8x8xf32>
      }
      return %o : tensor<8x8xf32>
    })")
        .str();
  };
  KernelGraph precise = getProgram(getText("f32"), "f");
  KernelGraph coarse = getProgram(getText("f16"), "f");
  EXPECT_TRUE(StabilityChecker(precise, {}).check(precise)->stable);
  EXPECT_FALSE(StabilityChecker(precise, {}).check(coarse)->stable);
  EXPECT_TRUE(StabilityChecker(coarse, {}).check(precise)->stable);
}

TEST_F(StabilityTest, ErrorsNextToOverflowsAreThoseOfALargeRow) {
  // On large inputs nearly all elements of a row are out of f16's range. What
  // is left is what terms as large cancelled to.
  constexpr llvm::StringLiteral text = R"(
    func.func @f(%x: tensor<16x256xf16>, %w: tensor<256x8xf16>) -> tensor<16x8xf16> {
      %c = mirage.constant 1.1 : tensor<f32>
      %a = mirage_kernel.mul %x, %c : (tensor<16x256xf16>, tensor<f32>) -> tensor<16x256xf16>
      %b = mirage_kernel.matmul %a, %w : (tensor<16x256xf16>, tensor<256x8xf16>) -> tensor<16x8xf16>
      return %b : tensor<16x8xf16>
    })";
  StabilityResult result = check(text, "f", "f");
  for (const StabilityClass &inputs : result.classes)
    EXPECT_LT(inputs.reference.ulps, 2) << inputs.inputs.str();
}

TEST_F(StabilityTest, WhatHasNoValueIsLeftOut) {
  // The root of a negative number has none; the square of a large one is out of
  // f16's range, whoever computes it.
  constexpr llvm::StringLiteral text = R"(
    func.func @f(%x: tensor<8x8xf16>) -> (tensor<8x8xf16>, tensor<8x8xf16>) {
      %a = mirage_kernel.sqrt %x : (tensor<8x8xf16>) -> tensor<8x8xf16>
      %s = mirage_kernel.sqr %x : (tensor<8x8xf16>) -> tensor<8x8xf32>
      %b = mirage_kernel.sqr %s : (tensor<8x8xf32>) -> tensor<8x8xf16>
      return %a, %b : tensor<8x8xf16>, tensor<8x8xf16>
    })";
  StabilityResult result = check(text, "f", "f");
  EXPECT_TRUE(result.stable);
  for (const StabilityClass &inputs : result.classes) {
    EXPECT_EQ(inputs.candidate.overflows, 0);
    EXPECT_LE(inputs.candidate.ulps, 0.5);
  }
}

/// Sums of exponentials beside cubes, which overflow in the program itself.
constexpr llvm::StringLiteral kTwoOutputs = R"(
func.func @difference_first(%x: tensor<8x16xf16>, %m: tensor<8x1xf16>, %a: tensor<8x16xf16>) -> (tensor<8x16xf16>, tensor<8x1xf32>) {
  %q = mirage_kernel.sqr %a : (tensor<8x16xf16>) -> tensor<8x16xf16>
  %c = mirage_kernel.mul %q, %a : (tensor<8x16xf16>, tensor<8x16xf16>) -> tensor<8x16xf16>
  %d = mirage_kernel.sub %x, %m : (tensor<8x16xf16>, tensor<8x1xf16>) -> tensor<8x16xf32>
  %e = mirage_kernel.exp %d : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<8x16xf32>) -> tensor<8x1xf32>
  return %c, %s : tensor<8x16xf16>, tensor<8x1xf32>
}

func.func @factor_last(%x: tensor<8x16xf16>, %m: tensor<8x1xf16>, %a: tensor<8x16xf16>) -> (tensor<8x16xf16>, tensor<8x1xf32>) {
  %q = mirage_kernel.sqr %a : (tensor<8x16xf16>) -> tensor<8x16xf32>
  %c = mirage_kernel.mul %q, %a : (tensor<8x16xf32>, tensor<8x16xf16>) -> tensor<8x16xf16>
  %n = mirage_kernel.neg %m : (tensor<8x1xf16>) -> tensor<8x1xf32>
  %f = mirage_kernel.exp %n : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %e = mirage_kernel.exp %x : (tensor<8x16xf16>) -> tensor<8x16xf32>
  %t = mirage_kernel.sum %e dim 1 : (tensor<8x16xf32>) -> tensor<8x1xf32>
  %s = mirage_kernel.mul %t, %f : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %c, %s : tensor<8x16xf16>, tensor<8x1xf32>
}
)";

TEST_F(StabilityTest, EachOutputIsComparedByItself) {
  StabilityResult result =
      check(kTwoOutputs, "difference_first", "factor_last");
  EXPECT_FALSE(result.stable);
  EXPECT_EQ(result.getWorst().output, 1);
  result = check(kTwoOutputs, "difference_first", "difference_first");
  EXPECT_TRUE(result.stable) << getStabilityText(result.getWorst());
}

TEST_F(StabilityTest, TheSameSeedGivesTheSameErrors) {
  KernelGraph graph = getProgram(kAttention, "with_maximum");
  auto getErrors = [&](uint64_t seed) {
    StabilityOptions options;
    options.seed = seed;
    std::vector<double> errors;
    StabilityResult result =
        StabilityChecker(graph, options).check(graph).value();
    for (const StabilityClass &inputs : result.classes)
      errors.push_back(inputs.candidate.ulps);
    return errors;
  };
  EXPECT_EQ(getErrors(1), getErrors(1));
  EXPECT_NE(getErrors(1), getErrors(2));
}

TEST_F(StabilityTest, CanBeBounded) {
  KernelGraph graph = getProgram(kAttention, "with_maximum"),
              fused = getProgram(kAttention, "running_maximum");
  StabilityOptions options;
  options.maxWork = 1000;
  EXPECT_FALSE(StabilityChecker(graph, options).isPossible());
  EXPECT_FALSE(StabilityChecker(graph, options).check(graph).has_value());
  // A μGraph may take more than the program.
  for (options.maxWork = 1000; !StabilityChecker(graph, options).isPossible();)
    options.maxWork += 1000;
  EXPECT_FALSE(StabilityChecker(graph, options).check(fused).has_value());
  options.maxWork *= 4;
  EXPECT_TRUE(StabilityChecker(graph, options).check(fused).has_value());
}

TEST_F(StabilityTest, CanBeStopped) {
  KernelGraph graph = getProgram(kAttention, "with_maximum");
  std::atomic<bool> stop{false};
  StabilityOptions options;
  options.stop = &stop;
  StabilityChecker checker(graph, options);
  EXPECT_TRUE(checker.check(graph).has_value());
  stop = true;
  EXPECT_FALSE(checker.check(graph).has_value());
  StabilityChecker other(graph, options);
  EXPECT_FALSE(other.check(graph).has_value());
  stop = false;
  EXPECT_TRUE(other.check(graph).has_value());
}

TEST_F(StabilityTest, CanBePreparedInAnyOrder) {
  KernelGraph graph = getProgram(kAttention, "with_maximum"),
              fused = getProgram(kAttention, "running_maximum");
  StabilityChecker checker(graph, {}), prepared(graph, {});
  for (size_t s = prepared.getNumSamples(); s-- > 1;)
    prepared.prepare(s);
  std::optional<StabilityResult> result = checker.check(fused),
                                 same = prepared.check(fused);
  ASSERT_TRUE(result && same);
  ASSERT_EQ(result->classes.size(), same->classes.size());
  for (auto [x, y] : llvm::zip_equal(result->classes, same->classes)) {
    EXPECT_EQ(x.candidate.ulps, y.candidate.ulps);
    EXPECT_EQ(x.reference.ulps, y.reference.ulps);
  }
}

TEST_F(StabilityTest, OneSeedIsNotEnough) {
  auto isUnstableIn = [](std::vector<double> ulps, double reference,
                         int64_t overflows = 0) {
    StabilityClass error{"equal-rows",
                         std::nullopt,
                         {*llvm::max_element(ulps), overflows},
                         {reference, 1}};
    return isUnstable(error, ulps, /*factor=*/4);
  };
  // Four times as much, and four ulps.
  EXPECT_FALSE(isUnstableIn({44, 44, 44}, 10));
  EXPECT_TRUE(isUnstableIn({45, 1, 45}, 10));
  // One seed may have eight times as much again.
  EXPECT_FALSE(isUnstableIn({45, 1, 1}, 10));
  EXPECT_FALSE(isUnstableIn({1, 324, 44}, 10));
  EXPECT_TRUE(isUnstableIn({1, 1, 325}, 10));
  // Overflows of all seeds are counted.
  EXPECT_FALSE(isUnstableIn({1, 1, 1}, 10, 4));
  EXPECT_TRUE(isUnstableIn({1, 1, 1}, 10, 5));
  // A program that is exact, as after the cancellation of equal elements.
  EXPECT_FALSE(isUnstableIn({4, 4, 4}, 0));
  EXPECT_TRUE(isUnstableIn({5, 0, 0}, 0));
}

TEST_F(StabilityTest, Text) {
  StabilityClass worst{"times-16", std::nullopt, {12.25, 3}, {1.5, 0}};
  EXPECT_EQ(getStabilityText(worst),
            "on inputs 'times-16' its error is infinite (3 elements overflow), "
            "the program's is 1.5 ulps");
  worst = {"small", 1, {12.25, 0}, {1.5, 0}};
  EXPECT_EQ(getStabilityText(worst),
            "on inputs 'small' its error in output 1 is 12.2 ulps, the "
            "program's is 1.5 ulps");
}

} // namespace
