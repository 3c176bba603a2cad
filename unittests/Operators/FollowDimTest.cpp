//===- FollowDimTest.cpp - Where operators hand a dimension on ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Operators/FollowDim.h"
#include "gtest/gtest.h"

using namespace mirage;

namespace {

struct Case {
  const char *op;
  Params params;
  llvm::SmallVector<Shape> operands;
  llvm::SmallVector<int64_t> dims;
  /// kNotFollowed: it can't be followed.
  int64_t expected;
};

constexpr int64_t kNone = kNotFollowed;

TEST(FollowDim, EveryKindOfOperator) {
  const std::vector<Case> cases = {
      {"exp", {}, {{6, 8}}, {0}, 0},
      // Broadcast operands are aligned at the last dimension.
      {"add", {}, {{3, 6, 8}, {6, 8}}, {1, 0}, 1},
      {"add", {}, {{6, 8}, {8}}, {0, kNone}, 0},
      {"add", {}, {{6, 8}, {6, 1}}, {0, 0}, 0},
      {"add", {}, {{6, 8}, {6, 1}}, {0, kNone}, kNone},
      {"add", {}, {{6, 8}, {1, 8}}, {0, kNone}, 0},
      {"add", {}, {{6, 6}, {6, 6}}, {0, 1}, kNone},
      {"matmul", {}, {{6, 8}, {8, 4}}, {0, kNone}, 0},
      {"matmul", {}, {{4, 8}, {8, 6}}, {kNone, 1}, 1},
      {"matmul", {}, {{4, 6}, {6, 8}}, {1, 0}, kNone},
      {"matmul", {}, {{4, 6}, {6, 8}}, {1, kNone}, kNone},
      // Rows of one, columns of the other.
      {"matmul", {}, {{6, 8}, {8, 6}}, {0, 1}, kNone},
      {"matmul", {}, {{6, 3, 8}, {6, 8, 4}}, {0, 0}, 0},
      {"matmul", {}, {{6, 3, 8}, {6, 8, 4}}, {0, kNone}, kNone},
      {"matmul", {}, {{6, 3, 8}, {1, 8, 4}}, {0, kNone}, 0},
      {"sum", {1}, {{6, 8}}, {0}, 0},
      {"sum", {0}, {{6, 8}}, {0}, kNone},
      // Of groups, which no loops describe.
      {"sum", {1, 4}, {{6, 8}}, {0}, kNone},
      {"reduce_max", {1}, {{6, 8}}, {0}, 0},
      {"reduce_max", {0}, {{6, 8}}, {0}, kNone},
      {"transpose", {1, 0, 2}, {{6, 3, 8}}, {0}, 1},
      {"reshape", {6, 1, 8}, {{6, 8}}, {0}, 0},
      {"reshape", {1, 6, 8}, {{6, 8}}, {0}, 1},
      {"reshape", {6, 8}, {{1, 6, 1, 8}}, {1}, 0},
      {"reshape", {6, 2, 4}, {{6, 8}}, {0}, 0},
      {"reshape", {48}, {{6, 8}}, {0}, kNone},
      {"reshape", {8, 6}, {{6, 8}}, {0}, kNone},
      // As many elements, but not the same ones.
      {"reshape", {2, 6, 8}, {{4, 6, 4}}, {1}, kNone},
      {"slice", {1, 2, 4}, {{6, 8}}, {0}, 0},
      {"slice", {0, 0, 4}, {{6, 8}}, {0}, kNone},
      {"concat", {1}, {{6, 8}, {6, 2}}, {0, 0}, 0},
      {"concat", {1}, {{6, 8}, {6, 2}}, {0, kNone}, kNone},
      {"concat", {0}, {{6, 8}, {3, 8}}, {0, kNone}, kNone},
      {"repeat", {0, 2}, {{6, 8}}, {0}, kNone},
      {"broadcast", {6, 8}, {{6, 1}}, {0}, 0},
      {"broadcast", {3, 6, 8}, {{6, 8}}, {0}, 1},
  };
  for (const auto &[i, one] : llvm::enumerate(cases)) {
    Shape result;
    ASSERT_TRUE(
        getOperator(one.op).inferShape(one.operands, one.params, result))
        << i << ": " << one.op;
    EXPECT_EQ(followDim(getOperator(one.op), one.params, one.operands, one.dims)
                  .value_or(kNotFollowed),
              one.expected)
        << i << ": " << one.op;
  }
}

} // namespace
