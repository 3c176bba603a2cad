//===- CompileProgram.h - Makes files of compiled programs ------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_RUNTIME_COMPILEPROGRAM_H
#define MIRAGE_RUNTIME_COMPILEPROGRAM_H

#include "Mirage/Runtime/ProgramFormat.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace mirage {

struct CompileOptions {
  /// The chip to compile for, such as "sm_90a"; empty takes that of the
  /// module's mirage.target.
  std::string chip;
  /// The path of ptxas, which makes machine code; empty for PTX alone.
  std::string ptxas;
};

/// Compiles `function` of a module in the gpu dialect (see extractProgram) to
/// what the runtime library loads. The module stays as it is. What is wrong
/// with the IR is reported as diagnostics, too.
llvm::Expected<program_file::Program>
compileProgram(mlir::ModuleOp module, llvm::StringRef function,
               const CompileOptions &options = {});

/// Whatever `program` says, for people and scripts; code as its size in bytes.
llvm::json::Value describeProgram(const program_file::Program &program);

} // namespace mirage

#endif // MIRAGE_RUNTIME_COMPILEPROGRAM_H
