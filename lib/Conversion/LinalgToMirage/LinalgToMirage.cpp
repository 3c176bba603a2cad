//===- LinalgToMirage.cpp - Import of linalg programs ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "Mirage/Conversion/LinalgToMirage/Passes.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mirage {
#define GEN_PASS_DEF_CONVERTLINALGTOMIRAGE
#include "Mirage/Conversion/LinalgToMirage/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;
using namespace mirage::linalg_import;

namespace {

void emitReason(Operation *op, llvm::Error error) {
  op->emitRemark("not imported: ") << llvm::toString(std::move(error));
}

bool isMirage(Operation *op) {
  return isa_and_present<MirageDialect, kernel::KernelDialect>(
      op->getDialect());
}

/// Whether the op only makes a tensor for others to start from, to broadcast or
/// to take with them. They are imported first, and then it is dead or is asked
/// for what is left.
bool isSource(Operation *op) {
  if (isa<tensor::EmptyOp, tensor::SplatOp, linalg::FillOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return true;
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) &&
         (getSplat(op->getResult(0)) || isUninitialized(op->getResult(0)));
}

/// Whether the op is taken along by its users, like a source, but is a tensor
/// op that can be imported on its own as well.
bool isTakenAlong(Operation *op) {
  return isa<tensor::PadOp>(op) || isPartOfConcat(op);
}

llvm::Expected<SmallVector<Value>> importLinalgOp(RewriterBase &rewriter,
                                                  linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return declined("it works on buffers");
  KernelGraphBuilder graph(rewriter, op.getLoc());

  // Read from a copy, so that an op that isn't imported stays as it is.
  auto copy = cast<linalg::LinalgOp>(rewriter.clone(*op));
  auto generic = dyn_cast<linalg::GenericOp>(copy.getOperation());
  if (!generic) {
    FailureOr<linalg::GenericOp> generalized =
        linalg::generalizeNamedOp(rewriter, copy);
    if (failed(generalized)) {
      rewriter.eraseOp(copy);
      return declined("'" + op->getName().getStringRef() +
                      "' has no Mirage operator yet");
    }
    generic = *generalized;
  }
  if (hasF64(generic))
    if (llvm::Error error = narrowF64(rewriter, generic)) {
      rewriter.eraseOp(generic);
      return error;
    }
  normalizeGeneric(rewriter, generic);
  const auto withoutPositions = generic;
  generic = addPositionOperands(rewriter, generic);
  rewriter.setInsertionPoint(op);
  llvm::Expected<SmallVector<Value>> results = importGeneric(graph, generic);
  if (results && generic != withoutPositions)
    op->emitRemark("not imported: what is computed of positions, integers, "
                   "booleans or scalars from outside; it becomes an operand");
  rewriter.eraseOp(generic);
  return results;
}

llvm::Expected<SmallVector<Value>> importOp(RewriterBase &rewriter,
                                            Operation *op) {
  rewriter.setInsertionPoint(op);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return importLinalgOp(rewriter, linalgOp);
  KernelGraphBuilder graph(rewriter, op->getLoc());
  auto import = [&](Operation *op) -> llvm::Expected<SmallVector<Value>> {
    llvm::Expected<Value> value = importTensorOp(graph, op);
    if (!value)
      return value.takeError();
    return SmallVector<Value>{*value};
  };
  if (!hasF64(op))
    return import(op);
  Operation *copy = rewriter.clone(*op);
  if (llvm::Error error = narrowF64(rewriter, copy)) {
    rewriter.eraseOp(copy);
    return error;
  }
  rewriter.setInsertionPoint(op);
  llvm::Expected<SmallVector<Value>> results = import(copy);
  rewriter.eraseOp(copy);
  return results;
}

void eraseDeadOps(RewriterBase &rewriter, Region &region) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op))
        rewriter.eraseOp(&op);
}

/// One constant for each number, one x in x * x, one cast of a value.
void shareEqualValues(RewriterBase &rewriter, func::FuncOp function) {
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  eraseDeadOps(rewriter, function.getBody());
}

/// Applies patterns to the kernel-level ops of a function until nothing
/// changes: false if that takes too long. Sets whether something has changed.
bool applyPatterns(RewriterBase &rewriter, func::FuncOp function,
                   const FrozenRewritePatternSet &patterns,
                   bool *hasChanged = nullptr) {
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  config.setScope(&function.getBody());
  // A pattern over several ops isn't tried again when one changes that is not
  // next to the last of them, so that it takes more than one round.
  constexpr unsigned kMostRounds = 10;
  bool changed = true;
  for (unsigned round = 0; changed && round < kMostRounds; ++round) {
    SmallVector<Operation *> ops;
    for (Block &block : function.getBody())
      for (Operation &op : block)
        if (isMirage(&op))
          ops.push_back(&op);
    // A graph that isn't simplified to the end is still right. Should patterns
    // undo each other, it ends after many more rewrites than there are ops.
    constexpr int64_t kMostRewritesPerOp = 100;
    config.setMaxNumRewrites(kMostRewritesPerOp * (ops.size() + 1));
    const bool hasConverged =
        succeeded(applyOpPatternsGreedily(ops, patterns, config, &changed));
    if (hasChanged)
      *hasChanged |= changed;
    shareEqualValues(rewriter, function);
    if (!hasConverged)
      return false;
  }
  return true;
}

/// What a transpose leaves in its order is the tensor itself, perhaps rounded.
void dropIdentities(RewriterBase &rewriter, func::FuncOp function) {
  for (Block &block : function.getBody())
    for (auto transpose :
         llvm::make_early_inc_range(block.getOps<kernel::TransposeOp>())) {
      if (!llvm::is_sorted(transpose.getPermutation()))
        continue;
      rewriter.setInsertionPoint(transpose);
      KernelGraphBuilder graph(rewriter, transpose.getLoc());
      rewriter.replaceOp(transpose,
                         graph.cast(transpose.getInput(),
                                    transpose.getType().getElementType()));
    }
}

/// Products as least is moved around them, of what is simplified: as they
/// stand, then with transposes behind what is computed of them, and at last
/// with enough rows. (Each would undo some of what the one before has done.)
/// Sets whether something has changed.
bool rearrangeProducts(RewriterBase &rewriter, func::FuncOp function,
                       bool &hasChanged) {
  MLIRContext *context = function.getContext();
  RewritePatternSet products(context), sinking(context), rows(context);
  populateRearrangeProductsPatterns(products);
  populateRearrangeProductsPatterns(sinking);
  populateSinkTransposesPatterns(sinking);
  populateSwapBatchesPatterns(rows);
  populateSinkTransposesPatterns(rows);
  bool hasConverged = true;
  for (RewritePatternSet *patterns : {&products, &sinking, &rows})
    hasConverged &=
        applyPatterns(rewriter, function, std::move(*patterns), &hasChanged);
  return hasConverged;
}

void simplify(RewriterBase &rewriter, func::FuncOp function) {
  dropIdentities(rewriter, function);
  shareEqualValues(rewriter, function);
  MLIRContext *context = function.getContext();
  RewritePatternSet list(context), numbers(context), shapes(context);
  populateSimplifyKernelGraphPatterns(list);
  populateFoldNumbersPatterns(numbers);
  populateShareShapesPatterns(shapes);
  const FrozenRewritePatternSet patterns(std::move(list));
  bool hasConverged = applyPatterns(rewriter, function, patterns);
  // Roots of numbers are parts of formulas, until these have been found.
  applyPatterns(rewriter, function, std::move(numbers));
  // What is rearranged may have more to simplify, and the other way round.
  auto rearrange = [&] {
    constexpr unsigned kMostRounds = 4;
    bool hasChanged = true;
    for (unsigned round = 0; hasConverged && hasChanged && round < kMostRounds;
         ++round) {
      hasChanged = false;
      hasConverged = rearrangeProducts(rewriter, function, hasChanged);
      hasConverged &= applyPatterns(rewriter, function, patterns);
    }
  };
  rearrange();
  hasConverged &= applyPatterns(rewriter, function, std::move(shapes));
  // Then there is more to simplify around it.
  if (keepInterleavedParts(rewriter, function)) {
    rearrange();
    keepInterleavedParts(rewriter, function);
  }
  if (!hasConverged)
    function.emitRemark("not simplified to the end: rewrites undo each other, "
                        "please report it");
  shareTransposes(rewriter, function);
  shareEqualValues(rewriter, function);
}

/// Makes the tensor of a source whose elements are all the same number.
llvm::Expected<Value> importSource(RewriterBase &rewriter, Operation *op) {
  Value tensor = op->getResult(0);
  if (llvm::Error error = checkTensorType(tensor.getType()))
    return error;
  if (isUninitialized(tensor))
    return declined("nothing was written to the tensor");
  std::optional<APFloat> number = getSplat(tensor);
  if (!number)
    return declined("no Mirage operator makes a tensor from different numbers");
  rewriter.setInsertionPoint(op);
  KernelGraphBuilder graph(rewriter, op->getLoc());
  llvm::Expected<Value> constant = graph.constant(*number);
  if (!constant)
    return constant;
  return graph.broadcast(*constant, getShape(tensor),
                         getElementTypeOrSelf(tensor));
}

/// Imports what is left of sources, and of ops that are taken along, because an
/// imported op or the caller needs their results.
void importRest(RewriterBase &rewriter, func::FuncOp function) {
  auto isNeededBy = [](OpOperand &use) {
    return isMirage(use.getOwner()) || isa<func::ReturnOp>(use.getOwner());
  };
  for (Block &block : function.getBody()) {
    // From the last on, since one may need another.
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(block.getOperations()))) {
      bool source = isSource(&op);
      if (isMirage(&op) || !(source || isTakenAlong(&op)) ||
          !llvm::any_of(op.getUses(), isNeededBy))
        continue;
      KernelGraphBuilder graph(rewriter, op.getLoc());
      rewriter.setInsertionPoint(&op);
      llvm::Expected<Value> value =
          source ? importSource(rewriter, &op) : importTensorOp(graph, &op);
      if (value)
        rewriter.replaceUsesWithIf(op.getResult(0), *value, isNeededBy);
      else
        emitReason(&op, value.takeError());
    }
  }
}

struct ConvertLinalgToMirage
    : mirage::impl::ConvertLinalgToMirageBase<ConvertLinalgToMirage> {
  void runOnOperation() override { importLinalg(getOperation()); }
};

} // namespace

void mirage::importLinalg(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  normalizeTensorOps(rewriter, function);
  eraseDeadOps(rewriter, function.getBody());
  for (Block &block : function.getBody()) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isMirage(&op) || isSource(&op) || isTakenAlong(&op) ||
          isa<func::ReturnOp>(op))
        continue;
      llvm::Expected<SmallVector<Value>> results = importOp(rewriter, &op);
      if (results) {
        rewriter.setInsertionPoint(&op);
        for (auto [value, type] :
             llvm::zip_equal(*results, op.getResultTypes()))
          value = widenTo(rewriter, value, type);
        rewriter.replaceOp(&op, *results);
      } else
        emitReason(&op, results.takeError());
    }
  }
  eraseDeadOps(rewriter, function.getBody());
  importRest(rewriter, function);
  simplify(rewriter, function);
}
