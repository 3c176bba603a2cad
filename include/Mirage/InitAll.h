//===- InitAll.h - Registers what the tools use -----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INITALL_H
#define MIRAGE_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mirage {

/// Mirage's dialects, those of MLIR that programs come in and are lowered to,
/// and the external models that the passes need.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Mirage's passes and pipelines, and MLIR's that are of use beside them.
void registerAllPasses();

} // namespace mirage

#endif // MIRAGE_INITALL_H
