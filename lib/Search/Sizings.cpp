//===- Sizings.cpp - Real sizes for grids and loops -----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sizings.h"
#include "CutChoices.h"
#include "Mirage/Cost/TileAccess.h"
#include "Mirage/Dialect/Mirage/Mirage.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

FrameSizings::FrameSizings(const SearchProgram &program,
                           const KernelProblem &problem, const Placement &frame,
                           const TargetNumbers &target,
                           std::vector<std::vector<IteratorPlacement>> choices,
                           TensorTilesCache &cache)
    : program(program), problem(problem), frame(frame), target(target),
      choices(std::move(choices)), sizeChoices(program, problem, frame) {
  for (auto [input, ways] : llvm::zip_equal(problem.inputs, this->choices))
    inputs.push_back(cache.get(*input, frame, sizeChoices, ways));
  for (auto [output, omap] : llvm::zip_equal(problem.outputs, frame.omaps)) {
    IteratorPlacement way;
    way.imap = omap;
    outputs.push_back(cache.get(*output, frame, sizeChoices, way));
  }
}

/// The shape of a tensor with so many parts of a split.
static Shape withParts(Shape shape, const SearchTensor &tensor, int64_t parts) {
  if (tensor.isSplit())
    shape[tensor.splitDim] *= parts;
  return shape;
}

void FrameSizings::findWritten(Size &size) const {
  size.writtenBytes = size.writtenCycles = 0;
  for (auto [o, output] : llvm::enumerate(problem.outputs)) {
    if (!output->isSplit()) {
      const Tiles &tiles = outputs[o]->get(size, 0);
      size.writtenBytes += size.blocks * tiles.requestedBytes;
      size.writtenCycles += size.blocks * tiles.accessCycles;
      continue;
    }
    // Parts stand side by side in the whole tensor.
    Shape tensor = withParts(outputs[o]->shape, *output, size.partsWritten);
    Shape tile = tensor;
    for (auto [g, dim] : llvm::enumerate(frame.omaps[o]))
      cutUneven(tile[dim], tile[dim], size.grid[g]);
    TileAccess access = getTileAccess(tensor, tile, outputs[o]->bits);
    size.writtenBytes += size.blocks * access.requestedBytes;
    size.writtenCycles += size.blocks * access.cycles;
  }
}

void FrameSizings::enumerateSizes(
    llvm::function_ref<bool(const Size &)> foundGrid,
    llvm::function_ref<void(const Size &)> found) const {
  double wholeBytes = 0;
  for (const auto &[tensors, allTiles] :
       {std::tie(problem.inputs, inputs), std::tie(problem.outputs, outputs)})
    for (auto [tensor, tiles] : llvm::zip_equal(tensors, allTiles))
      if (!tensor->isSplit())
        wholeBytes += getSectorBytes(tiles->shape, tiles->bits);
  bool combines = frame.combinesSplit();
  Size size;
  size.work = problem.leastWork;
  size.grid.resize(frame.gridRoles.size());
  auto chooseGrid = [&](auto &self, size_t g) -> void {
    if (g < size.grid.size()) {
      for (auto [number, parts] : llvm::enumerate(sizeChoices.grid[g])) {
        size.grid[g] = parts;
        if (!canLaunch(llvm::ArrayRef(size.grid).take_front(g + 1)))
          break;
        size.numbers[g] = number;
        self(self, g + 1);
      }
      return;
    }
    size.blocks = getNumElements(size.grid);
    size.partsWritten = frame.splits ? size.grid.back() : 1;
    // Tiles of what another kernel reads are found for good: with the loop of
    // these sizes.
    size.iterations = sizeChoices.loop[0];
    size.numbers.back() = 0;
    findWritten(size);
    double outputBytes = 0;
    for (auto [output, tiles] : llvm::zip_equal(problem.outputs, outputs))
      if (output->isSplit())
        outputBytes += getSectorBytes(
            withParts(tiles->shape, *output, size.partsWritten), tiles->bits);
    auto chooseLoop = [&](size_t number) {
      size.iterations = sizeChoices.loop[number];
      size.numbers.back() = number;
      // A split's tensors grow with the parts, of which each tile is one.
      size.partsRead = combines ? size.iterations : 1;
      size.deviceBytes = wholeBytes + outputBytes;
      for (auto [input, tiles] : llvm::zip(problem.inputs, inputs))
        if (input->isSplit())
          size.deviceBytes += getSectorBytes(
              withParts(tiles->shape, *input, size.partsRead), tiles->bits);
    };
    // One loop is looked at at once. Of a split that is combined the smallest
    // one reads least.
    if (sizeChoices.loop.size() > 1) {
      chooseLoop(0);
      if (!foundGrid(size))
        return;
    }
    for (size_t number = 0; number < sizeChoices.loop.size(); ++number) {
      chooseLoop(number);
      found(size);
    }
  };
  chooseGrid(chooseGrid, 0);
}

/// Whether the loop can cut what the grid leaves of its role, and the grid cuts
/// alike what it doesn't divide.
bool FrameSizings::divides(const Size &size,
                           const IteratorPlacement &way) const {
  if (!allowsUneven(program, way, frame, size.grid))
    return false;
  if (way.fmap == kReplica || frame.combinesSplit())
    return true;
  int64_t extent = program.roles.size[frame.loopRole];
  for (auto [g, dim] : llvm::enumerate(way.imap))
    if (dim == way.fmap && frame.gridRoles[g].test(frame.loopRole))
      extent = extent % size.grid[g] == 0 ? extent / size.grid[g] : 1;
  return extent % size.iterations == 0 ||
         getUnevenPart(extent, size.iterations);
}

/// As far as the tensor memory accelerator can load all of the tiles.
BulkLoads FrameSizings::getBulkLoads(const Size &size,
                                     int64_t numSharers) const {
  BulkLoads loads;
  for (const auto &ways : choices)
    for (const IteratorPlacement &way : ways) {
      if (way.fmap == kReplica)
        continue;
      const TensorTiles &input = *inputs[way.input];
      Shape tensor =
          withParts(input.shape, *problem.inputs[way.input], size.partsRead);
      Shape tile = tensor;
      for (auto [g, dim] : llvm::enumerate(way.imap))
        if (dim != kReplica)
          cutUneven(tile[dim], tile[dim], size.grid[g]);
      cutUneven(tile[way.fmap], tile[way.fmap], size.iterations);
      if (!mayLoadInBulk(
              tile, input.bits,
              getRowStart(tensor, tile, way.imap, size.grid, way.fmap)))
        return {};
      TileAccess access = getTileAccess(tensor, tile, input.bits);
      loads.add(access.sectorBytes * size.iterations, way.imap,
                mayShare(tile, input.bits, numSharers));
    }
  return loads;
}

KernelLoad FrameSizings::getLoad(const Size &size, const Tiles &tiles,
                                 GetBulkLoads getBulkLoads) const {
  KernelLoad load;
  load.work = size.work;
  load.blocks = size.blocks;
  load.iterations = size.iterations;
  load.streams = size.iterations > 0 && tiles.notStreamed == 0;
  load.deviceBytes = size.deviceBytes;
  double requested = tiles.requestedBytes;
  if (target.hasTMA && tiles.notBulk == 0)
    requested -= getSavedByCluster(size.grid, getBulkLoads, target.smCount);
  // Each of a bound's inputs is read in ways of its own: a quarter is left in
  // any case.
  requested = std::max(requested, tiles.requestedBytes / 4);
  if (tiles.notBulk > 0)
    requested += tiles.cutBytes;
  load.requestedBytes = size.writtenBytes + size.blocks * requested;
  load.accessCycles = size.writtenCycles + size.blocks * tiles.accessCycles;
  load.sharedTraffic = size.blocks * tiles.sharedTraffic;
  load.bytesPerIteration = tiles.bytesPerIteration;
  load.sharedBytes = tiles.sharedBytes;
  load.stageBytes = tiles.stageBytes;
  return load;
}

/// The least time of a size with these tiles, unless it doesn't fit or is not
/// below the limit.
std::optional<double> FrameSizings::getBound(const Size &size,
                                             const Tiles &tiles, double limit) {
  if (tiles.sharedBytes > target.tileBytes)
    return std::nullopt;
  // Tiles that blocks have in common may be of any shape yet.
  KernelLoad load =
      getLoad(size, tiles, [&](int64_t) { return tiles.bulkLoads; });
  double bound = getLeastNanoseconds(load, target);
  if (bound < limit)
    bound = estimateNanoseconds(load, target);
  if (bound < limit)
    return bound;
  leastLeftOut = std::min(leastLeftOut, bound);
  return std::nullopt;
}

/// Whether a partial's bound is below the limit when `placed` inputs are.
bool FrameSizings::isBelow(Partial &partial, unsigned placed, double limit) {
  Tiles tiles = partial.tiles;
  tiles += rests[partial.size * (choices.size() + 1) + placed];
  std::optional<double> bound = getBound(sizes[partial.size], tiles, limit);
  partial.bound = bound.value_or(limit);
  return bound.has_value();
}

/// Sums in another order must not rule out what is just below the limit.
static double getLenient(double limit) { return limit * (1 + 1e-9); }

std::vector<FrameSizings::Partial> FrameSizings::start(double limit) {
  using GetTiles = const Tiles &(TensorTiles::*)(const ChosenSizes &);
  auto getBoundOf = [&](const Size &size, GetTiles getTiles) {
    ++numSizes;
    // From the last input on, as the rests are added up.
    Tiles all;
    for (unsigned i = choices.size(); i-- > 0;)
      all += (*inputs[i].*getTiles)(size);
    return getBound(size, all, getLenient(limit));
  };
  std::vector<Partial> result;
  // Most grids are too slow with any loop.
  auto foundGrid = [&](const Size &size) {
    return getBoundOf(size, &TensorTiles::getLeastOfLoop).has_value();
  };
  enumerateSizes(foundGrid, [&](const Size &size) {
    std::optional<double> bound = getBoundOf(size, &TensorTiles::getLeast);
    if (!bound)
      return;
    Partial &partial = result.emplace_back();
    partial.size = sizes.size();
    partial.bound = *bound;
    sizes.push_back(size);
    // Most sizes don't come as far as here.
    const size_t begin = rests.size();
    rests.resize(begin + choices.size() + 1);
    for (unsigned i = choices.size(); i-- > 0;) {
      rests[begin + i] = inputs[i]->getLeast(size);
      rests[begin + i] += rests[begin + i + 1];
    }
  });
  return result;
}

/// What blocks do at least that repeat work along grid dimensions.
static OperatorCost getMost(OperatorCost most, ArrayRef<int64_t> grid,
                            const FrameSizings::RepeatedWork &work) {
  for (auto [mask, once] : llvm::enumerate(work)) {
    int64_t times = 1;
    for (auto [g, parts] : llvm::enumerate(grid))
      times *= mask >> g & 1 ? parts : 1;
    const OperatorCost all = once.times(times);
    for (int64_t OperatorCost::*resource :
         {&OperatorCost::tensorFlops, &OperatorCost::scalarFlops,
          &OperatorCost::specialFunctions})
      most.*resource = std::max(most.*resource, all.*resource);
  }
  return most;
}

void FrameSizings::setRepeatedWork(const RepeatedWork &work,
                                   std::vector<Partial> &partials,
                                   double limit) {
  llvm::erase_if(partials, [&](Partial &partial) {
    Size &size = sizes[partial.size];
    size.work = getMost(size.work, size.grid, work);
    return !isBelow(partial, 0, getLenient(limit));
  });
}

std::vector<FrameSizings::Partial>
FrameSizings::place(ArrayRef<Partial> partials, unsigned input,
                    ArrayRef<size_t> ways, double limit) {
  std::vector<Partial> result;
  for (Partial partial : partials) {
    const Size &size = sizes[partial.size];
    Tiles all;
    bool possible = true;
    for (size_t way : ways) {
      const Tiles &tiles = inputs[input]->get(size, way);
      double largest = std::max(all.bytesPerIteration, tiles.bytesPerIteration);
      all += tiles;
      all.bytesPerIteration = largest;
      possible &= divides(size, choices[input][way]);
    }
    partial.tiles += all;
    bool isLast = input + 1 == choices.size();
    if (possible &&
        isBelow(partial, input + 1, isLast ? limit : getLenient(limit)))
      result.push_back(partial);
  }
  return result;
}

Sizing FrameSizings::getSizing(const Partial &partial) const {
  const Size &size = sizes[partial.size];
  Sizing sizing;
  sizing.grid = size.grid;
  sizing.iterations = size.iterations;
  sizing.partsRead = size.partsRead;
  sizing.partsWritten = size.partsWritten;
  sizing.load = getLoad(size, partial.tiles, [&](int64_t numSharers) {
    return getBulkLoads(size, numSharers);
  });
  sizing.sharedBytes = sizing.load.sharedBytes;
  sizing.bound = partial.bound;
  return sizing;
}

FrameSizings::RepeatedWork mirage::getRepeatedWork(const KernelProblem &problem,
                                                   const Placement &frame) {
  FrameSizings::RepeatedWork work;
  if (!problem.getRepeatedWork)
    return work;
  work.push_back(problem.leastWork);
  for (unsigned mask = 1; mask < 1u << frame.gridRoles.size(); ++mask) {
    RoleSet roles;
    for (auto [g, gridRoles] : llvm::enumerate(frame.gridRoles))
      if (mask >> g & 1)
        roles |= gridRoles;
    work.push_back(problem.getRepeatedWork(roles));
  }
  return work;
}

std::vector<Sizing> mirage::getSizings(const SearchProgram &program,
                                       const KernelProblem &problem,
                                       const Placement &placement,
                                       const FrameSizings::RepeatedWork &work,
                                       const TargetNumbers &target,
                                       TensorTilesCache &cache, double limit) {
  std::vector<std::vector<IteratorPlacement>> ways(problem.inputs.size());
  for (const IteratorPlacement &way : placement.iterators)
    ways[way.input].push_back(way);
  FrameSizings sizings(program, problem, placement, target, ways, cache);
  std::vector<FrameSizings::Partial> partials = sizings.start(limit);
  sizings.setRepeatedWork(work, partials, limit);
  for (unsigned input = 0; input < ways.size(); ++input) {
    SmallVector<size_t> all;
    for (size_t way = 0; way < ways[input].size(); ++way)
      all.push_back(way);
    partials = sizings.place(partials, input, all, limit);
  }
  std::vector<Sizing> result;
  for (const FrameSizings::Partial &partial : partials)
    result.push_back(sizings.getSizing(partial));
  return result;
}
