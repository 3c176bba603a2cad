//===- VerifyTest.h - Programs for tests ------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_VERIFY_VERIFYTEST_H
#define MIRAGE_UNITTESTS_VERIFY_VERIFYTEST_H

#include "Mirage/Verify/RandomTest.h"
#include "gtest/gtest.h"
#include <functional>

namespace mirage {

/// Builds kernel graphs, one operator at a time.
class Program {
public:
  explicit Program(llvm::ArrayRef<Shape> inputs) {
    graph.numInputs = inputs.size();
    for (const Shape &shape : inputs)
      graph.tensors.push_back({shape, {}});
  }

  unsigned constant(double value) {
    KernelNode node;
    node.kind = KernelNode::Kind::Constant;
    node.constant = value;
    return append(std::move(node), {});
  }
  unsigned apply(llvm::StringRef name, llvm::ArrayRef<unsigned> operands,
                 Params params = {}) {
    KernelNode node;
    node.op = &getOperator(name);
    node.params = params;
    node.operands.assign(operands.begin(), operands.end());
    llvm::SmallVector<Shape> shapes;
    for (unsigned operand : operands)
      shapes.push_back(graph.tensors[operand].shape);
    Shape shape;
    std::string error;
    EXPECT_TRUE(node.op->inferShape(shapes, params, shape, &error)) << error;
    return append(std::move(node), shape);
  }
  KernelGraph finish(llvm::ArrayRef<unsigned> outputs) {
    graph.outputs.assign(outputs.begin(), outputs.end());
    return graph;
  }

private:
  unsigned append(KernelNode node, Shape shape) {
    node.results.push_back(graph.tensors.size());
    graph.tensors.push_back({shape, {}});
    graph.nodes.push_back(std::move(node));
    return graph.nodes.back().results[0];
  }

  KernelGraph graph;
};

/// The program of one output that `build` makes.
inline KernelGraph makeProgram(llvm::ArrayRef<Shape> inputs,
                               std::function<unsigned(Program &)> build) {
  Program program(inputs);
  unsigned output = build(program);
  return program.finish(output);
}

inline RandomTestResult compare(const KernelGraph &reference,
                                const KernelGraph &candidate,
                                RandomTestOptions options = {}) {
  return RandomTester(reference, options).test(candidate);
}

} // namespace mirage

#endif // MIRAGE_UNITTESTS_VERIFY_VERIFYTEST_H
