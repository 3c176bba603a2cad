//===- ProgramFeatures.cpp - What occurs in a program ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFeatures.h"

using namespace mirage;
using llvm::ArrayRef;

namespace {

/// Goes through the formula of an element and notes what it meets.
class FeatureAlgebra final : public ElementAlgebra {
public:
  ProgramFeatures features;

  Index indexConstant(int64_t) override { return 0; }
  Index indexAdd(Index, Index) override { return 0; }
  Index indexMul(Index, int64_t) override { return 0; }
  Index indexDiv(Index, int64_t) override { return 0; }
  Index indexMod(Index, int64_t) override { return 0; }
  Term read(unsigned, ArrayRef<Index>) override { return 0; }
  Term sum(int64_t, llvm::function_ref<Term(Index)> term) override {
    return term(0);
  }
  Term max(int64_t, llvm::function_ref<Term(Index)> term) override {
    features.functions = true;
    return term(0);
  }
  Term select(Index, int64_t, llvm::function_ref<Term()> then,
              llvm::function_ref<Term()> otherwise) override {
    then();
    return otherwise();
  }
  Term constant(double) override { return 0; }
  Term add(Term, Term) override { return 0; }
  Term sub(Term, Term) override { return 0; }
  Term mul(Term, Term) override { return 0; }
  Term div(Term, Term) override { return 0; }
  Term max(Term, Term) override { return function(); }
  Term exp(Term) override {
    features.exponentials = true;
    return 0;
  }
  Term sqrt(Term) override {
    features.roots = true;
    return 0;
  }
  Term log(Term) override { return function(); }
  Term erf(Term) override { return function(); }
  Term where(Term, Term) override { return function(); }
  Term function(llvm::StringRef, ArrayRef<Term>,
                llvm::function_ref<Term()>) override {
    return function();
  }

private:
  Term function() {
    features.functions = true;
    return 0;
  }
};

ProgramFeatures getFeatures(const Operator &op, ArrayRef<Shape> operands,
                            const Params &params) {
  Shape shape;
  op.inferShape(operands, params, shape);
  FeatureAlgebra algebra;
  llvm::SmallVector<ElementAlgebra::Index> index(shape.size(), 0);
  op.getElement(algebra, operands, index, params);
  return algebra.features;
}

ProgramFeatures getFeatures(const BlockGraph &graph) {
  ProgramFeatures features;
  for (const BlockNode &node : graph.nodes) {
    if (node.kind == BlockNode::Kind::Accumulator) {
      bool rescales = node.accumulation == Accumulation::RescaledSum;
      features.exponentials |= rescales;
      features.functions |= rescales || node.accumulation == Accumulation::Max;
    }
    if (node.kind != BlockNode::Kind::Operator)
      continue;
    llvm::SmallVector<Shape> operands;
    for (unsigned operand : node.operands)
      operands.push_back(graph.nodes[operand].shape);
    features = features | getFeatures(*node.op, operands, node.params);
  }
  return features;
}

} // namespace

ProgramFeatures mirage::operator|(ProgramFeatures a, ProgramFeatures b) {
  return {a.exponentials || b.exponentials, a.roots || b.roots,
          a.functions || b.functions};
}

ProgramFeatures mirage::getFeatures(const KernelGraph &graph,
                                    const KernelNode &node) {
  if (node.kind == KernelNode::Kind::Constant)
    return {};
  if (node.graph)
    return ::getFeatures(*node.graph);
  llvm::SmallVector<Shape> operands;
  for (unsigned operand : node.operands)
    operands.push_back(graph.tensors[operand].shape);
  return ::getFeatures(*node.op, operands, node.params);
}

ProgramFeatures mirage::getFeatures(const KernelGraph &graph) {
  ProgramFeatures features;
  for (const KernelNode &node : graph.nodes)
    features = features | getFeatures(graph, node);
  return features;
}
