//===- OutputCheckTest.cpp - Outputs beside what they should be -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/OutputCheck.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"
#include <cmath>

using namespace mirage;
using testing::HasSubstr;

namespace {

class OutputCheckTest : public testing::Test {
protected:
  OutputCheckTest() {
    context.loadDialect<mlir::func::FuncDialect, MirageDialect,
                        kernel::KernelDialect>();
  }

  /// Stores x times `factor` in f16, and takes it back.
  KernelGraph makeProgram(const char *factor) {
    std::string text = R"(
func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c = mirage.constant FACTOR : tensor<f32>
  %m = mirage_kernel.mul %x, %c : (tensor<64xf32>, tensor<f32>) -> tensor<64xf16>
  %y = mirage_kernel.div %m, %c : (tensor<64xf16>, tensor<f32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
})";
    text.replace(text.find("FACTOR"), 6, factor);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    return *importKernelGraph(*module->getOps<mlir::func::FuncOp>().begin());
  }

  /// Checks inputs with a relative error.
  OutputCheck::Result check(const char *factor, double error,
                            std::optional<double> tolerance = std::nullopt) {
    KernelGraph program = makeProgram(factor);
    std::vector<Array> inputs = {Array({64}, ElementType::F32)};
    fillUniform(inputs[0], /*seed=*/1, 0);
    Array output = inputs[0], expected = inputs[0].convertTo(ElementType::F64);
    for (int64_t i = 0; i < 64; ++i)
      output.set(i, expected.get(i) * (1 + error));
    OutputCheck check([&]() -> llvm::Expected<KernelGraph> { return program; },
                      inputs, tolerance);
    return check.check(0, output, expected);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(OutputCheckTest, Tolerance) {
  EXPECT_TRUE(check("1.0", 1e-3).passes);
  EXPECT_EQ(check("1.0", 1e-3).asWritten, "");
  EXPECT_FALSE(check("1.0", 1e-2).passes);
  EXPECT_THAT(check("1.0", 1e-2).asWritten, HasSubstr("as it is written has"));
  EXPECT_TRUE(check("1.0", 1e-2, 2e-2).passes);
  EXPECT_FALSE(check("1.0", 1e-3, 1e-4).passes);
}

/// Numbers below f16's normal ones lose bits, here most of them.
TEST_F(OutputCheckTest, WhatTheProgramLoses) {
  OutputCheck::Result result = check("1.0e-6", 5e-3);
  EXPECT_TRUE(result.passes);
  EXPECT_THAT(result.asWritten, HasSubstr("as it is written has"));
  EXPECT_FALSE(check("1.0e-6", 0.5).passes);
}

/// That a program overflows excuses only what it would lose otherwise.
TEST_F(OutputCheckTest, WhatOverflows) {
  EXPECT_TRUE(check("1.0e6", 1e-3).passes);
  OutputCheck::Result result = check("1.0e6", 5e-3);
  EXPECT_FALSE(result.passes);
  EXPECT_THAT(result.asWritten, HasSubstr("overflows, and has"));
  result = check("1.0e6", INFINITY);
  EXPECT_FALSE(result.passes);
  EXPECT_THAT(result.asWritten, HasSubstr("overflows, too"));
  result = check("1.0", INFINITY);
  EXPECT_FALSE(result.passes);
  EXPECT_THAT(result.asWritten, HasSubstr("as it is written has"));
}

/// A program that was imported as another one is no excuse.
TEST_F(OutputCheckTest, AnotherProgram) {
  KernelGraph program = makeProgram("1.0");
  std::vector<Array> inputs = {Array({64}, ElementType::F32)};
  fillUniform(inputs[0], /*seed=*/1, 0);
  Array expected = inputs[0].convertTo(ElementType::F64);
  for (int64_t i = 0; i < 64; ++i)
    expected.set(i, 2 * expected.get(i));
  OutputCheck check([&]() -> llvm::Expected<KernelGraph> { return program; },
                    inputs, std::nullopt);
  OutputCheck::Result result = check.check(0, inputs[0], expected);
  EXPECT_FALSE(result.passes);
  EXPECT_THAT(result.asWritten, HasSubstr("imported as another one"));
}

TEST_F(OutputCheckTest, InfinitiesAreOnBothSides) {
  Array output({2}, ElementType::F32), expected({2}, ElementType::F64);
  output.set(0, INFINITY);
  expected.set(0, INFINITY);
  expected.set(1, 1);
  output.set(1, 1);
  EXPECT_EQ(getOutputError(output, expected).relative, 0);
  EXPECT_EQ(getOutputError(output, expected).notFinite, 1);
  EXPECT_EQ(getOutputError(output, expected).compared, 1);
  output.set(1, NAN);
  expected.set(1, NAN);
  EXPECT_EQ(getOutputError(output, expected).relative, 0);
  EXPECT_EQ(getOutputError(output, expected).compared, 0);
  output.set(0, -INFINITY);
  EXPECT_EQ(getOutputError(output, expected).relative, INFINITY);
}

TEST_F(OutputCheckTest, UnknownPrograms) {
  std::vector<Array> inputs;
  OutputCheck check(
      []() -> llvm::Expected<KernelGraph> {
        return llvm::createStringError("it is gone");
      },
      inputs, std::nullopt);
  Array output({1}, ElementType::F32), expected({1}, ElementType::F64);
  expected.set(0, 1);
  for (int i = 0; i < 2; ++i) {
    OutputCheck::Result result = check.check(0, output, expected);
    EXPECT_FALSE(result.passes);
    EXPECT_THAT(result.asWritten, HasSubstr("is not known: it is gone"));
  }
}

} // namespace
