//===- UnevenGrid.cpp - Grids that don't divide what they cut -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements in which two tiles overlap must not depend on which tile they are
// of. They don't if all that is cut along the grid dimension is cut alike, and
// operators treat the elements along it one by one: then whatever lies at a
// place of a tile is a function of where this place is in the tensor.
//
//===----------------------------------------------------------------------===//

#include "UnevenGrid.h"
#include "Mirage/Operators/FollowDim.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::block;

namespace {

/// Follows what one grid dimension cuts unevenly through a block graph.
class Follower {
public:
  Follower(unsigned gridDim, int64_t extent)
      : gridDim(gridDim), extent(extent) {}

  LogicalResult visit(Block &block);

private:
  LogicalResult visitIterator(InputIterator iterator);
  LogicalResult visitOperator(OperatorOpInterface op);
  LogicalResult visitLoop(LoopOp loop);
  LogicalResult visitThreadGraph(GraphDefinedOp graph);
  LogicalResult visitSaver(OutputSaver saver);

  /// Along which dimension a tile is cut.
  int64_t getDim(Value tile) const {
    auto known = dims.find(tile);
    return known == dims.end() ? kNotFollowed : known->second;
  }
  InFlightDiagnostic emitError(Operation *op) const {
    return op->emitOpError()
           << "stands in a kernel whose grid dimension "
           << getGridDimName(gridDim) << " doesn't divide the " << extent
           << " elements of what it cuts, and ";
  }

  unsigned gridDim;
  int64_t extent;
  DenseMap<Value, int64_t> dims;
};

} // namespace

LogicalResult Follower::visitIterator(InputIterator iterator) {
  int64_t dim = iterator.getImap().getDims()[gridDim];
  if (dim == kReplica)
    return success();
  int64_t size =
      cast<ShapedType>(iterator.getTensor().getType()).getDimSize(dim);
  if (size != extent)
    return emitError(iterator) << "cuts " << size << " elements";
  dims[iterator.getTile()] = dim;
  return success();
}

LogicalResult Follower::visitOperator(OperatorOpInterface op) {
  SmallVector<Shape> shapes;
  SmallVector<int64_t> ofOperands;
  for (Value operand : op->getOperands()) {
    shapes.emplace_back(cast<ShapedType>(operand.getType()).getShape());
    ofOperands.push_back(getDim(operand));
  }
  if (llvm::all_of(ofOperands, [](int64_t dim) { return dim == kNotFollowed; }))
    return success();
  std::optional<int64_t> dim =
      followDim(op.getSemantics(), op.getParams(), shapes, ofOperands);
  if (!dim)
    return emitError(op) << "doesn't treat these one by one";
  dims[op->getResult(0)] = *dim;
  return success();
}

LogicalResult Follower::visitLoop(LoopOp loop) {
  if (failed(visit(loop.getBody().front())))
    return failure();
  auto accumulate = cast<AccumulateOp>(loop.getBody().front().getTerminator());
  for (auto [i, tile, result] :
       llvm::enumerate(accumulate.getTiles(), loop.getResults())) {
    int64_t dim = getDim(tile);
    if (dim != kNotFollowed && accumulate.getDims()[i] == dim)
      return emitError(accumulate)
             << "accumulator " << i << " concatenates along these";
    // A sum is multiplied by factors that have the maximum's shape.
    if (accumulate.getKind(i) == AccumulatorKind::RescaledSum) {
      Value maximum = accumulate.getMaximum(i);
      auto getShape = [](Value value) {
        return Shape(cast<ShapedType>(value.getType()).getShape());
      };
      if ((dim != kNotFollowed || getDim(maximum) != kNotFollowed) &&
          followDim(getOperator("mul"), {}, {getShape(tile), getShape(maximum)},
                    {dim, getDim(maximum)}) != dim)
        return emitError(accumulate)
               << "accumulator " << i
               << " is rescaled by a tile that isn't cut like its own";
    }
    if (dim != kNotFollowed)
      dims[result] = dim;
  }
  return success();
}

LogicalResult Follower::visitThreadGraph(GraphDefinedOp graph) {
  Block &body = graph.getBody().front();
  for (auto [input, argument] :
       llvm::zip_equal(graph.getInputs(), body.getArguments()))
    if (int64_t dim = getDim(input); dim != kNotFollowed)
      dims[argument] = dim;
  if (failed(visit(body)))
    return failure();
  for (auto [value, result] : llvm::zip_equal(
           body.getTerminator()->getOperands(), graph->getResults()))
    if (int64_t dim = getDim(value); dim != kNotFollowed)
      dims[result] = dim;
  return success();
}

LogicalResult Follower::visitSaver(OutputSaver saver) {
  int64_t dim = saver.getOmap().getDims()[gridDim];
  int64_t size = cast<ShapedType>(saver.getType()).getDimSize(dim);
  if (size != extent)
    return emitError(saver) << "saves " << size << " elements along it";
  if (getDim(saver.getTile()) != dim)
    return emitError(saver) << "saves a tile that isn't cut like these";
  return success();
}

LogicalResult Follower::visit(Block &block) {
  for (Operation &op : block) {
    LogicalResult result =
        llvm::TypeSwitch<Operation *, LogicalResult>(&op)
            .Case(
                [&](InputIterator iterator) { return visitIterator(iterator); })
            .Case([&](LoopOp loop) { return visitLoop(loop); })
            .Case([&](GraphDefinedOp graph) { return visitThreadGraph(graph); })
            .Case([&](OutputSaver saver) { return visitSaver(saver); })
            .Case([&](OperatorOpInterface op) { return visitOperator(op); })
            // Constants, and the terminators of loops and thread graphs.
            .Default([](Operation *) { return success(); });
    if (failed(result))
      return failure();
  }
  return success();
}

LogicalResult block::verifyUnevenGrid(BlockGraphOpInterface kernel) {
  ArrayRef<int64_t> grid = kernel.getGrid().getSizes();
  // Of each grid dimension the elements that it doesn't divide, as the first op
  // has them.
  SmallVector<int64_t, 3> extents(grid.size(), 0);
  auto note = [&](ArrayRef<int64_t> map, Type tensor) {
    for (auto [size, dim, extent] : llvm::zip_equal(grid, map, extents))
      if (dim != kReplica)
        if (int64_t cut = cast<ShapedType>(tensor).getDimSize(dim);
            cut % size != 0 && extent == 0)
          extent = cut;
  };
  kernel->walk([&](Operation *op) {
    if (auto iterator = dyn_cast<InputIterator>(op))
      note(iterator.getImap().getDims(), iterator.getTensor().getType());
    if (auto saver = dyn_cast<OutputSaver>(op))
      note(saver.getOmap().getDims(), saver.getType());
  });
  for (auto [g, extent] : llvm::enumerate(extents))
    if (extent > 0 &&
        failed(Follower(g, extent).visit(kernel->getRegion(0).front())))
      return failure();
  return success();
}
