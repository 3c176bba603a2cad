//===- KernelEmitter.cpp - The body of a kernel from its block graph ------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops of a block graph that tensor cores don't run are emitted in one way: a
// loop in which a thread takes some elements of the tile, computes them, and
// hands them to whoever wants them: shared memory, an accumulator, the output.
// Which elements are a thread's is the op's choice; an accumulator is updated
// by one op, so that each of its elements belongs to one thread in all
// iterations.
//
//===----------------------------------------------------------------------===//

#include "ElementCode.h"
#include "IndexCode.h"
#include "KernelEmitterImpl.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/BlockPlan/WarpRoles.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <limits>

using namespace mirage;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Indices and control
//===----------------------------------------------------------------------===//

Value KernelEmitterImpl::makeIndex(int64_t value) {
  return mirage::makeIndex(builder, loc, value);
}
Value KernelEmitterImpl::add(Value a, Value b) {
  return addIndices(builder, loc, a, b);
}
Value KernelEmitterImpl::add(Value a, int64_t b) {
  return addIndices(builder, loc, a, b);
}
Value KernelEmitterImpl::mul(Value a, int64_t b) {
  return multiplyIndex(builder, loc, a, b);
}
Value KernelEmitterImpl::div(Value a, int64_t b) {
  return divideIndex(builder, loc, a, b);
}
Value KernelEmitterImpl::rem(Value a, int64_t b) {
  return getIndexRemainder(builder, loc, a, b);
}
Value KernelEmitterImpl::min(Value a, int64_t b) {
  return arith::MinUIOp::create(builder, loc, a, makeIndex(b));
}
Value KernelEmitterImpl::isBelow(Value a, int64_t bound) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, a,
                               makeIndex(bound));
}
void KernelEmitterImpl::emitBarrier() {
  if (needsProxyFence)
    emitProxyFence();
  if (hasProducerWarp(graph.getBlockGraph()))
    return emitBarrier(kConsumerBarrier, threads);
  gpu::BarrierOp::create(builder, loc);
}

void KernelEmitterImpl::noteStores(ValueRange tiles) {
  needsProxyFence |= llvm::any_of(
      tiles, [&](Value tile) { return readThroughProxy.contains(tile); });
}

SmallVector<Value> KernelEmitterImpl::delinearize(Value linear,
                                                  ArrayRef<int64_t> shape) {
  SmallVector<Value> index(shape.size());
  int64_t left = mirage::getNumElements(shape);
  for (size_t d = shape.size(); d-- > 0;) {
    left /= shape[d];
    // Of the outermost dimension nothing has to be cut off.
    index[d] = shape[d] == 1 ? makeIndex(0)
               : left == 1   ? linear
                             : rem(linear, shape[d]);
    if (left > 1)
      linear = div(linear, shape[d]);
  }
  return index;
}

void KernelEmitterImpl::emitIf(Value condition, function_ref<void()> body) {
  if (!condition)
    return body();
  auto branch = scf::IfOp::create(builder, loc, condition);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}

void KernelEmitterImpl::forRounds(int64_t count, int64_t atOnce,
                                  function_ref<void(ArrayRef<Value>)> body) {
  emitRounds(builder, loc, count, atOnce, ValueRange(),
             [&](ArrayRef<Value> numbers, ValueRange) {
               body(numbers);
               return SmallVector<Value>();
             });
}

void KernelEmitterImpl::emitFor(Value from, Value to, Value step,
                                function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(builder, loc, from, to, step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

scf::ForOp KernelEmitterImpl::emitCarryingFor(
    Value from, Value to, function_ref<SmallVector<Value *>()> getCarried,
    function_ref<void(Value)> body) {
  auto take = [&](ValueRange values) {
    for (auto [carried, value] : llvm::zip_equal(getCarried(), values))
      *carried = value;
  };
  auto get = [](Value *value) { return *value; };
  SmallVector<Value> initial = llvm::map_to_vector(getCarried(), get);
  auto loop = scf::ForOp::create(builder, loc, from, to, makeIndex(1), initial);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    take(loop.getRegionIterArgs());
    body(loop.getInductionVar());
    if (!initial.empty())
      scf::YieldOp::create(builder, loc,
                           llvm::map_to_vector(getCarried(), get));
  }
  take(loop.getResults());
  return loop;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

int64_t KernelEmitterImpl::getWidth(ArrayRef<int64_t> shape) const {
  return getElementWidth(shape, threads);
}

int64_t KernelEmitterImpl::getNumAtOnce(Operation *op, int64_t width,
                                        int64_t most) const {
  constexpr int64_t kInstructions = 128;
  return std::clamp<int64_t>(kInstructions / (width * getElementWork(op)), 1,
                             most);
}

SmallVector<Value> KernelEmitterImpl::getElementIndex(Value number,
                                                      ArrayRef<int64_t> shape,
                                                      int64_t width) {
  SmallVector<int64_t> groups(shape);
  if (width > 1)
    groups.back() /= width;
  SmallVector<Value> index = delinearize(number, groups);
  if (width > 1)
    index.back() = mul(index.back(), width);
  return index;
}

void KernelEmitterImpl::forEachBatch(ArrayRef<int64_t> shape, int64_t width,
                                     int64_t atOnce, VisitBatch visit,
                                     int64_t split) {
  if (split != 0) {
    SmallVector<int64_t> part(shape);
    part.back() = split;
    forEachBatch(part, width, atOnce, visit);
    part.back() = shape.back() - split;
    return forEachBatch(part, width, atOnce, [&](auto batch) {
      SmallVector<SmallVector<Value>> moved(batch.begin(), batch.end());
      for (SmallVector<Value> &index : moved)
        index.back() = add(index.back(), split);
      visit(moved);
    });
  }
  auto visitNumbers = [&](ArrayRef<Value> numbers) {
    SmallVector<SmallVector<Value>> batch;
    for (Value number : numbers)
      batch.push_back(getElementIndex(number, shape, width));
    visit(batch);
  };
  // The rounds in which there is an element for each thread, then the others.
  int64_t count = mirage::getNumElements(shape) / width,
          rounds = count / threads;
  forRounds(rounds, atOnce, [&](ArrayRef<Value> numbers) {
    SmallVector<Value> own;
    for (Value round : numbers)
      own.push_back(add(mul(round, threads), threadId));
    visitNumbers(own);
  });
  if (int64_t left = count % threads)
    emitIf(isBelow(threadId, left),
           [&] { visitNumbers(add(threadId, rounds * threads)); });
}

void KernelEmitterImpl::forEachElement(ArrayRef<int64_t> shape, Visit visit,
                                       int64_t width, int64_t atOnce) {
  forEachBatch(shape, width, atOnce, [&](auto batch) {
    for (ValueRange index : batch)
      visit(index);
  });
}

void KernelEmitterImpl::computeElements(ArrayRef<int64_t> shape, int64_t width,
                                        int64_t atOnce, Compute compute,
                                        Deliver deliver, int64_t split) {
  auto visit = [&](ArrayRef<SmallVector<Value>> batch) {
    // What is loaded for one element waits for no store of another.
    SmallVector<SmallVector<Value>> elements;
    for (ValueRange index : batch)
      elements.push_back(compute(index));
    for (auto [index, made] : llvm::zip_equal(batch, elements))
      deliver(index, made);
  };
  forEachBatch(shape, width, atOnce, visit, split);
}

TileMemory KernelEmitterImpl::getMemory(Value tile) {
  if (auto known = memory.find(tile); known != memory.end())
    return known->second;
  if (!isInlined(tile))
    return {};
  std::optional<TileSource> source = getSource(tile);
  if (!source)
    return {};
  TileMemory view = memory.lookup(source->tile);
  view.strides = source->view.strides;
  view.offset = source->view.offset;
  return view;
}

Value KernelEmitterImpl::emitElement(Operation *op, ValueRange index,
                                     int64_t width, size_t fromLast) {
  if (auto threadGraph = dyn_cast<block::GraphDefinedOp>(op))
    return emitThreadGraphElements(threadGraph, index, width, fromLast)[0];
  Value elements = emitOperatorElement(
      builder, cast<OperatorOpInterface>(op), index,
      [&](Value operand, ValueRange position) {
        return readOperand(op, operand, position, width, fromLast);
      },
      /*fold=*/nullptr, &scaledMaxima);
  return widen(elements, width);
}

SmallVector<Value>
KernelEmitterImpl::emitThreadGraphElements(block::GraphDefinedOp threadGraph,
                                           ValueRange index, int64_t width,
                                           size_t fromLast) {
  auto reader = [&](Value operand, ValueRange position) {
    return readOperand(threadGraph, operand, position, width, fromLast);
  };
  ThreadGraphEmitter emitter(builder, threadGraph.getInputs(), reader,
                             &scaledMaxima);
  SmallVector<Value> results;
  for (Value fragment :
       threadGraph.getBody().front().getTerminator()->getOperands())
    results.push_back(widen(emitter.emit(fragment, index), width));
  return results;
}

SmallVector<Value>
KernelEmitterImpl::emitResults(Operation *op, ValueRange index, int64_t width) {
  if (auto threadGraph = dyn_cast<block::GraphDefinedOp>(op))
    return emitThreadGraphElements(threadGraph, index, width);
  return {emitElement(op, index, width)};
}

Value KernelEmitterImpl::roundToTile(Value tile, Value elements) {
  Type type = cast<TileType>(tile.getType()).getElementType();
  elements = convertFloat(builder, loc, elements, type);
  return convertFloat(builder, loc, elements, builder.getF32Type());
}

Value KernelEmitterImpl::readOperand(Operation *op, Value operand,
                                     ValueRange position, int64_t width,
                                     size_t fromLast) {
  auto shape = cast<ShapedType>(op->getResult(0).getType()).getShape();
  auto of = cast<ShapedType>(operand.getType()).getShape();
  // What is the same for all of the dimension is read once.
  bool isVector =
      width > 1 && of.size() > fromLast &&
      of[of.size() - 1 - fromLast] == shape[shape.size() - 1 - fromLast];
  return read(operand, position, isVector ? width : 1, fromLast);
}

Value KernelEmitterImpl::widen(Value elements, int64_t width) {
  if (width == 1 || isa<VectorType>(elements.getType()))
    return elements;
  return vector::BroadcastOp::create(
      builder, loc, VectorType::get(width, elements.getType()), elements);
}

Value KernelEmitterImpl::read(Value tile, ValueRange index, int64_t width,
                              size_t fromLast) {
  if (auto constant = tile.getDefiningOp<ConstantOp>())
    return emitConstant(builder, constant);
  if (auto mask = tile.getDefiningOp<block::FreshMaskOp>())
    return emitFreshMask(mask, index, width);
  if (Value elements = inHand.lookup(tile))
    return elements;
  if (TileMemory elements = getMemory(tile))
    return elements.load(builder, loc, index, width, /*raw=*/false, fromLast);
  Operation *op = tile.getDefiningOp();
  auto semantics = dyn_cast<OperatorOpInterface>(op);
  bool takesVectors = !semantics || semantics.getSemantics().isElementwise();
  if (width == 1 || takesVectors) {
    // As if it had been stored; a movement has nothing to round.
    Value elements = emitElement(op, index, width, fromLast);
    Type type = getReadType(tile);
    elements = convertFloat(builder, loc, elements, type);
    return convertFloat(builder, loc, elements, builder.getF32Type());
  }
  SmallVector<Value> elements, position(index);
  for (int64_t i = 0; i < width; ++i) {
    size_t dim = index.size() - 1 - fromLast;
    position[dim] = add(index[dim], i);
    elements.push_back(emitElement(op, position, 1));
  }
  return vector::FromElementsOp::create(
      builder, loc, VectorType::get(width, builder.getF32Type()), elements);
}

Value KernelEmitterImpl::emitFreshMask(block::FreshMaskOp mask,
                                       ValueRange index, int64_t width) {
  const int64_t dim = mask.getDim(), extent = mask.getExtent();
  const int64_t iterations =
      cast<block::LoopOp>(mask->getParentOp()).getIterations();
  const int64_t part =
      cast<ShapedType>(mask.getMask().getType()).getDimSize(dim);
  Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       iteration, makeIndex(iterations - 1));
  Value first = arith::SelectOp::create(builder, loc, isLast,
                                        makeIndex(iterations * part - extent),
                                        makeIndex(0));
  // What is added to an index is left to the comparison, so that it takes no
  // register of its own in all iterations.
  auto [variable, constant] = splitConstant(index[dim]);
  if (variable)
    first = arith::SubIOp::create(builder, loc, first, variable);
  Value left =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), first);
  SmallVector<int32_t> places;
  for (int64_t i = 0; i < width; ++i)
    places.push_back(static_cast<int32_t>(constant + i));
  auto getNumber = [&](float value) -> Value {
    TypedAttr number = builder.getF32FloatAttr(value);
    if (width > 1)
      number = DenseElementsAttr::get(
          VectorType::get(width, builder.getF32Type()), value);
    return arith::ConstantOp::create(builder, loc, number);
  };
  Value own = width == 1 ? makeInt(places.front())
                         : arith::ConstantOp::create(
                               builder, loc, builder.getI32VectorAttr(places));
  if (width > 1)
    left = vector::BroadcastOp::create(builder, loc, own.getType(), left);
  Value isFresh =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, left, own);
  return arith::SelectOp::create(builder, loc, isFresh, getNumber(1),
                                 getNumber(0));
}

void KernelEmitterImpl::updateElements(const TileMemory &elements,
                                       ValueRange index, int64_t width,
                                       function_ref<Value(Value)> update) {
  elements.store(builder, loc,
                 update(elements.load(builder, loc, index, width)), index);
}

void KernelEmitterImpl::accumulate(block::AccumulateOp accumulate,
                                   unsigned accumulator, Value elements,
                                   ValueRange index) {
  Value result = accumulate->getParentOp()->getResult(accumulator);
  auto known = memory.find(result);
  if (known == memory.end())
    return;
  const TileMemory &total = known->second;
  int64_t width = getNumElementsOf(elements);
  elements = convertFloat(builder, loc, elements, builder.getF32Type());
  switch (accumulate.getKind(accumulator)) {
  case block::AccumulatorKind::Sum:
    return updateElements(total, index, width, [&](Value before) -> Value {
      return arith::AddFOp::create(builder, loc, before, elements);
    });
  case block::AccumulatorKind::Max:
    return updateElements(total, index, width, [&](Value before) -> Value {
      return arith::MaximumFOp::create(builder, loc, before, elements);
    });
  case block::AccumulatorKind::Concat: {
    auto tile = cast<ShapedType>(accumulate.getTiles()[accumulator].getType());
    int64_t dim = accumulate.getDims()[accumulator];
    SmallVector<Value> offsets(tile.getRank());
    offsets[dim] = mul(iteration, tile.getDimSize(dim));
    total.store(builder, loc, elements, addOffsets(offsets, index));
    return;
  }
  case block::AccumulatorKind::RescaledSum:
    return;
  }
}

void KernelEmitterImpl::deliver(Value tile, Value elements, ValueRange index) {
  Type type = cast<ShapedType>(tile.getType()).getElementType();
  elements = convertFloat(builder, loc, elements, type);
  if (auto known = memory.find(tile); known != memory.end())
    known->second.store(builder, loc, elements, index);
  if (!absorbsSinks(tile))
    return;
  for (OpOperand &use : tile.getUses()) {
    if (auto saver = dyn_cast<block::OutputSaver>(use.getOwner()))
      outputs[saver].store(builder, loc, elements,
                           addOffsets(outputOffsets[saver], index));
    else if (auto accumulators = dyn_cast<block::AccumulateOp>(use.getOwner());
             accumulators && !isRescaled(use))
      accumulate(accumulators, use.getOperandNumber(), elements, index);
  }
}

void KernelEmitterImpl::fill(ArrayRef<int64_t> shape,
                             const TileMemory &elements, double value) {
  int64_t width = getWidth(shape);
  forEachElement(
      shape,
      [&](ValueRange index) {
        Value element = arith::ConstantOp::create(
            builder, loc, builder.getF32FloatAttr(value));
        elements.store(builder, loc, widen(element, width), index);
      },
      width, kMostAtOnce);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void KernelEmitterImpl::emitOp(Operation *op) {
  loc = op->getLoc();
  if (auto loop = dyn_cast<block::LoopOp>(op))
    return emitLoop(loop);
  if (op->getNumResults() > 0 && op->use_empty())
    return;
  if (auto input = dyn_cast<block::InputIterator>(op))
    return emitInput(input);
  SmallVector<Value> totals;
  for (Value operand : op->getOperands())
    if (keptSums.contains(operand))
      totals.push_back(operand);
  if (!totals.empty())
    return emitEpilogue(op, totals);
  if (isStoredInBulk(op))
    return storeBoxes(cast<block::OutputSaver>(op));
  if (auto inlined = cast_or_null<OperatorOpInterface>(getInlinedFold(op))) {
    if (std::optional<TensorCoreUse> use = getTensorCoreUse(inlined))
      return emitMatmul(inlined, *use, op);
    return emitReduction(inlined, *getFold(inlined), op);
  }
  if (auto threadGraph = dyn_cast<block::GraphDefinedOp>(op))
    return emitThreadGraph(threadGraph);
  if (isMadeWhereRead(op) && llvm::none_of(op->getUsers(), isSink))
    return;
  auto semantics = dyn_cast<OperatorOpInterface>(op);
  if (std::optional<TensorCoreUse> use = getTensorCoreUse(op))
    return emitMatmul(semantics, *use, op);
  // The op makes its one result's elements, or hands on those of a loop's
  // result.
  Value tile = isSink(op) ? op->getOperand(0) : op->getResult(0);
  auto shape = cast<ShapedType>(tile.getType()).getShape();
  if (semantics && !semantics.getSemantics().isElementwise()) {
    if (std::optional<Fold> fold = getFold(semantics))
      return emitReduction(semantics, *fold, op);
    return forEachElement(shape, [&](ValueRange index) {
      deliver(tile, emitElement(op, index, 1), index);
    });
  }
  int64_t width = getWidth(shape);
  computeElements(
      shape, width, getNumAtOnce(op, width),
      [&](ValueRange index) {
        Value elements = semantics ? emitElement(op, index, width)
                                   : widen(read(tile, index, width), width);
        return SmallVector<Value>{elements};
      },
      [&](ValueRange index, ArrayRef<Value> elements) {
        if (!isSink(op))
          return deliver(tile, elements[0], index);
        outputs[op].store(builder, loc, elements[0],
                          addOffsets(outputOffsets[op], index));
      },
      getElementSplit(op));
}

void KernelEmitterImpl::emitThreadGraph(block::GraphDefinedOp threadGraph) {
  if (threadGraph.getOutputs().empty())
    return;
  auto shape =
      cast<ShapedType>(threadGraph.getOutputs()[0].getType()).getShape();
  int64_t width = getWidth(shape);
  computeElements(
      shape, width, getNumAtOnce(threadGraph, width),
      [&](ValueRange index) {
        return emitThreadGraphElements(threadGraph, index, width);
      },
      [&](ValueRange index, ArrayRef<Value> results) {
        for (auto [output, elements] :
             llvm::zip_equal(threadGraph.getOutputs(), results))
          deliver(output, elements, index);
      },
      getElementSplit(threadGraph));
}

void KernelEmitterImpl::emitStages(const Stages &stages) {
  for (auto [depth, ops] : llvm::enumerate(stages)) {
    if (depth > 0) {
      loc = graph.getLoc();
      if (isCopying)
        waitForCopies(0);
      emitBarrier();
    }
    SmallVector<Operation *> groupSums = emitGroupSums(ops);
    for (Operation *op : ops) {
      if (llvm::is_contained(groupSums, op))
        continue;
      emitOp(op);
      // An input's may come later.
      if (!isa<block::InputIterator>(op))
        noteStores(op->getResults());
    }
    if (isCopying)
      commitCopies();
  }
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

SmallVector<Value> KernelEmitterImpl::getBlockOffsets(ArrayRef<int64_t> dims,
                                                      ArrayRef<int64_t> tensor,
                                                      ArrayRef<int64_t> parts) {
  SmallVector<Value> offsets(parts.size());
  for (auto [grid, dim] : llvm::enumerate(dims)) {
    if (dim == kReplica)
      continue;
    Value &offset = offsets[dim];
    offset = mul(blockIds[grid], parts[dim]);
    // The last tile ends where the tensor does.
    if (tensor[dim] % parts[dim] != 0)
      offset = arith::MinUIOp::create(builder, loc, offset,
                                      makeIndex(tensor[dim] - parts[dim]));
  }
  return offsets;
}

SmallVector<Value> KernelEmitterImpl::addOffsets(ArrayRef<Value> offsets,
                                                 ValueRange index) {
  SmallVector<Value> sums;
  for (auto [offset, i] : llvm::zip_equal(offsets, index))
    sums.push_back(offset ? add(offset, i) : i);
  return sums;
}

TileMemory KernelEmitterImpl::makeTile(TileType type, Value offset,
                                       TileLayout layout) {
  // Padding is of the memref, too.
  int64_t size =
      std::max(type.getNumElements(), layout.getBytes() / layout.elementBytes);
  Value flat = memref::ViewOp::create(
      builder, loc,
      MemRefType::get({size}, type.getElementType(),
                      MemRefLayoutAttrInterface(),
                      cast<MemRefType>(shared.getType()).getMemorySpace()),
      shared, offset, ValueRange());
  return {flat, getRowMajorStrides(type.getShape()), /*offset=*/0,
          std::move(layout)};
}

TileMemory KernelEmitterImpl::makeTile(Value tile, Value offset) {
  return makeTile(cast<TileType>(tile.getType()), offset, getLayout(tile));
}

TileMemory KernelEmitterImpl::makeBuffer(Value memref, ShapedType type) {
  return {reinterpretMemRef(builder, loc, memref, {type.getNumElements()}),
          getRowMajorStrides(type.getShape())};
}

TileMemory KernelEmitterImpl::makeView(const TensorView &view, Value memref) {
  TileMemory result =
      makeBuffer(memref, cast<ShapedType>(view.whole.getType()));
  for (auto [stride, offset] : llvm::zip_equal(result.strides, view.offsets))
    result.offset += stride * offset;
  return result;
}

TileMemory KernelEmitterImpl::getInputMemory(block::InputIterator input) {
  TileMemory source = memory.lookup(input.getTensor());
  source.startMultiple = getStartMultiple(input);
  return source;
}

void KernelEmitterImpl::emit(ValueRange buffers) {
  Block &blockGraph = graph.getBlockGraph();
  threadId = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  lane = rem(threadId, kWarpSize);
  warp = div(threadId, kWarpSize);
  constexpr gpu::Dimension launchDims[] = {gpu::Dimension::x, gpu::Dimension::y,
                                           gpu::Dimension::z};
  ArrayRef<int64_t> grid = graph.getGrid().getSizes();
  for (size_t g = 0; g < std::min(grid.size(), std::size(launchDims)); ++g)
    blockIds.push_back(gpu::BlockIdOp::create(builder, loc, launchDims[g]));
  // See `getLaunchSizes`.
  if (grid.size() > std::size(launchDims)) {
    Value zAndW = blockIds.back();
    blockIds.back() = rem(zAndW, grid[2]);
    blockIds.push_back(div(zAndW, grid[2]));
  }

  for (BlockArgument argument : blockGraph.getArguments())
    memory[argument] =
        makeView(getTensorView(argument), buffers[argument.getArgNumber()]);
  ValueRange results = buffers.drop_front(blockGraph.getNumArguments());
  size_t numSavers = 0;
  for (auto saver : blockGraph.getOps<block::OutputSaver>()) {
    TileMemory &view = outputs[saver];
    view = makeView(getTensorView(saver.getTensor()), results[numSavers++]);
    view.startMultiple = getStartMultiple(saver);
    outputOffsets[saver] = getBlockOffsets(
        saver.getOmap().getDims(), cast<ShapedType>(saver.getType()).getShape(),
        cast<ShapedType>(saver.getTile().getType()).getShape());
  }

  if (plan.size > 0) {
    auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                            gpu::AddressSpace::Workgroup);
    shared = gpu::DynamicSharedMemoryOp::create(
        builder, loc,
        MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(),
                        MemRefLayoutAttrInterface(), space));
    for (auto [tile, offset] : plan.offsets)
      if (!canLoadAhead(tile.getDefiningOp()))
        memory[tile] = makeTile(tile, makeIndex(offset));
  }
  bool usesWarpgroups = false;
  graph.walk([&](Operation *op) {
    std::optional<TensorCoreUse> use;
    auto semantics = dyn_cast<OperatorOpInterface>(op);
    if (semantics)
      use = getTensorCoreUse(op);
    SmallVector<Value> tiles;
    if (isStoredInBulk(op))
      tiles = getTilesRead(op);
    else if (use && use->plan.inWarpgroups)
      tiles = getGroupTiles(semantics);
    usesWarpgroups |= use && use->plan.inWarpgroups;
    for (Value tile : tiles)
      if (!isLoadedByProducer(tile.getDefiningOp()))
        readThroughProxy.insert(tile);
  });
  // Descriptors depend on it: a lane's, as all have it, may be in registers
  // that are one for all of them.
  if (usesWarpgroups)
    warp = arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(),
        gpu::ShuffleOp::create(builder, loc,
                               arith::IndexCastOp::create(
                                   builder, loc, builder.getI32Type(), warp),
                               /*offset=*/0, /*width=*/kWarpSize,
                               gpu::ShuffleMode::IDX)
            .getShuffleResult());
  // The last arguments are tensor maps.
  for (auto [op, map] :
       llvm::zip_equal(getMappedOps(blockGraph), results.drop_front(numSavers)))
    tensorMaps[op] = getMapAddress(map);
  if (hasProducerWarp(blockGraph))
    return emitWarpRoles();
  if (keepsRows(graph))
    return emitKeptRows();
  emitStages(getStages(blockGraph));
}

void mirage::emitKernelBody(OpBuilder &builder, kernel::GraphDefinedOp graph,
                            ValueRange buffers, const SharedPlan &plan) {
  KernelEmitterImpl(builder, graph, plan).emit(buffers);
}
