//===- Timing.cpp - Times of runs, on the host and on a GPU ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include "Mirage/Pipelines/GPULowering.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace mlir;
using namespace mirage;
namespace cl = llvm::cl;

TimingCommandLine::TimingCommandLine(cl::OptionCategory &category)
    : time("time", cl::desc("Print how long the program takes"),
           cl::cat(category)),
      cold("cold", cl::desc("With --time: clear the L2 cache before each run"),
           cl::cat(category)),
      kernels("no-graph",
              cl::desc("With --time: launch kernels one by one rather than as "
                       "a CUDA graph"),
              cl::cat(category)),
      iterations("iterations",
                 cl::desc("With --time: how often to measure; 100 by default, "
                          "3 on the host"),
                 cl::init(0), cl::cat(category)),
      warmup("warmup",
             cl::desc("With --time: runs before that don't count; 10"),
             cl::init(10), cl::cat(category)),
      repeats("repeats",
              cl::desc("With --time: runs in what is measured once; 1"),
              cl::init(1), cl::cat(category)) {}

llvm::Error TimingCommandLine::check() const {
  for (const cl::Option *option : std::initializer_list<const cl::Option *>{
           &cold, &kernels, &iterations, &warmup, &repeats})
    if (option->getNumOccurrences() && !time)
      return llvm::createStringError("--" + option->ArgStr +
                                     " is of use with --time only");
  if (iterations.getNumOccurrences() && iterations == 0)
    return llvm::createStringError("--iterations must be at least 1");
  if (repeats == 0)
    return llvm::createStringError("--repeats must be at least 1");
  if (cold && repeats > 1)
    return llvm::createStringError(
        "only the first of several runs is cold: --repeats must be 1");
  return llvm::Error::success();
}

MirageRuntimeTimingOptions TimingCommandLine::getOptions() const {
  return {iterations, warmup, repeats, cold, kernels};
}

static llvm::Error toError(MirageRuntimeStatus status) {
  if (status == MIRAGE_RUNTIME_SUCCESS)
    return llvm::Error::success();
  return llvm::createStringError(llvm::StringRef(mirageRuntimeGetLastError()));
}

llvm::Error mirage::printCudaTiming(CudaProgram &program,
                                    llvm::ArrayRef<Array> arguments,
                                    const TimingCommandLine &commandLine,
                                    llvm::raw_ostream &out) {
  llvm::Expected<MirageRuntimeTiming> timing =
      program.time(arguments, commandLine.getOptions());
  if (!timing)
    return timing.takeError();
  MirageRuntimeProgramInfo info;
  if (llvm::Error error =
          toError(mirageRuntimeGetProgramInfo(program.get(), &info)))
    return error;
  out << llvm::formatv("time: median {0:f3} us, minimum {1:f3} us ({2} "
                       "iterations, {3}, L2 cache {4})\n",
                       timing->median, timing->minimum, timing->iterations,
                       commandLine.kernels ? "single launches" : "CUDA graph",
                       commandLine.cold ? "cold" : "warm");
  if (info.bandwidth) {
    double floor = static_cast<double>(info.argumentBytes) /
                   (1e3 * static_cast<double>(info.bandwidth));
    out << llvm::formatv("floor: {0:f3} us ({1} bytes at {2} GB/s); the median "
                         "is at {3:f1} % of it\n",
                         floor, info.argumentBytes, info.bandwidth,
                         timing->median > 0 ? 100 * floor / timing->median : 0);
  }
  for (size_t i = 0; i < info.numLaunches; ++i) {
    MirageRuntimeLaunchInfo launch;
    if (llvm::Error error =
            toError(mirageRuntimeGetLaunch(program.get(), i, &launch)))
      return error;
    out << "launch " << i << ": " << launch.kernel << " ("
        << launch.implementation;
    if (*launch.reason)
      out << "; no library: " << launch.reason;
    out << ")\n";
  }
  return llvm::Error::success();
}

llvm::Error mirage::printHostTiming(ModuleOp module, StringRef function,
                                    MutableArrayRef<Array> arguments,
                                    const HostOptions &options,
                                    const TimingCommandLine &commandLine,
                                    llvm::raw_ostream &out) {
  FailureOr<CompiledProgram> program =
      extractProgram(module.lookupSymbol<func::FuncOp>(function));
  if (failed(program))
    return llvm::createStringError("the function '" + function +
                                   "' can't be run");
  OwningOpRef<ModuleOp> lowered = module.clone();
  PassManager pm(module.getContext());
  buildGPUToHostPipeline(pm);
  if (failed(pm.run(*lowered)))
    return llvm::createStringError("lowering the kernels to the host failed");
  auto executable = HostExecutable::create(*lowered);
  if (!executable)
    return executable.takeError();

  // Its kernels trace no accesses: what is checked or counted is another thing.
  HostOptions untraced = options;
  untraced.checks = false;
  untraced.counters = nullptr;
  // The emulation takes seconds; the first run that gave the results has warmed
  // whatever can be.
  unsigned iterations = commandLine.iterations ? commandLine.iterations : 3u;
  std::vector<double> seconds;
  for (unsigned i = 0; i < iterations; ++i) {
    auto start = std::chrono::steady_clock::now();
    if (llvm::Error error = (*executable)->run(*program, arguments, untraced))
      return error;
    std::chrono::duration<double> elapsed =
        std::chrono::steady_clock::now() - start;
    seconds.push_back(elapsed.count());
  }
  llvm::sort(seconds);
  size_t n = seconds.size();
  out << llvm::formatv(
      "time on the host: median {0:f3} s, minimum {1:f3} s ({2} iterations): "
      "of the emulation, which says nothing about a GPU\n",
      (seconds[(n - 1) / 2] + seconds[n / 2]) / 2, seconds[0], n);
  return llvm::Error::success();
}
