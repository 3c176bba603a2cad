//===- ProgramParts.h - Programs searched in parts --------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_PROGRAMPARTS_H
#define MIRAGE_LIB_SEARCH_PROGRAMPARTS_H

#include "Mirage/Mugraph/Mugraph.h"
#include "llvm/ADT/BitVector.h"

namespace mirage {

/// How many products of matrices depend on each other, at most.
unsigned getProductDepth(const KernelGraph &program);

/// A program cut at the operators through which dimensions can't be followed,
/// reshapes that merge or split them, and at reshapes of inputs and to outputs,
/// which take no kernel. Each part is a program of its own, whose outputs are
/// neither inputs nor the same twice.
class ProgramParts {
public:
  /// Where a program is also cut: nowhere; between operators that no tensor
  /// connects, or none but inputs, as they are or moved; at products of
  /// matrices: where parts read and write least, and take few kernels, so that
  /// no more than two of one depend on each other, or, before that, three of
  /// one that has few operators; in front of the first, where what leads to
  /// them reduces something, or where both operands of one are computed, and
  /// smaller than the result; behind each that leads to another; in front of
  /// them, so that none depends on another of its part; or so that none depends
  /// on anything of its part; or into halves, where least is handed on. From
  /// coarse to fine: a search tries finer ones than it was asked for
  /// (Search.cpp).
  enum class Products {
    Any,
    Connected,
    Dependent,
    ThreeDeep,
    TwoDeep,
    InFront,
    InFrontOfBoth,
    Leading,
    OneDeep,
    Apart,
    Halves
  };
  ProgramParts(const KernelGraph &program, Products products);

  llvm::ArrayRef<KernelGraph> getParts() const { return parts; }
  /// A part's first operator, as a node of the program.
  unsigned getFirstNode(size_t part) const { return places[part].firstNode; }
  /// Whether there is one part that is the whole program.
  bool isWhole() const;
  /// The program with other graphs, of the same signatures, in the place of its
  /// parts.
  KernelGraph join(llvm::ArrayRef<const KernelGraph *> graphs) const;
  /// Whether the parts as they are make up the program: or else what is proved
  /// of them proves nothing of it.
  bool joinToProgram() const;

private:
  void addPart(llvm::ArrayRef<unsigned> nodes);
  llvm::SmallVector<llvm::SmallVector<unsigned>>
  getDependent(llvm::ArrayRef<unsigned> nodes, const llvm::BitVector &isCut,
               llvm::ArrayRef<size_t> stageOf);
  void delayFunctions(const llvm::BitVector &isCut,
                      const llvm::BitVector &isGiven,
                      std::vector<size_t> &stageOf, bool ofSeveral) const;

  const KernelGraph &program;
  /// By tensor, the node that computes it; -1: an input.
  std::vector<int> producer;
  /// By tensor, whether each part that reads it computes it.
  llvm::BitVector isOfEach;
  /// By stage, the operators at which it is cut that come before it.
  std::vector<llvm::SmallVector<unsigned>> cutsBefore;
  /// Those of stages that have any; the tensors of the program that are their
  /// inputs and outputs; the stage; and the first node.
  std::vector<KernelGraph> parts;
  struct Place {
    size_t stage;
    llvm::SmallVector<unsigned> inputs, outputs;
    unsigned firstNode = 0;
  };
  std::vector<Place> places;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_PROGRAMPARTS_H
