//===- Profilers.h - Candidates compiled and timed --------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SELECT_PROFILERS_H
#define MIRAGE_SELECT_PROFILERS_H

#include "Mirage/Runtime/Runtime.h"
#include "Mirage/Select/Selection.h"

namespace mirage {

/// What runs a compiled function on a device.
class DeviceRunner {
public:
  virtual ~DeviceRunner();
  /// See Profiler.
  virtual std::string getDevice() const = 0;
  virtual std::string getMethod() const = 0;
  /// Runs `function` of a module in the gpu dialect (see runOnCuda).
  virtual llvm::Error run(mlir::ModuleOp module, llvm::StringRef function,
                          llvm::MutableArrayRef<Array> arguments) = 0;
  /// The same, timed, in nanoseconds. Called after `run` only.
  virtual llvm::Expected<double>
  time(mlir::ModuleOp module, llvm::StringRef function,
       llvm::MutableArrayRef<Array> arguments) = 0;
};

/// A GPU through the CUDA driver. Fails when there is no driver or no device
/// that could run the kernels; the message says which.
llvm::Expected<std::unique_ptr<DeviceRunner>>
makeCudaRunner(const CudaOptions &options = {});

/// The host's emulation of a GPU: its times say nothing about a GPU's, but it
/// checks what candidates compute, anywhere.
std::unique_ptr<DeviceRunner> makeHostRunner(const HostOptions &options = {});

struct ProfilerOptions {
  /// The chip to compile for.
  std::string chip = "sm_90a";
  /// Of the random inputs.
  uint64_t seed = 1;
  /// The largest error over the largest magnitude of an output, compared with
  /// the reference in f64, with which a candidate's time counts; none: as
  /// OutputCheck has it.
  std::optional<double> tolerance;
};

/// Compiles candidates for `reference` by the passes of the pipeline, runs them
/// on `runner`, compares what they compute with the interpreter's f64 results
/// for the reference, and times them. Both must outlive it. Candidates must
/// have functions, in modules with the functions that they refer to.
std::unique_ptr<Profiler> makeProfiler(const KernelGraph &reference,
                                       DeviceRunner &runner,
                                       const ProfilerOptions &options);

} // namespace mirage

#endif // MIRAGE_SELECT_PROFILERS_H
