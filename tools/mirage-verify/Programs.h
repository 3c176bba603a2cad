//===- Programs.h - The programs to compare ---------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MIRAGE_VERIFY_PROGRAMS_H
#define MIRAGE_TOOLS_MIRAGE_VERIFY_PROGRAMS_H

#include "Mirage/Mugraph/Mugraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"
#include <optional>
#include <string>
#include <vector>

namespace mirage {

/// A function of a file.
struct Program {
  /// Its place among the candidates of the file.
  unsigned index = 0;
  std::string name;
  mlir::func::FuncOp function;
  KernelGraph graph;
};

/// A file of programs, MLIR or saved μGraphs. Errors are printed to stderr,
/// with file, line and column where there are any.
class ProgramFile {
public:
  /// Reads and parses; false, with an error printed, when the file as a whole
  /// is wrong. `-` is stdin.
  bool open(llvm::StringRef path, mlir::MLIRContext &context);

  /// The program of that name or, without a name, the only one.
  std::optional<Program> getReference(llvm::StringRef name);
  /// All public functions. What is wrong is left out, and `complete` is false.
  std::vector<Program> getCandidates(bool &complete);

  /// Prints an error that is about a program.
  void printError(const Program &program, const llvm::Twine &message);

private:
  bool convert(Program &program);

  std::string path;
  /// Owns the text that diagnostics show.
  llvm::SourceMgr sources;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  bool isJSON = false;
  /// A candidate of a JSON file could not be read.
  bool hasErrors = false;
};

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGE_VERIFY_PROGRAMS_H
