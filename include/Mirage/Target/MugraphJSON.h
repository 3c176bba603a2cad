//===- MugraphJSON.h - Import of saved μGraphs ------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TARGET_MUGRAPHJSON_H
#define MIRAGE_TARGET_MUGRAPHJSON_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>
#include <vector>

namespace mirage {

/// What is wrong with a file of μGraphs.
struct MugraphJSONError {
  /// The place in the text, counted from 1: of an error of syntax, else of the
  /// operator.
  unsigned line = 1, column = 1;
  /// Begins with the candidate and the operator and names the field, where it
  /// is about one: "candidate 3, operator 4 (kn_matmul_op): field '...': ...".
  std::string message;

  /// "file.json:2:7".
  std::string getPlace(llvm::StringRef file) const;
};

/// The μGraphs of a file.
struct ImportedMugraphs {
  /// A function `candidate_<i>` for each candidate i that is right, in order;
  /// verified. Empty when the text isn't JSON.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// One for each candidate that is wrong, in order, or one for the file.
  std::vector<MugraphJSONError> errors;
};

/// Reads μGraphs in the JSON format of mirage-project/mirage: a list of them,
/// or a single one. docs/MugraphJSON.md describes the format. Loads the
/// dialects that it needs. Any text gives a result or errors.
ImportedMugraphs importMugraphJSON(llvm::StringRef text,
                                   mlir::MLIRContext *context);

/// Whether a text is meant as JSON and not as MLIR, by its first characters:
/// MLIR never begins with `[`, and with `{` only as `{-#`.
bool looksLikeMugraphJSON(llvm::StringRef text);

/// Registers `--import-mugraph-json` with mirage-translate.
void registerFromMugraphJSONTranslation();

} // namespace mirage

#endif // MIRAGE_TARGET_MUGRAPHJSON_H
