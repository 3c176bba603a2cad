//===- NormalizeTensorOps.cpp - Tensor ops as generics --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mirage;

/// Arith and math ops on tensors become the generics that they stand for.
static void generalizeTensorOps(func::FuncOp function) {
  SmallVector<Operation *> ops;
  for (Block &block : function.getBody())
    for (Operation &op : block)
      if (OpTrait::hasElementwiseMappableTraits(&op) &&
          llvm::any_of(op.getOperandTypes(), llvm::IsaPred<RankedTensorType>))
        ops.push_back(&op);
  RewritePatternSet patterns(function.getContext());
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps);
  config.enableFolding(false);
  (void)applyOpPatternsGreedily(ops, std::move(patterns), config);
}

void linalg_import::dropUnused(ArrayRef<Operation *> ops) {
  if (ops.empty())
    return;
  RewritePatternSet patterns(ops[0]->getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  config.enableFolding(false);
  (void)applyOpPatternsGreedily(ops, std::move(patterns), config);
}

/// Results that nobody uses go, such as the positions of maxima, which are no
/// numbers.
static void dropUnusedResults(func::FuncOp function) {
  SmallVector<Operation *> ops;
  for (Block &block : function.getBody())
    for (auto op : block.getOps<linalg::GenericOp>())
      if (op->getNumResults() > 1 &&
          llvm::any_of(op->getResults(),
                       [](Value result) { return result.use_empty(); }))
        ops.push_back(op);
  linalg_import::dropUnused(ops);
}

static bool isBoolean(Type type) {
  return isa<TensorType>(type) && getElementTypeOrSelf(type).isInteger(1);
}

static bool readsBooleans(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInputs(),
                      [](Value input) { return isBoolean(input.getType()); });
}

/// Whether a generic only chooses between numbers by booleans that nothing here
/// computes. It stays in front of what is imported, which all who read it take
/// it from: one that was computed anew would be another operand.
static bool makesMask(linalg::GenericOp op) {
  auto isOfArgument = [](Value value) {
    while (Operation *reshape = value.getDefiningOp()) {
      if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(reshape))
        return false;
      value = reshape->getOperand(0);
    }
    return true;
  };
  auto isNumber = [](Value value) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    DenseElementsAttr constant;
    return !tensor || tensor.getRank() == 0 ||
           (matchPattern(value, m_Constant(&constant)) && constant.isSplat());
  };
  return readsBooleans(op) &&
         llvm::all_of(op->getResultTypes(),
                      [](Type type) {
                        return linalg_import::isSupportedElementType(
                            getElementTypeOrSelf(type));
                      }) &&
         llvm::all_of(op.getDpsInputs(), [&](Value input) {
           return isBoolean(input.getType()) ? isOfArgument(input)
                                             : isNumber(input);
         });
}

/// The operand whose producer is to be merged with the generic next, or null:
/// booleans first, and of several producers the last, so that what it shares
/// with others is merged once.
static OpOperand *findFusable(linalg::GenericOp op) {
  OpOperand *best = nullptr;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (op.getMatchingBlockArgument(operand).use_empty() ||
        !linalg::areElementwiseOpsFusable(operand) ||
        makesMask(operand->get().getDefiningOp<linalg::GenericOp>()))
      continue;
    auto comesBefore = [](OpOperand *a, OpOperand *b) {
      const bool isBooleanA = isBoolean(a->get().getType()),
                 isBooleanB = isBoolean(b->get().getType());
      return isBooleanA != isBooleanB
                 ? isBooleanA
                 : b->get().getDefiningOp()->isBeforeInBlock(
                       a->get().getDefiningOp());
    };
    if (!best || comesBefore(operand, best))
      best = operand;
  }
  return best;
}

linalg::GenericOp linalg_import::mergeProducer(RewriterBase &rewriter,
                                               OpOperand &operand) {
  auto op = cast<linalg::GenericOp>(operand.getOwner());
  rewriter.setInsertionPoint(op);
  // Others that read it keep theirs.
  auto result = cast<OpResult>(operand.get());
  rewriter.modifyOpInPlace(op, [&] {
    operand.set(rewriter.clone(*result.getOwner())
                    ->getResult(result.getResultNumber()));
  });
  FailureOr<linalg::ElementwiseOpFusionResult> fused =
      linalg::fuseElementwiseOps(rewriter, &operand);
  if (failed(fused))
    return nullptr;
  for (OpResult result : op->getResults())
    rewriter.replaceAllUsesWith(result, fused->replacements.lookup(result));
  rewriter.eraseOp(op);
  return cast<linalg::GenericOp>(fused->fusedOp);
}

linalg::GenericOp linalg_import::mergeProducers(RewriterBase &rewriter,
                                                linalg::GenericOp op) {
  constexpr unsigned kMost = 16;
  for (unsigned i = 0; i < kMost; ++i) {
    // Each use of a tensor would compute it anew.
    shareEqualScalars(rewriter, op);
    OpOperand *operand = findFusable(op);
    linalg::GenericOp merged =
        operand ? mergeProducer(rewriter, *operand) : nullptr;
    if (!merged)
      break;
    op = merged;
  }
  return op;
}

/// Positions, and what is computed of them, get the shape in which they are
/// read, so that reshapes don't keep them from being merged.
static void moveReshapesOfPositions(RewriterBase &rewriter,
                                    func::FuncOp function) {
  SmallVector<Operation *> ops;
  auto isInteger = [](Type type) {
    return isa<RankedTensorType>(type) &&
           getElementTypeOrSelf(type).isInteger();
  };
  // Each reshape has its own to change the shape of.
  for (Block &block : function.getBody())
    for (auto reshape : block.getOps<tensor::ExpandShapeOp>()) {
      auto producer = reshape.getSrc().getDefiningOp<linalg::GenericOp>();
      if (!producer || !isInteger(reshape.getType()) ||
          reshape.getSrc().hasOneUse())
        continue;
      rewriter.setInsertionPoint(reshape);
      const unsigned i = cast<OpResult>(reshape.getSrc()).getResultNumber();
      Value copy = rewriter.clone(*producer)->getResult(i);
      rewriter.modifyOpInPlace(reshape,
                               [&] { reshape.getSrcMutable().assign(copy); });
    }
  for (Block &block : function.getBody())
    for (Operation &op : block)
      if (llvm::any_of(op.getOperandTypes(), isInteger) ||
          llvm::any_of(op.getResultTypes(), isInteger))
        ops.push_back(&op);
  if (ops.empty())
    return;
  RewritePatternSet patterns(function.getContext());
  linalg::populateFoldReshapeOpsByExpansionPatterns(
      patterns,
      [&](OpOperand *operand) { return isInteger(operand->get().getType()); });
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  config.enableFolding(false);
  (void)applyOpPatternsGreedily(ops, std::move(patterns), config);
}

/// No operator has a tensor of booleans: comparisons are made where their
/// results are read, and so is what is chosen from.
static void fuseChoices(RewriterBase &rewriter, func::FuncOp function) {
  SmallVector<linalg::LinalgOp> elementwise;
  bool areThereChoices = false;
  for (Block &block : function.getBody())
    for (Operation &op : block) {
      auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      if (!linalgOp || !linalgOp.hasPureTensorSemantics() ||
          !linalg::isElementwise(linalgOp) || isa<linalg::FillOp>(op))
        continue;
      elementwise.push_back(linalgOp);
      areThereChoices |= readsBooleans(linalgOp);
    }
  if (!areThereChoices)
    return;
  SmallVector<linalg::GenericOp> choices;
  for (linalg::LinalgOp op : elementwise) {
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> generalized =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(generalized))
        continue;
      generic = *generalized;
    }
    if (readsBooleans(generic))
      choices.push_back(generic);
  }
  for (linalg::GenericOp choice : choices)
    linalg_import::mergeProducers(rewriter, choice);
}

void linalg_import::normalizeTensorOps(RewriterBase &rewriter,
                                       func::FuncOp function) {
  generalizeTensorOps(function);
  dropUnusedResults(function);
  moveReshapesOfPositions(rewriter, function);
  resolveInfinityTests(rewriter, function);
  foldGenerics(rewriter, function);
  fuseChoices(rewriter, function);
}
