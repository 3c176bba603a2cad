//===- AttachNVVMTarget.cpp - Which chip kernels are compiled for ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/GPUToPTX/Passes.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"

namespace mirage {
#define GEN_PASS_DEF_ATTACHNVVMTARGET
#include "Mirage/Conversion/GPUToPTX/Passes.h.inc"
} // namespace mirage

using namespace mlir;

/// All that are supported.
static constexpr StringLiteral kChips[] = {"sm_80", "sm_86", "sm_87",
                                           "sm_89", "sm_90", "sm_90a"};

std::optional<StringRef> mirage::getPTXFeatures(StringRef chip) {
  if (!llvm::is_contained(kChips, chip))
    return std::nullopt;
  // The oldest version that sm_90a has. The runtime wants a driver that
  // compiles it (kOldestDriver).
  return "+ptx80";
}

namespace {
struct AttachNVVMTarget : mirage::impl::AttachNVVMTargetBase<AttachNVVMTarget> {
  using AttachNVVMTargetBase::AttachNVVMTargetBase;

  void runOnOperation() override {
    // The option stays as it is: the pass may run on other modules.
    std::string chip = this->chip;
    if (chip.empty()) {
      auto own = getOperation()->getAttrOfType<mirage::TargetAttr>(
          mirage::MirageDialect::kTargetAttr);
      chip = own ? own.getChip().str() : "sm_90a";
    }
    std::optional<StringRef> features = mirage::getPTXFeatures(chip);
    if (!features) {
      InFlightDiagnostic error = getOperation().emitError("unknown chip '")
                                 << chip << "', expected one of ";
      llvm::interleaveComma(kChips, error);
      return signalPassFailure();
    }
    Attribute target = NVVM::NVVMTargetAttr::get(
        &getContext(), /*optLevel=*/3, "nvptx64-nvidia-cuda", chip, *features);
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      module.setTargetsAttr(ArrayAttr::get(&getContext(), target));
  }
};
} // namespace
