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

/// Of an operand that has no part of the dimension that is followed.
constexpr int64_t kNotFollowed = -1;

/// The dimension of an operator's result that a dimension of its operands
/// becomes, if the operator treats the elements along it one by one: element i
/// of the result is computed from elements i of the operands alone, and in the
/// same way for each i. `dims` has that dimension of each operand, or
/// kNotFollowed, but not of all. None: it is reduced or moved, or meets a
/// dimension that isn't followed.
std::optional<int64_t> followDim(const Operator &op, const Params &params,
                                 llvm::ArrayRef<Shape> operands,
                                 llvm::ArrayRef<int64_t> dims);

} // namespace mirage

#endif // MIRAGE_OPERATORS_FOLLOWDIM_H
