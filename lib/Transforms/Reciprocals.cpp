//===- Reciprocals.cpp - Divisions of many elements by few ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A quotient of f32 takes six instructions, a product one. Where rows are
// divided by their norms or sums, the reciprocals are computed once and are a
// tile as the divisors were.
//
//===----------------------------------------------------------------------===//

#include "Reciprocals.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Operators/Division.h"

using namespace mirage;
using namespace mlir;

static ArrayRef<int64_t> getShape(Value tile) {
  return cast<ShapedType>(tile.getType()).getShape();
}

/// How many bytes more a block graph takes with a tile of reciprocals.
static int64_t getMoreBytes(Value divisor, TileType reciprocals,
                            ArrayRef<Operation *> quotients) {
  if (divisor.getDefiningOp<ConstantOp>())
    return 0;
  // They are computed with the divisors, in whose place they are then, if
  // nobody else reads those.
  auto maker = divisor.getDefiningOp<OperatorOpInterface>();
  bool takePlace = maker && maker.getSemantics().isElementwise() &&
                   llvm::all_of(divisor.getUsers(), [&](Operation *user) {
                     return llvm::is_contained(quotients, user);
                   });
  return getTileBytes(reciprocals) -
         (takePlace ? getTileBytes(cast<TileType>(divisor.getType())) : 0);
}

/// The reciprocal of a constant in f32, unless it isn't a normal number: that
/// of 0 is infinite, and others lose bits.
static std::optional<double> getReciprocal(ConstantOp constant) {
  llvm::APFloat reciprocal(1.0f);
  reciprocal.divide(constant.getRoundedValue(),
                    llvm::APFloat::rmNearestTiesToEven);
  if (!reciprocal.isNormal())
    return std::nullopt;
  return reciprocal.convertToDouble();
}

/// The reciprocals of a divisor, made where it is; null if they can't be.
static Value makeReciprocals(Value divisor, TileType type, Location loc) {
  OpBuilder builder(divisor.getContext());
  builder.setInsertionPointAfterValue(divisor);
  if (auto constant = divisor.getDefiningOp<ConstantOp>()) {
    std::optional<double> reciprocal = getReciprocal(constant);
    if (!reciprocal)
      return {};
    return ConstantOp::create(builder, loc, type,
                              builder.getF64FloatAttr(*reciprocal));
  }
  Value one = ConstantOp::create(
      builder, loc,
      TileType::get(builder.getContext(), {}, builder.getF32Type()),
      builder.getF64FloatAttr(1));
  return block::DivOp::create(builder, loc, type, one, divisor);
}

/// The ops that divide by a tile and had better multiply.
static SmallVector<Operation *> getQuotients(Value divisor) {
  SmallVector<Operation *> quotients;
  for (Operation *user : divisor.getUsers())
    if (auto quotient = dyn_cast<OperatorOpInterface>(user);
        quotient && quotient.getSemantics().isQuotient() &&
        quotient->getOperand(1) == divisor &&
        dividesByReciprocals(getShape(quotient->getResult(0)),
                             getShape(divisor)))
      quotients.push_back(quotient);
  return quotients;
}

void mirage::useReciprocals(Block &blockGraph, int64_t sharedBytes) {
  auto replaceQuotients = [&](Value divisor) {
    SmallVector<Operation *> quotients = getQuotients(divisor);
    if (quotients.empty())
      return;
    auto type = TileType::get(divisor.getContext(), getShape(divisor),
                              Float32Type::get(divisor.getContext()));
    int64_t more = getMoreBytes(divisor, type, quotients);
    if (more > 0 && getSharedBytes(blockGraph) + more > sharedBytes)
      return;
    Value reciprocals =
        makeReciprocals(divisor, type, quotients.front()->getLoc());
    if (!reciprocals)
      return;
    for (Operation *quotient : quotients) {
      OpBuilder builder(quotient);
      quotient->replaceAllUsesWith(block::MulOp::create(
          builder, quotient->getLoc(), quotient->getResultTypes(),
          ValueRange{quotient->getOperand(0), reciprocals}));
      quotient->erase();
    }
  };
  auto visit = [&](Block &block) {
    // What is erased and made comes behind the divisor.
    for (Operation &op : block)
      for (Value result : op.getResults())
        if (isa<TileType>(result.getType()))
          replaceQuotients(result);
    for (auto constant : llvm::make_early_inc_range(block.getOps<ConstantOp>()))
      if (constant->use_empty())
        constant.erase();
  };
  for (auto loop : blockGraph.getOps<block::LoopOp>())
    visit(loop.getBody().front());
  visit(blockGraph);
}
