//===- HostExecutable.cpp - Kernels compiled for and run on the host ------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/HostExecutable.h"
#include "AccessCounter.h"
#include "BlockRunner.h"
#include "DeviceWrites.h"
#include "Emulation.h"
#include "Jit.h"
#include "Mirage/Conversion/NVVMToHost/HostABI.h"
#include "Random.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>

using namespace mlir;
using namespace mirage;

struct HostExecutable::Implementation {
  std::unique_ptr<ExecutionEngine> engine;
  size_t staticSharedBytes = 0;
  std::vector<std::string> ops;
  /// 0 when accesses are not traced.
  size_t accessGranularity = 0;
  /// The gpu.modules of which some kernel waits for earlier launches itself.
  llvm::StringSet<> waiting;
};

HostExecutable::HostExecutable(std::unique_ptr<Implementation> implementation)
    : implementation(std::move(implementation)) {}

HostExecutable::~HostExecutable() = default;

llvm::Expected<std::unique_ptr<HostExecutable>>
HostExecutable::create(ModuleOp module, StringRef cpu) {
  auto implementation = std::make_unique<Implementation>();
  if (auto bytes =
          module->getAttrOfType<IntegerAttr>(host_abi::kStaticSharedBytes))
    implementation->staticSharedBytes = bytes.getInt();
  if (auto granularity =
          module->getAttrOfType<IntegerAttr>(host_abi::kAccessGranularity))
    implementation->accessGranularity = granularity.getInt();
  if (auto waiting = module->getAttrOfType<ArrayAttr>(host_abi::kWaitsForGrids))
    for (StringAttr name : waiting.getAsRange<StringAttr>())
      implementation->waiting.insert(name.getValue());
  if (auto ops = module->getAttrOfType<ArrayAttr>(host_abi::kOps))
    for (StringAttr op : ops.getAsRange<StringAttr>())
      implementation->ops.push_back(op.str());
  auto engine = compileForHost(module, cpu, emulation::getSymbols());
  if (!engine)
    return engine.takeError();
  implementation->engine = std::move(*engine);
  return std::unique_ptr<HostExecutable>(
      new HostExecutable(std::move(implementation)));
}

/// The clusters of a launch in the order in which they are run: that of the
/// grid, or, with a seed, any.
static std::vector<uint64_t> getOrder(const BlockLaunch &launch) {
  std::vector<uint64_t> order(launch.getNumClusters());
  std::iota(order.begin(), order.end(), 0);
  SplitMix64 random(launch.seed);
  if (launch.seed)
    shuffle(order, random);
  return order;
}

/// Runs all blocks of a launch on `threads` OS threads. The error is that of
/// the first cluster, in the order in which they are run, that had one among
/// those that ran.
static llvm::Error
runBlocks(const BlockLaunch &launch, unsigned threads, uint64_t countedBlocks,
          std::vector<std::unique_ptr<AccessCounter>> &counters) {
  uint64_t numClusters = launch.getNumClusters();
  // So many blocks, in whole clusters, evenly over the grid.
  uint64_t countedClusters =
      std::min(llvm::divideCeil(countedBlocks, launch.getBlocksPerCluster()),
               numClusters);
  auto isCounted = [&](uint64_t cluster) {
    return cluster * countedClusters / numClusters !=
           (cluster + 1) * countedClusters / numClusters;
  };
  const std::vector<uint64_t> order = getOrder(launch);
  std::atomic<uint64_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  uint64_t firstFailed = UINT64_MAX;
  llvm::Error result = llvm::Error::success();

  auto work = [&] {
    auto report = [&](uint64_t place, llvm::Error error) {
      std::lock_guard<std::mutex> lock(mutex);
      stop = true;
      if (place < firstFailed) {
        firstFailed = place;
        std::swap(result, error);
      }
      llvm::consumeError(std::move(error));
    };
    auto runner = BlockRunner::create(launch);
    if (!runner)
      return report(0, runner.takeError());
    // Clusters are handed out in order, so every one before a failed one runs
    // to its end.
    while (!stop) {
      uint64_t place = next++;
      if (place >= numClusters)
        break;
      const uint64_t cluster = order[place];
      if (llvm::Error error =
              (*runner)->run(cluster, launch.counts && isCounted(cluster)))
        return report(place, std::move(error));
    }
    std::lock_guard<std::mutex> lock(mutex);
    llvm::move((*runner)->takeCounters(), std::back_inserter(counters));
  };
  std::vector<std::thread> workers;
  for (uint64_t i = 1; i < std::min<uint64_t>(threads, numClusters); ++i)
    workers.emplace_back(work);
  work();
  for (std::thread &worker : workers)
    worker.join();
  return result;
}

llvm::Error HostExecutable::run(const CompiledProgram &program,
                                MutableArrayRef<Array> arguments,
                                const HostOptions &options) const {
  if (llvm::Error error = checkArguments(program, arguments))
    return error;
  if ((options.checks || options.counters) &&
      !implementation->accessGranularity)
    return llvm::createStringError("memory accesses can't be checked or "
                                   "counted in kernels that don't trace them");
  // More than 16 would help few launches, and each needs stacks for a block's
  // threads.
  constexpr unsigned kMostThreads = 1024;
  unsigned threads = std::min(options.threads, kMostThreads);
  if (threads == 0)
    threads = std::clamp(std::thread::hardware_concurrency(), 1u, 16u);

  std::vector<std::vector<uint8_t>> temporaries;
  std::vector<void *> addresses;
  for (auto [index, buffer] : llvm::enumerate(program.buffers)) {
    if (buffer.kind == BufferKind::Temporary)
      temporaries.emplace_back(buffer.bytes);
    std::vector<uint8_t> &bytes = buffer.kind == BufferKind::Temporary
                                      ? temporaries.back()
                                      : arguments[index].bytes;
    if (buffer.kind != BufferKind::Input)
      std::fill(bytes.begin(), bytes.end(), 0xff);
    addresses.push_back(bytes.data());
  }
  std::optional<DeviceWrites> writes;
  if (options.checks) {
    std::vector<DeviceWrites::Buffer> written;
    for (auto [buffer, address] : llvm::zip_equal(program.buffers, addresses))
      if (buffer.kind != BufferKind::Input)
        written.push_back({static_cast<const char *>(address), buffer.bytes});
    // Tensor maps may begin at any element.
    constexpr size_t kSmallestElement = 2;
    writes.emplace(
        written, std::min(implementation->accessGranularity, kSmallestElement));
  }

  for (const Launch &launch : program.launches) {
    auto kernel = implementation->engine->lookupPacked(
        host_abi::getFunctionName(launch.module, launch.kernel));
    if (!kernel)
      return kernel.takeError();
    std::vector<void *> parameters;
    std::vector<DeviceBuffer> buffers;
    // Which stay in their places.
    std::vector<HostTensorMap> maps;
    std::vector<void *> mapAddresses;
    maps.reserve(launch.arguments.size());
    mapAddresses.reserve(launch.arguments.size());
    for (const program_file::Argument &argument : launch.arguments) {
      parameters.push_back(&addresses[argument.buffer]);
      buffers.push_back({static_cast<const char *>(addresses[argument.buffer]),
                         program.buffers[argument.buffer].bytes});
      if (!argument.map)
        continue;
      maps.push_back(makeHostTensorMap(
          argument, program.buffers[argument.buffer],
          addresses[argument.buffer], static_cast<unsigned>(buffers.size())));
      mapAddresses.push_back(&maps.back());
      parameters.back() = &mapAddresses.back();
    }
    BlockLaunch blockLaunch{*kernel,
                            parameters.data(),
                            launch.grid,
                            launch.cluster,
                            launch.block,
                            implementation->staticSharedBytes,
                            launch.sharedBytes,
                            options.seed,
                            implementation->ops,
                            buffers,
                            maps,
                            options.checks,
                            implementation->accessGranularity,
                            options.counters != nullptr,
                            writes ? &*writes : nullptr,
                            implementation->waiting.contains(launch.module) &&
                                &launch != &program.launches.front()};
    if (writes)
      writes->startLaunch(blockLaunch.getNumClusters());
    uint64_t blocks = blockLaunch.getNumBlocks();
    std::vector<std::unique_ptr<AccessCounter>> counters;
    if (llvm::Error error = runBlocks(
            blockLaunch, threads,
            options.countedBlocks ? options.countedBlocks : blocks, counters))
      return llvm::createStringError("kernel '%s', %s", launch.kernel.c_str(),
                                     llvm::toString(std::move(error)).c_str());
    if (options.counters) {
      KernelCounters kernel = AccessCounter::collect(counters, blocks);
      kernel.kernel = launch.kernel;
      kernel.threadsPerBlock =
          uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
      options.counters->push_back(std::move(kernel));
    }
  }
  return llvm::Error::success();
}
