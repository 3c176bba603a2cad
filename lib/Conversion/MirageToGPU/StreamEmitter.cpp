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

/// Of how many iterations a thread loads what it adds up together.
static int64_t getNumAtATime(block::LoopOp loop) {
  return std::min<int64_t>(loop.getIterations(), block::kStreamedIterations);
}

Value KernelEmitterImpl::loadStreamed(Value tile, Value iteration,
                                      ValueRange index, int64_t width) {
  auto input = tile.getDefiningOp<block::InputIterator>();
  auto shape = cast<ShapedType>(tile.getType()).getShape();
  return getInputMemory(input).load(
      builder, loc,
      addOffsets(getTileOffsets(input, iteration), alignTo(shape, index)),
      shape.empty() || shape.back() == 1 ? 1 : width);
}

KernelEmitterImpl::StreamedTerms
KernelEmitterImpl::loadStreamedTerms(const StreamedSum &sum, Value from,
                                     int64_t count, ValueRange index) {
  StreamedTerms terms;
  for (int64_t i = 0; i < count; ++i) {
    Value iteration = add(from, i);
    if (sum.maximum)
      terms.maxima.push_back(
          loadStreamed(sum.maximum, iteration, index, sum.width));
    terms.values.push_back(
        widen(loadStreamed(sum.tile, iteration, index, sum.width), sum.width));
  }
  return terms;
}

void KernelEmitterImpl::addStreamed(StreamedTotal &total,
                                    const StreamedSum &sum,
                                    StreamedTerms terms) {
  if (sum.maximum) {
    Value now = terms.maxima[0];
    for (Value other : ArrayRef(terms.maxima).drop_front())
      now = arith::MaximumFOp::create(builder, loc, now, other);
    if (total.maximum) {
      now = arith::MaximumFOp::create(builder, loc, total.maximum, now);
      total.value = arith::MulFOp::create(
          builder, loc, total.value,
          widen(getRescaleFactor(total.maximum, now), sum.width));
    }
    total.maximum = now;
    for (auto [term, of] : llvm::zip_equal(terms.values, terms.maxima))
      term = arith::MulFOp::create(builder, loc, term,
                                   widen(getRescaleFactor(of, now), sum.width));
  }
  for (Value term : terms.values) {
    if (!total.value)
      total.value = term;
    else if (sum.kind == block::AccumulatorKind::Max)
      total.value = arith::MaximumFOp::create(builder, loc, total.value, term);
    else
      total.value = arith::AddFOp::create(builder, loc, total.value, term);
  }
}

std::optional<KernelEmitterImpl::StreamedSum>
KernelEmitterImpl::getStreamedSum(OpResult result) {
  auto known = memory.find(result);
  if (known == memory.end())
    return std::nullopt;
  auto loop = cast<block::LoopOp>(result.getOwner());
  auto accumulators =
      cast<block::AccumulateOp>(loop.getBody().front().getTerminator());
  unsigned i = result.getResultNumber();
  block::AccumulatorKind kind = accumulators.getKind(i);
  auto shape = cast<ShapedType>(result.getType()).getShape();
  StreamedSum sum{accumulators.getTiles()[i],
                  {},
                  kind,
                  known->second,
                  shape,
                  getWidth(shape)};
  if (kind == block::AccumulatorKind::RescaledSum) {
    sum.maximum = accumulators.getMaximum(i);
    auto of = cast<ShapedType>(sum.maximum.getType()).getShape();
    // Exponentials are taken of one element at a time.
    if (!of.empty() && of.back() != 1)
      sum.width = 1;
  }
  return sum;
}

void KernelEmitterImpl::finishStreamed(block::LoopOp loop,
                                       const StreamedSum &sum,
                                       StreamedTotal total, ValueRange index) {
  int64_t iterations = loop.getIterations(), atATime = getNumAtATime(loop);
  int64_t rest = iterations % atATime;
  auto addSome = [&](Value from, int64_t count) {
    addStreamed(total, sum, loadStreamedTerms(sum, from, count, index));
  };
  if (iterations / atATime > 1)
    emitCarryingFor(
        makeIndex(1), makeIndex(iterations / atATime),
        [&] {
          SmallVector<Value *> carried{&total.value};
          if (sum.maximum)
            carried.push_back(&total.maximum);
          return carried;
        },
        [&](Value some) { addSome(mul(some, atATime), atATime); });
  if (rest > 0)
    addSome(makeIndex(iterations - rest), rest);
  sum.place.store(builder, loc, total.value, index);
}

void KernelEmitterImpl::emitStreamedLoop(block::LoopOp loop) {
  loc = loop.getLoc();
  int64_t atATime = getNumAtATime(loop);
  auto load = [&](const StreamedSum &sum, ValueRange index) {
    return loadStreamedTerms(sum, makeIndex(0), atATime, index);
  };
  auto compute = [&](const StreamedSum &sum, ValueRange index,
                     StreamedTerms first) {
    // The first ones need no total to be added to.
    StreamedTotal total;
    addStreamed(total, sum, std::move(first));
    finishStreamed(loop, sum, total, index);
  };
  // Of results of which each thread has one element, or vector, the first terms
  // come before all else: those of others, which few threads have, are on their
  // way at the same time. As much as leaves registers for these.
  struct Single {
    StreamedSum sum;
    SmallVector<Value> index;
    StreamedTerms first;
  };
  constexpr int64_t kMostRegisters = 64;
  SmallVector<Single, 0> singles;
  SmallVector<StreamedSum, 0> others;
  int64_t loaded = 0;
  for (OpResult result : loop->getResults()) {
    std::optional<StreamedSum> sum = getStreamedSum(result);
    if (!sum)
      continue;
    int64_t elements = atATime * (sum->width + (sum->maximum ? 1 : 0));
    bool isSingle =
        mirage::getNumElements(sum->shape) == sum->width * threads &&
        loaded + elements <= kMostRegisters;
    if (!isSingle) {
      others.push_back(*sum);
      continue;
    }
    loaded += elements;
    SmallVector<Value> index =
        getElementIndex(threadId, sum->shape, sum->width);
    singles.push_back({*sum, index, load(*sum, index)});
  }
  for (const StreamedSum &sum : others)
    forEachElement(
        sum.shape,
        [&](ValueRange index) { compute(sum, index, load(sum, index)); },
        sum.width);
  for (const Single &single : singles)
    compute(single.sum, single.index, single.first);
}
