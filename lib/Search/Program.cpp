//===- Program.cpp - The program that is searched for ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Mugraph/CanonicalProgram.h"
#include "Mirage/Numbers/RealNumbers.h"
#include "Mirage/Operators/Custom.h"
#include "Mirage/Operators/DataMovement.h"
#include "RoundedTiles.h"
#include "SafeExponentials.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"
#include <numeric>
#include <set>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The recipe of an output.
static std::vector<RecipeStep>
makeRecipe(const KernelGraph &graph, unsigned output,
           ArrayRef<std::unique_ptr<SearchTensor>> inputs) {
  std::vector<RecipeStep> recipe;
  SmallVector<int> step(graph.tensors.size(), -1);
  auto build = [&](auto &self, unsigned tensor) -> unsigned {
    if (step[tensor] >= 0)
      return step[tensor];
    RecipeStep result;
    if (tensor < graph.numInputs) {
      result.leaf = inputs[tensor].get();
    } else {
      const KernelNode &node =
          *llvm::find_if(graph.nodes, [&](const KernelNode &node) {
            return node.results[0] == tensor;
          });
      if (node.kind == KernelNode::Kind::Constant) {
        result.kind = RecipeStep::Kind::Constant;
        result.constant = node.constant;
      } else {
        result.kind = RecipeStep::Kind::Operator;
        result.op = node.op;
        result.params = node.params;
        for (unsigned operand : node.operands) {
          result.operands.push_back(self(self, operand));
          result.labels.push_back(graph.tensors[operand].shape);
        }
      }
    }
    recipe.push_back(std::move(result));
    return step[tensor] = recipe.size() - 1;
  };
  build(build, output);
  return recipe;
}

/// The divisors of n greater than 1, in increasing order.
static SmallVector<int64_t> getDivisors(int64_t n) {
  SmallVector<int64_t> divisors;
  for (int64_t d = 1; d * d <= n; ++d) {
    if (n % d != 0)
      continue;
    divisors.push_back(d);
    if (d != n / d)
      divisors.push_back(n / d);
  }
  llvm::sort(divisors);
  divisors.erase(divisors.begin());
  return divisors;
}

SmallVector<int64_t> SearchProgram::getDivisors(const RoleSet &of) const {
  return ::getDivisors(roles.getCommonSize(of));
}

/// Adds the permutations that those of a list make one after the other, so that
/// nothing has to be transposed twice. Two may make all n! of n dimensions:
/// those of six are the last of which none is left out.
static void addCompositions(SmallVector<Params> &permutations) {
  constexpr size_t kMost = 720;
  std::set<Params> known(permutations.begin(), permutations.end());
  const SmallVector<Params> own = permutations;
  for (size_t i = 0; i < permutations.size(); ++i)
    for (const Params &second : own) {
      const Params first = permutations[i];
      if (first.size() != second.size() || permutations.size() >= kMost)
        continue;
      Params both;
      for (int64_t dim : second)
        both.push_back(first[dim]);
      if (!llvm::is_sorted(both) && known.insert(both).second)
        permutations.push_back(std::move(both));
    }
}

/// Adds the dimensions over which maxima are taken of transposed tensors, where
/// the program transposes what is computed from one: a search transposes its
/// inputs instead (SearchRule::Transposes).
static void addTransposedMaxima(
    const KernelGraph &graph,
    llvm::DenseMap<const Operator *, SmallVector<Params>> &vocabulary) {
  const Operator &maximum = getOperator("reduce_max");
  auto known = vocabulary.find(&maximum);
  if (known == vocabulary.end())
    return;
  SmallVector<Params> permutations;
  llvm::BitVector hasMaximum(graph.tensors.size());
  for (const KernelNode &node : graph.nodes) {
    bool has = node.op == &maximum ||
               llvm::any_of(node.operands, [&](unsigned operand) {
                 return hasMaximum.test(operand);
               });
    for (unsigned result : node.results)
      hasMaximum[result] = has;
    if (has && node.op == &getOperator("transpose"))
      permutations.push_back(node.params);
  }
  // One behind the other, too.
  SmallVector<Params> &dims = known->second;
  for (size_t i = 0; i < dims.size(); ++i)
    for (const Params &permutation : permutations) {
      auto position = llvm::find(permutation, dims[i][0]);
      Params dim = {std::distance(permutation.begin(), position)};
      if (position != permutation.end() && !llvm::is_contained(dims, dim))
        dims.push_back(dim);
    }
}

/// The most elements or loop iterations of a tensor or operator.
static double getMostSteps(const KernelGraph &graph) {
  double most = 0;
  auto add = [&](ArrayRef<int64_t> sizes) {
    double steps = 1;
    for (int64_t size : sizes)
      steps *= static_cast<double>(size);
    most = std::max(most, steps);
  };
  for (const KernelTensor &tensor : graph.tensors)
    add(tensor.shape);
  for (const KernelNode &node : graph.nodes) {
    if (node.kind != KernelNode::Kind::Operator)
      continue;
    SmallVector<Shape> shapes;
    for (unsigned operand : node.operands)
      shapes.push_back(graph.tensors[operand].shape);
    if (auto space = node.op->getIterationSpace(shapes, node.params))
      add(space->sizes);
  }
  return most;
}

/// Each output must be computed, and returned once: kernels make it.
static llvm::Error checkOutputs(const KernelGraph &reference) {
  if (reference.outputs.empty())
    return llvm::createStringError("nothing is returned");
  for (auto [i, output] : llvm::enumerate(reference.outputs)) {
    if (output < reference.numInputs)
      return llvm::createStringError("an output is an input");
    if (llvm::is_contained(ArrayRef<unsigned>(reference.outputs).take_front(i),
                           output))
      return llvm::createStringError("a value is returned twice");
  }
  return llvm::Error::success();
}

/// The values of graphs are computed of tensors, and read constants.
static llvm::Error checkNumbers(const KernelGraph &reference) {
  llvm::BitVector isConstant(reference.tensors.size());
  for (const KernelNode &node : reference.nodes) {
    if (node.kind == KernelNode::Kind::Constant)
      isConstant.set(node.results[0]);
    else if (node.op && node.op->isElementwise() &&
             llvm::all_of(node.operands, [&](unsigned operand) {
               return isConstant.test(operand);
             }))
      return llvm::createStringError("'" + node.op->getName() +
                                     "' computes a number of numbers alone");
  }
  return llvm::Error::success();
}

/// Evaluating must be cheap: each value that the search meets takes as long.
static llvm::Error checkSteps(const KernelGraph &reference,
                              const Roles &roles) {
  constexpr double kMostSteps = 1 << 20;
  double steps = getMostSteps(resize(reference, roles, roles.probe));
  if (steps <= kMostSteps)
    return llvm::Error::success();
  return llvm::createStringError(llvm::formatv(
      "an operator takes {0:f0} steps at the small sizes at which values are "
      "compared, more than {1:f0}",
      steps, kMostSteps));
}

namespace {

/// Evaluates programs on random inputs at probe sizes.
class ProbeEvaluator {
public:
  ProbeEvaluator(const NumberSystem &numbers, uint64_t seed,
                 const std::atomic<bool> &stop)
      : numbers(numbers), seed(seed), stop(stop) {}

  /// The outputs, and the inputs if they are asked for. They mean nothing once
  /// the search was stopped.
  std::vector<Tensor> run(const KernelGraph &graph, const Roles &roles,
                          std::vector<Tensor> *allInputs = nullptr) const {
    if (stop)
      return {};
    KernelGraph probe = resize(graph, roles, roles.probe);
    std::vector<Tensor> inputs;
    for (unsigned i = 0; i < probe.numInputs; ++i)
      inputs.push_back(numbers.random(probe.tensors[i].shape, seed, i));
    std::vector<Tensor> outputs = evaluate(probe, numbers, inputs, &stop);
    if (allInputs)
      *allInputs = std::move(inputs);
    return outputs;
  }
  bool isStopped() const { return stop; }

private:
  const NumberSystem &numbers;
  uint64_t seed;
  const std::atomic<bool> &stop;
};

/// Compares programs with one of which the outputs are known.
class OutputComparison {
public:
  OutputComparison(const KernelGraph &reference, const Roles &roles,
                   const FiniteField &field, uint64_t seed,
                   const std::atomic<bool> &stop)
      : field(field), inField(field, seed, stop), inReals(reals, seed, stop),
        expected(inField.run(reference, roles)) {
    // In the field all exponentials are the same to those that are taken of
    // them. Of an opaque operator without a definition nobody knows more.
    if (hasNestedExponentials(reference) && isDefined(reference))
      expectedReals = inReals.run(reference, roles);
  }

  bool areEqual(const KernelGraph &program) const {
    std::string error;
    std::optional<Roles> roles = findRoles(program, error);
    return roles && areEqual(expected, inField.run(program, *roles), field) &&
           (expectedReals.empty() ||
            areEqual(expectedReals, inReals.run(program, *roles), reals));
  }

private:
  bool areEqual(ArrayRef<Tensor> these, ArrayRef<Tensor> those,
                const NumberSystem &numbers) const {
    return !inField.isStopped() &&
           llvm::all_of(llvm::zip_equal(these, those), [&](auto pair) {
             auto &[a, b] = pair;
             return !numbers.findDifference(a, b);
           });
  }

  static bool isDefined(const KernelGraph &program) {
    return llvm::all_of(program.nodes, [](const KernelNode &node) {
      return !node.op || !node.op->isOpaque() ||
             isFunctionDefined(node.params[0]);
    });
  }

  /// Whether an exponential is taken of what another one was needed for.
  static bool hasNestedExponentials(const KernelGraph &program) {
    llvm::BitVector isOfExponential(program.tensors.size());
    for (const KernelNode &node : program.nodes) {
      const bool isOf = llvm::any_of(node.operands, [&](unsigned operand) {
        return isOfExponential.test(operand);
      });
      const bool exponentiates =
          node.op && node.op->usesExponentiation(node.params);
      if (isOf && exponentiates)
        return true;
      for (unsigned result : node.results)
        isOfExponential[result] = isOf || exponentiates;
    }
    return false;
  }

  const RealNumbers reals;
  const FiniteField &field;
  const ProbeEvaluator inField, inReals;
  const std::vector<Tensor> expected;
  std::vector<Tensor> expectedReals;
};

} // namespace

/// Makes the exponentials of the target safe where that leaves the reference's
/// outputs as they are.
static void makeTargetSafe(SearchProgram &program, const Roles &roles,
                           uint64_t seed, const std::atomic<bool> &stop) {
  const OutputComparison comparison(program.reference, roles, *program.field,
                                    seed, stop);
  program.keepsExponentialsSafe = true;
  program.target =
      makeExponentialsSafe(program.target, [&](const KernelGraph &shifted) {
        return comparison.areEqual(shifted);
      });
}

/// The field in which the values of a program are told apart: everything is
/// defined in it.
static FiniteField makeField(const SearchOptions &options) {
  FiniteField field(/*withExponents=*/true, options.seed, /*total=*/true);
  // What is equal by the axioms is equal in any of their models.
  if (options.axioms && !options.axioms->models.empty())
    field.setFunctions(options.axioms->models.front().getTable());
  return field;
}

llvm::BitVector mirage::findUnsafeExponentials(const KernelGraph &program,
                                               const SearchOptions &options) {
  std::string error;
  std::optional<Roles> roles = findRoles(program, error);
  if (!options.safeExponentials || !roles)
    return llvm::BitVector(program.nodes.size());
  if (llvm::Error tooMany = checkSteps(program, *roles)) {
    llvm::consumeError(std::move(tooMany));
    return llvm::BitVector(program.nodes.size());
  }
  // Each exponential is tried over each dimension.
  double evaluations = 0;
  llvm::BitVector all(program.nodes.size());
  for (auto [n, node] : llvm::enumerate(program.nodes))
    if (node.op && node.op->usesExponentiation(node.params)) {
      all.set(n);
      evaluations += program.tensors[node.results[0]].shape.size();
    }
  constexpr double kMostSteps = 1 << 28; // a second or two
  if (getMostSteps(resize(program, *roles, roles->probe)) *
          static_cast<double>(program.nodes.size()) * evaluations >
      kMostSteps)
    return all;
  const FiniteField field = makeField(options);
  const std::atomic<bool> stop{false};
  const OutputComparison comparison(program, *roles, field, options.seed, stop);
  return findUnsafeExponentials(program, [&](const KernelGraph &shifted) {
    return comparison.areEqual(shifted);
  });
}

llvm::BitVector mirage::findMovedInputs(const KernelGraph &program) {
  llvm::BitVector isInput(program.tensors.size());
  isInput.set(0, program.numInputs);
  for (const KernelNode &node : program.nodes)
    if (node.kind == KernelNode::Kind::Operator && node.op->isMovement() &&
        llvm::all_of(node.operands,
                     [&](unsigned operand) { return isInput.test(operand); }))
      isInput.set(node.results[0]);
  return isInput;
}

bool mirage::hasGraphs(const KernelGraph &program) {
  return llvm::any_of(program.nodes, [](const KernelNode &node) {
    return node.kind == KernelNode::Kind::GraphDefined;
  });
}

CostEstimate mirage::estimateReference(const KernelGraph &reference,
                                       const SearchOptions &options) {
  // One that has graph-defined operators has no canonical form.
  return estimateCost(hasGraphs(reference) ? reference
                                           : getCanonicalProgram(reference),
                      options.target);
}

/// Adds what kernels begin with, what they are to compute, and what they may
/// compute on the way. `labels` is the target with labels for sizes.
static void addTensors(SearchProgram &program, const KernelGraph &labels,
                       std::vector<Tensor> inputs, std::vector<Tensor> outputs,
                       uint64_t seed) {
  unsigned id = 0;
  auto makeTensor = [&](unsigned number) {
    auto tensor = std::make_unique<SearchTensor>();
    tensor->hash = tensor->id = id++;
    tensor->label = labels.tensors[number].shape;
    return tensor;
  };
  for (unsigned i = 0; i < program.reference.numInputs; ++i) {
    auto tensor = makeTensor(i);
    tensor->elementType = program.reference.tensors[i].elementType;
    tensor->value = std::move(inputs[i]);
    tensor->scalar = program.field->random({1, 1}, seed + 1, i);
    tensor->input = i;
    program.inputs.push_back(std::move(tensor));
  }
  for (auto [i, output] : llvm::enumerate(labels.outputs)) {
    auto tensor = makeTensor(output);
    tensor->elementType = labels.tensors[output].elementType;
    tensor->value = std::move(outputs[i]);
    tensor->recipe = makeRecipe(labels, output, program.inputs);
    program.outputs.push_back(std::move(tensor));
  }
  for (const KernelNode &node : labels.nodes) {
    if (node.kind != KernelNode::Kind::Operator)
      continue;
    auto tensor = std::make_unique<SearchTensor>();
    // None of those that come up has such a number.
    tensor->id = (1u << 31) + program.results.size();
    tensor->label = labels.tensors[node.results[0]].shape;
    tensor->recipe = makeRecipe(labels, node.results[0], program.inputs);
    program.results.emplace_back(node.op, std::move(tensor));
  }
}

/// The most elementwise operators of one tile, constants apart, that a program
/// has in a row.
static unsigned countFreeOpsInARow(const KernelGraph &program) {
  unsigned most = 0;
  llvm::DenseMap<unsigned, unsigned> inARow; // by tensor
  llvm::SmallDenseSet<unsigned> constants;
  for (const KernelNode &node : program.nodes) {
    if (node.kind == KernelNode::Kind::Constant) {
      constants.insert(node.results[0]);
      continue;
    }
    llvm::SmallDenseSet<unsigned> tiles;
    for (unsigned operand : node.operands)
      if (!constants.contains(operand))
        tiles.insert(operand);
    if (!node.op->isElementwise() || tiles.size() != 1)
      continue;
    unsigned length = inARow.lookup(*tiles.begin()) + 1;
    inARow[node.results[0]] = length;
    most = std::max(most, length);
  }
  return most;
}

/// What the target transposes, but for inputs. `values`: of all tensors behind
/// these.
static std::vector<TransposedTensor>
findTransposedTensors(const KernelGraph &target, const KernelGraph &labels,
                      ArrayRef<Tensor> values) {
  std::vector<TransposedTensor> transposed;
  const llvm::BitVector isInput = findMovedInputs(target);
  for (const KernelNode &node : target.nodes)
    if (node.op == &getOperator("transpose") && !isInput.test(node.operands[0]))
      transposed.push_back({labels.tensors[node.operands[0]].shape,
                            values[node.operands[0] - target.numInputs],
                            node.params});
  return transposed;
}

/// Remembers all tensors of the target by their values: their types, as what
/// kernels hand on is stored in the same, and which are rounded and transposed.
/// `labels` is the target with labels for sizes.
static void recordTensors(SearchProgram &program, const KernelGraph &labels,
                          const ProbeEvaluator &evaluator) {
  // As further outputs.
  KernelGraph everything = program.target;
  everything.outputs.clear();
  for (unsigned t = everything.numInputs; t < everything.tensors.size(); ++t)
    everything.outputs.push_back(t);
  std::vector<Tensor> all = evaluator.run(everything, program.roles);
  for (auto [t, value] : llvm::zip(everything.outputs, all))
    program.elementTypes.try_emplace(hashContent(value),
                                     program.target.tensors[t].elementType);
  program.rounded =
      findRoundedTensors(program, labels, everything.outputs, all);
  program.transposed = findTransposedTensors(program.target, labels, all);
  // Also where they are handed on transposed, if that isn't in too many ways.
  constexpr size_t kMostWays = 24;
  const auto transposes = program.vocabulary.find(&getOperator("transpose"));
  if (transposes == program.vocabulary.end() ||
      transposes->second.size() > kMostWays)
    return;
  for (auto [t, value] : llvm::zip(everything.outputs, all))
    for (const Params &permutation : transposes->second)
      if (permutation.size() == value.shape.size() && !evaluator.isStopped())
        program.elementTypes.try_emplace(
            hashContent(transpose(value, permutation)),
            program.target.tensors[t].elementType);
}

/// Chooses the operators that kernels and block graphs may have.
static void chooseOperators(SearchProgram &program,
                            const SearchOptions &options) {
  auto getOperators = [&](Level level) {
    auto operators = getOperatorsOfLevel(options.target.getContext(), level);
    llvm::erase_if(operators, [&](const Operator *op) {
      return !options.mayHave(op->getName());
    });
    return operators;
  };
  program.kernelOperators = getOperators(Level::Kernel);
  program.blockOperators = getOperators(Level::Block);
  if (options.axioms)
    for (const auto &[name, arity] : options.axioms->functions)
      program.functions.emplace_back(Params{internFunctionName(name)}, arity);
}

/// Collects what can't be enumerated but is taken from the program: constants,
/// parameters, and opaque operators.
static void collectVocabulary(SearchProgram &program,
                              const KernelGraph &labels) {
  for (const KernelNode &node : labels.nodes) {
    if (node.kind == KernelNode::Kind::Constant) {
      if (!llvm::is_contained(program.constants, node.constant))
        program.constants.push_back(node.constant);
    } else if (!node.params.empty() || node.op->hasShapeParams()) {
      // A shape without dimensions is one, too.
      auto &known = program.vocabulary[node.op];
      if (!llvm::is_contained(known, node.params))
        known.push_back(node.params);
      program.transposesSquares |= node.op == &getOperator("transpose") &&
                                   labels.tensors[node.operands[0]].shape ==
                                       labels.tensors[node.results[0]].shape;
      std::pair<Params, unsigned> function(node.params, node.operands.size());
      if (node.op->isOpaque() &&
          !llvm::is_contained(program.functions, function))
        program.functions.push_back(std::move(function));
    }
  }
  // What an operator has transposed, block graphs transpose themselves.
  for (const KernelNode &node : labels.nodes)
    if (node.kind == KernelNode::Kind::Operator && node.op->getOfTransposed()) {
      auto &known = program.vocabulary[&getOperator("transpose")];
      Params order = getMatrixTranspose(
          labels.tensors[node.operands[node.op->getTransposedOperand()]]
              .shape.size());
      if (!llvm::is_contained(known, order))
        known.push_back(std::move(order));
    }
  if (auto transposes = program.vocabulary.find(&getOperator("transpose"));
      transposes != program.vocabulary.end())
    addCompositions(transposes->second);
  addTransposedMaxima(labels, program.vocabulary);
}

llvm::Expected<std::unique_ptr<SearchProgram>>
mirage::makeSearchProgram(const KernelGraph &reference,
                          const SearchOptions &options,
                          const std::atomic<bool> &stop) {
  if (llvm::Error error = checkOutputs(reference))
    return std::move(error);
  if (llvm::Error error = checkNumbers(reference))
    return std::move(error);
  auto program = std::make_unique<SearchProgram>();
  program->reference = reference;
  std::string error;
  std::optional<Roles> roles = findRoles(reference, error);
  if (!roles)
    return llvm::createStringError(error);
  if (llvm::Error error = checkSteps(reference, *roles))
    return std::move(error);

  program->field = makeField(options);
  const ProbeEvaluator evaluator(*program->field, options.seed, stop);
  program->target = program->canonical = getCanonicalProgram(reference);
  if (options.safeExponentials)
    makeTargetSafe(*program, *roles, options.seed, stop);
  roles = findRoles(program->target, error);
  if (!roles)
    return llvm::createStringError(error);
  program->roles = std::move(*roles);
  for (int64_t size : program->roles.size)
    program->divisors.push_back(getDivisors(size));
  const KernelGraph labels =
      resize(program->target, program->roles, program->roles.label);

  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs =
      evaluator.run(program->target, program->roles, &inputs);
  if (stop)
    return nullptr;
  addTensors(*program, labels, std::move(inputs), std::move(outputs),
             options.seed);
  program->maxFreeOps =
      std::max(options.maxFreeOps, countFreeOpsInARow(program->target));
  chooseOperators(*program, options);
  collectVocabulary(*program, labels);
  recordTensors(*program, labels, evaluator);
  if (stop)
    return nullptr;
  return program;
}

uint64_t mirage::hashContent(const Tensor &tensor) {
  uint64_t hash = 0;
  // Maxima have another plane, which the search's values don't depend on.
  for (const Plane &plane : tensor.planes)
    if (plane.elementBytes == sizeof(uint32_t))
      hash = hash * 0x9e3779b97f4a7c15 + llvm::xxh3_64bits(plane.bytes);
  return hash;
}

uint64_t mirage::hashNumbers(llvm::ArrayRef<int64_t> numbers) {
  return llvm::xxh3_64bits(
      llvm::ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(numbers.data()),
                              numbers.size() * sizeof(int64_t)));
}

mlir::Type SearchProgram::getElementType(const Tensor &value) const {
  if (mlir::Type known = elementTypes.lookup(hashContent(value)))
    return known;
  return mlir::Float32Type::get(reference.tensors[0].elementType.getContext());
}

void SearchProgram::enumerateParams(
    const Operator &op, ArrayRef<Shape> labels,
    llvm::function_ref<void(const Params &)> visit) const {
  bool any = false;
  op.enumerateParams(labels, [&](const Params &params) {
    any = true;
    visit(params);
  });
  if (any)
    return;
  auto known = vocabulary.find(&op);
  if (known == vocabulary.end())
    return;
  for (const Params &params : known->second) {
    if (!op.hasShapeParams()) {
      visit(params);
      continue;
    }
    // A reshape that adds or drops dimensions of size 1.
    SmallVector<int64_t> wide;
    for (int64_t label : labels[0])
      if (label != 1)
        wide.push_back(label);
    Params shape;
    size_t next = 0;
    for (int64_t label : params)
      shape.push_back(label == 1 ? 1 : next < wide.size() ? wide[next++] : 0);
    if (next == wide.size() && !llvm::is_contained(shape, 0))
      visit(shape);
  }
}

bool SearchProgram::hasParams(const Operator &op, ArrayRef<Shape> labels,
                              const Params &params) const {
  if (op.isOpaque())
    return llvm::is_contained(
        functions, std::pair<Params, unsigned>(params, labels.size()));
  if (op.getNumOperands() != labels.size())
    return false;
  // One that stands for several has none (ValueGraph::addFusedEdges).
  bool found = !op.getSteps().empty() && params.empty();
  enumerateParams(op, labels,
                  [&](const Params &known) { found |= known == params; });
  return found;
}

Shape SearchProgram::getShape(const SearchTensor &tensor,
                              ArrayRef<int64_t> roleSizes,
                              int64_t parts) const {
  Shape shape;
  for (auto [d, label] : llvm::enumerate(tensor.label)) {
    int role = roles.getRole(label);
    shape.push_back((role == kNoRole ? 1 : roleSizes[role]) *
                    (static_cast<int>(d) == tensor.splitDim ? parts : 1));
  }
  return shape;
}

int64_t SearchProgram::getBytes(const SearchTensor &tensor,
                                int64_t parts) const {
  return getNumElements(getShape(tensor, roles.size, parts)) *
         tensor.elementType.getIntOrFloatBitWidth() / 8;
}

Expr TensorExprs::evaluate(const RecipeStep &step, ArrayRef<Expr> operands) {
  switch (step.kind) {
  case RecipeStep::Kind::Leaf:
    return get(*step.leaf);
  case RecipeStep::Kind::Constant:
    return context.constant(step.constant);
  case RecipeStep::Kind::Operator:
    return step.op->getExpr(context, step.labels, operands, step.params);
  case RecipeStep::Kind::Accumulate:
    return step.accumulation == Accumulation::Max
               ? context.max(operands[0])
               : context.sum(step.parts, operands[0]);
  }
  llvm_unreachable("unknown kind of step");
}

Expr TensorExprs::get(const SearchTensor &tensor) {
  if (auto known = exprs.find(tensor.id); known != exprs.end())
    return known->second;
  const Expr result =
      tensor.isInput()
          ? context.variable("in" + std::to_string(tensor.input))
          : evaluateRecipe<Expr>(tensor.recipe, [&](const RecipeStep &step,
                                                    ArrayRef<Expr> operands) {
              return evaluate(step, operands);
            });
  return exprs[tensor.id] = result;
}
