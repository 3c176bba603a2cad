//===- Entries.cpp - Entries as JSON lines, and their checksums -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Entries.h"
#include "Mirage/Support/ParseJSON.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/SHA256.h"
#include <cmath>
#include <tuple>

using namespace mirage;
namespace json = llvm::json;

static constexpr llvm::StringLiteral kFormatName = "mirage-results";
static constexpr int64_t kFormatVersion = 1;

llvm::StringRef mirage::getEntryKindName(EntryKind kind) {
  return kind == EntryKind::Result ? "result" : "checkpoint";
}

std::optional<EntryKind> mirage::parseEntryKind(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<EntryKind>>(name)
      .Case("result", EntryKind::Result)
      .Case("checkpoint", EntryKind::Checkpoint)
      .Default(std::nullopt);
}

std::string mirage::getChecksum(const ResultsEntry &entry) {
  // Each text ends with its length, so that texts can't run into each other.
  llvm::SHA256 hash;
  auto addNumber = [&](uint64_t number) {
    hash.update(llvm::utohexstr(number, /*LowerCase=*/true, /*Width=*/16));
  };
  for (llvm::StringRef text :
       {getEntryKindName(entry.kind), llvm::StringRef(entry.key.program),
        llvm::StringRef(entry.key.target), llvm::StringRef(entry.key.options),
        llvm::StringRef(entry.key.version), llvm::StringRef(entry.function),
        llvm::StringRef(entry.blob)}) {
    hash.update(text);
    addNumber(text.size());
  }
  addNumber(entry.created);
  addNumber(llvm::bit_cast<uint64_t>(entry.seconds));
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

llvm::Error mirage::checkEntry(const ResultsEntry &entry) {
  for (auto [name, text] :
       {std::pair<const char *, llvm::StringRef>{"program", entry.key.program},
        {"target", entry.key.target},
        {"options", entry.key.options},
        {"version", entry.key.version},
        {"function", entry.function},
        {"blob", entry.blob}})
    if (!json::isUTF8(text))
      return llvm::createStringError(llvm::Twine("the text '") + name +
                                     "' is not UTF-8");
  if (!std::isfinite(entry.seconds))
    return llvm::createStringError("the number of seconds is not finite");
  if (!entry.hasValidTime())
    return llvm::createStringError(
        "the time 'created' is not in the years 1970 to 9999");
  return llvm::Error::success();
}

void mirage::writeEntries(llvm::ArrayRef<ResultsEntry> entries,
                          llvm::raw_ostream &os) {
  auto writeLine = [&](llvm::function_ref<void(json::OStream &)> write) {
    json::OStream line(os);
    line.object([&] { write(line); });
    line.flush();
    os << "\n";
  };
  writeLine([&](json::OStream &line) {
    line.attribute("format", kFormatName);
    line.attribute("version", kFormatVersion);
    line.attribute("entries", static_cast<int64_t>(entries.size()));
  });
  for (const ResultsEntry &entry : entries)
    writeLine([&](json::OStream &line) {
      line.attribute("kind", getEntryKindName(entry.kind));
      line.attribute("function", entry.function);
      line.attribute("target", entry.key.target);
      line.attribute("options", entry.key.options);
      line.attribute("version", entry.key.version);
      line.attribute("program", entry.key.program);
      line.attribute("created", entry.created);
      line.attribute("seconds", entry.seconds);
      line.attribute("blob", entry.blob);
      line.attribute("checksum", getChecksum(entry));
    });
}

/// The object of a line.
static llvm::Expected<json::Object> parseLine(llvm::StringRef line) {
  llvm::Expected<json::Value> value = parseJSON(line);
  if (!value)
    return value.takeError();
  if (json::Object *object = value->getAsObject())
    return std::move(*object);
  return llvm::createStringError("is not a JSON object");
}

/// Returns how many entries follow.
static llvm::Expected<int64_t> readHeader(llvm::StringRef line) {
  llvm::Expected<json::Object> header = parseLine(line);
  if (!header)
    return header.takeError();
  if (header->getString("format") != kFormatName)
    return llvm::createStringError(
        "is not the first line of exported results: 'format' is not '" +
        kFormatName + "'");
  std::optional<int64_t> version = header->getInteger("version");
  if (version != kFormatVersion)
    return llvm::createStringError(
        "has format version " +
        (version ? llvm::Twine(*version) : llvm::Twine("none")) +
        "; this version of Mirage reads " + llvm::Twine(kFormatVersion));
  std::optional<int64_t> count = header->getInteger("entries");
  if (!count)
    return llvm::createStringError("has no number 'entries'");
  return *count;
}

static llvm::Expected<ResultsEntry> readEntry(llvm::StringRef line) {
  llvm::Expected<json::Object> object = parseLine(line);
  if (!object)
    return object.takeError();
  ResultsEntry entry;
  std::string kindName, checksum;
  for (auto [name, text] :
       {std::pair<const char *, std::string *>{"kind", &kindName},
        {"function", &entry.function},
        {"target", &entry.key.target},
        {"options", &entry.key.options},
        {"version", &entry.key.version},
        {"program", &entry.key.program},
        {"blob", &entry.blob},
        {"checksum", &checksum}}) {
    std::optional<llvm::StringRef> value = object->getString(name);
    if (!value)
      return llvm::createStringError(llvm::Twine("has no text '") + name + "'");
    *text = value->str();
  }
  std::optional<EntryKind> kind = parseEntryKind(kindName);
  if (!kind)
    return llvm::createStringError("has the unknown kind '" + kindName + "'");
  entry.kind = *kind;
  std::optional<int64_t> created = object->getInteger("created");
  if (!created)
    return llvm::createStringError("has no number 'created'");
  entry.created = *created;
  std::optional<double> seconds = object->getNumber("seconds");
  if (!seconds)
    return llvm::createStringError("has no number 'seconds'");
  entry.seconds = *seconds;
  if (llvm::Error error = checkEntry(entry))
    return std::move(error);
  if (checksum != getChecksum(entry))
    return llvm::createStringError("is corrupt: its checksum doesn't hold");
  return std::move(entry);
}

llvm::Expected<std::vector<ResultsEntry>>
mirage::readEntries(llvm::MemoryBufferRef buffer) {
  auto makeError = [&](int64_t line, const llvm::Twine &message) {
    return llvm::createStringError(buffer.getBufferIdentifier() + ":" +
                                   llvm::Twine(line) + ": " + message);
  };
  std::vector<ResultsEntry> entries;
  std::optional<int64_t> count;
  int64_t number = 0;
  for (llvm::StringRef rest = buffer.getBuffer(); !rest.empty();) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    ++number;
    if (line.trim().empty())
      continue;
    if (!count) {
      llvm::Expected<int64_t> header = readHeader(line);
      if (!header)
        return makeError(number, llvm::toString(header.takeError()));
      count = *header;
      continue;
    }
    llvm::Expected<ResultsEntry> entry = readEntry(line);
    if (!entry)
      return makeError(number, llvm::toString(entry.takeError()));
    entries.push_back(std::move(*entry));
  }
  if (!count)
    return makeError(1, "is empty: exported results begin with a line that "
                        "says so");
  if (static_cast<int64_t>(entries.size()) != *count)
    return makeError(number, "there are " + llvm::Twine(entries.size()) +
                                 " entries; the first line says " +
                                 llvm::Twine(*count));
  return std::move(entries);
}
