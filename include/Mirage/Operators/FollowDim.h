//===- FollowDim.h - Where operators hand a dimension on --------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_OPERATORS_FOLLOWDIM_H
#define MIRAGE_OPERATORS_FOLLOWDIM_H

#include "Mirage/Operators/Operator.h"

namespace mirage {

/// What is known of an operand, besides the dimension that is followed: it has
/// none of it, or all of its elements are the same number.
constexpr int64_t kNotFollowed = -1, kSameEverywhere = -2;

/// The dimension of an operator's result that a dimension of its operands
/// becomes, if the operator treats the elements along it one by one: element i
/// of the result is computed from elements i of the operands alone, and in the
/// same way for each i. `dims` has that dimension for each operand, or one of
/// the above, but not for all. None: it is reduced or moved, or meets a
/// dimension that isn't followed.
std::optional<int64_t> followDim(const Operator &op, const Params &params,
                                 llvm::ArrayRef<Shape> operands,
                                 llvm::ArrayRef<int64_t> dims);

} // namespace mirage

#endif // MIRAGE_OPERATORS_FOLLOWDIM_H
