//===- TestUtils.h - Tests of the runtime library ---------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_CAPI_TESTUTILS_H
#define MIRAGE_UNITTESTS_CAPI_TESTUTILS_H

#include "Mirage/Runtime/ProgramFormat.h"
#include "mirage-c/Runtime.h"
#include "gmock/gmock.h"
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <vector>

namespace mirage::runtime_test {

/// An environment variable, as long as it lives.
class Variable {
public:
  Variable(const char *name, const std::string &value) : name(name) {
    setenv(name, value.c_str(), /*overwrite=*/1);
  }
  ~Variable() { unsetenv(name); }
  Variable(const Variable &) = delete;

private:
  const char *name;
};

/// out = (a + b) + b for vectors of 8 f32: two launches and a temporary.
inline program_file::Program getSums() {
  using namespace program_file;
  Program program;
  program.producer = "test 1";
  program.name = "sums";
  program.chip = "sm_90a";
  program.verdict = "proved";
  program.bandwidth = 4800;
  program.tflops = 990;
  program.buffers = {{Kind::Input, Type::F32, "a", {8}},
                     {Kind::Input, Type::F32, "b", {2, 4}},
                     {Kind::Output, Type::F32, "out", {8}},
                     {Kind::Temporary, Type::F32, "t", {8}}};
  program.modules = {{"kernels", ".target sm_90a\n", ""}};
  Launch first;
  first.kernel = "fake_add3";
  first.grid = {2, 1, 1};
  first.block = {4, 1, 1};
  first.arguments = {0, 1, 3};
  Launch second = first;
  second.arguments = {3, 1, 2};
  program.launches = {first, second};
  return program;
}

/// Runs against the library of FakeCuda.cpp. Afterwards nothing must be left.
class RuntimeTest : public testing::Test {
protected:
  RuntimeTest() {
    void *library = dlopen(MIRAGE_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
    auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(
          dlsym(library, name));
    };
    find(countLive, "fakeCudaCountLive");
    find(countMisuses, "fakeCudaCountMisuses");
    find(countCalls, "fakeCudaCountCalls");
    find(createStream, "fakeCudaCreateStream");
    find(destroyStream, "fakeCudaDestroyStream");
    find(reset, "fakeCudaReset");
    reset();
  }
  ~RuntimeTest() override {
    close();
    EXPECT_EQ(countLive(), 0) << "something is left";
    EXPECT_EQ(countMisuses(), 0);
  }

  /// The message, after the status' name; empty for success.
  static std::string get(MirageRuntimeStatus status) {
    if (status == MIRAGE_RUNTIME_SUCCESS)
      return "";
    return std::string(mirageRuntimeGetStatusName(status)) + ": " +
           mirageRuntimeGetLastError();
  }

  std::string open() {
    MirageRuntimeDeviceOptions options = {0, MIRAGE_FAKE_CUDA,
                                          MIRAGE_FAKE_CUDA};
    return get(mirageRuntimeOpenDeviceWithOptions(&options, &device));
  }
  std::string load(const program_file::Program &file) {
    std::string bytes = program_file::encode(file);
    return get(
        mirageRuntimeLoadProgram(device, bytes.data(), bytes.size(), &program));
  }
  void close() {
    mirageRuntimeDestroyProgram(program);
    mirageRuntimeCloseDevice(device);
    program = nullptr;
    device = nullptr;
  }

  int (*countLive)();
  int (*countMisuses)();
  int (*countCalls)(const char *);
  /// A stream that doesn't wait for the default stream.
  void *(*createStream)();
  void (*destroyStream)(void *stream);
  void (*reset)();
  MirageRuntimeDevice *device = nullptr;
  MirageRuntimeProgram *program = nullptr;
};

} // namespace mirage::runtime_test

#endif // MIRAGE_UNITTESTS_CAPI_TESTUTILS_H
