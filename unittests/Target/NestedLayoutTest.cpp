//===- NestedLayoutTest.cpp - Tests of the layout of nested graphs --------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Target/NestedLayout.h"
#include "gmock/gmock.h"
#include <cmath>
#include <random>

using namespace mirage;

namespace {

constexpr double kRounding = 1e-6;

bool overlap(const LayoutBox &a, const LayoutBox &b) {
  return a.x + kRounding < b.x + b.width && b.x + kRounding < a.x + a.width &&
         a.y + kRounding < b.y + b.height && b.y + kRounding < a.y + a.height;
}

/// Whether `frame` is `inner` or a frame around it.
bool isAround(const NestedGraph &graph, unsigned frame, int inner) {
  for (; inner >= 0; inner = graph.frames[inner].parent)
    if (inner == int(frame))
      return true;
  return false;
}

void expectInside(const LayoutBox &box, const LayoutBox &frame,
                  const NestedGraph::Frame &header) {
  EXPECT_GE(box.x, frame.x);
  EXPECT_GE(box.y, frame.y + header.headerHeight - kRounding);
  EXPECT_LE(box.x + box.width, frame.x + frame.width);
  EXPECT_LE(box.y + box.height, frame.y + frame.height);
}

void checkBoxes(const NestedGraph &graph, const NestedLayout &layout) {
  ASSERT_EQ(layout.nodes.size(), graph.nodes.size());
  ASSERT_EQ(layout.frames.size(), graph.frames.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    EXPECT_EQ(layout.nodes[i].width, graph.nodes[i].width);
    EXPECT_EQ(layout.nodes[i].height, graph.nodes[i].height);
    unsigned frame = graph.nodes[i].frame;
    expectInside(layout.nodes[i], layout.frames[frame], graph.frames[frame]);
    for (size_t j = 0; j < i; ++j)
      EXPECT_FALSE(overlap(layout.nodes[i], layout.nodes[j])) << i << " " << j;
    for (size_t j = 0; j < graph.frames.size(); ++j) {
      if (!isAround(graph, j, frame)) {
        EXPECT_FALSE(overlap(layout.nodes[i], layout.frames[j]))
            << "node " << i << ", frame " << j;
      }
    }
  }
  for (size_t i = 0; i < graph.frames.size(); ++i) {
    EXPECT_GE(layout.frames[i].width, graph.frames[i].headerWidth);
    int parent = graph.frames[i].parent;
    if (parent >= 0)
      expectInside(layout.frames[i], layout.frames[parent],
                   graph.frames[parent]);
    for (size_t j = 0; j < i; ++j) {
      if (!isAround(graph, j, i)) {
        EXPECT_FALSE(overlap(layout.frames[i], layout.frames[j]))
            << i << " " << j;
      }
    }
  }
}

/// An edge stays in the rectangles between its points, since it is drawn
/// straight or as a curve that turns nowhere.
void checkEdge(const NestedGraph &graph, const NestedLayout &layout,
               unsigned index) {
  const NestedGraph::Edge &edge = graph.edges[index];
  const std::vector<LayoutPoint> &points = layout.edges[index];
  const LayoutBox &from = layout.nodes[edge.from], &to = layout.nodes[edge.to];
  ASSERT_GE(points.size(), 2u);
  EXPECT_NEAR(points.front().x, from.x + from.width / 2, kRounding);
  EXPECT_NEAR(points.front().y, from.y + from.height, kRounding);
  EXPECT_GT(points.back().x, to.x);
  EXPECT_LT(points.back().x, to.x + to.width);
  EXPECT_NEAR(points.back().y, to.y, kRounding);
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    LayoutPoint a = points[i], b = points[i + 1];
    EXPECT_GE(b.y, a.y - kRounding);
    // Sideways is where there is room.
    if (std::abs(a.x - b.x) > kRounding) {
      EXPECT_GE(b.y, a.y + 10);
    }
    // A line without width overlaps nothing.
    LayoutBox segment{std::min(a.x, b.x) - 0.1, a.y, std::abs(a.x - b.x) + 0.2,
                      b.y - a.y};
    for (size_t node = 0; node < graph.nodes.size(); ++node)
      EXPECT_FALSE(overlap(segment, layout.nodes[node]))
          << "edge " << index << ", node " << node;
    for (size_t frame = 0; frame < graph.frames.size(); ++frame) {
      if (!isAround(graph, frame, graph.nodes[edge.from].frame) &&
          !isAround(graph, frame, graph.nodes[edge.to].frame)) {
        EXPECT_FALSE(overlap(segment, layout.frames[frame]))
            << "edge " << index << ", frame " << frame;
      }
    }
  }
}

NestedLayout layOutAndCheck(const NestedGraph &graph) {
  NestedLayout layout = layOut(graph);
  checkBoxes(graph, layout);
  EXPECT_EQ(layout.edges.size(), graph.edges.size());
  for (unsigned i = 0; i < layout.edges.size(); ++i)
    checkEdge(graph, layout, i);
  return layout;
}

/// Graphs in graphs, as programs have them: what is in a frame stands together
/// in the order of the nodes, and edges lead from earlier to later ones.
class RandomGraph {
public:
  explicit RandomGraph(unsigned seed) : random(seed) {}

  NestedGraph get() {
    addFrame(-1, 0);
    unsigned numNodes = graph.nodes.size();
    for (unsigned to = 1; to < numNodes; ++to)
      for (unsigned i = draw(4); i > 0; --i)
        graph.edges.push_back({draw(to), to});
    return std::move(graph);
  }

private:
  unsigned draw(unsigned below) { return random() % below; }

  void addFrame(int parent, unsigned depth) {
    int frame = graph.frames.size();
    graph.frames.push_back({parent, double(20 + draw(300)), double(draw(40))});
    for (unsigned i = draw(8); i > 0; --i)
      if (depth < 3 && draw(4) == 0)
        addFrame(frame, depth + 1);
      else
        graph.nodes.push_back(
            {unsigned(frame), double(20 + draw(200)), double(20 + draw(80))});
  }

  std::mt19937 random;
  NestedGraph graph;
};

TEST(NestedLayout, Empty) {
  NestedGraph graph;
  graph.frames = {{-1, 100, 20}};
  NestedLayout layout = layOutAndCheck(graph);
  EXPECT_GE(layout.frames[0].width, 100);
  EXPECT_GE(layout.frames[0].height, 20);
}

// What reads stands below what it reads, and a chain is straight.
TEST(NestedLayout, Chain) {
  NestedGraph graph;
  graph.frames = {{-1, 10, 20}};
  graph.nodes = {{0, 100, 30}, {0, 60, 30}, {0, 120, 30}};
  graph.edges = {{0, 1}, {1, 2}};
  NestedLayout layout = layOutAndCheck(graph);
  for (unsigned i = 0; i < 2; ++i) {
    const LayoutBox &upper = layout.nodes[i], &lower = layout.nodes[i + 1];
    EXPECT_GT(lower.y, upper.y + upper.height);
    EXPECT_NEAR(upper.x + upper.width / 2, lower.x + lower.width / 2, 0.5);
  }
}

// Edges arrive from left to right in the order of the operands, and the
// operands stand so that the edges don't cross.
TEST(NestedLayout, OperandOrder) {
  NestedGraph graph;
  graph.frames = {{-1, 10, 20}};
  graph.nodes = {{0, 50, 30}, {0, 50, 30}, {0, 50, 30}};
  graph.edges = {{1, 2}, {0, 2}};
  NestedLayout layout = layOutAndCheck(graph);
  EXPECT_LT(layout.edges[0].back().x, layout.edges[1].back().x);
  EXPECT_LT(layout.nodes[1].x, layout.nodes[0].x);
}

// The inner frame turns what it holds around when its readers need it the other
// way round.
TEST(NestedLayout, InnerFrameAdapts) {
  NestedGraph graph;
  graph.frames = {{-1, 10, 20}, {0, 10, 20}};
  graph.nodes = {{0, 50, 30}, {1, 50, 30}, {1, 50, 30}, {0, 80, 30}};
  graph.edges = {{0, 1}, {0, 2}, {2, 3}, {1, 3}};
  NestedLayout layout = layOutAndCheck(graph);
  EXPECT_LT(layout.nodes[2].x, layout.nodes[1].x);
}

// A node that is read late stands just above its reader.
TEST(NestedLayout, LateOperand) {
  NestedGraph graph;
  graph.frames = {{-1, 10, 20}};
  graph.nodes = {
      {0, 50, 30}, {0, 50, 30}, {0, 50, 30}, {0, 50, 30}, {0, 50, 30}};
  graph.edges = {{0, 2}, {2, 3}, {3, 4}, {1, 4}};
  NestedLayout layout = layOutAndCheck(graph);
  EXPECT_EQ(layout.nodes[1].y, layout.nodes[3].y);
}

TEST(NestedLayout, Random) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    NestedGraph graph = RandomGraph(seed).get();
    layOutAndCheck(graph);
    if (testing::Test::HasFailure())
      return;
  }
}

// One that is long, with many edges that pass many layers.
TEST(NestedLayout, Large) {
  NestedGraph graph;
  graph.frames = {{-1, 10, 20}};
  graph.nodes.push_back({0, 50, 30});
  for (unsigned i = 1; i < 600; ++i) {
    graph.nodes.push_back({0, 50, 30});
    graph.edges.push_back({i - 1, i});
    graph.edges.push_back({i / 2, i});
    graph.edges.push_back({0, i});
  }
  checkBoxes(graph, layOut(graph));
}

} // namespace
