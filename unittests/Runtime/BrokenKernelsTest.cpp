//===- BrokenKernelsTest.cpp - A seeded suite of broken kernels -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One matrix product with everything that a fast kernel for sm_80 has (stages
// of asynchronous copies, swizzled tiles, ldmatrix, mma), and ways to break it.
// Each broken one is reported in every order of threads; the right one never.
//
//===----------------------------------------------------------------------===//

#include "BrokenProductTest.h"

using namespace mirage;

namespace {

constexpr int kM = 16, kN = 32, kK = 256;
constexpr uint64_t kSeeds = 20;

/// C (16x32) = A (16x256) · B (32x256, transposed) by two warps with 16 columns
/// each. A stage holds 32 of k: 64 bytes of each row, in chunks of 16 bytes,
/// permuted so that 8 rows of a chunk lie in different banks. WORDS in capitals
/// are what can be broken.
const char *const kProduct = R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %base = memref.extract_aligned_pointer_as_index %smem : memref<?xi8, SPACE> -> index
      %base64 = arith.index_cast %base : index to i64
      %tile = llvm.inttoptr %base64 : i64 to !llvm.ptr<3>
      %aBase = memref.extract_aligned_pointer_as_index %a : memref<16x256xf16> -> index
      %aBase64 = arith.index_cast %aBase : index to i64
      %aPtr = llvm.inttoptr %aBase64 : i64 to !llvm.ptr<1>
      %bBase = memref.extract_aligned_pointer_as_index %b : memref<32x256xf16> -> index
      %bBase64 = arith.index_cast %bBase : index to i64
      %bPtr = llvm.inttoptr %bBase64 : i64 to !llvm.ptr<1>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %c512 = arith.constant 512 : index
      %c1024 = arith.constant 1024 : index
      %cStage = arith.constant 3072 : index
      %stages = arith.constant STAGES : index
      %ahead = arith.constant 2 : index
      %iterations = arith.constant 8 : index
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      %lane = arith.remui %t, %c32 : index
      %warp = arith.divui %t, %c32 : index

      // What the thread copies: a chunk of A and two of B.
      %row = arith.divui %t, %c4 : index
      %chunk = arith.remui %t, %c4 : index
      %rowHalf = arith.divui %row, %c2 : index
      %rowKey = arith.remui %rowHalf, %c4 : index
      %swizzled = arith.xori %chunk, %rowKey : index
      %rowBytes = arith.muli %row, %c64 : index
      %chunkBytes = arith.muli %swizzled, %c16 : index
      %to = arith.addi %rowBytes, %chunkBytes : index
      %fromRow = arith.muli %row, %c512 : index
      %fromChunk = arith.muli %chunk, %c16 : index
      %from = arith.addi %fromRow, %fromChunk : index

      // Copies for two iterations, then the loop.
      scf.for %p = %c0 to %ahead step %c1 {
        %slot = arith.muli %p, %cStage : index
        %k = arith.muli %p, %c64 : index
        COPY
        nvvm.cp.async.commit.group
      }
      %acc:8 = scf.for %i = %c0 to %iterations step %c1
          iter_args(%d0 = %zero, %d1 = %zero, %d2 = %zero, %d3 = %zero,
                    %d4 = %zero, %d5 = %zero, %d6 = %zero, %d7 = %zero)
          -> (f32, f32, f32, f32, f32, f32, f32, f32) {
        WAIT
        BARRIER
        %next = arith.addi %i, %ahead : index
        %more = arith.cmpi ult, %next, LIMIT : index
        scf.if %more {
          %nextStage = arith.remui %next, %stages : index
          %slot = arith.muli %nextStage, %cStage : index
          %k = arith.muli %next, %c64 : index
          COPY
        }
        nvvm.cp.async.commit.group
        %stage = arith.remui %i, %stages : index
        %aTile = arith.muli %stage, %cStage : index
        %bTile = arith.addi %aTile, %c1024 : index
        %e:8 = scf.for %kk = %c0 to %c2 step %c1
            iter_args(%f0 = %d0, %f1 = %d1, %f2 = %d2, %f3 = %d3,
                      %f4 = %d4, %f5 = %d5, %f6 = %d6, %f7 = %d7)
            -> (f32, f32, f32, f32, f32, f32, f32, f32) {
          %kChunk = arith.muli %kk, %c2 : index
          %aRow = arith.remui %lane, %c16 : index
          %aHalf = arith.divui %lane, %c16 : index
          %aChunk = arith.addi %kChunk, %aHalf : index
          %aRowHalf = arith.divui %aRow, %c2 : index
          %aKey = arith.remui READKEY, %c4 : index
          %aSwizzled = arith.xori %aChunk, %aKey : index
          %aRowBytes = arith.muli %aRow, %c64 : index
          %aChunkBytes = arith.muli %aSwizzled, %c16 : index
          %aOffset0 = arith.addi %aRowBytes, %aChunkBytes : index
          %aOffset = arith.addi %aTile, %aOffset0 : index
          %aOffset64 = arith.index_cast %aOffset : index to i64
          %aAt = llvm.getelementptr %tile[%aOffset64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
          %am = nvvm.ldmatrix %aAt {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>

          %bLow = arith.remui %lane, %c8 : index
          %bHigh = arith.divui %lane, %c16 : index
          %bHigh8 = arith.muli %bHigh, %c8 : index
          %bWarp = arith.muli %warp, %c16 : index
          %bRow0 = arith.addi %bLow, %bHigh8 : index
          %bRow = arith.addi %bRow0, %bWarp : index
          %bEighth = arith.divui %lane, %c8 : index
          %bHalf = arith.remui %bEighth, %c2 : index
          %bChunk = arith.addi %kChunk, %bHalf : index
          %bRowHalf = arith.divui %bRow, %c2 : index
          %bKey = arith.remui %bRowHalf, %c4 : index
          %bSwizzled = arith.xori %bChunk, %bKey : index
          %bRowBytes = arith.muli %bRow, %c64 : index
          %bChunkBytes = arith.muli %bSwizzled, %c16 : index
          %bOffset0 = arith.addi %bRowBytes, %bChunkBytes : index
          %bOffset = arith.addi %bTile, %bOffset0 : index
          %bOffset64 = arith.index_cast %bOffset : index to i64
          %bAt = llvm.getelementptr %tile[%bOffset64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
          %bm = nvvm.ldmatrix %bAt {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
FRAGMENTS
          %m0 = nvvm.mma.sync A[%av0, %av1, %av2, %av3] B[%bv0, %bv1] C[%f0, %f1, %f2, %f3]
              {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}
              : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
          %m1 = nvvm.mma.sync A[%av0, %av1, %av2, %av3] B[%bv2, %bv3] C[%f4, %f5, %f6, %f7]
              {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}
              : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
RESULTS
          scf.yield %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : f32, f32, f32, f32, f32, f32, f32, f32
        }
        scf.yield %e#0, %e#1, %e#2, %e#3, %e#4, %e#5, %e#6, %e#7 : f32, f32, f32, f32, f32, f32, f32, f32
      }
      %group = arith.divui %lane, %c4 : index
      %inGroup = arith.remui %lane, %c4 : index
      %column0 = arith.muli %inGroup, %c2 : index
      %warpColumn = arith.muli %warp, %c16 : index
      %column = arith.addi %column0, %warpColumn : index
STORES)";

class BrokenKernelsTest : public BrokenProductTest {
protected:
  BrokenKernelsTest()
      : BrokenProductTest(kM, kN, kK, /*tolerance=*/1e-4, kSeeds) {}

  using Edits = std::vector<std::pair<std::string, std::string>>;

  static std::string replace(std::string text, const std::string &what,
                             const std::string &with) {
    for (size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size()))
      text.replace(at, what.size(), with);
    return text;
  }

  /// A copy of a chunk to byte `to` of the stage, from `pointer`, whose rows
  /// begin at `row` of what the thread copies.
  static std::string getCopy(const std::string &name, int to, int rows,
                             const std::string &pointer) {
    std::string text = R"(
        %toNAME = arith.constant TO : index
        %fromNAME = arith.constant FROM : index
        %to0NAME = arith.addi %slot, %to : index
        %to1NAME = arith.addi %to0NAME, %toNAME : index
        %to2NAME = arith.index_cast %to1NAME : index to i64
        %to3NAME = llvm.getelementptr %tile[%to2NAME] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
        %from0NAME = arith.addi %from, %k : index
        %from1NAME = arith.addi %from0NAME, %fromNAME : index
        %from2NAME = arith.index_cast %from1NAME : index to i64
        %from3NAME = llvm.getelementptr POINTER[%from2NAME] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
        nvvm.cp.async.shared.global %to3NAME, %from3NAME, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>)";
    text = replace(text, "NAME", name);
    text = replace(text, "TO", std::to_string(to));
    text = replace(text, "FROM", std::to_string(rows * kK * 2));
    return replace(text, "POINTER", pointer);
  }

  /// The kernel; `edits` come before the parts of the right one.
  static std::string getProduct(const Edits &edits, int sharedBytes) {
    std::string body = kProduct;
    for (const auto &[what, with] : edits)
      body = replace(body, what, with);
    std::string copyA = getCopy("A", 0, 0, "%aPtr"),
                copyB = getCopy("B", 1024, 0, "%bPtr"),
                copyC = getCopy("C", 2048, 16, "%bPtr");
    body = replace(body, "COPY", copyA + copyB + copyC);
    body = replace(body, "STAGES", "3");
    body = replace(body, "WAIT", "nvvm.cp.async.wait.group 1");
    body = replace(body, "BARRIER", "nvvm.barrier0");
    body = replace(body, "LIMIT", "%iterations");
    body = replace(body, "READKEY", "%aRowHalf");
    const std::string regs = "!llvm.struct<(i32, i32, i32, i32)>",
                      sums = "!llvm.struct<(f32, f32, f32, f32)>";
    std::string fragments, results, stores;
    for (std::string m : {"a", "b"})
      for (int i = 0; i < 4; ++i) {
        std::string n = std::to_string(i);
        fragments += "%" + m + "r" + n + " = llvm.extractvalue %" + m + "m[" +
                     n + "] : " + regs + "\n%" + m + "v" + n +
                     " = llvm.bitcast %" + m + "r" + n +
                     " : i32 to vector<2xf16>\n";
      }
    for (int i = 0; i < 8; ++i) {
      std::string n = std::to_string(i), of = std::to_string(i % 4);
      results += "%r" + n + " = llvm.extractvalue %m" + std::to_string(i / 4) +
                 "[" + of + "] : " + sums + "\n";
      stores += "%or" + n + " = arith.constant " +
                std::to_string(i % 4 / 2 * 8) + " : index\n%oc" + n +
                " = arith.constant " + std::to_string(i / 4 * 8 + i % 2) +
                " : index\n%sr" + n + " = arith.addi %group, %or" + n +
                " : index\n%sc" + n + " = arith.addi %column, %oc" + n +
                " : index\nmemref.store %acc#" + n + ", %c[%sr" + n + ", %sc" +
                n + "] : memref<16x32xf32>\n";
    }
    body = replace(body, "FRAGMENTS", fragments);
    body = replace(body, "RESULTS", results);
    body = replace(body, "STORES", stores);
    return makeModule("%a: memref<16x256xf16>, %b: memref<32x256xf16>, "
                      "%c: memref<16x32xf32>",
                      body, 1, 64, sharedBytes);
  }

  void expectReport(const Edits &edits, const std::string &regex,
                    int sharedBytes = 9216) {
    expectReports(getProduct(edits, sharedBytes), regex);
  }
};

TEST_F(BrokenKernelsTest, TheRightOneIsClean) { expectReport({}, ""); }

TEST_F(BrokenKernelsTest, BarrierRemoved) {
  expectReport({{"BARRIER", ""}},
               where +
                   "thread .* (with no barrier between: a race|and nothing has "
                   "been written at offset .*)|" +
                   where +
                   "thread .* has not waited for its copy to there in "
                   "nvvm.cp.async.shared.global at .*");
}

TEST_F(BrokenKernelsTest, BarrierOfTheWarpOnly) {
  expectReport({{"BARRIER", "%all = arith.constant -1 : i32\n"
                            "nvvm.bar.warp.sync %all : i32"}},
               where +
                   "thread .* (with no barrier between: a race|and nothing has "
                   "been written at offset .*)|" +
                   where +
                   "thread .* has not waited for its copy to there in "
                   "nvvm.cp.async.shared.global at .*");
}

TEST_F(BrokenKernelsTest, WaitMissing) {
  const std::string report =
      where + "thread .* reads 16 bytes at offset .* of shared memory in "
              "nvvm.ldmatrix at .*, and thread .* has not waited for its copy "
              "to there in nvvm.cp.async.shared.global at .*";
  expectReport({{"WAIT", ""}}, report);
  expectReport({{"WAIT", "nvvm.cp.async.wait.group 2"}}, report);
}

TEST_F(BrokenKernelsTest, WaitBehindTheBarrier) {
  // Each thread then knows of its own copies only.
  expectReport({{"WAIT", ""},
                {"BARRIER", "nvvm.barrier0\n"
                            "nvvm.cp.async.wait.group 1"}},
               where +
                   "thread .* (with no barrier between: a race|and nothing has "
                   "been written at offset .*)|" +
                   where +
                   "thread .* has not waited for its copy to there in "
                   "nvvm.cp.async.shared.global at .*");
}

TEST_F(BrokenKernelsTest, StageTooFew) {
  // What is read is overwritten by the copy for two iterations later.
  expectReport({{"STAGES", "2"}},
               where +
                   "thread .* (with no barrier between: a race|and nothing has "
                   "been written at offset .*)|" +
                   where +
                   "thread .* has not waited for its copy to there in "
                   "nvvm.cp.async.shared.global at .*");
}

TEST_F(BrokenKernelsTest, WrongSwizzle) {
  expectReport({{"READKEY", "%aRow"}}, "wrong results");
}

TEST_F(BrokenKernelsTest, UninitializedRead) {
  // The second half of B isn't copied.
  expectReport(
      {{"COPY", getCopy("A", 0, 0, "%aPtr") + getCopy("B", 1024, 0, "%bPtr")}},
      where + "thread .* reads 16 bytes at offset .* of shared memory "
              "in nvvm.ldmatrix at .*, and nothing has been written "
              "at offset .*");
}

TEST_F(BrokenKernelsTest, OutOfDeviceMemory) {
  // The last iterations copy what is behind the end.
  expectReport({{"LIMIT", "%c16"}},
               where + "thread .* reads 16 bytes at byte .* of argument 0 in "
                       "nvvm.cp.async.shared.global at .*, which has 8192 "
                       "bytes");
}

TEST_F(BrokenKernelsTest, OutOfSharedMemory) {
  expectReport({},
               where + "thread .* writes 16 bytes at offset .* of shared "
                       "memory in nvvm.cp.async.shared.global at .*, which has "
                       "9200 bytes",
               9200);
}

TEST_F(BrokenKernelsTest, Misaligned) {
  expectReport(
      {{"%cStage = arith.constant 3072", "%cStage = arith.constant 3080"}},
      where + "thread .* writes 16 bytes at offset .* of shared "
              "memory in nvvm.cp.async.shared.global at .*, where the "
              "offset has to be a multiple of 16",
      9280);
}

TEST_F(BrokenKernelsTest, BarrierInDivergentCode) {
  expectReport({{"BARRIER", R"(
        %low = arith.cmpi ult, %t, %c32 : index
        scf.if %low {
          nvvm.barrier0
        })"}},
               where +
                   "deadlock: of 64 threads 32 have ended, threads 0-31 "
                   "wait at nvvm.barrier0 at .*|" +
                   where +
                   "thread .* (with no barrier between: a race|and nothing has "
                   "been written at offset .*)|" +
                   where +
                   "thread .* has not waited for its copy to there in "
                   "nvvm.cp.async.shared.global at .*");
}

/// Half of the lanes leave an mma out.
TEST_F(BrokenKernelsTest, LanesMissing) {
  expectReport({{"READKEY", "%aRowHalf"}, {"          %m0 = ", R"(
          %few = arith.cmpi eq, %lane, %c3 : index
          scf.if %few {
            nvvm.barrier0
          }
          %m0 = )"}},
               where + "deadlock: of 64 threads 0 have ended, threads .* wait "
                       "at nvvm.barrier0 at .*, threads .* wait at "
                       "nvvm.mma.sync at .*");
}

} // namespace
