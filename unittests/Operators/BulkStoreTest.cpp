//===- BulkStoreTest.cpp - Tiles that the TMA stores ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphTest.h"
#include "Mirage/BlockPlan/BoxCopies.h"
#include "Mirage/BlockPlan/WarpRoles.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace mirage;
using namespace mlir;

namespace {

class BulkStoreTest : public GraphTest {
protected:
  /// Two of a loop's results: sums of squares, and all that was loaded, in its
  /// type.
  std::string write() {
    int64_t batches = pick({1, 2, 3}), gridX = pick({1, 2, 3}),
            gridY = pick({1, 2}), rows = pick({1, 4, 8, 24, 64, 300}),
            cols = pick({8, 16, 32, 64}), iterations = pick({2, 3, 4});
    // More rows than a box has; not too many elements for a block.
    if (rows > 256) {
      batches = 1;
      cols = std::min<int64_t>(cols, 16);
    }
    std::string type = pick({0, 1}) ? "f16" : "f32";
    auto shape = [&](int64_t a, int64_t b, StringRef type) {
      return llvm::formatv("{0}x{1}x{2}x{3}", batches, a, b, type).str();
    };
    return llvm::formatv(
               R"(
func.func @f(%X: tensor<{0}>) -> (tensor<{1}>, tensor<{0}>) {{
  %z:2 = mirage_kernel.graph_defined (%X) grid <x = {2}, y = {3}> : (tensor<{0}>) -> (tensor<{1}>, tensor<{0}>) {{
  ^bb0(%X0: tensor<{0}>):
    %a:2 = mirage_block.loop iterations {4} -> !mirage.tile<{6}>, !mirage.tile<{7}> {{
      %x = mirage_block.input_iterator %X0 imap <x -> 1, y -> 2> fmap <i -> 2> : tensor<{0}> -> !mirage.tile<{5}>
      %s = mirage_block.sqr %x : (!mirage.tile<{5}>) -> !mirage.tile<{6}>
      mirage_block.accumulate sum %s, concat %x dim 2 : !mirage.tile<{6}>, !mirage.tile<{5}>
    }
    mirage_block.output_saver %a#0 omap <x -> 1, y -> 2> : !mirage.tile<{6}> -> tensor<{1}>
    mirage_block.output_saver %a#1 omap <x -> 1, y -> 2> : !mirage.tile<{7}> -> tensor<{0}>
  }
  return %z#0, %z#1 : tensor<{1}>, tensor<{0}>
})",
               shape(gridX * rows, gridY * iterations * cols, type),
               shape(gridX * rows, gridY * cols, "f32"), gridX, gridY,
               iterations, shape(rows, cols, type), shape(rows, cols, "f32"),
               shape(rows, iterations * cols, type))
        .str();
  }

  /// Gives each tile that is stored so one of the layouts that allow it.
  void setLayouts(ModuleOp module) {
    module.walk([&](block::LoopOp loop) {
      SmallVector<Attribute> names;
      for (OpResult tile : loop->getResults()) {
        auto type = cast<TileType>(tile.getType());
        SmallVector<TileLayout> layouts = getCandidateLayouts(
            type.getShape(), type.getElementTypeBitWidth() / 8);
        for (Operation *user : tile.getUsers())
          if (isStoredInBulk(user))
            llvm::erase_if(layouts, [&](const TileLayout &layout) {
              return !getBoxCopies(cast<block::OutputSaver>(user), layout);
            });
        std::string name = layouts[std::uniform_int_distribution<size_t>(
                                       0, layouts.size() - 1)(generator)]
                               .getName();
        names.push_back(StringAttr::get(&context, name));
        if (llvm::any_of(tile.getUsers(), isStoredInBulk))
          usedLayouts.insert(name);
      }
      loop->setAttr(kLayoutsAttr, ArrayAttr::get(&context, names));
    });
  }
  std::set<std::string> usedLayouts;
};

TEST_F(BulkStoreTest, ResultsOfLoops) {
  int64_t numUsed = 0;
  for (int trial = 0; trial < 24; ++trial) {
    std::string text = write();
    SCOPED_TRACE(text);
    auto module = parse(text);
    ASSERT_TRUE(module);
    GraphOptions options;
    options.threads = pick({32, 128});
    options.planMemory = trial % 3;
    if (trial % 2) {
      options.assignLayouts = false;
      options.afterRoles = [&](ModuleOp lowered) { setLayouts(lowered); };
    }
    expectCorrect(*module, makeInputs(*module, -1, 1), options, 1e-4);
    if (HasFatalFailure())
      return;
    numUsed += usedBulkStore;
  }
  EXPECT_GE(numUsed, 20);
  EXPECT_EQ(usedLayouts, (std::set<std::string>{"row_major", "swizzle_32",
                                                "swizzle_64", "swizzle_128"}));
}

} // namespace
