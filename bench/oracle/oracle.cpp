//===- oracle.cpp - How fast the oracles are, and what Z3 misses ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The expressions and questions of a search on the six programs (Queries.h),
// for the normal form as the search makes them, and once without repetitions;
// and samples of the distinct questions for Z3 and for cross-checking.
// docs/AbstractExpressions.md records results.

#include "Mirage/Oracle/CrossCheckOracle.h"
#include "Queries.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <benchmark/benchmark.h>
#include <chrono>
#include <set>

using namespace mirage;
using namespace mirage::bench;

namespace {

const std::vector<Queries> &getQueries() {
  static const std::vector<Queries> queries = recordQueries(1000000);
  return queries;
}

void setLabel(benchmark::State &state, const Queries &queries) {
  state.SetLabel(queries.program + ", " + std::to_string(queries.maxOps) +
                 " operators");
}

double time(llvm::function_ref<void()> f) {
  auto start = std::chrono::steady_clock::now();
  f();
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  return seconds.count();
}

/// A new context with the target in it.
struct Replay {
  explicit Replay(const Queries &queries)
      : queries(queries), slots(queries.numSlots) {
    queries.replay(context, slots, 0, queries.numTargetCalls, [](Expr) {});
    target = slots[queries.target];
  }

  template <typename F> void run(F ask) {
    queries.replay(context, slots, queries.numTargetCalls, queries.calls.size(),
                   ask);
  }

  const Queries &queries;
  ExprContext context;
  std::vector<Expr> slots;
  Expr target;
};

/// Expressions are made and the oracle is asked: in a new context that knows
/// the target, as in the search, and once more.
void askNormalForm(benchmark::State &state) {
  const Queries &queries = getQueries()[state.range(0)];
  double first = 0, again = 0;
  size_t forms = 0, yes = 0;
  for (auto _ : state) {
    Replay replay(queries);
    replay.context.setFocus(replay.target);
    NormalFormOracle oracle(replay.context, replay.target);
    yes = 0;
    auto run = [&] {
      replay.run([&](Expr x) { yes += oracle.mayContribute(x); });
    };
    double seconds = time(run);
    first += seconds;
    state.SetIterationTime(seconds);
    forms = replay.context.getStatistics().numForms;
    again += time(run);
  }
  double asked = 1e-9 * queries.numAsked * state.iterations();
  setLabel(state, queries);
  state.counters["asked"] = queries.numAsked;
  state.counters["calls"] = queries.calls.size() - queries.numAsked;
  state.counters["yes"] = yes / 2;
  state.counters["forms"] = forms;
  state.counters["ns_asked"] = first / asked;
  state.counters["ns_again"] = again / asked;
}
BENCHMARK(askNormalForm)
    ->DenseRange(0, 5)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// Only what was not done before: each call and question once.
void askOnce(benchmark::State &state) {
  const Queries &all = getQueries()[state.range(0)];
  // Slots are numbered anew, so that each expression has one of its own.
  Queries queries = all;
  queries.calls.resize(all.numTargetCalls);
  queries.numAsked = 0;
  Replay replay(all);
  std::vector<unsigned> slotOf(all.numSlots);
  for (unsigned i = 0; i < all.numSlots; ++i)
    slotOf[i] = i;
  llvm::DenseMap<Expr, unsigned> newSlots;
  for (size_t i = 0; i < all.numTargetCalls; ++i)
    newSlots[replay.slots[all.calls[i].to]] = all.calls[i].to;
  std::set<std::tuple<Call::Kind, unsigned, unsigned, int64_t, double>> done;
  for (size_t i = all.numTargetCalls; i < all.calls.size(); ++i) {
    Call call = all.calls[i];
    call.a = slotOf[call.a];
    call.b = slotOf[call.b];
    all.replay(replay.context, replay.slots, i, i + 1, [](Expr) {});
    bool isNew =
        done.emplace(call.kind, call.a, call.b, call.factor, call.value).second;
    if (call.kind == Call::Kind::Ask) {
      if (isNew) {
        queries.calls.push_back(call);
        ++queries.numAsked;
      }
      continue;
    }
    auto [slot, isNewExpr] =
        newSlots.try_emplace(replay.slots[call.to], queries.numSlots);
    queries.numSlots += isNewExpr;
    slotOf[call.to] = slot->second;
    call.to = slot->second;
    if (isNew)
      queries.calls.push_back(call);
  }
  double total = 0;
  for (auto _ : state) {
    Replay once(queries);
    once.context.setFocus(once.target);
    NormalFormOracle oracle(once.context, once.target);
    double seconds = time([&] {
      once.run(
          [&](Expr x) { benchmark::DoNotOptimize(oracle.mayContribute(x)); });
    });
    total += seconds;
    state.SetIterationTime(seconds);
  }
  setLabel(state, queries);
  size_t calls = queries.calls.size() - queries.numAsked;
  state.counters["asked"] = queries.numAsked;
  state.counters["calls"] = calls;
  state.counters["ns_asked"] =
      1e9 * total / queries.numAsked / state.iterations();
  state.counters["ns_call"] = 1e9 * total / calls / state.iterations();
}
BENCHMARK(askOnce)->DenseRange(0, 5)->UseManualTime()->Unit(
    benchmark::kMillisecond);

/// The distinct questions that the normal form affirms, and as many of those
/// that it denies: every n-th, so that there are about `count` of each.
std::pair<std::vector<Expr>, std::vector<Expr>> sample(Replay &replay,
                                                       size_t count) {
  NormalFormOracle oracle(replay.context, replay.target);
  std::vector<Expr> answers[2];
  llvm::DenseSet<Expr> done;
  replay.run([&](Expr x) {
    if (done.insert(x).second)
      answers[oracle.mayContribute(x)].push_back(x);
  });
  for (std::vector<Expr> &exprs : answers) {
    size_t step = std::max<size_t>(1, exprs.size() / count), kept = 0;
    for (size_t i = 0; i < exprs.size(); i += step)
      exprs[kept++] = exprs[i];
    exprs.resize(kept);
  }
  return {answers[true], answers[false]};
}

/// Second argument: whether sums are split.
void askZ3(benchmark::State &state) {
  const Queries &queries = getQueries()[state.range(0)];
  Replay replay(queries);
  auto [entailed, others] = sample(replay, 200);
  Z3OracleOptions options;
  options.splitSums = state.range(1);
  double preparation = 0;
  OracleStatistics onEntailed, onOthers;
  for (auto _ : state) {
    std::unique_ptr<Z3Oracle> oracle;
    preparation = time([&] {
      oracle = llvm::cantFail(
          Z3Oracle::create(replay.context, replay.target, options));
    });
    for (Expr x : entailed)
      oracle->mayContribute(x);
    onEntailed = oracle->getStatistics();
    for (Expr x : others)
      if (oracle->mayContribute(x))
        state.SkipWithError("Z3 proves what the normal form denies");
    onOthers = oracle->getStatistics();
  }
  setLabel(state, queries);
  state.counters["entailed"] = entailed.size();
  state.counters["missed"] = onEntailed.unknowns;
  state.counters["us_entailed"] = onEntailed.microseconds / entailed.size();
  state.counters["others"] = others.size();
  state.counters["us_others"] =
      (onOthers.microseconds - onEntailed.microseconds) / others.size();
  state.counters["us_target"] = 1e6 * preparation;
}
BENCHMARK(askZ3)
    ->ArgsProduct({{0, 1, 2, 3, 4, 5}, {0, 1}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

/// All distinct questions.
void crossCheck(benchmark::State &state) {
  const Queries &queries = getQueries()[state.range(0)];
  Replay replay(queries);
  auto [entailed, others] = sample(replay, SIZE_MAX);
  OracleStatistics statistics;
  for (auto _ : state) {
    auto oracle =
        llvm::cantFail(CrossCheckOracle::create(replay.context, replay.target));
    for (const auto *exprs : {&entailed, &others})
      for (Expr x : *exprs)
        oracle->mayContribute(x);
    statistics = oracle->getStatistics();
    if (llvm::Error error = oracle->takeError())
      state.SkipWithError(llvm::toString(std::move(error)).c_str());
  }
  setLabel(state, queries);
  state.counters["asked"] = statistics.queries;
  state.counters["affirmed"] = entailed.size();
  state.counters["not_proved"] = statistics.unknowns;
  state.counters["disagreements"] = statistics.disagreements;
}
BENCHMARK(crossCheck)
    ->DenseRange(0, 5)
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

} // namespace

BENCHMARK_MAIN();
