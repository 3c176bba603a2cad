//===- Svg.h - Drawings as SVG ----------------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TARGET_DRAWING_SVG_H
#define MIRAGE_LIB_TARGET_DRAWING_SVG_H

#include "Diagram.h"
#include "llvm/ADT/DenseMap.h"

namespace mirage {

/// Lines to be added to what is drawn of ops.
using ExtraNotes = llvm::DenseMap<mlir::Operation *, std::string>;

/// How much a page may shrink a drawing before it gets a scroll bar.
constexpr double kLeastScale = 0.85;

/// Writes an `<svg>` element, to be styled by the page, and returns its width
/// in pixels. Each node and frame has a `<title>` with its description, which
/// browsers show on hovering.
double writeSvg(const Diagram &diagram, mlir::AsmState &names,
                const ExtraNotes &extra, llvm::StringRef label,
                llvm::raw_ostream &out);

} // namespace mirage

#endif // MIRAGE_LIB_TARGET_DRAWING_SVG_H
