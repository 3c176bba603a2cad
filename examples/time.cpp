//===- time.cpp - Keeps tensors on the device, and measures ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// time PROGRAM [ITERATIONS]: describes a compiled program, runs it as a CUDA
// graph on a stream and prints how long it takes, with a warm and with a cold
// L2 cache.
//
//===----------------------------------------------------------------------===//

#include "mirage-c/Runtime.h"
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

void check(MirageRuntimeStatus status) {
  if (status == MIRAGE_RUNTIME_SUCCESS)
    return;
  std::fprintf(stderr, "%s: %s\n", mirageRuntimeGetStatusName(status),
               mirageRuntimeGetLastError());
  std::exit(1);
}

/// A handle that is given back with its owner.
template <typename T, void (*destroy)(T *)> struct Destroy {
  void operator()(T *handle) const { destroy(handle); }
};
template <typename T, void (*destroy)(T *)>
using Handle = std::unique_ptr<T, Destroy<T, destroy>>;

std::string describe(const MirageRuntimeTensor &tensor) {
  const char *types[] = {"f16", "bf16", "f32", "f64"};
  std::string text = std::string(tensor.name) + ": ";
  for (size_t d = 0; d < tensor.rank; ++d)
    text += std::to_string(tensor.dims[d]) + "x";
  return text + types[tensor.elementType];
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s PROGRAM [ITERATIONS]\n", argv[0]);
    return 2;
  }
  MirageRuntimeDevice *device = nullptr;
  check(mirageRuntimeOpenDevice(0, &device));
  Handle<MirageRuntimeDevice, mirageRuntimeCloseDevice> ownDevice(device);
  MirageRuntimeProgram *program = nullptr;
  check(mirageRuntimeLoadProgramFile(device, argv[1], &program));
  Handle<MirageRuntimeProgram, mirageRuntimeDestroyProgram> ownProgram(program);

  MirageRuntimeProgramInfo info;
  check(mirageRuntimeGetProgramInfo(program, &info));
  std::printf("%s for %s, %zu launches\n", info.name, info.chip,
              info.numLaunches);
  std::vector<void *> arguments;
  for (size_t i = 0; i < info.numInputs + info.numOutputs; ++i) {
    MirageRuntimeTensor tensor;
    check(i < info.numInputs
              ? mirageRuntimeGetInput(program, i, &tensor)
              : mirageRuntimeGetOutput(program, i - info.numInputs, &tensor));
    std::printf("  %s\n", describe(tensor).c_str());
    arguments.push_back(nullptr);
    check(mirageRuntimeAllocate(device, tensor.bytes, &arguments.back()));
    check(mirageRuntimeFill(device, arguments.back(), 0, tensor.bytes));
  }

  MirageRuntimeGraph *graph = nullptr;
  check(mirageRuntimeCapture(program, arguments.data(), /*repeats=*/1, &graph));
  Handle<MirageRuntimeGraph, mirageRuntimeDestroyGraph> ownGraph(graph);
  check(mirageRuntimeLaunchGraph(graph, /*stream=*/nullptr));
  check(mirageRuntimeSynchronize(device, /*stream=*/nullptr));

  for (int cold : {0, 1}) {
    MirageRuntimeTimingOptions options = {};
    options.iterations = argc > 2 ? std::atoi(argv[2]) : 100;
    options.warmup = 10;
    options.cold = cold;
    MirageRuntimeTiming timing;
    check(mirageRuntimeTime(program, arguments.data(), &options, &timing,
                            /*samples=*/nullptr));
    std::printf("%s: median %.2f us, minimum %.2f us\n", cold ? "cold" : "warm",
                timing.median, timing.minimum);
  }
  for (void *pointer : arguments)
    check(mirageRuntimeFree(device, pointer));
  return 0;
}
