//===- ElementPairs.cpp - The elements of two programs --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Prove/ElementPairs.h"
#include <tuple>

using namespace mirage;
using namespace mirage::prove;
using llvm::SmallVector;

namespace {

/// Reads the boxes of one output.
class BoxReader {
public:
  BoxReader(TermContext &context, GraphTerms &reference, GraphTerms &candidate,
            size_t output, llvm::function_ref<void(ElementPair)> visit)
      : context(context), reference(reference), candidate(candidate),
        output(output), visit(visit) {}

  /// Visits a box; where a condition cuts an index, one part after the other.
  void read(const Shape &low, const Shape &high, unsigned depth = 0) {
    if (context.hasFailed())
      return;
    ElementPair pair{output, {}, nullptr, nullptr, {}, {}};
    std::optional<Cut> cut = readWhole(low, high, pair);
    if (context.hasFailed())
      return;
    if (!cut)
      return visit(std::move(pair));
    constexpr unsigned kMaxCuts = 16;
    const auto *var = llvm::find(pair.vars, cut->var);
    if (var == pair.vars.end() || depth == kMaxCuts)
      return context.fail("too many conditions on indices");
    size_t dim = var - pair.vars.begin();
    Shape end = high, begin = low;
    end[dim] = begin[dim] = low[dim] + cut->at;
    read(low, end, depth + 1);
    read(begin, high, depth + 1);
  }

private:
  /// The pair, unless one of the programs has a condition that cuts the box.
  std::optional<Cut> readWhole(const Shape &low, const Shape &high,
                               ElementPair &pair) {
    SmallVector<Index> index;
    for (auto [from, to] : llvm::zip_equal(low, high)) {
      pair.vars.push_back(context.makeVar(to - from));
      index.push_back(
          *Index::add(Index::fromVar(pair.vars.back(), to - from), from));
    }
    std::tie(pair.expected, pair.given) = readOutput(reference, index);
    if (std::optional<Cut> cut = reference.takeCut())
      return cut;
    std::tie(pair.found, pair.needed) = readOutput(candidate, index);
    return candidate.takeCut();
  }

  std::pair<PolyRef, std::vector<Obligation>>
  readOutput(GraphTerms &terms, llvm::ArrayRef<Index> index) const {
    terms.forget();
    const Element element =
        terms.getElement(terms.getGraph().outputs[output], index);
    return {element.term, terms.getObligations(element)};
  }

  TermContext &context;
  GraphTerms &reference, &candidate;
  size_t output;
  llvm::function_ref<void(ElementPair)> visit;
};

} // namespace

bool prove::forEachElementPair(TermContext &context, GraphTerms &reference,
                               GraphTerms &candidate,
                               llvm::function_ref<void(ElementPair)> visit) {
  const KernelGraph &graph = reference.getGraph();
  for (auto [i, output] : llvm::enumerate(graph.outputs)) {
    const Shape &shape = graph.tensors[output].shape;
    BoxReader(context, reference, candidate, i, visit)
        .read(Shape(shape.size(), 0), shape);
  }
  return !context.hasFailed();
}

bool prove::isGiven(TermContext &context, Obligation obligation,
                    const llvm::DenseSet<int64_t> &keys,
                    llvm::ArrayRef<Var> vars) {
  while (!keys.contains(context.getKey(obligation, vars))) {
    auto guarded = context.splitGuard(obligation);
    if (!guarded)
      return false;
    obligation = guarded->second;
  }
  return true;
}

PolyRef
prove::clearDenominators(TermContext &context, PolyRef term,
                         llvm::function_ref<bool(const PolyRef &)> mayClear) {
  constexpr unsigned kMaxDenominators = 32;
  for (unsigned i = 0; i < kMaxDenominators && !context.hasFailed(); ++i) {
    PolyRef denominator = context.findDenominator(term);
    if (!denominator || !mayClear(denominator))
      break;
    term = context.mul(term, denominator);
  }
  return term;
}
