//===- Accumulators.cpp - Accumulators in the graph of values -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueGraph.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

void ValueGraph::applyAccumulators(unsigned value) {
  if (!uses(SearchRule::Maxima))
    return applyAllAccumulators(value);
  // What is relative to a maximum that iterations differ in, exp(x - m), can
  // only be summed when it is rescaled by it.
  auto isRelative = [&](unsigned to, unsigned maximum) {
    int known = values[to].relativeTo;
    if (known >= 0 && known != static_cast<int>(maximum))
      return false;
    // One that each element that the loop goes over has for itself, as it is
    // taken over another dimension, does not change on the way.
    bool isOwn = llvm::any_of(values[maximum].label, [&](int64_t label) {
      return isCutByLoop(label);
    });
    Expr minus = exprs.mul(exprs.constant(-1), values[maximum].expr);
    return known != Value::kNoMaximum && !isOwn &&
           exprs.isSubexpression(exprs.exp(minus), values[to].expr);
  };
  bool mustRescale = false;
  for (size_t m = 0; m < maxima.size(); ++m) {
    if (maxima[m] == value || !isRelative(value, maxima[m]))
      continue;
    if (values[value].relativeTo != Value::kMixedMaxima)
      tryAccumulator(Accumulation::RescaledSum, {value, maxima[m]});
    mustRescale |= values[maxima[m]].varies;
  }
  if (values[value].varies && !mustRescale)
    tryAccumulator(Accumulation::Sum, {value});
  if (values[value].varies)
    tryAccumulator(Accumulation::Max, {value});
  // What was there before the maximum was.
  if (values[value].isMaximum)
    for (unsigned other = 0; other < value; ++other)
      if (values[other].inLoop && !values[other].isMaximum &&
          values[other].relativeTo != Value::kMixedMaxima &&
          isRelative(other, value))
        tryAccumulator(Accumulation::RescaledSum, {other, value});
}

/// Whatever a maximum has to do with it.
void ValueGraph::applyAllAccumulators(unsigned value) {
  if (values[value].varies) {
    tryAccumulator(Accumulation::Sum, {value});
    tryAccumulator(Accumulation::Max, {value});
  }
  for (size_t m = 0; m < maxima.size(); ++m)
    if (maxima[m] != value)
      tryAccumulator(Accumulation::RescaledSum, {value, maxima[m]});
  if (values[value].isMaximum)
    for (unsigned other = 0; other < value; ++other)
      if (values[other].inLoop)
        tryAccumulator(Accumulation::RescaledSum, {other, value});
}

/// Whether the program takes an exponential relative to a maximum.
bool ValueGraph::hasSafeExponents() const {
  return llvm::any_of(context.worker.exponents,
                      [](auto &entry) { return entry.second; });
}

/// Whether an exponential of a value is as safe as the program's: it takes one
/// of this, and if it subtracts the maximum first, so does the value.
bool ValueGraph::isSafeExponent(unsigned value) const {
  const auto &exponents = context.worker.exponents;
  auto known = exponents.find(values[value].expr);
  return known != exponents.end() &&
         (!known->second || isRelativeToOwnMaximum(value, maxFreeOps + 1));
}

/// Whether a value is a difference x - m where m is a maximum of x, behind
/// `most` operators of one operand at most.
bool ValueGraph::isRelativeToOwnMaximum(unsigned value, unsigned most) const {
  if (values[value].iterator >= 0)
    return true;
  return most > 0 &&
         llvm::any_of(values[value].edges, [&](const ValueEdge &edge) {
           if (edge.operands.size() == 1)
             return isRelativeToOwnMaximum(edge.operands[0], most - 1);
           return edge.operands.size() == 2 &&
                  isMaximumOf(edge.operands[1], edge.operands[0], most, false);
         });
}

/// Whether one value is a maximum over elements among which are all of
/// another's, or may be, as a kernel before has computed it. `overLoop`: the
/// maximum is taken over all iterations.
bool ValueGraph::isMaximumOf(unsigned maximum, unsigned value, unsigned most,
                             bool overLoop) const {
  if (covers(maximum, value, most, overLoop) ||
      (values[maximum].isMaximum && values[maximum].iterator >= 0))
    return true;
  return most > 0 && values[maximum].isMaximum &&
         llvm::any_of(values[maximum].edges, [&](const ValueEdge &edge) {
           return edge.operands.size() == 1 &&
                  isMaximumOf(edge.operands[0], value, most - 1,
                              overLoop || !edge.op);
         });
}

/// Whether the elements of one value, of all iterations if `overLoop`, are the
/// same as another's and more: it comes of the same operators on larger tiles.
bool ValueGraph::covers(unsigned whole, unsigned part, unsigned most,
                        bool overLoop) const {
  const Value &a = values[whole], &b = values[part];
  if (whole == part)
    return true;
  if (a.expr != b.expr || a.expr.isNull())
    return false;
  if (a.iterator >= 0 && b.iterator >= 0) {
    const IteratorPlacement &large = placement.iterators[a.iterator];
    const IteratorPlacement &small = placement.iterators[b.iterator];
    return large.input == small.input &&
           llvm::all_of(llvm::zip(large.imap, small.imap),
                        [](auto dims) {
                          auto [of, in] = dims;
                          return of == kReplica || of == in;
                        }) &&
           (!a.varies || overLoop || (b.varies && large.fmap == small.fmap));
  }
  return most > 0 && llvm::any_of(a.edges, [&](const ValueEdge &edge) {
           return llvm::any_of(b.edges, [&](const ValueEdge &other) {
             return edge.op == other.op && edge.params == other.params &&
                    edge.accumulation == other.accumulation &&
                    edge.operands.size() == other.operands.size() &&
                    llvm::all_of(llvm::zip(edge.operands, other.operands),
                                 [&](auto pair) {
                                   auto [x, y] = pair;
                                   return covers(x, y, most - 1, overLoop);
                                 });
           });
         });
}

void ValueGraph::tryAccumulator(Accumulation accumulation,
                                ArrayRef<unsigned> operands) {
  const SearchOptions &options = context.worker.options;
  if (accumulation != Accumulation::Sum &&
      !(options.mayHave("reduce_max") &&
        (accumulation == Accumulation::Max || options.mayHave("exp"))))
    return;
  const Value &tile = values[operands[0]];
  Value result;
  result.label = tile.label;
  result.depth = tile.depth;
  const NumberSystem &field = *program.field;
  size_t parts = tile.parts.size();
  switch (accumulation) {
  case Accumulation::Max:
    result.expr = exprs.max(tile.expr);
    break;
  case Accumulation::RescaledSum: {
    const Value &maximum = values[operands[1]];
    Shape shape;
    if (!broadcastShapes(tile.label, maximum.label, shape) ||
        shape != tile.label)
      return;
    parts = std::max(parts, maximum.parts.size());
    if (parts == 1)
      return;
    result.depth = std::max(result.depth, maximum.depth);
    [[fallthrough]];
  }
  case Accumulation::Sum:
    result.expr = exprs.sum(placement.getLoopLabel(), tile.expr);
    break;
  case Accumulation::Concat:
    llvm_unreachable("no accumulator of the search concatenates");
  }
  if (!context.mayContribute(result.expr)) {
    ++statistics.prunedByOracle;
    return;
  }
  result.isMaximum = accumulation == Accumulation::Max;
  result.scalar = tile.scalar;
  // Where the loop goes over other parts than those of one sum nobody knows.
  result.indexed = tile.indexed;
  const bool isCut = llvm::any_of(
      tile.label, [&](int64_t label) { return isCutByLoop(label); });
  if (accumulation != Accumulation::Max && placement.loopRole != kNoRole &&
      !isCut) {
    std::optional<IndexedExpr> indexed =
        context.getAccumulated(tile.indexed, tile.label, placement.loopRole);
    if (!indexed) {
      ++statistics.prunedByIndices;
      return;
    }
    result.indexed = *indexed;
  }
  if (result.isMaximum && !tile.isMaximum) {
    // Sums of exponentials that are to be safe need it in the loop.
    result.isPartOfMaximum = isCut && !hasSafeExponents();
    if (!result.isPartOfMaximum)
      result.scalar = context.getMaximum(result.scalar);
  }
  if (!context.mayBeUseful(result)) {
    ++statistics.prunedByWhole;
    return;
  }
  Tensor total, running;
  for (size_t k = 0; k < parts; ++k) {
    const Tensor &part = tile.getPart(k);
    if (accumulation == Accumulation::RescaledSum) {
      const Tensor &maximum = values[operands[1]].getPart(k);
      if (k == 0) {
        total = part;
        running = maximum;
        continue;
      }
      Tensor larger = field.max(running, maximum);
      auto rescale = [&](const Tensor &tensor, const Tensor &from) {
        return field.mul(tensor, broadcast(field.exp(field.sub(from, larger)),
                                           tensor.shape));
      };
      total = field.add(rescale(total, running), rescale(part, maximum));
      running = std::move(larger);
      continue;
    }
    total = k == 0                              ? part
            : accumulation == Accumulation::Max ? field.max(total, part)
                                                : field.add(total, part);
  }
  result.parts.push_back(std::move(total));
  ValueEdge edge;
  edge.accumulation = accumulation;
  edge.operands.assign(operands.begin(), operands.end());
  add(std::move(result), std::move(edge));
}
