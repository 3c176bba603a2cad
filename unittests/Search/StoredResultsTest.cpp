//===- StoredResultsTest.cpp - Results that are looked up -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphText.h"
#include "Mirage/Mugraph/CanonicalProgram.h"
#include "Mirage/Search/SizeSpace.h"
#include "SearchFixture.h"
#include "TemporaryDatabase.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include "gmock/gmock.h"
#include <random>
#include <regex>

using namespace mirage;

namespace {

/// A factored product and a softmax, which has a split form.
constexpr const char *kProgram = R"(
func.func @attend(%s: tensor<16x4096xf16>, %v: tensor<4096x64xf16>)
    -> tensor<16x64xf16> {
  %e = mirage_kernel.exp %s : (tensor<16x4096xf16>) -> tensor<16x4096xf16>
  %o = mirage_kernel.matmul %e, %v : (tensor<16x4096xf16>, tensor<4096x64xf16>) -> tensor<16x64xf16>
  %n = mirage_kernel.sum %e dim 1 : (tensor<16x4096xf16>) -> tensor<16x1xf16>
  %r = mirage_kernel.div %o, %n : (tensor<16x64xf16>, tensor<16x1xf16>) -> tensor<16x64xf16>
  return %r : tensor<16x64xf16>
})";

/// Two outputs.
constexpr const char *kPair = R"(
func.func @f(%x: tensor<64x1024xf16>, %w: tensor<1024x256xf16>) -> (tensor<64x1024xf16>, tensor<64x256xf16>) {
  %a = mirage_kernel.relu %x : (tensor<64x1024xf16>) -> tensor<64x1024xf16>
  %b = mirage_kernel.exp %a : (tensor<64x1024xf16>) -> tensor<64x1024xf16>
  %c = mirage_kernel.matmul %b, %w : (tensor<64x1024xf16>, tensor<1024x256xf16>) -> tensor<64x256xf16>
  return %b, %c : tensor<64x1024xf16>, tensor<64x256xf16>
})";

/// A product of what is computed and rounded.
constexpr const char *kRounded = R"(
func.func @scores(%x: tensor<64x64xf16>, %y: tensor<64x256xf16>) -> tensor<64x256xf16> {
  %a = mirage_kernel.relu %x : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %b = mirage_kernel.relu %y : (tensor<64x256xf16>) -> tensor<64x256xf16>
  %c = mirage_kernel.matmul %a, %b : (tensor<64x64xf16>, tensor<64x256xf16>) -> tensor<64x256xf16>
  return %c : tensor<64x256xf16>
})";

class StoredResults : public SearchFixture {
protected:
  StoredResults() {
    options.database = database.get();
    options.maxKernelOps = 2;
    options.timeLimit = 100;
  }

  /// Searches again for a program with a word or a number of its entry
  /// replaced.
  void damage(const char *text, int rounds, EntryKind kind = EntryKind::Result);

  std::atomic<bool> interrupt{false};
  /// One that `damage` has damaged.
  std::string checkpoint;
  TemporaryDatabase database;
};

std::string getText(const SearchResult &result) {
  std::string text;
  for (const SearchCandidate &candidate : result.candidates)
    text += mirage::getText(candidate.graph);
  return text;
}

} // namespace

TEST_F(StoredResults, AreFoundAgain) {
  KernelGraph program = parse(kProgram);
  options.keep = 8;
  SearchResult first = run(program);
  SearchResult second = run(program);
  EXPECT_FALSE(first.statistics.fromDatabase);
  EXPECT_TRUE(second.statistics.fromDatabase);
  ASSERT_FALSE(first.candidates.empty());
  EXPECT_EQ(getText(first), getText(second));
  EXPECT_EQ(first.statistics.states, second.statistics.states);
  for (auto [a, b] : llvm::zip(first.candidates, second.candidates)) {
    EXPECT_EQ(b.verdict.verdict, Verdict::Proved);
    EXPECT_EQ(a.cost.nanoseconds, b.cost.nanoseconds);
    EXPECT_EQ(a.sizes->getChosen(), b.sizes->getChosen());
  }
}

TEST_F(StoredResults, HaveTheTypesOfTiles) {
  const KernelGraph program = parse(kRounded);
  SearchResult first = run(program), second = run(program);
  EXPECT_TRUE(second.statistics.fromDatabase);
  ASSERT_EQ(first.candidates.size(), 1u);
  ASSERT_EQ(second.candidates.size(), 1u);
  const KernelGraph &graph = second.candidates[0].graph;
  EXPECT_EQ(getCanonicalText(first.candidates[0].graph),
            getCanonicalText(graph));
  EXPECT_EQ(llvm::count_if(graph.nodes.back().graph->nodes,
                           [](const BlockNode &node) {
                             return node.op && node.elementType;
                           }),
            2);
}

// Nodes and operands in another order, a constant that is there twice.
TEST_F(StoredResults, AreThoseOfTheProgramWrittenOtherwise) {
  constexpr llvm::StringLiteral text = R"(
func.func @f(%q: tensor<2x16x64xf16>, %k: tensor<2x64x2048xf16>, %v: tensor<2x2048x64xf16>) -> (tensor<2x16x64xf16>, tensor<2x16x64xf16>) {
  %s = mirage_kernel.matmul %q, %k : (tensor<2x16x64xf16>, tensor<2x64x2048xf16>) -> tensor<2x16x2048xf16>
  %c = mirage.constant 0.125 : tensor<f16>
  %t = mirage_kernel.mul %s, %c : (tensor<2x16x2048xf16>, tensor<f16>) -> tensor<2x16x2048xf16>
  %e = mirage_kernel.exp %t : (tensor<2x16x2048xf16>) -> tensor<2x16x2048xf16>
  %o = mirage_kernel.matmul %e, %v : (tensor<2x16x2048xf16>, tensor<2x2048x64xf16>) -> tensor<2x16x64xf16>
  %l = mirage_kernel.sum %e dim 2 : (tensor<2x16x2048xf16>) -> tensor<2x16x1xf32>
  %r = mirage_kernel.div %o, %l : (tensor<2x16x64xf16>, tensor<2x16x1xf32>) -> tensor<2x16x64xf16>
  %d = mirage.constant 3.5 : tensor<f16>
  %g = mirage_kernel.mul %q, %d : (tensor<2x16x64xf16>, tensor<f16>) -> tensor<2x16x64xf16>
  %h = mirage_kernel.add %g, %q : (tensor<2x16x64xf16>, tensor<2x16x64xf16>) -> tensor<2x16x64xf16>
  return %r, %h : tensor<2x16x64xf16>, tensor<2x16x64xf16>
})",
                                otherwise = R"(
func.func @f(%q: tensor<2x16x64xf16>, %k: tensor<2x64x2048xf16>, %v: tensor<2x2048x64xf16>) -> (tensor<2x16x64xf16>, tensor<2x16x64xf16>) {
  %d = mirage.constant 3.5 : tensor<f16>
  %g = mirage_kernel.mul %d, %q : (tensor<f16>, tensor<2x16x64xf16>) -> tensor<2x16x64xf16>
  %h = mirage_kernel.add %q, %g : (tensor<2x16x64xf16>, tensor<2x16x64xf16>) -> tensor<2x16x64xf16>
  %again = mirage.constant 3.5 : tensor<f16>
  %dead = mirage_kernel.mul %k, %again : (tensor<2x64x2048xf16>, tensor<f16>) -> tensor<2x64x2048xf16>
  %c = mirage.constant 0.125 : tensor<f16>
  %s = mirage_kernel.matmul %q, %k : (tensor<2x16x64xf16>, tensor<2x64x2048xf16>) -> tensor<2x16x2048xf16>
  %t = mirage_kernel.mul %c, %s : (tensor<f16>, tensor<2x16x2048xf16>) -> tensor<2x16x2048xf16>
  %e = mirage_kernel.exp %t : (tensor<2x16x2048xf16>) -> tensor<2x16x2048xf16>
  %l = mirage_kernel.sum %e dim 2 : (tensor<2x16x2048xf16>) -> tensor<2x16x1xf32>
  %o = mirage_kernel.matmul %e, %v : (tensor<2x16x2048xf16>, tensor<2x2048x64xf16>) -> tensor<2x16x64xf16>
  %r = mirage_kernel.div %o, %l : (tensor<2x16x64xf16>, tensor<2x16x1xf32>) -> tensor<2x16x64xf16>
  return %r, %h : tensor<2x16x64xf16>, tensor<2x16x64xf16>
})";
  options.maxKernelOps = 3;
  options.checkpointSeconds = 0;
  options.interrupt = &interrupt;
  int reports = 0, last = 0;
  options.progress = [&](const SearchStatistics &) {
    interrupt = ++reports == last;
  };
  SearchResult first = run(parse(text));
  ASSERT_FALSE(first.candidates.empty());
  const int rounds = reports;
  SearchResult again = run(parse(otherwise));
  EXPECT_TRUE(again.statistics.fromDatabase);
  EXPECT_EQ(getText(again), getText(first));
  // Begun as one, ended as the other.
  for (bool swap : {false, true})
    for (int part : {4, 2}) {
      llvm::cantFail(database->clearAll());
      reports = 0;
      last = rounds / part;
      interrupt = false;
      EXPECT_FALSE(run(parse(swap ? otherwise : text)).statistics.exhausted);
      interrupt = false;
      last = 0;
      SearchResult ended = run(parse(swap ? text : otherwise));
      EXPECT_TRUE(ended.statistics.exhausted);
      EXPECT_FALSE(ended.statistics.fromDatabase);
      EXPECT_EQ(getText(ended), getText(first));
    }
}

// A search that is ended again and again, with each of its states stored, comes
// to the same end.
TEST_F(StoredResults, AreReachedInPieces) {
  KernelGraph program = parse(kAttention);
  options.keep = 4;
  options.maxKernelOps = 3;
  options.database = nullptr;
  SearchResult expected = run(program);
  options.database = database.get();
  options.checkpointSeconds = 0;
  std::atomic<bool> interrupt{false};
  options.interrupt = &interrupt;
  int pieces = 0, reports = 0;
  options.progress = [&](const SearchStatistics &) {
    interrupt = ++reports > (4 << pieces);
  };
  SearchResult result;
  do {
    ++pieces;
    reports = 0;
    interrupt = false;
    result = run(program);
    if (!result.statistics.exhausted) {
      std::vector<ResultsEntry> entries = llvm::cantFail(database->list());
      ASSERT_EQ(entries.size(), 1u);
      EXPECT_EQ(entries[0].kind, EntryKind::Checkpoint);
    }
  } while (!result.statistics.exhausted && pieces < 100);
  EXPECT_GT(pieces, 2);
  EXPECT_EQ(getText(result), getText(expected));
  EXPECT_EQ(result.statistics.placements, expected.statistics.placements);
  EXPECT_EQ(result.statistics.placementsDone,
            expected.statistics.placementsDone);
  EXPECT_EQ(result.statistics.structures, expected.statistics.structures);
}

// Wherever a search was ended: what it had found may cost less than the bounds
// of what it had collected.
TEST_F(StoredResults, AreReachedFromEverywhere) {
  KernelGraph program = parse(R"(
func.func @f(%q: tensor<16x256x64xf16>, %k: tensor<16x64x4096xf16>, %v: tensor<16x4096x64xf16>) -> tensor<16x256x64xf16> {
  %a = mirage_kernel.matmul %q, %k : (tensor<16x256x64xf16>, tensor<16x64x4096xf16>) -> tensor<16x256x4096xf16>
  %e = mirage_kernel.exp %a : (tensor<16x256x4096xf16>) -> tensor<16x256x4096xf16>
  %n = mirage_kernel.matmul %e, %v : (tensor<16x256x4096xf16>, tensor<16x4096x64xf16>) -> tensor<16x256x64xf16>
  %s = mirage_kernel.sum %e dim 2 : (tensor<16x256x4096xf16>) -> tensor<16x256x1xf32>
  %o = mirage_kernel.div %n, %s : (tensor<16x256x64xf16>, tensor<16x256x1xf32>) -> tensor<16x256x64xf16>
  return %o : tensor<16x256x64xf16>
})");
  options.target = TargetAttr::lookup(&context, "sm_80");
  options.maxKernelOps = 2;
  options.checkpointSeconds = 0;
  std::vector<ResultsEntry> checkpoints;
  options.progress = [&](const SearchStatistics &) {
    llvm::append_range(checkpoints, llvm::cantFail(database->list()));
  };
  SearchResult expected = run(program);
  EXPECT_GT(checkpoints.size(), 10u);
  options.checkpointSeconds = 1000;
  options.progress = nullptr;
  for (size_t i = 0; i < checkpoints.size(); i += 1 + i / 8) {
    const ResultsEntry &checkpoint = checkpoints[i];
    llvm::cantFail(database->clearAll());
    llvm::cantFail(database->storeCheckpoint(checkpoint.key, checkpoint.blob));
    SearchResult result = run(program);
    EXPECT_TRUE(result.statistics.exhausted);
    EXPECT_EQ(getText(result), getText(expected));
    EXPECT_EQ(result.statistics.structures, expected.statistics.structures);
    EXPECT_EQ(result.statistics.sizesBounded, expected.statistics.sizesBounded);
    EXPECT_EQ(result.statistics.placementsDone,
              expected.statistics.placementsDone);
  }
}

// What one version stores, the next takes for its own. So whoever changes what
// a search finds, what that costs, or the order in which things are done,
// raises the version in SearchStore.cpp, and then both numbers here.
TEST_F(StoredResults, ChangeWithTheVersionOnly) {
  options.checkpointSeconds = 0;
  options.keep = 4;
  options.maxKernelOps = 3;
  std::string stored;
  options.progress = [&](const SearchStatistics &) {
    for (const ResultsEntry &entry : llvm::cantFail(database->list())) {
      EXPECT_EQ(entry.key.version, "search 75");
      stored += entry.blob;
    }
  };
  for (const char *text : {kProgram, kPair, kAttention, kTwoNorms}) {
    run(parse(text));
    options.progress(SearchStatistics());
    llvm::cantFail(database->clearAll());
  }
  EXPECT_EQ(llvm::utohexstr(llvm::xxh3_64bits(stored)), "DA8B0CF450D3A11E");
}

// Whatever an entry holds, the search ends with an error or with μGraphs that
// are equal to the program.
void StoredResults::damage(const char *text, int rounds, EntryKind kind) {
  KernelGraph program = parse(text);
  options.interrupt = &interrupt;
  if (kind == EntryKind::Checkpoint) {
    options.checkpointSeconds = 0;
    int64_t placements = 0;
    options.progress = [&](const SearchStatistics &statistics) {
      placements = statistics.placementsDone;
    };
    run(program);
    llvm::cantFail(database->clearAll());
    options.progress = [&](const SearchStatistics &statistics) {
      interrupt = statistics.placementsDone >= placements / 2;
    };
    run(program);
    interrupt = false;
    options.progress = nullptr;
    options.checkpointSeconds = 1000;
  } else {
    ASSERT_FALSE(run(program).candidates.empty());
  }
  std::vector<ResultsEntry> entries = llvm::cantFail(database->list());
  ASSERT_EQ(entries.size(), 1u);
  ASSERT_EQ(entries[0].kind, kind);
  const std::string blob = entries[0].blob;
  if (kind == EntryKind::Checkpoint)
    checkpoint = blob;
  std::vector<std::pair<size_t, size_t>> tokens; // begin and length
  for (size_t i = 0; i < blob.size();) {
    size_t length = 0;
    while (i + length < blob.size() &&
           (std::isalnum(blob[i + length]) || blob[i + length] == '-' ||
            blob[i + length] == '_'))
      ++length;
    if (length)
      tokens.emplace_back(i, length);
    i += std::max<size_t>(length, 1);
  }
  const std::vector<std::string> numbers = {"0",  "1",   "2",  "3",     "-1",
                                            "30", "210", "64", "100000"};
  std::mt19937 random(1);
  int errors = 0, results = 0;
  for (int round = 0; round < rounds; ++round) {
    auto [begin, length] = tokens[random() % tokens.size()];
    auto [otherBegin, otherLength] = tokens[random() % tokens.size()];
    std::string with = random() % 2 ? numbers[random() % numbers.size()]
                                    : blob.substr(otherBegin, otherLength);
    std::string damaged = blob;
    damaged.replace(begin, length, with);
    SCOPED_TRACE(damaged);
    llvm::cantFail(database->clearAll());
    llvm::cantFail(kind == EntryKind::Result
                       ? database->storeResult(entries[0].key, damaged)
                       : database->storeCheckpoint(entries[0].key, damaged));
    llvm::Expected<SearchResult> result = search(program, options);
    if (!result) {
      ++errors;
      EXPECT_NE(llvm::toString(result.takeError()).find(database.getFile()),
                std::string::npos);
      continue;
    }
    ++results;
    for (const SearchCandidate &candidate : result->candidates)
      EXPECT_EQ(candidate.verdict.verdict, Verdict::Proved);
  }
  EXPECT_GT(errors, rounds / 4);
  EXPECT_GT(results, rounds / 40);
}

TEST_F(StoredResults, AreNotTrusted) { damage(kProgram, 300); }
TEST_F(StoredResults, AreNotTrustedWithSplits) { damage(kAttention, 200); }
TEST_F(StoredResults, AreNotTrustedWithSeveralOutputs) { damage(kPair, 200); }
TEST_F(StoredResults, AreNotTrustedWithRoundedTiles) { damage(kRounded, 200); }
TEST_F(StoredResults, NorAreCheckpoints) {
  damage(kProgram, 20, EntryKind::Checkpoint);
  // More placements than there are, and kernels of another cost.
  std::vector<ResultsEntry> entries = llvm::cantFail(database->list());
  ASSERT_EQ(entries.size(), 1u);
  auto replace = [](std::string text, llvm::StringRef from,
                    llvm::StringRef to) {
    size_t count = 0;
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
         at += to.size(), ++count)
      text.replace(at, from.size(), to);
    EXPECT_GT(count, 0u) << from.str();
    return text;
  };
  const std::string more =
      replace(replace(checkpoint, "\"done\":true", "\"done\":false"),
              "\"searched\":", "\"searched\":99999");
  // Of other problems than those that come up.
  const std::string others =
      std::regex_replace(checkpoint, std::regex("\"problem\":\"[0-9A-F]*\""),
                         "\"problem\":\"12AB\"");
  for (const std::string &damaged :
       {more, others,
        replace(checkpoint, "\"nanoseconds\":", "\"nanoseconds\":1")}) {
    llvm::cantFail(database->clearAll());
    llvm::cantFail(database->storeCheckpoint(entries[0].key, damaged));
    llvm::Expected<SearchResult> result = search(parse(kProgram), options);
    ASSERT_FALSE(static_cast<bool>(result)) << damaged;
    EXPECT_NE(llvm::toString(result.takeError())
                  .find("holds what no search has stored"),
              std::string::npos);
  }
}

// Brackets in strings close nothing.
TEST_F(StoredResults, NorIsWhatNestsTooDeeply) {
  run(parse(kProgram));
  std::vector<ResultsEntry> entries = llvm::cantFail(database->list());
  ASSERT_EQ(entries.size(), 1u);
  std::string deep;
  for (int i = 0; i < 200000; ++i)
    deep += "[\"]\",";
  llvm::cantFail(database->clearAll());
  llvm::cantFail(database->storeResult(entries[0].key, deep));
  llvm::Expected<SearchResult> result = search(parse(kProgram), options);
  ASSERT_FALSE(static_cast<bool>(result));
  EXPECT_NE(llvm::toString(result.takeError())
                .find("holds what no search has stored"),
            std::string::npos);
}

// Types that the program has, of what elementwise operators compute.
TEST_F(StoredResults, NorAreTypesOfOtherTiles) {
  const KernelGraph program = parse(kRounded);
  run(program);
  std::vector<ResultsEntry> entries = llvm::cantFail(database->list());
  ASSERT_EQ(entries.size(), 1u);
  const std::pair<llvm::StringRef, llvm::StringRef> changes[] = {
      {R"("type":"f16")", R"("type":"bf16")"},
      {R"("type":"f16")", R"("type":16)"},
      {R"("is":"iterator")", R"("is":"iterator","type":"f16")"},
      {R"("is":"matmul")", R"("is":"matmul","type":"f16")"},
      {R"("is":"saver")", R"("is":"saver","type":"f16")"}};
  for (auto [from, to] : changes) {
    std::string blob = entries[0].blob;
    const size_t at = blob.find(from);
    ASSERT_NE(at, std::string::npos) << from.str() << " in " << blob;
    blob.replace(at, from.size(), to);
    llvm::cantFail(database->clearAll());
    llvm::cantFail(database->storeResult(entries[0].key, blob));
    llvm::Expected<SearchResult> result = search(program, options);
    ASSERT_FALSE(static_cast<bool>(result)) << to.str();
    EXPECT_THAT(llvm::toString(result.takeError()),
                testing::HasSubstr("holds what no search has stored"));
  }
}

// An entry may hold what would be a find only for less to gain.
TEST_F(StoredResults, AreNoFindsIfTheyGainTooLittle) {
  KernelGraph program = parse(kProgram);
  SearchResult result = run(program);
  ASSERT_FALSE(result.candidates.empty());
  const std::string blob = llvm::cantFail(database->list()).at(0).blob;
  llvm::cantFail(database->clearAll());
  options.leastGain = 0.99 * result.candidates[0].cost.nanoseconds /
                      result.referenceCost.nanoseconds;
  EXPECT_TRUE(run(program).candidates.empty());
  std::vector<ResultsEntry> entries = llvm::cantFail(database->list());
  ASSERT_EQ(entries.size(), 1u);
  llvm::cantFail(database->storeResult(entries[0].key, blob));
  EXPECT_TRUE(run(program).candidates.empty());
}

// A search that was ended while its finds were verified is not done. Rounding
// errors of so many dimensions take a second.
TEST_F(StoredResults, AreVerified) {
  std::string type = "tensor<8x8x8x8x8x8x8x8xf16>", value = "%x";
  std::string text = "func.func @f(%x: " + type + ") -> " + type + " {\n";
  for (int i = 0; i < 12; ++i) {
    std::string next = "%v" + std::to_string(i);
    text += next + " = mirage_kernel." + (i % 2 ? "relu " : "exp ") + value +
            " : (" + type + ") -> " + type + "\n";
    value = next;
  }
  KernelGraph program =
      parse((text + "return " + value + " : " + type + " }").c_str());
  // For one, the chain would be searched in one piece before.
  options.keep = 2;
  // Where the machine is busy the time may be up before anything is found.
  SearchResult result;
  std::vector<ResultsEntry> entries;
  for (options.timeLimit = 0.3; entries.empty(); options.timeLimit *= 1.5) {
    result = run(program);
    entries = llvm::cantFail(database->list());
  }
  EXPECT_TRUE(result.candidates.empty());
  EXPECT_FALSE(result.statistics.exhausted);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].kind, EntryKind::Checkpoint);
}

// Texts in the database are UTF-8, and this one isn't: what was found is
// returned all the same.
TEST_F(StoredResults, AreNotLostWhenTheyCannotBeStored) {
  KernelGraph program = parse(kProgram);
  options.function = "\xff";
  SearchResult result = run(program);
  EXPECT_FALSE(result.candidates.empty());
  EXPECT_TRUE(result.statistics.exhausted);
  EXPECT_NE(result.databaseError.find(database.getFile()), std::string::npos)
      << result.databaseError;
  EXPECT_TRUE(llvm::cantFail(database->list()).empty());
}
