//===- SolveTest.cpp - What the solver proves -----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Solve/Solve.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Verify/Equivalence.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;
using namespace mlir;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// The types of the programs: %x, %y : 4x8; %c : 4x1; %r : 4x1 results.
class SolveTest : public testing::Test {
protected:
  SolveTest() {
    DialectRegistry registry;
    registry.insert<MirageDialect, kernel::KernelDialect, block::BlockDialect,
                    func::FuncDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Expands "%a = relu %x" and the like: operands and results named %r.. are
  /// 4x1, the others 4x8.
  KernelGraph parse(StringRef body) {
    std::string text;
    llvm::raw_string_ostream out(text);
    out << "func.func @f(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %r: "
           "tensor<4x1xf32>, %rs: tensor<4x1xf32>) -> ";
    auto getType = [](StringRef value) {
      return value.starts_with("%r")   ? "tensor<4x1xf32>"
             : value.starts_with("%k") ? "tensor<f32>"
                                       : "tensor<4x8xf32>";
    };
    SmallVector<StringRef> lines;
    body.trim().split(lines, '\n');
    std::string result = lines.back().trim().split(' ').first.str();
    out << getType(result) << " {\n";
    for (StringRef line : lines) {
      line = line.trim();
      StringRef name = line.split(' ').first;
      StringRef rest = line.split("= ").second;
      if (rest.starts_with("constant")) {
        out << name << " = mirage." << rest << " : tensor<f32>\n";
        continue;
      }
      out << name << " = mirage_kernel." << rest << " : (";
      SmallVector<std::string> types;
      for (size_t at = rest.find('%'); at != StringRef::npos;
           at = rest.find('%', at + 1))
        types.push_back(getType(rest.substr(at)));
      out << llvm::join(types, ", ") << ") -> " << getType(name) << "\n";
    }
    out << "return " << result << " : " << getType(result) << "\n}\n";
    return parseModule(text);
  }

  KernelGraph parseModule(StringRef text) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << text.str();
      return {};
    }
    return *importKernelGraph(*module->getOps<func::FuncOp>().begin());
  }

  EquivalenceResult check(const KernelGraph &reference,
                          const KernelGraph &candidate, StringRef axioms = "") {
    EquivalenceOptions options;
    if (!axioms.empty()) {
      auto read = solve::readAxioms(axioms, "f");
      if (!read) {
        ADD_FAILURE() << llvm::toString(read.takeError());
        return {};
      }
      options.axioms = std::make_shared<const solve::Axioms>(std::move(*read));
    }
    return EquivalenceChecker(reference, options).check(candidate);
  }
  EquivalenceResult check(StringRef reference, StringRef candidate,
                          StringRef axioms = "") {
    return check(parse(reference), parse(candidate), axioms);
  }

  void expectProved(StringRef reference, StringRef candidate,
                    StringRef axioms = "") {
    EquivalenceResult result = check(reference, candidate, axioms);
    EXPECT_EQ(result.verdict, Verdict::Proved)
        << reference.str() << candidate.str() << result.reason << result.model;
  }
  void expectVerdict(Verdict verdict, StringRef reference, StringRef candidate,
                     StringRef axioms = "") {
    EquivalenceResult result = check(reference, candidate, axioms);
    EXPECT_EQ(result.verdict, verdict)
        << reference.str() << candidate.str() << result.reason << result.model;
  }

  MLIRContext context;
};

constexpr StringLiteral kLinear = "axiom forall x, y. F(x + y) = F(x) + F(y)\n"
                                  "axiom forall c, x. F(c * x) = c * F(x)";

} // namespace

//===----------------------------------------------------------------------===//
// Built-in operators
//===----------------------------------------------------------------------===//

TEST_F(SolveTest, ReluOfAPositiveMultiple) {
  expectProved(R"(
    %k = constant 3.0
    %a = mul %x, %k
    %b = relu %a)",
               R"(
    %k = constant 3.0
    %a = relu %x
    %b = mul %a, %k)");
  // c = exp(y)
  expectProved(R"(
    %e = exp %y
    %a = mul %x, %e
    %b = relu %a)",
               R"(
    %e = exp %y
    %a = relu %x
    %b = mul %a, %e)");
  // c = sqrt(sum of squares + eps)
  expectProved(R"(
    %s = sqr %y
    %r1 = sum %s dim 1
    %k = constant 0.0009765625
    %r2 = add %r1, %k
    %r3 = sqrt %r2
    %a = mul %x, %r3
    %b = relu %a)",
               R"(
    %s = sqr %y
    %r1 = sum %s dim 1
    %k = constant 0.0009765625
    %r2 = add %r1, %k
    %r3 = sqrt %r2
    %a = relu %x
    %b = mul %a, %r3)");
  // Dividing by it.
  expectProved(R"(
    %s = sqr %y
    %r1 = sum %s dim 1
    %k = constant 0.0009765625
    %r2 = add %r1, %k
    %r3 = sqrt %r2
    %a = div %x, %r3
    %b = relu %a)",
               R"(
    %s = sqr %y
    %r1 = sum %s dim 1
    %k = constant 0.0009765625
    %r2 = add %r1, %k
    %r3 = sqrt %r2
    %a = relu %x
    %b = div %a, %r3)");
}

TEST_F(SolveTest, ReluOfOtherMultiples) {
  expectVerdict(Verdict::Refuted, R"(
    %k = constant -1.0
    %a = mul %x, %k
    %b = relu %a)",
                R"(
    %k = constant -1.0
    %a = relu %x
    %b = mul %a, %k)");
  expectVerdict(Verdict::Refuted, R"(
    %a = mul %x, %r
    %b = relu %a)",
                R"(
    %a = relu %x
    %b = mul %a, %r)");
}

TEST_F(SolveTest, WithinSums) {
  expectProved(R"(
    %re = exp %r
    %a = mul %x, %re
    %b = relu %a
    %rz = sum %b dim 1)",
               R"(
    %re = exp %r
    %a = relu %x
    %rs1 = sum %a dim 1
    %rz = mul %rs1, %re)");
  // The largest of positive multiples.
  expectProved(R"(
    %re = exp %r
    %a = mul %x, %re
    %rz = reduce_max %a dim 1)",
               R"(
    %re = exp %r
    %rm = reduce_max %x dim 1
    %rz = mul %rm, %re)");
}

TEST_F(SolveTest, MaximaAndRoots) {
  expectProved(R"(
    %a = max %x, %y)",
               R"(
    %d = sub %x, %y
    %p = relu %d
    %a = add %p, %y)");
  // |x| = sqrt(x^2) = relu(x) + relu(-x)
  expectProved(R"(
    %s = sqr %x
    %a = sqrt %s)",
               R"(
    %p = relu %x
    %m = neg %x
    %n = relu %m
    %a = add %p, %n)");
  expectProved(R"(
    %a = clamp %x from -1.0 to 1.0)",
               R"(
    %k = constant 1.0
    %l = constant -1.0
    %m = min %x, %k
    %kn = constant -1.0
    %a = max %m, %kn)");
  expectVerdict(Verdict::Refuted, "%a = max %x, %y", "%a = min %x, %y");
}

// The candidate must be defined wherever the reference is.
TEST_F(SolveTest, Definedness) {
  expectProved("%a = relu %x", R"(
    %s = sqr %y
    %k = constant 1.0
    %t = add %s, %k
    %u = mul %x, %t
    %v = relu %u
    %a = div %v, %t)");
  expectVerdict(Verdict::Refuted, "%a = relu %x", R"(
    %u = sqrt %y
    %v = relu %x
    %w = mul %u, %v
    %a = div %w, %u)");
}

// -max(y, 0) has a root where y isn't positive: that is somewhere, and says
// something of y.
TEST_F(SolveTest, RootsOfNegativeMultiples) {
  expectVerdict(Verdict::Refuted, R"(
    %a = relu %y
    %b = neg %a
    %c = sqrt %b)",
                R"(
    %k = constant 0.5
    %a = mul %y, %k)");
  KernelGraph reference = parse(R"(
    %a = sqr %x
    %b = neg %a
    %c = sqrt %b)");
  KernelGraph candidate = parse(R"(
    %a = sqr %x
    %b = neg %a
    %c = sqrt %b
    %d = sqr %y
    %e = neg %d
    %f = sqrt %e
    %g = sub %f, %f
    %h = add %c, %g)");
  EXPECT_NE(check(reference, candidate).verdict, Verdict::Proved);
  EXPECT_EQ(check(reference, reference).verdict, Verdict::Proved);
}

//===----------------------------------------------------------------------===//
// Opaque operators
//===----------------------------------------------------------------------===//

TEST_F(SolveTest, OpaqueOperatorsAreFunctions) {
  expectProved(R"(
    %a = add %x, %y
    %b = custom "F"(%a))",
               R"(
    %a = add %y, %x
    %b = custom "F"(%a))");
  expectVerdict(Verdict::Refuted, "%b = custom \"F\"(%x)",
                "%b = custom \"G\"(%x)");
  expectVerdict(Verdict::Refuted, "%b = custom \"F\"(%x, %y)",
                "%b = custom \"F\"(%y, %x)");
  expectVerdict(Verdict::Refuted, R"(
    %r1 = sum %x dim 1
    %r2 = custom "F"(%r1))",
                R"(
    %a = custom "F"(%x)
    %r2 = sum %a dim 1)");
}

TEST_F(SolveTest, ALinearOperatorMovesPastASum) {
  EquivalenceResult result = check(R"(
    %r1 = sum %x dim 1
    %r2 = custom "F"(%r1))",
                                   R"(
    %a = custom "F"(%x)
    %r2 = sum %a dim 1)",
                                   kLinear);
  EXPECT_EQ(result.verdict, Verdict::Proved) << result.reason;
  EXPECT_TRUE(result.bySolver);
  EXPECT_TRUE(result.areAxiomsConsistent);
  EXPECT_THAT(result.usedAxioms, testing::Contains(HasSubstr("f:1: axiom")));
  // Additivity is enough, and the axiom for sums says no more.
  for (StringRef axioms : {"axiom forall x, y. F(x + y) = F(x) + F(y)",
                           "axiom forall x. F(sum(x)) = sum(F(x))",
                           "axiom forall x, y. F(x - y) = F(x) - F(y)",
                           "axiom forall x. F(x) = 7 * x"})
    expectProved(R"(
    %a = add %x, %y
    %r1 = sum %a dim 1
    %r2 = custom "F"(%r1))",
                 R"(
    %a = custom "F"(%x)
    %r1 = sum %a dim 1
    %b = custom "F"(%y)
    %r2 = sum %b dim 1
    %r3 = add %r1, %r2)",
                 axioms);
}

TEST_F(SolveTest, OtherOperatorsDoNotMovePastASum) {
  for (StringRef axioms :
       {"axiom forall c, x. c > 0 => F(c * x) = c * F(x)",
        "axiom forall x. F(-x) = -F(x)", "axiom forall x. F(F(x)) = F(x)",
        "axiom forall x, y. x <= y => F(x) <= F(y)"})
    expectVerdict(Verdict::Refuted, R"(
    %r1 = sum %x dim 1
    %r2 = custom "F"(%r1))",
                  R"(
    %a = custom "F"(%x)
    %r2 = sum %a dim 1)",
                  axioms);
}

TEST_F(SolveTest, MultiplesOfALinearOperator) {
  StringRef before = R"(
    %a = mul %x, %y
    %b = custom "F"(%a))";
  StringRef after = R"(
    %a = custom "F"(%x)
    %b = mul %a, %y)";
  expectProved(before, after, kLinear);
  // An additive function need not be linear, though no model shows it.
  expectVerdict(Verdict::Unknown, before, after,
                "axiom forall x, y. F(x + y) = F(x) + F(y)");
}

TEST_F(SolveTest, LawsOfOneOperator) {
  expectProved(R"(
    %a = custom "F"(%x)
    %b = custom "F"(%a)
    %c = custom "F"(%b))",
               R"(%c = custom "F"(%x))", "axiom forall x. F(F(x)) = F(x)");
  expectProved(R"(
    %e = exp %y
    %a = mul %x, %e
    %b = custom "F"(%a))",
               R"(
    %e = exp %y
    %a = custom "F"(%x)
    %b = mul %a, %e)",
               "axiom forall c, x. c > 0 => F(c * x) = c * F(x)");
  expectProved(R"(%a = custom "F"(%x, %y))", R"(%a = custom "F"(%y, %x))",
               "axiom forall x, y. F(x, y) = F(y, x)");
  expectProved(R"(
    %a = custom "F"(%x)
    %b = relu %a)",
               R"(%a = custom "F"(%x))", "axiom forall x. F(x) >= 0");
  expectProved(R"(
    %a = sub %x, %y
    %b = custom "F"(%a))",
               R"(
    %a = sub %y, %x
    %b = custom "F"(%a)
    %c = neg %b)",
               "axiom forall x. F(-x) = -F(x)");
  expectProved(R"(
    %a = custom "F"(%x)
    %r1 = sum %a dim 1)",
               R"(
    %a = custom "G"(%x)
    %b = mul %a, %x
    %r1 = sum %b dim 1)",
               "axiom forall x. F(x) = x * G(x)");
}

// A loop with an accumulator, in one kernel.
TEST_F(SolveTest, ALinearOperatorMovesOutOfALoop) {
  KernelGraph reference = parse(R"(
    %r1 = sum %x dim 1
    %r2 = custom "F"(%r1))");
  auto getCandidate = [](StringRef inside, StringRef outside) {
    return (R"(
func.func @g(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %r: tensor<4x1xf32>, %rs: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %0 = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<4x8xf32>) -> tensor<4x1xf32> {
  ^bb0(%X: tensor<4x8xf32>):
    %s = mirage_block.loop iterations 4 -> !mirage.tile<2x1xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<4x8xf32> -> !mirage.tile<2x2xf32>
      %f = mirage_block.)" +
            inside + R"( : (!mirage.tile<2x2xf32>) -> !mirage.tile<2x2xf32>
      %p = mirage_block.sum %f dim 1 : (!mirage.tile<2x2xf32>) -> !mirage.tile<2x1xf32>
      mirage_block.accumulate sum %p : !mirage.tile<2x1xf32>
    }
    %o = mirage_block.)" +
            outside + R"( : (!mirage.tile<2x1xf32>) -> !mirage.tile<2x1xf32>
    mirage_block.output_saver %o omap <x -> 0> : !mirage.tile<2x1xf32> -> tensor<4x1xf32>
  }
  return %0 : tensor<4x1xf32>
})")
        .str();
  };
  KernelGraph moved = parseModule(getCandidate("custom \"F\"(%xt)", "cast %s"));
  EXPECT_EQ(check(reference, moved, kLinear).verdict, Verdict::Proved);
  EXPECT_EQ(check(reference, moved).verdict, Verdict::Refuted);
  KernelGraph twice =
      parseModule(getCandidate("custom \"F\"(%xt)", "custom \"F\"(%s)"));
  EXPECT_EQ(check(reference, twice, kLinear).verdict, Verdict::Refuted);
}

// Whatever follows from axioms that contradict each other is not proved.
TEST_F(SolveTest, NothingIsProvedFromAContradiction) {
  auto axioms = solve::parseAxioms("axiom forall x. F(x) = 1\n"
                                   "axiom forall x. F(x) = 2",
                                   "f");
  ASSERT_TRUE(static_cast<bool>(axioms));
  SolveResult result =
      solveEquivalence(parse(R"(%a = custom "F"(%x))"),
                       parse(R"(%a = custom "F"(%y))"), &*axioms, {});
  EXPECT_FALSE(result.proved);
  EXPECT_EQ(result.reason, "the axioms contradict each other");
}

TEST_F(SolveTest, OnlyWhatIsNeededIsAssumed) {
  auto axioms = solve::parseAxioms("axiom forall x. F(x) >= 0\n"
                                   "axiom forall x. F(F(x)) = F(x)",
                                   "f");
  ASSERT_TRUE(static_cast<bool>(axioms));
  SolveResult result =
      solveEquivalence(parse(R"(
    %a = custom "F"(%x)
    %b = custom "F"(%a))"),
                       parse(R"(%a = custom "F"(%x))"), &*axioms, {});
  EXPECT_TRUE(result.proved) << result.reason;
  EXPECT_THAT(result.usedAxioms, ElementsAre(1));
}

TEST_F(SolveTest, NoTimeNoProof) {
  KernelGraph reference = parse("%a = max %x, %y"), candidate = parse(R"(
    %d = sub %x, %y
    %p = relu %d
    %a = add %p, %y)");
  auto solve = [&](double seconds) {
    SolveOptions options;
    options.seconds = seconds;
    return solveEquivalence(reference, candidate, nullptr, options);
  };
  for (double seconds : {0., -1., -1e300, std::nan("")}) {
    SolveResult result = solve(seconds);
    EXPECT_FALSE(result.proved);
    EXPECT_EQ(result.reason, "the time limit came first");
  }
  for (double seconds : {1e12, 1e300, HUGE_VAL})
    EXPECT_TRUE(solve(seconds).proved);
}

// Where the value is chosen it is defined.
TEST_F(SolveTest, Choices) {
  expectProved("%a = relu %x", R"(
    %t = sqrt %x
    %s = sqr %t
    %a = where %x, %s)");
  expectProved(R"(
    %s = sqrt %x
    %t = sqrt %y
    %u = mul %s, %t
    %a = where %x, %u)",
               R"(
    %s = mul %x, %y
    %t = sqrt %s
    %a = where %x, %t)");
  // Elsewhere it may not be.
  expectVerdict(Verdict::Unknown, R"(
    %q = div %x, %y
    %a = where %x, %q)",
                R"(
    %q = div %x, %y
    %w = where %x, %q
    %m = mul %w, %y
    %a = div %m, %y)");
}

TEST_F(SolveTest, AWrongNumberOfOperandsIsAnotherFunction) {
  expectVerdict(Verdict::Refuted, R"(%a = custom "F"(%x, %y))",
                R"(%a = custom "F"(%y, %x))", "axiom forall x. F(x) >= 0");
}
