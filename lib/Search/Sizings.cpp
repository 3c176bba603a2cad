//===- Sizings.cpp - Real sizes for grids and loops -----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sizings.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include <numeric>

using namespace mirage;
using llvm::SmallVector;

namespace {

class SizingEnumerator {
public:
  SizingEnumerator(const SearchProgram &program, const KernelProblem &problem,
                   const Placement &placement, const TargetNumbers &target,
                   llvm::function_ref<void(const Sizing &)> visit)
      : program(program), problem(problem), placement(placement),
        target(target), visit(visit) {
    for (auto [tensors, bytes] : {std::pair(&problem.inputs, &inputBytes),
                                  std::pair(&problem.outputs, &outputBytes)})
      for (const SearchTensor *tensor : *tensors)
        bytes->push_back(program.getBytes(*tensor, 1));
    for (int role : placement.gridRoles)
      gridChoices.push_back(program.divisors[role]);
    if (placement.hasLoop && !placement.combinesSplit())
      loopChoices = program.divisors[placement.loopRole];
    else if (placement.hasLoop)
      loopChoices = program.divisors[problem.getSplitInput()->splitRole];
    else
      loopChoices = {0};
  }

  void run() {
    sizing.grid.resize(placement.gridRoles.size());
    chooseGrid(0);
  }

private:
  void chooseGrid(size_t g) {
    if (g == sizing.grid.size())
      return chooseLoop();
    for (int64_t size : gridChoices[g]) {
      if (g > 0 && size > kMostBlocksInYZ)
        break;
      sizing.grid[g] = size;
      chooseGrid(g + 1);
    }
  }

  void chooseLoop() {
    int64_t blocks = 1;
    for (int64_t size : sizing.grid)
      blocks *= size;
    sizing.partsWritten = placement.splits ? sizing.grid.back() : 1;
    // Iterators: the bytes of the tiles that the loop doesn't cut, and of those
    // that it does, before it does; and of the larger ones where an input has
    // two.
    double fixedBytes = 0, loopBytes = 0;
    SmallVector<double, 6> fixedLargest(inputBytes.size(), 0),
        loopLargest(inputBytes.size(), 0);
    double wholeBytes = 0, splitBytes = 0, writtenBytes = 0;
    for (auto [output, bytes] : llvm::zip(problem.outputs, outputBytes))
      writtenBytes += output->isSplit() ? bytes * sizing.partsWritten : bytes;
    for (auto [input, bytes] : llvm::zip(problem.inputs, inputBytes))
      (input->isSplit() ? splitBytes : wholeBytes) += bytes;
    int64_t loopCut = 1; // of the loop's role, by the grid
    for (const IteratorPlacement &place : placement.iterators) {
      double bytes = inputBytes[place.input];
      for (auto [g, dim] : llvm::enumerate(place.imap))
        if (dim != kReplica) {
          bytes /= sizing.grid[g];
          if (placement.gridRoles[g] == placement.loopRole && place.fmap == dim)
            loopCut = sizing.grid[g];
        }
      bool varies = place.fmap != kReplica;
      (varies ? loopBytes : fixedBytes) += bytes;
      double &largest = (varies ? loopLargest : fixedLargest)[place.input];
      largest = std::max(largest, bytes);
    }
    double fixedSum =
               std::accumulate(fixedLargest.begin(), fixedLargest.end(), 0.0),
           loopSum =
               std::accumulate(loopLargest.begin(), loopLargest.end(), 0.0);
    for (int64_t iterations : loopChoices) {
      if (!placement.combinesSplit() && iterations &&
          program.roles.size[placement.loopRole] % (iterations * loopCut) != 0)
        continue;
      // A split's tensors grow with the parts, of which each tile is one.
      bool combines = placement.combinesSplit();
      double parts = combines ? 1 : std::max<int64_t>(iterations, 1);
      double shared = fixedBytes + loopBytes / parts;
      if (shared > target.sharedBytes)
        continue;
      sizing.iterations = iterations;
      sizing.partsRead = combines ? iterations : 1;
      KernelLoad load;
      load.work = problem.leastWork;
      load.blocks = blocks;
      load.iterations = iterations;
      load.deviceBytes =
          wholeBytes + writtenBytes +
          (sizing.partsRead > 1 ? splitBytes * sizing.partsRead : 0);
      load.requestedBytes =
          writtenBytes + blocks * (fixedBytes + loopBytes / parts * iterations);
      load.bytesPerIteration = iterations ? loopSum / parts : fixedSum;
      load.sharedBytes = shared;
      sizing.sharedBytes = shared;
      sizing.load = load;
      sizing.bound = estimateNanoseconds(load, target);
      visit(sizing);
    }
  }

  const SearchProgram &program;
  const KernelProblem &problem;
  const Placement &placement;
  const TargetNumbers &target;
  llvm::function_ref<void(const Sizing &)> visit;
  SmallVector<SmallVector<int64_t>, 3> gridChoices;
  SmallVector<int64_t> loopChoices;
  /// Of each tensor, of one part if it is a split's.
  SmallVector<double, 6> inputBytes, outputBytes;
  Sizing sizing;
};

} // namespace

void mirage::enumerateSizings(const SearchProgram &program,
                              const KernelProblem &problem,
                              const Placement &placement,
                              const TargetNumbers &target,
                              llvm::function_ref<void(const Sizing &)> visit) {
  SizingEnumerator(program, problem, placement, target, visit).run();
}
