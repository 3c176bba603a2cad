//===- TensorCopyTest.cpp - Copies by tensor maps on the host -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostTestUtils.h"
#include "gmock/gmock.h"
#include <cmath>

using namespace mirage;
using testing::HasSubstr;
using testing::MatchesRegex;

namespace {

/// Shared memory has an mbarrier at byte 0 and the box at byte AT.
const char *const kHead = R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %base = memref.extract_aligned_pointer_as_index %smem : memref<?xi8, SPACE> -> index
      %base64 = arith.index_cast %base : index to i64
      %bar = llvm.inttoptr %base64 : i64 to !llvm.ptr<3>
      %box = llvm.getelementptr %bar[AT] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %mapped = memref.extract_aligned_pointer_as_index %x : MAPPED -> index
      %mapped64 = arith.index_cast %mapped : index to i64
      %map = llvm.inttoptr %mapped64 : i64 to !llvm.ptr
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %at = arith.constant AT : index
      %n = arith.constant ELEMENTS : index
      %threads = arith.constant 32 : index
      %tile = memref.view %smem[%at][] : memref<?xi8, SPACE> to memref<ELEMENTSxTYPE, SPACE>
      %t = gpu.thread_id x
      %first = arith.cmpi eq, %t, %c0 : index
)";

const char *const kLoad = R"(
      %one = arith.constant 1 : i32
      %parity = arith.constant 0 : i32
      %ticks = arith.constant 1000 : i32
      %bytes = arith.constant BYTES : i32
      scf.if %first {
        nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
      nvvm.barrier0
      scf.if %first {
        nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
        %cluster = llvm.addrspacecast %box : !llvm.ptr<3> to !llvm.ptr<7>
        COORDINATES
        nvvm.cp.async.bulk.tensor.shared.cluster.global %cluster, %map, %bar, box[PLACE] : !llvm.ptr<7>, !llvm.ptr
      }
      WAIT
      scf.for %e = %t to %n step %threads {
        %v = memref.load %tile[%e] : memref<ELEMENTSxTYPE, SPACE>
        memref.store %v, %y[%e] : memref<ELEMENTSxTYPE>
      }
)";

/// Stores element e of %y, the box as it is in shared memory.
const char *const kStore = R"(
      scf.for %e = %t to %n step %threads {
        %v = memref.load %y[%e] : memref<ELEMENTSxTYPE>
        memref.store %v, %tile[%e] : memref<ELEMENTSxTYPE, SPACE>
      }
      FENCE
      nvvm.barrier0
      scf.if %first {
        COORDINATES
        nvvm.cp.async.bulk.tensor.global.shared.cta %map, %box, box[PLACE] : !llvm.ptr, !llvm.ptr<3>
        nvvm.cp.async.bulk.commit.group
        BULKWAIT
      }
      OVERWRITE
)";

/// How a box is copied; sizes outermost first.
struct Case {
  std::vector<int64_t> shape, box, place;
  int swizzle;
  int at = 1024;
  ElementType type = ElementType::F16;

  int getElements() const {
    int64_t n = 1;
    for (int64_t size : box)
      n *= size;
    return static_cast<int>(n);
  }
  int getElementBytes() const { return type == ElementType::F32 ? 4 : 2; }
};

std::string join(llvm::ArrayRef<int64_t> sizes, const std::string &separator) {
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : separator) + std::to_string(size);
  return text;
}

class TensorCopyTest : public HostTest {
protected:
  using Edits = std::vector<std::pair<std::string, std::string>>;

  static std::string replace(std::string text, const std::string &what,
                             const std::string &with) {
    for (size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size()))
      text.replace(at, what.size(), with);
    return text;
  }

  static std::string getType(ElementType type) {
    return type == ElementType::F32    ? "f32"
           : type == ElementType::BF16 ? "bf16"
                                       : "f16";
  }

  static std::string getModule(const Case &c, const std::string &copy,
                               bool loads, const Edits &edits) {
    std::string body = kHead + copy;
    for (const auto &[what, with] : edits)
      body = replace(body, what, with);
    std::string type = getType(c.type), coordinates, place;
    for (size_t i = 0; i < c.place.size(); ++i) {
      std::string name = "%p" + std::to_string(i);
      coordinates += name + " = arith.constant " +
                     std::to_string(c.place[c.place.size() - 1 - i]) +
                     " : i32\n";
      place += (i ? ", " : "") + name;
    }
    std::string mapped = "memref<" + join(c.shape, "x") + "x" + type + ">",
                plain = "memref<" + std::to_string(c.getElements()) + "x" +
                        type + ">";
    for (auto [what, with] :
         {std::pair<std::string, std::string>("COORDINATES", coordinates),
          {"PLACE", place},
          {"MAPPED", mapped},
          {"BYTES", std::to_string(c.getElements() * c.getElementBytes())},
          {"ELEMENTS", std::to_string(c.getElements())},
          {"TYPE", type},
          {"AT", std::to_string(c.at)},
          {"BULKWAIT", "nvvm.cp.async.bulk.wait_group 0"},
          {"OVERWRITE", ""},
          {"FENCE", "nvvm.fence.proxy {kind = "
                    "#nvvm.proxy_kind<async.shared>, space = "
                    "#nvvm.shared_space<cta>}"},
          {"WAIT", "nvvm.mbarrier.try_wait.parity %bar, %parity, %ticks : "
                   "!llvm.ptr<3>, i32, i32"}})
      body = replace(body, what, with);
    int bytes = c.at + c.getElements() * c.getElementBytes();
    std::string module = loads ? makeModule("%x: " + mapped + ", %y: " + plain,
                                            body, 1, 32, bytes)
                               : makeModule("%y: " + plain + ", %x: " + mapped,
                                            body, 1, 32, bytes);
    std::string parameter = "%x: " + mapped;
    size_t at = module.find(parameter) + parameter.size();
    return module.insert(at, " {mirage.tensor_map = {type = " + type +
                                 ", shape = array<i64: " + join(c.shape, ", ") +
                                 ">, box = array<i64: " + join(c.box, ", ") +
                                 ">, swizzle = " + std::to_string(c.swizzle) +
                                 " : i64}}");
  }

  /// The tensor's element that a box's is, or -1 if it is outside.
  static int64_t getElement(const Case &c, int64_t boxElement) {
    int64_t element = 0, stride = 1;
    for (size_t i = c.box.size(); i-- > 0;) {
      int64_t index = c.place[i] + boxElement % c.box[i];
      boxElement /= c.box[i];
      if (index < 0 || index >= c.shape[i])
        return -1;
      element += index * stride;
      stride *= c.shape[i];
    }
    return element;
  }

  /// Where a box's element is in shared memory, in elements from its start:
  /// the swizzle exchanges pieces of 16 bytes by the bits of the address.
  static int64_t getPlace(const Case &c, int64_t boxElement) {
    int64_t bytes = c.getElementBytes(), address = c.at + boxElement * bytes,
            key = address / 128 % 8;
    if (c.swizzle == 64)
      key %= 4;
    else if (c.swizzle == 32)
      key %= 2;
    else if (c.swizzle == 0)
      key = 0;
    return ((address ^ key * 16) - c.at) / bytes;
  }

  std::string load(const Case &c, const Edits &edits = {},
                   HostOptions options = {}) {
    Array arguments[] = {makeArray(c.shape, c.type),
                         makeArray({c.getElements()}, c.type)};
    fillUniform(arguments[0], 3, 0);
    options.checks = true;
    std::string report =
        run(getModule(c, kLoad, /*loads=*/true, edits), arguments, options);
    for (int64_t e = 0; report.empty() && e < c.getElements(); ++e) {
      int64_t from = getElement(c, e);
      double expected = from < 0 ? 0 : arguments[0].get(from);
      if (arguments[1].get(getPlace(c, e)) != expected)
        return "element " + std::to_string(e) + " is wrong";
    }
    return report;
  }

  std::string store(const Case &c, const Edits &edits = {}) {
    Array arguments[] = {makeArray({c.getElements()}, c.type),
                         makeArray(c.shape, c.type)};
    fillUniform(arguments[0], 3, 0);
    HostOptions options;
    options.checks = true;
    std::string report =
        run(getModule(c, kStore, /*loads=*/false, edits), arguments, options);
    if (!report.empty())
      return report;
    std::vector<double> expected(arguments[1].getNumElements(), std::nan(""));
    for (int64_t e = 0; e < c.getElements(); ++e)
      if (int64_t to = getElement(c, e); to >= 0)
        expected[to] = arguments[0].get(getPlace(c, e));
    for (size_t i = 0; i < expected.size(); ++i)
      if (std::isnan(expected[i]) ? !std::isnan(arguments[1].get(i))
                                  : expected[i] != arguments[1].get(i))
        return "element " + std::to_string(i) + " is wrong";
    return "";
  }

  /// Of all ranks and swizzles, types, places inside, on the edges and far
  /// outside, and addresses where a swizzle doesn't begin.
  const std::vector<Case> cases = {
      {{100}, {64}, {16}, 0},
      {{100}, {64}, {80}, 0},
      {{64}, {32}, {-8}, 64, 1152},
      {{10, 64}, {8, 64}, {1, 0}, 128},
      {{10, 64}, {8, 64}, {5, 0}, 128, 1152},
      {{10, 128}, {3, 64}, {7, 64}, 128, 1280},
      {{20, 64}, {16, 32}, {-3, -8}, 64},
      {{20, 64}, {5, 32}, {18, 40}, 64, 1408},
      {{20, 48}, {7, 16}, {2, 40}, 32, 1152},
      {{16, 32}, {8, 32}, {4, 0}, 128, 1024, ElementType::F32},
      {{16, 40}, {8, 16}, {4, 32}, 64, 1024, ElementType::BF16},
      {{3, 8, 32}, {2, 4, 16}, {1, 6, 16}, 32},
      {{3, 8, 32}, {2, 4, 8}, {-1, 6, 24}, 0},
      {{2, 3, 4, 16}, {2, 2, 3, 16}, {0, 2, -1, 8}, 32},
      {{2, 3, 4, 5, 8}, {1, 2, 3, 4, 8}, {1, 1, 2, 3, 0}, 0},
      {{10, 64}, {8, 64}, {10, 0}, 128},
  };
};

TEST_F(TensorCopyTest, Loads) {
  for (const Case &c : cases)
    EXPECT_EQ(load(c), "") << join(c.shape, "x") << " " << diagnostics;
}

TEST_F(TensorCopyTest, Stores) {
  for (const Case &c : cases)
    EXPECT_EQ(store(c), "") << join(c.shape, "x") << " " << diagnostics;
}

TEST_F(TensorCopyTest, LoadsArriveAtTheWait) {
  EXPECT_THAT(load(cases[3], {{"WAIT", ""}}),
              MatchesRegex(".*thread .* reads 2 bytes at offset .* of shared "
                           "memory in llvm.load at .*, and (the copy to "
                           "there that thread 0 has begun in "
                           "nvvm.cp.async.bulk.tensor.shared.cluster.global at "
                           ".*|nothing has been written at offset .*)"));
}

TEST_F(TensorCopyTest, AllBytesOfTheBoxCount) {
  // Also those outside of the tensor.
  EXPECT_EQ(load(cases[4]), "");
  for (const char *bytes : {"1008", "1040"})
    EXPECT_THAT(load(cases[4], {{"BYTES", bytes}}),
                MatchesRegex(".*deadlock: of 32 threads 0 have ended, threads "
                             "0-31 wait at nvvm.mbarrier.try_wait.parity at "
                             ".*"));
}

TEST_F(TensorCopyTest, WrongPlaces) {
  Case odd = cases[3];
  odd.at = 1040;
  EXPECT_THAT(load(odd),
              MatchesRegex(".*thread 0 writes 1024 bytes at offset 1040 of "
                           "shared memory in nvvm.cp.async.bulk.tensor.*, "
                           "where the offset has to be a multiple of 128"));
  EXPECT_THAT(store(odd), HasSubstr(", where the offset has to be a multiple "
                                    "of 128"));
  // In rows of device memory boxes begin at multiples of 16 bytes.
  Case unaligned = cases[4];
  unaligned.place = {5, 4};
  EXPECT_THAT(load(unaligned),
              MatchesRegex(".*nvvm.cp.async.bulk.tensor.shared.cluster.global "
                           "at .* has a box that begins at byte 8 of rows, "
                           "expected a multiple of 16"));
  EXPECT_THAT(store(unaligned), HasSubstr(" has a box that begins at byte 8"));
  unaligned.place = {5, -4};
  EXPECT_THAT(load(unaligned), HasSubstr(" has a box that begins at byte -8"));
  Edits beyond{
      {"llvm.getelementptr %bar[AT]", "llvm.getelementptr %bar[1152]"}};
  EXPECT_THAT(
      load(cases[3], beyond),
      MatchesRegex(".*thread 0 writes 1024 bytes at offset 1152 of "
                   "shared memory in nvvm.cp.async.bulk.tensor.*, which "
                   "has 2048 bytes"));
  EXPECT_THAT(store(cases[3], beyond), HasSubstr(", which has 2048 bytes"));
}

TEST_F(TensorCopyTest, WrongTensorMaps) {
  EXPECT_THAT(load(cases[3], {{"box[PLACE]", "box[%p0]"}}),
              MatchesRegex(".*nvvm.cp.async.bulk.tensor.shared.cluster.global "
                           "at .* has 1 coordinates, and the tensor map has 2 "
                           "dimensions"));
  EXPECT_THAT(
      store(cases[3],
            {{"%map = ", "%notMap = "},
             {"%t = gpu.thread_id x",
              "%t = gpu.thread_id x\n%map = llvm.mlir.zero : !llvm.ptr"}}),
      HasSubstr(" uses an address where the kernel was given no tensor map"));
}

TEST_F(TensorCopyTest, StoresReadUntilTheWait) {
  const Edits overwrite{{"OVERWRITE", R"(
      nvvm.barrier0
      %v = arith.constant 0.0 : f16
      memref.store %v, %tile[%t] : memref<ELEMENTSxTYPE, SPACE>)"}};
  EXPECT_EQ(store(cases[3], overwrite), "");
  auto with = [&](const std::string &wait) {
    Edits edits = overwrite;
    edits.emplace_back("BULKWAIT", wait);
    return store(cases[3], edits);
  };
  EXPECT_EQ(with("nvvm.cp.async.bulk.wait_group 0 {read}"), "");
  for (const char *wait : {"", "nvvm.cp.async.bulk.wait_group 1"})
    EXPECT_THAT(
        with(wait),
        MatchesRegex(".*thread .* writes 2 bytes at offset .* of shared "
                     "memory in llvm.store at .*, and a bulk store "
                     "reads there in "
                     "nvvm.cp.async.bulk.tensor.global.shared.cta at "
                     ".* with no barrier between: a race"));
}

TEST_F(TensorCopyTest, StoresNotWaitedFor) {
  EXPECT_THAT(store(cases[3], {{"BULKWAIT", ""}}),
              MatchesRegex(".*thread 0 ends and has not waited until "
                           "nvvm.cp.async.bulk.tensor.global.shared.cta at .* "
                           "has read shared memory"));
}

TEST_F(TensorCopyTest, StoresNeedAFence) {
  EXPECT_THAT(
      store(cases[3], {{"FENCE", ""}}),
      MatchesRegex(".*thread 0 reads 1024 bytes at offset 1024 of "
                   "shared memory in "
                   "nvvm.cp.async.bulk.tensor.global.shared.cta at .*, "
                   "and thread .* writes there in llvm.store at .* with "
                   "no fence.proxy.async between"));
  // Behind the barrier it is as good.
  EXPECT_EQ(store(cases[3], {{"FENCE", ""}, {"COORDINATES", R"(COORDINATES
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>})"}}),
            "");
}

/// What threads have stored to or read of the place before.
TEST_F(TensorCopyTest, LoadsNeedAFence) {
  const std::string fence = "nvvm.fence.proxy {kind = "
                            "#nvvm.proxy_kind<async.shared>, space = "
                            "#nvvm.shared_space<cta>}\n",
                    barrier = "nvvm.barrier0\n",
                    write = "%zero = arith.constant 0.0 : f16\n"
                            "memref.store %zero, %tile[%t] : "
                            "memref<ELEMENTSxTYPE, SPACE>\n",
                    read = "%old = memref.load %tile[%t] : "
                           "memref<ELEMENTSxTYPE, SPACE>\n"
                           "memref.store %old, %y[%t] : "
                           "memref<ELEMENTSxTYPE>\n";
  auto behind = [&](const std::string &before) {
    return load(cases[3], {{"nvvm.barrier0\n", before + barrier}});
  };
  EXPECT_EQ(behind(write + fence), "");
  EXPECT_EQ(behind(write + fence + barrier + read + fence), "");
  const std::string copy =
      ".*thread 0 writes .* bytes at offset .* of shared memory in "
      "nvvm.cp.async.bulk.tensor.shared.cluster.global at .*, and thread .* ";
  EXPECT_THAT(behind(write),
              MatchesRegex(copy + "writes there in llvm.store at .* with no "
                                  "fence.proxy.async between"));
  EXPECT_THAT(behind(write + fence + barrier + read),
              MatchesRegex(copy + "reads there in llvm.load at .* with no "
                                  "fence.proxy.async between"));
}

/// Device memory changes when the stores have been waited for.
TEST_F(TensorCopyTest, StoresArriveAtTheWait) {
  Case c{{2, 64}, {1, 64}, {0, 0}, 128};
  for (bool waits : {true, false}) {
    Edits edits{{"BULKWAIT", waits ? "nvvm.cp.async.bulk.wait_group 0"
                                   : "nvvm.cp.async.bulk.wait_group 0 {read}"}};
    // A second parameter for plain accesses of the same buffer.
    std::string module = getModule(c, kStore, /*loads=*/false, edits);
    module =
        replace(module, "gpu.func @k(", "gpu.func @k(%z: memref<2x64xf16>, ");
    module = replace(module, "args(", "args(%x : memref<2x64xf16>, ");
    module = replace(module, "      gpu.return", R"(
      scf.if %first {
        %back = memref.load %z[%c0, %c0] : memref<2x64xf16>
        memref.store %back, %z[%c1, %c1] : memref<2x64xf16>
      }
      gpu.return)");
    Array arguments[] = {makeArray({64}, ElementType::F16),
                         makeArray({2, 64}, ElementType::F16)};
    fillUniform(arguments[0], 3, 0);
    HostOptions options;
    options.checks = true;
    EXPECT_THAT(run(module, arguments, options),
                MatchesRegex(waits ? ""
                                   : ".*thread 0 reads 2 bytes at byte 0 of "
                                     "argument 0 in llvm.load at .*, where "
                                     "nothing has been written"))
        << diagnostics;
    if (waits)
      EXPECT_EQ(arguments[1].get(65), arguments[0].get(0));
  }
}

TEST_F(TensorCopyTest, Counts) {
  std::vector<KernelCounters> counters;
  HostOptions options;
  options.counters = &counters;
  // Rows of 64 bytes, each in two sectors of a row of 256, six of them inside.
  Case c{{10, 128}, {8, 32}, {4, 32}, 64};
  EXPECT_EQ(load(c, {}, options), "");
  ASSERT_EQ(counters.size(), 1u);
  EXPECT_EQ(counters[0].total.readRequests, 1u);
  EXPECT_EQ(counters[0].total.readSectors, 12u);
  EXPECT_EQ(counters[0].distinctReadSectors, 12u);
  EXPECT_EQ(counters[0].idealReadSectors, 80u);
  EXPECT_EQ(counters[0].bytesInFlight, 512u);
}

} // namespace
