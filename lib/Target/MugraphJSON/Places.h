//===- Places.h - Where a value stands in JSON text -------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TARGET_MUGRAPHJSON_PLACES_H
#define MIRAGE_LIB_TARGET_MUGRAPHJSON_PLACES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <utility>
#include <variant>

namespace mirage {

/// An index into a list or a key of an object.
using PathStep = std::variant<size_t, llvm::StringRef>;

/// The line and column, from 1, of a value of a JSON text, which must be right:
/// the parser has no places. Where the path ends early, its last value's.
std::pair<unsigned, unsigned> findPlace(llvm::StringRef text,
                                        llvm::ArrayRef<PathStep> path);

} // namespace mirage

#endif // MIRAGE_LIB_TARGET_MUGRAPHJSON_PLACES_H
