//===- Fields.h - Typed fields of JSON objects ------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TARGET_MUGRAPHJSON_FIELDS_H
#define MIRAGE_LIB_TARGET_MUGRAPHJSON_FIELDS_H

#include "Mirage/Operators/Operator.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/JSON.h"

namespace mirage {

/// The first error that was found in a candidate.
struct ReadError {
  std::string message;
  /// The operator, by its index, and the one of its block graph.
  llvm::SmallVector<unsigned, 2> place;
};

/// The fields of an object. A read that fails says which field of which
/// operator is wrong, what was expected and what was found; the first error is
/// kept.
class Fields {
public:
  /// The fields of the operator at `place`; `where` names it in messages. The
  /// object and `error` must outlive this.
  Fields(const llvm::json::Object &object, std::string where,
         llvm::SmallVector<unsigned, 2> place, ReadError &error,
         std::string path = "")
      : object(&object), where(std::move(where)), place(std::move(place)),
        path(std::move(path)), error(&error) {}

  bool has(llvm::StringRef key) const { return object->get(key); }

  mlir::FailureOr<int64_t> getInteger(llvm::StringRef key, int64_t least,
                                      int64_t most) const;
  /// A finite number.
  mlir::FailureOr<double> getNumber(llvm::StringRef key) const;
  mlir::FailureOr<bool> getBoolean(llvm::StringRef key) const;
  mlir::FailureOr<llvm::StringRef> getString(llvm::StringRef key) const;
  mlir::FailureOr<Fields> getObject(llvm::StringRef key) const;
  mlir::FailureOr<const llvm::json::Array *>
  getArray(llvm::StringRef key) const;
  /// A list of objects; `count` of them, unless it is negative.
  mlir::FailureOr<std::vector<Fields>> getObjects(llvm::StringRef key,
                                                  int64_t count = -1) const;
  mlir::FailureOr<Shape> getIntegers(llvm::StringRef key, int64_t least,
                                     int64_t most) const;

  /// The same object as operator `index` of the one that it is in.
  Fields asOperator(unsigned index) const {
    llvm::SmallVector<unsigned, 2> inner = place;
    inner.push_back(index);
    return Fields(*object, where + ", operator " + std::to_string(index), inner,
                  *error);
  }
  /// With more said of where this is.
  Fields renamed(const llvm::Twine &suffix) const {
    return Fields(*object, (where + suffix).str(), place, *error);
  }
  const std::string &getWhere() const { return where; }

  /// Reports an error of the operator, or of one of its fields.
  mlir::LogicalResult fail(const llvm::Twine &message) const;
  mlir::LogicalResult fail(llvm::StringRef key,
                           const llvm::Twine &message) const;

private:
  mlir::FailureOr<const llvm::json::Value *> get(llvm::StringRef key) const;
  mlir::LogicalResult expected(llvm::StringRef key, const llvm::Twine &what,
                               const llvm::json::Value &found) const;

  const llvm::json::Object *object;
  std::string where;
  llvm::SmallVector<unsigned, 2> place;
  std::string path;
  ReadError *error;
};

/// A string of the file in a message: escaped, and cut when it is long.
std::string getPrintable(llvm::StringRef text);

/// A tensor or tile as an operator of the file describes it.
struct TensorFields {
  int64_t guid;
  Shape shape;
  mlir::Type elementType;
};

/// Reads `guid`, `num_dims`, `dim` and `data_type`.
mlir::FailureOr<TensorFields> readTensor(const Fields &fields,
                                         mlir::MLIRContext *context);

} // namespace mirage

#endif // MIRAGE_LIB_TARGET_MUGRAPHJSON_FIELDS_H
