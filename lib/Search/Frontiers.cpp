//===- Frontiers.cpp - Where a kernel graph can be cut in two -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontiers.h"
#include "Copies.h"
#include "KernelSolver.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "ReadSets.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/xxhash.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

FrontierFinder::FrontierFinder(SearchProgram &program, SearchPool &pool,
                               const SearchOptions &options,
                               SearchStatistics &statistics,
                               const std::atomic<bool> &stop)
    : program(program), pool(pool), options(options), target(options.target),
      statistics(statistics), stop(stop) {}

static ValueSet getIterators(const ValueGraph &graph) {
  ValueSet iterators;
  for (unsigned v = 0; v < graph.values.size(); ++v)
    if (graph.values[v].iterator >= 0)
      iterators.insert(v);
  return iterators;
}

namespace {
/// All ways to compute some values of a graph, which this keeps alive, from
/// others.
struct Ways {
  std::shared_ptr<const LeastWork> leastWork;
  std::vector<LeastWork::Alternatives> outputs;
  ValueSet leaves;
};
} // namespace

struct FrontierFinder::FoundCut {
  ValueCut cut;
  /// Without its tensors yet.
  Frontier frontier;
  std::shared_ptr<const Ways> last, rest;
};

/// The values between the inputs and the outputs of a problem, at one
/// placement.
struct FrontierFinder::Graph {
  Placement placement;
  std::unique_ptr<ProblemContext> context;
  /// These are none where not all outputs can be computed.
  std::unique_ptr<ValueGraph> values;
  std::optional<Copies> copies;
  std::optional<NecessaryInputs> necessaryInputs;
  std::optional<LeastWork> leastWork;
  ValueSet iterators;
  /// The operators that the deepest value takes, of use or not.
  unsigned depth = 0;
  /// The values of each output; none: not all outputs can be computed.
  SmallVector<SmallVector<unsigned>> outputs;
  SearchStatistics statistics;
  /// What went wrong with the oracle; empty: nothing.
  std::string error;
  std::vector<FoundCut> cuts;

  /// What the last kernel of a cut computes, and those before.
  using Outputs = std::vector<LeastWork::Alternatives>;
  std::pair<Outputs, Outputs> getOutputs(const ValueCut &cut) const {
    std::pair<Outputs, Outputs> result;
    for (unsigned v : cut.values)
      result.second.push_back({v});
    for (auto [o, values] : llvm::enumerate(outputs))
      (cut.outputs.count(o) ? result.first : result.second).push_back(values);
    return result;
  }

  SmallVector<unsigned> getRoots() const {
    SmallVector<unsigned> roots;
    for (const auto &values : outputs)
      llvm::append_range(roots, values);
    return roots;
  }

  /// Whether another cut, or none, serves a graph-defined kernel behind it as
  /// well: it reads an input itself, without a kernel in front that moves or
  /// scales it, and of two cuts that differ by a constant the one behind it is
  /// enough, unless the one in front is a product.
  bool isDominated(const ValueCut &cut, const std::set<ValueCut> &cuts) const {
    const SmallVector<unsigned> roots = getRoots();
    return llvm::any_of(cut.values, [&](unsigned v) {
      if (llvm::is_contained(roots, v))
        return false;
      return copies->isOfInput(v) ||
             llvm::any_of(copies->getScaled(v), [&](unsigned scaled) {
               ValueCut other = cut;
               other.values.erase(v);
               other.values.insert(scaled);
               return cuts.count(other);
             });
    });
  }

  /// Whether one operator may be all that is behind a cut.
  bool endsWithOperator(const ValueCut &cut) const {
    auto isRead = [&](unsigned v) {
      return cut.values.count(v) || cut.iterators.count(v);
    };
    auto isLast = [&](unsigned v) {
      return llvm::any_of(values->values[v].edges, [&](const ValueEdge &edge) {
        return edge.op && llvm::all_of(edge.operands, isRead);
      });
    };
    return !placement.hasLoop && llvm::all_of(cut.outputs, [&](unsigned o) {
      return llvm::any_of(outputs[o], isLast);
    });
  }
};

void FrontierFinder::close(Graph &graph, const KernelProblem &problem,
                           unsigned operators, SearchWorker &worker) const {
  graph.context = std::make_unique<ProblemContext>(worker, problem);
  graph.values = std::make_unique<ValueGraph>(*graph.context, graph.placement,
                                              graph.statistics, stop);
  bool isWhole = graph.values->close(operators, program.maxFreeOps);
  graph.statistics.oracle = graph.context->takeStatistics();
  // Of what is too large nobody knows.
  graph.depth = operators;
  if (!isWhole || stop)
    return;
  graph.depth = 0;
  for (const Value &value : graph.values->values)
    graph.depth = std::max(graph.depth, value.depth);
  auto findOutputs = [&] {
    graph.outputs.clear();
    for (auto [output, omap] :
         llvm::zip(problem.outputs, graph.placement.omaps))
      graph.outputs.push_back(graph.values->findOutput(*output, omap));
  };
  findOutputs();
  graph.values->dropDead(graph.getRoots());
  findOutputs();
  if (llvm::any_of(graph.outputs,
                   [](auto &values) { return values.empty(); })) {
    graph.outputs.clear();
    return;
  }
  graph.copies.emplace(program, *graph.values, problem, graph.placement);
  graph.necessaryInputs.emplace(program, problem, graph.placement,
                                *graph.values);
  graph.leastWork.emplace(program, *graph.values, graph.getRoots());
  graph.iterators = getIterators(*graph.values);
}

void FrontierFinder::count(Graph &graph) {
  statistics += std::exchange(graph.statistics, SearchStatistics());
  if (error.empty())
    error = std::move(graph.error);
}

/// Says what a kernel of the problem has to do at least.
static void setBounds(std::shared_ptr<const Ways> ways,
                      const SearchOptions &options, int splitRole,
                      KernelProblem &problem) {
  SmallVector<unsigned> all;
  for (const LeastWork::Alternatives &values : ways->outputs)
    llvm::append_range(all, values);
  if (options.uses(SearchRule::WholeTensors)) {
    problem.getUsefulTensors = [ways, all] {
      return ways->leastWork->getScalars(all, ways->leaves);
    };
    for (uint64_t tensor : problem.getUsefulTensors())
      problem.usefulTensorsHash += tensor; // in any order
  }
  if (options.uses(SearchRule::Needed))
    problem.leastOperators =
        ways->leastWork->getOperators(ways->outputs, ways->leaves);
  if (!options.uses(SearchRule::Work))
    return;
  problem.leastWork = ways->leastWork->get(ways->outputs, ways->leaves);
  problem.getRepeatedWork = [ways, splitRole](const RoleSet &roles) {
    return ways->leastWork->getRepeated(ways->outputs, ways->leaves, roles,
                                        splitRole);
  };
}

/// Values of a graph, with the tensors that they are read from.
using Leaves = std::vector<std::pair<const SearchTensor *, unsigned>>;

/// Says what can become of the inputs of a problem, each of which is some
/// values of the graph.
static void setFates(std::shared_ptr<const Ways> ways,
                     std::shared_ptr<const Leaves> leaves,
                     KernelProblem &problem) {
  problem.getFates = [ways, leaves, inputs = problem.inputs] {
    std::vector<DimFates> byValue =
        ways->leastWork->getFates(ways->outputs, ways->leaves);
    std::vector<DimFates> result;
    for (const SearchTensor *input : inputs) {
      DimFates &fates = result.emplace_back();
      fates.survive.resize(input->label.size());
      fates.vanish.resize(input->label.size());
      for (auto [tensor, value] : *leaves)
        if (tensor == input) {
          fates.survive |= byValue[value].survive;
          fates.vanish |= byValue[value].vanish;
        }
    }
    return result;
  };
}

/// Says which ways to read its inputs go together in a kernel of the problem,
/// each output of which is one of some values of the graph.
static void setReadSets(const SearchProgram &program,
                        std::shared_ptr<const Ways> ways,
                        std::vector<LeastWork::Alternatives> outputs,
                        std::shared_ptr<const Leaves> leaves,
                        const Placement &placement,
                        const SearchOptions &options, KernelProblem &problem) {
  // Without the other rule there are tiles of what is no whole tensor.
  if (!options.uses(SearchRule::Reads) ||
      !options.uses(SearchRule::WholeTensors))
    return;
  // The graph of the ways keeps the placement alive, too.
  problem.getReadSets = [&program, ways, outputs = std::move(outputs), leaves,
                         &placement, inputs = problem.inputs](
                            const Placement &frame,
                            ArrayRef<std::vector<IteratorPlacement>> choices) {
    llvm::DenseMap<unsigned, ReadLeaf> read;
    for (auto [tensor, value] : *leaves)
      if (auto input = llvm::find(inputs, tensor); input != inputs.end()) {
        ReadLeaf &leaf = read[value];
        leaf.input = input - inputs.begin();
        const int iterator = ways->leastWork->getGraph().values[value].iterator;
        if (iterator >= 0)
          leaf.splitDim = placement.iterators[iterator].fmap;
      }
    return findReadSets(program, *ways->leastWork, outputs, read, frame,
                        choices);
  };
}

/// The iterators of a graph, with the tensors that they read.
static Leaves getLeaves(const KernelProblem &problem,
                        const Placement &placement, const ValueGraph &graph) {
  Leaves leaves;
  for (unsigned v : getIterators(graph))
    leaves.emplace_back(
        problem.inputs[placement.iterators[graph.values[v].iterator].input], v);
  return leaves;
}

void FrontierFinder::analyze(KernelProblem &problem) {
  Found &entry = found[getIds(problem.outputs)];
  assert(entry.graphs.empty() && "to be analyzed before all else");
  entry.graphs.push_back(std::make_shared<Graph>());
  entry.graphs[0]->placement = getWholePlacement(problem);
  closeAll(entry, problem,
           std::max(options.getMostWholeOps(),
                    options.maxBlockOps * options.maxKernelOps));
  const std::shared_ptr<Graph> &graph = entry.graphs[0];
  if (graph->outputs.empty() || stop)
    return;
  auto ways = std::make_shared<Ways>();
  ways->leastWork = {graph, &*graph->leastWork};
  ways->outputs.assign(graph->outputs.begin(), graph->outputs.end());
  ways->leaves = getIterators(*graph->values);
  setBounds(ways, options, kNoRole, problem);
  auto leaves = std::make_shared<Leaves>(
      getLeaves(problem, graph->placement, *graph->values));
  setFates(ways, leaves, problem);
  setReadSets(program, ways, ways->outputs, leaves, graph->placement, options,
              problem);
}

/// The partial results of a split of one role; nothing if no input has it.
static std::optional<Placement> getSplitPlacement(const SearchProgram &program,
                                                  const KernelProblem &problem,
                                                  int role) {
  Placement split;
  split.hasLoop = split.loopIsSplit = true;
  split.loopRole = role;
  split.omaps.resize(problem.outputs.size());
  bool any = false;
  for (auto [i, input] : llvm::enumerate(problem.inputs)) {
    IteratorPlacement place;
    place.input = i;
    for (auto [d, label] : llvm::enumerate(input->label))
      if (program.roles.getRole(label) == role) {
        place.fmap = d;
        split.iterators.push_back(place);
        any = true;
      }
    place.fmap = kReplica;
    split.iterators.push_back(place);
  }
  if (!any)
    return std::nullopt;
  return split;
}

/// Closes the graphs that are not closed yet.
void FrontierFinder::closeAll(Found &entry, const KernelProblem &problem,
                              unsigned operators) {
  ArrayRef<std::shared_ptr<Graph>> open =
      ArrayRef(entry.graphs).drop_front(entry.numClosed);
  pool.forEach(open.size(), [&](size_t g, SearchWorker &worker) {
    Graph &graph = *open[g];
    close(graph, problem, operators, worker);
    graph.error = graph.context->takeError();
    // Only the values are of use from now on, if they are at all.
    graph.context.reset();
    if (graph.outputs.empty())
      graph.values.reset();
  });
  for (const std::shared_ptr<Graph> &graph : open) {
    count(*graph);
    entry.taken = std::max(entry.taken, graph->depth);
  }
  entry.numClosed = entry.graphs.size();
  entry.allowed = operators;
}

FrontierFinder::Frontiers FrontierFinder::find(const KernelProblem &problem,
                                               double mostBytes,
                                               unsigned kernels) {
  const unsigned allowed = options.maxBlockOps * kernels;
  Found &entry = found[getIds(problem.outputs)];
  const bool sameValues = entry.allowed == allowed ||
                          entry.taken < std::min(entry.allowed, allowed + 1);
  if (!sameValues)
    entry = Found();
  if (entry.frontiers && mostBytes <= entry.mostBytes)
    return entry.frontiers;
  if (mostBytes >= entry.tooMany)
    return std::make_shared<std::deque<Frontier>>();
  if (!entry.hasSplits) {
    entry.hasSplits = true;
    auto add = [&](Placement placement) {
      entry.graphs.push_back(std::make_shared<Graph>());
      entry.graphs.back()->placement = std::move(placement);
    };
    if (entry.graphs.empty())
      add(getWholePlacement(problem));
    for (int role : program.roles.reduced.set_bits())
      if (auto split = getSplitPlacement(program, problem, role))
        add(std::move(*split));
    closeAll(entry, problem, allowed);
  }
  if (!findCuts(entry.graphs, mostBytes)) {
    entry.tooMany = mostBytes;
    return std::make_shared<std::deque<Frontier>>();
  }
  std::deque<Frontier> result;
  for (const std::shared_ptr<Graph> &graph : entry.graphs) {
    addFrontiers(graph, problem, result);
    // They keep the graph alive.
    graph->cuts.clear();
  }
  pool.forEach(result.size(), [&](size_t i, SearchWorker &) {
    Frontier &frontier = result[i];
    frontier.leastOfLast = getLeastNanoseconds(program, frontier.last, target);
    frontier.leastOfRest = getLeastNanoseconds(program, frontier.rest, target);
  });
  entry.mostBytes = mostBytes;
  entry.frontiers = std::make_shared<std::deque<Frontier>>(std::move(result));
  return entry.frontiers;
}

/// The sets of outputs, by number, that the last kernel may compute: all, or it
/// leaves some to those before. Which of them is tried only for a few.
std::vector<ValueSet> FrontierFinder::getOutputsOfLast(const Graph &graph) {
  constexpr size_t kManyOutputs = 4;
  const size_t numOutputs = graph.outputs.size();
  std::set<ValueSet> sets;
  ValueSet set;
  auto chooseOutputs = [&](auto &self, unsigned o) -> void {
    if (o == numOutputs) {
      if (!set.empty())
        sets.insert(set);
      return;
    }
    self(self, o + 1);
    set.insert(o);
    self(self, o + 1);
    set.erase(o);
  };
  ValueSet all;
  for (unsigned o = 0; o < numOutputs; ++o) {
    all.insert(o);
    if (!graph.placement.hasLoop)
      sets.insert({o});
  }
  sets.insert(all);
  if (!graph.placement.hasLoop && numOutputs <= kManyOutputs)
    chooseOutputs(chooseOutputs, 0);
  return {sets.begin(), sets.end()};
}

/// The cuts with these outputs of the last kernel, as far as there are not too
/// many.
std::set<ValueCut> FrontierFinder::enumerateCuts(const Graph &graph,
                                                 const ValueSet &outputs,
                                                 double mostBytes,
                                                 CutSteps &numSteps) const {
  SmallVector<SmallVector<unsigned>> otherOutputs;
  SmallVector<unsigned> others;
  for (auto [o, values] : llvm::enumerate(graph.outputs))
    if (!outputs.count(o)) {
      otherOutputs.push_back(values);
      llvm::append_range(others, values);
    }
  BackwardSteps steps(program, *graph.values, graph.placement, options,
                      graph.copies->getProducts());
  std::set<ValueCut> cuts;
  // Each way to take one value for each output.
  SmallVector<unsigned> chosen;
  auto choose = [&](auto &self, size_t o) -> void {
    if (o == graph.outputs.size()) {
      CutEnumerator enumerator(*graph.values, graph.placement, options,
                               *graph.necessaryInputs, steps, others,
                               graph.necessaryInputs->getForAll(otherOutputs),
                               mostBytes, numSteps, stop);
      cuts.merge(enumerator.run(chosen, outputs));
      return;
    }
    if (!outputs.count(o))
      return self(self, o + 1);
    for (unsigned value : graph.outputs[o]) {
      if (numSteps.areTooMany(options, cuts.size()))
        return;
      chosen.push_back(value);
      self(self, o + 1);
      chosen.pop_back();
    }
  };
  choose(choose, 0);
  return cuts;
}

/// What is on both sides of a cut; nothing if another one serves as well.
std::optional<FrontierFinder::FoundCut>
FrontierFinder::makeCut(const std::shared_ptr<Graph> &shared,
                        const ValueCut &cut,
                        const std::set<ValueCut> &cuts) const {
  const Graph &graph = *shared;
  bool isDominated =
      options.uses(SearchRule::Cuts) && graph.isDominated(cut, cuts);
  if (isDominated && !graph.endsWithOperator(cut))
    return std::nullopt;
  auto last = std::make_shared<Ways>(), rest = std::make_shared<Ways>();
  last->leastWork = rest->leastWork = {shared, &*graph.leastWork};
  std::tie(last->outputs, rest->outputs) = graph.getOutputs(cut);
  last->leaves = cut.iterators;
  last->leaves.insert(cut.values.begin(), cut.values.end());
  rest->leaves = graph.iterators;
  // The kernel before leaves the reductions over a split to the last.
  int splitRole = graph.placement.hasLoop ? graph.placement.loopRole : kNoRole;
  Frontier frontier;
  setBounds(last, options, kNoRole, frontier.last);
  setBounds(rest, options, splitRole, frontier.rest);
  frontier.isDominated = isDominated;
  return FoundCut{cut, std::move(frontier), last, rest};
}

/// Finds the cuts of all graphs. Returns false, and finds none, if one has too
/// many.
bool FrontierFinder::findCuts(ArrayRef<std::shared_ptr<Graph>> graphs,
                              double mostBytes) {
  // What is enumerated with different outputs doesn't depend on each other.
  struct Part {
    size_t graph;
    ValueSet outputs;
    std::set<ValueCut> cuts;
  };
  std::vector<Part> parts;
  for (auto [g, graph] : llvm::enumerate(graphs))
    if (!graph->outputs.empty())
      for (ValueSet &outputs : getOutputsOfLast(*graph))
        parts.push_back({g, std::move(outputs), {}});
  std::vector<CutSteps> numSteps(graphs.size());
  pool.forEach(parts.size(), [&](size_t p, SearchWorker &) {
    Part &part = parts[p];
    part.cuts = enumerateCuts(*graphs[part.graph], part.outputs, mostBytes,
                              numSteps[part.graph]);
  });
  std::vector<std::set<ValueCut>> cuts(graphs.size());
  for (Part &part : parts)
    cuts[part.graph].merge(part.cuts);
  bool areTooMany = false;
  for (auto [of, steps] : llvm::zip(cuts, numSteps)) {
    statistics.cutSteps += steps.getCount(options);
    if (!steps.areTooMany(options, of.size()))
      continue;
    ++statistics.graphsTooLarge;
    areTooMany = true;
  }
  if (areTooMany)
    return false;
  std::vector<std::pair<size_t, const ValueCut *>> all;
  for (auto [g, of] : llvm::enumerate(cuts))
    for (const ValueCut &cut : of)
      all.emplace_back(g, &cut);
  std::vector<std::optional<FoundCut>> made(all.size());
  pool.forEach(all.size(), [&](size_t i, SearchWorker &) {
    auto [g, cut] = all[i];
    if (!stop)
      made[i] = makeCut(graphs[g], *cut, cuts[g]);
  });
  for (auto [from, cut] : llvm::zip(all, made)) {
    std::vector<FoundCut> &of = graphs[from.first]->cuts;
    of.reserve(cuts[from.first].size());
    if (cut)
      of.push_back(std::move(*cut));
    else if (!stop) // else it may not have been looked at
      ++statistics.prunedByCut;
  }
  return true;
}

void FrontierFinder::addFrontiers(const std::shared_ptr<Graph> &shared,
                                  const KernelProblem &problem,
                                  std::deque<Frontier> &result) {
  const Graph &graph = *shared;
  if (graph.outputs.empty())
    return;
  auto inputs = std::make_shared<const Leaves>(
      getLeaves(problem, graph.placement, *graph.values));
  const Placement &placement = graph.placement;
  const std::deque<Value> &values = graph.values->values;
  for (const auto &[cut, begun, last, rest] : graph.cuts) {
    // Partial results stand side by side along each dimension in turn.
    size_t rank = placement.hasLoop ? ~size_t(0) : 1;
    if (placement.hasLoop)
      for (unsigned v : cut.values)
        rank = std::min(rank, values[v].label.size());
    for (size_t d = 0; d < rank; ++d) {
      Frontier frontier = begun;
      frontier.last.mostOperators = frontier.rest.mostOperators =
          options.maxBlockOps;
      // What the outputs of both are in the graph.
      std::vector<LeastWork::Alternatives> ofLast, ofRest;
      auto need = [&](const SearchTensor *tensor, ArrayRef<unsigned> are) {
        frontier.rest.outputs.push_back(tensor);
        ofRest.emplace_back(are);
        for (const RecipeStep &step : tensor->recipe)
          if (step.leaf && !llvm::is_contained(frontier.rest.inputs, step.leaf))
            frontier.rest.inputs.push_back(step.leaf);
      };
      llvm::SmallDenseMap<unsigned, const SearchTensor *> others;
      for (auto [o, output] : llvm::enumerate(problem.outputs)) {
        if (cut.outputs.count(o)) {
          frontier.last.outputs.push_back(output);
          ofLast.push_back(graph.outputs[o]);
          continue;
        }
        need(output, graph.outputs[o]);
        // Of one value as several outputs the smallest is read.
        for (unsigned v : graph.outputs[o]) {
          const SearchTensor *&other = others[v];
          if (!other ||
              program.getBytes(*output, 1) < program.getBytes(*other, 1))
            other = output;
        }
      }
      for (unsigned v : cut.iterators) {
        const SearchTensor *input =
            problem.inputs[placement.iterators[values[v].iterator].input];
        if (!llvm::is_contained(frontier.last.inputs, input))
          frontier.last.inputs.push_back(input);
      }
      bool possible = true;
      auto read = std::make_shared<Leaves>();
      for (unsigned v : cut.values) {
        // A value that iterations share is no partial result.
        possible &= !placement.hasLoop || values[v].varies;
        if (!possible)
          break;
        const SearchTensor *tensor = others.lookup(v);
        if (!tensor) {
          tensor = makeTensor(*graph.values, v, problem, placement,
                              placement.hasLoop ? static_cast<int>(d) : -1);
          need(tensor, {v});
        }
        if (!llvm::is_contained(frontier.last.inputs, tensor))
          frontier.last.inputs.push_back(tensor);
        read->emplace_back(tensor, v);
      }
      if (!possible)
        continue;
      llvm::sort(frontier.rest.inputs,
                 [](auto *a, auto *b) { return a->id < b->id; });
      for (auto [tensor, v] : *inputs)
        if (cut.iterators.count(v))
          read->emplace_back(tensor, v);
      setFates(last, read, frontier.last);
      setFates(rest, inputs, frontier.rest);
      setReadSets(program, last, std::move(ofLast), read, placement, options,
                  frontier.last);
      setReadSets(program, rest, std::move(ofRest), inputs, placement, options,
                  frontier.rest);
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
  Shape key = tensor->label;
  key.append({splitDim, tensor->splitRole});
  tensor->hash = hashNumbers(key);
  for (const Plane &plane : tensor->value.planes)
    tensor->hash =
        tensor->hash * 0x9e3779b97f4a7c15 + llvm::xxh3_64bits(plane.bytes);
  const SearchTensor *&entry = known[tensor->hash];
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
