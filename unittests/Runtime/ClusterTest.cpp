//===- ClusterTest.cpp - Clusters and multicast on the host ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels whose blocks share what they load, and ways to break them. Each
// broken one is reported in every order of threads; the right one never.
//
//===----------------------------------------------------------------------===//

#include "HostTestUtils.h"
#include "gmock/gmock.h"

using namespace mirage;
using testing::HasSubstr;
using testing::MatchesRegex;

namespace {

constexpr uint64_t kSeeds = 8;

/// Clusters of two blocks. Of each row of %x a block loads a half, to both
/// blocks' shared memory: two stages of 512 bytes, with mbarriers that say that
/// a stage is full, at bytes 1024 and 1032, and empty, at 1040 and 1048. 128
/// threads of a block multiply the row by the block's number. WORDS in capitals
/// are what can be broken.
const char *const kMulticast = R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %base = memref.extract_aligned_pointer_as_index %smem : memref<?xi8, SPACE> -> index
      %base64 = arith.index_cast %base : index to i64
      %shared = llvm.inttoptr %base64 : i64 to !llvm.ptr<3>
      %mapX = memref.extract_aligned_pointer_as_index %x : memref<8x128xf32> -> index
      %mapX64 = arith.index_cast %mapX : index to i64
      %map = llvm.inttoptr %mapX64 : i64 to !llvm.ptr
      %full = llvm.getelementptr %shared[1024] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %empty = llvm.getelementptr %shared[1040] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %one = arith.constant 1 : i32
      %all = arith.constant -1 : i32
      %c64_32 = arith.constant 64 : i32
      %bytes = arith.constant EXPECTED : i32
      %releases = arith.constant COUNT : i32
      %ticks = arith.constant 1000 : i32
      %mask = arith.constant MASK : i16
      %tile = memref.view %smem[%c0][] : memref<?xi8, SPACE> to memref<2x128xf32, SPACE>
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        scf.for %s = %c0 to %c2 step %c1 {
          %s64 = arith.index_cast %s : index to i64
          %f = llvm.getelementptr %full[%s64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%s64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.init %f, %one : !llvm.ptr<3>, i32
          nvvm.mbarrier.init %e, %releases : !llvm.ptr<3>, i32
        }
        nvvm.fence.mbarrier.init
      }
      STARTED
      scf.for %i = %c0 to %c8 step %c1 {
        %s = arith.remui %i, %c2 : index
        %s64 = arith.index_cast %s : index to i64
        %round = arith.divui %i, %c2 : index
        %parity = arith.remui %round, %c2 : index
        %parity32 = arith.index_cast %parity : index to i32
        %f = llvm.getelementptr %full[%s64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
        %e = llvm.getelementptr %empty[%s64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
        %producer = arith.cmpi eq, %t, %c128 : index
        scf.if %producer {
          %other = arith.xori %parity32, %one : i32
          nvvm.mbarrier.try_wait.parity %e, %other, %ticks : !llvm.ptr<3>, i32, i32
          nvvm.mbarrier.arrive.expect_tx %f, %bytes : !llvm.ptr<3>, i32
          %stage = arith.muli %s, %c128 : index
          %half = arith.muli HALF, %c64_32 : i32
          %half_index = arith.index_cast %half : i32 to index
          %at = arith.addi %stage, %half_index : index
          %at64 = arith.index_cast %at : index to i64
          %dst = llvm.getelementptr %shared[%at64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
          %dst7 = llvm.addrspacecast %dst : !llvm.ptr<3> to !llvm.ptr<7>
          %i32 = arith.index_cast %i : index to i32
          %column = arith.muli %rank, %c64_32 : i32
          nvvm.cp.async.bulk.tensor.shared.cluster.global %dst7, %map, %f, box[%column, %i32] multicast_mask = %mask : !llvm.ptr<7>, !llvm.ptr
        }
        %consumer = arith.cmpi ult, %t, %c128 : index
        scf.if %consumer {
          nvvm.mbarrier.try_wait.parity %f, %parity32, %ticks : !llvm.ptr<3>, i32, i32
          %v = memref.load %tile[%s, %t] : memref<2x128xf32, SPACE>
          %b1 = arith.addi %b, %c1 : index
          %b32 = arith.index_cast %b1 : index to i32
          %factor = arith.sitofp %b32 : i32 to f32
          %d = arith.mulf %v, %factor : f32
          memref.store %d, %y[%b, %i, %t] : memref<4x8x128xf32>
          PROXY
          nvvm.bar.warp.sync %all : i32
          %lane = arith.remui %t, %c32 : index
          %lane32 = arith.index_cast %lane : index to i32
          %releases_one = arith.cmpi ult, %lane, %c2 : index
          scf.if %releases_one {
            RELEASE
          }
        }
      }
      ENDED)";

class ClusterTest : public HostTest {
protected:
  using Edits = std::vector<std::pair<std::string, std::string>>;

  static void replace(std::string &text, const std::string &what,
                      const std::string &with) {
    for (size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size()))
      text.replace(at, what.size(), with);
  }

  static std::string getClusters(std::string module, int blocks) {
    replace(module, ") kernel {",
            ") kernel attributes {known_cluster_size = array<i32: " +
                std::to_string(blocks) + ", 1, 1>} {");
    return module;
  }

  static std::string getMulticast(Edits edits) {
    for (auto [what, with] :
         {std::pair("EXPECTED", "512"), std::pair("COUNT", "8"),
          std::pair("MASK", "3"), std::pair("HALF", "%rank"),
          std::pair("STARTED", "nvvm.cluster.arrive\nnvvm.cluster.wait"),
          std::pair("ENDED", "nvvm.cluster.arrive\nnvvm.cluster.wait"),
          std::pair("PROXY", "nvvm.fence.proxy {kind = "
                             "#nvvm.proxy_kind<async.shared>, space = "
                             "#nvvm.shared_space<cta>}"),
          std::pair("RELEASE", "%there = nvvm.mapa %e, %lane32 : !llvm.ptr<3> "
                               "-> !llvm.ptr<7>\n"
                               "nvvm.mbarrier.arrive %there : !llvm.ptr<7>")})
      edits.emplace_back(what, with);
    std::string body = kMulticast;
    for (const auto &[what, with] : edits)
      replace(body, what, with);
    std::string module =
        getClusters(makeModule("%x: memref<8x128xf32>, %y: memref<4x8x128xf32>",
                               body, 4, 160, 1056),
                    2);
    const std::string parameter = "%x: memref<8x128xf32>";
    module.insert(module.find(parameter) + parameter.size(),
                  " {mirage.tensor_map = {type = f32, shape = array<i64: 8, "
                  "128>, box = array<i64: 1, 64>, swizzle = 0 : i64}}");
    return module;
  }

  /// The report for a seed: an error, or "wrong results", or nothing.
  std::string runMulticast(const Edits &edits, uint64_t seed,
                           bool checks = true,
                           std::vector<KernelCounters> *counters = nullptr) {
    Array arguments[] = {makeArray({8, 128}, ElementType::F32),
                         makeArray({4, 8, 128}, ElementType::F32)};
    fillUniform(arguments[0], 5, 0);
    HostOptions options;
    options.seed = seed;
    options.checks = checks;
    options.counters = counters;
    std::string report = run(getMulticast(edits), arguments, options);
    for (int b = 0; b < 4 && report.empty(); ++b)
      for (int i = 0; i < 8 * 128; ++i)
        if (arguments[1].get(b * 8 * 128 + i) !=
            static_cast<float>((b + 1) * arguments[0].get(i)))
          report = "wrong results";
    return report + diagnostics;
  }

  void expectReport(const Edits &edits, const std::string &regex) {
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      std::string report = runMulticast(edits, seed);
      EXPECT_THAT(report, MatchesRegex(regex));
      // The same again.
      if (seed == 1)
        EXPECT_EQ(report, runMulticast(edits, seed));
    }
  }

  const std::string where = "kernel 'k', block \\([0-5], 0, 0\\): ",
                    deadlock =
                        where +
                        "deadlock: of 320 threads of the 2 blocks of its "
                        "cluster .* have ended, .* at "
                        "nvvm.mbarrier.try_wait.parity at .*",
                    overwritten =
                        where +
                        "(thread (128|.* of block .*) writes .* in "
                        "nvvm.cp.async.bulk.tensor.shared.cluster.global "
                        "at .*, and .*|nvvm.mbarrier.arrive.expect_tx at .*: 1 "
                        "arrivals at an mbarrier that waits for 0)",
                    notThere = where +
                               "thread .* reads 4 bytes at offset .* of shared "
                               "memory in llvm.load at .*, and .*";
};

TEST_F(ClusterTest, TheRightOneIsClean) {
  expectReport({}, "");
  EXPECT_EQ(runMulticast({}, 3, /*checks=*/false), "");
}

TEST_F(ClusterTest, NoFenceBeforeTheRelease) {
  expectReport({{"PROXY", ""}},
               where + "thread 128.* writes .* in "
                       "nvvm.cp.async.bulk.tensor.shared.cluster.global at .*, "
                       "and thread .* reads there in llvm.load at .* with no "
                       "fence.proxy.async between");
}

TEST_F(ClusterTest, BytesAreLoadedOnce) {
  std::vector<KernelCounters> counters;
  EXPECT_EQ(runMulticast({}, 1, /*checks=*/false, &counters), "");
  ASSERT_EQ(counters.size(), 1u);
  // Each block loads a half of 8 rows of 512 bytes, in both clusters.
  EXPECT_EQ(counters[0].total.readSectors, 4u * 8 * 256 / 32);
  EXPECT_EQ(counters[0].blocks, 4u);
  EXPECT_EQ(counters[0].countedBlocks, 4u);
  EXPECT_TRUE(counters[0].alike);
  // Two stages, of all that comes from both.
  EXPECT_EQ(counters[0].bytesInFlight, 1024u);
  // At the beginning and at the end.
  EXPECT_EQ(counters[0].total.barriers, 4u * 2);
}

TEST_F(ClusterTest, NoBarrierAtTheBeginning) {
  for (const char *barrier : {"", "nvvm.barrier0"})
    expectReport({{"STARTED", barrier}},
                 where + ".*(there is no mbarrier at offset .*|nothing has "
                         "been written at offset .*|a race|which may not have "
                         "begun: no barrier of the cluster is before)");
}

TEST_F(ClusterTest, NoBarrierAtTheEnd) {
  for (const char *barrier : {"", "nvvm.barrier0"})
    expectReport({{"ENDED", barrier}},
                 where + ".*(, and that block has ended|, and it may have "
                         "ended by then: no barrier of the cluster is "
                         "between|which has ended|a block that has ended.*)");
}

/// An arrival that doesn't release is enough for mbarriers that are fenced.
TEST_F(ClusterTest, RelaxedBarrierAtTheBeginning) {
  const std::string relaxed = "nvvm.cluster.arrive.relaxed\nnvvm.cluster.wait";
  expectReport({{"STARTED", relaxed}}, "");
  expectReport({{"STARTED", relaxed}, {"nvvm.fence.mbarrier.init", ""}},
               where + ".*(a race|which thread 0.* has initialized with no "
                       "fence.mbarrier_init or fence.proxy.async behind)");
}

/// A block may end when all have arrived that arrive there, of which a barrier
/// that doesn't release says nothing.
TEST_F(ClusterTest, WaitAtTheEnd) {
  const std::string late =
      where + ".*(, and that block has ended|, and it may have ended by then: "
              ".*|which has ended|a block that has ended.*)";
  expectReport({{"ENDED", "nvvm.cluster.arrive.relaxed\nnvvm.cluster.wait"}},
               late);
  const std::string wait = R"(
      %last = arith.cmpi eq, %t, %c128 : index
      scf.if %last {
        nvvm.mbarrier.try_wait.parity %empty, %one, %ticks : !llvm.ptr<3>, i32, i32
        %second = llvm.getelementptr %empty[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
        OTHER
      })";
  const std::string other =
      "nvvm.mbarrier.try_wait.parity %second, %one, %ticks : !llvm.ptr<3>, "
      "i32, i32";
  expectReport({{"ENDED", wait}, {"OTHER", other}}, "");
  expectReport({{"ENDED", wait}, {"OTHER", ""}}, late);
}

TEST_F(ClusterTest, HalfABarrierAtTheEnd) {
  // Nobody waits for the others.
  expectReport({{"ENDED", "nvvm.cluster.arrive"}},
               where + ".*(, and that block has ended|, and it may have ended "
                       "by then: .*|which has ended|a block that has ended.*)");
}

TEST_F(ClusterTest, WrongBytesExpected) {
  // What a block loads itself.
  expectReport({{"EXPECTED", "256"}},
               deadlock + "|" + notThere + "|" + overwritten);
  expectReport({{"EXPECTED", "1024"}}, deadlock);
}

TEST_F(ClusterTest, WrongMask) {
  for (const char *mask : {"1", "2"})
    expectReport({{"MASK", mask}}, deadlock);
  expectReport({{"MASK", "7"}},
               where + "nvvm.cp.async.bulk.tensor.shared.cluster.global at .*: "
                       "its mask has block 2 of a cluster of 2");
}

TEST_F(ClusterTest, WrongHalf) {
  // Both blocks load to the first half.
  expectReport({{"HALF", "%zero"},
                {"%first = ", "%zero = arith.constant 0 : i32\n%first = "}},
               overwritten + "|" + notThere);
}

TEST_F(ClusterTest, WrongReleases) {
  // The own warps only.
  expectReport({{"COUNT", "4"}},
               overwritten + "|" + notThere + "|" + where +
                   "thread .* waits in nvvm.mbarrier.try_wait.parity at .* for "
                   "the end of a phase, and the next one may have ended by "
                   "then: .*");
  expectReport({{"COUNT", "9"}}, deadlock);
  // Nobody tells the other block.
  expectReport({{"RELEASE", "nvvm.mbarrier.arrive %e : !llvm.ptr<3> -> i64"}},
               overwritten + "|" + notThere);
  expectReport({{"RELEASE", "%two = arith.constant 2 : i32\n"
                            "%there = nvvm.mapa %e, %two : !llvm.ptr<3> -> "
                            "!llvm.ptr<7>\n"
                            "nvvm.mbarrier.arrive %there : !llvm.ptr<7>"}},
               where + "nvvm.mapa at .*: block 2 of a cluster of 2");
}

TEST_F(ClusterTest, WrongUseOfTheBarrier) {
  expectReport({{"STARTED", "nvvm.cluster.wait"}},
               where + "thread .* waits in nvvm.cluster.wait at .*, and has "
                       "not arrived");
  expectReport({{"STARTED", "nvvm.cluster.arrive\nnvvm.cluster.arrive"}},
               where + "thread .* arrives in nvvm.cluster.arrive at .* again, "
                       "and has not waited in between");
}

/// Each block stores its number, and reads that of the next block of its
/// cluster of three.
const char *const kNeighbours = R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %base = memref.extract_aligned_pointer_as_index %smem : memref<?xi8, SPACE> -> index
      %base64 = arith.index_cast %base : index to i64
      %shared = llvm.inttoptr %base64 : i64 to !llvm.ptr<3>
      %one = arith.constant 1 : i32
      %ten = arith.constant 10 : i32
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %size = nvvm.read.ptx.sreg.cluster.nctarank : i32
      %x = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
      %tens = arith.muli %x, %ten : i32
      %b = gpu.block_id x
      %b32 = arith.index_cast %b : index to i32
      llvm.store %b32, %shared : i32, !llvm.ptr<3>
      BETWEEN
      %after = arith.addi %rank, %one : i32
      %next = arith.remui %after, %size : i32
      %there = nvvm.mapa %shared, %next : !llvm.ptr<3> -> !llvm.ptr<7>
      %at = llvm.getelementptr %there[FROM] : (!llvm.ptr<7>) -> !llvm.ptr<7>, i8
      %v = llvm.load %at : !llvm.ptr<7> -> i32
      %sum = arith.addi %v, %tens : i32
      %float = arith.sitofp %sum : i32 to f32
      memref.store %float, %y[%b] : memref<6xf32>
      ENDED)";

class DistributedMemoryTest : public ClusterTest {
protected:
  std::string runNeighbours(const std::string &between,
                            const std::string &ended, const std::string &from,
                            uint64_t seed) {
    std::string body = kNeighbours;
    replace(body, "BETWEEN", between);
    replace(body, "ENDED", ended);
    replace(body, "FROM", from);
    y = makeArray({6}, ElementType::F32);
    HostOptions options;
    options.seed = seed;
    options.checks = true;
    return run(getClusters(makeModule("%y: memref<6xf32>", body, 6, 1, 16), 3),
               y, options);
  }

  Array y;
  const std::string barrier = "nvvm.cluster.arrive\nnvvm.cluster.wait";
};

TEST_F(DistributedMemoryTest, NeighboursAreRead) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    EXPECT_EQ(runNeighbours(barrier, barrier, "0", seed), "") << diagnostics;
    EXPECT_EQ(getValues(y), (std::vector<double>{1, 12, 20, 4, 15, 23}));
  }
}

TEST_F(DistributedMemoryTest, BarriersMissing) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    EXPECT_THAT(runNeighbours("", barrier, "0", seed),
                MatchesRegex(where +
                             "thread 0 reaches shared memory of block .* in "
                             "llvm.load at .*, which may not have begun: no "
                             "barrier of the cluster is before"));
    EXPECT_THAT(runNeighbours(barrier, "", "0", seed),
                MatchesRegex(where +
                             "thread 0( of block .*)? reaches .*, and (that "
                             "block has ended|it may have ended by then: .*)"));
  }
}

/// Nor with a fence in front, which is for mbarriers alone.
TEST_F(DistributedMemoryTest, RelaxedBarriersOrderNothing) {
  const std::string relaxed = "nvvm.cluster.arrive.relaxed\nnvvm.cluster.wait";
  for (uint64_t seed = 0; seed < kSeeds; ++seed)
    for (const char *fence : {"", "nvvm.fence.mbarrier.init\n"})
      EXPECT_THAT(runNeighbours(fence + relaxed, barrier, "0", seed),
                  MatchesRegex(where +
                               "thread 0( of block .*)? reads 4 bytes at "
                               "offset 0 of shared memory.* a race"));
}

/// An mbarrier beside the number, which everyone behind the barrier may use,
/// if it was initialized in front of the fence.
TEST_F(DistributedMemoryTest, MbarriersAreFenced) {
  const std::string init =
      "nvvm.mbarrier.init %mbarrier, %one : !llvm.ptr<3>, i32\n";
  const std::string fence = "nvvm.fence.mbarrier.init\n";
  auto getBetween = [](const std::string &inFront) {
    return "%mbarrier = llvm.getelementptr %shared[8] : (!llvm.ptr<3>) -> "
           "!llvm.ptr<3>, i8\n" +
           inFront + R"(
      nvvm.cluster.arrive.relaxed
      nvvm.cluster.wait
      %following = arith.addi %rank, %one : i32
      %nextRank = arith.remui %following, %size : i32
      %nextMbarrier = nvvm.mapa %mbarrier, %nextRank : !llvm.ptr<3> -> !llvm.ptr<7>
      nvvm.mbarrier.arrive %nextMbarrier : !llvm.ptr<7>
      nvvm.cluster.arrive
      nvvm.cluster.wait
      nvvm.mbarrier.inval %mbarrier : !llvm.ptr<3>
)";
  };
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    EXPECT_EQ(runNeighbours(getBetween(init + fence), barrier, "0", seed), "")
        << diagnostics;
    EXPECT_EQ(getValues(y), (std::vector<double>{1, 12, 20, 4, 15, 23}));
    EXPECT_THAT(runNeighbours(getBetween(fence + init), barrier, "0", seed),
                MatchesRegex(where +
                             "thread 0( of block .*)? reads 8 bytes at offset "
                             "8 of shared memory.* in nvvm.mbarrier.arrive at "
                             ".*, and thread 0.* writes there in "
                             "nvvm.mbarrier.init at .* a race"));
  }
}

TEST_F(DistributedMemoryTest, OutOfBounds) {
  EXPECT_THAT(runNeighbours(barrier, barrier, "16", 0),
              MatchesRegex(where + "thread 0 reads 4 bytes at offset 16 of "
                                   "shared memory of block \\(., 0, 0\\) in "
                                   "llvm.load at .*, which has 16 bytes"));
}

TEST_F(DistributedMemoryTest, OnlySharedMemoryIsMapped) {
  const std::string mapGlobal = R"(
      %yAt = memref.extract_aligned_pointer_as_index %y : memref<6xf32> -> index
      %yAt64 = arith.index_cast %yAt : index to i64
      %global = llvm.inttoptr %yAt64 : i64 to !llvm.ptr<3>
      %peer = nvvm.mapa %global, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
)";
  EXPECT_THAT(runNeighbours(mapGlobal + barrier, barrier, "0", 0),
              MatchesRegex(where + "nvvm.mapa at .*: an address that is not in "
                                   "shared memory"));
}

TEST_F(ClusterTest, WrongSizes) {
  Array y = makeArray({6}, ElementType::F32);
  const std::string parameter = "%y: memref<6xf32>";
  EXPECT_THAT(run(getClusters(makeModule(parameter, "", 6, 1), 4), y),
              HasSubstr("can't be run"));
  EXPECT_THAT(diagnostics, HasSubstr("has a grid size of 6x1x1"));
  EXPECT_THAT(diagnostics,
              HasSubstr("note: the kernel is compiled for clusters of 4x1x1, "
                        "which don't divide it"));
  for (int blocks : {0, 16}) {
    diagnostics.clear();
    EXPECT_THAT(run(getClusters(makeModule(parameter, "", 6, 1), blocks), y),
                HasSubstr("can't be run"));
    EXPECT_THAT(diagnostics,
                HasSubstr("has clusters of " + std::to_string(blocks) +
                          "x1x1 blocks, expected at most 8"));
  }
}

} // namespace
