//===- Dependences.h - Which inputs elements depend on ----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_VERIFY_DEPENDENCES_H
#define MIRAGE_LIB_VERIFY_DEPENDENCES_H

#include "Mirage/Numbers/NumberSystem.h"
#include <map>

namespace mirage {

/// Number systems that compute nothing but which elements of the inputs an
/// element is computed from: every function joins what its operands depend on.
/// All planes have words of 32 bits, and 0 stands for nothing.
class Dependences : public NumberSystem {
public:
  Tensor random(llvm::ArrayRef<int64_t> shape, uint64_t, uint64_t) const final {
    return zeros(shape);
  }
  Tensor constant(double) const final { return zeros({}); }
  Tensor zeros(llvm::ArrayRef<int64_t> shape) const final;
  Tensor add(const Tensor &lhs, const Tensor &rhs) const final;
  Tensor sub(const Tensor &lhs, const Tensor &rhs) const final {
    return add(lhs, rhs);
  }
  Tensor mul(const Tensor &lhs, const Tensor &rhs) const final {
    return add(lhs, rhs);
  }
  Tensor div(const Tensor &lhs, const Tensor &rhs) const final {
    return add(lhs, rhs);
  }
  Tensor max(const Tensor &lhs, const Tensor &rhs) const final {
    return add(lhs, rhs);
  }
  Tensor exp(const Tensor &operand) const final { return operand; }
  Tensor sqrt(const Tensor &operand) const override { return operand; }
  Tensor log(const Tensor &operand) const final { return operand; }
  Tensor erf(const Tensor &operand) const final { return operand; }
  Tensor where(const Tensor &condition, const Tensor &value) const final {
    return add(condition, value);
  }
  std::optional<Tensor> function(llvm::StringRef,
                                 llvm::ArrayRef<Tensor> operands) const final;
  Tensor sum(const Tensor &operand, unsigned dim) const final;
  Tensor maximum(const Tensor &operand, unsigned dim) const final {
    return sum(operand, dim);
  }
  Tensor matmul(const Tensor &lhs, const Tensor &rhs) const final;
  std::optional<int64_t> findDifference(const Tensor &,
                                        const Tensor &) const final {
    return std::nullopt;
  }

protected:
  explicit Dependences(unsigned numPlanes) : numPlanes(numPlanes) {}
  /// What an element depends on that is computed from two others: commutative,
  /// associative, idempotent, and 0 is neutral.
  virtual uint32_t join(uint32_t lhs, uint32_t rhs) const = 0;

private:
  unsigned numPlanes;
};

/// One representative for each of some inputs: plane c holds a number for one
/// element of input c that the element depends on, always the same for the same
/// dependences.
class Representatives : public Dependences {
public:
  Representatives(unsigned numInputs, uint32_t salt)
      : Dependences(numInputs), salt(salt & 0x7fffffff) {}

  /// The tensor of input `plane`, for evaluating.
  Tensor makeInput(llvm::ArrayRef<int64_t> shape, unsigned plane) const;
  /// The element that a number other than 0 stands for.
  int64_t getElement(uint32_t number) const { return (number - 1) ^ salt; }

private:
  uint32_t join(uint32_t lhs, uint32_t rhs) const override {
    return std::max(lhs, rhs);
  }
  /// Which elements are preferred.
  uint32_t salt;
};

/// The set of marked elements that an element depends on. Sets of more than
/// kMost are not told apart.
class MarkedSets : public Dependences {
public:
  static constexpr unsigned kMost = 5;
  MarkedSets() : Dependences(1) {}

  /// The set of one mark (any number).
  uint32_t makeMark(uint32_t mark) { return intern({mark}); }
  /// The size of a set; kMost + 1 for all larger ones.
  unsigned getSize(uint32_t set) const { return sets[set].size(); }
  uint32_t join(uint32_t lhs, uint32_t rhs) const override;

private:
  using Set = llvm::SmallVector<uint32_t, kMost + 1>;
  uint32_t intern(Set set) const;

  // Evaluation is const; sets are only ever added.
  mutable std::vector<Set> sets{{}};
  mutable std::map<std::vector<uint32_t>, uint32_t> numbers;
  mutable std::map<std::pair<uint32_t, uint32_t>, uint32_t> joined;
};

} // namespace mirage

#endif // MIRAGE_LIB_VERIFY_DEPENDENCES_H
