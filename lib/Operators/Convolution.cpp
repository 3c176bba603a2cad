//===- Convolution.cpp - Two-dimensional convolution ----------------------===//
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
#include "mlir/IR/BuiltinAttributes.h"

using namespace mirage;
using namespace mlir;

namespace {

using Term = ElementAlgebra::Term;
using Index = ElementAlgebra::Index;

/// The parameters of a convolution, in the order in which they are kept.
enum Param { StrideH, StrideW, Top, Bottom, Left, Right, NumParams };

/// The element of the image that filter row or column `k` sees at output
/// position `i`, or 0 in the padding: calls `inside` with its index.
Term readPadded(ElementAlgebra &algebra, Index i, Index k, int64_t stride,
                int64_t padding, int64_t size,
                function_ref<Term(Index)> inside) {
  Index index =
      algebra.indexAdd(algebra.indexAdd(algebra.indexMul(i, stride), k),
                       algebra.indexConstant(-padding));
  auto zero = [&] { return algebra.constant(0); };
  return algebra.select(index, 0, zero, [&] {
    return algebra.select(index, size, [&] { return inside(index); }, zero);
  });
}

/// The patches of an image that the filter is multiplied with, as rows of a
/// matrix: N x H x W x C to (N H' W') x (KH KW C). The first parameters are the
/// convolution's, then KH, KW, H', W'.
class Patches final : public DataMovement {
public:
  Patches() : DataMovement("patches", 1) {}

  bool inferShape(ArrayRef<Shape> operands, const Params &params, Shape &result,
                  std::string *) const override {
    const int64_t *size = params.data() + NumParams;
    result = {operands[0][0] * size[2] * size[3],
              size[0] * size[1] * operands[0][3]};
    return true;
  }

  Term getElement(ElementAlgebra &algebra, ArrayRef<Shape> operands,
                  ArrayRef<Index> index, const Params &params) const override {
    const int64_t *size = params.data() + NumParams;
    const Shape &image = operands[0];
    Index w = algebra.indexMod(index[0], size[3]);
    Index rest = algebra.indexDiv(index[0], size[3]);
    Index h = algebra.indexMod(rest, size[2]);
    Index n = algebra.indexDiv(rest, size[2]);
    Index c = algebra.indexMod(index[1], image[3]);
    Index filter = algebra.indexDiv(index[1], image[3]);
    Index kw = algebra.indexMod(filter, size[1]);
    Index kh = algebra.indexDiv(filter, size[1]);
    return readPadded(
        algebra, h, kh, params[StrideH], params[Top], image[1], [&](Index y) {
          return readPadded(
              algebra, w, kw, params[StrideW], params[Left], image[2],
              [&](Index x) { return algebra.read(0, {n, y, x, c}); });
        });
  }
};

/// An image N x H x W x C and a filter KH x KW x C x F give N x H' x W' x F.
class Conv2D final : public Operator {
public:
  Conv2D() : Operator("conv_2d", 2) {}

  bool isLinearIn(unsigned) const override { return true; }
  bool isHomogeneousIn(unsigned) const override { return true; }

  Params readParams(Operation *op) const override {
    auto strides = op->getAttrOfType<DenseI64ArrayAttr>("strides").asArrayRef();
    auto padding = op->getAttrOfType<DenseI64ArrayAttr>("padding").asArrayRef();
    Params params;
    // Others have no place among the parameters: inferShape refuses them.
    if (strides.size() == 2 && padding.size() == 4) {
      llvm::append_range(params, strides);
      llvm::append_range(params, padding);
    }
    return params;
  }
  void writeParams(OperationState &state, const Params &params) const override {
    Builder builder(state.getContext());
    ArrayRef<int64_t> all(params);
    state.addAttribute("strides",
                       builder.getDenseI64ArrayAttr(all.take_front(2)));
    state.addAttribute("padding",
                       builder.getDenseI64ArrayAttr(all.drop_front(2)));
  }

  bool inferShape(ArrayRef<Shape> operands, const Params &params, Shape &result,
                  std::string *error) const override {
    auto fail = [&](std::string text) {
      if (error)
        *error = std::move(text);
      return false;
    };
    const Shape &image = operands[0], &filter = operands[1];
    if (image.size() != 4 || filter.size() != 4)
      return fail("expected an image NxHxWxC and a filter KHxKWxCxF, found " +
                  getShapeText(image) + " and " + getShapeText(filter));
    if (params.size() != NumParams)
      return fail("expected 2 'strides' and 4 numbers of 'padding'");
    for (int64_t param : ArrayRef(params).take_front(2))
      if (param < 1 || param > kLargest)
        return fail("a stride must be from 1 to " + std::to_string(kLargest) +
                    ", found " + std::to_string(param));
    for (int64_t param : ArrayRef(params).drop_front(2))
      if (param < 0 || param > kLargest)
        return fail("padding must be from 0 to " + std::to_string(kLargest) +
                    ", found " + std::to_string(param));
    if (image[3] != filter[2])
      return fail("the image has " + std::to_string(image[3]) +
                  " channels and the filter " + std::to_string(filter[2]));
    int64_t height = image[1] + params[Top] + params[Bottom] - filter[0];
    int64_t width = image[2] + params[Left] + params[Right] - filter[1];
    if (height < 0 || width < 0)
      return fail("the filter, " + getShapeText(filter) +
                  ", is larger than the padded image, " + getShapeText(image));
    result = {image[0], height / params[StrideH] + 1,
              width / params[StrideW] + 1, filter[3]};
    // Sizes are at most 2^40 and 2^40 + 2^21: doubles are exact enough.
    double products = 1;
    for (int64_t size : {result[0], result[1], result[2], result[3], filter[0],
                         filter[1], filter[2]})
      products *= size;
    if (products > kMostProducts)
      return fail("more than 2^60 products of " + getShapeText(image) +
                  " and " + getShapeText(filter));
    return true;
  }

  std::optional<IterationSpace>
  getIterationSpace(ArrayRef<Shape>, const Params &) const override {
    return std::nullopt;
  }

  Tensor evaluate(const NumberSystem &numbers,
                  ArrayRef<const Tensor *> operands,
                  const Params &params) const override {
    Shape shape;
    inferShape({operands[0]->shape, operands[1]->shape}, params, shape,
               nullptr);
    Tensor filter = *operands[1];
    Params sizes = params;
    sizes.append({filter.shape[0], filter.shape[1], shape[1], shape[2]});
    filter.shape = {filter.shape[0] * filter.shape[1] * filter.shape[2],
                    filter.shape[3]};
    Tensor result =
        numbers.matmul(Patches().evaluate(numbers, operands[0], sizes), filter);
    result.shape = shape;
    return result;
  }

  Expr getExpr(ExprContext &context, ArrayRef<Shape> shapes,
               ArrayRef<Expr> operands, const Params &) const override {
    return context.sum(shapes[1][0] * shapes[1][1] * shapes[1][2],
                       context.mul(operands[0], operands[1]));
  }

  OperatorCost getCost(ArrayRef<Shape> operands, ArrayRef<int64_t> result,
                       const Params &) const override {
    OperatorCost cost;
    const Shape &filter = operands[1];
    cost.tensorFlops =
        2 * mirage::getNumElements(result) * filter[0] * filter[1] * filter[2];
    return cost;
  }

  Term getElement(ElementAlgebra &algebra, ArrayRef<Shape> operands,
                  ArrayRef<Index> index, const Params &params) const override {
    const Shape &image = operands[0], &filter = operands[1];
    return algebra.sum(filter[0], [&](Index kh) {
      return algebra.sum(filter[1], [&](Index kw) {
        return algebra.sum(filter[2], [&](Index c) {
          Term pixel = readPadded(
              algebra, index[1], kh, params[StrideH], params[Top], image[1],
              [&](Index y) {
                return readPadded(algebra, index[2], kw, params[StrideW],
                                  params[Left], image[2], [&](Index x) {
                                    return algebra.read(0, {index[0], y, x, c});
                                  });
              });
          return algebra.mul(pixel, algebra.read(1, {kh, kw, c, index[3]}));
        });
      });
    });
  }

private:
  /// Larger strides and paddings could overflow.
  static constexpr int64_t kLargest = 1 << 20;
  /// So that flops can be counted.
  static constexpr double kMostProducts = 1LL << 60;
};

} // namespace

void mirage::addConvolution(OperatorList &list) {
  list.push_back(std::make_unique<Conv2D>());
}
