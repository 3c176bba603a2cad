//===- ReductionEmitter.cpp - Sums and maxima of a dimension --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads share an element as its `FoldPlan` says. All of a warp, or of all
// warps that share elements through shared memory, take part, whether or not
// there is an element for them.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitterImpl.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mirage;
using namespace mlir;

/// Where the steps of folds end that a thread takes together. Each step comes
/// behind the same step of the folds before, so that none waits for all of
/// another.
class KernelEmitterImpl::FoldSteps {
public:
  void beginElement(OpBuilder &builder) {
    step = 0;
    begin(builder);
  }
  void begin(OpBuilder &builder) {
    if (step < ends.size())
      builder.setInsertionPointAfter(ends[step]);
  }
  void finish(OpBuilder &builder) {
    Operation *last = &*std::prev(builder.getInsertionPoint());
    if (step == ends.size())
      ends.push_back(last);
    ends[step++] = last;
  }

private:
  SmallVector<Operation *> ends;
  size_t step = 0;
};

Value KernelEmitterImpl::foldParts(const FoldPlan &plan, Value own,
                                   int64_t count, int64_t scratch,
                                   CooperativeFold::Fold fold,
                                   FoldSteps &steps) {
  int64_t lanes = plan.getLanes(), warps = plan.getWarps();
  int64_t stride = plan.alongMemory ? 1 : kWarpSize / lanes;
  steps.finish(builder);
  for (int64_t distance = lanes / 2; distance > 0; distance /= 2) {
    steps.begin(builder);
    own = fold(
        own, gpu::ShuffleOp::create(builder, loc, own,
                                    static_cast<int32_t>(distance * stride),
                                    /*width=*/kWarpSize, gpu::ShuffleMode::XOR)
                 .getShuffleResult());
    steps.finish(builder);
  }
  if (warps == 1)
    return own;
  TileMemory parts = makeTile(
      TileType::get(builder.getContext(), {count, warps}, own.getType()),
      makeIndex(scratch));
  Value element = div(warp, warps);
  Value isMine = arith::AndIOp::create(
      builder, loc,
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lane,
                            makeIndex(0)),
      isBelow(element, count));
  emitIf(isMine, [&] {
    parts.store(builder, loc, own, ValueRange{element, rem(warp, warps)});
  });
  emitBarrier();
  // A load takes 16 bytes at most, to which scratch is aligned.
  int64_t width = std::min<int64_t>(warps, kTileAlignment / sizeof(float));
  SmallVector<Value> all;
  for (int64_t from = 0; from < warps; from += width) {
    Value some =
        parts.load(builder, loc,
                   ValueRange{min(element, count - 1), makeIndex(from)}, width);
    for (int64_t i = 0; i < width; ++i)
      all.push_back(vector::ExtractOp::create(builder, loc, some, i));
  }
  // In a tree, so that few wait for each other; warps are a power of two.
  for (size_t half = all.size() / 2; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i)
      all[i] = fold(all[i], all[i + half]);
  return all.front();
}

Value KernelEmitterImpl::foldLanes(OperatorOpInterface op, Value own,
                                   int64_t numRows,
                                   CooperativeFold::Fold fold) {
  FoldSteps alone;
  return foldParts(getFoldPlan(op, *getFold(op)), own, numRows,
                   plan.scratch.lookup(op), fold, alone);
}

SmallVector<Value> KernelEmitterImpl::finishElement(Operation *op,
                                                    Value element,
                                                    Operation *runs,
                                                    ValueRange index) {
  if (runs == op)
    return {element};
  Value tile = op->getResult(0);
  inHand[tile] = roundToTile(tile, element);
  SmallVector<Value> results = emitResults(runs, index, /*width=*/1);
  inHand.clear();
  return results;
}

void KernelEmitterImpl::emitReduction(OperatorOpInterface op, const Fold &fold,
                                      Operation *runs) {
  FoldPlan plan = getFoldPlan(op, fold);
  Value tile = op->getResult(0), operand = op->getOperand(0);
  auto shape = cast<ShapedType>(tile.getType()).getShape();
  int64_t count = mirage::getNumElements(shape);
  int64_t lanes = plan.getLanes(), warps = plan.getWarps();
  int64_t perWarp = kWarpSize / lanes,
          perRound = perWarp * (threads / kWarpSize / warps);
  size_t fromLast =
      cast<ShapedType>(operand.getType()).getRank() - 1 - fold.dim;

  Value group = div(warp, warps);
  Value part = plan.alongMemory ? rem(lane, lanes) : div(lane, perWarp);
  Value element = plan.alongMemory ? div(lane, lanes) : rem(lane, perWarp);
  if (warps > 1)
    part = add(mul(rem(warp, warps), kWarpSize), part);
  Value isFirst;
  if (plan.parts > 1)
    isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                    part, makeIndex(0));
  int64_t vectors = getNumAtOnce(op, plan.width, /*most=*/2 * kMostAtOnce);
  int64_t numSteps =
      std::max<int64_t>(fold.size / (plan.parts * plan.width), 1);
  int64_t rowsAtOnce = std::max<int64_t>(vectors / numSteps, 1);

  struct Row {
    SmallVector<Value> index;
    Value result, isMine;
  };
  auto compute = [&](Value round, bool isFull, FoldSteps &steps) {
    OpBuilder::InsertionGuard guard(builder);
    steps.beginElement(builder);
    Value first = add(mul(round, perRound), mul(group, perWarp));
    Value linear = add(first, element);
    Row row;
    row.index = delinearize(isFull ? linear : min(linear, count - 1), shape);
    auto foldAll = [&](Value own, CooperativeFold::Fold step) {
      return foldParts(plan, own, count, this->plan.scratch.lookup(runs), step,
                       steps);
    };
    CooperativeFold shared{part, plan.parts, plan.width, vectors, foldAll};
    row.result = emitOperatorElement(
        builder, op, row.index,
        [&](Value of, ValueRange position) {
          return read(of, position, plan.width, fromLast);
        },
        &shared);
    row.isMine = isFirst;
    if (!isFull) {
      Value isRow = isBelow(linear, count);
      row.isMine =
          isFirst
              ? arith::AndIOp::create(builder, loc, isFirst, isRow).getResult()
              : isRow;
    }
    return row;
  };
  auto finish = [&](const Row &row) {
    return finishElement(op, row.result, runs, row.index);
  };
  // Of rows of which the same threads have the results.
  auto deliverRows = [&](ArrayRef<Row> rows) {
    emitIf(rows.front().isMine, [&] {
      SmallVector<SmallVector<Value>> results =
          llvm::map_to_vector(rows, finish);
      for (auto [row, made] : llvm::zip_equal(rows, results))
        for (auto [result, element] : llvm::zip_equal(runs->getResults(), made))
          deliver(result, element, row.index);
    });
  };

  auto computeLast = [&](int64_t round, bool isFull) {
    FoldSteps alone;
    deliverRows(compute(makeIndex(round), isFull, alone));
  };
  // Warps wait for each other.
  if (warps > 1)
    return computeLast(0, /*isFull=*/false);
  int64_t rounds = count / perRound;
  forRounds(rounds, rowsAtOnce, [&](ArrayRef<Value> numbers) {
    FoldSteps together;
    SmallVector<Row> rows;
    for (Value round : numbers)
      rows.push_back(compute(round, /*isFull=*/true, together));
    deliverRows(rows);
  });
  if (count % perRound == 0)
    return;
  // Warps for which nothing is left do nothing.
  Value first = add(mul(warp, perWarp), rounds * perRound);
  emitIf(isBelow(first, count),
         [&] { computeLast(rounds, /*isFull=*/count % perWarp == 0); });
}
