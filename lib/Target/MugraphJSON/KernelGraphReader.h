//===- KernelGraphReader.h - Reads kernel graphs ----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TARGET_MUGRAPHJSON_KERNELGRAPHREADER_H
#define MIRAGE_LIB_TARGET_MUGRAPHJSON_KERNELGRAPHREADER_H

#include "OperatorTypes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <map>

namespace mirage {

/// Reads one candidate, a list of kernel operators, into a function.
class KernelGraphReader {
public:
  /// `where` is the candidate's name in messages.
  KernelGraphReader(mlir::func::FuncOp function, std::string where,
                    ReadError &error)
      : function(function), where(std::move(where)), error(error),
        context(function.getContext()),
        builder(mlir::OpBuilder::atBlockEnd(function.addEntryBlock())) {}

  /// The function, which has no arguments, results and ops yet, gets its own.
  /// On failure it is left unfinished.
  mlir::LogicalResult read(const llvm::json::Array &operators);

private:
  struct Tensor {
    Shape shape;
    mlir::Value value;
  };

  mlir::LogicalResult readOperator(const llvm::json::Object &object,
                                   unsigned index);
  mlir::LogicalResult readInput(const Fields &fields, mlir::Location loc);
  mlir::LogicalResult readOutput(const Fields &fields);
  mlir::LogicalResult readComputation(const OperatorType &type,
                                      const Fields &fields, mlir::Location loc);
  mlir::FailureOr<TensorFields> findTensor(const Fields &input,
                                           mlir::Value &value);
  mlir::LogicalResult define(const Fields &output, const TensorFields &tensor,
                             mlir::Value value);
  /// Programs are for one GPU: a map over several is -1 where there is one.
  mlir::LogicalResult checkGPUMap(const Fields &fields, llvm::StringRef key);
  mlir::LogicalResult fail(const llvm::Twine &message);

  mlir::func::FuncOp function;
  std::string where;
  ReadError &error;
  mlir::MLIRContext *context;
  mlir::OpBuilder builder;
  std::map<int64_t, Tensor> tensors;
  llvm::SmallVector<mlir::Value> results;
};

} // namespace mirage

#endif // MIRAGE_LIB_TARGET_MUGRAPHJSON_KERNELGRAPHREADER_H
