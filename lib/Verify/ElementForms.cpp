//===- ElementForms.cpp - The degrees of a program's outputs --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DegreeBound.h"
#include "FormArithmetic.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "llvm/ADT/DenseMap.h"
#include <cmath>
#include <deque>
#include <map>

using namespace mirage;
using namespace mirage::forms;
using llvm::ArrayRef;

namespace {

/// The elements of a program's tensors as forms.
class FormAlgebra final : public ElementAlgebra {
public:
  explicit FormAlgebra(const KernelGraph &graph) : graph(graph) {
    for (unsigned n = 0; n < graph.nodes.size(); ++n)
      for (unsigned result : graph.nodes[n].results)
        producers[result] = n;
  }

  std::optional<std::vector<ElementForm>> run();

  Index indexConstant(int64_t value) override {
    return intern({0, 0, 0, value}, {});
  }
  Index indexAdd(Index a, Index b) override {
    return intern({1, a, b, 0}, unite(indexVariables[a], indexVariables[b]));
  }
  Index indexMul(Index a, int64_t factor) override {
    return intern({2, a, 0, factor}, indexVariables[a]);
  }
  Index indexDiv(Index a, int64_t divisor) override {
    return divisor == 1 ? a : intern({3, a, 0, divisor}, indexVariables[a]);
  }
  Index indexMod(Index a, int64_t divisor) override {
    return divisor == 1 ? indexConstant(0)
                        : intern({4, a, 0, divisor}, indexVariables[a]);
  }

  Term read(unsigned operand, ArrayRef<Index> index) override {
    return (*reader)(operand, index);
  }
  Term constant(double value) override { return make(makeConstant(value)); }
  Term add(Term a, Term b) override {
    return make(addForms(forms[a], forms[b]));
  }
  Term sub(Term a, Term b) override { return add(a, b); }
  Term mul(Term a, Term b) override {
    return make(multiplyForms(forms[a], forms[b]));
  }
  Term div(Term a, Term b) override {
    return make(divideForms(forms[a], forms[b], b));
  }
  Term exp(Term a) override { return make(makeExponential(forms[a])); }
  Term sqrt(Term a) override { return make(makeRoot(forms[a], forms.size())); }
  Term log(Term a) override { return function("log", {a}, nullptr); }
  Term erf(Term a) override { return function("erf", {a}, nullptr); }
  Term where(Term condition, Term value) override {
    return function("where", {condition, value}, nullptr);
  }
  Term max(Term a, Term b) override { return function("max", {a, b}, nullptr); }
  Term function(llvm::StringRef, ArrayRef<Term> operands,
                llvm::function_ref<Term()>) override {
    Form argument = forms[operands[0]];
    for (Term operand : operands.drop_front())
      argument = addForms(argument, forms[operand]);
    return make(makeFunction(argument, forms.size(), operands.size()));
  }
  Term max(int64_t count, llvm::function_ref<Term(Index)> term) override {
    auto [body, variable] = getBody(term);
    Form argument = bind(forms[body], variable, count, /*sum=*/false);
    return make(makeFunction(argument, forms.size(), count));
  }
  Term sum(int64_t count, llvm::function_ref<Term(Index)> term) override {
    auto [body, variable] = getBody(term);
    return make(bind(forms[body], variable, count, /*sum=*/true));
  }
  /// The form of a sum is good for either of its terms.
  Term select(Index index, int64_t, llvm::function_ref<Term()> then,
              llvm::function_ref<Term()> otherwise) override {
    Form form = forms[add(then(), otherwise())];
    form.variables = unite(form.variables, indexVariables[index]);
    return make(std::move(form));
  }

private:
  using Reader = llvm::function_ref<Term(unsigned, ArrayRef<Index>)>;
  using IndexKey = std::tuple<unsigned, Index, Index, int64_t>;
  /// One thread block (its position in the grid), in one iteration or after the
  /// loop, of a kernel.
  struct Scope {
    unsigned node;
    llvm::SmallVector<Index, 3> block;
    std::optional<Index> iteration;
    bool operator<(const Scope &o) const {
      return std::tie(node, block, iteration) <
             std::tie(o.node, o.block, o.iteration);
    }
  };

  Index intern(IndexKey key, Variables variables) {
    auto [entry, isNew] = indices.try_emplace(key, indexVariables.size());
    if (isNew)
      indexVariables.push_back(std::move(variables));
    return entry->second;
  }
  Index makeVariable() {
    uint32_t variable = ++numVariables;
    return intern({5, variable, 0, 0}, {variable});
  }
  Term make(Form form) {
    forms.push_back(std::move(form));
    return forms.size() - 1;
  }
  std::pair<Term, uint32_t> getBody(llvm::function_ref<Term(Index)> term) {
    Index index = makeVariable();
    uint32_t variable = numVariables;
    return {term(index), variable};
  }
  Form bind(const Form &body, uint32_t variable, double count, bool sum);
  Term getElement(const Operator &op, ArrayRef<Shape> shapes,
                  ArrayRef<Index> index, const Params &params, Reader read);
  Term readTensor(unsigned tensor, ArrayRef<Index> index);
  Term computeTensor(unsigned tensor, ArrayRef<Index> index);
  Term readTile(const Scope &scope, unsigned node, ArrayRef<Index> index);
  Term computeTile(const Scope &scope, unsigned node, ArrayRef<Index> index);

  /// More forms than that, and the analysis gives up.
  static constexpr size_t kMostForms = 200000;
  bool isTooLarge() const { return forms.size() > kMostForms; }

  const KernelGraph &graph;
  llvm::DenseMap<unsigned, unsigned> producers;
  const Reader *reader = nullptr;
  // A deque: forms are read while others are added.
  std::deque<Form> forms;
  std::map<IndexKey, Index> indices;
  std::vector<Variables> indexVariables;
  uint32_t numVariables = 0;
  std::map<std::pair<unsigned, std::vector<Index>>, Term> tensors;
  std::map<std::tuple<Scope, unsigned, std::vector<Index>>, Term> tiles;
};

/// The sum, or the list, of the forms for all values of a variable.
Form FormAlgebra::bind(const Form &body, uint32_t variable, double count,
                       bool sum) {
  auto depends = [&](const Variables &variables) {
    return llvm::is_contained(variables, variable);
  };
  auto without = [&](const Variables &variables) {
    Variables result;
    llvm::copy_if(variables, std::back_inserter(result),
                  [&](uint32_t v) { return v != variable; });
    return result;
  };
  Form result = body;
  if (sum) {
    result.numerator.height += std::log2(count);
    if (body.exponentials && depends(body.variables))
      result.numerator.logTerms += std::log2(count);
    for (Divisor &divisor : result.divisors) {
      if (!depends(divisor.variables))
        continue;
      // The product of all of them becomes the common denominator.
      result.numerator = result.numerator +
                         divisor.size * (divisor.multiplicity * (count - 1));
      divisor = {
          {static_cast<uint32_t>(forms.size()), without(divisor.variables)},
          divisor.size * count,
          divisor.multiplicity};
      make({}); // its number
    }
  }
  auto bindAtoms = [&](std::vector<Atom> &atoms) {
    for (Atom &atom : atoms)
      if (depends(atom.variables)) {
        atom = {{static_cast<uint32_t>(forms.size()), without(atom.variables)},
                atom.count * count};
        make({});
      }
  };
  bindAtoms(result.roots);
  bindAtoms(result.functions);
  result.variables = without(body.variables);
  return result;
}

FormAlgebra::Term FormAlgebra::getElement(const Operator &op,
                                          ArrayRef<Shape> shapes,
                                          ArrayRef<Index> index,
                                          const Params &params, Reader read) {
  const Reader *outer = std::exchange(reader, &read);
  Term result = op.getElement(*this, shapes, index, params);
  reader = outer;
  return result;
}

FormAlgebra::Term FormAlgebra::readTensor(unsigned tensor,
                                          ArrayRef<Index> index) {
  std::vector<Index> key(index);
  for (auto [i, size] : llvm::zip_equal(key, graph.tensors[tensor].shape))
    if (size == 1)
      i = indexConstant(0);
  auto known = tensors.find({tensor, key});
  if (known != tensors.end())
    return known->second;
  Term result = isTooLarge() ? 0 : computeTensor(tensor, key);
  tensors[{tensor, std::move(key)}] = result;
  return result;
}

FormAlgebra::Term FormAlgebra::computeTensor(unsigned tensor,
                                             ArrayRef<Index> index) {
  if (tensor < graph.numInputs) {
    Form form;
    form.numerator.degree = 1;
    for (Index i : index)
      form.variables = unite(form.variables, indexVariables[i]);
    return make(std::move(form));
  }
  unsigned number = producers.lookup(tensor);
  const KernelNode &node = graph.nodes[number];
  if (node.kind == KernelNode::Kind::Constant)
    return constant(node.constant);
  if (node.kind == KernelNode::Kind::Operator) {
    llvm::SmallVector<Shape> shapes;
    for (unsigned operand : node.operands)
      shapes.push_back(graph.tensors[operand].shape);
    return getElement(*node.op, shapes, index, node.params,
                      [&](unsigned operand, ArrayRef<Index> position) {
                        return readTensor(node.operands[operand], position);
                      });
  }
  // The block that saves the element, and where in its tile.
  const BlockGraph &block = *node.graph;
  size_t saver = block.nodes.size() - node.results.size() +
                 (llvm::find(node.results, tensor) - node.results.begin());
  const BlockNode &output = block.nodes[saver];
  const Shape &tile = block.nodes[output.operands[0]].shape;
  Scope scope{number, {}, std::nullopt};
  llvm::SmallVector<Index> position(index);
  for (int64_t dim : output.map) {
    if (dim == kReplica) {
      scope.block.push_back(indexConstant(0));
      continue;
    }
    scope.block.push_back(indexDiv(index[dim], tile[dim]));
    position[dim] = indexMod(index[dim], tile[dim]);
  }
  return readTile(scope, output.operands[0], position);
}

FormAlgebra::Term FormAlgebra::readTile(const Scope &scope, unsigned node,
                                        ArrayRef<Index> index) {
  const BlockNode &blockNode = graph.nodes[scope.node].graph->nodes[node];
  std::vector<Index> key(index);
  for (auto [i, size] : llvm::zip_equal(key, blockNode.shape))
    if (size == 1)
      i = indexConstant(0);
  Scope own = scope;
  if (!blockNode.inLoop)
    own.iteration.reset();
  auto known = tiles.find({own, node, key});
  if (known != tiles.end())
    return known->second;
  Term result = isTooLarge() ? 0 : computeTile(own, node, key);
  tiles[{own, node, std::move(key)}] = result;
  return result;
}

FormAlgebra::Term FormAlgebra::computeTile(const Scope &scope, unsigned number,
                                           ArrayRef<Index> index) {
  const KernelNode &kernel = graph.nodes[scope.node];
  const BlockGraph &block = *kernel.graph;
  const BlockNode &node = block.nodes[number];
  switch (node.kind) {
  case BlockNode::Kind::Constant:
    return constant(node.constant);
  case BlockNode::Kind::InputIterator: {
    llvm::SmallVector<Index> position(index);
    bool looped = node.inLoop && node.fmap != kReplica;
    auto shift = [&](int64_t dim, Index by, int64_t part) {
      position[dim] = indexAdd(position[dim], indexMul(by, part));
    };
    for (auto [by, dim] : llvm::zip_equal(scope.block, node.map))
      if (dim != kReplica)
        shift(dim, by,
              node.shape[dim] *
                  (looped && node.fmap == dim ? block.iterations : 1));
    if (looped)
      shift(node.fmap, *scope.iteration, node.shape[node.fmap]);
    return readTensor(kernel.operands[node.operands[0]], position);
  }
  case BlockNode::Kind::Operator: {
    llvm::SmallVector<Shape> shapes;
    for (unsigned operand : node.operands)
      shapes.push_back(block.nodes[operand].shape);
    return getElement(*node.op, shapes, index, node.params,
                      [&](unsigned operand, ArrayRef<Index> position) {
                        return readTile(scope, node.operands[operand],
                                        position);
                      });
  }
  case BlockNode::Kind::Accumulator:
    break;
  case BlockNode::Kind::OutputSaver:
    llvm_unreachable("a saver has no tile");
  }
  auto readAt = [&](unsigned operand, Index iteration,
                    ArrayRef<Index> position) {
    return readTile({scope.node, scope.block, iteration},
                    node.operands[operand], position);
  };
  switch (node.accumulation) {
  case Accumulation::Sum:
    return sum(block.iterations, [&](Index i) { return readAt(0, i, index); });
  case Accumulation::Max:
    return max(block.iterations, [&](Index i) { return readAt(0, i, index); });
  case Accumulation::Concat: {
    int64_t dim = node.params[0],
            part = block.nodes[node.operands[0]].shape[dim];
    llvm::SmallVector<Index> position(index);
    position[dim] = indexMod(index[dim], part);
    return readAt(0, indexDiv(index[dim], part), position);
  }
  case Accumulation::RescaledSum: {
    // The maxima broadcast to the tiles.
    ArrayRef<int64_t> shape = block.nodes[node.operands[1]].shape;
    ArrayRef<Index> position = index.take_back(shape.size());
    // Each partial maximum is a function's value.
    Term largest =
        max(block.iterations, [&](Index i) { return readAt(1, i, position); });
    forms[largest].functions.back().count *= block.iterations;
    return sum(block.iterations, [&](Index i) {
      return mul(readAt(0, i, index),
                 exp(sub(readAt(1, i, position), largest)));
    });
  }
  }
  llvm_unreachable("covered switch");
}

std::optional<std::vector<ElementForm>> FormAlgebra::run() {
  make({});
  std::vector<ElementForm> result;
  for (unsigned output : graph.outputs) {
    llvm::SmallVector<Index> index;
    for (size_t d = 0; d < graph.tensors[output].shape.size(); ++d)
      index.push_back(makeVariable());
    const Form &form = forms[readTensor(output, index)];
    if (isTooLarge())
      return std::nullopt;
    Size denominator = form.getDenominator();
    ElementForm &element = result.emplace_back();
    element.numeratorDegree = form.numerator.degree;
    element.denominatorDegree = denominator.degree;
    element.numeratorHeight = form.numerator.height;
    element.denominatorHeight = denominator.height + form.shift;
    element.logNumeratorTerms = form.numerator.logTerms;
    element.logDenominatorTerms = denominator.logTerms;
    element.exponentials = form.exponentials;
    element.exponentDegree =
        std::max(form.numerator.exponentDegree, denominator.exponentDegree);
    element.exponentHeight =
        std::max(form.numerator.exponentHeight, denominator.exponentHeight);
    for (const Atom &root : form.roots)
      element.roots += root.count;
    for (const Atom &function : form.functions)
      element.arguments += function.count;
    element.argumentDegree = form.argumentDegree;
    element.argumentHeight = form.argumentHeight;
  }
  return result;
}

} // namespace

std::optional<std::vector<ElementForm>>
mirage::getOutputForms(const KernelGraph &graph) {
  const auto even = withEvenCuts(graph);
  return even ? FormAlgebra(*even).run() : std::nullopt;
}
