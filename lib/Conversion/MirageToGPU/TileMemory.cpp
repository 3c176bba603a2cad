//===- TileMemory.cpp - Where the elements of a tile are ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileMemory.h"
#include "ElementCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mirage;
using namespace mlir;

Type TileMemory::getElementType() const {
  return cast<MemRefType>(flat.getType()).getElementType();
}

int64_t TileMemory::getElementSize() const {
  return getElementType().getIntOrFloatBitWidth() / 8;
}

bool TileMemory::isShared() const {
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
      cast<MemRefType>(flat.getType()));
}

bool TileMemory::isVector(int64_t width) const {
  if (width == 1)
    return true;
  if (strides.empty() || strides.back() != 1 || offset % width != 0)
    return false;
  constexpr int64_t kPiece = 16;
  if (swizzle.mask && width * getElementSize() > kPiece)
    return false;
  return llvm::all_of(ArrayRef(strides).drop_back(),
                      [&](int64_t stride) { return stride % width == 0; });
}

int64_t TileMemory::getSwizzleBytes() const {
  int64_t bytes = swizzle.rowElements * getElementSize();
  bool isOfTMA =
      swizzle.mask && !swizzle.isFolded && bytes == (swizzle.mask + 1) * 16;
  return isOfTMA ? bytes : 0;
}

Value TileMemory::getPlace(OpBuilder &builder, Location loc,
                           ValueRange index) const {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value place;
  for (auto [i, stride] : llvm::zip_equal(index, strides)) {
    if (stride == 0 || matchPattern(i, m_Zero()))
      continue;
    Value step = stride == 1
                     ? i
                     : arith::MulIOp::create(builder, loc, i, constant(stride));
    place = place ? arith::AddIOp::create(builder, loc, place, step) : step;
  }
  if (!place)
    place = constant(offset);
  else if (offset != 0)
    place = arith::AddIOp::create(builder, loc, place, constant(offset));
  if (swizzle.mask == 0)
    return place;
  Value row = arith::DivUIOp::create(builder, loc, place,
                                     constant(swizzle.rowElements));
  auto shift = [&](unsigned by) -> Value {
    return by == 0 ? row
                   : arith::ShRUIOp::create(builder, loc, row, constant(by))
                         .getResult();
  };
  Value bits = shift(swizzle.firstRowBit);
  if (swizzle.isFolded)
    bits = arith::XOrIOp::create(
        builder, loc, bits,
        shift(swizzle.firstRowBit + llvm::popcount<uint64_t>(swizzle.mask)));
  bits = arith::AndIOp::create(builder, loc, bits, constant(swizzle.mask));
  return arith::XOrIOp::create(
      builder, loc, place,
      arith::ShLIOp::create(builder, loc, bits, constant(swizzle.firstBit)));
}

Value TileMemory::load(OpBuilder &builder, Location loc, ValueRange index,
                       int64_t width, bool raw) const {
  Type wanted = raw ? getElementType() : builder.getF32Type();
  if (width == 1) {
    Value element = memref::LoadOp::create(builder, loc, flat,
                                           getPlace(builder, loc, index));
    return convertFloat(builder, loc, element, wanted);
  }
  auto type = VectorType::get(width, getElementType());
  if (isVector(width)) {
    Value elements = vector::LoadOp::create(
        builder, loc, type, flat, getPlace(builder, loc, index),
        /*nontemporal=*/false, llvm::MaybeAlign(width * getElementSize()));
    return convertFloat(builder, loc, elements, wanted);
  }
  SmallVector<Value> elements, position(index);
  for (int64_t i = 0; i < width; ++i) {
    position.back() =
        arith::AddIOp::create(builder, loc, index.back(),
                              arith::ConstantIndexOp::create(builder, loc, i));
    elements.push_back(load(builder, loc, position, 1, raw));
  }
  return vector::FromElementsOp::create(
      builder, loc, VectorType::get(width, wanted), elements);
}

void TileMemory::store(OpBuilder &builder, Location loc, Value value,
                       ValueRange index) const {
  value = convertFloat(builder, loc, value, getElementType());
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type) {
    memref::StoreOp::create(builder, loc, value, flat,
                            getPlace(builder, loc, index));
    return;
  }
  int64_t width = type.getNumElements();
  if (isVector(width)) {
    vector::StoreOp::create(
        builder, loc, value, flat, getPlace(builder, loc, index),
        /*nontemporal=*/false, llvm::MaybeAlign(width * getElementSize()));
    return;
  }
  SmallVector<Value> position(index);
  for (int64_t i = 0; i < width; ++i) {
    position.back() =
        arith::AddIOp::create(builder, loc, index.back(),
                              arith::ConstantIndexOp::create(builder, loc, i));
    store(builder, loc, vector::ExtractOp::create(builder, loc, value, i),
          position);
  }
}

SmallVector<int64_t, 4> mirage::getRowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t, 4> strides(shape.size());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0; stride *= shape[d])
    strides[d] = stride;
  return strides;
}

Value mirage::reinterpretMemRef(OpBuilder &builder, Location loc, Value memref,
                                ArrayRef<int64_t> shape) {
  auto type = cast<MemRefType>(memref.getType());
  if (type.getShape() == shape)
    return memref;
  return memref::ReinterpretCastOp::create(
      builder, loc, MemRefType::get(shape, type.getElementType()), memref,
      /*offset=*/0, shape, getRowMajorStrides(shape));
}

namespace {

/// Index notation over linear functions of the index. Of terms only the reading
/// of an operand means something.
class ViewAlgebra final : public ElementAlgebra {
public:
  struct Linear {
    int64_t constant = 0;
    SmallVector<int64_t> factors;
  };
  struct Read {
    unsigned operand;
    SmallVector<Linear> index;
  };

  explicit ViewAlgebra(size_t rank) : rank(rank) {}

  Index makeDim(size_t d) {
    Linear linear{0, SmallVector<int64_t>(rank)};
    linear.factors[d] = 1;
    return make(std::move(linear));
  }
  const Read *getRead(Term term) const {
    return term < reads.size() ? &reads[term] : nullptr;
  }

  Index indexConstant(int64_t value) override {
    return make({value, SmallVector<int64_t>(rank)});
  }
  Index indexAdd(Index a, Index b) override {
    Linear sum = indices[a];
    sum.constant += indices[b].constant;
    for (auto [factor, other] : llvm::zip(sum.factors, indices[b].factors))
      factor += other;
    return make(std::move(sum));
  }
  Index indexMul(Index a, int64_t factor) override {
    Linear product = indices[a];
    product.constant *= factor;
    for (int64_t &f : product.factors)
      f *= factor;
    return make(std::move(product));
  }
  Index indexDiv(Index a, int64_t divisor) override {
    return divisor == 1 ? a : fail();
  }
  Index indexMod(Index a, int64_t divisor) override {
    return divisor == 1 ? indexConstant(0) : fail();
  }
  Term read(unsigned operand, ArrayRef<Index> index) override {
    Read read{operand, {}};
    for (Index i : index)
      read.index.push_back(indices[i]);
    reads.push_back(std::move(read));
    return reads.size() - 1;
  }

  Term sum(int64_t, function_ref<Term(Index)>) override { return kNone; }
  Term max(int64_t, function_ref<Term(Index)>) override { return kNone; }
  Term select(Index, int64_t, function_ref<Term()>,
              function_ref<Term()>) override {
    return kNone;
  }
  Term constant(double) override { return kNone; }
  Term add(Term, Term) override { return kNone; }
  Term sub(Term, Term) override { return kNone; }
  Term mul(Term, Term) override { return kNone; }
  Term div(Term, Term) override { return kNone; }
  Term max(Term, Term) override { return kNone; }
  Term exp(Term) override { return kNone; }
  Term sqrt(Term) override { return kNone; }
  Term log(Term) override { return kNone; }
  Term erf(Term) override { return kNone; }
  Term function(StringRef, ArrayRef<Term>, function_ref<Term()>) override {
    return kNone;
  }

  bool failed = false;

private:
  static constexpr Term kNone = ~0u;
  Index make(Linear linear) {
    indices.push_back(std::move(linear));
    return indices.size() - 1;
  }
  Index fail() {
    failed = true;
    return indexConstant(0);
  }

  size_t rank;
  SmallVector<Linear> indices;
  SmallVector<Read> reads;
};

} // namespace

TileMemory mirage::getView(OperatorOpInterface op,
                           function_ref<TileMemory(Value)> getMemory) {
  SmallVector<Shape> shapes;
  for (Value operand : op->getOperands())
    shapes.emplace_back(cast<ShapedType>(operand.getType()).getShape());
  size_t rank = cast<ShapedType>(op->getResult(0).getType()).getRank();
  ViewAlgebra algebra(rank);
  SmallVector<ElementAlgebra::Index> index;
  for (size_t d = 0; d < rank; ++d)
    index.push_back(algebra.makeDim(d));
  const ViewAlgebra::Read *read = algebra.getRead(
      op.getSemantics().getElement(algebra, shapes, index, op.getParams()));
  if (algebra.failed || !read)
    return {};
  TileMemory view = getMemory(op->getOperand(read->operand));
  if (!view)
    return {};
  SmallVector<int64_t, 4> strides(rank);
  for (auto [linear, stride] : llvm::zip_equal(read->index, view.strides)) {
    view.offset += linear.constant * stride;
    for (size_t d = 0; d < rank; ++d)
      strides[d] += linear.factors[d] * stride;
  }
  view.strides = std::move(strides);
  return view;
}
