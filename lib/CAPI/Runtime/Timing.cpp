//===- Timing.cpp - CUDA graphs, and how long programs take ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include <algorithm>

using namespace mirage::runtime;

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

CapturedGraph::~CapturedGraph() {
  ContextScope scope(*device);
  executable = OwnedGraphExec(device->getDriver());
  graph = OwnedGraph(device->getDriver());
}

Status CapturedGraph::launch(CUstream stream) {
  const Driver &driver = device->getDriver();
  return driver.check(driver.graphLaunch(executable.get(), stream),
                      "launching a graph");
}

Status Program::capture(void *const *arguments, uint32_t repeats,
                        std::unique_ptr<CapturedGraph> &graph) {
  auto captured = std::make_unique<CapturedGraph>(device);
  ContextScope scope(*device);
  if (scope.getStatus())
    return scope.getStatus();
  OwnedStream stream(driver);
  if (Status status = driver.check(
          stream.made(driver.streamCreate(stream.put(), kStreamNonBlocking)),
          "creating a stream"))
    return status;
  // Other threads may go on allocating meanwhile.
  if (Status status =
          driver.check(driver.streamBeginCapture(stream.get(),
                                                 kStreamCaptureModeThreadLocal),
                       "beginning to capture"))
    return status;
  // Also after an error: a capture must be ended, and may leave a graph.
  auto end = [&] {
    return captured->graph.made(
        driver.streamEndCapture(stream.get(), captured->graph.put()));
  };
  Status launched;
  try {
    for (uint32_t i = 0; i < repeats && !launched; ++i)
      launched = enqueue(arguments, stream.get());
  } catch (...) {
    // There is no memory.
    end();
    throw;
  }
  CUresult ended = end();
  if (launched)
    return launched;
  if (Status status = driver.check(ended, "capturing a graph"))
    return status;
  if (Status status = driver.check(
          captured->executable.made(driver.graphInstantiate(
              captured->executable.put(), captured->graph.get(), 0)),
          "instantiating a graph"))
    return status;
  graph = std::move(captured);
  return {};
}

//===----------------------------------------------------------------------===//
// Timing
//===----------------------------------------------------------------------===//

/// Reads a buffer of 16 bytes times `count`. The bits of its words are folded,
/// and stored if that gives all ones, which a buffer of zeros doesn't: loads
/// whose results are of no use would be left out.
static constexpr char kReadPtx[] = R"(//
// Evicts whatever else is in the L2 cache.
.version 7.0
.target sm_80
.address_size 64

.visible .entry mirage_read(.param .u64 buffer, .param .u64 count)
{
  .reg .pred %p<2>;
  .reg .b32 %r<10>;
  .reg .b64 %d<6>;
  ld.param.u64 %d0, [buffer];
  ld.param.u64 %d1, [count];
  cvta.to.global.u64 %d0, %d0;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %nctaid.x;
  mul.wide.u32 %d2, %r0, %r1;
  cvt.u64.u32 %d3, %r2;
  add.u64 %d2, %d2, %d3;
  mul.wide.u32 %d3, %r1, %r3;
  mov.u32 %r4, 0;
again:
  setp.ge.u64 %p0, %d2, %d1;
  @%p0 bra done;
  shl.b64 %d4, %d2, 4;
  add.u64 %d4, %d0, %d4;
  ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%d4];
  or.b32 %r5, %r5, %r6;
  or.b32 %r7, %r7, %r8;
  or.b32 %r5, %r5, %r7;
  or.b32 %r4, %r4, %r5;
  add.u64 %d2, %d2, %d3;
  bra again;
done:
  setp.eq.u32 %p1, %r4, 0xffffffff;
  @%p1 st.global.u32 [%d0], %r4;
  ret;
}
)";

namespace {

/// A buffer that is read to leave nothing else in the L2 cache. Reading leaves
/// no lines that have to be written back when others come, which writing does.
class CacheFlush {
public:
  explicit CacheFlush(const Device &device)
      : driver(device.getDriver()), module(driver), memory(driver),
        numBlocks(2 * device.getInfo().multiprocessors) {}

  Status prepare(const Device &device) {
    // Which lines are replaced first isn't known, and the device has to be busy
    // until the host has enqueued what is measured.
    constexpr size_t kLeast = 128 << 20;
    size_t bytes = std::max<size_t>(4 * device.getInfo().l2Bytes, kLeast);
    count = bytes / 16;
    if (Status status =
            driver.check(module.made(driver.moduleLoadDataEx(
                             module.put(), kReadPtx, 0, nullptr, nullptr)),
                         "loading the kernel that clears the L2 cache"))
      return status;
    if (Status status = driver.check(
            driver.moduleGetFunction(&function, module.get(), "mirage_read"),
            "look-up of the kernel that clears the L2 cache"))
      return status;
    if (Status status = device.allocate(bytes, memory))
      return status;
    return driver.fill(memory.get(), 0, bytes, "filling a buffer");
  }

  Status enqueue(CUstream stream) {
    CUdeviceptr address = memory.get();
    void *parameters[] = {&address, &count};
    return driver.check(driver.launchKernel(function, numBlocks, 1, 1,
                                            /*threads=*/1024, 1, 1,
                                            /*sharedBytes=*/0, stream,
                                            parameters, nullptr),
                        "clearing the L2 cache");
  }

private:
  const Driver &driver;
  OwnedModule module;
  CUfunction function = nullptr;
  OwnedMemory memory;
  unsigned numBlocks;
  unsigned long long count = 0;
};

} // namespace

Status Program::time(void *const *arguments,
                     const MirageRuntimeTimingOptions &options,
                     double *samples) {
  std::unique_ptr<CapturedGraph> graph;
  if (!options.withoutGraph)
    if (Status status = capture(arguments, options.repeats, graph))
      return status;
  ContextScope scope(*device);
  if (scope.getStatus())
    return scope.getStatus();

  OwnedStream stream(driver);
  OwnedEvent start(driver), stop(driver);
  CacheFlush flush(*device);
  if (Status status = driver.check(
          stream.made(driver.streamCreate(stream.put(), kStreamNonBlocking)),
          "creating a stream"))
    return status;
  for (OwnedEvent *event : {&start, &stop})
    if (Status status =
            driver.check(event->made(driver.eventCreate(event->put(), 0)),
                         "creating an event"))
      return status;
  if (options.cold)
    if (Status status = flush.prepare(*device))
      return status;

  auto enqueueOnce = [&]() -> Status {
    if (graph)
      return graph->launch(stream.get());
    for (uint32_t i = 0; i < options.repeats; ++i)
      if (Status status = enqueue(arguments, stream.get()))
        return status;
    return {};
  };
  // What is measured has to be in the queue before the device gets there:
  // otherwise the time that the host takes to launch is measured as well. So
  // the device has something to do before: clearing the cache, or the same
  // program.
  auto occupy = [&]() -> Status {
    return options.cold ? flush.enqueue(stream.get()) : enqueueOnce();
  };
  for (uint32_t i = 0; i < options.warmup; ++i)
    if (Status status = enqueueOnce())
      return status;
  for (uint32_t i = 0; i < options.iterations; ++i) {
    if (Status status = occupy())
      return status;
    if (Status status =
            driver.check(driver.eventRecord(start.get(), stream.get()),
                         "recording an event"))
      return status;
    if (Status status = enqueueOnce())
      return status;
    if (Status status = driver.check(
            driver.eventRecord(stop.get(), stream.get()), "recording an event"))
      return status;
    if (Status status = driver.check(driver.eventSynchronize(stop.get()),
                                     "running '" + file.name + "'"))
      return status;
    float milliseconds = 0;
    if (Status status = driver.check(
            driver.eventElapsedTime(&milliseconds, start.get(), stop.get()),
            "reading the time between two events"))
      return status;
    samples[i] = 1e3 * milliseconds / options.repeats;
  }
  return {};
}
