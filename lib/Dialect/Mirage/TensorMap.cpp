//===- TensorMap.cpp - What a TMA copies boxes of -------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Mirage/TensorMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mirage;
using namespace mlir;
using namespace mirage::tensor_map;

int64_t TensorMap::getBoxBytes() const {
  int64_t bytes = getElementSize();
  for (int64_t size : box)
    bytes *= size;
  return bytes;
}

std::string TensorMap::getProblem() const {
  std::string problem;
  llvm::raw_string_ostream os(problem);
  if (!isa<Float16Type, BFloat16Type, Float32Type>(elementType)) {
    os << "elements of " << elementType << ", expected f16, bf16 or f32";
    return problem;
  }
  if (shape.empty() || shape.size() > kMaxRank) {
    os << shape.size() << " dimensions, expected 1 to " << kMaxRank;
    return problem;
  }
  if (box.size() != shape.size()) {
    os << shape.size() << " dimensions, but a box of " << box.size();
    return problem;
  }
  int64_t stride = getElementSize();
  for (size_t d = shape.size(); d-- > 0;) {
    if (shape[d] < 1 || shape[d] > kMaxSize) {
      os << "a dimension of " << shape[d]
         << " elements, expected 1 to 2^31 - 1";
      return problem;
    }
    // Of all dimensions but the innermost.
    if (d + 1 < shape.size() && stride > kMaxStride) {
      os << "a stride of " << stride << " bytes, expected less than 2^40";
      return problem;
    }
    if (llvm::MulOverflow(stride, shape[d], stride)) {
      os << "more bytes than can be counted";
      return problem;
    }
  }
  for (int64_t size : box)
    if (size < 1 || size > kMaxBox) {
      os << "a box of " << size << " elements in a dimension, expected 1 to "
         << kMaxBox;
      return problem;
    }
  int64_t row = shape.back() * getElementSize(),
          boxRow = box.back() * getElementSize();
  if (!isSwizzle(swizzleBytes))
    os << "a swizzle of " << swizzleBytes
       << " bytes, expected 0, 32, 64 or 128";
  else if (shape.size() > 1 && row % kPiece != 0)
    os << "rows of " << row << " bytes, not a multiple of " << kPiece;
  else if (boxRow % kPiece != 0)
    os << "a box with rows of " << boxRow << " bytes, not a multiple of "
       << kPiece;
  else if (swizzleBytes && boxRow > swizzleBytes)
    os << "a box with rows of " << boxRow << " bytes, more than its swizzle of "
       << swizzleBytes;
  return problem;
}

DictionaryAttr TensorMap::getAttr(MLIRContext *context) const {
  Builder builder(context);
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("type", TypeAttr::get(elementType)),
       builder.getNamedAttr("shape", builder.getDenseI64ArrayAttr(shape)),
       builder.getNamedAttr("box", builder.getDenseI64ArrayAttr(box)),
       builder.getNamedAttr("swizzle",
                            builder.getI64IntegerAttr(swizzleBytes))});
}

FailureOr<TensorMap>
TensorMap::get(Attribute attr, function_ref<InFlightDiagnostic()> emitError) {
  auto fields = dyn_cast_or_null<DictionaryAttr>(attr);
  auto type = fields ? fields.getAs<TypeAttr>("type") : TypeAttr();
  auto shape = fields ? fields.getAs<DenseI64ArrayAttr>("shape") : nullptr;
  auto box = fields ? fields.getAs<DenseI64ArrayAttr>("box") : nullptr;
  auto swizzle = fields ? fields.getAs<IntegerAttr>("swizzle") : IntegerAttr();
  if (!type || !shape || !box || !swizzle || fields.size() != 4 ||
      !swizzle.getType().isInteger(64)) {
    emitError() << "'" << kTensorMapAttr
                << "' must have a 'type', a 'shape' and a 'box' of i64, and an "
                   "i64 'swizzle'";
    return failure();
  }
  TensorMap map{type.getValue(), SmallVector<int64_t>(shape.asArrayRef()),
                SmallVector<int64_t>(box.asArrayRef()), swizzle.getInt()};
  if (std::string problem = map.getProblem(); !problem.empty()) {
    emitError() << "a tensor map with " << problem;
    return failure();
  }
  return map;
}
