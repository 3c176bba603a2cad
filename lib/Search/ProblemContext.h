//===- ProblemContext.h - A thread's view of a problem ----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_PROBLEMCONTEXT_H
#define MIRAGE_LIB_SEARCH_PROBLEMCONTEXT_H

#include "Mirage/AbstractExpr/FactoredSums.h"
#include "Mirage/Search/Search.h"
#include "Placements.h"
#include "SearchWorker.h"
#include <deque>

namespace mirage {

struct Value;

/// What one thread knows of one problem, for all of its placements: the oracle,
/// and which operators it lets pass on values of given expressions, whatever
/// their shapes.
class ProblemContext {
public:
  ProblemContext(SearchWorker &worker, const KernelProblem &problem);

  struct Choice {
    const Operator *op;
    Params params;
    /// The second operand comes first.
    bool swapped;
  };
  /// A number for an expression and a scalar: what operators exist on a value
  /// depends on these alone, and on its shape.
  unsigned getKind(Expr x, const Tensor &scalar);
  /// Elementwise operators of one operand of some kind.
  llvm::ArrayRef<Choice> getUnary(unsigned x);
  /// Operators of two operands.
  llvm::ArrayRef<Choice> getBinary(unsigned x, unsigned y);
  /// Opaque operators of more than two operands that may be of use, on operands
  /// of the expressions that the program applies them to: without laws there is
  /// nothing else to apply them to.
  llvm::ArrayRef<const SearchWorker::Application *> getApplications() const {
    return applications;
  }
  bool mayContribute(Expr x) {
    return oracle->mayContribute(x) && (!sums || sums->isFactored(x));
  }
  /// What an operator makes of tiles with such indexed expressions; nothing if
  /// sums in it run over other factors than those of the outputs do.
  std::optional<IndexedExpr>
  getIndexed(const Operator &op, const Params &params,
             llvm::ArrayRef<Shape> labels, llvm::ArrayRef<IndexedExpr> operands,
             llvm::function_ref<bool(int64_t)> isPart);
  /// The value of the whole tensor with such an expression; null: not known.
  const Tensor *getWhole(IndexedExpr x, llvm::ArrayRef<int64_t> label) const {
    return worker.indexedTensors.getWhole(x, label);
  }
  /// What a sum over all iterations of a loop that cuts a role makes of a tile.
  std::optional<IndexedExpr>
  getAccumulated(IndexedExpr x, llvm::ArrayRef<int64_t> label, int role) {
    return indices ? worker.indexedTensors.getAccumulated(x, label, role) : 0;
  }
  IndexedExpr getIndexed(const SearchTensor &tensor) {
    return indices ? worker.indexedTensors.get(tensor) : 0;
  }
  IndexedExpr getIndexed(double constant) {
    return indices ? worker.indexedTensors.getConstant(constant) : 0;
  }
  /// Whether a value with such a scalar may be of use: what it becomes of whole
  /// tensors, when the grid and the loop are taken away, is on some way to the
  /// outputs among these (LeastWork.h).
  bool mayBeUseful(const Tensor &scalar) const;
  bool mayBeUseful(const Value &value) const;
  /// The scalars of an operator's and an accumulator's results.
  Tensor getScalar(const Operator &op, llvm::ArrayRef<const Tensor *> operands,
                   const Params &params) const;
  Tensor getMaximum(const Tensor &scalar) const;
  /// Whether an expression may be that of an output of the problem.
  bool isOutput(Expr x, const SearchTensor &output);

  /// What the oracle was asked since the last call.
  OracleStatistics takeStatistics();
  /// What went wrong with the oracle since the last call; empty: nothing.
  std::string takeError();
  /// Whether there is no oracle.
  bool isBroken() const { return !failure.empty(); }

  SearchWorker &worker;
  const KernelProblem &problem;

private:
  /// The choices among what operators make of operands of such kinds.
  std::vector<Choice> choose(llvm::ArrayRef<SearchWorker::Result> results,
                             llvm::ArrayRef<unsigned> kinds);

  /// None: not known.
  std::optional<llvm::DenseSet<uint64_t>> usefulTensors;
  std::unique_ptr<SubexpressionOracle> oracle;
  /// Why there is no oracle.
  std::string failure;
  /// Null where the rule is off.
  std::unique_ptr<FactoredSums> sums;
  std::unique_ptr<IndexedOracle> indices;
  /// Operators by arity and number that have a function or constant which no
  /// target has.
  std::array<llvm::BitVector, 2> foreign;
  std::vector<const SearchWorker::Application *> applications;
  struct Kind {
    Expr expr;
    Tensor scalar;
  };
  std::deque<Kind> kinds;
  /// By expression and a hash of the scalar.
  llvm::DenseMap<std::pair<Expr, uint64_t>, unsigned> kindNumbers;
  llvm::DenseMap<unsigned, std::vector<Choice>> unaryChoices;
  /// Null for most: no operator.
  llvm::DenseMap<std::pair<unsigned, unsigned>,
                 std::unique_ptr<std::vector<Choice>>>
      binaryChoices;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_PROBLEMCONTEXT_H
