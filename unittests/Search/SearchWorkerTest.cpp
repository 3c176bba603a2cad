//===- SearchWorkerTest.cpp - What a thread knows of a program ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchWorker.h"
#include "SearchFixture.h"

using namespace mirage;

namespace {

/// Of x, y, z and w, each [16, 64]: (x - y) z + w, and the product of that and
/// of x + w.
class SearchWorkerTest : public SearchFixture {
protected:
  void makeWorker() {
    KernelGraph reference = parse(R"(
func.func @f(%x: tensor<16x64xf32>, %y: tensor<16x64xf32>, %z: tensor<16x64xf32>, %w: tensor<16x64xf32>) -> (tensor<16x64xf32>, tensor<16x64xf32>) {
  %d = mirage_kernel.sub %x, %y : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %m = mirage_kernel.mul %d, %z : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %a = mirage_kernel.add %m, %w : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %s = mirage_kernel.add %x, %w : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %p = mirage_kernel.mul %a, %s : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  return %a, %p : tensor<16x64xf32>, tensor<16x64xf32>
})");
    program = llvm::cantFail(makeSearchProgram(reference, options, stop));
    worker.emplace(*program, options);
    for (auto [expr, input] : llvm::zip(inputs, program->inputs))
      expr = worker->exprs.get(*input);
  }

  bool hasOperator(llvm::StringRef name) const {
    return llvm::any_of(worker->operators, [&](auto &ofArity) {
      return llvm::any_of(ofArity,
                          [&](auto &one) { return one.op->getName() == name; });
    });
  }

  /// The names of the operators that make something of two operands, with a
  /// tilde where the second comes first.
  std::vector<std::string> applyAll(Expr x, Expr y) {
    std::vector<std::string> names;
    for (const auto &[op, swapped, expr] : worker->applyAll(x, y))
      names.push_back(worker->operators[1][op].op->getName().str() +
                      (swapped ? "~" : ""));
    llvm::sort(names);
    return names;
  }

  std::atomic<bool> stop{false};
  std::unique_ptr<SearchProgram> program;
  std::optional<SearchWorker> worker;
  std::array<Expr, 4> inputs;
};

TEST_F(SearchWorkerTest, ListsOperatorsOfFunctionsThatTheProgramHas) {
  makeWorker();
  EXPECT_TRUE(hasOperator("mul"));
  EXPECT_TRUE(hasOperator("neg"));
  EXPECT_FALSE(hasOperator("rsqrt"));
  EXPECT_FALSE(hasOperator("min"));
}

// Without the laws of abstract expressions nothing is known to be of no use.
TEST_F(SearchWorkerTest, ListsAllOperatorsWithoutAnOracle) {
  options.oracle = OracleKind::None;
  makeWorker();
  EXPECT_TRUE(hasOperator("exp"));
  EXPECT_TRUE(hasOperator("rsqrt"));
  EXPECT_GT(applyAll(inputs[0], inputs[1]).size(), 3u);
}

TEST_F(SearchWorkerTest, AppliesWhatMakesAPartOfTheProgram) {
  makeWorker();
  auto [x, y, z, w] = inputs;
  using Names = std::vector<std::string>;
  for (int again = 0; again < 2; ++again) {
    // Products of tiles may be matrices'.
    EXPECT_EQ(applyAll(x, y), (Names{"matmul", "matmul~", "mul", "sub"}));
    EXPECT_EQ(applyAll(y, x), (Names{"matmul", "matmul~", "mul", "sub~"}));
    EXPECT_EQ(applyAll(x, w), (Names{"add", "matmul", "matmul~", "mul"}));
    EXPECT_EQ(applyAll(z, z), Names());
  }
  OracleStatistics asked = worker->takeStatistics();
  EXPECT_GT(asked.queries, 0);
  EXPECT_EQ(worker->takeStatistics().queries, 0);
}

// What is subtracted is not negated, and products of two sums are not expanded.
TEST_F(SearchWorkerTest, KnowsThePartialSumsOfTheProgram) {
  makeWorker();
  auto [x, y, z, w] = inputs;
  ExprContext &exprs = worker->context;
  EXPECT_TRUE(worker->hasAllSums);
  for (Expr sum : {x, y, w, exprs.mul(x, z), exprs.mul(y, z), exprs.add(x, w),
                   exprs.add(exprs.mul(x, z), w)})
    EXPECT_TRUE(llvm::is_contained(worker->sums, sum)) << exprs.print(sum);
  for (Expr sum : {exprs.mul(exprs.constant(-1), y), exprs.mul(x, w),
                   exprs.mul(exprs.mul(x, z), x)})
    EXPECT_FALSE(llvm::is_contained(worker->sums, sum)) << exprs.print(sum);
}

} // namespace
