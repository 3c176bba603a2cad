//===- Kernel.cpp - The kernel dialect ------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Mirage/BlockGraphVerifier.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;

#include "Mirage/Dialect/Kernel/Dialect.cpp.inc"

#define GET_OP_CLASSES
#include "Mirage/Dialect/Kernel/Ops.cpp.inc"

void KernelDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Mirage/Dialect/Kernel/Ops.cpp.inc"
      >();
}

LogicalResult GraphDefinedOp::verify() {
  // C1
  if (getBody().getNumArguments() != getInputs().size())
    return emitOpError("has ")
           << getInputs().size() << " operands, but its region has "
           << getBody().getNumArguments() << " arguments";
  for (auto [i, argument, input] :
       llvm::enumerate(getBody().getArguments(), getInputs()))
    if (argument.getType() != input.getType())
      return emitOpError("operand ")
             << i << " is a " << input.getType()
             << ", but the region's argument is a " << argument.getType();
  // C3
  for (Operation &op : getBlockGraph())
    if (!isa<ConstantOp>(op) &&
        op.getName().getDialectNamespace() != getDialectName(Level::Block))
      return op.emitOpError("can't stand in a block graph");
  return success();
}

LogicalResult GraphDefinedOp::verifyRegions() {
  // C2. The savers are ops of the block dialect, which this one doesn't know.
  SmallVector<Operation *> savers;
  for (Operation &op : getBlockGraph())
    if (op.getName().getStringRef() == "mirage_block.output_saver" &&
        op.isRegistered())
      savers.push_back(&op);
  if (savers.size() != getNumResults())
    return emitOpError("has ") << getNumResults() << " results, but "
                               << savers.size() << " output savers";
  for (auto [i, saver] : llvm::enumerate(savers)) {
    Type type = saver->getAttrOfType<TypeAttr>("type").getValue();
    if (type != getResult(i).getType()) {
      InFlightDiagnostic diagnostic = emitOpError("result ")
                                      << i << " is a " << getResult(i).getType()
                                      << ", but its saver writes a " << type;
      diagnostic.attachNote(saver->getLoc()) << "the saver is here";
      return diagnostic;
    }
  }
  // C4. Without the block dialect there are no savers, and nothing to verify.
  Dialect *blocks =
      getContext()->getLoadedDialect(getDialectName(Level::Block));
  auto *verifier =
      blocks ? blocks->getRegisteredInterface<BlockGraphVerifier>() : nullptr;
  return success(!verifier || succeeded(verifier->verifyBlockGraph(*this)));
}
