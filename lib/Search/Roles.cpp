//===- Roles.cpp - What dimensions mean, and sizes to search at -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Roles.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>
#include <set>

using namespace mirage;

namespace {
constexpr int64_t kPrimes[] = {7,  11, 13,  17,  19,  23,  29,  31,  37,  41,
                               43, 47, 53,  59,  61,  67,  71,  73,  79,  83,
                               89, 97, 101, 103, 107, 109, 113, 127, 131, 137};
static_assert(std::size(kPrimes) <= RoleSet().size());
static_assert(kPrimes[std::size(kPrimes) - 1] < kSecondGridLabel);
/// The part of a role that nothing has cut, at probe size.
constexpr int64_t kProbeTile = 2;

using Dim = std::pair<unsigned, unsigned>; // tensor, dimension

/// The dimensions of size other than 1 of a shape.
llvm::SmallVector<unsigned> getWideDims(const Shape &shape) {
  llvm::SmallVector<unsigned> dims;
  for (auto [d, size] : llvm::enumerate(shape))
    if (size != 1)
      dims.push_back(d);
  return dims;
}

/// Whether a reshape only adds or drops dimensions of size 1: it keeps the
/// roles of the others.
bool keepsWideDims(const Operator &op, const Shape &from, const Shape &to) {
  llvm::SmallVector<unsigned> wideFrom = getWideDims(from),
                              wideTo = getWideDims(to);
  return op.isReinterpretation() && wideFrom.size() == wideTo.size() &&
         llvm::all_of(llvm::zip(wideFrom, wideTo), [&](auto pair) {
           auto [f, t] = pair;
           return from[f] == to[t];
         });
}

/// Unifies the dimensions that one operator runs over with one loop, and notes
/// which it reduces.
bool unify(const KernelGraph &graph, const KernelNode &node,
           llvm::EquivalenceClasses<Dim> &classes,
           llvm::SmallVectorImpl<Dim> &reduced,
           llvm::SmallVectorImpl<Dim> &folded, std::string &error) {
  llvm::SmallVector<Shape> shapes;
  for (unsigned operand : node.operands)
    shapes.push_back(graph.tensors[operand].shape);
  unsigned result = node.results[0];
  const Shape &resultShape = graph.tensors[result].shape;
  auto space = node.op->getIterationSpace(shapes, node.params);
  if (!space) {
    if (!keepsWideDims(*node.op, shapes[0], resultShape)) {
      error = ("the dimensions of '" + node.op->getName() +
               "' can't be followed through it")
                  .str();
      return false;
    }
    for (auto [f, t] :
         llvm::zip(getWideDims(shapes[0]), getWideDims(resultShape)))
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
        reduced.push_back(dim);
        if (!space->reductionsAreSums)
          folded.push_back(dim);
      }
      classes.unionSets(*loops[loop], dim);
    }
  }
  return true;
}
} // namespace

bool mirage::canFollowDims(const KernelGraph &graph, const KernelNode &node) {
  if (node.kind != KernelNode::Kind::Operator)
    return true;
  llvm::SmallVector<Shape> shapes;
  for (unsigned operand : node.operands)
    shapes.push_back(graph.tensors[operand].shape);
  return node.op->getIterationSpace(shapes, node.params) ||
         keepsWideDims(*node.op, shapes[0],
                       graph.tensors[node.results[0]].shape);
}

/// Two dimensions of one size that are summed over become one, so that one loop
/// runs over both (x w + h u): where something is computed from both sums, but
/// nothing that has one of them from a sum over the other, nor any tensor has
/// both.
static void mergeIndependentReductions(const KernelGraph &graph,
                                       llvm::ArrayRef<Dim> reduced,
                                       llvm::ArrayRef<Dim> folded,
                                       llvm::EquivalenceClasses<Dim> &classes) {
  auto getSize = [&](Dim dim) {
    return graph.tensors[dim.first].shape[dim.second];
  };
  llvm::SmallSetVector<Dim, 8> leaders;
  for (Dim dim : reduced)
    if (getSize(dim) > 1)
      leaders.insert(classes.getLeaderValue(dim));
  for (Dim dim : folded)
    leaders.remove(classes.getLeaderValue(dim));
  // Programs of more are rather too large, and better cut into parts.
  constexpr size_t kMost = 8;
  const size_t count = leaders.size(), numTensors = graph.tensors.size();
  if (count > kMost)
    return;
  // By tensor: which it has, over which it was summed, and whether exponentials
  // are in it, of which safe ones take a maximum.
  std::vector<llvm::BitVector> has(numTensors, llvm::BitVector(count)),
      summed = has;
  llvm::BitVector hasExponentials(numTensors);
  for (unsigned t = 0; t < numTensors; ++t)
    for (unsigned d = 0; d < graph.tensors[t].shape.size(); ++d) {
      auto place = llvm::find(leaders, classes.getLeaderValue({t, d}));
      if (place != leaders.end())
        has[t].set(place - leaders.begin());
    }
  for (const KernelNode &node : graph.nodes)
    for (unsigned result : node.results)
      for (unsigned operand : node.operands) {
        llvm::BitVector gone = has[operand];
        gone.reset(has[result]);
        summed[result] |= summed[operand];
        summed[result] |= gone;
        if (hasExponentials.test(operand) ||
            (node.op && node.op->usesExponentiation(node.params)))
          hasExponentials.set(result);
      }
  auto meet = [&](size_t a, size_t b) {
    return llvm::any_of(summed, [&](const llvm::BitVector &sums) {
      return sums.test(a) && sums.test(b);
    });
  };
  auto areIndependent = [&](size_t a, size_t b) {
    for (unsigned t = 0; t < numTensors; ++t)
      if ((has[t].test(a) && (has[t].test(b) || summed[t].test(b))) ||
          (has[t].test(b) && summed[t].test(a)) ||
          (hasExponentials.test(t) && (has[t].test(a) || has[t].test(b))))
        return false;
    return true;
  };
  for (size_t a = 0; a < count; ++a)
    for (size_t b = a + 1; b < count; ++b) {
      if (getSize(leaders[a]) != getSize(leaders[b]) || !meet(a, b) ||
          classes.isEquivalent(leaders[a], leaders[b]))
        continue;
      // Of all that were merged with either.
      bool mayMerge = true;
      for (size_t i = 0; i < count; ++i)
        for (size_t j = 0; j < count; ++j)
          if (classes.isEquivalent(leaders[i], leaders[a]) &&
              classes.isEquivalent(leaders[j], leaders[b]))
            mayMerge &= areIndependent(i, j);
      if (mayMerge)
        classes.unionSets(leaders[a], leaders[b]);
    }
}

static RoleSet getSet(const DimRoles &dims) {
  RoleSet set;
  for (int role : dims)
    if (role != kNoRole)
      set.set(role);
  return set;
}

/// The distinct orders of dimensions of a program, and those that what is
/// transposed, and what that is computed from, has transposed: as transposing
/// commutes with most operators, a search transposes inputs
/// (SearchRule::Transposes), and of what is summed before it is transposed no
/// tensor of the program has all dimensions in the order that the input needs.
static llvm::SetVector<DimRoles> findOrders(const KernelGraph &graph,
                                            const Roles &roles) {
  llvm::SetVector<DimRoles> orders(roles.ofTensor.begin(),
                                   roles.ofTensor.end());
  const Operator *transpose = &getOperator("transpose");
  using Transposed = std::pair<unsigned, Params>; // tensor, permutation
  llvm::SmallVector<Transposed> todo;
  std::vector<const KernelNode *> makers(graph.tensors.size());
  for (const KernelNode &node : graph.nodes) {
    if (node.kind != KernelNode::Kind::Operator)
      continue;
    makers[node.results[0]] = &node;
    if (node.op == transpose)
      todo.emplace_back(node.operands[0], node.params);
  }
  std::set<Transposed> visited;
  while (!todo.empty()) {
    auto [tensor, permutation] = todo.pop_back_val();
    const DimRoles &dims = roles.ofTensor[tensor];
    if (dims.size() != permutation.size() ||
        !visited.insert({tensor, permutation}).second)
      continue;
    auto apply = [&permutation = permutation](const auto &list) {
      std::decay_t<decltype(list)> result;
      for (int64_t dim : permutation)
        result.push_back(list[dim]);
      return result;
    };
    orders.insert(apply(dims));
    const KernelNode *maker = makers[tensor];
    if (!maker)
      continue;
    if (maker->op == transpose) {
      todo.emplace_back(maker->operands[0], apply(maker->params));
      continue;
    }
    llvm::SmallVector<Shape> shapes;
    for (unsigned operand : maker->operands)
      shapes.push_back(graph.tensors[operand].shape);
    if (maker->op->commutesWithTranspose(permutation, shapes, maker->params))
      for (unsigned operand : maker->operands)
        todo.emplace_back(operand, permutation);
  }
  return orders;
}

std::optional<Roles> mirage::findRoles(const KernelGraph &reference,
                                       std::string &error) {
  llvm::EquivalenceClasses<Dim> classes;
  for (auto [t, tensor] : llvm::enumerate(reference.tensors))
    for (unsigned d = 0; d < tensor.shape.size(); ++d)
      classes.insert({t, d});
  llvm::SmallVector<Dim> reduced, folded;
  for (const KernelNode &node : reference.nodes) {
    if (node.kind == KernelNode::Kind::GraphDefined) {
      error = "the program has graph-defined operators already";
      return std::nullopt;
    }
    if (node.kind == KernelNode::Kind::Operator &&
        !unify(reference, node, classes, reduced, folded, error))
      return std::nullopt;
  }

  mergeIndependentReductions(reference, reduced, folded, classes);

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
  if (roles.size.size() > std::size(kPrimes)) {
    error = "the program has " + std::to_string(roles.size.size()) +
            " independent dimensions, more than " +
            std::to_string(std::size(kPrimes));
    return std::nullopt;
  }
  for (const DimRoles &dims : findOrders(reference, roles))
    roles.orders.emplace_back(dims, getSet(dims));
  roles.reduced.resize(roles.size.size());
  for (Dim dim : reduced)
    if (int role = roles.ofTensor[dim.first][dim.second]; role != kNoRole)
      roles.reduced.set(role);
  roles.folded.resize(roles.size.size());
  for (Dim dim : folded)
    if (int role = roles.ofTensor[dim.first][dim.second]; role != kNoRole)
      roles.folded.set(role);
  for (size_t r = 0; r < roles.size.size(); ++r) {
    roles.label.push_back(kLabelParts.grid * kLabelParts.loop *
                          kLabelParts.split * kPrimes[r] *
                          (roles.isTwice(r) ? kSecondGridLabel : 1));
    // Only reductions are looped over. No tensor is cut by a grid and a split,
    // so the same part stands for both.
    Parts parts;
    parts.grid = parts.split = kProbeSplit;
    if (roles.reduced.test(r))
      parts.loop = 2;
    roles.probeParts.push_back(parts);
    roles.probe.push_back(kProbeTile * parts.grid * parts.loop);
  }
  return roles;
}

int64_t Roles::getCommonSize(const RoleSet &roles) const {
  int64_t common = 0;
  for (size_t r = 0; r < size.size(); ++r)
    if (roles.test(r))
      common = std::gcd(common, size[r]);
  return common;
}

bool Roles::meet(int role, int other) const {
  return llvm::any_of(orders, [&](const auto &known) {
    return known.second.test(role) && known.second.test(other);
  });
}

bool Roles::isTwice(int role) const {
  return llvm::any_of(orders, [&](const auto &known) {
    return llvm::count(known.first, role) > 1;
  });
}

bool Roles::isKnownOrder(llvm::ArrayRef<int64_t> labels) const {
  DimRoles order;
  for (int64_t label : labels)
    order.push_back(getRole(label));
  const RoleSet set = getSet(order);
  auto hasAll = [&](const std::pair<DimRoles, RoleSet> &known) {
    const auto &[dims, roles] = known;
    return dims.size() == order.size() && (set & ~roles).none();
  };
  // Of what the reference doesn't have, as when it multiplies in another
  // order, at least the dimensions in common with something.
  const bool isKnown = llvm::any_of(orders, hasAll);
  // Elementwise operators take a matrix without dimensions of size 1 in front
  // of it, and products where the reference has them.
  const bool isPadded =
      !order.empty() && order.front() == kNoRole && set.count() > 1;
  auto isOrderOf = [&](const std::pair<DimRoles, RoleSet> &known) {
    const auto &[dims, roles] = known;
    const RoleSet common = roles & set;
    if (dims.size() != order.size() || common.none() ||
        (isKnown && !hasAll(known)) || (isPadded && dims.front() != kNoRole))
      return false;
    return llvm::all_of(llvm::zip_equal(order, dims), [&](auto pair) {
      auto [role, other] = pair;
      return role == kNoRole || !common.test(role) || other == role;
    });
  };
  if (llvm::any_of(orders, isOrderOf))
    return true;
  if (order.size() < 2)
    return false;
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return llvm::any_of(orders, isOrderOf);
}

int Roles::getRole(int64_t label) const {
  for (size_t r = 0; r < size.size(); ++r)
    if (label % kPrimes[r] == 0)
      return r;
  return kNoRole;
}

int64_t Roles::getProbeSize(int64_t size) const {
  int role = getRole(size);
  int64_t result = 1, rest = size;
  if (role != kNoRole) {
    rest /= kPrimes[role];
    bool isWhole = true;
    for (int64_t part :
         {kLabelParts.grid, kLabelParts.split, kSecondGridLabel}) {
      isWhole &= (rest % part == 0) == (label[role] % part == 0);
      rest /= rest % part == 0 ? part : 1;
    }
    result = kProbeTile * (isWhole ? probeParts[role].grid : 1);
    if (rest % kLabelParts.loop == 0) {
      result *= probeParts[role].loop;
      rest /= kLabelParts.loop;
    }
  }
  // Partial results stand side by side in one dimension.
  if (rest % kLabelParts.split == 0)
    result *= kProbeSplit;
  return result;
}

Shape Roles::getProbeShape(llvm::ArrayRef<int64_t> labels) const {
  Shape shape;
  for (int64_t label : labels)
    shape.push_back(getProbeSize(label));
  return shape;
}

KernelGraph mirage::resize(const KernelGraph &reference, const Roles &roles,
                           llvm::ArrayRef<int64_t> sizes) {
  KernelGraph result = reference;
  for (auto [tensor, dims] : llvm::zip(result.tensors, roles.ofTensor))
    for (auto [size, role] : llvm::zip(tensor.shape, dims))
      if (role != kNoRole)
        size = sizes[role];
  for (KernelNode &node : result.nodes)
    if (node.kind == KernelNode::Kind::Operator && node.op->hasShapeParams()) {
      const Shape &shape = result.tensors[node.results[0]].shape;
      node.params.assign(shape.begin(), shape.end());
    }
  return result;
}
