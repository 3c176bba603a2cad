//===- SearchWorker.h - What a thread knows of a program --------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_SEARCHWORKER_H
#define MIRAGE_LIB_SEARCH_SEARCHWORKER_H

#include "IndexedTensors.h"
#include "Mirage/AbstractExpr/SubexpressionOracle.h"
#include "Mirage/Search/Search.h"
#include "TensorTiles.h"
#include "llvm/ADT/MapVector.h"

namespace mirage {

/// What a thread keeps from one problem to the next.
struct SearchWorker {
  SearchWorker(const SearchProgram &program, const SearchOptions &options);

  const SearchProgram &program;
  const SearchOptions &options;
  ExprContext context;
  TensorExprs exprs;
  IndexedExprContext indexedContext;
  IndexedTensors indexedTensors;
  TensorTilesCache tensorTiles;
  /// What some of the addends of the program's own sums add up to.
  std::vector<Expr> sums;
  /// Whether these are all: not if there are too many addends.
  bool hasAllSums = true;
  /// What the program takes exponentials of, and whether it subtracts a maximum
  /// from it first.
  llvm::MapVector<Expr, bool> exponents;
  /// An opaque operator of more than two operands as the program applies it.
  struct Application {
    const Operator *op;
    Params params;
    llvm::SmallVector<Expr> operands;
    Expr result;
  };
  std::vector<Application> applications;

  /// An operator of one or two operands with parameters, and the expression
  /// that it makes of unknown ones.
  struct OperatorWithParams {
    const Operator *op;
    Params params;
    Expr ofUnknowns;
  };
  /// All of use to the program, by the number of operands less one, but for
  /// those of one operand that look at its shape.
  std::array<std::vector<OperatorWithParams>, 2> operators;

  /// What an operator, by its number, makes of operands of one element.
  struct Result {
    unsigned op;
    /// The second operand comes first.
    bool swapped;
    Expr expr;
  };
  /// What operators of one or two operands make of these, as far as it may be a
  /// part of what the program computes: mostly nothing. Asked again, it
  /// remembers, as long as that is not too much. Valid until the next call.
  llvm::ArrayRef<Result> applyAll(Expr x) { return applyAll(1, x, Expr()); }
  llvm::ArrayRef<Result> applyAll(Expr x, Expr y) { return applyAll(2, x, y); }

  /// What an operator of one operand that looks at its shape makes of tiles of
  /// some label, as far as the program may have use for it.
  struct ShapedResult {
    const Operator *op;
    Params params;
    Shape label;
  };
  using ShapedResults = std::shared_ptr<const std::vector<ShapedResult>>;
  /// Asked again, it remembers, as long as that is not too much.
  ShapedResults applyShaped(llvm::ArrayRef<int64_t> label);

  /// Whether none of some targets has all functions and constants of an
  /// expression, so that it is of no use.
  bool isForeign(Expr x, llvm::ArrayRef<Expr> targets);

  /// What the oracle was asked since the last call.
  OracleStatistics takeStatistics() {
    return oracle ? oracle->takeStatistics() : OracleStatistics();
  }

private:
  void readRecipe(const SearchTensor &output);
  void listOperators(llvm::ArrayRef<Expr> targets);
  Expr apply(const OperatorWithParams &op, llvm::ArrayRef<Expr> operands);
  bool mayBeOfUse(const Operator &op, const Params &params,
                  llvm::ArrayRef<int64_t> label,
                  llvm::ArrayRef<int64_t> result) const;
  llvm::ArrayRef<Result> applyAll(unsigned arity, Expr x, Expr y);

  /// Operators of one operand that look at its shape.
  llvm::SmallVector<const Operator *> shaped;
  /// Of all that the program computes; null: everything may be a part of it.
  std::unique_ptr<NormalFormOracle> oracle;
  /// Where the results for some operands begin, and how many they are.
  using Range = std::pair<uint32_t, uint32_t>;
  std::array<llvm::DenseMap<std::pair<Expr, Expr>, Range>, 2> ranges;
  std::vector<Result> results;
  std::map<Shape, ShapedResults> shapedResults;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_SEARCHWORKER_H
