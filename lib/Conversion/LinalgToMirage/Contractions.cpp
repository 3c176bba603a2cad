//===- Contractions.cpp - Matrix products ---------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Operators/DataMovement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::linalg_import;

Value Factor::getValue(KernelGraphBuilder &graph) const {
  return getValue(graph, input->get());
}

Value Factor::getValue(KernelGraphBuilder &graph, Value tensor) const {
  for (Type type : roundings)
    tensor = graph.cast(tensor, type);
  return tensor;
}

static std::optional<Factor> getFactor(linalg::GenericOp op, Value scalar) {
  SmallVector<Type, 1> roundings;
  while (Operation *cast = scalar.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(cast) || scalar.getType().isF64())
      return std::nullopt;
    if (isa<arith::TruncFOp>(cast))
      roundings.insert(roundings.begin(), scalar.getType());
    scalar = cast->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(scalar);
  if (!argument || argument.getOwner() != op.getBody())
    return std::nullopt;
  OpOperand &operand = op->getOpOperand(argument.getArgNumber());
  if (!op.isDpsInput(&operand) ||
      !isa<RankedTensorType>(operand.get().getType()))
    return std::nullopt;
  return Factor{&operand, roundings};
}

std::optional<std::pair<Factor, Factor>>
linalg_import::getFactors(linalg::GenericOp op, Value term) {
  auto product = term.getDefiningOp<arith::MulFOp>();
  if (!product)
    return std::nullopt;
  std::optional<Factor> lhs = getFactor(op, product.getLhs());
  std::optional<Factor> rhs = getFactor(op, product.getRhs());
  if (!lhs || !rhs)
    return std::nullopt;
  return std::pair(*lhs, *rhs);
}

namespace {

/// Loops in the order in which a tensor has them as dimensions.
using LoopList = SmallVector<int64_t>;

LoopList join(std::initializer_list<ArrayRef<int64_t>> lists) {
  LoopList all;
  for (ArrayRef<int64_t> list : lists)
    llvm::append_range(all, list);
  return all;
}

SmallVector<int64_t> getSizes(ArrayRef<int64_t> list, const Loops &loops) {
  SmallVector<int64_t> sizes;
  for (int64_t loop : list)
    sizes.push_back(loops.sizes[loop]);
  return sizes;
}

/// The permutation that brings dimensions `from` into the order `to`.
SmallVector<int64_t> getPermutation(ArrayRef<int64_t> from,
                                    ArrayRef<int64_t> to) {
  SmallVector<int64_t> permutation;
  for (int64_t loop : to)
    permutation.push_back(llvm::find(from, loop) - from.begin());
  return permutation;
}

bool needsTranspose(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                    const Loops &loops) {
  return !isInOrder(getPermutation(from, to), getSizes(from, loops));
}

/// Whether some loops have others between them in a tensor.
bool areApart(ArrayRef<int64_t> dims, ArrayRef<int64_t> some,
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

/// A tensor by the loops that its dimensions are.
struct LoopTensor {
  LoopList dims;
  /// Whether it is an argument of the function: permuting it takes a kernel,
  /// while what is computed may be handed on as it is wanted.
  bool isArgument = false;
};

/// How a sum of products is a matmul: the loops of its operands and its result,
/// in the order in which it takes and gives them. Over some batches only one of
/// the operands runs, and the other is repeated; and some may be summed over,
/// behind the matmul.
struct Arrangement {
  bool swapped;
  LoopList batch, m, n, k;
  /// Those of the batches that are summed over; the last ones.
  LoopList summed;

  LoopList result() const { return join({batch, m, n}); }
  /// Those of the batches that a factor runs over.
  LoopList getBatch(ArrayRef<int64_t> factor) const {
    return LoopList(llvm::make_filter_range(
        batch, [&](int64_t loop) { return llvm::is_contained(factor, loop); }));
  }

  /// What it takes: more of the first matters more than all of the others.
  struct Cost {
    int sums = 0;
    /// Tensors whose dimensions are permuted, but not as a transposed matrix.
    int shuffles = 0;
    int repeats = 0;
    /// Tensors that are transposed.
    int transposes = 0;
    /// The elements of those that are shuffled: what a softmax makes of scores
    /// has more than what it is multiplied to.
    int64_t shuffledElements = 0;
    /// Whether some argument is among the shuffles, and whether its rows or
    /// columns aren't next to each other: that takes a kernel.
    bool shufflesArgument = false, takesArgumentApart = false;
    bool operator<(const Cost &other) const {
      return std::tie(sums, shuffles, repeats, transposes, shuffledElements) <
             std::tie(other.sums, other.shuffles, other.repeats,
                      other.transposes, other.shuffledElements);
    }
  };
  /// Of factors (swapped if it says so) and a product.
  Cost getCost(const LoopTensor &lhs, const LoopTensor &rhs,
               const LoopTensor &product, const Loops &loops) const {
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
      cost.shufflesArgument |= tensor.isArgument;
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
};

/// The arrangement that costs least, or nothing where the loops aren't those of
/// a matmul. The arguments are the loops of the factors and the result. Loops
/// of one factor are merged, unless repeating the other one over some of them
/// spares a permutation that is more than a transposed matrix. If an argument
/// would be taken apart, it is the best that leaves arguments as they are,
/// which may sum over some reductions behind the matmul.
std::optional<Arrangement> arrange(const LoopTensor &lhs, const LoopTensor &rhs,
                                   const LoopTensor &result,
                                   const Loops &loops) {
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
        Arrangement::Cost cost = candidate.getCost(
            swapped ? rhs : lhs, swapped ? lhs : rhs, result, loops);
        if (candidate.summed.empty() && (!best || cost < least)) {
          best = candidate;
          least = cost;
        }
        if (!cost.shufflesArgument && (!free || cost < leastFree)) {
          free = candidate;
          leastFree = cost;
        }
      }
      std::swap(candidate.m, candidate.n);
    }
  };
  for (unsigned repeated = 0; repeated < 1u << own.size(); ++repeated) {
    Arrangement merged{/*swapped=*/false, {}, {}, {}, {}, {}};
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
    // One of several, the rest being what is multiplied.
    for (int64_t loop : reductions) {
      if (reductions.size() < 2)
        continue;
      Arrangement summed = merged;
      summed.summed.push_back(loop);
      summed.batch.push_back(loop);
      tryOut(summed);
    }
  }
  return best && least.takesArgumentApart && free ? free : best;
}

/// Whether a tensor is an argument of its function, as it is or in another
/// shape.
bool isArgument(Value tensor) {
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                         kernel::ReshapeOp>(tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  return isa<BlockArgument>(tensor);
}

/// A factor as a matrix: batch dimensions, of size 1 where it is repeated, and
/// two that `rows` and `columns` are merged into.
Value getMatrix(KernelGraphBuilder &graph, Value value, ArrayRef<int64_t> dims,
                const Arrangement &arrangement, ArrayRef<int64_t> rows,
                ArrayRef<int64_t> columns, const Loops &loops) {
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

} // namespace

llvm::Expected<Value>
linalg_import::importContraction(KernelGraphBuilder &graph,
                                 linalg::GenericOp op, unsigned index,
                                 Value term, const Loops &loops) {
  auto factors = getFactors(op, term);
  if (!factors)
    return Value();
  OpOperand *init = op.getDpsInitOperand(index);
  SmallVector<LoopTensor> tensors;
  for (OpOperand *operand :
       {factors->first.input, factors->second.input, init}) {
    llvm::Expected<LoopList> dims =
        getDimLoops(op.getMatchingIndexingMap(operand));
    if (!dims)
      return dims.takeError();
    tensors.push_back({*dims, isArgument(operand->get())});
  }
  // It is computed, whatever it is added to.
  tensors[2].isArgument = false;
  std::optional<Arrangement> arrangement =
      arrange(tensors[0], tensors[1], tensors[2], loops);
  if (!arrangement)
    return Value();
  for (const Factor *factor : {&factors->first, &factors->second})
    if (isUninitialized(factor->input->get()))
      return declined("operand " + Twine(factor->input->getOperandNumber()) +
                      " is a tensor that nothing was written to");

  auto [m, n, k] = std::tie(arrangement->m, arrangement->n, arrangement->k);
  Value lhs = factors->first.getValue(graph);
  Value rhs = factors->second.getValue(graph);
  if (arrangement->swapped) {
    std::swap(lhs, rhs);
    std::swap(tensors[0], tensors[1]);
  }
  Value product = graph.apply(
      "matmul",
      {getMatrix(graph, lhs, tensors[0].dims, *arrangement, m, k, loops),
       getMatrix(graph, rhs, tensors[1].dims, *arrangement, k, n, loops)},
      graph.getF32Type());
  const int64_t numBatches = arrangement->batch.size(),
                numSummed = arrangement->summed.size();
  for (int64_t i = 0; i < numSummed; ++i) {
    product = graph.apply("sum", {product}, graph.getF32Type(),
                          {numBatches - numSummed + i});
    arrangement->batch.pop_back();
  }
  product = graph.reshape(product, getSizes(arrangement->result(), loops));
  product = graph.transpose(
      product, getPermutation(arrangement->result(), tensors[2].dims));
  return graph.reshape(product, getShape(init->get()));
}
