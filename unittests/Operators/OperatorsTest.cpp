//===- OperatorsTest.cpp - Operators against their values -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operator of every level on the host, against its value in f64.
//
//===----------------------------------------------------------------------===//

#include "GraphTest.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/bit.h"

using namespace mirage;
using namespace mlir;

namespace {

struct Application {
  StringRef op;
  SmallVector<Shape> operands;
  Params params;
  /// Where the operands' elements come from.
  double low = -2, high = 2;
};

int64_t bits(double value) { return llvm::bit_cast<int64_t>(value); }

/// More elements than a block has threads, and fewer; broadcast ones.
std::vector<Application> getApplications() {
  std::vector<Application> list = {
      {"matmul", {{9, 7}, {7, 11}}, {}},
      {"matmul", {{2, 3, 4}, {2, 4, 3}}, {}},
      // Rows in tiles that overlap.
      {"matmul", {{197, 67}, {67, 40}}, {}},
      {"matmul", {{3, 131, 32}, {3, 32, 24}}, {}},
      {"mul", {{131, 60}, {131, 1}}, {}},
      {"sum", {{257, 64}}, {1}},
      {"matmul", {{1, 3, 4}, {2, 4, 3}}, {}},
      {"matmul", {{2, 1, 3, 4}, {1, 3, 4, 5}}, {}},
      {"matmul_transposed", {{9, 7}, {11, 7}}, {}},
      {"matmul_transposed", {{2, 3, 4}, {1, 5, 4}}, {}},
      {"matmul_transposed_lhs", {{7, 9}, {7, 11}}, {}},
      {"matmul_transposed_lhs", {{2, 4, 3}, {1, 4, 5}}, {}},
      {"concat_matmul", {{9, 7}, {9, 5}, {7, 11}, {5, 11}}, {}},
      {"concat_matmul", {{2, 1, 3}, {2, 1, 1}, {2, 3, 4}, {2, 1, 4}}, {}},
      {"concat_matmul", {{2, 1, 3}, {1, 1, 1}, {1, 3, 4}, {2, 1, 4}}, {}},
      {"conv_2d", {{2, 6, 7, 3}, {3, 2, 3, 4}}, {1, 1, 0, 0, 0, 0}},
      {"conv_2d", {{1, 6, 7, 3}, {3, 3, 3, 4}}, {2, 3, 1, 2, 1, 0}},
      // A filter that sees nothing but padding at the corners.
      {"conv_2d", {{1, 2, 2, 1}, {1, 1, 1, 2}}, {1, 2, 3, 1, 2, 2}},
      {"sum", {{9, 30}}, {1}},
      {"sum", {{9, 30}}, {0}},
      {"sum", {{9, 30}}, {1, 5}},
      {"sum", {{12, 7}}, {0, 3}},
      {"reduce_max", {{9, 30}}, {1}, -3, -1},
      {"reduce_max", {{2, 9, 8}}, {1}},
      {"add", {{9, 30}, {30}}, {}},
      {"sub", {{9, 1}, {9, 30}}, {}},
      {"mul", {{9, 30}, {9, 30}}, {}},
      {"div", {{9, 30}, {1, 30}}, {}, 0.5, 2},
      {"max", {{9, 30}, {9, 1}}, {}},
      {"min", {{3}, {2, 3}}, {}},
      {"greater", {{9, 30}, {9, 1}}, {}},
      {"greater", {{3}, {2, 3}}, {}},
      {"where", {{9, 1}, {9, 30}}, {}},
      {"where", {{9, 30}, {30}}, {}},
      {"neg", {{9, 30}}, {}},
      {"sqr", {{9, 30}}, {}},
      {"sqrt", {{9, 30}}, {}, 0, 4},
      {"rsqrt", {{9, 30}}, {}, 0.1, 4},
      {"exp", {{9, 30}}, {}, -5, 5},
      {"log", {{9, 30}}, {}, 0.1, 100},
      {"erf", {{9, 30}}, {}, -5, 5},
      {"relu", {{9, 30}}, {}},
      {"sigmoid", {{9, 30}}, {}, -90, 90},
      {"silu", {{9, 30}}, {}, -90, 90},
      {"tanh", {{9, 30}}, {}, -50, 50},
      {"gelu", {{9, 30}}, {}, -6, 6},
      {"cast", {{9, 30}}, {}},
      {"clamp", {{9, 30}}, {bits(-0.25), bits(1.5)}},
      // The upper bound wins.
      {"clamp", {{9, 30}}, {bits(1), bits(-1)}},
      {"pow", {{9, 30}}, {bits(3)}},
      {"pow", {{9, 30}}, {bits(0)}},
      {"pow", {{9, 30}}, {bits(-2.5)}, 0.5, 2},
      {"pow", {{9, 30}}, {bits(0.3)}, 0.1, 3},
      {"reshape", {{9, 30}}, {5, 3, 18}},
      {"reshape", {{1}}, {}},
      {"transpose", {{9, 30}}, {1, 0}},
      {"transpose", {{2, 3, 4}}, {2, 0, 1}},
      {"broadcast", {{9, 1}}, {3, 9, 7}},
      {"broadcast", {{}}, {5}},
      {"repeat", {{9, 7}}, {0, 3}},
      {"repeat", {{9, 7}}, {1, 4}},
      {"concat", {{9, 7}, {4, 7}}, {0}},
      {"concat", {{9, 7}, {9, 20}}, {1}},
      {"slice", {{9, 30}}, {1, 3, 20}},
      {"slice", {{2, 9, 7}}, {1, 8, 1}},
  };
  return list;
}

class OperatorsTest : public GraphTest {
protected:
  /// A function that applies an operator as one kernel operator, or, in a block
  /// graph of one block, as one block operator.
  OwningOpRef<ModuleOp> build(const Application &application, Level level) {
    Location loc = UnknownLoc::get(&context);
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    const Operator &semantics = getOperator(application.op);
    Shape result;
    std::string error;
    EXPECT_TRUE(semantics.inferShape(application.operands, application.params,
                                     result, &error))
        << application.op.str() << ": " << error;
    Type f32 = Float32Type::get(&context);
    auto resultType = RankedTensorType::get(result, f32);
    SmallVector<Type> types;
    for (const Shape &shape : application.operands)
      types.push_back(RankedTensorType::get(shape, f32));

    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    auto function = func::FuncOp::create(
        builder, loc, "f", builder.getFunctionType(types, {resultType}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    auto apply = [&](ValueRange operands) {
      return buildOperator(builder, loc, level, semantics, application.params,
                           operands, f32)
          ->getResult(0);
    };
    if (level == Level::Kernel) {
      func::ReturnOp::create(builder, loc, apply(function.getArguments()));
      return module;
    }

    auto graph = kernel::GraphDefinedOp::create(builder, loc, {resultType},
                                                function.getArguments(),
                                                GridAttr::get(&context, {1}));
    func::ReturnOp::create(builder, loc, graph.getResults());
    Block &body = graph.getBody().emplaceBlock();
    builder.setInsertionPointToStart(&body);
    SmallVector<Value> tiles;
    for (Type type : types)
      tiles.push_back(block::InputIterator::create(
          builder, loc,
          getTensorType(level, cast<ShapedType>(type).getShape(), f32),
          body.addArgument(type, loc), IMapAttr::get(&context, {kReplica}),
          FMapAttr()));
    block::OutputSaver::create(builder, loc, apply(tiles),
                               OMapAttr::get(&context, {kReplica}), resultType);
    return module;
  }

  void expectCorrect(const Application &application, Level level,
                     const GraphOptions &options) {
    SCOPED_TRACE(application.op.str());
    auto module = build(application, level);
    ASSERT_TRUE(succeeded(verify(*module))) << diagnostics;
    GraphTest::expectCorrect(
        *module, makeInputs(*module, application.low, application.high),
        options);
  }
};

// The table has all that there is, but for what nobody can run.
TEST_F(OperatorsTest, TableIsComplete) {
  for (Level level : {Level::Kernel, Level::Block, Level::Thread})
    for (const Operator *op : getOperatorsOfLevel(&context, level))
      EXPECT_TRUE(op->isOpaque() || llvm::any_of(getApplications(),
                                                 [&](const Application &a) {
                                                   return a.op == op->getName();
                                                 }))
          << op->getName().str();
}

TEST_F(OperatorsTest, OperandsThatCanBeSwappedHaveOneExpression) {
  const Shape shapes[] = {{4, 4}, {4, 4}};
  unsigned commutative = 0;
  for (const Operator *op : getOperatorsOfLevel(&context, Level::Kernel)) {
    if (!op->isCommutative())
      continue;
    ++commutative;
    ExprContext exprs;
    Expr x = exprs.variable("x"), y = exprs.variable("y");
    EXPECT_EQ(op->getExpr(exprs, shapes, {x, y}, {}),
              op->getExpr(exprs, shapes, {y, x}, {}))
        << op->getName().str();
  }
  EXPECT_GE(commutative, 4u); // add, mul, max, min
}

TEST_F(OperatorsTest, KernelOperatorsWithASchedule) {
  for (const Application &application : getApplications())
    expectCorrect(application, Level::Kernel, {});
}

// Each thread reads its elements from device memory.
TEST_F(OperatorsTest, KernelOperatorsWithoutASchedule) {
  GraphOptions options;
  options.schedule = false;
  for (const Application &application : getApplications())
    expectCorrect(application, Level::Kernel, options);
}

TEST_F(OperatorsTest, BlockOperators) {
  auto operators = getOperatorsOfLevel(&context, Level::Block);
  GraphOptions options;
  options.threadGraphs = false;
  for (const Application &application : getApplications())
    if (llvm::is_contained(operators, &getOperator(application.op)))
      expectCorrect(application, Level::Block, options);
}

// Elementwise operators, in thread graphs.
TEST_F(OperatorsTest, ThreadOperators) {
  auto operators = getOperatorsOfLevel(&context, Level::Thread);
  for (const Operator *op : operators)
    EXPECT_TRUE(op->isElementwise()) << op->getName().str();
  for (const Application &application : getApplications())
    if (llvm::is_contained(operators, &getOperator(application.op)))
      expectCorrect(application, Level::Block, {});
}

} // namespace
