//===- CostModel.h - What a μGraph is expected to cost ----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_COST_COSTMODEL_H
#define MIRAGE_COST_COSTMODEL_H

#include "Mirage/Cost/TileAccess.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Mugraph/Mugraph.h"

namespace mirage {

/// An estimate for one kernel or a whole kernel graph. docs/CostModel.md has
/// the formulae.
struct CostEstimate {
  double nanoseconds = 0;
  /// Bytes that must cross between device memory and the chip: every input once
  /// for each kernel that reads it, every output once; in whole sectors.
  int64_t deviceBytes = 0;
  /// Bytes of the sectors that the blocks load and store in all, those that
  /// blocks of a cluster load together once; what exceeds `deviceBytes` is
  /// served by the L2 cache.
  int64_t requestedBytes = 0;
  int64_t tensorFlops = 0;
  unsigned kernels = 0;

  CostEstimate &operator+=(const CostEstimate &other);
};

/// What a target can do, in the units of the formulae: bytes and operations in
/// a nanosecond.
struct TargetNumbers {
  explicit TargetNumbers(TargetAttr target);
  int64_t smCount, sharedBytes;
  /// What a search gives the tiles of a block's shared memory: the lowering
  /// takes some for sums over warps, barriers and alignment.
  int64_t tileBytes;
  double bandwidth, tensorFlops, launch;
  /// Of the L2 cache.
  double l2Bandwidth;
  /// Of an SM: cycles, bytes of shared memory, f32 operations and special
  /// functions in a nanosecond.
  double clock, sharedBandwidth, scalarRate, specialRate;
  /// What it takes to load from device memory, in nanoseconds.
  double latency;
  /// Bytes that have to be in flight on an SM for its share of the bandwidth.
  double bytesInFlight;
  /// Whether it has a tensor memory accelerator, and clusters of blocks.
  bool hasTMA;
};

/// The cycles that an SM takes to load a tile, in a loop or not
/// (TileAccess::cycles): one at least for each row of a box.
double getLoadCycles(const TileAccess &access, bool inLoop,
                     const TargetNumbers &target);

/// What decides how long a kernel takes.
struct KernelLoad {
  /// Kernels, one behind the other, that do the work: a library may need
  /// several for one operator.
  int64_t launches = 1;
  int64_t blocks = 1;
  /// 0: no loop.
  int64_t iterations = 0;
  /// Whether the loop only accumulates partial results that it loads: threads
  /// need not wait for each other, and load for several iterations at a time.
  bool streams = false;
  /// As in CostEstimate.
  double deviceBytes = 0, requestedBytes = 0;
  /// Cycles that the loads and stores of all blocks take of an SM's access to
  /// its cache (TileAccess::cycles).
  double accessCycles = 0;
  /// Bytes that all blocks read from shared memory, and write there but for
  /// what they load.
  double sharedTraffic = 0;
  /// The steps of all iterations of a loop without a row chain that could have
  /// one, or of a graph outside of its loop that could, each of which waits for
  /// the one in front of it; the first of each iteration doesn't count.
  int64_t steps = 0;
  /// How often a block waits for memory, one time after the other, since rows
  /// begin where nothing can be copied in the background: threads load what
  /// registers have room for, and store it. What all blocks wait for anyway
  /// doesn't count.
  double waits = 0;
  /// What a block loads in an iteration, or in all if it has no loop.
  double bytesPerIteration = 0;
  /// The shared memory that a block takes while its loop runs (or in all), with
  /// one stage of the tiles that it loads, what each further stage adds, and
  /// what it takes behind the loop, in the same place.
  double sharedBytes = 0, stageBytes = 0, behindBytes = 0;
  /// The registers of a block, if it takes so many that they decide how many
  /// blocks an SM has room for; 0 otherwise.
  double registers = 0;
  /// Of all blocks; flops of tensor cores with what they do in vain.
  OperatorCost work;
  /// Where threads keep rows, special functions that those which share one
  /// compute again, all at once, of which one alone would take as long; and the
  /// bytes of sectors that rows of a block request again, from the L1 cache.
  int64_t repeatedFunctions = 0;
  double repeatedBytes = 0;
  /// Those of the flops of tensor cores that are done in tf32, which takes
  /// twice as long.
  int64_t tf32Flops = 0;
  /// What tensor cores do for sums of squares (BlockPlan/SquareSum.h), beside
  /// those flops: in `work` they are what threads would do.
  int64_t squareFlops = 0;
};

/// The parts of a kernel's time, in nanoseconds, and how it was arranged.
struct KernelTimes {
  /// As if nothing else were to be done.
  double device = 0, l2 = 0, onChip = 0, tensor = 0, arithmetic = 0;
  /// The part of the bandwidth that the bytes in flight can draw.
  double throughput = 1;
  /// What can't be hidden: latency and barriers.
  double exposed = 0;
  /// The launch and all of the above.
  double total = 0;
  /// Tiles of the loop in shared memory at a time, and blocks on an SM.
  int64_t stages = 1, blocksPerSm = 1, waves = 1;
};

/// What a kernel takes for different amounts of work, which don't change how it
/// is arranged: its memory traffic and stages are looked at once.
class KernelTimer {
public:
  /// The load's own work, and its traffic of shared memory, don't count.
  KernelTimer(const KernelLoad &load, const TargetNumbers &target);

  /// The times with the number of stages that makes it fastest. `tf32Flops` are
  /// the load's.
  KernelTimes getTimes(const OperatorCost &work, double sharedTraffic) const;
  /// Their total.
  double getNanoseconds(const OperatorCost &work, double sharedTraffic) const;

private:
  friend double getLeastNanoseconds(const KernelLoad &, const TargetNumbers &);
  KernelTimer(const KernelLoad &load, const TargetNumbers &target,
              llvm::SmallVector<KernelTimes, 4> choices);

  /// What doesn't depend on the number of stages.
  struct WorkTimes {
    double onChip, tensor, arithmetic;
  };
  WorkTimes getWorkTimes(const OperatorCost &work, double sharedTraffic) const;
  double getTotal(const KernelTimes &times, const WorkTimes &work) const;

  /// Without the times of work and the total.
  llvm::SmallVector<KernelTimes, 4> choices;
  double launch;
  int64_t tf32Flops;
  double accessTime;
  /// Of all SMs that have something to do, a nanosecond.
  double sharedRate, tensorRate, scalarRate, specialRate;
};

/// The time of a kernel with the number of stages that makes it fastest. The
/// total grows with every field of the load but `blocks` and `iterations`, and
/// but `bytesPerIteration` and `streams`, with which it shrinks.
KernelTimes estimateTimes(const KernelLoad &load, const TargetNumbers &target);
/// Its total.
double estimateNanoseconds(const KernelLoad &load, const TargetNumbers &target);
/// A lower bound of estimateNanoseconds that takes a fraction of the time to
/// compute: as if all stages took the shared memory of one.
double getLeastNanoseconds(const KernelLoad &load, const TargetNumbers &target);

/// What a graph-defined or pre-defined kernel of a graph has to do.
KernelLoad getKernelLoad(const KernelGraph &graph, const KernelNode &node,
                         const TargetNumbers &target);

/// What tensor cores do for an operator in a library: its flops, where the
/// operands are padded to the sizes that an mma instruction takes.
int64_t getPaddedTensorFlops(const Operator &op, llvm::ArrayRef<Shape> operands,
                             llvm::ArrayRef<int64_t> result,
                             const Params &params);

/// What tensor cores do for a product of matrices in a graph-defined kernel,
/// one of a result's, where the tiles are filled up to what an mma instruction
/// takes, in f16.
int64_t getTileProductFlops(llvm::ArrayRef<int64_t> result, int64_t depth);
/// Whether all steps of a product of such a depth are those in which a product
/// of f16 and f32 can be narrowed to f16 (docs/Lowering.md).
bool isDepthOfLongSteps(int64_t depth);

/// How often an operator on tiles reads one of them from shared memory: 1 but
/// for products of matrices with many rows or columns.
int64_t countTileReads(const Operator &op, llvm::ArrayRef<Shape> operands,
                       llvm::ArrayRef<int64_t> result, const Params &params,
                       unsigned operand);

/// How much longer products of matrices take to read a tile from shared memory
/// than its bytes say: more where its rows aren't multiples of the 16 bytes
/// that `ldmatrix` loads.
double getProductReadFactor(llvm::ArrayRef<int64_t> tile, unsigned bits);

/// The cost of one kernel of a graph.
CostEstimate estimateKernel(const KernelGraph &graph, const KernelNode &node,
                            TargetAttr target);

/// The cost of all kernels of a graph, one after the other.
CostEstimate estimateCost(const KernelGraph &graph, TargetAttr target);

} // namespace mirage

#endif // MIRAGE_COST_COSTMODEL_H
