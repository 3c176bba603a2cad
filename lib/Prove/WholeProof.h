//===- WholeProof.h - Proofs of programs as a whole -------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_PROVE_WHOLEPROOF_H
#define MIRAGE_LIB_PROVE_WHOLEPROOF_H

#include "Mirage/Prove/NormalForm.h"
#include "Mirage/Prove/Prover.h"

namespace mirage {

/// What an attempt came to, and what it took (TermContext::getWork).
struct WholeProof {
  ProofResult result;
  int64_t work = 0;
};

/// Tries to prove a program as a whole, for these sizes or for all that symbols
/// stand for (SymbolicSizes.h): gives up after so much work.
WholeProof proveWhole(const KernelGraph &reference,
                      const KernelGraph &candidate,
                      llvm::ArrayRef<int64_t> symbols, int64_t mostWork);

} // namespace mirage

#endif // MIRAGE_LIB_PROVE_WHOLEPROOF_H
