//===- LibraryTest.cpp - Products by cublasLt -----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Numbers/Float16.h"
#include "TestUtils.h"
#include <random>

using namespace mirage;
using namespace mirage::program_file;
using namespace mirage::runtime_test;
using testing::StartsWith;

namespace {

float load(const void *data, Type type, int64_t i) {
  if (type == Type::F32)
    return static_cast<const float *>(data)[i];
  uint16_t bits = static_cast<const uint16_t *>(data)[i];
  return type == Type::F16 ? halfToFloat(bits) : bfloatToFloat(bits);
}

void store(void *data, Type type, int64_t i, float value) {
  if (type == Type::F32)
    static_cast<float *>(data)[i] = value;
  else
    static_cast<uint16_t *>(data)[i] =
        type == Type::F16 ? floatToHalf(value) : floatToBFloat(value);
}

class LibraryTest : public RuntimeTest {
protected:
  /// Batches of the operands: the product's, or one for all of them.
  struct Batches {
    int64_t lhs, rhs;
  };

  static Program getMatmul(LibraryCall call, Type operands, Type result,
                           Batches batches) {
    Program program = getSums();
    program.buffers = {
        {Kind::Input, operands, "a", {batches.lhs, call.m, call.k}},
        {Kind::Input, operands, "b", {batches.rhs, call.k, call.n}},
        {Kind::Output, result, "c", {call.batch, call.m, call.n}}};
    program.launches.resize(1);
    program.launches[0].arguments = {0, 1, 2};
    program.launches[0].library = call;
    return program;
  }

  /// Runs a product of small integers, which is exact, and compares it with
  /// three loops. Says what computed it, and why.
  std::string check(LibraryCall call, Type operands, Type result) {
    return check(call, operands, result, {call.batch, call.batch});
  }
  std::string check(LibraryCall call, Type operands, Type result,
                    Batches batches) {
    Program file = getMatmul(call, operands, result, batches);
    std::vector<char> bytes[3];
    std::mt19937 random(1);
    for (int i = 0; i < 3; ++i) {
      bytes[i].resize(file.buffers[i].getBytes());
      for (size_t e = 0; i < 2 && e < bytes[i].size() / getSize(operands); ++e)
        store(bytes[i].data(), operands, e, float(int(random() % 9) - 4));
    }
    const void *inputs[] = {bytes[0].data(), bytes[1].data()};
    void *outputs[] = {bytes[2].data()};
    EXPECT_EQ(load(file), "");
    EXPECT_EQ(get(mirageRuntimeRun(program, inputs, outputs)), "");
    MirageRuntimeLaunchInfo launch;
    mirageRuntimeGetLaunch(program, 0, &launch);
    std::string what = launch.implementation;
    if (*launch.reason)
      what += std::string(": ") + launch.reason;
    mirageRuntimeDestroyProgram(program);
    program = nullptr;
    if (what != "cublasLt")
      return what;
    for (int64_t b = 0; b < call.batch; ++b) {
      int64_t lhs = b % batches.lhs, rhs = b % batches.rhs;
      for (int64_t i = 0; i < call.m; ++i)
        for (int64_t j = 0; j < call.n; ++j) {
          float sum = 0;
          for (int64_t k = 0; k < call.k; ++k)
            sum += ::load(inputs[0], operands,
                          call.op == LibraryCall::Op::MatmulTransposedLhs
                              ? (lhs * call.k + k) * call.m + i
                              : (lhs * call.m + i) * call.k + k) *
                   ::load(inputs[1], operands,
                          call.op == LibraryCall::Op::MatmulTransposed
                              ? (rhs * call.n + j) * call.k + k
                              : (rhs * call.k + k) * call.n + j);
          EXPECT_EQ(::load(outputs[0], result, (b * call.m + i) * call.n + j),
                    sum)
              << b << " " << i << " " << j;
        }
    }
    return what;
  }
  using RuntimeTest::load;
};

constexpr LibraryCall kCall = {LibraryCall::Op::Matmul, 1, 3, 5, 7};

TEST_F(LibraryTest, Products) {
  ASSERT_EQ(open(), "");
  for (auto [operands, result] : {std::pair{Type::F16, Type::F16},
                                  {Type::F16, Type::F32},
                                  {Type::BF16, Type::BF16},
                                  {Type::BF16, Type::F32},
                                  {Type::F32, Type::F32}}) {
    EXPECT_EQ(check(kCall, operands, result), "cublasLt");
    EXPECT_EQ(check({LibraryCall::Op::Matmul, 4, 2, 3, 6}, operands, result),
              "cublasLt");
    EXPECT_EQ(check({LibraryCall::Op::Matmul, 1, 1, 16, 9}, operands, result),
              "cublasLt");
    for (auto op : {LibraryCall::Op::Matmul, LibraryCall::Op::MatmulTransposed,
                    LibraryCall::Op::MatmulTransposedLhs})
      for (Batches batches : {Batches{4, 4}, {1, 4}, {4, 1}, {1, 1}})
        EXPECT_EQ(check({op, 4, 2, 3, 6}, operands, result, batches),
                  "cublasLt");
  }
}

/// The kernel runs where the library can't, and it is said why.
TEST_F(LibraryTest, Fallbacks) {
  auto checkWith = [&](const char *library) {
    reset();
    MirageRuntimeDeviceOptions options = {0, MIRAGE_FAKE_CUDA, library};
    EXPECT_EQ(get(mirageRuntimeOpenDeviceWithOptions(&options, &device)), "");
    std::string what = check(kCall, Type::F16, Type::F16);
    close();
    return what;
  };
  EXPECT_EQ(checkWith("libnonexistent-cublas.so"),
            "kernel: libnonexistent-cublas.so could not be opened");
  EXPECT_EQ(checkWith(""), "kernel: no library is wanted");
  EXPECT_EQ(checkWith("libm.so.6"),
            "kernel: cublasLt lacks the function cublasLtGetVersion");
  {
    Variable environment("MIRAGE_CUBLASLT", "libm.so.6");
    EXPECT_EQ(checkWith(nullptr),
              "kernel: cublasLt lacks the function cublasLtGetVersion");
  }
  {
    Variable environment("MIRAGE_CUBLASLT", "");
    EXPECT_EQ(checkWith(nullptr), "kernel: no library is wanted");
  }
  {
    Variable old("FAKE_CUBLASLT_VERSION", "10203");
    EXPECT_EQ(checkWith(MIRAGE_FAKE_CUDA),
              "kernel: cublasLt has version 10203, expected at least 110000");
  }
  {
    Variable none("FAKE_CUBLASLT_NO_ALGORITHM", "1");
    EXPECT_EQ(checkWith(MIRAGE_FAKE_CUDA),
              "kernel: cublasLt has no algorithm for these sizes");
  }
  {
    Variable fail("FAKE_CUDA_FAIL", "cublasLtCreate");
    EXPECT_EQ(checkWith(MIRAGE_FAKE_CUDA),
              "kernel: cublasLtCreate failed with status 999");
  }
  // What is there by default depends on the machine; it works in any case.
  EXPECT_THAT(checkWith(nullptr),
              testing::AnyOf("cublasLt", StartsWith("ker")));
}

TEST_F(LibraryTest, InGraphs) {
  ASSERT_EQ(open(), "");
  ASSERT_EQ(load(getMatmul({LibraryCall::Op::Matmul, 1, 2, 2, 2}, Type::F32,
                           Type::F32, {1, 1})),
            "");
  float a[] = {1, 2, 3, 4}, b[] = {1, 10, 100, 1000}, c[] = {0, 0, 0, 0};
  void *arguments[3];
  for (auto [i, values] : {std::pair{0, a}, {1, b}, {2, c}}) {
    ASSERT_EQ(get(mirageRuntimeAllocate(device, 16, &arguments[i])), "");
    mirageRuntimeCopyToDevice(device, arguments[i], values, 16);
  }
  MirageRuntimeGraph *graph = nullptr;
  ASSERT_EQ(get(mirageRuntimeCapture(program, arguments, 2, &graph)), "");
  ASSERT_EQ(get(mirageRuntimeLaunchGraph(graph, nullptr)), "");
  mirageRuntimeCopyToHost(device, c, arguments[2], 16);
  EXPECT_THAT(c, testing::ElementsAre(201, 2010, 403, 4030));
  mirageRuntimeDestroyGraph(graph);
  for (void *memory : arguments)
    mirageRuntimeFree(device, memory);
}

} // namespace
