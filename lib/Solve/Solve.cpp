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
#include "Mirage/Prove/ElementPairs.h"
#include "llvm/ADT/DenseSet.h"

using namespace mirage;
using namespace mirage::prove;
using namespace mirage::solve;

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
  const auto evenReference = withEvenCuts(reference),
             evenCandidate = withEvenCuts(candidate);
  if (!evenReference || !evenCandidate)
    return giveUp(kDependsOnCuts.str());
  GraphTerms referenceTerms(context, *evenReference, decision.getMaker());
  GraphTerms candidateTerms(context, *evenCandidate, decision.getMaker());
  std::vector<ElementPair> pairs;
  if (!forEachElementPair(
          context, referenceTerms, candidateTerms,
          [&](ElementPair pair) { pairs.push_back(std::move(pair)); }))
    return giveUp("");

  for (const ElementPair &pair : pairs) {
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
      if (isGiven(context, obligation, keys, pair.vars))
        continue;
      if (!decision.prove(getCondition(obligation), hypotheses))
        return giveUp(
            "the candidate may not be defined where the reference is");
      assume(obligation);
    }
    if (pair.expected->id == pair.found->id)
      continue;
    // Zero where what occurs in it as a denominator isn't, which may be zero
    // where only a condition's other side needs it.
    PolyRef difference = clearDenominators(
        context, context.sub(pair.expected, pair.found),
        [&](const PolyRef &denominator) {
          const Obligation isNonZero{Obligation::Kind::NonZero, denominator};
          return keys.contains(context.getKey(isNonZero, pair.vars)) ||
                 decision.prove(getCondition(isNonZero), hypotheses);
        });
    if (!decision.isZero(difference, hypotheses) || context.hasFailed())
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
