//===- FiniteField.cpp - Z_p x Z_q ----------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Numbers/FiniteField.h"
#include "ElementLoops.h"
#include "FieldMatmul.h"
#include "Mirage/Numbers/Random.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace mirage;
using llvm::ArrayRef;

namespace {

constexpr uint32_t kModuli[] = {FiniteField::kP, FiniteField::kQ};
/// A square, and so of order q.
constexpr uint32_t kOmega = 4;

/// Arithmetic of one component. Residues are kept in [0, modulus).
struct Residues {
  uint32_t modulus;

  uint32_t add(uint32_t x, uint32_t y) const {
    uint32_t sum = x + y;
    return sum >= modulus ? sum - modulus : sum;
  }
  uint32_t sub(uint32_t x, uint32_t y) const {
    return x >= y ? x - y : x + modulus - y;
  }
  uint32_t mul(uint32_t x, uint32_t y) const {
    return static_cast<uint64_t>(x) * y % modulus;
  }
  uint32_t pow(uint32_t x, uint64_t exponent) const {
    uint32_t result = 1;
    for (; exponent; exponent >>= 1, x = mul(x, x))
      if (exponent & 1)
        result = mul(result, x);
    return result;
  }
  uint32_t inverse(uint32_t x) const { return pow(x, modulus - 2); }
};

Tensor make(ArrayRef<int64_t> shape, unsigned components) {
  Tensor result;
  result.shape.assign(shape.begin(), shape.end());
  for (unsigned c = 0; c < components; ++c)
    result.planes.emplace_back(sizeof(uint32_t), result.getNumElements());
  return result;
}

/// A component that one operand has lost is lost.
unsigned getComponents(const Tensor &lhs, const Tensor &rhs) {
  return std::min(lhs.planes.size(), rhs.planes.size());
}

template <typename F>
Tensor zip(const Tensor &lhs, const Tensor &rhs, F f) {
  Tensor result = make(lhs.shape, getComponents(lhs, rhs));
  result.undefined = mergeUndefined(lhs, rhs);
  for (unsigned c = 0; c < result.planes.size(); ++c) {
    Residues residues{kModuli[c]};
    zipPlanes<uint32_t>(
        lhs.planes[c], rhs.planes[c], result.planes[c], lhs.getNumElements(),
        [&](uint32_t x, uint32_t y) { return f(residues, x, y); });
  }
  return result;
}

void markUndefined(Tensor &tensor, int64_t index) {
  if (tensor.undefined.empty())
    tensor.undefined.resize(tensor.getNumElements());
  tensor.undefined[index] = 1;
}

} // namespace

Tensor FiniteField::random(ArrayRef<int64_t> shape, uint64_t seed,
                           uint64_t stream) const {
  Tensor result = make(shape, withExponents ? 2 : 1);
  for (unsigned c = 0; c < result.planes.size(); ++c) {
    uint32_t *r = result.planes[c].as<uint32_t>();
    // 64 random bits modulo a 31-bit prime are uniform up to 2^-33.
    for (int64_t i = 0, e = result.getNumElements(); i < e; ++i)
      r[i] = randomWord(seed, 2 * stream + c, i) % kModuli[c];
  }
  return result;
}

Tensor FiniteField::constant(double value) const {
  // value = significand * 2^exponent, with an integer significand.
  int exponent = 0;
  double fraction = std::frexp(value, &exponent);
  int64_t significand = static_cast<int64_t>(std::ldexp(fraction, 53));
  exponent -= 53;
  Tensor result = make({}, withExponents ? 2 : 1);
  for (unsigned c = 0; c < result.planes.size(); ++c) {
    Residues residues{kModuli[c]};
    uint32_t magnitude =
        static_cast<uint64_t>(std::abs(significand)) % kModuli[c];
    uint32_t two = exponent < 0 ? residues.inverse(2) : 2;
    uint32_t scaled =
        residues.mul(magnitude, residues.pow(two, std::abs(exponent)));
    *result.planes[c].as<uint32_t>() =
        significand < 0 ? residues.sub(0, scaled) : scaled;
  }
  return result;
}

Tensor FiniteField::zeros(ArrayRef<int64_t> shape) const {
  return make(shape, withExponents ? 2 : 1);
}

Tensor FiniteField::add(const Tensor &lhs, const Tensor &rhs) const {
  return zip(lhs, rhs, [](Residues r, uint32_t x, uint32_t y) {
    return r.add(x, y);
  });
}
Tensor FiniteField::sub(const Tensor &lhs, const Tensor &rhs) const {
  return zip(lhs, rhs, [](Residues r, uint32_t x, uint32_t y) {
    return r.sub(x, y);
  });
}
Tensor FiniteField::mul(const Tensor &lhs, const Tensor &rhs) const {
  return zip(lhs, rhs, [](Residues r, uint32_t x, uint32_t y) {
    return r.mul(x, y);
  });
}

Tensor FiniteField::div(const Tensor &lhs, const Tensor &rhs) const {
  Tensor result = zip(lhs, rhs, [](Residues r, uint32_t x, uint32_t y) {
    return r.mul(x, r.inverse(y));
  });
  for (unsigned c = 0; c < result.planes.size(); ++c) {
    const uint32_t *y = rhs.planes[c].as<uint32_t>();
    for (int64_t i = 0, e = result.getNumElements(); i < e; ++i)
      if (y[i] == 0)
        markUndefined(result, i);
  }
  return result;
}

Tensor FiniteField::max(const Tensor &lhs, const Tensor &rhs) const {
  // Commutative and associative laws would need a total order, and any other
  // law of the maximum an order that arithmetic respects, which no finite field
  // has. So only its use as an opaque function of both operands is supported,
  // made symmetric.
  Tensor sum = add(lhs, rhs), product = mul(lhs, rhs);
  return *function("max", {sum, product});
}

Tensor FiniteField::exp(const Tensor &operand) const {
  Tensor result = make(operand.shape, 1);
  result.undefined = operand.undefined;
  if (operand.planes.size() < 2) {
    result.undefined.assign(result.getNumElements(), 1);
    return result;
  }
  Residues residues{kP};
  mapPlane<uint32_t>(operand.planes[1], result.planes[0],
                     operand.getNumElements(),
                     [&](uint32_t x) { return residues.pow(kOmega, x); });
  return result;
}

Tensor FiniteField::sqrt(const Tensor &operand) const {
  Tensor result = make(operand.shape, operand.planes.size());
  result.undefined = operand.undefined;
  for (unsigned c = 0; c < result.planes.size(); ++c) {
    Residues residues{kModuli[c]};
    const uint32_t *x = operand.planes[c].as<uint32_t>();
    uint32_t *r = result.planes[c].as<uint32_t>();
    for (int64_t i = 0, e = result.getNumElements(); i < e; ++i) {
      // Both moduli are 3 mod 4.
      r[i] = residues.pow(x[i], (static_cast<uint64_t>(kModuli[c]) + 1) / 4);
      if (residues.mul(r[i], r[i]) != x[i])
        markUndefined(result, i);
    }
  }
  return result;
}

std::optional<Tensor>
FiniteField::function(llvm::StringRef name, ArrayRef<Tensor> operands) const {
  Tensor result = make(operands[0].shape, withExponents ? 2 : 1);
  for (const Tensor &operand : operands)
    result.undefined = mergeUndefined(result, operand);
  uint64_t key = llvm::xxh3_64bits(name);
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i) {
    uint64_t hash = key;
    for (const Tensor &operand : operands)
      hash = mix(hash ^ operand.planes[0].as<uint32_t>()[i]);
    for (unsigned c = 0; c < result.planes.size(); ++c)
      result.planes[c].as<uint32_t>()[i] = mix(hash + c) % kModuli[c];
  }
  return result;
}

Tensor FiniteField::sum(const Tensor &operand, unsigned dim) const {
  Shape shape = operand.shape;
  shape[dim] = 1;
  Tensor result = make(shape, operand.planes.size());
  result.undefined = sumUndefined(operand, dim);
  DimSplit split(operand.shape, dim);
  for (unsigned c = 0; c < result.planes.size(); ++c) {
    Residues residues{kModuli[c]};
    const uint32_t *x = operand.planes[c].as<uint32_t>();
    uint32_t *r = result.planes[c].as<uint32_t>();
    for (int64_t o = 0; o < split.outer; ++o)
      for (int64_t k = 0; k < split.size; ++k)
        for (int64_t i = 0; i < split.inner; ++i) {
          uint32_t &total = r[o * split.inner + i];
          total =
              residues.add(total, x[(o * split.size + k) * split.inner + i]);
        }
  }
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
                  kModuli[c]);
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
