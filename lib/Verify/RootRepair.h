//===- RootRepair.h - Inputs for which roots exist --------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_VERIFY_ROOTREPAIR_H
#define MIRAGE_LIB_VERIFY_ROOTREPAIR_H

#include "Dependences.h"
#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Numbers/FiniteField.h"

namespace mirage {

/// Redraws elements of a program's random inputs until its roots exist in the
/// field. Each root element has one input element that is redrawn for it, which
/// depends on the program's structure only (docs/Verification.md).
class RootRepair {
public:
  /// Redraws are tried this often.
  static constexpr unsigned kMaxSweeps = 64;
  /// Another field is drawn at most this often when a root that depends on no
  /// input doesn't exist.
  static constexpr unsigned kMaxPrimes = 32;

  explicit RootRepair(const KernelGraph &graph);

  /// Whether the program has roots.
  bool hasRoots() const { return !slice.nodes.empty(); }
  /// Whether there is one that depends on no input.
  bool hasConstantRoots();

  /// An upper bound of the memory that it needs.
  double getPeakBytes() const;

  enum class Outcome {
    Done,       ///< all roots exist
    Failed,     ///< some still don't
    OtherPrime, ///< a root that depends on no input doesn't: p is to blame
  };
  /// Redraws elements of `inputs` until all roots exist, by `seed`, in the
  /// field of `fieldSeed`.
  Outcome repair(bool withExponents, uint64_t fieldSeed, uint64_t seed,
                 std::vector<Tensor> &inputs);

  /// An upper bound of how many elements that may be redrawn an element of the
  /// outputs depends on, in this program or `candidate`; nothing when there are
  /// too many to tell.
  std::optional<unsigned> countRedrawn(const KernelGraph &candidate);

private:
  /// An element of an input, -1 where the root depends on none.
  struct Choice {
    unsigned input = 0;
    int64_t element = -1;
  };
  void choose();

  const KernelGraph &graph;
  /// The nodes that roots need.
  KernelGraph slice;
  /// By tensor: whether the slice reads it.
  std::vector<bool> needed;
  /// For each evaluation of a root, in order, the choice for each element.
  std::vector<std::vector<Choice>> choices;
  bool chosen = false;
};

} // namespace mirage

#endif // MIRAGE_LIB_VERIFY_ROOTREPAIR_H
