//===- Passes.h - Passes around MLIR's gpu-to-nvvm ------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_CONVERSION_GPUTOPTX_PASSES_H
#define MIRAGE_CONVERSION_GPUTOPTX_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include <optional>

namespace mirage {

/// The LLVM features (the PTX version) to compile for `chip` with; nothing for
/// a chip that isn't supported.
std::optional<llvm::StringRef> getPTXFeatures(llvm::StringRef chip);

/// Patterns from math ops on scalars to arith and LLVM intrinsics that need no
/// device library.
void populateLowerDeviceMathPatterns(mlir::RewritePatternSet &patterns);

#define GEN_PASS_DECL
#include "Mirage/Conversion/GPUToPTX/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Mirage/Conversion/GPUToPTX/Passes.h.inc"

} // namespace mirage

#endif // MIRAGE_CONVERSION_GPUTOPTX_PASSES_H
