//===- Translation.cpp - To and from compiled programs --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/mlir-translate/Translation.h"
#include "Mirage/InitAll.h"
#include "Mirage/Pipelines/MiragePipeline.h"
#include "Mirage/Runtime/CompileProgram.h"
#include "Mirage/Runtime/Program.h"
#include "Mirage/Target/Program.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mirage;

/// The function to compile; null, with an error, if it isn't clear which.
static func::FuncOp findFunction(ModuleOp module, StringRef name) {
  func::FuncOp found;
  for (auto function : module.getOps<func::FuncOp>()) {
    bool wanted = name.empty() ? function.isPublic() && !function.isExternal()
                               : function.getName() == name;
    if (!wanted)
      continue;
    if (found) {
      InFlightDiagnostic diagnostic = module.emitError(
          "there are several functions; choose one with --function");
      diagnostic.attachNote(found.getLoc()) << "this is one";
      diagnostic.attachNote(function.getLoc()) << "this is another";
      return {};
    }
    found = function;
  }
  if (!found) {
    if (name.empty())
      module.emitError("there is no public function");
    else
      module.emitError("there is no function '") << name << "'";
  }
  return found;
}

static LogicalResult translateToProgram(ModuleOp module, StringRef name,
                                        const CompileOptions &options,
                                        llvm::raw_ostream &out) {
  func::FuncOp function = findFunction(module, name);
  if (!function)
    return failure();
  std::string symbol = function.getName().str();
  OwningOpRef<ModuleOp> lowered;
  if (!function->hasAttr(kNumResultsAttr)) {
    // Still on tensors.
    lowered = module.clone();
    MiragePipelineOptions pipeline;
    pipeline.compileTo = CompilePhase::GPU;
    auto target = module->getAttrOfType<TargetAttr>(MirageDialect::kTargetAttr);
    if (!options.chip.empty())
      pipeline.target = options.chip;
    else if (target)
      pipeline.target = target.getChip().str();
    PassManager pm(module.getContext());
    buildMugraphLowering(pm, pipeline);
    if (failed(pm.run(*lowered)))
      return failure();
    module = *lowered;
  }
  bool isReported = false;
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        isReported |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
        return failure(); // it is printed by others
      });
  llvm::Expected<program_file::Program> program =
      compileProgram(module, symbol, options);
  if (!program) {
    // What a pass says is closer to what is wrong.
    std::string text = llvm::toString(program.takeError());
    if (!isReported)
      function.emitError(text);
    return failure();
  }
  out << program_file::encode(*program);
  return success();
}

static LogicalResult translateToJSON(llvm::SourceMgr &sources,
                                     llvm::raw_ostream &out,
                                     MLIRContext *context) {
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  program_file::Program program;
  std::string message;
  if (program_file::decode(buffer->getBufferStart(), buffer->getBufferSize(),
                           program,
                           message) != program_file::DecodeStatus::Success)
    return emitError(UnknownLoc::get(context), "the program can't be read: ")
           << message;
  out << llvm::formatv("{0:2}\n", describeProgram(program));
  return success();
}

void mirage::registerProgramTranslations() {
  static llvm::cl::opt<std::string> chip(
      "chip", llvm::cl::desc("What --mlir-to-program compiles for; the "
                             "module's mirage.target by default"));
  static llvm::cl::opt<std::string> function(
      "function", llvm::cl::desc("The function that --mlir-to-program "
                                 "compiles; the only public one by default"));
  static llvm::cl::opt<std::string> ptxas(
      "ptxas", llvm::cl::value_desc("path"),
      llvm::cl::desc("With --mlir-to-program: add the machine code that this "
                     "ptxas makes"));
  static TranslateFromMLIRRegistration toProgram(
      "mlir-to-program",
      "Compile μGraphs, or a module in the gpu dialect, to a program file",
      [](ModuleOp module, llvm::raw_ostream &out) {
        // A diagnostic shows the place; the whole module would hide it.
        module.getContext()->printOpOnDiagnostic(false);
        CompileOptions options;
        options.chip = chip;
        options.ptxas = ptxas;
        return translateToProgram(module, function, options, out);
      },
      registerAllDialects);
  static TranslateRegistration toJSON(
      "program-to-json", "Describe a program file",
      [](const std::shared_ptr<llvm::SourceMgr> &sources,
         llvm::raw_ostream &out, MLIRContext *context) {
        return translateToJSON(*sources, out, context);
      });
}
