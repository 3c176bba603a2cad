//===- Oracle.cpp - The choice of an oracle -------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Oracle/Oracle.h"
#include "Mirage/Oracle/CrossCheckOracle.h"
#include "Mirage/Oracle/Z3Oracle.h"

using namespace mirage;

static constexpr std::pair<OracleKind, llvm::StringLiteral> kNames[] = {
    {OracleKind::NormalForm, "normal-form"},
    {OracleKind::Z3, "z3"},
    {OracleKind::CrossCheck, "cross-check"},
    {OracleKind::None, "none"}};

llvm::StringRef mirage::getOracleName(OracleKind kind) {
  for (auto &[other, name] : kNames)
    if (other == kind)
      return name;
  llvm_unreachable("all kinds have names");
}

llvm::Expected<OracleKind> mirage::parseOracleKind(llvm::StringRef name) {
  for (auto &[kind, other] : kNames)
    if (other == name)
      return kind;
  return llvm::createStringError(
      "expected 'normal-form', 'z3', 'cross-check' or 'none', found '" + name +
      "'");
}

llvm::Expected<std::unique_ptr<SubexpressionOracle>>
mirage::makeOracle(OracleKind kind, ExprContext &context,
                   llvm::ArrayRef<Expr> targets, const solve::Axioms *axioms) {
  Z3OracleOptions options;
  options.axioms = axioms;
  switch (kind) {
  case OracleKind::NormalForm:
    if (axioms)
      return llvm::createStringError(
          axioms->file + ": error: the oracle 'normal-form' knows the paper's "
                         "axioms only; 'z3' honours others");
    return std::make_unique<NormalFormOracle>(context, targets);
  case OracleKind::Z3:
    return Z3Oracle::create(context, targets, options);
  case OracleKind::CrossCheck:
    return CrossCheckOracle::create(context, targets, options);
  case OracleKind::None:
    return std::make_unique<NoOracle>(context, targets);
  }
  llvm_unreachable("covered switch");
}
