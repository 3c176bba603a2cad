//===- Check.cpp - Results beside an evaluation in f64 --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Mirage/Conversion/LinalgToMirage/Passes.h"
#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Numbers/RoundedNumbers.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mirage;

llvm::Expected<std::vector<Array>>
mirage::evaluateAsWritten(func::FuncOp function, ArrayRef<Array> inputs) {
  OwningOpRef<ModuleOp> module = function->getParentOfType<ModuleOp>().clone();
  PassManager pm(module->getContext());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToMirage());
  if (failed(pm.run(*module)))
    return llvm::createStringError("the program can't be imported");
  FailureOr<KernelGraph> graph = importKernelGraph(
      module->lookupSymbol<func::FuncOp>(function.getSymName()));
  if (failed(graph))
    return llvm::createStringError("the program can't be imported");
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

bool mirage::checkOutputs(
    ArrayRef<Array> outputs, ArrayRef<Array> expected,
    std::optional<double> rtol,
    llvm::function_ref<llvm::Expected<std::vector<Array>>()> getAsWritten,
    llvm::raw_ostream &out) {
  // Sums in another order are rounded elsewhere.
  constexpr double kSlack = 1.5;
  bool good = true;
  std::optional<std::vector<Array>> asWritten;
  for (auto [i, output, reference] : llvm::enumerate(outputs, expected)) {
    OutputError error = getError(output, reference);
    // What rounding of the output alone may cost is a half of that.
    double limit =
        rtol.value_or(output.type == ElementType::BF16 ? 8e-3 : 2e-3);
    bool passes = error.relative <= limit;
    std::string own;
    if (!passes && !rtol && getAsWritten && std::isfinite(error.relative)) {
      if (!asWritten) {
        llvm::Expected<std::vector<Array>> result = getAsWritten();
        if (result)
          asWritten = std::move(*result);
        else
          llvm::consumeError(result.takeError());
      }
      if (asWritten) {
        double written = getError((*asWritten)[i], reference).relative;
        own =
            llvm::formatv("; the program as it is written has {0:e3}", written);
        passes = error.relative <= kSlack * written;
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
