//===- RegisterWgmma.h - wgmma of rows in registers -------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX's `wgmma.mma_async` takes A from shared memory or from registers. The
// NVVM dialect has an op for the former alone, so that the latter is inline
// assembly, which this writes and recognizes.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_CONVERSION_INLINEPTX_REGISTERWGMMA_H
#define MIRAGE_CONVERSION_INLINEPTX_REGISTERWGMMA_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <optional>

namespace mirage {

/// D (64 x n) += A (64 x 16) * B (16 x n), of f16 or bf16, with f32 sums
/// (PTX ISA, "wgmma.mma_async"). A is in four registers of each thread, as an
/// `mma.m16n8k16` of its warp's 16 rows has it.
struct RegisterWgmma {
  enum class Element { F16, BF16 };
  Element element = Element::F16;
  /// A multiple of 8, up to 256.
  int64_t n = 0;
  /// Whether what is summed over goes through rows of B's memory ("MN-major").
  bool transposesB = false;

  static constexpr int64_t kRowRegisters = 4;

  /// What is multiplied, and how; none if the op is something else.
  static std::optional<RegisterWgmma> match(mlir::LLVM::InlineAsmOp op);

  /// `sums`: a struct of n / 2 f32, as the result is; `rows`: kRowRegisters
  /// i32; `descriptor`: where B is, an i64.
  mlir::LLVM::InlineAsmOp create(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value sums, mlir::ValueRange rows,
                                 mlir::Value descriptor) const;

  /// The operands of an op that matches.
  static mlir::OperandRange getSums(mlir::LLVM::InlineAsmOp op) {
    return op.getOperands().drop_back(kRowRegisters + 1);
  }
  static mlir::OperandRange getRows(mlir::LLVM::InlineAsmOp op) {
    return op.getOperands().drop_back().take_back(kRowRegisters);
  }
  static mlir::Value getDescriptor(mlir::LLVM::InlineAsmOp op) {
    return op.getOperands().back();
  }

private:
  std::string getText() const;
  std::string getConstraints() const;
};

} // namespace mirage

#endif // MIRAGE_CONVERSION_INLINEPTX_REGISTERWGMMA_H
