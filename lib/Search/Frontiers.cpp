//===- Frontiers.cpp - Where a kernel graph can be cut in two -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontiers.h"
#include "LeastWork.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/xxhash.h"
#include <set>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// How many intermediate tensors stand between a kernel and what comes before.
static constexpr unsigned kMostTensors = 3;

FrontierFinder::FrontierFinder(SearchProgram &program, SearchWorker &worker,
                               const SearchOptions &options,
                               SearchStatistics &statistics,
                               const std::atomic<bool> &stop)
    : program(program), worker(worker), options(options),
      statistics(statistics), stop(stop) {}

/// Walks from the outputs towards the inputs.
class FrontierFinder::Enumerator {
public:
  Enumerator(const SearchProgram &program, const ValueGraph &graph,
             const Placement &placement, double maxBytes,
             const std::atomic<bool> &stop)
      : program(program), graph(graph), placement(placement),
        maxBytes(maxBytes), stop(stop) {}

  struct Cut {
    /// Values between the parts, and iterators that the last kernel reads.
    std::set<unsigned> values, iterators;
    bool operator<(const Cut &other) const {
      return std::tie(values, iterators) <
             std::tie(other.values, other.iterators);
    }
  };

  std::set<Cut> run(ArrayRef<unsigned> outputs) {
    roots = outputs;
    Pending pending;
    for (unsigned output : outputs)
      pending[output] = true;
    expand(std::move(pending), {});
    return std::move(cuts);
  }

private:
  double getBytes(unsigned value) const {
    double elements = 1;
    for (int64_t label : graph.values[value].label) {
      int role = program.roles.getRole(label);
      if (role != kNoRole)
        elements *= program.roles.size[role];
    }
    // Two parts at least, of two bytes an element at least.
    return elements * 2 * (placement.hasLoop ? 2 : 1);
  }

  /// Values that are needed, and whether a kernel may end with them.
  using Pending = std::map<unsigned, bool>;

  /// Whether a kernel may end in front of an edge of a value. Not in front of
  /// an elementwise operator of one tile that writes no more than it reads:
  /// that goes with the kernel before.
  bool mayEndBefore(const Value &value, const ValueEdge &edge) const {
    if (!edge.op || !edge.op->isElementwise())
      return true;
    const Value *tile = nullptr;
    for (unsigned operand : edge.operands) {
      const Value &other = graph.values[operand];
      if (tile && !other.isConstant())
        return true;
      if (!other.isConstant())
        tile = &other;
    }
    auto getWidth = [&](const Value &of) {
      return program.getElementType(of.parts[0]).getIntOrFloatBitWidth();
    };
    return !tile || getWidth(*tile) < getWidth(value);
  }

  void expand(Pending pending, Cut cut) {
    if (stop || !seen.insert({pending, cut}).second)
      return;
    if (pending.empty()) {
      if (!cut.values.empty())
        cuts.insert(std::move(cut));
      return;
    }
    auto [v, mayCut] = *pending.rbegin();
    pending.erase(v);
    const Value &value = graph.values[v];
    if (value.edges.empty()) {
      if (value.iterator >= 0)
        cut.iterators.insert(v);
      return expand(std::move(pending), std::move(cut));
    }
    // Whole tensors: any but the outputs. Partial ones: those of the loop.
    bool isRoot = llvm::is_contained(roots, v);
    if (placement.hasLoop ? value.inLoop && mayCut : !isRoot && mayCut) {
      Cut with = cut;
      with.values.insert(v);
      double bytes = 0;
      for (unsigned w : with.values)
        bytes += getBytes(w);
      if (with.values.size() <= kMostTensors && 2 * bytes < maxBytes)
        expand(pending, std::move(with));
      if (placement.hasLoop)
        return;
    }
    for (const ValueEdge &edge : value.edges) {
      Pending further = pending;
      bool mayCutOperands = isRoot || mayEndBefore(value, edge);
      bool possible = true;
      for (unsigned operand : edge.operands) {
        const Value &other = graph.values[operand];
        if (other.isConstant() || cut.values.count(operand))
          continue;
        // A loop over an input as it is needs no split.
        possible &= !(other.inLoop && other.edges.empty());
        further[operand] |= mayCutOperands;
      }
      if (possible)
        expand(std::move(further), cut);
    }
  }

  const SearchProgram &program;
  const ValueGraph &graph;
  const Placement &placement;
  double maxBytes;
  const std::atomic<bool> &stop;
  ArrayRef<unsigned> roots;
  std::set<std::pair<Pending, Cut>> seen;
  std::set<Cut> cuts;
};

static std::set<unsigned> getIterators(const ValueGraph &graph) {
  std::set<unsigned> iterators;
  for (unsigned v = 0; v < graph.values.size(); ++v)
    if (graph.values[v].iterator >= 0)
      iterators.insert(v);
  return iterators;
}

/// No grid and no loop: tiles are whole tensors.
static Placement getWholePlacement(const KernelProblem &problem) {
  Placement whole;
  for (unsigned i = 0; i < problem.inputs.size(); ++i) {
    IteratorPlacement place;
    place.input = i;
    whole.iterators.push_back(place);
  }
  whole.omaps.resize(problem.outputs.size());
  return whole;
}

void FrontierFinder::analyze(KernelProblem &problem) {
  Placement whole = getWholePlacement(problem);
  ProblemContext context(worker, problem);
  ValueGraph graph(context, whole, statistics, stop);
  graph.close(getMostOps(options.maxKernelOps), options.maxFreeOps);
  statistics.oracle += context.takeStatistics();
  if (error.empty())
    error = context.takeError();
  SmallVector<unsigned> roots;
  SmallVector<LeastWork::Alternatives> outputs;
  for (auto [output, omap] : llvm::zip(problem.outputs, whole.omaps)) {
    SmallVector<unsigned> found = graph.findOutput(*output, omap);
    if (found.empty())
      return;
    llvm::append_range(roots, found);
    outputs.push_back(std::move(found));
  }
  LeastWork leastWork(program, graph, roots);
  std::set<unsigned> leaves = getIterators(graph);
  if (options.uses(SearchRule::Work))
    problem.leastWork = leastWork.get(outputs, leaves);
  if (options.uses(SearchRule::WholeTensors) && !stop)
    problem.usefulTensors = leastWork.getScalars(roots, leaves);
}

std::vector<Frontier> FrontierFinder::find(const KernelProblem &problem,
                                           double maxBytes, unsigned kernels) {
  std::vector<Frontier> result;
  findIn(problem, getWholePlacement(problem), maxBytes, kernels, result);

  for (int role : program.roles.reduced.set_bits()) {
    Placement split;
    split.hasLoop = split.loopIsSplit = true;
    split.loopRole = role;
    split.omaps.resize(problem.outputs.size());
    bool any = false;
    for (auto [i, input] : llvm::enumerate(problem.inputs)) {
      IteratorPlacement place;
      place.input = i;
      for (auto [d, label] : llvm::enumerate(input->label))
        if (program.roles.getRole(label) == role && place.fmap == kReplica)
          place.fmap = d;
      any |= place.fmap != kReplica;
      if (place.fmap != kReplica)
        split.iterators.push_back(place);
      place.fmap = kReplica;
      split.iterators.push_back(place);
    }
    if (any)
      findIn(problem, split, maxBytes, kernels, result);
  }
  return result;
}

void FrontierFinder::findIn(const KernelProblem &problem,
                            const Placement &placement, double maxBytes,
                            unsigned kernels, std::vector<Frontier> &result) {
  ProblemContext context(worker, problem);
  ValueGraph graph(context, placement, statistics, stop);
  graph.close(getMostOps(kernels), options.maxFreeOps);
  statistics.oracle += context.takeStatistics();
  if (error.empty())
    error = context.takeError();
  SmallVector<unsigned> roots;
  for (auto [output, omap] : llvm::zip(problem.outputs, placement.omaps)) {
    SmallVector<unsigned> found = graph.findOutput(*output, omap);
    if (found.empty())
      return;
    roots.push_back(found.front());
  }
  Enumerator enumerator(program, graph, placement, maxBytes, stop);
  std::set<Enumerator::Cut> cuts = enumerator.run(roots);
  LeastWork leastWork(program, graph, roots);
  std::set<unsigned> inputs = getIterators(graph);

  for (const Enumerator::Cut &cut : cuts) {
    std::set<unsigned> read = cut.iterators;
    read.insert(cut.values.begin(), cut.values.end());
    SmallVector<unsigned> between(cut.values.begin(), cut.values.end());
    KernelProblem last, rest;
    if (options.uses(SearchRule::Work)) {
      SmallVector<LeastWork::Alternatives> outputs, passed;
      for (unsigned root : roots)
        outputs.push_back({root});
      for (unsigned v : between)
        passed.push_back({v});
      last.leastWork = leastWork.get(outputs, read);
      rest.leastWork = leastWork.get(passed, inputs);
    }
    if (options.uses(SearchRule::WholeTensors) && !stop) {
      last.usefulTensors = leastWork.getScalars(roots, read);
      rest.usefulTensors = leastWork.getScalars(between, inputs);
    }
    // Partial results stand side by side along each dimension in turn.
    size_t rank = placement.hasLoop ? ~size_t(0) : 1;
    if (placement.hasLoop)
      for (unsigned v : cut.values)
        rank = std::min(rank, graph.values[v].label.size());
    for (size_t d = 0; d < rank; ++d) {
      Frontier frontier{last, rest};
      frontier.last.outputs = problem.outputs;
      for (unsigned v : cut.iterators) {
        const SearchTensor *input =
            problem.inputs[placement.iterators[graph.values[v].iterator].input];
        if (!llvm::is_contained(frontier.last.inputs, input))
          frontier.last.inputs.push_back(input);
      }
      bool possible = true;
      for (unsigned v : cut.values) {
        // A value that iterations share is no partial result.
        possible &= !placement.hasLoop || graph.values[v].varies;
        if (!possible)
          break;
        const SearchTensor *tensor =
            makeTensor(graph, v, problem, placement,
                       placement.hasLoop ? static_cast<int>(d) : -1);
        frontier.last.inputs.push_back(tensor);
        frontier.rest.outputs.push_back(tensor);
        for (const RecipeStep &step : tensor->recipe)
          if (step.leaf && !llvm::is_contained(frontier.rest.inputs, step.leaf))
            frontier.rest.inputs.push_back(step.leaf);
      }
      if (!possible)
        continue;
      llvm::sort(frontier.rest.inputs,
                 [](auto *a, auto *b) { return a->id < b->id; });
      result.push_back(std::move(frontier));
    }
  }
}

const SearchTensor *FrontierFinder::makeTensor(const ValueGraph &graph,
                                               unsigned v,
                                               const KernelProblem &problem,
                                               const Placement &placement,
                                               int splitDim) {
  const Value &value = graph.values[v];
  auto tensor = std::make_unique<SearchTensor>();
  tensor->label = value.label;
  tensor->value = value.parts[0];
  tensor->scalar = value.scalar;
  tensor->elementType = program.getElementType(value.parts[0]);
  if (splitDim >= 0) {
    tensor->splitDim = splitDim;
    tensor->splitRole = placement.loopRole;
    tensor->label[splitDim] *= kLabelParts.split;
    Shape shape = value.parts[0].shape;
    shape[splitDim] *= value.parts.size();
    tensor->value = makeLike(value.parts[0], shape);
    Shape offsets(shape.size(), 0);
    for (const Tensor &part : value.parts) {
      insertSlice(part, tensor->value, offsets);
      offsets[splitDim] += part.shape[splitDim];
    }
    tensor->elementType = mlir::Float32Type::get(
        program.reference.tensors[0].elementType.getContext());
  }
  uint64_t hash = llvm::hash_combine(
      splitDim, tensor->splitRole,
      llvm::hash_combine_range(tensor->label.begin(), tensor->label.end()));
  for (const Plane &plane : tensor->value.planes)
    hash = hash * 0x9e3779b97f4a7c15 + llvm::xxh3_64bits(plane.bytes);
  const SearchTensor *&entry = known[hash];
  if (entry)
    return entry;

  std::vector<int> step(graph.values.size(), -1);
  auto build = [&](auto &self, unsigned u) -> unsigned {
    if (step[u] >= 0)
      return step[u];
    const Value &from = graph.values[u];
    RecipeStep result;
    if (from.iterator >= 0) {
      result.leaf = problem.inputs[placement.iterators[from.iterator].input];
    } else if (from.edges.empty()) {
      result.kind = RecipeStep::Kind::Constant;
      result.constant = from.constant;
    } else {
      // The first edge was there before every value that is built on this one.
      const ValueEdge &edge = from.edges.front();
      result.kind =
          edge.op ? RecipeStep::Kind::Operator : RecipeStep::Kind::Accumulate;
      result.op = edge.op;
      result.params = edge.params;
      result.accumulation = edge.accumulation;
      result.parts = placement.getLoopLabel();
      for (unsigned operand : edge.operands) {
        result.operands.push_back(self(self, operand));
        result.labels.push_back(graph.values[operand].label);
      }
    }
    tensor->recipe.push_back(std::move(result));
    return step[u] = tensor->recipe.size() - 1;
  };
  build(build, v);
  tensor->id = program.inputs.size() + program.outputs.size() +
               program.intermediates.size();
  entry = tensor.get();
  program.intermediates.push_back(std::move(tensor));
  return entry;
}
