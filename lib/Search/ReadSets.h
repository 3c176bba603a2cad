//===- ReadSets.h - Ways to read that go together ---------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_READSETS_H
#define MIRAGE_LIB_SEARCH_READSETS_H

#include "LeastWork.h"

namespace mirage {

/// A value that is an input.
struct ReadLeaf {
  /// Its number.
  unsigned input = 0;
  /// The dimension of which it is one part of a split, or kReplica.
  int64_t splitDim = -1;
};

/// Which ways to read the inputs go together in a derivation of whole tensors.
///
/// A block graph with its grid and its loop taken away is a derivation in the
/// graph of whole tensors, and the tiles of its values are cut as the grid and
/// the loop say: those of an operator's operands and of its result alike along
/// each of the operator's loops. Followed from the outputs, which the frame's
/// omaps cut, to the inputs, each derivation so reads the inputs in certain
/// ways; what none does needs no search. Where an operator reduces, the
/// operands' dimension may be whole or cut by the loop; where it does something
/// else than sum, by the grid, too.
///
/// A graph of the parts of a split has values of their own for what it cuts, so
/// that these cuts need not be followed.
///
/// `outputs` are the values that are the problem's, each one of several;
/// `leaves` the values that are its inputs; `choices` the ways to read each
/// input. Returns nothing if some operator's dimensions can't be followed, or
/// if there are too many.
std::optional<std::vector<ReadSet>>
findReadSets(const SearchProgram &program, const LeastWork &work,
             llvm::ArrayRef<LeastWork::Alternatives> outputs,
             const llvm::DenseMap<unsigned, ReadLeaf> &leaves,
             const Placement &frame,
             llvm::ArrayRef<std::vector<IteratorPlacement>> choices);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_READSETS_H
