//===- SharedPlan.cpp - The places of tiles in shared memory --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/SharedPlan.h"
#include "Mirage/BlockPlan/RowChain.h"
#include "Mirage/BlockPlan/TensorCoreUse.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/BlockPlan/WarpRoles.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;
using namespace mlir;

/// The maxima of which an op keeps one over iterations, in shared memory.
static llvm::SetVector<Value> getMaxima(Operation *op) {
  llvm::SetVector<Value> maxima;
  auto accumulate = dyn_cast<block::AccumulateOp>(op);
  if (!accumulate || isStreamed(cast<block::LoopOp>(op->getParentOp())))
    return maxima;
  for (Value maximum : accumulate.getMaxima())
    if (!isChained(maximum.getDefiningOp()))
      maxima.insert(maximum);
  return maxima;
}

static bool takesPlace(Value tile) {
  return isa<TileType>(tile.getType()) && !tile.use_empty() &&
         isInSharedMemory(tile);
}

unsigned mirage::getNumOffsets(Operation *op) {
  return op->getNumResults() + getMaxima(op).size() +
         (getScratchBytes(op) > 0 ? 1 : 0);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

namespace {

using Steps = std::pair<unsigned, unsigned>;

/// At which steps the ops of a block graph run.
class Timeline {
public:
  explicit Timeline(Block &blockGraph);

  /// What does not run by itself runs in the whole loop or kernel. So do the
  /// ops of a kernel that keeps its rows: no barrier is between what warps read
  /// of one fold's scratch memory, and what they write to the next one's.
  Steps getSteps(Operation *op) const {
    if (auto found = steps.find(op); found != steps.end())
      return found->second;
    if (auto found = loops.find(op->getParentOp()); found != loops.end())
      return found->second;
    return getAllSteps();
  }
  Steps getAllSteps() const { return {0, numSteps > 0 ? numSteps - 1 : 0}; }
  /// The last step at which a tile is read, as it is or by what is computed
  /// from it where it is read.
  unsigned getLastStep(Value tile) const;

  llvm::MapVector<Operation *, Steps> loops;
  /// Of a loop that sums up in registers, the steps after its iterations: at
  /// the first warps add up, at the second the sums become tiles.
  llvm::DenseMap<Operation *, Steps> epilogues;

private:
  void addLoop(block::LoopOp loop);

  llvm::DenseMap<Operation *, Steps> steps;
  unsigned numSteps = 0;
};

} // namespace

void Timeline::addLoop(block::LoopOp loop) {
  Block &body = loop.getBody().front();
  unsigned first = numSteps;
  for (ArrayRef<Operation *> stage : getStages(body)) {
    for (Operation *op : stage)
      steps[op] = {numSteps, numSteps};
    // What is loaded ahead is there when an iteration begins.
    bool runs = llvm::any_of(stage, [](Operation *op) {
      return !canLoadAhead(op) && !isHoisted(op);
    });
    if (runs)
      ++numSteps;
  }
  // First the maxima grow, then the sums are rescaled.
  if (!getMaxima(body.getTerminator()).empty())
    numSteps += 2;
  numSteps = std::max(numSteps, first + 1);
  loops[loop] = {first, numSteps - 1};
  if (llvm::any_of(loop->getResults(), isSummedInRegisters)) {
    epilogues[loop] = {numSteps, numSteps + 1};
    numSteps += 2;
  }
}

Timeline::Timeline(Block &blockGraph) {
  for (ArrayRef<Operation *> stage : getStages(blockGraph)) {
    unsigned first = numSteps;
    for (Operation *op : stage)
      if (auto loop = dyn_cast<block::LoopOp>(op))
        addLoop(loop);
    numSteps = std::max(numSteps, first + 1);
    for (Operation *op : stage)
      steps[op] = {first, numSteps - 1};
  }
}

unsigned Timeline::getLastStep(Value tile) const {
  unsigned last = 0;
  llvm::SetVector<Value> tiles;
  tiles.insert(tile);
  for (size_t i = 0; i < tiles.size(); ++i)
    for (OpOperand &use : tiles[i].getUses()) {
      Operation *reader = use.getOwner();
      if (isRescaled(use)) {
        auto accumulate = cast<block::AccumulateOp>(reader);
        unsigned end = loops.lookup(accumulate->getParentOp()).second;
        bool isMaximum = use.getOperandNumber() >= accumulate.getTiles().size();
        last = std::max(last, isMaximum ? end - 1 : end);
      } else if (isChained(reader)) {
        // It runs where the chain does.
        if (std::optional<RowChain> chain = getRowChain(reader))
          last = std::max(last, getSteps(chain->getRunner()).second);
      } else if (reader->getNumResults() == 1 &&
                 isInlined(reader->getResult(0))) {
        tiles.insert(reader->getResult(0));
      } else if (isStaged(reader)) {
        // A sink takes the elements where they are made.
        last = std::max(last, getSteps(reader).second);
      }
    }
  return last;
}

bool SharedBuffers::conflict(unsigned a, unsigned b) const {
  return a != b && ((buffers[a].firstStep <= buffers[b].lastStep &&
                     buffers[b].firstStep <= buffers[a].lastStep) ||
                    llvm::is_contained(conflicts, std::pair(a, b)) ||
                    llvm::is_contained(conflicts, std::pair(b, a)));
}

SharedBuffers mirage::getSharedBuffers(Block &blockGraph) {
  using Role = SharedBuffer::Role;
  Timeline timeline(blockGraph);
  SharedBuffers result;
  auto visit = [&](Operation *op) {
    auto loop = dyn_cast<block::LoopOp>(op->getParentOp());
    unsigned position = 0;
    auto add = [&](Role role, Value value, int64_t bytes, Steps steps) {
      result.buffers.push_back({role, op, position, value, bytes,
                                kTileAlignment, steps.first, steps.second,
                                loop});
    };
    for (Value tile : op->getResults()) {
      if (takesPlace(tile)) {
        Steps steps = timeline.getSteps(op);
        if (isa<block::LoopOp>(op) && isSummedInRegisters(cast<OpResult>(tile)))
          steps.first = timeline.epilogues.lookup(op).second;
        steps.second = std::max(steps.second, timeline.getLastStep(tile));
        // What is loaded without registers is so at the beginning of an
        // iteration, or before the loop.
        if (getNumStages(op) > 1 || isHoisted(op) || isLoadedByProducer(op))
          steps = timeline.loops.lookup(loop);
        else if (canLoadAhead(op))
          steps.first = timeline.loops.lookup(loop).first;
        add(Role::Tile, tile, getPlacedBytes(tile), steps);
        result.buffers.back().alignment = getPlacedAlignment(tile);
      }
      ++position;
    }
    for (Value maximum : getMaxima(op)) {
      add(Role::RunningMaximum, maximum,
          block::kTilesOfRunningMaximum *
              getTileBytes(cast<TileType>(maximum.getType())),
          timeline.getSteps(op));
      result.buffers.back().loop = {};
      ++position;
    }
    if (int64_t bytes = getScratchBytes(op)) {
      std::optional<TensorCoreUse> use = getTensorCoreUse(op);
      bool inEpilogue = use && use->inRegisters;
      Steps steps = inEpilogue               ? timeline.epilogues.lookup(loop)
                    : isa<block::LoopOp>(op) ? timeline.getAllSteps()
                                             : timeline.getSteps(op);
      add(Role::Scratch, {}, bytes, steps);
      if (inEpilogue)
        result.buffers.back().loop = {};
    }
  };
  for (Operation &op : blockGraph) {
    if (auto loop = dyn_cast<block::LoopOp>(op))
      for (Operation &inner : loop.getBody().front())
        visit(&inner);
    visit(&op);
  }

  // Loops of one stage have no barrier in between.
  llvm::DenseMap<Operation *, size_t> stages;
  for (auto [stage, ops] : llvm::enumerate(getStages(blockGraph)))
    for (Operation *op : ops)
      stages[op] = stage;
  auto getLoop = [&](unsigned buffer) -> Operation * {
    return dyn_cast<block::LoopOp>(result.buffers[buffer].op->getParentOp());
  };
  for (unsigned a = 0; a < result.buffers.size(); ++a)
    for (unsigned b = 0; b < a; ++b)
      if (Operation *first = getLoop(a), *second = getLoop(b);
          first && second && first != second &&
          stages.lookup(first) == stages.lookup(second))
        result.conflicts.emplace_back(a, b);
  result.loopSteps = std::move(timeline.loops);
  return result;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

static DenseI64ArrayAttr getOffsets(Operation *op) {
  return op->getAttrOfType<DenseI64ArrayAttr>(kOffsetsAttr);
}

SharedPlan::SharedPlan(Block &blockGraph) {
  auto total =
      blockGraph.getParentOp()->getAttrOfType<IntegerAttr>(kSharedBytesAttr);
  for (const SharedBuffer &buffer : getSharedBuffers(blockGraph).buffers) {
    int64_t offset = 0;
    if (total) {
      offset = getOffsets(buffer.op)[buffer.position];
    } else {
      offset = llvm::alignTo(size, buffer.alignment);
      size = offset + buffer.bytes;
    }
    switch (buffer.role) {
    case SharedBuffer::Role::Tile:
      offsets[buffer.value] = offset;
      break;
    case SharedBuffer::Role::RunningMaximum:
      runningMaxima[buffer.value] = offset;
      break;
    case SharedBuffer::Role::Scratch:
      scratch[buffer.op] = offset;
      break;
    }
  }
  if (total)
    size = total.getInt();
}

int64_t SharedPlan::getOffset(const SharedBuffer &buffer) const {
  switch (buffer.role) {
  case SharedBuffer::Role::Tile:
    return offsets.lookup(buffer.value);
  case SharedBuffer::Role::RunningMaximum:
    return runningMaxima.lookup(buffer.value);
  case SharedBuffer::Role::Scratch:
    return scratch.lookup(buffer.op);
  }
  llvm_unreachable("covered switch");
}

/// "result 0", "running maximum 1", "scratch".
static std::string describe(const SharedBuffer &buffer) {
  switch (buffer.role) {
  case SharedBuffer::Role::Tile:
    return ("result " + Twine(buffer.position)).str();
  case SharedBuffer::Role::RunningMaximum:
    return ("running maximum " + Twine(buffer.position)).str();
  case SharedBuffer::Role::Scratch:
    return "scratch";
  }
  llvm_unreachable("covered switch");
}

/// Whether the ops of a graph have offsets exactly where they need them.
static LogicalResult verifyOffsetCounts(Block &blockGraph, bool isPlanned) {
  WalkResult result = blockGraph.walk([&](Operation *op) -> WalkResult {
    DenseI64ArrayAttr offsets = getOffsets(op);
    if (!offsets)
      return WalkResult::advance();
    if (!isPlanned)
      return op->emitOpError()
             << "has '" << kOffsetsAttr << "', but its kernel no '"
             << kSharedBytesAttr << "'";
    if (offsets.size() != getNumOffsets(op))
      return op->emitOpError()
             << "has " << offsets.size() << " offsets, expected "
             << getNumOffsets(op)
             << " (its results, its running maxima, its scratch)";
    for (auto [i, tile] : llvm::enumerate(op->getResults()))
      if (offsets[i] >= 0 && !takesPlace(tile))
        return op->emitOpError()
               << "has offset " << offsets[i] << " for result " << i
               << ", which is not in shared memory";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult mirage::verifyPlan(Block &blockGraph) {
  if (failed(verifyDepths(blockGraph)))
    return failure();
  auto total =
      blockGraph.getParentOp()->getAttrOfType<IntegerAttr>(kSharedBytesAttr);
  if (failed(verifyOffsetCounts(blockGraph, total != nullptr)))
    return failure();
  if (!total)
    return success();

  SharedBuffers shared = getSharedBuffers(blockGraph);
  auto getOffset = [](const SharedBuffer &buffer) {
    return getOffsets(buffer.op)[buffer.position];
  };
  for (auto [i, buffer] : llvm::enumerate(shared.buffers)) {
    if (!getOffsets(buffer.op) || getOffset(buffer) < 0)
      return buffer.op->emitOpError()
             << "has no offset for its " << describe(buffer)
             << ", which is in shared memory";
    int64_t begin = getOffset(buffer), end = begin + buffer.bytes;
    if (begin % buffer.alignment != 0)
      return buffer.op->emitOpError()
             << "has its " << describe(buffer) << " at byte " << begin
             << ", not a multiple of " << buffer.alignment;
    if (end > total.getInt())
      return buffer.op->emitOpError()
             << "has its " << describe(buffer) << " in bytes " << begin
             << " to " << end << ", but its kernel has " << total.getInt();
    for (unsigned j = 0; j < i; ++j) {
      const SharedBuffer &other = shared.buffers[j];
      int64_t otherBegin = getOffset(other);
      if (!shared.conflict(i, j) || end <= otherBegin ||
          otherBegin + other.bytes <= begin)
        continue;
      InFlightDiagnostic diagnostic = buffer.op->emitOpError();
      diagnostic << "has its " << describe(buffer) << " in bytes " << begin
                 << " to " << end << ", some of which are in use then";
      diagnostic.attachNote(other.op->getLoc())
          << "by the " << describe(other) << " of this op, in bytes "
          << otherBegin << " to " << otherBegin + other.bytes;
      return diagnostic;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The back edge
//===----------------------------------------------------------------------===//

SmallVector<BackEdgePair> mirage::getBackEdgePairs(const SharedBuffers &shared,
                                                   block::LoopOp loop,
                                                   bool stagesTakeTurns) {
  SmallVector<BackEdgePair> pairs;
  Steps steps = shared.loopSteps.lookup(loop);
  for (auto [i, last] : llvm::enumerate(shared.buffers)) {
    if (last.loop != loop || last.lastStep != steps.second)
      continue;
    for (auto [j, first] : llvm::enumerate(shared.buffers)) {
      if (first.loop != loop || first.firstStep != steps.first)
        continue;
      // Loaded before the loop, and never again; or when all threads have said
      // that they are done with the iteration.
      if (isHoisted(first.op) || isLoadedByProducer(first.op))
        continue;
      if (i == j && stagesTakeTurns && getNumStages(first.op) > 1)
        continue;
      pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

bool mirage::needsBarrierAtBackEdge(block::LoopOp loop, const SharedPlan &plan,
                                    bool stagesTakeTurns) {
  if (loop.getIterations() <= 1)
    return false;
  SharedBuffers shared = getSharedBuffers(*loop->getBlock());
  return llvm::any_of(getBackEdgePairs(shared, loop, stagesTakeTurns),
                      [&](BackEdgePair pair) {
                        const SharedBuffer &last = shared.buffers[pair.first];
                        const SharedBuffer &first = shared.buffers[pair.second];
                        int64_t lastBegin = plan.getOffset(last);
                        int64_t firstBegin = plan.getOffset(first);
                        return lastBegin < firstBegin + first.bytes &&
                               firstBegin < lastBegin + last.bytes;
                      });
}
