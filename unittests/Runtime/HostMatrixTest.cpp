//===- HostMatrixTest.cpp - ldmatrix, mma and redux on the host -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostTestUtils.h"
#include "Mirage/Numbers/Float16.h"
#include "llvm/ADT/bit.h"
#include "gmock/gmock.h"
#include <random>

using namespace mirage;
using testing::HasSubstr;

namespace {

struct MmaCase {
  const char *element; // f16, bf16 or tf32
  int k;
  /// Whether C and D are f16.
  bool half;
};

/// The value of an element, and its bits (the low 16, or all 32 for tf32).
struct Element {
  float value;
  uint32_t bits;
};

Element makeElement(const std::string &type, float value) {
  if (type == "f16") {
    uint16_t bits = floatToHalf(value);
    return {halfToFloat(bits), bits};
  }
  if (type == "bf16") {
    uint16_t bits = floatToBFloat(value);
    return {bfloatToFloat(bits), bits};
  }
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  // The 10 upper bits of the mantissa count.
  return {llvm::bit_cast<float>(bits >> 13 << 13), bits};
}

float asFloat(uint32_t bits) { return llvm::bit_cast<float>(bits); }

class HostMatrixTest : public HostTest {
protected:
  /// Registers of a lane as elements of an f32 array, whose bits they are.
  static void setBits(Array &array, size_t index, uint32_t bits) {
    std::memcpy(array.bytes.data() + 4 * index, &bits, 4);
  }
  static uint32_t getBits(const Array &array, size_t index) {
    uint32_t bits;
    std::memcpy(&bits, array.bytes.data() + 4 * index, 4);
    return bits;
  }

  /// A kernel in which each lane loads its registers from a row of %x (A from
  /// column 0 on, B from 4, C from 8), multiplies, and stores D.
  static std::string getMmaModule(const MmaCase &test) {
    bool wide = std::string(test.element) == "tf32";
    int perRegister = wide ? 1 : 2, steps = test.k / (4 * perRegister);
    std::string body = "%t = gpu.thread_id x\n";
    auto load = [&](const std::string &name, int column,
                    const std::string &type) {
      std::string n = std::to_string(column);
      body += "%i" + n + " = arith.constant " + n + " : index\n";
      body +=
          "%w" + n + " = memref.load %x[%t, %i" + n + "] : memref<32x16xf32>\n";
      body +=
          "%" + name + " = llvm.bitcast %w" + n + " : f32 to " + type + "\n";
    };
    auto list = [](const std::string &name, int count) {
      std::string text;
      for (int i = 0; i < count; ++i)
        text += (i ? ", %" : "%") + name + std::to_string(i);
      return text;
    };
    std::string operand =
        std::string(test.element) == "f16" ? "vector<2xf16>" : "i32";
    std::string c = test.half ? "vector<2xf16>" : "f32";
    int numC = test.half ? 2 : 4;
    for (int i = 0; i < 2 * steps; ++i)
      load("a" + std::to_string(i), i, operand);
    for (int i = 0; i < steps; ++i)
      load("b" + std::to_string(i), 4 + i, operand);
    for (int i = 0; i < numC; ++i)
      load("c" + std::to_string(i), 8 + i, c);
    std::string result = "!llvm.struct<(";
    for (int i = 0; i < numC; ++i)
      result += (i ? ", " : "") + c;
    result += ")>";
    body += "%d = nvvm.mma.sync A[" + list("a", 2 * steps) + "] B[" +
            list("b", steps) + "] C[" + list("c", numC) +
            "] {layoutA = #nvvm.mma_layout<row>, layoutB = "
            "#nvvm.mma_layout<col>, ";
    if (operand == "i32")
      body += std::string("multiplicandAPtxType = #nvvm.mma_type<") +
              test.element + ">, multiplicandBPtxType = #nvvm.mma_type<" +
              test.element + ">, ";
    body += "shape = #nvvm.shape<m = 16, n = 8, k = " + std::to_string(test.k) +
            ">} : (" + operand + ", " + operand + ", " + c + ") -> " + result +
            "\n";
    for (int i = 0; i < numC; ++i) {
      std::string n = std::to_string(i);
      body += "%d" + n + " = llvm.extractvalue %d[" + n + "] : " + result +
              "\n%e" + n + " = llvm.bitcast %d" + n + " : " + c +
              " to f32\n%j" + n + " = arith.constant " + n +
              " : index\nmemref.store %e" + n + ", %y[%t, %j" + n +
              "] : memref<32x4xf32>\n";
    }
    return makeModule("%x: memref<32x16xf32>, %y: memref<32x4xf32>", body, 1,
                      32);
  }

  void checkMma(const MmaCase &test, bool integers, uint64_t seed) {
    SCOPED_TRACE(std::string(test.element) + ", k = " + std::to_string(test.k));
    std::mt19937 random(seed);
    auto draw = [&] {
      return integers ? float(int(random() % 17) - 8)
                      : float(int(random() % 20001) - 10000) / 10000;
    };
    std::vector<std::vector<Element>> a(16), b(test.k);
    std::vector<std::vector<float>> d(16, std::vector<float>(8));
    for (auto &row : a)
      for (int k = 0; k < test.k; ++k)
        row.push_back(makeElement(test.element, draw()));
    for (auto &row : b)
      for (int j = 0; j < 8; ++j)
        row.push_back(makeElement(test.element, draw()));
    for (auto &row : d)
      for (float &value : row)
        value = test.half ? halfToFloat(floatToHalf(draw())) : draw();

    // The fragments as the PTX manual gives them: of element i of a lane's
    // fragment the row and the column.
    Array arguments[] = {makeArray({32, 16}, ElementType::F32),
                         makeArray({32, 4}, ElementType::F32)};
    bool wide = std::string(test.element) == "tf32";
    for (int lane = 0; lane < 32; ++lane) {
      int group = lane / 4, inGroup = lane % 4;
      auto set = [&](int first, int i, uint32_t bits) {
        int reg = first + (wide ? i : i / 2);
        uint32_t old = i % 2 ? getBits(arguments[0], lane * 16 + reg) : 0;
        setBits(arguments[0], lane * 16 + reg,
                wide         ? bits
                : i % 2 == 0 ? bits
                             : old | bits << 16);
      };
      for (int i = 0; i < test.k / 2; ++i) {
        int row, col;
        if (wide) {
          row = i % 2 == 0 ? group : group + 8;
          col = i < 2 ? inGroup : inGroup + 4;
        } else {
          row = i < 2 || (i >= 4 && i < 6) ? group : group + 8;
          col = inGroup * 2 + (i & 1) + (i >= 4 ? 8 : 0);
        }
        set(0, i, a[row][col].bits);
      }
      for (int i = 0; i < test.k / 4; ++i) {
        int row =
            wide ? inGroup + 4 * i : inGroup * 2 + (i & 1) + (i >= 2 ? 8 : 0);
        set(4, i, b[row][group].bits);
      }
      for (int i = 0; i < 4; ++i) {
        float value = d[i < 2 ? group : group + 8][inGroup * 2 + (i & 1)];
        if (!test.half)
          setBits(arguments[0], lane * 16 + 8 + i,
                  llvm::bit_cast<uint32_t>(value));
        else
          reinterpret_cast<uint16_t *>(
              arguments[0].bytes.data())[(lane * 16 + 8) * 2 + i] =
              floatToHalf(value);
      }
    }
    HostOptions options;
    options.seed = seed;
    ASSERT_EQ(run(getMmaModule(test), arguments, options), "");

    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 8; ++j)
        for (int k = 0; k < test.k; ++k)
          d[i][j] = static_cast<float>(d[i][j] +
                                       double{a[i][k].value} * b[k][j].value);
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < 4; ++i) {
        float want = d[lane / 4 + i / 2 * 8][lane % 4 * 2 + i % 2];
        float have;
        if (test.half) {
          want = halfToFloat(floatToHalf(want));
          have = halfToFloat(
              getBits(arguments[1], lane * 4 + i / 2) >> (i % 2 * 16) & 0xffff);
        } else {
          have = asFloat(getBits(arguments[1], lane * 4 + i));
        }
        ASSERT_EQ(have, want) << "lane " << lane << ", element " << i;
      }
  }
};

TEST_F(HostMatrixTest, MmaIsAMatrixProduct) {
  const MmaCase cases[] = {
      {"f16", 16, false}, {"f16", 8, false},   {"f16", 16, true},
      {"f16", 8, true},   {"bf16", 16, false}, {"bf16", 8, false},
      {"tf32", 8, false}, {"tf32", 4, false},
  };
  for (const MmaCase &test : cases)
    for (uint64_t seed : {0, 1})
      for (bool integers : {true, false})
        checkMma(test, integers, seed);
}

/// Each lane loads `count` matrices out of shared memory that holds the numbers
/// from 0 on, from the row that its number says.
std::string getLdMatrix(int count, bool transposed) {
  std::string result = "i32";
  if (count > 1) {
    result = "!llvm.struct<(i32";
    for (int i = 1; i < count; ++i)
      result += ", i32";
    result += ")>";
  }
  std::string body = R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %t = gpu.thread_id x
      %tile = memref.view %smem[%c0][] : memref<?xi8, SPACE> to memref<256xf16, SPACE>
      %first = arith.muli %t, %c8 : index
      %row = vector.load %x[%first] : memref<256xf16>, vector<8xf16>
      vector.store %row, %tile[%first] : memref<256xf16, SPACE>, vector<8xf16>
      gpu.barrier
      %base = memref.extract_aligned_pointer_as_index %tile : memref<256xf16, SPACE> -> index
      %base64 = arith.index_cast %base : index to i64
      %ptr = llvm.inttoptr %base64 : i64 to !llvm.ptr<3>
      %first64 = arith.index_cast %first : index to i64
      %at = llvm.getelementptr %ptr[%first64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f16
      %m = nvvm.ldmatrix %at {num = COUNT : i32, layout = #nvvm.mma_layout<LAYOUT>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> RESULT
)";
  auto replace = [&](const std::string &what, const std::string &with) {
    body.replace(body.find(what), what.size(), with);
  };
  replace("COUNT", std::to_string(count));
  replace("LAYOUT", transposed ? "col" : "row");
  replace("RESULT", result);
  for (int i = 0; i < count; ++i) {
    std::string n = std::to_string(i);
    if (count > 1)
      body +=
          "%m" + n + " = llvm.extractvalue %m[" + n + "] : " + result + "\n";
    body += "%f" + n + " = llvm.bitcast %m" + (count > 1 ? n : "") +
            " : i32 to f32\n%i" + n + " = arith.constant " + n +
            " : index\nmemref.store %f" + n + ", %y[%t, %i" + n +
            "] : memref<32x4xf32>\n";
  }
  return body;
}

TEST_F(HostMatrixTest, LdMatrix) {
  for (int count : {1, 2, 4})
    for (bool transposed : {false, true})
      for (uint64_t seed : {0, 4}) {
        Array arguments[] = {makeArray({256}, ElementType::F16),
                             makeArray({32, 4}, ElementType::F32)};
        for (int i = 0; i < 256; ++i)
          arguments[0].set(i, i);
        HostOptions options;
        options.seed = seed;
        ASSERT_EQ(run(makeModule("%x: memref<256xf16>, %y: memref<32x4xf32>",
                                 getLdMatrix(count, transposed), 1, 32, 512),
                      arguments, options),
                  "")
            << diagnostics;
        for (int lane = 0; lane < 32; ++lane)
          for (int matrix = 0; matrix < count; ++matrix)
            for (int e = 0; e < 2; ++e) {
              int i = lane / 4, j = lane % 4 * 2 + e;
              if (transposed)
                std::swap(i, j);
              uint32_t bits = getBits(arguments[1], lane * 4 + matrix);
              EXPECT_EQ(halfToFloat(bits >> 16 * e & 0xffff),
                        matrix * 64 + i * 8 + j);
            }
      }
}

TEST_F(HostMatrixTest, MatrixOpsNeedAWholeWarp) {
  Array arguments[] = {makeArray({256}, ElementType::F16),
                       makeArray({32, 4}, ElementType::F32)};
  EXPECT_THAT(run(makeModule("%x: memref<256xf16>, %y: memref<32x4xf32>",
                             getLdMatrix(4, false), 1, 16, 512),
                  arguments),
              testing::MatchesRegex(
                  "kernel 'k', block \\(0, 0, 0\\): nvvm.ldmatrix at .* "
                  "needs a warp of 32 threads, and thread .* is in one of 16"));
}

TEST_F(HostMatrixTest, LanesThatDontReachAMatrixOpAreADeadlock) {
  std::string body = R"(
      %t = gpu.thread_id x
      %c9 = arith.constant 9 : index
      %other = arith.cmpi ne, %t, %c9 : index
      scf.if %other {
        %z = llvm.mlir.constant(dense<0.0> : vector<2xf16>) : vector<2xf16>
        %f = llvm.mlir.constant(0.0 : f32) : f32
        %d = nvvm.mma.sync A[%z, %z] B[%z] C[%f, %f, %f, %f]
            {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
             shape = #nvvm.shape<m = 16, n = 8, k = 8>}
            : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      })";
  Array arguments[] = {makeArray({1}, ElementType::F32)};
  EXPECT_THAT(run(makeModule("%y: memref<1xf32>", body, 1, 32), arguments),
              testing::MatchesRegex("kernel 'k', block \\(0, 0, 0\\): "
                                    "deadlock: of 32 threads 1 have ended, "
                                    "threads 0-8, 10-31 wait at "
                                    "nvvm.mma.sync at .*:12:.*"));
}

TEST_F(HostMatrixTest, Redux) {
  // Of the numbers from -4 to 27.
  const std::pair<const char *, uint32_t> kinds[] = {
      {"add", 368},           {"max", 27}, {"min", uint32_t(-4)}, {"umin", 0},
      {"umax", uint32_t(-1)}, {"and", 0},  {"or", uint32_t(-1)},  {"xor", 0}};
  for (auto [kind, want] : kinds) {
    std::string body = R"(
      %t = gpu.thread_id x
      %t32 = arith.index_cast %t : index to i32
      %c4 = arith.constant 4 : i32
      %all = arith.constant -1 : i32
      %v = arith.subi %t32, %c4 : i32
      %r = nvvm.redux.sync KIND %v, %all : i32 -> i32
      %f = arith.bitcast %r : i32 to f32
      memref.store %f, %y[%t] : memref<32xf32>)";
    body.replace(body.find("KIND"), 4, kind);
    Array arguments[] = {makeArray({32}, ElementType::F32)};
    ASSERT_EQ(run(makeModule("%y: memref<32xf32>", body, 1, 32), arguments),
              "");
    for (int t = 0; t < 32; ++t)
      EXPECT_EQ(getBits(arguments[0], t), want) << kind;
  }
}

TEST_F(HostMatrixTest, Vote) {
  // Of lanes below a bound, for bounds of which none, some or all are below.
  for (auto [kind, bound, want] :
       {std::tuple("all", 31, 0), std::tuple("all", 32, 1),
        std::tuple("any", 0, 0), std::tuple("any", 1, 1)}) {
    std::string body = R"(
      %t = gpu.thread_id x
      %bound = arith.constant BOUND : index
      %all = arith.constant -1 : i32
      %v = arith.cmpi ult, %t, %bound : index
      %r = nvvm.vote.sync KIND %all, %v -> i1
      %f = arith.uitofp %r : i1 to f32
      memref.store %f, %y[%t] : memref<32xf32>)";
    body.replace(body.find("BOUND"), 5, std::to_string(bound));
    body.replace(body.find("KIND"), 4, kind);
    Array arguments[] = {makeArray({32}, ElementType::F32)};
    ASSERT_EQ(run(makeModule("%y: memref<32xf32>", body, 1, 32), arguments),
              "");
    for (int t = 0; t < 32; ++t)
      EXPECT_EQ(arguments[0].get(t), want) << kind << " " << bound;
  }
}

} // namespace
