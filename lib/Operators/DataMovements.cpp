//===- DataMovements.cpp - Operators that only move elements --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Operators/DataMovement.h"
#include "Mirage/Operators/ShapeText.h"
#include "OperatorDefinitions.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mirage;
using namespace mlir;

namespace {

using Term = ElementAlgebra::Term;
using Index = ElementAlgebra::Index;

Params readResultShape(Operation *op) {
  return Params(cast<ShapedType>(op->getResult(0).getType()).getShape());
}

bool checkDim(int64_t dim, const Shape &shape, std::string *error) {
  if (dim >= 0 && dim < static_cast<int64_t>(shape.size()))
    return true;
  if (error)
    *error = "dimension " + std::to_string(dim) + " of " + getShapeText(shape) +
             " doesn't exist";
  return false;
}

/// Its parameters are the shape of the result, read off the op's result type.
class Reshape final : public DataMovement {
public:
  Reshape() : DataMovement("reshape", 1) {}

  bool isReinterpretation() const override { return true; }
  bool hasShapeParams() const override { return true; }
  Params readParams(Operation *op) const override {
    return readResultShape(op);
  }

  bool inferShape(ArrayRef<Shape> operands, const Params &params, Shape &result,
                  std::string *error) const override {
    result.assign(params.begin(), params.end());
    if (mirage::getNumElements(operands[0]) != mirage::getNumElements(params)) {
      if (error)
        *error = getShapeText(operands[0]) + " and " + getShapeText(params) +
                 " have different numbers of elements";
      return false;
    }
    return true;
  }

  Tensor evaluate(const NumberSystem &, ArrayRef<const Tensor *> operands,
                  const Params &params) const override {
    Tensor result = *operands[0];
    result.shape.assign(params.begin(), params.end());
    return result;
  }

  Term getElement(ElementAlgebra &algebra, ArrayRef<Shape> operands,
                  ArrayRef<Index> index, const Params &params) const override {
    Index linear = algebra.indexConstant(0);
    for (auto [i, size] : llvm::zip_equal(index, params))
      linear = algebra.indexAdd(algebra.indexMul(linear, size), i);
    SmallVector<Index> position(operands[0].size());
    for (size_t d = position.size(); d-- > 0;) {
      position[d] = algebra.indexMod(linear, operands[0][d]);
      linear = algebra.indexDiv(linear, operands[0][d]);
    }
    return algebra.read(0, position);
  }
};

/// Parameter d is the operand's dimension that becomes dimension d.
class Transpose final : public DataMovement {
public:
  Transpose() : DataMovement("transpose", 1) {}

  Params readParams(Operation *op) const override {
    return Params(
        op->getAttrOfType<DenseI64ArrayAttr>("permutation").asArrayRef());
  }
  void writeParams(OperationState &state, const Params &params) const override {
    state.addAttribute(
        "permutation",
        Builder(state.getContext()).getDenseI64ArrayAttr(params));
  }

  bool inferShape(ArrayRef<Shape> operands, const Params &params, Shape &result,
                  std::string *error) const override {
    Params sorted = params;
    llvm::sort(sorted);
    bool permutes = params.size() == operands[0].size();
    for (auto [d, dim] : llvm::enumerate(sorted))
      permutes &= dim == static_cast<int64_t>(d);
    if (!permutes) {
      if (error)
        *error = "'permutation' is not one of the " +
                 std::to_string(operands[0].size()) + " dimensions of " +
                 getShapeText(operands[0]);
      return false;
    }
    result.clear();
    for (int64_t dim : params)
      result.push_back(operands[0][dim]);
    return true;
  }

  std::optional<IterationSpace>
  getIterationSpace(ArrayRef<Shape> operands,
                    const Params &params) const override {
    IterationSpace space;
    space.operandLoops.emplace_back(params.size());
    for (auto [d, dim] : llvm::enumerate(params)) {
      space.sizes.push_back(operands[0][dim]);
      space.operandLoops[0][dim] = d;
    }
    return space;
  }

  Tensor evaluate(const NumberSystem &, ArrayRef<const Tensor *> operands,
                  const Params &params) const override {
    return transpose(*operands[0], params);
  }

  Term getElement(ElementAlgebra &algebra, ArrayRef<Shape>,
                  ArrayRef<Index> index, const Params &params) const override {
    SmallVector<Index> position(index);
    for (auto [d, dim] : llvm::enumerate(params))
      position[dim] = index[d];
    return algebra.read(0, position);
  }
};

/// Its parameters are the shape of the result.
class Broadcast final : public DataMovement {
public:
  Broadcast() : DataMovement("broadcast", 1) {}

  bool hasShapeParams() const override { return true; }

  Params readParams(Operation *op) const override {
    return readResultShape(op);
  }

  bool inferShape(ArrayRef<Shape> operands, const Params &params, Shape &result,
                  std::string *error) const override {
    Shape target(params.begin(), params.end());
    if (!broadcastShapes(operands[0], target, result) || result != target) {
      if (error)
        *error = getShapeText(operands[0]) + " doesn't broadcast to " +
                 getShapeText(params) +
                 ": dimensions, aligned at the last, must be equal or 1";
      return false;
    }
    return true;
  }

  Tensor evaluate(const NumberSystem &, ArrayRef<const Tensor *> operands,
                  const Params &params) const override {
    return broadcast(*operands[0], params);
  }

  Term getElement(ElementAlgebra &algebra, ArrayRef<Shape> operands,
                  ArrayRef<Index> index, const Params &) const override {
    size_t missing = index.size() - operands[0].size();
    SmallVector<Index> position(index.drop_front(missing));
    for (auto [d, size] : llvm::enumerate(operands[0]))
      if (size == 1)
        position[d] = algebra.indexConstant(0);
    return algebra.read(0, position);
  }
};

/// Parameters: the dimension and how often.
class Repeat final : public DataMovement {
public:
  Repeat() : DataMovement("repeat", 1) {}

  Params readParams(Operation *op) const override {
    return {op->getAttrOfType<IntegerAttr>("dim").getInt(),
            op->getAttrOfType<IntegerAttr>("times").getInt()};
  }
  void writeParams(OperationState &state, const Params &params) const override {
    Builder builder(state.getContext());
    state.addAttribute("dim", builder.getI64IntegerAttr(params[0]));
    state.addAttribute("times", builder.getI64IntegerAttr(params[1]));
  }

  bool inferShape(ArrayRef<Shape> operands, const Params &params, Shape &result,
                  std::string *error) const override {
    result = operands[0];
    if (!checkDim(params[0], result, error))
      return false;
    if (params[1] < 1 || params[1] > kMaxRepetitions) {
      if (error)
        *error = "'times' must be from 1 to " +
                 std::to_string(kMaxRepetitions) + ", found " +
                 std::to_string(params[1]);
      return false;
    }
    result[params[0]] *= params[1];
    return true;
  }

  Term getElement(ElementAlgebra &algebra, ArrayRef<Shape> operands,
                  ArrayRef<Index> index, const Params &params) const override {
    SmallVector<Index> position(index);
    position[params[0]] =
        algebra.indexMod(index[params[0]], operands[0][params[0]]);
    return algebra.read(0, position);
  }

private:
  /// With it no size overflows: tensors have at most 2^40 elements.
  static constexpr int64_t kMaxRepetitions = 1 << 20;
};

/// One parameter: the dimension.
class Concat final : public DataMovement {
public:
  Concat() : DataMovement("concat", 2) {}

  bool isJoin() const override { return true; }

  Params readParams(Operation *op) const override {
    return {op->getAttrOfType<IntegerAttr>("dim").getInt()};
  }
  void writeParams(OperationState &state, const Params &params) const override {
    state.addAttribute(
        "dim", Builder(state.getContext()).getI64IntegerAttr(params[0]));
  }

  bool inferShape(ArrayRef<Shape> operands, const Params &params, Shape &result,
                  std::string *error) const override {
    result = operands[0];
    int64_t dim = params[0];
    if (!checkDim(dim, result, error))
      return false;
    Shape other = operands[1];
    if (other.size() == result.size())
      other[dim] = result[dim];
    if (other != result) {
      if (error)
        *error = getShapeText(operands[0]) + " and " +
                 getShapeText(operands[1]) + " differ outside of dimension " +
                 std::to_string(dim);
      return false;
    }
    result[dim] += operands[1][dim];
    return true;
  }

  Term getElement(ElementAlgebra &algebra, ArrayRef<Shape> operands,
                  ArrayRef<Index> index, const Params &params) const override {
    int64_t dim = params[0], bound = operands[0][dim];
    return algebra.select(
        index[dim], bound, [&] { return algebra.read(0, index); },
        [&] {
          SmallVector<Index> position(index);
          position[dim] =
              algebra.indexAdd(index[dim], algebra.indexConstant(-bound));
          return algebra.read(1, position);
        });
  }
};

/// Parameters: the dimension, the first element and how many.
class Slice final : public DataMovement {
public:
  Slice() : DataMovement("slice", 1) {}

  bool isView() const override { return true; }
  Params readParams(Operation *op) const override {
    return {op->getAttrOfType<IntegerAttr>("dim").getInt(),
            op->getAttrOfType<IntegerAttr>("offset").getInt(),
            op->getAttrOfType<IntegerAttr>("size").getInt()};
  }
  void writeParams(OperationState &state, const Params &params) const override {
    Builder builder(state.getContext());
    for (auto [name, param] :
         llvm::zip_equal(ArrayRef<StringRef>{"dim", "offset", "size"}, params))
      state.addAttribute(name, builder.getI64IntegerAttr(param));
  }

  bool inferShape(ArrayRef<Shape> operands, const Params &params, Shape &result,
                  std::string *error) const override {
    result = operands[0];
    if (!checkDim(params[0], result, error))
      return false;
    int64_t &size = result[params[0]];
    if (params[1] < 0 || params[2] < 1 || params[1] >= size ||
        params[2] > size - params[1]) {
      if (error)
        *error = "dimension " + std::to_string(params[0]) + " of " +
                 getShapeText(operands[0]) + " has no " +
                 std::to_string(params[2]) + " elements from element " +
                 std::to_string(params[1]) + " on";
      return false;
    }
    size = params[2];
    return true;
  }

  Term getElement(ElementAlgebra &algebra, ArrayRef<Shape>,
                  ArrayRef<Index> index, const Params &params) const override {
    SmallVector<Index> position(index);
    position[params[0]] =
        algebra.indexAdd(index[params[0]], algebra.indexConstant(params[1]));
    return algebra.read(0, position);
  }
};

} // namespace

void mirage::addDataMovements(OperatorList &list) {
  list.push_back(std::make_unique<Reshape>());
  list.push_back(std::make_unique<Transpose>());
  list.push_back(std::make_unique<Broadcast>());
  list.push_back(std::make_unique<Repeat>());
  list.push_back(std::make_unique<Concat>());
  list.push_back(std::make_unique<Slice>());
}
