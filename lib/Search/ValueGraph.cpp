//===- ValueGraph.cpp - All values that a block graph can compute ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueGraph.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Operators/DataMovement.h"
#include "SizeLimits.h"
#include "llvm/Support/xxhash.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

uint64_t mirage::hashWhole(const Value &value, const Roles &roles) {
  SmallVector<int64_t, 8> numbers = {
      static_cast<int64_t>(hashContent(value.scalar))};
  for (int64_t label : value.label)
    numbers.push_back(roles.getRole(label));
  // Of more than two dimensions in any order: a tile may be transposed whose
  // tensor is computed in one order only, as what it is reduced from is never
  // transposed (SearchRule::Orders).
  if (value.label.size() > 2)
    std::sort(numbers.begin() + 1, numbers.end());
  return hashNumbers(numbers);
}

ValueGraph::ValueGraph(ProblemContext &context, const Placement &placement,
                       SearchStatistics &statistics,
                       const std::atomic<bool> &stop)
    : context(context), exprs(context.worker.context),
      program(context.worker.program), placement(placement),
      statistics(statistics), stop(stop) {}

Tensor mirage::getProbedTile(const Tensor &tensor, ArrayRef<int64_t> tile,
                             ArrayRef<int64_t> map, int64_t fmap,
                             int64_t iteration) {
  SmallVector<int64_t> offsets(tile.size(), 0);
  for (int64_t dim : map)
    if (dim != kReplica)
      offsets[dim] =
          tensor.shape[dim] - tile[dim] * (fmap == dim ? kProbedIterations : 1);
  if (fmap != kReplica)
    offsets[fmap] += iteration * tile[fmap];
  return extractSlice(tensor, offsets, tile);
}

bool mirage::isTileOf(const Value &value, ArrayRef<int64_t> label,
                      const Tensor &tensor, const Placement &placement,
                      const Roles &roles) {
  const std::optional<IteratorPlacement> place =
      placement.findTile(roles, label, value.label);
  if (!place || value.varies != (place->fmap != kReplica))
    return false;
  for (auto [k, part] : llvm::enumerate(value.parts))
    if (hashContent(getProbedTile(tensor, part.shape, place->imap, place->fmap,
                                  k)) != hashContent(part))
      return false;
  return true;
}

void ValueGraph::addInputs() {
  for (double number : program.constants) {
    Value value;
    value.constant = number;
    value.expr = exprs.constant(number);
    value.indexed = context.getIndexed(number);
    value.parts.push_back(program.field->constant(number));
    value.scalar = broadcast(value.parts[0], {1, 1});
    value.kind = context.getKind(value.expr, value.scalar);
    constants.push_back(values.size());
    if (auto same = byExpr.find(value.expr); same != byExpr.end())
      same->second.push_back(values.size());
    values.push_back(std::move(value));
  }
  for (auto [i, place] : llvm::enumerate(placement.iterators)) {
    const SearchTensor &tensor = *context.problem.inputs[place.input];
    Value value;
    value.iterator = i;
    value.expr = context.worker.exprs.get(tensor);
    value.indexed = context.getIndexed(tensor);
    value.scalar = tensor.scalar;
    value.isMaximum = value.expr && exprs.max(value.expr) == value.expr;
    if (llvm::any_of(tensor.recipe, [](const RecipeStep &step) {
          return step.op && step.op->usesExponentiation(step.params);
        }))
      value.relativeTo = Value::kAnyMaximum;
    value.label = placement.getTileLabel(place, tensor);
    value.inLoop = value.varies = place.fmap != kReplica;
    Shape tile = program.roles.getProbeShape(value.label);
    for (int64_t k = 0; k < (value.varies ? kProbedIterations : 1); ++k)
      value.parts.push_back(
          getProbedTile(tensor.value, tile, place.imap, place.fmap, k));
    known.try_emplace(getKey(value), values.size());
    append(value);
    if (value.varies || !placement.hasLoop)
      continue;
    value.inLoop = true;
    known.try_emplace(getKey(value), values.size());
    append(std::move(value));
  }
}

void ValueGraph::append(Value value) {
  value.labelNumber =
      labelNumbers.try_emplace(value.label, labelNumbers.size() + 1)
          .first->second;
  value.kind = context.getKind(value.expr, value.scalar);
  byDepth[value.depth].push_back(values.size());
  byLevel[value.depth][value.inLoop].push_back(values.size());
  if (value.isMaximum && value.inLoop)
    maxima.push_back(values.size());
  if (auto same = byExpr.find(value.expr); same != byExpr.end())
    same->second.push_back(values.size());
  for (const Tensor &part : value.parts)
    for (const Plane &plane : part.planes)
      numBytes += plane.bytes.size();
  values.push_back(std::move(value));
}

bool ValueGraph::isTooLarge() const {
  return (numAttempts > getPartOfSizeLimits() * SizeLimits::kAttempts ||
          numBytes > SizeLimits::kValueBytes) &&
         SizeLimits::apply(context.worker.options);
}

bool ValueGraph::mustStop() const { return isStopped() || isTooLarge(); }

bool ValueGraph::close(unsigned maxOps, unsigned maxFree) {
  maxFreeOps = maxFree;
  if (context.isBroken())
    return true;
  byDepth.resize(maxOps + 1);
  byLevel.resize(maxOps + 1);
  for (const SearchWorker::Application *application : context.getApplications())
    for (Expr operand : application->operands)
      byExpr.try_emplace(operand);
  addInputs();
  // Whatever is one deeper needs an operand at this depth.
  for (unsigned depth = 0;
       depth <= maxOps && !byDepth[depth].empty() && !mustStop(); ++depth) {
    for (size_t i = 0; i < byDepth[depth].size() && !mustStop(); ++i)
      applyFree(byDepth[depth][i]);
    if (depth < maxOps)
      applyCounting(depth);
  }
  statistics.atOperatorLimit += byDepth[maxOps].size();
  addFusedEdges();
  statistics.attempts += numAttempts;
  if (isTooLarge())
    ++statistics.graphsTooLarge;
  return !isTooLarge();
}

/// Operators of many operands, where there are the operators that compute the
/// same together: these are as many as the depth allows, or fewer.
void ValueGraph::addFusedEdges() {
  for (const Operator *op : program.blockOperators) {
    ArrayRef<Operator::Step> steps = op->getSteps();
    if (steps.empty())
      continue;
    SmallVector<int> bound(op->getNumOperands(), -1);
    // Binds the operands of a step to those of an edge that computes `value`,
    // one after the other, and goes on with `then`.
    using Then = llvm::function_ref<void()>;
    auto matchStep = [&](auto &self, int step, unsigned value,
                         Then then) -> void {
      for (size_t e = 0; e < values[value].edges.size(); ++e) {
        const ValueEdge edge = values[value].edges[e];
        if (!edge.op || edge.op->getName() != steps[step].op)
          continue;
        ++numAttempts;
        if (mustStop())
          return;
        auto bind = [&](auto &next, size_t i, bool swapped) -> void {
          if (i == edge.operands.size())
            return then();
          unsigned operand =
              edge.operands[swapped ? edge.operands.size() - 1 - i : i];
          int which = steps[step].operands[i];
          auto further = [&] { next(next, i + 1, swapped); };
          if (which < 0)
            return self(self, -1 - which, operand, further);
          if (bound[which] >= 0) {
            if (bound[which] == static_cast<int>(operand))
              further();
            return;
          }
          bound[which] = operand;
          further();
          bound[which] = -1;
        };
        bind(bind, 0, false);
        if (edge.op->isCommutative() && edge.operands.size() == 2)
          bind(bind, 0, true);
      }
    };
    for (unsigned v = 0; v < values.size(); ++v)
      matchStep(matchStep, steps.size() - 1, v, [&] {
        SmallVector<Shape> labels;
        for (int operand : bound)
          labels.push_back(values[operand].label);
        Shape label;
        if (!op->inferShape(labels, {}, label) || label != values[v].label)
          return;
        ValueEdge edge;
        edge.op = op;
        edge.counts = true;
        edge.operands.assign(bound.begin(), bound.end());
        if (!llvm::is_contained(values[v].edges, edge))
          values[v].edges.push_back(std::move(edge));
      });
  }
}

/// Operators and accumulators that don't count.
void ValueGraph::applyFree(unsigned value) {
  ++statistics.states;
  for (const ProblemContext::Choice &choice :
       context.getUnary(values[value].kind))
    tryOperator(*choice.op, choice.params, {value}, false);
  for (unsigned constant : constants)
    for (const ProblemContext::Choice &choice :
         context.getBinary(values[value].kind, values[constant].kind))
      if (choice.op->isElementwise()) {
        if (choice.swapped)
          tryOperator(*choice.op, choice.params, {constant, value}, false);
        else
          tryOperator(*choice.op, choice.params, {value, constant}, false);
      }
  // Of a tile and itself: a square.
  for (const ProblemContext::Choice &choice :
       context.getBinary(values[value].kind, values[value].kind))
    if (choice.op->isElementwise() && !choice.swapped)
      tryOperator(*choice.op, choice.params, {value, value}, false);
  applyShaped(value, false);
  if (values[value].inLoop)
    applyAccumulators(value);
}

/// Whether the transposed value is none that the same operators compute from
/// transposed operands, in the end from transposed iterators; a transpose is
/// one of them.
bool ValueGraph::mayTranspose(unsigned value, const Params &permutation) const {
  const Operator &transpose = getOperator("transpose");
  if (values[value].edges.empty() || !uses(SearchRule::Transposes))
    return true;
  return llvm::any_of(values[value].edges, [&](const ValueEdge &edge) {
    if (!edge.op || edge.op == &transpose)
      return false;
    SmallVector<Shape> labels;
    for (unsigned operand : edge.operands)
      labels.push_back(values[operand].label);
    return !edge.op->commutesWithTranspose(permutation, labels, edge.params);
  });
}

/// Whether a value may be transposed to be an output, or because the program
/// transposes what it is a tile of: if it is, but for elementwise operators and
/// accumulators, one that may be transposed. It is often smaller than what it
/// is computed from, and what is left of that is in the program's order (the
/// sums that divide it).
bool ValueGraph::mayTransposeResult(unsigned value, const Params &permutation,
                                    ArrayRef<int64_t> label) const {
  if (values[value].inLoop)
    return false;
  auto isOutput = [&](ArrayRef<int64_t> label) {
    return llvm::any_of(
        llvm::zip(context.problem.outputs, placement.omaps), [&](auto pair) {
          auto [output, omap] = pair;
          return ArrayRef(placement.getTileLabel(*output, omap)) == label &&
                 context.isOutput(values[value].expr, *output);
        });
  };
  auto isTransposed = [&] {
    return llvm::any_of(
        program.transposed, [&](const TransposedTensor &transposed) {
          return transposed.permutation == permutation &&
                 isTileOf(values[value], transposed.label, transposed.value,
                          placement, program.roles);
        });
  };
  if (!isOutput(label) && !isTransposed())
    return false;
  // What is an output both ways is computed once.
  if (context.problem.outputs.size() > 1 && isOutput(values[value].label))
    return true;
  llvm::SmallDenseSet<unsigned> seen;
  SmallVector<unsigned> todo{value};
  while (!todo.empty()) {
    unsigned v = todo.pop_back_val();
    if (values[v].edges.empty() || !seen.insert(v).second ||
        values[v].label.size() != permutation.size())
      continue;
    if (mayTranspose(v, permutation))
      return true;
    for (const ValueEdge &edge : values[v].edges)
      if (!edge.op || edge.isElementwise())
        llvm::append_range(todo, edge.operands);
  }
  return false;
}

/// Operators of one operand that depend on its shape: those that only move data
/// don't count.
void ValueGraph::applyShaped(unsigned value, bool counting) {
  const Operator &transpose = getOperator("transpose");
  const Shape label = values[value].label;
  SearchWorker::ShapedResults &results =
      shapedResults[values[value].labelNumber];
  if (!results)
    results = context.worker.applyShaped(label);
  for (const auto &[op, params, result] : *results) {
    if (op == &transpose && !mayTranspose(value, params) &&
        !mayTransposeResult(value, params, result))
      continue;
    Expr expr = op->getExpr(exprs, {label}, {values[value].expr}, params);
    if ((expr != values[value].expr || exprs.max(expr) == expr) == counting)
      tryOperator(*op, params, {value}, counting);
  }
}

/// Whether an operator exists on operands of such labels, of which there are
/// few. That it was tried counts where it doesn't.
bool ValueGraph::mayFit(const Operator &op, const Params &params,
                        ArrayRef<unsigned> operands) {
  if (!params.empty())
    return true;
  const Value &lhs = values[operands[0]], &rhs = values[operands[1]];
  auto [known, isNew] =
      fits.try_emplace({&op, {lhs.labelNumber, rhs.labelNumber}});
  if (isNew) {
    Shape result;
    known->second = op.inferShape({lhs.label, rhs.label}, params, result);
  }
  numAttempts += !known->second;
  statistics.prunedByShape += !known->second;
  return known->second;
}

void ValueGraph::applyCounting(unsigned depth) {
  for (size_t i = 0; i < byDepth[depth].size() && !mustStop(); ++i)
    applyShaped(byDepth[depth][i], true);
  for (bool inLoop : {false, true}) {
    applyToSeveral(depth, inLoop);
    // Whether there is anything to try depends on the kinds alone, of which
    // there are far fewer than values.
    using Group = std::pair<unsigned, std::vector<unsigned>>;
    auto addTo = [&](std::vector<Group> &groups,
                     llvm::DenseMap<unsigned, unsigned> &numbers,
                     unsigned value) {
      auto [entry, isNew] =
          numbers.try_emplace(values[value].kind, groups.size());
      if (isNew)
        groups.push_back({values[value].kind, {}});
      groups[entry->second].second.push_back(value);
    };
    std::vector<Group> before, latest;
    llvm::DenseMap<unsigned, unsigned> beforeNumbers, latestNumbers;
    // A value of the loop and one from outside can't meet.
    for (unsigned d = 0; d < depth; ++d) {
      statistics.prunedByLoop +=
          byLevel[d][!inLoop].size() * byLevel[depth][inLoop].size();
      for (unsigned value : byLevel[d][inLoop])
        addTo(before, beforeNumbers, value);
    }
    for (unsigned value : byLevel[depth][inLoop])
      addTo(latest, latestNumbers, value);

    auto meet = [&](const Group &x, const Group &y) {
      ++numAttempts;
      llvm::ArrayRef<ProblemContext::Choice> choices =
          context.getBinary(x.first, y.first);
      if (choices.empty())
        return;
      for (size_t i = 0; i < x.second.size() && !mustStop(); ++i)
        for (size_t j = &x == &y ? i : 0; j < y.second.size(); ++j) {
          unsigned a = x.second[i], b = y.second[j];
          for (const ProblemContext::Choice &choice : choices) {
            if (a == b && (choice.swapped || choice.op->isElementwise()))
              continue;
            unsigned operands[] = {a, b};
            if (choice.swapped)
              std::swap(operands[0], operands[1]);
            if (mayFit(*choice.op, choice.params, operands))
              tryOperator(*choice.op, choice.params, operands, true);
          }
        }
    };
    for (size_t g = 0; g < latest.size(); ++g) {
      if (mustStop())
        return;
      for (const Group &group : before)
        meet(group, latest[g]);
      for (size_t h = 0; h <= g; ++h)
        meet(latest[h], latest[g]);
    }
  }
}

/// Operators of more than two operands, one of which at least has this depth.
/// They count, whatever their operands are.
void ValueGraph::applyToSeveral(unsigned depth, bool inLoop) {
  for (const SearchWorker::Application *application :
       context.getApplications()) {
    SmallVector<unsigned> operands;
    SmallVector<Shape> labels;
    auto choose = [&](auto &self, bool isNew) -> void {
      if (operands.size() == application->operands.size()) {
        if (isNew)
          tryOperator(*application->op, application->params, operands, true);
        return;
      }
      // More may come up meanwhile, of greater depth.
      const std::vector<unsigned> &same =
          byExpr.find(application->operands[operands.size()])->second;
      for (size_t i = 0, end = same.size(); i < end && !mustStop(); ++i) {
        const Value &value = values[same[i]];
        if (!value.isConstant() &&
            (value.inLoop != inLoop || value.depth > depth))
          continue;
        ++numAttempts;
        operands.push_back(same[i]);
        labels.push_back(value.label);
        Shape label;
        if (application->op->inferShape(labels, application->params, label))
          self(self, isNew || (!value.isConstant() && value.depth == depth));
        operands.pop_back();
        labels.pop_back();
      }
    };
    choose(choose, /*isNew=*/false);
  }
}

/// Whether the label is of a part of what the loop goes over.
bool ValueGraph::isCutByLoop(int64_t label) const {
  const int role = program.roles.getRole(label);
  return role != kNoRole && role == placement.loopRole &&
         label % placement.getLoopLabel() != 0;
}

void ValueGraph::tryOperator(const Operator &op, const Params &params,
                             ArrayRef<unsigned> operands, bool counts) {
  ++numAttempts;
  SmallVector<Shape, 2> labels;
  SmallVector<Expr, 2> operandExprs;
  Value result;
  bool inLoop = false;
  for (unsigned operand : operands) {
    const Value &value = values[operand];
    int maximum = value.relativeTo;
    if (value.isMaximum && op.isDifference())
      maximum = operand;
    if (maximum != Value::kNoMaximum)
      result.relativeTo =
          result.relativeTo == Value::kNoMaximum || result.relativeTo == maximum
              ? maximum
              : Value::kMixedMaxima;
    labels.push_back(value.label);
    operandExprs.push_back(value.expr);
    inLoop |= value.inLoop;
    result.varies |= value.varies;
    result.depth = std::max(result.depth, value.depth);
  }
  result.inLoop = inLoop;
  result.depth += counts;
  if (!counts)
    for (unsigned operand : operands)
      result.freeOps = std::max(result.freeOps, values[operand].freeOps + 1);
  if (result.freeOps > maxFreeOps)
    return;
  if (!op.inferShape(labels, params, result.label)) {
    ++statistics.prunedByShape;
    return;
  }
  if (program.keepsExponentialsSafe && uses(SearchRule::Exponentials) &&
      op.usesExponentiation(params) && !isSafeExponent(operands[0])) {
    ++statistics.prunedByOracle;
    return;
  }
  result.expr = op.getExpr(exprs, labels, operandExprs, params);
  if (!context.mayContribute(result.expr)) {
    ++statistics.prunedByOracle;
    return;
  }
  result.isMaximum =
      !result.expr.isNull() && exprs.max(result.expr) == result.expr;
  SmallVector<const Tensor *, 2> scalars;
  for (unsigned operand : operands)
    scalars.push_back(&values[operand].scalar);
  result.scalar = context.getScalar(op, scalars, params);
  if (operands.size() == 1 && result.isMaximum) {
    const Value &operand = values[operands[0]];
    const bool isWhole = operand.isMaximum && !operand.isPartOfMaximum;
    if (counts && !isWhole)
      result.scalar = context.getMaximum(result.scalar);
    result.isPartOfMaximum = !counts && operand.isPartOfMaximum;
  }
  if (!context.mayBeUseful(result)) {
    ++statistics.prunedByWhole;
    return;
  }
  SmallVector<IndexedExpr, 2> operandsIndexed;
  for (unsigned operand : operands)
    operandsIndexed.push_back(values[operand].indexed);
  std::optional<IndexedExpr> indexed = context.getIndexed(
      op, params, labels, operandsIndexed,
      [&](int64_t label) { return inLoop && isCutByLoop(label); });
  if (!indexed) {
    ++statistics.prunedByIndices;
    return;
  }
  result.indexed = *indexed;
  Params probe = params;
  if (op.hasShapeParams())
    for (int64_t &size : probe)
      size = program.roles.getProbeSize(size);
  size_t parts = 1;
  for (unsigned operand : operands)
    parts = std::max(parts, values[operand].parts.size());
  for (size_t k = 0; k < parts; ++k) {
    SmallVector<const Tensor *, 2> tensors;
    for (unsigned operand : operands)
      tensors.push_back(&values[operand].getPart(k));
    result.parts.push_back(op.evaluate(*program.field, tensors, probe));
  }
  ValueEdge edge;
  edge.op = &op;
  edge.params = params;
  edge.operands.assign(operands.begin(), operands.end());
  edge.counts = counts;
  add(std::move(result), std::move(edge));
}

/// Whether a value is not the part of the tensor that it should be: its sums
/// are relative to other maxima than it says, say.
bool ValueGraph::isOff(const Value &value) const {
  // Blocks that split a sum have parts of it, and what a loop adds up element
  // by element, the parts of a split among them, is not summed over yet.
  if (value.inLoop || placement.splits || placement.combinesSplit() ||
      !value.indexed || llvm::any_of(value.label, [&](int64_t label) {
        return isCutByLoop(label);
      }))
    return false;
  const Tensor *whole = context.getWhole(value.indexed, value.label);
  const Tensor &tile = value.parts[0];
  if (!whole || whole->shape.size() != tile.shape.size())
    return false;
  // That of the last block in each dimension of the grid.
  SmallVector<int64_t> offsets;
  for (auto [all, part] : llvm::zip(whole->shape, tile.shape)) {
    if (part > all)
      return false;
    offsets.push_back(all - part);
  }
  return hashContent(extractSlice(*whole, offsets, tile.shape)) !=
         hashContent(tile);
}

/// Values of equal keys are the same: of one expression, without and with
/// indices, and label, at one level of the graph, and with equal elements at
/// probe size.
uint64_t ValueGraph::getKey(const Value &value) const {
  uint64_t hash = llvm::hash_combine(
      value.inLoop, value.expr.getId(), value.indexed,
      llvm::hash_combine_range(value.label.begin(), value.label.end()));
  for (const Tensor &part : value.parts)
    hash = hash * 0x9e3779b97f4a7c15 + hashContent(part);
  return hash;
}

void ValueGraph::add(Value value, ValueEdge edge) {
  if (isOff(value)) {
    ++statistics.prunedByIndices;
    return;
  }
  auto [entry, isNew] = known.try_emplace(getKey(value), values.size());
  if (isNew || !uses(SearchRule::EqualValues)) {
    value.edges.push_back(std::move(edge));
    append(std::move(value));
    return;
  }
  Value &same = values[entry->second];
  if (same.relativeTo != value.relativeTo)
    same.relativeTo = Value::kAnyMaximum;
  if (same.depth == value.depth)
    same.freeOps = std::min(same.freeOps, value.freeOps);
  // Elementwise operators on the same operands that give equal values are one.
  auto hasAll = [](ArrayRef<unsigned> of, ArrayRef<unsigned> in) {
    return llvm::all_of(of,
                        [&](unsigned v) { return llvm::is_contained(in, v); });
  };
  bool isDuplicate =
      same.edges.empty() || llvm::is_contained(edge.operands, entry->second) ||
      llvm::any_of(same.edges, [&](const ValueEdge &other) {
        return other == edge ||
               (uses(SearchRule::Duplicates) && edge.op && other.op &&
                edge.op->isElementwise() && other.op->isElementwise() &&
                hasAll(edge.operands, other.operands) &&
                hasAll(other.operands, edge.operands));
      });
  if (isDuplicate) {
    ++statistics.prunedByDuplicate;
    return;
  }
  ++statistics.prunedByEqual;
  same.edges.push_back(std::move(edge));
}

llvm::BitVector ValueGraph::getWaysTo(ArrayRef<unsigned> roots) const {
  llvm::BitVector useful(values.size());
  SmallVector<unsigned> todo(roots);
  while (!todo.empty()) {
    unsigned v = todo.pop_back_val();
    if (useful.test(v))
      continue;
    useful.set(v);
    for (const ValueEdge &edge : values[v].edges)
      llvm::append_range(todo, edge.operands);
  }
  return useful;
}

void ValueGraph::dropDead(ArrayRef<unsigned> roots) {
  if (!uses(SearchRule::DeadTensors))
    return;
  const llvm::BitVector useful = getWaysTo(roots);
  std::vector<unsigned> numbers(values.size());
  unsigned count = 0;
  for (unsigned v : useful.set_bits()) {
    numbers[v] = count;
    if (v != count)
      values[count] = std::move(values[v]);
    ++count;
  }
  statistics.prunedAsDead += values.size() - count;
  values.erase(values.begin() + count, values.end());
  for (Value &value : values)
    for (ValueEdge &edge : value.edges)
      for (unsigned &operand : edge.operands)
        operand = numbers[operand];
}

SmallVector<unsigned> ValueGraph::findOutput(const SearchTensor &output,
                                             ArrayRef<int64_t> omap) const {
  SmallVector<unsigned> found;
  Shape label = placement.getTileLabel(output, omap);
  Tensor tile = getProbedTile(output.value, program.roles.getProbeShape(label),
                              omap, kReplica, 0);
  uint64_t hash = hashContent(tile);
  for (auto [v, value] : llvm::enumerate(values))
    if (!value.inLoop && !value.isConstant() && value.label == label &&
        hashContent(value.parts[0]) == hash &&
        context.isOutput(value.expr, output))
      found.push_back(v);
  return found;
}
