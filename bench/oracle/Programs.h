//===- Programs.h - Programs to search --------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BENCH_ORACLE_PROGRAMS_H
#define MIRAGE_BENCH_ORACLE_PROGRAMS_H

#include "Mirage/Mugraph/Mugraph.h"

namespace mirage::bench {

/// A program at proxy sizes, and how one kernel cuts its inputs: the tiles that
/// an iteration of its loop reads.
struct Program {
  const char *name;
  const char *text;
  std::vector<Shape> tiles;
  bool loops;
};

/// RMSNorm + Linear, gated MLP, LoRA, nTrans, QKNorm + attention, and
/// group-query attention.
const std::vector<Program> &getPrograms();

} // namespace mirage::bench

#endif // MIRAGE_BENCH_ORACLE_PROGRAMS_H
