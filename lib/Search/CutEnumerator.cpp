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

CutEnumerator::CutEnumerator(
    const SearchProgram &program, const ValueGraph &graph,
    const Placement &placement, const SearchOptions &options,
    const NecessaryInputs &inputs, const llvm::BitVector &products,
    ArrayRef<unsigned> others, NecessaryInputs::Inputs inputsOfOthers,
    double mostBytes, size_t &numSteps, const std::atomic<bool> &stop)
    : program(program), graph(graph), placement(placement), options(options),
      inputs(inputs), products(products), others(others),
      inputsOfOthers(std::move(inputsOfOthers)), mostBytes(mostBytes),
      numSteps(numSteps), stop(stop) {
  for (const auto &[content, type] : program.elementTypes)
    leastWidth = std::min(leastWidth, type.getIntOrFloatBitWidth());
}

static ValueSet unite(const ValueSet &a, const ValueSet &b) {
  SmallVector<unsigned, 16> both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(),
                 std::back_inserter(both));
  return ValueSet(boost::container::ordered_unique_range, both.begin(),
                  both.end());
}

std::set<ValueCut> CutEnumerator::run(ArrayRef<unsigned> values,
                                      const ValueSet &outputs) {
  roots = values;
  // Each output by itself, then what they have together: the ways to one output
  // don't depend on those to another.
  std::set<ValueCut> all;
  ValueCut none;
  none.outputs = outputs;
  all.insert(none);
  for (unsigned value : values) {
    cuts.clear();
    seen.clear();
    expand({{value, true}}, none, 0);
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
        if (fits(both))
          joined.insert(std::move(both));
      }
    }
    all = std::move(joined);
  }
  if (others.empty())
    for (auto cut = all.begin(); cut != all.end();)
      cut = cut->values.empty() ? all.erase(cut) : std::next(cut);
  return all;
}

bool CutEnumerator::areTooMany(const std::set<ValueCut> &cuts) const {
  return SizeLimits::apply(options) &&
         (cuts.size() > SizeLimits::kCuts || numSteps > SizeLimits::kCutSteps);
}

CutEnumerator::Key CutEnumerator::getKey(const Pending &pending,
                                         const ValueCut &cut) {
  constexpr unsigned kNext = ~0u >> 1;
  SmallVector<unsigned, 64> all;
  for (auto [v, mayCut] : pending)
    all.push_back(2 * v + mayCut);
  for (const auto *set : {&cut.values, &cut.iterators}) {
    all.push_back(kNext);
    llvm::append_range(all, *set);
  }
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(all.data()), all.size_in_bytes()));
  return {hash.low64, hash.high64};
}

void CutEnumerator::expand(Pending pending, ValueCut cut, unsigned counted) {
  if (stop || areTooMany(cuts))
    return;
  if (options.uses(SearchRule::Needed) && counted > options.maxBlockOps)
    return;
  auto [fewest, isNew] = seen.try_emplace(getKey(pending, cut), counted);
  if (!isNew && fewest->second <= counted)
    return;
  fewest->second = counted;
  ++numSteps;
  if (pending.empty()) {
    cuts.insert(std::move(cut));
    return;
  }
  auto [v, mayCut] = *pending.rbegin();
  pending.erase(v);
  const Value &value = graph.values[v];
  if (value.edges.empty()) {
    if (value.iterator >= 0)
      cut.iterators.insert(v);
    if (!fits(cut))
      return;
    return expand(std::move(pending), std::move(cut), counted);
  }
  if (mayEndAt(v, mayCut)) {
    ValueCut with = cut;
    with.values.insert(v);
    if (with.values.size() <= kMostTensors && fits(with))
      expand(pending, std::move(with), counted);
    if (placement.hasLoop)
      return;
  }
  bool isRoot = llvm::is_contained(roots, v);
  bool isFunction = isFunctionOfFew(v);
  const Bases from = getBases(v);
  if (isFunction) {
    Pending further = pending;
    for (unsigned base : from)
      if (!cut.values.count(base))
        further[base] |= isRoot || from.size() > 1 || !isNarrow(value) ||
                         products.test(base);
    expand(std::move(further), cut, counted);
  }
  for (const ValueEdge &edge : value.edges) {
    if (isFunction && getBases(v, edge) == from)
      continue;
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
      expand(std::move(further), cut, counted + edge.counts);
  }
}

/// Whether a kernel may end with a value. Whole tensors: any but the outputs.
/// Partial ones: those of the loop.
bool CutEnumerator::mayEndAt(unsigned value, bool mayCut) const {
  bool isOther = llvm::is_contained(others, value);
  if (!mayCut && !isOther)
    return false;
  return placement.hasLoop ? graph.values[value].inLoop
                           : !llvm::is_contained(roots, value);
}

/// Whether a kernel may end in front of an edge of a value. Not in front of an
/// elementwise operator of one tile that writes no more than it reads: that
/// goes with the kernel before, unless a pre-defined operator may be all of it.
bool CutEnumerator::mayEndBefore(const Value &value,
                                 const ValueEdge &edge) const {
  if (!edge.isElementwise() || !options.uses(SearchRule::Cuts))
    return true;
  const Value *tile = nullptr;
  for (unsigned operand : edge.operands) {
    const Value &other = graph.values[operand];
    if (other.isConstant())
      continue;
    if (tile || products.test(operand))
      return true;
    tile = &other;
  }
  return !tile || getWidth(*tile) < getWidth(value);
}

/// Whether only the tiles that a value is an elementwise function of matter,
/// not how it is computed: of one tile, because that goes with one kernel; of
/// more, because there are too many arrangements to look for cuts in all.
bool CutEnumerator::isFunctionOfFew(unsigned value) {
  if (!options.uses(SearchRule::Cuts))
    return false;
  const Bases from = getBases(value);
  bool isOfOne = isNarrow(graph.values[value]) && from.size() == 1;
  return !llvm::is_contained(from, value) &&
         (isOfOne || hasManyArrangements(value)) &&
         llvm::none_of(from, [&](unsigned base) {
           return graph.values[base].inLoop && graph.values[base].edges.empty();
         });
}

/// Whether there are many functions of the tiles that a value is one of, or of
/// some of them: arrangements of one polynomial.
bool CutEnumerator::hasManyArrangements(unsigned value) {
  const Bases of = getBases(value);
  auto [count, isNew] = numFunctions.try_emplace(of, 0);
  if (isNew)
    for (unsigned v = 0; v < graph.values.size(); ++v)
      count->second += llvm::includes(of, getBases(v));
  constexpr unsigned kMany = 16;
  return count->second > kMany;
}

const CutEnumerator::Bases &CutEnumerator::getBases(unsigned value) {
  auto [entry, isNew] = bases.try_emplace(value, Bases{value});
  if (!isNew)
    return entry->second;
  // Of fewest, by what was there before it: so there are no cycles.
  std::optional<Bases> fewest;
  for (const ValueEdge &edge : graph.values[value].edges) {
    if (llvm::any_of(edge.operands, [&](unsigned o) { return o > value; }))
      continue;
    Bases found = getBases(value, edge);
    if (!llvm::is_contained(found, value) &&
        (!fewest || found.size() < fewest->size()))
      fewest = std::move(found);
  }
  if (fewest)
    bases[value] = std::move(*fewest);
  return bases[value];
}

CutEnumerator::Bases CutEnumerator::getBases(unsigned value,
                                             const ValueEdge &edge) {
  if (!edge.isElementwise())
    return {value};
  Bases result;
  for (unsigned operand : edge.operands)
    if (!graph.values[operand].isConstant())
      for (unsigned base : getBases(operand))
        if (!llvm::is_contained(result, base))
          result.push_back(base);
  llvm::sort(result);
  constexpr size_t kMany = 3;
  return result.empty() || result.size() > kMany ? Bases{value} : result;
}

/// The least bytes of values that are handed on; half of those of other
/// outputs, which are written anyway.
double CutEnumerator::getBytes(const ValueSet &values) const {
  double bytes = 0;
  for (unsigned v : values) {
    double elements = 1;
    for (int64_t label : graph.values[v].label) {
      int role = program.roles.getRole(label);
      if (role != kNoRole)
        elements *= program.roles.size[role];
    }
    // Two parts at least.
    double once = elements * leastWidth / 8 * (placement.hasLoop ? 2 : 1);
    bytes += llvm::is_contained(others, v) ? once / 2 : once;
  }
  return bytes;
}

/// Inputs that both parts read are read twice.
bool CutEnumerator::fits(const ValueCut &cut) const {
  NecessaryInputs::Inputs before = inputsOfOthers, last = inputsOfOthers;
  last.reset();
  for (unsigned v : cut.values)
    before |= inputs.get(v);
  for (unsigned v : cut.iterators)
    last |= inputs.get(v);
  last &= before;
  return getBytes(cut.values) + inputs.getBytes(last) / 2 <= mostBytes;
}

unsigned CutEnumerator::getWidth(const Value &value) const {
  return program.getElementType(value.parts[0]).getIntOrFloatBitWidth();
}

bool CutEnumerator::isNarrow(const Value &value) const {
  return getWidth(value) <= leastWidth;
}
