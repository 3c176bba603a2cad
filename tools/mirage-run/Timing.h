//===- Timing.h - Times of runs, on the host and on a GPU -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MIRAGERUN_TIMING_H
#define MIRAGE_TOOLS_MIRAGERUN_TIMING_H

#include "Mirage/Runtime/Cuda.h"
#include "Mirage/Runtime/HostExecutable.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace mirage {

/// The options of mirage-run that are about time.
struct TimingCommandLine {
  explicit TimingCommandLine(llvm::cl::OptionCategory &category);

  /// Fails if options don't go together.
  llvm::Error check() const;
  MirageRuntimeTimingOptions getOptions() const;

  llvm::cl::opt<bool> time, cold, kernels;
  llvm::cl::opt<unsigned> iterations, warmup, repeats;
};

/// Measures a program on the device and prints median and minimum, what part
/// of the floor they are (its inputs and outputs at the target's bandwidth),
/// and what runs in place of kernels.
llvm::Error printCudaTiming(CudaProgram &program,
                            llvm::ArrayRef<Array> arguments,
                            const TimingCommandLine &commandLine,
                            llvm::raw_ostream &out);

/// The same for the kernels of `module`, which is in the gpu dialect, on the
/// host; says that this is no measure for a GPU.
llvm::Error printHostTiming(mlir::ModuleOp module, llvm::StringRef function,
                            llvm::MutableArrayRef<Array> arguments,
                            const HostOptions &options,
                            const TimingCommandLine &commandLine,
                            llvm::raw_ostream &out);

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGERUN_TIMING_H
