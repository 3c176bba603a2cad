//===- TensorOps.cpp - Import of tensor ops and of softmax ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::linalg_import;

static llvm::Error hasNoOperator(Operation *op, const Twine &condition = "") {
  return declined("'" + op->getName().getStringRef() + "'" + condition +
                  " has no Mirage operator yet" +
                  (isa<CallOpInterface>(op)
                       ? "; --inline brings in functions that have a body"
                       : ""));
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// The number that a tensor.pad fills in, or nothing.
static std::optional<APFloat> getPaddingNumber(tensor::PadOp pad) {
  Value value = pad.getConstantPaddingValue();
  return value ? getScalarConstant(value) : std::nullopt;
}

/// Whether the amounts are numbers, and none of them removes elements.
static bool hasPlainAmounts(tensor::PadOp pad) {
  for (ArrayRef<int64_t> amounts : {pad.getStaticLow(), pad.getStaticHigh()})
    // A dynamic amount is the least integer.
    if (llvm::any_of(amounts, [](int64_t amount) { return amount < 0; }))
      return false;
  return true;
}

std::optional<ZeroPadding> linalg_import::getZeroPadding(Value tensor) {
  auto pad = tensor.getDefiningOp<tensor::PadOp>();
  if (!pad || !hasPlainAmounts(pad))
    return std::nullopt;
  std::optional<APFloat> number = getPaddingNumber(pad);
  if (!number || !number->isZero())
    return std::nullopt;
  return ZeroPadding{pad.getSource(), pad.getStaticLow(), pad.getStaticHigh()};
}

/// Concatenations with a repeated number.
static llvm::Expected<Value> importPad(KernelGraphBuilder &graph,
                                       tensor::PadOp pad) {
  std::optional<APFloat> number = getPaddingNumber(pad);
  if (!number || !hasPlainAmounts(pad))
    return hasNoOperator(pad, " with other than constant numbers");
  llvm::Expected<Value> constant = graph.constant(*number);
  if (!constant)
    return constant;
  Value value = pad.getSource();
  for (size_t dim = 0; dim < pad.getStaticLow().size(); ++dim) {
    auto makeFiller = [&](int64_t amount) {
      SmallVector<int64_t> shape(getShape(value));
      shape[dim] = amount;
      return graph.broadcast(*constant, shape, getElementTypeOrSelf(value));
    };
    SmallVector<Value> parts;
    if (int64_t low = pad.getStaticLow()[dim])
      parts.push_back(makeFiller(low));
    parts.push_back(value);
    if (int64_t high = pad.getStaticHigh()[dim])
      parts.push_back(makeFiller(high));
    value = graph.concat(parts, dim);
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

bool linalg_import::isPartOfConcat(Operation *op) {
  if (!isa<tensor::InsertSliceOp>(op) || !op->hasOneUse())
    return false;
  auto next = dyn_cast<tensor::InsertSliceOp>(*op->user_begin());
  return next && next.getDest() == op->getResult(0) &&
         next.getSource() != op->getResult(0);
}

/// The dimension along which slices, sorted, lie one after the other and make
/// up a tensor; nothing where they don't.
static std::optional<int64_t>
findConcatDim(SmallVectorImpl<tensor::InsertSliceOp> &slices,
              ArrayRef<int64_t> shape) {
  for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim) {
    llvm::sort(slices, [&](tensor::InsertSliceOp a, tensor::InsertSliceOp b) {
      return a.getStaticOffsets()[dim] < b.getStaticOffsets()[dim];
    });
    int64_t next = 0;
    bool fits = true;
    for (tensor::InsertSliceOp slice : slices) {
      SmallVector<int64_t> offsets(shape.size(), 0), sizes(shape);
      offsets[dim] = next;
      sizes[dim] = slice.getStaticSizes()[dim];
      fits &= slice.getStaticOffsets() == ArrayRef(offsets) &&
              slice.getStaticSizes() == ArrayRef(sizes) &&
              llvm::all_of(slice.getStaticStrides(),
                           [](int64_t stride) { return stride == 1; });
      if (!fits)
        break;
      next += sizes[dim];
    }
    if (fits && next == shape[dim])
      return dim;
  }
  return std::nullopt;
}

/// The dimension that slices make up as the teeth of combs do: the first has
/// each n-th element, the second the ones behind these, and so on.
static std::optional<int64_t>
findInterleavedDim(SmallVectorImpl<tensor::InsertSliceOp> &slices,
                   ArrayRef<int64_t> shape) {
  const int64_t n = slices.size();
  for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim) {
    llvm::sort(slices, [&](tensor::InsertSliceOp a, tensor::InsertSliceOp b) {
      return a.getStaticOffsets()[dim] < b.getStaticOffsets()[dim];
    });
    SmallVector<int64_t> offsets(shape.size(), 0), sizes(shape),
        strides(shape.size(), 1);
    sizes[dim] = shape[dim] / n;
    strides[dim] = n;
    bool fits = n > 1 && shape[dim] % n == 0;
    for (tensor::InsertSliceOp slice : slices) {
      fits &= slice.getStaticOffsets() == ArrayRef(offsets) &&
              slice.getStaticSizes() == ArrayRef(sizes) &&
              slice.getStaticStrides() == ArrayRef(strides);
      ++offsets[dim];
    }
    if (fits)
      return dim;
  }
  return std::nullopt;
}

static Value takeRange(KernelGraphBuilder &graph, Value value, int64_t dim,
                       int64_t offset, int64_t size) {
  if (size == getShape(value)[dim])
    return value;
  return graph.apply("slice", value, getElementTypeOrSelf(value),
                     {dim, offset, size});
}

/// A tensor with another in the place of a box of its elements: what is before
/// the box along a dimension, the same of what is beside it, and what is
/// behind.
static Value putInto(KernelGraphBuilder &graph, Value whole, Value part,
                     ArrayRef<int64_t> offsets) {
  for (auto [d, size] : llvm::enumerate(getShape(part))) {
    const int64_t dim = d, all = getShape(whole)[d], end = offsets[d] + size;
    if (size == all)
      continue;
    SmallVector<Value> parts;
    if (offsets[d] > 0)
      parts.push_back(takeRange(graph, whole, dim, 0, offsets[d]));
    parts.push_back(putInto(
        graph, takeRange(graph, whole, dim, offsets[d], size), part, offsets));
    if (end < all)
      parts.push_back(takeRange(graph, whole, dim, end, all - end));
    return graph.concat(parts, dim);
  }
  return part;
}

/// The last of the slices that make up a tensor, or are put into one.
static llvm::Expected<Value> importInsertSlice(KernelGraphBuilder &graph,
                                               tensor::InsertSliceOp last) {
  SmallVector<tensor::InsertSliceOp> slices;
  auto slice = last;
  do {
    if (llvm::Error error = checkTensorType(slice.getSource().getType()))
      return std::move(error);
    slices.push_back(slice);
    slice = slice.getDest().getDefiningOp<tensor::InsertSliceOp>();
  } while (slice && isPartOfConcat(slice));

  const Value base = slices.back().getDest();
  const SmallVector<tensor::InsertSliceOp> inOrder(llvm::reverse(slices));
  ArrayRef<int64_t> shape = last.getType().getShape();
  auto getPart = [&](tensor::InsertSliceOp part) {
    return graph.reshape(part.getSource(), part.getStaticSizes());
  };
  if (std::optional<int64_t> dim = findConcatDim(slices, shape))
    return graph.concat(llvm::map_to_vector(slices, getPart), *dim);
  if (std::optional<int64_t> dim = findInterleavedDim(slices, shape)) {
    SmallVector<Value> parts;
    for (tensor::InsertSliceOp slice : slices) {
      SmallVector<int64_t> sizes(slice.getStaticSizes());
      sizes.insert(sizes.begin() + *dim + 1, 1);
      parts.push_back(graph.reshape(slice.getSource(), sizes));
    }
    return graph.reshape(graph.concat(parts, *dim + 1), shape);
  }
  if (base.getDefiningOp<tensor::EmptyOp>())
    return hasNoOperator(last, " of slices that leave something of a "
                               "tensor.empty, or overlap,");
  Value value = base;
  for (tensor::InsertSliceOp slice : inOrder) {
    if (llvm::any_of(slice.getStaticOffsets(), ShapedType::isDynamic) ||
        llvm::any_of(slice.getStaticSizes(), ShapedType::isDynamic) ||
        !llvm::all_of(slice.getStaticStrides(),
                      [](int64_t stride) { return stride == 1; }))
      return hasNoOperator(slice, " of offsets and sizes that are not "
                                  "constants, or strides other than 1,");
    value = putInto(graph, value, getPart(slice), slice.getStaticOffsets());
  }
  return value;
}

/// A slice for each dimension of which not all is taken. Each n-th element is
/// one of n in as many groups.
static llvm::Expected<Value> importExtractSlice(KernelGraphBuilder &graph,
                                                tensor::ExtractSliceOp op) {
  Value value = op.getSource();
  auto take = [&](int64_t dim, int64_t offset, int64_t size) {
    value = takeRange(graph, value, dim, offset, size);
  };
  for (auto [d, offset, size, stride] : llvm::enumerate(
           op.getStaticOffsets(), op.getStaticSizes(), op.getStaticStrides())) {
    const int64_t dim = d;
    if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size) ||
        ShapedType::isDynamic(stride))
      return hasNoOperator(op, " of offsets, sizes or strides that are not "
                               "constants");
    if (size == 1 || stride == 1) {
      take(dim, offset, size);
      continue;
    }
    if (stride < 1)
      return hasNoOperator(op, " of strides that are not positive");
    // The groups that it is one of: those from the beginning on, or, if these
    // don't divide the dimension, just so many, the last of which has to end in
    // it.
    int64_t whole = getShape(value)[d], first = offset;
    if (whole % stride != 0 || offset / stride + size > whole / stride) {
      if (whole < size * stride)
        return hasNoOperator(op, " of strides that reach beyond the dimension");
      const int64_t begin = std::min(offset, whole - size * stride);
      take(dim, begin, size * stride);
      whole = size * stride;
      first = offset - begin;
    }
    SmallVector<int64_t> shape(getShape(value));
    shape[dim] = whole / stride;
    shape.insert(shape.begin() + dim + 1, stride);
    value = graph.reshape(value, shape);
    take(dim, first / stride, size);
    take(dim + 1, first % stride, 1);
    shape.assign(getShape(value).begin(), getShape(value).end());
    shape.erase(shape.begin() + dim + 1);
    value = graph.reshape(value, shape);
  }
  return graph.reshape(value, getShape(op.getResult()));
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

static Value importSoftmax(KernelGraphBuilder &graph, linalg::SoftmaxOp op) {
  Type f32 = graph.getF32Type();
  Value input = op.getInput();
  Params dim = {static_cast<int64_t>(op.getDimension())};
  Value largest = graph.apply("reduce_max", input, f32, dim);
  Value exp =
      graph.apply("exp", graph.apply("sub", {input, largest}, f32), f32);
  Value sum = graph.apply("sum", exp, f32, dim);
  return graph.apply("div", {exp, sum},
                     getElementTypeOrSelf(op.getResult()[0]));
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

llvm::Expected<Value> linalg_import::importTensorOp(KernelGraphBuilder &graph,
                                                    Operation *op) {
  if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp,
           tensor::CastOp, tensor::ConcatOp, tensor::PadOp,
           tensor::InsertSliceOp, tensor::ExtractSliceOp, linalg::SoftmaxOp>(
          op))
    return hasNoOperator(op);
  if (op->getNumResults() == 0)
    return declined("it works on buffers");
  // Only a concatenation has more than one tensor to read; those of a chain of
  // slices are checked on the way.
  SmallVector<Type> types = {op->getOperand(0).getType()};
  if (isa<tensor::ConcatOp>(op))
    types.assign(op->operand_type_begin(), op->operand_type_end());
  types.push_back(op->getResult(0).getType());
  for (Type type : types)
    if (llvm::Error error = checkTensorType(type))
      return error;

  Value operand = op->getOperand(0);
  ArrayRef<int64_t> shape = getShape(op->getResult(0));
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return graph.concat(concat.getInputs(), concat.getDim());
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return importPad(graph, pad);
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    return importInsertSlice(graph, slice);
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    return importSoftmax(graph, softmax);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return importExtractSlice(graph, slice);
  return graph.reshape(operand, shape);
}
