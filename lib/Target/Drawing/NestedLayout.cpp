//===- NestedLayout.cpp - Where the boxes of nested graphs go -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Target/NestedLayout.h"
#include "FrameLayout.h"
#include <algorithm>
#include <map>
#include <optional>

using namespace mirage;

namespace {

constexpr unsigned kRounds = 4;

class NestedLayouter {
public:
  explicit NestedLayouter(const NestedGraph &graph)
      : graph(graph), frames(graph.frames.size()),
        numOperands(graph.nodes.size()), operandOf(graph.edges.size()) {}

  NestedLayout run();

private:
  /// What an edge comes to in a frame: its target, an inner frame, or the
  /// border. The numbers are those of edges and frames.
  struct EndKey {
    enum Kind { Node, Frame, Border } kind;
    unsigned number;
    bool operator<(const EndKey &other) const {
      return std::pair(kind, number) < std::pair(other.kind, other.number);
    }
  };
  struct FrameState {
    std::optional<FrameLayout> layout;
    /// For each source, where it enters or leaves, see
    /// FrameLayout::Item::outside.
    std::map<unsigned, double> outsideOfIn, outsideOfOut;
    /// The items of nodes and frames.
    std::map<unsigned, unsigned> nodeItems, frameItems;
    /// For each source: the nets and ports, and the ends of the nets.
    std::map<unsigned, unsigned> nets, inPorts, outPorts;
    std::map<unsigned, std::map<EndKey, unsigned>> ends;
    /// What has to be connected, in the order of the edges.
    std::vector<std::pair<unsigned, EndKey>> wanted;
  };
  /// A stage of an edge's way: the end that it comes to in a frame.
  struct Stage {
    unsigned frame;
    EndKey end;
  };

  std::vector<int> getFramesAround(unsigned node) const;
  std::vector<Stage> getStages(unsigned edge) const;
  void layOutAll(bool readersDecide);
  void lookOutside();
  void layOutFrame(unsigned frame, bool readersDecide);
  FrameLayout::Place getStart(unsigned frame, unsigned source);
  FrameLayout::Place getEnd(unsigned frame, unsigned source, EndKey end);
  double getPortX(unsigned frame, unsigned port) const {
    return frames[frame].layout->getItem(port).x;
  }

  const NestedGraph &graph;
  std::vector<FrameState> frames;
  std::vector<unsigned> numOperands, operandOf;
};

} // namespace

static std::optional<double> find(const std::map<unsigned, double> &places,
                                  unsigned source) {
  auto it = places.find(source);
  return it == places.end() ? std::nullopt : std::optional(it->second);
}

/// The frames around a node, the innermost first.
std::vector<int> NestedLayouter::getFramesAround(unsigned node) const {
  std::vector<int> around;
  for (int frame = graph.nodes[node].frame; frame >= 0;
       frame = graph.frames[frame].parent)
    around.push_back(frame);
  return around;
}

/// From the innermost frame around the source outwards, and inwards to the
/// target.
std::vector<NestedLayouter::Stage>
NestedLayouter::getStages(unsigned index) const {
  const NestedGraph::Edge &edge = graph.edges[index];
  std::vector<int> from = getFramesAround(edge.from),
                   to = getFramesAround(edge.to);
  while (from.size() > 1 && to.size() > 1 &&
         from[from.size() - 2] == to[to.size() - 2]) {
    from.pop_back();
    to.pop_back();
  }
  std::vector<Stage> stages;
  for (size_t i = 0; i + 1 < from.size(); ++i)
    stages.push_back({unsigned(from[i]), {EndKey::Border, 0}});
  for (size_t i = to.size(); i-- > 0;)
    stages.push_back(
        {unsigned(to[i]), i == 0 ? EndKey{EndKey::Node, index}
                                 : EndKey{EndKey::Frame, unsigned(to[i - 1])}});
  return stages;
}

FrameLayout::Place NestedLayouter::getStart(unsigned frame, unsigned source) {
  FrameState &state = frames[frame];
  std::vector<int> around = getFramesAround(source);
  auto here = std::find(around.begin(), around.end(), int(frame));
  if (here == around.end()) {
    unsigned port =
        state.layout->addPort(/*isIn=*/true, find(state.outsideOfIn, source));
    state.inPorts[source] = port;
    return {port, 0};
  }
  if (here == around.begin())
    return {state.nodeItems.at(source), graph.nodes[source].width / 2};
  unsigned inner = *(here - 1);
  return {state.frameItems.at(inner),
          getPortX(inner, frames[inner].outPorts.at(source))};
}

FrameLayout::Place NestedLayouter::getEnd(unsigned frame, unsigned source,
                                          EndKey end) {
  FrameState &state = frames[frame];
  switch (end.kind) {
  case EndKey::Border: {
    unsigned port =
        state.layout->addPort(/*isIn=*/false, find(state.outsideOfOut, source));
    state.outPorts[source] = port;
    return {port, 0};
  }
  case EndKey::Frame:
    return {state.frameItems.at(end.number),
            getPortX(end.number, frames[end.number].inPorts.at(source))};
  case EndKey::Node:
    break;
  }
  unsigned node = graph.edges[end.number].to;
  return {state.nodeItems.at(node), graph.nodes[node].width *
                                        (operandOf[end.number] + 1) /
                                        (numOperands[node] + 1)};
}

void NestedLayouter::layOutFrame(unsigned frame, bool readersDecide) {
  FrameState &state = frames[frame];
  state.nodeItems.clear();
  state.frameItems.clear();
  state.nets.clear();
  state.inPorts.clear();
  state.outPorts.clear();
  state.ends.clear();
  state.layout.emplace(graph.frames[frame].headerWidth,
                       graph.frames[frame].headerHeight);
  // Nodes and frames, each after those that it reads: a sort by the order in
  // which they become ready.
  struct Box {
    bool isFrame;
    unsigned number;
    unsigned waitsFor = 0;
    std::vector<unsigned> readers = {};
  };
  std::vector<Box> boxes;
  std::map<unsigned, unsigned> boxOfNode, boxOfFrame;
  for (unsigned i = 0; i < graph.nodes.size(); ++i) {
    std::vector<int> around = getFramesAround(i);
    auto here = std::find(around.begin(), around.end(), int(frame));
    if (here == around.end())
      continue;
    if (here == around.begin()) {
      boxOfNode[i] = boxes.size();
      boxes.push_back({false, i});
      continue;
    }
    unsigned inner = *(here - 1);
    if (boxOfFrame.try_emplace(inner, boxes.size()).second)
      boxes.push_back({true, inner});
    boxOfNode[i] = boxOfFrame[inner];
  }
  for (unsigned i = 0; i < graph.frames.size(); ++i)
    if (graph.frames[i].parent == int(frame) &&
        boxOfFrame.try_emplace(i, boxes.size()).second)
      boxes.push_back({true, i});
  for (const NestedGraph::Edge &edge : graph.edges) {
    auto from = boxOfNode.find(edge.from), to = boxOfNode.find(edge.to);
    if (from == boxOfNode.end() || to == boxOfNode.end() ||
        from->second == to->second)
      continue;
    boxes[from->second].readers.push_back(to->second);
    ++boxes[to->second].waitsFor;
  }
  std::vector<unsigned> ready;
  for (unsigned i = boxes.size(); i-- > 0;)
    if (boxes[i].waitsFor == 0)
      ready.push_back(i);
  while (!ready.empty()) {
    Box &box = boxes[ready.back()];
    ready.pop_back();
    if (box.isFrame) {
      const FrameLayout &inner = *frames[box.number].layout;
      state.frameItems[box.number] =
          state.layout->addBox(inner.getWidth(), inner.getHeight());
    } else {
      state.nodeItems[box.number] = state.layout->addBox(
          graph.nodes[box.number].width, graph.nodes[box.number].height);
    }
    for (unsigned reader : box.readers)
      if (--boxes[reader].waitsFor == 0)
        ready.push_back(reader);
  }
  for (auto [source, key] : state.wanted) {
    auto [net, isNew] = state.nets.try_emplace(source, 0);
    if (isNew)
      net->second = state.layout->addNet(getStart(frame, source));
    std::map<EndKey, unsigned> &ends = state.ends[source];
    if (!ends.count(key))
      ends[key] = state.layout->addEnd(net->second, getEnd(frame, source, key));
  }
  state.layout->run(readersDecide);
}

void NestedLayouter::layOutAll(bool readersDecide) {
  // Frames come after their parents.
  for (unsigned frame = frames.size(); frame-- > 0;)
    layOutFrame(frame, readersDecide);
}

/// Tells every frame where the layout of the frame around it has put what it is
/// connected with.
void NestedLayouter::lookOutside() {
  for (unsigned i = 1; i < frames.size(); ++i) {
    const FrameState &around = frames[graph.frames[i].parent];
    const FrameLayout::Item &box =
        around.layout->getItem(around.frameItems.at(i));
    double middle = box.x + box.width / 2;
    FrameState &state = frames[i];
    state.outsideOfIn.clear();
    state.outsideOfOut.clear();
    for (auto [source, port] : state.inPorts)
      if (auto x = around.layout->getOrigin(
              around.nets.at(source),
              around.ends.at(source).at({EndKey::Frame, i})))
        state.outsideOfIn[source] = *x - middle;
    for (auto [source, port] : state.outPorts)
      if (auto x = around.layout->getDestination(around.nets.at(source)))
        state.outsideOfOut[source] = *x - middle;
  }
}

NestedLayout NestedLayouter::run() {
  for (unsigned i = 0; i < graph.edges.size(); ++i) {
    operandOf[i] = numOperands[graph.edges[i].to]++;
    for (const Stage &stage : getStages(i))
      frames[stage.frame].wanted.push_back({graph.edges[i].from, stage.end});
  }
  layOutAll(/*readersDecide=*/true);
  // The first time the inner frames don't know what is outside.
  auto getBadness = [&] {
    std::pair<double, double> sum;
    for (const FrameState &frame : frames) {
      sum.first += frame.layout->getBadness().first;
      sum.second += frame.layout->getBadness().second;
    }
    return sum;
  };
  std::vector<FrameState> best = frames;
  std::pair<double, double> least = getBadness();
  for (unsigned round = 0; round < kRounds && frames.size() > 1; ++round) {
    lookOutside();
    layOutAll(/*readersDecide=*/round % 2 != 0);
    if (getBadness() < least) {
      least = getBadness();
      best = frames;
    }
  }
  frames = std::move(best);

  NestedLayout layout;
  layout.nodes.resize(graph.nodes.size());
  for (unsigned i = 0; i < frames.size(); ++i) {
    LayoutBox box{0, 0, frames[i].layout->getWidth(),
                  frames[i].layout->getHeight()};
    if (int parent = graph.frames[i].parent; parent >= 0) {
      const FrameLayout::Item &item =
          frames[parent].layout->getItem(frames[parent].frameItems.at(i));
      box.x = layout.frames[parent].x + item.x;
      box.y = layout.frames[parent].y + item.y;
    }
    layout.frames.push_back(box);
    for (auto [node, number] : frames[i].nodeItems) {
      const FrameLayout::Item &item = frames[i].layout->getItem(number);
      layout.nodes[node] = {box.x + item.x, box.y + item.y, item.width,
                            item.height};
    }
  }
  for (unsigned i = 0; i < graph.edges.size(); ++i) {
    unsigned source = graph.edges[i].from;
    std::vector<LayoutPoint> points;
    for (const Stage &stage : getStages(i)) {
      const FrameState &state = frames[stage.frame];
      for (LayoutPoint point : state.layout->getPath(
               state.nets.at(source), state.ends.at(source).at(stage.end)))
        points.push_back({layout.frames[stage.frame].x + point.x,
                          layout.frames[stage.frame].y + point.y});
    }
    layout.edges.push_back(std::move(points));
  }
  return layout;
}

NestedLayout mirage::layOut(const NestedGraph &graph) {
  return NestedLayouter(graph).run();
}
