//===- Passes.h - From μGraphs to the gpu dialect --------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_CONVERSION_MIRAGETOGPU_PASSES_H
#define MIRAGE_CONVERSION_MIRAGETOGPU_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mirage {

#define GEN_PASS_DECL
#include "Mirage/Conversion/MirageToGPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Mirage/Conversion/MirageToGPU/Passes.h.inc"

} // namespace mirage

#endif // MIRAGE_CONVERSION_MIRAGETOGPU_PASSES_H
