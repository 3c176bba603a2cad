//===- Roles.h - What dimensions mean, and sizes to search at ----*- C++ -*-===//
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

namespace mirage {

/// The role of a dimension: dimensions that an operator runs over with one loop
/// have the same role (the rows of x, the contracted dimension of a matmul).
/// Dimensions of size 1 have none.
constexpr int kNoRole = -1;
using DimRoles = llvm::SmallVector<int, 4>;

struct Roles {
  /// For each tensor of the reference, the role of each of its dimensions.
  std::vector<DimRoles> ofTensor;
  /// For each role, its size in the program and at which it is searched.
  std::vector<int64_t> size, proxy;
  /// The roles that some operator of the reference reduces over.
  llvm::BitVector reduced;
};

/// At proxy size every grid dimension has this many blocks, and the loop this
/// many iterations. Proxies of roles are multiples of both times a prime of
/// their own, so that no two tiles of different roles agree by accident.
constexpr int64_t kProxyGrid = 2, kProxyLoop = 3;

/// The roles of a program of pre-defined operators; an error for an operator
/// whose dimensions can't be followed.
std::optional<Roles> findRoles(const KernelGraph &reference,
                               std::string &error);

/// The program at proxy sizes.
KernelGraph makeProxy(const KernelGraph &reference, const Roles &roles);

/// The roles of an operator's result.
DimRoles getResultRoles(const Operator &op, llvm::ArrayRef<Shape> shapes,
                        llvm::ArrayRef<DimRoles> operands,
                        const Params &params);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_ROLES_H
