//===- MatmulPlan.cpp - How warps compute a matrix product ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/MatmulPlan.h"
#include "Mirage/Dialect/Block/Block.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mirage;
using namespace mlir;

/// How many instructions a thread takes for an element of an operand before
/// tensor cores take it: to compute it where it is read, and to make it a tf32,
/// which f32 is rounded to in two.
static double getElementWork(Value operand, Type type, MatmulPlan::Kind kind) {
  double work = 0;
  if (kind == MatmulPlan::Kind::TF32)
    work = type.isF32() ? 2 : 1;
  auto graph = operand.getDefiningOp<block::GraphDefinedOp>();
  if (!graph || !operand.hasOneUse())
    return work;
  // What it reads is converted first.
  work += graph.getBody().getNumArguments();
  for (Operation &op : graph.getBody().front())
    work += isa<OperatorOpInterface>(op);
  return work;
}

/// The bytes of shared memory that the warps read and write, and what they
/// could in the time of their other instructions: the time of a product of
/// tiles is that, or the tensor cores'.
static double getCost(const MatmulPlan &plan, const MatmulUse &use) {
  // Of a fragment of 16 x 16, or 16 x 8, elements of 2 bytes, and of an
  // instruction for each of a lane's.
  constexpr double kRowBytes = 512, kColBytes = 256, kTileBytes = 512;
  constexpr double kRowWork = 8 * 32, kColWork = 4 * 32;
  auto [batches, rows, cols] = plan.getTilesPerWarp();
  int64_t steps = 0;
  double loads = 0;
  for (const MatmulPlan::Product &product : plan.products) {
    int64_t own = llvm::divideCeil(
        llvm::divideCeil(product.depth, plan.getStep()), plan.depthWarps);
    steps += own;
    loads += own * batches * rows * (kRowBytes + product.rowWork * kRowWork);
    if (!plan.isDiagonal)
      loads += own * batches * cols * (kColBytes + product.colWork * kColWork);
  }
  double sums = 2.0 * (plan.depthWarps - 1) * plan.getNumTilesPerWarp() *
                kTileBytes / use.iterations;
  // As much time as the others need for theirs.
  double products = steps * plan.getNumTilesPerWarp() * kTileBytes;
  return (loads + sums) * plan.getActiveWarps() + products * use.numWarps;
}

/// The rows of one `wgmma`, and its most columns.
static constexpr int64_t kGroupRows = 64, kMostGroupCols = 256;

/// Whether warpgroups can share the depth as a plan says: at the end of a row
/// chain each has whole steps of it, or panels (`groupUnit`).
static bool canShareDepth(const MatmulPlan &plan, const MatmulUse &use) {
  if (plan.depthWarps == 1)
    return true;
  return use.endsChain &&
         llvm::all_of(plan.products, [&](const MatmulPlan::Product &product) {
           int64_t unit = std::lcm(plan.getStep(), use.groupUnit);
           return product.depth % (plan.depthWarps * unit) == 0;
         });
}

std::optional<MatmulPlan> mirage::shareAmongWarps(MatmulPlan plan,
                                                  const MatmulUse &use) {
  int64_t steps = 0;
  for (const MatmulPlan::Product &product : plan.products)
    steps += llvm::divideCeil(product.depth, 8);
  std::optional<MatmulPlan> best;
  auto tryOut = [&] {
    if (use.chainParts > 0 &&
        (plan.rowWarps != plan.getRowTiles() || plan.batchWarps > 1 ||
         plan.colWarps != (use.endsChain ? 1 : use.chainParts) ||
         plan.depthWarps != (use.endsChain ? use.chainParts : 1)))
      return;
    if (plan.inWarpgroups &&
        (plan.rowWarps % MatmulPlan::kWarpsPerGroup != 0 ||
         !canShareDepth(plan, use) ||
         (plan.colWarps > 1 &&
          plan.cols / plan.colWarps % use.groupUnit != 0) ||
         plan.getColTiles() / plan.colWarps > kMostGroupCols / 8))
      return;
    if ((plan.isDiagonal && plan.colWarps > 1) ||
        (plan.depthWarps > 1 && !use.mayShareDepth))
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
    MatmulPlan::Kind kind = isF16    ? MatmulPlan::Kind::F16
                            : isBF16 ? MatmulPlan::Kind::BF16
                                     : MatmulPlan::Kind::TF32;
    MatmulPlan::Product &product = plan.products.emplace_back();
    product = {kind, plan.swapped ? rhs : lhs, plan.swapped ? lhs : rhs, depth};
    auto getWork = [&](unsigned number) {
      Value operand = op->getOperand(number);
      return getElementWork(operand, getType(operand), kind);
    };
    product.rowWork = getWork(product.rowOperand);
    product.colWork = getWork(product.colOperand);
  }
  if (!isNarrow)
    return std::nullopt;
  bool isRounded =
      llvm::any_of(plan.products, [](const MatmulPlan::Product &product) {
        return product.kind == MatmulPlan::Kind::TF32;
      });
  if (plan.inWarpgroups && (isRounded || isRagged || plan.depthHalves != 2))
    return std::nullopt;

  return shareAmongWarps(std::move(plan), use);
}
