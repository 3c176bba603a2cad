//===- IndexedTensorsTest.cpp - Indexed expressions of tensors ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexedTensors.h"
#include "SearchFixture.h"

using namespace mirage;
using llvm::ArrayRef;

namespace {

/// Of x, y [m, n] and z [n, n]: the sum of x over n, y times it, and the
/// product of x and z.
class IndexedTensorsTest : public SearchFixture {
protected:
  IndexedTensorsTest() {
    KernelGraph reference = parse(R"(
func.func @f(%x: tensor<16x64xf32>, %y: tensor<16x64xf32>, %z: tensor<64x64xf32>) -> tensor<16x64xf32> {
  %s = mirage_kernel.sum %x dim 1 : (tensor<16x64xf32>) -> tensor<16x1xf32>
  %m = mirage_kernel.mul %y, %s : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
  %p = mirage_kernel.matmul %x, %z : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
  %a = mirage_kernel.add %m, %p : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %r = mirage_kernel.sub %a, %x : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  return %r : tensor<16x64xf32>
})");
    program = llvm::cantFail(makeSearchProgram(reference, options, stop));
    const Shape &label = program->inputs[0]->label;
    m = program->roles.getRole(label[0]);
    n = program->roles.getRole(label[1]);
    x = exprs.variable("in0", {{m, 0}, {n, 0}});
    y = exprs.variable("in1", {{m, 0}, {n, 0}});
  }

  const SearchTensor &getResult(llvm::StringRef op) {
    for (const auto &[candidate, result] : program->results)
      if (candidate->getName() == op)
        return *result;
    llvm_unreachable("no such operator");
  }

  /// What an operator makes of tiles, of which those of role n are parts.
  IndexedExpr apply(IndexedTensors &tensors, llvm::StringRef op,
                    const Params &params, ArrayRef<Shape> labels,
                    ArrayRef<IndexedExpr> operands) {
    return tensors.get(
        *lookupOperator(op), params, labels, operands,
        [&](int64_t label) { return program->roles.getRole(label) == n; });
  }

  std::atomic<bool> stop{false};
  std::unique_ptr<SearchProgram> program;
  IndexedExprContext exprs;
  uint16_t m = 0, n = 0;
  IndexedExpr x = 0, y = 0;
};

TEST_F(IndexedTensorsTest, HaveAnIndexForEachDimension) {
  ASSERT_NE(m, n);
  IndexedTensors tensors(exprs, *program);
  EXPECT_EQ(tensors.get(*program->inputs[0]), x);
  EXPECT_EQ(tensors.get(getResult("sum")), exprs.sum(x, {{n, 0}}));
  IndexedExpr scaled = exprs.mul(y, exprs.sum(x, {{n, 0}}));
  EXPECT_EQ(tensors.get(getResult("mul")), scaled);
  // z has two of one role, of which the second is the product's.
  IndexedExpr row = exprs.variable("in0", {{m, 0}, {n, 1}});
  IndexedExpr z = exprs.variable("in2", {{n, 1}, {n, 0}});
  IndexedExpr product = exprs.sum(exprs.mul(row, z), {{n, 1}});
  EXPECT_EQ(
      tensors.get(*program->outputs[0]),
      exprs.add(exprs.add(scaled, product), exprs.mul(exprs.constant(-1), x)));
}

/// Dimensions of size 1 have no index; of others that are merged nothing is
/// known.
TEST_F(IndexedTensorsTest, ReshapesThatAddDimensionsChangeNothing) {
  IndexedTensors tensors(exprs, *program);
  const Shape label = program->inputs[0]->label;
  EXPECT_EQ(apply(tensors, "reshape", {label[0], 1, label[1]}, {label}, {x}),
            x);
  EXPECT_EQ(apply(tensors, "reshape", {label[0], label[1]},
                  {{label[0], 1, label[1]}}, {x}),
            x);
  EXPECT_EQ(apply(tensors, "reshape", {label[0] * label[1]}, {label}, {x}), 0u);
}

TEST_F(IndexedTensorsTest, WholeTensorsHaveTheirValues) {
  IndexedTensors tensors(exprs, *program);
  const SearchTensor &output = *program->outputs[0];
  const Tensor *whole = tensors.getWhole(tensors.get(output), output.label);
  ASSERT_TRUE(whole);
  EXPECT_EQ(hashContent(*whole), hashContent(output.value));
}

TEST_F(IndexedTensorsTest, AccumulatorsCompletePartialSums) {
  IndexedTensors tensors(exprs, *program);
  const Shape tile = program->inputs[0]->label;
  const Shape sum = {tile[0], 1};
  IndexedExpr part =
      apply(tensors, "sum", {1}, {tile}, {tensors.get(*program->inputs[0])});
  EXPECT_NE(part, exprs.sum(x, {{n, 0}}));
  // No graph without a loop came up before.
  EXPECT_EQ(tensors.getWhole(exprs.sum(x, {{n, 0}}), sum), nullptr);
  tensors.noteWhole(part, *lookupOperator("sum"), {1}, {tile},
                    {tensors.get(*program->inputs[0])});
  EXPECT_EQ(tensors.getAccumulated(part, sum, n), exprs.sum(x, {{n, 0}}));
  const Tensor *whole = tensors.getWhole(exprs.sum(x, {{n, 0}}), sum);
  ASSERT_TRUE(whole);
  Tensor expected = lookupOperator("sum")->evaluate(
      *program->field, {&program->inputs[0]->value}, {1});
  EXPECT_EQ(hashContent(*whole), hashContent(expected));
}

TEST_F(IndexedTensorsTest, OfPartialSumsThereAreProductsOnly) {
  IndexedTensors tensors(exprs, *program);
  const Shape tile = program->inputs[0]->label;
  const Shape sum = {tile[0], 1};
  IndexedExpr in = tensors.get(*program->inputs[0]);
  IndexedExpr part = apply(tensors, "sum", {1}, {tile}, {in});
  IndexedExpr twice =
      apply(tensors, "mul", {}, {Shape(), sum}, {tensors.getConstant(2), part});
  EXPECT_EQ(tensors.getAccumulated(twice, sum, n),
            exprs.mul(exprs.constant(2), exprs.sum(x, {{n, 0}})));
  IndexedExpr root = apply(tensors, "sqrt", {}, {sum}, {part});
  EXPECT_EQ(tensors.getAccumulated(root, sum, n), std::nullopt);
  // What is no sum yet would be added up without its other factors.
  EXPECT_EQ(tensors.getAccumulated(in, tile, n), std::nullopt);
}

} // namespace
