//===- DropUnitDims.cpp - Columns of one element are read as vectors ------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a tensor of n x 1, n elements are next to each other in memory, but its
// rows have one. What copies rows, as the TMA does, has to see it as a vector.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/PlanOptions.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Kernel/LibraryCall.h"
#include "Mirage/Dialect/Mirage/TensorView.h"
#include "Mirage/Mugraph/VerdictState.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/IR/BuiltinTypes.h"
#include <numeric>

namespace mirage {
#define GEN_PASS_DEF_DROPUNITDIMS
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mirage;
using namespace mlir;

/// Without the dimensions of size 1 at its end; all of them if nothing is left.
static ArrayRef<int64_t> getWithoutUnits(ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> rest = shape;
  while (!rest.empty() && rest.back() == 1)
    rest = rest.drop_back();
  return rest.empty() ? shape : rest;
}

/// Whether a tile is one of those that iterations load in turn, and would be
/// copied in rows of one element. Those that loops stream are not, which have
/// nothing but what they load.
static bool isColumn(block::InputIterator input) {
  ArrayRef<int64_t> tensor = input.getTensor().getType().getShape();
  const int64_t kept = getWithoutUnits(tensor).size();
  auto isKept = [&](int64_t dim) { return dim < kept; };
  return kept < static_cast<int64_t>(tensor.size()) && variesInLoop(input) &&
         !isStreamed(input) && isKept(input.getFmap()->getDim()) &&
         llvm::all_of(input.getImap().getDims(), isKept);
}

/// Whether the vectors are such as the TMA copies, or columns were copied ahead
/// already: where the TMA can't copy one of the tiles that are, it copies none.
static bool isCopiedAsVector(block::InputIterator input) {
  constexpr int64_t kBoxMultiple = 16;
  ArrayRef<int64_t> tensor = input.getTensor().getType().getShape(),
                    tile = input.getTile().getType().getShape();
  const size_t kept = getWithoutUnits(tensor).size();
  auto graph = input->getParentOfType<BlockGraphOpInterface>();
  const int64_t start = getRowStart(
      tensor.take_front(kept), tile.take_front(kept), input.getImap().getDims(),
      graph.getGrid().getSizes(), input.getFmap()->getDim());
  const int64_t bytes = input.getTile().getType().getElementTypeBitWidth() / 8;
  return getAsyncPiece(input) > 0 ||
         std::gcd(tensor[kept - 1], start) * bytes % kBoxMultiple == 0;
}

/// Whether a tensor is a part of another one, or one of the parts of another
/// one: in other shapes they are not (isInPlace).
static bool isPart(Value tensor) {
  Operation *maker = tensor.getDefiningOp();
  return (maker && isInPlace(maker)) ||
         llvm::any_of(tensor.getUsers(), [](Operation *user) {
           return user->getNumOperands() > 1 && isInPlace(user);
         });
}

/// Reshapes an operand of a kernel, and its tiles back.
static void readAsVector(kernel::GraphDefinedOp graph, BlockArgument argument,
                         ArrayRef<block::InputIterator> inputs) {
  OpBuilder builder(graph);
  OpOperand &operand = graph->getOpOperand(argument.getArgNumber());
  auto type = cast<RankedTensorType>(argument.getType());
  Params shape(getWithoutUnits(type.getShape()));
  Value vector = buildOperator(builder, graph.getLoc(), Level::Kernel,
                               getOperator("reshape"), shape, operand.get(),
                               type.getElementType())
                     ->getResult(0);
  operand.set(vector);
  argument.setType(vector.getType());
  for (block::InputIterator input : inputs) {
    auto tile = cast<TileType>(input.getTile().getType());
    ArrayRef<int64_t> kept =
        tile.getShape().take_front(getWithoutUnits(type.getShape()).size());
    builder.setInsertionPointAfter(input);
    input.getTile().setType(
        TileType::get(builder.getContext(), kept, tile.getElementType()));
    Operation *reshape = buildOperator(
        builder, input.getLoc(), Level::Block, getOperator("reshape"),
        Params(tile.getShape()), input.getTile(), tile.getElementType());
    input.getTile().replaceAllUsesExcept(reshape->getResult(0), reshape);
  }
}

namespace {
class DropUnitDims : public mirage::impl::DropUnitDimsBase<DropUnitDims> {
public:
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    keepVerdict(function, [&] {
      function.walk([](kernel::GraphDefinedOp graph) {
        // The library takes matrices.
        if (graph->hasAttr(kernel::kLibraryAttr))
          return;
        bool isChanged = false;
        for (BlockArgument argument : graph.getBlockGraph().getArguments()) {
          SmallVector<block::InputIterator> inputs;
          for (Operation *user : argument.getUsers())
            inputs.push_back(cast<block::InputIterator>(user));
          if (inputs.empty() || !llvm::all_of(inputs, isColumn) ||
              !llvm::all_of(inputs, isCopiedAsVector) ||
              isPart(graph.getInputs()[argument.getArgNumber()]))
            continue;
          readAsVector(graph, argument, inputs);
          isChanged = true;
        }
        if (isChanged)
          dropPlan(graph);
      });
    });
  }
};
} // namespace
