//===- NVVMToHost.cpp - Kernels as functions for the host -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/NVVMToHost/HostABI.h"
#include "Mirage/Conversion/NVVMToHost/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

namespace mirage {
#define GEN_PASS_DEF_CONVERTNVVMTOHOST
#include "Mirage/Conversion/NVVMToHost/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using mirage::host_abi::ShuffleKind;
using mirage::host_abi::SpecialRegister;

namespace {

constexpr unsigned kSharedSpace =
    static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);

/// Calls the emulation library's function NAME, declared on first use. A pure
/// function's result stays the same for a thread in its block, so that LLVM may
/// move and merge the calls.
LLVM::CallOp callHost(ModuleOp module, OpBuilder &b, Location loc,
                      StringRef name, Type result, ValueRange operands,
                      bool pure = false) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    SmallVector<Type> types(operands.getTypes());
    function = LLVM::LLVMFuncOp::create(
        b, module.getLoc(), name, LLVM::LLVMFunctionType::get(result, types));
    function.setNoUnwind(true);
    if (pure) {
      SmallVector<LLVM::ModRefInfo> none(6, LLVM::ModRefInfo::NoModRef);
      function.setMemoryEffectsAttr(
          LLVM::MemoryEffectsAttr::get(b.getContext(), none));
      function.setWillReturn(true);
    }
  }
  return LLVM::CallOp::create(b, loc, function, operands);
}

Value constantI32(OpBuilder &b, Location loc, int32_t value) {
  return LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
}

template <typename Op> struct ConvertSpecialRegister : OpRewritePattern<Op> {
  ConvertSpecialRegister(ModuleOp module, SpecialRegister kind)
      : OpRewritePattern<Op>(module.getContext()), module(module), kind(kind) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Value which =
        constantI32(rewriter, op.getLoc(), static_cast<int32_t>(kind));
    rewriter.replaceOp(op,
                       callHost(module, rewriter, op.getLoc(),
                                mirage::host_abi::kSpecialRegister,
                                rewriter.getI32Type(), which, /*pure=*/true));
    return success();
  }

  ModuleOp module;
  SpecialRegister kind;
};

/// A barrier of the whole block. Others (numbered, of some threads, with a
/// reduction) have operands.
template <typename Op> struct ConvertBarrier : OpRewritePattern<Op> {
  ConvertBarrier(ModuleOp module)
      : OpRewritePattern<Op>(module.getContext()), module(module) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumOperands() || op->getNumResults())
      return failure();
    callHost(module, rewriter, op.getLoc(), mirage::host_abi::kBarrier,
             LLVM::LLVMVoidType::get(rewriter.getContext()), {});
    rewriter.eraseOp(op);
    return success();
  }

  ModuleOp module;
};

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

struct ConvertShuffle : OpRewritePattern<NVVM::ShflOp> {
  ConvertShuffle(ModuleOp module)
      : OpRewritePattern(module.getContext()), module(module) {}

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
    Value packed =
        callHost(module, rewriter, loc, mirage::host_abi::kShuffle, i64,
                 ValueRange{kind, op.getThreadMask(), value, op.getOffset(),
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

  ModuleOp module;
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
}

/// Why `op` can't run on the host, or nothing.
std::optional<std::string> getObstacle(Operation &op) {
  if (isa_and_present<NVVM::NVVMDialect, gpu::GPUDialect>(op.getDialect()))
    return "has no emulation on the host";
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    if (call.getIntrin().starts_with("llvm.nvvm."))
      return ("calls " + call.getIntrin() +
              ", which has no emulation on the host")
          .str();
  if (isa<LLVM::InlineAsmOp>(op))
    return "has no emulation on the host";
  if (!isa_and_present<LLVM::LLVMDialect>(op.getDialect()) &&
      !isa<ModuleOp>(op))
    return "is neither in the LLVM nor in the NVVM dialect";
  return std::nullopt;
}

struct ConvertNVVMToHost
    : mirage::impl::ConvertNVVMToHostBase<ConvertNVVMToHost> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(hoistKernels(module)))
      return signalPassFailure();
    placeSharedMemory(module);

    RewritePatternSet patterns(&getContext());
    mirage::populateNVVMToHostPatterns(module, patterns);
    walkAndApplyPatterns(module, std::move(patterns));

    WalkResult result = module.walk([](Operation *op) {
      if (std::optional<std::string> obstacle = getObstacle(*op)) {
        op->emitOpError(*obstacle);
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  /// Leaves only the contents of the gpu.modules, at the top, each symbol with
  /// its module's name in front.
  LogicalResult hoistKernels(ModuleOp module) {
    SmallVector<gpu::GPUModuleOp> gpuModules(module.getOps<gpu::GPUModuleOp>());
    for (gpu::GPUModuleOp gpuModule : gpuModules) {
      for (Operation &op : gpuModule.getBody()->getOperations()) {
        auto symbol = dyn_cast<SymbolOpInterface>(op);
        if (!isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op))
          return op.emitOpError("can't be moved to the host, expected only "
                                "LLVM functions and globals");
        std::string name = mirage::host_abi::getFunctionName(
            gpuModule.getName(), symbol.getName());
        if (failed(SymbolTable::replaceAllSymbolUses(
                symbol, StringAttr::get(&getContext(), name), gpuModule)))
          return op.emitOpError("can't be renamed");
        symbol.setName(name);
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
      size = llvm::alignTo(size + bytes, mirage::host_abi::kSharedAlignment);
    }
    for (StringRef name : dynamic)
      offsets[name] = size;
    module->setAttr(mirage::host_abi::kStaticSharedBytes,
                    b.getI64IntegerAttr(size));

    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    module.walk([&](LLVM::AddressOfOp op) {
      auto it = offsets.find(op.getGlobalName());
      if (it == offsets.end())
        return;
      b.setInsertionPoint(op);
      Value offset = LLVM::ConstantOp::create(b, op.getLoc(),
                                              b.getI64IntegerAttr(it->second));
      op.replaceAllUsesWith(callHost(module, b, op.getLoc(),
                                     mirage::host_abi::kSharedMemory, pointer,
                                     offset,
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

} // namespace

void mirage::populateNVVMToHostPatterns(ModuleOp module,
                                        RewritePatternSet &patterns) {
  using namespace NVVM;
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
  patterns.add<ConvertBarrier<Barrier0Op>, ConvertBarrier<BarrierOp>,
               ConvertShuffle>(module);
}
