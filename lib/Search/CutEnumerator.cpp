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

/// States that one thread expands before others help it, and that each of them
/// expands before what is left is shared out again, lest one has much more to
/// do than others.
static constexpr size_t kExpansionsAlone = 1000, kExpansionsShared = 4000;

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

CutEnumerator::CutEnumerator(CutGraph &graph, ArrayRef<Alternatives> values,
                             ValueSet outputsOfLast, unsigned threads)
    : graph(graph), outputs(std::move(outputsOfLast)), threads(threads),
      isRoot(graph.values.values.size()), isOther(graph.values.values.size()),
      hashes(graph.values.values.size()), walks(1) {
  SmallVector<Alternatives> others;
  for (auto [o, ofOutput] : llvm::enumerate(values)) {
    if (outputs.count(o)) {
      alternatives.push_back(ofOutput);
      continue;
    }
    others.push_back(ofOutput);
    for (unsigned value : ofOutput)
      isOther.set(value);
  }
  inputsOfOthers = graph.inputs.getForAll(others);
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

template <typename T>
static void moveTo(std::vector<T> &to, std::vector<T> &from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()),
            std::make_move_iterator(from.end()));
  from.clear();
}

size_t CutEnumerator::startPhase() {
  if (phase == Phase::New)
    phase = start() ? Phase::Alone : Phase::Done;
  else if (phase != Phase::Done)
    return goOn();
  return phase == Phase::Alone ? 1 : 0;
}

/// What follows a phase that has left something to be done.
size_t CutEnumerator::goOn() {
  std::vector<State> open;
  for (Walk &walk : walks)
    moveTo(open, walk.open);
  if (!open.empty())
    return share(std::move(open));
  // The end of a walk that was shared.
  for (Walk &walk : llvm::drop_begin(walks))
    moveTo(walks[0].cuts, walk.cuts);
  phase = Phase::Alone;
  return 1;
}

/// Shares out what is open.
size_t CutEnumerator::share(std::vector<State> open) {
  phase = Phase::Shared;
  const size_t most = 2 * threads;
  if (walks.size() < most)
    walks.resize(most);
  const size_t count = std::min(most, open.size());
  for (auto [i, state] : llvm::enumerate(open))
    walks[i % count].open.push_back(std::move(state));
  return count;
}

void CutEnumerator::run(size_t task) {
  if (phase == Phase::Shared)
    walk(walks[task], kExpansionsShared);
  else
    runAlone();
}

/// One walk after the other, the first perhaps at its end already: until what
/// one thread may do alone is used up.
void CutEnumerator::runAlone() {
  size_t left = threads == 1 ? ~size_t(0) : kExpansionsAlone;
  while (left > 0) {
    left -= walk(walks[0], left);
    if (!walks[0].open.empty())
      return;
    if (!startNext()) {
      phase = Phase::Done;
      return;
    }
  }
}

std::set<ValueCut> CutEnumerator::takeCuts() {
  return isGivenUp() ? std::set<ValueCut>() : std::move(cuts);
}

/// Begins with the first value of each output.
bool CutEnumerator::start() {
  if (alternatives.empty() ||
      llvm::any_of(alternatives, [](auto values) { return values.empty(); }))
    return false;
  numbers.resize(alternatives.size());
  startChosen();
  return true;
}

void CutEnumerator::startChosen() {
  chosen.clear();
  isRoot.reset();
  for (auto [values, number] : llvm::zip_equal(alternatives, numbers)) {
    chosen.push_back(values[number]);
    isRoot.set(chosen.back());
  }
  // Each output by itself, then what they have together: the ways to one output
  // don't depend on those to another.
  ValueCut none;
  none.outputs = outputs;
  joined = {none};
  numJoined = 0;
  startWalk();
}

void CutEnumerator::startWalk() {
  seen.clear();
  walks[0].cuts.clear();
  numFound = 0;
  State begin;
  need(begin, chosen[numJoined], /*mayEnd=*/true);
  walks[0].open.push_back(std::move(begin));
}

/// When a walk has come to its end: begins that to the next output's value, or
/// to those of the next choice. False if there is none.
bool CutEnumerator::startNext() {
  if (!joinCuts())
    return false;
  if (++numJoined < chosen.size()) {
    startWalk();
    return true;
  }
  if (isOther.none())
    for (auto cut = joined.begin(); cut != joined.end();)
      cut = cut->values.empty() ? joined.erase(cut) : std::next(cut);
  cuts.merge(joined);
  graph.limits.checkCuts(cuts.size());
  // The last output's values change first.
  size_t o = numbers.size();
  while (o > 0 && ++numbers[o - 1] == alternatives[o - 1].size())
    numbers[--o] = 0;
  if (o == 0 || isGivenUp())
    return false;
  startChosen();
  return true;
}

/// Joins each cut so far with each that a walk has found. False if it is given
/// up.
bool CutEnumerator::joinCuts() {
  std::set<ValueCut> all;
  for (const ValueCut &cut : joined) {
    if (isGivenUp())
      break;
    for (const ValueCut &other : walks[0].cuts) {
      ValueCut both;
      both.outputs = outputs;
      both.values = unite(cut.values, other.values);
      if (both.values.size() > kMostTensors)
        continue;
      both.iterators = unite(cut.iterators, other.iterators);
      double bytes = 0;
      for (unsigned v : both.values)
        bytes += getBytes(v);
      if (fits(both.values, both.iterators, bytes))
        all.insert(std::move(both));
    }
    graph.limits.checkCuts(all.size());
  }
  joined = std::move(all);
  return !isGivenUp();
}

/// As with the values of a graph (ValueGraph::isTooLarge).
CutLimits::CutLimits(const SearchOptions &options)
    : mostCuts(SizeLimits::apply(options) ? SizeLimits::kCuts : ~size_t(0)),
      mostStates(SizeLimits::apply(options) ? SizeLimits::kCutStates
                                            : ~size_t(0)) {}

int64_t CutLimits::getNumStates() const {
  return areExceeded() ? SizeLimits::kCutStatesOfGivenUp : numStates.load();
}

CutEnumerator::SeenStates::Kind
CutEnumerator::SeenStates::add(const State &state) {
  Part &part = parts[state.key.first % parts.size()];
  std::lock_guard<std::mutex> lock(part.mutex);
  auto [known, isNew] = part.fewest.try_emplace(state.key, state.counted);
  if (isNew)
    return Kind::New;
  if (known->second <= state.counted)
    return Kind::Known;
  known->second = state.counted;
  return Kind::WithFewer;
}

void CutEnumerator::SeenStates::clear() {
  for (Part &part : parts)
    part.fewest.clear();
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

/// Expands so many states, and returns how many there were to expand, unless it
/// is given up.
size_t CutEnumerator::walk(Walk &walk, size_t mostExpansions) {
  const SearchOptions &options = graph.options;
  CutLimits::Counter numStates(graph.limits);
  size_t expansions = 0;
  while (expansions < mostExpansions && !walk.open.empty()) {
    if (isGivenUp()) {
      walk.open.clear();
      break;
    }
    State state = std::move(walk.open.back());
    walk.open.pop_back();
    if (state.counted > options.maxBlockOps)
      continue;
    SeenStates::Kind kind = seen.add(state);
    if (kind == SeenStates::Kind::Known)
      continue;
    ++expansions;
    // How often there are fewer operators depends on the order.
    if (kind == SeenStates::Kind::New)
      numStates.add();
    if (!state.pending.empty()) {
      expand(std::move(state), walk);
    } else if (kind == SeenStates::Kind::New) {
      walk.cuts.push_back(
          {outputs, std::move(state.values), std::move(state.iterators)});
      graph.limits.checkCuts(++numFound);
    }
  }
  return expansions;
}

void CutEnumerator::expand(State state, Walk &walk) {
  auto [v, mayEnd] = *state.pending.rbegin();
  state.pending.erase(std::prev(state.pending.end()));
  removeFrom(state.key, v, mayEnd ? Status::PendingEnd : Status::Pending);
  const Value &value = graph.values.values[v];
  if (value.edges.empty()) {
    if (value.iterator >= 0 && state.iterators.insert(v).second)
      addTo(state.key, v, Status::Read);
    if (fits(state.values, state.iterators, state.bytes))
      walk.open.push_back(std::move(state));
    return;
  }
  // What is to be taken first comes last.
  const bool mayEndHere = mayEndAt(v, mayEnd);
  if (!mayEndHere || !graph.placement.hasLoop) {
    const BackwardSteps::Steps &further = graph.steps.get(v);
    for (const BackwardSteps::Step &step : llvm::reverse(further.edges)) {
      State &next = walk.open.emplace_back(state);
      for (unsigned operand : step.operands)
        need(next, operand, step.mayEnd || isRoot.test(v));
      next.counted += step.counts && graph.options.uses(SearchRule::Needed);
    }
    if (further.bases) {
      State &next = walk.open.emplace_back(state);
      for (auto [base, mayEndWith] : *further.bases)
        need(next, base, mayEndWith || isRoot.test(v));
    }
  }
  if (mayEndHere && state.values.size() < kMostTensors) {
    state.values.insert(v);
    state.bytes += getBytes(v);
    addTo(state.key, v, Status::Cut);
    if (fits(state.values, state.iterators, state.bytes))
      walk.open.push_back(std::move(state));
  }
}

/// Whether a kernel may end with a value. Whole tensors: any but the outputs.
/// Partial ones: those of the loop.
bool CutEnumerator::mayEndAt(unsigned value, bool mayEnd) const {
  if (!mayEnd && !isOther.test(value))
    return false;
  return graph.placement.hasLoop ? graph.values.values[value].inLoop
                                 : !isRoot.test(value);
}

/// The least bytes of a value that is handed on; half of those of another
/// output, which is written anyway.
double CutEnumerator::getBytes(unsigned value) const {
  return graph.steps.getBytes(value) / (isOther.test(value) ? 2 : 1);
}

/// Inputs that both parts read are read twice.
bool CutEnumerator::fits(const ValueSet &values, const ValueSet &iterators,
                         double bytes) const {
  NecessaryInputs::Inputs before = inputsOfOthers, last(before.size());
  for (unsigned v : values)
    before |= graph.inputs.get(v);
  for (unsigned v : iterators)
    last |= graph.inputs.get(v);
  last &= before;
  return bytes + graph.inputs.getBytes(last) / 2 <= graph.mostBytes;
}
