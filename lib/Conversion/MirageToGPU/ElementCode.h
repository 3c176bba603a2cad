//===- ElementCode.h - Code for one element of a tile ----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_MIRAGETOGPU_ELEMENTCODE_H
#define MIRAGE_LIB_CONVERSION_MIRAGETOGPU_ELEMENTCODE_H

#include "Mirage/Dialect/Mirage/Mirage.h"
#include "llvm/ADT/DenseMap.h"

namespace mirage {

/// Reads an element of a tile, in f32; or several that follow each other in the
/// last dimension, as a vector. Where one of an operator's operands is a
/// vector, the result is one.
using ElementReader =
    llvm::function_ref<mlir::Value(mlir::Value tile, mlir::ValueRange index)>;

/// A scalar or vector with elements of another float type: widened exactly or
/// rounded to nearest.
mlir::Value convertFloat(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value, mlir::Type element);

/// The exponential of an f32.
mlir::Value emitExp(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value);

/// How threads share the sum (or maximum) that an element is: each folds every
/// `parts`-th of the vectors of `width` of its terms, from the `part`-th on,
/// then all fold what they have; so all know the result.
struct CooperativeFold {
  mlir::Value part;
  int64_t parts, width;
  /// At most so many vectors are read by straight-line code.
  int64_t vectorsAtOnce;
  using Fold = llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)>;
  /// Of what each thread has the fold of all.
  llvm::function_ref<mlir::Value(mlir::Value, Fold)> foldParts;
  /// If not 0: how many vectors this thread folds, whatever the operator's
  /// sizes; the reader gets their numbers.
  int64_t numOwn = 0;
  /// Then also whether it has one of these at all; null if all threads have.
  llvm::function_ref<mlir::Value(int64_t)> hasOwn = nullptr;
};

/// Emits `body` for the numbers from 0 to `count`, on values that it turns into
/// the next ones, and returns the last: a loop with at most `atOnce` numbers in
/// straight-line code, and no loop where these are all.
llvm::SmallVector<mlir::Value>
emitRounds(mlir::OpBuilder &builder, mlir::Location loc, int64_t count,
           int64_t atOnce, mlir::ValueRange init,
           llvm::function_ref<llvm::SmallVector<mlir::Value>(
               llvm::ArrayRef<mlir::Value> numbers, mlir::ValueRange values)>
               body);

/// A number m that many have subtracted before they are powers: exp(x - m) is
/// 2^(x factor + negated).
struct ScaledReference {
  mlir::Value factor, negated;
};
using ScaledReferences = llvm::SmallDenseMap<mlir::Value, ScaledReference, 2>;

/// Emits the element at `index` of the result of an operator on tensors
/// or tiles; f32. With a `fold` it is shared between threads, and all that it
/// is shared between must reach this; of terms from k on the operator reads
/// vectors.
mlir::Value emitOperatorElement(mlir::OpBuilder &builder,
                                OperatorOpInterface op, mlir::ValueRange index,
                                ElementReader read,
                                const CooperativeFold *fold = nullptr,
                                const ScaledReferences *references = nullptr);

/// The elements at one index of the values of a thread graph. Each is computed
/// once and stays in a register.
class ThreadGraphEmitter {
public:
  /// `operands` are the tiles that the arguments of the graph stand for.
  ThreadGraphEmitter(mlir::OpBuilder &builder, mlir::ValueRange operands,
                     ElementReader read,
                     const ScaledReferences *references = nullptr)
      : builder(builder), operands(operands), read(read),
        references(references) {}

  /// The element at `index` of a fragment of the graph; f32.
  mlir::Value emit(mlir::Value fragment, mlir::ValueRange index);

private:
  using Key = std::pair<mlir::Value, llvm::SmallVector<mlir::OpFoldResult>>;

  mlir::OpBuilder &builder;
  mlir::ValueRange operands;
  ElementReader read;
  const ScaledReferences *references;
  llvm::SmallVector<std::pair<Key, mlir::Value>> emitted;
};

/// The number that a constant stands for, rounded to its element type; f32.
mlir::Value emitConstant(mlir::OpBuilder &builder, ConstantOp constant);

/// How many elements a value has: of a vector, or 1.
int64_t getNumElementsOf(mlir::Value elements);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_MIRAGETOGPU_ELEMENTCODE_H
