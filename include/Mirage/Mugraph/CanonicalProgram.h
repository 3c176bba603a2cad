//===- CanonicalProgram.h - Equal programs, one text ------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_CANONICALPROGRAM_H
#define MIRAGE_MUGRAPH_CANONICALPROGRAM_H

#include "Mirage/Mugraph/Mugraph.h"
#include <string>

namespace mirage {

/// A text that says all of a tensor program or μGraph that matters: operators,
/// wiring, shapes, element types, parameters, constants bit by bit, grids,
/// loops and maps. The program could be built anew from it, so that different
/// programs have different texts.
///
/// Programs that differ only in how they are written have one text: in the
/// order of nodes that don't read each other, in nodes that no output needs, in
/// how often a constant is repeated, in the order of a commutative operator's
/// operands, and of a graph-defined operator's operands and results. Inputs and
/// outputs keep their positions. docs/Database.md says how, and which very
/// symmetric programs have more than one text.
///
/// The graph must be well-formed, as `importKernelGraph` returns it.
std::string getCanonicalText(const KernelGraph &graph);

/// A tensor program (without graph-defined operators) as its canonical text
/// says: all programs of one text become the same graph.
KernelGraph getCanonicalProgram(const KernelGraph &graph);

} // namespace mirage

#endif // MIRAGE_MUGRAPH_CANONICALPROGRAM_H
