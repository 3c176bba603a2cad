//===- RoundedTilesTest.cpp - What kernels may round ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "SearchFixture.h"

using namespace mirage;

namespace {

class RoundedTilesTest : public SearchFixture {
protected:
  /// How many tensors kernels may round of a program that multiplies %a, which
  /// `computed` makes of %x, by %w, and returns that, or what `behind` makes of
  /// it.
  size_t count(const std::string &computed, const std::string &type,
               const std::string &behind = "",
               const std::string &result = "%p") {
    const std::string text =
        "func.func @f(%x: tensor<64x128xf16>, %w: tensor<128x64xf16>) -> "
        "tensor<64x64xf32> {\n" +
        computed + "%p = mirage_kernel.matmul %a, %w : (tensor<64x128x" + type +
        ">, tensor<128x64xf16>) -> tensor<64x64xf32>\n" + behind + "return " +
        result + " : tensor<64x64xf32>\n}";
    std::atomic<bool> stop{false};
    return llvm::cantFail(makeSearchProgram(parse(text), options, stop))
        ->rounded.size();
  }

  /// That of a program whose product is multiplied by a constant.
  size_t countScaled(const std::string &constant) {
    return count(kRelu, "f16",
                 "%c = mirage.constant " + constant +
                     " : tensor<f32>\n%q = mirage_kernel.mul %p, %c : "
                     "(tensor<64x64xf32>, tensor<f32>) -> tensor<64x64xf32>\n",
                 "%q");
  }

  const std::string kRelu = "%a = mirage_kernel.relu %x : "
                            "(tensor<64x128xf16>) -> tensor<64x128xf16>\n";
};

} // namespace

TEST_F(RoundedTilesTest, AreOfWhatElementwiseOperatorsComputeIn16Bits) {
  EXPECT_EQ(count(kRelu, "f16"), 1u);
  EXPECT_EQ(count("%a = mirage_kernel.relu %x : (tensor<64x128xf16>) -> "
                  "tensor<64x128xf32>\n",
                  "f32"),
            0u);
  // It is the product that is added up, not what it is made of.
  EXPECT_EQ(count("%b = mirage_kernel.matmul %x, %w : (tensor<64x128xf16>, "
                  "tensor<128x64xf16>) -> tensor<64x64xf16>\n"
                  "%a = mirage_kernel.matmul %b, %x : (tensor<64x64xf16>, "
                  "tensor<64x128xf16>) -> tensor<64x128xf16>\n",
                  "f16"),
            0u);
}

TEST_F(RoundedTilesTest, AreNotOfWhatIsKeptInSeveralTypes) {
  EXPECT_EQ(count(kRelu + "%b = mirage_kernel.relu %x : (tensor<64x128xf16>) "
                          "-> tensor<64x128xf32>\n"
                          "%s = mirage_kernel.matmul %b, %w : "
                          "(tensor<64x128xf32>, tensor<128x64xf16>) -> "
                          "tensor<64x64xf32>\n",
                  "f16",
                  "%t = mirage_kernel.add %p, %s : (tensor<64x64xf32>, "
                  "tensor<64x64xf32>) -> tensor<64x64xf32>\n",
                  "%t"),
            0u);
}

// From 2^-6 on, and less than 1.
TEST_F(RoundedTilesTest, MayBeScaled) {
  EXPECT_EQ(countScaled("0.125"), 2u);
  EXPECT_EQ(countScaled("-0.125"), 2u);
  EXPECT_EQ(countScaled("0.015625"), 2u);
  EXPECT_EQ(countScaled("0.0155"), 1u);
  EXPECT_EQ(countScaled("1.5"), 1u);
}
