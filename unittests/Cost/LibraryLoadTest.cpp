//===- LibraryLoadTest.cpp - What a library's kernels have to do ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostFixture.h"
#include "Mirage/Mugraph/Conversion.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include <tuple>

using namespace mirage;

namespace {

using LibraryLoadTest = CostFixture;

TEST_F(LibraryLoadTest, PadsProductsOfMatrices) {
  const Operator &matmul = getOperator("matmul");
  auto get = [&](int64_t m, int64_t k, int64_t n) {
    return getPaddedTensorFlops(matmul, {{3, m, k}, {3, k, n}}, {3, m, n}, {});
  };
  EXPECT_EQ(get(16, 64, 128), 3 * 2 * 16 * 64 * 128);
  // The rows can be the columns of an instruction.
  EXPECT_EQ(get(1, 64, 128), 3 * 2 * 8 * 64 * 128);
  EXPECT_EQ(get(8, 64, 128), 3 * 2 * 8 * 64 * 128);
  EXPECT_EQ(get(9, 64, 128), 3 * 2 * 16 * 64 * 128);
  EXPECT_EQ(get(128, 64, 1), 3 * 2 * 128 * 64 * 8);
  EXPECT_EQ(get(16, 4, 16), 3 * 2 * 16 * 16 * 16);
  EXPECT_EQ(getPaddedTensorFlops(getOperator("concat_matmul"),
                                 {{16, 64}, {16, 4}, {64, 8}, {4, 8}}, {16, 8},
                                 {}),
            2 * 16 * (64 + 16) * 8);
}

/// A library's product with few parts: alone, or cut along its depth.
TEST_F(LibraryLoadTest, ProductsInLibraries) {
  auto getLoadOf = [&](llvm::StringRef left, llvm::StringRef right,
                       llvm::StringRef product,
                       const std::string &op = "matmul") {
    auto type = [](llvm::StringRef shape) {
      return ("tensor<" + shape + "xf16>").str();
    };
    std::string a = type(left), b = type(right), c = type(product);
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(
            "func.func @f(%a: " + a + ", %b: " + b + ") -> " + c +
                " {\n%c = mirage_kernel." + op + " %a, %b : (" + a + ", " + b +
                ") -> " + c + "\nreturn %c : " + c + "\n}",
            &context);
    auto graph =
        importKernelGraph(*module->getOps<mlir::func::FuncOp>().begin());
    return getKernelLoad(*graph, graph->nodes[0], TargetNumbers(target));
  };
  auto getLoad = [&](int64_t rows, int64_t depth, int64_t columns) {
    auto shape = [](int64_t m, int64_t n) {
      return llvm::utostr(m) + "x" + llvm::utostr(n);
    };
    return getLoadOf(shape(rows, depth), shape(depth, columns),
                     shape(rows, columns));
  };
  KernelLoad small = getLoad(8, 64, 128);
  EXPECT_EQ(small.launches, 1);
  EXPECT_EQ(small.blocks, 2);
  KernelLoad deep = getLoad(8, 16384, 128);
  EXPECT_EQ(deep.launches, 2);
  EXPECT_EQ(deep.blocks, 132);
  // 66 partial sums of each element, in f32, written and read.
  EXPECT_EQ(deep.deviceBytes,
            2 * (8 * 16384 + 16384 * 128 + 8 * 128) + 2 * 66 * 4 * 8 * 128);
  EXPECT_DOUBLE_EQ(getTimes(deep).exposed, 700 + 700 + deep.iterations * 70);
  // Nothing can be cut: there are 100 parts, or too little depth.
  EXPECT_EQ(getLoad(64, 16384, 6400).launches, 1);
  EXPECT_EQ(getLoad(64, 16384, 6400).blocks, 100);
  EXPECT_EQ(getLoad(8, 16, 128).blocks, 2);
  KernelLoad large = getLoad(128, 4096, 8192);
  EXPECT_EQ(large.launches, 1);
  EXPECT_EQ(large.blocks, 132);

  // Batches that share their right operand are rows; others have tiles of 16
  // rows of their own.
  auto haveSameLoad = [](const KernelLoad &a, const KernelLoad &b) {
    return std::tie(a.blocks, a.iterations, a.deviceBytes, a.requestedBytes,
                    a.accessCycles, a.sharedTraffic, a.work.tensorFlops) ==
           std::tie(b.blocks, b.iterations, b.deviceBytes, b.requestedBytes,
                    b.accessCycles, b.sharedTraffic, b.work.tensorFlops);
  };
  EXPECT_TRUE(
      haveSameLoad(getLoadOf("32x4x4096", "1x4096x8192", "32x4x8192"), large));
  KernelLoad apart = getLoadOf("32x4x4096", "32x4096x8192", "32x4x8192"),
             others = getLoadOf("1x4x4096", "32x4096x8192", "32x4x8192");
  EXPECT_GT(apart.work.tensorFlops, large.work.tensorFlops);
  EXPECT_GT(others.work.tensorFlops, large.work.tensorFlops);
  // Those of a transposed left operand are none, not even of one row.
  KernelLoad transposed = getLoadOf("8x64x1", "1x64x128", "8x1x128",
                                    "matmul_transposed_lhs"),
             rows = getLoadOf("8x1x64", "1x64x128", "8x1x128");
  EXPECT_GT(transposed.work.tensorFlops, rows.work.tensorFlops);
}

} // namespace
