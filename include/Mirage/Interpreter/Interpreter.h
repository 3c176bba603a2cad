//===- Interpreter.h - The value of a μGraph --------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERPRETER_INTERPRETER_H
#define MIRAGE_INTERPRETER_INTERPRETER_H

#include "Mirage/Mugraph/Mugraph.h"
#include <atomic>

namespace mirage {

/// The outputs of a kernel graph over a number system. The graph must be well
/// formed (imported from verified IR, or made by the search), and the inputs of
/// its shapes. None if `stop` is set before the last operator is evaluated.
std::vector<Tensor> evaluate(const KernelGraph &graph,
                             const NumberSystem &numbers,
                             llvm::ArrayRef<Tensor> inputs,
                             const std::atomic<bool> *stop = nullptr);

/// For each tensor the index of the node after which evaluation drops it, the
/// number of nodes where it doesn't: inputs and outputs stay.
llvm::SmallVector<size_t> getLastUses(const KernelGraph &graph);

/// The tensors that a block graph writes, from the kernel's inputs: every
/// thread block and every iteration is run.
std::vector<Tensor> evaluate(const BlockGraph &graph,
                             const NumberSystem &numbers,
                             llvm::ArrayRef<const Tensor *> inputs);

} // namespace mirage

#endif // MIRAGE_INTERPRETER_INTERPRETER_H
