//===- Solve.cpp - Proofs with a solver -----------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Solve/Solve.h"
#include "Decision.h"
#include "Mirage/Operators/Custom.h"
#include "llvm/ADT/DenseSet.h"

using namespace mirage;
using namespace mirage::prove;
using namespace mirage::solve;
using llvm::SmallVector;

namespace {

/// The elements of two programs, and the conditions under which they are
/// defined.
class Elements {
public:
  Elements(TermContext &context, const KernelGraph &reference,
           const KernelGraph &candidate, const FunctionMaker &maker)
      : context(context), reference(reference), candidate(candidate),
        referenceTerms(context, reference, maker),
        candidateTerms(context, candidate, maker) {}

  /// False, with the context failed, when there are no normal forms.
  bool run() {
    for (size_t i = 0; i < reference.outputs.size(); ++i) {
      const Shape &shape = reference.tensors[reference.outputs[i]].shape;
      if (!visit(i, Shape(shape.size(), 0), shape, 0))
        return false;
    }
    return true;
  }

  /// An element of both programs, and where it is defined in each.
  struct Pair {
    size_t output;
    llvm::SmallVector<Var> vars;
    PolyRef expected, found;
    std::vector<Obligation> given, needed;
  };
  std::vector<Pair> pairs;

private:
  /// Reads a box of an output; where a condition cuts an index, one part after
  /// the other.
  bool visit(size_t output, const Shape &low, const Shape &high,
             unsigned depth) {
    SmallVector<Index> index;
    SmallVector<Var> vars;
    for (auto [from, to] : llvm::zip_equal(low, high)) {
      vars.push_back(context.makeVar(to - from));
      index.push_back(
          *Index::add(Index::fromVar(vars.back(), to - from), from));
    }
    Pair pair{output, vars, nullptr, nullptr, {}, {}};
    referenceTerms.forget();
    pair.expected = referenceTerms.getElement(reference.outputs[output], index);
    std::optional<Cut> cut = referenceTerms.takeCut();
    pair.given = context.takeObligations();
    if (!cut) {
      candidateTerms.forget();
      pair.found = candidateTerms.getElement(candidate.outputs[output], index);
      cut = candidateTerms.takeCut();
      pair.needed = context.takeObligations();
    }
    if (context.hasFailed())
      return false;
    if (!cut) {
      pairs.push_back(std::move(pair));
      return true;
    }
    constexpr unsigned kMaxCuts = 16;
    const auto *var = llvm::find(vars, cut->var);
    if (var == vars.end() || depth == kMaxCuts) {
      context.fail("too many conditions on indices");
      return false;
    }
    size_t dim = var - vars.begin();
    Shape end = high, begin = low;
    end[dim] = begin[dim] = low[dim] + cut->at;
    return visit(output, low, end, depth + 1) &&
           visit(output, begin, high, depth + 1);
  }

  TermContext &context;
  const KernelGraph &reference, &candidate;
  GraphTerms referenceTerms, candidateTerms;
};

} // namespace

/// Whether a difference is zero where what occurs in it as a denominator isn't.
static bool isZero(TermContext &context, Decision &decision, PolyRef difference,
                   const std::vector<Ground> &hypotheses) {
  constexpr unsigned kMaxDenominators = 32;
  for (unsigned i = 0; i < kMaxDenominators && !context.hasFailed(); ++i) {
    PolyRef denominator = context.findDenominator(difference);
    if (difference->isZero() || !denominator)
      break;
    difference = context.mul(difference, denominator);
  }
  return decision.isZero(difference, hypotheses);
}

SolveResult mirage::solveEquivalence(const KernelGraph &reference,
                                     const KernelGraph &candidate,
                                     const Axioms *axioms,
                                     const SolveOptions &options) {
  SolveResult result;
  TermContext context;
  Deadline deadline(options.seconds);
  Decision decision(context,
                    axioms ? llvm::ArrayRef<Axiom>(axioms->axioms)
                           : llvm::ArrayRef<Axiom>(),
                    axioms ? llvm::ArrayRef<unsigned>(axioms->unconfirmed)
                           : llvm::ArrayRef<unsigned>(),
                    deadline);
  auto giveUp = [&](const std::string &reason) {
    result.reason = context.hasFailed()    ? context.getFailure().str()
                    : deadline.hasPassed() ? "the time limit came first"
                    : decision.hasContradiction()
                        ? "the axioms contradict each other"
                        : reason;
    return result;
  };
  if (axioms) {
    std::set<std::string> names;
    for (const KernelGraph *graph : {&reference, &candidate})
      for (const auto &[name, arity] : getOpaqueFunctions(*graph)) {
        auto it = axioms->functions.find(name);
        if (it != axioms->functions.end() && it->second == arity &&
            names.insert(name).second)
          decision.learnLinearity(name, arity, axioms->models);
      }
  }
  Elements elements(context, reference, candidate, decision.getMaker());
  if (!elements.run())
    return giveUp("");

  for (const Elements::Pair &pair : elements.pairs) {
    // Where this element of the reference is defined.
    std::vector<Ground> hypotheses;
    llvm::DenseSet<int64_t> keys;
    constexpr size_t kMaxHypotheses = 24;
    auto assume = [&](const Obligation &obligation) {
      if (keys.insert(context.getKey(obligation, pair.vars)).second &&
          hypotheses.size() < kMaxHypotheses)
        hypotheses.push_back(getCondition(obligation));
    };
    for (const Obligation &obligation : pair.given)
      assume(obligation);
    for (const Obligation &obligation : pair.needed) {
      if (keys.contains(context.getKey(obligation, pair.vars)))
        continue;
      if (!decision.prove(getCondition(obligation), hypotheses))
        return giveUp(
            "the candidate may not be defined where the reference is");
      assume(obligation);
    }
    if (pair.expected->id == pair.found->id)
      continue;
    if (!isZero(context, decision, context.sub(pair.expected, pair.found),
                hypotheses) ||
        context.hasFailed())
      return giveUp("Z3 finds no proof for output " +
                    std::to_string(pair.output));
  }
  if (context.hasFailed())
    return giveUp("");
  result.proved = true;
  result.usedAxioms.assign(decision.getUsed().begin(),
                           decision.getUsed().end());
  return result;
}

std::vector<std::pair<std::string, unsigned>>
mirage::getOpaqueFunctions(const KernelGraph &graph) {
  std::set<std::pair<std::string, unsigned>> functions;
  auto add = [&](const Operator *op, const Params &params, size_t operands) {
    if (op && op->isOpaque())
      functions.insert({getFunctionName(params[0]), operands});
  };
  for (const KernelNode &node : graph.nodes) {
    add(node.op, node.params, node.operands.size());
    if (node.graph)
      for (const BlockNode &blockNode : node.graph->nodes)
        add(blockNode.op, blockNode.params, blockNode.operands.size());
  }
  return {functions.begin(), functions.end()};
}
