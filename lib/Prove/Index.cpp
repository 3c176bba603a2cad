//===- Index.cpp - Symbolic indices ---------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Prove/Index.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mirage::prove;

Index Index::fromVar(Var var, int64_t extent) {
  Index index;
  // A variable with one value is that value.
  if (extent > 1)
    index.digits.push_back({var, 1, extent, 1});
  return index;
}

bool Index::dependsOn(Var var) const {
  return llvm::any_of(digits, [&](const Digit &d) { return d.var == var; });
}

/// Sorts, adds up equal digits and joins those that follow one another. False
/// on overflow.
bool Index::normalize() {
  llvm::sort(digits, [](const Digit &a, const Digit &b) {
    return std::tie(a.var, a.div, a.extent) < std::tie(b.var, b.div, b.extent);
  });
  llvm::SmallVector<Digit, 2> joined;
  for (const Digit &digit : digits) {
    if (!joined.empty()) {
      Digit &last = joined.back();
      if (last.var == digit.var && last.div == digit.div &&
          last.extent == digit.extent) {
        if (llvm::AddOverflow(last.coefficient, digit.coefficient,
                              last.coefficient))
          return false;
        continue;
      }
    }
    joined.push_back(digit);
  }
  llvm::erase_if(joined, [](const Digit &d) {
    return d.coefficient == 0 || d.extent == 1;
  });
  for (size_t i = 0; i + 1 < joined.size();) {
    Digit &low = joined[i];
    const Digit &high = joined[i + 1];
    int64_t next = 0, step = 0;
    if (llvm::MulOverflow(low.coefficient, low.extent, next) ||
        llvm::MulOverflow(low.div, low.extent, step))
      return false;
    if (low.var == high.var && step == high.div && next == high.coefficient) {
      if (llvm::MulOverflow(low.extent, high.extent, low.extent))
        return false;
      joined.erase(joined.begin() + i + 1);
      i = 0;
      continue;
    }
    ++i;
  }
  digits = std::move(joined);
  return true;
}

std::optional<Index> Index::add(const Index &lhs, const Index &rhs) {
  Index sum = lhs;
  if (llvm::AddOverflow(sum.constant, rhs.constant, sum.constant))
    return std::nullopt;
  llvm::append_range(sum.digits, rhs.digits);
  if (!sum.normalize())
    return std::nullopt;
  return sum;
}

std::optional<Index> Index::mul(const Index &index, int64_t factor) {
  Index product = index;
  if (llvm::MulOverflow(product.constant, factor, product.constant))
    return std::nullopt;
  for (Digit &digit : product.digits)
    if (llvm::MulOverflow(digit.coefficient, factor, digit.coefficient))
      return std::nullopt;
  if (!product.normalize())
    return std::nullopt;
  return product;
}

std::optional<Index::Division> Index::divide(const Index &index,
                                             int64_t divisor) {
  Division result;
  if (divisor == 1) {
    result.quotient = index;
    return result;
  }
  result.quotient.constant = llvm::divideFloorSigned(index.constant, divisor);
  result.remainder.constant =
      index.constant - result.quotient.constant * divisor;
  for (Digit digit : index.digits) {
    if (digit.coefficient % divisor == 0) {
      digit.coefficient /= divisor;
      result.quotient.digits.push_back(digit);
      continue;
    }
    if (digit.coefficient < 0 || divisor % digit.coefficient != 0)
      return std::nullopt;
    // The digit wraps around after `low` steps.
    int64_t low = divisor / digit.coefficient;
    if (low % digit.extent == 0) {
      result.remainder.digits.push_back(digit);
      continue;
    }
    if (digit.extent % low != 0)
      return std::nullopt;
    Digit high = digit;
    high.div *= low;
    high.extent /= low;
    high.coefficient = 1;
    result.quotient.digits.push_back(high);
    digit.extent = low;
    result.remainder.digits.push_back(digit);
  }
  result.byDivisibility = result.remainder.constant == 0;
  // The remainder is below the divisor when its digits are those of a number in
  // mixed radix: each coefficient is a multiple of what the ones below can
  // reach.
  llvm::SmallVector<Digit, 2> byWeight(result.remainder.digits);
  llvm::sort(byWeight, [](const Digit &a, const Digit &b) {
    return a.coefficient < b.coefficient;
  });
  int64_t reach = result.remainder.constant ? result.remainder.constant + 1 : 1;
  for (const Digit &digit : byWeight) {
    if (result.remainder.constant ? reach > digit.coefficient
                                  : digit.coefficient % reach != 0)
      return std::nullopt;
    reach = digit.coefficient * digit.extent;
  }
  if (result.remainder.constant ? reach > divisor : divisor % reach != 0)
    return std::nullopt;
  if (!result.quotient.normalize() || !result.remainder.normalize())
    return std::nullopt;
  return result;
}

std::optional<Index> Index::substitute(Var var, const Index &value) const {
  Index result(constant);
  for (const Digit &digit : digits) {
    if (digit.var != var) {
      result.digits.push_back(digit);
      continue;
    }
    std::optional<Division> cut = divide(value, digit.div);
    if (!cut)
      return std::nullopt;
    Index part = cut->quotient;
    // The value is below the variable's extent, so that the topmost digit needs
    // no remainder.
    const std::optional<int64_t> max = part.getMax();
    if (!max)
      return std::nullopt;
    if (*max >= digit.extent) {
      cut = divide(part, digit.extent);
      if (!cut)
        return std::nullopt;
      part = cut->remainder;
    }
    std::optional<Index> scaled = mul(part, digit.coefficient);
    if (!scaled ||
        llvm::AddOverflow(result.constant, scaled->constant, result.constant))
      return std::nullopt;
    llvm::append_range(result.digits, scaled->digits);
  }
  if (!result.normalize())
    return std::nullopt;
  return result;
}

/// What an index is where the digits with coefficients of one sign are as large
/// as they can be, and the others 0.
static std::optional<int64_t> getExtreme(const Index &index, bool negative) {
  int64_t sum = index.getConstant();
  for (const Digit &digit : index.getDigits()) {
    int64_t value = 0;
    if ((digit.coefficient < 0) == negative &&
        (llvm::MulOverflow(digit.coefficient, digit.extent - 1, value) ||
         llvm::AddOverflow(sum, value, sum)))
      return std::nullopt;
  }
  return sum;
}

std::optional<int64_t> Index::getMin() const {
  return getExtreme(*this, /*negative=*/true);
}

std::optional<int64_t> Index::getMax() const {
  return getExtreme(*this, /*negative=*/false);
}

void Index::profile(llvm::FoldingSetNodeID &key) const {
  key.AddInteger(constant);
  key.AddInteger(digits.size());
  for (const Digit &d : digits)
    for (int64_t number : {d.coefficient, int64_t(d.var), d.div, d.extent})
      key.AddInteger(number);
}

void Index::print(llvm::raw_ostream &out) const {
  out << constant;
  for (const Digit &d : digits)
    out << '+' << d.coefficient << "*v" << d.var << '/' << d.div << '%'
        << d.extent;
}
