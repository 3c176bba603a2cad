//===- FiniteField.cpp - Z_p x Z_q ----------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Numbers/FiniteField.h"
#include "ElementLoops.h"
#include "FieldArithmetic.h"
#include "FieldMatmul.h"
#include "Mirage/Numbers/Random.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace mirage;
using llvm::ArrayRef;

namespace {

Tensor make(ArrayRef<int64_t> shape, unsigned components) {
  Tensor result;
  result.shape.assign(shape.begin(), shape.end());
  for (unsigned c = 0; c < components; ++c)
    result.planes.emplace_back(sizeof(uint32_t), result.getNumElements());
  return result;
}

/// The number of planes with residues.
unsigned getComponents(const Tensor &tensor) {
  unsigned count = 0;
  while (count < tensor.planes.size() &&
         tensor.planes[count].elementBytes == sizeof(uint32_t))
    ++count;
  return count;
}

/// A component that one operand has lost is lost.
unsigned getComponents(const Tensor &lhs, const Tensor &rhs) {
  return std::min(getComponents(lhs), getComponents(rhs));
}

/// The plane that only maxima have, their last: for each element the sum of the
/// hashes of the numbers that it is the maximum of. It makes maxima of maxima
/// commutative and associative.
const uint64_t *getMembers(const Tensor &tensor) {
  return tensor.planes.back().elementBytes == sizeof(uint64_t)
             ? tensor.planes.back().as<uint64_t>()
             : nullptr;
}

using ArrayFunction = void (FieldArithmetic::*)(const uint32_t *,
                                                const uint32_t *, uint32_t *,
                                                int64_t) const;

/// An elementwise function of FieldArithmetic, in every component.
Tensor zip(const Tensor &lhs, const Tensor &rhs, const uint32_t *moduli,
           ArrayFunction f) {
  Tensor result = make(lhs.shape, getComponents(lhs, rhs));
  result.undefined = mergeUndefined(lhs, rhs);
  for (unsigned c = 0; c < result.planes.size(); ++c)
    (FieldArithmetic(moduli[c]).*
     f)(lhs.planes[c].as<uint32_t>(), rhs.planes[c].as<uint32_t>(),
        result.planes[c].as<uint32_t>(), lhs.getNumElements());
  return result;
}

void markUndefined(Tensor &tensor, int64_t index) {
  if (tensor.undefined.empty())
    tensor.undefined.resize(tensor.getNumElements());
  tensor.undefined[index] = 1;
}

} // namespace

bool FiniteField::isPrime(uint32_t n) {
  if (n < 2 || n % 2 == 0)
    return n == 2;
  auto power = [n](uint64_t base, uint32_t exponent) {
    uint64_t result = 1;
    for (; exponent; exponent >>= 1, base = base * base % n)
      if (exponent & 1)
        result = result * base % n;
    return result;
  };
  // With these bases the test of Miller and Rabin has no exception below
  // 4,759,123,141 (Jaeschke, 1993).
  for (uint32_t base : {2u, 7u, 61u}) {
    if (base % n == 0)
      continue;
    uint32_t odd = n - 1;
    unsigned twos = 0;
    for (; odd % 2 == 0; odd /= 2)
      ++twos;
    uint64_t x = power(base, odd);
    bool passes = x == 1 || x == n - 1;
    for (unsigned i = 1; i < twos && !passes; ++i) {
      x = x * x % n;
      passes = x == n - 1;
    }
    if (!passes)
      return false;
  }
  return true;
}

FiniteField::FiniteField(bool withExponents, uint64_t seed, bool total)
    : withExponents(withExponents), total(total) {
  // Streams of their own, apart from those of inputs, whose seeds may be near.
  const uint64_t kPrimes = mix(0x7072696d65), kRoot = mix(0x6f6d656761),
                 kKey = mix(0x6b6579);
  for (uint64_t i = 0;; ++i) {
    uint64_t word = randomWord(seed, kPrimes, i);
    // q = 3 mod 4 makes p = 2 q + 1 = 7 mod 8.
    uint32_t p =
        (uint32_t(1) << 30) + (withExponents ? 8 * (word % (1u << 27)) + 7
                                             : 4 * (word % (1u << 28)) + 3);
    if (!isPrime(p) || (withExponents && !isPrime(p / 2)))
      continue;
    moduli = {p, p / 2};
    break;
  }
  // The squares other than 1 are the elements of order q.
  for (uint64_t i = 0; omega < 2; ++i) {
    uint64_t root = randomWord(seed, kRoot, i) % getP();
    omega = root * root % getP();
  }
  key = randomWord(seed, kKey, 0);
}

Tensor FiniteField::random(ArrayRef<int64_t> shape, uint64_t seed,
                           uint64_t stream) const {
  Tensor result = make(shape, withExponents ? 2 : 1);
  for (unsigned c = 0; c < result.planes.size(); ++c) {
    uint32_t *r = result.planes[c].as<uint32_t>();
    // 64 random bits modulo a 31-bit prime are uniform up to 2^-33.
    for (int64_t i = 0, e = result.getNumElements(); i < e; ++i)
      r[i] = randomWord(seed, 2 * stream + c, i) % moduli[c];
  }
  return result;
}

Tensor FiniteField::constant(double value) const {
  if (!std::isfinite(value)) {
    Tensor result = make({}, withExponents ? 2 : 1);
    markUndefined(result, 0);
    return result;
  }
  // value = significand * 2^exponent, with an integer significand.
  int exponent = 0;
  double fraction = std::frexp(value, &exponent);
  int64_t significand = static_cast<int64_t>(std::ldexp(fraction, 53));
  exponent -= 53;
  Tensor result = make({}, withExponents ? 2 : 1);
  for (unsigned c = 0; c < result.planes.size(); ++c) {
    FieldArithmetic field(moduli[c]);
    uint32_t magnitude =
        static_cast<uint64_t>(std::abs(significand)) % moduli[c];
    uint32_t two = exponent < 0 ? (moduli[c] + 1) / 2 : 2;
    uint32_t scaled =
        field.multiply(magnitude, field.power(two, std::abs(exponent)));
    *result.planes[c].as<uint32_t>() =
        significand < 0 && scaled ? moduli[c] - scaled : scaled;
  }
  return result;
}

Tensor FiniteField::zeros(ArrayRef<int64_t> shape) const {
  return make(shape, withExponents ? 2 : 1);
}

Tensor FiniteField::add(const Tensor &lhs, const Tensor &rhs) const {
  return zip(lhs, rhs, moduli.data(), &FieldArithmetic::add);
}
Tensor FiniteField::sub(const Tensor &lhs, const Tensor &rhs) const {
  return zip(lhs, rhs, moduli.data(), &FieldArithmetic::subtract);
}
Tensor FiniteField::mul(const Tensor &lhs, const Tensor &rhs) const {
  return zip(lhs, rhs, moduli.data(), &FieldArithmetic::multiply);
}

Tensor FiniteField::div(const Tensor &lhs, const Tensor &rhs) const {
  Tensor inverse = makeLike(rhs, rhs.shape);
  inverse.undefined = rhs.undefined;
  int64_t count = rhs.getNumElements();
  for (unsigned c = 0, e = getComponents(lhs, rhs); c < e; ++c) {
    const uint32_t *y = rhs.planes[c].as<uint32_t>();
    FieldArithmetic(moduli[c]).invert(y, inverse.planes[c].as<uint32_t>(),
                                      count);
    for (int64_t i = 0; i < count; ++i)
      if (y[i] == 0)
        markUndefined(inverse, i);
  }
  return mul(lhs, inverse);
}

/// The hash of element `i` as a member of a maximum.
static uint64_t hashMember(const Tensor &tensor, const uint64_t *members,
                           uint64_t key, int64_t i) {
  return members ? members[i] : mix(key ^ tensor.planes[0].as<uint32_t>()[i]);
}

/// A tensor of maxima from the sums of their members' hashes.
Tensor FiniteField::makeMaxima(ArrayRef<int64_t> shape,
                               std::vector<uint64_t> members) const {
  Tensor result = make(shape, withExponents ? 2 : 1);
  for (unsigned c = 0; c < result.planes.size(); ++c)
    for (int64_t i = 0, e = result.getNumElements(); i < e; ++i)
      result.planes[c].as<uint32_t>()[i] = mix(members[i] + c) % moduli[c];
  Plane &plane =
      result.planes.emplace_back(sizeof(uint64_t), result.getNumElements());
  std::copy(members.begin(), members.end(), plane.as<uint64_t>());
  return result;
}

Tensor FiniteField::max(const Tensor &lhs, const Tensor &rhs) const {
  std::vector<uint64_t> members(lhs.getNumElements());
  const uint64_t *left = getMembers(lhs), *right = getMembers(rhs);
  for (size_t i = 0; i < members.size(); ++i)
    members[i] = hashMember(lhs, left, key, i) + hashMember(rhs, right, key, i);
  Tensor result = makeMaxima(lhs.shape, std::move(members));
  result.undefined = mergeUndefined(lhs, rhs);
  return result;
}

Tensor FiniteField::maximum(const Tensor &operand, unsigned dim) const {
  Shape shape = operand.shape;
  shape[dim] = 1;
  DimSplit split(operand.shape, dim);
  const uint64_t *from = getMembers(operand);
  std::vector<uint64_t> members(split.outer * split.inner);
  for (int64_t o = 0; o < split.outer; ++o)
    for (int64_t k = 0; k < split.size; ++k)
      for (int64_t i = 0; i < split.inner; ++i)
        members[o * split.inner + i] += hashMember(
            operand, from, key, (o * split.size + k) * split.inner + i);
  Tensor result = makeMaxima(shape, std::move(members));
  result.undefined = sumUndefined(operand, dim);
  return result;
}

Tensor FiniteField::log(const Tensor &operand) const {
  return *function("log", {operand});
}
Tensor FiniteField::erf(const Tensor &operand) const {
  return *function("erf", {operand});
}

Tensor FiniteField::where(const Tensor &condition, const Tensor &value) const {
  return *function("where", {condition, value});
}

Tensor FiniteField::exp(const Tensor &operand) const {
  Tensor result = make(operand.shape, total ? 2 : 1);
  result.undefined = operand.undefined;
  if (total) {
    uint32_t *ones = result.planes[1].as<uint32_t>();
    std::fill(ones, ones + result.getNumElements(), 1);
  }
  if (getComponents(operand) < 2) {
    result.undefined.assign(result.getNumElements(), 1);
    return result;
  }
  FieldArithmetic(getP()).exponentiate(omega, operand.planes[1].as<uint32_t>(),
                                       result.planes[0].as<uint32_t>(),
                                       operand.getNumElements());
  return result;
}

Tensor FiniteField::sqrt(const Tensor &operand) const {
  Tensor result = make(operand.shape, getComponents(operand));
  result.undefined = operand.undefined;
  int64_t count = result.getNumElements();
  for (unsigned c = 0; c < result.planes.size(); ++c) {
    FieldArithmetic field(moduli[c]);
    const uint32_t *x = operand.planes[c].as<uint32_t>();
    uint32_t *r = result.planes[c].as<uint32_t>();
    // Both moduli are 3 mod 4.
    field.power(x, (static_cast<uint64_t>(moduli[c]) + 1) / 4, r, count);
    for (int64_t i = 0; i < count && !total; ++i)
      if (field.multiply(r[i], r[i]) != x[i])
        markUndefined(result, i);
  }
  return result;
}

std::optional<Tensor> FiniteField::function(llvm::StringRef name,
                                            ArrayRef<Tensor> operands) const {
  if (functions)
    if (std::optional<Tensor> known = functions(*this, name, operands))
      return known;
  Tensor result = make(operands[0].shape, withExponents ? 2 : 1);
  for (const Tensor &operand : operands)
    result.undefined = mergeUndefined(result, operand);
  uint64_t nameKey = mix(key ^ llvm::xxh3_64bits(name));
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i) {
    uint64_t hash = nameKey;
    for (const Tensor &operand : operands)
      hash = mix(hash ^ operand.planes[0].as<uint32_t>()[i]);
    for (unsigned c = 0; c < result.planes.size(); ++c)
      result.planes[c].as<uint32_t>()[i] = mix(hash + c) % moduli[c];
  }
  return result;
}

Tensor FiniteField::sum(const Tensor &operand, unsigned dim) const {
  Shape shape = operand.shape;
  shape[dim] = 1;
  Tensor result = make(shape, getComponents(operand));
  result.undefined = sumUndefined(operand, dim);
  DimSplit split(operand.shape, dim);
  for (unsigned c = 0; c < result.planes.size(); ++c)
    FieldArithmetic(moduli[c]).sum(operand.planes[c].as<uint32_t>(),
                                   result.planes[c].as<uint32_t>(), split.outer,
                                   split.size, split.inner);
  return result;
}

Tensor FiniteField::matmul(const Tensor &lhs, const Tensor &rhs) const {
  size_t rank = lhs.shape.size();
  int64_t m = lhs.shape[rank - 2], k = lhs.shape[rank - 1],
          n = rhs.shape[rank - 1];
  Shape shape = lhs.shape;
  shape[rank - 1] = n;
  Tensor result = make(shape, getComponents(lhs, rhs));
  result.undefined = matmulUndefined(lhs, rhs);
  int64_t batches = getNumElements(shape) / (m * n);
  for (unsigned c = 0; c < result.planes.size(); ++c)
    for (int64_t b = 0; b < batches; ++b)
      fieldMatmul(lhs.planes[c].as<uint32_t>() + b * m * k,
                  rhs.planes[c].as<uint32_t>() + b * k * n,
                  result.planes[c].as<uint32_t>() + b * m * n, m, n, k,
                  moduli[c]);
  return result;
}

std::optional<int64_t> FiniteField::findDifference(const Tensor &lhs,
                                                   const Tensor &rhs) const {
  unsigned components = getComponents(lhs, rhs);
  for (int64_t i = 0, e = lhs.getNumElements(); i < e; ++i) {
    if ((!lhs.undefined.empty() && lhs.undefined[i]) ||
        (!rhs.undefined.empty() && rhs.undefined[i]))
      continue;
    for (unsigned c = 0; c < components; ++c)
      if (lhs.planes[c].as<uint32_t>()[i] != rhs.planes[c].as<uint32_t>()[i])
        return i;
  }
  return std::nullopt;
}
