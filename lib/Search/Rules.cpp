//===- Rules.cpp - What the search leaves out, by name --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Rules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mirage;

static constexpr SearchRule kRules[] = {
    SearchRule::FactoredSums, SearchRule::Exponentials, SearchRule::Maxima,
    SearchRule::OperandOrder, SearchRule::EqualValues,  SearchRule::DeadTensors,
    SearchRule::Duplicates,   SearchRule::Arrangements, SearchRule::Cuts,
    SearchRule::Transposes,   SearchRule::Orders,       SearchRule::Needed,
    SearchRule::Memory,       SearchRule::Bound,        SearchRule::Partitions,
    SearchRule::WholeTensors, SearchRule::Work,         SearchRule::Reads,
    SearchRule::Indices};

llvm::ArrayRef<SearchRule> mirage::getSearchRules() { return kRules; }

llvm::StringRef mirage::getSearchRuleName(SearchRule rule) {
  switch (rule) {
  case SearchRule::FactoredSums:
    return "factored-sums";
  case SearchRule::Exponentials:
    return "exponentials";
  case SearchRule::Maxima:
    return "maxima";
  case SearchRule::Indices:
    return "indices";
  case SearchRule::OperandOrder:
    return "operand-order";
  case SearchRule::EqualValues:
    return "equal-values";
  case SearchRule::DeadTensors:
    return "dead-tensors";
  case SearchRule::Duplicates:
    return "duplicates";
  case SearchRule::Arrangements:
    return "arrangements";
  case SearchRule::Cuts:
    return "cuts";
  case SearchRule::Transposes:
    return "transposes";
  case SearchRule::Orders:
    return "orders";
  case SearchRule::Needed:
    return "needed";
  case SearchRule::Memory:
    return "memory";
  case SearchRule::Bound:
    return "bound";
  case SearchRule::Partitions:
    return "partitions";
  case SearchRule::WholeTensors:
    return "whole-tensors";
  case SearchRule::Work:
    return "work";
  case SearchRule::Reads:
    return "reads";
  }
  llvm_unreachable("covered switch");
}

llvm::Expected<SearchRule> mirage::parseSearchRule(llvm::StringRef name) {
  for (SearchRule rule : kRules)
    if (getSearchRuleName(rule) == name)
      return rule;
  return llvm::createStringError(
      "unknown rule '" + name + "'; known are " +
      llvm::join(llvm::map_range(kRules, getSearchRuleName), ", "));
}

llvm::SmallVector<llvm::StringRef> SearchRuleSet::getNames() const {
  llvm::SmallVector<llvm::StringRef> names;
  for (SearchRule rule : kRules)
    if (contains(rule))
      names.push_back(getSearchRuleName(rule));
  return names;
}
