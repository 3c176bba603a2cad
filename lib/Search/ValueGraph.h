//===- ValueGraph.h - All values that a block graph can compute ----*- C++
//-*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_VALUEGRAPH_H
#define MIRAGE_LIB_SEARCH_VALUEGRAPH_H

#include "Mirage/AbstractExpr/FactoredSums.h"
#include "Mirage/Search/Search.h"
#include "Placements.h"
#include "llvm/ADT/MapVector.h"
#include <array>

namespace mirage {

/// One way to compute a value from others.
struct ValueEdge {
  /// Null: an accumulator.
  const Operator *op = nullptr;
  Accumulation accumulation = Accumulation::Sum;
  Params params;
  llvm::SmallVector<unsigned, 2> operands;
  /// Whether it counts against the limit of operators.
  bool counts = false;

  bool operator==(const ValueEdge &other) const {
    return op == other.op && accumulation == other.accumulation &&
           params == other.params && operands == other.operands;
  }
};

/// What a tile can hold. Two operators that compute the same value lead to one
/// Value with two edges.
struct Value {
  Expr expr;
  /// What says on which operands operators exist.
  Shape label;
  bool inLoop = false;
  /// Whether iterations differ in it; only then there are several `parts`.
  bool varies = false;
  /// Whether it is a maximum, by which a sum can be rescaled.
  bool isMaximum = false;
  /// The maximum that the exponentials in it are relative to; or that they are
  /// relative to different ones, that there are none, or that there is no
  /// telling.
  int relativeTo = kNoMaximum;
  static constexpr int kNoMaximum = -1, kAnyMaximum = -2, kMixedMaxima = -3;
  /// At probe size, in one block: for each iteration, or one.
  llvm::SmallVector<Tensor, 2> parts;
  /// What the operators on some way to it make of inputs of one element, of
  /// shape 1x1: sums, whole or partial, leave no trace. No planes: not known.
  Tensor scalar;
  /// No fewer counting operators compute it.
  unsigned depth = 0;
  /// How many operators that don't count stand in a row before it, at least.
  unsigned freeOps = 0;
  /// None: an iterator (by its index in the placement) or a constant.
  std::vector<ValueEdge> edges;
  int iterator = -1;
  double constant = 0;

  bool isConstant() const { return edges.empty() && iterator < 0; }
  const Tensor &getPart(size_t i) const {
    return parts[std::min(i, parts.size() - 1)];
  }
};

/// A hash of a value's scalar and of the roles of its dimensions, which are
/// those of the whole tensor that the value is a tile of.
uint64_t hashWhole(const Value &value, const Roles &roles);

/// What a thread keeps from one problem to the next.
struct SearchWorker {
  SearchWorker(const SearchProgram &program, const SearchOptions &options);

  const SearchProgram &program;
  const SearchOptions &options;
  ExprContext context;
  TensorExprs exprs;
  /// What some of the addends of the program's own sums add up to.
  std::vector<Expr> sums;
  /// What the program takes exponentials of, and whether it subtracts a maximum
  /// from it first.
  llvm::MapVector<Expr, bool> exponents;

private:
  void findSums(const SearchTensor &output);
};

/// What one thread knows of one problem, for all of its placements: the oracle,
/// and which operators it lets pass on values of given expressions, whatever
/// their shapes.
class ProblemContext {
public:
  ProblemContext(SearchWorker &worker, const KernelProblem &problem);

  struct Choice {
    const Operator *op;
    Params params;
    /// The second operand comes first.
    bool swapped;
  };
  /// Elementwise operators of one operand.
  llvm::ArrayRef<Choice> getUnary(Expr x);
  /// Operators of two operands.
  llvm::ArrayRef<Choice> getBinary(Expr x, Expr y);
  /// Operators of one operand that look at its shape.
  llvm::ArrayRef<const Operator *> getShaped() const { return shaped; }
  bool mayContribute(Expr x) {
    return oracle->mayContribute(x) && (!sums || sums->isFactored(x));
  }
  /// Whether a value with such a scalar may be of use: what it becomes of whole
  /// tensors, when the grid and the loop are taken away, is on some way to the
  /// outputs among these (LeastWork.h).
  bool mayBeUseful(const Tensor &scalar) const;
  bool mayBeUseful(const Value &value) const;
  /// The scalars of an operator's and an accumulator's results.
  Tensor getScalar(const Operator &op, llvm::ArrayRef<const Tensor *> operands,
                   const Params &params) const;
  Tensor getMaximum(const Tensor &scalar) const;
  /// Notes the scalar of the values with an expression; if they have several,
  /// there is none to go by.
  void setScalar(Expr x, const Tensor &scalar);
  /// Whether an operator subtracts its second operand from the first.
  bool subtracts(const Operator &op) const;
  /// Whether an expression may be that of an output of the problem.
  bool isOutput(Expr x, const SearchTensor &output);

  /// What the oracle was asked since the last call.
  OracleStatistics takeStatistics();
  /// What went wrong with the oracle since the last call; empty: nothing.
  std::string takeError();
  /// Whether there is no oracle.
  bool isBroken() const { return !failure.empty(); }

  SearchWorker &worker;
  const KernelProblem &problem;

private:
  bool isViable(const Operator &op, llvm::ArrayRef<Expr> operands,
                const Params &params);

  std::unique_ptr<SubexpressionOracle> oracle;
  OracleStatistics taken;
  /// Why there is no oracle.
  std::string failure;
  /// Null where the rule is off.
  std::unique_ptr<FactoredSums> sums;
  llvm::SmallVector<std::pair<const Operator *, Params>> unary, binary;
  llvm::SmallVector<const Operator *> shaped, subtractions;
  /// The scalars of values with an expression.
  llvm::DenseMap<Expr, Tensor> scalars;
  llvm::DenseMap<Expr, std::vector<Choice>> unaryChoices;
  llvm::DenseMap<std::pair<Expr, Expr>, std::vector<Choice>> binaryChoices;
};

/// The closure of the inputs of a placement under all operators, within the
/// limit and as far as the oracle lets them pass: a graph of alternatives
/// ("AND-OR graph") in which every block graph that computes the outputs is
/// contained.
class ValueGraph {
public:
  ValueGraph(ProblemContext &context, const Placement &placement,
             SearchStatistics &statistics, const std::atomic<bool> &stop);

  /// Everything that `maxOps` counting operators can reach, with no more than
  /// `maxFree` others in a row.
  void close(unsigned maxOps, unsigned maxFree);

  /// The values that are an output's tile.
  llvm::SmallVector<unsigned> findOutput(const SearchTensor &output,
                                         llvm::ArrayRef<int64_t> omap) const;

  bool uses(SearchRule rule) const { return context.worker.options.uses(rule); }

  /// Whether the search is to end.
  bool isStopped() const { return stop.load(std::memory_order_relaxed); }

  std::vector<Value> values;

private:
  void addInputs();
  void applyFree(unsigned value);
  void applyCounting(unsigned depth);
  void applyShaped(unsigned value, bool counting);
  void applyAccumulators(unsigned value);
  void applyAllAccumulators(unsigned value);
  bool mayTranspose(unsigned value, const Params &permutation) const;
  void tryOperator(const Operator &op, const Params &params,
                   llvm::ArrayRef<unsigned> operands, bool counts);
  void tryAccumulator(Accumulation accumulation,
                      llvm::ArrayRef<unsigned> operands);
  void add(Value value, ValueEdge edge);
  void append(Value value);
  void addFusedEdges();
  uint64_t getKey(const Value &value) const;
  bool isSafeExponent(unsigned value) const;
  bool isRelativeToOwnMaximum(unsigned value, unsigned most) const;
  bool isMaximumOf(unsigned maximum, unsigned value, unsigned most,
                   bool overLoop) const;
  bool covers(unsigned whole, unsigned part, unsigned most,
              bool overLoop) const;

  ProblemContext &context;
  ExprContext &exprs;
  const SearchProgram &program;
  const Placement &placement;
  SearchStatistics &statistics;
  const std::atomic<bool> &stop;
  /// The values of each depth, in the order in which they came; and apart those
  /// outside of the loop, and those in it.
  std::vector<std::vector<unsigned>> byDepth;
  std::vector<std::array<std::vector<unsigned>, 2>> byLevel;
  /// The maxima in the loop.
  std::vector<unsigned> maxima;
  std::vector<unsigned> constants;
  llvm::DenseMap<uint64_t, unsigned> known;
  unsigned maxFreeOps = 0;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_VALUEGRAPH_H
