//===- RoundedTiles.cpp - Tiles that are rounded for products -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundedTiles.h"
#include "Mirage/Dialect/Mirage/Mirage.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::BitVector;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Tensors of a program
//===----------------------------------------------------------------------===//

/// What is multiplied by so much is rounded like the program's tensor. It
/// overflows no sooner; what is lost where f16 has fewer bits, below 2^-14,
/// grows by the factor's inverse. Scores are scaled by the root of a head's
/// size.
static constexpr double kLeastScale = 0x1p-6;

/// By tensor, whether it has 16 bits and elementwise operators compute it, or
/// it is such a one, moved.
static BitVector findComputed(const KernelGraph &program) {
  BitVector isComputed(program.tensors.size());
  for (const KernelNode &node : program.nodes) {
    if (node.kind != KernelNode::Kind::Operator ||
        program.tensors[node.results[0]].elementType.getIntOrFloatBitWidth() !=
            16)
      continue;
    const bool isMoved = node.op->isMovement() &&
                         llvm::all_of(node.operands, [&](unsigned operand) {
                           return isComputed.test(operand);
                         });
    if (node.op->isElementwise() || isMoved)
      isComputed.set(node.results[0]);
  }
  return isComputed;
}

std::vector<RoundedTensor> mirage::findRoundedTensors(
    const SearchProgram &program, const KernelGraph &labels,
    ArrayRef<unsigned> tensors, ArrayRef<Tensor> values) {
  const KernelGraph &target = program.target;
  // By contents; null: the program keeps the same in several types.
  llvm::DenseMap<uint64_t, mlir::Type> types;
  for (auto [t, value] : llvm::zip(tensors, values)) {
    const mlir::Type type = target.tensors[t].elementType;
    auto [known, isNew] = types.try_emplace(hashContent(value), type);
    if (!isNew && known->second != type)
      known->second = nullptr;
  }
  std::vector<RoundedTensor> rounded;
  const BitVector isComputed = findComputed(target);
  for (auto [t, value] : llvm::zip(tensors, values)) {
    if (!isComputed.test(t))
      continue;
    auto add = [&, t = t](Tensor tensor) {
      const mlir::Type type = target.tensors[t].elementType;
      auto known = types.find(hashContent(tensor));
      if (known == types.end() || known->second == type)
        rounded.push_back({labels.tensors[t].shape, std::move(tensor), type});
    };
    add(value);
    for (double constant : program.constants)
      if (std::abs(constant) >= kLeastScale && std::abs(constant) < 1)
        add(program.field->mul(
            value, broadcast(program.field->constant(constant), value.shape)));
  }
  return rounded;
}

//===----------------------------------------------------------------------===//
// Values of a graph
//===----------------------------------------------------------------------===//

namespace {

class RoundedValues {
public:
  RoundedValues(const ValueGraph &graph, const SearchProgram &program,
                const KernelProblem &problem, const Placement &placement)
      : values(graph.values), program(program), problem(problem),
        placement(placement) {}

  /// The values that may be rounded: what products read, but for those of which
  /// exponentials are taken and that have another way.
  BitVector findFactors() const;
  /// The program's tensor that a value is a tile of, or null.
  const RoundedTensor *findTensor(const Value &value) const;

private:
  bool isInput(const Value &value) const;
  BitVector findLeast(
      llvm::function_ref<bool(const Value &, const BitVector &found)> follows)
      const;
  BitVector findExact() const;
  BitVector findExponents() const;
  BitVector findFactors(const BitVector &of) const;

  const std::deque<Value> &values;
  const SearchProgram &program;
  const KernelProblem &problem;
  const Placement &placement;
};

} // namespace

const RoundedTensor *RoundedValues::findTensor(const Value &value) const {
  auto tensor =
      llvm::find_if(program.rounded, [&](const RoundedTensor &rounded) {
        return isTileOf(value, rounded.label, rounded.value, placement,
                        program.roles);
      });
  return tensor == program.rounded.end() ? nullptr : &*tensor;
}

/// Whether it is loaded in 16 bits, as the program is given it: what another
/// kernel has computed was rounded.
bool RoundedValues::isInput(const Value &value) const {
  if (value.iterator < 0)
    return false;
  const SearchTensor &tensor =
      *problem.inputs[placement.iterators[value.iterator].input];
  return tensor.isInput() && tensor.elementType.getIntOrFloatBitWidth() == 16;
}

/// The least set of values with all that follow from it.
BitVector RoundedValues::findLeast(
    llvm::function_ref<bool(const Value &, const BitVector &)> follows) const {
  BitVector found(values.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [v, value] : llvm::enumerate(values))
      if (!found.test(v) && follows(value, found)) {
        found.set(v);
        changed = true;
      }
  }
  return found;
}

static bool hasAll(const BitVector &set, ArrayRef<unsigned> members) {
  return llvm::all_of(members, [&](unsigned v) { return set.test(v); });
}

/// The values that can be computed with all products on tensor cores though
/// nothing is rounded.
BitVector RoundedValues::findExact() const {
  const BitVector inputs =
      findLeast([&](const Value &value, const BitVector &found) {
        return isInput(value) ||
               llvm::any_of(value.edges, [&](const ValueEdge &edge) {
                 return edge.isMovement() && hasAll(found, edge.operands);
               });
      });
  auto isOnTensorCores = [&](const ValueEdge &edge) {
    return llvm::any_of(edge.operands,
                        [&](unsigned v) { return inputs.test(v); });
  };
  return findLeast([&](const Value &value, const BitVector &found) {
    return value.edges.empty() ||
           llvm::any_of(value.edges, [&](const ValueEdge &edge) {
             return hasAll(found, edge.operands) &&
                    (!edge.isProduct() || isOnTensorCores(edge));
           });
  });
}

/// The values of which exponentials may be taken, or of what elementwise
/// operators make of them, or of their sums over a loop: there absolute errors
/// become relative ones.
BitVector RoundedValues::findExponents() const {
  BitVector exponents(values.size());
  SmallVector<unsigned> todo;
  auto add = [&](ArrayRef<unsigned> operands) {
    for (unsigned operand : operands)
      if (!exponents.test(operand)) {
        exponents.set(operand);
        todo.push_back(operand);
      }
  };
  for (const Value &value : values)
    for (const ValueEdge &edge : value.edges)
      if (edge.op && edge.op->usesExponentiation(edge.params))
        add(edge.operands);
  while (!todo.empty())
    for (const ValueEdge &edge : values[todo.pop_back_val()].edges)
      if (!edge.op || edge.isElementwise() || edge.isMovement())
        add(edge.operands);
  return exponents;
}

/// The values that products read which compute one of these, moved perhaps.
BitVector RoundedValues::findFactors(const BitVector &of) const {
  SmallVector<unsigned> todo;
  for (unsigned v : of.set_bits())
    for (const ValueEdge &edge : values[v].edges)
      if (edge.isProduct())
        llvm::append_range(todo, edge.operands);
  BitVector factors(values.size());
  while (!todo.empty()) {
    const unsigned v = todo.pop_back_val();
    if (factors.test(v))
      continue;
    factors.set(v);
    for (const ValueEdge &edge : values[v].edges)
      if (edge.isMovement())
        llvm::append_range(todo, edge.operands);
  }
  return factors;
}

BitVector RoundedValues::findFactors() const {
  BitVector keptExact = findExact();
  keptExact &= findExponents();
  BitVector others = keptExact;
  others.flip();
  BitVector factors = findFactors(others);
  factors.reset(findFactors(keptExact));
  return factors;
}

void mirage::setRoundedTypes(ValueGraph &graph, const SearchProgram &program,
                             const KernelProblem &problem,
                             const Placement &placement) {
  if (program.rounded.empty() || graph.isStopped())
    return;
  const RoundedValues rounded(graph, program, problem, placement);
  for (unsigned v : rounded.findFactors().set_bits()) {
    Value &value = graph.values[v];
    if (!llvm::any_of(value.edges, [](const ValueEdge &edge) {
          return edge.isElementwise();
        }))
      continue;
    if (const RoundedTensor *tensor = rounded.findTensor(value))
      value.roundedType = tensor->elementType;
  }
}
