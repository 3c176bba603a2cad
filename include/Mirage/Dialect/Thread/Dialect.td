//===- Dialect.td - The thread dialect ---------------------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_THREAD_DIALECT_TD
#define MIRAGE_DIALECT_THREAD_DIALECT_TD

include "mlir/IR/OpBase.td"

def Thread_Dialect : Dialect {
  let name = "mirage_thread";
  let cppNamespace = "::mirage::thread";
  let summary = "Operators on fragments in registers";
  let description = [{
    The body of a graph-defined block operator: an elementwise computation that stays in the registers of the threads, without shared memory or barriers in between.
  }];
  let dependentDialects = ["::mirage::MirageDialect"];
}

#endif // MIRAGE_DIALECT_THREAD_DIALECT_TD
