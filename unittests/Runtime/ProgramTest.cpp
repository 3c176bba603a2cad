//===- ProgramTest.cpp - What a host function may launch ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/Program.h"
#include "TestUtils.h"
#include "gmock/gmock.h"

using namespace mirage;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class ProgramTest : public RuntimeTest {
protected:
  /// A host function with this signature and body, in a module with the kernels
  /// that the tests launch.
  mlir::FailureOr<CompiledProgram>
  extract(const std::string &signature, const std::string &body,
          const std::string &attributes = "mirage.num_results = 1 : i64") {
    module = parse(R"(
module attributes {gpu.container_module, mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 166912, device_bytes = 40000000000, bandwidth = 1555, tflops = 312, launch_ns = 2000>} {
  gpu.module @m {
    gpu.func @k(%a: memref<4xf16>, %b: memref<4xf16>) kernel { gpu.return }
    gpu.func @k3(%a: memref<4xf16>, %b: memref<4xf16>, %c: memref<4xf16>) kernel { gpu.return }
    gpu.func @sized(%a: memref<4xf16>) kernel attributes {
        known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} { gpu.return }
    gpu.func @mapped(%a: memref<4x16xf16> {mirage.tensor_map = {type = f16, shape = array<i64: 4, 16>, box = array<i64: 2, 8>, swizzle = 32 : i64}}) kernel { gpu.return }
    gpu.func @small(%a: memref<32xf16> {mirage.tensor_map = {type = f16, shape = array<i64: 4, 16>, box = array<i64: 2, 8>, swizzle = 32 : i64}}) kernel { gpu.return }
    gpu.func @other(%a: memref<64xbf16> {mirage.tensor_map = {type = f16, shape = array<i64: 4, 16>, box = array<i64: 2, 8>, swizzle = 32 : i64}}) kernel { gpu.return }
    gpu.func @wrongMap(%a: memref<64xf16> {mirage.tensor_map = {type = f16, shape = array<i64: 4, 16>, box = array<i64: 2, 3>, swizzle = 32 : i64}}) kernel { gpu.return }
    gpu.func @scalar(%a: index) kernel { gpu.return }
  }
  func.func @f)" + signature +
                   " attributes {" + attributes + "} {" + R"(
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c2048 = arith.constant 2048 : index
)" + body + "}}");
    if (!module)
      return mlir::failure();
    return extractProgram(*module->getOps<mlir::func::FuncOp>().begin());
  }

  void
  expectError(const std::string &signature, const std::string &body,
              const std::string &message,
              const std::string &attributes = "mirage.num_results = 1 : i64") {
    diagnostics.clear();
    EXPECT_TRUE(mlir::failed(extract(signature, body, attributes)));
    EXPECT_THAT(diagnostics, HasSubstr(message));
  }

  static std::vector<uint32_t> getBuffers(const Launch &launch) {
    std::vector<uint32_t> buffers;
    for (const program_file::Argument &argument : launch.arguments)
      buffers.push_back(argument.buffer);
    return buffers;
  }

  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(ProgramTest, ReadsBuffersAndLaunches) {
  auto program = extract("(%a: memref<4xf16>, %b: memref<4xf16>)", R"(
    %tmp = memref.alloc() : memref<4xf16>
    %shared = arith.constant 65536 : i32
    gpu.launch_func @m::@k blocks in (%c4, %c1, %c1) threads in (%c32, %c4, %c1) args(%a : memref<4xf16>, %tmp : memref<4xf16>)
    gpu.launch_func @m::@k blocks in (%c1, %c4, %c1) threads in (%c32, %c1, %c1) dynamic_shared_memory_size %shared args(%tmp : memref<4xf16>, %b : memref<4xf16>)
    memref.dealloc %tmp : memref<4xf16>
    return)");
  ASSERT_TRUE(mlir::succeeded(program)) << diagnostics;
  EXPECT_EQ(program->name, "f");
  EXPECT_EQ(program->getNumInputs(), 1u);
  EXPECT_EQ(program->getNumOutputs(), 1u);
  ASSERT_EQ(program->buffers.size(), 3u);
  EXPECT_EQ(program->buffers[0].kind, BufferKind::Input);
  EXPECT_EQ(program->buffers[1].kind, BufferKind::Output);
  EXPECT_EQ(program->buffers[2].kind, BufferKind::Temporary);
  EXPECT_EQ(program->buffers[2].bytes, 8u);
  EXPECT_EQ(program->buffers[2].type, ElementType::F16);
  ASSERT_EQ(program->launches.size(), 2u);
  const Launch &first = program->launches[0], &second = program->launches[1];
  EXPECT_EQ(first.module, "m");
  EXPECT_EQ(first.kernel, "k");
  EXPECT_THAT(first.grid, ElementsAre(4, 1, 1));
  EXPECT_THAT(first.block, ElementsAre(32, 4, 1));
  EXPECT_EQ(first.sharedBytes, 0u);
  EXPECT_THAT(getBuffers(first), ElementsAre(0, 2));
  EXPECT_THAT(second.grid, ElementsAre(1, 4, 1));
  EXPECT_EQ(second.sharedBytes, 65536u);
  EXPECT_THAT(getBuffers(second), ElementsAre(2, 1));
}

TEST_F(ProgramTest, RejectsWhatItCantRun) {
  const std::string one = "(%a: memref<4xf16>)";
  expectError(one, "return", "it lacks the attribute 'mirage.num_results'", "");
  expectError(one, "return", "has 1 arguments, and 'mirage.num_results' is 2",
              "mirage.num_results = 2 : i64");
  expectError("(%a: memref<?xf16>)", "return",
              "is not a memref of static shape and identity layout");
  expectError("(%a: memref<4xf16, strided<[2]>>)", "return",
              "is not a memref of static shape");
  expectError("(%a: index)", "return", "'index' is not a memref");
  expectError("(%a: memref<4294967296x4294967296xf32>)", "return",
              "has more bytes than can be counted");
  expectError("(%a: memref<4xi32>)", "return",
              "expected elements of type f16, bf16, f32 or f64, found 'i32'");
  expectError("(%a: memref<4xf16>) -> memref<4xf16>",
              "return %a : memref<4xf16>", "results have to be arguments");
  expectError(
      one, "%0 = memref.load %a[%c1] : memref<4xf16>\n return",
      "'memref.load' op can't be run, expected only buffers and launches");
  expectError(one, "return\n ^bb1: return", "expected a body of one block");
}

TEST_F(ProgramTest, RejectsLaunchesThatCantBe) {
  const std::string one = "(%a: memref<4xf16>)";
  expectError(one, R"(
    %d = memref.dim %a, %c1 : memref<4xf16>
    return)",
              "'memref.dim' op can't be run");
  expectError(one, R"(
    gpu.launch_func @m::@sized clusters in (%c1, %c1, %c1) blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%a : memref<4xf16>)
    return)",
              "can't be run, a size of clusters has to be the kernel's "
              "('known_cluster_size')");
  expectError(one, R"(
    %t = gpu.launch_func async @m::@sized blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%a : memref<4xf16>)
    return)",
              "can't be run, asynchronous launches are not supported");
  expectError(one, R"(
    gpu.launch_func @m::@sized blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%a : memref<4xf16>)
    return)",
              "has a grid size of 1x1x1\n");
  EXPECT_THAT(diagnostics, HasSubstr("note: the kernel is compiled for 4x1x1"));
  expectError(one, R"(
    gpu.launch_func @m::@sized blocks in (%c4, %c1, %c1) threads in (%c4, %c1, %c1) args(%a : memref<4xf16>)
    return)",
              "has a block size of 4x1x1");
  expectError(one, R"(
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c2048, %c1, %c1) args(%a : memref<4xf16>, %a : memref<4xf16>)
    return)",
              "has a block size 2048, expected 1 to 1024");
  expectError(one, R"(
    %shared = arith.constant 200000 : i32
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) dynamic_shared_memory_size %shared args(%a : memref<4xf16>, %a : memref<4xf16>)
    return)",
              "has a size of shared memory 200000, expected 0 to 166912");
  expectError(one, R"(
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c32, %c4) args(%a : memref<4xf16>, %a : memref<4xf16>)
    return)",
              "has blocks of 4096 threads, expected at most 1024");
  expectError(one, R"(
    gpu.launch_func @m::@scalar blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%c1 : index)
    return)",
              "operand of type 'index' is neither an argument of the function "
              "nor a memref.alloc");
  expectError("(%n: memref<4xf16>)", R"(
    %t = gpu.wait async
    return)",
              "'gpu.wait' op can't be run");
}

TEST_F(ProgramTest, ReadsLibraryCalls) {
  auto withCall = [](const std::string &call) {
    return R"(
    %tmp = memref.alloc() : memref<4xf16>
    gpu.launch_func @m::@k3 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%a : memref<4xf16>, %a : memref<4xf16>, %b : memref<4xf16>)
      {mirage.library = )" +
           call + R"(}
    memref.dealloc %tmp : memref<4xf16>
    return)";
  };
  const std::string signature = "(%a: memref<4xf16>, %b: memref<4xf16>)";
  auto program = extract(
      signature, withCall("{op = \"matmul\", batch = 1, m = 2, n = 2, k = 2}"));
  ASSERT_TRUE(mlir::succeeded(program)) << diagnostics;
  const program_file::LibraryCall &call = program->launches[0].library;
  EXPECT_EQ(call.op, program_file::LibraryCall::Op::Matmul);
  EXPECT_EQ(call.m, 2);
  EXPECT_EQ(call.k, 2);

  expectError(signature, withCall("\"matmul\""),
              "has a 'mirage.library' of \"matmul\", expected a dictionary "
              "with op = \"matmul\", op = \"matmul_transposed\" or op = "
              "\"matmul_transposed_lhs\"");
  expectError(signature, withCall("{op = \"fft\"}"),
              "expected a dictionary with op = \"matmul\"");
  program = extract(
      signature,
      withCall("{op = \"matmul_transposed\", batch = 1, m = 2, n = 2, k = 2}"));
  ASSERT_TRUE(mlir::succeeded(program)) << diagnostics;
  EXPECT_EQ(program->launches[0].library.op,
            program_file::LibraryCall::Op::MatmulTransposed);
  program =
      extract(signature, withCall("{op = \"matmul_transposed_lhs\", batch "
                                  "= 1, m = 2, n = 2, k = 2}"));
  ASSERT_TRUE(mlir::succeeded(program)) << diagnostics;
  EXPECT_EQ(program->launches[0].library.op,
            program_file::LibraryCall::Op::MatmulTransposedLhs);
  expectError(signature, withCall("{op = \"matmul\", batch = 1, m = 2}"),
              "has a 'mirage.library' without an i64 'n'");
  expectError(
      signature,
      withCall("{op = \"matmul\", batch = 1, m = 2 : i32, n = 2, k = 2}"),
      "has a 'mirage.library' without an i64 'm'");
  expectError(signature,
              withCall("{op = \"matmul\", batch = 1, m = 4, n = 2, k = 2}"),
              "calls a library's matmul on a buffer of another size");
}

TEST_F(ProgramTest, ReadsTensorMaps) {
  auto withLaunch = [](const std::string &kernel, const std::string &type) {
    return "gpu.launch_func @m::@" + kernel +
           " blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%a : " +
           type + ")\n return";
  };
  auto program = extract("(%a: memref<4x16xf16>)",
                         withLaunch("mapped", "memref<4x16xf16>"));
  ASSERT_TRUE(mlir::succeeded(program)) << diagnostics;
  const program_file::Argument &argument = program->launches[0].arguments[0];
  EXPECT_EQ(argument.buffer, 0u);
  ASSERT_TRUE(argument.map);
  EXPECT_THAT(argument.map->shape, ElementsAre(4, 16));
  EXPECT_THAT(argument.map->box, ElementsAre(2, 8));
  EXPECT_EQ(argument.map->swizzleBytes, 32u);

  expectError("(%a: memref<32xf16>)", withLaunch("small", "memref<32xf16>"),
              "has a tensor map of 128 bytes of a buffer of 64");
  expectError("(%a: memref<64xbf16>)", withLaunch("other", "memref<64xbf16>"),
              "passes a buffer of 'bf16' as operand 0");
  EXPECT_THAT(diagnostics,
              HasSubstr("note: the kernel takes a tensor map of 'f16'"));
  expectError("(%a: memref<64xf16>)", withLaunch("wrongMap", "memref<64xf16>"),
              "has as argument 0 a tensor map with a box with rows of 6 "
              "bytes, not a multiple of 16");
}

} // namespace
