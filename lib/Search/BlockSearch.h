//===- BlockSearch.h - Enumerates the block graphs of one kernel ----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_BLOCKSEARCH_H
#define MIRAGE_LIB_SEARCH_BLOCKSEARCH_H

#include "Mirage/AbstractExpr/SubexpressionOracle.h"
#include "Mirage/Search/Search.h"
#include "Roles.h"
#include <atomic>
#include <functional>
#include <tuple>

namespace mirage {

/// A tensor of the kernel graph, at proxy size.
struct SearchTensor {
  Expr expr;
  Shape shape;
  DimRoles roles;
};

/// How an input is brought into a block graph.
struct InputPlacement {
  unsigned input = 0;
  llvm::SmallVector<int64_t, 3> imap;
  bool inLoop = false;
  int64_t fmap = -1;
};

/// A grid, a loop or none, and where the inputs are: what is fixed while
/// operators are added.
struct Placement {
  /// For each grid dimension the role that it partitions.
  llvm::SmallVector<int, 3> gridRoles;
  /// The role that the loop partitions; kNoRole: there is no loop.
  int loopRole = kNoRole;
  std::vector<InputPlacement> inputs;
};

/// One kernel to find: from tensors to tensors.
struct BlockProblem {
  std::vector<SearchTensor> inputs;
  std::vector<SearchTensor> outputs;
  std::vector<double> constants;
  llvm::ArrayRef<const Operator *> operators;
  unsigned maxOps = 0;
};

/// The placements to search: every choice of roles for the grid and the loop and
/// of maps for the inputs, but for those that can't lead to the outputs.
/// `reduced`: the roles that the program reduces over. Ends early, with what it
/// has, when `stop` is set.
std::vector<Placement> enumeratePlacements(const BlockProblem &problem,
                                           const llvm::BitVector &reduced,
                                           unsigned maxGridDims,
                                           const std::atomic<bool> &stop);

/// Algorithm 1 at block level, for one placement: a depth-first enumeration of
/// all block graphs in canonical order.
class BlockSearch {
public:
  BlockSearch(const BlockProblem &problem, ExprContext &context,
              SubexpressionOracle &oracle, SearchStatistics &statistics,
              const std::atomic<bool> &stop);

  /// Calls `found` with every block graph (at proxy size) whose outputs have the
  /// abstract expressions and shapes asked for.
  void run(const Placement &placement,
           llvm::function_ref<void(BlockGraph)> found);

private:
  struct Value {
    BlockNode node;
    Expr expr;
    unsigned uses = 0;
  };
  /// What orders operators (paper, section 4.1): the operands, latest first,
  /// then the type.
  struct Rank {
    int latest = -1, earlier = -1, type = -1, variant = -1;
    bool operator<(const Rank &other) const {
      return std::tie(latest, earlier, type, variant) <
             std::tie(other.latest, other.earlier, other.type, other.variant);
    }
  };

  void extend(const Rank &last);
  void tryOperators(int latest, int earlier, const Rank &last);
  void tryAdd(BlockNode node, const Rank &rank, const Rank &last,
              llvm::SmallVectorImpl<std::pair<Expr, Shape>> &siblings);
  Expr getFormula(const BlockNode &node);
  bool isConstant(int value) const {
    return values[value].node.kind == BlockNode::Kind::Constant;
  }
  bool canUseAll(Expr newest);
  void emitIfComplete();
  void emit(llvm::ArrayRef<unsigned> outputs);

  const BlockProblem &problem;
  ExprContext &context;
  SubexpressionOracle &oracle;
  SearchStatistics &statistics;
  const std::atomic<bool> &stop;

  const Placement *placement = nullptr;
  std::function<void(BlockGraph)> found;
  std::vector<Value> values;
  unsigned numOps = 0;
  unsigned numUnused = 0, numUnusedInLoop = 0;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_BLOCKSEARCH_H
