//===- SearchPoolTest.cpp - Threads of the search -------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchPool.h"
#include "SearchFixture.h"
#include <numeric>
#include <random>
#include <thread>

using namespace mirage;

namespace {

class SearchPoolTest : public SearchFixture {
protected:
  std::unique_ptr<SearchProgram> makeProgram() {
    KernelGraph reference = parse(R"(
func.func @f(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %y = mirage_kernel.exp %x : (tensor<16x64xf32>) -> tensor<16x64xf32>
  return %y : tensor<16x64xf32>
})");
    return llvm::cantFail(makeSearchProgram(reference, options, stop));
  }
  std::atomic<bool> stop{false};
};

TEST_F(SearchPoolTest, EachTaskIsDoneOnce) {
  auto program = makeProgram();
  for (unsigned threads : {1, 2, 8}) {
    options.threads = threads;
    SearchPool pool(*program, options);
    std::vector<std::atomic<int>> done(1000);
    pool.forEach(done.size(),
                 [&](size_t task, SearchWorker &) { ++done[task]; });
    for (const std::atomic<int> &count : done)
      EXPECT_EQ(count, 1);
  }
}

TEST_F(SearchPoolTest, WhoWouldWaitDoesSpareWork) {
  auto program = makeProgram();
  options.threads = 2;
  SearchPool pool(*program, options);
  std::atomic<int> spare{0};
  constexpr int kSpare = 5;
  pool.setSpareWork([&] { return ++spare < kSpare; });
  // One task, which ends when the other thread has done all that is spare.
  pool.forEach(1, [&](size_t, SearchWorker &) {
    while (spare < kSpare)
      std::this_thread::yield();
  });
  EXPECT_EQ(spare, kSpare);
}

TEST_F(SearchPoolTest, SpareWorkOutlastsARun) {
  auto program = makeProgram();
  // One may have the task, and this one has to go on.
  options.threads = 3;
  SearchPool pool(*program, options);
  std::atomic<int> begun{0}, ended{0};
  std::atomic<bool> mayEnd{false};
  pool.setSpareWork([&, self = std::this_thread::get_id()] {
    if (std::this_thread::get_id() == self)
      return true;
    ++begun;
    while (!mayEnd)
      std::this_thread::yield();
    ++ended;
    return false;
  });
  // Ends while another thread is at it.
  pool.forEach(1, [&](size_t, SearchWorker &) {
    while (begun == 0)
      std::this_thread::yield();
  });
  EXPECT_EQ(ended, 0);
  mayEnd = true;
  pool.setSpareWork(nullptr);
  EXPECT_EQ(ended, begun);
}

/// Notes each task, and that no other phase has begun meanwhile.
class CountedWork : public PhasedWork {
public:
  explicit CountedWork(std::vector<size_t> sizes) : sizes(std::move(sizes)) {}
  size_t startPhase() override {
    EXPECT_EQ(numRunning, 0);
    if (phase > 0)
      EXPECT_EQ(numDone, sizes[phase - 1]);
    numDone = 0;
    return phase < sizes.size() ? sizes[phase++] : 0;
  }
  void run(size_t task, SearchWorker &) override {
    ++numRunning;
    EXPECT_LT(task, sizes[phase - 1]);
    ++numDone;
    ++total;
    --numRunning;
  }
  std::vector<size_t> sizes;
  size_t phase = 0;
  std::atomic<size_t> numDone{0}, total{0};
  std::atomic<int> numRunning{0};
};

TEST_F(SearchPoolTest, PhasesFollowEachOther) {
  auto program = makeProgram();
  std::mt19937 random(1);
  for (unsigned threads : {1, 2, 3, 8}) {
    options.threads = threads;
    SearchPool pool(*program, options);
    // Many runs, shorter than it takes to wake a thread up.
    for (unsigned run = 0; run < 200; ++run) {
      std::vector<std::unique_ptr<CountedWork>> works;
      for (unsigned w = 0; w < 1 + random() % 5; ++w) {
        // Many phases have one task.
        std::vector<size_t> sizes(random() % 6);
        for (size_t &size : sizes)
          size = random() % 2 ? 1 : 1 + random() % 20;
        works.push_back(std::make_unique<CountedWork>(std::move(sizes)));
      }
      std::vector<PhasedWork *> pointers;
      for (auto &work : works)
        pointers.push_back(work.get());
      pool.run(pointers);
      for (auto &work : works)
        EXPECT_EQ(work->total, std::accumulate(work->sizes.begin(),
                                               work->sizes.end(), size_t(0)));
    }
  }
  // A pool may have nothing to do.
  options.threads = 8;
  SearchPool idle(*program, options);
}

TEST_F(SearchPoolTest, OneThreadHasNothingToSpare) {
  auto program = makeProgram();
  options.threads = 1;
  SearchPool pool(*program, options);
  pool.setSpareWork([]() -> bool {
    ADD_FAILURE();
    return false;
  });
  int done = 0;
  pool.forEach(3, [&](size_t, SearchWorker &) { ++done; });
  EXPECT_EQ(done, 3);
}

} // namespace
