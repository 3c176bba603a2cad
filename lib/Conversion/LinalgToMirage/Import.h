//===- Import.h - The parts of the linalg import ----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Private to this folder. Each part either returns the kernel-level values or
// an error whose message is the text of the remark: why the op stays linalg. A
// part that gives up may leave pure ops without uses behind; the pass sweeps
// them up.

#ifndef MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_IMPORT_H
#define MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_IMPORT_H

#include "Mirage/Dialect/Mirage/Mirage.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace mirage::linalg_import {

/// "This op is not imported", with the reason.
llvm::Error declined(const llvm::Twine &reason);

/// Whether kernel-level ops can take a value of this type, and its elements:
/// a statically shaped tensor of f16, bf16 or f32 with at least one element.
llvm::Error checkTensorType(mlir::Type type);
llvm::Error checkElementType(mlir::Type type);

/// The number that all elements of a tensor have (a constant, a fill, or a
/// reshape of these), or nothing.
std::optional<llvm::APFloat> getSplat(mlir::Value tensor);
/// The value of a constant f16, bf16 or f32 scalar, or nothing.
std::optional<llvm::APFloat> getScalarConstant(mlir::Value scalar);
/// Whether nothing was ever written to the tensor: `tensor.empty`.
bool isUninitialized(mlir::Value tensor);

/// Builds kernel-level ops at one place.
class KernelGraphBuilder {
public:
  KernelGraphBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// The op of an operator, by the operator's name. The operands' shapes must be
  /// what it accepts.
  mlir::Value apply(llvm::StringRef name, mlir::ValueRange operands,
                    mlir::Type elementType, const Params &params = {});
  /// A `mirage.constant` of the exact value, which must be finite.
  llvm::Expected<mlir::Value> constant(const llvm::APFloat &value);
  mlir::Value constant(double value);
  /// The value itself where it has the type or shape already.
  mlir::Value cast(mlir::Value value, mlir::Type elementType);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

llvm::ArrayRef<int64_t> getShape(mlir::Value tensor);

//===----------------------------------------------------------------------===//
// ScalarOps.cpp: arith and math ops -> operators
//===----------------------------------------------------------------------===//

/// Whether the op is one of the list and has one result of a supported type.
llvm::Error checkScalarOp(mlir::Operation *op);

/// What an op of a body computes, elementwise: `operands` are the tensors that
/// its scalar operands stand for. The op must pass `checkScalarOp`.
llvm::Expected<mlir::Value> importScalarOp(KernelGraphBuilder &graph,
                                           mlir::Operation *op,
                                           mlir::ValueRange operands);

//===----------------------------------------------------------------------===//
// Shapes.cpp: loops and indexing maps
//===----------------------------------------------------------------------===//

/// The loops of a generic: their sizes, and which of them are reductions.
struct Loops {
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<bool> reduced;
  bool hasReduction() const { return llvm::is_contained(reduced, true); }
};

/// Every map must be a projection: each result is a loop, or 0 at a dimension of
/// size 1.
llvm::Expected<Loops> getLoops(mlir::linalg::GenericOp op);

/// The shape of an operand of that map, with each loop that it isn't indexed by
/// as a 1. The map must keep the loops in order.
llvm::Expected<llvm::SmallVector<int64_t>> getLoopShape(mlir::AffineMap map,
                                                        const Loops &loops);

/// Reshapes an operand, where that is needed, so that dimensions aligned at the
/// last (as elementwise operators do) are the loops that the map indexes it by.
llvm::Expected<mlir::Value> alignOperand(KernelGraphBuilder &graph,
                                         mlir::Value operand,
                                         mlir::AffineMap map,
                                         const Loops &loops);

/// Whether a value in that alignment has every loop at its full size.
bool spansLoops(mlir::Value value, const Loops &loops);

/// An expand_shape or collapse_shape.
llvm::Expected<mlir::Value> importReshape(KernelGraphBuilder &graph,
                                          mlir::Operation *op);

//===----------------------------------------------------------------------===//
// GenericBody.cpp, Reductions.cpp: whole generics
//===----------------------------------------------------------------------===//

/// The tensors that the scalars of a generic's body stand for.
class GenericBody {
public:
  /// Imports the ops of the body in order. One that fails is reported when its
  /// value is asked for.
  GenericBody(KernelGraphBuilder &graph, mlir::linalg::GenericOp op,
              const Loops &loops);

  /// The tensor that a scalar stands for, aligned with the loops.
  llvm::Expected<mlir::Value> get(mlir::Value scalar);

private:
  llvm::Expected<mlir::Value> importLeaf(mlir::Value scalar);

  KernelGraphBuilder &graph;
  mlir::linalg::GenericOp op;
  const Loops &loops;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  llvm::DenseMap<mlir::Value, std::string> reasons;
};

/// One value for each result, of the result's type.
llvm::Expected<llvm::SmallVector<mlir::Value>>
importGeneric(KernelGraphBuilder &graph, mlir::linalg::GenericOp op);

/// Result number `index` of a generic with reduction loops.
llvm::Expected<mlir::Value> importReduction(KernelGraphBuilder &graph,
                                            mlir::linalg::GenericOp op,
                                            unsigned index, const Loops &loops,
                                            GenericBody &body);

} // namespace mirage::linalg_import

#endif // MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_IMPORT_H
