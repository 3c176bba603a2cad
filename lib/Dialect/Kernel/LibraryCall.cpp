//===- LibraryCall.cpp - Operators that libraries compute -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The one place that knows an operator of a library by name. It says what the
// library has, not what an operator means.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Kernel/LibraryCall.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include <limits>
#include <utility>

using namespace mlir;
using namespace mirage;

/// Whether an operand has the batches of a product, or one for all of them.
static bool hasBatches(RankedTensorType operand, RankedTensorType product) {
  ArrayRef<int64_t> batches = operand.getShape().drop_back(2);
  return batches == product.getShape().drop_back(2) ||
         llvm::all_of(batches, [](int64_t size) { return size == 1; });
}

bool kernel::isLibraryCall(StringRef op, TypeRange operands, Type result) {
  const bool isRhsTransposed = op == "matmul_transposed",
             isLhsTransposed = op == "matmul_transposed_lhs";
  if ((op != "matmul" && !isRhsTransposed && !isLhsTransposed) ||
      operands.size() != 2)
    return false;
  auto lhs = dyn_cast<RankedTensorType>(operands[0]),
       rhs = dyn_cast<RankedTensorType>(operands[1]),
       product = dyn_cast<RankedTensorType>(result);
  if (!lhs || !rhs || !product || !lhs.hasStaticShape() ||
      !rhs.hasStaticShape() || !product.hasStaticShape())
    return false;
  int64_t rank = lhs.getRank();
  if (rank < 2 || rhs.getRank() != rank || product.getRank() != rank)
    return false;
  if (!hasBatches(lhs, product) || !hasBatches(rhs, product))
    return false;
  // What cublasLt takes as a size.
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  for (RankedTensorType type : {lhs, rhs, product})
    if (llvm::product_of(type.getShape().drop_back(2)) > kMost ||
        type.getDimSize(rank - 2) > kMost || type.getDimSize(rank - 1) > kMost)
      return false;
  Type element = lhs.getElementType();
  // Rows and columns of the operands, as they are multiplied.
  auto getSides = [&](RankedTensorType type, bool isTransposed) {
    int64_t rows = type.getDimSize(rank - 2),
            columns = type.getDimSize(rank - 1);
    return isTransposed ? std::pair(columns, rows) : std::pair(rows, columns);
  };
  const auto [rows, depth] = getSides(lhs, isLhsTransposed);
  return getSides(rhs, isRhsTransposed) ==
             std::pair(depth, product.getDimSize(rank - 1)) &&
         rows == product.getDimSize(rank - 2) &&
         isa<Float16Type, BFloat16Type, Float32Type>(element) &&
         rhs.getElementType() == element &&
         (product.getElementType() == element ||
          product.getElementType().isF32());
}

DictionaryAttr kernel::getLibraryCall(MLIRContext *context, StringRef op,
                                      TypeRange operands, Type result) {
  Builder builder(context);
  ArrayRef<int64_t> lhs = cast<ShapedType>(operands[0]).getShape();
  ArrayRef<int64_t> product = cast<ShapedType>(result).getShape();
  int64_t batch = llvm::product_of(product.drop_back(2)),
          rows = product[product.size() - 2];
  // Batches that share the right operand are rows of the left one.
  ArrayRef<int64_t> rhs = cast<ShapedType>(operands[1]).getShape();
  if (op != "matmul_transposed_lhs" &&
      lhs.drop_back(2) == product.drop_back(2) &&
      llvm::all_of(rhs.drop_back(2), [](int64_t size) { return size == 1; }) &&
      batch * rows <= std::numeric_limits<int32_t>::max())
    rows *= std::exchange(batch, 1);
  auto get = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("op", builder.getStringAttr(op)),
       get("batch", batch), get("m", rows), get("n", product.back()),
       get("k",
           op == "matmul_transposed_lhs" ? lhs[lhs.size() - 2] : lhs.back())});
}
