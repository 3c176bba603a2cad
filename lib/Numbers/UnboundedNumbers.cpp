//===- UnboundedNumbers.cpp - Rounding without overflow -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Numbers/UnboundedNumbers.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

using namespace mirage;

void UnboundedNumbers::store(Tensor &value,
                             const llvm::fltSemantics &format) const {
  int bits = llvm::APFloat::semanticsPrecision(format);
  double *x = value.planes[0].as<double>();
  for (int64_t i = 0, e = value.getNumElements(); i < e; ++i) {
    if (!std::isfinite(x[i]))
      continue;
    int exponent;
    double fraction = std::frexp(x[i], &exponent);
    x[i] =
        std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
  }
}
