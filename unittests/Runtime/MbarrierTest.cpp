//===- MbarrierTest.cpp - mbarriers and bulk copies on the host -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostTestUtils.h"
#include "gmock/gmock.h"

using namespace mirage;
using testing::HasSubstr;
using testing::MatchesRegex;

namespace {

/// Thread 64 copies rows of 64 numbers by bulk copies into two stages, 64
/// consumers double them. Each stage has an mbarrier that says it is full, at
/// bytes 512 and 520, and one that it is empty, at 528 and 536. EXPECT,
/// WAITFULL, ARRIVE, WAITEMPTY and SYNC can be broken, and something come at
/// the END.
const char *const kPipeline = R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %base = memref.extract_aligned_pointer_as_index %smem : memref<?xi8, SPACE> -> index
      %base64 = arith.index_cast %base : index to i64
      %shared = llvm.inttoptr %base64 : i64 to !llvm.ptr<3>
      %from = memref.extract_aligned_pointer_as_index %x : memref<8x64xf32> -> index
      %from64 = arith.index_cast %from : index to i64
      %device = llvm.inttoptr %from64 : i64 to !llvm.ptr<1>
      %full = llvm.getelementptr %shared[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %empty = llvm.getelementptr %shared[528] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c64 = arith.constant 64 : index
      %one = arith.constant 1 : i32
      %bytes = arith.constant 256 : i32
      %expected = arith.constant EXPECTED : i32
      %consumers = arith.constant 64 : i32
      %ticks = arith.constant 1000 : i32
      %tile = memref.view %smem[%c0][] : memref<?xi8, SPACE> to memref<2x64xf32, SPACE>
      %t = gpu.thread_id x
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        scf.for %s = %c0 to %c2 step %c1 {
          %s64 = arith.index_cast %s : index to i64
          %f = llvm.getelementptr %full[%s64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%s64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.init %f, %one : !llvm.ptr<3>, i32
          nvvm.mbarrier.init %e, %consumers : !llvm.ptr<3>, i32
        }
        nvvm.fence.mbarrier.init
      }
      SYNC
      scf.for %i = %c0 to %c8 step %c1 {
        %s = arith.remui %i, %c2 : index
        %s64 = arith.index_cast %s : index to i64
        %round = arith.divui %i, %c2 : index
        %parity = arith.remui %round, %c2 : index
        %parity32 = arith.index_cast %parity : index to i32
        %f = llvm.getelementptr %full[%s64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
        %e = llvm.getelementptr %empty[%s64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
        %producer = arith.cmpi eq, %t, %c64 : index
        scf.if %producer {
          // The stage is empty at first: as if the phase before had ended.
          %other = arith.xori %parity32, %one : i32
          WAITEMPTY
          nvvm.mbarrier.arrive.expect_tx %f, %expected : !llvm.ptr<3>, i32
          %stage = arith.muli %s, %c64 : index
          %stage64 = arith.index_cast %stage : index to i64
          %dst = llvm.getelementptr %shared[%stage64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
          %row = arith.muli %i, %c64 : index
          %row64 = arith.index_cast %row : index to i64
          %src = llvm.getelementptr %device[%row64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
          %dst7 = llvm.addrspacecast %dst : !llvm.ptr<3> to !llvm.ptr<7>
          nvvm.cp.async.bulk.shared.cluster.global %dst7, %src, %f, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
        }
        %consumer = arith.cmpi ult, %t, %c64 : index
        scf.if %consumer {
          WAITFULL
          %v = memref.load %tile[%s, %t] : memref<2x64xf32, SPACE>
          %d = arith.addf %v, %v : f32
          memref.store %d, %y[%i, %t] : memref<8x64xf32>
          PROXY
          ARRIVE
        }
      }
      END)";

class MbarrierTest : public HostTest {
protected:
  using Edits = std::vector<std::pair<std::string, std::string>>;

  /// The report for a seed: an error, or "wrong results", or nothing.
  std::string runPipeline(Edits edits, uint64_t seed) {
    for (auto [what, with] :
         {std::pair("EXPECTED", "256"), std::pair("SYNC", "nvvm.barrier0"),
          std::pair("WAITEMPTY", "nvvm.mbarrier.try_wait.parity %e, %other, "
                                 "%ticks : !llvm.ptr<3>, i32, i32"),
          std::pair("WAITFULL", "nvvm.mbarrier.try_wait.parity %f, %parity32, "
                                "%ticks : !llvm.ptr<3>, i32, i32"),
          std::pair("PROXY", "nvvm.fence.proxy {kind = "
                             "#nvvm.proxy_kind<async.shared>, space = "
                             "#nvvm.shared_space<cta>}"),
          std::pair("END", ""),
          std::pair("ARRIVE", "nvvm.mbarrier.arrive %e : !llvm.ptr<3> -> i64")})
      edits.emplace_back(what, with);
    std::string body = kPipeline;
    for (const auto &[what, with] : edits)
      if (size_t at = body.find(what); at != std::string::npos)
        body.replace(at, what.size(), with);
    Array arguments[] = {makeArray({8, 64}, ElementType::F32),
                         makeArray({8, 64}, ElementType::F32)};
    fillUniform(arguments[0], 5, 0);
    HostOptions options;
    options.seed = seed;
    options.checks = true;
    std::string report =
        run(makeModule("%x: memref<8x64xf32>, %y: memref<8x64xf32>", body, 1,
                       96, 544),
            arguments, options);
    if (!report.empty())
      return report;
    for (int i = 0; i < 8 * 64; ++i)
      if (arguments[1].get(i) != 2 * arguments[0].get(i))
        return "wrong results";
    return "";
  }

  void expectReport(const Edits &edits, const std::string &regex) {
    for (uint64_t seed : {0, 1, 2, 3, 4})
      EXPECT_THAT(runPipeline(edits, seed), MatchesRegex(regex)) << diagnostics;
  }
};

TEST_F(MbarrierTest, ProducerAndConsumers) { expectReport({}, ""); }

/// Consumers read through another proxy than the copies write through.
TEST_F(MbarrierTest, NoFenceBeforeTheArrival) {
  expectReport({{"PROXY", ""}},
               ".*thread 64 writes 256 bytes at offset .* of shared memory in "
               "nvvm.cp.async.bulk.shared.cluster.global at .*, and thread .* "
               "reads there in llvm.load at .* with no fence.proxy.async "
               "between");
}

TEST_F(MbarrierTest, MoreBytesExpectedThanCopied) {
  expectReport(
      {{"EXPECTED", "272"}},
      ".*deadlock: of 96 threads 31 have ended, (thread 64 waits "
      "at .*, )?threads 0-63 wait at nvvm.mbarrier.try_wait.parity at .*");
}

TEST_F(MbarrierTest, FewerBytesExpectedThanCopied) {
  expectReport(
      {{"EXPECTED", "240"}},
      ".*deadlock: of 96 threads 31 have ended, (thread 64 waits "
      "at .*, )?threads 0-63 wait at nvvm.mbarrier.try_wait.parity at .*");
}

TEST_F(MbarrierTest, NotWaitingUntilFull) {
  expectReport({{"WAITFULL", ""}},
               ".*thread .* reads 4 bytes at offset .* of shared memory in "
               "llvm.load at .*, and (nothing has been written.*|the copy "
               "to there that thread 64 has begun in "
               "nvvm.cp.async.bulk.shared.cluster.global at .*)");
}

TEST_F(MbarrierTest, NotWaitingUntilEmpty) {
  expectReport({{"WAITEMPTY", ""}},
               ".*(a race|has begun in nvvm.* may be under way|: 1 "
               "arrivals at an mbarrier that waits for 0)");
}

TEST_F(MbarrierTest, NeverEmptied) {
  expectReport({{"ARRIVE", ""}},
               ".*deadlock: of 96 threads 31 have ended, threads 0-63 wait at "
               "nvvm.mbarrier.try_wait.parity at .*, thread 64 waits at "
               "nvvm.mbarrier.try_wait.parity at .*|.*deadlock: of 96 threads "
               "31 have ended, thread 64 waits at .*, threads 0-63 wait at .*");
}

/// A copy more than is waited for, at once or when all else waits for it.
TEST_F(MbarrierTest, CopiesAtTheEnd) {
  const std::string wait =
      "nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : "
      "!llvm.ptr<3>, i32, i32\n";
  auto copy = [&](const std::string &behind) {
    return Edits{{"END", R"(
      %last = arith.cmpi eq, %t, %c64 : index
      %zero = arith.constant 0 : i32
      scf.if %last {
        nvvm.mbarrier.try_wait.parity %empty, %one, %ticks : !llvm.ptr<3>, i32, i32
        nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
        %dst7 = llvm.addrspacecast %shared : !llvm.ptr<3> to !llvm.ptr<7>
        nvvm.cp.async.bulk.shared.cluster.global %dst7, %device, %full, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
        )" + behind + "}\n"}};
  };
  expectReport(copy(wait), "");
  expectReport(copy(""),
               ".*(thread 64 copies in "
               "nvvm.cp.async.bulk.shared.cluster.global at .* to the shared "
               "memory of a block that has ended|nobody has waited at the "
               "mbarrier at offset 512 of shared memory)");
  // In front of one that is waited for, with which it ends.
  expectReport(
      copy(R"(
        %full1 = llvm.getelementptr %full[8] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
        %empty1 = llvm.getelementptr %empty[8] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
        nvvm.mbarrier.try_wait.parity %empty1, %one, %ticks : !llvm.ptr<3>, i32, i32
        nvvm.mbarrier.arrive.expect_tx %full1, %bytes : !llvm.ptr<3>, i32
        %stage1 = llvm.getelementptr %shared[256] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
        %to1 = llvm.addrspacecast %stage1 : !llvm.ptr<3> to !llvm.ptr<7>
        nvvm.cp.async.bulk.shared.cluster.global %to1, %device, %full1, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
        nvvm.mbarrier.try_wait.parity %full1, %zero, %ticks : !llvm.ptr<3>, i32, i32
        )"),
      ".*nvvm.cp.async.bulk.shared.cluster.global at .* may be under "
      "way to its shared memory when it ends: nobody has waited at the "
      "mbarrier at offset 512 of shared memory");
}

TEST_F(MbarrierTest, InitializationNotSynchronized) {
  expectReport({{"SYNC", ""}},
               ".*(and nothing has been written at offset .*|a race)");
}

TEST_F(MbarrierTest, MisalignedBulkCopies) {
  expectReport({{"%stage64 = arith.index_cast %stage : index to i64",
                 "%odd = arith.addi %stage, %c2 : index\n"
                 "%stage64 = arith.index_cast %odd : index to i64"}},
               ".*thread 64 writes 256 bytes at offset .* of shared memory in "
               "nvvm.cp.async.bulk.shared.cluster.global at .*, where the "
               "offset has to be a multiple of 16");
  expectReport({{"%bytes = arith.constant 256", "%bytes = arith.constant 200"}},
               ".*nvvm.cp.async.bulk.shared.cluster.global at .* copies 200 "
               "bytes, expected a multiple of 16");
}

TEST_F(MbarrierTest, WrongMbarriers) {
  Array arguments[] = {makeArray({1}, ElementType::F32)};
  const std::string head = R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %base = memref.extract_aligned_pointer_as_index %smem : memref<?xi8, SPACE> -> index
      %base64 = arith.index_cast %base : index to i64
      %m = llvm.inttoptr %base64 : i64 to !llvm.ptr<3>
      %zero = arith.constant 0 : i32
      %two = arith.constant 2 : i32
)";
  auto check = [&](const std::string &body) {
    return run(makeModule("%y: memref<1xf32>", head + body, 1, 1, 8),
               arguments);
  };
  EXPECT_THAT(check("nvvm.mbarrier.init %m, %zero : !llvm.ptr<3>, i32\n"),
              MatchesRegex(".*nvvm.mbarrier.init at .*: an mbarrier for 0 "
                           "arrivals, expected 1 to 1048575"));
  EXPECT_THAT(check("%a = nvvm.mbarrier.arrive %m : !llvm.ptr<3> -> i64\n"),
              HasSubstr(": there is no mbarrier at offset 0 of shared memory"));
  const std::string init = "nvvm.mbarrier.init %m, %two : !llvm.ptr<3>, i32\n";
  EXPECT_THAT(check(init + "nvvm.mbarrier.inval %m : !llvm.ptr<3>\n"
                           "%a = nvvm.mbarrier.arrive %m : !llvm.ptr<3> -> "
                           "i64\n"),
              HasSubstr(": there is no mbarrier at offset 0 of shared memory"));
  EXPECT_THAT(check(init + "%three = arith.constant 3 : i32\n"
                           "%a = nvvm.mbarrier.arrive %m, %three : "
                           "!llvm.ptr<3> -> i64\n"),
              HasSubstr(": 3 arrivals at an mbarrier that waits for 2"));
  EXPECT_EQ(check(init + "%a = nvvm.mbarrier.arrive %m, %two : !llvm.ptr<3> -> "
                         "i64\n"
                         "nvvm.mbarrier.try_wait.parity %m, %zero, %two : "
                         "!llvm.ptr<3>, i32, i32\n"),
            "");
}

TEST_F(MbarrierTest, OneLaneIsElected) {
  Array arguments[] = {makeArray({64}, ElementType::F32)};
  EXPECT_EQ(run(makeModule("%y: memref<64xf32>", R"(
      %t = gpu.thread_id x
      %p = nvvm.elect.sync -> i1
      %f = arith.uitofp %p : i1 to f32
      memref.store %f, %y[%t] : memref<64xf32>)",
                           1, 64),
                arguments),
            "");
  for (int t = 0; t < 64; ++t)
    EXPECT_EQ(arguments[0].get(t), t % 32 == 0);
}

} // namespace
