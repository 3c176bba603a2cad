//===- Arrangement.h - Sums of products as matmuls --------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_ARRANGEMENT_H
#define MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_ARRANGEMENT_H

#include "Import.h"
#include <optional>
#include <tuple>

namespace mirage::linalg_import {

/// Loops in the order in which a tensor has them as dimensions.
using LoopList = llvm::SmallVector<int64_t>;

llvm::SmallVector<int64_t> getSizes(llvm::ArrayRef<int64_t> list,
                                    const Loops &loops);

/// A tensor by the loops that its dimensions are.
struct LoopTensor {
  LoopList dims;
  /// Whether it is an argument of the function: permuting it takes a kernel,
  /// while what is computed may be handed on as it is wanted.
  bool isArgument = false;
};

/// Whether a tensor is an argument of its function, as it is or in another
/// shape.
bool isArgument(mlir::Value tensor);

/// How a sum of products is a matmul: the loops of its operands and its result,
/// in the order in which it takes and gives them. Over some batches only one of
/// the operands runs, and the other is repeated; and some may be summed over,
/// behind the matmul.
struct Arrangement {
  bool swapped = false;
  LoopList batch, m, n, k;
  /// Those of the batches that are summed over; the last ones.
  LoopList summed;

  LoopList result() const;
  /// Those of the batches that a factor runs over.
  LoopList getBatch(llvm::ArrayRef<int64_t> factor) const;

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
    /// How many arguments are among the shuffles, and whether the rows or
    /// columns of one aren't next to each other: that takes a kernel.
    int argumentShuffles = 0;
    bool takesArgumentApart = false;
    int getComputedShuffles() const { return shuffles - argumentShuffles; }
    bool operator<(const Cost &other) const {
      return std::tie(sums, shuffles, repeats, transposes, shuffledElements) <
             std::tie(other.sums, other.shuffles, other.repeats,
                      other.transposes, other.shuffledElements);
    }
  };
  /// Of factors (swapped if it says so) and a product.
  Cost getCost(const LoopTensor &lhs, const LoopTensor &rhs,
               const LoopTensor &product, const Loops &loops) const;
};

/// A product of two tensors, by the loops of all three.
struct LoopProduct {
  LoopTensor lhs, rhs, result;
  Loops loops;

  Arrangement::Cost getCost(const Arrangement &arrangement) const {
    return arrangement.swapped ? arrangement.getCost(rhs, lhs, result, loops)
                               : arrangement.getCost(lhs, rhs, result, loops);
  }

  /// The arrangement that costs least, or nothing where the loops aren't those
  /// of a matmul. Loops of one factor are merged, unless repeating the other
  /// one over some of them spares a permutation that is more than a transposed
  /// matrix. If an argument would be taken apart, it is the best that leaves
  /// arguments as they are, which may sum over some reductions behind the
  /// matmul. `asInFactors`: rows and columns may be in the order of the
  /// factors, too, instead of the result's, and nothing is summed over behind
  /// it.
  std::optional<Arrangement> arrange(bool asInFactors) const;

  /// Multiplies so, with elements of a type; the product's dimensions are the
  /// result's loops.
  mlir::Value multiply(KernelGraphBuilder &graph, mlir::Value left,
                       mlir::Value right, const Arrangement &arrangement,
                       mlir::Type type) const;
};

} // namespace mirage::linalg_import

#endif // MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_ARRANGEMENT_H
