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
  Status launched;
  for (uint32_t i = 0; i < repeats && !launched; ++i)
    launched = enqueue(arguments, stream.get());
  // Also after an error: a capture must be ended, and may leave a graph.
  CUresult ended = captured->graph.made(
      driver.streamEndCapture(stream.get(), captured->graph.put()));
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
  OwnedMemory flushed(driver);
  // Twice the cache, so that nothing else is left in it whatever is replaced
  // first.
  constexpr size_t kLeastFlushed = 64 << 20;
  size_t flushedBytes =
      std::max<size_t>(2 * device->getInfo().l2Bytes, kLeastFlushed);
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
    if (Status status = device->allocate(flushedBytes, flushed))
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
  auto occupy = [&](uint32_t i) -> Status {
    if (!options.cold)
      return enqueueOnce();
    return driver.check(driver.memsetD8Async(flushed.get(),
                                             static_cast<unsigned char>(i),
                                             flushedBytes, stream.get()),
                        "clearing the L2 cache");
  };
  for (uint32_t i = 0; i < options.warmup; ++i)
    if (Status status = enqueueOnce())
      return status;
  for (uint32_t i = 0; i < options.iterations; ++i) {
    if (Status status = occupy(i))
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
