//===- ProductReads.cpp - How often products read what they multiply ------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductReads.h"
#include "Mirage/Cost/Clusters.h"
#include "Mirage/Cost/CostModel.h"
#include "ProductLoad.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;
using llvm::ArrayRef;

/// How much longer tensor cores' operands take to be read where `ldmatrix`
/// can't load 16 bytes of a row: elements go one by one, in each other's way.
static constexpr double kLoneReads = 3;

bool mirage::isMatrixProduct(const OperatorCost &cost,
                             const std::optional<IterationSpace> &space,
                             ArrayRef<int64_t> result) {
  return cost.tensorFlops > 0 && space && result.size() >= 2 &&
         space->sizes.size() > result.size();
}

int64_t mirage::getPaddedTensorFlops(const OperatorCost &cost,
                                     const std::optional<IterationSpace> &space,
                                     ArrayRef<int64_t> result) {
  if (!isMatrixProduct(cost, space, result))
    return cost.tensorFlops;
  int64_t rows = result[result.size() - 2], columns = result.back();
  int64_t padded = getPaddedElements(rows, columns);
  int64_t depth = 0, paddedDepth = 0;
  for (int64_t size : ArrayRef(space->sizes).drop_front(result.size())) {
    depth += size;
    paddedDepth += llvm::alignTo(size, kMmaDepth);
  }
  if (rows * columns * depth == 0)
    return cost.tensorFlops;
  return static_cast<double>(cost.tensorFlops) * padded / (rows * columns) *
         paddedDepth / depth;
}

int64_t mirage::getPaddedTensorFlops(const Operator &op,
                                     ArrayRef<Shape> operands,
                                     ArrayRef<int64_t> result,
                                     const Params &params) {
  return getPaddedTensorFlops(op.getCost(operands, result, params),
                              op.getIterationSpace(operands, params), result);
}

int64_t mirage::countReads(const OperatorCost &cost,
                           const std::optional<IterationSpace> &space,
                           ArrayRef<int64_t> result, unsigned operand,
                           int64_t side) {
  if (!isMatrixProduct(cost, space, result))
    return 1;
  int64_t reads = 1;
  for (size_t loop = 0; loop < result.size(); ++loop)
    if (!llvm::is_contained(space->operandLoops[operand], loop))
      reads *= loop + 2 < result.size()
                   ? space->sizes[loop]
                   : llvm::divideCeil(space->sizes[loop], side);
  return reads;
}

int64_t mirage::countTileReads(const Operator &op, ArrayRef<Shape> operands,
                               ArrayRef<int64_t> result, const Params &params,
                               unsigned operand) {
  return countReads(op.getCost(operands, result, params),
                    op.getIterationSpace(operands, params), result, operand,
                    kWarpSide);
}

double mirage::getProductReadFactor(ArrayRef<int64_t> tile, unsigned bits) {
  bool isAligned = !tile.empty() && tile.back() * bits % kBulkRowBits == 0;
  return isAligned ? 1 : kLoneReads;
}
