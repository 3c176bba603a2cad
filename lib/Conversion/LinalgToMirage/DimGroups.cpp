//===- DimGroups.cpp - Dimensions that become others ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DimGroups.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::linalg_import;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::getReassociationIndicesForCollapse;
using mlir::ReassociationIndices;

std::optional<SmallVector<DimGroup>>
linalg_import::getMerges(ArrayRef<int64_t> split, ArrayRef<int64_t> merged) {
  if (split.size() <= merged.size())
    return std::nullopt;
  auto indices = getReassociationIndicesForCollapse(split, merged);
  if (!indices || indices->size() != merged.size() ||
      llvm::none_of(*indices, [&](const ReassociationIndices &group) {
        return llvm::count_if(group, [&](int64_t d) { return split[d] != 1; }) >
               1;
      }))
    return std::nullopt;
  SmallVector<DimGroup> groups;
  for (auto [group, size] : llvm::zip(*indices, merged)) {
    groups.push_back({{}, {size}});
    for (int64_t d : group)
      groups.back().from.push_back(split[d]);
  }
  return groups;
}

SmallVector<int64_t> linalg_import::getSplitShape(ArrayRef<int64_t> shape,
                                                  ArrayRef<DimGroup> groups) {
  SmallVector<int64_t> result;
  for (auto [size, group] :
       llvm::zip_equal(shape, groups.take_back(shape.size())))
    if (size == 1)
      result.append(group.from.size(), 1);
    else
      llvm::append_range(result, group.from);
  return result;
}

std::optional<SmallVector<DimGroup>>
linalg_import::getUnitMerges(ArrayRef<int64_t> split,
                             ArrayRef<int64_t> merged) {
  if (split.size() <= merged.size() || merged.empty())
    return std::nullopt;
  SmallVector<DimGroup> groups;
  SmallVector<int64_t, 2> first;
  for (int64_t size : split) {
    if (groups.size() < merged.size() && size == merged[groups.size()])
      groups.push_back({{size}, {size}});
    else if (size != 1)
      return std::nullopt;
    else
      (groups.empty() ? first : groups.back().from).push_back(size);
  }
  if (groups.size() != merged.size())
    return std::nullopt;
  llvm::append_range(first, groups.front().from);
  groups.front().from = first;
  return groups;
}

SmallVector<DimGroup> linalg_import::reversed(SmallVector<DimGroup> groups) {
  for (DimGroup &group : groups)
    std::swap(group.from, group.to);
  return groups;
}

std::optional<SmallVector<int64_t>>
linalg_import::getCommonSplit(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  SmallVector<int64_t> split;
  // What is left of the current dimensions.
  int64_t left = 1, right = 1;
  while (true) {
    bool isUnit = false;
    for (auto [rest, shape] : {std::pair(&left, &a), std::pair(&right, &b)})
      if (*rest == 1 && !shape->empty()) {
        *rest = shape->front();
        *shape = shape->drop_front();
        isUnit |= *rest == 1;
      }
    if (isUnit) {
      split.push_back(1);
      continue;
    }
    if (left == 1 && right == 1)
      return split;
    const int64_t size = std::min(left, right);
    if (size <= 1 || left % size != 0 || right % size != 0)
      return std::nullopt;
    split.push_back(size);
    left /= size;
    right /= size;
  }
}
