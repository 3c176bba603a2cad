//===- Piecewise.h - Proofs tensor by tensor --------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_PROVE_PIECEWISE_H
#define MIRAGE_LIB_PROVE_PIECEWISE_H

#include "Mirage/Mugraph/Mugraph.h"

namespace mirage {

/// Whether programs are equal because some of the tensors between the
/// candidate's kernels are tensors of the reference (docs/Proof.md, "Piece by
/// piece"): for these sizes or for all that symbols stand for. `mostWork`: for
/// each comparison of two tensors; `mostWorkInAll`: for all of them.
bool provePiecewise(const KernelGraph &reference, const KernelGraph &candidate,
                    llvm::ArrayRef<int64_t> symbols, int64_t mostWork,
                    int64_t mostWorkInAll);

} // namespace mirage

#endif // MIRAGE_LIB_PROVE_PIECEWISE_H
