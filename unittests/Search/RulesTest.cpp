//===- RulesTest.cpp - Each rule of the search loses nothing --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphText.h"
#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Numbers/BallNumbers.h"
#include "Mirage/Numbers/RealNumbers.h"
#include "SearchFixture.h"
#include "gmock/gmock.h"
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
    {"ProductOfSums", R"(
func.func @f(%x: tensor<16x64xf32>, %y: tensor<16x64xf32>, %u: tensor<16x64xf32>, %v: tensor<16x64xf32>) -> tensor<16x1xf32> {
  %a = mirage_kernel.add %x, %y : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %b = mirage_kernel.add %u, %v : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %c = mirage_kernel.mul %a, %b : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %s = mirage_kernel.sum %c dim 1 : (tensor<16x64xf32>) -> tensor<16x1xf32>
  return %s : tensor<16x1xf32>
})"},
};

class RulesTest : public SearchFixture,
                  public testing::WithParamInterface<SmallProgram> {
protected:
  struct Found {
    std::vector<double> costs;
    std::multiset<std::string> texts;
  };

  static constexpr unsigned kCandidates = 4;

  /// Whether it gives the program's results on inputs of which the exponentials
  /// overflow, but not in long double.
  bool isSafe(const KernelGraph &reference, const KernelGraph &graph) {
    RealNumbers numbers;
    BallNumbers<long double> wide(GetParam().largest, /*positive=*/false);
    std::vector<Tensor> inputs, wideInputs;
    for (unsigned i = 0; i < graph.numInputs; ++i) {
      const Shape &shape = graph.tensors[i].shape;
      wideInputs.push_back(wide.random(shape, /*seed=*/1, i));
      inputs.push_back(numbers.zeros(shape));
      for (int64_t k = 0; k < inputs[i].getNumElements(); ++k)
        inputs[i].planes[0].as<double>()[k] =
            wideInputs[i].planes[0].as<long double>()[k];
    }
    for (auto [output, truth] :
         llvm::zip(evaluate(graph, numbers, inputs),
                   evaluate(reference, wide, wideInputs)))
      for (int64_t k = 0; k < output.getNumElements(); ++k) {
        double error = output.planes[0].as<double>()[k] -
                       truth.planes[0].as<long double>()[k];
        if (!(std::abs(error) < 1e-6 * GetParam().largest))
          return false;
      }
    return true;
  }

  Found find(const KernelGraph &reference, bool onlySafe = false) {
    SearchResult result = run(reference);
    EXPECT_TRUE(result.statistics.exhausted);
    Found found;
    for (const SearchCandidate &candidate : result.candidates) {
      if (found.costs.size() == kCandidates)
        break;
      if (onlySafe && !isSafe(reference, candidate.graph))
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
         rule == SearchRule::Transposes || rule == SearchRule::WholeTensors;
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
      SCOPED_TRACE(getSearchRuleName(rule).str() +
                   " off, kernels: " + std::to_string(kernels));
      options.without = SearchRuleSet();
      options.without.insert(rule);
      // What is unsafe comes on top.
      bool mayBeUnsafe =
          GetParam().largest > 0 && rule == SearchRule::Exponentials;
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

INSTANTIATE_TEST_SUITE_P(Programs, RulesTest, testing::ValuesIn(kPrograms),
                         [](const testing::TestParamInfo<SmallProgram> &info) {
                           return std::string(info.param.name);
                         });

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
