//===- CutChoices.cpp - Into how many parts grids and loops cut -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CutChoices.h"
#include "llvm/Support/MathExtras.h"
#include <array>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The rows, or the depth, that tensor cores take whole.
static constexpr int64_t kWhole = 16;
/// The tiles that an uneven grid is to leave of rows, and of columns, and an
/// uneven loop of what it cuts, which may be columns, too.
static constexpr std::array<int64_t, 3> kRowTiles = {64, 32, 16};
static constexpr std::array<int64_t, 6> kColumnTiles = {128, 96, 64,
                                                        48,  32, 16};
static constexpr std::array<int64_t, 6> kLoopTiles = kColumnTiles;

/// The numbers that don't divide a size, and leave such tiles or a few elements
/// less, unless there is one that divides it and leaves tiles that tensor cores
/// take whole, from 32 elements up to the largest of these.
static SmallVector<int64_t> getUnevenChoices(int64_t size,
                                             ArrayRef<int64_t> tiles) {
  // Tiles of 16 alone are small: 1072 rows are 67 of them, or 17 of 64.
  for (int64_t tile = kWhole; tile <= tiles.front(); tile += kWhole)
    if (size % tile == 0 && (tile > kWhole || size == tile))
      return {};
  SmallVector<int64_t> choices;
  for (int64_t tile : tiles) {
    int64_t parts = llvm::divideCeil(size, tile);
    // 1000 elements are 8 of 125, but 9 of 112.
    parts += size % parts == 0;
    if (getUnevenPart(size, parts) >= kWhole &&
        !llvm::is_contained(choices, parts))
      choices.push_back(parts);
  }
  return choices;
}

SmallVector<int64_t> mirage::getLoopChoices(const SearchProgram &program,
                                            const Placement &frame) {
  const int64_t size = program.roles.size[frame.loopRole];
  ArrayRef<int64_t> divisors = program.divisors[frame.loopRole];
  SmallVector<int64_t> choices(divisors);
  llvm::append_range(choices, getUnevenChoices(size, kLoopTiles));
  // 4097 keys are 17 parts of 241, which may be four tiles of 64.
  if (frame.splits && frame.gridRoles.back().test(frame.loopRole))
    for (int64_t parts : divisors)
      llvm::append_range(choices, getUnevenChoices(size / parts, kLoopTiles));
  llvm::sort(choices);
  choices.erase(llvm::unique(choices), choices.end());
  return choices;
}

/// The only role of a set; none if there are several.
static std::optional<int> getOnly(const RoleSet &roles) {
  if (roles.count() != 1)
    return std::nullopt;
  return llvm::countr_zero(roles.to_ullong());
}

/// Whether a frame lets a grid dimension cut a role unevenly: parts of a split
/// would count twice what tiles have in common.
static bool mayBeUneven(const Placement &frame, unsigned gridDim) {
  return !frame.splits || gridDim + 1 < frame.gridRoles.size();
}

/// Whether a grid dimension cuts the columns of an output.
static bool cutsColumns(const KernelProblem &problem, const Placement &frame,
                        unsigned gridDim) {
  return llvm::any_of(
      llvm::zip_equal(problem.outputs, frame.omaps), [&](const auto &pair) {
        const auto &[output, omap] = pair;
        return omap[gridDim] + 1 == static_cast<int64_t>(output->label.size());
      });
}

SmallVector<int64_t> mirage::getGridChoices(const SearchProgram &program,
                                            const KernelProblem &problem,
                                            const Placement &frame,
                                            unsigned gridDim) {
  const RoleSet &roles = frame.gridRoles[gridDim];
  SmallVector<int64_t> choices = program.getDivisors(roles);
  std::optional<int> role = getOnly(roles);
  if (role && mayBeUneven(frame, gridDim))
    llvm::append_range(choices,
                       getUnevenChoices(program.roles.size[*role],
                                        cutsColumns(problem, frame, gridDim)
                                            ? ArrayRef<int64_t>(kColumnTiles)
                                            : kRowTiles));
  llvm::sort(choices);
  return choices;
}

bool mirage::allowsUneven(const SearchProgram &program,
                          const IteratorPlacement &way, const Placement &frame,
                          ArrayRef<int64_t> grid) {
  for (auto [blocks, roles, dim] :
       llvm::zip_equal(grid, frame.gridRoles, way.imap))
    if (dim != kReplica && dim == way.fmap &&
        program.roles.getCommonSize(roles) % blocks != 0)
      return false;
  return true;
}
