//===- RandomModel.cpp - Abstract expressions as numbers ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// add and mul are those of a product of prime fields. sum(k, .) multiplies by a
// power of k, and sqrt and div multiply powers of the components, with random
// exponents: maps that keep products. exp takes sums modulo the prime q of one
// level to products modulo the prime p of the level above, by raising an
// element of order q, since q divides p - 1. At the lowest level it is 1, so
// that a level can tell exponentials nested less deep than there are levels
// below it.
//
//===----------------------------------------------------------------------===//

#include "Mirage/AbstractExpr/RandomModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/xxhash.h"

using namespace mirage;
using Kind = ExprNode::Kind;
using Value = RandomModel::Value;

static constexpr unsigned kLevels = RandomModel::kLevels;

/// Each divides the one before minus 1, and `kRoots` has that order modulo the
/// one before.
static constexpr uint64_t kPrimes[kLevels] = {2765958937367, 1382979468683,
                                              98784247763, 2147483647};
static constexpr uint64_t kRoots[kLevels - 1] = {4, 16384, 34359770408};

static uint64_t multiply(uint64_t a, uint64_t b, uint64_t prime) {
  return static_cast<unsigned __int128>(a) * b % prime;
}

static uint64_t raise(uint64_t base, uint64_t exponent, uint64_t prime) {
  uint64_t result = 1;
  for (base %= prime; exponent; exponent >>= 1) {
    if (exponent & 1)
      result = multiply(result, base, prime);
    base = multiply(base, base, prime);
  }
  return result;
}

/// A bijection of words that scatters neighbours (SplitMix64).
static uint64_t mix(uint64_t word) {
  word += 0x9e3779b97f4a7c15;
  word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
  word = (word ^ word >> 27) * 0x94d049bb133111eb;
  return word ^ word >> 31;
}

/// What random words are for.
namespace {
enum Purpose : uint64_t {
  Name,
  Number,
  SumPower,
  SqrtPower,
  InvPower,
  ExpWeight,
  Tag
};
} // namespace

RandomModel::RandomModel(ExprContext &context, uint64_t seed)
    : context(context), seed(mix(seed)) {}

/// Neither 0 nor the same for any two keys, levels or components, as good as
/// certainly.
Value RandomModel::makeRandom(uint64_t key) const {
  Value value;
  for (unsigned l = 0; l < kLevels; ++l)
    for (unsigned i = 0; i < kWidth; ++i)
      value[l][i] =
          mix(mix(seed ^ key) + l * kWidth + i) % (kPrimes[l] - 1) + 1;
  return value;
}

uint64_t RandomModel::makeTag(const Value &value) const {
  uint64_t word = mix(seed ^ mix(Tag));
  for (unsigned l = 0; l < kLevels; ++l)
    for (unsigned i = 0; i < kWidth; ++i)
      if (l || i)
        word = mix(word ^ value[l][i]);
  return word % kPrimes[0];
}

Value RandomModel::applyFunction(const ExprNode &node,
                                 llvm::ArrayRef<Value> operands) const {
  bool isMaximum = node.name == "max" && operands.size() == 1;
  // Maxima are the values that carry a tag, and their maximum is themselves.
  if (isMaximum && operands[0][0][0] == makeTag(operands[0]))
    return operands[0];
  uint64_t word = mix(llvm::xxh3_64bits(node.name) ^ operands.size());
  for (const Value &operand : operands)
    for (const auto &level : operand)
      for (uint64_t residue : level)
        word = mix(word ^ residue);
  Value value = makeRandom(mix(word));
  if (isMaximum)
    value[0][0] = makeTag(value);
  return value;
}

Value RandomModel::evaluate(const ExprNode &node,
                            llvm::ArrayRef<Value> operands) const {
  auto getWord = [&](Purpose purpose, unsigned l, unsigned i, unsigned j) {
    return mix(seed ^ mix(purpose) ^ ((l * kWidth + i) * kWidth + j + 1));
  };
  // The product of powers of x's components.
  auto mapProduct = [&](Purpose purpose, const Value &x, unsigned l,
                        unsigned i) {
    uint64_t product = 1;
    for (unsigned j = 0; j < kWidth; ++j) {
      uint64_t exponent = getWord(purpose, l, i, j) % (kPrimes[l] - 1) + 1;
      product =
          multiply(product, raise(x[l][j], exponent, kPrimes[l]), kPrimes[l]);
    }
    return product;
  };
  auto compute = [&](unsigned l, unsigned i) -> uint64_t {
    uint64_t prime = kPrimes[l];
    switch (node.kind) {
    case Kind::Add:
      return (operands[0][l][i] + operands[1][l][i]) % prime;
    case Kind::Mul:
      return multiply(operands[0][l][i], operands[1][l][i], prime);
    case Kind::Div:
      return multiply(operands[0][l][i],
                      mapProduct(InvPower, operands[1], l, i), prime);
    case Kind::Sum: {
      uint64_t exponent = getWord(SumPower, l, i, 0) % (prime - 1) + 1;
      return multiply(operands[0][l][i], raise(node.factor, exponent, prime),
                      prime);
    }
    case Kind::Sqrt:
      return mapProduct(SqrtPower, operands[0], l, i);
    case Kind::Exp: {
      if (l + 1 == kLevels)
        return 1;
      uint64_t below = kPrimes[l + 1], exponent = 0;
      for (unsigned j = 0; j < kWidth; ++j)
        exponent += multiply(getWord(ExpWeight, l, i, j) % below,
                             operands[0][l + 1][j], below);
      return raise(kRoots[l], exponent, prime);
    }
    case Kind::Variable:
    case Kind::Constant:
    case Kind::Function:
      break;
    }
    llvm_unreachable("not an operation on residues");
  };

  if (node.kind == Kind::Function)
    return applyFunction(node, operands);
  if (node.kind == Kind::Variable)
    return makeRandom(mix(Name) ^ llvm::xxh3_64bits(node.name));
  if (node.kind == Kind::Constant)
    return makeRandom(mix(Number) ^ mix(llvm::bit_cast<uint64_t>(node.value)));
  Value value;
  for (unsigned l = 0; l < kLevels; ++l)
    for (unsigned i = 0; i < kWidth; ++i)
      value[l][i] = compute(l, i);
  return value;
}

Value RandomModel::evaluate(Expr x) {
  if (auto found = values.find(x); found != values.end())
    return found->second;
  // A term of any size: all of its parts, operands first.
  std::optional<std::vector<Expr>> term = context.getTerm(x, SIZE_MAX);
  for (Expr part : *term) {
    if (values.count(part))
      continue;
    ExprNode node = context.getNode(part);
    llvm::SmallVector<Value, 2> operands;
    for (Expr operand : node.operands)
      operands.push_back(values.lookup(operand));
    values[part] = evaluate(node, operands);
  }
  return values.lookup(x);
}

Value RandomModel::evaluate(const ExprWitness &witness, Value inHole) {
  Value value = inHole;
  for (const ExprNode &node : witness) {
    llvm::SmallVector<Value, 2> operands;
    for (Expr operand : node.operands)
      operands.push_back(operand ? evaluate(operand) : value);
    value = evaluate(node, operands);
  }
  return value;
}
