//===- BrokenProductTest.h - Runs ways to break a product -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_RUNTIME_BROKENPRODUCTTEST_H
#define MIRAGE_UNITTESTS_RUNTIME_BROKENPRODUCTTEST_H

#include "HostTestUtils.h"
#include "gmock/gmock.h"
#include <cmath>

namespace mirage {

/// A kernel that computes C (m x n, f32) = A (m x k, f16) · B (n x k, f16,
/// transposed), as arguments a, b and c, and is run in many orders of threads.
class BrokenProductTest : public HostTest {
protected:
  BrokenProductTest(int m, int n, int k, double tolerance, uint64_t seeds)
      : m(m), n(n), k(k), tolerance(tolerance), seeds(seeds) {}

  /// What is reported for each seed: an error, or "wrong results", or nothing.
  std::vector<std::string> runSeeds(const std::string &text) {
    auto module = parse(text);
    if (!module)
      return {"no module"};
    auto program =
        extractProgram(*module->getOps<mlir::func::FuncOp>().begin());
    if (mlir::failed(program) || mlir::failed(lowerToHost(*module)))
      return {"not lowered: " + diagnostics};
    auto executable = HostExecutable::create(*module);
    if (!executable)
      return {getMessage(executable.takeError())};

    std::vector<std::string> reports;
    for (uint64_t seed = 0; seed < seeds; ++seed) {
      Array arguments[] = {makeArray({m, k}, ElementType::F16),
                           makeArray({n, k}, ElementType::F16),
                           makeArray({m, n}, ElementType::F32)};
      fillUniform(arguments[0], 7, 0);
      fillUniform(arguments[1], 7, 1);
      HostOptions options;
      options.seed = seed;
      options.checks = true;
      std::string report =
          getMessage((*executable)->run(*program, arguments, options));
      if (report.empty() && !isProduct(arguments))
        report = "wrong results";
      reports.push_back(report);
    }
    return reports;
  }

  void expectReports(const std::string &module, const std::string &regex) {
    for (const std::string &report : runSeeds(module))
      EXPECT_THAT(report, testing::MatchesRegex(regex)) << diagnostics;
  }

  const std::string where = "kernel 'k', block \\(0, 0, 0\\): ";

private:
  bool isProduct(llvm::ArrayRef<Array> arguments) const {
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int l = 0; l < k; ++l)
          sum += arguments[0].get(i * k + l) * arguments[1].get(j * k + l);
        if (!(std::abs(sum - arguments[2].get(i * n + j)) < tolerance))
          return false;
      }
    return true;
  }

  const int m, n, k;
  const double tolerance;
  const uint64_t seeds;
};

} // namespace mirage

#endif // MIRAGE_UNITTESTS_RUNTIME_BROKENPRODUCTTEST_H
