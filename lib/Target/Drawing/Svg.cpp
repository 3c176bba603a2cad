//===- Svg.cpp - Drawings as SVG ------------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Svg.h"
#include "Labels.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Target/NestedLayout.h"
#include "Words.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mirage;

namespace {

/// Of the page's monospaced font at 12 pixels: no common one is wider.
constexpr double kColumnWidth = 7.3;
constexpr double kLineHeight = 16, kBaseline = 12;
constexpr double kBoxPadding = 8, kHeaderPadding = 5;
constexpr double kArrowLength = 7, kArrowWidth = 7;
/// The most columns of a line in a box, and of a description.
constexpr unsigned kBoxColumns = 32, kOpColumns = 300;

/// What is written into a box or a header.
struct Label {
  std::string title, value;
  std::vector<std::string> lines;

  unsigned getWidth() const {
    unsigned columns = getColumns(title) + getColumns(value);
    columns += value.empty() ? 0 : 2;
    for (const std::string &line : lines)
      columns = std::max(columns, getColumns(line));
    return columns;
  }
  double getHeight() const { return kLineHeight * (1 + lines.size()); }
};

class SvgWriter {
public:
  SvgWriter(const Diagram &diagram, AsmState &names, const ExtraNotes &extra,
            llvm::raw_ostream &out)
      : diagram(diagram), names(names), extra(extra), out(out) {}

  double write(StringRef label);

private:
  NestedLayout layOutLabels();
  void writeBox(const LayoutBox &box, StringRef shape, double radius);
  void writeLabel(const Label &label, double left, double right, double top);
  void writeTitle(StringRef description, Operation *op, StringRef shown);
  void writeFrame(unsigned index, const LayoutBox &box);
  void writeHeader(unsigned index, const LayoutBox &box);
  void writeNode(unsigned index, const LayoutBox &box);
  void writeEdge(const DiagramEdge &edge, ArrayRef<LayoutPoint> points);

  const Diagram &diagram;
  AsmState &names;
  const ExtraNotes &extra;
  llvm::raw_ostream &out;
  std::vector<Label> nodeLabels, frameLabels;
};

/// Coordinates with a tenth of a pixel.
auto fixed(double number) { return llvm::format("%.1f", number); }

} // namespace

//===----------------------------------------------------------------------===//
// Labels
//===----------------------------------------------------------------------===//

static StringRef getClass(DiagramNode::Kind kind) {
  switch (kind) {
  case DiagramNode::Kind::Input:
  case DiagramNode::Kind::Output:
    return "io";
  case DiagramNode::Kind::Constant:
    return "constant";
  case DiagramNode::Kind::Operator:
    return "operator";
  case DiagramNode::Kind::GraphDefined:
    return "operator graph-defined";
  case DiagramNode::Kind::InputIterator:
  case DiagramNode::Kind::OutputSaver:
    return "transfer";
  case DiagramNode::Kind::Accumulator:
    return "accumulator";
  case DiagramNode::Kind::Yield:
    return "yield";
  case DiagramNode::Kind::Note:
    return "note";
  }
  llvm_unreachable("all kinds of nodes are handled");
}

static StringRef getClass(DiagramFrame::Kind kind) {
  switch (kind) {
  case DiagramFrame::Kind::KernelGraph:
    return "kernel-graph";
  case DiagramFrame::Kind::BlockGraph:
    return "block-graph";
  case DiagramFrame::Kind::Loop:
    return "loop";
  case DiagramFrame::Kind::ThreadGraph:
    return "thread-graph";
  }
  llvm_unreachable("all kinds of frames are handled");
}

static std::string replaceAll(StringRef text, StringRef what, StringRef by) {
  return llvm::join(llvm::split(text, what), by);
}

static std::string withArrows(StringRef text) {
  return replaceAll(text, "->", "→");
}

/// Operators keep their names.
static std::string getTitle(const DiagramNode &node) {
  return node.kind == DiagramNode::Kind::Operator
             ? node.title
             : replaceAll(node.title, "_", " ");
}

/// "4096×4096 → 512×32 f16" for what changes its shape on the way.
static std::string getTransferText(Type from, Type to) {
  auto source = cast<ShapedType>(from);
  std::string text;
  llvm::interleave(
      source.getShape(), [&](int64_t size) { text += std::to_string(size); },
      [&] { text += "×"; });
  return text + " → " + getTypeTextForPeople(to);
}

static void addLines(Label &label, StringRef text) {
  for (std::string &line : wrapLines(text, kBoxColumns))
    label.lines.push_back(std::move(line));
}

static Label getLabel(const DiagramNode &node, const ExtraNotes &extra) {
  Label label;
  label.value = ellipsize(node.value, kBoxColumns / 2);
  label.title = ellipsize(
      getTitle(node),
      std::max(kBoxColumns / 2, kBoxColumns - 2 - getColumns(label.value)));
  // With one operand the edge says it all.
  if (StringRef(node.operands).contains(", "))
    addLines(label, "of " + node.operands);
  for (const std::string &note : node.notes)
    addLines(label, withArrows(note));
  if (auto iterator = dyn_cast_if_present<block::InputIterator>(node.op))
    addLines(label, getTransferText(iterator.getTensor().getType(),
                                    iterator.getTile().getType()));
  else if (auto saver = dyn_cast_if_present<block::OutputSaver>(node.op))
    addLines(label,
             getTransferText(saver.getTile().getType(), saver.getType()));
  else
    for (Type type : node.types)
      addLines(label, getTypeTextForPeople(type));
  if (auto it = extra.find(node.op); it != extra.end())
    addLines(label, it->second);
  return label;
}

static Label getLabel(const DiagramFrame &frame, const ExtraNotes &extra) {
  Label label;
  switch (frame.kind) {
  case DiagramFrame::Kind::KernelGraph:
    label.title = findObstacle(cast<func::FuncOp>(frame.op)) ? "function"
                                                             : "kernel graph";
    label.value = ellipsize(frame.title, kBoxColumns);
    break;
  case DiagramFrame::Kind::BlockGraph: {
    auto op = cast<kernel::GraphDefinedOp>(frame.op);
    label.title = "kernel, by a block graph";
    label.value = ellipsize(frame.value, kBoxColumns / 2);
    int64_t blocks = op.getGrid().getNumBlocks();
    label.lines.push_back(
        llvm::formatv("{0} · {1} block{2} · {3} bytes of tiles",
                      withArrows(frame.notes.front()), getGroupedText(blocks),
                      blocks == 1 ? "" : "s",
                      getGroupedText(getSharedBytes(op.getBlockGraph()))));
    break;
  }
  case DiagramFrame::Kind::Loop: {
    int64_t iterations = cast<block::LoopOp>(frame.op).getIterations();
    label.title =
        llvm::formatv("for-loop · {0} iteration{1}", getGroupedText(iterations),
                      iterations == 1 ? "" : "s");
    break;
  }
  case DiagramFrame::Kind::ThreadGraph:
    label.title = "thread graph";
    label.value = ellipsize(frame.value, kBoxColumns / 2);
    break;
  }
  if (auto it = extra.find(frame.op); it != extra.end())
    label.lines.push_back(it->second);
  return label;
}

NestedLayout SvgWriter::layOutLabels() {
  NestedGraph graph;
  for (const DiagramFrame &frame : diagram.frames) {
    frameLabels.push_back(getLabel(frame, extra));
    const Label &label = frameLabels.back();
    graph.frames.push_back({frame.parent,
                            label.getWidth() * kColumnWidth + 2 * kBoxPadding,
                            label.getHeight() + 2 * kHeaderPadding});
  }
  for (const DiagramNode &node : diagram.nodes) {
    nodeLabels.push_back(getLabel(node, extra));
    const Label &label = nodeLabels.back();
    graph.nodes.push_back({node.frame,
                           label.getWidth() * kColumnWidth + 2 * kBoxPadding,
                           label.getHeight() + kBoxPadding});
  }
  for (const DiagramEdge &edge : diagram.edges)
    graph.edges.push_back({edge.from, edge.to});
  return layOut(graph);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

void SvgWriter::writeBox(const LayoutBox &box, StringRef shape, double radius) {
  out << "<rect class=\"" << shape << "\" x=\"" << fixed(box.x) << "\" y=\""
      << fixed(box.y) << "\" width=\"" << fixed(box.width) << "\" height=\""
      << fixed(box.height) << "\" rx=\"" << fixed(radius) << "\"/>";
}

void SvgWriter::writeLabel(const Label &label, double left, double right,
                           double top) {
  auto writeText = [&](StringRef text, StringRef style, double x, double y) {
    out << "<text class=\"" << style << "\" x=\"" << fixed(x) << "\" y=\""
        << fixed(y) << "\">" << escapeHTML(text) << "</text>";
  };
  writeText(label.title, "t", left, top + kBaseline);
  if (!label.value.empty())
    writeText(label.value, "v", right, top + kBaseline);
  for (auto [i, line] : llvm::enumerate(label.lines))
    writeText(line, "l", left, top + kBaseline + kLineHeight * (i + 1));
}

void SvgWriter::writeTitle(StringRef description, Operation *op,
                           StringRef shown) {
  std::string text = shown.str();
  if (!description.empty())
    text += "\n" + description.str();
  if (op && !isa<func::FuncOp>(op))
    text += "\n\n" + getOpText(op, names, kOpColumns);
  out << "<title>" << escapeHTML(text) << "</title>";
}

void SvgWriter::writeFrame(unsigned index, const LayoutBox &box) {
  const DiagramFrame &frame = diagram.frames[index];
  out << "<g class=\"frame " << getClass(frame.kind) << "\">";
  writeBox(box, "b", 8);
  out << "</g>\n";
}

/// The header is above the edges that come in.
void SvgWriter::writeHeader(unsigned index, const LayoutBox &box) {
  const DiagramFrame &frame = diagram.frames[index];
  const Label &label = frameLabels[index];
  double width = label.getWidth() * kColumnWidth + 2 * kBoxPadding;
  out << "<g class=\"frame " << getClass(frame.kind)
      << "\" tabindex=\"0\" data-d>";
  writeTitle(describe(frame), frame.op, label.title);
  writeBox({box.x, box.y, width, label.getHeight() + 2 * kHeaderPadding}, "h",
           8);
  writeLabel(label, box.x + kBoxPadding, box.x + width - kBoxPadding,
             box.y + kHeaderPadding);
  out << "</g>\n";
}

void SvgWriter::writeNode(unsigned index, const LayoutBox &box) {
  const DiagramNode &node = diagram.nodes[index];
  const Label &label = nodeLabels[index];
  out << "<g class=\"node " << getClass(node.kind)
      << "\" tabindex=\"0\" data-n=\"" << index << "\" data-d>";
  std::string shown = getTitle(node);
  if (!node.value.empty())
    shown = node.value + " = " + shown;
  writeTitle(describe(node), node.op, shown);
  bool isRound = node.kind == DiagramNode::Kind::Input ||
                 node.kind == DiagramNode::Kind::Output;
  writeBox(box, "b", isRound ? 14 : 4);
  writeLabel(label, box.x + kBoxPadding, box.x + box.width - kBoxPadding,
             box.y + kBoxPadding / 2);
  out << "</g>\n";
}

void SvgWriter::writeEdge(const DiagramEdge &edge,
                          ArrayRef<LayoutPoint> points) {
  out << "<g class=\"edge\" data-f=\"" << edge.from << "\" data-t=\"" << edge.to
      << "\"><path d=\"M" << fixed(points.front().x) << ' '
      << fixed(points.front().y);
  LayoutPoint last = points.front(), end = points.back();
  end.y -= kArrowLength;
  auto goTo = [&](LayoutPoint point) {
    // As drawn: what is closer is one line.
    if (std::abs(point.x - last.x) < 0.1) {
      if (point.y > last.y)
        out << 'V' << fixed(point.y);
    } else {
      double middle = (last.y + point.y) / 2;
      out << 'C' << fixed(last.x) << ' ' << fixed(middle) << ' '
          << fixed(point.x) << ' ' << fixed(middle) << ' ' << fixed(point.x)
          << ' ' << fixed(point.y);
    }
    last = point;
  };
  for (LayoutPoint point : points.drop_front())
    goTo(point.y > end.y ? LayoutPoint{point.x, end.y} : point);
  out << "\"/><path class=\"a\" d=\"M" << fixed(end.x) << ' '
      << fixed(end.y + kArrowLength) << 'l' << fixed(-kArrowWidth / 2) << ' '
      << fixed(-kArrowLength) << 'h' << fixed(kArrowWidth) << "z\"/></g>\n";
}

double SvgWriter::write(StringRef label) {
  NestedLayout layout = layOutLabels();
  // Room for the strokes.
  double width = layout.frames[0].width + 2,
         height = layout.frames[0].height + 2;
  out << "<svg class=\"mugraph\" role=\"img\" aria-label=\""
      << escapeHTML(label) << "\" style=\"max-width:" << fixed(width)
      << "px;min-width:" << fixed(kLeastScale * width)
      << "px\" viewBox=\"-1 -1 " << fixed(width) << ' ' << fixed(height)
      << "\">\n";
  for (unsigned i = 0; i < diagram.frames.size(); ++i)
    writeFrame(i, layout.frames[i]);
  for (unsigned i = 0; i < diagram.edges.size(); ++i)
    writeEdge(diagram.edges[i], layout.edges[i]);
  for (unsigned i = 0; i < diagram.frames.size(); ++i)
    writeHeader(i, layout.frames[i]);
  for (unsigned i = 0; i < diagram.nodes.size(); ++i)
    writeNode(i, layout.nodes[i]);
  out << "</svg>\n";
  return width;
}

double mirage::writeSvg(const Diagram &diagram, AsmState &names,
                        const ExtraNotes &extra, StringRef label,
                        llvm::raw_ostream &out) {
  return SvgWriter(diagram, names, extra, out).write(label);
}
