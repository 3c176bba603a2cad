//===- VerdictAttr.h - Verdicts that travel with the IR ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_VERIFY_VERDICTATTR_H
#define MIRAGE_VERIFY_VERDICTATTR_H

#include "Mirage/Verify/Equivalence.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace mirage {

/// What a verdict rests on, in a line: "proved, for all sizes", "accepted
/// (random, error at most 2^-51)", "refuted at output 0 [5, 17]", "unknown:
/// why".
std::string getVerdictText(const EquivalenceResult &result);

/// The dictionary that `mirage.verdict` holds on a function with the μGraph
/// that was compared: `verdict` and `verifier`, what belongs to that verifier,
/// and a fingerprint of the μGraph (docs/Verification.md).
mlir::DictionaryAttr getVerdictAttr(mlir::MLIRContext *context,
                                    const EquivalenceResult &result,
                                    const KernelGraph &graph);

/// What such a dictionary says, in the same words as far as it knows them.
std::string getVerdictText(mlir::DictionaryAttr verdict);

} // namespace mirage

#endif // MIRAGE_VERIFY_VERDICTATTR_H
