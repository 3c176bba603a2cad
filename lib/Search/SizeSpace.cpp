//===- SizeSpace.cpp - The sizes that a structure leaves open -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/SizeSpace.h"
#include "CutChoices.h"
#include "Mirage/Mugraph/SharedMemory.h"
#include "SizeSpaceImpl.h"
#include "Sizings.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;
using Decision = SizeSpace::Decision;

std::string Decision::getName() const {
  std::string name = "kernel " + std::to_string(kernel) + ": ";
  switch (kind) {
  case Kind::Grid:
    return name + "grid " + getGridDimName(gridDim).str();
  case Kind::Loop:
    return name + "loop";
  case Kind::Split:
    return name + "split, grid " + getGridDimName(gridDim).str();
  }
  llvm_unreachable("covered switch");
}

namespace {

/// Calls `visit` for each number of a plan that is to be chosen, with the
/// decision that it belongs to, the roles that are divided, and itself.
template <typename PlanT, typename Visit>
void forEachNumber(PlanT &plan, Visit visit) {
  for (auto [k, kernel] : llvm::enumerate(plan.kernels)) {
    const KernelStructure &structure = *kernel.structure;
    if (!structure.placement)
      continue;
    const Placement &placement = *structure.placement;
    Decision decision;
    decision.kernel = k;
    for (size_t g = 0; g < kernel.grid.size(); ++g) {
      bool splits = placement.splits && g + 1 == kernel.grid.size();
      decision.kind = splits ? Decision::Kind::Split : Decision::Kind::Grid;
      decision.gridDim = g;
      visit(decision, placement.gridRoles[g], kernel.grid[g]);
    }
    if (!placement.hasLoop)
      continue;
    decision.gridDim = 0;
    bool combines = placement.combinesSplit();
    decision.kind = combines ? Decision::Kind::Split : Decision::Kind::Loop;
    RoleSet roles;
    roles.set(combines ? structure.problem.getSplitInput()->splitRole
                       : placement.loopRole);
    visit(decision, roles, kernel.iterations);
  }
}

} // namespace

/// Whether a grid may have so many blocks along a dimension, if it has one
/// along the others.
static bool canLaunchAlong(unsigned gridDim, int64_t number) {
  SmallVector<int64_t> grid(gridDim, 1);
  grid.push_back(number);
  return canLaunch(grid);
}

Plan mirage::withSizes(const Plan &plan, ArrayRef<int64_t> point) {
  Plan result = plan;
  size_t next = 0;
  llvm::SmallDenseMap<uint64_t, int64_t> parts; // by the role of the split
  forEachNumber(result, [&](const Decision &decision, const RoleSet &roles,
                            int64_t &size) {
    if (decision.kind != Decision::Kind::Split) {
      size = point[next++];
      return;
    }
    auto [known, isNew] = parts.try_emplace(roles.to_ullong(), 0);
    if (isNew)
      known->second = point[next++];
    size = known->second;
  });
  return result;
}

std::shared_ptr<const SizeSpace>
mirage::makeSizeSpace(std::shared_ptr<const SearchProgram> program,
                      const Plan &plan, const TargetNumbers &target) {
  auto impl = std::make_unique<SizeSpaceImpl>();
  impl->program = program;
  impl->plan = plan;
  impl->tileBytes = target.tileBytes;
  llvm::SmallDenseSet<uint64_t> splits;
  forEachNumber(plan, [&](Decision decision, const RoleSet &roles,
                          int64_t size) {
    if (decision.kind == Decision::Kind::Split &&
        !splits.insert(roles.to_ullong()).second)
      return;
    decision.extent = program->roles.getCommonSize(roles);
    const KernelStructure &structure = *plan.kernels[decision.kernel].structure;
    auto getChoices = [&]() -> SmallVector<int64_t> {
      switch (decision.kind) {
      case Decision::Kind::Grid:
        return getGridChoices(*program, structure.problem, *structure.placement,
                              decision.gridDim);
      case Decision::Kind::Loop:
        return getLoopChoices(*program, *structure.placement);
      case Decision::Kind::Split:
        return program->getDivisors(roles);
      }
      llvm_unreachable("covered switch");
    };
    for (int64_t number : getChoices())
      if (decision.kind == Decision::Kind::Loop ||
          canLaunchAlong(decision.gridDim, number))
        decision.choices.push_back(number);
    impl->decisions.push_back(std::move(decision));
    impl->chosen.push_back(size);
  });
  return std::make_shared<const SizeSpace>(std::move(impl));
}

SizeSpace::SizeSpace(std::unique_ptr<const SizeSpaceImpl> impl)
    : impl(std::move(impl)) {}
SizeSpace::~SizeSpace() = default;

ArrayRef<Decision> SizeSpace::getDecisions() const { return impl->decisions; }
const SizeSpace::Point &SizeSpace::getChosen() const { return impl->chosen; }

std::optional<KernelGraph>
SizeSpace::instantiate(ArrayRef<int64_t> point) const {
  if (point.size() != impl->decisions.size())
    return std::nullopt;
  for (auto [size, decision] : llvm::zip(point, impl->decisions))
    if (!llvm::is_contained(decision.choices, size))
      return std::nullopt;
  const SearchProgram &program = *impl->program;
  std::optional<KernelGraph> graph = mirage::instantiate(
      program, withSizes(impl->plan, point), program.roles.size);
  if (!graph || getMostSharedBytes(*graph) > impl->tileBytes ||
      !llvm::all_of(graph->nodes, [](const KernelNode &node) {
        return !node.graph || canLaunch(node.graph->grid);
      }))
    return std::nullopt;
  return graph;
}

void SizeSpace::enumerate(
    llvm::function_ref<bool(const Point &, const KernelGraph &)> visit) const {
  Point point;
  auto choose = [&](auto &self) -> bool {
    if (point.size() == impl->decisions.size()) {
      std::optional<KernelGraph> graph = instantiate(point);
      return !graph || visit(point, *graph);
    }
    for (int64_t size : impl->decisions[point.size()].choices) {
      point.push_back(size);
      bool goOn = self(self);
      point.pop_back();
      if (!goOn)
        return false;
    }
    return true;
  };
  choose(choose);
}

std::vector<SizeSpace::Ranked>
SizeSpace::rank(llvm::function_ref<double(const KernelGraph &)> getCost,
                size_t keep) const {
  std::vector<Ranked> ranked;
  auto sort = [&] {
    llvm::sort(ranked, [](const Ranked &a, const Ranked &b) {
      return std::tie(a.cost, a.point) < std::tie(b.cost, b.point);
    });
    if (ranked.size() > keep)
      ranked.resize(keep);
  };
  constexpr size_t kFew = 2048;
  enumerate([&](const Point &point, const KernelGraph &graph) {
    ranked.push_back({point, getCost(graph)});
    if (ranked.size() / 2 >= std::max(keep, kFew))
      sort();
    return true;
  });
  sort();
  return ranked;
}
