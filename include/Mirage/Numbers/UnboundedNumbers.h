//===- UnboundedNumbers.h - Rounding without overflow -----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_NUMBERS_UNBOUNDEDNUMBERS_H
#define MIRAGE_NUMBERS_UNBOUNDEDNUMBERS_H

#include "Mirage/Numbers/RealNumbers.h"

namespace mirage {

/// One plane of doubles. What is stored in f16, bf16 or any other format is
/// rounded to as many bits, to nearest, ties to even, and keeps its exponent
/// (in the range of f64): what a program loses where it doesn't overflow.
class UnboundedNumbers final : public RealNumbers {
public:
  void store(Tensor &value, const llvm::fltSemantics &format) const override;
};

} // namespace mirage

#endif // MIRAGE_NUMBERS_UNBOUNDEDNUMBERS_H
