//===- ProgramParts.cpp - Programs searched in parts ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramParts.h"
#include "Mirage/Mugraph/CanonicalProgram.h"
#include "Roles.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <functional>
#include <numeric>
#include <set>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// What a pre-defined operator computes.
static OperatorCost getCost(const KernelGraph &program,
                            const KernelNode &node) {
  SmallVector<Shape> operands;
  for (unsigned operand : node.operands)
    operands.push_back(program.tensors[operand].shape);
  return node.op->getCost(operands, program.tensors[node.results[0]].shape,
                          node.params);
}

/// Whether tensor cores are what an operator runs on.
static bool isProduct(const KernelGraph &program, const KernelNode &node) {
  return node.kind == KernelNode::Kind::Operator &&
         getCost(program, node).tensorFlops > 0;
}

/// The tensors that some product depends on.
static llvm::BitVector getLeading(const KernelGraph &program) {
  llvm::BitVector leading(program.tensors.size());
  for (const KernelNode &node : llvm::reverse(program.nodes))
    if (isProduct(program, node) || leading.test(node.results[0]))
      for (unsigned operand : node.operands)
        leading.set(operand);
  return leading;
}

/// Nodes, in their order, by what they are connected to: those of one list use
/// or compute one tensor, other than a constant or one of `connectsNothing`, or
/// are connected by others.
static SmallVector<SmallVector<unsigned>>
getConnected(const KernelGraph &program, ArrayRef<unsigned> nodes,
             llvm::BitVector connectsNothing) {
  for (const KernelNode &node : program.nodes)
    if (node.kind == KernelNode::Kind::Constant)
      connectsNothing.set(node.results[0]);
  llvm::EquivalenceClasses<unsigned> tensors;
  for (unsigned n : nodes) {
    const KernelNode &node = program.nodes[n];
    tensors.insert(node.results[0]);
    for (unsigned tensor :
         llvm::concat<const unsigned>(node.operands, node.results))
      if (!connectsNothing.test(tensor))
        tensors.unionSets(node.results[0], tensor);
  }
  llvm::MapVector<unsigned, SmallVector<unsigned>> lists;
  for (unsigned n : nodes)
    lists[tensors.getLeaderValue(program.nodes[n].results[0])].push_back(n);
  return llvm::to_vector(llvm::make_second_range(lists));
}

static double getBytes(const KernelTensor &tensor) {
  return static_cast<double>(getNumElements(tensor.shape)) *
         tensor.elementType.getIntOrFloatBitWidth() / 8;
}

/// By tensor, the input that it has elements of, moved; or itself.
static std::vector<unsigned> getSources(const KernelGraph &program) {
  std::vector<unsigned> sources(program.tensors.size());
  std::iota(sources.begin(), sources.end(), 0);
  for (const KernelNode &node : program.nodes)
    if (node.kind == KernelNode::Kind::Operator && node.op->isMovement() &&
        node.operands.size() == 1 &&
        sources[node.operands[0]] < program.numInputs)
      sources[node.results[0]] = sources[node.operands[0]];
  return sources;
}

/// Products that are only added to others which come later, and read less that
/// is computed than they compute, with these others, as nodes: the scores of
/// rotated parts of queries and keys, which are added to those of the other
/// parts. Such a sum is one operator, and none of it is to be handed on.
static SmallVector<std::pair<unsigned, unsigned>>
getDelayedProducts(const KernelGraph &program) {
  SmallVector<std::pair<unsigned, unsigned>> delayed;
  const std::vector<unsigned> sources = getSources(program);
  std::vector<int> maker(program.tensors.size(), -1);
  std::vector<unsigned> numReaders(program.tensors.size(), 0);
  for (unsigned output : program.outputs)
    ++numReaders[output];
  for (auto [n, node] : llvm::enumerate(program.nodes)) {
    if (node.kind == KernelNode::Kind::Operator)
      maker[node.results[0]] = n;
    for (unsigned operand : node.operands)
      ++numReaders[operand];
  }
  auto getProduct = [&](unsigned tensor) {
    const int n = maker[tensor];
    return n >= 0 && isProduct(program, program.nodes[n]) ? n : -1;
  };
  const Operator *add = &getOperator("add");
  for (const KernelNode &node : program.nodes) {
    if (node.kind != KernelNode::Kind::Operator || node.op != add)
      continue;
    for (auto [own, other] : {std::pair(node.operands[0], node.operands[1]),
                              std::pair(node.operands[1], node.operands[0])}) {
      const int product = getProduct(own), last = getProduct(other);
      if (product < 0 || last < 0 || numReaders[own] > 1)
        continue;
      double bytes = 0;
      for (unsigned operand : program.nodes[product].operands)
        if (sources[operand] >= program.numInputs)
          bytes += getBytes(program.tensors[operand]);
      if (bytes < getBytes(program.tensors[own]))
        delayed.emplace_back(product, last);
    }
  }
  return delayed;
}

namespace {

/// Where nodes are between the places to cut a program at its products. The
/// level of a node is the number of products on the longest way to it, with
/// itself. At each level there are two places: behind its products, and in
/// front of those of the next level; between them are the operators that come
/// after the ones and lead to the others.
struct Positions {
  /// By node: twice its level, and one more between the places to cut.
  std::vector<unsigned> ofNode;
  /// By tensor: where it is computed, and needed last. Inputs are before all,
  /// and so are those whose elements are moved.
  std::vector<unsigned> begin, end;
  /// By tensor: what it is read from (getSources), all of which counts, also
  /// where it is a slice.
  std::vector<unsigned> source;
  unsigned last = 0;
};

} // namespace

static Positions getPositions(const KernelGraph &program) {
  const llvm::BitVector leading = getLeading(program);
  Positions positions;
  positions.begin.resize(program.tensors.size());
  positions.end.resize(program.tensors.size());
  positions.source = getSources(program);
  for (const KernelNode &node : program.nodes) {
    if (node.kind == KernelNode::Kind::Operator &&
        positions.source[node.results[0]] < program.numInputs) {
      positions.ofNode.push_back(0);
      continue;
    }
    unsigned at = 0;
    for (unsigned operand : node.operands)
      at = std::max(at, positions.begin[operand]);
    bool isProduct = ::isProduct(program, node);
    unsigned level = at / 2 + isProduct;
    at =
        std::max(at, 2 * level + (!isProduct && leading.test(node.results[0])));
    positions.last = std::max(positions.last, 2 * level);
    positions.ofNode.push_back(at);
    for (unsigned operand : node.operands)
      positions.end[operand] = std::max(positions.end[operand], at);
    for (unsigned result : node.results)
      positions.begin[result] = positions.end[result] = at;
  }
  for (auto [product, last] : getDelayedProducts(program)) {
    unsigned &at = positions.ofNode[product];
    if (at >= positions.ofNode[last])
      continue;
    at = positions.ofNode[last];
    const KernelNode &node = program.nodes[product];
    positions.begin[node.results[0]] = at;
    for (unsigned operand : node.operands)
      positions.end[operand] = std::max(positions.end[operand], at);
  }
  return positions;
}

unsigned mirage::getProductDepth(const KernelGraph &program) {
  return getPositions(program).last / 2;
}

/// What a part between two cuts, behind these positions, reads of what it
/// doesn't compute, and computes that is needed behind it.
static double getBytesOfPart(const KernelGraph &program,
                             const Positions &positions, unsigned from,
                             unsigned to) {
  double bytes = 0;
  llvm::BitVector isCounted(program.tensors.size());
  auto count = [&](unsigned tensor) {
    tensor = positions.source[tensor];
    if (!isCounted.test(tensor))
      bytes += getBytes(program.tensors[tensor]);
    isCounted.set(tensor);
  };
  for (auto [node, at] : llvm::zip_equal(program.nodes, positions.ofNode)) {
    if (node.kind == KernelNode::Kind::Constant)
      isCounted.set(node.results[0]);
    if (at <= from || at > to)
      continue;
    for (unsigned operand : node.operands)
      if (positions.begin[operand] <= from)
        count(operand);
    for (unsigned result : node.results)
      if (positions.end[result] > to)
        count(result);
  }
  return bytes;
}

/// How many kernels a part between two cuts takes, about: one for each level of
/// products, with what leads to them or only depends on them elementwise, and
/// one more for reductions behind the last of them.
static unsigned getKernelsOfPart(const KernelGraph &program,
                                 const Positions &positions, unsigned from,
                                 unsigned to) {
  const bool reducesLast = llvm::any_of(
      llvm::zip_equal(program.nodes, positions.ofNode), [&](auto pair) {
        auto &[node, at] = pair;
        return at == to && at % 2 == 1 &&
               node.kind == KernelNode::Kind::Operator &&
               node.op->isReduction();
      });
  return to / 2 - from / 2 + reducesLast;
}

/// The operators of a part between two cuts that are no movements.
static size_t countOperators(const KernelGraph &program,
                             const Positions &positions, unsigned from,
                             unsigned to) {
  return llvm::count_if(llvm::zip_equal(program.nodes, positions.ofNode),
                        [&](auto pair) {
                          auto &[node, at] = pair;
                          return at > from && at <= to &&
                                 node.kind == KernelNode::Kind::Operator &&
                                 !node.op->isMovement();
                        });
}

/// By node, the stage that it has at least where parts are two products deep,
/// or as deep as `deepest` if they have few operators.
static std::vector<size_t> getStages(const KernelGraph &program,
                                     unsigned deepest) {
  // What memory moves while a kernel is launched, about.
  constexpr double kBytesOfKernel = 8e6;
  // What a search may get through: attention and a product behind it have 12.
  constexpr size_t kFewOperators = 16;
  const Positions positions = getPositions(program);
  // The cheapest cuts up to each position, the last of which is there, and the
  // one before that. Where they cost the same, parts are long, and begin behind
  // a product.
  std::vector<double> cheapest(positions.last + 1, 0);
  std::vector<unsigned> before(positions.last + 1, 0);
  for (unsigned cut = 2; cut <= positions.last; ++cut) {
    cheapest[cut] = std::numeric_limits<double>::infinity();
    for (unsigned other = 0; other < cut; ++other) {
      // None in front of the first products.
      const unsigned depth = cut / 2 - other / 2;
      if (other == 1 || depth > deepest ||
          (depth > 2 &&
           countOperators(program, positions, other, cut) > kFewOperators))
        continue;
      const double bytes =
          cheapest[other] + getBytesOfPart(program, positions, other, cut) +
          kBytesOfKernel * getKernelsOfPart(program, positions, other, cut);
      if (bytes < cheapest[cut]) {
        cheapest[cut] = bytes;
        before[cut] = other;
      }
    }
  }
  std::vector<size_t> stages(program.nodes.size(), 0);
  for (unsigned cut = before[positions.last]; cut > 0; cut = before[cut])
    for (auto [stage, at] : llvm::zip_equal(stages, positions.ofNode))
      stage += at > cut;
  return stages;
}

/// Whether both operands of one of the first products are computed, and smaller
/// than the result: rotated queries and keys.
static bool areBothComputed(const KernelGraph &program,
                            const Positions &positions) {
  return llvm::any_of(program.nodes, [&](const KernelNode &node) {
    if (!isProduct(program, node))
      return false;
    auto countElements = [&](unsigned tensor) {
      return getNumElements(program.tensors[tensor].shape);
    };
    return llvm::count_if(node.operands, [&](unsigned operand) {
             return positions.begin[operand] == 1 &&
                    countElements(operand) <= countElements(node.results[0]);
           }) > 1;
  });
}

/// Whether something is reduced that leads to the first products: norms of
/// queries and keys.
static bool isReducedInFront(const KernelGraph &program,
                             const Positions &positions) {
  return llvm::any_of(
      llvm::zip_equal(program.nodes, positions.ofNode), [](auto pair) {
        auto &[node, at] = pair;
        return at == 1 && node.kind == KernelNode::Kind::Operator &&
               node.op->isReduction();
      });
}

/// By node, whether it is none of those that lead to the first products, if
/// more products depend on these. Elementwise functions are mostly better off
/// in a product's kernel, so that more must be said for it than that there are
/// some.
static std::vector<size_t> getStagesInFront(
    const KernelGraph &program,
    llvm::function_ref<bool(const KernelGraph &, const Positions &)> isWorth) {
  const Positions positions = getPositions(program);
  std::vector<size_t> stages(program.nodes.size(), 0);
  if (positions.last / 2 < 2 || !isWorth(program, positions))
    return stages;
  // What is only moved in the end is moved when it is read.
  llvm::BitVector isReadInFront(program.tensors.size());
  for (size_t n = program.nodes.size(); n-- > 0;) {
    const KernelNode &node = program.nodes[n];
    const unsigned at = positions.ofNode[n];
    const bool isRead = isReadInFront.test(node.results[0]);
    const bool isMovement =
        node.kind == KernelNode::Kind::Operator && node.op->isMovement();
    stages[n] = at > 1 || (!isRead && (at == 0 || isMovement));
    if (stages[n] == 0)
      for (unsigned operand : node.operands)
        isReadInFront.set(operand);
  }
  return stages;
}

/// By node, the half that it is in: where least is handed on from one to the
/// other, which have a third of the operators at least.
static std::vector<size_t> getHalves(const KernelGraph &program) {
  std::vector<size_t> halves(program.nodes.size(), 0);
  std::vector<size_t> lastUse(program.tensors.size(), 0);
  size_t count = 0;
  for (auto [n, node] : llvm::enumerate(program.nodes)) {
    count += node.kind != KernelNode::Kind::Constant;
    for (unsigned operand : node.operands)
      lastUse[operand] = n;
  }
  std::optional<size_t> cut;
  double least = 0;
  size_t before = 0;
  for (auto [n, node] : llvm::enumerate(program.nodes)) {
    if (node.kind == KernelNode::Kind::Constant)
      continue;
    double bytes = 0;
    for (const KernelNode &other : ArrayRef(program.nodes).take_front(n))
      if (other.kind != KernelNode::Kind::Constant)
        for (unsigned tensor : other.results)
          if (lastUse[tensor] >= n)
            bytes += getBytes(program.tensors[tensor]);
    bool isMiddle = 3 * before >= count && 3 * before <= 2 * count;
    if (before > 0 && isMiddle && (!cut || bytes < least)) {
      cut = n;
      least = bytes;
    }
    ++before;
  }
  if (cut)
    std::fill(halves.begin() + *cut, halves.end(), 1);
  return halves;
}

/// Whether a node is a reshape of an input that nothing else reads, or to an
/// output that nothing else reads: parts have what it makes as an input, or
/// compute what it is made of, as no kernel is needed for it.
static bool isAtBorder(const KernelGraph &program, const KernelNode &node) {
  if (node.kind != KernelNode::Kind::Operator || !node.op->isReinterpretation())
    return false;
  const unsigned operand = node.operands[0], result = node.results[0];
  if (program.tensors[operand].elementType !=
      program.tensors[result].elementType)
    return false;
  auto countReaders = [&](unsigned tensor) {
    return llvm::count_if(program.nodes, [&](const KernelNode &reader) {
      return llvm::is_contained(reader.operands, tensor);
    });
  };
  if (operand < program.numInputs)
    return countReaders(operand) == 1 &&
           !llvm::is_contained(program.outputs, operand);
  return countReaders(result) == 0 && countReaders(operand) == 1 &&
         !llvm::is_contained(program.outputs, operand);
}

// The stage of a node is the number of cuts on the longest way to it, so that a
// part has all that can be searched together, whatever comes between. Those of
// inputs come before all parts.
ProgramParts::ProgramParts(const KernelGraph &program, Products products)
    : program(program), producer(program.tensors.size(), -1),
      isOfEach(program.tensors.size()) {
  std::vector<size_t> stage(program.tensors.size(), 0);
  // Tensors that a part has computed with a product, with Products::Leading as
  // one; with Products::Apart, all that it has computed.
  llvm::BitVector isComputed(program.tensors.size());
  const llvm::BitVector leading = getLeading(program);
  std::vector<size_t> leastStage(program.nodes.size(), 0);
  if (products == Products::ThreeDeep)
    leastStage = getStages(program, /*deepest=*/3);
  else if (products == Products::TwoDeep)
    leastStage = getStages(program, /*deepest=*/2);
  else if (products == Products::InFront)
    leastStage = getStagesInFront(program, isReducedInFront);
  else if (products == Products::InFrontOfBoth)
    leastStage = getStagesInFront(program, areBothComputed);
  else if (products == Products::Halves)
    leastStage = getHalves(program);
  std::vector<size_t> stageOf(program.nodes.size(), 0);
  llvm::BitVector isCut(program.nodes.size()), isGiven(program.tensors.size());
  isGiven.set(0, program.numInputs);
  for (auto [n, node] : llvm::enumerate(program.nodes)) {
    for (unsigned result : node.results)
      producer[result] = n;
    // Each part has constants of its own.
    if (node.kind == KernelNode::Kind::Constant)
      continue;
    size_t at = leastStage[n];
    for (unsigned operand : node.operands)
      at = std::max(at, stage[operand]);
    if (!canFollowDims(program, node) || isAtBorder(program, node))
      isCut.set(n);
    if (isCut.test(n) && llvm::all_of(node.operands, [&](unsigned operand) {
          return isGiven.test(operand);
        })) {
      isGiven.set(node.results[0]);
      continue;
    }
    bool isProduct = ::isProduct(program, node);
    bool dependsOnProduct = llvm::any_of(node.operands, [&](unsigned operand) {
      return stage[operand] == at && isComputed.test(operand);
    });
    bool endsPart = dependsOnProduct && products >= Products::Leading &&
                    products <= Products::Apart &&
                    (isProduct || (products == Products::Leading &&
                                   leading.test(node.results[0])));
    at += isCut.test(n) || endsPart;
    stageOf[n] = at;
    for (unsigned result : node.results) {
      stage[result] = at;
      if (!isCut.test(n) &&
          (isProduct || products == Products::Apart ||
           (dependsOnProduct && !endsPart && products != Products::Leading)))
        isComputed.set(result);
    }
  }
  // Half of a program has its third of the operators, and may be nothing but a
  // function of several inputs.
  if (products != Products::Halves)
    for (auto [product, last] : getDelayedProducts(program))
      stageOf[product] = std::max(stageOf[product], stageOf[last]);
  // All that is computed in front is to be there.
  if (products != Products::InFrontOfBoth)
    delayFunctions(isCut, isGiven, stageOf,
                   /*ofSeveral=*/products != Products::Halves);
  const size_t last = stageOf.empty() ? 0 : *llvm::max_element(stageOf);
  std::vector<SmallVector<unsigned>> nodes(last + 1);
  cutsBefore.resize(last + 1);
  for (auto [n, node] : llvm::enumerate(program.nodes))
    if (node.kind != KernelNode::Kind::Constant)
      (isCut.test(n) ? cutsBefore : nodes)[stageOf[n]].push_back(n);
  for (auto [s, list] : llvm::enumerate(nodes)) {
    auto add = [&, s = s](ArrayRef<unsigned> part) {
      places.push_back({s, {}, {}, part.empty() ? 0 : part.front()});
      addPart(part);
      if (places.size() > parts.size())
        places.pop_back();
    };
    if (products == Products::Connected)
      for (ArrayRef<unsigned> connected :
           getConnected(program, list, llvm::BitVector(program.tensors.size())))
        add(connected);
    else if (products == Products::Dependent)
      for (ArrayRef<unsigned> connected : getDependent(list, isCut, stageOf))
        add(connected);
    else
      add(list);
  }
}

/// The nodes of a stage by what computed tensors connect. What inputs are moved
/// to each has by itself.
SmallVector<SmallVector<unsigned>>
ProgramParts::getDependent(ArrayRef<unsigned> nodes,
                           const llvm::BitVector &isCut,
                           ArrayRef<size_t> stageOf) {
  const std::vector<unsigned> sources = getSources(program);
  for (unsigned n : nodes) {
    const unsigned result = program.nodes[n].results[0];
    if (sources[result] < program.numInputs &&
        !llvm::is_contained(program.outputs, result))
      isOfEach.set(result);
  }
  for (auto [n, node] : llvm::enumerate(program.nodes))
    for (unsigned operand : node.operands)
      if (isCut.test(n) || producer[operand] < 0 ||
          stageOf[n] != stageOf[producer[operand]])
        isOfEach.reset(operand);

  llvm::BitVector connectsNothing = isOfEach;
  connectsNothing.set(0, program.numInputs);
  SmallVector<unsigned> others;
  for (unsigned n : nodes)
    if (!isOfEach.test(program.nodes[n].results[0]))
      others.push_back(n);
  SmallVector<SmallVector<unsigned>> lists =
      getConnected(program, others, connectsNothing);
  for (SmallVector<unsigned> &list : lists) {
    for (size_t i = 0; i < list.size(); ++i)
      for (unsigned operand : program.nodes[list[i]].operands)
        if (isOfEach.test(operand) &&
            !llvm::is_contained(list, producer[operand]))
          list.push_back(producer[operand]);
    llvm::sort(list);
  }
  return lists;
}

/// What is an input whose elements are moved, or an elementwise function of
/// inputs, and only read in later parts, goes with the first of these: it would
/// be a kernel of its own. So does an elementwise function that is larger than
/// what is computed for it: less is handed on. `isGiven`: the inputs, and what
/// is cut of them before all parts. `ofSeveral`: functions of more than one
/// tensor, too.
void ProgramParts::delayFunctions(const llvm::BitVector &isCut,
                                  const llvm::BitVector &isGiven,
                                  std::vector<size_t> &stageOf,
                                  bool ofSeveral) const {
  llvm::BitVector isOfInputs = isGiven, isConstant(program.tensors.size());
  auto isOfOne = [&](const KernelNode &node) {
    llvm::SmallDenseSet<unsigned> tensors;
    for (unsigned operand : node.operands)
      if (!isConstant.test(operand))
        tensors.insert(operand);
    return tensors.size() <= 1;
  };
  for (auto [n, node] : llvm::enumerate(program.nodes)) {
    bool isSimple =
        node.kind == KernelNode::Kind::Constant ||
        (node.kind == KernelNode::Kind::Operator && !isCut.test(n) &&
         ((node.op->isElementwise() && (ofSeveral || isOfOne(node))) ||
          node.op->isMovement()));
    if (isSimple && llvm::all_of(node.operands, [&](unsigned operand) {
          return isOfInputs.test(operand);
        }))
      isOfInputs.set(node.results[0]);
    if (node.kind == KernelNode::Kind::Constant)
      isConstant.set(node.results[0]);
  }
  auto grows = [&](const KernelNode &node) {
    if (node.kind != KernelNode::Kind::Operator || !node.op->isElementwise())
      return false;
    double bytes = 0;
    for (unsigned operand : node.operands)
      if (!isOfInputs.test(operand))
        bytes += getBytes(program.tensors[operand]);
    return bytes > 0 && getBytes(program.tensors[node.results[0]]) > bytes;
  };
  constexpr size_t kNever = std::numeric_limits<size_t>::max();
  std::vector<size_t> firstRead(program.tensors.size(), kNever);
  for (unsigned output : program.outputs)
    firstRead[output] = 0;
  for (size_t n = program.nodes.size(); n-- > 0;) {
    const KernelNode &node = program.nodes[n];
    size_t first = kNever;
    for (unsigned result : node.results)
      first = std::min(first, firstRead[result]);
    if (isGiven.test(node.results[0]))
      continue;
    if (first != kNever &&
        (isOfInputs.test(node.results[0]) || (!isCut.test(n) && grows(node))))
      stageOf[n] = std::max(stageOf[n], first);
    // Before the part that a reshape is in front of.
    for (unsigned operand : node.operands)
      firstRead[operand] =
          std::min(firstRead[operand], stageOf[n] - isCut.test(n));
  }
}

/// Makes these nodes a part; none if nobody needs what they compute.
void ProgramParts::addPart(ArrayRef<unsigned> nodes) {
  Place &place = places.back();
  std::set<unsigned> inside(nodes.begin(), nodes.end());
  auto isInside = [&](unsigned tensor) {
    return producer[tensor] >= 0 && inside.count(producer[tensor]);
  };
  auto isConstant = [&](unsigned tensor) {
    return producer[tensor] >= 0 &&
           program.nodes[producer[tensor]].kind == KernelNode::Kind::Constant;
  };
  llvm::SmallSetVector<unsigned, 4> inputs, constants, outputs;
  for (unsigned n : nodes)
    for (unsigned operand : program.nodes[n].operands)
      if (isConstant(operand))
        constants.insert(operand);
      else if (!isInside(operand))
        inputs.insert(operand);
  for (auto [n, node] : llvm::enumerate(program.nodes))
    if (!inside.count(n))
      for (unsigned operand : node.operands)
        if (isInside(operand) && !isOfEach.test(operand))
          outputs.insert(operand);
  for (unsigned output : program.outputs)
    if (isInside(output))
      outputs.insert(output);
  if (outputs.empty())
    return;
  // In the order in which they are used: the same for each of the layers of a
  // model, though some of them have what is an input to others computed.
  place.inputs = inputs.takeVector();
  // In the order in which the program has them.
  place.outputs = outputs.takeVector();
  llvm::sort(place.outputs);

  KernelGraph part;
  llvm::DenseMap<unsigned, unsigned> number;
  auto add = [&](unsigned tensor) {
    number[tensor] = part.tensors.size();
    part.tensors.push_back(program.tensors[tensor]);
  };
  for (unsigned input : place.inputs)
    add(input);
  part.numInputs = part.tensors.size();
  auto addNode = [&](KernelNode node) {
    for (unsigned &operand : node.operands)
      operand = number.at(operand);
    for (unsigned &result : node.results) {
      add(result);
      result = number.at(result);
    }
    part.nodes.push_back(std::move(node));
  };
  for (unsigned constant : constants)
    addNode(program.nodes[producer[constant]]);
  for (unsigned n : nodes)
    addNode(program.nodes[n]);
  for (unsigned output : place.outputs)
    part.outputs.push_back(number.at(output));
  parts.push_back(std::move(part));
}

bool ProgramParts::isWhole() const {
  std::set<unsigned> outputs(program.outputs.begin(), program.outputs.end());
  // Of several stages all but one may have been empty in the end.
  const bool isCut = !llvm::all_of(
      cutsBefore, [](ArrayRef<unsigned> cuts) { return cuts.empty(); });
  return parts.size() == 1 && !isCut &&
         outputs.size() == program.outputs.size() &&
         parts[0].outputs.size() == outputs.size();
}

bool ProgramParts::joinToProgram() const {
  SmallVector<const KernelGraph *> own;
  for (const KernelGraph &part : parts)
    own.push_back(&part);
  return getCanonicalText(join(own)) == getCanonicalText(program);
}

/// The node of a graph that moves the same tensor in the same way, to elements
/// of this type, if there is one.
static const KernelNode *findMoved(const KernelGraph &graph,
                                   const KernelNode &node, mlir::Type type) {
  if (node.kind != KernelNode::Kind::Operator || !node.op->isMovement())
    return nullptr;
  auto same = llvm::find_if(graph.nodes, [&](const KernelNode &other) {
    return other.kind == node.kind && other.op == node.op &&
           other.params == node.params && other.operands == node.operands &&
           graph.tensors[other.results[0]].elementType == type;
  });
  return same == graph.nodes.end() ? nullptr : &*same;
}

KernelGraph ProgramParts::join(ArrayRef<const KernelGraph *> graphs) const {
  KernelGraph whole;
  whole.numInputs = program.numInputs;
  // By the program's tensors, and by those of a part.
  llvm::DenseMap<unsigned, unsigned> number, local;
  auto add = [&](llvm::DenseMap<unsigned, unsigned> &map, unsigned tensor,
                 const KernelTensor &type) {
    map[tensor] = whole.tensors.size();
    whole.tensors.push_back(type);
  };
  for (unsigned input = 0; input < program.numInputs; ++input)
    add(number, input, program.tensors[input]);
  auto addNode = [&](KernelNode node, const KernelGraph &from,
                     llvm::DenseMap<unsigned, unsigned> &map) {
    for (unsigned &operand : node.operands)
      operand = map.at(operand);
    // What inputs are moved to may be of several parts.
    const mlir::Type type = from.tensors[node.results[0]].elementType;
    if (const KernelNode *same = findMoved(whole, node, type)) {
      map[node.results[0]] = same->results[0];
      return;
    }
    for (unsigned &result : node.results) {
      add(map, result, from.tensors[result]);
      result = map.at(result);
    }
    whole.nodes.push_back(std::move(node));
  };
  // Constants that no part has are made where they are needed, and so is what
  // inputs are moved to, if that comes later.
  std::function<unsigned(unsigned)> getNumber = [&](unsigned tensor) {
    if (!number.contains(tensor)) {
      const KernelNode &node = program.nodes[producer[tensor]];
      for (unsigned operand : node.operands)
        getNumber(operand);
      addNode(node, program, number);
    }
    return number.at(tensor);
  };
  size_t next = 0;
  for (auto [stage, cuts] : llvm::enumerate(cutsBefore)) {
    for (unsigned cut : cuts) {
      for (unsigned operand : program.nodes[cut].operands)
        getNumber(operand);
      addNode(program.nodes[cut], program, number);
    }
    for (; next < places.size() && places[next].stage == stage; ++next) {
      const KernelGraph &graph = *graphs[next];
      local.clear();
      for (auto [i, input] : llvm::enumerate(places[next].inputs))
        local[i] = getNumber(input);
      for (const KernelNode &node : graph.nodes)
        addNode(node, graph, local);
      for (auto [o, output] : llvm::enumerate(places[next].outputs))
        number[output] = local.at(graph.outputs[o]);
    }
  }
  for (unsigned output : program.outputs)
    whole.outputs.push_back(getNumber(output));
  return whole;
}
