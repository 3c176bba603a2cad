//===- Npy.cpp - NumPy's .npy files ---------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format: a magic string, a version, the length of the header, the header
// (the text of a Python dict with the keys descr, fortran_order and shape),
// then the data.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/Array.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace mirage;

// The files are little-endian, and their data is copied as it is.
static_assert(llvm::endianness::native == llvm::endianness::little,
              "big-endian hosts are not supported");

static constexpr llvm::StringLiteral kMagic("\x93NUMPY");

namespace {

struct Header {
  std::string descr;
  bool fortranOrder = false;
  llvm::SmallVector<int64_t> shape;
};

/// Parses the dict of the header; false when it isn't what NumPy writes.
class HeaderParser {
public:
  explicit HeaderParser(llvm::StringRef text) : rest(text) {}

  bool parse(Header &header) {
    bool haveDescr = false, haveOrder = false, haveShape = false;
    if (!consume("{"))
      return false;
    while (!consume("}")) {
      std::string key;
      if (!parseString(key) || !consume(":"))
        return false;
      if (key == "descr" && !haveDescr)
        haveDescr = parseString(header.descr);
      else if (key == "fortran_order" && !haveOrder)
        haveOrder = parseBool(header.fortranOrder);
      else if (key == "shape" && !haveShape)
        haveShape = parseShape(header.shape);
      else
        return false;
      if (!consume(",") && !rest.ltrim().starts_with("}"))
        return false;
    }
    return haveDescr && haveOrder && haveShape && rest.trim().empty();
  }

private:
  bool consume(llvm::StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  bool parseString(std::string &value) {
    rest = rest.ltrim();
    if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
      return false;
    size_t end = rest.find(rest[0], 1);
    if (end == llvm::StringRef::npos)
      return false;
    value = rest.slice(1, end).str();
    rest = rest.drop_front(end + 1);
    return true;
  }

  bool parseBool(bool &value) {
    value = consume("True");
    return value || consume("False");
  }

  bool parseShape(llvm::SmallVectorImpl<int64_t> &shape) {
    if (!consume("("))
      return false;
    while (!consume(")")) {
      uint64_t extent;
      rest = rest.ltrim();
      // Bounded, so that the number of bytes can't overflow unnoticed.
      if (rest.consumeInteger(10, extent) || extent > (uint64_t{1} << 40))
        return false;
      shape.push_back(static_cast<int64_t>(extent));
      if (!consume(",") && !rest.ltrim().starts_with(")"))
        return false;
    }
    return true;
  }

  llvm::StringRef rest;
};

} // namespace

llvm::Expected<Array> mirage::readNpy(llvm::StringRef path) {
  auto error = [&](const llvm::Twine &what) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   path + ": " + what);
  };
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return error(file.getError().message());
  llvm::StringRef rest = (*file)->getBuffer();
  if (!rest.consume_front(kMagic))
    return error("not a .npy file (it doesn't start with \\x93NUMPY)");
  if (rest.size() < 2)
    return error("truncated header");
  int version = static_cast<uint8_t>(rest[0]);
  if (version < 1 || version > 3)
    return error("version " + llvm::Twine(version) +
                 " of the format, expected 1, 2 or 3");
  rest = rest.drop_front(2);
  size_t lengthBytes = version == 1 ? 2 : 4;
  if (rest.size() < lengthBytes)
    return error("truncated header");
  size_t length = version == 1 ? llvm::support::endian::read16le(rest.data())
                               : llvm::support::endian::read32le(rest.data());
  rest = rest.drop_front(lengthBytes);
  if (rest.size() < length)
    return error("truncated header");

  Header header;
  if (!HeaderParser(rest.take_front(length)).parse(header))
    return error("malformed header '" + rest.take_front(length).trim() + "'");
  rest = rest.drop_front(length);
  if (header.fortranOrder)
    return error("Fortran order, expected C order (numpy.ascontiguousarray)");
  auto type = llvm::StringSwitch<std::optional<ElementType>>(header.descr)
                  .Case("<f2", ElementType::F16)
                  .Case("<f4", ElementType::F32)
                  .Case("<f8", ElementType::F64)
                  .Default(std::nullopt);
  if (!type)
    return error("element type '" + header.descr +
                 "', expected <f2, <f4 or <f8");

  uint64_t size = getElementSize(*type);
  for (int64_t extent : header.shape)
    size = llvm::SaturatingMultiply(size, static_cast<uint64_t>(extent));
  if (rest.size() != size)
    return error("expected " + llvm::Twine(size) + " bytes of data for " +
                 describeArray(header.shape, *type) + ", found " +
                 llvm::Twine(rest.size()));
  Array array(header.shape, *type);
  if (size)
    std::memcpy(array.bytes.data(), rest.data(), size);
  return array;
}

llvm::Error mirage::writeNpy(llvm::StringRef path, const Array &array) {
  if (array.type == ElementType::BF16)
    return writeNpy(path, array.convertTo(ElementType::F32));
  std::string header = "{'descr': '<f" +
                       std::to_string(getElementSize(array.type)) +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : array.shape)
    header += std::to_string(extent) + ",";
  header += "), }";
  // The data starts at a multiple of 64 bytes; the header is padded with blanks
  // and ends with a newline.
  size_t prefix = kMagic.size() + 4;
  header.append(
      llvm::offsetToAlignment(prefix + header.size() + 1, llvm::Align(64)),
      ' ');
  header += '\n';

  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return llvm::createStringError(code, path + ": " + code.message());
  os << kMagic << '\x01' << '\0' << static_cast<char>(header.size() & 0xff)
     << static_cast<char>(header.size() >> 8) << header;
  os.write(reinterpret_cast<const char *>(array.bytes.data()),
           array.bytes.size());
  os.close();
  if (os.has_error()) {
    code = os.error();
    os.clear_error();
    return llvm::createStringError(code, path + ": " + code.message());
  }
  return llvm::Error::success();
}
