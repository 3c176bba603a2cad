//===- IndexCode.cpp - Sums and products of indices -----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mirage;
using namespace mlir;

std::pair<Value, int64_t> mirage::splitConstant(Value index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return {Value(), *constant};
  if (auto sum = index.getDefiningOp<arith::AddIOp>())
    if (std::optional<int64_t> constant = getConstantIntValue(sum.getRhs()))
      return {sum.getLhs(), *constant};
  return {index, 0};
}

/// A number, and the constant that it is multiplied with.
static std::pair<Value, int64_t> splitFactor(Value index) {
  if (auto product = index.getDefiningOp<arith::MulIOp>())
    if (std::optional<int64_t> factor = getConstantIntValue(product.getRhs()))
      return {product.getLhs(), *factor};
  return {index, 1};
}

Value mirage::makeIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

static Value join(OpBuilder &builder, Location loc, Value variable,
                  int64_t constant) {
  if (!variable)
    return makeIndex(builder, loc, constant);
  return constant == 0
             ? variable
             : arith::AddIOp::create(builder, loc, variable,
                                     makeIndex(builder, loc, constant));
}

/// `q * (d * n) + r * n` as `x * n`, where q is x / d, and r is x % d: what
/// takes a number apart and puts it together again. Null where it isn't that.
static Value joinQuotient(OpBuilder &builder, Location loc, Value a, Value b) {
  auto [q, ofQ] = splitFactor(a);
  auto [r, ofR] = splitFactor(b);
  auto quotient = q.getDefiningOp<arith::DivUIOp>();
  auto remainder = r.getDefiningOp<arith::RemUIOp>();
  if (!quotient || !remainder ||
      splitConstant(quotient.getLhs()) != splitConstant(remainder.getLhs()))
    return Value();
  std::optional<int64_t> divisor = getConstantIntValue(quotient.getRhs());
  if (!divisor || getConstantIntValue(remainder.getRhs()) != divisor ||
      ofQ != *divisor * ofR)
    return Value();
  return multiplyIndex(builder, loc, quotient.getLhs(), ofR);
}

Value mirage::addIndices(OpBuilder &builder, Location loc, Value a, Value b) {
  auto [x, ofX] = splitConstant(a);
  auto [y, ofY] = splitConstant(b);
  if (!x || !y)
    return join(builder, loc, x ? x : y, ofX + ofY);
  for (auto [q, r] : {std::pair(x, y), std::pair(y, x)})
    if (Value whole = joinQuotient(builder, loc, q, r))
      return addIndices(builder, loc, whole, ofX + ofY);
  return join(builder, loc, arith::AddIOp::create(builder, loc, x, y),
              ofX + ofY);
}

Value mirage::addIndices(OpBuilder &builder, Location loc, Value a, int64_t b) {
  auto [x, ofX] = splitConstant(a);
  return b == 0 ? a : join(builder, loc, x, ofX + b);
}

Value mirage::multiplyIndex(OpBuilder &builder, Location loc, Value a,
                            int64_t factor) {
  if (factor == 1)
    return a;
  auto [x, ofX] = splitConstant(a);
  if (!x || factor == 0)
    return makeIndex(builder, loc, ofX * factor);
  Value product =
      arith::MulIOp::create(builder, loc, x, makeIndex(builder, loc, factor));
  return join(builder, loc, product, ofX * factor);
}

std::pair<Value, Value> mirage::splitMultiple(OpBuilder &builder, Location loc,
                                              Value index, int64_t divisor) {
  auto get = [&](int64_t value) { return makeIndex(builder, loc, value); };
  auto [x, ofX] = splitConstant(index);
  if (!x || ofX != 0) {
    int64_t quotient = llvm::divideFloorSigned(ofX, divisor);
    auto [q, rest] =
        x ? splitMultiple(builder, loc, x, divisor) : std::pair(get(0), get(0));
    return {addIndices(builder, loc, q, quotient),
            addIndices(builder, loc, rest, ofX - quotient * divisor)};
  }
  if (divisor == 1)
    return {x, get(0)};
  if (auto [y, factor] = splitFactor(x); factor != 1) {
    int64_t common = std::gcd(factor, divisor);
    auto [q, rest] = splitMultiple(builder, loc, y, divisor / common);
    if (rest == y)
      return {get(0), x};
    return {multiplyIndex(builder, loc, q, factor / common),
            multiplyIndex(builder, loc, rest, factor)};
  }
  auto sum = x.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return {get(0), x};
  auto [a, restOfA] = splitMultiple(builder, loc, sum.getLhs(), divisor);
  auto [b, restOfB] = splitMultiple(builder, loc, sum.getRhs(), divisor);
  if (restOfA == sum.getLhs() && restOfB == sum.getRhs())
    return {get(0), x};
  return {addIndices(builder, loc, a, b),
          addIndices(builder, loc, restOfA, restOfB)};
}

Value mirage::divideIndex(OpBuilder &builder, Location loc, Value a,
                          int64_t divisor) {
  if (divisor == 1)
    return a;
  auto [quotient, rest] = splitMultiple(builder, loc, a, divisor);
  return addIndices(builder, loc,
                    builder.createOrFold<arith::DivUIOp>(
                        loc, rest, makeIndex(builder, loc, divisor)),
                    quotient);
}

Value mirage::getIndexRemainder(OpBuilder &builder, Location loc, Value a,
                                int64_t divisor) {
  if (divisor == 1)
    return makeIndex(builder, loc, 0);
  auto [quotient, rest] = splitMultiple(builder, loc, a, divisor);
  return builder.createOrFold<arith::RemUIOp>(loc, rest,
                                              makeIndex(builder, loc, divisor));
}
