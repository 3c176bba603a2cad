//===- mirage-opt.cpp - Runs Mirage's passes and pipelines ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/InitAll.h"
#include "Mirage/Search/Interrupt.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mirage::endSearchesOnInterrupt();
  mlir::DialectRegistry registry;
  mirage::registerAllDialects(registry);
  mirage::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Mirage optimizer driver\n", registry));
}
