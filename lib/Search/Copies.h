//===- Copies.h - Values that are others, moved or scaled -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_COPIES_H
#define MIRAGE_LIB_SEARCH_COPIES_H

#include "ValueGraph.h"

namespace mirage {

/// The values of a graph that are another one, moved, or multiplied by or added
/// to a constant.
class Copies {
public:
  explicit Copies(const ValueGraph &graph);

  /// Whether it is one of an input, or that itself.
  bool isOfInput(unsigned value);
  /// A value, multiplied by or added to constants.
  llvm::ArrayRef<unsigned> getScaled(unsigned value) const;

private:
  std::optional<unsigned> getOriginal(unsigned value,
                                      const ValueEdge &edge) const;

  const ValueGraph &graph;
  llvm::DenseMap<unsigned, bool> ofInput;
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 1>> scaled;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_COPIES_H
