//===- Piecewise.h - Proofs tensor by tensor --------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_PROVE_PIECEWISE_H
#define MIRAGE_LIB_PROVE_PIECEWISE_H

#include "Mirage/Prove/NormalForm.h"
#include "Mirage/Prove/Prover.h"

namespace mirage {

/// Tries to prove a program as a whole, for these sizes or for all that symbols
/// stand for (SymbolicSizes.h), and says whether that took too much work.
ProofResult proveWhole(const KernelGraph &reference,
                       const KernelGraph &candidate,
                       llvm::ArrayRef<int64_t> symbols, int64_t mostWork,
                       bool &wasTooMuchWork);

/// Whether programs are equal because some of the tensors between the
/// candidate's kernels are tensors of the reference (docs/Proof.md, "Piece by
/// piece"). `mostWork`: for each comparison of two tensors.
bool provePiecewise(const KernelGraph &reference, const KernelGraph &candidate,
                    llvm::ArrayRef<int64_t> symbols = {},
                    int64_t mostWork = prove::TermContext::kMostWork);

} // namespace mirage

#endif // MIRAGE_LIB_PROVE_PIECEWISE_H
