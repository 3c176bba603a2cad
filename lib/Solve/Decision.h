//===- Decision.h - What follows from axioms --------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SOLVE_DECISION_H
#define MIRAGE_LIB_SOLVE_DECISION_H

#include "Z3Problem.h"
#include <algorithm>
#include <chrono>
#include <set>

namespace mirage::solve {

/// When to give up: at once if `seconds` is negative or not a number, and after
/// 30 years at the latest, which a clock can count.
class Deadline {
public:
  explicit Deadline(double seconds)
      : end(Clock::now() +
            std::chrono::duration_cast<Clock::duration>(
                std::chrono::duration<double>(
                    seconds > 0 ? std::min(seconds, kMostSeconds) : 0))) {}
  double getSecondsLeft() const {
    return std::chrono::duration<double>(end - Clock::now()).count();
  }
  bool hasPassed() const { return getSecondsLeft() <= 0; }

private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kMostSeconds = 1e9;
  Clock::time_point end;
};

/// What is known of an opaque operator besides its axioms.
struct LinearFunction {
  /// For each operand, whether the function is additive in it.
  std::vector<bool> additive;
  /// One operand, and F(c x) = c F(x) for every number c.
  bool homogeneous = false;
  /// The axioms that it follows from.
  std::set<unsigned> used;
};

/// Decides whether ground formulas follow from axioms: instances of these, for
/// terms that occur in the question, are given to Z3 as formulas of real
/// arithmetic.
class Decision {
public:
  /// The axioms must outlive it; those listed in `unconfirmed` are not used.
  Decision(prove::TermContext &context, llvm::ArrayRef<Axiom> axioms,
           llvm::ArrayRef<unsigned> unconfirmed, Deadline deadline);

  /// Makes an opaque operator's terms: those of a linear function are
  /// distributed over sums.
  prove::FunctionMaker getMaker();
  /// Opaque operators are the functions of a model from now on.
  void setModel(const Model *newModel) { model = newModel; }
  /// Finds out in which operands a function is linear. Models of the axioms
  /// save time where it isn't.
  void learnLinearity(llvm::StringRef name, unsigned arity,
                      llvm::ArrayRef<Model> models);

  /// Whether the goal follows from the hypotheses.
  bool prove(const Ground &goal, std::vector<Ground> hypotheses);
  /// Whether a term is zero for all values of its free indices: also where two
  /// sums have equal terms.
  bool isZero(const prove::PolyRef &term, llvm::ArrayRef<Ground> hypotheses,
              unsigned depth = 0);
  /// Whether the axioms contradict each other, as far as that can be seen from
  /// a few instances.
  bool findContradiction();

  /// The axioms that proofs rested on, by number.
  const std::set<unsigned> &getUsed() const { return used; }
  /// Whether a proof was dropped because the axioms prove everything.
  bool hasContradiction() const { return contradiction; }

private:
  /// Arbitrary numbers are inputs beyond those of any program.
  static constexpr unsigned kFirstNumber = 1u << 20;

  /// An instance of an axiom, and the values of functions in it. Built-in
  /// axioms have no number.
  struct Instance {
    std::optional<unsigned> axiom;
    Ground formula;
    std::set<int64_t> values;
  };

  void collectTerms(llvm::ArrayRef<Ground> formulas,
                    std::vector<prove::PolyRef> &terms);
  /// Of all axioms of the user, and of those of built-in operators that speak
  /// of `functions`.
  std::vector<Instance> makeInstances(llvm::ArrayRef<prove::PolyRef> terms,
                                      const std::set<std::string> &functions);
  void addCongruences(std::vector<Ground> &hypotheses, const Ground &goal,
                      unsigned depth);
  Satisfiability check(llvm::ArrayRef<Ground> formulas,
                       llvm::ArrayRef<const Instance *> instances,
                       double seconds);
  bool decide(const Ground &goal, const std::vector<Ground> &hypotheses);
  bool acceptProof(const Ground &negation,
                   const std::vector<Ground> &hypotheses,
                   std::vector<const Instance *> instances);

  prove::TermContext &context;
  llvm::ArrayRef<Axiom> axioms;
  std::set<unsigned> unconfirmed;
  Deadline deadline;
  prove::FunctionMaker maker;
  const Model *model = nullptr;
  std::map<std::string, LinearFunction> linear;
  std::set<unsigned> used;
  bool contradiction = false;
  unsigned depthNow = 0;
};

} // namespace mirage::solve

#endif // MIRAGE_LIB_SOLVE_DECISION_H
