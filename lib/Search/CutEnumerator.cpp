//===- CutEnumerator.cpp - The cuts through a graph of values -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CutEnumerator.h"
#include "SizeLimits.h"
#include "llvm/Support/xxhash.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// How many intermediate tensors stand between a kernel and what comes before.
static constexpr unsigned kMostTensors = 3;

NecessaryInputs::NecessaryInputs(const SearchProgram &program,
                                 const KernelProblem &problem,
                                 const Placement &placement,
                                 const ValueGraph &graph) {
  for (const SearchTensor *input : problem.inputs)
    bytes.push_back(program.getBytes(*input, input->isSplit() ? 2 : 1));
  // All, until an edge shows that some aren't needed.
  for (const Value &value : graph.values) {
    Inputs &needed = ofValue.emplace_back(bytes.size(), !value.edges.empty());
    if (value.iterator >= 0)
      needed.set(placement.iterators[value.iterator].input);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [value, needed] : llvm::zip_equal(graph.values, ofValue))
      for (const ValueEdge &edge : value.edges) {
        Inputs byEdge(bytes.size());
        for (unsigned operand : edge.operands)
          byEdge |= ofValue[operand];
        changed |= needed.test(byEdge);
        needed &= byEdge;
      }
  }
}

NecessaryInputs::Inputs
NecessaryInputs::getForAll(ArrayRef<SmallVector<unsigned>> alternatives) const {
  Inputs result(bytes.size());
  for (ArrayRef<unsigned> values : alternatives) {
    Inputs needed(bytes.size(), true);
    for (unsigned value : values)
      needed &= ofValue[value];
    result |= needed;
  }
  return result;
}

double NecessaryInputs::getBytes(const Inputs &inputs) const {
  double sum = 0;
  for (unsigned input : inputs.set_bits())
    sum += bytes[input];
  return sum;
}

CutEnumerator::CutEnumerator(const ValueGraph &graph,
                             const Placement &placement,
                             const SearchOptions &options,
                             const NecessaryInputs &inputs,
                             BackwardSteps &steps, ArrayRef<unsigned> others,
                             NecessaryInputs::Inputs inputsOfOthers,
                             double mostBytes, CutSteps &numSteps,
                             const std::atomic<bool> &stop)
    : graph(graph), placement(placement), options(options), inputs(inputs),
      steps(steps), inputsOfOthers(std::move(inputsOfOthers)),
      mostBytes(mostBytes), numSteps(numSteps), stop(stop),
      isRoot(graph.values.size()), isOther(graph.values.size()),
      hashes(graph.values.size()) {
  for (unsigned value : others)
    isOther.set(value);
  for (uint32_t v = 0; v < hashes.size(); ++v)
    for (uint32_t status = 0; status < hashes[v].size(); ++status) {
      const uint32_t numbers[] = {v, status};
      llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::ArrayRef<uint8_t>(
          reinterpret_cast<const uint8_t *>(numbers), sizeof(numbers)));
      hashes[v][status] = {hash.low64, hash.high64};
    }
}

static ValueSet unite(const ValueSet &a, const ValueSet &b) {
  SmallVector<unsigned, 16> both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(),
                 std::back_inserter(both));
  return ValueSet(boost::container::ordered_unique_range, both.begin(),
                  both.end());
}

std::set<ValueCut> CutEnumerator::run(ArrayRef<unsigned> values,
                                      const ValueSet &outputsOfCuts) {
  outputs = outputsOfCuts;
  isRoot.reset();
  for (unsigned value : values)
    isRoot.set(value);
  // Each output by itself, then what they have together: the ways to one output
  // don't depend on those to another.
  std::set<ValueCut> all;
  ValueCut none;
  none.outputs = outputs;
  all.insert(none);
  for (unsigned value : values) {
    cuts.clear();
    seen.clear();
    State start;
    need(start, value, /*mayEnd=*/true);
    expand(std::move(start));
    std::set<ValueCut> joined;
    for (const ValueCut &cut : all) {
      if (stop || areTooMany(cuts) || areTooMany(joined))
        return cuts.size() > joined.size() ? cuts : joined;
      for (const ValueCut &more : cuts) {
        ValueCut both;
        both.outputs = outputs;
        both.values = unite(cut.values, more.values);
        if (both.values.size() > kMostTensors)
          continue;
        both.iterators = unite(cut.iterators, more.iterators);
        double bytes = 0;
        for (unsigned v : both.values)
          bytes += getBytes(v);
        if (fits(both.values, both.iterators, bytes))
          joined.insert(std::move(both));
      }
    }
    all = std::move(joined);
  }
  if (isOther.none())
    for (auto cut = all.begin(); cut != all.end();)
      cut = cut->values.empty() ? all.erase(cut) : std::next(cut);
  return all;
}

/// As with the values of a graph (ValueGraph::isTooLarge). Or too many steps
/// were needed to find them.
static bool exceedLimits(const SearchOptions &options, size_t numCuts,
                         size_t numSteps) {
  return SizeLimits::apply(options) &&
         (numCuts > SizeLimits::kCuts || numSteps > SizeLimits::kCutSteps);
}

int64_t CutSteps::getCount(const SearchOptions &options) const {
  return SizeLimits::apply(options)
             ? std::min<size_t>(count, SizeLimits::kCutSteps + 1)
             : count.load();
}

bool CutSteps::areTooMany(const SearchOptions &options, size_t numCuts) const {
  return exceedLimits(options, numCuts, count);
}

bool CutEnumerator::areTooMany(const std::set<ValueCut> &cuts) const {
  return exceedLimits(options, cuts.size(), numSteps.getCount());
}

void CutEnumerator::addTo(Key &key, unsigned value, Status status) const {
  const Key &hash = hashes[value][static_cast<size_t>(status)];
  key.first += hash.first;
  key.second += hash.second;
}

void CutEnumerator::removeFrom(Key &key, unsigned value, Status status) const {
  const Key &hash = hashes[value][static_cast<size_t>(status)];
  key.first -= hash.first;
  key.second -= hash.second;
}

void CutEnumerator::need(State &state, unsigned value, bool mayEnd) const {
  if (state.values.count(value))
    return;
  auto [entry, isNew] = state.pending.try_emplace(value, mayEnd);
  if (isNew) {
    addTo(state.key, value, mayEnd ? Status::PendingEnd : Status::Pending);
  } else if (mayEnd && !entry->second) {
    removeFrom(state.key, value, Status::Pending);
    addTo(state.key, value, Status::PendingEnd);
    entry->second = true;
  }
}

void CutEnumerator::expand(State state) {
  if (stop || areTooMany(cuts))
    return;
  if (options.uses(SearchRule::Needed) && state.counted > options.maxBlockOps)
    return;
  auto [fewest, isNew] = seen.try_emplace(state.key, state.counted);
  if (!isNew && fewest->second <= state.counted)
    return;
  fewest->second = state.counted;
  numSteps.add();
  if (state.pending.empty()) {
    cuts.insert({outputs, std::move(state.values), std::move(state.iterators)});
    return;
  }
  auto [v, mayEnd] = *state.pending.rbegin();
  state.pending.erase(std::prev(state.pending.end()));
  removeFrom(state.key, v, mayEnd ? Status::PendingEnd : Status::Pending);
  const Value &value = graph.values[v];
  if (value.edges.empty()) {
    if (value.iterator >= 0 && state.iterators.insert(v).second)
      addTo(state.key, v, Status::Read);
    if (fits(state.values, state.iterators, state.bytes))
      expand(std::move(state));
    return;
  }
  if (mayEndAt(v, mayEnd)) {
    State with = state;
    with.values.insert(v);
    with.bytes += getBytes(v);
    addTo(with.key, v, Status::Cut);
    if (with.values.size() <= kMostTensors &&
        fits(with.values, with.iterators, with.bytes))
      expand(std::move(with));
    if (placement.hasLoop)
      return;
  }
  const BackwardSteps::Steps &further = steps.get(v);
  if (further.bases) {
    State next = state;
    for (auto [base, mayEndWith] : *further.bases)
      need(next, base, mayEndWith || isRoot.test(v));
    expand(std::move(next));
  }
  for (const BackwardSteps::Step &step : further.edges) {
    State next = state;
    for (unsigned operand : step.operands)
      need(next, operand, step.mayEnd || isRoot.test(v));
    next.counted += step.counts;
    expand(std::move(next));
  }
}

/// Whether a kernel may end with a value. Whole tensors: any but the outputs.
/// Partial ones: those of the loop.
bool CutEnumerator::mayEndAt(unsigned value, bool mayEnd) const {
  if (!mayEnd && !isOther.test(value))
    return false;
  return placement.hasLoop ? graph.values[value].inLoop : !isRoot.test(value);
}

/// The least bytes of a value that is handed on; half of those of another
/// output, which is written anyway.
double CutEnumerator::getBytes(unsigned value) const {
  return steps.getBytes(value) / (isOther.test(value) ? 2 : 1);
}

/// Inputs that both parts read are read twice.
bool CutEnumerator::fits(const ValueSet &values, const ValueSet &iterators,
                         double bytes) const {
  NecessaryInputs::Inputs before = inputsOfOthers, last(before.size());
  for (unsigned v : values)
    before |= inputs.get(v);
  for (unsigned v : iterators)
    last |= inputs.get(v);
  last &= before;
  return bytes + inputs.getBytes(last) / 2 <= mostBytes;
}
