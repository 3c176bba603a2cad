//===- Profilers.cpp - Candidates compiled, checked and timed -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Select/Profilers.h"
#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Mugraph/CanonicalProgram.h"
#include "Mirage/Numbers/RealNumbers.h"
#include "Mirage/Pipelines/MiragePipeline.h"
#include "Mirage/Runtime/OutputCheck.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"

using namespace mirage;
using namespace mlir;

namespace {

class CompilingProfiler final : public Profiler {
public:
  CompilingProfiler(const KernelGraph &reference, DeviceRunner &runner,
                    const ProfilerOptions &options)
      : reference(reference), runner(runner), options(options) {}

  std::string getDevice() const override { return runner.getDevice(); }
  std::string getMethod() const override { return runner.getMethod(); }

  llvm::Expected<std::string>
  getFingerprint(const SelectCandidate &candidate) override {
    func::FuncOp function = candidate.function;
    FirstError errors(function.getContext());
    llvm::Expected<ModuleOp> module = compile(function, errors);
    if (!module)
      return module.takeError();
    std::string text, fingerprint;
    llvm::raw_string_ostream(text) << *module;
    llvm::raw_string_ostream os(fingerprint);
    os << "code=" << getHash(text)
       << " reference=" << getHash(getCanonicalText(reference))
       << " seed=" << options.seed << " rtol=";
    if (options.tolerance)
      // JSON has all digits.
      os << llvm::json::Value(*options.tolerance);
    return fingerprint;
  }

  llvm::Expected<double> measure(const SelectCandidate &candidate) override {
    if (llvm::Error error = prepare())
      return std::move(error);
    func::FuncOp function = candidate.function;
    FirstError errors(function.getContext());
    llvm::Expected<ModuleOp> module = compile(function, errors);
    if (!module)
      return module.takeError();
    std::vector<Array> arguments = inputs;
    arguments.insert(arguments.end(), outputs.begin(), outputs.end());
    StringRef name = function.getSymName();
    if (llvm::Error error = runner.run(*module, name, arguments))
      return errors.explain(std::move(error));
    if (llvm::Error error =
            compare(ArrayRef<Array>(arguments).drop_front(inputs.size())))
      return std::move(error);
    llvm::Expected<double> time = runner.time(*module, name, arguments);
    if (!time)
      return errors.explain(time.takeError());
    return *time;
  }

private:
  /// Keeps the first error from being told: what is wrong is said once, by
  /// whoever asked.
  class FirstError {
  public:
    explicit FirstError(MLIRContext *context)
        : handler(context, [this](Diagnostic &diagnostic) {
            if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
                text.empty())
              text = diagnostic.str();
            return success();
          }) {}
    /// Adds it to what has come of it.
    llvm::Error explain(llvm::Error error) const {
      std::string what = llvm::toString(std::move(error));
      return llvm::createStringError(text.empty() ? what : what + ": " + text);
    }

  private:
    std::string text;
    ScopedDiagnosticHandler handler;
  };

  static std::string getHash(StringRef text) {
    return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)));
  }

  /// The inputs, and what the reference makes of them.
  llvm::Error prepare() {
    if (!expected.empty())
      return llvm::Error::success();
    inputs.clear();
    outputs.clear();
    RealNumbers numbers;
    std::vector<Tensor> values;
    for (unsigned i = 0; i < reference.numInputs; ++i) {
      llvm::Expected<Array> array = makeArray(reference.tensors[i], "input");
      if (!array)
        return array.takeError();
      fillUniform(*array, options.seed, i);
      Tensor value = numbers.zeros(array->shape);
      for (int64_t e = 0, n = array->getNumElements(); e < n; ++e)
        value.planes[0].as<double>()[e] = array->get(e);
      values.push_back(std::move(value));
      inputs.push_back(std::move(*array));
    }
    for (unsigned output : reference.outputs) {
      llvm::Expected<Array> array =
          makeArray(reference.tensors[output], "output");
      if (!array)
        return array.takeError();
      outputs.push_back(std::move(*array));
    }
    for (const Tensor &value : evaluate(reference, numbers, values)) {
      Array &array = expected.emplace_back(value.shape, ElementType::F64);
      for (int64_t e = 0, n = array.getNumElements(); e < n; ++e)
        array.set(e, value.planes[0].as<double>()[e]);
    }
    return llvm::Error::success();
  }

  static llvm::Expected<Array> makeArray(const KernelTensor &tensor,
                                         StringRef what) {
    std::optional<ElementType> type = getElementType(tensor.elementType);
    if (!type) {
      std::string text;
      llvm::raw_string_ostream(text)
          << "an " << what << " has elements of type " << tensor.elementType
          << ", which can't be run";
      return llvm::createStringError(text);
    }
    return Array(tensor.shape, *type);
  }

  /// The candidate alone, in the gpu dialect. Asked again for the same, it
  /// remembers.
  llvm::Expected<ModuleOp> compile(func::FuncOp function,
                                   const FirstError &errors) {
    if (compiled && compiledFunction == function)
      return *compiled;
    OwningOpRef<ModuleOp> module(ModuleOp::create(function.getLoc()));
    // With the numbers of its target.
    if (auto from = function->getParentOfType<ModuleOp>())
      if (Attribute target = from->getAttr(MirageDialect::kTargetAttr))
        (*module)->setAttr(MirageDialect::kTargetAttr, target);
    auto clone = cast<func::FuncOp>(function->clone());
    clone.setPublic();
    OpBuilder builder(module->getBodyRegion());
    builder.insert(clone);
    // What it was verified against, so that it isn't searched again.
    if (auto name = function->getAttrOfType<FlatSymbolRefAttr>(
            MirageDialect::kReferenceAttr))
      if (Operation *other = SymbolTable::lookupNearestSymbolFrom(
              function->getParentOp(), name))
        builder.insert(other->clone());
    MiragePipelineOptions pipeline;
    pipeline.compileTo = CompilePhase::GPU;
    pipeline.target = options.chip;
    PassManager pm(function.getContext());
    buildMiragePipeline(pm, pipeline);
    if (failed(pm.run(*module)))
      return errors.explain(llvm::createStringError("it can't be compiled"));
    compiled = std::move(module);
    compiledFunction = function;
    return *compiled;
  }

  llvm::Error compare(ArrayRef<Array> results) const {
    OutputCheck check(
        [&]() -> llvm::Expected<KernelGraph> { return reference; }, inputs,
        options.tolerance);
    for (auto [i, output, value] : llvm::enumerate(results, expected)) {
      OutputCheck::Result result = check.check(i, output, value);
      if (result.passes)
        continue;
      std::string text =
          llvm::formatv("it computes something else: the relative error of "
                        "output {0} is {1:e2}, the limit {2:e2}",
                        i, result.error.relative, result.limit);
      if (!result.asWritten.empty())
        text += "; " + result.asWritten;
      return llvm::createStringError(text);
    }
    return llvm::Error::success();
  }

  const KernelGraph &reference;
  DeviceRunner &runner;
  ProfilerOptions options;
  std::vector<Array> inputs, outputs;
  /// In f64.
  std::vector<Array> expected;
  /// What was compiled last.
  func::FuncOp compiledFunction;
  OwningOpRef<ModuleOp> compiled;
};

} // namespace

std::unique_ptr<Profiler> mirage::makeProfiler(const KernelGraph &reference,
                                               DeviceRunner &runner,
                                               const ProfilerOptions &options) {
  return std::make_unique<CompilingProfiler>(reference, runner, options);
}
