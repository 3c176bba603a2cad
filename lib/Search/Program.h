//===- Program.h - The program that is searched for -------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_PROGRAM_H
#define MIRAGE_LIB_SEARCH_PROGRAM_H

#include "Mirage/AbstractExpr/SubexpressionOracle.h"
#include "Mirage/Numbers/FiniteField.h"
#include "Mirage/Search/Search.h"
#include "Roles.h"
#include "llvm/ADT/DenseMap.h"

namespace mirage {

struct SearchTensor;

/// How a tensor is computed from others: what its abstract expression is made
/// of in every thread's context. The last step is the tensor.
struct RecipeStep {
  enum class Kind { Leaf, Constant, Operator, Accumulate };
  Kind kind = Kind::Leaf;
  const SearchTensor *leaf = nullptr;
  double constant = 0;
  const Operator *op = nullptr;
  Params params;
  Accumulation accumulation = Accumulation::Sum;
  /// Accumulate: the label of the loop.
  int64_t parts = 0;
  /// Earlier steps, and their labels.
  llvm::SmallVector<unsigned, 2> operands;
  llvm::SmallVector<Shape, 2> labels;
};

/// What `evaluate` makes of the last step of a recipe, given what it makes of
/// each step's operands.
template <typename T, typename Evaluate>
T evaluateRecipe(llvm::ArrayRef<RecipeStep> recipe, Evaluate evaluate) {
  llvm::SmallVector<T> results;
  for (const RecipeStep &step : recipe) {
    llvm::SmallVector<T, 2> operands;
    for (unsigned operand : step.operands)
      operands.push_back(results[operand]);
    results.push_back(evaluate(step, llvm::ArrayRef<T>(operands)));
  }
  return results.back();
}

/// A tensor in device memory, while structures are searched.
struct SearchTensor {
  /// In the order in which they come up, which is the same in every run.
  unsigned id = 0;
  /// What it is known by in logs, whatever the order.
  uint64_t hash = 0;
  /// The labels of its dimensions.
  Shape label;
  /// Whether it holds the partial results of a split, side by side along a
  /// dimension, and of which role's reduction.
  int splitDim = -1;
  int splitRole = kNoRole;
  mlir::Type elementType;
  /// Its value at probe sizes, a split's parts one after the other.
  Tensor value;
  /// What its recipe makes of inputs of one element (ValueGraph.h).
  Tensor scalar;
  /// Empty: an input of the program.
  std::vector<RecipeStep> recipe;
  unsigned input = 0;

  bool isInput() const { return recipe.empty(); }
  bool isSplit() const { return splitDim >= 0; }
};

/// A tensor that the program computes by elementwise operators (and moves,
/// perhaps) and keeps in 16 bits and no other type, or that times one of its
/// constants: a kernel may round its tiles alike.
struct RoundedTensor {
  Shape label;
  /// At probe sizes.
  Tensor value;
  mlir::Type elementType;
};

/// A tensor that the program computes and transposes.
struct TransposedTensor {
  Shape label;
  /// At probe sizes.
  Tensor value;
  Params permutation;
};

/// The tensor program, and what follows from it once for the whole search.
struct SearchProgram {
  /// As it was given: what is found is verified against it.
  KernelGraph reference;
  /// In its canonical form. What is numbered, stored and added up depends on
  /// that alone.
  KernelGraph canonical;
  /// What is searched for: that, its exponentials made safe.
  KernelGraph target;
  /// Whether they are to stay safe.
  bool keepsExponentialsSafe = false;
  Roles roles;
  /// Of each role's size the divisors greater than 1, in increasing order: into
  /// so many parts grids, loops and splits can cut it.
  std::vector<llvm::SmallVector<int64_t>> divisors;
  std::vector<double> constants;
  /// How many operators that don't count may stand in a row: as many as the
  /// program itself has, at least.
  unsigned maxFreeOps = 0;
  /// Operators with ops at the level, sorted by name.
  llvm::SmallVector<const Operator *> kernelOperators, blockOperators;
  /// Parameters that can't be enumerated and are taken from the program, by
  /// operator: permutations, bounds, exponents; dimensions of maxima, with
  /// those that they become where something computed from one is transposed.
  llvm::DenseMap<const Operator *, llvm::SmallVector<Params>> vocabulary;
  /// Whether it transposes a tensor whose shape stays the same: blocks do so
  /// only then.
  bool transposesSquares = false;
  /// The opaque operators of the program and of a user's axioms, by parameters,
  /// and their numbers of operands.
  std::vector<std::pair<Params, unsigned>> functions;
  std::optional<FiniteField> field;
  std::vector<std::unique_ptr<SearchTensor>> inputs, outputs;
  /// The results of all operators of the target, by operator.
  std::vector<std::pair<const Operator *, std::unique_ptr<SearchTensor>>>
      results;
  /// What kernels may hand to later ones, as far as it has come up.
  std::vector<std::unique_ptr<SearchTensor>> intermediates;
  /// The element types in which the program keeps its own tensors, by value,
  /// transposed or not.
  llvm::DenseMap<uint64_t, mlir::Type> elementTypes;
  std::vector<RoundedTensor> rounded;
  std::vector<TransposedTensor> transposed;

  /// The element type for an intermediate tensor: the program's where it has
  /// this tensor, otherwise f32.
  mlir::Type getElementType(const Tensor &value) const;

  /// Calls `visit` with the parameters to try on operands of these labels.
  void enumerateParams(const Operator &op, llvm::ArrayRef<Shape> labels,
                       llvm::function_ref<void(const Params &)> visit) const;

  /// Whether the search may apply an operator with these parameters to operands
  /// of these labels.
  bool hasParams(const Operator &op, llvm::ArrayRef<Shape> labels,
                 const Params &params) const;

  /// The divisors that the sizes of some roles have in common.
  llvm::SmallVector<int64_t> getDivisors(const RoleSet &of) const;

  /// The tensor's shape for given sizes of the roles, and a number of parts if
  /// it is a split's.
  Shape getShape(const SearchTensor &tensor, llvm::ArrayRef<int64_t> roleSizes,
                 int64_t parts) const;
  /// Its bytes at the program's sizes.
  int64_t getBytes(const SearchTensor &tensor, int64_t parts) const;
};

/// A hash of what a tensor holds.
uint64_t hashContent(const Tensor &tensor);
/// The same for the same numbers, in every run.
uint64_t hashNumbers(llvm::ArrayRef<int64_t> numbers);

/// By tensor, whether it is an input of the program, or inputs with their
/// elements moved.
llvm::BitVector findMovedInputs(const KernelGraph &program);

/// Whether a program has graph-defined operators, so that it can't be searched.
bool hasGraphs(const KernelGraph &program);

/// What a program costs as it is, but for what it computes in vain or twice:
/// what is found is compared with that.
CostEstimate estimateReference(const KernelGraph &reference,
                               const SearchOptions &options);

/// The exponentials of a program, by the numbers of their nodes, that a search
/// for it makes safe (SafeExponentials.h); none of a program that it can't
/// evaluate, and all where it would take seconds to find out.
llvm::BitVector findUnsafeExponentials(const KernelGraph &program,
                                       const SearchOptions &options);

/// What a program needs to be searched; an error if it can't be, null if `stop`
/// was set meanwhile.
llvm::Expected<std::unique_ptr<SearchProgram>>
makeSearchProgram(const KernelGraph &reference, const SearchOptions &options,
                  const std::atomic<bool> &stop);

/// Makes abstract expressions of tensors in one context. Not thread safe.
class TensorExprs {
public:
  explicit TensorExprs(ExprContext &context) : context(context) {}
  Expr get(const SearchTensor &tensor);

private:
  Expr evaluate(const RecipeStep &step, llvm::ArrayRef<Expr> operands);

  ExprContext &context;
  llvm::DenseMap<unsigned, Expr> exprs;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_PROGRAM_H
