//===- EpilogueEmitter.cpp - What becomes of products ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fragments of a product go to shared memory, or, when a loop has summed
// them up and one op wants them, from registers to where its results go.
//
//===----------------------------------------------------------------------===//

#include "ElementCode.h"
#include "KernelEmitterImpl.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mirage;
using namespace mlir;

Value KernelEmitterImpl::getOwners(const MatmulPlan &plan,
                                   const WarpPlace &place) {
  if (plan.depthWarps == 1)
    return place.isActive;
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        place.depth, makeIndex(0));
  return place.isActive
             ? arith::AndIOp::create(builder, loc, isFirst, place.isActive)
                   .getResult()
             : isFirst;
}

Value KernelEmitterImpl::joinNeighbours(Value left, Value right, Value isOdd) {
  SmallVector<Value> low, high;
  for (int64_t i = 0; i < 2; ++i) {
    auto get = [&](Value pair) -> Value {
      return vector::ExtractOp::create(builder, loc, pair, i);
    };
    auto select = [&](Value a, Value b) -> Value {
      return arith::SelectOp::create(builder, loc, isOdd, a, b);
    };
    Value other =
        gpu::ShuffleOp::create(builder, loc, select(get(left), get(right)),
                               /*offset=*/1, kWarpSize, gpu::ShuffleMode::XOR)
            .getShuffleResult();
    low.push_back(select(other, get(left)));
    high.push_back(select(get(right), other));
  }
  low.append(high);
  return vector::FromElementsOp::create(
      builder, loc, VectorType::get(4, builder.getF32Type()), low);
}

void KernelEmitterImpl::forEachFragment(
    OperatorOpInterface op, const MatmulPlan &plan, const WarpPlace &place,
    const TileRange &range, ArrayRef<ArrayRef<Value>> fragments,
    VisitFragments visit, bool prefersWide) {
  if (plan.isDiagonal)
    return forEachDiagonal(op, plan, place, range, fragments, visit);
  auto shape = cast<ShapedType>(op->getResult(0).getType()).getShape();
  SmallVector<Value> batches =
      delinearize(add(place.batch, range.batch), shape.drop_back(2));
  bool isPaddedRow = plan.rows % 16 != 0, isPaddedCol = plan.cols % 8 != 0;
  int64_t together = plan.getNeighboursTogether(range.numCols, prefersWide);
  bool inPairs = together == 2, inFours = together == 4;

  Value g = div(lane, 4), t = mul(rem(lane, 4), 2), isOdd;
  if (inFours) {
    Value odd = rem(lane, 2);
    isOdd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, odd,
                                  makeIndex(0));
    // Lanes with an odd number have their part of the next tile
    // (AccessPattern::getFragments).
    t = add(mul(div(rem(lane, 4), 2), 4), mul(odd, 8));
  }
  SmallVector<Value> cols;
  for (int64_t c = 0; c < range.numCols; ++c)
    cols.push_back(add(mul(add(place.colTile, range.col + c), 8), t));
  for (int64_t r = 0; r < range.numRows; ++r) {
    Value rowTile = mul(getRowTile(plan, place, range.row + r), 16);
    for (int64_t half = 0; half < 2; ++half) {
      Value row = add(add(rowTile, 8 * half), g);
      // What is visited together: neighbours, and the first one's column. All
      // lanes take part in making it.
      SmallVector<std::pair<SmallVector<Value, 2>, Value>> groups;
      using Make = function_ref<Value(ArrayRef<Value>)>;
      auto addGroup = [&](Value col, Make make) {
        auto &group = groups.emplace_back();
        group.second = col;
        for (ArrayRef<Value> of : fragments)
          group.first.push_back(make(of.drop_front(r * range.numCols)));
      };
      for (int64_t c = 0; c < range.numCols; ++c) {
        auto get = [&](Value from, int64_t i) -> Value {
          return vector::ExtractOp::create(builder, loc, from, 2 * half + i);
        };
        auto getPair = [&](Value from) -> Value {
          return vector::FromElementsOp::create(
              builder, loc, VectorType::get(2, builder.getF32Type()),
              ValueRange{get(from, 0), get(from, 1)});
        };
        if (inFours) {
          addGroup(cols[c], [&](ArrayRef<Value> of) {
            return joinNeighbours(getPair(of[c]), getPair(of[c + 1]), isOdd);
          });
          ++c;
        } else if (inPairs) {
          addGroup(cols[c], [&](ArrayRef<Value> of) { return getPair(of[c]); });
        } else {
          for (int64_t i : {0, 1})
            addGroup(add(cols[c], i),
                     [&](ArrayRef<Value> of) { return get(of[c], i); });
        }
      }
      emitIf(isPaddedRow ? isBelow(row, plan.rows) : Value(), [&] {
        for (auto &group : groups) {
          Value col = group.second;
          SmallVector<Value> index(batches);
          index.push_back(plan.swapped ? col : row);
          index.push_back(plan.swapped ? row : col);
          emitIf(isPaddedCol ? isBelow(col, plan.cols) : Value(),
                 [&] { visit(group.first, index); });
        }
      });
    }
  }
}

void KernelEmitterImpl::keepSums(OperatorOpInterface product,
                                 ArrayRef<Value> fragments, Value total) {
  loc = product.getLoc();
  KeptSums kept{product, SmallVector<Value>(fragments)};
  const MatmulPlan plan = getTensorCoreUse(product)->plan;
  // The parts of a row chain have come together.
  if (!plan.inRowChain)
    reduceOverWarps(plan, getWarpPlace(plan),
                    this->plan.scratch.lookup(product), kept.fragments);
  if (isReadFromRegisters(total)) {
    keptSums[total] = std::move(kept);
    return;
  }
  const TileMemory memory = this->memory[total];
  forEachKept(
      &kept,
      [&](ArrayRef<Value> elements, ValueRange index) {
        memory.store(builder, loc, elements[0], index);
      },
      /*prefersWide=*/false);
}

void KernelEmitterImpl::forEachKept(ArrayRef<const KeptSums *> kept,
                                    VisitFragments visit, bool prefersWide) {
  OperatorOpInterface product = kept.front()->product;
  const MatmulPlan plan = getTensorCoreUse(product)->plan;
  WarpPlace place = getWarpPlace(plan);
  // C++17 captures no structured bindings.
  std::array<int64_t, 3> tiles = plan.getTilesPerWarp();
  int64_t batches = tiles[0], rows = tiles[1], cols = tiles[2];
  emitIf(getOwners(plan, place), [&] {
    for (int64_t b = 0; b < batches; ++b) {
      SmallVector<ArrayRef<Value>> fragments;
      for (const KeptSums *sums : kept)
        fragments.push_back(
            ArrayRef(sums->fragments).slice(b * rows * cols, rows * cols));
      forEachFragment(product, plan, place, {b, 0, 0, rows, cols}, fragments,
                      visit, prefersWide);
    }
  });
}

void KernelEmitterImpl::emitEpilogue(Operation *op, ValueRange totals) {
  SmallVector<const KeptSums *> kept;
  for (Value total : totals)
    kept.push_back(&keptSums.find(total)->second);
  auto visit = [&](ArrayRef<Value> elements, ValueRange index) {
    for (auto [total, values] : llvm::zip_equal(totals, elements)) {
      // As if they had been stored.
      Type type = cast<TileType>(total.getType()).getElementType();
      Value stored = convertFloat(builder, loc, values, type);
      inHand[total] = convertFloat(builder, loc, stored, builder.getF32Type());
    }
    if (isSink(op)) {
      outputs[op].store(builder, loc, inHand.lookup(totals[0]),
                        addOffsets(outputOffsets[op], index));
    } else {
      auto threadGraph = cast<block::GraphDefinedOp>(op);
      for (auto [output, results] : llvm::zip_equal(
               threadGraph.getOutputs(),
               emitThreadGraphElements(threadGraph, index,
                                       getNumElementsOf(elements[0]))))
        deliver(output, results, index);
    }
    inHand.clear();
  };
  forEachKept(kept, visit, /*prefersWide=*/true);
}
