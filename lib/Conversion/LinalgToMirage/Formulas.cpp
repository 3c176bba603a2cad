//===- Formulas.cpp - Formulas over several operators that are one --------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Patterns on the kernel graph, so that it doesn't matter whether one body or
// several compute a formula. What is between its ops must be f32: a rounding to
// f16 that the program asks for stays. And it must be the formula, in exact
// numbers: a constant near to one of an irrational formula is another number.

#include "Import.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Numbers/RealNumbers.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;

namespace {

bool isF32(Value value) { return getElementTypeOrSelf(value).isF32(); }

std::optional<double> getConstant(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return std::nullopt;
  return constant.getValue().convertToDouble();
}

bool isConstant(Value value, double wanted) {
  return getConstant(value) == wanted;
}

/// The op that defines an f32 value.
template <typename OpT> OpT getF32(Value value) {
  return isF32(value) ? value.getDefiningOp<OpT>() : OpT();
}

/// For an op with a constant for one operand, the number and the other operand.
template <typename OpT>
std::optional<std::pair<double, Value>> getWithConstant(OpT op) {
  if (std::optional<double> number = getConstant(op.getRhs()))
    return std::pair(*number, Value(op.getLhs()));
  if (std::optional<double> number = getConstant(op.getLhs()))
    return std::pair(*number, Value(op.getRhs()));
  return std::nullopt;
}

/// For 1 + y, y; null for others.
Value getAddedToOne(Value value) {
  auto add = getF32<AddOp>(value);
  if (!add)
    return nullptr;
  auto parts = getWithConstant(add);
  return parts && parts->first == 1 ? parts->second : nullptr;
}

/// For -x, also as 0 - x or x * -1, x.
Value getNegated(Value value) {
  if (auto neg = getF32<NegOp>(value))
    return neg.getInput();
  if (auto sub = getF32<SubOp>(value))
    return isConstant(sub.getLhs(), 0) ? Value(sub.getRhs()) : Value();
  auto mul = getF32<MulOp>(value);
  auto parts = mul ? getWithConstant(mul) : std::nullopt;
  return parts && parts->first == -1 ? parts->second : Value();
}

/// For 1 + exp(-x), x.
Value getSigmoidArgument(Value value) {
  Value added = getAddedToOne(value);
  auto exp = added ? getF32<ExpOp>(added) : ExpOp();
  return exp ? getNegated(exp.getInput()) : Value();
}

//===----------------------------------------------------------------------===//
// Powers and quotients
//===----------------------------------------------------------------------===//

/// x * x -> sqr(x)
struct FormSqr : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp mul,
                                PatternRewriter &rewriter) const override {
    if (mul.getLhs() != mul.getRhs())
      return failure();
    rewriter.replaceOpWithNewOp<SqrOp>(mul, mul.getType(), mul.getLhs());
    return success();
  }
};

/// 0 - x -> neg(x)
struct FormNegOfSub : OpRewritePattern<SubOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SubOp sub,
                                PatternRewriter &rewriter) const override {
    if (!isConstant(sub.getLhs(), 0))
      return failure();
    rewriter.replaceOpWithNewOp<NegOp>(sub, sub.getType(), sub.getRhs());
    return success();
  }
};

/// x * -1 -> neg(x)
struct FormNegOfMul : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp mul,
                                PatternRewriter &rewriter) const override {
    auto parts = getWithConstant(mul);
    if (!parts || parts->first != -1)
      return failure();
    rewriter.replaceOpWithNewOp<NegOp>(mul, mul.getType(), parts->second);
    return success();
  }
};

/// max(max(x, c), c) -> max(x, c), and the same for minima, as in elu where its
/// argument is chosen, too.
template <typename OpT> struct FoldRepeated : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    auto outer = getWithConstant(op);
    auto inner = outer ? outer->second.template getDefiningOp<OpT>() : OpT();
    auto parts = inner ? getWithConstant(inner) : std::nullopt;
    if (!parts || parts->first != outer->first ||
        inner.getType() != op.getType())
      return failure();
    rewriter.replaceOp(op, inner);
    return success();
  }
};

/// x + -y -> x - y, and x + -y z -> x - y z, as rotary embeddings have it.
/// Signs are exact in any type.
struct FormDifference : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp add,
                                PatternRewriter &rewriter) const override {
    for (auto [left, right] : {std::pair(add.getLhs(), add.getRhs()),
                               std::pair(add.getRhs(), add.getLhs())}) {
      Value subtracted = takeSign(right, rewriter);
      if (!subtracted)
        continue;
      rewriter.replaceOpWithNewOp<SubOp>(add, add.getType(), left, subtracted);
      return success();
    }
    return failure();
  }

private:
  /// For a -x of the type of x, x; null for others.
  static Value getPositive(Value value) {
    auto neg = value.getDefiningOp<NegOp>();
    return neg && neg.getInput().getType() == neg.getType() ? neg.getInput()
                                                            : Value();
  }

  /// For -x, x, and for -x y, x y; null for others.
  static Value takeSign(Value value, PatternRewriter &rewriter) {
    if (Value x = getPositive(value))
      return x;
    auto mul = value.getDefiningOp<MulOp>();
    if (!mul || !mul->hasOneUse())
      return nullptr;
    Value x = getPositive(mul.getLhs()), y = getPositive(mul.getRhs());
    if (!x == !y)
      return nullptr;
    return MulOp::create(rewriter, mul.getLoc(), mul.getType(),
                         x ? x : mul.getLhs(), y ? y : mul.getRhs());
  }
};

/// 1 / sqrt(x) -> rsqrt(x)
struct FormRsqrt : OpRewritePattern<DivOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DivOp div,
                                PatternRewriter &rewriter) const override {
    auto root = getF32<SqrtOp>(div.getRhs());
    if (!root || !isConstant(div.getLhs(), 1))
      return failure();
    rewriter.replaceOpWithNewOp<RsqrtOp>(div, div.getType(), root.getInput());
    return success();
  }
};

/// x * (1 / y) -> x / y, and x * rsqrt(y) -> x / sqrt(y): a division is what
/// the search knows laws of.
struct FormDiv : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp mul,
                                PatternRewriter &rewriter) const override {
    if (mul.getLhs() == mul.getRhs())
      return failure();
    for (bool swapped : {false, true}) {
      Value dividend = swapped ? mul.getRhs() : mul.getLhs();
      Value reciprocal = swapped ? mul.getLhs() : mul.getRhs();
      Value divisor = getDivisor(rewriter, reciprocal);
      if (!divisor)
        continue;
      rewriter.replaceOpWithNewOp<DivOp>(mul, mul.getType(), dividend, divisor);
      return success();
    }
    return failure();
  }

private:
  static Value getDivisor(PatternRewriter &rewriter, Value reciprocal) {
    if (auto rsqrt = getF32<RsqrtOp>(reciprocal))
      return SqrtOp::create(rewriter, rsqrt.getLoc(), rsqrt.getType(),
                            rsqrt.getInput());
    auto div = getF32<DivOp>(reciprocal);
    // 1 / (1 + exp(-x)) is to be a sigmoid.
    return div && isConstant(div.getLhs(), 1) &&
                   !getSigmoidArgument(div.getRhs())
               ? Value(div.getRhs())
               : Value();
  }
};

//===----------------------------------------------------------------------===//
// Softmaxes
//===----------------------------------------------------------------------===//

/// What is added up, or subtracted, in f32.
struct Term {
  Value value;
  bool isSubtracted;
  /// Its shape in the sum, in front of which it may be reshaped so that
  /// dimensions of size 1 come and go.
  ArrayRef<int64_t> shape;

  bool operator==(const Term &other) const {
    return value == other.value && isSubtracted == other.isSubtracted &&
           shape == other.shape;
  }
};

/// The value that is reshaped so that only dimensions of size 1 come and go.
Value getUnitReshaped(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  return reshape && linalg_import::isOfUnits(reshape)
             ? getUnitReshaped(reshape.getInput())
             : value;
}

/// Takes a value, which has this shape where it is added, apart to terms.
void collectTerms(Value value, ArrayRef<int64_t> shape, bool isSubtracted,
                  SmallVectorImpl<Term> &terms) {
  using linalg_import::getShape;
  constexpr size_t kMost = 16;
  value = getUnitReshaped(value);
  const bool isReshaped = getShape(value) != shape;
  auto add = getF32<AddOp>(value);
  auto sub = getF32<SubOp>(value);
  Operation *op = value.getDefiningOp();
  // What is broadcast in a sum that is reshaped has no shape behind it.
  if ((!add && !sub) || terms.size() >= kMost ||
      (isReshaped && llvm::any_of(op->getOperands(), [&](Value operand) {
         return getShape(operand) != getShape(value);
       }))) {
    terms.push_back({value, isSubtracted, shape});
    return;
  }
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    collectTerms(operand, isReshaped ? shape : getShape(operand),
                 isSubtracted != (sub && i == 1), terms);
}

SmallVector<Term> getTerms(Value sum) {
  SmallVector<Term> terms;
  collectTerms(sum, linalg_import::getShape(sum), /*isSubtracted=*/false,
               terms);
  return terms;
}

/// exp(x - log(sum(exp(x)))) -> exp(x) / sum(exp(x)): the search knows what a
/// softmax is. No range is lost, since the program has the exponentials.
struct FormSoftmax : OpRewritePattern<ExpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ExpOp exp,
                                PatternRewriter &rewriter) const override {
    const SmallVector<Term> terms = getTerms(exp.getInput());
    for (const Term &log : terms) {
      auto op = log.value.getDefiningOp<LogOp>();
      if (!op || !log.isSubtracted)
        continue;
      ExpOp summed = getSummed(op.getInput());
      if (!summed || summed.getType().getShape() != exp.getType().getShape())
        continue;
      const SmallVector<Term> summedTerms = getTerms(summed.getInput());
      SmallVector<Term> rest;
      for (const Term &term : terms)
        if (&term != &log)
          rest.push_back(term);
      if (!std::is_permutation(rest.begin(), rest.end(), summedTerms.begin(),
                               summedTerms.end()))
        continue;
      linalg_import::KernelGraphBuilder graph(rewriter, exp.getLoc());
      Value divisor = graph.reshape(op.getInput(), log.shape);
      rewriter.replaceOpWithNewOp<DivOp>(exp, exp.getType(), summed, divisor);
      return success();
    }
    return failure();
  }

private:
  /// The exponentials in f32 that a value is the sum of, or nothing.
  static ExpOp getSummed(Value value) {
    auto sum = getUnitReshaped(value).getDefiningOp<SumOp>();
    return sum ? getF32<ExpOp>(sum.getInput()) : ExpOp();
  }
};

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// 1 / (1 + exp(-x)) -> sigmoid(x), and x / (1 + exp(-x)) -> silu(x)
struct FormSigmoid : OpRewritePattern<DivOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DivOp div,
                                PatternRewriter &rewriter) const override {
    Value x = getSigmoidArgument(div.getRhs());
    if (!x)
      return failure();
    if (div.getLhs() == x)
      rewriter.replaceOpWithNewOp<SiluOp>(div, div.getType(), x);
    else if (isConstant(div.getLhs(), 1))
      rewriter.replaceOpWithNewOp<SigmoidOp>(div, div.getType(), x);
    else
      return failure();
    return success();
  }
};

/// x * sigmoid(x) -> silu(x)
struct FormSilu : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp mul,
                                PatternRewriter &rewriter) const override {
    for (bool swapped : {false, true}) {
      Value x = swapped ? mul.getRhs() : mul.getLhs();
      auto sigmoid = getF32<SigmoidOp>(swapped ? mul.getLhs() : mul.getRhs());
      if (!sigmoid || sigmoid.getInput() != x)
        continue;
      rewriter.replaceOpWithNewOp<SiluOp>(mul, mul.getType(), x);
      return success();
    }
    return failure();
  }
};

/// max(x, 0) -> relu(x)
struct FormRelu : OpRewritePattern<MaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MaxOp max,
                                PatternRewriter &rewriter) const override {
    auto parts = getWithConstant(max);
    if (!parts || parts->first != 0)
      return failure();
    rewriter.replaceOpWithNewOp<ReluOp>(max, max.getType(), parts->second);
    return success();
  }
};

/// A bound that is put on a value, as it was before, or nothing: by a maximum
/// or relu from below, by a minimum from above. What comes between it and the
/// next must not round: it is f32, or chooses between numbers of its type.
struct Bound {
  double number;
  Value value;

  static std::optional<Bound> getLower(Value bounded) {
    if (auto relu = bounded.getDefiningOp<ReluOp>())
      return exact({0.0, relu.getInput()}, bounded);
    return get<MaxOp>(bounded);
  }
  static std::optional<Bound> getUpper(Value bounded) {
    return get<MinOp>(bounded);
  }

private:
  template <typename OpT> static std::optional<Bound> get(Value bounded) {
    auto op = bounded.getDefiningOp<OpT>();
    auto parts = op ? getWithConstant(op) : std::nullopt;
    if (!parts)
      return std::nullopt;
    return exact({parts->first, parts->second}, bounded);
  }

  static std::optional<Bound> exact(Bound bound, Value bounded) {
    Type type = getElementTypeOrSelf(bounded);
    if (type.isF32())
      return bound;
    APFloat number(bound.number);
    bool inexact;
    number.convert(cast<FloatType>(type).getFloatSemantics(),
                   APFloat::rmNearestTiesToEven, &inexact);
    if (inexact || getElementTypeOrSelf(bound.value) != type)
      return std::nullopt;
    return bound;
  }
};

void replaceByClamp(PatternRewriter &rewriter, Operation *op, Value value,
                    double lower, double upper) {
  rewriter.replaceOpWithNewOp<ClampOp>(op, op->getResult(0).getType(), value,
                                       rewriter.getF64FloatAttr(lower),
                                       rewriter.getF64FloatAttr(upper));
}

/// min(max(x, lower), upper) -> clamp
struct FormClampOfMin : OpRewritePattern<MinOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MinOp min,
                                PatternRewriter &rewriter) const override {
    auto upper = getWithConstant(min);
    auto lower = upper ? Bound::getLower(upper->second) : std::nullopt;
    if (!lower)
      return failure();
    replaceByClamp(rewriter, min, lower->value, lower->number, upper->first);
    return success();
  }
};

/// max(min(x, upper), lower) -> clamp, where the lower bound is lower
template <typename OpT> struct FormClampOfMax : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    double lower = 0;
    Value bounded = op->getOperand(0);
    if constexpr (std::is_same_v<OpT, MaxOp>) {
      auto parts = getWithConstant(op);
      if (!parts)
        return failure();
      std::tie(lower, bounded) = *parts;
    }
    std::optional<Bound> upper = Bound::getUpper(bounded);
    if (!upper || lower > upper->number)
      return failure();
    replaceByClamp(rewriter, op, upper->value, lower, upper->number);
    return success();
  }
};

/// Whether the value is x / sqrt(2), exactly.
bool isOverRootOfTwo(Value value, Value x) {
  auto isRootOf = [](SqrtOp root, double number) {
    return root && isConstant(root.getInput(), number);
  };
  if (auto div = getF32<DivOp>(value))
    return div.getLhs() == x && isRootOf(getF32<SqrtOp>(div.getRhs()), 2);
  auto mul = getF32<MulOp>(value);
  if (!mul || (mul.getLhs() != x && mul.getRhs() != x))
    return false;
  Value factor = mul.getLhs() == x ? mul.getRhs() : mul.getLhs();
  auto rsqrt = getF32<RsqrtOp>(factor);
  return isRootOf(getF32<SqrtOp>(factor), 0.5) ||
         (rsqrt && isConstant(rsqrt.getInput(), 2));
}

/// The product of x, 1/2 and 1 + erf(x / sqrt(2)), in any order -> gelu(x)
struct FormGelu : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp mul,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> factors;
    for (Value factor : mul->getOperands()) {
      auto inner = getF32<MulOp>(factor);
      if (inner)
        llvm::append_range(factors, inner->getOperands());
      else
        factors.push_back(factor);
    }
    if (factors.size() != 3)
      return failure();
    Value *half = llvm::find_if(
        factors, [](Value factor) { return isConstant(factor, 0.5); });
    if (half == factors.end())
      return failure();
    factors.erase(half);
    for (auto [x, other] : {std::pair(factors[0], factors[1]),
                            std::pair(factors[1], factors[0])}) {
      Value added = getAddedToOne(other);
      auto erf = added ? getF32<ErfOp>(added) : ErfOp();
      if (!erf || !isOverRootOfTwo(erf.getInput(), x))
        continue;
      rewriter.replaceOpWithNewOp<GeluOp>(mul, mul.getType(), x);
      return success();
    }
    return failure();
  }
};

} // namespace

namespace {

/// An operator of numbers is a number, of f64 but for what a cast rounds.
struct FoldNumbers : OpInterfaceRewritePattern<OperatorOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(OperatorOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumOperands() == 0 || op->getNumResults() != 1 ||
        cast<ShapedType>(op->getResult(0).getType()).getRank() != 0)
      return failure();
    const RealNumbers numbers;
    SmallVector<Tensor> tensors;
    for (Value operand : op->getOperands()) {
      std::optional<double> number = getConstant(operand);
      if (!number)
        return failure();
      tensors.push_back(numbers.constant(*number));
    }
    SmallVector<const Tensor *> operands;
    for (const Tensor &tensor : tensors)
      operands.push_back(&tensor);
    const Tensor result =
        op.getSemantics().evaluate(numbers, operands, op.getParams());
    APFloat number(result.planes[0].as<double>()[0]);
    auto type = cast<FloatType>(getElementTypeOrSelf(op->getResult(0)));
    if (isa<CastOp>(op) && !type.isF32()) {
      bool losesDigits;
      number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                     &losesDigits);
    }
    llvm::Expected<Value> constant =
        linalg_import::KernelGraphBuilder(rewriter, op->getLoc())
            .constant(number);
    if (!constant) {
      llvm::consumeError(constant.takeError());
      return failure();
    }
    rewriter.replaceOp(op, *constant);
    return success();
  }
};

} // namespace

void linalg_import::populateFoldNumbersPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldNumbers>(patterns.getContext());
}

void linalg_import::populateFormulaPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldRepeated<MaxOp>, FoldRepeated<MinOp>, FormSqr, FormNegOfSub,
               FormNegOfMul, FormDifference, FormRsqrt, FormDiv, FormSoftmax,
               FormSigmoid, FormSilu, FormRelu, FormClampOfMin,
               FormClampOfMax<MaxOp>, FormClampOfMax<ReluOp>, FormGelu>(
      patterns.getContext());
}
