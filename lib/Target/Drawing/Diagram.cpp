//===- Diagram.cpp - What is drawn of a function --------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagram.h"
#include "Labels.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Thread/Thread.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mirage;

namespace {

class DiagramBuilder {
public:
  DiagramBuilder(AsmState &names, Level level) : names(names), level(level) {}

  Diagram build(func::FuncOp function);

private:
  using Frame = DiagramFrame;
  using Node = DiagramNode;

  unsigned addFrame(Frame::Kind kind, int parent, Operation *op);
  Node &addNode(Node::Kind kind, Level nodeLevel, unsigned frame,
                StringRef title, Operation *op);
  /// A node of an op's, which its results stand for.
  Node &addOp(Node::Kind kind, Level nodeLevel, unsigned frame, StringRef title,
              Operation &op);
  void addOperands(ValueRange operands);
  void addNote(unsigned frame, StringRef text);
  /// The last node is what defines the value.
  void define(Value value);
  /// The region's arguments stand for what the op reads.
  void passOperands(Operation &op, Block &body, unsigned frame);

  void visitKernelOp(Operation &op, unsigned frame);
  void visitBlockOp(Operation &op, unsigned frame);
  void visitOperator(Operation &op, Level opLevel, unsigned frame);
  void visitBlockGraph(kernel::GraphDefinedOp op, unsigned parent);
  void visitLoop(block::LoopOp loop, unsigned parent);
  void visitAccumulator(block::AccumulateOp op, unsigned index, Value result,
                        unsigned frame);
  void visitThreadGraph(block::GraphDefinedOp op, unsigned parent);
  void addCollapsed(Operation &op, Level opLevel, unsigned frame,
                    std::vector<std::string> notes);

  std::string getName(Value value);
  std::string getNames(ValueRange values);

  AsmState &names;
  Level level;
  Diagram diagram;
  /// What is drawn of a value: its node, and the value that the node defines.
  struct Definition {
    unsigned node;
    Value value;
  };
  DenseMap<Value, Definition> definitions;
};

} // namespace

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

OpPrintingFlags mirage::getDrawingFlags() {
  return OpPrintingFlags().skipRegions().elideLargeElementsAttrs(16);
}

std::string mirage::getOpText(Operation *op, AsmState &names,
                              unsigned columns) {
  std::string text;
  llvm::raw_string_ostream out(text);
  op->print(out, names);
  SmallVector<StringRef> words;
  llvm::SplitString(text, words, "\n ");
  return ellipsize(makePrintable(llvm::join(words, " ")), columns);
}

std::string DiagramBuilder::getName(Value value) {
  auto it = definitions.find(value);
  if (it != definitions.end())
    value = it->second.value;
  std::string name;
  llvm::raw_string_ostream out(name);
  value.printAsOperand(out, names);
  return name;
}

std::string DiagramBuilder::getNames(ValueRange values) {
  return llvm::join(
      llvm::map_range(values, [&](Value value) { return getName(value); }),
      ", ");
}

/// "x = 32, y = 2".
static std::string getGridText(GridAttr grid) {
  std::string text = "grid ";
  for (auto [i, size] : llvm::enumerate(grid.getSizes()))
    text +=
        (Twine(i ? ", " : "") + getGridDimName(i) + " = " + Twine(size)).str();
  return text;
}

/// "imap x -> 1, y -> replica".
static std::string getMapText(StringRef name, ArrayRef<int64_t> dims) {
  std::string text = (name + " ").str();
  for (auto [i, dim] : llvm::enumerate(dims))
    text += (Twine(i ? ", " : "") + getGridDimName(i) + " -> " +
             (dim == kReplica ? Twine("replica") : Twine(dim)))
                .str();
  return text;
}

/// "2 matmul, silu, mul": the operators in a graph, in the order of their first
/// occurrences.
static std::string getOperatorsText(Operation &op) {
  llvm::MapVector<StringRef, unsigned> counts;
  op.walk([&](OperatorOpInterface nested) {
    ++counts[nested.getSemantics().getName()];
  });
  std::string text;
  for (auto [name, count] : counts) {
    text += text.empty() ? "" : ", ";
    text += count > 1 ? (Twine(count) + " " + name).str() : name.str();
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Frames, nodes and edges
//===----------------------------------------------------------------------===//

unsigned DiagramBuilder::addFrame(Frame::Kind kind, int parent, Operation *op) {
  Frame frame;
  frame.kind = kind;
  frame.parent = parent;
  frame.op = op;
  frame.value = getNames(op->getResults());
  diagram.frames.push_back(std::move(frame));
  return diagram.frames.size() - 1;
}

DiagramNode &DiagramBuilder::addNode(Node::Kind kind, Level nodeLevel,
                                     unsigned frame, StringRef title,
                                     Operation *op) {
  Node node;
  node.kind = kind;
  node.level = nodeLevel;
  node.frame = frame;
  node.title = makePrintable(title);
  node.op = op;
  diagram.nodes.push_back(std::move(node));
  return diagram.nodes.back();
}

void DiagramBuilder::addOperands(ValueRange operands) {
  diagram.nodes.back().operands = getNames(operands);
  for (Value operand : operands) {
    auto it = definitions.find(operand);
    if (it != definitions.end())
      diagram.edges.push_back(
          {it->second.node, unsigned(diagram.nodes.size() - 1)});
  }
}

void DiagramBuilder::addNote(unsigned frame, StringRef text) {
  addNode(Node::Kind::Note, Level::Kernel, frame, text, nullptr);
}

void DiagramBuilder::define(Value value) {
  definitions[value] = {unsigned(diagram.nodes.size() - 1), value};
}

DiagramNode &DiagramBuilder::addOp(Node::Kind kind, Level nodeLevel,
                                   unsigned frame, StringRef title,
                                   Operation &op) {
  Node &node = addNode(kind, nodeLevel, frame, title, &op);
  node.value = getNames(op.getResults());
  node.types.assign(op.result_type_begin(), op.result_type_end());
  SmallVector<Value> operands(op.getOperands());
  // What other dialects' regions read from outside.
  op.walk([&](Operation *nested) {
    if (nested != &op)
      for (Value operand : nested->getOperands())
        if (definitions.count(operand) &&
            !llvm::is_contained(operands, operand))
          operands.push_back(operand);
  });
  addOperands(operands);
  for (Value result : op.getResults())
    define(result);
  return diagram.nodes.back();
}

void DiagramBuilder::passOperands(Operation &op, Block &body, unsigned frame) {
  for (auto [argument, operand] :
       llvm::zip(body.getArguments(), op.getOperands())) {
    auto it = definitions.find(operand);
    if (it == definitions.end())
      continue;
    // By value: the insertion may move it.
    Definition definition = it->second;
    definitions[argument] = definition;
    if (argument.use_empty()) {
      addNote(frame, "unused");
      addOperands(operand);
    }
  }
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Diagram DiagramBuilder::build(func::FuncOp function) {
  unsigned frame = addFrame(Frame::Kind::KernelGraph, -1, function);
  diagram.frames[frame].title = "@" + makePrintable(function.getSymName());
  if (function.isExternal()) {
    addNote(frame, "no body");
    return std::move(diagram);
  }
  if (!function.getBody().hasOneBlock()) {
    addNote(frame, "control flow, not drawn");
    return std::move(diagram);
  }
  for (BlockArgument argument : function.getArguments()) {
    Node &node =
        addNode(Node::Kind::Input, Level::Kernel, frame,
                ("input " + Twine(argument.getArgNumber())).str(), nullptr);
    node.value = getName(argument);
    node.types = {argument.getType()};
    define(argument);
  }
  for (Operation &op : function.getBody().front())
    visitKernelOp(op, frame);
  if (diagram.nodes.empty())
    addNote(frame, "empty");
  return std::move(diagram);
}

void DiagramBuilder::visitKernelOp(Operation &op, unsigned frame) {
  if (auto defined = dyn_cast<kernel::GraphDefinedOp>(op))
    return visitBlockGraph(defined, frame);
  if (!isa<func::ReturnOp>(op))
    return visitOperator(op, Level::Kernel, frame);
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    Node &node = addNode(Node::Kind::Output, Level::Kernel, frame,
                         ("output " + Twine(i)).str(), &op);
    node.types = {operand.getType()};
    node.index = i;
    addOperands(operand);
  }
}

void DiagramBuilder::visitOperator(Operation &op, Level opLevel,
                                   unsigned frame) {
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    addOp(Node::Kind::Constant, opLevel, frame,
          getNumberText(constant.getValue().convertToDouble()), op);
    return;
  }
  auto meaning = dyn_cast<OperatorOpInterface>(op);
  if (!meaning) {
    addOp(Node::Kind::Operator, opLevel, frame, op.getName().getStringRef(),
          op);
    return;
  }
  Node &node = addOp(Node::Kind::Operator, opLevel, frame,
                     meaning.getSemantics().getName(), op);
  for (NamedAttribute attribute : op.getAttrs())
    node.notes.push_back(makePrintable(attribute.getName()) + " " +
                         getAttributeText(attribute.getValue()));
}

void DiagramBuilder::addCollapsed(Operation &op, Level opLevel, unsigned frame,
                                  std::vector<std::string> notes) {
  Node &node =
      addOp(Node::Kind::GraphDefined, opLevel, frame, "graph_defined", op);
  node.notes = std::move(notes);
  std::string operators = getOperatorsText(op);
  if (!operators.empty())
    node.notes.push_back(std::move(operators));
}

void DiagramBuilder::visitBlockGraph(kernel::GraphDefinedOp op,
                                     unsigned parent) {
  std::vector<std::string> notes{getGridText(op.getGrid())};
  if (level == Level::Kernel) {
    op.walk([&](block::LoopOp loop) {
      notes.push_back(("iterations " + Twine(loop.getIterations())).str());
    });
    return addCollapsed(*op, Level::Kernel, parent, std::move(notes));
  }
  unsigned frame = addFrame(Frame::Kind::BlockGraph, parent, op);
  diagram.frames[frame].title = "graph_defined";
  diagram.frames[frame].notes = std::move(notes);
  size_t firstNode = diagram.nodes.size();
  passOperands(*op, op.getBlockGraph(), frame);
  for (Operation &nested : op.getBlockGraph())
    visitBlockOp(nested, frame);
  if (diagram.nodes.size() == firstNode)
    addNote(frame, "empty");
}

void DiagramBuilder::visitBlockOp(Operation &op, unsigned frame) {
  if (auto loop = dyn_cast<block::LoopOp>(op))
    return visitLoop(loop, frame);
  if (auto defined = dyn_cast<block::GraphDefinedOp>(op))
    return visitThreadGraph(defined, frame);
  if (auto iterator = dyn_cast<block::InputIterator>(op)) {
    Node &node = addOp(Node::Kind::InputIterator, Level::Block, frame,
                       "input_iterator", op);
    node.notes = {getMapText("imap", iterator.getImap().getDims())};
    if (auto fmap = iterator.getFmap())
      node.notes.push_back(fmap->getDim() == kReplica
                               ? "fmap i -> replica"
                               : ("fmap i -> " + Twine(fmap->getDim())).str());
    return;
  }
  if (auto saver = dyn_cast<block::OutputSaver>(op)) {
    auto kernel = cast<kernel::GraphDefinedOp>(op.getParentOp());
    unsigned index =
        llvm::count_if(kernel.getBlockGraph().getOps<block::OutputSaver>(),
                       [&](block::OutputSaver other) {
                         return other->isBeforeInBlock(saver);
                       });
    Node &node =
        addOp(Node::Kind::OutputSaver, Level::Block, frame, "output_saver", op);
    node.value = getName(kernel.getResult(index));
    node.types = {saver.getType()};
    node.notes = {getMapText("omap", saver.getOmap().getDims())};
    define(kernel.getResult(index));
    return;
  }
  visitOperator(op, Level::Block, frame);
}

void DiagramBuilder::visitLoop(block::LoopOp loop, unsigned parent) {
  unsigned frame = addFrame(Frame::Kind::Loop, parent, loop);
  diagram.frames[frame].title = "loop";
  diagram.frames[frame].notes = {
      ("iterations " + Twine(loop.getIterations())).str()};
  size_t firstNode = diagram.nodes.size();
  Block &body = loop.getBody().front();
  for (Operation &op : body.without_terminator())
    visitBlockOp(op, frame);
  auto accumulate = cast<block::AccumulateOp>(body.getTerminator());
  for (auto [i, result] : llvm::enumerate(loop.getResults()))
    visitAccumulator(accumulate, i, result, frame);
  if (diagram.nodes.size() == firstNode)
    addNote(frame, "empty");
}

void DiagramBuilder::visitAccumulator(block::AccumulateOp op, unsigned index,
                                      Value result, unsigned frame) {
  block::AccumulatorKind kind = op.getKind(index);
  Node &node = addNode(
      Node::Kind::Accumulator, Level::Block, frame,
      ("accumulate " + block::stringifyAccumulatorKind(kind)).str(), op);
  node.value = getName(result);
  node.types = {result.getType()};
  node.index = index;
  if (kind == block::AccumulatorKind::Concat)
    node.notes = {("dim " + Twine(op.getDims()[index])).str()};
  SmallVector<Value> operands{op.getTiles()[index]};
  if (kind == block::AccumulatorKind::RescaledSum)
    operands.push_back(op.getMaximum(index));
  addOperands(operands);
  define(result);
}

void DiagramBuilder::visitThreadGraph(block::GraphDefinedOp op,
                                      unsigned parent) {
  if (level != Level::Thread)
    return addCollapsed(*op, Level::Block, parent, {});
  unsigned frame = addFrame(Frame::Kind::ThreadGraph, parent, op);
  diagram.frames[frame].title = "graph_defined";
  diagram.frames[frame].notes = {"thread graph"};
  size_t firstNode = diagram.nodes.size();
  Block &body = op.getBody().front();
  passOperands(*op, body, frame);
  for (Operation &nested : body.without_terminator())
    visitOperator(nested, Level::Thread, frame);
  for (auto [i, value, result] :
       llvm::enumerate(body.getTerminator()->getOperands(), op.getResults())) {
    Node &node = addNode(Node::Kind::Yield, Level::Thread, frame, "yield",
                         body.getTerminator());
    node.value = getName(result);
    node.types = {result.getType()};
    node.index = i;
    addOperands(value);
    define(result);
  }
  if (diagram.nodes.size() == firstNode)
    addNote(frame, "empty");
}

Diagram mirage::buildDiagram(func::FuncOp function, AsmState &names,
                             Level level) {
  return DiagramBuilder(names, level).build(function);
}
