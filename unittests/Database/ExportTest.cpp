//===- ExportTest.cpp - Results as JSON lines -----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DatabaseTest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace mirage;
using testing::HasSubstr;

namespace {

class ExportTest : public DatabaseTest {
protected:
  std::unique_ptr<ResultsDatabase> openOther(llvm::StringRef name) const {
    return must(ResultsDatabase::open(getFile(name)));
  }
  static std::string getExport(ResultsDatabase &database) {
    std::string text;
    llvm::raw_string_ostream os(text);
    must(database.exportTo(os));
    return text;
  }
  static llvm::Expected<int64_t> import(ResultsDatabase &database,
                                        llvm::StringRef text) {
    return database.importFrom(llvm::MemoryBufferRef(text, "export.jsonl"));
  }
};

TEST_F(ExportTest, Format) {
  auto database = open();
  must(database->storeResult({"p", "t", "o", "v"}, "μ\n\"x\"", "f", 0.1));
  ResultsEntry entry = must(database->list())[0];
  std::string text = getExport(*database);
  std::string checksum = llvm::StringRef(text)
                             .rsplit("\"checksum\":\"")
                             .second.take_front(64)
                             .str();
  EXPECT_EQ(text,
            "{\"format\":\"mirage-results\",\"version\":1,\"entries\":1}\n"
            "{\"kind\":\"result\",\"function\":\"f\",\"target\":\"t\","
            "\"options\":\"o\",\"version\":\"v\",\"program\":\"p\","
            "\"created\":" +
                std::to_string(entry.created) +
                ",\"seconds\":0.10000000000000001,\"blob\":\"μ\\n\\\"x\\\""
                "\",\"checksum\":\"" +
                checksum + "\"}\n");
}

/// So that files which were exported can always be read: the checksum is that
/// of docs/Database.md, made by hand with sha256sum.
TEST_F(ExportTest, Checksum) {
  auto database = open();
  constexpr const char *kText =
      "{\"format\":\"mirage-results\",\"version\":1,\"entries\":1}\n"
      "{\"kind\":\"result\",\"function\":\"f\",\"target\":\"t\",\"options\":"
      "\"o\",\"version\":\"v\",\"program\":\"p\",\"created\":1700000000,"
      "\"seconds\":0.5,\"blob\":\"b\",\"checksum\":"
      "\"a3a818d515063e6358ad098eb7d1b6e9293f54034af2324e4276e60643977e0d\"}\n";
  EXPECT_EQ(must(import(*database, kText)), 1);
  EXPECT_EQ(getExport(*database), kText);
}

TEST_F(ExportTest, EverythingComesBack) {
  auto database = open();
  for (int i = 0; i < 10; ++i) {
    std::string blob(i * 100, 'a' + i);
    blob += std::string("\0\x01\x7f\\\"/μ€𝄞", 16);
    must(database->storeResult(makeKey(llvm::Twine(i)), blob, "f", i / 3.0));
    must(database->storeCheckpoint(makeKey("c" + llvm::Twine(i)), blob));
  }
  std::string text = getExport(*database);
  auto other = openOther("other.db");
  EXPECT_EQ(must(import(*other, text)), 20);
  EXPECT_TRUE(getExport(*other) == text);
  std::vector<ResultsEntry> first = must(database->list());
  std::vector<ResultsEntry> second = must(other->list());
  ASSERT_EQ(first.size(), second.size());
  for (size_t i = 0; i < first.size(); ++i) {
    EXPECT_TRUE(first[i].key == second[i].key);
    EXPECT_TRUE(first[i].blob == second[i].blob);
    EXPECT_EQ(first[i].kind, second[i].kind);
    EXPECT_EQ(first[i].created, second[i].created);
    EXPECT_EQ(first[i].seconds, second[i].seconds);
  }
  // Again: all is there.
  EXPECT_EQ(must(import(*other, text)), 0);
  EXPECT_TRUE(getExport(*other) == text);
}

TEST_F(ExportTest, OfNothing) {
  auto database = open();
  std::string text = getExport(*database);
  EXPECT_EQ(text,
            "{\"format\":\"mirage-results\",\"version\":1,\"entries\":0}\n");
  EXPECT_EQ(must(import(*database, text)), 0);
}

TEST_F(ExportTest, WhatIsThereStaysUnlessItIsLess) {
  auto database = open();
  must(database->storeResult(makeKey("rr"), "imported"));
  must(database->storeResult(makeKey("cr"), "imported"));
  must(database->storeCheckpoint(makeKey("rc"), "imported"));
  must(database->storeCheckpoint(makeKey("cc"), "imported"));
  auto other = openOther("other.db");
  must(other->storeResult(makeKey("rr"), "there"));
  must(other->storeCheckpoint(makeKey("cr"), "there"));
  must(other->storeResult(makeKey("rc"), "there"));
  must(other->storeCheckpoint(makeKey("cc"), "there"));
  EXPECT_EQ(must(import(*other, getExport(*database))), 1);
  EXPECT_EQ(lookup(*other, makeKey("rr")), "there");
  EXPECT_EQ(lookup(*other, makeKey("cr")), "imported");
  EXPECT_EQ(lookup(*other, makeKey("rc")), "there");
  EXPECT_EQ(getText(other->loadCheckpoint(makeKey("cc"))), "there");
}

TEST_F(ExportTest, EmptyLinesDontMatter) {
  auto database = open();
  must(database->storeResult(makeKey("p"), "found"));
  llvm::SmallVector<llvm::StringRef> lines;
  std::string text = getExport(*database);
  llvm::StringRef(text).split(lines, '\n');
  auto other = openOther("other.db");
  EXPECT_EQ(must(import(*other, "\n" + llvm::join(lines, "\r\n\n") + " \n")),
            1);
}

/// Nothing of a broken file is imported, whatever is right in it.
TEST_F(ExportTest, Broken) {
  auto database = open();
  must(database->storeResult(makeKey("p"), "found", "f", 1));
  must(database->storeResult(makeKey("q"), "found", "f", 1));
  const std::string text = getExport(*database);
  auto other = openOther("other.db");
  auto getError = [&](llvm::StringRef broken) {
    llvm::Expected<int64_t> count = import(*other, broken);
    EXPECT_TRUE(must(other->list()).empty());
    return count ? "" : llvm::toString(count.takeError());
  };
  // Replaces the last of its kind.
  auto replace = [&](llvm::StringRef from, llvm::StringRef to) {
    size_t place = text.rfind(from.str());
    EXPECT_NE(place, std::string::npos) << from.str();
    return getError(text.substr(0, place) + to.str() +
                    text.substr(place + from.size()));
  };
  EXPECT_THAT(getError(""), HasSubstr("export.jsonl:1: is empty"));
  EXPECT_THAT(getError("\n \n"), HasSubstr("export.jsonl:1: is empty"));
  EXPECT_THAT(getError("hello"), HasSubstr("export.jsonl:1: "));
  EXPECT_THAT(getError(std::string(500000, '[')),
              HasSubstr("lists and objects nest too deeply"));
  EXPECT_THAT(getError("[]"),
              HasSubstr("export.jsonl:1: is not a JSON object"));
  EXPECT_THAT(getError("{}"),
              HasSubstr("export.jsonl:1: is not the first line of exported "
                        "results: 'format' is not 'mirage-results'"));
  // Without the first line.
  EXPECT_THAT(getError(llvm::StringRef(text).split('\n').second),
              HasSubstr("export.jsonl:1: is not the first line"));
  EXPECT_THAT(replace("\"version\":1,\"entries\"", "\"version\":2,\"entries\""),
              HasSubstr("export.jsonl:1: has format version 2; this version of "
                        "Mirage reads 1"));
  EXPECT_THAT(replace("\"version\":1,\"entries\"", "\"entries\""),
              HasSubstr("export.jsonl:1: has format version none"));
  EXPECT_THAT(replace(",\"entries\":2", ""),
              HasSubstr("export.jsonl:1: has no number 'entries'"));
  // Truncated: in a line, and between two.
  EXPECT_THAT(getError(llvm::StringRef(text).drop_back(10)),
              HasSubstr("export.jsonl:3: "));
  EXPECT_THAT(getError(text.substr(0, text.rfind("{\"kind\""))),
              HasSubstr("export.jsonl:2: there are 1 entries; the first line "
                        "says 2"));
  EXPECT_THAT(replace("\"blob\":\"found", "\"blob\":\"other"),
              HasSubstr("export.jsonl:3: is corrupt: its checksum doesn't "
                        "hold"));
  EXPECT_THAT(replace("\"kind\":\"result", "\"kind\":\"checkpoint"),
              HasSubstr("export.jsonl:3: is corrupt"));
  EXPECT_THAT(replace("\"kind\":\"result", "\"kind\":\"other"),
              HasSubstr("export.jsonl:3: has the unknown kind 'other'"));
  EXPECT_THAT(replace("\"blob\":\"found", "\"blob\":\"\xff"),
              HasSubstr("export.jsonl:3: "));
  EXPECT_THAT(replace("\"created\":", "\"created\":\"\",\"x\":"),
              HasSubstr("export.jsonl:3: has no number 'created'"));
  EXPECT_THAT(replace("\"seconds\":1", "\"seconds\":\"1\""),
              HasSubstr("export.jsonl:3: has no number 'seconds'"));
  EXPECT_THAT(replace("\"seconds\":1", "\"seconds\":1e999"),
              HasSubstr("export.jsonl:3: the number of seconds is not finite"));
  for (const char *time : {"-1", "253402300800", "9223372036854775807"})
    EXPECT_THAT(
        replace("\"created\":", "\"created\":" + std::string(time) + ",\"x\":"),
        HasSubstr("export.jsonl:3: the time 'created' is not in the "
                  "years 1970 to 9999"));
  for (const char *field : {"kind", "function", "target", "options", "version",
                            "program", "blob", "checksum"}) {
    std::string name = "\"" + std::string(field) + "\":";
    EXPECT_THAT(
        replace(name, "\"other\":"),
        HasSubstr("export.jsonl:3: has no text '" + std::string(field) + "'"));
  }
  EXPECT_EQ(must(import(*other, text)), 2);
}

} // namespace
