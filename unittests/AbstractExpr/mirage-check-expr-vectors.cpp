//===- mirage-check-expr-vectors.cpp - Checks test vectors ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The normal forms against their executable specification:
//
//   utils/reference/abstract_expr.py vectors COUNT SEED |
//     mirage-check-expr-vectors COUNT
//
// Each line that it reads is a JSON object with two expressions and the answers
// to both questions about them. It prints every disagreement and the number of
// vectors, and exits with 1 on a disagreement, on a vector that can't be read,
// and when fewer than COUNT arrive.
//
//===----------------------------------------------------------------------===//

#include "Mirage/AbstractExpr/ExprParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <iostream>
#include <string>

using namespace mirage;

/// Returns whether the normal forms agree with the vector in `line`; prints the
/// line if not.
static llvm::Expected<bool> checkVector(ExprContext &context,
                                        llvm::StringRef line) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
  if (!value)
    return value.takeError();
  const llvm::json::Object *vector = value->getAsObject();
  if (!vector)
    return llvm::createStringError("not an object");
  auto textX = vector->getString("x"), textY = vector->getString("y");
  auto equal = vector->getBoolean("equal"),
       subexpr = vector->getBoolean("subexpr");
  if (!textX || !textY || !equal || !subexpr)
    return llvm::createStringError("needs the keys x, y, equal and subexpr");
  llvm::Expected<Expr> x = parseExpr(context, *textX);
  if (!x)
    return x.takeError();
  llvm::Expected<Expr> y = parseExpr(context, *textY);
  if (!y)
    return y.takeError();
  if (x->isNull() || y->isNull())
    return llvm::createStringError("beyond the limits");

  bool gotEqual = *x == *y, gotSubexpr = context.isSubexpression(*x, *y);
  if (gotEqual == *equal && gotSubexpr == *subexpr)
    return true;
  llvm::outs() << "disagreement: equal " << gotEqual << ", subexpr "
               << gotSubexpr << ", expected " << *equal << ", " << *subexpr
               << ": " << line << '\n';
  return false;
}

int main(int argc, char **argv) {
  size_t expected;
  if (argc != 2 || llvm::StringRef(argv[1]).getAsInteger(10, expected)) {
    llvm::errs() << "usage: abstract_expr.py vectors COUNT SEED | " << argv[0]
                 << " COUNT\n";
    return 2;
  }
  ExprContext context;
  size_t count = 0, disagreements = 0;
  std::string line;
  while (std::getline(std::cin, line)) {
    llvm::Expected<bool> agrees = checkVector(context, line);
    if (!agrees) {
      llvm::errs() << "line " << count + 1 << ": "
                   << llvm::toString(agrees.takeError()) << '\n';
      return 1;
    }
    ++count;
    disagreements += !*agrees;
  }
  llvm::outs() << count << " vectors, " << disagreements << " disagreements\n";
  if (count < expected)
    llvm::errs() << "expected at least " << expected << " vectors\n";
  return disagreements == 0 && count >= expected ? 0 : 1;
}
