//===- RoundedTiles.h - Tiles that are rounded for products -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_ROUNDEDTILES_H
#define MIRAGE_LIB_SEARCH_ROUNDEDTILES_H

#include "ValueGraph.h"

namespace mirage {

/// The tensors of a program's target whose tiles kernels may round
/// (docs/Search.md, "Rounded tiles"), among `tensors`, which have these values
/// at probe sizes. `labels` is the target with labels for sizes.
std::vector<RoundedTensor> findRoundedTensors(const SearchProgram &program,
                                              const KernelGraph &labels,
                                              llvm::ArrayRef<unsigned> tensors,
                                              llvm::ArrayRef<Tensor> values);

/// Sets `roundedType` of the values that products may read, but of those that
/// a product may read of which exponentials are taken, if tensor cores can
/// compute the same of operands that aren't rounded.
void setRoundedTypes(ValueGraph &graph, const SearchProgram &program,
                     const KernelProblem &problem, const Placement &placement);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_ROUNDEDTILES_H
