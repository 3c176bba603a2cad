//===- Oracle.h - The choice of an oracle -----------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ORACLE_ORACLE_H
#define MIRAGE_ORACLE_ORACLE_H

#include "Mirage/AbstractExpr/SubexpressionOracle.h"
#include "Mirage/Solve/Axioms.h"

namespace mirage {

enum class OracleKind : uint8_t { NormalForm, Z3, CrossCheck, None };

/// "normal-form", "z3", "cross-check", "none", as in the option `oracle`.
llvm::StringRef getOracleName(OracleKind kind);
/// An error lists the names.
llvm::Expected<OracleKind> parseOracleKind(llvm::StringRef name);

/// The oracle of a search in one thread. `axioms` are a user's, and may be
/// null; where they aren't, they must outlive the oracle. An error when the
/// oracle can't honour them: only Z3 can, and only equations. `none` needs no
/// axioms, since it denies nothing.
///
/// Answers follow from the expressions and, for Z3 close to its limits, from
/// the order in which they are asked about.
llvm::Expected<std::unique_ptr<SubexpressionOracle>>
makeOracle(OracleKind kind, ExprContext &context, llvm::ArrayRef<Expr> targets,
           const solve::Axioms *axioms = nullptr);

} // namespace mirage

#endif // MIRAGE_ORACLE_ORACLE_H
