//===- StoredKernels.h - Kernels and plans as JSON --------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_STOREDKERNELS_H
#define MIRAGE_LIB_SEARCH_STOREDKERNELS_H

#include "Structures.h"
#include "llvm/Support/JSON.h"

namespace mirage {

/// A kernel as JSON, its tensors apart: what it computes, its maps and its
/// sizes, in terms of the program's roles. Programs of one canonical text have
/// the same roles.
llvm::json::Value writeKernel(const SizedKernel &kernel);

/// The kernel that was written for such a problem; nothing if `value` is none
/// that a search can have found: whatever it holds, a kernel that is returned
/// is well-formed.
std::optional<SizedKernel> readKernel(const llvm::json::Value &value,
                                      const SearchProgram &program,
                                      const KernelProblem &problem);

/// Plans, with the tensors between their kernels.
llvm::json::Value writePlans(llvm::ArrayRef<Plan> plans,
                             const SearchProgram &program);
/// Cheapest first. Nothing if `value` is none of that, or the kernels of a plan
/// don't fit each other, or don't cost what is written; tensors are added to
/// the program.
std::optional<std::vector<Plan>> readPlans(const llvm::json::Value &value,
                                           SearchProgram &program,
                                           TargetAttr target);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_STOREDKERNELS_H
