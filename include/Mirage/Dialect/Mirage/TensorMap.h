//===- TensorMap.h - What a TMA copies boxes of -----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tensor memory accelerator (sm_90 on) copies boxes of a tensor that a
// tensor map describes: 128 bytes that the driver makes
// (`cuTensorMapEncodeTiled`) and a kernel takes by value. In the IR such an
// argument of a kernel is the tensor's buffer, with an attribute that says how
// to map it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_TENSORMAP_H
#define MIRAGE_DIALECT_MIRAGE_TENSORMAP_H

#include "Mirage/Runtime/TensorMapLimits.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include <string>

namespace mirage {

/// Of an argument of a kernel (`gpu.func`): the dictionary that
/// `TensorMap::getAttr` makes. The kernel gets the address of a tensor map of
/// the buffer that a launch passes, not the buffer's.
constexpr llvm::StringLiteral kTensorMapAttr = "mirage.tensor_map";

/// How a dense row-major tensor is cut into boxes.
struct TensorMap {
  /// Of the tensor map itself, as a kernel's parameter.
  static constexpr int64_t kBytes = 128, kAlignment = 128;

  /// f16, bf16 or f32.
  mlir::Type elementType;
  /// Of the tensor, outermost first; 1 to 5 dimensions of 1 to 2^31 - 1
  /// elements, as coordinates are 32 bits. Rows must be a multiple of 16 bytes,
  /// and strides less than 2^40.
  llvm::SmallVector<int64_t> shape;
  /// Of the box: each 1 to 256, rows a multiple of 16 bytes and at most the
  /// swizzle's, if there is one.
  llvm::SmallVector<int64_t> box;
  /// 0, 32, 64 or 128 bytes: in what is written, which is dense and row-major,
  /// pieces of 16 bytes change places: bits 4 and up of the address are xor'ed
  /// with bits 7 and up, 0, 1, 2 or 3 of them.
  int64_t swizzleBytes = 0;

  /// In bytes.
  int64_t getElementSize() const {
    return elementType.getIntOrFloatBitWidth() / 8;
  }
  int64_t getBoxBytes() const;

  /// Why the TMA can't do it; empty if it can.
  std::string getProblem() const;

  /// `{type = f16, shape = array<i64: 16, 1024>, box = array<i64: 16, 64>,
  /// swizzle = 128 : i64}`.
  mlir::DictionaryAttr getAttr(mlir::MLIRContext *context) const;
  /// The map that an attribute describes, verified.
  static mlir::FailureOr<TensorMap>
  get(mlir::Attribute attr,
      llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
};

} // namespace mirage

#endif // MIRAGE_DIALECT_MIRAGE_TENSORMAP_H
