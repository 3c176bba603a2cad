//===- InfinityTests.cpp - What is masked out everywhere ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A softmax that is safe for rows of which all is masked out asks whether all
// scores are -inf, and takes 0 for them. There are no infinities among the
// reals, but a mask that is added has them: a sum is -inf where the mask is,
// so that the question is one about the mask alone, which is computed in front
// of the program, or is answered here.
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::linalg_import;

namespace {

bool isTrue(Value condition) { return matchPattern(condition, m_One()); }
bool isFalse(Value condition) { return matchPattern(condition, m_Zero()); }

/// Whether no element can be infinite: it is a sum of products.
bool isProduct(Value tensor) {
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
      tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  auto product = tensor.getDefiningOp<linalg::LinalgOp>();
  return product && linalg::isaContractionOpInterface(product);
}

/// The comparisons with an infinity of one body.
class InfinityTests {
public:
  InfinityTests(RewriterBase &rewriter, linalg::GenericOp op)
      : rewriter(rewriter), op(op) {}

  /// Makes of each one a question to what the compared value is made of, as far
  /// as that is known. Returns an operand that would have to be merged with
  /// what makes it to know more, or null.
  OpOperand *resolve();

private:
  /// Whether a scalar is the infinity of that sign, as a boolean; null where
  /// that is not known.
  Value test(Value scalar, bool isNegative);
  Value testElement(BlockArgument scalar, bool isNegative);
  /// Whether a scalar is never infinite.
  bool isNumber(Value scalar) {
    return llvm::all_of(ArrayRef<bool>{true, false}, [&](bool isNegative) {
      Value condition = test(scalar, isNegative);
      return condition && isFalse(condition);
    });
  }

  Value getBoolean(bool value) {
    return arith::ConstantOp::create(rewriter, op.getLoc(),
                                     rewriter.getBoolAttr(value));
  }
  Value invert(Value condition) {
    if (isTrue(condition) || isFalse(condition))
      return getBoolean(isFalse(condition));
    return arith::XOrIOp::create(rewriter, op.getLoc(), condition,
                                 getBoolean(true));
  }
  /// Null if one of them is.
  Value either(Value a, Value b) {
    if (!a || !b || isTrue(a) || isFalse(b))
      return b ? a : b;
    if (isTrue(b) || isFalse(a))
      return b;
    return arith::OrIOp::create(rewriter, op.getLoc(), a, b);
  }
  Value both(Value a, Value b) {
    if (!a || !b || isFalse(a) || isTrue(b))
      return b ? a : b;
    if (isFalse(b) || isTrue(a))
      return b;
    return arith::AndIOp::create(rewriter, op.getLoc(), a, b);
  }

  RewriterBase &rewriter;
  linalg::GenericOp op;
  OpOperand *toMerge = nullptr;
};

Value InfinityTests::testElement(BlockArgument scalar, bool isNegative) {
  if (scalar.getOwner() != op.getBody() ||
      scalar.getArgNumber() >= op.getNumDpsInputs())
    return nullptr;
  OpOperand *operand = op.getMatchingOpOperand(scalar);
  if (isProduct(operand->get()))
    return getBoolean(false);
  if (linalg::areElementwiseOpsFusable(operand))
    toMerge = operand;
  auto type = cast<FloatType>(scalar.getType());
  const APFloat infinity =
      APFloat::getInf(type.getFloatSemantics(), isNegative);
  return arith::CmpFOp::create(
      rewriter, op.getLoc(), arith::CmpFPredicate::OEQ, scalar,
      arith::ConstantOp::create(rewriter, op.getLoc(),
                                FloatAttr::get(type, infinity)));
}

Value InfinityTests::test(Value scalar, bool isNegative) {
  if (std::optional<APFloat> number = getBodyConstant(op, scalar))
    return getBoolean(number->isInfinity() &&
                      number->isNegative() == isNegative);
  if (auto element = dyn_cast<BlockArgument>(scalar))
    return testElement(element, isNegative);
  Operation *scalarOp = scalar.getDefiningOp();
  if (scalarOp->getBlock() != op.getBody())
    return nullptr;
  auto testOperand = [&](unsigned i, bool hasSameSign = true) {
    return test(scalarOp->getOperand(i), isNegative == hasSameSign);
  };
  if (isa<arith::ExtFOp, arith::TruncFOp>(scalarOp))
    return testOperand(0);
  if (isa<arith::NegFOp>(scalarOp))
    return testOperand(0, false);
  if (isa<arith::AddFOp, arith::SubFOp>(scalarOp))
    return either(testOperand(0), testOperand(1, isa<arith::AddFOp>(scalarOp)));
  if (isa<arith::MulFOp, arith::DivFOp>(scalarOp))
    for (unsigned i : {0, 1}) {
      std::optional<APFloat> factor =
          getBodyConstant(op, scalarOp->getOperand(i));
      if (factor && factor->isFiniteNonZero() &&
          (i == 1 || isa<arith::MulFOp>(scalarOp)))
        return testOperand(1 - i, !factor->isNegative());
    }
  if (auto select = dyn_cast<arith::SelectOp>(scalarOp))
    return either(both(select.getCondition(), testOperand(1)),
                  both(invert(select.getCondition()), testOperand(2)));
  // Over the reals, that is.
  if (isa<arith::MulFOp, math::ExpOp, math::TanhOp>(scalarOp) &&
      llvm::all_of(scalarOp->getOperands(),
                   [&](Value operand) { return isNumber(operand); }))
    return getBoolean(false);
  return nullptr;
}

OpOperand *InfinityTests::resolve() {
  toMerge = nullptr;
  for (auto compare :
       llvm::make_early_inc_range(op.getBody()->getOps<arith::CmpFOp>())) {
    Value scalar = compare.getLhs();
    std::optional<APFloat> bound = getBodyConstant(op, compare.getRhs());
    if (!bound) {
      scalar = compare.getRhs();
      bound = getBodyConstant(op, compare.getLhs());
    }
    using P = arith::CmpFPredicate;
    const P predicate = compare.getPredicate();
    const bool isEqual = predicate == P::OEQ || predicate == P::UEQ;
    if (!bound || !bound->isInfinity() ||
        !(isEqual || predicate == P::ONE || predicate == P::UNE))
      continue;
    rewriter.setInsertionPoint(compare);
    if (Value condition = test(scalar, bound->isNegative()))
      rewriter.replaceOp(compare, isEqual ? condition : invert(condition));
  }
  for (Operation &scalarOp :
       llvm::make_early_inc_range(llvm::reverse(*op.getBody())))
    if (isOpTriviallyDead(&scalarOp))
      rewriter.eraseOp(&scalarOp);
  return toMerge;
}

bool testsInfinity(linalg::GenericOp op) {
  return llvm::any_of(
      op.getBody()->getOps<arith::CmpFOp>(), [&](arith::CmpFOp compare) {
        return llvm::any_of(compare->getOperands(), [&](Value operand) {
          std::optional<APFloat> number = getBodyConstant(op, operand);
          return number && number->isInfinity();
        });
      });
}

/// Makes a constant of what is true, or false, everywhere.
bool replaceWithConstant(RewriterBase &rewriter, linalg::GenericOp op) {
  Value scalar = op.getBody()->getTerminator()->getOperand(0);
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (op->getNumResults() != 1 || !scalar.getType().isInteger(1) ||
      !(isTrue(scalar) || isFalse(scalar)) || !type.hasStaticShape())
    return false;
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(
      op, DenseElementsAttr::get(type, isTrue(scalar)));
  return true;
}

} // namespace

void linalg_import::resolveInfinityTests(RewriterBase &rewriter,
                                         func::FuncOp function) {
  SmallVector<linalg::GenericOp> ops;
  for (Block &block : function.getBody())
    for (auto op : block.getOps<linalg::GenericOp>())
      if (op.getNumReductionLoops() == 0 && testsInfinity(op))
        ops.push_back(op);
  constexpr unsigned kMost = 16;
  SmallVector<Operation *> resolved;
  for (linalg::GenericOp op : ops) {
    OpOperand *operand = InfinityTests(rewriter, op).resolve();
    for (unsigned i = 0; operand && i < kMost; ++i) {
      linalg::GenericOp merged = mergeProducer(rewriter, *operand);
      if (!merged)
        break;
      op = merged;
      operand = InfinityTests(rewriter, op).resolve();
    }
    if (!replaceWithConstant(rewriter, op))
      resolved.push_back(op);
  }
  dropUnused(resolved);
}
