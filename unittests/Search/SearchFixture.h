//===- SearchFixture.h - For tests that search ------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_SEARCH_SEARCHFIXTURE_H
#define MIRAGE_UNITTESTS_SEARCH_SEARCHFIXTURE_H

#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Search/Search.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace mirage {

/// Several kernels, a split, a running maximum.
inline constexpr const char *kAttention = R"(
func.func @f(%q: tensor<2x16x64xf16>, %k: tensor<2x64x2048xf16>, %v: tensor<2x2048x64xf16>) -> tensor<2x16x64xf16> {
  %s = mirage_kernel.matmul %q, %k : (tensor<2x16x64xf16>, tensor<2x64x2048xf16>) -> tensor<2x16x2048xf16>
  %e = mirage_kernel.exp %s : (tensor<2x16x2048xf16>) -> tensor<2x16x2048xf16>
  %o = mirage_kernel.matmul %e, %v : (tensor<2x16x2048xf16>, tensor<2x2048x64xf16>) -> tensor<2x16x64xf16>
  %l = mirage_kernel.sum %e dim 2 : (tensor<2x16x2048xf16>) -> tensor<2x16x1xf32>
  %r = mirage_kernel.div %o, %l : (tensor<2x16x64xf16>, tensor<2x16x1xf32>) -> tensor<2x16x64xf16>
  return %r : tensor<2x16x64xf16>
})";

/// Two norms, with a reshape between them that merges dimensions: two parts.
inline constexpr const char *kTwoNorms = R"(
func.func @f(%x: tensor<512x8x64xf16>) -> tensor<512x512xf16> {
  %e = mirage_kernel.exp %x : (tensor<512x8x64xf16>) -> tensor<512x8x64xf16>
  %s = mirage_kernel.sum %e dim 2 : (tensor<512x8x64xf16>) -> tensor<512x8x1xf16>
  %d = mirage_kernel.div %e, %s : (tensor<512x8x64xf16>, tensor<512x8x1xf16>) -> tensor<512x8x64xf16>
  %m = mirage_kernel.reshape %d : (tensor<512x8x64xf16>) -> tensor<512x512xf16>
  %q = mirage_kernel.sqr %m : (tensor<512x512xf16>) -> tensor<512x512xf16>
  %t = mirage_kernel.sum %q dim 1 : (tensor<512x512xf16>) -> tensor<512x1xf16>
  %r = mirage_kernel.div %m, %t : (tensor<512x512xf16>, tensor<512x1xf16>) -> tensor<512x512xf16>
  return %r : tensor<512x512xf16>
})";

class SearchFixture : public testing::Test {
protected:
  SearchFixture() {
    mlir::DialectRegistry registry;
    registry.insert<MirageDialect, kernel::KernelDialect, block::BlockDialect,
                    mlir::func::FuncDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    options.target = TargetAttr::lookup(&context, "sm_90a");
    options.maxKernelOps = 1;
  }

  KernelGraph parse(llvm::StringRef text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    return *importKernelGraph(*module->getOps<mlir::func::FuncOp>().begin());
  }

  SearchResult run(const KernelGraph &reference) {
    llvm::Expected<SearchResult> result = search(reference, options);
    if (!result) {
      ADD_FAILURE() << llvm::toString(result.takeError());
      return {};
    }
    return std::move(*result);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  SearchOptions options;
};

} // namespace mirage

#endif // MIRAGE_UNITTESTS_SEARCH_SEARCHFIXTURE_H
