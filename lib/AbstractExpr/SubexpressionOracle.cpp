//===- SubexpressionOracle.cpp - What the search asks before it goes on ---===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/AbstractExpr/SubexpressionOracle.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>

using namespace mirage;

OracleStatistics &OracleStatistics::operator+=(const OracleStatistics &other) {
  queries += other.queries;
  memoHits += other.memoHits;
  microseconds += other.microseconds;
  affirmed += other.affirmed;
  disagreements += other.disagreements;
  unknowns += other.unknowns;
  return *this;
}

OracleStatistics &OracleStatistics::operator-=(const OracleStatistics &other) {
  queries -= other.queries;
  memoHits -= other.memoHits;
  microseconds -= other.microseconds;
  affirmed -= other.affirmed;
  disagreements -= other.disagreements;
  unknowns -= other.unknowns;
  return *this;
}

//===----------------------------------------------------------------------===//
// Any oracle
//===----------------------------------------------------------------------===//

SubexpressionOracle::SubexpressionOracle(ExprContext &context,
                                         llvm::ArrayRef<Expr> targets)
    : context(context), targets(targets), answers{Answer::Yes},
      hasUnknownTarget(llvm::is_contained(targets, Expr())) {}

SubexpressionOracle::~SubexpressionOracle() = default;

bool SubexpressionOracle::ask(Expr x) {
  using Clock = std::chrono::steady_clock;
  bool isTimed = untilTimed == 0;
  Clock::time_point start = isTimed ? Clock::now() : Clock::time_point();
  bool result = hasUnknownTarget || decide(x);
  if (isTimed) {
    std::chrono::duration<double, std::micro> time = Clock::now() - start;
    statistics.microseconds += time.count() * timedEvery;
    untilTimed = timedEvery;
  }
  --untilTimed;
  statistics.affirmed += result;
  if (x.getId() >= answers.size())
    answers.resize(std::max<size_t>(x.getId() + 1, 2 * answers.size()),
                   Answer::None);
  answers[x.getId()] = result ? Answer::Yes : Answer::No;
  return result;
}

bool SubexpressionOracle::isTarget(Expr x, size_t i) {
  return !x || !targets[i] || x == targets[i];
}

std::optional<std::pair<ExprWitness, size_t>>
SubexpressionOracle::explain(Expr) {
  return std::nullopt;
}

llvm::Error SubexpressionOracle::takeError() { return llvm::Error::success(); }

//===----------------------------------------------------------------------===//
// Normal forms
//===----------------------------------------------------------------------===//

NormalFormOracle::NormalFormOracle(ExprContext &context,
                                   llvm::ArrayRef<Expr> targets)
    : SubexpressionOracle(context, targets) {
  // It takes as long to read the clock as to answer.
  timedEvery = 16;
}

bool NormalFormOracle::decide(Expr x) {
  return llvm::any_of(
      targets, [&](Expr target) { return context.isSubexpression(x, target); });
}

std::optional<std::pair<ExprWitness, size_t>>
NormalFormOracle::explain(Expr x) {
  for (auto [i, target] : llvm::enumerate(targets))
    if (std::optional<ExprWitness> witness = context.explain(x, target))
      return std::pair(std::move(*witness), i);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Nothing
//===----------------------------------------------------------------------===//

bool NoOracle::decide(Expr) { return true; }

bool NoOracle::isTarget(Expr, size_t) { return true; }
