//===- EqualProgramsTest.cpp - Random programs and equal ones -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Prove/Prover.h"
#include "VerifyTest.h"
#include <random>

using namespace mirage;

namespace {

/// Makes random programs over three 4x4 inputs. Two makers of one seed make
/// equal programs: one that varies writes sums, products, quotients and
/// exponentials in other ways, by laws that the field knows.
class ProgramMaker {
public:
  ProgramMaker(Program &p, unsigned seed, bool vary)
      : p(p), shape(seed), variation(~seed), vary(vary) {}

  unsigned make(int depth, bool mayExponentiate) {
    unsigned kind = shape() % (depth == 0 ? 3 : 14);
    auto next = [&] { return make(depth - 1, mayExponentiate); };
    switch (kind) {
    case 0:
    case 1:
      return pickInput();
    case 2:
      return p.apply("mul", {pickInput(), p.constant(shape() % 9 + 0.25)});
    case 3: {
      unsigned a = next(), b = next();
      return flip() ? p.apply("add", {b, a}) : p.apply("add", {a, b});
    }
    case 4: {
      unsigned a = next(), b = next();
      return flip() ? p.apply("mul", {b, a}) : p.apply("mul", {a, b});
    }
    case 5: {
      unsigned a = next(), b = next(), c = next();
      if (flip())
        return p.apply("add", {p.apply("mul", {a, b}), p.apply("mul", {a, c})});
      return p.apply("mul", {a, p.apply("add", {b, c})});
    }
    case 6: {
      unsigned a = next(), b = next();
      return flip() ? p.apply("add", {a, p.apply("neg", {b})})
                    : p.apply("sub", {a, b});
    }
    case 7: {
      unsigned a = next(), b = makePositive(next());
      if (flip())
        return p.apply("mul", {a, p.apply("div", {p.constant(1), b})});
      return p.apply("div", {a, b});
    }
    case 8: {
      unsigned a = makePositive(next()), root = p.apply("sqrt", {a});
      return flip() ? p.apply("div", {a, root}) : root;
    }
    case 9: {
      if (!mayExponentiate)
        return 1;
      unsigned a = make(depth - 1, false), b = make(depth - 1, false);
      if (flip())
        return p.apply("mul", {p.apply("exp", {a}), p.apply("exp", {b})});
      return p.apply("exp", {p.apply("add", {a, b})});
    }
    case 10:
      return p.apply("silu", {next()});
    case 11: {
      unsigned a = next(), b = next();
      return flip() ? p.apply("max", {b, a}) : p.apply("max", {a, b});
    }
    case 12: {
      unsigned sum = next();
      if (flip())
        sum = p.apply("sum", {sum}, {1, 2});
      return p.apply("broadcast", {p.apply("sum", {sum}, {1})}, {4, 4});
    }
    default: {
      unsigned a = next(), b = next();
      return p.apply("matmul", {a, b});
    }
    }
  }

private:
  unsigned pickInput() { return shape() % 3; }
  bool flip() { return variation() % 2 && vary; }
  /// a^2 + 1, which has a root and is never 0.
  unsigned makePositive(unsigned a) {
    return p.apply("add", {p.apply("sqr", {a}), p.constant(1)});
  }

  Program &p;
  std::mt19937 shape, variation;
  bool vary;
};

KernelGraph makeRandom(unsigned seed, bool vary, double factor) {
  return makeProgram({{4, 4}, {4, 4}, {4, 4}}, [&](Program &p) {
    unsigned result = ProgramMaker(p, seed, vary).make(4, true);
    return p.apply("mul", {result, p.constant(factor)});
  });
}

/// What is proved for all sizes holds for those that are there, where the proof
/// is another one.
TEST(EqualProgramsTest, AreProvedForTheirSizesWhereTheyAreForAll) {
  unsigned proved = 0;
  constexpr unsigned kPrograms = 100;
  for (unsigned seed = 1; seed <= kPrograms; ++seed) {
    KernelGraph reference = makeRandom(seed, false, 1);
    for (double factor : {1.0, 1 + 0x1p-10}) {
      KernelGraph candidate = makeRandom(seed, true, factor);
      ProofResult all = proveEquivalence(reference, candidate),
                  these = proveForTheseSizes(reference, candidate);
      EXPECT_EQ(all.proved, these.proved) << seed;
      EXPECT_EQ(all.defined, these.defined) << seed;
      proved += all.proved && all.sizes == ProvedSizes::All;
    }
  }
  EXPECT_GT(proved, kPrograms / 2);
}

TEST(EqualProgramsTest, AreNotRefutedAndOthersNotAccepted) {
  unsigned accepted = 0, refuted = 0;
  constexpr unsigned kPrograms = 100;
  for (unsigned seed = 1; seed <= kPrograms; ++seed) {
    RandomTestOptions options;
    options.seed = seed;
    KernelGraph reference = makeRandom(seed, false, 1);
    RandomTestResult same =
        compare(reference, makeRandom(seed, true, 1), options);
    EXPECT_NE(same.verdict, Verdict::Refuted) << seed;
    accepted += same.verdict == Verdict::Accepted;
    RandomTestResult other =
        compare(reference, makeRandom(seed, true, 1 + 0x1p-10), options);
    // Zero times anything is zero.
    refuted += other.verdict == Verdict::Refuted;
    if (other.verdict == Verdict::Accepted)
      EXPECT_EQ(compare(reference, makeRandom(seed, true, 2), options).verdict,
                Verdict::Accepted)
          << seed;
  }
  EXPECT_GT(accepted, kPrograms * 9 / 10);
  EXPECT_GT(refuted, kPrograms * 9 / 10);
}

} // namespace
