//===- SizeSpaceImpl.h - What a SizeSpace is made of ------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_SIZESPACEIMPL_H
#define MIRAGE_LIB_SEARCH_SIZESPACEIMPL_H

#include "Mirage/Search/SizeSpace.h"
#include "Structures.h"

namespace mirage {

struct SizeSpaceImpl {
  std::shared_ptr<const SearchProgram> program;
  Plan plan;
  int64_t tileBytes = 0;
  std::vector<SizeSpace::Decision> decisions;
  SizeSpace::Point chosen;
};

/// A plan with the numbers of a point of its space in the places of its own.
Plan withSizes(const Plan &plan, llvm::ArrayRef<int64_t> point);

/// The space of a plan, whose own sizes are the chosen ones.
std::shared_ptr<const SizeSpace>
makeSizeSpace(std::shared_ptr<const SearchProgram> program, const Plan &plan,
              const TargetNumbers &target);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_SIZESPACEIMPL_H
