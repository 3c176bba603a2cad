//===- PlanOptions.cpp - What passes on block graphs share ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/PlanOptions.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mirage;
using namespace mlir;

TargetAttr mirage::lookUpTarget(Operation *op, StringRef chip) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  auto own = module
                 ? module->getAttrOfType<TargetAttr>(MirageDialect::kTargetAttr)
                 : TargetAttr();
  if (own && (chip.empty() || own.getChip() == chip))
    return own;
  auto target =
      TargetAttr::lookup(op->getContext(), chip.empty() ? "sm_90a" : chip);
  if (!target) {
    op->emitError("unknown target '")
        << chip << "', expected one of "
        << llvm::join(TargetAttr::getKnownChips(), ", ");
  } else if (own) {
    op->emitError("is for ")
        << own.getChip() << " (" << MirageDialect::kTargetAttr << "), not for "
        << chip;
    return nullptr;
  }
  return target;
}

LogicalResult mirage::verifyThreadCount(Operation *op, int64_t threads) {
  if (isValidThreadCount(threads))
    return success();
  return op->emitError("the number of threads must be a multiple of ")
         << kWarpSize << " from " << kWarpSize << " to " << kMaxBlockThreads
         << ", found " << threads;
}

void mirage::copyConstantsIntoLoops(Operation *kernelOrFunction) {
  llvm::SetVector<Value> copied;
  kernelOrFunction->walk([&](block::LoopOp loop) {
    Block &body = loop.getBody().front();
    llvm::SmallMapVector<Value, Value, 4> copies;
    for (Operation &op : body)
      for (OpOperand &operand : op.getOpOperands()) {
        auto constant = operand.get().getDefiningOp<ConstantOp>();
        if (!constant || constant->getBlock() == &body)
          continue;
        Value &copy = copies[constant];
        if (!copy)
          copy = OpBuilder::atBlockBegin(&body).clone(*constant)->getResult(0);
        operand.set(copy);
        copied.insert(constant);
      }
  });
  for (Value constant : copied)
    if (constant.use_empty())
      constant.getDefiningOp()->erase();
}

TargetAttr mirage::beginPlanning(Operation *op, int64_t threads,
                                 StringRef chip) {
  if (failed(verifyThreadCount(op, threads)))
    return nullptr;
  TargetAttr target = lookUpTarget(op, chip);
  if (target)
    copyConstantsIntoLoops(op);
  return target;
}

void mirage::setDefaultThreads(Operation *kernel, int64_t threads) {
  if (!kernel->hasAttr(kThreadsAttr))
    kernel->setAttr(kThreadsAttr,
                    Builder(kernel->getContext()).getI64IntegerAttr(threads));
}

void mirage::dropPlaces(Operation *kernel) {
  kernel->removeAttr(kSharedBytesAttr);
  kernel->walk([](Operation *op) { op->removeAttr(kOffsetsAttr); });
}

void mirage::dropLayouts(Operation *kernel) {
  dropPlaces(kernel);
  kernel->walk([](Operation *op) { op->removeAttr(kLayoutsAttr); });
}

void mirage::dropPlan(Operation *kernel) {
  dropLayouts(kernel);
  kernel->removeAttr(kClusterAttr);
  kernel->walk([](Operation *op) {
    for (StringRef name : {kDepthAttr, kStagesAttr, kProducerWarpAttr,
                           kOverlappedAttr, kBulkStoreAttr, kWarpgroupsAttr,
                           kNarrowedAttr, kWholeDepthAttr, kChainedAttr})
      op->removeAttr(name);
  });
}
