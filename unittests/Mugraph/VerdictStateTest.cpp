//===- VerdictStateTest.cpp - Verdicts and what they are of ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Mugraph/VerdictState.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mirage;

namespace {

class VerdictStateTest : public testing::Test {
protected:
  VerdictStateTest() {
    context.loadDialect<MirageDialect, kernel::KernelDialect,
                        block::BlockDialect, mlir::func::FuncDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(R"mlir(
      func.func @f(%x: tensor<4x4xf16>, %y: tensor<4x4xf16>) -> tensor<4x4xf16> {
        %s = mirage_kernel.add %x, %y : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
        %e = mirage_kernel.exp %s : (tensor<4x4xf16>) -> tensor<4x4xf16>
        return %e : tensor<4x4xf16>
      })mlir",
                                                     &context);
    function = *module->getOps<mlir::func::FuncOp>().begin();
  }

  void setVerdict(llvm::StringRef verdict, std::string fingerprint) {
    mlir::Builder builder(&context);
    mlir::NamedAttrList entries;
    entries.set("verdict", builder.getStringAttr(verdict));
    entries.set(kFingerprintKey, builder.getStringAttr(fingerprint));
    function->setAttr(MirageDialect::kVerdictAttr,
                      entries.getDictionary(&context));
  }
  std::string getFingerprint() {
    return mirage::getFingerprint(*importKernelGraph(function));
  }
  /// What no verdict survives, unless someone answers for it.
  void dropExp() {
    auto exp = *function.getOps<kernel::ExpOp>().begin();
    exp.getResult().replaceAllUsesWith(exp->getOperand(0));
    exp->erase();
  }

  /// With which the function is no graph.
  void addCall() {
    mlir::OpBuilder builder(function.getBody());
    builder.setInsertionPointToStart(&function.getBody().front());
    mlir::func::CallOp::create(builder, function.getLoc(), "f",
                               mlir::TypeRange{function.getResultTypes()},
                               mlir::ValueRange{function.getArguments()});
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
};

TEST_F(VerdictStateTest, NoneWithoutGoodNews) {
  EXPECT_EQ(getVerdictState(function), VerdictState::None);
  setVerdict("unknown", getFingerprint());
  EXPECT_EQ(getVerdictState(function), VerdictState::None);
}

TEST_F(VerdictStateTest, GoodAsLongAsTheBodyIsTheSame) {
  for (llvm::StringRef verdict : {"proved", "accepted"}) {
    setVerdict(verdict, getFingerprint());
    EXPECT_EQ(getVerdictState(function), VerdictState::Good);
  }
  // What is only written in another way is the same.
  auto add = *function.getOps<kernel::AddOp>().begin();
  mlir::Value x = add->getOperand(0);
  add->setOperand(0, add->getOperand(1));
  add->setOperand(1, x);
  EXPECT_EQ(getVerdictState(function), VerdictState::Good);
  dropExp();
  EXPECT_EQ(getVerdictState(function), VerdictState::OfAnother);
}

TEST_F(VerdictStateTest, NotGoodWithoutFingerprint) {
  setVerdict("proved", "");
  EXPECT_EQ(getVerdictState(function), VerdictState::OfAnother);
}

TEST_F(VerdictStateTest, OfAnotherWhereThereIsNoGraph) {
  setVerdict("proved", getFingerprint());
  addCall();
  EXPECT_EQ(getVerdictState(function), VerdictState::OfAnother);
}

TEST_F(VerdictStateTest, GoneWhereThereIsNoGraphToKeepItOf) {
  setVerdict("proved", getFingerprint());
  keepVerdict(function, [&] { addCall(); });
  EXPECT_EQ(getVerdictState(function), VerdictState::None);
  EXPECT_FALSE(function->hasAttr(MirageDialect::kVerdictAttr));
}

TEST_F(VerdictStateTest, Kept) {
  setVerdict("proved", getFingerprint());
  keepVerdict(function, [&] { dropExp(); });
  EXPECT_EQ(getVerdictState(function), VerdictState::Good);
}

TEST_F(VerdictStateTest, KeepingMakesNoVerdictGood) {
  setVerdict("proved", "0");
  keepVerdict(function, [&] { dropExp(); });
  EXPECT_EQ(getVerdictState(function), VerdictState::OfAnother);
}

} // namespace
