//===- Prover.cpp - Symbolic proofs of equivalence ------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Prove/Prover.h"
#include "Mirage/Prove/ElementPairs.h"
#include "Mirage/Prove/SymbolicSizes.h"
#include "Piecewise.h"
#include "WholeProof.h"
#include "llvm/ADT/DenseSet.h"
#include <tuple>

using namespace mirage;
using namespace mirage::prove;
using llvm::ArrayRef;

namespace {

/// Compares all elements of all outputs.
class Proof {
public:
  Proof(const KernelGraph &reference, const KernelGraph &candidate,
        ArrayRef<int64_t> symbols, int64_t mostWork)
      : context(symbols, mostWork), reference(context, reference),
        candidate(context, candidate) {}

  /// Compares all elements of all outputs, as far as possible.
  void run() {
    if (!forEachElementPair(context, reference, candidate,
                            [&](ElementPair pair) { compare(pair); }))
      giveUp(context.getFailure().str());
  }

  int64_t getWork() const { return context.getWork(); }

  /// Nothing where it holds that the candidate's elements are defined wherever
  /// the reference's are, and that they are then equal; else why not.
  std::optional<std::string> undefined, different;
  /// Whether the reference's are, as far as they were compared.
  bool isTotal = true;

private:
  /// A failure leaves both questions open.
  void giveUp(std::string reason) {
    if (!undefined)
      undefined = reason;
    if (!different)
      different = std::move(reason);
  }

  void compare(const ElementPair &pair) {
    // Element by element: that another element of the reference is defined says
    // nothing about this one.
    isTotal &= pair.given.empty();
    llvm::DenseSet<int64_t> keys;
    for (const Obligation &obligation : pair.given)
      keys.insert(context.getKey(obligation, pair.vars));
    for (const Obligation &obligation : pair.needed)
      if (!undefined && !follows(obligation, keys, pair.vars))
        undefined = "the candidate needs " + describe(obligation) +
                    ", and the reference does not";
    if (!different && !areEqual(pair.expected, pair.found))
      different = "the normal forms of output " + std::to_string(pair.output) +
                  " differ: " + print(pair.expected) + " and " +
                  print(pair.found);
  }

  /// Whether an obligation is given by those with some keys, or says of sums
  /// of products that they aren't negative when these say so of the factors.
  bool follows(Obligation obligation, const llvm::DenseSet<int64_t> &keys,
               ArrayRef<Var> vars) {
    if (isGiven(context, obligation, keys, vars))
      return true;
    if (obligation.kind != Obligation::Kind::NonNegative)
      return false;
    llvm::SmallVector<PolyRef> conditions;
    while (auto guarded = context.splitGuard(obligation))
      std::tie(conditions.emplace_back(), obligation) = *guarded;
    const Rational one(1, 1);
    auto isNonNegative = [&](const Factor &factor) {
      if (context.isNonNegative(*context.product(one, factor)))
        return true;
      Obligation part{obligation.kind,
                      context.product(one, {{factor.base, one}})};
      for (const PolyRef &condition : llvm::reverse(conditions))
        part = context.guard(part, condition);
      return isGiven(context, part, keys, vars);
    };
    return llvm::all_of(obligation.term->monomials, [&](const Monomial &m) {
      return m.coefficient.num > 0 &&
             llvm::all_of(context.openScope(m).factors, isNonNegative);
    });
  }

  std::string describe(const Obligation &obligation) {
    if (auto guarded = context.splitGuard(obligation))
      return describe(guarded->second) + " where " + print(guarded->first) +
             " is positive";
    return print(obligation.term) +
           (obligation.kind == Obligation::Kind::NonZero
                ? " not to be zero"
                : " not to be negative");
  }

  std::string print(const PolyRef &term) const {
    constexpr size_t kMaxLength = 300;
    return context.print(term, kMaxLength);
  }

  /// Whether the difference is zero, also after it has been multiplied by what
  /// occurs as a denominator in it: which isn't zero where both are defined.
  bool areEqual(const PolyRef &a, const PolyRef &b) {
    if (a->id == b->id)
      return true;
    PolyRef difference = clearDenominators(context, context.sub(a, b));
    return !context.hasFailed() && difference->isZero();
  }

  TermContext context;
  GraphTerms reference, candidate;
};

} // namespace

WholeProof mirage::proveWhole(const KernelGraph &reference,
                              const KernelGraph &candidate,
                              ArrayRef<int64_t> symbols, int64_t mostWork) {
  Proof proof(reference, candidate, symbols, mostWork);
  proof.run();
  WholeProof whole;
  whole.work = proof.getWork();
  whole.result.defined = !proof.undefined;
  whole.result.proved = !proof.different && !proof.undefined;
  whole.result.undefinedReason = proof.undefined.value_or("");
  whole.result.reason = proof.different.value_or(whole.result.undefinedReason);
  whole.result.isTotal = whole.result.proved && proof.isTotal;
  return whole;
}

/// As a whole, or tensor by tensor: first of all where the whole takes long.
static ProofResult prove(const KernelGraph &reference,
                         const KernelGraph &candidate,
                         ArrayRef<int64_t> symbols, ProofEffort effort) {
  // A whole layer of a transformer takes more than kSome.
  constexpr int64_t kMost = prove::TermContext::kMostWork, kSome = kMost / 10,
                    kLittle = kMost / 25;
  ProofResult inPieces;
  inPieces.proved = inPieces.defined = true;
  WholeProof whole = proveWhole(reference, candidate, symbols, kSome);
  if (whole.work > kSome) {
    if (provePiecewise(reference, candidate, symbols, kLittle, kMost / 4))
      return inPieces;
    if (effort == ProofEffort::Little)
      return std::move(whole.result);
    whole = proveWhole(reference, candidate, symbols, kMost);
  }
  const bool isFull = effort == ProofEffort::Full;
  if (!whole.result.proved &&
      provePiecewise(reference, candidate, symbols, isFull ? kMost : kLittle,
                     isFull ? 10 * kMost : kMost / 4))
    return inPieces;
  return std::move(whole.result);
}

/// Both programs with grids that divide what they cut; none, and the reason in
/// the result, if that isn't possible.
static std::optional<std::pair<KernelGraph, KernelGraph>>
makeEven(const KernelGraph &reference, const KernelGraph &candidate,
         ProofResult &result) {
  auto evenReference = withEvenCuts(reference);
  auto evenCandidate = withEvenCuts(candidate);
  if (!evenReference || !evenCandidate) {
    result.reason = result.undefinedReason = kDependsOnCuts;
    return std::nullopt;
  }
  return std::pair(std::move(*evenReference), std::move(*evenCandidate));
}

ProofResult mirage::proveForTheseSizes(const KernelGraph &reference,
                                       const KernelGraph &candidate,
                                       ProofEffort effort) {
  ProofResult failure;
  auto even = makeEven(reference, candidate, failure);
  return even ? ::prove(even->first, even->second, {}, effort) : failure;
}

ProofResult mirage::proveEquivalence(const KernelGraph &reference,
                                     const KernelGraph &candidate,
                                     ProofEffort effort) {
  ProofResult failure;
  auto even = makeEven(reference, candidate, failure);
  if (!even)
    return failure;
  // Sizes that stand for all stand for these, too.
  std::string whyNotAll;
  if (auto general = makeSymbolic(even->first, even->second, whyNotAll)) {
    ProofResult result = ::prove(general->reference, general->candidate,
                                 general->factors, effort);
    if (result.proved) {
      result.sizes = ProvedSizes::All;
      return result;
    }
    whyNotAll = std::move(result.reason);
  }
  ProofResult result = ::prove(even->first, even->second, {}, effort);
  if (result.proved)
    result.reason = std::move(whyNotAll);
  return result;
}
