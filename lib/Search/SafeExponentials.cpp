//===- SafeExponentials.cpp - Exponentials of differences -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SafeExponentials.h"
#include "Mirage/Mugraph/CanonicalProgram.h"
#include "Mirage/Operators/Operator.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include <limits>
#include <optional>
#include <vector>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// Adds nodes to a graph, each with one result in f32.
class NodeBuilder {
public:
  /// They come before the node that is `position`th now.
  NodeBuilder(KernelGraph &graph, size_t position)
      : graph(graph), position(position) {}

  unsigned add(llvm::StringRef op, ArrayRef<unsigned> operands,
               const Shape &shape, const Params &params = {}) {
    KernelNode node;
    node.op = &getOperator(op);
    node.operands.assign(operands.begin(), operands.end());
    node.params = params;
    node.results = {static_cast<unsigned>(graph.tensors.size())};
    mlir::MLIRContext *context = graph.tensors.front().elementType.getContext();
    graph.tensors.push_back({shape, mlir::Float32Type::get(context)});
    graph.nodes.insert(graph.nodes.begin() + position++, node);
    return node.results[0];
  }

private:
  KernelGraph &graph;
  size_t position;
};

} // namespace

/// The graph with what node n takes the exponential of replaced by
/// x - reduce_max(x).
static KernelGraph shiftExponential(const KernelGraph &graph, size_t n,
                                    unsigned x, int64_t dim) {
  KernelGraph result = graph;
  const Shape shape = graph.tensors[x].shape;
  Shape reduced = shape;
  reduced[dim] = 1;
  NodeBuilder builder(result, n);
  unsigned max = builder.add("reduce_max", {x}, reduced, {dim});
  unsigned difference = builder.add("sub", {x, max}, shape);
  result.nodes[n + 2].operands[0] = difference;
  // What was shifted by may be dead now.
  return getCanonicalProgram(result);
}

static const KernelNode *getProducer(const KernelGraph &graph,
                                     unsigned tensor) {
  for (const KernelNode &node : graph.nodes)
    if (llvm::is_contained(node.results, tensor))
      return &node;
  return nullptr;
}

/// Whether a tensor is the maximum of another over one dimension or several.
static bool isMaximumOf(const KernelGraph &graph, unsigned tensor, unsigned x) {
  const KernelNode *node = getProducer(graph, tensor);
  return node && node->op == &getOperator("reduce_max") &&
         (node->operands[0] == x || isMaximumOf(graph, node->operands[0], x));
}

/// The maximum of x that a tensor is, or that it is the greater one of and of
/// something else.
static std::optional<unsigned> findMaximumIn(const KernelGraph &graph,
                                             unsigned tensor, unsigned x) {
  if (isMaximumOf(graph, tensor, x))
    return tensor;
  const KernelNode *node = getProducer(graph, tensor);
  if (node &&
      (node->op == &getOperator("max") || node->op == &getOperator("relu")))
    for (unsigned operand : node->operands)
      if (auto found = findMaximumIn(graph, operand, x))
        return found;
  return std::nullopt;
}

/// exp(x - n) as exp(x - m) exp(m - n), where n is the maximum m of x or
/// something greater (a sink that attention has beside the keys): both are 1 at
/// most, and parts of x can be added up before m is known.
static KernelGraph splitExponential(const KernelGraph &graph, size_t node,
                                    unsigned x, unsigned m, unsigned n) {
  KernelGraph result = graph;
  const Shape &shape = graph.tensors[x].shape, &rest = graph.tensors[n].shape;
  NodeBuilder builder(result, node);
  unsigned difference = builder.add("sub", {x, m}, shape);
  unsigned relative = builder.add("exp", {difference}, shape);
  unsigned distance = builder.add("sub", {m, n}, rest);
  unsigned factor = builder.add("exp", {distance}, rest);
  KernelNode &product = result.nodes[node + 4];
  product.op = &getOperator("mul");
  product.operands = {relative, factor};
  return getCanonicalProgram(result);
}

/// What is no power of an exponential's factor.
static constexpr int kNoPower = std::numeric_limits<int>::max();

/// The power to which a factor of an exponential is a factor of a node's
/// result, given those of its operands; 0 where it has cancelled.
static int getPower(const KernelNode &node,
                    ArrayRef<std::optional<int>> powers) {
  if (node.kind != KernelNode::Kind::Operator)
    return kNoPower;
  // A sum of what has it is a multiple of it.
  auto isSame = [&](unsigned operand) {
    return powers[operand] && powers[operand] == powers[node.operands[0]];
  };
  const bool adds =
      llvm::all_of(llvm::seq<size_t>(0, node.operands.size()), [&](size_t i) {
        return node.op->isLinearIn(i) && !node.op->isHomogeneousIn(i);
      });
  if ((adds || node.op->isMovement()) && llvm::all_of(node.operands, isSame))
    return *powers[node.operands[0]];
  int sum = 0;
  for (auto [i, operand] : llvm::enumerate(node.operands)) {
    const std::optional<int> power = powers[operand];
    if (!power)
      continue;
    const bool isDivisor = node.op->isQuotient() && i == 1;
    if (power == kNoPower || !(isDivisor || node.op->isHomogeneousIn(i)))
      return kNoPower;
    sum += isDivisor ? -*power : *power;
  }
  return sum;
}

llvm::BitVector mirage::findQuotients(const KernelGraph &program,
                                      const llvm::BitVector &exponentials) {
  llvm::BitVector quotients(program.nodes.size());
  for (unsigned exponential : exponentials.set_bits()) {
    // None: doesn't depend on what it is relative to.
    std::vector<std::optional<int>> powers(program.tensors.size());
    powers[program.nodes[exponential].results[0]] = 1;
    for (unsigned n = exponential + 1; n < program.nodes.size(); ++n) {
      const KernelNode &node = program.nodes[n];
      const auto count = llvm::count_if(node.operands, [&](unsigned operand) {
        return powers[operand].has_value();
      });
      if (count == 0)
        continue;
      if (count > 1)
        quotients.set(n);
      if (const int power = getPower(node, powers); power != 0)
        for (unsigned result : node.results)
          powers[result] = power;
    }
  }
  return quotients;
}

/// Whether something is computed of two things that depend on an exponential,
/// as the quotient of a softmax is. Where nothing is, what it is relative to
/// can't cancel.
static bool mayCancel(const KernelGraph &graph, size_t exponential) {
  llvm::BitVector only(graph.nodes.size());
  only.set(exponential);
  return findQuotients(graph, only).any();
}

static bool isConstant(const KernelGraph &graph, unsigned tensor) {
  const KernelNode *node = getProducer(graph, tensor);
  return node && node->kind == KernelNode::Kind::Constant;
}

/// How many nodes come in front of the exponential then.
static constexpr size_t kNumMultiplyingOut = 3;

/// The graph with exp(c x - c m) for exp(c (x - m)), which is node n; none if
/// it is of something else.
static std::optional<KernelGraph> multiplyOut(const KernelGraph &graph,
                                              size_t n) {
  const KernelNode *scale = getProducer(graph, graph.nodes[n].operands[0]);
  if (!scale ||
      (scale->op != &getOperator("mul") && scale->op != &getOperator("div")))
    return std::nullopt;
  // What is divided comes first.
  const bool isFirst =
      scale->op == &getOperator("mul") && isConstant(graph, scale->operands[0]);
  const unsigned number = scale->operands[isFirst ? 0 : 1];
  const KernelNode *difference =
      getProducer(graph, scale->operands[isFirst ? 1 : 0]);
  if (!isConstant(graph, number) || !difference ||
      difference->op != &getOperator("sub"))
    return std::nullopt;
  KernelGraph result = graph;
  NodeBuilder builder(result, n);
  SmallVector<unsigned, 2> scaled;
  for (unsigned operand : difference->operands)
    scaled.push_back(builder.add(scale->op->getName(), {operand, number},
                                 graph.tensors[operand].shape));
  const Shape &shape = graph.tensors[scale->results[0]].shape;
  result.nodes[n + kNumMultiplyingOut].operands[0] =
      builder.add("sub", scaled, shape);
  return result;
}

/// Whether something adds up, or multiplies and adds up, what is computed of a
/// tensor along a dimension. True where that can't be followed.
static bool isReduced(const KernelGraph &graph, unsigned tensor, int64_t dim) {
  using Dim = std::pair<unsigned, int64_t>;
  llvm::SmallSetVector<Dim, 8> todo;
  todo.insert({tensor, dim});
  for (size_t i = 0; i < todo.size(); ++i) {
    auto [from, ofFrom] = todo[i];
    for (const KernelNode &node : graph.nodes)
      for (auto [o, operand] : llvm::enumerate(node.operands)) {
        if (operand != from)
          continue;
        if (!node.op)
          return true;
        SmallVector<Shape> shapes;
        for (unsigned other : node.operands)
          shapes.push_back(graph.tensors[other].shape);
        auto space = node.op->getIterationSpace(shapes, node.params);
        const unsigned result = node.results[0];
        const int64_t rank = graph.tensors[result].shape.size();
        const int loop =
            space ? space->operandLoops[o][ofFrom] : IterationSpace::kNoLoop;
        if (loop == IterationSpace::kNoLoop || loop >= rank)
          return true;
        todo.insert({result, loop});
      }
  }
  return false;
}

/// Whether an exponential is one of x - m, or of that times a positive number,
/// where m is the greater one of x and of something else: 1 at most.
static bool isAtMostOne(const KernelGraph &graph,
                        const KernelNode &exponential) {
  const KernelNode *difference = getProducer(graph, exponential.operands[0]);
  auto isPositive = [&](unsigned tensor) {
    const KernelNode *number = getProducer(graph, tensor);
    return number && number->kind == KernelNode::Kind::Constant &&
           number->constant > 0;
  };
  if (difference && difference->op == &getOperator("mul") &&
      isPositive(difference->operands[0]))
    difference = getProducer(graph, difference->operands[1]);
  else if (difference &&
           (difference->op == &getOperator("mul") ||
            difference->op == &getOperator("div")) &&
           isPositive(difference->operands[1]))
    difference = getProducer(graph, difference->operands[0]);
  if (!difference || !difference->op || !difference->op->isDifference())
    return false;
  const KernelNode *m = getProducer(graph, difference->operands[1]);
  return m && m->op == &getOperator("max") &&
         llvm::is_contained(m->operands, difference->operands[0]);
}

/// The graph with the exponential that is node n shifted or split; none if it
/// is relative to a maximum of its own already, or can't be.
static std::optional<KernelGraph>
makeSafe(const KernelGraph &graph, size_t n,
         llvm::function_ref<bool(const KernelGraph &)> isEqual) {
  if (isAtMostOne(graph, graph.nodes[n]))
    return std::nullopt;
  if (auto out = multiplyOut(graph, n))
    return makeSafe(*out, n + kNumMultiplyingOut, isEqual);
  unsigned x = graph.nodes[n].operands[0];
  std::optional<unsigned> subtracted;
  // exp(x - m): whatever m is, perhaps the maximum of x serves as well, unless
  // m is what gives the difference its shape.
  if (const KernelNode *node = getProducer(graph, x);
      node && node->op == &getOperator("sub") &&
      graph.tensors[node->operands[0]].shape == graph.tensors[x].shape) {
    x = node->operands[0];
    subtracted = node->operands[1];
    const KernelNode *m = getProducer(graph, *subtracted);
    if (m && m->op == &getOperator("reduce_max") && m->operands[0] == x)
      return std::nullopt;
  }
  const Shape shape = graph.tensors[x].shape;
  const bool isTried = mayCancel(graph, n);
  for (size_t dim = shape.size(); isTried && dim-- > 0;) {
    // Maxima of what has nothing to do with each other, as of all heads, make
    // 0 / 0 of e / e.
    if (shape[dim] == 1 || !isReduced(graph, graph.nodes[n].results[0], dim))
      continue;
    KernelGraph attempt = shiftExponential(graph, n, x, dim);
    if (isEqual(attempt))
      return attempt;
  }
  std::optional<unsigned> m =
      subtracted ? findMaximumIn(graph, *subtracted, x) : std::nullopt;
  if (!m || m == subtracted)
    return std::nullopt;
  return splitExponential(graph, n, x, *m, *subtracted);
}

static bool isExponential(const KernelNode &node) {
  return node.op == &getOperator("exp");
}

llvm::BitVector mirage::findUnsafeExponentials(
    const KernelGraph &program,
    llvm::function_ref<bool(const KernelGraph &)> isEqual) {
  llvm::BitVector unsafe(program.nodes.size());
  for (size_t n = 0; n < program.nodes.size(); ++n)
    unsafe[n] =
        isExponential(program.nodes[n]) && makeSafe(program, n, isEqual);
  return unsafe;
}

KernelGraph mirage::makeExponentialsSafe(
    const KernelGraph &program,
    llvm::function_ref<bool(const KernelGraph &)> isEqual) {
  KernelGraph result = program;
  // From the end each time: nodes come and go, with what was subtracted the
  // exponentials in it.
  for (size_t n = result.nodes.size(); n > 0;) {
    std::optional<KernelGraph> safe;
    if (isExponential(result.nodes[--n]))
      safe = makeSafe(result, n, isEqual);
    if (!safe)
      continue;
    result = std::move(*safe);
    n = result.nodes.size();
  }
  return result;
}
