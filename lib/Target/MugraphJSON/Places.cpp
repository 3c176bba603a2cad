//===- Places.cpp - Where a value stands in JSON text ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"

using namespace mirage;
using llvm::StringRef;

static constexpr StringRef kSpace = " \t\r\n";

/// The offset after the string that begins at `at`.
static size_t skipString(StringRef text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\')
      ++at;
  return at + 1;
}

/// The offset after the value that begins at `at`.
static size_t skipValue(StringRef text, size_t at) {
  int depth = 0;
  while (at < text.size()) {
    char c = text[at];
    if (c == '"') {
      at = skipString(text, at);
    } else if (c == '[' || c == '{') {
      ++depth;
      ++at;
    } else if (c == ']' || c == '}') {
      --depth;
      ++at;
    } else if (depth > 0) {
      ++at;
    } else {
      // A number or a word.
      return std::min(text.find_first_of(",]} \t\r\n", at), text.size());
    }
    if (depth == 0)
      break;
  }
  return at;
}

/// The offset of the element that a step leads to, or `at` if there is none.
static size_t enter(StringRef text, size_t at, const PathStep &step) {
  const size_t *index = std::get_if<size_t>(&step);
  if (at >= text.size() || text[at] != (index ? '[' : '{'))
    return at;
  size_t found = at, next = at + 1;
  for (size_t i = 0;; ++i) {
    next = text.find_first_not_of(kSpace, next);
    if (next >= text.size() || text[next] == ']' || text[next] == '}')
      return found;
    bool matches = index && i == *index;
    if (!index) {
      size_t end = skipString(text, next);
      matches = text.slice(next + 1, end - 1) == std::get<StringRef>(step);
      next = text.find(':', end);
      next = text.find_first_not_of(kSpace,
                                    next == StringRef::npos ? end : next + 1);
      if (next >= text.size())
        return found;
    }
    // Of a key that stands there twice the parser takes the last.
    if (matches)
      found = next;
    if (matches && index)
      return found;
    next = text.find_first_not_of(kSpace, skipValue(text, next));
    if (next >= text.size() || text[next] != ',')
      return found;
    ++next;
  }
}

std::pair<unsigned, unsigned> mirage::findPlace(StringRef text,
                                                llvm::ArrayRef<PathStep> path) {
  size_t at = text.find_first_not_of(kSpace);
  if (at == StringRef::npos)
    return {1, 1};
  for (const PathStep &step : path)
    at = enter(text, at, step);
  StringRef before = text.take_front(at);
  // npos + 1 is 0, where the first line begins.
  size_t lineStart = before.rfind('\n') + 1;
  return {before.count('\n') + 1, at - lineStart + 1};
}
