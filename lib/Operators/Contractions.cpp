//===- Contractions.cpp - Matmul and sum ----------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperatorDefinitions.h"
#include "Mirage/Operators/ShapeText.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mirage;
using namespace mlir;

namespace {

class Matmul final : public Operator {
public:
  Matmul() : Operator("matmul", 2) {}

  bool isLinearIn(unsigned) const override { return true; }

  bool inferShape(ArrayRef<Shape> operands, const Params &, Shape &result,
                  std::string *error) const override {
    const Shape &lhs = operands[0], &rhs = operands[1];
    size_t rank = lhs.size();
    if (rank < 2 || rhs.size() != rank) {
      if (error)
        *error = "expected operands of one rank, at least 2, found " +
              getShapeText(lhs) + " and " + getShapeText(rhs);
      return false;
    }
    if (lhs[rank - 1] != rhs[rank - 2]) {
      if (error)
        *error = "the last dimension of " + getShapeText(lhs) +
              " is not the one before the last of " + getShapeText(rhs);
      return false;
    }
    for (size_t d = 0; d + 2 < rank; ++d) {
      if (lhs[d] != rhs[d]) {
        if (error)
          *error = "batch dimension " + std::to_string(d) + " differs between " +
                getShapeText(lhs) + " and " + getShapeText(rhs);
        return false;
      }
    }
    result = lhs;
    result[rank - 1] = rhs[rank - 1];
    return true;
  }

  std::optional<IterationSpace>
  getIterationSpace(ArrayRef<Shape> operands, const Params &) const override {
    int rank = operands[0].size();
    IterationSpace space;
    space.reductionsAreSums = true;
    space.sizes.assign(operands[0].begin(), operands[0].end());
    space.sizes.back() = operands[1].back();
    space.sizes.push_back(operands[0].back());
    space.operandLoops.resize(2);
    for (int d = 0; d < rank; ++d) {
      space.operandLoops[0].push_back(d == rank - 1 ? rank : d);
      space.operandLoops[1].push_back(d == rank - 2 ? rank : d);
    }
    return space;
  }

  Tensor evaluate(const NumberSystem &numbers,
                  ArrayRef<const Tensor *> operands,
                  const Params &) const override {
    return numbers.matmul(*operands[0], *operands[1]);
  }

  Expr getExpr(ExprContext &context, ArrayRef<Shape> shapes,
               ArrayRef<Expr> operands, const Params &) const override {
    return context.sum(shapes[0].back(),
                       context.mul(operands[0], operands[1]));
  }

  OperatorCost getCost(ArrayRef<Shape> operands,
                       ArrayRef<int64_t> result) const override {
    OperatorCost cost;
    cost.tensorFlops = 2 * mirage::getNumElements(result) * operands[0].back();
    return cost;
  }

  void enumerateParams(
      ArrayRef<Shape>,
      function_ref<void(const Params &)> visit) const override {
    visit({});
  }

  Value emitElement(ElementEmitter &emitter, ValueRange index,
                    const Params &) const override {
    int64_t depth = emitter.getOperandShape(0).back();
    size_t rank = index.size();
    return emitter.reduce(depth, 0, [&](Value k, Value sum) -> Value {
      SmallVector<Value> left(index), right(index);
      left[rank - 1] = k;
      right[rank - 2] = k;
      OpBuilder &builder = emitter.getBuilder();
      Value product = arith::MulFOp::create(builder, emitter.getLoc(),
                                            emitter.read(0, left),
                                            emitter.read(1, right));
      return arith::AddFOp::create(builder, emitter.getLoc(), sum, product);
    });
  }
};

class Sum final : public Operator {
public:
  Sum() : Operator("sum", 1) {}

  bool isLinearIn(unsigned) const override { return true; }

  Params readParams(Operation *op) const override {
    return {op->getAttrOfType<IntegerAttr>("dim").getInt()};
  }

  void writeParams(OperationState &state, const Params &params) const override {
    Builder builder(state.getContext());
    state.addAttribute("dim", builder.getI64IntegerAttr(params[0]));
  }

  bool inferShape(ArrayRef<Shape> operands, const Params &params, Shape &result,
                  std::string *error) const override {
    result = operands[0];
    int64_t dim = params[0];
    if (dim < 0 || dim >= static_cast<int64_t>(result.size())) {
      if (error)
        *error = "dimension " + std::to_string(dim) + " of " +
              getShapeText(result) + " doesn't exist";
      return false;
    }
    result[dim] = 1;
    return true;
  }

  std::optional<IterationSpace>
  getIterationSpace(ArrayRef<Shape> operands,
                    const Params &params) const override {
    int rank = operands[0].size();
    IterationSpace space;
    space.reductionsAreSums = true;
    space.sizes.assign(operands[0].begin(), operands[0].end());
    space.sizes[params[0]] = 1;
    space.sizes.push_back(operands[0][params[0]]);
    space.operandLoops.resize(1);
    for (int d = 0; d < rank; ++d)
      space.operandLoops[0].push_back(d == params[0] ? rank : d);
    return space;
  }

  Tensor evaluate(const NumberSystem &numbers,
                  ArrayRef<const Tensor *> operands,
                  const Params &params) const override {
    return numbers.sum(*operands[0], params[0]);
  }

  Expr getExpr(ExprContext &context, ArrayRef<Shape> shapes,
               ArrayRef<Expr> operands, const Params &params) const override {
    return context.sum(shapes[0][params[0]], operands[0]);
  }

  OperatorCost getCost(ArrayRef<Shape> operands,
                       ArrayRef<int64_t>) const override {
    OperatorCost cost;
    cost.scalarFlops = mirage::getNumElements(operands[0]);
    return cost;
  }

  void enumerateParams(
      ArrayRef<Shape> operands,
      function_ref<void(const Params &)> visit) const override {
    // The sum over a dimension of size 1 is the operand.
    for (auto [d, size] : llvm::enumerate(operands[0]))
      if (size > 1)
        visit({static_cast<int64_t>(d)});
  }

  Value emitElement(ElementEmitter &emitter, ValueRange index,
                    const Params &params) const override {
    int64_t dim = params[0];
    int64_t count = emitter.getOperandShape(0)[dim];
    return emitter.reduce(count, 0, [&](Value k, Value sum) -> Value {
      SmallVector<Value> position(index);
      position[dim] = k;
      return arith::AddFOp::create(emitter.getBuilder(), emitter.getLoc(), sum,
                                   emitter.read(0, position));
    });
  }
};

} // namespace

void mirage::addContractions(OperatorList &list) {
  list.push_back(std::make_unique<Matmul>());
  list.push_back(std::make_unique<Sum>());
}
