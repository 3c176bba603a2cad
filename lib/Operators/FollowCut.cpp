//===- FollowCut.cpp - What a loop's cuts become in operators -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Operators/FollowCut.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using llvm::ArrayRef;
using Kind = CutValue::Kind;
using Relative = CutValue::Relative;

bool CutValue::isSumRescaledBy(size_t rank, const CutValue &by,
                               size_t rankOfBy) const {
  if (kind != Kind::Sum || relative != Relative::Exponential ||
      !by.isMaximum() || by.maximum != maximum)
    return false;
  // Dimensions are aligned at the last.
  for (auto [d, dim] : llvm::enumerate(ofMaximum))
    if (dim != kNotFollowed && dim != static_cast<int64_t>(d + rank - rankOfBy))
      return false;
  return true;
}

/// The dimension of a result that varies with one of an operand; none if it is
/// folded or moved to several.
static std::optional<int64_t> followOperand(const Operator &op,
                                            const Params &params,
                                            ArrayRef<Shape> operands,
                                            unsigned operand, int64_t dim) {
  if (auto space = op.getIterationSpace(operands, params)) {
    Shape result;
    const int loop = space->operandLoops[operand][dim];
    if (!op.inferShape(operands, params, result) ||
        loop == IterationSpace::kNoLoop ||
        loop >= static_cast<int>(result.size()))
      return std::nullopt;
    return loop;
  }
  return operands.size() == 1 ? followDim(op, params, operands, dim)
                              : std::nullopt;
}

/// What a result is relative to, if that of at most one operand is left, and
/// the operator keeps it or takes its exponential.
static std::optional<CutValue> followRelative(const Operator &op,
                                              const Params &params,
                                              ArrayRef<Shape> operands,
                                              ArrayRef<CutValue> values) {
  CutValue result;
  for (auto [i, value] : llvm::enumerate(values)) {
    if (value.relative == Relative::Nothing)
      continue;
    if (result.relative != Relative::Nothing)
      return std::nullopt;
    result.relative = value.relative;
    result.maximum = value.maximum;
    result.ofMaximum = value.ofMaximum;
    for (int64_t &dim : result.ofMaximum) {
      if (dim == kNotFollowed)
        continue;
      auto next = followOperand(op, params, operands, i, dim);
      if (!next)
        return std::nullopt;
      dim = *next;
    }
    if (op.isMovement() && values.size() == 1)
      continue;
    if (value.relative == Relative::Difference) {
      if (!op.isExponential())
        return std::nullopt;
      result.relative = Relative::Exponential;
    } else if (!op.isHomogeneousIn(i)) {
      return std::nullopt;
    }
  }
  return result;
}

/// The difference of a value and a maximum.
static std::optional<CutValue> followDifference(const Operator &op,
                                                const Params &params,
                                                ArrayRef<Shape> operands,
                                                const CutValue &value,
                                                const CutValue &maximum) {
  Shape result;
  std::optional<int64_t> dim =
      followDim(op, params, operands, {value.dim, kNotFollowed});
  if (!dim || !op.inferShape(operands, params, result))
    return std::nullopt;
  CutValue difference{
      Kind::Cut, *dim, Relative::Difference, maximum.maximum, {}};
  for (auto [d, size] : llvm::enumerate(operands[1]))
    difference.ofMaximum.push_back(
        size == 1
            ? kNotFollowed
            : static_cast<int64_t>(d + result.size() - operands[1].size()));
  return difference;
}

/// Whether an operator sums up all of what is cut, and nothing that isn't cut
/// with it, or takes the maximum; none if it does neither.
static std::optional<Kind> followFold(const Operator &op, const Params &params,
                                      ArrayRef<Shape> operands,
                                      ArrayRef<CutValue> values) {
  std::optional<IterationSpace> space = op.getIterationSpace(operands, params);
  Shape result;
  if (!space || !op.inferShape(operands, params, result))
    return std::nullopt;
  std::optional<int> loop;
  for (auto [value, loops] : llvm::zip_equal(values, space->operandLoops)) {
    if (value.kind != Kind::Cut)
      continue;
    if (loop && *loop != loops[value.dim])
      return std::nullopt;
    loop = loops[value.dim];
  }
  if (!loop || *loop < static_cast<int>(result.size()))
    return std::nullopt;
  for (auto [shape, value, loops] :
       llvm::zip_equal(operands, values, space->operandLoops))
    for (auto [d, other] : llvm::enumerate(loops)) {
      bool isCut =
          value.kind == Kind::Cut && value.dim == static_cast<int64_t>(d);
      if (other == *loop && (!isCut || shape[d] != space->sizes[*loop]))
        return std::nullopt;
    }
  if (space->reductionsAreSums)
    return Kind::Sum;
  return op.isMaximum() ? std::optional(Kind::Maximum) : std::nullopt;
}

std::optional<CutValue> mirage::followCut(const Operator &op,
                                          const Params &params,
                                          ArrayRef<Shape> operands,
                                          ArrayRef<CutValue> values) {
  if (llvm::all_of(values,
                   [](const CutValue &v) { return v.kind == Kind::Same; }))
    return CutValue();
  if (op.isDifference() && values[0].kind == Kind::Cut &&
      values[0].relative == Relative::Nothing && values[1].isMaximum())
    return followDifference(op, params, operands, values[0], values[1]);
  if (llvm::any_of(values, [](const CutValue &v) {
        return v.kind == Kind::Sum || v.kind == Kind::Maximum;
      }))
    return std::nullopt;

  std::optional<CutValue> result = followRelative(op, params, operands, values);
  if (!result)
    return std::nullopt;
  llvm::SmallVector<int64_t> dims;
  for (const CutValue &value : values)
    dims.push_back(value.kind == Kind::Cut ? value.dim : kNotFollowed);
  if (std::optional<int64_t> dim = followDim(op, params, operands, dims)) {
    result->kind = Kind::Cut;
    result->dim = *dim;
    return result;
  }
  std::optional<Kind> fold = followFold(op, params, operands, values);
  if (!fold)
    return std::nullopt;
  result->kind = *fold;
  if (*fold == Kind::Maximum)
    return result->relative == Relative::Nothing ? result : std::nullopt;
  bool isMaskable =
      llvm::any_of(llvm::seq<unsigned>(0, values.size()),
                   [&](unsigned i) { return canMaskSum(op, i, values); });
  return isMaskable && result->relative != Relative::Difference ? result
                                                                : std::nullopt;
}

bool mirage::canMaskSum(const Operator &op, unsigned operand,
                        ArrayRef<CutValue> values) {
  return values[operand].kind == Kind::Cut && op.isHomogeneousIn(operand);
}
