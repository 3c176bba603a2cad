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

FrontierFinder::~FrontierFinder() {
  // A few at a time; graphs last, each of which the last of its frontiers
  // would destroy in one go.
  constexpr size_t kAtOnce = 32;
  std::vector<llvm::MutableArrayRef<Frontier>> parts;
  for (auto &[outputs, of] : found)
    if (of.frontiers)
      for (llvm::MutableArrayRef<Frontier> rest = *of.frontiers;
           !rest.empty();) {
        parts.push_back(rest.take_front(kAtOnce));
        rest = rest.drop_front(parts.back().size());
      }
  pool.forEach(parts.size(), [&](size_t i, SearchWorker &) {
    for (Frontier &frontier : parts[i])
      frontier = Frontier();
  });
  std::vector<std::shared_ptr<Graph>> graphs;
  for (auto &[outputs, of] : found)
    llvm::append_range(graphs, std::exchange(of.graphs, {}));
  pool.forEach(graphs.size(),
               [&](size_t i, SearchWorker &) { graphs[i].reset(); });
}

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

void FrontierFinder::closeValues(Graph &graph, const KernelProblem &problem,
                                 unsigned operators,
                                 SearchWorker &worker) const {
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

void FrontierFinder::analyze(KernelProblem &problem) {
  Found &entry = found[getIds(problem.outputs)];
  assert(entry.graphs.empty() && "to be analyzed before all else");
  entry.graphs.push_back(std::make_shared<Graph>());
  const std::shared_ptr<Graph> &graph = entry.graphs[0];
  graph->placement = getWholePlacement(problem);
  const unsigned operators = std::max(
      options.getMostWholeOps(), options.maxBlockOps * options.maxKernelOps);
  pool.forEach(1, [&](size_t, SearchWorker &worker) {
    close(*graph, problem, operators, worker);
  });
  noteClosed(entry, *graph, operators);
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

void FrontierFinder::close(Graph &graph, const KernelProblem &problem,
                           unsigned operators, SearchWorker &worker) const {
  closeValues(graph, problem, operators, worker);
  graph.error = graph.context->takeError();
  // Only the values are of use from now on, if they are at all.
  graph.context.reset();
  if (graph.outputs.empty())
    graph.values.reset();
}

void FrontierFinder::noteClosed(Found &entry, Graph &graph,
                                unsigned operators) {
  statistics += std::exchange(graph.statistics, SearchStatistics());
  if (error.empty())
    error = std::move(graph.error);
  entry.taken = std::max(entry.taken, graph.depth);
  entry.allowed = operators;
}

/// Closes a graph, if that is to be done, and finds its cuts, whatever the
/// other graphs of the problem are at: that of whole tensors mostly takes
/// longest.
class FrontierFinder::CutSearch : public PhasedWork {
public:
  /// `areTooMany`: set where a graph has too many cuts, so that those of others
  /// are of no use either.
  CutSearch(const FrontierFinder &finder, std::shared_ptr<Graph> graph,
            const KernelProblem &problem, double mostBytes,
            std::atomic<bool> &areTooMany)
      : graph(std::move(graph)), finder(finder), problem(problem),
        mostBytes(mostBytes), areTooMany(areTooMany) {}

  const std::shared_ptr<Graph> graph;
  /// The operators that values may take; none: it is closed.
  std::optional<unsigned> operators;
  bool isTooLarge = false;
  int64_t numStates = 0;
  std::set<ValueCut> cuts;
  /// Of each, in that order, what is on both sides; nothing if another one
  /// serves as well, or it was not looked at.
  std::vector<std::optional<FoundCut>> made;

  size_t startPhase() override {
    if (phase == Phase::New) {
      phase = Phase::Closing;
      if (operators)
        return 1;
    }
    if (phase == Phase::Closing) {
      if (graph->outputs.empty())
        return 0;
      phase = Phase::Enumerating;
      startEnumerating();
    }
    if (phase == Phase::Enumerating) {
      tasks.clear();
      for (CutEnumerator &enumerator : enumerators) {
        const size_t count = enumerator.startPhase();
        for (size_t task = 0; task < count; ++task)
          tasks.emplace_back(&enumerator, task);
      }
      if (!tasks.empty())
        return tasks.size();
      phase = Phase::Making;
      finishEnumerating();
      return made.size();
    }
    return 0;
  }

  void run(size_t task, SearchWorker &worker) override {
    if (phase == Phase::Closing)
      return finder.close(*graph, problem, *operators, worker);
    if (phase == Phase::Enumerating) {
      auto [enumerator, number] = tasks[task];
      return enumerator->run(number);
    }
    if (!finder.stop && !areTooMany)
      made[task] = finder.makeCut(graph, *order[task], cuts);
  }

private:
  void startEnumerating() {
    cutGraph.reset(new CutGraph{
        *graph->values, graph->placement, finder.options,
        *graph->necessaryInputs, mostBytes, finder.stop,
        BackwardSteps(finder.program, *graph->values, graph->placement,
                      finder.options, graph->copies->getProducts()),
        CutLimits(finder.options)});
    // What is enumerated with different outputs doesn't depend on each other.
    for (ValueSet &outputs : getOutputsOfLast(*graph))
      enumerators.emplace_back(*cutGraph, graph->outputs, std::move(outputs),
                               finder.pool.getNumThreads());
  }

  void finishEnumerating() {
    for (CutEnumerator &enumerator : enumerators)
      cuts.merge(enumerator.takeCuts());
    cutGraph->limits.checkCuts(cuts.size());
    numStates = cutGraph->limits.getNumStates();
    isTooLarge = cutGraph->limits.areExceeded();
    if (isTooLarge)
      areTooMany = true;
    enumerators.clear();
    if (areTooMany)
      return;
    for (const ValueCut &cut : cuts)
      order.push_back(&cut);
    made.resize(order.size());
  }

  const FrontierFinder &finder;
  const KernelProblem &problem;
  const double mostBytes;
  std::atomic<bool> &areTooMany;
  enum class Phase { New, Closing, Enumerating, Making } phase = Phase::New;
  std::unique_ptr<CutGraph> cutGraph;
  std::deque<CutEnumerator> enumerators;
  std::vector<std::pair<CutEnumerator *, size_t>> tasks;
  std::vector<const ValueCut *> order;
};

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
    return std::make_shared<std::vector<Frontier>>();
  const size_t numClosed = entry.graphs.size();
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
  }
  std::atomic<bool> areTooMany{false};
  std::deque<CutSearch> searches;
  for (auto [g, graph] : llvm::enumerate(entry.graphs)) {
    searches.emplace_back(*this, graph, problem, mostBytes, areTooMany);
    if (g >= numClosed)
      searches.back().operators = allowed;
  }
  findCuts(entry, searches);
  if (areTooMany) {
    entry.tooMany = mostBytes;
    return std::make_shared<std::vector<Frontier>>();
  }
  entry.mostBytes = mostBytes;
  entry.frontiers =
      std::make_shared<std::vector<Frontier>>(makeFrontiers(searches, problem));
  return entry.frontiers;
}

void FrontierFinder::findCuts(Found &entry, std::deque<CutSearch> &searches) {
  std::vector<PhasedWork *> works;
  for (CutSearch &search : searches)
    works.push_back(&search);
  pool.run(works);
  bool areTooMany = false;
  for (CutSearch &search : searches) {
    if (search.operators)
      noteClosed(entry, *search.graph, *search.operators);
    statistics.cutSteps += search.numStates;
    statistics.graphsTooLarge += search.isTooLarge;
    areTooMany |= search.isTooLarge;
  }
  if (!areTooMany && !stop) // else they may not have been looked at
    for (const CutSearch &search : searches)
      statistics.prunedByCut +=
          llvm::count_if(search.made, [](const auto &cut) { return !cut; });
}

/// A frontier without its bounds: where a cut stands between kernels.
struct FrontierFinder::CutPlace {
  const CutSearch *search;
  const FoundCut *cut;
  /// That hold the values of the cut.
  SmallVector<const SearchTensor *, 4> tensors;
  /// What is read of the inputs in front of all cuts of the graph.
  std::shared_ptr<const Leaves> inputs;
};

/// Where a cut stands, for each dimension along which partial results may stand
/// side by side.
void FrontierFinder::addPlaces(const CutSearch &search, const FoundCut &found,
                               const KernelProblem &problem,
                               std::shared_ptr<const Leaves> inputs,
                               std::vector<CutPlace> &places) {
  const Graph &graph = *search.graph;
  const Placement &placement = graph.placement;
  const std::deque<Value> &values = graph.values->values;
  const ValueCut &cut = found.cut;
  // Of one value as several outputs the smallest is read.
  llvm::SmallDenseMap<unsigned, const SearchTensor *> others;
  for (auto [o, output] : llvm::enumerate(problem.outputs))
    if (!cut.outputs.count(o))
      for (unsigned v : graph.outputs[o]) {
        const SearchTensor *&other = others[v];
        if (!other ||
            program.getBytes(*output, 1) < program.getBytes(*other, 1))
          other = output;
      }
  size_t rank = placement.hasLoop ? ~size_t(0) : 1;
  if (placement.hasLoop)
    for (unsigned v : cut.values) {
      // A value that iterations share is no partial result.
      if (!values[v].varies)
        return;
      rank = std::min(rank, values[v].label.size());
    }
  for (size_t d = 0; d < rank; ++d) {
    CutPlace &place =
        places.emplace_back(CutPlace{&search, &found, {}, inputs});
    for (unsigned v : cut.values) {
      const SearchTensor *tensor = others.lookup(v);
      if (!tensor)
        tensor = makeTensor(*graph.values, v, problem, placement,
                            placement.hasLoop ? static_cast<int>(d) : -1);
      place.tensors.push_back(tensor);
    }
  }
}

Frontier FrontierFinder::makeFrontier(const CutPlace &place,
                                      const KernelProblem &problem) const {
  const Graph &graph = *place.search->graph;
  const Placement &placement = graph.placement;
  const auto &[cut, begun, last, rest] = *place.cut;
  Frontier frontier = begun;
  frontier.last.mostOperators = frontier.rest.mostOperators =
      options.maxBlockOps;
  // What the outputs of both are in the graph.
  std::vector<LeastWork::Alternatives> ofLast, ofRest;
  SmallVector<const SearchTensor *> left;
  auto need = [&](const SearchTensor *tensor, ArrayRef<unsigned> are) {
    frontier.rest.outputs.push_back(tensor);
    ofRest.emplace_back(are);
    for (const RecipeStep &step : tensor->recipe)
      if (step.leaf && !llvm::is_contained(frontier.rest.inputs, step.leaf))
        frontier.rest.inputs.push_back(step.leaf);
  };
  for (auto [o, output] : llvm::enumerate(problem.outputs)) {
    if (cut.outputs.count(o)) {
      frontier.last.outputs.push_back(output);
      ofLast.push_back(graph.outputs[o]);
    } else {
      left.push_back(output);
      need(output, graph.outputs[o]);
    }
  }
  auto read = std::make_shared<Leaves>();
  auto readInput = [&](const SearchTensor *input) {
    if (!llvm::is_contained(frontier.last.inputs, input))
      frontier.last.inputs.push_back(input);
  };
  for (auto [tensor, v] : *place.inputs)
    if (cut.iterators.count(v))
      readInput(tensor);
  for (auto [v, tensor] : llvm::zip_equal(cut.values, place.tensors)) {
    if (!llvm::is_contained(left, tensor))
      need(tensor, {v});
    readInput(tensor);
    read->emplace_back(tensor, v);
  }
  llvm::sort(frontier.rest.inputs,
             [](auto *a, auto *b) { return a->id < b->id; });
  for (auto [tensor, v] : *place.inputs)
    if (cut.iterators.count(v))
      read->emplace_back(tensor, v);
  setFates(last, read, frontier.last);
  setFates(rest, place.inputs, frontier.rest);
  setReadSets(program, last, std::move(ofLast), read, placement, options,
              frontier.last);
  setReadSets(program, rest, std::move(ofRest), place.inputs, placement,
              options, frontier.rest);
  frontier.leastOfLast = getLeastNanoseconds(program, frontier.last, target);
  frontier.leastOfRest = getLeastNanoseconds(program, frontier.rest, target);
  return frontier;
}

std::vector<Frontier>
FrontierFinder::makeFrontiers(const std::deque<CutSearch> &searches,
                              const KernelProblem &problem) {
  // Tensors have numbers in the order in which they are made.
  std::vector<CutPlace> places;
  for (const CutSearch &search : searches) {
    if (search.graph->outputs.empty())
      continue;
    auto inputs = std::make_shared<const Leaves>(
        getLeaves(problem, search.graph->placement, *search.graph->values));
    for (const std::optional<FoundCut> &cut : search.made)
      if (cut)
        addPlaces(search, *cut, problem, inputs, places);
  }
  std::vector<Frontier> frontiers(places.size());
  pool.forEach(places.size(), [&](size_t i, SearchWorker &) {
    frontiers[i] = makeFrontier(places[i], problem);
  });
  return frontiers;
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
