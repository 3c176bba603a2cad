//===- SquareSumEmitter.cpp - Sums of squares on tensor cores -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a lane has of 16 rows that an instruction multiplies is, register by
// register, also what it has of 8 columns if these are the same rows: two of
// the four registers are the first 8 rows, two the others. The rows are
// multiplied by each half, for a fragment of its own, on whose diagonal are the
// sums of squares. (With zeros for the other rows both halves could share a
// fragment, but an infinity times zero is no number.)
//
//===----------------------------------------------------------------------===//

#include "KernelEmitterImpl.h"
#include "Mirage/BlockPlan/SquareSum.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mirage;
using namespace mlir;

void KernelEmitterImpl::addSquares(Operation *op, const MatmulPlan &plan,
                                   const WarpPlace &place,
                                   const TileRange &range,
                                   ArrayRef<Value> steps,
                                   SmallVectorImpl<Value> &sums) {
  SquareSum squares = *getSquareSum(op);
  ArrayRef<int64_t> shape = cast<ShapedType>(squares.tile.getType()).getShape();
  SmallVector<Value> batch =
      delinearize(add(place.batch, range.batch), shape.drop_back(2));
  const TileMemory memory = getMemory(squares.tile);
  const int64_t halves = plan.getColTiles();
  // All is loaded before anything waits for it.
  SmallVector<SmallVector<Value>> loaded;
  for (Value step : steps)
    for (int64_t r = 0; r < range.numRows; ++r)
      loaded.push_back(loadMatrices(
          memory, plan, halves == 2 ? MatricesOf::Rows : MatricesOf::Cols,
          squares.lineDim, squares.depthDim, batch,
          mul(getRowTile(plan, place, range.row + r), 16),
          mul(step, plan.getStep()), plan.rows));
  for (auto [i, pairs] : llvm::enumerate(loaded)) {
    SmallVector<Value> rows(pairs);
    if (halves == 1) {
      // Eight rows that nobody wants.
      Value zero = arith::ConstantOp::create(
          builder, loc, builder.getZeroAttr(pairs.front().getType()));
      for (size_t d = pairs.size(); d > 0; --d)
        rows.insert(rows.begin() + d, zero);
    }
    for (int64_t half = 0; half < halves; ++half) {
      SmallVector<Value> cols;
      for (int64_t d = 0; d < plan.depthHalves; ++d)
        cols.push_back(pairs[halves * d + half]);
      emitMma(plan, plan.products.front().kind, rows, cols,
              sums[i % range.numRows * range.numCols + half]);
    }
  }
}

void KernelEmitterImpl::forEachDiagonal(Operation *op, const MatmulPlan &plan,
                                        const WarpPlace &place,
                                        const TileRange &range,
                                        ArrayRef<ArrayRef<Value>> fragments,
                                        VisitFragments visit) {
  SquareSum squares = *getSquareSum(op);
  auto shape = cast<ShapedType>(op->getResult(0).getType()).getShape();
  SmallVector<Value> batch =
      delinearize(add(place.batch, range.batch), shape.drop_back(2));
  // Lane 4 g + t has the columns 2 t and 2 t + 1 of row g.
  Value g = div(lane, 4);
  auto areEqual = [&](Value a, Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
  };
  Value isEven = areEqual(rem(g, 2), makeIndex(0));
  emitIf(areEqual(rem(lane, 4), div(g, 2)), [&] {
    for (int64_t r = 0; r < range.numRows; ++r) {
      Value first = mul(getRowTile(plan, place, range.row + r), 16);
      for (int64_t half = 0; half < range.numCols; ++half) {
        SmallVector<Value> elements;
        for (ArrayRef<Value> of : fragments) {
          auto get = [&](int64_t i) -> Value {
            return vector::ExtractOp::create(
                builder, loc, of[r * range.numCols + half], 2 * half + i);
          };
          elements.push_back(
              arith::SelectOp::create(builder, loc, isEven, get(0), get(1)));
        }
        Value line = add(add(first, 8 * half), g);
        SmallVector<Value> index(batch);
        index.resize(shape.size());
        index[squares.lineDim] = line;
        index[squares.depthDim] = makeIndex(0);
        emitIf(plan.rows % 16 != 0 ? isBelow(line, plan.rows) : Value(),
               [&] { visit(elements, index); });
      }
    }
  });
}
