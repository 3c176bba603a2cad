//===- OperatorFusion.cpp - Elementwise operators in groups ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branch and bound over the reads along which operators can be fused: the two
// ends of each are in one group, or in two.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/OperatorFusion.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mirage;
using llvm::ArrayRef;
using llvm::BitVector;
using llvm::SmallVector;

namespace {

class Fuser {
public:
  Fuser(const FusionProblem &problem, int64_t workLimit);

  OperatorFusion run();

private:
  /// Bytes that are stored, then groups.
  using Cost = std::pair<int64_t, unsigned>;

  bool canFuse(unsigned producer, unsigned reader) const {
    return problem[producer].kind &&
           problem[producer].kind == problem[reader].kind;
  }
  bool areApart(unsigned group, unsigned other) const {
    return apart[group].anyCommon(members[other]);
  }

  /// Finds the operators that are in no valid group together.
  void findApart();
  /// Whether a path from a group to another leads through a third.
  bool hasDetour(unsigned from, unsigned to);
  void merge(unsigned group, unsigned other);
  void keepApart(unsigned group, unsigned other);
  /// Merges along one read after the other wherever that is valid.
  /// `keepsFoldedApart`: but for operators that sums compute where they read,
  /// as `getSharedBytes` counts them.
  void mergeGreedily(bool keepsFoldedApart);
  /// A cost that no completion of the decisions so far undercuts; that of the
  /// groups when all is decided.
  Cost getBound();
  void search(size_t position);

  const FusionProblem &problem;
  int64_t work;
  SmallVector<SmallVector<unsigned>> readers;
  /// Producers and readers that can be fused, by reader.
  SmallVector<std::pair<unsigned, unsigned>> reads;
  /// Whether an operator's result is stored whatever is fused.
  SmallVector<bool> isStored;
  /// For each operator the one that stands for its group.
  SmallVector<unsigned> groupOf;
  /// For each group its operators, and those that are not to be in it.
  SmallVector<BitVector> members, apart;
  SmallVector<unsigned> best;
  Cost bestCost;
  /// Scratch of `getBound`.
  SmallVector<unsigned> components;
  SmallVector<bool> stored;
};

} // namespace

Fuser::Fuser(const FusionProblem &problem, int64_t workLimit)
    : problem(problem), work(workLimit), readers(problem.size()),
      groupOf(problem.size()),
      members(problem.size(), BitVector(problem.size())), apart(members) {
  std::iota(groupOf.begin(), groupOf.end(), 0);
  for (auto [reader, op] : llvm::enumerate(problem)) {
    members[reader].set(reader);
    isStored.push_back(op.isStored);
    for (unsigned producer : op.operands) {
      if (llvm::is_contained(readers[producer], reader))
        continue;
      readers[producer].push_back(reader);
      if (canFuse(producer, reader))
        reads.push_back({producer, reader});
      else
        isStored[producer] = true;
    }
  }
  findApart();
}

void Fuser::findApart() {
  // What no reads connect is as different as what has another kind.
  llvm::EquivalenceClasses<unsigned> connected;
  for (unsigned op = 0, e = problem.size(); op < e; ++op)
    connected.insert(op);
  for (auto [producer, reader] : reads)
    connected.unionSets(producer, reader);
  // For each operator those that paths from it lead to, and those that paths
  // through operators lead to which can't be in its group.
  SmallVector<BitVector> reached(members), reachedOutside(apart);
  for (unsigned op = problem.size(); op-- > 0;)
    for (unsigned reader : readers[op]) {
      reached[op] |= reached[reader];
      reachedOutside[op] |= connected.isEquivalent(op, reader)
                                ? reachedOutside[reader]
                                : reached[reader];
    }
  for (auto [op, others] : llvm::enumerate(reachedOutside))
    for (unsigned other : others.set_bits())
      if (connected.isEquivalent(op, other)) {
        apart[op].set(other);
        apart[other].set(op);
      }
}

bool Fuser::hasDetour(unsigned from, unsigned to) {
  BitVector isReached(problem.size());
  SmallVector<unsigned> reached{from};
  for (size_t i = 0; i < reached.size(); ++i) {
    unsigned group = reached[i];
    for (unsigned op : members[group].set_bits()) {
      work -= 1 + readers[op].size();
      for (unsigned reader : readers[op]) {
        unsigned next = groupOf[reader];
        if (next == group || isReached[next] || (group == from && next == to))
          continue;
        if (next == to)
          return true;
        isReached.set(next);
        reached.push_back(next);
      }
    }
  }
  return false;
}

void Fuser::merge(unsigned group, unsigned other) {
  for (unsigned op : members[other].set_bits())
    groupOf[op] = group;
  members[group] |= members[other];
  apart[group] |= apart[other];
}

void Fuser::keepApart(unsigned group, unsigned other) {
  apart[group] |= members[other];
  apart[other] |= members[group];
}

void Fuser::mergeGreedily(bool keepsFoldedApart) {
  for (auto [producer, reader] : reads) {
    if (keepsFoldedApart && problem[reader].isFolded)
      continue;
    unsigned from = groupOf[producer], to = groupOf[reader];
    if (from != to && !areApart(from, to) && !hasDetour(from, to))
      merge(from, to);
  }
}

/// How many results each group has that others than its operators read.
static SmallVector<unsigned> countResults(const FusionProblem &problem,
                                          ArrayRef<bool> stored,
                                          ArrayRef<unsigned> groups) {
  SmallVector<unsigned> numResults(problem.size(), 0);
  for (auto [op, operation] : llvm::enumerate(problem))
    numResults[groups[op]] += stored[op] || operation.isHandedOn;
  return numResults;
}

static bool takesBytes(const FusionOperator &op, bool isStored,
                       unsigned numResults) {
  return isStored && (!op.isFolded || numResults > 1);
}

Fuser::Cost Fuser::getBound() {
  work -= problem.size() + reads.size();
  stored = isStored;
  // What could still become one group.
  components = groupOf;
  auto find = [&](unsigned group) {
    while (components[group] != group)
      group = components[group] = components[components[group]];
    return group;
  };
  for (auto [producer, reader] : reads) {
    unsigned from = groupOf[producer], to = groupOf[reader];
    if (from == to)
      continue;
    if (areApart(from, to))
      stored[producer] = true;
    else
      components[find(to)] = find(from);
  }
  Cost bound = {0, 0};
  SmallVector<unsigned> numResults = countResults(problem, stored, groupOf);
  BitVector isSplit(problem.size());
  for (auto [op, operation] : llvm::enumerate(problem)) {
    if (!operation.kind)
      continue;
    bound.first += takesBytes(operation, stored[op], numResults[groupOf[op]])
                       ? operation.bytes
                       : 0;
    unsigned component = find(op);
    bound.second += component == op;
    // Two that are apart make it two groups at least.
    if (groupOf[op] == op && !isSplit[component])
      for (unsigned other : apart[op].set_bits())
        if (find(other) == component) {
          isSplit.set(component);
          ++bound.second;
          break;
        }
  }
  return bound;
}

void Fuser::search(size_t position) {
  if (position == reads.size()) {
    best = groupOf;
    bestCost = getBound();
    return;
  }
  auto [producer, reader] = reads[position];
  unsigned from = groupOf[producer], to = groupOf[reader];
  if (from == to || areApart(from, to))
    return search(position + 1);
  BitVector savedMembers = members[from], savedFrom = apart[from],
            savedTo = apart[to];
  if (!hasDetour(from, to)) {
    merge(from, to);
    if (getBound() < bestCost)
      search(position + 1);
    members[from] = savedMembers;
    apart[from] = savedFrom;
    for (unsigned op : members[to].set_bits())
      groupOf[op] = to;
  }
  if (work <= 0)
    return;
  keepApart(from, to);
  if (getBound() < bestCost)
    search(position + 1);
  apart[from] = savedFrom;
  apart[to] = savedTo;
}

OperatorFusion Fuser::run() {
  SmallVector<unsigned> alone(groupOf);
  SmallVector<BitVector> savedMembers(members), savedApart(apart);
  Cost bound = getBound();
  for (bool keepsFoldedApart : {false, true}) {
    mergeGreedily(keepsFoldedApart);
    OperatorFusion greedy = evaluateFusion(problem, groupOf);
    Cost cost = {greedy.storedBytes, greedy.numGroups};
    if (best.empty() || cost < bestCost) {
      best = groupOf;
      bestCost = cost;
    }
    groupOf = alone;
    members = savedMembers;
    apart = savedApart;
  }
  // As deep as this a search would not end anyway, but the stack might.
  constexpr size_t kMaxReads = 1000;
  bool isOptimal = true;
  if (bound < bestCost) {
    if (reads.size() <= kMaxReads && work > 0)
      search(0);
    isOptimal = reads.size() <= kMaxReads && work > 0;
  }
  OperatorFusion fusion = evaluateFusion(problem, best);
  fusion.isOptimal = isOptimal;
  return fusion;
}

OperatorFusion mirage::evaluateFusion(const FusionProblem &problem,
                                      ArrayRef<unsigned> groups) {
  OperatorFusion fusion;
  // By their first operators, whichever stands for them.
  SmallVector<unsigned> first(problem.size(), problem.size());
  for (auto [op, group] : llvm::enumerate(groups)) {
    if (first[group] == problem.size())
      first[group] = op;
    fusion.groups.push_back(first[group]);
  }
  SmallVector<bool> stored;
  for (const FusionOperator &op : problem)
    stored.push_back(op.isStored);
  for (auto [reader, op] : llvm::enumerate(problem))
    for (unsigned producer : op.operands)
      if (groups[producer] != groups[reader])
        stored[producer] = true;
  SmallVector<unsigned> numResults = countResults(problem, stored, groups);
  for (auto [op, operation] : llvm::enumerate(problem)) {
    if (!operation.kind)
      continue;
    fusion.storedBytes +=
        takesBytes(operation, stored[op], numResults[groups[op]])
            ? operation.bytes
            : 0;
    fusion.numGroups += fusion.groups[op] == op;
  }
  return fusion;
}

OperatorFusion mirage::fuseOperators(const FusionProblem &problem,
                                     int64_t workLimit) {
  return Fuser(problem, workLimit).run();
}
