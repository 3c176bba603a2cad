//===- BlockRunner.h - Runs thread blocks as fibers -------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_RUNTIME_BLOCKRUNNER_H
#define MIRAGE_LIB_RUNTIME_BLOCKRUNNER_H

#include "Mirage/Conversion/NVVMToHost/HostABI.h"
#include "TensorMaps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace mirage {

class AccessCounter;
class DeviceWrites;

/// A kernel as the JIT compiles it: takes the addresses of the arguments.
using HostKernel = void (*)(void **);

/// What memory is filled with before a kernel writes it.
inline constexpr uint8_t kUninitialized = 0xff;

/// A kernel's argument.
struct DeviceBuffer {
  const char *begin;
  size_t bytes;
};

/// What all blocks of a launch share.
struct BlockLaunch {
  HostKernel kernel;
  void **arguments;
  /// Of the grid in blocks, of a cluster in blocks, which divides it, and of a
  /// block in threads.
  std::array<uint32_t, 3> grid, cluster, block;
  /// Bytes of static shared memory (rounded up to host_abi::kSharedAlignment)
  /// and of dynamic after it.
  size_t staticSharedBytes, dynamicSharedBytes;
  /// For the order of threads, see HostOptions.
  uint64_t seed;
  /// What the ops of the kernels are, by their number.
  llvm::ArrayRef<std::string> ops;
  /// The kernel's arguments, and the tensor maps that it gets of some of them.
  llvm::ArrayRef<DeviceBuffer> buffers;
  llvm::ArrayRef<HostTensorMap> maps;
  /// Whether to check accesses, for kernels whose accesses are traced, and
  /// host_abi::kAccessGranularity of those.
  bool checks;
  size_t accessGranularity;
  /// Whether some blocks are counted.
  bool counts;
  /// Who has written what; null without checks.
  DeviceWrites *writes;
  /// Whether blocks may begin before earlier launches have ended, and have to
  /// wait for that themselves (griddepcontrol.wait).
  bool mayOverlap;

  uint64_t getNumBlocks() const {
    return uint64_t{grid[0]} * grid[1] * grid[2];
  }
  unsigned getBlocksPerCluster() const {
    return cluster[0] * cluster[1] * cluster[2];
  }
  uint64_t getNumClusters() const {
    return getNumBlocks() / getBlocksPerCluster();
  }
};

/// Runs blocks on the OS thread that calls it: those of a cluster together, and
/// clusters one after the other. Fibers and their stacks are kept from cluster
/// to cluster.
class BlockRunner {
public:
  /// Fails when there is no memory for the stacks.
  static llvm::Expected<std::unique_ptr<BlockRunner>>
  create(const BlockLaunch &launch);
  ~BlockRunner();

  /// Runs the cluster with this index in the grid, x fastest, and counts what
  /// its blocks do if `count`. After an error the runner must not be used
  /// again.
  llvm::Error run(uint64_t clusterIndex, bool count = false);

  /// What was counted, by block of a cluster; null when the launch doesn't say
  /// that it is.
  std::vector<std::unique_ptr<AccessCounter>> takeCounters();

  struct Implementation;

private:
  explicit BlockRunner(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation;
};

} // namespace mirage

#endif // MIRAGE_LIB_RUNTIME_BLOCKRUNNER_H
