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
#include <map>

namespace mirage {

/// A program in which each long elementwise function of one tensor, such as an
/// activation function that is written as a polynomial, is one opaque operator:
/// the search takes it as a whole then, and nothing is moved into it.
class FoldedFunctions {
public:
  explicit FoldedFunctions(const KernelGraph &program);

  /// Whether the program has none.
  bool isEmpty() const { return functions.empty(); }
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
    /// 0: the function's operand; k: step k - 1.
    llvm::SmallVector<unsigned, 2> operands;
    mlir::Type elementType;
  };
  using Function = std::vector<Step>;

  int64_t define(const KernelGraph &program, llvm::ArrayRef<unsigned> nodes,
                 unsigned operand, unsigned result);
  const Function *find(const Operator *op, const Params &params) const;
  std::shared_ptr<const BlockGraph> unfold(const BlockGraph &graph) const;

  /// By the numbers of their names.
  std::map<int64_t, Function> functions;
  KernelGraph folded;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_FOLDEDFUNCTIONS_H
