//===- Array.cpp - Arrays in host memory ----------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/Array.h"
#include "Mirage/Numbers/Float16.h"
#include "Random.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace mirage;

size_t mirage::getElementSize(ElementType type) {
  switch (type) {
  case ElementType::F16:
  case ElementType::BF16:
    return 2;
  case ElementType::F32:
    return 4;
  case ElementType::F64:
    return 8;
  }
  llvm_unreachable("all types are covered");
}

llvm::StringRef mirage::getElementTypeName(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return "f16";
  case ElementType::BF16:
    return "bf16";
  case ElementType::F32:
    return "f32";
  case ElementType::F64:
    return "f64";
  }
  llvm_unreachable("all types are covered");
}

std::optional<ElementType> mirage::getElementType(mlir::Type type) {
  if (type.isF16())
    return ElementType::F16;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isF32())
    return ElementType::F32;
  if (type.isF64())
    return ElementType::F64;
  return std::nullopt;
}

std::string mirage::describeArray(llvm::ArrayRef<int64_t> shape,
                                  ElementType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t extent : shape)
    os << extent << 'x';
  os << getElementTypeName(type);
  return text;
}

Array::Array(llvm::ArrayRef<int64_t> shape, ElementType type)
    : shape(shape), type(type) {
  bytes.resize(getNumElements() * getElementSize(type));
}

int64_t Array::getNumElements() const {
  // Of an empty array the other extents may have a product that doesn't fit.
  if (llvm::is_contained(shape, 0))
    return 0;
  return llvm::product_of(shape, int64_t{1});
}

double Array::get(int64_t i) const {
  const uint8_t *at = bytes.data() + i * getElementSize(type);
  auto load = [at](auto value) {
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  switch (type) {
  case ElementType::F16:
    return halfToFloat(load(uint16_t()));
  case ElementType::BF16:
    return bfloatToFloat(load(uint16_t()));
  case ElementType::F32:
    return load(float());
  case ElementType::F64:
    return load(double());
  }
  llvm_unreachable("all types are covered");
}

void Array::set(int64_t i, double value) {
  uint8_t *at = bytes.data() + i * getElementSize(type);
  auto store = [at](auto converted) {
    std::memcpy(at, &converted, sizeof converted);
  };
  switch (type) {
  case ElementType::F16:
    return store(doubleToHalf(value));
  case ElementType::BF16:
    return store(doubleToBFloat(value));
  case ElementType::F32:
    return store(static_cast<float>(value));
  case ElementType::F64:
    return store(value);
  }
}

Array Array::convertTo(ElementType newType) const {
  Array result(shape, newType);
  if (newType == type) {
    result.bytes = bytes;
    return result;
  }
  for (int64_t i = 0, n = getNumElements(); i < n; ++i)
    result.set(i, get(i));
  return result;
}

void mirage::fillUniform(Array &array, uint64_t seed, uint64_t index) {
  SplitMix64 seeds(seed);
  SplitMix64 random(seeds() ^ (index + 1) * 0x9e3779b97f4a7c15);
  for (int64_t i = 0, n = array.getNumElements(); i < n; ++i)
    // 53 random bits make a number in [0, 1), exactly.
    array.set(i, static_cast<double>(random() >> 11) * 0x1p-52 - 1);
}
