//===- Types.cpp - Syntax and constraints of tiles and fragments ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Mirage/Mirage.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mirage;

#define GET_TYPEDEF_CLASSES
#include "Mirage/Dialect/Mirage/Types.cpp.inc"

void MirageDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "Mirage/Dialect/Mirage/Types.cpp.inc"
      >();
}

template <typename ShapedT> static Type parseShaped(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseGreater())
    return {};
  return parser.getChecked<ShapedT>(loc, parser.getContext(), shape,
                                    elementType);
}

static void printShaped(AsmPrinter &printer, ArrayRef<int64_t> shape,
                        Type elementType) {
  printer << "<";
  for (int64_t size : shape)
    printer << size << "x";
  printer << elementType << ">";
}

static bool isSupportedElementType(Type type) {
  return type.isF16() || type.isBF16() || type.isF32();
}

bool mirage::isSupportedShape(ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (int64_t size : shape) {
    // Dynamic sizes are negative.
    if (size < 1 || size > kMaxElements / elements)
      return false;
    elements *= size;
  }
  return true;
}

bool mirage::isSupportedTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.getEncoding() &&
         isSupportedElementType(tensor.getElementType()) &&
         isSupportedShape(tensor.getShape());
}

static LogicalResult verifyShaped(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> shape, Type elementType) {
  // C1
  if (!isSupportedElementType(elementType))
    return emitError() << "expected element type f16, bf16 or f32, found "
                       << elementType;
  // C2
  for (int64_t size : shape)
    if (size < 1)
      return emitError() << "expected sizes of at least 1, found " << size;
  // C3
  if (!isSupportedShape(shape))
    return emitError() << "expected at most 2^40 elements";
  return success();
}

Type TileType::parse(AsmParser &parser) {
  return parseShaped<TileType>(parser);
}
void TileType::print(AsmPrinter &printer) const {
  printShaped(printer, getShape(), getElementType());
}
LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType) {
  return verifyShaped(emitError, shape, elementType);
}

Type FragmentType::parse(AsmParser &parser) {
  return parseShaped<FragmentType>(parser);
}
void FragmentType::print(AsmPrinter &printer) const {
  printShaped(printer, getShape(), getElementType());
}
LogicalResult FragmentType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<int64_t> shape, Type elementType) {
  return verifyShaped(emitError, shape, elementType);
}
