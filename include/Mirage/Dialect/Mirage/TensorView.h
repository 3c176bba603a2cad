//===- TensorView.h - Tensors that are parts of others ----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slices and concatenations in a kernel graph take no kernel where those that
// read or write the parts can do so in the whole (docs/Lowering.md).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_TENSORVIEW_H
#define MIRAGE_DIALECT_MIRAGE_TENSORVIEW_H

#include "mlir/IR/Value.h"

namespace mirage {

/// Where the elements of a tensor are: element i is element i + offsets of
/// `whole`, a tensor of the same rank and element type.
struct TensorView {
  mlir::Value whole;
  llvm::SmallVector<int64_t> offsets;

  /// That of the whole.
  llvm::ArrayRef<int64_t> getShape() const;
};

/// Whether an op of a kernel graph is a slice or a concatenation that needs no
/// kernel. A slice needs none if kernels alone read it: what the function
/// returns has a buffer of its own, and a reshape takes elements that lie next
/// to each other. A concatenation needs none if kernels write both parts, no
/// other concatenation has them, and kernels alone read them besides.
/// KernelGraph::isWithoutKernel says the same of a graph as a value.
bool isInPlace(mlir::Operation *op);

/// Whether an op (or none) of a kernel graph is another shape of its operand's
/// buffer, which needs no kernel: a reshape, unless it rounds.
bool isReinterpretation(mlir::Operation *op);

/// Of a tensor of a kernel graph, or of the argument of a block graph that
/// stands for one.
TensorView getTensorView(mlir::Value tensor);

} // namespace mirage

#endif // MIRAGE_DIALECT_MIRAGE_TENSORVIEW_H
