//===- ChipFeatures.h - What a GPU's instructions can do --------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_CHIPFEATURES_H
#define MIRAGE_DIALECT_MIRAGE_CHIPFEATURES_H

#include "llvm/ADT/StringRef.h"

namespace mirage {

/// The number of a chip that LLVM names "sm_90a": 90; 0 if it has none.
inline unsigned getComputeCapability(llvm::StringRef chip) {
  unsigned capability = 0;
  if (!chip.consume_front("sm_") || chip.consumeInteger(10, capability))
    return 0;
  return capability;
}

/// Whether a kernel can be launched before the one that it depends on has
/// ended, and wait for that itself (`griddepcontrol`).
inline bool hasGridDependences(llvm::StringRef chip) {
  return getComputeCapability(chip) >= 90;
}

/// Whether it has the tensor memory accelerator, with mbarriers that count its
/// bytes.
inline bool hasTensorMemoryAccelerator(llvm::StringRef chip) {
  return getComputeCapability(chip) >= 90;
}

/// Whether four warps multiply matrices in shared memory together (`wgmma`),
/// which only Hopper does.
inline bool hasWarpgroupProducts(llvm::StringRef chip) {
  return chip == "sm_90a";
}

} // namespace mirage

#endif // MIRAGE_DIALECT_MIRAGE_CHIPFEATURES_H
