//===- WarpPatterns.cpp - What the lanes of a warp do together ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCalls.h"
#include "Mirage/Conversion/NVVMToHost/HostABI.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mirage;
using mirage::host_abi::MmaElement;
using mirage::host_abi::ReduxKind;
using mirage::host_abi::ShuffleKind;

namespace {

ShuffleKind getShuffleKind(NVVM::ShflKind kind) {
  switch (kind) {
  case NVVM::ShflKind::bfly:
    return ShuffleKind::Butterfly;
  case NVVM::ShflKind::up:
    return ShuffleKind::Up;
  case NVVM::ShflKind::down:
    return ShuffleKind::Down;
  case NVVM::ShflKind::idx:
    return ShuffleKind::Index;
  }
  llvm_unreachable("all kinds are covered");
}

struct ConvertShuffle : HostCallPattern<NVVM::ShflOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::ShflOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getVal().getType(), i32 = rewriter.getI32Type(),
         i64 = rewriter.getI64Type();
    Value kind = constantI32(
        rewriter, loc, static_cast<int32_t>(getShuffleKind(op.getKind())));
    Value value = op.getVal();
    if (type != i32)
      value = LLVM::BitcastOp::create(rewriter, loc, i32, value);
    Value packed = call(rewriter, op, host_abi::kShuffle, i64,
                        {kind, op.getThreadMask(), value, op.getOffset(),
                         op.getMaskAndClamp()})
                       .getResult();
    Value result = LLVM::TruncOp::create(rewriter, loc, i32, packed);
    if (type != i32)
      result = LLVM::BitcastOp::create(rewriter, loc, type, result);
    if (auto structType = dyn_cast<LLVM::LLVMStructType>(op.getType())) {
      Value shift = LLVM::ConstantOp::create(rewriter, loc,
                                             rewriter.getI64IntegerAttr(32));
      Value high = LLVM::LShrOp::create(rewriter, loc, packed, shift);
      Value valid =
          LLVM::TruncOp::create(rewriter, loc, rewriter.getI1Type(), high);
      Value pair = LLVM::PoisonOp::create(rewriter, loc, structType);
      pair = LLVM::InsertValueOp::create(rewriter, loc, pair, result,
                                         ArrayRef<int64_t>{0});
      result = LLVM::InsertValueOp::create(rewriter, loc, pair, valid,
                                           ArrayRef<int64_t>{1});
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

std::optional<ReduxKind> getReduxKind(NVVM::ReduxKind kind) {
  switch (kind) {
  case NVVM::ReduxKind::ADD:
    return ReduxKind::Add;
  case NVVM::ReduxKind::AND:
    return ReduxKind::And;
  case NVVM::ReduxKind::MAX:
    return ReduxKind::Max;
  case NVVM::ReduxKind::MIN:
    return ReduxKind::Min;
  case NVVM::ReduxKind::OR:
    return ReduxKind::Or;
  case NVVM::ReduxKind::UMAX:
    return ReduxKind::UMax;
  case NVVM::ReduxKind::UMIN:
    return ReduxKind::UMin;
  case NVVM::ReduxKind::XOR:
    return ReduxKind::Xor;
  case NVVM::ReduxKind::FMIN:
  case NVVM::ReduxKind::FMAX:
    return std::nullopt; // sm_100 has them.
  }
  llvm_unreachable("all kinds are covered");
}

struct ConvertRedux : HostCallPattern<NVVM::ReduxOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::ReduxOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<ReduxKind> kind = getReduxKind(op.getKind());
    if (!kind)
      return failure();
    Value which =
        constantI32(rewriter, op.getLoc(), static_cast<int32_t>(*kind));
    rewriter.replaceOp(op, call(rewriter, op, host_abi::kRedux,
                                rewriter.getI32Type(),
                                {which, op.getMaskAndClamp(), op.getVal()}));
    return success();
  }
};

/// "All" and "any" of the lanes' predicates.
struct ConvertVote : HostCallPattern<NVVM::VoteSyncOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::VoteSyncOp op,
                                PatternRewriter &rewriter) const override {
    const bool isAll = op.getKind() == NVVM::VoteSyncKind::all;
    if (!isAll && op.getKind() != NVVM::VoteSyncKind::any)
      return failure();
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    Value kind = constantI32(
        rewriter, loc,
        static_cast<int32_t>(isAll ? ReduxKind::And : ReduxKind::Or));
    Value own = LLVM::ZExtOp::create(rewriter, loc, i32, op.getPred());
    Value all =
        call(rewriter, op, host_abi::kRedux, i32, {kind, op.getMask(), own})
            .getResult();
    rewriter.replaceOpWithNewOp<LLVM::TruncOp>(op, op.getType(), all);
    return success();
  }
};

/// The address of register `index` of those at `registers`.
Value getRegister(OpBuilder &b, Location loc, Value registers, unsigned index) {
  return LLVM::GEPOp::create(b, loc, registers.getType(), b.getI32Type(),
                             registers,
                             ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(index)});
}

/// The registers from `first` on as one value, or a struct of them.
Value loadRegisters(OpBuilder &b, Location loc, Value registers, unsigned first,
                    Type type) {
  auto structType = dyn_cast<LLVM::LLVMStructType>(type);
  if (!structType)
    return LLVM::LoadOp::create(b, loc, type,
                                getRegister(b, loc, registers, first));
  Value result = LLVM::PoisonOp::create(b, loc, structType);
  for (auto [i, part] : llvm::enumerate(structType.getBody())) {
    Value loaded = LLVM::LoadOp::create(
        b, loc, part, getRegister(b, loc, registers, first + i));
    result = LLVM::InsertValueOp::create(
        b, loc, result, loaded, ArrayRef<int64_t>{static_cast<int64_t>(i)});
  }
  return result;
}

struct ConvertLdMatrix : HostCallPattern<NVVM::LdMatrixOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::LdMatrixOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (op.getEltType() != NVVM::LdStMatrixEltType::B16 ||
        op.getShape().getM() != 8 || op.getShape().getN() != 8)
      return failure();
    Value results = getRegisters(rewriter, op);
    bool transposed = op.getLayout() == NVVM::MMALayout::col;
    callVoid(rewriter, op, host_abi::kLdMatrix,
             {constantI32(rewriter, loc, op.getNum()),
              constantI32(rewriter, loc, transposed), op.getPtr(), results});
    rewriter.replaceOp(op,
                       loadRegisters(rewriter, loc, results, 0, op.getType()));
    return success();
  }
};

std::optional<MmaElement> getMmaElement(NVVM::MmaOp op) {
  if (op.getMultiplicandAPtxType() != op.getMultiplicandBPtxType() ||
      !op.getMultiplicandAPtxType())
    return std::nullopt;
  switch (*op.getMultiplicandAPtxType()) {
  case NVVM::MMATypes::f16:
    return MmaElement::F16;
  case NVVM::MMATypes::bf16:
    return MmaElement::BF16;
  case NVVM::MMATypes::tf32:
    return MmaElement::TF32;
  default:
    return std::nullopt;
  }
}

struct ConvertMma : HostCallPattern<NVVM::MmaOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::MmaOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    NVVM::MMAShapeAttr shape = op.getShape();
    std::optional<MmaElement> element = getMmaElement(op);
    if (!element || shape.getM() != 16 || shape.getN() != 8 ||
        op.getLayoutA() != NVVM::MMALayout::row ||
        op.getLayoutB() != NVVM::MMALayout::col)
      return failure();
    bool half = op.accumPtxType() == NVVM::MMATypes::f16;
    if (half && *element != MmaElement::F16)
      return failure();

    Value registers = getRegisters(rewriter, op);
    auto store = [&](unsigned first, ValueRange values) {
      for (auto [i, value] : llvm::enumerate(values))
        LLVM::StoreOp::create(rewriter, loc, value,
                              getRegister(rewriter, loc, registers, first + i));
    };
    store(host_abi::kMmaA, op.getOperandA());
    store(host_abi::kMmaB, op.getOperandB());
    store(host_abi::kMmaC, op.getOperandC());
    callVoid(rewriter, op, host_abi::kMma,
             {constantI32(rewriter, loc, static_cast<int32_t>(*element)),
              constantI32(rewriter, loc, static_cast<int32_t>(shape.getK())),
              constantI32(rewriter, loc, half), registers});
    rewriter.replaceOp(op, loadRegisters(rewriter, loc, registers,
                                         host_abi::kMmaD, op.getType()));
    return success();
  }
};

} // namespace

void mirage::populateWarpPatterns(ModuleOp module, OpTable &ops,
                                  RewritePatternSet &patterns) {
  patterns.add<ConvertShuffle, ConvertRedux, ConvertVote, ConvertLdMatrix,
               ConvertMma>(module, ops);
}
