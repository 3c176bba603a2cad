//===- StoredKernels.cpp - Kernels and plans as JSON ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoredKernels.h"
#include "CutChoices.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Sizings.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

template <typename Range> static json::Array writeNumbers(const Range &range) {
  json::Array array;
  for (auto number : range)
    array.push_back(static_cast<int64_t>(number));
  return array;
}

/// The numbers of an array, all of them at least `least` and below `end`.
template <typename Vector>
static bool readNumbers(const json::Object &object, llvm::StringRef name,
                        int64_t least, int64_t end, Vector &numbers) {
  const json::Array *array = object.getArray(name);
  if (!array)
    return false;
  for (const json::Value &element : *array) {
    std::optional<int64_t> number = element.getAsInteger();
    if (!number || *number < least || *number >= end)
      return false;
    numbers.push_back(*number);
  }
  return true;
}

static bool readNumber(const json::Object &object, llvm::StringRef name,
                       int64_t least, int64_t end, int64_t &number) {
  std::optional<int64_t> value = object.getInteger(name);
  if (!value || *value < least || *value >= end)
    return false;
  number = *value;
  return true;
}

constexpr int64_t kAny = std::numeric_limits<int64_t>::max();

//===----------------------------------------------------------------------===//
// Block graphs
//===----------------------------------------------------------------------===//

static llvm::StringRef getKindName(const BlockNode &node) {
  switch (node.kind) {
  case BlockNode::Kind::InputIterator:
    return "iterator";
  case BlockNode::Kind::Constant:
    return "constant";
  case BlockNode::Kind::Operator:
    return node.op->getName();
  case BlockNode::Kind::Accumulator:
    switch (node.accumulation) {
    case Accumulation::Sum:
      return "accumulate sum";
    case Accumulation::Max:
      return "accumulate max";
    case Accumulation::RescaledSum:
      return "accumulate rescaled_sum";
    case Accumulation::Concat:
      break; // is not searched for
    }
    break;
  case BlockNode::Kind::OutputSaver:
    return "saver";
  }
  llvm_unreachable("not a node of a search's result");
}

static std::string getText(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static json::Object writeNode(const BlockNode &node) {
  json::Object object{{"is", getKindName(node)}};
  if (node.inLoop)
    object["in_loop"] = true;
  if (!node.operands.empty())
    object["of"] = writeNumbers(node.operands);
  if (!node.params.empty())
    object["params"] = writeNumbers(node.params);
  if (node.kind == BlockNode::Kind::InputIterator)
    object["fmap"] = node.fmap;
  if (node.kind == BlockNode::Kind::InputIterator ||
      node.kind == BlockNode::Kind::OutputSaver)
    object["map"] = writeNumbers(node.map);
  // JSON has no infinities.
  if (node.kind == BlockNode::Kind::Constant)
    object["bits"] = llvm::utohexstr(llvm::bit_cast<uint64_t>(node.constant));
  if (node.elementType)
    object["type"] = getText(node.elementType);
  return object;
}

namespace {

/// Reads the block graph of a kernel whose placement is known but for the
/// iterators and omaps, which are added to it.
class BlockGraphReader {
public:
  BlockGraphReader(const SearchProgram &program, const KernelProblem &problem,
                   Placement &placement)
      : program(program), problem(problem), placement(placement) {}

  bool run(const json::Array &nodes) {
    for (const json::Value &value : nodes) {
      const json::Object *object = value.getAsObject();
      if (!object || !readNode(*object))
        return false;
    }
    return placement.omaps.size() == problem.outputs.size();
  }

  BlockGraph graph;

private:
  /// The number of blocks in each dimension that maps speak of: a grid of one
  /// block has one dimension.
  size_t getMapSize() const {
    return std::max<size_t>(placement.gridRoles.size(), 1);
  }

  bool readMap(const json::Object &object, size_t rank, BlockNode &node) {
    if (!readNumbers(object, "map", kReplica, rank, node.map) ||
        node.map.size() != getMapSize())
      return false;
    // No dimension is cut twice.
    for (auto [g, dim] : llvm::enumerate(node.map))
      if (dim != kReplica &&
          llvm::is_contained(ArrayRef(node.map).drop_front(g + 1), dim))
        return false;
    return true;
  }

  bool readNode(const json::Object &object) {
    BlockNode node;
    std::optional<llvm::StringRef> is = object.getString("is");
    if (!is)
      return false;
    node.inLoop = object.getBoolean("in_loop").value_or(false);
    if (node.inLoop && !placement.hasLoop)
      return false;
    bool isSaver = *is == "saver";
    // Savers come last, as many as there are outputs.
    if (isSaver ? placement.omaps.size() == problem.outputs.size()
                : !placement.omaps.empty())
      return false;
    int64_t end = *is == "iterator" ? problem.inputs.size()
                                    : static_cast<int64_t>(graph.nodes.size());
    if (*is != "constant" && !readNumbers(object, "of", 0, end, node.operands))
      return false;
    for (unsigned operand : node.operands)
      if (*is != "iterator" &&
          graph.nodes[operand].kind == BlockNode::Kind::OutputSaver)
        return false;
    bool read = *is == "iterator"   ? readIterator(object, node)
                : *is == "constant" ? readConstant(object, node)
                : isSaver           ? readSaver(object, node)
                : is->consume_front("accumulate ")
                    ? readAccumulator(*is, node)
                    : readOperator(*is, object, node);
    // Only operators' tiles are rounded.
    if (object.get("type") && !node.op)
      return false;
    if (read)
      graph.nodes.push_back(std::move(node));
    return read;
  }

  bool readIterator(const json::Object &object, BlockNode &node) {
    node.kind = BlockNode::Kind::InputIterator;
    if (node.operands.size() != 1)
      return false;
    const SearchTensor &input = *problem.inputs[node.operands[0]];
    int64_t rank = input.label.size();
    if (!readMap(object, rank, node) ||
        !readNumber(object, "fmap", kReplica, rank, node.fmap) ||
        (node.fmap != kReplica && !node.inLoop))
      return false;
    IteratorPlacement place;
    place.input = node.operands[0];
    place.imap.assign(node.map.begin(), node.map.end());
    place.imap.resize(placement.gridRoles.size());
    place.fmap = node.fmap;
    // The grid and the loop cut whole dimensions of their roles.
    Shape label = input.label;
    auto cut = [&](int64_t dim, int64_t parts) {
      bool divides = label[dim] % parts == 0;
      label[dim] /= divides ? parts : 1;
      return divides;
    };
    for (auto [g, dim] : llvm::enumerate(place.imap))
      if (dim != kReplica && !cut(dim, placement.getGridLabel(g)))
        return false;
    if (place.fmap != kReplica && !cut(place.fmap, placement.getLoopLabel()))
      return false;
    node.shape = std::move(label);
    placement.iterators.push_back(std::move(place));
    return true;
  }

  bool readConstant(const json::Object &object, BlockNode &node) {
    node.kind = BlockNode::Kind::Constant;
    std::optional<llvm::StringRef> bits = object.getString("bits");
    uint64_t number;
    if (!bits || bits->getAsInteger(16, number))
      return false;
    node.constant = llvm::bit_cast<double>(number);
    return true;
  }

  bool readSaver(const json::Object &object, BlockNode &node) {
    node.kind = BlockNode::Kind::OutputSaver;
    const SearchTensor &output = *problem.outputs[placement.omaps.size()];
    if (node.inLoop || node.operands.size() != 1 ||
        isInLoop(node.operands[0]) ||
        !readMap(object, output.label.size(), node))
      return false;
    SmallVector<int64_t, 3> omap(node.map.begin(), node.map.end());
    omap.resize(placement.gridRoles.size());
    Shape label = output.label;
    for (auto [g, dim] : llvm::enumerate(omap)) {
      // Blocks don't write the same.
      if (dim == kReplica || label[dim] % placement.getGridLabel(g) != 0)
        return false;
      label[dim] /= placement.getGridLabel(g);
    }
    if (label != graph.nodes[node.operands[0]].shape)
      return false;
    node.shape = output.label;
    placement.omaps.push_back(std::move(omap));
    return true;
  }

  bool readAccumulator(llvm::StringRef name, BlockNode &node) {
    node.kind = BlockNode::Kind::Accumulator;
    if (name == "sum")
      node.accumulation = Accumulation::Sum;
    else if (name == "max")
      node.accumulation = Accumulation::Max;
    else if (name == "rescaled_sum")
      node.accumulation = Accumulation::RescaledSum;
    else
      return false;
    size_t count = node.accumulation == Accumulation::RescaledSum ? 2 : 1;
    if (node.inLoop || node.operands.size() != count)
      return false;
    for (unsigned operand : node.operands)
      if (!isInLoop(operand) || isConstant(operand))
        return false;
    node.shape = graph.nodes[node.operands[0]].shape;
    if (count == 1)
      return true;
    // The maxima are broadcast to the tile.
    Shape broadcast;
    return getOperator("mul").inferShape(
               {node.shape, graph.nodes[node.operands[1]].shape}, {},
               broadcast) &&
           broadcast == node.shape;
  }

  bool readOperator(llvm::StringRef name, const json::Object &object,
                    BlockNode &node) {
    for (const Operator *op : program.blockOperators)
      if (op->getName() == name)
        node.op = op;
    if (!node.op ||
        (object.get("params") &&
         !readNumbers(object, "params", -kAny - 1, kAny, node.params)))
      return false;
    SmallVector<Shape> labels;
    for (unsigned operand : node.operands) {
      // What the loop computes ends with it, and what is outside comes after
      // it.
      if (isInLoop(operand) != node.inLoop && !isConstant(operand))
        return false;
      labels.push_back(graph.nodes[operand].shape);
    }
    return program.hasParams(*node.op, labels, node.params) &&
           node.op->inferShape(labels, node.params, node.shape) &&
           readType(object, node);
  }

  bool readType(const json::Object &object, BlockNode &node) {
    const json::Value *type = object.get("type");
    if (!type)
      return true;
    if (!node.op->isElementwise())
      return false;
    for (const RoundedTensor &tensor : program.rounded)
      if (type->getAsString() == getText(tensor.elementType))
        node.elementType = tensor.elementType;
    return static_cast<bool>(node.elementType);
  }

  bool isInLoop(unsigned node) const { return graph.nodes[node].inLoop; }
  bool isConstant(unsigned node) const {
    return graph.nodes[node].kind == BlockNode::Kind::Constant;
  }

  const SearchProgram &program;
  const KernelProblem &problem;
  Placement &placement;
};

} // namespace

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

json::Value mirage::writeKernel(const SizedKernel &kernel) {
  const KernelStructure &structure = *kernel.structure;
  if (structure.op)
    return json::Object{{"is", structure.op->getName()},
                        {"params", writeNumbers(structure.params)},
                        {"of", writeNumbers(structure.operands)},
                        {"nanoseconds", kernel.nanoseconds}};
  const Placement &placement = *structure.placement;
  json::Array nodes;
  for (const BlockNode &node : structure.graph->nodes)
    nodes.push_back(writeNode(node));
  // As bits.
  json::Array gridRoles;
  for (const RoleSet &roles : placement.gridRoles)
    gridRoles.push_back(static_cast<int64_t>(roles.to_ullong()));
  json::Object object{{"is", "block graph"},
                      {"grid", writeNumbers(kernel.grid)},
                      {"grid_roles", std::move(gridRoles)},
                      {"splits", placement.splits},
                      {"nodes", std::move(nodes)},
                      {"nanoseconds", kernel.nanoseconds}};
  if (placement.hasLoop) {
    object["iterations"] = kernel.iterations;
    object["loop_role"] = placement.loopRole;
  }
  return object;
}

static bool readPredefined(const json::Object &object, llvm::StringRef name,
                           const SearchProgram &program,
                           const KernelProblem &problem,
                           KernelStructure &structure) {
  for (const Operator *op : program.kernelOperators)
    if (op->getName() == name)
      structure.op = op;
  if (!structure.op || problem.outputs.size() != 1 || problem.getSplitInput() ||
      problem.getSplitOutput() ||
      !readNumbers(object, "params", -kAny - 1, kAny, structure.params) ||
      !readNumbers(object, "of", 0, problem.inputs.size(),
                   structure.operands) ||
      structure.operands.empty())
    return false;
  SmallVector<Shape> labels;
  for (unsigned operand : structure.operands)
    labels.push_back(problem.inputs[operand]->label);
  Shape label;
  return program.hasParams(*structure.op, labels, structure.params) &&
         structure.op->inferShape(labels, structure.params, label) &&
         label == problem.outputs[0]->label;
}

static bool readPlacement(const json::Object &object,
                          const SearchProgram &program,
                          const KernelProblem &problem, Placement &placement,
                          SizedKernel &kernel) {
  int64_t numRoles = program.roles.size.size();
  std::optional<bool> splits = object.getBoolean("splits");
  if (!splits || !readNumbers(object, "grid", 1, kAny, kernel.grid) ||
      !readNumbers(object, "grid_roles", 1, int64_t(1) << numRoles,
                   placement.gridRoles) ||
      kernel.grid.size() != placement.gridRoles.size() ||
      kernel.grid.size() > kMaxGridDims)
    return false;
  placement.splits = *splits;
  const SearchTensor *output = problem.getSplitOutput();
  if (placement.splits != (output != nullptr) ||
      (output && (placement.gridRoles.empty() ||
                  placement.gridRoles.back() !=
                      RoleSet(uint64_t(1) << output->splitRole))))
    return false;
  placement.hasLoop = object.get("iterations");
  if (!placement.hasLoop)
    return !problem.getSplitInput();
  int64_t role;
  if (!readNumber(object, "iterations", 1, kAny, kernel.iterations) ||
      !readNumber(object, "loop_role", kNoRole, numRoles, role))
    return false;
  placement.loopRole = role;
  placement.loopIsSplit = placement.combinesSplit();
  const SearchTensor *input = problem.getSplitInput();
  if (placement.combinesSplit() != (input != nullptr))
    return false;
  if (input)
    return program.roles.size[input->splitRole] % kernel.iterations == 0;
  return llvm::is_contained(getLoopChoices(program, placement),
                            kernel.iterations);
}

std::optional<SizedKernel> mirage::readKernel(const json::Value &value,
                                              const SearchProgram &program,
                                              const KernelProblem &problem) {
  const json::Object *object = value.getAsObject();
  std::optional<llvm::StringRef> is;
  std::optional<double> nanoseconds;
  if (object) {
    is = object->getString("is");
    nanoseconds = object->getNumber("nanoseconds");
  }
  if (!is || !nanoseconds)
    return std::nullopt;
  auto structure = std::make_shared<KernelStructure>();
  structure->problem = problem;
  SizedKernel kernel;
  kernel.nanoseconds = *nanoseconds;
  kernel.structure = structure;
  if (*is != "block graph") {
    if (!readPredefined(*object, *is, program, problem, *structure))
      return std::nullopt;
    return kernel;
  }
  auto placement = std::make_shared<Placement>();
  const json::Array *nodes = object->getArray("nodes");
  BlockGraphReader reader(program, problem, *placement);
  if (!nodes || !readPlacement(*object, program, problem, *placement, kernel) ||
      !reader.run(*nodes))
    return std::nullopt;
  for (auto [g, size] : llvm::enumerate(kernel.grid))
    if (!llvm::is_contained(getGridChoices(program, problem, *placement, g),
                            size))
      return std::nullopt;
  if (!canLaunch(kernel.grid))
    return std::nullopt;
  if (placement->gridRoles.empty())
    reader.graph.grid = {1};
  structure->placement = placement;
  structure->graph =
      std::make_shared<const BlockGraph>(std::move(reader.graph));
  return kernel;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

json::Value mirage::writePlans(ArrayRef<Plan> plans,
                               const SearchProgram &program) {
  json::Array list;
  for (const Plan &plan : plans) {
    llvm::DenseMap<const SearchTensor *, int64_t> number;
    for (const auto *known : {&program.inputs, &program.outputs})
      for (const auto &tensor : *known)
        number.try_emplace(tensor.get(), number.size());
    json::Array tensors, kernels;
    for (const SizedKernel &kernel : plan.kernels) {
      const KernelProblem &problem = kernel.structure->problem;
      json::Array reads, writes;
      for (const SearchTensor *tensor : problem.inputs)
        reads.push_back(number.at(tensor));
      for (const SearchTensor *tensor : problem.outputs) {
        auto [known, isNew] = number.try_emplace(tensor, number.size());
        writes.push_back(known->second);
        if (isNew)
          tensors.push_back(json::Object{{"label", writeNumbers(tensor->label)},
                                         {"type", getText(tensor->elementType)},
                                         {"split_dim", tensor->splitDim},
                                         {"split_role", tensor->splitRole}});
      }
      kernels.push_back(json::Object{{"reads", std::move(reads)},
                                     {"writes", std::move(writes)},
                                     {"kernel", writeKernel(kernel)}});
    }
    list.push_back(json::Object{{"tensors", std::move(tensors)},
                                {"kernels", std::move(kernels)}});
  }
  return list;
}

/// A tensor between kernels; null if it can't be one.
static std::unique_ptr<SearchTensor> readTensor(const json::Value &value,
                                                const SearchProgram &program) {
  const json::Object *object = value.getAsObject();
  auto tensor = std::make_unique<SearchTensor>();
  if (!object || !readNumbers(*object, "label", 1, kAny, tensor->label))
    return nullptr;
  int64_t dim, role;
  std::optional<llvm::StringRef> type = object->getString("type");
  if (!type ||
      !readNumber(*object, "split_dim", -1, tensor->label.size(), dim) ||
      !readNumber(*object, "split_role", kNoRole, program.roles.size.size(),
                  role) ||
      (dim >= 0) != (role != kNoRole))
    return nullptr;
  tensor->splitDim = dim;
  tensor->splitRole = role;
  // The program's types, and f32.
  SmallVector<mlir::Type> types{mlir::Float32Type::get(
      program.reference.tensors[0].elementType.getContext())};
  for (const KernelTensor &known : program.reference.tensors)
    types.push_back(known.elementType);
  for (mlir::Type known : types)
    if (getText(known) == *type)
      tensor->elementType = known;
  return tensor->elementType ? std::move(tensor) : nullptr;
}

static std::optional<Plan> readPlan(const json::Value &value,
                                    SearchProgram &program, TargetAttr target) {
  const json::Object *object = value.getAsObject();
  const json::Array *list = object ? object->getArray("tensors") : nullptr;
  const json::Array *kernels = object ? object->getArray("kernels") : nullptr;
  if (!list || !kernels)
    return std::nullopt;
  SmallVector<const SearchTensor *> tensors;
  for (const auto *known : {&program.inputs, &program.outputs})
    for (const auto &tensor : *known)
      tensors.push_back(tensor.get());
  for (const json::Value &element : *list) {
    std::unique_ptr<SearchTensor> tensor = readTensor(element, program);
    if (!tensor)
      return std::nullopt;
    tensor->id = program.inputs.size() + program.outputs.size() +
                 program.intermediates.size();
    tensors.push_back(tensor.get());
    program.intermediates.push_back(std::move(tensor));
  }
  // Each tensor is written once, before it is read.
  llvm::BitVector written(tensors.size());
  written.set(0, program.inputs.size());
  llvm::DenseMap<const SearchTensor *, int64_t> parts;
  Plan plan;
  for (const json::Value &element : *kernels) {
    const json::Object *step = element.getAsObject();
    const json::Value *stored = step ? step->get("kernel") : nullptr;
    SmallVector<int64_t> reads, writes;
    if (!stored || !readNumbers(*step, "reads", 0, tensors.size(), reads) ||
        !readNumbers(*step, "writes", 0, tensors.size(), writes) ||
        writes.empty())
      return std::nullopt;
    KernelProblem problem;
    for (int64_t number : reads) {
      if (!written.test(number))
        return std::nullopt;
      problem.inputs.push_back(tensors[number]);
    }
    for (int64_t number : writes) {
      if (written.test(number))
        return std::nullopt;
      written.set(number);
      problem.outputs.push_back(tensors[number]);
    }
    std::optional<SizedKernel> kernel = readKernel(*stored, program, problem);
    if (!kernel ||
        estimateKernel(program, *kernel, target) != kernel->nanoseconds)
      return std::nullopt;
    // Kernels that share a split agree on its parts.
    for (const SearchTensor *tensor : problem.inputs)
      if (tensor->isSplit() && parts.lookup(tensor) != kernel->getPartsRead())
        return std::nullopt;
    for (const SearchTensor *tensor : problem.outputs)
      parts[tensor] = kernel->getPartsWritten();
    plan.nanoseconds += kernel->nanoseconds;
    plan.kernels.push_back(std::move(*kernel));
  }
  if (!written.all() || !instantiate(program, plan, program.roles.size))
    return std::nullopt;
  return plan;
}

std::optional<std::vector<Plan>> mirage::readPlans(const json::Value &value,
                                                   SearchProgram &program,
                                                   TargetAttr target) {
  const json::Array *list = value.getAsArray();
  if (!list)
    return std::nullopt;
  std::vector<Plan> plans;
  for (const json::Value &element : *list) {
    std::optional<Plan> plan = readPlan(element, program, target);
    if (!plan)
      return std::nullopt;
    plans.push_back(std::move(*plan));
  }
  sortByCost(plans);
  return plans;
}
