//===- InPlaceTest.cpp - What takes no kernel, as ops and as values -------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the cost model counts is what is launched: slices and concatenations
// take a kernel in a graph as a value where they do as ops.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Mirage/TensorView.h"
#include "Mirage/Mugraph/Conversion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mirage;
using testing::ElementsAre;

namespace {

/// For each slice, concatenation and reshape of a function's body, whether it
/// needs no kernel.
std::vector<bool> getInPlace(llvm::StringRef body, llvm::StringRef types) {
  mlir::MLIRContext context;
  context.loadDialect<MirageDialect, kernel::KernelDialect,
                      mlir::func::FuncDialect>();
  std::string text =
      ("func.func @f(%x: tensor<4x8xf16>, %y: tensor<4x8xf16>) -> (" + types +
       ") {\n" + body + " : " + types + "\n}")
          .str();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_TRUE(module);
  if (!module)
    return {};
  auto function = *module->getOps<mlir::func::FuncOp>().begin();
  KernelGraph graph = *importKernelGraph(function);
  std::vector<bool> asOps, asValues;
  for (mlir::Operation &op : function.getBody().front())
    if (llvm::isa<kernel::SliceOp, kernel::ConcatOp, kernel::ReshapeOp>(op))
      asOps.push_back(isInPlace(&op) || isReinterpretation(&op));
  for (const KernelNode &node : graph.nodes)
    if (node.op && (node.op->isView() || node.op->isJoin() ||
                    node.op->isReinterpretation()))
      asValues.push_back(graph.isWithoutKernel(node));
  EXPECT_EQ(asOps, asValues) << text;
  return asOps;
}

TEST(InPlace, Slices) {
  const std::string slice =
      "%s = mirage_kernel.slice %x dim 1 offset 2 size 4 : (tensor<4x8xf16>) "
      "-> tensor<4x4xf16>\n";
  EXPECT_THAT(getInPlace(slice + "%r = mirage_kernel.exp %s : "
                                 "(tensor<4x4xf16>) -> tensor<4x4xf16>\n"
                                 "return %r",
                         "tensor<4x4xf16>"),
              ElementsAre(true));
  EXPECT_THAT(getInPlace(slice + "return %s", "tensor<4x4xf16>"),
              ElementsAre(false));
  EXPECT_THAT(getInPlace(slice + "%r = mirage_kernel.reshape %s : "
                                 "(tensor<4x4xf16>) -> tensor<16xf16>\n"
                                 "return %r",
                         "tensor<16xf16>"),
              ElementsAre(false, true));
  EXPECT_THAT(getInPlace("%s = mirage_kernel.slice %x dim 1 offset 2 size 4 : "
                         "(tensor<4x8xf16>) -> tensor<4x4xf32>\n"
                         "%r = mirage_kernel.exp %s : (tensor<4x4xf32>) -> "
                         "tensor<4x4xf32>\nreturn %r",
                         "tensor<4x4xf32>"),
              ElementsAre(false));
}

TEST(InPlace, Reshapes) {
  EXPECT_THAT(getInPlace("%r = mirage_kernel.reshape %x : (tensor<4x8xf16>) -> "
                         "tensor<32xf16>\nreturn %r",
                         "tensor<32xf16>"),
              ElementsAre(true));
  // One that widens is a kernel, which can read a part.
  EXPECT_THAT(getInPlace("%s = mirage_kernel.slice %x dim 1 offset 2 size 4 : "
                         "(tensor<4x8xf16>) -> tensor<4x4xf16>\n"
                         "%r = mirage_kernel.reshape %s : (tensor<4x4xf16>) -> "
                         "tensor<16xf32>\nreturn %r",
                         "tensor<16xf32>"),
              ElementsAre(true, false));
}

TEST(InPlace, Concatenations) {
  const std::string parts =
      "%a = mirage_kernel.exp %x : (tensor<4x8xf16>) -> tensor<4x8xf16>\n"
      "%b = mirage_kernel.exp %y : (tensor<4x8xf16>) -> tensor<4x8xf16>\n";
  auto concat = [](std::string result, std::string lhs, std::string rhs,
                   std::string element = "f16") {
    return "%" + result + " = mirage_kernel.concat %" + lhs + ", %" + rhs +
           " dim 0 : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<8x8x" +
           element + ">\n";
  };
  const char *one = "tensor<8x8xf16>", *two = "tensor<8x8xf16>, "
                                              "tensor<8x8xf16>";
  EXPECT_THAT(getInPlace(parts + concat("r", "a", "b") + "return %r", one),
              ElementsAre(true));
  // An argument, the same twice, and what another one has.
  EXPECT_THAT(getInPlace(parts + concat("r", "a", "y") + "return %r", one),
              ElementsAre(false));
  EXPECT_THAT(getInPlace(parts + concat("r", "a", "a") + "return %r", one),
              ElementsAre(false));
  EXPECT_THAT(getInPlace(parts + concat("r", "a", "b") + concat("s", "b", "a") +
                             "return %r, %s",
                         two),
              ElementsAre(false, false));
  // One that rounds, or widens, copies, and leaves the parts to the other.
  EXPECT_THAT(getInPlace(parts + concat("r", "a", "b") +
                             concat("s", "a", "b", "f32") + "return %r, %s",
                         "tensor<8x8xf16>, tensor<8x8xf32>"),
              ElementsAre(true, false));
  // A part that is returned.
  EXPECT_THAT(getInPlace(parts + concat("r", "a", "b") + "return %r, %a",
                         "tensor<8x8xf16>, tensor<4x8xf16>"),
              ElementsAre(false));
}

} // namespace
