//===- SizingsTest.cpp - Sizes that may be cheap enough -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sizings.h"
#include "SearchFixture.h"
#include "gmock/gmock.h"

using namespace mirage;

namespace {

/// So little that more iterations, with more of them under way at a time, make
/// it faster.
constexpr const char *kSum = R"(
func.func @f(%x: tensor<128x2048xf16>) -> tensor<128x1xf32> {
  %s = mirage_kernel.sum %x dim 1 : (tensor<128x2048xf16>) -> tensor<128x1xf32>
  return %s : tensor<128x1xf32>
})";

/// Weights that take long to load.
constexpr const char *kProduct = R"(
func.func @f(%x: tensor<8x4096xf16>, %w: tensor<4096x4096xf16>) -> tensor<8x4096xf16> {
  %p = mirage_kernel.matmul %x, %w : (tensor<8x4096xf16>, tensor<4096x4096xf16>) -> tensor<8x4096xf16>
  return %p : tensor<8x4096xf16>
})";

class SizingsTest : public SearchFixture {
protected:
  void read(llvm::StringRef text) {
    KernelGraph reference = parse(text);
    problem = KernelProblem();
    fates.clear();
    cache = TensorTilesCache();
    program = llvm::cantFail(makeSearchProgram(reference, options, stop));
    for (const auto &input : program->inputs)
      problem.inputs.push_back(input.get());
    for (const auto &output : program->outputs)
      problem.outputs.push_back(output.get());
    for (const SearchTensor *input : problem.inputs) {
      DimFates &any = fates.emplace_back();
      any.survive.resize(input->label.size(), true);
      any.vanish.resize(input->label.size(), true);
    }
  }

  FrameSizings makeSizings(const Placement &frame) {
    std::vector<std::vector<IteratorPlacement>> choices;
    for (unsigned i = 0; i < problem.inputs.size(); ++i)
      choices.push_back(
          getWaysToRead(*program, problem, options, frame, i, fates[i]));
    return FrameSizings(*program, problem, frame, target, std::move(choices),
                        cache);
  }

  /// The bounds of the sizes that are below a limit, in order.
  static std::vector<double> getBounds(FrameSizings sizings, double limit) {
    std::vector<double> bounds;
    for (const FrameSizings::Partial &partial : sizings.start(limit))
      bounds.push_back(partial.bound);
    return bounds;
  }

  std::atomic<bool> stop{false};
  std::unique_ptr<SearchProgram> program;
  KernelProblem problem;
  std::vector<DimFates> fates;
  TargetNumbers target{options.target};
  TensorTilesCache cache;
};

/// That most grids are ruled out whatever their loops, and most sizes by a
/// bound on the bound, makes no difference.
TEST_F(SizingsTest, NothingBelowALimitIsLeftOut) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const char *text : {kAttention, kSum, kProduct}) {
    SCOPED_TRACE(text);
    read(text);
    size_t numTries = 0;
    for (const Placement &frame : enumerateFrames(*program, problem, options)) {
      const std::vector<double> all = getBounds(makeSizings(frame), kInfinity);
      // What is just below a limit, and just not.
      for (double bound : all)
        for (double limit : {bound, bound * 1.0001}) {
          std::vector<double> below;
          llvm::copy_if(all, std::back_inserter(below), [&](double other) {
            return other < limit * (1 + 1e-9);
          });
          EXPECT_EQ(getBounds(makeSizings(frame), limit), below);
          ++numTries;
        }
    }
    EXPECT_GT(numTries, 10u);
  }
}

/// What was above the limits is known by no more than its bound.
TEST_F(SizingsTest, WhatIsLeftOutCostsMore) {
  read(kAttention);
  for (const Placement &frame : enumerateFrames(*program, problem, options)) {
    const std::vector<double> all =
        getBounds(makeSizings(frame), std::numeric_limits<double>::infinity());
    FrameSizings sizings = makeSizings(frame);
    constexpr double kLimit = 5e3;
    EXPECT_THAT(sizings.start(kLimit),
                testing::SizeIs(testing::Le(all.size())));
    for (double bound : all)
      if (bound >= kLimit)
        EXPECT_LE(sizings.getLeastLeftOut(), bound);
    EXPECT_GE(sizings.getLeastLeftOut(), kLimit);
  }
}

/// Tiles are the same whether or not something is known of them.
TEST_F(SizingsTest, WhatCameBeforeDoesntMatter) {
  read(kAttention);
  auto getAll = [&] {
    std::vector<double> all;
    for (const Placement &frame : enumerateFrames(*program, problem, options))
      llvm::append_range(all, getBounds(makeSizings(frame), 2e4));
    return all;
  };
  const std::vector<double> first = getAll();
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(getAll(), first);
  // In the other order, each from scratch.
  std::vector<double> last;
  const std::vector<Placement> frames =
      enumerateFrames(*program, problem, options);
  for (const Placement &frame : llvm::reverse(frames)) {
    cache = TensorTilesCache();
    const std::vector<double> bounds = getBounds(makeSizings(frame), 2e4);
    last.insert(last.begin(), bounds.begin(), bounds.end());
  }
  EXPECT_EQ(last, first);
}

} // namespace
