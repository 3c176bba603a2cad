//===- FollowCut.h - What a loop's cuts become in operators -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_OPERATORS_FOLLOWCUT_H
#define MIRAGE_OPERATORS_FOLLOWCUT_H

#include "Mirage/Operators/FollowDim.h"

namespace mirage {

/// How a value of a loop's body depends on which elements an iteration has of
/// the dimension that the loop cuts.
struct CutValue {
  enum class Kind {
    Same,    ///< not at all
    Cut,     ///< along `dim` it has what is computed of each of them alone
    Sum,     ///< it is the sum of that over all of them
    Maximum, ///< the maximum
  };
  /// What else than its own elements a cut value, or a sum of such, depends on.
  enum class Relative {
    Nothing,
    Difference,  ///< a maximum has been subtracted from it
    Exponential, ///< it is a multiple of the exponential of such a difference
  };
  Kind kind = Kind::Same;
  int64_t dim = kNotFollowed;
  Relative relative = Relative::Nothing;
  /// A maximum's own number, or that of what a value is relative to.
  unsigned maximum = 0;
  /// Along which dimension a value varies with each of its maximum's;
  /// kNotFollowed for those of size 1.
  llvm::SmallVector<int64_t, 4> ofMaximum;

  /// Whether it may be added up over iterations as it is.
  bool isSum() const {
    return kind == Kind::Sum && relative == Relative::Nothing;
  }
  bool isMaximum() const { return kind == Kind::Maximum; }
  /// Whether it, of a rank, may be added up rescaled by a value of a rank,
  /// which broadcasts to it.
  bool isSumRescaledBy(size_t rank, const CutValue &by, size_t rankOfBy) const;
};

/// What an operator makes of such values, if iterations that have other numbers
/// of elements could make the same of all of them: sums and maxima go to
/// accumulators alone, but for a maximum that is subtracted. Of a maximum the
/// caller sets the number. None otherwise.
std::optional<CutValue> followCut(const Operator &op, const Params &params,
                                  llvm::ArrayRef<Shape> operands,
                                  llvm::ArrayRef<CutValue> values);

/// Whether an operator that makes a sum (`followCut`) may have this operand's
/// elements that don't count replaced by zeros.
bool canMaskSum(const Operator &op, unsigned operand,
                llvm::ArrayRef<CutValue> values);

} // namespace mirage

#endif // MIRAGE_OPERATORS_FOLLOWCUT_H
