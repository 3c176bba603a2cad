//===- ConflictsTest.cpp - Bank conflicts, foretold and counted -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts are chosen by what kernels are said to do to their tiles. It is what
// they do when they run.
//
//===----------------------------------------------------------------------===//

#include "GraphTest.h"
#include "Mirage/BlockPlan/SharedAccesses.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Runtime/Counters.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mlir;

namespace {

class ConflictsTest : public GraphTest {
protected:
  /// Sums in registers, to which an epilogue adds a product that is in shared
  /// memory.
  static std::string write(int64_t rows, int64_t cols, int64_t depth) {
    auto type = [](int64_t a, int64_t b, StringRef type) {
      return llvm::formatv("{0}x{1}x{2}", a, b, type).str();
    };
    return llvm::formatv(
               R"(
func.func @f(%x: tensor<{0}>, %w: tensor<{1}>, %u: tensor<{2}>, %v: tensor<{3}>) -> tensor<{4}> {{
  %z = mirage_kernel.graph_defined (%x, %w, %u, %v) grid <x = 1> : (tensor<{0}>, tensor<{1}>, tensor<{2}>, tensor<{3}>) -> tensor<{4}> {{
  ^bb0(%X: tensor<{0}>, %W: tensor<{1}>, %U: tensor<{2}>, %V: tensor<{3}>):
    %c = mirage_block.input_iterator %U imap <x -> replica> : tensor<{2}> -> !mirage.tile<{2}>
    %d = mirage_block.input_iterator %V imap <x -> replica> : tensor<{3}> -> !mirage.tile<{3}>
    %q = mirage_block.matmul %c, %d : (!mirage.tile<{2}>, !mirage.tile<{3}>) -> !mirage.tile<{7}>
    %s = mirage_block.loop iterations 2 -> !mirage.tile<{7}> {{
      %a = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<{0}> -> !mirage.tile<{5}>
      %b = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<{1}> -> !mirage.tile<{6}>
      %p = mirage_block.matmul %a, %b : (!mirage.tile<{5}>, !mirage.tile<{6}>) -> !mirage.tile<{7}>
      mirage_block.accumulate sum %p : !mirage.tile<{7}>
    }
    %t = mirage_block.add %s, %q : (!mirage.tile<{7}>, !mirage.tile<{7}>) -> !mirage.tile<{7}>
    mirage_block.output_saver %t omap <x -> replica> : !mirage.tile<{7}> -> tensor<{4}>
  }
  return %z : tensor<{4}>
})",
               type(rows, 2 * depth, "f16"), type(2 * depth, cols, "f16"),
               type(rows, 16, "f16"), type(16, cols, "f16"),
               type(rows, cols, "f16"), type(rows, depth, "f16"),
               type(depth, cols, "f16"), type(rows, cols, "f32"))
        .str();
  }

  /// Between two products an exponential, of the first and a row that is added
  /// to each of its rows.
  static std::string writeExponential(int64_t rows, int64_t cols) {
    return llvm::formatv(R"(
func.func @f(%u: tensor<{0}x16xf16>, %v: tensor<16x{1}xf16>, %r: tensor<1x{1}xf32>, %w: tensor<{1}x16xf16>) -> tensor<{0}x16xf16> {{
  %z = mirage_kernel.graph_defined (%u, %v, %r, %w) grid <x = 1> : (tensor<{0}x16xf16>, tensor<16x{1}xf16>, tensor<1x{1}xf32>, tensor<{1}x16xf16>) -> tensor<{0}x16xf16> {{
  ^bb0(%U: tensor<{0}x16xf16>, %V: tensor<16x{1}xf16>, %R: tensor<1x{1}xf32>, %W: tensor<{1}x16xf16>):
    %a = mirage_block.input_iterator %U imap <x -> replica> : tensor<{0}x16xf16> -> !mirage.tile<{0}x16xf16>
    %b = mirage_block.input_iterator %V imap <x -> replica> : tensor<16x{1}xf16> -> !mirage.tile<16x{1}xf16>
    %c = mirage_block.input_iterator %R imap <x -> replica> : tensor<1x{1}xf32> -> !mirage.tile<1x{1}xf32>
    %d = mirage_block.input_iterator %W imap <x -> replica> : tensor<{1}x16xf16> -> !mirage.tile<{1}x16xf16>
    %p = mirage_block.matmul %a, %b : (!mirage.tile<{0}x16xf16>, !mirage.tile<16x{1}xf16>) -> !mirage.tile<{0}x{1}xf32>
    %s = mirage_block.sub %p, %c : (!mirage.tile<{0}x{1}xf32>, !mirage.tile<1x{1}xf32>) -> !mirage.tile<{0}x{1}xf32>
    %e = mirage_block.exp %s : (!mirage.tile<{0}x{1}xf32>) -> !mirage.tile<{0}x{1}xf32>
    %o = mirage_block.matmul %e, %d : (!mirage.tile<{0}x{1}xf32>, !mirage.tile<{1}x16xf16>) -> !mirage.tile<{0}x16xf32>
    mirage_block.output_saver %o omap <x -> replica> : !mirage.tile<{0}x16xf32> -> tensor<{0}x16xf16>
  }
  return %z : tensor<{0}x16xf16>
})",
                         rows, cols)
        .str();
  }

  /// The conflicts of a kernel of one block: by what is said of it, and as the
  /// host counts them.
  std::pair<int64_t, int64_t> countConflicts(StringRef text,
                                             bool assignLayouts) {
    auto module = parse(text);
    std::vector<Array> arguments = makeInputs(*module, -1, 1);
    for (Type type : getFunction(*module).getResultTypes())
      arguments.push_back(makeArray(type));

    PassManager plans(&context);
    plans.addNestedPass<func::FuncOp>(createConstructThreadGraphs());
    plans.addNestedPass<func::FuncOp>(createScheduleOperators());
    if (assignLayouts)
      plans.addNestedPass<func::FuncOp>(createAssignLayouts());
    plans.addNestedPass<func::FuncOp>(createPlanMemory());
    EXPECT_TRUE(succeeded(plans.run(*module))) << diagnostics;
    int64_t foretold = 0;
    module->walk([&](kernel::GraphDefinedOp graph) {
      for (const SharedAccess &access :
           getSharedAccesses(graph.getBlockGraph())) {
        std::optional<AccessCost> cost =
            getAccessCost(getLayout(access.tile), access.view, access.pattern);
        ASSERT_TRUE(cost);
        foretold += access.times * (cost->transactions - cost->ideal);
      }
    });

    ConvertMirageToGPUOptions conversion;
    conversion.allowUnverified = true;
    PassManager toGPU(&context);
    toGPU.addPass(createConvertMirageToGPU(conversion));
    EXPECT_TRUE(succeeded(toGPU.run(*module))) << diagnostics;
    std::vector<KernelCounters> counters;
    HostOptions host;
    host.counters = &counters;
    EXPECT_EQ(llvm::toString(runOnHost(*module, "f", arguments, host)), "");
    int64_t counted = 0;
    for (const KernelCounters &kernel : counters)
      counted += kernel.total.sharedWavefronts - kernel.total.sharedPhases;
    return {foretold, counted};
  }

  /// Adds those without layouts and with them, which are as foretold.
  void addConflicts(const std::string &text, int64_t &before, int64_t &after) {
    for (bool assignLayouts : {false, true}) {
      auto [foretold, counted] = countConflicts(text, assignLayouts);
      EXPECT_EQ(foretold, counted);
      (assignLayouts ? after : before) += counted;
    }
  }
};

TEST_F(ConflictsTest, Epilogues) {
  unsigned withConflicts = 0;
  for (int64_t rows : {16, 64})
    for (int64_t cols : {16, 24, 40, 64, 128}) {
      std::string text = write(rows, cols, /*depth=*/32);
      SCOPED_TRACE(text);
      auto [foretold, counted] = countConflicts(text, /*assignLayouts=*/false);
      EXPECT_EQ(foretold, counted);
      withConflicts += counted > 0;
      std::tie(foretold, counted) =
          countConflicts(text, /*assignLayouts=*/true);
      EXPECT_EQ(foretold, counted);
      EXPECT_EQ(counted, 0);
    }
  EXPECT_GT(withConflicts, 5u);
}

// Rows that are cut into no panels: halves change places, or there is padding.
TEST_F(ConflictsTest, RowsOfAnyLength) {
  int64_t before = 0, after = 0;
  for (auto [rows, cols, depth] :
       {std::array<int64_t, 3>{24, 40, 500}, std::array<int64_t, 3>{3, 30, 200},
        std::array<int64_t, 3>{24, 10, 200},
        std::array<int64_t, 3>{48, 100, 100}}) {
    std::string text = write(rows, cols, depth);
    SCOPED_TRACE(text);
    addConflicts(text, before, after);
  }
  EXPECT_LT(10 * after, before);
}

// What is accessed at once doesn't go past a row's end.
TEST_F(ConflictsTest, ElementwiseOperators) {
  int64_t before = 0, after = 0;
  for (int64_t cols : {40, 64, 72, 104, 200}) {
    std::string text = writeExponential(/*rows=*/32, cols);
    SCOPED_TRACE(text);
    addConflicts(text, before, after);
  }
  EXPECT_LT(10 * after, before);
}

} // namespace
