//===- SelectionTest.cpp - The best of several μGraphs --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SelectTest.h"
#include <map>

using namespace mirage;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// Knows times, and counts how often it is asked.
class FakeProfiler final : public Profiler {
public:
  std::string getDevice() const override { return device; }
  std::string getMethod() const override { return method; }
  llvm::Expected<std::string>
  getFingerprint(const SelectCandidate &candidate) override {
    if (code.empty())
      return llvm::createStringError("it can't be compiled");
    return code;
  }
  llvm::Expected<double> measure(const SelectCandidate &candidate) override {
    asked.push_back(candidate.name);
    auto known = times.find(candidate.name);
    if (known == times.end())
      return llvm::createStringError("it computes something else");
    return known->second;
  }

  std::string device = "fake", method = "guessed", code = "some";
  std::map<std::string, double> times{{"f1", 100}, {"f8", 300}, {"f64", 200}};
  std::vector<std::string> asked;
};

class SelectionTest : public SelectTest {
protected:
  std::vector<std::string> getNames(const Selection &selection) {
    std::vector<std::string> names;
    for (const RankedCandidate &ranked : selection.ranked)
      names.push_back(candidates[ranked.index].name);
    return names;
  }
  Selection run() { return must(select(candidates, options, &profiler)); }
  std::string getError() {
    auto selection = select(candidates, options, &profiler);
    return selection ? "" : llvm::toString(selection.takeError());
  }

  FakeProfiler profiler;
};

TEST_F(SelectionTest, RanksByTheModel) {
  Selection selection = must(select(candidates, options, nullptr));
  EXPECT_THAT(getNames(selection), ElementsAre("f64", "f8", "f1"));
  EXPECT_LT(selection.ranked[0].estimate, selection.ranked[1].estimate);
  EXPECT_FALSE(selection.ranked[0].measured);
}

TEST_F(SelectionTest, RanksByTimes) {
  Selection selection = run();
  EXPECT_THAT(getNames(selection), ElementsAre("f1", "f64", "f8"));
  EXPECT_EQ(selection.ranked[0].measured, 100);
  EXPECT_THAT(profiler.asked, ElementsAre("f64", "f8", "f1"));
}

TEST_F(SelectionTest, MeasuresTheFirst) {
  options.topK = 2;
  EXPECT_THAT(getNames(run()), ElementsAre("f64", "f8", "f1"));
  EXPECT_THAT(profiler.asked, ElementsAre("f64", "f8"));
}

TEST_F(SelectionTest, WhatFailsComesLast) {
  profiler.times.erase("f1");
  profiler.times["f64"] = std::numeric_limits<double>::quiet_NaN();
  Selection selection = run();
  EXPECT_THAT(getNames(selection), ElementsAre("f8", "f64", "f1"));
  EXPECT_EQ(selection.ranked[1].error, "its time is no positive number");
  EXPECT_EQ(selection.ranked[2].error, "it computes something else");
}

TEST_F(SelectionTest, ErrorsIfAllFail) {
  profiler.times.clear();
  EXPECT_EQ(getError(), "no candidate could be measured; of 'f64': it computes "
                        "something else");
  candidates.clear();
  EXPECT_EQ(getError(), "there are no candidates");
}

TEST_F(SelectionTest, TimesAreKept) {
  auto database = must(ResultsDatabase::open(path));
  options.database = database.get();
  Selection first = run();
  EXPECT_FALSE(first.ranked[0].isFromDatabase);
  profiler.asked.clear();
  Selection second = run();
  EXPECT_THAT(profiler.asked, ElementsAre());
  EXPECT_EQ(getNames(second), getNames(first));
  EXPECT_EQ(second.ranked[0].measured, 100);
  EXPECT_TRUE(second.ranked[0].isFromDatabase);
  // Other code, another device, another way to measure.
  profiler.code = "other";
  run();
  EXPECT_EQ(profiler.asked.size(), 3u);
  profiler.asked.clear();
  profiler.device = "other";
  run();
  EXPECT_EQ(profiler.asked.size(), 3u);
  profiler.method = "other";
  run();
  EXPECT_EQ(profiler.asked.size(), 6u);
}

TEST_F(SelectionTest, NothingIsFoundForWhatCannotBeCompiled) {
  auto database = must(ResultsDatabase::open(path));
  options.database = database.get();
  run();
  profiler.code.clear();
  EXPECT_EQ(getError(), "no candidate could be measured; of 'f64': it can't be "
                        "compiled");
}

TEST_F(SelectionTest, FailuresAreNotKept) {
  auto database = must(ResultsDatabase::open(path));
  options.database = database.get();
  profiler.times.erase("f1");
  run();
  profiler.times["f1"] = 100;
  EXPECT_EQ(getNames(run())[0], "f1");
}

TEST_F(SelectionTest, EntriesOfOthersAreErrors) {
  auto database = must(ResultsDatabase::open(path));
  options.database = database.get();
  run();
  for (const char *blob : {"{", "[]", "{\"nanoseconds\": -1}"}) {
    for (const ResultsEntry &entry : must(database->list()))
      must(database->storeResult(entry.key, blob));
    EXPECT_THAT(getError(), HasSubstr("results.db: the time of 'f64' is none; "
                                      "remove it with mirage-db clear"));
  }
}

} // namespace
