//===- ExprTest.h - What the tests of abstract expressions share ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_ABSTRACTEXPR_EXPRTEST_H
#define MIRAGE_UNITTESTS_ABSTRACTEXPR_EXPRTEST_H

#include "Mirage/AbstractExpr/ExprParser.h"
#include "gtest/gtest.h"

namespace mirage {

/// Gives a test a context, and its questions as text.
class ExprTest : public testing::Test {
protected:
  Expr parse(llvm::StringRef text) {
    llvm::Expected<Expr> expr = parseExpr(context, text);
    if (expr)
      return *expr;
    ADD_FAILURE() << text.str() << ": " << llvm::toString(expr.takeError());
    return Expr();
  }

  bool areEqual(llvm::StringRef x, llvm::StringRef y) {
    Expr parsedX = parse(x), parsedY = parse(y);
    EXPECT_TRUE(parsedX && parsedY);
    return parsedX == parsedY;
  }

  bool isSubexpression(llvm::StringRef x, llvm::StringRef y) {
    Expr parsedX = parse(x), parsedY = parse(y);
    EXPECT_TRUE(parsedX && parsedY);
    return context.isSubexpression(parsedX, parsedY);
  }

  ExprContext context;
};

} // namespace mirage

#endif // MIRAGE_UNITTESTS_ABSTRACTEXPR_EXPRTEST_H
