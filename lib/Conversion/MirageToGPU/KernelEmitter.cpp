//===- KernelEmitter.cpp - The body of a kernel from its block graph ------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All ops of a block graph are emitted in one way: a loop in which a thread
// takes every `threads`-th element of the tile, computes it, and hands it to
// whoever wants it: shared memory, an accumulator, the output. Element e
// belongs to thread e mod threads in every such loop, which is why accumulators
// need no barrier.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "ElementCode.h"
#include "Mirage/Dialect/Block/Block.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <limits>

using namespace mirage;
using namespace mlir;

Value mirage::reinterpretMemRef(OpBuilder &builder, Location loc, Value memref,
                                ArrayRef<int64_t> shape) {
  auto type = cast<MemRefType>(memref.getType());
  if (type.getShape() == shape)
    return memref;
  SmallVector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= shape[d];
  }
  return memref::ReinterpretCastOp::create(
      builder, loc, MemRefType::get(shape, type.getElementType()), memref,
      /*offset=*/0, shape, strides);
}

namespace {

class KernelEmitter {
public:
  KernelEmitter(OpBuilder &builder, kernel::GraphDefinedOp graph,
                int64_t threads, const SharedPlan &plan)
      : builder(builder), graph(graph), loc(graph.getLoc()), threads(threads),
        plan(plan) {}

  void emit(ValueRange buffers);

private:
  Value makeIndex(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  void emitBarrier() { gpu::BarrierOp::create(builder, loc); }

  /// Emits the ops of a block, with barriers between depths.
  void emitStages(const Stages &stages);
  void emitOp(Operation *op);
  void emitLoop(block::LoopOp loop);
  void emitInput(block::InputIterator input);
  void emitThreadGraph(block::GraphDefinedOp threadGraph);

  /// Emits a loop in which this thread visits its elements of a tile, or its
  /// groups of `group` neighbours in the last dimension.
  void forEachElement(ArrayRef<int64_t> shape,
                      function_ref<void(ValueRange)> visit, int64_t group = 1);
  /// Hands an element of a tile to all who want it, rounded to the tile's type.
  void deliver(Value tile, Value element, ValueRange index);
  /// Hands an element to a loop's accumulator, unless that is a rescaled sum.
  void accumulate(block::AccumulateOp accumulate, unsigned accumulator,
                  Value element, ValueRange index);
  /// Adds the tiles of an iteration to the rescaled sums.
  void emitRescaledSums(block::AccumulateOp accumulate);

  /// An element of a tile, in f32.
  Value readElement(Value tile, ValueRange index);
  /// Stores `update` of an element, both in f32, in its place.
  void updateElement(Value memref, ValueRange index,
                     function_ref<Value(Value)> update);
  /// This thread's part of filling a tile in shared memory.
  void fill(Value memref, double value);

  /// For each data dimension of a tensor the place of this block's part, when
  /// grid dimension g cuts dimension dims[g] into parts of `parts` elements.
  SmallVector<Value> getBlockOffsets(ArrayRef<int64_t> dims,
                                     ArrayRef<int64_t> parts);
  SmallVector<Value> addOffsets(ArrayRef<Value> offsets, ValueRange index);
  /// The tile that begins at a byte of shared memory.
  Value makeTile(TileType type, int64_t offset);

  OpBuilder &builder;
  kernel::GraphDefinedOp graph;
  Location loc;
  int64_t threads;
  const SharedPlan &plan;

  /// The dynamic shared memory, if there is any.
  Value shared;
  Value threadId;
  SmallVector<Value, 3> blockIds;
  /// The loop's iteration, in a loop.
  Value iteration;
  /// The buffers of the graph's arguments, and the tiles in shared memory.
  llvm::DenseMap<Value, Value> memory;
  /// For each maximum of a rescaled sum, its maximum over iterations.
  llvm::MapVector<Value, Value> runningMaxima;
  /// The buffers that savers write.
  llvm::DenseMap<Operation *, Value> outputs;
  /// Where a saver's tile begins in its buffer; no value for 0.
  llvm::DenseMap<Operation *, SmallVector<Value>> outputOffsets;
};

} // namespace

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

void KernelEmitter::forEachElement(ArrayRef<int64_t> shape,
                                   function_ref<void(ValueRange)> visit,
                                   int64_t group) {
  SmallVector<int64_t> groups(shape);
  if (group > 1)
    groups.back() /= group;
  int64_t count = mirage::getNumElements(groups);
  auto emitIndex = [&](Value linear) {
    SmallVector<Value> index(groups.size());
    int64_t left = count;
    for (size_t d = groups.size(); d-- > 0;) {
      left /= groups[d];
      if (groups[d] == 1) {
        index[d] = makeIndex(0);
        continue;
      }
      // Of the outermost dimension nothing has to be cut off.
      if (left == 1) {
        index[d] = linear;
        continue;
      }
      Value size = makeIndex(groups[d]);
      index[d] = arith::RemUIOp::create(builder, loc, linear, size);
      linear = arith::DivUIOp::create(builder, loc, linear, size);
    }
    if (group > 1)
      index.back() =
          arith::MulIOp::create(builder, loc, index.back(), makeIndex(group));
    visit(index);
  };
  auto loop = scf::ForOp::create(builder, loc, threadId, makeIndex(count),
                                 makeIndex(threads));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  emitIndex(loop.getInductionVar());
}

Value KernelEmitter::readElement(Value tile, ValueRange index) {
  if (auto constant = tile.getDefiningOp<ConstantOp>())
    return emitConstant(builder, constant);
  Value element =
      memref::LoadOp::create(builder, loc, memory.lookup(tile), index);
  return convertFloat(builder, loc, element, builder.getF32Type());
}

void KernelEmitter::updateElement(Value memref, ValueRange index,
                                  function_ref<Value(Value)> update) {
  Value before = memref::LoadOp::create(builder, loc, memref, index);
  Value after =
      update(convertFloat(builder, loc, before, builder.getF32Type()));
  memref::StoreOp::create(builder, loc,
                          convertFloat(builder, loc, after, before.getType()),
                          memref, index);
}

void KernelEmitter::accumulate(block::AccumulateOp accumulate,
                               unsigned accumulator, Value element,
                               ValueRange index) {
  Value result = accumulate->getParentOp()->getResult(accumulator);
  Value memref = memory.lookup(result);
  if (!memref)
    return;
  element = convertFloat(builder, loc, element, builder.getF32Type());
  switch (accumulate.getKind(accumulator)) {
  case block::AccumulatorKind::Sum:
    return updateElement(memref, index, [&](Value before) -> Value {
      return arith::AddFOp::create(builder, loc, before, element);
    });
  case block::AccumulatorKind::Max:
    return updateElement(memref, index, [&](Value before) -> Value {
      return arith::MaximumFOp::create(builder, loc, before, element);
    });
  case block::AccumulatorKind::Concat: {
    auto tile = cast<ShapedType>(accumulate.getTiles()[accumulator].getType());
    int64_t dim = accumulate.getDims()[accumulator];
    SmallVector<Value> offsets(tile.getRank());
    offsets[dim] = arith::MulIOp::create(builder, loc, iteration,
                                         makeIndex(tile.getDimSize(dim)));
    Type type = cast<MemRefType>(memref.getType()).getElementType();
    memref::StoreOp::create(builder, loc,
                            convertFloat(builder, loc, element, type), memref,
                            addOffsets(offsets, index));
    return;
  }
  case block::AccumulatorKind::RescaledSum:
    return;
  }
}

void KernelEmitter::deliver(Value tile, Value element, ValueRange index) {
  Type type = cast<ShapedType>(tile.getType()).getElementType();
  element = convertFloat(builder, loc, element, type);
  if (Value memref = memory.lookup(tile))
    memref::StoreOp::create(builder, loc, element, memref, index);
  if (!absorbsSinks(tile))
    return;
  for (OpOperand &use : tile.getUses()) {
    if (auto saver = dyn_cast<block::OutputSaver>(use.getOwner())) {
      Value output = outputs.lookup(saver);
      Type type = cast<MemRefType>(output.getType()).getElementType();
      memref::StoreOp::create(builder, loc,
                              convertFloat(builder, loc, element, type), output,
                              addOffsets(outputOffsets[saver], index));
    } else if (auto accumulators =
                   dyn_cast<block::AccumulateOp>(use.getOwner())) {
      if (!isRescaled(use))
        accumulate(accumulators, use.getOperandNumber(), element, index);
    }
  }
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void KernelEmitter::emitOp(Operation *op) {
  loc = op->getLoc();
  if (auto loop = dyn_cast<block::LoopOp>(op))
    return emitLoop(loop);
  if (op->getNumResults() > 0 && op->use_empty())
    return;
  if (auto input = dyn_cast<block::InputIterator>(op))
    return emitInput(input);
  if (auto threadGraph = dyn_cast<block::GraphDefinedOp>(op))
    return emitThreadGraph(threadGraph);
  // The op makes its one result's elements, or hands on those of a loop's
  // result.
  Value tile = isSink(op) ? op->getOperand(0) : op->getResult(0);
  if (isa<ConstantOp>(op) && llvm::none_of(op->getUsers(), isSink))
    return;
  forEachElement(
      cast<ShapedType>(tile.getType()).getShape(), [&](ValueRange index) {
        auto read = [&](Value operand, ValueRange position) {
          return readElement(operand, position);
        };
        if (auto semantics = dyn_cast<OperatorOpInterface>(op))
          return deliver(tile,
                         emitOperatorElement(builder, semantics, index, read),
                         index);
        if (isa<ConstantOp>(op))
          return deliver(tile, readElement(tile, index), index);
        Value output = outputs.lookup(op);
        Value element =
            convertFloat(builder, loc, readElement(tile, index),
                         cast<MemRefType>(output.getType()).getElementType());
        memref::StoreOp::create(builder, loc, element, output,
                                addOffsets(outputOffsets[op], index));
      });
}

void KernelEmitter::emitThreadGraph(block::GraphDefinedOp threadGraph) {
  if (threadGraph.getOutputs().empty())
    return;
  Block &body = threadGraph.getBody().front();
  auto shape =
      cast<ShapedType>(threadGraph.getOutputs()[0].getType()).getShape();
  forEachElement(shape, [&](ValueRange index) {
    auto read = [&](Value tile, ValueRange position) {
      return readElement(tile, position);
    };
    ThreadGraphEmitter emitter(builder, threadGraph.getInputs(), read);
    SmallVector<Value> elements;
    for (Value fragment : body.getTerminator()->getOperands())
      elements.push_back(emitter.emit(fragment, index));
    for (auto [output, element] :
         llvm::zip_equal(threadGraph.getOutputs(), elements))
      deliver(output, element, index);
  });
}

void KernelEmitter::emitInput(block::InputIterator input) {
  Value source = memory.lookup(input.getTensor());
  auto tensor = cast<ShapedType>(input.getTensor().getType());
  auto tile = cast<ShapedType>(input.getTile().getType());

  // First the grid cuts, then the loop.
  SmallVector<int64_t> parts(tile.getShape());
  int64_t loopDim = input.getFmap() ? input.getFmap()->getDim() : kReplica;
  if (loopDim != kReplica)
    parts[loopDim] *= cast<block::LoopOp>(input->getParentOp()).getIterations();
  SmallVector<Value> offsets =
      getBlockOffsets(input.getImap().getDims(), parts);
  if (loopDim != kReplica) {
    Value step = arith::MulIOp::create(builder, loc, iteration,
                                       makeIndex(tile.getDimSize(loopDim)));
    Value &offset = offsets[loopDim];
    offset = offset ? arith::AddIOp::create(builder, loc, offset, step) : step;
  }

  // Rows go in pieces of 16 bytes when they consist of such and nobody but
  // shared memory wants the elements.
  constexpr int64_t kPieceBytes = 16;
  int64_t piece = kPieceBytes * 8 / tile.getElementTypeBitWidth();
  bool onlyShared = llvm::none_of(input->getUsers(), isSink);
  if (onlyShared && tile.getRank() > 0 && tile.getShape().back() % piece == 0 &&
      tensor.getShape().back() % piece == 0) {
    auto type = VectorType::get(piece, tile.getElementType());
    return forEachElement(
        tile.getShape(),
        [&](ValueRange index) {
          Value elements = vector::LoadOp::create(
              builder, loc, type, source, addOffsets(offsets, index),
              /*nontemporal=*/false, llvm::MaybeAlign(kPieceBytes));
          vector::StoreOp::create(
              builder, loc, elements, memory.lookup(input.getTile()), index,
              /*nontemporal=*/false, llvm::MaybeAlign(kPieceBytes));
        },
        piece);
  }
  forEachElement(tile.getShape(), [&](ValueRange index) {
    Value element = memref::LoadOp::create(builder, loc, source,
                                           addOffsets(offsets, index));
    deliver(input.getTile(), element, index);
  });
}

void KernelEmitter::fill(Value memref, double value) {
  auto type = cast<MemRefType>(memref.getType());
  forEachElement(type.getShape(), [&](ValueRange index) {
    Value element = arith::ConstantOp::create(
        builder, loc, builder.getFloatAttr(type.getElementType(), value));
    memref::StoreOp::create(builder, loc, element, memref, index);
  });
}

// The sum so far is scaled by exp(old - new) and the tile by exp(m - new),
// where new = max(old, m): neither overflows.
void KernelEmitter::emitRescaledSums(block::AccumulateOp accumulate) {
  loc = accumulate.getLoc();
  auto readRunning = [&](Value maximum, ValueRange index) {
    Value element = memref::LoadOp::create(
        builder, loc, runningMaxima.lookup(maximum), index);
    return convertFloat(builder, loc, element, builder.getF32Type());
  };
  // Also for infinities, whose difference is none, exp(x - x) is 1.
  auto scale = [&](Value value, Value from, Value to) -> Value {
    Value same = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                       from, to);
    Value factor =
        emitExp(builder, loc, arith::SubFOp::create(builder, loc, from, to));
    Value scaled = arith::MulFOp::create(builder, loc, value, factor);
    return arith::SelectOp::create(builder, loc, same, value, scaled);
  };

  emitBarrier();
  for (unsigned i = 0, e = accumulate.getTiles().size(); i < e; ++i) {
    Value tile = accumulate.getTiles()[i];
    Value total = memory.lookup(accumulate->getParentOp()->getResult(i));
    if (accumulate.getKind(i) != block::AccumulatorKind::RescaledSum || !total)
      continue;
    Value maximum = accumulate.getMaximum(i);
    auto shape = cast<ShapedType>(maximum.getType()).getShape();
    forEachElement(
        cast<ShapedType>(tile.getType()).getShape(), [&](ValueRange index) {
          SmallVector<Value> position(index.take_back(shape.size()));
          for (auto [d, size] : llvm::enumerate(shape))
            if (size == 1)
              position[d] = makeIndex(0);
          Value before = readRunning(maximum, position);
          Value now = readElement(maximum, position);
          Value after = arith::MaximumFOp::create(builder, loc, before, now);
          Value term = scale(readElement(tile, index), now, after);
          updateElement(total, index, [&](Value sum) -> Value {
            return arith::AddFOp::create(builder, loc,
                                         scale(sum, before, after), term);
          });
        });
  }

  emitBarrier();
  for (auto &entry : runningMaxima) {
    Value maximum = entry.first, running = entry.second;
    auto shape = cast<ShapedType>(maximum.getType()).getShape();
    forEachElement(shape, [&](ValueRange index) {
      updateElement(running, index, [&](Value before) -> Value {
        return arith::MaximumFOp::create(builder, loc, before,
                                         readElement(maximum, index));
      });
    });
  }
}

void KernelEmitter::emitLoop(block::LoopOp loop) {
  constexpr double kLowest = -std::numeric_limits<double>::infinity();
  auto accumulators =
      cast<block::AccumulateOp>(loop.getBody().front().getTerminator());
  for (auto [i, result] : llvm::enumerate(loop.getResults())) {
    Value accumulator = memory.lookup(result);
    block::AccumulatorKind kind = accumulators.getKind(i);
    // The tiles of a concatenation fill it.
    if (accumulator && kind != block::AccumulatorKind::Concat)
      fill(accumulator, kind == block::AccumulatorKind::Max ? kLowest : 0);
  }
  runningMaxima.clear();
  for (Value maximum : accumulators.getMaxima()) {
    if (runningMaxima.contains(maximum))
      continue;
    runningMaxima[maximum] = makeTile(cast<TileType>(maximum.getType()),
                                      plan.runningMaxima.lookup(maximum));
    fill(runningMaxima[maximum], kLowest);
  }

  auto iterations =
      scf::ForOp::create(builder, loc, makeIndex(0),
                         makeIndex(loop.getIterations()), makeIndex(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(iterations.getBody());
  iteration = iterations.getInductionVar();
  emitStages(getStages(loop.getBody().front()));
  if (!runningMaxima.empty())
    emitRescaledSums(accumulators);
  loc = loop.getLoc();
  if (needsBarrierAtBackEdge(loop, plan))
    emitBarrier();
  iteration = {};
}

void KernelEmitter::emitStages(const Stages &stages) {
  for (auto [depth, ops] : llvm::enumerate(stages)) {
    if (depth > 0) {
      loc = graph.getLoc();
      emitBarrier();
    }
    for (Operation *op : ops)
      emitOp(op);
  }
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

SmallVector<Value> KernelEmitter::getBlockOffsets(ArrayRef<int64_t> dims,
                                                  ArrayRef<int64_t> parts) {
  SmallVector<Value> offsets(parts.size());
  for (auto [grid, dim] : llvm::enumerate(dims))
    if (dim != kReplica)
      offsets[dim] = arith::MulIOp::create(builder, loc, blockIds[grid],
                                           makeIndex(parts[dim]));
  return offsets;
}

SmallVector<Value> KernelEmitter::addOffsets(ArrayRef<Value> offsets,
                                             ValueRange index) {
  SmallVector<Value> sums;
  for (auto [offset, i] : llvm::zip_equal(offsets, index))
    sums.push_back(offset ? arith::AddIOp::create(builder, loc, offset, i) : i);
  return sums;
}

Value KernelEmitter::makeTile(TileType type, int64_t offset) {
  return memref::ViewOp::create(
      builder, loc,
      MemRefType::get(type.getShape(), type.getElementType(),
                      MemRefLayoutAttrInterface(),
                      cast<MemRefType>(shared.getType()).getMemorySpace()),
      shared, makeIndex(offset), ValueRange());
}

void KernelEmitter::emit(ValueRange buffers) {
  Block &blockGraph = graph.getBlockGraph();
  threadId = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  constexpr gpu::Dimension gridDims[] = {gpu::Dimension::x, gpu::Dimension::y,
                                         gpu::Dimension::z};
  for (size_t g = 0; g < graph.getGrid().getSizes().size(); ++g)
    blockIds.push_back(gpu::BlockIdOp::create(builder, loc, gridDims[g]));

  // The buffers, each in the shape of its tensor.
  for (BlockArgument argument : blockGraph.getArguments())
    memory[argument] =
        reinterpretMemRef(builder, loc, buffers[argument.getArgNumber()],
                          cast<ShapedType>(argument.getType()).getShape());
  ValueRange results = buffers.drop_front(blockGraph.getNumArguments());
  size_t numSavers = 0;
  for (auto saver : blockGraph.getOps<block::OutputSaver>()) {
    outputs[saver] =
        reinterpretMemRef(builder, loc, results[numSavers++],
                          cast<ShapedType>(saver.getType()).getShape());
    outputOffsets[saver] =
        getBlockOffsets(saver.getOmap().getDims(),
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
      memory[tile] = makeTile(cast<TileType>(tile.getType()), offset);
  }
  emitStages(getStages(blockGraph));
}

void mirage::emitKernelBody(OpBuilder &builder, kernel::GraphDefinedOp graph,
                            ValueRange buffers, int64_t threads,
                            const SharedPlan &plan) {
  KernelEmitter(builder, graph, threads, plan).emit(buffers);
}
