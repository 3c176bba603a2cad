//===- Program.cpp - Loads and launches compiled programs -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include <algorithm>
#include <cctype>
#include <cstring>

using namespace mirage;
using namespace mirage::runtime;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

Status Program::load(std::shared_ptr<Device> device, const void *data,
                     size_t size, std::unique_ptr<Program> &program) {
  std::unique_ptr<Program> loaded(new Program(std::move(device)));
  std::string message;
  switch (program_file::decode(data, size, loaded->file, message)) {
  case program_file::DecodeStatus::Success:
    break;
  case program_file::DecodeStatus::Invalid:
    return {MIRAGE_RUNTIME_INVALID_PROGRAM,
            "the program can't be loaded: " + message};
  case program_file::DecodeStatus::OtherVersion:
    return {MIRAGE_RUNTIME_UNSUPPORTED_VERSION,
            "the program can't be loaded: " + message};
  }
  if (Status status = loaded->load())
    return status;
  program = std::move(loaded);
  return {};
}

Program::~Program() {
  // What is owned is destroyed in this context; all of it is gone before the
  // members are.
  ContextScope scope(*device);
  launches.clear();
  modules.clear();
  temporaries.clear();
  workspace = OwnedMemory(driver);
}

/// Fails unless the device can run code for the chip "sm_MN", or "sm_MNa" for
/// exactly that one. `cubinRuns`: machine code, too, and not just PTX.
Status Program::checkChip(bool &cubinRuns) const {
  const MirageRuntimeDeviceInfo &info = device->getInfo();
  const std::string &chip = file.chip;
  size_t digits = 3;
  int number = 0;
  for (; digits < chip.size() && digits < 7 && chip[digits] >= '0' &&
         chip[digits] <= '9';
       ++digits)
    number = 10 * number + (chip[digits] - '0');
  bool isExact = digits + 1 == chip.size() && chip[digits] == 'a';
  if (chip.compare(0, 3, "sm_") != 0 || digits < 5 ||
      (digits != chip.size() && !isExact))
    return {MIRAGE_RUNTIME_INVALID_PROGRAM,
            "the program is compiled for '" + chip + "', which is no chip"};
  int major = number / 10, minor = number % 10;
  bool same = info.major == major && info.minor == minor;
  bool newer = std::pair(info.major, info.minor) > std::pair(major, minor);
  cubinRuns = same || (!isExact && newer && info.major == major);
  if (same || (!isExact && newer))
    return {};
  return {MIRAGE_RUNTIME_UNSUPPORTED_DEVICE,
          "the program is compiled for " + chip +
              ", the device has compute capability " +
              std::to_string(info.major) + "." + std::to_string(info.minor)};
}

Status Program::loadModule(const program_file::Module &module, bool cubinRuns) {
  OwnedModule loaded(driver);
  if (cubinRuns && !module.cubin.empty()) {
    CUresult result = loaded.made(driver.moduleLoadDataEx(
        loaded.put(), module.cubin.data(), 0, nullptr, nullptr));
    if (result && module.ptx.empty())
      return driver.check(result, "loading the machine code");
    if (!result) {
      modules.push_back(std::move(loaded));
      return {};
    }
  }
  if (module.ptx.empty())
    return {MIRAGE_RUNTIME_UNSUPPORTED_DEVICE,
            "the program has no PTX for this device"};
  std::string log(8192, '\0');
  int options[] = {kJitErrorLogBuffer, kJitErrorLogBufferSize};
  // An integer option is passed in place of the pointer.
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  CUresult result = loaded.made(driver.moduleLoadDataEx(
      loaded.put(), module.ptx.c_str(), 2, options, values));
  log.resize(strnlen(log.data(), log.size()));
  while (!log.empty() && std::isspace(static_cast<unsigned char>(log.back())))
    log.pop_back();
  if (Status status =
          driver.check(result, log.empty() ? "loading the PTX"
                                           : "loading the PTX (" + log + ")"))
    return status;
  modules.push_back(std::move(loaded));
  return {};
}

void Program::findClusters(const program_file::Launch &launch,
                           LoadedLaunch &loaded) {
  if (!driver.occupancyMaxActiveClusters || !driver.funcGetAttribute)
    return;
  std::array<uint32_t, 3> cluster;
  for (int d = 0; d < 3; ++d) {
    int size = 0;
    if (driver.funcGetAttribute(&size, kRequiredClusterWidth + d,
                                loaded.function) ||
        size < 1)
      return;
    cluster[d] = static_cast<uint32_t>(size);
  }
  CUlaunchConfig config = {};
  std::copy(launch.grid.begin(), launch.grid.end(), config.grid);
  std::copy(launch.block.begin(), launch.block.end(), config.block);
  config.sharedBytes = launch.sharedBytes;
  int count = 0;
  if (driver.occupancyMaxActiveClusters(&count, loaded.function, &config))
    return;
  loaded.clusters = {cluster, static_cast<uint32_t>(count)};
}

bool Program::canOverlap(const program_file::Launch &launch) const {
  // The file says it by its PTX, which is there wherever machine code is.
  bool waits = file.modules[launch.module].ptx.find("griddepcontrol.wait") !=
               std::string::npos;
  return waits && launches.size() > 1 && !launches[launches.size() - 2].plan &&
         driver.launchKernelEx &&
         device->getInfo().driverVersion >= kOldestWithProgrammaticGraphs;
}

Status Program::loadLaunch(const program_file::Launch &launch) {
  LoadedLaunch &loaded = launches.emplace_back();
  std::string where = "kernel '" + launch.kernel + "': ";
  if (Status status =
          driver.check(driver.moduleGetFunction(&loaded.function,
                                                modules[launch.module].get(),
                                                launch.kernel.c_str()),
                       where + "look-up"))
    return status;
  uint64_t most = device->getInfo().sharedBytes;
  if (launch.sharedBytes > most)
    return {MIRAGE_RUNTIME_UNSUPPORTED_DEVICE,
            where + "needs " + std::to_string(launch.sharedBytes) +
                " bytes of shared memory, the device has " +
                std::to_string(most)};
  // More than 48 KB has to be asked for.
  if (Status status = driver.check(
          driver.funcSetAttribute(loaded.function, kMaxDynamicSharedSizeBytes,
                                  static_cast<int>(launch.sharedBytes)),
          where + "asking for " + std::to_string(launch.sharedBytes) +
              " bytes of shared memory"))
    return status;
  findClusters(launch, loaded);
  loaded.overlaps = canOverlap(launch);
  if (launch.library.op == program_file::LibraryCall::Op::None)
    return {};
  auto getBuffer = [&](size_t argument) {
    return &file.buffers[launch.arguments[argument].buffer];
  };
  if (CublasLt *library = device->getCublasLt(loaded.reason))
    loaded.plan = library->plan(launch.library,
                                {getBuffer(0), getBuffer(1), getBuffer(2)},
                                loaded.reason);
  return {};
}

Status Program::load() {
  ContextScope scope(*device);
  if (scope.getStatus())
    return scope.getStatus();
  bool cubinRuns = false;
  if (Status status = checkChip(cubinRuns))
    return status;
  for (const program_file::Module &module : file.modules)
    if (Status status = loadModule(module, cubinRuns))
      return status;
  size_t workspaceBytes = 0;
  for (const program_file::Launch &launch : file.launches) {
    if (Status status = loadLaunch(launch))
      return status;
    if (const auto &plan = launches.back().plan)
      workspaceBytes = std::max(workspaceBytes, plan->getWorkspaceBytes());
  }
  if (workspaceBytes)
    if (Status status = device->allocate(workspaceBytes, workspace))
      return status;

  info.name = file.name.c_str();
  info.chip = file.chip.c_str();
  info.producer = file.producer.c_str();
  info.verdict = file.verdict.c_str();
  info.bandwidth = file.bandwidth;
  info.tflops = file.tflops;
  info.numInputs = file.count(program_file::Kind::Input);
  info.numOutputs = file.count(program_file::Kind::Output);
  info.numLaunches = file.launches.size();
  for (const program_file::Buffer &buffer : file.buffers) {
    if (buffer.kind != program_file::Kind::Temporary) {
      info.argumentBytes += buffer.getBytes();
      continue;
    }
    info.temporaryBytes += buffer.getBytes();
    OwnedMemory &memory = temporaries.emplace_back(driver);
    if (Status status = device->allocate(buffer.getBytes(), memory))
      return status;
    if (Status status = driver.fill(memory.get(), 0xff, buffer.getBytes(),
                                    "filling a buffer"))
      return status;
  }
  return {};
}

MirageRuntimeLaunchInfo Program::getLaunch(size_t index) const {
  const program_file::Launch &launch = file.launches[index];
  const LoadedLaunch &loaded = launches[index];
  MirageRuntimeLaunchInfo info = {};
  info.kernel = launch.kernel.c_str();
  std::copy_n(launch.grid.begin(), 3, info.grid);
  std::copy_n(launch.block.begin(), 3, info.block);
  info.sharedBytes = launch.sharedBytes;
  info.implementation = loaded.plan ? "cublasLt" : "kernel";
  info.reason = loaded.reason.c_str();
  return info;
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

Status Program::checkArguments(void *const *arguments) const {
  size_t count = info.numInputs + info.numOutputs;
  if (count && !arguments)
    return {MIRAGE_RUNTIME_INVALID_ARGUMENT, "the arguments are null"};
  for (size_t i = 0; i < count; ++i) {
    const char *wrong = !arguments[i] ? " is null"
                        : reinterpret_cast<uintptr_t>(arguments[i]) % 16
                            ? " is not aligned to 16 bytes"
                            : nullptr;
    if (wrong)
      return {MIRAGE_RUNTIME_INVALID_ARGUMENT, "argument " + std::to_string(i) +
                                                   " (" + file.buffers[i].name +
                                                   ")" + wrong};
  }
  return {};
}

CUresult Program::encodeTensorMap(const program_file::Argument &argument,
                                  CUdeviceptr address, CUtensorMap &map) const {
  const program_file::TensorMap &description = *argument.map;
  program_file::Type type = file.buffers[argument.buffer].type;
  // Innermost first.
  unsigned rank = static_cast<unsigned>(description.shape.size());
  unsigned long long sizes[tensor_map::kMaxRank], strides[tensor_map::kMaxRank],
      stride = program_file::getSize(type);
  unsigned box[tensor_map::kMaxRank], steps[tensor_map::kMaxRank];
  for (unsigned i = 0; i < rank; ++i) {
    sizes[i] = description.shape[rank - 1 - i];
    box[i] = static_cast<unsigned>(description.box[rank - 1 - i]);
    steps[i] = 1;
    // Of the next dimension: the first one has none.
    stride *= sizes[i];
    strides[i] = stride;
  }
  int dataType = type == program_file::Type::F16    ? kTensorMapFloat16
                 : type == program_file::Type::BF16 ? kTensorMapBFloat16
                                                    : kTensorMapFloat32;
  int swizzle = description.swizzleBytes == 128  ? kTensorMapSwizzle128
                : description.swizzleBytes == 64 ? kTensorMapSwizzle64
                : description.swizzleBytes == 32 ? kTensorMapSwizzle32
                                                 : kTensorMapSwizzleNone;
  return driver.tensorMapEncodeTiled(
      &map, dataType, rank,
      reinterpret_cast<void *>(static_cast<uintptr_t>(address)), sizes, strides,
      box, steps, kTensorMapNoInterleave, swizzle, kTensorMapL2Promotion128,
      kTensorMapZerosOutside);
}

Status Program::launch(size_t index, std::vector<CUdeviceptr> &addresses,
                       CUstream stream) {
  const program_file::Launch &launch = file.launches[index];
  const LoadedLaunch &loaded = launches[index];
  std::string where = "kernel '" + launch.kernel + "': ";
  if (loaded.plan) {
    Status status = loaded.plan->enqueue(addresses[launch.arguments[0].buffer],
                                         addresses[launch.arguments[1].buffer],
                                         addresses[launch.arguments[2].buffer],
                                         workspace.get(), stream);
    return {status.getCode(), status ? where + status.getMessage() : ""};
  }
  std::vector<void *> parameters;
  // Which stay in their places: the driver copies them at the launch.
  std::vector<CUtensorMap> maps(launch.arguments.size());
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const program_file::Argument &argument = launch.arguments[i];
    CUdeviceptr &address = addresses[argument.buffer];
    parameters.push_back(&address);
    if (!argument.map)
      continue;
    if (Status status =
            driver.check(encodeTensorMap(argument, address, maps[i]),
                         where + "making a tensor map"))
      return status;
    parameters.back() = &maps[i];
  }
  if (loaded.overlaps) {
    CUlaunchAttribute overlap = {};
    overlap.id = kProgrammaticStreamSerialization;
    overlap.value.allowed = 1;
    CUlaunchConfig config = {};
    std::copy(launch.grid.begin(), launch.grid.end(), config.grid);
    std::copy(launch.block.begin(), launch.block.end(), config.block);
    config.sharedBytes = launch.sharedBytes;
    config.stream = stream;
    config.attributes = &overlap;
    config.numAttributes = 1;
    return driver.check(driver.launchKernelEx(&config, loaded.function,
                                              parameters.data(), nullptr),
                        where + "launch");
  }
  return driver.check(driver.launchKernel(loaded.function, launch.grid[0],
                                          launch.grid[1], launch.grid[2],
                                          launch.block[0], launch.block[1],
                                          launch.block[2], launch.sharedBytes,
                                          stream, parameters.data(), nullptr),
                      where + "launch");
}

Status Program::enqueue(void *const *arguments, CUstream stream, bool waits) {
  std::vector<CUdeviceptr> addresses;
  for (size_t i = 0, n = info.numInputs + info.numOutputs; i < n; ++i)
    addresses.push_back(reinterpret_cast<uintptr_t>(arguments[i]));
  for (const OwnedMemory &memory : temporaries)
    addresses.push_back(memory.get());
  for (size_t i = 0; i < launches.size(); ++i) {
    if (Status status = launch(i, addresses, stream))
      return status;
    if (!waits)
      continue;
    if (Status status =
            driver.check(driver.streamSynchronize(stream),
                         "kernel '" + file.launches[i].kernel + "': run"))
      return status;
  }
  return {};
}

Status Program::run(const void *const *inputs, void *const *outputs) {
  ContextScope scope(*device);
  if (scope.getStatus())
    return scope.getStatus();
  std::vector<OwnedMemory> memory;
  std::vector<void *> arguments;
  size_t numInputs = info.numInputs, count = numInputs + info.numOutputs;
  if ((numInputs && !inputs) || (info.numOutputs && !outputs))
    return {MIRAGE_RUNTIME_INVALID_ARGUMENT, "the arguments are null"};
  for (size_t i = 0; i < count; ++i) {
    const program_file::Buffer &buffer = file.buffers[i];
    if (i < numInputs ? !inputs[i] : !outputs[i - numInputs])
      return {MIRAGE_RUNTIME_INVALID_ARGUMENT, "argument " + std::to_string(i) +
                                                   " (" + buffer.name +
                                                   ") is null"};
    OwnedMemory &owned = memory.emplace_back(driver);
    if (Status status = device->allocate(buffer.getBytes(), owned))
      return status;
    // Launches on the default stream are in order behind these.
    CUresult result =
        i < numInputs
            ? driver.memcpyHtoD(owned.get(), inputs[i], buffer.getBytes())
            : driver.memsetD8(owned.get(), 0xff, buffer.getBytes());
    if (Status status = driver.check(result, "filling a buffer"))
      return status;
    arguments.push_back(
        reinterpret_cast<void *>(static_cast<uintptr_t>(owned.get())));
  }
  if (Status status = enqueue(arguments.data(), nullptr, /*waits=*/true))
    return status;
  for (size_t i = numInputs; i < count; ++i)
    if (Status status = driver.check(
            driver.memcpyDtoH(outputs[i - numInputs], memory[i].get(),
                              file.buffers[i].getBytes()),
            "reading an output"))
      return status;
  return {};
}
