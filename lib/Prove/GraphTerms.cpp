//===- GraphTerms.cpp - The elements of a program as normal forms ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Prove/GraphTerms.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include <functional>

using namespace mirage;
using namespace mirage::prove;
using llvm::ArrayRef;
using llvm::SmallVector;

static constexpr llvm::StringLiteral kTooLarge =
    "an index needs more than 64 bits";

static llvm::FoldingSetNodeID getKey(int64_t name,
                                     ArrayRef<prove::Index> index) {
  llvm::FoldingSetNodeID key;
  key.AddInteger(name);
  for (const prove::Index &i : index)
    i.profile(key);
  return key;
}

namespace mirage::prove {

using Needs = llvm::SparseBitVector<>;

/// Index notation as terms.
class TermAlgebra final : public ElementAlgebra {
public:
  using Reader =
      std::function<Element(unsigned operand, ArrayRef<prove::Index>)>;

  TermAlgebra(GraphTerms &terms, Reader readOperand)
      : terms(terms), context(terms.context),
        readOperand(std::move(readOperand)) {}

  uint32_t make(const prove::Index &index) {
    indices.push_back(index);
    return indices.size() - 1;
  }
  Element get(Term term) const { return elements[term]; }

  Index indexConstant(int64_t value) override { return make(value); }
  Index indexAdd(Index a, Index b) override {
    return makeOr(prove::Index::add(indices[a], indices[b]));
  }
  Index indexMul(Index a, int64_t factor) override {
    return makeOr(prove::Index::mul(indices[a], factor));
  }
  Index indexDiv(Index a, int64_t divisor) override {
    auto division = divide(indices[a], divisor);
    return make(division ? division->quotient : prove::Index());
  }
  Index indexMod(Index a, int64_t divisor) override {
    auto division = divide(indices[a], divisor);
    return make(division ? division->remainder : prove::Index());
  }

  Term read(unsigned operand, ArrayRef<Index> index) override {
    SmallVector<prove::Index> position;
    for (Index i : index)
      position.push_back(indices[i]);
    return keep(readOperand(operand, position));
  }

  Term sum(int64_t count, llvm::function_ref<Term(Index)> term) override {
    Element total{context.zero(), {}};
    forEachInterval(count, [&](Var var, const prove::Index &index) {
      Element part = get(term(make(index)));
      if (terms.cut)
        return;
      total.term = context.add(total.term, context.sumOver(var, part.term));
      total.needs |= part.needs;
    });
    return keep(std::move(total));
  }
  Term max(int64_t count, llvm::function_ref<Term(Index)> term) override {
    Element largest;
    forEachInterval(count, [&](Var var, const prove::Index &index) {
      Element part = get(term(make(index)));
      if (terms.cut)
        return;
      part.term = context.maxOver(var, part.term);
      largest.term =
          largest.term ? context.max(largest.term, part.term) : part.term;
      largest.needs |= part.needs;
    });
    return largest.term ? keep(std::move(largest)) : keepNothing();
  }

  Term select(Index handle, int64_t bound, llvm::function_ref<Term()> then,
              llvm::function_ref<Term()> otherwise) override {
    const prove::Index index = indices[handle];
    if (terms.isStopped())
      return keepNothing();
    const std::optional<int64_t> min = index.getMin(), max = index.getMax();
    if (!min || !max) {
      context.fail(kTooLarge);
      return keepNothing();
    }
    // With symbolic sizes a comparison counts only if it is an equation.
    bool symbolic = context.hasSymbolicSizes();
    if (symbolic ? *max == bound - 1 : *max < bound)
      return then();
    if (symbolic ? *min == bound : *min >= bound)
      return otherwise();
    if (index.getDigits().size() == 1) {
      const Digit &digit = index.getDigits()[0];
      int64_t at = bound - index.getConstant();
      bool isWhole = digit.coefficient == 1 && digit.div == 1 &&
                     digit.extent == context.getExtent(digit.var);
      auto isPositive = [&](int64_t size) {
        return context.isSymbolic(size) ||
               (context.isConcrete(digit.extent) && size > 0);
      };
      if (isWhole && isPositive(at) && isPositive(digit.extent - at)) {
        terms.cut = Cut{digit.var, at};
        return keepNothing();
      }
    }
    // 1 below and 0 above: a condition that no even cut can express.
    PolyRef below = context.indicator(index, bound);
    PolyRef above = context.sub(context.constant(Rational(1, 1)), below);
    Element left = get(then()), right = get(otherwise());
    if (terms.isStopped())
      return keepNothing();
    Needs needs = terms.guard(left.needs, below);
    needs |= terms.guard(right.needs, above);
    return keep({context.add(context.mul(below, left.term),
                             context.mul(above, right.term)),
                 std::move(needs)});
  }

  Term constant(double value) override {
    return keep({context.constant(value), {}});
  }
  Term add(Term a, Term b) override {
    return apply({a, b}, [&](auto x) { return context.add(x[0], x[1]); });
  }
  Term sub(Term a, Term b) override {
    return apply({a, b}, [&](auto x) { return context.sub(x[0], x[1]); });
  }
  Term mul(Term a, Term b) override {
    return apply({a, b}, [&](auto x) { return context.mul(x[0], x[1]); });
  }
  Term div(Term a, Term b) override {
    return apply({a, b}, [&](auto x) {
      return context.mul(x[0], context.inverse(x[1]));
    });
  }
  Term max(Term a, Term b) override {
    return apply({a, b}, [&](auto x) { return context.max(x[0], x[1]); });
  }
  Term exp(Term a) override {
    return apply({a}, [&](auto x) { return context.exp(x[0]); });
  }
  Term sqrt(Term a) override {
    return apply({a}, [&](auto x) { return context.sqrt(x[0]); });
  }
  Term log(Term a) override {
    return apply({a}, [&](auto x) { return context.log(x[0]); });
  }
  Term erf(Term a) override {
    return apply({a}, [&](auto x) { return context.function("erf", x); });
  }
  Term where(Term condition, Term value) override {
    if (terms.isStopped())
      return keepNothing();
    Element c = get(condition), v = get(value);
    c.needs |= terms.guard(v.needs, c.term);
    return keep({context.function("where", {c.term, v.term}), c.needs});
  }
  /// Functions are what their definitions say, unless only the user knows.
  Term function(llvm::StringRef name, ArrayRef<Term> operands,
                llvm::function_ref<Term()> definition) override {
    if (!isFunctionName(name))
      return definition();
    return apply(operands, [&](auto x) { return terms.opaque(name, x); });
  }

private:
  Term keep(Element element) {
    elements.push_back(std::move(element));
    return elements.size() - 1;
  }
  /// After a cut or a failure, when terms mean nothing.
  Term keepNothing() { return keep({context.zero(), {}}); }
  /// Needs what the operands need, and what the computation adds.
  Term apply(ArrayRef<Term> operands,
             llvm::function_ref<PolyRef(ArrayRef<PolyRef>)> compute) {
    if (terms.isStopped())
      return keepNothing();
    SmallVector<PolyRef> args;
    Element result;
    for (Term operand : operands) {
      args.push_back(elements[operand].term);
      result.needs |= elements[operand].needs;
    }
    result.term = compute(args);
    terms.addObligations(result.needs);
    return keep(std::move(result));
  }
  Index makeOr(std::optional<prove::Index> index) {
    if (!index)
      context.fail(kTooLarge);
    return make(index.value_or(prove::Index()));
  }
  std::optional<prove::Index::Division> divide(const prove::Index &index,
                                               int64_t divisor) {
    auto division = prove::Index::divide(index, divisor);
    if (!division ||
        (context.hasSymbolicSizes() && !division->byDivisibility)) {
      context.fail("an index range is split unevenly");
      return std::nullopt;
    }
    return division;
  }

  /// Visits the indices 0 .. count - 1 as one variable, or as several where a
  /// condition cuts it.
  void
  forEachInterval(int64_t count,
                  llvm::function_ref<void(Var, const prove::Index &)> visit) {
    SmallVector<std::pair<int64_t, int64_t>> intervals{{0, count}};
    while (!intervals.empty() && !terms.cut && !context.hasFailed()) {
      auto [low, high] = intervals.pop_back_val();
      Var var = context.makeVar(high - low);
      visit(var,
            *prove::Index::add(prove::Index::fromVar(var, high - low), low));
      if (terms.cut && terms.cut->var == var) {
        int64_t at = low + terms.takeCut()->at;
        intervals.push_back({at, high});
        intervals.push_back({low, at});
      }
    }
  }

  GraphTerms &terms;
  TermContext &context;
  Reader readOperand;
  SmallVector<prove::Index> indices;
  SmallVector<Element> elements;
};

/// The elements of the tiles of one kernel.
class BlockTerms {
public:
  using Reader =
      llvm::function_ref<Element(unsigned input, ArrayRef<Index> index)>;

  BlockTerms(GraphTerms &terms, const BlockGraph &graph, Reader readInput)
      : terms(terms), context(terms.context), graph(graph),
        readInput(readInput) {}

  /// The element of what the saver writes.
  Element getOutput(const BlockNode &saver, ArrayRef<Index> index) {
    SmallVector<Index> local(index);
    block.assign(graph.grid.size(), Index());
    const Shape &tile = graph.nodes[saver.operands[0]].shape;
    for (auto [g, dim] : llvm::enumerate(saver.map)) {
      if (dim == kReplica)
        continue;
      Index::Division parts = divide(index[dim], tile[dim]);
      block[g] = parts.quotient;
      local[dim] = parts.remainder;
    }
    return getElement(saver.operands[0], local, Index());
  }

private:
  Element getElement(unsigned number, ArrayRef<Index> index,
                     const Index &iteration) {
    if (terms.isStopped())
      return {context.zero(), {}};
    const BlockNode &node = graph.nodes[number];
    if (node.kind == BlockNode::Kind::Constant)
      return {context.constant(node.constant), {}};
    llvm::FoldingSetNodeID key = getKey(number, index);
    iteration.profile(key);
    if (auto it = known.find(key); it != known.end())
      return it->second;
    Element element = computeElement(node, index, iteration);
    if (!terms.isStopped())
      known[key] = element;
    return element;
  }

  Element computeElement(const BlockNode &node, ArrayRef<Index> index,
                         const Index &iteration) {
    if (node.kind == BlockNode::Kind::InputIterator)
      return readInput(node.operands[0], getPosition(node, index, iteration));
    TermAlgebra algebra(terms, [&](unsigned i, ArrayRef<Index> position) {
      return getElement(node.operands[i], position, iteration);
    });
    if (node.kind == BlockNode::Kind::Accumulator)
      return accumulate(node, index);
    SmallVector<Shape> shapes;
    for (unsigned operand : node.operands)
      shapes.push_back(graph.nodes[operand].shape);
    SmallVector<ElementAlgebra::Index> handles;
    for (const Index &i : index)
      handles.push_back(algebra.make(i));
    return algebra.get(
        node.op->getElement(algebra, shapes, handles, node.params));
  }

  Element accumulate(const BlockNode &node, ArrayRef<Index> index) {
    // Operand 0 is the tile, operand 1 what it is rescaled by. The iteration is
    // put in front of the position.
    TermAlgebra algebra(terms, [&](unsigned i, ArrayRef<Index> position) {
      return getElement(node.operands[i], position.drop_front(), position[0]);
    });
    auto read = [&](unsigned operand, ElementAlgebra::Index iteration) {
      size_t rank = graph.nodes[node.operands[operand]].shape.size();
      SmallVector<ElementAlgebra::Index> position{iteration};
      for (auto [size, i] :
           llvm::zip_equal(graph.nodes[node.operands[operand]].shape,
                           index.take_back(rank)))
        position.push_back(algebra.make(size == 1 ? Index() : i));
      return algebra.read(operand, position);
    };
    int64_t count = graph.iterations;
    switch (node.accumulation) {
    case Accumulation::Sum:
      return algebra.get(
          algebra.sum(count, [&](auto i) { return read(0, i); }));
    case Accumulation::Max:
      return algebra.get(
          algebra.max(count, [&](auto i) { return read(0, i); }));
    case Accumulation::Concat: {
      int64_t dim = node.params[0];
      Index::Division parts =
          divide(index[dim], graph.nodes[node.operands[0]].shape[dim]);
      SmallVector<Index> local(index);
      local[dim] = parts.remainder;
      return getElement(node.operands[0], local, parts.quotient);
    }
    case Accumulation::RescaledSum: {
      auto largest = algebra.max(count, [&](auto i) { return read(1, i); });
      return algebra.get(algebra.sum(count, [&](auto i) {
        auto factor = algebra.exp(algebra.sub(read(1, i), largest));
        return algebra.mul(read(0, i), factor);
      }));
    }
    }
    llvm_unreachable("covered switch");
  }

  /// Where an element of a tile lies in its tensor: see the interpreter's
  /// getOffsets.
  SmallVector<Index> getPosition(const BlockNode &node, ArrayRef<Index> index,
                                 const Index &iteration) {
    SmallVector<Index> position(index);
    bool looped = node.inLoop && node.fmap != kReplica;
    auto advance = [&](int64_t dim, const Index &step, int64_t part) {
      std::optional<Index> offset = Index::mul(step, part);
      std::optional<Index> sum;
      if (offset)
        sum = Index::add(position[dim], *offset);
      if (sum)
        position[dim] = *sum;
      else
        context.fail(kTooLarge);
    };
    if (looped)
      advance(node.fmap, iteration, node.shape[node.fmap]);
    for (auto [g, dim] : llvm::enumerate(node.map)) {
      if (dim == kReplica)
        continue;
      int64_t part = node.shape[dim];
      if (looped && node.fmap == dim)
        part *= graph.iterations;
      advance(dim, block[g], part);
    }
    return position;
  }

  Index::Division divide(const Index &index, int64_t divisor) {
    auto division = Index::divide(index, divisor);
    if (division && (division->byDivisibility || !context.hasSymbolicSizes()))
      return *division;
    context.fail("an index range is split unevenly");
    return {};
  }

  GraphTerms &terms;
  TermContext &context;
  const BlockGraph &graph;
  Reader readInput;
  SmallVector<Index> block;
  std::map<llvm::FoldingSetNodeID, Element> known;
};

} // namespace mirage::prove

GraphTerms::GraphTerms(TermContext &context, const KernelGraph &graph,
                       FunctionMaker maker)
    : context(context), graph(graph), opaque(std::move(maker)) {
  if (!opaque)
    opaque = [&context](llvm::StringRef name, ArrayRef<PolyRef> args) {
      return context.function(name, args);
    };
  for (const KernelNode &node : graph.nodes)
    for (auto [i, result] : llvm::enumerate(node.results))
      producers[result] = {&node, i};
}

Element GraphTerms::getElement(unsigned tensor, ArrayRef<Index> index) {
  if (isStopped())
    return {context.zero(), {}};
  if (tensor < graph.numInputs)
    return {context.read(tensor, index), {}};
  llvm::FoldingSetNodeID key = getKey(tensor, index);
  if (auto it = known.find(key); it != known.end())
    return it->second;
  Element element = computeElement(tensor, index);
  if (!isStopped())
    known[key] = element;
  return element;
}

std::vector<Obligation>
GraphTerms::getObligations(const Element &element) const {
  std::vector<Obligation> result;
  for (unsigned number : element.needs)
    result.push_back(obligations[number]);
  return result;
}

void GraphTerms::addObligations(Needs &needs) {
  for (Obligation &obligation : context.takeObligations()) {
    needs.set(obligations.size());
    obligations.push_back(std::move(obligation));
  }
}

Needs GraphTerms::guard(const Needs &needs, const PolyRef &condition) {
  Needs guarded;
  for (unsigned number : needs) {
    guarded.set(obligations.size());
    obligations.push_back(context.guard(obligations[number], condition));
  }
  return guarded;
}

Element GraphTerms::computeElement(unsigned tensor, ArrayRef<Index> index) {
  auto [node, result] = producers.lookup(tensor);
  auto read = [&, node = node](unsigned operand, ArrayRef<Index> position) {
    return getElement(node->operands[operand], position);
  };
  switch (node->kind) {
  case KernelNode::Kind::Constant:
    return {context.constant(node->constant), {}};
  case KernelNode::Kind::Operator: {
    TermAlgebra algebra(*this, read);
    SmallVector<Shape> shapes;
    for (unsigned operand : node->operands)
      shapes.push_back(graph.tensors[operand].shape);
    SmallVector<ElementAlgebra::Index> handles;
    for (const Index &i : index)
      handles.push_back(algebra.make(i));
    return algebra.get(
        node->op->getElement(algebra, shapes, handles, node->params));
  }
  case KernelNode::Kind::GraphDefined: {
    unsigned saver = 0;
    for (const BlockNode &blockNode : node->graph->nodes)
      if (blockNode.kind == BlockNode::Kind::OutputSaver && saver++ == result)
        return BlockTerms(*this, *node->graph, read)
            .getOutput(blockNode, index);
    llvm_unreachable("a kernel has a saver for each result");
  }
  }
  llvm_unreachable("covered switch");
}
