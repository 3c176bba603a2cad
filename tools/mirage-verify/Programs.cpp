//===- Programs.cpp - The programs to compare -----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "Mirage/Conversion/LinalgToMirage/Passes.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Target/MugraphJSON.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mirage;

static raw_ostream &error() {
  return llvm::WithColor::error(llvm::errs(), "mirage-verify");
}

/// Lowers TOSA to linalg with MLIR's own passes.
static LogicalResult lowerTosa(ModuleOp module) {
  WalkResult found = module.walk([](Operation *op) {
    return isa_and_nonnull<tosa::TosaDialect>(op->getDialect())
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return success();
  PassManager pm(module.getContext());
  TosaToLinalgOptions linalgOptions;
  TosaToLinalgNamedOptions namedOptions;
  tosa::addTosaToLinalgPasses(pm, linalgOptions, namedOptions, std::nullopt);
  pm.addNestedPass<func::FuncOp>(createTosaToArithPass());
  pm.addNestedPass<func::FuncOp>(createTosaToTensorPass());
  return pm.run(module);
}

bool ProgramFile::open(StringRef file, MLIRContext &context) {
  path = file == "-" ? "<stdin>" : file.str();
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(file, &message);
  if (!buffer) {
    error() << message << "\n";
    return false;
  }
  isJSON = file.ends_with(".json") || looksLikeMugraphJSON(buffer->getBuffer());
  if (isJSON) {
    ImportedMugraphs imported =
        importMugraphJSON(buffer->getBuffer(), &context);
    for (const MugraphJSONError &wrong : imported.errors)
      llvm::errs() << wrong.getPlace(path) << ": error: " << wrong.message
                   << "\n";
    hasErrors = !imported.errors.empty();
    module = std::move(imported.module);
    return !hasErrors || !module->getBody()->empty();
  }
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  module = parseSourceFile<ModuleOp>(sources, &context);
  return module && succeeded(lowerTosa(*module));
}

void ProgramFile::printError(const Program &program, const Twine &message) {
  SourceMgrDiagnosticHandler handler(sources, module->getContext());
  if (isJSON)
    llvm::errs() << path << ": error: candidate " << program.index << ": "
                 << message << "\n";
  else
    emitError(func::FuncOp(program.function).getLoc(), message);
}

bool ProgramFile::convert(Program &program) {
  SourceMgrDiagnosticHandler handler(sources, program.function.getContext());
  // What is a μGraph already is compared as it stands.
  if (findObstacle(program.function))
    importLinalg(program.function);
  FailureOr<KernelGraph> graph = importKernelGraph(program.function);
  if (failed(graph))
    return false;
  program.graph = std::move(*graph);
  return true;
}

std::optional<Program> ProgramFile::getReference(StringRef name) {
  std::vector<func::FuncOp> functions;
  for (auto function : module->getOps<func::FuncOp>())
    if (name.empty() ? function.isPublic() && !function.isExternal()
                     : function.getSymName() == name)
      functions.push_back(function);
  if (functions.size() != 1) {
    error() << path << ": ";
    if (!name.empty())
      llvm::errs() << "there is no function '" << name << "'\n";
    else if (functions.empty())
      llvm::errs() << "there is no function\n";
    else
      llvm::errs() << "there are several functions; choose the reference with "
                      "--function\n";
    return std::nullopt;
  }
  Program program;
  program.function = functions.front();
  program.name = program.function.getSymName();
  if (!convert(program))
    return std::nullopt;
  return program;
}

std::vector<Program> ProgramFile::getCandidates(bool &complete) {
  std::vector<Program> programs;
  complete = !hasErrors;
  unsigned next = 0;
  for (auto function : module->getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    Program program;
    program.function = function;
    program.name = function.getSymName();
    program.index = next++;
    // The name has the index in the file, where some may be missing.
    if (StringRef name = program.name; isJSON)
      name.drop_front(name.rfind('_') + 1).getAsInteger(10, program.index);
    if (convert(program))
      programs.push_back(std::move(program));
    else
      complete = false;
  }
  if (programs.empty() && complete) {
    error() << path << ": there is no candidate\n";
    complete = false;
  }
  return programs;
}
