//===- NVVMToHost.cpp - Kernels as functions for the host -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCalls.h"
#include "Mirage/Conversion/NVVMToHost/HostABI.h"
#include "Mirage/Conversion/NVVMToHost/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

namespace mirage {
#define GEN_PASS_DEF_CONVERTNVVMTOHOST
#include "Mirage/Conversion/NVVMToHost/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;
using mirage::host_abi::SpecialRegister;

namespace {

constexpr unsigned kSharedSpace =
    static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);

template <typename Op> struct ConvertSpecialRegister : OpRewritePattern<Op> {
  ConvertSpecialRegister(ModuleOp module, SpecialRegister kind)
      : OpRewritePattern<Op>(module.getContext()), module(module), kind(kind) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Value which =
        constantI32(rewriter, op.getLoc(), static_cast<int32_t>(kind));
    rewriter.replaceOp(
        op, callHost(module, rewriter, op.getLoc(), host_abi::kSpecialRegister,
                     rewriter.getI32Type(), which, /*pure=*/true));
    return success();
  }

  ModuleOp module;
  SpecialRegister kind;
};

/// What only means something to a GPU compiler, and would be an unknown
/// attribute on the host.
void dropDeviceAttributes(Operation *op) {
  SmallVector<StringAttr> names;
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (isa_and_present<gpu::GPUDialect, NVVM::NVVMDialect>(
            attribute.getNameDialect()))
      names.push_back(attribute.getName());
  for (StringAttr name : names)
    op->removeDiscardableAttr(name);
  // Tensor maps by value are addresses here.
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    for (unsigned i = 0, n = function.getNumArguments(); i < n; ++i)
      for (StringRef name : {NVVM::NVVMDialect::getGridConstantAttrName(),
                             LLVM::LLVMDialect::getByValAttrName(),
                             LLVM::LLVMDialect::getAlignAttrName()})
        function.removeArgAttr(i, StringAttr::get(op->getContext(), name));
}

/// Why `op` can't run on the host, or nothing.
std::optional<std::string> getObstacle(Operation &op) {
  if (addsToUnwritten(&op))
    return "adds to accumulators that nobody has written";
  if (isa_and_present<NVVM::NVVMDialect, gpu::GPUDialect>(op.getDialect()))
    return "has no emulation on the host";
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    if (call.getIntrin().starts_with("llvm.nvvm."))
      return ("calls " + call.getIntrin() +
              ", which has no emulation on the host")
          .str();
  if (isa<LLVM::InlineAsmOp>(op))
    return "has no emulation on the host";
  // What a mask leaves out must not be checked, nor counted.
  if (isa<LLVM::MaskedLoadOp, LLVM::MaskedStoreOp, LLVM::masked_gather,
          LLVM::masked_scatter, LLVM::masked_expandload,
          LLVM::masked_compressstore>(op))
    return "has no emulation on the host";
  if (!isa_and_present<LLVM::LLVMDialect>(op.getDialect()) &&
      !isa<ModuleOp>(op))
    return "is neither in the LLVM nor in the NVVM dialect";
  return std::nullopt;
}

struct ConvertNVVMToHost
    : mirage::impl::ConvertNVVMToHostBase<ConvertNVVMToHost> {
  using ConvertNVVMToHostBase::ConvertNVVMToHostBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(hoistKernels(module)))
      return signalPassFailure();
    OpTable ops;
    if (traceAccesses) {
      mirage::traceAccesses(module, ops);
      mirage::trackAccumulators(module, ops);
    }
    guardDivisions(module, ops);
    placeSharedMemory(module);

    RewritePatternSet patterns(&getContext());
    populateNVVMToHostPatterns(module, ops, patterns);
    walkAndApplyPatterns(module, std::move(patterns));
    ops.record(module);
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      function->removeAttr(kKernelAttr);

    WalkResult result = module.walk([](Operation *op) {
      if (std::optional<std::string> obstacle = getObstacle(*op)) {
        op->emitOpError(*obstacle);
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted() || failed(checkStacks(module)))
      signalPassFailure();
  }

  static uint64_t getBytes(const DataLayout &layout, Type type) {
    if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
      return llvm::SaturatingMultiply<uint64_t>(
          getBytes(layout, array.getElementType()), array.getNumElements());
    return layout.getTypeSize(type);
  }

  /// Threads have small stacks.
  static LogicalResult checkStacks(ModuleOp module) {
    const DataLayout layout(module);
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      uint64_t bytes = 0;
      WalkResult result = function.walk([&](LLVM::AllocaOp op) -> WalkResult {
        APInt count;
        if (!matchPattern(op.getArraySize(), m_ConstantInt(&count)))
          return op.emitOpError("has a size that is no constant, which the "
                                "host doesn't run");
        // Elsewhere they would take more each time.
        if (op->getBlock() != &function.getBody().front())
          return op.emitOpError("is in no block that runs once, which the "
                                "host doesn't run");
        uint64_t own = llvm::SaturatingMultiply<uint64_t>(
            getBytes(layout, op.getElemType()), count.getLimitedValue());
        bytes = llvm::SaturatingAdd(bytes, own);
        if (bytes <= host_abi::kMostStackBytes)
          return WalkResult::advance();
        return op.emitOpError("takes ")
               << own << " bytes of a thread's own memory, of which the host "
               << "has " << host_abi::kMostStackBytes << " for all";
      });
      if (result.wasInterrupted())
        return failure();
    }
    return success();
  }

  /// Leaves only the contents of the gpu.modules, at the top, each symbol with
  /// its module's name in front.
  LogicalResult hoistKernels(ModuleOp module) {
    SmallVector<gpu::GPUModuleOp> gpuModules(module.getOps<gpu::GPUModuleOp>());
    SmallVector<StringRef> waiting;
    for (gpu::GPUModuleOp gpuModule : gpuModules)
      if (gpuModule
              .walk([](NVVM::GriddepcontrolOp op) {
                return op.getKind() == NVVM::GridDepActionKind::wait
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted())
        waiting.push_back(gpuModule.getName());
    if (!waiting.empty())
      module->setAttr(host_abi::kWaitsForGrids,
                      Builder(&getContext()).getStrArrayAttr(waiting));
    for (gpu::GPUModuleOp gpuModule : gpuModules) {
      for (Operation &op : gpuModule.getBody()->getOperations()) {
        auto symbol = dyn_cast<SymbolOpInterface>(op);
        if (!isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op))
          return op.emitOpError("can't be moved to the host, expected only "
                                "LLVM functions and globals");
        std::string name =
            host_abi::getFunctionName(gpuModule.getName(), symbol.getName());
        if (failed(SymbolTable::replaceAllSymbolUses(
                symbol, StringAttr::get(&getContext(), name), gpuModule)))
          return op.emitOpError("can't be renamed");
        symbol.setName(name);
        if (op.hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
            op.hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
          op.setAttr(kKernelAttr, UnitAttr::get(&getContext()));
        dropDeviceAttributes(&op);
      }
    }
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (!isa<gpu::GPUModuleOp>(op))
        op.erase();
    for (gpu::GPUModuleOp gpuModule : gpuModules) {
      module.getBody()->getOperations().splice(
          module.getBody()->end(), gpuModule.getBody()->getOperations());
      gpuModule.erase();
    }
    dropDeviceAttributes(module);
    return success();
  }

  /// Replaces the addresses of shared variables by calls, then makes all
  /// pointers generic.
  void placeSharedMemory(ModuleOp module) {
    OpBuilder b(&getContext());
    DataLayout layout(module);
    llvm::StringMap<int64_t> offsets;
    SmallVector<LLVM::GlobalOp> globals;
    SmallVector<StringRef> dynamic;
    int64_t size = 0;
    for (auto global : module.getOps<LLVM::GlobalOp>()) {
      if (global.getAddrSpace() != kSharedSpace)
        continue;
      globals.push_back(global);
      int64_t bytes =
          static_cast<int64_t>(layout.getTypeSize(global.getGlobalType()));
      if (bytes == 0) {
        dynamic.push_back(global.getSymName());
        continue;
      }
      offsets[global.getSymName()] = size;
      size = llvm::alignTo(size + bytes, host_abi::kSharedAlignment);
    }
    for (StringRef name : dynamic)
      offsets[name] = size;
    module->setAttr(host_abi::kStaticSharedBytes, b.getI64IntegerAttr(size));

    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    module.walk([&](LLVM::AddressOfOp op) {
      auto it = offsets.find(op.getGlobalName());
      if (it == offsets.end())
        return;
      b.setInsertionPoint(op);
      Value offset = LLVM::ConstantOp::create(b, op.getLoc(),
                                              b.getI64IntegerAttr(it->second));
      op.replaceAllUsesWith(callHost(module, b, op.getLoc(),
                                     host_abi::kSharedMemory, pointer, offset,
                                     /*pure=*/true)
                                .getResult());
      op.erase();
    });
    for (LLVM::GlobalOp global : globals)
      global.erase();

    AttrTypeReplacer replacer;
    replacer.addReplacement(
        [&](LLVM::LLVMPointerType) -> Type { return pointer; });
    replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
    module.walk([](LLVM::AddrSpaceCastOp op) {
      op.replaceAllUsesWith(op.getArg());
      op.erase();
    });
    for (auto global : module.getOps<LLVM::GlobalOp>())
      global.setAddrSpace(0);
  }
};

/// Whether an op calls an intrinsic of so many operands.
static bool calls(LLVM::CallIntrinsicOp op, StringRef name,
                  unsigned operands = 1) {
  return op.getIntrin() == name && op.getArgs().size() == operands;
}

/// Powers of two, as the instruction has them: those below the least normal
/// number are 0.
struct ConvertExp2 : OpRewritePattern<LLVM::CallIntrinsicOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LLVM::CallIntrinsicOp op,
                                PatternRewriter &rewriter) const override {
    if (!calls(op, "llvm.nvvm.ex2.approx.ftz.f32"))
      return failure();
    Location loc = op.getLoc();
    auto constant = [&](float value) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc,
                                      rewriter.getF32FloatAttr(value));
    };
    Value exponent = op.getArgs()[0];
    Value power =
        LLVM::CallIntrinsicOp::create(
            rewriter, loc, TypeRange{exponent.getType()},
            rewriter.getStringAttr("llvm.exp2.f32"), ValueRange{exponent},
            LLVM::FastmathFlagsAttr::get(op.getContext(),
                                         LLVM::FastmathFlags::none))
            .getResult(0);
    constexpr float kLeastExponent = -126;
    Value isLess = LLVM::FCmpOp::create(rewriter, loc, LLVM::FCmpPredicate::olt,
                                        exponent, constant(kLeastExponent));
    rewriter.replaceOpWithNewOp<LLVM::SelectOp>(op, isLess, constant(0), power);
    return success();
  }
};

/// Reciprocals of roots, which the instruction approximates.
struct ConvertRsqrt : OpRewritePattern<LLVM::CallIntrinsicOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LLVM::CallIntrinsicOp op,
                                PatternRewriter &rewriter) const override {
    if (!calls(op, "llvm.nvvm.rsqrt.approx.f"))
      return failure();
    Value one = LLVM::ConstantOp::create(rewriter, op.getLoc(),
                                         rewriter.getF32FloatAttr(1));
    Value root = LLVM::SqrtOp::create(rewriter, op.getLoc(), op.getArgs()[0]);
    rewriter.replaceOpWithNewOp<LLVM::FDivOp>(op, one, root);
    return success();
  }
};

/// Roots and quotients, which the instructions approximate.
struct ConvertSqrt : OpRewritePattern<LLVM::CallIntrinsicOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LLVM::CallIntrinsicOp op,
                                PatternRewriter &rewriter) const override {
    if (!calls(op, "llvm.nvvm.sqrt.approx.f"))
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::SqrtOp>(op, op.getArgs()[0]);
    return success();
  }
};
struct ConvertDiv : OpRewritePattern<LLVM::CallIntrinsicOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LLVM::CallIntrinsicOp op,
                                PatternRewriter &rewriter) const override {
    if (!calls(op, "llvm.nvvm.div.full", 2))
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::FDivOp>(op, op.getArgs()[0],
                                              op.getArgs()[1]);
    return success();
  }
};

/// Rounds to the nearest tf32, halves away from zero, by integer arithmetic:
/// half of a tf32's last place is added to the magnitude, and what a tf32
/// doesn't have is cut off. Infinities stay; NaNs stay as they are, lest the
/// sum overflow.
struct ConvertFloatToTF32 : OpRewritePattern<NVVM::ConvertFloatToTF32Op> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(NVVM::ConvertFloatToTF32Op op,
                                PatternRewriter &rewriter) const override {
    if (op.getRnd() != NVVM::FPRoundingMode::RNA || op.getRelu() ||
        op.getSat() != NVVM::SaturationMode::NONE)
      return failure();
    constexpr int32_t kHalf = 1 << 12, kKept = ~(2 * kHalf - 1);
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    Value bits = LLVM::BitcastOp::create(rewriter, loc, i32, op.getSrc());
    auto constant = [&](int32_t value) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc,
                                      rewriter.getI32IntegerAttr(value));
    };
    Value rounded = LLVM::AndOp::create(
        rewriter, loc,
        LLVM::AddOp::create(rewriter, loc, bits, constant(kHalf)),
        constant(kKept));
    Value isNaN = LLVM::FCmpOp::create(rewriter, loc, LLVM::FCmpPredicate::uno,
                                       op.getSrc(), op.getSrc());
    rewriter.replaceOpWithNewOp<LLVM::SelectOp>(op, isNaN, bits, rounded);
    return success();
  }
};

} // namespace

void mirage::populateNVVMToHostPatterns(ModuleOp module, OpTable &ops,
                                        RewritePatternSet &patterns) {
  using namespace NVVM;
  patterns.add<ConvertExp2, ConvertRsqrt, ConvertSqrt, ConvertDiv,
               ConvertFloatToTF32>(module.getContext());
  patterns.add<ConvertSpecialRegister<ThreadIdXOp>>(module,
                                                    SpecialRegister::ThreadIdX);
  patterns.add<ConvertSpecialRegister<ThreadIdYOp>>(module,
                                                    SpecialRegister::ThreadIdY);
  patterns.add<ConvertSpecialRegister<ThreadIdZOp>>(module,
                                                    SpecialRegister::ThreadIdZ);
  patterns.add<ConvertSpecialRegister<BlockIdXOp>>(module,
                                                   SpecialRegister::BlockIdX);
  patterns.add<ConvertSpecialRegister<BlockIdYOp>>(module,
                                                   SpecialRegister::BlockIdY);
  patterns.add<ConvertSpecialRegister<BlockIdZOp>>(module,
                                                   SpecialRegister::BlockIdZ);
  patterns.add<ConvertSpecialRegister<BlockDimXOp>>(module,
                                                    SpecialRegister::BlockDimX);
  patterns.add<ConvertSpecialRegister<BlockDimYOp>>(module,
                                                    SpecialRegister::BlockDimY);
  patterns.add<ConvertSpecialRegister<BlockDimZOp>>(module,
                                                    SpecialRegister::BlockDimZ);
  patterns.add<ConvertSpecialRegister<GridDimXOp>>(module,
                                                   SpecialRegister::GridDimX);
  patterns.add<ConvertSpecialRegister<GridDimYOp>>(module,
                                                   SpecialRegister::GridDimY);
  patterns.add<ConvertSpecialRegister<GridDimZOp>>(module,
                                                   SpecialRegister::GridDimZ);
  patterns.add<ConvertSpecialRegister<LaneIdOp>>(module,
                                                 SpecialRegister::LaneId);
  patterns.add<ConvertSpecialRegister<WarpIdOp>>(module,
                                                 SpecialRegister::WarpId);
  patterns.add<ConvertSpecialRegister<WarpSizeOp>>(module,
                                                   SpecialRegister::WarpSize);
  patterns.add<ConvertSpecialRegister<BlockInClusterIdXOp>>(
      module, SpecialRegister::BlockInClusterX);
  patterns.add<ConvertSpecialRegister<BlockInClusterIdYOp>>(
      module, SpecialRegister::BlockInClusterY);
  patterns.add<ConvertSpecialRegister<BlockInClusterIdZOp>>(
      module, SpecialRegister::BlockInClusterZ);
  patterns.add<ConvertSpecialRegister<ClusterDimBlocksXOp>>(
      module, SpecialRegister::ClusterDimBlocksX);
  patterns.add<ConvertSpecialRegister<ClusterDimBlocksYOp>>(
      module, SpecialRegister::ClusterDimBlocksY);
  patterns.add<ConvertSpecialRegister<ClusterDimBlocksZOp>>(
      module, SpecialRegister::ClusterDimBlocksZ);
  patterns.add<ConvertSpecialRegister<ClusterId>>(module,
                                                  SpecialRegister::BlockRank);
  patterns.add<ConvertSpecialRegister<ClusterDim>>(
      module, SpecialRegister::BlocksPerCluster);
  populateStopPatterns(module, ops, patterns);
  populateWarpPatterns(module, ops, patterns);
  populateSynchronizationPatterns(module, ops, patterns);
  populateMbarrierPatterns(module, ops, patterns);
  populateTensorCopyPatterns(module, ops, patterns);
  populateClusterPatterns(module, ops, patterns);
  populateWgmmaPatterns(module, ops, patterns);
}
