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
#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Numbers/RoundedNumbers.h"
#include "Mirage/Runtime/LinalgReference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include <cmath>

using namespace mlir;
using namespace mirage;

/// The outputs of a program in linalg, computed as it is written: in f32,
/// rounded wherever it stores another type, operator by operator. What the
/// program itself loses. The program is not changed.
static llvm::Expected<std::vector<Array>>
evaluateAsWritten(func::FuncOp program, ArrayRef<Array> inputs) {
  // Beside a compiled program no pass has loaded them.
  program.getContext()
      ->loadDialect<MirageDialect, kernel::KernelDialect, arith::ArithDialect,
                    linalg::LinalgDialect, math::MathDialect>();
  OwningOpRef<func::FuncOp> imported = program.clone();
  importLinalg(*imported);
  if (findObstacle(*imported))
    return llvm::createStringError("it can't be imported, the remarks say why");
  FailureOr<KernelGraph> graph = importKernelGraph(*imported);
  RoundedNumbers numbers;
  std::vector<Tensor> values;
  for (const Array &input : inputs) {
    Tensor &value = values.emplace_back(numbers.zeros(input.shape));
    float *elements = value.planes[0].as<float>();
    for (int64_t i = 0, e = input.getNumElements(); i < e; ++i)
      elements[i] = static_cast<float>(input.get(i));
  }
  std::vector<Array> results;
  for (const Tensor &value : evaluate(*graph, numbers, values)) {
    Array &result = results.emplace_back(value.shape, ElementType::F32);
    const float *elements = value.planes[0].as<float>();
    for (int64_t i = 0, e = result.getNumElements(); i < e; ++i)
      result.set(i, elements[i]);
  }
  return results;
}

namespace {

/// How far an output is from what is expected.
struct OutputError {
  double absolute = 0;
  /// Over the largest magnitude that is expected.
  double relative = 0;
  /// Elements that are infinite or NaN on one side or both.
  int64_t notFinite = 0;
};

OutputError getError(const Array &output, const Array &expected) {
  OutputError error;
  double largest = 0;
  for (int64_t e = 0, n = output.getNumElements(); e < n; ++e) {
    double have = output.get(e), want = expected.get(e);
    if (std::isfinite(have) && std::isfinite(want)) {
      largest = std::max(largest, std::abs(want));
      error.absolute = std::max(error.absolute, std::abs(have - want));
      continue;
    }
    // An infinity or a NaN must be one on both sides.
    ++error.notFinite;
    bool same = have == want || (std::isnan(have) && std::isnan(want));
    if (!same)
      error.absolute = INFINITY;
  }
  error.relative = largest > 0 ? error.absolute / largest : error.absolute;
  return error;
}

} // namespace

llvm::Expected<bool> mirage::checkOutputs(func::FuncOp program,
                                          ArrayRef<Array> inputs,
                                          ArrayRef<Array> outputs,
                                          std::optional<double> rtol,
                                          llvm::raw_ostream &out) {
  llvm::Expected<std::vector<Array>> expected =
      evaluateLinalgF64(program, inputs);
  if (!expected)
    return expected.takeError();
  // Sums in another order are rounded elsewhere.
  constexpr double kSlack = 1.5;
  bool good = true;
  // Evaluated once, if it is needed, and why it can't be.
  std::optional<std::vector<Array>> asWritten;
  std::string obstacle;
  for (auto [i, output, reference] : llvm::enumerate(outputs, *expected)) {
    OutputError error = getError(output, reference);
    // What rounding of the output alone may cost is a half of that.
    double limit =
        rtol.value_or(output.type == ElementType::BF16 ? 8e-3 : 2e-3);
    bool passes = error.relative <= limit;
    std::string own;
    if (!passes && !rtol && std::isfinite(error.relative)) {
      if (!asWritten && obstacle.empty()) {
        if (auto result = evaluateAsWritten(program, inputs))
          asWritten = std::move(*result);
        else
          obstacle = llvm::toString(result.takeError());
      }
      if (asWritten) {
        double written = getError((*asWritten)[i], reference).relative;
        own =
            llvm::formatv("; the program as it is written has {0:e3}", written);
        passes = error.relative <= kSlack * written;
      } else {
        own =
            "; what the program has as it is written is not known: " + obstacle;
      }
    }
    good &= passes;
    out << llvm::formatv("output {0}: {1}, largest absolute error {2:e3}, "
                         "relative {3:e3} ({4}; limit {5:e1}{6})\n",
                         i, describeArray(output.shape, output.type),
                         error.absolute, error.relative,
                         passes ? "ok" : "TOO LARGE", limit, own);
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
