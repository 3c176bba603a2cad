//===- BlockGraphTest.h - Tests of block graphs in IR -----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_BLOCKPLAN_BLOCKGRAPHTEST_H
#define MIRAGE_UNITTESTS_BLOCKPLAN_BLOCKGRAPHTEST_H

#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace mirage {

class BlockGraphTest : public testing::Test {
protected:
  BlockGraphTest() {
    context.loadDialect<MirageDialect, kernel::KernelDialect,
                        block::BlockDialect, mlir::func::FuncDialect>();
  }

  void parse(const std::string &text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
  }

  /// Writes other words for words of a text, one after the other.
  static void
  replaceAll(std::string &text,
             llvm::ArrayRef<std::pair<llvm::StringRef, std::string>> words) {
    for (const auto &[from, to] : words)
      for (size_t at = 0; (at = text.find(from.str(), at)) != text.npos;
           at += to.size())
        text.replace(at, from.size(), to);
  }

  /// The first op of a kind in the module.
  template <typename Op> Op find() {
    Op found;
    module->walk([&](Op op) {
      found = op;
      return mlir::WalkResult::interrupt();
    });
    return found;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace mirage

#endif // MIRAGE_UNITTESTS_BLOCKPLAN_BLOCKGRAPHTEST_H
