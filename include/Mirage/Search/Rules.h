//===- Rules.h - What the search leaves out, by name ------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_RULES_H
#define MIRAGE_SEARCH_RULES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace mirage {

/// The rules by which the search leaves things out. They lose no function, and
/// nothing that is cheaper than what is found, but for `transposes`, `orders`,
/// `exponentials` and `cuts`, which may lose some cost. docs/Search.md says for
/// each why, and how much was seen; each can be switched off. The subexpression
/// oracle is not among them: its switch is OracleKind::None.
enum class SearchRule : uint8_t {
  FactoredSums, ///< "factored-sums"
  Exponentials, ///< "exponentials"
  Maxima,       ///< "maxima"
  OperandOrder, ///< "operand-order"
  EqualValues,  ///< "equal-values"
  DeadTensors,  ///< "dead-tensors"
  Duplicates,   ///< "duplicates"
  Arrangements, ///< "arrangements"
  Cuts,         ///< "cuts"
  Transposes,   ///< "transposes"
  Orders,       ///< "orders"
  Needed,       ///< "needed"
  Memory,       ///< "memory"
  Bound,        ///< "bound"
  Partitions,   ///< "partitions"
  WholeTensors, ///< "whole-tensors"
  Work,         ///< "work"
  Reads,        ///< "reads"
  Indices,      ///< "indices"
};

/// All of them, in order.
llvm::ArrayRef<SearchRule> getSearchRules();
/// The name in the option `without`.
llvm::StringRef getSearchRuleName(SearchRule rule);
/// An error lists the names.
llvm::Expected<SearchRule> parseSearchRule(llvm::StringRef name);

/// A set of rules.
class SearchRuleSet {
public:
  bool contains(SearchRule rule) const { return bits & getBit(rule); }
  void insert(SearchRule rule) { bits |= getBit(rule); }
  bool empty() const { return bits == 0; }
  /// Their names, in the order of the rules.
  llvm::SmallVector<llvm::StringRef> getNames() const;

private:
  static uint32_t getBit(SearchRule rule) {
    return uint32_t(1) << static_cast<unsigned>(rule);
  }
  uint32_t bits = 0;
};

} // namespace mirage

#endif // MIRAGE_SEARCH_RULES_H
