//===- Mutations.h - Wrong μGraphs made from right ones ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BENCH_VERIFY_MUTATIONS_H
#define MIRAGE_BENCH_VERIFY_MUTATIONS_H

#include "Mirage/Mugraph/Mugraph.h"
#include <optional>

namespace mirage {

/// A μGraph that differs from another one in one place. It may still be right.
struct Mutant {
  KernelGraph graph;
  /// The kind of mutation: "operator", "fmap", ...
  llvm::StringRef kind;
};

/// The mutant number `number` of a μGraph, by chance from `seed`: well formed
/// and with the same inputs and outputs. Nothing where the attempt gave no such
/// graph.
std::optional<Mutant> mutate(const KernelGraph &graph, uint64_t seed,
                             uint64_t number);

} // namespace mirage

#endif // MIRAGE_BENCH_VERIFY_MUTATIONS_H
