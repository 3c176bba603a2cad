//===- TensorTest.cpp - Moving elements about ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Numbers/FiniteField.h"
#include "Mirage/Numbers/RealNumbers.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace mirage;

namespace {

/// The tensor of 0, 1, 2, ...
Tensor makeCount(llvm::ArrayRef<int64_t> shape) {
  Tensor tensor = RealNumbers().zeros(shape);
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    tensor.planes[0].as<double>()[i] = i;
  return tensor;
}

std::vector<double> getValues(const Tensor &tensor) {
  const double *values = tensor.planes[0].as<double>();
  return std::vector<double>(values, values + tensor.getNumElements());
}

TEST(TensorTest, ExtractSlice) {
  Tensor part = extractSlice(makeCount({3, 4, 5}), {1, 2, 3}, {2, 1, 2});
  EXPECT_EQ(part.shape, Shape({2, 1, 2}));
  EXPECT_EQ(getValues(part), (std::vector<double>{33, 34, 53, 54}));
  Tensor scalar = extractSlice(makeCount({}), {}, {});
  EXPECT_EQ(getValues(scalar), std::vector<double>{0});
}

/// Parts with all, some or none of each dimension have the elements that their
/// indices say, however many of these are next to each other.
TEST(TensorTest, ExtractSliceOfAnyPart) {
  std::mt19937 random(1);
  auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  for (int trial = 0; trial < 500; ++trial) {
    Shape whole, offsets, part;
    for (int64_t d = 0, rank = draw(0, 4); d < rank; ++d) {
      whole.push_back(draw(1, 3));
      const bool isAll = draw(0, 1);
      part.push_back(isAll ? whole[d] : draw(0, whole[d]));
      offsets.push_back(isAll ? 0 : draw(0, whole[d] - part[d]));
    }
    std::vector<double> expected;
    for (int64_t i = 0, e = getNumElements(part); i < e; ++i) {
      int64_t rest = i, index = 0, stride = 1;
      for (size_t d = whole.size(); d-- > 0;) {
        index += (offsets[d] + rest % part[d]) * stride;
        rest /= part[d];
        stride *= whole[d];
      }
      expected.push_back(index);
    }
    const Tensor slice = extractSlice(makeCount(whole), offsets, part);
    EXPECT_EQ(getValues(slice), expected) << "trial " << trial;
    Tensor copy = RealNumbers().zeros(whole);
    insertSlice(slice, copy, offsets);
    EXPECT_EQ(getValues(extractSlice(copy, offsets, part)), expected)
        << "trial " << trial;
  }
}

TEST(TensorTest, InsertSliceIsTheOpposite) {
  Tensor whole = makeCount({4, 6}), copy = RealNumbers().zeros({4, 6});
  whole.undefined.assign(24, 0);
  whole.undefined[3 * 6 + 5] = 1;
  for (int64_t i = 0; i < 4; i += 2)
    for (int64_t j = 0; j < 6; j += 3)
      insertSlice(extractSlice(whole, {i, j}, {2, 3}), copy, {i, j});
  EXPECT_EQ(getValues(copy), getValues(whole));
  EXPECT_EQ(copy.undefined, whole.undefined);
}

TEST(TensorTest, InsertSliceOverwritesUndefinedElements) {
  // A part that is defined makes its place defined.
  Tensor target = makeCount({4});
  target.undefined.assign(4, 1);
  insertSlice(makeCount({2}), target, {1});
  EXPECT_EQ(target.undefined, (std::vector<uint8_t>{1, 0, 0, 1}));
}

TEST(TensorTest, InsertSliceDropsComponentsThatThePartLost) {
  FiniteField field(/*withExponents=*/true);
  Tensor target = field.zeros({4});
  insertSlice(field.exp(field.random({2}, 1, 0)), target, {2});
  EXPECT_EQ(target.planes.size(), 1u);
}

TEST(TensorTest, Transpose) {
  Tensor matrix = makeCount({2, 3});
  matrix.undefined = {0, 1, 0, 0, 0, 1};
  Tensor transposed = transpose(matrix, {1, 0});
  EXPECT_EQ(transposed.shape, (Shape{3, 2}));
  EXPECT_EQ(getValues(transposed), (std::vector<double>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(transposed.undefined, (std::vector<uint8_t>{0, 0, 1, 0, 0, 1}));
  // Dimension d of the result is dimension permutation[d].
  Tensor rotated = transpose(makeCount({2, 1, 3}), {2, 0, 1});
  EXPECT_EQ(rotated.shape, (Shape{3, 2, 1}));
  EXPECT_EQ(getValues(rotated), (std::vector<double>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(getValues(transpose(makeCount({}), {})), (std::vector<double>{0}));
  // Elements of any size.
  for (unsigned bytes : {1u, 2u, 4u, 12u, 16u}) {
    Tensor tensor;
    tensor.shape = {2, 2};
    tensor.planes.emplace_back(bytes, 4);
    for (unsigned i = 0; i < 4 * bytes; ++i)
      tensor.planes[0].bytes[i] = i;
    std::vector<uint8_t> swapped = tensor.planes[0].bytes;
    std::swap_ranges(swapped.begin() + bytes, swapped.begin() + 2 * bytes,
                     swapped.begin() + 2 * bytes);
    EXPECT_EQ(transpose(tensor, {1, 0}).planes[0].bytes, swapped) << bytes;
  }
}

TEST(TensorTest, Broadcast) {
  Tensor column = makeCount({2, 1});
  column.undefined = {0, 1};
  Tensor wide = broadcast(column, {2, 2, 3});
  EXPECT_EQ(getValues(wide),
            (std::vector<double>{0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(wide.undefined,
            (std::vector<uint8_t>{0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(getValues(broadcast(makeCount({3}), {2, 3})),
            (std::vector<double>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(getValues(broadcast(makeCount({}), {1, 2})),
            (std::vector<double>{0, 0}));
}

TEST(TensorTest, BroadcastShapes) {
  Shape result;
  EXPECT_TRUE(broadcastShapes({4, 1}, {3}, result));
  EXPECT_EQ(result, Shape({4, 3}));
  EXPECT_TRUE(broadcastShapes({}, {2, 5}, result));
  EXPECT_EQ(result, Shape({2, 5}));
  EXPECT_TRUE(broadcastShapes({1}, {1}, result));
  EXPECT_EQ(result, Shape({1}));
  EXPECT_FALSE(broadcastShapes({4, 2}, {3}, result));
  EXPECT_FALSE(broadcastShapes({3, 1}, {2, 2}, result));
}

TEST(RealNumbersTest, ComparesUpToTheTolerance) {
  RealNumbers numbers(1e-6);
  Tensor a = makeCount({3}), b = a;
  b.planes[0].as<double>()[2] += 1e-7;
  EXPECT_EQ(numbers.findDifference(a, b), std::nullopt);
  b.planes[0].as<double>()[1] += 1e-3;
  EXPECT_EQ(numbers.findDifference(a, b), 1);
  b.planes[0].as<double>()[0] = NAN;
  EXPECT_EQ(numbers.findDifference(a, b), 0);
  a.planes[0].as<double>()[0] = NAN;
  EXPECT_EQ(numbers.findDifference(a, b), 1);
  a.planes[0].as<double>()[1] = b.planes[0].as<double>()[1] = INFINITY;
  EXPECT_EQ(numbers.findDifference(a, b), std::nullopt);
}

TEST(RealNumbersTest, MatmulAndSum) {
  RealNumbers numbers;
  Tensor product = numbers.matmul(makeCount({2, 2, 3}), makeCount({2, 3, 1}));
  EXPECT_EQ(product.shape, Shape({2, 2, 1}));
  EXPECT_EQ(getValues(product), (std::vector<double>{5, 14, 86, 122}));
  EXPECT_EQ(getValues(numbers.sum(makeCount({2, 3}), 0)),
            (std::vector<double>{3, 5, 7}));
  EXPECT_EQ(getValues(numbers.sum(makeCount({2, 3}), 1)),
            (std::vector<double>{3, 12}));
}

} // namespace
