//===- Selection.h - The best of several μGraphs ----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SELECT_SELECTION_H
#define MIRAGE_SELECT_SELECTION_H

#include "Mirage/Database/ResultsDatabase.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Mugraph/Mugraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage {

/// A μGraph that could take a function's place.
struct SelectCandidate {
  std::string name;
  KernelGraph graph;
  /// The same as a function, for profilers that compile it; may be null.
  mlir::func::FuncOp function;
};

/// Measures how long candidates for one program run. docs/Selection.md.
class Profiler {
public:
  virtual ~Profiler();

  /// What the times are of, such as the name of a GPU. Times that are stored
  /// count for this device only.
  virtual std::string getDevice() const = 0;
  /// How they are measured: times that were measured in another way are not
  /// looked up.
  virtual std::string getMethod() const = 0;
  /// What its time, and whether that counts, depends on besides: a text that
  /// differs with the code that is run and with what that is checked against.
  /// An error says why it can't be compiled.
  virtual llvm::Expected<std::string>
  getFingerprint(const SelectCandidate &candidate) = 0;
  /// The time of a candidate, in nanoseconds, positive and finite. An error
  /// says why it has none: it can't be compiled or run, or what it computes is
  /// not what the program does, which is checked before its time counts.
  virtual llvm::Expected<double> measure(const SelectCandidate &candidate) = 0;
};

struct SelectionOptions {
  TargetAttr target;
  /// How many candidates are measured at most, the cheapest by the model; 0:
  /// all.
  unsigned topK = 0;
  /// Where measured times are kept and looked up; may be null.
  ResultsDatabase *database = nullptr;
};

/// What is known of a candidate.
struct RankedCandidate {
  /// Its number among the candidates given.
  size_t index = 0;
  /// By the model, in nanoseconds.
  double estimate = 0;
  /// Nothing: not measured, or `error` says why not.
  std::optional<double> measured;
  bool isFromDatabase = false;
  std::string error;
};

struct Selection {
  /// The best first: those measured by their times, then those that were not by
  /// the model, then those that failed. Equals stay in their order.
  std::vector<RankedCandidate> ranked;
  /// Why times could not be stored; the selection is as good without.
  std::string databaseError;
};

/// Ranks candidates: by the model if `profiler` is null, or else by measured
/// times. An error if there are no candidates, if the database can't be read or
/// an entry of it holds something else, or if every candidate that was measured
/// failed.
llvm::Expected<Selection> select(llvm::ArrayRef<SelectCandidate> candidates,
                                 const SelectionOptions &options,
                                 Profiler *profiler);

} // namespace mirage

#endif // MIRAGE_SELECT_SELECTION_H
