//===- MatrixMultiply.cpp - The arithmetic of mma -------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of paper size execute some 10^5 of these, so that the loops are
// written for the vectorizer: fixed trip counts, no calls, no branches.
//
//===----------------------------------------------------------------------===//

#include "MatrixMultiply.h"
#include "Mirage/Numbers/Float16.h"
#include "llvm/ADT/bit.h"
#include <array>

using namespace mirage;
using host_abi::MmaElement;

namespace {

constexpr unsigned kLanes = 32, kM = 16, kN = 8;

/// halfToFloat without a branch: a shifted half is a float that is smaller by
/// a power of two, subnormals included.
inline float widenHalf(uint32_t bits) {
  uint32_t magnitude = (bits & 0x7fff) << 13;
  float value = llvm::bit_cast<float>(magnitude) * 0x1p112f;
  // Infinities and NaNs came out as 2^16 and more.
  uint32_t result = llvm::bit_cast<uint32_t>(value) |
                    (magnitude >= 0x0f800000 ? 0x7f800000u : 0u) |
                    (bits & 0x8000) << 16;
  return llvm::bit_cast<float>(result);
}

template <MmaElement Element> inline float widen(uint32_t bits) {
  if constexpr (Element == MmaElement::F16)
    return widenHalf(bits & 0xffff);
  else if constexpr (Element == MmaElement::BF16)
    return llvm::bit_cast<float>(bits << 16);
  else
    return llvm::bit_cast<float>(bits & 0xffffe000);
}

/// The elements of an operand: register `r` of lane `l` holds those numbered
/// (r * 32 + l) * perRegister and on.
template <MmaElement Element, unsigned Registers>
void unpack(llvm::ArrayRef<uint32_t *> lanes, unsigned first, float *elements) {
  uint32_t words[Registers * kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned r = 0; r < Registers; ++r)
      words[r * kLanes + lane] = lanes[lane][first + r];
  if constexpr (Element == MmaElement::TF32) {
    for (unsigned i = 0; i < Registers * kLanes; ++i)
      elements[i] = widen<Element>(words[i]);
  } else {
    for (unsigned i = 0; i < Registers * kLanes; ++i) {
      elements[2 * i] = widen<Element>(words[i]);
      elements[2 * i + 1] = widen<Element>(words[i] >> 16);
    }
  }
}

template <MmaElement Element, unsigned K>
void multiply(llvm::ArrayRef<uint32_t *> lanes, float (&d)[kM][kN]) {
  // Four lanes hold a row of A and a column of B, each `PerRegister`
  // consecutive elements in a register; a register more is 4 * PerRegister
  // further along k. A's registers alternate between rows r and r + 8.
  constexpr unsigned PerRegister = Element == MmaElement::TF32 ? 1 : 2;
  constexpr unsigned Steps = K / (4 * PerRegister);
  float a[kM * K], b[K * kN], unpacked[kM * K];
  unpack<Element, 2 * Steps>(lanes, host_abi::kMmaA, unpacked);
  for (unsigned r = 0; r < 2 * Steps; ++r)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned e = 0; e < PerRegister; ++e) {
        unsigned row = lane / 4 + r % 2 * 8;
        unsigned column = (lane % 4 + r / 2 * 4) * PerRegister + e;
        a[row * K + column] = unpacked[(r * kLanes + lane) * PerRegister + e];
      }
  unpack<Element, Steps>(lanes, host_abi::kMmaB, unpacked);
  for (unsigned r = 0; r < Steps; ++r)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned e = 0; e < PerRegister; ++e) {
        unsigned row = (lane % 4 + r * 4) * PerRegister + e;
        b[row * kN + lane / 4] =
            unpacked[(r * kLanes + lane) * PerRegister + e];
      }
  // A fused multiply-add would give the same, since products are exact.
  for (unsigned i = 0; i < kM; ++i) {
    float sums[kN];
    for (unsigned j = 0; j < kN; ++j)
      sums[j] = d[i][j];
    for (unsigned k = 0; k < K; ++k)
      for (unsigned j = 0; j < kN; ++j)
        sums[j] += a[i * K + k] * b[k * kN + j];
    for (unsigned j = 0; j < kN; ++j)
      d[i][j] = sums[j];
  }
}

/// Where an accumulator has its elements: pairs, in the rows lane / 4 and
/// lane / 4 + 8.
template <typename Function> void forEachPair(Function function) {
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned half = 0; half < 2; ++half)
      function(lane, half, lane / 4 + half * 8, lane % 4 * 2);
}

} // namespace

static const char *getSuffix(MmaElement element) {
  switch (element) {
  case MmaElement::F16:
    return ".f16";
  case MmaElement::BF16:
    return ".bf16";
  case MmaElement::TF32:
    break;
  }
  return ".tf32";
}

std::string mirage::getName(const MmaKind &kind) {
  return "m16n8k" + std::to_string(kind.k) + getSuffix(kind.element) +
         (kind.half ? ".f16" : ".f32");
}

std::string mirage::getName(const host_abi::WgmmaInfo &info) {
  return "m64n" + std::to_string(info.n) +
         (info.element == MmaElement::TF32 ? "k8" : "k16") +
         getSuffix(info.element) + ".f32";
}

void mirage::multiplyMatrices(const MmaKind &kind,
                              llvm::ArrayRef<uint32_t *> lanes) {
  float d[kM][kN];
  forEachPair([&](unsigned lane, unsigned half, unsigned i, unsigned j) {
    const uint32_t *c = lanes[lane] + host_abi::kMmaC;
    if (kind.half) {
      d[i][j] = halfToFloat(c[half] & 0xffff);
      d[i][j + 1] = halfToFloat(c[half] >> 16);
    } else {
      d[i][j] = llvm::bit_cast<float>(c[2 * half]);
      d[i][j + 1] = llvm::bit_cast<float>(c[2 * half + 1]);
    }
  });
  switch (kind.element) {
  case MmaElement::F16:
    kind.k == 8 ? multiply<MmaElement::F16, 8>(lanes, d)
                : multiply<MmaElement::F16, 16>(lanes, d);
    break;
  case MmaElement::BF16:
    kind.k == 8 ? multiply<MmaElement::BF16, 8>(lanes, d)
                : multiply<MmaElement::BF16, 16>(lanes, d);
    break;
  case MmaElement::TF32:
    kind.k == 4 ? multiply<MmaElement::TF32, 4>(lanes, d)
                : multiply<MmaElement::TF32, 8>(lanes, d);
    break;
  }
  forEachPair([&](unsigned lane, unsigned half, unsigned i, unsigned j) {
    uint32_t *to = lanes[lane] + host_abi::kMmaD;
    if (kind.half) {
      to[half] = floatToHalf(d[i][j]) | uint32_t{floatToHalf(d[i][j + 1])}
                                            << 16;
    } else {
      to[2 * half] = llvm::bit_cast<uint32_t>(d[i][j]);
      to[2 * half + 1] = llvm::bit_cast<uint32_t>(d[i][j + 1]);
    }
  });
}
