//===- mirage-translate.cpp - Translates between MLIR and other formats ---===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Target/Drawing.h"
#include "Mirage/Target/MugraphJSON.h"
#include "Mirage/Target/Program.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  mirage::registerFromMugraphJSONTranslation();
  mirage::registerToDrawingTranslations();
  mirage::registerProgramTranslations();
  return failed(
      mlir::mlirTranslateMain(argc, argv, "Mirage translation tool\n"));
}
