//===- Operator.h - The meaning of an operator ------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_OPERATORS_OPERATOR_H
#define MIRAGE_OPERATORS_OPERATOR_H

#include "Mirage/AbstractExpr/Expr.h"
#include "Mirage/Numbers/NumberSystem.h"
#include "Mirage/Operators/ElementAlgebra.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace mirage {

/// The integers that an operator's meaning depends on besides its operands: the
/// dimension of a sum, the shape of a reshape. Their order is the operator's.
using Params = llvm::SmallVector<int64_t, 2>;

/// What one application of an operator costs, for one tile or tensor.
struct OperatorCost {
  /// Multiplications and additions that tensor cores could do.
  int64_t tensorFlops = 0;
  /// Other arithmetic.
  int64_t scalarFlops = 0;
  /// Evaluations of exp, sqrt and division.
  int64_t specialFunctions = 0;

  /// The same so many times, or as much as can be said.
  OperatorCost times(int64_t count) const {
    auto multiply = [&](int64_t each) {
      return static_cast<int64_t>(
          std::min<uint64_t>(llvm::SaturatingMultiply<uint64_t>(each, count),
                             std::numeric_limits<int64_t>::max()));
    };
    return {multiply(tensorFlops), multiply(scalarFlops),
            multiply(specialFunctions)};
  }
};

/// How the dimensions of an operator's operands and result hang together: the
/// loops that would compute it. Roles of dimensions, default schedules and
/// partitions follow from it.
struct IterationSpace {
  /// The sizes of the loops: one for each dimension of the result, in order,
  /// then the reductions.
  llvm::SmallVector<int64_t, 4> sizes;
  /// For each operand, for each of its dimensions, the loop that runs over it;
  /// `kNoLoop` for a dimension of size 1 that is always read at 0.
  llvm::SmallVector<llvm::SmallVector<int, 4>, 2> operandLoops;
  static constexpr int kNoLoop = -1;
  /// Whether results over parts of the reductions add up to the whole result,
  /// so that a loop with summing accumulators may cut them.
  bool reductionsAreSums = false;
};

/// The one place where an operator is defined. Engines ask; none looks at which
/// operator it is. Objects are immutable and live as long as the process.
class Operator {
public:
  Operator(llvm::StringRef name, unsigned numOperands)
      : name(name), numOperands(numOperands) {}
  virtual ~Operator();
  Operator(const Operator &) = delete;

  /// The mnemonic of its ops in every dialect.
  llvm::StringRef getName() const { return name; }
  unsigned getNumOperands() const { return numOperands; }

  /// The parameters of an op, and the attributes (none by default) that give
  /// them to a new one.
  virtual Params readParams(mlir::Operation *op) const;
  virtual void writeParams(mlir::OperationState &state,
                           const Params &params) const;

  /// The result's shape, or false with the reason in `error`, if it is given:
  /// which operand or dimension, what was expected, what was found.
  virtual bool inferShape(llvm::ArrayRef<Shape> operands, const Params &params,
                          Shape &result,
                          std::string *error = nullptr) const = 0;

  /// The loops that compute it, or nothing for an operator that loops can't
  /// describe (a reshape). The operands' shapes have been checked.
  virtual std::optional<IterationSpace>
  getIterationSpace(llvm::ArrayRef<Shape> operands,
                    const Params &params) const = 0;

  /// The value over a number system. The operands' shapes have been checked.
  virtual Tensor evaluate(const NumberSystem &numbers,
                          llvm::ArrayRef<const Tensor *> operands,
                          const Params &params) const = 0;

  /// The abstract expression (paper, Table 1).
  virtual Expr getExpr(ExprContext &context, llvm::ArrayRef<Shape> shapes,
                       llvm::ArrayRef<Expr> operands,
                       const Params &params) const = 0;

  /// Whether the result is linear in an operand, the others held fixed: up to
  /// what it is where that is 0 (a sum of two).
  virtual bool isLinearIn(unsigned operand) const { return false; }
  /// Whether it is also 0 where that is, so that a factor of the operand is one
  /// of the result: a product, but no sum of two.
  virtual bool isHomogeneousIn(unsigned operand) const {
    return numOperands == 1 && isLinearIn(operand);
  }
  /// Whether it computes an exponential that the laws of exp apply to.
  virtual bool usesExponentiation(const Params &params) const { return false; }
  /// Whether it jumps where that operand changes by as little as one likes: one
  /// that is compared, or by whose sign another is chosen.
  virtual bool isDiscontinuousIn(unsigned operand) const { return false; }
  /// Whether it divides operand 0 by operand 1, element by element (broadcast):
  /// Mirage/Operators/Division.h says how.
  virtual bool isQuotient() const { return false; }
  /// Whether it subtracts operand 1 from operand 0, element by element.
  virtual bool isDifference() const { return false; }
  /// Whether it is the exponential of its operand, element by element.
  virtual bool isExponential() const { return false; }
  /// Whether it is the square of its operand, element by element.
  virtual bool isSquare() const { return false; }
  /// Whether it is operand 1 where operand 0 is above 0, and 0 elsewhere.
  virtual bool isMasking() const { return false; }
  /// Whether it is the maximum of its operand over one dimension.
  virtual bool isMaximum() const { return false; }
  /// Whether operands can be swapped without changing the result.
  virtual bool isCommutative() const { return false; }
  /// Whether each element of the result depends on the elements at the same
  /// (broadcast) index only, so that the operator can run in registers.
  virtual bool isElementwise() const { return false; }
  /// Whether it computes nothing: all elements of the result are elements of
  /// its operands, or padding, so that it is a matter of how a tile is read.
  virtual bool isMovement() const { return false; }
  /// Whether it folds elements of its one operand, each about once: a sum or
  /// maximum over a dimension.
  bool isReduction() const {
    return numOperands == 1 && !isElementwise() && !isMovement();
  }
  /// Whether the result has the elements of operand 0 in the same row-major
  /// order, so that a tensor in memory need not be touched.
  virtual bool isReinterpretation() const { return false; }
  /// Whether the result is a part of operand 0, a box in it, so that kernels
  /// can read it where it is (Mirage/Dialect/Mirage/TensorView.h).
  virtual bool isView() const { return false; }
  /// Whether the operands are parts of the result, one behind the other along
  /// the dimension that is the first parameter, so that kernels can write them
  /// there.
  virtual bool isJoin() const { return false; }
  /// Whether transposing the result by `permutation` (as `transpose` takes it)
  /// is the same as applying the operator, with some parameters, to operands
  /// that are transposed (and swapped, for a product of matrices).
  virtual bool commutesWithTranspose(llvm::ArrayRef<int64_t> permutation,
                                     llvm::ArrayRef<Shape> operands,
                                     const Params &params) const {
    return false;
  }
  /// Whether its meaning is known to the user only, so that it can't be lowered
  /// or run: over the reals it is evaluated as some function or other.
  virtual bool isOpaque() const { return false; }
  /// What holds for it, in the language of docs/Axioms.md: read when the solver
  /// is asked for a proof, tested in the unit tests.
  virtual llvm::StringRef getAxioms() const { return ""; }
  /// Whether its parameters are the shape of the result.
  virtual bool hasShapeParams() const { return false; }

  /// For an operator of more than two operands: operators that compute the same
  /// together, the last of them the result. The search finds it where it finds
  /// these, instead of trying it on all tuples.
  struct Step {
    llvm::StringRef op;
    /// An operand i of the operator itself, or earlier step i as -1 - i.
    llvm::SmallVector<int, 2> operands;
  };
  virtual llvm::ArrayRef<Step> getSteps() const { return {}; }

  /// For an operator that kernel graphs have for libraries, and block graphs
  /// don't: the one that computes the same of an operand with its last two
  /// dimensions swapped, which takes a tile nothing; or null.
  virtual const Operator *getOfTransposed() const { return nullptr; }
  /// The number of that operand.
  virtual unsigned getTransposedOperand() const { return 0; }

  /// Pairs of operands whose matrix products (of the two last dimensions, with
  /// the others as batches, of which one of size 1 is repeated) add up to the
  /// result, so that tensor cores can compute it; none for an operator that
  /// isn't such a sum.
  using OperandPair = std::pair<unsigned, unsigned>;
  virtual llvm::ArrayRef<OperandPair> getMatrixProducts() const { return {}; }

  virtual OperatorCost getCost(llvm::ArrayRef<Shape> operands,
                               llvm::ArrayRef<int64_t> result,
                               const Params &params) const = 0;

  /// The parameters that the search tries on such operands; none unless told.
  virtual void
  enumerateParams(llvm::ArrayRef<Shape> operands,
                  llvm::function_ref<void(const Params &)> visit) const;

  /// The element of the result at `index`, in index notation. The operands'
  /// shapes have been checked.
  virtual ElementAlgebra::Term
  getElement(ElementAlgebra &algebra, llvm::ArrayRef<Shape> operands,
             llvm::ArrayRef<ElementAlgebra::Index> index,
             const Params &params) const = 0;

private:
  std::string name;
  unsigned numOperands;
};

/// The operator of that name, or null.
const Operator *lookupOperator(llvm::StringRef name);
/// All operators.
llvm::SmallVector<const Operator *> getOperators();
/// The operator of that name, which must exist.
const Operator &getOperator(llvm::StringRef name);

} // namespace mirage

#endif // MIRAGE_OPERATORS_OPERATOR_H
