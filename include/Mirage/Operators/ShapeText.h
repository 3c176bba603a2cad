//===- ShapeText.h - Shapes in messages -------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_OPERATORS_SHAPETEXT_H
#define MIRAGE_OPERATORS_SHAPETEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include <string>

namespace mirage {

/// "16x4096"; "scalar" for rank 0.
inline std::string getShapeText(llvm::ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  return llvm::join(
      llvm::map_range(shape, [](int64_t size) { return std::to_string(size); }),
      "x");
}

} // namespace mirage

#endif // MIRAGE_OPERATORS_SHAPETEXT_H
