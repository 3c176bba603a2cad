//===- SinkTransposes.cpp - Tiles are transposed where products read them -===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search transposes what is loaded, since that commutes with all that is
// elementwise (docs/Search.md). But threads that compute elements of a
// transposed tile read columns of the one that was loaded, whose elements lie
// in a few banks, while a product reads transposed tiles of 16 bits as fast as
// others. So between a load and a product it is the last that is done.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/PlanOptions.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Mugraph/VerdictState.h"
#include "Mirage/Transforms/Passes.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mirage {
#define GEN_PASS_DEF_SINKTRANSPOSES
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mirage;
using namespace mlir;

static TileType getTile(Value value) { return cast<TileType>(value.getType()); }

static bool isElementwise(Operation *op) {
  auto computation = dyn_cast<OperatorOpInterface>(op);
  return computation && op->getNumResults() == 1 &&
         computation.getSemantics().isElementwise();
}

/// Whether a product reads what an op computes, or another elementwise function
/// of it, in 16 bits. `seen`: what was asked before.
static bool leadsToProduct(Operation *op,
                           llvm::SmallPtrSetImpl<Operation *> &seen) {
  constexpr unsigned kBits = 16;
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    if (isa<block::MatmulOp, block::ConcatMatmulOp>(user))
      return getTile(op->getResult(0)).getElementTypeBitWidth() == kBits;
    return isElementwise(user) && seen.insert(user).second &&
           leadsToProduct(user, seen);
  });
}

/// The transpose that a value is, if it doesn't round.
static block::TransposeOp getTranspose(Value value) {
  auto transpose = value.getDefiningOp<block::TransposeOp>();
  if (!transpose)
    return nullptr;
  const TileType from = getTile(transpose.getInput()), to = getTile(value);
  const bool isExact =
      from.getElementType() == to.getElementType() ||
      from.getElementTypeBitWidth() < to.getElementTypeBitWidth();
  return isExact ? transpose : block::TransposeOp();
}

/// The permutation by which all operands of an elementwise op are transposed
/// that have more than one element; none if they aren't, or if the result
/// leads to no product.
static std::optional<ArrayRef<int64_t>> getPermutation(Operation *op) {
  const ArrayRef<int64_t> shape = getTile(op->getResult(0)).getShape();
  std::optional<ArrayRef<int64_t>> permutation;
  for (Value operand : op->getOperands()) {
    if (getNumElements(getTile(operand).getShape()) == 1)
      continue;
    block::TransposeOp transpose = getTranspose(operand);
    if (!transpose || getTile(operand).getShape() != shape ||
        (permutation && *permutation != transpose.getPermutation()))
      return std::nullopt;
    permutation = transpose.getPermutation();
  }
  llvm::SmallPtrSet<Operation *, 8> seen;
  return permutation && leadsToProduct(op, seen) ? permutation : std::nullopt;
}

/// op(transpose(x), transpose(y)) -> transpose(op(x, y)).
static void sinkTranspose(Operation *op, ArrayRef<int64_t> permutation) {
  Value result = op->getResult(0);
  const TileType type = getTile(result);
  SmallVector<int64_t> shape(type.getShape().size());
  for (auto [to, from] : llvm::enumerate(permutation))
    shape[from] = type.getShape()[to];
  for (OpOperand &operand : op->getOpOperands())
    if (block::TransposeOp transpose = getTranspose(operand.get());
        transpose && getNumElements(getTile(operand.get()).getShape()) != 1) {
      operand.set(transpose.getInput());
      if (transpose.use_empty())
        transpose.erase();
    }
  result.setType(TileType::get(op->getContext(), shape, type.getElementType()));
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Operation *moved = buildOperator(
      builder, op->getLoc(), Level::Block, getOperator("transpose"),
      Params(permutation), result, type.getElementType());
  result.replaceAllUsesExcept(moved->getResult(0), moved);
}

namespace {
class SinkTransposes : public mirage::impl::SinkTransposesBase<SinkTransposes> {
public:
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    keepVerdict(function, [&] {
      function.walk([](kernel::GraphDefinedOp graph) {
        SmallVector<Operation *> ops;
        graph.walk([&](Operation *op) {
          if (isElementwise(op))
            ops.push_back(op);
        });
        bool isChanged = false;
        // What is computed first is transposed for what is computed of it.
        for (Operation *op : ops)
          if (std::optional<ArrayRef<int64_t>> permutation =
                  getPermutation(op)) {
            sinkTranspose(op, SmallVector<int64_t>(*permutation));
            isChanged = true;
          }
        if (isChanged)
          dropPlan(graph);
      });
    });
  }
};
} // namespace
