//===- PlacementsTest.cpp - Where tiles are in tensors --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placements.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "SearchFixture.h"

using namespace mirage;

namespace {

constexpr const char *kProduct = R"(
func.func @f(%x: tensor<8x64x128xf16>, %w: tensor<8x128x256xf16>) -> tensor<8x64x256xf16> {
  %p = mirage_kernel.matmul %x, %w : (tensor<8x64x128xf16>, tensor<8x128x256xf16>) -> tensor<8x64x256xf16>
  return %p : tensor<8x64x256xf16>
})";

/// One tensor is the rows and the columns.
constexpr const char *kGram = R"(
func.func @f(%x: tensor<64x128xf16>) -> tensor<64x64xf16> {
  %t = mirage_kernel.transpose %x permutation [1, 0] : (tensor<64x128xf16>) -> tensor<128x64xf16>
  %p = mirage_kernel.matmul %x, %t : (tensor<64x128xf16>, tensor<128x64xf16>) -> tensor<64x64xf16>
  return %p : tensor<64x64xf16>
})";

class PlacementsTest : public SearchFixture {
protected:
  void read(const char *text) {
    program = llvm::cantFail(makeSearchProgram(parse(text), options, stop));
    problem = KernelProblem();
    for (const auto &input : program->inputs)
      problem.inputs.push_back(input.get());
    for (const auto &output : program->outputs)
      problem.outputs.push_back(output.get());
  }

  /// Calls `visit` with each way in which a grid and a loop cut dimensions of
  /// their roles of a tensor.
  void forEachPlace(const Placement &frame, const SearchTensor &tensor,
                    llvm::function_ref<void(const IteratorPlacement &)> visit) {
    const int64_t rank = tensor.label.size();
    IteratorPlacement place;
    auto isCut = [&](int64_t dim) {
      return place.fmap == dim || llvm::is_contained(place.imap, dim);
    };
    auto chooseLoop = [&] {
      visit(place);
      for (int64_t d = 0; d < rank && frame.hasLoop; ++d)
        if (program->roles.getRole(tensor.label[d]) == frame.loopRole &&
            !isCut(d)) {
          place.fmap = d;
          visit(place);
          place.fmap = kReplica;
        }
    };
    auto chooseGrid = [&](auto &self) -> void {
      const size_t g = place.imap.size();
      if (g == frame.gridRoles.size())
        return chooseLoop();
      for (int64_t d = kReplica; d < rank; ++d) {
        if (d != kReplica &&
            (isCut(d) ||
             !frame.gridRoles[g].test(program->roles.getRole(tensor.label[d]))))
          continue;
        place.imap.push_back(d);
        self(self);
        place.imap.pop_back();
      }
    };
    chooseGrid(chooseGrid);
  }

  std::atomic<bool> stop{false};
  std::unique_ptr<SearchProgram> program;
  KernelProblem problem;
};

} // namespace

TEST_F(PlacementsTest, TilesAreFoundWhereTheyAre) {
  int64_t count = 0;
  for (const char *text : {kProduct, kGram}) {
    read(text);
    for (const Placement &frame : enumerateFrames(*program, problem, options))
      for (const SearchTensor *tensor : problem.inputs)
        forEachPlace(frame, *tensor, [&](const IteratorPlacement &place) {
          const Shape tile = frame.getTileLabel(place, *tensor);
          const std::optional<IteratorPlacement> found =
              frame.findTile(program->roles, tensor->label, tile);
          ASSERT_TRUE(found);
          EXPECT_EQ(found->imap, place.imap);
          EXPECT_EQ(found->fmap, place.fmap);
          ++count;
        });
  }
  EXPECT_GT(count, 100);
}

TEST_F(PlacementsTest, OthersAreNoTiles) {
  read(kProduct);
  const SearchTensor &x = *problem.inputs[0], &w = *problem.inputs[1];
  const Placement whole = getWholePlacement(problem);
  auto find = [&](llvm::ArrayRef<int64_t> tile) {
    return whole.findTile(program->roles, x.label, tile).has_value();
  };
  EXPECT_TRUE(find(x.label));
  EXPECT_FALSE(find(w.label));
  EXPECT_FALSE(find(llvm::ArrayRef(x.label).drop_front()));
  // Nothing cuts it here.
  Shape half = x.label;
  half[1] /= kLabelParts.grid;
  EXPECT_FALSE(find(half));
}
