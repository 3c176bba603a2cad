//===- Thread.h - The thread dialect ----------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_THREAD_THREAD_H
#define MIRAGE_DIALECT_THREAD_THREAD_H

#include "Mirage/Dialect/Mirage/Mirage.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Mirage/Dialect/Thread/Dialect.h.inc"

namespace mirage::block {
class GraphDefinedOp;
} // namespace mirage::block

#define GET_OP_CLASSES
#include "Mirage/Dialect/Thread/Ops.h.inc"

#endif // MIRAGE_DIALECT_THREAD_THREAD_H
