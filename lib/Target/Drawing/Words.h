//===- Words.h - Drawings in words ------------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TARGET_DRAWING_WORDS_H
#define MIRAGE_LIB_TARGET_DRAWING_WORDS_H

#include "Diagram.h"

namespace mirage {

/// What a node or frame does, for someone who doesn't know the terms: some
/// sentences, one a line. Plain text.
std::string describe(const DiagramNode &node);
std::string describe(const DiagramFrame &frame);

/// Fields of a search report and what they mean, in an order for people. A
/// report may have others.
llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> getReportFields();
/// What a rule of a report's `pruned` means; empty if it is not known here.
llvm::StringRef describePruningRule(llvm::StringRef name);

} // namespace mirage

#endif // MIRAGE_LIB_TARGET_DRAWING_WORDS_H
