//===- Roles.h - What dimensions mean ---------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_ROLES_H
#define MIRAGE_LIB_SEARCH_ROLES_H

#include "Mirage/Mugraph/Mugraph.h"
#include "llvm/ADT/BitVector.h"
#include <bitset>

namespace mirage {

/// The role of a dimension: dimensions that an operator runs over with one loop
/// have the same role (the rows of x, the contracted dimension of a matmul).
/// Dimensions of size 1 have none.
constexpr int kNoRole = -1;
using DimRoles = llvm::SmallVector<int, 4>;

/// Of roles, of which a program has no more.
using RoleSet = std::bitset<32>;

/// Into how many parts each of the things that partition a dimension cuts it
/// while structures are searched: the grid, the loop, and a split of a
/// reduction over the blocks of one kernel, which a later kernel combines.
struct Parts {
  int64_t grid = 1, loop = 1, split = 1;
};

/// Parts of labels. A role's label is their product (and a further factor,
/// below, where some tensor has it twice) times a prime of its own,
/// so that a tile's label says which role it is a part of, and how that was
/// cut: two labels are equal only if the sizes are equal whatever sizes the
/// grid and the loop will get.
constexpr Parts kLabelParts = {2, 3, 5};
/// The part of a role that some tensor has twice (the rows and the columns of
/// x x^T) for a second grid dimension that cuts it, into another number of
/// parts than the first one does.
constexpr int64_t kSecondGridLabel = 139;
/// The parts of a split at probe size.
constexpr int64_t kProbeSplit = 2;

struct Roles {
  /// For each tensor of the reference, the role of each of its dimensions.
  std::vector<DimRoles> ofTensor;
  /// The distinct ones among them, and those in which the reference would have
  /// them if it transposed its inputs instead of what it computes, with their
  /// roles as a set.
  std::vector<std::pair<DimRoles, RoleSet>> orders;
  /// For each role, its size in the program, its label (which says what fits
  /// what), and the size at which values are computed to see which are equal.
  std::vector<int64_t> size, label, probe;
  /// For each role, its parts at probe size.
  std::vector<Parts> probeParts;
  /// The roles that some operator of the reference reduces over.
  llvm::BitVector reduced;
  /// Those among them over which something else than a sum is taken.
  llvm::BitVector folded;

  /// The size of a role, or the greatest common divisor of the sizes of some.
  int64_t getCommonSize(const RoleSet &roles) const;
  /// Whether some tensor of the reference has dimensions of both.
  bool meet(int role, int other) const;

  /// Whether some tensor of the reference has two dimensions of it.
  bool isTwice(int role) const;

  /// Whether the dimensions of a tile are in an order that the reference has
  /// for some tensor of these roles and perhaps others, or in such an order but
  /// for the last two, which a matrix may have the other way round.
  bool isKnownOrder(llvm::ArrayRef<int64_t> labels) const;

  /// The role that a label is of, or kNoRole.
  int getRole(int64_t label) const;
  /// The probe size that goes with the label of a tile's dimension.
  int64_t getProbeSize(int64_t size) const;
  Shape getProbeShape(llvm::ArrayRef<int64_t> labels) const;
};

/// Whether an operator of a program says what becomes of each dimension, as all
/// do but reshapes that merge or split some.
bool canFollowDims(const KernelGraph &graph, const KernelNode &node);

/// The roles of a program of pre-defined operators; nothing, with the reason in
/// `error`, for an operator whose dimensions can't be followed.
std::optional<Roles> findRoles(const KernelGraph &reference,
                               std::string &error);

/// The program with other sizes of roles.
KernelGraph resize(const KernelGraph &reference, const Roles &roles,
                   llvm::ArrayRef<int64_t> sizes);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_ROLES_H
