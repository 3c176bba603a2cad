//===- Translation.cpp - The drawings as translations ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/mlir-translate/Translation.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Thread/Thread.h"
#include "Mirage/Target/Drawing.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mirage;

static LogicalResult translateToHTML(ModuleOp module, StringRef reportFile,
                                     llvm::raw_ostream &out) {
  std::optional<llvm::json::Array> report;
  if (!reportFile.empty()) {
    std::string error;
    auto file = openInputFile(reportFile, &error);
    if (!file)
      return emitError(UnknownLoc::get(module.getContext()),
                       "cannot read the report: ")
             << error;
    llvm::Expected<llvm::json::Array> parsed =
        parseSearchReport(file->getBuffer());
    if (!parsed)
      return emitError(UnknownLoc::get(module.getContext()), "report '")
             << reportFile << "': " << llvm::toString(parsed.takeError());
    report = std::move(*parsed);
  }
  if (llvm::Error error =
          writeMugraphHTML(module, report ? &*report : nullptr, out))
    return emitError(UnknownLoc::get(module.getContext()), "report '")
           << reportFile << "': " << llvm::toString(std::move(error));
  return success();
}

void mirage::registerToDrawingTranslations() {
  // The dialects of programs as they come in can be drawn, too.
  auto registerDialects = [](DialectRegistry &registry) {
    registry.insert<MirageDialect, kernel::KernelDialect, block::BlockDialect,
                    thread::ThreadDialect, arith::ArithDialect,
                    func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                    tensor::TensorDialect>();
  };
  static llvm::cl::opt<Level> level(
      "level", llvm::cl::desc("How deep --mugraph-to-dot draws:"),
      llvm::cl::values(
          clEnumValN(Level::Kernel, "kernel", "kernel graphs"),
          clEnumValN(Level::Block, "block", "and the block graphs in them"),
          clEnumValN(Level::Thread, "thread",
                     "and the thread graphs in these (default)")),
      llvm::cl::init(Level::Thread));
  static llvm::cl::opt<std::string> report(
      "report", llvm::cl::value_desc("file.json"),
      llvm::cl::desc("The report of --mirage-superoptimize, for the page that "
                     "--mugraph-to-html writes"));
  static TranslateFromMLIRRegistration toDot(
      "mugraph-to-dot", "Draw μGraphs as a Graphviz graph",
      [](ModuleOp module, llvm::raw_ostream &out) {
        writeMugraphDot(module, level, out);
        return success();
      },
      registerDialects);
  static TranslateFromMLIRRegistration toHTML(
      "mugraph-to-html", "Draw μGraphs and their references as an HTML page",
      [](ModuleOp module, llvm::raw_ostream &out) {
        return translateToHTML(module, report, out);
      },
      registerDialects);
}
