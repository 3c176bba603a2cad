//===- AssignLayouts.cpp - Where the elements of tiles are ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks for the layouts of a kernel's tiles that take the fewest transactions
// and writes them into the IR.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/BoxCopies.h"
#include "Mirage/BlockPlan/PlanOptions.h"
#include "Mirage/BlockPlan/SharedAccesses.h"
#include "Mirage/BlockPlan/SharedPlan.h"
#include "Mirage/BlockPlan/TensorCoreUse.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/BlockPlan/WarpRoles.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Layout/LayoutAssignment.h"
#include "Mirage/Transforms/Passes.h"
#include <set>

namespace mirage {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mirage;
using namespace mlir;

/// The buffers that are in use together: at each step, and those of loops
/// without a barrier in between.
static std::set<SmallVector<unsigned>> getGroups(const SharedBuffers &shared) {
  std::set<SmallVector<unsigned>> groups;
  for (const SharedBuffer &buffer : shared.buffers) {
    // What is in use at one step was so when the last of it came.
    SmallVector<unsigned> group;
    for (auto [i, other] : llvm::enumerate(shared.buffers))
      if (other.firstStep <= buffer.firstStep &&
          buffer.firstStep <= other.lastStep)
        group.push_back(i);
    groups.insert(group);
  }
  for (auto [a, b] : shared.conflicts)
    groups.insert({std::min(a, b), std::max(a, b)});
  return groups;
}

/// Whether what is in use together fits, without padding.
static bool fits(const SharedBuffers &shared, int64_t maxBytes) {
  return llvm::all_of(getGroups(shared), [&](ArrayRef<unsigned> group) {
    int64_t bytes = 0;
    for (unsigned i : group)
      bytes += shared.buffers[i].bytes;
    return bytes <= maxBytes;
  });
}

/// Of some layouts of a tile those that warpgroups can read, if they do and
/// there are any: without, other instructions multiply.
static SmallVector<TileLayout>
keepForWarpgroups(Value tile, SmallVector<TileLayout> layouts) {
  if (llvm::none_of(getReaders(tile), [&](Operation *reader) {
        return isForWarpgroups(reader) &&
               llvm::is_contained(
                   getGroupTiles(cast<OperatorOpInterface>(reader)), tile);
      }))
    return layouts;
  SmallVector<TileLayout> swizzled;
  for (const TileLayout &layout : layouts)
    if (layout.hasPanels() && layout.allowsBulkCopies())
      swizzled.push_back(layout);
  // The widest first: there are the fewest panels, so the fewest boxes.
  std::reverse(swizzled.begin(), swizzled.end());
  return swizzled.empty() ? layouts : swizzled;
}

/// The layouts that all who access a tile can handle.
static SmallVector<TileLayout> getPossibleLayouts(Value tile) {
  if (auto input = tile.getDefiningOp<block::InputIterator>();
      input && isLoadedByProducer(input)) {
    SmallVector<TileLayout> layouts = getBoxLayouts(input);
    if (!layouts.empty())
      return keepForWarpgroups(tile, std::move(layouts));
  }
  TileLayout layout = getLayout(tile);
  SmallVector<TileLayout> layouts =
      getCandidateLayouts(layout.shape, layout.elementBytes);
  for (Operation *user : tile.getUsers())
    if (isStoredInBulk(user))
      llvm::erase_if(layouts, [&](const TileLayout &layout) {
        return !getBoxCopies(cast<block::OutputSaver>(user), layout);
      });
  return keepForWarpgroups(tile, std::move(layouts));
}

/// Which warps compute what of a product, and so who accesses what, depends on
/// whether warpgroups do, and that on layouts: gives the tiles that they could
/// read some that they can.
static void layOutForWarpgroups(Block &blockGraph) {
  blockGraph.walk([](OperatorOpInterface op) {
    if (!isForWarpgroups(op))
      return;
    for (Value operand : getGroupTiles(op)) {
      auto tile = cast<OpResult>(operand);
      Operation *maker = tile.getOwner();
      Builder builder(maker->getContext());
      SmallVector<Attribute> names(
          maker->getNumResults(),
          builder.getStringAttr(TileLayout().getName()));
      if (auto others = maker->getAttrOfType<ArrayAttr>(kLayoutsAttr))
        llvm::copy(others, names.begin());
      names[tile.getResultNumber()] =
          builder.getStringAttr(getPossibleLayouts(tile).front().getName());
      maker->setAttr(kLayoutsAttr, builder.getArrayAttr(names));
    }
  });
}

static LayoutProblem makeProblem(Block &blockGraph, const SharedBuffers &shared,
                                 int64_t maxBytes) {
  LayoutProblem problem;
  problem.maxBytes = maxBytes;
  llvm::DenseMap<Value, unsigned> tiles;
  for (auto [i, buffer] : llvm::enumerate(shared.buffers)) {
    TileChoice choice;
    if (buffer.role == SharedBuffer::Role::Tile) {
      choice.layouts = getPossibleLayouts(buffer.value);
      choice.copies = getNumStages(buffer.op);
      tiles[buffer.value] = i;
    } else {
      choice.layouts = getCandidateLayouts(buffer.bytes, /*elementBytes=*/1);
      choice.layouts.truncate(1);
    }
    problem.tiles.push_back(std::move(choice));
  }
  for (SharedAccess &access : getSharedAccesses(blockGraph))
    if (auto tile = tiles.find(access.tile); tile != tiles.end())
      problem.tiles[tile->second].uses.push_back(
          {std::move(access.view), access.pattern, access.times});
  for (const SmallVector<unsigned> &group : getGroups(shared))
    problem.together.push_back(group);
  return problem;
}

static void writeLayouts(const SharedBuffers &shared,
                         const LayoutProblem &problem,
                         const LayoutAssignment &assignment) {
  llvm::MapVector<Operation *, SmallVector<std::string>> names;
  for (auto [i, buffer] : llvm::enumerate(shared.buffers)) {
    if (buffer.role != SharedBuffer::Role::Tile)
      continue;
    const TileLayout &layout = problem.tiles[i].layouts[assignment.layouts[i]];
    if (layout.isRowMajor())
      continue;
    SmallVector<std::string> &ofOp = names[buffer.op];
    ofOp.resize(buffer.op->getNumResults(), TileLayout().getName());
    ofOp[buffer.position] = layout.getName();
  }
  for (auto &[op, ofOp] : names)
    op->setAttr(kLayoutsAttr, Builder(op->getContext())
                                  .getStrArrayAttr(SmallVector<StringRef>(
                                      ofOp.begin(), ofOp.end())));
}

namespace {
class AssignLayouts : public mirage::impl::AssignLayoutsBase<AssignLayouts> {
public:
  using AssignLayoutsBase::AssignLayoutsBase;

  void runOnOperation() override {
    TargetAttr chip = beginPlanning(getOperation(), threads, target);
    if (!chip)
      return signalPassFailure();
    WalkResult result =
        getOperation().walk([&](kernel::GraphDefinedOp graph) -> WalkResult {
          return assign(graph, chip.getSharedBytes());
        });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult assign(kernel::GraphDefinedOp graph, int64_t maxBytes) {
    // Who accesses what depends on the threads: the option's, unless the kernel
    // says how many.
    setDefaultThreads(graph, threads);
    dropLayouts(graph);
    Block &blockGraph = graph.getBlockGraph();
    if (failed(verifyDepths(blockGraph)))
      return failure();
    layOutForWarpgroups(blockGraph);
    SharedBuffers shared = getSharedBuffers(blockGraph);
    // Without a layout that helps there is nothing to count.
    if (!fits(shared, maxBytes)) {
      dropLayouts(graph);
      graph.emitRemark() << "has tiles that don't fit the " << maxBytes
                         << " bytes of shared memory in any layout; they stay "
                            "row-major";
      return success();
    }
    LayoutProblem problem = makeProblem(blockGraph, shared, maxBytes);
    LayoutAssignment assignment = assignLayouts(problem, timeLimitMs);
    if (assignment.outcome == LayoutAssignment::Outcome::GaveUp)
      graph.emitRemark() << "has tiles that compete for shared memory, and no "
                            "best layouts of them were found within "
                         << timeLimitMs.getValue()
                         << " ms; they get the first that their readers can "
                            "use";
    else if (assignment.outcome == LayoutAssignment::Outcome::Infeasible)
      graph.emitRemark() << "has tiles that don't fit the " << maxBytes
                         << " bytes of shared memory in any layout; those that "
                            "compete for it get the first that their "
                            "readers can use";
    dropLayouts(graph);
    writeLayouts(shared, problem, assignment);
    return success();
  }
};
} // namespace
