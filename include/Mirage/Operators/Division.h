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

/// So many elements are divided at least, where they are multiplied by
/// reciprocals: fewer aren't worth the barrier behind which those are read. (A
/// block's 128 threads have 8 of them each.)
constexpr int64_t kLeastQuotients = 1024;
/// And so many by one element of the divisor. A quotient of f32 takes six
/// instructions; the reciprocal as many, and it is stored and loaded again.
constexpr int64_t kLeastPerDivisor = 4;

/// Whether elements of a quotient (`Operator::isQuotient`) of such a shape are
/// the dividend's, multiplied by reciprocals of the divisor's: if many are
/// divided by few.
bool dividesByReciprocals(llvm::ArrayRef<int64_t> result,
                          llvm::ArrayRef<int64_t> divisor);

} // namespace mirage

#endif // MIRAGE_OPERATORS_DIVISION_H
