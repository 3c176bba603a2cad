//===- Z3Oracle.cpp - The axioms as they stand, for a solver --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Oracle/Z3Oracle.h"
#include "Z3Theory.h"

using namespace mirage;

/// One solver holds the axioms and what follows from them for the targets; a
/// question is asked on top of that and taken back.
class Z3Oracle::Solver {
public:
  Solver(ExprContext &context, const Z3OracleOptions &options)
      : theory(context, options.splitSums),
        hasAxioms(options.axioms && !options.axioms->axioms.empty()),
        solver(theory.getContext(), z3::solver::simple()) {}

  /// Draws conclusions from the targets, which stay.
  void mention(llvm::ArrayRef<Expr> targets, const Z3OracleOptions &options) {
    try {
      setResources(options.targetResources);
      for (Expr target : targets)
        solver.add(theory.makeMention(target));
      addAxioms();
      solver.check();
      setResources(options.resources);
    } catch (const z3::exception &) {
      // Then each question has to do without.
    }
  }

  /// Whether Z3 finds a proof of a claim; `makeClaim` may throw what Z3 throws.
  template <typename F> bool entails(F makeClaim) {
    bool isPushed = false, proved = false;
    try {
      z3::expr claim = makeClaim();
      addAxioms();
      solver.push();
      isPushed = true;
      solver.add(!claim);
      proved = solver.check() == z3::unsat;
    } catch (const z3::exception &) {
      // What Z3 can't do isn't proved.
    }
    if (isPushed)
      solver.pop();
    return proved;
  }

  Z3Theory theory;
  bool hasAxioms;

private:
  void addAxioms() {
    for (const z3::expr &axiom : theory.takeAxioms())
      solver.add(axiom);
  }

  void setResources(unsigned resources) {
    z3::params params(theory.getContext());
    // Instances come from matching terms alone.
    params.set("auto_config", false);
    params.set("mbqi", false);
    params.set("rlimit", resources);
    solver.set(params);
  }

  z3::solver solver;
};

llvm::Expected<std::unique_ptr<Z3Oracle>>
Z3Oracle::create(ExprContext &context, llvm::ArrayRef<Expr> targets,
                 const Z3OracleOptions &options) {
  auto solver = std::make_unique<Solver>(context, options);
  if (const solve::Axioms *axioms = options.axioms)
    for (auto [i, axiom] : llvm::enumerate(axioms->axioms)) {
      if (llvm::is_contained(axioms->unconfirmed, i))
        continue;
      if (llvm::Error error = solver->theory.addAxiom(axiom, axioms->file))
        return error;
    }
  if (!llvm::is_contained(targets, Expr()))
    solver->mention(targets, options);
  return std::unique_ptr<Z3Oracle>(
      new Z3Oracle(context, targets, std::move(solver)));
}

Z3Oracle::Z3Oracle(ExprContext &context, llvm::ArrayRef<Expr> targets,
                   std::unique_ptr<Solver> solver)
    : SubexpressionOracle(context, targets), solver(std::move(solver)) {}

Z3Oracle::~Z3Oracle() = default;

bool Z3Oracle::decide(Expr x) {
  bool proved = solver->entails([&] {
    z3::expr_vector claims(solver->theory.getContext());
    for (Expr target : targets)
      claims.push_back(solver->theory.makeSubexpression(x, target));
    return z3::mk_or(claims);
  });
  statistics.unknowns += !proved;
  return proved;
}

bool Z3Oracle::isTarget(Expr x, size_t i) {
  if (SubexpressionOracle::isTarget(x, i) || !solver->hasAxioms)
    return SubexpressionOracle::isTarget(x, i);
  auto [entry, isNew] =
      equalities.try_emplace({x.getId(), static_cast<uint32_t>(i)}, false);
  if (isNew)
    entry->second = solver->entails(
        [&] { return solver->theory.makeEqual(x, targets[i]); });
  return entry->second;
}
