//===- Check.cpp - Results beside an evaluation in f64 --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Functions.h"
#include "Mirage/Conversion/LinalgToMirage/Passes.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Runtime/LinalgReference.h"
#include "Mirage/Runtime/OutputCheck.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mirage;

/// A program in linalg as it is written, operator by operator. The program is
/// not changed.
static llvm::Expected<KernelGraph> importAsWritten(func::FuncOp program) {
  // Beside a compiled program no pass has loaded them.
  program.getContext()
      ->loadDialect<MirageDialect, kernel::KernelDialect, arith::ArithDialect,
                    linalg::LinalgDialect, math::MathDialect>();
  OwningOpRef<func::FuncOp> imported = program.clone();
  importLinalg(*imported);
  if (findObstacle(*imported))
    return llvm::createStringError("it can't be imported, the remarks say why");
  FailureOr<KernelGraph> graph = importKernelGraph(*imported);
  if (failed(graph))
    return llvm::createStringError("it is no kernel graph");
  return std::move(*graph);
}

llvm::Expected<bool> mirage::checkOutputs(func::FuncOp program,
                                          ArrayRef<Array> inputs,
                                          ArrayRef<Array> outputs,
                                          std::optional<double> rtol,
                                          llvm::raw_ostream &out) {
  llvm::Expected<std::vector<Array>> expected =
      evaluateLinalgF64(program, inputs);
  if (!expected)
    return expected.takeError();
  OutputCheck check([&] { return importAsWritten(program); }, inputs, rtol);
  bool good = true;
  for (auto [i, output, reference] : llvm::enumerate(outputs, *expected)) {
    OutputCheck::Result result = check.check(i, output, reference);
    const OutputError &error = result.error;
    good &= result.passes;
    // What is infinite or NaN on both sides passes, but shows little.
    const char *verdict = !result.passes   ? "TOO LARGE"
                          : error.compared ? "ok"
                                           : "nothing to compare";
    out << llvm::formatv("output {0}: {1}, largest absolute error {2:e3}, "
                         "relative {3:e3} ({4}; limit {5:e1}",
                         i, describeArray(output.shape, output.type),
                         error.absolute, error.relative, verdict, result.limit);
    if (!result.asWritten.empty())
      out << "; " << result.asWritten;
    out << ")\n";
    if (error.notFinite)
      out << "output " << i << ": " << error.notFinite << " of "
          << output.getNumElements()
          << " elements are not finite, here or in the reference\n";
  }
  return good;
}

llvm::Expected<bool> mirage::checkAgainstFile(
    StringRef path, StringRef name, ArrayRef<Array> arguments, size_t numInputs,
    std::optional<double> rtol, MLIRContext &context, llvm::raw_ostream &out) {
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(path, sources, &context);
  if (!module)
    return llvm::createStringError("'" + path + "' can't be read");
  llvm::Expected<func::FuncOp> function = findFunction(*module, name);
  if (!function)
    return function.takeError();
  ArrayRef<Array> inputs = arguments.take_front(numInputs),
                  outputs = arguments.drop_front(numInputs);
  for (auto [types, arrays] : {std::pair{function->getArgumentTypes(), inputs},
                               {function->getResultTypes(), outputs}}) {
    llvm::Expected<std::vector<Array>> expected = makeArrays(types, "a tensor");
    if (!expected)
      return expected.takeError();
    bool same =
        llvm::equal(*expected, arrays, [](const Array &a, const Array &b) {
          return a.shape == b.shape && a.type == b.type;
        });
    if (!same)
      return llvm::createStringError(
          "'" + path +
          "' has other inputs or outputs than the compiled program");
  }
  return checkOutputs(*function, inputs, outputs, rtol, out);
}
