//===- Mugraph.h - μGraphs as compact values --------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_MUGRAPH_H
#define MIRAGE_MUGRAPH_MUGRAPH_H

#include "Mirage/Operators/Operator.h"
#include "mlir/IR/Types.h"
#include <memory>
#include <vector>

namespace mirage {

/// How an accumulator combines the tiles of the loop's iterations.
enum class Accumulation : uint8_t {
  Sum,         ///< adds them
  Max,         ///< the elementwise maximum
  Concat,      ///< one after the other along `params[0]`
  RescaledSum, ///< the sum of t * exp(m - M): operands = {t, m}, and M is the
               ///< maximum of m over all iterations
};

/// A tensor in device memory.
struct KernelTensor {
  Shape shape;
  mlir::Type elementType;
};

/// A node of a block graph; its tile is named by the node's index.
struct BlockNode {
  enum class Kind : uint8_t {
    InputIterator, ///< operands = {index of the kernel's input}; map, fmap
    Constant,      ///< constant
    Operator,      ///< op, params, operands
    Accumulator,   ///< accumulation, params, operands = {tile, ..}
    OutputSaver,   ///< operands = {tile}; map. Savers come last, in order
  };
  Kind kind = Kind::Operator;
  /// Whether it runs in each iteration. An accumulator does not: its result is
  /// there when the loop has ended.
  bool inLoop = false;
  const Operator *op = nullptr;
  Accumulation accumulation = Accumulation::Sum;
  Params params;
  llvm::SmallVector<unsigned, 2> operands;
  /// The imap or omap: for each grid dimension a data dimension or kReplica.
  llvm::SmallVector<int64_t, 3> map;
  int64_t fmap = -1;
  double constant = 0;
  /// The shape of the tile; for a saver, of the whole tensor.
  Shape shape;
  /// What the elements of the tile are stored in; null: what an iterator loads
  /// has the tensor's type, all others are f32.
  mlir::Type elementType;

  /// Whether it computes nothing (Operator::isMovement).
  bool isMovement() const { return op && op->isMovement(); }
  /// The type of its tile's elements in a kernel with these inputs; null: f32,
  /// of which there is none without a context.
  mlir::Type getElementType(llvm::ArrayRef<KernelTensor> inputs) const;
};

/// What one thread block does (paper, section 2). Nodes are in an order in
/// which operands come first.
struct BlockGraph {
  llvm::SmallVector<int64_t, 3> grid;
  /// 0: there is no loop, and no node is inLoop or an accumulator.
  int64_t iterations = 0;
  std::vector<BlockNode> nodes;

  int64_t getNumBlocks() const { return getNumElements(grid); }
};

/// A node of a kernel graph: one kernel, or a constant.
struct KernelNode {
  enum class Kind : uint8_t {
    Constant,
    Operator,     ///< pre-defined: op, params
    GraphDefined, ///< graph; as many results as it has savers
  };
  Kind kind = Kind::Operator;
  const Operator *op = nullptr;
  Params params;
  std::shared_ptr<const BlockGraph> graph;
  double constant = 0;
  /// Indices of tensors.
  llvm::SmallVector<unsigned, 4> operands;
  llvm::SmallVector<unsigned, 1> results;
};

/// A tensor program or μGraph. Tensor i < numInputs is input i; the others are
/// results of nodes, which are in an order in which operands come first.
struct KernelGraph {
  unsigned numInputs = 0;
  std::vector<KernelTensor> tensors;
  std::vector<KernelNode> nodes;
  llvm::SmallVector<unsigned, 1> outputs;

  /// Whether a node is no more than another view of a buffer, or a constant: a
  /// reshape, or a slice or a concatenation whose parts kernels read and write
  /// in the whole, if it keeps the element type (Dialect/Mirage/TensorView.h).
  bool isWithoutKernel(const KernelNode &node) const;
  /// The number of kernels that it launches.
  unsigned getNumKernels() const;
  /// Whether exponentials with laws occur, at any level.
  bool usesExponentiation() const;
};

/// Why there is no `withEvenCuts`, for messages.
inline constexpr llvm::StringLiteral kDependsOnCuts =
    "tiles of an uneven grid or loop differ where they overlap";
/// The same computation without grids and loops that don't divide what they
/// cut: each of these has one block or iteration. Elements in which tiles
/// overlap are the same in all of them (C4 of mirage_kernel.graph_defined), and
/// what a loop accumulates doesn't depend on how it deals them out (C5 of
/// mirage_block.loop), so that the whole may as well be one tile: for whoever
/// asks what is computed, and not how. None if C4 or C5 doesn't hold
/// (`kDependsOnCuts`).
std::optional<KernelGraph> withEvenCuts(const KernelGraph &graph);

/// Infers the shapes of a block graph's nodes anew, for its grid and iterations
/// and the shapes of its inputs and (for the savers) of the tensors that it
/// writes. False, with the reason, when something doesn't divide or fit, or is
/// cut unevenly where it must not be (C4 of mirage_kernel.graph_defined, C5 of
/// mirage_block.loop).
bool inferShapes(BlockGraph &graph, llvm::ArrayRef<Shape> inputs,
                 llvm::ArrayRef<Shape> outputs, std::string &error);

} // namespace mirage

#endif // MIRAGE_MUGRAPH_MUGRAPH_H
