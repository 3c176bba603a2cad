//===- Sizings.cpp - Real sizes for grids and loops -----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sizings.h"
#include "Mirage/Cost/TileAccess.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

static unsigned getBits(const SearchTensor &tensor) {
  return tensor.elementType.getIntOrFloatBitWidth();
}

FrameSizings::FrameSizings(const SearchProgram &program,
                           const KernelProblem &problem, const Placement &frame,
                           const TargetNumbers &target,
                           std::vector<std::vector<IteratorPlacement>> choices)
    : program(program), problem(problem), frame(frame), target(target),
      choices(std::move(choices)) {
  for (const SearchTensor *input : problem.inputs) {
    inputShapes.push_back(program.getShape(*input, program.roles.size, 1));
    inputBits.push_back(getBits(*input));
  }
  for (const SearchTensor *output : problem.outputs)
    outputShapes.push_back(program.getShape(*output, program.roles.size, 1));
  loopChoices = {0};
  if (frame.hasLoop)
    loopChoices =
        program
            .divisors[frame.combinesSplit() ? problem.getSplitInput()->splitRole
                                            : frame.loopRole];
  for (const RoleSet &roles : frame.gridRoles)
    gridChoices.push_back(program.getDivisors(roles));
  for (const auto &ways : this->choices) {
    auto &ofInput = known.emplace_back();
    for (const IteratorPlacement &way : ways)
      ofInput.emplace_back(*this, way);
    knownLeast.emplace_back(*this, ways);
  }
}

FrameSizings::KnownTiles::KnownTiles(const FrameSizings &sizings,
                                     ArrayRef<IteratorPlacement> ways) {
  uint32_t count = 1;
  auto addChoice = [&](uint32_t &stride, size_t numChoices, auto isCut) {
    if (llvm::none_of(ways, isCut))
      return;
    stride = count;
    count *= numChoices;
  };
  for (auto [g, sizes] : llvm::enumerate(sizings.gridChoices))
    addChoice(strides[g], sizes.size(), [g = g](const IteratorPlacement &way) {
      return way.imap[g] != kReplica;
    });
  addChoice(strides.back(), sizings.loopChoices.size(),
            [](const IteratorPlacement &way) { return way.fmap != kReplica; });
  positions.assign(count, kNotYet);
}

const FrameSizings::Tiles &
FrameSizings::KnownTiles::get(const Size &size,
                              llvm::function_ref<Tiles()> find) {
  uint32_t number = 0;
  for (auto [stride, choice] : llvm::zip_equal(strides, size.numbers))
    number += stride * choice;
  uint32_t &position = positions[number];
  if (position == kNotYet) {
    position = tiles.size();
    tiles.push_back(find());
  }
  return tiles[position];
}

/// The shape of a tensor with so many parts of a split.
static Shape withParts(Shape shape, const SearchTensor &tensor, int64_t parts) {
  if (tensor.isSplit())
    shape[tensor.splitDim] *= parts;
  return shape;
}

/// What is left of a dimension; where it can't be divided there is no kernel,
/// and any size will do.
static void cut(int64_t &extent, int64_t parts) {
  extent = std::max<int64_t>(extent / parts, 1);
}

FrameSizings::Tiles &FrameSizings::Tiles::operator+=(const Tiles &other) {
  sharedBytes += other.sharedBytes;
  requestedBytes += other.requestedBytes;
  cutBytes += other.cutBytes;
  bytesPerIteration += other.bytesPerIteration;
  stageBytes += other.stageBytes;
  accessCycles += other.accessCycles;
  sharedTraffic += other.sharedTraffic;
  bulkLoads += other.bulkLoads;
  notBulk += other.notBulk;
  notStreamed += other.notStreamed;
  return *this;
}

/// What all blocks write.
void FrameSizings::findWritten(Size &size) const {
  size.writtenBytes = size.writtenCycles = 0;
  for (auto [o, output] : llvm::enumerate(problem.outputs)) {
    Shape tensor = withParts(outputShapes[o], *output, size.partsWritten);
    Shape tile = tensor;
    for (auto [g, dim] : llvm::enumerate(frame.omaps[o]))
      cut(tile[dim], size.grid[g]);
    TileAccess access = getTileAccess(tensor, tile, getBits(*output));
    size.writtenBytes += size.blocks * access.requestedBytes;
    size.writtenCycles += size.blocks * access.cycles;
  }
}

void FrameSizings::enumerateSizes(
    llvm::function_ref<bool(const Size &)> found) const {
  double wholeBytes = 0;
  for (auto [input, shape] : llvm::zip(problem.inputs, inputShapes))
    if (!input->isSplit())
      wholeBytes += getSectorBytes(shape, getBits(*input));
  bool combines = frame.combinesSplit();
  Size size;
  size.work = problem.leastWork;
  size.grid.resize(frame.gridRoles.size());
  auto chooseGrid = [&](auto &self, size_t g) -> void {
    if (g < size.grid.size()) {
      for (auto [number, parts] : llvm::enumerate(gridChoices[g])) {
        if (parts > kMaxGridSizes[g])
          break;
        size.grid[g] = parts;
        size.numbers[g] = number;
        self(self, g + 1);
      }
      return;
    }
    size.blocks = getNumElements(size.grid);
    size.partsWritten = frame.splits ? size.grid.back() : 1;
    findWritten(size);
    double outputBytes = 0;
    for (auto [output, shape] : llvm::zip(problem.outputs, outputShapes))
      outputBytes += getSectorBytes(
          withParts(shape, *output, size.partsWritten), getBits(*output));
    for (auto [number, iterations] : llvm::enumerate(loopChoices)) {
      size.iterations = iterations;
      size.numbers.back() = number;
      // A split's tensors grow with the parts, of which each tile is one.
      size.partsRead = combines ? iterations : 1;
      size.deviceBytes = wholeBytes + outputBytes;
      for (auto [input, shape] : llvm::zip(problem.inputs, inputShapes))
        if (input->isSplit())
          size.deviceBytes += getSectorBytes(
              withParts(shape, *input, size.partsRead), getBits(*input));
      if (!found(size))
        break;
    }
  };
  chooseGrid(chooseGrid, 0);
}

/// What one iterator adds.
FrameSizings::Tiles
FrameSizings::findTiles(const Size &size, const IteratorPlacement &way) const {
  // As getTileAccess has it, but without the shapes, which take time. What is
  // cut is cut into two parts at least, so that a run ends with the last
  // dimension that is.
  bool varies = way.fmap != kReplica;
  int64_t last = way.fmap;
  for (int64_t dim : way.imap)
    last = std::max(last, dim);
  int64_t run = inputBits[way.input], runs = 1, tiles = 1;
  for (auto [d, extent] : llvm::enumerate(inputShapes[way.input]))
    (static_cast<int64_t>(d) < last ? runs : run) *= extent;
  for (auto [g, dim] : llvm::enumerate(way.imap))
    if (dim != kReplica) {
      cut(dim == last ? run : runs, size.grid[g]);
      tiles *= size.grid[g];
    }
  if (varies) {
    // Of a split, one part is the whole shape.
    if (!frame.combinesSplit())
      cut(way.fmap == last ? run : runs, size.iterations);
    tiles *= size.iterations;
  }
  const Shape &shape = inputShapes[way.input];
  int64_t row = last + 1 == static_cast<int64_t>(shape.size())
                    ? run
                    : shape.back() * inputBits[way.input];
  TileAccess access = getRunAccess(run, runs, tiles, row);
  int64_t times = varies ? size.iterations : 1;
  Tiles result;
  result.sharedBytes = access.bytes;
  result.requestedBytes = access.requestedBytes * times;
  result.accessCycles = getLoadCycles(access, varies, target) * times;
  // Someone reads it.
  result.sharedTraffic = access.bytes * times;
  if (varies) {
    result.stageBytes = access.bytes;
    result.notStreamed = inputBits[way.input] != 32;
    if (target.hasTMA) {
      result.cutBytes = result.requestedBytes;
      result.requestedBytes = access.sectorBytes * times;
      result.cutBytes -= result.requestedBytes;
      result.bulkLoads.add(result.requestedBytes, way.imap);
      result.notBulk = row % kBulkRowBits != 0;
    }
  }
  if (varies == (size.iterations > 0))
    result.bytesPerIteration = access.bytes;
  return result;
}

/// As findTiles has it.
const FrameSizings::Tiles &FrameSizings::getTiles(const Size &size,
                                                  unsigned input, size_t way) {
  return known[input][way].get(
      size, [&] { return findTiles(size, choices[input][way]); });
}

/// Whether the loop divides what the grid leaves of its role.
bool FrameSizings::divides(const Size &size,
                           const IteratorPlacement &way) const {
  if (way.fmap == kReplica || frame.combinesSplit())
    return true;
  int64_t extent = program.roles.size[frame.loopRole];
  for (auto [g, dim] : llvm::enumerate(way.imap))
    if (dim == way.fmap && frame.gridRoles[g].test(frame.loopRole))
      extent = extent % size.grid[g] == 0 ? extent / size.grid[g] : 1;
  return extent % size.iterations == 0;
}

/// What an input adds at least, however it is read.
FrameSizings::Tiles FrameSizings::findLeast(const Size &size, unsigned input) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  Tiles least;
  for (double Tiles::*amount :
       {&Tiles::sharedBytes, &Tiles::requestedBytes, &Tiles::cutBytes,
        &Tiles::stageBytes, &Tiles::accessCycles, &Tiles::sharedTraffic})
    least.*amount = kNone;
  least.bulkLoads.loaded = kNone;
  least.notBulk = least.notStreamed = 1;
  std::array<std::array<double, kMostWaysToRead>, 3> mostShared = {};
  for (size_t way = 0; way < choices[input].size(); ++way) {
    const Tiles &tiles = getTiles(size, input, way);
    for (double Tiles::*amount :
         {&Tiles::sharedBytes, &Tiles::requestedBytes, &Tiles::cutBytes,
          &Tiles::stageBytes, &Tiles::accessCycles, &Tiles::sharedTraffic})
      least.*amount = std::min(least.*amount, tiles.*amount);
    least.bytesPerIteration =
        std::max(least.bytesPerIteration, tiles.bytesPerIteration);
    // The most that a cluster could save.
    least.bulkLoads.loaded =
        std::min(least.bulkLoads.loaded, tiles.bulkLoads.loaded);
    for (auto [most, shared] :
         llvm::zip_equal(mostShared, tiles.bulkLoads.shared)) {
      double rest = shared;
      for (double &one : most)
        if (rest > one)
          std::swap(rest, one);
    }
    least.notBulk = std::min(least.notBulk, tiles.notBulk);
    least.notStreamed = std::min(least.notStreamed, tiles.notStreamed);
  }
  // An input may be read in several ways.
  for (auto [sum, most] : llvm::zip_equal(least.bulkLoads.shared, mostShared))
    for (double shared : most)
      sum += shared;
  return least;
}

/// What findLeast finds, once for what it depends on.
const FrameSizings::Tiles &FrameSizings::getLeast(const Size &size,
                                                  unsigned input) {
  return knownLeast[input].get(size, [&] { return findLeast(size, input); });
}

/// As far as the tensor memory accelerator can load all of the tiles.
BulkLoads FrameSizings::getBulkLoads(const Size &size,
                                     int64_t numSharers) const {
  BulkLoads loads;
  for (const auto &ways : choices)
    for (const IteratorPlacement &way : ways) {
      if (way.fmap == kReplica)
        continue;
      Shape tensor = withParts(inputShapes[way.input],
                               *problem.inputs[way.input], size.partsRead);
      Shape tile = tensor;
      for (auto [g, dim] : llvm::enumerate(way.imap))
        if (dim != kReplica)
          cut(tile[dim], size.grid[g]);
      cut(tile[way.fmap], size.iterations);
      int64_t bits = inputBits[way.input];
      if (!mayLoadInBulk(tile, bits))
        return {};
      TileAccess access = getTileAccess(tensor, tile, bits);
      loads.add(access.sectorBytes * size.iterations, way.imap,
                mayShare(tile, bits, numSharers));
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
  double bound = estimateNanoseconds(load, target);
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
  Tiles nothing;
  nothing.bytesPerIteration = std::numeric_limits<double>::infinity();
  std::vector<Partial> result;
  enumerateSizes([&](const Size &size) {
    ++numSizes;
    // For most sizes one needn't look at the tiles, nor at further iterations,
    // of which each takes its time.
    if (!getBound(size, nothing, getLenient(limit)))
      return false;
    // From the last input on, as the rests are added up.
    Tiles all;
    for (unsigned i = choices.size(); i-- > 0;)
      all += getLeast(size, i);
    std::optional<double> bound = getBound(size, all, getLenient(limit));
    if (!bound)
      return true;
    Partial &partial = result.emplace_back();
    partial.size = sizes.size();
    partial.bound = *bound;
    sizes.push_back(size);
    // Most sizes don't come as far as here.
    const size_t begin = rests.size();
    rests.resize(begin + choices.size() + 1);
    for (unsigned i = choices.size(); i-- > 0;) {
      rests[begin + i] = getLeast(size, i);
      rests[begin + i] += rests[begin + i + 1];
    }
    return true;
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
      const Tiles &tiles = getTiles(size, input, way);
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
                                       double limit) {
  std::vector<std::vector<IteratorPlacement>> ways(problem.inputs.size());
  for (const IteratorPlacement &way : placement.iterators)
    ways[way.input].push_back(way);
  FrameSizings sizings(program, problem, placement, target, ways);
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
