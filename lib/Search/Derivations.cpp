//===- Derivations.cpp - The block graphs in a graph of values ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Derivations.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "SizeLimits.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::BitVector;
using llvm::SmallVector;

class Derivations::Enumerator {
public:
  Enumerator(const UsefulValues &values, const KernelProblem &problem,
             const Placement &placement, unsigned maxOps,
             SearchStatistics &statistics, const Pricing *pricing, int64_t most,
             llvm::function_ref<bool(BlockGraph, const WorkBySize &)> found)
      : values(values), graph(values.graph), problem(problem),
        placement(placement), maxOps(maxOps), statistics(statistics),
        prices(values, pricing), mayHaveChain(findChain()), found(found),
        mostBegun(most) {}

  void run() { chooseRoots(values.candidates, {}); }

private:
  const Value &get(unsigned value) const { return graph.values[value]; }

  /// A derivation that is begun; the edges chosen are in `choice`.
  struct Partial {
    /// The values for which an edge has to be chosen, and leaves.
    SmallVector<unsigned> pending;
    /// What is needed in any case.
    BitVector all;
    /// Operators chosen that are not in it.
    unsigned counted = 0;
    /// Of the edges chosen, and the least of the pending values.
    WorkBySize work;
    /// The iterators that are read.
    uint64_t used = 0;
    /// Whether there are operators in the loop, which then does more than to
    /// add up what it loads (KernelLoad::streams).
    bool computesInLoop = false;
    /// The least height of the values chosen.
    unsigned lowest = std::numeric_limits<unsigned>::max();
  };

  void chooseRoots(ArrayRef<SmallVector<unsigned>> choices,
                   SmallVector<unsigned> chosen) {
    if (done || graph.isStopped())
      return;
    if (chosen.size() < choices.size()) {
      for (unsigned root : choices[chosen.size()]) {
        chosen.push_back(root);
        chooseRoots(choices, chosen);
        chosen.pop_back();
      }
      return;
    }
    roots = chosen;
    choice.assign(graph.values.size(), -1);
    transposed.assign(graph.values.size(), 0);
    readers.assign(graph.values.size(), 0);
    begun.clear();
    begunBytes = 0;
    kept = multiplied = BitVector(graph.values.size());
    Partial nothing;
    nothing.all.resize(graph.values.size());
    nothing.work = WorkBySize(prices.getNumSizes());
    // One value can be several outputs, of different types.
    llvm::SmallSetVector<unsigned, 4> different(roots.begin(), roots.end());
    for (unsigned root : different) {
      nothing.all |= values.needed[root];
      addWork(nothing.work, prices.getLeastWork(root));
    }
    nothing.pending.assign(different.begin(), different.end());
    expand(std::move(nothing));
  }

  /// Whether a loop may multiply what is computed of a product, as row chains
  /// do (Cost/BlockResources.h).
  bool findChain() const {
    BitVector ofProduct(graph.values.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned v : values.order)
        for (const ValueEdge &edge : get(v).edges) {
          bool multiplies = get(v).inLoop && edge.isProduct();
          bool isOfProduct = llvm::any_of(edge.operands, [&](unsigned operand) {
            return ofProduct.test(operand);
          });
          if (multiplies && isOfProduct)
            return true;
          if ((multiplies || isOfProduct) && !ofProduct.test(v)) {
            ofProduct.set(v);
            changed = true;
          }
        }
    }
    return false;
  }

  /// Whether as many derivations as are asked for were begun in other ways that
  /// take no more and leave the same to be chosen: arrangements of a
  /// polynomial. Values are chosen the farthest from the inputs first, so that
  /// those to come, which are no farther, don't read those chosen: an operand
  /// that is as far as what reads it is one that can be computed by way of it
  /// (UsefulValues::height). Of such values those that are chosen, and how, are
  /// part of what must be the same, as long as some are to come.
  bool isDominated(const Partial &partial) {
    constexpr size_t kMostOfOne = 32;
    std::optional<unsigned> keep = prices.getKeep();
    // Whether the rows of a product stay in registers for the next one decides
    // what they take of memory, steps and special functions: nothing that is
    // known before all is chosen.
    if (mayHaveChain || !keep || *keep > kMostOfOne ||
        !graph.uses(SearchRule::Arrangements))
      return false;
    Key key;
    auto add = [&](unsigned v) {
      key.append({v, unsigned(kept.test(v)), unsigned(multiplied.test(v)),
                  unsigned(readers[v] > 0), transposed[v]});
    };
    SmallVector<unsigned> pending = partial.pending;
    llvm::sort(pending);
    unsigned farthest = 0;
    for (unsigned v : pending)
      if (!get(v).edges.empty()) {
        add(v);
        farthest = std::max(farthest, values.height[v]);
      }
    constexpr unsigned kNext = std::numeric_limits<unsigned>::max();
    key.push_back(kNext);
    for (unsigned v : values.inCycles)
      if (choice[v] >= 0 && values.height[v] <= farthest) {
        add(v);
        key.push_back(choice[v]);
      }
    key.push_back(kNext);
    for (unsigned v : values.order)
      if (get(v).edges.empty() && multiplied.test(v))
        key.push_back(v);
    key.append({kNext, unsigned(partial.used), unsigned(partial.used >> 32)});

    const bool mayStream =
        !partial.computesInLoop && llvm::none_of(pending, [&](unsigned v) {
          return get(v).inLoop && !get(v).edges.empty();
        });
    auto isNoMore = [&](const Begun &other) {
      // Whatever is needed from now on, it has no more operators that count.
      BitVector more = other.all;
      more.reset(partial.all);
      return other.counted + more.count() <= partial.counted &&
             !(mayStream && other.computesInLoop) &&
             llvm::all_of(llvm::zip(other.work, partial.work), [](auto pair) {
               auto [a, b] = pair;
               return a.cost.tensorFlops <= b.cost.tensorFlops &&
                      a.cost.scalarFlops <= b.cost.scalarFlops &&
                      a.cost.specialFunctions <= b.cost.specialFunctions &&
                      a.sharedTraffic <= b.sharedTraffic &&
                      a.sharedBytes <= b.sharedBytes;
             });
    };
    auto known = begun.find(key);
    if (known != begun.end() &&
        llvm::count_if(known->second, isNoMore) >= *keep)
      return true;
    // More would take too much memory.
    constexpr size_t kMostBytes = size_t(256) << 20;
    if (begunBytes >= kMostBytes)
      return false;
    if (known == begun.end()) {
      begunBytes += sizeof(*known) + key.size() * sizeof(unsigned);
      known = begun.try_emplace(std::move(key)).first;
    }
    if (known->second.size() < kMostOfOne) {
      begunBytes += sizeof(Begun) + partial.all.getMemorySize() +
                    partial.work.size() * sizeof(SizedWork);
      known->second.push_back(
          {partial.all, partial.counted, partial.work, partial.computesInLoop});
    }
    return false;
  }

  /// Whether nothing that goes on from here is wanted, which is then counted.
  bool isLeftOut(const Partial &partial) {
    // Every iterator must be read by something.
    uint64_t wanted = (uint64_t(1) << placement.iterators.size()) - 1;
    uint64_t may = partial.used;
    for (unsigned value : partial.pending)
      may |= values.reached[value];
    if (may != wanted)
      return true;
    ++statistics.states;
    if (++numBegun >= mostBegun) {
      ++statistics.graphsTooLarge;
      done = true;
      return true;
    }
    if (prices.isHopeless(partial.work) ||
        prices.areWaysDownHopeless(partial.pending, partial.work,
                                   partial.lowest)) {
      ++statistics.prunedByBound;
      return true;
    }
    if (partial.all.count() + partial.counted > maxOps) {
      ++statistics.prunedByNeeded;
      ++statistics.atOperatorLimit;
      return true;
    }
    if (isDominated(partial)) {
      ++statistics.prunedByArrangement;
      return true;
    }
    return false;
  }

  /// Takes the pending value that is the farthest from the inputs; nothing if
  /// only leaves are left.
  std::optional<unsigned> takeFarthest(SmallVector<unsigned> &pending) const {
    while (!pending.empty() && get(pending.back()).edges.empty())
      pending.pop_back();
    auto next = llvm::max_element(pending, [&](unsigned a, unsigned b) {
      bool leafA = get(a).edges.empty(), leafB = get(b).edges.empty();
      return std::tuple(!leafA, values.height[a], a) <
             std::tuple(!leafB, values.height[b], b);
    });
    if (next == pending.end() || get(*next).edges.empty())
      return std::nullopt;
    unsigned value = *next;
    pending.erase(next);
    return value;
  }

  /// Whether an edge can be chosen for a value, after those that are.
  bool canChoose(unsigned value, const ValueEdge &edge) const {
    if (llvm::any_of(edge.operands,
                     [&](unsigned operand) { return needs(operand, value); }))
      return false;
    return !isTranspose(edge) || !isTransposedTwice(value, edge.operands[0]);
  }

  /// Chooses an edge for each pending value, the farthest from the inputs
  /// first.
  void expand(Partial partial) {
    if (done || graph.isStopped() || isLeftOut(partial))
      return;
    std::optional<unsigned> value = takeFarthest(partial.pending);
    if (!value)
      return emit(partial.work);
    for (unsigned e : prices.getEdgeOrder(*value)) {
      if (!canChoose(*value, get(*value).edges[e]))
        continue;
      Partial next = partial;
      ChosenEdge chosen(*this, *value, e, next);
      expand(std::move(next));
      if (done)
        return;
    }
  }

  /// An edge, chosen for a value as long as this lives.
  class ChosenEdge {
  public:
    /// Adds to `next` what follows from the choice.
    ChosenEdge(Enumerator &in, unsigned value, unsigned e, Partial &next)
        : in(in), value(value), edge(in.get(value).edges[e]) {
      in.choice[value] = e;
      if (in.isTranspose(edge))
        ++in.transposed[edge.operands[0]];
      addWork(next.work, in.prices.getLeastWork(value), -1);
      addWork(next.work, in.prices.getWork(value, e));
      if (!edge.op || (!edge.op->isElementwise() && in.readers[value] > 0))
        keep(value, next);
      unsigned stage = 0;
      for (unsigned operand : edge.operands)
        stage = std::max(stage, in.values.firstStage[operand]);
      for (unsigned operand : edge.operands)
        addOperand(operand, stage, next);
      // It may be in the union for another value's sake.
      next.counted += edge.counts && !next.all.test(value);
      next.lowest = std::min(next.lowest, in.values.height[value]);
      next.computesInLoop |= edge.op && in.get(value).inLoop;
    }

    ~ChosenEdge() {
      in.choice[value] = -1;
      if (in.isTranspose(edge))
        --in.transposed[edge.operands[0]];
      for (unsigned operand : edge.operands)
        in.readers[operand] -= edge.op != nullptr;
      for (unsigned v : nowKept)
        in.kept.reset(v);
      for (unsigned v : nowMultiplied)
        in.multiplied.reset(v);
    }

    ChosenEdge(const ChosenEdge &) = delete;
    ChosenEdge &operator=(const ChosenEdge &) = delete;

  private:
    /// `stage`: the first at which the edge can run.
    void addOperand(unsigned operand, unsigned stage, Partial &next) {
      if (in.isStored(edge, operand, stage))
        keep(operand, next);
      if (edge.isProduct())
        multiply(operand, next);
      in.readers[operand] += edge.op != nullptr;
      next.all |= in.values.needed[operand];
      if (in.get(operand).iterator >= 0)
        next.used |= uint64_t(1) << in.get(operand).iterator;
      if (in.choice[operand] < 0 &&
          !llvm::is_contained(next.pending, operand)) {
        next.pending.push_back(operand);
        addWork(next.work, in.prices.getLeastWork(operand));
      }
    }

    /// A value stays in shared memory at least (`getSharedBytes`).
    void keep(unsigned v, Partial &next) {
      if (in.get(v).edges.empty() || in.kept.test(v) || in.mayBeView(v))
        return;
      in.kept.set(v);
      nowKept.push_back(v);
      for (auto [to, bytes] :
           llvm::zip_equal(next.work, in.prices.getTileBytes(v)))
        to.sharedBytes += bytes;
    }

    /// A product reads a value. What is computed is written once for all
    /// products. Of what is loaded each of them takes one read to be known
    /// already.
    void multiply(unsigned v, Partial &next) {
      bool isFirst = !in.multiplied.test(v);
      if (isFirst) {
        in.multiplied.set(v);
        nowMultiplied.push_back(v);
      }
      if (isFirst != in.get(v).edges.empty())
        for (auto [to, traffic] :
             llvm::zip_equal(next.work, in.prices.getStoreTraffic(v)))
          to.sharedTraffic += traffic;
    }

    Enumerator &in;
    unsigned value;
    const ValueEdge &edge;
    SmallVector<unsigned, 4> nowKept, nowMultiplied;
  };

  /// Whether a value is another one, moved, or may still become one: what is
  /// moved is read where it was.
  bool mayBeView(unsigned v) const {
    return choice[v] >= 0 ? get(v).edges[choice[v]].isMovement()
                          : get(v).mayBeView();
  }

  static bool isElementwise(const ValueEdge &edge) {
    return edge.isElementwise();
  }

  /// Whether an operand is in shared memory for an edge to read it, which runs
  /// at this stage or a later one. Elementwise operators of a stage hand their
  /// results on in registers.
  bool isStored(const ValueEdge &edge, unsigned operand, unsigned stage) const {
    // Products may stay in registers on their way to a rescaled sum.
    if (!edge.op)
      return edge.accumulation == Accumulation::RescaledSum &&
             (operand != edge.operands[0] || !mayBeProduct(operand));
    bool mayBeElementwise = choice[operand] < 0 ||
                            isElementwise(get(operand).edges[choice[operand]]);
    // Sums and maxima may compute it where they read it.
    if (edge.op->isReduction())
      return !mayBeElementwise;
    if (!edge.op->isElementwise() || values.lastStage[operand] < stage)
      return true;
    return !mayBeElementwise;
  }

  bool mayBeProduct(unsigned v) const {
    auto isProduct = [](const ValueEdge &edge) { return edge.isProduct(); };
    return choice[v] < 0 ? llvm::any_of(get(v).edges, isProduct)
                         : isProduct(get(v).edges[choice[v]]);
  }

  bool isTranspose(const ValueEdge &edge) const {
    return edge.op == &transpose && graph.uses(SearchRule::Transposes);
  }

  /// Whether transposing an operand to a value would be the first or the second
  /// of two transposes, which one does as well.
  bool isTransposedTwice(unsigned value, unsigned operand) const {
    return transposed[value] > 0 ||
           (choice[operand] >= 0 &&
            isTranspose(get(operand).edges[choice[operand]]));
  }

  /// Whether a value needs another one by the edges chosen.
  bool needs(unsigned from, unsigned value) const {
    SmallVector<unsigned> todo = {from};
    llvm::SmallDenseSet<unsigned, 32> seen;
    while (!todo.empty()) {
      unsigned v = todo.pop_back_val();
      if (v == value)
        return true;
      if (choice[v] >= 0 && seen.insert(v).second)
        llvm::append_range(todo, get(v).edges[choice[v]].operands);
    }
    return false;
  }

  void emit(const WorkBySize &work) {
    BlockGraph block;
    for (size_t g = 0; g < placement.gridRoles.size(); ++g)
      block.grid.push_back(placement.getGridLabel(g));
    bool oneBlock = block.grid.empty();
    if (oneBlock)
      block.grid = {1};
    block.iterations = placement.hasLoop ? placement.getLoopLabel() : 0;

    std::vector<int> number(graph.values.size(), -1);
    SmallVector<bool> open(graph.values.size(), false);
    unsigned counting = 0;
    auto build = [&](auto &self, unsigned v) -> bool {
      if (number[v] >= 0)
        return true;
      const Value &value = get(v);
      BlockNode node;
      node.shape = value.label;
      node.inLoop = value.inLoop;
      if (value.edges.empty()) {
        const IteratorPlacement &place = placement.iterators[value.iterator];
        node.kind = BlockNode::Kind::InputIterator;
        node.operands = {place.input};
        node.map.assign(place.imap.begin(), place.imap.end());
        if (oneBlock)
          node.map = {kReplica};
        node.fmap = place.fmap;
      } else {
        if (open[v] || choice[v] < 0)
          return false; // a cycle
        open[v] = true;
        const ValueEdge &edge = value.edges[choice[v]];
        counting += edge.counts;
        node.kind =
            edge.op ? BlockNode::Kind::Operator : BlockNode::Kind::Accumulator;
        node.op = edge.op;
        node.accumulation = edge.accumulation;
        node.params = edge.params;
        for (unsigned operand : edge.operands) {
          if (get(operand).isConstant()) {
            // The loop's operators need constants of the loop.
            BlockNode constant;
            constant.kind = BlockNode::Kind::Constant;
            constant.constant = get(operand).constant;
            constant.inLoop = value.inLoop;
            node.operands.push_back(block.nodes.size());
            block.nodes.push_back(std::move(constant));
            continue;
          }
          if (!self(self, operand))
            return false;
          node.operands.push_back(number[operand]);
        }
        open[v] = false;
      }
      number[v] = block.nodes.size();
      block.nodes.push_back(std::move(node));
      return true;
    };
    // Iterators first, in the placement's order; one that nothing reads makes
    // this another placement's graph.
    SmallVector<unsigned> todo(roots.begin(), roots.end());
    BitVector used(graph.values.size());
    llvm::SmallBitVector read(placement.iterators.size());
    while (!todo.empty()) {
      unsigned v = todo.pop_back_val();
      if (used.test(v))
        continue;
      used.set(v);
      if (get(v).iterator >= 0)
        read.set(get(v).iterator);
      if (choice[v] >= 0)
        llvm::append_range(todo, get(v).edges[choice[v]].operands);
    }
    if (!read.all())
      return;
    for (unsigned v : used.set_bits())
      if (get(v).iterator >= 0)
        build(build, v);
    for (unsigned root : roots)
      if (!build(build, root))
        return;
    if (counting > maxOps) {
      ++statistics.atOperatorLimit;
      return;
    }
    for (unsigned v : used.set_bits())
      if (choice[v] >= 0)
        round(get(v).edges[choice[v]], number, block);
    for (auto [root, output, omap] :
         llvm::zip(roots, problem.outputs, placement.omaps)) {
      BlockNode saver;
      saver.kind = BlockNode::Kind::OutputSaver;
      saver.operands = {static_cast<unsigned>(number[root])};
      saver.shape = output->label;
      saver.map.assign(omap.begin(), omap.end());
      if (oneBlock)
        saver.map = {kReplica};
      block.nodes.push_back(std::move(saver));
    }
    ++statistics.structures;
    done = !found(std::move(block), work);
  }

  /// Of what a product reads, moved perhaps, the nodes are stored as the
  /// program stores it. `number`: of each value's node.
  void round(const ValueEdge &edge, ArrayRef<int> number, BlockGraph &block) {
    if (!edge.isProduct())
      return;
    SmallVector<unsigned> todo(edge.operands.begin(), edge.operands.end());
    while (!todo.empty()) {
      const unsigned v = todo.pop_back_val();
      if (choice[v] < 0)
        continue;
      const ValueEdge &chosen = get(v).edges[choice[v]];
      if (chosen.isMovement())
        llvm::append_range(todo, chosen.operands);
      else if (get(v).isRoundedBy(chosen))
        block.nodes[number[v]].elementType = get(v).roundedType;
    }
  }

  const UsefulValues &values;
  const ValueGraph &graph;
  const KernelProblem &problem;
  const Placement &placement;
  unsigned maxOps;
  SearchStatistics &statistics;
  DerivationPrices prices;
  bool mayHaveChain;
  llvm::function_ref<bool(BlockGraph, const WorkBySize &)> found;
  SmallVector<unsigned> roots;
  std::vector<int> choice;
  /// How many transposes of a value are among them.
  std::vector<unsigned> transposed;
  /// How many of the operators chosen read a value.
  std::vector<unsigned> readers;
  const Operator &transpose = getOperator("transpose");
  /// What is the same for derivations that can go on in the same ways, and how
  /// they were begun.
  using Key = SmallVector<unsigned>;
  struct Begun {
    BitVector all;
    unsigned counted;
    WorkBySize work;
    bool computesInLoop;
  };
  llvm::DenseMap<Key, SmallVector<Begun, 1>> begun;
  /// The memory that these take.
  size_t begunBytes = 0;
  /// The values chosen so far that stay in shared memory, and those that
  /// products read.
  BitVector kept, multiplied;
  bool done = false;
  /// Partial derivations so far.
  int64_t numBegun = 0;
  const int64_t mostBegun;
};

Derivations::Derivations(const ValueGraph &graph, const KernelProblem &problem,
                         const Placement &placement, unsigned maxOps)
    : problem(problem), placement(placement), maxOps(maxOps),
      values(graph, problem, placement) {}

void Derivations::enumerate(
    SearchStatistics &statistics, const Pricing *pricing, int64_t most,
    llvm::function_ref<bool(BlockGraph, const WorkBySize &)> found) {
  if (values.mayExist)
    Enumerator(values, problem, placement, maxOps, statistics, pricing, most,
               found)
        .run();
}
