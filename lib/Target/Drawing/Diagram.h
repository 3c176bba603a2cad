//===- Diagram.h - What is drawn of a function ------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TARGET_DRAWING_DIAGRAM_H
#define MIRAGE_LIB_TARGET_DRAWING_DIAGRAM_H

#include "Mirage/Dialect/Mirage/Mirage.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include <string>
#include <vector>

namespace mirage {

/// A graph that others are nested in: a function's kernel graph, the block
/// graph of a graph-defined kernel, its loop, or a thread graph.
struct DiagramFrame {
  enum class Kind { KernelGraph, BlockGraph, Loop, ThreadGraph };
  Kind kind;
  /// An index of `Diagram::frames`; -1 of the first.
  int parent;
  /// "@rmsnorm", "graph_defined", "loop".
  std::string title;
  /// The values that it defines, as they are printed: "%0".
  std::string value;
  /// "grid x = 128", "iterations 64".
  std::vector<std::string> notes;
  mlir::Operation *op;
};

struct DiagramNode {
  enum class Kind {
    Input,
    Output,
    Constant,
    Operator,
    /// A graph-defined operator whose graph is not drawn.
    GraphDefined,
    InputIterator,
    Accumulator,
    OutputSaver,
    /// A result of a thread graph.
    Yield,
    /// Says something; defines no value.
    Note,
  };
  Kind kind;
  Level level;
  unsigned frame;
  /// "matmul", "input_iterator", "accumulate sum".
  std::string title;
  /// The values that it defines, as they are printed: "%7"; may be empty.
  std::string value;
  /// The operands, in order, by the names of the nodes that define them.
  std::string operands;
  /// "imap x -> replica", "dim 2".
  std::vector<std::string> notes;
  /// Of its results; of an output and an output saver, what it writes.
  std::vector<mlir::Type> types;
  /// The op, if there is one, and which of its operands the node stands for if
  /// it stands for one only.
  mlir::Operation *op = nullptr;
  unsigned index = 0;
};

/// Node `to` reads what node `from` defines. An operand of a nested graph's is
/// read by the nodes in it.
struct DiagramEdge {
  unsigned from, to;
};

/// Frames come after their parents, nodes after those that they read, and the
/// edges to a node in the order of its operands.
struct Diagram {
  std::vector<DiagramFrame> frames;
  std::vector<DiagramNode> nodes;
  std::vector<DiagramEdge> edges;
};

/// What is drawn of a function down to a level. `names` are those of the
/// module.
Diagram buildDiagram(mlir::func::FuncOp function, mlir::AsmState &names,
                     Level level);

/// An op as it is printed, without what is nested in it, on one line of at most
/// so many columns.
std::string getOpText(mlir::Operation *op, mlir::AsmState &names,
                      unsigned columns);

/// The flags that the names must be made with.
mlir::OpPrintingFlags getDrawingFlags();

} // namespace mirage

#endif // MIRAGE_LIB_TARGET_DRAWING_DIAGRAM_H
