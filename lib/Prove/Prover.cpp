//===- Prover.cpp - Symbolic proofs of equivalence ------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Prove/Prover.h"
#include "Mirage/Prove/GraphTerms.h"
#include "Mirage/Prove/SymbolicSizes.h"
#include "llvm/ADT/DenseSet.h"

using namespace mirage;
using namespace mirage::prove;
using llvm::SmallVector;

namespace {

/// Compares all elements of all outputs.
class Proof {
public:
  Proof(const KernelGraph &reference, const KernelGraph &candidate,
        llvm::ArrayRef<int64_t> symbols)
      : context(symbols), reference(reference), candidate(candidate),
        referenceTerms(context, reference), candidateTerms(context, candidate) {
  }

  /// Nothing on success, else why not.
  std::optional<std::string> run() {
    for (size_t i = 0; i < reference.outputs.size(); ++i) {
      const Shape &shape = reference.tensors[reference.outputs[i]].shape;
      if (auto error = compare(i, Shape(shape.size(), 0), shape, 0))
        return error;
    }
    for (const Obligation &obligation : candidateObligations)
      if (!referenceKeys.contains(context.getKey(obligation)))
        return "the candidate needs " + context.print(obligation.term) +
               (obligation.kind == Obligation::Kind::NonZero
                    ? " not to be zero"
                    : " not to be negative") +
               ", and the reference does not";
    return getFailure();
  }

private:
  std::optional<std::string> getFailure() {
    if (context.hasFailed())
      return context.getFailure().str();
    return std::nullopt;
  }

  /// Compares the elements of a box of an output; where a condition cuts an
  /// index, one part after the other.
  std::optional<std::string> compare(size_t output, Shape low, Shape high,
                                     unsigned depth) {
    SmallVector<Index> index;
    SmallVector<Var> vars;
    for (auto [from, to] : llvm::zip_equal(low, high)) {
      vars.push_back(context.makeVar(to - from));
      index.push_back(
          *Index::add(Index::fromVar(vars.back(), to - from), from));
    }
    PolyRef expected =
        referenceTerms.getElement(reference.outputs[output], index);
    std::optional<Cut> cut = referenceTerms.takeCut();
    for (const Obligation &obligation : context.takeObligations())
      referenceKeys.insert(context.getKey(obligation));
    PolyRef found;
    if (!cut) {
      found = candidateTerms.getElement(candidate.outputs[output], index);
      cut = candidateTerms.takeCut();
      llvm::append_range(candidateObligations, context.takeObligations());
    }
    if (auto error = getFailure())
      return error;
    if (cut) {
      constexpr unsigned kMaxCuts = 16;
      const auto *var = llvm::find(vars, cut->var);
      if (var == vars.end() || depth == kMaxCuts)
        return "too many conditions on indices";
      size_t dim = var - vars.begin();
      Shape middle = high;
      middle[dim] = low[dim] + cut->at;
      if (auto error = compare(output, low, middle, depth + 1))
        return error;
      middle = low;
      middle[dim] += cut->at;
      return compare(output, middle, high, depth + 1);
    }
    if (!areEqual(expected, found))
      return getFailure().value_or(
          "the normal forms of output " + std::to_string(output) +
          " differ: " + abbreviate(context.print(expected)) + " and " +
          abbreviate(context.print(found)));
    return std::nullopt;
  }

  static std::string abbreviate(std::string text) {
    constexpr size_t kMaxLength = 300;
    if (text.size() > kMaxLength)
      text = text.substr(0, kMaxLength) + "...";
    return text;
  }

  /// Whether the difference is zero, also after it has been multiplied by what
  /// occurs as a denominator in it: which isn't zero where both are defined.
  bool areEqual(const PolyRef &a, const PolyRef &b) {
    if (a->id == b->id)
      return true;
    PolyRef difference = context.sub(a, b);
    constexpr unsigned kMaxDenominators = 32;
    for (unsigned i = 0; i < kMaxDenominators && !context.hasFailed(); ++i) {
      if (difference->isZero())
        return true;
      PolyRef denominator = context.findDenominator(difference);
      if (!denominator)
        return false;
      difference = context.mul(difference, denominator);
    }
    return false;
  }

  TermContext context;
  const KernelGraph &reference, &candidate;
  GraphTerms referenceTerms, candidateTerms;
  llvm::DenseSet<int64_t> referenceKeys;
  std::vector<Obligation> candidateObligations;
};

} // namespace

ProofResult mirage::proveEquivalence(const KernelGraph &reference,
                                     const KernelGraph &candidate) {
  ProofResult result;
  if (auto error = Proof(reference, candidate, {}).run()) {
    result.reason = std::move(*error);
    return result;
  }
  result.proved = true;
  // Once more, with sizes that stand for all.
  auto general = makeSymbolic(reference, candidate, result.reason);
  if (!general)
    return result;
  if (auto error =
          Proof(general->reference, general->candidate, general->factors).run())
    result.reason = std::move(*error);
  else
    result.sizes = ProvedSizes::All;
  return result;
}
