//===- Division.h - How quotients are computed ------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_OPERATORS_DIVISION_H
#define MIRAGE_OPERATORS_DIVISION_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace mirage {

/// Whether many elements are divided by few, so that they are multiplied by
/// reciprocals, of which there are as many as elements of the divisor. A tile
/// of few elements isn't worth the reciprocals' barrier.
bool dividesByReciprocals(llvm::ArrayRef<int64_t> result,
                          llvm::ArrayRef<int64_t> divisor);

} // namespace mirage

#endif // MIRAGE_OPERATORS_DIVISION_H
