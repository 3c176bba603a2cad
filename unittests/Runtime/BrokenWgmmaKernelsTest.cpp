//===- BrokenWgmmaKernelsTest.cpp - Broken kernels for sm_90a -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One matrix product with everything that a fast kernel for sm_90a has (a
// producer warp that loads swizzled boxes into stages, mbarriers, wgmma, a bulk
// store), and ways to break it. Each broken one is reported in every order of
// threads; the right one never.
//
//===----------------------------------------------------------------------===//

#include "BrokenProductTest.h"
#include "WgmmaTestUtils.h"

using namespace mirage;

namespace {

constexpr int kM = 64, kN = 64, kK = 512;
constexpr uint64_t kSeeds = 8;

/// C (64x64) = A (64x512) · B (64x512, transposed), by a warpgroup and a thread
/// that loads 64 of k at a time. Stages of 16 KB begin at byte 1024, behind the
/// mbarriers; the result goes through the first. WORDS in capitals are what can
/// be broken.
const char *const kProduct = R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %base = memref.extract_aligned_pointer_as_index %smem : memref<?xi8, SPACE> -> index
      %base64 = arith.index_cast %base : index to i64
      %shared = llvm.inttoptr %base64 : i64 to !llvm.ptr<3>
      %mapA = memref.extract_aligned_pointer_as_index %a : memref<64x512xf16> -> index
      %mapA64 = arith.index_cast %mapA : index to i64
      %mapAPtr = llvm.inttoptr %mapA64 : i64 to !llvm.ptr
      %mapB = memref.extract_aligned_pointer_as_index %b : memref<64x512xf16> -> index
      %mapB64 = arith.index_cast %mapB : index to i64
      %mapBPtr = llvm.inttoptr %mapB64 : i64 to !llvm.ptr
      %mapY = memref.extract_aligned_pointer_as_index %y : memref<64x64xf32> -> index
      %mapY64 = arith.index_cast %mapY : index to i64
      %mapYPtr = llvm.inttoptr %mapY64 : i64 to !llvm.ptr
      %full = llvm.getelementptr %shared[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %empty = llvm.getelementptr %shared[64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %tiles = llvm.getelementptr %shared[TILES] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c64 = arith.constant 64 : index
      %c128 = arith.constant 128 : index
      %stageBytes = arith.constant 16384 : index
      %stages = arith.constant 3 : index
      %slots = arith.constant SLOTS : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %row32 = arith.constant 32 : i32
      %bytes = arith.constant EXPECTED : i32
      %consumers = arith.constant CONSUMERS : i32
      %ticks = arith.constant 1000 : i32
      %t = gpu.thread_id x
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        scf.for %s = %c0 to %stages step %c1 {
          %s64 = arith.index_cast %s : index to i64
          %f = llvm.getelementptr %full[%s64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%s64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.init %f, %one : !llvm.ptr<3>, i32
          nvvm.mbarrier.init %e, %consumers : !llvm.ptr<3>, i32
        }
        nvvm.fence.mbarrier.init
      }
      INITIALIZED
      %isProducer = arith.cmpi eq, %t, %c128 : index
      scf.if %isProducer {
        scf.for %i = %c0 to %c8 step %c1 {
          %s = arith.remui %i, %stages : index
          %s64 = arith.index_cast %s : index to i64
          %f = llvm.getelementptr %full[%s64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%s64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
          %round = arith.divui %i, %stages : index
          %parity = arith.remui %round, %c2 : index
          %parity32 = arith.index_cast %parity : index to i32
          %other = arith.xori %parity32, %one : i32
          WAITEMPTY
          nvvm.mbarrier.arrive.expect_tx %f, %bytes : !llvm.ptr<3>, i32
          %slot = arith.remui %i, %slots : index
          %stage = arith.muli %slot, %stageBytes : index
          %stage64 = arith.index_cast %stage : index to i64
          %toA = llvm.getelementptr %tiles[%stage64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
          %toB = llvm.getelementptr %toA[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
          %clusterA = llvm.addrspacecast %toA : !llvm.ptr<3> to !llvm.ptr<7>
          %clusterB = llvm.addrspacecast %toB : !llvm.ptr<3> to !llvm.ptr<7>
          %k = arith.muli %i, %c64 : index
          %k32 = arith.index_cast %k : index to i32
          nvvm.cp.async.bulk.tensor.shared.cluster.global %clusterA, %mapAPtr, %f, box[%k32, %zero] : !llvm.ptr<7>, !llvm.ptr
          nvvm.cp.async.bulk.tensor.shared.cluster.global %clusterB, %mapBPtr, %f, box[%k32, %zero] : !llvm.ptr<7>, !llvm.ptr
        }
      }
      %isConsumer = arith.cmpi ult, %t, %c128 : index
      scf.if %isConsumer {
        %none = llvm.mlir.zero : SUMS
        %constant = arith.constant DESCRIPTOR : i64
        %window = arith.constant 0x3ffff : i64
        %four = arith.constant 4 : i64
        %two64 = arith.constant 2 : i64
        %bAway = arith.constant 512 : i64
        %sums = scf.for %i = %c0 to %c8 step %c1 iter_args(%before = %none) -> (SUMS) {
          %s = arith.remui %i, %stages : index
          %s64 = arith.index_cast %s : index to i64
          %f = llvm.getelementptr %full[%s64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%s64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
          %round = arith.divui %i, %stages : index
          %parity = arith.remui %round, %c2 : index
          %parity32 = arith.index_cast %parity : index to i32
          WAITFULL
          %slot = arith.remui %i, %slots : index
          %stage = arith.muli %slot, %stageBytes : index
          %stage64 = arith.index_cast %stage : index to i64
          %at = llvm.getelementptr %tiles[%stage64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
          %at64 = llvm.ptrtoint %at : !llvm.ptr<3> to i64
          %inWindow = arith.andi %at64, %window : i64
          %start = arith.shrui %inWindow, %four : i64
          %a0 = arith.ori %start, %constant : i64
          FENCE
          MULTIPLY
          nvvm.wgmma.commit.group.sync.aligned
          WAITMMA
          ARRIVE
          scf.yield %d4 : SUMS
        }
        WAITALL
        ALLREAD
        %c32 = arith.constant 32 : index
        %c16 = arith.constant 16 : index
        %c4 = arith.constant 4 : index
        %at = arith.constant TILES : index
        %tile = memref.view %smem[%at][] : memref<?xi8, SPACE> to memref<64x64xf32, SPACE>
        %lane = arith.remui %t, %c32 : index
        %warp = arith.divui %t, %c32 : index
        %warpRow = arith.muli %warp, %c16 : index
        %laneRow = arith.divui %lane, %c4 : index
        %row = arith.addi %warpRow, %laneRow : index
        %quad = arith.remui %lane, %c4 : index
        %column = arith.muli %quad, %c2 : index
STORES
        PROXY
        STORED
        scf.if %first {
          nvvm.cp.async.bulk.tensor.global.shared.cta %mapYPtr, %tiles, box[%zero, %zero] : !llvm.ptr, !llvm.ptr<3>
          nvvm.cp.async.bulk.commit.group
          BULKWAIT
        }
      })";

class BrokenWgmmaKernelsTest : public BrokenProductTest {
protected:
  BrokenWgmmaKernelsTest()
      : BrokenProductTest(kM, kN, kK, /*tolerance=*/1e-3, kSeeds) {}

  static std::string getMap(const std::string &type, const std::string &shape,
                            const std::string &box, int swizzle) {
    return " {mirage.tensor_map = {type = " + type +
           ", shape = array<i64: " + shape + ">, box = array<i64: " + box +
           ">, swizzle = " + std::to_string(swizzle) + " : i64}}";
  }

  static std::string getProduct(const WgmmaEdits &edits, int swizzle,
                                int sharedBytes) {
    // Four steps of 16 of k: 32 bytes in the swizzled rows.
    std::string multiply;
    for (int step = 0; step < 4; ++step) {
      std::string s = std::to_string(step), next = std::to_string(step + 1);
      multiply += "%b" + s + " = arith.addi %a" + s + ", %bAway : i64\n%d" +
                  next + " = nvvm.wgmma.mma_async %a" + s + ", %b" + s + ", " +
                  (step ? "%d" + s : "%before") +
                  ", #nvvm.shape<m = 64, n = 64, k = 16>, D [<f32>, "
                  "#nvvm.wgmma_scale_out<one>], A [<f16>, "
                  "#nvvm.wgmma_scale_in<one>, <row>], B [<f16>, "
                  "#nvvm.wgmma_scale_in<one>, <LAYOUTB>] : SUMS -> SUMS\n%a" +
                  next + " = arith.addi %a" + s + ", %two64 : i64\n";
    }
    std::string body = replaceAll(kProduct, "MULTIPLY", multiply);
    for (const auto &[what, with] : edits)
      body = replaceAll(body, what, with);
    std::string stores =
        replaceAll(getWgmmaStores("%sums", "%tile", kN), "memref<64x64xf32>",
                   "memref<64x64xf32, SPACE>");
    const std::string group = "%id = arith.constant 1 : i32\n"
                              "%count = arith.constant 128 : i32\n"
                              "nvvm.barrier id = %id number_of_threads = "
                              "%count";
    for (auto [what, with] :
         {std::pair<std::string, std::string>("STORES", stores),
          {"STORED",
           replaceAll(replaceAll(group, "%id", "%idS"), "%count", "%countS")},
          {"ALLREAD", group},
          {"SUMS", getWgmmaSums(kN)},
          {"LAYOUTB", "col"},
          {"TILES", "1024"},
          {"SLOTS", "3"},
          {"EXPECTED", "16384"},
          {"CONSUMERS", "128"},
          // A swizzle of 128 bytes, 1024 from 8 rows to the next.
          {"DESCRIPTOR", "0x4000004000010000"},
          {"INITIALIZED", "nvvm.barrier0"},
          {"WAITEMPTY", "nvvm.mbarrier.try_wait.parity %e, %other, %ticks : "
                        "!llvm.ptr<3>, i32, i32"},
          {"WAITFULL", "nvvm.mbarrier.try_wait.parity %f, %parity32, %ticks "
                       ": !llvm.ptr<3>, i32, i32"},
          {"FENCE", "nvvm.wgmma.fence.aligned"},
          {"WAITMMA", "nvvm.wgmma.wait.group.sync.aligned 0"},
          {"WAITALL", ""},
          {"ARRIVE", "nvvm.mbarrier.arrive %e : !llvm.ptr<3> -> i64"},
          {"PROXY", "nvvm.fence.proxy {kind = "
                    "#nvvm.proxy_kind<async.shared>, space = "
                    "#nvvm.shared_space<cta>}"},
          {"BULKWAIT", "nvvm.cp.async.bulk.wait_group 0"}})
      body = replaceAll(body, what, with);
    std::string module =
        makeModule("%a: memref<64x512xf16>, %b: memref<64x512xf16>, "
                   "%y: memref<64x64xf32>",
                   body, 1, 160, sharedBytes);
    auto addMap = [&](const std::string &parameter, const std::string &map) {
      module.insert(module.find(parameter) + parameter.size(), map);
    };
    addMap("%a: memref<64x512xf16>", getMap("f16", "64, 512", "64, 64", 128));
    addMap("%b: memref<64x512xf16>",
           getMap("f16", "64, 512", "64, 64", swizzle));
    addMap("%y: memref<64x64xf32>", getMap("f32", "64, 64", "64, 64", 0));
    return module;
  }

  void expectReport(const WgmmaEdits &edits, const std::string &regex,
                    int swizzle = 128, int sharedBytes = 1024 + 3 * 16384) {
    expectReports(getProduct(edits, swizzle, sharedBytes), regex);
  }

  const std::string deadlock = where + "deadlock: of 160 threads .* have "
                                       "ended, .* at "
                                       "nvvm.mbarrier.try_wait.parity at .*",
                    notThere =
                        where +
                        "thread .* reads 16 bytes at offset .* of shared "
                        "memory in nvvm.wgmma.mma_async at .*, and (nothing "
                        "has been written at offset .*|the copy to "
                        "there that thread 128 has begun in "
                        "nvvm.cp.async.bulk.tensor.shared.cluster.global at "
                        ".*|a bulk copy writes there in .* a race)",
                    overwritten =
                        where +
                        "thread 128 writes .* in "
                        "nvvm.cp.async.bulk.tensor.shared.cluster.global at "
                        ".*, and (a wgmma reads there in nvvm.wgmma.mma_async "
                        "at .* a race|a bulk copy writes there in .* a race|"
                        "the copy to there that thread 128 has begun in .*)";
};

TEST_F(BrokenWgmmaKernelsTest, TheRightOneIsClean) { expectReport({}, ""); }

TEST_F(BrokenWgmmaKernelsTest, WrongSwizzle) {
  // Of what is loaded, and of what is read: none, 64 and 32 bytes.
  expectReport({}, "wrong results", /*swizzle=*/0);
  for (const char *descriptor :
       {"0x0000004000010000", "0x8000004000010000", "0xc000004000010000"})
    expectReport({{"DESCRIPTOR", descriptor}}, "wrong results");
}

TEST_F(BrokenWgmmaKernelsTest, WrongDescriptor) {
  // 512 bytes from 8 rows to the next; an operand that is not K-major.
  expectReport({{"DESCRIPTOR", "0x4000002000010000"}}, "wrong results");
  expectReport({{"LAYOUTB", "row"}}, "wrong results");
  // A bit between two fields, as of an address that isn't masked.
  expectReport({{"DESCRIPTOR", "0x4000404000010000"}},
               where + "nvvm.wgmma.mma_async at .*: the descriptor of A has "
                       "bits set that mean nothing");
}

TEST_F(BrokenWgmmaKernelsTest, WrongBytesExpected) {
  expectReport({{"EXPECTED", "16368"}}, deadlock);
  expectReport({{"EXPECTED", "16400"}}, deadlock);
  // One of two boxes.
  expectReport({{"EXPECTED", "8192"}}, deadlock + "|" + notThere);
}

TEST_F(BrokenWgmmaKernelsTest, NotWaitingUntilFull) {
  expectReport({{"WAITFULL", ""}}, notThere + "|" + overwritten);
}

TEST_F(BrokenWgmmaKernelsTest, NotWaitingUntilEmpty) {
  expectReport({{"WAITEMPTY", ""}},
               overwritten + "|" + where +
                   "nvvm.mbarrier.arrive.expect_tx at .*: 1 arrivals at an "
                   "mbarrier that waits for 0");
}

TEST_F(BrokenWgmmaKernelsTest, StageTooFew) {
  expectReport({{"SLOTS", "2"}}, overwritten + "|" + notThere);
}

TEST_F(BrokenWgmmaKernelsTest, WgmmaNotWaitedFor) {
  // The stage is given back while it is read.
  for (const char *wait : {"", "nvvm.wgmma.wait.group.sync.aligned 1"})
    expectReport({{"WAITMMA", wait},
                  {"WAITALL", "nvvm.wgmma.wait.group.sync.aligned 0"}},
                 overwritten);
  // The last one's sums are stored; some threads are still reading.
  expectReport({{"WAITMMA", "%more = arith.cmpi ult, %k7, %c1 : index\n"
                            "scf.if %more {\n"
                            "nvvm.wgmma.wait.group.sync.aligned 0\n}"},
                {"FENCE", "%c7 = arith.constant 7 : index\n"
                          "%k7 = arith.divui %i, %c7 : index\n"
                          "nvvm.wgmma.fence.aligned"}},
               where + "thread .* uses in llvm.store at .* what it has not "
                       "waited for of nvvm.wgmma.mma_async at .*");
}

TEST_F(BrokenWgmmaKernelsTest, NoFences) {
  expectReport({{"FENCE", ""}},
               where + "thread .* comes to nvvm.wgmma.mma_async at .* without "
                       "a wgmma.fence before");
  expectReport({{"PROXY", ""}},
               where +
                   "thread 0 reads 16384 bytes at offset 1024 of shared memory "
                   "in nvvm.cp.async.bulk.tensor.global.shared.cta at .*, and "
                   "thread .* writes there in llvm.store at .* with no "
                   "fence.proxy.async between");
}

TEST_F(BrokenWgmmaKernelsTest, NoFenceBehindAUse) {
  // Wgmmas of one shape that follow each other need one fence.
  const std::string once = "%isFirst = arith.cmpi eq, %i, %c0 : index\n"
                           "scf.if %isFirst {\nnvvm.wgmma.fence.aligned\n}";
  expectReport({{"FENCE", once}}, "");
  const std::string use = R"(
          nvvm.wgmma.wait.group.sync.aligned 0
          %used = llvm.extractvalue %d4[0] : SUMS
          %t64 = arith.index_cast %t : index to i64
          %spots = llvm.getelementptr %shared[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
          %spot = llvm.getelementptr %spots[%t64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
          llvm.store %used, %spot : f32, !llvm.ptr<3>
)";
  expectReport({{"WAITMMA", use}}, "");
  expectReport({{"FENCE", once}, {"WAITMMA", use}},
               where + "thread .* comes to nvvm.wgmma.mma_async at .* without "
                       "a wgmma.fence since it has used accumulators in "
                       "llvm.store at .*");
}

TEST_F(BrokenWgmmaKernelsTest, NoFenceOfMbarriers) {
  const std::string fence = "nvvm.fence.mbarrier.init";
  const std::string report =
      where +
      "thread 128 gives nvvm.cp.async.bulk.tensor.shared.cluster.global "
      "at .* the mbarrier at offset 0 of shared memory, which thread 0 "
      "has initialized with no fence.mbarrier_init or "
      "fence.proxy.async behind";
  expectReport({{fence, ""}}, report);
  // By a thread that has initialized none.
  expectReport(
      {{fence, ""},
       {"INITIALIZED", "nvvm.barrier0\nscf.if %isProducer {\n" + fence + "\n}"},
       {"%isProducer = arith.cmpi eq, %t, %c128 : index", ""},
       {"%first = ",
        "%isProducer = arith.cmpi eq, %t, %c128 : index\n%first = "}},
      report);
  // The other fence does it, too, also behind the barrier.
  const std::string proxy = "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}";
  expectReport({{fence, proxy}}, "");
  expectReport({{fence, ""}, {"INITIALIZED", "nvvm.barrier0\n" + proxy}}, "");
}

TEST_F(BrokenWgmmaKernelsTest, BarriersMissing) {
  expectReport({{"INITIALIZED", ""}},
               where + ".*(there is no mbarrier at offset .*|nothing has been "
                       "written at offset .*|a race)");
  // The result goes where other warps still read.
  expectReport({{"ALLREAD", ""}},
               where + "thread .* writes 4 bytes at offset .* of shared memory "
                       "in llvm.store at .*, and a wgmma reads there in "
                       "nvvm.wgmma.mma_async at .* a race");
  expectReport(
      {{"STORED", ""}},
      where +
          "thread .* in "
          "nvvm.cp.async.bulk.tensor.global.shared.cta at .* a race|" +
          where +
          "thread .* in llvm.store at .*, and a bulk store reads there "
          "in .* a race|" +
          where + "thread 0 ends .*");
}

TEST_F(BrokenWgmmaKernelsTest, WrongArrivals) {
  expectReport({{"CONSUMERS", "129"}}, deadlock);
  expectReport({{"CONSUMERS", "64"}},
               overwritten + "|" + where +
                   "(nvvm.mbarrier.arrive.expect_tx at .*: 1 arrivals at an "
                   "mbarrier that waits for 0|thread 128 waits in "
                   "nvvm.mbarrier.try_wait.parity at .* for the end of a "
                   "phase, and the next one may have ended by then: .*)");
  expectReport({{"ARRIVE", ""}}, deadlock);
}

TEST_F(BrokenWgmmaKernelsTest, WrongPlaces) {
  expectReport({},
               where + "thread 128 writes 8192 bytes at offset 41984 of shared "
                       "memory in "
                       "nvvm.cp.async.bulk.tensor.shared.cluster.global at .*, "
                       "which has 50160 bytes",
               128, 1024 + 3 * 16384 - 16);
  expectReport({{"TILES", "1040"}},
               where + "thread 128 writes 8192 bytes at offset 1040 of shared "
                       "memory in "
                       "nvvm.cp.async.bulk.tensor.shared.cluster.global at .*, "
                       "where the offset has to be a multiple of 128",
               128, 1040 + 3 * 16384);
  // Good enough for the load.
  expectReport({{"TILES", "1152"}},
               where + "nvvm.wgmma.mma_async at .*: the descriptor of A "
                       "doesn't start where its swizzle does",
               128, 1152 + 3 * 16384);
}

TEST_F(BrokenWgmmaKernelsTest, StoreNotWaitedFor) {
  expectReport({{"BULKWAIT", ""}},
               where + "thread 0 ends and has not waited until "
                       "nvvm.cp.async.bulk.tensor.global.shared.cta at .* has "
                       "read shared memory");
}

} // namespace
