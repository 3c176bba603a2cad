//===- WgmmaPatterns.cpp - What a warpgroup does together -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCalls.h"
#include "Mirage/Conversion/InlinePTX/RegisterWgmma.h"
#include "Mirage/Conversion/NVVMToHost/HostABI.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mirage;
using host_abi::MmaElement;
using host_abi::WgmmaInfo;

namespace {

struct ConvertFence : HostCallPattern<NVVM::WgmmaFenceAlignedOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::WgmmaFenceAlignedOp op,
                                PatternRewriter &rewriter) const override {
    callVoid(rewriter, op, host_abi::kWgmmaFence, {});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertCommit : HostCallPattern<NVVM::WgmmaGroupSyncAlignedOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::WgmmaGroupSyncAlignedOp op,
                                PatternRewriter &rewriter) const override {
    callVoid(rewriter, op, host_abi::kWgmmaCommit, {});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertWait : HostCallPattern<NVVM::WgmmaWaitGroupSyncOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::WgmmaWaitGroupSyncOp op,
                                PatternRewriter &rewriter) const override {
    Value groups =
        constantI32(rewriter, op.getLoc(), static_cast<int32_t>(op.getGroup()));
    callVoid(rewriter, op, host_abi::kWgmmaWait, groups);
    rewriter.eraseOp(op);
    return success();
  }
};

/// What the emulation has to know of an op; nothing if it doesn't have it.
std::optional<WgmmaInfo> getInfo(NVVM::WgmmaMmaAsyncOp op) {
  WgmmaInfo info;
  int k = 16;
  switch (op.getTypeA()) {
  case NVVM::WGMMATypes::f16:
    info.element = MmaElement::F16;
    break;
  case NVVM::WGMMATypes::bf16:
    info.element = MmaElement::BF16;
    break;
  case NVVM::WGMMATypes::tf32:
    info.element = MmaElement::TF32;
    k = 8;
    break;
  default:
    return std::nullopt;
  }
  NVVM::MMAShapeAttr shape = op.getShape();
  int n = shape.getN();
  auto sums = cast<LLVM::LLVMStructType>(op.getInouts().getType());
  if (op.getTypeB() != op.getTypeA() ||
      op.getTypeD() != NVVM::WGMMATypes::f32 || shape.getM() != 64 ||
      shape.getK() != k || n % 8 || n < 8 || n > 256 || sums.isPacked() ||
      sums.getBody().size() != static_cast<unsigned>(n) / 2 ||
      !llvm::all_of(sums.getBody(), [](Type type) { return type.isF32(); }))
    return std::nullopt;
  info.n = n;
  info.transposesA = op.getLayoutA() == NVVM::MMALayout::col;
  info.transposesB = op.getLayoutB() == NVVM::MMALayout::row;
  info.negatesA = op.getScaleA() == NVVM::WGMMAScaleIn::neg;
  info.negatesB = op.getScaleB() == NVVM::WGMMAScaleIn::neg;
  info.accumulates = op.getScaleD() == NVVM::WGMMAScaleOut::one;
  // PTX has it for elements of 16 bits only.
  if (info.element == MmaElement::TF32 &&
      (info.transposesA || info.transposesB))
    return std::nullopt;
  return info;
}

struct ConvertWgmma : HostCallPattern<NVVM::WgmmaMmaAsyncOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(NVVM::WgmmaMmaAsyncOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<WgmmaInfo> info = getInfo(op);
    if (!info || addsToUnwritten(op))
      return failure();
    Location loc = op.getLoc();
    Value sums = getAccumulators(rewriter, op);
    LLVM::StoreOp::create(rewriter, loc, op.getInouts(), sums);
    callVoid(rewriter, op, host_abi::kWgmma,
             {op.getDescriptorA(), op.getDescriptorB(),
              constantI32(rewriter, loc, info->encode()), sums});
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, op.getType(), sums);
    return success();
  }
};

struct ConvertRegisterWgmma : HostCallPattern<LLVM::InlineAsmOp> {
  using HostCallPattern::HostCallPattern;

  LogicalResult matchAndRewrite(LLVM::InlineAsmOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<RegisterWgmma> wgmma = RegisterWgmma::match(op);
    if (!wgmma || addsToUnwritten(op))
      return failure();
    Location loc = op.getLoc();
    WgmmaInfo info;
    info.element = wgmma->element == RegisterWgmma::Element::F16
                       ? MmaElement::F16
                       : MmaElement::BF16;
    info.n = wgmma->n;
    info.transposesB = wgmma->transposesB;
    info.accumulates = true;
    static_assert(RegisterWgmma::kRowRegisters == host_abi::kWgmmaRowRegisters);
    Type f32 = rewriter.getF32Type(), i32 = rewriter.getI32Type();
    auto store = [&](ValueRange values, Type type, Value to) {
      for (auto [i, value] : llvm::enumerate(values)) {
        Value place = LLVM::GEPOp::create(
            rewriter, loc, to.getType(), type, to,
            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
        LLVM::StoreOp::create(rewriter, loc, value, place);
      }
    };
    Value sums = getAccumulators(rewriter, op),
          rows = getRegisters(rewriter, op);
    store(RegisterWgmma::getSums(op), f32, sums);
    store(RegisterWgmma::getRows(op), i32, rows);
    callVoid(rewriter, op, host_abi::kRegisterWgmma,
             {rows, RegisterWgmma::getDescriptor(op),
              constantI32(rewriter, loc, info.encode()), sums});
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, op->getResult(0).getType(),
                                              sums);
    return success();
  }
};

/// Inline assembly without an instruction: registers that it only ties, so that
/// nothing is moved in front of it.
struct ConvertTiedRegisters : OpRewritePattern<LLVM::InlineAsmOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LLVM::InlineAsmOp op,
                                PatternRewriter &rewriter) const override {
    size_t count = op.getOperands().size();
    SmallVector<StringRef> constraints;
    op.getConstraints().split(constraints, ',');
    if (!op.getAsmString().empty() || op->getNumResults() != 1 ||
        constraints.size() != 2 * count)
      return failure();
    for (size_t i = 0; i < count; ++i)
      if (!constraints[i].starts_with("=") ||
          constraints[count + i] != Twine(i).str())
        return failure();
    auto type = dyn_cast<LLVM::LLVMStructType>(op->getResult(0).getType());
    if (!type || !llvm::equal(type.getBody(), op->getOperandTypes()))
      return failure();
    Value values = LLVM::PoisonOp::create(rewriter, op.getLoc(), type);
    for (auto [i, value] : llvm::enumerate(op.getOperands()))
      values = LLVM::InsertValueOp::create(rewriter, op.getLoc(), values, value,
                                           static_cast<int64_t>(i));
    rewriter.replaceOp(op, values);
    return success();
  }
};

} // namespace

static bool isUnwritten(Value value) {
  return isa_and_nonnull<LLVM::UndefOp, LLVM::PoisonOp>(value.getDefiningOp());
}

/// Whether some member of a struct is unwritten.
static bool hasUnwrittenMember(Value structure) {
  auto type = cast<LLVM::LLVMStructType>(structure.getType());
  llvm::SmallBitVector written(type.getBody().size());
  while (auto insert = structure.getDefiningOp<LLVM::InsertValueOp>()) {
    if (!isUnwritten(insert.getValue()))
      written.set(insert.getPosition().front());
    structure = insert.getContainer();
  }
  return isUnwritten(structure) && !written.all();
}

bool mirage::addsToUnwritten(Operation *op) {
  if (auto wgmma = dyn_cast<NVVM::WgmmaMmaAsyncOp>(op))
    return wgmma.getScaleD() == NVVM::WGMMAScaleOut::one &&
           hasUnwrittenMember(wgmma.getInouts());
  auto wgmma = dyn_cast<LLVM::InlineAsmOp>(op);
  return wgmma && RegisterWgmma::match(wgmma) &&
         llvm::any_of(RegisterWgmma::getSums(wgmma), [](Value sum) {
           auto extract = sum.getDefiningOp<LLVM::ExtractValueOp>();
           return isUnwritten(extract ? extract.getContainer() : sum);
         });
}

void mirage::populateWgmmaPatterns(ModuleOp module, OpTable &ops,
                                   RewritePatternSet &patterns) {
  patterns.add<ConvertFence, ConvertCommit, ConvertWait, ConvertWgmma,
               ConvertRegisterWgmma>(module, ops);
  patterns.add<ConvertTiedRegisters>(module.getContext());
}
