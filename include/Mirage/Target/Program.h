//===- Program.h - Translations to and from compiled programs ---*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TARGET_PROGRAM_H
#define MIRAGE_TARGET_PROGRAM_H

namespace mirage {

/// Registers `mlir-to-program`, which compiles a module of μGraphs, or one in
/// the gpu dialect, to the file that the runtime library loads, and
/// `program-to-json`, which says what such a file contains.
void registerProgramTranslations();

} // namespace mirage

#endif // MIRAGE_TARGET_PROGRAM_H
