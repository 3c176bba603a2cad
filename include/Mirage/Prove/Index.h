//===- Index.h - Symbolic indices -------------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_PROVE_INDEX_H
#define MIRAGE_PROVE_INDEX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>

namespace mirage::prove {

/// A variable: an integer from 0 to its extent - 1.
using Var = int64_t;

/// `coefficient * ((var / div) mod extent)`: a part of a variable that is split
/// evenly, scaled. A whole variable has div 1 and its own extent.
struct Digit {
  Var var;
  int64_t div;
  int64_t extent;
  int64_t coefficient;

  bool operator==(const Digit &other) const {
    return var == other.var && div == other.div && extent == other.extent &&
           coefficient == other.coefficient;
  }
};

/// A sum of digits and a constant. Digits that follow one another, such as
/// 4 * (i / 4) + i mod 4, are always joined, so that even splits and their
/// recombination leave no trace.
class Index {
public:
  Index() = default;
  Index(int64_t constant) : constant(constant) {}
  /// A whole variable.
  static Index fromVar(Var var, int64_t extent);

  int64_t getConstant() const { return constant; }
  llvm::ArrayRef<Digit> getDigits() const { return digits; }
  bool isConstant() const { return digits.empty(); }
  bool operator==(const Index &other) const {
    return constant == other.constant && digits == other.digits;
  }
  bool dependsOn(Var var) const;

  /// Nothing where 64 bits don't suffice.
  static std::optional<Index> add(const Index &lhs, const Index &rhs);
  static std::optional<Index> mul(const Index &index, int64_t factor);

  /// index = quotient * divisor + remainder with 0 <= remainder < divisor.
  /// Nothing when that can't be told from divisibility alone: a coefficient or
  /// an extent crosses the divisor unevenly.
  struct Division;
  static std::optional<Division> divide(const Index &index, int64_t divisor);

  /// The index with a variable replaced.
  std::optional<Index> substitute(Var var, const Index &value) const;

  /// The least and the largest value; nothing where 64 bits don't suffice.
  std::optional<int64_t> getMin() const;
  std::optional<int64_t> getMax() const;

  /// Adds what only equal indices have in common.
  void profile(llvm::FoldingSetNodeID &key) const;
  void print(llvm::raw_ostream &out) const;

private:
  bool normalize();

  int64_t constant = 0;
  /// Sorted by variable and div.
  llvm::SmallVector<Digit, 2> digits;
};

struct Index::Division {
  Index quotient, remainder;
  /// Whether divisibility alone was used, and no comparison of sizes.
  bool byDivisibility = true;
};

} // namespace mirage::prove

#endif // MIRAGE_PROVE_INDEX_H
