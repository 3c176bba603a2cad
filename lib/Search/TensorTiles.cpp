//===- TensorTiles.cpp - Tiles that blocks read and write ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorTiles.h"
#include "CutChoices.h"
#include "Mirage/Cost/TileAccess.h"
#include <numeric>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

Tiles &Tiles::operator+=(const Tiles &other) {
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

SizeChoices::SizeChoices(const SearchProgram &program,
                         const KernelProblem &problem, const Placement &frame)
    : loop{0} {
  if (frame.combinesSplit())
    loop = program.divisors[problem.getSplitInput()->splitRole];
  else if (frame.hasLoop)
    loop = getLoopChoices(program, frame);
  for (size_t g = 0; g < frame.gridRoles.size(); ++g)
    grid.push_back(getGridChoices(program, problem, frame, g));
}

TensorTiles::TensorTiles(const SearchProgram &program,
                         const SearchTensor &tensor, const Placement &frame,
                         const SizeChoices &choices,
                         const TargetNumbers &target,
                         ArrayRef<IteratorPlacement> ways)
    : shape(program.getShape(tensor, program.roles.size, 1)),
      bits(tensor.elementType.getIntOrFloatBitWidth()),
      combinesSplit(frame.combinesSplit()), target(target),
      ways(ways.begin(), ways.end()), loop(choices.loop), least(choices, ways),
      leastOfLoop(choices, ways) {
  // Numbers of the loop are the last, so that the others stay as they are.
  leastOfLoop.strides.back() = 0;
  for (const IteratorPlacement &way : ways)
    known.emplace_back(choices, way);
}

TensorTiles::Known::Known(const SizeChoices &choices,
                          ArrayRef<IteratorPlacement> ways) {
  uint32_t count = 1;
  auto addChoice = [&](uint32_t &stride, size_t numChoices, auto isCut) {
    if (llvm::none_of(ways, isCut))
      return;
    stride = count;
    count *= numChoices;
  };
  for (auto [g, sizes] : llvm::enumerate(choices.grid))
    addChoice(strides[g], sizes.size(), [g = g](const IteratorPlacement &way) {
      return way.imap[g] != kReplica;
    });
  addChoice(strides.back(), choices.loop.size(),
            [](const IteratorPlacement &way) { return way.fmap != kReplica; });
  positions.assign(count, kNotYet);
}

const Tiles &TensorTiles::Known::get(const ChosenSizes &sizes,
                                     llvm::function_ref<Tiles()> find) {
  uint32_t number = 0;
  for (auto [stride, choice] : llvm::zip_equal(strides, sizes.numbers))
    number += stride * choice;
  uint32_t &position = positions[number];
  if (position == kNotYet) {
    tiles.push_back(find());
    position = tiles.size() - 1;
  }
  return tiles[position];
}

size_t TensorTiles::getMostKept() const {
  // What is known of a way takes as much as some tiles.
  constexpr size_t kOfWay = 2;
  size_t most = least.positions.size() + leastOfLoop.positions.size();
  for (const Known &ofWay : known)
    most += kOfWay + ofWay.positions.size();
  return most;
}

/// What one iterator adds.
Tiles TensorTiles::find(const ChosenSizes &sizes,
                        const IteratorPlacement &way) const {
  // What doesn't vary in the loop is found once, whatever its size, but not
  // whether there is one.
  assert(sizes.iterations == loop[sizes.numbers.back()]);
  // As getTileAccess has it, but without the shapes, which take time. What is
  // cut is cut into two parts at least, so that a run ends with the last
  // dimension that is.
  bool varies = way.fmap != kReplica;
  int64_t last = way.fmap;
  for (int64_t dim : way.imap)
    last = std::max(last, dim);
  int64_t run = bits, runs = 1, tiles = 1;
  int64_t leftToLoop = varies ? shape[way.fmap] : 1, blocksOfLoop = 1;
  for (auto [d, extent] : llvm::enumerate(shape))
    (static_cast<int64_t>(d) < last ? runs : run) *= extent;
  for (auto [g, dim] : llvm::enumerate(way.imap))
    if (dim != kReplica) {
      cutUneven(dim == last ? run : runs, shape[dim], sizes.grid[g]);
      tiles *= sizes.grid[g];
      if (dim == way.fmap) {
        cut(leftToLoop, sizes.grid[g]);
        blocksOfLoop *= sizes.grid[g];
      }
    }
  if (varies) {
    // Of a split, one part is the whole shape.
    if (!combinesSplit)
      cutUneven(way.fmap == last ? run : runs, leftToLoop, sizes.iterations);
    tiles *= sizes.iterations;
    // As many as there would be in a row, though each block has some that
    // overlap.
    if (auto part = getUnevenPart(leftToLoop, sizes.iterations);
        part && !combinesSplit)
      tiles = tiles / (blocksOfLoop * sizes.iterations) *
              llvm::divideCeil(shape[way.fmap], *part);
  }
  int64_t row = last + 1 == static_cast<int64_t>(shape.size())
                    ? run
                    : shape.back() * bits;
  int64_t pitch = bits;
  for (int64_t extent : ArrayRef(shape).drop_front(std::max<int64_t>(last, 0)))
    pitch *= extent;
  const int64_t start = std::gcd(run, pitch);
  TileAccess access = getRunAccess(run, runs, tiles, row, start);
  int64_t times = varies ? sizes.iterations : 1;
  Tiles result;
  result.sharedBytes = access.bytes;
  result.requestedBytes = access.requestedBytes * times;
  result.accessCycles = getLoadCycles(access, varies, target) * times;
  // Someone reads it.
  result.sharedTraffic = access.bytes * times;
  if (varies) {
    result.stageBytes = access.bytes;
    result.notStreamed = bits != 32;
    if (target.hasTMA) {
      result.cutBytes = result.requestedBytes;
      result.requestedBytes = access.sectorBytes * times;
      result.cutBytes -= result.requestedBytes;
      result.bulkLoads.add(result.requestedBytes, way.imap);
      result.notBulk = std::gcd(row, start) % kBulkRowBits != 0;
    }
  }
  if (varies == (sizes.iterations > 0))
    result.bytesPerIteration = access.bytes;
  return result;
}

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Those of which bounds take the least.
static constexpr std::array<double Tiles::*, 6> kLeastAmounts = {
    &Tiles::sharedBytes, &Tiles::requestedBytes, &Tiles::cutBytes,
    &Tiles::stageBytes,  &Tiles::accessCycles,   &Tiles::sharedTraffic};

/// What takeLeast begins with.
static Tiles getMost() {
  Tiles most;
  for (double Tiles::*amount : kLeastAmounts)
    most.*amount = kInfinity;
  most.bulkLoads.loaded = kInfinity;
  most.notBulk = most.notStreamed = 1;
  return most;
}

/// Leaves alone what clusters could save.
static void takeLeast(Tiles &least, const Tiles &tiles) {
  for (double Tiles::*amount : kLeastAmounts)
    least.*amount = std::min(least.*amount, tiles.*amount);
  least.bytesPerIteration =
      std::max(least.bytesPerIteration, tiles.bytesPerIteration);
  least.bulkLoads.loaded =
      std::min(least.bulkLoads.loaded, tiles.bulkLoads.loaded);
  least.notBulk = std::min(least.notBulk, tiles.notBulk);
  least.notStreamed = std::min(least.notStreamed, tiles.notStreamed);
}

Tiles TensorTiles::findLeast(const ChosenSizes &sizes) {
  Tiles least = getMost();
  std::array<std::array<double, kMostWaysToRead>, kMaxGridDims> mostShared = {};
  for (size_t way = 0; way < ways.size(); ++way) {
    const Tiles &tiles = get(sizes, way);
    takeLeast(least, tiles);
    for (auto [most, shared] :
         llvm::zip_equal(mostShared, tiles.bulkLoads.shared)) {
      double rest = shared;
      for (double &one : most)
        if (rest > one)
          std::swap(rest, one);
    }
  }
  // The most that a cluster could save. An input may be read in several ways.
  for (auto [sum, most] : llvm::zip_equal(least.bulkLoads.shared, mostShared))
    for (double shared : most)
      sum += shared;
  return least;
}

Tiles TensorTiles::findLeastOfLoop(ChosenSizes sizes) {
  Tiles least = getMost();
  for (auto [number, iterations] : llvm::enumerate(loop)) {
    sizes.iterations = iterations;
    sizes.numbers.back() = number;
    const Tiles &tiles = getLeast(sizes);
    takeLeast(least, tiles);
    for (auto [most, shared] :
         llvm::zip_equal(least.bulkLoads.shared, tiles.bulkLoads.shared))
      most = std::max(most, shared);
  }
  // With more iterations there may be more stages, and more bytes on their way,
  // than a bound with the smallest loop knows of.
  least.bytesPerIteration = kInfinity;
  return least;
}

const Tiles &TensorTiles::get(const ChosenSizes &sizes, size_t way) {
  return known[way].get(sizes, [&] { return find(sizes, ways[way]); });
}

const Tiles &TensorTiles::getLeast(const ChosenSizes &sizes) {
  return least.get(sizes, [&] { return findLeast(sizes); });
}

const Tiles &TensorTiles::getLeastOfLoop(const ChosenSizes &sizes) {
  return leastOfLoop.get(sizes, [&] { return findLeastOfLoop(sizes); });
}

std::shared_ptr<TensorTiles>
TensorTilesCache::get(const SearchTensor &tensor, const Placement &frame,
                      const SizeChoices &choices,
                      ArrayRef<IteratorPlacement> ways) {
  // With the lengths of lists, so that none reads like another.
  Key key = {tensor.id, frame.hasLoop, frame.combinesSplit(),
             static_cast<int64_t>(frame.gridRoles.size()),
             static_cast<int64_t>(choices.loop.size())};
  for (auto [roles, sizes] : llvm::zip_equal(frame.gridRoles, choices.grid)) {
    key.push_back(roles.to_ullong());
    key.push_back(sizes.size());
    llvm::append_range(key, sizes);
  }
  llvm::append_range(key, choices.loop);
  for (const IteratorPlacement &way : ways) {
    llvm::append_range(key, way.imap);
    key.push_back(way.fmap);
  }
  const uint64_t hash = hashNumbers(key);
  auto found = known.find(hash);
  if (found != known.end() && found->second.first == key)
    return found->second.second;
  auto tiles = std::make_shared<TensorTiles>(program, tensor, frame, choices,
                                             target, ways);
  // At most some 30 MB.
  constexpr size_t kMost = 160'000;
  if (tiles->getMostKept() > kMost)
    return tiles;
  mostKept += tiles->getMostKept();
  if (mostKept > kMost) {
    known.clear();
    mostKept = tiles->getMostKept();
  }
  known[hash] = {std::move(key), tiles};
  return tiles;
}
