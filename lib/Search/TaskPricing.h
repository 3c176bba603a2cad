//===- TaskPricing.h - What derivations cost, by size -----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_TASKPRICING_H
#define MIRAGE_LIB_SEARCH_TASKPRICING_H

#include "Derivations.h"
#include "Sizings.h"

namespace mirage {

/// Prices the edges of the graph of values of a placement, for each of some
/// sizes. What it adds up for a derivation is a lower bound on what the cost
/// model (lib/Cost) says of its kernel, since it leaves out what several edges
/// share.
class TaskPricing {
public:
  TaskPricing(const SearchProgram &program, const KernelProblem &problem,
              const Placement &placement, const ValueGraph &graph,
              const TargetNumbers &target, bool checksMemory);

  /// The bytes of a value's tile at a size. Tiles that are computed are kept in
  /// f32, but for those that are rounded.
  double getTileBytes(const Sizing &sizing, unsigned value) const;

  /// The sizes by which `getWork` and the others below go from now on.
  void setSizes(std::vector<Sizing> sizes);
  llvm::ArrayRef<Sizing> getSizes() const { return sizings; }
  /// The work of an edge, for the whole kernel, by size.
  WorkBySize getWork(unsigned value, const ValueEdge &edge) const;
  std::vector<double> getTileBytes(unsigned value) const;
  std::vector<double> getStoreTraffic(unsigned value) const;
  /// The least that a kernel of a size, by index, and this work takes, in
  /// nanoseconds, if it fits.
  std::optional<double> getBound(size_t size, const SizedWork &work) const;

private:
  Shape getShape(const Sizing &sizing, llvm::ArrayRef<int64_t> label) const;
  SizedWork getWork(const Sizing &sizing, const Value &value,
                    const ValueEdge &edge) const;
  double getStoreTraffic(const Sizing &sizing, unsigned value) const;
  bool isComputed(unsigned value) const;
  unsigned getReadBits(unsigned value) const;
  unsigned getComputedBits(unsigned value) const;
  double getProductReadFactor(llvm::ArrayRef<int64_t> shape,
                              unsigned value) const;
  double getReadBytes(llvm::ArrayRef<int64_t> shape, unsigned value) const;
  void addProducts(const ValueEdge &edge, llvm::ArrayRef<Shape> operands,
                   llvm::ArrayRef<int64_t> result, SizedWork &work) const;
  llvm::BitVector findNarrow(bool inAll) const;

  const SearchProgram &program;
  const KernelProblem &problem;
  const Placement &placement;
  const ValueGraph &graph;
  const TargetNumbers &target;
  bool checksMemory;
  /// By value, whether it is, or may be, read in a type that tensor cores
  /// multiply at full rate: what is loaded or rounded, and what movements of
  /// data make of it.
  llvm::BitVector narrow, maybeNarrow;
  /// The least that an element takes that products read.
  unsigned leastBits = 16;
  std::vector<Sizing> sizings;
  /// By size.
  std::vector<KernelTimer> timers;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_TASKPRICING_H
