//===- interpreter.cpp - How fast the finite fields are -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// For each size the rate of the matrix product modulo a prime next to that of
// OpenBLAS's sgemm, measured in turn, in one run, on one core; and the time of
// a random test of RMSNorm + Linear. docs/results/interpreter.md records
// results.

#include "FieldMatmul.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Numbers/Random.h"
#include "Mirage/Verify/RandomTest.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdlib>
#include <vector>
#ifdef MIRAGE_HAVE_OPENBLAS
#include <cblas.h>
#endif

using namespace mirage;
using namespace mlir;

namespace {

template <typename F> double time(F f) {
  auto start = std::chrono::steady_clock::now();
  f();
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  return seconds.count();
}

/// One iteration is one product in the field; the time is that of the field.
void matmul(benchmark::State &state) {
  constexpr uint32_t kModulus = 2147481143;
  int64_t m = state.range(0), k = state.range(1), n = state.range(2);
  std::vector<uint32_t> a(m * k), b(k * n), c(m * n);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = randomWord(1, 0, i) % kModulus;
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = randomWord(1, 1, i) % kModulus;
  std::vector<float> x(a.begin(), a.end()), y(b.begin(), b.end()), z(m * n);
  double field = 0, sgemm = 0;
  for (auto _ : state) {
    double seconds = time(
        [&] { fieldMatmul(a.data(), b.data(), c.data(), m, n, k, kModulus); });
    state.SetIterationTime(seconds);
    field += seconds;
#ifdef MIRAGE_HAVE_OPENBLAS
    sgemm += time([&] {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0f,
                  x.data(), k, y.data(), n, 0.0f, z.data(), n);
    });
#endif
  }
  double gflop = 2e-9 * m * n * k * state.iterations();
  state.counters["field_GFLOP/s"] = gflop / field;
  if (sgemm > 0) {
    state.counters["sgemm_GFLOP/s"] = gflop / sgemm;
    state.counters["sgemm/field"] = field / sgemm;
  }
}
BENCHMARK(matmul)
    ->ArgNames({"m", "k", "n"})
    ->Args({16, 4096, 6144})
    ->Args({8, 4096, 4096})
    ->Args({256, 64, 4096})
    ->Args({256, 4096, 64})
    ->Args({1024, 1024, 1024})
    ->Args({16, 64, 64})
    ->Args({16, 256, 48})
    ->UseManualTime()
    ->Repetitions(5)
    ->ReportAggregatesOnly();

constexpr const char *kRMSNormLinear = R"(
func.func @rmsnorm(%x: tensor<16x4096xf16>, %g: tensor<4096xf16>, %w: tensor<4096x6144xf16>) -> tensor<16x6144xf16> {
  %n = mirage.constant 4096.0 : tensor<f32>
  %eps = mirage.constant 1.0e-05 : tensor<f32>
  %sq = mirage_kernel.sqr %x : (tensor<16x4096xf16>) -> tensor<16x4096xf32>
  %ss = mirage_kernel.sum %sq dim 1 : (tensor<16x4096xf32>) -> tensor<16x1xf32>
  %mean = mirage_kernel.div %ss, %n : (tensor<16x1xf32>, tensor<f32>) -> tensor<16x1xf32>
  %me = mirage_kernel.add %mean, %eps : (tensor<16x1xf32>, tensor<f32>) -> tensor<16x1xf32>
  %rms = mirage_kernel.sqrt %me : (tensor<16x1xf32>) -> tensor<16x1xf32>
  %xn = mirage_kernel.div %x, %rms : (tensor<16x4096xf16>, tensor<16x1xf32>) -> tensor<16x4096xf16>
  %xg = mirage_kernel.mul %xn, %g : (tensor<16x4096xf16>, tensor<4096xf16>) -> tensor<16x4096xf16>
  %z = mirage_kernel.matmul %xg, %w : (tensor<16x4096xf16>, tensor<4096x6144xf16>) -> tensor<16x6144xf16>
  return %z : tensor<16x6144xf16>
}
)";

/// Random inputs, the reference's and the candidate's outputs (the candidate is
/// the reference again), and their comparison, for so many trials.
void testRMSNormLinear(benchmark::State &state) {
  DialectRegistry registry;
  registry.insert<MirageDialect, kernel::KernelDialect, func::FuncDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  auto module = parseSourceString<ModuleOp>(kRMSNormLinear, &context);
  if (!module) {
    state.SkipWithError("the program does not parse");
    return;
  }
  auto graph = importKernelGraph(module->lookupSymbol<func::FuncOp>("rmsnorm"));
  if (failed(graph)) {
    state.SkipWithError("the program is not a kernel graph");
    return;
  }
  RandomTestOptions options;
  options.trials = options.maxTrials = state.range(0);
  for (auto _ : state) {
    RandomTester tester(*graph, options);
    RandomTestResult result = tester.test(*graph);
    if (result.verdict == Verdict::Refuted) {
      state.SkipWithError("refuted");
      return;
    }
  }
}
BENCHMARK(testRMSNormLinear)
    ->ArgName("trials")
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->Repetitions(5)
    ->ReportAggregatesOnly();

} // namespace

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
#ifdef MIRAGE_HAVE_OPENBLAS
  openblas_set_num_threads(1);
  benchmark::AddCustomContext("sgemm", openblas_get_config());
#else
  benchmark::AddCustomContext("sgemm", "built without OpenBLAS: not measured");
#endif
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
