//===- PlansTest.cpp - Random block graphs under random plans -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the depths and places of tiles, a kernel computes what its graph
// says, in whatever order threads run between two barriers. The cost model
// counts for tensor cores what the lowering gives to them.
//
//===----------------------------------------------------------------------===//

#include "GraphTest.h"
#include "Mirage/BlockPlan/SharedPlan.h"
#include "Mirage/BlockPlan/TensorCoreUse.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Cost/CostModel.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"

using namespace mlir;
using namespace mirage;

namespace {

constexpr StringLiteral kColumn = "!mirage.tile<8x1xf32>";

/// Writes a random block graph on tiles of 8x8. Elements are f32, or mixed:
/// then each iteration has other tiles.
class GraphWriter {
public:
  explicit GraphWriter(std::mt19937 &generator, bool isMixed = false)
      : generator(generator), isMixed(isMixed), a(pickType()), b(pickType()) {}

  std::string write() {
    writeLoop();
    std::vector<std::string> tiles = results;
    writeLoads(tiles, pick(0, 2), /*inLoop=*/false);
    writeOps(tiles, pick(1, 6));
    unsigned saved = pick(1, 2);
    std::string results, returned;
    for (unsigned i = 0; i < saved; ++i) {
      const std::string &tile = tiles[tiles.size() - 1 - i];
      text += "mirage_block.output_saver " + tile +
              " omap <x -> 0> : " + types.at(tile) + " -> tensor<16x8xf32>\n";
      results += (i ? ", " : "") + std::string("tensor<16x8xf32>");
      returned += (i ? ", " : "") + std::string("%z#") + std::to_string(i);
    }
    std::string typeA = "tensor<16x32x" + a + ">",
                typeB = "tensor<16x8x" + b + ">";
    return "func.func @f(%a: " + typeA + ", %b: " + typeB + ") -> (" + results +
           ") {\n%z:" + std::to_string(saved) +
           " = mirage_kernel.graph_defined (%a, %b) grid <x = 2> : (" + typeA +
           ", " + typeB + ") -> (" + results + ") {\n^bb0(%A: " + typeA +
           ", %B: " + typeB + "):\n" + text + "}\nreturn " + returned + " : " +
           results + "\n}\n";
  }

private:
  unsigned pick(unsigned low, unsigned high) {
    return std::uniform_int_distribution<unsigned>(low, high)(generator);
  }
  std::string pickType() {
    static const char *const all[] = {"f32", "f16", "f16", "bf16"};
    return all[isMixed ? pick(0, 3) : 0];
  }
  static std::string getTile(const std::string &type) {
    return "!mirage.tile<8x8x" + type + ">";
  }
  /// A new tile of this type.
  std::string name(const std::string &type = "f32") {
    std::string tile = "%v" + std::to_string(next++);
    types[tile] = getTile(type);
    return tile;
  }
  std::string &any(std::vector<std::string> &tiles) {
    return tiles[pick(0, tiles.size() - 1)];
  }

  void writeLoads(std::vector<std::string> &tiles, unsigned count,
                  bool inLoop) {
    for (unsigned i = 0; i < count; ++i) {
      bool cut = inLoop && (isMixed || pick(0, 2));
      tiles.push_back(name(cut ? a : b));
      text +=
          tiles.back() + " = mirage_block.input_iterator " +
          (cut ? "%A" : "%B") + " imap <x -> 0> " +
          (inLoop ? (cut ? "fmap <i -> 1> " : "fmap <i -> replica> ") : "") +
          ": " + (cut ? "tensor<16x32x" + a : "tensor<16x8x" + b) + "> -> " +
          types[tiles.back()] + "\n";
    }
  }

  /// Operators that keep values small; half of them read what other threads
  /// have made.
  void writeOps(std::vector<std::string> &tiles, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      std::string tile = name(pickType()), x = any(tiles), y = any(tiles);
      std::string one = " : (" + types[x] + ") -> " + types[tile] + "\n";
      std::string two =
          " : (" + types[x] + ", " + types[y] + ") -> " + types[tile] + "\n";
      switch (pick(0, 5)) {
      case 0:
        text += tile + " = mirage_block.max " + x + ", " + y + two;
        break;
      case 1:
        text += tile + " = mirage_block.sub " + x + ", " + y + two;
        break;
      case 2: {
        std::string product = name();
        text += product + " = mirage_block.matmul " + x + ", " + y + " : (" +
                types[x] + ", " + types[y] + ") -> " + types[product] + "\n";
        text += tile + " = mirage_block.tanh " + product + " : (" +
                types[product] + ") -> " + types[tile] + "\n";
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
    std::string saved = std::move(text), loopTypes, accumulators, ofTiles;
    text.clear();
    std::vector<std::string> tiles;
    writeLoads(tiles, pick(1, 3), /*inLoop=*/true);
    writeOps(tiles, pick(1, 8));
    std::string maximum = name();
    if (pick(0, 2) == 0) {
      const std::string &from = any(tiles);
      text += maximum + " = mirage_block.reduce_max " + from + " dim 1 : (" +
              types[from] + ") -> " + kColumn.str() + "\n";
    } else {
      maximum.clear();
    }
    std::string loop = name();
    unsigned count = pick(1, 3);
    for (unsigned i = 0; i < count; ++i) {
      std::string separator = i ? ", " : "";
      bool rescaled = !maximum.empty() && i == 0;
      const std::string &tile = any(tiles);
      accumulators += separator +
                      (rescaled     ? "rescaled_sum "
                       : pick(0, 1) ? "sum "
                                    : "max ") +
                      tile + (rescaled ? " by " + maximum : "");
      ofTiles +=
          separator + types[tile] + (rescaled ? " by " + kColumn.str() : "");
      loopTypes += separator + getTile("f32");
      results.push_back(loop + "#" + std::to_string(i));
      types[results.back()] = getTile("f32");
    }
    text = saved + loop + ":" + std::to_string(count) +
           " = mirage_block.loop iterations 4 -> " + loopTypes + " {\n" + text +
           "mirage_block.accumulate " + accumulators + " : " + ofTiles +
           "\n}\n";
  }

  std::mt19937 &generator;
  bool isMixed;
  /// The types of the inputs' elements.
  std::string a, b;
  unsigned next = 0;
  std::string text;
  /// By tile.
  std::map<std::string, std::string> types;
  /// Of loops.
  std::vector<std::string> results;
};

class PlansTest : public GraphTest {
protected:
  /// What the model has of the one kernel of a module.
  KernelLoad getLoad(ModuleOp module) {
    FailureOr<KernelGraph> graph = importKernelGraph(getFunction(module));
    EXPECT_TRUE(succeeded(graph));
    return getKernelLoad(*graph, graph->nodes[0],
                         TargetNumbers(TargetAttr::lookup(&context, "sm_90a")));
  }

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

/// What tensor cores do for a product in one iteration, and how much of it in
/// tf32.
std::pair<int64_t, int64_t> getFlops(const MatmulPlan &plan) {
  int64_t all = 0, tf32 = 0;
  for (const MatmulPlan::Product &product : plan.products) {
    int64_t flops = 2 * plan.batches * plan.getRowTiles() * 16 *
                    plan.getColTiles() * 8 * llvm::alignTo(product.depth, 8);
    all += flops;
    if (product.kind == MatmulPlan::Kind::TF32)
      tf32 += flops;
  }
  return {all, tf32};
}

TEST_F(PlansTest, CostsAreThoseOfThePlans) {
  unsigned numF16 = 0, numTF32 = 0, numScalar = 0;
  for (unsigned trial = 0; trial < 300; ++trial) {
    std::string text = GraphWriter(generator, /*isMixed=*/true).write();
    SCOPED_TRACE(text);
    auto module = parse(text);
    ASSERT_TRUE(module);
    KernelLoad load = getLoad(*module);

    PassManager pm(&context);
    if (trial % 2)
      pm.addNestedPass<func::FuncOp>(createConstructThreadGraphs());
    pm.addNestedPass<func::FuncOp>(createSpecializeWarps());
    ASSERT_TRUE(succeeded(pm.run(*module))) << diagnostics;
    int64_t all = 0, tf32 = 0;
    module->walk([&](block::MatmulOp op) {
      // There are two blocks.
      int64_t times = 2;
      if (auto loop = dyn_cast<block::LoopOp>(op->getParentOp()))
        times *= loop.getIterations();
      std::optional<TensorCoreUse> use = getTensorCoreUse(op);
      if (!use) {
        ++numScalar;
        return;
      }
      auto [flops, rounded] = getFlops(use->plan);
      ++(rounded ? numTF32 : numF16);
      // Each operand that is rounded has a remainder.
      int64_t parts = 1;
      if (rounded && use->plan.keepsRemainders)
        for (Value operand : op->getOperands())
          parts += getReadType(operand).isF32();
      all += times * parts * flops;
      tf32 += times * parts * rounded;
    });
    EXPECT_EQ(load.work.tensorFlops, all);
    EXPECT_EQ(load.tf32Flops, tf32);
    if (HasFailure())
      return;
  }
  // Each is there.
  EXPECT_GT(numF16, 20u);
  EXPECT_GT(numTF32, 20u);
  EXPECT_GT(numScalar, 20u);
}

/// At how many depths of a loop something is computed in each iteration.
int64_t countSteps(Block &block) {
  llvm::SmallDenseSet<int64_t> depths;
  for (Operation &op : block)
    if (isStaged(&op) && !isHoisted(&op) &&
        !isa<ConstantOp, block::InputIterator>(op))
      depths.insert(op.getAttrOfType<IntegerAttr>(kDepthAttr).getInt());
  return depths.size();
}

TEST_F(PlansTest, StepsAreThoseOfThePlans) {
  unsigned found = 0, alike = 0;
  for (unsigned trial = 0; trial < 1500; ++trial) {
    std::string text = GraphWriter(generator, /*isMixed=*/true).write();
    SCOPED_TRACE(text);
    auto module = parse(text);
    ASSERT_TRUE(module);
    KernelLoad load = getLoad(*module);
    if (load.steps == 0)
      continue;
    PassManager pm(&context);
    pm.addNestedPass<func::FuncOp>(createConstructThreadGraphs());
    pm.addNestedPass<func::FuncOp>(createSpecializeWarps());
    pm.addNestedPass<func::FuncOp>(createScheduleOperators());
    ASSERT_TRUE(succeeded(pm.run(*module))) << diagnostics;
    module->walk([&](block::LoopOp loop) {
      Block &body = loop.getBody().front();
      int64_t ofIteration = countSteps(body);
      if (!cast<block::AccumulateOp>(body.getTerminator()).getMaxima().empty())
        ofIteration += 2;
      int64_t steps =
          loop.getIterations() * std::max<int64_t>(ofIteration - 1, 0);
      ++found;
      alike += steps == load.steps;
    });
  }
  // The others have operators that nobody reads, or movements that threads
  // make of what they store.
  EXPECT_GT(found, 50u);
  EXPECT_GT(alike * 5, found * 4);
}

} // namespace
