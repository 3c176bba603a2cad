//===- ExprParser.h - Abstract expressions from text ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ABSTRACTEXPR_EXPRPARSER_H
#define MIRAGE_ABSTRACTEXPR_EXPRPARSER_H

#include "Mirage/AbstractExpr/Expr.h"
#include "llvm/Support/Error.h"

namespace mirage {

/// Parses an s-expression, the syntax of utils/reference/abstract_expr.py:
///
///   expr ::= name | number
///          | `(` (`add` | `mul` | `div`) expr expr `)`
///          | `(` `sum` integer expr `)`
///          | `(` (`exp` | `sqrt`) expr `)`
///          | `(` function expr+ `)`
///
/// A number (a token that starts with a digit, or with a digit after `+`, `-`
/// or `.`) is a constant. Every function that is not named here has no axioms.
/// An error says what is wrong at which column, counted from 1 over the whole
/// text. Parentheses nest at most 1000 deep. As with ExprContext's calls, the
/// result is null beyond the context's limits.
llvm::Expected<Expr> parseExpr(ExprContext &context, llvm::StringRef text);

} // namespace mirage

#endif // MIRAGE_ABSTRACTEXPR_EXPRPARSER_H
