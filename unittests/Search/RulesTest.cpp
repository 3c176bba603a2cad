//===- RulesTest.cpp - Each rule of the search loses nothing --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphText.h"
#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Numbers/RealNumbers.h"
#include "SearchFixture.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"
#include <algorithm>
#include <cmath>
#include <set>

using namespace mirage;

namespace {

struct SmallProgram {
  const char *name, *text;
  /// Whether to search for two kernels, too.
  bool twoKernels = false;
  /// If its exponentials can be made safe: inputs on which others overflow.
  double largest = 0;
  /// Whether it is too large where equal values are kept apart.
  bool hasManyValues = false;
};

void PrintTo(const SmallProgram &program, std::ostream *os) {
  *os << program.name;
}

constexpr SmallProgram kPrograms[] = {
    {"NormLinear", R"(
func.func @f(%x: tensor<16x64xf32>, %w: tensor<64x32xf32>) -> tensor<16x32xf32> {
  %q = mirage_kernel.mul %x, %x : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %s = mirage_kernel.sum %q dim 1 : (tensor<16x64xf32>) -> tensor<16x1xf32>
  %r = mirage_kernel.sqrt %s : (tensor<16x1xf32>) -> tensor<16x1xf32>
  %d = mirage_kernel.div %x, %r : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
  %y = mirage_kernel.matmul %d, %w : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
})",
     true},
    // Tiles whose rows are no multiples of a sector, and straddle them.
    {"OddRows", R"(
func.func @f(%x: tensor<12x24xf16>, %w: tensor<24x20xf16>) -> tensor<12x20xf16> {
  %q = mirage_kernel.mul %x, %x : (tensor<12x24xf16>, tensor<12x24xf16>) -> tensor<12x24xf16>
  %s = mirage_kernel.sum %q dim 1 : (tensor<12x24xf16>) -> tensor<12x1xf16>
  %r = mirage_kernel.sqrt %s : (tensor<12x1xf16>) -> tensor<12x1xf16>
  %d = mirage_kernel.div %x, %r : (tensor<12x24xf16>, tensor<12x1xf16>) -> tensor<12x24xf16>
  %y = mirage_kernel.matmul %d, %w : (tensor<12x24xf16>, tensor<24x20xf16>) -> tensor<12x20xf16>
  return %y : tensor<12x20xf16>
})"},
    {"Softmax", R"(
func.func @f(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %e = mirage_kernel.exp %x : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<16x64xf32>) -> tensor<16x1xf32>
  %y = mirage_kernel.div %e, %s : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
  return %y : tensor<16x64xf32>
})",
     true, 2000},
    {"GatedProduct", R"(
func.func @f(%x: tensor<16x64xf32>, %v: tensor<64x32xf32>, %w: tensor<64x32xf32>) -> tensor<16x32xf32> {
  %a = mirage_kernel.matmul %x, %v : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  %g = mirage_kernel.silu %a : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %b = mirage_kernel.matmul %x, %w : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  %y = mirage_kernel.mul %g, %b : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
})",
     true},
    {"LowRankSum", R"(
func.func @f(%x: tensor<16x64xf32>, %w: tensor<64x32xf32>, %a: tensor<64x4xf32>, %b: tensor<4x32xf32>) -> tensor<16x32xf32> {
  %p = mirage_kernel.matmul %x, %w : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  %q = mirage_kernel.matmul %x, %a : (tensor<16x64xf32>, tensor<64x4xf32>) -> tensor<16x4xf32>
  %r = mirage_kernel.matmul %q, %b : (tensor<16x4xf32>, tensor<4x32xf32>) -> tensor<16x32xf32>
  %y = mirage_kernel.add %p, %r : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
})"},
    {"TransposedProduct", R"(
func.func @f(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32> {
  %t = mirage_kernel.transpose %w permutation [1, 0] : (tensor<32x64xf32>) -> tensor<64x32xf32>
  %a = mirage_kernel.matmul %x, %t : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  %y = mirage_kernel.exp %a : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
})",
     true},
    // A square keeps its shape when it is transposed.
    {"TransposedSquare", R"(
func.func @f(%x: tensor<16x32xf32>, %w: tensor<32x32xf32>) -> tensor<16x32xf32> {
  %t = mirage_kernel.transpose %w permutation [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %a = mirage_kernel.matmul %x, %t : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
  %y = mirage_kernel.add %x, %a : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
})",
     true},
    // Three dimensions have six orders, of which the program has three.
    {"TransposedBatches", R"(
func.func @f(%x: tensor<16x8x32xf32>, %w: tensor<8x32x16xf32>) -> tensor<16x8x16xf32> {
  %t = mirage_kernel.transpose %x permutation [1, 0, 2] : (tensor<16x8x32xf32>) -> tensor<8x16x32xf32>
  %a = mirage_kernel.matmul %t, %w : (tensor<8x16x32xf32>, tensor<8x32x16xf32>) -> tensor<8x16x16xf32>
  %y = mirage_kernel.transpose %a permutation [1, 0, 2] : (tensor<8x16x16xf32>) -> tensor<16x8x16xf32>
  return %y : tensor<16x8x16xf32>
})",
     true},
    // What is read as rows and as columns, and what is transposed, where
    // dimensions of size 1 come and go.
    {"RowsAndColumns", R"(
func.func @f(%a: tensor<8x16xf32>, %x: tensor<16x8x16xf32>) -> tensor<8x16x16xf32> {
  %r = mirage_kernel.reshape %a : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
  %c = mirage_kernel.reshape %a : (tensor<8x16xf32>) -> tensor<8x1x16xf32>
  %d = mirage_kernel.sub %r, %c : (tensor<8x16x1xf32>, tensor<8x1x16xf32>) -> tensor<8x16x16xf32>
  %t = mirage_kernel.transpose %x permutation [1, 0, 2] : (tensor<16x8x16xf32>) -> tensor<8x16x16xf32>
  %y = mirage_kernel.add %d, %t : (tensor<8x16x16xf32>, tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  return %y : tensor<8x16x16xf32>
})"},
    // One loop over two dimensions of one size.
    {"SumOfTwoProducts", R"(
func.func @f(%x: tensor<16x64xf32>, %w: tensor<64x32xf32>, %h: tensor<16x64xf32>, %u: tensor<64x32xf32>) -> tensor<16x32xf32> {
  %a = mirage_kernel.matmul %x, %w : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  %b = mirage_kernel.matmul %h, %u : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  %s = mirage_kernel.add %a, %b : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
  %y = mirage_kernel.relu %s : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
})"},
    {"SumOfProducts", R"(
func.func @f(%x: tensor<16x64xf32>, %v: tensor<64x32xf32>, %w: tensor<64x32xf32>) -> tensor<16x32xf32> {
  %a = mirage_kernel.matmul %x, %v : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  %b = mirage_kernel.matmul %x, %w : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  %y = mirage_kernel.add %a, %b : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
})"},
    {"MaximumOfSum", R"(
func.func @f(%x: tensor<16x64xf32>, %y: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %a = mirage_kernel.add %x, %y : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %m = mirage_kernel.reduce_max %a dim 1 : (tensor<16x64xf32>) -> tensor<16x1xf32>
  %d = mirage_kernel.sub %a, %m : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
  return %d : tensor<16x64xf32>
})"},
    {"TwoOutputs", R"(
func.func @f(%x: tensor<16x64xf32>, %y: tensor<16x64xf32>) -> (tensor<16x64xf32>, tensor<16x64xf32>) {
  %a = mirage_kernel.add %x, %y : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %b = mirage_kernel.mul %a, %y : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  return %a, %b : tensor<16x64xf32>, tensor<16x64xf32>
})",
     /*twoKernels=*/true},
    // A grid dimension cuts columns of both outputs.
    {"UnevenOutputs", R"(
func.func @f(%x: tensor<16x64xf32>, %v: tensor<64x32xf32>, %w: tensor<64x16xf32>) -> (tensor<16x32xf32>, tensor<16x16xf32>) {
  %e = mirage_kernel.relu %x : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %a = mirage_kernel.matmul %e, %v : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  %b = mirage_kernel.matmul %e, %w : (tensor<16x64xf32>, tensor<64x16xf32>) -> tensor<16x16xf32>
  return %a, %b : tensor<16x32xf32>, tensor<16x16xf32>
})",
     /*twoKernels=*/true},
    // Blocks need all of what they cut: rows and columns have one role.
    {"RowsByRows", R"(
func.func @f(%x: tensor<64x16xf32>, %q: tensor<64x16xf32>) -> tensor<64x64xf32> {
  %s = mirage_kernel.add %q, %x : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %t = mirage_kernel.transpose %x permutation [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
  %y = mirage_kernel.matmul %s, %t : (tensor<64x16xf32>, tensor<16x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
})"},
    {"NormOfSum", R"(
func.func @f(%x: tensor<16x64xf32>, %y: tensor<16x64xf32>) -> tensor<16x1xf32> {
  %a = mirage_kernel.add %x, %y : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %b = mirage_kernel.sqr %a : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %s = mirage_kernel.sum %b dim 1 : (tensor<16x64xf32>) -> tensor<16x1xf32>
  %r = mirage_kernel.sqrt %s : (tensor<16x1xf32>) -> tensor<16x1xf32>
  return %r : tensor<16x1xf32>
})"},
    {"Attention", R"(
func.func @f(%q: tensor<16x8xf32>, %k: tensor<8x64xf32>, %v: tensor<64x8xf32>) -> tensor<16x8xf32> {
  %a = mirage_kernel.matmul %q, %k : (tensor<16x8xf32>, tensor<8x64xf32>) -> tensor<16x64xf32>
  %e = mirage_kernel.exp %a : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<16x64xf32>) -> tensor<16x1xf32>
  %o = mirage_kernel.matmul %e, %v : (tensor<16x64xf32>, tensor<64x8xf32>) -> tensor<16x8xf32>
  %y = mirage_kernel.div %o, %s : (tensor<16x8xf32>, tensor<16x1xf32>) -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
})",
     true, 40},
    // Loops that don't divide their keys.
    {"AttentionOfPrimeKeys", R"(
func.func @f(%q: tensor<16x8xf32>, %k: tensor<8x67xf32>, %v: tensor<67x8xf32>) -> tensor<16x8xf32> {
  %a = mirage_kernel.matmul %q, %k : (tensor<16x8xf32>, tensor<8x67xf32>) -> tensor<16x67xf32>
  %e = mirage_kernel.exp %a : (tensor<16x67xf32>) -> tensor<16x67xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<16x67xf32>) -> tensor<16x1xf32>
  %o = mirage_kernel.matmul %e, %v : (tensor<16x67xf32>, tensor<67x8xf32>) -> tensor<16x8xf32>
  %y = mirage_kernel.div %o, %s : (tensor<16x8xf32>, tensor<16x1xf32>) -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
})",
     true, 40},
    {"ProductOfSums", R"(
func.func @f(%x: tensor<16x64xf32>, %y: tensor<16x64xf32>, %u: tensor<16x64xf32>, %v: tensor<16x64xf32>) -> tensor<16x1xf32> {
  %a = mirage_kernel.add %x, %y : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %b = mirage_kernel.add %u, %v : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %c = mirage_kernel.mul %a, %b : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %s = mirage_kernel.sum %c dim 1 : (tensor<16x64xf32>) -> tensor<16x1xf32>
  return %s : tensor<16x1xf32>
})",
     false, 0, true},
    // A polynomial between two products has many arrangements.
    {"Polynomial", R"(
func.func @f(%x: tensor<16x64xf16>, %w: tensor<64x32xf16>, %v: tensor<32x16xf16>) -> tensor<16x16xf16> {
  %three = mirage.constant 3.0 : tensor<f32>
  %a = mirage_kernel.matmul %x, %w : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf32>
  %s = mirage_kernel.sqr %a : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %t = mirage_kernel.add %s, %three : (tensor<16x32xf32>, tensor<f32>) -> tensor<16x32xf32>
  %g = mirage_kernel.mul %a, %t : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf16>
  %y = mirage_kernel.matmul %g, %v : (tensor<16x32xf16>, tensor<32x16xf16>) -> tensor<16x16xf16>
  return %y : tensor<16x16xf16>
})",
     true, 0, true},
};

/// Reals that note when an exponential overflows.
class WatchedReals final : public NumberSystem {
public:
  mutable bool overflows = false;

  Tensor exp(const Tensor &x) const override {
    Tensor result = reals.exp(x);
    for (int64_t i = 0; i < result.getNumElements(); ++i)
      overflows |= !std::isfinite(result.planes[0].as<double>()[i]);
    return result;
  }

  Tensor random(llvm::ArrayRef<int64_t> shape, uint64_t seed,
                uint64_t stream) const override {
    return reals.random(shape, seed, stream);
  }
  Tensor constant(double value) const override { return reals.constant(value); }
  Tensor zeros(llvm::ArrayRef<int64_t> shape) const override {
    return reals.zeros(shape);
  }
  Tensor add(const Tensor &x, const Tensor &y) const override {
    return reals.add(x, y);
  }
  Tensor sub(const Tensor &x, const Tensor &y) const override {
    return reals.sub(x, y);
  }
  Tensor mul(const Tensor &x, const Tensor &y) const override {
    return reals.mul(x, y);
  }
  Tensor div(const Tensor &x, const Tensor &y) const override {
    return reals.div(x, y);
  }
  Tensor max(const Tensor &x, const Tensor &y) const override {
    return reals.max(x, y);
  }
  Tensor sqrt(const Tensor &x) const override { return reals.sqrt(x); }
  Tensor log(const Tensor &x) const override { return reals.log(x); }
  Tensor erf(const Tensor &x) const override { return reals.erf(x); }
  Tensor where(const Tensor &condition, const Tensor &x) const override {
    return reals.where(condition, x);
  }
  std::optional<Tensor> function(llvm::StringRef name,
                                 llvm::ArrayRef<Tensor> x) const override {
    return reals.function(name, x);
  }
  Tensor sum(const Tensor &x, unsigned dim) const override {
    return reals.sum(x, dim);
  }
  Tensor maximum(const Tensor &x, unsigned dim) const override {
    return reals.maximum(x, dim);
  }
  Tensor matmul(const Tensor &x, const Tensor &y) const override {
    return reals.matmul(x, y);
  }
  std::optional<int64_t> findDifference(const Tensor &x,
                                        const Tensor &y) const override {
    return reals.findDifference(x, y);
  }

private:
  RealNumbers reals;
};

class RulesTest : public SearchFixture,
                  public testing::WithParamInterface<SmallProgram> {
protected:
  struct Found {
    std::vector<double> costs;
    std::multiset<std::string> texts;
  };

  static constexpr unsigned kCandidates = 4;

  /// Whether no exponential overflows on large inputs.
  bool isSafe(const KernelGraph &graph) {
    WatchedReals numbers;
    std::vector<Tensor> inputs;
    for (unsigned i = 0; i < graph.numInputs; ++i) {
      inputs.push_back(numbers.random(graph.tensors[i].shape, /*seed=*/1, i));
      for (int64_t k = 0; k < inputs[i].getNumElements(); ++k)
        inputs[i].planes[0].as<double>()[k] *= GetParam().largest;
    }
    evaluate(graph, numbers, inputs);
    return !numbers.overflows;
  }

  Found find(const KernelGraph &reference, bool onlySafe = false) {
    SearchResult result = run(reference);
    EXPECT_TRUE(result.statistics.exhausted);
    Found found;
    for (const SearchCandidate &candidate : result.candidates) {
      if (found.costs.size() == kCandidates)
        break;
      if (onlySafe && !isSafe(candidate.graph))
        continue;
      found.costs.push_back(candidate.cost.nanoseconds);
      found.texts.insert(getText(candidate.graph));
    }
    return found;
  }
};

/// For what they leave out there is something that computes the same, costs no
/// more and is found.
bool leavesOutEquals(SearchRule rule) {
  return rule == SearchRule::FactoredSums || rule == SearchRule::Duplicates ||
         rule == SearchRule::Cuts || rule == SearchRule::Transposes ||
         rule == SearchRule::Orders || rule == SearchRule::WholeTensors ||
         rule == SearchRule::Partitions;
}

TEST_P(RulesTest, LoseNothing) {
  KernelGraph reference = parse(GetParam().text);
  for (unsigned kernels : {1, 2}) {
    if (kernels > 1 && !GetParam().twoKernels)
      continue;
    options.maxKernelOps = kernels;
    options.maxBlockOps = kernels == 1 ? 6 : 4;
    options.maxGridDims = 2;
    options.keep = kCandidates;
    options.without = SearchRuleSet();
    Found expected = find(reference, GetParam().largest > 0);
    // All of them, if they had to be safe.
    EXPECT_EQ(expected.costs.size(), kCandidates);
    for (SearchRule rule : getSearchRules()) {
      // See below.
      if (rule == SearchRule::EqualValues)
        continue;
      SCOPED_TRACE(getSearchRuleName(rule).str() +
                   " off, kernels: " + std::to_string(kernels));
      options.without = SearchRuleSet();
      options.without.insert(rule);
      // What is unsafe comes on top.
      bool mayBeUnsafe =
          GetParam().largest > 0 &&
          (rule == SearchRule::Exponentials || rule == SearchRule::Maxima);
      options.keep = mayBeUnsafe ? 64 : kCandidates;
      Found found = find(reference, mayBeUnsafe);
      if (!leavesOutEquals(rule)) {
        EXPECT_EQ(found.costs, expected.costs);
        EXPECT_EQ(found.texts, expected.texts);
      } else if (!expected.costs.empty()) {
        ASSERT_FALSE(found.costs.empty());
        EXPECT_EQ(found.costs[0], expected.costs[0]);
        EXPECT_LE(found.costs.back(), expected.costs.back());
      }
    }
  }
}

/// Not only the cheapest: whatever kernel there is reads its inputs in ways
/// that go together.
TEST_P(RulesTest, ReadsLosesNoKernel) {
  KernelGraph reference = parse(GetParam().text);
  options.maxKernelOps = 1;
  options.maxBlockOps = 5;
  options.keep = 500;
  auto findAll = [&] {
    SearchResult result = run(reference);
    EXPECT_TRUE(result.statistics.exhausted);
    std::multiset<std::string> texts;
    for (const SearchCandidate &candidate : result.candidates)
      texts.insert(getText(candidate.graph));
    return texts;
  };
  const std::multiset<std::string> expected = findAll();
  options.without.insert(SearchRule::Reads);
  EXPECT_EQ(findAll(), expected);
}

/// There are exponentially many values then: of each way to compute one, one.
TEST_P(RulesTest, LosesNothingWhereEqualValuesAreOne) {
  if (GetParam().hasManyValues)
    GTEST_SKIP() << "it has too many values";
  KernelGraph reference = parse(GetParam().text);
  options.maxKernelOps = 1;
  options.maxBlockOps = 4;
  options.maxFreeOps = 1;
  options.maxGridDims = 2;
  options.keep = kCandidates;
  // More placements have more of them.
  options.without.insert(SearchRule::Reads);
  options.without.insert(SearchRule::Needed);
  SearchResult expected = run(reference);
  options.without.insert(SearchRule::EqualValues);
  SearchResult found = run(reference);
  EXPECT_TRUE(found.statistics.exhausted);
  EXPECT_GT(expected.statistics.prunedByEqual, 0);
  EXPECT_EQ(found.statistics.prunedByEqual, 0);
  // There are more values, but fewer ways to compute each.
  EXPECT_NE(found.statistics.states, expected.statistics.states);
  ASSERT_EQ(found.candidates.empty(), expected.candidates.empty());
  if (!found.candidates.empty())
    EXPECT_EQ(found.candidates[0].cost.nanoseconds,
              expected.candidates[0].cost.nanoseconds);
}

TEST_P(RulesTest, DropDeadTensors) {
  KernelGraph reference = parse(GetParam().text);
  options.maxKernelOps = 1;
  // It leaves few of them.
  options.without.insert(SearchRule::Indices);
  SearchResult expected = run(reference);
  options.without.insert(SearchRule::DeadTensors);
  SearchResult found = run(reference);
  // All that can be made of the operands of a sum and a product is an output.
  if (GetParam().name != llvm::StringRef("TwoOutputs"))
    EXPECT_GT(expected.statistics.prunedAsDead, 0);
  EXPECT_EQ(found.statistics.prunedAsDead, 0);
  EXPECT_EQ(found.statistics.structures, expected.statistics.structures);
}

/// Where limits are small, what takes too many operators is most of what there
/// is to search.
TEST_P(RulesTest, NeededLosesNothingAtSmallLimits) {
  KernelGraph reference = parse(GetParam().text);
  options.maxKernelOps = 2;
  options.maxGridDims = 2;
  options.keep = kCandidates;
  for (unsigned blockOps : {1, 2, 3}) {
    SCOPED_TRACE("block operators: " + std::to_string(blockOps));
    options.maxBlockOps = blockOps;
    options.without = SearchRuleSet();
    Found expected = find(reference);
    options.without.insert(SearchRule::Needed);
    Found found = find(reference);
    EXPECT_EQ(found.costs, expected.costs);
    EXPECT_EQ(found.texts, expected.texts);
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, RulesTest, testing::ValuesIn(kPrograms),
                         [](const testing::TestParamInfo<SmallProgram> &info) {
                           return std::string(info.param.name);
                         });

class AllRulesTest : public SearchFixture {
protected:
  /// How much was searched.
  auto getWork(const KernelGraph &reference) {
    const SearchStatistics s = run(reference).statistics;
    return std::make_tuple(s.states, s.placementsDone, s.structures, s.sizes,
                           s.sizesTooLarge, s.oracle.queries);
  }
};

/// A rule that does nothing to the small programs would not be tested by them.
TEST_F(AllRulesTest, LeaveSomethingOut) {
  options.maxKernelOps = 2;
  options.maxBlockOps = 4;
  options.maxGridDims = 2;
  options.keep = 4;
  for (SearchRule rule : getSearchRules()) {
    // These have tests of their own, above and below.
    if (rule == SearchRule::EqualValues || rule == SearchRule::DeadTensors ||
        rule == SearchRule::Arrangements || rule == SearchRule::Memory)
      continue;
    auto changes = [&](const SmallProgram &program) {
      KernelGraph reference = parse(program.text);
      options.without = SearchRuleSet();
      // What `work` leaves out of these programs `reads` leaves out before.
      if (rule == SearchRule::Work)
        options.without.insert(SearchRule::Reads);
      auto with = getWork(reference);
      options.without.insert(rule);
      return getWork(reference) != with;
    };
    EXPECT_TRUE(llvm::any_of(kPrograms, changes))
        << getSearchRuleName(rule).str();
  }
}

/// What the small programs are too small for: many ways to begin that leave the
/// same to be done, and tiles that don't fit.
class LargerProgramsTest : public SearchFixture {
protected:
  /// Searches with and without a rule, which has left something out.
  void compare(SearchRule rule, int64_t SearchStatistics::*counter,
               llvm::StringRef text) {
    KernelGraph reference = parse(text.str().c_str());
    SearchResult expected = run(reference);
    EXPECT_GT(expected.statistics.*counter, 0);
    options.without.insert(rule);
    SearchResult found = run(reference);
    EXPECT_TRUE(found.statistics.exhausted);
    ASSERT_FALSE(expected.candidates.empty());
    ASSERT_EQ(found.candidates.size(), expected.candidates.size());
    for (auto [a, b] : llvm::zip(found.candidates, expected.candidates))
      EXPECT_EQ(a.cost.nanoseconds, b.cost.nanoseconds);
    EXPECT_NE(found.statistics.*counter, expected.statistics.*counter);
  }
};

TEST_F(LargerProgramsTest, Arrangements) {
  options.target = TargetAttr::lookup(&context, "sm_80");
  compare(SearchRule::Arrangements, &SearchStatistics::prunedByArrangement, R"(
func.func @f(%x: tensor<16x256xf16>, %w: tensor<256x4096xf16>, %a: tensor<256x16xf16>, %b: tensor<16x4096xf16>) -> tensor<16x4096xf16> {
  %p = mirage_kernel.matmul %x, %w : (tensor<16x256xf16>, tensor<256x4096xf16>) -> tensor<16x4096xf16>
  %q = mirage_kernel.matmul %x, %a : (tensor<16x256xf16>, tensor<256x16xf16>) -> tensor<16x16xf16>
  %r = mirage_kernel.matmul %q, %b : (tensor<16x16xf16>, tensor<16x4096xf16>) -> tensor<16x4096xf16>
  %y = mirage_kernel.add %p, %r : (tensor<16x4096xf16>, tensor<16x4096xf16>) -> tensor<16x4096xf16>
  return %y : tensor<16x4096xf16>
})");
}

/// The sum of the elements of a product: the last kernel is fastest where its
/// loop only adds up what the first one has written.
TEST_F(LargerProgramsTest, ArrangementsThatStream) {
  options.maxKernelOps = 2;
  // It tells apart what would be left to be chosen alike.
  options.without.insert(SearchRule::Indices);
  compare(SearchRule::Arrangements, &SearchStatistics::prunedByArrangement, R"(
func.func @f(%x: tensor<256x256xf16>, %y: tensor<256x256xf16>, %z: tensor<256x256xf16>) -> tensor<1x1xf16> {
  %p = mirage_kernel.matmul %x, %y : (tensor<256x256xf16>, tensor<256x256xf16>) -> tensor<256x256xf16>
  %m = mirage_kernel.mul %p, %z : (tensor<256x256xf16>, tensor<256x256xf16>) -> tensor<256x256xf16>
  %t = mirage_kernel.transpose %m permutation [1, 0] : (tensor<256x256xf16>) -> tensor<256x256xf16>
  %r = mirage_kernel.sum %t dim 1 : (tensor<256x256xf16>) -> tensor<256x1xf32>
  %v = mirage_kernel.reshape %r : (tensor<256x1xf32>) -> tensor<1x256xf32>
  %s = mirage_kernel.sum %v dim 1 : (tensor<1x256xf32>) -> tensor<1x1xf16>
  return %s : tensor<1x1xf16>
})");
}

/// One grid dimension for the columns of keys in one sum, and of values in
/// another one, whose rows the split leaves whole.
TEST_F(LargerProgramsTest, PartitionsOfSplits) {
  options.maxKernelOps = 2;
  const KernelGraph reference = parse(R"(
func.func @f(%q: tensor<2048x64xf16>, %k: tensor<2048x64xf16>, %v: tensor<2048x64xf16>) -> tensor<2048x64xf16> {
  %t = mirage_kernel.transpose %k permutation [1, 0] : (tensor<2048x64xf16>) -> tensor<64x2048xf16>
  %a = mirage_kernel.matmul %q, %t : (tensor<2048x64xf16>, tensor<64x2048xf16>) -> tensor<2048x2048xf16>
  %n = mirage_kernel.matmul %a, %v : (tensor<2048x2048xf16>, tensor<2048x64xf16>) -> tensor<2048x64xf16>
  %s = mirage_kernel.sum %a dim 1 : (tensor<2048x2048xf16>) -> tensor<2048x1xf32>
  %o = mirage_kernel.div %n, %s : (tensor<2048x64xf16>, tensor<2048x1xf32>) -> tensor<2048x64xf16>
  return %o : tensor<2048x64xf16>
})");
  const SearchResult expected = run(reference);
  options.without.insert(SearchRule::Partitions);
  const SearchResult found = run(reference);
  ASSERT_FALSE(expected.candidates.empty());
  ASSERT_FALSE(found.candidates.empty());
  EXPECT_DOUBLE_EQ(expected.candidates[0].cost.nanoseconds,
                   found.candidates[0].cost.nanoseconds);
}

/// A quotient goes behind the product that follows it, and is transposed there
/// for the next. These rules may lose some cost, but less than counts as one.
TEST_F(LargerProgramsTest, TransposedQuotient) {
  const KernelGraph reference = parse(R"(
func.func @f(%x: tensor<4x8x16xf32>, %v: tensor<4x16x8xf32>, %w: tensor<8x8x4xf32>) -> tensor<8x4x4xf32> {
  %s = mirage_kernel.sum %x dim 2 : (tensor<4x8x16xf32>) -> tensor<4x8x1xf32>
  %p = mirage_kernel.div %x, %s : (tensor<4x8x16xf32>, tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
  %a = mirage_kernel.matmul %p, %v : (tensor<4x8x16xf32>, tensor<4x16x8xf32>) -> tensor<4x8x8xf32>
  %t = mirage_kernel.transpose %a permutation [1, 0, 2] : (tensor<4x8x8xf32>) -> tensor<8x4x8xf32>
  %y = mirage_kernel.matmul %t, %w : (tensor<8x4x8xf32>, tensor<8x8x4xf32>) -> tensor<8x4x4xf32>
  return %y : tensor<8x4x4xf32>
})");
  const SearchResult found = run(reference);
  ASSERT_EQ(found.candidates.size(), 1u);
  for (SearchRule rule : {SearchRule::Transposes, SearchRule::Orders}) {
    SCOPED_TRACE(getSearchRuleName(rule).str());
    options.without = SearchRuleSet();
    options.without.insert(rule);
    const SearchResult all = run(reference);
    ASSERT_EQ(all.candidates.size(), 1u);
    EXPECT_TRUE(all.statistics.exhausted);
    EXPECT_GE(all.candidates[0].cost.nanoseconds,
              options.leastGain * found.candidates[0].cost.nanoseconds);
  }
}

/// Transposed in all ways in front of a sum and behind it: inputs are read in
/// the order in which what is transposed has their dimensions.
TEST_F(LargerProgramsTest, TransposesAndOrders) {
  using Sizes = std::vector<int64_t>;
  auto getType = [](const Sizes &sizes) {
    std::string text = "tensor<";
    for (int64_t size : sizes)
      text += std::to_string(size) + "x";
    return text + "f32>";
  };
  auto transpose = [](const Sizes &sizes, const Sizes &permutation) {
    Sizes result;
    for (int64_t dim : permutation)
      result.push_back(sizes[dim]);
    return result;
  };
  auto getText = [](const Sizes &permutation) {
    return "[" +
           llvm::join(
               llvm::map_range(permutation,
                               [](int64_t dim) { return std::to_string(dim); }),
               ", ") +
           "]";
  };
  const Sizes sizes = {8, 16, 32};
  Sizes first = {0, 1, 2};
  do {
    Sizes second = {0, 1, 2};
    do {
      const Sizes middle = transpose(sizes, first);
      Sizes summed = middle;
      summed[2] = 1;
      const std::string x = getType(sizes), m = getType(middle),
                        s = getType(summed),
                        y = getType(transpose(summed, second));
      const std::string text =
          "func.func @f(%x: " + x + ", %v: " + m + ") -> " + y +
          " {\n%e = mirage_kernel.exp %x : (" + x + ") -> " + x +
          "\n%t = mirage_kernel.transpose %e permutation " + getText(first) +
          " : (" + x + ") -> " + m + "\n%m = mirage_kernel.mul %t, %v : (" + m +
          ", " + m + ") -> " + m + "\n%s = mirage_kernel.sum %m dim 2 : (" + m +
          ") -> " + s + "\n%y = mirage_kernel.transpose %s permutation " +
          getText(second) + " : (" + s + ") -> " + y + "\nreturn %y : " + y +
          "\n}";
      SCOPED_TRACE(text);
      const KernelGraph reference = parse(text.c_str());
      options.without = SearchRuleSet();
      const SearchResult found = run(reference);
      EXPECT_TRUE(found.statistics.exhausted);
      ASSERT_FALSE(found.candidates.empty());
      // It takes seconds without a rule.
      if (!llvm::is_sorted(first) || second != Sizes{1, 0, 2})
        continue;
      for (SearchRule rule : {SearchRule::Transposes, SearchRule::Orders}) {
        options.without = SearchRuleSet();
        options.without.insert(rule);
        const SearchResult all = run(reference);
        ASSERT_FALSE(all.candidates.empty());
        // What is transposed late may be cut a little better.
        EXPECT_LE(found.candidates[0].cost.nanoseconds,
                  1.01 * all.candidates[0].cost.nanoseconds);
      }
    } while (std::next_permutation(second.begin(), second.end()));
  } while (std::next_permutation(first.begin(), first.end()));
}

TEST_F(LargerProgramsTest, Memory) {
  options.keep = 4;
  options.maxBlockOps = 4;
  compare(SearchRule::Memory, &SearchStatistics::sizesTooLarge, R"(
func.func @f(%x: tensor<16x65536xf32>) -> tensor<16x65536xf32> {
  %q = mirage_kernel.sqr %x : (tensor<16x65536xf32>) -> tensor<16x65536xf32>
  %s = mirage_kernel.sum %q dim 1 : (tensor<16x65536xf32>) -> tensor<16x1xf32>
  %y = mirage_kernel.div %x, %s : (tensor<16x65536xf32>, tensor<16x1xf32>) -> tensor<16x65536xf32>
  return %y : tensor<16x65536xf32>
})");
}

class NeededTest : public SearchFixture {};

/// Two norms: one kernel for both has more operators than are allowed.
TEST_F(NeededTest, RulesOutKernelsBeforePlacementsAreSearched) {
  KernelGraph reference = parse(R"(
func.func @f(%x: tensor<16x64xf32>, %h: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %0 = mirage_kernel.sqr %h : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %1 = mirage_kernel.sum %0 dim 1 : (tensor<16x64xf32>) -> tensor<16x1xf32>
  %2 = mirage_kernel.sqrt %1 : (tensor<16x1xf32>) -> tensor<16x1xf32>
  %3 = mirage_kernel.div %h, %2 : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
  %4 = mirage_kernel.add %x, %3 : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %5 = mirage_kernel.sqr %4 : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %6 = mirage_kernel.sum %5 dim 1 : (tensor<16x64xf32>) -> tensor<16x1xf32>
  %7 = mirage_kernel.sqrt %6 : (tensor<16x1xf32>) -> tensor<16x1xf32>
  %8 = mirage_kernel.div %4, %7 : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
  return %8 : tensor<16x64xf32>
})");
  options.maxKernelOps = 2;
  options.maxBlockOps = 4;
  // It leaves out some of the same placements.
  options.without.insert(SearchRule::Reads);
  SearchResult expected = run(reference);
  EXPECT_TRUE(expected.statistics.exhausted);
  ASSERT_FALSE(expected.candidates.empty());
  options.without.insert(SearchRule::Needed);
  SearchResult found = run(reference);
  EXPECT_TRUE(found.statistics.exhausted);
  ASSERT_FALSE(found.candidates.empty());
  EXPECT_EQ(found.candidates[0].cost.nanoseconds,
            expected.candidates[0].cost.nanoseconds);
  EXPECT_LT(2 * expected.statistics.states, found.statistics.states);
}

TEST(SearchRules, HaveNames) {
  std::set<llvm::StringRef> names;
  for (SearchRule rule : getSearchRules()) {
    llvm::StringRef name = getSearchRuleName(rule);
    EXPECT_TRUE(names.insert(name).second) << name.str();
    llvm::Expected<SearchRule> parsed = parseSearchRule(name);
    ASSERT_TRUE(static_cast<bool>(parsed));
    EXPECT_EQ(*parsed, rule);
  }
  llvm::Expected<SearchRule> unknown = parseSearchRule("guess");
  ASSERT_FALSE(static_cast<bool>(unknown));
  EXPECT_THAT(llvm::toString(unknown.takeError()),
              testing::StartsWith("unknown rule 'guess'; known are factored-"));
}

TEST(SearchRules, AreASet) {
  SearchRuleSet rules;
  EXPECT_TRUE(rules.empty());
  rules.insert(SearchRule::Bound);
  rules.insert(SearchRule::FactoredSums);
  EXPECT_TRUE(rules.contains(SearchRule::Bound));
  EXPECT_FALSE(rules.contains(SearchRule::Needed));
  EXPECT_THAT(rules.getNames(), testing::ElementsAre("factored-sums", "bound"));
}

} // namespace
