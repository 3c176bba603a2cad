//===- Shapes.cpp - Loops, indexing maps and reshapes ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::linalg_import;

static std::string getText(AffineMap map) {
  std::string text;
  llvm::raw_string_ostream(text) << map;
  return "indexing map " + text;
}

llvm::Expected<Loops> linalg_import::getLoops(linalg::GenericOp op) {
  Loops loops;
  loops.sizes.assign(op.getNumLoops(), -1);
  for (utils::IteratorType type : op.getIteratorTypesArray())
    loops.reduced.push_back(type == utils::IteratorType::reduction);

  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (map.getNumResults() == 0)
      continue;
    if (llvm::Error error = checkTensorType(operand.get().getType()))
      return error;
    for (auto [expr, size] :
         llvm::zip_equal(map.getResults(), getShape(operand.get()))) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
        loops.sizes[dim.getPosition()] = size;
        continue;
      }
      auto constant = dyn_cast<AffineConstantExpr>(expr);
      if (!constant)
        return declined(getText(map) + " is not a projection of the loops");
      if (constant.getValue() != 0 || size != 1)
        return declined(getText(map) + " takes a slice of an operand");
    }
  }
  if (llvm::is_contained(loops.sizes, -1))
    return declined("a loop's size is not that of an operand's dimension");
  return loops;
}

llvm::Expected<SmallVector<int64_t>> linalg_import::getDimLoops(AffineMap map) {
  SmallVector<int64_t> dimLoops;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      continue;
    int64_t loop = dim.getPosition();
    if (llvm::is_contained(dimLoops, loop))
      return declined(getText(map) + " takes a diagonal");
    dimLoops.push_back(loop);
  }
  return dimLoops;
}

bool linalg_import::areAligned(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  auto isOne = [](int64_t size) { return size == 1; };
  return a.drop_while(isOne) == b.drop_while(isOne);
}

llvm::Expected<Value> linalg_import::alignOperand(KernelGraphBuilder &graph,
                                                  Value operand, AffineMap map,
                                                  const Loops &loops) {
  llvm::Expected<SmallVector<int64_t>> dimLoops = getDimLoops(map);
  if (!dimLoops)
    return dimLoops.takeError();
  if (!llvm::is_sorted(*dimLoops)) {
    SmallVector<int64_t> sizes;
    for (int64_t loop : *dimLoops)
      sizes.push_back(loops.sizes[loop]);
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, dimLoops->size()));
    llvm::sort(order, [&](int64_t a, int64_t b) {
      return (*dimLoops)[a] < (*dimLoops)[b];
    });
    operand = graph.transpose(graph.reshape(operand, sizes), order);
  }
  SmallVector<int64_t> shape(loops.sizes.size(), 1);
  for (int64_t loop : *dimLoops)
    shape[loop] = loops.sizes[loop];
  if (getShape(operand).size() <= shape.size() &&
      areAligned(getShape(operand), shape))
    return operand;
  ArrayRef<int64_t> leading = shape;
  return graph.reshape(
      operand, leading.drop_while([](int64_t size) { return size == 1; }));
}

llvm::Expected<Value> linalg_import::arrangeResult(KernelGraphBuilder &graph,
                                                   Value value, AffineMap map,
                                                   ArrayRef<int64_t> shape) {
  llvm::Expected<SmallVector<int64_t>> order = getDimLoops(map);
  if (!order)
    return order.takeError();
  for (int64_t loop = 0; loop < map.getNumDims(); ++loop)
    if (!llvm::is_contained(*order, loop))
      order->push_back(loop);
  return graph.reshape(graph.transpose(value, *order), shape);
}

bool linalg_import::spansLoops(Value value, const Loops &loops) {
  return areAligned(getShape(value), loops.sizes);
}
