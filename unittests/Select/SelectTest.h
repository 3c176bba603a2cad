//===- SelectTest.h - What tests of the selection share ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_SELECT_SELECTTEST_H
#define MIRAGE_UNITTESTS_SELECT_SELECTTEST_H

#include "DatabaseTest.h"
#include "Mirage/InitAll.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Select/Selection.h"
#include "Mirage/Verify/VerdictAttr.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

namespace mirage {

/// A program, and three candidates that differ in their grids.
class SelectTest : public DatabaseTest {
protected:
  SelectTest() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    std::string text = R"(
func.func private @f_reference(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = mirage_kernel.exp %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
})";
    for (int blocks : {1, 64, 8}) {
      std::string tile =
          "!mirage.tile<" + std::to_string(64 / blocks) + "x64xf32>";
      std::string count = std::to_string(blocks);
      text += "func.func @f" + count +
              "(%x: tensor<64x64xf32>) -> tensor<64x64xf32> "
              "attributes {mirage.reference = @f_reference} {\n"
              "%y = mirage_kernel.graph_defined (%x) grid <x = " +
              count +
              "> : (tensor<64x64xf32>) -> tensor<64x64xf32> {\n"
              "^bb0(%X: tensor<64x64xf32>):\n"
              "%t = mirage_block.input_iterator %X imap <x -> 0> : "
              "tensor<64x64xf32> -> " +
              tile + "\n%e = mirage_block.exp %t : (" + tile + ") -> " + tile +
              "\nmirage_block.output_saver %e omap <x -> 0> : " + tile +
              " -> tensor<64x64xf32>\n}\nreturn %y : tensor<64x64xf32>\n}\n";
    }
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    for (auto function : module->getOps<mlir::func::FuncOp>()) {
      KernelGraph graph = *importKernelGraph(function);
      if (function.isPrivate()) {
        reference = std::move(graph);
        continue;
      }
      EquivalenceResult proved;
      proved.verdict = Verdict::Proved;
      function->setAttr(MirageDialect::kVerdictAttr,
                        getVerdictAttr(&context, proved, graph));
      candidates.push_back(
          {function.getSymName().str(), std::move(graph), function});
    }
    options.target = TargetAttr::lookup(&context, "sm_90a");
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  KernelGraph reference;
  std::vector<SelectCandidate> candidates;
  SelectionOptions options;
};

} // namespace mirage

#endif // MIRAGE_UNITTESTS_SELECT_SELECTTEST_H
