//===- Drawing.h - Drawings of μGraphs --------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TARGET_DRAWING_H
#define MIRAGE_TARGET_DRAWING_H

#include "Mirage/Dialect/Mirage/Mirage.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mirage {

/// Writes the functions of a module as one Graphviz graph, each function and
/// each nested graph a cluster. Graph-defined operators below `level` are drawn
/// as plain nodes. Valid DOT whatever the module holds; ops of other dialects
/// are nodes, too. docs/Drawing.md describes what is drawn.
void writeMugraphDot(mlir::ModuleOp module, Level level,
                     llvm::raw_ostream &out);

/// Reads the file that `--mirage-superoptimize="report=FILE"` writes
/// (docs/Search.md): a list of objects, each with a string `function`. The
/// error says what else the text is.
llvm::Expected<llvm::json::Array> parseSearchReport(llvm::StringRef text);

/// Writes a module as one HTML page that needs nothing else: for each function
/// with a reference both programs, drawn, with their costs, the verdict, and
/// what the report, if there is one, says of the search; every other function
/// is drawn by itself. Fails if the report is about none of the module's
/// functions.
llvm::Error writeMugraphHTML(mlir::ModuleOp module,
                             const llvm::json::Array *report,
                             llvm::raw_ostream &out);

/// Registers `--mugraph-to-dot` and `--mugraph-to-html` with mirage-translate,
/// and their options `--level` and `--report`.
void registerToDrawingTranslations();

} // namespace mirage

#endif // MIRAGE_TARGET_DRAWING_H
