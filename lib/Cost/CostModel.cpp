//===- CostModel.cpp - What a μGraph is expected to cost ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Cost/CostModel.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Mirage/ChipFeatures.h"
#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include <algorithm>
#include <cmath>

using namespace mirage;

namespace {
/// What one iteration of a loop takes at least, whatever was loaded ahead, in
/// nanoseconds: its barriers and a chain of dependent instructions.
constexpr double kIterationOverhead = 70;
/// What each further step takes (fitted to measurements).
constexpr double kStepOverhead = 50;
/// The same of a loop that only accumulates what it loads.
constexpr double kStreamedIterationOverhead = 25;
/// What the L2 cache gives to all SMs together, in bytes a cycle.
constexpr double kL2BytesPerCycle = 5120;
/// The part of the shorter times that the longest does not hide.
constexpr double kOverlapLoss = 0.1;
/// Shared memory that the lowering takes for other things than tiles: more was
/// not seen where tiles took nearly all.
constexpr int64_t kMostOtherBytes = 8192;
constexpr int64_t kMostBlocksPerSm = 8;
/// However few bytes are in flight, others are on their way, too.
constexpr double kLeastThroughput = 0.05;
/// With fewer tiles at a time on an SM than these, of a loop that takes as many
/// or more, its memory idles while a tile that has come has to wait until one
/// has been computed with: this part of the bandwidth is left (measured).
constexpr int64_t kEnoughTiles = 3;
constexpr double kFewTilesThroughput = 0.85;
} // namespace

CostEstimate &CostEstimate::operator+=(const CostEstimate &other) {
  nanoseconds += other.nanoseconds;
  deviceBytes += other.deviceBytes;
  requestedBytes += other.requestedBytes;
  tensorFlops += other.tensorFlops;
  kernels += other.kernels;
  return *this;
}

TargetNumbers::TargetNumbers(TargetAttr target)
    : smCount(target.getSmCount()), sharedBytes(target.getSharedBytes()),
      bandwidth(target.getBandwidth()), tensorFlops(target.getTflops() * 1e3),
      launch(target.getLaunchNs()) {
  tileBytes = sharedBytes - std::min(kMostOtherBytes, sharedBytes / 16);
  // Alike in all generations since Volta, but for clocks of 1.4 to 2 GHz.
  clock = 1.7;
  l2Bandwidth = kL2BytesPerCycle * clock;
  sharedBandwidth = 128 * clock;
  scalarRate = 128 * clock;
  specialRate = 16 * clock;
  latency = 700;
  // Little's law.
  bytesInFlight = bandwidth * latency / smCount;
  hasTMA = hasTensorMemoryAccelerator(target.getChip());
}

double mirage::getLoadCycles(const TileAccess &access, bool inLoop,
                             const TargetNumbers &target) {
  bool inBoxes = inLoop && target.hasTMA;
  return std::max(access.cycles, inBoxes ? access.boxCycles : 0);
}

/// How many times longer than at the full `bandwidth` of a memory the blocks
/// take, each of which moves as much. Those that run at a time share it alike,
/// wherever they are, but an SM has no more than its share of the L2 cache's.
/// If not all run at a time, those of the last round have it for themselves.
static double getSlowdown(int64_t blocks, bool allRun, double bandwidth,
                          const TargetNumbers &target) {
  auto getRate = [&](int64_t running) {
    double part = static_cast<double>(running) / target.smCount;
    return std::min(bandwidth, std::min(part, 1.0) * target.l2Bandwidth);
  };
  if (allRun)
    return bandwidth / getRate(blocks);
  int64_t last = (blocks - 1) % target.smCount + 1;
  return ((blocks - last) / getRate(target.smCount) + last / getRate(last)) *
         bandwidth / blocks;
}

/// The times with a number of stages, as if they took so much shared memory,
/// but for those of work and the total.
static KernelTimes getMemoryTimes(const KernelLoad &load,
                                  const TargetNumbers &target, int64_t stages,
                                  double shared) {
  KernelTimes times;
  times.stages = stages;
  double blocksPerSm = (target.sharedBytes + kReservedSharedBytes) /
                       (shared + kReservedSharedBytes);
  if (load.registers > 0)
    blocksPerSm = std::min(blocksPerSm, kRegistersPerSm / load.registers);
  times.blocksPerSm = static_cast<int64_t>(
      std::clamp<double>(blocksPerSm, 1, kMostBlocksPerSm));

  // Waves: blocks that don't fill the last one leave SMs idle in it.
  times.waves =
      llvm::divideCeil(load.blocks, target.smCount * times.blocksPerSm);

  // Loads that are under way while a tile is computed with.
  int64_t iterations = std::max<int64_t>(load.iterations, 1);
  int64_t ahead = load.streams
                      ? std::min(iterations, block::kStreamedIterations)
                      : std::clamp<int64_t>(stages - 1, 1, iterations);
  double resident = std::min<double>(
      times.blocksPerSm, static_cast<double>(load.blocks) / target.smCount);
  times.throughput = std::clamp(load.bytesPerIteration * ahead * resident /
                                    target.bytesInFlight,
                                kLeastThroughput, 1.0);
  int64_t tiles = stages * std::max<int64_t>(std::ceil(resident), 1);
  if (!load.streams && tiles < std::min(kEnoughTiles, load.iterations))
    times.throughput *= kFewTilesThroughput;
  bool allRun = load.blocks <= target.smCount * times.blocksPerSm;
  auto getMemoryTime = [&](double bytes, double bandwidth) {
    return bytes / bandwidth *
           std::max(1 / times.throughput,
                    getSlowdown(load.blocks, allRun, bandwidth, target));
  };
  times.device = getMemoryTime(load.deviceBytes, target.bandwidth);
  times.l2 = getMemoryTime(load.requestedBytes, target.l2Bandwidth);
  // The first load of each wave, and with one stage that of each iteration, is
  // waited for.
  double waited = stages > 1 || load.streams ? 1 : iterations;
  double overhead =
      load.streams ? kStreamedIterationOverhead : kIterationOverhead;
  times.exposed =
      times.waves * (std::max(waited, 1 + load.waits) * target.latency +
                     load.iterations * overhead + load.steps * kStepOverhead);
  times.exposed += (load.launches - 1) * target.latency;
  return times;
}

/// Nothing if the stages don't fit.
static std::optional<KernelTimes> getMemoryTimes(const KernelLoad &load,
                                                 const TargetNumbers &target,
                                                 int64_t stages) {
  double shared = std::max(load.sharedBytes + (stages - 1) * load.stageBytes,
                           load.behindBytes);
  if (stages > 1 && shared > target.sharedBytes)
    return std::nullopt;
  return getMemoryTimes(load, target, stages, shared);
}

/// The numbers of stages that may make a kernel fastest.
static llvm::SmallVector<KernelTimes, 4>
getChoices(const KernelLoad &load, const TargetNumbers &target) {
  llvm::SmallVector<KernelTimes, 4> choices;
  int64_t most = std::min(kDefaultStages, load.iterations);
  // Stages that take nothing are no loss.
  int64_t first = load.stageBytes == 0 && most >= 2 ? 2 : 1;
  for (int64_t stages = first; stages <= most || choices.empty(); ++stages) {
    std::optional<KernelTimes> times = getMemoryTimes(load, target, stages);
    if (!times && !choices.empty())
      break;
    choices.push_back(times ? *times : *getMemoryTimes(load, target, 1));
    // More would only take memory.
    if (stages > 1 && choices.back().throughput == 1)
      break;
  }
  return choices;
}

KernelTimer::KernelTimer(const KernelLoad &load, const TargetNumbers &target)
    : KernelTimer(load, target, getChoices(load, target)) {}

KernelTimer::KernelTimer(const KernelLoad &load, const TargetNumbers &target,
                         llvm::SmallVector<KernelTimes, 4> choices)
    : choices(std::move(choices)), launch(load.launches * target.launch),
      tf32Flops(load.tf32Flops) {
  int64_t rounds = llvm::divideCeil(load.blocks, target.smCount);
  double sms = static_cast<double>(load.blocks) / rounds;
  accessTime = load.accessCycles / (target.clock * sms);
  sharedRate = target.sharedBandwidth * sms;
  tensorRate = target.tensorFlops * (sms / target.smCount);
  scalarRate = target.scalarRate * sms;
  specialRate = target.specialRate * sms;
}

KernelTimer::WorkTimes KernelTimer::getWorkTimes(const OperatorCost &work,
                                                 double sharedTraffic) const {
  // Loads and stores go through the one memory of an SM, and scalar arithmetic
  // and special functions share the issue slots.
  return {accessTime + sharedTraffic / sharedRate,
          (static_cast<double>(work.tensorFlops) + tf32Flops) / tensorRate,
          work.scalarFlops / scalarRate + work.specialFunctions / specialRate};
}

double KernelTimer::getTotal(const KernelTimes &times,
                             const WorkTimes &work) const {
  double sum =
      times.device + times.l2 + work.onChip + work.tensor + work.arithmetic;
  double longest = std::max(
      {times.device, times.l2, work.onChip, work.tensor, work.arithmetic});
  return launch + longest + kOverlapLoss * (sum - longest) + times.exposed;
}

KernelTimes KernelTimer::getTimes(const OperatorCost &work,
                                  double sharedTraffic) const {
  const WorkTimes ofWork = getWorkTimes(work, sharedTraffic);
  KernelTimes best = *llvm::min_element(
      choices, [&](const KernelTimes &a, const KernelTimes &b) {
        return getTotal(a, ofWork) < getTotal(b, ofWork);
      });
  best.onChip = ofWork.onChip;
  best.tensor = ofWork.tensor;
  best.arithmetic = ofWork.arithmetic;
  best.total = getTotal(best, ofWork);
  return best;
}

double KernelTimer::getNanoseconds(const OperatorCost &work,
                                   double sharedTraffic) const {
  const WorkTimes ofWork = getWorkTimes(work, sharedTraffic);
  double least = std::numeric_limits<double>::infinity();
  for (const KernelTimes &times : choices)
    least = std::min(least, getTotal(times, ofWork));
  return least;
}

KernelTimes mirage::estimateTimes(const KernelLoad &load,
                                  const TargetNumbers &target) {
  return KernelTimer(load, target).getTimes(load.work, load.sharedTraffic);
}

double mirage::estimateNanoseconds(const KernelLoad &load,
                                   const TargetNumbers &target) {
  return KernelTimer(load, target)
      .getNanoseconds(load.work, load.sharedTraffic);
}

double mirage::getLeastNanoseconds(const KernelLoad &load,
                                   const TargetNumbers &target) {
  int64_t most = std::clamp<int64_t>(load.iterations, 1, kDefaultStages);
  const double shared = std::max(load.sharedBytes, load.behindBytes);
  return KernelTimer(load, target, {getMemoryTimes(load, target, most, shared)})
      .getNanoseconds(load.work, load.sharedTraffic);
}

CostEstimate mirage::estimateKernel(const KernelGraph &graph,
                                    const KernelNode &node, TargetAttr target) {
  if (graph.isWithoutKernel(node))
    return {};
  TargetNumbers numbers(target);
  KernelLoad load = getKernelLoad(graph, node, numbers);
  CostEstimate cost;
  cost.kernels = 1;
  cost.deviceBytes = load.deviceBytes;
  cost.requestedBytes = load.requestedBytes;
  cost.tensorFlops = load.work.tensorFlops;
  cost.nanoseconds = estimateNanoseconds(load, numbers);
  return cost;
}

CostEstimate mirage::estimateCost(const KernelGraph &graph, TargetAttr target) {
  CostEstimate cost;
  for (const KernelNode &node : graph.nodes)
    cost += estimateKernel(graph, node, target);
  return cost;
}
