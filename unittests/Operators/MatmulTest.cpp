//===- MatmulTest.cpp - Products on tensor cores, of all shapes -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphTest.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Layout/TileLayout.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace mirage;
using namespace mlir;

namespace {

struct MatmulCase {
  int64_t batches, rows, cols, depth, iterations;
  std::string type;
  /// Which operand is the same in all batches: 0 or 1, or none.
  int repeated = -1;
};

class MatmulTest : public GraphTest {
protected:
  /// Shapes that fill tiles of 16 x 8, that don't, and that are smaller.
  MatmulCase makeCase() {
    MatmulCase result;
    result.batches = pick({1, 1, 3});
    result.rows = pick({1, 3, 8, 16, 17, 24, 64});
    result.cols = pick({1, 4, 8, 20, 40, 64, 96});
    result.depth = pick({5, 8, 16, 20, 24, 48, 64, 77});
    result.iterations = pick({1, 3, 5});
    result.type = pick({0, 1}) ? "f16" : "bf16";
    return result;
  }

  /// A kernel that multiplies in a loop. `lhs` and `rhs` make %a and %b of the
  /// tiles %x and %y, `sum` says how %p is collected.
  std::string write(const MatmulCase &of, bool isTransposed, StringRef lhs,
                    StringRef collect) {
    auto shape = [&](int64_t rows, int64_t cols, StringRef type,
                     int operand = -1) {
      bool isRepeated = operand >= 0 && operand == of.repeated;
      return llvm::formatv("{0}x{1}x{2}x{3}", isRepeated ? 1 : of.batches, rows,
                           cols, type)
          .str();
    };
    int64_t depth = of.depth * of.iterations;
    std::string x = "tensor<" + shape(of.rows, depth, of.type, 0) + ">",
                y = "tensor<" +
                    (isTransposed ? shape(of.cols, depth, of.type, 1)
                                  : shape(depth, of.cols, of.type, 1)) +
                    ">",
                z = "tensor<" + shape(of.rows, of.cols, "f32") + ">",
                xt = "!mirage.tile<" + shape(of.rows, of.depth, of.type, 0) +
                     ">",
                yt = "!mirage.tile<" +
                     (isTransposed ? shape(of.cols, of.depth, of.type, 1)
                                   : shape(of.depth, of.cols, of.type, 1)) +
                     ">",
                at = "!mirage.tile<" + shape(of.rows, of.depth, "f32", 0) + ">",
                bt = "!mirage.tile<" + shape(of.depth, of.cols, of.type, 1) +
                     ">",
                pt = "!mirage.tile<" + shape(of.rows, of.cols, "f32") + ">",
                mt = "!mirage.tile<" + shape(of.rows, 1, "f32") + ">";
    bool isComputed = !lhs.empty();
    std::string text =
        llvm::formatv(R"(
func.func @f(%X: {0}, %Y: {1}) -> {2} {{
  %z = mirage_kernel.graph_defined (%X, %Y) grid <x = 1> : ({0}, {1}) -> {2} {{
  ^bb0(%X0: {0}, %Y0: {1}):
    %r = mirage_block.loop iterations {3} -> {4} {{
      %x = mirage_block.input_iterator %X0 imap <x -> replica> fmap <i -> 2> : {0} -> {5}
      %y = mirage_block.input_iterator %Y0 imap <x -> replica> fmap <i -> {6}> : {1} -> {7}
)",
                      x, y, z, of.iterations, pt, xt, isTransposed ? 2 : 1, yt)
            .str();
    if (isTransposed)
      text += "      %b = mirage_block.transpose %y permutation [0, 2, 1] : (" +
              yt + ") -> " + bt + "\n";
    if (isComputed)
      text += ("      %a = mirage_block." + lhs + " %x : (" + xt + ") -> " +
               at + "\n")
                  .str();
    text += llvm::formatv("      %p = mirage_block.matmul {0}, {1} : ({2}, "
                          "{3}) -> {4}\n",
                          isComputed ? "%a" : "%x", isTransposed ? "%b" : "%y",
                          isComputed ? at : xt, bt, pt)
                .str();
    if (collect == "rescaled_sum") {
      text += "      %m = mirage_block.reduce_max %x dim 2 : (" + xt + ") -> " +
              mt +
              "\n      mirage_block.accumulate rescaled_sum %p by %m : " + pt +
              " by " + mt + "\n";
    } else if (collect == "max") {
      text += "      mirage_block.accumulate max %p : " + pt + "\n";
    } else {
      text += "      mirage_block.accumulate sum %p : " + pt + "\n";
    }
    text += llvm::formatv(R"(    }
    mirage_block.output_saver %r omap <x -> 0> : {0} -> {1}
  }
  return %z : {1}
})",
                          pt, z)
                .str();
    return text;
  }

  /// Gives every tile one of the layouts that it can have.
  void setLayouts(ModuleOp module) {
    Builder builder(&context);
    module.walk([&](Operation *op) {
      if (op->getNumResults() == 0 ||
          !llvm::all_of(op->getResultTypes(), llvm::IsaPred<TileType>))
        return;
      SmallVector<Attribute> names;
      for (Type type : op->getResultTypes()) {
        auto tile = cast<TileType>(type);
        SmallVector<TileLayout> layouts = getCandidateLayouts(
            tile.getShape(), tile.getElementTypeBitWidth() / 8);
        size_t chosen = std::uniform_int_distribution<size_t>(
            0, layouts.size() - 1)(generator);
        names.push_back(builder.getStringAttr(layouts[chosen].getName()));
        ++numLayouts[layouts[chosen].getName()];
      }
      op->setAttr(kLayoutsAttr, builder.getArrayAttr(names));
    });
  }

  void expectAllCorrect(StringRef lhs, StringRef collect, double tolerance,
                        bool withLayouts = false) {
    for (int trial = 0; trial < 12; ++trial) {
      MatmulCase of = makeCase();
      of.repeated = trial % 3 - 1;
      // Sums are rescaled by the maxima of the left one.
      if (collect == "rescaled_sum" && of.repeated == 0)
        of.repeated = 1;
      std::string text = write(of, /*isTransposed=*/trial % 2, lhs, collect);
      SCOPED_TRACE(text);
      auto module = parse(text);
      ASSERT_TRUE(module);
      GraphOptions options;
      options.threads = pick({32, 64, 128, 256});
      options.planMemory = trial % 3 != 0;
      options.specializeWarps = !withLayouts && trial % 4 < 2;
      options.assignLayouts = !withLayouts;
      if (withLayouts)
        options.beforePlans = [&](ModuleOp module) { setLayouts(module); };
      expectCorrect(*module, makeInputs(*module, -1, 1), options, tolerance);
      if (HasFatalFailure())
        return;
    }
  }
  /// How often layouts were given to tiles, by name.
  std::map<std::string, int> numLayouts;
};

// Products of f16 are exact in f32.
TEST_F(MatmulTest, SummedInRegisters) { expectAllCorrect("", "sum", 1e-5); }

TEST_F(MatmulTest, RescaledInRegisters) {
  expectAllCorrect("", "rescaled_sum", 1e-4);
}

TEST_F(MatmulTest, NotSummed) { expectAllCorrect("", "max", 1e-5); }

TEST_F(MatmulTest, InWarpgroups) {
  for (int trial = 0; trial < 12; ++trial) {
    MatmulCase of;
    of.batches = pick({1, 2});
    of.rows = pick({8, 16, 64, 128});
    of.cols = of.rows < 64 ? pick({64, 128}) : pick({16, 32, 64});
    of.depth = pick({16, 32, 64});
    of.iterations = pick({2, 5});
    of.type = pick({0, 1}) ? "f16" : "bf16";
    of.repeated = trial / 4 - 1;
    std::string text = write(of, /*isTransposed=*/trial % 2, /*lhs=*/"",
                             trial % 3 == 2 ? "max" : "sum");
    SCOPED_TRACE(text);
    auto module = parse(text);
    ASSERT_TRUE(module);
    GraphOptions options;
    options.threads = pick({128, 256});
    expectCorrect(*module, makeInputs(*module, -1, 1), options, 1e-5);
    EXPECT_TRUE(usedWarpgroups);
    if (HasFatalFailure())
      return;
  }
}

TEST_F(MatmulTest, RepeatedOverDifferentBatches) {
  for (int64_t threads : {32, 128}) {
    auto module = parse(R"(
func.func @f(%X: tensor<2x1x64x64xf16>, %Y: tensor<1x3x64x16xf16>) -> tensor<2x3x64x16xf32> {
  %z = mirage_kernel.graph_defined (%X, %Y) grid <x = 1> : (tensor<2x1x64x64xf16>, tensor<1x3x64x16xf16>) -> tensor<2x3x64x16xf32> {
  ^bb0(%X0: tensor<2x1x64x64xf16>, %Y0: tensor<1x3x64x16xf16>):
    %r = mirage_block.loop iterations 2 -> !mirage.tile<2x3x64x16xf32> {
      %x = mirage_block.input_iterator %X0 imap <x -> replica> fmap <i -> 3> : tensor<2x1x64x64xf16> -> !mirage.tile<2x1x64x32xf16>
      %y = mirage_block.input_iterator %Y0 imap <x -> replica> fmap <i -> 2> : tensor<1x3x64x16xf16> -> !mirage.tile<1x3x32x16xf16>
      %p = mirage_block.matmul %x, %y : (!mirage.tile<2x1x64x32xf16>, !mirage.tile<1x3x32x16xf16>) -> !mirage.tile<2x3x64x16xf32>
      mirage_block.accumulate sum %p : !mirage.tile<2x3x64x16xf32>
    }
    mirage_block.output_saver %r omap <x -> 0> : !mirage.tile<2x3x64x16xf32> -> tensor<2x3x64x16xf32>
  }
  return %z : tensor<2x3x64x16xf32>
})");
    ASSERT_TRUE(module);
    GraphOptions options;
    options.threads = threads;
    expectCorrect(*module, makeInputs(*module, -1, 1), options, 1e-5);
    EXPECT_EQ(usedWarpgroups, threads == 128);
  }
}

// Of an operand that is moved, descriptors can only say that it is transposed.
TEST_F(MatmulTest, OfMovedTiles) {
  struct Moved {
    const char *movement, *tensor, *moved, *other, *result;
    bool inWarpgroups;
  };
  const Moved kCases[] = {
      {"repeat %xt dim 0 times 8", "8x64", "64x64", "64x64", "64x64", false},
      {"broadcast %xt", "1x64", "64x64", "64x64", "64x64", false},
      {"concat %xt, %xt dim 0", "32x64", "64x64", "64x64", "64x64", false},
      {"slice %xt dim 0 offset 64 size 64", "192x64", "64x64", "64x64", "64x64",
       false},
      {"reshape %xt", "8x1024", "8x16x64", "8x64x64", "8x16x64", false},
      {"broadcast %xt", "64x64", "2x64x64", "2x64x64", "2x64x64", true},
      {"transpose %xt permutation [1, 0]", "32x64", "64x32", "32x64", "64x64",
       true},
  };
  for (const Moved &of : kCases) {
    StringRef movement = of.movement;
    std::string text =
        llvm::formatv(R"(
    func.func @f(%x: tensor<{1}xf16>, %w: tensor<{3}xf16>) -> tensor<{4}xf32> {{
      %z = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<{1}xf16>, tensor<{3}xf16>) -> tensor<{4}xf32> {{
      ^bb0(%X: tensor<{1}xf16>, %W: tensor<{3}xf16>):
        %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<{1}xf16> -> !mirage.tile<{1}xf16>
        %wt = mirage_block.input_iterator %W imap <x -> replica> : tensor<{3}xf16> -> !mirage.tile<{3}xf16>
        %m = mirage_block.{0} : (!mirage.tile<{1}xf16>{5}) -> !mirage.tile<{2}xf16>
        %p = mirage_block.matmul %m, %wt : (!mirage.tile<{2}xf16>, !mirage.tile<{3}xf16>) -> !mirage.tile<{4}xf32>
        mirage_block.output_saver %p omap <x -> 0> : !mirage.tile<{4}xf32> -> tensor<{4}xf32>
      }
      return %z : tensor<{4}xf32>
    })",
                      of.movement, of.tensor, of.moved, of.other, of.result,
                      movement.starts_with("concat")
                          ? ", !mirage.tile<" + std::string(of.tensor) + "xf16>"
                          : "")
            .str();
    SCOPED_TRACE(text);
    auto module = parse(text);
    ASSERT_TRUE(module);
    GraphOptions options;
    options.threads = 128;
    expectCorrect(*module, makeInputs(*module, -1, 1), options, 1e-5);
    EXPECT_EQ(usedWarpgroups, of.inWarpgroups);
    if (HasFatalFailure())
      return;
  }
}

// The second product's left operand is the first one's result, which threads
// store; its sums are rescaled.
TEST_F(MatmulTest, WarpgroupsReadWhatThreadsStored) {
  auto module = parse(R"(
    func.func @f(%q: tensor<64x64xf16>, %k: tensor<64x256xf16>, %v: tensor<256x64xf16>) -> tensor<64x64xf32> {
      %o = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<64x64xf16>, tensor<64x256xf16>, tensor<256x64xf16>) -> tensor<64x64xf32> {
      ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x256xf16>, %V: tensor<256x64xf16>):
        %a = mirage_block.loop iterations 4 -> !mirage.tile<64x64xf32> {
          %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
          %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x256xf16> -> !mirage.tile<64x64xf16>
          %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<64x64xf16>
          %s = mirage_block.matmul %qt, %kt : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf16>
          %m = mirage_block.reduce_max %s dim 1 : (!mirage.tile<64x64xf16>) -> !mirage.tile<64x1xf32>
          %p = mirage_block.matmul %s, %vt : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
          mirage_block.accumulate rescaled_sum %p by %m : !mirage.tile<64x64xf32> by !mirage.tile<64x1xf32>
        }
        mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
      }
      return %o : tensor<64x64xf32>
    })");
  ASSERT_TRUE(module);
  GraphOptions options;
  options.threads = 128;
  // Sums of 256 products, of which one factor, up to 10, is rounded to f16.
  expectCorrect(*module, makeInputs(*module, -1, 1), options, 0.1);
  EXPECT_TRUE(usedWarpgroups);
}

// What is computed is rounded to tf32, of which the last place is 2^-11.
TEST_F(MatmulTest, OfComputedTiles) { expectAllCorrect("exp", "sum", 2e-2); }

TEST_F(MatmulTest, OfChainsThatReadersCompute) {
  expectAllCorrect("sqr", "sum", 2e-2);
}

TEST_F(MatmulTest, AllLayouts) {
  std::pair<StringRef, StringRef> kinds[] = {
      {"", "sum"}, {"sqr", "sum"}, {"", "rescaled_sum"}, {"exp", "max"}};
  for (auto [lhs, collect] : kinds) {
    expectAllCorrect(lhs, collect, lhs.empty() ? 1e-4 : 2e-2,
                     /*withLayouts=*/true);
    if (HasFatalFailure())
      return;
  }
  for (StringRef name :
       {"row_major", "swizzle_32", "swizzle_64", "swizzle_128", "rows_32",
        "rows_64", "rows_128", "pairs_32", "pairs_64", "pairs_128",
        "pair_rows_64", "pair_rows_128"})
    EXPECT_GT(numLayouts[name.str()], 0) << name.str();
}

} // namespace
