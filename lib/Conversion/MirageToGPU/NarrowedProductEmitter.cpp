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
// widened. tf32 has as many bits as f16, but more range: numbers in f16's are
// rounded by as much, and the product of f16 takes half of the instructions. So
// a warp looks at its f32, and chooses.
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

/// What f16 loses of numbers below 2^-14 is 2^-25 at most: beside a largest
/// number of at least this it is less than a sixteenth of what the rounding of
/// that may lose (2^-11 of it).
static constexpr double kLeastOfLargest = 0x1p-10;

/// The most registers of a thread for the f32 that it holds until the choice;
/// it needs others for what these are multiplied with, and for the sums.
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

Value KernelEmitterImpl::emitFitsF16(ArrayRef<SmallVector<Value>> lines) {
  Type f32 = builder.getF32Type();
  auto bits = VectorType::get(2, builder.getI16Type());
  Value magnitude = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(bits, builder.getI16IntegerAttr(0x7fff)));
  auto getLargest = [&](Value a, Value b) -> Value {
    return a ? arith::MaximumFOp::create(builder, loc, a, b).getResult() : b;
  };
  Value largest, least;
  for (ArrayRef<Value> pairs : lines) {
    Value ofPairs;
    for (Value pair : pairs)
      ofPairs = getLargest(
          ofPairs, arith::BitcastOp::create(
                       builder, loc, pair.getType(),
                       arith::AndIOp::create(
                           builder, loc,
                           arith::BitcastOp::create(builder, loc, bits, pair),
                           magnitude)));
    auto get = [&](int64_t i) -> Value {
      return vector::ExtractOp::create(builder, loc, ofPairs, i);
    };
    Value ofLine = getLargest(get(0), get(1));
    largest = getLargest(largest, ofLine);
    least =
        least
            ? arith::MinimumFOp::create(builder, loc, least, ofLine).getResult()
            : ofLine;
  }
  auto compare = [&](arith::CmpFPredicate predicate, Value value,
                     double bound) {
    return arith::CmpFOp::create(
        builder, loc, predicate, convertFloat(builder, loc, value, f32),
        arith::ConstantOp::create(
            builder, loc, builder.getF32FloatAttr(static_cast<float>(bound))));
  };
  // What was too large is infinite.
  Value fits = arith::AndIOp::create(
      builder, loc,
      compare(arith::CmpFPredicate::OLT, largest,
              std::numeric_limits<double>::infinity()),
      compare(arith::CmpFPredicate::OGE, least, kLeastOfLargest));
  return NVVM::VoteSyncOp::create(builder, loc, builder.getI1Type(),
                                  makeInt(-1), fits, NVVM::VoteSyncKind::all);
}

bool KernelEmitterImpl::multiplyNarrowed(OperatorOpInterface op,
                                         const MatmulPlan &plan,
                                         const MatmulPlan::Product &product,
                                         const WarpPlace &place,
                                         const TileRange &range,
                                         ArrayRef<Value> steps,
                                         SmallVectorImpl<Value> &sums) {
  std::optional<bool> isWide = op->hasAttr(kNarrowedAttr)
                                   ? hasWideRows(op, plan, product)
                                   : std::nullopt;
  if (!isWide)
    return false;
  const bool isRowWide = *isWide;
  // Pairs of f32, of which a lane has four of a tile of rows, and two of one of
  // columns.
  const int64_t ofStep =
      2 * (isRowWide ? 4 * range.numRows : 2 * range.numCols);
  if (static_cast<int64_t>(steps.size()) * ofStep > kMostRegisters)
    return false;
  Value batch = add(place.batch, range.batch);
  // All is loaded before the choice, so that nothing is waited for behind it.
  using Fragments = SmallVector<SmallVector<Value>>;
  SmallVector<Fragments> rows, cols, narrowed;
  // Of a tile of rows a lane has two lines, of one of columns one.
  const size_t linesOfTile = isRowWide ? 2 : 1;
  SmallVector<SmallVector<Value>> lines(
      linesOfTile * (isRowWide ? range.numRows : range.numCols));
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
    for (auto [tile, pairs] : llvm::enumerate(ofWide))
      for (auto [i, pair] : llvm::enumerate(pairs)) {
        pair = roundToF16(builder, loc, pair);
        lines[tile * linesOfTile + i % linesOfTile].push_back(pair);
      }
  }

  auto branch = scf::IfOp::create(builder, loc, ValueRange(sums).getTypes(),
                                  emitFitsF16(lines), /*withElseRegion=*/true);
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
  return true;
}
