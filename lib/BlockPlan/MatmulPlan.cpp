//===- MatmulPlan.cpp - How warps compute a matrix product ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/MatmulPlan.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;
using namespace mlir;

/// The bytes of shared memory that the warps read and write: the time of a
/// product of tiles is that, or the tensor cores'.
static double getCost(const MatmulPlan &plan, const MatmulUse &use) {
  // Of a fragment of 16 x 16, or 16 x 8, elements of 2 bytes.
  constexpr double kRowBytes = 512, kColBytes = 256, kTileBytes = 512;
  auto [batches, rows, cols] = plan.getTilesPerWarp();
  int64_t steps = 0;
  for (const MatmulPlan::Product &product : plan.products)
    steps += llvm::divideCeil(llvm::divideCeil(product.depth, plan.getStep()),
                              plan.depthWarps);
  double loads = steps * batches * (rows * kRowBytes + cols * kColBytes);
  double sums = 2.0 * (plan.depthWarps - 1) * plan.getNumTilesPerWarp() *
                kTileBytes / use.iterations;
  // As much time as the others need for theirs.
  double products = steps * plan.getNumTilesPerWarp() * kTileBytes;
  return (loads + sums) * plan.getActiveWarps() + products * use.numWarps;
}

/// The rows of one `wgmma`, and its most columns.
static constexpr int64_t kGroupRows = 64, kMostGroupCols = 256;
/// Groups that share columns begin with a panel of the widest swizzle, of
/// elements of 2 bytes.
static constexpr int64_t kPanelCols = 64;

std::optional<MatmulPlan>
mirage::planMatmul(OperatorOpInterface op,
                   function_ref<Type(Value operand)> getType,
                   const MatmulUse &use) {
  ArrayRef<Operator::OperandPair> products =
      op.getSemantics().getMatrixProducts();
  if (products.empty())
    return std::nullopt;

  MatmulPlan plan;
  auto result = cast<ShapedType>(op->getResult(0).getType()).getShape();
  size_t rank = result.size();
  plan.batches = 1;
  for (int64_t size : result.drop_back(2))
    plan.batches *= size;
  int64_t m = result[rank - 2], n = result[rank - 1];
  auto countTiles = [](int64_t rows, int64_t cols) {
    return llvm::divideCeil(rows, 16) * llvm::divideCeil(cols, 8);
  };
  plan.swapped = use.chainParts == 0 && countTiles(n, m) < countTiles(m, n);
  plan.inWarpgroups = use.inWarpgroups;
  plan.inRowChain = use.chainParts > 0;
  if (plan.inWarpgroups) {
    auto isPossible = [](int64_t rows, int64_t cols) {
      return rows % kGroupRows == 0 && cols % 8 == 0;
    };
    if (use.chainParts == 0 &&
        !isPossible(plan.swapped ? n : m, plan.swapped ? m : n))
      plan.swapped = !plan.swapped;
    if (!isPossible(plan.swapped ? n : m, plan.swapped ? m : n))
      return std::nullopt;
  }
  plan.rows = plan.swapped ? n : m;
  plan.cols = plan.swapped ? m : n;

  bool isNarrow = false, isRagged = false;
  plan.depthHalves = 2;
  int64_t steps = 0;
  for (auto [lhs, rhs] : products) {
    bool isF16 = true, isBF16 = true;
    for (unsigned operand : {lhs, rhs}) {
      Type type = getType(op->getOperand(operand));
      isF16 &= isa<Float16Type>(type);
      isBF16 &= isa<BFloat16Type>(type);
      isNarrow |= isa<Float16Type, BFloat16Type>(type);
    }
    int64_t depth =
        cast<ShapedType>(op->getOperand(lhs).getType()).getShape().back();
    int64_t eights = llvm::divideCeil(depth, 8);
    if (eights % 2 != 0)
      plan.depthHalves = 1;
    isRagged |= depth % 8 != 0;
    steps += eights;
    MatmulPlan::Kind kind = isF16    ? MatmulPlan::Kind::F16
                            : isBF16 ? MatmulPlan::Kind::BF16
                                     : MatmulPlan::Kind::TF32;
    plan.products.push_back(
        {kind, plan.swapped ? rhs : lhs, plan.swapped ? lhs : rhs, depth});
  }
  if (!isNarrow)
    return std::nullopt;
  bool isRounded =
      llvm::any_of(plan.products, [](const MatmulPlan::Product &product) {
        return product.kind == MatmulPlan::Kind::TF32;
      });
  if (plan.inWarpgroups && (isRounded || isRagged || plan.depthHalves != 2))
    return std::nullopt;

  std::optional<MatmulPlan> best;
  auto tryOut = [&] {
    if (use.chainParts > 0 &&
        (plan.rowWarps != plan.getRowTiles() || plan.batchWarps > 1 ||
         plan.colWarps != (use.endsChain ? 1 : use.chainParts) ||
         plan.depthWarps != (use.endsChain ? use.chainParts : 1)))
      return;
    if (plan.inWarpgroups &&
        (plan.rowWarps % MatmulPlan::kWarpsPerGroup != 0 ||
         plan.depthWarps > 1 ||
         (plan.colWarps > 1 && plan.cols / plan.colWarps % kPanelCols != 0) ||
         plan.getColTiles() / plan.colWarps > kMostGroupCols / 8))
      return;
    // All parts of the sums may be in registers at once when they are added up.
    constexpr int64_t kMostParts = 32;
    if (use.iterations > 1 && plan.depthWarps > 1 &&
        plan.depthWarps * plan.getNumTilesPerWarp() > kMostParts)
      return;
    if (plan.getActiveWarps() > use.numWarps ||
        plan.depthWarps > steps / plan.depthHalves ||
        plan.getNumTilesPerWarp() > use.maxTilesPerWarp)
      return;
    if (!best || getCost(plan, use) < getCost(*best, use))
      best = plan;
  };
  auto forEachDivisor = [&](int64_t number, int64_t &divisor, auto visit) {
    for (divisor = 1; divisor <= std::min(number, use.numWarps); ++divisor)
      if (number % divisor == 0)
        visit();
    divisor = 1;
  };
  forEachDivisor(plan.batches, plan.batchWarps, [&] {
    forEachDivisor(plan.getRowTiles(), plan.rowWarps, [&] {
      forEachDivisor(plan.getColTiles(), plan.colWarps, [&] {
        forEachDivisor(use.numWarps, plan.depthWarps, tryOut);
      });
    });
  });
  return best;
}
