//===- AttachNVVMTargetTest.cpp - The chip that kernels are compiled for --===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/GPUToPTX/Passes.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mirage;

/// One pass manager compiles a module after the other, each for its own chip.
TEST(AttachNVVMTarget, TakesEachModulesChip) {
  mlir::MLIRContext context;
  context.loadDialect<MirageDialect, mlir::gpu::GPUDialect,
                      mlir::NVVM::NVVMDialect>();
  mlir::PassManager pm(&context);
  pm.addPass(createAttachNVVMTarget());
  for (llvm::StringRef chip : {"sm_80", "sm_90a", "sm_80"}) {
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>("gpu.module @kernels {}",
                                                &context);
    (*module)->setAttr(MirageDialect::kTargetAttr,
                       TargetAttr::lookup(&context, chip));
    ASSERT_TRUE(mlir::succeeded(pm.run(*module)));
    auto kernels = *module->getOps<mlir::gpu::GPUModuleOp>().begin();
    auto target = llvm::cast<mlir::NVVM::NVVMTargetAttr>(
        kernels.getTargetsAttr().getValue().front());
    EXPECT_EQ(target.getChip(), chip);
  }
}
