//===- Solve.h - Proofs with a solver ---------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SOLVE_SOLVE_H
#define MIRAGE_SOLVE_SOLVE_H

#include "Mirage/Mugraph/Mugraph.h"
#include "Mirage/Solve/Axioms.h"

namespace mirage {

struct SolveOptions {
  /// After so long the answer is that nothing was proved.
  double seconds = 5;
};

struct SolveResult {
  bool proved = false;
  /// Why not.
  std::string reason;
  /// Of `Axioms::axioms`, those that the proof rests on.
  std::vector<unsigned> usedAxioms;
};

/// Tries to prove, like `proveEquivalence`, that two programs compute the same:
/// for these sizes, with Z3, the axioms that operators declare and those of a
/// user, which may be null. docs/Axioms.md says what is found, and why it
/// holds.
SolveResult solveEquivalence(const KernelGraph &reference,
                             const KernelGraph &candidate,
                             const solve::Axioms *axioms,
                             const SolveOptions &options);

/// The opaque operators of a program and their numbers of operands; one that is
/// used with several numbers comes several times.
std::vector<std::pair<std::string, unsigned>>
getOpaqueFunctions(const KernelGraph &graph);

} // namespace mirage

#endif // MIRAGE_SOLVE_SOLVE_H
