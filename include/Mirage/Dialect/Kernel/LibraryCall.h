//===- LibraryCall.h - Operators that libraries compute ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_KERNEL_LIBRARYCALL_H
#define MIRAGE_DIALECT_KERNEL_LIBRARYCALL_H

#include "Mirage/Dialect/Mirage/Mirage.h"

namespace mirage::kernel {

/// On a graph-defined kernel: the name of the operator that it stands for and
/// that the runtime's library computes. On a launch of its kernel: the call, a
/// dictionary (docs/Runtime.md).
inline constexpr llvm::StringLiteral kLibraryAttr = "mirage.library";

/// Whether the library computes an operator of this name on these tensors:
/// `matmul`, `matmul_transposed` or `matmul_transposed_lhs` of f16, bf16 or
/// f32, with a result of the operands' type or of f32. An operand may be
/// repeated over all batches, not over some of them.
bool isLibraryCall(llvm::StringRef op, mlir::TypeRange operands,
                   mlir::Type result);

/// The call {op, batch, m, n, k}, for which isLibraryCall must hold. Batches
/// that share the right operand are rows of one product.
mlir::DictionaryAttr getLibraryCall(mlir::MLIRContext *context,
                                    llvm::StringRef op,
                                    mlir::TypeRange operands,
                                    mlir::Type result);

} // namespace mirage::kernel

#endif // MIRAGE_DIALECT_KERNEL_LIBRARYCALL_H
