//===- TestUtils.h - What the runtime's tests share -------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_RUNTIME_TESTUTILS_H
#define MIRAGE_UNITTESTS_RUNTIME_TESTUTILS_H

#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Runtime/Array.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

namespace mirage {

/// A context with the dialects that programs are written in; collects the
/// diagnostics in `diagnostics`.
class RuntimeTest : public testing::Test {
protected:
  RuntimeTest()
      : context(getRegistry()),
        handler(&context, [this](mlir::Diagnostic &diagnostic) {
          diagnostics += diagnostic.str() + "\n";
          for (mlir::Diagnostic &note : diagnostic.getNotes())
            diagnostics += "note: " + note.str() + "\n";
          return mlir::success();
        }) {}

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << diagnostics << text;
    return module;
  }

  static Array makeArray(llvm::ArrayRef<int64_t> shape, ElementType type,
                         llvm::ArrayRef<double> values = {}) {
    Array array(shape, type);
    for (size_t i = 0; i < values.size(); ++i)
      array.set(i, values[i]);
    return array;
  }

  static std::vector<double> getValues(const Array &array) {
    std::vector<double> values;
    for (int64_t i = 0; i < array.getNumElements(); ++i)
      values.push_back(array.get(i));
    return values;
  }

  /// The message of an error; empty for success.
  static std::string getMessage(llvm::Error error) {
    return llvm::toString(std::move(error));
  }

  std::string diagnostics;
  mlir::MLIRContext context;
  mlir::ScopedDiagnosticHandler handler;

private:
  static const mlir::DialectRegistry &getRegistry() {
    static const mlir::DialectRegistry registry = [] {
      mlir::DialectRegistry registry;
      registry
          .insert<MirageDialect, mlir::arith::ArithDialect,
                  mlir::func::FuncDialect, mlir::gpu::GPUDialect,
                  mlir::LLVM::LLVMDialect, mlir::linalg::LinalgDialect,
                  mlir::math::MathDialect, mlir::memref::MemRefDialect,
                  mlir::NVVM::NVVMDialect, mlir::scf::SCFDialect,
                  mlir::tensor::TensorDialect, mlir::vector::VectorDialect>();
      return registry;
    }();
    return registry;
  }
};

} // namespace mirage

#endif // MIRAGE_UNITTESTS_RUNTIME_TESTUTILS_H
