//===- HostExecutable.h - Kernels compiled for the host ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_RUNTIME_HOSTEXECUTABLE_H
#define MIRAGE_RUNTIME_HOSTEXECUTABLE_H

#include "Mirage/Runtime/Counters.h"
#include "Mirage/Runtime/Program.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <vector>

namespace mirage {

struct HostOptions {
  /// OS threads that share the blocks of a launch; 0 takes one for each
  /// processor.
  unsigned threads = 0;
  /// 0 runs the threads of a block in their order; any other seed in an order
  /// that is random but the same for the same seed. A program that is free of
  /// races gives the same results for every seed.
  uint64_t seed = 0;
  /// Whether to check memory accesses: races on shared memory, reads of shared
  /// memory that nothing was written to, accesses out of bounds, misaligned
  /// ones; and that accumulators of wgmma are used after their wait. For
  /// executables with traced accesses; two to ten times slower.
  bool checks = false;
  /// Receives counters for each launch, if not null; for executables with
  /// traced accesses.
  std::vector<KernelCounters> *counters = nullptr;
  /// How many blocks of each launch are counted, evenly over the grid; 0: all.
  /// All blocks run.
  uint64_t countedBlocks = 0;
};

/// Kernels compiled to the host's machine code. Each CUDA thread runs as a
/// fiber. Results don't depend on how many OS threads there are.
class HostExecutable {
public:
  /// Compiles `module`, which convert-nvvm-to-host made and which is not
  /// changed, for this processor, or for an older one named `cpu` ("x86-64")
  /// when that isn't empty.
  static llvm::Expected<std::unique_ptr<HostExecutable>>
  create(mlir::ModuleOp module, llvm::StringRef cpu = "");
  ~HostExecutable();

  /// Runs the launches of `program` on `arguments` (see checkArguments).
  /// Outputs, temporaries and, before each block, its shared memory are filled
  /// with the byte 0xff, which is a NaN, so that what a kernel reads or leaves
  /// uninitialized shows. Fails, naming kernel and block, threads and ops, when
  /// threads of a block wait for each other in vain (a barrier that not all of
  /// them reach), when the end of shared memory is overwritten, or when a check
  /// finds something.
  llvm::Error run(const CompiledProgram &program,
                  llvm::MutableArrayRef<Array> arguments,
                  const HostOptions &options = {}) const;

private:
  struct Implementation;
  explicit HostExecutable(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation;
};

} // namespace mirage

#endif // MIRAGE_RUNTIME_HOSTEXECUTABLE_H
