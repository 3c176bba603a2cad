//===- VerdictState.h - Whose verdict it is --------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_VERDICTSTATE_H
#define MIRAGE_MUGRAPH_VERDICTSTATE_H

#include "Mirage/Mugraph/Mugraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage {

/// The entry of `mirage.verdict` that says of which μGraph a verdict is.
inline constexpr llvm::StringLiteral kFingerprintKey = "mugraph";

/// Sixteen hexadecimal digits that two different μGraphs have in common only by
/// chance: a hash of the canonical text (CanonicalProgram.h).
std::string getFingerprint(const KernelGraph &graph);

/// What the attribute `mirage.verdict` of a function is worth.
enum class VerdictState {
  /// There is none that says "proved" or "accepted".
  None,
  /// One does, but not of the μGraph that the function has now.
  OfAnother,
  /// The function equals its reference.
  Good
};
VerdictState getVerdictState(mlir::func::FuncOp function);

/// Makes a change that leaves what a function computes as it is: a verdict that
/// was good before is good afterwards, and gone if the function has no μGraph
/// any more.
void keepVerdict(mlir::func::FuncOp function,
                 llvm::function_ref<void()> change);

} // namespace mirage

#endif // MIRAGE_MUGRAPH_VERDICTSTATE_H
