//===- Explain.h - Tells a person what the compiler did ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MIRAGERUN_EXPLAIN_H
#define MIRAGE_TOOLS_MIRAGERUN_EXPLAIN_H

#include "Mirage/Search/ProgressLine.h"
#include "Mirage/Transforms/Superoptimize.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace mirage {

/// Prints the program, a progress line while the search runs (on a terminal
/// only), and what it found.
class Explainer {
public:
  /// The time limit is that of the search; 0: none.
  Explainer(llvm::raw_ostream &out, llvm::raw_ostream &progress,
            double timeLimit)
      : out(out), progress(progress, timeLimit) {}

  void printProgram(mlir::ModuleOp module);
  /// Must not outlive the explainer.
  SuperoptimizeObserver getObserver();

private:
  void printResult(mlir::func::FuncOp function, const KernelGraph &reference,
                   const SearchResult &result);

  llvm::raw_ostream &out;
  ProgressLine progress;
};

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGERUN_EXPLAIN_H
