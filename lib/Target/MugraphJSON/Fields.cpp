//===- Fields.cpp - Typed fields of JSON objects --------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fields.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace mlir;
using namespace mirage;
namespace json = llvm::json;

/// A value in a message. Numbers and booleans are short; the rest may not be.
static std::string describe(const json::Value &value) {
  switch (value.kind()) {
  case json::Value::Null:
    return "null";
  case json::Value::String:
    return "a string";
  case json::Value::Array:
    return "a list";
  case json::Value::Object:
    return "an object";
  case json::Value::Boolean:
  case json::Value::Number:
    break;
  }
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

std::string mirage::getPrintable(StringRef text) {
  constexpr size_t kLongest = 60;
  std::string printable;
  llvm::raw_string_ostream os(printable);
  llvm::printEscapedString(text.take_front(kLongest), os);
  return text.size() > kLongest ? printable + ".." : printable;
}

LogicalResult Fields::fail(const Twine &message) const {
  if (error->message.empty())
    *error = {(where + ": " + message).str(), place};
  return failure();
}

LogicalResult Fields::fail(StringRef key, const Twine &message) const {
  return fail("field '" + path + key + "': " + message);
}

LogicalResult Fields::expected(StringRef key, const Twine &what,
                               const json::Value &found) const {
  return fail(key, "expected " + what + ", found " + describe(found));
}

FailureOr<const json::Value *> Fields::get(StringRef key) const {
  if (const json::Value *value = object->get(key))
    return value;
  return fail(key, "is missing");
}

FailureOr<int64_t> Fields::getInteger(StringRef key, int64_t least,
                                      int64_t most) const {
  FailureOr<const json::Value *> value = get(key);
  if (failed(value))
    return failure();
  std::optional<int64_t> integer = (*value)->getAsInteger();
  if (!integer || *integer < least || *integer > most)
    return expected(
        key, "an integer from " + Twine(least) + " to " + Twine(most), **value);
  return *integer;
}

FailureOr<double> Fields::getNumber(StringRef key) const {
  FailureOr<const json::Value *> value = get(key);
  if (failed(value))
    return failure();
  std::optional<double> number = (*value)->getAsNumber();
  if (!number || !std::isfinite(*number))
    return expected(key, "a finite number", **value);
  return *number;
}

FailureOr<bool> Fields::getBoolean(StringRef key) const {
  FailureOr<const json::Value *> value = get(key);
  if (failed(value))
    return failure();
  std::optional<bool> boolean = (*value)->getAsBoolean();
  if (!boolean)
    return expected(key, "true or false", **value);
  return *boolean;
}

FailureOr<StringRef> Fields::getString(StringRef key) const {
  FailureOr<const json::Value *> value = get(key);
  if (failed(value))
    return failure();
  std::optional<StringRef> string = (*value)->getAsString();
  if (!string)
    return expected(key, "a string", **value);
  return *string;
}

FailureOr<Fields> Fields::getObject(StringRef key) const {
  FailureOr<const json::Value *> value = get(key);
  if (failed(value))
    return failure();
  const json::Object *nested = (*value)->getAsObject();
  if (!nested)
    return expected(key, "an object", **value);
  return Fields(*nested, where, place, *error, (path + key + ".").str());
}

FailureOr<const json::Array *> Fields::getArray(StringRef key) const {
  FailureOr<const json::Value *> value = get(key);
  if (failed(value))
    return failure();
  const json::Array *array = (*value)->getAsArray();
  if (!array)
    return expected(key, "a list", **value);
  return array;
}

FailureOr<std::vector<Fields>> Fields::getObjects(StringRef key,
                                                  int64_t count) const {
  FailureOr<const json::Array *> array = getArray(key);
  if (failed(array))
    return failure();
  if (count >= 0 && static_cast<int64_t>((*array)->size()) != count)
    return fail(key, "expected " + Twine(count) + " tensors, found " +
                         Twine((*array)->size()));
  std::vector<Fields> objects;
  for (auto [i, element] : llvm::enumerate(**array)) {
    std::string name = (key + "[" + Twine(i) + "]").str();
    const json::Object *nested = element.getAsObject();
    if (!nested)
      return expected(name, "an object", element);
    objects.emplace_back(*nested, where, place, *error, path + name + ".");
  }
  return objects;
}

FailureOr<Shape> Fields::getIntegers(StringRef key, int64_t least,
                                     int64_t most) const {
  FailureOr<const json::Array *> array = getArray(key);
  if (failed(array))
    return failure();
  Shape integers;
  for (auto [i, element] : llvm::enumerate(**array)) {
    std::optional<int64_t> integer = element.getAsInteger();
    if (!integer || *integer < least || *integer > most)
      return expected((key + "[" + Twine(i) + "]").str(),
                      "an integer from " + Twine(least) + " to " + Twine(most),
                      element);
    integers.push_back(*integer);
  }
  return integers;
}

/// The element type of a number of the format. The numbers changed their
/// meaning twice; the ones that were a float type of ours and another of theirs
/// mean the newer, and the ones that were a float and an integer mean nothing.
static Type getElementType(int64_t number, MLIRContext *context) {
  switch (number) {
  case 921:
  case 940:
    return Float16Type::get(context);
  case 941:
    return BFloat16Type::get(context);
  case 950:
    return Float32Type::get(context);
  default:
    return nullptr;
  }
}

FailureOr<TensorFields> mirage::readTensor(const Fields &fields,
                                           MLIRContext *context) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  TensorFields tensor;
  FailureOr<int64_t> guid = fields.getInteger("guid", 0, kMost);
  if (failed(guid))
    return failure();
  tensor.guid = *guid;
  FailureOr<Shape> dims = fields.getIntegers("dim", 0, kMaxElements);
  if (failed(dims))
    return failure();
  FailureOr<int64_t> rank = fields.getInteger("num_dims", 1, dims->size());
  if (failed(rank))
    return failure();
  tensor.shape.assign(dims->begin(), dims->begin() + *rank);
  for (auto [i, size] : llvm::enumerate(tensor.shape))
    if (size == 0)
      return fields.fail(("dim[" + Twine(i) + "]").str(),
                         "expected at least 1, found 0");
  if (!isSupportedShape(tensor.shape))
    return fields.fail("dim", "a tensor can't have more than " +
                                  Twine(kMaxElements) + " elements");
  FailureOr<int64_t> type = fields.getInteger("data_type", 0, kMost);
  if (failed(type))
    return failure();
  tensor.elementType = getElementType(*type, context);
  if (!tensor.elementType)
    return fields.fail("data_type",
                       "expected 921 or 940 (f16), 941 (bf16) or 950 (f32), "
                       "found " +
                           Twine(*type));
  return tensor;
}
