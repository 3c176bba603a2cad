//===- FoldedFunctions.h - Elementwise functions in one piece ---*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_FOLDEDFUNCTIONS_H
#define MIRAGE_LIB_SEARCH_FOLDEDFUNCTIONS_H

#include "Mirage/Mugraph/Mugraph.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace mirage {

/// A program in which long elementwise functions are one opaque operator each:
/// the search takes them as a whole then, and nothing is moved into them.
class FoldedFunctions {
public:
  enum class Kind {
    /// Functions of one tensor, such as an activation function that is written
    /// as a polynomial.
    OfOne,
    /// These, and functions of several tensors that begin or end the program:
    /// of inputs only, transposed or not, such as a rotation by positions, or
    /// that lead to outputs by way of such functions only, such as the gates of
    /// a recurrent cell.
    OfSeveral,
    /// All these, and sums and differences of two tensors, but for those that
    /// exponentials are taken of: no product is distributed over them.
    Sums
  };
  /// The exponentials of a program that have to be made safe: their nodes.
  using FindUnsafe = llvm::function_ref<llvm::BitVector(const KernelGraph &)>;
  /// Functions have at most so many operators of several tensors, none of the
  /// exponentials that `findUnsafe` finds, and nothing in which what these are
  /// relative to may cancel: what is folded isn't changed.
  FoldedFunctions(const KernelGraph &program, Kind kind, unsigned most,
                  FindUnsafe findUnsafe);

  /// Whether the program has none.
  bool isEmpty() const { return functions.empty(); }
  /// Whether it has some of the kind that was asked for, not only functions of
  /// one tensor beside them.
  bool hasKind() const { return hasOfKind; }
  /// Of the program's inputs and outputs. What its functions compute is known
  /// to whoever asks for their definitions.
  const KernelGraph &getProgram() const { return folded; }
  /// A graph of the folded program's operators with the program's instead.
  KernelGraph unfold(const KernelGraph &graph) const;

private:
  /// One operator of a function, or a constant.
  struct Step {
    const Operator *op = nullptr;
    Params params;
    double constant = 0;
    /// The function's operands, then the steps.
    llvm::SmallVector<unsigned, 2> operands;
    mlir::Type elementType;
  };
  struct Function {
    unsigned numOperands = 0;
    std::vector<Step> steps;
  };
  /// What stands in the program where a function is to be.
  struct Group {
    /// The numbers of its operators, the last one computes the result.
    llvm::SmallVector<unsigned> nodes;
    /// The tensors that it is a function of, constants apart.
    llvm::SmallVector<unsigned> operands;
  };

  static unsigned countOfSeveral(const KernelGraph &program, const Group &group,
                                 const llvm::BitVector &isConstant);
  static llvm::BitVector findUnsafeIn(const KernelGraph &program, Kind kind,
                                      unsigned most, FindUnsafe findUnsafe);
  static std::vector<Group> findOfOne(const KernelGraph &program,
                                      unsigned most);
  static std::vector<Group> findOfSeveral(const KernelGraph &program,
                                          unsigned most,
                                          const llvm::BitVector &staysApart);
  static std::vector<Group> findSums(const KernelGraph &program,
                                     const llvm::BitVector &staysApart);
  void fold(const KernelGraph &program, llvm::ArrayRef<Group> groups);
  int64_t define(const KernelGraph &program, const Group &group);
  static Shape getShape(const Step &step, llvm::ArrayRef<Shape> operands);
  const Function *find(const Operator *op, const Params &params) const;
  std::shared_ptr<const BlockGraph> unfold(const BlockGraph &graph) const;

  /// By the numbers of their names.
  std::map<int64_t, Function> functions;
  bool hasOfKind = false;
  KernelGraph folded;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_FOLDEDFUNCTIONS_H
