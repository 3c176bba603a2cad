//===- Style.h - How the HTML page looks ------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TARGET_DRAWING_STYLE_H
#define MIRAGE_LIB_TARGET_DRAWING_STYLE_H

#include "llvm/ADT/StringRef.h"

namespace mirage {

/// The style sheet of the page: light and dark, and for print.
extern const llvm::StringLiteral kPageStyle;
/// What the page does beyond what a browser does without scripts: it shows the
/// description of what is clicked, and marks the edges of what is pointed at.
extern const llvm::StringLiteral kPageScript;
/// The panel that the script shows descriptions in.
extern const llvm::StringLiteral kPagePanel;

} // namespace mirage

#endif // MIRAGE_LIB_TARGET_DRAWING_STYLE_H
