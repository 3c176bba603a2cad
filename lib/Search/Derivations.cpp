//===- Derivations.cpp - The block graphs in a graph of values ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Derivations.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include <functional>

using namespace mirage;
using llvm::ArrayRef;
using llvm::BitVector;
using llvm::SmallVector;

class Derivations::Enumerator {
public:
  Enumerator(const ValueGraph &graph, const KernelProblem &problem,
             const Placement &placement, unsigned maxOps)
      : graph(graph), problem(problem), placement(placement), maxOps(maxOps) {
    // What is read is noted in the bits of a number.
    constexpr size_t kMostIterators = 63;
    if (placement.iterators.size() > kMostIterators)
      return;
    for (auto [output, omap] : llvm::zip(problem.outputs, placement.omaps)) {
      candidates.push_back(graph.findOutput(*output, omap));
      if (candidates.back().empty())
        return;
    }
    findUseful(candidates);
    llvm::SmallBitVector read(placement.iterators.size());
    for (unsigned v : useful.set_bits())
      if (get(v).iterator >= 0)
        read.set(get(v).iterator);
    if (!read.all())
      return;
    findNeeded();
    findReached();
    findStages();
    mayExist = true;
  }

  void run(SearchStatistics &counters, const Pricing *prices,
           llvm::function_ref<bool(BlockGraph, const WorkBySize &)> callback) {
    statistics = &counters;
    found = callback;
    pricing = prices;
    done = false;
    if (!mayExist)
      return;
    if (pricing)
      setPrices();
    chooseRoots(candidates, {});
  }

  /// The least over all ways to a value of the largest tile on the way: of
  /// those that accumulate, or that other than elementwise operators read.
  double getLargestTile(llvm::function_ref<double(unsigned)> bytes) const {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    size_t count = graph.values.size();
    std::vector<double> size(count, 0), largest(count, kNone);
    for (unsigned v : useful.set_bits()) {
      if (get(v).edges.empty())
        largest[v] = 0;
      else
        size[v] = bytes(v);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned v : order) {
        double least = largest[v];
        for (const ValueEdge &edge : get(v).edges) {
          double most = edge.op ? 0 : size[v];
          for (unsigned operand : edge.operands) {
            most = std::max(most, largest[operand]);
            if (edge.op && !edge.op->isElementwise())
              most = std::max(most, size[operand]);
          }
          least = std::min(least, most);
        }
        if (least < largest[v]) {
          largest[v] = least;
          changed = true;
        }
      }
    }
    double result = 0;
    for (const auto &list : candidates) {
      double least = kNone;
      for (unsigned root : list)
        least = std::min(least, largest[root]);
      result = std::max(result, least);
    }
    return result;
  }

  bool mayExist = false;
  BitVector useful;

private:
  const Value &get(unsigned value) const { return graph.values[value]; }

  /// The values from which the outputs can be computed, and how far from the
  /// inputs each is.
  void findUseful(ArrayRef<SmallVector<unsigned>> roots) {
    useful.resize(graph.values.size());
    height.assign(graph.values.size(), 0);
    SmallVector<unsigned> todo;
    auto visit = [&](unsigned value) {
      if (!useful.test(value)) {
        useful.set(value);
        todo.push_back(value);
      }
    };
    for (const auto &list : roots)
      for (unsigned root : list)
        visit(root);
    while (!todo.empty())
      for (const ValueEdge &edge : get(todo.pop_back_val()).edges)
        for (unsigned operand : edge.operands)
          visit(operand);
    // Longest ways, as far as there are no cycles.
    constexpr unsigned kMostPasses = 32;
    mayHaveCycles = true;
    for (unsigned pass = 0; mayHaveCycles && pass < kMostPasses; ++pass) {
      mayHaveCycles = false;
      for (unsigned v : useful.set_bits())
        for (const ValueEdge &edge : get(v).edges)
          for (unsigned operand : edge.operands)
            if (height[v] <= height[operand]) {
              height[v] = height[operand] + 1;
              mayHaveCycles = true;
            }
    }
  }

  /// For each value the counting values that every way to it goes through: the
  /// greatest solution of needed(v) = {v} + the meet over edges of the union
  /// over operands.
  void findNeeded() {
    size_t count = graph.values.size();
    needed.assign(count, BitVector(count, true));
    for (unsigned v : useful.set_bits())
      if (get(v).edges.empty())
        needed[v] = BitVector(count);
    order.assign(useful.set_bits_begin(), useful.set_bits_end());
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return std::tie(height[a], a) < std::tie(height[b], b);
    });
    // Sets of thousands of values cost more than they spare.
    constexpr size_t kMostValues = 1500;
    bool changed =
        graph.uses(SearchRule::Needed) && order.size() <= kMostValues;
    if (!changed)
      needed.assign(count, BitVector(count));
    while (changed) {
      changed = false;
      for (unsigned v : order) {
        if (get(v).edges.empty())
          continue;
        BitVector meet(count, true);
        bool counts = true;
        for (const ValueEdge &edge : get(v).edges) {
          BitVector all(count);
          for (unsigned operand : edge.operands)
            all |= needed[operand];
          meet &= all;
          counts &= edge.counts;
        }
        if (counts)
          meet.set(v);
        if (meet != needed[v]) {
          needed[v] = std::move(meet);
          changed = true;
        }
      }
    }
  }

  void chooseRoots(ArrayRef<SmallVector<unsigned>> choices,
                   SmallVector<unsigned> chosen) {
    if (chosen.size() < choices.size()) {
      for (unsigned root : choices[chosen.size()]) {
        if (llvm::is_contained(chosen, root))
          continue;
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
    kept = multiplied = BitVector(graph.values.size());
    BitVector all(graph.values.size());
    WorkBySize work(numSizes);
    for (unsigned root : roots) {
      all |= needed[root];
      addWork(work, leastWork, root);
    }
    expand(chosen, all, 0, work, 0, std::numeric_limits<unsigned>::max());
  }

  /// The iterators that a value can be computed from, as bits.
  void findReached() {
    reached.assign(graph.values.size(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned v : useful.set_bits()) {
        uint64_t bits =
            get(v).iterator >= 0 ? uint64_t(1) << get(v).iterator : 0;
        for (const ValueEdge &edge : get(v).edges)
          for (unsigned operand : edge.operands)
            bits |= reached[operand];
        changed |= bits != reached[v];
        reached[v] = bits;
      }
    }
  }

  /// The stages of `getSharedBytes` (Mugraph/Conversion.h) that a value can be
  /// computed at: operators that aren't elementwise open new ones.
  void findStages() {
    constexpr unsigned kNone = std::numeric_limits<unsigned>::max();
    constexpr unsigned kMostStages = 64;
    firstStage.assign(graph.values.size(), kNone);
    lastStage.assign(graph.values.size(), 0);
    auto getStage = [&](const ValueEdge &edge, ArrayRef<unsigned> stages) {
      unsigned stage = 0;
      for (unsigned operand : edge.operands)
        stage = std::max(stage, stages[operand]);
      return stage == kNone || isElementwise(edge) ? stage : stage + 1;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned v : order) {
        unsigned first = get(v).edges.empty() ? 0 : kNone, last = 0;
        for (const ValueEdge &edge : get(v).edges) {
          first = std::min(first, getStage(edge, firstStage));
          last = std::max(last, getStage(edge, lastStage));
        }
        // Cycles of movements have no last one.
        if (last > kMostStages)
          last = kNone;
        changed |= first != firstStage[v] || last != lastStage[v];
        firstStage[v] = first;
        lastStage[v] = last;
      }
    }
  }

  /// The work of each edge, cheapest edges first, and the least of each value.
  void setPrices() {
    edgeWork.assign(graph.values.size(), {});
    leastWork.assign(graph.values.size(), {});
    edgeOrder.assign(graph.values.size(), {});
    tileBytes.assign(graph.values.size(), {});
    storeTraffic.assign(graph.values.size(), {});
    for (unsigned v : useful.set_bits()) {
      if (!get(v).edges.empty())
        tileBytes[v] = pricing->getTileBytes(v);
      if (!get(v).isConstant())
        storeTraffic[v] = pricing->getStoreTraffic(v);
      for (auto [e, edge] : llvm::enumerate(get(v).edges)) {
        WorkBySize work = pricing->getWork(v, edge);
        numSizes = work.size();
        if (e == 0)
          leastWork[v] = work;
        for (size_t i = 0; i < work.size(); ++i) {
          OperatorCost &least = leastWork[v][i].cost;
          const OperatorCost &cost = work[i].cost;
          least.tensorFlops = std::min(least.tensorFlops, cost.tensorFlops);
          least.scalarFlops = std::min(least.scalarFlops, cost.scalarFlops);
          least.specialFunctions =
              std::min(least.specialFunctions, cost.specialFunctions);
          leastWork[v][i].sharedTraffic =
              std::min(leastWork[v][i].sharedTraffic, work[i].sharedTraffic);
        }
        edgeWork[v].push_back(std::move(work));
      }
    }
    orderEdges();
    findWaysDown();
  }

  /// For each value the least work of a way down to the iterators, of all that
  /// are needed for an edge the one that takes most. Only values that are
  /// nearer to the inputs count.
  void findWaysDown() {
    wayDown.assign(graph.values.size(), WorkBySize(numSizes));
    for (unsigned v : order)
      for (auto [e, edge] : llvm::enumerate(get(v).edges)) {
        WorkBySize most(numSizes);
        for (unsigned operand : edge.operands)
          if (height[operand] < height[v])
            most = combine(most, wayDown[operand], /*takesMost=*/true);
        addWork(most, edgeWork[v][e]);
        wayDown[v] =
            e == 0 ? most : combine(most, wayDown[v], /*takesMost=*/false);
      }
  }

  /// The larger or the smaller of each amount.
  static WorkBySize combine(WorkBySize work, const WorkBySize &other,
                            bool takesMost) {
    auto update = [&](auto &a, auto b) {
      a = takesMost ? std::max(a, b) : std::min(a, b);
    };
    for (auto [of, with] : llvm::zip(work, other)) {
      update(of.cost.tensorFlops, with.cost.tensorFlops);
      update(of.cost.scalarFlops, with.cost.scalarFlops);
      update(of.cost.specialFunctions, with.cost.specialFunctions);
      update(of.sharedTraffic, with.sharedTraffic);
    }
    return work;
  }

  /// Whether the ways down from the pending values take too much: what is
  /// nearer to the inputs than all values chosen hasn't been counted yet.
  bool areWaysDownHopeless(ArrayRef<unsigned> pending, const WorkBySize &work,
                           unsigned lowest) const {
    WorkBySize chosen = work, most(work.size());
    for (unsigned v : pending) {
      addWork(chosen, leastWork, v, -1);
      if (height[v] <= lowest)
        most = combine(std::move(most), wayDown[v], /*takesMost=*/true);
    }
    addWork(chosen, most);
    return pricing->isHopeless(chosen);
  }

  /// Sorts edges by what they cost with all that is below them, as if nothing
  /// was shared, so that derivations that cost little are found early.
  void orderEdges() {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    std::vector<double> least(graph.values.size(), kNever);
    auto getCost = [&](unsigned v, size_t e) {
      double cost = 0;
      if (const WorkBySize &work = edgeWork[v][e]; !work.empty())
        cost = work[0].cost.tensorFlops / 64. + work[0].cost.scalarFlops +
               8. * work[0].cost.specialFunctions;
      for (unsigned operand : get(v).edges[e].operands)
        cost += least[operand];
      return cost;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned v : order) {
        double cost = get(v).edges.empty() ? 0 : kNever;
        for (size_t e = 0; e < edgeWork[v].size(); ++e)
          cost = std::min(cost, getCost(v, e));
        changed |= cost < least[v];
        least[v] = std::min(least[v], cost);
      }
    }
    for (unsigned v : order) {
      std::vector<std::pair<double, unsigned>> byCost;
      for (size_t e = 0; e < edgeWork[v].size(); ++e)
        byCost.emplace_back(getCost(v, e), e);
      llvm::sort(byCost);
      for (auto [cost, e] : byCost)
        edgeOrder[v].push_back(e);
    }
  }

  /// Adds, or takes away, the work of a value or an edge.
  static void addWork(WorkBySize &work, const WorkBySize &other, int sign = 1) {
    for (size_t i = 0; i < std::min(work.size(), other.size()); ++i) {
      OperatorCost &cost = work[i].cost;
      cost.tensorFlops += sign * other[i].cost.tensorFlops;
      cost.scalarFlops += sign * other[i].cost.scalarFlops;
      cost.specialFunctions += sign * other[i].cost.specialFunctions;
      work[i].sharedTraffic += sign * other[i].sharedTraffic;
    }
  }
  static void addWork(WorkBySize &work, const std::vector<WorkBySize> &of,
                      unsigned v, int sign = 1) {
    if (v < of.size())
      addWork(work, of[v], sign);
  }

  /// Whether as many derivations as are asked for were begun in other ways that
  /// take no more and leave the same to be chosen: arrangements of a
  /// polynomial. Values are chosen the farthest from the inputs first, so that
  /// those to come don't read those chosen.
  bool isDominated(SmallVector<unsigned> pending, const BitVector &all,
                   unsigned counted, const WorkBySize &work, uint64_t used) {
    constexpr size_t kMostOfOne = 32;
    if (mayHaveCycles || pricing->keep > kMostOfOne ||
        !graph.uses(SearchRule::Arrangements))
      return false;
    Key key;
    llvm::sort(pending);
    for (unsigned v : pending)
      if (!get(v).edges.empty())
        key.append({v, unsigned(kept.test(v)), unsigned(multiplied.test(v)),
                    unsigned(readers[v] > 0), transposed[v]});
    constexpr unsigned kNext = std::numeric_limits<unsigned>::max();
    key.push_back(kNext);
    for (unsigned v : order)
      if (get(v).edges.empty() && multiplied.test(v))
        key.push_back(v);
    key.append({kNext, unsigned(used), unsigned(used >> 32)});

    // More would take too much memory.
    constexpr size_t kMost = 1 << 18;
    if (begun.size() >= kMost && !begun.count(key))
      return false;
    SmallVector<Begun, 1> &others = begun[key];
    auto isNoMore = [&](const Begun &other) {
      return other.counted <= counted && !other.all.test(all) &&
             llvm::all_of(llvm::zip(other.work, work), [](auto pair) {
               auto [a, b] = pair;
               return a.cost.tensorFlops <= b.cost.tensorFlops &&
                      a.cost.scalarFlops <= b.cost.scalarFlops &&
                      a.cost.specialFunctions <= b.cost.specialFunctions &&
                      a.sharedTraffic <= b.sharedTraffic &&
                      a.sharedBytes <= b.sharedBytes;
             });
    };
    if (llvm::count_if(others, isNoMore) >= pricing->keep)
      return true;
    if (others.size() < kMostOfOne)
      others.push_back({all, counted, work});
    return false;
  }

  /// Chooses an edge for each pending value, the farthest from the inputs
  /// first. `all`: what is needed in any case. `counted`: operators chosen that
  /// are not in it. `work`: of the edges chosen, and the least of the pending
  /// values. `lowest`: the least height of the values chosen.
  void expand(SmallVector<unsigned> pending, const BitVector &all,
              unsigned counted, const WorkBySize &work, uint64_t used,
              unsigned lowest) {
    if (done || graph.isStopped())
      return;
    // Every iterator must be read by something.
    uint64_t wanted = (uint64_t(1) << placement.iterators.size()) - 1;
    uint64_t may = used;
    for (unsigned value : pending)
      may |= reached[value];
    if (may != wanted)
      return;
    ++statistics->states;
    if (pricing && (pricing->isHopeless(work) ||
                    areWaysDownHopeless(pending, work, lowest))) {
      ++statistics->prunedByBound;
      return;
    }
    if (all.count() + counted > maxOps) {
      ++statistics->prunedByUnused;
      return;
    }
    if (pricing && isDominated(pending, all, counted, work, used)) {
      ++statistics->prunedByDuplicate;
      return;
    }
    while (!pending.empty() && get(pending.back()).edges.empty())
      pending.pop_back();
    auto next = llvm::max_element(pending, [&](unsigned a, unsigned b) {
      bool leafA = get(a).edges.empty(), leafB = get(b).edges.empty();
      return std::tuple(!leafA, height[a], a) <
             std::tuple(!leafB, height[b], b);
    });
    if (next == pending.end() || get(*next).edges.empty()) {
      emit(work);
      return;
    }
    unsigned value = *next;
    pending.erase(next);
    for (size_t i = 0; i < get(value).edges.size(); ++i) {
      unsigned e = pricing ? edgeOrder[value][i] : i;
      const ValueEdge &edge = get(value).edges[e];
      if (llvm::any_of(edge.operands,
                       [&](unsigned operand) { return needs(operand, value); }))
        continue;
      bool transposes = isTranspose(edge);
      if (transposes && isTransposedTwice(value, edge.operands[0]))
        continue;
      choice[value] = e;
      if (transposes)
        ++transposed[edge.operands[0]];
      SmallVector<unsigned> further = pending;
      BitVector unite = all;
      WorkBySize sum = work;
      uint64_t read = used;
      addWork(sum, leastWork, value, -1);
      if (pricing)
        addWork(sum, edgeWork[value][e]);
      // What stays in shared memory at least (`getSharedBytes`).
      SmallVector<unsigned, 4> nowKept, nowMultiplied;
      auto keep = [&](unsigned v) {
        if (get(v).edges.empty() || kept.test(v))
          return;
        kept.set(v);
        nowKept.push_back(v);
        for (size_t i = 0; pricing && i < sum.size(); ++i)
          sum[i].sharedBytes += tileBytes[v][i];
      };
      // What is computed is written once for all products. Of what is loaded
      // each of them takes one read to be known already.
      auto multiply = [&](unsigned v) {
        bool isFirst = !multiplied.test(v);
        if (isFirst) {
          multiplied.set(v);
          nowMultiplied.push_back(v);
        }
        if (isFirst != get(v).edges.empty())
          for (size_t i = 0; pricing && i < sum.size(); ++i)
            sum[i].sharedTraffic += storeTraffic[v][i];
      };
      if (!edge.op || (!edge.op->isElementwise() && readers[value] > 0))
        keep(value);
      unsigned stage = 0;
      for (unsigned operand : edge.operands)
        stage = std::max(stage, firstStage[operand]);
      for (unsigned operand : edge.operands) {
        if (isStored(edge, operand, stage))
          keep(operand);
        if (edge.op && !edge.op->getMatrixProducts().empty())
          multiply(operand);
        readers[operand] += edge.op != nullptr;
        unite |= needed[operand];
        if (get(operand).iterator >= 0)
          read |= uint64_t(1) << get(operand).iterator;
        if (choice[operand] < 0 && !llvm::is_contained(further, operand)) {
          further.push_back(operand);
          addWork(sum, leastWork, operand);
        }
      }
      unsigned extra = edge.counts && !unite.test(value);
      // It may be in the union for another value's sake.
      expand(std::move(further), unite, counted + extra, sum, read,
             std::min(lowest, height[value]));
      choice[value] = -1;
      if (transposes)
        --transposed[edge.operands[0]];
      for (unsigned operand : edge.operands)
        readers[operand] -= edge.op != nullptr;
      for (unsigned v : nowKept)
        kept.reset(v);
      for (unsigned v : nowMultiplied)
        multiplied.reset(v);
      if (done)
        return;
    }
  }

  static bool isElementwise(const ValueEdge &edge) {
    return edge.op && edge.op->isElementwise();
  }

  /// Whether an operand is in shared memory for an edge to read it, which runs
  /// at this stage or a later one. Elementwise operators of a stage hand their
  /// results on in registers.
  bool isStored(const ValueEdge &edge, unsigned operand, unsigned stage) const {
    if (!edge.op)
      return edge.accumulation == Accumulation::RescaledSum;
    if (!edge.op->isElementwise() || lastStage[operand] < stage)
      return true;
    return choice[operand] >= 0 &&
           !isElementwise(get(operand).edges[choice[operand]]);
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
    if (counting > maxOps)
      return;
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
    ++statistics->structures;
    done = !found(std::move(block), work);
  }

  const ValueGraph &graph;
  const KernelProblem &problem;
  const Placement &placement;
  unsigned maxOps;
  SearchStatistics *statistics = nullptr;
  std::function<bool(BlockGraph, const WorkBySize &)> found;
  const Pricing *pricing = nullptr;
  size_t numSizes = 0;
  std::vector<std::vector<WorkBySize>> edgeWork;
  std::vector<WorkBySize> leastWork, wayDown;
  std::vector<std::vector<double>> tileBytes, storeTraffic;
  std::vector<SmallVector<unsigned>> edgeOrder;
  /// For each output the values that are its tile.
  std::vector<SmallVector<unsigned>> candidates;
  std::vector<unsigned> height;
  /// The useful values, those nearer to the inputs first.
  std::vector<unsigned> order;
  std::vector<BitVector> needed;
  std::vector<uint64_t> reached;
  std::vector<unsigned> firstStage, lastStage;
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
  };
  llvm::DenseMap<Key, SmallVector<Begun, 1>> begun;
  /// Whether values may be computed by way of themselves, or heights were not
  /// known after some passes.
  bool mayHaveCycles = false;
  /// The values chosen so far that stay in shared memory, and those that
  /// products read.
  BitVector kept, multiplied;
  bool done = false;
};

Derivations::Derivations(const ValueGraph &graph, const KernelProblem &problem,
                         const Placement &placement, unsigned maxOps)
    : enumerator(
          std::make_unique<Enumerator>(graph, problem, placement, maxOps)) {}
Derivations::~Derivations() = default;

bool Derivations::mayExist() const { return enumerator->mayExist; }

double
Derivations::getLargestTile(llvm::function_ref<double(unsigned)> bytes) const {
  return enumerator->getLargestTile(bytes);
}

void Derivations::enumerate(
    SearchStatistics &statistics, const Pricing *pricing,
    llvm::function_ref<bool(BlockGraph, const WorkBySize &)> found) {
  enumerator->run(statistics, pricing, found);
}
