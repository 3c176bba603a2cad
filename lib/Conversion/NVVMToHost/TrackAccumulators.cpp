//===- TrackAccumulators.cpp - Uses of accumulators of wgmma --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The accumulators of a wgmma may not be used before its wait. As values of the
// IR they have no place where the library could leave them undefined until
// then. So each value that comes from a wgmma gets a companion: how many of
// them the thread had issued by then. It goes where the value goes, through
// structs and blocks; what really uses the value first asks the library whether
// so many have been waited for.
//
// Rows in registers must have been there at a fence: where they are written,
// the fences that the thread has come to are counted.
//
//===----------------------------------------------------------------------===//

#include "HostCalls.h"
#include "Mirage/Conversion/InlinePTX/RegisterWgmma.h"
#include "Mirage/Conversion/NVVMToHost/HostABI.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;

namespace {

class Tracker {
public:
  Tracker(ModuleOp module, OpTable &ops, LLVM::LLVMFuncOp function)
      : module(module), ops(ops), function(function), b(module.getContext()) {}

  void run() {
    function.walk([&](NVVM::WgmmaMmaAsyncOp op) { add(op.getResults()); });
    SmallVector<LLVM::InlineAsmOp> ofRegisters;
    function.walk([&](LLVM::InlineAsmOp op) {
      if (!RegisterWgmma::match(op))
        return;
      add(op->getResult(0));
      ofRegisters.push_back(op);
    });
    if (values.empty())
      return;
    for (LLVM::InlineAsmOp op : ofRegisters)
      checkRows(op);
    for (size_t i = 0; i < values.size(); ++i)
      for (OpOperand &use : values[i].getUses())
        follow(use);
    // Arguments come first: loops lead back to them.
    for (Value value : values)
      if (auto argument = dyn_cast<BlockArgument>(value))
        companions[value] =
            argument.getOwner()->addArgument(b.getI32Type(), argument.getLoc());
    passToBlocks();
    for (Operation *user : users)
      check(user);
  }

private:
  void add(Value value) { values.insert(value); }

  /// Adds what the value becomes where it is used, or notes the op that really
  /// uses it.
  void follow(OpOperand &use) {
    Operation *op = use.getOwner();
    if (isa<LLVM::ExtractValueOp, LLVM::InsertValueOp>(op))
      return add(op->getResult(0));
    if (auto select = dyn_cast<LLVM::SelectOp>(op);
        select && use.getOperandNumber() > 0)
      return add(select.getResult());
    // It goes on in the same registers.
    if (isa<NVVM::WgmmaMmaAsyncOp>(op))
      return;
    if (auto wgmma = dyn_cast<LLVM::InlineAsmOp>(op);
        wgmma && RegisterWgmma::match(wgmma) &&
        use.getOperandNumber() < RegisterWgmma::getSums(wgmma).size())
      return;
    if (auto branch = dyn_cast<BranchOpInterface>(op))
      if (std::optional<BlockArgument> argument =
              branch.getSuccessorBlockArgument(use.getOperandNumber()))
        return add(*argument);
    users.insert(op);
  }

  /// Whether there was a fence since registers with rows have been written.
  void checkRows(LLVM::InlineAsmOp op) {
    llvm::SmallSetVector<Value, 4> written;
    for (Value row : RegisterWgmma::getRows(op)) {
      // These are no instructions.
      while (Operation *maker = row.getDefiningOp()) {
        if (!isa<LLVM::ExtractValueOp, LLVM::BitcastOp>(maker))
          break;
        row = maker->getOperand(0);
      }
      written.insert(row);
    }
    Location loc = op.getLoc();
    for (Value row : written) {
      b.setInsertionPointAfterValue(row);
      Value fences =
          callHost(module, b, loc, host_abi::kWgmmaFences, b.getI32Type(), {})
              .getResult();
      b.setInsertionPoint(op);
      callHost(module, b, loc, host_abi::kWgmmaRead,
               LLVM::LLVMVoidType::get(b.getContext()),
               {constantI32(b, loc, ops.add(op)), fences});
    }
  }

  Value getZero(Location loc) {
    if (!zero) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&function.getBody().front());
      zero = constantI32(b, loc, 0);
    }
    return zero;
  }

  Value getLarger(Location loc, Value lhs, Value rhs) {
    if (lhs == rhs)
      return lhs;
    return LLVM::UMaxOp::create(b, loc, lhs, rhs);
  }

  Value getCompanion(Value value) {
    if (!values.contains(value))
      return getZero(value.getLoc());
    if (Value companion = companions.lookup(value))
      return companion;
    Operation *op = value.getDefiningOp();
    Location loc = op->getLoc();
    Value result;
    if (isa<LLVM::ExtractValueOp>(op)) {
      result = getCompanion(op->getOperand(0));
    } else if (auto insert = dyn_cast<LLVM::InsertValueOp>(op)) {
      Value container = getCompanion(insert.getContainer()),
            part = getCompanion(insert.getValue());
      b.setInsertionPointAfter(op);
      result = getLarger(loc, container, part);
    } else if (auto select = dyn_cast<LLVM::SelectOp>(op)) {
      Value ifTrue = getCompanion(select.getTrueValue()),
            ifFalse = getCompanion(select.getFalseValue());
      b.setInsertionPointAfter(op);
      result = getLarger(loc, ifTrue, ifFalse);
    } else {
      b.setInsertionPointAfter(op);
      result =
          callHost(module, b, loc, host_abi::kWgmmaIssued, b.getI32Type(), {})
              .getResult();
    }
    return companions[value] = result;
  }

  /// Hands the companions of what branches pass on.
  void passToBlocks() {
    SmallVector<BranchOpInterface> branches;
    function.walk([&](BranchOpInterface op) { branches.push_back(op); });
    for (BranchOpInterface branch : branches)
      for (unsigned i = 0, n = branch->getNumSuccessors(); i < n; ++i) {
        Block *block = branch->getSuccessor(i);
        // Companions are behind the arguments, in their order.
        SmallVector<Value> passed;
        for (BlockArgument argument : block->getArguments()) {
          if (!values.contains(argument))
            continue;
          Value from = branch.getSuccessorOperands(i)[argument.getArgNumber()];
          passed.push_back(from ? getCompanion(from)
                                : getZero(branch->getLoc()));
        }
        branch.getSuccessorOperands(i).append(passed);
      }
  }

  void check(Operation *user) {
    llvm::SmallSetVector<Value, 4> asked;
    for (Value operand : user->getOperands())
      if (values.contains(operand))
        asked.insert(getCompanion(operand));
    b.setInsertionPoint(user);
    for (Value companion : asked)
      callHost(module, b, user->getLoc(), host_abi::kWgmmaUse,
               LLVM::LLVMVoidType::get(b.getContext()),
               {constantI32(b, user->getLoc(), ops.add(user)), companion});
  }

  ModuleOp module;
  OpTable &ops;
  LLVM::LLVMFuncOp function;
  OpBuilder b;
  /// Those that come from a wgmma, and the ops that use them.
  llvm::SetVector<Value> values;
  llvm::SetVector<Operation *> users;
  DenseMap<Value, Value> companions;
  Value zero;
};

} // namespace

void mirage::trackAccumulators(ModuleOp module, OpTable &ops) {
  for (auto function :
       llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>()))
    if (!function.isExternal())
      Tracker(module, ops, function).run();
}
