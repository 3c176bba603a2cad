//===- Reciprocals.cpp - Divisions of many elements by few ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A quotient of f32 takes a dozen instructions, a product one. Where rows are
// divided by their norms or sums, the reciprocals are computed once and are a
// tile as the divisors were.
//
//===----------------------------------------------------------------------===//

#include "Reciprocals.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Operators/Division.h"

using namespace mirage;
using namespace mlir;

void mirage::useReciprocals(Block &block) {
  // Of each divisor, next to where it is made.
  llvm::DenseMap<Value, Value> reciprocals;
  for (auto quotient :
       llvm::make_early_inc_range(block.getOps<block::DivOp>())) {
    Value divisor = quotient->getOperand(1), result = quotient->getResult(0);
    auto getShape = [](Value tile) {
      return cast<ShapedType>(tile.getType()).getShape();
    };
    if (!dividesByReciprocals(getShape(result), getShape(divisor)))
      continue;
    OpBuilder builder(quotient);
    auto type = TileType::get(quotient.getContext(), getShape(divisor),
                              builder.getF32Type());
    Value &reciprocal = reciprocals[divisor];
    if (!reciprocal) {
      builder.setInsertionPointAfterValue(divisor);
      Location loc = quotient.getLoc();
      if (auto constant = divisor.getDefiningOp<ConstantOp>())
        reciprocal = ConstantOp::create(
            builder, loc, type,
            builder.getF64FloatAttr(
                1 / constant.getValueAttr().getValueAsDouble()));
      else
        reciprocal = block::DivOp::create(
            builder, loc, type,
            ConstantOp::create(
                builder, loc,
                TileType::get(quotient.getContext(), {}, builder.getF32Type()),
                builder.getF64FloatAttr(1)),
            divisor);
    }
    builder.setInsertionPoint(quotient);
    auto product =
        block::MulOp::create(builder, quotient.getLoc(), result.getType(),
                             quotient->getOperand(0), reciprocal);
    result.replaceAllUsesWith(product->getResult(0));
    quotient.erase();
  }
}
