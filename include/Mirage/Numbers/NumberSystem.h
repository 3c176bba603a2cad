//===- NumberSystem.h - What the interpreter computes with ------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_NUMBERS_NUMBERSYSTEM_H
#define MIRAGE_NUMBERS_NUMBERSYSTEM_H

#include "Mirage/Numbers/Tensor.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
struct fltSemantics;
} // namespace llvm

namespace mirage {

/// A number system: tensors of its elements and the few functions that every
/// operator is defined with. Elementwise functions take operands of one shape.
class NumberSystem {
public:
  virtual ~NumberSystem();

  /// Independent, uniformly random elements. The same seed and stream (the
  /// index of an input, say) give the same tensor on every machine.
  virtual Tensor random(llvm::ArrayRef<int64_t> shape, uint64_t seed,
                        uint64_t stream) const = 0;
  /// A tensor of rank 0 that holds the number exactly (over the reals: a double
  /// is a dyadic rational).
  virtual Tensor constant(double value) const = 0;
  /// All elements 0.
  virtual Tensor zeros(llvm::ArrayRef<int64_t> shape) const = 0;

  virtual Tensor add(const Tensor &lhs, const Tensor &rhs) const = 0;
  virtual Tensor sub(const Tensor &lhs, const Tensor &rhs) const = 0;
  virtual Tensor mul(const Tensor &lhs, const Tensor &rhs) const = 0;
  virtual Tensor div(const Tensor &lhs, const Tensor &rhs) const = 0;
  virtual Tensor max(const Tensor &lhs, const Tensor &rhs) const = 0;
  virtual Tensor exp(const Tensor &operand) const = 0;
  virtual Tensor sqrt(const Tensor &operand) const = 0;
  virtual Tensor log(const Tensor &operand) const = 0;
  virtual Tensor erf(const Tensor &operand) const = 0;
  /// The value where the condition is greater than 0, and 0 elsewhere.
  virtual Tensor where(const Tensor &condition, const Tensor &value) const = 0;

  /// The value of a function outside of LAX (paper, section 5), or nothing when
  /// this system computes it from its definition.
  virtual std::optional<Tensor>
  function(llvm::StringRef name, llvm::ArrayRef<Tensor> operands) const = 0;

  /// The sum over dimension `dim`, kept with size 1.
  virtual Tensor sum(const Tensor &operand, unsigned dim) const = 0;
  /// The largest element of dimension `dim`, kept with size 1. max and maximum
  /// agree: the maximum of maxima of parts is that of the whole.
  virtual Tensor maximum(const Tensor &operand, unsigned dim) const = 0;
  /// The product of the last two dimensions, batched over the others.
  virtual Tensor matmul(const Tensor &lhs, const Tensor &rhs) const = 0;

  /// What is left of a value that is stored as floats of a format. Only systems
  /// that round change it.
  virtual void store(Tensor &value, const llvm::fltSemantics &format) const {}

  /// The row-major index of the first element in which two tensors of one shape
  /// differ, elements not defined in both left out; nothing when none does.
  virtual std::optional<int64_t> findDifference(const Tensor &lhs,
                                                const Tensor &rhs) const = 0;
};

} // namespace mirage

#endif // MIRAGE_NUMBERS_NUMBERSYSTEM_H
