//===- Program.h - A compiled program on a device ---------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CAPI_RUNTIME_PROGRAM_H
#define MIRAGE_LIB_CAPI_RUNTIME_PROGRAM_H

#include "Device.h"
#include "Mirage/Runtime/ProgramFormat.h"
#include <array>
#include <vector>

namespace mirage::runtime {

/// What mirageRuntimeCapture makes.
struct CapturedGraph {
  explicit CapturedGraph(std::shared_ptr<Device> device)
      : device(std::move(device)), graph(this->device->getDriver()),
        executable(this->device->getDriver()) {}
  ~CapturedGraph();

  Status launch(CUstream stream);

  std::shared_ptr<Device> device;
  OwnedGraph graph;
  OwnedGraphExec executable;
};

class Program {
public:
  /// Decodes and loads.
  static Status load(std::shared_ptr<Device> device, const void *data,
                     size_t size, std::unique_ptr<Program> &program);
  ~Program();

  const std::shared_ptr<Device> &getDevice() const { return device; }
  const program_file::Program &getFile() const { return file; }
  const MirageRuntimeProgramInfo &getInfo() const { return info; }
  MirageRuntimeLaunchInfo getLaunch(size_t index) const;
  /// The size of a kernel's clusters, and how many run at a time; 0: unknown,
  /// or none.
  struct Clusters {
    std::array<uint32_t, 3> size{};
    uint32_t active = 0;
  };
  const Clusters &getClusters(size_t index) const {
    return launches[index].clusters;
  }

  /// The functions below take the addresses of inputs and outputs.

  /// Null or misaligned ones are an error.
  Status checkArguments(void *const *arguments) const;
  /// Enqueues all launches; the context must be current. `waits`: waits for
  /// each of them.
  Status enqueue(void *const *arguments, CUstream stream, bool waits = false);
  Status capture(void *const *arguments, uint32_t repeats,
                 std::unique_ptr<CapturedGraph> &graph);
  /// `options` has no zeros where these stand for something else.
  Status time(void *const *arguments, const MirageRuntimeTimingOptions &options,
              double *samples);
  /// On host memory.
  Status run(const void *const *inputs, void *const *outputs);

private:
  struct LoadedLaunch {
    CUfunction function = nullptr;
    std::unique_ptr<CublasLt::Plan> plan;
    std::string reason;
    Clusters clusters;
    /// It waits itself for the launch before.
    bool overlaps = false;
  };

  explicit Program(std::shared_ptr<Device> device)
      : device(std::move(device)), driver(this->device->getDriver()),
        workspace(driver) {}

  Status load();
  Status checkChip(bool &cubinRuns) const;
  Status loadModule(const program_file::Module &module, bool cubinRuns);
  Status loadLaunch(const program_file::Launch &launch);
  /// Whether the launch that is being loaded can begin while the one before
  /// still runs.
  bool canOverlap(const program_file::Launch &launch) const;
  /// Asks for the kernel's clusters. To know of them is of use, but needed for
  /// nothing: there are no errors.
  void findClusters(const program_file::Launch &launch, LoadedLaunch &loaded);
  CUresult encodeTensorMap(const program_file::Argument &argument,
                           CUdeviceptr address, CUtensorMap &map) const;
  Status launch(size_t index, std::vector<CUdeviceptr> &addresses,
                CUstream stream);

  std::shared_ptr<Device> device;
  const Driver &driver;
  program_file::Program file;
  MirageRuntimeProgramInfo info = {};
  std::vector<OwnedModule> modules;
  std::vector<OwnedMemory> temporaries;
  std::vector<LoadedLaunch> launches;
  OwnedMemory workspace;
};

} // namespace mirage::runtime

#endif // MIRAGE_LIB_CAPI_RUNTIME_PROGRAM_H
