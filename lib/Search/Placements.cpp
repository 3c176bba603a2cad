//===- Placements.cpp - Grids, loops and maps to search -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placements.h"
#include "Mirage/Dialect/Mirage/Mirage.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

static const SearchTensor *findSplit(ArrayRef<const SearchTensor *> tensors) {
  for (const SearchTensor *tensor : tensors)
    if (tensor->isSplit())
      return tensor;
  return nullptr;
}

const SearchTensor *KernelProblem::getSplitInput() const {
  return findSplit(inputs);
}
const SearchTensor *KernelProblem::getSplitOutput() const {
  return findSplit(outputs);
}

std::vector<unsigned> mirage::getIds(ArrayRef<const SearchTensor *> tensors) {
  std::vector<unsigned> ids;
  for (const SearchTensor *tensor : tensors)
    ids.push_back(tensor->id);
  return ids;
}

/// Whether a grid dimension cuts what one before it cuts elsewhere.
static bool isSecond(const Placement &placement, size_t dim) {
  return llvm::is_contained(ArrayRef(placement.gridRoles).take_front(dim),
                            placement.gridRoles[dim]);
}

bool Placement::cutsTwice() const {
  for (size_t dim = 0; dim + (splits ? 1 : 0) < gridRoles.size(); ++dim)
    if (isSecond(*this, dim))
      return true;
  return false;
}

int64_t Placement::getGridLabel(size_t dim) const {
  if (splits && dim + 1 == gridRoles.size())
    return kLabelParts.split;
  return isSecond(*this, dim) ? kSecondGridLabel : kLabelParts.grid;
}

Shape Placement::getTileLabel(const IteratorPlacement &iterator,
                              const SearchTensor &input) const {
  Shape label = input.label;
  for (auto [g, dim] : llvm::enumerate(iterator.imap))
    if (dim != kReplica)
      label[dim] /= getGridLabel(g);
  if (iterator.fmap != kReplica)
    label[iterator.fmap] /= getLoopLabel();
  return label;
}

Shape Placement::getTileLabel(const SearchTensor &output,
                              ArrayRef<int64_t> omap) const {
  Shape label = output.label;
  for (auto [g, dim] : llvm::enumerate(omap))
    label[dim] /= getGridLabel(g);
  return label;
}

std::optional<IteratorPlacement>
Placement::findTile(const Roles &roles, ArrayRef<int64_t> tensorLabel,
                    ArrayRef<int64_t> tileLabel) const {
  if (tensorLabel.size() != tileLabel.size())
    return std::nullopt;
  IteratorPlacement place;
  place.imap.assign(gridRoles.size(), kReplica);
  for (size_t d = 0; d < tensorLabel.size(); ++d) {
    if (tensorLabel[d] % tileLabel[d] != 0)
      return std::nullopt;
    int64_t missing = tensorLabel[d] / tileLabel[d];
    const int role = roles.getRole(tensorLabel[d]);
    if (missing != 1 && role == kNoRole)
      return std::nullopt;
    auto cut = [&](int64_t &dim, int64_t parts) {
      if (dim != kReplica || missing % parts != 0)
        return;
      dim = d;
      missing /= parts;
    };
    if (missing == 1)
      continue;
    for (auto [g, cutRoles] : llvm::enumerate(gridRoles))
      if (cutRoles.test(role))
        cut(place.imap[g], getGridLabel(g));
    if (hasLoop && loopRole == role)
      cut(place.fmap, getLoopLabel());
    if (missing != 1)
      return std::nullopt;
  }
  return place;
}

/// The roles of the dimensions; none where partial results stand.
static DimRoles getRoles(const SearchProgram &program,
                         const SearchTensor &tensor) {
  DimRoles roles;
  for (auto [d, label] : llvm::enumerate(tensor.label))
    roles.push_back(static_cast<int>(d) == tensor.splitDim
                        ? kNoRole
                        : program.roles.getRole(label));
  return roles;
}

/// Each grid dimension concatenates the blocks' tiles along a dimension of a
/// role of its; a split's, along the dimension where partial results stand.
/// Calls `visit` for each way to do so. Grid dimensions of one role are alike,
/// so they come in order in the first output.
static void forEachOMaps(const SearchProgram &program,
                         const KernelProblem &problem, Placement &placement,
                         llvm::function_ref<void()> visit) {
  const size_t o = placement.omaps.size();
  if (o == problem.outputs.size())
    return visit();
  const SearchTensor &output = *problem.outputs[o];
  const DimRoles roles = getRoles(program, output);
  SmallVector<int64_t, 3> omap;
  auto choose = [&](auto &self) -> void {
    const size_t g = omap.size();
    if (g == placement.gridRoles.size()) {
      placement.omaps.push_back(omap);
      forEachOMaps(program, problem, placement, visit);
      placement.omaps.pop_back();
      return;
    }
    const bool isSplit =
        placement.splits && g + 1 == placement.gridRoles.size();
    for (auto [d, role] : llvm::enumerate(roles)) {
      const int64_t dim = d;
      const bool isOfRole =
          isSplit ? dim == output.splitDim
                  : role != kNoRole && placement.gridRoles[g].test(role);
      const bool isInOrder =
          o > 0 || isSplit ||
          llvm::none_of(llvm::seq<size_t>(0, g), [&](size_t before) {
            return placement.gridRoles[before] == placement.gridRoles[g] &&
                   omap[before] > dim;
          });
      if (!isOfRole || !isInOrder || llvm::is_contained(omap, dim))
        continue;
      omap.push_back(dim);
      self(self);
      omap.pop_back();
    }
  };
  choose(choose);
}

/// Whether all outputs are computed from some input of the program.
static bool haveInputInCommon(ArrayRef<const SearchTensor *> outputs) {
  auto reads = [](const SearchTensor &output, const SearchTensor *input) {
    return llvm::any_of(output.recipe, [&](const RecipeStep &step) {
      return step.leaf == input;
    });
  };
  return llvm::any_of(outputs.front()->recipe, [&](const RecipeStep &step) {
    return step.leaf && llvm::all_of(outputs, [&](const SearchTensor *output) {
             return reads(*output, step.leaf);
           });
  });
}

/// The blocks' tiles are concatenated, so a grid dimension cuts a role that all
/// outputs have, or one in each, of which none has two: of two outputs in any
/// places (keys, transposed, and values), of more in the same place, counted
/// from the last dimension, as there are too many ways. Outputs that have no
/// input of the program in common gain little more than a launch from being
/// computed together: theirs must not meet in any tensor.
static std::vector<RoleSet> getGridRoles(const SearchProgram &program,
                                         const KernelProblem &problem) {
  std::vector<DimRoles> outputs;
  for (const SearchTensor *output : problem.outputs)
    outputs.push_back(getRoles(program, *output));
  std::vector<RoleSet> result;
  int numRoles = program.roles.size.size();
  for (int role = 0; role < numRoles; ++role)
    if (llvm::all_of(outputs, [&](const DimRoles &dims) {
          return llvm::is_contained(dims, role);
        }))
      result.emplace_back().set(role);

  const bool isRelated = haveInputInCommon(problem.outputs);
  auto exclude = [&](int role, int other) {
    return isRelated ? llvm::any_of(outputs,
                                    [&](const DimRoles &dims) {
                                      return llvm::is_contained(dims, role) &&
                                             llvm::is_contained(dims, other);
                                    })
                     : program.roles.meet(role, other);
  };
  auto add = [&](ArrayRef<int> ofOutputs) {
    RoleSet roles;
    for (int role : ofOutputs) {
      if (role == kNoRole)
        return;
      for (int other = 0; other < numRoles; ++other)
        if (roles.test(other) && other != role && exclude(role, other))
          return;
      roles.set(role);
    }
    if (roles.count() > 1 && program.roles.getCommonSize(roles) > 1 &&
        !llvm::is_contained(result, roles))
      result.push_back(roles);
  };
  if (outputs.size() == 2) {
    for (int first : llvm::reverse(outputs[0]))
      for (int second : llvm::reverse(outputs[1]))
        add({first, second});
    return result;
  }
  const size_t rank = llvm::min_element(outputs, [](auto &a, auto &b) {
                        return a.size() < b.size();
                      })->size();
  for (size_t back = 1; back <= rank; ++back)
    add(llvm::map_to_vector(outputs, [&](const DimRoles &dims) {
      return dims[dims.size() - back];
    }));
  return result;
}

Placement mirage::getWholePlacement(const KernelProblem &problem) {
  Placement whole;
  for (unsigned i = 0; i < problem.inputs.size(); ++i) {
    IteratorPlacement place;
    place.input = i;
    whole.iterators.push_back(place);
  }
  whole.omaps.resize(problem.outputs.size());
  return whole;
}

std::vector<Placement> mirage::enumerateFrames(const SearchProgram &program,
                                               const KernelProblem &problem,
                                               const SearchOptions &options) {
  std::vector<Placement> frames;
  auto add = [&](ArrayRef<RoleSet> gridRoles, bool hasLoop, int loopRole) {
    Placement frame;
    frame.gridRoles.assign(gridRoles.begin(), gridRoles.end());
    frame.splits = problem.getSplitOutput();
    frame.hasLoop = hasLoop;
    frame.loopRole = loopRole;
    frame.loopIsSplit = hasLoop && loopRole == kNoRole;
    forEachOMaps(program, problem, frame, [&] { frames.push_back(frame); });
  };
  const std::vector<RoleSet> candidates = getGridRoles(program, problem);
  int numRoles = program.roles.size.size();
  SmallVector<RoleSet> gridRoles;
  auto enumerateLoops = [&] {
    SmallVector<RoleSet> roles = gridRoles;
    if (const SearchTensor *output = problem.getSplitOutput()) {
      if (roles.size() == options.maxGridDims)
        return;
      roles.emplace_back().set(output->splitRole);
    }
    // A kernel that reads partial results combines them in its loop.
    if (problem.getSplitInput())
      return add(roles, true, kNoRole);
    add(roles, false, kNoRole);
    for (int role = 0; role < numRoles; ++role)
      if (!options.uses(SearchRule::Partitions) ||
          program.roles.reduced.test(role))
        add(roles, true, role);
  };
  auto areTwice = [&](const RoleSet &roles) {
    return llvm::all_of(llvm::seq(0, numRoles), [&](int role) {
      return !roles.test(role) || program.roles.isTwice(role);
    });
  };
  // Once, or also twice what some tensor has twice.
  auto mayAdd = [&](const RoleSet &roles) {
    if (llvm::any_of(gridRoles, [&](const RoleSet &others) {
          return others != roles && (others & roles).any();
        }))
      return false;
    const size_t times = llvm::count(gridRoles, roles);
    return times == 0 || (times == 1 && areTwice(roles));
  };
  // Grid dimensions are alike, so their roles come in one order.
  auto chooseGrid = [&](auto &self, size_t first) -> void {
    enumerateLoops();
    if (gridRoles.size() == options.maxGridDims)
      return;
    for (size_t i = first; i < candidates.size(); ++i) {
      if (!mayAdd(candidates[i]))
        continue;
      gridRoles.push_back(candidates[i]);
      self(self, i);
      gridRoles.pop_back();
    }
  };
  chooseGrid(chooseGrid, 0);
  return frames;
}

/// Whether blocks compute all of a dimension that has a role which a grid
/// dimension cuts elsewhere in the same output (the columns of x x^T, where its
/// rows are cut).
static bool isLeftWhole(const SearchProgram &program,
                        const KernelProblem &problem, const Placement &frame,
                        size_t g) {
  return llvm::any_of(llvm::zip(problem.outputs, frame.omaps), [&](auto pair) {
    auto [output, omap] = pair;
    // Of a dimension where partial results stand side by side each block has
    // all.
    for (auto [d, label] : llvm::enumerate(output->label)) {
      const int role = program.roles.getRole(label);
      if (role != kNoRole && frame.gridRoles[g].test(role) &&
          (static_cast<int>(d) == output->splitDim ||
           !llvm::is_contained(omap, d)))
        return true;
    }
    return false;
  });
}

std::vector<IteratorPlacement>
mirage::getWaysToRead(const SearchProgram &program,
                      const KernelProblem &problem,
                      const SearchOptions &options, const Placement &frame,
                      unsigned input, const DimFates &fates) {
  const SearchTensor &tensor = *problem.inputs[input];
  DimRoles roles = getRoles(program, tensor);
  bool leavesOut = options.uses(SearchRule::Partitions);
  std::vector<IteratorPlacement> choices;

  auto cutByLoop = [&](IteratorPlacement place) {
    bool mustBeCut = frame.combinesSplit() && tensor.isSplit();
    if (!mustBeCut)
      choices.push_back(place);
    if (!frame.hasLoop)
      return;
    for (auto [d, role] : llvm::enumerate(roles)) {
      if (mustBeCut ? static_cast<int>(d) != tensor.splitDim
                    : role != frame.loopRole || role == kNoRole ||
                          (leavesOut && !fates.vanish.test(d)))
        continue;
      place.fmap = d;
      choices.push_back(place);
    }
  };
  auto cutByGrid = [&](auto &self, IteratorPlacement place) -> void {
    size_t g = place.imap.size();
    if (g == frame.gridRoles.size())
      return cutByLoop(std::move(place));
    const RoleSet &gridRoles = frame.gridRoles[g];
    bool isSplit = frame.splits && g + 1 == frame.gridRoles.size();
    bool partitioned = false;
    bool vanishes = true;
    for (auto [d, dimRole] : llvm::enumerate(roles)) {
      if (dimRole == kNoRole || !gridRoles.test(dimRole) ||
          llvm::is_contained(place.imap, d))
        continue;
      partitioned = true;
      vanishes &= fates.vanish.test(d);
      if (leavesOut && !isSplit && !fates.survive.test(d))
        continue;
      IteratorPlacement next = place;
      next.imap.push_back(d);
      self(self, std::move(next));
    }
    // A whole dimension of this role never becomes a part of it again, but the
    // second one that cuts it may do so here.
    bool canBeWhole =
        !isSplit && (vanishes || isLeftWhole(program, problem, frame, g) ||
                     llvm::is_contained(ArrayRef(frame.gridRoles)
                                            .drop_back(frame.splits ? 1 : 0)
                                            .drop_front(g + 1),
                                        gridRoles));
    if (leavesOut && partitioned && !canBeWhole)
      return;
    place.imap.push_back(kReplica);
    self(self, std::move(place));
  };
  IteratorPlacement place;
  place.input = input;
  cutByGrid(cutByGrid, std::move(place));
  return choices;
}

bool mirage::cutsInputs(const Placement &placement) {
  auto isCut = [&](auto getDim) {
    return llvm::any_of(placement.iterators,
                        [&](const IteratorPlacement &place) {
                          return getDim(place) != kReplica;
                        });
  };
  for (size_t g = 0; g < placement.gridRoles.size(); ++g)
    if (!isCut([&](const IteratorPlacement &place) { return place.imap[g]; }))
      return false;
  return !placement.hasLoop ||
         isCut([](const IteratorPlacement &place) { return place.fmap; });
}
