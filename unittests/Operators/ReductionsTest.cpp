//===- ReductionsTest.cpp - Sums and maxima of rows on the host -----------===//
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

class ReductionsTest : public GraphTest {
protected:
  /// A block graph of `rows` x `size` elements: `body` makes %s, of shape
  /// `result`, of the tile %t, with their types for T and S.
  void expectAllCorrect(int64_t rows, int64_t size, const std::string &element,
                        std::string body, const std::string &result,
                        double low = -1) {
    std::string shape =
        std::to_string(rows) + "x" + std::to_string(size) + "x" + element;
    auto replace = [&](const std::string &what, const std::string &with) {
      for (size_t at = 0; (at = body.find(what, at)) != std::string::npos;
           at += with.size())
        body.replace(at, what.size(), with);
    };
    replace("$T", "!mirage.tile<" + shape + ">");
    replace("$S", "!mirage.tile<" + result + ">");
    replace("$X", "tensor<" + shape + ">");
    std::string text = "func.func @f(%x: tensor<" + shape + ">) -> tensor<" +
                       result +
                       "> {\n  %0 = mirage_kernel.graph_defined (%x) grid <x "
                       "= 1> : (tensor<" +
                       shape + ">) -> tensor<" + result +
                       "> {\n  ^bb0(%X: tensor<" + shape + ">):\n" + body +
                       "\n    mirage_block.output_saver %s omap <x -> "
                       "replica> : !mirage.tile<" +
                       result + "> -> tensor<" + result +
                       ">\n  }\n  return %0 : tensor<" + result + ">\n}";
    SCOPED_TRACE(text);
    auto module = parse(text);
    ASSERT_TRUE(module);
    std::vector<Array> inputs = makeInputs(*module, low, 1);
    for (int64_t threads : {32, 96, 128, 256}) {
      SCOPED_TRACE(threads);
      GraphOptions options;
      options.threads = threads;
      options.assignLayouts = threads >= 128;
      expectCorrect(*module, inputs, options, /*tolerance=*/1e-4);
    }
  }

  static std::string getLoad(const char *name = "%t") {
    return std::string(name) +
           " = mirage_block.input_iterator %X imap <x -> replica> : $X -> "
           "$T\n";
  }
};

TEST_F(ReductionsTest, Rows) {
  std::pair<int64_t, int64_t> shapes[] = {{1, 4096}, {1, 1000}, {2, 8192},
                                          {3, 77},   {300, 43}, {300, 8},
                                          {20, 128}, {5, 96}};
  for (auto [rows, size] : shapes)
    for (const char *element : {"f16", "bf16", "f32"}) {
      std::string result = std::to_string(rows) + "x1xf32";
      // All are negative: no maximum is 0.
      expectAllCorrect(rows, size, element,
                       getLoad() +
                           "%s = mirage_block.reduce_max %t dim 1 : ($T) -> $S",
                       result, /*low=*/-2);
      expectAllCorrect(
          rows, size, element,
          getLoad() + "%s = mirage_block.sum %t dim 1 : ($T) -> $S", result);
    }
}

TEST_F(ReductionsTest, Columns) {
  std::pair<int64_t, int64_t> shapes[] = {{64, 8}, {77, 3}, {43, 300}};
  for (auto [size, columns] : shapes) {
    std::string result = "1x" + std::to_string(columns) + "xf32";
    expectAllCorrect(size, columns, "f16",
                     getLoad() + "%s = mirage_block.sum %t dim 0 : ($T) -> $S",
                     result);
  }
}

// Vectors along a dimension that isn't the last: of a transposed tile, and of
// what is computed of one. One with rows of 77 elements has none.
TEST_F(ReductionsTest, OfTransposedTiles) {
  std::pair<int64_t, int64_t> shapes[] = {{64, 64}, {3, 1000}, {33, 77}};
  for (auto [rows, size] : shapes) {
    std::string moved = "!mirage.tile<" + std::to_string(size) + "x" +
                        std::to_string(rows) + "xf32>";
    std::string result = "1x" + std::to_string(rows) + "xf32";
    std::string transpose =
        getLoad() +
        "%m = mirage_block.transpose %t permutation [1, 0] : ($T) -> " + moved +
        "\n";
    expectAllCorrect(rows, size, "f16",
                     transpose + "%s = mirage_block.sum %m dim 0 : (" + moved +
                         ") -> $S",
                     result);
    expectAllCorrect(
        rows, size, "f16",
        transpose + "%q = mirage_block.sqr %m : (" + moved + ") -> " + moved +
            "\n%s = mirage_block.sum %q dim 0 : (" + moved + ") -> $S",
        result);
  }
}

// Elements are computed where they are read, from tiles of two types and from
// one element of a row.
TEST_F(ReductionsTest, OfComputedElements) {
  std::pair<int64_t, int64_t> shapes[] = {{16, 128}, {1, 4096}, {5, 44}};
  for (auto [rows, size] : shapes) {
    std::string shape = std::to_string(rows) + "x" + std::to_string(size);
    std::string row = "!mirage.tile<" + std::to_string(rows) + "x1xf32>";
    std::string wide = "!mirage.tile<" + shape + "xf32>";
    expectAllCorrect(
        rows, size, "f16",
        getLoad() + "%e = mirage_block.exp %t : ($T) -> " + wide +
            "\n%m = mirage_block.reduce_max %e dim 1 : (" + wide + ") -> " +
            row + "\n%d = mirage_block.sub %e, %m : (" + wide + ", " + row +
            ") -> " + wide + "\n%p = mirage_block.mul %d, %t : (" + wide +
            ", $T) -> " + wide + "\n%s = mirage_block.sum %p dim 1 : (" + wide +
            ") -> " + row,
        std::to_string(rows) + "x1xf32");
  }
}

// What is folded is one element, or a constant: there is nothing to be read as
// vectors.
TEST_F(ReductionsTest, OfTheSameElement) {
  for (const char *one : {"%t : ($T)", "%c : (!mirage.tile<f32>)"})
    expectAllCorrect(
        1, 1, "f32",
        getLoad() +
            "%c = mirage.constant 2.0 : !mirage.tile<f32>\n"
            "%e = mirage_block.broadcast " +
            one +
            " -> !mirage.tile<1x64xf32>\n%s = mirage_block.sum %e "
            "dim 1 : (!mirage.tile<1x64xf32>) -> !mirage.tile<1x1xf32>",
        "1x1xf32");
}

// The place where eight warps meet is aligned to 16 bytes.
TEST_F(ReductionsTest, BehindAnotherTile) {
  expectAllCorrect(
      1, 4100, "f32",
      getLoad() +
          "%m = mirage_block.reduce_max %t dim 1 : ($T) -> "
          "!mirage.tile<1x1xf32>\n%d = mirage_block.sub %t, %m : ($T, "
          "!mirage.tile<1x1xf32>) -> $T\n%s = mirage_block.sum %d dim 1 : "
          "($T) -> !mirage.tile<1x1xf32>",
      "1x1xf32");
}

// An element of an accumulator belongs to one thread, and the place where warps
// meet is used again in each iteration.
TEST_F(ReductionsTest, InALoop) {
  std::pair<int64_t, int64_t> shapes[] = {{1, 4096}, {2, 4096}, {40, 96}};
  for (auto [rows, size] : shapes) {
    std::string tile = "!mirage.tile<" + std::to_string(rows) + "x" +
                       std::to_string(size) + "xf16>";
    std::string row = "!mirage.tile<" + std::to_string(rows) + "x1xf32>";
    for (const char *kind : {"sum", "max"})
      expectAllCorrect(
          rows, 3 * size, "f16",
          "%s = mirage_block.loop iterations 3 -> " + row +
              " {\n%t = mirage_block.input_iterator %X imap <x -> replica> "
              "fmap <i -> 1> : $X -> " +
              tile + "\n%r = mirage_block.sum %t dim 1 : (" + tile + ") -> " +
              row + "\nmirage_block.accumulate " + kind + " %r : " + row +
              "\n}",
          std::to_string(rows) + "x1xf32");
  }
}

} // namespace
