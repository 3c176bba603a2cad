//===- BlockGraphReader.cpp - Reads block graphs --------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockGraphReader.h"
#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Mirage/Operators/ShapeText.h"

using namespace mlir;
using namespace mirage;

static constexpr int64_t kMaxInt32 = std::numeric_limits<int32_t>::max();

FailureOr<SmallVector<Value>> BlockGraphReader::read() {
  FailureOr<Fields> graph = kernelFields.getObject("bgraph");
  if (failed(graph))
    return failure();
  graphFields = *graph;
  FailureOr<Fields> sizes = graph->getObject("grid_dim");
  if (failed(sizes))
    return failure();
  for (StringRef dim : {"x", "y", "z"}) {
    FailureOr<int64_t> size = sizes->getInteger(dim, 1, kMaxInt32);
    if (failed(size))
      return failure();
    grid.push_back(*size);
  }
  // Dimensions of one block at the end say nothing.
  while (grid.size() > 1 && grid.back() == 1)
    grid.pop_back();
  FailureOr<int64_t> range = graph->getInteger("forloop_range", 1, kMaxInt32);
  if (failed(range))
    return failure();
  iterations = *range;

  afterLoop = std::make_unique<Block>();
  for (Value input : inputValues)
    afterLoop->addArgument(input.getType(), loc);
  if (hasLoop())
    loopBody = std::make_unique<Block>();
  FailureOr<std::vector<Fields>> operators = graph->getObjects("operators");
  if (failed(operators))
    return failure();
  for (auto [i, fields] : llvm::enumerate(*operators))
    if (failed(readOperator(fields, i)))
      return failure();
  return finish();
}

OpBuilder BlockGraphReader::getBuilder(bool after) {
  OpBuilder here(context);
  here.setInsertionPointToEnd(after || !hasLoop() ? afterLoop.get()
                                                  : loopBody.get());
  return here;
}

LogicalResult BlockGraphReader::readOperator(const Fields &unnamed,
                                             unsigned index) {
  Fields fields = unnamed.asOperator(index);
  FailureOr<StringRef> name = fields.getString("op_type");
  if (failed(name))
    return failure();
  std::optional<OperatorType> type = lookupOperatorType(*name);
  if (!type || type->level != Level::Block)
    return fields.fail("op_type", "is not an operator of a block graph: '" +
                                      getPrintable(*name) + "'");
  fields = fields.renamed(" (" + *name + ")");
  Location opLoc = NameLoc::get(StringAttr::get(context, fields.getWhere()));
  switch (type->kind) {
  case OperatorType::Kind::Input:
    return readInput(fields, opLoc);
  case OperatorType::Kind::Output:
    return readOutput(fields, opLoc);
  case OperatorType::Kind::Unsupported:
    return fields.fail(type->name);
  default:
    return readComputation(*type, fields, opLoc);
  }
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

FailureOr<BlockGraphReader::Tile *>
BlockGraphReader::addTile(const Fields &fields, bool afterAccumulation,
                          Location opLoc) {
  FailureOr<std::vector<Fields>> results =
      fields.getObjects("output_tensors", 1);
  if (failed(results))
    return failure();
  const Fields &result = results->front();
  FailureOr<TensorFields> tensor = readTensor(result, context);
  if (failed(tensor))
    return failure();
  FailureOr<bool> flag = result.getBoolean("after_accum");
  if (failed(flag))
    return failure();
  if (*flag != afterAccumulation)
    return result.fail("after_accum",
                       afterAccumulation
                           ? "expected true, since an input is accumulated or "
                             "this is an accumulator"
                           : "expected false, since no input is accumulated");
  if (tiles.count(tensor->guid))
    return result.fail("guid",
                       Twine(tensor->guid) + " is the guid of an earlier tile");
  tileList.push_back(Tile{*tensor, afterAccumulation, opLoc});
  Tile *tile = &tileList.back();
  tiles[tensor->guid] = tile;
  return tile;
}

FailureOr<BlockGraphReader::Tile *>
BlockGraphReader::findTile(const Fields &input) {
  FailureOr<TensorFields> tensor = readTensor(input, context);
  if (failed(tensor))
    return failure();
  auto it = tiles.find(tensor->guid);
  if (it == tiles.end())
    return input.fail("guid", Twine(tensor->guid) +
                                  " is not the guid of a tile that an earlier "
                                  "operator makes");
  Tile *tile = it->second;
  if (tile->tensor.shape != tensor->shape)
    return input.fail("dim", "expected " + getShapeText(tile->tensor.shape) +
                                 ", as where the tile is made, found " +
                                 getShapeText(tensor->shape));
  return tile;
}

FailureOr<Value> BlockGraphReader::getValue(Tile &tile, bool after,
                                            const Fields &user) {
  after |= !hasLoop();
  Value &value = after ? tile.valueAfterLoop : tile.valueInLoop;
  if (value)
    return value;
  if (!tile.isLoaded || (after && hasLoop() && tile.loopDim != kReplica))
    return user.fail("guid", "the tile is made in the loop, and used after it "
                             "without an accumulator");
  OpBuilder here = getBuilder(after);
  bool inLoop = hasLoop() && !after;
  auto type =
      getTensorType(Level::Block, tile.tensor.shape,
                    cast<ShapedType>(tile.source.getType()).getElementType());
  value = block::InputIterator::create(
      here, tile.loc, type, tile.source, tile.imap,
      inLoop ? FMapAttr::get(context, tile.loopDim) : FMapAttr());
  return value;
}

//===----------------------------------------------------------------------===//
// Iterators and savers
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<int64_t>>
BlockGraphReader::readMap(const Fields &fields, StringRef key, int64_t rank) {
  FailureOr<Fields> map = fields.getObject(key);
  if (failed(map))
    return failure();
  SmallVector<int64_t> dims;
  // The format has x, y and z.
  for (size_t i = 0; i < kMaxGridSizes.size(); ++i) {
    StringRef name = getGridDimName(i);
    int64_t size = i < grid.size() ? grid[i] : 1;
    FailureOr<int64_t> dim = map->getInteger(name, kReplica, rank - 1);
    if (failed(dim))
      return failure();
    if (*dim != kReplica && size > 1)
      for (size_t j = 0; j < i; ++j)
        if (dims[j] == *dim)
          return map->fail(name, "data dimension " + Twine(*dim) +
                                     " is that of '" + getGridDimName(j) +
                                     "' already");
    // Where there is one block, nothing is cut.
    if (i < grid.size())
      dims.push_back(size > 1 ? *dim : kReplica);
  }
  return dims;
}

LogicalResult BlockGraphReader::readInput(const Fields &fields,
                                          Location opLoc) {
  FailureOr<Fields> source = fields.getObject("dtensor");
  if (failed(source))
    return failure();
  FailureOr<TensorFields> tensor = readTensor(*source, context);
  if (failed(tensor))
    return failure();
  size_t input = 0;
  while (input < inputs.size() && inputs[input].guid != tensor->guid)
    ++input;
  if (input == inputs.size())
    return source->fail("guid", Twine(tensor->guid) +
                                    " is not the guid of an input of the "
                                    "kernel");
  if (inputs[input].shape != tensor->shape)
    return source->fail("dim", "expected " + getShapeText(inputs[input].shape) +
                                   ", as in the kernel's inputs, found " +
                                   getShapeText(tensor->shape));
  int64_t rank = tensor->shape.size();
  FailureOr<SmallVector<int64_t>> map = readMap(fields, "input_map", rank);
  if (failed(map))
    return failure();
  FailureOr<int64_t> loopDim =
      fields.getInteger("forloop_dim", kReplica, rank - 1);
  if (failed(loopDim))
    return failure();

  Shape shape = tensor->shape;
  auto divide = [&](int64_t dim, int64_t parts, const Twine &field) {
    if (dim == kReplica)
      return success();
    if (shape[dim] % parts != 0)
      return fields.fail(field.str(),
                         Twine(parts) + " parts don't divide the " +
                             Twine(shape[dim]) +
                             " elements of data dimension " + Twine(dim));
    shape[dim] /= parts;
    return success();
  };
  for (auto [i, size, dim] : llvm::enumerate(grid, *map))
    if (failed(divide(dim, size, "input_map." + getGridDimName(i))))
      return failure();
  if (failed(divide(*loopDim, iterations, "forloop_dim")))
    return failure();

  FailureOr<Tile *> tile = addTile(fields, /*afterAccumulation=*/false, opLoc);
  if (failed(tile))
    return failure();
  if ((*tile)->tensor.shape != shape)
    return fields.fail("output_tensors[0].dim",
                       "expected " + getShapeText(shape) +
                           ", as the maps imply, found " +
                           getShapeText((*tile)->tensor.shape));
  (*tile)->isLoaded = true;
  (*tile)->source = afterLoop->getArgument(input);
  (*tile)->imap = IMapAttr::get(context, *map);
  (*tile)->loopDim = *loopDim;
  return success();
}

LogicalResult BlockGraphReader::readOutput(const Fields &fields,
                                           Location opLoc) {
  FailureOr<std::vector<Fields>> operands =
      fields.getObjects("input_tensors", 1);
  if (failed(operands))
    return failure();
  FailureOr<Tile *> tile = findTile(operands->front());
  if (failed(tile))
    return failure();
  FailureOr<Value> value = getValue(**tile, /*after=*/true, operands->front());
  if (failed(value))
    return failure();
  // What a saver may do besides (TB_EPILOGUE_NONE: nothing).
  if (fields.has("epilogue") &&
      failed(fields.getInteger("epilogue", 3100, 3100)))
    return failure();

  FailureOr<Fields> target = fields.getObject("dtensor");
  if (failed(target))
    return failure();
  FailureOr<TensorFields> tensor = readTensor(*target, context);
  if (failed(tensor))
    return failure();
  size_t output = 0;
  while (output < outputs.size() && outputs[output].guid != tensor->guid)
    ++output;
  if (output == outputs.size())
    return target->fail("guid", Twine(tensor->guid) +
                                    " is not the guid of an output of the "
                                    "kernel");
  if (outputs[output].shape != tensor->shape)
    return target->fail("dim", "expected " +
                                   getShapeText(outputs[output].shape) +
                                   ", as in the kernel's outputs, found " +
                                   getShapeText(tensor->shape));
  if (llvm::is_contained(savedOutputs, output))
    return target->fail("guid", "the output is written by an earlier operator");

  const Shape &tileShape = (*tile)->tensor.shape;
  FailureOr<SmallVector<int64_t>> map =
      readMap(fields, "output_map", tileShape.size());
  if (failed(map))
    return failure();
  if (tensor->shape.size() != tileShape.size())
    return target->fail("num_dims", "expected " + Twine(tileShape.size()) +
                                        ", as of the tile, found " +
                                        Twine(tensor->shape.size()));
  Shape parts(tileShape.size(), 1);
  for (auto [i, size, dim] : llvm::enumerate(grid, *map)) {
    if (dim == kReplica && size > 1)
      return fields.fail(("output_map." + getGridDimName(i)).str(),
                         "the " + Twine(size) +
                             " blocks would write the same elements");
    if (dim != kReplica)
      parts[dim] = size;
  }
  for (auto [i, size, part, whole] :
       llvm::enumerate(tileShape, parts, tensor->shape))
    if (whole % part != 0 || whole / part != size)
      return target->fail(("dim[" + Twine(i) + "]").str(),
                          "expected " + Twine(part) + " tiles of " +
                              Twine(size) + ", found " + Twine(whole));
  OpBuilder here = getBuilder(/*after=*/true);
  block::OutputSaver::create(
      here, opLoc, *value, OMapAttr::get(context, *map),
      TypeAttr::get(RankedTensorType::get(outputs[output].shape,
                                          outputs[output].elementType)));
  savedOutputs.push_back(output);
  return success();
}

//===----------------------------------------------------------------------===//
// Operators and accumulators
//===----------------------------------------------------------------------===//

FailureOr<int64_t> BlockGraphReader::getReductionDimX() {
  return graphFields->getInteger("reduction_dimx", 1, kMaxElements);
}

Value BlockGraphReader::accumulate(block::AccumulatorKind kind, Value tile,
                                   Location opLoc) {
  if (!hasLoop())
    return tile;
  accumulated.push_back(tile);
  accumulatorKinds.push_back(block::AccumulatorKindAttr::get(context, kind));
  Type type =
      getTensorType(Level::Block, getShapeOf(tile), Float32Type::get(context));
  return afterLoop->addArgument(type, opLoc);
}

FailureOr<Value> BlockGraphReader::readAccumulator(const OperatorType &type,
                                                   const Fields &fields,
                                                   Value tile, Location opLoc) {
  using Accumulator = OperatorType::Accumulator;
  OpBuilder in = getBuilder(/*after=*/false);
  OpBuilder out = getBuilder(/*after=*/true);
  OperatorBuilder inLoop(in, opLoc, Level::Block, fields);
  OperatorBuilder after(out, opLoc, Level::Block, fields);
  int64_t last = getShapeOf(tile).size() - 1;
  auto sum = [&](FailureOr<Value> value) -> FailureOr<Value> {
    if (failed(value))
      return failure();
    return accumulate(block::AccumulatorKind::Sum, *value, opLoc);
  };
  // Over the last dimension in all iterations.
  auto divideByCount = [&](FailureOr<Value> value) -> FailureOr<Value> {
    if (failed(value))
      return failure();
    double count = double(getShapeOf(tile)[last]) * double(iterations);
    if (count > double(int64_t(1) << 53))
      return fields.fail("a mean of so many elements can't be expressed");
    return after.apply("div", {*value, after.getConstant(count)});
  };
  switch (type.accumulator) {
  case Accumulator::Sum:
    return sum(tile);
  case Accumulator::Max:
    return accumulate(block::AccumulatorKind::Max, tile, opLoc);
  case Accumulator::LastSum:
    return sum(inLoop.sumTo(tile, last, 1));
  case Accumulator::LastMean:
    return divideByCount(sum(inLoop.sumTo(tile, last, 1)));
  case Accumulator::LastRMS: {
    FailureOr<Value> squares = inLoop.apply("sqr", tile);
    if (failed(squares))
      return failure();
    FailureOr<Value> mean = divideByCount(sum(inLoop.sumTo(*squares, last, 1)));
    if (failed(mean))
      return failure();
    return after.apply("sqrt", *mean);
  }
  case Accumulator::ToDimXSum: {
    FailureOr<int64_t> size = getReductionDimX();
    if (failed(size))
      return failure();
    return sum(inLoop.sumTo(tile, last, *size));
  }
  }
  llvm_unreachable("covered switch");
}

LogicalResult BlockGraphReader::readComputation(const OperatorType &type,
                                                const Fields &fields,
                                                Location opLoc) {
  FailureOr<std::vector<Fields>> operands =
      fields.getObjects("input_tensors", type.numInputs);
  if (failed(operands))
    return failure();
  bool isAccumulator = type.kind == OperatorType::Kind::Accumulator;
  SmallVector<Tile *> operandTiles;
  bool after = false;
  for (const Fields &operand : *operands) {
    FailureOr<Tile *> tile = findTile(operand);
    if (failed(tile))
      return failure();
    if (isAccumulator && (*tile)->afterAccumulation)
      return operand.fail("guid", "the tile is accumulated already");
    operandTiles.push_back(*tile);
    after |= (*tile)->afterAccumulation;
  }
  SmallVector<Value> values;
  for (auto [tile, operand] : llvm::zip(operandTiles, *operands)) {
    FailureOr<Value> value = getValue(*tile, after, operand);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  FailureOr<Tile *> result = addTile(fields, after || isAccumulator, opLoc);
  if (failed(result))
    return failure();
  OpBuilder here = getBuilder(after);
  OperatorBuilder operators(here, opLoc, Level::Block, fields);
  FailureOr<Value> value =
      isAccumulator ? readAccumulator(type, fields, values[0], opLoc)
                    : operators.build(type, values, (*result)->tensor,
                                      /*elementType=*/nullptr,
                                      [&] { return getReductionDimX(); });
  if (failed(value) || failed(operators.checkResult(*value, (*result)->tensor)))
    return failure();
  if (after || isAccumulator || !hasLoop())
    (*result)->valueAfterLoop = *value;
  else
    (*result)->valueInLoop = *value;
  return success();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>> BlockGraphReader::finish() {
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!llvm::is_contained(savedOutputs, i))
      return kernelFields.fail(("output_tensors[" + Twine(i) + "]").str(),
                               "no tb_output_op of the block graph writes it");
  SmallVector<Type> types;
  for (unsigned output : savedOutputs)
    types.push_back(RankedTensorType::get(outputs[output].shape,
                                          outputs[output].elementType));
  auto kernel = kernel::GraphDefinedOp::create(builder, loc, types, inputValues,
                                               GridAttr::get(context, grid));
  Block *region = afterLoop.release();
  kernel.getBody().push_back(region);
  if (!accumulated.empty()) {
    OpBuilder start = OpBuilder::atBlockBegin(region);
    SmallVector<Type> accumulatedTypes;
    for (BlockArgument result :
         region->getArguments().drop_front(inputs.size()))
      accumulatedTypes.push_back(result.getType());
    auto loop = block::LoopOp::create(start, loc, accumulatedTypes, iterations);
    OpBuilder end = getBuilder(/*after=*/false);
    block::AccumulateOp::create(end, loc, accumulated, ValueRange(),
                                end.getArrayAttr(accumulatorKinds),
                                end.getDenseI64ArrayAttr(SmallVector<int64_t>(
                                    accumulated.size(), kReplica)));
    loop.getBody().push_back(loopBody.release());
    for (auto [argument, result] :
         llvm::zip(region->getArguments().drop_front(inputs.size()),
                   loop.getResults()))
      argument.replaceAllUsesWith(result);
    region->eraseArguments(inputs.size(), accumulatedTypes.size());
  }
  SmallVector<Value> results(outputs.size());
  for (auto [output, result] : llvm::zip(savedOutputs, kernel.getResults()))
    results[output] = result;
  return results;
}
