//===- Piecewise.cpp - Proofs tensor by tensor ----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Piecewise.h"
#include "WholeProof.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// A program, and which of its tensors are known to be tensors of the other.
class CutProgram {
public:
  explicit CutProgram(const KernelGraph &graph)
      : graph(graph), pairOf(graph.tensors.size(), kNone),
        producer(graph.tensors.size()),
        inputs(graph.tensors.size(), llvm::BitVector(graph.numInputs)) {
    for (unsigned i = 0; i < graph.numInputs; ++i) {
      addPair(i);
      inputs[i].set(i);
    }
    for (const KernelNode &node : graph.nodes)
      for (unsigned result : node.results) {
        producer[result] = &node;
        for (unsigned operand : node.operands)
          inputs[result] |= inputs[operand];
      }
  }

  void addPair(unsigned tensor) {
    pairOf[tensor] = pairs.size();
    pairs.push_back(tensor);
  }
  bool isInPair(unsigned tensor) const { return pairOf[tensor] != kNone; }
  size_t getNumPairs() const { return pairs.size(); }
  /// The program's inputs that a tensor may depend on.
  const llvm::BitVector &getInputs(unsigned tensor) const {
    return inputs[tensor];
  }

  /// The nearest of these pairs, among them the inputs, that a tensor is
  /// computed from.
  llvm::BitVector findPairs(unsigned tensor,
                            const llvm::BitVector &among) const {
    llvm::BitVector found(pairs.size());
    walk(tensor, among, &found);
    return found;
  }

  /// What computes a tensor from these pairs, which are the inputs.
  KernelGraph extract(unsigned tensor, const llvm::BitVector &from) const {
    KernelGraph result;
    std::vector<unsigned> number(graph.tensors.size(), kNone);
    auto add = [&](unsigned old) {
      number[old] = result.tensors.size();
      result.tensors.push_back(graph.tensors[old]);
    };
    for (unsigned pair : from.set_bits())
      add(pairs[pair]);
    result.numInputs = result.tensors.size();
    const NodeSet nodes = walk(tensor, from, nullptr);
    for (const KernelNode &node : graph.nodes) {
      if (!nodes.contains(&node))
        continue;
      KernelNode copy = node;
      for (unsigned &operand : copy.operands)
        operand = number[operand];
      for (unsigned &output : copy.results) {
        add(output);
        output = result.tensors.size() - 1;
      }
      result.nodes.push_back(std::move(copy));
    }
    result.outputs.push_back(number[tensor]);
    return result;
  }

private:
  static constexpr unsigned kNone = ~0u;
  using NodeSet = llvm::SmallPtrSet<const KernelNode *, 8>;

  /// The nodes that compute a tensor from the nearest of these pairs.
  NodeSet walk(unsigned tensor, const llvm::BitVector &among,
               llvm::BitVector *found) const {
    NodeSet nodes;
    SmallVector<unsigned> todo{tensor};
    while (!todo.empty()) {
      unsigned next = todo.pop_back_val();
      if (isInPair(next) && among.test(pairOf[next])) {
        if (found)
          found->set(pairOf[next]);
      } else if (nodes.insert(producer[next]).second) {
        llvm::append_range(todo, producer[next]->operands);
      }
    }
    return nodes;
  }

  const KernelGraph &graph;
  /// By tensor, the number of its pair; and by pair, the tensor.
  std::vector<unsigned> pairOf;
  SmallVector<unsigned> pairs;
  std::vector<const KernelNode *> producer;
  std::vector<llvm::BitVector> inputs;
};

class PiecewiseProof {
public:
  PiecewiseProof(const KernelGraph &reference, const KernelGraph &candidate,
                 ArrayRef<int64_t> symbols, int64_t mostWork,
                 int64_t mostWorkInAll)
      : reference(reference), candidate(candidate), symbols(symbols),
        mostWork(mostWork), workLeft(mostWorkInAll), cutReference(reference),
        cutCandidate(candidate) {}

  bool run() {
    llvm::BitVector isRead(candidate.tensors.size());
    for (const KernelNode &node : candidate.nodes)
      for (unsigned operand : node.operands)
        isRead.set(operand);
    for (const KernelNode &node : candidate.nodes)
      if (node.kind != KernelNode::Kind::Constant)
        for (unsigned result : node.results)
          if (isRead.test(result))
            findPair(result);
    // Without a pair this was asked before.
    return cutReference.getNumPairs() > reference.numInputs &&
           llvm::all_of(llvm::zip_equal(reference.outputs, candidate.outputs),
                        [&](auto pair) {
                          auto [expected, found] = pair;
                          return prove(expected, found);
                        });
  }

private:
  /// Looks for what a tensor of the candidate is in the reference.
  void findPair(unsigned found) {
    for (const KernelNode &node : reference.nodes) {
      if (node.kind == KernelNode::Kind::Constant)
        continue;
      for (unsigned expected : node.results) {
        // An operator of the candidate may have results that depend on less
        // than it does.
        if (reference.tensors[expected].shape !=
                candidate.tensors[found].shape ||
            cutReference.isInPair(expected) ||
            cutReference.getInputs(expected).test(
                cutCandidate.getInputs(found)) ||
            numTried++ >= kMostTries || !prove(expected, found) ||
            !isTotal(expected))
          continue;
        cutReference.addPair(expected);
        cutCandidate.addPair(found);
        return;
      }
    }
  }

  /// Whether two tensors are equal, whatever the tensors are that the
  /// candidate's kernels read.
  bool prove(unsigned expected, unsigned found) {
    llvm::BitVector from = cutCandidate.findPairs(found, getAll());
    llvm::BitVector among = from;
    among.set(0, reference.numInputs);
    from |= cutReference.findPairs(expected, among);
    return proveGraphs(cutReference.extract(expected, from),
                       cutCandidate.extract(found, from))
        .proved;
  }

  /// Whether a tensor of the reference is defined everywhere.
  bool isTotal(unsigned tensor) {
    const KernelGraph graph =
        cutReference.extract(tensor, cutReference.findPairs(tensor, getAll()));
    return proveGraphs(graph, graph).isTotal;
  }

  ProofResult proveGraphs(const KernelGraph &expected,
                          const KernelGraph &found) {
    const WholeProof proof =
        proveWhole(expected, found, symbols, std::min(mostWork, workLeft));
    workLeft = std::max<int64_t>(workLeft - proof.work, 0);
    return proof.result;
  }

  llvm::BitVector getAll() const {
    return llvm::BitVector(cutReference.getNumPairs(), true);
  }

  /// A transformer block of 35 operators needs 30.
  static constexpr unsigned kMostTries = 128;

  const KernelGraph &reference, &candidate;
  const ArrayRef<int64_t> symbols;
  const int64_t mostWork;
  int64_t workLeft;
  CutProgram cutReference, cutCandidate;
  unsigned numTried = 0;
};

} // namespace

bool mirage::provePiecewise(const KernelGraph &reference,
                            const KernelGraph &candidate,
                            ArrayRef<int64_t> symbols, int64_t mostWork,
                            int64_t mostWorkInAll) {
  return PiecewiseProof(reference, candidate, symbols, mostWork, mostWorkInAll)
      .run();
}
