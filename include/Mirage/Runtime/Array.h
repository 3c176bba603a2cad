//===- Array.h - Arrays in host memory, and .npy files ----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_RUNTIME_ARRAY_H
#define MIRAGE_RUNTIME_ARRAY_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mirage {

enum class ElementType : uint8_t { F16, BF16, F32, F64 };

/// Bytes of one element.
size_t getElementSize(ElementType type);

/// "f16", "bf16", "f32" or "f64".
llvm::StringRef getElementTypeName(ElementType type);

/// The element type that an MLIR type stands for; nothing unless it is one of
/// the four.
std::optional<ElementType> getElementType(mlir::Type type);

/// "16x4096xf16", for messages.
std::string describeArray(llvm::ArrayRef<int64_t> shape, ElementType type);

/// A dense array in row-major order. Rank 0 is one element.
struct Array {
  llvm::SmallVector<int64_t> shape;
  ElementType type = ElementType::F32;
  /// getNumElements() * getElementSize(type) bytes, in the machine's byte
  /// order.
  std::vector<uint8_t> bytes;

  Array() = default;
  /// All elements are zero.
  Array(llvm::ArrayRef<int64_t> shape, ElementType type);

  int64_t getNumElements() const;

  /// Element `i` in row-major order, converted; `i` must be in range.
  double get(int64_t i) const;
  /// Stores `value` rounded to the element type, to nearest, ties to even.
  void set(int64_t i, double value);

  /// A copy with the elements rounded to `type`.
  Array convertTo(ElementType type) const;
};

/// Fills `array` with uniformly random values in [-1, 1], rounded to the
/// element type. The values depend on the seed, `index` (which argument of the
/// program it is) and the number of elements alone, on any machine.
void fillUniform(Array &array, uint64_t seed, uint64_t index);

/// Reads a NumPy .npy file of version 1, 2 or 3: little-endian f2, f4 or f8 in
/// C order. The array has the file's element type. Errors name the file and say
/// what was found.
llvm::Expected<Array> readNpy(llvm::StringRef path);

/// Writes `array` as .npy version 1. NumPy has no bf16: such arrays are written
/// as f4, which is exact.
llvm::Error writeNpy(llvm::StringRef path, const Array &array);

} // namespace mirage

#endif // MIRAGE_RUNTIME_ARRAY_H
