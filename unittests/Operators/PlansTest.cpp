//===- PlansTest.cpp - Random block graphs under random plans -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the depths and places of tiles, a kernel computes what its graph
// says, in whatever order threads run between two barriers.
//
//===----------------------------------------------------------------------===//

#include "GraphTest.h"
#include "Mirage/BlockPlan/SharedPlan.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"

using namespace mlir;
using namespace mirage;

namespace {

constexpr StringLiteral kTile = "!mirage.tile<8x8xf32>";
constexpr StringLiteral kColumn = "!mirage.tile<8x1xf32>";

/// Writes a random block graph on tiles of 8x8.
class GraphWriter {
public:
  explicit GraphWriter(std::mt19937 &generator) : generator(generator) {}

  std::string write() {
    writeLoop();
    std::vector<std::string> tiles = results;
    writeLoads(tiles, pick(0, 2), /*inLoop=*/false);
    writeOps(tiles, pick(1, 6));
    unsigned saved = pick(1, 2);
    std::string types, returned;
    for (unsigned i = 0; i < saved; ++i) {
      text += "mirage_block.output_saver " + tiles[tiles.size() - 1 - i] +
              " omap <x -> 0> : " + kTile.str() + " -> tensor<16x8xf32>\n";
      types += (i ? ", " : "") + std::string("tensor<16x8xf32>");
      returned += (i ? ", " : "") + std::string("%z#") + std::to_string(i);
    }
    return "func.func @f(%a: tensor<16x32xf32>, %b: tensor<16x8xf32>) -> (" +
           types + ") {\n%z:" + std::to_string(saved) +
           " = mirage_kernel.graph_defined (%a, %b) grid <x = 2> : "
           "(tensor<16x32xf32>, tensor<16x8xf32>) -> (" +
           types + ") {\n^bb0(%A: tensor<16x32xf32>, %B: tensor<16x8xf32>):\n" +
           text + "}\nreturn " + returned + " : " + types + "\n}\n";
  }

private:
  unsigned pick(unsigned low, unsigned high) {
    return std::uniform_int_distribution<unsigned>(low, high)(generator);
  }
  std::string name() { return "%v" + std::to_string(next++); }
  std::string &any(std::vector<std::string> &tiles) {
    return tiles[pick(0, tiles.size() - 1)];
  }

  void writeLoads(std::vector<std::string> &tiles, unsigned count,
                  bool inLoop) {
    for (unsigned i = 0; i < count; ++i) {
      tiles.push_back(name());
      bool cut = inLoop && pick(0, 2);
      text +=
          tiles.back() + " = mirage_block.input_iterator " +
          (cut ? "%A" : "%B") + " imap <x -> 0> " +
          (inLoop ? (cut ? "fmap <i -> 1> " : "fmap <i -> replica> ") : "") +
          ": " + (cut ? "tensor<16x32xf32>" : "tensor<16x8xf32>") + " -> " +
          kTile.str() + "\n";
    }
  }

  /// Operators that keep values small; half of them read what other threads
  /// have made.
  void writeOps(std::vector<std::string> &tiles, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      std::string tile = name(), x = any(tiles), y = any(tiles);
      std::string one = " : (" + kTile.str() + ") -> " + kTile.str() + "\n";
      std::string two = " : (" + kTile.str() + ", " + kTile.str() + ") -> " +
                        kTile.str() + "\n";
      switch (pick(0, 5)) {
      case 0:
        text += tile + " = mirage_block.max " + x + ", " + y + two;
        break;
      case 1:
        text += tile + " = mirage_block.sub " + x + ", " + y + two;
        break;
      case 2: {
        std::string product = name();
        text += product + " = mirage_block.matmul " + x + ", " + y + two;
        text += tile + " = mirage_block.tanh " + product + one;
        break;
      }
      case 3:
        text += tile + " = mirage_block.tanh " + x + one;
        break;
      default:
        text += tile + " = mirage_block.transpose " + x +
                " permutation [1, 0]" + one;
      }
      tiles.push_back(tile);
    }
  }

  void writeLoop() {
    std::string saved = std::move(text), types, accumulators, ofTiles;
    text.clear();
    std::vector<std::string> tiles;
    writeLoads(tiles, pick(1, 3), /*inLoop=*/true);
    writeOps(tiles, pick(1, 8));
    std::string maximum = name();
    if (pick(0, 2) == 0)
      text += maximum + " = mirage_block.reduce_max " + any(tiles) +
              " dim 1 : (" + kTile.str() + ") -> " + kColumn.str() + "\n";
    else
      maximum.clear();
    std::string loop = name();
    unsigned count = pick(1, 3);
    for (unsigned i = 0; i < count; ++i) {
      std::string separator = i ? ", " : "";
      bool rescaled = !maximum.empty() && i == 0;
      accumulators += separator +
                      (rescaled     ? "rescaled_sum "
                       : pick(0, 1) ? "sum "
                                    : "max ") +
                      any(tiles) + (rescaled ? " by " + maximum : "");
      ofTiles +=
          separator + kTile.str() + (rescaled ? " by " + kColumn.str() : "");
      types += separator + kTile.str();
      results.push_back(loop + "#" + std::to_string(i));
    }
    text = saved + loop + ":" + std::to_string(count) +
           " = mirage_block.loop iterations 4 -> " + types + " {\n" + text +
           "mirage_block.accumulate " + accumulators + " : " + ofTiles +
           "\n}\n";
  }

  std::mt19937 &generator;
  unsigned next = 0;
  std::string text;
  /// Of loops.
  std::vector<std::string> results;
};

class PlansTest : public GraphTest {
protected:
  /// Gives each op a depth that its operands allow.
  void assignDepths(Block &block) {
    Builder builder(&context);
    for (Operation &op : block) {
      if (!isStaged(&op))
        continue;
      int64_t depth = 0;
      for (Value tile : getTilesRead(&op))
        depth = std::max(depth, tile.getDefiningOp()
                                        ->getAttrOfType<IntegerAttr>(kDepthAttr)
                                        .getInt() +
                                    1);
      depth += std::uniform_int_distribution<int64_t>(0, 2)(generator);
      op.setAttr(kDepthAttr, builder.getI64IntegerAttr(depth));
    }
  }
};

TEST_F(PlansTest, RandomGraphs) {
  for (unsigned trial = 0; trial < 24; ++trial) {
    std::string text = GraphWriter(generator).write();
    SCOPED_TRACE(text);
    auto module = parse(text);
    ASSERT_TRUE(module);
    std::vector<Array> inputs = makeInputs(*module, -1, 1);
    GraphOptions options;
    options.threads = trial % 2 ? 32 : 64;
    options.threadGraphs = trial % 4 < 2;
    expectCorrect(*module, inputs, options);
    if (HasFatalFailure())
      return;

    // Without the passes, and with other depths than theirs.
    options.scheduleOperators = false;
    options.threadGraphs = false;
    options.planMemory = trial % 3 > 0;
    if (trial % 3 > 1)
      (*module).walk([&](kernel::GraphDefinedOp graph) {
        for (auto loop : graph.getBlockGraph().getOps<block::LoopOp>())
          assignDepths(loop.getBody().front());
        assignDepths(graph.getBlockGraph());
      });
    expectCorrect(*module, inputs, options);
    if (HasFatalFailure())
      return;
  }
}

} // namespace
