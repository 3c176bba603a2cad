//===- ExternalizeSharedMemory.cpp - Dynamic shared memory as CUDA has it -===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/GPUToPTX/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mirage {
#define GEN_PASS_DEF_EXTERNALIZESHAREDMEMORY
#include "Mirage/Conversion/GPUToPTX/Passes.h.inc"
} // namespace mirage

using namespace mlir;

namespace {
struct ExternalizeSharedMemory
    : mirage::impl::ExternalizeSharedMemoryBase<ExternalizeSharedMemory> {
  void runOnOperation() override {
    for (auto global : getOperation().getOps<LLVM::GlobalOp>()) {
      auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
      if (global.getAddrSpace() !=
              static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared) ||
          !array || array.getNumElements() != 0)
        continue;
      global.setLinkage(LLVM::Linkage::External);
      global.setAlignment(1024);
    }
  }
};
} // namespace
