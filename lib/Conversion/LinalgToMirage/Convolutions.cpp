//===- Convolutions.cpp - Generics that are convolutions ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::linalg_import;

namespace {

/// A dimension of an image that a filter moves over: it is read at
/// `stride * position + dilation * offset`.
struct Window {
  int64_t position, offset;
  int64_t stride, dilation;
};

/// A loop times a constant.
std::optional<std::pair<int64_t, int64_t>> getScaledLoop(AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return std::pair<int64_t, int64_t>(dim.getPosition(), 1);
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!product || product.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(product.getLHS());
  auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
  if (!dim || !factor)
    return std::nullopt;
  return std::pair<int64_t, int64_t>(dim.getPosition(), factor.getValue());
}

std::optional<Window> getWindow(AffineExpr expr, ArrayRef<bool> reduced) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  auto position = getScaledLoop(sum.getLHS());
  auto offset = getScaledLoop(sum.getRHS());
  if (!position || !offset)
    return std::nullopt;
  if (reduced[position->first])
    std::swap(position, offset);
  if (reduced[position->first] || !reduced[offset->first])
    return std::nullopt;
  return Window{position->first, offset->first, position->second,
                offset->second};
}

/// The loops of a convolution.
struct ConvolutionLoops {
  SmallVector<Window, 2> windows;
  int64_t batch = -1, channel = -1, filter = -1;
  /// Where in the image its dimensions are: batch, the windows', channel.
  SmallVector<int64_t> imageOrder;
};

/// Where in a list of loops others are; nothing unless they are all of them,
/// each once.
std::optional<SmallVector<int64_t>> locate(ArrayRef<int64_t> loops,
                                           ArrayRef<int64_t> wanted) {
  if (loops.size() != wanted.size())
    return std::nullopt;
  SmallVector<int64_t> places;
  for (int64_t loop : wanted) {
    const auto *it = llvm::find(loops, loop);
    if (it == loops.end() || llvm::is_contained(places, it - loops.begin()))
      return std::nullopt;
    places.push_back(it - loops.begin());
  }
  return places;
}

/// Reads an image's map: two windows, and a loop each for the images and the
/// channels.
std::optional<ConvolutionLoops> getImageLoops(AffineMap map,
                                              ArrayRef<bool> reduced) {
  ConvolutionLoops found;
  SmallVector<int64_t> windowDims;
  int64_t batchDim = -1, channelDim = -1;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (std::optional<Window> window = getWindow(expr, reduced)) {
      found.windows.push_back(*window);
      windowDims.push_back(i);
      continue;
    }
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return std::nullopt;
    bool isChannel = reduced[dim.getPosition()];
    (isChannel ? found.channel : found.batch) = dim.getPosition();
    (isChannel ? channelDim : batchDim) = i;
  }
  if (map.getNumResults() != 4 || windowDims.size() != 2 || batchDim < 0 ||
      channelDim < 0)
    return std::nullopt;
  found.imageOrder = {batchDim, windowDims[0], windowDims[1], channelDim};
  return found;
}

/// The sizes of loops that a map without windows gives.
void setSizes(AffineMap map, ArrayRef<int64_t> shape,
              MutableArrayRef<int64_t> sizes) {
  for (auto [expr, size] : llvm::zip_equal(map.getResults(), shape))
    sizes[cast<AffineDimExpr>(expr).getPosition()] = size;
}

} // namespace

llvm::Expected<Value>
linalg_import::importConvolution(KernelGraphBuilder &graph,
                                 linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 3)
    return Value();
  llvm::Expected<Reduction> reduction = getReduction(op, 0);
  if (!reduction) {
    // The reason is found again by those who read sums.
    llvm::consumeError(reduction.takeError());
    return Value();
  }
  auto factors = getFactors(op, reduction->term);
  if (!factors || reduction->kind != Reduction::Kind::Sum)
    return Value();
  auto [image, filter] = *factors;
  if (op.getMatchingIndexingMap(image.input).isProjectedPermutation())
    std::swap(image, filter);

  SmallVector<bool> reduced;
  for (utils::IteratorType type : op.getIteratorTypesArray())
    reduced.push_back(type == utils::IteratorType::reduction);
  std::optional<ConvolutionLoops> loops =
      getImageLoops(op.getMatchingIndexingMap(image.input), reduced);
  OpOperand *init = op.getDpsInitOperand(0);
  AffineMap filterMap = op.getMatchingIndexingMap(filter.input);
  AffineMap resultMap = op.getMatchingIndexingMap(init);
  if (!loops || !filterMap.isProjectedPermutation() ||
      !resultMap.isProjectedPermutation())
    return Value();
  SmallVector<int64_t> filterLoops = *getDimLoops(filterMap);
  SmallVector<int64_t> resultLoops = *getDimLoops(resultMap);
  for (int64_t loop : filterLoops)
    if (!reduced[loop])
      loops->filter = loop;
  const Window &vertical = loops->windows[0], &horizontal = loops->windows[1];
  auto filterOrder = locate(filterLoops, {vertical.offset, horizontal.offset,
                                          loops->channel, loops->filter});
  SmallVector<int64_t> produced = {loops->batch, vertical.position,
                                   horizontal.position, loops->filter};
  if (!filterOrder || !locate(resultLoops, produced))
    return Value();

  for (OpOperand *operand : {image.input, filter.input}) {
    if (llvm::Error error = checkTensorType(operand->get().getType()))
      return error;
    if (isUninitialized(operand->get()))
      return declined("operand " + Twine(operand->getOperandNumber()) +
                      " is a tensor that nothing was written to");
  }
  SmallVector<int64_t> sizes(reduced.size(), 0);
  setSizes(filterMap, getShape(filter.input->get()), sizes);
  setSizes(resultMap, getShape(init->get()), sizes);
  Params params;
  for (const Window &window : loops->windows) {
    if (window.dilation != 1 && sizes[window.offset] != 1)
      return declined("a convolution with dilation " + Twine(window.dilation) +
                      " has no Mirage operator");
    params.push_back(window.stride);
  }

  Value padded = image.input->get();
  params.append(4, 0);
  if (std::optional<ZeroPadding> padding = getZeroPadding(padded)) {
    // Padded images or channels stay as they are.
    if (padding->low[loops->imageOrder[0]] == 0 &&
        padding->high[loops->imageOrder[0]] == 0 &&
        padding->low[loops->imageOrder[3]] == 0 &&
        padding->high[loops->imageOrder[3]] == 0) {
      padded = padding->source;
      for (unsigned i : {0, 1}) {
        params[2 + 2 * i] = padding->low[loops->imageOrder[1 + i]];
        params[3 + 2 * i] = padding->high[loops->imageOrder[1 + i]];
      }
    }
  }
  Value operands[] = {
      graph.transpose(image.getValue(graph, padded), loops->imageOrder),
      graph.transpose(filter.getValue(graph), *filterOrder)};
  Shape shape;
  std::string error;
  if (!getOperator("conv_2d").inferShape(
          {Shape(getShape(operands[0])), Shape(getShape(operands[1]))}, params,
          shape, &error))
    return declined(error);
  for (auto [loop, size] : llvm::zip_equal(produced, shape))
    if (sizes[loop] != size)
      return declined("the convolution leaves out positions of its filter");

  Value result = graph.apply("conv_2d", operands, graph.getF32Type(), params);
  SmallVector<int64_t> resultOrder = *locate(produced, resultLoops);
  llvm::Expected<Value> sum =
      addInit(graph, graph.transpose(result, resultOrder), init->get());
  if (!sum)
    return sum;
  return graph.cast(*sum, getElementTypeOrSelf(init->get()));
}
