//===- ExprParser.cpp - Abstract expressions from text --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/AbstractExpr/ExprParser.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// A piece of the text; `text` is empty at the end.
struct Token {
  StringRef text;
  size_t column = 0;

  bool is(StringRef other) const { return text == other; }
  bool isName() const { return !text.empty() && !is("(") && !is(")"); }
};

class Parser {
public:
  Parser(ExprContext &context, StringRef text) : context(context), text(text) {
    advance();
  }

  Expected<Expr> parse() {
    Expected<Expr> result = parseExpr(/*depth=*/0);
    if (result && !token.text.empty())
      return error(
          token, "expected the end of the text after the expression, found '" +
                     token.text + "'");
    return result;
  }

private:
  static constexpr unsigned maxDepth = 1000;

  static Error error(const Token &at, const Twine &message) {
    return llvm::createStringError("column " + Twine(at.column) + ": " +
                                   message);
  }

  static std::string describe(const Token &token) {
    return token.text.empty() ? "the end of the text"
                              : ("'" + token.text + "'").str();
  }

  void advance() {
    position = text.find_first_not_of(" \t\r\n", position);
    if (position == StringRef::npos)
      position = text.size();
    size_t end = position;
    if (end < text.size() && StringRef("()").contains(text[end]))
      ++end;
    else
      end = text.find_first_of("() \t\r\n", position);
    token = {text.slice(position, end), position + 1};
    position += token.text.size();
  }

  Expected<Expr> parseExpr(unsigned depth) {
    Token start = token;
    if (token.isName()) {
      advance();
      return parseLeaf(start);
    }
    if (!token.is("("))
      return error(token, "expected an expression, found " + describe(token));
    if (depth == maxDepth)
      return error(token,
                   "parentheses nest more than " + Twine(maxDepth) + " deep");
    advance();
    Token op = token;
    if (!op.isName())
      return error(op, "expected an operator after '(', found " + describe(op));
    advance();

    int64_t factor = 0;
    if (op.is("sum")) {
      if (!token.isName() || token.text.getAsInteger(10, factor) || factor < 1)
        return error(token, "expected a positive 64-bit integer as the first "
                            "operand of 'sum', found " +
                                describe(token));
      advance();
    }
    llvm::SmallVector<Expr, 2> operands;
    while (token.isName() || token.is("(")) {
      Expected<Expr> operand = parseExpr(depth + 1);
      if (!operand)
        return operand;
      operands.push_back(*operand);
    }
    if (!token.is(")"))
      return error(token,
                   "expected an operand or ')', found " + describe(token));
    advance();
    return build(op, factor, operands);
  }

  Expected<Expr> parseLeaf(const Token &leaf) {
    StringRef digits = leaf.text;
    if (StringRef("+-").contains(digits.front()))
      digits = digits.drop_front();
    digits.consume_front(".");
    if (digits.empty() || !llvm::isDigit(digits.front()))
      return context.variable(leaf.text);
    double value;
    if (leaf.text.getAsDouble(value))
      return error(leaf, "expected a number, found " + describe(leaf));
    return context.constant(value);
  }

  Expected<Expr> build(const Token &op, int64_t factor,
                       ArrayRef<Expr> operands) {
    bool isBinary = op.is("add") || op.is("mul") || op.is("div");
    bool isUnary = op.is("sum") || op.is("exp") || op.is("sqrt");
    size_t expected = isBinary ? 2 : 1;
    if (isBinary || isUnary ? operands.size() != expected : operands.empty())
      return error(op, "'" + op.text + "' needs " +
                           (isBinary || isUnary ? "" : "at least ") +
                           Twine(expected) +
                           (op.is("sum") ? " operand after its integer"
                            : isBinary   ? " operands"
                                         : " operand") +
                           ", found " + Twine(operands.size()));
    if (op.is("add"))
      return context.add(operands[0], operands[1]);
    if (op.is("mul"))
      return context.mul(operands[0], operands[1]);
    if (op.is("div"))
      return context.div(operands[0], operands[1]);
    if (op.is("sum"))
      return context.sum(factor, operands[0]);
    if (op.is("exp"))
      return context.exp(operands[0]);
    if (op.is("sqrt"))
      return context.sqrt(operands[0]);
    return context.apply(op.text, operands);
  }

  ExprContext &context;
  StringRef text;
  size_t position = 0;
  Token token;
};

} // namespace

Expected<Expr> mirage::parseExpr(ExprContext &context, StringRef text) {
  return Parser(context, text).parse();
}
