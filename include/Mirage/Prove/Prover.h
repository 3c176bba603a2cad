//===- Prover.h - Symbolic proofs of equivalence ----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_PROVE_PROVER_H
#define MIRAGE_PROVE_PROVER_H

#include "Mirage/Mugraph/Mugraph.h"

namespace mirage {

/// For which sizes of the dimensions a proof holds.
enum class ProvedSizes {
  All,   ///< for all that grids and loops divide, or cut unevenly
  These, ///< for those of the two programs
};

struct ProofResult {
  bool proved = false;
  ProvedSizes sizes = ProvedSizes::These;
  /// Why not, or not for all sizes.
  std::string reason;
  /// Whether each element of the candidate is defined wherever the reference's
  /// is, whether or not they are equal; and why that isn't known.
  bool defined = false;
  std::string undefinedReason;
  /// Whether all elements of the reference are known to be defined.
  bool isTotal = false;
};

/// How long to try: until a limit of work is reached, the same on every
/// machine.
enum class ProofEffort {
  /// Some tenths of a second.
  Little,
  /// Some seconds, and ten or more for a whole layer that has no proof.
  Full
};

/// Tries to prove that two programs compute the same function over the reals:
/// that the candidate is defined, and equal, wherever the reference is. Both
/// have inputs and outputs of the same shapes. What can't be proved may still
/// be true; docs/Proof.md says what is found, and why what is found holds.
ProofResult proveEquivalence(const KernelGraph &reference,
                             const KernelGraph &candidate,
                             ProofEffort effort = ProofEffort::Full);

/// The same for the sizes of the two programs alone: nothing is proved of
/// others. What proveEquivalence proves this proves, too.
ProofResult proveForTheseSizes(const KernelGraph &reference,
                               const KernelGraph &candidate,
                               ProofEffort effort = ProofEffort::Full);

} // namespace mirage

#endif // MIRAGE_PROVE_PROVER_H
