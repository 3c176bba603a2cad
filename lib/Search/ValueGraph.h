//===- ValueGraph.h - What a block graph can compute ------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_VALUEGRAPH_H
#define MIRAGE_LIB_SEARCH_VALUEGRAPH_H

#include "ProblemContext.h"
#include "llvm/ADT/BitVector.h"
#include <array>
#include <boost/container/flat_set.hpp>
#include <boost/container/small_vector.hpp>
#include <deque>

namespace mirage {

/// A few values of a graph, in their order.
using ValueSet =
    boost::container::flat_set<unsigned, std::less<unsigned>,
                               boost::container::small_vector<unsigned, 8>>;

/// One way to compute a value from others.
struct ValueEdge {
  /// Null: an accumulator.
  const Operator *op = nullptr;
  Accumulation accumulation = Accumulation::Sum;
  Params params;
  llvm::SmallVector<unsigned, 2> operands;
  /// Whether it counts against the limit of operators.
  bool counts = false;

  /// Whether it computes nothing, so that the value is read where its operand
  /// is.
  bool isMovement() const { return op && op->isMovement(); }
  bool isElementwise() const { return op && op->isElementwise(); }
  /// Whether it multiplies matrices.
  bool isProduct() const { return op && !op->getMatrixProducts().empty(); }

  bool operator==(const ValueEdge &other) const {
    // What differs most often comes first.
    return op == other.op && operands.front() == other.operands.front() &&
           operands == other.operands && params == other.params &&
           accumulation == other.accumulation;
  }
};

/// What a tile can hold. Two operators that compute the same value lead to one
/// Value with two edges.
struct Value {
  Expr expr;
  /// 0: not known, or of no interest.
  IndexedExpr indexed = 0;
  /// What says on which operands operators exist; equal ones have one number.
  Shape label;
  unsigned labelNumber = 0;
  bool inLoop = false;
  /// Whether iterations differ in it; only then there are several `parts`.
  bool varies = false;
  /// Whether it is a maximum, by which a sum can be rescaled.
  bool isMaximum = false;
  /// Whether it is one whose dimension is still there, as each iteration has a
  /// part of it: its scalar is not that of a maximum yet.
  bool isPartOfMaximum = false;
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
  /// Of its expression and scalar (ProblemContext::getKind).
  unsigned kind = 0;
  /// No fewer counting operators compute it.
  unsigned depth = 0;
  /// How many operators that don't count stand in a row before it, at least.
  unsigned freeOps = 0;
  /// None: an iterator (by its index in the placement) or a constant.
  std::vector<ValueEdge> edges;
  int iterator = -1;
  double constant = 0;
  /// The type that products read it in where an elementwise operator computes
  /// it (RoundedTiles.h). Null: f32.
  mlir::Type roundedType;

  /// Whether products read it in 16 bits if this edge computes it.
  bool isRoundedBy(const ValueEdge &edge) const {
    return roundedType && edge.isElementwise();
  }
  bool isConstant() const { return edges.empty() && iterator < 0; }
  /// Whether it may be another value, moved, and so be in no memory of its own.
  bool mayBeView() const {
    return llvm::any_of(
        edges, [](const ValueEdge &edge) { return edge.isMovement(); });
  }
  const Tensor &getPart(size_t i) const {
    return parts[std::min(i, parts.size() - 1)];
  }
};

/// Of a loop's iterations the tiles of so many are probed.
constexpr int64_t kProbedIterations = 2;
/// The part of a tensor that the probed block (the last of each grid dimension)
/// reads in an iteration, or, if `fmap` is kReplica, in all; `tile` is the
/// probe shape of the tile.
Tensor getProbedTile(const Tensor &tensor, llvm::ArrayRef<int64_t> tile,
                     llvm::ArrayRef<int64_t> map, int64_t fmap,
                     int64_t iteration);

/// Whether a value has the contents of a tile of the tensor with this label,
/// whose value at probe sizes is known.
bool isTileOf(const Value &value, llvm::ArrayRef<int64_t> label,
              const Tensor &tensor, const Placement &placement,
              const Roles &roles);

/// A hash of a value's scalar and of the roles of its dimensions, which are
/// those of the whole tensor that the value is a tile of.
uint64_t hashWhole(const Value &value, const Roles &roles);

/// The closure of the inputs of a placement under all operators, within the
/// limit and as far as the oracle lets them pass: a graph of alternatives
/// ("AND-OR graph") in which every block graph that computes the outputs is
/// contained.
class ValueGraph {
public:
  ValueGraph(ProblemContext &context, const Placement &placement,
             SearchStatistics &statistics, const std::atomic<bool> &stop);

  /// Everything that `maxOps` counting operators can reach, with no more than
  /// `maxFree` others in a row. Returns false, and counts it, where that takes
  /// too many attempts: then some of it is missing.
  bool close(unsigned maxOps, unsigned maxFree);

  /// The values that some of these can be computed from, themselves included.
  llvm::BitVector getWaysTo(llvm::ArrayRef<unsigned> roots) const;
  /// Drops the values that none of these can be computed from, for good: most
  /// of them. The others get new numbers, in the order that they have. Does
  /// nothing without the rule `dead-tensors`.
  void dropDead(llvm::ArrayRef<unsigned> roots);

  /// The values that are an output's tile.
  llvm::SmallVector<unsigned> findOutput(const SearchTensor &output,
                                         llvm::ArrayRef<int64_t> omap) const;

  bool uses(SearchRule rule) const { return context.worker.options.uses(rule); }

  /// How much of the limits of sizes the search may take.
  double getPartOfSizeLimits() const {
    return context.worker.options.partOfSizeLimits;
  }

  /// Whether the search is to end.
  bool isStopped() const { return stop.load(std::memory_order_relaxed); }

  /// They stay where they are when others are added.
  std::deque<Value> values;

private:
  bool isTooLarge() const;
  bool mustStop() const;
  void addInputs();
  void applyFree(unsigned value);
  void applyCounting(unsigned depth);
  void applyShaped(unsigned value, bool counting);
  void applyToSeveral(unsigned depth, bool inLoop);
  void applyAccumulators(unsigned value);
  void applyAllAccumulators(unsigned value);
  bool mayTranspose(unsigned value, const Params &permutation) const;
  bool isCutByLoop(int64_t label) const;
  bool isOff(const Value &value) const;
  bool mayTransposeResult(unsigned value, const Params &permutation,
                          llvm::ArrayRef<int64_t> label) const;
  bool mayFit(const Operator &op, const Params &params,
              llvm::ArrayRef<unsigned> operands);
  void tryOperator(const Operator &op, const Params &params,
                   llvm::ArrayRef<unsigned> operands, bool counts);
  void tryAccumulator(Accumulation accumulation,
                      llvm::ArrayRef<unsigned> operands);
  void add(Value value, ValueEdge edge);
  void append(Value value);
  void addFusedEdges();
  uint64_t getKey(const Value &value) const;
  bool hasSafeExponents() const;
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
  /// What operators of more than two operands may be applied to.
  llvm::DenseMap<Expr, std::vector<unsigned>> byExpr;
  llvm::DenseMap<uint64_t, unsigned> known;
  std::map<Shape, unsigned> labelNumbers;
  /// By the number of the label.
  llvm::DenseMap<unsigned, SearchWorker::ShapedResults> shapedResults;
  /// Whether operators without parameters exist on two operands.
  llvm::DenseMap<std::pair<const Operator *, std::pair<unsigned, unsigned>>,
                 bool>
      fits;
  unsigned maxFreeOps = 0;
  /// Operators that were tried on values, and pairs of kinds of values for
  /// which they were looked for.
  size_t numAttempts = 0, numBytes = 0;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_VALUEGRAPH_H
