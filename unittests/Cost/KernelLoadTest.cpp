//===- KernelLoadTest.cpp - What kernels have to do -----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostFixture.h"
#include "Mirage/Cost/Clusters.h"
#include "Mirage/Mugraph/Conversion.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

using namespace mirage;

namespace {

using KernelLoadTest = CostFixture;

TEST_F(KernelLoadTest, CountsABlockGraph) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(R"(
func.func @f(%x: tensor<16x256xf16>, %w: tensor<256x512xf16>) -> tensor<16x512xf16> {
  %y = mirage_kernel.graph_defined (%x, %w) grid <x = 128> : (tensor<16x256xf16>, tensor<256x512xf16>) -> tensor<16x512xf16> {
  ^bb0(%X: tensor<16x256xf16>, %W: tensor<256x512xf16>):
    %s = mirage_block.loop iterations 4 -> !mirage.tile<16x4xf32> {
      %a = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<16x256xf16> -> !mirage.tile<16x64xf16>
      %b = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<256x512xf16> -> !mirage.tile<64x4xf16>
      %p = mirage_block.matmul %a, %b : (!mirage.tile<16x64xf16>, !mirage.tile<64x4xf16>) -> !mirage.tile<16x4xf32>
      mirage_block.accumulate sum %p : !mirage.tile<16x4xf32>
    }
    %e = mirage_block.exp %s : (!mirage.tile<16x4xf32>) -> !mirage.tile<16x4xf32>
    mirage_block.output_saver %e omap <x -> 1> : !mirage.tile<16x4xf32> -> tensor<16x512xf16>
  }
  return %y : tensor<16x512xf16>
})",
                                              &context);
  ASSERT_TRUE(module);
  auto graph = importKernelGraph(*module->getOps<mlir::func::FuncOp>().begin());
  ASSERT_TRUE(mlir::succeeded(graph));
  TargetNumbers numbers(target);
  KernelLoad load = getKernelLoad(*graph, graph->nodes[0], numbers);
  EXPECT_EQ(load.blocks, 128);
  EXPECT_EQ(load.iterations, 4);
  EXPECT_EQ(load.deviceBytes, 2 * (16 * 256 + 256 * 512 + 16 * 512));
  // The rows of w and y have 8 bytes in a sector of 32.
  EXPECT_EQ(load.requestedBytes, 128 * (16 * 256 * 2 + 256 * 32 + 16 * 32));
  // Rows of x are one line for each iteration, others one each.
  EXPECT_EQ(load.accessCycles, 128 * (16 * 4 + 256 + 16));
  EXPECT_EQ(load.bytesPerIteration, 2 * (16 * 64 + 64 * 4));
  EXPECT_EQ(load.stageBytes, load.bytesPerIteration);
  // Tiles are read once, w's element by element, since a row has 8 bytes;
  // products and sums stay in registers.
  EXPECT_EQ(load.sharedTraffic, 128 * 4 * 2 * (16 * 64 + 3 * 64 * 4));
  EXPECT_EQ(load.work.tensorFlops, 128 * 4 * 2 * 16 * 64 * 8);
  EXPECT_EQ(load.work.specialFunctions, 16 * 512);
  CostEstimate cost = estimateCost(*graph, target);
  EXPECT_EQ(cost.kernels, 1u);
  EXPECT_EQ(cost.requestedBytes, load.requestedBytes);
  EXPECT_EQ(cost.nanoseconds, estimateNanoseconds(load, numbers));
}

/// All blocks load the same tiles of %x, and each its own of %w.
TEST_F(KernelLoadTest, ClustersLoadTogether) {
  auto getRequested = [&](llvm::StringRef chip, int64_t columns,
                          int64_t rows = 64) {
    std::string m = llvm::utostr(rows);
    std::string w = "tensor<256x" + llvm::utostr(columns * 64) + "xf16>",
                y = "tensor<" + m + "x" + llvm::utostr(columns * 64) + "xf16>",
                part = "!mirage.tile<64x" + llvm::utostr(columns) + "xf16>",
                sum =
                    "!mirage.tile<" + m + "x" + llvm::utostr(columns) + "xf32>";
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(
            "func.func @f(%x: tensor<" + m + "x256xf16>, %w: " + w + ") -> " +
                y +
                " {\n%y = mirage_kernel.graph_defined (%x, %w) grid <x = 64> : "
                "(tensor<" +
                m + "x256xf16>, " + w + ") -> " + y + " {\n^bb0(%X: tensor<" +
                m + "x256xf16>, %W: " + w +
                "):\n%s = mirage_block.loop iterations 4 -> " + sum +
                " {\n%a = mirage_block.input_iterator %X imap <x -> replica> "
                "fmap <i -> 1> : tensor<" +
                m + "x256xf16> -> !mirage.tile<" + m +
                "x64xf16>\n%b = mirage_block.input_iterator %W "
                "imap <x -> 1> fmap <i -> 0> : " +
                w + " -> " + part +
                "\n%p = mirage_block.matmul %a, %b : (!mirage.tile<" + m +
                "x64xf16>, " + part + ") -> " + sum +
                "\nmirage_block.accumulate sum %p : " + sum +
                "\n}\nmirage_block.output_saver %s omap <x -> 1> : " + sum +
                " -> " + y + "\n}\nreturn %y : " + y + "\n}",
            &context);
    auto graph =
        importKernelGraph(*module->getOps<mlir::func::FuncOp>().begin());
    return getKernelLoad(*graph, graph->nodes[0],
                         TargetNumbers(TargetAttr::lookup(&context, chip)))
        .requestedBytes;
  };
  auto getBytes = [](int64_t columns, int64_t timesX, int64_t rows = 64) {
    int64_t sectors = llvm::alignTo(columns * 2, 32);
    return 64 * (rows * 256 * 2 / timesX + 256 * sectors + rows * sectors);
  };
  EXPECT_EQ(getRequested("sm_80", 16), getBytes(16, 1));
  EXPECT_EQ(getRequested("sm_90a", 16), getBytes(16, 4));
  // Rows of 8 bytes are not for the tensor memory accelerator.
  EXPECT_EQ(getRequested("sm_90a", 4), getBytes(4, 1));
  // Nor are parts of 9 rows of 128 bytes.
  EXPECT_EQ(getRequested("sm_90a", 8, 32), getBytes(8, 4, 32));
  EXPECT_EQ(getRequested("sm_90a", 8, 9), getBytes(8, 1, 9));
  // Of 64 rows of 48 bytes, 512 of which are requested at a time, 4 are cut, in
  // the middle of a sector every other time. Boxes are requested whole.
  EXPECT_EQ(getRequested("sm_80", 24), getBytes(24, 1) + 64 * (4 + 1) * 2 * 32);
  EXPECT_EQ(getRequested("sm_90a", 24), getBytes(24, 4) + 64 * 2 * 32);
}

TEST_F(KernelLoadTest, LanesThatFoldComputeWhatNobodyElseReads) {
  // Exponentials of tiles of a tensor, and their sums over a dimension.
  auto getExponentials = [&](int64_t rows, int64_t columns, int64_t dim,
                             bool areStored = false, bool isSecond = false) {
    std::string m = llvm::utostr(rows), n = llvm::utostr(columns),
                x = m + "x" + n, y = dim == 0 ? "1x" + n : m + "x1",
                e = "!mirage.tile<" + x + "xf32>",
                s = "!mirage.tile<" + y + "xf32>",
                results = "tensor<" + y + "xf16>",
                saver =
                    "mirage_block.output_saver %s omap <x -> replica> : " + s +
                    " -> " + results + "\n";
    if (areStored) {
      saver += "mirage_block.output_saver %e omap <x -> replica> : " + e +
               " -> tensor<" + x + "xf16>\n";
      results = "(" + results + ", tensor<" + x + "xf16>)";
    }
    // It may stand behind an input that is not read.
    std::string argument = ": tensor<" + x + "xf16>",
                other = isSecond ? "%u" + argument + ", " : "",
                type = isSecond ? "tensor<" + x + "xf16>, " : "";
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        "func.func @f(" + other + "%x" + argument + ") {\n" +
            (areStored ? "%y:2" : "%y") + " = mirage_kernel.graph_defined (" +
            (isSecond ? "%u, " : "") + "%x) grid <x = 1> : (" + type +
            "tensor<" + x + "xf16>) -> " + results + " {\n^bb0(" +
            (isSecond ? "%U" + argument + ", " : "") + "%X: tensor<" + x +
            "xf16>):\n%a = mirage_block.input_iterator %X imap <x -> replica> "
            ": tensor<" +
            x + "xf16> -> !mirage.tile<" + x +
            "xf16>\n%e = mirage_block.exp %a : (!mirage.tile<" + x +
            "xf16>) -> " + e + "\n%s = mirage_block.sum %e dim " +
            llvm::utostr(dim) + " : (" + e + ") -> " + s + "\n" + saver +
            "}\nreturn\n}",
        &context);
    auto graph =
        importKernelGraph(*module->getOps<mlir::func::FuncOp>().begin());
    return getKernelLoad(*graph, graph->nodes[0], TargetNumbers(target))
        .work.specialFunctions;
  };
  EXPECT_EQ(getExponentials(4, 1024, 1), 4 * 1024);
  // 16 lanes read 128 elements together. Two rows have a warp.
  EXPECT_EQ(getExponentials(3, 1000, 1), 4 * 1024);
  EXPECT_EQ(getExponentials(3, 1000, 1, /*areStored=*/true), 3 * 1000);
  EXPECT_EQ(getExponentials(3, 1000, 1, /*areStored=*/false, /*isSecond=*/true),
            4 * 1024);
  // Where a row stays in registers threads have what is there.
  EXPECT_EQ(getExponentials(1, 4088, 1), 4088);
  // All threads share a longer one, of which there are twice as many.
  EXPECT_EQ(getExponentials(1, 24584, 1), 13 * 2048);
  // Two lanes share an element across rows, or four.
  EXPECT_EQ(getExponentials(61, 64, 0), 62 * 64);
  EXPECT_EQ(getExponentials(101, 64, 0), 104 * 64);
}

/// Parts of a tile that begin where no box can are not shared, nor is what the
/// tensor memory accelerator can't load.
TEST_F(KernelLoadTest, WhatBlocksMayShare) {
  EXPECT_TRUE(mayShare({64, 64}, 16, 4));
  // Swizzles repeat after 8 rows.
  EXPECT_FALSE(mayShare({200, 64}, 16, 2));
  EXPECT_TRUE(mayShare({96, 200}, 16, 4));
  // Of 100 rows of 80 bytes.
  EXPECT_FALSE(mayShare({200, 40}, 16, 2));
  EXPECT_TRUE(mayShare({16, 40}, 32, 2));
  // By columns.
  EXPECT_TRUE(mayShare({8, 256}, 16, 4));
  EXPECT_FALSE(mayShare({8, 128}, 16, 4));
  EXPECT_FALSE(mayShare({200}, 16, 2));
  EXPECT_FALSE(mayShare({}, 16, 2));

  EXPECT_TRUE(mayLoadInBulk({16, 40}, 16, 8));
  EXPECT_FALSE(mayLoadInBulk({16, 4}, 16, 8));
  EXPECT_TRUE(mayLoadInBulk({16, 1024}, 16, 8));
  // A box has at most 256 of the elements, and the next begins elsewhere.
  EXPECT_FALSE(mayLoadInBulk({16, 1000}, 16, 8));
  // Nor are there so many panels as 1000 f32 would have.
  EXPECT_TRUE(mayLoadInBulk({16, 488}, 32, 8));
  EXPECT_FALSE(mayLoadInBulk({16, 1000}, 32, 8));
  EXPECT_FALSE(mayLoadInBulk({}, 16, 8));

  // Tiles begin at multiples of 16 bytes: of a quarter of 1000 columns, which
  // a loop cuts into tiles of 64, the last begins at column 186.
  EXPECT_EQ(getRowStart({16, 1000}, {16, 64}, {1}, {4}, 1), 2);
  EXPECT_FALSE(mayLoadInBulk({16, 64}, 16, 2));
  EXPECT_EQ(getRowStart({16, 1000}, {16, 64}, {1}, {5}, 1), 8);
  EXPECT_EQ(getRowStart({16, 1000}, {16, 64}, {0}, {4}, 1), 8);
  EXPECT_EQ(getRowStart({1000, 64}, {64, 64}, {0}, {4}, 0), 64);
  EXPECT_EQ(getRowStart({}, {}, {}, {}), 1);
  // Of 78 tiles of 16 columns the last begins at column 1218, of 103 of 48 at
  // column 4888.
  EXPECT_EQ(getRowStart({8, 1234}, {8, 16}, {1}, {78}), 2);
  EXPECT_EQ(getRowStart({8, 4936}, {8, 48}, {1}, {103}), 8);
  EXPECT_EQ(getRowStart({8, 4099}, {8, 32}, {1}, {129}), 1);
}

/// The parts of a split, combined: 4 rows of 64 elements for each block. Each
/// thread takes the exponentials for its own elements, two of a row together,
/// since 128 threads share 256, and another for the sum of the first 16 parts.
TEST_F(KernelLoadTest, CombinesPartsInRegisters) {
  auto getLoad = [&](const std::string &type, const std::string &first) {
    std::string parts = "tensor<160x64x" + type + ">",
                part = "!mirage.tile<4x64x" + type + ">";
    std::string text = "func.func @f(%p: " + parts +
                       R"(, %m: tensor<160x1xf32>) -> tensor<8x64xf16> {
  %y = mirage_kernel.graph_defined (%p, %m) grid <x = 2> : ()" +
                       parts + R"(, tensor<160x1xf32>) -> tensor<8x64xf16> {
  ^bb0(%P: )" + parts + R"(, %M: tensor<160x1xf32>):
    %s = mirage_block.loop iterations 20 -> !mirage.tile<4x64xf32> {
      %a = mirage_block.input_iterator %P imap <x -> 0> fmap <i -> 0> : )" +
                       parts + " -> " + part + R"(
      %b = mirage_block.input_iterator %M imap <x -> 0> fmap <i -> 0> : tensor<160x1xf32> -> !mirage.tile<4x1xf32>
)" + first + R"(
    }
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<4x64xf32> -> tensor<8x64xf16>
  }
  return %y : tensor<8x64xf16>
})";
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    auto graph =
        importKernelGraph(*module->getOps<mlir::func::FuncOp>().begin());
    return getKernelLoad(*graph, graph->nodes[0], TargetNumbers(target));
  };
  const std::string rescaled =
      "mirage_block.accumulate rescaled_sum %a by %b : ";
  const std::string maximum = " by !mirage.tile<4x1xf32>";
  KernelLoad load =
      getLoad("f32", rescaled + "!mirage.tile<4x64xf32>" + maximum);
  EXPECT_TRUE(load.streams);
  // Twice as many threads as usual have one element each.
  EXPECT_EQ(load.work.specialFunctions, 2 * (20 + 1) * 256);
  // Of f16, or computed in the loop: one for each element of the maximum.
  load = getLoad("f16", rescaled + "!mirage.tile<4x64xf16>" + maximum);
  EXPECT_FALSE(load.streams);
  EXPECT_EQ(load.work.specialFunctions, 2 * 20 * 4);
  load = getLoad("f32", "%e = mirage_block.neg %a : (!mirage.tile<4x64xf32>) "
                        "-> !mirage.tile<4x64xf32>\n"
                        "mirage_block.accumulate rescaled_sum %e by %b : "
                        "!mirage.tile<4x64xf32>" +
                            maximum);
  EXPECT_FALSE(load.streams);
}

/// What combines partial results needs no barriers.
TEST_F(KernelLoadTest, LoopsThatOnlyAccumulate) {
  KernelLoad load = makeLoad();
  load.iterations = 32;
  load.bytesPerIteration = load.stageBytes = load.sharedBytes = 1024;
  KernelTimes times = getTimes(load);
  EXPECT_DOUBLE_EQ(times.exposed, 700 + 32 * 70);
  EXPECT_DOUBLE_EQ(times.throughput, 3 * 1024 / (4800.0 * 700 / 132));
  load.streams = true;
  times = getTimes(load);
  EXPECT_DOUBLE_EQ(times.exposed, 700 + 32 * 25);
  EXPECT_DOUBLE_EQ(times.throughput, 16 * 1024 / (4800.0 * 700 / 132));
}

/// Attention: q and k as they are in f16, scaled rows of scores, and a rescaled
/// sum of what an exponential has made of them, narrowed to f16.
TEST_F(KernelLoadTest, CountsProductsAsTheyAreLowered) {
  auto getLoad = [&](llvm::StringRef left) {
    std::string text = R"(
func.func @f(%q: tensor<64x64xf16>, %k: tensor<64x256xf16>, %v: tensor<256x64xf16>) -> tensor<64x64xf16> {
  %y = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<64x64xf16>, tensor<64x256xf16>, tensor<256x64xf16>) -> tensor<64x64xf16> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x256xf16>, %V: tensor<256x64xf16>):
    %o:2 = mirage_block.loop iterations 4 -> !mirage.tile<64x64xf32>, !mirage.tile<64x1xf32> {
      %a = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %b = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x256xf16> -> !mirage.tile<64x64xf16>
      %c = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<64x64xf16>
      %n = mirage_block.sum %a dim 1 : (!mirage.tile<64x64xf16>) -> !mirage.tile<64x1xf32>
      %d = mirage_block.div %a, %n : (!mirage.tile<64x64xf16>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x64xf32>
      %s = mirage_block.matmul LEFT, %b : (!mirage.tile<64x64xTYPE>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      %m = mirage_block.reduce_max %s dim 1 : (!mirage.tile<64x64xf32>) -> !mirage.tile<64x1xf32>
      %r = mirage_block.sub %s, %m : (!mirage.tile<64x64xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x64xf32>
      %e = mirage_block.exp %r : (!mirage.tile<64x64xf32>) -> !mirage.tile<64x64xf32>
      %p = mirage_block.matmul %e, %c : (!mirage.tile<64x64xf32>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      %t = mirage_block.sum %e dim 1 : (!mirage.tile<64x64xf32>) -> !mirage.tile<64x1xf32>
      mirage_block.accumulate rescaled_sum %p by %m, rescaled_sum %t by %m
          : !mirage.tile<64x64xf32> by !mirage.tile<64x1xf32>, !mirage.tile<64x1xf32> by !mirage.tile<64x1xf32>
    }
    %z = mirage_block.div %o#0, %o#1 : (!mirage.tile<64x64xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x64xf32>
    mirage_block.output_saver %z omap <x -> replica> : !mirage.tile<64x64xf32> -> tensor<64x64xf16>
  }
  return %y : tensor<64x64xf16>
})";
    auto replace = [&](llvm::StringRef what, llvm::StringRef with) {
      text.replace(text.find(what), what.size(), with);
    };
    replace("LEFT", left);
    replace("TYPE", left == "%a" ? "f16" : "f32");
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return KernelLoad();
    auto graph =
        importKernelGraph(*module->getOps<mlir::func::FuncOp>().begin());
    return getKernelLoad(*graph, graph->nodes[0], TargetNumbers(target));
  };
  constexpr int64_t kProduct = 4 * 2 * 64 * 64 * 64;
  KernelLoad load = getLoad("%a");
  EXPECT_EQ(load.work.tensorFlops, 2 * kProduct);
  EXPECT_EQ(load.tf32Flops, 0);
  // Exponentials, those by which rows are rescaled however many sums there are,
  // and reciprocals of the 64 sums of each of two divisions. Four lanes of each
  // of two parts of the columns rescale a row in each iteration and once more,
  // and what each part has when they come together.
  EXPECT_EQ(load.work.specialFunctions,
            4 * 64 * 64 + 64 * 4 * 2 * (4 + 1 + 2) + 2 * 64);
  // Of scores in tf32 that are exponentiated the remainder is multiplied, too.
  load = getLoad("%d");
  EXPECT_EQ(load.work.tensorFlops, 3 * kProduct);
  EXPECT_EQ(load.tf32Flops, 2 * kProduct);
}

/// A product of 16 x 20 and 20 x 8, of which AFTER is computed: in which type
/// tensor cores compute it, if they do.
TEST_F(KernelLoadTest, TypesOfProducts) {
  enum Extra { None = 0, Exponentiated = 1, Stored = 2 };
  llvm::StringRef depth = "20";
  auto getLoad = [&](llvm::StringRef left, llvm::StringRef right,
                     int extra = None) {
    std::string text = R"(
func.func @f(%a: tensor<20x16xLEFT>, %b: tensor<20x8xRIGHT>) -> (tensor<16x8xf32>, tensor<20x16xf32>) {
  %o:2 = mirage_kernel.graph_defined (%a, %b) grid <x = 1> : (tensor<20x16xLEFT>, tensor<20x8xRIGHT>) -> (tensor<16x8xf32>, tensor<20x16xf32>) {
  ^bb0(%A: tensor<20x16xLEFT>, %B: tensor<20x8xRIGHT>):
    %l = mirage_block.input_iterator %A imap <x -> replica> : tensor<20x16xLEFT> -> !mirage.tile<20x16xLEFT>
    %r = mirage_block.input_iterator %B imap <x -> replica> : tensor<20x8xRIGHT> -> !mirage.tile<20x8xRIGHT>
    %t = mirage_block.transpose %l permutation [1, 0] : (!mirage.tile<20x16xLEFT>) -> !mirage.tile<16x20xf32>
    %u = mirage_block.transpose %t permutation [1, 0] : (!mirage.tile<16x20xf32>) -> !mirage.tile<20x16xf32>
    %p = mirage_block.matmul %t, %r : (!mirage.tile<16x20xf32>, !mirage.tile<20x8xRIGHT>) -> !mirage.tile<16x8xf32>
    %e = mirage_block.AFTER %p : (!mirage.tile<16x8xf32>) -> !mirage.tile<16x8xf32>
    mirage_block.output_saver %e omap <x -> replica> : !mirage.tile<16x8xf32> -> tensor<16x8xf32>
    mirage_block.output_saver SECOND omap <x -> replica> : !mirage.tile<20x16xf32> -> tensor<20x16xf32>
  }
  return %o#0, %o#1 : tensor<16x8xf32>, tensor<20x16xf32>
})";
    auto replace = [&](llvm::StringRef what, llvm::StringRef with) {
      for (size_t at; (at = text.find(what)) != std::string::npos;)
        text.replace(at, what.size(), with);
    };
    replace("20x", "DEPTHx");
    replace("x20", "xDEPTH");
    replace("DEPTH", depth);
    replace("LEFT", left);
    replace("RIGHT", right);
    replace("AFTER", extra & Exponentiated ? "exp" : "sqr");
    if (extra & Stored) {
      // The second output is what the product reads.
      replace("tensor<20x16xf32>)", "tensor<16x20xf32>)");
      replace("-> tensor<20x16xf32>", "-> tensor<16x20xf32>");
      replace("%o#1 : tensor<16x8xf32>, tensor<20x16xf32>",
              "%o#1 : tensor<16x8xf32>, tensor<16x20xf32>");
      replace("SECOND omap <x -> replica> : !mirage.tile<20x16xf32>",
              "SECOND omap <x -> replica> : !mirage.tile<16x20xf32>");
      replace("SECOND", "%t");
      size_t at = text.find("    %u"), end = text.find("    %p");
      text.erase(at, end - at);
    }
    replace("SECOND", "%u");
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return KernelLoad();
    auto graph =
        importKernelGraph(*module->getOps<mlir::func::FuncOp>().begin());
    return getKernelLoad(*graph, graph->nodes[0], TargetNumbers(target));
  };
  // The depth is filled up to 24.
  constexpr int64_t kProduct = 2 * 16 * 8 * 24;
  auto expectFlops = [&](const KernelLoad &load, int64_t all, int64_t tf32) {
    EXPECT_EQ(load.work.tensorFlops, all);
    EXPECT_EQ(load.tf32Flops, tf32);
  };
  // Transposed on the way, an operand is read in the type that it was loaded.
  expectFlops(getLoad("f16", "f16"), kProduct, 0);
  expectFlops(getLoad("bf16", "bf16"), kProduct, 0);
  expectFlops(getLoad("f16", "bf16"), kProduct, kProduct);
  expectFlops(getLoad("f16", "f32"), kProduct, kProduct);
  expectFlops(getLoad("f32", "bf16"), kProduct, kProduct);
  // Stored as f32, it is read as that.
  expectFlops(getLoad("f16", "f16", Stored), kProduct, kProduct);
  // With the remainders of operands in f32, and no others.
  expectFlops(getLoad("f16", "f16", Exponentiated), kProduct, 0);
  expectFlops(getLoad("f16", "bf16", Exponentiated), kProduct, kProduct);
  expectFlops(getLoad("f16", "f32", Exponentiated), 2 * kProduct, 2 * kProduct);
  expectFlops(getLoad("f16", "f16", Exponentiated | Stored), 2 * kProduct,
              2 * kProduct);
  // Of a depth that steps of 16 fill f16 and f32 are narrowed to f16, if no
  // exponential is taken; bf16 isn't.
  depth = "32";
  constexpr int64_t kLong = 2 * 16 * 8 * 32;
  expectFlops(getLoad("f16", "f32"), kLong, 0);
  expectFlops(getLoad("f32", "f16"), kLong, 0);
  expectFlops(getLoad("f32", "bf16"), kLong, kLong);
  expectFlops(getLoad("f16", "bf16"), kLong, kLong);
  expectFlops(getLoad("f16", "f32", Exponentiated), 2 * kLong, 2 * kLong);
  depth = "20";
  // Not on tensor cores at all.
  KernelLoad scalar = getLoad("f32", "f32");
  expectFlops(scalar, 0, 0);
  EXPECT_EQ(scalar.work.scalarFlops, 2 * 16 * 8 * 20 + 16 * 8);
}

// 2^64 paths lead to the product, and from it.
TEST_F(KernelLoadTest, LooksAtEachTileOnce) {
  const std::string half = "!mirage.tile<64x64xf16>",
                    single = "!mirage.tile<64x64xf32>";
  std::string text = R"(
    func.func @f(%x: tensor<64x64xf16>) -> tensor<64x64xf32> {
      %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<64x64xf16>) -> tensor<64x64xf32> {
      ^bb0(%X: tensor<64x64xf16>):
        %t0 = mirage_block.input_iterator %X imap <x -> replica> : tensor<64x64xf16> -> )" +
                     half + "\n";
  auto name = [](llvm::StringRef letter, int i) {
    return ("%" + letter + llvm::Twine(i)).str();
  };
  for (int i = 0; i < 64; ++i)
    text += name("t", i + 1) + " = mirage_block.transpose " + name("t", i) +
            " permutation [1, 0] : (" + half + ") -> " + half + "\n";
  text += "%a0 = mirage_block.matmul %t64, %t0 : (" + half + ", " + half +
          ") -> " + single + "\n";
  for (int i = 0; i < 64; ++i)
    text += name("a", i + 1) + " = mirage_block.add " + name("a", i) + ", " +
            name("a", i) + " : (" + single + ", " + single + ") -> " + single +
            "\n";
  text += "mirage_block.output_saver %a64 omap <x -> replica> : " + single +
          R"( -> tensor<64x64xf32>
      }
      return %z : tensor<64x64xf32>
    })";
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  auto graph = importKernelGraph(*module->getOps<mlir::func::FuncOp>().begin());
  ASSERT_TRUE(mlir::succeeded(graph));
  KernelLoad load =
      getKernelLoad(*graph, graph->nodes[0], TargetNumbers(target));
  EXPECT_EQ(load.work.tensorFlops, 2 * 64 * 64 * 64);
  EXPECT_EQ(load.tf32Flops, 0);
  EXPECT_EQ(load.work.scalarFlops, 64 * 64 * 64);
}

TEST_F(KernelLoadTest, WaitsForRowsThatBeginAnywhere) {
  TargetNumbers numbers(target);
  // 64 rows in loops of four iterations.
  auto getWaits = [&](int64_t columns, int64_t blocks) {
    std::string text = R"(
func.func @f(%x: tensor<64xCOLUMNSxf16>) -> tensor<16xCOLUMNSxf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = BLOCKS> : (tensor<64xCOLUMNSxf16>) -> tensor<16xCOLUMNSxf16> {
  ^bb0(%X: tensor<64xCOLUMNSxf16>):
    %t = mirage_block.loop iterations 4 -> !mirage.tile<16xPARTxf32> {
      %xt = mirage_block.input_iterator %X imap <x -> 1> fmap <i -> 0> : tensor<64xCOLUMNSxf16> -> !mirage.tile<16xPARTxf16>
      %e = mirage_block.exp %xt : (!mirage.tile<16xPARTxf16>) -> !mirage.tile<16xPARTxf32>
      mirage_block.accumulate sum %e : !mirage.tile<16xPARTxf32>
    }
    mirage_block.output_saver %t omap <x -> 1> : !mirage.tile<16xPARTxf32> -> tensor<16xCOLUMNSxf16>
  }
  return %z : tensor<16xCOLUMNSxf16>
})";
    const int64_t part =
        getUnevenPart(columns, blocks).value_or(columns / blocks);
    const std::pair<const char *, int64_t> numbersByName[] = {
        {"COLUMNS", columns}, {"BLOCKS", blocks}, {"PART", part}};
    for (auto [name, number] : numbersByName)
      text = llvm::join(llvm::split(text, name), std::to_string(number));
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    KernelGraph graph =
        *importKernelGraph(*module->getOps<mlir::func::FuncOp>().begin());
    return getKernelLoad(graph, graph.nodes[0], numbers).waits;
  };
  EXPECT_EQ(getWaits(1024, 16), 0);
  EXPECT_EQ(getWaits(1234, 20), 0);
  // In each iteration once, as 256 threads have four elements each.
  EXPECT_EQ(getWaits(1237, 20), 4);
  // 16 x 4099 elements, 32 of a thread at a time.
  EXPECT_NEAR(getWaits(4099, 1), 4 * 16 * 4099. / (256 * 32), 1e-9);
}

} // namespace
