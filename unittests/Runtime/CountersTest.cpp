//===- CountersTest.cpp - What is counted of a kernel ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/Counters.h"
#include "HostTestUtils.h"
#include "gmock/gmock.h"

using namespace mirage;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

namespace {

class CountersTest : public HostTest {
protected:
  /// The counters of a kernel of 64 threads in each block, with 4096 numbers
  /// each in argument 0 and 1 and 4096 bytes of shared memory.
  KernelCounters count(const std::string &body, int blocks = 1,
                       uint64_t countedBlocks = 0, uint64_t seed = 0,
                       unsigned threads = 1) {
    Array arguments[] = {makeArray({4096}, ElementType::F32),
                         makeArray({4096}, ElementType::F32)};
    fillUniform(arguments[0], 1, 0);
    std::vector<KernelCounters> counters;
    HostOptions options;
    options.seed = seed;
    options.threads = threads;
    options.counters = &counters;
    options.countedBlocks = countedBlocks;
    EXPECT_EQ(run(makeModule("%x: memref<4096xf32>, %y: memref<4096xf32>", R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %one = arith.constant 1.0 : f32
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %lane = arith.remui %t, %c32 : index
      %first = arith.muli %b, %c64 : index
      %i = arith.addi %first, %t : index
      %tile = memref.view %smem[%c0][] : memref<?xi8, SPACE> to memref<1024xf32, SPACE>
)" + body,
                             blocks, 64, 4096),
                  arguments, options),
              "")
        << diagnostics;
    return counters.empty() ? KernelCounters() : counters[0];
  }
};

TEST_F(CountersTest, CoalescedAndStridedAccesses) {
  const std::string store = "memref.store %v, %y[%i] : memref<4096xf32>\n";
  for (uint64_t seed : {0, 1}) {
    KernelCounters whole = count(
        "%v = memref.load %x[%i] : memref<4096xf32>\n" + store, 64, 0, seed);
    // A warp's 32 numbers are 4 sectors.
    EXPECT_EQ(whole.blocks, 64u);
    EXPECT_EQ(whole.countedBlocks, 64u);
    EXPECT_EQ(whole.threadsPerBlock, 64u);
    EXPECT_TRUE(whole.alike);
    EXPECT_EQ(whole.total.readRequests, 128u);
    EXPECT_EQ(whole.total.writeRequests, 128u);
    EXPECT_EQ(whole.total.readSectors, 512u);
    EXPECT_EQ(whole.total.writtenSectors, 512u);
    EXPECT_EQ(whole.distinctReadSectors, 512u);
    EXPECT_EQ(whole.distinctWrittenSectors, 512u);
    EXPECT_EQ(whole.idealReadSectors, 512u);
    EXPECT_EQ(whole.idealWrittenSectors, 512u);
  }
  // Each lane in a sector of its own; all blocks the same ones.
  KernelCounters strided = count(R"(
      %c8 = arith.constant 8 : index
      %j = arith.muli %t, %c8 : index
      %v = memref.load %x[%j] : memref<4096xf32>
)" + store,
                                 64);
  EXPECT_EQ(strided.total.readRequests, 128u);
  EXPECT_EQ(strided.total.readSectors, 4096u);
  EXPECT_EQ(strided.distinctReadSectors, 64u);
  EXPECT_EQ(strided.idealReadSectors, 512u);
  // One number for all lanes.
  KernelCounters same =
      count("%v = memref.load %x[%c0] : memref<4096xf32>\n" + store, 64);
  EXPECT_EQ(same.total.readSectors, 128u);
  EXPECT_EQ(same.distinctReadSectors, 1u);
}

TEST_F(CountersTest, VectorsAreAsWideAsAligned) {
  auto countVector = [&](int alignment) {
    return count(
        "%q = arith.muli %t, %c4 : index\n"
        "%p = memref.extract_aligned_pointer_as_index %x : memref<4096xf32> -> "
        "index\n"
        "%p64 = arith.index_cast %p : index to i64\n"
        "%q64 = arith.index_cast %q : index to i64\n"
        "%r = llvm.inttoptr %p64 : i64 to !llvm.ptr<1>\n"
        "%s = llvm.getelementptr %r[%q64] : (!llvm.ptr<1>, i64) -> "
        "!llvm.ptr<1>, f32\n"
        "%v = llvm.load %s {alignment = " +
        std::to_string(alignment) +
        " : i64} : !llvm.ptr<1> -> vector<4xf32>\n"
        "%e = vector.extract %v[0] : f32 from vector<4xf32>\n"
        "memref.store %e, %y[%i] : memref<4096xf32>\n");
  };
  KernelCounters wide = countVector(16);
  EXPECT_EQ(wide.total.readRequests, 2u);
  EXPECT_EQ(wide.total.readSectors, 32u);
  KernelCounters narrow = countVector(4);
  EXPECT_EQ(narrow.total.readRequests, 8u);
  EXPECT_EQ(narrow.total.readSectors, 128u);
  EXPECT_EQ(narrow.distinctReadSectors, 32u);
}

TEST_F(CountersTest, LanesThatDiverge) {
  // Odd lanes go three times around, even ones once, and then all once more.
  KernelCounters counters = count(R"(
      %odd = arith.remui %t, %c2 : index
      %two = arith.muli %odd, %c2 : index
      %times = arith.addi %two, %c1 : index
      scf.for %k = %c0 to %times step %c1 {
        %v = memref.load %x[%i] : memref<4096xf32>
        memref.store %v, %y[%i] : memref<4096xf32>
      }
      gpu.barrier
      %w = memref.load %x[%i] : memref<4096xf32>
      memref.store %w, %y[%i] : memref<4096xf32>
)");
  // For each warp 3 times 4 sectors, and 4.
  EXPECT_EQ(counters.total.readRequests, 8u);
  EXPECT_EQ(counters.total.readSectors, 32u);
  EXPECT_EQ(counters.total.barriers, 1u);
}

TEST_F(CountersTest, BankConflicts) {
  // The stride between lanes, in words, and the wavefronts of a warp.
  for (auto [stride, wavefronts] :
       {std::pair(1, 1), std::pair(2, 2), std::pair(3, 1), std::pair(8, 8),
        std::pair(0, 1)}) {
    KernelCounters counters =
        count("%s = arith.constant " + std::to_string(stride) +
              " : index\n"
              "%j = arith.muli %lane, %s : index\n"
              "memref.store %one, %tile[%j] : memref<1024xf32, SPACE>\n");
    EXPECT_EQ(counters.total.sharedRequests, 2u);
    EXPECT_EQ(counters.total.sharedPhases, 2u);
    EXPECT_EQ(counters.total.sharedWavefronts, 2u * wavefronts) << stride;
  }
  // 16 bytes for each lane: a quarter of the lanes at a time. In rows of 64
  // bytes two of 8 lanes are in the same banks.
  for (auto [stride, wavefronts] :
       {std::pair(4, 4), std::pair(16, 16), std::pair(20, 4)}) {
    KernelCounters counters =
        count("%s = arith.constant " + std::to_string(stride) +
              " : index\n"
              "%j = arith.muli %lane, %s : index\n"
              "%v = vector.broadcast %one : f32 to vector<4xf32>\n"
              "vector.store %v, %tile[%j] {alignment = 16} : memref<1024xf32, "
              "SPACE>, vector<4xf32>\n");
    EXPECT_EQ(counters.total.sharedRequests, 2u);
    EXPECT_EQ(counters.total.sharedPhases, 8u);
    EXPECT_EQ(counters.total.sharedWavefronts, 2u * wavefronts) << stride;
  }
}

TEST_F(CountersTest, FunctionsAndSampledBlocks) {
  const std::string body = R"(
      %v = memref.load %x[%i] : memref<4096xf32>
      %a = math.exp2 %v : f32
      %c = math.sqrt %a : f32
      %d = arith.divf %c, %a : f32
      memref.store %d, %y[%i] : memref<4096xf32>
)";
  for (unsigned threads : {1, 3})
    for (uint64_t counted : {0, 1, 5, 64, 100}) {
      KernelCounters counters = count(body, 64, counted, 0, threads);
      EXPECT_EQ(counters.countedBlocks,
                counted == 0 || counted > 64 ? 64 : counted);
      EXPECT_TRUE(counters.alike);
      EXPECT_EQ(counters.total.readSectors, 512u);
      EXPECT_THAT(counters.total.specialFunctions,
                  ElementsAre(Pair("div", 4096), Pair("exp2", 4096),
                              Pair("sqrt", 4096)));
      EXPECT_THAT(counters.total.mma, IsEmpty());
    }
  // Blocks with an odd number do more.
  KernelCounters odd = count(R"(
      %odd = arith.remui %b, %c2 : index
      scf.for %k = %c0 to %odd step %c1 {
        memref.store %one, %y[%i] : memref<4096xf32>
      }
)",
                             64, 4);
  EXPECT_FALSE(odd.alike && odd.total.writtenSectors != 0 &&
               odd.total.writtenSectors != 512);
  EXPECT_FALSE(count("%odd = arith.remui %b, %c2 : index\n"
                     "scf.for %k = %c0 to %odd step %c1 {\n"
                     "memref.store %one, %y[%i] : memref<4096xf32>\n}\n",
                     64)
                   .alike);
}

TEST_F(CountersTest, CopiesAndMatrices) {
  KernelCounters counters = count(R"(
      %base = memref.extract_aligned_pointer_as_index %smem : memref<?xi8, SPACE> -> index
      %base64 = arith.index_cast %base : index to i64
      %shared = llvm.inttoptr %base64 : i64 to !llvm.ptr<3>
      %from = memref.extract_aligned_pointer_as_index %x : memref<4096xf32> -> index
      %from64 = arith.index_cast %from : index to i64
      %device = llvm.inttoptr %from64 : i64 to !llvm.ptr<1>
      %q = arith.muli %t, %c4 : index
      %q64 = arith.index_cast %q : index to i64
      %dst = llvm.getelementptr %shared[%q64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %src = llvm.getelementptr %device[%q64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      nvvm.cp.async.shared.global %dst, %src, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
      nvvm.cp.async.commit.group
      %dst1 = llvm.getelementptr %dst[256] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      nvvm.cp.async.shared.global %dst1, %src, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 1
      nvvm.cp.async.wait.group 0
      gpu.barrier
      %m = nvvm.ldmatrix %dst {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
      %z = llvm.mlir.constant(dense<0.0> : vector<2xf16>) : vector<2xf16>
      %d = nvvm.mma.sync A[%z, %z] B[%z] C[%one, %one, %one, %one]
          {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>}
          : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
)");
  EXPECT_EQ(counters.bytesInFlight, 2u * 64 * 16);
  EXPECT_EQ(counters.total.readRequests, 4u);
  EXPECT_EQ(counters.total.readSectors, 2u * 64 * 16 / 32);
  EXPECT_EQ(counters.distinctReadSectors, 64u * 16 / 32);
  // Two copies and an ldmatrix for each warp, in four phases each.
  EXPECT_EQ(counters.total.sharedRequests, 6u);
  EXPECT_EQ(counters.total.sharedPhases, 24u);
  EXPECT_EQ(counters.total.sharedWavefronts, 24u);
  EXPECT_THAT(counters.total.mma, ElementsAre(Pair("m16n8k8.f16.f32", 2)));
}

TEST_F(CountersTest, WritesJSON) {
  KernelCounters counters;
  counters.kernel = "k";
  counters.blocks = 2;
  counters.countedBlocks = 2;
  counters.threadsPerBlock = 32;
  counters.total.readSectors = 12;
  counters.total.sharedWavefronts = 9;
  counters.total.sharedPhases = 6;
  counters.total.mma["m16n8k16.f16.f32"] = 5;
  counters.distinctReadSectors = counters.idealReadSectors = 8;
  auto getKernel = [&] {
    llvm::json::Value value = toJSON(counters);
    return llvm::json::Object(
        *value.getAsObject()->getArray("kernels")->front().getAsObject());
  };
  llvm::json::Object kernel = getKernel();
  EXPECT_EQ(kernel.getString("kernel"), "k");
  llvm::json::Object *device = kernel.getObject("device");
  EXPECT_EQ(device->getInteger("read_sectors"), 12);
  EXPECT_EQ(device->getNumber("distinct_over_ideal"), 1);
  EXPECT_EQ(device->getNumber("requested_over_ideal"), 1.5);
  llvm::json::Object *shared = kernel.getObject("shared");
  EXPECT_EQ(shared->getInteger("bank_conflicts"), 3);
  EXPECT_EQ(shared->getNumber("wavefronts_over_ideal"), 1.5);
  EXPECT_EQ(kernel.getObject("mma")->getInteger("m16n8k16.f16.f32"), 5);
  // What some blocks touch says little of what all do.
  counters.countedBlocks = 1;
  kernel = getKernel();
  EXPECT_TRUE(kernel.getObject("device")->getNull("distinct_over_ideal"));
  EXPECT_EQ(kernel.getObject("device")->getInteger("read_sectors"), 12);
}

} // namespace
