//===- Dot.cpp - Drawings as Graphviz graphs ------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagram.h"
#include "Labels.h"
#include "Mirage/Target/Drawing.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mirage;

namespace {

/// How wide a line of a label may be.
constexpr unsigned kLabelColumns = 60;
constexpr unsigned kTooltipColumns = 400;

class DotWriter {
public:
  DotWriter(AsmState &names, llvm::raw_ostream &out) : names(names), out(out) {}

  void write(const Diagram &diagram);

private:
  void writeFrame(const Diagram &diagram, unsigned frame, unsigned indent);
  void writeNode(const DiagramNode &node, unsigned id, unsigned indent);
  /// Each line ends as `lineEnd` says: centred or at the left.
  void writeLabel(ArrayRef<std::string> lines, StringRef lineEnd);

  AsmState &names;
  llvm::raw_ostream &out;
  /// Ids are those of the diagram plus these, since all functions are one
  /// graph.
  unsigned firstFrame = 0, firstNode = 0;
};

} // namespace

static StringRef getColor(const DiagramNode &node) {
  switch (node.kind) {
  case DiagramNode::Kind::Input:
  case DiagramNode::Kind::Output:
    return "#e2e8f0";
  case DiagramNode::Kind::Constant:
  case DiagramNode::Kind::Note:
    return "#ffffff";
  case DiagramNode::Kind::InputIterator:
  case DiagramNode::Kind::OutputSaver:
    return "#bfdbfe";
  case DiagramNode::Kind::Accumulator:
    return "#bbf7d0";
  case DiagramNode::Kind::Operator:
  case DiagramNode::Kind::GraphDefined:
  case DiagramNode::Kind::Yield:
    return "#fde68a";
  }
  llvm_unreachable("all kinds of nodes are handled");
}

static StringRef getColor(const DiagramFrame &frame) {
  switch (frame.kind) {
  case DiagramFrame::Kind::KernelGraph:
    return "#f8fafc";
  case DiagramFrame::Kind::BlockGraph:
    return "#eff6ff";
  case DiagramFrame::Kind::Loop:
    return "#f0fdf4";
  case DiagramFrame::Kind::ThreadGraph:
    return "#fdf4ff";
  }
  llvm_unreachable("all kinds of frames are handled");
}

void DotWriter::writeLabel(ArrayRef<std::string> lines, StringRef lineEnd) {
  out << "label=\"";
  for (const std::string &line : lines)
    for (const std::string &part : wrapLines(line, kLabelColumns))
      out << escapeDot(part) << lineEnd;
  out << '"';
}

void DotWriter::writeNode(const DiagramNode &node, unsigned id,
                          unsigned indent) {
  std::vector<std::string> lines{
      node.value.empty() ? node.title : node.value + " = " + node.title};
  if (!node.operands.empty())
    lines.back() += (node.value.empty() ? ": " : " of ") + node.operands;
  lines.insert(lines.end(), node.notes.begin(), node.notes.end());
  if (!node.types.empty())
    lines.push_back(llvm::join(llvm::map_range(node.types, getTypeText), ", "));
  out.indent(indent) << 'n' << id << " [";
  writeLabel(lines, "\\n");
  out << ", fillcolor=\"" << getColor(node) << '"';
  if (node.kind == DiagramNode::Kind::Note)
    out << ", style=\"dashed\"";
  if (node.kind == DiagramNode::Kind::GraphDefined)
    out << ", peripheries=2";
  if (node.op)
    out << ", tooltip=\""
        << escapeDot(getOpText(node.op, names, kTooltipColumns)) << '"';
  out << "];\n";
}

void DotWriter::writeFrame(const Diagram &diagram, unsigned index,
                           unsigned indent) {
  const DiagramFrame &frame = diagram.frames[index];
  out.indent(indent) << "subgraph cluster" << firstFrame + index << " {\n";
  std::vector<std::string> lines{
      frame.value.empty() ? frame.title : frame.value + " = " + frame.title};
  lines.insert(lines.end(), frame.notes.begin(), frame.notes.end());
  out.indent(indent + 2);
  writeLabel(lines, "\\l");
  out << "; style=\"rounded,filled\"; fillcolor=\"" << getColor(frame)
      << "\"; labeljust=l;\n";
  for (auto [i, node] : llvm::enumerate(diagram.nodes))
    if (node.frame == index)
      writeNode(node, firstNode + i, indent + 2);
  for (auto [i, nested] : llvm::enumerate(diagram.frames))
    if (nested.parent == static_cast<int>(index))
      writeFrame(diagram, i, indent + 2);
  out.indent(indent) << "}\n";
}

void DotWriter::write(const Diagram &diagram) {
  writeFrame(diagram, 0, 2);
  for (const DiagramEdge &edge : diagram.edges)
    out << "  n" << firstNode + edge.from << " -> n" << firstNode + edge.to
        << ";\n";
  firstFrame += diagram.frames.size();
  firstNode += diagram.nodes.size();
}

void mirage::writeMugraphDot(ModuleOp module, Level level,
                             llvm::raw_ostream &out) {
  out << "digraph mugraph {\n"
         "  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", "
         "fontsize=11];\n"
         "  graph [fontname=\"Helvetica\", fontsize=12];\n";
  AsmState names(module, getDrawingFlags());
  DotWriter writer(names, out);
  module.walk<WalkOrder::PreOrder>([&](func::FuncOp function) {
    writer.write(buildDiagram(function, names, level));
  });
  out << "}\n";
}
