//===- SymbolicSizes.h - Programs whose sizes stand for all -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_PROVE_SYMBOLICSIZES_H
#define MIRAGE_PROVE_SYMBOLICSIZES_H

#include "Mirage/Mugraph/Mugraph.h"
#include <optional>

namespace mirage::prove {

/// Two programs with other sizes: dimensions that always have a size in common
/// have one that is a multiple of a factor of their own.
struct ResizedPrograms {
  KernelGraph reference, candidate;
  llvm::SmallVector<int64_t> factors;
};

/// Gives each independent dimension the size that its grids and loops need,
/// times what `nextFactor` returns for it. Nothing when a dimension of an input
/// or output can't be varied alone, and the reason.
std::optional<ResizedPrograms>
resizePrograms(const KernelGraph &reference, const KernelGraph &candidate,
               llvm::function_ref<int64_t()> nextFactor, std::string &reason);

/// The same with primes larger than every size and count of the programs, each
/// used once, which then behave like symbols wherever sizes are only
/// multiplied, divided and compared for equality.
std::optional<ResizedPrograms> makeSymbolic(const KernelGraph &reference,
                                            const KernelGraph &candidate,
                                            std::string &reason);

} // namespace mirage::prove

#endif // MIRAGE_PROVE_SYMBOLICSIZES_H
