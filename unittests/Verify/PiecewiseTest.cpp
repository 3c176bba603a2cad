//===- PiecewiseTest.cpp - Tests of proofs tensor by tensor ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Piecewise.h"
#include "VerifyTest.h"
#include "WholeProof.h"

using namespace mirage;

namespace {

const Shape kSquare = {8, 8};

bool provePieces(const KernelGraph &reference, const KernelGraph &candidate) {
  constexpr int64_t kMost = prove::TermContext::kMostWork;
  return provePiecewise(reference, candidate, {}, kMost, 10 * kMost);
}

/// exp(x y) z, maybe with the exponential in two factors, and other matrices.
KernelGraph makeProducts(bool isTwoFactors, unsigned last = 2) {
  return makeProgram({kSquare, kSquare, kSquare}, [&](Program &p) {
    unsigned product = p.apply("matmul", {0, 1});
    unsigned exp = 0;
    if (isTwoFactors) {
      unsigned half =
          p.apply("exp", {p.apply("mul", {product, p.constant(.5)})});
      exp = p.apply("mul", {half, half});
    } else {
      exp = p.apply("exp", {product});
    }
    return p.apply("matmul", {exp, last});
  });
}

TEST(Piecewise, ComparesTensorByTensor) {
  const KernelGraph reference = makeProducts(false);
  const KernelGraph twoFactors = makeProducts(true);
  // Not without any work.
  EXPECT_FALSE(provePiecewise(reference, twoFactors, {}, 1000, 3));
  EXPECT_TRUE(provePieces(reference, makeProducts(true)));
  EXPECT_FALSE(provePieces(reference, makeProducts(true, 1)));
}

/// y / x, and exp(y), the latter maybe with the difference of the former to
/// itself.
KernelGraph makeQuotient(bool isUsed, double summand) {
  Program program({kSquare, kSquare});
  // What is defined everywhere is a tensor of both.
  unsigned sum = program.apply("add", {1, program.constant(summand)});
  unsigned quotient = program.apply("div", {sum, 0});
  unsigned result = program.apply("exp", {sum});
  if (isUsed)
    result = program.apply(
        "add", {result, program.apply("sub", {quotient, quotient})});
  return program.finish({quotient, result});
}

/// A residual chain x + exp(x w) w, in each link of which the exponential may
/// be two factors, and one other than the rest.
KernelGraph makeChain(bool isTwoFactors, bool isOther) {
  return makeProgram({kSquare, kSquare}, [&](Program &p) {
    unsigned x = 0;
    for (int link = 0; link < 5; ++link) {
      unsigned y = p.apply("matmul", {x, 1});
      unsigned exp = 0;
      if (isTwoFactors) {
        unsigned half = p.apply("exp", {p.apply("mul", {y, p.constant(.5)})});
        exp = p.apply("mul", {half, half});
      } else {
        exp = p.apply("exp", {y});
      }
      unsigned z = p.apply("matmul", {exp, 1});
      x = p.apply(isOther && link == 2 ? "sub" : "add", {x, z});
    }
    return x;
  });
}

// As a whole, each link doubles the terms.
TEST(Piecewise, ComesFirstWhereTheWholeTakesLong) {
  const KernelGraph reference = makeChain(false, false),
                    candidate = makeChain(true, false);
  constexpr int64_t kSome = prove::TermContext::kMostWork / 10;
  const WholeProof whole = proveWhole(reference, candidate, {}, kSome);
  EXPECT_FALSE(whole.result.proved);
  EXPECT_GT(whole.work, kSome);
  ProofResult result = proveEquivalence(reference, candidate);
  EXPECT_TRUE(result.proved);
  EXPECT_TRUE(result.defined);
  EXPECT_EQ(result.sizes, ProvedSizes::All);
  EXPECT_FALSE(proveEquivalence(reference, makeChain(true, true)).proved);
}

TEST(Piecewise, WhatMayBeUndefinedIsNoPiece) {
  const KernelGraph reference = makeQuotient(false, 1);
  EXPECT_TRUE(provePieces(reference, makeQuotient(false, 1)));
  // Where x is 0 the candidate has no second result.
  EXPECT_FALSE(provePieces(reference, makeQuotient(true, 1)));
  EXPECT_FALSE(provePieces(reference, makeQuotient(false, 2)));
}

} // namespace
