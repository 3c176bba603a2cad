//===- NarrowedProductEmitter.cpp - Products of f32 in f16 ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of f16 times one that is computed in f32 (a weight and a normalized
// activation) is a product of tf32, for which each element of the first is
// widened. tf32 has as many bits as f16, but more range: where numbers are in
// f16's, they are rounded alike, and the product of f16 is the same in half of
// the instructions. So a warp looks at its f32, and chooses.
//
//===----------------------------------------------------------------------===//

#include "ElementCode.h"
#include "KernelEmitterImpl.h"
#include "Mirage/BlockPlan/TensorCoreUse.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include <limits>

using namespace mirage;
using namespace mlir;

/// Below the largest of some numbers by this factor, what subnormal numbers of
/// f16 lose (2^-25) is nothing beside the rounding of that (2^-12 of it).
static constexpr double kLeastOfLargest = 0x1p-4;

/// The most registers for what is in f32: a thread has as many again.
static constexpr int64_t kMostRegisters = 64;

/// Of two f16 f32 has the product exactly, so that f16 rounds it alike.
static Value roundToF16(OpBuilder &builder, Location loc, Value pair) {
  Type f16 = builder.getF16Type();
  auto getFactor = [&](Value wide) {
    auto extended = wide.getDefiningOp<arith::ExtFOp>();
    return extended && getElementTypeOrSelf(extended.getIn()) == f16
               ? extended.getIn()
               : Value();
  };
  if (auto product = pair.getDefiningOp<arith::MulFOp>()) {
    Value a = getFactor(product.getLhs()), b = getFactor(product.getRhs());
    if (a && b)
      return arith::MulFOp::create(builder, loc, a, b);
  }
  return convertFloat(builder, loc, pair, f16);
}

Value KernelEmitterImpl::emitFitsF16(ArrayRef<Value> pairs) {
  auto bits = VectorType::get(2, builder.getI16Type());
  Value magnitude = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(bits, builder.getI16IntegerAttr(0x7fff)));
  Value largest;
  for (Value pair : pairs) {
    Value absolute = arith::BitcastOp::create(
        builder, loc, pair.getType(),
        arith::AndIOp::create(
            builder, loc, arith::BitcastOp::create(builder, loc, bits, pair),
            magnitude));
    largest = largest
                  ? arith::MaximumFOp::create(builder, loc, largest, absolute)
                  : absolute;
  }
  auto get = [&](int64_t i) {
    return convertFloat(builder, loc,
                        vector::ExtractOp::create(builder, loc, largest, i),
                        builder.getF32Type());
  };
  Value ofLane = arith::MaximumFOp::create(builder, loc, get(0), get(1));
  auto compare = [&](arith::CmpFPredicate predicate, double bound) {
    return arith::CmpFOp::create(
        builder, loc, predicate, ofLane,
        arith::ConstantOp::create(
            builder, loc, builder.getF32FloatAttr(static_cast<float>(bound))));
  };
  // What was too large is infinite.
  Value fits = arith::AndIOp::create(
      builder, loc,
      compare(arith::CmpFPredicate::OLT,
              std::numeric_limits<double>::infinity()),
      compare(arith::CmpFPredicate::OGE, kLeastOfLargest));
  return NVVM::VoteSyncOp::create(builder, loc, builder.getI1Type(),
                                  makeInt(-1), fits, NVVM::VoteSyncKind::all);
}

void KernelEmitterImpl::multiplySteps(OperatorOpInterface op,
                                      const MatmulPlan &plan,
                                      const MatmulPlan::Product &product,
                                      const WarpPlace &place,
                                      const TileRange &range,
                                      ArrayRef<Value> steps,
                                      SmallVectorImpl<Value> &sums) {
  std::optional<bool> isRowWide = op->hasAttr(kNarrowedAttr)
                                      ? hasWideRows(op, plan, product)
                                      : std::nullopt;
  // Pairs of f32, of which a lane has four of a tile of rows, and two of one of
  // columns.
  const int64_t ofStep =
      2 * (isRowWide.value_or(true) ? 4 * range.numRows : 2 * range.numCols);
  if (isRowWide &&
      static_cast<int64_t>(steps.size()) * ofStep <= kMostRegisters)
    return multiplyNarrowed(op, plan, product, place, range, steps, *isRowWide,
                            sums);
  for (Value step : steps)
    multiplyStep(op, plan, product, place, range, step, /*isLast=*/false, sums);
}

void KernelEmitterImpl::multiplyNarrowed(OperatorOpInterface op,
                                         const MatmulPlan &plan,
                                         const MatmulPlan::Product &product,
                                         const WarpPlace &place,
                                         const TileRange &range,
                                         ArrayRef<Value> steps, bool isRowWide,
                                         SmallVectorImpl<Value> &sums) {
  Value batch = add(place.batch, range.batch);
  // All is loaded before the choice, so that nothing is waited for behind it.
  using Fragments = SmallVector<SmallVector<Value>>;
  SmallVector<Fragments> rows, cols, narrowed;
  SmallVector<Value> all;
  for (Value step : steps) {
    Value depth = mul(step, plan.getStep());
    Fragments &ofRows = rows.emplace_back(), &ofCols = cols.emplace_back();
    for (int64_t r = 0; r < range.numRows; ++r)
      ofRows.push_back(
          loadPairs(op, plan, product, /*isRow=*/true, batch,
                    mul(getRowTile(plan, place, range.row + r), 16), depth,
                    /*isLast=*/false));
    while (static_cast<int64_t>(ofCols.size()) < range.numCols) {
      int64_t c = ofCols.size();
      llvm::append_range(
          ofCols, loadColPairs(op, plan, product, batch,
                               mul(add(place.colTile, range.col + c), 8),
                               range.numCols - c, depth, /*isLast=*/false));
    }
    Fragments &ofWide = narrowed.emplace_back(isRowWide ? ofRows : ofCols);
    for (SmallVector<Value> &pairs : ofWide)
      for (Value &pair : pairs)
        all.push_back(pair = roundToF16(builder, loc, pair));
  }

  auto branch = scf::IfOp::create(builder, loc, ValueRange(sums).getTypes(),
                                  emitFitsF16(all), /*withElseRegion=*/true);
  auto multiplyAs = [&](Block *block, MatmulPlan::Kind kind) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(block);
    SmallVector<Value> results(sums.begin(), sums.end());
    for (size_t s = 0; s < steps.size(); ++s) {
      Fragments ofRows = rows[s], ofCols = cols[s];
      if (kind == MatmulPlan::Kind::F16)
        (isRowWide ? ofRows : ofCols) = narrowed[s];
      for (auto &pairs : ofRows)
        pairs = toMultiplicands(pairs, plan, kind, /*isExact=*/!isRowWide);
      for (auto &pairs : ofCols)
        pairs = toMultiplicands(pairs, plan, kind, /*isExact=*/isRowWide);
      for (auto [r, row] : llvm::enumerate(ofRows))
        for (auto [c, col] : llvm::enumerate(ofCols))
          emitMma(plan, kind, row, col, results[r * range.numCols + c]);
    }
    scf::YieldOp::create(builder, loc, results);
  };
  multiplyAs(branch.thenBlock(), MatmulPlan::Kind::F16);
  multiplyAs(branch.elseBlock(), MatmulPlan::Kind::TF32);
  sums.assign(branch.getResults().begin(), branch.getResults().end());
}
