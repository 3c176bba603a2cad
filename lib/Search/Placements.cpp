//===- Placements.cpp - Grids, loops and maps to search -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockSearch.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include <functional>

using namespace mirage;
using llvm::SmallVector;

namespace {

/// Enumerates the placements for one choice of roles.
class PlacementEnumerator {
public:
  PlacementEnumerator(const BlockProblem &problem,
                      const llvm::BitVector &reduced,
                      const std::atomic<bool> &stop,
                      std::vector<Placement> &result)
      : problem(problem), reduced(reduced), stop(stop), result(result) {}

  void run(llvm::ArrayRef<int> gridRoles, int loopRole) {
    placement = Placement();
    placement.gridRoles.assign(gridRoles.begin(), gridRoles.end());
    placement.loopRole = loopRole;
    placeInput(0);
  }

private:
  void placeInput(unsigned input) {
    if (stop.load(std::memory_order_relaxed))
      return;
    if (input == problem.inputs.size()) {
      if (isUseful())
        result.push_back(placement);
      return;
    }
    InputPlacement place;
    place.input = input;
    chooseIMap(place);
  }

  void chooseIMap(InputPlacement place) {
    const SearchTensor &tensor = problem.inputs[place.input];
    if (place.imap.size() == placement.gridRoles.size())
      return chooseLoop(place);
    int role = placement.gridRoles[place.imap.size()];
    bool partitioned = false;
    for (auto [d, dimRole] : llvm::enumerate(tensor.roles)) {
      if (dimRole != role || llvm::is_contained(place.imap, d))
        continue;
      partitioned = true;
      InputPlacement next = place;
      next.imap.push_back(d);
      chooseIMap(std::move(next));
    }
    // A whole dimension of this role never becomes a part of it again, and can
    // only vanish where the program reduces over the role.
    if (partitioned && !reduced.test(role))
      return;
    place.imap.push_back(kReplica);
    chooseIMap(std::move(place));
  }

  void chooseLoop(InputPlacement place) {
    const SearchTensor &tensor = problem.inputs[place.input];
    auto commit = [&] {
      placement.inputs.push_back(place);
      placeInput(place.input + 1);
      placement.inputs.pop_back();
    };
    commit(); // loaded once, outside of the loop
    if (placement.loopRole == kNoRole)
      return;
    place.inLoop = true;
    place.fmap = kReplica;
    commit();
    for (auto [d, role] : llvm::enumerate(tensor.roles)) {
      if (role != placement.loopRole)
        continue;
      place.fmap = d;
      commit();
    }
  }

  /// Every grid dimension, and the loop, partitions something: otherwise its
  /// blocks or iterations all do the same.
  bool isUseful() const {
    for (size_t g = 0; g < placement.gridRoles.size(); ++g)
      if (llvm::all_of(placement.inputs, [&](const InputPlacement &place) {
            return place.imap[g] == kReplica;
          }))
        return false;
    return placement.loopRole == kNoRole ||
           llvm::any_of(placement.inputs, [](const InputPlacement &place) {
             return place.inLoop && place.fmap != kReplica;
           });
  }

  const BlockProblem &problem;
  const llvm::BitVector &reduced;
  const std::atomic<bool> &stop;
  std::vector<Placement> &result;
  Placement placement;
};

} // namespace

std::vector<Placement>
mirage::enumeratePlacements(const BlockProblem &problem,
                            const llvm::BitVector &reduced,
                            unsigned maxGridDims,
                            const std::atomic<bool> &stop) {
  // The blocks' tiles are concatenated, so a grid role is one of every output.
  SmallVector<int> gridCandidates;
  for (int role = 0; role < static_cast<int>(reduced.size()); ++role)
    if (llvm::all_of(problem.outputs, [&](const SearchTensor &output) {
          return llvm::is_contained(output.roles, role);
        }))
      gridCandidates.push_back(role);

  std::vector<Placement> result;
  PlacementEnumerator enumerator(problem, reduced, stop, result);
  // Grid dimensions are alike, so their roles come in increasing order.
  SmallVector<int> gridRoles;
  std::function<void(size_t)> chooseGrid = [&](size_t first) {
    enumerator.run(gridRoles, kNoRole);
    // Accumulators sum, so the loop runs over a role that is reduced.
    for (int role : reduced.set_bits())
      enumerator.run(gridRoles, role);
    if (gridRoles.size() == maxGridDims)
      return;
    for (size_t i = first; i < gridCandidates.size(); ++i) {
      gridRoles.push_back(gridCandidates[i]);
      chooseGrid(i + 1);
      gridRoles.pop_back();
    }
  };
  chooseGrid(0);
  return result;
}
