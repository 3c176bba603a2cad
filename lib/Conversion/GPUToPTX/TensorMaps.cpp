//===- TensorMaps.cpp - Tensor maps as parameters of kernels --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/GPUToPTX/Passes.h"
#include "Mirage/Dialect/Mirage/TensorMap.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mirage {
#define GEN_PASS_DEF_KEEPTENSORMAPS
#define GEN_PASS_DEF_PASSTENSORMAPS
#include "Mirage/Conversion/GPUToPTX/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using mirage::kTensorMapAttr;
using mirage::TensorMap;

/// Of a kernel, between the two passes.
static constexpr StringLiteral kTensorMapsAttr("mirage.tensor_maps");

namespace {

struct KeepTensorMaps : mirage::impl::KeepTensorMapsBase<KeepTensorMaps> {
  void runOnOperation() override {
    Attribute none = UnitAttr::get(&getContext());
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      SmallVector<Attribute> maps;
      for (unsigned i = 0, n = kernel.getNumArguments(); i < n; ++i) {
        Attribute map = kernel.getArgAttr(i, kTensorMapAttr);
        maps.push_back(map ? map : none);
        if (map && failed(TensorMap::get(map, [&] {
              return kernel.emitOpError("has as argument ") << i << " ";
            })))
          return signalPassFailure();
      }
      if (llvm::any_of(maps, [&](Attribute map) { return map != none; }))
        kernel->setAttr(kTensorMapsAttr, ArrayAttr::get(&getContext(), maps));
    }
  }
};

struct PassTensorMaps : mirage::impl::PassTensorMapsBase<PassTensorMaps> {
  void runOnOperation() override {
    Builder b(&getContext());
    Type bytes = LLVM::LLVMArrayType::get(b.getI8Type(), TensorMap::kBytes);
    for (auto kernel : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      auto maps = kernel->getAttrOfType<ArrayAttr>(kTensorMapsAttr);
      if (!maps)
        continue;
      kernel->removeAttr(kTensorMapsAttr);
      if (maps.size() != kernel.getNumArguments()) {
        kernel.emitOpError("has ")
            << kernel.getNumArguments() << " arguments, and '"
            << kTensorMapsAttr << "' has " << maps.size();
        return signalPassFailure();
      }
      for (auto [i, map] : llvm::enumerate(maps)) {
        if (isa<UnitAttr>(map))
          continue;
        kernel.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(),
                          TypeAttr::get(bytes));
        kernel.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                          b.getI64IntegerAttr(TensorMap::kAlignment));
        kernel.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(),
                          b.getUnitAttr());
      }
    }
  }
};

} // namespace
