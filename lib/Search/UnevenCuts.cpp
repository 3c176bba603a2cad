//===- UnevenCuts.cpp - Grids and loops that don't divide -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnevenCuts.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The tiles that an uneven grid is to leave: what tensor cores take whole.
static constexpr std::array<int64_t, 3> kTiles = {64, 32, 16};

/// In increasing order.
static SmallVector<int64_t> getUnevenChoices(int64_t size) {
  for (int64_t tile = kTiles.back(); tile <= kTiles.front(); ++tile)
    if (size % tile == 0)
      return {};
  SmallVector<int64_t> choices;
  for (int64_t tile : kTiles) {
    int64_t blocks = llvm::divideCeil(size, tile);
    if (getUnevenPart(size, blocks) && !llvm::is_contained(choices, blocks))
      choices.push_back(blocks);
  }
  return choices;
}

/// The tiles that an uneven loop is to leave.
static constexpr std::array<int64_t, 6> kLoopTiles = {128, 96, 64, 48, 32, 16};

SmallVector<int64_t> mirage::getLoopChoices(const SearchProgram &program,
                                            const Placement &frame) {
  SmallVector<int64_t> choices = program.divisors[frame.loopRole];
  const int64_t size = program.roles.size[frame.loopRole];
  // Tensor cores take eight columns.
  for (int64_t tile = kLoopTiles.back(); tile <= kLoopTiles.front(); tile += 8)
    if (size % tile == 0)
      return choices;
  for (int64_t tile : kLoopTiles) {
    int64_t iterations = llvm::divideCeil(size, tile);
    if (getUnevenPart(size, iterations) &&
        !llvm::is_contained(choices, iterations))
      choices.push_back(iterations);
  }
  llvm::sort(choices);
  return choices;
}

/// The only role of a set; none if there are several.
static std::optional<int> getOnly(const RoleSet &roles) {
  if (roles.count() != 1)
    return std::nullopt;
  return llvm::countr_zero(roles.to_ullong());
}

/// Whether a frame, and the omaps of its outputs, let a grid dimension cut a
/// role unevenly: parts of a split would count twice what tiles have in common.
static bool mayBeUneven(const KernelProblem &problem, const Placement &frame,
                        unsigned gridDim) {
  if (frame.splits && gridDim + 1 == frame.gridRoles.size())
    return false;
  return llvm::all_of(
      llvm::zip_equal(problem.outputs, frame.omaps), [&](const auto &pair) {
        const auto &[output, omap] = pair;
        return omap[gridDim] + 1 < static_cast<int64_t>(output->label.size());
      });
}

SmallVector<int64_t> mirage::getGridChoices(const SearchProgram &program,
                                            const KernelProblem &problem,
                                            const Placement &frame,
                                            unsigned gridDim) {
  const RoleSet &roles = frame.gridRoles[gridDim];
  SmallVector<int64_t> choices = program.getDivisors(roles);
  std::optional<int> role = getOnly(roles);
  if (role && mayBeUneven(problem, frame, gridDim))
    llvm::append_range(choices, getUnevenChoices(program.roles.size[*role]));
  llvm::sort(choices);
  return choices;
}

bool mirage::allowsUneven(const SearchProgram &program,
                          const SearchTensor &input,
                          const IteratorPlacement &way, const Placement &frame,
                          ArrayRef<int64_t> grid) {
  for (auto [blocks, roles, dim] :
       llvm::zip_equal(grid, frame.gridRoles, way.imap))
    if (dim != kReplica && program.roles.getCommonSize(roles) % blocks != 0 &&
        (dim == way.fmap ||
         dim + 1 == static_cast<int64_t>(input.label.size())))
      return false;
  return true;
}
