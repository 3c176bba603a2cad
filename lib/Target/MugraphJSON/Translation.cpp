//===- Translation.cpp - The import as a translation ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/mlir-translate/Translation.h"
#include "Mirage/Target/MugraphJSON.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mirage;

/// Lines that are longer than this are not shown.
static constexpr unsigned kWidest = 200;

static OwningOpRef<Operation *> translate(llvm::SourceMgr &sources,
                                          MLIRContext *context) {
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  ImportedMugraphs imported = importMugraphJSON(buffer->getBuffer(), context);
  StringRef file = buffer->getBufferIdentifier();
  for (const MugraphJSONError &error : imported.errors) {
    // The line of a place that can be found is shown, and saved files have all
    // in one line.
    std::string name = file.str();
    if (error.column > kWidest && !file.starts_with("<"))
      name = "<" + name + ">";
    emitError(FileLineColLoc::get(context, name, error.line, error.column))
        << error.message;
  }
  if (!imported.errors.empty())
    return nullptr;
  return imported.module.release().getOperation();
}

void mirage::registerFromMugraphJSONTranslation() {
  static TranslateToMLIRRegistration registration(
      "import-mugraph-json", "Import μGraphs that mirage-project/mirage saved",
      [](llvm::SourceMgr &sources, MLIRContext *context) {
        return translate(sources, context);
      });
}
