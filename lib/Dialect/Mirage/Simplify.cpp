//===- Simplify.cpp - Canonicalization of the operators -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Mirage/Mirage.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mirage;

static Level getLevel(Operation *op) {
  for (Level level : {Level::Kernel, Level::Block})
    if (op->getDialect()->getNamespace() == getDialectName(level))
      return level;
  return Level::Thread;
}

/// Replaces an op by another operator on `operands` with its result type.
static void replace(PatternRewriter &rewriter, Operation *op, StringRef name,
                    const Params &params, ValueRange operands) {
  Operation *with =
      buildOperator(rewriter, op->getLoc(), getLevel(op), getOperator(name),
                    params, operands, getElementTypeOrSelf(op->getResult(0)));
  rewriter.replaceOp(op, with->getResults());
}

/// Replaces an op by a value of its shape, rounded to its element type.
static void replaceByValue(PatternRewriter &rewriter, Operation *op,
                           Value value) {
  if (value.getType() == op->getResult(0).getType())
    rewriter.replaceOp(op, value);
  else
    replace(rewriter, op, "cast", {}, value);
}

/// Whether numbers of `from` are numbers of `to`, so that an op that moves them
/// rounds nothing.
static bool isExact(Type from, Type to) { return from == to || to.isF32(); }

/// The op of the same operator that makes operand 0.
static Operation *getSameProducer(Operation *op) {
  Operation *producer = op->getOperand(0).getDefiningOp();
  return producer && producer->getName() == op->getName() ? producer : nullptr;
}

/// The same for one that moves numbers, or negates them, and rounds none.
static Operation *getExactProducer(Operation *op) {
  Operation *producer = getSameProducer(op);
  if (producer && isExact(getElementTypeOrSelf(producer->getOperand(0)),
                          getElementTypeOrSelf(producer->getResult(0))))
    return producer;
  return nullptr;
}

static Params getParams(Operation *op) {
  return cast<OperatorOpInterface>(op).getParams();
}

static bool keepsShape(Operation *op) {
  return cast<ShapedType>(op->getOperand(0).getType()).getShape() ==
         cast<ShapedType>(op->getResult(0).getType()).getShape();
}

//===----------------------------------------------------------------------===//
// The operators' rules
//===----------------------------------------------------------------------===//

using Rule = LogicalResult (*)(Operation *, PatternRewriter &);

static LogicalResult simplifyTranspose(Operation *op,
                                       PatternRewriter &rewriter) {
  Params params = getParams(op);
  if (llvm::is_sorted(params)) {
    replaceByValue(rewriter, op, op->getOperand(0));
    return success();
  }
  Operation *inner = getExactProducer(op);
  if (!inner)
    return failure();
  Params first = getParams(inner);
  for (int64_t &dim : params)
    dim = first[dim];
  replace(rewriter, op, "transpose", params, inner->getOperand(0));
  return success();
}

/// What keeps the shape of its operand moves nothing; a sum or a maximum of one
/// element is the element.
static LogicalResult dropIdentity(Operation *op, PatternRewriter &rewriter) {
  if (!keepsShape(op))
    return failure();
  replaceByValue(rewriter, op, op->getOperand(0));
  return success();
}

/// A reshape or a broadcast: what counts is the result's shape.
static LogicalResult simplifyShape(Operation *op, PatternRewriter &rewriter) {
  if (succeeded(dropIdentity(op, rewriter)))
    return success();
  Operation *inner = getExactProducer(op);
  if (!inner)
    return failure();
  rewriter.modifyOpInPlace(op,
                           [&] { op->setOperand(0, inner->getOperand(0)); });
  return success();
}

static LogicalResult simplifyRepeat(Operation *op, PatternRewriter &rewriter) {
  Params params = getParams(op);
  if (params[1] == 1) {
    replaceByValue(rewriter, op, op->getOperand(0));
    return success();
  }
  Operation *inner = getExactProducer(op);
  if (!inner)
    return failure();
  Params first = getParams(inner);
  Params both = {params[0], params[1] * first[1]};
  Shape shape;
  if (first[0] != params[0] ||
      !getOperator("repeat").inferShape(
          {Shape(cast<ShapedType>(inner->getOperand(0).getType()).getShape())},
          both, shape))
    return failure();
  replace(rewriter, op, "repeat", both, inner->getOperand(0));
  return success();
}

static LogicalResult simplifyConcat(Operation *op, PatternRewriter &rewriter) {
  if (op->getOperand(0) != op->getOperand(1))
    return failure();
  replace(rewriter, op, "repeat", {getParams(op)[0], 2}, op->getOperand(0));
  return success();
}

/// All of it, or a part of a part.
static LogicalResult simplifySlice(Operation *op, PatternRewriter &rewriter) {
  if (succeeded(dropIdentity(op, rewriter)))
    return success();
  Operation *inner = getExactProducer(op);
  if (!inner)
    return failure();
  Params params = getParams(op);
  const Params first = getParams(inner);
  if (first[0] != params[0])
    return failure();
  params[1] += first[1];
  replace(rewriter, op, "slice", params, inner->getOperand(0));
  return success();
}

static LogicalResult simplifyCast(Operation *op, PatternRewriter &rewriter) {
  if (op->getOperand(0).getType() == op->getResult(0).getType()) {
    rewriter.replaceOp(op, op->getOperand(0));
    return success();
  }
  Operation *inner = getExactProducer(op);
  if (!inner)
    return failure();
  rewriter.modifyOpInPlace(op,
                           [&] { op->setOperand(0, inner->getOperand(0)); });
  return success();
}

static LogicalResult simplifyNeg(Operation *op, PatternRewriter &rewriter) {
  Operation *inner = getExactProducer(op);
  if (!inner)
    return failure();
  replaceByValue(rewriter, op, inner->getOperand(0));
  return success();
}

/// An operator that changes nothing when it is applied once more.
static LogicalResult simplifyIdempotent(Operation *op,
                                        PatternRewriter &rewriter) {
  Operation *inner = getSameProducer(op);
  if (!inner || getParams(inner) != getParams(op) ||
      inner->getResult(0).getType() != op->getResult(0).getType())
    return failure();
  rewriter.replaceOp(op, inner->getResults());
  return success();
}

static LogicalResult simplifyPow(Operation *op, PatternRewriter &rewriter) {
  if (op->getAttrOfType<FloatAttr>("exponent").getValueAsDouble() != 1)
    return failure();
  replaceByValue(rewriter, op, op->getOperand(0));
  return success();
}

LogicalResult mirage::detail::simplifyOperator(Operation *op,
                                               PatternRewriter &rewriter) {
  static const llvm::StringMap<Rule> rules = {
      {"transpose", simplifyTranspose},
      {"reshape", simplifyShape},
      {"broadcast", simplifyShape},
      {"repeat", simplifyRepeat},
      {"concat", simplifyConcat},
      {"slice", simplifySlice},
      {"sum", dropIdentity},
      {"reduce_max", dropIdentity},
      {"cast", simplifyCast},
      {"neg", simplifyNeg},
      {"relu", simplifyIdempotent},
      {"clamp", simplifyIdempotent},
      {"pow", simplifyPow},
  };
  Rule rule = rules.lookup(op->getName().stripDialect());
  return rule ? rule(op, rewriter) : failure();
}
