//===- DimGroups.h - Dimensions that become others --------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_DIMGROUPS_H
#define MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_DIMGROUPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace mirage::linalg_import {

/// Dimensions that become others, with as many elements: their sizes.
struct DimGroup {
  llvm::SmallVector<int64_t, 2> from, to;
  bool isChanged() const { return from.size() != to.size(); }
};

/// How a reshape of these shapes merges dimensions; none if it does something
/// else, or merges dimensions of size 1 only.
std::optional<llvm::SmallVector<DimGroup>>
getMerges(llvm::ArrayRef<int64_t> split, llvm::ArrayRef<int64_t> merged);

/// The shape that one of as many dimensions as there are groups, or less, has
/// when what groups merge is split; a dimension of size 1 is split into as many
/// of size 1.
llvm::SmallVector<int64_t> getSplitShape(llvm::ArrayRef<int64_t> shape,
                                         llvm::ArrayRef<DimGroup> groups);

/// How a reshape of these shapes drops dimensions of size 1, each merged with
/// the one in front of it, or else behind it; none if it does something else.
std::optional<llvm::SmallVector<DimGroup>>
getUnitMerges(llvm::ArrayRef<int64_t> split, llvm::ArrayRef<int64_t> merged);

/// What undoes it.
llvm::SmallVector<DimGroup> reversed(llvm::SmallVector<DimGroup> groups);

/// The dimensions of both shapes, split until each of a shape is a product of
/// some; none if there are no such.
std::optional<llvm::SmallVector<int64_t>>
getCommonSplit(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);

} // namespace mirage::linalg_import

#endif // MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_DIMGROUPS_H
