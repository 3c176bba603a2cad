//===- Roles.cpp - What dimensions mean, and sizes to search at -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Roles.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mirage;

namespace {
using Dim = std::pair<unsigned, unsigned>; // tensor, dimension

/// The dimensions of size other than 1 of a shape.
llvm::SmallVector<unsigned> getWideDims(const Shape &shape) {
  llvm::SmallVector<unsigned> dims;
  for (auto [d, size] : llvm::enumerate(shape))
    if (size != 1)
      dims.push_back(d);
  return dims;
}

/// Unifies the dimensions that one operator runs over with one loop, and notes
/// which it reduces.
bool unify(const KernelGraph &graph, const KernelNode &node,
           llvm::EquivalenceClasses<Dim> &classes,
           llvm::SmallVectorImpl<Dim> &reduced, std::string &error) {
  llvm::SmallVector<Shape> shapes;
  for (unsigned operand : node.operands)
    shapes.push_back(graph.tensors[operand].shape);
  unsigned result = node.results[0];
  const Shape &resultShape = graph.tensors[result].shape;
  auto space = node.op->getIterationSpace(shapes, node.params);
  if (!space) {
    // A reshape that only adds or drops dimensions of size 1 keeps the roles of
    // the others.
    llvm::SmallVector<unsigned> from = getWideDims(shapes[0]),
                                to = getWideDims(resultShape);
    bool keeps = node.op->isReinterpretation() && from.size() == to.size() &&
                 llvm::all_of(llvm::zip(from, to), [&](auto pair) {
                   auto [f, t] = pair;
                   return shapes[0][f] == resultShape[t];
                 });
    if (!keeps) {
      error = ("the dimensions of '" + node.op->getName() +
               "' can't be followed through it")
                  .str();
      return false;
    }
    for (auto [f, t] : llvm::zip(from, to))
      classes.unionSets({node.operands[0], f}, {result, t});
    return true;
  }
  // The first dimension met on a loop stands for it.
  std::vector<std::optional<Dim>> loops(space->sizes.size());
  for (unsigned d = 0; d < resultShape.size(); ++d)
    loops[d] = Dim{result, d};
  for (auto [operand, dims] : llvm::zip(node.operands, space->operandLoops)) {
    for (auto [d, loop] : llvm::enumerate(dims)) {
      if (loop == IterationSpace::kNoLoop)
        continue;
      Dim dim{operand, static_cast<unsigned>(d)};
      if (!loops[loop]) {
        loops[loop] = dim;
        if (space->reductionsAreSums)
          reduced.push_back(dim);
      }
      classes.unionSets(*loops[loop], dim);
    }
  }
  return true;
}
} // namespace

std::optional<Roles> mirage::findRoles(const KernelGraph &reference,
                                       std::string &error) {
  llvm::EquivalenceClasses<Dim> classes;
  for (auto [t, tensor] : llvm::enumerate(reference.tensors))
    for (unsigned d = 0; d < tensor.shape.size(); ++d)
      classes.insert({t, d});
  llvm::SmallVector<Dim> reduced;
  for (const KernelNode &node : reference.nodes) {
    if (node.kind == KernelNode::Kind::GraphDefined) {
      error = "the program has graph-defined operators already";
      return std::nullopt;
    }
    if (node.kind == KernelNode::Kind::Operator &&
        !unify(reference, node, classes, reduced, error))
      return std::nullopt;
  }

  // Roles are numbered in the order in which the tensors' dimensions come.
  Roles roles;
  llvm::MapVector<Dim, int> numbers;
  for (auto [t, tensor] : llvm::enumerate(reference.tensors)) {
    DimRoles &dims = roles.ofTensor.emplace_back();
    for (unsigned d = 0; d < tensor.shape.size(); ++d) {
      if (tensor.shape[d] == 1) {
        dims.push_back(kNoRole);
        continue;
      }
      Dim leader = classes.getLeaderValue({t, d});
      auto [it, isNew] = numbers.insert({leader, roles.size.size()});
      if (isNew)
        roles.size.push_back(tensor.shape[d]);
      dims.push_back(it->second);
    }
  }
  static constexpr int64_t primes[] = {5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  if (roles.size.size() > std::size(primes)) {
    error = "the program has " + std::to_string(roles.size.size()) +
            " independent dimensions, more than " +
            std::to_string(std::size(primes));
    return std::nullopt;
  }
  for (size_t r = 0; r < roles.size.size(); ++r)
    roles.proxy.push_back(kProxyGrid * kProxyLoop * primes[r]);
  roles.reduced.resize(roles.size.size());
  for (Dim dim : reduced)
    if (int role = roles.ofTensor[dim.first][dim.second]; role != kNoRole)
      roles.reduced.set(role);
  return roles;
}

KernelGraph mirage::makeProxy(const KernelGraph &reference,
                              const Roles &roles) {
  KernelGraph proxy = reference;
  for (auto [tensor, dims] : llvm::zip(proxy.tensors, roles.ofTensor))
    for (auto [size, role] : llvm::zip(tensor.shape, dims))
      if (role != kNoRole)
        size = roles.proxy[role];
  // A reshape's parameters are its result's shape.
  for (KernelNode &node : proxy.nodes) {
    if (node.kind != KernelNode::Kind::Operator)
      continue;
    const Shape &result = proxy.tensors[node.results[0]].shape;
    if (node.op->isReinterpretation())
      node.params.assign(result.begin(), result.end());
  }
  return proxy;
}

DimRoles mirage::getResultRoles(const Operator &op,
                                llvm::ArrayRef<Shape> shapes,
                                llvm::ArrayRef<DimRoles> operands,
                                const Params &params) {
  auto space = op.getIterationSpace(shapes, params);
  Shape result;
  op.inferShape(shapes, params, result);
  DimRoles roles(result.size(), kNoRole);
  if (!space)
    return roles;
  for (auto [loops, dims] : llvm::zip(space->operandLoops, operands))
    for (auto [loop, role] : llvm::zip(loops, dims))
      if (loop != IterationSpace::kNoLoop &&
          loop < static_cast<int>(roles.size()) && result[loop] != 1)
        roles[loop] = role;
  return roles;
}
