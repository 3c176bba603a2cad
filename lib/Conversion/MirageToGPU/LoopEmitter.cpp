//===- LoopEmitter.cpp - The for-loop and its accumulators ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementCode.h"
#include "KernelEmitterImpl.h"
#include "Mirage/BlockPlan/WarpRoles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <limits>

using namespace mirage;
using namespace mlir;

static constexpr double kLowest = -std::numeric_limits<double>::infinity();

// Between two equal infinities, whose difference is no number, it is 1.
Value KernelEmitterImpl::getRescaleFactor(Value of, Value to) {
  Value same =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, of, to);
  Value one =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(1));
  Value scaled =
      emitExp(builder, loc, arith::SubFOp::create(builder, loc, of, to));
  return arith::SelectOp::create(builder, loc, same, one, scaled);
}

SmallVector<Value> KernelEmitterImpl::alignTo(ArrayRef<int64_t> shape,
                                              ValueRange index) {
  SmallVector<Value> position(index.take_back(shape.size()));
  for (auto [d, size] : llvm::enumerate(shape))
    if (size == 1)
      position[d] = makeIndex(0);
  return position;
}

KernelEmitterImpl::RescaleFactors
KernelEmitterImpl::getRescaleFactors(Value before, Value now) {
  // The greater of the two maxima is the new one, with a factor of 1.
  Value after = arith::MaximumFOp::create(builder, loc, before, now);
  Value grows = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                      before, now);
  Value less = arith::SelectOp::create(builder, loc, grows, before, now);
  Value one =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(1));
  Value factor = getRescaleFactor(less, after);
  return {arith::SelectOp::create(builder, loc, grows, factor, one),
          arith::SelectOp::create(builder, loc, grows, one, factor)};
}

KernelEmitterImpl::RescaleFactors
KernelEmitterImpl::readFactors(Value maximum, ValueRange index) {
  SmallVector<Value> position =
      alignTo(cast<ShapedType>(maximum.getType()).getShape(), index);
  const RunningMaximum &running = runningMaxima[maximum];
  return {running.ofSum.load(builder, loc, position, 1),
          running.ofTerm.load(builder, loc, position, 1)};
}

// The sum so far is scaled by exp(old - new) and the tile by exp(m - new),
// where new = max(old, m): neither overflows. One thread computes both for an
// element of the maximum.
void KernelEmitterImpl::emitRescaledSums(block::AccumulateOp accumulate) {
  loc = accumulate.getLoc();
  emitBarrier();
  for (auto &entry : runningMaxima) {
    Value maximum = entry.first;
    const RunningMaximum &running = entry.second;
    forEachElement(
        cast<ShapedType>(maximum.getType()).getShape(), [&](ValueRange index) {
          Value before = running.maximum.load(builder, loc, index, 1);
          Value now = read(maximum, index);
          RescaleFactors factors = getRescaleFactors(before, now);
          running.ofSum.store(builder, loc, factors.ofSum, index);
          running.ofTerm.store(builder, loc, factors.ofTerm, index);
          running.maximum.store(
              builder, loc,
              arith::MaximumFOp::create(builder, loc, before, now), index);
        });
  }

  emitBarrier();
  for (unsigned i = 0, e = accumulate.getTiles().size(); i < e; ++i) {
    if (accumulate.getKind(i) != block::AccumulatorKind::RescaledSum)
      continue;
    Value tile = accumulate.getTiles()[i], maximum = accumulate.getMaximum(i);
    if (sums.contains(tile.getDefiningOp())) {
      rescaleFragments(tile.getDefiningOp(), maximum);
      continue;
    }
    auto total = memory.find(accumulate->getParentOp()->getResult(i));
    if (total == memory.end())
      continue;
    forEachElement(
        cast<ShapedType>(tile.getType()).getShape(), [&](ValueRange index) {
          auto [ofSum, ofTerm] = readFactors(maximum, index);
          Value factor = ofSum;
          Value term =
              arith::MulFOp::create(builder, loc, read(tile, index), ofTerm);
          updateElements(total->second, index, 1, [&](Value sum) -> Value {
            return arith::AddFOp::create(
                builder, loc, arith::MulFOp::create(builder, loc, sum, factor),
                term);
          });
        });
  }
}

void KernelEmitterImpl::emitLoop(block::LoopOp loop) {
  if (isStreamed(loop))
    return emitStreamedLoop(loop);
  beginSums(loop);
  beginRunningMaxima(loop);
  emitHoistedStages(loop);
  emitIterations(loop);
  sums.clear();
  terms.clear();
}

void KernelEmitterImpl::beginSums(block::LoopOp loop) {
  auto accumulators =
      cast<block::AccumulateOp>(loop.getBody().front().getTerminator());
  for (auto [i, result] : llvm::enumerate(loop.getResults())) {
    Operation *maker = accumulators.getTiles()[i].getDefiningOp();
    auto known = memory.find(result);
    if (isChained(maker) && !endsChain(maker))
      continue;
    std::optional<TensorCoreUse> use = getTensorCoreUse(maker);
    block::AccumulatorKind kind = accumulators.getKind(i);
    if (use && use->inRegisters) {
      if (known != memory.end() || isReadFromRegisters(result))
        sums[maker].assign(use->plan.getNumTilesPerWarp(), makeZeroFragment());
    } else if (known != memory.end() &&
               kind != block::AccumulatorKind::Concat) {
      // The tiles of a concatenation fill it.
      fill(cast<ShapedType>(result.getType()).getShape(), known->second,
           kind == block::AccumulatorKind::Max ? kLowest : 0);
    }
  }
  beginRowSums(accumulators);
}

void KernelEmitterImpl::beginRunningMaxima(block::LoopOp loop) {
  auto accumulators =
      cast<block::AccumulateOp>(loop.getBody().front().getTerminator());
  runningMaxima.clear();
  for (Value maximum : accumulators.getMaxima()) {
    if (runningMaxima.contains(maximum) || isChained(maximum.getDefiningOp()))
      continue;
    auto type = cast<TileType>(maximum.getType());
    int64_t offset = plan.runningMaxima.lookup(maximum);
    auto makePart = [&](int64_t part) {
      return makeTile(type, makeIndex(offset + part * getTileBytes(type)));
    };
    static_assert(block::kTilesOfRunningMaximum == 3);
    runningMaxima[maximum] = {makePart(0), makePart(1), makePart(2)};
    fill(type.getShape(), runningMaxima[maximum].maximum, kLowest);
  }
}

void KernelEmitterImpl::emitHoistedStages(block::LoopOp loop) {
  Block &body = loop.getBody().front();
  int64_t numStages = getNumLoopStages(loop),
          numIterations = loop.getIterations();
  bool hasProducer = hasProducerWarp(loop);
  for (Operation &op : body)
    if (auto input = dyn_cast<block::InputIterator>(op);
        input && isHoisted(input) && !input.getTile().use_empty())
      emitInput(input);
  Stages hoisted = getStages(body);
  for (auto &ops : hoisted)
    llvm::erase_if(ops, [](Operation *op) {
      return !isHoisted(op) || isa<block::InputIterator>(op);
    });
  llvm::erase_if(hoisted, [](const auto &ops) { return ops.empty(); });
  if (!hoisted.empty() && isCopying)
    commitCopies();
  if (hasProducer)
    meetProducer(loop);
  for (int64_t i = 0; i + 1 < numStages && !hasProducer; ++i) {
    // There may be more stages than iterations. What is waited for is counted
    // in groups, so that one without copies is made all the same.
    if (i < numIterations)
      copyStage(body, makeIndex(i), numStages);
    commitCopies();
  }
  loc = loop.getLoc();
  bool isOpen = numStages == 0 || hasProducer;
  if (isCopying && isOpen) {
    commitCopies();
    waitForCopies(0);
  }
  if (!hoisted.empty()) {
    // The tiles of the first iterations are on their way behind what is needed
    // here.
    if (!isOpen)
      waitForCopies(numStages - 1);
    emitBarrier();
    isCopying = false;
    emitStages(hoisted);
  }
  if (isOpen)
    emitBarrier();
}

SmallVector<Value *> KernelEmitterImpl::getCarriedValues() {
  SmallVector<Value *> values;
  auto append = [&](SmallVector<Value> &from) {
    for (Value &value : from)
      values.push_back(&value);
  };
  for (auto &entry : sums)
    append(entry.second);
  llvm::append_range(values, getRowValues());
  append(waitingRows);
  return values;
}

void KernelEmitterImpl::emitIterations(block::LoopOp loop) {
  int64_t numStages = getNumLoopStages(loop), first = 0;
  // The first iteration leaves its rows to the next one.
  if (std::optional<RowChain> chain = getRowChain(loop);
      chain && runsBehind(chain->getRunner())) {
    iteration = makeIndex(first++);
    emitIteration(loop, numStages);
  }
  bool carries = !getCarriedValues().empty();
  emitCarryingFor(
      makeIndex(first), makeIndex(loop.getIterations()),
      [&] { return getCarriedValues(); },
      [&](Value i) {
        iteration = i;
        emitIteration(loop, numStages);
        iteration = {};
      });
  isCopying = isCopyingForProxy = false;
  finishWaitingRows(loop);

  // The sums may take the places of what the last iteration has read.
  if (carries)
    emitBarrier();
  auto accumulators =
      cast<block::AccumulateOp>(loop.getBody().front().getTerminator());
  finishShifts(loop);
  joinChainParts(loop);
  for (auto [i, accumulated] : llvm::enumerate(loop.getResults())) {
    Operation *maker = accumulators.getTiles()[i].getDefiningOp();
    if (auto sum = sums.find(maker); sum != sums.end())
      keepSums(cast<OperatorOpInterface>(maker), sum->second, accumulated);
  }
  storeRowSums(loop);
}

void KernelEmitterImpl::copyStage(Block &body, Value of, int64_t numStages) {
  Value stage = rem(of, numStages);
  for (Operation &op : body)
    if (auto input = dyn_cast<block::InputIterator>(op);
        input && canLoadAhead(input))
      copyAsync(input, makeStage(input.getTile(), stage), of);
}

void KernelEmitterImpl::placeStages(block::LoopOp loop, Value of) {
  int64_t numStages = getNumLoopStages(loop);
  if (numStages == 0)
    return;
  Value stage = rem(of, numStages);
  for (Operation &op : loop.getBody().front())
    if (canLoadAhead(&op))
      memory[op.getResult(0)] = makeStage(op.getResult(0), stage);
}

Value KernelEmitterImpl::getIterationBefore() {
  return arith::SubIOp::create(builder, loc, iteration, makeIndex(1));
}

TileMemory KernelEmitterImpl::makeStage(Value tile, Value stage) {
  return makeTile(
      tile, add(mul(stage, getStageBytes(tile)), plan.offsets.lookup(tile)));
}

void KernelEmitterImpl::emitIteration(block::LoopOp loop, int64_t numStages) {
  Block &body = loop.getBody().front();
  loc = loop.getLoc();
  bool hasProducer = hasProducerWarp(loop),
       hadRowsWaiting = !waitingRows.empty();
  if (hasProducer) {
    waitForProducer(loop);
  } else if (numStages == 1) {
    emitBarrier();
    copyStage(body, iteration, numStages);
    commitCopies();
    waitForCopies(0);
    emitBarrier();
  } else if (numStages > 1) {
    // Of the iterations ahead, all but this one's may be under way. The barrier
    // is also what all wait at before the tiles of the last iteration are
    // overwritten.
    waitForCopies(numStages - 2);
    emitBarrier();
    Value ahead = add(iteration, numStages - 1);
    emitIf(isBelow(ahead, loop.getIterations()),
           [&] { copyStage(body, ahead, numStages); });
    commitCopies();
  }
  isCopying = false;
  placeStages(loop, iteration);

  Stages stages = getStages(body);
  for (auto &ops : stages)
    llvm::erase_if(
        ops, [](Operation *op) { return canLoadAhead(op) || isHoisted(op); });
  llvm::erase_if(stages, [](const auto &ops) { return ops.empty(); });
  emitStages(stages);
  if (!runningMaxima.empty())
    emitRescaledSums(cast<block::AccumulateOp>(body.getTerminator()));
  if (hasRowChain(loop))
    addChainedSums(cast<block::AccumulateOp>(body.getTerminator()));
  loc = loop.getLoc();
  // An overlapped iteration is read until the next one is done, and the first
  // one has none before it.
  if (hasProducer && waitingRows.empty())
    releaseToProducer(loop, iteration);
  else if (hadRowsWaiting)
    releaseToProducer(loop, getIterationBefore());
  // Otherwise an iteration begins with a barrier.
  bool isOpen = numStages == 0 || hasProducer;
  if (isOpen && needsBarrierAtBackEdge(loop, plan))
    emitBarrier();
}
