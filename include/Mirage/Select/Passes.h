//===- Passes.h - Selection as a pass ---------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SELECT_PASSES_H
#define MIRAGE_SELECT_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mirage {

/// What `mirage-select` ranks candidates by.
enum class ProfileKind {
  Auto,  ///< as Cuda where there is a GPU, or else as Model
  Model, ///< the cost model
  Cuda,  ///< times on a GPU
  Host,  ///< times of the host's emulation of a GPU
};

#define GEN_PASS_DECL
#include "Mirage/Select/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Mirage/Select/Passes.h.inc"

} // namespace mirage

#endif // MIRAGE_SELECT_PASSES_H
