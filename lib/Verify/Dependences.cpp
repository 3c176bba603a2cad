//===- Dependences.cpp - Which inputs elements depend on ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dependences.h"

using namespace mirage;
using llvm::ArrayRef;

Tensor Dependences::zeros(ArrayRef<int64_t> shape) const {
  Tensor result;
  result.shape.assign(shape.begin(), shape.end());
  for (unsigned c = 0; c < numPlanes; ++c)
    result.planes.emplace_back(sizeof(uint32_t), result.getNumElements());
  return result;
}

Tensor Dependences::add(const Tensor &lhs, const Tensor &rhs) const {
  Tensor result = lhs;
  for (unsigned c = 0; c < numPlanes; ++c) {
    uint32_t *r = result.planes[c].as<uint32_t>();
    const uint32_t *y = rhs.planes[c].as<uint32_t>();
    for (int64_t i = 0, e = result.getNumElements(); i < e; ++i)
      r[i] = join(r[i], y[i]);
  }
  return result;
}

std::optional<Tensor> Dependences::function(llvm::StringRef,
                                            ArrayRef<Tensor> operands) const {
  Tensor result = operands[0];
  for (const Tensor &operand : operands.drop_front())
    result = add(result, operand);
  return result;
}

Tensor Dependences::sum(const Tensor &operand, unsigned dim) const {
  ArrayRef<int64_t> from = operand.shape;
  Shape shape = operand.shape;
  shape[dim] = 1;
  Tensor result = zeros(shape);
  int64_t size = from[dim], outer = getNumElements(from.take_front(dim)),
          inner = getNumElements(from.drop_front(dim + 1));
  for (unsigned c = 0; c < numPlanes; ++c) {
    const uint32_t *x = operand.planes[c].as<uint32_t>();
    uint32_t *r = result.planes[c].as<uint32_t>();
    for (int64_t o = 0; o < outer; ++o, r += inner)
      for (int64_t k = 0; k < size; ++k, x += inner)
        for (int64_t i = 0; i < inner; ++i)
          r[i] = join(r[i], x[i]);
  }
  return result;
}

/// Each element depends on a whole row and a whole column.
Tensor Dependences::matmul(const Tensor &lhs, const Tensor &rhs) const {
  size_t rank = lhs.shape.size();
  Tensor rows = sum(lhs, rank - 1), columns = sum(rhs, rank - 2);
  Shape shape = lhs.shape;
  shape[rank - 1] = rhs.shape[rank - 1];
  return add(broadcast(rows, shape), broadcast(columns, shape));
}

Tensor Representatives::makeInput(ArrayRef<int64_t> shape,
                                  unsigned plane) const {
  Tensor result = zeros(shape);
  uint32_t *r = result.planes[plane].as<uint32_t>();
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i)
    r[i] = (static_cast<uint32_t>(i) ^ salt) + 1;
  return result;
}

uint32_t MarkedSets::join(uint32_t lhs, uint32_t rhs) const {
  if (lhs == rhs || rhs == 0)
    return lhs;
  if (lhs == 0)
    return rhs;
  if (lhs > rhs)
    std::swap(lhs, rhs);
  uint32_t &result = joined[{lhs, rhs}];
  if (result == 0) {
    Set both;
    std::set_union(sets[lhs].begin(), sets[lhs].end(), sets[rhs].begin(),
                   sets[rhs].end(), std::back_inserter(both));
    // One set stands for all that are too large.
    if (both.size() > kMost)
      both.assign(kMost + 1, UINT32_MAX);
    result = intern(std::move(both));
  }
  return result;
}

uint32_t MarkedSets::intern(Set set) const {
  auto [entry, isNew] = numbers.try_emplace(
      std::vector<uint32_t>(set.begin(), set.end()), sets.size());
  if (isNew)
    sets.push_back(std::move(set));
  return entry->second;
}
