//===- SizingsTest.cpp - Sizes that may be cheap enough -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sizings.h"
#include "Mirage/Cost/TileAccess.h"
#include "SearchFixture.h"
#include "gmock/gmock.h"

using namespace mirage;
using llvm::ArrayRef;

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

/// Keys that tiles of few of them don't divide.
constexpr const char *kPrimeKeys = R"(
func.func @f(%q: tensor<16x64xf16>, %k: tensor<64x1009xf16>, %v: tensor<1009x64xf16>) -> tensor<16x64xf16> {
  %a = mirage_kernel.matmul %q, %k : (tensor<16x64xf16>, tensor<64x1009xf16>) -> tensor<16x1009xf32>
  %e = mirage_kernel.exp %a : (tensor<16x1009xf32>) -> tensor<16x1009xf32>
  %o = mirage_kernel.matmul %e, %v : (tensor<16x1009xf32>, tensor<1009x64xf16>) -> tensor<16x64xf16>
  return %o : tensor<16x64xf16>
})";

/// Columns that tiles of few of them don't divide.
constexpr const char *kPrimeColumns = R"(
func.func @f(%x: tensor<8x1024xf16>, %w: tensor<1024x1234xf16>, %b: tensor<1234xf16>) -> tensor<8x1234xf16> {
  %p = mirage_kernel.matmul %x, %w : (tensor<8x1024xf16>, tensor<1024x1234xf16>) -> tensor<8x1234xf16>
  %s = mirage_kernel.add %p, %b : (tensor<8x1234xf16>, tensor<1234xf16>) -> tensor<8x1234xf16>
  return %s : tensor<8x1234xf16>
})";

/// The same at multiples of 16 bytes, and of 2.
constexpr const char *kAlignedColumns = R"(
func.func @f(%x: tensor<8x1024xf16>, %w: tensor<1024x4936xf16>) -> tensor<8x4936xf16> {
  %p = mirage_kernel.matmul %x, %w : (tensor<8x1024xf16>, tensor<1024x4936xf16>) -> tensor<8x4936xf16>
  return %p : tensor<8x4936xf16>
})";
constexpr const char *kOddColumns = R"(
func.func @f(%x: tensor<8x1024xf16>, %w: tensor<1024x4099xf16>) -> tensor<8x4099xf16> {
  %p = mirage_kernel.matmul %x, %w : (tensor<8x1024xf16>, tensor<1024x4099xf16>) -> tensor<8x4099xf16>
  return %p : tensor<8x4099xf16>
})";

/// A program, or one half of it where a reduction is split.
enum class Half { None, Before, Behind };
using Problem = std::tuple<const char *, Half>;

/// On a target.
class SizingsTest : public SearchFixture,
                    public testing::WithParamInterface<const char *> {
protected:
  SizingsTest() {
    options.target = TargetAttr::lookup(&context, GetParam());
    options.maxGridDims = 2;
  }

  void read(Problem which) {
    auto [text, half] = which;
    KernelGraph reference = parse(text);
    program = llvm::cantFail(makeSearchProgram(reference, options, stop));
    cache.emplace(*program, options.target);
    problem = KernelProblem();
    for (const auto &input : program->inputs)
      problem.inputs.push_back(input.get());
    for (const auto &output : program->outputs)
      problem.outputs.push_back(output.get());
    if (half != Half::None) {
      // Partial results of the output, side by side along its last dimension.
      split = *program->outputs[0];
      split.id = program->inputs.size() + program->outputs.size();
      split.splitDim = split.label.size() - 1;
      split.splitRole = program->roles.reduced.find_first();
      split.label.back() *= kLabelParts.split;
      split.elementType = mlir::Float32Type::get(&context);
      (half == Half::Before ? problem.outputs : problem.inputs) = {&split};
    }
    frames = enumerateFrames(*program, problem, options);
  }

  std::vector<std::vector<IteratorPlacement>>
  getChoices(const Placement &frame) const {
    std::vector<std::vector<IteratorPlacement>> choices;
    for (auto [i, input] : llvm::enumerate(problem.inputs)) {
      DimFates any;
      any.survive.resize(input->label.size(), true);
      any.vanish.resize(input->label.size(), true);
      choices.push_back(
          getWaysToRead(*program, problem, options, frame, i, any));
    }
    return choices;
  }

  FrameSizings makeSizings(const Placement &frame) {
    return FrameSizings(*program, problem, frame, target, getChoices(frame),
                        *cache);
  }

  /// The bounds of the sizes that are below a limit, in order.
  std::vector<double> getBounds(const Placement &frame, double limit) {
    std::vector<double> bounds;
    FrameSizings sizings = makeSizings(frame);
    for (const FrameSizings::Partial &partial : sizings.start(limit))
      bounds.push_back(partial.bound);
    return bounds;
  }

  /// With each input's tiles, and all sizes.
  void forEachSizes(
      llvm::function_ref<void(
          TensorTiles &, const Placement &, const SizeChoices &, unsigned input,
          ArrayRef<IteratorPlacement> ways, const ChosenSizes &)>
          visit) {
    for (const Placement &frame : frames) {
      const SizeChoices choices(*program, problem, frame);
      const auto ways = getChoices(frame);
      for (unsigned i = 0; i < problem.inputs.size(); ++i) {
        std::shared_ptr<TensorTiles> tiles =
            cache->get(*problem.inputs[i], frame, choices, ways[i]);
        ChosenSizes sizes;
        sizes.grid.resize(choices.grid.size());
        auto choose = [&](auto &self, size_t g) -> void {
          if (g < choices.grid.size()) {
            for (auto [number, parts] : llvm::enumerate(choices.grid[g])) {
              sizes.grid[g] = parts;
              sizes.numbers[g] = number;
              self(self, g + 1);
            }
            return;
          }
          for (auto [number, iterations] : llvm::enumerate(choices.loop)) {
            sizes.iterations = iterations;
            sizes.numbers.back() = number;
            visit(*tiles, frame, choices, i, ways[i], sizes);
          }
        };
        choose(choose, 0);
      }
    }
  }

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr Problem kProblems[] = {
      {kAttention, Half::None},    {kSum, Half::None},
      {kSum, Half::Before},        {kSum, Half::Behind},
      {kProduct, Half::None},      {kProduct, Half::Before},
      {kProduct, Half::Behind},    {kAttention, Half::Before},
      {kAttention, Half::Behind},  {kPrimeKeys, Half::None},
      {kPrimeColumns, Half::None}, {kAlignedColumns, Half::None},
      {kOddColumns, Half::None},
  };
  std::atomic<bool> stop{false};
  std::unique_ptr<SearchProgram> program;
  KernelProblem problem;
  SearchTensor split;
  std::vector<Placement> frames;
  TargetNumbers target{TargetAttr::lookup(&context, GetParam())};
  std::optional<TensorTilesCache> cache;
};

/// Tiles are what TileAccess says of them.
TEST_P(SizingsTest, TilesAreThoseOfTheirShapes) {
  size_t numTiles = 0, numUneven = 0;
  for (const Problem &which : kProblems) {
    read(which);
    forEachSizes([&](TensorTiles &tiles, const Placement &frame,
                     const SizeChoices &, unsigned input,
                     ArrayRef<IteratorPlacement> ways,
                     const ChosenSizes &sizes) {
      const int64_t parts = frame.combinesSplit() ? sizes.iterations : 1;
      const Shape tensor =
          program->getShape(*problem.inputs[input], program->roles.size, parts);
      for (size_t w = 0; w < ways.size(); ++w) {
        const IteratorPlacement &way = ways[w];
        const bool varies = way.fmap != kReplica;
        Shape tile = tensor;
        bool canCut = true;
        auto cutDim = [&](int64_t dim, int64_t into, bool mayBeUneven) {
          if (dim == kReplica)
            return;
          auto part = getUnevenPart(tile[dim], into);
          canCut &= tile[dim] % into == 0 || (mayBeUneven && part);
          numUneven += canCut && part;
          // Tiles that tensor cores take whole; those of a loop may be of what
          // a grid leaves.
          if (part && dim != way.fmap)
            EXPECT_GE(*part, 16);
          tile[dim] = part.value_or(tile[dim] / into);
        };
        for (auto [g, dim] : llvm::enumerate(way.imap))
          cutDim(dim, sizes.grid[g], /*mayBeUneven=*/dim != way.fmap);
        cutDim(way.fmap, sizes.iterations, !frame.combinesSplit());
        if (!canCut)
          continue;
        const Tiles &found = tiles.get(sizes, w);
        const TileAccess access = getTileAccess(tensor, tile, tiles.bits);
        const int64_t times = varies ? sizes.iterations : 1;
        const double byThreads = access.requestedBytes * times,
                     byTMA = access.sectorBytes * times;
        const bool mayUseTMA = varies && target.hasTMA;
        ++numTiles;
        EXPECT_EQ(found.sharedBytes, access.bytes);
        EXPECT_EQ(found.stageBytes, varies ? access.bytes : 0);
        EXPECT_EQ(found.requestedBytes, mayUseTMA ? byTMA : byThreads);
        EXPECT_EQ(found.cutBytes, mayUseTMA ? byThreads - byTMA : 0);
        EXPECT_EQ(found.accessCycles,
                  getLoadCycles(access, varies, target) * times);
        EXPECT_EQ(found.sharedTraffic, access.bytes * times);
        EXPECT_EQ(found.bulkLoads.loaded, mayUseTMA ? byTMA : 0);
      }
    });
  }
  EXPECT_GT(numTiles, 10000u);
  EXPECT_GT(numUneven, 500u);
}

/// Least is what is no more than any.
TEST_P(SizingsTest, LeastTilesAreNoMore) {
  auto expectNoMore = [](const Tiles &least, const Tiles &tiles) {
    for (double Tiles::*amount :
         {&Tiles::sharedBytes, &Tiles::requestedBytes, &Tiles::cutBytes,
          &Tiles::stageBytes, &Tiles::accessCycles, &Tiles::sharedTraffic})
      EXPECT_LE(least.*amount, tiles.*amount);
    EXPECT_GE(least.bytesPerIteration, tiles.bytesPerIteration);
    EXPECT_LE(least.notBulk, tiles.notBulk);
    EXPECT_LE(least.notStreamed, tiles.notStreamed);
    EXPECT_LE(least.bulkLoads.loaded, tiles.bulkLoads.loaded);
    for (auto [most, shared] :
         llvm::zip_equal(least.bulkLoads.shared, tiles.bulkLoads.shared))
      EXPECT_GE(most, shared);
  };
  for (const Problem &which : kProblems) {
    read(which);
    forEachSizes([&](TensorTiles &tiles, const Placement &, const SizeChoices &,
                     unsigned, ArrayRef<IteratorPlacement> ways,
                     const ChosenSizes &sizes) {
      const Tiles least = tiles.getLeast(sizes);
      for (size_t way = 0; way < ways.size(); ++way)
        expectNoMore(least, tiles.get(sizes, way));
      expectNoMore(tiles.getLeastOfLoop(sizes), least);
    });
  }
}

/// That most grids are ruled out whatever their loops, and most sizes by a
/// bound on the bound, makes no difference.
TEST_P(SizingsTest, NothingBelowALimitIsLeftOut) {
  int64_t numSpared = 0;
  for (const Problem &which : kProblems) {
    read(which);
    size_t numTries = 0;
    for (const Placement &frame : frames) {
      const std::vector<double> all = getBounds(frame, kInfinity);
      FrameSizings everything = makeSizings(frame);
      everything.start(kInfinity);
      // What is just below a limit, and just not: of a few.
      for (size_t i = 0; i < all.size(); i += 1 + all.size() / 8)
        for (double limit : {all[i], all[i] * 1.0001}) {
          std::vector<double> below, notBelow;
          for (double bound : all)
            (bound < limit * (1 + 1e-9) ? below : notBelow).push_back(bound);
          EXPECT_EQ(getBounds(frame, limit), below);
          ++numTries;
          FrameSizings sizings = makeSizings(frame);
          sizings.start(limit);
          EXPECT_GE(sizings.getLeastLeftOut(), limit);
          if (!notBelow.empty())
            EXPECT_LE(sizings.getLeastLeftOut(), *llvm::min_element(notBelow));
          numSpared += everything.getNumSizes() - sizings.getNumSizes();
        }
    }
    EXPECT_GT(numTries, 10u);
  }
  EXPECT_GT(numSpared, 1000);
}

/// Tiles are the same whatever is known of them, from other frames and from
/// problems with some of the same tensors.
TEST_P(SizingsTest, WhatCameBeforeDoesntMatter) {
  constexpr double kLimit = 1e5;
  for (const char *text : {kAttention, kSum, kProduct}) {
    read({text, Half::None});
    std::vector<std::vector<double>> fromScratch;
    for (const Placement &frame : frames) {
      cache.emplace(*program, options.target);
      fromScratch.push_back(getBounds(frame, kLimit));
    }
    EXPECT_FALSE(llvm::all_of(
        fromScratch, [](const auto &bounds) { return bounds.empty(); }));
    // Half of what there is, with fewer ways to read it, and twice all of it.
    const KernelProblem whole = problem;
    cache.emplace(*program, options.target);
    problem.inputs.pop_back();
    for (const Placement &frame : frames)
      getBounds(frame, kLimit);
    problem = whole;
    for (int times = 0; times < 2; ++times)
      for (auto [frame, bounds] : llvm::zip_equal(frames, fromScratch))
        EXPECT_EQ(getBounds(frame, kLimit), bounds);
  }
}

/// Of a dimension 6 with the divisors 2, 3 and 6, and one with the divisor 2:
/// sizes of loops followed by dimensions that are cut read alike.
TEST_P(SizingsTest, KeysOfTilesHaveLengths) {
  read({R"(
func.func @f(%x: tensor<1x1x1x64x1x1x2xf32>, %z: tensor<6x1x1x64x1x1x1xf32>) -> tensor<1x1x1x64x1x1x1xf32> {
  %s = mirage_kernel.sum %x dim 6 : (tensor<1x1x1x64x1x1x2xf32>) -> tensor<1x1x1x64x1x1x1xf32>
  %q = mirage_kernel.sum %z dim 0 : (tensor<6x1x1x64x1x1x1xf32>) -> tensor<1x1x1x64x1x1x1xf32>
  %u = mirage_kernel.mul %q, %s : (tensor<1x1x1x64x1x1x1xf32>, tensor<1x1x1x64x1x1x1xf32>) -> tensor<1x1x1x64x1x1x1xf32>
  return %u : tensor<1x1x1x64x1x1x1xf32>
})",
        Half::None});
  const Placement *ofTwo = nullptr, *ofSix = nullptr;
  for (const Placement &frame : frames)
    if (frame.gridRoles.size() == 1 && frame.hasLoop)
      (program->roles.size[frame.loopRole] == 2 ? ofTwo : ofSix) = &frame;
  ASSERT_TRUE(ofTwo && ofSix);
  IteratorPlacement cut, whole;
  cut.imap = {3};
  cut.fmap = 6;
  whole.imap = {kReplica};
  const SearchTensor &x = *problem.inputs[0];
  EXPECT_NE(
      cache->get(x, *ofTwo, SizeChoices(*program, problem, *ofTwo),
                 {cut, whole}),
      cache->get(x, *ofSix, SizeChoices(*program, problem, *ofSix), {whole}));
}

INSTANTIATE_TEST_SUITE_P(Targets, SizingsTest,
                         testing::Values("sm_80", "sm_90a"));

} // namespace
