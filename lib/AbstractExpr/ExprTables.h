//===- ExprTables.h - Calls and their results -------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A search makes the same few thousand expressions hundreds of times each. What
// a call gave is found in one flat table without a look at normal forms.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ABSTRACTEXPR_EXPRTABLES_H
#define MIRAGE_LIB_ABSTRACTEXPR_EXPRTABLES_H

#include "NormalForms.h"
#include "llvm/ADT/StringMap.h"

namespace mirage::detail {

/// What an ExprContext owns.
class ExprTables {
public:
  using Kind = ExprNode::Kind;

  explicit ExprTables(ExprLimits limits) : forms(limits), slots(1 << 10) {}

  /// The result of a call that two words identify, and for a function its
  /// symbol; made by `compute` the first time.
  template <typename F>
  PolynomialId call(Kind kind, uint32_t symbol, uint32_t a, uint32_t b,
                    F compute) {
    uint32_t tag = symbol << 4 | (static_cast<uint32_t>(kind) + 1);
    size_t i = hash(tag, a, b) & (slots.size() - 1);
    for (; slots[i].tag; i = (i + 1) & (slots.size() - 1))
      if (slots[i].tag == tag && slots[i].a == a && slots[i].b == b)
        return slots[i].result;
    PolynomialId result = compute();
    slots[i] = {tag, a, b, result};
    if (++numSlotsUsed * 2 > slots.size())
      grow();
    return result;
  }

  /// Notes that a call made `result`, unless another one did before.
  PolynomialId setOrigin(PolynomialId result, Kind kind, PolynomialId a = 0,
                         PolynomialId b = 0, int64_t factor = 0) {
    if (result >= origins.size())
      origins.resize(result + 1);
    Origin &origin = origins[result];
    if (result && !origin.isKnown)
      origin = {true, kind, a, b, factor};
    return result;
  }
  /// The operator that made it.
  NormalForms::Operation getOperation(PolynomialId p) {
    if (p < origins.size() && origins[p].isKnown) {
      const Origin &origin = origins[p];
      if (origin.a)
        return {origin.kind, origin.a, origin.b, origin.factor, 0, 0};
    }
    return forms.takeApart(p);
  }

  /// Equal names have equal symbols, from 0.
  uint32_t getSymbol(llvm::StringRef name) {
    return symbols.try_emplace(name, symbols.size()).first->second;
  }

  uint32_t getMaxSymbol() const { return maxSymbol; }

  NormalForms forms;

private:
  /// Atoms are what their normal form says, and have no operands here.
  struct Origin {
    bool isKnown = false;
    Kind kind = Kind::Variable;
    PolynomialId a = 0, b = 0;
    int64_t factor = 0;
  };
  struct Slot {
    uint32_t tag = 0, a = 0, b = 0;
    PolynomialId result = 0;
  };

  static size_t hash(uint32_t tag, uint32_t a, uint32_t b) {
    uint64_t word = (uint64_t(a) << 32 | b) * 0x9e3779b97f4a7c15;
    word = (word ^ word >> 32 ^ tag) * 0xd6e8feb86659fd93;
    return word ^ word >> 32;
  }

  void grow() {
    std::vector<Slot> old(slots.size() * 2);
    std::swap(old, slots);
    for (const Slot &slot : old) {
      if (!slot.tag)
        continue;
      size_t i = hash(slot.tag, slot.a, slot.b) & (slots.size() - 1);
      while (slots[i].tag)
        i = (i + 1) & (slots.size() - 1);
      slots[i] = slot;
    }
  }

  /// Open addressing; a power of two, at most half of them used.
  std::vector<Slot> slots;
  size_t numSlotsUsed = 0;
  std::vector<Origin> origins;
  llvm::StringMap<uint32_t> symbols;
  uint32_t maxSymbol = getSymbol("max");
};

} // namespace mirage::detail

#endif // MIRAGE_LIB_ABSTRACTEXPR_EXPRTABLES_H
