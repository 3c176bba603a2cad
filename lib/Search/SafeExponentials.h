//===- SafeExponentials.h - Exponentials of differences ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_SAFEEXPONENTIALS_H
#define MIRAGE_LIB_SEARCH_SAFEEXPONENTIALS_H

#include "Mirage/Mugraph/Mugraph.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mirage {

/// Makes exponentials relative to the maximum of what they are taken of, so
/// that none overflows and parts of a reduced dimension can be added up before
/// the maximum is known.
///
/// - Where the program's results don't depend on it, as those of a softmax:
///   exp(x), or exp(x - n) for another n, becomes exp(x - max(x)), the maximum
///   over what is reduced later. `isEqual` decides whether such a program is
///   the same.
///   exp(c (x - n)) is taken as exp(c x - c n).
/// - exp(x - n) where n is the greater one of m = max(x) and something else
///   becomes exp(x - m) exp(m - n): attention with a sink beside the keys.
KernelGraph
makeExponentialsSafe(const KernelGraph &program,
                     llvm::function_ref<bool(const KernelGraph &)> isEqual);

/// The exponentials, by the numbers of their nodes, that it would change and
/// that can overflow: not exp(x - max(x, y)).
llvm::BitVector
findUnsafeExponentials(const KernelGraph &program,
                       llvm::function_ref<bool(const KernelGraph &)> isEqual);

/// The operators of two operands that depend on one of these exponentials,
/// given by the numbers of their nodes, until nothing depends on what the
/// exponential is relative to: as a softmax's quotient is the last of.
llvm::BitVector findQuotients(const KernelGraph &program,
                              const llvm::BitVector &exponentials);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_SAFEEXPONENTIALS_H
