//===- FollowDim.cpp - Where operators hand a dimension on ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Operators/FollowDim.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using llvm::ArrayRef;

/// Through the loops that compute an operator.
static std::optional<int64_t> followLoop(const IterationSpace &space,
                                         ArrayRef<Shape> operands,
                                         ArrayRef<int64_t> dims, int64_t rank) {
  std::optional<int> loop;
  for (auto [dim, loops] : llvm::zip_equal(dims, space.operandLoops)) {
    if (dim == kNotFollowed)
      continue;
    if (loop && *loop != loops[dim])
      return std::nullopt;
    loop = loops[dim];
  }
  if (!loop || *loop == IterationSpace::kNoLoop || *loop >= rank)
    return std::nullopt;
  for (auto [shape, dim, loops] :
       llvm::zip_equal(operands, dims, space.operandLoops))
    for (auto [d, other] : llvm::enumerate(loops))
      if (other == *loop && shape[d] != 1 && dim != static_cast<int64_t>(d))
        return std::nullopt;
  return *loop;
}

/// Through a reshape, which must leave the order of dimensions as it is: the
/// one of this size behind as many elements.
static std::optional<int64_t> followReshape(ArrayRef<int64_t> from,
                                            ArrayRef<int64_t> to, int64_t dim) {
  const int64_t inFront = getNumElements(from.take_front(dim));
  int64_t soFar = 1;
  for (auto [d, size] : llvm::enumerate(to)) {
    if (soFar == inFront && size == from[dim])
      return d;
    soFar *= size;
  }
  return std::nullopt;
}

std::optional<int64_t> mirage::followDim(const Operator &op,
                                         const Params &params,
                                         ArrayRef<Shape> operands,
                                         ArrayRef<int64_t> dims) {
  Shape result;
  if (!op.inferShape(operands, params, result))
    return std::nullopt;
  if (auto space = op.getIterationSpace(operands, params))
    return followLoop(*space, operands, dims, result.size());
  if (op.isReinterpretation())
    return followReshape(operands[0], result, dims[0]);
  // A broadcast: dimensions are aligned at the last.
  if (op.hasShapeParams()) {
    const int64_t dim = dims[0] + result.size() - operands[0].size();
    return operands[0][dims[0]] == result[dim] ? std::optional(dim)
                                               : std::nullopt;
  }
  // Parts of tensors, and tensors of parts, along other dimensions.
  if ((op.isView() || op.isJoin()) && dims[0] != params[0] &&
      llvm::all_equal(dims))
    return dims[0];
  return std::nullopt;
}
