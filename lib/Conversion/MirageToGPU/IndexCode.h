//===- IndexCode.h - Sums and products of indices ---------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Indices that differ by a constant are one number and constants behind it:
// then an access has the constant in its instruction, and no register. LLVM
// distributes products over sums that have one use only, and divides none: it
// doesn't know that indices are not negative, and that their sums don't wrap.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_MIRAGETOGPU_INDEXCODE_H
#define MIRAGE_LIB_CONVERSION_MIRAGETOGPU_INDEXCODE_H

#include "mlir/IR/Builders.h"

namespace mirage {

/// What an index made by the functions below is without the constant that it
/// ends with (null if it is nothing else), and this constant.
std::pair<mlir::Value, int64_t> splitConstant(mlir::Value index);

mlir::Value makeIndex(mlir::OpBuilder &builder, mlir::Location loc,
                      int64_t value);
/// `a + b`.
mlir::Value addIndices(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value a, mlir::Value b);
mlir::Value addIndices(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value a, int64_t b);
/// `a * factor`.
mlir::Value multiplyIndex(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value a, int64_t factor);
/// `quotient * divisor + rest`, where the quotient has all of the constant and
/// of the terms that are seen to be multiples, and the rest what is left.
std::pair<mlir::Value, mlir::Value> splitMultiple(mlir::OpBuilder &builder,
                                                  mlir::Location loc,
                                                  mlir::Value index,
                                                  int64_t divisor);
/// `a / divisor`, rounded down; `a` and what it is the sum of are not negative.
mlir::Value divideIndex(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value a, int64_t divisor);
/// `a - a / divisor * divisor`.
mlir::Value getIndexRemainder(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value a, int64_t divisor);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_MIRAGETOGPU_INDEXCODE_H
