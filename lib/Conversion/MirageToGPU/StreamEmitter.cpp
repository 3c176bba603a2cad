//===- StreamEmitter.cpp - Loops that only accumulate what they load ------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread runs all iterations for some elements of the results. What it
// loads for several iterations is on its way at a time.
//
//===----------------------------------------------------------------------===//

#include "ElementCode.h"
#include "KernelEmitterImpl.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>

using namespace mirage;
using namespace mlir;

Value KernelEmitterImpl::loadStreamed(Value tile, Value iteration,
                                      ValueRange index, int64_t width) {
  auto input = tile.getDefiningOp<block::InputIterator>();
  auto shape = cast<ShapedType>(tile.getType()).getShape();
  return memory[input.getTensor()].load(
      builder, loc,
      addOffsets(getTileOffsets(input, iteration), alignTo(shape, index)),
      shape.empty() || shape.back() == 1 ? 1 : width);
}

void KernelEmitterImpl::addStreamed(StreamedTotal &total,
                                    block::AccumulateOp accumulators,
                                    unsigned accumulator, Value from,
                                    int64_t count, ValueRange index,
                                    int64_t width) {
  Value tile = accumulators.getTiles()[accumulator];
  block::AccumulatorKind kind = accumulators.getKind(accumulator);
  Value maximum = kind == block::AccumulatorKind::RescaledSum
                      ? accumulators.getMaximum(accumulator)
                      : Value();
  SmallVector<Value> terms, maxima;
  for (int64_t i = 0; i < count; ++i) {
    Value iteration = add(from, i);
    if (maximum)
      maxima.push_back(loadStreamed(maximum, iteration, index, width));
    terms.push_back(widen(loadStreamed(tile, iteration, index, width), width));
  }
  if (maximum) {
    Value now = maxima[0];
    for (Value other : ArrayRef(maxima).drop_front())
      now = arith::MaximumFOp::create(builder, loc, now, other);
    if (total.maximum) {
      now = arith::MaximumFOp::create(builder, loc, total.maximum, now);
      total.value = arith::MulFOp::create(
          builder, loc, total.value,
          widen(getRescaleFactor(total.maximum, now), width));
    }
    total.maximum = now;
    for (auto [term, of] : llvm::zip_equal(terms, maxima))
      term = arith::MulFOp::create(builder, loc, term,
                                   widen(getRescaleFactor(of, now), width));
  }
  for (Value term : terms) {
    if (!total.value)
      total.value = term;
    else if (kind == block::AccumulatorKind::Max)
      total.value = arith::MaximumFOp::create(builder, loc, total.value, term);
    else
      total.value = arith::AddFOp::create(builder, loc, total.value, term);
  }
}

void KernelEmitterImpl::emitStreamedLoop(block::LoopOp loop) {
  loc = loop.getLoc();
  auto accumulators =
      cast<block::AccumulateOp>(loop.getBody().front().getTerminator());
  int64_t iterations = loop.getIterations();
  int64_t atATime = std::min(iterations, block::kStreamedIterations);
  int64_t rest = iterations % atATime;
  for (OpResult result : loop->getResults()) {
    unsigned i = result.getResultNumber();
    auto known = memory.find(result);
    if (known == memory.end())
      continue;
    const TileMemory place = known->second;
    Value maximum =
        accumulators.getKind(i) == block::AccumulatorKind::RescaledSum
            ? accumulators.getMaximum(i)
            : Value();
    auto shape = cast<ShapedType>(result.getType()).getShape();
    int64_t width = getWidth(shape);
    // Exponentials are taken of one element at a time.
    if (maximum) {
      auto of = cast<ShapedType>(maximum.getType()).getShape();
      width = of.empty() || of.back() == 1 ? width : 1;
    }
    forEachElement(
        shape,
        [&](ValueRange index) {
          StreamedTotal total;
          auto addSome = [&](Value from, int64_t count) {
            addStreamed(total, accumulators, i, from, count, index, width);
          };
          // The first ones need no total to be added to.
          addSome(makeIndex(0), atATime);
          if (iterations / atATime > 1) {
            SmallVector<Value> before{total.value};
            if (maximum)
              before.push_back(total.maximum);
            auto others = scf::ForOp::create(builder, loc, makeIndex(atATime),
                                             makeIndex(iterations - rest),
                                             makeIndex(atATime), before);
            {
              OpBuilder::InsertionGuard guard(builder);
              builder.setInsertionPointToStart(others.getBody());
              total.value = others.getRegionIterArgs()[0];
              if (maximum)
                total.maximum = others.getRegionIterArgs()[1];
              addSome(others.getInductionVar(), atATime);
              SmallVector<Value> after{total.value};
              if (maximum)
                after.push_back(total.maximum);
              scf::YieldOp::create(builder, loc, after);
            }
            total.value = others.getResult(0);
            if (maximum)
              total.maximum = others.getResult(1);
          }
          if (rest > 0)
            addSome(makeIndex(iterations - rest), rest);
          place.store(builder, loc, total.value, index);
        },
        width);
  }
}
