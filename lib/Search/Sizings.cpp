//===- Sizings.cpp - Real sizes for grids and loops -----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sizings.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

FrameSizings::FrameSizings(const SearchProgram &program,
                           const KernelProblem &problem, const Placement &frame,
                           const TargetNumbers &target,
                           std::vector<std::vector<IteratorPlacement>> choices)
    : program(program), problem(problem), frame(frame), target(target),
      choices(std::move(choices)) {
  for (const SearchTensor *input : problem.inputs)
    inputBytes.push_back(program.getBytes(*input, 1));
  enumerateSizes();
  findRests();
}

void FrameSizings::enumerateSizes() {
  double wholeBytes = 0, splitBytes = 0;
  for (auto [input, bytes] : llvm::zip(problem.inputs, inputBytes))
    (input->isSplit() ? splitBytes : wholeBytes) += bytes;
  bool combines = frame.combinesSplit();
  SmallVector<int64_t> loopChoices{0};
  if (frame.hasLoop)
    loopChoices = program.divisors[combines ? problem.getSplitInput()->splitRole
                                            : frame.loopRole];
  Size size;
  size.work = problem.leastWork;
  size.grid.resize(frame.gridRoles.size());
  auto chooseGrid = [&](auto &self, size_t g) -> void {
    if (g < size.grid.size()) {
      for (int64_t parts : program.divisors[frame.gridRoles[g]]) {
        if (g > 0 && parts > kMostBlocksInYZ)
          break;
        size.grid[g] = parts;
        self(self, g + 1);
      }
      return;
    }
    size.blocks = getNumElements(size.grid);
    size.partsWritten = frame.splits ? size.grid.back() : 1;
    size.writtenBytes = 0;
    for (const SearchTensor *output : problem.outputs)
      size.writtenBytes +=
          program.getBytes(*output, output->isSplit() ? size.partsWritten : 1);
    for (int64_t iterations : loopChoices) {
      size.iterations = iterations;
      // A split's tensors grow with the parts, of which each tile is one.
      size.parts = combines ? 1 : std::max<int64_t>(iterations, 1);
      size.partsRead = combines ? iterations : 1;
      size.deviceBytes = wholeBytes + size.writtenBytes +
                         (size.partsRead > 1 ? splitBytes * size.partsRead : 0);
      sizes.push_back(size);
    }
  };
  chooseGrid(chooseGrid, 0);
}

void FrameSizings::setRepeatedWork(const RepeatedWork &work) {
  for (Size &size : sizes)
    for (auto [mask, once] : llvm::enumerate(work)) {
      int64_t times = 1;
      for (auto [g, parts] : llvm::enumerate(size.grid))
        times *= mask >> g & 1 ? parts : 1;
      for (int64_t OperatorCost::*resource :
           {&OperatorCost::tensorFlops, &OperatorCost::scalarFlops,
            &OperatorCost::specialFunctions})
        size.work.*resource =
            std::max(size.work.*resource,
                     llvm::SaturatingMultiply<uint64_t>(once.*resource, times) >
                             uint64_t(std::numeric_limits<int64_t>::max())
                         ? std::numeric_limits<int64_t>::max()
                         : once.*resource * times);
    }
}

/// The bytes of a tile, before the loop cuts it.
double FrameSizings::getBytes(const Size &size,
                              const IteratorPlacement &way) const {
  double bytes = inputBytes[way.input];
  for (auto [g, dim] : llvm::enumerate(way.imap))
    if (dim != kReplica)
      bytes /= size.grid[g];
  return bytes;
}

/// Whether the loop divides what the grid leaves of its role.
bool FrameSizings::divides(const Size &size,
                           const IteratorPlacement &way) const {
  if (way.fmap == kReplica || frame.combinesSplit())
    return true;
  int64_t extent = program.roles.size[frame.loopRole];
  for (auto [g, dim] : llvm::enumerate(way.imap))
    if (dim == way.fmap && frame.gridRoles[g] == frame.loopRole)
      extent = extent % size.grid[g] == 0 ? extent / size.grid[g] : 1;
  return extent % size.iterations == 0;
}

void FrameSizings::findRests() {
  rests.assign(choices.size() + 1, std::vector<Rest>(sizes.size()));
  for (size_t i = choices.size(); i-- > 0;)
    for (auto [s, size] : llvm::enumerate(sizes)) {
      constexpr double kNone = std::numeric_limits<double>::infinity();
      Rest least{kNone, kNone, 0};
      for (const IteratorPlacement &way : choices[i]) {
        bool varies = way.fmap != kReplica;
        double bytes = getBytes(size, way) / (varies ? size.parts : 1);
        least.sharedBytes = std::min(least.sharedBytes, bytes);
        least.requestedBytes = std::min(
            least.requestedBytes, varies ? bytes * size.iterations : bytes);
        if (varies == (size.iterations > 0))
          least.bytesPerIteration = std::max(least.bytesPerIteration, bytes);
      }
      const Rest &after = rests[i + 1][s];
      rests[i][s] = {least.sharedBytes + after.sharedBytes,
                     least.requestedBytes + after.requestedBytes,
                     least.bytesPerIteration + after.bytesPerIteration};
    }
}

KernelLoad FrameSizings::getLoad(const Partial &partial,
                                 const Rest &rest) const {
  const Size &size = sizes[partial.size];
  KernelLoad load;
  load.work = size.work;
  load.blocks = size.blocks;
  load.iterations = size.iterations;
  load.deviceBytes = size.deviceBytes;
  load.requestedBytes =
      size.writtenBytes +
      size.blocks * (partial.fixedBytes +
                     partial.loopBytes / size.parts * size.iterations +
                     rest.requestedBytes);
  load.bytesPerIteration = (size.iterations ? partial.loopLargest / size.parts
                                            : partial.fixedLargest) +
                           rest.bytesPerIteration;
  load.sharedBytes =
      partial.fixedBytes + partial.loopBytes / size.parts + rest.sharedBytes;
  return load;
}

bool FrameSizings::isBelow(Partial &partial, unsigned placed, double limit,
                           bool &more) const {
  KernelLoad load = getLoad(partial, rests[placed][partial.size]);
  if (load.sharedBytes > target.sharedBytes)
    return false;
  partial.bound = estimateNanoseconds(load, target);
  // Sums in another order must not rule out what is just below the limit.
  constexpr double kRounding = 1 + 1e-9;
  bool isLast = placed == choices.size();
  bool below = partial.bound < (isLast ? limit : limit * kRounding);
  more |= !below;
  return below;
}

std::vector<FrameSizings::Partial> FrameSizings::start(double limit,
                                                       bool &more) const {
  std::vector<Partial> result;
  for (unsigned s = 0; s < sizes.size(); ++s) {
    Partial partial;
    partial.size = s;
    if (isBelow(partial, 0, limit, more))
      result.push_back(partial);
  }
  return result;
}

std::vector<FrameSizings::Partial>
FrameSizings::place(ArrayRef<Partial> partials, unsigned input,
                    ArrayRef<const IteratorPlacement *> ways, double limit,
                    bool &more) const {
  std::vector<Partial> result;
  for (Partial partial : partials) {
    const Size &size = sizes[partial.size];
    double fixedLargest = 0, loopLargest = 0;
    bool possible = true;
    for (const IteratorPlacement *way : ways) {
      double bytes = getBytes(size, *way);
      bool varies = way->fmap != kReplica;
      (varies ? partial.loopBytes : partial.fixedBytes) += bytes;
      double &largest = varies ? loopLargest : fixedLargest;
      largest = std::max(largest, bytes);
      possible &= divides(size, *way);
    }
    partial.fixedLargest += fixedLargest;
    partial.loopLargest += loopLargest;
    if (possible && isBelow(partial, input + 1, limit, more))
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
  sizing.load = getLoad(partial, Rest());
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
    SmallVector<int> roles;
    for (auto [g, role] : llvm::enumerate(frame.gridRoles))
      if (mask >> g & 1)
        roles.push_back(role);
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
  sizings.setRepeatedWork(work);
  bool more = false;
  std::vector<FrameSizings::Partial> partials = sizings.start(limit, more);
  for (unsigned input = 0; input < ways.size(); ++input) {
    SmallVector<const IteratorPlacement *> chosen;
    for (const IteratorPlacement &way : ways[input])
      chosen.push_back(&way);
    partials = sizings.place(partials, input, chosen, limit, more);
  }
  std::vector<Sizing> result;
  for (const FrameSizings::Partial &partial : partials)
    result.push_back(sizings.getSizing(partial));
  return result;
}
