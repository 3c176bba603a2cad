//===- Thread.cpp - The thread dialect ------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Thread/Thread.h"
#include "Mirage/Dialect/Block/Block.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::thread;

#include "Mirage/Dialect/Thread/Dialect.cpp.inc"

#define GET_OP_CLASSES
#include "Mirage/Dialect/Thread/Ops.cpp.inc"

void ThreadDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Mirage/Dialect/Thread/Ops.cpp.inc"
      >();
}
