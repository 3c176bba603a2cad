//===- Contractions.cpp - Matrix products ---------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "Mirage/Operators/DataMovement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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

/// How a sum of products is a matmul: the loops of its operands and its result,
/// in the order in which it takes and gives them. Over some batches only one of
/// the operands runs, and the other is repeated.
struct Arrangement {
  bool swapped;
  LoopList batch, m, n, k;

  LoopList result() const { return join({batch, m, n}); }
  /// Those of the batches that a factor runs over.
  LoopList getBatch(ArrayRef<int64_t> factor) const {
    return LoopList(llvm::make_filter_range(
        batch, [&](int64_t loop) { return llvm::is_contained(factor, loop); }));
  }

  /// What it takes: more of the first matters more than all of the others.
  struct Cost {
    /// Tensors whose dimensions are permuted, but not as a transposed matrix.
    int shuffles = 0;
    int repeats = 0;
    /// Tensors that are transposed.
    int transposes = 0;
    bool operator<(const Cost &other) const {
      return std::tie(shuffles, repeats, transposes) <
             std::tie(other.shuffles, other.repeats, other.transposes);
    }
  };
  /// Of factors (swapped if it says so) and a product with these dimensions.
  Cost getCost(ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs,
               ArrayRef<int64_t> product, const Loops &loops) const {
    Cost cost;
    auto add = [&](ArrayRef<int64_t> dims, ArrayRef<int64_t> rows,
                   ArrayRef<int64_t> columns) {
      LoopList own = getBatch(dims);
      if (!needsTranspose(dims, join({own, rows, columns}), loops))
        return;
      ++cost.transposes;
      cost.shuffles += needsTranspose(dims, join({own, columns, rows}), loops);
    };
    add(lhs, m, k);
    add(rhs, k, n);
    add(product, m, n);
    for (ArrayRef<int64_t> dims : {lhs, rhs})
      cost.repeats += batch.size() - getBatch(dims).size();
    return cost;
  }
};

/// The arrangement that costs least, or nothing where the loops aren't those of
/// a matmul. The arguments are the loops of the factors and the result. Loops
/// of one factor are merged, unless repeating the other one over some of them
/// spares a permutation that is more than a transposed matrix.
std::optional<Arrangement> arrange(ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs,
                                   ArrayRef<int64_t> result,
                                   const Loops &loops) {
  LoopList own; // of one factor, and in the result
  for (auto [loop, reduced] : llvm::enumerate(loops.reduced)) {
    bool inLhs = llvm::is_contained(lhs, loop);
    bool inRhs = llvm::is_contained(rhs, loop);
    if (llvm::is_contained(result, loop) == reduced ||
        (reduced ? !inLhs || !inRhs : !inLhs && !inRhs))
      return std::nullopt;
    if (inLhs != inRhs && loops.sizes[loop] > 1)
      own.push_back(loop);
  }
  // Of more loops than that no program has a product.
  constexpr size_t kMostOwn = 8;
  own.truncate(std::min(own.size(), kMostOwn));

  std::optional<Arrangement> best;
  Arrangement::Cost least;
  for (unsigned repeated = 0; repeated < 1u << own.size(); ++repeated) {
    Arrangement straight{/*swapped=*/false, {}, {}, {}, {}};
    for (int64_t loop : result) {
      bool inLhs = llvm::is_contained(lhs, loop);
      bool inRhs = llvm::is_contained(rhs, loop);
      auto place = llvm::find(own, loop);
      bool isRepeated =
          place != own.end() && (repeated >> (place - own.begin()) & 1);
      ((inLhs && inRhs) || isRepeated ? straight.batch
       : inLhs                        ? straight.m
                                      : straight.n)
          .push_back(loop);
    }
    if (straight.m.empty() || straight.n.empty())
      continue;
    for (bool swapped : {false, true}) {
      for (ArrayRef<int64_t> order : {lhs, rhs}) {
        Arrangement candidate = straight;
        candidate.swapped = swapped;
        if (swapped)
          std::swap(candidate.m, candidate.n);
        for (int64_t loop : order)
          if (loops.reduced[loop])
            candidate.k.push_back(loop);
        Arrangement::Cost cost = candidate.getCost(
            swapped ? rhs : lhs, swapped ? lhs : rhs, result, loops);
        if (!best || cost < least) {
          best = candidate;
          least = cost;
        }
      }
    }
  }
  return best;
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
  SmallVector<LoopList> dims;
  for (OpOperand *operand :
       {factors->first.input, factors->second.input, init}) {
    llvm::Expected<LoopList> loopsOfDims =
        getDimLoops(op.getMatchingIndexingMap(operand));
    if (!loopsOfDims)
      return loopsOfDims.takeError();
    dims.push_back(*loopsOfDims);
  }
  std::optional<Arrangement> arrangement =
      arrange(dims[0], dims[1], dims[2], loops);
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
    std::swap(dims[0], dims[1]);
  }
  Value product =
      graph.apply("matmul",
                  {getMatrix(graph, lhs, dims[0], *arrangement, m, k, loops),
                   getMatrix(graph, rhs, dims[1], *arrangement, k, n, loops)},
                  graph.getF32Type());
  product = graph.reshape(product, getSizes(arrangement->result(), loops));
  product =
      graph.transpose(product, getPermutation(arrangement->result(), dims[2]));
  return graph.reshape(product, getShape(init->get()));
}
