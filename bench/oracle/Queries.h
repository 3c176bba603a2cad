//===- Queries.h - What a search asks of an oracle --------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BENCH_ORACLE_QUERIES_H
#define MIRAGE_BENCH_ORACLE_QUERIES_H

#include "Mirage/AbstractExpr/SubexpressionOracle.h"
#include <string>
#include <vector>

namespace mirage::bench {

/// One call: an expression is made from those in other slots, or the oracle is
/// asked about one.
struct Call {
  enum class Kind : uint8_t {
    Variable, ///< number `factor`
    Constant, ///< value
    Add,
    Mul,
    Div,
    Sum, ///< of `factor` elements
    Exp,
    Sqrt,
    Function, ///< number `factor`, of slot a and, unless it is the same, b
    Ask,
  };
  Kind kind;
  unsigned to = 0, a = 0, b = 0;
  int64_t factor = 0;
  double value = 0;
};

/// The calls that a search of block graphs makes on one program, at proxy sizes
/// and for one placement of its inputs: first those that make the program's
/// expression, the target, then all others in order.
struct Queries {
  std::string program;
  std::vector<Call> calls;
  std::vector<std::string> functions;
  /// How many calls make the target, and its slot.
  size_t numTargetCalls = 0;
  unsigned target = 0;
  unsigned numSlots = 0;
  /// How often the oracle is asked, and the longest prefix in operators.
  size_t numAsked = 0;
  unsigned maxOps = 0;
  /// Whether there are no more such prefixes.
  bool exhausted = true;

  /// Makes calls [from, to); `ask` is called with each expression asked about.
  template <typename F>
  void replay(ExprContext &context, std::vector<Expr> &slots, size_t from,
              size_t to, F ask) const;
};

/// The six programs of the paper's evaluation. For each all prefixes of at most
/// so many operators that no more than `maxAsked` questions are asked.
std::vector<Queries> recordQueries(size_t maxAsked);

template <typename F>
void Queries::replay(ExprContext &context, std::vector<Expr> &slots,
                     size_t from, size_t to, F ask) const {
  for (size_t i = from; i < to; ++i) {
    const Call &call = calls[i];
    Expr a = slots[call.a], b = slots[call.b];
    switch (call.kind) {
    case Call::Kind::Variable:
      slots[call.to] = context.variable("in" + std::to_string(call.factor));
      break;
    case Call::Kind::Constant:
      slots[call.to] = context.constant(call.value);
      break;
    case Call::Kind::Add:
      slots[call.to] = context.add(a, b);
      break;
    case Call::Kind::Mul:
      slots[call.to] = context.mul(a, b);
      break;
    case Call::Kind::Div:
      slots[call.to] = context.div(a, b);
      break;
    case Call::Kind::Sum:
      slots[call.to] = context.sum(call.factor, a);
      break;
    case Call::Kind::Exp:
      slots[call.to] = context.exp(a);
      break;
    case Call::Kind::Sqrt:
      slots[call.to] = context.sqrt(a);
      break;
    case Call::Kind::Function:
      if (call.a == call.b)
        slots[call.to] = context.apply(functions[call.factor], a);
      else
        slots[call.to] = context.apply(functions[call.factor], {a, b});
      break;
    case Call::Kind::Ask:
      ask(a);
      break;
    }
  }
}

} // namespace mirage::bench

#endif // MIRAGE_BENCH_ORACLE_QUERIES_H
