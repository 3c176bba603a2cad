//===- Labels.cpp - Text in drawings --------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Labels.h"
#include "Mirage/Operators/ShapeText.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Unicode.h"
#include <cmath>

using namespace mlir;
using namespace mirage;

std::string mirage::makePrintable(StringRef text) {
  std::string valid =
      llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
  std::string printable;
  llvm::raw_string_ostream out(printable);
  for (unsigned char c : valid)
    if (c < 0x20 || c == 0x7f)
      out << '\\' << llvm::format_hex_no_prefix(c, 2, /*Upper=*/true);
    else
      out << c;
  return printable;
}

/// Calls `visit` with each character and its columns until it returns false.
static void forEachCharacter(StringRef text,
                             function_ref<bool(StringRef, unsigned)> visit) {
  while (!text.empty()) {
    StringRef character =
        text.take_front(llvm::getNumBytesForUTF8(text.front()));
    int columns = llvm::sys::unicode::columnWidthUTF8(character);
    // What can't be printed may be drawn as a box.
    if (!visit(character, columns < 0 ? 2 : columns))
      return;
    text = text.drop_front(character.size());
  }
}

unsigned mirage::getColumns(StringRef text) {
  unsigned sum = 0;
  forEachCharacter(text, [&](StringRef, unsigned columns) {
    sum += columns;
    return true;
  });
  return sum;
}

/// The longest prefix of at most so many columns.
static StringRef takeColumns(StringRef text, unsigned columns) {
  unsigned sum = 0;
  size_t length = 0;
  forEachCharacter(text, [&](StringRef character, unsigned width) {
    sum += width;
    if (sum > columns)
      return false;
    length += character.size();
    return true;
  });
  return text.take_front(length);
}

std::string mirage::ellipsize(StringRef text, unsigned columns) {
  if (takeColumns(text, columns).size() == text.size())
    return text.str();
  return takeColumns(text, columns - 1).str() + "…";
}

std::vector<std::string> mirage::wrapLines(StringRef text, unsigned columns) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    StringRef line = takeColumns(text, columns);
    if (line.size() < text.size()) {
      size_t space = line.rfind(' ');
      if (space != StringRef::npos)
        line = line.take_front(space + 1);
      // A character that is wider than the line.
      else if (line.empty())
        line = text.take_front(llvm::getNumBytesForUTF8(text.front()));
    }
    text = text.drop_front(line.size());
    lines.push_back(line.rtrim().str());
  }
  return lines;
}

std::string mirage::escapeDot(StringRef text) {
  std::string escaped;
  for (char c : makePrintable(text)) {
    if (c == '"' || c == '\\')
      escaped += '\\';
    escaped += c;
    // Entities are replaced in labels.
    if (c == '&')
      escaped += "amp;";
  }
  return escaped;
}

std::string mirage::escapeHTML(StringRef text) {
  std::string escaped;
  for (char c : text)
    switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += c;
    }
  return escaped;
}

std::string mirage::getNumberText(double number) {
  std::string text = llvm::formatv("{0}", llvm::format("%.6g", number));
  double shown = std::strtod(text.c_str(), nullptr);
  // An f32 that was widened has more digits than it was written with.
  bool isExact = shown == number ||
                 (static_cast<double>(static_cast<float>(number)) == number &&
                  static_cast<float>(shown) == static_cast<float>(number));
  return isExact ? text : "≈ " + text;
}

std::string mirage::getGroupedText(int64_t number) {
  return llvm::formatv("{0:N}", number);
}

std::string mirage::getTypeText(Type type) {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape() || isa<MemRefType>(type)) {
    out << type;
    return makePrintable(text);
  }
  for (int64_t size : shaped.getShape())
    out << size << 'x';
  out << shaped.getElementType();
  return makePrintable(text);
}

std::string mirage::getTypeTextForPeople(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape() || isa<MemRefType>(type))
    return getTypeText(type);
  std::string text;
  llvm::raw_string_ostream out(text);
  if (shaped.getRank() == 0)
    out << "scalar";
  llvm::interleave(shaped.getShape(), out, "×");
  out << ' ' << shaped.getElementType();
  return makePrintable(text);
}

std::string mirage::getAttributeText(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    out << integer.getValue();
  else if (auto number = dyn_cast<FloatAttr>(attribute))
    out << getNumberText(number.getValueAsDouble());
  else if (auto string = dyn_cast<StringAttr>(attribute))
    out << string.getValue();
  else if (auto symbol = dyn_cast<FlatSymbolRefAttr>(attribute))
    out << symbol.getValue();
  else if (auto integers = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    out << '[';
    llvm::interleaveComma(integers.asArrayRef(), out);
    out << ']';
  } else
    out << attribute;
  return makePrintable(text);
}
