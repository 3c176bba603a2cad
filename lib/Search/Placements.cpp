//===- Placements.cpp - Grids, loops and maps to search -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placements.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include <functional>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

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

namespace {

/// Enumerates the placements for one choice of roles.
class PlacementEnumerator {
public:
  PlacementEnumerator(const SearchProgram &program,
                      const KernelProblem &problem, bool leavesOut,
                      const std::atomic<bool> &stop,
                      std::vector<Placement> &result)
      : program(program), problem(problem), leavesOut(leavesOut), stop(stop),
        result(result) {
    for (const SearchTensor *input : problem.inputs)
      inputRoles.push_back(getRoles(*input));
  }

  void run(ArrayRef<int> gridRoles, bool splits, bool hasLoop, int loopRole) {
    placement = Placement();
    placement.gridRoles.assign(gridRoles.begin(), gridRoles.end());
    placement.splits = splits;
    placement.hasLoop = hasLoop;
    placement.loopRole = loopRole;
    placement.loopIsSplit = hasLoop && loopRole == kNoRole;
    if (chooseOMaps())
      placeInput(0);
  }

  /// The roles of the dimensions; none where partial results stand.
  DimRoles getRoles(const SearchTensor &tensor) const {
    DimRoles roles;
    for (auto [d, label] : llvm::enumerate(tensor.label))
      roles.push_back(static_cast<int>(d) == tensor.splitDim
                          ? kNoRole
                          : program.roles.getRole(label));
    return roles;
  }

private:
  /// Each grid dimension concatenates the blocks' tiles along a dimension of
  /// its role; a split's, along the dimension where partial results stand.
  bool chooseOMaps() {
    for (const SearchTensor *output : problem.outputs) {
      SmallVector<int64_t, 3> omap;
      DimRoles roles = getRoles(*output);
      for (auto [g, role] : llvm::enumerate(placement.gridRoles)) {
        int64_t found = kReplica;
        if (placement.splits && g + 1 == placement.gridRoles.size())
          found = output->splitDim;
        else
          for (auto [d, dimRole] : llvm::enumerate(roles))
            if (dimRole == role && !llvm::is_contained(omap, d)) {
              found = d;
              break;
            }
        if (found == kReplica)
          return false;
        omap.push_back(found);
      }
      placement.omaps.push_back(std::move(omap));
    }
    return true;
  }

  void placeInput(unsigned input) {
    if (stop.load(std::memory_order_relaxed))
      return;
    if (input == problem.inputs.size()) {
      if (!leavesOut || isUseful())
        result.push_back(placement);
      return;
    }
    IteratorPlacement place;
    place.input = input;
    SmallVector<IteratorPlacement> choices;
    collectChoices(place, choices);
    for (size_t i = 0; i < choices.size(); ++i) {
      placement.iterators.push_back(choices[i]);
      placeInput(input + 1);
      for (size_t j = i + 1; j < choices.size(); ++j) {
        placement.iterators.push_back(choices[j]);
        placeInput(input + 1);
        placement.iterators.pop_back();
      }
      placement.iterators.pop_back();
    }
  }

  /// Every way to read an input: its dimensions cut by the grid, and by the
  /// loop.
  void collectChoices(IteratorPlacement place,
                      SmallVectorImpl<IteratorPlacement> &choices) const {
    const DimRoles &roles = inputRoles[place.input];
    if (place.imap.size() == placement.gridRoles.size())
      return collectLoopChoices(place, choices);
    int role = placement.gridRoles[place.imap.size()];
    bool partitioned = false;
    for (auto [d, dimRole] : llvm::enumerate(roles)) {
      if (dimRole != role || llvm::is_contained(place.imap, d))
        continue;
      partitioned = true;
      IteratorPlacement next = place;
      next.imap.push_back(d);
      collectChoices(std::move(next), choices);
    }
    // A whole dimension of this role never becomes a part of it again, and can
    // only vanish where the program reduces over the role.
    bool isSplit =
        placement.splits && place.imap.size() + 1 == placement.gridRoles.size();
    if (leavesOut && partitioned &&
        (isSplit || !program.roles.reduced.test(role)))
      return;
    place.imap.push_back(kReplica);
    collectChoices(std::move(place), choices);
  }

  void collectLoopChoices(IteratorPlacement place,
                          SmallVectorImpl<IteratorPlacement> &choices) const {
    const SearchTensor &tensor = *problem.inputs[place.input];
    bool mustBeCut = placement.combinesSplit() && tensor.isSplit();
    if (!mustBeCut)
      choices.push_back(place);
    if (!placement.hasLoop)
      return;
    for (auto [d, role] : llvm::enumerate(inputRoles[place.input])) {
      if (mustBeCut ? static_cast<int>(d) != tensor.splitDim
                    : role != placement.loopRole || role == kNoRole)
        continue;
      place.fmap = d;
      choices.push_back(place);
    }
  }

  /// Every grid dimension, and the loop, partitions something: otherwise its
  /// blocks or iterations all do the same.
  bool isUseful() const {
    for (size_t g = 0; g < placement.gridRoles.size(); ++g)
      if (llvm::all_of(placement.iterators,
                       [&](const IteratorPlacement &place) {
                         return place.imap[g] == kReplica;
                       }))
        return false;
    return !placement.hasLoop ||
           llvm::any_of(placement.iterators,
                        [](const IteratorPlacement &place) {
                          return place.fmap != kReplica;
                        });
  }

  const SearchProgram &program;
  const KernelProblem &problem;
  /// Whether to leave out what can't lead to the outputs.
  bool leavesOut;
  const std::atomic<bool> &stop;
  std::vector<Placement> &result;
  std::vector<DimRoles> inputRoles;
  Placement placement;
};

} // namespace

std::vector<Placement> mirage::enumeratePlacements(
    const SearchProgram &program, const KernelProblem &problem,
    const SearchOptions &options, const std::atomic<bool> &stop) {
  std::vector<Placement> result;
  bool leavesOut = options.uses(SearchRule::Partitions);
  PlacementEnumerator enumerator(program, problem, leavesOut, stop, result);
  // The blocks' tiles are concatenated, so a grid role is one of every output.
  SmallVector<int> candidates;
  int numRoles = program.roles.size.size();
  for (int role = 0; role < numRoles; ++role)
    if (llvm::all_of(problem.outputs, [&](const SearchTensor *output) {
          return llvm::is_contained(enumerator.getRoles(*output), role);
        }))
      candidates.push_back(role);
  const SearchTensor *splitInput = problem.getSplitInput();
  const SearchTensor *splitOutput = problem.getSplitOutput();

  SmallVector<int> gridRoles;
  auto enumerateLoops = [&] {
    SmallVector<int> roles = gridRoles;
    if (splitOutput) {
      if (roles.size() == options.maxGridDims)
        return;
      roles.push_back(splitOutput->splitRole);
    }
    // A kernel that reads partial results combines them in its loop.
    if (splitInput)
      return enumerator.run(roles, splitOutput, true, kNoRole);
    enumerator.run(roles, splitOutput, false, kNoRole);
    for (int role = 0; role < numRoles; ++role)
      if (!leavesOut || program.roles.reduced.test(role))
        enumerator.run(roles, splitOutput, true, role);
  };
  // Grid dimensions are alike, so their roles come in increasing order.
  std::function<void(size_t)> chooseGrid = [&](size_t first) {
    enumerateLoops();
    if (gridRoles.size() == options.maxGridDims)
      return;
    for (size_t i = first; i < candidates.size(); ++i) {
      gridRoles.push_back(candidates[i]);
      chooseGrid(i + 1);
      gridRoles.pop_back();
    }
  };
  chooseGrid(0);
  return result;
}
