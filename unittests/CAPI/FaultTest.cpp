//===- FaultTest.cpp - Each call of the driver fails once -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestUtils.h"
#include <cstdio>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

using namespace mirage;
using namespace mirage::runtime_test;

namespace {

class FaultTest : public RuntimeTest {
protected:
  /// A program with everything: two kernels, a temporary, a tensor map, a
  /// library's matmul.
  static program_file::Program getProgram() {
    using namespace program_file;
    Program program = getSums();
    Launch matmul = program.launches[0];
    program.buffers[1].shape = {4, 2};
    program.buffers[0].shape = {2, 4};
    program.buffers.push_back({Kind::Temporary, Type::F32, "p", {2, 2}});
    matmul.arguments = {0, 1, 4};
    matmul.library = {LibraryCall::Op::MatmulTransposed, 1, 2, 2, 4};
    program.launches[1].arguments[0].map = {{8}, {4}, 0};
    program.launches.push_back(matmul);
    return program;
  }

  /// Uses everything; the first error, or "".
  std::string useAll() {
    std::string message = open();
    if (message.empty())
      message = load(getProgram());
    std::vector<void *> arguments;
    for (int i = 0; i < 3 && message.empty(); ++i)
      message = get(
          mirageRuntimeAllocate(device, 32, &arguments.emplace_back(nullptr)));
    float values[8] = {}, result[8];
    if (message.empty())
      message =
          get(mirageRuntimeCopyToDevice(device, arguments[0], values, 32));
    if (message.empty())
      message = get(mirageRuntimeFill(device, arguments[1], 0, 32));
    if (message.empty())
      message = get(mirageRuntimeLaunch(program, arguments.data(), nullptr));
    if (message.empty())
      message = get(mirageRuntimeSynchronize(device, nullptr));
    MirageRuntimeGraph *graph = nullptr;
    if (message.empty())
      message = get(mirageRuntimeCapture(program, arguments.data(), 1, &graph));
    if (message.empty())
      message = get(mirageRuntimeLaunchGraph(graph, nullptr));
    if (message.empty())
      message = get(mirageRuntimeCopyToHost(device, result, arguments[2], 32));
    MirageRuntimeTimingOptions options = {2, 1, 0, 1, 0};
    MirageRuntimeTiming timing;
    if (message.empty())
      message = get(mirageRuntimeTime(program, arguments.data(), &options,
                                      &timing, nullptr));
    const void *inputs[] = {values, values};
    void *outputs[] = {result};
    if (message.empty())
      message = get(mirageRuntimeRun(program, inputs, outputs));
    mirageRuntimeDestroyGraph(graph);
    for (void *memory : arguments)
      if (std::string error = get(mirageRuntimeFree(device, memory));
          message.empty())
        message = error;
    close();
    return message;
  }
};

TEST_F(FaultTest, NothingFails) {
  EXPECT_EQ(useAll(), "");
  EXPECT_GT(countCalls("cublasLtMatmul"), 0);
}

/// Each call of each function fails in turn, until there are no more calls. An
/// error is reported, and nothing is left; the destructor of the fixture checks
/// that once more.
TEST_F(FaultTest, EachCallOfTheDriver) {
  for (const char *function : {"cuInit",
                               "cuDriverGetVersion",
                               "cuDeviceGetCount",
                               "cuDeviceGet",
                               "cuDeviceGetName",
                               "cuDeviceTotalMem_v2",
                               "cuDeviceGetAttribute",
                               "cuDevicePrimaryCtxRetain",
                               "cuCtxPushCurrent_v2",
                               "cuModuleLoadDataEx",
                               "cuModuleGetFunction",
                               "cuFuncSetAttribute",
                               "cuMemAlloc_v2",
                               "cuMemsetD8_v2",
                               "cuMemcpyHtoD_v2",
                               "cuMemcpyDtoH_v2",
                               "cuLaunchKernel",
                               "cuStreamCreate",
                               "cuStreamSynchronize",
                               "cuStreamBeginCapture_v2",
                               "cuStreamEndCapture",
                               "cuGraphInstantiateWithFlags",
                               "cuGraphLaunch",
                               "cuEventCreate",
                               "cuTensorMapEncodeTiled",
                               "cuEventRecord",
                               "cuEventSynchronize",
                               "cuEventElapsedTime"}) {
    reset();
    ASSERT_EQ(useAll(), "");
    int calls = countCalls(function);
    EXPECT_GT(calls, 0) << function;
    // What a destructor can't make current, it can't give back.
    bool isScope = std::string(function) == "cuCtxPushCurrent_v2";
    for (int call = 1; call <= (isScope ? 1 : calls); ++call) {
      reset();
      Variable fail("FAKE_CUDA_FAIL",
                    std::string(function) + ":" + std::to_string(call));
      std::string message = useAll();
      EXPECT_THAT(message, testing::HasSubstr("CUDA: ")) << function << call;
      EXPECT_THAT(message, testing::HasSubstr("CUDA_ERROR_UNKNOWN"));
      EXPECT_EQ(countLive(), 0) << function << " " << call;
      EXPECT_EQ(countMisuses(), 0) << function << " " << call;
    }
  }
}

/// What gives something back may fail, too, and the rest is given back all the
/// same.
TEST_F(FaultTest, EachDestroyingCall) {
  for (const char *function :
       {"cuModuleUnload", "cuMemFree_v2", "cuStreamDestroy_v2",
        "cuGraphDestroy", "cuGraphExecDestroy", "cuEventDestroy_v2",
        "cuCtxPopCurrent_v2", "cuDevicePrimaryCtxRelease_v2", "cublasLtDestroy",
        "cublasLtMatmulDescDestroy", "cublasLtMatrixLayoutDestroy",
        "cublasLtMatmulPreferenceDestroy"}) {
    reset();
    ASSERT_EQ(useAll(), "");
    int calls = countCalls(function);
    EXPECT_GT(calls, 0) << function;
    for (int call = 1; call <= calls; ++call) {
      reset();
      Variable fail("FAKE_CUDA_FAIL",
                    std::string(function) + ":" + std::to_string(call));
      useAll();
      EXPECT_EQ(countLive(), 0) << function << " " << call;
      EXPECT_EQ(countMisuses(), 0) << function << " " << call;
    }
  }
}

/// While a program is made ready, a library that fails is done without.
TEST_F(FaultTest, EachCallOfTheLibrary) {
  for (const char *function :
       {"cublasLtCreate", "cublasLtMatmulDescCreate",
        "cublasLtMatmulDescSetAttribute", "cublasLtMatrixLayoutCreate",
        "cublasLtMatrixLayoutSetAttribute", "cublasLtMatmulPreferenceCreate",
        "cublasLtMatmulPreferenceSetAttribute",
        "cublasLtMatmulAlgoGetHeuristic"}) {
    reset();
    ASSERT_EQ(useAll(), "");
    int calls = countCalls(function);
    EXPECT_GT(calls, 0) << function;
    for (int call = 1; call <= calls; ++call) {
      reset();
      Variable fail("FAKE_CUDA_FAIL",
                    std::string(function) + ":" + std::to_string(call));
      Variable code("FAKE_CUDA_FAIL_CODE", "13");
      EXPECT_EQ(useAll(), "") << function << " " << call;
      EXPECT_EQ(countCalls("cublasLtMatmul"), 0);
      EXPECT_EQ(countLive(), 0) << function << " " << call;
    }
  }
  reset();
  Variable fail("FAKE_CUDA_FAIL", "cublasLtMatmul"),
      code("FAKE_CUDA_FAIL_CODE", "13");
  EXPECT_EQ(useAll(), "library error: kernel 'fake_add3': cublasLtMatmul "
                      "failed with status 13");
}

// AddressSanitizer's own memory goes over any limit.
#ifdef __has_feature
#define MIRAGE_HAS_FEATURE(name) __has_feature(name)
#else
#define MIRAGE_HAS_FEATURE(name) 0
#endif
#if !MIRAGE_HAS_FEATURE(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)

/// 32 MB beyond what the process has, as long as it lives.
class MemoryLimit {
public:
  MemoryLimit() {
    getrlimit(RLIMIT_AS, &before);
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit = before;
    limit.rlim_cur = pages * sysconf(_SC_PAGESIZE) + (32 << 20);
    setrlimit(RLIMIT_AS, &limit);
  }
  ~MemoryLimit() { setrlimit(RLIMIT_AS, &before); }
  MemoryLimit(const MemoryLimit &) = delete;

private:
  rlimit before;
};

/// Where the host has no memory the standard library throws, and callers get a
/// status.
TEST_F(FaultTest, HostMemory) {
  const std::string expected = "out of memory: no host memory";
  ASSERT_EQ(open(), "");
  program_file::Program large = getProgram();
  large.modules[0].ptx.resize(64 << 20, ' ');
  const std::string bytes = program_file::encode(large);
  const std::string path = testing::TempDir() + "/large.mirage";
  std::ofstream(path, std::ios::binary) << bytes;
  std::string fromMemory, fromFile;
  {
    MemoryLimit limit;
    fromMemory = get(
        mirageRuntimeLoadProgram(device, bytes.data(), bytes.size(), &program));
    fromFile =
        get(mirageRuntimeLoadProgramFile(device, path.c_str(), &program));
  }
  std::remove(path.c_str());
  EXPECT_EQ(fromMemory, expected);
  EXPECT_EQ(fromFile, expected);
  EXPECT_EQ(program, nullptr);

  ASSERT_EQ(load(getSums()), "");
  std::vector<void *> arguments(3);
  for (void *&memory : arguments)
    ASSERT_EQ(get(mirageRuntimeAllocate(device, 32, &memory)), "");
  MirageRuntimeTimingOptions options = {1 << 24, 0, 0, 0, 0};
  MirageRuntimeTiming timing = {};
  {
    MemoryLimit limit;
    EXPECT_EQ(get(mirageRuntimeTime(program, arguments.data(), &options,
                                    &timing, /*samples=*/nullptr)),
              expected);
  }
  EXPECT_EQ(timing.iterations, 0u);
  for (void *memory : arguments)
    EXPECT_EQ(get(mirageRuntimeFree(device, memory)), "");
}

#endif

} // namespace
