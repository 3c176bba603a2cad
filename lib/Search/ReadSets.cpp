//===- ReadSets.cpp - Ways to read that go together -----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadSets.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "llvm/ADT/SetVector.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// How a dimension is cut: by a grid dimension, counted from 1, or not (0), and
/// by the loop or not.
using Cut = uint8_t;
constexpr Cut kCutByLoop = 8;

/// How the dimensions of a value are cut.
class Cuts {
public:
  static constexpr size_t kMostDims = 16;
  Cut get(size_t dim) const { return bits >> kBits * dim & kMask; }
  void set(size_t dim, Cut cut) {
    bits &= ~(kMask << kBits * dim);
    add(dim, cut);
  }
  void add(size_t dim, Cut cut) {
    assert(dim < kMostDims);
    bits |= uint64_t(cut) << kBits * dim;
  }
  uint64_t getBits() const { return bits; }

private:
  static constexpr unsigned kBits = 4;
  static constexpr uint64_t kMask = 15;
  uint64_t bits = 0;
};

/// The bits of a ReadSet, the upper half first.
using Words = std::pair<uint64_t, uint64_t>;
/// The keys that a hash table has for itself have the highest bit: no set of
/// less ways is one.
constexpr size_t kMostWays = ReadSet().size() - 1;

Words operator|(const Words &a, const Words &b) {
  return {a.first | b.first, a.second | b.second};
}

unsigned countCommon(const Words &a, const Words &b) {
  return llvm::popcount(a.first & b.first) +
         llvm::popcount(a.second & b.second);
}

Words getWords(size_t first, size_t count) {
  Words words;
  for (size_t i = first; i < first + count; ++i)
    (i < 64 ? words.second : words.first) |= uint64_t(1) << i % 64;
  return words;
}

class ReadSetFinder {
public:
  ReadSetFinder(const SearchProgram &program, const LeastWork &work,
                const llvm::DenseMap<unsigned, ReadLeaf> &leaves,
                const Placement &frame,
                ArrayRef<std::vector<IteratorPlacement>> choices)
      : program(program), work(work), leaves(leaves), frame(frame),
        choices(choices) {
    size_t next = 0;
    for (const auto &ways : choices) {
      ofInput.push_back(getWords(next, ways.size()));
      next += ways.size();
    }
  }

  std::optional<std::vector<ReadSet>>
  run(ArrayRef<LeastWork::Alternatives> outputs);

private:
  /// Beyond that the ways are taken for independent of each other.
  static constexpr size_t kMostStates = 10000, kMostSets = 20000,
                          kMostUnions = 5000000;
  using Sets = llvm::SmallSetVector<Words, 8>;
  /// A value whose dimensions are cut in a certain way.
  struct State {
    unsigned value;
    Cuts cuts;
    /// For each way to compute it the states of the operands.
    struct Alternative {
      SmallVector<unsigned, 2> operands;
      /// How many sets they had, in all, when they were last looked at.
      size_t numSeen = 0;
    };
    std::vector<Alternative> alternatives;
    Sets sets;
  };

  unsigned getState(unsigned value, Cuts cuts);
  void expand(unsigned state);
  void expandLeaf(unsigned state, const ReadLeaf &leaf);
  void expandEdge(unsigned state, const ValueEdge &edge,
                  const std::optional<IterationSpace> &space);
  bool addUnions(ArrayRef<unsigned> operands, Sets &sets);
  bool isOfFewWays(const Words &set) const;
  bool isSplit(size_t gridDim) const {
    return frame.splits && gridDim + 1 == frame.gridRoles.size();
  }
  int getRole(unsigned value, size_t dim) const {
    return program.roles.getRole(work.getGraph().values[value].label[dim]);
  }

  const SearchProgram &program;
  const LeastWork &work;
  const llvm::DenseMap<unsigned, ReadLeaf> &leaves;
  const Placement &frame;
  ArrayRef<std::vector<IteratorPlacement>> choices;
  const size_t mostWays = frame.getMostWaysToRead();
  /// All ways to read each input.
  SmallVector<Words> ofInput;
  std::deque<State> states;
  llvm::DenseMap<std::pair<unsigned, uint64_t>, unsigned> numbers;
  size_t numUnions = 0;
  bool isKnown = true;
};

} // namespace

unsigned ReadSetFinder::getState(unsigned value, Cuts cuts) {
  auto [entry, isNew] =
      numbers.try_emplace({value, cuts.getBits()}, states.size());
  if (isNew) {
    State &state = states.emplace_back();
    state.value = value;
    state.cuts = cuts;
  }
  return entry->second;
}

void ReadSetFinder::expand(unsigned state) {
  const unsigned value = states[state].value;
  if (auto leaf = leaves.find(value); leaf != leaves.end())
    return expandLeaf(state, leaf->second);
  const Value &of = work.getGraph().values[value];
  // Constants read nothing, and an iterator that is no leaf can't be read.
  if (of.isConstant())
    states[state].sets.insert(Words());
  for (auto [n, edge] : llvm::enumerate(of.edges))
    expandEdge(state, edge, work.getSpace(value, n));
}

void ReadSetFinder::expandLeaf(unsigned state, const ReadLeaf &leaf) {
  size_t first = 0;
  for (unsigned i = 0; i < leaf.input; ++i)
    first += choices[i].size();
  for (auto [w, way] : llvm::enumerate(choices[leaf.input])) {
    Cuts cuts;
    int64_t splitDim = kReplica;
    for (auto [g, dim] : llvm::enumerate(way.imap))
      if (isSplit(g))
        splitDim = dim;
      else if (dim != kReplica)
        cuts.add(dim, g + 1);
    // A loop over partial results cuts nothing else.
    if (way.fmap != kReplica && !frame.combinesSplit())
      cuts.add(way.fmap, kCutByLoop);
    if (cuts.getBits() == states[state].cuts.getBits() &&
        splitDim == leaf.splitDim)
      states[state].sets.insert(getWords(first + w, 1));
  }
}

/// How the dimensions of an operand are cut if the result's are, of an operator
/// in which dimensions come and go; nothing if it isn't clear which are which.
static std::optional<Cuts> followDims(const Operator &op,
                                      ArrayRef<int64_t> operand,
                                      ArrayRef<int64_t> result,
                                      const Cuts &resultCuts) {
  auto getWide = [](ArrayRef<int64_t> label) {
    return SmallVector<size_t>(llvm::make_filter_range(
        llvm::seq(label.size()), [=](size_t dim) { return label[dim] != 1; }));
  };
  const SmallVector<size_t> from = getWide(operand), to = getWide(result);
  // What only adds or drops dimensions of size 1 keeps the order of the others,
  // of which some may be of the same size.
  const bool isInOrder = op.hasShapeParams() &&
                         llvm::equal(from, to, [&](size_t dim, size_t other) {
                           return operand[dim] == result[other];
                         });
  Cuts cuts;
  for (auto [i, dim] : llvm::enumerate(from)) {
    const int64_t size = operand[dim];
    // Else nothing of the same size may stand beside it.
    if (!isInOrder &&
        (llvm::count(operand, size) != 1 || llvm::count(result, size) != 1))
      return std::nullopt;
    cuts.add(dim, resultCuts.get(isInOrder ? to[i]
                                           : llvm::find(result, size) -
                                                 result.begin()));
  }
  return cuts;
}

void ReadSetFinder::expandEdge(unsigned state, const ValueEdge &edge,
                               const std::optional<IterationSpace> &space) {
  // What stands for several operators reads what these read.
  if (edge.op && !edge.op->getSteps().empty())
    return;
  const Cuts result = states[state].cuts;
  const ArrayRef<int64_t> label =
      work.getGraph().values[states[state].value].label;
  if (!edge.op) {
    // Accumulators, of which some read a maximum for each row.
    SmallVector<unsigned, 2> operands;
    for (unsigned operand : edge.operands) {
      Cuts cuts = result;
      for (auto [d, size] :
           llvm::enumerate(work.getGraph().values[operand].label))
        if (size == 1)
          cuts.set(d, 0);
      operands.push_back(getState(operand, cuts));
    }
    states[state].alternatives.push_back({std::move(operands)});
    return;
  }
  if (!space) {
    SmallVector<unsigned, 2> operands;
    for (unsigned operand : edge.operands) {
      ArrayRef<int64_t> from = work.getGraph().values[operand].label;
      std::optional<Cuts> cuts = followDims(*edge.op, from, label, result);
      isKnown &= cuts.has_value();
      if (!isKnown)
        return;
      operands.push_back(getState(operand, *cuts));
    }
    states[state].alternatives.push_back({std::move(operands)});
    return;
  }
  // Each choice for the loops that are reduced.
  const size_t rank = label.size();
  SmallVector<int> roles(space->sizes.size(), kNoRole);
  for (auto [i, operand] : llvm::enumerate(edge.operands))
    for (auto [d, loop] : llvm::enumerate(space->operandLoops[i]))
      if (loop >= static_cast<int>(rank))
        roles[loop] = getRole(operand, d);
  SmallVector<Cut, 8> loops;
  for (size_t d = 0; d < rank; ++d)
    loops.push_back(result.get(d));
  auto choose = [&](auto &self) -> void {
    const size_t loop = loops.size();
    if (loop == roles.size()) {
      SmallVector<unsigned, 2> operands;
      for (auto [i, operand] : llvm::enumerate(edge.operands)) {
        Cuts cuts;
        for (auto [d, loopOfDim] : llvm::enumerate(space->operandLoops[i]))
          if (loopOfDim != IterationSpace::kNoLoop)
            cuts.add(d, loops[loopOfDim]);
        operands.push_back(getState(operand, cuts));
      }
      states[state].alternatives.push_back({std::move(operands)});
      return;
    }
    const int role = roles[loop];
    SmallVector<Cut, 4> byGrid{0};
    if (!space->reductionsAreSums && role != kNoRole)
      for (auto [g, gridRoles] : llvm::enumerate(frame.gridRoles))
        if (gridRoles.test(role) && !isSplit(g))
          byGrid.push_back(g + 1);
    const bool hasLoop =
        frame.hasLoop && role != kNoRole && role == frame.loopRole;
    for (Cut cut : byGrid)
      for (Cut byLoop : {Cut(0), kCutByLoop}) {
        if (byLoop && !hasLoop)
          continue;
        loops.push_back(cut | byLoop);
        self(self);
        loops.pop_back();
      }
  };
  choose(choose);
}

/// The search reads no input in more ways than that.
bool ReadSetFinder::isOfFewWays(const Words &set) const {
  return llvm::all_of(ofInput, [&](const Words &ways) {
    return countCommon(set, ways) <= mostWays;
  });
}

/// Adds the unions of one set of each operand. Returns whether some are new.
bool ReadSetFinder::addUnions(ArrayRef<unsigned> operands, Sets &sets) {
  bool isNew = false;
  auto unite = [&](auto &self, size_t i, const Words &read) -> void {
    if (!isKnown || !isOfFewWays(read))
      return;
    if (i == operands.size()) {
      isNew |= sets.insert(read);
      isKnown &= sets.size() <= kMostSets;
      return;
    }
    // They may be those that are added to, and come along then.
    const Sets &all = states[operands[i]].sets;
    for (size_t k = 0; k < all.size() && isKnown; ++k) {
      isKnown &= ++numUnions <= kMostUnions;
      self(self, i + 1, read | all[k]);
    }
  };
  unite(unite, 0, Words());
  return isNew;
}

std::optional<std::vector<ReadSet>>
ReadSetFinder::run(ArrayRef<LeastWork::Alternatives> outputs) {
  if (llvm::any_of(work.getGraph().values, [](const Value &value) {
        return value.label.size() > Cuts::kMostDims;
      }))
    return std::nullopt;
  // What the outputs can be, one after the other.
  std::vector<SmallVector<unsigned, 2>> ofOutputs;
  for (auto [values, omap] : llvm::zip_equal(outputs, frame.omaps)) {
    auto &alternatives = ofOutputs.emplace_back();
    for (unsigned value : values) {
      Cuts cuts;
      for (auto [g, dim] : llvm::enumerate(omap))
        if (!isSplit(g))
          cuts.add(dim, g + 1);
      alternatives.push_back(getState(value, cuts));
    }
  }
  for (size_t s = 0; s < states.size() && isKnown; ++s) {
    expand(s);
    isKnown &= states.size() <= kMostStates;
  }
  for (bool changed = true; changed && isKnown;) {
    changed = false;
    // Those nearer to the inputs came later.
    for (State &state : llvm::reverse(states))
      for (State::Alternative &alternative : state.alternatives) {
        size_t numSets = 0;
        for (unsigned operand : alternative.operands)
          numSets += states[operand].sets.size();
        if (std::exchange(alternative.numSeen, numSets) != numSets)
          changed |= addUnions(alternative.operands, state.sets);
      }
  }
  Sets all;
  all.insert(Words());
  for (ArrayRef<unsigned> alternatives : ofOutputs) {
    Sets longer;
    for (const Words &set : all)
      for (unsigned state : alternatives)
        for (const Words &more : states[state].sets) {
          isKnown &= ++numUnions <= kMostUnions && longer.size() <= kMostSets;
          if (!isKnown)
            return std::nullopt;
          const Words both = set | more;
          if (isOfFewWays(both))
            longer.insert(both);
        }
    all = std::move(longer);
  }
  if (!isKnown)
    return std::nullopt;
  auto sorted = all.takeVector();
  llvm::sort(sorted);
  std::vector<ReadSet> result;
  for (const Words &set : sorted)
    // All inputs are to be read.
    if (llvm::all_of(ofInput, [&](const Words &ways) {
          return countCommon(set, ways) > 0;
        }))
      result.push_back(ReadSet(set.first) << 64 | ReadSet(set.second));
  return result;
}

std::optional<std::vector<ReadSet>>
mirage::findReadSets(const SearchProgram &program, const LeastWork &work,
                     ArrayRef<LeastWork::Alternatives> outputs,
                     const llvm::DenseMap<unsigned, ReadLeaf> &leaves,
                     const Placement &frame,
                     ArrayRef<std::vector<IteratorPlacement>> choices) {
  size_t numWays = 0;
  for (const auto &ways : choices)
    numWays += ways.size();
  if (numWays > kMostWays)
    return std::nullopt;
  return ReadSetFinder(program, work, leaves, frame, choices).run(outputs);
}
