//===- CutEnumeratorTest.cpp - The cuts through a graph of values ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CutEnumerator.h"
#include "Copies.h"
#include "SearchFixture.h"
#include "SearchWorker.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;

namespace {

/// RMSNorm in front of a matrix product.
constexpr const char *kNorm = R"(
func.func @f(%x: tensor<16x64xf16>, %w: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %q = mirage_kernel.sqr %x : (tensor<16x64xf16>) -> tensor<16x64xf16>
  %s = mirage_kernel.sum %q dim 1 : (tensor<16x64xf16>) -> tensor<16x1xf16>
  %r = mirage_kernel.sqrt %s : (tensor<16x1xf16>) -> tensor<16x1xf16>
  %d = mirage_kernel.div %x, %r : (tensor<16x64xf16>, tensor<16x1xf16>) -> tensor<16x64xf16>
  %p = mirage_kernel.matmul %d, %w : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16>
  return %p : tensor<16x32xf16>
})";

/// Two outputs, of which one is computed from what the other is.
constexpr const char *kTwoOutputs = R"(
func.func @f(%x: tensor<16x64xf16>, %w: tensor<64x32xf16>) -> (tensor<16x1xf16>, tensor<16x32xf16>) {
  %e = mirage_kernel.exp %x : (tensor<16x64xf16>) -> tensor<16x64xf16>
  %s = mirage_kernel.sum %e dim 1 : (tensor<16x64xf16>) -> tensor<16x1xf16>
  %p = mirage_kernel.matmul %e, %w : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16>
  %d = mirage_kernel.div %p, %s : (tensor<16x32xf16>, tensor<16x1xf16>) -> tensor<16x32xf16>
  return %s, %d : tensor<16x1xf16>, tensor<16x32xf16>
})";

/// Layer norm, with a bias.
constexpr const char *kLayerNorm = R"(
func.func @f(%x: tensor<16x64xf16>, %g: tensor<64xf16>, %b: tensor<64xf16>) -> tensor<16x64xf16> {
  %n = mirage.constant 6.4e+01 : tensor<f32>
  %s = mirage_kernel.sum %x dim 1 : (tensor<16x64xf16>) -> tensor<16x1xf32>
  %m = mirage_kernel.div %s, %n : (tensor<16x1xf32>, tensor<f32>) -> tensor<16x1xf32>
  %c = mirage_kernel.sub %x, %m : (tensor<16x64xf16>, tensor<16x1xf32>) -> tensor<16x64xf32>
  %q = mirage_kernel.sqr %c : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %t = mirage_kernel.sum %q dim 1 : (tensor<16x64xf32>) -> tensor<16x1xf32>
  %r = mirage_kernel.sqrt %t : (tensor<16x1xf32>) -> tensor<16x1xf32>
  %d = mirage_kernel.div %c, %r : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
  %h = mirage_kernel.mul %d, %g : (tensor<16x64xf32>, tensor<64xf16>) -> tensor<16x64xf32>
  %o = mirage_kernel.add %h, %b : (tensor<16x64xf32>, tensor<64xf16>) -> tensor<16x64xf16>
  return %o : tensor<16x64xf16>
})";

/// Edges by which values are computed.
using ChosenEdges = std::map<unsigned, const ValueEdge *>;

/// Whether values can be computed behind a cut: by the edges that are chosen,
/// or by any.
bool isComputable(const ValueGraph &graph, bool isSplit, const ValueCut &cut,
                  const std::set<unsigned> &values,
                  const ChosenEdges *chosen = nullptr) {
  std::set<unsigned> known(cut.values.begin(), cut.values.end());
  // A loop's tiles are not there behind it.
  for (unsigned v : cut.iterators)
    if (!isSplit || !graph.values[v].inLoop)
      known.insert(v);
  for (auto [v, value] : llvm::enumerate(graph.values))
    if (value.isConstant())
      known.insert(v);
  auto isKnown = [&](unsigned v) { return known.count(v) > 0; };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [v, value] : llvm::enumerate(graph.values))
      for (const ValueEdge &edge : value.edges) {
        const bool isChosen =
            !chosen || (chosen->count(v) && chosen->at(v) == &edge);
        if (isChosen && !isKnown(v) && llvm::all_of(edge.operands, isKnown))
          changed = known.insert(v).second;
      }
  }
  return llvm::all_of(values, isKnown);
}

/// Finds cuts by trying everything: whether each value that is needed is handed
/// on, or by which edge the last kernel computes it.
class EveryCut {
public:
  /// Of a last kernel that computes some values, outputs with these numbers.
  EveryCut(const ValueGraph &graph, bool isSplit, const ValueSet &outputs,
           std::set<unsigned> values)
      : graph(graph), isSplit(isSplit), roots(std::move(values)) {
    cut.outputs = outputs;
    walk(roots);
  }

  std::set<ValueCut> cuts;

private:
  void walk(std::set<unsigned> needed) {
    if (needed.empty()) {
      if (isComputable(graph, isSplit, cut, roots, &chosen))
        cuts.insert(cut);
      return;
    }
    const unsigned v = *needed.begin();
    needed.erase(v);
    const Value &value = graph.values[v];
    if (value.edges.empty()) {
      const bool isRead = value.iterator >= 0 && cut.iterators.insert(v).second;
      walk(needed);
      if (isRead)
        cut.iterators.erase(v);
      return;
    }
    constexpr size_t kMostTensors = 3;
    const bool mayEnd = isSplit ? value.inLoop : !roots.count(v);
    if (mayEnd && cut.values.size() < kMostTensors) {
      cut.values.insert(v);
      walk(needed);
      cut.values.erase(v);
    }
    // Partial results stand where the loop ends.
    if (isSplit && mayEnd)
      return;
    for (const ValueEdge &edge : value.edges) {
      chosen[v] = &edge;
      std::set<unsigned> more = needed;
      for (unsigned operand : edge.operands)
        if (!chosen.count(operand) && !cut.values.count(operand))
          more.insert(operand);
      walk(std::move(more));
      chosen.erase(v);
    }
  }

private:
  const ValueGraph &graph;
  const bool isSplit;
  const std::set<unsigned> roots;
  ValueCut cut;
  ChosenEdges chosen;
};

class CutEnumeratorTest : public SearchFixture {
protected:
  using Alternatives = CutEnumerator::Alternatives;

  /// The values of a program: of whole tensors, or with a loop over the
  /// dimension that it adds up, cut in parts.
  void close(llvm::StringRef text, bool isSplit) {
    program = llvm::cantFail(makeSearchProgram(parse(text), options, stop));
    worker.emplace(*program, options);
    problem = {};
    for (const auto &input : program->inputs)
      problem.inputs.push_back(input.get());
    for (const auto &output : program->outputs)
      problem.outputs.push_back(output.get());
    placement = isSplit ? getSplit() : getWholePlacement(problem);
    context.emplace(*worker, problem);
    graph.emplace(*context, placement, statistics, stop);
    ASSERT_TRUE(graph->close(options.maxBlockOps, program->maxFreeOps));
    auto findOutputs = [&] {
      outputs.clear();
      for (auto [output, omap] : llvm::zip(problem.outputs, placement.omaps))
        outputs.push_back(graph->findOutput(*output, omap));
    };
    findOutputs();
    llvm::SmallVector<unsigned> roots;
    for (const Alternatives &values : outputs)
      llvm::append_range(roots, values);
    graph->dropDead(roots);
    findOutputs();
    for (const Alternatives &values : outputs)
      ASSERT_FALSE(values.empty());
  }

  Placement getSplit() const {
    Placement split;
    split.hasLoop = split.loopIsSplit = true;
    split.loopRole = program->roles.reduced.find_first();
    split.omaps.resize(problem.outputs.size());
    for (auto [i, input] : llvm::enumerate(problem.inputs)) {
      IteratorPlacement place;
      place.input = i;
      for (auto [d, label] : llvm::enumerate(input->label))
        if (program->roles.getRole(label) == split.loopRole) {
          place.fmap = d;
          split.iterators.push_back(place);
        }
      place.fmap = kReplica;
      split.iterators.push_back(place);
    }
    return split;
  }

  /// A cut as text: "outputs: values, iterators".
  static std::string print(const ValueCut &cut) {
    return llvm::formatv("{0}: {1}, {2}", print(cut.outputs), print(cut.values),
                         print(cut.iterators));
  }
  static std::vector<std::string> print(const std::set<ValueCut> &cuts) {
    std::vector<std::string> texts;
    for (const ValueCut &cut : cuts)
      texts.push_back(print(cut));
    return texts;
  }
  static std::string print(const ValueSet &values) {
    std::string text;
    for (unsigned value : values)
      text += std::to_string(value) + " ";
    return text;
  }

  /// What the enumerator finds of a last kernel for some of the outputs.
  std::set<ValueCut> enumerate(const ValueSet &ofLast, unsigned threads = 1,
                               double mostBytes = kAnyBytes) {
    const NecessaryInputs inputs(*program, problem, placement, *graph);
    const Copies copies(*program, *graph, problem, placement);
    CutGraph cutGraph{*graph,
                      placement,
                      options,
                      inputs,
                      mostBytes,
                      stop,
                      BackwardSteps(*program, *graph, placement, options,
                                    copies.getProducts()),
                      CutLimits(options)};
    CutEnumerator enumerator(cutGraph, outputs, ofLast, threads);
    while (size_t count = enumerator.startPhase())
      for (size_t task = 0; task < count; ++task)
        enumerator.run(task);
    return enumerator.takeCuts();
  }

  /// The values that such a kernel may compute: of each output one.
  std::vector<std::set<unsigned>> getChoices(const ValueSet &ofLast) const {
    std::vector<std::set<unsigned>> choices{{}};
    for (unsigned o : ofLast) {
      std::vector<std::set<unsigned>> more;
      for (const std::set<unsigned> &choice : choices)
        for (unsigned value : outputs[o]) {
          more.push_back(choice);
          more.back().insert(value);
        }
      choices = std::move(more);
    }
    return choices;
  }

  /// The same by trying everything.
  std::set<ValueCut> tryAll(const ValueSet &ofLast) const {
    std::set<ValueCut> all;
    for (const std::set<unsigned> &values : getChoices(ofLast))
      all.merge(EveryCut(*graph, placement.hasLoop, ofLast, values).cuts);
    // All that is computed would be in one kernel.
    if (ofLast.size() == outputs.size())
      for (auto cut = all.begin(); cut != all.end();)
        cut = cut->values.empty() ? all.erase(cut) : std::next(cut);
    return all;
  }

  /// Whether a kernel can compute its outputs behind a cut.
  bool isCut(const ValueCut &cut) const {
    return llvm::any_of(getChoices(cut.outputs), [&](const auto &values) {
      return isComputable(*graph, placement.hasLoop, cut, values);
    });
  }

  /// Finds all cuts, some at least. Where a value can be computed from what is
  /// computed from it, they may be more than those that try everything: it may
  /// be handed on and computed again.
  void expectAll(llvm::StringRef text, bool isSplit, const ValueSet &ofLast,
                 size_t least) {
    close(text, isSplit);
    const std::set<ValueCut> cuts = enumerate(ofLast), all = tryAll(ofLast);
    EXPECT_GE(all.size(), least);
    for (const ValueCut &cut : all)
      EXPECT_TRUE(cuts.count(cut)) << print(cut);
    for (const ValueCut &cut : cuts)
      EXPECT_TRUE(isCut(cut)) << print(cut);
    EXPECT_EQ(print(enumerate(ofLast, 3)), print(cuts));
  }

  static constexpr double kAnyBytes = std::numeric_limits<double>::infinity();
  std::atomic<bool> stop{false};
  std::unique_ptr<SearchProgram> program;
  std::optional<SearchWorker> worker;
  KernelProblem problem;
  Placement placement;
  SearchStatistics statistics;
  std::optional<ProblemContext> context;
  std::optional<ValueGraph> graph;
  llvm::SmallVector<Alternatives> outputs;
};

// All ways that there are, without the rule that leaves some out.
TEST_F(CutEnumeratorTest, FindsAll) {
  options.without.insert(SearchRule::Cuts);
  const bool kIsWhole = false, kIsSplit = true;
  expectAll(kNorm, kIsWhole, {0}, 8);
  expectAll(kNorm, kIsSplit, {0}, 6);
  expectAll(kLayerNorm, kIsWhole, {0}, 500);
  expectAll(kLayerNorm, kIsSplit, {0}, 50);
  expectAll(kAttention, kIsWhole, {0}, 10);
  expectAll(kAttention, kIsSplit, {0}, 1);
}

TEST_F(CutEnumeratorTest, FindsAllOfSeveralOutputs) {
  options.without.insert(SearchRule::Cuts);
  const bool kIsWhole = false, kIsSplit = true;
  expectAll(kTwoOutputs, kIsWhole, {0}, 2);
  expectAll(kTwoOutputs, kIsWhole, {1}, 8);
  expectAll(kTwoOutputs, kIsWhole, {0, 1}, 5);
  expectAll(kTwoOutputs, kIsSplit, {0, 1}, 8);
}

TEST_F(CutEnumeratorTest, LeavesOutWhatGoesWithTheKernelBefore) {
  close(kNorm, /*isSplit=*/false);
  const std::set<ValueCut> some = enumerate({0});
  options.without.insert(SearchRule::Cuts);
  const std::set<ValueCut> all = enumerate({0});
  EXPECT_FALSE(some.empty());
  EXPECT_LT(some.size(), all.size());
  for (const ValueCut &cut : some)
    EXPECT_TRUE(all.count(cut)) << print(cut);
}

TEST_F(CutEnumeratorTest, HandsOnSoManyBytes) {
  options.without.insert(SearchRule::Cuts);
  close(kNorm, /*isSplit=*/false);
  // What is written and read, and half of x where both kernels read it.
  auto getBytes = [&](const ValueCut &cut) {
    double bytes = 0;
    for (unsigned v : cut.values) {
      double ofValue = 2;
      for (int64_t label : graph->values[v].label)
        if (int role = program->roles.getRole(label); role != kNoRole)
          ofValue *= program->roles.size[role];
      bytes += ofValue;
    }
    for (unsigned v : cut.iterators)
      if (placement.iterators[graph->values[v].iterator].input == 0)
        bytes += 16 * 64 * 2 / 2;
    return bytes;
  };
  const std::set<ValueCut> all = enumerate({0});
  // A number of each row, and x or its product.
  constexpr double kOfRows = 16 * 2, kLeast = kOfRows + 16 * 64 * 2 / 2;
  for (double bytes : {kLeast - 1, kLeast, kLeast + kOfRows, 4 * kLeast}) {
    std::set<ValueCut> some;
    for (const ValueCut &cut : all)
      if (getBytes(cut) <= bytes)
        some.insert(cut);
    EXPECT_EQ(some.empty(), bytes < kLeast);
    EXPECT_EQ(print(enumerate({0}, 1, bytes)), print(some)) << bytes;
  }
}

TEST_F(CutEnumeratorTest, EndsWhenItIsStopped) {
  close(kNorm, /*isSplit=*/false);
  stop = true;
  EXPECT_TRUE(enumerate({0}).empty());
}

} // namespace
