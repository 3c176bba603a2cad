//===- ElementCode.cpp - Code for one element of a tile -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementCode.h"
#include "IndexCode.h"
#include "Mirage/BlockPlan/MatmulPlan.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Thread/Thread.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>
#include <limits>

using namespace mirage;
using namespace mlir;

Value mirage::convertFloat(OpBuilder &builder, Location loc, Value value,
                           Type element) {
  auto withElement = [&](Type type) -> Type {
    auto vector = dyn_cast<VectorType>(value.getType());
    return vector ? vector.clone(type) : type;
  };
  if (getElementTypeOrSelf(value) == element)
    return value;
  Type f32 = builder.getF32Type();
  if (getElementTypeOrSelf(value) != f32)
    value = arith::ExtFOp::create(builder, loc, withElement(f32), value);
  if (element != f32)
    value = arith::TruncFOp::create(builder, loc, withElement(element), value);
  return value;
}

Value mirage::emitExp(OpBuilder &builder, Location loc, Value value) {
  // The GPU has an instruction for powers of two; exp itself is a library call
  // there.
  Value log2e = arith::ConstantOp::create(
      builder, loc, builder.getF32FloatAttr(static_cast<float>(M_LOG2E)));
  Value scaled = arith::MulFOp::create(builder, loc, value, log2e);
  return math::Exp2Op::create(builder, loc, scaled, arith::FastMathFlags::afn);
}

Value mirage::emitConstant(OpBuilder &builder, ConstantOp constant) {
  return arith::ConstantOp::create(
      builder, constant.getLoc(),
      builder.getFloatAttr(builder.getF32Type(), constant.getRoundedValue()));
}

namespace {

/// Whether a tile, or a fragment of one, or what elementwise operators make of
/// it, is subtracted from something.
bool isSubtracted(Value tile) {
  llvm::SmallSetVector<Value, 8> reached;
  reached.insert(tile);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (OpOperand &use : reached[i].getUses()) {
      Operation *user = use.getOwner();
      const unsigned operand = use.getOperandNumber();
      auto op = dyn_cast<OperatorOpInterface>(user);
      if (auto graph = dyn_cast<block::GraphDefinedOp>(user))
        reached.insert(graph.getBody().getArgument(operand));
      else if (isa<thread::YieldOp>(user))
        reached.insert(user->getParentOp()->getResult(operand));
      else if (op && op.getSemantics().isDifference() && operand == 1)
        return true;
      else if (op && op.getSemantics().isElementwise())
        reached.insert(user->getResult(0));
    }
  return false;
}

/// Index notation as code: terms are values of f32, indices of type index.
class CodeAlgebra final : public ElementAlgebra {
public:
  CodeAlgebra(OpBuilder &builder, Operation *op, ElementReader readElement,
              const CooperativeFold *fold, const ScaledReferences *references)
      : builder(builder), op(op), loc(op->getLoc()), readElement(readElement),
        fold(fold), references(references) {}

  uint32_t make(Value value) {
    values.push_back(value);
    return values.size() - 1;
  }
  Value get(uint32_t handle) const { return values[handle]; }

  Index indexConstant(int64_t value) override { return make(getIndex(value)); }
  Index indexAdd(Index a, Index b) override {
    return make(addIndices(builder, loc, get(a), get(b)));
  }
  Index indexMul(Index a, int64_t factor) override {
    return make(multiplyIndex(builder, loc, get(a), factor));
  }
  Index indexDiv(Index a, int64_t divisor) override {
    return make(divideIndex(builder, loc, get(a), divisor));
  }
  Index indexMod(Index a, int64_t divisor) override {
    return make(getIndexRemainder(builder, loc, get(a), divisor));
  }

  Term read(unsigned operand, ArrayRef<Index> index) override {
    SmallVector<Value> position;
    for (Index i : index)
      position.push_back(get(i));
    return make(readElement(op->getOperand(operand), position));
  }

  Term sum(int64_t count, function_ref<Term(Index)> term) override {
    return reduce(count, 0, term, [&](Value a, Value b) -> Value {
      return arith::AddFOp::create(builder, loc, a, b, kContract);
    });
  }
  Term max(int64_t count, function_ref<Term(Index)> term) override {
    Term result = reduce(count, -std::numeric_limits<double>::infinity(), term,
                         [&](Value a, Value b) -> Value {
                           return arith::MaximumFOp::create(builder, loc, a, b);
                         });
    // Where all elements are -infinity, each minus their maximum would be no
    // number: a part of a row may be masked out.
    return isSubtracted(op->getResult(0))
               ? max(result, constant(std::numeric_limits<float>::lowest()))
               : result;
  }

  Term select(Index index, int64_t bound, function_ref<Term()> then,
              function_ref<Term()> otherwise) override {
    Value isBelow = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, get(index), getIndex(bound));
    auto branch = scf::IfOp::create(builder, loc, builder.getF32Type(), isBelow,
                                    /*withElseRegion=*/true);
    auto emit = [&](Block *block, function_ref<Term()> term) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(block);
      scf::YieldOp::create(builder, loc, get(term()));
    };
    emit(branch.thenBlock(), then);
    emit(branch.elseBlock(), otherwise);
    return make(branch.getResult(0));
  }

  Term constant(double value) override {
    return make(arith::ConstantOp::create(
        builder, loc, builder.getF32FloatAttr(static_cast<float>(value))));
  }
  Term add(Term a, Term b) override {
    return binary<arith::AddFOp>(a, b, kContract);
  }
  Term sub(Term a, Term b) override { return binary<arith::SubFOp>(a, b); }
  Term mul(Term a, Term b) override {
    return binary<arith::MulFOp>(a, b, kContract);
  }
  // A number by which a vector is divided is not made one, so that constants
  // are seen as such.
  Term div(Term a, Term b) override {
    Value dividend = get(a), divisor = get(b);
    auto type = dyn_cast<VectorType>(dividend.getType());
    if (!type)
      type = dyn_cast<VectorType>(divisor.getType());
    if (!type)
      return make(arith::DivFOp::create(builder, loc, dividend, divisor));
    auto getElement = [&](Value value, int64_t i) -> Value {
      return isa<VectorType>(value.getType())
                 ? vector::ExtractOp::create(builder, loc, value, i).getResult()
                 : value;
    };
    SmallVector<Value> elements;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      elements.push_back(arith::DivFOp::create(
          builder, loc, getElement(dividend, i), getElement(divisor, i)));
    return make(vector::FromElementsOp::create(builder, loc, type, elements));
  }
  Term max(Term a, Term b) override { return binary<arith::MaximumFOp>(a, b); }
  Term exp(Term a) override {
    if (std::optional<Term> power = expOfDifference(a))
      return *power;
    return mapElements(
        a, [&](Value element) { return emitExp(builder, loc, element); });
  }
  Term sqrt(Term a) override { return unary<math::SqrtOp>(a); }
  Term log(Term a) override { return unary<math::LogOp>(a); }
  Term erf(Term a) override { return unary<math::ErfOp>(a); }
  Term where(Term condition, Term value) override {
    auto [c, x] = getAlike(condition, value);
    Value zero = arith::ConstantOp::create(builder, loc,
                                           builder.getZeroAttr(x.getType()));
    Value holds =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, c, zero);
    return make(arith::SelectOp::create(builder, loc, holds, x, zero));
  }
  Term function(StringRef, ArrayRef<Term>,
                function_ref<Term()> definition) override {
    return definition();
  }

private:
  /// A product and a sum of it may be one instruction, which rounds once.
  /// Differences may not: that of two equal products is 0 only if both are
  /// rounded.
  static constexpr arith::FastMathFlags kContract =
      arith::FastMathFlags::contract;

  /// The exponentials of elements less a number that has a scaled one; none if
  /// it isn't such a difference.
  std::optional<Term> expOfDifference(Term a) {
    auto difference = get(a).getDefiningOp<arith::SubFOp>();
    auto common = difference
                      ? difference.getRhs().getDefiningOp<vector::BroadcastOp>()
                      : vector::BroadcastOp();
    if (!references || !common || !references->contains(common.getSource()))
      return std::nullopt;
    const ScaledReference reference = references->lookup(common.getSource());
    return mapElements(make(difference.getLhs()), [&](Value element) -> Value {
      return math::Exp2Op::create(builder, loc,
                                  math::FmaOp::create(builder, loc, element,
                                                      reference.factor,
                                                      reference.negated),
                                  arith::FastMathFlags::afn);
    });
  }

  /// Of operands one of which is a vector, the other is one for all of its
  /// elements.
  std::pair<Value, Value> getAlike(Term a, Term b) {
    Value lhs = get(a), rhs = get(b);
    if (lhs.getType() != rhs.getType()) {
      Value &scalar = isa<VectorType>(lhs.getType()) ? rhs : lhs;
      Type type = &scalar == &rhs ? lhs.getType() : rhs.getType();
      scalar = vector::BroadcastOp::create(builder, loc, type, scalar);
    }
    return {lhs, rhs};
  }

  template <typename OpT>
  Term binary(Term a, Term b,
              arith::FastMathFlags flags = arith::FastMathFlags::none) {
    auto [lhs, rhs] = getAlike(a, b);
    return make(OpT::create(builder, loc, lhs, rhs, flags));
  }
  /// For functions that have scalar instructions only.
  Term mapElements(Term a, function_ref<Value(Value)> function) {
    Value operand = get(a);
    auto type = dyn_cast<VectorType>(operand.getType());
    if (!type)
      return make(function(operand));
    SmallVector<Value> elements;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      elements.push_back(
          function(vector::ExtractOp::create(builder, loc, operand, i)));
    return make(vector::FromElementsOp::create(builder, loc, type, elements));
  }
  template <typename OpT> Term unary(Term a) {
    return mapElements(a, [&](Value element) -> Value {
      return OpT::create(builder, loc, element);
    });
  }
  Value getIndex(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  using Combine = function_ref<Value(Value, Value)>;
  Term reduce(int64_t count, double init, function_ref<Term(Index)> term,
              Combine combine) {
    Value first =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(init));
    if (fold)
      return make(reduceTogether(count, first, term, combine));
    auto loop = scf::ForOp::create(builder, loc, getIndex(0), getIndex(count),
                                   getIndex(1), first);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value next = combine(loop.getRegionIterArg(0),
                         get(term(make(loop.getInductionVar()))));
    scf::YieldOp::create(builder, loc, next);
    return make(loop.getResult(0));
  }
  Value reduceTogether(int64_t count, Value first,
                       function_ref<Term(Index)> term, Combine combine);
  /// A vector of a scalar, where the fold takes vectors.
  Value widen(Value value) {
    if (fold->width == 1 || isa<VectorType>(value.getType()))
      return value;
    auto type = VectorType::get(fold->width, value.getType());
    return vector::BroadcastOp::create(builder, loc, type, value);
  }

  OpBuilder &builder;
  Operation *op;
  Location loc;
  ElementReader readElement;
  const CooperativeFold *fold;
  const ScaledReferences *references;
  SmallVector<Value> values;
};

} // namespace

SmallVector<Value> mirage::emitRounds(
    OpBuilder &builder, Location loc, int64_t count, int64_t atOnce,
    ValueRange init,
    function_ref<SmallVector<Value>(ArrayRef<Value>, ValueRange)> body) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  SmallVector<Value> values(init);
  int64_t done = 0;
  if (count > atOnce) {
    // Rather a little fewer at once than some that are left over.
    for (int64_t fewer = atOnce; fewer > atOnce / 2; --fewer)
      if (count % fewer == 0) {
        atOnce = fewer;
        break;
      }
    done = count / atOnce * atOnce;
    auto loop = scf::ForOp::create(builder, loc, index(0), index(done),
                                   index(atOnce), values);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> numbers{loop.getInductionVar()};
    for (int64_t i = 1; i < atOnce; ++i)
      numbers.push_back(addIndices(builder, loc, numbers.front(), i));
    SmallVector<Value> after = body(numbers, loop.getRegionIterArgs());
    if (!after.empty())
      scf::YieldOp::create(builder, loc, after);
    values.assign(loop.getResults().begin(), loop.getResults().end());
  }
  if (done == count)
    return values;
  SmallVector<Value> numbers;
  for (; done < count; ++done)
    numbers.push_back(index(done));
  return body(numbers, values);
}

Value CodeAlgebra::reduceTogether(int64_t count, Value first,
                                  function_ref<Term(Index)> term,
                                  Combine combine) {
  int64_t width = fold->width, perRound = fold->parts * width;
  auto read = [&](Value k) { return widen(get(term(make(k)))); };
  Value own = multiplyIndex(builder, loc, fold->part, width);
  Value total;
  auto addTerm = [&](Value value) {
    total = total ? combine(total, value) : value;
  };
  if (fold->numOwn > 0) {
    // In a tree, so that few wait for each other.
    SmallVector<Value> terms;
    for (int64_t i = 0; i < fold->numOwn; ++i) {
      Value value = read(getIndex(i));
      if (Value isMine = fold->hasOwn ? fold->hasOwn(i) : Value())
        value =
            arith::SelectOp::create(builder, loc, isMine, value, widen(first));
      terms.push_back(value);
    }
    for (size_t count = terms.size(); count > 1; count = (count + 1) / 2)
      for (size_t i = 0; i < count / 2; ++i)
        terms[i] = combine(terms[i], terms[count - 1 - i]);
    total = terms.front();
  } else if (int64_t rounds = count / perRound) {
    // Straight-line code begins with its first term.
    SmallVector<Value> init;
    if (rounds > fold->vectorsAtOnce)
      init.push_back(widen(first));
    total = emitRounds(
        builder, loc, rounds, fold->vectorsAtOnce, init,
        [&](ArrayRef<Value> numbers, ValueRange before) {
          SmallVector<Value> terms;
          for (Value number : numbers)
            terms.push_back(read(addIndices(
                builder, loc, multiplyIndex(builder, loc, number, perRound),
                own)));
          total = before.empty() ? Value() : before[0];
          llvm::for_each(terms, addTerm);
          return SmallVector<Value>{total};
        })[0];
  }
  if (fold->numOwn == 0 && count % perRound != 0) {
    // Who has nothing left to fold reads the last vector again, for nothing.
    Value k = addIndices(builder, loc, own, count / perRound * perRound);
    Value isMine = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, k, getIndex(count));
    Value value =
        read(arith::MinUIOp::create(builder, loc, k, getIndex(count - width)));
    addTerm(arith::SelectOp::create(builder, loc, isMine, value, widen(first)));
  }
  SmallVector<Value> elements;
  for (int64_t i = 0; i < width && width > 1; ++i)
    elements.push_back(vector::ExtractOp::create(builder, loc, total, i));
  for (size_t half = elements.size() / 2; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i)
      elements[i] = combine(elements[i], elements[i + half]);
  return fold->foldParts(elements.empty() ? total : elements.front(), combine);
}

Value mirage::emitOperatorElement(OpBuilder &builder, OperatorOpInterface op,
                                  ValueRange index, ElementReader read,
                                  const CooperativeFold *fold,
                                  const ScaledReferences *references) {
  CodeAlgebra algebra(builder, op, read, fold, references);
  SmallVector<Shape> shapes;
  for (Value operand : op->getOperands())
    shapes.emplace_back(cast<ShapedType>(operand.getType()).getShape());
  SmallVector<ElementAlgebra::Index> position;
  for (Value i : index)
    position.push_back(algebra.make(i));
  return algebra.get(
      op.getSemantics().getElement(algebra, shapes, position, op.getParams()));
}

Value ThreadGraphEmitter::emit(Value fragment, ValueRange index) {
  // An index that is a constant (a broadcast dimension) is compared by value.
  Key key(fragment, getAsOpFoldResult(index));
  for (auto &[known, value] : emitted)
    if (known == key)
      return value;

  Value value;
  if (auto argument = dyn_cast<BlockArgument>(fragment)) {
    value = read(operands[argument.getArgNumber()], index);
  } else if (auto constant = fragment.getDefiningOp<ConstantOp>()) {
    value = emitConstant(builder, constant);
  } else {
    auto op = cast<OperatorOpInterface>(fragment.getDefiningOp());
    value = emitOperatorElement(
        builder, op, index,
        [&](Value operand, ValueRange position) {
          return emit(operand, position);
        },
        /*fold=*/nullptr, references);
    // Between operators a fragment has its own precision.
    Type type = cast<ShapedType>(fragment.getType()).getElementType();
    value = convertFloat(builder, op.getLoc(), value, type);
    value = convertFloat(builder, op.getLoc(), value, builder.getF32Type());
  }
  emitted.emplace_back(key, value);
  return value;
}

int64_t mirage::getNumElementsOf(Value elements) {
  auto type = dyn_cast<VectorType>(elements.getType());
  return type ? type.getNumElements() : 1;
}
