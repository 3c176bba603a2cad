//===- MatrixMultiply.h - The arithmetic of mma -----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_RUNTIME_MATRIXMULTIPLY_H
#define MIRAGE_LIB_RUNTIME_MATRIXMULTIPLY_H

#include "Mirage/Conversion/NVVMToHost/HostABI.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace mirage {

/// Which mma.sync: D (16x8) = A (16xk, row) · B (kx8, col) + C.
struct MmaKind {
  host_abi::MmaElement element;
  unsigned k;
  /// Whether C and D are f16, rather than f32.
  bool half;
};

/// Such as "m16n8k16.bf16.f32", the last being the accumulators' type.
std::string getName(const MmaKind &kind);

/// Such as "m64n128k16.f16.f32".
std::string getName(const host_abi::WgmmaInfo &info);

/// Computes D from the fragments of the 32 lanes of a warp, laid out as PTX
/// says and placed as host_abi::kMmaA and so on say. Elements of tf32 are
/// truncated to 19 bits. Products are exact; they are added to the element of
/// C in f32 in the order of k, each sum rounded to nearest, even; then D is
/// rounded to f16 if it is that.
void multiplyMatrices(const MmaKind &kind, llvm::ArrayRef<uint32_t *> lanes);

} // namespace mirage

#endif // MIRAGE_LIB_RUNTIME_MATRIXMULTIPLY_H
