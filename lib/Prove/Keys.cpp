//===- Keys.cpp - What makes a term the same as another -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Keys.h"
#include "llvm/Support/raw_ostream.h"

using namespace mirage::prove;
using llvm::FoldingSetNodeID;

static void addInteger(FoldingSetNodeID &key, const llvm::DynamicAPInt &value) {
  bool fits = value >= std::numeric_limits<int64_t>::min() &&
              value <= std::numeric_limits<int64_t>::max();
  key.AddBoolean(fits);
  if (fits)
    return key.AddInteger(int64_t(value));
  std::string digits;
  llvm::raw_string_ostream(digits) << value;
  key.AddString(digits);
}

void mirage::prove::addNumber(FoldingSetNodeID &key, const Rational &value) {
  addInteger(key, value.num);
  addInteger(key, value.den);
}

void mirage::prove::addFactor(FoldingSetNodeID &key, const Factor &factor) {
  key.AddInteger(factor.base->id);
  addNumber(key, factor.exponent);
}
