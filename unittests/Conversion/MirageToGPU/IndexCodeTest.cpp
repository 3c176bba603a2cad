//===- IndexCodeTest.cpp - Sums and products of indices -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"
#include <random>

using namespace mirage;
using namespace mlir;

namespace {

class IndexCodeTest : public testing::Test {
protected:
  IndexCodeTest() : loc(UnknownLoc::get(&context)), builder(&context) {
    context.loadDialect<arith::ArithDialect>();
    module = ModuleOp::create(loc);
    Block *block = module->getBody();
    for (Value &variable : variables)
      variable = block->addArgument(builder.getIndexType(), loc);
    builder.setInsertionPointToEnd(block);
  }

  /// What code computes when the variables are these numbers.
  static int64_t run(Value value, ArrayRef<int64_t> numbers) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return numbers[argument.getArgNumber()];
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return *constant;
    Operation *op = value.getDefiningOp();
    int64_t a = run(op->getOperand(0), numbers),
            b = run(op->getOperand(1), numbers);
    if (isa<arith::AddIOp>(op))
      return a + b;
    if (isa<arith::MulIOp>(op))
      return a * b;
    // They are of numbers without a sign.
    EXPECT_GE(a, 0);
    return isa<arith::DivUIOp>(op) ? a / b : a % b;
  }

  /// The operations that a value is made of, each once.
  static void collect(Value value, SetVector<Operation *> &ops) {
    Operation *op = value.getDefiningOp();
    if (!op || isa<arith::ConstantOp>(op) || !ops.insert(op))
      return;
    for (Value operand : op->getOperands())
      collect(operand, ops);
  }

  MLIRContext context;
  Location loc;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  Value variables[3];
};

TEST_F(IndexCodeTest, ConstantsComeLast) {
  Value i = variables[0], j = variables[1];
  Value a = addIndices(builder, loc, i, 5);
  Value sum = addIndices(builder, loc, multiplyIndex(builder, loc, a, 12),
                         addIndices(builder, loc, j, 7));
  auto [rest, constant] = splitConstant(sum);
  EXPECT_EQ(constant, 67);
  EXPECT_EQ(splitConstant(rest).second, 0);
  // Those that differ by a constant are the same number and a constant.
  auto [first, ofFirst] = splitConstant(
      multiplyIndex(builder, loc, addIndices(builder, loc, i, 3), 4));
  EXPECT_EQ(ofFirst, 12);
  EXPECT_EQ(first.getDefiningOp()->getOperand(0), i);
  // 12 i + 24 + j by 6: 2 i + 4 + j / 6.
  Value dividend = addIndices(builder, loc, multiplyIndex(builder, loc, i, 12),
                              addIndices(builder, loc, j, 24));
  Value quotient = divideIndex(builder, loc, dividend, 6);
  EXPECT_EQ(splitConstant(quotient).second, 4);
  Value remainder = getIndexRemainder(builder, loc, dividend, 6);
  EXPECT_EQ(remainder.getDefiningOp<arith::RemUIOp>().getLhs(), j);
}

TEST_F(IndexCodeTest, NumbersAreJoined) {
  // A number taken apart by rows of 25, in rows of 4 * 25.
  for (int64_t constant : {0, 3, 50, 131}) {
    Value i = addIndices(builder, loc, variables[0], constant);
    Value row = multiplyIndex(builder, loc, divideIndex(builder, loc, i, 25),
                              100),
          column = multiplyIndex(builder, loc,
                                 getIndexRemainder(builder, loc, i, 25), 4);
    for (Value whole : {addIndices(builder, loc, row, column),
                        addIndices(builder, loc, column, row)}) {
      auto [product, added] = splitConstant(whole);
      EXPECT_EQ(added, 4 * constant);
      EXPECT_EQ(product.getDefiningOp<arith::MulIOp>().getLhs(), variables[0]);
    }
    // In longer rows it stays apart.
    Value longer =
        multiplyIndex(builder, loc, divideIndex(builder, loc, i, 25), 104);
    SetVector<Operation *> ops;
    collect(addIndices(builder, loc, longer, column), ops);
    EXPECT_TRUE(llvm::any_of(ops, llvm::IsaPred<arith::RemUIOp>));
  }
}

/// Random code is what it says.
TEST_F(IndexCodeTest, Random) {
  std::mt19937 random(1);
  auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  for (int program = 0; program < 500; ++program) {
    std::vector<Value> values(std::begin(variables), std::end(variables));
    // What each value is of the numbers, per set of these.
    constexpr int kSets = 4;
    std::vector<std::array<int64_t, kSets>> expected;
    std::array<std::array<int64_t, 3>, kSets> numbers;
    for (auto &set : numbers)
      for (int64_t &number : set)
        number = draw(0, 2000);
    for (int v = 0; v < 3; ++v) {
      expected.emplace_back();
      for (int s = 0; s < kSets; ++s)
        expected.back()[s] = numbers[s][v];
    }
    values.push_back(makeIndex(builder, loc, 17));
    expected.push_back({17, 17, 17, 17});
    for (int step = 0; step < 12; ++step) {
      size_t a = draw(0, values.size() - 1), b = draw(0, values.size() - 1);
      int64_t number = draw(0, 3) ? draw(1, 16) : 4 * draw(1, 33);
      std::array<int64_t, kSets> result;
      auto set = [&](llvm::function_ref<int64_t(int64_t, int64_t)> compute) {
        for (int s = 0; s < kSets; ++s)
          result[s] = compute(expected[a][s], expected[b][s]);
      };
      Value value;
      switch (draw(0, 5)) {
      case 0:
        value = addIndices(builder, loc, values[a], values[b]);
        set([](int64_t x, int64_t y) { return x + y; });
        break;
      case 1:
        // Negative constants, too, of what is large enough.
        if (draw(0, 1))
          number = -std::min(number, *std::min_element(expected[a].begin(),
                                                       expected[a].end()));
        value = addIndices(builder, loc, values[a], number);
        set([&](int64_t x, int64_t) { return x + number; });
        break;
      case 2:
        value = multiplyIndex(builder, loc, values[a], number);
        set([&](int64_t x, int64_t) { return x * number; });
        break;
      case 3:
        value = divideIndex(builder, loc, values[a], number);
        set([&](int64_t x, int64_t) { return x / number; });
        break;
      case 4: {
        const int64_t factor = draw(1, 4);
        auto part = [&](Value one, int64_t times) {
          return multiplyIndex(builder, loc, one, times);
        };
        value = addIndices(
            builder, loc,
            part(divideIndex(builder, loc, values[a], number), number * factor),
            part(getIndexRemainder(builder, loc, values[a], number), factor));
        set([&](int64_t x, int64_t) { return x * factor; });
        break;
      }
      default:
        value = getIndexRemainder(builder, loc, values[a], number);
        set([&](int64_t x, int64_t) { return x % number; });
        break;
      }
      // Or else products of products overflow.
      if (llvm::any_of(result, [](int64_t x) { return x > 1 << 30; }))
        continue;
      values.push_back(value);
      expected.push_back(result);
      number = std::max<int64_t>(std::abs(number), 1);
      auto [quotient, rest] = splitMultiple(builder, loc, value, number);
      for (int s = 0; s < kSets; ++s) {
        EXPECT_EQ(run(value, numbers[s]), result[s]);
        EXPECT_EQ(run(quotient, numbers[s]) * number + run(rest, numbers[s]),
                  result[s]);
      }
    }
  }
}

} // namespace
