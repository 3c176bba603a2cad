//===- CanonicalProgramTest.cpp - Equal programs, one text ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Mugraph/CanonicalProgram.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Operators/Custom.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>

using namespace mirage;
using testing::HasSubstr;

namespace {

class CanonicalProgramTest : public testing::Test {
protected:
  CanonicalProgramTest() {
    context.loadDialect<MirageDialect, kernel::KernelDialect,
                        block::BlockDialect, mlir::func::FuncDialect>();
    f32 = mlir::Float32Type::get(&context);
  }

  KernelGraph parse(llvm::StringRef text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return *importKernelGraph(*module->getOps<mlir::func::FuncOp>().begin());
  }
  /// The text of a function on %x, %y and %w.
  std::string getText(llvm::StringRef body, llvm::StringRef results = "%z") {
    std::string types = "tensor<4x4xf16>";
    for (size_t i = 0; i < results.count(','); ++i)
      types += ", tensor<4x4xf16>";
    return getCanonicalText(parse(
        ("func.func @f(%x: tensor<4x4xf16>, %y: tensor<4x4xf16>, %w: "
         "tensor<4x4xf16>) -> (" +
         types + ") {\n" + body + "\nreturn " + results + " : " + types + "\n}")
            .str()));
  }

  /// A graph of 4x4 tensors to which operators are added.
  KernelGraph makeInputs(unsigned count) {
    KernelGraph graph;
    graph.numInputs = count;
    graph.tensors.assign(count, {Shape{4, 4}, f32});
    return graph;
  }
  unsigned add(KernelGraph &graph, llvm::StringRef op,
               llvm::ArrayRef<unsigned> operands, Params params = {}) {
    KernelNode node;
    node.op = &getOperator(op);
    node.params = std::move(params);
    node.operands.assign(operands.begin(), operands.end());
    return add(graph, std::move(node));
  }
  unsigned addConstant(KernelGraph &graph, double value) {
    KernelNode node;
    node.kind = KernelNode::Kind::Constant;
    node.constant = value;
    return add(graph, std::move(node));
  }
  unsigned add(KernelGraph &graph, KernelNode node) {
    unsigned tensor = graph.tensors.size();
    node.results = {tensor};
    graph.tensors.push_back({Shape{4, 4}, f32});
    graph.nodes.push_back(std::move(node));
    return tensor;
  }

  mlir::MLIRContext context;
  mlir::Type f32;
};

constexpr const char *kMul =
    "%a = mirage_kernel.mul %x, %y : (tensor<4x4xf16>, tensor<4x4xf16>) -> "
    "tensor<4x4xf16>\n";
constexpr const char *kExp =
    "%b = mirage_kernel.exp %w : (tensor<4x4xf16>) -> tensor<4x4xf16>\n";
constexpr const char *kAdd =
    "%z = mirage_kernel.add %a, %b : (tensor<4x4xf16>, tensor<4x4xf16>) -> "
    "tensor<4x4xf16>\n";

TEST_F(CanonicalProgramTest, Text) {
  std::string text = getText(R"(
    %c = mirage.constant 2.0 : tensor<f16>
    %a = mirage_kernel.mul %c, %y : (tensor<f16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    %b = mirage_kernel.exp %x : (tensor<4x4xf16>) -> tensor<4x4xf16>
    %z = mirage_kernel.add %a, %b : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>)");
  EXPECT_EQ("\n" + text, R"(
%0 = input 0 : 4x4 f16
%1 = input 1 : 4x4 f16
%2 = input 2 : 4x4 f16
%3 = constant 0x4000000000000000 : scalar f16
%4 = exp (%0) : 4x4 f16
%5 = mul (%1, %3) : 4x4 f16
%6 = add (%4, %5) : 4x4 f16
output %6
)");
}

TEST_F(CanonicalProgramTest, OrderNamesAndDeadNodesDontMatter) {
  std::string text = getText(std::string(kMul) + kExp + kAdd);
  EXPECT_EQ(text, getText(std::string(kExp) + kMul + kAdd));
  EXPECT_EQ(text, getText(std::string(kMul) +
                          "%dead = mirage_kernel.exp %a : (tensor<4x4xf16>) -> "
                          "tensor<4x4xf16>\n" +
                          kExp + kAdd));
  std::string renamed = "func.func @g(%p: tensor<4x4xf16>, %q: "
                        "tensor<4x4xf16>, %r: tensor<4x4xf16>) -> "
                        "tensor<4x4xf16> {\n"
                        "%0 = mirage_kernel.exp %r : (tensor<4x4xf16>) -> "
                        "tensor<4x4xf16>\n"
                        "%1 = mirage_kernel.mul %p, %q : (tensor<4x4xf16>, "
                        "tensor<4x4xf16>) -> tensor<4x4xf16>\n"
                        "%2 = mirage_kernel.add %1, %0 : (tensor<4x4xf16>, "
                        "tensor<4x4xf16>) -> tensor<4x4xf16>\n"
                        "return %2 : tensor<4x4xf16>\n}";
  EXPECT_EQ(text, getCanonicalText(parse(renamed)));
}

TEST_F(CanonicalProgramTest, OrderOfCommutativeOperandsDoesntMatter) {
  for (auto [op, isCommutative] : {std::pair<const char *, bool>{"add", true},
                                   {"mul", true},
                                   {"max", true},
                                   {"min", true},
                                   {"sub", false},
                                   {"div", false},
                                   {"matmul", false}}) {
    KernelGraph first = makeInputs(2), second = makeInputs(2);
    first.outputs = {add(first, op, {0, 1})};
    second.outputs = {add(second, op, {1, 0})};
    EXPECT_EQ(getCanonicalText(first) == getCanonicalText(second),
              isCommutative)
        << op;
  }
}

TEST_F(CanonicalProgramTest, SignatureMatters) {
  auto getOutputs = [&](llvm::ArrayRef<unsigned> outputs, unsigned inputs = 2) {
    KernelGraph graph = makeInputs(inputs);
    graph.outputs.assign(outputs.begin(), outputs.end());
    return getCanonicalText(graph);
  };
  std::vector<std::string> texts = {getOutputs({0}),       getOutputs({1}),
                                    getOutputs({0, 1}),    getOutputs({1, 0}),
                                    getOutputs({0, 0}),    getOutputs({0}, 1),
                                    getOutputs({0, 1}, 3), getOutputs({})};
  for (size_t i = 0; i < texts.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_NE(texts[i], texts[j]) << i << " " << j;
}

TEST_F(CanonicalProgramTest, ShapesTypesAndParametersMatter) {
  auto getSum = [&](int64_t dim, Shape shape, mlir::Type type) {
    KernelGraph graph = makeInputs(1);
    graph.outputs = {add(graph, "sum", {0}, {dim})};
    graph.tensors[0] = {shape, type};
    return getCanonicalText(graph);
  };
  std::string text = getSum(0, {4, 4}, f32);
  EXPECT_THAT(text, HasSubstr("sum [0] (%0)"));
  EXPECT_NE(text, getSum(1, {4, 4}, f32));
  EXPECT_NE(text, getSum(0, {8, 4}, f32));
  EXPECT_NE(text, getSum(0, {4, 4}, mlir::BFloat16Type::get(&context)));
}

TEST_F(CanonicalProgramTest, ConstantsBitByBit) {
  auto getScaled = [&](double value) {
    KernelGraph graph = makeInputs(1);
    graph.outputs = {add(graph, "mul", {0, addConstant(graph, value)})};
    return getCanonicalText(graph);
  };
  EXPECT_THAT(getScaled(1), HasSubstr("constant 0x3ff0000000000000"));
  EXPECT_NE(getScaled(1), getScaled(std::nextafter(1.0, 2.0)));
  EXPECT_NE(getScaled(0.0), getScaled(-0.0));
  EXPECT_NE(getScaled(std::numeric_limits<double>::infinity()),
            getScaled(std::numeric_limits<double>::max()));

  // How often a constant is written doesn't matter.
  KernelGraph once = makeInputs(1), twice = makeInputs(1);
  unsigned two = addConstant(once, 2);
  once.outputs = {add(once, "div", {add(once, "mul", {0, two}), two})};
  unsigned product = add(twice, "mul", {0, addConstant(twice, 2)});
  twice.outputs = {add(twice, "div", {product, addConstant(twice, 2)})};
  EXPECT_EQ(getCanonicalText(once), getCanonicalText(twice));
}

TEST_F(CanonicalProgramTest, OpaqueOperatorsHaveTheirNames) {
  auto getCustom = [&](int64_t number) {
    KernelGraph graph = makeInputs(1);
    graph.outputs = {add(graph, "custom", {0}, {number})};
    return getCanonicalText(graph);
  };
  std::string text = getCustom(internFunctionName("gelu_like"));
  EXPECT_THAT(text, HasSubstr("custom \"gelu_like\" (%0)"));
  EXPECT_NE(text, getCustom(internFunctionName("other")));
  // Numbers without a name.
  EXPECT_NE(getCustom(17), getCustom(18));
}

/// Work that is done twice is another program than work done once, and who
/// reads which of two equal results matters as well.
TEST_F(CanonicalProgramTest, Sharing) {
  auto getPattern = [&](std::array<unsigned, 4> reads, unsigned copies,
                        bool reversed) {
    KernelGraph graph = makeInputs(1);
    std::vector<unsigned> exps;
    for (unsigned i = 0; i < copies; ++i)
      exps.push_back(add(graph, "exp", {0}));
    if (reversed)
      std::reverse(exps.begin(), exps.end());
    unsigned a = add(graph, "mul", {exps[reads[0]], exps[reads[1]]});
    unsigned b = add(graph, "mul", {exps[reads[2]], exps[reads[3]]});
    graph.outputs = {add(graph, "add", {a, b})};
    return getCanonicalText(graph);
  };
  std::vector<std::pair<std::array<unsigned, 4>, unsigned>> patterns = {
      {{0, 0, 0, 0}, 1}, {{0, 0, 0, 1}, 2}, {{0, 0, 1, 1}, 2},
      {{0, 1, 0, 1}, 2}, {{0, 0, 1, 2}, 3}, {{0, 1, 0, 2}, 3},
      {{0, 1, 2, 3}, 4}};
  std::map<std::string, size_t> texts;
  for (auto [i, pattern] : llvm::enumerate(patterns)) {
    std::string text = getPattern(pattern.first, pattern.second, false);
    EXPECT_TRUE(texts.try_emplace(text, i).second)
        << i << " is " << texts[text];
    EXPECT_EQ(text, getPattern(pattern.first, pattern.second, true)) << i;
  }
}

/// A sum of many copies of one value, paired up: every order of the copies is
/// as good as every other.
TEST_F(CanonicalProgramTest, ManySymmetries) {
  std::mt19937 random(1);
  std::string first;
  for (unsigned trial = 0; trial < 5; ++trial) {
    KernelGraph graph = makeInputs(1);
    std::vector<unsigned> terms;
    for (unsigned i = 0; i < 32; ++i)
      terms.push_back(add(graph, "exp", {0}));
    while (terms.size() > 1) {
      std::shuffle(terms.begin(), terms.end(), random);
      std::vector<unsigned> sums;
      for (size_t i = 0; i < terms.size(); i += 2)
        sums.push_back(add(graph, "add", {terms[i], terms[i + 1]}));
      terms = sums;
    }
    graph.outputs = {terms[0]};
    std::string text = getCanonicalText(graph);
    if (trial == 0)
      first = text;
    EXPECT_EQ(text, first);
  }
}

/// What `getCanonicalText` should tell apart, the slow way: the least encoding
/// of the live nodes over all their orders.
std::vector<unsigned> getLeastEncoding(const KernelGraph &graph) {
  std::vector<bool> isLive(graph.tensors.size());
  for (unsigned output : graph.outputs)
    isLive[output] = true;
  std::vector<const KernelNode *> nodes;
  for (const KernelNode &node : llvm::reverse(graph.nodes)) {
    if (!isLive[node.results[0]])
      continue;
    nodes.push_back(&node);
    for (unsigned operand : node.operands)
      isLive[operand] = true;
  }
  std::vector<unsigned> order(nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<unsigned> least;
  do {
    std::vector<unsigned> number(graph.tensors.size());
    std::iota(number.begin(), number.begin() + graph.numInputs, 0);
    for (auto [position, node] : llvm::enumerate(order))
      number[nodes[node]->results[0]] = graph.numInputs + position;
    std::vector<unsigned> encoding;
    for (unsigned node : order) {
      const Operator &op = *nodes[node]->op;
      encoding.push_back(op.getName().front());
      std::vector<unsigned> operands;
      for (unsigned operand : nodes[node]->operands)
        operands.push_back(number[operand]);
      if (op.isCommutative())
        llvm::sort(operands);
      llvm::append_range(encoding, operands);
    }
    for (unsigned output : graph.outputs)
      encoding.push_back(number[output]);
    if (least.empty() || encoding < least)
      least = std::move(encoding);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

/// Two random programs have one text exactly if they differ in order only.
/// There are few operators and inputs, so that nodes are often alike.
/// A graph as it is written.
std::string getWiring(const KernelGraph &graph) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto print = [&](llvm::ArrayRef<unsigned> tensors) {
    llvm::interleaveComma(tensors, os);
    os << ";";
  };
  for (const KernelNode &node : graph.nodes) {
    os << node.op->getName() << " ";
    print(node.operands);
    print(node.results);
  }
  print(graph.outputs);
  return text;
}

TEST_F(CanonicalProgramTest, AgreesWithAllOrders) {
  std::mt19937 random(7);
  std::map<std::vector<unsigned>, std::string> texts;
  std::map<std::string, std::vector<unsigned>> encodings;
  std::map<std::string, std::string> forms;
  unsigned repeated = 0;
  for (unsigned trial = 0; trial < 4000; ++trial) {
    KernelGraph graph = makeInputs(1);
    unsigned count = 1 + random() % 6;
    for (unsigned i = 0; i < count; ++i) {
      constexpr const char *kOps[] = {"exp", "add", "sub", "exp", "add"};
      const char *op = kOps[random() % std::size(kOps)];
      llvm::SmallVector<unsigned> operands;
      for (unsigned j = 0; j < getOperator(op).getNumOperands(); ++j)
        operands.push_back(random() % graph.tensors.size());
      add(graph, op, operands);
    }
    graph.outputs = {static_cast<unsigned>(graph.tensors.size() - 1)};
    if (random() % 4 == 0)
      graph.outputs.push_back(random() % graph.tensors.size());
    std::vector<unsigned> encoding = getLeastEncoding(graph);
    std::string text = getCanonicalText(graph);
    // The form says the same, in one order.
    KernelGraph form = getCanonicalProgram(graph);
    EXPECT_EQ(getCanonicalText(form), text);
    EXPECT_EQ(forms.try_emplace(text, getWiring(form)).first->second,
              getWiring(form));
    repeated += !texts.try_emplace(encoding, text).second;
    EXPECT_EQ(texts[encoding], text);
    EXPECT_EQ(encodings.try_emplace(text, encoding).first->second, encoding)
        << text;
  }
  // Both cases occurred.
  EXPECT_GT(repeated, 500u);
  EXPECT_GT(texts.size(), 500u);
}

//===----------------------------------------------------------------------===//
// Graph-defined operators
//===----------------------------------------------------------------------===//

constexpr const char *kKernel = R"(
func.func @f(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>) -> (tensor<4x8xf16>, tensor<4x2xf16>) {
  %z:2 = mirage_kernel.graph_defined (%x, %w) grid <x = 2> : (tensor<4x8xf16>, tensor<8x8xf16>) -> (tensor<4x8xf16>, tensor<4x2xf16>) {
  ^bb0(%X: tensor<4x8xf16>, %W: tensor<8x8xf16>):
    %s, %p = mirage_block.loop iterations 2 -> !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %t = mirage_block.sum %xt dim 1 : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x1xf32>
      %m = mirage_block.matmul %xt, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %t, sum %m : !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>
    }
    %c = mirage.constant 8.0 : !mirage.tile<f32>
    %q = mirage_block.mul %p, %c : (!mirage.tile<4x4xf32>, !mirage.tile<f32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %q omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
    mirage_block.output_saver %s omap <x -> 1> : !mirage.tile<4x1xf32> -> tensor<4x2xf16>
  }
  return %z#0, %z#1 : tensor<4x8xf16>, tensor<4x2xf16>
}
)";

/// The same kernel, operands, results and ops in another order, and a saver
/// that nobody reads.
constexpr const char *kOther = R"(
func.func @g(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>) -> (tensor<4x8xf16>, tensor<4x2xf16>) {
  %z:3 = mirage_kernel.graph_defined (%w, %x) grid <x = 2> : (tensor<8x8xf16>, tensor<4x8xf16>) -> (tensor<4x2xf16>, tensor<4x16xf16>, tensor<4x8xf16>) {
  ^bb0(%W: tensor<8x8xf16>, %X: tensor<4x8xf16>):
    %c = mirage.constant 8.0 : !mirage.tile<f32>
    %p, %s = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32>, !mirage.tile<4x1xf32> {
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %m = mirage_block.matmul %xt, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %t = mirage_block.sum %xt dim 1 : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x1xf32>
      mirage_block.accumulate sum %m, sum %t : !mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>
    }
    %late = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %s omap <x -> 1> : !mirage.tile<4x1xf32> -> tensor<4x2xf16>
    mirage_block.output_saver %late omap <x -> 1> : !mirage.tile<4x8xf16> -> tensor<4x16xf16>
    %q = mirage_block.mul %c, %p : (!mirage.tile<f32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %q omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z#2, %z#0 : tensor<4x8xf16>, tensor<4x2xf16>
}
)";

TEST_F(CanonicalProgramTest, BlockGraphs) {
  std::string text = getCanonicalText(parse(kKernel));
  EXPECT_THAT(text, HasSubstr("kernel grid [2] iterations 2\n"));
  EXPECT_THAT(text, HasSubstr("loop iterator map [1] fmap 0 (%1) in %2 : 4x4 "
                              "f16\n"));
  EXPECT_EQ(text, getCanonicalText(parse(kOther)));
}

TEST_F(CanonicalProgramTest, WhatABlockGraphSaysMatters) {
  std::string text = getCanonicalText(parse(kKernel));
  auto expectOther = [&](const char *what, auto change) {
    KernelGraph graph = parse(kKernel);
    auto block = std::make_shared<BlockGraph>(*graph.nodes[0].graph);
    change(graph, *block);
    graph.nodes[0].graph = block;
    EXPECT_NE(text, getCanonicalText(graph)) << what;
  };
  auto find = [](BlockGraph &block, BlockNode::Kind kind) -> BlockNode & {
    return *llvm::find_if(
        block.nodes, [&](const BlockNode &node) { return node.kind == kind; });
  };
  using Kind = BlockNode::Kind;
  expectOther("grid", [](auto &, BlockGraph &b) { b.grid = {4}; });
  expectOther("iterations", [](auto &, BlockGraph &b) { b.iterations = 4; });
  expectOther("imap", [&](auto &, BlockGraph &b) {
    find(b, Kind::InputIterator).map = {0};
  });
  expectOther("fmap", [&](auto &, BlockGraph &b) {
    find(b, Kind::InputIterator).fmap = 0;
  });
  expectOther("omap", [&](auto &, BlockGraph &b) {
    find(b, Kind::OutputSaver).map = {0};
  });
  expectOther("constant", [&](auto &, BlockGraph &b) {
    find(b, Kind::Constant).constant = 9;
  });
  expectOther("accumulation", [&](auto &, BlockGraph &b) {
    find(b, Kind::Accumulator).accumulation = Accumulation::Max;
  });
  expectOther("accumulation's dimension", [&](auto &, BlockGraph &b) {
    find(b, Kind::Accumulator).params = {1};
  });
  expectOther("operator", [&](auto &, BlockGraph &b) {
    find(b, Kind::Operator).op = &getOperator("reduce_max");
  });
  expectOther("parameter", [&](auto &, BlockGraph &b) {
    find(b, Kind::Operator).params = {0};
  });
  expectOther("place", [&](auto &, BlockGraph &b) {
    find(b, Kind::Operator).inLoop = false;
  });
  expectOther("tile", [&](auto &, BlockGraph &b) {
    find(b, Kind::Operator).shape = {4, 2};
  });
  expectOther("tile's type", [&](auto &, BlockGraph &b) {
    find(b, Kind::Operator).elementType = mlir::BFloat16Type::get(&context);
  });
  expectOther("output", [](KernelGraph &g, auto &) {
    std::swap(g.outputs[0], g.outputs[1]);
  });
  expectOther("input", [](KernelGraph &g, auto &) {
    g.nodes[0].operands[1] = g.nodes[0].operands[0];
  });
  // What is said twice needn't be.
  KernelGraph graph = parse(kKernel);
  auto block = std::make_shared<BlockGraph>(*graph.nodes[0].graph);
  find(*block, Kind::Operator).elementType = f32;
  find(*block, Kind::InputIterator).elementType =
      mlir::Float16Type::get(&context);
  graph.nodes[0].graph = block;
  EXPECT_EQ(text, getCanonicalText(graph));
}

/// One kernel with two operators is not two kernels with one each.
TEST_F(CanonicalProgramTest, WhichKernelDoesWhatMatters) {
  auto getKernels = [&](bool separate) {
    KernelGraph graph = makeInputs(1);
    BlockNode iterator, exp, saver;
    iterator.kind = BlockNode::Kind::InputIterator;
    iterator.operands = {0};
    iterator.map = {0};
    exp.op = &getOperator("exp");
    exp.operands = {0};
    saver.kind = BlockNode::Kind::OutputSaver;
    saver.operands = {1};
    saver.map = {0};
    iterator.shape = exp.shape = {2, 4};
    saver.shape = {4, 4};
    auto addKernel = [&](std::vector<BlockNode> nodes, unsigned results) {
      KernelNode kernel;
      kernel.kind = KernelNode::Kind::GraphDefined;
      kernel.graph = std::make_shared<BlockGraph>(BlockGraph{{2}, 0, nodes});
      kernel.operands = {0};
      for (unsigned i = 0; i < results; ++i) {
        kernel.results.push_back(graph.tensors.size());
        graph.outputs.push_back(graph.tensors.size());
        graph.tensors.push_back({Shape{4, 4}, f32});
      }
      graph.nodes.push_back(kernel);
    };
    if (separate) {
      addKernel({iterator, exp, saver}, 1);
      addKernel({iterator, exp, saver}, 1);
      return getCanonicalText(graph);
    }
    BlockNode secondExp = exp, secondSaver = saver, secondIterator = iterator;
    secondExp.operands = {2};
    secondSaver.operands = {3};
    addKernel({iterator, exp, secondIterator, secondExp, saver, secondSaver},
              2);
    return getCanonicalText(graph);
  };
  EXPECT_NE(getKernels(true), getKernels(false));
}

} // namespace
