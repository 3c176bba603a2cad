//===- HostChecksTest.cpp - What the host's checks report -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostTestUtils.h"
#include "Mirage/Pipelines/GPULowering.h"
#include "mlir/Pass/PassManager.h"
#include "gmock/gmock.h"

using namespace mirage;

namespace {

class HostChecksTest : public HostTest {
protected:
  /// The report on a kernel of 64 threads with 64 numbers in (argument 0) and
  /// out (argument 1), and a %tile of 64 numbers in shared memory. %one is
  /// another thread's number.
  std::string check(const std::string &body, uint64_t seed = 0,
                    int sharedBytes = 256) {
    std::string text = makeModule("%x: memref<64xf32>, %y: memref<64xf32>", R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %t = gpu.thread_id x
      %one = arith.xori %t, %c1 : index
      %far = arith.xori %t, %c32 : index
      %low = arith.cmpi ult, %t, %c32 : index
      %tile = memref.view %smem[%c0][] : memref<?xi8, SPACE> to memref<64xf32, SPACE>
      %v = memref.load %x[%t] : memref<64xf32>
)" + body,
                                  1, 64, sharedBytes);
    Array arguments[] = {makeArray({64}, ElementType::F32),
                         makeArray({64}, ElementType::F32)};
    HostOptions options;
    options.seed = seed;
    options.checks = true;
    return run(text, arguments, options);
  }
};

const char *const kStore =
    "memref.store %v, %tile[%t] : memref<64xf32, SPACE>\n";
const char *const kLoad =
    "%w = memref.load %tile[%INDEX] : memref<64xf32, SPACE>\n"
    "memref.store %w, %y[%t] : memref<64xf32>\n";

std::string load(const std::string &index) {
  std::string text = kLoad;
  return text.replace(text.find("INDEX"), 5, index);
}

TEST_F(HostChecksTest, SynchronizedAccessesAreFine) {
  const std::string all = "%all = arith.constant -1 : i32\n";
  for (uint64_t seed : {0, 1, 2}) {
    EXPECT_EQ(check(kStore + load("t"), seed), "");
    EXPECT_EQ(check(kStore + std::string("gpu.barrier\n") + load("far"), seed),
              "");
    EXPECT_EQ(
        check(kStore + all + "nvvm.bar.warp.sync %all : i32\n" + load("one"),
              seed),
        "");
    EXPECT_EQ(check(kStore + std::string(R"(
      %id = arith.constant 2 : i32
      %n = arith.constant 64 : i32
      nvvm.barrier id = %id number_of_threads = %n
)") + load("far"),
                    seed),
              "");
    // One warp writes, the other one reads.
    EXPECT_EQ(check(R"(
      %id = arith.constant 2 : i32
      %n = arith.constant 64 : i32
      scf.if %low {
        memref.store %v, %tile[%t] : memref<64xf32, SPACE>
        nvvm.barrier.arrive id = %id number_of_threads = %n
      } else {
        nvvm.barrier id = %id number_of_threads = %n
        %w = memref.load %tile[%far] : memref<64xf32, SPACE>
        memref.store %w, %y[%t] : memref<64xf32>
      })",
                    seed),
              "");
  }
}

TEST_F(HostChecksTest, Races) {
  EXPECT_EQ(check(kStore + load("one")),
            "kernel 'k', block (0, 0, 0): thread 0 reads 4 bytes at offset 4 "
            "of shared memory in llvm.load at -:18:6, and nothing has been "
            "written at offset 4");
  for (uint64_t seed : {1, 2, 3})
    EXPECT_THAT(check(kStore + std::string("gpu.barrier\n") + load("one") +
                          "memref.store %v, %tile[%far] : memref<64xf32, "
                          "SPACE>\n",
                      seed),
                testing::MatchesRegex(
                    "kernel 'k', block \\(0, 0, 0\\): thread .* (reads|writes) "
                    "4 bytes at offset .* of shared memory in llvm.* at .*, "
                    "and thread .* (reads|writes) there in llvm.* at .* with "
                    "no barrier between: a race"));
  // A shuffle is no barrier.
  EXPECT_THAT(check(kStore + std::string("gpu.barrier\n") + load("one") + R"(
      %all = arith.constant -1 : i32
      %o = arith.constant 1 : i32
      %width = arith.constant 31 : i32
      %s = nvvm.shfl.sync bfly %all, %v, %o, %width : f32 -> f32
      memref.store %s, %tile[%t] : memref<64xf32, SPACE>
)"),
              testing::HasSubstr(" reads there in llvm.load at"));
  // Nor is a barrier of the other warp.
  EXPECT_THAT(check(kStore + std::string(R"(
      %id = arith.constant 1 : i32
      %n = arith.constant 32 : i32
      scf.if %low {
        nvvm.barrier id = %id number_of_threads = %n
      } else {
        %id2 = arith.constant 2 : i32
        nvvm.barrier id = %id2 number_of_threads = %n
      }
)") + load("far"),
                    /*seed=*/3),
              testing::HasSubstr("no barrier between: a race"));
}

TEST_F(HostChecksTest, Bounds) {
  EXPECT_EQ(check("%i = arith.addi %t, %c1 : index\n"
                  "%w = memref.load %x[%i] : memref<64xf32>\n"
                  "memref.store %w, %y[%t] : memref<64xf32>\n"),
            "kernel 'k', block (0, 0, 0): thread 63 reads 4 bytes at byte 256 "
            "of argument 0 in llvm.load at -:18:6, which has 256 bytes");
  EXPECT_EQ(check("%i = arith.subi %t, %c1 : index\n"
                  "memref.store %v, %y[%i] : memref<64xf32>\n"),
            "kernel 'k', block (0, 0, 0): thread 0 writes 4 bytes at byte -4 "
            "of argument 1 in llvm.store at -:18:1, which has 256 bytes");
  EXPECT_EQ(check(kStore, 0, 252),
            "kernel 'k', block (0, 0, 0): thread 63 writes 4 bytes at offset "
            "252 of shared memory in llvm.store at -:17:1, which has 252 "
            "bytes");
  // Far beyond shared memory, and nowhere.
  EXPECT_EQ(check("%i = arith.muli %c64, %c64 : index\n"
                  "memref.store %v, %tile[%i] : memref<64xf32, SPACE>\n"),
            "kernel 'k', block (0, 0, 0): thread 0 writes 4 bytes at offset "
            "16384 of shared memory in llvm.store at -:18:1, which has 256 "
            "bytes");
  EXPECT_EQ(check("%null = llvm.mlir.zero : !llvm.ptr\n"
                  "%p = llvm.select %low, %null, %null : i1, !llvm.ptr\n"
                  "llvm.store %v, %p : f32, !llvm.ptr\n"),
            "kernel 'k', block (0, 0, 0): thread 0 writes 4 bytes at an "
            "address in llvm.store at -:19:1, which is in no buffer that the "
            "kernel was given");
}

TEST_F(HostChecksTest, Alignment) {
  EXPECT_EQ(check("%p = memref.extract_aligned_pointer_as_index %x : "
                  "memref<64xf32> -> index\n"
                  "%p64 = arith.index_cast %p : index to i64\n"
                  "%q = llvm.inttoptr %p64 : i64 to !llvm.ptr<1>\n"
                  "%r = llvm.getelementptr %q[1] : (!llvm.ptr<1>) -> "
                  "!llvm.ptr<1>, f32\n"
                  "%w = llvm.load %r : !llvm.ptr<1> -> vector<2xf32>\n"
                  "%s = llvm.getelementptr %q[0] : (!llvm.ptr<1>) -> "
                  "!llvm.ptr<1>, f32\n"
                  "llvm.store %w, %s : vector<2xf32>, !llvm.ptr<1>\n"),
            "kernel 'k', block (0, 0, 0): thread 0 reads 8 bytes at byte 4 of "
            "argument 0 in llvm.load at -:21:6, where the offset has to be a "
            "multiple of 8");
  EXPECT_EQ(check("%p = memref.extract_aligned_pointer_as_index %tile : "
                  "memref<64xf32, SPACE> -> index\n"
                  "%p64 = arith.index_cast %p : index to i64\n"
                  "%q = llvm.inttoptr %p64 : i64 to !llvm.ptr<3>\n"
                  "%r = llvm.getelementptr %q[1] : (!llvm.ptr<3>) -> "
                  "!llvm.ptr<3>, i16\n"
                  "llvm.store %v, %r : f32, !llvm.ptr<3>\n"),
            "kernel 'k', block (0, 0, 0): thread 0 writes 4 bytes at offset 2 "
            "of shared memory in llvm.store at -:21:1, where the offset has "
            "to be a multiple of 4");
}

TEST_F(HostChecksTest, NeedsTracedAccesses) {
  auto module = parse(makeModule("%y: memref<1xf32>", "", 1, 1));
  auto program = extractProgram(*module->getOps<mlir::func::FuncOp>().begin());
  ASSERT_TRUE(mlir::succeeded(program));
  mlir::DialectRegistry registry;
  registerGPULoweringInterfaces(registry);
  context.appendDialectRegistry(registry);
  mlir::PassManager pm(&context);
  buildGPUToHostPipeline(pm);
  ASSERT_TRUE(mlir::succeeded(pm.run(*module))) << diagnostics;
  auto executable = HostExecutable::create(*module);
  ASSERT_TRUE(bool(executable)) << getMessage(executable.takeError());
  Array arguments[] = {makeArray({1}, ElementType::F32)};
  HostOptions options;
  options.checks = true;
  EXPECT_EQ(getMessage((*executable)->run(*program, arguments, options)),
            "memory accesses can't be checked or counted in kernels that "
            "don't trace them");
}

} // namespace
