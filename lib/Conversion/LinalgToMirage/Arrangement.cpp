//===- Arrangement.cpp - Sums of products as matmuls ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrangement.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Operators/DataMovement.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::linalg_import;

SmallVector<int64_t> linalg_import::getSizes(ArrayRef<int64_t> list,
                                             const Loops &loops) {
  SmallVector<int64_t> sizes;
  for (int64_t loop : list)
    sizes.push_back(loops.sizes[loop]);
  return sizes;
}

static LoopList join(std::initializer_list<ArrayRef<int64_t>> lists) {
  LoopList all;
  for (ArrayRef<int64_t> list : lists)
    llvm::append_range(all, list);
  return all;
}

/// The permutation that brings dimensions `from` into the order `to`.
static SmallVector<int64_t> getPermutation(ArrayRef<int64_t> from,
                                           ArrayRef<int64_t> to) {
  SmallVector<int64_t> permutation;
  for (int64_t loop : to)
    permutation.push_back(llvm::find(from, loop) - from.begin());
  return permutation;
}

static bool needsTranspose(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                           const Loops &loops) {
  return !isInOrder(getPermutation(from, to), getSizes(from, loops));
}

/// Whether some loops have others between them in a tensor.
static bool areApart(ArrayRef<int64_t> dims, ArrayRef<int64_t> some,
                     ArrayRef<int64_t> others, const Loops &loops) {
  bool isBehind = false, isApart = false;
  for (int64_t loop : dims) {
    if (loops.sizes[loop] == 1)
      continue;
    if (llvm::is_contained(some, loop)) {
      if (isApart)
        return true;
      isBehind = true;
    } else if (llvm::is_contained(others, loop)) {
      isApart = isBehind;
    }
  }
  return false;
}

bool linalg_import::isArgument(Value tensor) {
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                         kernel::ReshapeOp>(tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  return isa<BlockArgument>(tensor);
}

LoopList Arrangement::result() const { return join({batch, m, n}); }

LoopList Arrangement::getBatch(ArrayRef<int64_t> factor) const {
  return LoopList(llvm::make_filter_range(
      batch, [&](int64_t loop) { return llvm::is_contained(factor, loop); }));
}

Arrangement::Cost Arrangement::getCost(const LoopTensor &lhs,
                                       const LoopTensor &rhs,
                                       const LoopTensor &product,
                                       const Loops &loops) const {
  Cost cost;
  auto add = [&](const LoopTensor &tensor, ArrayRef<int64_t> rows,
                 ArrayRef<int64_t> columns) {
    LoopList own = getBatch(tensor.dims);
    if (!needsTranspose(tensor.dims, join({own, rows, columns}), loops))
      return;
    ++cost.transposes;
    if (!needsTranspose(tensor.dims, join({own, columns, rows}), loops))
      return;
    ++cost.shuffles;
    cost.shuffledElements +=
        mirage::getNumElements(getSizes(tensor.dims, loops));
    cost.argumentShuffles += tensor.isArgument;
    cost.takesArgumentApart |=
        tensor.isArgument && (areApart(tensor.dims, rows, columns, loops) ||
                              areApart(tensor.dims, columns, rows, loops));
  };
  add(lhs, m, k);
  add(rhs, k, n);
  add(product, m, n);
  cost.sums = summed.size();
  for (const LoopTensor *factor : {&lhs, &rhs})
    cost.repeats += batch.size() - getBatch(factor->dims).size();
  return cost;
}

std::optional<Arrangement> LoopProduct::arrange(bool asInFactors) const {
  auto has = [](const LoopTensor &tensor, int64_t loop) {
    return llvm::is_contained(tensor.dims, loop);
  };
  LoopList own; // of one factor, and in the result
  LoopList reductions;
  for (auto [loop, reduced] : llvm::enumerate(loops.reduced)) {
    bool inLhs = has(lhs, loop), inRhs = has(rhs, loop);
    if (has(result, loop) == reduced ||
        (reduced ? !inLhs || !inRhs : !inLhs && !inRhs))
      return std::nullopt;
    if (loops.sizes[loop] > 1 && reduced)
      reductions.push_back(loop);
    else if (loops.sizes[loop] > 1 && inLhs != inRhs)
      own.push_back(loop);
  }
  // Of more loops than that no program has a product.
  constexpr size_t kMostOwn = 8;
  own.truncate(std::min(own.size(), kMostOwn));

  // Of all, and of those that leave arguments as they are.
  std::optional<Arrangement> best, free;
  Arrangement::Cost least, leastFree;
  auto tryOut = [&](Arrangement candidate) {
    for (bool swapped : {false, true}) {
      candidate.swapped = swapped;
      for (const LoopTensor *order : {&lhs, &rhs}) {
        candidate.k.clear();
        for (int64_t loop : order->dims)
          if (loops.reduced[loop] &&
              !llvm::is_contained(candidate.summed, loop))
            candidate.k.push_back(loop);
        Arrangement::Cost cost = getCost(candidate);
        if (candidate.summed.empty() && (!best || cost < least)) {
          best = candidate;
          least = cost;
        }
        if (cost.argumentShuffles == 0 && (!free || cost < leastFree)) {
          free = candidate;
          leastFree = cost;
        }
      }
      std::swap(candidate.m, candidate.n);
    }
  };
  for (unsigned repeated = 0; repeated < 1u << own.size(); ++repeated) {
    Arrangement merged;
    for (int64_t loop : result.dims) {
      auto place = llvm::find(own, loop);
      bool isRepeated =
          place != own.end() && (repeated >> (place - own.begin()) & 1);
      ((has(lhs, loop) && has(rhs, loop)) || isRepeated ? merged.batch
       : has(lhs, loop)                                 ? merged.m
                                                        : merged.n)
          .push_back(loop);
    }
    if (merged.m.empty() || merged.n.empty())
      continue;
    tryOut(merged);
    auto inOrderOf = [](const LoopTensor &factor, const LoopList &list) {
      return LoopList(llvm::make_filter_range(factor.dims, [&](int64_t loop) {
        return llvm::is_contained(list, loop);
      }));
    };
    if (asInFactors)
      for (auto [rows, columns] :
           {std::pair(true, false), std::pair(false, true),
            std::pair(true, true)}) {
        Arrangement ordered = merged;
        if (rows)
          ordered.m = inOrderOf(lhs, merged.m);
        if (columns)
          ordered.n = inOrderOf(rhs, merged.n);
        tryOut(ordered);
      }
    // One of several, the rest being what is multiplied.
    for (int64_t loop : reductions) {
      if (reductions.size() < 2 || asInFactors)
        continue;
      Arrangement summed = merged;
      summed.summed.push_back(loop);
      summed.batch.push_back(loop);
      tryOut(summed);
    }
  }
  return best && least.takesArgumentApart && free ? free : best;
}

/// A factor as a matrix: batch dimensions, of size 1 where it is repeated, and
/// two that `rows` and `columns` are merged into.
static Value getMatrix(KernelGraphBuilder &graph, Value value,
                       ArrayRef<int64_t> dims, const Arrangement &arrangement,
                       ArrayRef<int64_t> rows, ArrayRef<int64_t> columns,
                       const Loops &loops) {
  value = graph.reshape(value, getSizes(dims, loops));
  value = graph.transpose(
      value,
      getPermutation(dims, join({arrangement.getBatch(dims), rows, columns})));
  SmallVector<int64_t> shape;
  for (int64_t loop : arrangement.batch)
    shape.push_back(llvm::is_contained(dims, loop) ? loops.sizes[loop] : 1);
  shape.push_back(mirage::getNumElements(getSizes(rows, loops)));
  shape.push_back(mirage::getNumElements(getSizes(columns, loops)));
  return graph.reshape(value, shape);
}

Value LoopProduct::multiply(KernelGraphBuilder &graph, Value left, Value right,
                            const Arrangement &arrangement, Type type) const {
  const auto &[swapped, batch, m, n, k, summed] = arrangement;
  const LoopTensor *first = &lhs, *second = &rhs;
  if (swapped) {
    std::swap(left, right);
    std::swap(first, second);
  }
  Value product = graph.apply(
      "matmul",
      {getMatrix(graph, left, first->dims, arrangement, m, k, loops),
       getMatrix(graph, right, second->dims, arrangement, k, n, loops)},
      summed.empty() ? type : graph.getF32Type());
  LoopList rest = batch;
  for (size_t i = 0; i < summed.size(); ++i) {
    product = graph.apply(
        "sum", {product}, i + 1 == summed.size() ? type : graph.getF32Type(),
        {static_cast<int64_t>(batch.size() - summed.size() + i)});
    rest.pop_back();
  }
  const LoopList dims = join({rest, m, n});
  product = graph.reshape(product, getSizes(dims, loops));
  return graph.transpose(product, getPermutation(dims, result.dims));
}
