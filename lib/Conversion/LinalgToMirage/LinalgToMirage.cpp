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
  return isa<MirageDialect, kernel::KernelDialect>(op->getDialect());
}

/// Whether the op only makes a tensor for others to start from or to broadcast.
/// Its users are imported, and then it is dead.
bool isSource(Operation *op) {
  if (isa<tensor::EmptyOp, linalg::FillOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return true;
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) &&
         (getSplat(op->getResult(0)) || isUninitialized(op->getResult(0)));
}

llvm::Expected<SmallVector<Value>> importLinalgOp(RewriterBase &rewriter,
                                                  linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return declined("it works on buffers");
  KernelGraphBuilder graph(rewriter, op.getLoc());
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
    return importGeneric(graph, generic);

  // A named op is read as a generic, and stays as it is if that isn't imported.
  auto copy = cast<linalg::LinalgOp>(rewriter.clone(*op));
  FailureOr<linalg::GenericOp> generic =
      linalg::generalizeNamedOp(rewriter, copy);
  if (failed(generic)) {
    rewriter.eraseOp(copy);
    return declined("'" + op->getName().getStringRef() +
                    "' has no Mirage operator yet");
  }
  rewriter.setInsertionPoint(op);
  llvm::Expected<SmallVector<Value>> results = importGeneric(graph, *generic);
  rewriter.eraseOp(*generic);
  return results;
}

llvm::Expected<SmallVector<Value>> importOp(RewriterBase &rewriter,
                                            Operation *op) {
  rewriter.setInsertionPoint(op);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return importLinalgOp(rewriter, linalgOp);
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    KernelGraphBuilder graph(rewriter, op->getLoc());
    llvm::Expected<Value> value = importReshape(graph, op);
    if (!value)
      return value.takeError();
    return SmallVector<Value>{*value};
  }
  return declined("'" + op->getName().getStringRef() +
                  "' has no Mirage operator yet");
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

void simplify(RewriterBase &rewriter, func::FuncOp function) {
  shareEqualValues(rewriter, function);

  SmallVector<Operation *> ops;
  for (Block &block : function.getBody())
    for (Operation &op : block)
      if (isMirage(&op))
        ops.push_back(&op);
  RewritePatternSet patterns(function.getContext());
  populateSimplifyKernelGraphPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  config.setScope(&function.getBody());
  // A graph that isn't simplified to the end is still right.
  (void)applyOpPatternsGreedily(ops, std::move(patterns), config);
  shareEqualValues(rewriter, function);
}

/// Sources that an imported op or the caller still needs.
void remarkOnSources(func::FuncOp function) {
  for (Block &block : function.getBody())
    for (Operation &op : block)
      if (isSource(&op) && !isMirage(&op) &&
          llvm::any_of(op.getUsers(), [](Operation *user) {
            return isMirage(user) || isa<func::ReturnOp>(user);
          }))
        emitReason(&op, declined("no Mirage operator makes a tensor from numbers"));
}

struct ConvertLinalgToMirage
    : mirage::impl::ConvertLinalgToMirageBase<ConvertLinalgToMirage> {
  void runOnOperation() override { importLinalg(getOperation()); }
};

} // namespace

void mirage::importLinalg(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  eraseDeadOps(rewriter, function.getBody());
  for (Block &block : function.getBody()) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isMirage(&op) || isSource(&op) || isa<func::ReturnOp>(op))
        continue;
      llvm::Expected<SmallVector<Value>> results = importOp(rewriter, &op);
      if (results)
        rewriter.replaceOp(&op, *results);
      else
        emitReason(&op, results.takeError());
    }
  }
  simplify(rewriter, function);
  remarkOnSources(function);
}
