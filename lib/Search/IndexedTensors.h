//===- IndexedTensors.h - Indexed expressions of tensors --------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_INDEXEDTENSORS_H
#define MIRAGE_LIB_SEARCH_INDEXEDTENSORS_H

#include "Mirage/AbstractExpr/IndexedExpr.h"
#include "Program.h"

namespace mirage {

/// Makes indexed expressions of tensors and tiles, which have an index for each
/// dimension: its role, and the number of dimensions of that role before it. A
/// tile has the expression of the tensor that it is a tile of, and partial sums
/// that of the whole sum, so that accumulators leave it as it is. Not thread
/// safe.
class IndexedTensors {
public:
  IndexedTensors(IndexedExprContext &context, const SearchProgram &program);

  IndexedExpr get(const SearchTensor &tensor);
  IndexedExpr getConstant(double value);
  /// What an operator makes of operands with these labels; unknown, if it
  /// doesn't read its operands along dimensions. `isPart`: which labels are of
  /// parts of dimensions, of which sums are not whole yet.
  IndexedExpr get(const Operator &op, const Params &params,
                  llvm::ArrayRef<Shape> labels,
                  llvm::ArrayRef<IndexedExpr> operands,
                  llvm::function_ref<bool(int64_t)> isPart);

  /// Keeps the value of the whole tensor that this makes, if those of the
  /// operands are known: of what may be of use only.
  void noteWhole(IndexedExpr x, const Operator &op, const Params &params,
                 llvm::ArrayRef<Shape> labels,
                 llvm::ArrayRef<IndexedExpr> operands);

  /// What a sum over all iterations of a loop that cuts `role` makes of a tile
  /// with such an expression; nothing if more than products has been made of
  /// its partial sums, or if it has none.
  std::optional<IndexedExpr>
  getAccumulated(IndexedExpr x, llvm::ArrayRef<int64_t> label, int role);

  /// The value at probe sizes of a whole tensor with such an expression that
  /// came up before; null: not known.
  const Tensor *getWhole(IndexedExpr x, llvm::ArrayRef<int64_t> label) const;

private:
  /// An expression, and the roles of the dimensions, in their order.
  using Key = std::pair<IndexedExpr, uint64_t>;
  Key getKey(IndexedExpr x, llvm::ArrayRef<int64_t> label) const;
  IndexedExpr getInput(const SearchTensor &tensor);
  IndexedExpr evaluate(const RecipeStep &step,
                       llvm::ArrayRef<IndexedExpr> operands);
  void noteWhole(Key key, const Tensor &value);

  IndexedExprContext &context;
  const Roles &roles;
  const FiniteField &field;
  /// Whether values of whole tensors are kept: of all or of none, so that what
  /// is known doesn't depend on what came before.
  bool keepsWholes = true;
  llvm::DenseMap<unsigned, IndexedExpr> known;
  llvm::DenseMap<Key, Tensor> wholes;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_INDEXEDTENSORS_H
