//===- Jit.cpp - Compiles LLVM-dialect modules for the host ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Jit.h"
#include "Mirage/Numbers/Float16.h"
#include "Mirage/Runtime/Array.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ADT/bit.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

// What LLVM calls to convert 16-bit floats on processors without instructions
// for it. GCC's runtime has not all of them. A 16-bit float travels in a
// floating-point register, whichever format it is, so _Float16 stands for
// bfloat16 as well (which not every C++ compiler knows).
static _Float16 asFloat16(uint16_t bits) {
  return llvm::bit_cast<_Float16>(bits);
}
static _Float16 truncateFloatToHalf(float value) {
  return asFloat16(mirage::floatToHalf(value));
}
static _Float16 truncateDoubleToHalf(double value) {
  return asFloat16(mirage::doubleToHalf(value));
}
static _Float16 truncateFloatToBFloat(float value) {
  return asFloat16(mirage::floatToBFloat(value));
}
static _Float16 truncateDoubleToBFloat(double value) {
  return asFloat16(mirage::doubleToBFloat(value));
}
static float extendHalfToFloat(_Float16 value) {
  return mirage::halfToFloat(llvm::bit_cast<uint16_t>(value));
}
static float extendBFloatToFloat(_Float16 value) {
  return mirage::bfloatToFloat(llvm::bit_cast<uint16_t>(value));
}

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(StringRef cpu) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  if (!cpu.empty()) {
    builder->setCPU(cpu.str());
    builder->getFeatures() = llvm::SubtargetFeatures();
  }
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  return builder->createTargetMachine();
}

llvm::Expected<std::unique_ptr<ExecutionEngine>>
mirage::compileForHost(ModuleOp module, StringRef cpu,
                       ArrayRef<std::pair<StringRef, void *>> symbols) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);

  // One for the optimizer, and one that the engine takes.
  auto optimizerMachine = createTargetMachine(cpu);
  if (!optimizerMachine)
    return optimizerMachine.takeError();
  auto engineMachine = createTargetMachine(cpu);
  if (!engineMachine)
    return engineMachine.takeError();

  auto optimize = makeOptimizingTransformer(/*optLevel=*/3, /*sizeLevel=*/0,
                                            optimizerMachine->get());
  ExecutionEngineOptions options;
  options.transformer = optimize;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto engine =
      ExecutionEngine::create(module, options, std::move(*engineMachine));
  if (!engine)
    return engine.takeError();

  (*engine)->registerSymbols([&](llvm::orc::MangleAndInterner intern) {
    llvm::orc::SymbolMap map;
    auto add = [&](StringRef name, void *address) {
      map[intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                           llvm::JITSymbolFlags::Exported |
                               llvm::JITSymbolFlags::Callable};
    };
    add("__truncsfhf2", reinterpret_cast<void *>(truncateFloatToHalf));
    add("__truncdfhf2", reinterpret_cast<void *>(truncateDoubleToHalf));
    add("__truncsfbf2", reinterpret_cast<void *>(truncateFloatToBFloat));
    add("__truncdfbf2", reinterpret_cast<void *>(truncateDoubleToBFloat));
    add("__extendhfsf2", reinterpret_cast<void *>(extendHalfToFloat));
    add("__extendbfsf2", reinterpret_cast<void *>(extendBFloatToFloat));
    for (auto [name, address] : symbols)
      add(name, address);
    return map;
  });
  return std::move(*engine);
}
