//===- FoldedFunctions.cpp - Elementwise functions in one piece -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldedFunctions.h"
#include "Mirage/Mugraph/CanonicalProgram.h"
#include "Mirage/Operators/Custom.h"
#include "Mirage/Operators/Elementwise.h"
#include "Program.h"
#include "SafeExponentials.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Shorter functions leave the search enough to do with.
static constexpr size_t kFewestOperators = 3;

/// Of how many distinct tensors, constants apart, an operator is.
static unsigned getNumTensors(const KernelNode &node,
                              const llvm::BitVector &isConstant) {
  llvm::SmallDenseSet<unsigned> tensors;
  for (unsigned operand : node.operands)
    if (!isConstant.test(operand))
      tensors.insert(operand);
  return tensors.size();
}

static llvm::BitVector getConstants(const KernelGraph &program) {
  llvm::BitVector isConstant(program.tensors.size());
  for (const KernelNode &node : program.nodes)
    if (node.kind == KernelNode::Kind::Constant)
      isConstant.set(node.results[0]);
  return isConstant;
}

static bool isElementwise(const KernelNode &node) {
  return node.kind == KernelNode::Kind::Operator && node.op->isElementwise();
}

static bool exponentiates(const KernelNode &node) {
  return node.op && node.op->usesExponentiation(node.params);
}

/// The exponentials that have to be made safe, where a function might have one,
/// or what it is relative to might cancel there: most programs have none, and
/// it takes some evaluations to find out.
llvm::BitVector FoldedFunctions::findUnsafeIn(const KernelGraph &program,
                                              Kind kind, unsigned most,
                                              FindUnsafe findUnsafe) {
  const llvm::BitVector none(program.nodes.size());
  llvm::BitVector exponentials = none;
  for (auto [n, node] : llvm::enumerate(program.nodes))
    exponentials[n] = exponentiates(node);
  llvm::BitVector matters = findQuotients(program, exponentials);
  matters |= exponentials;
  auto haveSome = [&](const std::vector<Group> &groups) {
    return llvm::any_of(groups, [&](const Group &group) {
      return llvm::any_of(group.nodes,
                          [&](unsigned n) { return matters.test(n); });
    });
  };
  const bool isAsked =
      haveSome(findOfOne(program, most)) ||
      (kind != Kind::OfOne && haveSome(findOfSeveral(program, most, none))) ||
      (kind == Kind::Sums && haveSome(findSums(program, none)));
  return isAsked ? findUnsafe(program) : none;
}

FoldedFunctions::FoldedFunctions(const KernelGraph &given, Kind kind,
                                 unsigned most, FindUnsafe findUnsafe) {
  const KernelGraph program = getCanonicalProgram(given);
  const llvm::BitVector unsafe = findUnsafeIn(program, kind, most, findUnsafe),
                        quotients = findQuotients(program, unsafe);
  std::vector<Group> groups;
  // Those that are not a part of one that comes first.
  llvm::BitVector isTaken(program.nodes.size());
  auto add = [&](std::vector<Group> others) {
    for (Group &group : others) {
      if (llvm::any_of(group.nodes, [&](unsigned n) {
            return isTaken.test(n) || unsafe.test(n);
          }))
        continue;
      for (unsigned n : group.nodes)
        isTaken.set(n);
      groups.push_back(std::move(group));
    }
  };
  if (kind != Kind::OfOne)
    add(findOfSeveral(program, most, quotients));
  add(findOfOne(program, most));
  // Those that are left: a program without any would be folded without end.
  hasOfKind = llvm::any_of(groups, [&](const Group &group) {
    return kind == Kind::OfOne || group.operands.size() > 1;
  });
  if (kind == Kind::Sums) {
    const size_t before = groups.size();
    add(findSums(program, quotients));
    hasOfKind = groups.size() > before;
  }
  fold(program, groups);
}

/// How many of a function's operators are of several tensors: those that count.
unsigned FoldedFunctions::countOfSeveral(const KernelGraph &program,
                                         const Group &group,
                                         const llvm::BitVector &isConstant) {
  return llvm::count_if(group.nodes, [&](unsigned n) {
    return getNumTensors(program.nodes[n], isConstant) > 1;
  });
}

std::vector<FoldedFunctions::Group>
FoldedFunctions::findOfOne(const KernelGraph &program, unsigned most) {
  // The tensor that each one is an elementwise function of: itself, if of
  // several others or of another shape.
  size_t numTensors = program.tensors.size();
  std::vector<unsigned> root(numTensors);
  std::vector<SmallVector<unsigned>> nodesOf(numTensors);
  const llvm::BitVector isConstant = getConstants(program);
  for (unsigned t = 0; t < numTensors; ++t)
    root[t] = t;
  for (auto [n, node] : llvm::enumerate(program.nodes)) {
    unsigned result = node.results[0];
    if (!isElementwise(node))
      continue;
    llvm::SmallSetVector<unsigned, 2> roots;
    for (unsigned operand : node.operands)
      if (!isConstant.test(operand))
        roots.insert(root[operand]);
    if (roots.size() != 1 ||
        program.tensors[roots[0]].shape != program.tensors[result].shape)
      continue;
    root[result] = roots[0];
    nodesOf[roots[0]].push_back(n);
  }
  // What is used outside of each function.
  std::vector<SmallVector<unsigned>> results(numTensors);
  auto use = [&](unsigned tensor, unsigned by) {
    if (root[tensor] != tensor && by != root[tensor] &&
        !llvm::is_contained(results[root[tensor]], tensor))
      results[root[tensor]].push_back(tensor);
  };
  for (const KernelNode &node : program.nodes)
    for (unsigned operand : node.operands)
      use(operand, root[node.results[0]]);
  for (unsigned output : program.outputs)
    use(output, output);

  std::vector<Group> groups;
  for (unsigned t = 0; t < numTensors; ++t) {
    if (results[t].size() != 1 || nodesOf[t].size() < kFewestOperators)
      continue;
    Group &group = groups.emplace_back();
    group.operands = {t};
    // All lead to the one that is used, which so comes last.
    group.nodes = nodesOf[t];
  }
  llvm::erase_if(groups, [&](const Group &group) {
    return countOfSeveral(program, group, isConstant) > most;
  });
  return groups;
}

std::vector<FoldedFunctions::Group>
FoldedFunctions::findOfSeveral(const KernelGraph &program, unsigned most,
                               const llvm::BitVector &staysApart) {
  const llvm::BitVector isConstant = getConstants(program);
  std::vector<SmallVector<unsigned>> users(program.tensors.size());
  for (auto [n, node] : llvm::enumerate(program.nodes))
    for (unsigned operand : node.operands)
      users[operand].push_back(n);
  llvm::BitVector isOutput(program.tensors.size());
  for (unsigned output : program.outputs)
    isOutput.set(output);
  const llvm::BitVector isInput = findMovedInputs(program);

  // The last operator of the function that each one belongs to: the only one
  // of which something is used outside.
  constexpr unsigned kNone = ~0u;
  const unsigned numNodes = program.nodes.size();
  std::vector<unsigned> last(numNodes, kNone);
  // Whether what is computed leads to outputs only by such functions.
  llvm::BitVector endsProgram(numNodes);
  std::vector<Group> groups(numNodes);
  for (unsigned n = numNodes; n-- > 0;) {
    const KernelNode &node = program.nodes[n];
    if (!isElementwise(node) || staysApart.test(n))
      continue;
    const unsigned result = node.results[0];
    auto isOfOneUser = [&](unsigned user) {
      return last[user] != kNone && last[user] == last[users[result][0]];
    };
    if (!isOutput.test(result) && !users[result].empty() &&
        llvm::all_of(users[result], isOfOneUser)) {
      last[n] = last[users[result][0]];
    } else {
      last[n] = n;
      endsProgram[n] = llvm::all_of(users[result], [&](unsigned user) {
        return last[user] != kNone && endsProgram.test(last[user]);
      });
    }
    groups[last[n]].nodes.push_back(n);
  }
  for (Group &group : groups) {
    if (group.nodes.empty())
      continue;
    std::reverse(group.nodes.begin(), group.nodes.end());
    llvm::SmallSetVector<unsigned, 4> operands;
    for (unsigned n : group.nodes)
      for (unsigned operand : program.nodes[n].operands)
        if (!isConstant.test(operand))
          operands.insert(operand);
    for (unsigned n : group.nodes)
      operands.remove(program.nodes[n].results[0]);
    group.operands.assign(operands.begin(), operands.end());
  }
  llvm::erase_if(groups, [&](const Group &group) {
    if (group.nodes.empty() || group.operands.size() < 2)
      return true;
    const bool isOfInputs = llvm::all_of(group.operands, [&](unsigned operand) {
      return isInput.test(operand);
    });
    // Of what it begins with, exponentials may have to become safe.
    const bool hasExponentials = llvm::any_of(group.nodes, [&](unsigned n) {
      return exponentiates(program.nodes[n]);
    });
    const bool isAtAnEnd = endsProgram.test(group.nodes.back()) ||
                           (isOfInputs && !hasExponentials);
    const unsigned count = countOfSeveral(program, group, isConstant);
    return !isAtAnEnd || count < kFewestOperators || count > most;
  });
  return groups;
}

/// Whether its abstract expression is a sum, as that of a difference is.
static bool isSum(const KernelGraph &program, const KernelNode &node) {
  ExprContext context;
  SmallVector<Shape> shapes;
  SmallVector<Expr> operands;
  for (unsigned operand : node.operands) {
    shapes.push_back(program.tensors[operand].shape);
    operands.push_back(context.variable(std::to_string(operand)));
  }
  const Expr expr = node.op->getExpr(context, shapes, operands, node.params);
  return expr && context.getNode(expr).kind == ExprNode::Kind::Add;
}

std::vector<FoldedFunctions::Group>
FoldedFunctions::findSums(const KernelGraph &program,
                          const llvm::BitVector &staysApart) {
  const llvm::BitVector isConstant = getConstants(program);
  // What exponentials are taken of, by way of elementwise operators.
  llvm::BitVector isExponent(program.tensors.size());
  std::vector<Group> groups;
  for (unsigned n = program.nodes.size(); n-- > 0;) {
    const KernelNode &node = program.nodes[n];
    if (!isElementwise(node))
      continue;
    if (exponentiates(node) || isExponent.test(node.results[0])) {
      for (unsigned operand : node.operands)
        isExponent.set(operand);
      continue;
    }
    if (staysApart.test(n) || getNumTensors(node, isConstant) != 2 ||
        !isSum(program, node))
      continue;
    Group &group = groups.emplace_back();
    group.nodes = {n};
    group.operands.assign(node.operands.begin(), node.operands.end());
  }
  return groups;
}

/// Makes the program with functions in the place of groups, and without the
/// constants that only these read.
void FoldedFunctions::fold(const KernelGraph &program, ArrayRef<Group> groups) {
  std::vector<const Group *> groupOf(program.nodes.size());
  for (const Group &group : groups)
    for (unsigned n : group.nodes)
      groupOf[n] = &group;
  std::vector<KernelNode> nodes;
  llvm::BitVector isRead(program.tensors.size());
  for (auto [n, node] : llvm::enumerate(program.nodes)) {
    const Group *group = groupOf[n];
    if (group && group->nodes.back() != n)
      continue;
    KernelNode &kept = nodes.emplace_back(node);
    if (group) {
      kept.op = &getOperator("custom");
      kept.operands.assign(group->operands.begin(), group->operands.end());
      kept.params = {define(program, *group)};
    }
    for (unsigned operand : kept.operands)
      isRead.set(operand);
  }
  folded.numInputs = program.numInputs;
  std::vector<unsigned> number(program.tensors.size());
  auto add = [&](unsigned tensor) {
    number[tensor] = folded.tensors.size();
    folded.tensors.push_back(program.tensors[tensor]);
  };
  for (unsigned input = 0; input < program.numInputs; ++input)
    add(input);
  for (KernelNode &node : nodes) {
    unsigned &result = node.results[0];
    if (node.kind == KernelNode::Kind::Constant && !isRead.test(result))
      continue;
    for (unsigned &operand : node.operands)
      operand = number[operand];
    add(result);
    result = number[result];
    folded.nodes.push_back(std::move(node));
  }
  for (unsigned output : program.outputs)
    folded.outputs.push_back(number[output]);
}

/// Of what stands in a program there, the number of an operator that computes
/// it.
int64_t FoldedFunctions::define(const KernelGraph &program,
                                const Group &group) {
  Function function;
  function.numOperands = group.operands.size();
  llvm::DenseMap<unsigned, unsigned> number;
  for (auto [i, operand] : llvm::enumerate(group.operands))
    number[operand] = i;
  std::string text;
  llvm::raw_string_ostream out(text);
  auto add = [&](const KernelNode &node) {
    Step &step = function.steps.emplace_back();
    step.op = node.op;
    step.params = node.params;
    step.constant = node.constant;
    step.elementType = program.tensors[node.results[0]].elementType;
    for (unsigned from : node.operands)
      step.operands.push_back(number.at(from));
    const unsigned next = number.size();
    number[node.results[0]] = next;
    out << (node.op ? node.op->getName() : "constant") << ' '
        << llvm::bit_cast<uint64_t>(node.constant);
    for (int64_t param : node.params)
      out << ' ' << param;
    for (unsigned from : step.operands)
      out << " %" << from;
    out << ' ' << step.elementType << '\n';
  };
  llvm::DenseMap<unsigned, const KernelNode *> constants;
  for (const KernelNode &node : program.nodes)
    if (node.kind == KernelNode::Kind::Constant)
      constants[node.results[0]] = &node;
  for (unsigned n : group.nodes) {
    const KernelNode &node = program.nodes[n];
    for (unsigned from : node.operands)
      if (!number.contains(from))
        add(*constants.at(from));
    add(node);
  }
  int64_t name = internFunctionName("mirage_folded_" +
                                    llvm::utohexstr(llvm::xxh3_64bits(text)));
  defineFunction(name, [function](ScalarAlgebra &algebra,
                                  ArrayRef<ScalarAlgebra::Term> operands) {
    std::vector<ScalarAlgebra::Term> terms(operands);
    for (const Step &step : function.steps) {
      SmallVector<ScalarAlgebra::Term> read;
      for (unsigned operand : step.operands)
        read.push_back(terms[operand]);
      terms.push_back(
          step.op
              ? static_cast<const ElementwiseOperator *>(step.op)->getFormula(
                    algebra, read, step.params)
              : algebra.constant(step.constant));
    }
    return terms.back();
  });
  functions[name] = std::move(function);
  return name;
}

/// The function that a folded graph's operator stands for, or null.
const FoldedFunctions::Function *
FoldedFunctions::find(const Operator *op, const Params &params) const {
  if (!op || !op->isOpaque())
    return nullptr;
  auto found = functions.find(params[0]);
  return found == functions.end() ? nullptr : &found->second;
}

Shape FoldedFunctions::getShape(const Step &step, ArrayRef<Shape> operands) {
  Shape shape;
  if (step.op)
    step.op->inferShape(operands, step.params, shape);
  return shape;
}

KernelGraph FoldedFunctions::unfold(const KernelGraph &graph) const {
  KernelGraph result;
  result.numInputs = graph.numInputs;
  std::vector<unsigned> number(graph.tensors.size());
  auto add = [&](KernelTensor tensor) -> unsigned {
    result.tensors.push_back(std::move(tensor));
    return result.tensors.size() - 1;
  };
  for (unsigned input = 0; input < graph.numInputs; ++input)
    number[input] = add(graph.tensors[input]);
  for (const KernelNode &node : graph.nodes) {
    const Function *function = find(node.op, node.params);
    if (!function) {
      KernelNode copy = node;
      if (copy.graph)
        copy.graph = unfold(*copy.graph);
      for (unsigned &operand : copy.operands)
        operand = number[operand];
      for (unsigned &to : copy.results)
        to = number[to] = add(graph.tensors[to]);
      result.nodes.push_back(std::move(copy));
      continue;
    }
    SmallVector<unsigned> steps;
    for (unsigned operand : node.operands)
      steps.push_back(number[operand]);
    for (const Step &step : function->steps) {
      KernelNode next;
      next.kind =
          step.op ? KernelNode::Kind::Operator : KernelNode::Kind::Constant;
      next.op = step.op;
      next.params = step.params;
      next.constant = step.constant;
      SmallVector<Shape> shapes;
      for (unsigned operand : step.operands) {
        next.operands.push_back(steps[operand]);
        shapes.push_back(result.tensors[steps[operand]].shape);
      }
      steps.push_back(add({getShape(step, shapes), step.elementType}));
      next.results = {steps.back()};
      result.nodes.push_back(std::move(next));
    }
    result.tensors[steps.back()] = graph.tensors[node.results[0]];
    number[node.results[0]] = steps.back();
  }
  for (unsigned output : graph.outputs)
    result.outputs.push_back(number[output]);
  return result;
}

std::shared_ptr<const BlockGraph>
FoldedFunctions::unfold(const BlockGraph &graph) const {
  auto result = std::make_shared<BlockGraph>(graph);
  result->nodes.clear();
  std::vector<unsigned> number;
  for (const BlockNode &node : graph.nodes) {
    BlockNode copy = node;
    // An iterator's operand is an input of the kernel.
    if (node.kind != BlockNode::Kind::InputIterator)
      for (unsigned &operand : copy.operands)
        operand = number[operand];
    if (const Function *function = find(node.op, node.params)) {
      SmallVector<unsigned> steps(copy.operands.begin(), copy.operands.end());
      for (const Step &step : function->steps) {
        BlockNode next;
        next.kind =
            step.op ? BlockNode::Kind::Operator : BlockNode::Kind::Constant;
        next.inLoop = node.inLoop;
        next.op = step.op;
        next.params = step.params;
        next.constant = step.constant;
        SmallVector<Shape> shapes;
        for (unsigned operand : step.operands) {
          next.operands.push_back(steps[operand]);
          shapes.push_back(result->nodes[steps[operand]].shape);
        }
        next.shape = getShape(step, shapes);
        steps.push_back(result->nodes.size());
        result->nodes.push_back(std::move(next));
      }
      result->nodes.back().elementType = node.elementType;
      number.push_back(steps.back());
      continue;
    }
    number.push_back(result->nodes.size());
    result->nodes.push_back(std::move(copy));
  }
  return result;
}
