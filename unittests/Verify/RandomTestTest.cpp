//===- RandomTestTest.cpp - Verdicts of random testing --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyTest.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mirage;

namespace {

using Build = std::function<unsigned(Program &)>;

/// The verdict on two programs of the inputs.
Verdict test(llvm::ArrayRef<Shape> inputs, Build reference, Build candidate,
             uint64_t seed = 1) {
  RandomTestOptions options;
  options.seed = seed;
  return compare(makeProgram(inputs, reference), makeProgram(inputs, candidate),
                 options)
      .verdict;
}

/// A function of one operand of x.
Build unary(const char *name) {
  return [=](Program &p) { return p.apply(name, {0}); };
}
unsigned identity(Program &) { return 0; }
Params number(double value) { return {llvm::bit_cast<int64_t>(value)}; }

//===----------------------------------------------------------------------===//
// Laws of roots, maxima and functions: never refuted
//===----------------------------------------------------------------------===//

// The field takes a root of a square to be a residue, the reals a positive one.
TEST(RandomTestTest, RootOfSquareOfSum) {
  auto sum = [](Program &p) {
    return p.apply("add", {p.apply("sqr", {0}), p.apply("sqr", {1})});
  };
  for (uint64_t seed = 1; seed < 6; ++seed)
    EXPECT_EQ(test(
                  {{8}, {8}}, sum,
                  [&](Program &p) {
                    return p.apply("sqrt", {p.apply("sqr", {sum(p)})});
                  },
                  seed),
              Verdict::Unknown);
}

TEST(RandomTestTest, LawsThatTheFieldDoesNotKnow) {
  Shape x{16};
  auto product = [](Program &p) {
    return p.apply("mul", {0, p.apply("sigmoid", {0})});
  };
  EXPECT_EQ(test(x, unary("silu"), product), Verdict::Unknown);
  EXPECT_EQ(test(x, product, unary("silu")), Verdict::Unknown);
  EXPECT_EQ(
      test(x, unary("relu"),
           [](Program &p) { return p.apply("relu", {p.apply("relu", {0})}); }),
      Verdict::Unknown);
  EXPECT_EQ(
      test(x, identity, [](Program &p) { return p.apply("max", {0, 0}); }),
      Verdict::Unknown);
  EXPECT_EQ(test(x, unary("relu"),
                 [](Program &p) {
                   unsigned two = p.constant(2);
                   unsigned twice = p.apply("mul", {0, two});
                   return p.apply("div", {p.apply("relu", {twice}), two});
                 }),
            Verdict::Unknown);
  EXPECT_EQ(
      test(x, identity,
           [](Program &p) { return p.apply("log", {p.apply("exp", {0})}); }),
      Verdict::Unknown);
  EXPECT_EQ(test(x, unary("exp"),
                 [](Program &p) {
                   unsigned half = p.apply("mul", {0, p.constant(0.5)});
                   return p.apply("sqr", {p.apply("exp", {half})});
                 }),
            Verdict::Accepted);
}

// max(a, b) in another order, and in parts.
TEST(RandomTestTest, MaximaOfParts) {
  Shape x{4, 6};
  auto whole = [](Program &p) { return p.apply("reduce_max", {0}, {1}); };
  EXPECT_EQ(test(
                {x, x},
                [](Program &p) {
                  unsigned max = p.apply("max", {0, 1});
                  return p.apply("reduce_max", {max}, {1});
                },
                [](Program &p) {
                  return p.apply("max", {p.apply("reduce_max", {1}, {1}),
                                         p.apply("reduce_max", {0}, {1})});
                }),
            Verdict::Accepted);
  EXPECT_EQ(test(x, whole,
                 [](Program &p) {
                   unsigned t = p.apply("reshape", {0}, {4, 2, 3});
                   t = p.apply("reduce_max", {t}, {2});
                   t = p.apply("reduce_max", {t}, {1});
                   return p.apply("reshape", {t}, {4, 1});
                 }),
            Verdict::Accepted);
}

//===----------------------------------------------------------------------===//
// Differences in them: refuted
//===----------------------------------------------------------------------===//

TEST(RandomTestTest, WrongConstantsUnderFunctions) {
  Shape x{16};
  for (const char *name : {"silu", "gelu", "tanh", "relu", "sqrt", "erf"}) {
    auto scaled = [&](double factor) {
      return [=](Program &p) {
        return p.apply(name, {p.apply("mul", {0, p.constant(factor)})});
      };
    };
    EXPECT_EQ(test(x, scaled(1.1), scaled(1.1)), Verdict::Accepted) << name;
    double next = std::nextafter(1.1f, 2.0f);
    EXPECT_EQ(test(x, scaled(1.1f), scaled(next)), Verdict::Refuted) << name;
    // By long double.
    EXPECT_EQ(test(x, scaled(1.1), scaled(std::nextafter(1.1, 2.0))),
              Verdict::Refuted)
        << name;
  }
}

TEST(RandomTestTest, UndefinedWhereTheReferenceIsNot) {
  Shape x{8};
  auto squareOfRoot = [](Program &p) {
    return p.apply("sqr", {p.apply("sqrt", {0})});
  };
  EXPECT_EQ(test(x, identity, squareOfRoot), Verdict::Refuted);
  EXPECT_EQ(
      test(x, identity,
           [](Program &p) { return p.apply("exp", {p.apply("log", {0})}); }),
      Verdict::Refuted);
  // The other way, the candidate is defined where the reference is.
  EXPECT_EQ(test(x, squareOfRoot, identity), Verdict::Accepted);
  // Undefined at a single point.
  EXPECT_EQ(
      test(x, identity,
           [](Program &p) { return p.apply("div", {p.apply("sqr", {0}), 0}); }),
      Verdict::Accepted);
  // An overflow is no such point.
  EXPECT_EQ(test(x, identity,
                 [](Program &p) {
                   unsigned large = p.apply("mul", {0, p.constant(1e308)});
                   unsigned one = p.apply("div", {large, large});
                   return p.apply("mul", {0, p.apply("sqrt", {one})});
                 }),
            Verdict::Accepted);
}

// x f / f is undefined wherever f is 0, which a maximum is on half of the
// inputs.
TEST(RandomTestTest, DivisorsThatAreOftenZero) {
  auto scaled = [](Program &p) { return p.apply("mul", {0, p.constant(1.1)}); };
  auto times = [&](std::function<unsigned(Program &, unsigned)> f) {
    return [=](Program &p) {
      unsigned y = scaled(p), divisor = f(p, y);
      return p.apply("div", {p.apply("mul", {y, divisor}), divisor});
    };
  };
  auto relu = [](Program &p, unsigned y) { return p.apply("relu", {y}); };
  EXPECT_EQ(test({{8}}, scaled, times(relu)), Verdict::Refuted);
  auto excess = [](Program &p, unsigned y) {
    return p.apply("sub", {p.apply("max", {y, p.constant(0)}), y});
  };
  EXPECT_NE(test({{8}}, scaled, times(excess)), Verdict::Accepted);
}

TEST(RandomTestTest, AbsoluteValues) {
  auto absolute = [](Program &p) {
    return p.apply("sqrt", {p.apply("sqr", {0})});
  };
  EXPECT_EQ(test({{8}}, identity, absolute), Verdict::Refuted);
  EXPECT_EQ(test({{8}}, absolute, absolute), Verdict::Accepted);
  EXPECT_EQ(test({{8}}, absolute, unary("relu")), Verdict::Refuted);
}

//===----------------------------------------------------------------------===//
// Algebra and exponentials: decided by the field
//===----------------------------------------------------------------------===//

TEST(RandomTestTest, ConstantsOffByOneUnit) {
  for (const char *name : {"cast", "exp"}) {
    auto scaled = [&](double factor) {
      return [=](Program &p) {
        return p.apply(name, {p.apply("mul", {0, p.constant(factor)})});
      };
    };
    for (double factor : {1.0, 1e-5, 6144.0, 1 / 3.0, 1e300}) {
      EXPECT_EQ(test({{4}}, scaled(factor), scaled(factor)), Verdict::Accepted);
      EXPECT_EQ(
          test({{4}}, scaled(factor), scaled(std::nextafter(factor, INFINITY))),
          Verdict::Refuted);
    }
    EXPECT_EQ(test({{4}}, scaled(0.1f), scaled(std::nextafter(0.1f, 1.0f))),
              Verdict::Refuted);
  }
  // A division, and the rounded reciprocal.
  EXPECT_EQ(
      test(
          {{4}}, [](Program &p) { return p.apply("div", {0, p.constant(3)}); },
          [](Program &p) { return p.apply("mul", {0, p.constant(1 / 3.0)}); }),
      Verdict::Refuted);
}

TEST(RandomTestTest, AlmostEqualPrograms) {
  Shape x{8, 8};
  auto sum = [](Program &p) { return p.apply("sum", {0}, {1}); };
  // Over half of the dimension, twice.
  EXPECT_EQ(test(x, sum,
                 [](Program &p) {
                   unsigned t = p.apply("reshape", {0}, {8, 2, 4});
                   t = p.apply("sum", {t}, {2});
                   t = p.apply("reshape", {t}, {16, 1});
                   t = p.apply("reshape", {t}, {8, 2});
                   return p.apply("sum", {t}, {1});
                 }),
            Verdict::Accepted);
  EXPECT_EQ(test(x, sum,
                 [](Program &p) {
                   unsigned t = p.apply("sum", {0}, {0});
                   return p.apply("reshape", {t}, {8, 1});
                 }),
            Verdict::Refuted);
  // Permuted rows.
  EXPECT_EQ(test(x, identity,
                 [](Program &p) {
                   unsigned t = p.apply("reshape", {0}, {2, 4, 8});
                   t = p.apply("transpose", {t}, {1, 0, 2});
                   return p.apply("reshape", {t}, {8, 8});
                 }),
            Verdict::Refuted);
  // Swapped operands.
  auto difference = [](unsigned a, unsigned b) {
    return [=](Program &p) { return p.apply("sub", {a, b}); };
  };
  EXPECT_EQ(test({x, x}, difference(0, 1), difference(1, 0)), Verdict::Refuted);
  auto product = [](unsigned a, unsigned b) {
    return [=](Program &p) { return p.apply("matmul", {a, b}); };
  };
  EXPECT_EQ(test({x, x}, product(0, 1), product(1, 0)), Verdict::Refuted);
  EXPECT_EQ(test({x, x}, product(0, 1), product(0, 1)), Verdict::Accepted);
  // Doubled accumulation.
  EXPECT_EQ(test({x, x}, product(0, 1),
                 [](Program &p) {
                   unsigned t = p.apply("matmul", {0, 1});
                   return p.apply("add", {t, t});
                 }),
            Verdict::Refuted);
}

// A sum of p equal terms is 0 modulo p.
TEST(RandomTestTest, MultiplesOfOnePrimeAreSeenModuloAnother) {
  double p = FiniteField(/*withExponents=*/false, /*seed=*/1).getP();
  auto multiple = [=](Program &program) {
    return program.apply("mul", {0, program.constant(p)});
  };
  RandomTestResult result = compare(
      makeProgram(
          {{4}}, [](Program &program) { return program.apply("sub", {0, 0}); }),
      makeProgram({{4}}, multiple));
  EXPECT_EQ(result.verdict, Verdict::Refuted);
  EXPECT_EQ(result.failingSeed, 2u);
  EXPECT_EQ(result.primes[0], p);
}

TEST(RandomTestTest, OnlyTheCandidateExponentiates) {
  auto timesExpOfZero = [](Program &p) {
    unsigned zero = p.apply("sub", {0, 0});
    return p.apply("mul", {0, p.apply("exp", {zero})});
  };
  EXPECT_EQ(test({{8}}, identity, timesExpOfZero), Verdict::Accepted);
  EXPECT_EQ(test({{8}}, timesExpOfZero, identity), Verdict::Accepted);
  EXPECT_EQ(test({{8}}, identity, unary("exp")), Verdict::Refuted);
}

// The field has no value for exp(exp(x)), the reals have.
TEST(RandomTestTest, NestedExponentials) {
  auto nested = [](double factor) {
    return [=](Program &p) {
      unsigned e = p.apply("exp", {0});
      return p.apply("exp", {p.apply("mul", {e, p.constant(factor)})});
    };
  };
  EXPECT_EQ(test({{4}}, nested(1), nested(1)), Verdict::Unknown);
  EXPECT_EQ(test({{4}}, nested(1), nested(1.5)), Verdict::Refuted);
}

// Infinity is no number of the field.
TEST(RandomTestTest, InfiniteBounds) {
  auto clamp = [](double lower) {
    return [=](Program &p) {
      Params bounds = number(lower);
      bounds.append(number(6));
      return p.apply("clamp", {0}, bounds);
    };
  };
  EXPECT_EQ(test({{4}}, clamp(-1), clamp(-1)), Verdict::Accepted);
  EXPECT_EQ(test({{4}}, clamp(-INFINITY), clamp(-1e300)), Verdict::Unknown);
}

//===----------------------------------------------------------------------===//
// Options and results
//===----------------------------------------------------------------------===//

TEST(RandomTestTest, WithoutTheRealsTheFieldDecides) {
  KernelGraph once = makeProgram({{4}}, unary("relu"));
  KernelGraph twice = makeProgram({{4}}, [](Program &p) {
    return p.apply("relu", {p.apply("relu", {0})});
  });
  RandomTestOptions options;
  options.checkReals = options.computeBound = false;
  RandomTestResult result = compare(once, twice, options);
  EXPECT_EQ(result.verdict, Verdict::Refuted);
  EXPECT_FALSE(result.overReals);
  result = compare(once, once, options);
  EXPECT_EQ(result.verdict, Verdict::Accepted);
  EXPECT_EQ(result.log2Bound, std::nullopt);
}

TEST(RandomTestTest, ResultsDependOnTheSeedOnly) {
  auto product = [](Program &p) { return p.apply("matmul", {0, 1}); };
  KernelGraph graph = makeProgram({{4, 4}, {4, 4}}, product);
  RandomTestOptions options;
  options.trials = 3;
  options.seed = 7;
  RandomTestResult first = compare(graph, graph, options),
                   second = compare(graph, graph, options);
  EXPECT_EQ(first.primes, second.primes);
  EXPECT_EQ(first.primes.size(), 3u);
  EXPECT_EQ(first.log2Bound, second.log2Bound);
  options.seed = 8;
  EXPECT_NE(compare(graph, graph, options).primes[0], first.primes[0]);
  // Trials are named by their seeds.
  EXPECT_EQ(compare(graph, graph, options).primes[0], first.primes[1]);
}

TEST(RandomTestTest, HundredsOfTrialsAreCounted) {
  auto makeProduct = [](unsigned a, unsigned b) {
    return makeProgram({{2, 2}, {2, 2}},
                       [&](Program &p) { return p.apply("mul", {a, b}); });
  };
  RandomTestOptions options;
  options.trials = 300;
  options.maxTrials = 400;
  RandomTestResult result =
      compare(makeProduct(0, 1), makeProduct(1, 0), options);
  EXPECT_EQ(result.verdict, Verdict::Accepted);
  EXPECT_EQ(result.trials, 300u);
}

TEST(RandomTestTest, StopsWhenTold) {
  KernelGraph graph = makeProgram({{4}}, unary("sqrt"));
  std::atomic<bool> stop{true};
  RandomTestOptions options;
  options.stop = &stop;
  RandomTestResult result = compare(graph, graph, options);
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_EQ(result.reason, "the time limit came first");
}

// One tester, candidates with exponentials and without.
TEST(RandomTestTest, CandidatesDoNotDisturbEachOther) {
  KernelGraph reference = makeProgram({{8}}, unary("sqr"));
  RandomTester tester(reference, {});
  KernelGraph exponential = makeProgram({{8}}, unary("exp"));
  KernelGraph power = makeProgram(
      {{8}}, [](Program &p) { return p.apply("pow", {0}, number(2)); });
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(tester.test(exponential).verdict, Verdict::Refuted);
    EXPECT_EQ(tester.test(power).verdict, Verdict::Accepted);
  }
}

} // namespace
