//===- KeptRowsEmitter.cpp - Rows that stay in registers ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All ops run in their order on what a thread has of its row, behind all loads.
// Threads for which there is no row, or nothing left of one, compute and store
// nothing.
//
//===----------------------------------------------------------------------===//

#include "ElementCode.h"
#include "KernelEmitterImpl.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mirage;
using namespace mlir;

static int64_t getRowLength(Value tile) {
  ArrayRef<int64_t> shape = getShape(tile);
  return shape.empty() ? 1 : shape.back();
}

KernelEmitterImpl::RowPlace
KernelEmitterImpl::getRowPlace(const KeptRowsShape &rows) {
  RowPlace place{rows, rem(threadId, rows.getNumLanes()), {}, Value()};
  Value row = div(threadId, rows.getNumLanes());
  // Less than a warp has no row.
  if (rows.getNumRows() * rows.getNumLanes() < threads) {
    place.isRow = isBelow(row, rows.getNumRows());
    row = min(row, rows.getNumRows() - 1);
  }
  place.index = delinearize(row, rows.getRowShape());
  return place;
}

Value KernelEmitterImpl::getColumn(const RowPlace &place, int64_t length,
                                   int64_t vector) {
  const int64_t width = place.rows.getWidth(length);
  return mul(add(place.lane, vector * place.rows.getNumLanes()), width);
}

Value KernelEmitterImpl::hasVector(const RowPlace &place, int64_t length,
                                   int64_t vector) {
  if (length == 1)
    return {};
  if (place.rows.isFull(length, vector))
    return place.isRow;
  Value isInRow = isBelow(getColumn(place, length, vector), length);
  return place.isRow ? arith::AndIOp::create(builder, loc, place.isRow, isInRow)
                           .getResult()
                     : isInRow;
}

Value KernelEmitterImpl::warpHasVector(const RowPlace &place, int64_t length,
                                       int64_t vector) {
  int64_t lanes = place.rows.getNumLanes(), first = vector * lanes,
          width = place.rows.getWidth(length);
  if (lanes < kWarpSize || (first + lanes - kWarpSize) * width < length)
    return {};
  Value column =
      mul(add(mul(div(place.lane, kWarpSize), kWarpSize), first), width);
  return isBelow(column, length);
}

SmallVector<Value> KernelEmitterImpl::getVectorIndex(const RowPlace &place,
                                                     Value tile,
                                                     int64_t vector) {
  ArrayRef<int64_t> shape = getShape(tile);
  if (shape.empty())
    return {};
  SmallVector<Value> index(place.index);
  index.push_back(shape.back() == 1 ? makeIndex(0)
                                    : getColumn(place, shape.back(), vector));
  return alignTo(shape, index);
}

static Type getVectorType(Type element, int64_t width) {
  return width == 1 ? element : VectorType::get(width, element);
}

SmallVector<Value>
KernelEmitterImpl::loadVectors(const RowPlace &place,
                               ArrayRef<block::InputIterator> inputs,
                               int64_t vector) {
  block::InputIterator first = inputs.front();
  const int64_t length = getRowLength(first.getTile()),
                width = place.rows.getWidth(length);
  SmallVector<Value> loaded;
  for (block::InputIterator input : inputs) {
    loc = input.getLoc();
    SmallVector<Value> index = getVectorIndex(place, input.getTile(), vector);
    // Lanes for which nothing is left read what the last one does.
    if (!place.rows.isFull(length, vector))
      index.back() = min(index.back(), length - width);
    loaded.push_back(getInputMemory(input).load(
        builder, loc, addOffsets(getTileOffsets(input, {}), index), width,
        /*raw=*/true));
  }
  return loaded;
}

SmallVector<Value>
KernelEmitterImpl::loadVectorsIf(const RowPlace &place, Value condition,
                                 ArrayRef<block::InputIterator> inputs,
                                 int64_t vector) {
  SmallVector<Value> others;
  for (block::InputIterator input : inputs) {
    // A constant would let LLVM convert what is loaded in the branch, which
    // then would wait for it.
    if (vector > 0) {
      others.push_back(keptRows[input.getTile()].front());
      continue;
    }
    Type type =
        getVectorType(memory[input.getTensor()].getElementType(),
                      place.rows.getWidth(getRowLength(input.getTile())));
    others.push_back(arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(builder.getZeroAttr(type))));
  }
  auto branch =
      scf::IfOp::create(builder, loc, ValueRange(others).getTypes(), condition,
                        /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, loadVectors(place, inputs, vector));
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, others);
  return branch.getResults();
}

void KernelEmitterImpl::loadRows(const RowPlace &place) {
  llvm::MapVector<int64_t, SmallVector<block::InputIterator>> byLength;
  for (auto input : graph.getBlockGraph().getOps<block::InputIterator>())
    byLength[getRowLength(input.getTile())].push_back(input);
  // First what all warps load, last what some have no vector of at all.
  for (int turn = 0; turn < 3; ++turn)
    for (auto &[length, inputs] : byLength)
      for (int64_t v = 0; v < place.rows.getNumVectors(length); ++v) {
        Value condition = warpHasVector(place, length, v);
        if (turn != (!condition ? 0 : v > 0 ? 1 : 2))
          continue;
        SmallVector<Value> loaded =
            condition ? loadVectorsIf(place, condition, inputs, v)
                      : loadVectors(place, inputs, v);
        for (auto [input, elements] : llvm::zip_equal(inputs, loaded))
          keptRows[input.getTile()].push_back(elements);
      }
  // What nothing waits for in between is on its way together.
  for (auto &[tile, vectors] : keptRows)
    for (Value &elements : vectors)
      elements = convertFloat(builder, loc, elements, builder.getF32Type());
}

void KernelEmitterImpl::computeRow(const RowPlace &place, Operation *op) {
  Value first = op->getResult(0);
  const int64_t length = getRowLength(first),
                width = place.rows.getWidth(length);
  auto compute = [&](int64_t v) {
    for (Value operand : op->getOperands())
      if (auto known = keptRows.find(operand); known != keptRows.end())
        inHand[operand] = known->second[getRowLength(operand) == 1 ? 0 : v];
    SmallVector<Value> results =
        emitResults(op, getVectorIndex(place, first, v), width);
    inHand.clear();
    // As if they had been stored.
    for (auto [tile, elements] : llvm::zip_equal(op->getResults(), results))
      elements = roundToTile(tile, elements);
    return results;
  };
  for (int64_t v = 0; v < place.rows.getNumVectors(length); ++v) {
    SmallVector<Value> results;
    if (Value condition = hasVector(place, length, v)) {
      Type type = getVectorType(builder.getF32Type(), width);
      auto branch = scf::IfOp::create(
          builder, loc, SmallVector<Type>(op->getNumResults(), type), condition,
          /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      scf::YieldOp::create(builder, loc, compute(v));
      builder.setInsertionPointToStart(branch.elseBlock());
      Value zero = arith::ConstantOp::create(
          builder, loc, cast<TypedAttr>(builder.getZeroAttr(type)));
      scf::YieldOp::create(builder, loc,
                           SmallVector<Value>(op->getNumResults(), zero));
      results = branch.getResults();
    } else {
      results = compute(v);
    }
    for (auto [tile, elements] : llvm::zip_equal(op->getResults(), results))
      keptRows[tile].push_back(elements);
  }
}

void KernelEmitterImpl::foldRow(const RowPlace &place, OperatorOpInterface op) {
  const int64_t length = getRowLength(op->getOperand(0));
  const SmallVector<Value> own = keptRows.lookup(op->getOperand(0));
  auto hasOwn = [&](int64_t vector) {
    return hasVector(place, length, vector);
  };
  auto foldAll = [&](Value all, CooperativeFold::Fold fold) {
    return foldLanes(op, all, place.rows.getNumRows(), fold);
  };
  CooperativeFold shared{place.lane,
                         place.rows.getNumLanes(),
                         place.rows.getWidth(length),
                         /*vectorsAtOnce=*/0,
                         foldAll,
                         /*numOwn=*/static_cast<int64_t>(own.size()),
                         hasOwn};
  Value result = op->getResult(0);
  Value element = emitOperatorElement(
      builder, op, getVectorIndex(place, result, /*vector=*/0),
      [&](Value, ValueRange position) {
        return own[*getConstantIntValue(position.back())];
      },
      &shared);
  keptRows[result].push_back(roundToTile(result, element));
}

void KernelEmitterImpl::storeRow(const RowPlace &place,
                                 block::OutputSaver saver) {
  Value tile = saver.getTile();
  const int64_t length = getRowLength(tile);
  for (int64_t v = 0; v < place.rows.getNumVectors(length); ++v) {
    Value elements = keptRows.lookup(tile)[v];
    Value isMine = hasVector(place, length, v);
    // Each thread has the element of its row; one of them stores it.
    if (length == 1 && place.rows.getNumLanes() > 1)
      isMine = isBelow(place.lane, 1);
    if (length == 1 && place.isRow)
      isMine = isMine ? arith::AndIOp::create(builder, loc, isMine, place.isRow)
                            .getResult()
                      : place.isRow;
    emitIf(isMine, [&] {
      outputs[saver].store(
          builder, loc, elements,
          addOffsets(outputOffsets[saver], getVectorIndex(place, tile, v)));
    });
  }
}

void KernelEmitterImpl::emitKeptRows() {
  const RowPlace place = getRowPlace(
      *findKeptRows(cast<BlockGraphOpInterface>(graph.getOperation())));
  loadRows(place);
  for (Operation &op : graph.getBlockGraph()) {
    loc = op.getLoc();
    if (auto saver = dyn_cast<block::OutputSaver>(op)) {
      storeRow(place, saver);
      continue;
    }
    if (op.getNumResults() == 0 || isa<block::InputIterator, ConstantOp>(op))
      continue;
    auto semantics = dyn_cast<OperatorOpInterface>(op);
    if (semantics && !semantics.getSemantics().isElementwise())
      foldRow(place, semantics);
    else
      computeRow(place, &op);
  }
}
