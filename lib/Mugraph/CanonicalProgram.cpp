//===- CanonicalProgram.cpp - Equal programs, one text --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Mugraph/CanonicalProgram.h"
#include "Mirage/Operators/Custom.h"
#include "Mirage/Operators/ShapeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <numeric>
#include <optional>

using namespace mirage;

namespace {

/// An input, a node of the kernel graph, or a node of one of its block graphs.
/// Here all are nodes of one graph: an iterator reads the kernel tensor, and a
/// saver is the kernel tensor that it writes.
struct Vertex {
  static constexpr unsigned kNone = ~0u;

  explicit Vertex(std::string name, std::string type = "",
                  unsigned kernel = kNone)
      : name(std::move(name)), type(std::move(type)), kernel(kernel) {}

  /// What it is, except for its operands.
  std::string name;
  /// What its result is; empty for a graph-defined operator.
  std::string type;
  /// The graph-defined operator that a node of a block graph belongs to.
  unsigned kernel;
  /// The node of the kernel graph that it is, or the first of several.
  unsigned node = kNone;
  llvm::SmallVector<unsigned, 2> operands;
  bool isCommutative = false;
};

/// A program as vertices, operands first.
struct Program {
  /// The inputs come first.
  std::vector<Vertex> vertices;
  unsigned numInputs = 0;
  llvm::SmallVector<unsigned, 2> outputs;
};

/// Reads a kernel graph. What no output needs is left out, except inputs.
class ProgramBuilder {
public:
  explicit ProgramBuilder(const KernelGraph &graph)
      : graph(graph), tensors(graph.tensors.size()) {}

  Program build() {
    program.numInputs = graph.numInputs;
    for (unsigned i = 0; i < graph.numInputs; ++i)
      tensors[i] = add(Vertex("input " + std::to_string(i), getType(i)));
    for (auto [n, node] : llvm::enumerate(graph.nodes)) {
      size_t first = program.vertices.size();
      addKernelNode(node);
      if (program.vertices.size() > first)
        program.vertices[first].node = n;
    }
    for (unsigned output : graph.outputs)
      program.outputs.push_back(tensors[output]);
    removeDeadVertices();
    return std::move(program);
  }

private:
  unsigned add(Vertex vertex) {
    program.vertices.push_back(std::move(vertex));
    return program.vertices.size() - 1;
  }

  /// A constant is a value and no work: all that are equal are one vertex.
  unsigned addConstant(double value, std::string type, unsigned kernel,
                       bool inLoop) {
    std::string name;
    llvm::raw_string_ostream(name)
        << (inLoop ? "loop constant " : "constant ")
        << llvm::format_hex(llvm::bit_cast<uint64_t>(value), 18);
    auto [it, isNew] = constants.try_emplace({name, type, kernel}, 0);
    if (isNew)
      it->second = add(Vertex(name, type, kernel));
    return it->second;
  }

  static std::string getType(llvm::ArrayRef<int64_t> shape,
                             mlir::Type elementType) {
    std::string text = getShapeText(shape) + " ";
    llvm::raw_string_ostream(text) << elementType;
    return text;
  }
  std::string getType(unsigned tensor) const {
    return getType(graph.tensors[tensor].shape,
                   graph.tensors[tensor].elementType);
  }

  static std::string getList(llvm::ArrayRef<int64_t> numbers) {
    std::string text = " [";
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(numbers, os);
    os << "]";
    return text;
  }

  /// An opaque operator's parameter is the number of a name, which is written
  /// out.
  static std::string getName(const Operator &op, const Params &params) {
    std::string function;
    if (op.isOpaque() && !params.empty())
      function = getFunctionName(params[0]);
    std::string text = op.getName().str();
    if (!function.empty()) {
      llvm::raw_string_ostream os(text);
      os << " \"";
      llvm::printEscapedString(function, os);
      os << "\"";
    } else if (!params.empty()) {
      text += getList(params);
    }
    return text;
  }

  void addKernelNode(const KernelNode &node) {
    switch (node.kind) {
    case KernelNode::Kind::Constant:
      tensors[node.results[0]] = addConstant(
          node.constant, getType(node.results[0]), Vertex::kNone, false);
      return;
    case KernelNode::Kind::Operator: {
      Vertex vertex(getName(*node.op, node.params), getType(node.results[0]));
      for (unsigned operand : node.operands)
        vertex.operands.push_back(tensors[operand]);
      vertex.isCommutative = node.op->isCommutative();
      tensors[node.results[0]] = add(std::move(vertex));
      return;
    }
    case KernelNode::Kind::GraphDefined:
      addBlockGraph(node);
      return;
    }
  }

  void addBlockGraph(const KernelNode &kernel) {
    const BlockGraph &block = *kernel.graph;
    auto inputs = llvm::map_to_vector(kernel.operands, [&](unsigned operand) {
      return graph.tensors[operand];
    });
    unsigned kernelVertex =
        add(Vertex("kernel grid" + getList(block.grid) + " iterations " +
                   std::to_string(block.iterations)));
    std::vector<unsigned> tiles(block.nodes.size());
    unsigned saver = 0;
    for (auto [i, node] : llvm::enumerate(block.nodes)) {
      if (node.kind == BlockNode::Kind::OutputSaver) {
        unsigned tensor = kernel.results[saver++];
        Vertex vertex("saver map" + getList(node.map), getType(tensor),
                      kernelVertex);
        vertex.operands = {tiles[node.operands[0]]};
        tensors[tensor] = add(std::move(vertex));
        continue;
      }
      std::string type = getTileType(node, inputs);
      if (node.kind == BlockNode::Kind::Constant) {
        tiles[i] = addConstant(node.constant, type, kernelVertex, node.inLoop);
        continue;
      }
      Vertex vertex(getName(node), type, kernelVertex);
      if (node.kind == BlockNode::Kind::InputIterator)
        vertex.operands = {tensors[kernel.operands[node.operands[0]]]};
      else
        for (unsigned operand : node.operands)
          vertex.operands.push_back(tiles[operand]);
      vertex.isCommutative = node.op && node.op->isCommutative();
      tiles[i] = add(std::move(vertex));
    }
  }

  /// A tile that names no element type has the one that BlockNode says.
  static std::string getTileType(const BlockNode &node,
                                 llvm::ArrayRef<KernelTensor> inputs) {
    std::string text = getShapeText(node.shape) + " ";
    llvm::raw_string_ostream os(text);
    if (mlir::Type type = node.getElementType(inputs))
      os << type;
    else
      os << "f32";
    return text;
  }

  static std::string getName(const BlockNode &node) {
    std::string text = node.inLoop ? "loop " : "";
    switch (node.kind) {
    case BlockNode::Kind::InputIterator:
      text += "iterator map" + getList(node.map);
      if (node.inLoop)
        text += " fmap " + std::to_string(node.fmap);
      break;
    case BlockNode::Kind::Operator:
      text += getName(*node.op, node.params);
      break;
    case BlockNode::Kind::Accumulator: {
      static constexpr llvm::StringLiteral kNames[] = {"sum", "max", "concat",
                                                       "rescaled_sum"};
      text += "accumulate ";
      text += kNames[static_cast<unsigned>(node.accumulation)];
      text += getList(node.params);
      break;
    }
    case BlockNode::Kind::Constant:
    case BlockNode::Kind::OutputSaver:
      llvm_unreachable("written by the caller");
    }
    return text;
  }

  void removeDeadVertices() {
    std::vector<Vertex> &vertices = program.vertices;
    std::vector<bool> isLive(vertices.size());
    for (unsigned output : program.outputs)
      isLive[output] = true;
    for (unsigned i = vertices.size(); i-- > 0;) {
      isLive[i] = isLive[i] || i < graph.numInputs;
      if (!isLive[i])
        continue;
      for (unsigned operand : vertices[i].operands)
        isLive[operand] = true;
      if (vertices[i].kernel != Vertex::kNone)
        isLive[vertices[i].kernel] = true;
    }
    std::vector<unsigned> newIndex(vertices.size());
    unsigned count = 0;
    for (auto [i, vertex] : llvm::enumerate(vertices)) {
      if (!isLive[i])
        continue;
      for (unsigned &operand : vertex.operands)
        operand = newIndex[operand];
      if (vertex.kernel != Vertex::kNone)
        vertex.kernel = newIndex[vertex.kernel];
      newIndex[i] = count;
      if (count != i)
        vertices[count] = std::move(vertex);
      ++count;
    }
    vertices.erase(vertices.begin() + count, vertices.end());
    for (unsigned &output : program.outputs)
      output = newIndex[output];
  }

  const KernelGraph &graph;
  Program program;
  /// The vertex of each kernel tensor.
  std::vector<unsigned> tensors;
  std::map<std::tuple<std::string, std::string, unsigned>, unsigned> constants;
};

/// The classes of an ordered partition of the vertices: for each vertex, how
/// many there are in smaller classes. Never depends on the order in which the
/// program is written.
using Classes = std::vector<unsigned>;

/// Puts the vertices in an order that depends on the program only: by refining
/// classes until no vertex's neighbours tell it from the others of its class
/// and, where several are left in one, trying each as its first.
class Canonizer {
public:
  explicit Canonizer(const Program &program)
      : program(program), users(program.vertices.size()) {
    for (auto [i, vertex] : llvm::enumerate(program.vertices)) {
      for (auto [slot, operand] : llvm::enumerate(vertex.operands))
        users[operand].push_back(
            {static_cast<unsigned>(i),
             vertex.isCommutative ? kAnySlot : static_cast<unsigned>(slot)});
      if (vertex.kernel != Vertex::kNone)
        users[vertex.kernel].push_back({static_cast<unsigned>(i), kKernelSlot});
    }
  }

  /// A numbering of the vertices, in which operands come first, and the program
  /// in its terms.
  struct Form {
    std::string text;
    Classes numbers;
  };
  Form run() { return getLeast(getFirstClasses()); }

  /// The numbers of a vertex's operands; those of a commutative operator in
  /// their order.
  static llvm::SmallVector<unsigned, 2> getOperands(const Vertex &vertex,
                                                    const Classes &classes) {
    llvm::SmallVector<unsigned, 2> operands;
    for (unsigned operand : vertex.operands)
      operands.push_back(classes[operand]);
    if (vertex.isCommutative)
      llvm::sort(operands);
    return operands;
  }

private:
  static constexpr unsigned kAnySlot = ~0u;
  static constexpr unsigned kKernelSlot = ~0u - 1;
  /// How many vertices may be looked at again before ties are broken as the
  /// program is written: a fraction of a second.
  static constexpr size_t kBudget = 1'000'000;

  template <typename Key>
  static Classes classify(const std::vector<Key> &keys) {
    std::vector<unsigned> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order,
               [&](unsigned a, unsigned b) { return keys[a] < keys[b]; });
    Classes classes(keys.size());
    for (unsigned i = 0; i < order.size(); ++i)
      classes[order[i]] = i && !(keys[order[i - 1]] < keys[order[i]])
                              ? classes[order[i - 1]]
                              : i;
    return classes;
  }

  /// By depth, so that in the end operands come first, and by what the vertices
  /// are by themselves. Inputs come in their order.
  Classes getFirstClasses() const {
    using Key = std::tuple<unsigned, unsigned, llvm::StringRef, llvm::StringRef,
                           std::vector<unsigned>>;
    std::vector<Key> keys;
    for (auto [i, vertex] : llvm::enumerate(program.vertices)) {
      unsigned depth = 0;
      for (unsigned operand : vertex.operands)
        depth = std::max(depth, std::get<0>(keys[operand]) + 1);
      if (vertex.kernel != Vertex::kNone)
        depth = std::max(depth, std::get<0>(keys[vertex.kernel]) + 1);
      keys.push_back({depth,
                      std::min<unsigned>(i, program.numInputs),
                      vertex.name,
                      vertex.type,
                      {}});
    }
    for (auto [position, output] : llvm::enumerate(program.outputs))
      std::get<4>(keys[output]).push_back(position);
    return classify(keys);
  }

  /// Splits classes by the classes of operands and users until that changes
  /// nothing.
  void refine(Classes &classes) {
    while (true) {
      std::vector<std::vector<unsigned>> keys;
      for (auto [i, vertex] : llvm::enumerate(program.vertices)) {
        std::vector<unsigned> key{
            classes[i],
            vertex.kernel == Vertex::kNone ? 0 : classes[vertex.kernel] + 1,
            static_cast<unsigned>(vertex.operands.size())};
        llvm::append_range(key, getOperands(vertex, classes));
        std::vector<std::pair<unsigned, unsigned>> sorted;
        for (auto [user, slot] : users[i])
          sorted.push_back({classes[user], slot});
        llvm::sort(sorted);
        for (auto [user, slot] : sorted)
          key.insert(key.end(), {user, slot});
        keys.push_back(std::move(key));
      }
      spent += keys.size();
      Classes finer = classify(keys);
      if (finer == classes)
        return;
      classes = std::move(finer);
    }
  }

  /// The members of the first class that has several; none if no class has.
  static std::vector<unsigned> findTie(const Classes &classes) {
    std::vector<std::vector<unsigned>> members(classes.size());
    for (auto [vertex, number] : llvm::enumerate(classes))
      members[number].push_back(vertex);
    for (std::vector<unsigned> &tie : members)
      if (tie.size() > 1)
        return std::move(tie);
    return {};
  }

  /// Makes `first` the only one of its class, before the others.
  static Classes individualize(Classes classes, unsigned first) {
    unsigned number = classes[first];
    for (unsigned &other : classes)
      other += other == number;
    classes[first] = number;
    return classes;
  }

  /// The form for an order within the classes, any.
  Form getSome(Classes classes) {
    while (true) {
      refine(classes);
      std::vector<unsigned> tie = findTie(classes);
      if (tie.empty())
        return {print(classes), std::move(classes)};
      classes = individualize(std::move(classes), tie.front());
    }
  }

  /// The one with the least text for an order within the classes, out of a set
  /// of orders that depends on the program only.
  Form getLeast(Classes classes) {
    while (true) {
      refine(classes);
      std::vector<unsigned> tie = findTie(classes);
      if (tie.empty())
        return {print(classes), std::move(classes)};
      // Where two choices can lead to the same text, a symmetry of the program
      // takes one to the other, and all that follows from them is the same.
      std::map<std::string, Classes> choices;
      for (unsigned first : tie) {
        Classes choice = individualize(classes, first);
        Form some = getSome(choice);
        if (spent > kBudget)
          return some;
        choices.try_emplace(std::move(some.text), std::move(choice));
      }
      if (choices.size() == 1) {
        classes = std::move(choices.begin()->second);
        continue;
      }
      std::optional<Form> least;
      for (auto &[unused, choice] : choices) {
        Form form = getLeast(std::move(choice));
        if (!least || form.text < least->text)
          least = std::move(form);
      }
      return std::move(*least);
    }
  }

  std::string print(const Classes &numbers) const {
    std::vector<unsigned> order(numbers.size());
    for (auto [vertex, number] : llvm::enumerate(numbers))
      order[number] = vertex;
    std::string text;
    llvm::raw_string_ostream os(text);
    auto printValue = [&](unsigned number) { os << "%" << number; };
    for (auto [number, i] : llvm::enumerate(order)) {
      const Vertex &vertex = program.vertices[i];
      printValue(number);
      os << " = " << vertex.name;
      if (!vertex.operands.empty()) {
        os << " (";
        llvm::interleaveComma(getOperands(vertex, numbers), os, printValue);
        os << ")";
      }
      if (vertex.kernel != Vertex::kNone) {
        os << " in ";
        printValue(numbers[vertex.kernel]);
      }
      if (!vertex.type.empty())
        os << " : " << vertex.type;
      os << "\n";
    }
    os << "output ";
    llvm::interleaveComma(program.outputs, os, [&](unsigned output) {
      printValue(numbers[output]);
    });
    os << "\n";
    return text;
  }

  const Program &program;
  /// For each vertex, which read it, and as which operand.
  std::vector<llvm::SmallVector<std::pair<unsigned, unsigned>, 2>> users;
  size_t spent = 0;
};

} // namespace

std::string mirage::getCanonicalText(const KernelGraph &graph) {
  Program program = ProgramBuilder(graph).build();
  return Canonizer(program).run().text;
}

KernelGraph mirage::getCanonicalProgram(const KernelGraph &graph) {
  Program program = ProgramBuilder(graph).build();
  const Classes numbers = Canonizer(program).run().numbers;
  std::vector<const Vertex *> order(numbers.size());
  for (auto [vertex, number] : llvm::zip(program.vertices, numbers))
    order[number] = &vertex;
  // A vertex is a tensor. Inputs come first in both.
  KernelGraph result;
  result.numInputs = graph.numInputs;
  result.tensors.assign(graph.tensors.begin(),
                        graph.tensors.begin() + graph.numInputs);
  for (const Vertex *vertex : llvm::drop_begin(order, graph.numInputs)) {
    KernelNode node = graph.nodes[vertex->node];
    assert(node.kind != KernelNode::Kind::GraphDefined);
    result.tensors.push_back(graph.tensors[node.results[0]]);
    node.operands.clear();
    llvm::append_range(node.operands, Canonizer::getOperands(*vertex, numbers));
    node.results = {static_cast<unsigned>(result.tensors.size() - 1)};
    result.nodes.push_back(std::move(node));
  }
  for (unsigned output : program.outputs)
    result.outputs.push_back(numbers[output]);
  return result;
}
