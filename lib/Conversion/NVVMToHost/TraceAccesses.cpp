//===- TraceAccesses.cpp - Calls in front of loads and stores -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Done on the LLVM dialect, before LLVM's optimizer: what is traced is what the
// program says, with its locations, and not what the host's vectorizer makes
// of it.
//
//===----------------------------------------------------------------------===//

#include "HostCalls.h"
#include "Mirage/Conversion/NVVMToHost/HostABI.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mirage;
using host_abi::AccessInfo;
using host_abi::AccessKind;
using host_abi::MemorySpace;
using host_abi::SpecialFunction;

/// What an address is computed from, as far as that is plain.
static Value getBase(Value address) {
  while (Operation *op = address.getDefiningOp()) {
    if (!isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp,
             LLVM::IntToPtrOp, LLVM::PtrToIntOp>(op))
      break;
    address = op->getOperand(0);
  }
  return address;
}

unsigned mirage::getArgumentNumber(Value address) {
  auto argument = dyn_cast<BlockArgument>(getBase(address));
  if (!argument || !argument.getOwner()->isEntryBlock() ||
      !argument.getOwner()->getParentOp()->hasAttr(kKernelAttr))
    return 0;
  return argument.getArgNumber() + 1;
}

namespace {

struct Access {
  AccessKind kind;
  Value address;
  /// The number of bytes, or a value that says it.
  uint64_t bytes;
  Value dynamicBytes;
  uint64_t alignment;
};

class Tracer {
public:
  Tracer(ModuleOp module, OpTable &ops)
      : module(module), ops(ops), layout(module), b(module.getContext()) {}

  void run() {
    SmallVector<Operation *> all;
    module.walk([&](Operation *op) { all.push_back(op); });
    for (Operation *op : all) {
      for (const Access &access : getAccesses(op))
        trace(op, access);
      if (std::optional<SpecialFunction> function = getSpecialFunction(op))
        countFunction(op, *function);
    }
    // What the library itself accesses: ldmatrix, wgmma and bulk copies by
    // pieces of 16 bytes, and an mbarrier has 8.
    module.walk([&](NVVM::CpAsyncOp op) { shrink(op.getSize()); });
    module.walk([&](NVVM::MBarrierInitOp) { shrink(8); });
    module->setAttr(host_abi::kAccessGranularity,
                    b.getI64IntegerAttr(granularity));
  }

private:
  Access getTyped(AccessKind kind, Value address, Type type,
                  std::optional<uint64_t> alignment) {
    return {kind, address, layout.getTypeSize(type).getFixedValue(), Value(),
            alignment ? *alignment : layout.getTypeABIAlignment(type)};
  }

  SmallVector<Access, 2> getAccesses(Operation *op) {
    return llvm::TypeSwitch<Operation *, SmallVector<Access, 2>>(op)
        .Case([&](LLVM::LoadOp load) -> SmallVector<Access, 2> {
          return {getTyped(AccessKind::Read, load.getAddr(), load.getType(),
                           load.getAlignment())};
        })
        .Case([&](LLVM::StoreOp store) -> SmallVector<Access, 2> {
          return {getTyped(AccessKind::Write, store.getAddr(),
                           store.getValue().getType(), store.getAlignment())};
        })
        .Case<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(
            [&](auto atomic) -> SmallVector<Access, 2> {
              return {getTyped(AccessKind::Atomic, atomic.getPtr(),
                               atomic->getOperand(1).getType(),
                               atomic.getAlignment())};
            })
        .Case<LLVM::MemcpyOp, LLVM::MemmoveOp>(
            [&](auto copy) -> SmallVector<Access, 2> {
              return {{AccessKind::Read, copy.getSrc(), 0, copy.getLen(), 1},
                      {AccessKind::Write, copy.getDst(), 0, copy.getLen(), 1}};
            })
        .Case([&](LLVM::MemsetOp fill) -> SmallVector<Access, 2> {
          return {{AccessKind::Write, fill.getDst(), 0, fill.getLen(), 1}};
        })
        .Default([](Operation *) { return SmallVector<Access, 2>(); });
  }

  static std::optional<SpecialFunction> getSpecialFunction(Operation *op) {
    if (isa<LLVM::FDivOp>(op))
      return SpecialFunction::Divide;
    StringRef name = op->getName().getStringRef();
    if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
      name = call.getIntrin();
    else if (!name.consume_front("llvm.intr."))
      return std::nullopt;
    name.consume_front("llvm.");
    name.consume_front("nvvm.");
    // The natural ones are computed by those to the base of 2.
    return llvm::StringSwitch<std::optional<SpecialFunction>>(
               name.take_until([](char c) { return c == '.'; }))
        .Cases({"exp", "exp2", "ex2"}, SpecialFunction::Exp2)
        .Cases({"log", "log2", "log10", "lg2"}, SpecialFunction::Log2)
        .Case("sqrt", SpecialFunction::Sqrt)
        .Case("rsqrt", SpecialFunction::Rsqrt)
        .Cases({"sin", "cos"}, SpecialFunction::Sine)
        .Case("tanh", SpecialFunction::Tanh)
        .Case("div", SpecialFunction::Divide)
        .Default(std::nullopt);
  }

  void countFunction(Operation *op, SpecialFunction function) {
    if (op->getNumResults() != 1)
      return;
    int64_t count = 1;
    if (auto vector = dyn_cast<VectorType>(op->getResult(0).getType()))
      count = vector.getNumElements();
    b.setInsertionPoint(op);
    callHost(module, b, op->getLoc(), host_abi::kSpecialFunction,
             LLVM::LLVMVoidType::get(b.getContext()),
             {constantI32(b, op->getLoc(), static_cast<int32_t>(function)),
              constantI32(b, op->getLoc(), static_cast<int32_t>(count))});
  }

  void shrink(uint64_t bytes) {
    granularity =
        std::min(granularity, uint64_t{1} << llvm::countr_zero(bytes));
  }

  void trace(Operation *op, const Access &access) {
    // A thread's own variables, and constants.
    Operation *base = getBase(access.address).getDefiningOp();
    unsigned space =
        cast<LLVM::LLVMPointerType>(access.address.getType()).getAddressSpace();
    auto isSpace = [&](NVVM::NVVMMemorySpace which) {
      return space == static_cast<unsigned>(which);
    };
    if (isa_and_present<LLVM::AllocaOp>(base) ||
        isSpace(NVVM::NVVMMemorySpace::Local) ||
        isSpace(NVVM::NVVMMemorySpace::Constant))
      return;
    if (isa_and_present<LLVM::AddressOfOp>(base) &&
        cast<LLVM::LLVMPointerType>(base->getResult(0).getType())
                .getAddressSpace() !=
            static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared))
      return;
    if (!access.dynamicBytes && access.bytes == 0)
      return;
    if (!access.dynamicBytes)
      shrink(access.bytes);
    shrink(access.alignment);

    AccessInfo info{access.kind, MemorySpace::Unknown,
                    llvm::Log2_64(access.alignment),
                    getArgumentNumber(access.address)};
    if (isSpace(NVVM::NVVMMemorySpace::Shared) ||
        isSpace(NVVM::NVVMMemorySpace::SharedCluster))
      info.space = MemorySpace::Shared;
    else if (isSpace(NVVM::NVVMMemorySpace::Global) || info.argument)
      info.space = MemorySpace::Device;
    b.setInsertionPoint(op);
    Location loc = op->getLoc();
    Value bytes = access.dynamicBytes;
    if (!bytes)
      bytes = LLVM::ConstantOp::create(
          b, loc, b.getI64IntegerAttr(static_cast<int64_t>(access.bytes)));
    else if (!bytes.getType().isInteger(64))
      bytes = LLVM::ZExtOp::create(b, loc, b.getI64Type(), bytes);
    // Pointers of all spaces become the same type soon.
    callHost(module, b, loc, host_abi::kAccess,
             LLVM::LLVMVoidType::get(b.getContext()),
             {constantI32(b, loc, ops.add(op)), access.address, bytes,
              constantI32(b, loc, info.encode())});
  }

  ModuleOp module;
  OpTable &ops;
  DataLayout layout;
  OpBuilder b;
  uint64_t granularity = 16;
};

} // namespace

void mirage::traceAccesses(ModuleOp module, OpTable &ops) {
  Tracer(module, ops).run();
}
