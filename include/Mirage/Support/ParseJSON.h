//===- ParseJSON.h - JSON that anybody may have written ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SUPPORT_PARSEJSON_H
#define MIRAGE_SUPPORT_PARSEJSON_H

#include "llvm/Support/JSON.h"

namespace mirage {

/// The value that a text says. The parser of LLVM recurses, so text that nests
/// too deeply never gets there: that is an error of the parser's own kind, a
/// `json::ParseError`. Nothing that Mirage reads nests half as deeply.
inline llvm::Expected<llvm::json::Value> parseJSON(llvm::StringRef text) {
  constexpr int kDeepest = 64;
  int depth = 0;
  unsigned line = 1;
  size_t lineBegin = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      lineBegin = i + 1;
    } else if (inString) {
      if (c == '\\')
        ++i;
      inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest)
        return llvm::make_error<llvm::json::ParseError>(
            "lists and objects nest too deeply", line, i - lineBegin, i);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return llvm::json::parse(text);
}

} // namespace mirage

#endif // MIRAGE_SUPPORT_PARSEJSON_H
