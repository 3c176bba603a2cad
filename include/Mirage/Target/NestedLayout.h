//===- NestedLayout.h - Where the boxes of nested graphs go -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TARGET_NESTEDLAYOUT_H
#define MIRAGE_TARGET_NESTEDLAYOUT_H

#include <vector>

namespace mirage {

/// A directed graph whose nodes are boxes in nested frames. Lengths are in any
/// unit. The graph must be without cycles, also when all that is in a frame is
/// taken for one node.
struct NestedGraph {
  struct Frame {
    /// An earlier frame; -1 of the first, which holds all others.
    int parent;
    /// What stands at the top of it.
    double headerWidth, headerHeight;
  };
  struct Node {
    unsigned frame;
    double width, height;
  };
  /// Edges to a node arrive side by side, in the order of this list.
  struct Edge {
    unsigned from, to;
  };
  std::vector<Frame> frames;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

struct LayoutPoint {
  double x, y;
};

struct LayoutBox {
  double x = 0, y = 0, width = 0, height = 0;
};

/// Boxes don't overlap, except a frame with what it holds, and keep clear of
/// the header. An edge leads downwards from point to point: straight down where
/// x stays the same, and elsewhere through the space between two layers, where
/// no box is. So no edge crosses a node, or a frame that it doesn't enter or
/// leave.
struct NestedLayout {
  std::vector<LayoutBox> frames, nodes;
  std::vector<std::vector<LayoutPoint>> edges;
};

/// A layered drawing, from top to bottom (Sugiyama's method), of every frame,
/// the inner ones first: layers by the longest path, order by barycenters,
/// places by least squares. Deterministic.
NestedLayout layOut(const NestedGraph &graph);

} // namespace mirage

#endif // MIRAGE_TARGET_NESTEDLAYOUT_H
