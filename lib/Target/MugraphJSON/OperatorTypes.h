//===- OperatorTypes.h - The operator types of the format -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TARGET_MUGRAPHJSON_OPERATORTYPES_H
#define MIRAGE_LIB_TARGET_MUGRAPHJSON_OPERATORTYPES_H

#include "Fields.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "mlir/IR/Builders.h"

namespace mirage {

/// An operator type of the format: what an `op_type` stands for.
struct OperatorType {
  enum class Kind {
    Input,
    Output,
    Customized,      ///< a kernel with a block graph
    Single,          ///< the operator `name`
    Reduction,       ///< a sum over dimension `dim`
    ReductionToDimX, ///< a sum of groups of dimension `dim`, to
                     ///< `reduction_dimx`
    RMSNorm,
    MulScalar,
    Clamp,
    Concat,      ///< along dimension `dim`
    Accumulator, ///< over the loop, as `accumulator` says
    Unsupported  ///< `name` says why
  };
  enum class Accumulator { Sum, LastSum, LastMean, LastRMS, ToDimXSum, Max };

  Level level = Level::Kernel;
  Kind kind = Kind::Single;
  unsigned numInputs = 1;
  llvm::StringRef name;
  int64_t dim = 0;
  Accumulator accumulator = Accumulator::Sum;
};

/// The type of that name, of either level, or nothing.
std::optional<OperatorType> lookupOperatorType(llvm::StringRef name);

/// Builds the operators of one level that an operator of the file stands for.
/// Errors are reported as the fields'.
class OperatorBuilder {
public:
  OperatorBuilder(mlir::OpBuilder &builder, mlir::Location loc, Level level,
                  const Fields &fields)
      : builder(builder), loc(loc), level(level), fields(fields),
        computeType(builder.getF32Type()) {}

  /// An operator of our own, by name. The result is f32 unless told.
  mlir::FailureOr<mlir::Value> apply(llvm::StringRef name,
                                     mlir::ValueRange operands,
                                     const Params &params = {},
                                     mlir::Type elementType = nullptr);
  mlir::Value getConstant(double value);

  /// Sums groups of dimension `dim`, which becomes `size`: element j is the sum
  /// of the elements i * size + j.
  mlir::FailureOr<mlir::Value> sumTo(mlir::Value input, int64_t dim,
                                     int64_t size,
                                     mlir::Type elementType = nullptr);

  /// What an operator computes that runs on one level alone. `output` is the
  /// declared result; its shape is checked. `reductionDimX` reads the field of
  /// that name.
  mlir::FailureOr<mlir::Value>
  build(const OperatorType &type, mlir::ValueRange operands,
        const TensorFields &output, mlir::Type elementType,
        llvm::function_ref<mlir::FailureOr<int64_t>()> reductionDimX);

  /// Checks a result against the shape that the file declares.
  mlir::LogicalResult checkResult(mlir::Value result,
                                  const TensorFields &output);

private:
  mlir::FailureOr<mlir::Value>
  compute(const OperatorType &type, mlir::ValueRange operands,
          const TensorFields &output, mlir::Type elementType,
          llvm::function_ref<mlir::FailureOr<int64_t>()> reductionDimX);
  mlir::LogicalResult checkDim(int64_t dim, mlir::Value input);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  Level level;
  const Fields &fields;
  mlir::Type computeType;
};

/// The shape of a tensor or tile.
inline llvm::ArrayRef<int64_t> getShapeOf(mlir::Value value) {
  return llvm::cast<mlir::ShapedType>(value.getType()).getShape();
}

} // namespace mirage

#endif // MIRAGE_LIB_TARGET_MUGRAPHJSON_OPERATORTYPES_H
