//===- SubexpressionOracle.h - What may become a part -----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ABSTRACTEXPR_SUBEXPRESSIONORACLE_H
#define MIRAGE_ABSTRACTEXPR_SUBEXPRESSIONORACLE_H

#include "Mirage/AbstractExpr/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

namespace mirage {

/// What an oracle was asked.
struct OracleStatistics {
  int64_t queries = 0;
  /// Those asked before, or about an unknown expression.
  int64_t memoHits = 0;
  /// Spent on all others, in wall time; for the normal form from a sample.
  double microseconds = 0;
  /// Of the others, those that may contribute.
  int64_t affirmed = 0;
  /// Of the others, those that two ways to an answer disagreed about.
  int64_t disagreements = 0;
  /// Of the others, those of which Z3 proved nothing; when it is asked beside
  /// the normal form, those that the normal form affirms.
  int64_t unknowns = 0;

  OracleStatistics &operator+=(const OracleStatistics &other);
  OracleStatistics &operator-=(const OracleStatistics &other);
};

/// Decides whether a prefix of a μGraph can still become the program that is
/// searched for (line 18 of Algorithm 1). The oracle knows the target
/// expressions, those of the program's outputs; the search asks about one
/// tensor at a time. Not thread safe. Unknown expressions (null, see
/// ExprLimits), and all expressions when a target is unknown, may contribute.
class SubexpressionOracle {
public:
  /// `context` makes all expressions, and must outlive the oracle.
  SubexpressionOracle(ExprContext &context, llvm::ArrayRef<Expr> targets);
  virtual ~SubexpressionOracle();

  /// False only if `x` is a subexpression of no target. An oracle that can't
  /// tell says what its class promises.
  bool mayContribute(Expr x) {
    ++statistics.queries;
    uint32_t id = x.getId();
    if (id < answers.size() && answers[id] != Answer::None) {
      ++statistics.memoHits;
      return answers[id] == Answer::Yes;
    }
    return ask(x);
  }

  /// Whether `x` is to be taken for target number `i`. Here when they are equal
  /// under the axioms A_eq, or one is unknown.
  virtual bool isTarget(Expr x, size_t i);

  /// Why `x` may contribute: a term that is equal to a target when `x` is put
  /// into its hole, and the target's number. Nothing if it may not, if an
  /// expression is unknown, or if the oracle gives no reasons, as here.
  virtual std::optional<std::pair<ExprWitness, size_t>> explain(Expr x);

  OracleStatistics getStatistics() const { return statistics; }
  /// Those since the last call.
  OracleStatistics takeStatistics() {
    OracleStatistics difference = statistics;
    difference -= taken;
    taken = statistics;
    return difference;
  }

  /// What went wrong since the last call: an oracle that checks itself and
  /// finds an error fails here, with the expressions in question.
  virtual llvm::Error takeError();

protected:
  /// Answers a question that wasn't asked before, of a known expression.
  virtual bool decide(Expr x) = 0;

  ExprContext &context;
  llvm::SmallVector<Expr, 2> targets;
  OracleStatistics statistics;
  /// Of so many questions one is timed: reading the clock takes time, too.
  unsigned timedEvery = 1;

private:
  OracleStatistics taken;
  enum class Answer : uint8_t { None, No, Yes };

  bool ask(Expr x);

  /// By the number of the expression.
  std::vector<Answer> answers;
  unsigned untilTimed = 0;
  bool hasUnknownTarget;
};

/// The exact oracle: normal forms decide. Null expressions, and every
/// expression when a target is null, may contribute.
class NormalFormOracle final : public SubexpressionOracle {
public:
  NormalFormOracle(ExprContext &context, llvm::ArrayRef<Expr> targets);

  std::optional<std::pair<ExprWitness, size_t>> explain(Expr x) override;

private:
  bool decide(Expr x) override;
};

/// Lets everything contribute, and takes any expression for any target: for
/// searches that show what pruning is worth, and that it loses nothing.
class NoOracle final : public SubexpressionOracle {
public:
  using SubexpressionOracle::SubexpressionOracle;

  bool isTarget(Expr x, size_t i) override;

private:
  bool decide(Expr x) override;
};

} // namespace mirage

#endif // MIRAGE_ABSTRACTEXPR_SUBEXPRESSIONORACLE_H
