//===- RuntimeTest.cpp - Loading and launching through the C API ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestUtils.h"
#include <cmath>
#include <cstdio>
#include <numeric>
#include <thread>

using namespace mirage;
using namespace mirage::runtime_test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// With the arguments of getSums() in device memory.
class SumsTest : public RuntimeTest {
protected:
  void SetUp() override {
    ASSERT_EQ(open(), "");
    ASSERT_EQ(load(getSums()), "");
    std::iota(a.begin(), a.end(), 1);
    std::fill(b.begin(), b.end(), 10);
    for (auto *host : {&a, &b, &out}) {
      void *&memory = arguments.emplace_back(nullptr);
      ASSERT_EQ(get(mirageRuntimeAllocate(device, 32, &memory)), "");
      ASSERT_EQ(
          get(mirageRuntimeCopyToDevice(device, memory, host->data(), 32)), "");
    }
  }
  void TearDown() override {
    for (void *memory : arguments)
      EXPECT_EQ(get(mirageRuntimeFree(device, memory)), "");
  }
  std::vector<float> read() {
    std::vector<float> values(8);
    EXPECT_EQ(
        get(mirageRuntimeCopyToHost(device, values.data(), arguments[2], 32)),
        "");
    return values;
  }

  std::vector<float> a = std::vector<float>(8), b = a, out = a;
  std::vector<void *> arguments;
};

TEST_F(SumsTest, Launches) {
  ASSERT_EQ(get(mirageRuntimeLaunch(program, arguments.data(), nullptr)), "");
  ASSERT_EQ(get(mirageRuntimeSynchronize(device, nullptr)), "");
  EXPECT_THAT(read(), ElementsAre(21, 22, 23, 24, 25, 26, 27, 28));
}

/// Copies and fills are over when they return, and those of a program's
/// temporaries when it is loaded: a stream need not wait for the default one.
TEST_F(SumsTest, NonBlockingStreams) {
  void *stream = createStream();
  ASSERT_EQ(get(mirageRuntimeLaunch(program, arguments.data(), stream)), "");
  EXPECT_THAT(read(), ElementsAre(21, 22, 23, 24, 25, 26, 27, 28));
  ASSERT_EQ(get(mirageRuntimeFill(device, arguments[0], 0, 32)), "");
  ASSERT_EQ(get(mirageRuntimeLaunch(program, arguments.data(), stream)), "");
  EXPECT_THAT(read(), testing::Each(20));
  mirageRuntimeDestroyProgram(program);
  ASSERT_EQ(load(getSums()), "");
  ASSERT_EQ(get(mirageRuntimeLaunch(program, arguments.data(), stream)), "");
  EXPECT_THAT(read(), testing::Each(20));
  destroyStream(stream);
}

TEST_F(SumsTest, Runs) {
  const void *inputs[] = {a.data(), b.data()};
  void *outputs[] = {out.data()};
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(get(mirageRuntimeRun(program, inputs, outputs)), "");
    EXPECT_THAT(out, ElementsAre(21, 22, 23, 24, 25, 26, 27, 28));
  }
}

TEST_F(SumsTest, Graphs) {
  MirageRuntimeGraph *graph = nullptr;
  ASSERT_EQ(get(mirageRuntimeCapture(program, arguments.data(), 1, &graph)),
            "");
  EXPECT_EQ(read()[0], 0) << "a capture runs nothing";
  // The graph keeps the addresses, not the values.
  a[0] = 100;
  ASSERT_EQ(get(mirageRuntimeCopyToDevice(device, arguments[0], a.data(), 32)),
            "");
  ASSERT_EQ(get(mirageRuntimeLaunchGraph(graph, nullptr)), "");
  EXPECT_EQ(read()[0], 120);
  EXPECT_EQ(read()[7], 28);
  mirageRuntimeDestroyGraph(graph);
}

TEST_F(SumsTest, Fills) {
  ASSERT_EQ(get(mirageRuntimeFill(device, arguments[2], 0xff, 32)), "");
  EXPECT_TRUE(std::isnan(read()[7]));
}

/// Devices, programs and graphs can be given back in any order.
TEST_F(SumsTest, Order) {
  MirageRuntimeGraph *graph = nullptr;
  ASSERT_EQ(get(mirageRuntimeCapture(program, arguments.data(), 1, &graph)),
            "");
  MirageRuntimeDevice *other = nullptr;
  MirageRuntimeDeviceOptions options = {0, MIRAGE_FAKE_CUDA, nullptr};
  ASSERT_EQ(get(mirageRuntimeOpenDeviceWithOptions(&options, &other)), "");
  mirageRuntimeDestroyGraph(graph);
  mirageRuntimeCloseDevice(other);
  TearDown();
  arguments.clear();
  mirageRuntimeCloseDevice(device);
  device = nullptr;
  mirageRuntimeDestroyProgram(program);
  program = nullptr;
}

TEST_F(SumsTest, Describes) {
  MirageRuntimeProgramInfo info;
  ASSERT_EQ(get(mirageRuntimeGetProgramInfo(program, &info)), "");
  EXPECT_STREQ(info.name, "sums");
  EXPECT_STREQ(info.chip, "sm_90a");
  EXPECT_STREQ(info.producer, "test 1");
  EXPECT_STREQ(info.verdict, "proved");
  EXPECT_EQ(info.numInputs, 2u);
  EXPECT_EQ(info.numOutputs, 1u);
  EXPECT_EQ(info.numLaunches, 2u);
  EXPECT_EQ(info.argumentBytes, 96u);
  EXPECT_EQ(info.temporaryBytes, 32u);
  EXPECT_EQ(info.bandwidth, 4800u);
  EXPECT_EQ(info.tflops, 990u);
  MirageRuntimeTensor tensor;
  ASSERT_EQ(get(mirageRuntimeGetInput(program, 1, &tensor)), "");
  EXPECT_STREQ(tensor.name, "b");
  EXPECT_EQ(tensor.elementType, MIRAGE_RUNTIME_F32);
  ASSERT_EQ(tensor.rank, 2u);
  EXPECT_EQ(tensor.dims[1], 4);
  EXPECT_EQ(tensor.bytes, 32u);
  ASSERT_EQ(get(mirageRuntimeGetOutput(program, 0, &tensor)), "");
  EXPECT_STREQ(tensor.name, "out");
  MirageRuntimeLaunchInfo launch;
  ASSERT_EQ(get(mirageRuntimeGetLaunch(program, 1, &launch)), "");
  EXPECT_STREQ(launch.kernel, "fake_add3");
  EXPECT_STREQ(launch.implementation, "kernel");
  EXPECT_STREQ(launch.reason, "");
  EXPECT_EQ(launch.grid[0], 2u);
  MirageRuntimeDeviceInfo deviceInfo;
  ASSERT_EQ(get(mirageRuntimeGetDeviceInfo(device, &deviceInfo)), "");
  EXPECT_STREQ(deviceInfo.name, "Fake GPU");
  EXPECT_EQ(deviceInfo.major, 9);
  EXPECT_EQ(deviceInfo.l2Bytes, 48u << 20);
  EXPECT_EQ(deviceInfo.multiprocessors, 132);
  EXPECT_EQ(deviceInfo.driverVersion, 12040);
}

/// Of kernels with clusters it is known how many run at a time, unless the
/// driver can't tell.
TEST_F(SumsTest, Clusters) {
  program_file::Program file = getSums();
  file.modules[0].ptx += ".reqnctapercluster 2, 2, 1\n";
  uint32_t size[3] = {9, 9, 9}, active = 9;
  ASSERT_EQ(get(mirageRuntimeGetClusters(program, 0, size, &active)), "");
  EXPECT_THAT(size, ElementsAre(0, 0, 0));
  EXPECT_EQ(active, 0u);
  auto reload = [&] {
    mirageRuntimeDestroyProgram(program);
    ASSERT_EQ(load(file), "");
    ASSERT_EQ(get(mirageRuntimeGetClusters(program, 0, size, &active)), "");
  };
  reload();
  EXPECT_THAT(size, ElementsAre(2, 2, 1));
  EXPECT_EQ(active, 5u * 4 + 2 * 3);
  for (const char *function :
       {"cuFuncGetAttribute", "cuOccupancyMaxActiveClusters"}) {
    reset();
    Variable fail("FAKE_CUDA_FAIL", function);
    reload();
    EXPECT_THAT(size, ElementsAre(0, 0, 0));
    EXPECT_EQ(active, 0u);
  }
}

/// A kernel that waits itself for the one before is launched so that it can
/// overlap with it, where the driver knows how; the first of a program has none
/// before.
TEST_F(RuntimeTest, OverlappingLaunches) {
  program_file::Program file = getSums();
  auto countOverlaps = [&] {
    reset();
    EXPECT_EQ(open(), "");
    EXPECT_EQ(load(file), "");
    std::vector<float> values(8);
    const void *inputs[] = {values.data(), values.data()};
    void *outputs[] = {values.data()};
    EXPECT_EQ(get(mirageRuntimeRun(program, inputs, outputs)), "");
    close();
    return countCalls("cuLaunchKernelEx");
  };
  EXPECT_EQ(countOverlaps(), 0);
  for (program_file::Module &module : file.modules)
    module.ptx += "griddepcontrol.wait;\n";
  EXPECT_EQ(countOverlaps(), 1);
  Variable old("FAKE_CUDA_VERSION", "12020");
  EXPECT_EQ(countOverlaps(), 0);
}

/// Programs that were built with the first header of this SOVERSION have
/// allocated so much.
TEST_F(RuntimeTest, StructsKeepTheirLayout) {
  EXPECT_EQ(sizeof(MirageRuntimeDeviceOptions), 24u);
  EXPECT_EQ(sizeof(MirageRuntimeDeviceInfo), 304u);
  EXPECT_EQ(sizeof(MirageRuntimeProgramInfo), 88u);
  EXPECT_EQ(sizeof(MirageRuntimeTensor), 40u);
  EXPECT_EQ(sizeof(MirageRuntimeLaunchInfo), 56u);
  EXPECT_EQ(offsetof(MirageRuntimeLaunchInfo, implementation), 40u);
  EXPECT_EQ(sizeof(MirageRuntimeTimingOptions), 20u);
  EXPECT_EQ(sizeof(MirageRuntimeTiming), 32u);
}

TEST_F(SumsTest, InvalidArguments) {
  const char *prefix = "invalid argument: ";
  auto expect = [&](MirageRuntimeStatus status, const std::string &message) {
    EXPECT_EQ(get(status), prefix + message);
  };
  MirageRuntimeTensor tensor;
  MirageRuntimeLaunchInfo launch;
  MirageRuntimeGraph *graph = nullptr;
  void *pointer = nullptr;
  expect(mirageRuntimeGetInput(program, 2, &tensor),
         "there is no input of that index");
  expect(mirageRuntimeGetOutput(program, 1, &tensor),
         "there is no output of that index");
  expect(mirageRuntimeGetLaunch(program, 2, &launch),
         "there is no launch of that index");
  uint32_t size[3] = {9, 9, 9}, active = 9;
  expect(mirageRuntimeGetClusters(program, 2, size, &active),
         "there is no launch of that index");
  EXPECT_THAT(size, ElementsAre(9, 9, 9));
  EXPECT_EQ(active, 9u);
  expect(mirageRuntimeAllocate(device, 0, &pointer), "can't allocate 0 bytes");
  expect(mirageRuntimeCapture(program, arguments.data(), 0, &graph),
         "can't capture a program 0 times");
  std::vector<void *> wrong = arguments;
  wrong[1] = static_cast<char *>(wrong[1]) + 4;
  expect(mirageRuntimeLaunch(program, wrong.data(), nullptr),
         "argument 1 (b) is not aligned to 16 bytes");
  wrong[1] = nullptr;
  expect(mirageRuntimeLaunch(program, wrong.data(), nullptr),
         "argument 1 (b) is null");
  expect(mirageRuntimeCapture(program, wrong.data(), 1, &graph),
         "argument 1 (b) is null");
  MirageRuntimeTiming timing;
  expect(mirageRuntimeTime(program, wrong.data(), nullptr, &timing, nullptr),
         "argument 1 (b) is null");
  expect(mirageRuntimeLaunch(program, nullptr, nullptr),
         "the arguments are null");
  const void *inputs[] = {a.data(), nullptr};
  void *outputs[] = {out.data()}, *none[] = {nullptr};
  expect(mirageRuntimeRun(program, inputs, outputs), "argument 1 (b) is null");
  expect(mirageRuntimeRun(program, nullptr, outputs), "the arguments are null");
  inputs[1] = b.data();
  expect(mirageRuntimeRun(program, inputs, none), "argument 2 (out) is null");
  EXPECT_EQ(graph, nullptr);
  EXPECT_EQ(pointer, nullptr);
  // Null handles.
  EXPECT_NE(mirageRuntimeOpenDevice(0, nullptr), 0);
  EXPECT_NE(mirageRuntimeOpenDeviceWithOptions(nullptr, &device), 0);
  EXPECT_NE(mirageRuntimeGetDeviceInfo(nullptr, nullptr), 0);
  EXPECT_NE(mirageRuntimeAllocate(nullptr, 1, &pointer), 0);
  EXPECT_NE(mirageRuntimeFree(nullptr, arguments[0]), 0);
  EXPECT_NE(mirageRuntimeCopyToDevice(device, nullptr, a.data(), 1), 0);
  EXPECT_NE(mirageRuntimeCopyToHost(device, nullptr, arguments[0], 1), 0);
  EXPECT_NE(mirageRuntimeFill(device, nullptr, 0, 1), 0);
  EXPECT_NE(mirageRuntimeLoadProgram(device, nullptr, 0, &program), 0);
  EXPECT_NE(mirageRuntimeLoadProgramFile(device, nullptr, &program), 0);
  EXPECT_NE(mirageRuntimeGetProgramInfo(program, nullptr), 0);
  EXPECT_NE(mirageRuntimeGetInput(program, 0, nullptr), 0);
  EXPECT_NE(mirageRuntimeGetOutput(program, 0, nullptr), 0);
  EXPECT_NE(mirageRuntimeGetLaunch(program, 0, nullptr), 0);
  EXPECT_NE(mirageRuntimeGetClusters(nullptr, 0, size, &active), 0);
  EXPECT_NE(mirageRuntimeGetClusters(program, 0, nullptr, &active), 0);
  EXPECT_NE(mirageRuntimeGetClusters(program, 0, size, nullptr), 0);
  EXPECT_NE(mirageRuntimeLaunch(nullptr, arguments.data(), nullptr), 0);
  EXPECT_NE(mirageRuntimeRun(nullptr, inputs, outputs), 0);
  EXPECT_NE(mirageRuntimeSynchronize(nullptr, nullptr), 0);
  EXPECT_NE(mirageRuntimeCapture(program, arguments.data(), 1, nullptr), 0);
  EXPECT_NE(mirageRuntimeLaunchGraph(nullptr, nullptr), 0);
  EXPECT_NE(
      mirageRuntimeTime(program, arguments.data(), nullptr, nullptr, nullptr),
      0);
  // And those that may be null.
  mirageRuntimeDestroyGraph(nullptr);
  mirageRuntimeDestroyProgram(nullptr);
  mirageRuntimeCloseDevice(nullptr);
  EXPECT_EQ(mirageRuntimeFree(device, nullptr), 0);
}

TEST_F(SumsTest, FaultsNameTheKernel) {
  const void *inputs[] = {a.data(), b.data()};
  void *outputs[] = {out.data()};
  Variable fault("FAKE_CUDA_FAULT", "1");
  EXPECT_EQ(get(mirageRuntimeRun(program, inputs, outputs)),
            "CUDA error: CUDA: kernel 'fake_add3': run failed: an illegal "
            "memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)");
}

TEST_F(SumsTest, ErrorsAreOfAThread) {
  EXPECT_NE(mirageRuntimeLaunch(program, nullptr, nullptr), 0);
  std::string there = "?";
  std::thread([&] { there = mirageRuntimeGetLastError(); }).join();
  EXPECT_EQ(there, "");
  EXPECT_STREQ(mirageRuntimeGetLastError(), "the arguments are null");
}

/// A device is used by several threads, each with a program of its own.
TEST_F(SumsTest, Threads) {
  std::vector<std::thread> threads;
  std::vector<float> results(4, 0);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      std::string bytes = program_file::encode(getSums());
      for (int i = 0; i < 50; ++i) {
        MirageRuntimeProgram *own = nullptr;
        std::vector<float> x(8, t), result(8, -1);
        const void *inputs[] = {x.data(), b.data()};
        void *outputs[] = {result.data()};
        if (mirageRuntimeLoadProgram(device, bytes.data(), bytes.size(),
                                     &own) ||
            mirageRuntimeRun(own, inputs, outputs))
          return;
        mirageRuntimeDestroyProgram(own);
        results[t] += result[3];
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_THAT(results, ElementsAre(50 * 20, 50 * 21, 50 * 22, 50 * 23));
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

TEST_F(RuntimeTest, LoadsFiles) {
  ASSERT_EQ(open(), "");
  std::string path = testing::TempDir() + "/sums.mirage";
  auto loadFile = [&](const std::string &bytes) {
    std::FILE *file = std::fopen(path.c_str(), "wb");
    std::fwrite(bytes.data(), 1, bytes.size(), file);
    std::fclose(file);
    return get(mirageRuntimeLoadProgramFile(device, path.c_str(), &program));
  };
  std::string bytes = program_file::encode(getSums());
  EXPECT_EQ(loadFile(bytes.substr(0, 99)),
            "invalid program: " + path +
                ": the program can't be loaded: it has 99 bytes, its header "
                "says " +
                std::to_string(bytes.size()));
  bytes[8] = 9;
  EXPECT_EQ(loadFile(bytes),
            "unsupported version: " + path +
                ": the program can't be loaded: it has format version 9, "
                "expected 2");
  EXPECT_EQ(program, nullptr);
  bytes[8] = 2;
  EXPECT_EQ(loadFile(bytes), "");
  std::remove(path.c_str());
  EXPECT_EQ(get(mirageRuntimeLoadProgramFile(device, path.c_str(), &program)),
            "file error: " + path + ": No such file or directory");
  EXPECT_EQ(get(mirageRuntimeLoadProgramFile(device, "/", &program)),
            "file error: /: Is a directory");
}

TEST_F(RuntimeTest, Chips) {
  auto loadFor = [&](const char *chip, const char *major, const char *minor) {
    Variable setMajor("FAKE_CUDA_MAJOR", major);
    Variable setMinor("FAKE_CUDA_MINOR", minor);
    program_file::Program file = getSums();
    file.chip = chip;
    EXPECT_EQ(open(), "");
    std::string message = load(file);
    close();
    return message;
  };
  EXPECT_EQ(loadFor("sm_90a", "9", "0"), "");
  EXPECT_EQ(loadFor("sm_80", "8", "0"), "");
  EXPECT_EQ(loadFor("sm_80", "8", "6"), "");
  EXPECT_EQ(loadFor("sm_80", "9", "0"), "");
  EXPECT_EQ(loadFor("sm_90", "12", "0"), "");
  EXPECT_EQ(loadFor("sm_100a", "10", "0"), "");
  EXPECT_EQ(loadFor("sm_90a", "10", "0"),
            "unsupported device: the program is compiled for sm_90a, the "
            "device has compute capability 10.0");
  EXPECT_EQ(loadFor("sm_86", "8", "0"),
            "unsupported device: the program is compiled for sm_86, the "
            "device has compute capability 8.0");
  for (const char *chip :
       {"", "sm_", "sm_9", "gfx90a", "sm_90b", "sm_90aa", "sm_99999"})
    EXPECT_EQ(loadFor(chip, "9", "0"),
              std::string("invalid program: the program is compiled for '") +
                  chip + "', which is no chip");
}

/// Machine code is taken where it runs, and PTX otherwise.
TEST_F(RuntimeTest, Cubins) {
  program_file::Program file = getSums();
  file.buffers = {
      {program_file::Kind::Input, program_file::Type::F32, "x", {2}},
      {program_file::Kind::Output, program_file::Type::F32, "y", {9}}};
  file.launches.resize(1);
  file.launches[0].kernel = "k";
  file.launches[0].arguments = {0, 1};
  auto runWith = [&]() -> float {
    float x[2] = {1, 2}, y[9];
    const void *inputs[] = {x};
    void *outputs[] = {y};
    EXPECT_EQ(open(), "");
    std::string message = load(file);
    if (message.empty())
      message = get(mirageRuntimeRun(program, inputs, outputs));
    close();
    EXPECT_EQ(message, "");
    return message.empty() ? y[6] : -1;
  };
  EXPECT_EQ(runWith(), 90);
  file.modules[0].cubin = "\x7f"
                          "ELF";
  EXPECT_EQ(runWith(), 1) << "machine code";
  {
    Variable bad("FAKE_CUDA_BAD_CUBIN", "1");
    EXPECT_EQ(runWith(), 90) << "PTX, since the driver refuses it";
    file.modules[0].ptx = "";
    ASSERT_EQ(open(), "");
    EXPECT_THAT(load(file), HasSubstr("loading the machine code failed"));
    close();
  }
  EXPECT_EQ(runWith(), 1);
  file.chip = "sm_80";
  ASSERT_EQ(open(), "");
  EXPECT_EQ(load(file),
            "unsupported device: the program has no PTX for this device");
  close();
  file.modules[0].ptx = ".target sm_80\n";
  EXPECT_EQ(runWith(), 80) << "PTX on a newer generation";
  Variable major("FAKE_CUDA_MAJOR", "8");
  Variable minor("FAKE_CUDA_MINOR", "6");
  EXPECT_EQ(runWith(), 1) << "machine code on the same generation";
}

TEST_F(RuntimeTest, BadPTX) {
  ASSERT_EQ(open(), "");
  Variable bad("FAKE_CUDA_BAD_PTX", "1");
  EXPECT_EQ(load(getSums()),
            "CUDA error: CUDA: loading the PTX (ptxas: line 7: oops) failed: a "
            "PTX JIT compilation failed (CUDA_ERROR_INVALID_PTX)");
}

TEST_F(RuntimeTest, SharedMemory) {
  Variable shared("FAKE_CUDA_SHARED", "65536");
  ASSERT_EQ(open(), "");
  program_file::Program file = getSums();
  file.launches[1].sharedBytes = 65536;
  EXPECT_EQ(load(file), "");
  mirageRuntimeDestroyProgram(program);
  program = nullptr;
  file.launches[1].sharedBytes = 65537;
  EXPECT_EQ(load(file),
            "unsupported device: kernel 'fake_add3': needs 65537 bytes of "
            "shared memory, the device has 65536");
}

/// Tensor maps are made for each launch, of the buffers that it gets, also of
/// temporaries and in graphs.
TEST_F(SumsTest, TensorMaps) {
  program_file::Program file = getSums();
  file.launches[0].arguments[1].map = {{2, 4}, {1, 4}, 0};
  file.launches[1].arguments[0].map = {{8}, {8}, 32};
  mirageRuntimeDestroyProgram(program);
  program = nullptr;
  ASSERT_EQ(load(file), "");
  ASSERT_EQ(get(mirageRuntimeLaunch(program, arguments.data(), nullptr)), "");
  std::vector<float> expected(8);
  for (int i = 0; i < 8; ++i)
    expected[i] = a[i] + 2 * b[i];
  EXPECT_EQ(read(), expected);
  EXPECT_EQ(countCalls("cuTensorMapEncodeTiled"), 2);

  MirageRuntimeGraph *graph = nullptr;
  ASSERT_EQ(get(mirageRuntimeCapture(program, arguments.data(), 1, &graph)),
            "");
  ASSERT_EQ(get(mirageRuntimeFill(device, arguments[2], 0, 32)), "");
  ASSERT_EQ(get(mirageRuntimeLaunchGraph(graph, nullptr)), "");
  EXPECT_EQ(read(), expected);
  mirageRuntimeDestroyGraph(graph);

  Variable fail("FAKE_CUDA_FAIL", "cuTensorMapEncodeTiled:5");
  EXPECT_EQ(get(mirageRuntimeLaunch(program, arguments.data(), nullptr)),
            "CUDA error: CUDA: kernel 'fake_add3': making a tensor map failed: "
            "unknown error (CUDA_ERROR_UNKNOWN)");
}

//===----------------------------------------------------------------------===//
// Drivers
//===----------------------------------------------------------------------===//

TEST_F(RuntimeTest, Drivers) {
  MirageRuntimeDeviceOptions options = {0, "libnonexistent-cuda.so.1", nullptr};
  auto openWith = [&] {
    return get(mirageRuntimeOpenDeviceWithOptions(&options, &device));
  };
  EXPECT_EQ(openWith(), "no driver: no CUDA driver: libnonexistent-cuda.so.1 "
                        "could not be opened");
  options.driver = "libm.so.6";
  EXPECT_EQ(openWith(), "no driver: the CUDA driver libm.so.6 lacks the "
                        "function cuInit");
  options.driver = MIRAGE_FAKE_CUDA;
  options.index = 1;
  EXPECT_EQ(openWith(), "no device: no CUDA device 1, the driver knows 1");
  options.index = -1;
  EXPECT_EQ(openWith(), "no device: no CUDA device -1, the driver knows 1");
  options.index = 0;
  {
    Variable none("FAKE_CUDA_NO_DEVICE", "1");
    EXPECT_EQ(openWith(),
              "no device: CUDA: starting the driver failed: no CUDA-capable "
              "device is detected (CUDA_ERROR_NO_DEVICE)");
  }
  {
    Variable old("FAKE_CUDA_VERSION", "11080");
    EXPECT_EQ(openWith(), "no driver: the CUDA driver has version 11080, "
                          "expected at least 12000 (CUDA 12.0, for PTX 8.0)");
  }
  EXPECT_EQ(device, nullptr);
  Variable oldest("FAKE_CUDA_VERSION", "12000");
  Variable driver("MIRAGE_CUDA_DRIVER", MIRAGE_FAKE_CUDA);
  EXPECT_EQ(get(mirageRuntimeOpenDevice(0, &device)), "");
}

TEST_F(RuntimeTest, StatusNames) {
  for (int i = 0; i <= MIRAGE_RUNTIME_LIBRARY_ERROR; ++i)
    EXPECT_STRNE(
        mirageRuntimeGetStatusName(static_cast<MirageRuntimeStatus>(i)),
        "unknown status");
  EXPECT_STREQ(mirageRuntimeGetStatusName(static_cast<MirageRuntimeStatus>(99)),
               "unknown status");
}

/// An error code that the driver itself can't explain.
TEST_F(RuntimeTest, UnknownCodes) {
  Variable fail("FAKE_CUDA_FAIL", "cuInit"), code("FAKE_CUDA_FAIL_CODE", "998");
  EXPECT_EQ(open(), "CUDA error: CUDA: starting the driver failed with code "
                    "998");
}

TEST_F(RuntimeTest, OutOfMemory) {
  ASSERT_EQ(open(), "");
  Variable fail("FAKE_CUDA_FAIL", "cuMemAlloc_v2");
  Variable code("FAKE_CUDA_FAIL_CODE", "2");
  EXPECT_EQ(load(getSums()),
            "out of memory: CUDA: allocating 32 bytes failed: out of memory "
            "(CUDA_ERROR_OUT_OF_MEMORY)");
}

} // namespace
