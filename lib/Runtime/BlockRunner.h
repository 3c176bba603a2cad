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
#include "llvm/Support/Error.h"
#include <array>
#include <memory>
#include <vector>

namespace mirage {

/// A kernel as the JIT compiles it: takes the addresses of the arguments.
using HostKernel = void (*)(void **);

/// What all blocks of a launch share.
struct BlockLaunch {
  HostKernel kernel;
  void **arguments;
  std::array<uint32_t, 3> grid, block;
  /// Bytes of static shared memory (rounded up to host_abi::kSharedAlignment)
  /// and of dynamic after it.
  size_t staticSharedBytes, dynamicSharedBytes;
  /// For the order of threads, see HostOptions.
  uint64_t seed;
};

/// Runs blocks, one at a time, on the OS thread that calls it. Fibers and their
/// stacks are kept from block to block.
class BlockRunner {
public:
  /// Fails when there is no memory for the stacks.
  static llvm::Expected<std::unique_ptr<BlockRunner>>
  create(const BlockLaunch &launch);
  ~BlockRunner();

  /// Runs the block with this index in the grid, x fastest. After an error the
  /// runner must not be used again.
  llvm::Error run(uint64_t blockIndex);

  struct Implementation;

private:
  explicit BlockRunner(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation;
};

/// The functions of HostABI.h, to be called by kernels that a BlockRunner runs.
namespace emulation {
int32_t specialRegister(int32_t which);
void *sharedMemory(int64_t offset);
void barrier();
int64_t shuffle(int32_t kind, int32_t threadMask, int32_t value, int32_t offset,
                int32_t maskAndClamp);
} // namespace emulation

} // namespace mirage

#endif // MIRAGE_LIB_RUNTIME_BLOCKRUNNER_H
