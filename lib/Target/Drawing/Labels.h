//===- Labels.h - Text in drawings ------------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TARGET_DRAWING_LABELS_H
#define MIRAGE_LIB_TARGET_DRAWING_LABELS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Types.h"
#include <string>

namespace mirage {

/// Valid UTF-8 without control characters, which become `\0A`.
std::string makePrintable(llvm::StringRef text);

/// How many columns of a monospaced font valid UTF-8 takes.
unsigned getColumns(llvm::StringRef text);

/// The text, or as much of it as fits into so many columns with an ellipsis.
std::string ellipsize(llvm::StringRef text, unsigned columns);

/// The text in lines of at most so many columns, broken after spaces where
/// there are any.
std::vector<std::string> wrapLines(llvm::StringRef text, unsigned columns);

/// For a label of DOT, between quotes.
std::string escapeDot(llvm::StringRef text);
/// For HTML, in text and between quotes.
std::string escapeHTML(llvm::StringRef text);

/// Six significant digits, with "≈ " in front if these are not all.
std::string getNumberText(double number);
/// "68,157,440".
std::string getGroupedText(int64_t number);
/// "64x32xf16", and of what has no shape how it prints.
std::string getTypeText(mlir::Type type);
/// "64×32 f16".
std::string getTypeTextForPeople(mlir::Type type);
/// A parameter of an operator: "2", "[0, 2, 1]", "gelu2".
std::string getAttributeText(mlir::Attribute attribute);

} // namespace mirage

#endif // MIRAGE_LIB_TARGET_DRAWING_LABELS_H
